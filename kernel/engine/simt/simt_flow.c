// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Control flow of a block. Lanes at the same micro-op form a path. The path with the lowest
 * program counter runs, so that paths reconverge at JOINs. For forward progress between lanes
 * that wait for each other, a path gives way after it has run PATIENCE times while others
 * were runnable.
 */
#include "../vs_debug.h"
#include "simt_intern.h"

/* Number of times that a path is selected while others wait, and then the next one. */
#define PATIENCE	4096
#define GRACE		256
/* Weight after which an executor returns, about 10 us: the worker may have to yield. */
#define MAX_JUMPS	1024

/**
 * simt_flow_start - start all live lanes on one path
 * @wb: block
 * @entry: micro-op
 */
void simt_flow_start(struct simt_wave_block *wb, u32 entry)
{
	wb->run.n = 1;
	wb->run.pc[0] = entry;
	wb->run.mask[0] = wb->b.live;
	wb->wait.n = 0;
	wb->waiting = 0;
	wb->cur = 0;
	wb->stay = 0;
	wb->grace = 0;
}

static void copy_paths(struct simt_paths *to, const struct simt_paths *from)
{
	u32 i;

	to->n = from->n;
	for (i = 0; i < from->n; i++) {
		to->pc[i] = from->pc[i];
		to->mask[i] = from->mask[i];
	}
}

/**
 * simt_flow_copy - copy the paths of another block
 * @to: block whose own paths are discarded
 * @from: block to copy from
 */
void simt_flow_copy(struct simt_wave_block *to, const struct simt_wave_block *from)
{
	copy_paths(&to->run, &from->run);
	copy_paths(&to->wait, &from->wait);
	to->waiting = from->waiting;
	to->cur = from->cur;
	to->stay = from->stay;
	to->grace = from->grace;
	to->b.live = from->b.live;
	to->b.mask = from->b.mask;
}

static void path_remove(struct simt_paths *p, u32 i)
{
	p->n--;
	p->pc[i] = p->pc[p->n];
	p->mask[i] = p->mask[p->n];
}

/* Add lanes at @pc. There are never more paths than lanes. */
static void simt_flow_path_add(struct simt_paths *p, u32 pc, u64 mask)
{
	u32 i;

	for (i = 0; i < p->n; i++) {
		if (p->pc[i] == pc) {
			p->mask[i] |= mask;
			return;
		}
	}
	p->pc[p->n] = pc;
	p->mask[p->n++] = mask;
}

/**
 * simt_flow_move - move a lane to another micro-op
 * @wb: block
 * @lane: lane
 * @pc: micro-op
 *
 * Return: false: the lane waits at a barrier.
 */
bool simt_flow_move(struct simt_wave_block *wb, u32 lane, u32 pc)
{
	struct simt_paths *p = &wb->run;
	u32 i;

	for (i = 0; i < p->n && !(p->mask[i] >> lane & 1); i++)
		;
	if (i == p->n)
		return false;
	if (p->mask[i] == BIT_ULL(lane)) {
		p->pc[i] = pc;
		return true;
	}
	p->mask[i] &= ~BIT_ULL(lane);
	simt_flow_path_add(p, pc, BIT_ULL(lane));
	wb->b.mask = p->mask[wb->cur];
	return true;
}

/**
 * simt_flow_release - release lanes from a barrier
 * @wb: block
 * @lanes: lanes to release if they wait
 */
void simt_flow_release(struct simt_wave_block *wb, u64 lanes)
{
	u32 i = 0;

	wb->waiting &= ~lanes;
	while (i < wb->wait.n) {
		u64 go = wb->wait.mask[i] & lanes;

		if (go)
			simt_flow_path_add(&wb->run, wb->wait.pc[i], go);
		wb->wait.mask[i] &= ~lanes;
		if (wb->wait.mask[i])
			i++;
		else
			path_remove(&wb->wait, i);
	}
	wb->cur = 0;
	wb->grace = 0;
}

/* Select the path with the lowest program counter, or the one that has its grace period. */
static u32 next_path(struct simt_wave_block *wb)
{
	const struct simt_paths *p = &wb->run;
	u32 i, best = 0;

	if (wb->grace) {
		wb->grace--;
		return wb->cur;
	}
	for (i = 1; i < p->n; i++) {
		if (p->pc[i] < p->pc[best])
			best = i;
	}
	wb->stay = best == wb->cur ? wb->stay + 1 : 0;
	if (wb->stay <= PATIENCE)
		return best;
	wb->stay = 0;
	wb->grace = GRACE;
	return (best + 1) % p->n;
}

/* Merge paths at the same micro-op and select the next one. */
static void simt_flow_pick(struct simt_machine *m, struct simt_wave_block *wb)
{
	struct simt_paths *p = &wb->run;
	u32 i, best;

	if (p->n <= 1) {
		wb->cur = 0;
		wb->stay = 0;
		wb->grace = 0;
		return;
	}
	m->left -= p->n / 4;
	best = next_path(wb);
	for (i = p->n; i-- > 0;) {
		if (i == best || p->pc[i] != p->pc[best])
			continue;
		p->mask[best] |= p->mask[i];
		/* the last path fills the gap */
		if (best == p->n - 1)
			best = i;
		path_remove(p, i);
	}
	wb->cur = best;
}

/* Lanes of @mask whose operand is nonzero. Return: false if the blocks differ. */
static bool nonzero(const struct simt_machine *m, const struct simt_block *b, u32 s, u64 mask,
		    u64 *set)
{
	u32 step;
	const u32 *v = simt_src(b, s, &step);

	if (step)
		return simt_nonzero(m->simd, v, s < b->own ? b->step : 1, b->gap, mask, set);
	*set = *v ? mask : 0;
	return true;
}

/* Lanes of @mask for which the comparison of a BRCMP holds. Return: false if the blocks differ. */
static bool simt_flow_compared(const struct simt_machine *m, const struct simt_block *b,
			       const struct simt_uop *u, u64 mask, u64 *set)
{
	struct simt_compare c = { .how = u->n & ~SIMT_BRCMP_NOT, .n = 1, .mask = mask };

	c.a = simt_src(b, u->s[0], &c.a_step);
	c.b = simt_src(b, u->s[1], &c.b_step);
	if (u->s[0] < b->own) {
		c.a_gap = b->gap;
		c.n = b->step;
	}
	if (u->s[1] < b->own) {
		c.b_gap = b->gap;
		c.n = b->step;
	}
	return simt_compare(m->simd, &c, set);
}

/* Execute a branch: split the path if its lanes diverge; leave step if the blocks do. */
static void simt_flow_branch(struct simt_machine *m, struct simt_wave_block *wb,
			     const struct simt_uop *u, u32 n)
{
	struct simt_paths *p = &wb->run;
	u64 mask = p->mask[wb->cur], taken;
	bool agree = u->op == SIMT_BRCMP ? simt_flow_compared(m, &wb->b, u, mask, &taken) :
		     nonzero(m, &wb->b, u->s[0], mask, &taken);

	if (!agree) {
		/* each block executes the branch */
		p->pc[wb->cur] = n;
		simt_part(m);
		return;
	}
	if (u->op == SIMT_BRZ || (u->op == SIMT_BRCMP && u->n & SIMT_BRCMP_NOT))
		taken ^= mask;
	if (taken == mask) {
		p->pc[wb->cur] = u->imm;
	} else {
		p->pc[wb->cur] = n + 1;
		if (taken) {
			p->mask[wb->cur] &= ~taken;
			simt_flow_path_add(p, u->imm, taken);
		}
	}
	simt_flow_pick(m, wb);
}

static void end_lanes(struct simt_machine *m, struct simt_wave_block *wb, u64 lanes)
{
	struct simt_paths *p = &wb->run;

	m->ended += (u64)wb->b.step * hweight64(lanes & ~wb->b.helper);
	wb->b.live &= ~lanes;
	p->mask[wb->cur] &= ~lanes;
	if (!p->mask[wb->cur]) {
		path_remove(p, wb->cur);
		wb->cur = 0;
		wb->grace = 0;
	}
	simt_flow_pick(m, wb);
}

static void reach_barrier(struct simt_machine *m, struct simt_wave_block *wb, u32 n)
{
	struct simt_paths *p = &wb->run;
	u64 mask = p->mask[wb->cur];

	simt_flow_path_add(&wb->wait, n + 1, mask);
	wb->waiting |= mask;
	path_remove(p, wb->cur);
	wb->cur = 0;
	wb->grace = 0;
	simt_flow_pick(m, wb);
}

static void kill_lanes(struct simt_machine *m, struct simt_wave_block *wb,
		       const struct simt_uop *u)
{
	u64 lanes;

	/* programs with kills never run in step */
	nonzero(m, &wb->b, u->s[0], wb->run.mask[wb->cur] & ~wb->b.helper, &lanes);
	/* they are not counted when they end */
	m->ended += hweight64(lanes);
	wb->b.helper |= lanes;
}

u64 simt_ext_lanes(const struct simt_machine *m, const struct simt_block *b)
{
	return m->resumes ? m->pause_left : b->mask;
}

bool simt_ext_pause(struct simt_machine *m, u64 left)
{
	m->paused = left && simt_slice_over(m);
	m->pause_left = m->paused ? left : 0;
	return m->paused;
}

bool simt_ext_paused(const struct simt_machine *m)
{
	return m->paused;
}

bool simt_ext_resumes(const struct simt_machine *m)
{
	return m->resumes;
}

/*
 * Execute an ATOM or EXT for each block in step. The slice may end between blocks and within the
 * micro-op; the path then stays at its number @n. Return: false: fault.
 */
static bool effects(struct simt_machine *m, struct simt_wave_block *wb, const struct simt_uop *u,
		    u32 n)
{
	u32 k = m->paused ? m->pause_at : 0;
	u64 mask = wb->b.mask;

	m->resumes = m->paused && m->pause_left;
	m->paused = false;
	for (; k < wb->b.step && !m->paused; k++) {
		m->wb = wb + k;
		wb[k].b.mask = mask;
		wb[k].b.live = wb->b.live;
		if (!(u->op == SIMT_ATOM ? simt_atomic(m, &wb[k].b, u) :
		      m->l.ops->ext(m, &wb[k].b, u)))
			return false;
		m->resumes = false;
		m->pause_at = k;
		if (m->paused || k + 1 == wb->b.step)
			continue;
		m->pause_at = k + 1;
		m->pause_left = 0;
		m->paused = simt_slice_over(m);
	}
	m->wb = wb;
	if (m->paused)
		wb->run.pc[wb->cur] = n;
	return true;
}

static bool is_guest(const struct simt_uop *u)
{
	return u->op == SIMT_JOIN && u->imm >= SIMT_GUEST;
}

/*
 * Debugged launches: the path is in front of a guest instruction, micro-op @n, or of another
 * operation of it. Paths that wait there are merged first, unless that was done before the stop.
 */
static noinline void at_guest(struct simt_machine *m, struct simt_wave_block *wb, u32 n)
{
	const struct simt_uop *u;

	wb->run.pc[wb->cur] = n;
	if (!m->l.dbg->held && m->uop->imm == SIMT_GUEST)
		simt_flow_pick(m, wb);
	u = &m->l.prog->uops[wb->run.pc[wb->cur]];
	if (!is_guest(u))
		return;
	m->uop = u;
	wb->b.mask = wb->run.mask[wb->cur];
	m->stopped = vs_debug_at(m->l.dbg, u->guest, u->imm - SIMT_GUEST);
	if (m->stopped)
		m->left = 0;
	else
		wb->run.pc[wb->cur]++;
}

/* Execute micro-op @u with number @n for the current path. Return: false: fault. */
static bool simt_flow_control(struct simt_machine *m, struct simt_wave_block *wb,
			      const struct simt_uop *u, u32 n)
{
	struct simt_paths *p = &wb->run;

	if (unlikely(m->l.dbg) && !m->paused)
		simt_debug_access(m, &wb->b);
	/* loads and resources are within an operation */
	if (unlikely(m->special.open) && simt_opinfo[u->op].class == SIMT_CL_C)
		simt_special_end(m, &wb->b, n);
	switch (u->op) {
	case SIMT_LD:
	case SIMT_ST:
		if (!simt_mem(m, wb, u))
			return false;
		p->pc[wb->cur] = m->paused ? n : n + 1;
		return true;
	case SIMT_ATOM:
	case SIMT_EXT:
		p->pc[wb->cur] = n + 1;
		return effects(m, wb, u, n);
	case SIMT_JOIN:
		p->pc[wb->cur] = n + 1;
		if (unlikely(m->l.dbg) && u->imm) {
			at_guest(m, wb, n);
		} else if (p->n > 1) {
			/* paths that wait here are in front of the JOIN */
			p->pc[wb->cur] = n;
			simt_flow_pick(m, wb);
			if (p->pc[wb->cur] == n)
				p->pc[wb->cur] = n + 1;
		}
		return true;
	case SIMT_JMP:
		p->pc[wb->cur] = u->imm;
		simt_flow_pick(m, wb);
		return true;
	case SIMT_BRNZ:
	case SIMT_BRZ:
	case SIMT_BRCMP:
		simt_flow_branch(m, wb, u, n);
		return true;
	case SIMT_END:
		end_lanes(m, wb, p->mask[wb->cur]);
		return true;
	case SIMT_BARRIER:
		reach_barrier(m, wb, n);
		return true;
	case SIMT_KILL:
		kill_lanes(m, wb, u);
		p->pc[wb->cur] = n + 1;
		return true;
	case SIMT_ENDKILL:
		p->pc[wb->cur] = n + 1;
		if (p->mask[wb->cur] & wb->b.helper)
			end_lanes(m, wb, p->mask[wb->cur] & wb->b.helper);
		return true;
	default:
		simt_fault(m, (enum vs_fault_kind)u->imm, p->mask[wb->cur], 0, 0);
		return false;
	}
}

/* Micro-op of the current path. A lone path skips a JOIN, except those of debuggers. */
static u32 next_uop(const struct simt_prog *p, const struct simt_paths *run, u32 cur)
{
	u32 n = run->pc[cur];

	if (run->n == 1 && p->uops[n].op == SIMT_JOIN && !p->uops[n].imm)
		n++;
	return n;
}

static void simt_flow_charge(struct simt_machine *m, const struct simt_wave_block *wb, u32 weight)
{
	m->left -= wb->b.step * weight;
	m->used += wb->b.step * weight;
	m->quantum -= weight;
}

/*
 * Let the executor execute control micro-ops of a block that runs by itself, as long as they leave
 * its paths as they are. Selections and weight count as if simt_flow_control() had executed them.
 */
static void allow_jumps(const struct simt_machine *m, struct simt_wave_block *wb, u32 from)
{
	const struct simt_paths *p = &wb->run;
	struct simt_jumps *j = &wb->b.jumps;
	u32 i;

	j->from = from;
	j->left = 0;
	j->charged = 0;
	j->picks = 0;
	if (wb->b.step != 1 || wb->grace || unlikely(m->l.dbg))
		return;
	j->uops = m->l.prog->uops;
	j->wsum = m->l.prog->wsum;
	j->left = clamp_t(s64, min(m->left, m->quantum), 0, MAX_JUMPS);
	j->limit = ~0U;
	j->max_picks = ~0U;
	j->toll = 0;
	if (p->n == 1)
		return;
	j->toll = p->n / 4;
	j->max_picks = PATIENCE - min_t(u32, wb->stay, PATIENCE);
	for (i = 0; i < p->n; i++)
		if (i != wb->cur)
			j->limit = min(j->limit, p->pc[i]);
}

/* Charge what the executor has executed. Return: the first micro-op that is not charged. */
static u32 charge_jumps(struct simt_machine *m, struct simt_wave_block *wb)
{
	const struct simt_jumps *j = &wb->b.jumps;

	simt_flow_charge(m, wb, j->charged);
	if (!j->picks)
		return j->from;
	m->left -= (s64)j->toll * j->picks;
	wb->stay = wb->run.n > 1 ? wb->stay + j->picks : 0;
	return j->from;
}

/* Return: @u is executed by simt_exec_run(). */
static bool is_straight(const struct simt_uop *u)
{
	return simt_opinfo[u->op].class <= SIMT_CL_I;
}

/**
 * simt_flow_run - run a block
 * @m: machine
 * @wb: block
 *
 * Return: SIMT_BLK_DONE all lanes have ended, _BARRIER all others wait, _MORE the slice or the
 * block's turn is over, _FAULT.
 */
enum simt_blk simt_flow_run(struct simt_machine *m, struct simt_wave_block *wb)
{
	const struct simt_prog *p = m->l.prog;

	m->wb = wb;
	m->within = false;
	while (wb->run.n) {
		u32 from = next_uop(p, &wb->run, wb->cur), n;

		wb->b.mask = wb->run.mask[wb->cur];
		m->uop = p->uops + from;
		if (is_straight(m->uop) && unlikely(vs_debug_checks(m->l.dbg))) {
			simt_special_run(m, &wb->b, &m->uop);
		} else if (is_straight(m->uop)) {
			allow_jumps(m, wb, from);
			m->uop = simt_exec_run(m->simd, &wb->b, m->uop);
			from = charge_jumps(m, wb);
		}
		n = m->uop - p->uops;
		if (is_straight(m->uop)) {
			simt_flow_charge(m, wb, p->wsum[n] - p->wsum[from]);
			wb->run.pc[wb->cur] = n;
			m->within = simt_slice_over(m);
			if (m->within)
				return SIMT_BLK_MORE;
			continue;
		}
		/* a resumed micro-op has been charged already */
		if (!m->paused)
			simt_flow_charge(m, wb, p->wsum[n + 1] - p->wsum[from]);
		if (!simt_flow_control(m, wb, m->uop, n))
			return SIMT_BLK_FAULT;
		if (m->paused)
			return SIMT_BLK_MORE;
		if (simt_slice_over(m) || m->quantum <= 0)
			return wb->run.n ? SIMT_BLK_MORE :
			       wb->waiting ? SIMT_BLK_BARRIER : SIMT_BLK_DONE;
	}
	return wb->waiting ? SIMT_BLK_BARRIER : SIMT_BLK_DONE;
}
