// SPDX-License-Identifier: MIT
/*
 * Commands about names of the source, sources, frames: what gdb's users ask for first.
 */
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"
#include "jobfile_isa.h"

/* ---- names with values ---- */

/* Is a name one of an input or a uniform, which the job sets? */
static bool is_argument(const struct dbg_code *c, const char *name)
{
	struct vshader_register r;
	unsigned int i;

	for (i = 0; !vshader_binary_register(c->bin, c->bin_index, i, &r); i++) {
		if (r.name && r.kind != 'o' && !strcmp(r.name, name))
			return true;
	}
	return false;
}

static void show_name(struct dbg *d, const char *name, struct json_object *o)
{
	char text[DBG_MAX_COMPONENTS * 72];
	struct dbg_value v;

	if (dbg_eval(d, name, &v)) {
		dbg_printf(d, "%s = <error: %s>\n", name, d->err);
		return;
	}
	dbg_printf(d, "%s = %s\n", name, dbg_text(&v, 0, text, sizeof(text)));
	js_str(o, name, text);
}

/* Registers that have names; @arguments: those that the job sets, or the others. */
static unsigned int show_symbols(struct dbg *d, bool arguments, struct json_object *o)
{
	const struct dbg_code *c = d->code;
	struct vshader_symbol s;
	unsigned int i, shown = 0;

	for (i = 0; !vshader_binary_symbol(c->bin, c->bin_index, i, &s); i++) {
		/* constants are no variables */
		if (!s.value || *s.value != '$' || is_argument(c, s.name) != arguments)
			continue;
		show_name(d, s.name, o);
		shown++;
	}
	return shown;
}

/* Names that only a container has. */
static unsigned int show_container(struct dbg *d, struct json_object *o)
{
	const struct dbg_code *c = d->code;
	struct vshader_register r;
	unsigned int i, shown = 0;

	for (i = 0; !vshader_binary_register(c->bin, c->bin_index, i, &r); i++) {
		if (!r.name || r.kind == 'o')
			continue;
		show_name(d, r.name, o);
		shown++;
	}
	return shown;
}

static int info_names(struct dbg *d, bool arguments, const char *none)
{
	struct json_object *o = js_object(d->result, "names");
	unsigned int shown = 0;
	int ret = dbg_need_stop(d);

	if (ret)
		return ret;
	if (d->code && d->code->bin)
		shown = show_symbols(d, arguments, o);
	if (!shown && arguments && d->code && d->code->bin)
		shown = show_container(d, o);
	if (!shown)
		dbg_printf(d, "%s; \"info registers\" has the registers.\n", none);
	return 0;
}

int dbg_show_locals(struct dbg *d)
{
	return info_names(d, false, "No locals: the source names no registers");
}

static int info_locals(struct dbg *d, const char *args)
{
	return dbg_show_locals(d);
}

static int info_args(struct dbg *d, const char *args)
{
	return info_names(d, true, "No arguments: inputs and uniforms have no names");
}

/* ---- functions ---- */

static bool matches(const regex_t *re, const char *name)
{
	return !re || !regexec(re, name, 0, NULL, 0);
}

static void add_function(struct dbg *d, struct json_object *list, const struct dbg_code *c,
			 const char *name, uint32_t pc)
{
	struct json_object *o = json_object_new_object();

	dbg_printf(d, "0x%04x\t%s\n", pc, name);
	js_str(o, "program", c->name);
	js_str(o, "name", name);
	js_int(o, "pc", pc);
	json_object_array_add(list, o);
}

/* A program without labels is a function itself. */
static unsigned int show_functions(struct dbg *d, const struct dbg_code *c, const regex_t *re,
				   struct json_object *list)
{
	uint32_t unit = jf_pc_unit(c->src.engine);
	struct vshader_symbol s;
	unsigned int i, shown = 0;
	bool labels = false;

	for (i = 0; c->bin && !vshader_binary_symbol(c->bin, c->bin_index, i, &s); i++) {
		if (s.value)
			continue;
		labels = true;
		if (!matches(re, s.name))
			continue;
		if (!shown++)
			dbg_printf(d, "\nProgram %s:\n", c->name);
		add_function(d, list, c, s.name, c->base + s.word * unit);
	}
	if (labels || !matches(re, c->name))
		return shown;
	dbg_printf(d, "\nProgram %s:\n", c->name);
	add_function(d, list, c, c->name,
		     c->base + (c->src.num_entries ? c->src.entries[0] * unit : 0));
	return 1;
}

static int list_functions(struct dbg *d, const regex_t *re)
{
	struct json_object *list = js_array(d->result, "functions");
	unsigned int shown = 0;
	uint32_t i;

	dbg_printf(d, "All defined functions:\n");
	for (i = 0; i < d->jf->num_programs; i++) {
		const struct dbg_code *c = dbg_program(d, i);

		if (!c)
			return -EINVAL;
		shown += show_functions(d, c, re, list);
	}
	if (d->code && d->code->words)
		shown += show_functions(d, d->code, re, list);
	if (!shown)
		dbg_printf(d, "None%s.\n", re ? " matches" : "");
	return 0;
}

static int info_functions(struct dbg *d, const char *args)
{
	regex_t re;
	int ret;

	if (!*args)
		return list_functions(d, NULL);
	if (regcomp(&re, args, REG_EXTENDED | REG_NOSUB))
		return dbg_error(d, "\"%.60s\" is no regular expression.", args);
	ret = list_functions(d, &re);
	regfree(&re);
	return ret;
}

/* ---- sources ---- */

static int info_source(struct dbg *d, const char *args)
{
	const struct dbg_code *c = dbg_code_now(d);
	const struct dbg_text *t;
	uint32_t line;

	if (!c)
		return -EINVAL;
	if (!c->num_files) {
		dbg_printf(d, "Program %s has no source file; its listing has %u lines.\n", c->name,
			   c->listing.num_lines);
		js_str(d->result, "program", c->name);
		return 0;
	}
	t = c->files;
	if (d->state == DBG_STOPPED)
		t = dbg_text_at(d, c, dbg_code_at(c, dbg_pc(d)), &line);
	if (!t->path)
		t = c->files;
	dbg_printf(d, "Current source file is %s\nLocated in %s\nContains %u lines.\n", t->name,
		   t->path, t->num_lines);
	dbg_printf(d, "Source language is the assembler of %s.\nProgram %s has %u instructions.\n",
		   vshader_engine_name(c->src.engine), c->name, c->num_insns);
	js_str(d->result, "program", c->name);
	js_str(d->result, "name", t->name);
	js_str(d->result, "path", t->path);
	js_int(d->result, "lines", t->num_lines);
	return 0;
}

static int info_sources(struct dbg *d, const char *args)
{
	struct json_object *list = js_array(d->result, "sources");
	uint32_t i, k;

	for (i = 0; i < d->jf->num_programs; i++) {
		const struct dbg_code *c = dbg_program(d, i);

		if (!c)
			return -EINVAL;
		for (k = 0; k < c->num_files; k++) {
			dbg_printf(d, "%s: %s\n", c->name, c->files[k].path);
			json_object_array_add(list, json_object_new_string(c->files[k].path));
		}
		if (!c->num_files)
			dbg_printf(d, "%s: no source file\n", c->name);
	}
	return 0;
}

/* ---- frames ---- */

static int info_frame(struct dbg *d, const char *args)
{
	struct drm_vshader_debug_invocation inv;
	int ret = dbg_find_invocation(d, d->inv, &inv);

	if (ret)
		return ret;
	dbg_printf(d, "Stack level 0, invocation %llu of job %u \"%s\":\n pc = 0x%x in %s\n",
		   (unsigned long long)d->inv, d->job, dbg_job_name(d), inv.pc,
		   d->code ? d->code->name : "?");
	dbg_printf(d, " call depth %u; return addresses are not recorded\n", inv.depth);
	js_int(d->result, "pc", inv.pc);
	js_int(d->result, "depth", inv.depth);
	return 0;
}

/* Frames of callers cannot be selected. */
static int no_frame(struct dbg *d, const char *outermost)
{
	struct drm_vshader_debug_invocation inv;
	int ret = dbg_find_invocation(d, d->inv, &inv);

	if (ret)
		return ret;
	if (!inv.depth || !outermost)
		return dbg_error(d, "%s", outermost ? outermost :
				 "Bottom (innermost) frame selected; you can't go down.");
	return dbg_error(d, "Return addresses are not recorded: callers cannot be selected.");
}

static int cmd_up(struct dbg *d, const char *args)
{
	return no_frame(d, "Initial frame selected; you can't go up.");
}

static int cmd_down(struct dbg *d, const char *args)
{
	return no_frame(d, NULL);
}

static int cmd_frame(struct dbg *d, const char *args)
{
	uint64_t n = 0;
	int ret = dbg_need_stop(d);

	if (!ret && *args)
		ret = dbg_eval_u64(d, args, &n);
	if (ret)
		return ret;
	if (n)
		return no_frame(d, "No frame at that level.");
	ret = dbg_backtrace(d, "");
	if (!ret)
		dbg_tell_place(d);
	return ret;
}

const struct dbg_cmd dbg_cmds_names[] = {
	{ "info locals", "", "Registers that have names in the source, and their values.",
	  info_locals },
	{ "info args", "", "Inputs and uniforms by their names, and their values.", info_args },
	{ "info frame", "", "The location of the selected invocation.", info_frame },
	{ "info functions", "[REGEX]", "Labels and procedures of the programs.", info_functions },
	{ "info source", "", "The source file of the current program.", info_source },
	{ "info sources", "", "The source files of all programs.", info_sources },
	{ "frame", "[0]", "Print the location of the invocation; callers are not recorded.",
	  cmd_frame, "f" },
	{ "up", "", "Select the caller, which is not recorded.", cmd_up },
	{ "down", "", "Select the frame called, which there is not.", cmd_down },
	{ }
};
