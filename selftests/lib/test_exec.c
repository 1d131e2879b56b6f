// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs through the library: submission, results, faults, synchronisation, threads.
 *
 *   test_exec [DEVICE]     default: local
 */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lib_test.h"
#include "vshader_debug.h"

#define BUF_VA		0x100000ull
#define OUT_VA		0x200000ull
#define RES_VA		0x300000ull
#define SECOND		1000000000ll

static struct vshader_device *dev;
static uint32_t vm, copy, loop;
static struct vshader_bo *bos[3];
static float *in, *out;
static struct drm_vshader_job_result *res;

/** struct job - job with everything it refers to */
struct job {
	struct drm_vshader_job job;
	struct drm_vshader_shader_job sh;
	struct drm_vshader_pica_job pica;
	struct drm_vshader_stream attr, out;
	struct drm_vshader_sync syncs[4];
};

static void init_job(struct job *j, uint32_t queue, uint32_t program, uint32_t count)
{
	memset(j, 0, sizeof(*j));
	j->attr = (struct drm_vshader_stream){ .va = BUF_VA, .stride = 16, .components = 4 };
	j->out = (struct drm_vshader_stream){ .va = OUT_VA, .stride = 16, .components = 4 };
	j->sh = (struct drm_vshader_shader_job){
		.program = program,
		.engine_block = (uintptr_t)&j->pica, .engine_block_size = sizeof(j->pica),
	};
	j->pica.vertices = (struct drm_vshader_vertices){
		.count = count,
		.attributes = DRM_VSHADER_OBJ_ARRAY(1, &j->attr),
		.outputs = DRM_VSHADER_OBJ_ARRAY(1, &j->out),
	};
	j->job = (struct drm_vshader_job){
		.queue_id = queue, .desc = (uintptr_t)&j->sh, .desc_size = sizeof(j->sh),
	};
}

static void add_sync(struct job *j, uint32_t flags, uint32_t handle, uint64_t point)
{
	uint32_t n = j->job.syncs.count;

	j->syncs[n] = (struct drm_vshader_sync){ flags, handle, point };
	j->job.syncs = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(n + 1, j->syncs);
}

static uint32_t new_queue(uint32_t time_ms, uint64_t budget)
{
	struct vshader_queue_params p = {
		.engine = DRM_VSHADER_ENGINE_PICA, .vm = vm, .time_limit_ms = time_ms,
		.budget = budget,
	};
	uint32_t id = 0;

	vshader_queue_create(dev, &p, &id);
	return id;
}

static int setup(void)
{
	static const uint64_t vas[3] = { BUF_VA, OUT_VA, RES_VA };
	void *p[3];
	int i, ret;

	ret = vshader_vm_create(dev, 0, 0, &vm);
	for (i = 0; i < 3 && !ret; i++) {
		uint64_t va = vas[i];

		ret = vshader_bo_create(dev, 65536, 0, vm, &bos[i]);
		if (!ret)
			ret = vshader_bo_map(bos[i], &p[i]);
		if (!ret)
			ret = vshader_vm_map(dev, vm, bos[i], 0, &va);
	}
	if (!ret)
		ret = make_program(dev, copy_code, 2, &copy);
	if (!ret)
		ret = make_program(dev, loop_code, 2, &loop);
	if (ret)
		return ret;
	in = p[0];
	out = p[1];
	res = p[2];
	for (i = 0; i < 16384; i++)
		in[i] = (float)i;
	return 0;
}

static void test_run(void)
{
	uint32_t q = new_queue(0, 0);
	struct drm_vshader_queue_get_state state;
	struct job j;

	init_job(&j, q, copy, 1000);
	j.job.result_va = RES_VA;
	memset(out, 0, 65536);
	is_ok(vshader_submit_wait(dev, &j.job, 10 * SECOND), "run a job");
	tap_result(!memcmp(in, out, 16000) && !out[4000], "outputs");
	tap_result(!res->status && res->invocations == 1000 && res->weight && !res->fault.kind,
		   "result record");
	is_ok(vshader_queue_get_state(dev, q, &state), "state");
	tap_result(!state.state && state.submitted == 1 && state.completed == 1 &&
		   state.invocations == 1000, "counters");
	j.pica.vertices.count = 0;
	memset(res, 0xff, sizeof(*res));
	is_ok(vshader_submit_wait(dev, &j.job, 10 * SECOND), "empty job");
	tap_result(!res->status && !res->invocations, "its result");
	j.sh.engine_block = 0;
	j.sh.engine_block_size = 0;
	memset(res, 0xff, sizeof(*res));
	is_ok(vshader_submit_wait(dev, &j.job, 10 * SECOND), "job without a block");
	tap_result(!res->status && !res->invocations, "its result");
	/* The third byte of a float becomes a vector of bytes. */
	init_job(&j, q, copy, 4);
	j.attr = (struct drm_vshader_stream){ .va = BUF_VA + 6, .stride = 4, .components = 2,
					      .format = DRM_VSHADER_FORMAT_U8 };
	is_ok(vshader_submit_wait(dev, &j.job, 10 * SECOND), "bytes");
	tap_result(out[0] == 0x80 && out[1] == 0x3f && out[2] == 0 && out[3] == 1,
		   "conversion, missing components");
	vshader_queue_destroy(dev, q);
}

/* Signals of a process go to threads of the program, never to those of the library. */
static void test_signals(void)
{
	unsigned long long must = 1ull << (SIGHUP - 1) | 1ull << (SIGTERM - 1), blocked;
	unsigned int threads = 0, good = 0;
	DIR *d = opendir("/proc/self/task");
	struct dirent *e;
	char name[300], line[200];
	FILE *f;

	while (d && (e = readdir(d))) {
		/* the thread that reads has the number of the process */
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
		    atoi(e->d_name) == getpid())
			continue;
		threads++;
		snprintf(name, sizeof(name), "/proc/self/task/%s/status", e->d_name);
		f = fopen(name, "r");
		while (f && fgets(line, sizeof(line), f)) {
			if (sscanf(line, "SigBlk: %llx", &blocked) == 1)
				good += (blocked & must) == must;
		}
		if (f)
			fclose(f);
	}
	if (d)
		closedir(d);
	if (!tap_result(threads && good == threads, "workers block signals"))
		tap_comment("%u of %u", good, threads);
}

struct bad_job {
	const char *what;
	void (*change)(struct job *j);
	int err;
};

static void bad_queue(struct job *j) { j->job.queue_id = 999; }
static void bad_flags(struct job *j) { j->job.flags = 8; }
static void bad_type(struct job *j) { j->job.type = 9; }
static void bad_desc(struct job *j) { j->job.desc_size = 8; }
static void bad_program(struct job *j) { j->sh.program = 999; }
static void bad_entry(struct job *j) { j->sh.entry = 1; }
static void bad_count(struct job *j) { j->pica.vertices.instances = 1u << 31; }
static void bad_index(struct job *j) { j->pica.vertices.index_type = 9; }
static void bad_pad(struct job *j) { j->sh.pad = 1; }
static void bad_block(struct job *j) { j->sh.engine_block_size = 4; }
static void bad_model(struct job *j) { j->pica.model = 7; }
static void bad_switch(struct job *j) { j->pica.switches = DRM_VSHADER_PICA_CLAMP_OF_BOTH << 1; }
static void bad_bools(struct job *j) { j->pica.bool_uniforms = 1u << 16; }
static void bad_rows(struct job *j) { j->pica.num_float_uniforms = 97; }
static void bad_format(struct job *j) { j->attr.format = 77; }
static void bad_reg(struct job *j) { j->attr.reg = 16; }
static void bad_comps(struct job *j) { j->out.components = 5; }
static void bad_out_format(struct job *j) { j->out.format = DRM_VSHADER_FORMAT_U8; }
static void bad_divisor(struct job *j) { j->out.divisor = 1; }
static void bad_va(struct job *j) { j->attr.va = 1ull << 33; }
static void bad_result(struct job *j) { j->job.result_va = RES_VA + 4; }
static void bad_result_va(struct job *j) { j->job.result_va = 0x70000000; }
static void bad_streams(struct job *j) { j->pica.vertices.attributes.count = 1000; }
static void bad_sync_flags(struct job *j) { add_sync(j, 0x10, 1, 0); }
static void bad_sync_handle(struct job *j) { add_sync(j, DRM_VSHADER_SYNC_SIGNAL, 12345, 0); }
static void bad_sync_point(struct job *j) { add_sync(j, DRM_VSHADER_SYNC_SIGNAL, 1, 7); }

static const struct bad_job bad_jobs[] = {
	{ "queue", bad_queue, ENOENT }, { "flags", bad_flags, EINVAL },
	{ "type", bad_type, EINVAL }, { "short descriptor", bad_desc, EINVAL },
	{ "program", bad_program, ENOENT }, { "entry", bad_entry, EINVAL },
	{ "too many invocations", bad_count, E2BIG }, { "index type", bad_index, EINVAL },
	{ "padding", bad_pad, EINVAL },
	{ "short block", bad_block, EINVAL }, { "model", bad_model, EINVAL },
	{ "switch", bad_switch, EINVAL }, { "booleans", bad_bools, EINVAL },
	{ "float rows", bad_rows, EINVAL }, { "format", bad_format, EINVAL },
	{ "register", bad_reg, EINVAL }, { "components", bad_comps, EINVAL },
	{ "output format", bad_out_format, EINVAL }, { "output divisor", bad_divisor, EINVAL },
	{ "address", bad_va, EINVAL }, { "result alignment", bad_result, EINVAL },
	{ "result not mapped", bad_result_va, EINVAL }, { "streams", bad_streams, E2BIG },
	{ "sync flags", bad_sync_flags, EINVAL }, { "sync handle", bad_sync_handle, ENOENT },
	{ "sync point without TIMELINE", bad_sync_point, EINVAL },
};

static void test_bad(void)
{
	uint32_t q = new_queue(0, 0), failed;
	struct drm_vshader_queue_get_state state;
	struct drm_vshader_job jobs[2];
	struct job good, j;
	unsigned int i;

	init_job(&good, q, copy, 4);
	for (i = 0; i < sizeof(bad_jobs) / sizeof(bad_jobs[0]); i++) {
		init_job(&j, q, copy, 4);
		bad_jobs[i].change(&j);
		jobs[0] = good.job;
		jobs[1] = j.job;
		failed = 99;
		is_error(vshader_submit(dev, jobs, 2, &failed, NULL), bad_jobs[i].err,
			 bad_jobs[i].what);
		if (failed != 1 || !*vshader_error())
			tap_result(false, "failed_job is %u, text \"%s\"", failed, vshader_error());
	}
	is_error(vshader_submit(dev, jobs, 0, NULL, NULL), EINVAL, "no jobs");
	is_error(vshader_submit(dev, jobs, 100000, NULL, NULL), E2BIG, "too many jobs");
	vshader_queue_get_state(dev, q, &state);
	tap_result(!state.submitted, "nothing of it was submitted");
	vshader_queue_destroy(dev, q);
}

static void test_fault(void)
{
	uint32_t q = new_queue(0, 0), q2 = new_queue(0, 5000), q3 = new_queue(50, 0);
	struct vshader_queue_params params = { .engine = DRM_VSHADER_ENGINE_PICA, .vm = vm };
	struct drm_vshader_queue_get_state state;
	char text[256];
	struct job j;

	init_job(&j, q, copy, 5000);
	j.job.result_va = RES_VA;
	is_ok(vshader_submit_wait(dev, &j.job, 10 * SECOND), "a job that reads too far");
	tap_result(res->status == -EIO && res->fault.kind == DRM_VSHADER_FAULT_READ &&
		   res->fault.address == BUF_VA + 65536 && res->fault.invocation == 4096 &&
		   res->fault.stream == 0, "fault record");
	vshader_queue_get_state(dev, q, &state);
	tap_result(state.state == DRM_VSHADER_QUEUE_STATE_FAULT &&
		   !memcmp(&state.fault, &res->fault, sizeof(state.fault)), "in the queue too");
	tap_result(strstr(vshader_fault_text(&state.fault, text, sizeof(text)), "0x110000"),
		   "in words: %s", text);
	tap_result(strlen(vshader_fault_text(&state.fault, text, 10)) == 9, "in a short buffer");
	tap_result(!strstr(vshader_fault_text(&state.fault, text, sizeof(text)), "injected"),
		   "its own");
	state.fault.info |= DRM_VSHADER_FAULT_INJECTED;
	tap_result(strstr(vshader_fault_text(&state.fault, text, sizeof(text)), ", injected"),
		   "injected: %s", text);
	tap_result(strlen(vshader_fault_text(&state.fault, text, 10)) == 9,
		   "injected, in a short buffer");
	init_job(&j, q, copy, 1);
	is_error(vshader_submit(dev, &j.job, 1, NULL, NULL), EIO, "the queue is banned");

	init_job(&j, q2, loop, 1);
	j.pica.bool_uniforms = 1;
	j.job.result_va = RES_VA;
	is_ok(vshader_submit_wait(dev, &j.job, 10 * SECOND), "endless loop");
	tap_result(res->status == -ETIME && res->fault.kind == DRM_VSHADER_FAULT_BUDGET,
		   "budget");
	j.job.queue_id = q3;
	is_ok(vshader_submit_wait(dev, &j.job, 10 * SECOND), "endless loop with a time limit");
	tap_result(res->status == -ETIME && res->fault.kind == DRM_VSHADER_FAULT_TIMEOUT, "time");
	vshader_queue_get_state(dev, q3, &state);
	tap_result(state.state == DRM_VSHADER_QUEUE_STATE_TIMEDOUT, "state");
	/* debuggers and traces slow jobs down */
	params.time_limit_ms = 30;
	is_ok(vshader_debug_queue_create(dev, &params, &j.job.queue_id), "a debug queue");
	is_ok(vshader_submit(dev, &j.job, 1, NULL, NULL), "endless loop in it, without fences");
	do {
		sched_yield();
	} while (!vshader_queue_get_state(dev, j.job.queue_id, &state) && !state.completed);
	tap_result(res->fault.kind == DRM_VSHADER_FAULT_TIMEOUT && state.busy_ns >= 300000000,
		   "ten times the limit");
	vshader_queue_destroy(dev, j.job.queue_id);
	vshader_queue_destroy(dev, q);
	vshader_queue_destroy(dev, q2);
	vshader_queue_destroy(dev, q3);
}

/* Jobs queued after a faulting one end too, in order. */
static void test_behind(void)
{
	uint32_t q = new_queue(0, 0), s[3], i;
	struct drm_vshader_job jobs[3];
	struct job j[3];

	memset(res, 0xff, 4096);
	for (i = 0; i < 3; i++) {
		vshader_sync_create(dev, false, &s[i]);
		init_job(&j[i], q, copy, i ? 4 : 5000);
		j[i].job.result_va = RES_VA + 256 * i;
		add_sync(&j[i], DRM_VSHADER_SYNC_SIGNAL, s[i], 0);
		jobs[i] = j[i].job;
	}
	is_ok(vshader_submit(dev, jobs, 3, NULL, NULL), "a fault and two later jobs");
	is_ok(vshader_sync_wait(dev, s[2], 0, 10 * SECOND), "the last one ends");
	for (i = 1; i < 3; i++) {
		const struct drm_vshader_job_result *r = (void *)((char *)res + 256 * i);

		tap_result(r->status == -ECANCELED && r->fault.kind == DRM_VSHADER_FAULT_CANCELED &&
			   r->fault.job == i + 1, "job %u was canceled", i + 1);
	}
	for (i = 0; i < 3; i++)
		vshader_sync_destroy(dev, s[i]);
	vshader_queue_destroy(dev, q);
}

static void test_waits(void)
{
	uint32_t q = new_queue(0, 0), q2 = new_queue(0, 0), s, t, end;
	struct drm_vshader_job jobs[2];
	struct job a, b;

	vshader_sync_create(dev, false, &s);
	vshader_sync_create(dev, false, &t);
	vshader_sync_create(dev, false, &end);
	/* Wait for a point without a submitted job. */
	init_job(&a, q, copy, 4);
	add_sync(&a, 0, s, 0);
	is_error(vshader_submit(dev, &a.job, 1, NULL, NULL), EINVAL, "no fence to wait for");
	/* The first one waits for the host by way of a second queue. */
	vshader_sync_signal(dev, t, 1);
	memset(out, 0, 65536);
	init_job(&a, q, copy, 4);
	add_sync(&a, 0 | DRM_VSHADER_SYNC_TIMELINE, t, 1);
	add_sync(&a, DRM_VSHADER_SYNC_SIGNAL | DRM_VSHADER_SYNC_TIMELINE, t, 4);
	init_job(&b, q2, copy, 8);
	b.attr.va = OUT_VA;
	b.out.va = OUT_VA + 4096;
	add_sync(&b, DRM_VSHADER_SYNC_TIMELINE, t, 3);
	add_sync(&b, DRM_VSHADER_SYNC_SIGNAL, end, 0);
	jobs[0] = a.job;
	jobs[1] = b.job;
	is_ok(vshader_submit(dev, jobs, 2, NULL, NULL), "two queues, one after the other");
	is_ok(vshader_sync_wait(dev, end, 0, 10 * SECOND), "wait");
	tap_result(!memcmp(in, (char *)out + 4096, 64) && !out[1024 + 16], "order was kept");
	vshader_sync_destroy(dev, s);
	vshader_sync_destroy(dev, t);
	vshader_sync_destroy(dev, end);
	vshader_queue_destroy(dev, q);
	vshader_queue_destroy(dev, q2);
}

/* A buffer that is not exclusive orders the jobs that may use it. */
static void test_implicit(void)
{
	uint32_t q = new_queue(0, 0), q2 = new_queue(0, 0), end, i, bad = 0;
	uint64_t va = 0x400000;
	struct vshader_bo *bo;
	struct job a, b;
	float *shared;
	void *p;

	vshader_bo_create(dev, 65536, 0, 0, &bo);
	vshader_bo_map(bo, &p);
	shared = p;
	vshader_vm_map(dev, vm, bo, 0, &va);
	for (i = 0; i < 50; i++) {
		memset(shared, 0, 65536);
		vshader_sync_create(dev, false, &end);
		init_job(&a, q, copy, 2000);
		a.out.va = va;
		init_job(&b, q2, copy, 2000);
		b.attr.va = va;
		add_sync(&b, DRM_VSHADER_SYNC_SIGNAL, end, 0);
		if (vshader_submit(dev, &a.job, 1, NULL, NULL) ||
		    vshader_submit(dev, &b.job, 1, NULL, NULL) ||
		    vshader_sync_wait(dev, end, 0, 10 * SECOND))
			bad++;
		bad += memcmp(in, out, 32000) != 0;
		memset(out, 0, 32000);
		vshader_sync_destroy(dev, end);
	}
	tap_result(!bad, "jobs on two queues follow each other, %u did not", bad);
	vshader_vm_unmap(dev, vm, va, 65536);
	vshader_bo_destroy(bo);
	vshader_queue_destroy(dev, q);
	vshader_queue_destroy(dev, q2);
}

/* Destroying a queue soon ends its running jobs. */
static void test_destroy(void)
{
	uint32_t q = new_queue(10000, 0), s, s2;
	struct job j, k;

	vshader_sync_create(dev, false, &s);
	vshader_sync_create(dev, false, &s2);
	init_job(&j, q, loop, 1);
	j.pica.bool_uniforms = 1;
	j.job.result_va = RES_VA;
	add_sync(&j, DRM_VSHADER_SYNC_SIGNAL, s, 0);
	init_job(&k, q, copy, 1);
	add_sync(&k, DRM_VSHADER_SYNC_SIGNAL, s2, 0);
	is_ok(vshader_submit(dev, &j.job, 1, NULL, NULL), "endless job");
	is_ok(vshader_submit(dev, &k.job, 1, NULL, NULL), "and one behind it");
	is_error(vshader_sync_wait(dev, s, 0, SECOND / 20), ETIME, "it runs");
	is_ok(vshader_queue_destroy(dev, q), "destroy the queue");
	is_ok(vshader_sync_wait(dev, s, 0, 60 * SECOND), "it ends");
	is_ok(vshader_sync_wait(dev, s2, 0, 60 * SECOND), "and the next one");
	/* not by its limit of CPU time */
	tap_result(res->status == -ECANCELED && res->fault.kind == DRM_VSHADER_FAULT_CANCELED,
		   "as canceled");
	vshader_sync_destroy(dev, s);
	vshader_sync_destroy(dev, s2);
}

/* A job sees the mappings of its submission. */
static void test_snapshot(void)
{
	uint32_t q = new_queue(0, 0), gate, end;
	uint64_t va = 0x500000;
	struct vshader_bo *bo;
	struct job j;
	float *p;
	void *v;

	vshader_bo_create(dev, 4096, 0, vm, &bo);
	vshader_bo_map(bo, &v);
	p = v;
	p[0] = 42;
	vshader_vm_map(dev, vm, bo, 0, &va);
	vshader_sync_create(dev, false, &gate);
	vshader_sync_create(dev, false, &end);
	vshader_sync_signal(dev, gate, 0);
	init_job(&j, q, copy, 1);
	j.attr.va = va;
	j.job.result_va = RES_VA;
	add_sync(&j, 0, gate, 0);
	add_sync(&j, DRM_VSHADER_SYNC_SIGNAL, end, 0);
	is_ok(vshader_submit(dev, &j.job, 1, NULL, NULL), "submit");
	is_ok(vshader_vm_unmap(dev, vm, va, 4096), "unmap at once");
	vshader_bo_destroy(bo);
	is_ok(vshader_sync_wait(dev, end, 0, 10 * SECOND), "wait");
	tap_result(!res->status && out[0] == 42, "the job did not notice");
	is_ok(vshader_submit_wait(dev, &j.job, 10 * SECOND), "submit again");
	tap_result(res->status == -EIO, "this one did");
	vshader_sync_destroy(dev, gate);
	vshader_sync_destroy(dev, end);
	vshader_queue_destroy(dev, q);
}

static int64_t thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* CPU time of this thread in an endless job with a limit of 50 ms. */
static int64_t own_time(int64_t timeout)
{
	uint32_t q = new_queue(50, 0);
	struct job j;
	int64_t t;

	init_job(&j, q, loop, 1);
	j.pica.bool_uniforms = 1;
	j.job.result_va = RES_VA;
	t = thread_ns();
	vshader_submit_wait(dev, &j.job, timeout);
	t = thread_ns() - t;
	/* it ends with the queue, if the wait was too short */
	vshader_queue_destroy(dev, q);
	return t;
}

/* On the local device the thread that waits executes its job, but only its own. */
static void test_own(bool local)
{
	uint32_t q = new_queue(0, 0), i;
	struct drm_vshader_job jobs[32];
	struct job j, first;
	int64_t t = 0;

	if (local) {
		/* a worker that has not gone to sleep after the last job takes it */
		for (i = 0; i < 100 && t <= SECOND / 40; i++)
			t = own_time(10 * SECOND);
		tap_result(t > SECOND / 40, "executed by the thread that waits (%lld us)",
			   (long long)t / 1000);
		t = own_time(SECOND / 20);
		tap_result(t < SECOND / 40, "not if the wait may be too short (%lld us)",
			   (long long)t / 1000);
	}
	/* the last one is not the next one of its queue */
	init_job(&first, q, copy, 4096);
	for (i = 0; i < 32; i++)
		jobs[i] = first.job;
	init_job(&j, q, copy, 4);
	j.job.result_va = RES_VA;
	memset(out, 0, 65536);
	memset(res, 0xff, sizeof(*res));
	is_ok(vshader_submit(dev, jobs, 32, NULL, NULL), "jobs before it");
	is_ok(vshader_submit_wait(dev, &j.job, 10 * SECOND), "a job that is not the next one");
	tap_result(!res->status && !memcmp(in, out, 65536), "all have been executed");
	vshader_queue_destroy(dev, q);
}

#define THREADS	4

static void *hammer(void *arg)
{
	unsigned long n = (unsigned long)arg, i, bad = 0;
	uint32_t q = new_queue(0, 0);
	struct job j;

	for (i = 0; i < 100; i++) {
		uint32_t id;

		init_job(&j, q, copy, 64);
		j.out.va = OUT_VA + n * 8192;
		if (vshader_submit_wait(dev, &j.job, 10 * SECOND) ||
		    memcmp(in, (char *)out + n * 8192, 1024))
			bad++;
		memset((char *)out + n * 8192, 0, 1024);
		if (make_program(dev, copy_code, 2, &id) || vshader_program_destroy(dev, id))
			bad++;
		/* Of this thread, whatever the others do. */
		if (vshader_program_destroy(dev, 1u << 30) != -ENOENT || !*vshader_error())
			bad++;
	}
	vshader_queue_destroy(dev, q);
	return (void *)bad;
}

static void test_threads(void)
{
	pthread_t t[THREADS];
	unsigned long i, bad = 0;
	void *ret;

	for (i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, hammer, (void *)i);
	for (i = 0; i < THREADS; i++) {
		pthread_join(t[i], &ret);
		bad += (unsigned long)ret;
	}
	tap_result(!bad, "several threads at once, %lu errors", bad);
}

/* The library's clocks, of a machine that has stood still for this long. */
static _Atomic int64_t stalled_s;

int clock_gettime(clockid_t clock, struct timespec *t)
{
	int ret = (int)syscall(SYS_clock_gettime, clock, t);

	if (clock == CLOCK_MONOTONIC || clock == CLOCK_THREAD_CPUTIME_ID)
		t->tv_sec += stalled_s;
	return ret;
}

static int64_t process_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* An emulated machine may stand still in a job: of that time, a second is taken for the job's. */
static void test_stall(void)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	uint32_t q = new_queue(1500, 0);
	int64_t t = process_ns();
	struct job j;

	init_job(&j, q, loop, 1);
	j.pica.bool_uniforms = 1;
	j.job.result_va = RES_VA;
	memset(res, 0, sizeof(*res));
	is_ok(vshader_submit(dev, &j.job, 1, NULL, NULL), "endless job");
	nanosleep(&pause, NULL);
	stalled_s = 8;
	while (!__atomic_load_n(&res->status, __ATOMIC_ACQUIRE))
		nanosleep(&pause, NULL);
	t = process_ns() - t;
	tap_result(res->status == -ETIME && t > 2 * SECOND / 5,
		   "half of its limit is left (%lld us)", (long long)t / 1000);
	vshader_queue_destroy(dev, q);
}

/* Closing releases everything, including running jobs. */
static void test_close(const char *spec)
{
	struct vshader_device *saved = dev;
	uint32_t saved_vm = vm, saved_loop = loop;
	struct job j;
	int64_t t;

	if (!is_ok(vshader_open(spec, &dev), "another device"))
		goto out;
	vshader_vm_create(dev, 0, 0, &vm);
	make_program(dev, loop_code, 2, &loop);
	init_job(&j, new_queue(10000, 0), loop, 1);
	j.pica.vertices.attributes.count = 0;
	j.pica.vertices.outputs.count = 0;
	j.pica.bool_uniforms = 1;
	is_ok(vshader_submit(dev, &j.job, 1, NULL, NULL), "endless job");
	t = process_ns();
	vshader_close(dev);
	t = process_ns() - t;
	/* its limit is 10 s of CPU time, which the local device takes from this process */
	tap_result(t < 9 * SECOND, "closed before the job's time limit");
out:
	dev = saved;
	vm = saved_vm;
	loop = saved_loop;
}

int main(int argc, char **argv)
{
	const char *spec = argc > 1 ? argv[1] : "local:workers=2";
	int i;

	if (!is_ok(vshader_open(spec, &dev), "open the device"))
		return tap_done();
	if (!is_ok(setup(), "set up"))
		return tap_done();
	test_run();
	if (!strncmp(spec, "local", 5))
		test_signals();
	test_bad();
	test_fault();
	test_behind();
	test_waits();
	test_implicit();
	test_snapshot();
	test_destroy();
	test_own(!strncmp(spec, "local", 5));
	test_threads();
	/* for good: clocks do not go back */
	if (!strncmp(spec, "local", 5))
		test_stall();
	test_close(spec);
	for (i = 0; i < 3; i++)
		vshader_bo_destroy(bos[i]);
	vshader_close(dev);
	return tap_done();
}
