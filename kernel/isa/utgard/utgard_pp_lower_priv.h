/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Lowering of Utgard pixel programs: what its parts share. */
#ifndef UTGARD_PP_LOWER_PRIV_H
#define UTGARD_PP_LOWER_PRIV_H

#include "utgard_pp_check.h"
#include "utgard_pp_lower.h"

#define UPL_ONE		0x3f800000
#define UPL_EXT_SLOTS	8	/* that EXT may use from d and from d2 on */

/**
 * struct upl_val - a value
 * @s: operand
 * @mods: SIMT_NEG(0), SIMT_ABS(0) that apply to it
 */
struct upl_val {
	u16 s;
	u16 mods;
};

/**
 * struct upl - a program being lowered
 * @arena: memory
 * @places: of @walk
 * @walk: verification
 * @check: what it finds
 * @rep: what is used
 * @step: number of the step
 * @at: next word that may be the start of an instruction to lower
 * @next: word that follows the instruction before
 * @falls: it is executed after that one
 * @finish: last step
 * @words: program
 * @nwords: words
 * @entry: word that it starts with
 * @fp32: registers are binary32
 * @debug: a debugger may stop in front of instructions
 * @temps: rows of temporaries
 * @builder: NULL: micro-ops are only counted
 * @count: micro-ops
 * @reached: words where instructions start
 * @ninsns: instructions
 * @rows: uniform rows named without an offset
 * @uses_temps: there is a temporary
 * @error: what cannot be executed
 * @pos: word where the instruction starts
 * @insn: the instruction
 * @free: first slot that is not used in this instruction
 * @top: first slot that is never used
 * @var: result of the varying field
 * @tex: of the sampler
 * @uni: of the uniform field
 * @vmul: of the vector multiplier
 * @smul: of the scalar multiplier
 * @out: what the caller gets
 */
struct upl {
	struct simt_arena *arena;
	u64 *places;
	struct upp_walk walk;
	struct upp_check check;
	struct vs_report rep;
	u32 step;
	u32 at;
	u32 next;
	bool falls;
	struct simt_finish *finish;
	const u32 *words;
	u32 nwords;
	u32 entry;
	bool fp32;
	bool debug;
	u32 temps;
	struct simt_builder *builder;
	u32 count;
	struct vs_todo reached;
	u32 ninsns;
	u32 rows;
	bool uses_temps;
	int error;

	u32 pos;
	struct upp_insn insn;
	u32 free;
	u32 top;
	struct upl_val var[4];
	struct upl_val tex[4];
	struct upl_val uni[4];
	struct upl_val vmul[4];
	struct upl_val smul;
	struct upp_program *out;
};

#define UPL_UOP(...)	(&(struct simt_uop){ __VA_ARGS__ })

static inline struct upl_val upl_slot(u32 s)
{
	return (struct upl_val){ .s = (u16)s };
}

/* utgard_pp_lower.c */
void upl_emit(struct upl *l, const struct simt_uop *u);
u16 upl_const(struct upl *l, u32 bits);
/* @n slots that follow each other. */
u16 upl_fresh(struct upl *l, u32 n);
/* An operation on up to two values. */
struct upl_val upl_op(struct upl *l, u32 op, u32 imm, struct upl_val a, struct upl_val b);
/* The value in a slot or uniform word, without modifiers. */
u16 upl_plain(struct upl *l, struct upl_val v);
/* A component of a register, or of what stands for one. */
struct upl_val upl_reg(struct upl *l, u32 reg, u32 comp);
/* Component @comp by a swizzle. */
struct upl_val upl_swizzled(struct upl *l, u32 reg, u32 swizzle, u32 comp, u32 absolute,
			    u32 negate);
/* What a register makes of a result. */
struct upl_val upl_round(struct upl *l, struct upl_val v);
/* Components of the mask to a register, all at once. */
void upl_write(struct upl *l, u32 reg, u32 mask, const struct upl_val v[4]);
/* An integer out of a lane that is an offset. */
u16 upl_offset(struct upl *l, u32 lane);

/* utgard_pp_lower_load.c: fields that load and store. */
void upl_varying(struct upl *l);
void upl_sampler(struct upl *l);
void upl_uniform(struct upl *l);
void upl_store(struct upl *l);

/* utgard_pp_lower_alu.c */
void upl_multiply(struct upl *l);
void upl_add(struct upl *l);
void upl_combine(struct upl *l);
/* A result's modifier, and what a register makes of it. */
struct upl_val upl_modify(struct upl *l, u32 modifier, struct upl_val v);
/* A lane as an operand. */
struct upl_val upl_lane(struct upl *l, u32 lane, u32 absolute, u32 negate);

/* utgard_pp_lower_angle.c: first and second step of an arc tangent. */
void upl_atan(struct upl *l, const struct upp_atan *a);
void upl_atan_end(struct upl *l, const struct upp_atan_end *a);

#endif /* UTGARD_PP_LOWER_PRIV_H */
