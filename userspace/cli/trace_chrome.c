// SPDX-License-Identifier: MIT
/*
 * Traces for chrome://tracing and Perfetto: jobs by the clock, and in each job a slice per
 * processor or per run of a program, with counters.
 *
 * Engines execute instructions, not time: the instructions of a job are spaced evenly over its
 * run time.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_isa.h"
#include "trace.h"

#define BUCKETS		128u	/* of counters, in a job */
#define MOST_UNITS	64u	/* bits in the lanes of a record */
#define FIRST_TID	100u	/* of the tracks of cores */

/**
 * struct slice - what a core executes
 * @name: program
 * @first: first instruction of the job that belongs to it
 * @last: last one
 * @num: number of instructions
 */
struct slice {
	const char *name;
	uint64_t first;
	uint64_t last;
	uint64_t num;
};

/**
 * struct bucket - counters of consecutive instructions
 * @active: invocations that executed them, in all
 * @read: bytes
 * @written: bytes
 */
struct bucket {
	uint64_t active;
	uint64_t read;
	uint64_t written;
};

/**
 * struct chrome - state of a run
 * @events: events of the trace
 * @first_ns: time of the first event
 * @start_ns: start of the job
 * @end_ns: its end, 0: it runs or there is none
 * @job: its index in the file
 * @name: its name
 * @fault: its fault
 * @engine: its engine
 * @insns: instructions of the job so far
 * @units: independent engines: one for each, unused if @num is 0
 * @slices: other engines: one for each run of a program
 * @num_slices: number of @slices
 * @buckets: counters
 * @width: instructions in a bucket, a power of two
 * @tracks: cores that have a name: bit of a processor
 * @plain: the same for the core of other engines
 */
struct chrome {
	struct json_object *events;
	uint64_t first_ns;
	uint64_t start_ns;
	uint64_t end_ns;
	uint32_t job;
	const char *name;
	uint32_t fault;
	uint32_t engine;
	uint64_t insns;
	struct slice units[MOST_UNITS];
	struct slice *slices;
	size_t num_slices;
	struct bucket buckets[BUCKETS];
	uint64_t width;
	uint64_t tracks;
	uint32_t plain;
};

/* ---- events ---- */

/* Microseconds, exact to the nanosecond. */
static void js_time(struct json_object *o, const char *key, uint64_t ns)
{
	char text[40];

	snprintf(text, sizeof(text), "%llu.%03u", (unsigned long long)(ns / 1000),
		 (unsigned int)(ns % 1000));
	json_object_object_add(o, key, json_object_new_double_s((double)ns / 1000, text));
}

static struct json_object *add_event(struct chrome *w, const char *name, const char *phase,
				     uint64_t ns)
{
	struct json_object *o = json_object_new_object();

	js_str(o, "name", name);
	js_str(o, "ph", phase);
	js_time(o, "ts", ns - w->first_ns);
	js_int(o, "pid", 1);
	json_object_array_add(w->events, o);
	return o;
}

static struct json_object *add_slice(struct chrome *w, const char *name, const char *cat,
				     uint32_t tid, uint64_t start, uint64_t end)
{
	struct json_object *o = add_event(w, name, "X", start), *args;

	js_str(o, "cat", cat);
	js_time(o, "dur", end - start);
	js_int(o, "tid", tid);
	args = js_object(o, "args");
	js_int(args, "job", w->job);
	return args;
}

static void name_track(struct chrome *w, uint32_t tid, const char *name)
{
	struct json_object *o = add_event(w, "thread_name", "M", w->first_ns);

	js_int(o, "tid", tid);
	js_str(js_object(o, "args"), "name", name);
}

/* ---- what a job has executed ---- */

/* Time of an instruction of the job. */
static uint64_t insn_ns(const struct chrome *w, uint64_t insn)
{
	double part = (double)insn / (double)(w->insns ? w->insns : 1);

	return w->start_ns + (uint64_t)(part * (double)(w->end_ns - w->start_ns));
}

static void add_core(struct chrome *w, const struct slice *s, uint32_t tid)
{
	struct json_object *args = add_slice(w, s->name, "core", tid, insn_ns(w, s->first),
					     insn_ns(w, s->last + 1));

	js_int(args, "instructions", s->num);
}

static void add_cores(struct chrome *w)
{
	char name[32];
	size_t i;

	for (i = 0; i < MOST_UNITS; i++) {
		if (!w->units[i].num)
			continue;
		if (!(w->tracks & 1ull << i)) {
			snprintf(name, sizeof(name), "%s %zu",
				 vshader_engine_name(w->engine), i);
			name_track(w, FIRST_TID + (uint32_t)i, name);
			w->tracks |= 1ull << i;
		}
		add_core(w, &w->units[i], FIRST_TID + (uint32_t)i);
	}
	for (i = 0; i < w->num_slices; i++)
		add_core(w, &w->slices[i], FIRST_TID + MOST_UNITS + w->engine);
	if (w->num_slices && !(w->plain & 1u << w->engine)) {
		snprintf(name, sizeof(name), "%s programs", vshader_engine_name(w->engine));
		name_track(w, FIRST_TID + MOST_UNITS + w->engine, name);
		w->plain |= 1u << w->engine;
	}
}

static void add_counter(struct chrome *w, const char *name, uint64_t ns, double value)
{
	js_num(js_object(add_event(w, name, "C", ns), "args"), name, value);
}

static void add_counters(struct chrome *w)
{
	uint64_t at, n;
	uint32_t i;

	for (i = 0; i * w->width < w->insns; i++) {
		const struct bucket *b = &w->buckets[i];

		at = insn_ns(w, i * w->width);
		n = w->insns - i * w->width < w->width ? w->insns - i * w->width : w->width;
		add_counter(w, "active invocations", at, (double)b->active / (double)n);
		add_counter(w, "bytes read", at, (double)b->read);
		add_counter(w, "bytes written", at, (double)b->written);
	}
	if (!w->insns)
		return;
	add_counter(w, "active invocations", w->end_ns, 0);
	add_counter(w, "bytes read", w->end_ns, 0);
	add_counter(w, "bytes written", w->end_ns, 0);
}

/* Write the job that has ended; its last records come after its last event. */
static void flush(struct chrome *w)
{
	struct json_object *args;

	if (w->end_ns) {
		args = add_slice(w, w->name, "job", w->engine + 1, w->start_ns, w->end_ns);
		js_str(args, "fault", vshader_fault_name(w->fault));
		js_int(args, "instructions", w->insns);
		add_cores(w);
		add_counters(w);
	}
	w->end_ns = 0;
	w->insns = 0;
	w->width = 1;
	w->num_slices = 0;
	memset(w->units, 0, sizeof(w->units));
	memset(w->buckets, 0, sizeof(w->buckets));
}

static void on_event(struct dbg *d, const struct drm_vshader_debug_event *e)
{
	struct tracer *t = d->hook;
	struct chrome *w = t->arg;

	if (!w->first_ns)
		w->first_ns = e->time_ns;
	switch (e->type) {
	case DRM_VSHADER_DEBUG_EVENT_JOB_START:
		flush(w);
		w->start_ns = e->time_ns;
		w->job = d->job;
		w->engine = d->engine;
		w->name = dbg_job_name(d);
		break;
	case DRM_VSHADER_DEBUG_EVENT_JOB_END:
		w->end_ns = e->time_ns;
		w->fault = e->fault;
		break;
	}
}

/* ---- records ---- */

/* Half as many buckets, each for twice as many instructions. */
static void halve(struct chrome *w)
{
	uint32_t i;

	for (i = 0; i < BUCKETS / 2; i++) {
		const struct bucket *a = &w->buckets[2 * i], *b = a + 1;

		w->buckets[i] = (struct bucket){
			a->active + b->active, a->read + b->read, a->written + b->written,
		};
	}
	memset(&w->buckets[BUCKETS / 2], 0, sizeof(w->buckets) / 2);
	w->width *= 2;
}

static void count_access(struct chrome *w, const struct drm_vshader_debug_trace_record *r)
{
	struct bucket *b = &w->buckets[w->insns ? (w->insns - 1) / w->width : 0];

	if (r->flags & DRM_VSHADER_DEBUG_RECORD_READ)
		b->read += r->size;
	if (r->flags & DRM_VSHADER_DEBUG_RECORD_WRITE)
		b->written += r->size;
}

static void extend(struct slice *s, const char *name, uint64_t insn)
{
	if (!s->num)
		*s = (struct slice){ .name = name, .first = insn };
	s->last = insn;
	s->num++;
}

static int add_to_slice(struct tracer *t, const struct drm_vshader_debug_trace_record *r)
{
	const struct dbg_code *code = trace_code(t, r);
	const char *name = code ? code->name : "unknown code";
	struct chrome *w = t->arg;
	struct slice *s = w->slices;
	uint64_t lanes;

	if (cli_isa_of(t->d.engine)->independent) {
		for (lanes = r->lanes; lanes; lanes &= lanes - 1)
			extend(&w->units[__builtin_ctzll(lanes)], name, w->insns);
		return 0;
	}
	if (!w->num_slices || s[w->num_slices - 1].name != name) {
		s = realloc(s, (w->num_slices + 1) * sizeof(*s));
		if (!s)
			return dbg_error(&t->d, "out of memory");
		w->slices = s;
		s[w->num_slices++].num = 0;
	}
	extend(&s[w->num_slices - 1], name, w->insns);
	return 0;
}

static int on_record(struct tracer *t, const struct drm_vshader_debug_trace_record *r)
{
	struct chrome *w = t->arg;
	int ret;

	if (r->flags) {
		count_access(w, r);
		return 0;
	}
	ret = add_to_slice(t, r);
	if (w->insns / w->width >= BUCKETS)
		halve(w);
	w->buckets[w->insns / w->width].active += r->active;
	w->insns++;
	return ret;
}

int trace_chrome(const char *path, const char *device, FILE *f)
{
	struct json_object *root = json_object_new_object(), *o;
	struct chrome *w = calloc(1, sizeof(*w));
	struct tracer t = {
		.arg = w, .record = on_record, .on_event = on_event,
		.flags = DRM_VSHADER_DEBUG_TRACE_ACCESSES,
	};
	uint32_t i;
	int ret;

	if (!w) {
		json_object_put(root);
		return fail("out of memory");
	}
	js_str(root, "displayTimeUnit", "ns");
	w->events = js_array(root, "traceEvents");
	w->width = 1;
	ret = trace_run(&t, path, device);
	if (!ret) {
		flush(w);
		o = add_event(w, "process_name", "M", w->first_ns);
		js_str(js_object(o, "args"), "name", path);
		for (i = 0; vshader_engine_name(i); i++)
			name_track(w, i + 1, vshader_engine_name(i));
		trace_line(f, json_object_get(root));
		ret = trace_status(&t.d, NULL, path);
	}
	json_object_put(root);
	trace_fini(&t);
	free(w->slices);
	free(w);
	return ret;
}
