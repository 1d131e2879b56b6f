// SPDX-License-Identifier: GPL-2.0
/*
 * Draws of the Bifrost reference model: the subset needed by single triangles over a
 * whole framebuffer. Position and varying programs run for each vertex, then fragment
 * programs for each quad of each triangle in order. Depth is tested where the program
 * outputs it.
 */
#include <math.h>
#include <string.h>

#include "bifrost_ref_int.h"
#include "bifrost_ref_num.h"

#define POSITIONS	0x7f000000ull	/* where the position program stores, 16 bytes each */

static void poison(struct bfr_thread *t, uint64_t pc)
{
	unsigned int i;

	memset(t, 0, sizeof(*t));
	for (i = 0; i < 64; i++)
		t->r[i] = BFR_POISON;
	t->t[0] = BFR_POISON;
	t->t[1] = BFR_POISON;
	t->covered = true;
	t->pc = pc;
}

static void vertices(struct mrf *g, uint64_t dcd, unsigned int n)
{
	uint64_t second;
	struct mrf_draw d;
	struct bfr_thread t;
	uint32_t preload;
	unsigned int i;

	bfr_draw_state(g, dcd, &d, &preload);
	second = mrf_load64(g, d.state + 56);
	for (i = 0; i < n && !*g->error; i++) {
		uint64_t to = POSITIONS + 16 * i;

		poison(&t, d.code);
		t.r[58] = (uint32_t)to;
		t.r[59] = (uint32_t)(to >> 32);
		t.r[61] = i;
		t.r[62] = 0;
		bfr_run_one(g, &d, &t);
		if (!second)
			continue;
		poison(&t, second & ~15ull);
		t.r[61] = i;
		t.r[62] = 0;
		bfr_run_one(g, &d, &t);
	}
	g->threads += n;
}

/* A varying or texture result that is in registers before the program begins. */
static void message(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t, uint32_t m,
		    unsigned int reg)
{
	unsigned int type = m & 15, n = (m >> 11 & 3) + 1, i;
	uint32_t v[4] = { 0 };

	if (!type)
		return;
	if (type != 1) {
		mrf_fail(g, true, "preloaded texture");
		return;
	}
	mrf_ld_var(g, d, t->x, t->y, m >> 4 & 31, false, true, n, v);
	for (i = 0; i < n; i++)
		if (m >> 9 & 3)
			t->r[reg + i / 2] = (i & 1 ? t->r[reg + i / 2] & 0xffff : 0) |
				(uint32_t)mrf_to_half(mrf_f(v[i]), MRF_RTE) << (16 * (i & 1));
		else
			t->r[reg + i] = v[i];
}

static void quad(struct mrf *g, struct mrf_draw *d, unsigned int x, unsigned int y,
		 unsigned int primitive)
{
	uint32_t messages = mrf_load(g, d->state + 60), preload = mrf_load(g, d->state + 48);
	struct bfr_thread t[4];
	bool any = false;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		poison(&t[i], d->code);
		t[i].lane = i;
		t[i].x = x + (i & 1);
		t[i].y = y + (i >> 1);
		t[i].covered = mrf_covers(d->frag, t[i].x, t[i].y);
		any |= t[i].covered;
	}
	if (!any)
		return;
	for (i = 0; i < 4; i++) {
		if (preload >> 9 & 1)
			t[i].r[57] = primitive;
		if (preload >> 10 & 1)
			t[i].r[58] = 0;
		if (preload >> 11 & 1)
			t[i].r[59] = t[i].x | t[i].y << 16;
		t[i].r[60] = t[i].covered ? 0xffff : 0;
		if (preload >> 13 & 1)
			t[i].r[61] = t[i].r[60];
		message(g, d, &t[i], messages & 0xffff, 0);
		message(g, d, &t[i], messages >> 16, 4);
	}
	g->threads += 4;
	bfr_run_quad(g, d, t);
}

/* Primitives at @job + 40 with the fragment program of the descriptor at @job + 128. */
static void fragments(struct mrf *g, uint64_t job, uint64_t positions)
{
	struct mrf_draw d;
	uint32_t preload;

	bfr_draw_state(g, job + 128, &d, &preload);
	mrf_fragments(g, &d, job + 40, mrf_load64(g, job + 128 + 96), positions,
		      mrf_load64(g, job + 64), quad);
}

void bfr_ld_tile(struct mrf *g, const struct mrf_draw *d, const struct bfr_thread *t,
		 const uint32_t *s, uint32_t *color)
{
	uint32_t v;
	unsigned int i;

	if (!d->frag || s[0] != 0xff000000 || s[2] != (237 << 12 | 1 << 24)) {
		mrf_fail(g, true, "pixel %08x of the tile buffer as %08x", s[0], s[2]);
		return;
	}
	v = t->covered ? g->fb[t->y * g->width + t->x] : 0;
	for (i = 0; i < 4; i++)
		color[i] = mrf_bits((float)(v >> 8 * i & 255) / 255);
}

void bfr_blend(struct mrf *g, const struct mrf_draw *d, const struct bfr_thread *t,
	       const uint32_t *desc, const uint32_t *color)
{
	uint64_t blend = d->state + 64;
	uint32_t mode = desc[0] & 3, cvt = desc[1];
	uint8_t texel[16] = { 0 };
	uint32_t *to;

	if (!d->frag || mode < 1 || mode > 2) {
		mrf_fail(g, true, "blend mode %u", mode);
		return;
	}
	if (!t->covered || t->x >= g->width || t->y >= g->height)
		return;
	to = &g->fb[t->y * g->width + t->x];
	if (mode == 1) {
		mrf_pack(g, cvt, 4, color, texel);
	} else if ((cvt >> 24 & 7) != MRF_F32 || (cvt & 0x3fffff) != 237 << 12) {
		mrf_fail(g, true, "blending into %08x", cvt);
	} else {
		memcpy(texel, to, 4);
		mrf_fixed_function(g, mrf_load(g, blend + 4), color, texel);
	}
	if (!*g->error)
		memcpy(to, texel, 4);
}

/* Primitive, then descriptors of the fragments and of the vertices. */
void bfr_draw_job(struct mrf *g, uint64_t job)
{
	if (!mrf_primitive(g, job + 40, false))
		return;
	if (!mrf_at(g, POSITIONS, 16) && !mrf_map(g, POSITIONS, 16 * MRF_VERTICES_MAX)) {
		mrf_fail(g, false, "no room for positions");
		return;
	}
	vertices(g, job + 256, mrf_load(g, job + 52) + 1);
	if (!*g->error)
		fragments(g, job, POSITIONS);
}

/* Rasterise a vertex job's output at the addresses in the tiler job's descriptors. */
void bfr_draw_tiler(struct mrf *g, uint64_t job)
{
	if (mrf_primitive(g, job + 40, true))
		fragments(g, job, mrf_load64(g, job + 128 + 16));
}
