// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VideoCore IV texture and memory lookup units: requests, results, plain memory reads.
 *
 * A write to S makes a request. With none of T, R, B written before, S is an address per
 * element, of which the low two bits are ignored; else S, T, R are texture coordinates, B
 * a level of detail, and each of the writes has taken the next uniform as configuration.
 *
 * Choices: a request is complete at once. Its result waits in a queue of eight; when that
 * is full the oldest is lost (in strict hazard mode this is a fault). Elements whose
 * condition fails read nothing and get 0; on hardware the request is made all the same,
 * with an undefined address. Reads outside mapped memory give 0 and are counted, as real
 * programs read past their buffers. Each QPU has queues of its own, so that which unit
 * a QPU calls 0 (register 36, "no swap") changes nothing.
 */
#include "qpu_tex.h"

void qpu_tmu_reset(struct qpu_core *q)
{
	memset(q->tmu, 0, sizeof(q->tmu));
}

enum qpu_ev qpu_tmu_push(struct qpu_shared *s, struct qpu_core *q, struct qpu_tmu *t, u32 **v)
{
	if (t->count == QPU_TMU_DEPTH) {
		if (s->switches & QPU_SW_STRICT_HAZARDS)
			return qpu_fault(s, q, VS_FAULT_HAZARD, 0, QPU_HZ_TMU_FULL);
		t->head = (t->head + 1) % QPU_TMU_DEPTH;
		t->count--;
	}
	*v = t->fifo[(t->head + t->count) % QPU_TMU_DEPTH];
	t->count++;
	return QPU_EV_OK;
}

enum qpu_ev qpu_tmu_stray(struct qpu_shared *s, struct qpu_core *q, u32 addr, u32 size)
{
	if (s->switches & QPU_SW_STRICT_TMU)
		return qpu_fault(s, q, VS_FAULT_READ, addr, size);
	s->cnt.stray_reads++;
	return QPU_EV_OK;
}

/* Each element by itself. */
static enum qpu_ev read_elements(struct qpu_shared *s, struct qpu_core *q, const u32 *addr,
				 u32 mask, u32 *v)
{
	const void *p;
	u32 e;

	for (e = 0; e < QPU_LANES; e++) {
		v[e] = 0;
		if (!(mask >> e & 1))
			continue;
		p = qpu_mem(s, addr[e] & ~3U, 4, 0);
		if (p) {
			memcpy(&v[e], p, 4);
			s->lookup = s->last;
		} else if (qpu_tmu_stray(s, q, addr[e] & ~3U, 4)) {
			return QPU_EV_FAULT;
		}
	}
	return QPU_EV_OK;
}

/*
 * Mostly all elements are in the extent that lookups used last. Others read its first word here,
 * also under wrong speculation, and are done by read_elements().
 */
static bool read_last_extent(const struct qpu_shared *s, const u32 *addr, u32 *v)
{
	const struct vs_extent *x = s->lookup;
	u32 lo, limit, bad = 0, e;

	if (!x || min_t(u64, x->hi, QPU_ADDR_MASK + 1ULL) < x->lo + 4)
		return false;
	lo = x->lo;
	limit = min_t(u64, x->hi, QPU_ADDR_MASK + 1ULL) - lo - 4;
	for (e = 0; e < QPU_LANES; e++) {
		u32 off = (addr[e] & QPU_ADDR_MASK & ~3U) - lo, out = off > limit;

		__asm__ ("" : "+r"(out));
		bad |= out;
		memcpy(&v[e], x->kva + (off & (out - 1)), 4);
	}
	return !bad;
}

static enum qpu_ev read_words(struct qpu_shared *s, struct qpu_core *q, const u32 *addr,
			      u32 mask, u32 *v)
{
	if (mask == 0xffff && read_last_extent(s, addr, v))
		return QPU_EV_OK;
	return read_elements(s, q, addr, mask, v);
}

static enum qpu_ev direct(struct qpu_shared *s, struct qpu_core *q, struct qpu_tmu *t,
			  const u32 *addr, u32 mask)
{
	u32 *v;

	if (qpu_tmu_push(s, q, t, &v))
		return QPU_EV_FAULT;
	return read_words(s, q, addr, mask, v);
}

/* The uniform that goes with a write in texture mode. */
static enum qpu_ev take_config(struct qpu_shared *s, struct qpu_core *q, struct qpu_tmu *t)
{
	u32 word;

	if (t->nconfig == ARRAY_SIZE(t->config))
		return qpu_fault(s, q, VS_FAULT_HANG, 0, QPU_HZ_TMU_CONFIG);
	if (qpu_unif_next(s, q, &word))
		return QPU_EV_FAULT;
	t->config[t->nconfig++] = word;
	return QPU_EV_OK;
}

enum qpu_ev qpu_tmu_write(struct qpu_shared *s, struct qpu_core *q, u32 unit, u32 reg,
			  const u32 *v, u32 mask)
{
	struct qpu_tmu *t = &q->tmu[unit & 1];
	enum qpu_ev ev;
	u32 e;

	if (!reg && !t->have)
		return direct(s, q, t, v, mask);
	if (take_config(s, q, t))
		return QPU_EV_FAULT;
	if (reg) {
		for (e = 0; e < QPU_LANES; e++) {
			if (mask >> e & 1)
				t->coord[reg - 1][e] = v[e];
		}
		t->have |= 1U << (reg - 1);
		return QPU_EV_OK;
	}
	ev = qpu_tex_lookup(s, q, t, v, mask);
	t->have = 0;
	t->nconfig = 0;
	return ev;
}

enum qpu_ev qpu_tmu_load(struct qpu_shared *s, struct qpu_core *q, u32 unit, u32 *v)
{
	struct qpu_tmu *t = &q->tmu[unit & 1];

	if (!t->count)
		return qpu_fault(s, q, VS_FAULT_HANG, 0, QPU_HZ_TMU_EMPTY);
	memcpy(v, t->fifo[t->head], sizeof(t->fifo[0]));
	t->head = (t->head + 1) % QPU_TMU_DEPTH;
	t->count--;
	return QPU_EV_OK;
}
