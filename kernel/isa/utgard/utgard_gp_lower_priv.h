/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Internals of the Utgard vertex program lowering.
 *
 * Within a basic block, values are tracked by location: results of units, registers, pending
 * writes. Moves emit no micro-op. At block boundaries every live value has a fixed slot:
 * registers, pending writes, results of the last two instructions.
 */
#ifndef UTGARD_GP_LOWER_PRIV_H
#define UTGARD_GP_LOWER_PRIV_H

#include "utgard_gp_lower.h"

/* Cells: state with a write latency: components of registers, address registers. */
#define UGL_ADDR0	(4 * UGP_NUM_REGS)
#define UGL_NUM_CELLS	(UGL_ADDR0 + 4)
#define UGL_MAX_LATE	(UGP_ADDR_LATENCY - 1)
#define UGL_RING	8	/* power of two, greater than any latency */

/* Results of the previous instruction: by unit, then the first multiplier's older one. */
#define UGL_NEXT_MUL0	UGP_NUM_UNITS
#define UGL_NUM_RESULTS	(UGP_NUM_UNITS + 1)

/* Thread memory: rows, one that stays 0, and one that takes discarded stores. */
#define UGL_VISIT	64U	/* cost of an instruction, in visits of micro-ops */
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

/* A component of a pending store to a row. */
struct ugl_store {
	struct ugl_val off;	/* offset of the row in bytes */
	struct ugl_val v;
	bool set;
};

struct ugl_move {
	u16 dst;
	struct ugl_val v;
};

#define UGL_MAX_MOVES	(4 * UGL_NUM_CELLS + 2 * UGL_NUM_RESULTS + 4 + 8 * UGL_MAX_LATE)

/**
 * struct ugl - state of an incremental lowering
 * @f: steps, emission; @f.pos is the current instruction, @f.top the number of slots used
 * @next: next instruction to lower
 * @rep: report of the verification
 * @rej: reject reason of the verification
 * @until_end: instructions until the block ends
 * @words: instructions
 * @n: number of instructions
 * @debug: a debugger may stop before each instruction
 * @starts: first instructions of basic blocks, a bit each
 * @nstarts: number of basic blocks
 * @flows: the program branches
 * @prev_port0: an operand reads the previous value of port 0
 * @temps: the program stores to rows
 * @temps_late: such stores may be pending at block boundaries
 * @indexed: the program loads with an address register
 * @rows: rows below this one are loaded
 * @loaded: rows that are loaded without an address register
 * @cell_read: cells that are read
 * @cell_written: cells that are written
 * @late: writes of a cell may be pending at block boundaries
 * @live1: results of the previous instruction live at block boundaries
 * @live2: results of the one before live at block boundaries
 * @live_port0: previous port 0 live at block boundaries
 * @stores: number of stores to a component of a varying
 * @cell_slot: slots of cells at block boundaries, UGP_NO_SLOT: always 0
 * @late_slot: slots of writes visible 1, 2, 3 instructions later
 * @slot1: slots of results of the previous instruction
 * @slot2: slots of results of the one before
 * @slot_port0: slots of the previous port 0
 * @slot_store: slots of pending stores to rows: offset, value
 * @fixed: end of the slots above and of varyings
 * @pool: first slot for values within a block
 * @used: slots of the pool in use
 * @v: its semantics
 * @now: cells as the instruction reads them
 * @due: pending writes of cells, by instruction modulo UGL_RING
 * @due_set: @due is valid
 * @store: pending stores to rows, by instruction
 * @r1: results of the previous instruction
 * @r2: results of the one before
 * @cur: results of this instruction
 * @port0: value of port 0
 * @prev0: previous value of port 0
 * @load: loaded row
 * @hint: preferred slot for the unit's result, UGP_NO_SLOT: any
 * @move: moves at a block boundary
 * @nmoves: number of @move
 * @written: slots already overwritten by them
 * @out: result
 */
struct ugl {
	struct simt_front f;
	u32 next;
	struct vs_report rep;
	struct vs_reject rej;
	u32 until_end;
	const u32 *words;
	u32 n;
	bool debug;

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

/* Maximum number of instructions after the next one until a write is visible. */
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

/* A macro: sparse takes the initialiser of a literal given to an inline function twice. */
#define ugl_emit(l, u)	simt_front_emit(&(l)->f, u)

static inline struct ugl_val ugl_const(struct ugl *l, u32 bits)
{
	return ugl_slot(simt_front_const(&l->f, bits));
}

/* utgard_gp_lower.c */
/* Allocate a slot. */
u16 ugl_fresh(struct ugl *l);
void ugl_copy(struct ugl *l, u32 dst, struct ugl_val v);
/* Put a value in a slot, with negation applied. */
u16 ugl_in_slot(struct ugl *l, struct ugl_val v);

/* utgard_gp_lower_look.c: analysis of the whole program; slots. */
void ugl_look_flow(struct ugl *l, u32 i);
/* Instructions in reverse order. */
void ugl_look_insn(struct ugl *l, u32 i);
void ugl_look_end(struct ugl *l);

/* utgard_gp_lower_edge.c: block boundaries. */
void ugl_block_begin(struct ugl *l);
void ugl_block_end(struct ugl *l);

/* utgard_gp_lower_unit.c: results of the instruction, in l->cur. */
void ugl_units(struct ugl *l);

/* utgard_gp_lower_row.c: rows of uniforms and temporaries. */
void ugl_rows_begin(struct ugl *l);
void ugl_rows_commit(struct ugl *l);
void ugl_rows_load(struct ugl *l);
/* Offset of the row that this instruction stores to. */
struct ugl_val ugl_row_stored(struct ugl *l);

#endif /* UTGARD_GP_LOWER_PRIV_H */
