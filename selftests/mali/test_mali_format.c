// SPDX-License-Identifier: GPL-2.0
/* Pixel formats, tiles and divisors of Mali descriptors. */
#include "../include/tap.h"
#include "mali_print.h"

struct want {
	enum mali_arch arch;
	u32 bits;
	u8 bytes;
	u8 ncomp;
	u8 comp;
	const char *swizzle;
};

static const struct want wants[] = {
	/* As in decoded captures: R32UI RGB1, RGBA32F RGBA, RG32F RG01, Snap 4 RGBA. */
	{ MALI_V7, 0x85 << 12 | 16, 4, 1, MALI_UINT, "R001" },
	{ MALI_V7, 0xbf << 12, 16, 4, MALI_FLOAT, "RGBA" },
	{ MALI_V5, 0xaf << 12 | 05410, 8, 2, MALI_FLOAT, "RG01" },
	{ MALI_V5, 0x5e << 12 | 03210, 16, 4, MALI_FLOAT, "RGBA" },
	{ MALI_V7, 0xcf << 12 | 16, 4, 2, MALI_FLOAT, "RG01" },
	{ MALI_V7, 0xbb << 12 | 4, 4, 4, MALI_UNORM, "BGRA" },
	{ MALI_V7, 0xbb << 12 | 8, 4, 4, MALI_UNORM, "GBAR" },
	{ MALI_V6, 0xbb << 12 | 00321, 4, 4, MALI_UNORM, "GBAR" },
	{ MALI_V6, 0x40 << 12 | 05210, 2, 3, MALI_UNORM, "RGB1" },
	{ MALI_V7, 0x41 << 12, 2, 4, MALI_UNORM, "RGBA" },
	{ MALI_V7, 0x59 << 12 | 16, 4, 3, MALI_FLOAT, "RGB1" },
	{ MALI_V7, 0x5d << 12 | 2, 1, 2, MALI_UINT, "G001" },
	{ MALI_V7, 0x1a << 12 | 229, 1, 4, MALI_UNORM, "000A" },
	{ MALI_V7, 0xba << 12, 2, 4, MALI_UNORM, "RGBA" },
	{ MALI_V7, 0x6b << 12 | 16, 2, 2, MALI_SNORM, "RG01" },
	{ MALI_V6, 0xa3 << 12 | 05000, 1, 1, MALI_UNORM, "RRR1" },
	{ MALI_V7, 0x03 << 12 | 1 << 20, 16, 4, MALI_UNORM, "RGBA" },
	{ MALI_V5, 0x5f << 12 | 04444, 0, 0, MALI_UNORM, "0000" },
};

/* Swizzles of two missing components show their substitutes. */
static void test_formats(void)
{
	const struct want *w;
	struct mali_format f;
	char swizzle[5];
	bool ok;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(wants); i++) {
		w = &wants[i];
		ok = mali_format_decode(w->arch, w->bits, &f);
		mali_swizzle_text(f.swizzle, swizzle);
		/* "G" of stencil is memory's second component. */
		ok = ok && f.bytes == w->bytes && f.ncomp == w->ncomp && f.comp == w->comp &&
		     !strcmp(swizzle, w->swizzle) && f.code == (w->bits >> 12 & 0xff);
		if (!tap_result(ok, "v%u format 0x%06x is %s", w->arch + 4, w->bits, w->swizzle))
			tap_comment("%u bytes, %u components, type %u, %s", f.bytes, f.ncomp,
				    f.comp, swizzle);
	}
	tap_result(!mali_format_decode(MALI_V7, 0x67 << 12, &f) &&
		   !mali_format_decode(MALI_V7, 0x86 << 12, &f) &&
		   !mali_format_decode(MALI_V7, 0x16 << 12, &f) &&
		   !mali_format_decode(MALI_V6, 0x5d << 12, &f) &&
		   !mali_format_decode(MALI_V7, 0xbb << 12 | 3, &f) &&
		   !mali_format_decode(MALI_V6, 0xbb << 12 | 6, &f) &&
		   !mali_format_decode(MALI_V7, 1 << 22, &f), "formats that are none");
}

/* All bit patterns: every format that decodes is consistent. */
static void test_all(void)
{
	u32 bits, i, sum, good = 0, bad = 0;
	struct mali_format f;
	enum mali_arch arch;

	for (arch = 0; arch < MALI_NUM_ARCH; arch++)
		for (bits = 0; bits < 1 << 22; bits++) {
			if (!mali_format_decode(arch, bits, &f))
				continue;
			good++;
			for (i = sum = 0; i < 4; i++) {
				sum += f.bits[i];
				bad += f.swizzle[i] > MALI_SWZ_1;
				bad += f.swizzle[i] < 4 && !f.bits[f.swizzle[i]];
			}
			bad += f.layout != MALI_ETC2 && sum > f.bytes * 8U;
			bad += f.ncomp > 4 || f.bytes > 16;
		}
	tap_result(good && !bad, "%u words are formats, %u of them inconsistent", good, bad);
}

static void test_tiles(void)
{
	u32 x, y, i, seen[256] = {}, bad = 0;

	for (y = 0; y < 16; y++)
		for (x = 0; x < 16; x++)
			seen[mali_tile_index(x, y) & 255]++;
	for (i = 0; i < 256; i++)
		bad += seen[i] != 1;
	tap_result(!bad, "a tile has every texel once");
	/* y3, y3 ^ x3, ... from the top. */
	tap_result(mali_tile_index(1, 0) == 1 && mali_tile_index(0, 1) == 3 &&
		   mali_tile_index(1, 1) == 2 && mali_tile_index(8, 0) == 64 &&
		   mali_tile_index(0, 8) == 192 && mali_tile_index(17, 16) == 1,
		   "corners of a tile");
}

/* The magic number of a divisor, computed as drivers do. */
static void set_divisor(struct mali_attr_buf *b, u32 d)
{
	u32 shift = 31 - __builtin_clz(d);
	u64 t = 1ULL << (32 + shift), m = (t + d - 1) / d;

	memset(b, 0, sizeof(*b));
	b->type = MALI_BUF_NPOT_DIVISOR;
	b->r = shift;
	if (t % d <= 1ULL << shift) {
		m--;
		b->e = 1;
	}
	b->magic = (u32)m;
}

static void test_divisors(void)
{
	u32 d, i, n = 1, bad = 0;
	struct mali_attr_buf b;

	for (d = 3; d < 5000; d++) {
		if (!(d & (d - 1)))
			continue;
		set_divisor(&b, d);
		for (i = 0; i < 50; i++) {
			n = n * 1664525 + 1013904223;
			/* Exact up to 2^31, as far as vertices go. */
			bad += mali_attr_element(&b, n >> 1) != (n >> 1) / d;
			bad += mali_attr_element(&b, i * d) != i;
			bad += mali_attr_element(&b, i * d + d - 1) != i;
		}
	}
	tap_result(!bad, "divisors below 5000: %u wrong", bad);
}

static void test_special_ids(void)
{
	struct mali_attr_buf v = { .type = MALI_BUF_VERTEX_ID, .r = 2, .p = 1, .bias = 100 };
	struct mali_attr_buf all = { .type = MALI_BUF_VERTEX_ID, .r = 31, .p = 4 };
	struct mali_attr_buf i = { .type = MALI_BUF_INSTANCE_ID, .magic = 1U << 31, .r = 3 };
	struct mali_attr_buf none = { .type = MALI_BUF_INSTANCE_ID, .magic = ~0U, .r = 31,
				      .e = 1 };

	tap_result(mali_attr_element(&v, 25) == 101 && mali_attr_element(&all, 987654) == 987654,
		   "vertex number");
	tap_result(mali_attr_element(&i, 47) == 2 && mali_attr_element(&i, 48) == 3 &&
		   !mali_attr_element(&none, 987654), "instance number");
}

int main(void)
{
	test_formats();
	test_all();
	test_tiles();
	test_divisors();
	test_special_ids();
	return tap_done();
}
