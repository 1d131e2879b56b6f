// SPDX-License-Identifier: MIT
/*
 * vshader vm: a kernel for arm64 in QEMU with Mali GPUs that are register models. scripts/vm has
 * the machine and its guest; options are checked here.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <linux/limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../kernel/model/vs_model.h"
#include "cli.h"
#include "install.h"

#define SCRIPT		"scripts/vm"
#define LIBRARY		"libvshader_qemu.so"
#define MAX_GPUS	4
#define MAX_CPUS	4
#define MAX_NAME	31U	/* a tag of 9p */
#define NAME_CHARACTERS	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

/**
 * struct options - of the command.
 * @words:	command line of the script
 * @nwords:	number of @words
 * @gpus:	number of GPUs
 * @kernel:	image, or NULL: Debian's
 * @debian:	its version is given
 * @image:	disk image
 * @modules:	modules of @kernel, if this is an image
 * @argv:	command, or nothing
 */
struct options {
	const char **words;
	unsigned int nwords;
	unsigned int gpus;
	const char *kernel;
	bool debian;
	const char *image;
	const char *modules;
	char **argv;
};

static void add(struct options *o, const char *word)
{
	o->words[o->nwords++] = word;
}

static void add_option(struct options *o, const char *name, const char *value)
{
	add(o, name);
	add(o, value);
}

static int add_gpu(struct options *o, const char *gpu)
{
	struct vs_model_desc d;

	if (!vs_model_find(gpu, &d))
		return fail("no GPU \"%s\"; \"vshader vm --help\" has a list", gpu);
	if (o->gpus++ == MAX_GPUS)
		return fail("more than %u GPUs", MAX_GPUS);
	add_option(o, "--gpu-model", gpu);
	return 0;
}

/* A number within a range, or an error. */
static int add_number(struct options *o, const char *name, const char *text, unsigned long lo,
		      unsigned long hi)
{
	unsigned long v;
	int ret = parse_limited(name, text, lo, hi, &v);

	if (!ret)
		add_option(o, name, text);
	return ret;
}

/* A file of this type that can be read; @type: S_IFDIR, or S_IFREG, which devices are, too. */
static int check_file(const char *name, const char *file, mode_t type)
{
	bool folder = type == S_IFDIR;
	struct stat st;

	if (stat(file, &st) || access(file, R_OK))
		return fail("%s %s: %s", name, file, strerror(errno));
	if (folder != S_ISDIR(st.st_mode))
		return fail("%s %s: %s", name, file, strerror(folder ? ENOTDIR : EISDIR));
	return 0;
}

/* Whether a file has these bytes at an offset. */
static bool has_magic(const char *file, long at, const char *magic)
{
	char text[8] = "";
	FILE *f = fopen(file, "re");
	bool found = f && !fseek(f, at, SEEK_SET) &&
		     fread(text, 1, strlen(magic), f) == strlen(magic) &&
		     !memcmp(text, magic, strlen(magic));

	if (f)
		fclose(f);
	return found;
}

/* An image of arm64 as it is, as an EFI program, or compressed. */
static bool is_kernel(const char *file)
{
	return has_magic(file, 56, "ARM\x64") || has_magic(file, 0, "MZ") ||
	       has_magic(file, 0, "\x1f\x8b");
}

/* A name of scripts/kernel, or a file: given with its whole path, by which the script knows it. */
static int add_kernel(struct options *o, const char *kernel)
{
	static char path[PATH_MAX];
	int ret;

	if (!strcmp(kernel, "6.1") || !strcmp(kernel, "6.12")) {
		o->debian = true;
		add_option(o, "--kernel", kernel);
		return 0;
	}
	o->kernel = kernel;
	if (!realpath(kernel, path))
		return fail("--kernel %s: %s; expected 6.1, 6.12 or an image", kernel,
			    strerror(errno));
	ret = check_file("--kernel", kernel, S_IFREG);
	if (!ret && !is_kernel(path))
		ret = fail("--kernel %s: not an image for arm64", kernel);
	if (!ret)
		add_option(o, "--kernel", path);
	return ret;
}

static int add_file(struct options *o, const char *name, const char *file, mode_t type)
{
	int ret = check_file(name, file, type);

	if (!ret)
		add_option(o, name, file);
	return ret;
}

/* Folders that the guest needs itself. */
static bool is_of_guest(const char *name, size_t len)
{
	static const char * const names[] = {
		"bin", "dev", "etc", "host", "lib", "lib64", "proc", "results", "run", "sbin",
		"sys", "tmp", "usr",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) == len && !memcmp(names[i], name, len))
			return true;
	}
	return false;
}

/* NAME=DIR; the name is that of a folder in the guest's root, and of a device of the machine. */
static int add_share(struct options *o, const char *share)
{
	const char *eq = strchr(share, '=');
	size_t len = eq ? (size_t)(eq - share) : 0;
	unsigned int i;
	int ret;

	if (!len || strspn(share, NAME_CHARACTERS) < len)
		return fail("--share %s: expected NAME=DIR, NAME of letters, digits, - and _",
			    share);
	if (!isalpha((unsigned char)*share) || len > MAX_NAME)
		return fail("--share %s: the name has to begin with a letter and have at most %u",
			    share, MAX_NAME);
	if (is_of_guest(share, len))
		return fail("--share %s: the guest has a folder of this name itself", share);
	for (i = 0; i < o->nwords; i++) {
		if (!strcmp(o->words[i], "--share") &&
		    !strncmp(o->words[i + 1], share, len + 1))
			return fail("--share %s: the name is given twice", share);
	}
	ret = check_file("--share", eq + 1, S_IFDIR);
	if (!ret)
		add_option(o, "--share", share);
	return ret;
}

static int parse_options(struct options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{ "gpu", required_argument, NULL, 'g' },
		{ "kernel", required_argument, NULL, 'k' },
		{ "modules", required_argument, NULL, 'M' },
		{ "image", required_argument, NULL, 'i' },
		{ "driver-module", required_argument, NULL, 'D' },
		{ "smp", required_argument, NULL, 'c' },
		{ "memory", required_argument, NULL, 'm' },
		{ "share", required_argument, NULL, 's' },
		{ "results", required_argument, NULL, 'r' },
		{ "timeout", required_argument, NULL, 't' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { }
	};
	static const char help[] =
"  -g, --gpu GPU        t760, t860, g31, g52, g71, g72; mali400, mali400mp1 to mali400mp4,\n"
"                       mali450; up to four times\n"
"  -k, --kernel KERNEL  Debian's 6.1 (default) or 6.12, or a kernel's image for arm64\n"
"      --modules DIR    lib/modules/RELEASE of this image; without, it has all built in\n"
"  -i, --image DISK     boot this disk image with its own kernel, without a command on this\n"
"                       terminal; what is written to it is not kept\n"
"      --driver-module FILE  another build of the driver\n"
"  -c, --smp N          virtual CPUs, 1 to 4 (default 2)\n"
"  -m, --memory M       MiB (default 1024)\n"
"      --share NAME=DIR  DIR, read-only, as /NAME in the guest\n"
"      --results DIR    DIR, writable, as /results in the guest\n"
"      --timeout S      end after S seconds (default 600)\n"
"  -q, --quiet          no progress lines; findings of the model are printed nevertheless\n";
	static const int many[] = { 'g', 's', 0 };
	int c, ret = 0;

	while (!ret && (c = getopt_long(argc, argv, "+g:k:i:c:m:qh", options, NULL)) != -1) {
		switch (option_once(c, options, many)) {
		case 'g':
			ret = add_gpu(o, optarg);
			break;
		case 'k':
			ret = add_kernel(o, optarg);
			break;
		case 'M':
			o->modules = optarg;
			ret = add_file(o, "--modules", optarg, S_IFDIR);
			break;
		case 'i':
			o->image = optarg;
			ret = add_file(o, "--image", optarg, S_IFREG);
			break;
		case 'D':
			ret = add_file(o, "--driver-module", optarg, S_IFREG);
			if (!ret && !has_magic(optarg, 0, "\177ELF"))
				ret = fail("--driver-module %s: not a kernel module", optarg);
			break;
		case 'c':
			ret = add_number(o, "--smp", optarg, 1, MAX_CPUS);
			break;
		case 'm':
			ret = add_number(o, "--memory", optarg, 256, 65536);
			break;
		case 's':
			ret = add_share(o, optarg);
			break;
		case 'r':
			/* the script makes it */
			if (!*optarg)
				return fail("--results: the name is empty");
			ret = access(optarg, F_OK) ? 0 : check_file("--results", optarg, S_IFDIR);
			add_option(o, "--results", optarg);
			break;
		case 't':
			ret = add_number(o, "--timeout", optarg, 1, 1000000);
			break;
		case 'q':
			add(o, "--quiet");
			break;
		case 'h':
			print_help(help);
			return -1;
		default:
			return usage_error();
		}
	}
	o->argv = argv + optind;
	if (ret)
		return ret;
	if (!o->gpus)
		return fail("--gpu is missing");
	if (o->modules && !o->kernel)
		return fail("--modules are those of an image that --kernel names");
	if (o->image && (o->kernel || o->debian))
		return fail("--image boots the image's own kernel");
	return 0;
}

/* Does not return if all is well. */
static int run(struct options *o, int argc, char **argv)
{
	char script[2 * PATH_MAX] = "", library[2 * PATH_MAX];
	bool checkout;
	char **word;
	int ret;

	add_option(o, "sh", script);
	add(o, "shell");
	add_option(o, "--memory", "1024");
	ret = parse_options(o, argc, argv);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (!install_script(SCRIPT, script, sizeof(script), &checkout))
		return fail("%s: %s", script, strerror(errno));
	if (!install_library(LIBRARY, library, sizeof(library)))
		return fail("%s: %s", library, strerror(errno));
	if (o->argv[0]) {
		o->words[2] = "run";
		add(o, "--");
		for (word = o->argv; *word; word++)
			add(o, *word);
	}
	install_environment(checkout);
	setenv("VSHADER_QEMU_LIBRARY", library, 1);
	execvp("sh", (char *const *)o->words);
	return fail("sh: %s", strerror(errno));
}

int cmd_vm(int argc, char **argv)
{
	struct options o = {};
	int ret;

	o.words = calloc(2 * argc + 8, sizeof(*o.words));
	if (!o.words)
		return fail("%s", strerror(ENOMEM));
	ret = run(&o, argc, argv);
	free(o.words);
	return ret;
}
