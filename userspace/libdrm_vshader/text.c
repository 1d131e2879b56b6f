// SPDX-License-Identifier: MIT
/*
 * Names of enumerations, and records put into words.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "isa/isa.h"
#include "native/native.h"
#include "priv.h"

#define NAME(table, n) ((n) < ARRAY_SIZE(table) ? (table)[n] : NULL)

static const char * const engines[] = {
	[DRM_VSHADER_ENGINE_PICA] = "pica",
	[DRM_VSHADER_ENGINE_QPU] = "qpu",
	[DRM_VSHADER_ENGINE_BIFROST] = "bifrost",
	[DRM_VSHADER_ENGINE_MIDGARD] = "midgard",
	[DRM_VSHADER_ENGINE_UTGARD_GP] = "utgard-gp",
	[DRM_VSHADER_ENGINE_UTGARD_PP] = "utgard-pp",
};

static const char * const stages[] = {
	[DRM_VSHADER_STAGE_VERTEX] = "vertex",
	[DRM_VSHADER_STAGE_GEOMETRY] = "geometry",
	[DRM_VSHADER_STAGE_FRAGMENT] = "fragment",
	[DRM_VSHADER_STAGE_COMPUTE] = "compute",
};

static const char * const simds[] = {
	[DRM_VSHADER_SIMD_PORTABLE] = "portable",
	[DRM_VSHADER_SIMD_SSE2] = "sse2",
	[DRM_VSHADER_SIMD_AVX2] = "avx2",
	[DRM_VSHADER_SIMD_AVX512] = "avx512",
};

static const char * const faults[] = {
	[DRM_VSHADER_FAULT_NONE] = "none",
	[DRM_VSHADER_FAULT_READ] = "read",
	[DRM_VSHADER_FAULT_WRITE] = "write",
	[DRM_VSHADER_FAULT_FETCH] = "fetch",
	[DRM_VSHADER_FAULT_MISALIGNED] = "misaligned",
	[DRM_VSHADER_FAULT_ENCODING] = "encoding",
	[DRM_VSHADER_FAULT_BUDGET] = "budget",
	[DRM_VSHADER_FAULT_TIMEOUT] = "timeout",
	[DRM_VSHADER_FAULT_DEADLOCK] = "deadlock",
	[DRM_VSHADER_FAULT_HANG] = "hang",
	[DRM_VSHADER_FAULT_OVERFLOW] = "overflow",
	[DRM_VSHADER_FAULT_COMMAND] = "command",
	[DRM_VSHADER_FAULT_CANCELED] = "canceled",
	[DRM_VSHADER_FAULT_HAZARD] = "hazard",
};

static const char * const qpu_waits[] = {
	[DRM_VSHADER_QPU_WAIT_NONE] = "running",
	[DRM_VSHADER_QPU_WAIT_IDLE] = "idle",
	[DRM_VSHADER_QPU_WAIT_SEMA_INC] = "sema-release",
	[DRM_VSHADER_QPU_WAIT_SEMA_DEC] = "sema-acquire",
	[DRM_VSHADER_QPU_WAIT_MUTEX] = "mutex",
	[DRM_VSHADER_QPU_WAIT_SCOREBOARD] = "scoreboard",
};

static const char * const qpu_hazards[] = {
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
	[DRM_VSHADER_QPU_HAZARD_VPM_FULL] = "third VPM read set up while two are unfinished",
	[DRM_VSHADER_QPU_HAZARD_VPM_SETUP] = "VPM or DMA setup that is undefined or missing",
	[DRM_VSHADER_QPU_HAZARD_TMU_CONFIG] = "texture configuration that is undefined",
};

static const char * const fault_sentences[] = {
	[DRM_VSHADER_FAULT_NONE] = "no fault",
	[DRM_VSHADER_FAULT_READ] = "read of an unmapped address",
	[DRM_VSHADER_FAULT_WRITE] = "write to an unmapped or read-only address",
	[DRM_VSHADER_FAULT_FETCH] = "fetch from a bad address",
	[DRM_VSHADER_FAULT_MISALIGNED] = "misaligned access",
	[DRM_VSHADER_FAULT_ENCODING] = "undefined encoding",
	[DRM_VSHADER_FAULT_BUDGET] = "instruction budget exceeded",
	[DRM_VSHADER_FAULT_TIMEOUT] = "time limit exceeded",
	[DRM_VSHADER_FAULT_DEADLOCK] = "invocations wait for each other",
	[DRM_VSHADER_FAULT_HANG] = "the program hangs the real unit",
	[DRM_VSHADER_FAULT_OVERFLOW] = "more output than there is room for",
	[DRM_VSHADER_FAULT_COMMAND] = "bad or unsupported command",
	[DRM_VSHADER_FAULT_CANCELED] = "canceled: queue destroyed or device gone",
	[DRM_VSHADER_FAULT_HAZARD] = "rule of the pipeline broken",
};

const char *vshader_engine_name(uint32_t engine)
{
	return NAME(engines, engine);
}

int vshader_engine_by_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(engines); i++) {
		if (!strcmp(engines[i], name))
			return (int)i;
	}
	return vsh_fail(EINVAL, "unknown engine \"%.40s\": %s", name,
			"pica, qpu, bifrost, midgard, utgard-gp, utgard-pp");
}

const char *vshader_stage_name(uint32_t stage)
{
	return NAME(stages, stage);
}

const char *vshader_simd_name(uint32_t simd)
{
	return NAME(simds, simd);
}

const char *vshader_fault_name(uint32_t kind)
{
	return NAME(faults, kind);
}

const char *vshader_qpu_wait_name(uint32_t wait)
{
	return NAME(qpu_waits, wait);
}

static const char *stream_text(uint32_t stream, char *buf, size_t size)
{
	if (stream < 16)
		snprintf(buf, size, "attribute stream %u", stream);
	else if (stream < 32)
		snprintf(buf, size, "output stream %u", stream - 16);
	else if (stream == 32)
		snprintf(buf, size, "index buffer");
	else
		snprintf(buf, size, "stream %u", stream);
	return buf;
}

/* For command faults: reasons of the native format. */
static const char *command_reason(const struct drm_vshader_fault *fault)
{
	uint32_t i;

	for (i = 0; i < VS_NUM_NATIVE && fault->code; i++) {
		if (vs_native_isa(i) == fault->engine)
			return vs_native_reason_text(i, fault->code);
	}
	return NULL;
}

/* For encoding faults: reasons of the program's verifier. */
static const char *encoding_reason(const struct drm_vshader_fault *fault)
{
	const struct vs_isa *isa = vs_isa_by_id(fault->engine);

	return isa && fault->code ? isa->reason_text(fault->code) : NULL;
}

static void fault_text(const struct drm_vshader_fault *fault, char *buf, size_t size)
{
	const char *what = NAME(fault_sentences, fault->kind);
	const char *why;
	char stream[32];
	size_t len = 0;

#define ADD(...) (len += (size_t)scnprintf(buf + len, size - len, __VA_ARGS__))
	if (what)
		ADD("%s", what);
	else
		ADD("fault of unknown kind %u", fault->kind);
	switch (fault->kind) {
	case DRM_VSHADER_FAULT_READ:
	case DRM_VSHADER_FAULT_WRITE:
	case DRM_VSHADER_FAULT_FETCH:
	case DRM_VSHADER_FAULT_MISALIGNED:
		ADD(" %#llx (%u bytes)", (unsigned long long)fault->address, fault->size);
		break;
	case DRM_VSHADER_FAULT_COMMAND:
		ADD(" %#010x at %#llx", fault->info, (unsigned long long)fault->address);
		if (fault->engine == DRM_VSHADER_ENGINE_QPU)
			ADD(", thread %llu", (unsigned long long)fault->invocation);
		else
			ADD(", draw %u", fault->draw);
		why = command_reason(fault);
		if (why)
			ADD(": %s", why);
		return;
	case DRM_VSHADER_FAULT_ENCODING:
		if (fault->engine == DRM_VSHADER_ENGINE_QPU)
			break;
		why = encoding_reason(fault);
		ADD(" at word 0x%03x, draw %u: %s (value %#x)", fault->pc, fault->draw,
		    why ? why : "rejected", fault->info);
		return;
	case DRM_VSHADER_FAULT_HAZARD:
	case DRM_VSHADER_FAULT_HANG:
		why = fault->engine == DRM_VSHADER_ENGINE_QPU ? NAME(qpu_hazards, fault->code) :
								NULL;
		if (why)
			ADD(": %s", why);
		break;
	case DRM_VSHADER_FAULT_NONE:
	case DRM_VSHADER_FAULT_TIMEOUT:
	case DRM_VSHADER_FAULT_CANCELED:
		return;
	}
	if (fault->engine == DRM_VSHADER_ENGINE_QPU) {
		if (fault->pc != ~0u)
			ADD(", at %#x, thread %llu on QPU %u", fault->pc,
			    (unsigned long long)fault->invocation, fault->info);
		return;
	}
	if (fault->stream != ~0u)
		ADD(", %s", stream_text(fault->stream, stream, sizeof(stream)));
	if (fault->pc != ~0u)
		ADD(", at word 0x%03x", fault->pc);
	if (fault->stream != ~0u || fault->pc != ~0u)
		ADD(", invocation %llu", (unsigned long long)fault->invocation);
#undef ADD
}

/* Only these kinds are marked; of others the bit belongs to the value. */
static bool is_injected(const struct drm_vshader_fault *fault)
{
	switch (fault->kind) {
	case DRM_VSHADER_FAULT_READ:
	case DRM_VSHADER_FAULT_WRITE:
	case DRM_VSHADER_FAULT_FETCH:
	case DRM_VSHADER_FAULT_TIMEOUT:
		return fault->info & DRM_VSHADER_FAULT_INJECTED;
	default:
		return false;
	}
}

const char *vshader_fault_text(const struct drm_vshader_fault *fault, char *buf, size_t size)
{
	struct drm_vshader_fault f = *fault;
	size_t len;

	if (!size)
		return buf;
	if (is_injected(fault))
		f.info &= ~DRM_VSHADER_FAULT_INJECTED;
	fault_text(&f, buf, size);
	len = strlen(buf);
	if (is_injected(fault))
		scnprintf(buf + len, size - len, ", injected");
	return buf;
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

const char *vshader_reject_text(uint32_t engine, const struct drm_vshader_reject *reject, char *buf,
				size_t size)
{
	const struct vs_isa *isa = vs_isa_by_id(engine);
	const char *why = isa ? isa->reason_text(reject->reason) : NULL;
	size_t len;

	if (!size)
		return buf;
	len = (size_t)scnprintf(buf, size, "%s word 0x%03x", reject->section == VS_SECTION_OPDESC ?
				"descriptor" : "code", reject->offset);
	if (reject->field_hi)
		len += (size_t)scnprintf(buf + len, size - len, ", bits %u to %u",
					 reject->field_lo, reject->field_hi);
	scnprintf(buf + len, size - len, ": %s (value %#x, limit %#x)",
		  why ? why : "rejected for an unknown reason", reject->value, reject->limit);
	return buf;
}
