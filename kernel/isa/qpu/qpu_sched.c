// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Scheduling of QPUs. QPUs at the same instruction form a group and execute in lockstep. The
 * group at the lowest address has priority, so that QPUs that left a loop early wait for the
 * others after the loop; starved QPUs get priority for a while, so that polling loops
 * end. Decisions depend on instruction counts only: execution is deterministic.
 */
#include "qpu_run.h"

static u32 qpu_sched_place(const struct qpu_core *q)
{
	return q->pc & QPU_ADDR_MASK;
}

static bool runnable(const struct qpu_core *q)
{
	return q->wait == QPU_WAIT_NONE;
}

static u32 qpu_sched_group_mask(const struct qpu_machine *m)
{
	u32 mask = 0, k;

	for (k = 0; k < m->vm.n; k++)
		mask |= 1U << m->vm.q[k];
	return mask;
}

/* Copy control state from the group to QPU @q. */
static void put(struct qpu_machine *m, u32 q)
{
	m->s.core[q].pc = m->g.pc;
	m->s.core[q].insns += m->g.insns;
	m->ctl[q].br[0] = m->g.br[0];
	m->ctl[q].br[1] = m->g.br[1];
	m->ctl[q].end = m->g.end;
	m->ctl[q].sfu = m->g.sfu;
}

void qpu_sched_leave(struct qpu_machine *m)
{
	u32 k;

	for (k = 0; k < m->vm.n; k++)
		put(m, m->vm.q[k]);
	m->vm.n = 0;
}

/* Remove QPU @q from the group. */
void qpu_sched_remove(struct qpu_machine *m, u32 q)
{
	u32 k, n = m->vm.n;

	put(m, q);
	m->vm.n = 0;
	for (k = 0; k < n; k++) {
		if (m->vm.q[k] != q)
			qpu_vm_add(&m->vm, m->vm.q[k]);
	}
}

/* Wake the QPUs that wait with @wait (and @info, unless it is ~0). */
void qpu_sched_wake(struct qpu_machine *m, u32 wait, u32 info)
{
	u32 q;

	for (q = 0; q < QPU_NUM; q++) {
		struct qpu_core *c = &m->s.core[q];

		if (c->wait == wait && (info == ~0U || c->wait_info == info)) {
			c->wait = QPU_WAIT_NONE;
			m->repick = true;
		}
	}
}

static void account(struct qpu_machine *m)
{
	u32 group = qpu_sched_group_mask(m), q;

	for (q = 0; q < QPU_NUM; q++) {
		if (group >> q & 1 || !runnable(&m->s.core[q]))
			m->ctl[q].starve = 0;
		else
			m->ctl[q].starve += m->steps;
	}
	m->boost = m->boost > m->steps ? m->boost - m->steps : 0;
	m->steps = 0;
}

/* QPU that leads the next group; QPU_NUM if none is runnable. */
static u32 leader(struct qpu_machine *m)
{
	u32 best = QPU_NUM, starved = QPU_NUM, q;

	if (m->boost && runnable(&m->s.core[m->boosted]))
		return m->boosted;
	for (q = 0; q < QPU_NUM; q++) {
		if (!runnable(&m->s.core[q]))
			continue;
		if (best == QPU_NUM ||
		    qpu_sched_place(&m->s.core[q]) < qpu_sched_place(&m->s.core[best]))
			best = q;
		if (m->ctl[q].starve > QPU_PATIENCE &&
		    (starved == QPU_NUM || m->ctl[q].starve > m->ctl[starved].starve))
			starved = q;
	}
	if (starved == QPU_NUM)
		return best;
	m->boosted = starved;
	m->boost = QPU_PATIENCE;
	return starved;
}

static bool joins(const struct qpu_machine *m, u32 lead, u32 q)
{
	const struct qpu_ctl *a = &m->ctl[lead], *b = &m->ctl[q];

	return m->s.core[q].pc == m->s.core[lead].pc &&
	       a->br[0] == b->br[0] &&
	       a->br[1] == b->br[1] && a->end == b->end && a->sfu == b->sfu;
}

/**
 * qpu_sched_pick - select the group that runs next
 * @m: machine; the group is empty afterwards if no QPU is runnable
 */
void qpu_sched_pick(struct qpu_machine *m)
{
	struct qpu_group *g = &m->g;
	u32 lead, q;

	account(m);
	qpu_sched_leave(m);
	m->repick = false;
	lead = leader(m);
	if (lead == QPU_NUM)
		return;
	*g = (struct qpu_group){
		.pc = m->s.core[lead].pc,
		.br = { m->ctl[lead].br[0], m->ctl[lead].br[1] },
		.end = m->ctl[lead].end,
		.sfu = m->ctl[lead].sfu,
		.limit = QPU_NO_LIMIT,
		.low = QPU_NO_LIMIT,
	};
	for (q = 0; q < QPU_NUM; q++) {
		u32 at = qpu_sched_place(&m->s.core[q]);

		if (!runnable(&m->s.core[q]))
			continue;
		if (joins(m, lead, q)) {
			qpu_vm_add(&m->vm, q);
			continue;
		}
		g->low = min_t(u32, g->low, at);
		if (at > (g->pc & QPU_ADDR_MASK))
			g->limit = min_t(u32, g->limit, at);
	}
}

/**
 * qpu_sched_start - start the next thread, if there is one
 * @m: machine
 * @q: QPU without a thread
 *
 * Registers start as zeros.
 */
void qpu_sched_start(struct qpu_machine *m, struct qpu_core *q)
{
	u32 (*v)[QPU_LANES] = m->vm.v[q->num];
	const struct qpu_thread *t;

	q->wait = QPU_WAIT_IDLE;
	if (m->next == m->s.nthreads)
		return;
	q->wait = QPU_WAIT_NONE;
	q->thread = m->next++;
	t = &m->s.threads[q->thread];
	q->pc = t->pc;
	q->unif = t->uniforms;
	q->unif_end = t->nuniforms && m->s.switches & QPU_SW_STRICT_HAZARDS ?
		      t->uniforms + 4 * t->nuniforms : 0;
	q->insns = 0;
	memset(&m->ctl[q->num], 0, sizeof(m->ctl[0]));
	memset(m->vm.fl[q->num], 0, sizeof(m->vm.fl[0]));
	/* W and Z are in registers 15 */
	if (m->s.fragment) {
		qpu_code_use(&m->code, QPU_S_RA + 15);
		qpu_code_use(&m->code, QPU_S_RB + 15);
	}
	memset(v[QPU_S_RA], 0, m->code.used[0] * sizeof(v[0]));
	memset(v[QPU_S_RB], 0, m->code.used[1] * sizeof(v[0]));
	memset(v[QPU_S_ACC], 0, (QPU_S_ELEM - QPU_S_ACC) * sizeof(v[0]));
	memset(v[QPU_S_RES_A], 0, 2 * sizeof(v[0]));
	qpu_vpm_reset(q);
	qpu_tmu_reset(&m->s, q);
	if (m->s.feed)
		qpu_charge(m, m->s.feed->cost);
	if (m->s.fragment ?
	    qpu_frag_start(&m->s, q, v[QPU_S_RA + 15], v[QPU_S_RB + 15]) == QPU_EV_FAULT :
	    m->s.feed && m->s.feed->start(&m->s, q, NULL, NULL, m->s.feed_arg) == QPU_EV_FAULT)
		m->dead = true;
	m->repick = true;
}

/**
 * qpu_sched_end - end a thread; the next one of the QPU is due
 * @m: machine
 * @q: its QPU, no longer in the group
 */
void qpu_sched_end(struct qpu_machine *m, struct qpu_core *q)
{
	if (m->s.fragment) {
		qpu_frag_scoreboard(&m->s, q, QPU_SIG_SBDONE);
		qpu_sched_wake(m, QPU_WAIT_SCOREBOARD, ~0U);
	}
	if (m->s.feed && m->s.feed->end)
		m->s.feed->end(&m->s, q, m->s.feed_arg);
	m->nended++;
	q->wait = QPU_WAIT_IDLE;
	m->due |= 1U << q->num;
}

/**
 * qpu_sched_deadlock - raise a fault: no QPU is runnable, and threads remain
 * @m: machine
 *
 * The fault names the first waiting QPU; qpu_machine_get_state() reports all.
 */
void qpu_sched_deadlock(struct qpu_machine *m)
{
	u32 q;

	for (q = 0; q < QPU_NUM; q++) {
		struct qpu_core *c = &m->s.core[q];

		if (c->wait != QPU_WAIT_IDLE) {
			qpu_fault(&m->s, c, VS_FAULT_DEADLOCK, 0, 0);
			break;
		}
	}
	m->dead = true;
}
