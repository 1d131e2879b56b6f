/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Debugging of QPUs: register indices, hooks of the machine. */
#ifndef QPU_DEBUG_H
#define QPU_DEBUG_H

#include "../../engine/vs_debug.h"
#include "../../engine/vs_post.h"
#include "qpu_vm.h"

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
struct qpu_dec;

#define QPU_DBG_FLOATS	2	/* units that add or multiply */

/**
 * struct qpu_debug_floats - Floats of an instruction, by QPU: bits of elements.
 * @pc:		instruction
 * @qpus:	QPUs that execute it
 * @thread:	their threads
 * @n:		additions and multiplications
 * @uop:	micro-op of each
 * @given:	an operand is a NaN or an infinity
 * @old:	the destination already is one
 */
struct qpu_debug_floats {
	u32 pc;
	u32 qpus;
	u32 thread[QPU_NUM];
	u32 n;
	struct qpu_uop uop[QPU_DBG_FLOATS];
	u16 given[QPU_DBG_FLOATS][QPU_NUM];
	u16 old[QPU_DBG_FLOATS][QPU_NUM];
};

/* Before and after the instruction @d: report the NaNs and infinities that its units produce. */
void qpu_debug_before(const struct qpu_machine *m, const struct qpu_dec *d,
		      struct qpu_debug_floats *f);
void qpu_debug_after(const struct qpu_machine *m, const struct qpu_debug_floats *f);
void qpu_debug_begin(struct qpu_machine *m, struct vs_debug *dbg);
/* Record the state of the machine if the job ends with a fault. */
void qpu_debug_post(struct qpu_machine *m, struct vs_job *job);
/* Report a memory access of the current instruction; @need VS_EXT_*. */
void qpu_debug_access(struct vs_debug *dbg, u64 va, u32 size, u32 need);

#endif /* QPU_DEBUG_H */
