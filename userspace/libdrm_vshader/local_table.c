// SPDX-License-Identifier: MIT
/*
 * Local backend: object tables.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

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
