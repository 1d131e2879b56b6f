// SPDX-License-Identifier: MIT
/*
 * vshader trace: executed instructions as JSON lines, as a summary, and for Perfetto.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "output.h"
#include "progress.h"
#include "trace.h"

enum {
	OPT_CHROME = 256, OPT_INVOCATIONS, OPT_PC, OPT_REGISTERS, OPT_VALUES, OPT_ACCESSES,
	OPT_SUMMARY, OPT_HEAT, OPT_PIXEL, OPT_INSTRUCTIONS, OPT_NAN
};

struct trace_options {
	const char *device;
	const char *output;
	bool chrome;
	bool one;
	bool values;
	bool accesses;
	bool summary;
	bool heat;
	bool nan;
	struct trace_filter filter;
};

/**
 * struct writer - output of records
 * @f: stream
 * @filter: what is traced
 */
struct writer {
	FILE *f;
	const struct trace_filter *filter;
};

static int write_instruction(struct tracer *t, const struct drm_vshader_debug_trace_record *r)
{
	struct json_object *o = json_object_new_object();
	const struct dbg_code *c = trace_code(t, r);
	const struct dbg_insn *i = dbg_code_at(c, r->pc);
	const struct writer *w = t->arg;
	char lanes[24], text[1024];

	snprintf(lanes, sizeof(lanes), "0x%016llx", (unsigned long long)r->lanes);
	js_int(o, "job", t->d.job);
	if (c)
		js_str(o, "program", c->name);
	js_int(o, "pc", r->pc);
	if (c && dbg_code_has_operations(c) && !w->filter->instructions)
		js_int(o, "part", r->part);
	js_int(o, "invocation", r->invocation);
	if (r->flags) {
		json_object_object_add(o, "access", trace_access(r));
	} else {
		js_int(o, "active", r->active);
		js_str(o, "lanes", lanes);
		if (i)
			js_str(o, "insn", trace_text(c, i, r->part, w->filter, text, sizeof(text)));
	}
	trace_line(w->f, o);
	return 0;
}

static int write_step(struct tracer *t, const struct drm_vshader_debug_trace_record *r)
{
	struct json_object *o = trace_fragment(r);
	const struct writer *w = t->arg;

	js_int(o, "job", t->d.job);
	trace_line(w->f, o);
	return 0;
}

static int write_record(struct tracer *t, const struct drm_vshader_debug_trace_record *r)
{
	if (r->flags & DRM_VSHADER_DEBUG_RECORD_FRAGMENT)
		return write_step(t, r);
	return write_instruction(t, r);
}

/* ---- the command ---- */

static int trace(const char *path, const struct trace_options *opt, FILE *f)
{
	struct writer w = { f, &opt->filter };
	struct tracer t = { .arg = &w, .record = write_record, .filter = &opt->filter };
	int ret;

	if (opt->accesses)
		t.flags = DRM_VSHADER_DEBUG_TRACE_ACCESSES;
	ret = trace_run(&t, path, opt->device);
	if (!ret)
		ret = trace_status(&t.d, &opt->filter, path);
	trace_fini(&t);
	return ret;
}

/* "N" or "N-M" */
static int parse_range(const char *text, uint64_t max, uint64_t *range)
{
	const char *last = text;
	bool good = isdigit((unsigned char)*text);
	char *end;

	errno = 0;
	range[0] = strtoull(text, &end, 0);
	range[1] = range[0];
	if (*end == '-' && end > text) {
		last = end + 1;
		good = good && isdigit((unsigned char)*last);
		range[1] = strtoull(last, &end, 0);
	}
	if (!good || *end || end == last || errno || range[0] > range[1] || range[1] > max)
		return fail("\"%s\": expected N or N-M", text);
	return 0;
}

/* "X,Y" or "X,Y,SAMPLE" */
static int parse_pixel(const char *text, struct trace_filter *f)
{
	const char *p = text;
	char *end;

	for (f->num_pixel = 0; f->num_pixel < 3; p = end + 1) {
		unsigned long n = strtoul(p, &end, 0);

		if (!isdigit((unsigned char)*p) || n > UINT16_MAX || (*end && *end != ','))
			break;
		f->pixel[f->num_pixel++] = (uint32_t)n;
		if (!*end && f->num_pixel >= 2)
			return 0;
		if (!*end)
			break;
	}
	return fail("\"%s\": expected X,Y or X,Y,SAMPLE, each up to 65535", text);
}

/* One invocation, with values. */
static int parse_one(const char *text, struct trace_options *opt)
{
	int ret = parse_range(text, UINT64_MAX, opt->filter.inv);

	if (!ret && opt->filter.inv[0] != opt->filter.inv[1])
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
"      --pixel X,Y[,SAMPLE] only fragment programs of this pixel, or the steps of its\n"
"                           fragments in a unit without programs\n"
"      --instructions       by whole clauses and bundles, not by their operations\n"
"      --accesses           also memory accesses\n"
"      --values             one line per invocation: the operands, changed registers and\n"
"                           memory accesses of the instruction\n"
"      --registers N        --values for invocation N only\n"
"      --nan                only operations that make NaNs or infinities of operands that are\n"
"                           none, with the number of invocations\n"
"      --summary            the hottest instructions, divergence and the memory rows that are\n"
"                           accessed most, as tables\n"
"      --heat               listings of the programs with the share of each instruction\n"
"      --chrome             slices of jobs, processors and programs, counters, for\n"
"                           chrome://tracing and Perfetto\n\n"
"Runs jobs one after the other, without their sync operations. Writes one line of JSON\n"
"for each operation that invocations execute together.\n";

/* Options that contradict each other. */
static int check_options(const struct trace_options *opt)
{
	bool filter = opt->filter.ranges || opt->filter.num_pixel || opt->filter.instructions;
	bool whole = opt->chrome || opt->summary || opt->heat;

	if (opt->one && (whole || opt->filter.ranges || opt->filter.num_pixel))
		return fail("--registers follows one invocation: nothing else goes with it");
	if (opt->chrome && (opt->summary || opt->heat))
		return fail("--chrome writes JSON: --summary and --heat do not go with it");
	if (whole && (filter || opt->values || opt->accesses || opt->nan))
		return fail("--chrome, --summary and --heat are about whole jobs, without filters");
	if (opt->nan && (opt->values || opt->accesses))
		return fail("--nan goes without --values, --registers and --accesses");
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
		{ "pixel", required_argument, NULL, OPT_PIXEL },
		{ "instructions", no_argument, NULL, OPT_INSTRUCTIONS },
		{ "nan", no_argument, NULL, OPT_NAN },
		{ "accesses", no_argument, NULL, OPT_ACCESSES },
		{ "summary", no_argument, NULL, OPT_SUMMARY },
		{ "heat", no_argument, NULL, OPT_HEAT },
		{ "chrome", no_argument, NULL, OPT_CHROME },
		{ "help", no_argument, NULL, 'h' }, { }
	};
	int c, ret = 0;

	while (!ret && (c = getopt_long(argc, argv, "d:o:h", options, NULL)) != -1) {
		switch (option_once(c, options, NULL)) {
		case 'd':
			opt->device = optarg;
			break;
		case 'o':
			opt->output = optarg;
			break;
		case OPT_INVOCATIONS:
			opt->filter.ranges = true;
			ret = parse_range(optarg, UINT64_MAX, opt->filter.inv);
			break;
		case OPT_PC:
			opt->filter.ranges = true;
			ret = parse_range(optarg, UINT32_MAX, opt->filter.pc);
			break;
		case OPT_PIXEL:
			ret = parse_pixel(optarg, &opt->filter);
			break;
		case OPT_INSTRUCTIONS:
			opt->filter.instructions = true;
			break;
		case OPT_NAN:
			opt->nan = true;
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
	if (opt->nan)
		return trace_specials(path, opt->device, &opt->filter, f);
	return opt->values ? trace_values(path, opt->device, &opt->filter, f) :
			     trace(path, opt, f);
}

/* Filters that leave nothing are a mistake more often than a result. */
static int nothing_traced(const char *path, const struct trace_options *opt, int ret)
{
	if (opt->nan || opt->chrome || opt->summary || opt->heat)
		return ret;
	if (opt->one)
		return fail("%s: no job executes an invocation %llu", path,
			    (unsigned long long)opt->filter.inv[0]);
	/* a pixel that no draw covers is a result, too */
	if (opt->filter.num_pixel)
		fail("%s: the jobs have no fragment of pixel %u,%u that passes the filters", path,
		     opt->filter.pixel[0], opt->filter.pixel[1]);
	else if (opt->filter.ranges)
		return fail("%s: the jobs execute no instruction that passes the filters", path);
	return ret;
}

int cmd_trace(int argc, char **argv)
{
	struct trace_options opt = {
		.device = "auto",
		.filter = { .inv = { 0, UINT64_MAX }, .pc = { 0, UINT32_MAX } },
	};
	int ret = parse_options(argc, argv, &opt);
	struct output out;
	struct stat st;

	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	ret = output_open(&out, opt.output);
	if (ret)
		return ret;
	/* lines on the terminal, maybe by a pager */
	if (!opt.summary && !opt.heat && !fstat(fileno(out.f), &st) && !S_ISREG(st.st_mode))
		progress_mute();
	ret = run_trace(argv[optind], &opt, out.f);
	if (ret < EXIT_USAGE && !trace_lines())
		ret = nothing_traced(argv[optind], &opt, ret);
	return output_close(&out, ret);
}
