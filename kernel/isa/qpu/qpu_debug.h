/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Debugging of QPUs: register indices, hooks of the machine. */
#ifndef QPU_DEBUG_H
#define QPU_DEBUG_H

#include "../../engine/vs_debug.h"
#include "../../engine/vs_post.h"

/* Registers: ra, rb and accumulators have the indices of their slots. */
#define QPU_DBG_RA	0
#define QPU_DBG_RB	32
#define QPU_DBG_ACC	64
#define QPU_DBG_FLAGS	70	/* Z, N, C */
#define QPU_DBG_UNIF	73	/* address of the next uniform */
#define QPU_DBG_NUM	74	/* QPU number */
#define QPU_DBG_SEMA	75	/* 16 semaphores */
#define QPU_DBG_MUTEX	91	/* QPU that holds it, ~0: none */

struct qpu_machine;

void qpu_debug_begin(struct qpu_machine *m, struct vs_debug *dbg);
/* Record the state of the machine if the job ends with a fault. */
void qpu_debug_post(struct qpu_machine *m, struct vs_job *job);
/* Report a memory access of the current instruction; @need VS_EXT_*. */
void qpu_debug_access(struct vs_debug *dbg, u64 va, u32 size, u32 need);

#endif /* QPU_DEBUG_H */
