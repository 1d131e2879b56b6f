// SPDX-License-Identifier: MIT
/*
 * Breakpoints and watchpoints. They belong to the user and outlive jobs: every session is
 * given them anew.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

/* Set a point in the session. */
static int set_point(struct dbg *d, struct dbg_point *p)
{
	struct drm_vshader_debug_point s = p->p;
	int ret;

	if (p->p.kind == DBG_WATCH_VALUE)
		return 0;
	s.id = p->id;
	s.hits = 0;
	/* uploaded programs have no number: see dbg_point_applies() */
	s.program = p->program == JF_NONE || dbg_uploads(d) ? 0 :
		    vshader_steps_program_id(d->steps, p->program);
	if (!dbg_uploads(d) && p->program != JF_NONE && !s.program)
		return 0;
	ret = vshader_debug_set_point(d->session, &s);
	if (ret == -EOPNOTSUPP)
		return dbg_error(d, "%s programs do not access memory: no watchpoints",
				 vshader_engine_name(d->engine));
	if (ret)
		return dbg_error(d, "%s", vshader_error());
	p->id = s.id;
	return 0;
}

int dbg_set_points(struct dbg *d)
{
	unsigned int i;
	int ret;

	for (i = 0; i < DBG_MAX_POINTS; i++) {
		struct dbg_point *p = &d->points[i];

		p->id = 0;
		/* Some jobs of a file may access memory, others not. */
		ret = p->num ? set_point(d, p) : 0;
		if (ret && p->p.kind == DRM_VSHADER_DEBUG_BREAK)
			return ret;
	}
	return 0;
}

void dbg_keep_hits(struct dbg *d)
{
	unsigned int i;

	for (i = 0; i < DBG_MAX_POINTS; i++) {
		struct dbg_point *p = &d->points[i];
		struct drm_vshader_debug_point s;

		if (p->num && p->id && !vshader_debug_get_point(d->session, p->id, &s)) {
			p->hits += s.hits;
			p->p.ignore = s.ignore;
		}
		p->id = 0;
	}
}

uint64_t dbg_point_hits(struct dbg *d, const struct dbg_point *p)
{
	struct drm_vshader_debug_point s;

	if (!d->session || !p->id || vshader_debug_get_point(d->session, p->id, &s))
		return p->hits;
	return p->hits + s.hits;
}

struct dbg_point *dbg_point_by_id(struct dbg *d, uint32_t id)
{
	unsigned int i;

	for (i = 0; id && i < DBG_MAX_POINTS; i++) {
		if (d->points[i].num && d->points[i].id == id)
			return &d->points[i];
	}
	return NULL;
}

struct dbg_point *dbg_point_by_num(struct dbg *d, unsigned int num)
{
	unsigned int i;

	for (i = 0; num && i < DBG_MAX_POINTS; i++) {
		if (d->points[i].num == num)
			return &d->points[i];
	}
	dbg_error(d, "No breakpoint number %u.", num);
	return NULL;
}

int dbg_update_point(struct dbg *d, struct dbg_point *p)
{
	return d->session ? set_point(d, p) : 0;
}

static void free_point(struct dbg_point *p)
{
	free(p->what);
	free(p->cond);
	free(p->commands);
	memset(p, 0, sizeof(*p));
}

struct dbg_point *dbg_add_point(struct dbg *d, const struct dbg_point *t)
{
	struct dbg_point *p = NULL;
	unsigned int i;

	for (i = 0; i < DBG_MAX_POINTS && !p; i++) {
		if (!d->points[i].num)
			p = &d->points[i];
	}
	if (!p) {
		dbg_error(d, "There are at most %u breakpoints.", DBG_MAX_POINTS);
		return NULL;
	}
	*p = *t;
	p->num = d->last_point + 1;
	p->id = 0;
	p->what = strdup(t->what);
	p->cond = t->cond ? strdup(t->cond) : NULL;
	if (!p->what || (t->cond && !p->cond)) {
		dbg_error(d, "out of memory");
		free_point(p);
		return NULL;
	}
	if (dbg_update_point(d, p)) {
		free_point(p);
		return NULL;
	}
	d->last_point++;
	return p;
}

void dbg_delete_point(struct dbg *d, struct dbg_point *p)
{
	if (d->session && p->id)
		vshader_debug_clear_point(d->session, p->id);
	free_point(p);
}

static bool holds(struct dbg *d, const char *cond)
{
	struct dbg_value v;

	/* As in gdb: a condition that cannot be evaluated stops. */
	if (dbg_eval(d, cond, &v)) {
		dbg_printf(d, "Error in the condition \"%s\": %s\n", cond, d->err);
		return true;
	}
	return v.type == DBG_FLOAT ? dbg_to_double(&v, 0) != 0 : dbg_to_int(&v, 0) != 0;
}

bool dbg_point_applies(struct dbg *d, const struct dbg_point *p)
{
	struct drm_vshader_debug_invocation *all;
	bool found = false;
	int i, n;

	if (p->p.kind == DRM_VSHADER_DEBUG_BREAK && !dbg_in_program(d, p->program))
		return false;
	if (!p->cond)
		return true;
	if (p->p.kind == DBG_WATCH_VALUE)
		return holds(d, p->cond);
	n = dbg_invocations(d, &all);
	if (n < 0)
		return true;
	/* All that are about to execute the instruction are asked. */
	for (i = 0; i < n && !found; i++) {
		if (all[i].group != d->stop.group || all[i].pc != d->stop.pc ||
		    (p->p.flags & DRM_VSHADER_DEBUG_POINT_FILTER &&
		     (all[i].invocation < p->p.first || all[i].invocation > p->p.last)))
			continue;
		d->inv = all[i].invocation;
		found = holds(d, p->cond);
	}
	free(all);
	return found;
}
