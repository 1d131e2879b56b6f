/* SPDX-License-Identifier: MIT */
/*
 * User interfaces of the debugger.
 */
#ifndef VSHADER_CLI_DEBUG_UI_H
#define VSHADER_CLI_DEBUG_UI_H

#include "debug.h"

/* ---- debug_line.c: lines that are typed, with history and completion ---- */

void dbg_line_start(struct dbg *d);
void dbg_line_end(void);
/* Return: a line to be freed, NULL at the end. */
char *dbg_line_read(const char *prompt);
/* Completion candidate @n of a command line, freed by the caller; NULL past the last one. */
char *dbg_complete(struct dbg *d, const char *line, size_t start, unsigned int n);

/* ---- debug_tui.c ---- */

/* Until the user leaves it. */
int dbg_tui(struct dbg *d);

/* ---- debug_dap.c ---- */

/* Serve one client; @path: job file, or NULL. Return: exit status. */
int dbg_dap(const char *path, const char *device);

#endif /* VSHADER_CLI_DEBUG_UI_H */
