// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Frames of the pixel processor: their words, render state, textures and program are read and
 * checked. Nothing is drawn: tile lists are private to the hardware, and nothing creates them
 * here.
 */
#include "utgard_frame_job.h"

#define WORD_WEIGHT	4

/**
 * struct upf_job - A frame being checked.
 * @u:		part that both processors share
 * @check:	check of its render state
 */
struct upf_job {
	struct utf_job u;
	struct utf_check check;
};

static enum simt_next go_on(struct upf_job *f)
{
	enum simt_next n = utf_check_step(&f->check, &f->u.j);

	return n == SIMT_NEXT_DONE ? utf_reject(&f->u.j, UTF_PP_UNSUPPORTED, f->u.va, 0) : n;
}

static enum simt_next next(struct simt_job *j)
{
	struct upf_job *f = container_of(j, struct upf_job, u.j);
	struct utf_job *u = &f->u;
	u32 frame[UTF_PP_MAX_WORDS], n = utf_pp_words(u->gpu), word;
	enum utf_reason why;

	if (f->check.lowering)
		return go_on(f);
	j->charge += n * WORD_WEIGHT;
	if (u->va % sizeof(u32))
		return utf_reject(j, UTF_MISALIGNED, u->va, (u32)u->va);
	if (!utf_read(j, u->va, frame, n))
		return SIMT_NEXT_FAULT;
	why = utf_pp_check(u->gpu, frame, &word);
	if (why)
		return utf_reject(j, why, u->va + word * sizeof(u32), frame[word]);
	return utf_check_begin(&f->check, j, frame[UTF_PP_RENDER_STATE]);
}

static bool ended(struct simt_job *j, const struct vs_fault *fault)
{
	return !fault;
}

static const struct simt_job_ops ops = { .start = utf_job_start, .next = next, .ended = ended };

static int parse(const struct vs_native_in *in, struct vs_native_state *s,
		 struct vs_native **out, struct vs_fault *fault)
{
	return utf_job_new(in, sizeof(struct upf_job), &ops, out);
}

const struct vs_native_ops utgard_pp_frame_ops = UTF_OPS(VS_ISA_UTGARD_PP, parse);
