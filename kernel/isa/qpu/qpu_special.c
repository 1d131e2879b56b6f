// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Instructions beyond arithmetic: peripherals, signals, semaphores, branches.
 *
 * All conditions that can stall are checked first, so that a stalled QPU has no side effects
 * and executes the whole instruction later. Then all QPUs of the group read, compute and
 * write.
 */
#include "qpu_run.h"

static void die(struct qpu_machine *m)
{
	m->dead = true;
}

static bool ok(struct qpu_machine *m, enum qpu_ev ev)
{
	if (ev != QPU_EV_OK)
		die(m);
	return ev == QPU_EV_OK;
}

/* ---- stalls ---- */

static bool sema_ready(struct qpu_machine *m, struct qpu_core *q, const struct qpu_dec *d)
{
	bool acquire = d->imm & 16;
	u32 n = d->imm & 15;

	if (m->sema[n] != (acquire ? 0 : 15))
		return true;
	q->wait = acquire ? QPU_WAIT_SEMA_DEC : QPU_WAIT_SEMA_INC;
	q->wait_info = n;
	return false;
}

static void sema_do(struct qpu_machine *m, const struct qpu_dec *d)
{
	bool acquire = d->imm & 16;
	u32 n = d->imm & 15;

	m->sema[n] += acquire ? -1 : 1;
	qpu_sched_wake(m, acquire ? QPU_WAIT_SEMA_INC : QPU_WAIT_SEMA_DEC, n);
}

static bool reads(const struct qpu_dec *d, u32 raddr)
{
	return d->rd[0] == raddr || d->rd[1] == raddr;
}

static bool mutex_ready(struct qpu_machine *m, struct qpu_core *q)
{
	if (!m->mutex)
		return true;
	q->wait = QPU_WAIT_MUTEX;
	q->wait_info = m->mutex - 1;
	return false;
}

/* Accesses to the tile buffer wait for the scoreboard too. */
static bool uses_tile(const struct qpu_dec *d)
{
	u32 i;

	switch (d->sig) {
	case QPU_SIG_SBWAIT:
	case QPU_SIG_LOADCV:
	case QPU_SIG_LOADC:
	case QPU_SIG_LDCEND:
	case QPU_SIG_LOADAM:
		return true;
	default:
		break;
	}
	for (i = 0; i < 2; i++) {
		if (d->wr[i] >= QPU_W_TLB_Z && d->wr[i] <= QPU_W_TLB_ALPHA)
			return true;
	}
	return false;
}

/* Admit QPU @q to the instruction, or make it wait. */
static bool admit(struct qpu_machine *m, struct qpu_core *q, const struct qpu_dec *d)
{
	if (d->x & QPU_X_SEMA && !sema_ready(m, q, d))
		return false;
	if (reads(d, QPU_R_MUTEX) && !mutex_ready(m, q))
		return false;
	if (uses_tile(d)) {
		enum qpu_ev ev = qpu_frag_scoreboard(&m->s, q, QPU_SIG_SBWAIT);

		if (ev == QPU_EV_STALL)
			return false;
		ok(m, ev);
	}
	if (d->x & QPU_X_SEMA)
		sema_do(m, d);
	if (reads(d, QPU_R_MUTEX))
		m->mutex = q->num + 1;
	return true;
}

static void admit_all(struct qpu_machine *m, const struct qpu_dec *d)
{
	u32 k = 0;

	while (k < m->vm.n && !m->dead) {
		struct qpu_core *q = qpu_core_of(m, k);

		m->s.who = q;
		if (admit(m, q, d))
			k++;
		else
			qpu_sched_remove(m, q->num);
	}
}

/* ---- reads ---- */

static enum qpu_ev read_one(struct qpu_machine *m, struct qpu_core *q, u32 raddr, u32 port,
			    u32 *v)
{
	switch (raddr) {
	case QPU_R_VARY:
		return qpu_frag_vary(&m->s, q, v, m->ctl[q->num].vary_c);
	case QPU_R_XY_PIXEL:
	case QPU_R_MS_REV:
		return qpu_frag_read(&m->s, q, raddr, port, v);
	case QPU_R_VPM:
		return qpu_vpm_read(&m->s, q, v);
	default:
		/* The mutex reads as 0. */
		memset(v, 0, 4 * QPU_LANES);
		return QPU_EV_OK;
	}
}

/* An address that both ports read is accessed once. */
static bool qpu_special_read_ports(struct qpu_machine *m, struct qpu_core *q,
				   const struct qpu_dec *d)
{
	u32 (*v)[QPU_LANES] = m->vm.v[q->num];

	m->s.who = q;
	if (d->rd[0] && !ok(m, read_one(m, q, d->rd[0], 0, v[QPU_S_PA])))
		return false;
	if (!d->rd[1])
		return true;
	if (d->rd[1] == d->rd[0] && d->rd[0] != QPU_R_XY_PIXEL && d->rd[0] != QPU_R_MS_REV) {
		memcpy(v[QPU_S_PB], v[QPU_S_PA], sizeof(v[0]));
		return true;
	}
	return ok(m, read_one(m, q, d->rd[1], 1, v[QPU_S_PB]));
}

/*
 * ---- writes ----
 *
 * The condition masks the data. Queues advance even if it holds for no element; only
 * the condition "never" suppresses the access.
 */

static enum qpu_ev release_mutex(struct qpu_machine *m, struct qpu_core *q, u32 mask)
{
	if (!mask)
		return QPU_EV_OK;
	if (m->mutex != q->num + 1 && m->s.switches & QPU_SW_STRICT_HAZARDS)
		return qpu_fault_code(&m->s, q, VS_FAULT_HAZARD, 0, QPU_HZ_MUTEX);
	m->mutex = 0;
	qpu_sched_wake(m, QPU_WAIT_MUTEX, ~0U);
	return QPU_EV_OK;
}

static enum qpu_ev host_interrupt(struct qpu_machine *m, const u32 *v, u32 mask)
{
	u32 e, any = 0;

	for (e = 0; e < QPU_LANES; e++)
		any |= mask >> e & 1 ? v[e] : 0;
	m->s.cnt.host_ints += !!any;
	return QPU_EV_OK;
}

/* The SFU has results for the elements of @mask. */
static void note_sfu(struct qpu_machine *m, u32 q, u32 mask)
{
	m->ctl[q].sfu_mask = mask;
	qpu_charge(m, m->simd == VS_SIMD_PORTABLE ? 100 : 12);
}

static enum qpu_ev qpu_special_write_one(struct qpu_machine *m, struct qpu_core *q, u32 waddr,
					 u32 file, const u32 *v, u32 mask)
{
	/* Vectors and requests are issued even if all elements' conditions fail. */
	if (!mask && waddr != QPU_W_VPM && waddr < QPU_W_TMU0_S)
		return QPU_EV_OK;
	switch (waddr) {
	case QPU_W_TMU_NOSWAP:
		/* Every QPU has both TMUs to itself. */
		return QPU_EV_OK;
	case QPU_W_HOST_INT:
		return host_interrupt(m, v, mask);
	case QPU_W_UNIF_ADDR:
		if (mask & 1) {
			q->unif = v[0];
			q->unif_end = 0;
		}
		return QPU_EV_OK;
	case QPU_W_QUAD_XY ... QPU_W_TLB_ALPHA:
		qpu_charge(m, 20);
		return qpu_frag_write(&m->s, q, waddr, file, v, mask);
	case QPU_W_VPM:
		return qpu_vpm_write(&m->s, q, v, mask);
	case QPU_W_VPM_SETUP:
	case QPU_W_VPM_ADDR:
		return mask & 1 ? qpu_periph_vpm(m, q, waddr, file, v[0]) : QPU_EV_OK;
	case QPU_W_MUTEX:
		return release_mutex(m, q, mask);
	case QPU_W_TMU0_S ... QPU_W_TMU1_B:
		waddr -= QPU_W_TMU0_S;
		qpu_charge(m, waddr & 3 ? 1 : q->tmu[waddr >> 2].have ? 400 : 2);
		return qpu_tmu_write(&m->s, q, waddr >> 2, waddr & 3, v, mask);
	default:
		return QPU_EV_OK;
	}
}

static bool is_sfu(u32 waddr)
{
	return waddr >= QPU_W_SFU_RECIP && waddr <= QPU_W_SFU_LOG;
}

static bool write_ports(struct qpu_machine *m, struct qpu_core *q, const struct qpu_dec *d)
{
	u32 (*v)[QPU_LANES] = m->vm.v[q->num], i;

	for (i = 0; i < 2; i++) {
		if (!d->wr[i] || d->wcond[i] == QPU_COND_NEVER || is_sfu(d->wr[i]))
			continue;
		if (!ok(m, qpu_special_write_one(m, q, d->wr[i], d->wfile[i], v[QPU_S_OUT_ADD + i],
						 m->ctl[q->num].wmask[i])))
			return false;
	}
	return true;
}

/* Operands that a port writes to the SFU, of all QPUs at once. */
static void write_sfu(struct qpu_machine *m, const struct qpu_dec *d, u32 port)
{
	const u32 *v[QPU_NUM];
	u32 *r[QPU_NUM], k, n = 0;

	for (k = 0; k < m->vm.n; k++) {
		u32 q = m->vm.q[k], mask = m->ctl[q].wmask[port];

		if (!mask)
			continue;
		v[n] = m->vm.v[q][QPU_S_OUT_ADD + port];
		r[n++] = m->vm.v[q][QPU_S_SFU];
		note_sfu(m, q, mask);
	}
	if (n)
		qpu_sfu(m, d->wr[port], n, v, r);
}

static void use_sfu(struct qpu_machine *m, const struct qpu_dec *d)
{
	u32 i;

	for (i = 0; i < 2; i++) {
		if (!is_sfu(d->wr[i]))
			continue;
		/* Complete a pending result early. */
		if (m->g.sfu)
			qpu_special_sfu_done(m);
		/* This instruction and two more. */
		m->g.sfu = 3;
		write_sfu(m, d, i);
	}
}

void qpu_special_sfu_done(struct qpu_machine *m)
{
	u32 k, e;

	for (k = 0; k < m->vm.n; k++) {
		u32 q = m->vm.q[k], mask = m->ctl[q].sfu_mask;
		u32 *r4 = m->vm.v[q][QPU_S_R4], *v = m->vm.v[q][QPU_S_SFU];

		if (mask == 0xffff)
			memcpy(r4, v, QPU_LANES * sizeof(*v));
		else
			for (e = 0; e < QPU_LANES; e++)
				r4[e] = mask >> e & 1 ? v[e] : r4[e];
		m->ctl[q].sfu_mask = 0;
	}
}

/* ---- signals ---- */

static enum qpu_ev signal_one(struct qpu_machine *m, struct qpu_core *q, u32 sig)
{
	u32 *r4 = m->vm.v[q->num][QPU_S_R4];

	switch (sig) {
	case QPU_SIG_BKPT:
		return qpu_fault_code(&m->s, q, VS_FAULT_HANG, 0, QPU_HZ_BREAKPOINT);
	case QPU_SIG_LDTMU0:
	case QPU_SIG_LDTMU1:
		return qpu_tmu_load(&m->s, q, sig - QPU_SIG_LDTMU0, r4);
	case QPU_SIG_LOADCV:
	case QPU_SIG_LOADC:
	case QPU_SIG_LDCEND:
	case QPU_SIG_LOADAM:
		return qpu_frag_load(&m->s, q, sig, r4);
	case QPU_SIG_SBDONE:
		qpu_sched_wake(m, QPU_WAIT_SCOREBOARD, ~0U);
		return qpu_frag_scoreboard(&m->s, q, sig);
	default:
		return QPU_EV_OK;
	}
}

static bool qpu_special_finish_one(struct qpu_machine *m, struct qpu_core *q,
				   const struct qpu_dec *d)
{
	bool first = qpu_periph_load_first(q, d->sig);

	m->s.who = q;
	if (first && !ok(m, signal_one(m, q, d->sig)))
		return false;
	if (d->x & QPU_X_WRITE && !write_ports(m, q, d))
		return false;
	if (!first && d->x & QPU_X_SIGNAL && !ok(m, signal_one(m, q, d->sig)))
		return false;
	if (reads(d, QPU_R_VARY))
		memcpy(m->vm.v[q->num][QPU_S_R5], m->ctl[q->num].vary_c,
		       sizeof(m->ctl[0].vary_c));
	return true;
}

/* ---- branches ---- */

/* The address that a branch leaves, @link, is the result of port @i. */
static void link_one(struct qpu_machine *m, struct qpu_core *q, const struct qpu_dec *dec, u32 i,
		     u32 link)
{
	u32 (*slot)[QPU_LANES] = m->vm.v[q->num], *v = slot[QPU_S_OUT_ADD + i], *d = NULL, e;
	u32 waddr = dec->wr[i], file = dec->wfile[i];

	if (waddr < 32)
		d = slot[(file ? QPU_S_RB : QPU_S_RA) + waddr];
	else if (waddr >= QPU_W_ACC0 && waddr <= QPU_W_ACC3)
		d = slot[QPU_S_ACC + waddr - QPU_W_ACC0];
	else if (waddr == QPU_W_ACC5)
		d = slot[QPU_S_R5];
	for (e = 0; e < QPU_LANES; e++)
		v[e] = link;
	if (waddr < 32)
		qpu_code_use(&m->code, (file ? QPU_S_RB : QPU_S_RA) + waddr);
	if (d)
		memcpy(d, v, sizeof(slot[0]));
	else if (is_sfu(waddr))
		m->ctl[q->num].wmask[i] = 0xffff;
	else if (waddr != QPU_W_NOP)
		ok(m, qpu_special_write_one(m, q, waddr, file, v, 0xffff));
}

static void branch_one(struct qpu_machine *m, struct qpu_core *q, const struct qpu_dec *d,
		       u32 which)
{
	struct qpu_ctl *c = &m->ctl[q->num];
	u16 *fl = m->vm.fl[q->num];
	u32 link = q->pc + 32, i;

	memset(c->wmask, 0, sizeof(c->wmask));
	c->taken[which] = qpu_taken(fl, d->br_cond);
	if (!c->taken[which])
		return;
	c->target[which] = d->imm + (d->br_rel ? link : 0);
	if (d->br_reg)
		c->target[which] += m->vm.v[q->num][QPU_S_RA + d->br_raddr][15];
	for (i = 0; i < 2; i++)
		link_one(m, q, d, i, link);
	if (d->sf) {
		fl[QPU_F_Z] = link ? 0 : 0xffff;
		fl[QPU_F_N] = link >> 31 ? 0xffff : 0;
		fl[QPU_F_C] = 0;
	}
}

/*
 * A branch in the last delay slot of another one takes effect at the other's target, after
 * the rest of its own delay slots there.
 */
static void branch_all(struct qpu_machine *m, const struct qpu_dec *d)
{
	u32 which = m->g.br[0] ? 1 : 0, k;
	bool any = false;

	for (k = 0; k < m->vm.n && !m->dead; k++) {
		branch_one(m, qpu_core_of(m, k), d, which);
		any |= m->ctl[m->vm.q[k]].taken[which];
	}
	if (any && (is_sfu(d->wr[0]) || is_sfu(d->wr[1])))
		use_sfu(m, d);
	/* This instruction and three delay slots. */
	m->g.br[which] = any ? 4 : 0;
}

/* ---- the whole instruction ---- */

static void bad_instruction(struct qpu_machine *m, const struct qpu_dec *d)
{
	struct qpu_core *q = qpu_core_of(m, 0);

	if (d->bad)
		qpu_fault_code(&m->s, q, VS_FAULT_ENCODING, q->pc, d->bad);
	else
		qpu_fault(&m->s, q, q->pc & 7 ? VS_FAULT_MISALIGNED : VS_FAULT_FETCH, q->pc, 8);
	die(m);
}

static void note_masks(struct qpu_machine *m, const struct qpu_dec *d)
{
	u32 k, i;

	for (k = 0; k < m->vm.n; k++) {
		u32 q = m->vm.q[k];

		for (i = 0; i < 2; i++)
			m->ctl[q].wmask[i] = qpu_cond_mask(m->vm.fl[q], d->wcond[i]);
	}
}

static void qpu_special_execute(struct qpu_machine *m, const struct qpu_dec *d)
{
	u32 k;

	if (d->unif && !qpu_take_uniforms(m, d, 1)) {
		die(m);
		return;
	}
	for (k = 0; k < m->vm.n && d->x & QPU_X_READ; k++) {
		if (!qpu_special_read_ports(m, qpu_core_of(m, k), d))
			return;
	}
	if (d->x & QPU_X_WRITE)
		note_masks(m, d);
	qpu_exec(m, m->code.uop + d[0].uop, m->code.uop + d[1].uop);
	if (is_sfu(d->wr[0]) || is_sfu(d->wr[1]))
		use_sfu(m, d);
	for (k = 0; k < m->vm.n; k++) {
		if (!qpu_special_finish_one(m, qpu_core_of(m, k), d))
			return;
	}
	if (d->sig == QPU_SIG_THREND || d->sig == QPU_SIG_LDCEND)
		m->g.end = m->g.end ? m->g.end : 3;
}

/*
 * An instruction whose only special effect is that all elements of one result go to the SFU: it
 * cannot stall or fault. Return: false: it is another one.
 */
static bool qpu_special_sfu_only(struct qpu_machine *m, const struct qpu_dec *d)
{
	const u32 port = !is_sfu(d->wr[0]);
	u32 k, q;

	if (d->x != QPU_X_WRITE || !is_sfu(d->wr[port]) || d->wr[!port] || d->unif ||
	    d->wcond[port] != QPU_COND_ALWAYS || m->code.insn || m->dbg)
		return false;
	qpu_charge(m, m->vm.n);
	qpu_exec(m, m->code.uop + d[0].uop, m->code.uop + d[1].uop);
	for (k = 0; k < m->vm.n; k++) {
		q = m->vm.q[k];
		m->ctl[q].wmask[port] = 0xffff;
	}
	use_sfu(m, d);
	return true;
}

void qpu_special(struct qpu_machine *m, const struct qpu_dec *d)
{
	u32 k;

	if (qpu_special_sfu_only(m, d))
		return;
	for (k = 0; k < m->vm.n; k++)
		qpu_core_of(m, k)->pc = m->g.pc;
	if (d->x & QPU_X_BAD) {
		bad_instruction(m, d);
		return;
	}
	admit_all(m, d);
	if (!m->vm.n || m->dead)
		return;
	qpu_charge(m, m->vm.n);
	if (d->x & QPU_X_BRANCH)
		branch_all(m, d);
	else
		qpu_special_execute(m, d);
}
