/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Internals of the Midgard lowering.
 */
#ifndef MIDGARD_LOWER_PRIV_H
#define MIDGARD_LOWER_PRIV_H

#include "midgard_lower.h"

/**
 * struct ml_val - a word: its operand and its value, if constant
 * @s: micro-op operand
 * @is_const: the value is known at lowering time
 * @bits: value, if @is_const
 */
struct ml_val {
	u16 s;
	bool is_const;
	u32 bits;
};

/* A 64-bit lane: two words. */
struct ml_pair {
	struct ml_val lo;
	struct ml_val hi;
};

#define ML_NOWHERE	0xffff

/* Set of register slots. */
struct ml_set {
	u64 bits[2];
};

/**
 * struct ml_write - register write deferred to the end of its stage
 * @d: slot
 * @bytes: mask of written bytes
 * @s: value, in the same bytes
 */
struct ml_write {
	u16 d;
	u8 bytes;
	u16 s;
};

#define ML_MAX_WRITES	16

/**
 * struct ml_walk - traversal of the reachable bundles
 * @words: code
 * @nquads: its size
 * @code: the programs in @words; NULL: a single one
 * @gpu: enum mg_gpu; MG_NUM_GPUS: any
 * @seen: visited bundles, a bit set
 * @todo: bundles to visit; each is queued once at most
 * @ntodo: number of bundles in @todo
 * @bundles: number of bundles in @seen
 * @need: quads that visited bundles and their targets cover
 * @rej: reject reason
 * @b: current bundle
 */
struct ml_walk {
	const u32 *words;
	u32 nquads;
	const struct mg_code *code;
	enum mg_gpu gpu;
	u64 *seen;
	u32 *todo;
	u32 ntodo;
	u32 bundles;
	u32 need;
	struct vs_reject rej;
	struct mg_bundle b;
};

/* Return: 0 or -ENOMEM. */
int ml_walk_new(struct ml_walk *w, struct simt_arena *arena, const u32 *words, u32 nquads,
		u32 entry);
/* Queue a quad for a visit. */
void ml_walk_note(struct ml_walk *w, u32 quad);
#define ML_VISIT	48U	/* cost of a bundle, in visits of micro-ops */

/* Continue the walk. Return: 0, -EAGAIN, or -ENOEXEC with w->rej. */
int ml_walk_step(struct ml_walk *w, u32 *left);

/* Maximum framebuffer writes that blend programs return to. */
#define ML_MAX_BACK	32

/* Maximum calls in a program. */
#define ML_MAX_CALLS	64

/**
 * struct ml - state of an incremental lowering
 *
 * @f: steps, emission; @f.pos is the first quad of the bundle
 *
 * Of the program:
 * @walk: reachable bundles
 * @at: first quad that is not lowered yet
 * @next: quad that follows the previous bundle, or ML_LEAVES
 * @own: copy of the caller's description of the code
 * @parts: copy of its parts
 * @code: code to lower
 * @work: work registers
 * @rej: reject reason
 * @segments: the program uses addresses of local memory
 * @ends: branches to the end exist
 * @used: work registers used, from r0 on
 * @labels: labels other than those of bundles
 * @leave: label of the end of blend programs
 * @back: return positions of blend programs: quads after framebuffer writes
 * @nback: number of return positions
 * @calls: bundles with calls
 * @ncalls: number of calls
 * @home: label of the return code, 0: no returns so far
 * @nested: label of the fault for nested calls, 0: none so far
 *
 * Of the bundle:
 * @b: decoded bundle
 * @reads: slots that each operation reads
 * @stage_end: end of the stage: one past its last operation
 * @writes: deferred writes
 * @nwrites: number of deferred writes
 * @cond: bytes of r31 written in the bundle
 * @r1: bytes of r1 written in the bundle
 * @cond_bool: r31.w is the result of a comparison: all bits are equal
 * @last: no bundle follows
 * @part: number of the next operation, not counting NOPs; only for debuggers
 *
 * Of the operation:
 * @i: its index
 * @a: arithmetic operation
 * @def: its table entry
 * @want: slot for the next result, ML_NOWHERE: any
 * @across: result of a horizontal operation
 * @has_across: @across is valid
 */
struct ml {
	struct simt_front f;

	struct ml_walk walk;
	u32 at;
	u32 next;
	struct mg_code own;
	struct mg_part parts[MG_MAX_PARTS];
	const struct mg_code *code;
	u32 work;
	struct vs_reject rej;
	bool segments;
	bool ends;
	u32 used;
	u32 labels;
	u32 leave;
	u32 back[ML_MAX_BACK];
	u32 nback;
	struct ml_call {
		u32 pos;
		u32 behind;	/* return quad; ML_LEAVES: none */
		u32 landing;	/* label of the return position */
	} calls[ML_MAX_CALLS];
	u32 ncalls;
	u32 home;
	u32 nested;

	struct mg_bundle b;
	struct ml_set reads[MG_MAX_ALU];
	u32 stage_end;
	struct ml_write writes[ML_MAX_WRITES];
	u32 nwrites;
	u16 cond;
	u16 r1;
	bool cond_bool;
	bool last;
	u32 part;

	u32 i;
	const struct mg_alu *a;
	const struct mg_alu_def *def;
	u16 want;
	struct ml_val across;
	bool has_across;
};

#define ML_LEAVES	(~0U)

#define ML_U(...)	((struct simt_uop){ __VA_ARGS__ })
#define ML_UOP(...)	(&ML_U(__VA_ARGS__))

static inline struct ml_val ml_slot(u16 slot)
{
	return (struct ml_val){ .s = slot };
}

static inline u16 ml_temps(struct ml *l, u32 n)
{
	return simt_front_temps(&l->f, n);
}

static inline u16 ml_temp(struct ml *l)
{
	return ml_temps(l, 1);
}

/* midgard_lower.c */
void ml_emit(struct ml *l, const struct simt_uop *u);
struct ml_val ml_const(struct ml *l, u32 bits);
/* The next operation of the bundle begins. */
void ml_part(struct ml *l);
/* Emit a micro-op to l->want, or to a temporary. */
struct ml_val ml_op(struct ml *l, struct simt_uop u);
/* Emit a micro-op with a temporary destination. */
struct ml_val ml_aux(struct ml *l, struct simt_uop u);
/* Emit PERM: select bytes of two words by @imm. */
struct ml_val ml_perm(struct ml *l, struct ml_val a, struct ml_val b, u32 imm);
/* Reject the current bundle as unsupported. */
int ml_unsupported(struct ml *l, u32 value);
int ml_reject(struct ml *l, u32 reason, u32 value);
/* Allocate a label that belongs to no bundle. */
u32 ml_new_label(struct ml *l);
/* Read a word of a register; PC and stack pointer as seen by arithmetic. */
int ml_reg_word(struct ml *l, u32 reg, u32 word, struct ml_val *v);
/* First slot of a destination register. */
int ml_dest_slot(struct ml *l, u32 reg, u16 *slot);
struct ml_val ml_pc(struct ml *l, u32 quads, u32 word);
struct ml_val ml_tls(struct ml *l, u32 word);
struct ml_val ml_wls(struct ml *l, u32 word);

#define ML_PERM_SAME \
	(SIMT_PERM_A(0) | SIMT_PERM_A(1) << 4 | SIMT_PERM_A(2) << 8 | SIMT_PERM_A(3) << 12)
#define ML_PERM(b0, b1, b2, b3) \
	((u32)(b0) | (u32)(b1) << 4 | (u32)(b2) << 8 | (u32)(b3) << 12)

/* Emit the end of the program. */
void ml_end(struct ml *l);
/* Branch to label @pos if slot @v equals @is. */
void ml_go_if(struct ml *l, u16 v, u32 is, u32 pos);

/* midgard_lower_call.c: @op: JMP, or a branch by @on. Return: 0, 1 if it never falls through. */
int ml_call(struct ml *l, const struct mg_branch *br, u32 op, struct ml_val on);
int ml_return(struct ml *l, const struct mg_branch *br, u32 op, struct ml_val on);
/* Emit the code that calls share, after the program. */
void ml_calls_end(struct ml *l);

/* midgard_lower_src.c */
/* Are the sources of the operation supported? */
int ml_check_sources(struct ml *l);
/* Word @w of source @k, widened, without abs and neg. */
int ml_src(struct ml *l, u32 k, u32 w, struct ml_val *v);
/* Set of slots that word @w of both sources reads. */
void ml_src_reads(const struct mg_alu *a, u32 w, struct ml_set *set);
/* abs and neg of source @k as modifiers of operand @at. */
u16 ml_signs(const struct ml *l, u32 k, u32 at);
/* Apply abs and neg of source @k by micro-ops. */
struct ml_val ml_apply_signs(struct ml *l, u32 k, struct ml_val v);

/* midgard_lower_alu.c */
int ml_alu_op(struct ml *l);
/* Result of the operation for word @w of its lanes, before narrowing. */
int ml_word(struct ml *l, u32 w, struct ml_val *v);

/* midgard_lower_int.c, of 8, 16 and 32 bits; midgard_lower_wide.c, of 64 bits */
int ml_int(struct ml *l, u32 w, struct ml_val a, struct ml_val b, struct ml_val *v);
int ml_wide(struct ml *l, u32 lane, struct ml_pair *v);
struct ml_pair ml_wide_sum(struct ml *l, struct ml_pair a, struct ml_pair b);
/* Minimum, or with @max maximum. */
struct ml_pair ml_wide_end(struct ml *l, struct ml_pair a, struct ml_pair b, bool max,
			   bool is_unsigned);

/*
 * Word of r31 that a bitwise select reads: the one at the result's position. Operations of the
 * scalar units have 32 bits, even if the result is narrowed to a half of that word.
 */
static inline u32 ml_select_word(const struct ml *l, u32 w)
{
	return l->a->nlanes == 1 ? l->a->comp / 2 : w;
}

/* Select by r31, bitwise or by all of r31.w. */
struct ml_pair ml_wide_choose(struct ml *l, u32 lane, struct ml_pair a, struct ml_pair b);

/* midgard_lower_float.c */
int ml_float(struct ml *l, u32 w, struct ml_val a, struct ml_val b, struct ml_val *v);
/* Result of a horizontal operation. */
int ml_across(struct ml *l, struct ml_val *v);
/* Apply the output modifier to a float result that no float micro-op made. */
struct ml_val ml_finish_float(struct ml *l, struct ml_val v);
/* Do float results need no output modifier or flush? */
bool ml_plain_float(const struct ml *l);
/* Rounding mode of the operation. */
u32 ml_round(const struct ml *l);

/* Does the mode replace infinities and NaN made by arithmetic? */
bool ml_suppresses(const struct ml *l);
/* Does the operation flush subnormal operands and results to zero? */
bool ml_flushes(const struct ml *l);

/* midgard_lower_double.c: 64-bit operations with float sources or a float result. */
int ml_double(struct ml *l, u32 lane, struct ml_pair *v);
/* Narrow a double to a 32-bit float. */
struct ml_val ml_double_narrow(struct ml *l, const struct ml_pair *p);

/* midgard_lower_ldst.c */
int ml_ldst_bundle(struct ml *l);

/* midgard_lower_angle.c: the two steps of atan2, each an operation. */
int ml_angle(struct ml *l, u32 w, struct ml_val a, struct ml_val b, struct ml_val *v);

/* midgard_lower_frag.c */
/* Index of the part that a quad belongs to. */
u32 ml_part_at(const struct mg_code *code, u32 quad);
/* Extent of the part that a quad belongs to: *@first to before the returned quad. */
u32 ml_part_end(const struct mg_code *code, u32 quad, u32 *first);
/* Does the current bundle belong to a blend program? */
bool ml_blends(const struct ml *l);
/* Write to the framebuffer. */
int ml_write_out(struct ml *l, const struct mg_branch *br);
/* Return of a blend program. */
void ml_return_back(struct ml *l);

/* midgard_lower_cube.c: direction to face coordinates and face index. */
void ml_cube(struct ml *l, u16 v[4]);

/* midgard_lower_tex.c */
int ml_tex_bundle(struct ml *l);

#endif /* MIDGARD_LOWER_PRIV_H */
