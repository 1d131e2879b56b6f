// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of framebuffer writes of Midgard fragments and of the blend programs they call.
 *
 * A write takes the colour in r0, depth in r1.x, stencil in r1.y and the target in r1.z. If the
 * target's blend descriptor names a program, that program continues with the same registers, its
 * own writes store the tile's bits, and at its end the thread resumes at the address in r1.w. If
 * the write is the last instruction of its program, the thread ends, whatever is in r1.w.
 */
#include "midgard_ext.h"
#include "midgard_lower_priv.h"

#define R0	MG_SLOT_REG(0)
#define R1	MG_SLOT_REG(1)

/* ---- several programs ---- */

u32 ml_part_at(const struct mg_code *code, u32 quad)
{
	u32 i = code->nparts ? code->nparts - 1 : 0;

	while (i && code->parts[i].first > quad)
		i--;
	return i;
}

u32 ml_part_end(const struct mg_code *code, u32 quad, u32 *first)
{
	const struct mg_part *p;

	*first = 0;
	if (!code->parts)
		return code->nquads;
	p = &code->parts[ml_part_at(code, quad)];
	*first = p->first;
	return p->first + p->nquads;
}

bool ml_blends(const struct ml *l)
{
	return l->code->nparts > 1 && l->f.pos >= l->code->parts[1].first;
}

void ml_go_if(struct ml *l, u16 v, u32 is, u32 pos)
{
	struct ml_val same = ml_aux(l, ML_U(.op = SIMT_UCMP, .s = { v, ml_const(l, is).s },
					    .imm = SIMT_CMP(SIMT_EQ, SIMT_TRUE_1)));

	ml_emit(l, ML_UOP(.op = SIMT_BRNZ, .s = { same.s }, .imm = pos));
	l->f.temp--;
}

/* ---- calls and returns of blend programs ---- */

/* Call the blend program whose index is in slot @number; index 0 calls none. */
static int ml_frag_call_parts(struct ml *l, const struct mg_branch *br, u16 number)
{
	bool last = l->b.next == MG_TAG_BREAK;
	u32 i;

	/* a return would skip the rest of the bundle */
	if (l->nback == ML_MAX_BACK || br != &l->b.branch[l->b.nbranch - 1])
		return ml_unsupported(l, l->nback);
	if (!last)
		l->back[l->nback++] = l->f.pos + l->b.quads;
	ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = MG_SLOT_BACK, .s = { ml_const(l, !last).s }));
	for (i = 1; i < l->code->nparts; i++)
		ml_go_if(l, number, i, l->code->parts[i].first);
	return 0;
}

/* Return of a blend program; without a call there is no return position. */
void ml_return_back(struct ml *l)
{
	const struct mg_part *p = &l->code->parts[0];
	u32 i;

	l->f.temp = MG_SLOT_WORK;
	simt_front_label(&l->f, l->leave);
	ml_emit(l, ML_UOP(.op = SIMT_BRZ, .s = { MG_SLOT_BACK }, .imm = l->code->nquads));
	for (i = 0; i < l->nback; i++)
		ml_go_if(l, R1 + 3, (u32)(p->va + 16ULL * l->back[i]), l->back[i]);
	ml_emit(l, ML_UOP(.op = SIMT_FAULT, .imm = VS_FAULT_FETCH));
	l->ends = true;
}

/* ---- writes ---- */

/* Render target of a write; the first one if the bundle does not set it. */
static struct ml_val where_to(struct ml *l)
{
	if (l->r1 & 0xf00)
		return ml_slot(R1 + 2);
	return ml_const(l, 0);
}

/* Write to the framebuffer; it always succeeds, so execution falls through. */
int ml_write_out(struct ml *l, const struct mg_branch *br)
{
	u16 to, number = ml_temp(l);

	if (br->cond != 0xffff || l->code->stage != VS_STAGE_FRAGMENT)
		return ml_unsupported(l, br->op);
	to = where_to(l).s;
	if (ml_blends(l)) {
		ml_emit(l, ML_UOP(.op = SIMT_EXT, .d2 = R0, .d = number, .s = { to },
				  .imm = MGX_ST_RAW));
		return 0;
	}
	ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = number, .d2 = R0, .n = 1, .s = { R1, R1 + 1, to },
			  .imm = MGX_WRITE));
	return l->code->nparts > 1 ? ml_frag_call_parts(l, br, number) : 0;
}
