// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VideoCore IV texture and memory lookup units: requests, results, plain memory reads.
 *
 * A write to S makes a request. If none of T, R, B was written before, S is an address per
 * element, with the low two bits ignored; else S, T, R are texture coordinates, B
 * a level of detail, and each of these writes consumes a uniform as configuration.
 *
 * Choices: a request completes immediately. Its result waits in a queue of eight; if that
 * is full the oldest is lost (in strict hazard mode this is a fault). Elements whose
 * condition fails read nothing and return 0; hardware makes the request nevertheless,
 * with an undefined address. Reads outside mapped memory return 0 and are counted, as real
 * programs read past their buffers. Reads always see what was stored before. The chip's
 * caches do not: in strict hazard mode it is a fault to read a line again by its address
 * after a DMA store of the same job, if 4 KiB of other lines have not displaced it. Each QPU
 * has queues of its own, so that the unit numbering of a QPU (register 36, "no swap") has no
 * effect.
 */
#include "qpu_tex.h"

/* Record whether texture coordinates are pending, without S. */
static void note_coords(struct qpu_shared *s, struct qpu_core *q, u32 unit, bool have)
{
	u32 bit = 1U << (2 * q->num + unit);

	s->coords = have ? s->coords | bit : s->coords & ~bit;
}

void qpu_tmu_reset(struct qpu_shared *s, struct qpu_core *q)
{
	u32 unit;

	for (unit = 0; unit < ARRAY_SIZE(q->tmu); unit++) {
		if (q->tmu[unit].used) {
			note_coords(s, q, unit, false);
			memset(&q->tmu[unit], 0, offsetof(struct qpu_tmu, fifo));
		}
		/* an empty queue */
		q->tmu[unit].head = 0;
		q->tmu[unit].count = 0;
	}
}

enum qpu_ev qpu_tmu_push(struct qpu_shared *s, struct qpu_core *q, struct qpu_tmu *t, u32 **v)
{
	if (t->count == QPU_TMU_DEPTH) {
		if (s->switches & QPU_SW_STRICT_HAZARDS)
			return qpu_fault_code(s, q, VS_FAULT_HAZARD, 0, QPU_HZ_TMU_FULL);
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

static u32 tmu_line(u32 addr)
{
	return (addr & QPU_ADDR_MASK) >> QPU_LINE_SHIFT;
}

/* Note a read of plain memory. Return: the chip would give data from before a store. */
static bool tmu_stale(struct qpu_shared *s, u32 addr)
{
	u32 line = tmu_line(addr), i = line % QPU_NUM_LINES;

	if (s->lines.line[i] == line + 1)
		return s->lines.stale >> i & 1;
	s->lines.line[i] = line + 1;
	s->lines.stale &= ~BIT_ULL(i);
	return false;
}

void qpu_tmu_stored(struct qpu_shared *s, u32 addr, u32 size)
{
	u32 line = tmu_line(addr), n = tmu_line(addr + size - 1) - line + 1, i;

	for (n = min_t(u32, n, QPU_NUM_LINES); n; n--, line++) {
		i = line % QPU_NUM_LINES;
		if (s->lines.line[i] == line + 1)
			s->lines.stale |= BIT_ULL(i);
	}
}

/* Slow path: read each element separately. */
static enum qpu_ev read_elements(struct qpu_shared *s, struct qpu_core *q, u32 unit,
				 const u32 *addr, u32 mask, u32 *v)
{
	bool strict = s->switches & QPU_SW_STRICT_HAZARDS;
	const void *p;
	u32 e;

	for (e = 0; e < QPU_LANES; e++) {
		v[e] = 0;
		if (!(mask >> e & 1))
			continue;
		if (strict && tmu_stale(s, addr[e]))
			return qpu_fault_code(s, q, VS_FAULT_HAZARD, 0, QPU_HZ_TMU_STALE);
		p = qpu_mem(s, addr[e] & ~3U, 4, 0);
		if (p) {
			memcpy(&v[e], p, 4);
			/* a debugger and strict mode watch every access */
			if (!s->dbg && !strict)
				qpu_note_lookup(&s->lookup[unit], vs_tlb_find(&s->tlb, addr[e] &
									      QPU_ADDR_MASK & ~3U));
		} else if (qpu_tmu_stray(s, q, addr[e] & ~3U, 4)) {
			return QPU_EV_FAULT;
		}
	}
	return QPU_EV_OK;
}

static enum qpu_ev direct(struct qpu_shared *s, struct qpu_core *q, u32 unit, const u32 *addr,
			  u32 mask)
{
	u32 *v;

	if (qpu_tmu_push(s, q, &q->tmu[unit], &v))
		return QPU_EV_FAULT;
	return read_elements(s, q, unit, addr, mask, v);
}

/* Consume the configuration uniform of a write in texture mode. */
static enum qpu_ev take_config(struct qpu_shared *s, struct qpu_core *q, struct qpu_tmu *t)
{
	u32 word;

	if (t->nconfig == ARRAY_SIZE(t->config))
		return qpu_fault_code(s, q, VS_FAULT_HANG, 0, QPU_HZ_TMU_CONFIG);
	if (qpu_unif_next(s, q, &word))
		return QPU_EV_FAULT;
	t->config[t->nconfig++] = word;
	t->used = true;
	return QPU_EV_OK;
}

enum qpu_ev qpu_tmu_write(struct qpu_shared *s, struct qpu_core *q, u32 unit, u32 reg,
			  const u32 *v, u32 mask)
{
	struct qpu_tmu *t = &q->tmu[unit & 1];
	enum qpu_ev ev;
	u32 e;

	if (!reg && !t->have)
		return direct(s, q, unit & 1, v, mask);
	if (take_config(s, q, t))
		return QPU_EV_FAULT;
	if (reg) {
		for (e = 0; e < QPU_LANES; e++) {
			if (mask >> e & 1)
				t->coord[reg - 1][e] = v[e];
		}
		t->have |= 1U << (reg - 1);
		note_coords(s, q, unit & 1, true);
		return QPU_EV_OK;
	}
	s->cnt.textures++;
	ev = qpu_tex_lookup(s, q, t, v, mask);
	t->have = 0;
	t->nconfig = 0;
	note_coords(s, q, unit & 1, false);
	return ev;
}

enum qpu_ev qpu_tmu_load(struct qpu_shared *s, struct qpu_core *q, u32 unit, u32 *v)
{
	struct qpu_tmu *t = &q->tmu[unit & 1];

	if (!t->count)
		return qpu_fault_code(s, q, VS_FAULT_HANG, 0, QPU_HZ_TMU_EMPTY);
	memcpy(v, t->fifo[t->head], sizeof(t->fifo[0]));
	qpu_tmu_pop(t);
	return QPU_EV_OK;
}
