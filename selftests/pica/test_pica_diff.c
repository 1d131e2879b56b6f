// SPDX-License-Identifier: GPL-2.0
/*
 * Random programs on the reference interpreter and on every other executor.
 * Results have to agree bit for bit, NaN being equal to NaN and the registers
 * kept for RSQ, EX2 and LG2 one unit in the last place apart at most. With no
 * other executor the generator itself is checked.
 */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "gen_random.h"
#include "vectors.h"

#define NUM_MODELS	3
#define STEP_LIMIT	3000
#define MAX_EVENTS	8192
#define MAX_LANES	256
#define SHOWN_FAILURES	5

static struct {
	unsigned long count;
	uint64_t seed;
	unsigned int lanes;
	const char *only;
	bool dump;
} opt = { .count = 300, .seed = 1, .lanes = 70 };

/* What the programs of one class did on the reference. */
struct tally {
	unsigned long programs;
	unsigned long lanes;
	unsigned long by_status[PICA_REF_NUM_STATUS];
	unsigned long divergent;
	unsigned long shown;
	unsigned long failed;
	unsigned long refused;
	uint64_t executed[64];
};

static const struct {
	const char *name;
	unsigned int flags;
} classes[] = {
	{ "nested", 0 },
	{ "nested, wild values", GEN_WILD },
	{ "chaotic", GEN_CHAOTIC },
	{ "chaotic, wild values", GEN_CHAOTIC | GEN_WILD },
	{ "deep", GEN_DEEP },
	{ "geometry", GEN_GEOMETRY },
	{ "geometry, chaotic", GEN_GEOMETRY | GEN_CHAOTIC },
	{ "undefined encodings", GEN_UNDEFINED | GEN_CHAOTIC },
};

#define NUM_CLASSES	(sizeof(classes) / sizeof(classes[0]))

static void dump_program(const struct gen_program *g)
{
	unsigned int i;

	tap_comment("  seed %llu flags %x entry %u mask %04x switches %x b %04x",
		    (unsigned long long)g->seed, g->flags, g->entry, g->output_mask, g->switches,
		    g->uniforms.b);
	for (i = 0; i < 4; i++)
		tap_comment("  i%u %u %u %u", i, g->uniforms.i[i][0], g->uniforms.i[i][1],
			    g->uniforms.i[i][2]);
	for (i = 0; i < g->ncode; i++) {
		unsigned int op = g->code[i] >> 26;
		unsigned int d = op >= MADI ? g->code[i] & 0x1f : g->code[i] & 0x7f;

		tap_comment("  %3u: %08x  op %02x desc %08x", i, g->code[i], op, g->opdesc[d]);
	}
}

static bool same_float(enum pica_ref_model model, uint32_t a, uint32_t b, unsigned int ulp)
{
	uint32_t distance = a > b ? a - b : b - a;

	if (isnan(pica_ref_from_bits(a)))
		return isnan(pica_ref_from_bits(b));
	if (model != PICA_REF_F32)
		ulp *= 0x80;
	return distance <= ulp;
}

static bool same_file(enum pica_ref_model model, char name, const uint32_t a[16][4],
		      const uint32_t b[16][4], char *why, size_t size)
{
	unsigned int i, j, ulp;

	for (i = 0; i < 16; i++) {
		ulp = name == 'o' && i >= GEN_FIRST_APPROX_OUTPUT ? PICA_EXEC_APPROX_ULP : 0;
		for (j = 0; j < 4; j++) {
			if (same_float(model, a[i][j], b[i][j], ulp))
				continue;
			snprintf(why, size, "%c%u.%c is %08x, reference %08x", name, i, "xyzw"[j],
				 b[i][j], a[i][j]);
			return false;
		}
	}
	return true;
}

static bool same_lane(const struct pica_executor *ex, enum pica_ref_model model,
		      const struct pica_exec_lane *a, const struct pica_exec_lane *b, char *why,
		      size_t size)
{
	if (a->status != b->status) {
		snprintf(why, size, "ended with \"%s\", reference with \"%s\"",
			 pica_ref_status_name(b->status), pica_ref_status_name(a->status));
		return false;
	}
	if (a->status != PICA_REF_DONE)
		return true;
	if (!same_file(model, 'o', a->o, b->o, why, size))
		return false;
	if (!(ex->caps & PICA_EXEC_REGISTERS))
		return true;
	if (!same_file(model, 'r', a->r, b->r, why, size))
		return false;
	if (a->al == b->al && a->cc[0] == b->cc[0] && a->cc[1] == b->cc[1])
		return true;
	snprintf(why, size, "aL %d, flags %d %d; reference aL %d, flags %d %d", b->al, b->cc[0],
		 b->cc[1], a->al, a->cc[0], a->cc[1]);
	return false;
}

static void count_executed(struct tally *t, const struct gen_program *g, const uint64_t *visits)
{
	unsigned int i, op;

	for (i = 0; i < g->ncode; i++) {
		op = g->code[i] >> 26;
		if (op >= MAD)
			op = MAD;
		else if (op >= MADI)
			op = MADI;
		else if (op == CMP + 1)
			op = CMP;
		t->executed[op] += visits[i];
	}
}

/* Reference run of lane 0 once more, to see which words it executes. */
static void visit(struct tally *t, const struct gen_program *g, const struct pica_exec_job *job)
{
	struct pica_ref_uniforms uniforms = job->uniforms;
	uint64_t visits[GEN_MAX_CODE] = { 0 };
	struct pica_ref_result res = { .visits = visits };
	struct pica_ref_unit unit;

	pica_ref_reset(&unit);
	memcpy(unit.v, job->v[0], sizeof(unit.v));
	pica_ref_run(&job->prog, &uniforms, &unit, &res);
	count_executed(t, g, visits);
}

static void count_lanes(struct tally *t, const struct pica_exec_lane *lanes, unsigned int n)
{
	bool divergent = false;
	unsigned int i;

	t->programs++;
	t->lanes += n;
	for (i = 0; i < n; i++) {
		t->by_status[lanes[i].status]++;
		if (lanes[i].steps != lanes[0].steps)
			divergent = true;
	}
	t->divergent += divergent;
}

static void failure(struct tally *t, const struct pica_executor *ex, const struct gen_program *g,
		    enum pica_ref_model model, const char *why)
{
	t->failed++;
	if (t->shown++ >= SHOWN_FAILURES)
		return;
	tap_comment("%s, seed %llu, flags %x, %s: %s", ex->name, (unsigned long long)g->seed,
		    g->flags, pica_model_name(model), why);
	if (opt.dump)
		dump_program(g);
}

/*
 * Only the lanes of one outcome: a job with a faulting lane tells nothing
 * about the others.
 */
static void compare_status(struct tally *t, struct pica_executor *ex, const struct gen_program *g,
			   const struct pica_exec_job *job, const struct pica_exec_lane *want,
			   enum pica_ref_status status)
{
	static struct pica_exec_lane got[MAX_LANES];
	static uint32_t v[MAX_LANES][16][4];
	unsigned int index[MAX_LANES], i;
	struct pica_exec_job part = *job;
	char why[160];

	part.v = v;
	part.n = 0;
	for (i = 0; i < job->n; i++) {
		if (want[i].status != status)
			continue;
		/* A fault ends a job: one lane at a time. */
		if (status != PICA_REF_DONE && part.n)
			break;
		memcpy(v[part.n], job->v[i], sizeof(v[0]));
		index[part.n++] = i;
	}
	if (!part.n)
		return;
	memset(got, 0, sizeof(got));
	if (ex->vertex(ex, &part, got) < 0) {
		t->refused++;
		if (g->flags & GEN_UNDEFINED)
			return;
		snprintf(why, sizeof(why), "refused: %.120s", ex->error);
		failure(t, ex, g, job->prog.model, why);
		return;
	}
	for (i = 0; i < part.n; i++) {
		char lane[200];

		if (same_lane(ex, job->prog.model, &want[index[i]], &got[i], why, sizeof(why)))
			continue;
		snprintf(lane, sizeof(lane), "lane %u of %u: %s", i, part.n, why);
		failure(t, ex, g, job->prog.model, lane);
		return;
	}
}

static void run_vertex(struct tally *t, struct pica_executor **others, const struct gen_program *g,
		       enum pica_ref_model model)
{
	static struct pica_exec_lane want[MAX_LANES];
	static uint32_t v[MAX_LANES][16][4];
	struct pica_exec_job job;
	int status;

	gen_job(g, model, STEP_LIMIT, &job, v, opt.lanes);
	pica_exec_ref.vertex(&pica_exec_ref, &job, want);
	count_lanes(t, want, job.n);
	visit(t, g, &job);
	for (; *others; others++) {
		if (*others == &pica_exec_ref)
			continue;
		for (status = PICA_REF_DONE; status < PICA_REF_NUM_STATUS; status++)
			compare_status(t, *others, g, &job, want, (enum pica_ref_status)status);
	}
}

static bool same_events(const struct pica_exec_event *a, const struct pica_exec_event *b, long n,
			enum pica_ref_model model, char *why, size_t size)
{
	unsigned int j, k;
	long i;

	for (i = 0; i < n; i++) {
		if (a[i].kind != b[i].kind || a[i].invocation != b[i].invocation ||
		    a[i].nattr != b[i].nattr) {
			snprintf(why, size, "event %ld is of another kind or invocation", i);
			return false;
		}
		for (j = 0; j < a[i].nattr; j++) {
			for (k = 0; k < 4; k++) {
				if (same_float(model, a[i].attr[j][k], b[i].attr[j][k], 0))
					continue;
				snprintf(why, size, "event %ld a%u.%c is %08x, reference %08x", i,
					 j, "xyzw"[k], b[i].attr[j][k], a[i].attr[j][k]);
				return false;
			}
		}
	}
	return true;
}

static void run_geometry(struct tally *t, struct pica_executor **others,
			 const struct gen_program *g, enum pica_ref_model model)
{
	static struct pica_exec_event want[MAX_EVENTS], got[MAX_EVENTS];
	static struct pica_exec_lane lanes[MAX_LANES], got_lanes[MAX_LANES];
	static uint32_t v[MAX_LANES][16][4];
	struct pica_exec_job job;
	unsigned int i;
	char why[160];
	long n, m;

	gen_job(g, model, STEP_LIMIT, &job, v, 4);
	n = pica_exec_ref.geometry(&pica_exec_ref, &job, lanes, want, MAX_EVENTS);
	count_lanes(t, lanes, job.n);
	visit(t, g, &job);
	/* What a unit holds after a fault is not defined: stop in front of it. */
	for (i = 0; i < job.n && lanes[i].status == PICA_REF_DONE; i++)
		;
	if (!i)
		return;
	job.n = i;
	n = pica_exec_ref.geometry(&pica_exec_ref, &job, lanes, want, MAX_EVENTS);
	for (; *others; others++) {
		struct pica_executor *ex = *others;

		if (ex == &pica_exec_ref || !ex->geometry)
			continue;
		m = ex->geometry(ex, &job, got_lanes, got, MAX_EVENTS);
		if (m < 0)
			snprintf(why, sizeof(why), "refused: %.120s", ex->error);
		else if (m != n)
			snprintf(why, sizeof(why), "%ld events, reference %ld", m, n);
		else if (same_events(want, got, n < MAX_EVENTS ? n : MAX_EVENTS, model, why,
				     sizeof(why)))
			continue;
		failure(t, ex, g, model, why);
	}
}

static void report_class(const char *name, unsigned int flags, const struct tally *t, bool compared)
{
	enum pica_ref_status usual = flags & GEN_UNDEFINED ? PICA_REF_UNDEFINED : PICA_REF_DONE;
	unsigned int i;

	tap_comment("%s: %lu programs, %lu lanes, %lu divergent", name, t->programs, t->lanes,
		    t->divergent);
	for (i = 0; i < PICA_REF_NUM_STATUS; i++) {
		if (t->by_status[i])
			tap_comment("  %s: %lu lanes",
				    pica_ref_status_name((enum pica_ref_status)i), t->by_status[i]);
	}
	if (compared)
		tap_result(!t->failed, "%s: %lu of %lu runs differ (%lu refused)", name, t->failed,
			   t->programs, t->refused);
	else
		tap_result(t->by_status[usual] * 2 > t->lanes, "%s: most lanes end with \"%s\"",
			   name, pica_ref_status_name(usual));
}

static void check_generator(const struct tally *all)
{
	struct gen_program a, b;
	unsigned int i, op, missing = 0;

	for (i = 0; i < 50; i++) {
		gen_program(&a, i, classes[i % NUM_CLASSES].flags);
		gen_program(&b, i, classes[i % NUM_CLASSES].flags);
		if (memcmp(&a, &b, sizeof(a)))
			break;
	}
	tap_result(i == 50, "a seed gives one program");

	for (op = 0; op < 64; op++) {
		bool none = (op >= 0x10 && op < 0x12) || (op >= 0x14 && op < 0x18) ||
			    (op >= 0x1c && op < 0x20) || op == CMP + 1 ||
			    (op > MADI && op < MAD) || op > MAD;

		if (none || all->executed[op] >= 20)
			continue;
		tap_comment("opcode %02x executed %llu times", op,
			    (unsigned long long)all->executed[op]);
		missing++;
	}
	tap_result(!missing || opt.count < 200, "random programs execute every operation");
}

static int parse_options(int argc, char **argv)
{
	static const struct option options[] = {
		{ "count", required_argument, NULL, 'n' },
		{ "seed", required_argument, NULL, 's' },
		{ "lanes", required_argument, NULL, 'l' },
		{ "executor", required_argument, NULL, 'e' },
		{ "dump", no_argument, NULL, 'x' },
		{ "data", required_argument, NULL, 'd' },
		{ "corpus", required_argument, NULL, 'd' },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'n':
			opt.count = strtoul(optarg, NULL, 0);
			break;
		case 's':
			opt.seed = strtoull(optarg, NULL, 0);
			break;
		case 'l':
			opt.lanes = (unsigned int)strtoul(optarg, NULL, 0);
			break;
		case 'e':
			opt.only = optarg;
			break;
		case 'x':
			opt.dump = true;
			break;
		case 'd':
			break;
		default:
			return -1;
		}
	}
	return opt.lanes && opt.lanes <= MAX_LANES ? 0 : -1;
}

static bool any_other(struct pica_executor **list)
{
	for (; *list; list++) {
		if (*list != &pica_exec_ref)
			return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	struct pica_executor **others;
	struct tally all = { 0 };
	struct gen_program g;
	unsigned int c, i, m;
	unsigned long n;
	bool compared;

	if (parse_options(argc, argv)) {
		fprintf(stderr,
			"usage: %s [--count N] [--seed S] [--lanes 1..%u] [--executor NAME] [--dump]\n",
			argv[0], MAX_LANES);
		return 2;
	}
	others = pica_executors(opt.only);
	compared = any_other(others);
	tap_start();
	tap_comment("seed %llu, %lu programs per class", (unsigned long long)opt.seed, opt.count);

	for (c = 0; c < NUM_CLASSES; c++) {
		struct tally t = { 0 };

		for (n = 0; n < opt.count; n++) {
			gen_program(&g, opt.seed + n, classes[c].flags);
			for (m = 0; m < NUM_MODELS; m++) {
				if (g.flags & GEN_GEOMETRY)
					run_geometry(&t, others, &g, (enum pica_ref_model)m);
				else
					run_vertex(&t, others, &g, (enum pica_ref_model)m);
			}
		}
		report_class(classes[c].name, classes[c].flags, &t, compared);
		for (i = 0; i < 64; i++)
			all.executed[i] += t.executed[i];
	}
	if (!compared)
		tap_skip("no executor but the reference in this build", "differential runs");
	check_generator(&all);
	return tap_done();
}
