/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Internals of the Utgard pixel program lowering. */
#ifndef UTGARD_PP_LOWER_PRIV_H
#define UTGARD_PP_LOWER_PRIV_H

#include "utgard_pp_check.h"
#include "utgard_pp_lower.h"

#define UPL_ONE		0x3f800000
#define UPL_EXT_SLOTS	8	/* slots that EXT may use from d and from d2 on */
#define UPL_MAX_ROWS	(SIMT_MAX_UNIF / 2 / 4)	/* uniforms of a launch */

/**
 * struct upl_val - a value
 * @s: operand
 * @mods: SIMT_NEG(0), SIMT_ABS(0) to apply to it
 */
struct upl_val {
	u16 s;
	u16 mods;
};

/**
 * struct upl - state of an incremental lowering
 * @f: steps, emission; @f.pos is the first word of the instruction
 * @places: instruction starts of @walk
 * @walk: verification
 * @check: its results
 * @rep: features used
 * @at: next word that may start an instruction to lower
 * @next: word that follows the previous instruction
 * @falls: the previous instruction falls through
 * @words: program
 * @nwords: its size in words
 * @entry: word to start at
 * @fp32: registers are binary32
 * @debug: a debugger may stop before instructions
 * @y_up: y grows upwards
 * @regs: registers that are read at the end
 * @temps: rows of temporaries
 * @reached: words where reachable instructions start
 * @ninsns: number of instructions
 * @rows: uniform rows accessed without an offset
 * @uses_temps: temporaries are accessed
 * @insn: decoded instruction
 * @var: result of the varying field
 * @tex: result of the sampler
 * @uni: result of the uniform field
 * @vmul: result of the vector multiplier
 * @smul: result of the scalar multiplier
 * @out: result
 */
struct upl {
	struct simt_front f;
	u64 *places;
	struct upp_walk walk;
	struct upp_check check;
	struct vs_report rep;
	u32 at;
	u32 next;
	bool falls;
	const u32 *words;
	u32 nwords;
	u32 entry;
	bool fp32;
	bool debug;
	bool y_up;
	u32 regs;
	u32 temps;
	struct vs_todo reached;
	u32 ninsns;
	u32 rows;
	bool uses_temps;

	struct upp_insn insn;
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

/* A macro: sparse takes the initialiser of a literal given to an inline function twice. */
#define upl_emit(l, u)	simt_front_emit(&(l)->f, u)

static inline u16 upl_const(struct upl *l, u32 bits)
{
	return simt_front_const(&l->f, bits);
}

/* Allocate @n consecutive slots. */
static inline u16 upl_fresh(struct upl *l, u32 n)
{
	return simt_front_temps(&l->f, n);
}

/* utgard_pp_lower.c */
/* An operation on up to two values. */
struct upl_val upl_op(struct upl *l, u32 op, u32 imm, struct upl_val a, struct upl_val b);
/* Put a value in a slot or uniform word, with modifiers applied. */
u16 upl_plain(struct upl *l, struct upl_val v);
/* A component of a register, or of a value with a register code. */
struct upl_val upl_reg(struct upl *l, u32 reg, u32 comp);
/* Component @comp, selected by a swizzle. */
struct upl_val upl_swizzled(struct upl *l, u32 reg, u32 swizzle, u32 comp, u32 absolute,
			    u32 negate);
/* Round a result to register precision. */
struct upl_val upl_round(struct upl *l, struct upl_val v);
/* Write the components in the mask to a register, in parallel. */
void upl_write(struct upl *l, u32 reg, u32 mask, const struct upl_val v[4]);
/* Integer offset from a lane. */
u16 upl_offset(struct upl *l, u32 lane);

/* utgard_pp_lower_load.c: fields that load and store. */
void upl_varying(struct upl *l);
void upl_sampler(struct upl *l);
void upl_uniform(struct upl *l);
void upl_store(struct upl *l);

/* utgard_pp_lower_alu.c */
/* A field begins: debuggers stop before each; upl_lower_insn() does it before the first one. */
void upl_part(struct upl *l, enum upp_field field);
/* Show debuggers @n values that further fields of the instruction can read. */
void upl_show(struct upl *l, u32 at, const struct upl_val *v, u32 n);
void upl_multiply(struct upl *l);
void upl_add(struct upl *l);
void upl_combine(struct upl *l);
/* Apply a result modifier and round to register precision. */
struct upl_val upl_modify(struct upl *l, u32 modifier, struct upl_val v);
/* A lane as an operand. */
struct upl_val upl_lane(struct upl *l, u32 lane, u32 absolute, u32 negate);

/* utgard_pp_lower_angle.c: first and second step of an arc tangent. */
void upl_atan(struct upl *l, const struct upp_atan *a);
void upl_atan_end(struct upl *l, const struct upp_atan_end *a);

#endif /* UTGARD_PP_LOWER_PRIV_H */
