/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Engine slots of PICA200 registers.
 */
#ifndef VS_PICA_LOWER_H
#define VS_PICA_LOWER_H

#include "pica_walk.h"
#include "../../engine/vs_job.h"

#define PICA_SLOT_IN		0
#define PICA_SLOT_OUT		(PICA_SLOT_IN + 4 * PICA_NUM_REGS)
#define PICA_SLOT_TEMP		(PICA_SLOT_OUT + 4 * PICA_NUM_REGS)
#define PICA_SLOT_ADDR		(PICA_SLOT_TEMP + 4 * PICA_NUM_REGS)	/* a0.x, a0.y */
#define PICA_SLOT_AL		(PICA_SLOT_ADDR + 2)
/* A quad for each source and one for results, dead between instructions. */
#define PICA_SLOT_SCRATCH	(PICA_SLOT_AL + 1)
#define PICA_SLOTS_VERTEX	(PICA_SLOT_SCRATCH + 16)
/* The output bank that EMIT swaps with. */
#define PICA_SLOT_SHADOW	PICA_SLOTS_VERTEX
#define PICA_SLOTS_GEOMETRY	(PICA_SLOT_SHADOW + 4 * PICA_NUM_REGS)

#define PICA_PRED_X		0
#define PICA_PRED_Y		1

#endif /* VS_PICA_LOWER_H */
