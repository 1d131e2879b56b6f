// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Frames of the pixel processor: their words, render state, textures and program are read and
 * checked. Nothing is drawn: tile lists are private to the hardware, and nothing creates them
 * here.
 */
#include "../../isa/utgard/utgard_pp_lower.h"
#include "utgard_frame_job.h"

#define MAX_CODE_WORDS	4096
#define WORD_WEIGHT	4

/**
 * struct upf_job - A frame being checked.
 * @u:		part that both processors share
 * @lowering:	its program, checked by lowering it
 * @program:	result of the lowering, unused
 * @code:	address of the program
 */
struct upf_job {
	struct utf_job u;
	struct upl *lowering;
	struct upp_program program;
	u32 code;
};

/* Next step after the program check returned @ret. */
static enum simt_next checked(struct upf_job *f, const struct vs_reject *rej, int ret)
{
	struct simt_job *j = &f->u.j;

	if (ret == -ENOEXEC) {
		vs_fault_program(&j->fault, f->code + 4ULL * rej->offset, rej->offset,
				 rej->reason, rej->value);
		return SIMT_NEXT_FAULT;
	}
	if (ret == -ENOMEM)
		return simt_job_fault(j, VS_FAULT_OVERFLOW, f->code, 0);
	return ret == -EAGAIN ? SIMT_NEXT_WAIT :
	       utf_reject(j, UTF_PP_UNSUPPORTED, f->u.va, 0);
}

/* Check the program: the readable words from its start on, up to a limit. */
static enum simt_next check_program(struct upf_job *f, u32 va)
{
	struct simt_job *j = &f->u.j;
	u32 *words = simt_arena_alloc(&j->arena, MAX_CODE_WORDS, sizeof(*words)), n;
	struct vs_reject rej;
	int ret;

	f->code = va;
	if (!words)
		return simt_job_fault(j, VS_FAULT_OVERFLOW, va, 0);
	n = (u32)(vs_map_fetch(j->map, va, words, MAX_CODE_WORDS * sizeof(*words)) /
		  sizeof(*words));
	if (!n)
		return simt_job_fault(j, VS_FAULT_FETCH, va, sizeof(*words));
	j->charge += n / WORD_WEIGHT;
	ret = upp_lower_new(&j->arena, words, n, 0, 0, 0, &f->program, &f->lowering, &rej);
	return checked(f, &rej, ret ? ret : -EAGAIN);
}

static enum simt_next lower_program(struct upf_job *f)
{
	u32 left = SIMT_PIECE;
	struct vs_reject rej;
	int ret;

	ret = upp_lower_step(f->lowering, &left, &rej);
	f->u.j.charge += 1 + (SIMT_PIECE - left) / WORD_WEIGHT;
	return checked(f, &rej, ret);
}

static enum simt_next check_textures(struct simt_job *j, const u32 *state)
{
	u32 n = state[UTF_STATE_AUX0] >> 14 & 0x3fff;
	struct utgard_tex *t;
	int ret;

	/* there are some */
	if (!(state[UTF_STATE_AUX0] & 0x20))
		return SIMT_NEXT_WAIT;
	if (n > UPP_MAX_TEXTURES)
		return utf_reject(j, UTF_BAD_COUNT, state[UTF_STATE_TEXTURES], n);
	j->charge += (u64)n * WORD_WEIGHT * 16;
	ret = utgard_tex_load(j->map, state[UTF_STATE_TEXTURES], n, &j->arena, &t, &j->fault);
	if (ret == -ENOEXEC)
		return SIMT_NEXT_FAULT;
	return ret ? simt_job_fault(j, VS_FAULT_OVERFLOW, state[UTF_STATE_TEXTURES], 0) :
		     SIMT_NEXT_WAIT;
}

static enum simt_next check_state(struct upf_job *f, u32 va)
{
	struct simt_job *j = &f->u.j;
	u32 state[UTF_STATE_WORDS], word;
	enum utf_reason why;
	enum simt_next n;

	if (!utf_read(j, va, state, UTF_STATE_WORDS))
		return SIMT_NEXT_FAULT;
	why = utf_state_check(state, &word);
	if (why)
		return utf_reject(j, why, va + word * sizeof(u32), state[word]);
	n = check_textures(j, state);
	if (n != SIMT_NEXT_WAIT)
		return n;
	return check_program(f, state[UTF_STATE_SHADER] & ~31U);
}

static enum simt_next next(struct simt_job *j)
{
	struct upf_job *f = container_of(j, struct upf_job, u.j);
	struct utf_job *u = &f->u;
	u32 frame[UTF_PP_MAX_WORDS], n = utf_pp_words(u->gpu), word;
	enum utf_reason why;

	if (f->lowering)
		return lower_program(f);
	j->charge += n * WORD_WEIGHT;
	if (u->va % sizeof(u32))
		return utf_reject(j, UTF_MISALIGNED, u->va, (u32)u->va);
	if (!utf_read(j, u->va, frame, n))
		return SIMT_NEXT_FAULT;
	why = utf_pp_check(u->gpu, frame, &word);
	if (why)
		return utf_reject(j, why, u->va + word * sizeof(u32), frame[word]);
	return check_state(f, frame[UTF_PP_RENDER_STATE]);
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
