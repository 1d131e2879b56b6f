/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Inside the Midgard lowering.
 */
#ifndef MIDGARD_LOWER_PRIV_H
#define MIDGARD_LOWER_PRIV_H

#include "midgard_lower.h"

/**
 * struct ml_val - a word: where it is and what is known of it
 * @s: operand of micro-ops
 * @is_const: it is always @bits
 * @bits: see @is_const
 */
struct ml_val {
	u16 s;
	bool is_const;
	u32 bits;
};

/* Lanes of 64 bits have two words. */
struct ml_pair {
	struct ml_val lo;
	struct ml_val hi;
};

#define ML_NOWHERE	0xffff

/* A set of slots of registers. */
struct ml_set {
	u64 bits[2];
};

/**
 * struct ml_write - a write that waits for the end of its stage
 * @d: slot
 * @bytes: bytes of it, a mask
 * @s: value, in the same bytes
 */
struct ml_write {
	u16 d;
	u8 bytes;
	u16 s;
};

#define ML_MAX_WRITES	16

/**
 * struct ml_walk - bundles that can be reached
 * @words: code
 * @nquads: its size
 * @code: programs that it is made of; NULL: one
 * @gpu: GPU; MG_NUM_GPUS: any
 * @seen: bundles, a bit set
 * @todo: those that were not looked at yet; each is there once at most
 * @ntodo: how many
 * @bundles: how many were seen
 * @need: quads that these and what they lead to take
 * @rej: why the walk ended
 * @b: bundle
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
/* A quad to look at. */
void ml_walk_note(struct ml_walk *w, u32 quad);
#define ML_VISIT	48U	/* a bundle takes as long as so many visits of micro-ops */

/* A piece of the walk. Return: 0, -EAGAIN, or -ENOEXEC with w->rej. */
int ml_walk_step(struct ml_walk *w, u32 *left);

/* Where writes to the framebuffer that blend programs return to may be. */
#define ML_MAX_BACK	32

/* Calls of a program. */
#define ML_MAX_CALLS	64

/**
 * struct ml - lowering of a program, in pieces
 * @arena: memory
 * @walk: bundles that can be reached
 * @step: number of the step
 * @at: no bundle before this quad is left to lower
 * @next: quad that follows the bundle before, or ML_LEAVES
 * @zero: slots below this one start as zeros
 * @finish: last step
 * @own: what is lowered
 * @parts: of @own
 * @builder: NULL while micro-ops are only counted
 * @count: micro-ops
 * @code: what is lowered
 * @work: work registers
 * @rej: what is wrong
 * @segments: addresses of local memory are used
 * @ends: there are branches to the end
 * @used: work registers used, from r0 on
 * @labels: labels besides those of bundles
 * @leave: label where blend programs end
 * @back: quads behind writes of the program, where blend programs return to
 * @nback: how many
 * @calls: bundles with calls
 * @ncalls: how many
 * @home: label where returns go, 0: there are none yet
 * @nested: label where calls go that are met in a function, 0: there are none yet
 *
 * Of the bundle:
 * @pos: where it is
 * @b: it
 * @reads: slots that each operation reads
 * @stage_end: operation behind the last one of this stage
 * @writes: those that wait
 * @nwrites: how many
 * @cond: bytes of r31 that the bundle has written
 * @r1: bytes of r1
 * @cond_bool: r31.w is what a comparison gave: all bits are the same
 * @last: nothing follows
 *
 * Of the operation:
 * @i: its number
 * @a: arithmetic operation
 * @def: what it is
 * @temp: next slot for intermediate values
 * @full: there were too many of them
 * @want: where the next result should go, ML_NOWHERE: anywhere
 * @across: result of an operation across lanes
 * @has_across: there is one
 */
struct ml {
	struct simt_arena *arena;
	struct ml_walk walk;
	u32 step;
	u32 at;
	u32 next;
	u32 zero;
	struct simt_finish *finish;
	struct mg_code own;
	struct mg_part parts[MG_MAX_PARTS];
	struct simt_builder *builder;
	u32 count;
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
		u32 behind;	/* quad; ML_LEAVES: nothing follows */
		u32 landing;	/* label */
	} calls[ML_MAX_CALLS];
	u32 ncalls;
	u32 home;
	u32 nested;

	u32 pos;
	struct mg_bundle b;
	struct ml_set reads[MG_MAX_ALU];
	u32 stage_end;
	struct ml_write writes[ML_MAX_WRITES];
	u32 nwrites;
	u16 cond;
	u16 r1;
	bool cond_bool;
	bool last;

	u32 i;
	const struct mg_alu *a;
	const struct mg_alu_def *def;
	u16 temp;
	bool full;
	u16 want;
	struct ml_val across;
	bool has_across;
};

#define ML_LEAVES	(~0U)

#define ML_U(...)	((struct simt_uop){ __VA_ARGS__ })
#define ML_UOP(...)	(&ML_U(__VA_ARGS__))

/* midgard_lower.c */
void ml_emit(struct ml *l, const struct simt_uop *u);
struct ml_val ml_const(struct ml *l, u32 bits);
struct ml_val ml_slot(u16 slot);
u16 ml_temp(struct ml *l);
u16 ml_temps(struct ml *l, u32 n);
/* Where the result goes that is emitted next. */
u16 ml_dst(struct ml *l);
/* Emit with ml_dst() as the destination. */
struct ml_val ml_op(struct ml *l, struct simt_uop u);
/* The same to some other place, for what is not the result. */
struct ml_val ml_aux(struct ml *l, struct simt_uop u);
/* Bytes of two words by PERM's imm. */
struct ml_val ml_perm(struct ml *l, struct ml_val a, struct ml_val b, u32 imm);
/* Rejects; all of the bundle is meant. */
int ml_unsupported(struct ml *l, u32 value);
int ml_reject(struct ml *l, u32 reason, u32 value);
/* A label that branches can name, and that no bundle has. */
u32 ml_new_label(struct ml *l);
void ml_label(struct ml *l, u32 label);
/* Word of a register; PC and stack pointer as arithmetic sees them. */
int ml_reg_word(struct ml *l, u32 reg, u32 word, struct ml_val *v);
/* First slot of a register that is written. */
int ml_dest_slot(struct ml *l, u32 reg, u16 *slot);
struct ml_val ml_pc(struct ml *l, u32 quads, u32 word);
struct ml_val ml_tls(struct ml *l, u32 word);
struct ml_val ml_wls(struct ml *l, u32 word);

#define ML_PERM_SAME \
	(SIMT_PERM_A(0) | SIMT_PERM_A(1) << 4 | SIMT_PERM_A(2) << 8 | SIMT_PERM_A(3) << 12)
#define ML_PERM(b0, b1, b2, b3) \
	((u32)(b0) | (u32)(b1) << 4 | (u32)(b2) << 8 | (u32)(b3) << 12)

/* The program's end. */
void ml_end(struct ml *l);
/* To label @pos if slot @v is @is. */
void ml_go_if(struct ml *l, u16 v, u32 is, u32 pos);

/* midgard_lower_call.c: @op: JMP, or a branch by @on. Return: 0, 1 if nothing comes behind it. */
int ml_call(struct ml *l, const struct mg_branch *br, u32 op, struct ml_val on);
int ml_return(struct ml *l, const struct mg_branch *br, u32 op, struct ml_val on);
/* What they have in common, behind the program. */
void ml_calls_end(struct ml *l);

/* midgard_lower_src.c */
/* Can the sources of the operation be lowered at all? */
int ml_check_sources(struct ml *l);
/* Word @w of source @k, widened, without abs and neg. */
int ml_src(struct ml *l, u32 k, u32 w, struct ml_val *v);
/* Slots that word @w of both sources reads. */
void ml_src_reads(struct ml *l, const struct mg_alu *a, u32 w, struct ml_set *set);
/* abs and neg of source @k as modifiers of operand @at. */
u16 ml_signs(const struct ml *l, u32 k, u32 at);
/* The same as micro-ops. */
struct ml_val ml_apply_signs(struct ml *l, u32 k, struct ml_val v);

/* midgard_lower_alu.c */
int ml_alu_op(struct ml *l);
/* Result of the operation for word @w of its lanes, before it shrinks. */
int ml_word(struct ml *l, u32 w, struct ml_val *v);

/* midgard_lower_int.c, of 8, 16 and 32 bits; midgard_lower_wide.c, of 64 bits */
int ml_int(struct ml *l, u32 w, struct ml_val a, struct ml_val b, struct ml_val *v);
int ml_wide(struct ml *l, u32 lane, struct ml_pair *v);
struct ml_pair ml_wide_sum(struct ml *l, struct ml_pair a, struct ml_pair b);
/* The least one or, with @max, the greatest. */
struct ml_pair ml_wide_end(struct ml *l, struct ml_pair a, struct ml_pair b, bool max,
			   bool is_unsigned);

/*
 * Word of r31 that a select goes by bit by bit: that of the result's place. A scalar unit's
 * operation has 32 bits, also when its result becomes a half of that word.
 */
static inline u32 ml_select_word(const struct ml *l, u32 w)
{
	return l->a->nlanes == 1 ? l->a->comp / 2 : w;
}

/* By r31, bit by bit or by all of r31.w. */
struct ml_pair ml_wide_choose(struct ml *l, u32 lane, struct ml_pair a, struct ml_pair b);

/* midgard_lower_float.c */
int ml_float(struct ml *l, u32 w, struct ml_val a, struct ml_val b, struct ml_val *v);
/* Result across lanes. */
int ml_across(struct ml *l, struct ml_val *v);
/* A float result that was made by something else than arithmetic on floats. */
struct ml_val ml_finish_float(struct ml *l, struct ml_val v);
/* Nothing is to be done with float results. */
bool ml_plain_float(const struct ml *l);
/* Rounding mode of the operation. */
u32 ml_round(const struct ml *l);

/* Are infinities and NaN that arithmetic makes to be replaced? */
bool ml_suppresses(const struct ml *l);
/* Are subnormal operands and results of the operation zeros? */
bool ml_flushes(const struct ml *l);

/* midgard_lower_double.c: operations of 64 bits with floats on either side. */
int ml_double(struct ml *l, u32 lane, struct ml_pair *v);
/* A float of 32 bits. */
struct ml_val ml_double_narrow(struct ml *l, const struct ml_pair *p);

/* midgard_lower_ldst.c */
int ml_ldst_bundle(struct ml *l);

/* midgard_lower_angle.c: the two steps of atan2, as an operation. */
int ml_angle(struct ml *l, u32 w, struct ml_val a, struct ml_val b, struct ml_val *v);

/* midgard_lower_frag.c */
/* Number of the program that a quad belongs to. */
u32 ml_part_at(const struct mg_code *code, u32 quad);
/* Quads that the program has which a quad belongs to: from *@first to before the result. */
u32 ml_part_end(const struct mg_code *code, u32 quad, u32 *first);
/* Is the bundle one of a blend program? */
bool ml_blends(const struct ml *l);
/* A write to the framebuffer. */
int ml_write_out(struct ml *l, const struct mg_branch *br);
/* The way back from blend programs. */
void ml_return_back(struct ml *l);

/* midgard_lower_cube.c: a direction becomes coordinates of a face, and the face. */
void ml_cube(struct ml *l, u16 v[4]);

/* midgard_lower_tex.c */
int ml_tex_bundle(struct ml *l);

#endif /* MIDGARD_LOWER_PRIV_H */
