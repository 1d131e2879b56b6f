// SPDX-License-Identifier: GPL-2.0
/* Number formats and comparison of job files. */
#include <math.h>
#include <string.h>

#include "jobfile.h"
#include "tap.h"

struct pair {
	enum jf_type type;
	uint32_t raw;
	uint32_t f32;
};

/* Encodings and the binary32 value that each one is. */
static const struct pair pairs[] = {
	{ JF_F24, 0x3f0000, 0x3f800000 }, { JF_F24, 0xbf0000, 0xbf800000 },
	{ JF_F24, 0x3e0000, 0x3f000000 }, { JF_F24, 0x408000, 0x40400000 },
	{ JF_F24, 0x010000, 0x20800000 }, { JF_F24, 0x7effff, 0x5f7fff80 },
	{ JF_F24, 0x000000, 0x00000000 }, { JF_F24, 0x800000, 0x80000000 },
	{ JF_F24, 0x7f0000, 0x7f800000 }, { JF_F24, 0xff0000, 0xff800000 },
	{ JF_F24, 0x000001, 0x18800000 }, { JF_F24, 0x00ffff, 0x207fff00 },
	{ JF_F16, 0x3c00, 0x3f800000 }, { JF_F16, 0xbc00, 0xbf800000 },
	{ JF_F16, 0x3800, 0x3f000000 }, { JF_F16, 0x4200, 0x40400000 },
	{ JF_F16, 0x0400, 0x38800000 }, { JF_F16, 0x7bff, 0x477fe000 },
	{ JF_F16, 0x7c00, 0x7f800000 }, { JF_F16, 0xfc00, 0xff800000 },
	{ JF_F16, 0x0001, 0x33800000 }, { JF_F16, 0x03ff, 0x387fc000 },
};

static float to_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static void test_pairs(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const struct pair *p = &pairs[i];
		double want = to_float(p->f32), got = jf_decode(p->type, p->raw);

		tap_result(got == want && signbit(got) == signbit(want), "decode %s 0x%x",
			   jf_type_names[p->type], p->raw);
		tap_result(jf_encode(p->type, want) == p->raw, "encode %s 0x%x",
			   jf_type_names[p->type], p->raw);
	}
}

/* Every F16 survives, NaN stays NaN. */
static void test_all_f16(void)
{
	unsigned int bad = 0;
	uint32_t raw;

	for (raw = 0; raw < 0x10000; raw++) {
		double d = jf_decode(JF_F16, raw);

		if (isnan(d) ? (raw & 0x7fff) <= 0x7c00 : jf_encode(JF_F16, d) != raw)
			bad++;
	}
	tap_result(!bad, "all F16 values there and back, %u wrong", bad);
	for (raw = 0, bad = 0; raw < 0x1000000; raw += 13) {
		double d = jf_decode(JF_F24, raw);

		if (isnan(d) ? (raw & 0x7fffff) <= 0x7f0000 : jf_encode(JF_F24, d) != raw)
			bad++;
	}
	tap_result(!bad, "F24 values there and back, %u wrong", bad);
}

static void test_rounding(void)
{
	tap_result(jf_encode(JF_F24, 1 + 1.75 / 65536) == 0x3f0001, "F24 is cut off");
	tap_result(jf_encode(JF_F24, -1 - 1.75 / 65536) == 0xbf0001, "F24 is cut off, negative");
	tap_result(jf_encode(JF_F24, 1e30) == 0x7effff, "F24 does not overflow to infinity");
	tap_result(jf_encode(JF_F16, 1 + 1.5 / 1024) == 0x3c02, "F16 rounds to even");
	tap_result(jf_encode(JF_F16, 1 + 0.5 / 1024) == 0x3c00, "F16 rounds to even, down");
	tap_result(jf_encode(JF_F16, 65520) == 0x7c00, "F16 overflows to infinity");
	tap_result(jf_encode(JF_F16, 65519) == 0x7bff, "F16 largest");
	tap_result(jf_encode(JF_F16, 0.00000005) == 0x0001, "F16 smallest");
	tap_result(jf_encode(JF_F16, ldexp(1, -1000)) == 0, "F16 underflow");
}

static bool match(enum jf_type type, enum jf_kind kind, double num, uint32_t got,
		  const struct jf_expect *tol)
{
	struct jf_value v = { .kind = kind, .num = num, .bits = jf_encode(type, num) };
	struct jf_values want = { .type = type, .count = 1, .v = &v };

	return jf_match(&want, 0, got, tol);
}

static void test_match(void)
{
	const struct jf_expect none = { 0 }, abs = { .abs_tol = 0.5 }, rel = { .rel_tol = 0.01 };
	const struct jf_expect ulp = { .ulp_tol = 2 };
	const uint32_t one = 0x3f800000, nan = 0x7fc00000, inf = 0x7f800000;

	tap_result(match(JF_F32, JF_NUMBER, 1, one, &none), "equal");
	tap_result(!match(JF_F32, JF_NUMBER, 1, one + 1, &none), "not equal");
	tap_result(match(JF_F32, JF_NUMBER, 0, 0x80000000, &none), "-0 equals 0 as a number");
	tap_result(!match(JF_F32, JF_BITS, 0, 0x80000000, &none), "but not as bits");
	tap_result(match(JF_F32, JF_ANY, 0, nan, &none), "anything");
	tap_result(match(JF_F32, JF_NAN, NAN, nan, &none), "NaN");
	tap_result(!match(JF_F32, JF_NUMBER, 1, nan, &abs), "NaN is within no tolerance");
	tap_result(match(JF_F32, JF_INF, 0, inf, &none) &&
		   match(JF_F32, JF_INF, 0, inf | 1u << 31, &none), "either infinity");
	tap_result(match(JF_F32, JF_NUMBER, INFINITY, inf, &none), "infinity");
	tap_result(!match(JF_F32, JF_NUMBER, -INFINITY, inf, &abs), "the other infinity");
	tap_result(!match(JF_F32, JF_NUMBER, 3e38, inf, &rel), "infinity is within no tolerance");
	tap_result(match(JF_F32, JF_NUMBER, 1.5, one, &abs), "absolute tolerance");
	tap_result(!match(JF_F32, JF_NUMBER, 1.6, one, &abs), "beyond absolute tolerance");
	tap_result(match(JF_F32, JF_NUMBER, 1.005, one, &rel), "relative tolerance");
	tap_result(!match(JF_F32, JF_NUMBER, 1.02, one, &rel), "beyond relative tolerance");
	tap_result(match(JF_F32, JF_NUMBER, 1, one + 2, &ulp), "within ulps");
	tap_result(!match(JF_F32, JF_NUMBER, 1, one + 3, &ulp), "beyond ulps");
	tap_result(match(JF_F32, JF_NUMBER, 0, 0x80000002, &ulp), "ulps across zero");
	tap_result(match(JF_U8, JF_NUMBER, 7, 7, &none) && !match(JF_U8, JF_NUMBER, 7, 8, &none),
		   "integers");
}

int main(void)
{
	test_pairs();
	test_all_f16();
	test_rounding();
	test_match();
	return tap_done();
}
