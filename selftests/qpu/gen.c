// SPDX-License-Identifier: GPL-2.0
#include "gen_int.h"

uint32_t gen_random(struct gen *g)
{
	g->rng ^= g->rng << 13;
	g->rng ^= g->rng >> 7;
	g->rng ^= g->rng << 17;
	return (uint32_t)((g->rng * 0x2545f4914f6cdd1dull) >> 32);
}

unsigned int gen_below(struct gen *g, unsigned int n)
{
	return gen_random(g) % n;
}

bool gen_chance(struct gen *g, unsigned int percent)
{
	return gen_below(g, 100) < percent;
}

uint32_t gen_value(struct gen *g)
{
	static const uint32_t special[] = {
		0, 1, 2, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x00800000, 0x007fffff,
		0x00ffffff, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe,
		0x3f800000, 0xbf800000, 0x3f7fffff, 0x40000000, 0x3f000000, 0x7f7fffff,
		0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x4f000000, 0xcf000000,
		0x4effffff, 0x4b000000, 0x477fe000, 0x477ff000, 0x38800000, 0x387fffff,
		0x3b808081, 0x80808080, 0x7f7f7f7f, 0xff00ff00, 0x3c003c00, 0x7c007bff,
	};
	uint32_t v = gen_random(g);

	switch (gen_below(g, 6)) {
	case 0:
		return special[v % (sizeof(special) / sizeof(special[0]))];
	case 1:	/* floats of ordinary size */
		return (v & 0x80ffffff) | (120 + gen_below(g, 16)) << 23;
	case 2:
		return (uint32_t)((int32_t)v >> gen_below(g, 32));
	case 3:	/* close to a power of two */
		return (1u << (v & 31)) + gen_below(g, 5) - 2;
	case 4:	/* floats at the ends of the range */
		return (v & 0x807fffff) | (gen_chance(g, 50) ? gen_below(g, 26) :
							       230 + gen_below(g, 26)) << 23;
	default:
		return v;
	}
}

static uint32_t address(const struct gen *g, uint32_t offset)
{
	return GEN_BASE + g->j->alias + offset;
}

/* Branch word at the end of the program that names @label absolutely. */
static void patch(struct gen *g, unsigned int label, uint32_t add)
{
	if (g->npatches == MAX_PATCHES)
		q_bad("too many absolute addresses");
	g->patch[g->npatches].at = g->p->n;
	g->patch[g->npatches].label = label;
	g->patch[g->npatches++].add = add;
}

/* Base of the code as branches see it. */
static uint32_t code_base(const struct gen *g)
{
	return g->j->flags & GEN_OBJECT ? 0 : address(g, 0);
}

/* ---- control flow ---- */

static void alus(struct gen *g, unsigned int n)
{
	while (n--)
		gen_alu(g);
}

static unsigned int branch_cond(struct gen *g)
{
	unsigned int cond = gen_below(g, 13);

	return cond == 12 ? Q_BR_ALWAYS : cond;
}

/* A branch to @label in one of the ways there are, with its delay slots. */
static void jump(struct gen *g, unsigned int cond, unsigned int label)
{
	unsigned int link = gen_chance(g, 60) ? Q_NOWHERE : gen_register(g), way;
	uint32_t part = gen_random(g) & 0xffff;

	way = gen_below(g, 4);
	switch (way) {
	case 0:	/* element 15 of a register is a part of it */
		q_ldi(g->p, QR0, part);
		q_mul(g->p, Q_MUL24, A_JUMP, Q_ELEM, QR0);
		patch(g, label, code_base(g) - 15 * part);
		q_word(g->p, q_branch_word(cond, 0, 26, link, 0));
		break;
	case 1:
		patch(g, label, code_base(g));
		q_word(g->p, q_branch_word(cond, 0, ~0u, link, 0));
		break;
	default:
		q_branch_only(g->p, cond, label, link);
	}
	alus(g, 3);
}

static void block(struct gen *g, unsigned int n);

static void skip_over(struct gen *g)
{
	unsigned int label = q_label(g->p);

	/* A value that differs between elements and QPUs. */
	if (gen_chance(g, 50) && g->j->nthreads <= QPU_NUM)
		Q(g->p, .op = Q_SUB, .d = Q_NOWHERE, .a = gen_chance(g, 50) ? Q_ELEM : QR0,
		  .b = Q_QPU, .sf = 1);
	else
		Q(g->p, .op = Q_ADD, .d = Q_NOWHERE, .a = gen_register(g), .b = QR2, .sf = 1);
	jump(g, branch_cond(g), label);
	block(g, 1 + gen_below(g, 3));
	q_place(g->p, label);
}

static void loop(struct gen *g)
{
	unsigned int counter = A_LOOP(g->depth), top;

	q_ldi(g->p, counter, 1 + gen_below(g, 4));
	if (gen_chance(g, 40) && g->j->nthreads <= QPU_NUM) {
		q_op(g->p, Q_ADD, counter, counter, Q_QPU);
		q_op(g->p, Q_MIN, counter, counter, q_int(4));
	}
	g->depth++;
	top = q_here(g->p);
	block(g, 1 + gen_below(g, 3));
	g->depth--;
	Q(g->p, .op = Q_SUB, .d = counter, .a = counter, .b = q_int(1), .sf = 1);
	jump(g, gen_chance(g, 50) ? Q_ALLNZ : Q_ANYNZ, top);
}

static void call(struct gen *g)
{
	if (g->nsubs < MAX_SUBS && gen_chance(g, 60))
		g->sub[g->nsubs++] = q_label(g->p);
	if (!g->nsubs)
		return;
	q_branch_only(g->p, Q_BR_ALWAYS, g->sub[gen_below(g, g->nsubs)], A_LINK);
	alus(g, 3);
}

static void subroutines(struct gen *g)
{
	unsigned int i;

	for (i = 0; i < g->nsubs; i++) {
		q_place(g->p, g->sub[i]);
		alus(g, gen_below(g, 8));
		q_word(g->p, q_branch_word(Q_BR_ALWAYS, 0, 27, Q_NOWHERE, 0));
		alus(g, 3);
	}
}

static void flow(struct gen *g)
{
	switch (gen_below(g, 4)) {
	case 0:
		if (g->depth < MAX_DEPTH)
			loop(g);
		break;
	case 1:
		call(g);
		break;
	default:
		skip_over(g);
	}
}

static void vpm(struct gen *g)
{
	switch (gen_below(g, 4)) {
	case 0:
		gen_vpm_write(g);
		break;
	case 1:
		gen_vpm_read(g);
		break;
	case 2:
		gen_dma_load(g);
		break;
	default:
		gen_dma_store(g);
	}
}

static void item(struct gen *g)
{
	unsigned int f = g->j->flags, r = gen_below(g, 100);

	if (f & GEN_FLOW && r < 30 && g->nested < 4)
		flow(g);
	else if (f & GEN_VPM && r < 50)
		vpm(g);
	else if (f & GEN_TMU && r < 65)
		gen_tmu(g);
	else if (f & GEN_SFU && r < 85)
		gen_sfu(g);
	else if (r < 87)
		q_mov(g->p, Q_HOST_INT, gen_register(g));
	else if (f & GEN_SYNC && r < 95)
		gen_mutex(g);
	alus(g, 1 + gen_below(g, 5));
}

static void block(struct gen *g, unsigned int n)
{
	g->nested++;
	while (n-- && g->p->n < 1200 && g->npatches < MAX_PATCHES - 8)
		item(g);
	g->nested--;
}

static void body(struct gen *g)
{
	unsigned int n = 2 + gen_below(g, 10), fault = gen_below(g, n), i;

	g->j->body = g->p->n;
	for (i = 0; i < n; i++) {
		block(g, 1);
		/* All threads pass here equally often. */
		if (g->j->flags & GEN_SYNC && g->j->nthreads > 1 &&
		    g->j->nthreads <= QPU_NUM && gen_chance(g, 30))
			gen_exchange(g);
		if (g->j->flags & GEN_FAULT && i == fault)
			gen_fault(g);
	}
	g->j->body_end = g->p->n;
}

/* ---- prologue and epilogue ---- */

/* Registers with constants, own rows, and values from memory for the others. */
static void prologue(struct gen *g)
{
	unsigned int i;

	/* The bus residue is read somewhere. */
	q_op(g->p, Q_ADD, QR0, Q_NOP_A, Q_NOP_B);
	q_mov(g->p, B_AREA, Q_UNIF);
	q_ldi(g->p, QR0, g->rows);
	q_mul(g->p, Q_MUL24, A_ROWS, QR0, Q_QPU);
	q_ldi(g->p, B_64, 64);
	q_ldi(g->p, QR0, q_vpm_h32(0, 1, 0));
	q_op(g->p, Q_ADD, B_WRITE, A_ROWS, QR0);
	q_op(g->p, Q_SHL, QR1, A_ROWS, q_int(7));
	q_ldi(g->p, QR0, q_dma_store(0, 1, 16, 1, 0, 0));
	q_op(g->p, Q_ADD, B_STORE, QR0, QR1);
	q_op(g->p, Q_SHL, QR1, Q_ELEM, q_int(2));
	for (i = 0; i < 2 * FREE_REGS; i++) {
		q_ldi(g->p, QR0, address(g, GEN_DATA) + 4 * gen_below(g, GEN_DATA_SIZE / 4 - 16));
		q_op(g->p, Q_ADD, Q_TMU_S(i & 1), QR0, QR1);
		Q(g->p, .sig = Q_WITH(i & 1 ? Q_SIG_LDTMU1 : Q_SIG_LDTMU0));
		q_mov(g->p, i < FREE_REGS ? Q_A(i) : Q_B(i - FREE_REGS), QR4);
	}
	for (i = 0; i < 4; i++)
		q_mov(g->p, Q_ACC(i), Q_A(gen_below(g, FREE_REGS)));
	q_mov(g->p, gen_chance(g, 50) ? Q_R5QUAD : Q_R5ALL, Q_A(gen_below(g, FREE_REGS)));
}

static void dump(struct gen *g, unsigned int from)
{
	q_mov(g->p, Q_WR_SETUP, B_WRITE);
	q_mov(g->p, Q_A(48), from);
	q_mov(g->p, Q_WR_SETUP, B_STORE);
	q_mov(g->p, Q_ST_ADDR, A_OUT);
	q_op(g->p, Q_ADD, A_OUT, A_OUT, B_64);
}

/* The own rows; no register may change. */
static void dump_rows(struct gen *g)
{
	q_mov(g->p, A_OUT, QR0);
	q_mov(g->p, A_LINK, QR1);
	q_ldi(g->p, Q_WR_SETUP, q_dma_stride(0));
	q_op(g->p, Q_SHL, QR1, A_ROWS, q_int(7));
	q_ldi(g->p, QR0, q_dma_store(0, g->rows, 16, 1, 0, 0));
	q_op(g->p, Q_ADD, Q_WR_SETUP, QR0, QR1);
	q_ldi(g->p, QR0, GEN_AREA_VPM);
	q_op(g->p, Q_ADD, Q_ST_ADDR, B_AREA, QR0);
	q_mov(g->p, QR0, A_OUT);
	q_mov(g->p, QR1, A_LINK);
}

/* Own rows, then all registers and flags to the thread's area. */
static void epilogue(struct gen *g)
{
	static const unsigned int conds[] = { Q_ZS, Q_NS, Q_CS };
	unsigned int i;

	if (!(g->j->flags & GEN_CROWD))
		dump_rows(g);
	q_ldi(g->p, Q_WR_SETUP, q_dma_stride(0));
	q_mov(g->p, A_OUT, B_AREA);
	for (i = 0; i < 6; i++)
		dump(g, Q_ACC(i));
	for (i = 0; i < 3; i++) {
		q_ldi(g->p, QR0, 0);
		Q(g->p, .op = Q_OR, .d = QR0, .a = q_int(1), .b = q_int(1), .cond = Q_IF(conds[i]));
		dump(g, QR0);
	}
	for (i = 0; i < FREE_REGS; i++) {
		dump(g, Q_A(i));
		dump(g, Q_B(i));
	}
	dump(g, Q_UNIF);
	Q(g->p, .sig = Q_WITH(Q_SIG_END));
	alus(g, 2);
}

static unsigned int thread_count(struct gen *g)
{
	if (g->j->flags & GEN_CROWD)
		return QPU_NUM + 1 + gen_below(g, GEN_MAX_THREADS - QPU_NUM);
	if (!(g->j->flags & GEN_MANY))
		return 1;
	return gen_chance(g, 40) ? 2 + gen_below(g, 3) : 2 + gen_below(g, QPU_NUM - 1);
}

static void finish(struct gen *g)
{
	unsigned int i;

	q_finish(g->p);
	for (i = 0; i < g->npatches; i++)
		g->p->w[g->patch[i].at] |= (uint32_t)(g->patch[i].add +
						      8 * g->p->label[g->patch[i].label]);
	for (i = 0; i < g->j->nthreads; i++) {
		g->j->threads[i].pc = code_base(g);
		g->j->threads[i].uniforms = address(g, GEN_UNIFORMS + 256 * i);
	}
}

void gen_make(struct gen_job *j, uint64_t seed, unsigned int flags)
{
	static const uint32_t slices[] = { 3000, 3000, 50, 7, 300 };
	struct gen g = { .j = j, .p = &j->p, .rng = (seed + 1) * 0x9e3779b97f4a7c15ull };

	gen_random(&g);
	j->seed = seed;
	j->flags = flags;
	j->alias = gen_below(&g, 4) << 30;
	j->slice = slices[gen_below(&g, 5)];
	j->nthreads = thread_count(&g);
	g.rows = j->nthreads == 1 ? 64 : j->nthreads <= 4 ? 16 : 5;
	q_begin(&j->p);
	prologue(&g);
	body(&g);
	epilogue(&g);
	subroutines(&g);
	finish(&g);
}

void gen_memory(const struct gen_job *j, uint8_t *mem)
{
	struct gen g = { .rng = (j->seed + 1) * 0xda942042e4dd58b5ull };
	uint32_t v, at, i;

	memset(mem, 0, GEN_SIZE);
	if (!(j->flags & GEN_OBJECT))
		memcpy(mem, j->p.w, 8 * j->p.n);
	for (at = GEN_DATA; at < GEN_DATA + GEN_DATA_SIZE; at += 4) {
		v = gen_value(&g);
		memcpy(mem + at, &v, 4);
	}
	/* Values that are longer in coming must do for uniforms. */
	for (at = GEN_UNIFORMS; at < GEN_SIZE; at += 4) {
		v = at < GEN_UNIFORMS + 0x4000 ? gen_value(&g) : at * 0x9e3779b1u;
		memcpy(mem + at, &v, 4);
	}
	for (i = 0; i < j->nthreads; i++) {
		v = GEN_BASE + j->alias + GEN_AREAS + i * GEN_AREA;
		memcpy(mem + GEN_UNIFORMS + 256 * i, &v, 4);
	}
}
