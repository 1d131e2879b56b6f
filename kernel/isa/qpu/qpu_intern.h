/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Internals of the QPU machine. Control code only: no floating point.
 *
 * Peripherals execute synchronously, in program order: a DMA or TMU request completes within
 * the instruction that starts it. Vectors are 16 words, element 0 first; masks have a
 * bit per element.
 */
#ifndef QPU_INTERN_H
#define QPU_INTERN_H

#include "../../raster/vr_tile.h"
#include "qpu_feed.h"

#define QPU_VPM_ROWS	64	/* rows of 16 words */
/* Vertex threads have rows of their own: attributes, then the rows that they write. */
#define QPU_VPM_ALL	(2 * QPU_NUM * QPU_VPM_ROWS)
#define QPU_TMU_DEPTH	8	/* requests queued per TMU */

/* Outcome of a peripheral access. */
enum qpu_ev {
	QPU_EV_OK,
	QPU_EV_STALL,	/* not possible now: retry the instruction later (q->wait set) */
	QPU_EV_FAULT,	/* qpu_fault() was called */
};

/**
 * struct qpu_vpm_gen - generic VPM access sequence (bits of the setup word)
 * @left:	vectors left (reads; writes are not counted)
 * @addr:	next address, as in the setup's ADDR field
 * @stride:	added to it after each vector, 1..64
 * @size:	0 8 bit, 1 16 bit, 2 32 bit
 * @laned:	laned, else packed
 * @horiz:	horizontal, else vertical
 * @kind:	enum qpu_vpm_kind
 */
struct qpu_vpm_gen {
	u8 left;
	u8 addr;
	u8 stride;
	u8 size;
	u8 laned;
	u8 horiz;
	u8 kind;
};

/* Layout of 32-bit vectors in the pipeline memory. */
enum qpu_vpm_kind {
	QPU_VPM_OTHER,		/* not 32 bits, or a DMA store of another size */
	QPU_VPM_ROW,
	QPU_VPM_COLUMN,
};

/**
 * struct qpu_vpm - VPM and DMA setup of one QPU
 * @rd:		read sequences, oldest first
 * @nrd:	number of @rd, 0..2
 * @wr:		write sequence
 * @ld_setup:	DMA load: last basic setup word
 * @ld_pitch:	DMA load: memory pitch, bytes
 * @st_setup:	DMA store: last basic setup word
 * @st_stride:	DMA store: stride word (bytes from the end of a row to the next; block mode)
 * @st_kind:	DMA store: 16 whole words of a row or column; OTHER: another one, or no setup
 * @st_first:	DMA store: first of these words, counted from the memory's first row
 * @st_weight:	DMA store: its cost, in units of qpu_charge()
 */
struct qpu_vpm {
	struct qpu_vpm_gen rd[2];
	u8 nrd;
	struct qpu_vpm_gen wr;
	u32 ld_setup;
	u32 ld_pitch;
	u32 st_setup;
	u32 st_stride;
	u8 st_kind;
	u16 st_first;
	u16 st_weight;
};

/**
 * struct qpu_tmu - state of one TMU for one QPU
 * @coord:	T, R, B written since the last request
 * @have:	bit 0 T, 1 R, 2 B
 * @config:	uniforms P0..P3 consumed by these writes
 * @nconfig:	number of @config
 * @used:	the members above may not be zeros
 * @fifo:	results, oldest at @head
 * @head:	0..QPU_TMU_DEPTH-1, 0 if empty
 * @count:	number of queued results
 */
struct qpu_tmu {
	u32 coord[3][QPU_LANES];
	u8 have;
	u32 config[4];
	u8 nconfig;
	bool used;
	u32 fifo[QPU_TMU_DEPTH][QPU_LANES] __aligned(64);
	u8 head;
	u8 count;
};

/**
 * struct qpu_frag - fragment state of one QPU
 * @vary:	bus address of the next varying; 0: none
 * @rows:	threads of draws: partial value and C of the next varying, or NULL
 * @nrows:	number of varyings left
 * @quad:	threads of draws: column and row of each quad, ~0 without coverage
 * @stencil:	front and back configuration, write masks (7:0 front, 15:8 back)
 * @ms_mask:	samples to write, bit 4 * element + sample
 * @passed:	samples that have not failed the depth and stencil test, likewise
 * @rev:	back-facing primitive, bit per element
 * @ms_load:	sample of the next colour load
 * @ms_store:	sample of the next single-sample colour write
 * @alpha:	alpha mask register, a word per element
 * @x:		pixel coordinates by element
 * @y:		"
 * @open:	the thread has neither unlocked the scoreboard nor ended
 * @locked:	the scoreboard has admitted the thread
 * @tested:	bit per quad: samples have been tested, and of these some have
 * @stencil_ok:	passed the stencil test
 * @zs_ok:	passed depth and stencil test
 * @colored:	bit per quad: colours have been written
 */
struct qpu_frag {
	u32 vary;
	const u32 (*rows)[QPU_LANES];
	u32 nrows;
	u32 quad[QPU_LANES / 4];
	u32 stencil[3];
	u64 ms_mask;
	u64 passed;
	u16 rev;
	u8 ms_load;
	u8 ms_store;
	u32 alpha[QPU_LANES];
	u16 x[QPU_LANES];
	u16 y[QPU_LANES];
	bool open;
	bool locked;
	u8 tested;
	u8 stencil_ok;
	u8 zs_ok;
	u8 colored;
};

/**
 * struct qpu_core - one QPU
 * @num:	QPU number 0..11
 * @wait:	enum qpu_wait
 * @wait_info:	for qpu_state.info
 * @thread:	index of its thread
 * @pc:		bus address of the next instruction
 * @unif:	bus address of the next uniform
 * @unif_end:	strict mode: end of the uniforms that the thread was given; 0: unknown
 * @insns:	instructions executed
 * @in:	first row of pipeline memory that it reads
 * @out:	first row that it writes; @in but for vertex programs of draws
 * @nrows:	rows from @in on that may not be zeros
 * @vpm:	VPM and DMA state
 * @tmu:	TMU state
 * @frag:	fragment state
 * @pad:	so that the size is not 2048 bytes: QPUs would share sets of the first-level cache
 */
struct qpu_core {
	u32 num;
	u32 wait;
	u32 wait_info;
	u32 thread;
	u32 pc;
	u32 unif;
	u32 unif_end;
	u64 insns;
	u32 in;
	u32 out;
	u32 nrows;
	struct qpu_vpm vpm;
	struct qpu_tmu tmu[2];
	struct qpu_frag frag;
	u8 pad[64];
};

/**
 * struct qpu_lookup - cached extent of a unit's plain memory lookups
 * @kva:	kernel pointer
 * @lo:		bus address, without alias bits
 * @bytes:	readable bytes, a multiple of 4; 0 if the cache is empty
 */
struct qpu_lookup {
	const u8 *kva;
	u32 lo;
	u32 bytes;
};

/* Lines of the TMUs' cache, as strict mode models it: 4 KiB, one line for an address. */
#define QPU_LINE_SHIFT	6
#define QPU_NUM_LINES	64

/**
 * struct qpu_lines - memory that the TMUs have read in this job, only in strict mode
 * @line:	number of the cached line + 1, 0: none
 * @stale:	bit per line: a DMA store has changed the memory since
 */
struct qpu_lines {
	u32 line[QPU_NUM_LINES];
	u64 stale;
};

/**
 * struct qpu_shared - state shared by all QPUs and their peripherals
 * @tlb:	address space
 * @lookup:	cached extent of plain memory lookups, by unit
 * @stores:	cached extent of DMA stores; empty in strict mode and with a debugger
 * @lines:	lines in the cache of the lookup units
 * @coords:	bit 2 * QPU + unit: texture coordinates are pending, S is not written yet
 * @vpm:	vertex pipeline memory; but for threads of draws its first QPU_VPM_ROWS rows
 * @switches:	QPU_SW_*
 * @fragment:	fragment job
 * @tile:	tile buffer of a shader job; depth test
 * @buffer:	tile buffer of a draw, or NULL
 * @feed:	threads of a draw, or NULL
 * @feed_arg:	its argument
 * @threads:	threads
 * @nthreads:	number of @threads
 * @cnt:	counters
 * @core:	QPUs
 * @fault:	fault to raise
 * @dbg:	debugger, or NULL
 * @who:	for @dbg: QPU that accesses memory, NULL: unknown
 */
struct qpu_shared {
	struct vs_tlb tlb;
	struct qpu_lookup lookup[2];
	struct qpu_lookup stores;
	struct qpu_lines lines;
	u32 coords;
	u32 vpm[QPU_VPM_ALL][QPU_LANES] __aligned(64);
	u32 switches;
	bool fragment;
	struct qpu_tile tile;
	struct vr_tile *buffer;
	const struct qpu_feed *feed;
	void *feed_arg;
	struct qpu_thread *threads;
	u32 nthreads;
	struct qpu_counters cnt;
	struct qpu_core core[QPU_NUM];
	struct vs_fault fault;
	struct vs_debug *dbg;
	const struct qpu_core *who;
};

/* qpu_mem.c */

/*
 * Kernel pointer for [@addr, @addr + @size) of guest memory (alias bits ignored), or NULL
 * if it is not inside one extent with all of @need (VS_EXT_*), or not below 2^30. The offset is
 * clamped against speculation. Guest memory is shared with userspace: read every word once
 * (READ_ONCE), it may change at any time. Accesses need not be aligned on the host side.
 */
void *qpu_mem(struct qpu_shared *s, u32 addr, u32 size, u32 need);
/* Record a fault of @q: an access, or one with a reason. Return: QPU_EV_FAULT. */
enum qpu_ev qpu_fault(struct qpu_shared *s, struct qpu_core *q, enum vs_fault_kind kind,
		      u32 addr, u32 size);
enum qpu_ev qpu_fault_code(struct qpu_shared *s, struct qpu_core *q, enum vs_fault_kind kind,
			   u32 addr, u32 code);
/* Is the next uniform past the end of the list? Only in strict mode. */
static inline bool qpu_unif_ended(const struct qpu_core *q)
{
	return q->unif_end && q->unif == q->unif_end;
}

/* Read the next uniform; QPU_EV_FAULT (READ) if it is not mapped. */
enum qpu_ev qpu_unif_next(struct qpu_shared *s, struct qpu_core *q, u32 *value);

/* qpu_tmu.c: strict mode: a DMA store changes [@addr, @addr + @size). */
void qpu_tmu_stored(struct qpu_shared *s, u32 addr, u32 size);

/* qpu_vpm.c: generic accesses */

void qpu_vpm_reset(struct qpu_core *q);
/* Advance to the vector after the current one. */
static inline void qpu_vpm_next(struct qpu_vpm *m)
{
	m->rd[0].addr += m->rd[0].stride;
	if (!--m->rd[0].left) {
		m->rd[0] = m->rd[1];
		m->nrd--;
	}
}

/* @first: &qpu_core.in or &qpu_core.out */
static inline u32 *qpu_vpm_row(struct qpu_shared *s, u32 first, const struct qpu_vpm_gen *g)
{
	return s->vpm[first + g->addr % QPU_VPM_ROWS];
}

/* First word of the column at @g's address. */
static inline u32 *qpu_vpm_column(struct qpu_shared *s, u32 first, const struct qpu_vpm_gen *g)
{
	return &s->vpm[first + (g->addr & 0x30)][g->addr & 0xf];
}

/* Read address 48: the next vector; HANG fault if no read is set up. */
enum qpu_ev qpu_vpm_read(struct qpu_shared *s, struct qpu_core *q, u32 *v);
/* Write address 48: elements of @mask. */
enum qpu_ev qpu_vpm_write(struct qpu_shared *s, struct qpu_core *q, const u32 *v, u32 mask);
/* Write address 49 of file A (reads and DMA loads) and B (writes and DMA stores). */
enum qpu_ev qpu_vpm_rd_setup(struct qpu_shared *s, struct qpu_core *q, u32 word);
enum qpu_ev qpu_vpm_wr_setup(struct qpu_shared *s, struct qpu_core *q, u32 word);

/* qpu_mem.c: cache an extent for accesses to whole words below address 2^30 */
void qpu_note_lookup(struct qpu_lookup *l, const struct vs_extent *x);
/*
 * Kernel pointer to 16 words at @addr, or NULL if they are not all in the cached extent. It also
 * depends on that by data (Spectre v1).
 */
static __always_inline u8 *qpu_lookup_row(const struct qpu_lookup *l, u32 addr)
{
	return vs_bounded_ptr((u8 *)l->kva, l->bytes, (addr & QPU_ADDR_MASK) - (u64)l->lo,
			      4 * QPU_LANES);
}

/* qpu_dma.c: write address 50 of file A and B: transfer at once */
enum qpu_ev qpu_dma_load(struct qpu_shared *s, struct qpu_core *q, u32 addr);
enum qpu_ev qpu_dma_store(struct qpu_shared *s, struct qpu_core *q, u32 addr);

/* qpu_tmu.c (requests, direct lookups), qpu_tex.c (texture lookups) */

void qpu_tmu_reset(struct qpu_shared *s, struct qpu_core *q);
/* Write addresses 56..63: @unit 0 or 1, @reg 0 S, 1 T, 2 R, 3 B; elements of @mask. */
enum qpu_ev qpu_tmu_write(struct qpu_shared *s, struct qpu_core *q, u32 unit, u32 reg,
			  const u32 *v, u32 mask);
/* Remove the oldest result. */
static inline void qpu_tmu_pop(struct qpu_tmu *t)
{
	t->count--;
	t->head = t->count ? (t->head + 1) % QPU_TMU_DEPTH : 0;
}

/* Signal ldtmu: the oldest result; HANG fault if none was requested. */
enum qpu_ev qpu_tmu_load(struct qpu_shared *s, struct qpu_core *q, u32 unit, u32 *v);

/*
 * qpu_frag.c: varyings, coordinates, scoreboard; qpu_tlb.c: tile buffer. HANG fault outside
 * of fragment jobs. Every access to the tile buffer waits for the scoreboard, as SBWAIT does;
 * callers that cannot repeat an instruction call qpu_frag_scoreboard() first.
 */

/* Start a thread; @w and @z: initial ra15 and rb15. */
enum qpu_ev qpu_frag_start(struct qpu_shared *s, struct qpu_core *q, u32 *w, u32 *z);
/* Read address 35: partial value to @v, C to all elements of @c (for r5). */
enum qpu_ev qpu_frag_vary(struct qpu_shared *s, struct qpu_core *q, u32 *v, u32 *c);
/* Read addresses 41 and 42 (@file 0 A, 1 B). */
enum qpu_ev qpu_frag_read(struct qpu_shared *s, struct qpu_core *q, u32 raddr, u32 file,
			  u32 *v);
/* Write addresses 41 to 47. */
enum qpu_ev qpu_frag_write(struct qpu_shared *s, struct qpu_core *q, u32 waddr, u32 file,
			   const u32 *v, u32 mask);
/* Signals LOADC, LOADCV, LOADAM, LDCEND: value for r4. */
enum qpu_ev qpu_frag_load(struct qpu_shared *s, struct qpu_core *q, enum qpu_sig sig, u32 *v);
/* Signals SBWAIT and SBDONE; also called at the end of the thread with SBDONE. */
enum qpu_ev qpu_frag_scoreboard(struct qpu_shared *s, struct qpu_core *q, enum qpu_sig sig);

#endif /* QPU_INTERN_H */
