// SPDX-License-Identifier: MIT
/*
 * Running job files: compare results with expectations.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_isa.h"

int run_add_check(struct runner *r, struct jf_outcome *o, bool pass, const char *fmt, ...)
{
	struct jf_check *c = &o->checks[o->num_checks];
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	c->pass = pass;
	c->text = jf_strdup(&r->run->blocks, buf);
	if (!c->text)
		return run_error(r, -ENOMEM, "results");
	o->num_checks++;
	o->num_failed += !pass;
	return 0;
}

static int alloc_checks(struct runner *r, struct jf_outcome *o, uint32_t n)
{
	o->checks = jf_alloc(&r->run->blocks, n * sizeof(*o->checks));
	return o->checks ? 0 : run_error(r, -ENOMEM, "results");
}

/* A field of a record, if the job file names it. */
int run_check_field(struct runner *r, struct jf_outcome *o, bool named, const char *name,
		    uint64_t got, uint64_t want)
{
	if (!named)
		return 0;
	return run_add_check(r, o, got == want, "%s %#llx, expected %#llx", name,
			     (unsigned long long)got, (unsigned long long)want);
}

static const char *errno_text(int status, char *buf, size_t size)
{
	if (!status)
		snprintf(buf, size, "ok");
	else
		snprintf(buf, size, "%s", strerrorname_np(-status) ? strerrorname_np(-status) :
			 "unknown error");
	return buf;
}

/* ---- programs ---- */

int run_check_program(struct runner *r, const struct jf_program *p, struct jf_outcome *o,
		      const struct drm_vshader_reject *reject)
{
	int ret = alloc_checks(r, o, 8);

	if (ret)
		return ret;
	if (!p->expect_reject)
		return run_add_check(r, o, !o->submit, !o->submit ? "accepted" : "accepted: %s",
				     o->message ? o->message : "");
	ret = run_add_check(r, o, o->submit == -ENOEXEC, "rejected%s",
			    o->submit == -ENOEXEC ? "" :
			    o->submit ? ": another error than the verifier's" :
					": it was accepted");
	if (ret || o->submit != -ENOEXEC)
		return ret;
	ret = run_check_field(r, o, p->reject_mask & JF_REJECT_OFFSET, "reject offset",
			      reject->offset, p->reject.offset);
	if (!ret)
		ret = run_check_field(r, o, p->reject_mask & JF_REJECT_SECTION, "reject section",
				      reject->section, p->reject.section);
	if (!ret)
		ret = run_check_field(r, o, p->reject_mask & JF_REJECT_REASON, "reject reason",
				      reject->reason, p->reject.reason);
	if (!ret)
		ret = run_check_field(r, o, p->reject_mask & JF_REJECT_VALUE, "reject value",
				      reject->value, p->reject.value);
	if (!ret && p->reject_mask & JF_REJECT_FIELD)
		ret = run_add_check(r, o, reject->field_lo == p->reject.field_lo &&
				    reject->field_hi == p->reject.field_hi,
				    "reject field bits %u to %u, expected %u to %u",
				    reject->field_lo, reject->field_hi, p->reject.field_lo,
				    p->reject.field_hi);
	return ret;
}

/* ---- values ---- */

static void value_text(enum jf_type type, uint32_t bits, char *buf, size_t size)
{
	if (type == JF_F16 || type == JF_F24 || type == JF_F32)
		snprintf(buf, size, "%.9g (0x%0*x)", jf_decode(type, bits),
			 type == JF_F16 ? 4 : type == JF_F24 ? 6 : 8, bits);
	else
		snprintf(buf, size, "%u (0x%x)", bits, bits);
}

static void wanted_text(const struct jf_expect *e, uint32_t n, char *buf, size_t size)
{
	const struct jf_value *v = &e->values.v[n];
	size_t len;

	switch (v->kind) {
	case JF_NAN:
		snprintf(buf, size, "NaN");
		return;
	case JF_INF:
		snprintf(buf, size, "an infinity");
		return;
	case JF_BITS:
		snprintf(buf, size, "the bits 0x%x", v->bits);
		return;
	default:
		break;
	}
	value_text(e->values.type, v->bits, buf, size);
	len = strlen(buf);
	if (e->abs_tol)
		len += (size_t)snprintf(buf + len, size - len, " within %g", e->abs_tol);
	if (e->rel_tol && len < size)
		len += (size_t)snprintf(buf + len, size - len, " within %g relative", e->rel_tol);
	if (e->ulp_tol && len < size)
		snprintf(buf + len, size - len, " within %u ulp", e->ulp_tol);
}

/* Byte offset of value @n from the start of the range. */
static uint64_t value_offset(const struct jf_expect *e, uint32_t n)
{
	uint64_t bytes = jf_type_bytes(e->values.type);

	if (!e->stride || !e->group)
		return n * bytes;
	return (uint64_t)(n / e->group) * e->stride + n % e->group * bytes;
}

int run_check_values(struct runner *r, struct jf_outcome *o, const struct jf_expect *e,
		     const char *name, const uint8_t *p, uint64_t size)
{
	uint32_t i, bad = 0, first = 0, group = e->group ? e->group : 1;
	char got[64], want[160], where[64];

	for (i = 0; i < e->values.count; i++) {
		uint64_t at = value_offset(e, i);

		if (at + jf_type_bytes(e->values.type) > size)
			return run_add_check(r, o, false, "%s: value %u of %u was not written",
					     name, i, e->values.count);
		if (jf_match(&e->values, i, jf_load(e->values.type, p + at), e))
			continue;
		if (!bad++)
			first = i;
	}
	if (!bad)
		return run_add_check(r, o, true, "%s: %u value%s of type %s", name,
				     e->values.count, e->values.count == 1 ? "" : "s",
				     jf_type_names[e->values.type]);
	value_text(e->values.type, jf_load(e->values.type, p + value_offset(e, first)), got,
		   sizeof(got));
	wanted_text(e, first, want, sizeof(want));
	snprintf(where, sizeof(where), "element %u, component %u", first / group, first % group);
	return run_add_check(r, o, false, "%s: %u of %u values differ; %s: got %s, expected %s",
			     name, bad, e->values.count, where, got, want);
}

static int check_memory(struct runner *r, uint32_t n, struct jf_outcome *o,
			const struct jf_expect *e)
{
	uint64_t size = 0;
	const uint8_t *p;

	if (e->values.count)
		size = value_offset(e, e->values.count - 1) + jf_type_bytes(e->values.type);
	p = run_ptr(r, r->jobs[n].vm, &e->at, size);
	if (!p)
		return run_add_check(r, o, false, "%s: the range is not (all) mapped", e->name);
	return run_check_values(r, o, e, e->name, p, size);
}

/* Byte for byte; reports the first difference. */
static int check_image(struct runner *r, uint32_t n, struct jf_outcome *o,
		       const struct jf_expect *e)
{
	uint64_t bytes = 0, i;
	const uint8_t *p;
	uint32_t k;

	for (k = 0; k < e->num_runs; k++) {
		const struct vshader_image_run *run = &e->runs[k];
		struct jf_loc loc = { .region = JF_NONE, .offset = run->va };

		p = run_ptr(r, r->jobs[n].vm, &loc, run->size);
		if (!p)
			return run_add_check(r, o, false, "%s: %#llx is not (all) mapped", e->name,
					     (unsigned long long)run->va);
		for (i = 0; i < run->size && p[i] == run->data[i]; i++)
			;
		if (i < run->size)
			return run_add_check(r, o, false, "%s at %#llx: byte %#x, expected %#x",
					     e->name, (unsigned long long)(run->va + i), p[i],
					     run->data[i]);
		bytes += run->size;
	}
	return run_add_check(r, o, true, "%s: %llu bytes as expected", e->name,
			     (unsigned long long)bytes);
}

/* ---- end of the job ---- */

static int check_status(struct runner *r, struct jf_outcome *o, int expected)
{
	char got[32], want[32];

	errno_text(o->result.status, got, sizeof(got));
	errno_text(expected, want, sizeof(want));
	if (o->result.status == expected)
		return run_add_check(r, o, true, "status %s", got);
	/* One line of the message. */
	return run_add_check(r, o, false, "status %s, expected %s%s%.*s", got, want,
			     o->message ? ": " : "",
			     o->message ? (int)strcspn(o->message, "\n") : 0,
			     o->message ? o->message : "");
}

static int check_fault(struct runner *r, struct jf_outcome *o, const struct jf_expect *e,
		       const struct drm_vshader_fault *f)
{
	const struct drm_vshader_fault *w = &e->fault;
	const struct {
		uint32_t bit;
		const char *name;
		uint64_t got;
		uint64_t want;
	} fields[] = {
		{ JF_FAULT_ADDRESS, "fault address", f->address, w->address },
		{ JF_FAULT_PC, "fault pc", f->pc, w->pc },
		{ JF_FAULT_SIZE, "fault size", f->size, w->size },
		{ JF_FAULT_CODE, "fault code", f->code, w->code },
		{ JF_FAULT_INVOCATION, "fault invocation", f->invocation, w->invocation },
		{ JF_FAULT_DRAW, "fault draw", f->draw, w->draw },
		{ JF_FAULT_STREAM, "fault stream", f->stream, w->stream },
		{ JF_FAULT_INFO, "fault info", f->info, w->info },
	};
	const char *got = vshader_fault_name(f->kind);
	unsigned int i;
	int ret;

	ret = run_add_check(r, o, f->kind == w->kind, "fault %s, expected %s",
			    got ? got : "unknown", vshader_fault_name(w->kind));
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]) && !ret; i++)
		ret = run_check_field(r, o, e->mask & fields[i].bit, fields[i].name, fields[i].got,
				      fields[i].want);
	return ret;
}

/* ---- jobs ---- */

static int check_submit(struct runner *r, uint32_t n, struct jf_outcome *o,
			const struct jf_expect *e)
{
	char got[32], want[32];
	int ret;

	errno_text(o->submit, got, sizeof(got));
	errno_text(e->status, want, sizeof(want));
	ret = run_add_check(r, o, o->submit == e->status, "submission gives %s, expected %s", got,
			    want);
	if (!ret && e->fault.kind)
		ret = check_fault(r, o, e, &r->jobs[n].fault);
	return ret;
}

static int check_one(struct runner *r, uint32_t n, struct jf_outcome *o, const struct jf_expect *e)
{
	switch (e->type) {
	case JF_EXPECT_MEMORY:
		return check_memory(r, n, o, e);
	case JF_EXPECT_STATUS:
		return check_status(r, o, e->status);
	case JF_EXPECT_FAULT:
		return check_fault(r, o, e, &o->result.fault);
	case JF_EXPECT_IMAGE:
		return check_image(r, n, o, e);
	case JF_EXPECT_INVOCATIONS:
		return run_add_check(r, o, o->result.invocations == e->number,
				     "%llu invocations, expected %llu",
				     (unsigned long long)o->result.invocations,
				     (unsigned long long)e->number);
	case JF_EXPECT_SUBMIT:
		return check_submit(r, n, o, e);
	case JF_EXPECT_ISA:
		return e->check(r, n, o, e);
	}
	return 0;
}

/* Checks that an expectation may make. */
static uint32_t max_checks(const struct jf_expect *e)
{
	return 10 + e->max_checks;
}

int run_check_job(struct runner *r, uint32_t n, struct jf_outcome *o)
{
	const struct jf_job *jj = &r->jf->jobs[n];
	bool ending = false, submit = false;
	uint32_t i, room = 2;
	int ret;

	for (i = 0; i < jj->num_expects; i++) {
		enum jf_expect_type t = jj->expects[i].type;

		room += max_checks(&jj->expects[i]);
		ending |= t == JF_EXPECT_STATUS || t == JF_EXPECT_FAULT;
		submit |= t == JF_EXPECT_SUBMIT;
	}
	ret = alloc_checks(r, o, room);
	if (!ret && !o->ran && !submit)
		return run_add_check(r, o, false, "submission: %s",
				     o->message ? o->message : "failed");
	/* The default expectation is success. */
	if (!ret && o->ran && !ending)
		ret = check_status(r, o, 0);
	for (i = 0; i < jj->num_expects && !ret; i++) {
		if (o->ran || jj->expects[i].type == JF_EXPECT_SUBMIT)
			ret = check_one(r, n, o, &jj->expects[i]);
	}
	return ret;
}

/* ---- copies for printing ---- */

int run_keep(struct runner *r, uint32_t vm, const struct jf_loc *at, uint64_t size,
	     uint8_t **out, uint64_t *kept)
{
	const uint8_t *p;

	if (size > JF_MAX_PRINT)
		size = JF_MAX_PRINT;
	if (size > r->print_left)
		return 0;
	r->print_left -= size;
	p = run_ptr(r, vm, at, size);
	if (!p)
		return 0;
	*out = jf_alloc(&r->run->blocks, size ? size : 1);
	if (!*out)
		return run_error(r, -ENOMEM, "results");
	memcpy(*out, p, size);
	*kept = size;
	return 0;
}

static int keep_streams(struct runner *r, uint32_t n, struct jf_outcome *o)
{
	const struct jf_shader *sh = &r->jf->jobs[n].shader;
	uint64_t count = (uint64_t)sh->count * (sh->instances ? sh->instances : 1), size;
	uint32_t i;
	int ret = 0;

	o->num_streams = sh->num_outputs;
	o->streams = jf_alloc(&r->run->blocks, sh->num_outputs * sizeof(*o->streams));
	o->stream_bytes = jf_alloc(&r->run->blocks, sh->num_outputs * sizeof(*o->stream_bytes));
	if (!o->streams || !o->stream_bytes)
		return run_error(r, -ENOMEM, "results");
	for (i = 0; i < sh->num_outputs && count && !ret; i++) {
		const struct jf_stream *s = &sh->outputs[i];

		if (s->components > 4)
			continue;
		size = (count - 1) * s->stride + s->components * 4;
		ret = run_keep(r, r->jobs[n].vm, &s->at, size, &o->streams[i], &o->stream_bytes[i]);
	}
	return ret;
}

int run_keep_outputs(struct runner *r, uint32_t n, struct jf_outcome *o)
{
	const struct jf_job *jj = &r->jf->jobs[n];
	const struct jf_isa *isa = jf_isa_of_job(r->jf, jj);
	int ret = jj->type == DRM_VSHADER_JOB_SHADER ? keep_streams(r, n, o) : 0;

	return ret || !isa->keep ? ret : isa->keep(r, n, o);
}
