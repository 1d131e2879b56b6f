// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Reachability in QPU programs.
 *
 * Branches are taken, and threads end, some instructions after the one that requests it. An
 * instruction is therefore visited once for each combination of pending events; a
 * branch in the delay slots of another has both as successors.
 */
#include "qpu_verify.h"

#define NUM_STATES	12

/**
 * qpu_word() - instruction of a program
 * @p: program
 * @pc: its index
 *
 * Return: both halves.
 */
u64 qpu_word(const struct qpu_program *p, u32 pc)
{
	return p->words[2 * pc] | (u64)p->words[2 * pc + 1] << 32;
}

/**
 * qpu_program_init() - initialise the walk of a submitted program
 * @p: filled in
 * @src: the program; its arrays are referenced, not copied
 */
void qpu_program_init(struct qpu_program *p, const struct vs_src *src)
{
	memset(p, 0, sizeof(*p));
	p->words = src->words[VS_SECTION_CODE];
	p->ninsns = src->nwords[VS_SECTION_CODE] / 2;
	p->entries = src->entries;
	p->nentries = src->nentries;
	p->stage = src->stage;
}

/**
 * qpu_program_done() - free the memory of qpu_walk()
 * @p: program
 */
void qpu_program_done(struct qpu_program *p)
{
	vs_free(p->state);
	p->state = NULL;
}

/**
 * qpu_ends() - does the thread end with this instruction's signal?
 * @insn: instruction
 *
 * Return: true if the thread ends after two more instructions.
 */
bool qpu_ends(const struct qpu_insn *insn)
{
	return insn->sig == QPU_SIG_THREND || insn->sig == QPU_SIG_LDCEND;
}

/**
 * qpu_target() - target of a relative branch
 * @insn: a branch
 * @pc: its index
 * @byte: offset in the program, may be outside of it
 *
 * Return: false for absolute branches and those that add a register.
 */
bool qpu_target(const struct qpu_insn *insn, u32 pc, s64 *byte)
{
	*byte = ((s64)pc + 4) * 8 + (s32)insn->imm;
	return insn->br_rel && !insn->br_reg;
}

/**
 * struct todo - combinations to visit
 * @p: program
 * @item: instruction * NUM_STATES + state
 * @n: number of items
 */
struct todo {
	struct qpu_program *p;
	u32 *item;
	u32 n;
};

/* Each combination is added once, so there is room. */
static void qpu_walk_visit(struct todo *t, s64 pc, u32 slots, u32 end)
{
	if (pc < 0 || pc >= t->p->ninsns || (t->p->state[pc] & QPU_AT(slots, end)))
		return;
	t->p->state[pc] |= QPU_AT(slots, end);
	t->item[t->n++] = (u32)pc * NUM_STATES + slots + 4 * end;
}

/* Follow the branch whose last delay slot precedes. */
static void qpu_walk_take(struct todo *t, u32 pc, u32 end)
{
	struct qpu_insn br;
	s64 byte;

	if (pc < 3)
		return;
	qpu_decode(qpu_word(t->p, pc - 3), &br);
	if (br.sig != QPU_SIG_BRANCH)
		return;
	if (qpu_target(&br, pc - 3, &byte) && !(byte & 7))
		qpu_walk_visit(t, byte / 8, 0, end);
	if (br.br_cond != QPU_BR_ALWAYS)
		qpu_walk_visit(t, (s64)pc + 1, 0, end);
}

bool qpu_stores_link(const struct qpu_insn *insn)
{
	return insn->waddr_add != QPU_W_NOP || insn->waddr_mul != QPU_W_NOP;
}

static void qpu_walk_step(struct todo *t, u32 pc, u32 slots, u32 end, bool links)
{
	struct qpu_insn insn;

	qpu_decode(qpu_word(t->p, pc), &insn);
	if (end == 1)
		return;
	end = end ? end - 1 : 0;
	if (!end && insn.sig != QPU_SIG_BRANCH && qpu_ends(&insn))
		end = 2;
	if (insn.sig == QPU_SIG_BRANCH) {
		qpu_walk_visit(t, (s64)pc + 1, 3, end);
		if (links && qpu_stores_link(&insn))
			qpu_walk_visit(t, (s64)pc + 4, 0, end);
	}
	if (slots == 1)
		qpu_walk_take(t, pc, end);
	else if (slots)
		qpu_walk_visit(t, (s64)pc + 1, slots - 1, end);
	else if (insn.sig != QPU_SIG_BRANCH)
		qpu_walk_visit(t, (s64)pc + 1, 0, end);
}

/**
 * qpu_walk() - find the reachable instructions
 * @p: program; @state is allocated, to be released with qpu_program_done()
 * @links: return addresses are entry points too
 *
 * Targets of absolute branches and of branches that add a register are not followed.
 * Those outside of the program or between instructions are ignored.
 *
 * Return: 0 or -ENOMEM.
 */
int qpu_walk(struct qpu_program *p, bool links)
{
	struct todo t = { .p = p };
	u32 i, item;

	p->state = vs_zalloc_array(p->ninsns, sizeof(*p->state));
	t.item = vs_zalloc_array(p->ninsns, NUM_STATES * sizeof(*t.item));
	if (!p->state || !t.item) {
		vs_free(t.item);
		return -ENOMEM;
	}
	for (i = 0; i < p->nentries; i++)
		qpu_walk_visit(&t, p->entries[i], 0, 0);
	while (t.n) {
		item = t.item[--t.n];
		qpu_walk_step(&t, item / NUM_STATES, item % 4, item % NUM_STATES / 4, links);
	}
	vs_free(t.item);
	return 0;
}
