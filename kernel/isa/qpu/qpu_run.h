/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The running machine: predecoded code, groups, time slices.
 */
#ifndef QPU_RUN_H
#define QPU_RUN_H

#include "../../engine/vs_intern.h"
#include "qpu_intern.h"
#include "qpu_lower.h"

#define QPU_MAX_DECS	8192	/* predecoded instructions */
#define QPU_POOL_UOPS	20480	/* their micro-ops */
#define QPU_HASH_SIZE	4096	/* runs; at most half of the table is used */

/**
 * struct qpu_code - predecoded code
 * @words:	program object, or NULL
 * @nwords:	its size in instructions
 * @dec:	instructions, run after run, each ended by a QPU_X_END
 * @ndec:	used entries
 * @max_dec:	capacity
 * @uop:	micro-ops
 * @nuop:	used entries
 * @max_uop:	capacity
 * @nruns:	number of known runs
 * @flushes:	how often all runs were discarded
 * @insn:	strict mode: fields by entry of @dec, else NULL
 * @residue:	bit 0 A, 1 B: code reads the bus residue
 * @used:	registers of file A and B, from 0 on, that code and links may have written
 * @hash:	1 + first entry of the run that starts at an address
 * @pc:		that address, bit 0 inverted for runs entered with a branch pending; any value
 *		where @hash is 0
 *
 * When full, all runs are discarded. Memory is read once, during predecoding: changes to code
 * while a job runs have no effect until then.
 */
struct qpu_code {
	const u32 *words;
	u32 nwords;
	struct qpu_dec *dec;
	u32 ndec;
	u32 max_dec;
	struct qpu_uop *uop;
	u32 nuop;
	u32 max_uop;
	u32 nruns;
	u32 flushes;
	struct qpu_insn *insn;
	u32 residue;
	u8 used[2];
	u16 hash[QPU_HASH_SIZE];
	u32 pc[QPU_HASH_SIZE];
};

/**
 * struct qpu_group - QPUs at the same instruction
 * @pc:		its address
 * @dec:	its entry
 * @have_dec:	@dec is valid
 * @br:		instructions until the branch is taken, 0 none; and until a second one, in its
 *		delay slots, is taken
 * @end:	instructions until the thread ends, 0 none
 * @sfu:	instructions until the SFU's result is in r4, 0 none
 * @limit:	address of the next waiting runnable QPU above @pc
 * @low:	lowest address of a waiting runnable QPU
 * @insns:	instructions executed since the group was formed
 *
 * The members are in vm->q.
 */
struct qpu_group {
	u32 pc;
	u32 dec;
	bool have_dec;
	u8 br[2];
	u8 end;
	u8 sfu;
	u32 limit;
	u32 low;
	u64 insns;
};

/**
 * struct qpu_hz - state of the hazard checker for a QPU
 * @seen:	1 + instructions executed at the last check
 * @wrote:	1 + register of file A and B that the previous instruction wrote
 * @r5:		the previous instruction wrote r5
 * @sfu:	instructions for which the SFU is busy
 * @unif:	instructions until the uniform address is valid
 */
struct qpu_hz {
	u64 seen;
	u8 wrote[2];
	bool r5;
	u8 sfu;
	u8 unif;
};

/**
 * struct qpu_ctl - control state of one QPU
 * @br:		see struct qpu_group; valid while the QPU does not run
 * @end:	"
 * @sfu:	"
 * @taken:	the branches are taken
 * @target:	branch targets
 * @sfu_mask:	elements of r4 that the SFU writes
 * @starve:	instructions executed by others while the QPU was runnable
 * @wmask:	elements of the current instruction's peripheral writes
 * @vary_c:	C of the varying just read
 * @hz:		state of the hazard checker, see qpu_hazard.c
 */
struct qpu_ctl {
	u8 br[2];
	u8 end;
	u8 sfu;
	bool taken[2];
	u32 target[2];
	u32 sfu_mask;
	u32 starve;
	u32 wmask[2];
	u32 vary_c[QPU_LANES];
	struct qpu_hz hz;
};

/**
 * struct qpu_machine - the machine
 * @s:		state for peripherals
 * @vm:		state for executors
 * @ctl:	control state by QPU
 * @g:		running group; vm->n is 0 if none
 * @sema:	semaphores
 * @mutex:	1 + QPU that holds it, 0: none
 * @next:	next thread to start
 * @nended:	number of ended threads
 * @steps:	instructions since a group was selected
 * @boost:	instructions for which @boosted has priority
 * @boosted:	starved QPU
 * @due:	QPUs whose next threads start before the next instruction
 * @repick:	select a group before the next instruction
 * @dead:	fault: the machine has stopped
 * @simd:	executor
 * @left:	time left in the slice, in units of cost
 * @used:	cost used in the slice
 * @room:	cost that the budget allows
 * @dbg:	debugger, or NULL
 * @code:	predecoded code
 */
struct qpu_machine {
	struct qpu_shared s;
	struct qpu_vm vm;
	struct qpu_ctl ctl[QPU_NUM];
	struct qpu_group g;
	u8 sema[16];
	u32 mutex;
	u32 next;
	u32 nended;
	u32 steps;
	u32 boost;
	u32 boosted;
	u32 due;
	bool repick;
	bool dead;
	enum vs_simd simd;
	s64 left;
	u64 used;
	u64 room;
	struct vs_debug *dbg;
	struct qpu_code code;
};

#define QPU_NO_LIMIT	(~0U)
#define QPU_PATIENCE	8192	/* instructions before others get a turn */

/* qpu_code.c */
/* Fetch the word at @pc, once. Return: false if it is not mapped. */
bool qpu_code_fetch(struct qpu_machine *m, u32 pc, u64 *word);
/* @memory: qpu_code_memory() bytes of any content */
void qpu_code_init(struct qpu_code *c, const struct qpu_launch *l, void *memory);
u64 qpu_code_memory(void);
/* A register is written: slot of file A or B, or another one. */
static inline void qpu_code_use(struct qpu_code *c, u32 slot)
{
	u32 file = slot >= QPU_S_RB;

	if (slot < QPU_S_ACC)
		c->used[file] = max_t(u32, c->used[file], slot + 1 - QPU_S_RB * file);
}

/* Entry of the run that starts at @pc; @pending: entered with a branch pending. */
u32 qpu_code_find(struct qpu_machine *m, u32 pc, bool pending);

/* qpu_sched.c */
void qpu_sched_pick(struct qpu_machine *m);
void qpu_sched_leave(struct qpu_machine *m);
void qpu_sched_remove(struct qpu_machine *m, u32 q);
void qpu_sched_wake(struct qpu_machine *m, u32 wait, u32 info);
void qpu_sched_start(struct qpu_machine *m, struct qpu_core *q);
void qpu_sched_end(struct qpu_machine *m, struct qpu_core *q);
void qpu_sched_deadlock(struct qpu_machine *m);

/*
 * qpu_mem.c: read uniforms for @n instructions from @d on. Return: false if they are not all
 * mapped; with @n 1 a fault is set.
 */
bool qpu_take_uniforms(struct qpu_machine *m, const struct qpu_dec *d, u32 n);
/* Return the uniforms of all but the first @done of these @n instructions. */
void qpu_return_uniforms(struct qpu_machine *m, const struct qpu_dec *d, u32 n, u32 done);

/* qpu_special.c: execute the current instruction, which is not plain. */
void qpu_special(struct qpu_machine *m, const struct qpu_dec *d);
/* Write the SFU's results to r4. */
void qpu_special_sfu_done(struct qpu_machine *m);

/*
 * qpu_periph.c: emit micro-ops for the peripheral accesses of instruction @dec, before and
 * after its arithmetic. Return: their number, at most QPU_PERIPH_UOPS in total.
 */
#define QPU_PERIPH_UOPS	5
u32 qpu_periph_before(const struct qpu_dec *d, u32 dec, struct qpu_uop *u);
u32 qpu_periph_after(const struct qpu_dec *d, u32 dec, bool strict, struct qpu_uop *u);
/* Cost of these accesses, without transfers. */
u32 qpu_periph_weight(const struct qpu_dec *d);
/* Setup and DMA registers: write addresses 49 and 50 of @file. */
enum qpu_ev qpu_periph_vpm(struct qpu_machine *m, struct qpu_core *q, u32 waddr, u32 file,
			   u32 word);
/* Does signal @sig return the result of a previous instruction's request? */
bool qpu_periph_load_first(const struct qpu_core *q, u32 sig);

/*
 * qpu_sfu.c: apply SFU function @fn (QPU_W_SFU_*) to the elements of @n vectors @v, to @r. All are
 * slots of &struct qpu_vm: the builds need their alignment.
 */
void qpu_sfu(struct qpu_machine *m, u32 fn, u32 n, const u32 *const *v, u32 *const *r);

/* qpu_hazard.c: strict mode. Return: false with a fault. */
bool qpu_hazard_check(struct qpu_machine *m, const struct qpu_insn *i);

/* qpu_machine.c */
void qpu_fp_begin(struct qpu_machine *m);
void qpu_fp_sfu(struct qpu_machine *m, bool begin);
const struct qpu_uop *qpu_exec(struct qpu_machine *m, const struct qpu_uop *u,
			       const struct qpu_uop *end);

/* Is a branch with condition @cond taken? */
static inline bool qpu_taken(const u16 *fl, u32 cond)
{
	u32 mask;

	if (cond == QPU_BR_ALWAYS)
		return true;
	/* pairs of conditions by flag: all set, all clear, any set, any clear */
	mask = qpu_cond_mask(fl, 2 * (QPU_F_Z + cond / 4) + (cond & 1));
	return cond & 2 ? mask : mask == 0xffff;
}

static inline struct qpu_core *qpu_core_of(struct qpu_machine *m, u32 k)
{
	return m->vm.core[k];
}

/* Charge for work beyond the instruction itself, in units of about 16 ns. */
static inline void qpu_charge(struct qpu_machine *m, u32 weight)
{
	m->used += weight;
	m->left -= weight;
}

#endif /* QPU_RUN_H */
