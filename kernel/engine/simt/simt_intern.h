/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Internals of the SIMT machine: wave blocks, paths, and the interface between its files. */
#ifndef SIMT_INTERN_H
#define SIMT_INTERN_H

#include "simt.h"
#include "simt_lanes.h"

#define SIMT_MAX_STEP	32	/* maximum number of blocks in step */
#define SIMT_HINTS	64

/* Maximum number of consecutive slots that EXT may use, from d and from d2. */
#define SIMT_EXT_SLOTS	8

/**
 * struct simt_paths - The lanes of a block, grouped by program counter.
 * @n:		number of paths
 * @pc:		micro-op of each path
 * @mask:	lanes of each path
 */
struct simt_paths {
	u32 n;
	u32 pc[SIMT_LANES];
	u64 mask[SIMT_LANES];
};

/**
 * struct simt_wave_block - Execution state of a block. Members that are reset for each workgroup
 * are adjacent, as many blocks are started; a launch does not clear the paths.
 * @g:		threads of the block
 * @waiting:	all live lanes are in @wait
 * @cur:	index of the running path
 * @stay:	number of times that @cur was selected while other paths were runnable
 * @grace:	number of times that @cur will still be selected before others
 * @number:	index of the block in its workgroup
 * @team:	index of the team (workgroups that share blocks) in the wave
 * @done:	ops->end() has been called
 * @again:	threads have started in this block before, in this launch
 * @b:		state seen by executors
 * @run:	runnable lanes
 * @wait:	lanes at a barrier, at the micro-op following it
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
 * struct simt_special - NaNs and infinities that the current operation makes; debugged launches
 * @open:	an operation is being executed
 * @half:	it calculates with binary16
 * @first:	its first micro-op
 * @made:	lanes in which a micro-op made one
 * @given:	lanes in which an operand of the operation is one
 */
struct simt_special {
	bool open;
	bool half;
	u32 first;
	u64 made;
	u64 given;
};

/**
 * struct simt_machine - A SIMT machine.
 * @arena:	memory of the machine and its launches
 * @l:		launch
 * @unif:	uniform table, 16 copies of each word
 * @blocks:	@nblocks * @most blocks; those with the same number are adjacent
 * @nblocks:	blocks per workgroup; 1 if workgroups are packed into blocks
 * @most:	maximum number of teams in a wave
 * @teams:	teams in the current wave
 * @in_step:	blocks with the same number run in step: the first one holds their control state
 * @paths:	blocks other than the first ones have paths of their own
 * @threads:	threads per workgroup
 * @packed:	workgroups per block
 * @stride:	lanes from one packed workgroup to the next
 * @ngroups:	number of workgroups
 * @next:	next workgroup to start
 * @started:	blocks of the next wave that have been set up
 * @active:	a wave has been started
 * @turn:	index of the block that runs
 * @quantum:	weight until the next block gets its turn
 * @simd:	executor build
 * @left:	weight left in the slice
 * @used:	weight used in the slice
 * @wb:		block being executed
 * @uop:	micro-op being executed
 * @fault:	fault
 * @ended:	number of threads that have ended
 * @tlb:	address translation
 * @hint:	per memory micro-op (number modulo SIMT_HINTS): the last extent accessed
 * @wls:	host address of the wave's workgroup memory if it is in one extent and no workgroups
 *		are packed, else NULL
 * @paused:	the LD, ST, ATOM or EXT at the current path's pc has been executed in part
 * @resumes:	the current call of EXT continues one that paused
 * @pause_at:	with @paused: block in step at which execution resumes
 * @pause_left:	with @paused: lanes of that block still to be served; 0: not begun
 * @end_again:	simt_ops.end has more to do for the block
 * @within:	the slice ended within a straight run: the block keeps its turn
 * @stopped:	the debugger requested a stop
 * @special:	for points at NaNs and infinities
 * @lanes:	debugged launches: lanes for which simt_ops.start or .end accesses memory
 * @known:	bitmap for simt_slot_known()
 * @clear:	slots to clear when threads start, all below SIMT_LIVE_SLOTS
 * @nclear:	number of @clear
 * @offsets:	scratch: offsets of a memory micro-op, by block; not cleared
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
	bool paused;
	bool resumes;
	u32 pause_at;
	u64 pause_left;
	bool within;
	bool end_again;
	bool stopped;
	struct simt_special special;
	u64 lanes;
	u64 known[SIMT_LIVE_SLOTS / 64];
	u16 clear[SIMT_LIVE_SLOTS];
	u32 nclear;
	u32 offsets[SIMT_MAX_STEP][SIMT_LANES] __aligned(64);
};

/* Result of running a block. */
enum simt_blk { SIMT_BLK_MORE, SIMT_BLK_BARRIER, SIMT_BLK_DONE, SIMT_BLK_FAULT };

static inline bool simt_slice_over(const struct simt_machine *m)
{
	return m->left <= 0 || vs_should_yield();
}

/* simt_flow.c */
void simt_flow_start(struct simt_wave_block *wb, u32 entry);
enum simt_blk simt_flow_run(struct simt_machine *m, struct simt_wave_block *wb);
void simt_flow_release(struct simt_wave_block *wb, u64 lanes);
/* Move a lane to micro-op @pc. Return: false if it waits at a barrier. */
bool simt_flow_move(struct simt_wave_block *wb, u32 lane, u32 pc);
/* Copy the paths of another block. */
void simt_flow_copy(struct simt_wave_block *to, const struct simt_wave_block *from);

/* simt_machine.c: the slot is cleared before threads use it, so that it leaks no earlier data. */
bool simt_slot_known(const struct simt_machine *m, u32 slot);
/* simt_machine.c: the value set by simt_ops.start persists until the next threads start. */
bool simt_slot_stays(const struct simt_machine *m, u32 slot);

/*
 * simt_special.c: execute straight micro-ops from *@at on, as simt_exec_run(), and check for NaNs
 * and infinities; an operation ends before micro-op @n.
 */
void simt_special_run(struct simt_machine *m, struct simt_block *b, const struct simt_uop **at);
void simt_special_end(struct simt_machine *m, struct simt_block *b, u32 n);

/* simt_machine.c: leave step; from now on each block has its own control state. */
void simt_part(struct simt_machine *m);

/* simt_debug.c */
void simt_debug_begin(struct simt_machine *m);
/* Operation of its guest instruction that micro-op @n belongs to. */
u32 simt_debug_part(const struct simt_machine *m, u32 n);
/*
 * Time that debuggers add to a slice, as weight: of looking for NaNs in a micro-op's operands and
 * result, and of going through all points for a lane.
 */
#define SIMT_CHECK_TIME		24
#define SIMT_POINTS_TIME	8
/* Report the accesses of micro-op m->uop to the debugger. */
void simt_debug_access(struct simt_machine *m, const struct simt_block *b);
/* Report an access by EXT, or by simt_ops.start or .end, to the debugger. */
void simt_debug_ptr(struct simt_machine *m, u64 va, u64 size, u32 need);

/* simt_machine.c: invocation number of a lane's thread in the launch. */
u64 simt_invocation(const struct simt_machine *m, const struct simt_wave_block *wb, u32 lane);

/* simt_mem.c */
void simt_mem_begin(struct simt_machine *m);
bool simt_mem(struct simt_machine *m, struct simt_wave_block *wb, const struct simt_uop *u);
/*
 * Guest address of a lane of LD or ST. Return: false if it is outside its segment; *@zero: the
 * load returns zeros.
 */
bool simt_mem_address(struct simt_machine *m, const struct simt_block *b,
		      const struct simt_uop *u, u32 lane, u64 *va, bool *zero);

/* simt_atom.c */
bool simt_atomic(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool simt_atomic_address(struct simt_machine *m, const struct simt_block *b,
			 const struct simt_uop *u, u32 lane, u64 *va);

/* Base address of a segment as seen by lane @lane; *@size: its size in bytes. */
u64 simt_seg_base(const struct simt_machine *m, const struct simt_wave_block *wb, u32 seg,
		  u32 lane, u64 *size);

/* Words of operand @s; *@step: words between lanes, 0 if uniform. */
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
