// SPDX-License-Identifier: MIT
/*
 * vshader dump: dumps of jobs, as text, as JSON, as job files.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "dump.h"

static const char help[] =
"  -a, --all           registers of all invocations, minor ones too; the whole program\n"
"  -i, --invocation N  registers of this invocation\n"
"  -m, --memory        contents of memory\n"
"  -j, --json          machine-readable\n"
"  -o, --job-file DIR  write a job file that does the same again\n";

/* Last component of a path, without the suffix after its last dot. */
static void base_name(const char *path, char *out, size_t size)
{
	const char *slash = strrchr(path, '/');
	char *dot;

	snprintf(out, size, "%.200s", strcmp(path, "-") ? slash ? slash + 1 : path : "dump");
	dot = strrchr(out, '.');
	if (dot && dot != out)
		*dot = 0;
}

static bool has_invocation(const struct vshader_dump *d, uint64_t number)
{
	uint32_t i;

	for (i = 0; i < d->num_invocations; i++) {
		if (d->invocations[i].invocation == number)
			return true;
	}
	return false;
}

static int show(const char *path, const struct vshader_dump *d, const struct dump_options *opt,
		bool json, const char *dir)
{
	char name[256];

	if (opt->has_invocation && !has_invocation(d, opt->invocation))
		return fail("%s: no invocation %llu among the %u of the dump", path,
			    (unsigned long long)opt->invocation, d->num_invocations);
	if (dir) {
		base_name(path, name, sizeof(name));
		return dump_write_jobfile(d, dir, name, true);
	}
	if (json)
		js_print(dump_json(d));
	else
		dump_print(d, opt);
	return EXIT_OK;
}

static int dump_file(const char *path, const struct dump_options *opt, bool json, const char *dir)
{
	struct vshader_dump *d;
	uint8_t *data;
	size_t len;
	int ret;

	ret = read_input(path, &data, &len);
	if (ret)
		return ret;
	if (vshader_dump_parse(data, len, &d)) {
		free(data);
		return fail("%s: %s", path, vshader_error());
	}
	ret = show(path, d, opt, json, dir);
	vshader_dump_free(d);
	free(data);
	return ret;
}

int cmd_dump(int argc, char **argv)
{
	static const struct option options[] = {
		{ "all", no_argument, NULL, 'a' }, { "invocation", required_argument, NULL, 'i' },
		{ "memory", no_argument, NULL, 'm' }, { "json", no_argument, NULL, 'j' },
		{ "job-file", required_argument, NULL, 'o' }, { "help", no_argument, NULL, 'h' },
		{ }
	};
	struct dump_options opt = { };
	const char *dir = NULL;
	bool json = false;
	char *end;
	int c;

	while ((c = getopt_long(argc, argv, "ai:mjo:h", options, NULL)) != -1) {
		switch (option_once(c, options, NULL)) {
		case 'a':
			opt.all = true;
			break;
		case 'i':
			opt.has_invocation = true;
			errno = 0;
			opt.invocation = strtoull(optarg, &end, 0);
			if (*end || !isdigit((unsigned char)*optarg) || errno)
				return fail("--invocation %s: expected a number", optarg);
			break;
		case 'm':
			opt.memory = true;
			break;
		case 'j':
			json = true;
			break;
		case 'o':
			dir = optarg;
			if (!*optarg)
				return fail("--job-file: the name is empty");
			if (refuse_stdout("--job-file", optarg))
				return EXIT_USAGE;
			break;
		case 'h':
			return print_help(help);
		default:
			return usage_error();
		}
	}
	if (optind + 1 != argc)
		return usage_error();
	if ((json || dir) && (opt.all || opt.memory || opt.has_invocation))
		return fail("--all, --invocation and --memory choose parts of the text");
	if (json && dir)
		return fail("--json and --job-file exclude each other");
	return dump_file(argv[optind], &opt, json, dir);
}
