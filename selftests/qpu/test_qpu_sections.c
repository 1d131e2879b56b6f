// SPDX-License-Identifier: GPL-2.0
/*
 * Steps of jobs in which all QPUs transfer the maximum data of one instruction. The weight of
 * a step is bounded; the times of steps are printed.
 */
#include <string.h>

#include "../include/qpu_asm.h"
#include "../include/scene_dump.h"
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

static struct sections_way way;

static bool run(struct sections *s, const struct qpu_launch *l)
{
	const struct vs_fault *fault;
	const char *what = "";
	struct qpu_job *qj;
	struct vs_job *job;
	bool ok;

	if (qpu_job_new(l, &what, &qj)) {
		tap_comment("%s: %s", s->name, what);
		return false;
	}
	job = vs_job_new(l->map, sections_limits(&way), 1);
	qpu_job_add(qj, job);
	sections_run(s, job);
	fault = vs_job_get_fault(job);
	ok = fault->kind == VS_FAULT_NONE;
	if (!ok)
		tap_comment("fault %u address %llx pc %x code %u", fault->kind,
			    (unsigned long long)fault->address, fault->pc, fault->code);
	vs_job_free(job);
	qpu_job_free(qj);
	return ok;
}

static void check(const char *name, u32 setup)
{
	const struct vs_extent ext = { BASE, BASE + sizeof(mem), mem,
				       VS_EXT_WRITE | VS_EXT_EXEC };
	const struct vs_map map = { 1, &ext };
	struct sections s = { .name = name };
	struct qpu_thread threads[QPU_NUM] = {};
	struct qpu_launch l = { .map = &map, .threads = threads, .nthreads = QPU_NUM };
	u32 list[2 * QPU_NUM];
	const struct vs_native_in in = { .format = VS_NATIVE_QPU_LIST, .words = list,
					 .nwords = ARRAY_SIZE(list), .map = &map };
	static struct q_prog p;
	bool ok = true;
	u32 i;

	store_loop(&p, setup);
	memset(mem, 0, sizeof(mem));
	memcpy(mem, p.w, 8 * p.n);
	for (i = 0; i < QPU_NUM; i++) {
		((u32 *)(mem + UNIF - BASE))[i] = DATA + i * 0x100000 + 1;
		threads[i] = (struct qpu_thread){ .pc = BASE, .uniforms = UNIF + 4 * i };
		list[2 * i] = UNIF + 4 * i;
		list[2 * i + 1] = BASE;
	}
	if (sections_first(&way))
		scene_dump(name, &in);
	while (ok && sections_again(&s))
		ok = run(&s, &l);
	sections_show(&s, &way);
	tap_result(ok, "%s: %s: as expected", way.name, name);
	tap_result(s.weight < SLICE + OVER, "%s: %s: weight of a step", way.name, name);
}

int main(void)
{
	while (sections_next(&way)) {
		check("rows of 128 words", q_dma_store(0, 128, 128, 1, 0, 0));
		check("columns of 128 words", q_dma_store(0, 128, 128, 0, 0, 0));
		check("columns of 128 halves", q_dma_store(3, 128, 128, 0, 0, 0));
		check("columns of 128 bytes", q_dma_store(5, 128, 128, 0, 0, 0));
	}
	return tap_done();
}
