// SPDX-License-Identifier: MIT
/*
 * One invocation, instruction by instruction: which registers each has changed, and the
 * memory that it accessed. The invocation is stopped where its program begins, stepped to its
 * end, and watched on the way.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

/**
 * struct follow - an invocation that is followed
 * @d: debugger
 * @f: where lines go
 * @inv: the invocation
 * @begin: breakpoint where the program begins, 0: none
 * @num: registers
 * @regs: their numbers
 * @now: their values
 * @insn: the instruction it is at
 * @pc: its number
 */
struct follow {
	struct dbg d;
	FILE *f;
	uint64_t inv;
	unsigned int begin;
	unsigned int num;
	uint32_t *regs;
	struct dbg_value *now;
	const struct dbg_insn *insn;
	uint32_t pc;
};

/* ---- registers ---- */

static int list_registers(struct follow *w)
{
	unsigned int i, n = 0;
	uint32_t k;

	for (i = 0; i < w->d.num_banks; i++)
		n += w->d.banks[i].count;
	free(w->regs);
	free(w->now);
	w->num = 0;
	w->regs = calloc(n + 1, sizeof(*w->regs));
	w->now = calloc(n + 1, sizeof(*w->now));
	if (!w->regs || !w->now)
		return dbg_error(&w->d, "out of memory");
	for (i = 0; i < w->d.num_banks; i++) {
		const struct drm_vshader_debug_bank *b = &w->d.banks[i];

		for (k = 0; !(b->flags & DRM_VSHADER_DEBUG_BANK_UNIFORM) && k < b->count; k++)
			w->regs[w->num++] = b->first + k;
	}
	return 0;
}

/* Read all; those that differ from what was known go into @changes, if that is there. */
static int read_registers(struct follow *w, struct json_object *changes)
{
	struct json_object *list;
	char name[32], text[80];
	struct dbg_value v;
	unsigned int i, k;
	int ret = 0;

	for (i = 0; i < w->num && !ret; i++) {
		ret = dbg_read_reg(&w->d, w->regs[i], &v);
		if (ret || !memcmp(v.v, w->now[i].v, v.num * sizeof(v.v[0])))
			continue;
		w->now[i] = v;
		if (!changes)
			continue;
		vshader_debug_register_name(w->d.banks, w->d.num_banks, w->regs[i], name,
					    sizeof(name));
		list = js_array(changes, name);
		for (k = 0; k < v.num; k++) {
			dbg_component(&v, k, 0, text, sizeof(text));
			json_object_array_add(list, json_object_new_string(text));
		}
	}
	return ret;
}

/* ---- lines ---- */

static void add_access(struct follow *w, struct json_object *o)
{
	const struct drm_vshader_debug_stop *s = &w->d.stop;
	struct json_object *a = js_object(o, "access");
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)s->access_va);
	js_str(a, "kind", s->access_flags & DRM_VSHADER_DEBUG_POINT_WRITE ? "write" : "read");
	js_str(a, "va", text);
	js_int(a, "size", s->access_size);
}

/* What the instruction has done; @alive: its registers are still there. */
static int write_step(struct follow *w, uint32_t job, bool alive)
{
	struct json_object *o = json_object_new_object();
	bool access = w->d.state == DBG_STOPPED &&
		      w->d.stop.reason == DRM_VSHADER_DEBUG_REASON_WATCH;
	int ret = 0;

	js_int(o, "job", job);
	js_int(o, "invocation", w->inv);
	js_int(o, "pc", w->pc);
	js_str(o, "insn", w->insn ? w->insn->text : NULL);
	if (alive)
		ret = read_registers(w, js_object(o, "changes"));
	if (access)
		add_access(w, o);
	fprintf(w->f, "%s\n", json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							     JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
	return ret;
}

/* ---- running ---- */

/* All accesses of the invocation are watched, whatever the address. */
static int add_watch(struct follow *w)
{
	struct dbg_point t = {
		.program = JF_NONE,
		.what = (char *)"memory",
		.p = {
			.kind = DRM_VSHADER_DEBUG_WATCH,
			.flags = DRM_VSHADER_DEBUG_POINT_READ | DRM_VSHADER_DEBUG_POINT_WRITE |
				 DRM_VSHADER_DEBUG_POINT_FILTER,
			.first = w->inv,
			.last = w->inv,
			.size = UINT64_MAX,
		},
	};

	return dbg_add_point(&w->d, &t) ? 0 : -EINVAL;
}

/* Before a job starts: where its program begins is known only of jobs of program objects. */
static int add_begin(struct dbg *d)
{
	const struct jf_job *j = &d->jf->jobs[d->job];
	struct follow *w = d->hook;
	struct dbg_point *p, t = {
		.program = j->shader.program,
		.what = (char *)"begin",
		.p = {
			.kind = DRM_VSHADER_DEBUG_BREAK,
			.flags = DRM_VSHADER_DEBUG_POINT_FILTER,
			.first = w->inv,
			.last = w->inv,
		},
	};
	const struct dbg_code *c;

	if (d->state != DBG_IDLE)
		return 0;
	if (w->begin)
		dbg_delete_point(d, dbg_point_by_num(d, w->begin));
	w->begin = 0;
	if (j->type != DRM_VSHADER_JOB_SHADER)
		return 0;
	c = dbg_program(d, j->shader.program);
	if (!c)
		return -EINVAL;
	t.p.pc = j->shader.entry * dbg_pc_unit(c->src.engine);
	p = dbg_add_point(d, &t);
	if (!p)
		return -EINVAL;
	w->begin = p->num;
	return 0;
}

/* Is the invocation stopped where it goes on? */
static bool is_here(const struct follow *w)
{
	struct drm_vshader_debug_invocation v;
	struct dbg *d = (struct dbg *)&w->d;

	return d->state == DBG_STOPPED && d->stop.reason != DRM_VSHADER_DEBUG_REASON_ENDED &&
	       d->stop.reason != DRM_VSHADER_DEBUG_REASON_FAULT &&
	       !dbg_find_invocation(d, w->inv, &v);
}

/* Instructions of the invocation, to its end. */
static int follow_steps(struct follow *w)
{
	struct dbg *d = &w->d;
	uint32_t job = d->job;
	uint64_t event;
	bool same;
	int ret = list_registers(w);

	d->inv = w->inv;
	if (!ret)
		ret = read_registers(w, NULL);
	while (!ret && is_here(w) && d->job == job) {
		d->inv = w->inv;
		w->pc = dbg_pc(d);
		w->insn = dbg_code_at(d->code, w->pc);
		event = d->stop.event;
		ret = dbg_resume(d, DRM_VSHADER_DEBUG_STEP, w->inv, 0, 1);
		if (!ret)
			ret = dbg_wait(d);
		same = d->state == DBG_STOPPED && d->job == job && d->stop.event != event;
		/* An access may have ended it, or others may have stopped in between. */
		if (!ret)
			ret = write_step(w, job, same && is_here(w) &&
					 d->stop.invocation == w->inv);
	}
	return ret;
}

static int follow_jobs(struct follow *w)
{
	struct dbg *d = &w->d;
	int ret = add_watch(w);

	d->trace = add_begin;
	d->hook = w;
	if (!ret)
		ret = dbg_start(d);
	if (!ret)
		ret = dbg_wait(d);
	while (!ret && d->state == DBG_STOPPED) {
		if (d->stop.reason == DRM_VSHADER_DEBUG_REASON_BREAK)
			ret = follow_steps(w);
		if (!ret && d->state == DBG_STOPPED &&
		    d->stop.reason != DRM_VSHADER_DEBUG_REASON_BREAK)
			ret = dbg_resume(d, DRM_VSHADER_DEBUG_CONTINUE, 0, 0, 0);
		if (!ret)
			ret = dbg_wait(d);
	}
	return ret;
}

static void write_nothing(void *ctx, const char *text)
{
}

int trace_follow(const char *path, const char *device, uint64_t inv, FILE *f)
{
	static const struct dbg_ops ops = { .write = write_nothing };
	struct follow *w = calloc(1, sizeof(*w));
	int ret;

	if (!w)
		return fail("out of memory");
	w->f = f;
	w->inv = inv;
	ret = dbg_init(&w->d, path, device, &ops, w);
	if (!ret)
		ret = follow_jobs(w);
	if (ret)
		ret = fail("%s: %s", path, w->d.err);
	else if (w->d.run && w->d.run->num_failed)
		ret = EXIT_DIFFERS;
	dbg_fini(&w->d);
	free(w->regs);
	free(w->now);
	free(w);
	return ret;
}
