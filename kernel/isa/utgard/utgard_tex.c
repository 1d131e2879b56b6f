// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Texture descriptors of Utgard.
 */
#include "utgard_tex.h"

#define TILE		16	/* texels */
#define LAYOUT_TILED	3
#define MIP_LINEAR	3
#define DIM_3D		2

/* ---- formats ---- */

#define ONE	PX_SWZ_1
#define ZERO	PX_SWZ_0

/**
 * struct texel - texel format
 * @name:	name
 * @code:	format code
 * @comp:	enum px_comp
 * @bits:	component widths, lowest first
 * @swizzle:	as in struct px_format
 */
struct texel {
	const char *name;
	u8 code;
	u8 comp;
	u8 bits[4];
	u8 swizzle[4];
};

static const struct texel texels[] = {
	{ "L8", 0x09, PX_UNORM, { 8 }, { 0, 0, 0, ONE } },
	{ "A8", 0x0a, PX_UNORM, { 8 }, { ZERO, ZERO, ZERO, 0 } },
	{ "I8", 0x0b, PX_UNORM, { 8 }, { 0, 0, 0, 0 } },
	{ "BGR_565", 0x0e, PX_UNORM, { 5, 6, 5 }, { 2, 1, 0, ONE } },
	{ "BGRA_5551", 0x0f, PX_UNORM, { 5, 5, 5, 1 }, { 2, 1, 0, 3 } },
	{ "BGRA_4444", 0x10, PX_UNORM, { 4, 4, 4, 4 }, { 2, 1, 0, 3 } },
	{ "L8A8", 0x11, PX_UNORM, { 8, 8 }, { 0, 0, 0, 1 } },
	{ "L16", 0x12, PX_UNORM, { 16 }, { 0, 0, 0, ONE } },
	{ "A16", 0x13, PX_UNORM, { 16 }, { ZERO, ZERO, ZERO, 0 } },
	{ "I16", 0x14, PX_UNORM, { 16 }, { 0, 0, 0, 0 } },
	{ "RGB_888", 0x15, PX_UNORM, { 8, 8, 8 }, { 2, 1, 0, ONE } },
	{ "RGBA_8888", 0x16, PX_UNORM, { 8, 8, 8, 8 }, { 2, 1, 0, 3 } },
	{ "RGBX_8888", 0x17, PX_UNORM, { 8, 8, 8, 8 }, { 2, 1, 0, ONE } },
	{ "ETC1_RGB8", 0x20, PX_UNORM, { 8, 8, 8 }, { 0, 1, 2, ONE } },
	{ "L16_FLOAT", 0x22, PX_FLOAT, { 16 }, { 0, 0, 0, ONE } },
	{ "A16_FLOAT", 0x23, PX_FLOAT, { 16 }, { ZERO, ZERO, ZERO, 0 } },
	{ "I16_FLOAT", 0x24, PX_FLOAT, { 16 }, { 0, 0, 0, 0 } },
	{ "L16A16_FLOAT", 0x25, PX_FLOAT, { 16, 16 }, { 0, 0, 0, 1 } },
	{ "R16G16B16A16_FLOAT", 0x26, PX_FLOAT, { 16, 16, 16, 16 }, { 2, 1, 0, 3 } },
	{ "Z24X8", 0x2c, PX_UNORM, { 24, 8 }, { 0, 0, 0, ONE } },
	/* read by reloads of depth and stencil */
	{ "Z24S8", 0x32, PX_UNORM, { 24, 8 }, { 0, 1, ZERO, ONE } },
	{ "R16G16B16_FLOAT", 0x2f, PX_FLOAT, { 16, 16, 16 }, { 2, 1, 0, ONE } },
};

#define CODE_ETC1	0x20

static const struct texel *find_texel(u32 code)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(texels); i++)
		if (texels[i].code == code)
			return &texels[i];
	return NULL;
}

const char *utx_format_name(u32 code)
{
	const struct texel *t = find_texel(code);

	return t ? t->name : NULL;
}

static bool utx_set_format(struct px_format *f, u32 code, bool swap_rb)
{
	const struct texel *t = find_texel(code);
	u32 i, bits = 0;

	/* the red/blue swap is undefined for blocks */
	if (!t || (code == CODE_ETC1 && swap_rb))
		return false;
	f->layout = PX_PLAIN;
	f->comp = t->comp;
	for (i = 0; i < 4 && t->bits[i]; i++) {
		f->bits[i] = t->bits[i];
		bits += t->bits[i];
	}
	f->ncomp = (u8)i;
	f->bytes = (u8)(bits / 8);
	memcpy(f->swizzle, t->swizzle, sizeof(f->swizzle));
	if (swap_rb)
		swap(f->swizzle[0], f->swizzle[2]);
	if (code == CODE_ETC1) {
		f->layout = PX_ETC2;
		f->etc = PX_ETC2_RGB8;
		f->bytes = 8;
	}
	return true;
}

/* ---- descriptors ---- */

/* Read a descriptor field, which may continue in the next word. */
static u32 field(const u32 *w, u32 word, u32 at, u32 n)
{
	u64 v = w[word];

	if (at + n > 32)
		v |= (u64)w[word + 1] << 32;
	return (u32)(v >> at & ((1ULL << n) - 1));
}

u32 utx_levels(const u32 *w)
{
	u32 max = field(w, 1, 20, 8);

	return min_t(u32, DIV_ROUND_UP(max, 16) + 1, UTX_MAX_LEVELS);
}

static bool unknown_bits(const u32 *w, u32 *value)
{
	*value = field(w, 0, 11, 5) | field(w, 0, 31, 8) | field(w, 1, 8, 1) |
		 field(w, 5, 29, 16) | field(w, 6, 15, 15);
	if (utx_levels(w) <= UTX_SHORT_LEVELS)
		*value |= field(w, 15, 28, 4);
	return *value;
}

/*
 * LOD of samplers whose minification filter is nearest, 8.8. Mesa's bias has the opposite, 1/2 and
 * -1/16, with which a real Mali-450 passes tests of levels. Ties of the latter are the larger
 * image.
 */
#define MIN_NEAREST_BIAS	-128
#define ALL_NEAREST_BIAS	15

static void set_sampler(const u32 *w, struct tx_sampler *s)
{
	u32 i, bias = field(w, 1, 28, 9);

	s->normalized = !field(w, 1, 7, 1);
	s->min_lod = field(w, 1, 12, 8) << 4;
	s->max_lod = field(w, 1, 20, 8) << 4;
	s->lod_bias = ((s32)bias - (s32)(bias & 0x100) * 2) * 16;
	s->max_aniso = 1U << field(w, 2, 5, 3);
	s->mip = field(w, 2, 9, 2) == MIP_LINEAR ? TX_MIP_TRILINEAR : TX_MIP_NEAREST;
	s->min_nearest = field(w, 2, 11, 1);
	s->mag_nearest = field(w, 2, 12, 1);
	s->filter_first = true;
	if (s->min_nearest)
		s->lod_bias += s->mag_nearest && s->mip == TX_MIP_NEAREST ? ALL_NEAREST_BIAS :
									   MIN_NEAREST_BIAS;
	for (i = 0; i < 3; i++)
		s->wrap[i] = (u8)(TX_REPEAT + field(w, 2, 13 + 3 * i, 3));
}

/* Border colours are in units of 1 / 65535. */
static void set_border(const u32 *w, struct tx_sampler *s)
{
	static const struct px_format f = {
		.comp = PX_UNORM, .ncomp = 1, .bytes = 2, .bits = { 16 },
		.swizzle = { 0, ZERO, ZERO, ONE },
	};
	u32 i, at = 3 * 32 + 29, v[4];
	u16 c;

	for (i = 0; i < 4; i++, at += 16) {
		c = (u16)field(w, at / 32, at % 32, 16);
		px_unpack(&f, &c, v);
		s->border[i] = v[0];
	}
}

/* Bytes of a row of blocks or texels, @width columns wide. */
static u32 row_bytes(const struct px_format *f, u32 width)
{
	return (f->layout == PX_ETC2 ? DIV_ROUND_UP(width, 4) : width) * f->bytes;
}

static void set_surfaces(const u32 *w, struct tx_texture *x, struct tx_surface *surfaces,
			 u32 stride)
{
	u32 i, face, at = 6 * 32 + 30, width, height, layer, faces, row;
	struct tx_surface *s;

	faces = x->dim == TX_DIM_CUBE ? TX_CUBE_FACES : 1;
	for (i = 0; i < x->levels; i++, at += 26) {
		width = (tx_minify(x->width, i) + TILE - 1) & ~(TILE - 1U);
		height = (tx_minify(x->height, i) + TILE - 1) & ~(TILE - 1U);
		layer = row_bytes(&x->format, width) *
			(x->format.layout == PX_ETC2 ? height / 4 : height);
		row = x->order == PX_TILED || (!i && !stride) ? 0 :
		      i ? row_bytes(&x->format, width) : stride;
		for (face = 0; face < faces; face++) {
			s = &surfaces[i * faces + face];
			s->va = (u64)field(w, at / 32, at % 32, 26) << 6;
			s->va += s->va ? (u64)layer * face : 0;
			s->row_stride = (s32)row;
			s->surface_stride = (s32)layer;
		}
	}
	x->nsurfaces = x->levels * faces;
	x->surfaces = surfaces;
}

static enum utx_reason set_kind(const u32 *w, struct tx_texture *x)
{
	static const u8 dims[] = { TX_DIM_1D, TX_DIM_2D, TX_DIM_3D };
	u32 dim = field(w, 1, 10, 2);

	if (dim >= ARRAY_SIZE(dims))
		return UTX_BAD_DIM;
	x->dim = dims[dim];
	x->width = field(w, 2, 22, 13);
	x->height = dim ? field(w, 3, 3, 13) : 1;
	x->depth = dim == DIM_3D ? field(w, 3, 16, 13) : 1;
	/* cubes are bound as 3D */
	if (field(w, 1, 9, 1)) {
		if (!dim)
			return UTX_BAD_DIM;
		x->dim = TX_DIM_CUBE;
		x->depth = 1;
		if (x->width != x->height)
			return UTX_BAD_SIZE;
	}
	return x->width && x->height && x->depth ? UTX_OK : UTX_BAD_SIZE;
}

static enum utx_reason set_layout(const u32 *w, struct tx_texture *x, u32 *stride)
{
	u32 layout = field(w, 6, 13, 2);
	bool has_stride = field(w, 2, 8, 1);

	if (layout && layout != LAYOUT_TILED)
		return UTX_BAD_LAYOUT;
	x->order = layout ? PX_TILED : PX_LINEAR;
	*stride = has_stride ? field(w, 0, 16, 15) : 0;
	/* overlapping rows, or contradicting layouts */
	if (has_stride && (layout || *stride < row_bytes(&x->format, x->width)))
		return UTX_BAD_LAYOUT;
	return UTX_OK;
}

static bool is_empty(const u32 *w)
{
	u32 i;

	for (i = 0; i < UTX_SHORT_WORDS; i++)
		if (w[i])
			return false;
	return true;
}

static enum utx_reason check_bits(const u32 *w, u32 *value)
{
	if (unknown_bits(w, value))
		return UTX_UNKNOWN_BITS;
	*value = w[0];
	if (field(w, 0, 6, 1))
		return UTX_BAD_ORDER;
	if (field(w, 0, 8, 3))
		return UTX_BAD_RANGE;
	*value = w[2];
	return field(w, 2, 9, 2) % MIP_LINEAR ? UTX_BAD_FILTER : UTX_OK;
}

enum utx_reason utx_decode(const u32 *w, u64 va, struct tx_surface *surfaces,
			   struct utgard_tex *t, u32 *value)
{
	struct tx_texture *x = &t->tex;
	enum utx_reason why;
	u32 i, stride;

	memset(t, 0, sizeof(*t));
	*value = 0;
	if (is_empty(w))
		return UTX_OK;
	why = check_bits(w, value);
	if (why)
		return why;
	*value = field(w, 0, 0, 8);
	if (!utx_set_format(&x->format, field(w, 0, 0, 6), field(w, 0, 7, 1)))
		return UTX_BAD_FORMAT;
	*value = w[1];
	why = set_kind(w, x);
	if (why)
		return why;
	*value = w[6];
	why = set_layout(w, x, &stride);
	if (why)
		return why;
	x->array_size = 1;
	x->samples = 1;
	x->levels = utx_levels(w);
	x->max_lod = (x->levels - 1) << 8;
	for (i = 0; i < 4; i++)
		x->swizzle[i] = (u8)i;
	set_surfaces(w, x, surfaces, stride);
	set_sampler(w, &t->samp);
	set_border(w, &t->samp);
	x->va = va;
	t->samp.va = va;
	return UTX_OK;
}

static const char *const reasons[UTX_NUM_REASONS] = {
	[UTX_OK] = "no error",
	[UTX_MISALIGNED] = "address of a texture descriptor is not aligned",
	[UTX_BAD_FORMAT] = "unsupported texel format",
	[UTX_BAD_ORDER] = "unsupported order of a texel's components",
	[UTX_BAD_RANGE] = "unsupported range of a texel's components",
	[UTX_BAD_LAYOUT] = "unsupported layout or stride of a texture",
	[UTX_BAD_DIM] = "unknown dimension of a texture",
	[UTX_BAD_SIZE] = "impossible size of a texture",
	[UTX_BAD_FILTER] = "unknown filter between levels",
	[UTX_UNKNOWN_BITS] = "bits without known meaning in a texture descriptor",
	[UTX_BAD_KIND] = "instruction and texture do not agree that it is a cube",
};

/**
 * utx_reason_text - text of a reject reason
 * @reason: UTX_REASON + enum utx_reason
 *
 * Return: text, never NULL.
 */
const char *utx_reason_text(u32 reason)
{
	reason -= UTX_REASON;
	return reason < UTX_NUM_REASONS ? reasons[reason] : "?";
}
