/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tile buffer accesses of fragment programs; callers hold the scoreboard.
 */
#ifndef QPU_FRAG_H
#define QPU_FRAG_H

#include "qpu_intern.h"

/* Reset at the start of a thread. */
void qpu_tlb_reset(struct qpu_core *q);
/* Write address 43: stencil setup word. */
void qpu_tlb_stencil(struct qpu_core *q, u32 word);
/* Write address 44: depth values, tested and stored. */
enum qpu_ev qpu_tlb_z(struct qpu_shared *s, struct qpu_core *q, const u32 *v, u32 mask);
/* Write addresses 46 (colours of all samples) and 45 (@one: of the next sample). */
enum qpu_ev qpu_tlb_color(struct qpu_shared *s, struct qpu_core *q, const u32 *v, u32 mask,
			  bool one);
/* Load the colours of the next sample. */
enum qpu_ev qpu_tlb_load(struct qpu_shared *s, struct qpu_core *q, u32 *v);

#endif /* QPU_FRAG_H */
