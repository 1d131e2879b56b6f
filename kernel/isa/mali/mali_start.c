// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Start of threads: preloaded registers of compute and vertex programs, and the addresses
 * of workgroup and thread memory for programs that use pointers to it.
 *
 * r55: local id x, y (halves), r56: z, r57-r59: workgroup, r60-r62: global id. In vertex
 * programs y is the vertex and z the instance, so r61 and r62 are these; r58 and r59 are the
 * address of the vertex's position.
 */
#include "../../engine/simt/simt_intern.h"
#include "../bifrost/bifrost_lower.h"
#include "../midgard/midgard_lower.h"
#include "mali_run_int.h"

#define POSITION_BYTES	16
#define R_FIRST		48

/* Vertices have one workgroup in a row, and mostly one instance: divisions are slow. */
static void group_ids(const struct mali_work *w, u64 group, struct mali_ids *id)
{
	u64 row = w->groups[0] == 1 ? group : group / w->groups[0];
	u64 plane = row < w->groups[1] ? 0 : row / w->groups[1];

	id->group[0] = group - row * w->groups[0];
	id->group[1] = row - plane * w->groups[1];
	id->group[2] = plane;
}

static void thread_ids(const struct mali_work *w, u64 group, u32 thread, struct mali_ids *id)
{
	group_ids(w, group, id);
	id->local[0] = thread % w->local[0];
	thread /= w->local[0];
	id->local[1] = thread % w->local[1];
	id->local[2] = thread / w->local[1];
}

/* Ids of the next thread, by counting: divisions are slow. */
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

/* ---- blocks of one workgroup ---- */

static const u32 zeros[SIMT_LANES] __aligned(64);

/* Does the program read the initial value of a slot? */
static bool mali_start_is_read(const struct simt_prog *p, u32 slot)
{
	slot = simt_prog_slot(p, slot);
	if (slot >= p->own)
		return false;
	return slot >= SIMT_LIVE_SLOTS || p->live[slot / 64] >> (slot % 64) & 1;
}

/* Does a slot keep its initial value until the next workgroup starts? */
static bool stays(const struct simt_machine *m, u32 slot)
{
	return m->packed == 1 && simt_slot_stays(m, simt_prog_slot(m->l.prog, slot));
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

/* Ids of the next workgroup, by counting: divisions are slow. */
static void next_group(struct mali_run *r, u64 group)
{
	struct mali_rows *rows = r->rows;

	if (rows->placed && group == rows->group + 1)
		step_group(&r->w, &rows->id);
	else if (!rows->placed || group != rows->group)
		group_ids(&r->w, group, &rows->id);
	rows->group = group;
	rows->placed = true;
}

static void find_wanted(const struct simt_machine *m, struct mali_rows *rows, const u8 slots[10])
{
	u32 i;

	if (rows->wanted)
		return;
	rows->wanted = true;
	rows->nput = 0;
	for (i = 0; i < 10; i++) {
		if (slots[i] == MALI_NO_SLOT || !mali_start_is_read(m->l.prog, slots[i]))
			continue;
		rows->put[rows->nput] = i;
		/* local ids are equal in all workgroups */
		rows->stays[rows->nput] = i < 4 && stays(m, slots[i]);
		rows->slot[rows->nput++] = simt_prog_slot(m->l.prog, slots[i]);
	}
}

/* Addend of a row for the last started workgroup: @k as in @put of struct mali_rows. */
static u32 of_group(const struct mali_run *r, u32 k)
{
	const u32 *group = r->rows->id.group;

	return k < 4 ? 0 : k < 7 ? group[k - 4] : group[k - 7] * r->w.local[k - 7];
}

bool mali_rows_start(struct simt_machine *m, struct simt_wave_block *first, u32 n,
		     const u8 slots[10])
{
	struct mali_run *r = simt_machine_arg(m);
	const struct simt_block *b = &first->b;
	struct mali_rows *rows = r->rows;
	u32 (*row)[SIMT_LANES], add[10][SIMT_MAX_STEP], i, k;
	bool again = first[n - 1].again;

	if (first->g.packed > 1 || r->w.stage != MALI_STAGE_COMPUTE)
		return false;
	find_wanted(m, rows, slots);
	row = local_rows(r, &first->g);
	for (k = 0; k < n; k++) {
		next_group(r, first[k].g.group);
		for (i = 0; i < rows->nput; i++)
			add[i][k] = of_group(r, rows->put[i]);
	}
	for (i = 0; i < rows->nput; i++) {
		if (again && rows->stays[i])
			continue;
		k = rows->put[i];
		simt_plus(simt_machine_simd(m), sx_slot(b, rows->slot[i], 0), b->gap,
			  k < 4 ? row[k] : k < 7 ? zeros : row[k - 6], add[i], n);
	}
	return true;
}

/* ---- other blocks ---- */

/* All ids of a thread, in the order of mali_rows_start(). */
static void all_ids(const struct mali_work *w, const struct mali_ids *id, u32 v[10])
{
	u64 position;
	u32 i;

	v[0] = id->local[0] | id->local[1] << 16;
	for (i = 0; i < 3; i++) {
		v[1 + i] = id->local[i];
		v[4 + i] = id->group[i];
		v[7 + i] = id->group[i] * w->local[i] + id->local[i];
	}
	if (w->stage != MALI_STAGE_VERTEX || mali_gpu_is_midgard(w->gpu))
		return;
	position = w->position +
		   ((u64)id->group[2] * w->instance_size + id->group[1]) * POSITION_BYTES;
	v[5] = (u32)position;
	v[6] = position >> 32;
}

/*
 * Workgroups of one thread, as vertices are: ids with equal steps from lane to lane, of which @n
 * are threads. Those of the first, second and last thread tell: then the fastest id that counts
 * has not wrapped. Return: false: steps are not equal.
 */
static bool start_run(const struct mali_run *r, struct simt_block *b, u64 group, u32 n)
{
	const u32 lane[3] = { 0, 1, n - 1 };
	struct mali_ids id = {};
	u32 v[3][10], i, l, k, *to;

	for (i = 0; i < 3; i++) {
		group_ids(&r->w, group + lane[i], &id);
		all_ids(&r->w, &id, v[i]);
	}
	for (k = 0; k < 10; k++)
		if (v[2][k] - v[0][k] != lane[2] * (v[1][k] - v[0][k]))
			return false;
	for (i = 0; i < r->rows->nput; i++) {
		u32 id = v[0][r->rows->put[i]], step = v[1][r->rows->put[i]] - id;

		to = sx_slot(b, r->rows->slot[i], 0);
		for (l = 0; l < SIMT_LANES; l++, id += step)
			to[l] = id;
	}
	return true;
}

void mali_each_thread(struct simt_machine *m, struct simt_block *b, const struct simt_group *g,
		      const u8 slots[10])
{
	const struct mali_run *r = simt_machine_arg(m);
	struct mali_rows *rows = r->rows;
	u32 in_group = 0, l, i, v[10];
	struct mali_ids id;

	find_wanted(m, rows, slots);
	if (g->stride == 1 && start_run(r, b, g->group, g->packed))
		return;
	thread_ids(&r->w, g->group, g->first, &id);
	for (l = 0; l < SIMT_LANES; l++) {
		all_ids(&r->w, &id, v);
		for (i = 0; i < rows->nput && b->live >> l & 1; i++)
			*sx_slot(b, rows->slot[i], l) = v[rows->put[i]];
		if (++in_group == g->stride) {
			step_group(&r->w, &id);
			in_group = 0;
		} else {
			step_thread(&r->w, &id);
		}
	}
}

/* ---- Bifrost ---- */

/* Write the program's address, if the program reads it. */
static void preload_pc(const struct mali_work *w, const struct simt_prog *prog,
		       struct simt_block *b)
{
	u32 l;

	if (!(w->preload & BIT(54 - R_FIRST)))
		return;
	EACH_LANE(l, b->live) {
		mali_put(prog, sx_slot(b, 0, l), 54, (u32)(w->code_va + w->entry));
	}
}

/* Write addresses of lanes: @same: one for all lanes, else one per lane. */
static void put_segment(struct simt_machine *m, struct simt_block *b, u32 seg, u32 slot, bool same)
{
	const struct simt_prog *p = m->l.prog;
	u64 base, size;
	u32 l, i, word;

	/* workgroups keep their memory */
	if (m->wb->again && stays(m, slot) && stays(m, slot + 1))
		return;
	base = simt_seg_base(m, m->wb, seg, 0, &size);
	for (i = 0; same && i < 2; i++) {
		word = base >> 32 * i;
		if (mali_start_is_read(p, slot + i))
			simt_plus(simt_machine_simd(m), sx_slot(b, simt_prog_slot(p, slot + i), 0),
				  0, zeros, &word, 1);
	}
	if (same)
		return;
	EACH_LANE(l, b->live) {
		base = simt_seg_base(m, m->wb, seg, l, &size);
		mali_put(p, sx_slot(b, 0, l), slot, (u32)base);
		mali_put(p, sx_slot(b, 0, l), slot + 1, base >> 32);
	}
}

void mali_segments(struct simt_machine *m, struct simt_block *b, u32 wls, u32 tls)
{
	const struct mali_run *r = simt_machine_arg(m);

	if (r->rows->wls)
		put_segment(m, b, SIMT_SEG_WLS, wls, m->packed == 1);
	if (r->rows->tls)
		put_segment(m, b, SIMT_SEG_TLS, tls, false);
}

static void add_preset(const struct simt_prog *p, u32 first, u32 n, u64 *preset)
{
	u32 i, slot;

	for (i = first; i < first + n; i++) {
		slot = simt_prog_slot(p, i);
		if (slot < p->own && slot < SIMT_LIVE_SLOTS)
			preset[slot / 64] |= BIT_ULL(slot % 64);
	}
}

static bool reads_pointer(const struct simt_prog *p, u32 slot)
{
	return mali_start_is_read(p, slot) || mali_start_is_read(p, slot + 1);
}

void mali_starts(struct mali_run *r, const struct simt_prog *p, u64 *preset)
{
	const struct mali_work *w = &r->w;
	bool midgard = mali_gpu_is_midgard(w->gpu);
	u32 i;

	r->rows->known = 0;
	r->rows->wanted = false;
	r->rows->placed = false;
	r->rows->wls = reads_pointer(p, midgard ? MG_SLOT_WLS : BI_SLOT_WLS);
	r->rows->tls = reads_pointer(p, midgard ? MG_SLOT_TLS : BI_SLOT_TLS);
	if (w->stage == MALI_STAGE_FRAGMENT)
		return;
	if (midgard) {
		add_preset(p, MG_SLOT_LOCAL, 3, preset);
		add_preset(p, MG_SLOT_GROUP, 3, preset);
		add_preset(p, MG_SLOT_GLOBAL, 3, preset);
		add_preset(p, MG_SLOT_TLS, MG_NUM_SEG_SLOTS - MG_SLOT_TLS, preset);
		return;
	}
	for (i = 54; i < 63; i++) {
		if (w->preload & BIT(i - R_FIRST))
			add_preset(p, i, 1, preset);
	}
	add_preset(p, BI_SLOT_WLS, BI_NUM_SEG_SLOTS - BI_SLOT_WLS, preset);
}

void mali_segments_step(struct simt_machine *m, struct simt_wave_block *first, u32 n, u32 wls,
			u32 tls)
{
	const struct mali_run *r = simt_machine_arg(m);
	u32 k;

	for (k = 0; k < n && (r->rows->wls || r->rows->tls); k++) {
		m->wb = first + k;
		mali_segments(m, &first[k].b, wls, tls);
	}
}

/* Slots of the ids that are preloaded. */
static void id_slots(const struct mali_run *r, u8 slots[10])
{
	static const u8 order[10] = { 55, 0, 0, 56, 57, 58, 59, 60, 61, 62 };
	u32 i;

	for (i = 0; i < 10; i++) {
		slots[i] = order[i];
		if (!order[i] || !(r->w.preload & BIT(order[i] - R_FIRST)))
			slots[i] = MALI_NO_SLOT;
	}
}

bool mali_start_step(struct simt_machine *m, struct simt_wave_block *first, u32 n)
{
	const struct mali_run *r = simt_machine_arg(m);
	u8 slots[10];

	id_slots(r, slots);
	if (r->w.preload & BIT(54 - R_FIRST) || !mali_rows_start(m, first, n, slots))
		return false;
	mali_segments_step(m, first, n, BI_SLOT_WLS, BI_SLOT_TLS);
	return true;
}

void mali_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	const struct simt_prog *prog = simt_machine_launched(m)->prog;
	struct mali_run *r = simt_machine_arg(m);
	u8 slots[10];

	mali_segments(m, b, BI_SLOT_WLS, BI_SLOT_TLS);
	preload_pc(&r->w, prog, b);
	if (r->w.stage == MALI_STAGE_FRAGMENT) {
		mali_frag_start(m, b, g);
		return;
	}
	id_slots(r, slots);
	if (!mali_rows_start(m, m->wb, 1, slots))
		mali_each_thread(m, b, g, slots);
}
