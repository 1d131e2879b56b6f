/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reference model of the VideoCore IV QPUs: an interpreter of machine words that is as
 * simple as it can be. Takes every word apart when it executes it, one element after the
 * other, one instruction of each QPU in turn. Written from Broadcom's architecture guide,
 * with the corrections that vc4asm, VC4C and py-videocore found on hardware. It shares
 * no code with the engine.
 *
 * Not modelled: textures, varyings, tile buffer.
 */
#ifndef SELFTESTS_REF_QPU_REF_H
#define SELFTESTS_REF_QPU_REF_H

#include <stdbool.h>
#include <stdint.h>

#define QPU_REF_QPUS	12
#define QPU_REF_FIFO	8

enum qpu_ref_status {
	QPU_REF_DONE,
	QPU_REF_READ,		/* load, uniform or DMA load outside memory */
	QPU_REF_WRITE,
	QPU_REF_FETCH,
	QPU_REF_ENCODING,
	QPU_REF_HANG,		/* waits for an event that cannot occur */
	QPU_REF_DEADLOCK,
	QPU_REF_BUDGET,
	QPU_REF_UNSUPPORTED,	/* not in this model */
};

enum qpu_ref_wait {
	QPU_REF_RUNS, QPU_REF_IDLE, QPU_REF_SEMA_INC, QPU_REF_SEMA_DEC, QPU_REF_MUTEX,
};

/* Memory: one window of bus addresses, whose two top bits do not count. */
struct qpu_ref_mem {
	uint32_t lo;
	uint32_t size;
	uint8_t *bytes;
};

struct qpu_ref_thread {
	uint32_t uniforms;
	uint32_t pc;
	uint32_t nuniforms;	/* for strict mode, which the model does not have; 0: unknown */
};

struct qpu_ref_tmu {
	uint32_t fifo[QPU_REF_FIFO][16];
	unsigned int n;
};

struct qpu_ref_vpm_read {
	uint32_t setup;
	uint8_t addr;
	unsigned int left;
};

/**
 * struct qpu_ref_qpu - one QPU
 * @ra: @rb: register files
 * @acc: r0 to r5
 * @flag: Z, N, C of each element
 * @last: last values of read ports A and B in elements 12 to 15
 * @pc: next instruction
 * @unif: next uniform
 * @jumps: taken branches with pending delay slots
 * @sfu: pending results for r4, for elements of @sfu_on
 * @sfu_slots: instructions until the results arrive, 0: none pending
 * @ending: delay slots left after a program end, 0: no program end
 */
struct qpu_ref_qpu {
	uint32_t ra[32][16];
	uint32_t rb[32][16];
	uint32_t acc[6][16];
	bool flag[3][16];
	uint32_t last[2][4];
	uint32_t pc;
	uint32_t unif;
	struct {
		uint32_t target;
		unsigned int slots;
	} jumps[4];
	unsigned int njumps;
	unsigned int ending;
	uint32_t sfu[16];
	bool sfu_on[16];
	unsigned int sfu_slots;
	enum qpu_ref_wait wait;
	unsigned int wait_info;
	unsigned int thread;
	uint64_t insns;
	struct qpu_ref_tmu tmu[2];
	struct qpu_ref_vpm_read rd[2];
	unsigned int nrd;
	uint32_t wr_setup;
	uint8_t wr_addr;
	uint32_t ld_setup, ld_pitch, st_setup, st_stride;
};

/**
 * struct qpu_ref - all QPUs and the job
 * @mem: memory
 * @code: instructions of a program object, low word first; NULL: they are in memory
 * @ncode: number of @code
 * @threads: threads in launch order; each runs on the lowest free QPU
 * @nthreads: number of @threads
 * @budget: instructions after which the job ends with BUDGET
 */
struct qpu_ref {
	struct qpu_ref_mem mem;
	const uint32_t *code;
	unsigned int ncode;
	const struct qpu_ref_thread *threads;
	unsigned int nthreads;
	uint64_t budget;

	/* results */
	enum qpu_ref_status status;
	unsigned int fault_qpu;
	uint32_t fault_pc;
	uint32_t fault_addr;
	uint64_t insns, stray_reads, host_ints;
	/* executions by operation: coverage of a generator */
	uint64_t add_ops[32], mul_ops[8], sigs[16];

	/* the machine */
	struct qpu_ref_qpu qpu[QPU_REF_QPUS];
	uint32_t vpm[64][16];
	unsigned int sema[16];
	int mutex;		/* holder, or -1 */
	unsigned int next_thread;
};

/* Run the job that the first fields describe. */
enum qpu_ref_status qpu_ref_run(struct qpu_ref *r);
const char *qpu_ref_status_name(enum qpu_ref_status status);

/* qpu_ref_mem.c. On failure the functions return false and set status and fault_addr. */

/* @size bytes at a bus address, or NULL. */
uint8_t *qpu_ref_ptr(struct qpu_ref *r, uint32_t addr, uint32_t size);
bool qpu_ref_fail(struct qpu_ref *r, enum qpu_ref_status status, uint32_t addr);
bool qpu_ref_uniform(struct qpu_ref *r, struct qpu_ref_qpu *q, uint32_t *v);
bool qpu_ref_vpm_read(struct qpu_ref *r, struct qpu_ref_qpu *q, uint32_t v[16]);
void qpu_ref_vpm_write(struct qpu_ref *r, struct qpu_ref_qpu *q, const uint32_t v[16],
		       const bool on[16]);
bool qpu_ref_setup(struct qpu_ref *r, struct qpu_ref_qpu *q, bool write, uint32_t word);
bool qpu_ref_dma(struct qpu_ref *r, struct qpu_ref_qpu *q, bool store, uint32_t addr);
bool qpu_ref_tmu_request(struct qpu_ref *r, struct qpu_ref_qpu *q, unsigned int unit,
			 const uint32_t addr[16], const bool on[16]);
bool qpu_ref_tmu_result(struct qpu_ref *r, struct qpu_ref_qpu *q, unsigned int unit,
			uint32_t v[16]);

#endif
