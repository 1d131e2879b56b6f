// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * How threads start: preloaded registers of compute and vertex programs, and the addresses
 * of a thread's own memory for programs that make pointers of it.
 *
 * r55: local id x, y (halves), r56: z, r57-r59: workgroup, r60-r62: global id. A vertex program
 * has vertices in y, instances in z, so that r61 and r62 are these; r58 and r59 are the address
 * of the vertex's position.
 */
#include "../../engine/simt/simt_intern.h"
#include "../bifrost/bifrost_lower.h"
#include "mali_run_int.h"

#define POSITION_BYTES	16
#define R_FIRST		48

static void thread_ids(const struct mali_work *w, u64 group, u32 thread, struct mali_ids *id)
{
	u64 row = group / w->groups[0];

	id->group[0] = group % w->groups[0];
	id->group[1] = row % w->groups[1];
	id->group[2] = row / w->groups[1];
	id->local[0] = thread % w->local[0];
	thread /= w->local[0];
	id->local[1] = thread % w->local[1];
	id->local[2] = thread / w->local[1];
}

/* Divisions are slow: the others are found by counting. */
static void step_thread(const struct mali_work *w, struct mali_ids *id)
{
	if (++id->local[0] < w->local[0])
		return;
	id->local[0] = 0;
	if (++id->local[1] < w->local[1])
		return;
	id->local[1] = 0;
	id->local[2]++;
}

static void step_group(const struct mali_work *w, struct mali_ids *id)
{
	memset(id->local, 0, sizeof(id->local));
	if (++id->group[0] < w->groups[0])
		return;
	id->group[0] = 0;
	if (++id->group[1] < w->groups[1])
		return;
	id->group[1] = 0;
	id->group[2]++;
}

/* What registers 55 to 62 would hold. */
static void values(const struct mali_work *w, const struct mali_ids *id, u32 v[8])
{
	u64 position;
	u32 i;

	v[0] = id->local[0] | id->local[1] << 16;
	v[1] = id->local[2];
	for (i = 0; i < 3; i++) {
		v[2 + i] = id->group[i];
		v[5 + i] = id->group[i] * w->local[i] + id->local[i];
	}
	if (w->stage != MALI_STAGE_VERTEX)
		return;
	position = w->position +
		   ((u64)id->group[2] * w->instance_size + id->group[1]) * POSITION_BYTES;
	v[3] = (u32)position;
	v[4] = position >> 32;
}

void mali_each_thread(const struct mali_work *w, struct simt_block *b,
		      const struct simt_group *g, mali_put_ids *put)
{
	struct mali_ids id;
	u32 in_group = 0, l;

	thread_ids(w, g->group, g->first, &id);
	for (l = 0; l < SIMT_LANES; l++) {
		if (b->live >> l & 1)
			put(w, &id, mx_slot(b, 0, l));
		if (++in_group == g->stride) {
			step_group(w, &id);
			in_group = 0;
		} else {
			step_thread(w, &id);
		}
	}
}

static void put_registers(const struct mali_work *w, const struct mali_ids *id, u32 *slot)
{
	u32 bits, v[8];

	values(w, id, v);
	for (bits = w->preload >> (55 - R_FIRST) & 0xff; bits; bits &= bits - 1) {
		u32 i = __ffs64(bits);

		slot[SIMT_LANES * (55 + i)] = v[i];
	}
}

/* The program's address, for those that ask for it. */
static void preload_pc(const struct mali_work *w, struct simt_block *b)
{
	u32 l;

	if (!(w->preload & BIT(54 - R_FIRST)))
		return;
	EACH_LANE(l, b->live) {
		*mx_slot(b, 54, l) = (u32)(w->code_va + w->entry);
	}
}

void mali_segments(struct simt_machine *m, struct simt_block *b, u32 wls, u32 tls)
{
	u64 base, size;
	u32 l;

	EACH_LANE(l, b->live) {
		base = simt_seg_base(m, m->wb, SIMT_SEG_WLS, l, &size);
		*mx_slot(b, wls, l) = (u32)base;
		*mx_slot(b, wls + 1, l) = base >> 32;
		base = simt_seg_base(m, m->wb, SIMT_SEG_TLS, l, &size);
		*mx_slot(b, tls, l) = (u32)base;
		*mx_slot(b, tls + 1, l) = base >> 32;
	}
}

void mali_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	struct mali_run *r = simt_machine_arg(m);

	if (simt_machine_launched(m)->prog->nslots == BI_NUM_SEG_SLOTS)
		mali_segments(m, b, BI_SLOT_WLS, BI_SLOT_TLS);
	preload_pc(&r->w, b);
	if (r->w.stage == MALI_STAGE_FRAGMENT)
		mali_frag_start(m, b, g);
	else
		mali_each_thread(&r->w, b, g, put_registers);
}
