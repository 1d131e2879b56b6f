// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "kern.h"

void kern_begin(struct kern *k)
{
	q_begin(&k->p);
	memset(k->mem, 0, sizeof(k->mem));
	k->size = 0;
	k->nthreads = 0;
}

uint32_t kern_alloc(struct kern *k, unsigned int words)
{
	uint32_t addr = KERN_BASE + k->size;

	k->size += (words + 15) / 16 * 64;
	if (k->size > KERN_MAX_SIZE)
		q_bad("memory of a kernel is full");
	return addr;
}

uint32_t *kern_words(struct kern *k, uint32_t addr)
{
	return (uint32_t *)(void *)(k->mem + (addr - KERN_BASE));
}

float *kern_floats(struct kern *k, uint32_t addr)
{
	return (float *)(void *)(k->mem + (addr - KERN_BASE));
}

void kern_code(struct kern *k)
{
	q_finish(&k->p);
	k->code_words = 2 * k->p.n;
	memcpy(kern_words(k, kern_alloc(k, k->code_words)), k->p.w, 8 * k->p.n);
}

void kern_thread(struct kern *k, unsigned int entry, const uint32_t *uniforms, unsigned int n)
{
	struct qpu_ref_thread *t = &k->threads[k->nthreads++];

	t->pc = KERN_BASE + 8 * entry;
	t->uniforms = kern_alloc(k, n);
	t->nuniforms = n;
	memcpy(kern_words(k, t->uniforms), uniforms, 4 * n);
}

void kern_run(struct kern *k, unsigned int ex, uint32_t switches, uint64_t budget,
	      struct qx_result *res)
{
	struct qx_job job = {
		.lo = KERN_BASE, .size = k->size, .mem = k->mem, .threads = k->threads,
		.nthreads = k->nthreads, .switches = switches, .budget = budget,
	};

	qx_run(ex, &job, res);
}

void kern_barrier(struct q_prog *p, unsigned int nqpus)
{
	unsigned int others = q_label(p), end = q_label(p), i;

	if (nqpus < 2)
		return;
	Q(p, .op = Q_OR, .d = QR0, .a = Q_QPU, .b = Q_QPU, .sf = 1);
	q_branch(p, Q_ALLNZ, others);
	for (i = 1; i < nqpus; i++)
		q_acquire(p, 0);
	for (i = 1; i < nqpus; i++)
		q_release(p, 1);
	q_branch(p, Q_BR_ALWAYS, end);
	q_place(p, others);
	q_release(p, 0);
	q_acquire(p, 1);
	q_place(p, end);
}

uint32_t kern_bits(float f)
{
	uint32_t v;

	memcpy(&v, &f, sizeof(v));
	return v;
}
