// SPDX-License-Identifier: MIT
/*
 * vshader trace: executed instructions as JSON lines, and times of jobs for Perfetto.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

enum {
	OPT_CHROME = 256, OPT_INVOCATIONS, OPT_PC, OPT_REGISTERS, OPT_VALUES, OPT_ACCESSES
};

struct trace_options {
	const char *device;
	const char *output;
	bool chrome;
	bool filter;
	bool one;
	bool values;
	bool accesses;
	struct trace_values range;
};

/**
 * struct writer - output of a trace
 * @f: output stream
 * @events: with --chrome: events of the trace
 * @first_ns: time of the first event
 * @start_ns: start time of the current part of a job
 */
struct writer {
	FILE *f;
	struct json_object *events;
	uint64_t first_ns;
	uint64_t start_ns;
};

static int write_record(struct tracer *t, const struct drm_vshader_debug_trace_record *r)
{
	struct json_object *o = json_object_new_object();
	const struct dbg_code *c = trace_code(t, r);
	const struct dbg_insn *i = dbg_code_at(c, r->pc);
	struct writer *w = t->arg;
	char lanes[24];

	snprintf(lanes, sizeof(lanes), "0x%016llx", (unsigned long long)r->lanes);
	js_int(o, "job", t->d.job);
	if (c)
		js_str(o, "program", c->name);
	js_int(o, "pc", r->pc);
	js_int(o, "invocation", r->invocation);
	if (r->flags) {
		json_object_object_add(o, "access", trace_access(r));
	} else {
		js_int(o, "active", r->active);
		js_str(o, "lanes", lanes);
		if (i)
			js_str(o, "insn", i->text);
	}
	trace_line(w->f, o);
	return 0;
}

/* ---- times ---- */

/* Microseconds, exact to the nanosecond. */
static void js_time(struct json_object *o, const char *key, uint64_t ns)
{
	char text[40];

	snprintf(text, sizeof(text), "%llu.%03u", (unsigned long long)(ns / 1000),
		 (unsigned int)(ns % 1000));
	json_object_object_add(o, key, json_object_new_double_s((double)ns / 1000, text));
}

static struct json_object *chrome_event(struct writer *w, const char *name, const char *phase,
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

/* A line for each engine. */
static void end_slice(struct tracer *t, const struct drm_vshader_debug_event *e)
{
	struct writer *w = t->arg;
	struct json_object *o = chrome_event(w, dbg_job_name(&t->d), "X", w->start_ns), *args;

	js_str(o, "cat", "job");
	js_time(o, "dur", e->time_ns - w->start_ns);
	js_int(o, "tid", t->d.engine + 1);
	args = js_object(o, "args");
	js_int(args, "job", t->d.job);
	js_str(args, "fault", vshader_fault_name(e->fault));
}

static void on_event(struct dbg *d, const struct drm_vshader_debug_event *e)
{
	struct tracer *t = d->hook;
	struct writer *w = t->arg;

	if (!w->first_ns)
		w->first_ns = e->time_ns;
	switch (e->type) {
	case DRM_VSHADER_DEBUG_EVENT_JOB_START:
		w->start_ns = e->time_ns;
		break;
	case DRM_VSHADER_DEBUG_EVENT_JOB_END:
		end_slice(t, e);
		break;
	}
}

static void name_tracks(struct writer *w, const char *path)
{
	struct json_object *o = chrome_event(w, "process_name", "M", w->first_ns);
	uint32_t i;

	js_str(js_object(o, "args"), "name", path);
	for (i = 0; vshader_engine_name(i); i++) {
		o = chrome_event(w, "thread_name", "M", w->first_ns);
		js_int(o, "tid", i + 1);
		js_str(js_object(o, "args"), "name", vshader_engine_name(i));
	}
}

/* ---- the command ---- */

static int trace(const char *path, const struct trace_options *opt, FILE *f)
{
	struct json_object *root = NULL;
	struct writer w = { .f = f };
	struct tracer t = { .arg = &w };
	int ret;

	if (opt->chrome) {
		root = json_object_new_object();
		js_str(root, "displayTimeUnit", "ns");
		w.events = js_array(root, "traceEvents");
		t.on_event = on_event;
	} else {
		t.record = write_record;
	}
	if (opt->filter) {
		t.filter.flags = DRM_VSHADER_DEBUG_TRACE_FILTER;
		t.filter.filter_first = opt->range.inv[0];
		t.filter.filter_last = opt->range.inv[1];
		t.filter.filter_pc_first = (uint32_t)opt->range.pc[0];
		t.filter.filter_pc_last = (uint32_t)opt->range.pc[1];
	}
	if (opt->accesses)
		t.filter.flags |= DRM_VSHADER_DEBUG_TRACE_ACCESSES;
	ret = trace_run(&t, path, opt->device);
	if (!ret && opt->chrome) {
		name_tracks(&w, path);
		trace_line(w.f, json_object_get(root));
	}
	if (!ret)
		ret = trace_status(&t.d, path);
	if (root)
		json_object_put(root);
	trace_fini(&t);
	return ret;
}

/* "N" or "N-M" */
static int parse_range(const char *text, uint64_t max, uint64_t *range)
{
	char *end;

	errno = 0;
	range[0] = strtoull(text, &end, 0);
	range[1] = range[0];
	if (*end == '-' && end > text) {
		text = end + 1;
		range[1] = strtoull(text, &end, 0);
	}
	if (*end || end == text || errno || range[0] > range[1] || range[1] > max)
		return fail("\"%s\": expected N or N-M", text);
	return 0;
}

/* One invocation, with values. */
static int parse_one(const char *text, struct trace_options *opt)
{
	int ret = parse_range(text, UINT64_MAX, opt->range.inv);

	if (!ret && opt->range.inv[0] != opt->range.inv[1])
		return fail("\"%s\": expected one invocation", text);
	opt->one = true;
	opt->values = true;
	return ret;
}

static const char help[] =
"  -d, --device DEV         auto (default), local[:OPTIONS], or a device node\n"
"  -o, --output FILE        output file, default standard output\n"
"      --invocations N[-M]  only these invocations\n"
"      --pc N[-M]           only these instructions\n"
"      --accesses           also memory accesses\n"
"      --values             one line per invocation: the operands, changed registers and\n"
"                           memory accesses of the instruction\n"
"      --registers N        --values for invocation N only\n"
"      --chrome             only the run time of each job, for chrome://tracing and Perfetto\n\n"
"Runs jobs one after the other, without their sync operations. Writes one line of JSON\n"
"for each instruction that invocations execute together.\n";

static int parse_options(int argc, char **argv, struct trace_options *opt)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "output", required_argument, NULL, 'o' },
		{ "invocations", required_argument, NULL, OPT_INVOCATIONS },
		{ "pc", required_argument, NULL, OPT_PC },
		{ "registers", required_argument, NULL, OPT_REGISTERS },
		{ "values", no_argument, NULL, OPT_VALUES },
		{ "accesses", no_argument, NULL, OPT_ACCESSES },
		{ "chrome", no_argument, NULL, OPT_CHROME },
		{ "help", no_argument, NULL, 'h' }, { }
	};
	int c, ret = 0;

	while (!ret && (c = getopt_long(argc, argv, "d:o:h", options, NULL)) != -1) {
		switch (c) {
		case 'd':
			opt->device = optarg;
			break;
		case 'o':
			opt->output = optarg;
			break;
		case OPT_INVOCATIONS:
			opt->filter = true;
			ret = parse_range(optarg, UINT64_MAX, opt->range.inv);
			break;
		case OPT_PC:
			opt->filter = true;
			ret = parse_range(optarg, UINT32_MAX, opt->range.pc);
			break;
		case OPT_REGISTERS:
			ret = parse_one(optarg, opt);
			break;
		case OPT_VALUES:
			opt->values = true;
			break;
		case OPT_ACCESSES:
			opt->accesses = true;
			break;
		case OPT_CHROME:
			opt->chrome = true;
			break;
		case 'h':
			print_help(help);
			return -1;
		default:
			return usage_error();
		}
	}
	if (!ret && opt->one && (opt->chrome || opt->filter))
		return fail("--registers follows one invocation: nothing else goes with it");
	if (!ret && opt->chrome && (opt->filter || opt->values || opt->accesses))
		return fail("--chrome records no instructions: there is nothing to filter");
	return ret ? ret : optind == argc - 1 ? 0 : usage_error();
}

int cmd_trace(int argc, char **argv)
{
	struct trace_options opt = {
		.device = "auto", .range = { { 0, UINT64_MAX }, { 0, UINT32_MAX } },
	};
	int ret = parse_options(argc, argv, &opt);
	FILE *f = stdout;

	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (opt.output)
		f = fopen(opt.output, "we");
	if (!f)
		return fail("%s: %s", opt.output, strerror(errno));
	ret = opt.values ? trace_values(argv[optind], opt.device, &opt.range, f) :
			   trace(argv[optind], &opt, f);
	return finish_file(f, opt.output) ? EXIT_USAGE : ret;
}
