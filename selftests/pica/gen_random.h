/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random PICA200 programs for differential runs. A seed gives the same program
 * in every run of one build; another compiler may draw in another order.
 */
#ifndef SELFTESTS_PICA_GEN_RANDOM_H
#define SELFTESTS_PICA_GEN_RANDOM_H

#include "pica_exec.h"

/* Words that are generated, and words that a program may have. */
#define GEN_MAX_CODE	512
#define GEN_MAX_WORDS	PICA_REF_MAX_CODE

/* First output register that only RSQ, EX2 and LG2 write; nothing reads it back. */
#define GEN_FIRST_APPROX_OUTPUT	12

#define GEN_GEOMETRY	0x1	/* EMIT and SETEMIT, no approximate operations */
#define GEN_CHAOTIC	0x2	/* branch targets anywhere instead of nested blocks */
#define GEN_UNDEFINED	0x4	/* one word has an undefined encoding */
#define GEN_WILD	0x8	/* values are mostly infinities, NaN, huge and tiny */
#define GEN_DEEP	0x10	/* scopes nested beyond the stacks, many ending together */
#define GEN_HIGH	0x20	/* at the end of code space, after words that are not code */
#define GEN_TAME	0x40	/* no special, large or small values: the fast path's assumption */

/**
 * struct gen_program - generated program
 * @seed: seed of the generator
 * @flags: GEN_* bits
 * @code: code words
 * @ncode: number of code words
 * @opdesc: PICA_REF_MAX_OPDESC operand descriptors
 * @uniforms: host-written values
 * @entry: first word
 * @output_mask: enabled outputs
 * @switches: PICA_REF_* switches
 */
struct gen_program {
	uint64_t seed;
	unsigned int flags;
	uint32_t code[GEN_MAX_WORDS];
	unsigned int ncode;
	uint32_t opdesc[PICA_REF_MAX_OPDESC];
	struct pica_ref_uniforms uniforms;
	unsigned int entry;
	uint16_t output_mask;
	unsigned int switches;
};

void gen_program(struct gen_program *g, uint64_t seed, unsigned int flags);

/* Input registers of invocation @index of the program. */
void gen_inputs(const struct gen_program *g, unsigned int index, uint32_t v[16][4]);

/* The job for @n invocations; @v is the caller's. */
void gen_job(const struct gen_program *g, enum pica_ref_model model, uint64_t step_limit,
	     struct pica_exec_job *job, pica_input_regs *v, unsigned int n);

#endif
