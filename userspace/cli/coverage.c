// SPDX-License-Identifier: MIT
/*
 * Coverage: executions of each instruction, participating invocations, and number of
 * divergent executions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli_isa.h"
#include "coverage.h"
#include "trace.h"

/**
 * struct counts - counters of a program
 * @code: program; NULL: unknown
 * @job: of a program in memory: which job
 * @p: by pc
 * @n: number of @p
 * @room: for so many
 */
struct counts {
	struct dbg_code *code;
	uint32_t job;
	struct coverage_row *p;
	uint32_t n;
	uint32_t room;
};

/**
 * struct block - invocations that began together
 * @first: lane 0
 * @lanes: lanes of the first instruction; 0: unused
 */
struct block {
	uint64_t first;
	uint64_t lanes;
};

/**
 * struct coverage - state of a coverage run
 * @t: tracer
 * @all: counters
 * @n: number of @all
 * @blocks: of @job, a hash table
 * @num_blocks: used of these
 * @max_blocks: size, a power of two
 * @job: job that @blocks describes
 * @memory: receiver of accesses, or NULL
 */
struct coverage {
	struct tracer t;
	struct counts *all;
	uint32_t n;
	struct block *blocks;
	size_t num_blocks;
	size_t max_blocks;
	uint32_t job;
	const struct coverage_memory *memory;
};

/* ---- blocks ---- */

static struct block *find_block(struct block *table, size_t size, uint64_t first)
{
	size_t i = (size_t)(first * 0x9e3779b97f4a7c15ull >> 20) & (size - 1);

	while (table[i].lanes && table[i].first != first)
		i = (i + 1) & (size - 1);
	return &table[i];
}

static int grow_blocks(struct coverage *c)
{
	size_t i, size = c->max_blocks ? 2 * c->max_blocks : 1024;
	struct block *table = calloc(size, sizeof(*table));

	if (!table)
		return dbg_error(&c->t.d, "out of memory");
	for (i = 0; i < c->max_blocks; i++) {
		if (c->blocks[i].lanes)
			*find_block(table, size, c->blocks[i].first) = c->blocks[i];
	}
	free(c->blocks);
	c->blocks = table;
	c->max_blocks = size;
	return 0;
}

/* The invocations of an instruction's block that took part in its first instruction. */
static int find_lanes(struct coverage *c, const struct drm_vshader_debug_trace_record *r,
		      uint64_t *lanes)
{
	uint64_t first = r->invocation - (r->lanes ? (uint64_t)__builtin_ctzll(r->lanes) : 0);
	struct block *b;
	int ret = 0;

	*lanes = r->lanes;
	if (!r->lanes)
		return 0;
	/* Blocks belong to a job of the file; job numbers of queues all start at the same value. */
	if (c->t.d.job != c->job) {
		memset(c->blocks, 0, c->max_blocks * sizeof(*c->blocks));
		c->num_blocks = 0;
		c->job = c->t.d.job;
	}
	if (2 * c->num_blocks >= c->max_blocks)
		ret = grow_blocks(c);
	if (ret)
		return ret;
	b = find_block(c->blocks, c->max_blocks, first);
	if (!b->lanes) {
		*b = (struct block){ .first = first, .lanes = r->lanes };
		c->num_blocks++;
	}
	*lanes = b->lanes;
	return 0;
}

/* ---- counting ---- */

static int start_counts(struct coverage *c, struct dbg_code *code, struct counts **out)
{
	uint32_t i;

	for (i = 0; i < c->n; i++) {
		if (c->all[i].code == code && (code || c->all[i].job == c->t.d.job)) {
			*out = &c->all[i];
			return 0;
		}
	}
	*out = realloc(c->all, (c->n + 1) * sizeof(*c->all));
	if (!*out)
		return dbg_error(&c->t.d, "out of memory");
	c->all = *out;
	*out += c->n++;
	**out = (struct counts){ .code = code, .job = c->t.d.job };
	return 0;
}

static struct coverage_row *find_count(struct counts *s, uint32_t pc)
{
	uint32_t lo = 0, hi = s->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (s->p[mid].pc < pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return s->p ? &s->p[lo] : NULL;
}

static struct coverage_row *get_count(struct counts *s, uint32_t pc)
{
	struct coverage_row *k = find_count(s, pc);
	uint32_t at = k ? (uint32_t)(k - s->p) : 0;

	if (k && at < s->n && k->pc == pc)
		return k;
	if (s->n == s->room) {
		uint32_t room = s->room ? 2 * s->room : 64;

		k = realloc(s->p, room * sizeof(*k));
		if (!k)
			return NULL;
		s->p = k;
		s->room = room;
	}
	k = &s->p[at];
	memmove(k + 1, k, (s->n - at) * sizeof(*k));
	s->n++;
	*k = (struct coverage_row){ .pc = pc };
	return k;
}

static int count_record(struct tracer *t, const struct drm_vshader_debug_trace_record *r)
{
	struct coverage *c = t->arg;
	struct counts *s;
	struct coverage_row *k;
	uint64_t lanes;
	int ret;

	if (r->flags)
		return c->memory->access(&t->d, c->memory->arg, r);
	ret = start_counts(c, trace_code(t, r), &s);
	if (!ret)
		ret = find_lanes(c, r, &lanes);
	if (ret)
		return ret;
	k = get_count(s, r->pc);
	if (!k)
		return dbg_error(&t->d, "out of memory");
	k->times++;
	k->lanes += r->active;
	if (cli_isa_of(t->d.engine)->independent)
		lanes = r->lanes;
	k->room += lanes == r->lanes ? r->active : (uint64_t)__builtin_popcountll(lanes);
	k->divergent += lanes != r->lanes;
	return 0;
}

struct coverage *coverage_run(const char *path, const char *device,
			      const struct coverage_memory *memory)
{
	struct coverage *c = calloc(1, sizeof(*c));

	if (!c) {
		fail("out of memory");
		return NULL;
	}
	c->t.record = count_record;
	c->t.arg = c;
	c->memory = memory;
	if (memory)
		c->t.flags = DRM_VSHADER_DEBUG_TRACE_ACCESSES;
	c->job = JF_NONE;
	if (grow_blocks(c) || trace_run(&c->t, path, device)) {
		coverage_free(c);
		return NULL;
	}
	return c;
}

void coverage_free(struct coverage *c)
{
	uint32_t i;

	for (i = 0; i < c->n; i++)
		free(c->all[i].p);
	free(c->all);
	free(c->blocks);
	trace_fini(&c->t);
	free(c);
}

const struct vshader_jobfile *coverage_jobfile(const struct coverage *c)
{
	return c->t.d.jf;
}

const struct vshader_run *coverage_results(const struct coverage *c)
{
	return c->t.d.run;
}

int coverage_status(const struct coverage *c, const char *path)
{
	return trace_status(&c->t.d, NULL, path);
}

const struct dbg_code *coverage_code(const struct coverage *c, uint32_t n)
{
	return c->all[n].code;
}

bool coverage_name(const struct coverage *c, uint32_t n, char *text, size_t size)
{
	const struct counts *s = c->all + n;

	if (n >= c->n)
		return false;
	if (s->code && !s->code->words)
		snprintf(text, size, "%s", s->code->name);
	else
		snprintf(text, size, "job %u, %s", s->job, s->code ? s->code->name :
			 "unknown code");
	return true;
}

/* ---- reports ---- */

/*
 * Words after a program in memory need not be code: there only executed instructions count.
 */
bool coverage_row(struct coverage *c, uint32_t n, uint32_t i, struct coverage_row *out)
{
	struct counts *s = &c->all[n];
	bool all = s->code && !s->code->words;
	const struct coverage_row *k;
	const struct dbg_insn *insn;

	if (i >= (all ? s->code->num_insns : s->n))
		return false;
	if (all) {
		*out = (struct coverage_row){ .pc = s->code->insns[i].pc };
		k = find_count(s, out->pc);
		if (k && k < s->p + s->n && k->pc == out->pc)
			*out = *k;
	} else {
		*out = s->p[i];
	}
	insn = dbg_code_at(s->code, out->pc);
	out->text = insn ? insn->text : NULL;
	return true;
}

static void print_counts(struct coverage *c, uint32_t n)
{
	const struct dbg_code *code = c->all[n].code;
	uint32_t i, all = 0, run = 0;
	struct coverage_row k;
	char name[256];

	for (i = 0; coverage_row(c, n, i, &k); i++) {
		all++;
		run += !!k.times;
	}
	coverage_name(c, n, name, sizeof(name));
	if (code && !code->words)
		printf("coverage of %s: %u of %u instructions executed (%.1f %%)\n", name, run,
		       all, all ? 100.0 * run / all : 0.0);
	else
		printf("coverage of %s: %u instructions executed\n", name, run);
	printf("  %10s %12s %6s %10s  instruction\n", "executed", "invocations", "mean",
	       "divergent");
	for (i = 0; coverage_row(c, n, i, &k); i++) {
		if (k.times)
			printf("  %10llu %12llu %6.1f %10llu", (unsigned long long)k.times,
			       (unsigned long long)k.lanes, (double)k.lanes / (double)k.times,
			       (unsigned long long)k.divergent);
		else
			printf("  %10s %12s %6s %10s", "-", "-", "-", "-");
		printf("  0x%04x: %s\n", k.pc, k.text ? k.text : "");
	}
}

void coverage_print(struct coverage *c)
{
	uint32_t i;

	for (i = 0; i < c->n; i++)
		print_counts(c, i);
}

struct json_object *coverage_json(struct coverage *c)
{
	struct json_object *all = json_object_new_array();
	struct coverage_row k;
	uint32_t i, n;

	for (n = 0; n < c->n; n++) {
		struct json_object *o = json_object_new_object(), *list;

		js_str(o, "program", c->all[n].code ? c->all[n].code->name : NULL);
		if (!c->all[n].code || c->all[n].code->words)
			js_int(o, "native_job", c->all[n].job);
		list = js_array(o, "instructions");
		for (i = 0; coverage_row(c, n, i, &k); i++) {
			struct json_object *r = json_object_new_object();

			js_int(r, "pc", k.pc);
			js_str(r, "text", k.text);
			js_int(r, "executed", k.times);
			js_int(r, "invocations", k.lanes);
			js_int(r, "divergent", k.divergent);
			json_object_array_add(list, r);
		}
		json_object_array_add(all, o);
	}
	return all;
}
