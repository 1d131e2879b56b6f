// SPDX-License-Identifier: MIT
/*
 * Habits of gdb's users: apropos, saved breakpoints, commands for many invocations, layouts.
 */
#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug.h"
#include "output.h"

/* ---- settings ---- */

static int set_listing(struct dbg *d, const char *args)
{
	bool off = !strcmp(args, "off");

	if (*args && !off && strcmp(args, "on"))
		return dbg_error(d, "\"on\" or \"off\" expected: \"%.20s\"", args);
	d->listing = !off;
	d->last_list = 0;
	return 0;
}

/* ---- apropos ---- */

static int cmd_apropos(struct dbg *d, const char *args)
{
	const struct dbg_cmd *c;
	unsigned int i, n = 0;
	regex_t re;

	if (!*args || regcomp(&re, args, REG_EXTENDED | REG_ICASE | REG_NOSUB))
		return dbg_error(d, *args ? "\"%.60s\" is no regular expression." :
				 "REGEXP string is empty%s", args);
	for (c = dbg_cmd_next(NULL); c; c = dbg_cmd_next(c)) {
		if (regexec(&re, c->name, 0, NULL, 0) && regexec(&re, c->text, 0, NULL, 0) &&
		    (!c->aliases || regexec(&re, c->aliases, 0, NULL, 0)))
			continue;
		dbg_printf(d, "%s -- %.*s\n", c->name, (int)strcspn(c->text, "\n"), c->text);
		n++;
	}
	for (i = 0; i < d->num_users; i++) {
		const char *doc = d->users[i].doc ? d->users[i].doc : "User-defined.";

		if (regexec(&re, d->users[i].name, 0, NULL, 0) && regexec(&re, doc, 0, NULL, 0))
			continue;
		dbg_printf(d, "%s -- %.*s\n", d->users[i].name, (int)strcspn(doc, "\n"), doc);
		n++;
	}
	regfree(&re);
	if (!n)
		dbg_printf(d, "Nothing matches \"%s\".\n", args);
	return 0;
}

/* ---- folders ---- */

static int cmd_pwd(struct dbg *d, const char *args)
{
	char *path = getcwd(NULL, 0);

	if (!path)
		return dbg_error(d, "The working directory: %s", strerror(errno));
	dbg_printf(d, "Working directory %s.\n", path);
	js_str(d->result, "directory", path);
	free(path);
	return 0;
}

static int cmd_cd(struct dbg *d, const char *args)
{
	const char *home = getenv("HOME"), *path = *args && strcmp(args, "~") ? args : home;

	if (!path || chdir(path))
		return dbg_error(d, "%s: %s", path ? path : "~", path ? strerror(errno) :
				 "HOME is not set");
	return cmd_pwd(d, "");
}

/* ---- save breakpoints ---- */

/* The command that makes a point again. */
static void save_point(struct dbg *d, FILE *f, const struct dbg_point *p)
{
	uint32_t rw = p->p.flags & (DRM_VSHADER_DEBUG_POINT_READ | DRM_VSHADER_DEBUG_POINT_WRITE);
	const char *line;

	if (p->p.kind == DRM_VSHADER_DEBUG_SPECIAL)
		fprintf(f, "catch nan");
	else if (p->p.kind == DBG_WATCH_VALUE || p->p.kind == DRM_VSHADER_DEBUG_WATCH)
		fprintf(f, "%swatch %s", rw == DRM_VSHADER_DEBUG_POINT_READ ? "r" :
			rw & DRM_VSHADER_DEBUG_POINT_READ ? "a" : "", p->what);
	else if (!*p->what && p->program != JF_NONE)
		fprintf(f, "%s %s:0x%x", p->temporary ? "tbreak" : "break",
			d->programs[p->program]->name, p->p.pc);
	else
		fprintf(f, "%s %s", p->temporary ? "tbreak" : "break", p->what);
	if (p->p.kind == DBG_WATCH_VALUE && !p->cond)
		fprintf(f, " if invocation == %llu", (unsigned long long)p->inv);
	else if (p->p.flags & DRM_VSHADER_DEBUG_POINT_FILTER)
		fprintf(f, p->p.last == UINT64_MAX ? " if invocation >= %llu" :
			" if invocation %llu-%llu", (unsigned long long)p->p.first,
			(unsigned long long)p->p.last);
	else if (p->cond)
		fprintf(f, " if %s", p->cond);
	fprintf(f, "\n");
	if (p->p.flags & DRM_VSHADER_DEBUG_POINT_DISABLED)
		fprintf(f, "disable $bpnum\n");
	if (p->p.ignore)
		fprintf(f, "ignore $bpnum %u\n", p->p.ignore);
	if (!p->commands)
		return;
	fprintf(f, "commands\n");
	for (line = p->commands; *line; line = strchr(line, '\n') + 1)
		fprintf(f, "  %.*s\n", (int)strcspn(line, "\n"), line);
	fprintf(f, "end\n");
}

static int cmd_save(struct dbg *d, const char *args)
{
	unsigned int num, i, n = 0;
	struct output out;
	int ret;

	if (!*args)
		return dbg_error(d, "Argument required (file name in which to save)");
	for (i = 0; i < DBG_MAX_POINTS; i++)
		n += !!d->points[i].num;
	if (!n) {
		dbg_printf(d, "Nothing to save.\n");
		return 0;
	}
	ret = output_open_to(&out, args, dbg_report_output, d);
	if (ret)
		return ret;
	for (num = 1; num <= d->last_point; num++) {
		for (i = 0; i < DBG_MAX_POINTS; i++) {
			if (d->points[i].num == num)
				save_point(d, out.f, &d->points[i]);
		}
	}
	ret = output_close(&out, 0);
	if (ret)
		return ret;
	dbg_printf(d, "Saved to file '%s'.\n", args);
	return 0;
}

/* ---- many invocations ---- */

struct apply {
	uint64_t *list;
	unsigned int num;
	bool quiet;
	bool silent;
};

static int add_range(struct dbg *d, struct apply *a, uint64_t first, uint64_t last,
		     const struct drm_vshader_debug_invocation *all, int n)
{
	uint64_t *more = realloc(a->list, (a->num + (size_t)n + 1) * sizeof(*more));
	unsigned int before = a->num;
	int i;

	if (!more)
		return dbg_error(d, "out of memory");
	a->list = more;
	for (i = 0; i < n; i++) {
		if (all[i].invocation >= first && all[i].invocation <= last)
			a->list[a->num++] = all[i].invocation;
	}
	return a->num > before ? 0 :
	       dbg_error(d, "Invocation %llu is not executed now.", (unsigned long long)first);
}

/* A number, or a variable that has one. Return: characters, 0: neither. */
static size_t parse_id(struct dbg *d, const char *p, uint64_t *n)
{
	const struct dbg_value *v;
	size_t len = 1;
	char *end;

	if (isdigit((unsigned char)*p)) {
		*n = strtoull(p, &end, 10);
		return (size_t)(end - p);
	}
	while (isalnum((unsigned char)p[len]) || p[len] == '_')
		len++;
	v = *p == '$' ? dbg_var(d, p + 1, len - 1, false) : NULL;
	*n = v ? (uint64_t)dbg_to_int(v, 0) : 0;
	return v ? len : 0;
}

/* "all" or numbers and ranges, and flags. Return: the command, or NULL with a message. */
static const char *parse_apply(struct dbg *d, struct apply *a, const char *p,
			       const struct drm_vshader_debug_invocation *all, int n)
{
	uint64_t first, last;
	size_t len, more;
	int ret = 0;

	if (!strncmp(p, "all", 3) && (!p[3] || isspace((unsigned char)p[3]))) {
		ret = add_range(d, a, 0, UINT64_MAX, all, n);
		p += 3;
	}
	while (!ret && (len = parse_id(d, p, &first))) {
		last = first;
		more = p[len] == '-' ? parse_id(d, p + len + 1, &last) : 0;
		len += more ? 1 + more : 0;
		if (p[len] && !isspace((unsigned char)p[len]))
			ret = dbg_error(d, "Invalid thread ID: %.20s", p);
		else
			ret = add_range(d, a, first, last, all, n);
		p += len;
		p += strspn(p, " \t");
	}
	p += strspn(p, " \t");
	for (; !ret && *p == '-'; p += strspn(p, " \t")) {
		len = strcspn(p, " \t");
		a->quiet |= len == 2 && p[1] == 'q';
		a->silent |= len == 2 && p[1] == 's';
		p += len;
	}
	if (!ret && !a->num)
		ret = dbg_error(d, "Please specify a thread ID list, or \"all\".");
	if (!ret && !*p)
		ret = dbg_error(d, "Please specify a command to apply.");
	return ret ? NULL : p;
}

/* Its result is added to @list. Return: 1 if the job goes on, 0, or an error. */
static int apply_one(struct dbg *d, const struct apply *a, uint64_t inv, const char *command,
		     struct json_object *list)
{
	struct json_object *o, *kept = d->result;
	unsigned int resumes = d->resumes;
	int ret;

	d->inv = inv;
	if (!a->quiet && !a->silent)
		dbg_printf(d, "\nThread %llu (invocation %llu):\n", (unsigned long long)inv,
			   (unsigned long long)inv);
	d->result = NULL;
	ret = dbg_execute(d, command);
	o = json_object_new_object();
	js_int(o, "invocation", inv);
	json_object_object_add(o, "result", d->result);
	json_object_array_add(list, o);
	d->result = kept;
	if (ret && a->silent)
		ret = 0;
	return ret ? ret : d->resumes != resumes;
}

static int cmd_apply(struct dbg *d, const char *args)
{
	struct drm_vshader_debug_invocation *all;
	struct json_object *list;
	uint64_t selected = d->inv;
	struct apply a = { };
	int ret = 0, n = dbg_invocations(d, &all);
	const char *command;
	unsigned int i;

	if (n < 0)
		return n;
	list = js_array(d->result, "invocations");
	command = parse_apply(d, &a, args, all, n);
	free(all);
	if (!command)
		ret = -EINVAL;
	for (i = 0; i < a.num && !ret; i++)
		ret = apply_one(d, &a, a.list[i], command, list);
	free(a.list);
	if (ret <= 0 && d->state == DBG_STOPPED)
		d->inv = selected;
	return ret < 0 ? ret : 0;
}

/* "taas COMMAND" */
static int cmd_apply_all(struct dbg *d, const char *args)
{
	char *text;
	int ret;

	if (!*args)
		return dbg_error(d, "Please specify a command to apply.");
	if (asprintf(&text, "all -s %s", args) < 0)
		return dbg_error(d, "out of memory");
	ret = cmd_apply(d, text);
	free(text);
	return ret;
}

/* ---- layouts ---- */

static int cmd_layout(struct dbg *d, const char *args)
{
	static const char * const names[] = { "src", "asm", "split", "regs" };
	unsigned int i;

	if (!strcmp(args, "next") || !strcmp(args, "prev"))
		args = names[(d->layout + (*args == 'n' ? 1 : DBG_NUM_LAYOUTS - 1)) %
			     DBG_NUM_LAYOUTS];
	for (i = 0; i < DBG_NUM_LAYOUTS && strcmp(args, names[i]); i++)
		;
	if (i == DBG_NUM_LAYOUTS)
		return dbg_error(d, "src, asm, split, regs, next or prev expected: \"%.20s\"",
				 args);
	if (!d->ops->tui)
		return dbg_error(d, "Cannot enable the TUI when output is not a terminal.");
	d->layout = (enum dbg_layout)i;
	return d->in_tui ? 0 : d->ops->tui(d);
}

/* The full-screen mode has one screen. */
static int enter_tui(struct dbg *d)
{
	if (d->in_tui)
		return 0;
	return d->ops->tui ? d->ops->tui(d) :
		dbg_error(d, "Cannot enable the TUI when output is not a terminal.");
}

static int cmd_tui(struct dbg *d, const char *args)
{
	if (!*args || !strcmp(args, "enable"))
		return enter_tui(d);
	if (!strcmp(args, "disable"))
		return d->in_tui ? d->ops->tui(d) : 0;
	if (!strcmp(args, "reg") || !strncmp(args, "reg ", 4))
		return cmd_layout(d, "regs");
	return dbg_error(d, "\"enable\", \"disable\" or \"reg\" expected: \"%.20s\"", args);
}

static int cmd_refresh(struct dbg *d, const char *args)
{
	int ret = enter_tui(d);

	if (!ret && d->in_tui && d->ops->redraw)
		d->ops->redraw(d->ctx);
	return ret;
}

static int info_win(struct dbg *d, const char *args)
{
	static const char * const names[] = { "source", "instructions", "source and instructions",
					      "wide registers" };

	if (!d->in_tui) {
		dbg_printf(d, "The TUI is not active.\n");
		return 0;
	}
	dbg_printf(d, "Layout: %s, registers, invocations, memory, output, command line.\n",
		   names[d->layout]);
	return 0;
}

const struct dbg_cmd dbg_cmds_gdb[] = {
	{ "set listing", "on|off",
	  "Lines are those of the listing also in programs with a source.", set_listing },
	{ "show", "[SETTING|values|convenience|user [NAME]|language|version]",
	  "Settings, the last values of print, variables, defined commands. \"show print\" shows all\n"
	  "settings that begin so.", dbg_show },
	{ "info set", "", "The same as show.", dbg_show },
	{ "apropos", "REGEX", "Commands whose name or help matches, in any case.", cmd_apropos },
	{ "pwd", "", "Print the working directory.", cmd_pwd },
	{ "cd", "[DIRECTORY]", "Change it, by default to the home directory.", cmd_cd },
	{ "save breakpoints", "FILE",
	  "Write commands that set the breakpoints again to a file for \"source\". Watchpoints are\n"
	  "set while a job is stopped.", cmd_save },
	{ "thread apply", "all|N|N-M... [-q] [-s] COMMAND",
	  "Execute a command for each of these invocations; -q without headlines, -s also without\n"
	  "errors.", cmd_apply },
	{ "taas", "COMMAND", "The same as \"thread apply all -s COMMAND\".", cmd_apply_all },
	{ "layout", "src|asm|split|regs|next|prev",
	  "Full-screen mode with the source, the instructions, both, or wide registers.",
	  cmd_layout, "la" },
	{ "tui", "[enable|disable|reg]", "Enter the full-screen mode; Ctrl-D leaves it.", cmd_tui },
	{ "refresh", "", "Draw the screen of the full-screen mode again.", cmd_refresh },
	{ "info win", "", "The panes of the full-screen mode.", info_win },
	{ }
};
