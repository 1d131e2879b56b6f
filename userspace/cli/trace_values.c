// SPDX-License-Identifier: MIT
/*
 * Instructions with values: for each invocation that executes one, the prior values of its
 * operands, the changed registers and the memory accesses. Jobs stop before each instruction.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"
#include "trace_names.h"

#define MOST_REGS	256u	/* that are read at a time */
#define MOST_LANES	1024u
#define RECORDS		8192u

/**
 * struct lane - invocation that executes an instruction
 * @inv: its number
 * @o: its line of output
 * @accesses: its memory accesses, NULL: none yet
 * @words: registers before the instruction
 */
struct lane {
	uint64_t inv;
	struct json_object *o;
	struct json_object *accesses;
	uint32_t *words;
};

/**
 * struct values - state of a run
 * @d: debugger
 * @f: output stream
 * @opt: selected output
 * @num_words: words of the per-invocation registers
 * @now: their current values
 * @lanes: invocations that execute the current instruction
 * @num: number of @lanes
 * @records: buffer of trace records
 */
struct values {
	struct dbg d;
	FILE *f;
	const struct trace_filter *opt;
	unsigned int num_words;
	uint32_t *now;
	struct lane *lanes;
	unsigned int num;
	struct drm_vshader_debug_trace_record *records;
};

/* ---- registers ---- */

static bool own(const struct drm_vshader_debug_bank *b)
{
	return !(b->flags & DRM_VSHADER_DEBUG_BANK_UNIFORM);
}

static int count_words(struct values *w)
{
	unsigned int i, n = 0;

	for (i = 0; i < w->d.num_banks; i++)
		n += own(&w->d.banks[i]) ? w->d.banks[i].count * w->d.banks[i].components : 0;
	free(w->now);
	w->num_words = n;
	w->now = calloc(n + 1, sizeof(*w->now));
	return w->now ? 0 : dbg_error(&w->d, "out of memory");
}

/* Registers that a program does not have stay zeros. */
static int read_bank(struct dbg *d, uint64_t inv, const struct drm_vshader_debug_bank *b,
		     uint32_t *words)
{
	uint32_t k, n, step = MOST_REGS;
	int ret;

	for (k = 0; k < b->count; k += n) {
		n = b->count - k < step ? b->count - k : step;
		ret = vshader_debug_read_registers(d->session, inv, b->first + k, n,
						   words + k * b->components, n * b->components);
		if (ret == -ENOENT && step > 1)
			n = 0;
		else if (ret == -ENOENT)
			return 0;
		else if (ret)
			return dbg_error(d, "%s", vshader_error());
		step = n ? step : 1;
	}
	return 0;
}

static int read_all(struct values *w, uint64_t inv, uint32_t *words)
{
	const struct drm_vshader_debug_bank *b = w->d.banks, *end = b + w->d.num_banks;
	int ret = 0;

	memset(words, 0, w->num_words * sizeof(*words));
	for (; b < end && !ret; b++) {
		if (!own(b))
			continue;
		ret = read_bank(&w->d, inv, b, words);
		words += b->count * b->components;
	}
	return ret;
}

static void add_register(const struct dbg *d, struct json_object *o,
			 const struct drm_vshader_debug_bank *b, uint32_t reg,
			 const uint32_t *words)
{
	struct json_object *list;
	char name[32], text[80];
	struct dbg_value v;
	unsigned int i;

	dbg_reg_value(b, reg, words, &v);
	vshader_debug_register_name(d->banks, d->num_banks, reg, name, sizeof(name));
	list = js_array(o, name);
	for (i = 0; i < v.num; i++) {
		dbg_component(&v, i, 0, text, sizeof(text));
		json_object_array_add(list, json_object_new_string(text));
	}
}

static void add_changes(struct values *w, const struct lane *l)
{
	struct json_object *o = js_object(l->o, "changes");
	const uint32_t *before = l->words, *after = w->now;
	const struct drm_vshader_debug_bank *b;
	unsigned int i;
	uint32_t k;

	for (i = 0; i < w->d.num_banks; i++) {
		b = &w->d.banks[i];
		for (k = 0; own(b) && k < b->count; k++) {
			if (memcmp(before, after, b->components * sizeof(*before)))
				add_register(&w->d, o, b, b->first + k, after);
			before += b->components;
			after += b->components;
		}
	}
}

/* Registers that the text names. */
static void add_operands(struct values *w, const struct lane *l, const struct dbg_insn *insn,
			 const char *text)
{
	struct json_object *o = js_object(l->o, "operands");
	uint32_t words[16], reg;
	char name[32];

	while (trace_next_name(&text, w->d.engine, insn ? insn->pc : 0, name, sizeof(name))) {
		const struct drm_vshader_debug_bank *b;

		if (!dbg_reg_by_name(&w->d, name, &reg))
			continue;
		b = vshader_debug_register_name(w->d.banks, w->d.num_banks, reg, name,
						sizeof(name));
		if (!b || json_object_object_get_ex(o, name, NULL))
			continue;
		if (!vshader_debug_read_registers(w->d.session, l->inv, reg, 1, words,
						  b->components))
			add_register(&w->d, o, b, reg, words);
	}
}

/* ---- accesses ---- */

static struct lane *find_lane(struct values *w, uint64_t inv)
{
	unsigned int i;

	for (i = 0; i < w->num; i++) {
		if (w->lanes[i].inv == inv)
			return &w->lanes[i];
	}
	return NULL;
}

static void add_access(struct values *w, const struct drm_vshader_debug_trace_record *r)
{
	struct lane *l = find_lane(w, r->invocation);

	if (!l)
		return;
	if (!l->accesses)
		l->accesses = js_array(l->o, "accesses");
	json_object_array_add(l->accesses, trace_access(r));
}

static int trace_on(struct values *w)
{
	/* stops after the last wanted instruction show its results */
	struct trace_filter filter = *w->opt;
	struct drm_vshader_debug_trace args;
	uint32_t i;

	filter.ranges = true;
	filter.pc[0] = 0;
	filter.pc[1] = UINT32_MAX;
	do {
		args = (struct drm_vshader_debug_trace){
			.flags = DRM_VSHADER_DEBUG_TRACE_ON | DRM_VSHADER_DEBUG_TRACE_ACCESSES |
				 DRM_VSHADER_DEBUG_TRACE_STOP,
			.count = RECORDS, .records = (uintptr_t)w->records,
		};
		if (trace_set_filter(&w->d, &filter, &args))
			return -EINVAL;
		if (vshader_debug_trace(w->d.session, &args))
			return dbg_error(&w->d, "%s", vshader_error());
		for (i = 0; i < args.count && i < RECORDS; i++) {
			if (w->records[i].flags)
				add_access(w, &w->records[i]);
		}
	} while (args.left);
	return 0;
}

/* ---- instructions ---- */

static bool wanted(struct values *w, uint64_t inv)
{
	uint32_t reg, at[3];

	if (inv < w->opt->inv[0] || inv > w->opt->inv[1])
		return false;
	if (!w->opt->num_pixel)
		return true;
	return dbg_reg_by_name(&w->d, "fragment", &reg) &&
	       !vshader_debug_read_registers(w->d.session, inv, reg, 1, at, 3) &&
	       !memcmp(at, w->opt->pixel, w->opt->num_pixel * sizeof(at[0]));
}

static int begin_lane(struct values *w, uint64_t inv, const struct dbg_insn *insn)
{
	struct lane *l = &w->lanes[w->num];
	const char *text = NULL;
	char buf[1024];
	int ret;

	*l = (struct lane){ .inv = inv, .words = calloc(w->num_words + 1, sizeof(*l->words)) };
	if (!l->words)
		return dbg_error(&w->d, "out of memory");
	w->num++;
	l->o = json_object_new_object();
	js_int(l->o, "job", w->d.job);
	if (w->d.code)
		js_str(l->o, "program", w->d.code->name);
	js_int(l->o, "pc", w->d.stop.pc);
	if (w->d.code && dbg_code_has_operations(w->d.code) && !w->opt->instructions)
		js_int(l->o, "part", w->d.stop.part);
	js_int(l->o, "invocation", inv);
	if (insn)
		text = trace_text(w->d.code, insn, w->d.stop.part, w->opt, buf, sizeof(buf));
	js_str(l->o, "insn", text);
	ret = read_all(w, inv, l->words);
	if (!ret)
		add_operands(w, l, insn, text ? text : "");
	return ret;
}

/* Report executed instructions. @alive: invocations whose registers can still be read. */
static int end_lanes(struct values *w, const struct drm_vshader_debug_invocation *alive, int n)
{
	unsigned int i;
	int k, ret = 0;

	for (i = 0; i < w->num; i++) {
		struct lane *l = &w->lanes[i];

		for (k = 0; k < n && alive[k].invocation != l->inv; k++)
			;
		if (k < n && !ret)
			ret = read_all(w, l->inv, w->now);
		if (k < n && !ret)
			add_changes(w, l);
		trace_line(w->f, l->o);
		free(l->words);
	}
	w->num = 0;
	return ret;
}

static int begin_lanes(struct values *w, const struct drm_vshader_debug_invocation *inv, int n)
{
	const struct dbg_insn *insn = dbg_code_at(w->d.code, w->d.stop.pc);
	int i, ret = 0;

	if (w->d.stop.pc < w->opt->pc[0] || w->d.stop.pc > w->opt->pc[1])
		return 0;
	for (i = 0; i < n && !ret; i++) {
		if (inv[i].state == DRM_VSHADER_DEBUG_INV_CURRENT && wanted(w, inv[i].invocation))
			ret = begin_lane(w, inv[i].invocation, insn);
	}
	return ret;
}

/* Called before a job, at each stop, and after it. */
static int on_trace(struct dbg *d)
{
	struct drm_vshader_debug_invocation *inv = NULL;
	struct values *w = d->hook;
	int n = 0, ret;

	ret = trace_on(w);
	if (!ret && d->state == DBG_IDLE)
		return count_words(w);
	if (!ret && d->state == DBG_STOPPED) {
		dbg_find_code(d);
		n = dbg_invocations(d, &inv);
	}
	if (n < 0)
		ret = n;
	if (!ret)
		ret = end_lanes(w, inv, n);
	if (!ret)
		ret = begin_lanes(w, inv, n);
	free(inv);
	return ret;
}

int trace_values(const char *path, const char *device, const struct trace_filter *opt, FILE *f)
{
	struct values *w = calloc(1, sizeof(*w));
	int ret;

	if (!w)
		return fail("out of memory");
	w->f = f;
	w->opt = opt;
	w->records = calloc(RECORDS, sizeof(*w->records));
	w->lanes = calloc(MOST_LANES, sizeof(*w->lanes));
	if (!w->records || !w->lanes)
		ret = fail("out of memory");
	else
		ret = trace_session(&w->d, path, device, on_trace, NULL, w);
	if (!ret)
		ret = trace_status(&w->d, opt, path);
	end_lanes(w, NULL, 0);
	if (w->records && w->lanes)
		dbg_fini(&w->d);
	free(w->records);
	free(w->lanes);
	free(w->now);
	free(w);
	return ret;
}
