// SPDX-License-Identifier: GPL-2.0
/* The tests' executor interface on the reference interpreter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pica_exec.h"

static void copy_bits(uint32_t dst[16][4], float src[16][4])
{
	unsigned int i, j;

	for (i = 0; i < 16; i++)
		for (j = 0; j < 4; j++)
			dst[i][j] = pica_ref_to_bits(src[i][j]);
}

static void store_lane(struct pica_exec_lane *lane, struct pica_ref_unit *unit,
		       const struct pica_ref_result *res)
{
	memset(lane, 0, sizeof(*lane));
	lane->status = res->status;
	lane->pc = res->pc;
	lane->steps = res->steps;
	lane->flushes = res->flushes;
	copy_bits(lane->o, unit->o[unit->bank]);
	copy_bits(lane->r, unit->r);
	lane->a0[0] = unit->a0[0];
	lane->a0[1] = unit->a0[1];
	lane->al = unit->al;
	lane->cc[0] = unit->cc[0];
	lane->cc[1] = unit->cc[1];
}

static int ref_vertex(struct pica_executor *ex, const struct pica_exec_job *job,
		      struct pica_exec_lane *lanes)
{
	struct pica_ref_uniforms uniforms = job->uniforms;
	unsigned int i;

	(void)ex;
	for (i = 0; i < job->n; i++) {
		struct pica_ref_result res = { 0 };
		struct pica_ref_unit unit;

		pica_ref_reset(&unit);
		memcpy(unit.v, job->v[i], sizeof(unit.v));
		unit.cc[0] = job->cc[0];
		unit.cc[1] = job->cc[1];
		pica_ref_run(&job->prog, &uniforms, &unit, &res);
		store_lane(&lanes[i], &unit, &res);
	}
	return 0;
}

static void store_event(struct pica_exec_event *dst, struct pica_ref_event *src, unsigned int i)
{
	memset(dst, 0, sizeof(*dst));
	dst->invocation = i;
	dst->kind = src->kind;
	dst->nattr = src->nattr;
	copy_bits(dst->attr, src->attr);
}

static long ref_geometry(struct pica_executor *ex, const struct pica_exec_job *job,
			 struct pica_exec_lane *lanes, struct pica_exec_event *events,
			 size_t max_events)
{
	struct pica_ref_uniforms uniforms = job->uniforms;
	struct pica_ref_event *raised;
	struct pica_ref_unit unit;
	size_t n = 0, j;
	unsigned int i;

	raised = calloc(max_events + 1, sizeof(*raised));
	if (!raised) {
		snprintf(ex->error, sizeof(ex->error), "out of memory");
		return -1;
	}
	pica_ref_reset(&unit);
	unit.cc[0] = job->cc[0];
	unit.cc[1] = job->cc[1];
	for (i = 0; i < job->n; i++) {
		struct pica_ref_result res = { .events = raised, .max_events = max_events };

		memcpy(unit.v, job->v[i], sizeof(unit.v));
		pica_ref_run(&job->prog, &uniforms, &unit, &res);
		store_lane(&lanes[i], &unit, &res);
		for (j = 0; j < res.nevents; j++, n++) {
			if (n < max_events && j < max_events)
				store_event(&events[n], &raised[j], i);
		}
	}
	free(raised);
	return (long)n;
}

struct pica_executor pica_exec_ref = {
	.name = "reference",
	.caps = PICA_EXEC_REGISTERS | PICA_EXEC_INITIAL_CC,
	.lanes = 1,
	.vertex = ref_vertex,
	.geometry = ref_geometry,
};

const char *pica_model_name(enum pica_ref_model model)
{
	switch (model) {
	case PICA_REF_F32:
		return "f32";
	case PICA_REF_F24_TRUNC:
		return "f24-trunc";
	case PICA_REF_F24_NEAREST:
		return "f24-nearest";
	}
	return "?";
}
