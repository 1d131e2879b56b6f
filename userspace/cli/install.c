// SPDX-License-Identifier: MIT
/* Files installed with the command, or in its checkout. */
#include <linux/limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "install.h"

/* The folder @up folders above the command's file. */
static void above_self(char *buf, size_t size, int up)
{
	ssize_t n = readlink("/proc/self/exe", buf, size - 1);

	buf[n > 0 ? n : 0] = 0;
	while (up-- && strrchr(buf, '/'))
		*strrchr(buf, '/') = 0;
}

bool install_script(const char *name, char *buf, size_t size, bool *checkout)
{
	char self[PATH_MAX];

	above_self(self, sizeof(self), 4);
	snprintf(buf, size, "%s/%s", self, name);
	*checkout = !access(buf, R_OK);
	if (*checkout)
		return true;
	above_self(self, sizeof(self), 2);
	snprintf(buf, size, "%s/share/vshader/%s", self, name);
	if (access(buf, R_OK))
		snprintf(buf, size, VSHADER_DATADIR "/%s", name);
	return !access(buf, R_OK);
}

/* A relative folder is one of the working directory, as in scripts/lib.sh. */
static void absolute(char *buf, size_t size, const char *folder, const char *below)
{
	char here[PATH_MAX] = "";

	if (*folder != '/' && !getcwd(here, sizeof(here)))
		*here = 0;
	snprintf(buf, size, "%s%s%s%s", here, *here ? "/" : "", folder, below);
}

void install_cache(char *buf, size_t size)
{
	const char *set = getenv("VSHADER_CACHE"), *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (set && *set)
		absolute(buf, size, set, "");
	else if (xdg && *xdg)
		absolute(buf, size, xdg, "/vshader");
	else
		absolute(buf, size, home && *home ? home : "/tmp", "/.cache/vshader");
}

void install_environment(bool checkout)
{
	char cache[2 * PATH_MAX], build[3 * PATH_MAX];

	install_cache(cache, sizeof(cache));
	setenv("VSHADER_CACHE", cache, 1);
	if (checkout)
		return;
	snprintf(build, sizeof(build), "%s/build", cache);
	setenv("VSHADER_BUILD", build, 1);
}

bool install_library(const char *name, char *buf, size_t size)
{
	char self[PATH_MAX];

	above_self(self, sizeof(self), 2);
	snprintf(buf, size, "%s/lib/%s", self, name);
	if (access(buf, R_OK))
		snprintf(buf, size, VSHADER_PRELOADDIR "/%s", name);
	return !access(buf, R_OK);
}
