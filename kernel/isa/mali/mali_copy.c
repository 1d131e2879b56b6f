// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Midgard's fragment programs that only copy a texel: a varying's first two components are the
 * coordinates of one texture operation, whose result is the colour of target 0.
 */
#include "../midgard/midgard.h"
#include "../midgard/midgard_ext.h"
#include "mali_run_int.h"

#define COMPS		4
#define MAX_UOPS	32	/* of such a program */

/* An operation whose only effect is on its slots: @n of them. */
static bool writes_slots(const struct simt_uop *u, u32 *n)
{
	*n = u->op == SIMT_EXT ? COMPS : 1;
	if (u->op == SIMT_EXT)
		return MALI_EXT_OP(u->imm) == MGX_LD_VAR || MALI_EXT_OP(u->imm) == MGX_TEX;
	return u->op == SIMT_MOV || u->op == SIMT_F2U || u->op == SIMT_IADD;
}

/* Operation before number @at that writes a slot, past moves; @slot: its own. @at: none. */
static u32 writer(const struct simt_prog *p, u32 at, u32 *slot)
{
	const struct simt_uop *u;
	u32 i, n;

	for (i = at; i-- > p->entry;) {
		u = &p->uops[i];
		writes_slots(u, &n);
		if (*slot - u->d >= n)
			continue;
		if (u->op != SIMT_MOV || u->mods || u->s[0] & SIMT_U)
			return i;
		*slot = u->s[0];
	}
	return at;
}

/* The message @op before number @at whose results are slots @slot .., in their order; @at: none. */
static u32 source(const struct simt_prog *p, u32 at, u32 slot, u32 op, u32 comps)
{
	u32 i, s, from, found = at;

	for (i = 0; i < comps; i++) {
		s = slot + i;
		from = writer(p, at, &s);
		if (from == at || (i && from != found) || p->uops[from].op != SIMT_EXT ||
		    MALI_EXT_OP(p->uops[from].imm) != op || s - p->uops[from].d != i)
			return at;
		found = from;
	}
	return found;
}

static bool constant(const struct simt_prog *p, u32 s, u32 *v)
{
	u32 i = (s & ~SIMT_U) - p->nunif;

	if (!(s & SIMT_U) || i >= p->nconst)
		return false;
	*v = p->consts[i];
	return true;
}

static bool reads_texel(const struct simt_prog *p, const struct simt_uop *u, struct mali_copy *c)
{
	return MGX_TEX_LOD(u->imm) != MGX_LOD_FETCH && !MGX_TEX_OFFSETS(u->imm) &&
	       MGX_TEX_MODE(u->imm) == MG_TEXMODE_NORMAL && MGX_TEX_DIM(u->imm) == TX_DIM_2D &&
	       MGX_TEX_TYPE(u->imm) == MG_SAMPLER_FLOAT &&
	       constant(p, u->s[0], &c->texture) && constant(p, u->s[1], &c->sampler);
}

static bool reads_varying(const struct simt_prog *p, const struct simt_uop *u, struct mali_copy *c)
{
	return !(u->imm & MGX_VAR_FLAT) && MALI_EXT_REGFMT(u->imm) == MALI_REG_F32 &&
	       constant(p, u->s[0], &c->varying);
}

/* Does the last operation write the colour to target 0? */
static bool writes_colour(const struct simt_prog *p, const struct simt_uop *u)
{
	u32 to;

	return u->op == SIMT_EXT && MALI_EXT_OP(u->imm) == MGX_WRITE && u[1].op == SIMT_END &&
	       constant(p, u->s[2], &to) && !MGX_TARGET(to) && MGX_CHUNK(to) != MGX_NO_COLOUR;
}

bool mali_run_copies(const struct mali_run *r, struct mali_copy *c)
{
	const struct simt_prog *p = r->prog;
	u32 end, texel, varying, n;

	if (!p || !mali_gpu_is_midgard(r->w.gpu) || r->w.dbg || p->nuops > MAX_UOPS)
		return false;
	for (end = p->entry; writes_slots(&p->uops[end], &n); end++)
		;
	if (!writes_colour(p, &p->uops[end]))
		return false;
	texel = source(p, end, p->uops[end].d2, MGX_TEX, COMPS);
	if (texel == end || !reads_texel(p, &p->uops[texel], c))
		return false;
	varying = source(p, texel, p->uops[texel].d2, MGX_LD_VAR, 2);
	return varying != texel && reads_varying(p, &p->uops[varying], c);
}
