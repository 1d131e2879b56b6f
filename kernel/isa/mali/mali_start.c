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

static void group_ids(const struct mali_work *w, u64 group, struct mali_ids *id)
{
	u64 row = group / w->groups[0];

	id->group[0] = group % w->groups[0];
	id->group[1] = row % w->groups[1];
	id->group[2] = row / w->groups[1];
}

static void thread_ids(const struct mali_work *w, u64 group, u32 thread, struct mali_ids *id)
{
	group_ids(w, group, id);
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

/* ---- blocks of one workgroup ---- */

static const u32 zeros[SIMT_LANES] __aligned(64);

/* Does a thread find a use for what it starts with in a slot? */
static bool is_read(const struct simt_machine *m, u32 slot)
{
	return slot >= SIMT_LIVE_SLOTS || m->l.prog->live[slot / 64] >> (slot % 64) & 1;
}

/* Local ids of a block's lanes. */
static u32 (*local_rows(struct mali_run *r, const struct simt_group *g))[SIMT_LANES]
{
	u32 number = g->first / SIMT_LANES, (*row)[SIMT_LANES] = r->rows->row[number], l;
	struct mali_ids id;

	if (r->rows->known >> number & 1)
		return row;
	r->rows->known |= BIT(number);
	thread_ids(&r->w, 0, g->first, &id);
	for (l = 0; l < SIMT_LANES; l++) {
		row[0][l] = id.local[0] | id.local[1] << 16;
		row[1][l] = id.local[0];
		row[2][l] = id.local[1];
		row[3][l] = id.local[2];
		step_thread(&r->w, &id);
	}
	return row;
}

/* Divisions are slow: workgroups mostly start one after the other. */
static void next_group(struct mali_run *r, u64 group)
{
	struct mali_rows *rows = r->rows;

	if (rows->known && group == rows->group + 1)
		step_group(&r->w, &rows->id);
	else if (!rows->known || group != rows->group)
		group_ids(&r->w, group, &rows->id);
	rows->group = group;
}

static void find_wanted(const struct simt_machine *m, struct mali_rows *rows, const u8 slots[10])
{
	u32 i;

	rows->nput = 0;
	for (i = 0; i < 10; i++) {
		if (slots[i] == MALI_NO_SLOT || !is_read(m, slots[i]))
			continue;
		rows->put[rows->nput] = i;
		rows->slot[rows->nput++] = slots[i];
	}
}

bool mali_rows_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g,
		     const u8 slots[10])
{
	struct mali_run *r = simt_machine_arg(m);
	const u32 *group = r->rows->id.group, *from;
	u32 (*row)[SIMT_LANES], i, k, c;

	if (g->packed > 1 || r->w.stage != MALI_STAGE_COMPUTE)
		return false;
	if (!r->rows->known)
		find_wanted(m, r->rows, slots);
	next_group(r, g->group);
	row = local_rows(r, g);
	for (i = 0; i < r->rows->nput; i++) {
		k = r->rows->put[i];
		from = k < 4 ? row[k] : k < 7 ? zeros : row[k - 6];
		c = k < 4 ? 0 : k < 7 ? group[k - 4] : group[k - 7] * r->w.local[k - 7];
		simt_plus(simt_machine_simd(m), mx_slot(b, r->rows->slot[i], 0), from, c);
	}
	return true;
}

/* ---- Bifrost ---- */

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

/* Addresses of lanes that are the same in all of them, or each on its own. */
static void put_segment(struct simt_machine *m, struct simt_block *b, u32 seg, u32 slot, bool same)
{
	u64 base, size;
	u32 l;

	if (!is_read(m, slot) && !is_read(m, slot + 1))
		return;
	base = simt_seg_base(m, m->wb, seg, 0, &size);
	if (same) {
		simt_plus(simt_machine_simd(m), mx_slot(b, slot, 0), zeros, (u32)base);
		simt_plus(simt_machine_simd(m), mx_slot(b, slot + 1, 0), zeros, base >> 32);
		return;
	}
	EACH_LANE(l, b->live) {
		base = simt_seg_base(m, m->wb, seg, l, &size);
		*mx_slot(b, slot, l) = (u32)base;
		*mx_slot(b, slot + 1, l) = base >> 32;
	}
}

void mali_segments(struct simt_machine *m, struct simt_block *b, u32 wls, u32 tls)
{
	put_segment(m, b, SIMT_SEG_WLS, wls, m->packed == 1);
	put_segment(m, b, SIMT_SEG_TLS, tls, false);
}

static bool start_rows(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	static const u8 order[10] = { 55, 0, 0, 56, 57, 58, 59, 60, 61, 62 };
	const struct mali_run *r = simt_machine_arg(m);
	u8 slots[10] = { };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(slots) && !r->rows->known; i++) {
		slots[i] = order[i];
		if (!order[i] || !(r->w.preload & BIT(order[i] - R_FIRST)))
			slots[i] = MALI_NO_SLOT;
	}
	return mali_rows_start(m, b, g, slots);
}

void mali_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	struct mali_run *r = simt_machine_arg(m);

	if (simt_machine_launched(m)->prog->own == BI_NUM_SEG_SLOTS)
		mali_segments(m, b, BI_SLOT_WLS, BI_SLOT_TLS);
	preload_pc(&r->w, b);
	if (r->w.stage == MALI_STAGE_FRAGMENT)
		mali_frag_start(m, b, g);
	else if (!start_rows(m, b, g))
		mali_each_thread(&r->w, b, g, put_registers);
}
