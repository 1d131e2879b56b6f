// SPDX-License-Identifier: GPL-2.0
/*
 * QPU jobs: any words as code, in memory or as a program, any uniforms (and so any
 * addresses and any setup of the pipeline memory and its DMA), executed with a small budget
 * on the best and on the portable executor, which must agree.
 *
 * Input: a byte of kind and switches, number of threads, uniforms of each, a seed for
 * memory; then the uniforms' words, then code.
 */
#include "fuzz.h"

#include "engine/vs_job.h"
#include "isa/qpu/qpu_launch.h"
#include "native/native.h"

#define CODE_VA		0x00001000u
#define CODE_WORDS	4096u
#define MEM_VA		0x10000000u
#define MEM_WORDS	8192u
#define ROM_VA		0x20000000u	/* read only */
#define ROM_WORDS	1024u
#define LAST_VA		0x3ffff800u	/* the same, on both sides of 2^30, where addresses end */
#define UNIF_WORDS	1024u		/* at the start of memory */
#define MAX_THREADS	24u
#define BUDGET		20000

#define KIND_PROGRAM	0x04
#define KIND_FRAGMENT	0x08

struct outcome {
	uint32_t code[CODE_WORDS];
	uint32_t mem[MEM_WORDS];
	uint32_t rom[ROM_WORDS];
	struct vs_fault fault;
	struct qpu_state state[QPU_NUM];
	struct qpu_counters cnt;
	uint64_t weight;
	uint64_t threads;
};

struct input {
	uint8_t kind;
	uint32_t nthreads;
	uint32_t nunif;
	uint8_t seed;
	uint32_t unif[UNIF_WORDS];
	uint32_t code[CODE_WORDS];
	uint32_t ncode;
};

static void fill(const struct input *in, struct outcome *o)
{
	uint32_t s = in->seed, i;

	memset(o->code, 0, sizeof(o->code));
	memcpy(o->code, in->code, 4 * in->ncode);
	for (i = 0; i < MEM_WORDS; i++) {
		uint32_t v = fuzz_next(&s);

		/* numbers, addresses, anything */
		o->mem[i] = i % 3 == 0 ? (v & 0x80ffffff) | (110 + v % 30) << 23 :
			    i % 9 == 4 ? LAST_VA + v % (4 * ROM_WORDS) :
			    i % 3 == 1 ? MEM_VA + v % (4 * MEM_WORDS) : v;
	}
	for (i = 0; i < ROM_WORDS; i++)
		o->rom[i] = fuzz_next(&s);
	memcpy(o->mem, in->unif, 4 * in->nunif * in->nthreads);
}

static void run(const struct vs_map *map, struct qpu_job *m, enum vs_simd simd,
		struct outcome *o)
{
	struct vs_job_limits lim = { .budget = BUDGET, .simd = simd, .slice = 3000 };
	struct vs_job *job = vs_job_new(map, &lim, 1);
	struct vs_worker *w;
	uint32_t steps = 0;

	MUST(job);
	MUST(qpu_job_add(m, job) == 0);
	w = vs_worker_new(vs_job_arena(job));
	MUST(w);
	while (vs_job_step(job, w) != VS_RUN_DONE)
		MUST(++steps < 1000000);
	o->fault = *vs_job_get_fault(job);
	o->weight = vs_job_weight(job);
	o->threads = vs_job_invocations(job);
	qpu_job_get_state(m, o->state);
	qpu_job_get_counters(m, &o->cnt);
	vs_job_free(job);
	vs_worker_free(w);
}

static void make_threads(const struct input *in, struct qpu_thread *t)
{
	bool frag = in->kind & KIND_PROGRAM && in->kind & KIND_FRAGMENT;
	uint32_t i;

	for (i = 0; i < in->nthreads; i++) {
		t[i] = (struct qpu_thread){
			.uniforms = MEM_VA + 4 * in->nunif * i,
			.pc = in->kind & KIND_PROGRAM ? 0 : CODE_VA,
		};
		if (!frag)
			continue;
		t[i].payload = i % 3 ? MEM_VA + 4 * UNIF_WORDS : 0;
		t[i].x = 4 * (i % 5);
		t[i].y = 4 * (i / 5);
		t[i].coverage = i % 4 ? 0xffff : in->seed * 257;
		t[i].flags = i & 1;
	}
}

/* Return: the program, which the machine needs; NULL without one. */
static struct vs_program *make(const struct input *in, const struct vs_map *map,
			       struct qpu_job **m, int *ret)
{
	struct qpu_thread threads[MAX_THREADS];
	struct qpu_launch l = {
		.map = map,
		.threads = threads,
		.nthreads = in->nthreads,
		.switches = in->kind & QPU_SW_ALL,
	};
	struct vs_program *p = NULL;
	struct vs_reject rej;
	const uint32_t entry = 0;
	struct vs_src src = {
		.stage = in->kind & KIND_FRAGMENT ? VS_STAGE_FRAGMENT : VS_STAGE_COMPUTE,
		.words = { in->code },
		.nwords = { in->ncode },
		.entries = &entry,
		.nentries = 1,
	};
	const char *what = "";

	make_threads(in, threads);
	if (!(in->kind & KIND_PROGRAM)) {
		*ret = qpu_launch_new(&l, 8 << 20, &what, m);
		return NULL;
	}
	*ret = vs_program_create(&qpu_isa, &src, &rej, NULL, &p);
	if (*ret) {
		MUST(*ret == -ENOEXEC || *ret == -EINVAL || *ret == -E2BIG);
		return NULL;
	}
	if (src.stage == VS_STAGE_FRAGMENT) {
		l.tile = (struct qpu_tile){
			.color_va = MEM_VA + 16384, .zs_va = in->seed & 1 ? MEM_VA + 24576 : 0,
			.color_stride = 128, .zs_stride = in->seed & 1 ? 128 : 0, .width = 20,
			.height = 20, .samples = in->seed & 2 ? 4 : 1,
		};
	}
	*ret = qpu_launch_program(p, &l, 0, 8 << 20, &what, m);
	return p;
}

static int once(const struct input *in, enum vs_simd simd, struct outcome *o)
{
	const struct vs_extent ext[] = {
		{ CODE_VA, CODE_VA + sizeof(o->code), (u8 *)o->code, VS_EXT_EXEC },
		{ MEM_VA, MEM_VA + sizeof(o->mem), (u8 *)o->mem, VS_EXT_WRITE | VS_EXT_EXEC },
		{ ROM_VA, ROM_VA + sizeof(o->rom), (u8 *)o->rom, 0 },
		{ LAST_VA, LAST_VA + sizeof(o->rom), (u8 *)o->rom, 0 },
	};
	const struct vs_map map = { 4, ext };
	struct qpu_job *m = NULL;
	struct vs_program *p;
	int ret;

	fill(in, o);
	p = make(in, &map, &m, &ret);
	if (!ret)
		run(&map, m, simd, o);
	qpu_job_free(m);
	vs_program_destroy(p);
	return ret;
}

static void check(const struct input *in, const struct outcome *o)
{
	uint32_t i;

	MUST(o->threads <= in->nthreads);
	MUST(o->fault.kind || o->threads == in->nthreads);
	for (i = 0; i < QPU_NUM; i++) {
		MUST(o->state[i].wait < QPU_NUM_WAITS);
		MUST(o->state[i].wait == QPU_WAIT_IDLE || o->state[i].thread < in->nthreads);
	}
	MUST(!o->cnt.stray_reads || !(in->kind & QPU_SW_STRICT_TMU));
	MUST(o->fault.kind != VS_FAULT_HAZARD || in->kind & QPU_SW_STRICT_HAZARDS);
	/* read-only data is unchanged */
	MUST(!memcmp(o->code, in->code, 4 * in->ncode));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct outcome a, b;
	static struct input x;
	struct fuzz_in in = { data, size };

	x.kind = fuzz_u8(&in);
	x.nthreads = 1 + fuzz_u8(&in) % MAX_THREADS;
	x.nunif = fuzz_u8(&in) % (UNIF_WORDS / MAX_THREADS);
	x.seed = fuzz_u8(&in);
	memset(x.unif, 0, sizeof(x.unif));
	fuzz_words(&in, x.unif, x.nunif * x.nthreads);
	x.ncode = fuzz_words(&in, x.code, CODE_WORDS) & ~1u;
	if (once(&x, VS_SIMD_PORTABLE, &a))
		return 0;
	check(&x, &a);
	if (once(&x, vs_simd_best(), &b))
		abort();
	check(&x, &b);
	/* where a budget ends depends on slices */
	if (a.fault.kind == VS_FAULT_BUDGET || b.fault.kind == VS_FAULT_BUDGET)
		return 0;
	MUST(a.fault.kind == b.fault.kind);
	MUST(a.fault.pc == b.fault.pc);
	MUST(a.fault.address == b.fault.address);
	MUST(a.fault.size == b.fault.size);
	MUST(a.fault.code == b.fault.code);
	MUST(a.cnt.insns == b.cnt.insns);
	MUST(!memcmp(a.state, b.state, sizeof(a.state)));
	MUST(!memcmp(a.mem, b.mem, sizeof(a.mem)));
	return 0;
}
