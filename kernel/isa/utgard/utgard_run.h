/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Launches of Utgard processors on the SIMT machine.
 */
#ifndef UTGARD_RUN_H
#define UTGARD_RUN_H

#include "utgard_launch.h"

struct utgard_run;

/*
 * Unsupported or invalid launches: code of a COMMAND fault. Starts at UTGARD_REASON, so that
 * the reasons of frames fit below.
 */
#define UTGARD_REASON	0x100

enum utgard_reason {
	UTGARD_OK = UTGARD_REASON,
	UTGARD_BAD_SIZE,	/* too many vertices, rows, streams, temporaries */
	UTGARD_BAD_STREAM,	/* no such register, or unsupported format */
	UTGARD_BAD_FRAGMENT,	/* rectangle, primitive or target */
	UTGARD_UNSUPPORTED,	/* unsupported operation in the program */
	UTGARD_REASON_END
};

/* Text of a COMMAND fault's reason, including those of textures. */
const char *utgard_reason_text(u32 reason);

/**
 * utgard_run_new - create a machine for consecutive launches
 * @a: memory of the machine; launches use the rest of the arena, and utgard_run_end() releases
 *	that part
 * @map: address space
 *
 * Return: the machine, or NULL (arena).
 */
struct utgard_run *utgard_run_new(struct simt_arena *a, const struct vs_map *map);

/**
 * utgard_prepare_gp - begin to prepare a launch of the vertex processor
 * @r: machine
 * @w: launch; it and all it points to must live until utgard_run_end()
 * @fault: with -ENOEXEC: ENCODING (pc: instruction, code: reason of the instruction set), READ
 *	(uniforms) or COMMAND (code: enum utgard_reason)
 *
 * Return: -EAGAIN: continue with utgard_prepare_step(); else -ENOEXEC, -E2BIG (sizes), -ENOMEM
 * (arena).
 */
int utgard_prepare_gp(struct utgard_run *r, const struct ugp_work *w, struct vs_fault *fault);
/* utgard_prepare_gp() for the pixel processor; pc counts words. */
int utgard_prepare_pp(struct utgard_run *r, const struct upp_work *w, struct vs_fault *fault);
/* Return: 0: launched; else as utgard_prepare_gp(). */
int utgard_prepare_step(struct utgard_run *r, struct vs_fault *fault);

/* Machine of the current launch. */
struct simt_machine *utgard_run_machine(const struct utgard_run *r);
/* Release the launch's memory in the arena. */
void utgard_run_end(struct utgard_run *r);
/* Cost of preparations since the previous call. */
u32 utgard_run_cost(struct utgard_run *r);

#endif /* UTGARD_RUN_H */
