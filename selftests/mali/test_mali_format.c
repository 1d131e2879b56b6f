// SPDX-License-Identifier: GPL-2.0
/* Pixel formats, tiles and divisors of Mali descriptors. */
#include "../include/tap.h"
#include "isa/mali/mali_res.h"
#include "pixel/px_pack.h"
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
	{ MALI_V7, 0x85 << 12 | 16, 4, 1, PX_UINT, "R001" },
	{ MALI_V7, 0xbf << 12, 16, 4, PX_FLOAT, "RGBA" },
	{ MALI_V5, 0xaf << 12 | 05410, 8, 2, PX_FLOAT, "RG01" },
	{ MALI_V5, 0x5e << 12 | 03210, 16, 4, PX_FLOAT, "RGBA" },
	{ MALI_V7, 0xcf << 12 | 16, 4, 2, PX_FLOAT, "RG01" },
	{ MALI_V7, 0xbb << 12 | 4, 4, 4, PX_UNORM, "BGRA" },
	{ MALI_V7, 0xbb << 12 | 8, 4, 4, PX_UNORM, "GBAR" },
	{ MALI_V6, 0xbb << 12 | 00321, 4, 4, PX_UNORM, "GBAR" },
	{ MALI_V6, 0x40 << 12 | 05210, 2, 3, PX_UNORM, "RGB1" },
	{ MALI_V7, 0x41 << 12, 2, 4, PX_UNORM, "RGBA" },
	{ MALI_V7, 0x59 << 12 | 16, 4, 3, PX_FLOAT, "RGB1" },
	{ MALI_V7, 0x4c << 12, 4, 1, PX_FLOAT, "R001" },
	{ MALI_V7, 0x5d << 12 | 2, 1, 2, PX_UINT, "G001" },
	{ MALI_V7, 0x1a << 12 | 229, 1, 4, PX_UNORM, "000A" },
	{ MALI_V7, 0xba << 12, 2, 4, PX_UNORM, "RGBA" },
	{ MALI_V7, 0x6b << 12 | 16, 2, 2, PX_SNORM, "RG01" },
	{ MALI_V6, 0xa3 << 12 | 05000, 1, 1, PX_UNORM, "RRR1" },
	{ MALI_V7, 0x03 << 12 | 1 << 20, 16, 4, PX_UNORM, "RGBA" },
	{ MALI_V5, 0x5f << 12 | 04444, 0, 0, PX_UNORM, "0000" },
};

/* Swizzles of two missing components show their substitutes. */
static void test_formats(void)
{
	const struct want *w;
	struct px_format f;
	char swizzle[5];
	bool ok;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(wants); i++) {
		w = &wants[i];
		ok = mali_format_decode(w->arch, w->bits, &f);
		mali_swizzle_text(f.swizzle, swizzle);
		/* "G" of stencil is memory's second component. */
		ok = ok && f.bytes == w->bytes && f.ncomp == w->ncomp && f.comp == w->comp &&
		     !strcmp(swizzle, w->swizzle);
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

#define M	(BIT(MALI_V4) | BIT(MALI_V5))
#define V6	BIT(MALI_V6)
#define V7	BIT(MALI_V7)
#define ALL	(M | V6 | V7)

/*
 * Formats outside of the grid that Mesa's driver uses: 22.3, 25 and 26. @used: by which GPUs, masks
 * of enum mali_arch; those of @rejected only if the GPU announces them: none of these does. Formats
 * that it does not use but that are executed have @used 0.
 */
static const struct code {
	const char *name;
	u8 code;
	u8 used;
	u8 rejected;
	u8 executed;
} codes[] = {
	{ "ETC2 RGB8", 0x01, ALL, 0, ALL }, { "EAC R11", 0x02, ALL, 0, ALL },
	{ "ETC2 RGBA8", 0x03, ALL, 0, ALL }, { "EAC RG11", 0x04, ALL, 0, ALL },
	{ "BC1", 0x07, ALL, ALL, 0 }, { "BC2", 0x08, ALL, ALL, 0 }, { "BC3", 0x09, ALL, ALL, 0 },
	{ "BC4", 0x0a, ALL, ALL, 0 }, { "BC4 signed", 0x0b, ALL, ALL, 0 },
	{ "BC5", 0x0c, ALL, ALL, 0 }, { "BC5 signed", 0x0d, ALL, ALL, 0 },
	{ "BC6H", 0x0e, ALL, ALL, 0 }, { "BC6H signed", 0x0f, ALL, ALL, 0 },
	{ "BC7", 0x10, ALL, ALL, 0 }, { "EAC R11 signed", 0x11, ALL, 0, ALL },
	{ "EAC RG11 signed", 0x12, ALL, 0, ALL }, { "ETC2 RGB8A1", 0x13, ALL, 0, ALL },
	{ "ASTC 3D LDR", 0x14, ALL, ALL, 0 }, { "ASTC 3D HDR", 0x15, ALL, ALL, 0 },
	{ "ASTC 2D LDR", 0x16, ALL, ALL, 0 }, { "ASTC 2D HDR", 0x17, ALL, ALL, 0 },
	{ "R8A8", 0x18, V7, 0, V7 }, { "A8", 0x1a, V7, 0, V7 },
	/* imported video frames */
	{ "YUYV8", 0x22, V7, V7, 0 }, { "VYUY8", 0x23, V7, V7, 0 },
	{ "Y8 UV8 422", 0x24, V7, V7, 0 }, { "Y8 UV8 420", 0x26, V7, V7, 0 },
	{ "Y8 U8 V8 420", 0x27, V7, V7, 0 }, { "YUYV10", 0x2c, V7, V7, 0 },
	{ "Y10 UV10 422", 0x2e, V7, V7, 0 }, { "Y10 UV10 420", 0x2f, V7, V7, 0 },
	{ "RGB565", 0x40, ALL, 0, ALL }, { "RGB5 A1", 0x41, ALL, 0, ALL },
	{ "RGB10 A2", 0x43, ALL, 0, ALL }, { "RGB10 A2 SNORM", 0x45, ALL, 0, ALL },
	{ "RGB10 A2 UINT", 0x47, ALL, 0, ALL }, { "RGB10 A2 SINT", 0x49, ALL, 0, ALL },
	{ "RGB332", 0x4b, M, 0, M }, { "Z16", 0x4b, V7, 0, V7 }, { "Z32", 0x4c, V7, 0, V7 },
	{ "Z24X8", 0x4d, ALL, 0, ALL }, { "X8Z24", 0x4e, 0, 0, M },
	{ "X32 S8X24", 0x4f, ALL, 0, ALL }, { "R32 fixed", 0x51, ALL, 0, ALL },
	{ "RG32 fixed", 0x52, ALL, 0, ALL }, { "RGB32 fixed", 0x53, ALL, 0, ALL },
	{ "RGBA32 fixed", 0x54, ALL, 0, ALL }, { "X24S8", 0x55, V7, 0, V7 },
	{ "Z32 X32", 0x57, V7, 0, V7 }, { "R11F G11F B10F", 0x59, ALL, 0, ALL },
	{ "R9F G9F B9F E5F", 0x5b, ALL, 0, ALL }, { "S8", 0x5d, V7, 0, V7 },
	{ "snap 4", 0x5e, ALL, 0, ALL }, { "constant", 0x5f, ALL, 0, ALL },
	/* the tile buffer's, for blending */
	{ "RGB5 A1 AU", 0xe0, ALL, 0, ALL }, { "RGB5 A1 PU", 0xe1, ALL, 0, ALL },
	{ "RGB565 AU", 0xe2, ALL, 0, ALL }, { "RGB565 PU", 0xe3, ALL, 0, ALL },
	{ "RGBA4 AU", 0xe8, ALL, 0, ALL }, { "RGBA4 PU", 0xe9, ALL, 0, ALL },
	{ "RGBA8 TB", 0xed, ALL, 0, ALL }, { "RGB10 A2 TB", 0xee, ALL, 0, ALL },
	{ "RGB8 A2 AU", 0xf1, ALL, 0, ALL }, { "RGB8 A2 PU", 0xf2, ALL, 0, ALL },
};

/*
 * The grid: one to four components of one type and size. Mesa uses 8, 16 and 32 bits, floats of
 * 16 and 32, and RGBA4. Those of 4 bits are executed if they fill bytes.
 */
static bool in_grid(u32 code)
{
	u32 size = code & 7, ncomp = (code >> 3 & 3) + 1, type = code >> 5;

	if (size == 2)
		return ncomp % 2 == 0;
	return (size >= 3 && size <= 5) || (size == 7 && type >= 5);
}

static bool is_executed(u32 code, enum mali_arch arch)
{
	u32 i;

	if (code >= 0x60 && code < 0xe0)
		return in_grid(code);
	for (i = 0; i < ARRAY_SIZE(codes); i++)
		if (codes[i].code == code && codes[i].executed >> arch & 1)
			return true;
	return false;
}

/* Every code on every GPU is executed or rejected, as the table says. */
static void test_codes(void)
{
	u32 code, i, executed = 0, bad = 0;
	struct px_format f;
	enum mali_arch arch;
	bool ok;

	for (arch = 0; arch < MALI_NUM_ARCH; arch++)
		for (code = 0; code < 256; code++) {
			ok = mali_format_decode(arch, code << 12 | (arch == MALI_V7 ? 0 : 03210),
						&f);
			executed += ok;
			if (ok == is_executed(code, arch) &&
			    (!ok || (px_format_readable(&f) &&
				     (px_format_writable(&f) || f.layout == PX_ETC2 ||
				      f.layout == PX_CONSTANT))))
				continue;
			bad++;
			tap_comment("v%u: format 0x%02x is %s", arch + 4, code,
				    ok ? "executed" : "rejected");
		}
	tap_result(!bad && executed == 399, "%u codes are executed, all others rejected", executed);
	for (i = 0, bad = 0; i < ARRAY_SIZE(codes); i++)
		bad += (codes[i].used & ~codes[i].rejected & ~codes[i].executed) ||
		       codes[i].rejected & codes[i].executed;
	tap_result(!bad && !strcmp(mali_reason_text(MALI_BAD_FORMAT), "unsupported pixel format"),
		   "formats that Mesa uses are executed, or not announced");
}

/* All bit patterns: every format that decodes is consistent. */
static void test_all(void)
{
	u32 bits, i, sum, good = 0, bad = 0;
	struct px_format f;
	enum mali_arch arch;

	for (arch = 0; arch < MALI_NUM_ARCH; arch++)
		for (bits = 0; bits < 1 << 22; bits++) {
			if (!mali_format_decode(arch, bits, &f))
				continue;
			good++;
			for (i = sum = 0; i < 4; i++) {
				sum += f.bits[i];
				bad += f.swizzle[i] > PX_SWZ_1;
				bad += f.swizzle[i] < 4 && !f.bits[f.swizzle[i]];
			}
			bad += f.layout != PX_ETC2 && sum > f.bytes * 8U;
			bad += f.ncomp > 4 || f.bytes > 16;
		}
	tap_result(good && !bad, "%u words are formats, %u of them inconsistent", good, bad);
}

static void test_tiles(void)
{
	u32 x, y, i, seen[256] = {}, bad = 0;

	for (y = 0; y < 16; y++)
		for (x = 0; x < 16; x++)
			seen[px_tile_index(x, y) & 255]++;
	for (i = 0; i < 256; i++)
		bad += seen[i] != 1;
	tap_result(!bad, "a tile has every texel once");
	/* y3, y3 ^ x3, ... from the top. */
	tap_result(px_tile_index(1, 0) == 1 && px_tile_index(0, 1) == 3 &&
		   px_tile_index(1, 1) == 2 && px_tile_index(8, 0) == 64 &&
		   px_tile_index(0, 8) == 192 && px_tile_index(17, 16) == 1,
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
	test_codes();
	test_all();
	test_tiles();
	test_divisors();
	test_special_ids();
	return tap_done();
}
