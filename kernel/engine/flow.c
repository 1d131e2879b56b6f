// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Control flow. Groups of lanes with equal control state take turns: the deepest stack
 * first, then the loop with most iterations left, then the lowest address, so that lanes
 * wait where the others will reconverge. Groups that meet with equal state merge.
 *
 * Ring stacks as documented by 3dbrew: CALL 4, IF 8, LOOP 4 entries, the oldest is lost
 * on overflow; after an instruction, the address following it pops entries.
 */
#include "vs_intern.h"

/* Weight between two checks for subnormal operands, and the weight charged for them. */
#define PROBE_WEIGHT	256
#define PROBE_FACTOR	15

#define GROUPS_PER_TIME	2

static const struct vs_prog *prog_of(const struct vs_worker *w)
{
	return w->ph->l.prog;
}

/**
 * vs_flow_start - start with all lanes in one group
 * @w: worker
 * @mask: lanes
 * @entry: micro-op
 */
void vs_flow_start(struct vs_worker *w, u64 mask, u32 entry)
{
	struct vs_group *g = &w->group[0];

	g->mask = mask;
	g->pc = entry;
	g->ncall = 0;
	g->nif = 0;
	g->nloop = 0;
	w->ngroups = 1;
	w->cur = 0;
}

static u32 flow_depth_of(const struct vs_group *g)
{
	return g->ncall + g->nif + g->nloop;
}

/**
 * vs_flow_fault - raise a fault of some lanes of the current group
 * @w: worker
 * @kind: kind of fault
 * @mask: lanes
 */
void vs_flow_fault(struct vs_worker *w, enum vs_fault_kind kind, u64 mask)
{
	const struct vs_group *g = &w->group[w->cur];
	struct vs_fault *f = &w->fault;

	mask &= w->live;
	vs_fault_init(f, kind);
	f->pc = prog_of(w)->guest_of_uop[g->pc];
	f->invocation = w->inv0 + (mask ? __ffs64(mask) : 0);
	f->draw = w->ph->draw;
	f->depth = flow_depth_of(g);
	f->active = g->mask & w->live;
}

/* ---- the loop's address register ---- */

/* aL = (aL & @keep) + @add in 0..255, two lanes at a time if all are active. */
static void al_update(struct vs_worker *w, u64 mask, u32 slot, u32 keep, u32 add)
{
	u32 *p = w->b.slot[slot], i;

	if (mask == ~0ULL) {
		u64 k = keep | (u64)keep << 32, a = add | (u64)add << 32, v;

		for (i = 0; i < VS_LANES; i += 2) {
			memcpy(&v, p + i, sizeof(v));
			v = ((v & k) + a) & 0xff000000ffULL;
			memcpy(p + i, &v, sizeof(v));
		}
		return;
	}
	for (i = 0; i < VS_LANES; i++)
		p[i] = mask >> i & 1 ? ((p[i] & keep) + add) & 0xff : p[i];
}

static void al_set(struct vs_worker *w, u64 mask, u32 slot, u32 value)
{
	al_update(w, mask, slot, 0, value);
}

static void al_step(struct vs_worker *w, u64 mask, u32 slot, u32 step)
{
	al_update(w, mask, slot, 0xff, step);
}

static void al_save(struct vs_worker *w, u64 mask, u32 slot, u32 level)
{
	const u32 *p = w->b.slot[slot];
	u32 i;

	if (!(w->ph->l.flags & VS_LAUNCH_AL_RESTORE))
		return;
	for (i = 0; i < VS_LANES; i++) {
		if (mask >> i & 1)
			w->al_save[level][i] = p[i];
	}
}

static void al_restore(struct vs_worker *w, u64 mask, u32 slot, u32 level)
{
	u32 *p = w->b.slot[slot], i;

	if (!(w->ph->l.flags & VS_LAUNCH_AL_RESTORE))
		return;
	for (i = 0; i < VS_LANES; i++) {
		if (mask >> i & 1)
			p[i] = w->al_save[level][i];
	}
}

/* The oldest loop entry is lost: saved values move down. */
static void al_drop(struct vs_worker *w, u64 mask)
{
	u32 i, k;

	for (i = 0; i < VS_LANES; i++) {
		for (k = 1; k < VS_LOOP_RING && mask >> i & 1; k++)
			w->al_save[k - 1][i] = w->al_save[k][i];
	}
}

/* ---- ring stacks ---- */

static void flow_push_call(const struct vs_prog *p, struct vs_group *g, const struct vs_flow *f)
{
	if (g->ncall == VS_CALL_RING)
		memmove(g->call, g->call + 1, --g->ncall * sizeof(g->call[0]));
	g->call[g->ncall++] = (struct vs_call_ent){
		.ret = f->resume,
		.end = f->end,
		.ret_guest = p->guest_of_uop[f->resume],
	};
}

static void push_if(struct vs_group *g, const struct vs_flow *f)
{
	if (g->nif == VS_IF_RING)
		memmove(g->ifs, g->ifs + 1, --g->nif * sizeof(g->ifs[0]));
	g->ifs[g->nif++] = (struct vs_if_ent){ .other = f->other, .end = f->end };
}

static void push_loop(struct vs_worker *w, struct vs_group *g, const struct vs_flow *f)
{
	const struct vs_loop *d = &w->ph->l.loops[f->num & 3];

	if (g->nloop == VS_LOOP_RING) {
		memmove(g->loop, g->loop + 1, --g->nloop * sizeof(g->loop[0]));
		al_drop(w, g->mask);
	}
	al_save(w, g->mask, f->al, g->nloop);
	g->loop[g->nloop++] = (struct vs_loop_ent){
		.start = f->resume,
		.other = f->other,
		.end = f->end,
		.al = f->al,
		.left = d->count,
		.step = d->step,
	};
	al_set(w, g->mask, f->al, d->start);
}

/* The fourth pop of one instruction does not move the program counter. */
static u32 pop_calls(struct vs_group *g, u32 next, u32 pc)
{
	u32 n;

	for (n = 0; n < VS_CALL_RING && g->ncall; n++) {
		const struct vs_call_ent *e = &g->call[g->ncall - 1];

		if (e->end != next)
			break;
		if (n < VS_CALL_RING - 1) {
			pc = e->ret;
			next = e->ret_guest;
		}
		g->ncall--;
	}
	return pc;
}

/* BREAK leaves the loop in the step in which its end would be detected. */
static u32 loop_end(struct vs_worker *w, struct vs_group *g, bool brk, u32 pc)
{
	struct vs_loop_ent *e = &g->loop[g->nloop - 1];

	if (!brk) {
		al_step(w, g->mask, e->al, e->step);
		if (e->left) {
			e->left--;
			return e->start;
		}
	}
	pc = e->other;
	g->nloop--;
	if (g->nloop)
		al_restore(w, g->mask, e->al, g->nloop);
	return pc;
}

/* Next address after an instruction, given the next one without ring stacks. */
static u32 ring_pops(struct vs_worker *w, struct vs_group *g, const struct vs_uop *u, bool brk,
		     u32 pc)
{
	u32 next = u->f.next;

	if (u->flags & VS_UOP_RINGS) {
		pc = pop_calls(g, next, pc);
		if (g->nif && g->ifs[g->nif - 1].end == next)
			pc = g->ifs[--g->nif].other;
		if (!brk && g->nloop && g->loop[g->nloop - 1].end == next)
			return loop_end(w, g, false, pc);
	}
	return brk ? loop_end(w, g, true, pc) : pc;
}

/* Execute control micro-op @u for group @g. Return: false: the unit hangs. */
static bool flow_act(struct vs_worker *w, struct vs_group *g, const struct vs_uop *u, bool taken)
{
	const struct vs_flow *f = &u->f;
	bool brk = false;
	u32 pc = f->resume;

	switch (u->op) {
	case VS_OP_BR:
		pc = taken ? f->target : f->resume;
		break;
	case VS_OP_CALL:
		if (!taken)
			break;
		flow_push_call(prog_of(w), g, f);
		pc = f->target;
		break;
	case VS_OP_IF:
		if (taken)
			push_if(g, f);
		else
			pc = f->target;
		break;
	case VS_OP_LOOP:
		push_loop(w, g, f);
		break;
	case VS_OP_BREAK:
		brk = taken;
		break;
	}
	if (brk && !g->nloop)
		return false;
	g->pc = ring_pops(w, g, u, brk, pc);
	return true;
}

/* Lanes for which the condition of @f holds. */
static u64 flow_condition(const struct vs_worker *w, const struct vs_flow *f)
{
	u64 p0 = w->b.pred[0], p1 = w->b.pred[1], r = 0;

	switch (f->cond) {
	case VS_COND_PREDS:
		if (f->lut & 1)
			r |= ~p0 & ~p1;
		if (f->lut & 2)
			r |= p0 & ~p1;
		if (f->lut & 4)
			r |= ~p0 & p1;
		if (f->lut & 8)
			r |= p0 & p1;
		return r;
	case VS_COND_BOOL:
		return (w->bools >> f->num ^ f->lut) & 1 ? ~0ULL : 0;
	default:
		return ~0ULL;
	}
}

/* ---- groups ---- */

static bool same_state(const struct vs_group *a, const struct vs_group *b)
{
	return a->pc == b->pc && a->ncall == b->ncall && a->nif == b->nif &&
	       a->nloop == b->nloop &&
	       !memcmp(a->call, b->call, a->ncall * sizeof(a->call[0])) &&
	       !memcmp(a->ifs, b->ifs, a->nif * sizeof(a->ifs[0])) &&
	       !memcmp(a->loop, b->loop, a->nloop * sizeof(a->loop[0]));
}

static void remove_group(struct vs_worker *w, u32 i)
{
	w->ngroups--;
	if (i != w->ngroups)
		w->group[i] = w->group[w->ngroups];
}

/* Return: group @a runs before @b. */
static bool flow_before(const struct vs_group *a, const struct vs_group *b)
{
	u32 da = flow_depth_of(a), db = flow_depth_of(b);

	if (da != db)
		return da > db;
	if (a->nloop && b->nloop && a->loop[a->nloop - 1].left != b->loop[b->nloop - 1].left)
		return a->loop[a->nloop - 1].left > b->loop[b->nloop - 1].left;
	return a->pc < b->pc;
}

/* Select the next group, merging group @moved with those that have equal state. */
static void pick_group(struct vs_worker *w, u32 moved)
{
	struct vs_group *m = &w->group[moved];
	u32 i, best = 0;

	vs_charge(w, w->ngroups / 4);
	for (i = w->ngroups; i-- > 0;) {
		if (i == moved || !same_state(m, &w->group[i]))
			continue;
		m->mask |= w->group[i].mask;
		if (moved == w->ngroups - 1) {
			/* The last group fills the gap: it is @moved itself. */
			w->group[i].mask = m->mask;
			w->ngroups--;
			moved = i;
			m = &w->group[i];
		} else {
			remove_group(w, i);
		}
	}
	for (i = 1; i < w->ngroups; i++) {
		if (flow_before(&w->group[i], &w->group[best]))
			best = i;
	}
	w->cur = best;
}

/* Execute a branch: split the group if its lanes diverge. */
static enum vs_blk flow_branch(struct vs_worker *w, const struct vs_uop *u)
{
	struct vs_group *g = &w->group[w->cur], *h;
	u64 taken = flow_condition(w, &u->f) & g->mask, rest = g->mask & ~taken;

	if (taken && rest) {
		/* There are never more groups than lanes. */
		h = &w->group[w->ngroups++];
		*h = *g;
		h->mask = rest;
		g->mask = taken;
		if (!flow_act(w, h, u, false)) {
			vs_flow_fault(w, VS_FAULT_HANG, rest);
			return VS_BLK_FAULT;
		}
	}
	if (!flow_act(w, g, u, taken)) {
		vs_flow_fault(w, VS_FAULT_HANG, g->mask);
		return VS_BLK_FAULT;
	}
	if (w->ngroups > 1) {
		u32 cur = w->cur;

		/* Both parts have moved, and either may merge with an older group. */
		if (taken && rest)
			pick_group(w, w->ngroups - 1);
		pick_group(w, cur < w->ngroups ? cur : 0);
	}
	return VS_BLK_MORE;
}

/* Execute control micro-op @n of the current group. Return: VS_BLK_MORE: continue. */
static enum vs_blk flow_control(struct vs_worker *w, const struct vs_uop *u, u32 n)
{
	struct vs_group *g = &w->group[w->cur];

	switch (u->op) {
	case VS_OP_END:
		remove_group(w, w->cur);
		if (!w->ngroups)
			return VS_BLK_DONE;
		pick_group(w, 0);
		return VS_BLK_MORE;
	case VS_OP_CHECK:
		g->pc = n + 1;
		if (w->ngroups > 1)
			pick_group(w, w->cur);
		return VS_BLK_MORE;
	case VS_OP_SETEMIT:
		vs_emit_setemit(w, g->mask, u->imm);
		g->pc = n + 1;
		return VS_BLK_MORE;
	case VS_OP_EMIT:
		if (!vs_emit(w, g->mask))
			return VS_BLK_FAULT;
		g->pc = n + 1;
		return VS_BLK_MORE;
	case VS_OP_FAULT:
		vs_flow_fault(w, (enum vs_fault_kind)u->imm, g->mask);
		return VS_BLK_FAULT;
	default:
		return flow_branch(w, u);
	}
}

/*
 * Subnormal operands and results make the processor 20 to 40 times slower. Charge for
 * them, so that a slice does not become long.
 */
static void probe_subnormals(struct vs_worker *w)
{
	u32 v;

	if (w->simd != VS_SIMD_PORTABLE && (w->kind == VS_K_F32 || w->kind == VS_K_F32_X)) {
		v = vs_fpu_get();
		if (v & (VS_FPU_DE | VS_FPU_UE)) {
			w->left -= PROBE_FACTOR * w->probe;
			vs_fpu_set(v & ~(VS_FPU_DE | VS_FPU_UE));
		}
	}
	w->probe = 0;
}

static void flow_charge(struct vs_worker *w, u32 weight)
{
	vs_charge(w, weight);
	w->probe += weight;
	if (w->probe >= PROBE_WEIGHT)
		probe_subnormals(w);
}

/* Execute the current group from @uops[pc] to the next control micro-op. */
static const struct vs_uop *flow_run_group(struct vs_worker *w, const struct vs_uop *uops)
{
	const struct vs_group *g = &w->group[w->cur];
	enum vs_kind kind = w->kind;

	w->b.mask = g->mask;
	if (!VS_K_IS_EXACT(kind) && g->mask != ~0ULL)
		kind = VS_K_MASKED(kind);
	return vs_exec_run(w->simd, kind, &w->b, uops + g->pc);
}

/**
 * vs_flow_run - run the block
 * @w: worker
 *
 * Return: VS_BLK_DONE all lanes have ended, _MORE slice over, _FAULT see w->fault,
 * _BREAK at a breakpoint.
 */
enum vs_blk vs_flow_run(struct vs_worker *w)
{
	const struct vs_prog *p = prog_of(w);
	enum vs_blk r;

	do {
		struct vs_group *g = &w->group[w->cur];
		u32 from = g->pc, n = flow_run_group(w, p->uops) - p->uops;

		g->pc = n;
		flow_charge(w, p->wsum[n + 1] - p->wsum[from]);
		r = flow_control(w, &p->uops[n], n);
		if (r != VS_BLK_MORE)
			return r;
		/* the search for the next group */
		w->left -= w->ngroups / GROUPS_PER_TIME;
	} while (!vs_slice_over(w));
	return VS_BLK_MORE;
}

/*
 * Merge the groups in front of one CHECK, so that the debugger shows all lanes that execute
 * the instruction.
 */
static enum vs_blk stepped(struct vs_worker *w, const struct vs_uop *uops)
{
	if (w->ngroups > 1 && uops[w->group[w->cur].pc].op == VS_OP_CHECK)
		pick_group(w, w->cur);
	return VS_BLK_STEP;
}

/**
 * vs_flow_step - execute one guest instruction of the current group
 * @w: worker; its executor is the portable one
 *
 * Return: VS_BLK_STEP executed, _DONE all lanes have ended, _FAULT see w->fault.
 */
enum vs_blk vs_flow_step(struct vs_worker *w)
{
	const struct vs_prog *p = prog_of(w);
	const struct vs_uop *uops = p->uops;
	enum vs_blk r;

	for (;;) {
		struct vs_group *g = &w->group[w->cur];
		u32 from, n;

		/* stepped() has already merged groups here. */
		if (uops[g->pc].op == VS_OP_CHECK)
			g->pc++;
		from = g->pc;
		w->b.step = true;
		n = flow_run_group(w, uops) - uops;
		w->b.step = false;
		g->pc = n;
		if (n != from && uops[n].flags & VS_UOP_FIRST) {
			flow_charge(w, p->wsum[n] - p->wsum[from]);
			return stepped(w, uops);
		}
		flow_charge(w, p->wsum[n + 1] - p->wsum[from]);
		r = flow_control(w, &uops[n], n);
		if (r != VS_BLK_MORE)
			return r;
		/* A RINGS belongs to the same instruction as the micro-ops before it. */
		if (w->group[w->cur].pc != n + 1 || uops[n + 1].flags & VS_UOP_FIRST)
			return stepped(w, uops);
	}
}
