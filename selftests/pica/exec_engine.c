// SPDX-License-Identifier: GPL-2.0
/*
 * The tests' executor interface on the engine, one executor for each build that this
 * machine can run. Results come from an ordinary job; the debugger reads the other
 * registers, in a second run that must give the same outputs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/block_debug.h"
#include "engine_run.h"
#include "exec_engine.h"

#define FILE_BYTES	ENGINE_FILE_BYTES

static void fail(struct pica_executor *ex, const char *what)
{
	snprintf(ex->error, sizeof(ex->error), "%s", what);
}

static int prepare(struct pica_executor *ex, const struct pica_exec_job *job, struct engine_job *p)
{
	ex->error[0] = '\0';
	return engine_job_init(p, job, *(const enum vs_simd *)ex->priv, &ex->refusal, ex->error,
			       sizeof(ex->error));
}

/* A fault is that of the whole job. */
static int set_status(struct pica_executor *ex, const struct vs_fault *f,
		      struct pica_exec_lane *lanes, unsigned int n)
{
	enum pica_ref_status status;
	unsigned int i;

	if (!engine_status(f->kind, &status)) {
		snprintf(ex->error, sizeof(ex->error), "fault kind %u at word %u", f->kind, f->pc);
		return -1;
	}
	if (f->kind != VS_FAULT_NONE && f->invocation >= n) {
		fail(ex, "fault of an invocation that does not exist");
		return -1;
	}
	for (i = 0; i < n; i++) {
		lanes[i].status = status;
		lanes[i].pc = f->pc;
	}
	return 0;
}

/* Registers through the debugger */

static bool read_file(struct block_debug *d, u32 lane, char name, uint32_t out[16][4])
{
	char reg[8];
	u32 i, c;

	for (i = 0; i < 16; i++) {
		snprintf(reg, sizeof(reg), "%c%u", name, i);
		for (c = 0; c < 4; c++)
			if (bd_reg_read(d, reg, c, lane, &out[i][c]))
				return false;
	}
	return true;
}

static bool read_lane(struct block_debug *d, u32 lane, struct pica_exec_lane *out)
{
	u32 v;
	u32 c;

	if (!read_file(d, lane, 'o', out->o) || !read_file(d, lane, 'r', out->r))
		return false;
	for (c = 0; c < 2; c++) {
		if (bd_reg_read(d, "a0", c, lane, &v))
			return false;
		out->a0[c] = (int32_t)v;
		if (bd_reg_read(d, "cmp", c, lane, &v) || v > 1)
			return false;
		out->cc[c] = v;
	}
	if (bd_reg_read(d, "aL", 0, lane, &v))
		return false;
	out->al = (int32_t)v;
	return true;
}

static bool write_flags(struct block_debug *d, const bool cc[2], u32 lanes)
{
	u32 i, c;

	for (i = 0; i < lanes; i++)
		for (c = 0; c < 2; c++)
			if (bd_reg_write(d, "cmp", c, i, cc[c]))
				return false;
	return true;
}

static int debug_block(struct pica_executor *ex, const struct pica_exec_job *job,
		       struct engine_job *p, u32 block, struct pica_exec_lane *lanes)
{
	struct vs_job_limits lim = { .budget = p->how.budget, .simd = p->how.simd, .slice = 3000 };
	u32 first = block * VS_LANES;
	u32 i, n = min_t(u32, job->n - first, VS_LANES);
	struct block_debug *d = bd_new(&p->mem.map, &lim, &p->l, block);
	enum bd_stop stop;
	int ret = 0;

	if (!d) {
		fail(ex, "no debugger");
		return -1;
	}
	if ((job->cc[0] || job->cc[1]) && !write_flags(d, job->cc, n)) {
		fail(ex, "flags cannot be written");
		ret = -1;
	}
	stop = ret ? BD_FAULT : bd_continue(d);
	for (i = 0; !ret && i < n && stop == BD_DONE; i++) {
		if (!read_lane(d, i, &lanes[first + i])) {
			fail(ex, "register cannot be read");
			ret = -1;
		}
	}
	if (!ret && stop != BD_DONE)
		ret = set_status(ex, bd_fault(d), lanes, job->n);
	bd_free(d);
	return ret;
}

static int read_registers(struct pica_executor *ex, const struct pica_exec_job *job,
			  struct engine_job *p, struct pica_exec_lane *lanes)
{
	u32 block;

	for (block = 0; block * VS_LANES < job->n; block++)
		if (debug_block(ex, job, p, block, lanes))
			return -1;
	return 0;
}

/* The same outputs, whichever way they were read. */
static int same_outputs(struct pica_executor *ex, const struct pica_exec_lane *lanes,
			const uint32_t (*out)[16][4], unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (!memcmp(lanes[i].o, out[i], FILE_BYTES))
			continue;
		snprintf(ex->error, sizeof(ex->error),
			 "outputs of invocation %u differ between a job and the debugger", i);
		return -1;
	}
	return 0;
}

static int engine_vertex(struct pica_executor *ex, const struct pica_exec_job *job,
			 struct pica_exec_lane *lanes)
{
	bool flags = job->cc[0] || job->cc[1];
	struct engine_done done = { .weight = 0 };
	struct engine_job p;
	unsigned int i;
	int ret;

	memset(lanes, 0, job->n * sizeof(*lanes));
	if (prepare(ex, job, &p))
		return -1;
	/* An ordinary job starts with flags that are clear. */
	if (!flags)
		engine_run(&p.mem.map, &p.l, &p.how, &done);
	ret = set_status(ex, &done.fault, lanes, job->n);
	if (!ret && done.fault.kind == VS_FAULT_NONE && (job->registers || flags)) {
		ret = read_registers(ex, job, &p, lanes);
		if (!ret && !flags)
			ret = same_outputs(ex, lanes, p.out, job->n);
	} else {
		for (i = 0; i < job->n; i++)
			memcpy(lanes[i].o, (const u8 *)p.out + i * FILE_BYTES, FILE_BYTES);
	}
	engine_job_fini(&p);
	return ret;
}

/* Geometry */

static void store_vertex(struct pica_exec_event *e, unsigned int invocation, const u8 *v,
			 unsigned int nattr)
{
	memset(e, 0, sizeof(*e));
	e->invocation = invocation;
	e->kind = PICA_REF_EVENT_VERTEX;
	e->nattr = nattr;
	memcpy(e->attr, v, nattr * ENGINE_REG_BYTES);
}

/**
 * struct sink - where events of a geometry job go
 * @e: job
 * @nattr: packed outputs
 * @events: storage
 * @max_events: room there
 * @n: events so far; may exceed @max_events
 */
struct sink {
	const struct engine_job *e;
	unsigned int nattr;
	struct pica_exec_event *events;
	size_t max_events;
	size_t n;
};

/* Store the primitives of @invocation as events of invocation @at. */
static void store_events(struct sink *s, unsigned int invocation, unsigned int at)
{
	size_t vertex = s->nattr * ENGINE_REG_BYTES;
	const u32 *info = s->e->info + (size_t)at * (1 + ENGINE_MAX_PRIMS);
	const u8 *v = (const u8 *)s->e->prims + (size_t)at * ENGINE_MAX_PRIMS * 3 * vertex;
	unsigned int i, k;

	for (k = 0; k < info[0]; k++) {
		if (info[1 + k] & 1) {
			if (s->n < s->max_events) {
				struct pica_exec_event *e = &s->events[s->n];

				memset(e, 0, sizeof(*e));
				e->invocation = invocation;
				e->kind = PICA_REF_EVENT_INVERT;
			}
			s->n++;
		}
		for (i = 0; i < 3; i++, s->n++, v += vertex)
			if (s->n < s->max_events)
				store_vertex(&s->events[s->n], invocation, v, s->nattr);
	}
}

/* Half of a job in which hooks take the primitives away after each invocation. */
struct half {
	struct sink *sink;
	u64 first;
};

static bool before_hook(struct vs_job *job, void *arg, u64 inv, u32 *bools)
{
	const struct half *h = arg;

	if (h->first + inv)
		*bools |= 0x8000;
	return true;
}

static void after_hook(struct vs_job *job, void *arg, u64 inv, u32 nprims)
{
	struct half *h = arg;

	if (nprims != h->sink->e->info[0]) {
		fprintf(stderr, "the hook is told of %u primitives, %u are there\n", nprims,
			h->sink->e->info[0]);
		abort();
	}
	store_events(h->sink, (unsigned int)(h->first + inv), 0);
}

static const struct vs_serial_ops hooks = { .before = before_hook, .after = after_hook };

/* Two launches; the second continues with the first one's state. */
static void run_serial(const struct engine_job *e, struct sink *sink, struct engine_done *done)
{
	struct vs_launch l[2] = { e->l, e->l };
	struct half half[2] = { { .sink = sink }, { .sink = sink } };
	unsigned int i, n = e->l.count > 1 ? 2 : 1;

	for (i = 0; i < n; i++) {
		l[i].flags |= VS_LAUNCH_SERIAL | VS_LAUNCH_KEEP;
		l[i].ops = &hooks;
		l[i].ops_arg = &half[i];
	}
	if (n == 2) {
		l[0].count /= 2;
		l[1].count -= l[0].count;
		l[1].first += l[0].count;
		half[1].first = l[0].count;
	}
	engine_run_all(&e->mem.map, l, n, &e->how, done);
}

static long engine_geometry(struct pica_executor *ex, const struct pica_exec_job *job,
			    struct pica_exec_lane *lanes, struct pica_exec_event *events,
			    size_t max_events)
{
	struct engine_done done = { .weight = 0 };
	struct engine_job e;
	struct sink sink = {
		.e = &e,
		.nattr = (unsigned int)__builtin_popcount(job->prog.output_mask),
		.events = events,
		.max_events = max_events,
	};
	unsigned int i;
	int ret;

	memset(lanes, 0, job->n * sizeof(*lanes));
	if (prepare(ex, job, &e))
		return -1;
	if (job->serial)
		run_serial(&e, &sink, &done);
	else
		engine_run(&e.mem.map, &e.l, &e.how, &done);
	ret = set_status(ex, &done.fault, lanes, job->n);
	if (!ret && done.fault.kind != VS_FAULT_NONE) {
		snprintf(ex->error, sizeof(ex->error), "invocation %llu: %s",
			 (unsigned long long)done.fault.invocation,
			 pica_ref_status_name(lanes[0].status));
		ret = -1;
	}
	for (i = 0; !ret && !job->serial && i < job->n; i++)
		store_events(&sink, i, i);
	engine_job_fini(&e);
	return ret ? ret : (long)sink.n;
}

static const enum vs_simd simds[VS_NUM_SIMD] = {
	VS_SIMD_PORTABLE, VS_SIMD_SSE2, VS_SIMD_AVX2, VS_SIMD_AVX512, VS_SIMD_NEON,
};

/* A block and a few lanes of the next one. */
#define ENGINE(simd, text)								\
	{										\
		.name = text, .caps = PICA_EXEC_REGISTERS | PICA_EXEC_INITIAL_CC,	\
		.lanes = 67 + (simd), .priv = (void *)&simds[simd],			\
		.vertex = engine_vertex, .geometry = engine_geometry,			\
	}

static struct pica_executor engines[VS_NUM_SIMD] = {
	ENGINE(VS_SIMD_PORTABLE, "engine-portable"),
	ENGINE(VS_SIMD_SSE2, "engine-sse2"),
	ENGINE(VS_SIMD_AVX2, "engine-avx2"),
	ENGINE(VS_SIMD_AVX512, "engine-avx512"),
	ENGINE(VS_SIMD_NEON, "engine-neon"),
};

unsigned int pica_exec_engines(struct pica_executor **list, unsigned int max)
{
	unsigned int i, n = 0;

	for (i = 0; i < VS_NUM_SIMD && n < max; i++)
		if (vs_simd_mask() >> i & 1)
			list[n++] = &engines[i];
	return n;
}
