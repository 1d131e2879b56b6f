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
	return dbg_resume(d, DRM_VSHADER_DEBUG_STEP, d->points[i].inv, 0, 1);
}

struct dbg_point *dbg_watch_changed(struct dbg *d, struct dbg_value *old)
{
	struct dbg_value now;
	unsigned int i;

	for (i = 0; i < DBG_MAX_POINTS; i++) {
		struct dbg_point *p = &d->points[i];

		if (!is_watch(p) || p->inv != d->inv ||
		    p->p.flags & DRM_VSHADER_DEBUG_POINT_DISABLED || dbg_eval(d, p->what, &now))
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
