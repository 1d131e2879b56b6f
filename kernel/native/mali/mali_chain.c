// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Job chains: headers, the payloads of the simple jobs, and an order that respects
 * dependencies. A header is read when the jobs before it have ended, or wait: any of them may
 * have written it.
 *
 * A header is 32 bytes: status, first incomplete task, fault pointer, a word of flags, two
 * dependencies and the next job's address; the 32-bit form has only its low half.
 */
#include "mali_desc.h"

#define HEADER_WORDS	8
#define JOB_ALIGN	64
#define OFF_FLAGS	16
#define OFF_DEPS	20
#define OFF_NEXT	24
#define OFF_PAYLOAD	32
#define NO_DEP		2	/* both dependencies are done */

#define BLOCK_WAITERS	64

/**
 * struct waiter - A job whose header has been read and that waits for another job.
 * @va:		its header; 0: free
 * @pos:	position in the chain
 * @index:	its index
 * @dep:	indices of the jobs that it waits for
 * @next:	id of the next waiter in the list
 */
struct waiter {
	u64 va;
	u32 pos;
	u16 index;
	u16 dep[2];
	u16 next;
};

/**
 * struct board - Jobs that wait. Allocated for the first of them.
 * @waiting:	per job index: list of the jobs that wait for it
 * @block:	waiters; ids start at 1
 */
struct board {
	u16 waiting[MALI_MAX_JOBS + 1];
	struct waiter *block[(MALI_MAX_JOBS + BLOCK_WAITERS - 1) / BLOCK_WAITERS];
};

/**
 * struct mali_walk - A walk along a chain.
 * @p:		parser
 * @job:	current job
 * @va:		next job
 * @prev:	previous job
 * @n:		number of headers that have been read
 * @mark:	address of an earlier job, for loop detection
 * @next_mark:	number of headers at which @mark is next updated, a power of two
 * @look:	header to which the chain leads from @va, whose index an earlier job has
 * @looks:	headers that may still be followed from there; 0: no such index has been met
 * @board:	jobs that wait, or NULL
 * @nids:	ids that have been used
 * @nwaiting:	number of jobs that wait
 * @unused:	list of free waiters
 * @woken:	list of waiters whose other dependency is to be checked
 * @ready:	list of waiters that can start
 * @seen:	indices of the jobs whose headers have been read, a bit set
 * @done:	indices of the jobs that have ended, a bit set
 *
 * Lists are circular and are named by the id of their last waiter, 0: empty.
 */
struct mali_walk {
	struct mali_parser p;
	struct mali_job job;
	u64 va;
	u64 prev;
	u32 n;
	u64 mark;
	u32 next_mark;
	u64 look;
	u32 looks;
	struct board *board;
	u32 nids;
	u32 nwaiting;
	u16 unused;
	u16 woken;
	u16 ready;
	u64 seen[(MALI_MAX_JOBS + 1) / 64];
	u64 done[(MALI_MAX_JOBS + 1) / 64];
};

static const char * const dep_fields[2] = { "dependency 1", "dependency 2" };

/* ---- sets and lists ---- */

static bool chain_has(const u64 *set, u32 index)
{
	return set[index / 64] >> (index % 64) & 1;
}

static void chain_add(u64 *set, u32 index)
{
	set[index / 64] |= 1ULL << (index % 64);
}

static struct waiter *chain_waiter(const struct mali_walk *w, u32 id)
{
	return &w->board->block[(id - 1) / BLOCK_WAITERS][(id - 1) % BLOCK_WAITERS];
}

static void chain_append(struct mali_walk *w, u16 *list, u16 id)
{
	struct waiter *x = chain_waiter(w, id), *last;

	x->next = id;
	if (*list) {
		last = chain_waiter(w, *list);
		x->next = last->next;
		last->next = id;
	}
	*list = id;
}

static u16 chain_pop(struct mali_walk *w, u16 *list)
{
	struct waiter *last = chain_waiter(w, *list);
	u16 id = last->next;

	if (id == *list)
		*list = 0;
	else
		last->next = chain_waiter(w, id)->next;
	return id;
}

/* ---- headers ---- */

static u64 chain_next(const u32 *w)
{
	return w[4] & 1 ? mali_u64(w, 6) : w[6];
}

static int chain_header(struct mali_parser *p, u64 va, struct mali_job *job)
{
	u32 w[HEADER_WORDS], flags;
	int ret;

	*job = (struct mali_job){ .va = va, .pos = p->job };
	ret = mali_words(p, va, w, HEADER_WORDS, JOB_ALIGN, "job header");
	if (ret)
		return ret;
	flags = w[4];
	job->status = w[0];
	job->type = mali_bits(w, 4, 1, 7);
	job->index = mali_bits(w, 4, 16, 16);
	job->dep[0] = mali_bits(w, 5, 0, 16);
	job->dep[1] = mali_bits(w, 5, 16, 16);
	job->flags = (flags & 1 ? MALI_JF_64BIT : 0) |
		     (flags & BIT(8) ? MALI_JF_BARRIER : 0) |
		     (flags & BIT(9) ? MALI_JF_INVALIDATE : 0) |
		     (flags & BIT(11) ? MALI_JF_NO_PREFETCH : 0) |
		     (flags & BIT(12) ? MALI_JF_TEXTURE_MAPPER : 0) |
		     (flags & BIT(14) ? MALI_JF_RELAX1 : 0) |
		     (flags & BIT(15) ? MALI_JF_RELAX2 : 0);
	job->next_va = chain_next(w);
	return 0;
}

/* Number of the first of two dependencies that is not done, or NO_DEP. */
static u32 chain_unmet(const struct mali_walk *w, const u16 *dep)
{
	u32 i;

	for (i = 0; i < NO_DEP; i++)
		if (dep[i] && !chain_has(w->done, dep[i]))
			break;
	return i;
}

static int chain_stuck_at(struct mali_walk *w, const struct waiter *x, bool missing)
{
	u32 which = chain_unmet(w, x->dep);

	w->job.va = x->va;
	w->p.job = x->pos;
	return mali_reject_at(&w->p, missing ? MALI_NO_SUCH_INDEX : MALI_DEADLOCK,
			      dep_fields[which], x->va + OFF_DEPS,
			      missing ? x->dep[which] : x->index);
}

/*
 * No job can start. At the end of the chain, the first job that waits for a missing one is
 * reported, else the first one.
 */
static int chain_stuck(struct mali_walk *w)
{
	const struct waiter *x, *first = NULL;
	bool missing = false, gone;
	u32 id;

	for (id = 1; id <= w->nids; id++) {
		x = chain_waiter(w, id);
		if (!x->va)
			continue;
		gone = !w->va && !chain_has(w->seen, x->dep[chain_unmet(w, x->dep)]);
		if (!first || gone > missing || (gone == missing && x->pos < first->pos)) {
			first = x;
			missing = gone;
		}
	}
	return chain_stuck_at(w, first, missing);
}

static int chain_new_waiter(struct mali_walk *w, u16 *id)
{
	struct waiter **block;
	void *mem;
	int ret;

	if (w->unused) {
		*id = chain_pop(w, &w->unused);
		return 0;
	}
	if (!w->board) {
		ret = mali_alloc(&w->p, 1, sizeof(*w->board), "jobs", &mem);
		if (ret)
			return ret;
		w->board = mem;
	}
	block = &w->board->block[w->nids / BLOCK_WAITERS];
	if (!*block) {
		ret = mali_alloc(&w->p, BLOCK_WAITERS, sizeof(**block), "jobs", &mem);
		if (ret)
			return ret;
		*block = mem;
	}
	*id = ++w->nids;
	return 0;
}

static int chain_wait(struct mali_walk *w)
{
	const struct mali_job *job = &w->job;
	u16 id;
	int ret;

	ret = chain_new_waiter(w, &id);
	if (ret)
		return ret;
	*chain_waiter(w, id) = (struct waiter){
		.va = job->va, .pos = job->pos, .index = job->index,
		.dep = { job->dep[0], job->dep[1] },
	};
	w->nwaiting++;
	chain_append(w, &w->board->waiting[job->dep[chain_unmet(w, job->dep)]], id);
	return 0;
}

/* Two jobs with the same index: a loop if the chain leads from the second one back to it. */
static int chain_look(struct mali_walk *w)
{
	u32 h[HEADER_WORDS];

	if (w->look == w->va)
		return mali_reject_at(&w->p, MALI_LOOP, "next", w->prev + OFF_NEXT, w->va);
	if (!w->look || !--w->looks ||
	    mali_words(&w->p, w->look, h, HEADER_WORDS, JOB_ALIGN, "job header"))
		return mali_reject_at(&w->p, MALI_DUPLICATE_INDEX, "index", w->va + OFF_FLAGS,
				      w->job.index);
	w->look = chain_next(h);
	return 0;
}

/*
 * Read the next header. Loop detection (Brent): the walk compares each address with that of the
 * job at the last power of two. If the jobs have indices, a duplicate index detects a loop
 * earlier. Return: 1: the job can start.
 */
static int chain_read(struct mali_walk *w)
{
	struct mali_job *job = &w->job;
	int ret;

	w->p.job = w->n;
	job->va = w->va;
	if (w->n && w->va == w->mark)
		return mali_reject_at(&w->p, MALI_LOOP, "next", w->prev + OFF_NEXT, w->va);
	if (w->n == w->next_mark) {
		w->mark = w->va;
		w->next_mark *= 2;
	}
	if (w->n == MALI_MAX_JOBS)
		return mali_reject_at(&w->p, MALI_LIMIT_JOBS, "next", w->va, w->n);
	ret = chain_header(&w->p, w->va, job);
	if (ret)
		return ret;
	if (job->index && chain_has(w->seen, job->index)) {
		w->look = job->next_va;
		w->looks = w->n + 1;
		return 0;
	}
	if (job->flags & MALI_JF_BARRIER && w->nwaiting)
		return chain_stuck(w);
	chain_add(w->seen, job->index);
	w->n++;
	w->prev = w->va;
	w->va = job->next_va;
	return chain_unmet(w, job->dep) == NO_DEP ? 1 : chain_wait(w);
}

/* Check the other dependency of a job that waited for the previous one. */
static void chain_wake(struct mali_walk *w)
{
	u16 id = chain_pop(w, &w->woken);
	const struct waiter *x = chain_waiter(w, id);
	u32 which = chain_unmet(w, x->dep);

	if (which == NO_DEP)
		chain_append(w, &w->ready, id);
	else
		chain_append(w, &w->board->waiting[x->dep[which]], id);
}

/* Start a job that has waited. Other jobs may have written its header since. Return: 1. */
static int chain_start(struct mali_walk *w)
{
	u16 id = chain_pop(w, &w->ready);
	struct waiter *x = chain_waiter(w, id);
	struct mali_job *job = &w->job;
	int ret;

	w->p.job = x->pos;
	ret = chain_header(&w->p, x->va, job);
	job->index = x->index;
	memcpy(job->dep, x->dep, sizeof(job->dep));
	x->va = 0;
	chain_append(w, &w->unused, id);
	w->nwaiting--;
	return ret ? ret : 1;
}

/* Return: 0: call again; 1: a job can start; -ENODATA: end of the chain. */
static int chain_step(struct mali_walk *w)
{
	if (w->woken) {
		chain_wake(w);
		return 0;
	}
	if (w->ready)
		return chain_start(w);
	if (w->looks)
		return chain_look(w);
	if (w->va)
		return chain_read(w);
	return w->nwaiting ? chain_stuck(w) : -ENODATA;
}

int mali_walk_next(struct mali_walk *w, u32 *left, struct mali_job **job)
{
	int ret;

	for (; *left; (*left)--) {
		ret = chain_step(w);
		*job = ret == -ENODATA ? NULL : &w->job;
		if (ret)
			return ret == 1 || ret == -ENODATA ? 0 : ret;
	}
	return -EAGAIN;
}

void mali_walk_done(struct mali_walk *w)
{
	u32 index = w->job.index;

	if (!index)
		return;
	chain_add(w->done, index);
	if (!w->board)
		return;
	w->woken = w->board->waiting[index];
	w->board->waiting[index] = 0;
}

int mali_walk_new(struct mali_chain *c, u64 va, struct mali_reject *why, struct mali_walk **out)
{
	struct mali_parser p = { .c = c, .arch = mali_arch_info(c->arch), .why = why };
	struct mali_walk *w;
	void *mem;
	int ret;

	ret = mali_alloc(&p, 1, sizeof(*w), "jobs", &mem);
	if (ret)
		return ret;
	w = mem;
	w->p = p;
	w->va = va;
	w->prev = va;
	w->mark = va;
	w->next_mark = 1;
	*out = w;
	return 0;
}

/* ---- payloads ---- */

static int load_write_value(struct mali_parser *p, struct mali_job *job)
{
	u64 va = job->va + OFF_PAYLOAD;
	u32 w[6] = {}, type;
	int ret;

	/* The immediate exists only for the types that use it. */
	ret = mali_words(p, va, w, p->arch->max_write_type > MALI_WRITE_ZERO ? 6 : 4, 32,
			 "write value");
	if (ret)
		return ret;
	type = w[2];
	if (!type || type > p->arch->max_write_type)
		return mali_reject_at(p, MALI_BAD_WRITE_TYPE, "write value type", va + 8, type);
	job->write_va = mali_u64(w, 0);
	job->write_type = type;
	job->write_value = mali_u64(w, 4);
	return 0;
}

int mali_job_load(struct mali_parser *p, struct mali_job *job, struct mali_reader *r)
{
	int ret;

	if (job->type == MALI_JOB_NOT_STARTED || job->type > p->arch->max_job_type)
		return mali_reject_at(p, MALI_JOB_TYPE, "type", job->va + OFF_FLAGS, job->type);
	if (!(job->flags & MALI_JF_64BIT) && job->type != MALI_JOB_NULL)
		return mali_reject_at(p, MALI_JOB_32BIT, "is 64b", job->va + OFF_FLAGS,
				      job->type);
	switch (job->type) {
	case MALI_JOB_NULL:
		return 0;
	case MALI_JOB_WRITE_VALUE:
		return load_write_value(p, job);
	case MALI_JOB_CACHE_FLUSH:
		return mali_words(p, job->va + OFF_PAYLOAD, job->flush, 2, 32, "cache flush");
	case MALI_JOB_COMPUTE:
	case MALI_JOB_VERTEX:
		ret = mali_read_launch(p, job, r);
		return ret ? ret : -EAGAIN;
	case MALI_JOB_INDEXED_VERTEX:
		ret = mali_read_indexed(p, job, r);
		return ret ? ret : -EAGAIN;
	case MALI_JOB_TILER:
	case MALI_JOB_FRAGMENT:
		/* read while they are executed */
		return 0;
	default:
		return mali_reject_at(p, MALI_JOB_UNSUPPORTED, "type", job->va + OFF_FLAGS,
				      job->type);
	}
}
