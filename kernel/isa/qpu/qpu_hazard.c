// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Strict mode: detection of pipeline hazards, for which the hardware has no interlock. In
 * normal mode instructions take effect in program order, so such programs read new values.
 * A rotation of an accumulator right after its write remains a warning: shipped programs
 * do that. Source: VideoCore IV 3D Architecture Reference Guide, vc4asm addendum.
 */
#include "qpu_run.h"

static bool uses_mux(const struct qpu_insn *i, u32 mux)
{
	u32 k;

	for (k = 0; k < 2; k++) {
		if (k < qpu_add_operands(i->op_add) && i->mux[k] == mux)
			return true;
		if (k < qpu_mul_operands(i->op_mul) && i->mux[2 + k] == mux)
			return true;
	}
	return false;
}

static bool is_alu(const struct qpu_insn *i)
{
	return i->sig < QPU_SIG_LDI;
}

/* Does the instruction read register @reg (1 + index) of file A or B? */
static bool reads_reg(const struct qpu_insn *i, u32 file, u32 reg)
{
	if (!reg)
		return false;
	if (i->sig == QPU_SIG_BRANCH)
		return !file && i->br_reg && i->br_raddr == reg - 1;
	if (!is_alu(i) || (file && i->sig == QPU_SIG_SMI))
		return false;
	return (file ? i->raddr_b : i->raddr_a) == reg - 1 &&
	       uses_mux(i, file ? QPU_MUX_B : QPU_MUX_A);
}

/* Write address of ALU @which (0 add, 1 mul), NOP if it writes nothing. */
static u32 writes(const struct qpu_insn *i, u32 which)
{
	bool idle = is_alu(i) && !(which ? i->op_mul : i->op_add);

	if (i->sig != QPU_SIG_BRANCH)
		idle |= !(which ? i->cond_mul : i->cond_add);
	return idle ? QPU_W_NOP : which ? i->waddr_mul : i->waddr_add;
}

static bool writes_in(const struct qpu_insn *i, u32 lo, u32 hi)
{
	u32 k;

	for (k = 0; k < 2; k++) {
		if (writes(i, k) >= lo && writes(i, k) <= hi)
			return true;
	}
	return false;
}

static bool qpu_hazard_rotates_by_r5(const struct qpu_insn *i)
{
	return i->sig == QPU_SIG_SMI && i->raddr_b == 48 && i->op_mul;
}

static bool touches_r4(const struct qpu_insn *i)
{
	return (is_alu(i) && uses_mux(i, QPU_MUX_R4)) || i->sig == QPU_SIG_LDTMU0 ||
	       i->sig == QPU_SIG_LDTMU1 || (i->sig >= QPU_SIG_LOADCV && i->sig <= QPU_SIG_LDCEND) ||
	       i->sig == QPU_SIG_LOADAM;
}

static enum qpu_hazard look(const struct qpu_machine *m, const struct qpu_core *q,
			    const struct qpu_hz *h, const struct qpu_insn *i)
{
	if (reads_reg(i, 0, h->wrote[0]) || reads_reg(i, 1, h->wrote[1]))
		return QPU_HZ_REG_RAW;
	if (h->r5 && qpu_hazard_rotates_by_r5(i))
		return QPU_HZ_R5_ROTATE;
	if (h->sfu && touches_r4(i))
		return QPU_HZ_SFU_R4;
	if (h->sfu && writes_in(i, QPU_W_SFU_RECIP, QPU_W_SFU_LOG))
		return QPU_HZ_SFU_BUSY;
	if (h->unif && qpu_reads_uniform(i))
		return QPU_HZ_UNIF;
	if (qpu_unif_ended(q) && qpu_reads_uniform(i))
		return QPU_HZ_UNIF_END;
	if (is_alu(i) && !qpu_add_op_defined(i->op_add))
		return QPU_HZ_UNDEFINED_OP;
	if (i->sig == QPU_SIG_BRANCH && m->g.br[0] > 1)
		return QPU_HZ_BRANCH;
	return QPU_HZ_NONE;
}

static void remember(struct qpu_hz *h, const struct qpu_insn *i)
{
	u32 k;

	h->wrote[0] = 0;
	h->wrote[1] = 0;
	for (k = 0; k < 2; k++) {
		if (writes(i, k) < 32)
			h->wrote[k ^ i->ws] = 1 + writes(i, k);
	}
	h->r5 = writes_in(i, QPU_W_ACC5, QPU_W_ACC5);
	h->sfu = writes_in(i, QPU_W_SFU_RECIP, QPU_W_SFU_LOG) ? 2 : h->sfu ? h->sfu - 1 : 0;
	h->unif = writes_in(i, QPU_W_UNIF_ADDR, QPU_W_UNIF_ADDR) ? 2 : h->unif ? h->unif - 1 : 0;
}

bool qpu_hazard_check(struct qpu_machine *m, const struct qpu_insn *i)
{
	u32 k;

	for (k = 0; k < m->vm.n; k++) {
		struct qpu_core *q = qpu_core_of(m, k);
		struct qpu_hz *h = &m->ctl[q->num].hz;
		enum qpu_hazard found;

		/* Retry after a stall: already checked. */
		if (h->seen == q->insns + m->g.insns + 1)
			continue;
		h->seen = q->insns + m->g.insns + 1;
		found = look(m, q, h, i);
		remember(h, i);
		if (!found)
			continue;
		m->s.cnt.hazards++;
		q->pc = m->g.pc;
		qpu_fault_code(&m->s, q, VS_FAULT_HAZARD,
			       found == QPU_HZ_UNIF_END ? q->unif : 0, found);
		m->dead = true;
		return false;
	}
	return true;
}
