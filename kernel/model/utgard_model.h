/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Register model of Utgard GPUs (Mali-400, Mali-450): registers as Linux's lima driver uses
 * them. A core is a processor with the MMU that belongs to it: core 0 is the vertex processor
 * (GP), core 1 + n pixel processor (PP) n.
 */
#ifndef VS_UTGARD_MODEL_H
#define VS_UTGARD_MODEL_H

#include "../native/utgard/utgard_frame.h"
#include "model_ops.h"
#include "model_run.h"
#include "model_snap.h"

#define UTG_PPS		8
#define UTG_CORES	(1 + UTG_PPS)
#define UTG_L2S		3

/* Interrupt lines; those of PP n and its MMU follow each other. */
enum { UTG_LINE_GP, UTG_LINE_GPMMU, UTG_LINE_PMU, UTG_LINE_PP_ALL, UTG_LINE_PP };

/* Failures, in the order of their names. */
enum utg_failure {
	UTG_FAIL_LOST_IRQ, UTG_FAIL_SPURIOUS, UTG_FAIL_SPURIOUS_PP, UTG_FAIL_BUS, UTG_FAIL_HANG,
	UTG_FAIL_RESET, UTG_FAIL_POWER, UTG_FAIL_STALL, UTG_FAIL_L2, UTG_FAIL_HEAP,
	UTG_FAIL_HEAP_ERROR, UTG_NUM_FAILURES
};

/* Blocks of registers; those from UTG_L2_GP on are of a Mali-450. */
enum utg_block {
	UTG_GP, UTG_L2, UTG_PMU, UTG_GPMMU, UTG_PPMMU, UTG_PP, UTG_L2_GP, UTG_L2_PP4, UTG_BCAST,
	UTG_DLBU, UTG_MMU_ALL, UTG_PP_ALL, UTG_PPMMU4, UTG_PP4, UTG_NUM_BLOCKS
};

/**
 * struct utg_at - Where a register is.
 * @block:	block; UTG_NUM_BLOCKS: this GPU has none there
 * @n:		core of GP, PP and MMU; number of the L2 cache
 * @reg:	offset in the unit
 */
struct utg_at {
	enum utg_block block;
	u32 n;
	u32 reg;
};

/**
 * struct utg_chip - A GPU.
 * @name:	as for vs_model_new()
 * @gpu:	enum utf_gpu
 * @pps:	number of PPs
 */
struct utg_chip {
	const char *name;
	u32 gpu;
	u32 pps;
};

/* Bits of GP_CMD; the first two are also those of active lists. */
#define UTG_GP_START_VS		BIT(0)
#define UTG_GP_START_PLBU	BIT(1)
#define UTG_GP_UPDATE_HEAP	BIT(4)
#define UTG_GP_RESET		BIT(5)
#define UTG_GP_FORCE_HANG	BIT(6)
#define UTG_GP_STOP_BUS		BIT(9)
#define UTG_GP_SOFT_RESET	BIT(10)

/* Interrupts of the GP. */
#define UTG_GP_VS_END		BIT(0)
#define UTG_GP_PLBU_END		BIT(1)
#define UTG_GP_NO_HEAP		BIT(2)
#define UTG_GP_FORCED_HANG	BIT(6)
#define UTG_GP_BUS_ERROR	BIT(11)
#define UTG_GP_BUS_STOPPED	BIT(12)
#define UTG_GP_VS_INVALID	BIT(13)
#define UTG_GP_PLBU_INVALID	BIT(14)
#define UTG_GP_RESET_DONE	BIT(19)

/* Interrupts of PPs. */
#define UTG_PP_END		BIT(0)
#define UTG_PP_BUS_ERROR	BIT(4)
#define UTG_PP_BUS_STOPPED	BIT(5)
#define UTG_PP_INVALID		BIT(9)
#define UTG_PP_RESET_DONE	BIT(12)

/* Interrupts of MMUs. */
#define UTG_MMU_FAULT		BIT(0)
#define UTG_MMU_BUS_ERROR	BIT(1)

/* Why a core that is active does not go on. */
#define UTG_HOLD_HANG		BIT(0)	/* only a reset ends it */
#define UTG_HOLD_FAULT		BIT(1)	/* until PAGE_FAULT_DONE */
#define UTG_HOLD_HEAP		BIT(2)	/* until GP_CMD has a new heap */
#define UTG_HOLD_ERROR		BIT(3)	/* reset, too */
#define UTG_HOLD_BUS		BIT(4)	/* its bus was stopped */

#define UTG_PLAIN_BYTES		0x10b8	/* registers of a PP, the larger of the two */

struct utg_model;

/**
 * struct utg_mmu - The MMU of a core.
 * @pager:	asked by the engine
 * @g:		the model
 * @irq:	interrupts
 * @dte:	address of the directory
 * @paging:	enabled
 * @stalled:	accesses are held
 * @fault:	a page fault is active
 * @write:	it was a write
 * @address:	its address
 * @unread:	which has not been read
 * @dirty:	@dte was written after the last zap, while paging
 * @drop:	translations are to be forgotten
 * @off:	worker only: an access found a page without memory
 * @snap:	translations; worker only
 */
struct utg_mmu {
	struct vs_pager pager;
	struct utg_model *g;
	struct vs_model_irq irq;
	u32 dte;
	bool paging;
	bool stalled;
	bool fault;
	bool write;
	u32 address;
	bool unread;
	bool dirty;
	bool drop;
	bool off;
	struct vs_model_snap *snap;
};

/**
 * struct utg_core - A processor.
 * @mmu:	its MMU
 * @irq:	interrupts
 * @lost:	those that do not reach the line: failure
 * @spurious:	the line is active without a cause: failure
 * @plain:	registers without effect of their own, by offset / 4
 * @active:	lists that are not done: UTG_GP_START_*, for PPs bit 0
 * @lists:	those that were started with the active ones, and they
 * @running:	those that the worker executes
 * @begun:	one of @lists has been begun
 * @held:	race: those that are done and do not show it yet
 * @hold:	UTG_HOLD_*
 * @resets:	number of resets
 * @resetting:	a soft reset has not been awaited
 * @late:	its completion is not reported: failure
 * @slow:	race: reads of RAWSTAT that do not show its completion
 * @heap_dirty:	the heap's registers were written after the last GP_CMD for it
 * @full:	failure: the list of the PLBU runs out of heap once more
 * @invalid:	failure: then it reports a command that does not exist, too
 * @heap:	first address of the heap, which may have been extended since
 * @heap_end:	its end when the list of the PLBU ran out of it
 * @cleared:	its L2 cache has been cleared after its last frame
 * @frame:	words of the frame that the worker executes
 */
struct utg_core {
	struct utg_mmu mmu;
	struct vs_model_irq irq;
	u32 lost;
	bool spurious;
	u32 plain[UTG_PLAIN_BYTES / 4];
	u32 active;
	u32 lists;
	u32 running;
	bool begun;
	u32 held;
	u32 hold;
	u32 resets;
	bool resetting;
	bool late;
	u32 slow;
	bool heap_dirty;
	bool full;
	bool invalid;
	u32 heap;
	u32 heap_end;
	bool cleared;
	u32 frame[UTF_PP_MAX_WORDS];
};

/**
 * struct utg_l2 - An L2 cache.
 * @max_reads:	register
 * @enable:	register
 * @slow:	race: reads of STATUS that find a command executing
 * @perf:	registers of its counters
 */
struct utg_l2 {
	u32 max_reads;
	u32 enable;
	u32 slow;
	u32 perf[4];
};

/**
 * struct utg_model - An Utgard GPU.
 * @m:		common part
 * @chip:	GPU
 * @core:	processors
 * @l2:		L2 caches
 * @pmu:	interrupts of the PMU
 * @off:	power domains without power
 * @slow:	race: reads of PMU_INT_RAWSTAT that do not show the end of a command
 * @delay:	register PMU_SW_DELAY
 * @dlbu:	registers of the load-balancing unit
 * @bcast:	register BCAST_BROADCAST_MASK: PPs, from bit 16 on MMUs
 * @bcast_irq:	PPs that interrupt with the common line
 * @turn:	core that is executed first
 * @engine:	executes frames
 */
struct utg_model {
	struct vs_model m;
	const struct utg_chip *chip;
	struct utg_core core[UTG_CORES];
	struct utg_l2 l2[UTG_L2S];
	struct vs_model_irq pmu;
	u32 off;
	u32 slow;
	u32 delay;
	u32 dlbu[7];
	u32 bcast;
	u32 bcast_irq;
	u32 turn;
	struct vs_model_engine engine;
};

static inline struct utg_model *to_utg(struct vs_model *m)
{
	return container_of(m, struct utg_model, m);
}

static inline bool utg_is_450(const struct utg_model *g)
{
	return g->chip->gpu == UTF_MALI450;
}

static inline u32 utg_core_number(const struct utg_model *g, const struct utg_core *c)
{
	return c - g->core;
}

/* ---- utgard_regs.c ---- */

extern const struct vs_model_block utg_blocks[UTG_NUM_BLOCKS];

/* ---- utgard_core.c: GP and PPs; with the lock ---- */

u32 utg_core_read(struct utg_core *c, u32 reg);
void utg_core_write(struct utg_core *c, u32 offset, u32 reg, u32 value);
/* Lose all state, as without power. */
void utg_core_off(struct utg_core *c);
/* Raise interrupts. */
void utg_core_raise(struct utg_core *c, u32 bits);
/* Lists are done; show it. */
void utg_core_end(struct utg_core *c, u32 lists);
/* Show ends that were held back. */
void utg_core_show(struct vs_model *m);
/* Index of the L2 cache of a core. */
u32 utg_core_l2(const struct utg_core *c);
static inline bool utg_is_gp(const struct utg_core *c)
{
	return c == c->mmu.g->core;
}

/* ---- utgard_mmu.c ---- */

/* With the lock. */
u32 utg_mmu_read(struct utg_mmu *s, u32 reg);
void utg_mmu_write(struct utg_mmu *s, u32 offset, u32 reg, u32 value);
void utg_mmu_off(struct utg_mmu *s);

/* For the worker, without the lock. */
const struct vs_extent *utg_mmu_find(struct vs_pager *p, u64 va, u32 need);
/* Prepare the translations of a frame, @begun: for more of it. Return: false: a bus error. */
bool utg_mmu_begin(struct utg_mmu *s, bool begun);
void utg_mmu_free(struct utg_mmu *s);

/* ---- utgard_work.c ---- */

bool utg_work(struct vs_model *m);

#endif /* VS_UTGARD_MODEL_H */
