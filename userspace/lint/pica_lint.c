// SPDX-License-Identifier: MIT
/*
 * Warnings about PICA200 programs that are valid, but slow on consoles or misleading
 * to read. They change nothing about acceptance.
 */
#include "isa/pica/pica_walk.h"
#include "pica_lint.h"

/* No output dataflow for programs whose states would need more memory. */
#define MAX_FLOW_STATES		(8 * 1024)

static const struct {
	const char *name;
	const char *text;
} lint_texts[PICA_NUM_LINTS] = {
	[PICA_LINT_MOVA_ADJACENT] = { "mova-adjacent",
		"two adjacent MOVA freeze the unit on consoles; second at word" },
	[PICA_LINT_TWO_INPUTS] = { "two-inputs",
		"different input registers in one instruction read wrong data; also v" },
	[PICA_LINT_OUT_TWICE] = { "output-twice",
		"output components may be written a second time" },
	[PICA_LINT_OUT_UNWRITTEN] = { "output-unwritten",
		"the invocation may end with output components unwritten" },
	[PICA_LINT_OUT_HIGH] = { "output-high",
		"a geometry program has no use for output registers from o7 on; o" },
	[PICA_LINT_NO_END] = { "no-end",
		"execution may run off the end of the code; code words" },
	[PICA_LINT_FLOW_LAST] = { "flow-last",
		"flow control in the last word of a block is lost on consoles; block at word" },
	[PICA_LINT_SAME_END] = { "same-end",
		"nested blocks share their last word, only one ends; other block at word" },
	[PICA_LINT_EMPTY_BLOCK] = { "empty-block",
		"block without an instruction; ends at word" },
	[PICA_LINT_BACKWARD] = { "backward-block",
		"block ends before it starts; at word" },
	[PICA_LINT_BREAK_NO_LOOP] = { "break-no-loop",
		"BREAK outside of any LOOP hangs the unit unless called from one; loops" },
	[PICA_LINT_BREAK_IN_IF] = { "break-in-if",
		"BREAK leaves the IF around it on its stack; IF at word" },
	[PICA_LINT_IF_DEPTH] = { "if-depth",
		"IF nested deeper than its stack; depth" },
	[PICA_LINT_LOOP_DEPTH] = { "loop-depth",
		"LOOP nested deeper than its stack; depth" },
	[PICA_LINT_CALL_DEPTH] = { "call-depth",
		"calls may nest deeper than their stack; depth" },
	[PICA_LINT_VERTEX_SIZE] = { "vertex-size",
		"vertex-only units may hold just 512 words; code words" },
};

/**
 * pica_lint_name() - short name of a warning
 * @code: enum pica_lint_code
 *
 * Return: a word.
 */
const char *pica_lint_name(u32 code)
{
	return code < PICA_NUM_LINTS ? lint_texts[code].name : "unknown";
}

/**
 * pica_lint_text() - text of a warning, to be followed by its argument
 * @code: enum pica_lint_code
 *
 * Return: a phrase.
 */
const char *pica_lint_text(u32 code)
{
	return code < PICA_NUM_LINTS ? lint_texts[code].text : "unknown warning";
}

/**
 * pica_lint_show() - argument of a warning as text
 * @code: enum pica_lint_code
 * @arg: argument
 * @buf: receives the text
 * @size: its size
 *
 * Return: false: it is just a number.
 */
bool pica_lint_show(u32 code, u32 arg, char *buf, size_t size)
{
	char comps[5];
	u32 i, n = 0;

	if (code != PICA_LINT_OUT_TWICE && code != PICA_LINT_OUT_UNWRITTEN)
		return false;
	for (i = 0; i < 4; i++)
		if (arg >> (4 + i) & 1)
			comps[n++] = "xyzw"[i];
	comps[n] = 0;
	snprintf(buf, size, "o%u.%s", arg & 0xf, comps);
	return true;
}

static void lint_mova(const struct pica_walk *w, struct vs_lints *found)
{
	u32 pc;

	for (pc = 0; pc + 1 < w->prog->ncode; pc++)
		if (w->insn[pc].op == PICA_OP_MOVA && w->insn[pc + 1].op == PICA_OP_MOVA &&
		    pica_reached(w, pc) && pica_reached(w, pc + 1))
			vs_lint_add(found, PICA_LINT_MOVA_ADJACENT, pc, pc + 1);
}

static void lint_inputs(const struct pica_walk *w, struct vs_lints *found)
{
	u32 pc;

	for (pc = 0; pc < w->prog->ncode; pc++) {
		const struct pica_insn *insn = &w->insn[pc];
		u32 first = PICA_SRC_R0;
		unsigned int n;

		if (!pica_reached(w, pc))
			continue;
		for (n = 0; n < insn->nsrc; n++) {
			if (insn->src[n] >= PICA_SRC_R0)
				continue;
			if (first == PICA_SRC_R0)
				first = insn->src[n];
			if (insn->src[n] != first) {
				vs_lint_add(found, PICA_LINT_TWO_INPUTS, pc, insn->src[n]);
				break;
			}
		}
	}
}

/* Output components that the instruction at @pc writes. */
static u64 out_writes(const struct pica_walk *w, u32 pc)
{
	const struct pica_insn *insn = &w->insn[pc];
	struct pica_opdesc desc;

	if (!insn->info || !(insn->info->flags & PICA_OPF_DEST) ||
	    insn->f[PICA_F_DST] >= PICA_DST_R0)
		return 0;
	pica_opdesc_decode(w->prog->opdesc[insn->f[PICA_F_DESC]], &desc);
	return (u64)desc.mask << (4 * insn->f[PICA_F_DST]);
}

static void lint_high_outputs(const struct pica_walk *w, struct vs_lints *found)
{
	u32 pc;

	if (w->prog->stage != VS_STAGE_GEOMETRY)
		return;
	for (pc = 0; pc < w->prog->ncode; pc++)
		if (pica_reached(w, pc) && out_writes(w, pc) >> (4 * 7))
			vs_lint_add(found, PICA_LINT_OUT_HIGH, pc, w->insn[pc].f[PICA_F_DST]);
}

/**
 * struct out_flow - which outputs are written when
 * @may: components that some way here has written, per state
 * @must: components that every way here has written, per state
 * @dirty: states to look at
 * @out_may: after the instruction at hand
 * @out_must: after the instruction at hand
 * @changed: something changed in this sweep
 */
struct out_flow {
	u64 *may;
	u64 *must;
	u64 *dirty;
	u64 out_may;
	u64 out_must;
	bool changed;
};

static void out_merge(struct pica_walk *w, u32 from, u32 pc, u32 ctx, void *arg)
{
	struct out_flow *of = arg;
	u32 state = ctx * w->prog->ncode + pc;
	u64 may, must;

	(void)from;
	if (pc >= w->prog->ncode)
		return;
	may = of->may[state] | of->out_may;
	must = of->must[state] & of->out_must;
	if (may == of->may[state] && must == of->must[state])
		return;
	of->may[state] = may;
	of->must[state] = must;
	pica_set_bit(of->dirty, state);
	of->changed = true;
}

static void out_step(struct pica_walk *w, struct out_flow *of, u32 pc, u32 ctx)
{
	u32 state = ctx * w->prog->ncode + pc;
	u64 writes = out_writes(w, pc);

	if (w->insn[pc].op == PICA_OP_EMIT) {
		/* The next vertex starts over. */
		of->out_may = 0;
		of->out_must = 0;
	} else {
		of->out_may = of->may[state] | writes;
		of->out_must = of->must[state] | writes;
	}
	pica_walk_successors(w, pc, ctx, out_merge, of);
}

/*
 * Sweep until nothing changes. Programs without tricks settle in a handful of sweeps;
 * no warnings about outputs for those that do not.
 */
#define MAX_SWEEPS	32

static bool out_solve(struct pica_walk *w, struct out_flow *of)
{
	u32 ncode = w->prog->ncode;
	u32 sweep, ctx, pc, i;

	for (i = 0; i < w->nctx * ncode; i++)
		of->must[i] = ~0ULL;
	for (i = 0; i < w->prog->nentries; i++) {
		of->must[w->prog->entries[i]] = 0;
		pica_set_bit(of->dirty, w->prog->entries[i]);
	}
	/* Every state once, so that unwritten ones are seen too. */
	for (ctx = 0; ctx < w->nctx; ctx++)
		for (pc = 0; pc < ncode; pc++)
			if (pica_bit(w->seen[ctx], pc))
				pica_set_bit(of->dirty, ctx * ncode + pc);

	for (sweep = 0; sweep < MAX_SWEEPS; sweep++) {
		of->changed = false;
		vs_cond_resched();
		for (ctx = 0; ctx < w->nctx; ctx++) {
			for (pc = 0; pc < ncode; pc++) {
				u32 state = ctx * ncode + pc;

				if (!pica_bit(of->dirty, state))
					continue;
				of->dirty[state / 64] &= ~(1ULL << (state % 64));
				out_step(w, of, pc, ctx);
			}
		}
		if (!of->changed)
			return true;
	}
	return false;
}

/*
 * Components that a vertex lacks. A geometry program's registers keep what they had two
 * vertices before: only those that are not written at all are mistakes.
 */
static u64 out_missing(const struct pica_walk *w, u64 enabled, u64 must)
{
	u64 missing = enabled & ~must;
	u32 reg;

	if (w->prog->stage == VS_STAGE_VERTEX)
		return missing;
	for (reg = 0; reg < PICA_NUM_REGS; reg++)
		if ((must >> (4 * reg)) & 0xf)
			missing &= ~(0xfULL << (4 * reg));
	return missing;
}

/* Warn about register @reg if it is among the components @comps. */
static void out_add(struct vs_lints *found, u32 code, u32 pc, u32 reg, u64 comps)
{
	u32 mask = (comps >> (4 * reg)) & 0xf;

	if (mask)
		vs_lint_add(found, code, pc, reg | mask << 4);
}

static void out_report(const struct pica_walk *w, const struct out_flow *of, u64 enabled,
		       struct vs_lints *found)
{
	u32 pc, ctx, reg;

	for (pc = 0; pc < w->prog->ncode; pc++) {
		u64 twice = 0, missing = 0;
		bool ends = w->insn[pc].op == PICA_OP_EMIT ||
			    (w->insn[pc].op == PICA_OP_END &&
			     w->prog->stage == VS_STAGE_VERTEX);

		for (ctx = 0; ctx < w->nctx; ctx++) {
			u32 state = ctx * w->prog->ncode + pc;

			if (!pica_bit(w->seen[ctx], pc))
				continue;
			twice |= of->may[state] & out_writes(w, pc);
			if (ends)
				missing |= out_missing(w, enabled, of->must[state]);
		}
		for (reg = 0; reg < PICA_NUM_REGS; reg++) {
			out_add(found, PICA_LINT_OUT_TWICE, pc, reg, twice);
			out_add(found, PICA_LINT_OUT_UNWRITTEN, pc, reg, missing);
		}
	}
}

/*
 * Components that each vertex has to have. Consoles wait for all components of a vertex
 * program's outputs, but geometry programs work that write two components of a coordinate.
 */
static u64 enabled_outputs(const struct pica_walk *w)
{
	u64 comps = 0;
	u32 pc, reg;

	for (pc = 0; pc < w->prog->ncode; pc++)
		if (pica_reached(w, pc))
			comps |= out_writes(w, pc);
	for (reg = 0; reg < PICA_NUM_REGS && w->prog->stage == VS_STAGE_VERTEX; reg++)
		if ((comps >> (4 * reg)) & 0xf)
			comps |= 0xfULL << (4 * reg);
	return comps;
}

static int lint_outputs(struct pica_walk *w, struct vs_lints *found)
{
	u32 nstates = w->nctx * w->prog->ncode;
	u64 enabled = enabled_outputs(w);
	struct out_flow of = { 0 };
	int ret = 0;

	if (!w->exact || nstates > MAX_FLOW_STATES || !enabled)
		return 0;
	of.may = vs_zalloc_array(nstates, sizeof(*of.may));
	of.must = vs_zalloc_array(nstates, sizeof(*of.must));
	of.dirty = vs_zalloc_array(nstates / 64 + 1, sizeof(*of.dirty));
	if (!of.may || !of.must || !of.dirty) {
		ret = -ENOMEM;
		goto out;
	}
	w->structured = true;
	if (out_solve(w, &of))
		out_report(w, &of, enabled, found);
	w->structured = false;
out:
	vs_free(of.may);
	vs_free(of.must);
	vs_free(of.dirty);
	return ret;
}

static bool is_block(const struct pica_walk *w, u32 pc, u32 flags)
{
	return w->insn[pc].info && (w->insn[pc].info->flags & flags) && pica_reached(w, pc);
}

/* Jumps at the end of any block, and more at the end of IF and LOOP. */
static void lint_last_word(const struct pica_walk *w, u32 pc, struct vs_lints *found)
{
	u32 end = pica_block_end(&w->insn[pc]);
	u32 lost = PICA_OPF_JUMP;

	if (!end || end > w->prog->ncode || !w->insn[end - 1].info ||
	    !pica_reached(w, end - 1) || end - 1 == pc)
		return;
	if (!is_block(w, pc, PICA_OPF_CALL))
		lost |= PICA_OPF_CALL;
	if (is_block(w, pc, PICA_OPF_LOOP))
		lost |= PICA_OPF_BREAK;
	if (w->insn[end - 1].info->flags & lost)
		vs_lint_add(found, PICA_LINT_FLOW_LAST, end - 1, pc);
}

static void lint_shape(const struct pica_walk *w, u32 pc, struct vs_lints *found)
{
	const struct pica_insn *insn = &w->insn[pc];
	u32 end = pica_block_end(insn);
	u32 start = is_block(w, pc, PICA_OPF_CALL) ? insn->f[PICA_F_TARGET] : pc + 1;

	if (end == start)
		vs_lint_add(found, PICA_LINT_EMPTY_BLOCK, pc, end);
	else if (end < start)
		vs_lint_add(found, PICA_LINT_BACKWARD, pc, end);
}

static void lint_same_end(const struct pica_walk *w, const struct pica_chains *c, u32 pc,
			  struct vs_lints *found)
{
	u32 end = pica_block_end(&w->insn[pc]);
	u32 i, inner = PICA_NONE;

	/* The nearest block inside this one; the others are its matter. */
	for (i = c->head[end]; i != PICA_NONE; i = c->next[i])
		if (i > pc && i < end && i < inner)
			inner = i;
	if (inner != PICA_NONE)
		vs_lint_add(found, PICA_LINT_SAME_END, pc, inner);
}

/* Chains of programs made to be slow are not searched. */
static bool short_chains(const struct pica_walk *w)
{
	return w->exact;
}

static void lint_blocks(const struct pica_walk *w, struct vs_lints *found)
{
	u32 pc;

	for (pc = 0; pc < w->prog->ncode; pc++) {
		if (!is_block(w, pc, PICA_OPF_CALL | PICA_OPF_IF | PICA_OPF_LOOP))
			continue;
		lint_shape(w, pc, found);
		lint_last_word(w, pc, found);
		if (short_chains(w) && is_block(w, pc, PICA_OPF_IF))
			lint_same_end(w, &w->ifs, pc, found);
		if (short_chains(w) && is_block(w, pc, PICA_OPF_LOOP))
			lint_same_end(w, &w->loops, pc, found);
	}
}

/* Innermost blocks of a kind around each word; @depth 0: none. */
struct nest {
	u32 start[PICA_LOOP_DEPTH + PICA_IF_DEPTH + 1];
	u32 end[PICA_LOOP_DEPTH + PICA_IF_DEPTH + 1];
	u32 depth;
	u32 deepest;
};

static void nest_leave(struct nest *n, u32 pc)
{
	while (n->depth && n->end[n->depth - 1] <= pc)
		n->depth--;
}

static void nest_enter(struct nest *n, u32 pc, u32 end)
{
	if (n->depth < ARRAY_SIZE(n->end)) {
		n->start[n->depth] = pc;
		n->end[n->depth] = end;
		n->depth++;
	}
	n->deepest = max(n->deepest, n->depth);
}

/* An IF opened inside the innermost loop, as seen from a BREAK. */
static void lint_break(const struct nest *loops, const struct nest *ifs, u32 pc,
		       struct vs_lints *found)
{
	if (!loops->depth)
		vs_lint_add(found, PICA_LINT_BREAK_NO_LOOP, pc, 0);
	else if (ifs->depth && ifs->start[ifs->depth - 1] > loops->start[loops->depth - 1])
		vs_lint_add(found, PICA_LINT_BREAK_IN_IF, pc, ifs->start[ifs->depth - 1]);
}

static void lint_nesting(const struct pica_walk *w, struct vs_lints *found)
{
	struct nest loops = { .depth = 0 }, ifs = { .depth = 0 };
	u32 pc;

	for (pc = 0; pc < w->prog->ncode; pc++) {
		nest_leave(&loops, pc);
		nest_leave(&ifs, pc);
		if (is_block(w, pc, PICA_OPF_BREAK))
			lint_break(&loops, &ifs, pc, found);
		if (is_block(w, pc, PICA_OPF_LOOP)) {
			nest_enter(&loops, pc, pica_block_end(&w->insn[pc]));
			if (loops.depth == PICA_LOOP_DEPTH + 1)
				vs_lint_add(found, PICA_LINT_LOOP_DEPTH, pc, loops.depth);
		} else if (is_block(w, pc, PICA_OPF_IF)) {
			nest_enter(&ifs, pc, pica_block_end(&w->insn[pc]));
			if (ifs.depth == PICA_IF_DEPTH + 1)
				vs_lint_add(found, PICA_LINT_IF_DEPTH, pc, ifs.depth);
		}
	}
}

static int lint_walked(struct pica_walk *w, struct vs_lints *found)
{
	lint_mova(w, found);
	lint_inputs(w, found);
	lint_high_outputs(w, found);
	lint_blocks(w, found);
	lint_nesting(w, found);
	if (w->runs_off != PICA_NONE)
		vs_lint_add(found, PICA_LINT_NO_END, w->runs_off, w->prog->ncode);
	if (w->call_overflow)
		vs_lint_add(found, PICA_LINT_CALL_DEPTH, 0, PICA_CALL_DEPTH + 1);
	if (w->prog->stage == VS_STAGE_VERTEX && w->prog->ncode > 512)
		vs_lint_add(found, PICA_LINT_VERTEX_SIZE, 512, w->prog->ncode);
	return lint_outputs(w, found);
}

int pica_lint(const struct vs_src *src, struct vs_lints *found)
{
	struct pica_program prog;
	struct pica_walk *w;
	int ret;

	pica_program_init(&prog, src);
	w = pica_walk_new(&prog);
	if (!w)
		return -ENOMEM;
	pica_walk_run(w);
	ret = lint_walked(w, found);
	pica_walk_free(w);
	return ret;
}
