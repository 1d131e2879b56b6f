// SPDX-License-Identifier: GPL-2.0
/*
 * The table of Midgard operations: published encodings; every operation with random operands
 * decodes to the encoded fields and survives disassembly and assembly; numbers as text.
 */
#include "midgard_test.h"

static const struct {
	u8 code;
	const char *name;
	u8 flags;
} known[] = {
	{ 0x10, "FADD", 0 }, { 0x14, "FMUL", 0 }, { 0x28, "FMIN", 0 }, { 0x2c, "FMAX", 0 },
	{ 0x30, "FMOV", MG_MOVE }, { 0x36, "FFLOOR", MG_UNARY }, { 0x38, "FMA", 0 },
	{ 0x3c, "FDOT3", 0 }, { 0x3e, "FDOT4", 0 }, { 0x40, "ADD", MG_INT_IN | MG_INT_OUT },
	{ 0x46, "SUB", MG_INT_IN | MG_INT_OUT }, { 0x58, "MUL", MG_INT_IN | MG_INT_OUT },
	{ 0x63, "MAX", MG_INT_IN | MG_INT_OUT | MG_UNSIGNED },
	{ 0x68, "ASR", MG_INT_IN | MG_INT_OUT }, { 0x69, "LSR", MG_INT_IN | MG_INT_OUT },
	{ 0x6e, "SHL", MG_INT_IN | MG_INT_OUT }, { 0x7b, "MOV", MG_INT_IN | MG_INT_OUT | MG_MOVE },
	{ 0x80, "FCMP.eq", MG_INT_OUT }, { 0x99, "F2I.rtz", MG_INT_OUT | MG_UNARY },
	{ 0xa4, "CMP.lt", MG_INT_IN | MG_INT_OUT },
	{ 0xa2, "CMP.lt", MG_INT_IN | MG_INT_OUT | MG_UNSIGNED },
	{ 0xb8, "I2F", MG_INT_IN | MG_UNARY }, { 0xbc, "U2F", MG_INT_IN | MG_UNSIGNED | MG_UNARY },
	{ 0xc1, "CSEL.scalar", MG_INT_IN | MG_INT_OUT | MG_CSEL },
	{ 0xc5, "FCSEL.scalar", MG_CSEL }, { 0xf0, "FRCP", MG_UNARY },
	{ 0xf2, "FRSQRT", MG_UNARY }, { 0xf4, "FEXP2", MG_UNARY }, { 0xf5, "FLOG2", MG_UNARY },
	{ 0xf6, "FSINPI", MG_UNARY },
};

static const struct {
	u8 code;
	const char *name;
	u8 class;
	u8 bits;
} known_ldst[] = {
	{ 0x10, "LDST_MOV", MG_LS_MOV, 128 }, { 0x40, "AADD.32", MG_LS_ATOMIC, 32 },
	{ 0x41, "AADD.64", MG_LS_ATOMIC, 64 }, { 0x64, "CMPXCHG.32", MG_LS_CMPXCHG, 32 },
	{ 0x88, "LD.32", MG_LS_LOAD, 32 }, { 0x90, "LD.128", MG_LS_LOAD, 128 },
	{ 0x94, "LD_ATTR.f32", MG_LS_ATTR, 0 }, { 0x98, "LD_VARY.f32", MG_LS_VARYING, 0 },
	{ 0xb0, "LD_UBO.128", MG_LS_UBO, 128 }, { 0xb6, "LD_IMAGE.u32", MG_LS_LD_IMAGE, 0 },
	{ 0xc8, "ST.32", MG_LS_STORE, 32 }, { 0xd0, "ST.128", MG_LS_STORE, 128 },
	{ 0xd4, "ST_VARY.f32", MG_LS_ST_VARYING, 0 }, { 0x0e, "CUBEMAP", MG_LS_CUBEMAP, 0 },
	{ 0xba, "LD_TILEBUFFER.raw", MG_LS_LD_TILEBUFFER, 0 },
};

static void test_known(void)
{
	u32 i, nalu = 0, nldst = 0, ntex = 0, bad = 0;

	for (i = 0; i < 256; i++) {
		nalu += !!mg_alu_op(i);
		nldst += !!mg_ldst_op(i);
		ntex += !!mg_tex_op_name(i);
	}
	tap_result(nalu == 134 && nldst == 142 && ntex == 8,
		   "%u arithmetic, %u load/store, %u texture operations", nalu, nldst, ntex);
	for (i = 0; i < ARRAY_SIZE(known); i++) {
		const struct mg_alu_def *def = mg_alu_op(known[i].code);

		bad += !def || strcmp(def->name, known[i].name) || def->flags != known[i].flags;
	}
	for (i = 0; i < ARRAY_SIZE(known_ldst); i++) {
		const struct mg_ldst_def *def = mg_ldst_op(known_ldst[i].code);

		bad += !def || strcmp(def->name, known_ldst[i].name) ||
		       def->class != known_ldst[i].class || def->bits != known_ldst[i].bits;
	}
	tap_result(!bad, "%zu published encodings",
		   ARRAY_SIZE(known) + ARRAY_SIZE(known_ldst));
}

/* ---- every operation ---- */

#define TRIES	40

/* Bundles collected until they fill a program. */
static struct {
	u32 words[4 * MG_BUNDLE_QUADS * 64];
	u32 n;
	u32 total;
	u32 failed;
	u32 raw;
} batch;

static void flush(void)
{
	char msg[400], *text = mg_test_listing(batch.words, batch.n);

	batch.raw += text && (strstr(text, ".bits") || strstr(text, ".ldst") ||
			      strstr(text, ".quad"));
	if (!mg_test_round_trip(batch.words, batch.n, msg, sizeof(msg)) && batch.failed++ < 5)
		tap_comment("%s", msg);
	free(text);
	batch.n = 0;
}

static void add(struct mg_bundle *b)
{
	struct mg_bundle back;
	u32 size;

	b->next = MG_TAG_LDST;
	size = mg_bundle_encode(b, batch.words + batch.n);
	b->quads = (u8)size;
	b->tag = batch.words[batch.n] & 15;
	if (!size || mg_bundle_decode(batch.words + batch.n, size, &back, NULL) ||
	    memcmp(b, &back, sizeof(back)))
		batch.failed++;
	batch.n += 4 * size;
	batch.total++;
	if (batch.n > ARRAY_SIZE(batch.words) - 4 * MG_BUNDLE_QUADS)
		flush();
}

static void finish(const char *what)
{
	flush();
	tap_result(!batch.failed && !batch.raw, "%u bundles with each %s operation in turn",
		   batch.total, what);
	batch.total = 0;
	batch.failed = 0;
	batch.raw = 0;
}

static void alu_op(u32 op, u32 unit)
{
	struct mg_bundle b = { .kind = MG_KIND_ALU, .tag = MG_TAG_ALU };
	u32 i;

	b.has_consts = test_rand() % 2;
	for (i = 0; i < 4 && b.has_consts; i++)
		b.consts[i] = test_rand() % 2 ? test_rand() : test_rand() % 8 * 0x3c003c;
	/* Inputs of the second stage: a condition, a value. */
	if (!(MG_STAGE1 >> unit & 1)) {
		mg_test_add_alu(&b, MG_VMUL, 0x7b);
		b.alu[0].dest = MG_REG_TMP;
		mg_alu_encode(&b.alu[0]);
		mg_test_add_alu(&b, MG_SADD, 0x7b);
		b.alu[1].dest = MG_REG_SPECIAL;
		mg_alu_encode(&b.alu[1]);
		mg_alu_decode(MG_VMUL, b.alu[0].reg_word, b.alu[0].body, &b.alu[0]);
		mg_alu_decode(MG_SADD, b.alu[1].reg_word, b.alu[1].body, &b.alu[1]);
	}
	mg_test_add_alu(&b, unit, (int)op);
	add(&b);
}

static void test_alu(void)
{
	u32 op, unit, i, unseen = 0;

	for (op = 0; op < 256; op++) {
		const struct mg_alu_def *def = mg_alu_op(op);

		unseen += def && !def->units;
		for (unit = 0; unit < MG_NUM_UNITS && def; unit++)
			for (i = 0; i < TRIES && def->units >> unit & 1; i++)
				alu_op(op, unit);
	}
	tap_result(unseen == 1, "no unit is known to have %u of them", unseen);
	finish("arithmetic");
}

static void test_ldst(void)
{
	u32 op, i;

	for (op = 0; op < 256; op++) {
		for (i = 0; i < TRIES && mg_ldst_op(op); i++) {
			struct mg_bundle b = { };

			mg_test_ldst(&b, 0, (int)op);
			mg_test_ldst(&b, 1, (int)op);
			add(&b);
		}
	}
	finish("load/store");
}

static void test_tex(void)
{
	u32 op, i;

	for (op = 0; op < 16; op++) {
		for (i = 0; i < 10 * TRIES && mg_tex_op_name(op); i++) {
			struct mg_bundle b = { };

			mg_test_tex(&b, (int)op);
			add(&b);
		}
	}
	finish("texture");
}

/* ---- operands ---- */

/* Words worked out by hand from the description of the fields. */
static void test_fields(void)
{
	/* vmul.FMUL.f16 r1.xyzw = r2.swapped halves, -|r3|; mask 0x0f. */
	const u64 body = 0x14 | 1ULL << 8 | 0ULL << 10 | 3ULL << 12 | 0xe4ULL << 15 |
			 3ULL << 23 | 0ULL << 25 | 0x1bULL << 28 | 2ULL << 36 | 0x0fULL << 40;
	/* sadd.ADD r31.w = r4.y, number 0x1234; src2 register 2, low 11 bits 0x234. */
	const u64 scalar = 0x40 | (1ULL << 2 | 2ULL << 3) << 8 |
			   (1ULL | 0ULL << 2 | 1ULL << 3 | 0x14ULL << 6) << 14 | 2ULL << 26 |
			   1ULL << 28 | 6ULL << 29;
	struct mg_alu a;
	bool ok;

	mg_alu_decode(MG_VMUL, 2 | 3 << 5 | 1 << 10, body, &a);
	ok = a.mode == MG_MODE_16 && a.nlanes == 8 && a.lanes == 15 && a.dest == 1 &&
	     a.dbits == 16 && a.src[0].elem[0] == 4 && a.src[0].elem[3] == 7 &&
	     a.src[0].elem[4] == 0 && a.src[1].mod == (MG_MOD_ABS | MG_MOD_NEG) &&
	     a.src[1].elem[0] == 3 && a.src[1].elem[3] == 0 && a.src[1].elem[4] == 7;
	tap_result(ok, "fields of a vector operation");
	mg_alu_decode(MG_SADD, (u16)(4 | 2 << 5 | 31 << 10 | 1 << 15), scalar, &a);
	ok = a.dest == 31 && a.delem == 3 && a.dbits == 32 && a.src[0].elem[0] == 1 &&
	     !a.src[0].widen && a.src[1].kind == MG_SRC_IMM && a.src[1].imm == 0x1234;
	if (!ok)
		tap_comment("number 0x%x", a.src[1].imm);
	tap_result(ok, "fields of a scalar operation");
}

static const struct {
	u64 bits;
	u32 width;
	const char *text;
} numbers[] = {
	{ 0, 32, "0" }, { 0x80000000, 32, "-0" }, { 0x3f800000, 32, "1" },
	{ 0x3f333333, 32, "0.7" }, { 0x3e99999a, 32, "0.3" }, { 0x40490fdb, 32, "3.14159" },
	{ 0x7f7fffff, 32, "3.40282e+38" }, { 0x00000001, 32, "1.4013e-45" },
	{ 0x7f800000, 32, "inf" }, { 0xff800000, 32, "-inf" }, { 0x7fc00000, 32, "nan" },
	{ 0x49742400, 32, "1e+06" }, { 0x461c4000, 32, "10000" }, { 0x38d1b717, 32, "0.0001" },
	{ 0x3727c5ac, 32, "1e-05" }, { 0x3c00, 16, "1" }, { 0xbe00, 16, "-1.5" },
	{ 0x7bff, 16, "65504" }, { 0x0001, 16, "5.96046e-08" },
	{ 0x7fefffffffffffffULL, 64, "1.79769e+308" }, { 1, 64, "4.94066e-324" },
	{ 0x3ff0000000000000ULL, 64, "1" }, { 0xc12e848000000000ULL, 64, "-1e+06" },
	/* A tie goes to the even digit. */
	{ 0x412e847f00000000ULL, 64, "1e+06" }, { 0x40f86a0800000000ULL, 64, "100000" },
};

static void test_numbers(void)
{
	u32 i, bad = 0;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		char text[40];
		struct vs_text t = { text, sizeof(text), 0 };

		mg_put_float(&t, numbers[i].bits, numbers[i].width);
		if (!strcmp(text, numbers[i].text))
			continue;
		tap_comment("0x%llx is %s, not %s", (unsigned long long)numbers[i].bits, text,
			    numbers[i].text);
		bad++;
	}
	tap_result(!bad, "%zu floating-point numbers as text", ARRAY_SIZE(numbers));
	for (i = 0, bad = 0; i < 2 * 65536; i++) {
		struct mg_alu a = { .op = i & 1 ? 0x10 : 0x40 };
		char text[40];
		struct vs_text t = { text, sizeof(text), 0 };
		u32 imm;

		mg_put_imm(&t, &a, i / 2);
		bad += !mg_infer_imm(&a, text + 1, &imm) || imm != i / 2;
	}
	tap_result(!bad, "numbers in operations are found again by their text");
}

int main(void)
{
	test_known();
	test_fields();
	test_numbers();
	test_alu();
	test_ldst();
	test_tex();
	return tap_done();
}
