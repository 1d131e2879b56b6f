/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs command lists in process: parser, engine and a little guest memory.
 */
#ifndef SELFTESTS_NATIVE_RUN_H
#define SELFTESTS_NATIVE_RUN_H

#include "../../kernel/native/native.h"
#include "cmdbuf.h"

#define NAT_MEM_VA	0x18000000u
#define NAT_MEM_SIZE	0x400000u
#define NAT_OUT_VA	0x20000000u
#define NAT_OUT_SIZE	0x2000000u
#define NAT_LIST_VA	0x14000000u	/* not mapped: the list is handed over */
#define NAT_HOLE_VA	0x10000000u	/* nothing there */
#define NAT_MAX_DRAWS	300
#define NAT_VERTEX	24		/* words */

/* Result of a draw, layout of struct drm_vshader_pica_draw. */
struct nat_draw {
	uint32_t size;
	uint32_t flags;
	uint32_t topology;
	uint32_t vertices;
	uint32_t input_vertices;
	uint32_t list_offset;
	uint32_t pad[2];
	const uint32_t (*v)[NAT_VERTEX];
};

struct nat {
	/* set by nat_init(), to be changed as needed */
	uint32_t model;
	uint32_t switches;
	uint32_t simd;
	uint64_t output_size;
	uint64_t max_memory;
	uint32_t max_draws;
	uint64_t budget;
	unsigned int workers;
	bool debugged;		/* stopped before each instruction */
	bool parse_only;
	unsigned int fail_nth;	/* this allocation of the parser fails, 0: none */

	struct vs_native_state *state;
	uint8_t *mem;
	uint8_t *out;

	/* results of nat_run() */
	int ret;		/* of the parser */
	struct vs_fault fault;	/* of the parser or of the run */
	unsigned int stops;
	uint64_t memory;
	uint32_t strays;	/* writes to registers that do not exist */
	unsigned int allocations;
	unsigned int ndraws;
	struct nat_draw draw[NAT_MAX_DRAWS];
	bool closed;		/* the list of results ends as it must */
};

void nat_init(struct nat *n, uint32_t simd);
void nat_fini(struct nat *n);
/* True if the list was accepted, ran without a fault and left well-formed results. */
bool nat_run(struct nat *n, const struct cmdbuf *cb);
/* The same with words that may be anything. */
bool nat_run_words(struct nat *n, const uint32_t *words, uint32_t nwords);

uint32_t nat_bits(float f);
/* A vertex's semantic of a draw as a float. */
float nat_f(const struct nat *n, unsigned int draw, unsigned int vertex, unsigned int sem);

extern struct nat N;
extern struct cmdbuf CB;

/*
 * Run every test on every executor, by two workers and under a debugger, each with fresh
 * registers and memory.
 */
typedef void (*nat_test)(void);
void nat_all(const nat_test *tests, unsigned int n);
/* Name of the executor under test, for test names. */
const char *nat_simd(void);
/* Have the tests run before, with another executor, other workers, or undebugged? */
bool nat_again(void);

/* Vertex program copying v0.. to o0.., @n registers, and a matching configuration. */
void nat_passthrough(unsigned int n);
/* Output map: o0 position, o1 colour, o2 view in xyz, o3 texcoord 0 and 1. */
void nat_outmap(unsigned int n);
/* One vertex buffer at NAT_MEM_VA with @n attributes of 4 floats. */
void nat_float_arrays(unsigned int n);
void nat_put_floats(uint32_t offset, const float *f, unsigned int n);

#endif
