/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Engine programs: micro-ops with their tables, built by front ends, then verified
 * and immutable.
 */
#ifndef VS_PROG_H
#define VS_PROG_H

#include "vs_uop.h"

#define VS_NO_UOP	(~0u)

/**
 * struct vs_rows - Rule of indexed uniform reads (VS_OP_LDROW).
 * @mask:	row = (base + offset) & mask
 * @limit:	rows from here on read @beyond in all components
 * @beyond:	value (binary32 bits) of such rows
 * @off_min:	offsets outside off_min..off_max count as 0, or, with
 *		VS_LAUNCH_OOR_ZERO, the read gives zeros
 * @off_max:	see @off_min
 */
struct vs_rows {
	u32 mask;
	u32 limit;
	u32 beyond;
	s32 off_min;
	s32 off_max;
};

/**
 * struct vs_reg - Location of an architectural register at guest boundaries.
 * @name:	as the ISA's assembler writes it
 * @ncomp:	components
 * @type:	0 float, 1 signed integer, 2 predicate (slot[] are pred numbers)
 * @slot:	slot per component
 */
struct vs_reg {
	char name[8];
	u8 ncomp;
	u8 type;
	u16 slot[4];
};

/**
 * struct vs_prog - An executable program.
 * @uops:	micro-ops; the last one is VS_OP_END
 * @nuops:	number of @uops
 * @uop_of_guest: first micro-op of each guest word, VS_NO_UOP if unreachable
 * @guest_of_uop: guest word of each micro-op
 * @nguest:	guest words
 * @nslots:	slots used
 * @nunif:	words of uniforms that a launch provides
 * @nconst:	constant words, at uniform words nunif ..
 * @consts:	binary32 bits
 * @uses_neg:	negated uniforms are used: word w negated is word
 *		nunif + nconst + w
 * @nzero:	number of @zero
 * @zero:	slots that may be read before they are written
 * @rows:	rule for VS_OP_LDROW
 * @nregs:	number of @regs
 * @regs:	architectural registers, for inspection
 * @in_slot:	slot of input register r, component c: in_slot + 4 * r + c
 * @out_slot:	the same for output registers
 * @shadow_slot: second bank of output registers (VS_OP_EMIT swaps), 0: none
 * @nin:	input registers
 * @nout:	output registers
 * @in_used:	mask of input registers read
 * @out_written: mask of output registers written
 * @carries:	results may depend on slots written by earlier invocations
 *		(computed by vs_prog_finish from definite assignment)
 * @wsum:	sum of the weights of all micro-ops before each one, nuops + 1 entries
 * @bools_used:	boolean uniforms that conditions read
 * @has_emit:	EMIT occurs
 * @unif_used:	bit per uniform word below nunif + nconst that micro-ops name
 * @uses_rows:	indexed reads occur
 * @bytes:	memory held
 */
struct vs_prog {
	struct vs_uop *uops;
	u32 nuops;
	u32 *uop_of_guest;
	u16 *guest_of_uop;
	u32 nguest;
	u32 nslots;
	u32 nunif;
	u32 nconst;
	u32 *consts;
	bool uses_neg;
	u32 nzero;
	u16 *zero;
	struct vs_rows rows;
	u32 nregs;
	struct vs_reg *regs;
	u16 in_slot;
	u16 out_slot;
	u16 shadow_slot;
	u16 nin;
	u16 nout;
	u32 in_used;
	u32 out_written;
	bool carries;
	u32 *wsum;
	u32 bools_used;
	bool has_emit;
	bool uses_rows;
	u64 *unif_used;
	size_t bytes;
};

#define VS_MAX_UNIF	4096	/* words of nunif + nconst */
#define VS_MAX_ROWMASK	255

/*
 * Building. Front ends emit micro-ops guest instruction by guest instruction. Flow
 * fields target, resume and other are given as GUEST word numbers and translated to
 * micro-op numbers by vs_prog_finish(); every one that the operation uses must name a
 * word with micro-ops (resume of BR and BREAK is not used when cond is ALWAYS). Words
 * 0..nguest are allowed: word nguest holds an END after the last word.
 * CHECK micro-ops are inserted by the builder.
 */
struct vs_builder;

struct vs_builder *vs_builder_new(u32 nguest, u32 nslots, u32 nunif);
void vs_builder_free(struct vs_builder *b);
/* Start guest word @guest; micro-ops until the next call belong to it. */
void vs_builder_guest(struct vs_builder *b, u32 guest);
/* Append; errors are sticky and reported by vs_prog_finish(). */
void vs_builder_emit(struct vs_builder *b, const struct vs_uop *u);
/* Uniform word that holds constant @bits (deduplicated). */
u32 vs_builder_const(struct vs_builder *b, u32 bits);
/* Uniform word that holds the negation of word @w. */
u32 vs_builder_neg(struct vs_builder *b, u32 w);

/**
 * vs_prog_finish - translate, analyse and verify
 * @b: builder, consumed in any case
 * @proto: slot map, rows, regs (copied), nin/nout etc. as set by the front end
 * @entries: guest words where execution may start
 * @nentries: number of @entries
 * @out: the program
 *
 * Return: 0, -ENOMEM, -E2BIG (limits), -EINVAL (front end defect: the separate
 * micro-op verifier rejected it).
 */
int vs_prog_finish(struct vs_builder *b, const struct vs_prog *proto, const u32 *entries,
		   u32 nentries, struct vs_prog **out);
void vs_prog_free(struct vs_prog *p);

/**
 * vs_prog_verify - prove that the executor needs no checks
 * @p: program, of any origin
 * @bad: micro-op at fault
 *
 * Every slot field in range for all operations (unused fields zero), preds,
 * uniform words, immediates, targets at guest boundaries, at most VS_MAX_STRAIGHT
 * micro-ops between control micro-ops, last micro-op END.
 *
 * Return: 0 or -EINVAL.
 */
int vs_prog_verify(const struct vs_prog *p, u32 *bad);

#endif /* VS_PROG_H */
