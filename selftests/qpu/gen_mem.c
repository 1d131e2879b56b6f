// SPDX-License-Identifier: GPL-2.0
/* Random accesses to memory, vertex pipeline memory and resources shared by the QPUs. */
#include "gen_int.h"

static uint32_t data_address(const struct gen *g)
{
	return GEN_BASE + g->j->alias + GEN_DATA;
}

/* Some requests and the same number of results, with arithmetic in between. */
void gen_tmu(struct gen *g)
{
	unsigned int unit = gen_below(g, 2), n = 1 + gen_below(g, gen_chance(g, 10) ? 8 : 4), i;

	for (i = 0; i < n; i++) {
		q_ldi(g->p, QR0, GEN_DATA_SIZE - 1);
		q_op(g->p, Q_AND, QR0, gen_register(g), QR0);
		q_ldi(g->p, QR1, data_address(g));
		if (gen_chance(g, 6))
			q_ldi(g->p, QR1, gen_random(g) | 0x30000000u);
		Q(g->p, .op = Q_ADD, .d = Q_TMU_S(unit), .a = QR0, .b = QR1,
		  .cond = Q_IF(gen_chance(g, 85) ? Q_ALWAYS : 2 + gen_below(g, 6)));
	}
	for (i = 0; i < n; i++) {
		Q(g->p, .op = Q_XOR, .d = QR2, .a = QR4, .b = QR2,
		  .sig = Q_WITH(unit ? Q_SIG_LDTMU1 : Q_SIG_LDTMU0));
		if (gen_chance(g, 60))
			gen_alu(g);
	}
}

/* Write constant @setup plus (first own row << @shift) to @to. */
static void setup_own(struct gen *g, unsigned int to, uint32_t setup, unsigned int shift)
{
	q_ldi(g->p, QR0, setup);
	q_op(g->p, Q_SHL, QR1, A_ROWS, q_int((int)shift));
	q_op(g->p, Q_ADD, to, QR0, QR1);
}

/* A generic setup word that stays in the own rows for @n vectors; *@shift: see above. */
static uint32_t generic_setup(struct gen *g, unsigned int n, unsigned int *shift)
{
	unsigned int size = gen_below(g, 3), parts = 2 - size, laned = gen_below(g, 2);
	bool horizontal = g->rows < 16 || gen_chance(g, 50);
	unsigned int range = (horizontal ? g->rows : g->rows < 64 ? 16 : 64) << parts;
	unsigned int stride, addr;

	do {
		stride = 1 + gen_below(g, gen_chance(g, 20) ? 64 : 4);
		addr = gen_below(g, g->rows == 64 ? 256 : range);
	} while (g->rows < 64 && addr + stride * (n - 1) >= range);
	*shift = parts;
	return q_vpm_setup(n, stride, horizontal, laned, size, addr);
}

void gen_vpm_write(struct gen *g)
{
	unsigned int n = 1 + gen_below(g, 4), shift, i;
	uint32_t setup = generic_setup(g, n, &shift);

	setup_own(g, Q_WR_SETUP, setup & ~(15u << 20), shift);
	for (i = 0; i < n; i++) {
		/* A NOP advances the address as well. */
		if (gen_chance(g, 8)) {
			q_word(g->p, (gen_chance(g, 50) ? 0x10020c27009e7000ull :
							  0x100069f0009e7000ull) |
				     (gen_chance(g, 50) ? 0x159e0000ull : 0));
			continue;
		}
		Q(g->p, .op = Q_OR, .d = gen_chance(g, 50) ? Q_A(48) : Q_B(48),
		  .a = gen_register(g), .b = QR3,
		  .cond = Q_IF(gen_chance(g, 70) ? Q_ALWAYS : 2 + gen_below(g, 6)));
		if (gen_chance(g, 30))
			gen_alu(g);
	}
}

static void read_vectors(struct gen *g, unsigned int n)
{
	unsigned int d;

	while (n--) {
		d = gen_register(g);
		Q(g->p, .op = Q_ADD, .d = d, .a = gen_chance(g, 50) ? Q_VPM : Q_VPM_B,
		  .b = gen_chance(g, 50) ? QR3 : QR2);
		if (gen_chance(g, 30))
			gen_alu(g);
	}
}

void gen_vpm_read(struct gen *g)
{
	unsigned int n = 1 + gen_below(g, gen_chance(g, 10) ? 16 : 4), m = 0, shift;
	uint32_t setup;

	if (g->rows < 16 && n > 4)
		n = 4;
	setup = generic_setup(g, n, &shift);
	setup_own(g, Q_RD_SETUP, setup, shift);
	/* A second setup may wait. */
	if (n == 1 && gen_chance(g, 30)) {
		m = 1 + gen_below(g, 3);
		setup = generic_setup(g, m, &shift);
		setup_own(g, Q_RD_SETUP, setup, shift);
	}
	read_vectors(g, n + m);
}

/* Mode field of a transfer and the bytes of its elements. */
static unsigned int dma_mode(struct gen *g, unsigned int *bytes, unsigned int *first)
{
	unsigned int mode = gen_chance(g, 50) ? 0 : 2 + gen_below(g, 6);

	*bytes = mode >= 4 ? 1 : mode >= 2 ? 2 : 4;
	*first = mode >= 4 ? mode & 3 : mode >= 2 ? (mode & 1) * 2 : 0;
	return mode;
}

struct shape {
	unsigned int mode, bytes, first, len, rows, step, y, x;
	bool vertical;
	uint32_t pitch;
};

/* Does a transfer stay inside the own rows? @step: from row to row, in bytes. */
static bool stays_inside(const struct gen *g, const struct shape *s, unsigned int step)
{
	unsigned int line = s->vertical ? 4 : 64;
	unsigned int end = s->y * line + (s->vertical ? 0 : s->x * 4) + s->first +
			   (s->rows - 1) * step + s->len * s->bytes;

	return g->rows == 64 || end <= g->rows * line;
}

static void load_shape(struct gen *g, struct shape *s)
{
	do {
		s->mode = dma_mode(g, &s->bytes, &s->first);
		s->len = 1 + gen_below(g, 16);
		s->rows = 1 + gen_below(g, gen_chance(g, 40) ? 16 : 4);
		s->step = 1 + gen_below(g, gen_chance(g, 30) ? 16 : 4);
		s->y = gen_below(g, g->rows == 64 ? 128 : g->rows);
		s->x = gen_chance(g, 50) ? 0 : gen_below(g, 16);
		s->vertical = gen_chance(g, 40);
		s->pitch = gen_chance(g, 50) ? 8u << (1 + gen_below(g, 5)) : gen_below(g, 200);
	} while (!stays_inside(g, s, s->step * s->bytes * (s->vertical ? 1 : 16)));
}

/* log2 of a pitch that the pitch code can encode, else 0. */
static unsigned int pitch_code(uint32_t pitch)
{
	unsigned int code;

	for (code = 1; code < 16; code++) {
		if (pitch == 8u << code)
			return code;
	}
	return 0;
}

void gen_dma_load(struct gen *g)
{
	unsigned int code, span;
	struct shape s;

	load_shape(g, &s);
	code = gen_chance(g, 50) ? pitch_code(s.pitch) : 0;
	if (!code)
		q_ldi(g->p, Q_RD_SETUP, q_dma_pitch(s.pitch));
	setup_own(g, Q_RD_SETUP,
		  q_dma_load(s.mode, code, s.len, s.rows, s.step, s.vertical, s.y, s.x), 4);
	span = (s.rows - 1) * s.pitch + s.len * s.bytes;
	if (gen_chance(g, 60)) {
		q_ldi(g->p, Q_LD_ADDR,
		      data_address(g) + gen_below(g, (GEN_DATA_SIZE - span) / 4) * 4);
	} else {
		q_ldi(g->p, QR0, GEN_AREA_ROOM + gen_below(g, GEN_ROOM - span));
		q_op(g->p, Q_ADD, Q_LD_ADDR, B_AREA, QR0);
	}
	q_mov(g->p, Q_NOWHERE, Q_LD_WAIT);
}

/* A column stays in its block of 16 rows; columns from number 16 on are in the next block. */
static bool store_stays_inside(const struct gen *g, const struct shape *s)
{
	if (s->vertical)
		return g->rows == 64 || (g->rows == 16 && s->x + s->rows <= 16);
	return stays_inside(g, s, 64);
}

static void store_shape(struct gen *g, struct shape *s)
{
	do {
		s->mode = dma_mode(g, &s->bytes, &s->first);
		s->len = 1 + gen_below(g, gen_chance(g, 15) ? 128 : 16);
		s->rows = 1 + gen_below(g, gen_chance(g, 15) ? 128 : 8);
		s->y = gen_below(g, g->rows == 64 ? 128 : g->rows);
		s->x = gen_chance(g, 50) ? 0 : gen_below(g, 16);
		s->vertical = gen_chance(g, 40);
		s->pitch = gen_chance(g, 50) ? 0 : gen_below(g, 100);
	} while (!store_stays_inside(g, s) ||
		 s->rows * (s->len * s->bytes + s->pitch) > GEN_ROOM);
}

void gen_dma_store(struct gen *g)
{
	struct shape s;

	store_shape(g, &s);
	q_ldi(g->p, Q_WR_SETUP, q_dma_stride(s.pitch));
	setup_own(g, Q_WR_SETUP, q_dma_store(s.mode, s.rows, s.len, !s.vertical, s.y, s.x), 7);
	q_ldi(g->p, QR0, GEN_AREA_ROOM +
	      gen_below(g, GEN_ROOM + 1 - s.rows * (s.len * s.bytes + s.pitch)));
	q_op(g->p, Q_ADD, Q_ST_ADDR, B_AREA, QR0);
	q_mov(g->p, Q_NOWHERE, Q_ST_WAIT);
}

/* Only values whose results are exact; intermediate values of r4 are visible. */
void gen_sfu(struct gen *g)
{
	unsigned int fn = gen_below(g, 4), i;

	/* 0..3, then powers of four, which every function can do */
	q_word(g->p, q_ldi_word(3, QR0, gen_random(g)));
	q_op(g->p, Q_ADD, QR0, QR0, QR0);
	q_op(g->p, Q_ITOF, QR0, QR0, QR0);
	q_mov(g->p, Q_SFU(2), QR0);
	q_nop(g->p);
	q_nop(g->p);
	if (fn == 2)
		q_mov(g->p, Q_SFU(2), QR0);
	else
		q_mov(g->p, Q_SFU(fn), QR4);
	for (i = gen_below(g, 5); i; i--)
		gen_alu(g);
}

/* All threads arrive here before any continues. */
void gen_barrier(struct gen *g)
{
	unsigned int n = g->j->nthreads, sem = gen_below(g, 16), i;
	unsigned int others = q_label(g->p), end = q_label(g->p);

	Q(g->p, .op = Q_OR, .d = Q_NOWHERE, .a = Q_QPU, .b = Q_QPU, .sf = 1);
	q_branch(g->p, Q_ALLNZ, others);
	for (i = 1; i < n; i++)
		q_acquire(g->p, sem);
	for (i = 1; i < n; i++)
		q_release(g->p, (sem + 1) & 15);
	q_branch(g->p, Q_BR_ALWAYS, end);
	q_place(g->p, others);
	q_release(g->p, sem);
	q_acquire(g->p, (sem + 1) & 15);
	q_place(g->p, end);
}

/* Read the next QPU's rows and memory. */
void gen_exchange(struct gen *g)
{
	unsigned int n = g->j->nthreads;

	gen_barrier(g);
	q_mov(g->p, QR0, Q_QPU);
	q_op(g->p, Q_ADD, QR0, QR0, q_int(1));
	Q(g->p, .op = Q_SUB, .d = QR1, .a = QR0, .b = q_int((int)n), .sf = 1);
	Q(g->p, .op = Q_OR, .d = QR0, .a = q_int(0), .b = q_int(0), .cond = Q_IF(Q_ZS));
	q_ldi(g->p, QR1, g->rows);
	q_mul(g->p, Q_MUL24, QR1, QR0, QR1);
	q_ldi(g->p, QR2, q_vpm_h32(2, 1, gen_below(g, g->rows - 1)));
	q_op(g->p, Q_ADD, Q_RD_SETUP, QR1, QR2);
	q_mov(g->p, gen_register(g), Q_VPM);
	q_mov(g->p, QR3, Q_VPM);
	q_ldi(g->p, QR1, GEN_AREA);
	q_mul(g->p, Q_MUL24, QR0, QR0, QR1);
	q_ldi(g->p, QR1, GEN_BASE + g->j->alias + GEN_AREAS + GEN_AREA_ROOM +
	      4 * gen_below(g, GEN_ROOM / 4 - 64));
	q_op(g->p, Q_ADD, QR0, QR0, QR1);
	q_op(g->p, Q_SHL, QR1, Q_ELEM, q_int(2));
	q_op(g->p, Q_ADD, Q_TMU_S(0), QR0, QR1);
	Q(g->p, .sig = Q_WITH(Q_SIG_LDTMU0));
	q_mov(g->p, gen_register(g), QR4);
	gen_barrier(g);
}

/* Adds to shared words; values read from them are discarded, as they depend on the order. */
void gen_mutex(struct gen *g)
{
	uint32_t addr = GEN_BASE + g->j->alias + GEN_SHARED + 64 * gen_below(g, 4);

	q_mov(g->p, Q_NOWHERE, Q_MUTEX);
	setup_own(g, Q_RD_SETUP, q_dma_load(0, 1, 16, 1, 1, 0, 0, 0), 4);
	q_ldi(g->p, Q_LD_ADDR, addr);
	q_mov(g->p, Q_NOWHERE, Q_LD_WAIT);
	setup_own(g, Q_RD_SETUP, q_vpm_h32(1, 1, 0), 0);
	q_mov(g->p, Q_WR_SETUP, B_WRITE);
	q_mov(g->p, QR0, Q_VPM);
	q_op(g->p, Q_ADD, Q_A(48), QR0, Q_A(gen_below(g, FREE_REGS)));
	q_mov(g->p, Q_WR_SETUP, B_STORE);
	q_ldi(g->p, Q_ST_ADDR, addr);
	q_mov(g->p, Q_NOWHERE, Q_ST_WAIT);
	q_mov(g->p, Q_MUTEX_FREE, Q_ELEM);
	q_mov(g->p, Q_WR_SETUP, B_WRITE);
	q_op(g->p, Q_AND, Q_A(48), Q_ELEM, B_64);
	q_mov(g->p, QR0, Q_ELEM);
	q_mov(g->p, QR1, Q_ELEM);
}

/* Emit a random fault or hang. */
void gen_fault(struct gen *g)
{
	switch (gen_below(g, 13)) {
	case 0:	/* load form that does not exist */
		q_word(g->p, q_ldi_word(2, QR0, 0));
		break;
	case 1:	/* branch condition that does not exist */
		q_word(g->p, q_branch_word(13, 1, ~0u, Q_NOWHERE, 0));
		break;
	case 2:
		q_word(g->p, q_branch_word(Q_BR_ALWAYS, 0, ~0u, Q_NOWHERE, 0x10000000));
		q_nop(g->p);
		q_nop(g->p);
		q_nop(g->p);
		break;
	case 3:
		q_word(g->p, q_branch_word(Q_BR_ALWAYS, 1, ~0u, Q_NOWHERE, 4));
		q_nop(g->p);
		q_nop(g->p);
		q_nop(g->p);
		break;
	case 4:	/* no result there */
		Q(g->p, .sig = Q_WITH(Q_SIG_LDTMU0));
		break;
	case 5:	/* no vector there */
		q_mov(g->p, QR0, Q_VPM);
		break;
	case 6:
		q_ldi(g->p, Q_UNIF_ADDR, 0x3ffffff0);
		q_nop(g->p);
		q_nop(g->p);
		q_mov(g->p, QR0, Q_UNIF);
		break;
	case 7:	/* the first rows of a store are still inside */
		q_ldi(g->p, Q_WR_SETUP, q_dma_stride(0));
		q_ldi(g->p, Q_WR_SETUP, q_dma_store(0, 8, 16, 1, 0, 0));
		q_ldi(g->p, Q_ST_ADDR, GEN_BASE + GEN_SIZE - 64 * gen_below(g, 4));
		break;
	case 8:
		q_ldi(g->p, Q_RD_SETUP, q_dma_load(0, 4, 16, 8, 1, 0, 0, 0));
		q_ldi(g->p, Q_LD_ADDR, GEN_BASE + GEN_SIZE - 128 * gen_below(g, 4));
		break;
	case 9:	/* width that does not exist */
		q_ldi(g->p, gen_chance(g, 50) ? Q_RD_SETUP : Q_WR_SETUP,
		      q_vpm_setup(1, 1, 1, 0, 3, 0));
		break;
	case 10: /* tile buffer outside a fragment job */
		q_mov(g->p, Q_A(41 + gen_below(g, 7)), QR0);
		break;
	case 11: /* an unused semaphore */
		q_acquire(g->p, gen_below(g, 16));
		break;
	default: /* for ever */
		q_branch(g->p, Q_BR_ALWAYS, q_here(g->p));
	}
}
