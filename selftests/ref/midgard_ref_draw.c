// SPDX-License-Identifier: GPL-2.0
/* Fragments of the Midgard reference model: inputs and framebuffer writes. */
#include <string.h>

#include "midgard_ref_int.h"
#include "midgard_ref_num.h"

/* Special varying buffers without memory. */
enum { POINT_COORD_MIN = 0x21, FRAG_COORD = 0x25, FRONT_FACING = 0x26, POINT_COORD_MAX = 0x61 };

/* Fields of the word in which a blend descriptor begins. */
#define BLEND_LOADS	0x1
#define BLEND_PROGRAM	0x2
#define BLEND_ENABLE	0x200

/* Twice the area, with y pointing down. */
static double area(const struct mrf_frag *f)
{
	return (f->pos[1][0] - f->pos[0][0]) * (f->pos[2][1] - f->pos[0][1]) -
		(f->pos[1][1] - f->pos[0][1]) * (f->pos[2][0] - f->pos[0][0]);
}

static bool front_facing(const struct mgr_draw *d)
{
	bool ccw = d->flags >> 5 & 1;

	return d->d.frag->size || (area(d->d.frag) < 0) == ccw;
}

static void stand_in(struct mrf *g, const struct mgr_draw *d, const struct mgr_thread *t,
		     unsigned int type, struct mrf_texel *x)
{
	struct mrf_frag f = *d->d.frag;

	switch (type) {
	case FRAG_COORD:
		x->v[0] = mrf_bits((float)t->x + 0.5f);
		x->v[1] = mrf_bits((float)t->y + 0.5f);
		mrf_ld_var_z(&f, t->x, t->y, &x->v[2]);
		mrf_ld_var_w(&f, t->x, t->y, &x->v[3]);
		break;
	case FRONT_FACING:
		x->kind = MRF_UINTS;
		x->v[0] = front_facing(d) ? ~0u : 0;
		break;
	case POINT_COORD_MIN:
	case POINT_COORD_MAX:
		f.from_bottom = type == POINT_COORD_MAX;
		mrf_ld_point(&f, t->x, t->y, x->v);
		/* a place in a texture, which a program may divide by w */
		x->v[3] = mrf_bits(1);
		break;
	default:
		mrf_fail(g, true, "varying buffer type %02x", type);
	}
}

void mgr_varying(struct mrf *g, const struct mgr_draw *d, const struct mgr_thread *t,
		 unsigned int index, unsigned int params, struct mrf_texel *x)
{
	uint64_t at = d->d.varyings + 8 * (uint64_t)index;
	unsigned int type;
	uint32_t w;

	if (!d->d.frag || index >= d->d.nvaryings) {
		mrf_fail(g, false, "varying %u of %u", index, d->d.nvaryings);
		return;
	}
	w = mrf_load(g, at);
	type = mrf_load(g, d->d.varbufs + 16 * (w & 511)) & 255;
	if ((type & 63) != 1) {
		stand_in(g, d, t, type, x);
		return;
	}
	mrf_texel_size(g, w >> 10, &x->kind);
	mrf_ld_var(g, &d->d, t->x, t->y, index, params >> 3 & 1 || x->kind != MRF_FLOATS,
		   params >> 4 & 1, 4, x->v);
}

uint32_t *mgr_target(struct mrf *g, const struct mgr_thread *t)
{
	if (t->x >= g->width || t->y >= g->height)
		return NULL;
	return &g->fb[t->y * g->width + t->x];
}

/* Blend program: gets the colour in r0, and writes the stored value unchanged. */
static void run_blend(struct mrf *g, const struct mgr_draw *d, const struct mgr_thread *t,
		      uint64_t program)
{
	struct mgr_thread b = *t;

	b.pc = program & ~15ull;
	b.tag = program & 15;
	b.blending = true;
	mgr_run_one(g, d, &b);
	if (!*g->error && !b.stored)
		mrf_fail(g, false, "blend program without a write");
}

static void blend(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t)
{
	/* the first render target: RGBA8 whose components are in order */
	uint32_t cvt = mrf_conversion(237u << 12 | 0x688, MRF_F32), color[4], flags, equation, i;
	uint32_t *texel = mgr_target(g, t);
	uint8_t bytes[4];

	flags = mrf_load(g, d->d.state + 64);
	equation = mrf_load(g, d->d.state + 72);
	if (!texel || !(flags & BLEND_ENABLE))
		return;
	if (flags & BLEND_PROGRAM) {
		run_blend(g, d, t, mrf_load64(g, d->d.state + 72));
		return;
	}
	for (i = 0; i < 4; i++)
		color[i] = mgr_word(&t->r[0], i);
	memcpy(bytes, texel, 4);
	if (flags & BLEND_LOADS || equation != 0xf0122122)
		mrf_fixed_function(g, equation, color, bytes);
	else
		mrf_pack(g, cvt, 4, color, bytes);
	if (!*g->error)
		memcpy(texel, bytes, 4);
}

/* Depth in r1.x, if the renderer state enables the program's depth. */
static bool depth_passes(struct mrf *g, const struct mgr_draw *d, const struct mgr_thread *t)
{
	uint32_t z = mgr_word(&t->r[1], 0);

	if ((mrf_load(g, d->d.state + 16) >> 8 & 3) != 3)
		mrf_ld_var_z(d->d.frag, t->x, t->y, &z);
	return mrf_zs_test(g, &d->d, t->x, t->y, z);
}

/* Render target, and in its low byte the sample; the first ones by default. */
static bool first_target(struct mrf *g, const struct mgr_thread *t)
{
	uint32_t target = t->r1_set & 0xf00 ? mgr_word(&t->r[1], 2) : 0;

	if (target)
		mrf_fail(g, true, "write to target %08x", target);
	return !target;
}

void mgr_write_out(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t)
{
	if (!first_target(g, t))
		return;
	if (!d->d.frag) {
		mrf_fail(g, false, "framebuffer write outside a draw");
		return;
	}
	if (t->blending) {
		*mgr_target(g, t) = mgr_word(&t->r[0], 0);
		t->stored = true;
		return;
	}
	if (t->covered && depth_passes(g, d, t) && !*g->error)
		blend(g, d, t);
}

static void quad(struct mrf *g, struct mrf_draw *md, unsigned int x, unsigned int y,
		 unsigned int primitive)
{
	const struct mgr_draw *d = (const struct mgr_draw *)md;
	struct mgr_thread t[4];
	bool any = false;
	unsigned int i;

	/* no program asks for it */
	(void)primitive;
	for (i = 0; i < 4; i++) {
		mgr_start(g, &t[i], d);
		t[i].lane = i;
		t[i].x = x + (i & 1);
		t[i].y = y + (i >> 1);
		t[i].covered = mrf_covers(md->frag, t[i].x, t[i].y);
		any |= t[i].covered;
	}
	if (!any)
		return;
	g->threads += 4;
	mgr_run_quad(g, d, t);
}

/* Invocation, primitive, draw descriptor, size of points. */
void mgr_draw_tiler(struct mrf *g, uint64_t job)
{
	struct mgr_draw d;

	if (!mrf_primitive(g, job + 40, true))
		return;
	mgr_draw_state(g, job + 64, &d);
	if (!*g->error)
		mrf_fragments(g, &d.d, job + 40, mrf_load64(g, job + 64 + 96),
			      mrf_load64(g, job + 64 + 16), mrf_load64(g, job + 184), quad);
}
