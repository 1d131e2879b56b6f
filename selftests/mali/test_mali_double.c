// SPDX-License-Identifier: GPL-2.0
/*
 * Floats of 64 bits: the engine's integer arithmetic against the host's, and Midgard operations
 * whose results are known on every executor.
 */
#include <string.h>

#include "../include/tap.h"
#include "../ref/midgard_ref.h"
#include "../ref/midgard_ref_num.h"
#include "engine/softfloat.h"
#include "isa/midgard/midgard_lower.h"
#include "mgjob.h"

#define ROUNDS	100000
#define NAN64	0x7ff8000000000000ULL
#define INF	0x7ff0000000000000ULL
#define MOST	0x7fefffffffffffffULL
#define SIGN	(1ULL << 63)
#define D(x)	bits_of(x)

static u64 bits_of(double d)
{
	u64 v;

	memcpy(&v, &d, 8);
	return v;
}

/* ---- integer arithmetic ---- */

static const enum sf_round modes[4] = { SF_RTE, SF_RTZ, SF_RTN, SF_RTP };
static const enum mrf_round hosts[4] = { MRF_RTE, MRF_RTZ, MRF_RTN, MRF_RTP };

static u64 random64(void)
{
	return (u64)rand() << 62 ^ (u64)rand() << 31 ^ (u64)rand();
}

/* Numbers of all kinds; many near one, and near where results become subnormal or infinite. */
static u64 number(void)
{
	static const u64 special[] = { 0, 1, 2, MOST, INF, NAN64, 1ULL << 52, (1ULL << 52) - 1,
				       0x3ff0000000000000ULL, 0x43e0000000000000ULL,
				       0x7ff0000000000001ULL, 0x41dfffffffc00000ULL };
	u64 sign = (u64)(rand() & 1) << 63, m = random64() & ((1ULL << 52) - 1), few;

	few = rand() & 1 ? m : m & (~0ULL << (rand() % 53)) & ((1ULL << 52) - 1);
	switch (rand() % 8) {
	case 0:
		return sign | special[rand() % ARRAY_SIZE(special)];
	case 1:
		return sign | few;
	case 2:
		return sign | (u64)(480 + rand() % 64) << 52 | few;
	case 3:
		return sign | (u64)(1500 + rand() % 64) << 52 | few;
	case 4:
		return random64();
	default:
		return sign | (u64)(1023 - 30 + rand() % 100) << 52 | few;
	}
}

static u64 canonical(u64 v)
{
	return (v & ~SIGN) > INF ? NAN64 : v;
}

static void sums(void)
{
	u32 n, k, bad = 0;
	u64 a, b, c;

	srand(64);
	for (n = 0; n < ROUNDS; n++) {
		a = number();
		b = number();
		/* near the negative product, so that almost all of it cancels */
		c = rand() % 4 ? number() :
			(mgr_fmul(a, b, 64, MRF_RTE) ^ SIGN) + (u64)(rand() % 5 - 2);
		for (k = 0; k < 4; k++)
			if (canonical(sd_fma(a, b, c, modes[k])) !=
			    mgr_fma(a, b, c, 64, hosts[k]) && !bad++)
				tap_comment("%016llx * %016llx + %016llx, mode %u",
					    (unsigned long long)a, (unsigned long long)b,
					    (unsigned long long)c, k);
	}
	tap_result(!bad, "fused sums in all directions: %u of %u differ", bad, 4 * ROUNDS);
}

static void conversions(void)
{
	u32 n, k, bad[5] = {};
	u64 a, b;

	srand(65);
	for (n = 0; n < ROUNDS; n++) {
		a = number();
		b = rand() & 1 ? number() : a ^ (rand() & 1 ? SIGN : 1);
		for (k = 0; k < 4; k++) {
			bad[0] += canonical(sd_rint(a, modes[k])) != mgr_fround(a, 64, hosts[k]);
			bad[1] += sd_to_int64(a, false, modes[k]) !=
				  mgr_to_int(a, 64, true, hosts[k]);
			bad[1] += sd_to_int64(a, true, modes[k]) !=
				  mgr_to_int(a, 64, false, hosts[k]);
			bad[2] += sd_from_int64(a, false, modes[k]) !=
				  mgr_from_int(a, 64, false, hosts[k]);
			if ((a & ~SIGN) <= INF)
				bad[3] += sd_to_float(a, modes[k]) !=
					  mgr_raw(mgr_value(a, 64), 32, hosts[k]);
		}
		bad[0] += canonical(sd_rint(a, SF_RTNA)) != mgr_fround(a, 64, MRF_RTNA);
		bad[4] += sd_lt(a, b) != (mgr_value(a, 64) < mgr_value(b, 64));
		bad[4] += sd_eq(a, b) != (mgr_value(a, 64) == mgr_value(b, 64));
	}
	tap_result(!bad[0], "to whole numbers: %u differ", bad[0]);
	tap_result(!bad[1], "to integers: %u differ", bad[1]);
	tap_result(!bad[2], "from integers: %u differ", bad[2]);
	tap_result(!bad[3], "to binary32: %u differ", bad[3]);
	tap_result(!bad[4], "comparisons: %u differ", bad[4]);
}

/* ---- operations ---- */

#define FULL	2	/* no shrinking */

/* r1 = op(u1, u2) in lane 0. */
struct row {
	const char *what;
	u8 op, unit, mod1, mod2, outmod, fp_mode;
	u64 a, b, want;
};

static const struct row *rows(u32 *n)
{
	static struct row t[64];
	u32 i = 0;

#define ROW(...)	(t[i++] = (struct row){ __VA_ARGS__ })
	ROW("add", 0x10, MC_VADD, 0, 0, 0, 0, D(1.5), D(-0.25), D(1.25));
	ROW("add to even", 0x10, MC_VADD, 0, 0, 0, 0, D(1), D(0x1p-53), D(1));
	ROW("add up", 0x13, MC_VADD, 0, 0, 0, 0, D(1), D(0x1p-53), D(1 + 0x1p-52));
	ROW("add down", 0x12, MC_VADD, 0, 0, 0, 0, D(1), D(-0x1p-80), D(1 - 0x1p-53));
	ROW("add to zero", 0x11, MC_VADD, 0, 0, 0, 0, D(-1), D(-0x1p-53), D(-1));
	ROW("difference of the same, down", 0x12, MC_VADD, 0, 2, 0, 0, D(3), D(3), SIGN);
	ROW("overflow", 0x10, MC_VADD, 0, 0, 0, 0, MOST, MOST, INF);
	ROW("overflow to zero", 0x11, MC_VADD, 0, 0, 0, 0, MOST, MOST, MOST);
	ROW("overflow, suppressed", 0x10, MC_VADD, 0, 0, 0, 1, MOST, MOST, MOST);
	ROW("infinities", 0x10, MC_VADD, 0, 2, 0, 0, INF, INF, NAN64);
	ROW("infinities, suppressed", 0x10, MC_VADD, 0, 2, 0, 1, INF, INF, 0);
	ROW("multiply", 0x14, MC_VMUL, 0, 0, 0, 0, D(3), D(-0.5), D(-1.5));
	ROW("multiply, absolute, negative", 0x14, MC_VMUL, 1, 3, 0, 0, D(-3), D(-2), D(-6));
	ROW("multiply to a subnormal", 0x14, MC_VMUL, 0, 0, 0, 0, D(0x1p-1022), D(0.75),
	    3ULL << 50);
	ROW("multiply to nothing, up", 0x17, MC_VMUL, 0, 0, 0, 0, 1, D(0.25), 1);
	ROW("multiply zeros", 0x14, MC_VMUL, 0, 0, 0, 0, 0, SIGN, SIGN);
	ROW("clamp to 1", 0x14, MC_VMUL, 0, 0, 3, 0, D(3), D(2), D(1));
	ROW("clamp to -1", 0x14, MC_VMUL, 0, 0, 2, 0, D(3), D(-2), D(-1));
	ROW("clamp NaN", 0x14, MC_VMUL, 0, 0, 2, 0, INF, 0, D(-1));
	ROW("least", 0x28, MC_VMUL, 0, 0, 0, 0, 0, SIGN, SIGN);
	ROW("least of a number", 0x28, MC_VMUL, 0, 0, 0, 0, NAN64, D(7), D(7));
	ROW("least or NaN", 0x29, MC_VMUL, 0, 0, 0, 0, NAN64, D(7), NAN64);
	ROW("greatest", 0x2c, MC_VADD, 0, 0, 0, 0, D(-1), D(-2), D(-1));
	ROW("greatest of absolute values", 0x2e, MC_VADD, 0, 0, 0, 0, D(-1), D(-2), D(2));
	ROW("move", 0x30, MC_VADD, 0, 2, 0, 0, 0, NAN64 | 1, NAN64 | SIGN | 1);
	ROW("move, clamped", 0x30, MC_VADD, 0, 2, 1, 0, 0, D(1), 0);
	ROW("to even", 0x34, MC_VADD, 0, 0, 0, 0, D(2.5), 0, D(2));
	ROW("truncated", 0x35, MC_VADD, 0, 0, 0, 0, D(-2.75), 0, D(-2));
	ROW("floor", 0x36, MC_VADD, 0, 0, 0, 0, D(-0x1p-60), 0, D(-1));
	ROW("ceiling", 0x37, MC_VADD, 0, 0, 0, 0, D(-0.5), 0, SIGN);
	ROW("away from zero", 0xc6, MC_VADD, 0, 0, 0, 0, D(2.5), 0, D(3));
	ROW("equal", 0x80, MC_VADD, 0, 0, 2, 0, 0, SIGN, ~0ULL);
	ROW("not equal", 0x81, MC_VADD, 0, 0, 2, 0, NAN64, NAN64, ~0ULL);
	ROW("less", 0x82, MC_VADD, 0, 0, 2, 0, D(1), D(1 + 0x1p-52), ~0ULL);
	ROW("not less", 0x82, MC_VADD, 0, 0, 2, 0, NAN64, D(1), 0);
	ROW("less or equal", 0x83, MC_VADD, 0, 0, 2, 0, D(1), D(1), ~0ULL);
	ROW("to integer", 0x98, MC_VADD, 0, 0, 2, 0, D(-2.5), 0, (u64)-2);
	ROW("to integer, down", 0x9a, MC_VADD, 0, 0, 2, 0, D(-2.25), 0, (u64)-3);
	ROW("to integer, saturated", 0x99, MC_VADD, 0, 0, 2, 0, D(-0x1p80), 0, SIGN);
	ROW("to unsigned", 0x9d, MC_VADD, 0, 0, 2, 0, D(0x1.8p63), 0, 3ULL << 62);
	ROW("to unsigned of NaN", 0x9c, MC_VADD, 0, 0, 2, 0, NAN64, 0, 0);
	ROW("from integer", 0xb8, MC_VADD, 0, 0, 0, 0, (u64)-3, 0, D(-3));
	ROW("from integer, up", 0xbb, MC_VADD, 0, 0, 0, 0, (1ULL << 53) + 1, 0, D(0x1p53 + 2));
	ROW("from unsigned", 0xbc, MC_VADD, 0, 0, 0, 0, ~0ULL, 0, D(0x1p64));
	ROW("from unsigned to zero", 0xbd, MC_VADD, 0, 0, 0, 0, ~0ULL, 0, D(0x1.fffffffffffffp63));
#undef ROW
	*n = i;
	return t;
}

static void push64(struct mjob *j, u32 vector, u32 lane, u64 v)
{
	mj_push(j, vector, 2 * lane, (u32)v);
	mj_push(j, vector, 2 * lane + 1, v >> 32);
}

/* @simd: VS_NUM_SIMD: on the model. Return: lane 0. */
static u64 run_row(const struct row *r, u32 simd, struct vs_fault *fault)
{
	struct mc_alu a = {};
	struct mcode c;
	struct mjob j;
	u64 v;

	memset(fault, 0, sizeof(*fault));
	mj_new(&j);
	j.fp_mode = r->fp_mode;
	push64(&j, 1, 0, r->a);
	push64(&j, 2, 0, r->b);
	mc_start(&c);
	mc_unit(&a, r->unit, mc_regs(22, 21, 1),
		mc_vec(r->op, 3, mc_vsrc(r->mod1, 0, MC_XYZW), mc_vsrc(r->mod2, 0, MC_XYZW), FULL,
		       r->outmod, 0x0f));
	mc_alu(&c, &a);
	mc_store(&c, 1, 0, 0);
	if (simd == VS_NUM_SIMD)
		fault->kind = !mj_run(&j, &c);
	else
		mg_execute(&j, mj_write(&j, &c), simd, fault);
	v = mj_r32(&j, MJ_DATA) | (u64)mj_r32(&j, MJ_DATA + 4) << 32;
	mj_free(&j);
	return v;
}

static void known(void)
{
	struct vs_fault f;
	const struct row *t;
	u32 n, i, simd, bad;
	u64 v;

	t = rows(&n);
	for (i = 0; i < n; i++) {
		for (bad = 0, simd = 0; simd <= VS_NUM_SIMD; simd++) {
			if (simd < VS_NUM_SIMD && !(vs_simd_mask() >> simd & 1))
				continue;
			v = run_row(&t[i], simd, &f);
			if (f.kind || v != t[i].want)
				tap_comment("%s: %016llx, fault %u %u",
					    simd == VS_NUM_SIMD ? "model" : vs_simd_name(simd),
					    (unsigned long long)v, f.kind, f.code);
			bad += f.kind || v != t[i].want;
		}
		tap_result(!bad, "%02x.f64, %s: %016llx", t[i].op, t[i].what,
			   (unsigned long long)t[i].want);
	}
}

/* Functions of the table unit, dots and groups have no form of 64 bits that is known. */
static void refused(void)
{
	static const struct {
		u8 op, unit;
	} t[] = {
		{ 0xf0, MC_VLUT }, { 0xf2, MC_VLUT }, { 0xf3, MC_VLUT }, { 0xf4, MC_VLUT },
		{ 0xf5, MC_VLUT }, { 0xf6, MC_VLUT }, { 0xf7, MC_VLUT }, { 0xe8, MC_VLUT },
		{ 0xf9, MC_VLUT }, { 0x3c, MC_VMUL }, { 0x3e, MC_VMUL }, { 0x88, MC_VADD },
	};
	struct vs_fault f;
	u32 i, bad = 0;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct row r = { .op = t[i].op, .unit = t[i].unit,
				 .outmod = t[i].op == 0x88 ? 2 : 0 };

		run_row(&r, vs_simd_best(), &f);
		bad += f.kind != VS_FAULT_ENCODING;
	}
	tap_result(!bad, "functions, dots and groups of 64 bits are rejected: %u are not", bad);
}

int main(void)
{
	tap_start();
	sums();
	conversions();
	known();
	refused();
	return tap_done();
}
