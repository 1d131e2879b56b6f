// SPDX-License-Identifier: MIT
/*
 * Names of enumerations, and records put into words.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "isa/isa.h"
#include "native/native.h"
#include "vsh_isa.h"

#define NAME(table, n) ((n) < ARRAY_SIZE(table) ? (table)[n] : NULL)

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
	[DRM_VSHADER_SIMD_NEON] = "neon",
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
	const struct vs_isa *isa = vs_isa_by_id(engine);

	return isa ? isa->name : NULL;
}

int vshader_engine_by_name(const char *name)
{
	const struct vs_isa *isa = vs_isa_by_name(name);
	char known[160];
	size_t len = 0;
	uint32_t i;

	if (isa)
		return (int)isa->id;
	for (i = 0; i < VS_MAX_ISAS; i++)
		if (vshader_engine_name(i))
			len += (size_t)scnprintf(known + len, sizeof(known) - len, "%s%s",
						 len ? ", " : "", vshader_engine_name(i));
	return vsh_fail(EINVAL, "unknown engine \"%.40s\": %s", name, known);
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
	const char *why = NULL;
	uint32_t i;

	/* formats of an engine number their reasons apart */
	for (i = 0; i < VS_NUM_NATIVE && fault->code; i++) {
		if (vs_native_isa(i) != fault->engine)
			continue;
		why = vs_native_reason_text(i, fault->code);
		if (strcmp(why, "?"))
			break;
	}
	return why;
}

/* For encoding faults: reasons of the program's verifier. */
static const char *encoding_reason(const struct drm_vshader_fault *fault)
{
	const struct vs_isa *isa = vs_isa_by_id(fault->engine);

	return isa && fault->code ? isa->reason_text(fault->code) : NULL;
}

static void fault_text(const struct drm_vshader_fault *fault, char *buf, size_t size)
{
	const struct vsh_isa *isa = vsh_isa_of(fault->engine);
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
		/* a job that is refused as a whole has no command word */
		if (fault->info)
			ADD(" %#010x", fault->info);
		ADD(" at %#llx", (unsigned long long)fault->address);
		if (isa->unit)
			ADD(", thread %llu", (unsigned long long)fault->invocation);
		else
			ADD(", draw %u", fault->draw);
		why = command_reason(fault);
		if (why)
			ADD(": %s", why);
		return;
	case DRM_VSHADER_FAULT_ENCODING:
		if (isa->unit)
			break;
		why = encoding_reason(fault);
		ADD(" at word 0x%03x, draw %u: %s (value %#x)", fault->pc, fault->draw,
		    why ? why : "rejected", fault->info);
		return;
	case DRM_VSHADER_FAULT_HAZARD:
	case DRM_VSHADER_FAULT_HANG:
		why = isa->hazard_text ? isa->hazard_text(fault->code) : NULL;
		if (why)
			ADD(": %s", why);
		break;
	case DRM_VSHADER_FAULT_NONE:
	case DRM_VSHADER_FAULT_TIMEOUT:
	case DRM_VSHADER_FAULT_CANCELED:
		return;
	}
	if (isa->unit) {
		if (fault->pc != ~0u)
			ADD(", at %#x, thread %llu on %s %u", fault->pc,
			    (unsigned long long)fault->invocation, isa->unit, fault->info);
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
