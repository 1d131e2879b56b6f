/* SPDX-License-Identifier: GPL-2.0 */
/* Internal interfaces of the generator. */
#ifndef SELFTESTS_QPU_GEN_INT_H
#define SELFTESTS_QPU_GEN_INT_H

#include "gen.h"

/* Registers that random instructions leave alone: from 25 on, of both files. */
#define FREE_REGS	25
#define A_ROWS		Q_A(25)		/* first own row */
#define A_JUMP		Q_A(26)		/* branch target */
#define A_LINK		Q_A(27)		/* of subroutines */
#define A_LOOP(depth)	Q_A(28 + (depth))	/* 28..30 */
#define A_OUT		Q_A(31)		/* next row of the dump */
#define B_64		Q_B(26)
#define B_STORE		Q_B(27)		/* DMA store of the first own row */
#define B_AREA		Q_B(28)		/* address of the thread's area */
#define B_WRITE		Q_B(31)		/* generic write to the first own row */

#define MAX_DEPTH	3
#define MAX_SUBS	4
#define MAX_PATCHES	64

/**
 * struct gen - generator state
 * @j: job under construction
 * @rng: state of the random numbers
 * @rows: rows of the vertex pipeline memory that a thread owns
 * @depth: enclosing loops
 * @nested: enclosing blocks
 * @sub: labels of subroutines to be written
 * @nsubs: number of @sub
 * @patch: words to be completed with the address of a label
 */
struct gen {
	struct gen_job *j;
	struct q_prog *p;
	uint64_t rng;
	unsigned int rows;
	unsigned int depth;
	unsigned int nested;
	unsigned int sub[MAX_SUBS];
	unsigned int nsubs;
	struct {
		unsigned int at;
		unsigned int label;
		uint32_t add;
	} patch[MAX_PATCHES];
	unsigned int npatches;
};

uint32_t gen_random(struct gen *g);
/* Below @n. */
unsigned int gen_below(struct gen *g, unsigned int n);
/* True in @percent of 100 cases. */
bool gen_chance(struct gen *g, unsigned int percent);
/* A random word, biased towards corner cases. */
uint32_t gen_value(struct gen *g);

/* gen_alu.c: an ALU instruction or a load of constants without side effects elsewhere. */
void gen_alu(struct gen *g);
/* A free register or accumulator as an operand or destination; either file. */
unsigned int gen_register(struct gen *g);

/* gen_mem.c */
void gen_tmu(struct gen *g);
void gen_vpm_write(struct gen *g);
void gen_vpm_read(struct gen *g);
void gen_dma_load(struct gen *g);
void gen_dma_store(struct gen *g);
void gen_sfu(struct gen *g);
void gen_barrier(struct gen *g);
void gen_exchange(struct gen *g);
void gen_mutex(struct gen *g);
void gen_fault(struct gen *g);

#endif
