// SPDX-License-Identifier: MIT
/*
 * vshader gl: Debian's Mesa with the driver, which other machines than arm64 do not have.
 * scripts/mesa downloads and unpacks it.
 */
#include <elf.h>
#include <errno.h>
#include <linux/limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "gl.h"
#include "install.h"

#define SCRIPT		"scripts/mesa"
#define DEFAULT		"gl-default"	/* link to the root that was set up last */

static const char * const suites[] = { "bookworm", "trixie", "sid", "built" };

/* The newest Mesa is sid's; scripts/mesa takes testing's if sid has not all of it. */
static const char *real_suite(const char *name)
{
	return strcmp(name, "newest") ? name : "sid";
}

static bool is_suite(const char *name)
{
	unsigned int i;

	for (i = 0; i < sizeof(suites) / sizeof(suites[0]); i++) {
		if (!strcmp(suites[i], name))
			return true;
	}
	return false;
}

/* The root of a suite. Return: whether it is complete. */
static bool suite_root(const char *suite, char *buf, size_t size)
{
	static const char * const arches[] = { "arm64", "amd64" };
	char cache[2 * PATH_MAX], mark[5 * PATH_MAX];
	unsigned int i;

	install_cache(cache, sizeof(cache));
	for (i = 0; i < 2; i++) {
		snprintf(buf, size, "%s/mesa-%s-%s", cache, suite, arches[i]);
		snprintf(mark, sizeof(mark), "%s/.complete", buf);
		if (!access(mark, F_OK))
			return true;
	}
	return false;
}

/* A suite that is used without a name from now on. */
static void set_default(const char *root)
{
	char cache[2 * PATH_MAX], link[3 * PATH_MAX], fresh[sizeof(link) + 16];

	install_cache(cache, sizeof(cache));
	snprintf(link, sizeof(link), "%s/" DEFAULT, cache);
	/* others use it meanwhile */
	snprintf(fresh, sizeof(fresh), "%s.%d", link, getpid());
	unlink(fresh);
	if (symlink(root, fresh) || rename(fresh, link))
		fprintf(stderr, "vshader gl: %s: %s\n", link, strerror(errno));
}

static void run_script(const char *script, const char *suite, bool checkout)
{
	install_environment(checkout);
	/* its result is a path, its progress is on standard error */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	execlp("sh", "sh", script, "setup", suite, (char *)NULL);
	fail("sh: %s", strerror(errno));
	_exit(EXIT_USAGE);
}

int gl_setup(const char *suite)
{
	char script[2 * PATH_MAX], root[4 * PATH_MAX];
	bool checkout;
	int status;
	pid_t pid;

	suite = real_suite(suite ?: "bookworm");
	if (!is_suite(suite))
		return fail("no suite \"%s\"; expected bookworm, trixie, sid, newest or built",
			    suite);
	if (!install_script(SCRIPT, script, sizeof(script), &checkout))
		return fail("%s: %s", script, strerror(errno));
	pid = fork();
	if (pid < 0)
		return fail("fork: %s", strerror(errno));
	if (!pid)
		run_script(script, suite, checkout);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) ||
	    !suite_root(suite, root, sizeof(root)))
		return fail("cannot set Mesa of %s up", suite);
	set_default(root);
	printf("Mesa of %s is in %s\nvshader gl --gpu g52 --sysroot %s -- PROGRAM\n", suite, root,
	       suite);
	return 0;
}

const char *gl_setup_sysroot(const char *name)
{
	static char root[4 * PATH_MAX];

	if (!*name) {
		fail("--sysroot: the name is empty");
		return NULL;
	}
	if (!access(name, F_OK))
		return name;
	name = real_suite(name);
	if (!is_suite(name))
		return name;
	if (suite_root(name, root, sizeof(root)))
		return root;
	fail("no Mesa of %s: \"vshader gl --setup %s\" gets it", name, name);
	return NULL;
}

/* Return: 1: there is such a file, and it is linked statically; 0: not so, -1: there is none. */
static int is_static(const char *path)
{
	FILE *file = fopen(path, "re");
	Elf64_Ehdr h = {};
	Elf64_Phdr p;
	bool ok;
	int i;

	if (!file)
		return -1;
	ok = fread(&h, sizeof(h), 1, file) == 1 && !memcmp(h.e_ident, ELFMAG, SELFMAG) &&
	     h.e_ident[EI_CLASS] == ELFCLASS64 && h.e_phentsize == sizeof(p) &&
	     !fseek(file, h.e_phoff, SEEK_SET);
	for (i = 0; ok && i < h.e_phnum; i++)
		ok = fread(&p, sizeof(p), 1, file) == 1 && p.p_type != PT_INTERP;
	fclose(file);
	return ok;
}

bool gl_setup_is_static(const char *program)
{
	const char *at = getenv("PATH") ?: "";
	char path[2 * PATH_MAX];
	int n, found = -1;

	if (strchr(program, '/'))
		return is_static(program) > 0;
	for (; *at && found < 0; at += n + !!at[n]) {
		n = strcspn(at, ":");
		snprintf(path, sizeof(path), "%.*s/%s", n < PATH_MAX ? n : 0, at, program);
		found = is_static(path);
	}
	return found > 0;
}

#ifdef __aarch64__
int gl_setup_default(const char *program, const char **sysroot)
{
	*sysroot = NULL;
	return 0;
}
#else
/* Return: the file is a program of arm64. */
static bool is_arm64(const char *path)
{
	FILE *file = fopen(path, "re");
	Elf64_Ehdr h = {};
	bool ok = file && fread(&h, sizeof(h), 1, file) == 1 &&
		  !memcmp(h.e_ident, ELFMAG, SELFMAG) && h.e_machine == EM_AARCH64;

	if (file)
		fclose(file);
	return ok;
}

int gl_setup_default(const char *program, const char **sysroot)
{
	static char link[3 * PATH_MAX];
	char cache[2 * PATH_MAX];

	*sysroot = NULL;
	if (!strchr(program, '/') || !is_arm64(program))
		return 0;
	install_cache(cache, sizeof(cache));
	snprintf(link, sizeof(link), "%s/" DEFAULT, cache);
	if (access(link, F_OK))
		return fail("%s is a program of arm64: \"vshader gl --setup\" gets its libraries",
			    program);
	*sysroot = link;
	return 0;
}
#endif
