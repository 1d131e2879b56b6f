// SPDX-License-Identifier: MIT
/*
 * vshader diff: compares two runs or two pictures.
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "diff_rows.h"
#include "jobfile_json.h"
#include "output.h"
#include "progress.h"

#define MAX_LINES	20	/* differences that are printed unless --all is given */
#define MAX_DEPTH	32	/* of reports */
#define PATH_ROOM	512

enum { OPT_ALL = 256, OPT_TOLERANCE };

struct diff_options {
	const char *device;
	const char *output;
	bool json;
	bool all;
	bool has_tolerance;
	uint32_t tolerance;
};

/**
 * struct differences - what has been found
 * @opt: options
 * @n: differences
 * @explained: those of them that rows of references.rst explain
 * @list: them as JSON, or NULL
 */
struct differences {
	const struct diff_options *opt;
	uint64_t n;
	uint64_t explained;
	struct json_object *list;
};

/* ---- output ---- */

/* Reports come from others: no control character reaches the terminal, in UTF-8 neither. */
static void print_plain(const char *text)
{
	const uint8_t *p = (const uint8_t *)text;

	for (; *p; p++) {
		bool long_control = *p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0;

		putchar(long_control || *p < ' ' || *p == 0x7f ? '?' : *p);
		p += long_control;
	}
}

/* @rows: names, separated by blanks */
static void print_rows(const char *rows)
{
	fputs(" (see ", stdout);
	for (; *rows; rows++) {
		if (*rows == ' ')
			putchar(',');
		putchar(*rows);
	}
	putchar(')');
}

static void json_rows(struct json_object *o, const char *rows)
{
	struct json_object *list = json_object_new_array();
	size_t n;

	for (; (n = strcspn(rows, " ")); rows += n + (rows[n] == ' '))
		json_object_array_add(list, json_object_new_string_len(rows, (int)n));
	json_object_object_add(o, "rows", list);
}

/*
 * @a, @b: values as text, or NULL: one side has nothing there
 * @rows: those that explain it, or ""
 */
static void report(struct differences *d, const char *where, const char *a, const char *b,
		   const char *rows)
{
	struct json_object *o;

	d->n++;
	d->explained += *rows != 0;
	if (!d->opt->all && d->n > MAX_LINES)
		return;
	if (!d->opt->json) {
		print_plain(where);
		fputs(": ", stdout);
		print_plain(a ? a : "nothing");
		fputs(", ", stdout);
		print_plain(b ? b : "nothing");
		if (*rows)
			print_rows(rows);
		putchar('\n');
		return;
	}
	o = json_object_new_object();
	js_str(o, "where", where);
	js_str(o, "a", a);
	js_str(o, "b", b);
	if (*rows)
		json_rows(o, rows);
	json_object_array_add(d->list, o);
}

/* ---- runs ---- */

static const char *text_of(struct json_object *o)
{
	return o ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
						  JSON_C_TO_STRING_NOSLASHESCAPE) : NULL;
}

/* Times and names of files and devices differ from run to run. */
static bool is_left_out(const char *key)
{
	static const char * const keys[] = { "busy_ns", "latency_ns", "device", "file" };
	unsigned int i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!strcmp(keys[i], key))
			return true;
	}
	return false;
}

/* From about a trillionth to a trillion: likely meant as a float. */
static bool is_float(uint32_t bits)
{
	uint32_t exponent = bits >> 23 & 0xff;

	return !(bits << 1) || (exponent >= 127 - 40 && exponent <= 127 + 40);
}

/* Words that may be floats are shown as such, too. */
static void report_values(struct differences *d, const char *where, struct json_object *a,
			  struct json_object *b)
{
	char text[2][64], rows[ROWS_ROOM], *end;
	struct json_object *o[2] = { a, b };
	uint32_t bits[2];
	bool floats = true;
	int i;

	for (i = 0; i < 2; i++) {
		const char *s = o[i] && json_object_is_type(o[i], json_type_string) ?
				json_object_get_string(o[i]) : "";

		bits[i] = (uint32_t)strtoul(s, &end, 16);
		if (strncmp(s, "0x", 2) || strlen(s) != 10 || *end) {
			report(d, where, text_of(a), text_of(b), "");
			return;
		}
		snprintf(text[i], sizeof(text[i]), "%s (%.9g)", s, jf_decode(JF_F32, bits[i]));
		floats &= is_float(bits[i]);
	}
	for (i = 0; i < 2 && !floats; i++)
		text[i][10] = 0;
	rows_of_words(bits[0], bits[1], rows);
	report(d, where, text[0], text[1], rows);
}

static void compare(struct differences *d, char *path, size_t len, struct json_object *a,
		    struct json_object *b);

static void compare_member(struct differences *d, char *path, size_t len, struct json_object *a,
			   struct json_object *b, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));

static void compare_member(struct differences *d, char *path, size_t len, struct json_object *a,
			   struct json_object *b, const char *fmt, ...)
{
	size_t more = len;
	va_list ap;

	va_start(ap, fmt);
	if (len < PATH_ROOM)
		more += (size_t)vsnprintf(path + len, PATH_ROOM - len, fmt, ap);
	va_end(ap);
	compare(d, path, more, a, b);
	if (len < PATH_ROOM)
		path[len] = 0;
}

static void compare_arrays(struct differences *d, char *path, size_t len, struct json_object *a,
			   struct json_object *b)
{
	size_t na = json_object_array_length(a), nb = json_object_array_length(b), i;

	for (i = 0; i < na || i < nb; i++) {
		struct json_object *x = i < na ? json_object_array_get_idx(a, i) : NULL;
		struct json_object *y = i < nb ? json_object_array_get_idx(b, i) : NULL;
		struct json_object *name = NULL;

		/* jobs and programs have names */
		if (x && json_object_is_type(x, json_type_object))
			json_object_object_get_ex(x, "name", &name);
		if (name && json_object_is_type(name, json_type_string))
			compare_member(d, path, len, x, y, "[%zu \"%.60s\"]", i,
				       json_object_get_string(name));
		else
			compare_member(d, path, len, x, y, "[%zu]", i);
	}
}

static void compare_objects(struct differences *d, char *path, size_t len, struct json_object *a,
			    struct json_object *b)
{
	const char *dot = len ? "." : "";
	struct json_object *other;

	json_object_object_foreach(a, key, value) {
		other = NULL;
		json_object_object_get_ex(b, key, &other);
		if (!is_left_out(key))
			compare_member(d, path, len, value, other, "%s%s", dot, key);
	}
	json_object_object_foreach(b, key2, value2) {
		if (!is_left_out(key2) && !json_object_object_get_ex(a, key2, NULL))
			compare_member(d, path, len, NULL, value2, "%s%s", dot, key2);
	}
}

static void compare(struct differences *d, char *path, size_t len, struct json_object *a,
		    struct json_object *b)
{
	enum json_type type = json_object_get_type(a);

	if (!a && !b)
		return;
	if (!a || !b || type != json_object_get_type(b))
		report_values(d, path, a, b);
	else if (type == json_type_array)
		compare_arrays(d, path, len, a, b);
	else if (type == json_type_object)
		compare_objects(d, path, len, a, b);
	else if (!json_object_equal(a, b))
		report_values(d, path, a, b);
}

/* The results of a job file, or those that "run --json" has printed. */
static int run_jobs(const char *path, const uint8_t *data, size_t len,
		    const struct diff_options *opt, struct json_object **out)
{
	struct vshader_jobfile *jf = NULL;
	struct vshader_device *dev;
	struct vshader_run *run;
	atomic_uint done = 0;
	char err[4096];
	int ret = open_device(opt->device ?: "auto", &dev);

	if (ret)
		return ret;
	/* a pipe can be read once */
	if (vshader_jobfile_parse((const char *)data, len, path, 0, &jf, err, sizeof(err)))
		ret = fail("%s: %s", path, err);
	if (!ret) {
		jf->jobs_done = &done;
		jf->want_writes = true;
		progress_begin(path, "jobs", &done, jf->num_jobs);
		if (vshader_jobfile_run(jf, dev, &run, err, sizeof(err)))
			ret = fail("%s: %s", path, err);
		progress_end();
	}
	if (!ret) {
		*out = report_json(jf, run);
		vshader_run_free(run);
	}
	vshader_jobfile_free(jf);
	vshader_close(dev);
	return ret;
}

/* Return: 0 with a report, or EXIT_USAGE, reported. */
static int load_run(const char *path, uint8_t *data, size_t len, const struct diff_options *opt,
		    struct json_object **out)
{
	struct json_tokener *tok = json_tokener_new_ex(MAX_DEPTH);
	struct json_object *root = NULL, *files = NULL;
	enum json_tokener_error e = json_tokener_error_size;
	bool good = true;
	size_t i;

	if (tok && len <= INT32_MAX) {
		json_tokener_set_flags(tok, JSON_TOKENER_STRICT);
		root = json_tokener_parse_ex(tok, (const char *)data, (int)len);
		e = json_tokener_get_error(tok);
	}
	json_tokener_free(tok);
	if (!root || e != json_tokener_success || !json_object_is_type(root, json_type_object)) {
		json_object_put(root);
		return fail("%s: neither a PNG nor JSON (%s)", path,
			    json_tokener_error_desc(e));
	}
	if (json_object_object_get_ex(root, "vshader", NULL)) {
		json_object_put(root);
		return run_jobs(path, data, len, opt, out);
	}
	json_object_object_get_ex(root, "files", &files);
	if (!json_object_is_type(files, json_type_array))
		files = NULL;
	for (i = 0; files && i < json_object_array_length(files); i++)
		good &= json_object_is_type(json_object_array_get_idx(files, i), json_type_object);
	if (!files || !good) {
		json_object_put(root);
		return fail("%s: neither a job file nor the output of \"vshader run --json\"",
			    path);
	}
	/* one file is compared with a job file, too */
	if (json_object_array_length(files) == 1) {
		*out = json_object_get(json_object_array_get_idx(files, 0));
		json_object_put(root);
	} else {
		*out = root;
	}
	return 0;
}

/* ---- pictures ---- */

struct picture {
	struct jf_picture p;
	uint8_t *rgba;
};

static bool is_png(const uint8_t *data, size_t len)
{
	return len >= 8 && !memcmp(data, "\211PNG\r\n\032\n", 8);
}

static int load_picture(const char *path, const uint8_t *data, size_t len, struct picture *out)
{
	const char *wrong;

	jf_pixel_format("rgba8", &out->p.pixel);
	wrong = jf_png_read(data, len, &out->p, &out->rgba);
	if (wrong)
		out->rgba = NULL;
	return wrong ? fail("%s: %s", path, wrong) : 0;
}

/* Grey where they are the same; else the difference, brighter, on black. */
static void show_difference(const uint8_t *a, const uint8_t *b, bool differs, uint8_t *out)
{
	uint32_t i, grey = (a[0] + 2u * a[1] + a[2]) / 16 + 16, diff;

	for (i = 0; i < 3; i++) {
		diff = (uint32_t)abs(a[i] - b[i]);
		out[i] = (uint8_t)(differs ? diff ? 127 + diff / 2 : 0 : grey);
	}
	/* only the alphas differ */
	if (differs && !(out[0] | out[1] | out[2]))
		out[2] = 255;
	out[3] = 255;
}

static int write_difference(const char *path, const struct jf_picture *p, const uint8_t *rgba)
{
	const char *wrong;
	struct output out;
	int ret = output_open(&out, path);

	if (ret)
		return ret;
	wrong = jf_png_write(out.f, p, rgba);
	return output_close(&out, wrong ? fail("%s: %s", path, wrong) : 0);
}

static void pixel_text(const uint8_t *p, char *text, size_t size)
{
	snprintf(text, size, "%u %u %u %u", p[0], p[1], p[2], p[3]);
}

static int compare_pixels(struct differences *d, const struct picture *a, const struct picture *b,
			  uint32_t *largest)
{
	const struct diff_options *opt = d->opt;
	uint8_t *shown = opt->output ? malloc(jf_picture_size(&a->p)) : NULL;
	char where[40], text[2][24], rows[ROWS_ROOM];
	uint32_t x, y, i, most;
	int ret = 0;

	if (opt->output && !shown)
		return fail("out of memory");
	for (y = 0; y < a->p.height; y++) {
		for (x = 0; x < a->p.width; x++) {
			size_t at = 4 * ((size_t)y * a->p.width + x);
			const uint8_t *pa = a->rgba + at, *pb = b->rgba + at;

			most = 0;
			for (i = 0; i < 4; i++)
				most = abs(pa[i] - pb[i]) > (int)most ?
				       (uint32_t)abs(pa[i] - pb[i]) : most;
			*largest = most > *largest ? most : *largest;
			if (shown)
				show_difference(pa, pb, most > opt->tolerance, shown + at);
			if (most <= opt->tolerance)
				continue;
			snprintf(where, sizeof(where), "pixel %u,%u", x, y);
			pixel_text(pa, text[0], sizeof(text[0]));
			pixel_text(pb, text[1], sizeof(text[1]));
			rows_of_pixels(a->rgba, b->rgba, a->p.width, a->p.height, x, y, rows);
			report(d, where, text[0], text[1], rows);
		}
	}
	if (shown)
		ret = write_difference(opt->output, &a->p, shown);
	free(shown);
	return ret;
}

static int compare_pictures(struct differences *d, const struct picture *a,
			    const struct picture *b, uint32_t *largest)
{
	char text[2][24];

	if (a->p.width == b->p.width && a->p.height == b->p.height)
		return compare_pixels(d, a, b, largest);
	snprintf(text[0], sizeof(text[0]), "%u x %u", a->p.width, a->p.height);
	snprintf(text[1], sizeof(text[1]), "%u x %u", b->p.width, b->p.height);
	report(d, "size", text[0], text[1], "");
	if (d->opt->output)
		return fail("%s: pictures of different sizes have no difference to draw",
			    d->opt->output);
	return 0;
}

/* ---- command ---- */

static const char help[] =
"  -d, --device DEV   of job files: auto (default), local[:OPTIONS], or a device node\n"
"  -j, --json         machine-readable output\n"
"      --all          all differences, not the first 20\n"
"      --tolerance N  of pictures: channels may differ by N, from 0 to 255\n"
"  -o, --output FILE  of pictures: where they differ, as PNG\n\n"
"A and B are PNG files, outputs of \"vshader run --json\", or job files, which are run. Times and\n"
"names of files and devices are not compared. The exit status is 1 if there is a difference.\n"
"\"(see NAME)\": a row of Documentation/references.rst has such values, of other renderers.\n";

static int parse_options(int argc, char **argv, struct diff_options *opt)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' }, { "json", no_argument, NULL, 'j' },
		{ "all", no_argument, NULL, OPT_ALL },
		{ "tolerance", required_argument, NULL, OPT_TOLERANCE },
		{ "output", required_argument, NULL, 'o' }, { "help", no_argument, NULL, 'h' }, { }
	};
	char extra;
	int c;

	while ((c = getopt_long(argc, argv, "d:jo:h", options, NULL)) != -1) {
		switch (option_once(c, options, NULL)) {
		case 'd':
			opt->device = optarg;
			break;
		case 'j':
			opt->json = true;
			break;
		case OPT_ALL:
			opt->all = true;
			break;
		case OPT_TOLERANCE:
			if (*optarg < '0' || *optarg > '9' ||
			    sscanf(optarg, "%3u%c", &opt->tolerance, &extra) != 1 ||
			    opt->tolerance > 255)
				return fail("--tolerance %s: expected a number from 0 to 255",
					    optarg);
			opt->has_tolerance = true;
			break;
		case 'o':
			opt->output = optarg;
			if (refuse_stdout("--output", optarg))
				return EXIT_USAGE;
			break;
		case 'h':
			print_help(help);
			return -1;
		default:
			return usage_error();
		}
	}
	return optind + 2 == argc ? 0 : usage_error();
}

/* @largest: of pictures; NULL: none */
static int finish(struct differences *d, const char *kind, const uint32_t *largest,
		  const char *summary)
{
	struct json_object *root;

	if (d->opt->json) {
		root = json_object_new_object();
		if (largest)
			js_int(root, "largest", *largest);
		js_bool(root, "same", !d->n);
		js_str(root, "kind", kind);
		js_int(root, "differences", d->n);
		js_int(root, "explained", d->explained);
		json_object_object_add(root, "list", json_object_get(d->list));
		js_print(root);
	} else if (d->n) {
		if (!d->opt->all && d->n > MAX_LINES)
			printf("... %llu more, see --all\n", (unsigned long long)d->n - MAX_LINES);
		printf("%llu difference%s%s", (unsigned long long)d->n, d->n == 1 ? "" : "s",
		       summary);
		if (d->explained)
			printf("; %llu of a kind in references.rst",
			       (unsigned long long)d->explained);
		putchar('\n');
	}
	return d->n ? EXIT_DIFFERS : EXIT_OK;
}

static int diff_pictures(char **paths, uint8_t *data[2], const size_t len[2],
			 const struct diff_options *opt)
{
	struct differences d = { .opt = opt };
	struct picture p[2] = { };
	uint32_t largest = 0;
	char summary[80];
	int i, ret = 0;

	if (opt->device)
		return fail("--device is for job files");
	d.list = json_object_new_array();
	for (i = 0; i < 2 && !ret; i++)
		ret = load_picture(paths[i], data[i], len[i], &p[i]);
	if (!ret)
		ret = compare_pictures(&d, &p[0], &p[1], &largest);
	if (!ret) {
		snprintf(summary, sizeof(summary), " in %u x %u pixels, the largest is %u",
			 p[0].p.width, p[0].p.height, largest);
		ret = finish(&d, "pictures", &largest, summary);
	}
	json_object_put(d.list);
	free(p[0].rgba);
	free(p[1].rgba);
	return ret;
}

static int diff_runs(char **paths, uint8_t *data[2], const size_t len[2],
		     const struct diff_options *opt)
{
	struct differences d = { .opt = opt };
	struct json_object *runs[2] = { };
	char path[PATH_ROOM] = "";
	int i, ret = 0;

	if (opt->output || opt->has_tolerance)
		return fail("--output and --tolerance are for pictures");
	d.list = json_object_new_array();
	for (i = 0; i < 2 && !ret; i++)
		ret = load_run(paths[i], data[i], len[i], opt, &runs[i]);
	if (!ret) {
		compare(&d, path, 0, runs[0], runs[1]);
		ret = finish(&d, "runs", NULL, "");
	}
	json_object_put(d.list);
	json_object_put(runs[0]);
	json_object_put(runs[1]);
	return ret;
}

int cmd_diff(int argc, char **argv)
{
	struct diff_options opt = { };
	uint8_t *data[2] = { };
	size_t len[2];
	bool png[2];
	int i, ret = parse_options(argc, argv, &opt);

	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (!strcmp(argv[optind], "-") && !strcmp(argv[optind + 1], "-"))
		return fail("one of the two can be standard input");
	for (i = 0; i < 2 && !ret; i++)
		ret = read_input(argv[optind + i], &data[i], &len[i]);
	if (!ret) {
		png[0] = is_png(data[0], len[0]);
		png[1] = is_png(data[1], len[1]);
		if (png[0] != png[1])
			ret = fail("%s is a picture, %s is none", argv[optind + png[1]],
				   argv[optind + png[0]]);
		else if (png[0])
			ret = diff_pictures(argv + optind, data, len, &opt);
		else
			ret = diff_runs(argv + optind, data, len, &opt);
	}
	free(data[0]);
	free(data[1]);
	return ret;
}
