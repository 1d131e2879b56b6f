/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Bifrost programs as a whole: the parts of a clause, verification.
 */
#ifndef BIFROST_VERIFY_H
#define BIFROST_VERIFY_H

#include "bifrost.h"

/**
 * struct bi_view - a clause with its parts understood
 * @c: the clause
 * @header: its header
 * @header_ok: the header has a meaning
 * @consts_ok: so have the modes of the constants
 * @ports: register blocks
 * @ports_ok: those that have a meaning, a mask; the others are idle
 * @modes: enum bi_const_mode of the constants
 * @pos: quad where the clause starts
 */
struct bi_view {
	struct bi_clause c;
	struct bi_header header;
	bool header_ok;
	bool consts_ok;
	struct bi_ports ports[BI_MAX_TUPLES];
	u32 ports_ok;
	u8 modes[BI_MAX_CONSTS];
	u32 pos;
};

/* bifrost_view.c */

/* Take the parts of @v->c apart; @v->c and @v->pos are the caller's. */
void bi_view_parts(struct bi_view *v);
/* Bits of a tuple's operation. */
u32 bi_op_bits(const struct bi_view *v, u32 tuple, enum bi_unit unit);
/* Ports that write the results of a tuple. */
const struct bi_ports *bi_writes(const struct bi_view *v, u32 tuple);
/* Is there something to read? */
bool bi_readable(const struct bi_view *v, u32 tuple, u32 code);
/* How the half of a constant depends on the program counter, in bytes; false: it does not. */
bool bi_pc_offset(const struct bi_view *v, u32 tuple, u32 code, s64 *bytes);
/*
 * Quad that an operand of a tuple leads to, if it is an embedded constant that the program
 * counter is added to.
 */
bool bi_pc_target(const struct bi_view *v, u32 tuple, u32 code, s64 *quad);
/* bifrost_verify.c */

/**
 * struct bi_check - what a program is checked for, and what is found
 * @gpu: enum bi_gpu; BI_NUM_GPUS: any
 * @clauses: clauses that can be reached
 * @indirect: places outside of the program or unknown may be jumped to
 * @reject: why the program is rejected; offsets count quads
 */
struct bi_check {
	enum bi_gpu gpu;
	u32 clauses;
	bool indirect;
	struct vs_reject reject;
};

/* Fill @check->reject. Return: -ENOEXEC. */
int bi_reject(struct bi_check *check, enum bi_reason reason, u32 offset, u32 value, u32 limit);

/* What follows a clause's last tuple. */
enum bi_goes {
	BI_GOES_ON,		/* no branch */
	BI_GOES_QUAD,		/* a place in the code */
	BI_GOES_END,		/* a branch to 0 ends the thread */
	BI_GOES_RETURN,		/* through r48: where the caller of a blend program goes on */
	BI_GOES_ANYWHERE
};

/* Where the branch of @v leads, if it has one. */
enum bi_goes bi_branch_target(const struct bi_view *v, s64 *quad);

/**
 * struct bi_part - one of the programs that code is made of
 * @first: first quad
 * @nquads: its size
 * @va: where it is in memory
 */
struct bi_part {
	u32 first;
	u32 nquads;
	u64 va;
};

/* The last one that begins at @pos or before; @parts[0] begins at 0. */
const struct bi_part *bi_part_at(const struct bi_part *parts, u32 n, u32 pos);

/**
 * struct bi_walk - quads of a program that are reached
 * @words: program
 * @nquads: its size
 * @parts: programs that the code is made of, or NULL: it is one
 * @nparts: number of @parts
 * @places: quads where clauses begin
 * @check: what to check for, and where results go
 * @features: VS_FEAT_* found
 * @quads: of clauses that were found
 * @need: not NULL: quads that are not there yet do not matter; how many it would take
 * @clause: not NULL: called with each clause once
 * @arg: for @clause
 */
struct bi_walk {
	const u32 *words;
	u32 nquads;
	const struct bi_part *parts;
	u32 nparts;
	struct vs_todo places;
	struct bi_check *check;
	u64 features;
	u32 quads;
	u32 *need;
	int (*clause)(void *arg, const struct bi_view *v);
	void *arg;
};

/* Check what can be reached from @w->places. Return: 0 or -ENOEXEC. */
int bi_walk(struct bi_walk *w);

#define BI_VISIT	64U	/* a clause takes as long as so many visits of micro-ops */

/* A piece of it, @left visits of micro-ops long. Return: -EAGAIN: none are left. */
int bi_walk_step(struct bi_walk *w, u32 *left);

/* Return: 0, -ENOEXEC if rejected, -ENOMEM. */
int bi_verify(const struct vs_src *src, struct vs_report *rep, struct bi_check *check);
const char *bi_reason_text(u32 reason);

#endif /* BIFROST_VERIFY_H */
