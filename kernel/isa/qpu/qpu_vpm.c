// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VideoCore IV vertex pipeline memory: accesses by registers 48 and 49.
 *
 * The memory is 64 rows of 16 words. A vector is 16 elements of 8, 16 or 32 bits,
 * horizontal in one row or vertical in 16 rows that start at a multiple of 16. Vectors of
 * less than 32 bits are packed (4 or 8 successive words, element 0 lowest) or laned (the
 * same byte or half of 16 successive words). ADDR counts vectors: {Y, part} horizontally,
 * {Y[5:4], X, part} vertically, part being 0, 1 or 2 bits; overflow wraps around.
 *
 * Choices where the guide is silent: elements of less than 32 bits are read zero-extended
 * and written from the low bits; the stride is added to the address as a whole. A third
 * read setup while two are unfinished is a fault, as is a reserved size. (vc4asm's author
 * found that hardware ignores a second one while more than one vector is outstanding;
 * the guide's queue of two is implemented here.)
 *
 * Words have host byte order; guest and host are little endian.
 */
#include "qpu_intern.h"

#define SIZE_8		0
#define SIZE_16		1
#define SIZE_32		2

static void decode(u32 word, struct qpu_vpm_gen *g)
{
	g->addr = word;
	g->size = word >> 8 & 3;
	g->laned = word >> 10 & 1;
	g->horiz = word >> 11 & 1;
	g->stride = word >> 12 & 0x3f;
	if (!g->stride)
		g->stride = 64;
	g->left = word >> 20 & 0xf;
	if (!g->left)
		g->left = 16;
	g->kind = g->size != SIZE_32 ? QPU_VPM_OTHER : g->horiz ? QPU_VPM_ROW : QPU_VPM_COLUMN;
}

/* Cost and frequent forms of the DMA store that @word sets up. */
static void note_store(struct qpu_vpm *m, u32 word)
{
	u32 rows = word >> 23 & 127, length = word >> 16 & 127, first = word >> 3 & 2047;
	bool horiz = word >> 14 & 1, words = !(word & 7);

	m->st_weight = 8 + (rows ? rows : 128) * (length ? length : 128) / 16;
	m->st_first = first;
	m->st_kind = QPU_VPM_OTHER;
	if (!horiz || !words)
		return;
	if (rows == 1 && length == QPU_LANES && first + QPU_LANES <= QPU_VPM_ROWS * QPU_LANES)
		m->st_kind = QPU_VPM_ROW;
	if (rows == 16 && length == 1 && first < (QPU_VPM_ROWS - 15) * QPU_LANES)
		m->st_kind = QPU_VPM_COLUMN;
}

void qpu_vpm_reset(struct qpu_core *q)
{
	memset(&q->vpm, 0, sizeof(q->vpm));
	decode(0, &q->vpm.wr);
	note_store(&q->vpm, 0);
	q->vpm.st_kind = QPU_VPM_OTHER;
}

/* Position of element 0's bits, and step to further elements. */
struct shape {
	u32 row;
	u32 col;
	u32 shift;	/* first bit in the word */
	u32 bits;	/* bits per element */
	u32 per_word;	/* successive elements per word */
	bool horiz;
};

static struct shape shape_of(const struct qpu_vpm_gen *g)
{
	u32 part_bits = SIZE_32 - g->size, part = g->addr & ((1U << part_bits) - 1);
	u32 vec = g->addr >> part_bits & 0x3f;
	struct shape sh = { .bits = 8U << g->size, .per_word = 1, .horiz = g->horiz };
	u32 first = 0;

	if (g->laned || g->size == SIZE_32) {
		sh.shift = part * sh.bits;
	} else {
		sh.per_word = 32 / sh.bits;
		first = part * (QPU_LANES / sh.per_word);
	}
	if (g->horiz) {
		sh.row = vec;
		sh.col = first;
	} else {
		sh.row = (vec & 0x30) + first;
		sh.col = vec & 0xf;
	}
	return sh;
}

/* Word of element @e; *@shift: first bit of the element in it. */
static u32 *qpu_vpm_locate(struct qpu_shared *s, u32 first, const struct shape *sh, u32 e,
			   u32 *shift)
{
	u32 step = e / sh->per_word;

	*shift = sh->shift + e % sh->per_word * sh->bits;
	return sh->horiz ? &s->vpm[first + sh->row][sh->col + step] :
			   &s->vpm[first + sh->row + step][sh->col];
}

static void read_vector(struct qpu_shared *s, const struct qpu_core *q,
			const struct qpu_vpm_gen *g, u32 *v)
{
	struct shape sh;
	u32 e, shift, mask;

	if (g->kind == QPU_VPM_ROW) {
		memcpy(v, qpu_vpm_row(s, q->in, g), sizeof(s->vpm[0]));
		return;
	}
	if (g->kind == QPU_VPM_COLUMN) {
		for (e = 0; e < QPU_LANES; e++)
			v[e] = qpu_vpm_column(s, q->in, g)[e * QPU_LANES];
		return;
	}
	sh = shape_of(g);
	mask = ~0U >> (32 - sh.bits);
	for (e = 0; e < QPU_LANES; e++) {
		v[e] = *qpu_vpm_locate(s, q->in, &sh, e, &shift);
		v[e] = v[e] >> shift & mask;
	}
}

enum qpu_ev qpu_vpm_read(struct qpu_shared *s, struct qpu_core *q, u32 *v)
{
	struct qpu_vpm *m = &q->vpm;

	if (!m->nrd)
		return qpu_fault_code(s, q, VS_FAULT_HANG, 0, QPU_HZ_VPM_EMPTY);
	read_vector(s, q, &m->rd[0], v);
	qpu_vpm_next(m);
	return QPU_EV_OK;
}

static void write_vector(struct qpu_shared *s, const struct qpu_core *q,
			 const struct qpu_vpm_gen *g, const u32 *v, u32 lanes)
{
	struct shape sh;
	u32 e, shift, mask, *w;

	if (g->kind == QPU_VPM_ROW && lanes == 0xffff) {
		memcpy(qpu_vpm_row(s, q->out, g), v, sizeof(s->vpm[0]));
		return;
	}
	if (g->kind == QPU_VPM_COLUMN) {
		for (e = 0; e < QPU_LANES; e++) {
			if (lanes >> e & 1)
				qpu_vpm_column(s, q->out, g)[e * QPU_LANES] = v[e];
		}
		return;
	}
	sh = shape_of(g);
	mask = ~0U >> (32 - sh.bits);
	for (e = 0; e < QPU_LANES; e++) {
		if (!(lanes >> e & 1))
			continue;
		w = qpu_vpm_locate(s, q->out, &sh, e, &shift);
		*w = (*w & ~(mask << shift)) | (v[e] & mask) << shift;
	}
}

/* The address advances even if no element is written. */
enum qpu_ev qpu_vpm_write(struct qpu_shared *s, struct qpu_core *q, const u32 *v, u32 mask)
{
	struct qpu_vpm_gen *g = &q->vpm.wr;

	write_vector(s, q, g, v, mask & 0xffff);
	g->addr += g->stride;
	return QPU_EV_OK;
}

static enum qpu_ev bad_setup(struct qpu_shared *s, struct qpu_core *q)
{
	return qpu_fault_code(s, q, VS_FAULT_HANG, 0, QPU_HZ_VPM_SETUP);
}

/*
 * Are more vectors left than the one that waits in the chip's queue of results? Another setup is
 * then ignored (vc4asm's addendum). So at most two are unfinished.
 */
static bool qpu_vpm_is_full(const struct qpu_vpm *m)
{
	return m->nrd > 1 || (m->nrd && m->rd[0].left > 1);
}

enum qpu_ev qpu_vpm_rd_setup(struct qpu_shared *s, struct qpu_core *q, u32 word)
{
	struct qpu_vpm *m = &q->vpm;
	struct qpu_vpm_gen g;

	if (word >> 28 == 9) {
		m->ld_pitch = word & 0xffff;
		return QPU_EV_OK;
	}
	if (word >> 31) {
		m->ld_setup = word;
		return QPU_EV_OK;
	}
	decode(word, &g);
	if (word >> 30 || g.size > SIZE_32)
		return bad_setup(s, q);
	if (!qpu_vpm_is_full(m))
		m->rd[m->nrd++] = g;
	else if (s->switches & QPU_SW_STRICT_HAZARDS)
		return qpu_fault_code(s, q, VS_FAULT_HAZARD, 0, QPU_HZ_VPM_FULL);
	return QPU_EV_OK;
}

enum qpu_ev qpu_vpm_wr_setup(struct qpu_shared *s, struct qpu_core *q, u32 word)
{
	struct qpu_vpm *m = &q->vpm;
	struct qpu_vpm_gen g;

	switch (word >> 30) {
	case 0:
		decode(word, &g);
		if (g.size > SIZE_32)
			break;
		m->wr = g;
		return QPU_EV_OK;
	case 2:
		if ((word & 7) == 1)
			break;
		if (m->st_setup != word)
			note_store(m, word);
		m->st_setup = word;
		return QPU_EV_OK;
	case 3:
		m->st_stride = word;
		return QPU_EV_OK;
	default:
		break;
	}
	return bad_setup(s, q);
}
