// SPDX-License-Identifier: GPL-2.0
/*
 * Random Midgard compute programs: the engine against the reference model, on every executor.
 * Fully defined programs must leave the same memory. The table unit's functions are not
 * exact, and are compared separately.
 */
#include <math.h>

#include "../include/tap.h"
#include "../midgard/mgen.h"
#include "../ref/midgard_ref.h"
#include "isa/midgard/midgard_lower.h"
#include "mgjob.h"

static const struct {
	const char *name;
	unsigned int flags;
	unsigned int fp_mode;
} classes[] = {
	{ "integers of 32 bits", 0 },
	{ "integers of all widths", MGEN_WIDTHS },
	{ "floats of 32 bits", MGEN_FLOATS },
	{ "everything of all widths", MGEN_WIDTHS | MGEN_FLOATS },
	{ "floats without infinities and NaN", MGEN_WIDTHS | MGEN_FLOATS, MG_FP_GL_NO_INF_NAN },
	{ "floats of 64 bits", MGEN_WIDTHS | MGEN_FLOATS | MGEN_DOUBLES },
	{ "floats of 64 bits without infinities and NaN",
	  MGEN_WIDTHS | MGEN_FLOATS | MGEN_DOUBLES, MG_FP_GL_NO_INF_NAN },
	{ "floats of OpenCL", MGEN_WIDTHS | MGEN_FLOATS, MG_FP_CL },
	{ "floats of Direct3D", MGEN_FLOATS, MG_FP_D3D11 },
	{ "floats of all widths of Direct3D", MGEN_WIDTHS | MGEN_FLOATS, MG_FP_D3D11 },
	{ "flow", MGEN_FLOW },
	{ "memory", MGEN_MEMORY },
	{ "memory of the group", MGEN_SHARED },
	{ "all of it", MGEN_WIDTHS | MGEN_FLOATS | MGEN_FLOW | MGEN_MEMORY | MGEN_SHARED },
};

/**
 * struct outcome - results of the programs of a class
 * @same:	programs whose memory equals the model's
 * @differ:	programs whose memory differs
 * @unsupported: programs with operations that the engine rejects
 * @faults:	programs with other faults
 * @text:	source of the first failing program
 */
struct outcome {
	u32 same;
	u32 differ;
	u32 unsupported;
	u32 faults;
	char text[160];
};

static void compare(struct mjob *want, struct mjob *got, u32 seed, struct outcome *o)
{
	u32 i, a, b;

	for (i = 0; i < MJ_DATA_SIZE; i += 4) {
		a = mj_r32(want, MJ_DATA + i);
		b = mj_r32(got, MJ_DATA + i);
		if (a == b)
			continue;
		if (!o->differ++)
			snprintf(o->text, sizeof(o->text), "seed %u: %08x for %08x at %x", seed, b,
				 a, i);
		return;
	}
	o->same++;
}

static void one(u32 seed, u32 k, enum vs_simd simd, struct outcome *o)
{
	struct mjob want, got;
	struct vs_fault fault;
	struct mcode c, d;
	u64 va;

	mj_new(&want);
	mj_new(&got);
	mgen_job(&want, &c, seed, classes[k].flags);
	mgen_job(&got, &d, seed, classes[k].flags);
	want.fp_mode = classes[k].fp_mode;
	got.fp_mode = classes[k].fp_mode;
	if (!mj_run(&want, &c)) {
		if (!o->faults++)
			snprintf(o->text, sizeof(o->text), "seed %u: model: %.100s", seed,
				 want.g.error);
		goto out;
	}
	va = mj_write(&got, &d);
	mg_execute(&got, va, simd, &fault);
	if (fault.kind == VS_FAULT_ENCODING && fault.code == MG_UNSUPPORTED) {
		if (!o->unsupported++ && getenv("MGDIFF_VERBOSE"))
			tap_comment("seed %u: unsupported %x at %u", seed, fault.info, fault.pc);
	} else if (fault.kind) {
		if (!o->faults++)
			snprintf(o->text, sizeof(o->text), "seed %u: fault %u %x pc %u at %llx",
				 seed, fault.kind, fault.code, fault.pc,
				 (unsigned long long)fault.address);
	} else {
		compare(&want, &got, seed, o);
	}
out:
	mj_free(&want);
	mj_free(&got);
}

static void class(u32 k, u32 programs, enum vs_simd simd)
{
	struct outcome o = {};
	u32 i;

	for (i = 1; i <= programs; i++)
		one(i + 1000 * k, k, simd, &o);
	tap_result(!o.differ && !o.faults && !o.unsupported && o.same == programs,
		   "%s, %s: %u the same, %u differ, %u unsupported, %u faults %s",
		   classes[k].name, vs_simd_name(simd), o.same, o.differ, o.unsupported, o.faults,
		   o.text);
}

/* Number of floats between two numbers; NaN is maximally far from others. */
static u32 distance(u32 a, u32 b)
{
	s64 x = a >> 31 ? -(s64)(a & 0x7fffffff) : a, y = b >> 31 ? -(s64)(b & 0x7fffffff) : b;
	bool na = (a & 0x7fffffff) > 0x7f800000, nb = (b & 0x7fffffff) > 0x7f800000;

	if (na || nb)
		return na == nb ? 0 : ~0U;
	return (u32)(x < y ? y - x : x - y);
}

/* r1 = op(u1, u2), stored; @got: on the engine. */
static void function(struct mjob *j, u32 op, const u32 *in, bool on_engine, u32 *out)
{
	struct mc_alu a = {};
	struct vs_fault fault;
	struct mcode c;
	u32 i;

	mj_new(j);
	for (i = 0; i < 4; i++) {
		mj_push(j, 1, i, in[i]);
		mj_push(j, 2, i, in[4 + i]);
	}
	mc_start(&c);
	mc_unit(&a, MC_VLUT, mc_regs(22, 21, 1),
		mc_vec(op, 2, mc_vsrc(0, 0, MC_XYZW), mc_vsrc(0, 0, MC_XYZW), 2, 0, 0xff));
	mc_alu(&c, &a);
	mc_store(&c, 1, 0, 0);
	if (on_engine) {
		mg_execute(j, mj_write(j, &c), vs_simd_best(), &fault);
		if (fault.kind)
			tap_comment("%02x: fault %u %x", op, fault.kind, fault.code);
	} else {
		mj_run(j, &c);
	}
	for (i = 0; i < 4; i++)
		out[i] = mj_r32(j, MJ_DATA + 4 * i);
	mj_free(j);
}

static void functions(u32 rounds)
{
	static const u8 ops[] = { 0xe8, 0xf0, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf9 };
	static const u32 special[] = { 0, 1U << 31, 0x3f800000, 0xbf800000, 0x7f800000,
				       0xff800000, 0x3fc90fdb, 0x40490fdb, 0xc0490fdb };
	u32 k, i, n, in[8], want[4], got[4], worst, far;
	struct mjob j;

	for (k = 0; k < ARRAY_SIZE(ops); k++) {
		srand(ops[k]);
		for (worst = 0, n = 0; n < rounds; n++) {
			for (i = 0; i < 8; i++) {
				in[i] = (u32)(rand() & 1) << 31 | (117 + rand() % 18) << 23 |
					(rand() & 0x7fffff);
				if (!(rand() & 7))
					in[i] = special[rand() % ARRAY_SIZE(special)];
			}
			/* the second step gets the first step's results */
			for (i = 0; i < 4 && ops[k] == 0xe8; i++)
				in[i] = special[rand() % 3 ? 6 + rand() % 3 : 0];
			function(&j, ops[k], in, false, want);
			function(&j, ops[k], in, true, got);
			for (i = 0; i < 4; i++) {
				far = distance(want[i], got[i]);
				/* near a zero of the sum, the parts' errors count */
				if (far > 4 && ops[k] == 0xe8 &&
				    distance(want[i] & 0x7fffffff, 0) < 0x3f000000)
					far = 0;
				if (far > 4 && far > worst)
					tap_comment("%02x(%08x, %08x) = %08x, not %08x", ops[k],
						    in[i], in[4 + i], got[i], want[i]);
				worst = far > worst ? far : worst;
			}
		}
		tap_result(worst <= 4, "function %02x: within %u ulp of the model", ops[k], worst);
	}
}

/* r1: u1, then a load from memory or uniform buffer 0, with a mask; stored. */
static void narrow_load(struct mjob *j, struct mcode *c, u32 op, u32 mask)
{
	struct mc_alu a = {};
	u32 i;

	mj_new(j);
	for (i = 0; i < 4; i++) {
		mj_push(j, 1, i, 0x01010101 * (i + 1));
		mj_w32(j, MJ_DATA + 0x40 + 4 * i, 0x8badf00d + i);
	}
	mc_start(c);
	mc_move(&a, MC_VMUL, 22, 1);
	mc_move(&a, MC_VLUT, 23, MC_AL1);
	mc_alu(c, &a);
	mc_ldst(c, MC_LS(.op = op, .reg = 1, .mask = mask, .swizzle = MC_XYZW, .arg_reg = 1,
			 .toggle = true, .index_format = 2, .index_reg = 7, .offset = 0x41),
		MC_NOP_LS);
	mc_store(c, 1, 0, 0);
}

/* Loads of bytes, halves and words to some components; the others stay. */
static void narrow_loads(enum vs_simd simd)
{
	static const u8 ops[] = { 0x80, 0x81, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a };
	u32 i, k, mask, bad = 0;
	struct mjob want, got;
	struct vs_fault fault;
	struct mcode c, d;

	for (k = 0; k < ARRAY_SIZE(ops); k++) {
		for (mask = 1; mask < 16; mask++) {
			narrow_load(&want, &c, ops[k], mask);
			narrow_load(&got, &d, ops[k], mask);
			bad += !mj_run(&want, &c);
			mg_execute(&got, mj_write(&got, &d), simd, &fault);
			bad += fault.kind != 0;
			for (i = 0; i < 16; i += 4)
				bad += mj_r32(&want, MJ_DATA + i) != mj_r32(&got, MJ_DATA + i);
			mj_free(&want);
			mj_free(&got);
		}
	}
	tap_result(!bad, "%s: loads of up to a word with any mask", vs_simd_name(simd));
}

/* u1 op u1, stored, in a mode. Return: the fault. */
static struct vs_fault in_mode(u32 mode, u32 op, enum vs_simd simd, const u32 *in, u32 *out)
{
	const u32 src = mc_vsrc(0, 0, MC_XYZW);
	struct mc_alu a = {};
	struct vs_fault fault;
	struct mcode c;
	struct mjob j;
	u32 i;

	mj_new(&j);
	j.fp_mode = mode;
	for (i = 0; i < 4; i++)
		mj_push(&j, 1, i, in[i]);
	mc_start(&c);
	mc_unit(&a, MC_VADD, mc_regs(22, 22, 1), mc_vec(op, 2, src, src, 2, 0, 0xff));
	mc_alu(&c, &a);
	mc_store(&c, 1, 0, 0);
	mg_execute(&j, mj_write(&j, &c), simd, &fault);
	for (i = 0; i < 4; i++)
		out[i] = mj_r32(&j, MJ_DATA + 4 * i);
	mj_free(&j);
	return fault;
}

/* Sums and moves of an infinity, NaN, overflows, a subnormal number. */
static void float_modes(enum vs_simd simd)
{
	static const u32 in[4] = { 0xff800000, 0x7fc00001, 0x7f000001, 0x00000003 };
	static const u32 sums[MG_NUM_FP_MODES][4] = {
		[MG_FP_GL] = { 0xff800000, 0x7fc00000, 0x7f800000, 0x00000006 },
		[MG_FP_GL_NO_INF_NAN] = { 0xff7fffff, 0, 0x7f7fffff, 0x00000006 },
		[MG_FP_CL] = { 0xff800000, 0x7fc00000, 0x7f800000, 0x00000006 },
		[MG_FP_D3D11] = { 0xff800000, 0x7fc00000, 0x7f800000, 0 },
	};
	u32 mode, out[4], bad = 0;
	struct vs_fault f;

	for (mode = 0; mode < 8; mode++) {
		f = in_mode(mode, 0x10, simd, in, out);
		if (mode >= MG_NUM_FP_MODES) {
			bad += f.kind != VS_FAULT_ENCODING || f.code != MG_BAD_FP_MODE;
			continue;
		}
		bad += f.kind || memcmp(out, sums[mode], sizeof(out));
		f = in_mode(mode, 0x30, simd, in, out);
		bad += f.kind || memcmp(out, in, sizeof(out));
	}
	tap_result(!bad, "modes of floats, %s: infinities, NaN, subnormal numbers",
		   vs_simd_name(simd));
}

/* r2 = load/store operation on u1, stored. */
static void between_registers(const struct mc_ls *op, const u32 *in, bool on_engine, u32 *out)
{
	struct mc_ls second = *op;
	struct mc_alu a = {};
	struct vs_fault fault;
	struct mcode c;
	struct mjob j;
	u32 i;

	mj_new(&j);
	for (i = 0; i < 4; i++)
		mj_push(&j, 1, i, in[i]);
	mc_start(&c);
	mc_move(&a, MC_VMUL, 22, MC_AL0);
	mc_alu(&c, &a);
	/* twice, as that takes the most intermediate values */
	second.reg = 2;
	mc_ldst(&c, *op, second);
	mc_store(&c, 2, 0, 0);
	if (on_engine) {
		mg_execute(&j, mj_write(&j, &c), vs_simd_best(), &fault);
		if (fault.kind)
			tap_comment("%02x: fault %u %x", op->op, fault.kind, fault.code);
	} else if (!mj_run(&j, &c)) {
		tap_comment("%02x: %s", op->op, j.g.error);
	}
	for (i = 0; i < 4; i++)
		out[i] = mj_r32(&j, MJ_DATA + 4 * i);
	mj_free(&j);
}

#define LS_CUBE_COORDS	0x0e

/*
 * Two numbers from 0 to 1 with the face above them: small ones are differences of larger ones,
 * so their last place is not significant. Distance in units of 2^-24.
 */
static u32 cube_distance(u32 a, u32 b)
{
	u32 x = a & 0x3fffffff, y = b & 0x3fffffff;
	float fx, fy;

	if ((a ^ b) >> 30)
		return ~0U;
	memcpy(&fx, &x, 4);
	memcpy(&fy, &y, 4);
	/* also false of no number */
	return fabsf(fx - fy) <= 1 ? (u32)ceilf(fabsf(fx - fy) * 0x1p24f) : ~0U;
}

static void conversions(u32 rounds)
{
	/* codes of formats: RGBA8, RG16 signed, RGBA16 float */
	static const u8 formats[] = { 187, 0x6c, 0xdf };
	static const u8 ops[] = { 0x04, 0x05, 0x06, 0x08, 0x09, LS_CUBE_COORDS, 0x11, 0x12,
				  0x13 };
	u32 k, i, n, far, worst, some, in[4], want[4], got[4], format;

	for (k = 0; k < ARRAY_SIZE(ops); k++) {
		struct mc_ls op = { .op = ops[k], .reg = 1, .mask = 15, .swizzle = MC_XYZW,
				    .toggle = ops[k] >= 0x0e };

		srand(ops[k]);
		for (worst = 0, some = 0, n = 0; n < rounds; n++) {
			for (i = 0; i < 4; i++)
				in[i] = (u32)(rand() & 1) << 31 | (120 + rand() % 10) << 23 |
					(rand() & 0x7fffff);
			format = (u32)formats[n % ARRAY_SIZE(formats)] << 12 | 0x688;
			if (ops[k] < 0x0e) {
				op.shift = format & 15;
				op.offset = (int)(format << 10) >> 14;
			}
			between_registers(&op, in, false, want);
			between_registers(&op, in, true, got);
			for (i = 0; i < 4; i++) {
				far = ops[k] == LS_CUBE_COORDS && i < 2 ?
					cube_distance(want[i], got[i]) : distance(want[i], got[i]);
				if (far > 4)
					tap_comment("%02x, format %05x: %08x, not %08x", ops[k],
						    format, got[i], want[i]);
				worst = far > worst ? far : worst;
				some |= want[i];
			}
		}
		tap_result(worst <= 4 && some, "conversion %02x: within %u of the model", ops[k],
			   worst);
	}
}

/* Some bits of a program are others: it is rejected, faults or ends. */
static void changed(u32 programs)
{
	u32 seed, i, r, well = 0, rejected = 0, faults = 0, busy = 0;
	struct vs_fault fault;
	struct mcode c;
	struct mjob j;
	u64 va;

	srand(760);
	for (seed = 1; seed <= programs; seed++) {
		mj_new(&j);
		mgen_job(&j, &c, seed, ~0U & ~MGEN_FUNCTIONS);
		for (i = 1 + seed % 4; i; i--) {
			r = (u32)rand();
			c.w[r % c.n] ^= 1U << (r >> 20 & 31);
		}
		va = mj_write(&j, &c);
		mg_execute(&j, va, vs_simd_best(), &fault);
		well += !fault.kind;
		rejected += fault.kind == VS_FAULT_ENCODING;
		busy += fault.kind == VS_FAULT_BUDGET;
		faults += fault.kind && fault.kind != VS_FAULT_ENCODING;
		mj_free(&j);
	}
	tap_result(well && rejected,
		   "others' bits: %u end, %u rejected, %u other faults, %u of them for time",
		   well, rejected, faults, busy);
}

int main(void)
{
	const char *n = getenv("MIDGARD_PROGRAMS");
	u32 programs = n ? (u32)atoi(n) : 100, k, simd;

	tap_start();
	for (k = 0; k < ARRAY_SIZE(classes); k++)
		for (simd = 0; simd < VS_NUM_SIMD; simd++)
			if (vs_simd_mask() >> simd & 1)
				class(k, programs, simd);
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() >> simd & 1))
			continue;
		narrow_loads(simd);
		float_modes(simd);
	}
	functions(2 * programs);
	conversions(programs);
	changed(4 * programs);
	return tap_done();
}
