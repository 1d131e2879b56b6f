// SPDX-License-Identifier: GPL-2.0
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

struct nat N;
struct cmdbuf CB;

/* Allocations can be made to fail: linked with --wrap=calloc. */
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

static unsigned int allocations, fail_nth;

void *__wrap_calloc(size_t n, size_t size)
{
	if (++allocations == fail_nth)
		return NULL;
	return __real_calloc(n, size);
}

void nat_init(struct nat *n, uint32_t simd)
{
	memset(n, 0, sizeof(*n));
	n->simd = simd;
	n->workers = 1;
	n->output_size = NAT_OUT_SIZE;
	n->max_memory = 64 << 20;
	n->max_draws = NAT_MAX_DRAWS - 1;
	n->budget = 1ULL << 40;
	n->state = vs_native_state_new(VS_NATIVE_PICA_CMDLIST);
	n->mem = calloc(1, NAT_MEM_SIZE);
	n->out = malloc(NAT_OUT_SIZE);
	assert(n->state && n->mem && n->out);
}

void nat_fini(struct nat *n)
{
	vs_native_state_free(n->state);
	free(n->mem);
	free(n->out);
}

static bool read_results(struct nat *n)
{
	uint64_t at = 0;

	n->ndraws = 0;
	n->closed = false;
	while (at + 32 <= n->output_size) {
		struct nat_draw *d = &n->draw[n->ndraws];

		memcpy(d, n->out + at, 32);
		if (!d->size) {
			static const uint8_t zero[32];

			n->closed = !memcmp(n->out + at, zero, 32);
			return n->closed;
		}
		if (n->ndraws == NAT_MAX_DRAWS - 1 || d->size < 32 || d->size % 8 ||
		    d->size != 32 + d->vertices * NAT_VERTEX * 4 || d->vertices % 3 ||
		    d->pad[0] || d->pad[1] || at + d->size > n->output_size)
			return false;
		d->v = (const void *)(n->out + at + 32);
		at += d->size;
		n->ndraws++;
	}
	return false;
}

struct crew {
	struct vs_job *job;
	struct vs_debug *dbg;
	unsigned int stops;
	unsigned int dones;	/* number of VS_RUN_DONE returns */
};

/* Resume at the stopped invocation's next instruction; after a fault let the job end. */
static void go_on(struct crew *c)
{
	struct vs_debug *d = c->dbg;

	c->stops++;
	if (d->faulted || vs_debug_resume(d, VS_DEBUG_STEP_IN, d->stop.inv, 0, 1))
		vs_debug_resume(d, VS_DEBUG_GO, 0, 0, 0);
}

static void *work(void *arg)
{
	struct vs_worker *w = vs_worker_new(vs_job_arena(((struct crew *)arg)->job));
	struct crew *c = arg;
	enum vs_run r;

	assert(w);
	while (!__atomic_load_n(&c->dones, __ATOMIC_SEQ_CST)) {
		r = vs_job_step(c->job, w);
		if (r == VS_RUN_DONE)
			__atomic_fetch_add(&c->dones, 1, __ATOMIC_SEQ_CST);
		else if (r == VS_RUN_IDLE)
			sched_yield();
		else if (r == VS_RUN_STOP)
			go_on(c);
	}
	vs_worker_free(w);
	return NULL;
}

static void step_all(struct nat *n, struct vs_job *job, struct vs_debug *dbg)
{
	struct crew crew = { .job = job, .dbg = dbg };
	pthread_t t[4];
	unsigned int i;
	int ret;

	for (i = 1; i < n->workers; i++) {
		ret = pthread_create(&t[i], NULL, work, &crew);
		assert(!ret);
	}
	work(&crew);
	for (i = 1; i < n->workers; i++)
		pthread_join(t[i], NULL);
	assert(crew.dones == 1);
	n->stops = crew.stops;
}

static bool execute(struct nat *n, struct vs_native *nat)
{
	struct vs_debug dbg = { .on = true, .stop_start = true, .stop_fault = true };
	struct vs_job_limits lim = { .budget = n->budget, .simd = n->simd, .slice = 3000,
				     .dbg = n->debugged ? &dbg : NULL };
	struct vs_job *job;
	int ret;

	vs_debug_job(&dbg, 1, 1);
	job = vs_job_new(vs_native_map(nat), &lim, vs_native_phases(nat));
	assert(job);
	ret = vs_native_add_phases(nat, job);
	assert(!ret);
	step_all(n, job, &dbg);
	n->fault = *vs_job_get_fault(job);
	vs_job_free(job);
	return n->fault.kind == VS_FAULT_NONE;
}

bool nat_run_words(struct nat *n, const uint32_t *words, uint32_t nwords)
{
	struct vs_extent ext[2] = {
		{ NAT_MEM_VA, NAT_MEM_VA + NAT_MEM_SIZE, n->mem, VS_EXT_WRITE },
		{ NAT_OUT_VA, NAT_OUT_VA + NAT_OUT_SIZE, n->out, VS_EXT_WRITE },
	};
	struct vs_map map = { .n = 2, .ext = ext };
	struct vs_native_in in = {
		.format = VS_NATIVE_PICA_CMDLIST,
		.words = words,
		.nwords = nwords,
		.va = NAT_LIST_VA,
		.output_va = NAT_OUT_VA,
		.output_size = n->output_size,
		.model = n->model,
		.switches = n->switches,
		.map = &map,
		.max_memory = n->max_memory,
		.max_draws = n->max_draws,
	};
	struct vs_native *nat = NULL;
	bool ok;

	n->ndraws = 0;
	n->closed = false;
	memset(&n->fault, 0, sizeof(n->fault));
	/* Results must not depend on earlier contents. */
	memset(n->out, 0xa5, n->output_size < 65536 ? n->output_size : 65536);
	allocations = 0;
	fail_nth = n->fail_nth;
	n->ret = vs_native_parse(&in, n->state, &nat, &n->fault);
	fail_nth = 0;
	n->allocations = allocations;
	if (n->ret)
		return false;
	if (n->parse_only) {
		vs_native_free(nat);
		return true;
	}
	n->memory = vs_native_memory(nat);
	n->strays = vs_native_strays(nat);
	ok = execute(n, nat);
	vs_native_free(nat);
	return ok && (!n->output_size || read_results(n));
}

bool nat_run(struct nat *n, const struct cmdbuf *cb)
{
	return nat_run_words(n, cb->w, cb->n);
}

uint32_t nat_bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof(u));
	return u;
}

float nat_f(const struct nat *n, unsigned int draw, unsigned int vertex, unsigned int sem)
{
	float f;

	if (draw >= n->ndraws || vertex >= n->draw[draw].vertices)
		return -12345.0f;
	memcpy(&f, &n->draw[draw].v[vertex][sem], sizeof(f));
	return f;
}

const char *nat_simd(void)
{
	static char name[40];

	snprintf(name, sizeof(name), "%s%s", vs_simd_name(N.simd),
		 N.workers > 1 ? ", 2 workers" : N.debugged ? ", debugged" : "");
	return name;
}

static bool again;

bool nat_again(void)
{
	return again;
}

static void run_tests(const nat_test *tests, unsigned int n, u32 simd, unsigned int workers,
		      bool debugged)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		nat_init(&N, simd);
		N.workers = workers;
		N.debugged = debugged;
		cb_reset(&CB);
		tests[i]();
		nat_fini(&N);
	}
	again = true;
}

void nat_all(const nat_test *tests, unsigned int n)
{
	u32 simd;

	cb_init(&CB);
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (vs_simd_mask() & 1u << simd)
			run_tests(tests, n, simd, 1, false);
	}
	run_tests(tests, n, vs_simd_best(), 2, false);
	run_tests(tests, n, VS_SIMD_PORTABLE, 1, true);
	cb_fini(&CB);
}

void nat_passthrough(unsigned int n)
{
	uint32_t code[17], desc[1] = { DESC_XYZW };
	unsigned int i;

	for (i = 0; i < n; i++)
		code[i] = op_mov(O(i), V(i));
	code[n] = OP_END;
	cb_code(&CB, R_VSH, code, n + 1);
	cb_desc(&CB, R_VSH, desc, 1);
	cb_write(&CB, R_VSH + SH_ENTRY, 0x7fff0000);
	cb_write(&CB, R_VSH + SH_INPUTS, 0xa0000000 | (n - 1));
	cb_write(&CB, R_NUM_ATTR, n - 1);
	cb_write(&CB, R_VSH + SH_PERM, 0x76543210);
	cb_write(&CB, R_VSH + SH_PERM + 1, 0xfedcba98);
	cb_write(&CB, R_VSH + SH_OUTMASK, (1u << n) - 1);
	cb_write(&CB, R_OUTMAP_TOTAL1, n - 1);
	cb_write(&CB, R_OUTMAP_TOTAL2, n - 1);
}

void nat_outmap(unsigned int n)
{
	static const uint32_t map[] = { 0x03020100, 0x0b0a0908, 0x1f141312, 0x0f0e0d0c };

	cb_write(&CB, R_OUTMAP_TOTAL, n);
	cb_burst(&CB, R_OUTMAP0, map, n < 4 ? n : 4, true);
}

void nat_float_arrays(unsigned int n)
{
	static const uint32_t ids = 0x76543210;

	cb_write(&CB, R_ATTR_LOC, NAT_MEM_VA >> 3);
	cb_write(&CB, R_ATTR_FMT_LOW, 0xffffffff);
	cb_write(&CB, R_ATTR_FMT_HIGH, 0x0000ffff | (n - 1) << 28);
	cb_write(&CB, R_ATTR_BUF0, 0);
	cb_write(&CB, R_ATTR_BUF0 + 1, ids);
	cb_write(&CB, R_ATTR_BUF0 + 2, n << 28 | (16 * n) << 16);
}

void nat_put_floats(uint32_t offset, const float *f, unsigned int n)
{
	memcpy(N.mem + offset, f, 4 * n);
}
