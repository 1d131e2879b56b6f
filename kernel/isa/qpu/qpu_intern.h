/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The QPU machine from inside. Control code only: no floating point.
 *
 * Peripherals execute at once, in program order: a DMA or a TMU request is complete when
 * the instruction that starts it is. Vectors are 16 words, element 0 first; masks have a
 * bit per element.
 */
#ifndef QPU_INTERN_H
#define QPU_INTERN_H

#include "qpu_machine.h"

#define QPU_VPM_ROWS	64	/* rows of 16 words */
#define QPU_TMU_DEPTH	8	/* requests that a TMU holds */

/* What became of a peripheral access. */
enum qpu_ev {
	QPU_EV_OK,
	QPU_EV_STALL,	/* not now: execute the instruction again later (q->wait set) */
	QPU_EV_FAULT,	/* qpu_fault() was called */
};

/**
 * struct qpu_vpm_gen - A generic VPM access sequence (bits of the setup word).
 * @left:	vectors still to come (reads; writes are not counted)
 * @addr:	next address as the setup's ADDR field
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

/* What a vector of 32 bits is in the pipeline memory. */
enum qpu_vpm_kind {
	QPU_VPM_OTHER,		/* not 32 bits */
	QPU_VPM_ROW,
	QPU_VPM_COLUMN,
};

/**
 * struct qpu_vpm - VPM and DMA setup of one QPU.
 * @rd:		read sequences, the oldest first
 * @nrd:	how many, 0..2
 * @wr:		write sequence
 * @ld_setup:	DMA load: last basic setup word
 * @ld_pitch:	DMA load: memory pitch, bytes
 * @st_setup:	DMA store: last basic setup word
 * @st_stride:	DMA store: stride word (bytes from the end of a row to the next; block mode)
 */
struct qpu_vpm {
	struct qpu_vpm_gen rd[2];
	u8 nrd;
	struct qpu_vpm_gen wr;
	u32 ld_setup;
	u32 ld_pitch;
	u32 st_setup;
	u32 st_stride;
};

/**
 * struct qpu_tmu - One TMU as a QPU sees it.
 * @coord:	T, R, B written since the last request
 * @have:	bit 0 T, 1 R, 2 B
 * @config:	uniforms P0..P3 consumed by these writes
 * @nconfig:	how many
 * @fifo:	results, oldest at @head
 * @head:	0..QPU_TMU_DEPTH-1, 0 when there is none
 * @count:	results waiting
 */
struct qpu_tmu {
	u32 coord[3][QPU_LANES];
	u8 have;
	u32 config[4];
	u8 nconfig;
	u32 fifo[QPU_TMU_DEPTH][QPU_LANES] __aligned(64);
	u8 head;
	u8 count;
};

/**
 * struct qpu_frag - Fragment state of one QPU.
 * @vary:	bus address of the next varying; 0: there are none
 * @stencil:	front and back configuration, write masks (7:0 front, 15:8 back)
 * @ms_mask:	samples written, bit 4 * element + sample
 * @passed:	samples that have not failed the depth and stencil test, likewise
 * @rev:	primitive faces backwards
 * @ms_load:	sample that the next colour load gives
 * @ms_store:	sample that the next write of one sample's colours goes to
 * @alpha:	alpha mask register, a word per element
 * @x:		pixel coordinates by element
 * @y:		"
 * @open:	the thread has not unlocked the scoreboard nor ended
 * @locked:	it has waited for its turn
 */
struct qpu_frag {
	u32 vary;
	u32 stencil[3];
	u64 ms_mask;
	u64 passed;
	bool rev;
	u8 ms_load;
	u8 ms_store;
	u32 alpha[QPU_LANES];
	u16 x[QPU_LANES];
	u16 y[QPU_LANES];
	bool open;
	bool locked;
};

/**
 * struct qpu_core - One QPU.
 * @num:	QPU number 0..11
 * @wait:	enum qpu_wait
 * @wait_info:	for qpu_state.info
 * @thread:	its thread's number
 * @pc:		bus address of the next instruction
 * @unif:	bus address of the next uniform
 * @insns:	instructions executed
 * @vpm:	see there
 * @tmu:	"
 * @frag:	"
 */
struct qpu_core {
	u32 num;
	u32 wait;
	u32 wait_info;
	u32 thread;
	u32 pc;
	u32 unif;
	u64 insns;
	struct qpu_vpm vpm;
	struct qpu_tmu tmu[2];
	struct qpu_frag frag;
	/* the rest belongs to qpu_machine.c */
	struct qpu_run *run;
};

/**
 * struct qpu_lookup - Where plain memory lookups of a unit went last.
 * @kva:	kernel pointer
 * @lo:		bus address, without alias bits
 * @bytes:	how many can be read, a multiple of 4; 0 if there is nothing
 */
struct qpu_lookup {
	const u8 *kva;
	u32 lo;
	u32 bytes;
};

/**
 * struct qpu_shared - What all QPUs share and peripherals need.
 * @tlb:	address space
 * @lookup:	extent that plain memory lookups of each unit used last
 * @coords:	bit 2 * QPU + unit: texture coordinates wait for S
 * @vpm:	vertex pipeline memory
 * @switches:	QPU_SW_*
 * @fragment:	fragment job
 * @tile:	tile buffer
 * @threads:	threads
 * @nthreads:	how many
 * @cnt:	counters
 * @core:	QPUs
 * @fault:	fault to be raised
 * @dbg:	debugger, or NULL
 * @who:	for it: QPU that accesses memory, NULL: not known
 */
struct qpu_shared {
	struct vs_tlb tlb;
	struct qpu_lookup lookup[2];
	u32 coords;
	u32 vpm[QPU_VPM_ROWS][QPU_LANES] __aligned(64);
	u32 switches;
	bool fragment;
	struct qpu_tile tile;
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
/* The next uniform; QPU_EV_FAULT (READ) if it is not in memory. */
enum qpu_ev qpu_unif_next(struct qpu_shared *s, struct qpu_core *q, u32 *value);

/* qpu_vpm.c: generic accesses */

void qpu_vpm_reset(struct qpu_core *q);
/* Go on behind the vector that was read. */
static inline void qpu_vpm_next(struct qpu_vpm *m)
{
	m->rd[0].addr += m->rd[0].stride;
	if (!--m->rd[0].left) {
		m->rd[0] = m->rd[1];
		m->nrd--;
	}
}

/* First word of the column that @g is at. */
static inline u32 *qpu_vpm_column(struct qpu_shared *s, const struct qpu_vpm_gen *g)
{
	return &s->vpm[g->addr & 0x30][g->addr & 0xf];
}

/* Read address 48: the next vector; none set up: HANG fault. */
enum qpu_ev qpu_vpm_read(struct qpu_shared *s, struct qpu_core *q, u32 *v);
/* Write address 48: elements of @mask. */
enum qpu_ev qpu_vpm_write(struct qpu_shared *s, struct qpu_core *q, const u32 *v, u32 mask);
/* Write address 49 of file A (reads and DMA loads) and B (writes and DMA stores). */
enum qpu_ev qpu_vpm_rd_setup(struct qpu_shared *s, struct qpu_core *q, u32 word);
enum qpu_ev qpu_vpm_wr_setup(struct qpu_shared *s, struct qpu_core *q, u32 word);

/* qpu_dma.c: write address 50 of file A and B: transfer at once */
enum qpu_ev qpu_dma_load(struct qpu_shared *s, struct qpu_core *q, u32 addr);
enum qpu_ev qpu_dma_store(struct qpu_shared *s, struct qpu_core *q, u32 addr);

/* qpu_tmu.c (requests, direct lookups), qpu_tex.c (texture lookups) */

void qpu_tmu_reset(struct qpu_shared *s, struct qpu_core *q);
/* Write addresses 56..63: @unit 0 or 1, @reg 0 S, 1 T, 2 R, 3 B; elements of @mask. */
enum qpu_ev qpu_tmu_write(struct qpu_shared *s, struct qpu_core *q, u32 unit, u32 reg,
			  const u32 *v, u32 mask);
/* The oldest result is taken. */
static inline void qpu_tmu_pop(struct qpu_tmu *t)
{
	t->count--;
	t->head = t->count ? (t->head + 1) % QPU_TMU_DEPTH : 0;
}

/* Signal ldtmu: the oldest result; none requested: HANG fault. */
enum qpu_ev qpu_tmu_load(struct qpu_shared *s, struct qpu_core *q, u32 unit, u32 *v);

/*
 * qpu_frag.c: varyings, coordinates, scoreboard; qpu_tlb.c: tile buffer. HANG fault outside
 * fragment jobs. Every access to the tile buffer waits for its turn by itself, as SBWAIT
 * does; who cannot repeat an instruction calls qpu_frag_scoreboard() before it.
 */

/* A thread starts; @w and @z: initial ra15 and rb15. */
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
