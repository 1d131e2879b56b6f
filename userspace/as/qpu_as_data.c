// SPDX-License-Identifier: MIT
/*
 * QPU assembler: emission of instructions and data.
 */
#include "qpu_as.h"

/* Write an instruction at the end. */
int qas_emit(struct qas *as, const struct qas_slot *slot)
{
	if (qas_room(as, (void **)&as->slots, as->nbytes / 8, &as->max_slots, sizeof(*slot),
		     QPU_MAX_WORDS))
		return qas_error(as, 0, "program is longer than %u instructions", QPU_MAX_WORDS);
	as->slots[as->nbytes / 8] = *slot;
	as->slots[as->nbytes / 8].line = as->cur_line;
	as->nbytes += 8;
	return 0;
}

static int put_byte(struct qas *as, u8 byte)
{
	struct qas_slot *s;

	if (qas_room(as, (void **)&as->slots, as->nbytes / 8, &as->max_slots,
		     sizeof(*as->slots), QPU_MAX_WORDS))
		return qas_error(as, 0, "program is longer than %u instructions", QPU_MAX_WORDS);
	s = &as->slots[as->nbytes / 8];
	if (!(as->nbytes & 7))
		memset(s, 0, sizeof(*s));
	s->word |= (u64)byte << (8 * (as->nbytes & 7));
	as->nbytes++;
	return 0;
}

/* Instructions begin at multiples of eight bytes. */
int qas_align_insn(struct qas *as)
{
	while (as->nbytes & 7)
		if (put_byte(as, 0))
			return -EINVAL;
	return 0;
}

static const struct {
	const char *name;
	u8 bytes;
	bool is_float;
} data_dirs[] = {
	{ ".byte", 1, false }, { ".short", 2, false }, { ".int", 4, false },
	{ ".word", 4, false }, { ".long", 8, false }, { ".quad", 8, false },
	{ ".float", 4, true }, { ".double", 8, true },
};

static int find_dir(struct qas_str dir)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(data_dirs); i++)
		if (qas_eq(dir, data_dirs[i].name))
			return (int)i;
	return -1;
}

/* Return: a directive that writes data. */
bool qas_is_data(struct qas_str dir)
{
	return find_dir(dir) >= 0 || qas_eq(dir, ".align");
}

static int data_bits(struct qas *as, const struct qas_val *v, u32 row, u64 *bits, u32 col)
{
	u32 size = data_dirs[row].bytes, word;
	double d;

	if (v->type != QAS_INT && v->type != QAS_FLOAT)
		return qas_error(as, col, "expected a number");
	if (!data_dirs[row].is_float && v->type == QAS_INT) {
		if (size < 8 && (v->i < -(1LL << (8 * size - 1)) || v->i >= 1LL << (8 * size)))
			return qas_error(as, col, "number does not fit %u bits", 8 * size);
		*bits = (u64)v->i;
		return 0;
	}
	if (size < 4)
		return qas_error(as, col, "expected an integer");
	if (size == 4) {
		struct qas_val f = { .type = QAS_FLOAT,
				     .f = v->type == QAS_INT ? (double)v->i : v->f };

		qas_bits(&f, &word);
		*bits = word;
		return 0;
	}
	d = v->type == QAS_INT ? (double)v->i : v->f;
	memcpy(bits, &d, sizeof(*bits));
	return 0;
}

/* .align bytes[, base]: zeros up to a multiple, counted from base. */
static int align(struct qas *as, struct qas_cur *c)
{
	u32 col = qas_col(c);
	s64 n, base = 0;

	if (qas_int_expr(as, c, &n))
		return -EINVAL;
	if (qas_char(c, ',') && qas_int_expr(as, c, &base))
		return -EINVAL;
	if (n < 0 || n > 64 || (n & (n - 1)))
		return qas_error(as, col, "alignment is a power of two up to 64");
	while (n && ((as->nbytes - (u64)base) & (u64)(n - 1)))
		if (put_byte(as, 0))
			return -EINVAL;
	return qas_done(as, c);
}

/* A data directive; @c is after its name. */
int qas_data(struct qas *as, struct qas_str dir, struct qas_cur *c)
{
	int row = find_dir(dir);
	struct qas_val v;
	u64 bits = 0;
	u32 i, col;

	as->nrecent = 0;
	qas_space(c);
	if (row < 0)
		return align(as, c);
	do {
		qas_space(c);
		col = qas_col(c);
		if (qas_expr(as, c, &v) || data_bits(as, &v, (u32)row, &bits, col))
			return -EINVAL;
		for (i = 0; i < data_dirs[row].bytes; i++)
			if (put_byte(as, (u8)(bits >> (8 * i))))
				return -EINVAL;
	} while (qas_char(c, ','));
	return qas_done(as, c);
}
