/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Creation of machines for the QPU block of a shader job and for lists of threads.
 */
#ifndef QPU_LAUNCH_H
#define QPU_LAUNCH_H

#include "qpu_machine.h"

/**
 * qpu_launch_program - create a machine for threads of a program object
 * @prog: program
 * @l: map, threads, switches and tile; code and stage are set here
 * @model: numeric model
 * @max_memory: limit for the machine's memory, bytes
 * @what: with -EINVAL: name of the offending field
 * @out: the machine
 *
 * Return: 0, -EINVAL, -E2BIG, -ENOMEM.
 */
int qpu_launch_program(const struct vs_program *prog, struct qpu_launch *l, u32 model,
		       u64 max_memory, const char **what, struct qpu_job **out);

/**
 * qpu_launch_new - create a machine, within limits
 * @l: job
 * @max_memory: limit for the machine's memory, bytes
 * @what: with -EINVAL: name of the offending field
 * @out: the machine
 *
 * Return: 0, -EINVAL, -E2BIG, -ENOMEM.
 */
int qpu_launch_new(const struct qpu_launch *l, u64 max_memory, const char **what,
		   struct qpu_job **out);

#endif /* QPU_LAUNCH_H */
