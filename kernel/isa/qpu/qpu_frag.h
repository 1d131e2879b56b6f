/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tile buffer accesses of fragment programs; the scoreboard is held.
 */
#ifndef QPU_FRAG_H
#define QPU_FRAG_H

#include "qpu_intern.h"

/* A thread starts. */
void qpu_tlb_reset(struct qpu_core *q);
/* Write address 43: a setup word. */
void qpu_tlb_stencil(struct qpu_core *q, u32 word);
/* Write address 44: depth values, tested and stored. */
enum qpu_ev qpu_tlb_z(struct qpu_shared *s, struct qpu_core *q, const u32 *v, u32 mask);
/* Write addresses 46, colours of all samples, and 45, of one after the other (@one). */
enum qpu_ev qpu_tlb_color(struct qpu_shared *s, struct qpu_core *q, const u32 *v, u32 mask,
			  bool one);
/* Colours of one sample after the other. */
enum qpu_ev qpu_tlb_load(struct qpu_shared *s, struct qpu_core *q, u32 *v);

#endif /* QPU_FRAG_H */
