/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * From a launch of an Utgard processor to the SIMT machine.
 */
#ifndef UTGARD_RUN_H
#define UTGARD_RUN_H

#include "utgard_launch.h"

struct utgard_run;

/*
 * What a launch asks for that is not executed, and what is wrong with it: size of a COMMAND
 * fault. Counted from UTGARD_REASON, so that the reasons of frames fit below.
 */
#define UTGARD_REASON	0x100

enum utgard_reason {
	UTGARD_OK = UTGARD_REASON,
	UTGARD_BAD_SIZE,	/* too many vertices, rows, streams, temporaries */
	UTGARD_BAD_STREAM,	/* no such register, format that is not read or written */
	UTGARD_BAD_FRAGMENT,	/* rectangle, primitive or target */
	UTGARD_UNSUPPORTED,	/* unsupported operation in the program */
	UTGARD_REASON_END
};

/* Text of a COMMAND fault's reason, those of textures among them. */
const char *utgard_reason_text(u32 reason);

/**
 * utgard_run_new - a machine for launches one after the other
 * @a: where it and everything that launches need comes from; what is left of it is used by
 *	launches and given back by utgard_run_end()
 * @map: address space
 *
 * Return: the machine, or NULL (arena).
 */
struct utgard_run *utgard_run_new(struct simt_arena *a, const struct vs_map *map);

/**
 * utgard_prepare_gp - begin to prepare a launch of the vertex processor
 * @r: machine
 * @w: launch; with what it points to it must live until utgard_run_end()
 * @fault: with -ENOEXEC: ENCODING (pc: instruction, size: reason of the instruction set), READ
 *	(uniforms) or COMMAND (size: enum utgard_reason)
 *
 * Return: -EAGAIN: go on with utgard_prepare_step(); else -ENOEXEC, -E2BIG (sizes), -ENOMEM
 * (arena).
 */
int utgard_prepare_gp(struct utgard_run *r, const struct ugp_work *w, struct vs_fault *fault);
/* The same of the pixel processor; pc counts words. */
int utgard_prepare_pp(struct utgard_run *r, const struct upp_work *w, struct vs_fault *fault);
/* Return: 0: launched; else as utgard_prepare_gp(). */
int utgard_prepare_step(struct utgard_run *r, struct vs_fault *fault);

/* The machine that a launch has been begun with. */
struct simt_machine *utgard_run_machine(const struct utgard_run *r);
/* Give back what the launch took from the arena. */
void utgard_run_end(struct utgard_run *r);
/* Weight of beginning launches since it was asked for last. */
u32 utgard_run_cost(struct utgard_run *r);

#endif /* UTGARD_RUN_H */
