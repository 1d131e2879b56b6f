// SPDX-License-Identifier: MIT
/*
 * Checks of arguments that need no device. The same checks as the kernel
 * driver makes, with words to each.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "families/family.h"
#include "engine/vs_job.h"
#include "isa/isa.h"
#include "native/native.h"
#include "limits.h"
#include "vsh_isa.h"

#define MAX_ELEMENT	4096
#define BIND_FLAGS	(DRM_VSHADER_VM_BIND_UNMAP | DRM_VSHADER_VM_BIND_READONLY | \
			 DRM_VSHADER_VM_BIND_NOEXEC | DRM_VSHADER_VM_BIND_ALLOC_VA)

#define ALIGNED(x)	(!((x) % VSL_PAGE))

/* ---- copying ---- */

int vsl_copy_struct(void *dst, size_t dst_size, uint64_t src, size_t src_size, size_t min_size,
		    const char *what)
{
	const uint8_t *from = (const uint8_t *)(uintptr_t)src;
	size_t i, n = src_size < dst_size ? src_size : dst_size;

	if (src_size < min_size)
		return vsh_fail(EINVAL, "%s has %zu bytes, expected at least %zu", what, src_size,
				min_size);
	if (src_size > MAX_ELEMENT)
		return vsh_fail(E2BIG, "%s has %zu bytes, at most %d are looked at", what, src_size,
				MAX_ELEMENT);
	if (!from)
		return vsh_fail(EFAULT, "%s: the pointer is NULL", what);
	for (i = dst_size; i < src_size; i++) {
		if (from[i])
			return vsh_fail(E2BIG, "%s: of %zu bytes those from %zu on are not zero",
					what, src_size, dst_size);
	}
	memcpy(dst, from, n);
	memset((uint8_t *)dst + n, 0, dst_size - n);
	return 0;
}

int vsl_copy_array(const struct drm_vshader_obj_array *in, uint32_t max, size_t size,
		   size_t min_size, void **out, uint32_t *bad, const char *what)
{
	uint8_t *p;
	uint32_t i;
	int ret;

	*out = NULL;
	if (!in->count)
		return 0;
	if (in->count > max) {
		*bad = max;
		return vsh_fail(E2BIG, "%u elements of %s, the limit is %u", in->count, what, max);
	}
	p = calloc(in->count, size);
	if (!p)
		return vsh_fail(ENOMEM, "out of memory");
	for (i = 0; i < in->count; i++) {
		ret = vsl_copy_struct(p + i * size, size, in->array + (uint64_t)i * in->stride,
				      in->stride, min_size, what);
		if (ret) {
			*bad = i;
			free(p);
			return ret;
		}
	}
	*out = p;
	return 0;
}

/* ---- address spaces and buffers ---- */

int vsh_check_vm_create(const struct drm_vshader_vm_create *args)
{
	uint64_t limit = args->flags & DRM_VSHADER_VM_48BIT ? VSL_MAX_VA_48 : VSL_MAX_VA_32;
	uint64_t start = args->kernel_va_start ? args->kernel_va_start : VSL_KERNEL_VA;

	if (args->flags & ~DRM_VSHADER_VM_48BIT)
		return vsh_fail(EINVAL, "VM: unknown flags %#x", args->flags);
	if (!ALIGNED(start) || start < VSL_MIN_VA || start >= limit)
		return vsh_fail(EINVAL, "VM: kernel_va_start %#llx is no page in %#llx to %#llx",
				(unsigned long long)start, VSL_MIN_VA, (unsigned long long)limit);
	return 0;
}

int vsh_check_bind_op(const struct drm_vshader_vm_bind_op *op, uint64_t limit)
{
	if (op->flags & ~BIND_FLAGS)
		return vsh_fail(EINVAL, "unknown flags %#x", op->flags & ~BIND_FLAGS);
	if (!op->size || !ALIGNED(op->size) || op->size > limit - VSL_MIN_VA)
		return vsh_fail(EINVAL, "the size is 0, no multiple of %llu or above the limit",
				VSL_PAGE);
	if (!(op->flags & DRM_VSHADER_VM_BIND_ALLOC_VA) &&
	    (!ALIGNED(op->va) || op->va < VSL_MIN_VA || op->va > limit - op->size))
		return vsh_fail(EINVAL, "the range is not of pages in %#llx to %#llx",
				VSL_MIN_VA, (unsigned long long)limit);
	if (op->flags & DRM_VSHADER_VM_BIND_UNMAP) {
		if (op->flags == DRM_VSHADER_VM_BIND_UNMAP && !op->bo_handle && !op->bo_offset)
			return 0;
		return vsh_fail(EINVAL, "an unmap has no other flags, no buffer and no offset");
	}
	if (!ALIGNED(op->bo_offset))
		return vsh_fail(EINVAL, "the buffer's offset %#llx is not page aligned",
				(unsigned long long)op->bo_offset);
	return 0;
}

int vsh_check_bo_create(const struct drm_vshader_bo_create *args)
{
	if (!args->size || args->pad || args->flags & ~DRM_VSHADER_BO_NO_MMAP)
		return vsh_fail(EINVAL, "buffer: %s", !args->size ? "size is 0" :
				args->pad ? "pad is not 0" : "unknown flags");
	if (args->size > VSL_MAX_BO_SIZE)
		return vsh_fail(E2BIG, "buffer of %llu bytes, the limit is %llu",
				(unsigned long long)args->size, VSL_MAX_BO_SIZE);
	return 0;
}

/* ---- programs ---- */

static int take_section(const struct drm_vshader_program_section *s, struct vshader_source *src)
{
	if (s->type >= VSHADER_NUM_SECTIONS || s->pad)
		return vsh_fail(EINVAL, "program section: %s", s->pad ? "pad is not 0" :
				"unknown type");
	if (src->words[s->type])
		return vsh_fail(EINVAL, "program section %u is there twice", s->type);
	if (s->size > VSL_MAX_CODE_SIZE)
		return vsh_fail(E2BIG, "program section %u has %llu bytes, the limit is %u",
				s->type, (unsigned long long)s->size, VSL_MAX_CODE_SIZE);
	if (!s->size || s->size % 4)
		return vsh_fail(EINVAL, "program section %u: %llu bytes, not a multiple of 4",
				s->type, (unsigned long long)s->size);
	if (!s->data)
		return vsh_fail(EFAULT, "program section %u: the pointer is NULL", s->type);
	src->words[s->type] = (const uint32_t *)(uintptr_t)s->data;
	src->num_words[s->type] = (uint32_t)(s->size / 4);
	return 0;
}

int vsh_take_source(const struct drm_vshader_program_create *args, struct vshader_source *src)
{
	struct drm_vshader_program_section *s;
	uint32_t i, bad;
	void *copy;
	int ret;

	if (args->flags)
		return vsh_fail(EINVAL, "program: flags are not 0");
	if (args->sections.count > VSHADER_NUM_SECTIONS)
		return vsh_fail(EINVAL, "program: %u sections, at most %u exist",
				args->sections.count, VSHADER_NUM_SECTIONS);
	ret = vsl_copy_array(&args->sections, VSHADER_NUM_SECTIONS, sizeof(*s), sizeof(*s), &copy,
			     &bad, "program sections");
	if (ret)
		return ret;
	s = copy;
	for (i = 0; i < args->sections.count && !ret; i++)
		ret = take_section(&s[i], src);
	free(s);
	if (ret)
		return ret;
	if (!src->words[DRM_VSHADER_SECTION_CODE])
		return vsh_fail(EINVAL, "program: there is no code section");
	if (!args->num_entries)
		return vsh_fail(EINVAL, "program: there is no entry point");
	if (args->num_entries > VSL_MAX_ENTRIES)
		return vsh_fail(E2BIG, "program: %u entry points, the limit is %u",
				args->num_entries, VSL_MAX_ENTRIES);
	if (!args->entries)
		return vsh_fail(EFAULT, "program: the pointer to entry points is NULL");
	src->entries = (const uint32_t *)(uintptr_t)args->entries;
	src->num_entries = args->num_entries;
	return 0;
}

/* ---- queues ---- */

int vsh_check_queue_create(const struct drm_vshader_queue_create *args)
{
	if (!vs_isa_by_id(args->engine))
		return vsh_fail(EINVAL, "queue: engine %u does not exist", args->engine);
	if (args->flags & ~DRM_VSHADER_QUEUE_DEBUG)
		return vsh_fail(EINVAL, "queue: unknown flags %#x", args->flags);
	if (args->flags & DRM_VSHADER_QUEUE_DEBUG && !vs_isa_by_id(args->engine)->nbanks)
		return vsh_fail(EOPNOTSUPP, "queue: engine %s cannot be debugged",
				vs_isa_by_id(args->engine)->name);
	if (args->priority > DRM_VSHADER_PRIORITY_HIGH)
		return vsh_fail(EINVAL, "queue: unknown priority %u", args->priority);
	if (args->budget > VSL_MAX_BUDGET)
		return vsh_fail(E2BIG, "queue: budget %llu, the limit is %llu",
				(unsigned long long)args->budget, VSL_MAX_BUDGET);
	if (args->time_limit_ms > VSL_MAX_TIME_MS)
		return vsh_fail(E2BIG, "queue: time limit %u ms, the limit is %u",
				args->time_limit_ms, VSL_MAX_TIME_MS);
	return 0;
}

/* ---- jobs ---- */

int vsh_check_va(uint64_t va, uint64_t size, uint64_t limit, const char *what)
{
	if (va < limit && size <= limit - va)
		return 0;
	return vsh_fail(EINVAL, "%s: %#llx (%llu bytes) is no address of a %u-bit address space",
			what, (unsigned long long)va, (unsigned long long)size,
			limit == VSL_MAX_VA_48 ? 48 : 32);
}

static int shader_fail(const struct vshader_shader *s, int err, const char *fmt, ...)
{
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = vsh_vfail(err, fmt, ap);
	va_end(ap);
	return ret;
}

const struct vshader_shader_ops vsh_shader_ops = {
	.copy_struct = vsl_copy_struct,
	.fail = shader_fail,
};

static int check_in_memory(const struct drm_vshader_native_job *n, const struct vsh_isa *isa,
			   uint64_t limit)
{
	int ret;

	if (n->size)
		return vsh_fail(EINVAL, "native job: size is not 0, chains are read from memory");
	if (n->output_va || n->output_size)
		return vsh_fail(EINVAL, "native job: chains have no output");
	ret = isa->check_native ? isa->check_native(n) : 0;
	return ret ? ret : vsh_check_va(n->va, 1, limit, "job chain");
}

int vsh_check_native(const struct drm_vshader_native_job *n, uint64_t limit)
{
	const struct vsh_isa *isa = vsh_isa_of(vs_native_isa(n->format));
	int ret;

	if (n->flags & ~DRM_VSHADER_NATIVE_RESET_STATE)
		return vsh_fail(EINVAL, "native job: unknown flags %#x", n->flags);
	if (vs_native_isa(n->format) == VS_MAX_ISAS)
		return vsh_fail(EINVAL, "native job: unknown format %u", n->format);
	if (vs_native_in_memory(n->format))
		return check_in_memory(n, isa, limit);
	if (n->memory)
		return vsh_fail(EINVAL, "native job: memory is not 0");
	if (!n->size || n->size % 8)
		return vsh_fail(EINVAL, "native job: %llu bytes, expected a multiple of 8, not 0",
				(unsigned long long)n->size);
	if (n->size > VSL_MAX_NATIVE_SIZE)
		return vsh_fail(E2BIG, "native job: %llu bytes, the limit is %u",
				(unsigned long long)n->size, VSL_MAX_NATIVE_SIZE);
	ret = vsh_check_va(n->va, n->size, limit, "command list");
	if (!ret)
		ret = vsh_check_va(n->output_va, n->output_size, limit, "output");
	if (!ret && isa->check_native)
		ret = isa->check_native(n);
	return ret;
}

int vsh_check_sync(const struct drm_vshader_sync *y)
{
	bool timeline = y->flags & DRM_VSHADER_SYNC_TIMELINE;

	if (y->flags & ~(DRM_VSHADER_SYNC_SIGNAL | DRM_VSHADER_SYNC_TIMELINE))
		return vsh_fail(EINVAL, "sync operation: unknown flags %#x", y->flags);
	if (timeline != !!y->timeline_value)
		return vsh_fail(EINVAL, "sync operation: timeline_value is %llu %s TIMELINE",
				(unsigned long long)y->timeline_value,
				timeline ? "with" : "without");
	return 0;
}
