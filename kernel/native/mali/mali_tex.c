// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Textures and samplers. v6 and v7 have tables of descriptors, whose images are listed
 * elsewhere; v4 and v5 have a table of addresses of textures, whose images follow them.
 */
#include "mali_desc.h"

#define DESC_SIZE	32
#define DESC_WORDS	8
#define TYPE_SAMPLER	1
#define TYPE_TEXTURE	2

/* Forms of the image list of v4 and v5; v6 and v7 have the last one. */
enum surface_form { SURF_32, SURF_64, SURF_32_ROW, SURF_64_STRIDES };

static int read_surface(struct mali_parser *p, u64 va, enum surface_form form, u32 i,
			struct tx_surface *s)
{
	static const u8 words[] = { [SURF_32] = 1, [SURF_64] = 2, [SURF_32_ROW] = 2,
				    [SURF_64_STRIDES] = 4 };
	u32 n = words[form], w[4] = {};
	int ret;

	*s = (struct tx_surface){ };
	ret = mali_words(p, va + (u64)i * n * sizeof(*w), w, n, form == SURF_32 ? 4 : 8,
			 "surface");
	if (ret)
		return ret;
	switch (form) {
	case SURF_32:
		s->va = w[0];
		break;
	case SURF_64:
		s->va = mali_u64(w, 0);
		break;
	case SURF_32_ROW:
		s->va = w[0];
		s->row_stride = (s32)w[1];
		break;
	case SURF_64_STRIDES:
		s->va = mali_u64(w, 0);
		s->row_stride = (s32)w[2];
		s->surface_stride = (s32)w[3];
		break;
	}
	return 0;
}

/* Slices of 3D are addressed by the stride, samples are separate images. */
static int begin_surfaces(struct mali_reader *r, u64 va, enum surface_form form,
			  struct tx_texture *t)
{
	u64 n = (u64)t->levels * t->array_size * t->samples;
	void *mem;
	int ret;

	if (t->dim == TX_DIM_CUBE)
		n *= TX_CUBE_FACES;
	if (!va)
		return mali_reject_at(&r->p, MALI_NULL_POINTER, "surfaces", t->va, n);
	ret = mali_take(&r->p, n, sizeof(*t->surfaces), "surfaces", &mem);
	if (ret)
		return ret;
	t->surfaces = mem;
	t->nsurfaces = (u32)n;
	t->level_inner = r->p.arch->level_inner;
	r->in_texture = true;
	r->surface = 0;
	r->surfaces = va;
	r->form = form;
	return 0;
}

static int read_surfaces(struct mali_reader *r, struct tx_texture *t)
{
	int ret;

	for (; r->surface < t->nsurfaces; r->surface++) {
		if (!mali_reader_more(r))
			return -EAGAIN;
		ret = read_surface(&r->p, r->surfaces, (enum surface_form)r->form, r->surface,
				   &t->surfaces[r->surface]);
		if (ret)
			return ret;
	}
	r->in_texture = false;
	return 0;
}

/* Drivers leave unbound entries zeroed. */
static bool mali_tex_is_empty(const u32 *w)
{
	u32 i;

	for (i = 0; i < DESC_WORDS; i++)
		if (w[i])
			return false;
	return true;
}

/*
 * Drivers count entries that no instruction uses and that hold anything: what is wrong with one is
 * noted there. Return: an error that does not only affect this entry.
 */
static int note_bad(struct mali_parser *p, int ret, const struct mali_reject *why, u8 *bad,
		    u64 *va, u32 *value)
{
	if (ret == -ENOEXEC && why->reason != MALI_MISALIGNED) {
		*bad = why->reason;
		*va = why->va;
		*value = (u32)why->value;
		return 0;
	}
	if (ret == -ENOEXEC || ret == -E2BIG)
		*p->why = *why;
	return ret;
}

static void set_swizzle(u32 bits, struct tx_texture *t)
{
	u32 i;

	for (i = 0; i < 4; i++)
		t->swizzle[i] = bits >> (3 * i) & 7;
}

/* Check the fields that both forms of a texture share. */
static int check_texture(struct mali_parser *p, struct tx_texture *t, u32 format)
{
	u32 i;

	if (!mali_format_decode(p->c->arch, format, &t->format))
		return mali_reject_at(p, MALI_BAD_FORMAT, "texture format", t->va, format);
	if (t->order != PX_TILED && t->order != PX_LINEAR)
		return mali_reject_at(p, MALI_BAD_LAYOUT, "texel ordering", t->va, t->order);
	for (i = 0; i < 4; i++)
		if (t->swizzle[i] > PX_SWZ_1)
			return mali_reject_at(p, MALI_BAD_FORMAT, "swizzle", t->va,
					      t->swizzle[i]);
	return 0;
}

static int read_midgard_texture(struct mali_reader *r, u64 va, struct tx_texture *t)
{
	struct mali_parser *p = &r->p;
	u32 w[DESC_WORDS];
	int ret;

	ret = mali_words(p, va, w, DESC_WORDS, 64, "texture");
	if (ret)
		return ret;
	t->va = va;
	t->width = mali_bits(w, 0, 0, 16) + 1;
	t->height = mali_bits(w, 0, 16, 16) + 1;
	t->dim = mali_bits(w, 2, 22, 2);
	/* The same bits. */
	t->depth = t->dim == TX_DIM_3D ? mali_bits(w, 1, 0, 16) + 1 : 1;
	t->samples = t->dim == TX_DIM_3D ? 1 : mali_bits(w, 1, 0, 16) + 1;
	t->array_size = mali_bits(w, 1, 16, 16) + 1;
	t->order = mali_bits(w, 2, 24, 4);
	t->levels = mali_bits(w, 3, 24, 8) + 1;
	t->max_lod = (t->levels - 1) << 8;
	set_swizzle(mali_bits(w, 4, 0, 12), t);
	ret = check_texture(p, t, mali_bits(w, 2, 0, 22));
	if (ret)
		return ret;
	return begin_surfaces(r, va + DESC_SIZE, mali_bits(w, 2, 28, 2), t);
}

static int read_bifrost_texture(struct mali_reader *r, u64 va, struct tx_texture *t)
{
	struct mali_parser *p = &r->p;
	u32 w[DESC_WORDS];
	int ret;

	ret = mali_words(p, va, w, DESC_WORDS, DESC_SIZE, "texture");
	if (ret)
		return ret;
	if (mali_tex_is_empty(w))
		return 0;
	if (mali_bits(w, 0, 0, 4) != TYPE_TEXTURE)
		return mali_reject_at(p, MALI_BAD_DESC_TYPE, "texture type", va, w[0] & 15);
	t->va = va;
	t->dim = mali_bits(w, 0, 4, 2);
	t->corner = mali_bits(w, 0, 8, 1);
	t->normalized = mali_bits(w, 0, 9, 1);
	t->width = mali_bits(w, 1, 0, 16) + 1;
	t->height = mali_bits(w, 1, 16, 16) + 1;
	t->order = mali_bits(w, 2, 12, 4);
	t->levels = mali_bits(w, 2, 16, 5) + 1;
	t->min_level = mali_bits(w, 2, 24, 5);
	t->min_lod = mali_bits(w, 3, 0, 13);
	t->samples = 1U << mali_bits(w, 3, 13, 3);
	t->max_lod = mali_bits(w, 3, 16, 13);
	t->array_size = mali_bits(w, 6, 0, 16) + 1;
	t->depth = mali_bits(w, 7, 0, 16) + 1;
	set_swizzle(mali_bits(w, 2, 0, 12), t);
	ret = check_texture(p, t, mali_bits(w, 0, 10, 22));
	if (ret)
		return ret;
	return begin_surfaces(r, mali_u64(w, 4), SURF_64_STRIDES, t);
}

/* Read texture r->i without its images. */
static int read_texture(struct mali_reader *r, struct tx_texture *t)
{
	u64 va = r->t.textures;
	u32 w[2];
	int ret;

	*t = (struct tx_texture){ };
	if (!r->p.arch->midgard)
		return read_bifrost_texture(r, va + (u64)r->i * DESC_SIZE, t);
	ret = mali_words(&r->p, va + r->i * sizeof(w), w, 2, 8, "textures");
	if (!ret && mali_u64(w, 0))
		ret = read_midgard_texture(r, mali_u64(w, 0), t);
	return ret;
}

/* Read texture r->i, or go on with its images. */
static int texture_step(struct mali_reader *r, struct tx_texture *t)
{
	struct mali_reject why, *was = r->p.why;
	int ret;

	r->p.why = &why;
	ret = r->in_texture ? 0 : read_texture(r, t);
	if (!ret && r->in_texture)
		ret = read_surfaces(r, t);
	r->p.why = was;
	if (ret != -EAGAIN)
		r->in_texture = false;
	return note_bad(&r->p, ret, &why, &t->bad, &t->va, &t->bad_value);
}

int mali_read_textures(struct mali_reader *r)
{
	struct mali_launch *l = r->l;
	u32 n = r->t.ntextures;
	void *mem;
	int ret;

	if (!n)
		return 0;
	if (!r->t.textures)
		return mali_reject_at(&r->p, MALI_NULL_POINTER, "textures", l->state_va, n);
	if (!r->begun) {
		ret = mali_reader_begin(r, n, sizeof(*l->textures), "textures", &mem);
		if (ret)
			return ret;
		l->textures = mem;
		l->ntextures = n;
	}
	for (; r->i < n; r->i++) {
		if (!r->in_texture && !mali_reader_more(r))
			return -EAGAIN;
		ret = texture_step(r, &l->textures[r->i]);
		if (ret)
			return ret;
	}
	return 0;
}

/* ---- samplers ---- */

static void midgard_sampler(const u32 *w, struct tx_sampler *s)
{
	s->mag_nearest = mali_bits(w, 0, 0, 1);
	s->min_nearest = mali_bits(w, 0, 1, 1);
	s->mip = mali_bits(w, 0, 3, 2);
	/* A faster variant of the same mode. */
	if (s->mip == 2)
		s->mip = TX_MIP_TRILINEAR;
	s->normalized = mali_bits(w, 0, 5, 1);
	s->lod_bias = (s16)mali_bits(w, 0, 16, 16);
	s->min_lod = mali_bits(w, 1, 0, 16);
	s->max_lod = mali_bits(w, 1, 16, 16);
	s->wrap[0] = mali_bits(w, 2, 0, 4);
	s->wrap[1] = mali_bits(w, 2, 4, 4);
	s->wrap[2] = mali_bits(w, 2, 8, 4);
	s->func = mali_bits(w, 2, 12, 3);
	s->seamless = mali_bits(w, 2, 15, 1);
	s->clamp_int_array = true;
	s->max_aniso = 1;
}

static void bifrost_sampler(const u32 *w, struct tx_sampler *s)
{
	s->wrap[2] = mali_bits(w, 0, 8, 4);
	s->wrap[1] = mali_bits(w, 0, 12, 4);
	s->wrap[0] = mali_bits(w, 0, 16, 4);
	s->round_nearest = mali_bits(w, 0, 21, 1);
	s->srgb_override = mali_bits(w, 0, 22, 1);
	s->seamless = mali_bits(w, 0, 23, 1);
	s->clamp_int = mali_bits(w, 0, 24, 1);
	s->normalized = mali_bits(w, 0, 25, 1);
	s->clamp_int_array = mali_bits(w, 0, 26, 1);
	s->min_nearest = mali_bits(w, 0, 27, 1);
	s->mag_nearest = mali_bits(w, 0, 28, 1);
	s->mag_cutoff = mali_bits(w, 0, 29, 1);
	s->mip = mali_bits(w, 0, 30, 2);
	s->min_lod = mali_bits(w, 1, 0, 13);
	s->func = mali_bits(w, 1, 13, 3);
	s->max_lod = mali_bits(w, 1, 16, 13);
	s->lod_bias = (s16)mali_bits(w, 2, 0, 16);
	s->max_aniso = mali_bits(w, 2, 24, 2) == 3 ? mali_bits(w, 2, 16, 5) + 1 : 1;
}

static int mali_tex_check_sampler(struct mali_parser *p, const struct tx_sampler *s)
{
	u32 i;

	for (i = 0; i < 3; i++)
		if (s->wrap[i] < TX_REPEAT ||
		    (!p->arch->midgard &&
		     (s->wrap[i] == TX_CLAMP || s->wrap[i] == TX_MIRRORED_CLAMP)))
			return mali_reject_at(p, MALI_BAD_WRAP, "wrap mode", s->va, s->wrap[i]);
	if (s->mip != TX_MIP_NEAREST && s->mip != TX_MIP_TRILINEAR &&
	    (p->arch->midgard || s->mip != TX_MIP_NONE))
		return mali_reject_at(p, MALI_BAD_WRAP, "mipmap mode", s->va, s->mip);
	return 0;
}

static int read_sampler(struct mali_parser *p, u64 va, struct tx_sampler *s)
{
	u32 w[DESC_WORDS];
	int ret;

	*s = (struct tx_sampler){ };
	ret = mali_words(p, va, w, DESC_WORDS, DESC_SIZE, "sampler");
	if (ret)
		return ret;
	if (mali_tex_is_empty(w))
		return 0;
	s->va = va;
	if (p->arch->midgard)
		midgard_sampler(w, s);
	else if (mali_bits(w, 0, 0, 4) == TYPE_SAMPLER)
		bifrost_sampler(w, s);
	else
		return mali_reject_at(p, MALI_BAD_DESC_TYPE, "sampler type", va, w[0] & 15);
	memcpy(s->border, w + 4, sizeof(s->border));
	return mali_tex_check_sampler(p, s);
}

static int sampler_step(struct mali_reader *r, struct tx_sampler *s)
{
	struct mali_reject why, *was = r->p.why;
	int ret;

	r->p.why = &why;
	ret = read_sampler(&r->p, r->t.samplers + (u64)r->i * DESC_SIZE, s);
	r->p.why = was;
	return note_bad(&r->p, ret, &why, &s->bad, &s->va, &s->bad_value);
}

int mali_read_samplers(struct mali_reader *r)
{
	struct mali_launch *l = r->l;
	u32 n = r->t.nsamplers;
	void *mem;
	int ret;

	if (!n)
		return 0;
	if (!r->t.samplers)
		return mali_reject_at(&r->p, MALI_NULL_POINTER, "samplers", l->state_va, n);
	if (!r->begun) {
		ret = mali_reader_begin(r, n, sizeof(*l->samplers), "samplers", &mem);
		if (ret)
			return ret;
		l->samplers = mem;
		l->nsamplers = n;
	}
	for (; r->i < n; r->i++) {
		if (!mali_reader_more(r))
			return -EAGAIN;
		ret = sampler_step(r, &l->samplers[r->i]);
		if (ret)
			return ret;
	}
	return 0;
}
