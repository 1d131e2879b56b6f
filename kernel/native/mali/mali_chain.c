// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Job chains: headers, the payloads of the simple jobs, and an order that respects
 * dependencies.
 *
 * A header is 32 bytes: status, first incomplete task, fault pointer, a word of flags, two
 * dependencies and the next job's address, of which the 32-bit form has only the low half.
 */
#include "mali_desc.h"

#define HEADER_WORDS	8
#define JOB_ALIGN	64
#define OFF_FLAGS	16
#define OFF_DEPS	20
#define OFF_NEXT	24
#define OFF_PAYLOAD	32

/* Jobs of a chain while it is walked. */
struct walk {
	struct mali_parser p;
	struct link {
		struct mali_job job;
		u32 pos;
		struct link *next;
	} *first, **tail;
	u32 n;
	struct link **by_index;
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

/* Two jobs of one index: often the same job. */
static int same_index(struct walk *w, const struct link *first, const struct mali_job *job)
{
	if (first->job.va == job->va)
		return mali_reject_at(&w->p, MALI_LOOP, "next", job->va, job->va);
	return mali_reject_at(&w->p, MALI_DUPLICATE_INDEX, "index", job->va + OFF_FLAGS,
			      job->index);
}

static int add_job(struct walk *w, u64 va, u64 *next)
{
	struct mali_parser *p = &w->p;
	struct link *l;
	void *mem;
	int ret;

	if (w->n == p->c->limits.max_jobs)
		return mali_reject_at(p, MALI_LIMIT_JOBS, "next", va, w->n);
	ret = mali_alloc(p, 1, sizeof(*l), "jobs", &mem);
	if (ret)
		return ret;
	l = mem;
	ret = read_header(p, va, &l->job);
	if (ret)
		return ret;
	if (l->job.index && w->by_index[l->job.index])
		return same_index(w, w->by_index[l->job.index], &l->job);
	*w->tail = l;
	w->tail = &l->next;
	l->pos = w->n++;
	if (l->job.index)
		w->by_index[l->job.index] = l;
	*next = l->job.next_va;
	return 0;
}

/*
 * A walk that comes back to where it was some power of two of jobs ago is in a loop. A loop is
 * seen before that by its indices if its jobs have any.
 */
static int walk_headers(struct walk *w, u64 va)
{
	u64 mark = va, prev = va, next = 0;
	u32 next_mark = 1;
	int ret;

	for (; va; va = next) {
		w->p.job = w->n;
		if (w->n && va == mark)
			return mali_reject_at(&w->p, MALI_LOOP, "next", prev + OFF_NEXT, va);
		if (w->n == next_mark) {
			mark = va;
			next_mark *= 2;
		}
		ret = add_job(w, va, &next);
		if (ret)
			return ret;
		prev = va;
		vs_cond_resched();
	}
	return 0;
}

static int collect(struct walk *w)
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
	for (i = 0, l = w->first; l; l = l->next)
		c->jobs[i++] = &l->job;
	c->njobs = w->n;
	return 0;
}

/* ---- order ---- */

/* Of each job: dependencies that have been followed, or ORDERED. */
#define ORDERED		0xff

struct sort {
	struct walk *w;
	u8 *state;
	u32 *stack;
	u32 depth;
	u32 nordered;
};

static int push_job(struct sort *s, u32 pos, u32 root, u64 field_va, const char *field)
{
	const struct mali_job *job = s->w->p.c->jobs[pos];

	/* On the stack already; or a barrier whose predecessors wait for it. */
	if (s->state[pos] || (pos > root && (job->flags & MALI_JF_BARRIER)))
		return mali_reject_at(&s->w->p, MALI_DEADLOCK, field, field_va, job->index);
	s->stack[s->depth++] = pos;
	return 0;
}

static int follow(struct sort *s, u32 root)
{
	struct mali_parser *p = &s->w->p;
	u32 pos = s->stack[s->depth - 1], which = s->state[pos];
	const struct mali_job *job = p->c->jobs[pos];
	const struct link *to;

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
	to = s->w->by_index[job->dep[which]];
	if (!to)
		return mali_reject_at(p, MALI_NO_SUCH_INDEX, dep_fields[which],
				      job->va + OFF_DEPS, job->dep[which]);
	if (s->state[to->pos] == ORDERED)
		return 0;
	return push_job(s, to->pos, root, job->va + OFF_DEPS, dep_fields[which]);
}

static int sort_jobs(struct walk *w)
{
	struct mali_chain *c = w->p.c;
	struct sort s = { .w = w };
	int ret = 0;
	u32 i;

	s.state = vs_zalloc_array(w->n, sizeof(*s.state));
	s.stack = vs_zalloc_array(w->n, sizeof(*s.stack));
	if (!s.state || !s.stack)
		ret = -ENOMEM;
	for (i = 0; i < w->n && !ret; i++) {
		if (s.state[i] == ORDERED)
			continue;
		ret = push_job(&s, i, i, c->jobs[i]->va, "job header");
		while (!ret && s.depth)
			ret = follow(&s, i);
		vs_cond_resched();
	}
	vs_free(s.state);
	vs_free(s.stack);
	return ret;
}

static int walk(struct walk *w, u64 va)
{
	int ret;

	ret = walk_headers(w, va);
	if (!ret)
		ret = collect(w);
	if (!ret)
		ret = sort_jobs(w);
	return ret;
}

int mali_chain_walk(enum mali_arch arch, const struct vs_map *map, u64 va,
		    const struct mali_limits *limits, struct mali_chain **out,
		    struct mali_reject *why)
{
	struct walk w = {};
	struct mali_chain *c;
	int ret;

	if (arch >= MALI_NUM_ARCH || !va || !limits->max_jobs ||
	    limits->max_jobs > MALI_MAX_JOBS)
		return -EINVAL;
	c = vs_zalloc(sizeof(*c));
	w.by_index = vs_zalloc_array(MALI_MAX_JOBS + 1, sizeof(*w.by_index));
	if (!c || !w.by_index) {
		vs_free(c);
		vs_free(w.by_index);
		return -ENOMEM;
	}
	c->arch = arch;
	c->map = map;
	c->limits = *limits;
	c->memory = sizeof(*c);
	w.p = (struct mali_parser){ .c = c, .arch = mali_arch_info(arch), .why = why };
	w.tail = &w.first;
	ret = walk(&w, va);
	vs_free(w.by_index);
	if (ret)
		mali_chain_free(c);
	else
		*out = c;
	return ret;
}

/* ---- payloads ---- */

static int load_write_value(struct mali_parser *p, struct mali_job *job)
{
	u64 va = job->va + OFF_PAYLOAD;
	u32 w[6] = {}, type;
	int ret;

	/* The immediate is there only where its types are. */
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

/* An earlier job may have made this one a NULL job: an indirect dispatch of no groups. */
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

static int load(struct mali_parser *p, struct mali_job *job)
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
		return mali_read_launch(p, job, &job->launch);
	default:
		return mali_reject_at(p, MALI_JOB_UNSUPPORTED, "type", job->va + OFF_FLAGS,
				      job->type);
	}
}

int mali_chain_load(struct mali_chain *c, u32 pos, struct mali_reject *why)
{
	struct mali_parser p = { .c = c, .arch = mali_arch_info(c->arch), .job = pos,
				 .why = why };
	int ret;

	if (pos >= c->njobs)
		return -EINVAL;
	if (c->jobs[pos]->loaded)
		return 0;
	ret = load(&p, c->jobs[pos]);
	if (!ret)
		c->jobs[pos]->loaded = true;
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
 * mali_chain_free - free a chain with all that was read
 * @c: the chain, or NULL
 */
void mali_chain_free(struct mali_chain *c)
{
	if (!c)
		return;
	mali_free_blocks(c);
	vs_free(c);
}
