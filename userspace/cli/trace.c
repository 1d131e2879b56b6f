// SPDX-License-Identifier: MIT
/*
 * Recording the instructions that the jobs of a file execute: a debug session that stops
 * jobs only to drain trace records.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli_isa.h"
#include "progress.h"
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
		args = (struct drm_vshader_debug_trace){
			.flags = t->flags | DRM_VSHADER_DEBUG_TRACE_ON,
		};
		ret = t->filter ? trace_set_filter(d, t->filter, &args) : 0;
		if (ret)
			break;
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

/* Register of the pixel and the sample of a fragment. */
static const struct drm_vshader_debug_bank *find_fragment(const struct dbg *d)
{
	uint32_t reg;

	return vshader_debug_register_by_name(d->banks, d->num_banks, "fragment", &reg);
}

static bool has_pixels(const struct dbg *d, uint32_t engine)
{
	struct drm_vshader_debug_bank banks[DBG_MAX_BANKS];
	int n = vshader_debug_banks(d->dev, engine, banks, DBG_MAX_BANKS);
	uint32_t reg;

	return cli_isa_of(engine)->fragments ||
	       (n > 0 && vshader_debug_register_by_name(banks, n, "fragment", &reg));
}

/* The pixels of a frame may be of another job of the file. */
static bool others_have_pixels(const struct dbg *d)
{
	unsigned int i;

	for (i = 0; i < d->jf->num_jobs; i++)
		if (has_pixels(d, dbg_job_engine(d, i)))
			return true;
	return false;
}

int trace_set_filter(struct dbg *d, const struct trace_filter *f,
		     struct drm_vshader_debug_trace *args)
{
	const struct drm_vshader_debug_bank *b = f->num_pixel ? find_fragment(d) : NULL;
	bool fixed = f->num_pixel == 2 && cli_isa_of(d->engine)->fragments;

	if (f->num_pixel && !b && !fixed && cli_isa_of(d->engine)->fragments)
		return dbg_error(d, "fragments of %s have no sample, expected X,Y",
				 vshader_engine_name(d->engine));
	if (f->num_pixel && !b && !fixed && others_have_pixels(d)) {
		args->flags = 0;
		return 0;
	}
	if (f->num_pixel && !b && !fixed)
		return dbg_error(d, "programs of %s have no pixels",
				 vshader_engine_name(d->engine));
	if (fixed && !b && args->flags & DRM_VSHADER_DEBUG_TRACE_STOP)
		return dbg_error(d, "fragments of %s run no program, there are no registers",
				 vshader_engine_name(d->engine));
	if (!f->instructions)
		args->flags |= DRM_VSHADER_DEBUG_TRACE_OPERATIONS;
	if (f->ranges) {
		args->flags |= DRM_VSHADER_DEBUG_TRACE_FILTER;
		args->filter_first = f->inv[0];
		args->filter_last = f->inv[1];
		args->filter_pc_first = (uint32_t)f->pc[0];
		args->filter_pc_last = (uint32_t)f->pc[1];
	}
	if (b || fixed) {
		args->flags |= b ? DRM_VSHADER_DEBUG_TRACE_REGISTER :
				   DRM_VSHADER_DEBUG_TRACE_FRAGMENTS;
		args->filter_register = b ? b->first : 0;
		args->filter_words = f->num_pixel;
		memcpy(args->filter_values, f->pixel, f->num_pixel * sizeof(f->pixel[0]));
	}
	return 0;
}

const char *trace_text(const struct dbg_code *c, const struct dbg_insn *i, uint32_t part,
		       const struct trace_filter *f, char *buf, size_t size)
{
	if (!f->instructions && dbg_code_operation(c, i, part, buf, size))
		return buf;
	return i->text;
}

int trace_session(struct dbg *d, const char *path, const char *device,
		  int (*trace)(struct dbg *d),
		  void (*on_event)(struct dbg *d, const struct drm_vshader_debug_event *e),
		  void *hook)
{
	int ret = dbg_init(d, path, device, &trace_ops, hook);
	atomic_uint done = 0;

	d->hook = hook;
	d->on_event = on_event;
	d->trace = trace;
	d->attach = 0;
	d->early = trace == take_records;
	/* it names the file */
	if (ret)
		return fail("%s", d->err);
	progress_begin(path, "jobs", &done, d->jf->num_jobs);
	d->jf->jobs_done = &done;
	ret = dbg_start(d);
	if (!ret)
		ret = dbg_wait(d);
	d->jf->jobs_done = NULL;
	progress_end();
	dbg_kill(d);
	return ret ? fail("%s: %s", path, d->err) : 0;
}

/* Tracing counts towards the time limit, for which the file or the device was not meant. */
static void hint_time(const char *path, const struct jf_outcome *o)
{
	fail("%s: %s: traced jobs are slower: raise \"time_limit_ms\", or trace less (%s)",
	     path, o->name, "--invocations, --pc");
}

/* Jobs that fault do not complete all of their invocations. */
static int check_invocations(const struct vshader_run *run, const struct trace_filter *f,
			     const char *path)
{
	uint64_t most = 0;
	uint32_t i;

	for (i = 0; i < run->num_outcomes; i++) {
		const struct jf_outcome *o = &run->outcomes[i];

		if (o->result.fault.kind)
			return 0;
		most = o->result.invocations > most ? o->result.invocations : most;
	}
	if (!most || f->inv[0] < most)
		return 0;
	return fail("%s: no job has invocation %llu, the last one is %llu", path,
		    (unsigned long long)f->inv[0], (unsigned long long)most - 1);
}

int trace_status(const struct dbg *d, const struct trace_filter *f, const char *path)
{
	const struct vshader_run *run = d->run;
	uint32_t i, k;

	if (run && f && check_invocations(run, f, path))
		return EXIT_USAGE;
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

static unsigned long lines;

unsigned long trace_lines(void)
{
	return lines;
}

void trace_line(FILE *f, struct json_object *o)
{
	lines++;
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

	/* its blend programs are in memory */
	return j->type == DRM_VSHADER_JOB_SHADER && !r->code_va ?
	       dbg_program(&t->d, j->shader.program) :
	       dbg_native_code(&t->d, r->code_va, 0, r->pc);
}
