// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Further workers that draw tiles of a FRAGMENT job, with all their state in their arenas. */
#include "mali_frame.h"

/**
 * struct mali_guest - A guest.
 * @e:		execution state
 * @chain:	for the descriptor parser: an empty chain
 * @t:		the frame
 * @worker:	number in @t
 * @frame:	its part of the frame
 */
struct mali_guest {
	struct mali_exec e;
	struct mali_chain chain;
	struct mali_tiles *t;
	u32 worker;
	struct mali_frame *frame;
};

static struct mali_guest *mali_frame_guest_to_guest(struct mali_exec *e)
{
	return container_of(e, struct mali_guest, e);
}

/* Begin to draw. Without room for a frame the guest leaves all tiles to the others. */
static enum simt_next mali_frame_guest_begin(struct mali_guest *g)
{
	struct mali_exec *e = &g->e;
	const struct mali_parser p = { .c = &g->chain, .arch = mali_arch_info(g->chain.arch),
				       .job = g->t->job, .why = &e->why };
	struct mali_frame *f;

	e->j.fault.draw = g->t->job;
	if (mali_frame_new(&p, &e->j, g->t, g->worker, &f))
		return SIMT_NEXT_DONE;
	g->frame = f;
	return SIMT_NEXT_WAIT;
}

static enum simt_next mali_frame_guest_next(struct mali_exec *e)
{
	struct mali_guest *g = mali_frame_guest_to_guest(e);
	int ret;

	if (!g->frame)
		return mali_frame_guest_begin(g);
	ret = mali_frame_step(g->frame);
	switch (ret) {
	case 0:
		return SIMT_NEXT_DONE;
	case VR_FRAME_SHADE:
		return mali_frame_launch(g->frame, e);
	case -EAGAIN:
		return SIMT_NEXT_WAIT;
	case -EFAULT:
		return SIMT_NEXT_FAULT;
	default:
		return mali_exec_reject(e);
	}
}

static bool mali_frame_guest_ended(struct mali_exec *e, const struct vs_fault *fault)
{
	if (!fault)
		mali_frame_shaded(mali_frame_guest_to_guest(e)->frame, e->run);
	return !fault;
}

#define GUEST_BYTES	((sizeof(struct mali_guest) + 63) & ~63UL)

bool mali_frame_reserve(struct mali_exec *e)
{
	return simt_arena_take(&e->j.arena, GUEST_BYTES, 1);
}

/* Take a place in the frame. Return: false: there is none, or the arena is too small. */
static bool mali_frame_guest_join(struct vs_worker *w, struct mali_tiles *t)
{
	struct mali_guest *g = vs_worker_take_arena(w, t->arena);

	if (!g)
		return false;
	*g = (struct mali_guest){ .t = t, .worker = vr_tiles_join(&t->tiles) };
	if (g->worker == VR_TILES_NONE)
		return false;
	mali_exec_guest(&g->e, t->memory, t->gpu, t->switches,
			(struct simt_arena){ .base = (u8 *)g, .size = t->arena,
					     .used = GUEST_BYTES });
	g->e.next = mali_frame_guest_next;
	g->e.ended = mali_frame_guest_ended;
	g->e.tiles = &t->tiles;
	g->e.worker = g->worker;
	g->chain.arch = mali_gpu_arch(t->gpu);
	g->chain.tlb.map = t->memory;
	g->chain.limits.arena = &g->e.j.arena;
	return true;
}

enum vs_run mali_frame_guest(struct vs_job *job, struct vs_worker *w, bool first, void *arg)
{
	struct mali_tiles *t = arg;
	struct mali_guest *g;
	enum vs_run run;

	if (first && !mali_frame_guest_join(w, t))
		return VS_RUN_IDLE;
	g = vs_worker_take_arena(w, t->arena);
	run = simt_job_slice(&g->e.j, job);
	if (run == VS_RUN_IDLE && g->e.j.fault.kind && g->frame)
		vr_tiles_fault(&t->tiles, g->worker, &g->e.j.fault);
	return run;
}
