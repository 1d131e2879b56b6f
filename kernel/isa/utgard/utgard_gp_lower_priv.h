/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Lowering of Utgard vertex programs: what its parts share.
 *
 * Within a block of straight code, values are names of where they are: results of units,
 * registers, what becomes visible in some instructions. Moves thus cost nothing. Where
 * blocks meet, everything that lives on goes to its own slot: registers, what is on its way
 * to them, results of the last two instructions.
 */
#ifndef UTGARD_GP_LOWER_PRIV_H
#define UTGARD_GP_LOWER_PRIV_H

#include "utgard_gp_lower.h"

/* Things that are written now and read later: components of registers, address registers. */
#define UGL_ADDR0	(4 * UGP_NUM_REGS)
#define UGL_NUM_CELLS	(UGL_ADDR0 + 4)
#define UGL_MAX_LATE	(UGP_ADDR_LATENCY - 1)
#define UGL_RING	8	/* power of two, more than any latency */

/* Results one instruction back: of units, and what is the first multiplier's two back. */
#define UGL_NEXT_MUL0	UGP_NUM_UNITS
#define UGL_NUM_RESULTS	(UGP_NUM_UNITS + 1)

/* Thread memory: rows, one that stays 0, one for what is not to be stored. */
#define UGL_VISIT	64U	/* an instruction takes as long as so many visits of micro-ops */
#define UGL_ZERO_ROW	UGP_MAX_ROWS
#define UGL_DUMP_ROW	(UGP_MAX_ROWS + 1)
#define UGL_TLS		((UGP_MAX_ROWS + 2) * 16)

#define UGL_ONE		0x3f800000
#define UGL_MINUS_ONE	0xbf800000

/**
 * struct ugl_val - a value
 * @s: operand
 * @neg: negated
 * @truth: before negation it is 0.0 or 1.0
 */
struct ugl_val {
	u16 s;
	bool neg;
	bool truth;
};

/* A component on its way to a row. */
struct ugl_store {
	struct ugl_val off;	/* of the row, bytes */
	struct ugl_val v;
	bool set;
};

struct ugl_move {
	u16 dst;
	struct ugl_val v;
};

#define UGL_MAX_MOVES	(4 * UGL_NUM_CELLS + 2 * UGL_NUM_RESULTS + 4 + 8 * UGL_MAX_LATE)

/**
 * struct ugl - a program being lowered
 * @arena: memory
 * @step: number of the step
 * @next: next instruction to lower
 * @finish: last step
 * @rep: of verification
 * @rej: of verification
 * @until_end: instructions until the block ends
 * @words: instructions
 * @n: how many
 * @debug: a debugger may stop in front of each instruction
 * @builder: NULL: micro-ops are only counted
 * @count: micro-ops
 * @full: the slots do not suffice
 * @starts: instructions that begin a block, a bit each
 * @nstarts: how many
 * @flows: there is a branch
 * @prev_port0: something reads what port 0 read before
 * @temps: something stores to rows
 * @temps_late: such stores may be under way where blocks meet
 * @indexed: something loads with an address register
 * @rows: rows below this one are loaded
 * @loaded: rows that are loaded without an address register
 * @cell_read: cells that are read
 * @cell_written: cells that are written
 * @late: writes of a cell may be under way where blocks meet
 * @live1: results one back that are read where blocks meet
 * @live2: two back
 * @live_port0: port 0 one back
 * @stores: stores to a component of a varying
 * @cell_slot: slots of cells where blocks meet, UGP_NO_SLOT: always 0
 * @late_slot: of what becomes visible 1, 2, 3 instructions later
 * @slot1: of results one back
 * @slot2: two back
 * @slot_port0: of port 0 one back
 * @slot_store: of stores to rows under way: offset, value
 * @fixed: slots below are those above and varyings
 * @pool: slots from here on are for values within a block
 * @used: of these, what is in use
 * @top: slots used so far
 * @at: instruction
 * @v: what it does
 * @now: cells as it reads them
 * @due: what cells become, by instruction modulo UGL_RING
 * @due_set: do they
 * @store: stores to rows that happen before an instruction
 * @r1: results one back
 * @r2: two back
 * @cur: results of this instruction
 * @port0: what port 0 reads
 * @prev0: what it read before
 * @load: what is loaded
 * @hint: where the result of the unit should go, UGP_NO_SLOT: anywhere
 * @move: what is to be moved where blocks meet
 * @nmoves: how many
 * @written: slots that are already overwritten then
 * @out: what the caller gets
 */
struct ugl {
	struct simt_arena *arena;
	u32 step;
	u32 next;
	struct simt_finish *finish;
	struct vs_report rep;
	struct vs_reject rej;
	u32 until_end;
	const u32 *words;
	u32 n;
	bool debug;
	struct simt_builder *builder;
	u32 count;
	bool full;

	u64 starts[UGP_MAX_INSNS / 64];
	u32 nstarts;
	bool flows;
	bool prev_port0;
	bool temps;
	bool temps_late;
	bool indexed;
	u32 rows;
	u64 loaded[(UGP_MAX_ROWS + 63) / 64];
	bool cell_read[UGL_NUM_CELLS];
	bool cell_written[UGL_NUM_CELLS];
	bool late[UGL_NUM_CELLS];
	bool live1[UGL_NUM_RESULTS];
	bool live2[UGP_NUM_UNITS];
	bool live_port0;
	u16 stores[4 * UGP_NUM_VARYINGS];

	u16 cell_slot[UGL_NUM_CELLS];
	u16 late_slot[UGL_NUM_CELLS][UGL_MAX_LATE];
	u16 slot1[UGL_NUM_RESULTS];
	u16 slot2[UGP_NUM_UNITS];
	u16 slot_port0[4];
	u16 slot_store[UGL_MAX_LATE][4][2];
	u32 fixed;
	u32 pool;
	u64 used[SIMT_MAX_SLOTS / 64];
	u32 top;

	u32 at;
	struct ugp_view v;
	struct ugl_val now[UGL_NUM_CELLS];
	struct ugl_val due[UGL_RING][UGL_NUM_CELLS];
	bool due_set[UGL_RING][UGL_NUM_CELLS];
	struct ugl_store store[UGL_RING][4];
	struct ugl_val r1[UGL_NUM_RESULTS];
	struct ugl_val r2[UGP_NUM_UNITS];
	struct ugl_val cur[UGL_NUM_RESULTS];
	struct ugl_val port0[4];
	struct ugl_val prev0[4];
	struct ugl_val load[4];
	u16 hint;

	struct ugl_move move[UGL_MAX_MOVES];
	u32 nmoves;
	u64 written[SIMT_MAX_SLOTS / 64];
	struct ugp_program *out;
};

#define UGL_UOP(...)	(&(struct simt_uop){ __VA_ARGS__ })

static inline bool ugl_starts(const struct ugl *l, u32 at)
{
	return l->starts[at / 64] >> (at % 64) & 1;
}

/* How many instructions after the next one a write may become visible. */
static inline u32 ugl_cell_late(u32 cell)
{
	if (cell == UGL_ADDR0)
		return 0;
	return (cell < UGL_ADDR0 ? UGP_REG_LATENCY : UGP_ADDR_LATENCY) - 1;
}

static inline struct ugl_val ugl_slot(u32 slot)
{
	return (struct ugl_val){ .s = (u16)slot };
}

/* utgard_gp_lower.c */
void ugl_emit(struct ugl *l, const struct simt_uop *u);
struct ugl_val ugl_const(struct ugl *l, u32 bits);
/* A slot for a value. */
u16 ugl_fresh(struct ugl *l);
void ugl_copy(struct ugl *l, u32 dst, struct ugl_val v);
/* The value in a slot, not negated. */
u16 ugl_in_slot(struct ugl *l, struct ugl_val v);

/* utgard_gp_lower_look.c: what the program as a whole needs; slots. */
void ugl_look_flow(struct ugl *l, u32 i);
/* The last one first. */
void ugl_look_insn(struct ugl *l, u32 i);
void ugl_look_end(struct ugl *l);

/* utgard_gp_lower_edge.c: where blocks meet. */
void ugl_block_begin(struct ugl *l);
void ugl_block_end(struct ugl *l);

/* utgard_gp_lower_unit.c: results of the instruction, to l->cur. */
void ugl_units(struct ugl *l);

/* utgard_gp_lower_row.c: rows of uniforms and temporaries. */
void ugl_rows_begin(struct ugl *l);
void ugl_rows_commit(struct ugl *l);
void ugl_rows_load(struct ugl *l);
/* Offset of the row that stores of this instruction go to. */
struct ugl_val ugl_row_stored(struct ugl *l);

#endif /* UTGARD_GP_LOWER_PRIV_H */
