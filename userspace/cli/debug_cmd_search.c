// SPDX-License-Identifier: MIT
/*
 * Commands that look for texts and places: lines of the source, files and what is where, names.
 */
#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

/* ---- lines ---- */

/* @from: line to begin with, @step: 1 or -1 */
static int search(struct dbg *d, const regex_t *re, const struct dbg_text *t, int64_t from,
		  int step)
{
	int64_t line;

	for (line = from; line >= 1 && line <= t->num_lines; line += step) {
		if (regexec(re, t->lines[line - 1], 0, NULL, 0))
			continue;
		dbg_printf(d, "%u\t%s\n", (unsigned int)line, t->lines[line - 1]);
		js_int(d->result, "line", line);
		d->first_list = (uint32_t)line;
		d->last_list = (uint32_t)line + 1;
		return 0;
	}
	return dbg_error(d, "Expression not found");
}

static int search_text(struct dbg *d, const char *args, int step)
{
	const struct dbg_code *c = dbg_code_now(d);
	const struct dbg_text *t;
	uint32_t line = 0;
	regex_t re;
	int ret;

	if (!c)
		return -EINVAL;
	if (!*args)
		return dbg_error(d, "REGEXP string is empty");
	if (regcomp(&re, args, REG_NOSUB))
		return dbg_error(d, "\"%.60s\" is no regular expression.", args);
	t = dbg_text_at(d, c, d->state == DBG_STOPPED ? dbg_code_at(c, dbg_pc(d)) : NULL, &line);
	if (d->last_list)
		line = step > 0 ? d->last_list - 1 : d->first_list;
	ret = search(d, &re, t, (int64_t)line + step, step);
	regfree(&re);
	return ret;
}

static int cmd_search(struct dbg *d, const char *args)
{
	return search_text(d, args, 1);
}

static int cmd_reverse_search(struct dbg *d, const char *args)
{
	return search_text(d, args, -1);
}

/* ---- files ---- */

static void show_extent(struct dbg *d, struct json_object *list, const char *name, uint64_t start,
			uint64_t end)
{
	struct json_object *o = json_object_new_object();

	js_str(o, "name", name);
	js_int(o, "start", start);
	js_int(o, "end", end);
	json_object_array_add(list, o);
}

static int show_programs(struct dbg *d, struct json_object *list)
{
	uint32_t i;

	for (i = 0; i < d->jf->num_programs; i++) {
		const struct dbg_code *c = dbg_program(d, i);
		const struct dbg_insn *last;

		if (!c)
			return -EINVAL;
		if (!c->num_insns)
			continue;
		last = &c->insns[c->num_insns - 1];
		dbg_printf(d, "\t0x%04x - 0x%04x is %s, %s %s program", c->insns[0].pc,
			   last->pc + last->size, c->name, vshader_engine_name(c->src.engine),
			   vshader_stage_name(c->src.stage));
		dbg_printf(d, c->num_files ? " of %s\n" : "\n",
			   c->num_files ? c->files[0].path : "");
		show_extent(d, list, c->name, c->insns[0].pc, last->pc + last->size);
	}
	return 0;
}

static void show_memory(struct dbg *d, struct json_object *list)
{
	uint32_t i;

	for (i = 0; d->steps && i < d->jf->num_regions; i++) {
		const struct jf_region *r = &d->jf->regions[i];
		uint64_t va = vshader_steps_va(d->steps, i);
		char name[160];

		dbg_region_name(d, i, name, sizeof(name));
		dbg_printf(d, "\t0x%012llx - 0x%012llx is memory %s\n", (unsigned long long)va,
			   (unsigned long long)(va + r->size), *name ? name : "without a name");
		show_extent(d, list, name, va, va + r->size);
	}
}

static int info_files(struct dbg *d, const char *args)
{
	struct json_object *programs = js_array(d->result, "programs");
	struct json_object *memory = js_array(d->result, "memory");
	int ret;

	dbg_printf(d, "Job file \"%s\" with %u job%s.\n", d->path, d->jf->num_jobs,
		   d->jf->num_jobs == 1 ? "" : "s");
	if (d->session)
		dbg_printf(d, "Job %u \"%s\" is being run.\n", d->job, dbg_job_name(d));
	else
		dbg_printf(d, "No job is being run: programs have the addresses of their words.\n");
	js_str(d->result, "file", d->path);
	ret = show_programs(d, programs);
	if (!ret)
		show_memory(d, memory);
	return ret;
}

static int info_signals(struct dbg *d, const char *args)
{
	struct json_object *list = js_array(d->result, "faults");
	uint32_t i;

	dbg_printf(d, "Programs of a GPU have no signals. A fault stops its job, always:\n\n");
	for (i = DRM_VSHADER_FAULT_NONE + 1; i <= DRM_VSHADER_FAULT_HAZARD; i++) {
		dbg_printf(d, "%s\n", vshader_fault_name(i));
		json_object_array_add(list, json_object_new_string(vshader_fault_name(i)));
	}
	dbg_printf(d, "\n\"catch nan\" stops at results that are no numbers.\n");
	return 0;
}

static int info_address(struct dbg *d, const char *args)
{
	char value[80];
	uint32_t program, pc, count;
	const struct dbg_code *c = dbg_code_now(d);
	uint64_t va;
	int ret;

	if (!c)
		return -EINVAL;
	if (!*args)
		return dbg_error(d, "Argument required.");
	if (dbg_find_name(c, args, strlen(args), value, sizeof(value), &count)) {
		dbg_printf(d, "Symbol \"%s\" is %s.\n", args, value);
		js_str(d->result, "value", value);
		return 0;
	}
	if (d->steps && dbg_region(d, args, strlen(args), &va)) {
		dbg_printf(d, "Symbol \"%s\" is memory at address 0x%llx.\n", args,
			   (unsigned long long)va);
		js_int(d->result, "address", va);
		return 0;
	}
	ret = isdigit((unsigned char)*args) ? -EINVAL : dbg_location(d, args, &program, &pc);
	if (ret)
		return dbg_error(d, "No symbol \"%.40s\" in current context.", args);
	dbg_printf(d, "Symbol \"%s\" is a label at instruction 0x%x.\n", args, pc);
	js_int(d->result, "pc", pc);
	return 0;
}

const struct dbg_cmd dbg_cmds_search[] = {
	{ "search", "REGEX", "Find the next line, after those listed last, that matches.",
	  cmd_search, "forward-search fo" },
	{ "reverse-search", "REGEX", "Find a line before that.", cmd_reverse_search, "rev" },
	{ "info files", "", "The job file, its programs, and the memory of the run.", info_files },
	{ "info target", "", "The same.", info_files },
	{ "info signals", "", "Why there are none, and the faults that stop jobs.", info_signals },
	{ "info handle", "", "The same.", info_signals },
	{ "info address", "NAME", "The register, memory or instruction that a name is for.",
	  info_address },
	{ }
};
