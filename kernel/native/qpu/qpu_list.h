/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Lists of QPU threads in the form that the firmware of the VideoCore IV accepts. */
#ifndef QPU_LIST_H
#define QPU_LIST_H

#include "../native_ops.h"

struct qpu_job;

/* Reject reasons, in the @code of COMMAND faults. */
enum qpu_list_reason {
	QPU_LIST_OK,
	QPU_LIST_MISALIGNED_CODE,
	QPU_LIST_MISALIGNED_UNIFORMS,
	QPU_LIST_NUM_REASONS
};

/* The machine of a parsed list. */
const struct qpu_job *qpu_list_machine(const struct vs_native *n);

#endif /* QPU_LIST_H */
