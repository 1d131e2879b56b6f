// SPDX-License-Identifier: MIT
/*
 * Messages about stops and the ends of jobs, as text and as JSON events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

#define MOST_INVOCATIONS	1024

const char *dbg_reason_name(uint32_t reason)
{
	static const char * const names[] = {
		[DRM_VSHADER_DEBUG_REASON_NONE] = "none",
		[DRM_VSHADER_DEBUG_REASON_START] = "start",
		[DRM_VSHADER_DEBUG_REASON_BREAK] = "breakpoint",
		[DRM_VSHADER_DEBUG_REASON_WATCH] = "watchpoint",
		[DRM_VSHADER_DEBUG_REASON_STEP] = "step",
		[DRM_VSHADER_DEBUG_REASON_ENDED] = "invocation-ended",
		[DRM_VSHADER_DEBUG_REASON_INTERRUPT] = "interrupt",
		[DRM_VSHADER_DEBUG_REASON_FAULT] = "fault",
		[DRM_VSHADER_DEBUG_REASON_TRACE] = "trace",
		[DRM_VSHADER_DEBUG_REASON_SPECIAL] = "nan",
	};

	return reason < sizeof(names) / sizeof(names[0]) ? names[reason] : "unknown";
}

int dbg_invocations(struct dbg *d, struct drm_vshader_debug_invocation **out)
{
	int n, ret = dbg_need_stop(d);

	if (ret)
		return ret;
	*out = calloc(MOST_INVOCATIONS, sizeof(**out));
	if (!*out)
		return dbg_error(d, "out of memory");
	n = vshader_debug_invocations(d->session, *out, MOST_INVOCATIONS);
	if (n < 0) {
		free(*out);
		return dbg_error(d, "%s", vshader_error());
	}
	return n < MOST_INVOCATIONS ? n : MOST_INVOCATIONS;
}

int dbg_find_invocation(struct dbg *d, uint64_t inv, struct drm_vshader_debug_invocation *out)
{
	struct drm_vshader_debug_invocation *all;
	int i, n = dbg_invocations(d, &all);

	if (n < 0)
		return n;
	for (i = 0; i < n && all[i].invocation != inv; i++)
		;
	if (i < n)
		*out = all[i];
	free(all);
	return i < n ? 0 : dbg_error(d, "Invocation %llu is not being executed.",
				     (unsigned long long)inv);
}

static void find_place(struct dbg *d, uint32_t *pc, uint32_t *part)
{
	struct drm_vshader_debug_invocation inv = { };

	if (d->state == DBG_STOPPED) {
		inv.pc = d->stop.pc;
		inv.part = d->stop.part;
		/* past the last instruction there are none */
		if (d->stop.reason != DRM_VSHADER_DEBUG_REASON_FAULT ||
		    d->inv != d->stop.invocation)
			dbg_find_invocation(d, d->inv, &inv);
	}
	*pc = inv.pc;
	*part = inv.part;
}

uint32_t dbg_pc(struct dbg *d)
{
	uint32_t pc, part;

	find_place(d, &pc, &part);
	return pc;
}

uint32_t dbg_part(struct dbg *d)
{
	uint32_t pc, part;

	find_place(d, &pc, &part);
	return part;
}

const char *dbg_place_text(uint32_t pc, uint32_t part, char *buf, size_t size)
{
	if (part)
		snprintf(buf, size, "0x%x+%u", pc, part);
	else
		snprintf(buf, size, "0x%x", pc);
	return buf;
}

void dbg_print_insn(struct dbg *d, const struct dbg_code *c, const struct dbg_insn *i,
		    const char *lead)
{
	const char *text = i ? i->text : NULL;
	bool first = true;
	char part[1024];

	if (!i)
		dbg_printf(d, "?\n");
	for (; i && dbg_code_part(c, i, &text, part, sizeof(part)); first = false)
		dbg_printf(d, "%s%s\n", first ? "" : lead, part);
}

void dbg_tell_place(struct dbg *d)
{
	uint32_t pc = dbg_pc(d), part = dbg_part(d), line = 0;
	const struct dbg_insn *i = dbg_code_at(d->code, pc);
	const struct dbg_text *t = d->code ? dbg_text_at(d, d->code, i, &line) : NULL;
	char place[24], text[1024];

	if (line && t->path)
		dbg_printf(d, "%u\t%s\n", line, t->lines[line - 1]);
	if (pc == ~0u)
		dbg_printf(d, "%s\n", d->code ? "no instruction is to be executed any more" :
			   "outside of a program");
	if (pc == ~0u)
		return;
	dbg_color_printf(d, COLOR_CURRENT, "=> %s:",
			 dbg_place_text(pc, part, place, sizeof(place)));
	dbg_printf(d, "\t");
	if (i && part && dbg_code_operation(d->code, i, part, text, sizeof(text)))
		dbg_printf(d, "%s\n", text);
	else
		dbg_print_insn(d, d->code, i, "\t");
}

/* Text of an operation. Return: @buf */
static const char *operation_text(const struct dbg *d, const struct dbg_insn *i, uint32_t part,
				  char *buf, size_t size)
{
	if (!i || !dbg_code_operation(d->code, i, part, buf, size))
		snprintf(buf, size, "%s", i ? i->text : "?");
	return buf;
}

const char *dbg_special_text(const struct dbg *d, char *buf, size_t size)
{
	const struct drm_vshader_debug_stop *s = &d->stop;
	char place[24], text[1024];

	snprintf(buf, size, "NaN or infinity produced by %s: %s",
		 dbg_place_text(s->access_pc, s->access_part, place, sizeof(place)),
		 operation_text(d, dbg_code_at(d->code, s->access_pc), s->access_part, text,
				sizeof(text)));
	return buf;
}

static void tell_access(struct dbg *d)
{
	const struct drm_vshader_debug_stop *s = &d->stop;
	const struct dbg_insn *i = dbg_code_at(d->code, s->access_pc);
	bool write = s->access_flags & DRM_VSHADER_DEBUG_POINT_WRITE;
	char place[24], text[1024];
	uint64_t v = 0;

	dbg_printf(d, "%u bytes %s at 0x%llx by %s: %s\n", s->access_size,
		   write ? "written" : "read", (unsigned long long)s->access_va,
		   dbg_place_text(s->access_pc, s->access_part, place, sizeof(place)),
		   operation_text(d, i, s->access_part, text, sizeof(text)));
	if (s->access_size <= 8 && !dbg_read_mem(d, s->access_va, &v, s->access_size))
		dbg_printf(d, "Value = 0x%llx\n", (unsigned long long)v);
}

static void tell_where(struct dbg *d)
{
	char place[24];
	const struct dbg_text *t;
	uint32_t line = 0;

	dbg_printf(d, "invocation %llu of job %u \"%s\", ", (unsigned long long)d->inv, d->job,
		   dbg_job_name(d));
	if (d->code && d->stop.pc == ~0u)
		dbg_printf(d, "at the end of %s", d->code->name);
	else if (d->code)
		dbg_printf(d, "%s in %s", dbg_place_text(d->stop.pc, d->stop.part, place,
							 sizeof(place)), d->code->name);
	else
		dbg_printf(d, "outside of a program");
	t = d->code ? dbg_text_at(d, d->code, dbg_code_at(d->code, d->stop.pc), &line) : NULL;
	if (line && t->path)
		dbg_printf(d, " at %s:%u", t->name, line);
	if (d->stop.active > 1)
		dbg_printf(d, " (%u invocations in lockstep)", d->stop.active);
	dbg_printf(d, "\n");
}

static void tell_change(struct dbg *d, const struct dbg_point *p, const struct dbg_value *old)
{
	char text[DBG_MAX_COMPONENTS * 72];

	dbg_printf(d, "\nWatchpoint %u: %s\n", p->num, p->what);
	dbg_printf(d, "Old value = %s\n", dbg_text(old, 0, text, sizeof(text)));
	dbg_printf(d, "New value = ");
	dbg_color_printf(d, COLOR_CHANGED, "%s", dbg_text(&p->value, 0, text, sizeof(text)));
	dbg_printf(d, "\n");
	tell_where(d);
}

static void tell_text(struct dbg *d, const struct dbg_point *p, const struct dbg_value *old)
{
	char text[256], special[1100];

	if (p && p->p.kind == DBG_WATCH_VALUE) {
		tell_change(d, p, old);
		return;
	}
	switch (d->stop.reason) {
	case DRM_VSHADER_DEBUG_REASON_BREAK:
		dbg_printf(d, "\n");
		dbg_color_printf(d, COLOR_BREAK, "%sreakpoint %u",
				 p && p->temporary ? "Temporary b" : "B", p ? p->num : 0);
		dbg_printf(d, ", ");
		break;
	case DRM_VSHADER_DEBUG_REASON_WATCH:
		dbg_printf(d, "\nWatchpoint %u: %s\n", p ? p->num : 0, p ? p->what : "?");
		tell_access(d);
		break;
	case DRM_VSHADER_DEBUG_REASON_SPECIAL:
		dbg_printf(d, "\nCatchpoint %u: %s\n", p ? p->num : 0,
			   dbg_special_text(d, special, sizeof(special)));
		break;
	case DRM_VSHADER_DEBUG_REASON_ENDED:
		dbg_printf(d, "\nThe invocation has ended. Now ");
		break;
	case DRM_VSHADER_DEBUG_REASON_INTERRUPT:
		dbg_printf(d, "\nInterrupted: ");
		break;
	case DRM_VSHADER_DEBUG_REASON_FAULT:
		dbg_printf(d, "\n");
		dbg_color_printf(d, COLOR_BAD, "Fault");
		dbg_printf(d, ": %s\n", vshader_fault_text(&d->stop.fault, text, sizeof(text)));
		break;
	case DRM_VSHADER_DEBUG_REASON_START:
		dbg_printf(d, "\nStart: ");
		break;
	default:
		return;
	}
	tell_where(d);
}

static void tell_event(struct dbg *d, const struct dbg_point *p)
{
	struct json_object *o = json_object_new_object();
	const struct dbg_insn *i = dbg_code_at(d->code, d->stop.pc);
	const struct dbg_text *t;
	uint32_t line = 0;
	char text[256];

	js_str(o, "event", "stop");
	js_str(o, "reason", p && p->p.kind == DBG_WATCH_VALUE ?
	       dbg_reason_name(DRM_VSHADER_DEBUG_REASON_WATCH) : dbg_reason_name(d->stop.reason));
	js_int(o, "job", d->job);
	js_str(o, "name", dbg_job_name(d));
	js_int(o, "invocation", d->inv);
	js_int(o, "active", d->stop.active);
	js_int(o, "pc", d->stop.pc);
	js_int(o, "part", d->stop.part);
	js_str(o, "program", d->code ? d->code->name : NULL);
	js_str(o, "insn", i ? i->text : NULL);
	t = d->code ? dbg_text_at(d, d->code, i, &line) : NULL;
	if (line && t->path) {
		js_str(o, "file", t->name);
		js_int(o, "line", line);
	}
	if (p)
		js_int(o, "breakpoint", p->num);
	if (d->stop.reason == DRM_VSHADER_DEBUG_REASON_WATCH ||
	    d->stop.reason == DRM_VSHADER_DEBUG_REASON_SPECIAL) {
		js_int(o, "access_pc", d->stop.access_pc);
		js_int(o, "access_part", d->stop.access_part);
	}
	if (d->stop.reason == DRM_VSHADER_DEBUG_REASON_WATCH) {
		js_int(o, "access_va", d->stop.access_va);
		js_int(o, "access_size", d->stop.access_size);
		js_bool(o, "write", d->stop.access_flags & DRM_VSHADER_DEBUG_POINT_WRITE);
	}
	if (d->stop.reason == DRM_VSHADER_DEBUG_REASON_FAULT)
		js_str(o, "fault", vshader_fault_text(&d->stop.fault, text, sizeof(text)));
	d->ops->event(d->ctx, o);
	json_object_put(o);
}

void dbg_tell_stop(struct dbg *d, const struct dbg_point *p, const struct dbg_value *old)
{
	tell_text(d, p, old);
	if (d->code || d->stop.reason != DRM_VSHADER_DEBUG_REASON_FAULT)
		dbg_tell_place(d);
	dbg_show_displays(d);
	if (d->ops->event)
		tell_event(d, p);
}

/* ---- ends ---- */

static void tell_checks(struct dbg *d, const struct jf_outcome *o)
{
	uint32_t i;

	for (i = 0; i < o->num_checks; i++) {
		if (o->checks[i].pass)
			continue;
		dbg_color_printf(d, COLOR_BAD, "  differs");
		dbg_printf(d, ": %s\n", o->checks[i].text);
	}
}

static void tell_all_ended(struct dbg *d)
{
	struct json_object *o;

	if (d->run && d->run->num_checks)
		dbg_printf(d, "[All jobs have ended: %u of %u checks passed]\n",
			   d->run->num_checks - d->run->num_failed, d->run->num_checks);
	else
		dbg_printf(d, "[All jobs have ended]\n");
	if (!d->ops->event)
		return;
	o = json_object_new_object();
	js_str(o, "event", "end");
	js_int(o, "checks", d->run ? d->run->num_checks : 0);
	js_int(o, "failed", d->run ? d->run->num_failed : 0);
	d->ops->event(d->ctx, o);
	json_object_put(o);
}

void dbg_tell_end(struct dbg *d, const struct jf_outcome *o)
{
	struct json_object *e;

	if (!o) {
		tell_all_ended(d);
		return;
	}
	dbg_printf(d, "[Job %u \"%s\" %s", d->job, dbg_job_name(d),
		   o->ran ? "has ended" : "was refused");
	if (o->message)
		dbg_printf(d, ": %s]\n", o->message);
	else
		dbg_printf(d, ": %llu invocations]\n", (unsigned long long)o->result.invocations);
	tell_checks(d, o);
	if (!d->ops->event)
		return;
	e = json_object_new_object();
	js_str(e, "event", "job-end");
	js_int(e, "job", d->job);
	js_str(e, "name", dbg_job_name(d));
	js_bool(e, "ran", o->ran);
	js_str(e, "fault", o->ran ? vshader_fault_name(o->result.fault.kind) : NULL);
	js_str(e, "message", o->message);
	js_int(e, "invocations", o->ran ? o->result.invocations : 0);
	js_int(e, "checks", o->num_checks);
	js_int(e, "failed", o->num_failed);
	d->ops->event(d->ctx, e);
	json_object_put(e);
}
