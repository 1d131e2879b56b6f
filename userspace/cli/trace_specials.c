// SPDX-License-Identifier: MIT
/*
 * Operations that produce NaNs and infinities from operands that are none, each with the first
 * invocation and the number of times.
 */
#include <stdlib.h>
#include <string.h>

#include "trace.h"

/**
 * struct special - an operation
 * @code: its program
 * @job: job
 * @pc: instruction
 * @part: operation of the instruction
 * @invocation: the first one
 * @count: how often it did, by invocations
 */
struct special {
	const struct dbg_code *code;
	uint32_t job;
	uint32_t pc;
	uint32_t part;
	uint64_t invocation;
	uint64_t count;
};

/** struct specials - all of them, in the order of their first occurrences */
struct specials {
	struct special *list;
	size_t n;
};

static int add_special(struct tracer *t, const struct drm_vshader_debug_trace_record *r)
{
	const struct dbg_code *c;
	struct specials *all = t->arg;
	struct special *s;
	size_t i;

	if (!(r->flags & DRM_VSHADER_DEBUG_RECORD_SPECIAL))
		return 0;
	c = trace_code(t, r);
	for (i = 0; i < all->n; i++) {
		s = &all->list[i];
		if (s->job == t->d.job && s->code == c && s->pc == r->pc && s->part == r->part) {
			s->count++;
			return 0;
		}
	}
	s = realloc(all->list, (all->n + 1) * sizeof(*s));
	if (!s)
		return dbg_error(&t->d, "out of memory");
	all->list = s;
	s[all->n++] = (struct special){
		.code = c, .job = t->d.job, .pc = r->pc, .part = r->part,
		.invocation = r->invocation, .count = 1,
	};
	return 0;
}

static void print_special(const struct special *s, FILE *f)
{
	const struct trace_filter by_operation = { };
	const struct dbg_insn *i = dbg_code_at(s->code, s->pc);
	struct json_object *o = json_object_new_object();
	char text[1024];

	js_int(o, "job", s->job);
	if (s->code)
		js_str(o, "program", s->code->name);
	js_int(o, "pc", s->pc);
	js_int(o, "part", s->part);
	js_int(o, "invocation", s->invocation);
	js_int(o, "count", s->count);
	if (i)
		js_str(o, "insn", trace_text(s->code, i, s->part, &by_operation, text,
					     sizeof(text)));
	trace_line(f, o);
}

int trace_specials(const char *path, const char *device, const struct trace_filter *opt, FILE *f)
{
	struct specials all = { };
	struct tracer t = {
		.arg = &all, .record = add_special, .filter = opt,
		.flags = DRM_VSHADER_DEBUG_TRACE_SPECIALS,
	};
	size_t i;
	int ret = trace_run(&t, path, device);

	for (i = 0; i < all.n; i++)
		print_special(&all.list[i], f);
	if (!ret)
		ret = trace_status(&t.d, opt, path);
	trace_fini(&t);
	free(all.list);
	return ret;
}
