// SPDX-License-Identifier: GPL-2.0
/*
 * Geometry output: primitives and their flags, banks of outputs, serial and parallel
 * launches, the boolean of the first invocation, faults.
 */
#include "gen.h"

#define NINV	150
#define PRIMS	3

static u32 in[NINV][4][4], out[NINV][ENG_NOUT][4], unif[ENG_UNIF];
static u32 prims[NINV][PRIMS][3][2][4], info[NINV][1 + PRIMS];
static u32 first_prims[NINV][PRIMS][3][2][4];

static void put(struct vs_builder *b, u32 g, u32 slot, u32 src, u32 latch)
{
	eng_emit(b, g, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(slot), .a = SEQ(src)));
	eng_emit(b, g + 1, UOP(.op = VS_OP_SETEMIT, .imm = latch));
	eng_emit(b, g + 2, UOP(.op = VS_OP_EMIT));
}

/* Two triangles (v0, v1, v2) and (v3, v1, v2 inverted); o1 only before the first EMIT. */
static struct vs_prog *two_triangles(void)
{
	struct vs_builder *b = eng_builder(32);

	eng_emit(b, 0, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT + 4), .a = SEQ(12)));
	put(b, 1, ENG_OUT, 0, 0);
	put(b, 4, ENG_OUT, 4, 1);
	put(b, 7, ENG_OUT, 8, 2 | 4);
	put(b, 10, ENG_OUT, 12, 0 | 4 | 8);
	eng_emit(b, 13, UOP(.op = VS_OP_END));
	return eng_finish(b);
}

static struct eng_run setup(const struct vs_prog *p, enum vs_simd s, u32 flags)
{
	struct eng_run r = { .prog = p, .simd = s, .count = NINV, .nin = 4, .in = in[0],
			     .out = out[0], .unif = unif, .flags = VS_LAUNCH_EMIT | flags,
			     .prims = prims, .prims_size = sizeof(prims), .info = info,
			     .info_size = sizeof(info),
			     .emit = { .mask = 3, .max_prims = PRIMS, .bool_after = ~0U } };

	memset(prims, 0xee, sizeof(prims));
	memset(info, 0xee, sizeof(info));
	return r;
}

static u32 check_triangles(void)
{
	static const u32 tri[2][3] = { { 0, 1, 2 }, { 3, 1, 2 } };
	u32 i, k, v, c, bad = 0;

	for (i = 0; i < NINV; i++) {
		bad += info[i][0] != 2 || info[i][1] != 0 || info[i][2] != 1;
		for (k = 0; k < 2; k++) {
			for (v = 0; v < 3; v++) {
				for (c = 0; c < 4; c++)
					bad += prims[i][k][v][0][c] != in[i][tri[k][v]][c];
			}
		}
		/* Banks take turns: o1 shows again at the third emit only. */
		for (c = 0; c < 4; c++) {
			bad += prims[i][0][0][1][c] != in[i][3][c];
			bad += prims[i][0][2][1][c] != in[i][3][c];
			bad += prims[i][0][1][1][c] != 0;
			bad += prims[i][1][0][1][c] != 0;
		}
		bad += prims[i][2][0][0][0] != 0xeeeeeeee;
	}
	return bad;
}

static void test_triangles(void)
{
	struct vs_prog *p = two_triangles();
	u32 s, fp, bad = 0;

	for (fp = 0; fp < VS_NUM_FP; fp++) {
		EACH_SIMD(s) {
			struct eng_run r = setup(p, s, 0);

			r.fp = fp;
			eng_run(&r);
			bad += r.fault.kind != VS_FAULT_NONE;
			bad += check_triangles();
		}
	}
	tap_result(!bad, "two triangles and banks, %u wrong", bad);
	vs_prog_free(p);
}

/* 0 * inf in one lane restarts the block: no vertex may be emitted twice or wrong. */
static void test_rerun(void)
{
	struct vs_builder *b = eng_builder(32);
	struct vs_prog *p;
	u32 s, i, bad = 0;

	for (i = 0; i < 3; i++) {
		eng_emit(b, 4 * i, UOP(.op = VS_OP_MUL, .ncomp = 4, .d = SEQ(ENG_OUT),
				       .a = SEQ(4 * i), .b = SEQ(12)));
		eng_emit(b, 4 * i, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT + 4),
				       .a = SEQ(0)));
		eng_emit(b, 4 * i + 1, UOP(.op = VS_OP_SETEMIT, .imm = i | (i == 2 ? 4 : 0)));
		eng_emit(b, 4 * i + 2, UOP(.op = VS_OP_EMIT));
	}
	p = eng_finish(b);
	memset(in[70], 0, sizeof(in[70]));
	in[70][2][1] = 0x7f800000;
	EACH_SIMD(s) {
		struct eng_run r = setup(p, s, 0);

		eng_run(&r);
		bad += r.fault.kind != VS_FAULT_NONE;
		for (i = 0; i < NINV; i++)
			bad += info[i][0] != 1;
		bad += prims[70][0][2][0][1] != 0;
		if (s == VS_SIMD_PORTABLE)
			memcpy(first_prims, prims, sizeof(prims));
		bad += memcmp(first_prims, prims, sizeof(prims)) != 0;
	}
	tap_result(!bad, "emitting blocks that run again, %u wrong", bad);
	vs_prog_free(p);
}

/* Emits v0 once per invocation into slot 0, with the primitive flag: others persist. */
static void test_serial(void)
{
	struct vs_builder *b = eng_builder(32);
	u32 one = vs_builder_const(b, 0x3f800000), s, i, bad = 0;
	struct vs_prog *p;

	/* t0.x counts invocations; o0 = v0 with x = count; slot rotates with two programs */
	eng_emit(b, 0, UOP(.op = VS_OP_ADD, .ncomp = 1, .flags = VS_UOP_B_UNIF,
			   .d = { ENG_TEMP }, .a = { ENG_TEMP }, .b = { one }));
	eng_emit(b, 1, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT),
			   .a = { ENG_TEMP, 1, 2, 3 }));
	eng_emit(b, 2, UOP(.op = VS_OP_BR, .f.cond = VS_COND_BOOL, .f.num = 15, .f.target = 5,
			   .f.resume = 3));
	eng_emit(b, 3, UOP(.op = VS_OP_SETEMIT, .imm = 1));
	eng_emit(b, 4, UOP(.op = VS_OP_EMIT));
	eng_emit(b, 4, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT),
			   .a = { ENG_TEMP, 1, 2, 3 }));
	eng_emit(b, 5, UOP(.op = VS_OP_SETEMIT, .imm = 4));
	eng_emit(b, 6, UOP(.op = VS_OP_EMIT));
	eng_emit(b, 7, UOP(.op = VS_OP_END));
	p = eng_finish(b);
	bad += !p->carries;
	EACH_SIMD(s) {
		struct eng_run r = setup(p, s, VS_LAUNCH_SERIAL);

		r.emit.bool_after = 15;
		r.slice = 7;
		eng_run(&r);
		bad += r.fault.kind != VS_FAULT_NONE;
		for (i = 0; i < NINV; i++) {
			bad += info[i][0] != 1;
			bad += prims[i][0][0][0][0] != eng_bits(i + 1);
			bad += prims[i][0][0][0][1] != in[i][0][1];
			/* Slot 1 keeps the first invocation's vertex. */
			bad += prims[i][0][1][0][0] != eng_bits(1);
			bad += prims[i][0][1][0][1] != in[0][0][1];
			bad += prims[i][0][2][0][1] != 0;
		}
	}
	tap_result(!bad, "serial launch: registers, slots, boolean after the first, %u wrong", bad);
	vs_prog_free(p);
}

/* The boolean in a parallel launch. */
static void test_bool_after(void)
{
	struct vs_builder *b = eng_builder(32);
	u32 one = vs_builder_const(b, 0x3f800000), s, i, bad = 0;
	struct vs_prog *p;

	eng_emit(b, 0, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT), .a = SEQ(0)));
	eng_emit(b, 1, UOP(.op = VS_OP_BR, .f.cond = VS_COND_BOOL, .f.num = 15, .f.lut = 1,
			   .f.target = 3, .f.resume = 2));
	eng_emit(b, 2, UOP(.op = VS_OP_MOV, .flags = VS_UOP_A_UNIF, .d = { ENG_OUT },
			   .a = { one }));
	eng_emit(b, 3, UOP(.op = VS_OP_END));
	p = eng_finish(b);
	EACH_SIMD(s) {
		struct eng_run r = setup(p, s, VS_LAUNCH_SERIAL);

		r.emit.bool_after = 15;
		eng_run(&r);
		for (i = 0; i < NINV; i++)
			bad += out[i][0][0] != (i ? 0x3f800000 : in[i][0][0]);
	}
	tap_result(!bad && !p->carries, "boolean after the first invocation, in parallel");
	vs_prog_free(p);
}

static void test_faults(void)
{
	struct vs_prog *p = two_triangles();
	u32 s, bad = 0;

	EACH_SIMD(s) {
		struct eng_run r = setup(p, s, 0);

		r.emit.max_prims = 1;
		eng_run(&r);
		bad += r.fault.kind != VS_FAULT_OVERFLOW || r.fault.invocation != 0 ||
		       r.fault.pc != 12;
		r = setup(p, s, 0);
		r.prims_size = sizeof(prims[0]) * 100 + 40;
		eng_run(&r);
		bad += r.fault.kind != VS_FAULT_WRITE || r.fault.invocation != 100 ||
		       r.fault.address != ENG_PRIMS_VA + sizeof(prims[0]) * 100 + 40 ||
		       r.fault.pc != 9;
		r = setup(p, s, 0);
		r.info_size = 16 * 30;
		eng_run(&r);
		/* Flags are written as primitives are emitted, the count at the end. */
		bad += r.fault.kind != VS_FAULT_WRITE || r.fault.invocation != 30 ||
		       r.fault.address != ENG_INFO_VA + 16 * 30 + 4;
	}
	tap_result(!bad, "too many primitives, no room for them, %u wrong", bad);
	vs_prog_free(p);
}

/* Three words that end with a call: of vertex @i if @regular, otherwise perhaps of any. */
static void put_call(struct vs_builder *b, struct eng_rand *r, u32 g, u32 callee,
		     bool regular, u32 i)
{
	static const enum vs_cond conds[] = { VS_COND_ALWAYS, VS_COND_ALWAYS, VS_COND_ALWAYS,
					      VS_COND_PREDS };
	u32 latch = eng_below(r, 3) | (eng_below(r, 3) ? 0 : 4) | (eng_below(r, 2) ? 8 : 0);
	enum vs_cond cond = conds[regular ? 0 : eng_below(r, ARRAY_SIZE(conds))];

	if (regular)
		latch = i % 3 | (i >= 2 ? 4 : 0);
	eng_emit(b, g, UOP(.op = VS_OP_NOP));
	if (regular || eng_below(r, 2))
		eng_emit(b, g, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_TEMP),
				   .a = SEQ(4 * eng_below(r, 4))));
	if (regular || eng_below(r, 6))
		eng_emit(b, g + 1, UOP(.op = VS_OP_SETEMIT, .imm = latch));
	eng_emit(b, g + 2, UOP(.op = VS_OP_CALL, .f.cond = cond,
			       .f.lut = cond == VS_COND_PREDS ? 10 : 0, .f.target = callee,
			       .f.resume = g + 3, .f.end = callee + 4));
}

/* Procedure of four words: o0 from an input or the temporary, perhaps o1 or a call, EMIT. */
static void put_procedure(struct vs_builder *b, struct eng_rand *r, u32 g, u32 callee)
{
	u32 src = eng_below(r, 2) ? 4 * eng_below(r, 4) : ENG_TEMP;

	eng_emit(b, g, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT), .a = SEQ(src)));
	if (callee && eng_below(r, 2))
		put_call(b, r, g, callee, false, 0);
	else if (!eng_below(r, 3))
		eng_emit(b, g + 1, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT + 4),
				       .a = SEQ(4 * eng_below(r, 4))));
	eng_emit(b, g + 3, UOP(.op = VS_OP_EMIT));
	eng_emit(b, g + 3, UOP(.op = VS_OP_RINGS, .flags = VS_UOP_RINGS, .f.next = g + 4,
			       .f.resume = g + 4));
}

/* One to five calls; the second procedure may call the first one. */
static struct vs_prog *random_calls(struct eng_rand *r)
{
	struct vs_builder *b = eng_builder(33);
	bool regular = eng_below(r, 2);
	u32 i, n = 1 + eng_below(r, 5);

	eng_emit(b, 0, UOP(.op = VS_OP_CMP, .ncomp = 1, .imm = 2, .d = { 0 },
			   .a = { eng_below(r, 16) }, .b = { eng_below(r, 16) }));
	for (i = 0; i < n; i++)
		put_call(b, r, 1 + 3 * i, 24 + 4 * eng_below(r, 2), regular, i);
	eng_emit(b, 1 + 3 * n, UOP(.op = VS_OP_END));
	put_procedure(b, r, 24, 0);
	put_procedure(b, r, 28, 24);
	eng_emit(b, 32, UOP(.op = VS_OP_END));
	return eng_finish(b);
}

static u32 first_info[NINV][1 + PRIMS];

/* Procedures that emit: in parallel if nothing is carried, with the outputs of a serial launch. */
static void test_calls(struct eng_rand *r)
{
	u32 n, s, bad = 0, parallel = 0, serial = 0;

	for (n = 0; n < 500; n++) {
		struct vs_prog *p = random_calls(r);
		bool carries = p->carries;
		struct eng_run ref = setup(p, VS_SIMD_PORTABLE, VS_LAUNCH_SERIAL);

		p->carries = true;
		eng_run(&ref);
		p->carries = carries;
		memcpy(first_prims, prims, sizeof(prims));
		memcpy(first_info, info, sizeof(info));
		EACH_SIMD(s) {
			struct eng_run run = setup(p, s, VS_LAUNCH_SERIAL);

			eng_run(&run);
			bad += run.fault.kind != ref.fault.kind ||
			       run.fault.invocation != ref.fault.invocation;
			/* Stores after a fault are undefined. */
			if (ref.fault.kind != VS_FAULT_NONE)
				continue;
			bad += memcmp(first_prims, prims, sizeof(prims)) ||
			       memcmp(first_info, info, sizeof(info));
			parallel += !carries && info[0][0];
			serial += carries && info[0][0];
		}
		vs_prog_free(p);
	}
	tap_result(!bad && parallel > 100 && serial > 100,
		   "procedures that emit: %u runs in parallel, %u in series, %u wrong", parallel,
		   serial, bad);
}

int main(int argc, char **argv)
{
	struct eng_opts opt;
	struct eng_rand r;
	u32 i;

	eng_options(argc, argv, &opt);
	eng_srand(&r, opt.seed);
	for (i = 0; i < sizeof(in) / 4; i++)
		((u32 *)in)[i] = eng_mild(&r) & 0xffffff80;
	test_triangles();
	test_serial();
	test_bool_after();
	test_faults();
	test_rerun();
	test_calls(&r);
	return tap_done();
}
