// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Fragment outputs of Midgard: writes to the framebuffer, and raw tile bits.
 *
 * The first write of a thread performs the tests at the end of a fragment; it and later writes
 * write the samples that pass. The tile's bits are converted from those of the targets.
 */
#include "../midgard/midgard_ext.h"
#include "mali_run_int.h"

#define COMPS		4
#define CHUNK		16	/* bytes of the tile per write */

/* ---- tests ---- */

/* With one of these, the tests need values of the program. */
#define TAKEN	(MALI_FRAG_ALPHA_TEST | MALI_FRAG_ALPHA_TO_COVERAGE | MALI_FRAG_SHADER_Z | \
		 MALI_FRAG_SHADER_S)

/* Record shader depth, stencil reference and the coverage after alpha to coverage. */
static void take_values(struct mali_run *run, const struct simt_block *b, const struct simt_uop *u,
			u64 mask)
{
	const struct mali_frag *f = run->w.frag;
	struct mali_fragments *r = run->r;
	u32 l;

	if (!(f->flags & TAKEN))
		return;
	EACH_LANE(l, mask) {
		if (MGX_CHUNK(sx_src(b, u, 2, l)) != MGX_NO_COLOUR)
			r->cover[l] = mali_alpha_test(f, r, r->cover[l],
						      *sx_slot(b, u->d2 + 3, l), f->alpha_ref);
		if (f->flags & MALI_FRAG_SHADER_Z)
			r->z[0][l] = mali_clamp_depth(sx_src(b, u, 0, l));
		if (f->flags & MALI_FRAG_SHADER_S)
			r->ref[l] = sx_src(b, u, 1, l);
	}
}

/* Perform the tests; threads without samples left become helpers. */
static void end_tests(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_fragments *r = run->r;
	u64 mask = sx_effect(b) & ~r->tested;

	r->tested |= mask;
	take_values(run, b, u, mask);
	if (run->w.frag->flags & MALI_FRAG_LATER)
		mali_frag_zs(m, mask, VR_ZS_TEST | VR_ZS_WRITE);
	b->helper |= mask & ~vr_covered(r->cover);
}

/* ---- colours ---- */

/* Index of the blend program at an address; 0: not among the lowered ones. */
static u32 mx_mgfrag_part_at(const struct mali_run *r, u64 shader)
{
	u32 i;

	for (i = 1; i < r->nparts; i++)
		if (r->part[i].va == (shader & ~15ULL) && r->part[i].tag == (shader & 15))
			return i;
	return 0;
}

static bool mx_mgfrag_call(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u,
			   u64 mask, u64 shader)
{
	u32 part = mx_mgfrag_part_at(simt_machine_arg(m), shader), l;

	if (!part)
		return mx_refuse_blend(m, mask, shader);
	EACH_LANE(l, mask) {
		*sx_slot(b, u->d, l) = part;
	}
	return true;
}

/* Write colours to one target. Integers are stored unconverted. */
static bool mx_mgfrag_colour(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u,
			     u64 mask, u32 target)
{
	struct mali_run *r = simt_machine_arg(m);
	struct mali_colours c;
	const struct mali_blend *d;
	const struct mali_surf *s;
	bool ints;

	/* programs may have more outputs than the framebuffer has targets */
	if (target >= r->w.frag->ntargets)
		return true;
	d = &r->w.frag->blend[target];
	if (!(d->flags & MALI_BLEND_ENABLE))
		return true;
	if (d->flags & MALI_BLEND_PROGRAM)
		return mx_mgfrag_call(m, b, u, mask, mali_blend_shader(d));
	s = &r->r->target[target];
	ints = s->t.va && px_format_kind(&s->format) != PX_KIND_F32;
	c.slot = u->d2;
	c.hi = MGX_TILE_RGBA8;
	c.lo = (ints ? MALI_BLEND_OPAQUE : MALI_BLEND_FIXED) | target << 16;
	memcpy(c.cover, r->r->cover, sizeof(c.cover));
	return mali_blend(m, b, mask, &c);
}

/* May all results be written before the operands have been read? */
static bool writes_early(const struct simt_block *b, const struct simt_uop *u)
{
	return b->mask == b->live && u->s[2] & SIMT_U && (u32)u->d - u->d2 >= COMPS;
}

/* No blend program: a lane's result may be in the slot of one of its operands. */
static void call_none(const struct simt_block *b, const struct simt_uop *u, u64 mask)
{
	u32 l;

	EACH_LANE(l, mask) {
		*sx_slot(b, u->d, l) = 0;
	}
}

/* Prepare the first write of a thread. */
static bool begin_write(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	end_tests(m, b, u);
	if (writes_early(b, u))
		memset(sx_slot(b, u->d, 0), 0, SIMT_LANES * sizeof(u32));
	else
		call_none(b, u, b->mask & ~sx_effect(b));
	return !simt_machine_fault(m)->kind;
}

bool mgx_write(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	u64 left, lanes;
	u32 word;

	if (!simt_ext_resumes(m) && !begin_write(m, b, u))
		return false;
	left = simt_ext_lanes(m, b) & sx_effect(b);
	if (simt_ext_pause(m, simt_ext_resumes(m) ? 0 : left))
		return true;
	for (; left && !simt_ext_paused(m); left &= ~lanes) {
		lanes = mali_few_pixels(r->r, sx_same(b, u, 2, left));
		word = sx_src(b, u, 2, __ffs64(left));
		if (!writes_early(b, u))
			call_none(b, u, lanes);
		if (MGX_CHUNK(word) != MGX_NO_COLOUR &&
		    !mx_mgfrag_colour(m, b, u, lanes, MGX_TARGET(word)))
			return false;
		simt_ext_pause(m, left & ~lanes);
	}
	return true;
}

/* ---- bits of the tile ---- */

/**
 * struct raw - tile layout of a pixel
 * @memory:	the target's format, with components unconverted
 * @bits:	widths of r, g, b, a in the tile, where they are the upper bits of bytes
 * @own:	their widths in memory
 * @plain:	the tile has the bits of memory instead
 * @ten:	10 bits: the lower two of all components are in the last byte
 * @bytes:	bytes per sample
 */
struct raw {
	struct px_format memory;
	u8 bits[4];
	u8 own[4];
	bool plain;
	bool ten;
	u32 bytes;
};

/*
 * Tile layout as compilers assume it: normalised components of up to 8 bits have a byte each, and
 * the green of RGB5 A1 has one more bit in the tile than in memory.
 */
static bool mx_mgfrag_raw_format(const struct px_format *f, struct raw *raw)
{
	u32 i, at;

	*raw = (struct raw){ .memory = *f, .bytes = f->bytes };
	raw->plain = f->layout != PX_PLAIN || (f->comp != PX_UNORM && f->comp != PX_SNORM);
	if (raw->plain)
		return (f->bytes & (f->bytes - 1)) == 0;
	raw->ten = f->comp == PX_UNORM && f->bits[0] == 10;
	raw->bytes = 4;
	raw->memory.srgb = false;
	raw->memory.comp = PX_UINT;
	for (i = 0; i < 4; i++) {
		at = f->swizzle[i];
		raw->own[i] = at < f->ncomp ? f->bits[at] : 0;
		raw->bits[i] = raw->own[i];
		if (raw->bits[i] > 8 && !raw->ten)
			return false;
	}
	if (raw->own[1] == 5 && raw->own[3] == 1)
		raw->bits[1] = 6;
	return true;
}

/* The nearest number of @to bits to one of @from. */
static u32 mx_mgfrag_widen(u32 v, u32 from, u32 to)
{
	u32 max = (1U << from) - 1;

	return from == to ? v : (2 * v * ((1U << to) - 1) + max) / (2 * max);
}

static void read_raw(const struct raw *raw, const u8 *p, u32 words[4])
{
	u32 v[4], i, byte;

	memset(words, 0, CHUNK);
	if (raw->plain) {
		memcpy(words, p, raw->bytes);
		return;
	}
	px_unpack(&raw->memory, p, v);
	for (i = 0; i < 4; i++) {
		if (!raw->bits[i])
			continue;
		if (!raw->ten) {
			byte = mx_mgfrag_widen(v[i], raw->own[i],
					       raw->bits[i]) << (8 - raw->bits[i]);
			words[0] |= byte << (8 * i);
		} else if (i < 3) {
			words[0] |= v[i] >> 2 << (8 * i) | (v[i] & 3) << (24 + 2 * i);
		} else {
			words[0] |= v[i] << 30;
		}
	}
}

static void write_raw(const struct raw *raw, const void *bits, u8 *p)
{
	u32 v[4], i, word, byte;

	if (raw->plain) {
		memcpy(p, bits, raw->bytes);
		return;
	}
	memcpy(&word, bits, sizeof(word));
	for (i = 0; i < 4; i++) {
		byte = word >> (8 * i) & 0xff;
		v[i] = 0;
		if (raw->bits[i])
			v[i] = mx_mgfrag_widen(byte >> (8 - min_t(u32, raw->bits[i], 8)),
					       raw->bits[i], raw->own[i]);
		if (raw->ten)
			v[i] = i < 3 ? byte << 2 | (word >> (24 + 2 * i) & 3) : word >> 30;
	}
	px_pack(&raw->memory, v, COMPS, p);
}

/* Look up a target. Return: false with a fault. *@s NULL: no target. */
static bool open_raw(struct simt_machine *m, u64 mask, u32 target, struct raw *raw,
		     const struct mali_surf **s)
{
	struct mali_run *r = simt_machine_arg(m);

	*s = NULL;
	if (target >= r->w.frag->ntargets)
		return mx_refuse_value(m, mask, MALI_RUN_BAD_INDEX, 0, target);
	if (!r->r->target[target].t.va)
		return true;
	*s = &r->r->target[target];
	return mx_mgfrag_raw_format(&(*s)->format, raw) ||
	       mx_refuse_value(m, mask, MALI_RUN_BAD_FORMAT, (*s)->t.va,
			       (*s)->t.format);
}

static bool mx_mgfrag_load_lane(struct simt_machine *m, u32 l, u32 at, u32 words[4])
{
	struct mali_run *r = simt_machine_arg(m);
	const struct mali_surf *s;
	struct raw raw;
	u8 *p;

	memset(words, 0, CHUNK);
	if (!open_raw(m, BIT_ULL(l), at >> 8 & 255, &raw, &s))
		return false;
	if ((at & 255) >= r->r->nsamples)
		return mx_refuse_value(m, BIT_ULL(l), MALI_RUN_BAD_INDEX, 0, at);
	if (!s)
		return true;
	p = mali_sample_pixel(m, s, r->r->x[l], r->r->y[l], at & 255, BIT_ULL(l), false);
	if (!p)
		return false;
	read_raw(&raw, p, words);
	return true;
}

bool mgx_ld_raw(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 words[4], l;

	EACH_LANE(l, b->mask) {
		memset(words, 0, sizeof(words));
		/* helpers may be outside of the target */
		if (r->r->covered >> l & 1 && !mx_mgfrag_load_lane(m, l, sx_src(b, u, 0, l), words))
			return false;
		mx_put(b, u->d, l, words, COMPS);
	}
	return true;
}

/* Store the lane's samples whose bits are among these 16 bytes. */
static bool mx_mgfrag_store_lane(struct simt_machine *m, u32 l, u32 to, const u32 words[4])
{
	struct mali_run *r = simt_machine_arg(m);
	const struct mali_surf *s;
	u32 bits, at, sample;
	struct raw raw;
	u8 *p;

	if (!open_raw(m, BIT_ULL(l), MGX_TARGET(to), &raw, &s))
		return false;
	for (bits = s ? r->r->cover[l] : 0; bits; bits &= bits - 1) {
		sample = __ffs64(bits);
		at = sample * raw.bytes;
		if (at / CHUNK != MGX_CHUNK(to))
			continue;
		p = mali_sample_pixel(m, s, r->r->x[l], r->r->y[l], sample, BIT_ULL(l), true);
		if (!p)
			return false;
		write_raw(&raw, (const u8 *)words + at % CHUNK, p);
	}
	return true;
}

bool mgx_st_raw(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u32 words[4], l;

	EACH_LANE(l, sx_effect(b)) {
		mx_get(b, u->d2, l, words, COMPS);
		if (!mx_mgfrag_store_lane(m, l, sx_src(b, u, 0, l), words))
			return false;
	}
	return true;
}

/* ---- sample queries ---- */

bool mgx_covered(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 l;

	EACH_LANE(l, b->mask) {
		*sx_slot(b, u->d, l) = b->helper >> l & 1 ? 0 : r->r->cover[l];
	}
	return true;
}

bool mgx_sample(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 l;

	EACH_LANE(l, b->mask) {
		*sx_slot(b, u->d, l) = r->r->sample;
	}
	return true;
}
