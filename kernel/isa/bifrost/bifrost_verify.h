/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Decoded Bifrost clauses, and verification of whole programs.
 */
#ifndef BIFROST_VERIFY_H
#define BIFROST_VERIFY_H

#include "bifrost.h"

/**
 * struct bi_view - decoded clause
 * @c: the clause
 * @header: its header
 * @header_ok: the header is defined
 * @consts_ok: the modes of the constants are defined
 * @ports: register blocks
 * @ports_ok: mask of defined register blocks; the others are idle
 * @modes: enum bi_const_mode of the constants
 * @pos: first quad of the clause
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

/* Decode the parts of @v->c; the caller sets @v->c and @v->pos. */
void bi_view_parts(struct bi_view *v);
/* Encoding of a tuple's operation. */
u32 bi_op_bits(const struct bi_view *v, u32 tuple, enum bi_unit unit);
/* Ports that write the results of a tuple. */
const struct bi_ports *bi_writes(const struct bi_view *v, u32 tuple);
/* Does the operand name a defined value? */
bool bi_readable(const struct bi_view *v, u32 tuple, u32 code);
/* Is half of a constant relative to the program counter? *@bytes: offset. */
bool bi_pc_offset(const struct bi_view *v, u32 tuple, u32 code, s64 *bytes);
/*
 * Target quad of an operand, if the operand is an embedded constant relative to the program
 * counter.
 */
bool bi_pc_target(const struct bi_view *v, u32 tuple, u32 code, s64 *quad);
/* bifrost_verify.c */

/**
 * struct bi_check - parameters and results of a verification
 * @gpu: enum bi_gpu; BI_NUM_GPUS: any
 * @clauses: number of reachable clauses
 * @indirect: jumps to unknown targets or out of the program exist
 * @reject: reject reason; offsets count quads
 */
struct bi_check {
	enum bi_gpu gpu;
	u32 clauses;
	bool indirect;
	struct vs_reject reject;
};

/* Fill @check->reject. Return: -ENOEXEC. */
int bi_reject(struct bi_check *check, enum bi_reason reason, u32 offset, u32 value, u32 limit);

/* Successor of a clause's last tuple. */
enum bi_goes {
	BI_GOES_ON,		/* no branch */
	BI_GOES_QUAD,		/* branch to a quad of the code */
	BI_GOES_END,		/* a branch to 0 ends the thread */
	BI_GOES_RETURN,		/* through r48: return of a blend program to its caller */
	BI_GOES_ANYWHERE
};

/* Target of the branch of @v, if it has one. */
enum bi_goes bi_branch_target(const struct bi_view *v, s64 *quad);

/**
 * struct bi_part - one program of a group
 * @first: first quad
 * @nquads: its size
 * @va: guest address
 */
struct bi_part {
	u32 first;
	u32 nquads;
	u64 va;
};

/* The last part that starts at or before @pos; @parts[0] starts at 0. */
const struct bi_part *bi_part_at(const struct bi_part *parts, u32 n, u32 pos);

/**
 * struct bi_walk - traversal of the reachable clauses
 * @words: program
 * @nquads: its size
 * @parts: programs in @words, or NULL: a single one
 * @nparts: number of @parts
 * @places: clauses to visit and those found, by their first quads
 * @check: parameters and results
 * @features: VS_FEAT_* found
 * @quads: quads of the clauses found
 * @need: not NULL: missing quads are not an error; set to the number of quads needed
 * @clause: not NULL: called once for each clause
 * @arg: argument of @clause
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

/* Check the code reachable from @w->places. Return: 0 or -ENOEXEC. */
int bi_walk(struct bi_walk *w);

#define BI_VISIT	64U	/* cost of a clause, in visits of micro-ops */

/* Continue the walk for @left visits. Return: -EAGAIN if none are left, else as bi_walk(). */
int bi_walk_step(struct bi_walk *w, u32 *left);

/* Return: 0, -ENOEXEC if rejected, -ENOMEM. */
int bi_verify(const struct vs_src *src, struct vs_report *rep, struct bi_check *check);
const char *bi_reason_text(u32 reason);

#endif /* BIFROST_VERIFY_H */
