// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Render states of the pixel processor in memory: their words, textures and program are read and
 * checked.
 */
#include "utgard_frame_job.h"

#define MAX_CODE_WORDS	4096
#define WORD_WEIGHT	4

/* Next step after the program check returned @ret. */
static enum simt_next checked(struct utf_check *c, struct simt_job *j,
			      const struct vs_reject *rej, int ret)
{
	if (ret == -EAGAIN)
		return SIMT_NEXT_WAIT;
	c->lowering = NULL;
	simt_arena_reset(&j->arena, c->mark);
	if (!ret) {
		c->done[c->ndone++ % UTF_CHECKED] = c->code;
		return SIMT_NEXT_DONE;
	}
	if (ret != -ENOEXEC)
		return simt_job_fault(j, VS_FAULT_OVERFLOW, c->code, 0);
	vs_fault_program(&j->fault, c->code + 4ULL * rej->offset, rej->offset, rej->reason,
			 rej->value);
	return SIMT_NEXT_FAULT;
}

/* Check the program: the readable words from its start on, up to a limit. */
static enum simt_next check_program(struct utf_check *c, struct simt_job *j, u32 va)
{
	struct vs_reject rej;
	u32 *words, n, i;
	int ret;

	for (i = 0; i < min_t(u32, c->ndone, UTF_CHECKED); i++) {
		if (c->done[i] != va)
			continue;
		simt_arena_reset(&j->arena, c->mark);
		return SIMT_NEXT_DONE;
	}
	words = simt_arena_alloc(&j->arena, MAX_CODE_WORDS, sizeof(*words));
	c->code = va;
	if (!words)
		return simt_job_fault(j, VS_FAULT_OVERFLOW, va, 0);
	n = (u32)(vs_map_fetch(j->map, va, words, MAX_CODE_WORDS * sizeof(*words)) /
		  sizeof(*words));
	if (!n)
		return simt_job_fault(j, VS_FAULT_FETCH, va, sizeof(*words));
	j->charge += n / WORD_WEIGHT;
	ret = upp_lower_new(&j->arena, words, n, 0, 0, 0, &c->program, &c->lowering, &rej);
	return checked(c, j, &rej, ret ? ret : -EAGAIN);
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

enum simt_next utf_check_begin(struct utf_check *c, struct simt_job *j, u64 va)
{
	u32 state[UTF_STATE_WORDS], word;
	enum utf_reason why;
	enum simt_next n;

	c->mark = j->arena.used;
	j->charge += UTF_STATE_WORDS * WORD_WEIGHT;
	if (!utf_read(j, va, state, UTF_STATE_WORDS))
		return SIMT_NEXT_FAULT;
	why = utf_state_check(state, &word);
	if (why)
		return utf_reject(j, why, va + word * sizeof(u32), state[word]);
	n = check_textures(j, state);
	if (n != SIMT_NEXT_WAIT)
		return n;
	if (!c->draws || utf_has_program(state))
		return check_program(c, j, state[UTF_STATE_SHADER] & ~31U);
	simt_arena_reset(&j->arena, c->mark);
	return SIMT_NEXT_DONE;
}

enum simt_next utf_check_step(struct utf_check *c, struct simt_job *j)
{
	u32 left = SIMT_PIECE;
	struct vs_reject rej;
	int ret;

	ret = simt_front_step(c->lowering, &left, &c->program.prog, &rej);
	j->charge += 1 + (SIMT_PIECE - left) / WORD_WEIGHT;
	return checked(c, j, &rej, ret);
}
