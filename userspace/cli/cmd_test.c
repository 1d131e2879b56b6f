// SPDX-License-Identifier: MIT
/*
 * vshader test: job files with expectations; results as TAP and JUnit XML.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <search.h>
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
 * @names: tree of the names so far
 * @number: tests so far
 * @failed: tests of them that failed
 */
struct tests {
	struct vshader_device *dev;
	bool verbose;
	struct junit *junit;
	void *names;
	unsigned int number;
	unsigned int failed;
};

/* ---- lists of files ---- */

/**
 * struct loaded - what is kept of a file that has been read to plan its tests
 * @jf: file that cannot be read again, as a pipe, or NULL
 * @err: why it cannot be read, or NULL
 */
struct loaded {
	struct vshader_jobfile *jf;
	char *err;
};

/**
 * struct files - to run
 * @names: paths
 * @loaded: of each, or NULL
 * @n: files
 * @room: entries of @names
 */
struct files {
	char **names;
	struct loaded *loaded;
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

/**
 * struct folder - a folder that is searched
 * @st: which one
 * @above: that it was found in, or NULL
 */
struct folder {
	struct stat st;
	const struct folder *above;
};

/* By a link. */
static bool is_within_itself(const struct folder *f)
{
	const struct folder *above;

	for (above = f->above; above; above = above->above) {
		if (above->st.st_dev == f->st.st_dev && above->st.st_ino == f->st.st_ino)
			return true;
	}
	return false;
}

/* One of a folder has to be regular: nothing writes into a pipe that is only found. */
static int add_found(struct files *f, const char *path)
{
	struct stat st;

	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return fail("%s: not a regular file", path);
	return add_file(f, path);
}

static int add_entry(struct files *f, const char *path, const char *entry)
{
	char name[4096];

	if (snprintf(name, sizeof(name), "%s/%s", path, entry) >= (int)sizeof(name))
		return fail("%s/%s: %s", path, entry, strerror(ENAMETOOLONG));
	return add_file(f, name);
}

/* All *.json below a folder, in order of their names. */
static int add_dir(struct files *f, const char *path, const struct folder *above)
{
	struct folder this = { .above = above };
	struct files found = { };
	struct dirent *e;
	DIR *dir = opendir(path);
	int ret = 0;
	size_t i;

	if (!dir || fstat(dirfd(dir), &this.st)) {
		ret = fail("%s: %s", path, strerror(errno));
		if (dir)
			closedir(dir);
		return ret;
	}
	while (!ret && !is_within_itself(&this) && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		ret = add_entry(&found, path, e->d_name);
	}
	closedir(dir);
	if (found.n)
		qsort(found.names, found.n, sizeof(*found.names), compare_names);
	for (i = 0; i < found.n; i++) {
		size_t len = strlen(found.names[i]);

		if (!ret && is_dir(found.names[i]))
			ret = add_dir(f, found.names[i], &this);
		else if (!ret && len > 5 && !strcmp(found.names[i] + len - 5, ".json"))
			ret = add_found(f, found.names[i]);
		free(found.names[i]);
	}
	free(found.names);
	return ret;
}

static void free_files(struct files *f)
{
	size_t i;

	for (i = 0; i < f->n; i++) {
		free(f->names[i]);
		if (f->loaded) {
			vshader_jobfile_free(f->loaded[i].jf);
			free(f->loaded[i].err);
		}
	}
	free(f->names);
	free(f->loaded);
}

/* ---- names ---- */

static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Characters that have a meaning for readers of TAP. */
#define TAP_RESERVED	"#\\"

static bool is_escape(const uint8_t *p)
{
	return *p == '%' && isxdigit(p[1]) && isxdigit(p[2]);
}

/* Blanks and ends of lines other than those of ASCII, which readers remove as well. */
static bool is_wide_blank(const uint8_t *p)
{
	static const char * const blanks[] = {
		"\xc2\x85", "\xc2\xa0", "\xe1\x9a\x80", "\xe2\x80\xa8", "\xe2\x80\xa9",
		"\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80",
	};
	unsigned int i;

	if (p[0] == 0xe2 && p[1] == 0x80 && p[2] <= 0x8a)
		return true;
	for (i = 0; i < sizeof(blanks) / sizeof(blanks[0]); i++) {
		if (!strncmp((const char *)p, blanks[i], strlen(blanks[i])))
			return true;
	}
	return false;
}

/*
 * As in a URL: reserved and control characters, what is no UTF-8, which some readers refuse, and
 * blanks that readers remove, so that other names stay others: at the ends, and several in a row.
 */
static void write_name(FILE *f, const char *text, const char *reserved)
{
	const uint8_t *p = (const uint8_t *)text;
	unsigned int n, i;

	for (; *p; p += n ? n : 1) {
		n = utf8_len(p);
		if (n && !iscntrl(*p) && !strchr(reserved, *p) && !is_escape(p) &&
		    !is_wide_blank(p) &&
		    (*p != ' ' || (p != (const uint8_t *)text && p[1] && p[1] != ' '))) {
			fwrite(p, 1, n, f);
			continue;
		}
		for (i = 0; i < (n ? n : 1); i++)
			fprintf(f, "%%%02X", p[i]);
	}
}

/* "FILE: NAME (NUMBER)" or, without a file, "NAME (NUMBER)"; the number if it is not 1. */
static char *format_name(const char *file, const char *name, unsigned int number,
			 const char *reserved)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		abort();
	if (file) {
		write_name(f, file, reserved);
		fputs(": ", f);
	}
	write_name(f, name, reserved);
	if (number > 1)
		fprintf(f, " (%u)", number);
	fclose(f);
	if (!text)
		abort();
	return text;
}

/* The first number with which no test has had this name in TAP; the name, kept in @t, at @text. */
static unsigned int unique_name(struct tests *t, const char *file, const char *name,
				const char **text)
{
	unsigned int number;
	char **entry;
	char *full;

	for (number = 1;; number++) {
		full = format_name(file, name, number, TAP_RESERVED);
		entry = tsearch(full, &t->names, compare_texts);
		if (!entry)
			abort();
		if (*entry == full) {
			*text = full;
			return number;
		}
		free(full);
	}
}

/* ---- tests ---- */

static void comment(FILE *f, const char *prefix, const char *text)
{
	const uint8_t *p = (const uint8_t *)text;
	unsigned int n;

	while (p && *p) {
		fputs(prefix, f);
		for (; *p && *p != '\n'; p += n ? n : 1) {
			n = utf8_len(p);
			fwrite(n ? (const char *)p : "?", 1, n ? n : 1, f);
		}
		fputc('\n', f);
		p += *p == '\n';
	}
}

/* @came: the status, and @details: lines, that explain a failure; or NULL. */
static void test_line(struct tests *t, bool ok, const char *file, const char *name,
		      double seconds, const char *came, const char *details)
{
	const char *full;
	unsigned int number = unique_name(t, file, name, &full);

	printf("%s %u %s\n", ok ? "ok" : "not ok", ++t->number, full);
	comment(stdout, "# ", came);
	t->failed += !ok;
	if (t->junit) {
		char *own = format_name(NULL, name, number, "");

		junit_case(t->junit, own, ok, seconds, came, details);
		free(own);
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

/* Every program and every job is a test, also of a file that cannot be run. */
static void test_jobs(struct tests *t, const char *path, const struct vshader_jobfile *jf)
{
	struct vshader_run *run;
	char err[4096];
	uint32_t i;

	if (!vshader_jobfile_run(jf, t->dev, &run, err, sizeof(err))) {
		for (i = 0; i < run->num_outcomes; i++)
			test_outcome(t, path, &run->outcomes[i]);
		vshader_run_free(run);
		return;
	}
	for (i = 0; i < jf->num_programs; i++)
		test_broken(t, path, jf_program_name(&jf->programs[i]), err);
	for (i = 0; i < jf->num_jobs; i++)
		test_broken(t, path, jf_job_name(&jf->jobs[i]), err);
}

static void test_file(struct tests *t, const char *path, const struct loaded *l)
{
	struct vshader_jobfile *jf = l->jf;
	char err[4096];

	if (l->err || (!jf && vshader_jobfile_load(path, &jf, err, sizeof(err)))) {
		test_broken(t, path, "the file can be read", l->err ? l->err : err);
		return;
	}
	test_jobs(t, path, jf);
	if (!l->jf)
		vshader_jobfile_free(jf);
}

/*
 * Number of tests of a file: the plan comes first, as there are readers that never end at one that
 * comes last.
 */
static unsigned int count_tests(const char *path, struct loaded *l)
{
	struct vshader_jobfile *jf;
	unsigned int n;
	struct stat st;
	char err[4096];

	if (vshader_jobfile_load(path, &jf, err, sizeof(err))) {
		l->err = strdup(err);
		return 1;
	}
	n = jf->num_programs + jf->num_jobs;
	if (!stat(path, &st) && S_ISREG(st.st_mode))
		vshader_jobfile_free(jf);
	else
		l->jf = jf;
	return n;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static int test_files(struct tests *t, struct files *files, const struct test_options *opt)
{
	unsigned int planned = 0;
	char *suite = NULL;
	double began;
	size_t k;

	files->loaded = calloc(files->n, sizeof(*files->loaded));
	if (!files->loaded)
		return fail("out of memory");
	for (k = opt->shard - 1; k < files->n; k += opt->num_shards)
		planned += count_tests(files->names[k], &files->loaded[k]);
	printf("TAP version 13\n1..%u\n# device %s\n", planned ? planned : 1,
	       vshader_device_name(t->dev));
	if (!planned)
		printf("ok 1 shard %u/%u # SKIP no files\n", opt->shard, opt->num_shards);
	for (k = opt->shard - 1; k < files->n; k += opt->num_shards) {
		began = now();
		if (t->junit) {
			suite = format_name(NULL, files->names[k], 1, "");
			junit_suite(t->junit, suite);
		}
		test_file(t, files->names[k], &files->loaded[k]);
		if (t->junit) {
			junit_suite_end(t->junit, now() - began);
			free(suite);
		}
	}
	if (t->number == planned)
		return 0;
	return fail("%u tests were planned, %u came: files have changed", planned, t->number);
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
	int c;

	while ((c = getopt_long(argc, argv, "d:vh", options, NULL)) != -1) {
		switch (option_once(c, options, NULL)) {
		case 'd':
			opt->device = optarg;
			break;
		case 'v':
			opt->verbose = true;
			break;
		case OPT_SHARD:
			if (parse_shard(optarg, opt))
				return EXIT_USAGE;
			break;
		case OPT_JUNIT:
			opt->junit = optarg;
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

		ret = is_dir(argv[i]) ? add_dir(files, argv[i], NULL) : add_file(files, argv[i]);
		if (!ret && files->n == before)
			ret = fail("%s: there is no *.json to run", argv[i]);
	}
	return ret;
}

static int run_tests(struct files *files, const struct test_options *opt)
{
	struct tests t = { .verbose = opt->verbose };
	int ret = open_device(opt->device, &t.dev), err = 0;

	if (ret)
		return ret;
	if (opt->junit) {
		t.junit = junit_open(opt->junit);
		if (!t.junit) {
			vshader_close(t.dev);
			return EXIT_USAGE;
		}
	}
	ret = test_files(&t, files, opt);
	vshader_close(t.dev);
	tdestroy(t.names, free);
	if (t.junit)
		err = junit_close(t.junit);
	ret = ret ? ret : err;
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
