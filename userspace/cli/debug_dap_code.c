// SPDX-License-Identifier: MIT
/*
 * Debug Adapter Protocol: sources, breakpoints, stack frames, disassembly.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli_isa.h"
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

/* A file, or the listing of a program. */
static void describe_source(struct dap *s, struct json_object *src, const struct dbg_code *c,
			    const struct dbg_text *t)
{
	js_str(src, "name", t->path ? t->name : c->name);
	if (t->path)
		js_str(src, "path", t->path);
	else
		js_int(src, "sourceReference", dap_code_number(s, c));
}

/* "line", and "source" or @key, of an instruction, which may be NULL. */
static void add_line(struct dap *s, struct json_object *o, const char *key,
		     const struct dbg_code *c, const struct dbg_insn *i)
{
	uint32_t line;
	const struct dbg_text *t = dbg_text_at(&s->d, c, i, &line);

	describe_source(s, js_object(o, key), c, t);
	js_int(o, "line", line - 1 + s->first_line);
}

static bool same_file(const char *a, const char *b)
{
	char *real = realpath(a, NULL);
	bool same = !strcmp(real ? real : a, b);

	free(real);
	return same;
}

/* File at a path, of the first program that has it. */
static const struct dbg_text *find_file(struct dap *s, const char *path, struct dbg_code **c)
{
	uint32_t i, k;

	for (i = 0; path && i < s->d.jf->num_programs; i++) {
		*c = dbg_program(&s->d, i);
		for (k = 0; *c && k < (*c)->num_files; k++) {
			if (same_file(path, (*c)->files[k].path))
				return &(*c)->files[k];
		}
	}
	/* Code in memory is known when a job is stopped in it. */
	*c = s->d.code;
	for (k = 0; path && *c && (*c)->words && k < (*c)->num_files; k++) {
		if (same_file(path, (*c)->files[k].path))
			return &(*c)->files[k];
	}
	return NULL;
}

/* Program of a source, and the text that lines are in. */
static struct dbg_code *find_source(struct dap *s, struct json_object *o,
				    const struct dbg_text **t)
{
	const char *name = dap_str(o, "name"), *path = dap_str(o, "path");
	uint32_t i, n = (uint32_t)dap_int(o, "sourceReference", 0);
	struct dbg_code *c = NULL;

	*t = n ? NULL : find_file(s, path, &c);
	if (*t)
		return c;
	if (n)
		c = dap_code_by_number(s, n);
	for (i = 0; !n && i < s->d.jf->num_programs; i++) {
		c = dbg_program(&s->d, i);
		if (c && ((name && !strcmp(name, c->name)) || (path && !strcmp(path, c->name))))
			break;
		c = NULL;
	}
	if (!c && !n)
		dbg_error(&s->d, "No program has the source.");
	if (c)
		*t = &c->listing;
	return c;
}

/* ---- addresses ---- */

#define ROOM		(1ll << 31)	/* addresses below and above the start of a program */

static void put_place(struct json_object *o, const char *key, uint32_t program, int64_t pc)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx",
		 (unsigned long long)(((uint64_t)program << 32) + (uint64_t)pc));
	js_str(o, key, text);
}

/* Code of a reference and bytes beyond it. *@pc may be outside the code. */
static struct dbg_code *get_place(struct dap *s, const char *text, int64_t offset, int64_t *pc)
{
	char *end;
	uint64_t n = text ? strtoull(text, &end, 0) : 0;
	struct dbg_code *c;

	if (!text || *end || end == text) {
		dbg_error(&s->d, "\"%.40s\" is no instruction reference.", text ? text : "");
		return NULL;
	}
	c = dap_code_by_number(s, (uint32_t)((n + ROOM) >> 32));
	if (!c)
		return NULL;
	*pc = (int64_t)((n + ROOM) & UINT32_MAX) - ROOM;
	if (offset < -ROOM - *pc || offset >= ROOM - *pc) {
		dbg_error(&s->d, "The offset leads out of the program's addresses.");
		return NULL;
	}
	*pc += offset;
	return c;
}

/**
 * struct rows - the instructions of a program, and placeholders beyond both of its ends
 * @c: program with instructions
 * @first: address of the first
 * @end: of the first placeholder above
 * @step: from placeholder to placeholder
 */
struct rows {
	const struct dbg_code *c;
	int64_t first;
	int64_t end;
	int64_t step;
};

static int rows_init(struct dap *s, struct rows *w, const struct dbg_code *c)
{
	const struct dbg_insn *last;

	if (!c->num_insns)
		return dbg_error(&s->d, "The program has no instructions.");
	last = &c->insns[c->num_insns - 1];
	w->c = c;
	w->first = c->insns[0].pc;
	w->end = (int64_t)last->pc + last->size;
	w->step = jf_pc_unit(c->src.engine);
	return 0;
}

/* Row that begins at an address; placeholders are below 0, or above the last. */
static bool find_row(const struct rows *w, int64_t pc, int64_t *row)
{
	const struct dbg_insn *i;
	int64_t past = pc < w->first ? pc - w->first : pc - w->end;

	if (pc < w->first || pc >= w->end) {
		*row = past / w->step + (pc < w->first ? 0 : w->c->num_insns);
		return !(past % w->step);
	}
	i = dbg_code_at(w->c, (uint32_t)pc);
	if (i)
		*row = i - w->c->insns;
	return i;
}

static int64_t row_pc(const struct rows *w, int64_t row)
{
	if (row < 0)
		return w->first + row * w->step;
	if (row >= w->c->num_insns)
		return w->end + (row - w->c->num_insns) * w->step;
	return w->c->insns[row].pc;
}

/* ---- sources ---- */

static int do_loaded_sources(struct dap *s, struct dap_request *r)
{
	struct json_object *list = js_array(r->body, "sources"), *o;
	const struct dbg_code *c;
	uint32_t i, k;

	for (i = 0; i < s->d.jf->num_programs; i++) {
		c = dbg_program(&s->d, i);
		for (k = 0; c && k < (c->num_files ? c->num_files : 1); k++) {
			o = json_object_new_object();
			describe_source(s, o, c, c->num_files ? &c->files[k] : &c->listing);
			json_object_array_add(list, o);
		}
	}
	return 0;
}

static int do_source(struct dap *s, struct dap_request *r)
{
	const struct dbg_code *c;
	struct json_object *src = NULL;
	const struct dbg_text *t;
	char *text, *p;
	uint32_t n, i;
	size_t size = 1;

	json_object_object_get_ex(r->args, "source", &src);
	n = (uint32_t)dap_int(r->args, "sourceReference", 0);
	c = n ? dap_code_by_number(s, n) : find_source(s, src, &t);
	if (!c)
		return -EINVAL;
	if (n)
		t = &c->listing;
	for (i = 0; i < t->num_lines; i++)
		size += strlen(t->lines[i]) + 1;
	text = malloc(size);
	if (!text)
		return dbg_error(&s->d, "out of memory");
	for (p = text, i = 0; i < t->num_lines; i++)
		p += sprintf(p, "%s\n", t->lines[i]);
	*p = 0;
	js_str(r->body, "content", text);
	free(text);
	return 0;
}

/* ---- breakpoints ---- */

void dap_remove_points(struct dap *s, uint32_t source, const struct dbg_text *text)
{
	unsigned int i, n = 0;

	for (i = 0; i < s->num_points; i++) {
		struct dbg_point *p = dbg_point_by_num(&s->d, s->points[i].num);

		if (!p)
			continue;
		if (s->points[i].source == source && s->points[i].text == text)
			dbg_delete_point(&s->d, p);
		else
			s->points[n++] = s->points[i];
	}
	s->num_points = n;
}

/* The text of an editor's logpoint; it does not stop the job. */
static int set_log(struct dap *s, struct dbg_point *p, const char *message)
{
	char *line = strdup(message), *c;
	int n = -1;

	/* it is one line of the commands */
	for (c = line; c && *c; c++)
		*c = (unsigned char)*c < ' ' ? ' ' : *c;
	free(p->commands);
	p->commands = NULL;
	if (line)
		n = asprintf(&p->commands, "silent\nlog %s\ncontinue\n", line);
	free(line);
	if (n >= 0)
		return 0;
	p->commands = NULL;
	return dbg_error(&s->d, "out of memory");
}

static int parse_hits(const char *text, unsigned long *count)
{
	char *end;

	*count = strtoul(text, &end, 10);
	return *end || !isdigit((unsigned char)*text) || *count > UINT32_MAX ? -EINVAL : 0;
}

/* "condition"; clients send an empty one for none. */
static const char *condition_of(struct json_object *o)
{
	const char *cond = dap_str(o, "condition");

	return cond && *cond ? cond : NULL;
}

int dap_add_point(struct dap *s, const char *command, const struct dap_point *owner,
		  struct json_object *o, struct json_object *out)
{
	const char *hits = dap_str(o, "hitCondition"), *message = dap_str(o, "logMessage");
	unsigned int before = s->d.last_point;
	unsigned long count = 0;
	struct dbg_point *p;
	int ret;

	if (hits && *hits && parse_hits(hits, &count))
		return dbg_error(&s->d, "\"%.40s\": a number of hits expected.", hits);
	s->collect = true;
	ret = dbg_execute(&s->d, command);
	s->collect = false;
	s->text_len = 0;
	if (ret)
		return ret;
	p = dbg_point_by_num(&s->d, before + 1);
	if (!p)
		return -EINVAL;
	if (count > 1) {
		p->p.ignore = (uint32_t)count - 1;
		ret = dbg_update_point(&s->d, p);
	}
	if (!ret && message && *message)
		ret = set_log(s, p, message);
	s->points[s->num_points] = *owner;
	s->points[s->num_points++].num = p->num;
	js_int(out, "id", p->num);
	return ret;
}

/* A breakpoint at @pc with the conditions of @o. */
static int add_break(struct dap *s, const struct dbg_code *c, const struct dap_point *owner,
		     uint32_t pc, struct json_object *o, struct json_object *out)
{
	const char *cond = condition_of(o);
	char line[600];
	int ret;

	snprintf(line, sizeof(line), "break %s:0x%x%s%.500s", c->name, pc, cond ? " if " : "",
		 cond ? cond : "");
	if (c->words)
		snprintf(line, sizeof(line), "break *0x%x", pc);
	ret = dap_add_point(s, line, owner, o, out);
	if (!ret)
		put_place(out, "instructionReference", dap_code_number(s, c), pc);
	return ret;
}

/* Add the result, success or error, to the list. */
static void add_result(struct dap *s, struct json_object *list, struct json_object *out,
		       const struct dbg_code *c, const struct dbg_insn *i, int ret)
{
	js_bool(out, "verified", !ret);
	if (ret)
		js_str(out, "message", s->d.err);
	else if (c && i)
		add_line(s, out, "source", c, i);
	json_object_array_add(list, out);
}

/* A source that no program has may be one of code in memory, which is known when it runs. */
static void add_unverified(struct dap *s, struct json_object *list, struct json_object *wanted,
			   size_t n)
{
	struct json_object *o;
	size_t i;

	for (i = 0; i < n; i++) {
		o = json_object_new_object();
		js_int(o, "line", dap_int(json_object_array_get_idx(wanted, i), "line", 0));
		add_result(s, list, o, NULL, NULL, -EINVAL);
	}
}

/* A line that the client names, counted from 1; @otherwise likewise. */
static uint32_t client_line(const struct dap *s, struct json_object *o, const char *key,
			    uint32_t otherwise)
{
	uint64_t n = dap_int(o, key, (uint64_t)otherwise + s->first_line - 1);

	return n > INT32_MAX ? INT32_MAX : (uint32_t)n + 1 - s->first_line;
}

/* Lines from "line" to "endLine" that have instructions. */
static int do_breakpoint_locations(struct dap *s, struct dap_request *r)
{
	struct json_object *list = js_array(r->body, "breakpoints"), *src = NULL, *o;
	const struct dbg_insn *insn;
	const struct dbg_text *t;
	const struct dbg_code *c;
	uint32_t line, end, at;

	json_object_object_get_ex(r->args, "source", &src);
	c = find_source(s, src, &t);
	if (!c)
		return -EINVAL;
	line = client_line(s, r->args, "line", 1);
	end = client_line(s, r->args, "endLine", line);
	for (; line <= end && line <= t->num_lines; line++) {
		insn = dbg_insn_at(&s->d, c, t, line);
		if (!insn || dbg_text_at(&s->d, c, insn, &at) != t || at != line)
			continue;
		o = json_object_new_object();
		js_int(o, "line", line - 1 + s->first_line);
		json_object_array_add(list, o);
	}
	return 0;
}

/* Older clients name "lines" only. */
static void lines_to_breakpoints(struct dap_request *r)
{
	struct json_object *list, *out, *o;
	size_t i, n;

	if (json_object_object_get_ex(r->args, "breakpoints", NULL))
		return;
	list = dap_list(r->args, "lines", &n);
	if (!n)
		return;
	out = js_array(r->args, "breakpoints");
	for (i = 0; i < n; i++) {
		o = json_object_new_object();
		json_object_object_add(o, "line",
				       json_object_get(json_object_array_get_idx(list, i)));
		json_object_array_add(out, o);
	}
}

static int do_set_breakpoints(struct dap *s, struct dap_request *r)
{
	struct json_object *list, *src = NULL, *out = js_array(r->body, "breakpoints"), *o, *b;
	struct dap_point owner = { };
	const struct dbg_insn *insn;
	const struct dbg_text *t;
	const struct dbg_code *c;
	size_t i, n;
	int ret;

	lines_to_breakpoints(r);
	json_object_object_get_ex(r->args, "source", &src);
	list = dap_list(r->args, "breakpoints", &n);
	c = find_source(s, src, &t);
	if (!c) {
		add_unverified(s, out, list, n);
		return 0;
	}
	owner.source = dap_code_number(s, c);
	owner.text = t;
	dap_remove_points(s, owner.source, t);
	for (i = 0; i < n; i++) {
		b = json_object_array_get_idx(list, i);
		o = json_object_new_object();
		insn = dbg_insn_at(&s->d, c, t, client_line(s, b, "line", 0));
		ret = insn ? add_break(s, c, &owner, insn->pc, b, o) :
			     dbg_error(&s->d, "There is no such line.");
		add_result(s, out, o, c, insn, ret);
	}
	return 0;
}

static int do_set_instruction_breakpoints(struct dap *s, struct dap_request *r)
{
	struct json_object *list, *out = js_array(r->body, "breakpoints"), *o, *b;
	const struct dap_point owner = { .source = DAP_INSTRUCTIONS };
	const struct dbg_insn *insn;
	struct dbg_code *c;
	int64_t pc = 0;
	size_t i, n;
	int ret;

	dap_remove_points(s, DAP_INSTRUCTIONS, NULL);
	list = dap_list(r->args, "breakpoints", &n);
	for (i = 0; i < n; i++) {
		b = json_object_array_get_idx(list, i);
		o = json_object_new_object();
		c = get_place(s, dap_str(b, "instructionReference"),
			      (int64_t)dap_int(b, "offset", 0), &pc);
		insn = c && pc >= 0 ? dbg_code_at(c, (uint32_t)pc) : NULL;
		ret = !c ? -EINVAL : insn ? add_break(s, c, &owner, insn->pc, b, o) :
		      dbg_error(&s->d, "No instruction begins there.");
		add_result(s, out, o, c, insn, ret);
	}
	return 0;
}

/* Labels, procedures, programs */
static int do_set_function_breakpoints(struct dap *s, struct dap_request *r)
{
	struct json_object *list, *out = js_array(r->body, "breakpoints"), *o, *b;
	const struct dap_point owner = { .source = DAP_FUNCTIONS };
	const struct dbg_insn *insn;
	const struct dbg_code *c;
	const struct dbg_point *p;
	const char *name, *cond;
	char line[800];
	size_t i, n;
	int ret;

	dap_remove_points(s, DAP_FUNCTIONS, NULL);
	list = dap_list(r->args, "breakpoints", &n);
	for (i = 0; i < n; i++) {
		b = json_object_array_get_idx(list, i);
		o = json_object_new_object();
		name = dap_str(b, "name");
		cond = condition_of(b);
		snprintf(line, sizeof(line), "break %.200s%s%.500s", name ? name : "",
			 cond ? " if " : "", cond ? cond : "");
		ret = name ? dap_add_point(s, line, &owner, b, o) :
			     dbg_error(&s->d, "\"name\" is missing.");
		p = ret ? NULL : dbg_point_by_num(&s->d, s->d.last_point);
		c = !p ? NULL : p->program == JF_NONE ? s->d.code : s->d.programs[p->program];
		insn = c ? dbg_code_at(c, p->p.pc) : NULL;
		if (insn)
			put_place(o, "instructionReference", dap_code_number(s, c), insn->pc);
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
	js_int(r->body, "totalFrames", 1);
	/* there are no callers, which clients ask for by themselves */
	if (dap_int(r->args, "startFrame", 0))
		return 0;
	now.pc = dbg_pc(&s->d);
	i = dbg_code_at(c, now.pc);
	o = json_object_new_object();
	js_int(o, "id", inv + 1);
	js_str(o, "name", c ? c->name : dbg_job_name(&s->d));
	js_int(o, "line", 0);
	js_int(o, "column", s->first_column);
	if (c) {
		add_line(s, o, "source", c, i);
		put_place(o, "instructionPointerReference", dap_code_number(s, c), now.pc);
	}
	json_object_array_add(list, o);
	return 0;
}

/* ---- disassembly ---- */

/* In the order that they have in memory. */
static void put_bytes(struct json_object *o, const struct dbg_code *c, const struct dbg_insn *i)
{
	const uint32_t *words;
	uint32_t n = dbg_insn_words(c, i, &words), k;
	char *text = calloc(8 * (size_t)n + 1, 1);

	if (!text)
		return;
	for (k = 0; k < n; k++)
		sprintf(text + 8 * (size_t)k, "%08x", __builtin_bswap32(words[k]));
	js_str(o, "instructionBytes", text);
	free(text);
}

static int do_disassemble(struct dap *s, struct dap_request *r)
{
	uint64_t count = dap_int(r->args, "instructionCount", 0);
	int64_t offset = (int64_t)dap_int(r->args, "instructionOffset", 0), pc, at, k;
	struct json_object *list = js_array(r->body, "instructions"), *o;
	struct dbg_code *c;
	struct rows rows = { };
	uint32_t n;

	c = get_place(s, dap_str(r->args, "memoryReference"),
		      (int64_t)dap_int(r->args, "offset", 0), &pc);
	if (!c || rows_init(s, &rows, c))
		return -EINVAL;
	if (!find_row(&rows, pc, &at))
		return dbg_error(&s->d, "No instruction begins there.");
	if (count > MAX_DISASSEMBLY)
		return dbg_error(&s->d, "At most %u instructions.", MAX_DISASSEMBLY);
	if (offset < -ROOM || offset > ROOM || row_pc(&rows, at + offset) < -ROOM ||
	    row_pc(&rows, at + offset + (int64_t)count) >= ROOM)
		return dbg_error(&s->d, "The offset leads out of the program's addresses.");
	n = dap_code_number(s, c);
	at += offset;
	/* Exactly the requested number, whether readable or not. Editors search by addresses. */
	for (k = at; k < at + (int64_t)count; k++) {
		bool there = k >= 0 && k < c->num_insns;

		o = json_object_new_object();
		put_place(o, "address", n, row_pc(&rows, k));
		js_str(o, "instruction", there ? c->insns[k].text : "?");
		if (!there)
			js_str(o, "presentationHint", "invalid");
		if (there) {
			put_bytes(o, c, &c->insns[k]);
			add_line(s, o, "location", c, &c->insns[k]);
		}
		json_object_array_add(list, o);
	}
	return 0;
}

const struct dap_handler dap_code_handlers[] = {
	{ "loadedSources", do_loaded_sources, true },
	{ "source", do_source, true },
	{ "setBreakpoints", do_set_breakpoints, true },
	{ "breakpointLocations", do_breakpoint_locations, true },
	{ "setFunctionBreakpoints", do_set_function_breakpoints, true },
	{ "setInstructionBreakpoints", do_set_instruction_breakpoints, true },
	{ "threads", do_threads, true },
	{ "stackTrace", do_stack_trace, true },
	{ "disassemble", do_disassemble, true },
	{ }
};
