// SPDX-License-Identifier: MIT
/*
 * VideoCore IV QPU in the library.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "isa/qpu/qpu_machine.h"
#include "lint.h"
#include "qpu_disasm.h"
#include "qpu_lint.h"
#include "vsh_isa.h"

#define NAME(table, n) ((n) < ARRAY_SIZE(table) ? (table)[n] : NULL)

static const char * const waits[] = {
	[DRM_VSHADER_QPU_WAIT_NONE] = "running",
	[DRM_VSHADER_QPU_WAIT_IDLE] = "idle",
	[DRM_VSHADER_QPU_WAIT_SEMA_INC] = "sema-release",
	[DRM_VSHADER_QPU_WAIT_SEMA_DEC] = "sema-acquire",
	[DRM_VSHADER_QPU_WAIT_MUTEX] = "mutex",
	[DRM_VSHADER_QPU_WAIT_SCOREBOARD] = "scoreboard",
};

static const char * const hazards[] = {
	[DRM_VSHADER_QPU_HAZARD_REG_RAW] = "a file register is read right after it was written",
	[DRM_VSHADER_QPU_HAZARD_R5_ROTATE] = "rotation by r5 right after it was written",
	[DRM_VSHADER_QPU_HAZARD_SFU_R4] = "r4 is used within two instructions of an SFU write",
	[DRM_VSHADER_QPU_HAZARD_SFU_BUSY] = "SFU write within two instructions of another",
	[DRM_VSHADER_QPU_HAZARD_UNIF] =
		"a uniform is read within two instructions of an address write",
	[DRM_VSHADER_QPU_HAZARD_UNDEFINED_OP] = "adder code without a meaning",
	[DRM_VSHADER_QPU_HAZARD_BRANCH] = "branch in the delay slots of another",
	[DRM_VSHADER_QPU_HAZARD_MUTEX] = "the mutex is released by a QPU that does not hold it",
	[DRM_VSHADER_QPU_HAZARD_TMU_FULL] = "request to a TMU that is full",
	[DRM_VSHADER_QPU_HAZARD_TMU_EMPTY] = "result of a TMU that has no request",
	[DRM_VSHADER_QPU_HAZARD_VPM_EMPTY] = "VPM read that was not set up",
	[DRM_VSHADER_QPU_HAZARD_FRAGMENT] = "fragment peripheral outside of a fragment job",
	[DRM_VSHADER_QPU_HAZARD_BREAKPOINT] = "breakpoint",
	[DRM_VSHADER_QPU_HAZARD_VPM_FULL] = "VPM read set up while more than one vector is left",
	[DRM_VSHADER_QPU_HAZARD_VPM_SETUP] = "VPM or DMA setup that is undefined or missing",
	[DRM_VSHADER_QPU_HAZARD_TMU_CONFIG] = "texture configuration that is undefined",
	[DRM_VSHADER_QPU_HAZARD_TMU_STALE] =
		"a TMU reads again what was stored since: the chip's cache has the old data",
	[DRM_VSHADER_QPU_HAZARD_UNIF_END] = "uniform read past the end of the list",
};

static const char *hazard_text(uint32_t reason)
{
	return NAME(hazards, reason);
}

static int assemble(const char *text, size_t size, const struct vs_as_options *opt,
		    struct vshader_binary *bin, struct vs_as_diag *diag)
{
	return vs_as_qpu(text, size, opt, &bin->prog, diag);
}

static int lint(const struct vs_src *src, struct vs_log *log)
{
	static const struct vs_lint_rules rules = {
		qpu_lint, qpu_lint_name, qpu_lint_text, "instruction", NULL
	};

	return vs_lint_log(&rules, src, log);
}

static int check_native(const struct drm_vshader_native_job *n)
{
	if (n->format == DRM_VSHADER_NATIVE_QPU_LIST && (n->output_va || n->output_size))
		return vsh_fail(EINVAL, "native job: QPU lists have no output");
	if (n->model)
		return vsh_fail(EINVAL, "native job: model %u, QPU lists have only 0", n->model);
	if (n->switches & ~QPU_SW_ALL)
		return vsh_fail(EINVAL, "native job: unknown QPU switches %#x", n->switches);
	if (n->size / 8 > QPU_MAX_THREADS)
		return vsh_fail(E2BIG, "native job: %llu threads, the limit is %u",
				(unsigned long long)n->size / 8, QPU_MAX_THREADS);
	return 0;
}

const struct vsh_isa vsh_qpu_isa = {
	.disasm = { qpu_disasm, qpu_listing },
	.lint = lint,
	.assemble = assemble,
	.check_native = check_native,
	.hazard_text = hazard_text,
	.unit = "QPU",
};

/* ---- where processors are ---- */

const char *vshader_qpu_wait_name(uint32_t wait)
{
	return NAME(waits, wait);
}

int vshader_queue_get_qpus(struct vshader_device *dev, uint32_t id,
			   struct drm_vshader_qpu_state *qpus, unsigned int max)
{
	struct drm_vshader_qpu_state all[64] = { };
	struct drm_vshader_queue_get_state s = {
		.id = id,
		.engine_state = (uintptr_t)all,
		.engine_state_size = sizeof(all),
	};
	uint32_t n;
	int ret;

	ret = vshader_ioctl(dev, DRM_IOCTL_VSHADER_QUEUE_GET_STATE, &s);
	if (ret || s.fault.engine != DRM_VSHADER_ENGINE_QPU)
		return ret;
	n = s.engine_state_size / (uint32_t)sizeof(all[0]);
	if (max)
		memcpy(qpus, all, sizeof(all[0]) * (n < max ? n : max));
	return (int)n;
}

static size_t qpu_text(uint32_t n, const struct drm_vshader_qpu_state *q, char *buf, size_t size)
{
	size_t len = 0;

#define ADD(...) (len += (size_t)scnprintf(buf + len, size - len, __VA_ARGS__))
	ADD("QPU %u: thread %u at %#x after %llu instructions", n, q->thread, q->pc,
	    (unsigned long long)q->insns);
	switch (q->wait) {
	case DRM_VSHADER_QPU_WAIT_NONE:
		break;
	case DRM_VSHADER_QPU_WAIT_SEMA_INC:
		ADD(" waits to release semaphore %u, which is at 15", q->info);
		break;
	case DRM_VSHADER_QPU_WAIT_SEMA_DEC:
		ADD(" waits to acquire semaphore %u, which is at 0", q->info);
		break;
	case DRM_VSHADER_QPU_WAIT_MUTEX:
		ADD(" waits for the mutex, which QPU %u holds", q->info);
		break;
	case DRM_VSHADER_QPU_WAIT_SCOREBOARD:
		ADD(" waits for an earlier block of its pixels");
		break;
	default:
		ADD(" waits (%u, %u)", q->wait, q->info);
	}
#undef ADD
	return len;
}

const char *vshader_qpus_text(const struct drm_vshader_qpu_state *qpus, unsigned int num_qpus,
			      char *buf, size_t size)
{
	size_t len = 0;
	unsigned int i;

	if (size)
		buf[0] = 0;
	for (i = 0; i < num_qpus && len < size; i++) {
		if (qpus[i].wait == DRM_VSHADER_QPU_WAIT_IDLE)
			continue;
		if (len)
			len += (size_t)scnprintf(buf + len, size - len, "\n");
		len += qpu_text(i, &qpus[i], buf + len, size - len);
	}
	return buf;
}
