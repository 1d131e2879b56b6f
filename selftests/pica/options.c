// SPDX-License-Identifier: GPL-2.0
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

#define MAX_LANES	256

static void show_usage(const char *name)
{
	fprintf(stderr,
		"usage: %s [--data DIR] [--corpus DIR] [--executor NAME] [--seed S] [--count N]\n"
		"\t[--lanes 1..%u] [--dump] [--long] [--quick]\n", name, MAX_LANES);
	exit(2);
}

static const char *or_null(const char *s)
{
	return s && *s ? s : NULL;
}

void pica_options_parse(int argc, char **argv, struct pica_options *opt)
{
	static const struct option options[] = {
		{ "data", required_argument, NULL, 'd' },
		{ "corpus", required_argument, NULL, 'c' },
		{ "executor", required_argument, NULL, 'e' },
		{ "seed", required_argument, NULL, 's' },
		{ "count", required_argument, NULL, 'n' },
		{ "lanes", required_argument, NULL, 'l' },
		{ "dump", no_argument, NULL, 'x' },
		{ "long", no_argument, NULL, 'L' },
		{ "quick", no_argument, NULL, 'q' },
		{ 0 },
	};
	int c;

	memset(opt, 0, sizeof(*opt));
	opt->seed = 1;
	opt->corpus = or_null(getenv("CORPUS"));
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'd':
			opt->data = or_null(optarg);
			break;
		case 'c':
			opt->corpus = or_null(optarg);
			break;
		case 'e':
			opt->executor = or_null(optarg);
			break;
		case 's':
			opt->seed = strtoull(optarg, NULL, 0);
			break;
		case 'n':
			opt->count = strtoul(optarg, NULL, 0);
			break;
		case 'l':
			opt->lanes = (unsigned int)strtoul(optarg, NULL, 0);
			if (!opt->lanes || opt->lanes > MAX_LANES)
				show_usage(argv[0]);
			break;
		case 'x':
			opt->dump = true;
			break;
		case 'L':
			opt->longer = true;
			break;
		case 'q':
			opt->quick = true;
			break;
		default:
			show_usage(argv[0]);
		}
	}
	if (optind != argc)
		show_usage(argv[0]);
}

unsigned long pica_options_count(const struct pica_options *opt, unsigned long quick,
				 unsigned long usual, unsigned long longer)
{
	if (opt->count)
		return opt->count;
	if (opt->longer)
		return longer;
	return opt->quick ? quick : usual;
}
