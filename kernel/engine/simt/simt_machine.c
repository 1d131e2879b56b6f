// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Launches: which threads share a block, which blocks run at the same time, barriers,
 * slices, faults.
 *
 * A workgroup larger than a block has blocks of its own, which take turns; of smaller ones
 * several share a block. The next workgroups start when the blocks have ended.
 */
#include "../vs_intern.h"
#include "simt_intern.h"

/* Weight after which another block of the workgroup has its turn. */
#define QUANTUM		8192

/**
 * simt_machine_new - a machine for launches one after the other
 * @arena: where it and everything that launches need comes from
 * @map: address space
 *
 * Return: the machine, or NULL.
 */
struct simt_machine *simt_machine_new(struct simt_arena *arena, const struct vs_map *map)
{
	struct simt_machine *m = simt_arena_alloc(arena, 1, sizeof(*m));

	if (!m)
		return NULL;
	m->arena = arena;
	m->map = map;
	return m;
}

static bool sizes_ok(struct simt_machine *m)
{
	const struct simt_launch *l = &m->l;
	u64 threads = (u64)l->local[0] * l->local[1], all;

	if (!threads || threads > SIMT_MAX_LOCAL || !l->local[2] || l->local[2] > SIMT_MAX_LOCAL)
		return false;
	threads *= l->local[2];
	if (threads > SIMT_MAX_LOCAL || (l->wls_size && !l->wls_instances))
		return false;
	if (check_mul_overflow(l->groups[0], l->groups[1], &m->ngroups) ||
	    check_mul_overflow(m->ngroups, l->groups[2], &m->ngroups) ||
	    check_mul_overflow(m->ngroups, threads, &all))
		return false;
	m->threads = threads;
	return true;
}

/* How workgroups are laid out over lanes. */
static bool layout(struct simt_machine *m)
{
	const struct simt_launch *l = &m->l;
	u32 warp = l->prog->warp;

	m->nblocks = DIV_ROUND_UP(m->threads, SIMT_LANES);
	m->packed = 1;
	m->stride = SIMT_LANES;
	if (m->threads <= SIMT_LANES / 2) {
		/* a warp belongs to one workgroup, unless threads have nothing in common */
		m->stride = m->threads == 1 ? 1 : DIV_ROUND_UP(m->threads, warp) * warp;
		m->packed = SIMT_LANES / m->stride;
	}
	if (l->wls_size)
		m->packed = min(m->packed, l->wls_instances);
	if (l->tls_size && l->tls_total / l->tls_size < (u64)m->packed * m->threads) {
		m->packed = l->tls_total / l->tls_size / m->threads;
		if (!m->packed)
			return false;
	}
	return true;
}

static u32 *uniform_table(struct simt_machine *m)
{
	const struct simt_prog *p = m->l.prog;
	u32 n = p->nunif + p->nconst, i, k;
	u32 *t = simt_arena_alloc(m->arena, n + 1, 16 * sizeof(*t));

	for (i = 0; i < n && t; i++) {
		u32 v = i < p->nunif ? m->l.unif[i] : p->consts[i - p->nunif];

		for (k = 0; k < 16; k++)
			t[16 * i + k] = v;
	}
	return t;
}

static int alloc_blocks(struct simt_machine *m)
{
	const struct simt_prog *p = m->l.prog;
	u32 i;

	m->unif = uniform_table(m);
	m->blocks = simt_arena_alloc(m->arena, m->nblocks, sizeof(*m->blocks));
	if (!m->unif || !m->blocks)
		return -ENOMEM;
	for (i = 0; i < m->nblocks; i++) {
		struct simt_block *b = &m->blocks[i].b;

		b->slot = simt_arena_alloc(m->arena, p->nslots, SIMT_LANES * sizeof(u32));
		if (!b->slot)
			return -ENOMEM;
		b->unif = m->unif;
		b->warp = p->warp;
	}
	return 0;
}

/**
 * simt_machine_launch - prepare a launch
 * @m: machine; the launch before has ended or is given up
 * @l: launch, copied
 *
 * Return: 0, -EINVAL (sizes), -ENOMEM (arena).
 */
int simt_machine_launch(struct simt_machine *m, const struct simt_launch *l)
{
	m->l = *l;
	m->active = false;
	m->next = 0;
	memset(&m->fault, 0, sizeof(m->fault));
	if (!sizes_ok(m) || !layout(m))
		return -EINVAL;
	return alloc_blocks(m);
}

/* ---- starting and ending blocks ---- */

static u64 lanes_below(u32 n)
{
	return n >= SIMT_LANES ? ~0ULL : BIT_ULL(n) - 1;
}

/* Lanes of one of the block's workgroups. */
static u64 group_lanes(const struct simt_machine *m, u32 k)
{
	return lanes_below(min_t(u32, m->threads, SIMT_LANES)) << (k * m->stride);
}

static u64 start_lanes(const struct simt_machine *m, const struct simt_group *g)
{
	u64 live = 0;
	u32 k;

	if (m->packed == 1 && m->nblocks > 1)
		return lanes_below(m->threads - g->first);
	for (k = 0; k < g->packed; k++)
		live |= group_lanes(m, k);
	return live;
}

static void start_block(struct simt_machine *m, u32 i, u32 ngroups)
{
	struct simt_wave_block *wb = &m->blocks[i];
	struct simt_block *b = &wb->b;

	wb->g = (struct simt_group){
		.first = i * SIMT_LANES,
		.packed = ngroups,
		.stride = m->stride,
		.group = m->next,
	};
	b->live = start_lanes(m, &wb->g);
	b->helper = 0;
	b->mask = b->live;
	wb->done = false;
	memset(b->slot, 0, (size_t)m->l.prog->zero * SIMT_LANES * sizeof(u32));
	m->wb = wb;
	m->uop = &m->l.prog->uops[m->l.prog->entry];
	m->l.ops->start(m, b, &wb->g);
	simt_flow_start(wb, m->l.prog->entry);
	if (!b->live)
		wb->run.n = 0;
	simt_charge(m, 8 + m->l.prog->zero / 4);
}

/* Return: false: no workgroups left. */
static bool start_wave(struct simt_machine *m)
{
	u32 n = min_t(u64, m->packed, m->ngroups - m->next), i;

	if (!n)
		return false;
	for (i = 0; i < m->nblocks; i++)
		start_block(m, i, n);
	m->next += n;
	m->active = true;
	m->turn = 0;
	m->quantum = QUANTUM;
	return true;
}

/* ---- barriers ---- */

/* Lanes whose whole workgroup waits. */
static u64 arrived(const struct simt_machine *m, const struct simt_wave_block *wb)
{
	u64 go = 0;
	u32 k;

	for (k = 0; k < wb->g.packed; k++) {
		u64 lanes = group_lanes(m, k) & wb->b.live;

		if ((wb->waiting & lanes) == lanes)
			go |= lanes;
	}
	return go;
}

/* Return: true if somebody could be released. */
static bool release(struct simt_machine *m)
{
	bool any = false;
	u32 i;

	if (m->nblocks == 1) {
		u64 go = arrived(m, m->blocks);

		if (go)
			simt_flow_release(m->blocks, go);
		return go;
	}
	for (i = 0; i < m->nblocks; i++) {
		if (m->blocks[i].run.n)
			return false;
	}
	for (i = 0; i < m->nblocks; i++) {
		any |= m->blocks[i].waiting;
		simt_flow_release(&m->blocks[i], ~0ULL);
	}
	return any;
}

/* ---- running ---- */

static void block_done(struct simt_machine *m, struct simt_wave_block *wb)
{
	if (wb->done)
		return;
	wb->done = true;
	m->wb = wb;
	if (m->l.ops->end)
		m->l.ops->end(m, &wb->b, &wb->g);
}

/* Give the turn to a block that can run. Return: false: none can. */
static bool next_block(struct simt_machine *m)
{
	u32 i, k;

	for (i = 1; i <= m->nblocks; i++) {
		k = (m->turn + i) % m->nblocks;
		if (m->blocks[k].run.n) {
			m->turn = k;
			m->quantum = QUANTUM;
			return true;
		}
	}
	return false;
}

/* Run the block whose turn it is. Return: false: fault. */
static bool run_turn(struct simt_machine *m)
{
	struct simt_wave_block *wb = &m->blocks[m->turn];
	enum simt_blk r;

	if (wb->run.n) {
		r = simt_flow_run(m, wb);
		if (r == SIMT_BLK_FAULT)
			return false;
		/* in a shared block one workgroup's barrier does not wait for the others' */
		if (m->nblocks == 1 && wb->waiting)
			release(m);
	}
	if (!wb->b.live) {
		block_done(m, wb);
		if (m->fault.kind)
			return false;
	}
	if (!wb->run.n || m->quantum <= 0) {
		if (!next_block(m) && !(release(m) && next_block(m)))
			m->active = false;
	}
	return true;
}

static enum simt_status run(struct simt_machine *m)
{
	do {
		if (!m->active && !start_wave(m))
			return SIMT_RUN_DONE;
		if (m->fault.kind || !run_turn(m))
			return SIMT_RUN_FAULT;
	} while (m->left > 0 && !vs_should_yield());
	return SIMT_RUN_MORE;
}

/* MXCSR: exceptions masked, to nearest, subnormals kept. */
#define MXCSR_DEFAULT	0x1f80

enum simt_status simt_machine_run(struct simt_machine *m, enum vs_simd simd, u32 slice, u64 *used)
{
	enum simt_status r;
	u32 mxcsr = 0;

	m->simd = simd;
	m->left = slice;
	m->used = 0;
	vs_fpu_begin(simd);
	if (simd != VS_SIMD_PORTABLE) {
		mxcsr = vs_mxcsr_get();
		vs_mxcsr_set(MXCSR_DEFAULT);
	}
	r = run(m);
	if (simd != VS_SIMD_PORTABLE)
		vs_mxcsr_set(mxcsr);
	vs_fpu_end(simd);
	*used = m->used;
	return r;
}

/* ---- for the ISA ---- */

/**
 * simt_fault - raise a fault at the micro-op that is being executed
 * @m: machine
 * @kind: what happened
 * @mask: lanes
 * @va: address
 * @size: bytes
 */
void simt_fault(struct simt_machine *m, enum vs_fault_kind kind, u64 mask, u64 va, u32 size)
{
	const struct simt_group *g = &m->wb->g;
	u32 lane = mask ? __ffs64(mask) : 0;
	struct vs_fault *f = &m->fault;
	u64 group = g->group, thread;

	if (f->kind)
		return;
	if (m->packed > 1) {
		group += lane / m->stride;
		thread = lane % m->stride;
	} else {
		thread = g->first + lane;
	}
	f->kind = kind;
	f->pc = m->uop->guest;
	f->address = va;
	f->size = size;
	f->stream = ~0U;
	f->invocation = group * m->threads + thread;
	f->active = m->wb->b.mask;
}

/**
 * simt_charge - work beyond the weight of a micro-op
 * @m: machine
 * @weight: how much
 */
void simt_charge(struct simt_machine *m, u32 weight)
{
	m->left -= weight;
	m->used += weight;
}

const struct vs_fault *simt_machine_fault(const struct simt_machine *m)
{
	return &m->fault;
}

u64 simt_machine_threads(const struct simt_machine *m)
{
	return m->ended;
}

void *simt_machine_arg(const struct simt_machine *m)
{
	return m->l.arg;
}

const struct simt_launch *simt_machine_launched(const struct simt_machine *m)
{
	return &m->l;
}

enum vs_simd simt_machine_simd(const struct simt_machine *m)
{
	return m->simd;
}
