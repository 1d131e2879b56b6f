/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Executors of the PICA200 tests: one interface to the reference interpreter and to each
 * build of the engine.
 */
#ifndef SELFTESTS_PICA_PICA_EXEC_H
#define SELFTESTS_PICA_PICA_EXEC_H

#include "../ref/pica_ref.h"

/* Optional capabilities of an executor. */
#define PICA_EXEC_REGISTERS	0x1 /* temporaries, a0, aL and flags are readable afterwards */
#define PICA_EXEC_INITIAL_CC	0x2 /* flags can be set before the run */

/* Allowed difference of RSQ, EX2 and LG2 from the reference, in units of the last place. */
#define PICA_EXEC_APPROX_ULP	1

/* Input registers v0 to v15 of one invocation. */
typedef uint32_t pica_input_regs[16][4];

/**
 * struct pica_exec_job - one program over some invocations
 * @prog: program, stage, model, switches, step limit
 * @uniforms: host-written values
 * @cc: flags before every invocation
 * @n: number of invocations; in a geometry job they follow each other on one unit
 * @v: input registers of every invocation as binary32 bits
 * @registers: return temporaries, a0, aL and flags, too
 * @serial: run a geometry job one invocation after the other, in two parts, even
 *	    if it has no need to
 */
struct pica_exec_job {
	struct pica_ref_program prog;
	struct pica_ref_uniforms uniforms;
	bool cc[2];
	unsigned int n;
	pica_input_regs *v;
	bool registers;
	bool serial;
};

/**
 * struct pica_exec_lane - state after one invocation
 * @status: end status
 * @pc: word at which it ended
 * @o: output registers as binary32 bits (vertex jobs)
 * @r: temporaries as binary32 bits
 * @a0: address register
 * @al: loop counter
 * @cc: flags
 * @steps: executed instructions, 0 where the executor does not count them
 * @flushes: flush events, 0 where the executor does not count them
 */
struct pica_exec_lane {
	enum pica_ref_status status;
	uint32_t pc;
	uint32_t o[16][4];
	uint32_t r[16][4];
	int32_t a0[2];
	int32_t al;
	bool cc[2];
	uint64_t steps;
	uint64_t flushes;
};

/**
 * struct pica_exec_event - output of a geometry job to primitive assembly
 * @invocation: invocation that raised it
 * @kind: vertex or invert
 * @nattr: packed outputs in @attr
 * @attr: packed outputs as binary32 bits
 */
struct pica_exec_event {
	unsigned int invocation;
	enum pica_ref_event_kind kind;
	unsigned int nattr;
	uint32_t attr[16][4];
};

/**
 * struct pica_executor - executor of PICA programs
 * @name: shown in test output
 * @caps: PICA_EXEC_* bits
 * @lanes: number of copies of an invocation in single-vector tests
 * @priv: for the executor
 * @vertex: run a vertex job; 0, or negative with a message in @error
 * @geometry: run a geometry job; the number of events, or negative; NULL if
 *	      the executor has no geometry unit
 * @refusal: after a negative result: PICA_REF_UNDEFINED or _BAD_STAGE if the
 *	     program was refused for that, else PICA_REF_DONE
 * @error: error of the last call, e.g. the verifier's message
 */
struct pica_executor {
	const char *name;
	unsigned int caps;
	unsigned int lanes;
	void *priv;
	int (*vertex)(struct pica_executor *ex, const struct pica_exec_job *job,
		      struct pica_exec_lane *lanes);
	long (*geometry)(struct pica_executor *ex, const struct pica_exec_job *job,
			 struct pica_exec_lane *lanes, struct pica_exec_event *events,
			 size_t max_events);
	enum pica_ref_status refusal;
	char error[160];
};

extern struct pica_executor pica_exec_ref;

/*
 * Every executor of this build, the reference first, NULL at the end. With
 * @only not NULL just those whose name starts with it.
 */
struct pica_executor **pica_executors(const char *only);

const char *pica_model_name(enum pica_ref_model model);

#endif
