// SPDX-License-Identifier: GPL-2.0
/* Memory, atomics and texels of the Bifrost reference model. */
#include <string.h>

#include "bifrost_ref_int.h"
#include "bifrost_ref_num.h"

uint8_t *bfr_seg(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t,
		 enum bfr_seg seg, uint32_t lo, uint32_t hi, uint32_t n)
{
	uint8_t *p = NULL;

	switch (seg) {
	case BFR_SEG_GLOBAL:
		p = mrf_at(g, lo | (uint64_t)hi << 32, n);
		break;
	case BFR_SEG_WLS:
		if (n <= d->nwls && lo <= d->nwls - n)
			p = d->wls + lo;
		break;
	case BFR_SEG_TLS:
		if (n <= d->ntls && lo <= d->ntls - n)
			p = t->tls + lo;
		break;
	case BFR_SEG_UBO:
		p = mrf_ubo(g, d, lo, hi, n);
		break;
	}
	if (!p)
		mrf_fail(g, false, "segment %u, address %08x%08x", seg, hi, lo);
	return p;
}

void bfr_atomic(struct mrf *g, uint64_t va, unsigned int op, uint32_t arg, struct bfr_step *s)
{
	static const uint32_t neutral[16] = {
		[MRF_SMIN] = 0x7fffffff, [MRF_SMAX] = 0x80000000, [MRF_UMIN] = 0xffffffff,
		[MRF_AND] = 0xffffffff,
	};
	uint8_t *p = mrf_at(g, va, 4);

	if (op != MRF_ADD && (op < MRF_SMIN || op > MRF_XOR))
		mrf_fail(g, true, "atomic operation %u", op);
	else if (!p)
		mrf_fail(g, false, "atomic at %llx", (unsigned long long)va);
	if (*g->error)
		return;
	s->out[0] = mrf_get(p, 4);
	s->out[1] = neutral[op];
	s->nout = 2;
	mrf_put(p, 4, mrf_atom_op(op, s->out[0], arg));
}

void bfr_sample(struct mrf *g, const struct mrf_draw *d, const struct bfr_thread *t,
		unsigned int texture, unsigned int sampler, bool computed, double lod,
		enum mrf_regfmt fmt, struct bfr_step *s)
{
	double dx[3] = { 0 }, dy[3] = { 0 };
	struct mrf_sampling sm = { 0 };
	struct mrf_texel out;
	struct mrf_tex x;
	unsigned int k;

	if (!mrf_texture(g, d, texture, &x))
		return;
	if (x.faces != 1) {
		mrf_fail(g, true, "cube");
		return;
	}
	sm.texture = texture;
	sm.sampler = sampler;
	sm.gather = -1;
	sm.lod = lod;
	for (k = 0; k < 2; k++) {
		sm.c[k] = mrf_f(s->quad->src[t->lane][k]);
		dx[k] = mrf_f(s->quad->src[1][k]) - mrf_f(s->quad->src[0][k]);
		dy[k] = mrf_f(s->quad->src[2][k]) - mrf_f(s->quad->src[0][k]);
	}
	if (computed)
		sm.lod += mrf_computed_lod(&x, dx, dy);
	mrf_sample(g, d, &sm, &out);
	s->nout = mrf_deliver(g, &out, fmt, 4, s->out);
}

void bfr_texc(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t, uint32_t x,
	      uint32_t y, uint32_t desc, struct bfr_step *s)
{
	static const uint8_t reg[16] = {
		MRF_F16, MRF_F16, MRF_F16, MRF_F16, MRF_F32, MRF_F32, MRF_F32, MRF_F32,
		MRF_AUTO, MRF_AUTO, MRF_AUTO, MRF_AUTO, MRF_U16, MRF_S16, MRF_U32, MRF_S32,
	};
	unsigned int sr = s->sr, fmt = desc >> 24 & 15;
	uint32_t c[3] = { x, y, 0 }, layer = 0, lod, index = desc >> 4 & 127;
	struct mrf_texel out;
	struct mrf_tex tex;

	if ((desc >> 12 & 7) == 7 && desc >> 22 & 1 && desc & 0x800 && !(desc & 0x38000) &&
	    (desc >> 18 & 3) == 2 && desc >> 28 == 15 && !(fmt & 11)) {
		/* 4 explicit, 5 bias, 6 zero, 7 computed; 8 fraction bits */
		unsigned int mode = desc >> 20 & 3;
		double lod = mode < 2 ? (int16_t)t->r[sr & 63] / 256.0 : 0;

		bfr_sample(g, d, t, index, desc & 15, mode & 1, lod, reg[fmt], s);
		return;
	}
	if ((desc >> 12 & 7) != 6 || (desc >> 20 & 7) != 1 || !(desc & 0x800) ||
	    (desc & 0x18000) || desc >> 28 != 15 || (fmt & 3 && fmt < 8)) {
		mrf_fail(g, true, "texture operation %08x", desc);
		return;
	}
	/* staging registers hold the optional operands in this order */
	if ((desc >> 18 & 3) == 3)
		c[2] = t->r[sr++ & 63];
	lod = t->r[sr++ & 63];
	if (desc >> 17 & 1)
		layer = t->r[sr++ & 63];
	if (!mrf_texture(g, d, index, &tex))
		return;
	mrf_fetch_texel(g, &tex, c, lod & 0xffff, lod >> 16, layer, 0, &out);
	if (!*g->error)
		s->nout = mrf_deliver(g, &out, reg[fmt], 4, s->out);
}
