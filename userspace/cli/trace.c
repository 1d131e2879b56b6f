// SPDX-License-Identifier: MIT
/*
 * Recording the instructions that the jobs of a file execute: a debug session that stops
 * jobs only to drain trace records.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

#define ROOM	4096u

/* Take available records and keep recording. */
static int take_records(struct dbg *d)
{
	struct drm_vshader_debug_trace_record *records = calloc(ROOM, sizeof(*records));
	struct drm_vshader_debug_trace args;
	struct tracer *t = d->hook;
	uint32_t i;
	int ret = 0;

	if (!records)
		return dbg_error(d, "out of memory");
	do {
		args = t->filter;
		args.flags |= DRM_VSHADER_DEBUG_TRACE_ON;
		args.count = ROOM;
		args.records = (uintptr_t)records;
		if (vshader_debug_trace(d->session, &args)) {
			ret = dbg_error(d, "%s", vshader_error());
			break;
		}
		for (i = 0; i < args.count && i < ROOM && !ret; i++)
			ret = t->record(t, &records[i]);
	} while (!ret && args.left);
	free(records);
	return ret;
}

static void write_nothing(void *ctx, const char *text)
{
}

static const struct dbg_ops trace_ops = { .write = write_nothing };

int trace_session(struct dbg *d, const char *path, const char *device,
		  int (*trace)(struct dbg *d),
		  void (*on_event)(struct dbg *d, const struct drm_vshader_debug_event *e),
		  void *hook)
{
	int ret = dbg_init(d, path, device, &trace_ops, hook);

	d->hook = hook;
	d->on_event = on_event;
	d->trace = trace;
	d->attach = 0;
	/* it names the file */
	if (ret)
		return fail("%s", d->err);
	ret = dbg_start(d);
	if (!ret)
		ret = dbg_wait(d);
	dbg_kill(d);
	return ret ? fail("%s: %s", path, d->err) : 0;
}

/* Tracing counts towards the time limit, for which the file or the device was not meant. */
static void hint_time(const char *path, const struct jf_outcome *o)
{
	fail("%s: %s: traced jobs are slower: raise \"time_limit_ms\", or trace less (%s)",
	     path, o->name, "--invocations, --pc");
}

int trace_status(const struct dbg *d, const char *path)
{
	const struct vshader_run *run = d->run;
	uint32_t i, k;

	if (!run || !run->num_failed)
		return EXIT_OK;
	for (i = 0; i < run->num_outcomes; i++) {
		const struct jf_outcome *o = &run->outcomes[i];

		for (k = 0; k < o->num_checks; k++)
			if (!o->checks[k].pass)
				fail("%s: %s: %s%s%.*s", path, o->name, o->checks[k].text,
				     o->message ? ": " : "",
				     o->message ? (int)strcspn(o->message, "\n") : 0,
				     o->message ? o->message : "");
		if (o->num_failed && o->result.fault.kind == DRM_VSHADER_FAULT_TIMEOUT)
			hint_time(path, o);
	}
	return EXIT_DIFFERS;
}

int trace_run(struct tracer *t, const char *path, const char *device)
{
	return trace_session(&t->d, path, device, t->record ? take_records : NULL, t->on_event, t);
}

void trace_fini(struct tracer *t)
{
	dbg_fini(&t->d);
}

void trace_line(FILE *f, struct json_object *o)
{
	fprintf(f, "%s\n", json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							  JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}

struct json_object *trace_access(const struct drm_vshader_debug_trace_record *r)
{
	bool read = r->flags & DRM_VSHADER_DEBUG_RECORD_READ;
	bool write = r->flags & DRM_VSHADER_DEBUG_RECORD_WRITE;
	struct json_object *o = json_object_new_object();
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)r->va);
	js_str(o, "kind", read && write ? "both" : write ? "write" : "read");
	js_str(o, "va", text);
	js_int(o, "size", r->size);
	if (r->flags & DRM_VSHADER_DEBUG_RECORD_MISSING)
		js_bool(o, "missing", true);
	return o;
}

struct dbg_code *trace_code(struct tracer *t, const struct drm_vshader_debug_trace_record *r)
{
	const struct jf_job *j = &t->d.jf->jobs[t->d.job];

	return j->type == DRM_VSHADER_JOB_SHADER ? dbg_program(&t->d, j->shader.program) :
						   dbg_native_code(&t->d, r->code_va, r->pc);
}
