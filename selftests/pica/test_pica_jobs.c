// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs of many invocations on every build of the engine: the two benchmark
 * workloads and random programs, in chunks, by several workers, in slices of
 * any size; budgets, cancellation, faults in the middle.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../include/tap.h"
#include "compare.h"
#include "engine_run.h"
#include "gen_random.h"
#include "options.h"
#include "vectors.h"
#include "workload.h"

#define NUM_MODELS	3
#define STEP_LIMIT	3000
/* Odd, so that the last block and chunk are partial. */
#define MANY		(3 * WORKLOAD_VERTICES + 37)
#define RANDOM_COUNT	12
#define LONG_COUNT	200
#define RANDOM_LANES	2500

static struct pica_options opt;

/* A workload as a launch, attributes packed as the benchmark packs them. */
struct run {
	struct engine_mem mem;
	struct vs_program *prog;
	struct vs_launch l;
	u32 *unif;
	u32 *out;
	size_t words;	/* of outputs, all invocations */
	size_t per;	/* words of outputs per invocation */
};

static void add_streams(struct vs_stream *s, u32 *n, u64 va, unsigned int regs)
{
	u32 i;

	for (i = 0; i < regs; i++)
		s[i] = (struct vs_stream){ .va = va + 16 * i, .stride = 16 * regs, .ncomp = 4,
					   .reg = (u8)i, .format = VS_FMT_F32 };
	*n = regs;
}

static void workload_uniforms(const struct workload *w, struct pica_ref_uniforms *u)
{
	unsigned int i;

	memset(u, 0, sizeof(*u));
	for (i = 0; i < w->ncf; i++)
		memcpy(u->f[w->cf[i].index], w->cf[i].value, sizeof(u->f[0]));
	memcpy(u->i, w->ci, sizeof(u->i));
	u->b = w->cb;
}

static void workload_program(const struct workload *w, enum pica_ref_model model,
			     struct pica_ref_program *p)
{
	*p = (struct pica_ref_program){
		.code = w->code, .ncode = w->ncode, .opdesc = w->opdesc, .nopdesc = w->nopdesc,
		.entry = w->entry, .stage = PICA_REF_VERTEX, .output_mask = w->output_mask,
		.model = model, .step_limit = STEP_LIMIT,
	};
}

static void open_workload(struct run *r, const struct workload *w, enum pica_ref_model model,
			  u32 n)
{
	unsigned int outs = (unsigned int)__builtin_popcount(w->output_mask);
	struct pica_ref_uniforms u;
	struct pica_ref_program p;
	enum pica_ref_status refusal;
	struct pica_launch pl;
	const char *what;
	char why[100];
	u64 va;

	memset(r, 0, sizeof(*r));
	workload_program(w, model, &p);
	workload_uniforms(w, &u);
	if (engine_program(&p, &r->prog, &refusal, why, sizeof(why))) {
		fprintf(stderr, "%s: %s\n", w->name, why);
		abort();
	}
	workload_vertices(w, engine_alloc(&r->mem, (size_t)n * w->inputs * 16, &va), n);
	add_streams(r->l.attr, &r->l.nattr, va, w->inputs);
	r->per = outs * 4;
	r->words = n * r->per;
	r->out = engine_alloc(&r->mem, r->words * 4, &va);
	add_streams(r->l.out, &r->l.nout, va, outs);
	r->l.count = n;
	r->l.instances = 1;
	r->unif = calloc(r->prog->prog->nunif, sizeof(*r->unif));
	engine_block(&p, &u, &pl);
	if (!r->unif || pica_launch_fill(r->prog, &pl, &r->l, w->entry, r->unif, &what))
		abort();
}

static void close_run(struct run *r)
{
	engine_mem_free(&r->mem);
	vs_program_destroy(r->prog);
	free(r->unif);
}

static bool run(struct run *r, const struct engine_how *how, struct engine_done *done)
{
	memset(r->out, 0xa5, r->words * 4);
	engine_run(&r->mem.map, &r->l, how, done);
	return done->fault.kind == VS_FAULT_NONE;
}

/* Outputs of the reference for the first WORKLOAD_VERTICES vertices. */
static uint32_t *reference_outputs(const struct workload *w, enum pica_ref_model model)
{
	size_t size = (size_t)w->inputs * 4;
	uint32_t *v = calloc(WORKLOAD_VERTICES * size, sizeof(*v)), *out, *at;
	struct pica_ref_uniforms u;
	struct pica_ref_program p;
	struct pica_ref_unit unit;
	unsigned int i, j, k;
	float packed[16][4];

	out = calloc((size_t)WORKLOAD_VERTICES * 64, sizeof(*out));
	at = out;
	if (!v || !out)
		abort();
	workload_program(w, model, &p);
	workload_uniforms(w, &u);
	workload_vertices(w, v, WORKLOAD_VERTICES);
	for (i = 0; i < WORKLOAD_VERTICES; i++) {
		struct pica_ref_result res = { 0 };
		unsigned int n;

		pica_ref_reset(&unit);
		memcpy(unit.v, v + i * size, size * sizeof(*v));
		pica_ref_run(&p, &u, &unit, &res);
		n = pica_ref_pack_outputs(&unit, p.output_mask, packed);
		for (j = 0; j < n; j++)
			for (k = 0; k < 4; k++)
				*at++ = pica_ref_to_bits(packed[j][k]);
	}
	free(v);
	return out;
}

/* Largest difference relative to 1 or to the value, whichever is more. */
static double worst_of(const uint32_t *want, const u32 *got, size_t n, size_t *differ)
{
	double worst = 0.0;
	size_t i;

	*differ = 0;
	for (i = 0; i < n; i++) {
		double a = pica_ref_from_bits(want[i]), b = pica_ref_from_bits(got[i]);
		double d = fabs(a - b) / fmax(fabs(a), 1.0);

		*differ += want[i] != got[i];
		if (!(d <= worst))
			worst = d;
	}
	return worst;
}

static void test_workload(const struct workload *w, enum pica_ref_model model)
{
	uint32_t *want = reference_outputs(w, model);
	uint64_t hash, first = 0;
	bool have_first = false;
	int simd;

	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		struct engine_how how = { .simd = (enum vs_simd)simd, .budget = 1ull << 40 };
		struct engine_done done;
		struct run r;
		size_t differ;
		double worst;
		bool ok;

		if (!(vs_simd_mask() >> simd & 1))
			continue;
		open_workload(&r, w, model, WORKLOAD_VERTICES);
		ok = run(&r, &how, &done);
		hash = workload_hash(WORKLOAD_HASH_INIT, r.out, r.words);
		worst = worst_of(want, r.out, r.words, &differ);
		/* EX2 and LG2 of w2 happen to be the rounded values everywhere. */
		tap_result(ok && !differ, "%s %s %s: %zu of %zu components differ, at most %.2g",
			   vs_simd_name(how.simd), w->name, pica_model_name(model), differ,
			   r.words, worst);
		if (model == PICA_REF_F32)
			tap_result(hash == w->hash, "%s %s hash %016llx", vs_simd_name(how.simd),
				   w->name, (unsigned long long)hash);
		if (have_first)
			tap_result(hash == first, "%s %s %s: the same bits as another build",
				   vs_simd_name(how.simd), w->name, pica_model_name(model));
		first = hash;
		have_first = true;
		close_run(&r);
	}
	free(want);
}

/* Many invocations in many ways; the first way is the measure of the others. */

static const struct {
	const char *name;
	u32 slice;
	unsigned int workers;
} ways[] = {
	{ "one worker", 0, 1 },
	{ "slices of 1", 1, 1 },
	{ "slices of 333", 333, 1 },
	{ "one slice", 1u << 30, 1 },
	{ "two workers", 0, 2 },
	{ "four workers, slices of 100", 100, 4 },
};

#define NUM_WAYS	(sizeof(ways) / sizeof(ways[0]))

static void test_ways(const struct workload *w, enum vs_simd simd, enum pica_ref_model model)
{
	/* Every way costs a pass; the portable build is slow. */
	u32 n = simd == VS_SIMD_PORTABLE ? 2 * 16 * 64 + 37 : MANY;
	struct engine_how how = { .simd = simd, .budget = 1ull << 40 };
	struct engine_done done, first = { .weight = 0 };
	uint64_t want = 0, hash;
	struct run r;
	bool ok, all = true;
	unsigned int i;

	open_workload(&r, w, model, n);
	for (i = 0; i < NUM_WAYS; i++) {
		how.slice = ways[i].slice;
		how.workers = ways[i].workers;
		ok = run(&r, &how, &done);
		hash = workload_hash(WORKLOAD_HASH_INIT, r.out, r.words);
		if (!i) {
			want = hash;
			first = done;
		}
		ok = ok && hash == want && done.invocations == n && done.weight;
		/* w2 has loops, so that blocks are left in the middle. */
		if (ways[i].slice == 1)
			ok = ok && done.steps > n / 64 * (w == &workload_w2 ? 8 : 1);
		if (ways[i].slice == 1u << 30)
			ok = ok && done.steps < 2 * n / 64 + 16;
		if (!ok)
			tap_comment("%s: fault %u, hash %016llx, want %016llx, %llu in %llu steps",
				    ways[i].name, done.fault.kind, (unsigned long long)hash,
				    (unsigned long long)want,
				    (unsigned long long)done.invocations,
				    (unsigned long long)done.steps);
		all = all && ok;
	}
	tap_result(all, "%s %s %s, %u vertices: all ways give the same (weight %.2f per vertex)",
		   vs_simd_name(simd), w->name, pica_model_name(model), n,
		   (double)first.weight / n);
	close_run(&r);
}

/* A budget equal to the weight suffices, any smaller one does not. */
static void test_budget(enum vs_simd simd)
{
	struct engine_how how = { .simd = simd, .budget = 1ull << 40 };
	struct engine_done full, done;
	u32 n = 20 * 64 + 5;
	unsigned int i;
	struct run r;
	bool ok;

	open_workload(&r, &workload_w2, PICA_REF_F32, n);
	ok = run(&r, &how, &full);
	how.budget = full.weight;
	ok = ok && run(&r, &how, &done) && done.weight == full.weight;
	tap_result(ok, "%s: a budget of the weight used suffices", vs_simd_name(simd));

	ok = true;
	for (i = 0; i < 4; i++) {
		how.budget = i == 3 ? 0 : full.weight * (3 - i) / 4;
		how.workers = 1 + i % 2;
		run(&r, &how, &done);
		/* The overdraft is the work of a worker between two budget checks. */
		ok = ok && done.fault.kind == VS_FAULT_BUDGET && done.weight > how.budget &&
		     done.weight < how.budget + 2 * 8000 && done.fault.invocation < n &&
		     done.invocations < n;
		if (!ok) {
			tap_comment("budget %llu of %llu: fault %u, weight %llu, invocation %llu",
				    (unsigned long long)how.budget,
				    (unsigned long long)full.weight, done.fault.kind,
				    (unsigned long long)done.weight,
				    (unsigned long long)done.fault.invocation);
			break;
		}
	}
	tap_result(ok, "%s: smaller budgets end in a fault, hardly overdrawn", vs_simd_name(simd));
	close_run(&r);
}

/* Random programs with several chunks of invocations, against the reference. */

static void random_job(struct pica_exec_job *job, struct gen_program *g, uint64_t seed,
		       pica_input_regs *v, struct pica_exec_lane *want, u32 *n)
{
	static struct pica_exec_lane lanes[RANDOM_LANES];
	u32 i;

	gen_program(g, seed, seed & 1 ? GEN_CHAOTIC : 0);
	gen_job(g, (enum pica_ref_model)(seed % NUM_MODELS), STEP_LIMIT, job, v, RANDOM_LANES);
	pica_exec_ref.vertex(&pica_exec_ref, job, lanes);
	/* Only invocations that end well. */
	for (i = 0, *n = 0; i < RANDOM_LANES; i++) {
		if (lanes[i].status != PICA_REF_DONE)
			continue;
		memmove(v[*n], v[i], sizeof(v[0]));
		want[(*n)++] = lanes[i];
	}
	job->n = *n;
}

static bool same_outputs(const struct engine_job *e, const struct pica_exec_lane *want, u32 n,
			 enum pica_ref_model model, char *why, size_t size)
{
	static struct pica_exec_lane got;
	char text[160];
	u32 i;

	for (i = 0; i < n; i++) {
		got.status = PICA_REF_DONE;
		memcpy(got.o, (u8 *)e->out + (size_t)i * ENGINE_FILE_BYTES, sizeof(got.o));
		if (compare_lane(model, &want[i], &got, false, text, sizeof(text)))
			continue;
		snprintf(why, size, "invocation %u of %u: %s", i, n, text);
		return false;
	}
	return true;
}

static void test_random(void)
{
	static struct pica_exec_lane want[RANDOM_LANES];
	static uint32_t v[RANDOM_LANES][16][4];
	static struct gen_program g;
	struct pica_exec_job job;
	enum pica_ref_status refusal;
	unsigned int failed[VS_NUM_SIMD] = { 0 }, runs[VS_NUM_SIMD] = { 0 };
	unsigned long i, count = pica_options_count(&opt, 6, RANDOM_COUNT, LONG_COUNT);
	char why[250];
	int simd;
	u32 n;

	for (i = 0; i < count; i++) {
		random_job(&job, &g, opt.seed + i, v, want, &n);
		if (!n)
			continue;
		for (simd = 0; simd < VS_NUM_SIMD; simd++) {
			struct engine_done done = { .weight = 0 };
			struct engine_job e;

			if (!(vs_simd_mask() >> simd & 1) ||
			    (simd == VS_SIMD_PORTABLE && i % 6))
				continue;
			why[0] = '\0';
			if (engine_job_init(&e, &job, (enum vs_simd)simd, &refusal, why,
					    sizeof(why)))
				goto bad;
			e.how.budget = 1ull << 40;
			e.how.workers = 1 + i % 3;
			e.how.slice = i % 4 ? 3000 : 50;
			engine_run(&e.mem.map, &e.l, &e.how, &done);
			if (done.fault.kind)
				snprintf(why, sizeof(why), "fault %u", done.fault.kind);
			else if (done.invocations != n)
				snprintf(why, sizeof(why), "%llu invocations",
					 (unsigned long long)done.invocations);
			else
				same_outputs(&e, want, n, job.prog.model, why, sizeof(why));
			engine_job_fini(&e);
bad:
			runs[simd]++;
			if (why[0] && failed[simd]++ < 3)
				tap_comment("%s, seed %llu: %s", vs_simd_name((enum vs_simd)simd),
					    (unsigned long long)(opt.seed + i), why);
		}
	}
	for (simd = 0; simd < VS_NUM_SIMD; simd++)
		if (vs_simd_mask() >> simd & 1)
			tap_result(!failed[simd] && runs[simd],
				   "%s: random programs over up to %u invocations, %u of %u differ",
				   vs_simd_name((enum vs_simd)simd), RANDOM_LANES, failed[simd],
				   runs[simd]);
}

/* An endless program over many invocations. */
static void endless(struct pica_exec_job *job, pica_input_regs *v, unsigned int n)
{
	static const uint32_t code[] = { I0(NOP), I2(JMPC, 0, 0, 0, 0, 0), I0(END) };
	static const uint32_t opdesc[] = { DESC_PLAIN(0xf) };

	memset(job, 0, sizeof(*job));
	job->prog = (struct pica_ref_program){
		.code = code, .ncode = 3, .opdesc = opdesc, .nopdesc = 1, .output_mask = 1,
		.step_limit = STEP_LIMIT,
	};
	job->n = n;
	job->v = v;
}

static void *cancel_soon(void *arg)
{
	usleep(20000);
	vs_job_cancel(arg, VS_FAULT_TIMEOUT);
	return NULL;
}

static void test_cancel(enum vs_simd simd)
{
	static uint32_t v[70][16][4];
	struct vs_job_limits lim = { .budget = ~0ull, .simd = simd, .slice = 3000 };
	struct vs_worker *w = vs_worker_new(0);
	enum pica_ref_status refusal;
	struct pica_exec_job job;
	struct engine_job e;
	struct vs_job *j;
	pthread_t thread;
	enum vs_run r;
	char why[160];

	endless(&job, v, 70);
	if (engine_job_init(&e, &job, simd, &refusal, why, sizeof(why)))
		abort();
	j = vs_job_new(&e.mem.map, &lim, 1);
	if (!w || !j || vs_job_add_launch(j, &e.l) ||
	    pthread_create(&thread, NULL, cancel_soon, j))
		abort();
	do {
		r = vs_job_step(j, w);
	} while (r != VS_RUN_DONE);
	pthread_join(thread, NULL);
	tap_result(vs_job_get_fault(j)->kind == VS_FAULT_TIMEOUT,
		   "%s: an endless job ends when it is cancelled", vs_simd_name(simd));
	vs_job_free(j);
	vs_worker_free(w);
	engine_job_fini(&e);
}

/* One invocation of many hangs: the job ends, the record names it. */
static void test_one_fault(enum vs_simd simd)
{
	/* BREAKC without a loop, where v0.x == v1.x */
	static const uint32_t code[] = {
		ICMP(0, 0, 0, V(0), V(1), 0), I2(BREAKC, 1, 0, 2, 0, 0), I0(END),
	};
	static uint32_t v[1000][16][4];
	enum pica_ref_status refusal;
	struct engine_done done;
	struct pica_exec_job job;
	struct engine_job e;
	char why[160];
	unsigned int i;
	bool ok = true;

	endless(&job, v, 1000);
	job.prog.code = code;
	job.prog.ncode = 3;
	for (i = 0; i < 1000; i++)
		v[i][0][0] = pica_ref_to_bits(i == 777 ? 0.0f : 1.0f);
	for (i = 1; i <= 3; i++) {
		if (engine_job_init(&e, &job, simd, &refusal, why, sizeof(why)))
			abort();
		e.how.workers = i;
		engine_run(&e.mem.map, &e.l, &e.how, &done);
		ok = ok && done.fault.kind == VS_FAULT_HANG && done.fault.pc == 1 &&
		     done.fault.invocation == 777 && done.fault.active;
		engine_job_fini(&e);
	}
	tap_result(ok, "%s: the fault of one invocation is recorded", vs_simd_name(simd));
}

int main(int argc, char **argv)
{
	int simd, m;

	pica_options_parse(argc, argv, &opt);
	for (m = PICA_REF_F32; m <= PICA_REF_F24_NEAREST; m++) {
		test_workload(&workload_w1, (enum pica_ref_model)m);
		test_workload(&workload_w2, (enum pica_ref_model)m);
	}
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() >> simd & 1))
			continue;
		for (m = PICA_REF_F32; m <= PICA_REF_F24_NEAREST; m++) {
			test_ways(&workload_w1, (enum vs_simd)simd, (enum pica_ref_model)m);
			test_ways(&workload_w2, (enum vs_simd)simd, (enum pica_ref_model)m);
		}
		test_budget((enum vs_simd)simd);
		test_cancel((enum vs_simd)simd);
		test_one_fault((enum vs_simd)simd);
	}
	test_random();
	return tap_done();
}
