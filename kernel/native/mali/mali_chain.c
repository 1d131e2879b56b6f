// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Job chains: headers, the payloads of the simple jobs, and an order that respects
 * dependencies.
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
#define WALK_STEP	256	/* jobs between two reschedule points */

/* Per job: number of dependencies followed so far, or ORDERED. */
#define ORDERED		0xff

/* A job of a chain during the walk. */
struct link {
	struct mali_job job;
	struct link *next;
};

/**
 * struct sort - State of the topological sort of a chain.
 * @state:	per job: number of dependencies followed so far, or ORDERED
 * @stack:	jobs whose dependencies are being followed
 * @depth:	number of jobs on @stack
 * @nordered:	number of ordered jobs
 * @root:	job from which the others were reached
 */
struct sort {
	u8 *state;
	u32 *stack;
	u32 depth;
	u32 nordered;
	u32 root;
};

/**
 * struct mali_walk - A walk along a chain.
 * @p:		parser
 * @first:	list of jobs
 * @tail:	end of the list
 * @n:		number of jobs
 * @by_index:	position of the job with each index, plus one
 * @va:		next job
 * @prev:	previous job
 * @mark:	address of an earlier job, for loop detection
 * @next_mark:	number of jobs at which @mark is next updated, a power of two
 * @sort:	topological sort
 */
struct mali_walk {
	struct mali_parser p;
	struct link *first, **tail;
	u32 n;
	u16 *by_index;
	u64 va;
	u64 prev;
	u64 mark;
	u32 next_mark;
	struct sort sort;
};

static const char * const dep_fields[2] = { "dependency 1", "dependency 2" };

static int check_type(struct mali_parser *p, const struct mali_job *job)
{
	if (job->type == MALI_JOB_NOT_STARTED || job->type > p->arch->max_job_type)
		return mali_reject_at(p, MALI_JOB_TYPE, "type", job->va + OFF_FLAGS, job->type);
	return 0;
}

static int read_header(struct mali_parser *p, u64 va, struct mali_job *job)
{
	u32 w[HEADER_WORDS], flags;
	int ret;

	ret = mali_words(p, va, w, HEADER_WORDS, JOB_ALIGN, "job header");
	if (ret)
		return ret;
	flags = w[4];
	job->va = va;
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
	job->next_va = flags & 1 ? mali_u64(w, 6) : w[6];
	return check_type(p, job);
}

/* Two jobs with the same index: a loop if they are the same job. */
static int same_index(struct mali_walk *w, const struct mali_job *job)
{
	const struct link *l;

	for (l = w->first; l; l = l->next)
		if (l->job.va == job->va)
			return mali_reject_at(&w->p, MALI_LOOP, "next", job->va, job->va);
	return mali_reject_at(&w->p, MALI_DUPLICATE_INDEX, "index", job->va + OFF_FLAGS,
			      job->index);
}

static int add_job(struct mali_walk *w)
{
	struct mali_parser *p = &w->p;
	struct link *l;
	void *mem;
	int ret;

	if (w->n == p->c->limits.max_jobs)
		return mali_reject_at(p, MALI_LIMIT_JOBS, "next", w->va, w->n);
	ret = mali_alloc(p, 1, sizeof(*l), "jobs", &mem);
	if (ret)
		return ret;
	l = mem;
	ret = read_header(p, w->va, &l->job);
	if (ret)
		return ret;
	if (l->job.index && w->by_index[l->job.index])
		return same_index(w, &l->job);
	*w->tail = l;
	w->tail = &l->next;
	w->n++;
	if (l->job.index)
		w->by_index[l->job.index] = w->n;
	w->prev = w->va;
	w->va = l->job.next_va;
	return 0;
}

/*
 * Loop detection (Brent): the walk compares each address with that of the job at the last power
 * of two. If the jobs have indices, a duplicate index detects a loop earlier.
 */
static int walk_header(struct mali_walk *w)
{
	w->p.job = w->n;
	if (w->n && w->va == w->mark)
		return mali_reject_at(&w->p, MALI_LOOP, "next", w->prev + OFF_NEXT, w->va);
	if (w->n == w->next_mark) {
		w->mark = w->va;
		w->next_mark *= 2;
	}
	return add_job(w);
}

static int collect(struct mali_walk *w)
{
	struct mali_chain *c = w->p.c;
	struct link *l;
	void *mem;
	int ret;
	u32 i;

	ret = mali_alloc(&w->p, w->n, sizeof(*c->jobs), "jobs", &mem);
	if (ret)
		return ret;
	c->jobs = mem;
	ret = mali_alloc(&w->p, w->n, sizeof(*c->order), "jobs", &mem);
	if (ret)
		return ret;
	c->order = mem;
	ret = mali_alloc(&w->p, w->n, sizeof(*w->sort.state), "jobs", &mem);
	if (ret)
		return ret;
	w->sort.state = mem;
	ret = mali_alloc(&w->p, w->n, sizeof(*w->sort.stack), "jobs", &mem);
	if (ret)
		return ret;
	w->sort.stack = mem;
	for (i = 0, l = w->first; l; l = l->next)
		c->jobs[i++] = &l->job;
	c->njobs = w->n;
	return 0;
}

/* ---- order ---- */

static int push_job(struct mali_walk *w, u32 pos, u64 field_va, const char *field)
{
	const struct mali_job *job = w->p.c->jobs[pos];
	struct sort *s = &w->sort;

	/* On the stack already; or a barrier whose predecessors wait for it. */
	if (s->state[pos] || (pos > s->root && (job->flags & MALI_JF_BARRIER)))
		return mali_reject_at(&w->p, MALI_DEADLOCK, field, field_va, job->index);
	s->stack[s->depth++] = pos;
	return 0;
}

static int follow(struct mali_walk *w)
{
	struct mali_parser *p = &w->p;
	struct sort *s = &w->sort;
	u32 pos = s->stack[s->depth - 1], which = s->state[pos], to;
	const struct mali_job *job = p->c->jobs[pos];

	if (which == 2) {
		s->state[pos] = ORDERED;
		s->depth--;
		p->c->order[s->nordered++] = pos;
		return 0;
	}
	s->state[pos]++;
	if (!job->dep[which])
		return 0;
	p->job = pos;
	to = w->by_index[job->dep[which]];
	if (!to)
		return mali_reject_at(p, MALI_NO_SUCH_INDEX, dep_fields[which],
				      job->va + OFF_DEPS, job->dep[which]);
	if (s->state[to - 1] == ORDERED)
		return 0;
	return push_job(w, to - 1, job->va + OFF_DEPS, dep_fields[which]);
}

/* Follow one dependency, or take the next job of the chain. */
static int sort_one(struct mali_walk *w)
{
	struct mali_chain *c = w->p.c;
	struct sort *s = &w->sort;

	if (s->depth)
		return follow(w);
	while (s->state[s->root] == ORDERED)
		s->root++;
	return push_job(w, s->root, c->jobs[s->root]->va, "job header");
}

int mali_walk_step(struct mali_walk *w, u32 n, struct mali_chain **out)
{
	struct mali_chain *c = w->p.c;
	int ret = 0;

	for (; w->va && n && !ret; n--)
		ret = walk_header(w);
	if (!ret && !w->va && !c->jobs)
		ret = collect(w);
	for (; c->jobs && w->sort.nordered < w->n && n && !ret; n--)
		ret = sort_one(w);
	if (ret)
		return ret;
	if (w->va || w->sort.nordered < w->n)
		return -EAGAIN;
	*out = c;
	return 0;
}

static void walk_init(struct mali_walk *w, struct mali_chain *c, u64 va,
		      struct mali_reject *why)
{
	w->p = (struct mali_parser){ .c = c, .arch = mali_arch_info(c->arch), .why = why };
	w->tail = &w->first;
	w->va = va;
	w->prev = va;
	w->mark = va;
	w->next_mark = 1;
}

static bool walk_args_ok(enum mali_arch arch, u64 va, const struct mali_limits *limits)
{
	return arch < MALI_NUM_ARCH && va && limits->max_jobs &&
	       limits->max_jobs <= MALI_MAX_JOBS;
}

static void chain_init(struct mali_chain *c, enum mali_arch arch, const struct vs_map *map,
		       const struct mali_limits *limits)
{
	c->arch = arch;
	c->map = map;
	c->limits = *limits;
	c->memory = sizeof(*c);
}

int mali_walk_new(enum mali_arch arch, const struct vs_map *map, u64 va,
		  const struct mali_limits *limits, struct mali_reject *why,
		  struct mali_walk **out)
{
	struct simt_arena *a = limits->arena;
	struct mali_chain *c;
	struct mali_walk *w;

	if (!a || !walk_args_ok(arch, va, limits))
		return -EINVAL;
	w = simt_arena_alloc(a, 1, sizeof(*w));
	c = simt_arena_alloc(a, 1, sizeof(*c));
	if (!w || !c)
		return -E2BIG;
	chain_init(c, arch, map, limits);
	walk_init(w, c, va, why);
	w->by_index = simt_arena_alloc(a, MALI_MAX_JOBS + 1, sizeof(*w->by_index));
	if (!w->by_index)
		return mali_reject_at(&w->p, MALI_LIMIT_MEMORY, "jobs", va, 0);
	*out = w;
	return 0;
}

int mali_chain_walk(enum mali_arch arch, const struct vs_map *map, u64 va,
		    const struct mali_limits *limits, struct mali_chain **out,
		    struct mali_reject *why)
{
	struct mali_walk w = {};
	struct mali_chain *c;
	int ret;

	if (!walk_args_ok(arch, va, limits) || limits->arena)
		return -EINVAL;
	c = vs_zalloc(sizeof(*c));
	w.by_index = vs_zalloc_array(MALI_MAX_JOBS + 1, sizeof(*w.by_index));
	if (!c || !w.by_index) {
		vs_free(c);
		vs_free(w.by_index);
		return -ENOMEM;
	}
	chain_init(c, arch, map, limits);
	walk_init(&w, c, va, why);
	do {
		ret = mali_walk_step(&w, WALK_STEP, out);
		vs_cond_resched();
	} while (ret == -EAGAIN);
	vs_free(w.by_index);
	if (ret)
		mali_chain_free(c);
	return ret;
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

/* An earlier job may have turned this one into a NULL job: an indirect dispatch of no groups. */
static int read_type(struct mali_parser *p, struct mali_job *job)
{
	u32 w;
	int ret;

	ret = mali_words(p, job->va + OFF_FLAGS, &w, 1, 4, "job header");
	if (ret)
		return ret;
	job->type = mali_bits(&w, 0, 1, 7);
	job->flags &= ~MALI_JF_64BIT;
	job->flags |= w & 1 ? MALI_JF_64BIT : 0;
	return check_type(p, job);
}

/* Return: -EAGAIN: continue with @r. */
static int load(struct mali_parser *p, struct mali_job *job, struct mali_reader *r)
{
	int ret = read_type(p, job);

	if (ret)
		return ret;
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

int mali_chain_load_begin(struct mali_chain *c, u32 pos, struct mali_reject *why,
			  struct mali_reader *r)
{
	struct mali_parser p = { .c = c, .arch = mali_arch_info(c->arch), .job = pos,
				 .why = why };
	int ret;

	if (pos >= c->njobs)
		return -EINVAL;
	if (c->jobs[pos]->loaded)
		return 0;
	ret = load(&p, c->jobs[pos], r);
	if (!ret)
		c->jobs[pos]->loaded = true;
	return ret;
}

int mali_chain_load(struct mali_chain *c, u32 pos, struct mali_reject *why)
{
	struct mali_reader r;
	int ret;

	ret = mali_chain_load_begin(c, pos, why, &r);
	while (ret == -EAGAIN) {
		ret = mali_reader_step(&r);
		vs_cond_resched();
	}
	return ret;
}

int mali_chain_parse(enum mali_arch arch, const struct vs_map *map, u64 va,
		     const struct mali_limits *limits, struct mali_chain **out,
		     struct mali_reject *why)
{
	struct mali_chain *c;
	int ret;
	u32 i;

	ret = mali_chain_walk(arch, map, va, limits, &c, why);
	if (ret)
		return ret;
	for (i = 0; i < c->njobs && !ret; i++)
		ret = mali_chain_load(c, i, why);
	if (ret)
		mali_chain_free(c);
	else
		*out = c;
	return ret;
}

/**
 * mali_chain_free - free a chain with all its descriptors
 * @c: the chain, or NULL
 */
void mali_chain_free(struct mali_chain *c)
{
	if (!c)
		return;
	mali_free_blocks(c);
	vs_free(c);
}
