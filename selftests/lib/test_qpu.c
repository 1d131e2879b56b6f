// SPDX-License-Identifier: GPL-2.0
/*
 * QPU queues through the library: state of the QPUs after a deadlock, binary and as text;
 * error messages for rejected jobs.
 *
 *   test_qpu [DEVICE]      default: local
 */
#include "lib_test.h"
#include "qpu_asm.h"

#define CODE_VA		0x10000000u
#define NUM_QPUS	12

static struct {
	struct vshader_device *dev;
	uint32_t vm;
	uint32_t queue;
	struct vshader_bo *bo;
	uint32_t *mem;
} t;

static void has_text(const char *text, const char *part)
{
	if (!tap_result(strstr(text, part), "text has \"%s\"", part))
		tap_comment("%s", text);
}

static bool setup(const char *device)
{
	struct vshader_queue_params params = { .engine = DRM_VSHADER_ENGINE_QPU };
	uint64_t va = CODE_VA;
	void *ptr;

	if (!is_ok(vshader_open(device, &t.dev), "open the device"))
		return false;
	if (vshader_vm_create(t.dev, 0, 0, &t.vm) ||
	    vshader_bo_create(t.dev, 65536, 0, t.vm, &t.bo) || vshader_bo_map(t.bo, &ptr) ||
	    vshader_vm_map(t.dev, t.vm, t.bo, 0, &va))
		return tap_result(false, "memory: %s", vshader_error());
	params.vm = t.vm;
	t.mem = ptr;
	if (!is_ok(vshader_queue_create(t.dev, &params, &t.queue), "queue"))
		return false;
	return true;
}

static int run_list(unsigned int threads, struct drm_vshader_native_job *list)
{
	struct drm_vshader_job job = {
		.queue_id = t.queue,
		.type = DRM_VSHADER_JOB_NATIVE,
		.desc = (uintptr_t)list,
		.desc_size = sizeof(*list),
	};

	list->format = DRM_VSHADER_NATIVE_QPU_LIST;
	list->va = list->va ? list->va : CODE_VA + 32768;
	list->size = list->size ? list->size : 8 * threads;
	return vshader_submit_wait(t.dev, &job, VSHADER_WAIT_FOREVER);
}

static void put(struct q_prog *p, unsigned int threads)
{
	unsigned int i;

	q_finish(p);
	memcpy(t.mem, p->w, 8 * p->n);
	for (i = 0; i < threads; i++) {
		t.mem[8192 + 2 * i] = CODE_VA + 16384;
		t.mem[8192 + 2 * i + 1] = CODE_VA;
	}
}

static void test_refused(void)
{
	struct drm_vshader_native_job list = { .switches = 8 };
	struct drm_vshader_qpu_job block = { };
	struct drm_vshader_shader_job shader = {
		.engine_block = (uintptr_t)&block,
		.engine_block_size = sizeof(block),
	};
	struct drm_vshader_job job = {
		.queue_id = t.queue,
		.desc = (uintptr_t)&shader,
		.desc_size = sizeof(shader),
	};
	static struct q_prog p;
	const uint32_t entry = 0;
	struct vshader_source src = {
		.engine = DRM_VSHADER_ENGINE_QPU,
		.stage = DRM_VSHADER_STAGE_COMPUTE,
		.words = { (uint32_t *)p.w },
		.entries = &entry,
		.num_entries = 1,
	};

	is_error(run_list(1, &list), EINVAL, "unknown switch");
	has_text(vshader_error(), "unknown QPU switches 0x8");
	list = (struct drm_vshader_native_job){ .size = 8 * 5000 };
	is_error(run_list(0, &list), E2BIG, "too many threads");
	has_text(vshader_error(), "5000 threads, the limit is 4096");
	list = (struct drm_vshader_native_job){ .output_size = 4 };
	is_error(run_list(1, &list), EINVAL, "output");
	has_text(vshader_error(), "no output");
	put(&p, 1);
	t.mem[8193] += 2;
	list = (struct drm_vshader_native_job){ };
	is_error(run_list(1, &list), ENOEXEC, "code that is not aligned");
	has_text(vshader_error(), "the address of code is not a multiple of 8");

	q_begin(&p);
	q_end(&p);
	src.num_words[0] = 2 * p.n;
	if (!is_ok(vshader_program_create(t.dev, &src, NULL, &shader.program), "program"))
		return;
	block.threads.count = 5000;
	is_error(vshader_submit(t.dev, &job, 1, NULL, NULL), E2BIG, "too many threads of a job");
	has_text(vshader_error(), "QPU job: 5000 threads, the limit is 4096");
	block.threads.count = 0;
	shader.entry = 1;
	is_error(vshader_submit(t.dev, &job, 1, NULL, NULL), EINVAL, "entry of the job");
	has_text(vshader_error(), "QPU job: entry is not 0");
	shader.entry = 0;
	block.model = 3;
	block.switches = 0x10;
	is_ok(vshader_submit_wait(t.dev, &job, VSHADER_WAIT_FOREVER), "nothing to do");
}

static void test_deadlock(void)
{
	struct drm_vshader_native_job list = { };
	struct drm_vshader_queue_get_state state;
	struct drm_vshader_qpu_state qpus[NUM_QPUS];
	static struct q_prog p;
	char text[4096];

	tap_result(!vshader_queue_get_qpus(t.dev, t.queue, qpus, NUM_QPUS), "no fault, no state");
	q_begin(&p);
	q_mov(&p, Q_NOWHERE, Q_MUTEX);
	q_acquire(&p, 4);
	q_end(&p);
	put(&p, 2);
	is_ok(run_list(2, &list), "a deadlock");
	memset(&state, 0x55, sizeof(state));
	is_ok(vshader_queue_get_state(t.dev, t.queue, &state), "state");
	tap_result(state.state == DRM_VSHADER_QUEUE_STATE_FAULT &&
		   state.fault.kind == DRM_VSHADER_FAULT_DEADLOCK, "fault");
	tap_result(state.engine_state_size == NUM_QPUS * sizeof(qpus[0]), "size of the states");
	has_text(vshader_fault_text(&state.fault, text, sizeof(text)), "wait for each other");
	tap_result(vshader_queue_get_qpus(t.dev, t.queue, qpus, 1) == NUM_QPUS, "12 QPUs");
	tap_result(vshader_queue_get_qpus(t.dev, t.queue, qpus, NUM_QPUS) == NUM_QPUS, "all");
	tap_result(qpus[0].wait == DRM_VSHADER_QPU_WAIT_SEMA_DEC && qpus[0].info == 4 &&
		   qpus[0].pc == CODE_VA + 8 && qpus[0].insns == 1, "the first");
	tap_result(qpus[1].wait == DRM_VSHADER_QPU_WAIT_MUTEX && qpus[1].info == 0 &&
		   qpus[1].pc == CODE_VA && qpus[1].thread == 1, "the second");
	tap_result(qpus[11].wait == DRM_VSHADER_QPU_WAIT_IDLE, "the last");
	vshader_qpus_text(qpus, NUM_QPUS, text, sizeof(text));
	has_text(text, "QPU 0: thread 0 at 0x10000008 after 1 instructions");
	has_text(text, "waits to acquire semaphore 4, which is at 0");
	has_text(text, "QPU 1: thread 1");
	has_text(text, "waits for the mutex, which QPU 0 holds");
	tap_result(!strstr(text, "QPU 2"), "idle QPUs are left out");
	vshader_qpus_text(qpus, NUM_QPUS, text, 20);
	tap_result(strlen(text) == 19, "short buffer");
	tap_result(!strcmp(vshader_qpu_wait_name(DRM_VSHADER_QPU_WAIT_MUTEX), "mutex") &&
		   !vshader_qpu_wait_name(77), "names");
	is_error(vshader_queue_get_qpus(t.dev, 999, qpus, NUM_QPUS), ENOENT, "no such queue");
}

int main(int argc, char **argv)
{
	if (!setup(argc > 1 ? argv[1] : "local"))
		return tap_done();
	test_refused();
	test_deadlock();
	vshader_bo_destroy(t.bo);
	vshader_close(t.dev);
	return tap_done();
}
