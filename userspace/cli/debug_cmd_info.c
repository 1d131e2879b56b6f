// SPDX-License-Identifier: MIT
/*
 * Commands that print the state of the job: registers, invocations, breakpoints,
 * programs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli_isa.h"
#include "debug.h"
#include "trace.h"

#define MAX_FIRST	64	/* registers that an instruction names */

/* ---- registers ---- */

static int show_register(struct dbg *d, uint32_t reg, struct json_object *o)
{
	char name[32], text[16 * 72], other[16 * 72];
	struct dbg_value v;
	int ret = dbg_read_reg(d, reg, &v);

	if (ret)
		return ret;
	vshader_debug_register_name(d->banks, d->num_banks, reg, name, sizeof(name));
	dbg_text(&v, 0, text, sizeof(text));
	dbg_text(&v, v.hex ? 'f' : 'x', other, sizeof(other));
	if (v.num == 1)
		dbg_printf(d, "%-14s %-18s %s\n", name, text, other);
	else
		dbg_printf(d, "%-14s %s\n", name, text);
	if (o) {
		struct json_object *list = js_array(o, name);
		unsigned int i;

		for (i = 0; i < v.num; i++)
			json_object_array_add(list, json_object_new_int64((int64_t)v.v[i]));
	}
	return 0;
}

static bool contains(const uint32_t *regs, uint32_t n, uint32_t reg)
{
	while (n && regs[n - 1] != reg)
		n--;
	return n;
}

/* A bank but the @n registers @but. Programs may have fewer than there are numbers. */
static int show_all(struct dbg *d, const struct drm_vshader_debug_bank *b, const uint32_t *but,
		    uint32_t n, struct json_object *o)
{
	uint32_t r;
	int ret = 0;

	for (r = 0; r < b->count && !ret; r++) {
		if (!contains(but, n, b->first + r))
			ret = show_register(d, b->first + r, o);
	}
	return ret == -ENOENT ? 0 : ret;
}

/* The registers of the current instruction come first. */
static int show_banks(struct dbg *d, bool minor, struct json_object *o)
{
	uint32_t first[MAX_FIRST], n = dbg_regs_of_interest(d, first, MAX_FIRST);
	unsigned int i;
	int ret = 0;

	for (i = 0; i < n && !ret; i++)
		ret = show_register(d, first[i], o);
	for (i = 0; i < d->num_banks && !ret; i++) {
		const struct drm_vshader_debug_bank *b = &d->banks[i];

		if (!minor && b->flags & (DRM_VSHADER_DEBUG_BANK_MINOR |
					  DRM_VSHADER_DEBUG_BANK_UNIFORM))
			continue;
		ret = show_all(d, b, first, n, o);
	}
	return ret;
}

/* Print a whole bank. Return: 1 if there is no bank of that name. */
static int show_bank(struct dbg *d, const char *name, struct json_object *o)
{
	unsigned int i;
	int ret = 1;

	for (i = 0; i < d->num_banks; i++) {
		if (strcmp(d->banks[i].name, name))
			continue;
		ret = 0;
		ret = show_all(d, &d->banks[i], NULL, 0, o);
	}
	return ret;
}

static int show_name(struct dbg *d, const char *name, struct json_object *o)
{
	uint32_t reg;
	int ret;

	if (*name == '$')
		name++;
	if (!strcmp(name, "pc")) {
		dbg_printf(d, "%-14s 0x%x\n", "pc", dbg_pc(d));
		return 0;
	}
	if (dbg_reg_by_name(d, name, &reg))
		return show_register(d, reg, o);
	ret = show_bank(d, name, o);
	return ret == 1 ? dbg_error(d, "Invalid register `%s'", name) : ret;
}

int dbg_show_registers(struct dbg *d, const char *names)
{
	struct json_object *o = js_object(d->result, "registers");
	char *copy, *word, *save = NULL;
	int ret = dbg_need_stop(d);

	if (ret)
		return ret;
	if (!names || !*names)
		return show_banks(d, !names, o);
	copy = strdup(names);
	if (!copy)
		return dbg_error(d, "out of memory");
	for (word = strtok_r(copy, " ,", &save); word && !ret; word = strtok_r(NULL, " ,", &save))
		ret = show_name(d, word, o);
	free(copy);
	return ret;
}

static int info_registers(struct dbg *d, const char *args)
{
	return dbg_show_registers(d, args);
}

static int info_all_registers(struct dbg *d, const char *args)
{
	return dbg_show_registers(d, NULL);
}

static int info_banks(struct dbg *d, const char *args)
{
	unsigned int i;

	if (!d->num_banks)
		return dbg_error(d, "No job has been run.");
	dbg_printf(d, "%-12s %-6s %-6s %-5s\n", "Name", "Count", "Comps", "Bits");
	for (i = 0; i < d->num_banks; i++) {
		const struct drm_vshader_debug_bank *b = &d->banks[i];

		dbg_printf(d, "%-12s %-6u %-6u %-5u%s%s%s\n", b->name, b->count, b->components,
			   b->bits, b->flags & DRM_VSHADER_DEBUG_BANK_WRITABLE ? "" : " read-only",
			   b->flags & DRM_VSHADER_DEBUG_BANK_UNIFORM ? " uniform" : "",
			   b->flags & DRM_VSHADER_DEBUG_BANK_LANES ? " lanes" : "");
	}
	return 0;
}

/* ---- invocations ---- */

static const char *state_name(uint32_t state)
{
	static const char * const names[] = { "current", "ready", "waiting" };

	return state < 3 ? names[state] : "?";
}

static int info_threads(struct dbg *d, const char *args)
{
	struct drm_vshader_debug_invocation *all;
	struct json_object *list;
	int i, n = dbg_invocations(d, &all);

	if (n < 0)
		return n;
	list = js_array(d->result, "invocations");
	dbg_printf(d, "  %-8s %-8s %-8s %-6s %-5s %-6s Instruction\n", "Id", "PC", "State",
		   "Group", "Lane", "Depth");
	for (i = 0; i < n; i++) {
		const struct drm_vshader_debug_invocation *v = &all[i];
		const struct dbg_insn *insn = dbg_code_at(d->code, v->pc);
		struct json_object *o = json_object_new_object();
		bool helper = v->flags & DRM_VSHADER_DEBUG_INV_HELPER;
		char place[24];

		dbg_printf(d, "%c %-8llu %-8s %-8s %-6u %-5u %-6u %s%s\n",
			   v->invocation == d->inv ? '*' : ' ', (unsigned long long)v->invocation,
			   dbg_place_text(v->pc, v->part, place, sizeof(place)),
			   state_name(v->state),
			   v->group, v->lane, v->depth, helper ? "[helper] " : "",
			   insn ? insn->text : "?");
		js_int(o, "invocation", v->invocation);
		js_int(o, "pc", v->pc);
		js_int(o, "part", v->part);
		js_str(o, "state", state_name(v->state));
		js_int(o, "group", v->group);
		js_int(o, "lane", v->lane);
		js_int(o, "depth", v->depth);
		js_bool(o, "helper", helper);
		json_object_array_add(list, o);
	}
	free(all);
	return 0;
}

static int cmd_pixel(struct dbg *d, const char *args)
{
	unsigned int x, y;
	int end = 0;

	if (sscanf(args, "%5u %5u %n", &x, &y, &end) != 2 || args[end] || x > 65535 || y > 65535)
		return dbg_error(d, "Expected a column and a line up to 65535: pixel X Y");
	if (!cli_isa_of(d->jf->engine)->fragments)
		return dbg_error(d, "Fragments of this engine run programs: see $pixel.");
	return trace_print_pixel(d, x, y);
}

static int cmd_thread(struct dbg *d, const char *args)
{
	struct drm_vshader_debug_invocation inv;
	uint64_t n = d->inv;
	int ret = dbg_need_stop(d);

	if (!ret && *args)
		ret = dbg_eval_u64(d, args, &n);
	if (!ret)
		ret = dbg_find_invocation(d, n, &inv);
	if (ret)
		return ret;
	d->inv = n;
	js_int(d->result, "invocation", n);
	js_int(d->result, "pc", inv.pc);
	dbg_printf(d, "[%s invocation %llu]\n", *args ? "Switching to" : "Current is",
		   (unsigned long long)n);
	dbg_tell_place(d);
	return 0;
}

/* ---- points ---- */

static const char *kind_name(const struct dbg_point *p)
{
	uint32_t rw = p->p.flags & (DRM_VSHADER_DEBUG_POINT_READ | DRM_VSHADER_DEBUG_POINT_WRITE);

	if (p->p.kind == DRM_VSHADER_DEBUG_BREAK)
		return "breakpoint";
	if (p->p.kind == DRM_VSHADER_DEBUG_SPECIAL)
		return "catchpoint";
	if (p->p.kind == DBG_WATCH_VALUE)
		return "watchpoint";
	if (rw == DRM_VSHADER_DEBUG_POINT_WRITE)
		return "watchpoint";
	return rw == DRM_VSHADER_DEBUG_POINT_READ ? "read watchpoint" : "acc watchpoint";
}

static void show_point_rest(struct dbg *d, const struct dbg_point *p)
{
	uint64_t hits = dbg_point_hits(d, p);
	const char *line;

	if (p->p.flags & DRM_VSHADER_DEBUG_POINT_FILTER)
		dbg_printf(d, "\tstop only in invocations %llu to %llu\n",
			   (unsigned long long)p->p.first, (unsigned long long)p->p.last);
	if (p->cond)
		dbg_printf(d, "\tstop only if %s\n", p->cond);
	if (hits)
		dbg_printf(d, "\tbreakpoint already hit %llu time%s\n",
			   (unsigned long long)hits, hits == 1 ? "" : "s");
	if (p->p.ignore)
		dbg_printf(d, "\tignore next %u hits\n", p->p.ignore);
	for (line = p->commands; line && *line; line = strchr(line, '\n') + 1)
		dbg_printf(d, "\t%.*s\n", (int)strcspn(line, "\n"), line);
}

static struct json_object *json_point(struct dbg *d, const struct dbg_point *p)
{
	struct json_object *o = json_object_new_object();

	js_int(o, "number", p->num);
	js_str(o, "kind", kind_name(p));
	js_bool(o, "enabled", !(p->p.flags & DRM_VSHADER_DEBUG_POINT_DISABLED));
	js_bool(o, "temporary", p->temporary);
	js_str(o, "what", p->what);
	js_str(o, "program", p->program == JF_NONE ? NULL : d->programs[p->program]->name);
	if (p->p.kind == DRM_VSHADER_DEBUG_BREAK) {
		js_int(o, "pc", p->p.pc);
	} else if (p->p.kind == DBG_WATCH_VALUE) {
		js_int(o, "invocation", p->inv);
	} else if (p->p.kind == DRM_VSHADER_DEBUG_WATCH) {
		js_int(o, "va", p->p.va);
		js_int(o, "size", p->p.size);
	}
	js_int(o, "hits", dbg_point_hits(d, p));
	return o;
}

static void show_point(struct dbg *d, const struct dbg_point *p)
{
	dbg_printf(d, "%-4u %-16s %-5s %-4c ", p->num, kind_name(p),
		   p->temporary ? "del" : p->once ? "dis" : "keep",
		   p->p.flags & DRM_VSHADER_DEBUG_POINT_DISABLED ? 'n' : 'y');
	if (p->p.kind == DBG_WATCH_VALUE)
		dbg_printf(d, "%s of invocation %llu\n", p->what, (unsigned long long)p->inv);
	else if (p->p.kind == DRM_VSHADER_DEBUG_WATCH)
		dbg_printf(d, "%s (0x%llx, %llu bytes)\n", p->what, (unsigned long long)p->p.va,
			   (unsigned long long)p->p.size);
	else if (p->p.kind == DRM_VSHADER_DEBUG_SPECIAL)
		dbg_printf(d, "NaN or infinity\n");
	else if (p->program == JF_NONE)
		dbg_printf(d, "0x%x\n", p->p.pc);
	else
		dbg_printf(d, "0x%x in %s\n", p->p.pc, d->programs[p->program]->name);
	show_point_rest(d, p);
}

static bool is_watchpoint(const struct dbg_point *p)
{
	return p->p.kind == DBG_WATCH_VALUE || p->p.kind == DRM_VSHADER_DEBUG_WATCH;
}

/* @watchpoints: no others */
static bool show_points(struct dbg *d, bool watchpoints)
{
	struct json_object *list = js_array(d->result, "breakpoints");
	unsigned int num, i;
	bool any = false;

	/* Sorted by number, as entries are reused. */
	for (num = 1; num <= d->last_point; num++) {
		const struct dbg_point *p = NULL;

		for (i = 0; i < DBG_MAX_POINTS && !p; i++)
			p = d->points[i].num == num ? &d->points[i] : NULL;
		if (!p || (watchpoints && !is_watchpoint(p)))
			continue;
		if (!any)
			dbg_printf(d, "%-4s %-16s %-5s %-4s What\n", "Num", "Type", "Disp", "Enb");
		any = true;
		show_point(d, p);
		json_object_array_add(list, json_point(d, p));
	}
	return any;
}

static int info_breakpoints(struct dbg *d, const char *args)
{
	if (!show_points(d, false))
		dbg_printf(d, "No breakpoints or watchpoints.\n");
	return 0;
}

static int info_watchpoints(struct dbg *d, const char *args)
{
	if (!show_points(d, true))
		dbg_printf(d, "No watchpoints.\n");
	return 0;
}

static int info_display(struct dbg *d, const char *args)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < DBG_MAX_DISPLAY; i++) {
		if (!d->displays[i].num)
			continue;
		any = true;
		dbg_printf(d, "%u: %s%s\n", d->displays[i].num, d->displays[i].expr,
			   d->displays[i].disabled ? " (disabled)" : "");
	}
	if (!any)
		dbg_printf(d, "There are no auto-display expressions now.\n");
	return 0;
}

/* ---- programs, jobs, memory ---- */

static int info_program(struct dbg *d, const char *args)
{
	struct json_object *list = js_array(d->result, "programs");
	uint32_t i;

	for (i = 0; i < d->jf->num_programs; i++) {
		const struct dbg_code *c = dbg_program(d, i);
		struct json_object *o;

		if (!c)
			return -EINVAL;
		dbg_printf(d, "%c %s: %s %s program, %u instructions\n", c == d->code ? '*' : ' ',
			   c->name, vshader_engine_name(c->src.engine),
			   vshader_stage_name(c->src.stage), c->num_insns);
		o = json_object_new_object();
		js_str(o, "name", c->name);
		js_str(o, "engine", vshader_engine_name(c->src.engine));
		js_int(o, "instructions", c->num_insns);
		json_object_array_add(list, o);
	}
	if (d->code && d->code->words)
		dbg_printf(d, "* %s: in memory, %u instructions\n", d->code->name,
			   d->code->num_insns);
	return 0;
}

static int info_jobs(struct dbg *d, const char *args)
{
	uint32_t i;

	for (i = 0; i < d->jf->num_jobs; i++) {
		const struct jf_job *j = &d->jf->jobs[i];

		dbg_printf(d, "%c %u: %s, %s\n", d->session && i == d->job ? '*' : ' ', i,
			   j->name ? j->name : "job",
			   j->type == DRM_VSHADER_JOB_NATIVE ? "native" : "shader");
	}
	return 0;
}

/* A region without a name may have been made for an output of a job. */
void dbg_region_name(const struct dbg *d, uint32_t n, char *buf, size_t size)
{
	const char *name = d->jf->regions[n].name;
	uint32_t i, k;

	snprintf(buf, size, "%s", name ? name : "");
	for (i = 0; !name && i < d->jf->num_jobs; i++) {
		const struct jf_job *j = &d->jf->jobs[i];

		for (k = 0; j->type == DRM_VSHADER_JOB_SHADER && k < j->shader.num_outputs; k++) {
			if (j->shader.outputs[k].at.region == n)
				snprintf(buf, size, "output %s of job %u",
					 j->shader.outputs[k].name, i);
		}
	}
}

static int info_memory(struct dbg *d, const char *args)
{
	struct json_object *list = js_array(d->result, "memory");
	uint32_t i;

	if (!d->steps)
		return dbg_error(d, "No job is being run.");
	for (i = 0; i < d->jf->num_regions; i++) {
		const struct jf_region *r = &d->jf->regions[i];
		uint64_t va = vshader_steps_va(d->steps, i);
		struct json_object *o = json_object_new_object();
		char name[160];

		dbg_region_name(d, i, name, sizeof(name));
		dbg_printf(d, "0x%012llx  %8llu bytes  %s\n", (unsigned long long)va,
			   (unsigned long long)r->size, name);
		js_str(o, "name", r->name);
		js_int(o, "va", va);
		js_int(o, "size", r->size);
		json_object_array_add(list, o);
	}
	return 0;
}

static void tell_symbol(struct dbg *d, const char *name, uint64_t offset, const char *where)
{
	dbg_printf(d, offset ? "%s + %llu" : "%s", name, (unsigned long long)offset);
	dbg_printf(d, "%s%s\n", where ? " in program " : "", where ? where : "");
	js_str(d->result, "name", name);
	js_int(d->result, "offset", offset);
}

/* $pc is an instruction, everything else an address. */
static int info_symbol(struct dbg *d, const char *args)
{
	const char *label, *name;
	uint64_t va, offset;
	struct dbg_value v;
	uint32_t i;
	int ret;

	if (!d->steps)
		return dbg_error(d, "No job is being run.");
	ret = dbg_eval(d, args, &v);
	if (ret)
		return ret;
	if (v.num != 1)
		return dbg_error(d, "A vector is no address.");
	va = v.place == DBG_MEMORY ? v.va : (uint64_t)dbg_to_int(&v, 0);
	if (v.place == DBG_PC && d->code) {
		label = dbg_code_label(d->code, (uint32_t)va, &i);
		tell_symbol(d, label ? label : d->code->name, label ? i : va - d->code->base,
			    label ? d->code->name : NULL);
		return 0;
	}
	name = dbg_region_at(d, va, &offset);
	if (name) {
		tell_symbol(d, name, offset, NULL);
		return 0;
	}
	return dbg_error(d, "No symbol matches %s.", args);
}

static int info_line(struct dbg *d, const char *args)
{
	const struct dbg_insn *i;
	const struct dbg_text *t;
	const struct dbg_code *c;
	uint32_t program, pc, line;
	int ret = dbg_location(d, args, &program, &pc);

	if (ret)
		return ret;
	c = program == JF_NONE ? d->code : d->programs[program];
	i = dbg_code_at(c, pc);
	if (!i)
		return dbg_error(d, "There is no instruction.");
	t = dbg_text_at(d, c, i, &line);
	js_int(d->result, "line", line);
	js_str(d->result, "file", t->name);
	js_int(d->result, "pc", i->pc);
	if (!line)
		dbg_printf(d, "No line of %s is", t->name);
	else if (t == &c->listing)
		dbg_printf(d, "Line %u of the listing of %s is", line, c->name);
	else
		dbg_printf(d, "Line %u of %s is", line, t->name);
	dbg_printf(d, " instruction 0x%x, which ends at 0x%x.\n", i->pc, i->pc + i->size);
	return 0;
}

int dbg_backtrace(struct dbg *d, const char *args)
{
	struct drm_vshader_debug_invocation inv;
	int ret = dbg_find_invocation(d, d->inv, &inv);
	const struct dbg_insn *i;
	const struct dbg_text *t;
	uint32_t line = 0;

	if (ret)
		return ret;
	i = dbg_code_at(d->code, inv.pc);
	dbg_printf(d, "#0  0x%x in %s", inv.pc, d->code ? d->code->name : "?");
	t = d->code ? dbg_text_at(d, d->code, i, &line) : NULL;
	if (line && t->path)
		dbg_printf(d, " at %s:%u", t->name, line);
	dbg_printf(d, ": %s\n", i ? i->text : "?");
	if (inv.depth)
		dbg_printf(d, "(in %u function%s)\n", inv.depth, inv.depth == 1 ? "" : "s");
	js_int(d->result, "pc", inv.pc);
	js_int(d->result, "depth", inv.depth);
	return 0;
}

static int cmd_backtrace(struct dbg *d, const char *args)
{
	int ret = dbg_backtrace(d, "");

	if (*args == '-')
		args++;
	return ret || strcmp(args, "full") ? ret : dbg_show_locals(d);
}

const struct dbg_cmd dbg_cmds_info[] = {
	/* what gdb shortens to a letter */
	{ "info b", "", "The same as info breakpoints.", info_breakpoints },
	{ "info s", "", "The same as backtrace.", cmd_backtrace },
	{ "info registers", "[NAME...]",
	  "Registers of the invocation: all, by name, or a bank.", info_registers },
	{ "info all-registers", "", "Also the minor registers.",
	  info_all_registers },
	{ "info banks", "", "The register banks.", info_banks },
	{ "info breakpoints", "", "Breakpoints and watchpoints.", info_breakpoints },
	{ "info watchpoints", "", "Watchpoints.", info_watchpoints },
	{ "info threads", "", "The invocations in execution.", info_threads },
	{ "info invocations", "", "The same.", info_threads },
	{ "info program", "", "The programs of the file.", info_program },
	{ "info line", "[LOCATION]", "Line of a location in the source, or in the listing.",
	  info_line },
	{ "info display", "", "The values displayed at each stop.", info_display },
	{ "info jobs", "", "The jobs of the file.", info_jobs },
	{ "info memory", "", "The memory regions of the file.", info_memory },
	{ "info symbol", "ADDRESS",
	  "The memory region that has an address; of $pc: the label or procedure.",
	  info_symbol },
	{ "pixel", "X Y",
	  "Run the jobs again, in this process, and print the fragments at column X of line Y: sources,\n"
	  "stages and results of units without a program.", cmd_pixel },
	{ "thread", "[N]", "Select an invocation, or print the selected one.", cmd_thread,
	  "t invocation" },
	{ "backtrace", "[full]", "Location and call depth of the invocation, and its locals.",
	  cmd_backtrace, "bt where" },
	{ "info stack", "[full]", "The same.", cmd_backtrace },
	{ }
};
