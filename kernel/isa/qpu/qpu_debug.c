// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Debugger's view of the QPUs. An invocation is a thread, that is one QPU with its 16
 * elements; instructions are executed one at a time, and all of a QPU's state is in memory
 * between them.
 */
#include "qpu_debug.h"
#include "qpu_run.h"

/* ---- threads and QPUs ---- */

static u32 qpu_debug_group_mask(const struct qpu_machine *m)
{
	u32 mask = 0, k;

	for (k = 0; k < m->vm.n; k++)
		mask |= 1U << m->vm.q[k];
	return mask;
}

static void group(void *arg, struct vs_debug_group *g)
{
	struct qpu_machine *m = arg;
	u32 k;

	*g = (struct vs_debug_group){ .lanes = qpu_debug_group_mask(m), .active = m->vm.n };
	for (k = 0; k < m->vm.n; k++) {
		u32 thread = qpu_core_of(m, k)->thread;

		if (!k || thread < g->invocation)
			g->invocation = thread;
	}
}

static u64 qpu_debug_find(void *arg, u64 first, u64 last)
{
	struct qpu_machine *m = arg;
	u64 best = VS_DEBUG_NOBODY;
	u32 k;

	for (k = 0; k < m->vm.n; k++) {
		u64 thread = qpu_core_of(m, k)->thread;

		if (thread >= first && thread <= last && thread < best)
			best = thread;
	}
	return best;
}

/* QPU that executes a thread, QPU_NUM if none. */
static u32 core_of(const struct qpu_machine *m, u64 inv)
{
	u32 q;

	for (q = 0; q < QPU_NUM; q++) {
		const struct qpu_core *c = &m->s.core[q];

		if (c->wait != QPU_WAIT_IDLE && c->thread == inv)
			break;
	}
	return q;
}

static bool alive(void *arg, u64 inv)
{
	return core_of(arg, inv) < QPU_NUM;
}

static u32 list(void *arg, struct vs_debug_inv *out, u32 max)
{
	struct qpu_machine *m = arg;
	u32 running = qpu_debug_group_mask(m), q, n = 0;

	for (q = 0; q < QPU_NUM; q++) {
		const struct qpu_core *c = &m->s.core[q];
		bool runs = running >> q & 1;

		if (c->wait == QPU_WAIT_IDLE)
			continue;
		if (n < max)
			out[n] = (struct vs_debug_inv){
				.invocation = c->thread,
				.pc = runs ? m->g.pc : c->pc,
				.state = runs ? VS_DEBUG_INV_CURRENT :
					 c->wait == QPU_WAIT_NONE ? VS_DEBUG_INV_READY :
					 VS_DEBUG_INV_WAIT,
				.group = runs ? 0 : 1 + q,
				.lane = q,
			};
		n++;
	}
	return n;
}

/* ---- registers ---- */

static void access_words(u32 *at, u32 *val, u32 n, bool write)
{
	memcpy(write ? at : val, write ? val : at, n * sizeof(*at));
}

static void access_flag(u16 *flag, u32 *val, bool write)
{
	u32 e, bits = 0;

	for (e = 0; e < QPU_LANES; e++) {
		if (!write)
			val[e] = *flag >> e & 1;
		else if (val[e])
			bits |= 1U << e;
	}
	if (write)
		*flag = bits;
}

/* Read state shared by all QPUs; read-only, because QPUs may be waiting for it. */
static u32 shared(const struct qpu_machine *m, u32 reg)
{
	if (reg < QPU_DBG_SEMA + 16)
		return m->sema[reg - QPU_DBG_SEMA];
	return m->mutex ? m->mutex - 1 : ~0U;
}

static const u8 flags[] = { QPU_F_Z, QPU_F_N, QPU_F_C };

static int access_reg(void *arg, u64 inv, u32 reg, u32 *val, bool write)
{
	struct qpu_machine *m = arg;
	u32 q = core_of(m, inv);

	if (q == QPU_NUM)
		return -ENOENT;
	if (reg < QPU_DBG_FLAGS) {
		access_words(m->vm.v[q][reg], val, QPU_LANES, write);
		if (write)
			qpu_code_use(&m->code, reg);
	} else if (reg < QPU_DBG_UNIF) {
		access_flag(&m->vm.fl[q][flags[reg - QPU_DBG_FLAGS]], val, write);
	} else if (reg == QPU_DBG_UNIF) {
		access_words(&m->s.core[q].unif, val, 1, write);
	} else if (reg == QPU_DBG_NUM) {
		*val = q;
	} else {
		*val = shared(m, reg);
	}
	return 0;
}

/* Is the next instruction a call: a branch that stores the address after its delay slots? */
static u32 call(void *arg, u64 inv)
{
	struct qpu_machine *m = arg;
	struct qpu_insn insn;
	u64 word;

	if (!qpu_code_fetch(m, m->g.pc, &word))
		return VS_DEBUG_NO_CALL;
	qpu_decode(word, &insn);
	if (insn.sig != QPU_SIG_BRANCH || !qpu_stores_link(&insn))
		return VS_DEBUG_NO_CALL;
	return m->g.pc + 32;
}

static const struct vs_debug_ops ops = {
	.group = group,
	.find = qpu_debug_find,
	.alive = alive,
	.list = list,
	.reg = access_reg,
	.call = call,
};

void qpu_debug_begin(struct qpu_machine *m, struct vs_debug *dbg)
{
	m->dbg = dbg;
	m->s.dbg = dbg;
	vs_debug_machine(dbg, &ops, m, m->s.tlb.map, 0);
}

void qpu_debug_post(struct qpu_machine *m, struct vs_job *job)
{
	vs_job_set_post(job, &ops, m, 0, true);
}

/* Report an access. If the QPU is unknown, the lowest thread of the group is reported. */
void qpu_debug_access(struct vs_debug *dbg, u64 va, u32 size, u32 need)
{
	struct qpu_machine *m = dbg->m;
	struct vs_debug_group g;

	/* instruction fetches are not watched */
	if (!vs_debug_watches(dbg) || !m || need & VS_EXT_EXEC)
		return;
	group(m, &g);
	vs_debug_access(dbg, m->s.who ? m->s.who->thread : g.invocation, m->g.pc, va, size,
			need & VS_EXT_WRITE ? VS_DEBUG_WRITE : VS_DEBUG_READ);
}

/* ---- NaNs and infinities ---- */

static bool adds_or_multiplies(const struct qpu_uop *u)
{
	u32 op = u->h / QPU_NUM_VARIANTS;

	return op == QPU_A_FADD || op == QPU_A_FSUB || op == QPU_U_MUL + QPU_M_FMUL;
}

/* Elements of a slot that are NaNs or infinities. */
static u16 special_elements(const struct qpu_machine *m, u32 q, u32 slot)
{
	u16 bits = 0;
	u32 e;

	for (e = 0; e < QPU_LANES; e++) {
		if ((m->vm.v[q][slot][e] & 0x7f800000) == 0x7f800000)
			bits |= 1 << e;
	}
	return bits;
}

static void note_operands(const struct qpu_machine *m, struct qpu_debug_floats *f, u32 i)
{
	const struct qpu_uop *u = &f->uop[i];
	u32 q;

	for (q = 0; q < QPU_NUM; q++) {
		if (f->qpus >> q & 1)
			f->given[i][q] |= special_elements(m, q, u->a) |
					  special_elements(m, q, u->b);
	}
}

/* The destinations of packed results hold several values, which are not checked. */
void qpu_debug_before(const struct qpu_machine *m, const struct qpu_dec *d,
		      struct qpu_debug_floats *f)
{
	u32 i, q;

	*f = (struct qpu_debug_floats){ .pc = m->g.pc, .qpus = qpu_debug_group_mask(m) };
	for (q = 0; q < QPU_NUM; q++)
		f->thread[q] = m->s.core[q].thread;
	for (i = d[0].uop; i < d[1].uop && f->n < QPU_DBG_FLOATS; i++) {
		const struct qpu_uop *u = &m->code.uop[i];

		if (!adds_or_multiplies(u) || u->pack)
			continue;
		f->uop[f->n] = *u;
		for (q = 0; q < QPU_NUM; q++)
			f->old[f->n][q] = special_elements(m, q, u->d);
		note_operands(m, f, f->n++);
	}
}

/* Operands that the instruction itself has fetched or unpacked are in their slots now. */
static void note_fetched(const struct qpu_machine *m, struct qpu_debug_floats *f, u32 i)
{
	const struct qpu_uop *u = &f->uop[i];

	if (u->a != u->d && u->b != u->d)
		note_operands(m, f, i);
}

void qpu_debug_after(const struct qpu_machine *m, const struct qpu_debug_floats *before)
{
	struct qpu_debug_floats f = *before;
	u32 i, q;

	for (i = 0; i < f.n; i++)
		note_fetched(m, &f, i);
	for (i = 0; i < f.n; i++) {
		for (q = 0; q < QPU_NUM; q++) {
			u16 now = special_elements(m, q, f.uop[i].d);

			if (f.qpus >> q & 1 && now & ~f.old[i][q] & ~f.given[i][q])
				vs_debug_produced(m->dbg, f.thread[q], f.pc);
		}
	}
}
