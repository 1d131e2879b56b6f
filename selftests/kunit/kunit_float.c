// SPDX-License-Identifier: GPL-2.0
/*
 * PICA200 number formats as the kernel computes them: integers only.
 */
#include <kunit/test.h>

#include "engine/softfloat.h"
#include "engine/vs_num.h"
#include "isa/pica/pica_float.h"

#define ONE	0x3f800000U
#define INF	0x7f800000U
#define NEG	0x80000000U

static void float_f24_known(struct kunit *test)
{
	static const struct {
		u32 f24;
		u32 f32;
	} t[] = {
		{ 0, 0 },
		{ 0x3f0000, ONE },			/* 1 */
		{ 0xbf0000, ONE | NEG },		/* -1 */
		{ 0x400000, 0x40000000 },		/* 2 */
		{ 0x3f8000, 0x3fc00000 },		/* 1.5 */
		{ 0x010000, 0x20800000 },		/* 2^-62, smallest normal */
		{ 0x7effff, 0x5f7fff80 },		/* largest */
		{ 0x7f0000, INF },
		{ 0xff0000, INF | NEG },
		{ 0x000001, 0x18800000 },		/* 2^-78 */
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		KUNIT_EXPECT_EQ(test, pica_f24_to_f32(t[i].f24), t[i].f32);
		KUNIT_EXPECT_EQ(test, vs_f24_unpack(t[i].f24), t[i].f32);
		KUNIT_EXPECT_EQ(test, vs_f24_pack(t[i].f32), t[i].f24);
		KUNIT_EXPECT_EQ(test, pica_f32_to_f24(t[i].f32, 0), t[i].f24);
	}
}

/* Every value of the format survives the way there and back; two codes agree. */
static void float_f24_round_trip(struct kunit *test)
{
	u32 raw, wrong = 0, differ = 0;

	/* all exponents and signs, a selection of mantissas that is odd in every bit */
	for (raw = 0; raw < 1 << 24; raw += 13) {
		u32 f32 = pica_f24_to_f32(raw);
		bool nan = (raw & 0x7f0000) == 0x7f0000 && raw & 0xffff;

		wrong += !nan && pica_f32_to_f24(f32, 0) != raw;
		differ += !nan && vs_f24_unpack(raw) != f32;
	}
	KUNIT_EXPECT_EQ(test, wrong, 0U);
	KUNIT_EXPECT_EQ(test, differ, 0U);
}

static void float_f24_rounding(struct kunit *test)
{
	static const struct {
		u32 in;
		u32 zero;
		u32 nearest;
	} t[] = {
		{ ONE | 0x3f, 0x3f0000, 0x3f0000 },	/* below half */
		{ ONE | 0x40, 0x3f0000, 0x3f0000 },	/* half, to even */
		{ ONE | 0xc0, 0x3f0001, 0x3f0002 },	/* half, to even */
		{ ONE | 0x41, 0x3f0000, 0x3f0001 },
		{ 0x3fffffff, 0x3fffff, 0x400000 },	/* carry into the exponent */
		{ 0x5f7fffff, 0x7effff, 0x7f0000 },	/* up to infinity */
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		KUNIT_EXPECT_EQ(test, pica_f32_to_f24(t[i].in, 0), t[i].zero);
		KUNIT_EXPECT_EQ(test, pica_f32_to_f24(t[i].in, PICA_TO_F24_NEAREST),
				t[i].nearest);
		KUNIT_EXPECT_EQ(test, pica_f32_to_f24(t[i].in | NEG, PICA_TO_F24_NEAREST),
				t[i].nearest | 0x800000);
	}
}

static void float_f24_special(struct kunit *test)
{
	u32 nan = pica_f32_to_f24(0x7fc00000, 0);

	KUNIT_EXPECT_EQ(test, nan & 0x7f0000, 0x7f0000U);
	KUNIT_EXPECT_NE(test, nan & 0xffff, 0U);
	/* a NaN whose mantissa is in the low bits only must stay one */
	nan = pica_f32_to_f24(0x7f800001, 0);
	KUNIT_EXPECT_NE(test, nan & 0xffff, 0U);
	KUNIT_EXPECT_EQ(test, pica_f32_to_f24(INF, PICA_TO_F24_NEAREST), 0x7f0000U);
	KUNIT_EXPECT_EQ(test, pica_f32_to_f24(0x60000000, 0), 0x7f0000U);
	KUNIT_EXPECT_EQ(test, pica_f32_to_f24(NEG, PICA_TO_F24_NO_NEG_ZERO), 0U);
	KUNIT_EXPECT_EQ(test, pica_f32_to_f24(0x18800000, PICA_TO_F24_FLUSH), 0U);
	KUNIT_EXPECT_EQ(test, pica_f32_to_f24(0x00000001, 0), 0U);
}

static void float_f16(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, vs_f16_unpack(0x3c00), ONE);
	KUNIT_EXPECT_EQ(test, vs_f16_unpack(0xc000), 0xc0000000U);
	KUNIT_EXPECT_EQ(test, vs_f16_unpack(0x7bff), 0x477fe000U);
	KUNIT_EXPECT_EQ(test, vs_f16_unpack(0x0001), 0x33800000U);
	KUNIT_EXPECT_EQ(test, vs_f16_unpack(0x8000), NEG);
	KUNIT_EXPECT_EQ(test, vs_f16_unpack(0x7c00), INF);
}

static void float_packed_uniforms(struct kunit *test)
{
	static const u32 raw[4] = { 0x123456, 0xabcdef, 0x3f0000, 0x800001 };
	u32 words[3], back[4];

	pica_pack_f24(raw, words);
	/* w, z, y, x from the top of the first word on */
	KUNIT_EXPECT_EQ(test, words[0], 0x80000100U | 0x3f);
	KUNIT_EXPECT_EQ(test, words[1], 0x0000abcdU);
	KUNIT_EXPECT_EQ(test, words[2], 0xef123456U);
	pica_unpack_f24(words, back);
	KUNIT_EXPECT_EQ(test, memcmp(raw, back, sizeof(raw)), 0);
}

static void float_softfloat(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, sf_add(ONE, ONE, false), 0x40000000U);
	KUNIT_EXPECT_EQ(test, sf_sub(ONE, ONE, false), 0U);
	KUNIT_EXPECT_EQ(test, sf_mul(0x3fc00000, 0x3f800080, false), 0x3fc000c0U);
	KUNIT_EXPECT_EQ(test, sf_div(ONE, 0x40400000, false), 0x3eaaaaabU);
	KUNIT_EXPECT_EQ(test, sf_div(ONE, 0x40400000, true), 0x3eaaaaaaU);
	KUNIT_EXPECT_EQ(test, sf_sqrt(0x40000000, false), 0x3fb504f3U);
	KUNIT_EXPECT_EQ(test, sf_floor(0xbfc00000), 0xc0000000U);
	KUNIT_EXPECT_EQ(test, sf_to_int(0xbfc00000), -1);
	KUNIT_EXPECT_EQ(test, sf_to_int(0xcb000001), -8388609);
	KUNIT_EXPECT_EQ(test, sf_to_int(0x4effffff), 0x7fffff80);
	KUNIT_EXPECT_EQ(test, sf_add(INF, INF | NEG, false), 0xffc00000U);
	KUNIT_EXPECT_EQ(test, sf_mul(0, INF, false), 0xffc00000U);
	KUNIT_EXPECT_TRUE(test, sf_lt(ONE | NEG, ONE));
	KUNIT_EXPECT_FALSE(test, sf_lt(0x7fc00000, ONE));
	KUNIT_EXPECT_TRUE(test, sf_eq(0, NEG));
	/* the smallest subnormal, halved: to even */
	KUNIT_EXPECT_EQ(test, sf_mul(1, 0x3f000000, false), 0U);
	KUNIT_EXPECT_EQ(test, sf_mul(3, 0x3f000000, false), 2U);
}

static void float_binary64(struct kunit *test)
{
	const u64 one = 0x3ff0000000000000ULL, inf = 0x7ff0000000000000ULL, neg = 1ULL << 63;

	/* 1 + 2^-53, to even and up; what a product leaves when its rounded value is taken away */
	KUNIT_EXPECT_EQ(test, sd_fma(one, one, 0x3ca0000000000000ULL, SF_RTE), one);
	KUNIT_EXPECT_EQ(test, sd_fma(one, one, 0x3ca0000000000000ULL, SF_RTP), one + 1);
	KUNIT_EXPECT_EQ(test, sd_fma(one + 1, one + 1, (one + 2) | neg, SF_RTE),
			0x3970000000000000ULL);
	KUNIT_EXPECT_EQ(test, sd_fma(one, one, one | neg, SF_RTN), neg);
	KUNIT_EXPECT_EQ(test, sd_fma(inf, 0, one, SF_RTE), 0xfff8000000000000ULL);
	KUNIT_EXPECT_EQ(test, sd_rint(0x4004000000000000ULL, SF_RTE), 0x4000000000000000ULL);
	KUNIT_EXPECT_EQ(test, sd_to_int64(0xc004000000000000ULL, false, SF_RTN), (u64)-3);
	KUNIT_EXPECT_EQ(test, sd_to_int64(inf, true, SF_RTE), ~0ULL);
	KUNIT_EXPECT_EQ(test, sd_from_int64(~0ULL, false, SF_RTZ), 0x43efffffffffffffULL);
	KUNIT_EXPECT_TRUE(test, sd_lt(one | neg, one));
	KUNIT_EXPECT_TRUE(test, sd_eq(0, neg));
}

static struct kunit_case float_cases[] = {
	KUNIT_CASE(float_binary64),
	KUNIT_CASE(float_f24_known),
	KUNIT_CASE(float_f24_round_trip),
	KUNIT_CASE(float_f24_rounding),
	KUNIT_CASE(float_f24_special),
	KUNIT_CASE(float_f16),
	KUNIT_CASE(float_packed_uniforms),
	KUNIT_CASE(float_softfloat),
	{ }
};

static struct kunit_suite float_suite = {
	.name = "vshader_float",
	.test_cases = float_cases,
};

kunit_test_suite(float_suite);
