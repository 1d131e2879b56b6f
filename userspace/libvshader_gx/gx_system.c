// SPDX-License-Identifier: MIT
/*
 * Files, console, configuration: other calls of programs that draw.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gx_priv.h"

/* ---- kernel ---- */

void svcBreak(UserBreakType breakReason)
{
	static const char * const reasons[] = { "panic", "assertion", "break" };

	gx_say("svcBreak: %s", breakReason < 3 ? reasons[breakReason] : "undefined reason");
	abort();
}

Result svcOutputDebugString(const char *str, s32 length)
{
	gx_say("%.*s", length, str);
	return 0;
}

/* ---- files ---- */

#define ROMFS	"romfs:/"

Result romfsMountSelf(const char *name)
{
	return 0;
}

Result romfsMountFromTitle(u64 tid, FS_MediaType mediatype, const char *name)
{
	return -1;
}

Result romfsUnmount(const char *name)
{
	return 0;
}

Result romfsInit(void)
{
	return romfsMountSelf("romfs");
}

Result romfsExit(void)
{
	return romfsUnmount("romfs");
}

/* Paths that do not begin with "romfs:/" are those of the machine. */
static FILE *open_file(const char *call, const char *path, const char *mode)
{
	FILE *(*real)(const char *path, const char *mode);
	const char *folder = gx_option("ROMFS");
	char full[PATH_MAX];

	*(void **)&real = dlsym(RTLD_NEXT, call);
	if (strncmp(path, ROMFS, strlen(ROMFS)))
		return real(path, mode);
	if (snprintf(full, sizeof(full), "%s/%s", folder ? folder : "romfs",
		     path + strlen(ROMFS)) >= (int)sizeof(full)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return real(full, mode);
}

/* In place of those of the C library. */
#pragma GCC visibility push(default)

FILE *fopen(const char *path, const char *mode)
{
	return open_file("fopen", path, mode);
}

#undef fopen64
FILE *fopen64(const char *path, const char *mode)
{
	return open_file("fopen64", path, mode);
}

#pragma GCC visibility pop

/* ---- console: the standard output ---- */

static PrintConsole standard = {
	.consoleWidth = 50, .consoleHeight = 30, .windowWidth = 50, .windowHeight = 30,
};

static PrintConsole *selected = &standard;

PrintConsole *consoleGetDefault(void)
{
	return &standard;
}

PrintConsole *consoleSelect(PrintConsole *console)
{
	PrintConsole *old = selected;

	selected = console;
	return old;
}

PrintConsole *consoleInit(gfxScreen_t screen, PrintConsole *console)
{
	if (!console)
		console = &standard;
	*console = standard;
	console->consoleInitialised = true;
	if (screen == GFX_BOTTOM)
		console->consoleWidth = 40;
	consoleSetWindow(console, 0, 0, console->consoleWidth, console->consoleHeight);
	consoleSelect(console);
	return console;
}

void consoleSetWindow(PrintConsole *console, int x, int y, int width, int height)
{
	console->windowX = x;
	console->windowY = y;
	console->windowWidth = width;
	console->windowHeight = height;
}

void consoleDebugInit(debugDevice device)
{
}

void consoleClear(void)
{
}

/* ---- configuration ---- */

Result cfguInit(void)
{
	return 0;
}

void cfguExit(void)
{
}

Result CFGU_SecureInfoGetRegion(u8 *region)
{
	*region = CFG_REGION_EUR;
	return 0;
}

Result CFGU_GetSystemModel(u8 *model)
{
	*model = 0;
	return 0;
}
