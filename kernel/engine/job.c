// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Jobs: consecutive phases, chunks of blocks handed out to workers, slices, budget, faults, and
 * the choice of the worker that returns VS_RUN_DONE.
 */
#include "vs_debug.h"
#include "vs_intern.h"

/* More chunks than a phase can have: no more are handed out. */
#define NO_MORE_CHUNKS	BIT_ULL(60)

/* The portable executor is slower by about this factor for the same weight. */
#define PORTABLE_SLICE	8

/**
 * vs_job_new - a job without phases
 * @map: address translation, must outlive the job
 * @lim: bounds; an executor that this machine lacks is replaced by the portable one
 * @max_phases: room for phases
 *
 * Return: the job, or NULL.
 */
struct vs_job *vs_job_new(const struct vs_map *map, const struct vs_job_limits *lim, u32 max_phases)
{
	struct vs_job *job = vs_zalloc(sizeof(*job));

	if (!job)
		return NULL;
	job->map = map;
	job->lim = *lim;
	if (lim->simd >= VS_NUM_SIMD || !(vs_simd_mask() & BIT(lim->simd)))
		job->lim.simd = VS_SIMD_PORTABLE;
	if (job->lim.simd == VS_SIMD_PORTABLE)
		job->lim.slice /= PORTABLE_SLICE;
	job->nan_rule = !vs_simd_first_nan(job->lim.simd);
	if (!job->lim.slice)
		job->lim.slice = 1;
	job->max_phases = max_phases;
	vs_lock_init(&job->lock);
	vs_atomic_set(&job->cur, VS_NO_PHASE);
	job->phases = vs_zalloc_array(max_phases + 1, sizeof(*job->phases));
	if (!job->phases) {
		vs_free(job);
		return NULL;
	}
	return job;
}

/**
 * vs_job_free - free a job that nobody executes
 * @job: job, or NULL
 */
void vs_job_free(struct vs_job *job)
{
	u32 i;

	if (!job)
		return;
	for (i = 0; i < job->nphases; i++)
		vs_debug_block_free(job->phases[i].block);
	vs_worker_free(job->dbg_worker);
	vs_free(job->phases);
	vs_free(job->tab);
	vs_free(job->keep);
	vs_snap_put(job->snap);
	vs_free(job);
}

static bool stream_ok(const struct vs_stream *s, u32 nregs, bool out)
{
	if (s->reg >= nregs || s->ncomp < 1 || s->ncomp > 4 || s->format >= VS_NUM_FMT)
		return false;
	return !out || ((s->format == VS_FMT_F32 || s->format == VS_FMT_F24 ||
			 s->format == VS_FMT_U32) && !s->divisor);
}

static bool launch_ok(const struct vs_launch *l)
{
	const struct vs_prog *p = l->prog;
	u32 i;

	if (l->entry >= p->nuops || !(p->uops[l->entry].flags & VS_UOP_FIRST) || !l->instances ||
	    l->fp >= VS_NUM_FP || l->nattr > VS_MAX_STREAMS || l->nout > VS_MAX_STREAMS ||
	    l->index_size == 3 || l->index_size > 4)
		return false;
	for (i = 0; i < l->nattr; i++) {
		if (!stream_ok(&l->attr[i], p->nin, false))
			return false;
	}
	for (i = 0; i < l->nout; i++) {
		if (!stream_ok(&l->out[i], p->nout, true))
			return false;
	}
	if (p->has_emit && !(l->flags & VS_LAUNCH_EMIT))
		return false;
	if ((l->ops || l->flags & VS_LAUNCH_KEEP) && !(l->flags & VS_LAUNCH_SERIAL))
		return false;
	return !(l->flags & VS_LAUNCH_EMIT) || !(l->emit.mask >> p->nout);
}

/* Allocate the uniform and row tables, plain and scaled. */
static int grow_tab(struct vs_job *job, const struct vs_prog *p)
{
	u32 words = 2 * (p->nunif + p->nconst) + (p->uses_rows ? 4 * (p->rows.mask + 2) : 0);
	u32 *tab;

	if (words <= job->tab_words && job->tab)
		return 0;
	tab = vs_zalloc_array(words + 1, 2 * sizeof(*tab));
	if (!tab)
		return -ENOMEM;
	vs_free(job->tab);
	job->tab = tab;
	job->tab_words = words;
	return 0;
}

/**
 * vs_job_add_launch - add a phase that runs a program
 * @job: job that nobody executes yet
 * @l: launch, copied; the program and the uniform array must outlive the job. Uniforms
 *	are read when the phase begins.
 *
 * Return: 0, -EINVAL, -ENOMEM, -ENOSPC.
 */
int vs_job_add_launch(struct vs_job *job, const struct vs_launch *l)
{
	struct vs_phase *ph = &job->phases[job->nphases];
	int ret;

	if (job->nphases == job->max_phases)
		return -ENOSPC;
	if (!launch_ok(l))
		return -EINVAL;
	if (job->lim.dbg)
		return vs_debug_block_add(job, l, &ph->block);
	ret = grow_tab(job, l->prog);
	if (!ret && l->flags & VS_LAUNCH_KEEP)
		ret = vs_serial_new(job);
	if (ret)
		return ret;
	ph->kind = VS_PHASE_LAUNCH;
	ph->l = *l;
	ph->draw = job->draw;
	vs_phase_init(ph);
	vs_atomic_set(&ph->bad, NO_MORE_CHUNKS);
	job->nphases++;
	return 0;
}

/**
 * vs_job_add_fn - add a phase that calls a function
 * @job: job that nobody executes yet
 * @fn: function
 * @arg: its argument
 *
 * Return: 0 or -ENOSPC.
 */
int vs_job_add_fn(struct vs_job *job, vs_phase_fn fn, void *arg)
{
	struct vs_phase *ph = &job->phases[job->nphases];

	if (job->nphases == job->max_phases)
		return -ENOSPC;
	ph->kind = VS_PHASE_FN;
	ph->fn = fn;
	ph->arg = arg;
	ph->draw = job->draw;
	ph->nchunks = 1;
	vs_atomic_set(&ph->bad, NO_MORE_CHUNKS);
	job->nphases++;
	return 0;
}

void vs_job_need_arena(struct vs_job *job, u64 size)
{
	job->arena_size = max(job->arena_size, size);
}

u64 vs_job_arena(const struct vs_job *job)
{
	return job->arena_size;
}

void *vs_job_take_arena(struct vs_job *job, u64 size)
{
	return size <= job->arena_room ? job->arena : NULL;
}

void *vs_worker_take_arena(struct vs_worker *w, u64 size)
{
	return size <= w->arena_size ? w->arena : NULL;
}

void vs_job_expect_guests(struct vs_job *job)
{
	job->guests = true;
}

bool vs_job_expects_guests(const struct vs_job *job)
{
	return job->guests;
}

/* Guests are further chunks of the phase. Nobody claims one while their number changes. */
void vs_job_invite(struct vs_job *job, u32 n, vs_guest_fn fn, void *arg)
{
	struct vs_phase *ph = &job->phases[vs_atomic_read(&job->cur)];
	u64 first = ph->nchunks;

	vs_atomic_xchg(&ph->next, NO_MORE_CHUNKS);
	ph->guest = fn;
	ph->guest_arg = arg;
	WRITE_ONCE(ph->nchunks, first + n);
	vs_atomic_xchg(&ph->next, first);
}

bool vs_job_alone(struct vs_job *job)
{
	struct vs_phase *ph = &job->phases[vs_atomic_read(&job->cur)];
	u64 next = vs_atomic_xchg(&ph->next, NO_MORE_CHUNKS);

	if (next < ph->nchunks)
		vs_atomic_fetch_add(&ph->done, ph->nchunks - next);
	if (vs_atomic_read(&ph->done) == ph->nchunks - 1)
		return true;
	vs_relax();
	return false;
}

/**
 * vs_job_set_draw - number stored in fault.draw by phases added from now on
 * @job: job
 * @draw: number
 */
void vs_job_set_draw(struct vs_job *job, u32 draw)
{
	job->draw = draw;
}

void vs_job_cancel(struct vs_job *job, enum vs_fault_kind kind)
{
	vs_atomic_cmpxchg(&job->faulted, 0, VS_JOB_CANCEL | kind);
	WRITE_ONCE(job->stop, true);
}

void vs_job_fault(struct vs_job *job, const struct vs_fault *f)
{
	if (!vs_atomic_cmpxchg(&job->faulted, 0, VS_JOB_FAULT))
		job->fault = *f;
	WRITE_ONCE(job->stop, true);
}

bool vs_job_is_ending(const struct vs_job *job)
{
	return READ_ONCE(job->stop);
}

/**
 * vs_job_get_fault - get the fault that ended the job
 * @job: job that is done
 *
 * Return: fault record; kind VS_FAULT_NONE if there was none.
 */
const struct vs_fault *vs_job_get_fault(const struct vs_job *job)
{
	return &job->fault;
}

/**
 * vs_job_weight - weight used
 * @job: job
 */
u64 vs_job_weight(const struct vs_job *job)
{
	return vs_atomic_read(&job->weight);
}

/**
 * vs_job_invocations - invocations finished
 * @job: job
 */
u64 vs_job_invocations(const struct vs_job *job)
{
	return vs_atomic_read(&job->invocations);
}

/**
 * vs_job_parallelism - maximum number of useful workers at present
 * @job: job
 */
u32 vs_job_parallelism(const struct vs_job *job)
{
	u64 cur = vs_atomic_read(&job->cur), next, n;
	const struct vs_phase *ph;

	if (cur == VS_NO_PHASE)
		cur = 0;
	if (cur >= job->nphases)
		return 0;
	ph = &job->phases[cur];
	next = vs_atomic_read(&ph->next);
	n = READ_ONCE(ph->nchunks);
	if (next >= n)
		return 0;
	/* guests, and their host */
	return min_t(u64, n - next, 1024) + (ph->kind == VS_PHASE_FN && next);
}

/* Only the kind of a cancellation is recorded: build its fault record. */
static void job_ended(struct vs_job *job)
{
	u64 how = vs_atomic_read(&job->faulted);

	if (how & VS_JOB_CANCEL)
		vs_fault_init(&job->fault, (enum vs_fault_kind)(how & ~VS_JOB_CANCEL));
	vs_atomic_fetch_add(&job->users, VS_JOB_COMPLETE);
}

/* Begin the first phase from @n on that has work. Return: false if there is none. */
static bool begin_phase(struct vs_job *job, u32 n)
{
	for (; n < job->nphases && !vs_atomic_read(&job->faulted); n++) {
		struct vs_phase *ph = &job->phases[n];

		if (!ph->nchunks)
			continue;
		if (ph->kind == VS_PHASE_LAUNCH)
			vs_block_prepare(job, ph);
		vs_atomic_set(&job->cur, n);
		return true;
	}
	job_ended(job);
	return false;
}

/* @n chunks of the phase are done; the worker that completes the last one begins the next phase. */
static enum vs_run chunks_done(struct vs_job *job, struct vs_phase *ph, u64 n, enum vs_run run)
{
	if (!n || vs_atomic_fetch_add(&ph->done, n) + n != ph->nchunks)
		return run;
	return begin_phase(job, ph - job->phases + 1) ? VS_RUN_PHASE : VS_RUN_IDLE;
}

/* If the job ends without a fault of its own, save the registers of any running block. */
static void show_block(struct vs_job *job, struct vs_worker *w)
{
	vs_lock_get(&job->lock);
	if (w->running && !job->has_post && READ_ONCE(job->stop))
		vs_snap_take(job, w);
	vs_lock_put(&job->lock);
}

/* Neither the worker's chunk nor a later one continues: take all remaining chunks of the phase. */
static enum vs_run drain(struct vs_job *job, struct vs_worker *w, struct vs_phase *ph)
{
	u64 next = vs_atomic_xchg(&ph->next, NO_MORE_CHUNKS), n = w->chunk;

	show_block(job, w);
	/* the machine is in the arena of a host that leaves before its guests */
	if (ph->guest && !w->nr && !vs_job_alone(job))
		vs_job_set_post(job, NULL, NULL, 0, false);
	w->chunk = false;
	w->running = false;
	if (next < ph->nchunks)
		n += ph->nchunks - next;
	return chunks_done(job, ph, n, VS_RUN_IDLE);
}

/*
 * A block of the worker's chunk has faulted. The first fault in sequential order of blocks is
 * reported: chunks before this one run to their ends.
 */
static void chunk_fault(struct vs_job *job, struct vs_worker *w)
{
	struct vs_snap *was = NULL;

	vs_lock_get(&job->lock);
	if (w->nr < vs_atomic_read(&w->ph->bad) && !READ_ONCE(job->stop)) {
		vs_atomic_set(&w->ph->bad, w->nr);
		if (!(vs_atomic_cmpxchg(&job->faulted, 0, VS_JOB_FAULT) & VS_JOB_CANCEL)) {
			job->fault = w->fault;
			was = vs_snap_drop(job);
			vs_snap_take(job, w);
		}
	}
	vs_lock_put(&job->lock);
	vs_snap_put(was);
}

/* Return: the worker's chunk, or the one that it would claim now, need not run any more. */
static bool is_over(const struct vs_job *job, const struct vs_worker *w)
{
	return READ_ONCE(job->stop) || w->nr >= vs_atomic_read(&w->ph->bad);
}

static bool claim(struct vs_worker *w)
{
	struct vs_phase *ph = w->ph;
	u64 n;

	if (vs_atomic_read(&ph->next) >= READ_ONCE(ph->nchunks))
		return false;
	n = vs_atomic_fetch_add(&ph->next, 1);
	if (n >= READ_ONCE(ph->nchunks))
		return false;
	w->chunk = true;
	w->fresh = true;
	w->nr = n;
	w->failed = false;
	w->block = n * ph->chunk;
	w->block_end = ph->serial ? ph->nblocks : min_t(u64, w->block + ph->chunk, ph->nblocks);
	if (ph->kind == VS_PHASE_LAUNCH && ph->l.flags & VS_LAUNCH_KEEP)
		vs_serial_load(w);
	return true;
}

static void job_budget_fault(struct vs_job *job, struct vs_worker *w)
{
	w->failed = true;
	if (w->running) {
		vs_flow_fault(w, VS_FAULT_BUDGET, w->group[w->cur].mask);
	} else {
		vs_fault_init(&w->fault, VS_FAULT_BUDGET);
		w->fault.invocation = vs_job_invocations(job);
		w->fault.draw = w->ph->draw;
	}
}

/*
 * Account for a slice, and raise a fault if the budget is exceeded. The weight of a doubtful block
 * is not counted: it is refunded, and the block is rerun.
 */
static void job_settle(struct vs_job *job, struct vs_worker *w, bool doubtful)
{
	u64 total = vs_atomic_fetch_add(&job->weight, w->used) + w->used;

	if (w->invocations)
		vs_atomic_fetch_add(&job->invocations, w->invocations);
	if (total <= job->lim.budget || w->failed || READ_ONCE(job->stop))
		return;
	if (!doubtful) {
		job_budget_fault(job, w);
		return;
	}
	vs_atomic_fetch_add(&job->weight, -w->block_used);
	w->block_used = 0;
	w->redo = true;
}

static enum vs_blk job_begin_block(struct vs_worker *w)
{
	if (w->ph->l.ops && vs_serial_busy(w))
		return VS_BLK_MORE;
	if (w->ph->l.ops && !vs_serial_before(w))
		return VS_BLK_DONE;
	return vs_block_begin(w) ? VS_BLK_MORE : VS_BLK_FAULT;
}

static void end_block(struct vs_worker *w)
{
	if (++w->block == w->block_end && w->ph->l.flags & VS_LAUNCH_KEEP)
		vs_serial_save(w);
}

/* Run blocks of the chunk until the slice is over. Return: the chunk is finished. */
static bool run_blocks(struct vs_worker *w)
{
	enum vs_blk r;

	do {
		if (!w->running && w->block == w->block_end)
			return true;
		r = w->running ? vs_block_run(w) : job_begin_block(w);
		if (r == VS_BLK_DONE)
			end_block(w);
		else if (r != VS_BLK_MORE)
			w->failed = true;
	} while (!w->failed && !vs_slice_over(w));
	return w->block == w->block_end && !w->running;
}

static enum vs_run job_run_launch(struct vs_job *job, struct vs_worker *w)
{
	u64 used = vs_job_weight(job);
	bool finished, doubtful;

	w->room = job->lim.budget > used ? min_t(u64, job->lim.budget - used, S64_MAX) : 0;
	w->left = job->lim.slice;
	w->used = 0;
	w->invocations = 0;
	vs_block_fp_begin(w);
	finished = run_blocks(w);
	doubtful = w->running && vs_block_tainted(w);
	vs_block_fp_end(w);
	job_settle(job, w, doubtful);
	if (w->failed)
		chunk_fault(job, w);
	if (is_over(job, w))
		return drain(job, w, w->ph);
	if (!finished)
		return VS_RUN_MORE;
	w->chunk = false;
	return chunks_done(job, w->ph, 1, VS_RUN_MORE);
}

static enum vs_run run_fn(struct vs_job *job, struct vs_worker *w)
{
	enum vs_run run;

	job->arena = w->arena;
	job->arena_room = w->arena_size;
	run = w->ph->fn(job, w->ph->arg);
	if ((run == VS_RUN_MORE || run == VS_RUN_PHASE) && !READ_ONCE(job->stop))
		return run;
	if (run == VS_RUN_STOP) {
		/* available to any worker */
		w->chunk = false;
		vs_atomic_set(&w->ph->next, 0);
		return VS_RUN_STOP;
	}
	return drain(job, w, w->ph);
}

static enum vs_run run_guest(struct vs_job *job, struct vs_worker *w)
{
	enum vs_run run = w->ph->guest(job, w, w->fresh, w->ph->guest_arg);

	w->fresh = false;
	if (run == VS_RUN_MORE)
		return run;
	w->chunk = false;
	return chunks_done(job, w->ph, 1, VS_RUN_IDLE);
}

static enum vs_run job_step(struct vs_job *job, struct vs_worker *w)
{
	u64 cur = vs_atomic_read(&job->cur);

	if (cur == VS_NO_PHASE) {
		if (vs_atomic_cmpxchg(&job->started, 0, 1))
			return VS_RUN_IDLE;
		return begin_phase(job, 0) ? VS_RUN_PHASE : VS_RUN_IDLE;
	}
	if (w->job != job || w->phase != cur || !w->chunk) {
		if (w->job != job || w->phase != cur)
			vs_block_attach(w, job, cur);
		w->chunk = false;
		if (!READ_ONCE(job->stop) && !claim(w))
			return VS_RUN_IDLE;
	}
	if (is_over(job, w))
		return drain(job, w, w->ph);
	if (w->ph->kind == VS_PHASE_LAUNCH)
		return job_run_launch(job, w);
	return w->nr ? run_guest(job, w) : run_fn(job, w);
}

void vs_job_account(struct vs_job *job, u64 weight, u64 invocations)
{
	vs_atomic_fetch_add(&job->weight, weight);
	vs_atomic_fetch_add(&job->invocations, invocations);
}

/*
 * Leave the job; the last worker to leave a complete job returns VS_RUN_DONE. The job is not
 * accessed afterwards.
 */
static enum vs_run job_leave(struct vs_job *job, enum vs_run run)
{
	u64 old = vs_atomic_read(&job->users), want, found;

	for (;;) {
		want = old - 1;
		if (want == VS_JOB_COMPLETE)
			want |= VS_JOB_CLAIMED;
		found = vs_atomic_cmpxchg(&job->users, old, want);
		if (found == old)
			break;
		old = found;
	}
	return want == (VS_JOB_COMPLETE | VS_JOB_CLAIMED) && old == VS_JOB_COMPLETE + 1 ?
	       VS_RUN_DONE : run;
}

enum vs_run vs_job_step(struct vs_job *job, struct vs_worker *w)
{
	enum vs_run run = VS_RUN_IDLE;

	if (!(vs_atomic_fetch_add(&job->users, 1) & VS_JOB_COMPLETE))
		run = job_step(job, w);
	run = job_leave(job, run);
	/* The worker may serve another job next, even one at the same address. */
	if (run != VS_RUN_MORE && !w->chunk)
		w->job = NULL;
	return run;
}

/* The arena follows the worker structure. */
#define WORKER_SIZE	((sizeof(struct vs_worker) + 63) & ~63UL)

/**
 * vs_worker_new - an execution context
 * @arena: bytes of arena, zeroed; a multiple of 64
 *
 * Return: the worker, or NULL.
 */
struct vs_worker *vs_worker_new(u64 arena)
{
	u8 *raw = vs_zalloc(WORKER_SIZE + arena + 64);
	struct vs_worker *w;

	if (!raw)
		return NULL;
	w = (struct vs_worker *)(((unsigned long)raw + 63) & ~63UL);
	w->raw = raw;
	w->arena = (u8 *)w + WORKER_SIZE;
	w->arena_size = arena;
	w->snap = vs_snap_new();
	if (!w->snap) {
		vs_free(raw);
		return NULL;
	}
	return w;
}

void *vs_worker_arena(struct vs_worker *w)
{
	return w->arena;
}

/**
 * vs_worker_free - free a worker that executes nothing
 * @w: worker, or NULL
 */
void vs_worker_free(struct vs_worker *w)
{
	if (!w)
		return;
	vs_snap_put(w->snap);
	vs_free(w->raw);
}
