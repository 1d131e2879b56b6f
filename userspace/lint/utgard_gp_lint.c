// SPDX-License-Identifier: MIT
/*
 * Utgard vertex programs: warnings. Only straight-line code is checked: each instruction
 * with its predecessor in the program. Registers and address registers that are read too
 * early still have their old values, so this may be meant.
 */
#include "isa/utgard/utgard_gp.h"
#include "lint.h"

#define HISTORY		UGP_ADDR_LATENCY

/**
 * struct lint - a program being looked at
 * @view: the last instructions, by position modulo HISTORY
 * @at: position
 * @found: warnings
 * @log: where they go
 */
struct lint {
	struct ugp_view view[HISTORY];
	u32 at;
	int found;
	struct vs_log *log;
};

static const char * const unit_names[UGP_NUM_UNITS] = { "a0", "a1", "m0", "m1", "p", "c" };

/* The instruction @back ago; NULL: before the program. */
static const struct ugp_view *ago(const struct lint *l, u32 back)
{
	return back > l->at ? NULL : &l->view[(l->at - back) % HISTORY];
}

static void __printf(2, 3) warn(struct lint *l, const char *fmt, ...)
{
	char text[120];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	l->found++;
	vs_log_printf(l->log, "%03u: warning: %s\n", l->at, text);
}

/* A result of an earlier instruction: is there one? */
static void lint_result(struct lint *l, const struct ugp_src *src)
{
	const struct ugp_view *v = ago(l, src->back);
	const char *name = unit_names[src->unit];
	const struct ugp_slot *slot;

	if (!v) {
		warn(l, "reads the result of %s before the program", name);
		return;
	}
	slot = &v->slot[src->unit];
	if (slot->op == UGP_OP_IDLE)
		warn(l, "reads the result of %s in %03u, which does nothing", name,
		     l->at - src->back);
	else if (slot->op == UGP_OP_COMPLEX1 && src->back == 1)
		warn(l, "reads the result of complex1 in %03u, which is not ready", l->at - 1);
}

static void lint_slots(struct lint *l, const struct ugp_view *v)
{
	const struct ugp_src *src;
	u32 unit, i;

	for (unit = 0; unit < UGP_NUM_UNITS; unit++) {
		for (i = 0; i < v->slot[unit].nsrc; i++) {
			src = &v->slot[unit].src[i];
			if (src->kind == UGP_KIND_RESULT)
				lint_result(l, src);
			else if (src->kind == UGP_KIND_PREV_PORT0 && !l->at)
				warn(l, "reads port 0 before the program");
		}
	}
}

/* complex1 completes the previous instruction's operation. */
static void lint_complex(struct lint *l, const struct ugp_view *v)
{
	const struct ugp_view *before = ago(l, 1);
	u32 op = before ? before->slot[UGP_COMPLEX_UNIT].op : UGP_OP_IDLE;

	if (v->slot[UGP_MUL0].op != UGP_OP_COMPLEX1)
		return;
	if (!before || before->slot[UGP_MUL0].op != UGP_OP_COMPLEX2 || op < UGP_OP_EXP2 ||
	    op > UGP_OP_RCP)
		warn(l, "complex1 without complex2 and a function right before it");
}

/* Components of a register that an instruction writes. */
static u32 writes(const struct ugp_view *v, u32 reg)
{
	u32 mask = 0, i, k;

	for (i = 0; i < ARRAY_SIZE(v->store); i++) {
		if (v->store[i].dest != UGP_DEST_REG || v->store[i].addr != reg)
			continue;
		for (k = 0; k < 2; k++)
			if (v->store[i].unit[k] != UGP_NUM_UNITS)
				mask |= 1U << (2 * i + k);
	}
	return mask;
}

static void lint_reg(struct lint *l, u32 reg, u32 mask)
{
	u32 back;

	for (back = 1; back < UGP_REG_LATENCY; back++) {
		const struct ugp_view *v = ago(l, back);

		if (v && writes(v, reg) & mask)
			warn(l, "reads $%u, which %03u writes: that takes %u instructions", reg,
			     l->at - back, UGP_REG_LATENCY);
	}
}

static void lint_addr(struct lint *l, u32 addr)
{
	u32 back;

	for (back = 1; back < UGP_ADDR_LATENCY; back++) {
		const struct ugp_view *v = ago(l, back);
		u32 op = v ? v->slot[UGP_COMPLEX_UNIT].op : UGP_OP_IDLE;

		if (op == UGP_OP_ADDR0 + addr || (op == UGP_OP_ADDR01 && addr == 1))
			warn(l, "uses addr%u, which %03u sets: that takes %u instructions", addr,
			     l->at - back, UGP_ADDR_LATENCY);
	}
}

int ugp_lint(const struct vs_src *src, struct vs_log *log)
{
	u32 n = src->nwords[VS_SECTION_CODE] / UGP_WORDS;
	const u32 *words = src->words[VS_SECTION_CODE];
	struct lint l = { .log = log };
	struct ugp_insn insn;
	struct ugp_view *v;

	for (l.at = 0; l.at < n; l.at++) {
		v = &l.view[l.at % HISTORY];
		ugp_decode(words + UGP_WORDS * l.at, &insn);
		ugp_view(&insn, v, NULL);
		lint_slots(&l, v);
		lint_complex(&l, v);
		if (v->reads0 && !v->port0_attribute)
			lint_reg(&l, v->port0, v->reads0);
		if (v->reads1)
			lint_reg(&l, v->port1, v->reads1);
		if (v->reads && v->load_addr)
			lint_addr(&l, v->load_addr);
	}
	return l.found;
}
