// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Addresses that a driver picks for the buffers of a file. Without DRM.
 */
#include "personality/pers_va.h"

static int pers_va_new(struct pers_vas *v, void *obj, const struct pers_place *place)
{
	struct vs_mapping at = { .obj = obj };
	struct vs_mapping where = {
		.x.lo = (uintptr_t)obj,
		.x.hi = (uintptr_t)obj + 1,
		.x.flags = 1,
		.obj = obj,
	};
	int ret;

	ret = vs_mappings_gap(&v->by_va, place->start, place->end, place->size, place->align,
			      &at.x.lo);
	if (ret)
		return ret;
	at.x.hi = at.x.lo + place->size;
	where.off = at.x.lo;
	ret = vs_mappings_map(&v->by_va, &at);
	if (ret)
		return ret;
	ret = vs_mappings_map(&v->by_obj, &where);
	/* nothing is shared, so that this does not allocate */
	if (ret)
		vs_mappings_unmap(&v->by_va, at.x.lo, place->size);
	return ret;
}

int pers_va_add(struct pers_vas *v, void *obj, const struct pers_place *place)
{
	const struct vs_mapping *where = vs_mappings_find(&v->by_obj, (uintptr_t)obj);

	if (!where)
		return pers_va_new(v, obj, place);
	vs_mappings_update(&v->by_obj, (uintptr_t)obj, where->off, where->x.flags + 1);
	return 1;
}

bool pers_va_remove(struct pers_vas *v, const void *obj)
{
	const struct vs_mapping *where = vs_mappings_find(&v->by_obj, (uintptr_t)obj);
	const struct vs_mapping *at;

	if (!where)
		return false;
	if (where->x.flags > 1) {
		vs_mappings_update(&v->by_obj, (uintptr_t)obj, where->off, where->x.flags - 1);
		return false;
	}
	at = vs_mappings_find(&v->by_va, where->off);
	vs_mappings_unmap(&v->by_va, at->x.lo, at->x.hi - at->x.lo);
	vs_mappings_unmap(&v->by_obj, (uintptr_t)obj, 1);
	return true;
}

u64 pers_va_of(const struct pers_vas *v, const void *obj)
{
	const struct vs_mapping *where = vs_mappings_find(&v->by_obj, (uintptr_t)obj);

	return where ? where->off : 0;
}

void pers_va_fini(struct pers_vas *v)
{
	vs_mappings_fini(&v->by_va);
	vs_mappings_fini(&v->by_obj);
}
