// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Life cycle of a machine: created with all its memory, run in time slices by one worker,
 * queried afterwards. A single worker, because QPUs share memory and peripherals and results
 * must be deterministic; different jobs run on different workers.
 */
#include "qpu_debug.h"
#include "qpu_run.h"

/* Maximum cost of the DMA stores of one instruction, unless a single QPU exceeds it. */
#define MAX_STORES	2100

/* Slowdown of the portable executor, in addition to its smaller slices. */
#define PORTABLE_FACTOR	2

/* Time of looking for NaNs in an instruction and each of its results. */
#define CHECK_COST	32

/* FPU state around the shared executor's functions. */
void qpu_fp_sfu(struct qpu_machine *m, bool begin)
{
	vs_fpu_mode(m->simd, begin ? VS_FPU_NEAREST : VS_FPU_RZ_FLUSH);
}

const struct qpu_uop *qpu_exec(struct qpu_machine *m, const struct qpu_uop *u,
			       const struct qpu_uop *end)
{
#ifdef __x86_64__
	if (VS_BUILT(avx2) && m->simd == VS_SIMD_AVX2)
		return qpu_exec_avx2(&m->vm, u, end);
	if (VS_BUILT(avx512) && m->simd == VS_SIMD_AVX512)
		return qpu_exec_avx512(&m->vm, u, end);
	if (VS_BUILT(sse2) && m->simd == VS_SIMD_SSE2)
		return qpu_exec_sse2(&m->vm, u, end);
#elif defined(__aarch64__)
	if (m->simd == VS_SIMD_NEON)
		return qpu_exec_neon(&m->vm, u, end);
#endif
	return qpu_exec_soft(&m->vm, u, end);
}

/* ---- running ---- */

static void end_threads(struct qpu_machine *m)
{
	u8 list[QPU_NUM];
	u32 n = m->vm.n, k;

	memcpy(list, m->vm.q, sizeof(list));
	qpu_sched_leave(m);
	for (k = 0; k < n; k++)
		qpu_sched_end(m, &m->s.core[list[k]]);
	m->repick = true;
}

/* QPU @q continues at its target, or after the delay slots. */
static u32 after_branch(struct qpu_machine *m, u32 q)
{
	struct qpu_ctl *c = &m->ctl[q];
	u32 pc = c->taken[0] ? c->target[0] : m->g.pc;

	c->taken[0] = c->taken[1];
	c->target[0] = c->target[1];
	c->taken[1] = false;
	return pc;
}

/* Take the branch at the end of the delay slots. */
static void qpu_machine_branch(struct qpu_machine *m)
{
	u32 pc[QPU_NUM] = {}, k, n = m->vm.n;
	struct qpu_group *g = &m->g;
	bool same = true;
	u8 list[QPU_NUM];

	memcpy(list, m->vm.q, sizeof(list));
	for (k = 0; k < n; k++) {
		pc[k] = after_branch(m, list[k]);
		same &= pc[k] == pc[0];
	}
	g->br[0] = g->br[1];
	g->br[1] = 0;
	g->have_dec = false;
	if (same) {
		g->pc = pc[0];
		/*
		 * Continue, unless the group is not the lowest any more, is out of
		 * patience or meets others.
		 */
		if ((pc[0] & QPU_ADDR_MASK) < g->low && m->steps < QPU_PATIENCE)
			g->limit = g->low;
		else
			m->repick = true;
		return;
	}
	qpu_sched_leave(m);
	for (k = 0; k < n; k++)
		m->s.core[list[k]].pc = pc[k];
	m->repick = true;
}

/* Advance the group by @n instructions of the same run. */
static void advance(struct qpu_machine *m, u32 n)
{
	struct qpu_group *g = &m->g;
	const struct qpu_dec *d = &m->code.dec[g->dec];
	u32 cost = n * (2 + m->vm.n) / 2;

	qpu_charge(m, m->vm.n * (d[n].weight - d[0].weight));
	g->insns += n;
	m->s.cnt.insns += n * m->vm.n;
	m->used += n * m->vm.n;
	m->left -= m->simd == VS_SIMD_PORTABLE ? cost * PORTABLE_FACTOR : cost;
	m->steps += n;
	g->pc += 8 * n;
	g->dec += n;
	if (g->sfu) {
		g->sfu -= n;
		if (!g->sfu)
			qpu_special_sfu_done(m);
	}
	if (g->end) {
		g->end -= n;
		if (!g->end) {
			end_threads(m);
			return;
		}
	}
	if (g->br[0]) {
		g->br[0] -= n;
		g->br[1] -= g->br[1] ? n : 0;
		if (!g->br[0])
			qpu_machine_branch(m);
	}
	if ((g->pc & QPU_ADDR_MASK) == g->limit)
		m->repick = true;
}

/* Number of instructions that can execute without a new lookup. */
static u32 run_length(const struct qpu_machine *m, const struct qpu_dec *d)
{
	const struct qpu_group *g = &m->g;
	u32 n = d->run, at = g->pc & QPU_ADDR_MASK;

	if (g->br[0])
		n = min_t(u32, n, g->br[0]);
	if (g->end)
		n = min_t(u32, n, g->end);
	if (g->sfu)
		n = min_t(u32, n, g->sfu);
	if (g->limit != QPU_NO_LIMIT && g->limit > at)
		n = min_t(u32, n, (g->limit - at + 7) / 8);
	/* Lookups with coordinates consume uniforms; debuggers stop at each instruction. */
	return m->code.insn || m->s.coords || m->dbg ? min_t(u32, n, 1) : n;
}

/* Prefetch uniforms. Return: instructions with all uniforms mapped; 0 and a fault if none. */
static u32 with_uniforms(struct qpu_machine *m, const struct qpu_dec *d, u32 n)
{
	u32 k;

	if (d[0].nunif == d[n].nunif || qpu_take_uniforms(m, d, n))
		return n;
	for (k = 0; k < m->vm.n; k++)
		qpu_core_of(m, k)->pc = m->g.pc;
	if (!d->unif || qpu_take_uniforms(m, d, 1))
		return 1;
	m->dead = true;
	return 0;
}

/* Number of the @n instructions that executed before the executor stopped at @u. */
static u32 executed(struct qpu_machine *m, const struct qpu_dec *d, u32 n,
		    const struct qpu_uop *u)
{
	u32 done = 0;

	while (done < n && m->code.uop + d[done + 1].uop <= u)
		done++;
	qpu_return_uniforms(m, d, n, done);
	return done;
}

/*
 * A branch that all QPUs of the group take, or none, and its delay slots. No QPU waits at an
 * instruction before the last slot's end, and neither another branch nor a result is pending.
 * Return: false, without side effects: it is another branch.
 */
static bool quick_branch(struct qpu_machine *m, const struct qpu_dec *d)
{
	struct qpu_group *g = &m->g;
	u32 end = (g->pc & QPU_ADDR_MASK) + 32, taken = 0, flushes, at, k;

	if (!d->quick || g->br[0] || g->end || g->sfu || m->code.insn || m->s.coords || m->dbg ||
	    g->limit - (end - 32) <= 32)
		return false;
	for (k = 0; k < m->vm.n; k++)
		taken += qpu_taken(m->vm.fl[m->vm.q[k]], d->br_cond);
	if (taken && taken != m->vm.n)
		return false;
	qpu_charge(m, m->vm.n);
	if (!taken) {
		advance(m, 1);
		return true;
	}
	if (d[1].uop != d[4].uop)
		qpu_exec(m, m->code.uop + d[1].uop, m->code.uop + d[4].uop);
	at = g->dec;
	advance(m, 4);
	g->pc += d->imm;
	if (!d->next) {
		flushes = m->code.flushes;
		g->dec = qpu_code_find(m, g->pc, false);
		if (m->code.flushes == flushes)
			m->code.dec[at].next = g->dec + 1;
	} else {
		g->dec = d->next - 1;
	}
	/* as qpu_machine_branch() */
	if ((g->pc & QPU_ADDR_MASK) < g->low && m->steps < QPU_PATIENCE)
		g->limit = g->low;
	else
		m->repick = true;
	return true;
}

/* Execute @n plain or simple instructions from @d on. */
static void run_some(struct qpu_machine *m, const struct qpu_dec *d, u32 n)
{
	const struct qpu_uop *end = m->code.uop + d[n].uop, *u;

	u = qpu_exec(m, m->code.uop + d[0].uop, end);
	if (unlikely(u != end))
		n = executed(m, d, n, u);
	m->dead = m->s.fault.kind;
	if (m->dead)
		m->s.fault.pc = m->g.pc + 8 * n;
	advance(m, n);
}

/*
 * Bound the DMA stores of the current instruction: QPUs whose transfers would make the slice too
 * long leave the group. They then have a lower address than the others, so they run first.
 * Return: false if some have left.
 */
static bool limit_stores(struct qpu_machine *m)
{
	u32 k, sum = 0, fit = 0;

	for (k = 0; k < m->vm.n; k++) {
		sum += qpu_core_of(m, k)->vpm.st_weight;
		if (!k || sum <= MAX_STORES)
			fit = k + 1;
	}
	if (fit == m->vm.n)
		return true;
	while (m->vm.n > fit)
		qpu_sched_remove(m, m->vm.q[fit]);
	m->repick = true;
	return false;
}

/* Execute the instruction of the group, or a run of them. */
static void run_dec(struct qpu_machine *m, const struct qpu_dec *d, bool whole)
{
	u32 n;

	if (d->run) {
		n = with_uniforms(m, d, whole ? run_length(m, d) : 1);
		if (n)
			run_some(m, d, n);
		/* the branch that ends the run */
		if (n == d->run && m->g.dec == d + n - m->code.dec && m->g.have_dec && !m->repick &&
		    !m->dead)
			quick_branch(m, d + n);
		return;
	}
	if (quick_branch(m, d))
		return;
	qpu_special(m, d);
	if (!m->dead && m->vm.n)
		advance(m, 1);
}

static void run_group(struct qpu_machine *m)
{
	struct qpu_group *g = &m->g;
	struct qpu_debug_floats floats;
	const struct qpu_dec *d;
	bool whole;

	if (!g->have_dec || m->code.dec[g->dec].x & QPU_X_END) {
		g->dec = qpu_code_find(m, g->pc, g->br[0]);
		g->have_dec = true;
	}
	d = &m->code.dec[g->dec];
	whole = !d->store || limit_stores(m);
	if (m->code.insn && !(d->x & QPU_X_BAD) &&
	    !qpu_hazard_check(m, &m->code.insn[g->dec]))
		return;
	if (likely(!vs_debug_checks(m->dbg))) {
		run_dec(m, d, whole);
		return;
	}
	qpu_debug_before(m, d, &floats);
	m->left -= CHECK_COST * (1 + floats.n);
	run_dec(m, d, whole);
	qpu_debug_after(m, &floats);
}

static bool slice_over(const struct qpu_machine *m, const struct vs_job *job)
{
	return m->left <= 0 || m->used > m->room || READ_ONCE(job->stop) || vs_should_yield();
}

/* Is the machine stopped? A resumed job continues with the group that it stopped with. */
static bool held(const struct qpu_machine *m)
{
	return m->dbg && m->dbg->held;
}

/*
 * Start the threads that are due, as reading a thread's inputs takes up to 25 us. Return: true: all
 * have been started; false: the slice is over.
 */
static bool start_due(struct qpu_machine *m, const struct vs_job *job)
{
	u32 q;

	while (m->due) {
		if (slice_over(m, job))
			return false;
		q = __ffs64(m->due);
		m->due &= ~(1U << q);
		qpu_sched_start(m, &m->s.core[q]);
	}
	return true;
}

/* Return: the machine has finished. *@stop: not finished, the debugger requests a stop. */
static bool qpu_machine_run(struct qpu_machine *m, const struct vs_job *job, bool *stop)
{
	if (m->dead)
		return true;
	do {
		if (!start_due(m, job))
			return false;
		if (m->dead)
			return true;
		if ((m->repick && !held(m)) || !m->vm.n)
			qpu_sched_pick(m);
		if (!m->vm.n) {
			if (m->nended < m->s.nthreads)
				qpu_sched_deadlock(m);
			return true;
		}
		*stop = unlikely(m->dbg) && vs_debug_at(m->dbg, m->g.pc, 0);
		if (*stop)
			return false;
		m->s.who = NULL;
		run_group(m);
		if (m->dead)
			return true;
	} while (!slice_over(m, job));
	return false;
}

static void over_budget(struct qpu_machine *m)
{
	struct qpu_core *q = m->vm.n ? qpu_core_of(m, 0) : &m->s.core[0];

	if (m->vm.n)
		q->pc = m->g.pc;
	qpu_fault(&m->s, q, VS_FAULT_BUDGET, 0, 0);
	m->dead = true;
}

static enum vs_run qpu_machine_end(struct qpu_machine *m, struct vs_job *job)
{
	if (m->s.fault.kind && m->dbg && vs_debug_fault(m->dbg, &m->s.fault))
		return VS_RUN_STOP;
	if (!m->s.fault.kind && m->dbg && vs_debug_last(m->dbg))
		return VS_RUN_STOP;
	if (m->dbg)
		vs_debug_machine(m->dbg, NULL, NULL, NULL, 0);
	if (m->s.fault.kind)
		vs_job_fault(job, &m->s.fault);
	else
		vs_job_set_post(job, NULL, NULL, 0, false);
	return VS_RUN_IDLE;
}

/* Constant slots of QPUs 0 to @n - 1. */
static void fill_constants(struct qpu_machine *m, u32 n)
{
	u32 (*first)[QPU_LANES] = m->vm.v[0], q, e, i, imm;

	for (i = 0; i < 48; i++) {
		imm = qpu_small_imm(i);
		for (e = 0; e < QPU_LANES; e++)
			first[QPU_S_IMM + i][e] = imm;
	}
	for (e = 0; e < QPU_LANES; e++)
		first[QPU_S_ELEM][e] = e;
	for (q = 1; q < n; q++) {
		u32 (*v)[QPU_LANES] = m->vm.v[q];

		memcpy(v[QPU_S_ELEM], first[QPU_S_ELEM], sizeof(v[0]));
		memcpy(v[QPU_S_IMM], first[QPU_S_IMM], 48 * sizeof(v[0]));
		for (e = 0; e < QPU_LANES; e++)
			v[QPU_S_QPU][e] = q;
	}
}

/**
 * struct qpu_job - job
 * @l:		launch as submitted
 * @threads:	copy of its threads
 * @m:		its machine, NULL before it starts
 */
struct qpu_job {
	struct qpu_launch l;
	struct qpu_thread *threads;
	struct qpu_machine *m;
};

/* Aligned for vectors. */
#define MACHINE_SIZE	((sizeof(struct qpu_machine) + 63) & ~63UL)

static u64 arena_size(void)
{
	return MACHINE_SIZE + qpu_code_memory();
}

#define AT(member)	offsetof(struct qpu_machine, member)

static void clear_members(struct qpu_machine *m, size_t from, size_t to)
{
	memset((u8 *)m + from, 0, to - from);
}

/*
 * Clear the state of a machine of @n QPUs and @rows rows of pipeline memory. Others' registers and
 * queues are not used, and queues are empty.
 */
static void clear_machine(struct qpu_machine *m, u32 n, u32 rows)
{
	u32 q;

	clear_members(m, AT(s), AT(s.vpm));
	memset(m->s.vpm, 0, rows * sizeof(m->s.vpm[0]));
	clear_members(m, AT(s.switches), AT(s.core));
	for (q = 0; q < QPU_NUM; q++) {
		struct qpu_core *c = &m->s.core[q];

		memset(c, 0, q < n ? sizeof(*c) : offsetof(struct qpu_core, tmu));
		memset(&c->frag, 0, sizeof(c->frag));
	}
	clear_members(m, AT(s.fault), AT(vm.v));
	for (q = 0; q < n; q++)
		memset(m->vm.v[q], 0, QPU_S_IMM * sizeof(m->vm.v[0][0]));
	clear_members(m, AT(vm.fl), AT(code.pc));
}

/* @n: QPUs that may get threads; @rows: rows of pipeline memory that they may read */
static struct qpu_machine *qpu_machine_new(u8 *memory, const struct qpu_launch *l, u32 n, u32 rows)
{
	struct qpu_machine *m = (struct qpu_machine *)memory;
	u32 q;

	clear_machine(m, n, rows);
	qpu_code_init(&m->code, l, memory + MACHINE_SIZE);
	m->s.tlb.map = l->map;
	m->s.switches = l->switches;
	m->s.fragment = l->fragment;
	m->s.tile = l->tile;
	m->vm.s = &m->s;
	fill_constants(m, n);
	for (q = 0; q < QPU_NUM; q++)
		m->s.core[q].num = q;
	return m;
}

static void begin_threads(struct qpu_machine *m, struct qpu_thread *threads, u32 n)
{
	m->s.threads = threads;
	m->s.nthreads = n;
	m->due = (1U << QPU_NUM) - 1;
}

static struct qpu_machine *qpu_machine_start(const struct qpu_job *qj, struct vs_job *job)
{
	u8 *memory = vs_job_take_arena(job, arena_size());
	struct qpu_machine *m;

	if (!memory)
		return NULL;
	/* threads start in order, each on the first idle QPU */
	m = qpu_machine_new(memory, &qj->l, min_t(u32, qj->l.nthreads, QPU_NUM), QPU_VPM_ROWS);
	begin_threads(m, qj->threads, qj->l.nthreads);
	return m;
}

static void begin_slice(struct qpu_machine *m, const struct vs_job *job)
{
	u64 weight = vs_job_weight(job);

	m->simd = job->lim.simd;
	m->left = job->lim.slice;
	m->used = 0;
	m->room = job->lim.budget > weight ? job->lim.budget - weight : 0;
}

static enum vs_run run_slice(struct qpu_machine *m, struct vs_job *job)
{
	u32 ended = m->nended, saved;
	bool done, stop = false;

	begin_slice(m, job);
	if (job->lim.dbg && !m->dbg)
		qpu_debug_begin(m, job->lim.dbg);
	qpu_debug_post(m, job);
	saved = vs_fpu_begin(m->simd, VS_FPU_RZ_FLUSH);
	done = qpu_machine_run(m, job, &stop);
	vs_fpu_end(m->simd, saved);
	vs_job_account(job, m->used, m->nended - ended);
	if (!done && m->used > m->room) {
		over_budget(m);
		done = true;
	}
	if (!done)
		return stop ? VS_RUN_STOP : VS_RUN_MORE;
	return qpu_machine_end(m, job);
}

static enum vs_run phase(struct vs_job *job, void *arg)
{
	struct qpu_job *qj = arg;
	struct vs_fault no_arena;

	if (!qj->m)
		qj->m = qpu_machine_start(qj, job);
	if (qj->m)
		return run_slice(qj->m, job);
	vs_fault_init(&no_arena, VS_FAULT_OVERFLOW);
	vs_job_fault(job, &no_arena);
	return VS_RUN_IDLE;
}

/* ---- threads of draws ---- */

u64 qpu_machine_bytes(void)
{
	return arena_size();
}

struct qpu_machine *qpu_machine_init(void *memory, const struct vs_map *map)
{
	return qpu_machine_new(memory, &(struct qpu_launch){ .map = map }, QPU_NUM, QPU_VPM_ALL);
}

struct qpu_shared *qpu_machine_shared(struct qpu_machine *m)
{
	return &m->s;
}

const struct vs_fault *qpu_machine_fault(const struct qpu_machine *m)
{
	return m->s.fault.kind ? &m->s.fault : NULL;
}

void qpu_machine_charge(struct qpu_shared *s, u32 weight)
{
	qpu_charge(container_of(s, struct qpu_machine, s), weight);
}

void qpu_machine_nearest(struct qpu_shared *s, bool begin)
{
	qpu_fp_sfu(container_of(s, struct qpu_machine, s), begin);
}

void qpu_machine_begin(struct qpu_machine *m, enum vs_simd simd, const struct qpu_feed *feed,
		       void *arg, struct qpu_thread *threads, u32 n)
{
	u32 q;

	m->simd = simd;
	m->next = 0;
	m->nended = 0;
	m->vm.n = 0;
	m->s.fragment = feed->fragment;
	m->s.feed = feed;
	m->s.feed_arg = arg;
	for (q = 0; q < QPU_NUM; q++) {
		m->s.core[q].in = feed->fragment ? 0 : q * QPU_VPM_ROWS;
		m->s.core[q].out = feed->fragment ? 0 : (QPU_NUM + q) * QPU_VPM_ROWS;
	}
	if (feed->fragment)
		m->s.core[0].nrows = QPU_VPM_ROWS;
	begin_threads(m, threads, n);
}

/* The launch has ended. Return: its debugger wants to stop first. */
static bool launch_stops(struct qpu_machine *m)
{
	if (!m->dbg)
		return false;
	if (m->s.fault.kind ? vs_debug_fault(m->dbg, &m->s.fault) : vs_debug_last(m->dbg))
		return true;
	vs_debug_machine(m->dbg, NULL, NULL, NULL, 0);
	m->dbg = NULL;
	m->s.dbg = NULL;
	return false;
}

enum vs_run qpu_machine_slice(struct qpu_machine *m, struct vs_job *job, bool post)
{
	u32 ended = m->nended, saved;
	bool done, stop = false;

	begin_slice(m, job);
	if (job->lim.dbg && !m->dbg)
		qpu_debug_begin(m, job->lim.dbg);
	if (post)
		qpu_debug_post(m, job);
	saved = vs_fpu_begin(m->simd, VS_FPU_RZ_FLUSH);
	done = qpu_machine_run(m, job, &stop);
	vs_fpu_end(m->simd, saved);
	vs_job_account(job, m->used, m->nended - ended);
	if (!done && m->used > m->room) {
		over_budget(m);
		done = true;
	}
	if (!done)
		return stop ? VS_RUN_STOP : VS_RUN_MORE;
	if (launch_stops(m))
		return VS_RUN_STOP;
	if (post && !m->s.fault.kind)
		vs_job_set_post(job, NULL, NULL, 0, false);
	return VS_RUN_IDLE;
}

/* ---- creation ---- */

u64 qpu_job_memory(u32 nthreads)
{
	return sizeof(struct qpu_job) + (u64)nthreads * sizeof(struct qpu_thread);
}

static int qpu_machine_bad(const char **what, const char *field)
{
	*what = field;
	return -EINVAL;
}

static int qpu_machine_check_tile(const struct qpu_tile *t, const char **what)
{
	if (t->width > 64 || t->width & 3)
		return qpu_machine_bad(what, "tile.width");
	if (t->height > 64 || t->height & 3)
		return qpu_machine_bad(what, "tile.height");
	if (t->samples != 1 && t->samples != 4)
		return qpu_machine_bad(what, "tile.samples");
	if (t->depth & ~(QPU_DEPTH_FUNC | QPU_DEPTH_WRITE | QPU_DEPTH_TEST))
		return qpu_machine_bad(what, "tile.depth");
	if (t->color_va > QPU_ADDR_MASK || t->color_va & 3)
		return qpu_machine_bad(what, "tile.color_va");
	if (t->zs_va > QPU_ADDR_MASK || t->zs_va & 3)
		return qpu_machine_bad(what, "tile.zs_va");
	if (t->color_stride & 3)
		return qpu_machine_bad(what, "tile.color_stride");
	return t->zs_stride & 3 ? qpu_machine_bad(what, "tile.zs_stride") : 0;
}

static int check_thread(const struct qpu_launch *l, const struct qpu_thread *t,
			const char **what)
{
	if (t->pc & 7 || (l->code && t->pc / 8 >= l->ncode))
		return qpu_machine_bad(what, "threads.pc");
	if (t->uniforms & 3)
		return qpu_machine_bad(what, "threads.uniforms");
	if (t->nuniforms > QPU_ADDR_MASK / 4)
		return qpu_machine_bad(what, "threads.num_uniforms");
	if (!l->fragment)
		return t->payload || t->x || t->y || t->coverage || t->flags ?
		       qpu_machine_bad(what, "threads") : 0;
	if (t->payload & 3)
		return qpu_machine_bad(what, "threads.payload");
	if (t->x & 3 || t->x >= l->tile.width)
		return qpu_machine_bad(what, "threads.x");
	if (t->y & 3 || t->y >= l->tile.height)
		return qpu_machine_bad(what, "threads.y");
	return t->flags & ~QPU_THREAD_REV ? qpu_machine_bad(what, "threads.flags") : 0;
}

static int qpu_machine_check(const struct qpu_launch *l, const char **what)
{
	int ret = 0;
	u32 i;

	if (l->switches & ~QPU_SW_ALL)
		return qpu_machine_bad(what, "switches");
	if (!l->nthreads || l->nthreads > QPU_MAX_THREADS)
		return qpu_machine_bad(what, "threads");
	if (l->fragment)
		ret = qpu_machine_check_tile(&l->tile, what);
	for (i = 0; i < l->nthreads && !ret; i++)
		ret = check_thread(l, &l->threads[i], what);
	return ret;
}

int qpu_job_new(const struct qpu_launch *l, const char **what, struct qpu_job **out)
{
	struct qpu_job *qj;
	int ret;

	*what = "";
	ret = qpu_machine_check(l, what);
	if (ret)
		return ret;
	qj = vs_zalloc(sizeof(*qj));
	if (!qj)
		return -ENOMEM;
	qj->l = *l;
	qj->threads = vs_zalloc_array(l->nthreads, sizeof(*qj->threads));
	if (!qj->threads) {
		vs_free(qj);
		return -ENOMEM;
	}
	memcpy(qj->threads, l->threads, l->nthreads * sizeof(*qj->threads));
	*out = qj;
	return 0;
}

void qpu_job_free(struct qpu_job *qj)
{
	if (!qj)
		return;
	vs_free(qj->threads);
	vs_free(qj);
}

int qpu_job_add(struct qpu_job *qj, struct vs_job *job)
{
	vs_job_need_arena(job, arena_size());
	return vs_job_add_fn(job, phase, qj);
}

/* ---- queries ---- */

void qpu_job_get_state(const struct qpu_job *qj, struct qpu_state *s)
{
	const struct qpu_machine *m = qj->m;
	u32 q, k;

	for (q = 0; q < QPU_NUM; q++) {
		const struct qpu_core *c = m ? &m->s.core[q] : NULL;

		s[q] = (struct qpu_state){ .wait = QPU_WAIT_IDLE };
		if (!c)
			continue;
		s[q] = (struct qpu_state){
			.wait = c->wait,
			.info = c->wait == QPU_WAIT_NONE || c->wait == QPU_WAIT_IDLE ?
				0 : c->wait_info,
			.pc = c->pc,
			.thread = c->thread,
			.insns = c->insns,
		};
	}
	for (k = 0; m && k < m->vm.n; k++) {
		s[m->vm.q[k]].pc = m->g.pc;
		s[m->vm.q[k]].insns += m->g.insns;
	}
}

void qpu_job_get_counters(const struct qpu_job *qj, struct qpu_counters *c)
{
	*c = qj->m ? qj->m->s.cnt : (struct qpu_counters){ 0 };
}
