// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The micro-op verifier. It trusts neither front ends nor the builder: a program that it accepts
 * cannot make the executor leave its tables, whatever the data.
 */
#include "vs_job.h"
#include "vs_progint.h"

static bool fields_ok(const u16 *w, u32 used, u32 limit)
{
	u32 i;

	for (i = 0; i < 4; i++) {
		if (i < used ? w[i] >= limit : w[i] != 0)
			return false;
	}
	return true;
}

static u32 unif_words(const struct vs_prog *p)
{
	u32 n = p->nunif + p->nconst;

	return p->uses_neg ? 2 * n : n;
}

static bool flags_ok(const struct vs_uop *u, u32 allowed)
{
	u32 unif = u->flags & (VS_UOP_A_UNIF | VS_UOP_B_UNIF | VS_UOP_C_UNIF);

	return !(u->flags & ~(allowed | VS_UOP_FIRST)) && !(unif & (unif - 1));
}

static bool imm_ok(const struct vs_uop *u)
{
	switch (u->op) {
	case VS_OP_CMP:
		return !(u->imm & ~0x77U) && (u->imm & 7) <= VS_CMP_GE &&
		       (u->imm >> 4 & 7) <= VS_CMP_GE;
	case VS_OP_LDROW:
		return !(u->imm & ~(0xffU | VS_LDROW_NEG));
	case VS_OP_SETEMIT:
		return u->imm < 16 && (u->imm & 3) != 3;
	case VS_OP_FAULT:
		return u->imm > VS_FAULT_NONE && u->imm <= VS_FAULT_CANCELED;
	default:
		return !u->imm;
	}
}

static bool data_ok(const struct vs_prog *p, const struct vs_uop *u, enum vs_class class)
{
	u32 na = vs_src_comps(class, 0, u->ncomp), nb = vs_src_comps(class, 1, u->ncomp);
	u32 nc = vs_src_comps(class, 2, u->ncomp), allowed = 0, unif = unif_words(p);

	if (u->ncomp < 1 || u->ncomp > 4 || (class == VS_CL_P2 && u->ncomp > 2))
		return false;
	if (class != VS_CL_RW)
		allowed = (na ? VS_UOP_A_UNIF : 0) | (nb ? VS_UOP_B_UNIF : 0) |
			  (nc ? VS_UOP_C_UNIF : 0);
	if (!flags_ok(u, allowed))
		return false;
	if (u->op == VS_OP_NOP)
		return u->ncomp == 1 && flags_ok(u, 0) && fields_ok(u->d, 0, 0) &&
		       fields_ok(u->a, 0, 0) && fields_ok(u->b, 0, 0) && fields_ok(u->c, 0, 0);
	if (!fields_ok(u->d, u->ncomp, class == VS_CL_P2 ? VS_MAX_PREDS : p->nslots) ||
	    !fields_ok(u->a, na, u->flags & VS_UOP_A_UNIF ? unif : p->nslots) ||
	    !fields_ok(u->c, nc, u->flags & VS_UOP_C_UNIF ? unif : p->nslots))
		return false;
	if (class == VS_CL_RW)
		return fields_ok(u->b, u->ncomp, 4) && p->rows.limit &&
		       p->rows.limit <= p->rows.mask + 1;
	return fields_ok(u->b, nb, u->flags & VS_UOP_B_UNIF ? unif : p->nslots);
}

static bool helper_ok(const struct vs_uop *u)
{
	return u->ncomp == 1 && flags_ok(u, 0) && fields_ok(u->d, 0, 0) &&
	       fields_ok(u->a, 0, 0) && fields_ok(u->b, 0, 0) && fields_ok(u->c, 0, 0);
}

static bool target_ok(const struct vs_prog *p, u32 t, bool used)
{
	return used ? t < p->nuops && p->uops[t].flags & VS_UOP_FIRST : !t;
}

static bool cond_ok(const struct vs_flow *f)
{
	switch (f->cond) {
	case VS_COND_ALWAYS:
		return !f->lut && !f->num;
	case VS_COND_PREDS:
		return f->lut < 16 && !f->num;
	case VS_COND_BOOL:
		return f->lut < 2 && f->num < 32;
	default:
		return false;
	}
}

static bool flow_ok(const struct vs_prog *p, u32 n)
{
	const struct vs_uop *u = &p->uops[n];
	const struct vs_flow *f = &u->f;
	u32 use = vs_flow_use(u);
	u32 rings = u->op == VS_OP_END || u->op == VS_OP_CHECK ? 0 : VS_UOP_RINGS;

	if (u->ncomp != 1 || !flags_ok(u, rings) || f->pad || f->pad2)
		return false;
	if (!target_ok(p, f->target, use & VS_USE_TARGET) ||
	    !target_ok(p, f->resume, use & VS_USE_RESUME) ||
	    !target_ok(p, f->other, use & VS_USE_OTHER))
		return false;
	/* The ring pops of any flagged micro-op write the loop's address register. */
	if (f->al >= p->nslots)
		return false;
	if (u->op == VS_OP_LOOP)
		return f->cond == VS_COND_ALWAYS && !f->lut && f->num < 4;
	if (u->op == VS_OP_END || u->op == VS_OP_CHECK || u->op == VS_OP_RINGS)
		return !f->cond && !f->lut && !f->num;
	return cond_ok(f);
}

static bool prog_verify_uop_ok(const struct vs_prog *p, u32 n)
{
	const struct vs_uop *u = &p->uops[n];
	enum vs_class class;

	if (u->op >= VS_NUM_OPS || u->pad)
		return false;
	class = vs_opinfo[u->op].class;
	if (!imm_ok(u) || u->handler != vs_handler(u))
		return false;
	if (p->guest_of_uop[n] > p->nguest)
		return false;
	if (class == VS_CL_FL)
		return flow_ok(p, n);
	return class == VS_CL_HP ? helper_ok(u) : data_ok(p, u, class);
}

static bool bank_ok(const struct vs_prog *p, u32 slot, u32 regs)
{
	return slot + 4 * regs <= p->nslots;
}

static bool prog_verify_regs_ok(const struct vs_prog *p)
{
	u32 i, c;

	for (i = 0; i < p->nregs; i++) {
		const struct vs_reg *r = &p->regs[i];

		if (r->ncomp < 1 || r->ncomp > 4 || r->type > 2)
			return false;
		for (c = 0; c < r->ncomp; c++) {
			if (r->slot[c] >= (r->type == 2 ? VS_MAX_PREDS : p->nslots))
				return false;
		}
	}
	return true;
}

static bool header_ok(const struct vs_prog *p)
{
	if (!p->nuops || p->nuops > VS_MAX_UOPS || !p->nslots || p->nslots > VS_MAX_SLOTS ||
	    p->nguest > VS_MAX_GUEST || p->nunif > VS_MAX_UNIF || p->nconst > VS_MAX_CONST ||
	    p->nunif + p->nconst > VS_MAX_UNIF)
		return false;
	if (p->nin > 16 || p->nout > 16 || !bank_ok(p, p->in_slot, p->nin) ||
	    !bank_ok(p, p->out_slot, p->nout) ||
	    (p->shadow_slot && !bank_ok(p, p->shadow_slot, p->nout)))
		return false;
	if (p->in_used >> p->nin || p->out_written >> p->nout)
		return false;
	/* Rows of four words each, and one more of zeros, make the row table. */
	if (p->rows.mask > VS_MAX_ROWMASK || (p->rows.mask & (p->rows.mask + 1)) ||
	    p->rows.limit > p->rows.mask + 1 || p->rows.limit * 4 > p->nunif)
		return false;
	return prog_verify_regs_ok(p);
}

static bool guests_ok(const struct vs_prog *p)
{
	u32 g;

	for (g = 0; g <= p->nguest; g++) {
		u32 n = p->uop_of_guest[g];

		if (n != VS_NO_UOP && (n >= p->nuops || !(p->uops[n].flags & VS_UOP_FIRST) ||
				       p->guest_of_uop[n] != g))
			return false;
	}
	return true;
}

int vs_prog_verify(const struct vs_prog *p, u32 *bad)
{
	u32 n, run = 0;

	*bad = 0;
	if (!header_ok(p))
		return -EINVAL;
	for (n = 0; n < p->nuops; n++) {
		*bad = n;
		if (!prog_verify_uop_ok(p, n))
			return -EINVAL;
		run = vs_op_is_control(p->uops[n].op) ? 0 : run + 1;
		if (run > VS_MAX_STRAIGHT)
			return -EINVAL;
		if (p->wsum[n + 1] - p->wsum[n] != vs_opinfo[p->uops[n].op].weight)
			return -EINVAL;
	}
	if (p->uops[p->nuops - 1].op != VS_OP_END || !guests_ok(p))
		return -EINVAL;
	*bad = VS_NO_UOP;
	return 0;
}
