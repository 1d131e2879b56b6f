/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An independent reference interpreter for the vertex and geometry units of
 * the PICA200. One invocation at a time, one word at a time, every field cut
 * out of the word at every step: simple enough to be checked by reading. It
 * shares no code with the engine it is compared with.
 */
#ifndef SELFTESTS_REF_PICA_REF_H
#define SELFTESTS_REF_PICA_REF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pica_ref_num.h"

#define PICA_REF_MAX_CODE	4096
#define PICA_REF_MAX_OPDESC	128
#define PICA_REF_NUM_CF		96

enum pica_ref_stage {
	PICA_REF_VERTEX,
	PICA_REF_GEOMETRY,
};

/**
 * enum pica_ref_status - end status of an invocation
 * @PICA_REF_DONE: END
 * @PICA_REF_STEP_LIMIT: step limit exceeded
 * @PICA_REF_UNDEFINED: an undefined opcode, CMP operation or SETEMIT slot
 * @PICA_REF_HANG: BREAK with no loop active; the console unit hangs
 * @PICA_REF_BAD_STAGE: EMIT or SETEMIT in a vertex unit
 * @PICA_REF_RAN_OFF: ran past the last code word
 * @PICA_REF_NUM_STATUS: number of statuses
 */
enum pica_ref_status {
	PICA_REF_DONE,
	PICA_REF_STEP_LIMIT,
	PICA_REF_UNDEFINED,
	PICA_REF_HANG,
	PICA_REF_BAD_STAGE,
	PICA_REF_RAN_OFF,
	PICA_REF_NUM_STATUS,
};

/* Behaviour on which public sources disagree, and the implementation of EX2 and LG2. */
#define PICA_REF_OOR_READS_ZERO		0x1 /* offset outside -128..127: read zeros, not offset 0 */
#define PICA_REF_NESTED_AL_RESTORE	0x2 /* leaving an inner loop brings the outer aL back */
#define PICA_REF_BREAK_STEPS_AL		0x4 /* BREAK adds the loop's step to aL */
#define PICA_REF_LIBM_FLOAT		0x8 /* EX2 and LG2 by exp2f() and log2f(), binary32 only */

/**
 * struct pica_ref_uniforms - values written by the host
 * @f: float uniforms as binary32 bits
 * @i: integer uniforms as x, y, z, w bytes
 * @b: boolean uniforms, bit n is bn
 */
struct pica_ref_uniforms {
	uint32_t f[PICA_REF_NUM_CF][4];
	uint8_t i[4][4];
	uint16_t b;
};

/**
 * struct pica_ref_program - program and execution parameters
 * @code: code words
 * @ncode: number of code words
 * @opdesc: operand descriptors; missing ones are zero
 * @nopdesc: number of descriptors
 * @entry: first word
 * @stage: vertex or geometry
 * @output_mask: enabled outputs; EMIT packs them in register order
 * @model: number model
 * @switches: PICA_REF_* switches
 * @step_limit: instructions per invocation
 */
struct pica_ref_program {
	const uint32_t *code;
	unsigned int ncode;
	const uint32_t *opdesc;
	unsigned int nopdesc;
	unsigned int entry;
	enum pica_ref_stage stage;
	uint16_t output_mask;
	enum pica_ref_model model;
	unsigned int switches;
	uint64_t step_limit;
};

/**
 * struct pica_ref_unit - registers of one unit
 * @v: inputs as binary32 bits, converted when read
 * @o: the two output banks; vertex units use bank 0
 * @bank: current bank
 * @r: temporaries
 * @a0: address register x and y
 * @al: loop counter, 0 to 255
 * @cc: flags x and y
 * @slot: emitted vertices waiting in slots 0 to 2
 * @emit_slot: slot latched by SETEMIT
 * @emit_primitive: primitive flag latched by SETEMIT
 * @emit_invert: winding flag latched by SETEMIT
 */
struct pica_ref_unit {
	uint32_t v[16][4];
	float o[2][16][4];
	unsigned int bank;
	float r[16][4];
	int32_t a0[2];
	int32_t al;
	bool cc[2];
	float slot[3][16][4];
	unsigned int emit_slot;
	bool emit_primitive;
	bool emit_invert;
};

enum pica_ref_event_kind {
	PICA_REF_EVENT_VERTEX,
	PICA_REF_EVENT_INVERT,
};

/**
 * struct pica_ref_event - output of a geometry unit to primitive assembly
 * @kind: a vertex, or "the next triangle is wound the other way"
 * @attr: the packed outputs of a vertex
 * @nattr: number of entries used in @attr
 */
struct pica_ref_event {
	enum pica_ref_event_kind kind;
	float attr[16][4];
	unsigned int nattr;
};

/**
 * struct pica_ref_result - result of one invocation
 * @status: end status
 * @pc: word being executed when it ended
 * @steps: executed instructions, END included
 * @flushes: see struct pica_ref_num
 * @events: storage for events, or NULL
 * @max_events: room in @events
 * @nevents: events raised; may exceed @max_events, the rest is dropped
 * @visits: if not NULL, execution counts of the code words
 * @path: if not NULL, the words executed, in order
 * @max_path: room in @path; the rest is dropped
 */
struct pica_ref_result {
	enum pica_ref_status status;
	unsigned int pc;
	uint64_t steps;
	uint64_t flushes;
	struct pica_ref_event *events;
	size_t max_events;
	size_t nevents;
	uint64_t *visits;
	uint16_t *path;
	uint64_t max_path;
};

/* All registers zero: start of every vertex invocation, power-on of a geometry unit. */
void pica_ref_reset(struct pica_ref_unit *unit);

/*
 * Run one invocation on the unit as it stands. A geometry unit sets b15 in
 * @uniforms when it ends.
 */
void pica_ref_run(const struct pica_ref_program *prog, struct pica_ref_uniforms *uniforms,
		  struct pica_ref_unit *unit, struct pica_ref_result *res);

/* Copy the enabled outputs, packed in register order. Return: number of outputs. */
unsigned int pica_ref_pack_outputs(const struct pica_ref_unit *unit, uint16_t mask,
				   float packed[16][4]);

const char *pica_ref_status_name(enum pica_ref_status status);

#endif
