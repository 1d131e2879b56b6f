// SPDX-License-Identifier: MIT
/*
 * Debug Adapter Protocol: sources, breakpoints, stack frames, disassembly.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug_dap.h"

#define MAX_DISASSEMBLY	65536u

uint32_t dap_code_number(struct dap *s, const struct dbg_code *c)
{
	uint32_t i;

	for (i = 0; i < s->d.jf->num_programs; i++) {
		if (s->d.programs[i] == c)
			return i + 1;
	}
	return DAP_NATIVE;
}

struct dbg_code *dap_code_by_number(struct dap *s, uint32_t n)
{
	if (n == DAP_NATIVE && s->d.code && s->d.code->words)
		return s->d.code;
	if (n && n <= s->d.jf->num_programs)
		return dbg_program(&s->d, n - 1);
	dbg_error(&s->d, "There is no such program.");
	return NULL;
}

void dap_add_source(struct dap *s, struct json_object *o, const struct dbg_code *c)
{
	struct json_object *src = js_object(o, "source");

	js_str(src, "name", c->name);
	js_int(src, "sourceReference", dap_code_number(s, c));
}

static struct dbg_code *find_source(struct dap *s, struct json_object *o, uint32_t *n)
{
	const char *name = dap_str(o, "name"), *path = dap_str(o, "path");
	struct dbg_code *c;

	*n = (uint32_t)dap_int(o, "sourceReference", 0);
	if (*n)
		return dap_code_by_number(s, *n);
	for (*n = 1; *n <= s->d.jf->num_programs; (*n)++) {
		c = dbg_program(&s->d, *n - 1);
		if (c && ((name && !strcmp(name, c->name)) || (path && !strcmp(path, c->name))))
			return c;
	}
	dbg_error(&s->d, "No program has the name of the source.");
	return NULL;
}

static void put_place(struct json_object *o, const char *key, uint32_t program, uint32_t pc)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx",
		 (unsigned long long)((uint64_t)program << 32 | pc));
	js_str(o, key, text);
}

static struct dbg_code *get_place(struct dap *s, const char *text, uint32_t *pc)
{
	char *end;
	uint64_t n = text ? strtoull(text, &end, 0) : 0;

	if (!text || *end || end == text) {
		dbg_error(&s->d, "\"%.40s\" is no instruction reference.", text ? text : "");
		return NULL;
	}
	*pc = (uint32_t)n;
	return dap_code_by_number(s, (uint32_t)(n >> 32));
}

/* ---- sources ---- */

static int do_loaded_sources(struct dap *s, struct dap_request *r)
{
	struct json_object *list = js_array(r->body, "sources"), *o;
	const struct dbg_code *c;
	uint32_t i;

	for (i = 0; i < s->d.jf->num_programs; i++) {
		c = dbg_program(&s->d, i);
		if (!c)
			continue;
		o = json_object_new_object();
		js_str(o, "name", c->name);
		js_int(o, "sourceReference", i + 1);
		json_object_array_add(list, o);
	}
	return 0;
}

static int do_source(struct dap *s, struct dap_request *r)
{
	const struct dbg_code *c;
	struct json_object *src = NULL;
	char *text, *p;
	uint32_t n, i;
	size_t size = 1;

	json_object_object_get_ex(r->args, "source", &src);
	n = (uint32_t)dap_int(r->args, "sourceReference", 0);
	c = n ? dap_code_by_number(s, n) : find_source(s, src, &n);
	if (!c)
		return -EINVAL;
	for (i = 0; i < c->listing.num_lines; i++)
		size += strlen(c->listing.lines[i]) + 1;
	text = malloc(size);
	if (!text)
		return dbg_error(&s->d, "out of memory");
	for (p = text, i = 0; i < c->listing.num_lines; i++)
		p += sprintf(p, "%s\n", c->listing.lines[i]);
	*p = 0;
	js_str(r->body, "content", text);
	free(text);
	return 0;
}

/* ---- breakpoints ---- */

static void remove_points(struct dap *s, uint32_t source)
{
	unsigned int i, n = 0;

	for (i = 0; i < s->num_points; i++) {
		struct dbg_point *p = dbg_point_by_num(&s->d, s->points[i].num);

		if (!p)
			continue;
		if (s->points[i].source == source)
			dbg_delete_point(&s->d, p);
		else
			s->points[n++] = s->points[i];
	}
	s->num_points = n;
}

/* Add a breakpoint at @pc with the conditions of @o. @out: reply to the client. */
static int add_point(struct dap *s, const struct dbg_code *c, uint32_t source, uint32_t pc,
		     struct json_object *o, struct json_object *out)
{
	const char *cond = dap_str(o, "condition"), *hits = dap_str(o, "hitCondition");
	unsigned int before = s->d.last_point;
	char line[600];
	struct dbg_point *p;
	int ret;

	snprintf(line, sizeof(line), "break %s:0x%x%s%.500s", c->name, pc, cond ? " if " : "",
		 cond ? cond : "");
	if (c->words)
		snprintf(line, sizeof(line), "break *0x%x", pc);
	s->collect = true;
	ret = dbg_execute(&s->d, line);
	s->collect = false;
	s->text_len = 0;
	if (ret)
		return ret;
	p = dbg_point_by_num(&s->d, before + 1);
	if (!p)
		return -EINVAL;
	if (hits && strtoul(hits, NULL, 0) > 1) {
		p->p.ignore = (uint32_t)strtoul(hits, NULL, 0) - 1;
		ret = dbg_update_point(&s->d, p);
	}
	s->points[s->num_points++] = (struct dap_point){ .num = p->num, .source = source };
	js_int(out, "id", p->num);
	put_place(out, "instructionReference", dap_code_number(s, c), pc);
	return ret;
}

/* Add the result, success or error, to the list. */
static void add_result(struct dap *s, struct json_object *list, struct json_object *out,
		       const struct dbg_code *c, const struct dbg_insn *i, int ret)
{
	js_bool(out, "verified", !ret);
	if (ret) {
		js_str(out, "message", s->d.err);
	} else {
		dap_add_source(s, out, c);
		js_int(out, "line", i->line);
	}
	json_object_array_add(list, out);
}

static int do_set_breakpoints(struct dap *s, struct dap_request *r)
{
	struct json_object *list, *src = NULL, *out = js_array(r->body, "breakpoints"), *o, *b;
	const struct dbg_insn *insn;
	const struct dbg_code *c;
	uint32_t source;
	size_t i, n;
	int ret;

	json_object_object_get_ex(r->args, "source", &src);
	c = find_source(s, src, &source);
	if (!c)
		return -EINVAL;
	remove_points(s, source);
	list = dap_list(r->args, "breakpoints", &n);
	for (i = 0; i < n; i++) {
		b = json_object_array_get_idx(list, i);
		o = json_object_new_object();
		insn = dbg_code_line(c, (uint32_t)dap_int(b, "line", 0));
		ret = insn ? add_point(s, c, source, insn->pc, b, o) :
			     dbg_error(&s->d, "There is no such line.");
		add_result(s, out, o, c, insn, ret);
	}
	return 0;
}

static int do_set_instruction_breakpoints(struct dap *s, struct dap_request *r)
{
	struct json_object *list, *out = js_array(r->body, "breakpoints"), *o, *b;
	const struct dbg_insn *insn;
	struct dbg_code *c;
	uint32_t pc;
	size_t i, n;
	int ret;

	remove_points(s, 0);
	list = dap_list(r->args, "breakpoints", &n);
	for (i = 0; i < n; i++) {
		b = json_object_array_get_idx(list, i);
		o = json_object_new_object();
		c = get_place(s, dap_str(b, "instructionReference"), &pc);
		pc += (uint32_t)dap_int(b, "offset", 0);
		insn = dbg_code_at(c, pc);
		ret = !c ? -EINVAL : insn ? add_point(s, c, 0, pc, b, o) :
		      dbg_error(&s->d, "No instruction begins there.");
		add_result(s, out, o, c, insn, ret);
	}
	return 0;
}

/* ---- threads and frames ---- */

static int do_threads(struct dap *s, struct dap_request *r)
{
	struct json_object *list = js_array(r->body, "threads"), *o;
	struct drm_vshader_debug_invocation *all = NULL;
	int i, n = s->d.state == DBG_STOPPED ? dbg_invocations(&s->d, &all) : 0;
	char name[40];

	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "invocation %llu",
			 (unsigned long long)all[i].invocation);
		o = json_object_new_object();
		js_int(o, "id", all[i].invocation + 1);
		js_str(o, "name", name);
		json_object_array_add(list, o);
	}
	free(all);
	/* The protocol requires at least one. */
	if (n <= 0) {
		o = json_object_new_object();
		js_int(o, "id", s->d.inv + 1);
		js_str(o, "name", dbg_job_name(&s->d));
		json_object_array_add(list, o);
	}
	return 0;
}

static int do_stack_trace(struct dap *s, struct dap_request *r)
{
	uint64_t inv = dap_int(r->args, "threadId", s->d.inv + 1) - 1;
	struct drm_vshader_debug_invocation now = { };
	struct json_object *list = js_array(r->body, "stackFrames"), *o;
	const struct dbg_code *c = s->d.code;
	const struct dbg_insn *i;
	int ret = dbg_need_stop(&s->d);

	/* At a fault an invocation may have gone. */
	if (!ret && inv != s->d.stop.invocation)
		ret = dbg_find_invocation(&s->d, inv, &now);
	if (ret)
		return ret;
	s->d.inv = inv;
	now.pc = dbg_pc(&s->d);
	i = dbg_code_at(c, now.pc);
	o = json_object_new_object();
	js_int(o, "id", inv + 1);
	js_str(o, "name", c ? c->name : dbg_job_name(&s->d));
	js_int(o, "line", i ? i->line : 0);
	js_int(o, "column", 1);
	if (c) {
		dap_add_source(s, o, c);
		put_place(o, "instructionPointerReference", dap_code_number(s, c), now.pc);
	}
	json_object_array_add(list, o);
	js_int(r->body, "totalFrames", 1);
	return 0;
}

/* ---- disassembly ---- */

static int do_disassemble(struct dap *s, struct dap_request *r)
{
	uint64_t count = dap_int(r->args, "instructionCount", 0);
	int64_t at = (int64_t)dap_int(r->args, "instructionOffset", 0), k;
	struct json_object *list = js_array(r->body, "instructions"), *o;
	const struct dbg_insn *insn;
	struct dbg_code *c;
	uint32_t pc, n;

	c = get_place(s, dap_str(r->args, "memoryReference"), &pc);
	if (!c)
		return -EINVAL;
	pc += (uint32_t)dap_int(r->args, "offset", 0);
	insn = dbg_code_at(c, pc);
	if (!insn)
		return dbg_error(&s->d, "No instruction begins there.");
	if (count > MAX_DISASSEMBLY)
		return dbg_error(&s->d, "At most %u instructions.", MAX_DISASSEMBLY);
	n = dap_code_number(s, c);
	at += insn - c->insns;
	/* Exactly the requested number, whether readable or not. */
	for (k = at; k < at + (int64_t)count; k++) {
		bool there = k >= 0 && k < c->num_insns;

		o = json_object_new_object();
		put_place(o, "address", n, there ? c->insns[k].pc : ~0u);
		js_str(o, "instruction", there ? c->insns[k].text : "?");
		if (!there)
			js_str(o, "presentationHint", "invalid");
		if (there) {
			js_int(o, "line", c->insns[k].line);
			struct json_object *loc = js_object(o, "location");

			js_str(loc, "name", c->name);
			js_int(loc, "sourceReference", n);
		}
		json_object_array_add(list, o);
	}
	return 0;
}

const struct dap_handler dap_code_handlers[] = {
	{ "loadedSources", do_loaded_sources, true },
	{ "source", do_source, true },
	{ "setBreakpoints", do_set_breakpoints, true },
	{ "setInstructionBreakpoints", do_set_instruction_breakpoints, true },
	{ "threads", do_threads, true },
	{ "stackTrace", do_stack_trace, true },
	{ "disassemble", do_disassemble, true },
	{ }
};
