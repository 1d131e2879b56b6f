// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * QPU instruction words: decoding and checks.
 *
 * Three forms share the sixteen bits of destinations and conditions: ALU words, load
 * immediates (with semaphores) and branches. The fields of each form cover all 64 bits,
 * so that decoding is lossless.
 */
#include "qpu.h"

/* Number of operands + 1; 0: undefined code. */
static const u8 add_operands[QPU_NUM_ADD_OPS] = {
#define QPU_ADD_OP(code, name, mnem, operands, ...) [code] = (operands) + 1,
#define QPU_MUL_OP(...)
#include "qpu_ops.def"
#undef QPU_ADD_OP
#undef QPU_MUL_OP
};

static const u8 mul_operands[QPU_NUM_MUL_OPS] = {
#define QPU_ADD_OP(...)
#define QPU_MUL_OP(code, name, mnem, operands, ...) [code] = (operands) + 1,
#include "qpu_ops.def"
#undef QPU_ADD_OP
#undef QPU_MUL_OP
};

/**
 * qpu_add_op_defined() - is an adder operation code defined?
 * @op: bits 28:24 of a word
 *
 * Return: false for codes that no source documents.
 */
bool qpu_add_op_defined(u32 op)
{
	return add_operands[op & 31];
}

/**
 * qpu_add_operands() - number of operands of an adder operation
 * @op: enum qpu_add_op
 *
 * Return: 0 to 2; 2 for undefined operations.
 */
u32 qpu_add_operands(u32 op)
{
	u32 n = add_operands[op & 31];

	return n ? n - 1 : 2;
}

/**
 * qpu_mul_operands() - number of operands of a multiplier operation
 * @op: enum qpu_mul_op
 *
 * Return: 0 or 2.
 */
u32 qpu_mul_operands(u32 op)
{
	return mul_operands[op & 7] - 1;
}

static u32 get(u64 word, unsigned int lo, unsigned int width)
{
	return (word >> lo) & ((1ULL << width) - 1);
}

static void decode_alu(u64 word, struct qpu_insn *insn)
{
	unsigned int i;

	insn->op_mul = get(word, 29, 3);
	insn->op_add = get(word, 24, 5);
	insn->raddr_a = get(word, 18, 6);
	insn->raddr_b = get(word, 12, 6);
	for (i = 0; i < 4; i++)
		insn->mux[i] = get(word, 9 - 3 * i, 3);
}

/**
 * qpu_decode() - decode an instruction word
 * @word: any word
 * @insn: decoded fields; fields that the word's form lacks are 0
 *
 * Bit 45 of a branch is in two fields: sf and the lowest bit of br_raddr.
 */
void qpu_decode(u64 word, struct qpu_insn *insn)
{
	memset(insn, 0, sizeof(*insn));
	insn->sig = get(word, 60, 4);
	insn->unpack = get(word, 57, 3);
	insn->pm = get(word, 56, 1);
	insn->sf = get(word, 45, 1);
	insn->ws = get(word, 44, 1);
	insn->waddr_add = get(word, 38, 6);
	insn->waddr_mul = get(word, 32, 6);
	if (insn->sig == QPU_SIG_BRANCH) {
		insn->br_cond = get(word, 52, 4);
		insn->br_rel = get(word, 51, 1);
		insn->br_reg = get(word, 50, 1);
		insn->br_raddr = get(word, 45, 5);
		insn->imm = get(word, 0, 32);
		return;
	}
	insn->pack = get(word, 52, 4);
	insn->cond_add = get(word, 49, 3);
	insn->cond_mul = get(word, 46, 3);
	if (insn->sig == QPU_SIG_LDI)
		insn->imm = get(word, 0, 32);
	else
		decode_alu(word, insn);
}

/**
 * qpu_small_imm() - value of a small immediate
 * @code: bits 17:12 of a word with signal SMI
 *
 * Return: the bits; codes from 48 on, which also rotate, repeat -16 to -1.
 */
u32 qpu_small_imm(u32 code)
{
	code &= 63;
	if (code < 16)
		return code;
	if (code < 32)
		return code - 32;
	if (code < 40)
		return (127 + code - 32) << 23;
	if (code < 48)
		return (127 + code - 48) << 23;
	return code - 64;
}

/* Is the read address defined? */
static bool readable(u32 raddr)
{
	return raddr < 32 || (0x000f06c9U >> (raddr - 32) & 1);
}

/* Does an ALU use an operand from @mux? */
static bool reads_file(const struct qpu_insn *insn, u8 mux)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (i < qpu_add_operands(insn->op_add) && insn->mux[i] == mux)
			return true;
		if (i < qpu_mul_operands(insn->op_mul) && insn->mux[2 + i] == mux)
			return true;
	}
	return false;
}

static enum qpu_reason qpu_decode_bad(enum qpu_reason reason, u8 *lo, u8 *hi, u8 field_lo,
				      u8 field_hi)
{
	*lo = field_lo;
	*hi = field_hi;
	return reason;
}

/*
 * The multiplier packs bytes only: replicated (3) or one of four (4 to 7). It always
 * saturates; vc4asm also sets bit 3.
 */
static bool mul_pack_defined(const struct qpu_insn *insn)
{
	u8 mode = insn->pack & 7;

	return !insn->pm || !mode || mode >= 3;
}

static enum qpu_reason check_alu(const struct qpu_insn *insn, u8 *lo, u8 *hi)
{
	if (insn->op_mul != QPU_M_MNOP && !mul_pack_defined(insn))
		return qpu_decode_bad(QPU_BAD_PACK, lo, hi, 52, 55);
	if (!readable(insn->raddr_a) && reads_file(insn, QPU_MUX_A))
		return qpu_decode_bad(QPU_BAD_RADDR_A, lo, hi, 18, 23);
	if (insn->sig != QPU_SIG_SMI && !readable(insn->raddr_b) &&
	    reads_file(insn, QPU_MUX_B))
		return qpu_decode_bad(QPU_BAD_RADDR_B, lo, hi, 12, 17);
	return QPU_OK;
}

static enum qpu_reason check_ldi(const struct qpu_insn *insn, u8 *lo, u8 *hi)
{
	if (insn->unpack != QPU_LDI_32 && insn->unpack != QPU_LDI_ELEM_S &&
	    insn->unpack != QPU_LDI_ELEM_U && insn->unpack != QPU_LDI_SEMA)
		return qpu_decode_bad(QPU_BAD_LDI, lo, hi, 57, 59);
	if (!mul_pack_defined(insn))
		return qpu_decode_bad(QPU_BAD_PACK, lo, hi, 52, 55);
	return QPU_OK;
}

static enum qpu_reason qpu_decode_check_branch(const struct qpu_insn *insn, u8 *lo, u8 *hi)
{
	if (insn->unpack || insn->pm)
		return qpu_decode_bad(QPU_BAD_RESERVED, lo, hi, 56, 59);
	if (insn->br_cond > QPU_BR_ANYNC && insn->br_cond != QPU_BR_ALWAYS)
		return qpu_decode_bad(QPU_BAD_BR_COND, lo, hi, 52, 55);
	return QPU_OK;
}

/**
 * qpu_check() - check that an instruction is defined
 * @insn: its fields
 * @lo: on error: lowest bit of the offending field
 * @hi: on error: highest bit
 *
 * Unused fields may have any value: read addresses that no operand uses, the pack mode of an
 * idle multiplier, the upper bits of a semaphore word (destinations receive all of it). Every
 * write address, unpack mode and small immediate is defined. Undefined adder codes pass, too,
 * see qpu_add_op_defined().
 *
 * Return: QPU_OK or the reject reason.
 */
enum qpu_reason qpu_check(const struct qpu_insn *insn, u8 *lo, u8 *hi)
{
	if (insn->sig == QPU_SIG_BRANCH)
		return qpu_decode_check_branch(insn, lo, hi);
	if (insn->sig == QPU_SIG_LDI)
		return check_ldi(insn, lo, hi);
	return check_alu(insn, lo, hi);
}
