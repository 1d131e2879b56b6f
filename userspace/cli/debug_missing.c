// SPDX-License-Identifier: MIT
/*
 * Commands of gdb that have no counterpart, and what to use instead.
 */
#include <ctype.h>
#include <string.h>

#include "debug.h"

#define MAX_NAMES	30	/* with the end */

/**
 * struct missing - commands
 * @why: why they are not possible
 * @names: names; of sub-commands with the main one
 */
struct missing {
	const char *why;
	const char *names[MAX_NAMES];
};

static const struct missing missing[] = {
	{ "the programs are those of the job file; \"run\" and \"start\" start its jobs",
	  { "attach", "target", "file", "exec-file", "symbol-file", "load", "core-file", "core",
	    "add-symbol-file", "remove-symbol-file", "disconnect", "monitor", "starti" } },
	{ "return addresses are not recorded; use \"finish\" or \"jump\"",
	  { "return" } },
	{ "return addresses are not recorded: there is one frame",
	  { "frame function", "frame level", "frame address", "frame view", "frame apply",
	    "faas", "up-silently", "down-silently", "select-frame", "tfaas", "info unwinder" } },
	{ "shaders get no signals; faults always stop a job",
	  { "handle", "signal", "stepi-signal", "queue-signal", "info signal" } },
	{ "execution is not recorded; use \"start\" or \"vshader trace\"",
	  { "reverse-step", "reverse-next", "reverse-continue", "reverse-stepi", "reverse-nexti",
	    "reverse-finish", "rs", "rn", "rc", "rsi", "rni", "record", "rec", "info record",
	    "checkpoint", "restart", "info checkpoints", "delete checkpoint", "bookmark",
	    "goto-bookmark", "delete bookmark", "info bookmarks", "set record",
	    "set exec-direction" } },
	{ "use \"define\", \"if\", \"while\", or the module vshader of Python",
	  { "python", "py", "guile", "gu", "gr", "pi", "python-interactive", "guile-repl", "gui",
	    "info guile" } },
	{ "sources are found by the paths of the job file",
	  { "directory", "dir", "path", "show directories", "show paths", "set directories",
	    "set substitute-path" } },
	{ "use \"shell\"",
	  { "edit", "make" } },
	{ "use \"shell\", or \"set logging on\" and then \"shell\"",
	  { "pipe", "|" } },
	{ "use \"break\" or \"tbreak\"",
	  { "hbreak", "thbreak" } },
	{ "use \"info functions REGEX\" and \"break\"",
	  { "rbreak" } },
	{ "use \"catch nan\"",
	  { "tcatch" } },
	{ "use \"ignore\" or \"tbreak\"",
	  { "enable count" } },
	{ "use \"finish\" or \"until\"",
	  { "skip", "info skip" } },
	{ "the language is an assembler",
	  { "macro", "compile", "ptype/o", "explore", "info macro", "info macros", "info types",
	    "info type-printers", "info scope", "info vtbl", "info modules", "info common",
	    "info selectors", "info exceptions", "set language", "set multiple-symbols",
	    "set overload-resolution", "set opaque-type-resolution", "set check" } },
	{ "shaders have registers and memory: \"info locals\", \"info registers\", \"info memory\"",
	  { "info variables" } },
	{ "\"info registers\" has all registers",
	  { "info float", "info fp", "info vector" } },
	{ "programs of a GPU have no libraries",
	  { "info sharedlibrary", "info dll", "info linkmap", "sharedlibrary", "nosharedlibrary",
	    "set sysroot", "set solib-search-path", "set stop-on-solib-events",
	    "set auto-solib-add" } },
	{ "a job is no process; the job file has its inputs, and \"info jobs\" lists all",
	  { "info proc", "info auxv", "info os", "info terminal", "info inferiors",
	    "info connections", "info w32", "inferior", "add-inferior", "remove-inferiors",
	    "clone-inferior", "tty", "unset", "set args", "show args", "set environment",
	    "set env", "show environment", "show env", "set cwd", "show cwd", "set inferior-tty",
	    "set exec-wrapper", "set startup-with-shell", "set disable-randomization",
	    "set follow-fork-mode", "set follow-exec-mode", "set detach-on-fork",
	    "set schedule-multiple" } },
	{ "a job stops as a whole; \"thread N\" selects an invocation",
	  { "set scheduler-locking", "show scheduler-locking", "set non-stop", "show non-stop",
	    "set mi-async", "set target-async", "set observer", "set step-mode" } },
	{ "use formats: \"print/x\"",
	  { "set output-radix", "set input-radix", "set radix", "show output-radix",
	    "show input-radix", "show radix" } },
	{ "the job file has the engine",
	  { "set architecture", "set endian", "set osabi" } },
	{ "memory of a stopped job is written by \"set memory\", to files by \"dump memory\"",
	  { "set write", "append", "restore" } },
	{ "invocations have numbers: \"info threads\"",
	  { "thread name", "thread find", "task", "info tasks" } },
	{ "panes have their sizes; in the full-screen mode F1 shows the keys",
	  { "winheight", "winwidth", "wh", "winname", "focus", "fs", "update", "tui new-layout",
	    "+", "-", "<", ">" } },
	{ "use \"dprintf\" or \"vshader trace\"",
	  { "trace", "tp", "tstart", "tstop", "tstatus", "actions", "collect", "passcount",
	    "tfind", "tdump", "tsave", "tvariable", "strace", "ftrace", "while-stepping",
	    "teval", "info tp", "info tracepoints", "info tvariables",
	    "info static-tracepoint-markers", "agent-printf", "delete tracepoints" } },
	{ "use \"dump memory\", or \"vshader run --dump\"",
	  { "generate-core-file", "gcore" } },
	{ "use \"define\" and \"printf\"",
	  { "alias", "define-prefix", "eval", "dont-repeat", "init-if-undefined", "stop" } },
	{ "settings that change what is printed are formats: \"print/x\"",
	  { "with", "w" } },
	{ "use Tab",
	  { "complete" } },
	{ "use Up and Down",
	  { "show commands" } },
	{ "use \"show copying\"",
	  { "info copying", "info warranty" } },
	{ "use \"show version\"",
	  { "show configuration" } },
	{ "output is copied",
	  { "set logging redirect", "set logging debugredirect" } },
	{ "it is about gdb itself",
	  { "maintenance", "maint", "mt", "flushregs", "overlay", "mem", "info dcache",
	    "info classic-memory", "new-ui", "interpreter-exec", "jit-reader-load",
	    "jit-reader-unload", "set debug", "compare-sections", "info auto-load",
	    "info pretty-printer", "info extensions", "info probes", "delete mem",
	    "add-auto-load-safe-path", "add-auto-load-scripts-directory",
	    "enable pretty-printer", "disable pretty-printer", "save gdb-index", "logging" } },
};

/* Words of a name that a line begins with, 0: it does not. */
static unsigned int begins(const char *name, const char *line)
{
	unsigned int words = 1;

	for (; *name; name++) {
		if (*name == ' ') {
			if (!isspace((unsigned char)*line))
				return 0;
			line += strspn(line, " \t");
			words++;
		} else if (*name != *line++) {
			return 0;
		}
	}
	/* "ptype/o x", "frame level 0" */
	return !*line || isspace((unsigned char)*line) || *line == '/' ? words : 0;
}

unsigned int dbg_missing(const char *line, const char **why)
{
	unsigned int i, k, words, most = 0;

	for (i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		for (k = 0; missing[i].names[k]; k++) {
			words = begins(missing[i].names[k], line);
			if (words <= most)
				continue;
			most = words;
			*why = missing[i].why;
		}
	}
	return most;
}
