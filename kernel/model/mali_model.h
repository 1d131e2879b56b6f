/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Register model of Mali GPUs with a job manager (Midgard, Bifrost): registers as Linux's
 * panfrost driver uses them.
 */
#ifndef VS_MALI_MODEL_H
#define VS_MALI_MODEL_H

#include "../native/native.h"
#include "model_ops.h"
#include "model_run.h"
#include "model_snap.h"

#define MALI_SLOTS	3
#define MALI_SPACES	8

/* Interrupt lines. */
enum { MALI_LINE_JOB, MALI_LINE_MMU, MALI_LINE_GPU, MALI_NUM_LINES };

/* Bits of the GPU's interrupt registers. */
#define MALI_IRQ_FAULT		BIT(0)
#define MALI_IRQ_RESET		BIT(8)
#define MALI_IRQ_POWER		BIT(9)
#define MALI_IRQ_POWER_ALL	BIT(10)
#define MALI_IRQ_SAMPLE		BIT(16)
#define MALI_IRQ_CLEAN		BIT(17)

/* Performance counters: blocks of the job manager, the tiler, the L2 cache and a core. */
#define MALI_BLOCK_WORDS	64
#define MALI_BLOCKS		4

/* Failures, in the order of their names; the last one is a switch. */
enum mali_failure {
	MALI_FAIL_STUCK, MALI_FAIL_LOST_IRQ, MALI_FAIL_SPURIOUS, MALI_FAIL_BUS, MALI_FAIL_HANG,
	MALI_FAIL_RESET, MALI_FAIL_POWER, MALI_FAIL_GPU, MALI_FEATURES, MALI_NUM_FAILURES
};

/* Parts with power of their own. */
enum mali_part { MALI_SHADER, MALI_TILER, MALI_L2, MALI_STACK, MALI_PARTS };

/**
 * struct mali_chip - A GPU.
 * @name:	as for vs_model_new()
 * @id:		register GPU_ID
 * @model:	enum mali_gpu
 */
struct mali_chip {
	const char *name;
	u32 id;
	u32 model;
};

/**
 * struct mali_next - The next job of a job slot.
 * @head:	first job of the chain
 * @affinity:	cores
 * @config:	address space, flags
 * @flush:	flush ID
 * @command:	1: occupied
 */
struct mali_next {
	u64 head;
	u64 affinity;
	u32 config;
	u32 flush;
	u32 command;
};

/**
 * struct mali_slot_count - What a job slot has executed.
 * @jobs:	jobs that are done
 * @tasks:	parts of 32 x 32 pixels of FRAGMENT jobs
 * @cycles:	cycles that its chains took
 * @threads:	threads that they had
 */
struct mali_slot_count {
	u64 jobs;
	u64 tasks;
	u64 cycles;
	u64 threads;
};

/**
 * struct mali_slot - A job slot.
 * @job:	chain that is executed, or was last
 * @next:	chain after it
 * @tail:	where the chain was stopped
 * @status:	exception status
 * @active:	executing
 * @running:	the worker executes it at the moment
 * @stop:	status with which it is to be stopped; 0: none
 * @hangs:	only a hard stop or a reset ends it
 * @blocked:	failed; the next chain starts when the interrupt has been cleared
 * @unread:	failed, and the status has not been read
 * @held:	race: status with which it ends, which it does not show yet; 0: none
 * @count:	since the performance counters were cleared
 */
struct mali_slot {
	struct mali_next job;
	struct mali_next next;
	u64 tail;
	u32 status;
	bool active;
	bool running;
	u32 stop;
	bool hangs;
	bool blocked;
	bool unread;
	u32 held;
	struct mali_slot_count count;
};

struct mali_model;

/**
 * struct mali_space - An address space.
 * @pager:	asked by the engine
 * @g:		the model
 * @transtab:	registers as written, as @memattr, @lock and @config
 * @memattr:	memory attributes
 * @lock:	locked region
 * @config:	Bifrost: mode of the tables
 * @root:	@transtab of the last UPDATE
 * @mode:	@config of the last UPDATE
 * @attributes:	@memattr of the last UPDATE
 * @fault_status: of the last fault
 * @fault_address: its address
 * @unread:	the status of the fault has not been read
 * @dirty:	registers were written after the last UPDATE
 * @locked:	a region is locked
 * @stuck:	failure: the last command does not end
 * @busy:	race: reads of STATUS that find the last command executing
 * @waiting:	the worker waits for an act of the driver on a fault
 * @drop:	translations are to be forgotten
 * @events:	commands that may have resolved a fault
 * @snap:	translations; worker only
 */
struct mali_space {
	struct vs_pager pager;
	struct mali_model *g;
	u64 transtab;
	u64 memattr;
	u64 lock;
	u64 config;
	u64 root;
	u64 mode;
	u64 attributes;
	u32 fault_status;
	u64 fault_address;
	bool unread;
	bool dirty;
	bool locked;
	bool stuck;
	u32 busy;
	bool waiting;
	bool drop;
	u32 events;
	struct vs_model_snap *snap;
};

#define MALI_L2_BUCKETS	1024
#define MALI_L2_REG	0x030	/* of findings: GPU_CMD */

struct mali_line;

/**
 * struct mali_l2 - The L2 cache with write-back.
 * @on:		it does
 * @n:		number of pages in it
 * @bucket:	pages by physical address; the worker alone changes lists, with the lock
 */
struct mali_l2 {
	bool on;
	u32 n;
	struct mali_line *bucket[MALI_L2_BUCKETS];
};

/**
 * struct mali_model - A Mali GPU.
 * @m:		common part
 * @chip:	GPU
 * @gpu:	interrupts of the GPU
 * @jm:		of the job manager
 * @mmu:	of the MMU
 * @lost:	job interrupts that do not reach the line: failure
 * @spurious:	a job interrupt without a cause: failure
 * @ready:	parts with power
 * @slow:	race: reads of READY that find a part without it
 * @slow_reset:	race: reads of RAWSTAT that do not show the end of a reset
 * @slot:	job slots
 * @space:	address spaces
 * @js_state:	as sampled
 * @gone:	the chain that is executed has been reset: it reaches no memory
 * @resets:	number of resets
 * @cycles:	cycles since the machine's reset
 * @counting:	the cycle counter counts
 * @counted:	the cycle counter
 * @cycles_base: cycles that have been cleared from the performance counters
 * @points:	primitives of the tiler since the performance counters were cleared
 * @lines:	"
 * @triangles:	"
 * @flush_id:	number of cache flushes
 * @fault_status: fault of the GPU
 * @fault_address: its address
 * @perf_base:	address of performance counters
 * @perf_config: their mode and address space
 * @sample:	the worker is to take a sample
 * @dirty:	a sample is in the L2 cache, and not in memory
 * @clean:	the worker is to write it
 * @dirty_va:	its address
 * @dirty_as:	its address space
 * @dirty_words: the sample
 * @plain:	registers without effect, by offset / 4
 * @l2:		the L2 cache
 * @turn:	slot that is executed first
 * @engine:	executes chains
 */
struct mali_model {
	struct vs_model m;
	const struct mali_chip *chip;
	struct vs_model_irq gpu;
	struct vs_model_irq jm;
	struct vs_model_irq mmu;
	u32 lost;
	bool spurious;
	u32 ready[MALI_PARTS];
	u32 slow[MALI_PARTS];
	u32 slow_reset;
	struct mali_slot slot[MALI_SLOTS];
	struct mali_space space[MALI_SPACES];
	u32 js_state;
	u32 resets;
	bool gone;
	u64 cycles;
	bool counting;
	u64 counted;
	u64 cycles_base;
	u64 points;
	u64 lines;
	u64 triangles;
	u32 flush_id;
	u32 fault_status;
	u64 fault_address;
	u64 perf_base;
	u32 perf_config;
	bool sample;
	bool dirty;
	bool clean;
	u64 dirty_va;
	u32 dirty_as;
	u32 dirty_words[MALI_BLOCKS * MALI_BLOCK_WORDS];
	u32 plain[0x1000 / 4];
	struct mali_l2 l2;
	u32 turn;
	struct vs_model_engine engine;
};

static inline struct mali_model *to_mali(struct vs_model *m)
{
	return container_of(m, struct mali_model, m);
}

/* One half of a register of 64 bits. */
static inline u32 mali_half(u64 v, u32 offset)
{
	return (u32)(v >> (offset & 4 ? 32 : 0));
}

static inline void mali_set_half(u64 *v, u32 offset, u32 half)
{
	u32 shift = offset & 4 ? 32 : 0;

	*v = (*v & ~(0xffffffffULL << shift)) | (u64)half << shift;
}

/* mali_regs.c */
#define MALI_NUM_REGS	107
extern const struct vs_model_reg mali_regs[MALI_NUM_REGS];

/* mali_slot.c: registers 0x1000 to 0x1fff; all with the lock */
u32 mali_jm_read(struct mali_model *g, u32 offset);
void mali_jm_write(struct mali_model *g, u32 offset, u32 value);
/* Parts have got power: chains that waited for it may start. */
void mali_slot_power(struct mali_model *g);
/* A slot has ended with an exception status, or, with a race, ends later. */
void mali_slot_end(struct mali_model *g, u32 n, u32 status);
void mali_slot_end_or_hold(struct mali_model *g, u32 n, u32 status);
/* Show ends that were held back. */
void mali_slot_show(struct vs_model *m);

/* mali_mmu.c: registers 0x2000 to 0x2fff; with the lock */
u32 mali_mmu_read(struct mali_model *g, u32 offset);
void mali_mmu_write(struct mali_model *g, u32 offset, u32 value);
bool mali_space_on(const struct mali_space *s);

/* The rest is for the worker, without the lock. */

/* Memory at an address, with the driver's help if it is not there. NULL: a fault. */
const struct vs_extent *mali_space_fault(struct vs_pager *p, u64 va, u32 need);
/*
 * An access to [@va, @va + @size) has failed. If a page of it is mapped without the right @need,
 * have a permission fault. Return: the driver has given the right: execute the job again.
 */
bool mali_space_denied(struct mali_space *s, u64 va, u32 size, u32 need);
/* Prepare the translations of a job: check that they are not stale. */
void mali_space_begin(struct mali_space *s);
/* Forget translations that are no longer needed, when no job runs. */
void mali_space_end(struct mali_space *s);
/* Whether the job that is executed has to end: stopped, or reset. */
bool mali_work_ending(struct mali_model *g);
bool mali_work(struct vs_model *m);

/* ---- mali_l2.c: with the lock ---- */

/* Write what is dirty to memory; @reg: of findings. */
void mali_l2_clean(struct mali_model *g, u32 reg);
/* Lose all. */
void mali_l2_drop(struct mali_model *g);
/* The same by a loss of power, which is a finding if anything is dirty. */
void mali_l2_off(struct mali_model *g, u32 reg);
/* As write_back() of struct vs_model_ops. */
bool mali_l2_enable(struct vs_model *m, bool on);

/* The rest is for the worker, without the lock. */

/* Load the pages of translations, to be mapped instead of memory. Return: false: no memory. */
bool mali_l2_map(struct mali_model *g, struct vs_model_snap *t);
/* Before accesses of a space: clean the cache, invalidate it, load the pages of translations. */
void mali_l2_begin(struct mali_space *s, bool clean, bool invalidate);
void mali_l2_free(struct mali_model *g);

#endif /* VS_MALI_MODEL_H */
