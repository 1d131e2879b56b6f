// SPDX-License-Identifier: GPL-2.0
/*
 * PICA200 number formats, against the recorded pairs and against arithmetic in double.
 */
#include <math.h>

#include "isa/pica/pica_float.h"
#include "isa_test.h"
#include "../pica/json_util.h"

static float from_bits(u32 bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static u32 to_bits(float f)
{
	u32 bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static u32 widen(const char *format, u32 raw)
{
	if (!strcmp(format, "f24"))
		return pica_f24_to_f32(raw);
	if (!strcmp(format, "f20"))
		return pica_f20_to_f32(raw);
	return pica_f16_to_f32(raw);
}

static void test_pairs(const char *path)
{
	struct json_object *root = ju_load(path), *pairs;
	size_t f, i, n = root ? json_object_array_length(root) : 0;

	tap_result(n == 3, "three formats recorded");
	for (f = 0; f < n; f++) {
		struct json_object *o = json_object_array_get_idx(root, f);
		const char *name = json_object_get_string(ju_get(o, "name"));
		int count = ju_array(o, "pairs", &pairs);
		u32 bad = 0;

		for (i = 0; (int)i < count; i++) {
			struct json_object *pair = json_object_array_get_idx(pairs, i);
			u32 raw = 0, f32 = 0;

			if (ju_hex(ju_get(pair, "raw"), &raw) ||
			    ju_hex(ju_get(pair, "f32"), &f32) || widen(name, raw) != f32)
				bad++;
			if (!strcmp(name, "f24") && pica_f32_to_f24(f32, 0) != raw)
				bad++;
		}
		tap_result(count > 0 && !bad, "%s: %d recorded values", name, count);
	}
	json_object_put(root);
}

/* Value of a pattern by its definition. */
static double value_of(u32 raw, int exp_bits, int man_bits)
{
	u32 man = raw & ((1u << man_bits) - 1);
	int exp = (int)(raw >> man_bits & ((1u << exp_bits) - 1));
	int bias = (1 << (exp_bits - 1)) - 1;
	double sign = raw >> (exp_bits + man_bits) & 1 ? -1.0 : 1.0;

	if (exp == (1 << exp_bits) - 1)
		return man ? NAN : sign * INFINITY;
	if (!exp)
		return sign * ldexp(man, 1 - bias - man_bits);
	return sign * ldexp((double)man + ldexp(1, man_bits), exp - bias - man_bits);
}

static bool same(double want, u32 got)
{
	float f = from_bits(got);

	if (isnan(want))
		return isnan(f);
	return (double)f == want && !signbit(f) == !signbit(want);
}

static void test_widen(void)
{
	u32 raw, bad24 = 0, bad20 = 0, bad16 = 0, back = 0;

	for (raw = 0; raw < 1u << 24; raw++) {
		u32 f32 = pica_f24_to_f32(raw);
		u32 again = pica_f32_to_f24(f32, raw & PICA_TO_F24_NEAREST);
		bool nan = (raw & 0x7fffff) > 0x7f0000;

		bad24 += !same(value_of(raw, 7, 16), f32);
		back += again != (nan ? raw | 0x8000 : raw);
	}
	for (raw = 0; raw < 1u << 20; raw++)
		bad20 += !same(value_of(raw, 7, 12), pica_f20_to_f32(raw));
	for (raw = 0; raw < 1u << 16; raw++)
		bad16 += !same(value_of(raw, 5, 10), pica_f16_to_f32(raw));
	tap_result(!bad24, "f24: all 16777216 patterns have their value");
	tap_result(!back, "f24: all patterns survive the way through binary32");
	tap_result(!bad20, "f20: all 1048576 patterns have their value");
	tap_result(!bad16, "f16: all 65536 patterns have their value");
}

/* The rounded magnitude, from the definition: a multiple of the quantum of its binade. */
static double round24(double v, u32 flags)
{
	double a = fabs(v), quantum, r;
	int exp;

	if (isnan(v) || isinf(v))
		return v;
	frexp(a, &exp);
	quantum = ldexp(1, (exp - 1 < -62 ? -62 : exp - 1) - 16);
	r = flags & PICA_TO_F24_NEAREST ? nearbyint(a / quantum) : floor(a / quantum);
	r *= quantum;
	if (r >= 0x1p64)
		r = INFINITY;
	if ((flags & PICA_TO_F24_FLUSH) && r < ldexp(1, -62) && a > 0)
		return 0.0;
	if (r == 0.0 && (flags & PICA_TO_F24_NO_NEG_ZERO))
		return 0.0;
	return copysign(r, v);
}

/* Around the exponents where the format begins and ends, and anywhere. */
static u32 sample_bits(u32 i)
{
	static const u32 exps[] = { 0, 1, 46, 47, 48, 49, 50, 63, 64, 65, 66, 127, 189, 190, 191,
				    254, 255 };
	u32 bits = test_rand();

	if (i % 3 == 0)
		bits = (bits & 0x807fffff) | exps[(i / 3) % ARRAY_SIZE(exps)] << 23;
	if (i % 5 == 0)
		bits &= ~0x7fu;
	if (i % 5 == 1)
		bits = (bits & ~0x7fu) | 0x40;
	return bits;
}

static void test_round(void)
{
	u32 flags, i;

	for (flags = 0; flags < 8; flags++) {
		u32 bad = 0;

		for (i = 0; i < 1000000; i++) {
			u32 bits = sample_bits(i);
			double want = round24((double)from_bits(bits), flags);

			bad += !same(want, pica_f32_round_f24(bits, flags));
		}
		tap_result(!bad, "binary32 to f24%s%s%s: 1000000 values",
			   flags & PICA_TO_F24_NEAREST ? ", nearest" : ", truncated",
			   flags & PICA_TO_F24_FLUSH ? ", flushed" : "",
			   flags & PICA_TO_F24_NO_NEG_ZERO ? ", no negative zero" : "");
	}
	tap_result(pica_f32_to_f24(0x7f800000, 0) == 0x7f0000, "infinity");
	tap_result(pica_f32_to_f24(0xff800001, 0) == 0xff8000, "a NaN stays one");
	tap_result(pica_f32_to_f24(to_bits(1.0f), 0) == 0x3f0000, "1.0");
	tap_result(pica_f32_to_f24(to_bits(0x1p64f), 0) == 0x7f0000, "2^64 is infinity");
}

static void test_pack(void)
{
	/* x = 1.0, y = 2.0, z = 3.0, w = 4.0, packed by the published layout. */
	static const u32 words[3] = { 0x41000040, 0x80004000, 0x003f0000 };
	static const u32 swapped[4] = { 4, 3, 2, 1 };
	u32 raw[4], back[3], bits[4], i, bad = 0;

	pica_unpack_f24(words, raw);
	tap_result(raw[0] == 0x3f0000 && raw[1] == 0x400000 && raw[2] == 0x408000 &&
		   raw[3] == 0x410000, "packed upload of (1, 2, 3, 4)");
	pica_unpack_f32(swapped, bits);
	tap_result(bits[0] == 1 && bits[1] == 2 && bits[2] == 3 && bits[3] == 4,
		   "32-bit upload arrives as w, z, y, x");
	for (i = 0; i < 100000; i++) {
		u32 in[4], out[4], c;

		for (c = 0; c < 4; c++)
			in[c] = test_rand() & 0xffffff;
		pica_pack_f24(in, back);
		pica_unpack_f24(back, out);
		bad += memcmp(in, out, sizeof(in)) != 0;
	}
	tap_result(!bad, "packing there and back");
}

int main(int argc, char **argv)
{
	test_pairs(test_data(argc, argv, "float_formats.json"));
	test_widen();
	test_round();
	test_pack();
	return tap_done();
}
