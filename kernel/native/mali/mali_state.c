// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Fixed state of draws: renderer state, viewport, blend descriptors. */
#include "mali_frame.h"

#define STATE_WORDS	16
#define BLEND_BYTES	16
#define DEPTH_FROM_SHADER 3
#define ALWAYS		7

/* When tests are updated and pixels are killed; v6, v7. */
enum { FORCE_EARLY, STRONG_EARLY, FORCE_LATE, WEAK_EARLY };

static void setup_state(const struct mali_fb *fb, const u32 *draw, const u32 *w,
			struct mali_state *s)
{
	s->d.single = fb->samples > 1 && !mali_bits(w, 8, 16, 1);
	s->d.rs = (struct vr_state){
		.flags = mali_cull(draw),
		.samples = s->d.single ? 1 : fb->samples,
		.sample_mask = s->d.single ? 1 : mali_bits(w, 8, 0, 16),
		.width = fb->width,
		.height = fb->height,
		.scissor = { 0, 0, fb->width - 1, fb->height - 1 },
	};
	/* lines of several samples are rectangles */
	if (s->d.rs.samples == 1 || mali_bits(w, 9, 30, 1))
		s->d.rs.flags |= VR_LINE_ALIGNED;
}

static int read_viewport(struct mali_parser *p, u64 va, struct mali_state *s)
{
	u32 w[8];
	int ret;

	s->d.depth.range[1] = 0x3f800000;
	if (!va)
		return 0;
	ret = mali_words(p, va, w, 8, 32, "viewport");
	if (ret)
		return ret;
	s->d.depth.range[0] = w[4];
	s->d.depth.range[1] = w[5];
	s->d.rs.scissor[0] = w[6] & 0xffff;
	s->d.rs.scissor[1] = w[6] >> 16;
	s->d.rs.scissor[2] = w[7] & 0xffff;
	s->d.rs.scissor[3] = w[7] >> 16;
	return 0;
}

static void depth_state(const struct mali_fb *fb, const u32 *w, struct mali_state *s)
{
	static const u8 bits[VR_NUM_ZFORMATS] = { [VR_Z16] = 16, [VR_Z24] = 24 };

	s->d.depth.bits = bits[fb->zformat];
	s->d.depth.units = w[5];
	s->d.depth.factor = w[6];
	s->d.depth.clamp = w[7];
	if (mali_bits(w, 9, 28, 1))
		s->d.depth.flags |= VR_DEPTH_OFFSET_FRONT;
	if (mali_bits(w, 9, 29, 1))
		s->d.depth.flags |= VR_DEPTH_OFFSET_BACK;
	if (mali_bits(w, 8, 28, 1))
		s->d.depth.flags |= VR_DEPTH_CLIP_NEAR;
	if (mali_bits(w, 8, 29, 1))
		s->d.depth.flags |= VR_DEPTH_CLIP_FAR;
	s->d.zs.func = mali_bits(w, 8, 24, 3);
	if (s->d.zs.func != ALWAYS)
		s->d.zs.flags |= VR_DEPTH_TEST;
	if (mali_bits(w, 8, 27, 1))
		s->d.zs.flags |= VR_DEPTH_WRITE;
}

static void stencil_state(const u32 *w, struct mali_state *s)
{
	u32 i;

	if (mali_bits(w, 9, 16, 1))
		s->d.zs.flags |= VR_STENCIL_TEST;
	for (i = 0; i < 2; i++)
		s->d.zs.side[i] = mali_stencil(w[10 + i], mali_bits(w, 9, 8 * i, 8));
}

/* v6 and v7 have no alpha test. */
static u32 alpha_func(const struct mali_parser *p, const u32 *w)
{
	return p->arch->midgard ? mali_bits(w, 9, 21, 3) : ALWAYS;
}

/* Are tests and updates after the program? */
static bool is_late(const struct mali_parser *p, const u32 *w)
{
	bool writes = mali_bits(w, 4, 8, 2) == DEPTH_FROM_SHADER || mali_bits(w, 4, 28, 1);
	bool modifies = mali_bits(w, 9, 17, 1) || alpha_func(p, w) != ALWAYS;
	u32 update = mali_bits(w, 4, 23, 2);

	if (p->arch->midgard)
		return !mali_bits(w, 4, 10, 1) && (mali_bits(w, 4, 12, 1) || modifies || writes);
	return update == FORCE_LATE ||
	       (update != FORCE_EARLY && (modifies || mali_bits(w, 4, 16, 1)));
}

static int read_blend(struct mali_parser *p, u64 va, struct mali_frag *f)
{
	u32 i, w[4];
	int ret;

	for (i = 0; i < f->ntargets; i++) {
		ret = mali_words(p, va + BLEND_BYTES * i, w, 4, 16, "blend");
		if (ret)
			return ret;
		f->blend[i] = (struct mali_blend){ w[0], w[1], { w[2], w[3] } };
	}
	return 0;
}

/* State that no driver is known to set. */
static int unsupported(struct mali_parser *p, u64 va, const u32 *draw, const u32 *w,
		       const struct mali_state *s)
{
	if (mali_bits(w, 8, 30, 2))
		return mali_reject_at(p, MALI_BAD_DRAW, "fragment depth discard", va + 32, w[8]);
	if (mali_bits(w, 9, 18, 1))
		return mali_reject_at(p, MALI_BAD_DRAW, "alpha to coverage invert", va + 36, w[9]);
	if (mali_bits(w, 9, 31, 1))
		return mali_reject_at(p, MALI_BAD_DRAW, "point snap", va + 36, w[9]);
	if (draw[2])
		return mali_reject_at(p, MALI_BAD_DRAW, "primitive index base", s->d.id + 8,
				      draw[2]);
	return 0;
}

int mali_state_read(struct mali_parser *p, const struct mali_fb *fb, const u32 *draw,
		    struct mali_state *s)
{
	u64 va = s->launch->state_va;
	struct mali_frag *f = &s->frag;
	u32 w[STATE_WORDS], query;
	int ret;

	ret = mali_words(p, va, w, STATE_WORDS, 64, "state");
	if (!ret)
		ret = unsupported(p, va, draw, w, s);
	if (ret)
		return ret;
	setup_state(fb, draw, w, s);
	depth_state(fb, w, s);
	stencil_state(w, s);
	ret = read_viewport(p, mali_u64(draw, MALI_DRAW_VIEWPORT), s);
	if (ret)
		return ret;
	s->d.depth.flags |= s->prim.cull;
	query = mali_bits(draw, 0, 3, 2);
	if (query & 1)
		s->occlusion = mali_u64(draw, MALI_DRAW_OCCLUSION);
	/* the counters of v4 and v5 have four samples in a pixel, whatever the frame has */
	if (query == 3)
		s->counts = p->arch->midgard && fb->samples == 1 ? 4 : 1;
	s->d.loads = mali_bits(draw, 0, 11, 1);
	*f = (struct mali_frag){
		.width = fb->width, .height = fb->height, .prim = MALI_PRIM_TRIANGLE,
		.ntargets = fb->ntargets, .samples = fb->samples > 1 ? fb->samples : 0,
		.sample_positions = fb->sample_positions, .sample_mask = mali_bits(w, 8, 0, 16),
		.flags = (mali_bits(w, 4, 8, 2) == DEPTH_FROM_SHADER ? MALI_FRAG_SHADER_Z : 0) |
			 (mali_bits(w, 4, 28, 1) ? MALI_FRAG_SHADER_S : 0) |
			 (is_late(p, w) ? MALI_FRAG_LATE : 0) |
			 (mali_bits(w, 9, 17, 1) ? MALI_FRAG_ALPHA_TO_COVERAGE : 0),
	};
	f->alpha_func = alpha_func(p, w);
	f->alpha_ref = w[12];
	s->d.whole = f->sample_mask;
	s->d.zs_only = !s->launch->prog.va;
	if (f->alpha_func != ALWAYS)
		f->flags |= MALI_FRAG_ALPHA_TEST;
	if (mali_bits(w, 8, 18, 1) && fb->samples > 1)
		f->flags |= MALI_FRAG_PER_SAMPLE;
	if (!p->arch->midgard && mali_bits(w, 4, 27, 1))
		f->flags |= MALI_FRAG_POINT_UP;
	return read_blend(p, va + STATE_WORDS * sizeof(*w), f);
}
