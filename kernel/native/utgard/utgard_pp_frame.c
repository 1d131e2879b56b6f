// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Frames of the pixel processor: their words and their render state are read and checked, and
 * so are its textures and its program. That is all: lists of tiles are private to the
 * hardware, nothing makes them here, and so nothing can be drawn from them.
 */
#include "../../isa/utgard/utgard_pp_lower.h"
#include "utgard_frame_job.h"

#define MAX_CODE_WORDS	4096
#define WORD_WEIGHT	4

/* Program: what is readable from its start on, up to a limit. */
static enum simt_next check_program(struct simt_job *j, u32 va)
{
	struct simt_arena *a = &j->arena;
	u32 *words = simt_arena_alloc(a, MAX_CODE_WORDS, sizeof(*words)), n;
	struct upp_program program;
	struct vs_reject rej;
	int ret;

	if (!words)
		return simt_job_fault(j, VS_FAULT_OVERFLOW, va, 0);
	n = (u32)(vs_map_fetch(j->map, va, words, MAX_CODE_WORDS * sizeof(*words)) /
		  sizeof(*words));
	if (!n)
		return simt_job_fault(j, VS_FAULT_FETCH, va, sizeof(*words));
	j->charge += (u64)n * WORD_WEIGHT;
	ret = upp_lower(a, words, n, 0, 0, 0, &program, &rej);
	if (ret == -ENOEXEC) {
		simt_job_fault(j, VS_FAULT_ENCODING, va + 4ULL * rej.offset, rej.reason);
		j->fault.pc = rej.offset;
		j->fault.info = rej.value;
		return SIMT_NEXT_FAULT;
	}
	return ret == -ENOMEM ? simt_job_fault(j, VS_FAULT_OVERFLOW, va, 0) : SIMT_NEXT_WAIT;
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

static enum simt_next check_state(struct simt_job *j, u32 va)
{
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
	return check_program(j, state[UTF_STATE_SHADER] & ~31U);
}

static enum simt_next next(struct simt_job *j)
{
	struct utf_job *u = container_of(j, struct utf_job, j);
	u32 frame[UTF_PP_MAX_WORDS], n = utf_pp_words(u->gpu), word;
	enum utf_reason why;
	enum simt_next ret;

	j->charge += n * WORD_WEIGHT;
	if (u->va % sizeof(u32))
		return utf_reject(j, UTF_MISALIGNED, u->va, (u32)u->va);
	if (!utf_read(j, u->va, frame, n))
		return SIMT_NEXT_FAULT;
	why = utf_pp_check(u->gpu, frame, &word);
	if (why)
		return utf_reject(j, why, u->va + word * sizeof(u32), frame[word]);
	ret = check_state(j, frame[UTF_PP_RENDER_STATE]);
	if (ret != SIMT_NEXT_WAIT)
		return ret;
	return utf_reject(j, UTF_PP_UNSUPPORTED, u->va, 0);
}

static bool ended(struct simt_job *j, const struct vs_fault *fault)
{
	return !fault;
}

static const struct simt_job_ops ops = { .start = utf_job_start, .next = next, .ended = ended };

static int parse(const struct vs_native_in *in, struct vs_native_state *s,
		 struct vs_native **out, struct vs_fault *fault)
{
	return utf_job_new(in, sizeof(struct utf_job), &ops, out);
}

const struct vs_native_ops utgard_pp_frame_ops = UTF_OPS(VS_ISA_UTGARD_PP, parse);
