// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Texture unit: steps of its operations. The arithmetic is in tx_fp_main.h, texel
 * fetch in tx_fetch.c.
 */
#include "../engine/simt/simt_lanes.h"
#include "tx_fp.h"
#include "tx_intern.h"

#define READ_COST	4	/* cost of a texel */

/* Call the build of the arithmetic that the caller's variable simd selects. */
#ifdef __x86_64__
#define TX_BUILD(name, ...)							\
	(VS_BUILT(avx2) && simd >= VS_SIMD_AVX2 ? tx_fp_##name##_avx2(__VA_ARGS__) :	\
	 VS_BUILT(sse2) && simd == VS_SIMD_SSE2 ? tx_fp_##name##_sse2(__VA_ARGS__) :		\
	 tx_fp_##name##_soft(__VA_ARGS__))
#elif defined(__aarch64__)
#define TX_BUILD(name, ...)							\
	(simd == VS_SIMD_NEON ? tx_fp_##name##_neon(__VA_ARGS__) :		\
	 tx_fp_##name##_soft(__VA_ARGS__))
#else
#define TX_BUILD(name, ...)	tx_fp_##name##_soft(__VA_ARGS__)
#endif

/* ---- operations ---- */

/* Set constants of the texture's swizzle, for filtered lanes. */
static void set_constants(struct tx_unit *u, u64 mask)
{
	u32 i, l;

	for (i = 0; i < 4; i++) {
		if (u->t->swizzle[i] < 4)
			continue;
		for (l = 0; l < SIMT_LANES; l++)
			if (mask >> l & 1)
				u->q->result[i][l] = tx_constant(u, u->t->swizzle[i]);
	}
}

/* Copy texel 0 to the result. */
static void set_result(struct tx_unit *u, enum vs_simd simd, u64 mask)
{
	const u8 *swizzle = u->t->swizzle;
	struct tx_request *q = u->q;
	u32 i, s;

	for (i = 0; mask && i < 4; i++) {
		s = swizzle[i];
		if (s >= 4)
			continue;
		if (!~mask)
			memcpy(q->result[i], q->w.texel[0][s], sizeof(q->result[i]));
		else
			simt_put(simd, q->result[i], q->w.texel[0][s], mask);
	}
}

/* May texels stay bytes up to the arithmetic: 8-bit UNORM, neither shadow nor border colour? */
static bool can_be_raw(const struct tx_unit *u)
{
	u32 d;

	if (u->decoder != DEC_UNORM8 || u->format.bytes > 4 || u->q->shadow)
		return false;
	for (d = 0; d < u->dims; d++)
		if (u->s->wrap[d] != TX_REPEAT && u->s->wrap[d] != TX_MIRRORED_REPEAT &&
		    u->s->wrap[d] != TX_CLAMP_TO_EDGE &&
		    u->s->wrap[d] != TX_MIRRORED_CLAMP_TO_EDGE)
			return false;
	return true;
}

static u32 used_comps(const struct tx_unit *u)
{
	u32 i, comps = 0;

	for (i = 0; i < 4; i++)
		if (u->t->swizzle[i] < 4)
			comps |= 1U << u->t->swizzle[i];
	return comps;
}

/* Do all lanes filter the same two-dimensional images? */
static bool is_plane(struct tx_unit *u)
{
	struct tx_request *q = u->q;
	struct tx_work *w = &q->w;
	u32 l, differ = 0, first = __ffs64(q->mask);

	w->first = first;
	if (u->t->dim != TX_DIM_2D || q->offsets)
		return false;
	if (q->mask & w->nearest && q->mask & ~w->nearest)
		return false;
	for (l = 0; l < 2; l++)
		if (u->s->wrap[l] == TX_CLAMP || u->s->wrap[l] == TX_MIRRORED_CLAMP)
			return false;
	if (w->same && !q->array)
		return true;
	for (l = first; l < SIMT_LANES; l++)
		if (q->mask >> l & 1)
			differ |= (w->level[0][l] ^ w->level[0][first]) |
				  (w->level[1][l] ^ w->level[1][first]) |
				  (q->array ? q->layer[l] ^ q->layer[first] : 0);
	return !differ;
}

/* Read the texels of a level. Return: false with a fault. */
static bool unit_read(struct tx_unit *u, enum vs_simd simd, u32 pass, u32 n, bool quick)
{
	struct tx_request *q = u->q;

	if (!quick)
		return tx_read_texels(u, pass, n, false);
	TX_BUILD(places, q, pass, n > 1 ? 2 : 1, (u32)u->img.row, u->format.bytes);
	tx_read_plane(u, n);
	return true;
}

/* Results of texels that are bytes, of one level. */
static void unit_mix_bytes(struct tx_unit *u, enum vs_simd simd, u32 n)
{
	struct tx_request *q = u->q;
	u32 i;

	TX_BUILD(bytes, q, n);
	for (i = 0; ~q->mask && i < 4; i++)
		if (u->t->swizzle[i] < 4)
			simt_put(simd, q->result[i], q->w.texel[i][1], q->mask);
}

static enum tx_status unit_sample(struct tx_unit *u, enum vs_simd simd)
{
	struct tx_request *q = u->q;
	u32 pass, ntexels = 1U << u->dims, comps = used_comps(u), n;
	bool quick;
	u64 direct;

	if (!q->mask)
		return TX_OK;
	q->w.raw = can_be_raw(u);
	memcpy(q->w.raw_swizzle, u->format.swizzle, sizeof(q->w.raw_swizzle));
	TX_BUILD(lod, q);
	q->w.plane = is_plane(u);
	/*
	 * Sums of one texel are exact, except for NaNs and signed zeros, which
	 * bytes cannot hold.
	 */
	direct = q->w.raw ? 0 : q->mask & q->w.nearest & ~q->w.two;
	set_constants(u, q->mask);
	for (pass = 0; pass < (q->mask & q->w.two ? 2 : 1); pass++) {
		n = q->mask & ~q->w.nearest ? ntexels : 1;
		quick = tx_map_plane(u, pass);
		TX_BUILD(coords, q, pass);
		if (!unit_read(u, simd, pass, n, quick))
			return TX_FAULT;
		if (quick && !(q->mask & q->w.two)) {
			unit_mix_bytes(u, simd, n);
			return TX_OK;
		}
		if (!pass)
			set_result(u, simd, direct);
		if (q->mask & ~direct)
			TX_BUILD(add, q, pass, n, comps);
	}
	if (q->mask & ~direct) {
		TX_BUILD(finish, q, comps);
		set_result(u, simd, q->mask & ~direct);
	}
	return TX_OK;
}

static enum tx_status unit_gather(struct tx_unit *u, enum vs_simd simd)
{
	struct tx_request *q = u->q;
	struct tx_work *w = &q->w;
	u32 i, l, s = u->t->swizzle[q->comp & 3];

	if (u->dims != 2)
		return TX_UNSUPPORTED;
	w->raw = false;
	w->plane = false;
	w->nearest = 0;
	w->two = 0;
	memset(w->level, 0, sizeof(w->level));
	memset(w->frac, 0, sizeof(w->frac));
	TX_BUILD(coords, q, 0);
	if (!tx_read_texels(u, 0, 4, true))
		return TX_FAULT;
	for (i = 0; i < 4; i++)
		for (l = 0; l < SIMT_LANES; l++)
			if (q->mask >> l & 1)
				q->result[i][l] = s < 4 ? w->texel[i][s][l] :
						  tx_constant(u, s);
	return TX_OK;
}

/* Clamp the border colour of normalised formats to their range. */
static void unit_set_border(struct tx_unit *u)
{
	u32 i, v;

	for (i = 0; i < 4; i++) {
		v = u->s->border[i];
		if (u->format.comp == PX_UNORM)
			v = tx_limit(v);
		else if (u->format.comp == PX_SNORM)
			v = (v & 0x80000000) | tx_limit(v & 0x7fffffff);
		if (u->format.swizzle[i] >= 4)
			v = tx_constant(u, u->format.swizzle[i]);
		u->border[i] = v;
	}
}

/* Do all components exist and have @bits bits, in any order? */
static bool same_bits(const struct px_format *f, u32 bits)
{
	u32 i;

	for (i = 0; i < f->ncomp; i++)
		if (f->bits[i] != bits)
			return false;
	return true;
}

static enum tx_decoder find_decoder(const struct px_format *f)
{
	bool rgba = f->ncomp == 4 && f->swizzle[0] == 0 && f->swizzle[1] == 1 &&
		    f->swizzle[2] == 2 && f->swizzle[3] == 3;

	if (f->layout == PX_ETC2)
		return DEC_ETC2;
	if (f->layout != PX_PLAIN || !f->bytes)
		return DEC_ANY;
	if (f->comp == PX_UNORM && same_bits(f, 8))
		return f->srgb ? DEC_SRGB8 : DEC_UNORM8;
	if (rgba && f->comp == PX_FLOAT && same_bits(f, 16))
		return DEC_F16;
	if (rgba && same_bits(f, 32) &&
	    (f->comp == PX_FLOAT || f->comp == PX_UINT || f->comp == PX_SINT))
		return DEC_F32;
	return DEC_ANY;
}

static void clear_result(struct tx_request *q, u64 mask)
{
	u32 i, l;

	if (!~mask) {
		memset(q->result, 0, sizeof(q->result));
		return;
	}
	for (i = 0; mask && i < 4; i++)
		for (l = 0; l < SIMT_LANES; l++)
			if (mask >> l & 1)
				q->result[i][l] = 0;
}

/* Recheck the guarantees of the descriptor parser. */
static bool sane(const struct tx_texture *t)
{
	u32 i;

	for (i = 0; i < 4; i++)
		if (t->swizzle[i] > PX_SWZ_1)
			return false;
	return t->dim <= TX_DIM_3D && t->width && t->height && t->depth && t->array_size &&
	       t->levels && t->width <= 65536 && t->height <= 65536 && t->depth <= 65536 &&
	       (t->order == PX_LINEAR || t->order == PX_TILED);
}

enum tx_status tx_run(struct simt_machine *m, enum vs_simd simd,
		      struct tx_request *q)
{
	struct tx_unit u = { .m = m, .q = q, .t = q->tex };
	enum tx_status status;

	q->reads = 0;
	q->kind = PX_KIND_F32;
	/* filters set all components */
	if (q->op != TX_OP_SAMPLE || !u.t || !u.t->va || !q->samp || !q->samp->va)
		clear_result(q, q->mask);
	if (!u.t || !u.t->va)
		return TX_OK;
	u.format = u.t->format;
	if (q->op != TX_OP_FETCH)
		u.s = q->samp;
	if (u.s && u.s->srgb_override)
		u.format.srgb = false;
	if (!sane(u.t) || !px_format_readable(&u.format))
		return TX_UNSUPPORTED;
	u.kind = px_format_kind(&u.format);
	if (q->op != TX_OP_LOD)
		q->kind = u.kind;
	u.dims = tx_dims(u.t);
	u.blocks = u.format.layout == PX_ETC2;
	u.decoder = find_decoder(&u.format);
	if (q->op == TX_OP_FETCH)
		return tx_fetch(&u) ? TX_OK : TX_FAULT;
	if (!u.s || !u.s->va)
		return TX_OK;
	if (q->shadow && u.kind != PX_KIND_F32)
		return TX_UNSUPPORTED;
	unit_set_border(&u);
	TX_BUILD(start, q);
	if (q->op == TX_OP_LOD) {
		TX_BUILD(lod, q);
		TX_BUILD(levels, q);
		return TX_OK;
	}
	status = q->op == TX_OP_GATHER ? unit_gather(&u, simd) : unit_sample(&u, simd);
	clear_result(q, u.none & q->mask);
	return status;
}

void tx_begin(struct tx_request *q, u64 mask)
{
	q->op = TX_OP_SAMPLE;
	q->lod_mode = TX_LOD_COMPUTED;
	q->comp = 0;
	q->array = false;
	q->shadow = false;
	q->offsets = false;
	q->cube_dir = false;
	q->ms = false;
	q->bounded = false;
	q->mask = mask;
	q->quads = mask;
}

bool tx_exec(struct simt_machine *m, struct tx_request *q, u32 bad)
{
	enum tx_status s = tx_run(m, simt_machine_simd(m), q);

	simt_charge(m, TX_REQUEST_COST + READ_COST * q->reads);
	if (s == TX_UNSUPPORTED)
		simt_fault_command(m, q->mask, q->tex ? q->tex->va : 0, bad, 0);
	else if (s == TX_FAULT)
		simt_fault(m, VS_FAULT_READ, BIT_ULL(q->fault_lane), q->fault_va, q->fault_size);
	return s == TX_OK;
}
