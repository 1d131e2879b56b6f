// SPDX-License-Identifier: MIT
/*
 * Commands of gdb that have no counterpart, and what to use instead.
 */
#include <ctype.h>
#include <string.h>

#include "debug.h"

/**
 * struct missing - commands
 * @names: separated by commas; of sub-commands with the main one
 * @why: why they are not possible
 */
static const struct missing {
	const char *names;
	const char *why;
} missing[] = {
	{ "attach,target,file,exec-file,symbol-file,load,core-file,core,add-symbol-file,"
	  "remove-symbol-file,disconnect,monitor,starti",
	  "the programs are those of the job file; \"run\" and \"start\" start its jobs" },
	{ "return", "return addresses are not recorded; use \"finish\" or \"jump\"" },
	{ "frame function,frame level,frame address,frame view,frame apply,faas,up-silently,"
	  "down-silently,select-frame,tfaas,info unwinder",
	  "return addresses are not recorded: there is one frame" },
	{ "handle,signal,stepi-signal,queue-signal,info signal",
	  "shaders get no signals; faults always stop a job" },
	{ "reverse-step,reverse-next,reverse-continue,reverse-stepi,reverse-nexti,reverse-finish,"
	  "rs,rn,rc,rsi,rni,record,rec,info record,checkpoint,restart,info checkpoints,"
	  "delete checkpoint,bookmark,goto-bookmark,delete bookmark,info bookmarks,set record,"
	  "set exec-direction",
	  "execution is not recorded; use \"start\" or \"vshader trace\"" },
	{ "python,py,guile,gu,gr,pi,python-interactive,guile-repl,gui,info guile",
	  "use \"define\", \"if\", \"while\", or the module vshader of Python" },
	{ "directory,dir,path,show directories,show paths,set directories,set substitute-path",
	  "sources are found by the paths of the job file" },
	{ "edit,make", "use \"shell\"" },
	{ "pipe,|", "use \"shell\", or \"set logging on\" and then \"shell\"" },
	{ "hbreak,thbreak", "use \"break\" or \"tbreak\"" },
	{ "rbreak", "use \"info functions REGEX\" and \"break\"" },
	{ "tcatch", "use \"catch nan\"" },
	{ "enable count", "use \"ignore\" or \"tbreak\"" },
	{ "skip,info skip", "use \"finish\" or \"until\"" },
	{ "macro,compile,ptype/o,explore,info macro,info macros,info types,info type-printers,"
	  "info scope,info vtbl,info modules,info common,info selectors,info exceptions,"
	  "set language,set multiple-symbols,set overload-resolution,set opaque-type-resolution,"
	  "set check",
	  "the language is an assembler" },
	{ "info variables",
	  "shaders have registers and memory: \"info locals\", \"info registers\", \"info memory\"" },
	{ "info float,info fp,info vector", "\"info registers\" has all registers" },
	{ "info sharedlibrary,info dll,info linkmap,sharedlibrary,nosharedlibrary,set sysroot,"
	  "set solib-search-path,set stop-on-solib-events,set auto-solib-add",
	  "programs of a GPU have no libraries" },
	{ "info proc,info auxv,info os,info terminal,info inferiors,info connections,info w32,"
	  "inferior,add-inferior,remove-inferiors,clone-inferior,tty,unset,set args,show args,"
	  "set environment,set env,show environment,show env,set cwd,show cwd,set inferior-tty,"
	  "set exec-wrapper,set startup-with-shell,set disable-randomization,"
	  "set follow-fork-mode,set follow-exec-mode,set detach-on-fork,set schedule-multiple",
	  "a job is no process; the job file has its inputs, and \"info jobs\" lists all" },
	{ "set scheduler-locking,show scheduler-locking,set non-stop,show non-stop,set mi-async,"
	  "set target-async,set observer,set step-mode",
	  "a job stops as a whole; \"thread N\" selects an invocation" },
	{ "set output-radix,set input-radix,set radix,show output-radix,show input-radix,"
	  "show radix",
	  "use formats: \"print/x\"" },
	{ "set architecture,set endian,set osabi", "the job file has the engine" },
	{ "set write,append,restore",
	  "memory of a stopped job is written by \"set memory\", to files by \"dump memory\"" },
	{ "thread name,thread find,task,info tasks",
	  "invocations have numbers: \"info threads\"" },
	{ "winheight,winwidth,wh,winname,focus,fs,update,tui new-layout,+,-,<,>",
	  "panes have their sizes; in the full-screen mode F1 shows the keys" },
	{ "trace,tp,tstart,tstop,tstatus,actions,collect,passcount,tfind,tdump,tsave,tvariable,"
	  "strace,ftrace,while-stepping,teval,info tp,info tracepoints,info tvariables,"
	  "info static-tracepoint-markers,agent-printf,delete tracepoints",
	  "use \"dprintf\" or \"vshader trace\"" },
	{ "generate-core-file,gcore", "use \"dump memory\", or \"vshader run --dump\"" },
	{ "alias,define-prefix,eval,dont-repeat,init-if-undefined,stop",
	  "use \"define\" and \"printf\"" },
	{ "with,w", "settings that change what is printed are formats: \"print/x\"" },
	{ "complete", "use Tab" },
	{ "show commands", "use Up and Down" },
	{ "info copying,info warranty", "use \"show copying\"" },
	{ "show configuration", "use \"show version\"" },
	{ "set logging redirect,set logging debugredirect", "output is copied" },
	{ "maintenance,maint,mt,flushregs,overlay,mem,info dcache,info classic-memory,new-ui,"
	  "interpreter-exec,jit-reader-load,jit-reader-unload,set debug,compare-sections,"
	  "info auto-load,info pretty-printer,info extensions,info probes,delete mem,"
	  "add-auto-load-safe-path,add-auto-load-scripts-directory,enable pretty-printer,"
	  "disable pretty-printer,save gdb-index,logging",
	  "it is about gdb itself" },
};

/* Words of a name that a line begins with, 0: it does not. */
static unsigned int begins(const char *name, size_t len, const char *line)
{
	unsigned int words = 1;

	for (; len; name++, len--) {
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
	unsigned int i, words, most = 0;
	const char *p;
	size_t n;

	for (i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		for (p = missing[i].names; *p; p += n + (p[n] == ',')) {
			n = strcspn(p, ",");
			words = begins(p, n, line);
			if (words <= most)
				continue;
			most = words;
			*why = missing[i].why;
		}
	}
	return most;
}
