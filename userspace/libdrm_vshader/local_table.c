// SPDX-License-Identifier: MIT
/*
 * Local backend: object tables, copying of arguments.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

#define MAX_ELEMENT	4096

int vsl_table_add(struct vsl_table *t, void *p, uint32_t max, uint32_t *id)
{
	uint32_t i;

	if (t->used >= max)
		return -E2BIG;
	for (i = 1; i < t->size && t->p[i]; i++)
		;
	if (i >= t->size) {
		uint32_t size = t->size ? t->size * 2 : 16;
		void **n = realloc(t->p, size * sizeof(*n));

		if (!n)
			return -ENOMEM;
		memset(n + t->size, 0, (size - t->size) * sizeof(*n));
		i = t->size ? t->size : 1;
		t->p = n;
		t->size = size;
	}
	t->p[i] = p;
	t->used++;
	*id = i;
	return 0;
}

void *vsl_table_get(const struct vsl_table *t, uint32_t id)
{
	return id < t->size ? t->p[id] : NULL;
}

void *vsl_table_remove(struct vsl_table *t, uint32_t id)
{
	void *p = vsl_table_get(t, id);

	if (p) {
		t->p[id] = NULL;
		t->used--;
	}
	return p;
}

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
			return vsh_fail(E2BIG, "%s has %zu bytes, and those behind byte %zu are not zero",
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
