// SPDX-License-Identifier: MIT
/*
 * A debug session over the jobs of a file: one job after the other, each with the points
 * that the user set.
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

#define POLL_MS		100
#define STOP_LIMIT_MS	3600000u	/* of a job, all stops together */

int dbg_error(struct dbg *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(d->err, sizeof(d->err), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

void dbg_printf(struct dbg *d, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	d->ops->write(d->ctx, text);
	if (d->log)
		fputs(text, d->log);
	free(text);
}

void dbg_color_printf(struct dbg *d, enum color c, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if (d->log)
		fputs(text, d->log);
	if (d->ops->color)
		d->ops->write(d->ctx, color_begin(c));
	d->ops->write(d->ctx, text);
	if (d->ops->color)
		d->ops->write(d->ctx, color_end());
	free(text);
}

const char *dbg_job_name(const struct dbg *d)
{
	const char *name = d->job < d->jf->num_jobs ? d->jf->jobs[d->job].name : NULL;

	return name ? name : "job";
}

int dbg_need_stop(struct dbg *d)
{
	if (d->state == DBG_STOPPED)
		return 0;
	return dbg_error(d, d->state == DBG_RUNNING ? "The job is running." :
			 "No job is being run.");
}

/* ---- jobs ---- */

uint32_t dbg_job_engine(const struct dbg *d, uint32_t job)
{
	const struct jf_job *j = &d->jf->jobs[job];

	return j->queue == JF_NONE ? j->own.params.engine :
				     d->jf->queues[j->queue].params.engine;
}

static int find_banks(struct dbg *d)
{
	int n;

	d->engine = dbg_job_engine(d, d->job);
	n = vshader_debug_banks(d->dev, d->engine, d->banks, DBG_MAX_BANKS);
	if (n < 0)
		return dbg_error(d, "%s", vshader_error());
	if (!n)
		return dbg_error(d, "%s cannot be debugged", vshader_engine_name(d->engine));
	d->num_banks = (unsigned int)n < DBG_MAX_BANKS ? (unsigned int)n : DBG_MAX_BANKS;
	return 0;
}

static void close_session(struct dbg *d)
{
	if (d->session) {
		dbg_keep_hits(d);
		dbg_drop_watches(d);
	}
	vshader_debug_close(d->session);
	d->session = NULL;
	d->code = NULL;
	d->state = DBG_IDLE;
}

/* The results of this run instead of those of the last one. */
static void keep_results(struct dbg *d)
{
	struct vshader_run *run = vshader_steps_run(d->steps);

	if (d->run != run)
		vshader_run_free(d->run);
	d->run = run;
}

/* Abandon the run. */
static void end_run(struct dbg *d)
{
	close_session(d);
	keep_results(d);
	d->run = vshader_steps_close(d->steps);
	d->steps = NULL;
}

/* Return: 0 it runs, 1 it was refused, or an error. */
static int start_job(struct dbg *d)
{
	uint32_t queue, flags;
	int ret = vshader_steps_prepare(d->steps, d->job, &queue);

	if (ret)
		return ret;
	ret = find_banks(d);
	if (ret)
		return ret;
	flags = d->attach | (d->early && dbg_uploads(d) ? DRM_VSHADER_DEBUG_STOP_START : 0);
	ret = vshader_debug_attach(d->dev, queue, flags, STOP_LIMIT_MS, &d->session);
	/* The device may have a lower limit; fall back to its default. */
	if (ret == -E2BIG)
		ret = vshader_debug_attach(d->dev, queue, flags, 0, &d->session);
	if (ret)
		return dbg_error(d, "%s", vshader_error());
	ret = dbg_set_points(d);
	if (!ret && d->trace)
		ret = d->trace(d);
	if (!ret)
		ret = vshader_steps_submit(d->steps, d->job);
	if (!ret)
		d->state = DBG_RUNNING;
	return ret;
}

/* From @d->job on. */
static int start_jobs(struct dbg *d)
{
	int ret = 1;

	for (; ret > 0 && d->job < d->jf->num_jobs; d->job += ret > 0) {
		ret = start_job(d);
		if (ret)
			close_session(d);
		if (ret > 0)
			dbg_tell_end(d, vshader_steps_outcome(d->steps, d->job));
	}
	if (ret && d->job >= d->jf->num_jobs)
		d->job = d->jf->num_jobs - 1;
	if (ret < 0)
		end_run(d);
	if (ret > 0) {
		keep_results(d);
		dbg_tell_end(d, NULL);
	}
	return ret < 0 ? ret : 0;
}

int dbg_start(struct dbg *d)
{
	int ret;

	dbg_kill(d);
	if (!d->jf->num_jobs)
		return dbg_error(d, "The file has no jobs.");
	ret = vshader_steps_open(d->jf, d->dev, true, &d->steps, d->err, sizeof(d->err));
	if (ret)
		return ret;
	d->job = 0;
	return start_jobs(d);
}

void dbg_kill(struct dbg *d)
{
	if (d->steps)
		end_run(d);
}

/* ---- events ---- */

static int job_ended(struct dbg *d)
{
	int ret = d->trace ? d->trace(d) : 0;

	if (!ret)
		ret = vshader_steps_finish(d->steps, d->job);
	if (!ret)
		dbg_tell_end(d, vshader_steps_outcome(d->steps, d->job));
	close_session(d);
	if (ret) {
		end_run(d);
		return ret;
	}
	d->job++;
	return start_jobs(d);
}

/*
 * A step for the sake of watched registers. Return: whether it is a stop for the user; @p: point
 * whose register has changed.
 */
static bool check_watches(struct dbg *d, struct dbg_point **p, struct dbg_value *old)
{
	bool watching = d->watching;

	if (d->stop.reason == DRM_VSHADER_DEBUG_REASON_ENDED)
		dbg_drop_watches(d);
	else if (!*p)
		*p = dbg_watch_changed(d, old);
	return !watching || *p || d->stop.reason != DRM_VSHADER_DEBUG_REASON_STEP;
}

/* The user is told, and the point's commands are to be executed. */
static void stop_for_user(struct dbg *d, const struct dbg_point *p, const struct dbg_value *old)
{
	d->watching = false;
	d->last_list = 0;
	free(d->pending);
	d->pending = p && p->commands ? strdup(p->commands) : NULL;
	if (!d->pending || strncmp(d->pending, "silent\n", 7))
		dbg_tell_stop(d, p, old);
}

static int disable_point(struct dbg *d, struct dbg_point *p)
{
	p->once = false;
	p->p.flags |= DRM_VSHADER_DEBUG_POINT_DISABLED;
	return dbg_update_point(d, p);
}

/* Breakpoint hits whose condition is false do not count as stops. */
static int job_stopped(struct dbg *d)
{
	struct dbg_value old;
	struct dbg_point *p;
	int ret = vshader_debug_get_stop(d->session, &d->stop);

	if (ret)
		return dbg_error(d, "%s", vshader_error());
	if (d->stop.state != DRM_VSHADER_DEBUG_STATE_STOPPED)
		return 0;
	d->state = DBG_STOPPED;
	d->inv = d->stop.invocation;
	if (d->stop.reason == DRM_VSHADER_DEBUG_REASON_TRACE && d->trace) {
		ret = d->trace(d);
		return ret ? ret : dbg_resume(d, DRM_VSHADER_DEBUG_CONTINUE, 0, 0, 0);
	}
	if (d->stop.reason == DRM_VSHADER_DEBUG_REASON_START && d->early) {
		dbg_find_uploaded(d);
		return dbg_resume(d, DRM_VSHADER_DEBUG_CONTINUE, 0, 0, 0);
	}
	dbg_find_code(d);
	p = dbg_point_by_id(d, d->stop.point);
	if (p && d->stop.reason == DRM_VSHADER_DEBUG_REASON_BREAK && !dbg_point_applies(d, p)) {
		if (!d->watching)
			return dbg_resume(d, DRM_VSHADER_DEBUG_CONTINUE, 0, 0, 0);
		p = NULL;
		d->stop.reason = DRM_VSHADER_DEBUG_REASON_STEP;
	}
	if (!check_watches(d, &p, &old))
		return dbg_continue(d);
	stop_for_user(d, p, &old);
	if (p && p->temporary)
		dbg_delete_point(d, p);
	else if (p && p->once)
		return disable_point(d, p);
	return 0;
}

static int handle_event(struct dbg *d, const struct drm_vshader_debug_event *e)
{
	if (d->on_event)
		d->on_event(d, e);
	switch (e->type) {
	case DRM_VSHADER_DEBUG_EVENT_STOP:
		return job_stopped(d);
	case DRM_VSHADER_DEBUG_EVENT_JOB_END:
		return job_ended(d);
	case DRM_VSHADER_DEBUG_EVENT_OVERFLOW:
		dbg_printf(d, "[%llu events are missing]\n", (unsigned long long)e->value);
		return 0;
	case DRM_VSHADER_DEBUG_EVENT_QUEUE_GONE:
		end_run(d);
		return dbg_error(d, "The queue is gone.");
	default:
		return 0;
	}
}

int dbg_pump(struct dbg *d)
{
	struct drm_vshader_debug_event e;
	int ret;

	while (d->session) {
		ret = vshader_debug_next_event(d->session, 0, &e);
		if (ret == -ETIME)
			return 0;
		if (ret)
			return dbg_error(d, "%s", vshader_error());
		ret = handle_event(d, &e);
		if (ret)
			return ret;
	}
	return 0;
}

int dbg_wait(struct dbg *d)
{
	struct pollfd p = { .events = POLLIN };
	int ret = 0;

	while (!ret && d->state == DBG_RUNNING) {
		p.fd = vshader_debug_fd(d->session);
		if (poll(&p, 1, POLL_MS) < 0 && errno != EINTR)
			return dbg_error(d, "poll: %s", strerror(errno));
		if (d->ops->interrupted && d->ops->interrupted(d->ctx))
			vshader_debug_interrupt(d->session);
		ret = dbg_pump(d);
	}
	return ret;
}

int dbg_resume(struct dbg *d, uint32_t action, uint64_t inv, uint32_t pc, uint32_t count)
{
	int ret = dbg_need_stop(d);

	if (ret)
		return ret;
	ret = vshader_debug_resume(d->session, action, inv, pc, count);
	if (ret)
		return dbg_error(d, "%s", vshader_error());
	d->state = DBG_RUNNING;
	d->resumes++;
	free(d->pending);
	d->pending = NULL;
	return 0;
}

/* ---- set up and tear down ---- */

int dbg_init(struct dbg *d, const char *path, const char *device, const struct dbg_ops *ops,
	     void *ctx)
{
	struct vshader_jobfile *jf;
	char err[4096];

	memset(d, 0, sizeof(*d));
	d->ops = ops;
	d->ctx = ctx;
	d->path = path;
	d->attach = DRM_VSHADER_DEBUG_STOP_FAULT;
	d->list_size = 10;
	if (vshader_jobfile_load(path, &jf, err, sizeof(err)))
		return dbg_error(d, "%s: %.3000s", path, err);
	d->jf = jf;
	d->programs = calloc(jf->num_programs + 1, sizeof(*d->programs));
	if (!d->programs)
		return dbg_error(d, "out of memory");
	if (vshader_open(device, &d->dev))
		return dbg_error(d, "%s", vshader_error());
	return 0;
}

void dbg_fini(struct dbg *d)
{
	unsigned int i;

	dbg_kill(d);
	for (i = 0; d->programs && i < d->jf->num_programs; i++)
		dbg_code_free(d->programs[i]);
	free(d->programs);
	for (i = 0; i < d->num_native; i++)
		dbg_code_free(d->native[i]);
	free(d->native);
	for (i = 0; i < DBG_MAX_POINTS; i++) {
		free(d->points[i].what);
		free(d->points[i].cond);
		free(d->points[i].commands);
	}
	for (i = 0; i < DBG_MAX_DISPLAY; i++)
		free(d->displays[i].expr);
	for (i = 0; i < d->num_vars; i++)
		free(d->vars[i].name);
	free(d->pending);
	dbg_script_fini(d);
	dbg_settings_fini(d);
	vshader_run_free(d->run);
	vshader_jobfile_free((struct vshader_jobfile *)d->jf);
	if (d->result)
		json_object_put(d->result);
	vshader_close(d->dev);
}
