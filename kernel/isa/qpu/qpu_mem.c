// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Guest memory for the QPUs and their peripherals, faults, uniforms.
 */
#include "qpu_debug.h"
#include "qpu_run.h"

void *qpu_mem(struct qpu_shared *s, u32 addr, u32 size, u32 need)
{
	u64 va = addr & QPU_ADDR_MASK;
	const struct vs_extent *e = vs_tlb_find(&s->tlb, va);
	u64 end;

	if (unlikely(s->dbg))
		qpu_debug_access(s->dbg, va, size, need);
	if (!e || (e->flags & need) != need)
		return NULL;
	/* bus addresses have 30 bits: clip the extent */
	end = min_t(u64, e->hi, QPU_ADDR_MASK + 1ULL);
	return vs_bounded_ptr(e->kva, end - e->lo, va - e->lo, size);
}

void qpu_note_lookup(struct qpu_lookup *l, const struct vs_extent *x)
{
	u64 hi = min_t(u64, x->hi, QPU_ADDR_MASK + 1ULL);

	l->kva = x->kva;
	l->lo = x->lo;
	l->bytes = (hi - x->lo) & ~3ULL;
}

enum qpu_ev qpu_fault(struct qpu_shared *s, struct qpu_core *q, enum vs_fault_kind kind,
		      u32 addr, u32 size)
{
	if (s->fault.kind)
		return QPU_EV_FAULT;
	vs_fault_memory(&s->fault, kind, addr & QPU_ADDR_MASK, size);
	s->fault.pc = q->pc;
	s->fault.invocation = q->thread;
	s->fault.info = q->num;
	return QPU_EV_FAULT;
}

enum qpu_ev qpu_fault_code(struct qpu_shared *s, struct qpu_core *q, enum vs_fault_kind kind,
			   u32 addr, u32 code)
{
	if (!s->fault.kind) {
		qpu_fault(s, q, kind, addr, 0);
		s->fault.code = code;
	}
	return QPU_EV_FAULT;
}

enum qpu_ev qpu_unif_next(struct qpu_shared *s, struct qpu_core *q, u32 *value)
{
	const u32 *p;

	if (qpu_unif_ended(q))
		return qpu_fault_code(s, q, VS_FAULT_HAZARD, q->unif, QPU_HZ_UNIF_END);
	p = qpu_mem(s, q->unif & ~3U, 4, 0);
	if (!p)
		return qpu_fault(s, q, VS_FAULT_READ, q->unif, 4);
	*value = READ_ONCE(*p);
	q->unif += 4;
	return QPU_EV_OK;
}

static void copy_words(u32 *to, const u32 *from, u32 n)
{
	while (n--)
		*to++ = READ_ONCE(*from++);
}

bool qpu_take_uniforms(struct qpu_machine *m, const struct qpu_dec *d, u32 n)
{
	u32 count = d[n].nunif - d[0].nunif, last = 0, k;
	const u32 *p = NULL;

	m->vm.first = d[0].nunif;
	for (k = 0; k < m->vm.n; k++) {
		struct qpu_core *q = qpu_core_of(m, k);

		/* threads of draws have the same ones */
		if (!p || q->unif != last || m->s.dbg)
			p = qpu_mem(&m->s, q->unif & ~3U, 4 * count, 0);
		last = q->unif;
		if (!p) {
			if (n == 1)
				qpu_fault(&m->s, q, VS_FAULT_READ, q->unif, 4);
			return false;
		}
		copy_words(m->vm.unif[q->num], p, count);
	}
	for (k = 0; k < m->vm.n; k++)
		qpu_core_of(m, k)->unif += 4 * count;
	return true;
}

void qpu_return_uniforms(struct qpu_machine *m, const struct qpu_dec *d, u32 n, u32 done)
{
	u32 k;

	for (k = 0; k < m->vm.n; k++)
		qpu_core_of(m, k)->unif -= 4 * (d[n].nunif - d[done].nunif);
}
