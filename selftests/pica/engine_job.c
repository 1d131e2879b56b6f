// SPDX-License-Identifier: GPL-2.0
/* Jobs of the tests as launch records of the engine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_run.h"

void engine_job_fini(struct engine_job *e)
{
	engine_mem_free(&e->mem);
	vs_program_destroy(e->prog);
	free(e->unif);
	memset(e, 0, sizeof(*e));
}

static void add_registers(struct vs_stream *s, u32 *n, u64 va)
{
	u32 i;

	for (i = 0; i < 16; i++)
		s[i] = (struct vs_stream){ .va = va + i * ENGINE_REG_BYTES,
					   .stride = ENGINE_FILE_BYTES, .format = VS_FMT_F32,
					   .reg = (u8)i, .ncomp = 4 };
	*n = 16;
}

static void add_geometry(struct engine_job *e, const struct pica_exec_job *job,
			 struct pica_launch *pl)
{
	size_t vertex = (size_t)__builtin_popcount(job->prog.output_mask) * ENGINE_REG_BYTES;

	pl->output_mask = job->prog.output_mask;
	pl->max_prims = ENGINE_MAX_PRIMS;
	e->prims = engine_alloc(&e->mem, (size_t)job->n * ENGINE_MAX_PRIMS * 3 * vertex,
				&pl->prims_va);
	e->info = engine_alloc(&e->mem, (size_t)job->n * 4 * (1 + ENGINE_MAX_PRIMS),
			       &pl->prim_info_va);
}

int engine_job_init(struct engine_job *e, const struct pica_exec_job *job, enum vs_simd simd,
		    enum pica_ref_status *refusal, char *error, size_t size)
{
	const char *what = "";
	struct pica_launch pl;
	u64 va;

	memset(e, 0, sizeof(*e));
	if (engine_program(&job->prog, &e->prog, refusal, error, size))
		return -1;
	e->how.simd = simd;
	e->how.budget = engine_budget(job->prog.step_limit, job->n);
	e->l.count = job->n;
	e->l.instances = 1;
	engine_block(&job->prog, &job->uniforms, &pl);
	memcpy(engine_alloc(&e->mem, (size_t)job->n * ENGINE_FILE_BYTES, &va), job->v,
	       (size_t)job->n * ENGINE_FILE_BYTES);
	add_registers(e->l.attr, &e->l.nattr, va);
	if (job->prog.stage == PICA_REF_GEOMETRY) {
		add_geometry(e, job, &pl);
	} else {
		e->out = engine_alloc(&e->mem, (size_t)job->n * ENGINE_FILE_BYTES, &va);
		add_registers(e->l.out, &e->l.nout, va);
	}
	e->unif = calloc(e->prog->prog->nunif, sizeof(*e->unif));
	if (!e->unif)
		abort();
	if (pica_launch_fill(e->prog, &pl, &e->l, job->prog.entry, e->unif, &what)) {
		snprintf(error, size, "pica_launch_fill: %s", what);
		engine_job_fini(e);
		return -1;
	}
	return 0;
}
