// SPDX-License-Identifier: MIT
/*
 * Expectations of job files for QPU jobs: reads outside of memory, the states of QPUs at a fault.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "jobfile_qpu.h"

#define QPU_WAIT	0x01
#define QPU_INFO	0x02
#define QPU_PC		0x04
#define QPU_THREAD	0x08
#define QPU_INSNS	0x10

static const struct jf_name waits[] = {
	{ "running", DRM_VSHADER_QPU_WAIT_NONE },
	{ "idle", DRM_VSHADER_QPU_WAIT_IDLE },
	{ "sema-release", DRM_VSHADER_QPU_WAIT_SEMA_INC },
	{ "sema-acquire", DRM_VSHADER_QPU_WAIT_SEMA_DEC },
	{ "mutex", DRM_VSHADER_QPU_WAIT_MUTEX },
	{ "scoreboard", DRM_VSHADER_QPU_WAIT_SCOREBOARD },
	{ }
};

static int check_stray_reads(struct runner *r, uint32_t n, struct jf_outcome *o,
			     const struct jf_expect *e)
{
	return run_check_field(r, o, true, "stray reads", o->result.stray_reads, e->number);
}

static int check_qpu(struct runner *r, uint32_t n, struct jf_outcome *o,
		     const struct jf_expect *e)
{
	bool mine = jf_isa_of(o->result.fault.engine) == &jf_qpu_isa;
	const struct qpu_states *s = mine ? o->states : NULL;
	const struct drm_vshader_qpu_state *q, *w = e->own;
	const char *got, *want;
	char name[32];
	int ret = 0;

	snprintf(name, sizeof(name), "QPU %llu", (unsigned long long)e->number);
	if (!s || e->number >= s->n)
		return run_add_check(r, o, false, "%s: the job left no state", name);
	q = &s->list[e->number];
	got = vshader_qpu_wait_name(q->wait);
	want = vshader_qpu_wait_name(w->wait);
	if (e->mask & QPU_WAIT)
		ret = run_add_check(r, o, q->wait == w->wait, "%s: %s, expected %s", name,
				    got ? got : "unknown", want ? want : "unknown");
	if (!ret)
		ret = run_check_field(r, o, e->mask & QPU_INFO, "QPU: info", q->info, w->info);
	if (!ret)
		ret = run_check_field(r, o, e->mask & QPU_PC, "QPU: pc", q->pc, w->pc);
	if (!ret)
		ret = run_check_field(r, o, e->mask & QPU_THREAD, "QPU: thread", q->thread,
				      w->thread);
	if (!ret)
		ret = run_check_field(r, o, e->mask & QPU_INSNS, "QPU: instructions",
				      q->insns, w->insns);
	return ret;
}

static int parse_stray_reads(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
			     struct jf_expect *e)
{
	static const char * const keys[] = { "stray_reads", "name", "comment", NULL };
	int ret = jf_keys(c, o, keys);

	e->check = check_stray_reads;
	return ret ? ret : jf_u64(c, o, "stray_reads", UINT32_MAX, &e->number);
}

static int parse_qpu(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
		     struct jf_expect *e)
{
	static const char * const keys[] = { "qpu", "wait", "info", "pc", "thread", "insns", "name",
					     "comment", NULL };
	struct drm_vshader_qpu_state *s = jf_alloc(&c->jf->blocks, sizeof(*s));
	uint64_t insns = 0;
	int ret = jf_keys(c, o, keys);

	if (!s)
		return -ENOMEM;
	e->check = check_qpu;
	e->own = s;
	if (!ret)
		ret = jf_u64(c, o, "qpu", QPU_MAX_STATES - 1, &e->number);
	if (!ret)
		ret = jf_enum(c, o, "wait", waits, &s->wait);
	if (!ret)
		ret = jf_u32(c, o, "info", UINT32_MAX, &s->info);
	if (!ret)
		ret = jf_u32(c, o, "pc", UINT32_MAX, &s->pc);
	if (!ret)
		ret = jf_u32(c, o, "thread", UINT32_MAX, &s->thread);
	if (!ret)
		ret = jf_u64(c, o, "insns", UINT64_MAX, &insns);
	s->insns = insns;
	e->mask = (jf_get(o, "wait") ? QPU_WAIT : 0) | (jf_get(o, "info") ? QPU_INFO : 0) |
		  (jf_get(o, "pc") ? QPU_PC : 0) | (jf_get(o, "thread") ? QPU_THREAD : 0) |
		  (jf_get(o, "insns") ? QPU_INSNS : 0);
	return ret;
}

const struct jf_expect_kind qpu_expects[] = {
	{ "stray_reads", parse_stray_reads },
	{ "qpu", parse_qpu },
	{ }
};

int qpu_read_states(struct runner *r, uint32_t n, struct jf_outcome *o, char *text, size_t size)
{
	struct qpu_states *s = jf_alloc(&r->run->blocks, sizeof(*s));
	int ret;

	if (!s)
		return -ENOMEM;
	ret = vshader_queue_get_qpus(r->dev, r->jobs[n].queue, s->list, QPU_MAX_STATES);
	if (ret < 0)
		return ret;
	s->n = ret < QPU_MAX_STATES ? (uint32_t)ret : QPU_MAX_STATES;
	o->states = s;
	vshader_qpus_text(s->list, s->n, text, size);
	return 0;
}
