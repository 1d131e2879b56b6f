// SPDX-License-Identifier: MIT
/*
 * Commands about breakpoints and watchpoints.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

/* " if CONDITION" at the end of @args, cut off; NULL: none */
static char *cut_condition(char *args)
{
	char *p = args, *cond;

	while ((p = strstr(p, "if"))) {
		if ((p == args || isspace((unsigned char)p[-1])) &&
		    (!p[2] || isspace((unsigned char)p[2])))
			break;
		p += 2;
	}
	if (!p)
		return NULL;
	cond = p + 2 + strspn(p + 2, " \t");
	while (p > args && isspace((unsigned char)p[-1]))
		p--;
	*p = 0;
	return cond;
}

/*
 * "invocation == 5", "invocation 3-7", "invocation >= 8": the interface filters by these, so
 * that other invocations do not stop. Other conditions are evaluated at each stop.
 */
static bool parse_filter(const char *cond, struct drm_vshader_debug_point *p)
{
	unsigned long long a, b;
	int n = 0;

	if (strncmp(cond, "invocation", 10))
		return false;
	cond += 10;
	cond += strspn(cond, " \t");
	p->first = 0;
	p->last = UINT64_MAX;
	errno = 0;
	if (sscanf(cond, "%llu - %llu %n", &a, &b, &n) == 2 && !cond[n]) {
		p->first = a;
		p->last = b;
	} else if (sscanf(cond, "== %llu %n", &a, &n) == 1 && n && !cond[n]) {
		p->first = a;
		p->last = a;
	} else if (isdigit((unsigned char)*cond) && sscanf(cond, "%llu %n", &a, &n) == 1 &&
		   n && !cond[n]) {
		p->first = a;
		p->last = a;
	} else if (sscanf(cond, ">= %llu %n", &a, &n) == 1 && n && !cond[n]) {
		p->first = a;
	} else if (sscanf(cond, "<= %llu %n", &a, &n) == 1 && n && !cond[n]) {
		p->last = a;
	} else {
		return false;
	}
	p->flags |= DRM_VSHADER_DEBUG_POINT_FILTER;
	/* a number beyond 64 bits */
	if (errno == ERANGE) {
		p->first = 1;
		p->last = 0;
	}
	return true;
}

static int set_condition(struct dbg *d, char *cond, struct dbg_point *t)
{
	struct dbg_value v;

	if (!cond)
		return 0;
	if (!*cond)
		return dbg_error(d, "Argument required (a condition).");
	if (parse_filter(cond, &t->p)) {
		if (t->p.first > t->p.last)
			return dbg_error(d, "\"%s\": no invocation is meant", cond);
		return 0;
	}
	/* Names and registers are those of a stopped job. */
	if (dbg_eval(d, cond, &v) && (d->state == DBG_STOPPED || d->bad_syntax))
		return -EINVAL;
	t->cond = cond;
	return 0;
}

static void tell_point(struct dbg *d, const struct dbg_point *p)
{
	const struct dbg_insn *i;
	const struct dbg_text *t;
	const struct dbg_code *c;
	uint32_t line;

	js_int(d->result, "breakpoint", p->num);
	if (p->p.kind == DBG_WATCH_VALUE) {
		dbg_printf(d, "Watchpoint %u: %s\n", p->num, p->what);
		return;
	}
	if (p->p.kind == DRM_VSHADER_DEBUG_WATCH) {
		dbg_printf(d, "%s %u: %s\n",
			   p->p.flags & DRM_VSHADER_DEBUG_POINT_READ ?
			   p->p.flags & DRM_VSHADER_DEBUG_POINT_WRITE ?
			   "Hardware access (read/write) watchpoint" : "Hardware read watchpoint" :
			   "Hardware watchpoint", p->num, p->what);
		return;
	}
	if (p->p.kind == DRM_VSHADER_DEBUG_SPECIAL) {
		dbg_printf(d, "Catchpoint %u (NaN or infinity)\n", p->num);
		return;
	}
	js_int(d->result, "pc", p->p.pc);
	c = dbg_code_of(d, p->program, p->p.pc);
	i = dbg_code_at(c, p->p.pc);
	dbg_printf(d, "%s %u at 0x%x", p->temporary ? "Temporary breakpoint" : "Breakpoint",
		   p->num, p->p.pc);
	if (p->program != JF_NONE)
		dbg_printf(d, " in %s", c->name);
	t = c ? dbg_text_at(d, c, i, &line) : NULL;
	if (t && t->path && line)
		dbg_printf(d, ", %s:%u", t->name, line);
	dbg_printf(d, ": ");
	dbg_print_insn(d, c, i, "\t");
}

/* @place: parses the location and looks up the condition for @t. */
static int add_point(struct dbg *d, const char *args, struct dbg_point *t,
		     int (*place)(struct dbg *d, const char *text, char *cond,
				  struct dbg_point *t))
{
	struct dbg_point *p = NULL;
	char *copy = strdup(args), *cond;
	struct dbg_value *bpnum;
	int ret;

	if (!copy)
		return dbg_error(d, "out of memory");
	cond = cut_condition(copy);
	ret = place(d, copy, cond, t);
	if (!ret) {
		t->what = copy;
		p = dbg_add_point(d, t);
		ret = p ? 0 : -EINVAL;
	}
	free(copy);
	if (!p)
		return ret;
	bpnum = dbg_var(d, "bpnum", 5, true);
	if (bpnum)
		*bpnum = dbg_int(p->num);
	tell_point(d, p);
	return ret;
}

static int place_break(struct dbg *d, const char *text, char *cond, struct dbg_point *t)
{
	int ret = dbg_location(d, text, &t->program, &t->p.pc);

	return ret ? ret : set_condition(d, cond, t);
}

static int add_break(struct dbg *d, const char *args, bool temporary)
{
	struct dbg_point t = { .temporary = temporary, .p.kind = DRM_VSHADER_DEBUG_BREAK };

	return add_point(d, args, &t, place_break);
}

static int cmd_break(struct dbg *d, const char *args)
{
	return add_break(d, args, false);
}

static int cmd_tbreak(struct dbg *d, const char *args)
{
	return add_break(d, args, true);
}

/* LOCATION, "FORMAT", ...: prints at each hit, without a stop that the user sees */
static int cmd_dprintf(struct dbg *d, const char *args)
{
	const char *comma = strchr(args, ','), *format;
	struct dbg_point *p;
	char *place;
	int ret;

	format = comma ? comma + 1 + strspn(comma + 1, " \t") : "";
	if (*format != '"')
		return dbg_error(d, comma ? "Format string required" :
				 "Format string required after a location and a comma");
	place = strndup(args, (size_t)(comma - args));
	if (!place)
		return dbg_error(d, "out of memory");
	ret = add_break(d, place, false);
	free(place);
	if (ret)
		return ret;
	p = dbg_point_by_num(d, d->last_point);
	if (!p || asprintf(&p->commands, "silent\nprintf %s\ncontinue\n", format) >= 0)
		return 0;
	p->commands = NULL;
	return dbg_error(d, "out of memory");
}

/* ---- watchpoints ---- */

/* A register of the selected invocation: only changes can be found. */
static int watch_register(struct dbg *d, const struct dbg_value *v, const char *rest,
			  struct dbg_point *t)
{
	unsigned int i;

	if (*rest)
		return dbg_error(d, "A syntax error in expression, near \"%.40s\".", rest);
	if (t->p.flags & DRM_VSHADER_DEBUG_POINT_READ)
		return dbg_error(d, "Registers can be watched for changes only.");
	for (i = 0; i < DBG_MAX_POINTS; i++) {
		if (d->points[i].num && d->points[i].p.kind == DBG_WATCH_VALUE &&
		    d->points[i].inv != d->inv)
			return dbg_error(d, "Registers of invocation %llu are watched already.",
					 (unsigned long long)d->points[i].inv);
	}
	t->p.kind = DBG_WATCH_VALUE;
	t->inv = d->inv;
	t->value = *v;
	return 0;
}

/* "ADDRESS", "ADDRESS, BYTES", "{f32} ADDRESS", "$r3.x" */
static int watched(struct dbg *d, const char *text, struct dbg_point *t)
{
	struct drm_vshader_debug_point *p = &t->p;
	struct dbg_value v, size;
	const char *end;
	int ret = dbg_eval_part(d, text, &end, &v);

	if (ret)
		return ret;
	if (v.place == DBG_REGISTER)
		return watch_register(d, &v, end, t);
	if (v.place == DBG_PC)
		return dbg_error(d, "Only registers and memory can be watched.");
	p->size = 4;
	if (v.place == DBG_MEMORY) {
		p->va = v.va;
		p->size = (uint64_t)v.num * v.bits / 8;
	} else {
		p->va = (uint64_t)dbg_to_int(&v, 0);
	}
	if (*end == ',') {
		ret = dbg_eval(d, end + 1, &size);
		if (ret)
			return ret;
		p->size = (uint64_t)dbg_to_int(&size, 0);
	} else if (*end) {
		return dbg_error(d, "A syntax error in expression, near \"%.40s\".", end);
	}
	return p->size ? 0 : dbg_error(d, "Nothing is to be watched.");
}

/* "watch REGISTER if invocation == N" is about that invocation, not the selected one. */
static int watched_in(struct dbg *d, const char *text, const char *cond, struct dbg_point *t)
{
	struct drm_vshader_debug_point filter = { };
	uint64_t selected = d->inv;
	int ret;

	if (cond && parse_filter(cond, &filter) && filter.first == filter.last)
		d->inv = filter.first;
	ret = watched(d, text, t);
	d->inv = selected;
	return ret;
}

static int place_watch(struct dbg *d, const char *text, char *cond, struct dbg_point *t)
{
	struct drm_vshader_debug_point filter = { };
	int ret = watched_in(d, text, cond, t);

	if (!ret && t->p.kind == DBG_WATCH_VALUE) {
		if (!cond || !parse_filter(cond, &filter))
			t->cond = cond;
		else if (filter.first != filter.last)
			return dbg_error(d, "Registers are watched in one invocation.");
		return 0;
	}
	if (!ret && cond && !parse_filter(cond, &t->p))
		ret = dbg_error(d, "Watchpoints have conditions on the invocation only.");
	return ret;
}

static int add_watch(struct dbg *d, const char *args, uint32_t flags)
{
	struct dbg_point t = {
		.program = JF_NONE, .p.kind = DRM_VSHADER_DEBUG_WATCH, .p.flags = flags,
	};

	return add_point(d, args, &t, place_watch);
}

static int cmd_watch(struct dbg *d, const char *args)
{
	return add_watch(d, args, DRM_VSHADER_DEBUG_POINT_WRITE);
}

static int cmd_rwatch(struct dbg *d, const char *args)
{
	return add_watch(d, args, DRM_VSHADER_DEBUG_POINT_READ);
}

static int cmd_awatch(struct dbg *d, const char *args)
{
	return add_watch(d, args,
			 DRM_VSHADER_DEBUG_POINT_READ | DRM_VSHADER_DEBUG_POINT_WRITE);
}

/* ---- NaNs and infinities ---- */

static int place_catch(struct dbg *d, const char *text, char *cond, struct dbg_point *t)
{
	if (strcmp(text, "nan"))
		return dbg_error(d, "\"catch nan\" expected.");
	if (cond && !parse_filter(cond, &t->p))
		return dbg_error(d, "Catchpoints have conditions on the invocation only.");
	return 0;
}

static int cmd_catch(struct dbg *d, const char *args)
{
	struct dbg_point t = { .program = JF_NONE, .p.kind = DRM_VSHADER_DEBUG_SPECIAL };

	return add_point(d, args, &t, place_catch);
}

/* ---- existing points ---- */

/* A number, or a variable as $bpnum. @end: the text after it, or @text */
static unsigned long point_number(struct dbg *d, const char *text, char **end)
{
	const struct dbg_value *v;
	size_t len;

	if (*text != '$')
		return strtoul(text, end, 10);
	len = strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_");
	v = dbg_var(d, text + 1, len, false);
	*end = (char *)text + (v ? len + 1 : 0);
	return v ? (unsigned long)dbg_to_int(v, 0) : 0;
}

static struct dbg_point *point_of(struct dbg *d, unsigned long num, const char *text)
{
	if (num <= UINT32_MAX)
		return dbg_point_by_num(d, (unsigned int)num);
	dbg_error(d, "Bad breakpoint number '%.40s'", text);
	return NULL;
}

/* For all points, or those with the given numbers. */
static int each(struct dbg *d, const char *args, int (*fn)(struct dbg *d, struct dbg_point *p))
{
	struct dbg_point *p;
	unsigned long num;
	unsigned int i;
	char *end;
	int ret = 0;

	for (i = 0; !*args && i < DBG_MAX_POINTS && !ret; i++) {
		if (d->points[i].num)
			ret = fn(d, &d->points[i]);
	}
	while (*args && !ret) {
		num = point_number(d, args, &end);
		if (end == args || (*end && !strchr(" \t,", *end)))
			return dbg_error(d, "Bad breakpoint number '%s'", args);
		p = point_of(d, num, args);
		args = end + strspn(end, " \t,");
		ret = p ? fn(d, p) : -EINVAL;
	}
	return ret;
}

static int delete_one(struct dbg *d, struct dbg_point *p)
{
	dbg_delete_point(d, p);
	return 0;
}

static int disable_one(struct dbg *d, struct dbg_point *p)
{
	p->p.flags |= DRM_VSHADER_DEBUG_POINT_DISABLED;
	return dbg_update_point(d, p);
}

static int enable_one(struct dbg *d, struct dbg_point *p)
{
	p->temporary = false;
	p->once = false;
	p->p.flags &= ~(uint32_t)DRM_VSHADER_DEBUG_POINT_DISABLED;
	return dbg_update_point(d, p);
}

static int enable_delete(struct dbg *d, struct dbg_point *p)
{
	int ret = enable_one(d, p);

	p->temporary = true;
	return ret;
}

static int enable_once(struct dbg *d, struct dbg_point *p)
{
	int ret = enable_one(d, p);

	p->once = true;
	return ret;
}

static int cmd_enable_once(struct dbg *d, const char *args)
{
	return each(d, args, enable_once);
}

static int cmd_enable_delete(struct dbg *d, const char *args)
{
	return each(d, args, enable_delete);
}

/* Breakpoints at a location. */
static int cmd_clear(struct dbg *d, const char *args)
{
	uint32_t program, pc;
	unsigned int i, n = 0;
	int ret = dbg_location(d, args, &program, &pc);

	if (ret)
		return ret;
	for (i = 0; i < DBG_MAX_POINTS; i++) {
		struct dbg_point *p = &d->points[i];

		if (!p->num || p->p.kind != DRM_VSHADER_DEBUG_BREAK || p->p.pc != pc ||
		    p->program != program)
			continue;
		dbg_printf(d, "%s %u", n++ ? "" : "Deleted breakpoint", p->num);
		dbg_delete_point(d, p);
	}
	if (!n)
		return dbg_error(d, "No breakpoint at %s.", *args ? args : "this instruction");
	dbg_printf(d, "\n");
	return 0;
}

static int cmd_delete(struct dbg *d, const char *args)
{
	return each(d, args, delete_one);
}

static int cmd_disable(struct dbg *d, const char *args)
{
	return each(d, args, disable_one);
}

static int cmd_enable(struct dbg *d, const char *args)
{
	return each(d, args, enable_one);
}

static int cmd_ignore(struct dbg *d, const char *args)
{
	struct dbg_point *p;
	unsigned long long n;
	unsigned int count;
	unsigned long num;
	char *rest, *end;

	num = point_number(d, args, &rest);
	rest += strspn(rest, " \t");
	n = strtoull(rest, &end, 10);
	if (rest == args || !isdigit((unsigned char)*rest) || *end || n > UINT32_MAX)
		return dbg_error(d, "Two arguments required: a breakpoint number and a count.");
	count = (unsigned int)n;
	p = point_of(d, num, args);
	if (!p)
		return -EINVAL;
	p->p.ignore = count;
	dbg_printf(d, "Will ignore next %u crossings of breakpoint %u.\n", count, p->num);
	return dbg_update_point(d, p);
}

static int cmd_condition(struct dbg *d, const char *args)
{
	struct dbg_point *p, t;
	unsigned long num;
	char *copy, *old, *rest;
	int ret;

	num = point_number(d, args, &rest);
	if (rest == args)
		return dbg_error(d, "Argument required (breakpoint number).");
	rest += strspn(rest, " \t");
	p = point_of(d, num, args);
	if (!p)
		return -EINVAL;
	if (p->p.kind != DRM_VSHADER_DEBUG_BREAK)
		return dbg_error(d, "Watchpoints have their conditions from the beginning.");
	t = *p;
	t.cond = NULL;
	t.p.flags &= ~(uint32_t)DRM_VSHADER_DEBUG_POINT_FILTER;
	t.p.first = 0;
	t.p.last = 0;
	if (!*rest)
		dbg_printf(d, "Breakpoint %u now unconditional.\n", p->num);
	copy = strdup(rest);
	if (!copy)
		return dbg_error(d, "out of memory");
	ret = *copy ? set_condition(d, copy, &t) : 0;
	if (ret || t.cond != copy)
		free(copy);
	if (ret)
		return ret;
	old = p->cond;
	*p = t;
	free(old);
	return dbg_update_point(d, p);
}

/* The lines up to "end" are the commands. */
static int cmd_commands(struct dbg *d, const char *args)
{
	struct dbg_point *p;
	unsigned long num = d->last_point;
	char *end = (char *)args;

	if (*args)
		num = point_number(d, args, &end);
	if (*end || (*args && end == args))
		return dbg_error(d, "Bad breakpoint number '%s'", args);
	p = point_of(d, num, args);
	if (!p)
		return -EINVAL;
	return dbg_block_begin(d, DBG_COMMANDS, "", p->num);
}

const struct dbg_cmd dbg_cmds_point[] = {
	{ "break", "[LOCATION] [if CONDITION]",
	  "Stop before an instruction.\n"
	  "LOCATION: LINE of the source or FILE:LINE, *N or PROGRAM:N an instruction, :LINE of\n"
	  "what \"list\" shows, label, procedure, program, or PROGRAM:... ; default: here. Without\n"
	  "a source N is an instruction. \"if invocation == N\", \">= N\", \"<= N\" or \"N-M\" are\n"
	  "filters that cost nothing; any other expression is evaluated at each stop, for each\n"
	  "stopped invocation.", cmd_break, "b br" },
	{ "tbreak", "[LOCATION] [if CONDITION]",
	  "A breakpoint that is deleted when it stops a job.", cmd_tbreak, "tb" },
	{ "dprintf", "LOCATION, \"FORMAT\"[, EXPRESSION...]",
	  "Print at each hit of an instruction, as printf does, and continue.", cmd_dprintf },
	{ "watch", "ADDRESS[, BYTES] [if invocation ...] | REGISTER [if CONDITION]",
	  "Stop after writes to memory: four bytes, or those of \"{f32[4]} ADDRESS\"; or when a\n"
	  "register of the selected invocation has changed, which is stepped for that.",
	  cmd_watch },
	{ "rwatch", "ADDRESS[, BYTES] [if invocation ...]", "Stop after reads of memory.",
	  cmd_rwatch },
	{ "awatch", "ADDRESS[, BYTES] [if invocation ...]",
	  "Stop after reads and writes of memory.", cmd_awatch },
	{ "catch", "nan [if invocation ...]",
	  "Stop after operations whose result is a NaN or an infinity although no operand is.",
	  cmd_catch },
	{ "delete", "[NUMBER...]", "Delete breakpoints and watchpoints, or all of them.",
	  cmd_delete, "d" },
	{ "disable", "[NUMBER...]", "Disable breakpoints and watchpoints, or all of them.",
	  cmd_disable, "dis" },
	{ "enable", "[NUMBER...]", "Enable breakpoints and watchpoints, or all of them.",
	  cmd_enable },
	{ "delete breakpoints", "[NUMBER...]", "The same as delete.", cmd_delete },
	{ "disable breakpoints", "[NUMBER...]", "The same as disable.", cmd_disable },
	{ "enable breakpoints", "[NUMBER...]", "The same as enable.", cmd_enable },
	{ "enable once", "[NUMBER...]", "Enable until the next stop there.", cmd_enable_once },
	{ "enable delete", "[NUMBER...]", "Enable, and delete at the next stop there.",
	  cmd_enable_delete },
	{ "clear", "[LOCATION]", "Delete the breakpoints at a location, by default here.",
	  cmd_clear },
	{ "ignore", "NUMBER COUNT", "Ignore the next COUNT hits of a breakpoint.", cmd_ignore },
	{ "condition", "NUMBER [CONDITION]", "Change the condition of a breakpoint.",
	  cmd_condition },
	{ "commands", "[NUMBER]",
	  "The following lines up to \"end\" are executed when the breakpoint, by default the last\n"
	  "one, has stopped a job. With \"silent\" as the first line the stop is not shown.",
	  cmd_commands },
	{ }
};
