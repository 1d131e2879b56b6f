// SPDX-License-Identifier: GPL-2.0
/*
 * Steps of jobs in which all QPUs transfer the maximum data of one instruction. The weight of
 * a step is bounded; the times of steps are printed.
 */
#include <string.h>

#include "../include/qpu_asm.h"
#include "../include/sections.h"
#include "exec.h"

#define SLICE	SECTIONS_SLICE
/* Maximum weight that the stores of one instruction add to a slice. */
#define OVER	2100
#define BASE	0x00100000u
#define UNIF	(BASE + 0x10000)
#define DATA	(BASE + 0x20000)
#define NSTORES	40

static u8 mem[0x20000 + 0x1000000] __aligned(64);

static void store_loop(struct q_prog *p, u32 setup)
{
	u32 i;

	q_begin(p);
	q_mov(p, Q_A(1), Q_UNIF);
	q_ldi(p, Q_WR_SETUP, q_dma_stride(0));
	q_ldi(p, Q_WR_SETUP, setup);
	for (i = 0; i < NSTORES; i++) {
		q_mov(p, Q_ST_ADDR, Q_A(1));
		q_mov(p, Q_NOWHERE, Q_ST_WAIT);
	}
	q_end(p);
	q_finish(p);
}

static void run(const char *name, u32 setup, enum vs_simd simd)
{
	const struct vs_job_limits limits = { .budget = 1ULL << 40, .slice = SLICE,
					      .simd = simd };
	const struct vs_extent ext = { BASE, BASE + sizeof(mem), mem,
				       VS_EXT_WRITE | VS_EXT_EXEC };
	const struct vs_map map = { 1, &ext };
	struct sections s = { .name = name };
	struct qpu_thread threads[QPU_NUM] = {};
	struct qpu_launch l = { .map = &map, .threads = threads, .nthreads = QPU_NUM };
	static struct q_prog p;
	struct qpu_job *qj;
	struct vs_job *job;
	const struct vs_fault *fault;
	const char *what;
	u32 i;

	store_loop(&p, setup);
	memset(mem, 0, sizeof(mem));
	memcpy(mem, p.w, 8 * p.n);
	for (i = 0; i < QPU_NUM; i++) {
		((u32 *)(mem + UNIF - BASE))[i] = DATA + i * 0x100000 + 1;
		threads[i] = (struct qpu_thread){ .pc = BASE, .uniforms = UNIF + 4 * i };
	}
	if (qpu_job_new(&l, &what, &qj)) {
		tap_result(false, "%s: %s", name, what);
		return;
	}
	job = vs_job_new(&map, &limits, 1);
	qpu_job_add(qj, job);
	sections_run(&s, job);
	fault = vs_job_get_fault(job);
	if (fault->kind != VS_FAULT_NONE)
		tap_comment("fault %u address %llx pc %x code %u", fault->kind,
			    (unsigned long long)fault->address, fault->pc, fault->code);
	tap_result(fault->kind == VS_FAULT_NONE, "%s: as expected", name);
	tap_result(s.weight < SLICE + OVER, "%s: weight of a step", name);
	vs_job_free(job);
	qpu_job_free(qj);
}

int main(void)
{
	run("rows of 128 words", q_dma_store(0, 128, 128, 1, 0, 0), vs_simd_best());
	run("columns of 128 words", q_dma_store(0, 128, 128, 0, 0, 0), vs_simd_best());
	run("columns of 128 halves", q_dma_store(3, 128, 128, 0, 0, 0), vs_simd_best());
	run("columns of 128 bytes", q_dma_store(5, 128, 128, 0, 0, 0), vs_simd_best());
	run("rows of 128 words, no FPU", q_dma_store(0, 128, 128, 1, 0, 0), VS_SIMD_PORTABLE);
	return tap_done();
}
