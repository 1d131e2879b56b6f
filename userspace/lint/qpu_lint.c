// SPDX-License-Identifier: MIT
/*
 * Warnings about QPU programs that are valid, but that the pipeline or the peripherals
 * of the chip execute differently from how they read. They change nothing about
 * acceptance.
 *
 * A forward data-flow analysis tracks the effects of the last instructions and the
 * outstanding requests. Where paths join, the state is the union, except for errors that
 * have to be certain: more results taken from a TMU than requested, more requests than
 * its FIFO holds, vectors of the VPM that nobody takes, a mutex acquired twice or released
 * without being held. Sources: the guide's lists of restrictions, vc4asm's addendum, validator
 * and issues; table in isa/qpu-peripherals.rst.
 */
#include "isa/qpu/qpu_verify.h"
#include "qpu_lint.h"
#include "qpu_lint_setup.h"

/* @extra: programs that work break it, too: only if all rules are asked for */
static const struct {
	const char *name;
	const char *text;
	bool extra;
} lint_texts[QPU_NUM_LINTS] = {
	[QPU_LINT_REG_RAW] = { "reg-raw",
		"file register is read right after it was written; register" },
	[QPU_LINT_SFU_EARLY] = { "sfu-early",
		"r4 is read before the special function is complete; instructions too early" },
	[QPU_LINT_SFU_BUSY] = { "sfu-busy",
		"r4 is written while a special function is under way; instructions too early" },
	[QPU_LINT_TMU_UNDERFLOW] = { "tmu-underflow",
		"no result was asked for; TMU" },
	[QPU_LINT_TMU_DEPTH] = { "tmu-depth",
		"more than four requests are not reliable on the chip; TMU", true },
	[QPU_LINT_TMU_OVERFLOW] = { "tmu-overflow",
		"more than eight requests are outstanding; TMU" },
	[QPU_LINT_UNIFORM_WINDOW] = { "uniform-window",
		"uniform is read too soon after its address was written; instructions too early" },
	[QPU_LINT_ROTATE_SOURCE] = { "rotate-source",
		"rotated accumulator was written by the instruction before; r", true },
	[QPU_LINT_ROTATE_R5] = { "rotate-r5",
		"rotation by r5 right after r5 was written; r" },
	[QPU_LINT_ROTATE_GROUP] = { "rotate-group",
		"only r0 to r3 rotate across groups of four elements; operand" },
	[QPU_LINT_VPM_LATENCY] = { "vpm-latency",
		"VPM is read within three instructions after its read setup; too early by", true },
	[QPU_LINT_VPM_NO_SETUP] = { "vpm-no-setup",
		"VPM is read without a read setup; file" },
	[QPU_LINT_VPM_TWICE] = { "vpm-twice",
		"VPM setup together with another VPM access; accesses" },
	[QPU_LINT_DMA_COLUMN] = { "dma-column",
		"a stored column begins again after its 16 rows; words from the top" },
	[QPU_LINT_DMA_LOAD] = { "dma-load",
		"VPM is read without waiting for the DMA load of its rows; file" },
	[QPU_LINT_DMA_STORE] = { "dma-store",
		"the thread ends without waiting for its DMA store; address" },
	[QPU_LINT_VPM_LEFT] = { "vpm-left",
		"the chip ignores a VPM read setup while more than one vector is left; vectors" },
	[QPU_LINT_VPM_UNREAD] = { "vpm-unread",
		"the thread ends with vectors of a VPM read setup not taken; vectors" },
	[QPU_LINT_TMU_STALE] = { "tmu-stale",
		"read again by the TMU after a DMA store: its cache has the old data; TMU" },
	[QPU_LINT_BRANCH_DISTANCE] = { "branch-distance",
		"less than two instructions between branches; instructions" },
	[QPU_LINT_SLOT_SIGNAL] = { "slot-signal",
		"thread switch or end in a delay slot of a branch; signal" },
	[QPU_LINT_BRANCH_FLAGS] = { "branch-flags",
		"branch to an odd register sets the flags; register" },
	[QPU_LINT_END_R14] = { "end-r14",
		"register 14 is used at the thread's end; file" },
	[QPU_LINT_END_WRITE] = { "end-write",
		"the instruction that ends the thread writes a file register; register" },
	[QPU_LINT_END_FIFO] = { "end-fifo",
		"uniform, varying or VPM access at the thread's end; address" },
	[QPU_LINT_END_TLB_Z] = { "end-tlb-z",
		"the last instruction writes depth; address" },
	[QPU_LINT_END_MUTEX] = { "end-mutex",
		"the thread ends with the mutex held; address" },
	[QPU_LINT_SWITCH_ACC] = { "switch-acc",
		"accumulator does not survive the thread switch; r" },
	[QPU_LINT_SWITCH_DISTANCE] = { "switch-distance",
		"thread switch before the previous one is complete; instructions between" },
	[QPU_LINT_SCOREBOARD_EARLY] = { "scoreboard-early",
	"scoreboard wait in the first, or tile access in the first two instructions; instruction" },
	[QPU_LINT_TLB_NO_WAIT] = { "tlb-no-wait",
		"tile buffer access without a scoreboard wait before; signal" },
	[QPU_LINT_TLB_AFTER_DONE] = { "tlb-after-done",
		"tile buffer access after the scoreboard was unlocked; signal" },
	[QPU_LINT_SAME_DEST] = { "same-dest",
		"both ALUs write the same place, conditions do not exclude each other; address" },
	[QPU_LINT_PERIPHERAL_TWICE] = { "peripheral-twice",
		"more than one access to TMU, SFU, tile buffer, mutex, semaphores; accesses" },
	[QPU_LINT_MUTEX_TWICE] = { "mutex-twice",
		"the mutex is acquired while it is held; address" },
	[QPU_LINT_MUTEX_NOT_HELD] = { "mutex-not-held",
		"the mutex is released without being held; address" },
	[QPU_LINT_COND_PERIPHERAL] = { "cond-peripheral",
		"conditional write to a peripheral takes place for all elements; address" },
	[QPU_LINT_PACK_PERIPHERAL] = { "pack-peripheral",
		"peripherals cannot be written partially; address" },
	[QPU_LINT_NOSWAP_WINDOW] = { "noswap-window",
		"TMU is written within three instructions after tmu_noswap; too early by" },
	[QPU_LINT_NOSWAP_LATE] = { "noswap-late",
		"tmu_noswap is written after a TMU was used; address" },
	[QPU_LINT_MS_WINDOW] = { "ms-window",
		"sample mask is read too soon after depth was written; instructions too early" },
	[QPU_LINT_UNDEFINED_OP] = { "undefined-op",
		"undefined operation of the adder; code" },
	[QPU_LINT_RUNS_OFF] = { "runs-off",
		"execution may run out of the program; instructions" },
};

/**
 * qpu_lint_name() - short name of a warning
 * @code: enum qpu_lint_code
 *
 * Return: a word.
 */
const char *qpu_lint_name(u32 code)
{
	return code < QPU_NUM_LINTS ? lint_texts[code].name : "unknown";
}

/**
 * qpu_lint_text() - text of a warning, to be followed by its argument
 * @code: enum qpu_lint_code
 *
 * Return: a phrase.
 */
const char *qpu_lint_text(u32 code)
{
	return code < QPU_NUM_LINTS ? lint_texts[code].text : "unknown warning";
}

/* Bits of struct past.flags: facts that may hold. */
#define MAY_VPM_SETUP	0x01	/* a VPM read was set up */
#define MAY_TMU_USED	0x02
#define MAY_HOLD	0x04	/* the mutex is held */
#define MAY_NOT_HOLD	0x08	/* it is not */
#define MAY_NO_WAIT	0x10	/* the scoreboard was not waited for */
#define MAY_DONE	0x20	/* the scoreboard was unlocked */
#define MAY_STORE	0x40	/* a DMA store was not waited for */
#define MAY_EARLY	0x80	/* reads were set up of rows that a DMA load writes */

#define BLOCK_ROWS	16	/* of the VPM */
#define TMU_RELIABLE	4
#define TMU_DEPTH	8
#define VPM_VECTORS	40	/* more than two setups can ask for */
#define ACCUMULATORS	0x2f	/* r0 to r3, r5 */

/**
 * struct regs - a set of registers
 * @file: of files A and B
 * @acc: accumulators
 */
struct regs {
	u32 file[2];
	u32 acc;
};

/**
 * struct past - possible states before an instruction
 * @wa: registers of file A written by the instruction before
 * @wb: registers of file B
 * @acc: accumulators written by the instruction before
 * @stale: accumulators lost in a thread switch
 * @sfu: SFU written; bit n: n + 1 instructions ago, as all that follows
 * @unif: uniform address written
 * @rdset: VPM read setup written
 * @noswap: tmu_noswap written
 * @tlbz: depth written
 * @thrsw: thread switch signalled
 * @start: start of the program
 * @flags: MAY_*
 * @tmin: results of each TMU outstanding, at least
 * @tmax: at most
 * @vmin: vectors of VPM reads set up and not taken, at least
 * @vmax: at most
 * @set_rows: rows of the VPM that a DMA load would write
 * @load_rows: rows that a load not waited for writes
 * @looked: registers that addressed TMU reads and have the same values since
 * @stored: those of them that addressed a DMA store after that
 * @known: some way here was found
 */
struct past {
	u32 wa;
	u32 wb;
	u8 acc;
	u8 stale;
	u8 sfu;
	u8 unif;
	u8 rdset;
	u8 noswap;
	u8 tlbz;
	u8 thrsw;
	u8 start;
	u8 flags;
	u8 tmin[2];
	u8 tmax[2];
	u8 vmin;
	u8 vmax;
	u64 set_rows;
	u64 load_rows;
	struct regs looked;
	struct regs stored;
	bool known;
};

/**
 * struct act - effects of an instruction
 * @insn: its fields
 * @wr: addresses written, file A and file B
 * @rd: addresses that appear on the read ports, file A and file B
 * @use_a: an operand comes from file A
 * @use_b: from file B
 * @acc: accumulators that are operands
 */
struct act {
	struct qpu_insn insn;
	u64 wr[2];
	u64 rd[2];
	bool use_a;
	bool use_b;
	u8 acc;
};

#define W(addr)		BIT_ULL(QPU_W_##addr)
#define W_TMU		(0xffULL << QPU_W_TMU0_S)
#define W_SFU		(0xfULL << QPU_W_SFU_RECIP)
#define W_TLB		(W(TLB_Z) | W(TLB_COLOR_MS) | W(TLB_COLOR))
#define W_TILE		(W_TLB | W(TLB_STENCIL) | W(TLB_ALPHA))
#define W_FILE		GENMASK_ULL(31, 0)
#define W_LOOKUP	(W(TMU0_S) | W(TMU1_S))
#define R_DMA		(BIT_ULL(QPU_R_VPM_BUSY) | BIT_ULL(QPU_R_VPM_WAIT))

static u64 writes(const struct act *a)
{
	return a->wr[0] | a->wr[1];
}

static u64 reads(const struct act *a)
{
	return a->rd[0] | a->rd[1];
}

static void act_operand(struct act *a, u8 mux)
{
	if (mux == QPU_MUX_A)
		a->use_a = true;
	else if (mux == QPU_MUX_B)
		a->use_b = a->insn.sig != QPU_SIG_SMI;
	else
		a->acc |= 1U << mux;
}

static void act_reads(struct act *a)
{
	const struct qpu_insn *x = &a->insn;
	u32 i;

	if (x->sig == QPU_SIG_BRANCH) {
		a->use_a = x->br_reg;
		if (x->br_reg)
			a->rd[0] = BIT_ULL(x->br_raddr);
		return;
	}
	if (x->sig == QPU_SIG_LDI)
		return;
	a->rd[0] = BIT_ULL(x->raddr_a);
	if (x->sig != QPU_SIG_SMI)
		a->rd[1] = BIT_ULL(x->raddr_b);
	for (i = 0; i < qpu_add_operands(x->op_add); i++)
		act_operand(a, x->mux[i]);
	for (i = 0; i < qpu_mul_operands(x->op_mul); i++)
		act_operand(a, x->mux[2 + i]);
}

static void act_init(struct act *a, u64 word)
{
	const struct qpu_insn *x = &a->insn;
	bool branch;

	memset(a, 0, sizeof(*a));
	qpu_decode(word, &a->insn);
	branch = x->sig == QPU_SIG_BRANCH;
	if (branch || x->cond_add != QPU_COND_NEVER)
		a->wr[x->ws] |= BIT_ULL(x->waddr_add);
	if (branch || x->cond_mul != QPU_COND_NEVER)
		a->wr[!x->ws] |= BIT_ULL(x->waddr_mul);
	a->wr[0] &= ~W(NOP);
	a->wr[1] &= ~W(NOP);
	act_reads(a);
}

static bool loads_r4(const struct qpu_insn *x)
{
	return (x->sig >= QPU_SIG_LOADCV && x->sig <= QPU_SIG_LOADAM);
}

static bool loads_tile(const struct qpu_insn *x)
{
	return x->sig >= QPU_SIG_LOADCV && x->sig <= QPU_SIG_LDCEND;
}

static bool switches(const struct qpu_insn *x)
{
	return x->sig == QPU_SIG_THRSW || x->sig == QPU_SIG_LTHRSW;
}

static bool is_semaphore(const struct qpu_insn *x)
{
	return x->sig == QPU_SIG_LDI && x->unpack == QPU_LDI_SEMA;
}

/* Registers whose values an instruction uses. */
static struct regs operands(const struct act *a)
{
	struct regs r = { .acc = a->acc };

	if (a->use_a)
		r.file[0] = a->rd[0] & W_FILE;
	if (a->use_b)
		r.file[1] = a->rd[1] & W_FILE;
	return r;
}

/* Are the operands values that only writes of registers change? */
static bool is_lasting(const struct act *a)
{
	const u64 lasting = W_FILE | BIT_ULL(QPU_R_ELEM_QPU);

	return !(a->acc & BIT(QPU_MUX_R4)) && !(a->use_a && a->rd[0] & ~lasting) &&
	       !(a->use_b && a->rd[1] & ~lasting);
}

static struct regs both(const struct regs *x, const struct regs *y)
{
	return (struct regs){ { x->file[0] & y->file[0], x->file[1] & y->file[1] },
			      x->acc & y->acc };
}

static bool is_empty(const struct regs *r)
{
	return !(r->file[0] | r->file[1] | r->acc);
}

static bool is_part(const struct regs *x, const struct regs *of)
{
	return !((x->file[0] & ~of->file[0]) | (x->file[1] & ~of->file[1]) | (x->acc & ~of->acc));
}

static void add_regs(struct regs *to, const struct regs *from)
{
	to->file[0] |= from->file[0];
	to->file[1] |= from->file[1];
	to->acc |= from->acc;
}

static void drop_regs(struct regs *r, const struct act *a, u32 acc)
{
	r->file[0] &= ~(u32)a->wr[0];
	r->file[1] &= ~(u32)a->wr[1];
	r->acc &= ~acc;
}

static u8 acc_written(const struct act *a)
{
	u64 w = writes(a);

	return ((w >> QPU_W_ACC0) & 0xf) | (w & W(ACC5) ? 0x20 : 0);
}

/* ---- following the program ---- */

static u8 age(u8 ages, bool now, u32 depth)
{
	return ((ages << 1) | now) & ((1U << depth) - 1);
}

static void follow_tmu(const struct act *a, struct past *h, u32 unit)
{
	if (a->insn.sig == QPU_SIG_LDTMU0 + unit) {
		h->tmin[unit] -= h->tmin[unit] != 0;
		h->tmax[unit] -= h->tmax[unit] != 0;
	}
	if (writes(a) & BIT_ULL(QPU_W_TMU0_S + 4 * unit)) {
		h->tmin[unit] += h->tmin[unit] <= TMU_DEPTH;
		h->tmax[unit] += h->tmax[unit] <= TMU_DEPTH;
	}
}

static void follow_flags(const struct act *a, struct past *h)
{
	if (a->wr[0] & W(VPM_SETUP))
		h->flags |= MAY_VPM_SETUP;
	if (writes(a) & W_TMU)
		h->flags |= MAY_TMU_USED;
	if (reads(a) & BIT_ULL(QPU_R_MUTEX))
		h->flags = (h->flags & ~MAY_NOT_HOLD) | MAY_HOLD;
	if (writes(a) & W(MUTEX))
		h->flags = (h->flags & ~MAY_HOLD) | MAY_NOT_HOLD;
	if (a->insn.sig == QPU_SIG_SBWAIT)
		h->flags &= ~(MAY_NO_WAIT | MAY_DONE);
	if (a->insn.sig == QPU_SIG_SBDONE)
		h->flags |= MAY_DONE;
}

/* Setups and vectors of VPM reads, DMA loads and stores. */
static void follow_vpm(const struct qpu_program *p, u32 pc, const struct act *a, struct past *h)
{
	bool waits = a->rd[0] & R_DMA;
	struct qpu_setup v;
	u32 n;

	if (reads(a) & BIT_ULL(QPU_R_VPM)) {
		h->vmin -= h->vmin != 0;
		h->vmax -= h->vmax != 0;
	}
	if (waits) {
		h->load_rows = 0;
		h->flags &= ~MAY_EARLY;
	}
	if (a->rd[1] & R_DMA)
		h->flags &= ~MAY_STORE;
	if (a->wr[0] & W(VPM_ADDR))
		h->load_rows |= h->set_rows;
	if (a->wr[1] & W(VPM_ADDR))
		h->flags |= MAY_STORE;
	if (!(a->wr[0] & W(VPM_SETUP)))
		return;
	if (!qpu_lint_setup(p, pc, 0, &v)) {
		h->set_rows = ~0ULL;
		h->vmax = VPM_VECTORS;
	} else if (qpu_lint_is_load(v.word)) {
		h->set_rows = qpu_lint_loaded_rows(&v);
	} else if (qpu_lint_is_read(v.word)) {
		n = qpu_lint_vectors(v.word);
		h->vmin = min_t(u32, h->vmin + n, VPM_VECTORS);
		h->vmax = min_t(u32, h->vmax + n, VPM_VECTORS);
		if (qpu_lint_read_rows(&v) & h->load_rows)
			h->flags |= MAY_EARLY;
	}
}

/* Addresses that are read, stored to, and read again with the same values. */
static void follow_addresses(const struct act *a, struct past *h)
{
	struct regs used = operands(a), seen;

	if (writes(a) & W_LOOKUP && is_lasting(a))
		add_regs(&h->looked, &used);
	if (a->wr[1] & W(VPM_ADDR)) {
		seen = both(&used, &h->looked);
		add_regs(&h->stored, &seen);
	}
	drop_regs(&h->looked, a, acc_written(a));
	drop_regs(&h->stored, a, acc_written(a));
}

static void follow(const struct qpu_program *p, u32 pc, const struct act *a, struct past *h)
{
	u64 w = writes(a);

	h->wa = a->wr[0] & W_FILE;
	h->wb = a->wr[1] & W_FILE;
	h->acc = acc_written(a);
	h->stale &= ~h->acc;
	if (h->thrsw & 2)
		h->stale = ACCUMULATORS;
	h->sfu = age(h->sfu, w & W_SFU, 2);
	h->unif = age(h->unif, w & W(UNIF_ADDR), 2);
	h->rdset = age(h->rdset, a->wr[0] & W(VPM_SETUP), 3);
	h->noswap = age(h->noswap, w & W(TMU_NOSWAP), 3);
	h->tlbz = age(h->tlbz, w & W(TLB_Z), 2);
	h->thrsw = age(h->thrsw, switches(&a->insn), 2);
	h->start = age(h->start, false, 2);
	follow_flags(a, h);
	follow_tmu(a, h, 0);
	follow_tmu(a, h, 1);
	follow_vpm(p, pc, a, h);
	follow_addresses(a, h);
}

static bool join32(u32 *to, u32 from)
{
	bool more = from & ~*to;

	*to |= from;
	return more;
}

static bool join8(u8 *to, u8 from)
{
	bool more = from & ~*to;

	*to |= from;
	return more;
}

static bool join64(u64 *to, u64 from)
{
	bool more = from & ~*to;

	*to |= from;
	return more;
}

static bool join_regs(struct regs *to, const struct regs *from)
{
	bool more = !is_part(from, to);

	add_regs(to, from);
	return more;
}

static bool join_vectors(struct past *to, const struct past *h)
{
	bool more = h->vmin < to->vmin || h->vmax > to->vmax;

	to->vmin = min(to->vmin, h->vmin);
	to->vmax = max(to->vmax, h->vmax);
	return more;
}

static bool join_tmu(struct past *to, const struct past *h, u32 unit)
{
	bool more = h->tmin[unit] < to->tmin[unit] || h->tmax[unit] > to->tmax[unit];

	to->tmin[unit] = min(to->tmin[unit], h->tmin[unit]);
	to->tmax[unit] = max(to->tmax[unit], h->tmax[unit]);
	return more;
}

/* Return: the result is not @to as it was. */
static bool merge(struct past *to, const struct past *h)
{
	bool more = false;

	if (!to->known) {
		*to = *h;
		return true;
	}
	more |= join32(&to->wa, h->wa);
	more |= join32(&to->wb, h->wb);
	more |= join8(&to->acc, h->acc);
	more |= join8(&to->stale, h->stale);
	more |= join8(&to->sfu, h->sfu);
	more |= join8(&to->unif, h->unif);
	more |= join8(&to->rdset, h->rdset);
	more |= join8(&to->noswap, h->noswap);
	more |= join8(&to->tlbz, h->tlbz);
	more |= join8(&to->thrsw, h->thrsw);
	more |= join8(&to->start, h->start);
	more |= join8(&to->flags, h->flags);
	more |= join_tmu(to, h, 0);
	more |= join_tmu(to, h, 1);
	more |= join_vectors(to, h);
	more |= join64(&to->set_rows, h->set_rows);
	more |= join64(&to->load_rows, h->load_rows);
	more |= join_regs(&to->looked, &h->looked);
	more |= join_regs(&to->stored, &h->stored);
	return more;
}

/**
 * struct linter - the analysis
 * @p: program, walked
 * @found: where warnings go
 * @indirect: some branch leads to an unknown place: code is called
 * @past: for each instruction
 * @queue: instructions to be looked at again
 * @queued: is it among them
 * @n: how many
 */
struct linter {
	const struct qpu_program *p;
	struct vs_lints *found;
	bool indirect;
	struct past *past;
	u32 *queue;
	u8 *queued;
	u32 n;
};

static void flow_to(struct linter *l, s64 pc, const struct past *h)
{
	if (pc < 0 || pc >= l->p->ninsns || !merge(&l->past[pc], h) || l->queued[pc])
		return;
	l->queued[pc] = 1;
	l->queue[l->n++] = (u32)pc;
}

/* States in which the thread continues; QPU_AT(slots, 1) is its last instruction. */
#define AT_GOING	(0xf0f)
/* States before a branch is taken, thread going on. */
#define AT_TAKEN	(0x202)

/**
 * ways() - successors of an instruction
 * @p: program
 * @pc: instruction
 * @branch: it is a branch itself
 * @target: set to the byte offset that a branch leads to, or -1
 *
 * Return: it may be the next instruction.
 */
static bool ways(const struct qpu_program *p, u32 pc, bool branch, s64 *target)
{
	u16 state = p->state[pc] & AT_GOING;
	bool next = state & ~AT_TAKEN;
	struct qpu_insn insn;
	s64 byte;

	*target = -1;
	if (!(state & AT_TAKEN) || pc < 3)
		return next;
	qpu_decode(qpu_word(p, pc - 3), &insn);
	if (insn.sig != QPU_SIG_BRANCH)
		return next;
	if (qpu_target(&insn, pc - 3, &byte) && !(byte & 7))
		*target = byte;
	return next || branch || insn.br_cond != QPU_BR_ALWAYS;
}

/* After a call: the called code may have done anything before it returned. */
static void past_unknown(struct past *h)
{
	memset(h, 0, sizeof(*h));
	h->known = true;
	h->flags = MAY_VPM_SETUP | MAY_TMU_USED | MAY_HOLD | MAY_NOT_HOLD;
	h->tmax[0] = TMU_DEPTH + 1;
	h->tmax[1] = TMU_DEPTH + 1;
	h->vmax = VPM_VECTORS;
	h->set_rows = ~0ULL;
}

static void past_start(struct past *h)
{
	memset(h, 0, sizeof(*h));
	h->known = true;
	h->start = 1;
	h->flags = MAY_NOT_HOLD | MAY_NO_WAIT;
}

static void flow_from(struct linter *l, u32 pc)
{
	struct past h = l->past[pc];
	struct past unknown;
	struct act a;
	bool branch;
	s64 target;

	act_init(&a, qpu_word(l->p, pc));
	branch = a.insn.sig == QPU_SIG_BRANCH;
	follow(l->p, pc, &a, &h);
	if (ways(l->p, pc, branch, &target))
		flow_to(l, (s64)pc + 1, &h);
	if (target >= 0)
		flow_to(l, target / 8, &h);
	if (branch && l->indirect && writes(&a)) {
		past_unknown(&unknown);
		flow_to(l, (s64)pc + 4, &unknown);
	}
}

static void flow(struct linter *l)
{
	struct past start;
	u32 i, pc, steps = 0;

	past_start(&start);
	for (i = 0; i < l->p->nentries; i++)
		flow_to(l, l->p->entries[i], &start);
	while (l->n) {
		pc = l->queue[--l->n];
		l->queued[pc] = 0;
		flow_from(l, pc);
		if (!(++steps & 1023))
			vs_cond_resched();
	}
}

/* ---- rules ---- */

/**
 * struct spot - an instruction that is looked at
 * @l: the analysis
 * @a: the instruction
 * @h: possible states before it
 * @pc: its number
 * @state: how it is reached, QPU_AT()
 */
struct spot {
	struct linter *l;
	const struct act *a;
	const struct past *h;
	u32 pc;
	u16 state;
};

static void warn(const struct spot *s, u32 code, u32 arg)
{
	if (lint_texts[code].extra && !s->l->found->all)
		return;
	vs_lint_add(s->l->found, code, s->pc, arg);
}

static void warn_if(const struct spot *s, bool wrong, u32 code, u32 arg)
{
	if (wrong)
		warn(s, code, arg);
}

/* Missing instructions: bit n means n + 1 instructions ago, @depth have to pass. */
static u32 early(u8 ages, u32 depth)
{
	return depth - __ffs64(ages);
}

static void rule_registers(const struct spot *s)
{
	const struct qpu_insn *x = &s->a->insn;
	u32 ra = x->sig == QPU_SIG_BRANCH ? x->br_raddr : x->raddr_a;
	u8 stale = s->a->acc & s->h->stale;

	if (s->a->use_a && ra < 32 && (s->h->wa >> ra & 1))
		warn(s, QPU_LINT_REG_RAW, ra);
	if (s->a->use_b && x->raddr_b < 32 && (s->h->wb >> x->raddr_b & 1))
		warn(s, QPU_LINT_REG_RAW, x->raddr_b);
	if (stale)
		warn(s, QPU_LINT_SWITCH_ACC, __ffs64(stale));
	if (x->sig != QPU_SIG_BRANCH && x->sig != QPU_SIG_LDI)
		warn_if(s, !qpu_add_op_defined(x->op_add), QPU_LINT_UNDEFINED_OP, x->op_add);
}

/* Neither ALU writes where the other does; each condition excludes the other. */
static bool exclusive(const struct qpu_insn *x)
{
	return x->sig != QPU_SIG_BRANCH && x->cond_add >= QPU_COND_ZS &&
	       (x->cond_add ^ x->cond_mul) == 1;
}

/* Addresses that mean the same in both files. */
static bool is_common(u32 waddr)
{
	switch (waddr) {
	case QPU_W_QUAD_XY:
	case QPU_W_MS_REV:
	case QPU_W_VPM_SETUP:
	case QPU_W_VPM_ADDR:
	case QPU_W_NOP:
		return false;
	default:
		return waddr >= 32;
	}
}

/* Two copies of one operand, as idle instructions of py-videocore are. */
static bool same_result(const struct qpu_insn *x)
{
	return x->sig < QPU_SIG_SMI && x->op_add == QPU_A_OR && x->op_mul == QPU_M_V8MIN &&
	       !x->pack && x->mux[0] == x->mux[1] && x->mux[0] == x->mux[2] &&
	       x->mux[0] == x->mux[3];
}

static void rule_dest(const struct spot *s)
{
	const struct qpu_insn *x = &s->a->insn;
	bool both = s->a->wr[0] & s->a->wr[1];

	warn_if(s, both && x->waddr_add == x->waddr_mul && is_common(x->waddr_add) &&
		!exclusive(x) && !same_result(x), QPU_LINT_SAME_DEST, x->waddr_add);
}

static void rule_sfu(const struct spot *s)
{
	bool write = (writes(s->a) & W_SFU) || loads_r4(&s->a->insn);

	if (!s->h->sfu)
		return;
	warn_if(s, s->a->acc & BIT(QPU_MUX_R4), QPU_LINT_SFU_EARLY, early(s->h->sfu, 2));
	warn_if(s, write, QPU_LINT_SFU_BUSY, early(s->h->sfu, 2));
}

static void rule_tmu(const struct spot *s)
{
	struct regs used = operands(s->a);
	u32 unit, n;

	for (unit = 0; unit < 2; unit++) {
		n = s->h->tmin[unit];
		if (s->a->insn.sig == QPU_SIG_LDTMU0 + unit) {
			warn_if(s, !s->h->tmax[unit], QPU_LINT_TMU_UNDERFLOW, unit);
			n -= n != 0;
		}
		if (!(writes(s->a) & BIT_ULL(QPU_W_TMU0_S + 4 * unit)))
			continue;
		if (n >= TMU_DEPTH)
			warn(s, QPU_LINT_TMU_OVERFLOW, unit);
		else if (n >= TMU_RELIABLE)
			warn(s, QPU_LINT_TMU_DEPTH, unit);
	}
	if (s->h->noswap && (writes(s->a) & W_TMU))
		warn(s, QPU_LINT_NOSWAP_WINDOW, early(s->h->noswap, 3));
	if (writes(s->a) & W_LOOKUP && is_lasting(s->a) && is_part(&used, &s->h->looked)) {
		used = both(&used, &s->h->stored);
		warn_if(s, !is_empty(&used), QPU_LINT_TMU_STALE, !(writes(s->a) & W(TMU0_S)));
	}
	warn_if(s, (writes(s->a) & W(TMU_NOSWAP)) && (s->h->flags & MAY_TMU_USED),
		QPU_LINT_NOSWAP_LATE, QPU_W_TMU_NOSWAP);
}

static void rule_fifos(const struct spot *s)
{
	const struct act *a = s->a;
	bool setup = (a->wr[0] | a->wr[1]) & W(VPM_SETUP);
	bool read = reads(a) & BIT_ULL(QPU_R_VPM);
	struct qpu_setup word;
	u32 n;

	if (s->h->unif && (reads(a) & BIT_ULL(QPU_R_UNIF)))
		warn(s, QPU_LINT_UNIFORM_WINDOW, early(s->h->unif, 2));
	if (read && s->h->rdset)
		warn(s, QPU_LINT_VPM_LATENCY, early(s->h->rdset, 3));
	if (read && !(s->h->flags & MAY_VPM_SETUP))
		warn(s, QPU_LINT_VPM_NO_SETUP, !(a->rd[0] & BIT_ULL(QPU_R_VPM)));
	n = !!(a->wr[0] & W(VPM_SETUP)) + !!(a->wr[1] & W(VPM_SETUP)) + read +
	    !!(writes(a) & W(VPM));
	if (setup && n > 1)
		warn(s, QPU_LINT_VPM_TWICE, n);
	n = qpu_lint_setup(s->l->p, s->pc, 1, &word) ? qpu_lint_column_words(word.word) : 0;
	warn_if(s, n > BLOCK_ROWS, QPU_LINT_DMA_COLUMN, n);
	warn_if(s, read && s->h->flags & MAY_EARLY && s->h->load_rows, QPU_LINT_DMA_LOAD,
		!(a->rd[0] & BIT_ULL(QPU_R_VPM)));
	warn_if(s, s->h->vmin > 1 && qpu_lint_setup(s->l->p, s->pc, 0, &word) &&
		qpu_lint_is_read(word.word), QPU_LINT_VPM_LEFT, s->h->vmin);
}

static void rule_rotate(const struct spot *s)
{
	const struct qpu_insn *x = &s->a->insn;
	u32 i, n = x->raddr_b - 48;

	if (x->sig != QPU_SIG_SMI || x->raddr_b < 48 || x->op_mul == QPU_M_MNOP)
		return;
	warn_if(s, !n && (s->h->acc & BIT(QPU_MUX_R5)), QPU_LINT_ROTATE_R5, QPU_MUX_R5);
	for (i = 2; i < 4; i++) {
		if (i == 3 && x->mux[3] == x->mux[2])
			break;
		if (x->mux[i] < QPU_MUX_R4 && (s->h->acc >> x->mux[i] & 1))
			warn(s, QPU_LINT_ROTATE_SOURCE, x->mux[i]);
		if (n >= 4 && n <= 12 && x->mux[i] >= QPU_MUX_R4 && x->mux[i] != QPU_MUX_B)
			warn(s, QPU_LINT_ROTATE_GROUP, i - 2);
	}
}

/* A branch in the first or second delay slot; the third is allowed. */
#define AT_SLOT_1_2	(QPU_AT(3, 0) | QPU_AT(2, 0) | QPU_AT(3, 2) | QPU_AT(2, 2))
#define AT_SLOT		(AT_SLOT_1_2 | QPU_AT(1, 0) | QPU_AT(1, 2))
#define AT_LAST		(0xf0)
#define AT_END		(0xff0)

static void rule_branch(const struct spot *s)
{
	const struct qpu_insn *x = &s->a->insn;

	if (x->sig != QPU_SIG_BRANCH) {
		warn_if(s, (s->state & AT_SLOT) && (qpu_ends(x) || switches(x)),
			QPU_LINT_SLOT_SIGNAL, x->sig);
		return;
	}
	warn_if(s, s->state & AT_SLOT_1_2, QPU_LINT_BRANCH_DISTANCE,
		s->state & (QPU_AT(3, 0) | QPU_AT(3, 2)) ? 0 : 1);
	warn_if(s, x->br_reg && (x->br_raddr & 1), QPU_LINT_BRANCH_FLAGS, x->br_raddr);
}

static void rule_end(const struct spot *s)
{
	const u64 rd_fifo = BIT_ULL(QPU_R_UNIF) | BIT_ULL(QPU_R_VARY) | BIT_ULL(QPU_R_VPM) |
			    BIT_ULL(QPU_R_VPM_BUSY) | BIT_ULL(QPU_R_VPM_WAIT);
	const u64 wr_fifo = W(VPM) | W(VPM_SETUP) | W(VPM_ADDR);
	const struct act *a = s->a;
	bool ends = a->insn.sig != QPU_SIG_BRANCH && qpu_ends(&a->insn);
	u64 file = writes(a) & W_FILE, fifo;
	bool held = s->h->flags & MAY_HOLD && !(s->h->flags & MAY_NOT_HOLD);

	if (ends && file)
		warn(s, QPU_LINT_END_WRITE, __ffs64(file));
	if (!ends && !(s->state & AT_END))
		return;
	fifo = (reads(a) & rd_fifo) | (writes(a) & wr_fifo);
	if (fifo)
		warn(s, QPU_LINT_END_FIFO, __ffs64(fifo));
	if ((a->rd[0] | a->wr[0]) >> 14 & 1)
		warn(s, QPU_LINT_END_R14, 0);
	if ((a->rd[1] | a->wr[1]) >> 14 & 1)
		warn(s, QPU_LINT_END_R14, 1);
	if (!(s->state & AT_LAST))
		return;
	warn_if(s, writes(a) & W(TLB_Z), QPU_LINT_END_TLB_Z, QPU_W_TLB_Z);
	warn_if(s, s->h->flags & MAY_STORE && !(a->rd[1] & R_DMA), QPU_LINT_DMA_STORE,
		QPU_W_VPM_ADDR);
	warn_if(s, s->h->vmin, QPU_LINT_VPM_UNREAD, s->h->vmin);
	warn_if(s, held && !(writes(a) & W(MUTEX)), QPU_LINT_END_MUTEX, QPU_W_MUTEX);
}

static void rule_fragment(const struct spot *s)
{
	const struct qpu_insn *x = &s->a->insn;
	bool tile = (writes(s->a) & W_TLB) || loads_tile(x);
	bool waits = x->sig == QPU_SIG_SBWAIT;

	warn_if(s, switches(x) && s->h->thrsw, QPU_LINT_SWITCH_DISTANCE, s->h->thrsw & 1 ? 0 : 1);
	if (s->h->tlbz && (s->a->rd[0] & BIT_ULL(QPU_R_MS_REV)))
		warn(s, QPU_LINT_MS_WINDOW, early(s->h->tlbz, 2));
	if (s->l->p->stage != VS_STAGE_FRAGMENT)
		return;
	warn_if(s, (s->h->start && tile) || (s->h->start & 1 && waits),
		QPU_LINT_SCOREBOARD_EARLY, s->pc);
	if (!tile || waits)
		return;
	warn_if(s, s->h->flags & MAY_NO_WAIT, QPU_LINT_TLB_NO_WAIT, x->sig);
	warn_if(s, s->h->flags & MAY_DONE, QPU_LINT_TLB_AFTER_DONE, x->sig);
}

static u32 count_addrs(const struct act *a, u64 mask)
{
	return hweight64(a->wr[0] & mask) + hweight64(a->wr[1] & mask & ~a->wr[0]);
}

static void rule_peripherals(const struct spot *s)
{
	const struct act *a = s->a;
	bool acquires = reads(a) & BIT_ULL(QPU_R_MUTEX);
	bool releases = writes(a) & W(MUTEX);
	u32 n = count_addrs(a, W_TMU | W_SFU | W_TILE | W(MUTEX)) + acquires +
		loads_tile(&a->insn) + is_semaphore(&a->insn);

	warn_if(s, n > 1, QPU_LINT_PERIPHERAL_TWICE, n);
	warn_if(s, acquires && !(s->h->flags & MAY_NOT_HOLD), QPU_LINT_MUTEX_TWICE,
		QPU_R_MUTEX);
	warn_if(s, releases && !acquires && !(s->h->flags & MAY_HOLD),
		QPU_LINT_MUTEX_NOT_HELD, QPU_W_MUTEX);
}

/* Peripherals other than the tile buffer, which discards pixels by conditions. */
static bool is_partial(u8 waddr, u8 cond)
{
	return waddr > QPU_W_NOP && cond > QPU_COND_ALWAYS && !(BIT_ULL(waddr) & W_TLB);
}

static void rule_partial(const struct spot *s)
{
	const struct qpu_insn *x = &s->a->insn;
	bool add = is_partial(x->waddr_add, x->cond_add);
	bool mul = is_partial(x->waddr_mul, x->cond_mul);
	bool whole = x->waddr_add == x->waddr_mul && exclusive(x);

	if (x->sig == QPU_SIG_BRANCH)
		return;
	if ((add || mul) && !whole)
		warn(s, QPU_LINT_COND_PERIPHERAL, add ? x->waddr_add : x->waddr_mul);
	warn_if(s, x->pm && (x->pack & 7) >= 4 && x->waddr_mul > QPU_W_NOP &&
		x->cond_mul != QPU_COND_NEVER, QPU_LINT_PACK_PERIPHERAL, x->waddr_mul);
}

static void look_at(struct linter *l, u32 pc)
{
	struct act a;
	struct spot s = { .l = l, .a = &a, .h = &l->past[pc], .pc = pc,
			  .state = l->p->state[pc] };
	s64 target;
	u8 lo, hi;
	bool next;

	act_init(&a, qpu_word(l->p, pc));
	if (qpu_check(&a.insn, &lo, &hi))
		return;
	rule_registers(&s);
	rule_dest(&s);
	rule_sfu(&s);
	rule_tmu(&s);
	rule_fifos(&s);
	rule_rotate(&s);
	rule_branch(&s);
	rule_end(&s);
	rule_fragment(&s);
	rule_peripherals(&s);
	rule_partial(&s);
	next = ways(l->p, pc, a.insn.sig == QPU_SIG_BRANCH, &target);
	warn_if(&s, next && pc + 1 == l->p->ninsns, QPU_LINT_RUNS_OFF, l->p->ninsns);
}

/* Does a branch that can be reached lead to an unknown place? */
static int find_indirect(struct qpu_program *p, bool *found)
{
	struct qpu_insn insn;
	int ret = qpu_walk(p, false);
	s64 byte;
	u32 pc;

	*found = false;
	for (pc = 0; pc < p->ninsns && !ret; pc++) {
		if (!p->state[pc])
			continue;
		qpu_decode(qpu_word(p, pc), &insn);
		if (insn.sig == QPU_SIG_BRANCH && !qpu_target(&insn, pc, &byte))
			*found = true;
	}
	qpu_program_done(p);
	return ret;
}

static int lint_walked(struct linter *l)
{
	const struct qpu_program *p = l->p;
	int ret = -ENOMEM;
	u32 pc;

	l->past = vs_zalloc_array(p->ninsns, sizeof(*l->past));
	l->queue = vs_zalloc_array(p->ninsns, sizeof(*l->queue));
	l->queued = vs_zalloc_array(p->ninsns, sizeof(*l->queued));
	if (l->past && l->queue && l->queued) {
		flow(l);
		for (pc = 0; pc < p->ninsns; pc++)
			if (l->past[pc].known && p->state[pc])
				look_at(l, pc);
		ret = 0;
	}
	vs_free(l->past);
	vs_free(l->queue);
	vs_free(l->queued);
	return ret;
}

int qpu_lint(const struct vs_src *src, struct vs_lints *found)
{
	struct qpu_program p;
	struct linter l = { .p = &p, .found = found };
	int ret;

	qpu_program_init(&p, src);
	ret = find_indirect(&p, &l.indirect);
	if (ret)
		return ret;
	/* Calls return through a register, so the instructions after them are code. */
	ret = qpu_walk(&p, l.indirect);
	if (!ret)
		ret = lint_walked(&l);
	qpu_program_done(&p);
	return ret;
}
