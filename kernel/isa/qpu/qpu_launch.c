// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Creation of machines for the QPU block of a shader job and for lists of threads.
 */
#include "qpu_launch.h"

#define INSN_BYTES	8

/* Record the name of the offending field for the caller's message. */
static int qpu_launch_bad(const char **what, const char *field)
{
	*what = field;
	return -EINVAL;
}

static int check_fragment(const struct qpu_thread *t, const char **what)
{
	if (t->payload)
		return qpu_launch_bad(what, "threads.payload");
	if (t->x)
		return qpu_launch_bad(what, "threads.x");
	if (t->y)
		return qpu_launch_bad(what, "threads.y");
	if (t->coverage)
		return qpu_launch_bad(what, "threads.coverage");
	return t->flags ? qpu_launch_bad(what, "threads.flags") : 0;
}

/* Fields of the fragment stage must be zero in other stages. */
static int qpu_launch_check_tile(const struct qpu_tile *t, const char **what)
{
	if (t->color_va)
		return qpu_launch_bad(what, "color_va");
	if (t->zs_va)
		return qpu_launch_bad(what, "zs_va");
	if (t->color_stride)
		return qpu_launch_bad(what, "color_stride");
	if (t->zs_stride)
		return qpu_launch_bad(what, "zs_stride");
	if (t->width)
		return qpu_launch_bad(what, "width");
	if (t->height)
		return qpu_launch_bad(what, "height");
	if (t->samples)
		return qpu_launch_bad(what, "samples");
	return t->depth ? qpu_launch_bad(what, "depth") : 0;
}

static int qpu_launch_check_threads(const struct vs_program *prog, const struct qpu_launch *l,
				    const char **what)
{
	u32 i, last = ~0U;
	int ret = 0;

	for (i = 0; i < l->nthreads && !ret; i++) {
		const struct qpu_thread *t = &l->threads[i];

		/* most jobs start all threads at the same address */
		if (t->pc != last && (t->pc % INSN_BYTES ||
				      !vs_program_has_entry(prog, t->pc / INSN_BYTES)))
			return qpu_launch_bad(what, "threads.pc");
		last = t->pc;
		if (!l->fragment)
			ret = check_fragment(t, what);
	}
	return ret;
}

int qpu_launch_new(const struct qpu_launch *l, u64 max_memory, const char **what,
		   struct qpu_job **out)
{
	*what = "";
	if (l->nthreads > QPU_MAX_THREADS)
		return -E2BIG;
	if (l->switches & ~QPU_SW_ALL)
		return qpu_launch_bad(what, "switches");
	if (qpu_job_memory(l->nthreads) > max_memory)
		return -E2BIG;
	return qpu_job_new(l, what, out);
}

int qpu_launch_program(const struct vs_program *prog, struct qpu_launch *l, u32 model,
		       u64 max_memory, const char **what, struct qpu_job **out)
{
	int ret;

	*what = "";
	if (l->nthreads > QPU_MAX_THREADS)
		return -E2BIG;
	if (prog->isa != &qpu_isa)
		return qpu_launch_bad(what, "program");
	if (model)
		return qpu_launch_bad(what, "model");
	l->code = prog->src.words[VS_SECTION_CODE];
	l->ncode = prog->src.nwords[VS_SECTION_CODE] / 2;
	l->fragment = prog->src.stage == VS_STAGE_FRAGMENT;
	ret = qpu_launch_check_threads(prog, l, what);
	if (!ret && !l->fragment)
		ret = qpu_launch_check_tile(&l->tile, what);
	return ret ? ret : qpu_launch_new(l, max_memory, what, out);
}
