// SPDX-License-Identifier: GPL-2.0
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "exec.h"

#define PLENTY		(1ull << 40)
#define MAX_EXECUTORS	(1 + VS_NUM_SIMD)

static const char *env(const char *name)
{
	const char *s = getenv(name);

	return s && *s ? s : NULL;
}

const char *qx_corpus(void)
{
	return env("QPU_CORPUS");
}

const char *qx_data(void)
{
	return env("QPU_DATA") ? env("QPU_DATA") : "data";
}

uint64_t qx_seed(uint64_t otherwise)
{
	return env("QPU_SEED") ? strtoull(env("QPU_SEED"), NULL, 0) : otherwise;
}

unsigned long qx_effort(unsigned long quick, unsigned long usual, unsigned long longer)
{
	const char *s = env("QPU_EFFORT");

	if (env("QPU_COUNT"))
		return strtoul(env("QPU_COUNT"), NULL, 0);
	if (!s)
		return usual;
	return !strcmp(s, "long") ? longer : !strcmp(s, "quick") ? quick : usual;
}

/* Executor numbers to builds; the reference is VS_NUM_SIMD. */
static unsigned int builds(unsigned int list[MAX_EXECUTORS])
{
	unsigned int simd, n = 0;

	list[n++] = VS_NUM_SIMD;
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() & 1u << simd))
			continue;
		if (!env("QPU_EXEC") || !strncmp(vs_simd_name(simd), env("QPU_EXEC"),
						 strlen(env("QPU_EXEC"))))
			list[n++] = simd;
	}
	return n;
}

unsigned int qx_count(void)
{
	unsigned int list[MAX_EXECUTORS];

	return builds(list);
}

static unsigned int build_of(unsigned int ex)
{
	unsigned int list[MAX_EXECUTORS], n = builds(list);

	assert(ex < n);
	return list[ex];
}

const char *qx_name(unsigned int ex)
{
	return ex == QX_REF ? "reference" : vs_simd_name(build_of(ex));
}

bool qx_is_portable(unsigned int ex)
{
	return ex != QX_REF && build_of(ex) == VS_SIMD_PORTABLE;
}

const char *qx_status_name(unsigned int status)
{
	return status == ~0u ? "refused" : qpu_ref_status_name(status);
}

static void run_reference(const struct qx_job *job, struct qx_result *res)
{
	static struct qpu_ref r;
	unsigned int i;

	memset(&r, 0, sizeof(r));
	r.mem = (struct qpu_ref_mem){ job->lo, job->size, job->mem };
	r.threads = job->threads;
	r.nthreads = job->nthreads;
	r.code = job->code;
	r.ncode = job->ncode;
	r.budget = job->budget ? job->budget : PLENTY;
	res->status = qpu_ref_run(&r);
	res->address = r.fault_addr;
	res->counters.insns = r.insns;
	res->counters.stray_reads = r.stray_reads;
	res->counters.host_ints = r.host_ints;
	for (i = 0; i < QPU_NUM; i++) {
		res->state[i].wait = r.qpu[i].wait;
		if (r.qpu[i].wait > QPU_REF_IDLE)
			res->state[i].info = r.qpu[i].wait_info;
		res->state[i].pc = r.qpu[i].pc;
		res->state[i].thread = r.qpu[i].thread;
		res->state[i].insns = r.qpu[i].insns;
	}
}

static unsigned int status_of(unsigned int kind)
{
	static const unsigned int map[] = {
		[VS_FAULT_NONE] = QPU_REF_DONE, [VS_FAULT_READ] = QPU_REF_READ,
		[VS_FAULT_WRITE] = QPU_REF_WRITE, [VS_FAULT_FETCH] = QPU_REF_FETCH,
		[VS_FAULT_MISALIGNED] = QPU_REF_FETCH, [VS_FAULT_ENCODING] = QPU_REF_ENCODING,
		[VS_FAULT_BUDGET] = QPU_REF_BUDGET, [VS_FAULT_DEADLOCK] = QPU_REF_DEADLOCK,
		[VS_FAULT_HANG] = QPU_REF_HANG,
	};

	if (kind >= sizeof(map) / sizeof(map[0]) || (kind && !map[kind]))
		return QPU_REF_UNSUPPORTED;
	return map[kind];
}

static void run_machine(struct qpu_job *m, const struct vs_map *map, const struct qx_job *job,
			enum vs_simd simd, struct qx_result *res)
{
	struct vs_job_limits lim = {
		.budget = job->budget ? job->budget : PLENTY,
		.simd = simd,
		.slice = job->slice ? job->slice : 3000,
	};
	struct vs_job *j = vs_job_new(map, &lim, 1);
	struct vs_worker *w;
	int ret;

	assert(j);
	ret = qpu_job_add(m, j);
	assert(!ret);
	w = vs_worker_new(vs_job_arena(j));
	assert(w);
	while (vs_job_step(j, w) != VS_RUN_DONE)
		;
	res->kind = vs_job_get_fault(j)->kind;
	res->status = status_of(res->kind);
	res->address = vs_job_get_fault(j)->address;
	res->pc = vs_job_get_fault(j)->pc;
	res->size = vs_job_get_fault(j)->size;
	res->code = vs_job_get_fault(j)->code;
	qpu_job_get_state(m, res->state);
	qpu_job_get_counters(m, &res->counters);
	vs_worker_free(w);
	vs_job_free(j);
}

static void run_engine(const struct qx_job *job, enum vs_simd simd, struct qx_result *res)
{
	struct vs_extent ext = {
		job->lo, (u64)job->lo + job->size, job->mem, VS_EXT_WRITE | VS_EXT_EXEC,
	};
	struct vs_map map = { 1, &ext };
	struct qpu_thread *threads = calloc(job->nthreads + 1, sizeof(*threads));
	struct qpu_launch l = {
		.map = &map, .code = job->code, .ncode = job->ncode, .threads = threads,
		.nthreads = job->nthreads, .switches = job->switches,
	};
	struct qpu_job *m = NULL;
	unsigned int i;

	assert(threads);
	for (i = 0; i < job->nthreads; i++) {
		threads[i].uniforms = job->threads[i].uniforms;
		threads[i].pc = job->threads[i].pc;
		threads[i].nuniforms = job->threads[i].nuniforms;
	}
	if (qpu_job_new(&l, &res->refused, &m)) {
		res->status = ~0u;
	} else {
		run_machine(m, &map, job, simd, res);
		qpu_job_free(m);
	}
	free(threads);
}

void qx_run(unsigned int ex, const struct qx_job *job, struct qx_result *res)
{
	memset(res, 0, sizeof(*res));
	if (ex == QX_REF)
		run_reference(job, res);
	else
		run_engine(job, build_of(ex), res);
}
