/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The SIMT machine from inside.
 */
#ifndef SIMT_INTERN_H
#define SIMT_INTERN_H

#include "simt.h"
#include "simt_lanes.h"

#define SIMT_MAX_BLOCKS	(SIMT_MAX_LOCAL / SIMT_LANES)
#define SIMT_MAX_STEP	32	/* blocks in step */
#define SIMT_HINTS	64

/* Slots that resources may use from d and from d2 on. */
#define SIMT_EXT_SLOTS	8

/**
 * struct simt_paths - Lanes of a block by where they are.
 * @n:		how many places
 * @pc:		micro-op
 * @mask:	lanes there
 */
struct simt_paths {
	u32 n;
	u32 pc[SIMT_LANES];
	u64 mask[SIMT_LANES];
};

/**
 * struct simt_wave_block - A block that has been started. What is set for each workgroup is
 * together: there are many of these.
 * @g:		its threads
 * @waiting:	all lanes in @wait
 * @cur:	path that runs
 * @stay:	how often that path has been chosen while others waited
 * @grace:	how often it will be chosen whatever waits
 * @number:	of the block among those of its workgroup
 * @team:	of the workgroup (those that share the block) among those that run
 * @done:	ops->end() has been called
 * @again:	threads have started here before, in this launch
 * @b:		what executors see
 * @run:	lanes that can execute
 * @wait:	lanes at a barrier; their micro-op is the one behind it
 */
struct simt_wave_block {
	struct simt_group g;
	u64 waiting;
	u32 cur;
	u32 stay;
	u32 grace;
	u32 number;
	u32 team;
	bool done;
	bool again;
	struct simt_block b;
	struct simt_paths run;
	struct simt_paths wait;
};

/**
 * struct simt_machine - A machine.
 * @arena:	where memory comes from
 * @l:		launch
 * @unif:	table of uniform words, 16 copies each
 * @blocks:	@nblocks times @most of them: those with one number follow each other
 * @nblocks:	blocks of a workgroup, or 1: a block of several workgroups
 * @most:	teams that may run at the same time: workgroups, or those of one block
 * @teams:	teams that run
 * @in_step:	blocks with one number do the same: the first one stands for all
 * @paths:	others than the first ones have paths of their own
 * @threads:	of a workgroup
 * @packed:	workgroups in a block
 * @stride:	lanes from one to the next
 * @ngroups:	workgroups
 * @next:	next workgroup to start
 * @started:	blocks of those that start next which have been set up
 * @active:	blocks are started
 * @turn:	block that runs
 * @quantum:	weight that is left for it before another has its turn
 * @simd:	executor
 * @left:	weight left in the slice
 * @used:	weight used in the slice
 * @wb:		block being executed
 * @uop:	micro-op being executed
 * @fault:	fault
 * @ended:	threads that have ended
 * @tlb:	address space
 * @hint:	extents that memory micro-ops were in, by their number
 * @wls:	memory of all workgroups that run, if it is in one extent and they have no block
 *		with others
 * @offsets:	of memory micro-ops, block by block
 * @paused:	the micro-op at the path's place, LD, ST, ATOM or EXT, is executed in part
 * @resumes:	it has been paused in the block that executes it now
 * @pause_at:	@paused: block in step that goes on
 * @pause_left:	@paused: its lanes that are left; 0: it has not begun
 * @within:	the slice has ended within straight code: the block has not had its turn
 * @stopped:	the debugger wants to stop
 * @lanes:	debugged launches: lanes that simt_ops.start or .end accesses memory for
 * @kept:	registers that the program writes
 * @clear:	slots that are cleared when threads start, those below SIMT_LIVE_SLOTS
 * @nclear:	how many
 */
struct simt_machine {
	struct simt_arena *arena;
	struct simt_launch l;
	u32 *unif;
	struct simt_wave_block *blocks;
	u32 nblocks;
	u32 most;
	u32 teams;
	bool in_step;
	bool paths;
	u32 threads;
	u32 packed;
	u32 stride;
	u64 ngroups;
	u64 next;
	u32 started;
	bool active;
	u32 turn;
	s64 quantum;
	enum vs_simd simd;
	s64 left;
	u64 used;
	struct simt_wave_block *wb;
	const struct simt_uop *uop;
	struct vs_fault fault;
	u64 ended;
	struct vs_tlb tlb;
	const struct vs_extent *hint[SIMT_HINTS];
	u8 *wls;
	u32 offsets[SIMT_MAX_STEP][SIMT_LANES] __aligned(64);
	bool paused;
	bool resumes;
	u32 pause_at;
	u64 pause_left;
	bool within;
	bool stopped;
	u64 lanes;
	u64 kept[SIMT_LIVE_SLOTS / 64];
	u16 clear[SIMT_LIVE_SLOTS];
	u32 nclear;
};

/* What a block's run comes to. */
enum simt_blk { SIMT_BLK_MORE, SIMT_BLK_BARRIER, SIMT_BLK_DONE, SIMT_BLK_FAULT };

static inline bool simt_slice_over(const struct simt_machine *m)
{
	return m->left <= 0 || vs_should_yield();
}

/* simt_flow.c */
void simt_flow_start(struct simt_wave_block *wb, u32 entry);
enum simt_blk simt_flow_run(struct simt_machine *m, struct simt_wave_block *wb);
void simt_flow_release(struct simt_wave_block *wb, u64 lanes);
/* A lane goes on elsewhere. Return: false: it waits at a barrier. */
bool simt_flow_move(struct simt_wave_block *wb, u32 lane, u32 pc);
/* Where lanes are, from one block to another one. */
void simt_flow_copy(struct simt_wave_block *to, const struct simt_wave_block *from);

/* simt_machine.c: a slot is cleared before threads use it: never memory of anybody else. */
bool simt_slot_known(const struct simt_machine *m, u32 slot);
/* simt_machine.c: what simt_ops.start puts there stays until the next threads start. */
bool simt_slot_stays(const struct simt_machine *m, u32 slot);

/* simt_machine.c: from now on each block on its own. */
void simt_part(struct simt_machine *m);

/* simt_debug.c */
void simt_debug_begin(struct simt_machine *m);
/* The micro-op m->uop is about to access memory. */
void simt_debug_access(struct simt_machine *m, const struct simt_block *b);
/* EXT, the begin or the end of a block accesses memory. */
void simt_debug_ptr(struct simt_machine *m, u64 va, u64 size, u32 need);

/* simt_machine.c: number of a lane's thread among all of the launch. */
u64 simt_invocation(const struct simt_machine *m, const struct simt_wave_block *wb, u32 lane);

/* simt_mem.c */
void simt_mem_begin(struct simt_machine *m);
bool simt_mem(struct simt_machine *m, struct simt_wave_block *wb, const struct simt_uop *u);
/* Address of a lane of LD or ST; false: outside its segment, a load of zeros if @zero. */
bool simt_mem_address(struct simt_machine *m, const struct simt_block *b,
		      const struct simt_uop *u, u32 lane, u64 *va, bool *zero);

/* simt_atom.c */
bool simt_atomic(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool simt_atomic_address(struct simt_machine *m, const struct simt_block *b,
			 const struct simt_uop *u, u32 lane, u64 *va);

/* Base address of the memory that lane @lane sees in a segment; size of it in *@size. */
u64 simt_seg_base(const struct simt_machine *m, const struct simt_wave_block *wb, u32 seg,
		  u32 lane, u64 *size);

/* Operand @s: its words, and how far apart they are (0: one for all lanes). */
static inline const u32 *simt_src(const struct simt_block *b, u32 s, u32 *step)
{
	if (s & SIMT_U) {
		*step = 0;
		return b->unif + 16 * (s & ~SIMT_U);
	}
	*step = 1;
	return b->slot + SIMT_LANES * s;
}

static inline u32 *simt_slot(const struct simt_block *b, u32 n)
{
	return b->slot + SIMT_LANES * n;
}

#endif /* SIMT_INTERN_H */
