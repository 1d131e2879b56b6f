// SPDX-License-Identifier: MIT
/*
 * vshader test: job files with expectations; results as TAP and JUnit XML.
 */
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli.h"
#include "junit.h"

#define MAX_FILES	65536

enum { OPT_JUNIT = 256, OPT_SHARD };

/**
 * struct test_options - of the command
 * @device: see vshader_open()
 * @verbose: passed checks, too
 * @junit: file of the JUnit report, or NULL
 * @shard: the part of the files to run, from 1 to @num_shards
 * @num_shards: parts
 */
struct test_options {
	const char *device;
	bool verbose;
	const char *junit;
	unsigned int shard;
	unsigned int num_shards;
};

/**
 * struct tests - the run
 * @dev: device
 * @verbose: passed checks, too
 * @junit: report, or NULL
 * @number: tests so far
 * @failed: tests of them that failed
 */
struct tests {
	struct vshader_device *dev;
	bool verbose;
	struct junit *junit;
	unsigned int number;
	unsigned int failed;
};

/* ---- lists of files ---- */

struct files {
	char **names;
	size_t n;
	size_t room;
};

static int add_file(struct files *f, const char *name)
{
	if (f->n == f->room) {
		size_t room = f->room ? f->room * 2 : 64;
		char **n = realloc(f->names, room * sizeof(*n));

		if (!n || room > MAX_FILES)
			return fail("too many files");
		f->names = n;
		f->room = room;
	}
	f->names[f->n] = strdup(name);
	return f->names[f->n++] ? 0 : fail("out of memory");
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* All *.json below a folder, in order of their names. */
static int add_dir(struct files *f, const char *path, int depth)
{
	struct files found = { };
	struct dirent *e;
	DIR *dir = opendir(path);
	char name[4096];
	int ret = 0;
	size_t i;

	if (!dir)
		return fail("%s: %s", path, strerror(errno));
	while (!ret && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, e->d_name);
		ret = add_file(&found, name);
	}
	closedir(dir);
	if (found.n)
		qsort(found.names, found.n, sizeof(*found.names), compare_names);
	for (i = 0; i < found.n; i++) {
		size_t len = strlen(found.names[i]);

		if (!ret && is_dir(found.names[i])) {
			if (depth)
				ret = add_dir(f, found.names[i], depth - 1);
		} else if (!ret && len > 5 && !strcmp(found.names[i] + len - 5, ".json")) {
			ret = add_file(f, found.names[i]);
		}
		free(found.names[i]);
	}
	free(found.names);
	return ret;
}

static void free_files(struct files *f)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		free(f->names[i]);
	free(f->names);
}

/* ---- tests ---- */

/* A text in a line of TAP, where "#" begins a directive. */
static void print_name(const char *text)
{
	for (; *text; text++) {
		if (*text == '#' || *text == '\\')
			putchar('\\');
		if (*text == '\n' || *text == '\r' || *text == '\t')
			fputs(*text == '\n' ? "\\n" : *text == '\r' ? "\\r" : "\\t", stdout);
		else
			putchar((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
	}
}

/* @details: lines that explain a failure. */
static void test_line(struct tests *t, bool ok, const char *file, const char *name,
		      double seconds, const char *came, const char *details)
{
	printf("%s %u ", ok ? "ok" : "not ok", ++t->number);
	print_name(file);
	if (name) {
		fputs(": ", stdout);
		print_name(name);
	}
	printf("%s%s\n", came ? ": " : "", came ? came : "");
	t->failed += !ok;
	if (t->junit)
		junit_case(t->junit, name, ok, seconds, came, details);
}

static void comment(FILE *f, const char *prefix, const char *text)
{
	const char *nl;

	for (; text && *text; text = nl ? nl + 1 : "") {
		nl = strchr(text, '\n');
		fprintf(f, "%s%.*s\n", prefix, nl ? (int)(nl - text) : (int)strlen(text), text);
	}
}

/* Failed checks, and the message of the device. */
static void write_checks(FILE *f, const struct jf_outcome *o, bool verbose)
{
	uint32_t i;

	for (i = 0; i < o->num_checks; i++) {
		if (verbose || !o->checks[i].pass)
			fprintf(f, "%s: %s\n", o->checks[i].pass ? "pass" : "FAIL",
				o->checks[i].text);
	}
	if (o->num_failed)
		comment(f, "  ", o->message);
}

static void test_outcome(struct tests *t, const char *path, const struct jf_outcome *o)
{
	int status = o->submit ? o->submit : o->result.status;
	const char *name = status ? strerrorname_np(-status) : "0";
	bool ok = !o->num_failed;
	char *details = NULL;
	char came[64] = "";
	size_t len;
	FILE *f = open_memstream(&details, &len);

	if (f) {
		write_checks(f, o, t->verbose);
		fclose(f);
	}
	if (!ok && (o->submit || o->ran))
		snprintf(came, sizeof(came), "%s %s", o->submit ? "refused with" : "status",
			 name ? name : "unknown");
	test_line(t, ok, path, o->name, o->latency_ns * 1e-9, came[0] ? came : NULL, details);
	comment(stdout, "# ", details);
	free(details);
}

static void test_broken(struct tests *t, const char *path, const char *name, const char *err)
{
	test_line(t, false, path, name, 0, NULL, err);
	comment(stdout, "#   ", err);
}

/* Every program and every job of a file is a test. */
static void test_file(struct tests *t, const char *path)
{
	struct vshader_jobfile *jf;
	struct vshader_run *run;
	char err[4096];
	uint32_t i;

	if (vshader_jobfile_load(path, &jf, err, sizeof(err))) {
		test_broken(t, path, "the file can be read", err);
		return;
	}
	if (vshader_jobfile_run(jf, t->dev, &run, err, sizeof(err))) {
		test_broken(t, path, "the file can be run", err);
		vshader_jobfile_free(jf);
		return;
	}
	for (i = 0; i < run->num_outcomes; i++)
		test_outcome(t, path, &run->outcomes[i]);
	vshader_run_free(run);
	vshader_jobfile_free(jf);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static void test_files(struct tests *t, const struct files *files, const struct test_options *opt)
{
	double began;
	size_t k;

	for (k = opt->shard - 1; k < files->n; k += opt->num_shards) {
		began = now();
		if (t->junit)
			junit_suite(t->junit, files->names[k]);
		test_file(t, files->names[k]);
		if (t->junit)
			junit_suite_end(t->junit, now() - began);
	}
	if (!t->number)
		printf("1..0 # SKIP no files in shard %u/%u\n", opt->shard, opt->num_shards);
	else
		printf("1..%u\n", t->number);
}

/* ---- command ---- */

static const char help[] =
"  -d, --device DEV  auto (default), local[:OPTIONS], or a device node\n"
"  -v, --verbose     all checks as comments\n"
"      --shard I/N   part I, from 1, of the files in N parts\n"
"      --junit FILE  the results as JUnit XML, too\n\n"
"Prints TAP: a test for each program and for each job of a file. Folders are\n"
"searched for *.json.\n";

static int parse_shard(const char *text, struct test_options *opt)
{
	int end = 0;

	if (*text >= '0' && *text <= '9' &&
	    sscanf(text, "%5u/%5u%n", &opt->shard, &opt->num_shards, &end) == 2 && !text[end] &&
	    opt->shard && opt->shard <= opt->num_shards)
		return 0;
	return fail("--shard %s: expected I/N, with I from 1 to N", text);
}

static int parse_options(int argc, char **argv, struct test_options *opt)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "shard", required_argument, NULL, OPT_SHARD },
		{ "junit", required_argument, NULL, OPT_JUNIT },
		{ "help", no_argument, NULL, 'h' }, { }
	};
	const char *shard = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "d:vh", options, NULL)) != -1) {
		switch (c) {
		case 'd':
			opt->device = optarg;
			break;
		case 'v':
			opt->verbose = true;
			break;
		case OPT_SHARD:
			if (set_once(&shard, optarg, "--shard") || parse_shard(optarg, opt))
				return EXIT_USAGE;
			break;
		case OPT_JUNIT:
			if (set_once(&opt->junit, optarg, "--junit"))
				return EXIT_USAGE;
			if (!strcmp(optarg, "-"))
				return fail("--junit -: standard output is for TAP");
			break;
		case 'h':
			print_help(help);
			return -1;
		default:
			return usage_error();
		}
	}
	return optind < argc ? 0 : usage_error();
}

static int find_files(int argc, char **argv, struct files *files)
{
	int i, ret = 0;

	for (i = optind; i < argc && !ret; i++) {
		size_t before = files->n;

		ret = is_dir(argv[i]) ? add_dir(files, argv[i], 8) : add_file(files, argv[i]);
		if (!ret && files->n == before)
			ret = fail("%s: there is no *.json to run", argv[i]);
	}
	return ret;
}

static int run_tests(const struct files *files, const struct test_options *opt)
{
	struct tests t = { .verbose = opt->verbose };
	int ret = open_device(opt->device, &t.dev);

	if (ret)
		return ret;
	if (opt->junit) {
		t.junit = junit_open(opt->junit);
		if (!t.junit) {
			vshader_close(t.dev);
			return EXIT_USAGE;
		}
	}
	printf("TAP version 13\n# device %s\n", vshader_device_name(t.dev));
	test_files(&t, files, opt);
	vshader_close(t.dev);
	if (t.junit)
		ret = junit_close(t.junit);
	return ret ? ret : t.failed ? EXIT_DIFFERS : EXIT_OK;
}

int cmd_test(int argc, char **argv)
{
	struct test_options opt = { .device = "auto", .shard = 1, .num_shards = 1 };
	struct files files = { };
	int ret;

	ret = parse_options(argc, argv, &opt);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	ret = find_files(argc, argv, &files);
	if (!ret)
		ret = run_tests(&files, &opt);
	free_files(&files);
	return ret;
}
