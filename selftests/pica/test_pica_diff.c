// SPDX-License-Identifier: GPL-2.0
/*
 * Random programs on the reference interpreter and on every other executor.
 * Results have to agree bit for bit, NaN being equal to NaN and the registers
 * kept for RSQ, EX2 and LG2 one unit in the last place apart at most. Builds of
 * the engine have to agree to the last bit. With no other executor only the
 * generator is checked.
 */
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "compare.h"
#include "gen_random.h"
#include "options.h"
#include "vectors.h"

#define NUM_MODELS	3
#define STEP_LIMIT	3000
/* More than an engine does on the budget of STEP_LIMIT instructions. */
#define FAR_LIMIT	500000
#define MAX_EVENTS	8192
#define MAX_LANES	256
#define SHOWN_FAILURES	5
#define COUNT		200
#define QUICK_COUNT	30
#define LONG_COUNT	4000
/* Fewer programs do not exercise the generator. */
#define ENOUGH		150
#define LANES		70
/* The portable build takes every so manyth program. */
#define PORTABLE_SHARE	6
/* Registers are read through the debug hooks on every so manyth. */
#define REGISTER_SHARE	5
#define MAX_BUILDS	8

static struct pica_options opt;

/* Statistics of a class of programs on the reference. */
struct tally {
	unsigned long programs;
	unsigned long lanes;
	unsigned long by_status[PICA_REF_NUM_STATUS];
	unsigned long divergent;
	unsigned long shown;
	unsigned long runs[MAX_BUILDS];
	unsigned long failed[MAX_BUILDS];
	unsigned long refused[MAX_BUILDS];
	uint64_t executed[64];
};

/* One program in one model, on its way through the executors. */
struct trial {
	struct tally *t;
	const struct gen_program *g;
	struct pica_exec_job job;
	unsigned int build;	/* index in the list of executors */
	bool have_first;	/* results of the first engine build are there */
};

static const struct {
	const char *name;
	unsigned int flags;
} classes[] = {
	{ "nested", 0 },
	{ "nested, wild values", GEN_WILD },
	{ "nested, tame values", GEN_TAME },
	{ "chaotic", GEN_CHAOTIC },
	{ "chaotic, wild values", GEN_CHAOTIC | GEN_WILD },
	{ "deep", GEN_DEEP },
	{ "chaotic, high addresses", GEN_CHAOTIC | GEN_HIGH },
	{ "chaotic, tame values", GEN_CHAOTIC | GEN_TAME },
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

/* Repeat the reference run of lane 0 to record its executed words. */
static void visit(struct tally *t, const struct gen_program *g, const struct pica_exec_job *job)
{
	struct pica_ref_uniforms uniforms = job->uniforms;
	static uint64_t visits[GEN_MAX_WORDS];
	struct pica_ref_result res = { .visits = visits };
	struct pica_ref_unit unit;

	memset(visits, 0, sizeof(visits));
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

static void failure(const struct trial *r, const struct pica_executor *ex, const char *why)
{
	r->t->failed[r->build]++;
	if (r->t->shown++ >= SHOWN_FAILURES)
		return;
	tap_comment("%s, seed %llu, flags %x, %s: %s", ex->name, (unsigned long long)r->g->seed,
		    r->g->flags, pica_model_name(r->job.prog.model), why);
	if (opt.dump)
		dump_program(r->g);
}

/* A program refused for an undefined word that the reference may never reach is fine. */
static bool may_refuse(const struct trial *r, const struct pica_executor *ex)
{
	return (r->g->flags & GEN_UNDEFINED) && ex->refusal == PICA_REF_UNDEFINED;
}

static void note_refusal(const struct trial *r, const struct pica_executor *ex)
{
	char why[180];

	r->t->refused[r->build]++;
	if (may_refuse(r, ex))
		return;
	snprintf(why, sizeof(why), "refused or failed: %.150s", ex->error);
	failure(r, ex, why);
}

/*
 * A lane that reached the reference's limit but ended in the engine: give the
 * reference more time.
 */
static void settle_limit(const struct pica_exec_job *job, struct pica_exec_lane *want,
			 const struct pica_exec_lane *got)
{
	struct pica_exec_job again = *job;

	if (want->status != PICA_REF_STEP_LIMIT || got->status == PICA_REF_STEP_LIMIT)
		return;
	again.prog.step_limit = FAR_LIMIT;
	again.n = 1;
	pica_exec_ref.vertex(&pica_exec_ref, &again, want);
}

/*
 * Only the lanes of one outcome: a fault ends a job and leaves the outputs of
 * other lanes undefined.
 */
static bool compare_status(struct trial *r, struct pica_executor *ex,
			   const struct pica_exec_lane *want, enum pica_ref_status status,
			   struct pica_exec_lane *got)
{
	static struct pica_exec_lane part_want[MAX_LANES];
	static uint32_t v[MAX_LANES][16][4];
	struct pica_exec_job part = r->job;
	unsigned int index[MAX_LANES], i;
	char why[160], lane[200];

	part.v = v;
	part.n = 0;
	for (i = 0; i < r->job.n; i++) {
		if (want[i].status != status)
			continue;
		if (status != PICA_REF_DONE && part.n)
			break;
		memcpy(v[part.n], r->job.v[i], sizeof(v[0]));
		part_want[part.n] = want[i];
		index[part.n++] = i;
	}
	if (!part.n)
		return true;
	if (ex->vertex(ex, &part, got) < 0) {
		note_refusal(r, ex);
		return false;
	}
	settle_limit(&part, &part_want[0], &got[0]);
	for (i = 0; i < part.n; i++) {
		if (compare_lane(part.prog.model, &part_want[i], &got[i], part.registers, why,
				 sizeof(why)))
			continue;
		snprintf(lane, sizeof(lane), "lane %u: %s", index[i], why);
		failure(r, ex, lane);
		return false;
	}
	return true;
}

/* Lanes that end well, of every build; a build later than the first is compared with it. */
static bool compare_builds(struct trial *r, const struct pica_executor *ex,
			   const struct pica_exec_lane *got, unsigned int n)
{
	static struct pica_exec_lane first[MAX_LANES];
	char why[160], lane[200];
	unsigned int i;

	if (!r->have_first) {
		memcpy(first, got, n * sizeof(*got));
		r->have_first = true;
		return true;
	}
	for (i = 0; i < n; i++) {
		if (compare_lane_bits(&first[i], &got[i], why, sizeof(why)))
			continue;
		snprintf(lane, sizeof(lane), "lane %u: %s", i, why);
		failure(r, ex, lane);
		return false;
	}
	return true;
}

/* The whole job, a fault included, which must then be the same in every build. */
static void compare_mixed(struct trial *r, struct pica_executor *ex, unsigned int faults)
{
	static struct pica_exec_lane got[MAX_LANES], first;
	char why[160];

	if (!faults)
		return;
	if (ex->vertex(ex, &r->job, got) < 0) {
		note_refusal(r, ex);
		return;
	}
	if (got[0].status == PICA_REF_DONE)
		failure(r, ex, "a job with lanes that fault ended well");
	if (!r->have_first) {
		first = got[0];
		r->have_first = true;
	} else if (first.status != got[0].status || first.pc != got[0].pc) {
		snprintf(why, sizeof(why), "mixed job: \"%s\" at %u, another build \"%s\" at %u",
			 pica_ref_status_name(got[0].status), got[0].pc,
			 pica_ref_status_name(first.status), first.pc);
		failure(r, ex, why);
	}
}

static bool skipped(const struct trial *r, const struct pica_executor *ex)
{
	if (ex == &pica_exec_ref)
		return true;
	return strstr(ex->name, "portable") && r->g->seed % PORTABLE_SHARE;
}

static void run_vertex(struct tally *t, struct pica_executor **others, const struct gen_program *g,
		       enum pica_ref_model model)
{
	static struct pica_exec_lane want[MAX_LANES], got[MAX_LANES], fault[MAX_LANES];
	static uint32_t v[MAX_LANES][16][4];
	struct trial r = { .t = t, .g = g };
	unsigned int good = 0, limits = 0, i;
	int status;

	gen_job(g, model, STEP_LIMIT, &r.job, v, opt.lanes);
	r.job.registers = g->seed % REGISTER_SHARE == 0;
	pica_exec_ref.vertex(&pica_exec_ref, &r.job, want);
	count_lanes(t, want, r.job.n);
	visit(t, g, &r.job);
	for (i = 0; i < r.job.n; i++) {
		good += want[i].status == PICA_REF_DONE;
		limits += want[i].status == PICA_REF_STEP_LIMIT;
	}
	for (i = 0; others[i]; i++) {
		r.build = i;
		if (skipped(&r, others[i]))
			continue;
		t->runs[i]++;
		if (!compare_status(&r, others[i], want, PICA_REF_DONE, got))
			continue;
		if (good && !compare_builds(&r, others[i], got, good))
			continue;
		for (status = PICA_REF_DONE + 1; status < PICA_REF_NUM_STATUS; status++)
			if (!compare_status(&r, others[i], want, (enum pica_ref_status)status,
					    fault))
				break;
	}
	/* Running into the budget is slow and gives no new coverage. */
	r.have_first = false;
	for (i = 0; others[i] && !limits; i++) {
		r.build = i;
		if (!skipped(&r, others[i]) && !may_refuse(&r, others[i]))
			compare_mixed(&r, others[i], r.job.n - good);
	}
}

/* One geometry run against the reference's events. */
static void compare_geometry(struct trial *r, struct pica_executor *ex,
			     const struct pica_exec_event *want, long n)
{
	static struct pica_exec_event got[MAX_EVENTS], first[MAX_EVENTS];
	static struct pica_exec_lane lanes[MAX_LANES];
	size_t kept = n < MAX_EVENTS ? (size_t)n : MAX_EVENTS;
	char why[160];
	long m;

	m = ex->geometry(ex, &r->job, lanes, got, MAX_EVENTS);
	if (m < 0) {
		note_refusal(r, ex);
		return;
	}
	if (m != n) {
		snprintf(why, sizeof(why), "%ld events, reference %ld%s", m, n,
			 r->job.serial ? ", serial" : "");
		failure(r, ex, why);
		return;
	}
	if (!compare_events(r->job.prog.model, want, got, kept, why, sizeof(why))) {
		failure(r, ex, why);
		return;
	}
	if (!r->have_first) {
		memcpy(first, got, kept * sizeof(*got));
		r->have_first = true;
	} else if (!compare_events_bits(first, got, kept, why, sizeof(why))) {
		failure(r, ex, why);
	}
}

static void run_geometry(struct tally *t, struct pica_executor **others,
			 const struct gen_program *g, enum pica_ref_model model)
{
	static struct pica_exec_event want[MAX_EVENTS];
	static struct pica_exec_lane lanes[MAX_LANES];
	static uint32_t v[MAX_LANES][16][4];
	struct trial r = { .t = t, .g = g };
	unsigned int i;
	long n;

	/* Some with more than a block. */
	gen_job(g, model, STEP_LIMIT, &r.job, v, g->seed % 7 ? 4 : opt.lanes);
	pica_exec_ref.geometry(&pica_exec_ref, &r.job, lanes, want, MAX_EVENTS);
	count_lanes(t, lanes, r.job.n);
	visit(t, g, &r.job);
	/* The state of a unit after a fault is undefined: stop before it. */
	for (i = 0; i < r.job.n && lanes[i].status == PICA_REF_DONE; i++)
		;
	if (!i)
		return;
	r.job.n = i;
	n = pica_exec_ref.geometry(&pica_exec_ref, &r.job, lanes, want, MAX_EVENTS);
	for (i = 0; others[i]; i++) {
		r.build = i;
		if (skipped(&r, others[i]) || !others[i]->geometry)
			continue;
		t->runs[i]++;
		r.job.serial = false;
		compare_geometry(&r, others[i], want, n);
		r.job.serial = true;
		compare_geometry(&r, others[i], want, n);
	}
}

static void report_class(const char *name, unsigned int flags, const struct tally *t,
			 struct pica_executor **others)
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
	if (opt.count >= ENOUGH)
		tap_result(t->by_status[usual] * 2 > t->lanes, "%s: most lanes end with \"%s\"",
			   name, pica_ref_status_name(usual));
	for (i = 0; others[i]; i++) {
		if (t->runs[i])
			tap_result(!t->failed[i], "%s, %s: %lu of %lu runs differ (%lu refused)",
				   others[i]->name, name, t->failed[i], t->runs[i], t->refused[i]);
	}
}

static void check_generator(const struct tally *all)
{
	static struct gen_program a, b;
	unsigned int i, op, missing = 0;

	for (i = 0; i < 50; i++) {
		gen_program(&a, i, classes[i % NUM_CLASSES].flags);
		gen_program(&b, i, classes[i % NUM_CLASSES].flags);
		if (memcmp(&a, &b, sizeof(a)))
			break;
	}
	tap_result(i == 50, "a seed gives one program");

	if (opt.count < ENOUGH) {
		tap_skip("too few programs", "random programs execute every operation");
		return;
	}
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
	tap_result(!missing, "random programs execute every operation");
}

int main(int argc, char **argv)
{
	static struct gen_program g;
	struct pica_executor **others;
	struct tally all = { 0 };
	unsigned int c, i, m;
	unsigned long n;

	pica_options_parse(argc, argv, &opt);
	opt.count = pica_options_count(&opt, QUICK_COUNT, COUNT, LONG_COUNT);
	if (!opt.lanes)
		opt.lanes = LANES;
	others = pica_executors(opt.executor);
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
		report_class(classes[c].name, classes[c].flags, &t, others);
		for (i = 0; i < 64; i++)
			all.executed[i] += t.executed[i];
	}
	check_generator(&all);
	return tap_done();
}
