/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One job on the reference model or on a build of the engine.
 *
 * Environment variables configure the tests: QPU_DATA and QPU_CORPUS are folders,
 * QPU_SEED and QPU_COUNT numbers, QPU_EFFORT is "quick" or "long", QPU_EXEC a prefix of
 * executor names.
 */
#ifndef SELFTESTS_QPU_EXEC_H
#define SELFTESTS_QPU_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "../../kernel/isa/qpu/qpu_machine.h"
#include "../ref/qpu_ref.h"

/**
 * struct qx_job - job
 * @lo: bus address of the memory window
 * @size: its bytes, a multiple of 4
 * @mem: its contents, changed by the job
 * @threads: threads of the job
 * @nthreads: number of @threads
 * @code: words of a program object, or NULL: code is in memory
 * @ncode: number of instructions in @code
 * @budget: instructions, 0: unlimited in practice
 * @switches: QPU_SW_*
 * @slice: engine: weight of a step, 0: default
 */
struct qx_job {
	uint32_t lo;
	uint32_t size;
	uint8_t *mem;
	const struct qpu_ref_thread *threads;
	unsigned int nthreads;
	const uint32_t *code;
	unsigned int ncode;
	uint64_t budget;
	uint32_t switches;
	uint32_t slice;
};

/**
 * struct qx_result - result of a job
 * @status: status of the reference, or the engine's fault converted to it; ~0: refused
 * @kind: engine: enum vs_fault_kind
 * @address: address of the fault
 * @pc: engine: PC of the fault
 * @size: engine: bytes accessed by a memory fault
 * @code: engine: rule violated by a hazard, or cause of a hang
 * @counters: totals
 * @state: state of the QPUs
 * @refused: engine: invalid field if the machine could not be created
 */
struct qx_result {
	unsigned int status;
	unsigned int kind;
	uint64_t address;
	uint32_t pc;
	uint32_t size;
	uint32_t code;
	struct qpu_counters counters;
	struct qpu_state state[QPU_NUM];
	const char *refused;
};

#define QX_REF	0	/* the reference model is executor 0 */

/* Number of executors on this machine that match QPU_EXEC. */
unsigned int qx_count(void);
const char *qx_name(unsigned int ex);
/* Is it the portable build, which is slow? */
bool qx_is_portable(unsigned int ex);

void qx_run(unsigned int ex, const struct qx_job *job, struct qx_result *res);
const char *qx_status_name(unsigned int status);

/* Environment. */
const char *qx_corpus(void);	/* NULL: there is none */
const char *qx_data(void);
uint64_t qx_seed(uint64_t otherwise);
unsigned long qx_effort(unsigned long quick, unsigned long usual, unsigned long longer);

#endif
