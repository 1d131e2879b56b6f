// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Reachability of PICA200 code.
 *
 * Code memory may have any contents between and after the procedures of a program,
 * so only reachable words are verified. The walk follows the call stack exactly
 * (a procedure returns to its callers only) and follows both successors where the IF
 * or LOOP stack or a condition decides. If a program has more call stacks than
 * PICA_WALK_CTXS, the walk restarts without them: then every procedure may
 * also run past its end, which is conservative: more words are reachable, never fewer.
 *
 * The effects after each instruction follow the description of the three ring
 * stacks on 3dbrew: CALL pops, then IF, then LOOP, the last one winning, all
 * compared with the address of the instruction + 1 and not with a jump target.
 */
#include "pica_walk.h"

#define POP_TAG		BIT(31)	/* stack entry: an address at which calls return */

static void chains_init(struct pica_chains *c)
{
	memset(c->head, 0xff, sizeof(c->head));
	memset(c->next, 0xff, sizeof(c->next));
}

static void chains_add(struct pica_chains *c, u32 end, u32 pc)
{
	c->next[pc] = c->head[end];
	c->head[end] = (u16)pc;
}

static void walk_reset(struct pica_walk *w, bool exact)
{
	memset(w->reached, 0, sizeof(w->reached));
	memset(w->seen, 0, sizeof(w->seen));
	memset(w->reg, 0, sizeof(w->reg));
	memset(w->popseen, 0, sizeof(w->popseen));
	memset(w->ctx, 0, sizeof(w->ctx));
	chains_init(&w->ifs);
	chains_init(&w->loops);
	chains_init(&w->calls);
	w->nctx = 1;
	w->exact = exact;
	w->call_overflow = false;
	w->runs_off = PICA_NONE;
	w->nloops = 0;
	w->nbreaks = 0;
	w->nstack = 0;
}

/**
 * pica_walk_new() - decode all words of a program
 * @prog: program of at most PICA_MAX_CODE words; must outlive the walk
 *
 * Return: a walk to pass to pica_walk_run(), NULL without memory.
 */
struct pica_walk *pica_walk_new(const struct pica_program *prog)
{
	struct pica_walk *w = vs_zalloc(sizeof(*w));
	u32 i;

	if (!w)
		return NULL;
	w->prog = prog;
	w->insn = vs_zalloc_array(prog->ncode, sizeof(*w->insn));
	if (!w->insn) {
		vs_free(w);
		return NULL;
	}
	for (i = 0; i < prog->ncode; i++)
		pica_decode(prog->code[i], &w->insn[i]);

	return w;
}

/**
 * pica_walk_free() - free a walk
 * @w: from pica_walk_new(), or NULL
 */
void pica_walk_free(struct pica_walk *w)
{
	if (w)
		vs_free(w->insn);
	vs_free(w);
}

/* Restart without exact call stacks: the program is too complex. */
static void give_up(struct pica_walk *w)
{
	w->nctx = PICA_WALK_CTXS + 1;
}

/*
 * Push a state. The stack can only be full in an exact walk: the other one pushes each word and
 * each address at most once for itself and once for its block.
 */
static void push(struct pica_walk *w, u32 entry)
{
	if (w->nstack < PICA_WALK_STACK)
		w->stack[w->nstack++] = entry;
	else
		give_up(w);
}

static u32 intern(struct pica_walk *w, u32 parent, u32 end, u32 ret)
{
	u32 i;

	for (i = 1; i < w->nctx && i < PICA_WALK_CTXS; i++)
		if (w->ctx[i].parent == parent && w->ctx[i].end == end && w->ctx[i].ret == ret)
			return i;
	if (w->nctx >= PICA_WALK_CTXS) {
		give_up(w);
		return 0;
	}
	w->ctx[i].parent = (u8)parent;
	w->ctx[i].end = (u16)end;
	w->ctx[i].ret = (u16)ret;
	w->ctx[i].depth = w->ctx[parent].depth + 1;
	w->nctx++;
	return i;
}

/* Push a call; the ring holds PICA_CALL_DEPTH entries, one more drops the oldest. */
static u32 pica_walk_push_call(struct pica_walk *w, u32 ctx, u32 end, u32 ret)
{
	u32 keep[PICA_CALL_DEPTH - 1];
	u32 base = 0;
	int i;

	if (w->ctx[ctx].depth < PICA_CALL_DEPTH)
		return intern(w, ctx, end, ret);

	w->call_overflow = true;
	for (i = PICA_CALL_DEPTH - 2; i >= 0; i--) {
		keep[i] = ctx;
		ctx = w->ctx[ctx].parent;
	}
	for (i = 0; i < PICA_CALL_DEPTH - 1; i++)
		base = intern(w, base, w->ctx[keep[i]].end, w->ctx[keep[i]].ret);
	return intern(w, base, end, ret);
}

/*
 * Report the successors after the stacks' effects, for the instruction at @pc, which by itself
 * continues at @npc with call stack @ctx.
 */
static void pica_walk_after(struct pica_walk *w, u32 pc, u32 npc, u32 ctx, pica_succ_fn fn,
			    void *arg)
{
	u32 next = pc + 1;
	u32 i, n;

	for (n = 0; ctx && n < PICA_CALL_DEPTH && w->ctx[ctx].end == next; n++) {
		if (n < PICA_CALL_DEPTH - 1) {
			npc = w->ctx[ctx].ret;
			next = npc;
		}
		ctx = w->ctx[ctx].parent;
	}
	if (!w->structured || w->ifs.head[pc + 1] == PICA_NONE ||
	    (w->insn[pc].info->flags & PICA_OPF_FLOW))
		fn(w, pc, npc, ctx, arg);

	for (i = w->ifs.head[pc + 1]; i != PICA_NONE; i = w->ifs.next[i])
		fn(w, pc, w->insn[i].f[PICA_F_TARGET] + w->insn[i].f[PICA_F_NUM], ctx, arg);
	if (w->loops.head[pc + 1] != PICA_NONE)
		fn(w, pc, pc + 1, ctx, arg);
	for (i = w->loops.head[pc + 1]; i != PICA_NONE; i = w->loops.next[i])
		fn(w, pc, i + 1, ctx, arg);
}

static void break_successors(struct pica_walk *w, u32 pc, u32 ctx, pica_succ_fn fn, void *arg)
{
	u32 i;

	if (!w->exact)
		return;
	for (i = 0; i < w->nloops && i < PICA_WALK_LOOPS; i++)
		pica_walk_after(w, pc, pica_block_end(&w->insn[w->loop_list[i]]), ctx, fn, arg);
}

/**
 * pica_walk_successors() - enumerate the successors of an instruction
 * @w: walk
 * @pc: instruction
 * @ctx: call stack before it
 * @fn: called for each successor; some may be reported more than once, and
 *	their address may be past the code
 * @arg: argument of @fn
 */
void pica_walk_successors(struct pica_walk *w, u32 pc, u32 ctx, pica_succ_fn fn, void *arg)
{
	const struct pica_insn *insn = &w->insn[pc];
	u32 flags, target;

	if (!insn->info || (insn->info->flags & PICA_OPF_END))
		return;
	flags = insn->info->flags;
	target = insn->f[PICA_F_TARGET];

	if (flags & (PICA_OPF_JUMP | PICA_OPF_IF))
		pica_walk_after(w, pc, target, ctx, fn, arg);
	if (flags & PICA_OPF_CALL) {
		u32 inner = ctx;

		if (w->exact)
			inner = pica_walk_push_call(w, ctx, pica_block_end(insn), pc + 1);
		pica_walk_after(w, pc, target, inner, fn, arg);
	}
	if (flags & PICA_OPF_BREAK)
		break_successors(w, pc, ctx, fn, arg);
	/* All others fall through, as do conditions that are false. */
	if (!(flags & (PICA_OPF_CALL | PICA_OPF_BREAK)) ||
	    (flags & (PICA_OPF_COND | PICA_OPF_BOOL)))
		pica_walk_after(w, pc, pc + 1, ctx, fn, arg);
}

static void pica_walk_visit(struct pica_walk *w, u32 from, u32 pc, u32 ctx, void *arg)
{
	(void)arg;
	if (pc >= w->prog->ncode) {
		if (w->runs_off == PICA_NONE)
			w->runs_off = from;
		return;
	}
	if (pica_bit(w->seen[ctx], pc))
		return;
	pica_set_bit(w->seen[ctx], pc);
	pica_set_bit(w->reached, pc);
	push(w, ctx << 16 | pc);
}

/* Revisit states whose successors a new block changes. */
static void revisit(struct pica_walk *w, u32 pc)
{
	u32 ctx;

	for (ctx = 0; ctx < w->nctx && ctx < PICA_WALK_CTXS; ctx++)
		if (pica_bit(w->seen[ctx], pc))
			push(w, ctx << 16 | pc);
}

/* Record a new LOOP: known BREAKs may leave it. */
static void register_loop(struct pica_walk *w, u32 pc)
{
	u32 i;

	if (w->nloops < PICA_WALK_LOOPS)
		w->loop_list[w->nloops] = (u16)pc;
	w->nloops++;
	if (!w->exact || !w->nbreaks)
		return;
	for (i = 0; i < w->prog->ncode; i++)
		if (w->insn[i].info && (w->insn[i].info->flags & PICA_OPF_BREAK))
			revisit(w, i);
}

/* Record a new IF or LOOP: words at its end have more successors. */
static void revisit_end(struct pica_walk *w, const struct pica_chains *c, u32 pc)
{
	const struct pica_insn *insn = &w->insn[pc];
	u32 end = pica_block_end(insn);
	u32 i, n = 0;

	if (!end || end > w->prog->ncode)
		return;
	if (w->exact) {
		for (i = c->head[end]; i != PICA_NONE; i = c->next[i])
			n++;
		if (n > PICA_WALK_CHAIN)
			give_up(w);
		else
			revisit(w, end - 1);
	} else if (pica_bit(w->seen[0], end - 1)) {
		pica_walk_visit(w, end - 1, end, 0, NULL);
		if (insn->info->flags & PICA_OPF_IF)
			pica_walk_visit(w, end - 1, end + insn->f[PICA_F_NUM], 0, NULL);
		else
			pica_walk_visit(w, end - 1, pc + 1, 0, NULL);
	}
}

static void register_block(struct pica_walk *w, u32 pc)
{
	const struct pica_insn *insn = &w->insn[pc];
	u32 end = pica_block_end(insn);

	if (insn->info->flags & PICA_OPF_IF) {
		chains_add(&w->ifs, end, pc);
		revisit_end(w, &w->ifs, pc);
	} else if (insn->info->flags & PICA_OPF_CALL) {
		chains_add(&w->calls, end, pc);
		if (!w->exact && pica_bit(w->popseen, end))
			push(w, POP_TAG | end);
	} else {
		chains_add(&w->loops, end, pc);
		register_loop(w, pc);
		revisit_end(w, &w->loops, pc);
	}
}

/* Without call stacks: all calls that end at @end may return. */
static void pop_at(struct pica_walk *w, u32 end)
{
	u32 i;

	pica_set_bit(w->popseen, end);
	for (i = w->calls.head[end]; i != PICA_NONE; i = w->calls.next[i]) {
		pica_walk_visit(w, i, i + 1, 0, NULL);
		if (!pica_bit(w->popseen, i + 1)) {
			pica_set_bit(w->popseen, i + 1);
			push(w, POP_TAG | (i + 1));
		}
	}
}

static void walk_state(struct pica_walk *w, u32 pc, u32 ctx)
{
	const struct pica_insn *insn = &w->insn[pc];

	if (!insn->info)
		return;
	if (!pica_bit(w->reg, pc)) {
		pica_set_bit(w->reg, pc);
		if (insn->info->flags & PICA_OPF_BREAK)
			w->nbreaks++;
		if (insn->info->flags & (PICA_OPF_IF | PICA_OPF_LOOP | PICA_OPF_CALL))
			register_block(w, pc);
		if (w->exact && w->nbreaks && w->nloops > PICA_WALK_LOOPS)
			give_up(w);
	}
	pica_walk_successors(w, pc, ctx, pica_walk_visit, NULL);
	if (!w->exact) {
		/* Left by a BREAK inside, see break_successors(). */
		if (insn->info->flags & PICA_OPF_LOOP)
			pica_walk_visit(w, pc, pica_block_end(insn), 0, NULL);
		pop_at(w, pc + 1);
	}
}

static bool walk_try(struct pica_walk *w, bool exact)
{
	u32 i, count = 0;

	walk_reset(w, exact);
	for (i = 0; i < w->prog->nentries; i++)
		pica_walk_visit(w, 0, w->prog->entries[i], 0, NULL);
	while (w->nstack) {
		u32 top = w->stack[--w->nstack];

		if (!(++count % 1024))
			vs_cond_resched();
		if (top & POP_TAG)
			pop_at(w, top & ~POP_TAG);
		else
			walk_state(w, top & 0xffff, top >> 16);
		if (exact && w->nctx > PICA_WALK_CTXS)
			return false;
	}
	return true;
}

/**
 * pica_walk_run() - find the reachable code
 * @w: from pica_walk_new()
 *
 * Entry points must be in the code. Targets need not.
 */
void pica_walk_run(struct pica_walk *w)
{
	if (!walk_try(w, true))
		walk_try(w, false);
}
