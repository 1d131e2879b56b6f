// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Midgard calls and returns.
 *
 * Mesa documents the names of these branch modes only. By their names, a call jumps to its
 * target and a return resumes after the call. Where the hardware stores the return address is
 * unknown, so nothing that depends on it is executed: nested calls, which may or may not
 * overwrite the address, fault, as do returns without a call.
 */
#include "midgard_lower_priv.h"

int ml_call(struct ml *l, const struct mg_branch *br, u32 op, struct ml_val on)
{
	bool always = op == SIMT_JMP;
	struct ml_call *c = &l->calls[l->ncalls];
	u32 skip = 0;

	/* a return would skip the rest of the bundle */
	if (l->code->nparts > 1 || l->ncalls == ML_MAX_CALLS || br->dest_tag == MG_TAG_BREAK ||
	    br != &l->b.branch[l->b.nbranch - 1])
		return ml_unsupported(l, br->call);
	l->ncalls++;
	c->pos = l->f.pos;
	c->behind = l->b.next == MG_TAG_BREAK ? ML_LEAVES : l->f.pos + l->b.quads;
	c->landing = ml_new_label(l);
	if (!l->nested)
		l->nested = ml_new_label(l);
	if (!always) {
		skip = ml_new_label(l);
		ml_emit(l, ML_UOP(.op = op == SIMT_BRZ ? SIMT_BRNZ : SIMT_BRZ, .s = { on.s },
				  .imm = skip));
	}
	ml_emit(l, ML_UOP(.op = SIMT_BRNZ, .s = { MG_SLOT_LINK }, .imm = l->nested));
	ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = MG_SLOT_LINK,
			  .s = { ml_const(l, l->ncalls).s }));
	ml_emit(l, ML_UOP(.op = SIMT_JMP, .imm = l->f.pos + l->b.quads + br->offset));
	if (!always)
		simt_front_label(&l->f, skip);
	return always;
}

int ml_return(struct ml *l, const struct mg_branch *br, u32 op, struct ml_val on)
{
	if (l->code->nparts > 1)
		return ml_unsupported(l, br->call);
	if (!l->home)
		l->home = ml_new_label(l);
	ml_emit(l, ML_UOP(.op = op, .s = { on.s }, .imm = l->home));
	return op == SIMT_JMP;
}

static void land(struct ml *l, const struct ml_call *c)
{
	l->f.pos = c->pos;
	simt_front_label(&l->f, c->landing);
	ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = MG_SLOT_LINK, .s = { ml_const(l, 0).s }));
	if (c->behind == ML_LEAVES)
		ml_end(l);
	else
		ml_emit(l, ML_UOP(.op = SIMT_JMP, .imm = c->behind));
}

void ml_calls_end(struct ml *l)
{
	u32 i;

	l->f.temp = MG_SLOT_WORK;
	if (l->home) {
		simt_front_label(&l->f, l->home);
		for (i = 0; i < l->ncalls; i++)
			ml_go_if(l, MG_SLOT_LINK, i + 1, l->calls[i].landing);
		ml_emit(l, ML_UOP(.op = SIMT_FAULT, .imm = VS_FAULT_FETCH));
		for (i = 0; i < l->ncalls; i++)
			land(l, &l->calls[i]);
	}
	if (!l->nested)
		return;
	simt_front_label(&l->f, l->nested);
	ml_emit(l, ML_UOP(.op = SIMT_FAULT, .imm = VS_FAULT_ENCODING));
}
