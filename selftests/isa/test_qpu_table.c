// SPDX-License-Identifier: GPL-2.0
/*
 * QPU instruction words: every operation, every field, every small immediate, defined and
 * undefined encodings.
 */
#include "qpu_test.h"

/* Operations as in the guide's tables 6 and 7, independent of the operation table. */
static const char * const add_ops[32] = {
	"nop", "fadd", "fsub", "fmin", "fmax", "fminabs", "fmaxabs", "ftoi", "itof",
	[12] = "add", "sub", "shr", "asr", "ror", "shl", "min", "max", "and", "or", "xor", "not",
	"clz", [30] = "v8adds", "v8subs",
};

static const char * const mul_ops[8] = {
	"nop", "fmul", "mul24", "v8muld", "v8min", "v8max", "v8adds", "v8subs",
};

static void test_ops(void)
{
	char undefined[8];
	u32 op;

	for (op = 0; op < 32; op++) {
		snprintf(undefined, sizeof(undefined), "aop%u", op);
		tap_result(qpu_add_op_defined(op) == !!add_ops[op] &&
			   !strcmp(qpu_add_name(op), add_ops[op] ? add_ops[op] : undefined),
			   "adder operation %u is %s", op, add_ops[op] ? add_ops[op] : "undefined");
	}
	for (op = 0; op < 8; op++)
		tap_result(!strcmp(qpu_mul_name(op), mul_ops[op]), "multiplier operation %u is %s",
			   op, mul_ops[op]);
	tap_result(!qpu_add_operands(QPU_A_NOP) && qpu_add_operands(QPU_A_FTOI) == 1 &&
		   qpu_add_operands(QPU_A_ITOF) == 1 && qpu_add_operands(QPU_A_NOT) == 1 &&
		   qpu_add_operands(QPU_A_CLZ) == 1 && qpu_add_operands(QPU_A_ADD) == 2 &&
		   qpu_add_operands(9) == 2 && !qpu_mul_operands(QPU_M_MNOP) &&
		   qpu_mul_operands(QPU_M_FMUL) == 2, "numbers of operands");
}

/**
 * struct field - where a field is
 * @name: name
 * @offset: in struct qpu_insn
 * @lo: lowest bit
 * @width: bits
 * @forms: 1 ALU, 2 load immediate, 4 branch
 */
struct field {
	const char *name;
	size_t offset;
	u32 lo;
	u32 width;
	u32 forms;
};

#define F(member, lo, width, forms) { #member, offsetof(struct qpu_insn, member), lo, width, forms }

static const struct field fields[] = {
	F(unpack, 57, 3, 7), F(pm, 56, 1, 7), F(pack, 52, 4, 3), F(cond_add, 49, 3, 3),
	F(cond_mul, 46, 3, 3), F(sf, 45, 1, 3), F(ws, 44, 1, 7), F(waddr_add, 38, 6, 7),
	F(waddr_mul, 32, 6, 7), F(op_mul, 29, 3, 1), F(op_add, 24, 5, 1), F(raddr_a, 18, 6, 1),
	F(raddr_b, 12, 6, 1), F(mux[0], 9, 3, 1), F(mux[1], 6, 3, 1), F(mux[2], 3, 3, 1),
	F(mux[3], 0, 3, 1), F(br_cond, 52, 4, 4), F(br_rel, 51, 1, 4), F(br_reg, 50, 1, 4),
	F(br_raddr, 45, 5, 4),
};

static const u8 form_sig[] = { QPU_SIG_NONE, QPU_SIG_LDI, QPU_SIG_BRANCH };

static void test_field(const struct field *f, u32 form)
{
	u64 base = Q_SIG(form_sig[form]), mask = ((1ULL << f->width) - 1) << f->lo;
	struct qpu_insn x;
	bool ok = true;
	u32 v;

	for (v = 0; v < 1U << f->width; v++) {
		qpu_decode(base | (u64)v << f->lo, &x);
		ok = ok && *((u8 *)&x + f->offset) == v;
		ok = ok && qpu_encode(&x) == (base | (u64)v << f->lo);
		/* all the others set */
		qpu_decode(base | (~mask & ~Q_SIG(15)) | (u64)v << f->lo, &x);
		ok = ok && *((u8 *)&x + f->offset) == v;
	}
	tap_result(ok, "%s is bits %u to %u of form %u", f->name, f->lo, f->lo + f->width - 1,
		   form);
}

static void test_fields(void)
{
	struct qpu_insn x;
	u64 cover[3];
	bool ok = true;
	u32 i, form;

	for (form = 0; form < 3; form++) {
		cover[form] = Q_SIG(15) | (form ? 0xffffffffULL : 0);
		for (i = 0; i < ARRAY_SIZE(fields); i++) {
			if (!(fields[i].forms >> form & 1))
				continue;
			test_field(&fields[i], form);
			cover[form] |= ((1ULL << fields[i].width) - 1) << fields[i].lo;
		}
		tap_result(cover[form] == ~0ULL, "fields of form %u cover the word", form);
	}
	for (i = 0; i < 16; i++) {
		qpu_decode(Q_SIG(i), &x);
		ok = ok && x.sig == i;
	}
	qpu_decode(Q_SIG(QPU_SIG_LDI) | 0xdeadbeef, &x);
	ok = ok && x.imm == 0xdeadbeef;
	qpu_decode(Q_SIG(QPU_SIG_BRANCH) | Q_BRA(3) | 0x12345678, &x);
	ok = ok && x.imm == 0x12345678 && x.sf == 1 && x.br_raddr == 3;
	tap_result(ok, "signal, immediates, bit 45 of branches");
}

static void test_inverse(void)
{
	struct qpu_insn x;
	bool ok = true;
	u32 i;
	u64 w;

	for (i = 0; ok && i < 2000000; i++) {
		w = qpu_test_rand();
		if (i % 4)
			w = (w & ~Q_SIG(15)) | Q_SIG(12 + i % 4);
		qpu_decode(w, &x);
		ok = qpu_encode(&x) == w;
	}
	tap_result(ok, "2000000 words taken apart and put together");
}

static u32 float_word(double f)
{
	float g = (float)f;
	u32 v;

	memcpy(&v, &g, sizeof(v));
	return v;
}

static void test_small_imm(void)
{
	bool ints = true, floats = true, rots = true;
	u32 i;

	for (i = 0; i < 16; i++) {
		ints = ints && qpu_small_imm(i) == i && (s32)qpu_small_imm(16 + i) == (s32)i - 16;
		rots = rots && (s32)qpu_small_imm(48 + i) == (s32)i - 16;
	}
	for (i = 0; i < 8; i++)
		floats = floats && qpu_small_imm(32 + i) == float_word(1 << i) &&
			 qpu_small_imm(40 + i) == float_word((1 << i) / 256.0);
	tap_result(ints, "small immediates 0 to 31 are 0 to 15, -16 to -1");
	tap_result(floats, "small immediates 32 to 47 are powers of two");
	tap_result(rots, "small immediates 48 to 63 are -16 to -1");
}

struct check {
	const char *what;
	u64 word;
	enum qpu_reason reason;
	u8 lo, hi;
};

#define NOP	(Q_SIG(1) | Q_NODST | Q_NOREAD)
#define MUL_OP	(NOP | Q_OPMUL(1) | Q_CMUL(1))
#define BR	(Q_SIG(15) | Q_NODST)
#define LDI	(Q_SIG(14) | Q_NODST)

static const struct check checks[] = {
	{ "nop", NOP, QPU_OK, 0, 0 },
	{ "undefined adder code", NOP | Q_OPADD(9), QPU_OK, 0, 0 },
	{ "multiplier pack 1", MUL_OP | Q_PM | Q_PACK(1), QPU_BAD_PACK, 52, 55 },
	{ "multiplier pack 2", MUL_OP | Q_PM | Q_PACK(2), QPU_BAD_PACK, 52, 55 },
	{ "multiplier pack 8", MUL_OP | Q_PM | Q_PACK(8), QPU_OK, 0, 0 },
	{ "multiplier pack 9", MUL_OP | Q_PM | Q_PACK(9), QPU_BAD_PACK, 52, 55 },
	{ "multiplier pack 10", MUL_OP | Q_PM | Q_PACK(10), QPU_BAD_PACK, 52, 55 },
	{ "multiplier pack 15", MUL_OP | Q_PM | Q_PACK(15), QPU_OK, 0, 0 },
	{ "multiplier pack 0", MUL_OP | Q_PM, QPU_OK, 0, 0 },
	{ "multiplier pack 3", MUL_OP | Q_PM | Q_PACK(3), QPU_OK, 0, 0 },
	{ "multiplier pack 7", MUL_OP | Q_PM | Q_PACK(7), QPU_OK, 0, 0 },
	{ "file A pack 15", MUL_OP | Q_PACK(15), QPU_OK, 0, 0 },
	{ "multiplier pack 1 without multiplier", NOP | Q_PM | Q_PACK(1), QPU_OK, 0, 0 },
	{ "pack 1 of the multiplier's load immediate", LDI | Q_PM | Q_PACK(1), QPU_BAD_PACK, 52,
	  55 },
	{ "load immediate form 0", LDI, QPU_OK, 0, 0 },
	{ "load immediate form 1", LDI | Q_UNPACK(1), QPU_OK, 0, 0 },
	{ "load immediate form 2", LDI | Q_UNPACK(2), QPU_BAD_LDI, 57, 59 },
	{ "load immediate form 3", LDI | Q_UNPACK(3), QPU_OK, 0, 0 },
	{ "semaphore with all bits", LDI | Q_UNPACK(4) | 0xffffffff, QPU_OK, 0, 0 },
	{ "load immediate form 5", LDI | Q_UNPACK(5), QPU_BAD_LDI, 57, 59 },
	{ "load immediate form 6", LDI | Q_UNPACK(6), QPU_BAD_LDI, 57, 59 },
	{ "load immediate form 7", LDI | Q_UNPACK(7), QPU_BAD_LDI, 57, 59 },
	{ "branch condition 11", BR | Q_BCOND(11), QPU_OK, 0, 0 },
	{ "branch condition 12", BR | Q_BCOND(12), QPU_BAD_BR_COND, 52, 55 },
	{ "branch condition 13", BR | Q_BCOND(13), QPU_BAD_BR_COND, 52, 55 },
	{ "branch condition 14", BR | Q_BCOND(14), QPU_BAD_BR_COND, 52, 55 },
	{ "branch always", BR | Q_BCOND(15), QPU_OK, 0, 0 },
	{ "branch, register field without register", BR | Q_BCOND(15) | Q_BRA(31), QPU_OK, 0, 0 },
	{ "branch, bit 56", BR | Q_BCOND(15) | Q_PM, QPU_BAD_RESERVED, 56, 59 },
	{ "branch, bit 59", BR | Q_BCOND(15) | Q_UNPACK(4), QPU_BAD_RESERVED, 56, 59 },
};

static void test_checks(void)
{
	struct qpu_insn x;
	u32 i, addr;
	u8 lo, hi;

	for (i = 0; i < ARRAY_SIZE(checks); i++) {
		lo = 0;
		hi = 0;
		qpu_decode(checks[i].word, &x);
		tap_result(qpu_check(&x, &lo, &hi) == checks[i].reason && lo == checks[i].lo &&
			   hi == checks[i].hi, "%s: %s", checks[i].what,
			   checks[i].reason ? "rejected" : "defined");
	}
	/* Readable addresses. */
	for (addr = 32; addr < 64; addr++) {
		bool defined = addr == 32 || addr == 35 || addr == 38 || addr == 39 ||
			       addr == 41 || addr == 42 || (addr >= 48 && addr <= 51);
		u64 file_a = Q_SIG(1) | Q_NODST | Q_OPADD(12) | Q_RA(addr) | Q_RB(39);
		u64 file_b = Q_SIG(1) | Q_NODST | Q_OPMUL(1) | Q_RA(39) | Q_RB(addr);
		bool ok;

		qpu_decode(file_a | Q_MUX(0, 6, 0, 0), &x);
		ok = qpu_check(&x, &lo, &hi) == (defined ? QPU_OK : QPU_BAD_RADDR_A);
		ok = ok && (defined || (lo == 18 && hi == 23));
		qpu_decode(file_b | Q_MUX(0, 0, 7, 0), &x);
		ok = ok && qpu_check(&x, &lo, &hi) == (defined ? QPU_OK : QPU_BAD_RADDR_B);
		ok = ok && (defined || (lo == 12 && hi == 17));
		/* ignored operand */
		qpu_decode(file_a | Q_MUX(0, 1, 6, 6), &x);
		ok = ok && !qpu_check(&x, &lo, &hi);
		qpu_decode(Q_SIG(13) | (file_b & ~Q_SIG(15)) | Q_MUX(0, 0, 7, 0), &x);
		ok = ok && !qpu_check(&x, &lo, &hi);
		tap_result(ok, "read address %u: %s", addr,
			   defined ? "defined" : "rejected as operand");
	}
}

static void test_names(void)
{
	bool ok = true;
	u32 addr;

	for (addr = 32; addr < 64; addr++)
		ok = ok && qpu_reg_name(addr, QPU_REG_WA) && qpu_reg_name(addr, QPU_REG_WB);
	tap_result(ok, "every write address has a name");
	tap_result(!strcmp(qpu_reg_name(37, QPU_REG_WA)->name, "r5quad") &&
		   !strcmp(qpu_reg_name(37, QPU_REG_WB)->name, "r5rep") &&
		   !strcmp(qpu_reg_name(49, QPU_REG_WA)->name, "vr_setup") &&
		   !strcmp(qpu_reg_name(49, QPU_REG_WB)->name, "vw_setup") &&
		   !strcmp(qpu_reg_name(38, QPU_REG_RA)->name, "elem_num") &&
		   !strcmp(qpu_reg_name(38, QPU_REG_RB)->name, "qpu_num") &&
		   !strcmp(qpu_reg_name(38, QPU_REG_WA)->name, "irq"),
		   "names depend on file and direction");
}

int main(void)
{
	test_seed(1);
	test_ops();
	test_fields();
	test_inverse();
	test_small_imm();
	test_checks();
	test_names();
	return tap_done();
}
