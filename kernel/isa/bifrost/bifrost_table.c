// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Tables of Bifrost operations, and lookup of encodings.
 */
#include "bifrost.h"

#define NAMES(...) ((const char * const[]){ __VA_ARGS__ })
#define BI_LIST(name, ...) { NAMES(__VA_ARGS__), ARRAY_SIZE(NAMES(__VA_ARGS__)) },

static const struct bi_list lists[BI_NUM_LISTS] = {
	{ NULL, 0 },
#include "bifrost_lists.def"
};

#define MN				BI_MOD_MNEMONIC
#define SRC(pos, codes)			{ pos, codes }
#define MOD(list, pos, width, def, src)	{ BI_L_##list, pos, width, def, src }
#define IND(list, def, src)		{ BI_L_##list, BI_MOD_DERIVED, 4, def, src }
#define MODS(...)			((const struct bi_mod[]){ __VA_ARGS__, { } })
#define ROWS(...)			((const u32[]){ __VA_ARGS__ })
#define BI_OP(r, n, m, e, ...)	\
	{ .name = n, .rule = BI_RULE_##r, .mask = m, .exact = e, ##__VA_ARGS__ },

static const struct bi_op fma_ops[] = {
#include "bifrost_fma.def"
};

static const struct bi_op add_ops[] = {
#include "bifrost_add.def"
};

#define KEYS		8	/* compared at once */
#define NUM_KEYS(ops)	((ARRAY_SIZE(ops) + KEYS - 1) / KEYS * KEYS)

/* Copies of the keys, for vectors: every job decodes its program. */
#undef BI_OP
#define BI_OP(r, n, m, e, ...)	m,

static const u32 fma_masks[NUM_KEYS(fma_ops)] = {
#include "bifrost_fma.def"
};

static const u32 add_masks[NUM_KEYS(add_ops)] = {
#include "bifrost_add.def"
};

#undef BI_OP
#define BI_OP(r, n, m, e, ...)	e,

static const u32 fma_exacts[NUM_KEYS(fma_ops)] = {
#include "bifrost_fma.def"
};

static const u32 add_exacts[NUM_KEYS(add_ops)] = {
#include "bifrost_add.def"
};

const struct bi_op *bi_ops(enum bi_unit unit, u32 *n)
{
	*n = unit == BI_FMA ? ARRAY_SIZE(fma_ops) : ARRAY_SIZE(add_ops);
	return unit == BI_FMA ? fma_ops : add_ops;
}

const struct bi_list *bi_list(u32 list)
{
	return &lists[list < BI_NUM_LISTS ? list : 0];
}

u32 bi_row(const struct bi_op *op, u32 bits)
{
	u32 row = 0, shift = 0, i;

	for (i = 0; i < ARRAY_SIZE(op->fields); i++) {
		row |= bi_bits(bits, op->fields[i].pos, op->fields[i].width) << shift;
		shift += op->fields[i].width;
	}
	if (op->flags & BI_ORDERED && bi_bits(bits, op->src[0].pos, 3) >
	    bi_bits(bits, op->src[1].pos, 3))
		row |= 1U << shift;
	return row;
}

int bi_mod_value(const struct bi_op *op, u32 i, u32 bits)
{
	const struct bi_mod *m = &op->mods[i];
	u32 column = 0, value, j;

	if (m->pos != BI_MOD_DERIVED) {
		value = bi_bits(bits, m->pos, m->width);
	} else {
		for (j = 0; j < i; j++)
			column += op->mods[j].pos == BI_MOD_DERIVED;
		value = op->rows[bi_row(op, bits)];
		if (value >= BI_NONE)
			return -1;
		value = bi_bits(value, 4 * column, 4);
	}
	return value < lists[m->list].n && lists[m->list].names[value] ? (int)value : -1;
}

bool bi_has_mod(const struct bi_op *op, u32 bits, const char *name)
{
	u32 i;

	for (i = 0; op->mods && op->mods[i].list; i++) {
		int value = bi_mod_value(op, i, bits);

		if (value >= 0 && !strcmp(lists[op->mods[i].list].names[value], name))
			return true;
	}
	return false;
}

static bool has_meaning(const struct bi_op *op, u32 bits)
{
	u32 i;

	for (i = 0; op->mods && op->mods[i].list; i++)
		if (bi_mod_value(op, i, bits) < 0)
			return false;
	return true;
}

/* May one of KEYS keys match? */
static bool bi_keys_match(const u32 *mask, const u32 *exact, u32 bits)
{
	u32 i, found = 0;

	for (i = 0; i < KEYS; i++)
		found |= (bits & mask[i]) == exact[i];
	return found;
}

const struct bi_op *bi_op_find(enum bi_unit unit, u32 bits)
{
	const u32 *mask = unit == BI_FMA ? fma_masks : add_masks;
	const u32 *exact = unit == BI_FMA ? fma_exacts : add_exacts;
	const struct bi_op *op, *ops;
	u32 n, i, row, none = 0;

	ops = bi_ops(unit, &n);
	for (i = 0; i < n; i++) {
		while (i % KEYS == 0 && i < n && !bi_keys_match(mask + i, exact + i, bits))
			i += KEYS;
		if (i >= n || (bits & mask[i]) != exact[i])
			continue;
		op = &ops[i];
		/* A combination that this entry lacks may exist in an entry with the same mask. */
		if (none && op->mask != none)
			return NULL;
		row = op->rows ? op->rows[bi_row(op, bits)] : 0;
		if (row == BI_NONE)
			none = op->mask;
		if (row < BI_NONE)
			return has_meaning(op, bits) ? op : NULL;
	}
	return NULL;
}

bool bi_op_branches(const struct bi_op *op)
{
	return op->flags & BI_BRANCH;
}

bool bi_op_jumps(const struct bi_op *op)
{
	return op->rule == BI_RULE_JUMP;
}

u32 bi_op_gpus(const struct bi_op *op)
{
	u32 all = (1U << BI_NUM_GPUS) - 1, old = all & ~(1U << BI_G52);

	if (op->flags & BI_NOT_G71)
		return all & ~(1U << BI_G71);
	if (op->flags & BI_WIDE_CLPER)
		return all & ~old;
	return op->flags & BI_OLD_CLPER ? old : all;
}
