// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 pictures: coverage, interpolation, and the fragments of a block of 8 x 8 pixels: texels
 * of all its quads, then lighting and combiners, then its quads are written. Steps are a fragment,
 * a quad's texels, a block or a tile of 64 x 64.
 */
#include "../../engine/vs_intern.h"
#include "pica_fp.h"

#define WEIGHT_TRIANGLE	40
#define WEIGHT_TILE	8
#define WEIGHT_BLOCK	16
#define WEIGHT_WORD	4	/* interpolated for a block */
#define WEIGHT_QUAD	16
#define WEIGHT_QUAD_WORD 2	/* interpolated for a quad */

/* ---- interpolation ---- */

static void set_values(struct pica_paint *p, u32 quads, u32 a, u32 b, u32 c)
{
	u32 q;

	for (q = 0; q < VR_QUADS; q++) {
		if (!(quads >> q & 1))
			continue;
		p->values[q][0] = a;
		p->values[q][1] = b;
		p->values[q][2] = c;
	}
}

/* Interpolate what the fragments of some quads of a block need. In an FPU section. */
static void pica_shade_interpolate(struct pica_paint *p, enum vs_simd simd, u32 quads)
{
	const struct pica_frag *f = p->frag;
	u32 q, i, x, y;

	for (q = 0; q < VR_QUADS; q++) {
		if (!(quads >> q & 1))
			continue;
		x = p->block.x + 2 * (q % 4);
		y = p->block.y + 2 * (q / 4);
		vr_weights_quad(simd, &p->w, q, &p->prim, p->inv_w, x, y, NULL);
		vr_weights_quad(simd, &p->w_linear, q, &p->prim, NULL, x, y, NULL);
	}
	set_values(p, quads, p->z[0], p->z[1], p->z[2]);
	vr_interpolate(simd, f->w_buffer ? &p->w : &p->w_linear, quads,
		       (const u32 (*)[3])p->values, p->depth);
	for (i = 0; i < PICA_V_WORDS; i++) {
		if (!(f->words >> i & 1))
			continue;
		set_values(p, quads, p->v[0][i], p->v[1][i], p->v[2][i]);
		vr_interpolate(simd, &p->w, quads, (const u32 (*)[3])p->values, p->lane[i]);
	}
}

/* ---- builds ---- */

#if defined(__x86_64__)
#define FP_CALL(simd, name, ...)						\
	do {									\
		enum vs_simd simd_ = (simd);					\
										\
		if (VS_BUILT(avx2) && simd_ >= VS_SIMD_AVX2)			\
			pica_fp_##name##_avx2(__VA_ARGS__);			\
		else if (VS_BUILT(sse2) && simd_ == VS_SIMD_SSE2)		\
			pica_fp_##name##_sse2(__VA_ARGS__);			\
	} while (0)
#elif defined(__aarch64__)
#define FP_CALL(simd, name, ...)						\
	do {									\
		if ((simd) == VS_SIMD_NEON)					\
			pica_fp_##name##_neon(__VA_ARGS__);			\
	} while (0)
#else
#define FP_CALL(simd, name, ...)	((void)(simd))
#endif

/* Without vectors each quad is interpolated in a step of its own. */
static void begin_block(struct pica_paint *p, enum vs_simd simd)
{
	u32 saved;

	memset(p->lanes.placed, 0, sizeof(p->lanes.placed));
	if (simd != VS_SIMD_PORTABLE) {
		saved = vs_fpu_begin(simd, VS_FPU_NEAREST);
		pica_shade_interpolate(p, simd, p->block.quads);
		FP_CALL(simd, prepare, p->frag, (const u32 (*)[VS_LANES])p->lane, &p->lanes);
		vs_fpu_end(simd, saved);
	}
	p->lanes.cover = 0;
	p->lanes.lit = 0;
	p->quad = 0;
	p->pixel = 0;
	p->shading = false;
	p->charge += WEIGHT_BLOCK + WEIGHT_WORD * hweight32(p->frag->words);
}

/* ---- sources ---- */

static bool is_excluded(const struct pica_frag *f, s32 x, s32 y)
{
	return f->exclude && x >= f->box[0] && x <= f->box[2] && y >= f->box[1] && y <= f->box[3];
}

static u32 pixel_x(const struct pica_paint *p, u32 k)
{
	return p->block.x + 2 * (p->quad % 4) + k % 2;
}

static u32 pixel_y(const struct pica_paint *p, u32 k)
{
	return p->block.y + 2 * (p->quad / 4) + k / 2;
}

/* The attributes of vertices, interpolated. */
static void get_vertex(const struct pica_paint *p, u32 k, struct pica_pixel *px)
{
	u32 i;

	for (i = 0; i < PICA_V_WORDS; i++)
		px->v[i] = p->lane[i][4 * p->quad + k];
}

static void put_source(struct pica_paint *p, u32 src, u32 k, const u8 c[4])
{
	u32 i;

	for (i = 0; i < 4; i++)
		p->lanes.src[src][i][4 * p->quad + k] = c[i];
}

/* Do units read where the block's lanes say? */
static bool is_placed(const struct pica_paint *p)
{
	u32 i;

	for (i = 0; i < PICA_NUM_UNITS; i++) {
		if (p->frag->unit[i].on && (~p->lanes.placed[i] >> (4 * p->quad) & 15))
			return false;
	}
	return !(p->frag->r[PICA_REG_TEX_CONFIG] >> 10 & 1);
}

static u32 get_cover(const struct pica_paint *p)
{
	u32 k, mask = 0;

	for (k = 0; k < 4; k++) {
		if (VR_PIXEL(p->block.cover[p->quad], k) &&
		    !is_excluded(p->frag, (s32)pixel_x(p, k), (s32)pixel_y(p, k)))
			mask |= 1U << k;
	}
	return mask;
}

/* All pixels of a quad have coordinates: textures need their differences. */
static void source_quad(struct pica_paint *p, enum vs_simd simd)
{
	const struct pica_frag *f = p->frag;
	u32 k, i, mask = get_cover(p);
	s32 lod = 0;
	u8 c[4];

	p->charge += WEIGHT_QUAD + WEIGHT_QUAD_WORD * hweight32(f->words);
	if (!mask)
		return;
	if (simd == VS_SIMD_PORTABLE)
		pica_shade_interpolate(p, simd, 1U << p->quad);
	p->lanes.cover |= (u64)mask << (4 * p->quad);
	for (k = 0; k < 4 && !is_placed(p); k++)
		get_vertex(p, k, &p->px[k]);
	for (k = 0; k < 4 && simd == VS_SIMD_PORTABLE; k++) {
		for (i = 0; i < 4; i++)
			c[i] = pica_unorm8(p->lane[PICA_V_COLOUR + i][4 * p->quad + k], true);
		put_source(p, PICA_SRC_PRIMARY, k, c);
	}
	for (i = 0; i < PICA_NUM_UNITS && !p->mem.bad; i++) {
		if (f->unit[i].on)
			pica_tex_quad(p, i, mask);
	}
	if (f->r[PICA_REG_TEX_CONFIG] >> 10 & 1)
		lod = pica_proctex_lod(f, p->px);
	for (k = 0; k < 4 && f->r[PICA_REG_TEX_CONFIG] >> 10 & 1; k++) {
		if (!(mask >> k & 1))
			continue;
		pica_proctex(f, &p->px[k], lod);
		put_source(p, PICA_SRC_TEX3, k, p->px[k].src[PICA_SRC_TEX3]);
	}
	p->charge += hweight32(mask) * f->source_weight;
}

/* ---- fragments ---- */

static void pica_shade_block(struct pica_paint *p, enum vs_simd simd)
{
	u32 saved;

	p->shading = true;
	if (!p->lanes.cover)
		return;
	saved = vs_fpu_begin(simd, VS_FPU_NEAREST);
	if (p->frag->lit)
		FP_CALL(simd, light, p->frag, (const u32 (*)[VS_LANES])p->lane, &p->lanes);
	FP_CALL(simd, combine, p->frag, &p->lanes);
	vs_fpu_end(simd, saved);
	p->quad = 0;
	p->charge += p->frag->block_weight;
}

/* Of the pixel that is debugged, the vertex and texels. */
static void note_sources(struct pica_paint *p, struct pica_pixel *px)
{
	const u32 begin[6] = { px->x, px->y, px->z, pica_word(px->src[PICA_SRC_PRIMARY]),
			       p->watch.list_offset };
	const struct pica_frag *f = p->frag;
	u32 i;

	px->watch = &p->watch;
	pica_note(px, PICA_STEP_BEGIN, 0, begin);
	for (i = 0; i < PICA_NUM_UNITS; i++) {
		const u32 *at = &px->v[f->unit[i].coord];
		const u32 v[6] = { at[0], at[1], px->v[PICA_V_TC0W],
				   pica_word(px->src[PICA_SRC_TEX0 + i]) };

		if (f->unit[i].on)
			pica_note(px, PICA_STEP_TEXTURE, i, v);
	}
	if (f->r[PICA_REG_TEX_CONFIG] >> 10 & 1) {
		const u32 *at = pica_proctex_coords(f, px);
		const u32 v[6] = { at[0], at[1], 0, pica_word(px->src[PICA_SRC_TEX3]) };

		pica_note(px, PICA_STEP_TEXTURE, 3, v);
	}
}

/* The part of a pixel that is not calculated for the block as a whole. */
static void shade_pixel(struct pica_paint *p, u32 k, enum vs_simd simd)
{
	u32 lane = 4 * p->quad + k, i, n;
	const struct pica_frag *f = p->frag;
	struct pica_pixel *px = &p->px[k];
	bool watched;

	px->x = pixel_x(p, k);
	px->y = pixel_y(p, k);
	px->z = pf_clamp01(p->depth[lane]);
	px->watch = NULL;
	watched = p->watch.dbg && px->x == p->watch.x && px->y == p->watch.y;
	if (simd != VS_SIMD_PORTABLE && !watched && (!f->lit || p->lanes.lit >> lane & 1)) {
		for (i = 0; i < 4; i++)
			px->out[i] = p->lanes.out[i][lane];
	} else {
		get_vertex(p, k, px);
		for (n = 0; n < PICA_NUM_SRCS; n++) {
			for (i = 0; i < 4; i++)
				px->src[n][i] = p->lanes.src[n][i][lane];
		}
		if (watched)
			note_sources(p, px);
		if (f->lit)
			pica_light(f, px);
		pica_combine(f, px);
	}
	pica_output(p, px);
}

/* The rest of a quad, or a part of it: lights may take long. @end: charge after which to stop */
static void shade_quad(struct pica_paint *p, enum vs_simd simd, u64 end)
{
	u32 mask = p->lanes.cover >> (4 * p->quad) & 15;

	for (; p->pixel < 4 && p->charge < end && !p->mem.bad; p->pixel++) {
		if (!(mask >> p->pixel & 1))
			continue;
		shade_pixel(p, p->pixel, simd);
		p->charge += p->frag->weight;
	}
	if (p->pixel < 4)
		return;
	p->pixel = 0;
	p->quad++;
}

static void step_quad(struct pica_paint *p, enum vs_simd simd, u64 end)
{
	if (p->shading) {
		shade_quad(p, simd, end);
		return;
	}
	if (p->block.quads >> p->quad & 1)
		source_quad(p, simd);
	p->quad++;
}

/* ---- steps ---- */

/* Next block of the tile. */
static void step_block(struct pica_paint *p, enum vs_simd simd)
{
	if (vr_walk_next(&p->walk, &p->block))
		begin_block(p, simd);
	else
		p->in_tile = false;
}

/* Next tile of the triangle, row by row. */
static void step_tile(struct pica_paint *p)
{
	const s32 *box = p->prim.box;

	p->charge += WEIGHT_TILE;
	if (p->tile[1] > (u32)box[3] / VR_TILE) {
		p->in_prim = false;
		return;
	}
	p->in_tile = vr_walk_begin(&p->walk, &p->prim, p->tile[0], p->tile[1]);
	p->quad = VR_QUADS;
	p->shading = true;
	if (p->tile[0]++ >= (u32)box[2] / VR_TILE) {
		p->tile[0] = (u32)box[0] / VR_TILE;
		p->tile[1]++;
	}
}

static void step_triangle(struct pica_paint *p)
{
	p->charge += WEIGHT_TRIANGLE;
	p->in_prim = pica_paint_setup(p);
	p->tile[0] = (u32)p->prim.box[0] / VR_TILE;
	p->tile[1] = (u32)p->prim.box[1] / VR_TILE;
}

/**
 * pica_paint_is_busy - is a triangle in progress?
 * @p: state
 *
 * Return: pica_paint_step() has something to do.
 */
bool pica_paint_is_busy(const struct pica_paint *p)
{
	return !p->mem.bad && (p->in_prim || p->fan < p->ncorners);
}

/**
 * pica_paint_step - draw a part of the triangle in progress
 * @p: state
 * @simd: executor
 * @weight: weight after which to stop; exceeded by a step's at most
 */
void pica_paint_step(struct pica_paint *p, enum vs_simd simd, u64 weight)
{
	u64 end = p->charge + weight;

	while (p->charge < end && pica_paint_is_busy(p)) {
		if (!p->in_prim)
			step_triangle(p);
		else if (!p->in_tile)
			step_tile(p);
		else if (p->quad < VR_QUADS)
			step_quad(p, simd, end);
		else if (!p->shading)
			pica_shade_block(p, simd);
		else
			step_block(p, simd);
	}
}
