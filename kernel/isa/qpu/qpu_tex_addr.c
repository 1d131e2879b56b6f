// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VideoCore IV textures: configuration words and memory layout of texels.
 *
 * A microtile is 64 bytes of texels in raster order. A level that is at most four
 * microtiles wide or high is in LT format, microtiles in raster order. Others are in T
 * format, see px_t_utile(). Level 0 is at the base address, each
 * further level ends where the previous one begins. All levels but the first are laid out as
 * if the texture's sizes were powers of two. Source: Mesa's vc4 driver.
 *
 * The two raster types have consecutive rows, padded to the width of whole microtiles.
 */
#include "../../pixel/px_format.h"
#include "qpu_tex.h"

static const u8 type_bits[QPU_TEX_NUM_TYPES] = {
	[QPU_TEX_RGBA8888] = 32, [QPU_TEX_RGBX8888] = 32, [QPU_TEX_RGBA4444] = 16,
	[QPU_TEX_RGBA5551] = 16, [QPU_TEX_RGB565] = 16, [QPU_TEX_LUMINANCE] = 8,
	[QPU_TEX_ALPHA] = 8, [QPU_TEX_LUMALPHA] = 16, [QPU_TEX_ETC1] = 64,
	[QPU_TEX_S16F] = 16, [QPU_TEX_S8] = 8, [QPU_TEX_S16] = 16, [QPU_TEX_BW1] = 1,
	[QPU_TEX_A4] = 4, [QPU_TEX_A1] = 1, [QPU_TEX_RGBA64] = 64, [QPU_TEX_RGBA32R] = 32,
	[QPU_TEX_YUYV422R] = 16,
};

u32 qpu_tex_bits(u32 type)
{
	return type_bits[type];
}

static bool is_raster(u32 type)
{
	return type == QPU_TEX_RGBA32R || type == QPU_TEX_YUYV422R;
}

static u32 power_of_two(u32 n)
{
	u32 p = 1;

	while (p < n)
		p *= 2;
	return p;
}

static u32 align_shift(u32 n, u32 shift)
{
	return ((n - 1) >> shift) + 1;
}

/* Set up the layout of level @i. Return: its size in bytes. */
static u32 set_level(struct qpu_tex *tex, u32 i, u32 width, u32 height)
{
	u32 bits = type_bits[tex->type], ws = px_utile_wshift(bits), hs = px_utile_hshift(bits);
	struct qpu_tex_level *l = &tex->level[i];
	u32 bw = width, bh = height;

	l->width = max(width >> i, 1U);
	l->height = max(height >> i, 1U);
	if (tex->type == QPU_TEX_ETC1) {
		bw = align_shift(width, 2);
		bh = align_shift(height, 2);
	}
	if (i) {
		bw = max(power_of_two(bw) >> i, 1U);
		bh = max(power_of_two(bh) >> i, 1U);
	}
	l->t_format = false;
	if (is_raster(tex->type)) {
		l->stride = (align_shift(bw, ws) << ws) * bits / 8;
		return l->stride * bh;
	}
	if (bw <= 4U << ws || bh <= 4U << hs) {
		l->stride = align_shift(bw, ws);
		return l->stride * align_shift(bh, hs) * 64;
	}
	l->t_format = true;
	l->stride = align_shift(bw, ws + 3) * 8;
	return l->stride * align_shift(bh, hs + 3) * 8 * 64;
}

static void set_levels(struct qpu_tex *tex, u32 base, u32 width, u32 height)
{
	u32 i, bytes;

	for (i = 0; i < tex->nlevels; i++) {
		bytes = set_level(tex, i, width, height);
		if (i)
			base -= bytes;
		tex->level[i].addr = base;
	}
}

static u32 or_2048(u32 n)
{
	return n ? n : 2048;
}

/* Decode P2 or P3; a field in the word tells which kind it is. */
static void decode_extra(struct qpu_tex *tex, u32 word)
{
	switch (word >> 30) {
	case 1:
		tex->cube_stride = word & 0x3ffff000;
		tex->bias_only = word & 1;
		break;
	case 2:
		tex->child = true;
		tex->cheight = or_2048(word >> 12 & 0x7ff);
		tex->cwidth = or_2048(word & 0x7ff);
		break;
	case 3:
		tex->child = true;
		tex->cy = word >> 12 & 0x7ff;
		tex->cx = word & 0x7ff;
		break;
	default:
		break;
	}
}

static bool decode_filters(struct qpu_tex *tex, u32 p1)
{
	static const u8 mip[] = { 0, 0, 1, 2, 1, 2 };
	u32 min_filter = p1 >> 4 & 7;

	if (min_filter >= ARRAY_SIZE(mip))
		return false;
	tex->mag_near = p1 >> 7 & 1;
	tex->min_near = min_filter >= 1 && min_filter <= 3;
	tex->mip = mip[min_filter];
	/* 16-bit integers cannot be filtered. */
	if (tex->type == QPU_TEX_S16) {
		tex->mag_near = true;
		tex->min_near = true;
		tex->mip = min_t(u8, tex->mip, 1);
	}
	return true;
}

bool qpu_tex_config(const struct qpu_tmu *t, struct qpu_tex *tex)
{
	u32 p0 = t->config[0], p1 = t->config[1], i;
	u32 type = (p0 >> 4 & 0xf) | (p1 >> 31) << 4;
	u32 width = or_2048(p1 >> 8 & 0x7ff), height = or_2048(p1 >> 20 & 0x7ff);

	memset(tex, 0, offsetof(struct qpu_tex, level));
	if (type >= QPU_TEX_NUM_TYPES)
		return false;
	tex->type = type;
	tex->nlevels = (p0 & 0xf) + 1;
	tex->flip_y = p0 >> 8 & 1;
	tex->cube = p0 >> 9 & 1;
	tex->border = !tex->cube && (t->have & 2);
	tex->etc_flip = p1 >> 19 & 1;
	tex->wrap[0] = p1 & 3;
	tex->wrap[1] = p1 >> 2 & 3;
	if (!decode_filters(tex, p1))
		return false;
	tex->cwidth = width;
	tex->cheight = height;
	for (i = 2; i < t->nconfig; i++)
		decode_extra(tex, t->config[i]);
	set_levels(tex, p0 & 0xfffff000, width, height);
	return true;
}

u32 qpu_tex_addr(const struct qpu_tex *tex, const struct qpu_tex_level *l, u32 face, u32 x,
		 u32 y, u32 *bit)
{
	u32 bits = type_bits[tex->type], ws = px_utile_wshift(bits), hs = px_utile_hshift(bits);
	u32 base = l->addr + face * tex->cube_stride, utile, pos;

	*bit = 0;
	if (tex->type == QPU_TEX_YUYV422R)
		return base + y * l->stride + x / 2 * 4;
	if (is_raster(tex->type))
		return base + y * l->stride + x * 4;
	if (tex->type == QPU_TEX_ETC1) {
		x /= 4;
		y /= 4;
	}
	if (l->t_format)
		utile = px_t_utile(l->stride / 8, x >> ws, y >> hs);
	else
		utile = (y >> hs) * l->stride + (x >> ws);
	pos = ((y & ((1U << hs) - 1)) << ws | (x & ((1U << ws) - 1))) * bits;
	*bit = pos % 8;
	return base + utile * 64 + pos / 8;
}
