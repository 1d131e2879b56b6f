// SPDX-License-Identifier: MIT
/*
 * vshader trace: executed instructions as JSON lines, as a summary, and for Perfetto.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

enum {
	OPT_CHROME = 256, OPT_INVOCATIONS, OPT_PC, OPT_REGISTERS, OPT_VALUES, OPT_ACCESSES,
	OPT_SUMMARY, OPT_HEAT
};

struct trace_options {
	const char *device;
	const char *output;
	bool chrome;
	bool filter;
	bool one;
	bool values;
	bool accesses;
	bool summary;
	bool heat;
	struct trace_values range;
};

static int write_record(struct tracer *t, const struct drm_vshader_debug_trace_record *r)
{
	struct json_object *o = json_object_new_object();
	const struct dbg_code *c = trace_code(t, r);
	const struct dbg_insn *i = dbg_code_at(c, r->pc);
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
	trace_line(t->arg, o);
	return 0;
}

/* ---- the command ---- */

static int trace(const char *path, const struct trace_options *opt, FILE *f)
{
	struct tracer t = { .arg = f, .record = write_record };
	int ret;

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
	if (!ret)
		ret = trace_status(&t.d, path);
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
"      --summary            the hottest instructions, divergence and the memory rows that are\n"
"                           accessed most, as tables\n"
"      --heat               listings of the programs with the share of each instruction\n"
"      --chrome             slices of jobs, processors and programs, counters, for\n"
"                           chrome://tracing and Perfetto\n\n"
"Runs jobs one after the other, without their sync operations. Writes one line of JSON\n"
"for each instruction that invocations execute together.\n";

/* Options that contradict each other. */
static int check_options(const struct trace_options *opt)
{
	bool whole = opt->chrome || opt->summary || opt->heat;

	if (opt->one && (whole || opt->filter))
		return fail("--registers follows one invocation: nothing else goes with it");
	if (opt->chrome && (opt->summary || opt->heat))
		return fail("--chrome writes JSON: --summary and --heat do not go with it");
	if (whole && (opt->filter || opt->values || opt->accesses))
		return fail("--chrome, --summary and --heat are about whole jobs, without filters");
	return 0;
}

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
		{ "summary", no_argument, NULL, OPT_SUMMARY },
		{ "heat", no_argument, NULL, OPT_HEAT },
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
		case OPT_SUMMARY:
			opt->summary = true;
			break;
		case OPT_HEAT:
			opt->heat = true;
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
	return ret ? ret : check_options(opt) ? EXIT_USAGE :
	       optind == argc - 1 ? 0 : usage_error();
}

static int run_trace(const char *path, const struct trace_options *opt, FILE *f)
{
	if (opt->chrome)
		return trace_chrome(path, opt->device, f);
	if (opt->summary || opt->heat)
		return trace_summary(path, opt->device, opt->summary, opt->heat, f);
	return opt->values ? trace_values(path, opt->device, &opt->range, f) :
			     trace(path, opt, f);
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
	ret = run_trace(argv[optind], &opt, f);
	return finish_file(f, opt.output) ? EXIT_USAGE : ret;
}
