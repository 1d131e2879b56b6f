// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Launches: layout of workgroups over blocks, scheduling of blocks, barriers, slices, faults.
 *
 * A workgroup of more than SIMT_LANES threads has several blocks, which take turns; smaller
 * workgroups are packed into one block. The workgroups that share blocks are a team.
 *
 * A wave is a number of teams that run at the same time. They start in step: every micro-op is
 * executed for a block of each team before the next micro-op, with one control state for all.
 * When a branch diverges between teams, each block runs by itself (simt_part()) until the wave
 * has ended; then the next wave starts.
 */
#include "../vs_intern.h"
#include "simt_opt.h"

/* Weight that a block executes before the next one gets its turn. */
#define QUANTUM		8192

#define SLOTS_COST	4		/* slots cleared per unit of weight */

/* ---- launches ---- */

/**
 * simt_machine_new - create a machine for consecutive launches
 * @arena: memory of the machine and its launches
 * @map: address space
 *
 * Return: the machine, or NULL.
 */
struct simt_machine *simt_machine_new(struct simt_arena *arena, const struct vs_map *map)
{
	struct simt_machine *m = simt_arena_take(arena, 1, sizeof(*m));

	if (!m)
		return NULL;
	memset(m, 0, offsetof(struct simt_machine, offsets));
	m->arena = arena;
	m->tlb.map = map;
	return m;
}

static bool simt_machine_sizes_ok(struct simt_machine *m)
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

/*
 * Set the layout: blocks of a workgroup, or workgroups packed into a block and lanes from one to
 * the next. Return: false: thread memory for one workgroup is missing.
 */
static bool layout(struct simt_machine *m)
{
	const struct simt_launch *l = &m->l;
	u32 warp = l->prog->warp;

	m->nblocks = DIV_ROUND_UP(m->threads, SIMT_LANES);
	m->packed = 1;
	m->stride = SIMT_LANES;
	if (m->threads <= SIMT_LANES / 2) {
		/* a warp belongs to one workgroup, unless workgroups have one thread */
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

/*
 * Limits of teams in step: their slots should fit the L2 cache. Programs with barriers may have
 * SIMT_MAX_STEP: their stretches are short, so that control costs dominate.
 */
#define MAX_STEP	16
#define MAX_RUNNING	64		/* blocks of a wave */

/* Weight of all teams in step between two checks of the slice; does not go below STRETCH_STEP. */
#define MAX_STRETCH	8192
#define STRETCH_STEP	8

static u32 most_in_step(const struct simt_machine *m)
{
	const struct simt_prog *p = m->l.prog;
	u32 most = p->barriers ? SIMT_MAX_STEP : MAX_STEP;
	/* EXT is slow, whatever its weight */
	u32 stretch = p->exts ? MAX_STRETCH : p->stretch;

	most = min(most, max_t(u32, MAX_STRETCH / stretch, STRETCH_STEP));
	return min(most, MAX_RUNNING / m->nblocks);
}

/* Teams of a wave, at least 1. */
static u32 most_teams(const struct simt_machine *m)
{
	const struct simt_launch *l = &m->l;
	u64 n = DIV_ROUND_UP(m->ngroups, m->packed);

	/* the ISA, a debugger, discards or derivatives depend on the order of blocks */
	if (!l->many || l->dbg || l->ops->end || l->prog->kills || l->prog->quads)
		return 1;
	n = min_t(u64, n, most_in_step(m));
	if (l->wls_size)
		n = min_t(u64, n, l->wls_instances / m->packed);
	if (l->tls_size)
		n = min_t(u64, n, l->tls_total / l->tls_size / m->packed / m->threads);
	return max_t(u64, n, 1);
}

/* Uniform words and constants, 16 copies each for vector loads. NULL: arena. */
static u32 *uniform_table(struct simt_machine *m)
{
	const struct simt_prog *p = m->l.prog;
	u32 n = p->nunif + p->nconst, i, k;
	u64 *t = simt_arena_take(m->arena, max(n, 1U), 8 * sizeof(*t)), *to = t;

	for (i = 0; i < n && t; i++, to += 8) {
		u64 v = (i < p->nunif ? m->l.unif[i] : p->consts[i - p->nunif]) * 0x100000001ULL;

		for (k = 0; k < 8; k++)
			to[k] = v;
	}
	return (u32 *)t;
}

/*
 * Return: the slot is cleared when a block is first used. Of the others the program reads none, or
 * each thread writes them first: no thread reads memory of an earlier user of the arena.
 */
bool simt_slot_known(const struct simt_machine *m, u32 slot)
{
	return slot >= SIMT_LIVE_SLOTS || simt_bit(m->known, slot);
}

/*
 * Return: the slot's start value, which simt_ops.start sets, is still there when the next threads
 * start in the block, as neither the program nor a debugger writes it.
 */
bool simt_slot_stays(const struct simt_machine *m, u32 slot)
{
	return !m->l.dbg && slot < SIMT_LIVE_SLOTS && !simt_bit(m->l.prog->written, slot) &&
	       simt_bit(m->l.preset, slot);
}

static void add_slot(u64 *set, u32 slot)
{
	if (slot < SIMT_LIVE_SLOTS)
		set[slot / 64] |= BIT_ULL(slot % 64);
}

/* Registers that the program writes: a dump of a faulted job shows them. */
static void find_shown(struct simt_machine *m)
{
	u32 i, k;

	for (i = 0; i < m->l.nregs; i++) {
		const struct simt_reg *r = &m->l.regs[i];

		if (r->at & SIMT_U || r->thread || r->get)
			continue;
		for (k = 0; k < r->count * r->comps; k++)
			add_slot(m->known, simt_prog_slot(m->l.prog, r->at + k));
	}
}

static void find_known(struct simt_machine *m)
{
	const struct simt_prog *p = m->l.prog;
	u32 i;

	if (p->debug) {
		memset(m->known, 0xff, sizeof(m->known));
		return;
	}
	/* lanes may read what others have not written */
	if (!p->forget || p->quads || p->exts) {
		memcpy(m->known, p->used, sizeof(m->known));
		return;
	}
	memset(m->known, 0, sizeof(m->known));
	find_shown(m);
	for (i = 0; i < ARRAY_SIZE(m->known); i++)
		m->known[i] = p->live[i] | (m->known[i] & p->written[i]);
}

/* List the slots to clear whenever threads start: live at the entry and not preset. */
static void find_cleared(struct simt_machine *m)
{
	const struct simt_prog *p = m->l.prog;
	u32 i;

	m->nclear = 0;
	for (i = 0; i < p->zero && i < SIMT_LIVE_SLOTS; i++) {
		if (simt_bit(p->live, i) && !simt_bit(m->l.preset, i))
			m->clear[m->nclear++] = i;
	}
}

/* Runs are faster than slots one by one, each of which starts a string instruction. */
static void clear_run(u32 *slot, u32 first, u32 end)
{
	if (first < end)
		memset(slot + (size_t)first * SIMT_LANES, 0,
		       (size_t)(end - first) * SIMT_LANES * sizeof(*slot));
}

/* Clear the slots of a block that is used for the first time. */
static void init_slots(const struct simt_machine *m, u32 *slot)
{
	u32 n = m->l.prog->nslots, end = min_t(u32, n, SIMT_LIVE_SLOTS), i, k;
	bool clear;
	u64 bits;

	/* after compaction there are few: one memset is faster */
	if (m->l.prog->at) {
		clear_run(slot, 0, n);
		return;
	}
	for (i = 0; i < end; i += k) {
		bits = m->known[i / 64] >> (i % 64);
		clear = bits & 1;
		bits = clear ? ~bits : bits;
		k = min(end - i, 64 - i % 64);
		if (bits)
			k = min_t(u32, k, __ffs64(bits));
		if (clear)
			clear_run(slot, i, i + k);
	}
	clear_run(slot, end, n);
}

/*
 * Slots from a block to the next one. Odd, as a power of two would map one slot of all blocks to
 * the same set of a cache.
 */
static u32 slots_stride(const struct simt_prog *p)
{
	return p->nslots | 1;
}

/* Allocate the blocks of a wave; fewer teams if the arena is short. */
static int alloc_blocks(struct simt_machine *m)
{
	const struct simt_prog *p = m->l.prog;
	u32 gap = slots_stride(p) * SIMT_LANES, n, i;
	u64 used = m->arena->used;
	u32 *slots = NULL;

	m->unif = uniform_table(m);
	if (!m->unif)
		return -ENOMEM;
	find_known(m);
	find_cleared(m);
	used = m->arena->used;
	for (m->most = most_teams(m);; m->most -= DIV_ROUND_UP(m->most, 4)) {
		if (!m->most)
			return -ENOMEM;
		n = m->most * m->nblocks;
		m->blocks = simt_arena_take(m->arena, n, sizeof(*m->blocks));
		slots = simt_arena_take(m->arena, n, gap * sizeof(u32));
		if (m->blocks && slots)
			break;
		simt_arena_reset(m->arena, used);
	}
	for (i = 0; i < n; i++) {
		struct simt_wave_block *wb = &m->blocks[i];

		/* large, and valid up to their number only */
		memset(wb, 0, offsetof(struct simt_wave_block, run));
		wb->run.n = 0;
		wb->wait.n = 0;
		wb->number = i / m->most;
		wb->team = i % m->most;
		wb->b.slot = slots + (size_t)i * gap;
		wb->b.gap = gap;
		wb->b.own = p->own;
		wb->b.unif = m->unif;
		wb->b.warp = p->warp;
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
	int ret;

	m->l = *l;
	m->active = false;
	m->paused = false;
	m->started = 0;
	m->next = 0;
	m->paths = true;
	memset(&m->fault, 0, sizeof(m->fault));
	if (!simt_machine_sizes_ok(m) || !layout(m))
		return -EINVAL;
	ret = alloc_blocks(m);
	simt_mem_begin(m);
	if (!ret && l->dbg)
		simt_debug_begin(m);
	return ret;
}

/* ---- starting and ending blocks ---- */

static u64 lanes_below(u32 n)
{
	return n >= SIMT_LANES ? ~0ULL : BIT_ULL(n) - 1;
}

/* Lanes of workgroup @k of a block. */
static u64 simt_machine_group_lanes(const struct simt_machine *m, u32 k)
{
	return lanes_below(min_t(u32, m->threads, SIMT_LANES)) << (k * m->stride);
}

/* Block @number of a team; those of the next teams follow. */
static struct simt_wave_block *block_at(const struct simt_machine *m, u32 number, u32 team)
{
	return &m->blocks[number * m->most + team];
}

/* Lanes of a block that are threads. */
static u64 start_lanes(const struct simt_machine *m, const struct simt_group *g)
{
	u64 live = 0;
	u32 k;

	if (m->packed == 1 && m->nblocks > 1)
		return lanes_below(m->threads - g->first);
	if (m->threads == m->stride)
		return lanes_below(g->packed * m->stride);
	for (k = 0; k < g->packed; k++)
		live |= simt_machine_group_lanes(m, k);
	return live;
}

/* Clear the slots that start as zeros, unless init_slots() has. Return: their number. */
static u32 clear_slots(const struct simt_machine *m, u32 *slot, bool again)
{
	u32 zero = m->l.prog->zero, i, first, end;

	for (i = 0; again && i < m->nclear; ) {
		first = m->clear[i];
		for (end = first; i < m->nclear && m->clear[i] == end; i++)
			end++;
		clear_run(slot, first, end);
	}
	if (again)
		clear_run(slot, SIMT_LIVE_SLOTS, zero);
	return m->nclear + (zero > SIMT_LIVE_SLOTS ? zero - SIMT_LIVE_SLOTS : 0);
}

/* Set up a block for @ngroups workgroups from @first on. */
static void start_block(struct simt_machine *m, struct simt_wave_block *wb, u64 first, u32 ngroups)
{
	struct simt_block *b = &wb->b;

	wb->g = (struct simt_group){
		.first = wb->number * SIMT_LANES,
		.packed = ngroups,
		.stride = m->stride,
		.group = first,
	};
	if (!wb->again) {
		init_slots(m, b->slot);
		simt_charge(m, m->l.prog->nslots / SLOTS_COST);
	}
	b->live = start_lanes(m, &wb->g);
	b->helper = 0;
	b->mask = b->live;
	b->step = 1;
	wb->done = false;
	simt_charge(m, 8 + clear_slots(m, b->slot, wb->again) / SLOTS_COST);
}

/* Have the ISA set the start values of @n blocks from @wb on. */
static void simt_machine_preload(struct simt_machine *m, struct simt_wave_block *wb, u32 n)
{
	u32 k;

	m->uop = &m->l.prog->uops[m->l.prog->entry];
	m->wb = wb;
	if (n > 1 && m->l.ops->start_step && m->l.ops->start_step(m, wb, n)) {
		for (k = 0; k < n; k++)
			wb[k].again = true;
		return;
	}
	for (k = 0; k < n; k++) {
		m->wb = wb + k;
		m->l.ops->start(m, &wb[k].b, &wb[k].g);
		wb[k].again = true;
	}
}

/* All lanes start at the entry. */
static void start_paths(struct simt_machine *m, struct simt_wave_block *wb)
{
	simt_flow_start(wb, m->l.prog->entry);
	if (!wb->b.live)
		wb->run.n = 0;
}

/* No block of the earlier wave is runnable or waits. */
static void forget_paths(struct simt_machine *m)
{
	u32 i;

	for (i = 0; i < m->nblocks * m->most; i++) {
		m->blocks[i].run.n = 0;
		m->blocks[i].wait.n = 0;
		m->blocks[i].waiting = 0;
	}
	m->paths = false;
}

/* The first of the blocks with one number runs for those of all teams. */
static void join_step(struct simt_machine *m, struct simt_wave_block *first)
{
	u32 k;

	first->b.step = m->teams;
	for (k = 1; k < m->teams; k++)
		first[k].b.step = 0;
}

/* Copy the shared slots, which only the first block in step has written. */
static void copy_shared(const struct simt_prog *p, u32 *to, const u32 *from)
{
	size_t at = (size_t)SIMT_LANES * p->own, n = (size_t)SIMT_LANES * p->nslots - at;

	memcpy(to + at, from + at, n * sizeof(*to));
}

/**
 * simt_part - blocks in step diverge: each one runs by itself until the wave ends
 * @m: machine
 */
void simt_part(struct simt_machine *m)
{
	u32 i, k;

	for (i = 0; i < m->nblocks; i++) {
		struct simt_wave_block *first = block_at(m, i, 0);

		first->b.step = 1;
		for (k = 1; k < m->teams; k++) {
			simt_flow_copy(first + k, first);
			copy_shared(m->l.prog, first[k].b.slot, first->b.slot);
			first[k].b.step = 1;
		}
	}
	m->in_step = false;
	m->paths = true;
}

/* Start the blocks with number @i of all teams, which start_block() has set up. */
static void start_number(struct simt_machine *m, u32 i)
{
	simt_machine_preload(m, block_at(m, i, 0), m->teams);
	start_paths(m, block_at(m, i, 0));
	if (m->in_step)
		join_step(m, block_at(m, i, 0));
}

/*
 * Start the next wave, or continue to, until the slice is over; @active is set when it is
 * complete. Return: false: no workgroups are left.
 */
static bool start_wave(struct simt_machine *m)
{
	u64 left = m->ngroups - m->next;
	u32 n = min_t(u64, m->packed, left), number, k;

	if (!n)
		return false;
	/* a partially filled block never runs in step */
	m->teams = m->most == 1 ? 1 : min_t(u64, m->most, left / n);
	if (m->paths)
		forget_paths(m);
	m->in_step = m->teams > 1;
	while (m->started < m->nblocks * m->teams) {
		/* mostly one team, and divisions are slow */
		number = m->teams == 1 ? m->started : m->started / m->teams;
		k = m->started - number * m->teams;
		start_block(m, block_at(m, number, k), m->next + k * n, n);
		if (k + 1 == m->teams)
			start_number(m, number);
		m->started++;
		/* a dump shows all of them: none may be missing after a fault */
		if (m->left <= 0 && !m->fault.kind)
			return true;
	}
	m->started = 0;
	m->next += m->teams * n;
	m->active = true;
	m->turn = 0;
	m->quantum = QUANTUM;
	return true;
}

/* ---- barriers ---- */

/* Lanes of workgroups whose threads all wait at the barrier. */
static u64 arrived(const struct simt_machine *m, const struct simt_wave_block *wb)
{
	u64 go = 0;
	u32 k;

	for (k = 0; k < wb->g.packed; k++) {
		u64 lanes = simt_machine_group_lanes(m, k) & wb->b.live;

		if ((wb->waiting & lanes) == lanes)
			go |= lanes;
	}
	return go;
}

/* Release a team's lanes whose workgroups have arrived at the barrier. */
static void release(struct simt_machine *m, u32 team)
{
	u32 i;

	if (m->nblocks == 1) {
		struct simt_wave_block *wb = block_at(m, 0, team);
		u64 go = arrived(m, wb);

		if (go)
			simt_flow_release(wb, go);
		return;
	}
	for (i = 0; i < m->nblocks; i++) {
		if (block_at(m, i, team)->run.n)
			return;
	}
	for (i = 0; i < m->nblocks; i++)
		simt_flow_release(block_at(m, i, team), ~0ULL);
}

/* ---- running ---- */

/* Report the end of a block's threads to the ISA, once. */
static void block_done(struct simt_machine *m, struct simt_wave_block *wb)
{
	if (wb->done)
		return;
	m->end_again = false;
	m->wb = wb;
	if (m->l.ops->end)
		m->l.ops->end(m, &wb->b, &wb->g);
	wb->done = !m->end_again;
}

/* Give the turn to a runnable block. Return: false if there is none. */
static bool next_block(struct simt_machine *m)
{
	u32 n = m->nblocks * m->most, by = m->in_step ? m->most : 1, i, k = m->turn;

	for (i = 0; i < n; i += by) {
		k += by;
		if (k >= n)
			k -= n;
		if (m->blocks[k].run.n) {
			m->turn = k;
			m->quantum = QUANTUM;
			return true;
		}
	}
	return false;
}

/* Run block m->turn until it waits, ends or its quantum is used up. Return: false: fault. */
static bool run_turn(struct simt_machine *m)
{
	struct simt_wave_block *wb = &m->blocks[m->turn];
	enum simt_blk r;

	if (wb->run.n) {
		r = simt_flow_run(m, wb);
		if (r == SIMT_BLK_FAULT)
			return false;
		if (m->stopped || m->paused || m->within)
			return true;
		/* workgroups packed into a block pass barriers independently */
		if (!wb->run.n || (m->nblocks == 1 && wb->waiting))
			release(m, wb->team);
	}
	if (!wb->b.live) {
		block_done(m, wb);
		if (m->fault.kind)
			return false;
		if (!wb->done)
			return true;
	}
	if (!wb->run.n || m->quantum <= 0) {
		if (!next_block(m))
			m->active = false;
	}
	return true;
}

static enum simt_status simt_machine_do_run(struct simt_machine *m)
{
	do {
		if (!m->active && !start_wave(m))
			return SIMT_RUN_DONE;
		if (m->fault.kind || (m->active && !run_turn(m)))
			return SIMT_RUN_FAULT;
	} while (m->left > 0 && !vs_should_yield());
	return m->stopped ? SIMT_RUN_STOP : SIMT_RUN_MORE;
}

enum simt_status simt_machine_run(struct simt_machine *m, enum vs_simd simd, u32 slice, u64 *used)
{
	enum simt_status r;
	u32 saved;

	m->simd = simd;
	m->left = slice;
	m->used = 0;
	m->stopped = false;
	saved = vs_fpu_begin(simd, VS_FPU_NEAREST);
	r = simt_machine_do_run(m);
	vs_fpu_end(simd, saved);
	*used = m->used;
	return r;
}

/* ---- for the ISA ---- */

u64 simt_invocation(const struct simt_machine *m, const struct simt_wave_block *wb, u32 lane)
{
	const struct simt_group *g = &wb->g;

	if (m->packed > 1)
		return (g->group + lane / m->stride) * m->threads + lane % m->stride;
	return g->group * m->threads + g->first + lane;
}

/* Where the fault is: lanes @mask at the current micro-op, the first one is reported. */
static void simt_machine_locate(struct simt_machine *m, u64 mask)
{
	struct vs_fault *f = &m->fault;

	f->pc = m->uop->guest;
	f->invocation = simt_invocation(m, m->wb, mask ? __ffs64(mask) : 0);
	f->active = m->wb->b.mask;
}

/**
 * simt_fault - raise the fault of an access at the current micro-op; the first one wins
 * @m: machine
 * @kind: kind of fault
 * @mask: lanes that fault; the first one is reported
 * @va: address
 * @size: bytes
 */
void simt_fault(struct simt_machine *m, enum vs_fault_kind kind, u64 mask, u64 va, u32 size)
{
	if (m->fault.kind)
		return;
	vs_fault_memory(&m->fault, kind, va, size);
	simt_machine_locate(m, mask);
}

/**
 * simt_fault_command - raise a fault for a descriptor; the first one wins
 * @m: machine
 * @mask: lanes that fault; the first one is reported
 * @va: address of the descriptor, 0: none
 * @code: reason
 * @value: value found, 0: none
 */
void simt_fault_command(struct simt_machine *m, u64 mask, u64 va, u32 code, u32 value)
{
	if (m->fault.kind)
		return;
	vs_fault_command(&m->fault, va, code, value);
	simt_machine_locate(m, mask);
}

void simt_fault_stream(struct simt_machine *m, u32 stream)
{
	m->fault.pc = VS_FAULT_NO_PC;
	m->fault.stream = stream;
}

/**
 * simt_charge - charge weight beyond that of the micro-op
 * @m: machine
 * @weight: weight
 */
void simt_charge(struct simt_machine *m, u32 weight)
{
	m->left -= weight;
	m->used += weight;
}

void simt_end_again(struct simt_machine *m)
{
	m->end_again = true;
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
