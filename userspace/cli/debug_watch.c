// SPDX-License-Identifier: MIT
/*
 * Watched registers: the interface has none, the invocation is stepped until one has changed.
 */
#include <string.h>

#include "debug.h"

static bool is_watch(const struct dbg_point *p)
{
	return p->num && p->p.kind == DBG_WATCH_VALUE;
}

bool dbg_has_watch(const struct dbg *d)
{
	unsigned int i;

	for (i = 0; i < DBG_MAX_POINTS; i++) {
		if (is_watch(&d->points[i]) &&
		    !(d->points[i].p.flags & DRM_VSHADER_DEBUG_POINT_DISABLED))
			return true;
	}
	return false;
}

int dbg_continue(struct dbg *d)
{
	unsigned int i;

	if (!dbg_has_watch(d))
		return dbg_resume(d, DRM_VSHADER_DEBUG_CONTINUE, 0, 0, 0);
	d->watching = true;
	for (i = 0; !is_watch(&d->points[i]); i++)
		;
	return dbg_resume(d, DRM_VSHADER_DEBUG_STEP_OPERATION, d->points[i].inv, 0, 1);
}

/* Value of a watched register in its invocation, which is selected if it can be read. */
static bool read_watched(struct dbg *d, const struct dbg_point *p, struct dbg_value *now)
{
	uint64_t selected = d->inv;

	d->inv = p->inv;
	if (!dbg_eval(d, p->what, now))
		return true;
	d->inv = selected;
	return false;
}

struct dbg_point *dbg_watch_changed(struct dbg *d, struct dbg_value *old)
{
	uint64_t selected = d->inv;
	struct dbg_value now;
	unsigned int i;

	for (i = 0; i < DBG_MAX_POINTS; i++) {
		struct dbg_point *p = &d->points[i];

		if (!is_watch(p) || p->p.flags & DRM_VSHADER_DEBUG_POINT_DISABLED ||
		    !read_watched(d, p, &now))
			continue;
		if (now.num == p->value.num &&
		    !memcmp(now.v, p->value.v, now.num * sizeof(now.v[0])))
			continue;
		*old = p->value;
		p->value = now;
		if (!dbg_point_applies(d, p))
			continue;
		p->hits++;
		return p;
	}
	d->inv = selected;
	return NULL;
}

void dbg_drop_watches(struct dbg *d)
{
	unsigned int i;

	for (i = 0; i < DBG_MAX_POINTS; i++) {
		if (!is_watch(&d->points[i]))
			continue;
		dbg_printf(d, "Watchpoint %u deleted: its invocation has ended.\n",
			   d->points[i].num);
		dbg_delete_point(d, &d->points[i]);
	}
	d->watching = false;
}
