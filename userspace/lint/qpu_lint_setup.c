// SPDX-License-Identifier: MIT
/*
 * Setup words of the VPM in QPU programs: their values, as far as the program's text tells them.
 *
 * Words are loaded as immediates, and rows or counts added to them. The last instruction in the
 * text that writes a register is assumed to be the one that counts; warnings need no proof.
 */
#include "isa/qpu/qpu_verify.h"
#include "qpu_lint_setup.h"

#define MAX_BACK	256	/* instructions that are searched for the origin of a value */
#define MAX_DEPTH	4	/* operations between origin and use */

/* Register as a write address: a file and 0 to 31, or an accumulator. */
struct place {
	u32 file;
	u32 addr;
};

/* Return: false: the operand is a small immediate. */
static bool place_of(const struct qpu_insn *x, u8 mux, struct place *p)
{
	if (mux == QPU_MUX_A)
		*p = (struct place){ 0, x->raddr_a };
	else if (mux == QPU_MUX_B)
		*p = (struct place){ 1, x->raddr_b };
	else
		*p = (struct place){ 0, mux == QPU_MUX_R5 ? QPU_W_ACC5 : QPU_W_ACC0 + mux };
	return mux != QPU_MUX_B || x->sig != QPU_SIG_SMI;
}

enum written { BY_NONE, BY_ADD, BY_MUL };

static enum written writes_place(const struct qpu_insn *x, const struct place *p)
{
	bool any = p->addr >= QPU_W_ACC0 && p->addr <= QPU_W_ACC5, add, mul;

	if (x->sig == QPU_SIG_BRANCH)
		return BY_NONE;
	add = x->cond_add != QPU_COND_NEVER && x->waddr_add == p->addr &&
	      (any || x->ws == p->file);
	mul = x->cond_mul != QPU_COND_NEVER && x->waddr_mul == p->addr &&
	      (any || x->ws != p->file);
	return add ? BY_ADD : mul ? BY_MUL : BY_NONE;
}

static bool find_result(const struct qpu_program *p, u32 pc, const struct qpu_insn *x,
			enum written by, u32 depth, struct qpu_setup *out);

static bool find_operand(const struct qpu_program *p, u32 pc, const struct qpu_insn *x, u8 mux,
			 u32 depth, struct qpu_setup *out)
{
	struct qpu_insn insn;
	struct place place;
	enum written by;
	u32 n;

	if (!place_of(x, mux, &place)) {
		*out = (struct qpu_setup){ qpu_small_imm(x->raddr_b), true };
		return true;
	}
	if (!depth || mux == QPU_MUX_R4 || (mux >= QPU_MUX_A && place.addr >= 32))
		return false;
	for (n = 0; pc-- && n < MAX_BACK; n++) {
		qpu_decode(qpu_word(p, pc), &insn);
		by = writes_place(&insn, &place);
		if (by != BY_NONE)
			return find_result(p, pc, &insn, by, depth - 1, out);
	}
	return false;
}

/* The sum of two values; with one unknown the other, which has the upper fields. */
static bool combine(const struct qpu_setup v[2], const bool known[2], bool sum,
		    struct qpu_setup *out)
{
	if (known[0] && known[1]) {
		out->word = sum ? v[0].word + v[1].word : v[0].word | v[1].word;
		out->exact = v[0].exact && v[1].exact;
		return true;
	}
	if (!known[0] && !known[1])
		return false;
	*out = v[known[1]];
	out->exact = false;
	return true;
}

static bool find_result(const struct qpu_program *p, u32 pc, const struct qpu_insn *x,
			enum written by, u32 depth, struct qpu_setup *out)
{
	const u8 *mux = by == BY_ADD ? x->mux : x->mux + 2;
	bool copy, known[2], sum = x->op_add == QPU_A_ADD;
	struct qpu_setup v[2];

	if (x->sig == QPU_SIG_LDI) {
		*out = (struct qpu_setup){ x->imm, true };
		return x->unpack == QPU_LDI_32;
	}
	copy = mux[0] == mux[1] &&
	       (by == BY_ADD ? x->op_add == QPU_A_OR : x->op_mul == QPU_M_V8MIN);
	if (copy)
		return find_operand(p, pc, x, mux[0], depth, out);
	if (by == BY_MUL || (!sum && x->op_add != QPU_A_OR))
		return false;
	known[0] = find_operand(p, pc, x, mux[0], depth, &v[0]);
	known[1] = find_operand(p, pc, x, mux[1], depth, &v[1]);
	return combine(v, known, sum, out);
}

/**
 * qpu_lint_setup() - value that an instruction writes to a VPM setup register
 * @p: program
 * @pc: instruction
 * @file: 0 setup of reads and loads, 1 of writes and stores
 * @out: value
 *
 * Return: false: it does not write there, or the value is not known.
 */
bool qpu_lint_setup(const struct qpu_program *p, u32 pc, u32 file, struct qpu_setup *out)
{
	const struct place place = { file, QPU_W_VPM_SETUP };
	struct qpu_insn x;
	enum written by;

	qpu_decode(qpu_word(p, pc), &x);
	by = writes_place(&x, &place);
	return by != BY_NONE && find_result(p, pc, &x, by, MAX_DEPTH, out);
}

static u32 or_if_zero(u32 value, u32 if_zero)
{
	return value ? value : if_zero;
}

/**
 * qpu_lint_column_words() - words from the top of the block to the end of a stored column
 * @word: setup of a DMA store
 *
 * Return: more than 16 for a column that begins again; 0 for rows and other setups.
 */
u32 qpu_lint_column_words(u32 word)
{
	u32 mode = word & 7, bytes = mode >= 4 ? 1 : mode >= 2 ? 2 : 4;
	u32 first = mode >= 4 ? mode & 3 : mode >= 2 ? (mode & 1) * 2 : 0;

	if (word >> 30 != 2 || word >> 14 & 1)
		return 0;
	return (word >> 7 & 15) +
	       DIV_ROUND_UP(first + or_if_zero(word >> 16 & 127, 128) * bytes, 4);
}

#define VPM_ROWS	64

/* Bits of @n rows from @row on, which goes round. */
static u64 row_bits(u32 row, u32 n)
{
	u64 bits = n < VPM_ROWS ? BIT_ULL(n) - 1 : ~0ULL;

	row %= VPM_ROWS;
	return row ? bits << row | bits >> (VPM_ROWS - row) : bits;
}

/**
 * qpu_lint_loaded_rows() - rows of the VPM that a DMA load writes
 * @v: its setup
 *
 * Return: bit set; all rows if they are not known.
 */
u64 qpu_lint_loaded_rows(const struct qpu_setup *v)
{
	u32 mode = v->word >> 28 & 7, shift = mode >= 4 ? 0 : mode >= 2 ? 1 : 2;
	u32 length = or_if_zero(v->word >> 20 & 15, 16) << shift;
	u32 rows = or_if_zero(v->word >> 16 & 15, 16), pitch = or_if_zero(v->word >> 12 & 15, 16);
	u32 row = v->word >> 4 & 127, column = v->word & 15, i, from, line;
	bool vertical = v->word >> 11 & 1;
	u64 bits = 0;

	if (!v->exact)
		return ~0ULL;
	line = vertical ? 4 : 64;
	pitch <<= vertical ? shift : shift + 4;
	for (i = 0; i < rows; i++) {
		from = (vertical ? 0 : column * 4) + i * pitch;
		bits |= row_bits(row + from / line, (from + length - 1) / line - from / line + 1);
	}
	return bits;
}

/**
 * qpu_lint_read_rows() - rows that VPM reads take
 * @v: their setup
 *
 * Return: bit set; all rows if they are not known.
 */
u64 qpu_lint_read_rows(const struct qpu_setup *v)
{
	u32 size = v->word >> 8 & 3, part = size < 3 ? 2 - size : 0, n, i;
	u32 stride = or_if_zero(v->word >> 12 & 63, 64), at = v->word & 255, vec;
	bool horiz = v->word >> 11 & 1;
	u64 bits = 0;

	if (!v->exact)
		return ~0ULL;
	n = qpu_lint_vectors(v->word);
	for (i = 0; i < n; i++, at += stride) {
		vec = at >> part & 63;
		bits |= horiz ? row_bits(vec, 1) : row_bits(vec & 48, 16);
	}
	return bits;
}
