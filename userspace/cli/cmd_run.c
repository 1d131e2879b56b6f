// SPDX-License-Identifier: MIT
/*
 * vshader run: job files, their results as text, JSON and files.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "color.h"
#include "coverage.h"
#include "output.h"
#include "progress.h"
#include "sheet.h"
#include "vshader_dump.h"

#define DUMP_WAIT_NS	5000000000ll

enum { OPT_PNG = 256, OPT_OUT, OPT_COLOR, OPT_SHEET };

/**
 * struct wish - file to be written from what jobs wrote
 * @name: of the memory; of an image, or NULL for all images
 * @path: file, or folder for all images
 * @png: as PNG
 * @index: in the job file's outputs
 */
struct wish {
	char *name;
	const char *path;
	bool png;
	uint32_t index;
};

#define MAX_WISHES	64

struct run_options {
	const char *device;
	bool json;
	bool verbose;
	bool quiet;
	bool coverage;
	const char *dump;
	struct wish wishes[MAX_WISHES];
	uint32_t num_wishes;
	const char *sheet_path;
	struct sheet *sheet;
	struct vshader_device *dev;
	struct json_object *reports;
};

/* ---- run ---- */

/* @list: printed with the results in JSON, or NULL; consumed. */
static int report(const char *path, const struct vshader_jobfile *jf,
		  const struct vshader_run *run, const struct run_options *opt,
		  struct json_object *list)
{
	int ret = run->num_failed ? EXIT_DIFFERS : EXIT_OK;

	if (opt->json) {
		struct json_object *o = report_json(jf, run);

		js_str(o, "file", path);
		if (list)
			json_object_object_add(o, "coverage", list);
		json_object_array_add(opt->reports, o);
		return ret;
	}
	printf("%s%s%s: %s%u of %u checks passed%s\n", safe_name(path), jf->name ? ", " : "",
	       jf->name ? jf->name : "", color_begin(run->num_failed ? COLOR_BAD : COLOR_GOOD),
	       run->num_checks - run->num_failed, run->num_checks, color_end());
	if (!opt->quiet || ret)
		report_text(jf, run, opt->verbose);
	return ret;
}

/* ---- files ---- */

/* "NAME=FILE"; for images also a folder. */
static int add_wish(struct run_options *opt, char *text, bool png)
{
	struct wish *w = &opt->wishes[opt->num_wishes];
	char *eq = strrchr(text, '=');

	if (opt->num_wishes == MAX_WISHES)
		return fail("more than %u files to write", MAX_WISHES);
	if ((!eq && !png) || (eq && (eq == text || !eq[1])) || !*text)
		return fail("\"%s\": expected NAME=FILE%s", text, png ? ", or a folder" : "");
	if (refuse_stdout(png ? "--png" : "--out", eq ? eq + 1 : text))
		return EXIT_USAGE;
	*w = (struct wish){ .name = eq ? text : NULL, .path = eq ? eq + 1 : text, .png = png };
	if (eq)
		*eq = 0;
	opt->num_wishes++;
	return 0;
}

static int want(struct vshader_jobfile *jf, struct run_options *opt, const char *path)
{
	uint32_t i, k;
	char err[400];

	/* printed */
	for (k = 0; opt->verbose && !opt->json && k < jf->num_outputs; k++)
		jf->outputs[k].wanted = true;
	for (i = 0; i < opt->num_wishes; i++) {
		struct wish *w = &opt->wishes[i];

		if (w->name && vshader_jobfile_want(jf, w->name, w->png, &w->index, err,
						    sizeof(err)))
			return fail("%s: %s", path, err);
		for (k = 0; !w->name && k < jf->num_outputs; k++)
			jf->outputs[k].wanted |= jf->outputs[k].image;
		jf->want_targets |= !w->name;
	}
	for (k = 0; opt->sheet && k < jf->num_outputs; k++)
		jf->outputs[k].wanted |= jf->outputs[k].image;
	jf->want_targets |= !!opt->sheet;
	return 0;
}

static int write_file(const char *path, const uint8_t *data, uint64_t size)
{
	struct output out;
	int ret = output_open(&out, path);

	if (ret)
		return ret;
	fwrite(data, 1, size, out.f);
	return output_close(&out, 0);
}

static int write_picture(const char *path, const struct jf_picture *p, const uint8_t *data,
			 const struct run_options *opt)
{
	const char *wrong;
	struct output out;
	int ret = output_open(&out, path);

	if (ret)
		return ret;
	wrong = jf_png_write(out.f, p, data);
	ret = output_close(&out, wrong ? fail("%s: %s", path, wrong) : 0);
	if (ret)
		return ret;
	if (!opt->json)
		printf("  wrote %s, %u x %u\n", safe_name(path), p->width, p->height);
	return 0;
}

/* The picture of a frame, by its name. */
static int write_target(const struct vshader_run *run, const struct wish *w,
			const struct run_options *opt)
{
	char known[400] = "";
	size_t len = 0;
	uint32_t i;

	for (i = 0; i < run->num_targets; i++) {
		const struct jf_target *t = &run->targets[i];

		if (!strcmp(t->name, w->name))
			return write_picture(w->path, &t->picture, t->data, opt);
		if (len < sizeof(known) - 1)
			len += (size_t)snprintf(known + len, sizeof(known) - len, ", \"%s\"",
						t->name);
	}
	return fail("\"%.64s\" is not in \"images\" and no job has drawn it%s%s; %s", w->name,
		    *known ? "; jobs have drawn " : "", *known ? known + 2 : "",
		    "others are PLACE:WIDTHxHEIGHT[:FORMAT[:STRIDE]]");
}

static int write_output(const struct vshader_jobfile *jf, const struct vshader_run *run,
			uint32_t index, bool png, const char *path, const struct run_options *opt)
{
	const struct jf_output *o = &jf->outputs[index];

	if (!run->files[index])
		return fail("%s: memory of \"%s\" cannot be read, or not as one buffer", path,
			    o->name);
	if (!png)
		return write_file(path, run->files[index], o->size);
	return write_picture(path, &o->picture, run->files[index], opt);
}

/* All images, as FOLDER/NAME.png; the folder need not exist. */
static int write_all(const struct vshader_jobfile *jf, const struct vshader_run *run,
		     const char *folder, const struct run_options *opt)
{
	uint32_t i, n = 0;
	char path[4096];
	int ret = 0;

	if (mkdir(folder, 0777) && errno != EEXIST)
		return fail("%s: %s", folder, strerror(errno));
	for (i = 0; i < jf->num_outputs && !ret; i++) {
		if (!jf->outputs[i].image)
			continue;
		snprintf(path, sizeof(path), "%s/%s.png", folder, jf->outputs[i].name);
		ret = output_name(folder, jf->outputs[i].name) ?:
		      write_output(jf, run, i, true, path, opt);
		n++;
	}
	for (i = 0; i < run->num_targets && !ret; i++, n++) {
		const struct jf_target *t = &run->targets[i];

		snprintf(path, sizeof(path), "%s/%s.png", folder, t->name);
		ret = output_name(folder, t->name) ?:
		      write_picture(path, &t->picture, t->data, opt);
	}
	return ret || n ? ret : fail("%s: there are no images to write", folder);
}

static int write_outputs(const struct vshader_jobfile *jf, const struct vshader_run *run,
			 const struct run_options *opt)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < opt->num_wishes && !ret; i++) {
		const struct wish *w = &opt->wishes[i];

		if (!w->name)
			ret = write_all(jf, run, w->path, opt);
		else if (w->index == JF_NONE)
			ret = write_target(run, w, opt);
		else
			ret = write_output(jf, run, w->index, w->png, w->path, opt);
	}
	return ret;
}

/* All images on the contact sheet. */
static int add_to_sheet(const struct vshader_jobfile *jf, const struct vshader_run *run,
			struct sheet *sheet)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < jf->num_outputs && !ret; i++) {
		const struct jf_output *o = &jf->outputs[i];

		if (o->image && run->files[i])
			ret = sheet_add(sheet, o->name, &o->picture, run->files[i]);
	}
	for (i = 0; i < run->num_targets && !ret; i++)
		ret = sheet_add(sheet, run->targets[i].name, &run->targets[i].picture,
				run->targets[i].data);
	return ret;
}

static int run_file(const char *path, struct run_options *opt)
{
	struct vshader_jobfile *jf;
	struct vshader_run *run;
	atomic_uint done = 0;
	char err[4096];
	int ret;

	if (vshader_jobfile_load(path, &jf, err, sizeof(err)))
		return fail("%s: %s", path, err);
	jf->jobs_done = &done;
	jf->want_writes = opt->json || !opt->quiet;
	if (want(jf, opt, path)) {
		vshader_jobfile_free(jf);
		return EXIT_USAGE;
	}
	progress_begin(path, "jobs", &done, jf->num_jobs);
	ret = vshader_jobfile_run(jf, opt->dev, &run, err, sizeof(err));
	progress_end();
	if (ret) {
		vshader_jobfile_free(jf);
		return fail("%s: %s", path, err);
	}
	ret = report(path, jf, run, opt, NULL);
	if (write_outputs(jf, run, opt) || (opt->sheet && add_to_sheet(jf, run, opt->sheet)))
		ret = EXIT_USAGE;
	vshader_run_free(run);
	vshader_jobfile_free(jf);
	return ret;
}

/* The same, counting instructions. */
static int cover_file(const char *path, struct run_options *opt)
{
	struct coverage *cov = coverage_run(path, opt->device, NULL);
	int ret;

	if (!cov)
		return EXIT_USAGE;
	ret = report(path, coverage_jobfile(cov), coverage_results(cov), opt,
		     opt->json ? coverage_json(cov) : NULL);
	if (!opt->json)
		coverage_print(cov);
	coverage_free(cov);
	return ret;
}

static const char run_help[] =
"  -d, --device DEV  auto (default), local[:OPTIONS], or a device node\n"
"  -j, --json        machine-readable results; values as bits\n"
"  -v, --verbose     all rows of outputs, images as numbers, all checks\n"
"  -q, --quiet       details only of failures\n"
"      --png NAME=FILE  write an image that the jobs drew: one of the job file's, one of\n"
"                    the job's descriptors (JOB.colour0, JOB.depth, JOB.image0), or\n"
"                    PLACE:WIDTHxHEIGHT[:FORMAT[:STRIDE]], format from the lowest bit on:\n"
"                    r8g8b8a8 (default), b5g6r5, r16g16f, z24s8 ...\n"
"      --png FOLDER  all of these that have names, as FOLDER/NAME.png\n"
"      --out NAME=FILE  write the bytes of an image, region or output stream ([JOB.]OUTPUT)\n"
"      --sheet FILE  all of these images of all job files in one picture, with their names\n"
"      --color[=WHEN]  colours of the text: auto (default), always, never\n"
"  -D, --dump FILE   write the dump of the first job that faults\n"
"  -c, --coverage    executions and invocations of each instruction;\n"
"                    jobs run one after the other, without their sync operations\n";

static int parse_options(int argc, char **argv, struct run_options *opt, const char *help)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' }, { "json", no_argument, NULL, 'j' },
		{ "verbose", no_argument, NULL, 'v' }, { "quiet", no_argument, NULL, 'q' },
		{ "coverage", no_argument, NULL, 'c' },
		{ "dump", required_argument, NULL, 'D' },
		{ "png", required_argument, NULL, OPT_PNG },
		{ "out", required_argument, NULL, OPT_OUT },
		{ "sheet", required_argument, NULL, OPT_SHEET },
		{ "color", optional_argument, NULL, OPT_COLOR },
		{ "help", no_argument, NULL, 'h' }, { }
	};
	static const int many[] = { OPT_PNG, OPT_OUT, 0 };
	int c;

	while ((c = getopt_long(argc, argv, "d:jvqcD:h", options, NULL)) != -1) {
		switch (option_once(c, options, many)) {
		case 'd':
			opt->device = optarg;
			break;
		case 'j':
			opt->json = true;
			break;
		case 'v':
			opt->verbose = true;
			break;
		case 'q':
			opt->quiet = true;
			break;
		case 'c':
			opt->coverage = true;
			break;
		case 'D':
			opt->dump = optarg;
			if (refuse_stdout("--dump", optarg))
				return EXIT_USAGE;
			break;
		case OPT_PNG:
		case OPT_OUT:
			if (add_wish(opt, optarg, c == OPT_PNG))
				return EXIT_USAGE;
			break;
		case OPT_SHEET:
			opt->sheet_path = optarg;
			if (refuse_stdout("--sheet", optarg))
				return EXIT_USAGE;
			break;
		case OPT_COLOR:
			if (!color_choose(optarg))
				return fail("--color: auto, always or never, not \"%s\"", optarg);
			break;
		case 'h':
			print_help(help);
			return -1;
		default:
			return usage_error();
		}
	}
	if (opt->verbose && opt->quiet)
		return fail("--verbose and --quiet exclude each other");
	return optind < argc ? 0 : usage_error();
}

static int write_dump(const struct run_options *opt)
{
	void *data;
	size_t size;
	int ret;

	if (vshader_dump_take(opt->dev, DUMP_WAIT_NS, &data, &size))
		return fail("%s", vshader_error());
	ret = write_file(opt->dump, data, size);
	free(data);
	return ret;
}

int cmd_run(int argc, char **argv)
{
	struct run_options opt = { .device = "auto" };
	struct json_object *root = NULL;
	int i, ret, worst = EXIT_OK;

	ret = parse_options(argc, argv, &opt, run_help);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (opt.num_wishes && (opt.coverage || optind + 1 < argc))
		return fail("--png and --out go with one job file, without --coverage");
	if ((opt.sheet_path || opt.dump) && opt.coverage)
		return fail("--sheet and --dump go without --coverage");
	ret = open_device(opt.device, &opt.dev);
	if (ret)
		return ret;
	if (opt.sheet_path) {
		opt.sheet = sheet_new();
		if (!opt.sheet) {
			vshader_close(opt.dev);
			return EXIT_USAGE;
		}
	}
	if (opt.dump)
		vshader_dump_enable(opt.dev);
	if (opt.json) {
		root = json_object_new_object();
		js_str(root, "device", vshader_device_name(opt.dev));
		opt.reports = js_array(root, "files");
	} else if (!strcmp(opt.device, "auto")) {
		printf("device %s\n", vshader_device_name(opt.dev));
	}
	for (i = optind; i < argc; i++) {
		ret = opt.coverage ? cover_file(argv[i], &opt) : run_file(argv[i], &opt);
		worst = ret > worst ? ret : worst;
	}
	if (opt.sheet) {
		/* no sheet of a part of the files */
		ret = worst < EXIT_USAGE ? sheet_write(opt.sheet, opt.sheet_path, opt.json) : 0;
		worst = ret > worst ? ret : worst;
		sheet_free(opt.sheet);
	}
	if (opt.dump) {
		ret = write_dump(&opt);
		worst = ret > worst ? ret : worst;
	}
	if (root) {
		js_int(root, "exit", (uint64_t)worst);
		js_print(root);
	}
	vshader_close(opt.dev);
	return worst;
}
