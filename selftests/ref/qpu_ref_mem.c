// SPDX-License-Identifier: GPL-2.0
/*
 * Memory side of the QPU reference model: uniforms, direct TMU lookups, vertex pipeline
 * memory and its DMA, element by element.
 */
#include <string.h>

#include "qpu_ref.h"

#define BUS_MASK	0x3fffffffu

uint8_t *qpu_ref_ptr(struct qpu_ref *r, uint32_t addr, uint32_t size)
{
	uint64_t at = addr & BUS_MASK;

	if (at < r->mem.lo || at + size > (uint64_t)r->mem.lo + r->mem.size)
		return NULL;
	return r->mem.bytes + (at - r->mem.lo);
}

bool qpu_ref_fail(struct qpu_ref *r, enum qpu_ref_status status, uint32_t addr)
{
	r->status = status;
	r->fault_addr = addr;
	return false;
}

bool qpu_ref_uniform(struct qpu_ref *r, struct qpu_ref_qpu *q, uint32_t *v)
{
	const uint8_t *p = qpu_ref_ptr(r, q->unif, 4);

	if (!p)
		return qpu_ref_fail(r, QPU_REF_READ, q->unif);
	memcpy(v, p, 4);
	q->unif += 4;
	return true;
}

bool qpu_ref_tmu_request(struct qpu_ref *r, struct qpu_ref_qpu *q, unsigned int unit,
			 const uint32_t addr[16], const bool on[16])
{
	struct qpu_ref_tmu *t = &q->tmu[unit];
	const uint8_t *p;
	unsigned int e;

	/* The queue holds eight entries: the oldest is lost. */
	if (t->n == QPU_REF_FIFO)
		memmove(t->fifo[0], t->fifo[1], sizeof(t->fifo[0]) * --t->n);
	for (e = 0; e < 16; e++) {
		p = qpu_ref_ptr(r, addr[e] & ~3u, 4);
		t->fifo[t->n][e] = 0;
		if (!on[e])
			continue;
		if (p)
			memcpy(&t->fifo[t->n][e], p, 4);
		else
			r->stray_reads++;
	}
	t->n++;
	return true;
}

bool qpu_ref_tmu_result(struct qpu_ref *r, struct qpu_ref_qpu *q, unsigned int unit,
			uint32_t v[16])
{
	struct qpu_ref_tmu *t = &q->tmu[unit];

	if (!t->n)
		return qpu_ref_fail(r, QPU_REF_HANG, 0);
	memcpy(v, t->fifo[0], sizeof(t->fifo[0]));
	t->n--;
	memmove(t->fifo[0], t->fifo[1], sizeof(t->fifo[0]) * t->n);
	return true;
}

/* A byte of the pipeline memory by row, column and byte of the word. */
static uint8_t *vpm_byte(struct qpu_ref *r, unsigned int row, unsigned int col, unsigned int b)
{
	return (uint8_t *)&r->vpm[row & 63][col & 15] + b;
}

/*
 * First byte of element @e of the vector at @addr in a generic access, by its setup word.
 * The meaning of the address bits depends on width and direction.
 */
static uint8_t *generic_byte(struct qpu_ref *r, uint32_t setup, unsigned int addr,
			     unsigned int e)
{
	unsigned int size = setup >> 8 & 3, bytes = 1u << size, parts = 4 / bytes;
	bool laned = setup >> 10 & 1, horizontal = setup >> 11 & 1;
	unsigned int part = addr % parts, vector = addr / parts % 64, word, byte;

	if (laned) {
		word = e;
		byte = part * bytes;
	} else {
		word = (part * 16 + e) / parts;
		byte = e % parts * bytes;
	}
	if (horizontal)
		return vpm_byte(r, vector, word, byte);
	return vpm_byte(r, (vector & 0x30) + word, vector & 15, byte);
}

bool qpu_ref_vpm_read(struct qpu_ref *r, struct qpu_ref_qpu *q, uint32_t v[16])
{
	struct qpu_ref_vpm_read *rd = &q->rd[0];
	unsigned int e;

	if (!q->nrd)
		return qpu_ref_fail(r, QPU_REF_HANG, 0);
	for (e = 0; e < 16; e++) {
		v[e] = 0;
		memcpy(&v[e], generic_byte(r, rd->setup, rd->addr, e),
		       1u << (rd->setup >> 8 & 3));
	}
	rd->addr += rd->setup >> 12 & 63 ? rd->setup >> 12 & 63 : 64;
	if (!--rd->left) {
		q->rd[0] = q->rd[1];
		q->nrd--;
	}
	return true;
}

void qpu_ref_vpm_write(struct qpu_ref *r, struct qpu_ref_qpu *q, const uint32_t v[16],
		       const bool on[16])
{
	unsigned int e;

	for (e = 0; e < 16; e++) {
		if (on[e])
			memcpy(generic_byte(r, q->wr_setup, q->wr_addr, e), &v[e],
			       1u << (q->wr_setup >> 8 & 3));
	}
	q->wr_addr += q->wr_setup >> 12 & 63 ? q->wr_setup >> 12 & 63 : 64;
}

static bool setup_read(struct qpu_ref *r, struct qpu_ref_qpu *q, uint32_t word)
{
	struct qpu_ref_vpm_read *rd;

	if (word >> 28 == 9) {
		q->ld_pitch = word & 0xffff;
		return true;
	}
	if (word >> 31) {
		q->ld_setup = word;
		return true;
	}
	if (word >> 30 || (word >> 8 & 3) == 3)
		return qpu_ref_fail(r, QPU_REF_HANG, 0);
	/* the chip takes another only if all but one vector have been read */
	if (q->nrd == 2 || (q->nrd == 1 && q->rd[0].left != 1))
		return true;
	rd = &q->rd[q->nrd++];
	rd->setup = word;
	rd->addr = (uint8_t)word;
	rd->left = word >> 20 & 15 ? word >> 20 & 15 : 16;
	return true;
}

static bool setup_write(struct qpu_ref *r, struct qpu_ref_qpu *q, uint32_t word)
{
	switch (word >> 30) {
	case 0:
		if ((word >> 8 & 3) == 3)
			break;
		q->wr_setup = word;
		q->wr_addr = (uint8_t)word;
		return true;
	case 2:
		if ((word & 7) == 1)
			break;
		q->st_setup = word;
		return true;
	case 3:
		q->st_stride = word & 0xffff;
		return true;
	default:
		break;
	}
	return qpu_ref_fail(r, QPU_REF_HANG, 0);
}

bool qpu_ref_setup(struct qpu_ref *r, struct qpu_ref_qpu *q, bool write, uint32_t word)
{
	return write ? setup_write(r, q, word) : setup_read(r, q, word);
}

/* Bytes of an element and the position of the first element in its word, by the mode field. */
static unsigned int mode_bytes(unsigned int mode, unsigned int *first)
{
	if (mode >= 4) {
		*first = mode & 3;
		return 1;
	}
	*first = mode & 1;
	return mode >= 2 ? 2 : 4;
}

/*
 * Element @i of a memory row that begins at word (@y, @x): rows run along a line of
 * words into the next line, columns from the last row to the first.
 */
static uint8_t *dma_byte(struct qpu_ref *r, bool vertical, unsigned int y, unsigned int x,
			 unsigned int bytes, unsigned int i)
{
	unsigned int word = i * bytes / 4, byte = i * bytes % 4;

	if (vertical)
		return vpm_byte(r, y + word, x, byte);
	return vpm_byte(r, y + (x + word) / 16, x + word, byte);
}

static bool dma_load(struct qpu_ref *r, struct qpu_ref_qpu *q, uint32_t addr)
{
	uint32_t s = q->ld_setup, pitch = s >> 24 & 15 ? 8u << (s >> 24 & 15) : q->ld_pitch;
	unsigned int len = s >> 20 & 15 ? s >> 20 & 15 : 16;
	unsigned int rows = s >> 16 & 15 ? s >> 16 & 15 : 16;
	unsigned int vpitch = s >> 12 & 15 ? s >> 12 & 15 : 16;
	unsigned int first, bytes = mode_bytes(s >> 28 & 7, &first), row, i, skip;
	bool vertical = s >> 11 & 1;
	const uint8_t *p;

	if (!s)
		return qpu_ref_fail(r, QPU_REF_HANG, 0);
	for (row = 0; row < rows; row++) {
		p = qpu_ref_ptr(r, addr, len * bytes);
		if (!p)
			return qpu_ref_fail(r, QPU_REF_READ, addr);
		/* Down the column the pitch is in elements, across it in vectors of 16. */
		skip = first + row * vpitch * (vertical ? 1 : 16);
		for (i = 0; i < len; i++)
			memcpy(dma_byte(r, vertical, s >> 4 & 127, s & 15, bytes, skip + i),
			       p + i * bytes, bytes);
		addr += pitch;
	}
	return true;
}

/*
 * A stored column stays in its block of 16 rows, and begins there again. The column after
 * number 15 is number 0 of the next block.
 */
static uint8_t *stored_byte(struct qpu_ref *r, unsigned int y, unsigned int column,
			    unsigned int bytes, unsigned int i)
{
	unsigned int block = y / 16 + column / 16, row = (y + i * bytes / 4) % 16;

	return vpm_byte(r, 16 * block + row, column, i * bytes % 4);
}

static bool dma_store(struct qpu_ref *r, struct qpu_ref_qpu *q, uint32_t addr)
{
	uint32_t s = q->st_setup;
	unsigned int rows = s >> 23 & 127 ? s >> 23 & 127 : 128;
	unsigned int len = s >> 16 & 127 ? s >> 16 & 127 : 128;
	unsigned int y = s >> 7 & 127, x = s >> 3 & 15;
	unsigned int first, bytes = mode_bytes(s & 7, &first), row, i;
	bool vertical = !(s >> 14 & 1);
	uint8_t *p;

	if (!s)
		return qpu_ref_fail(r, QPU_REF_HANG, 0);
	for (row = 0; row < rows; row++) {
		p = qpu_ref_ptr(r, addr, len * bytes);
		if (!p)
			return qpu_ref_fail(r, QPU_REF_WRITE, addr);
		for (i = 0; i < len; i++)
			memcpy(p + i * bytes,
			       vertical ? stored_byte(r, y, x + row, bytes, first + i) :
					  dma_byte(r, false, y + row, x, bytes, first + i), bytes);
		addr += len * bytes + q->st_stride;
	}
	return true;
}

bool qpu_ref_dma(struct qpu_ref *r, struct qpu_ref_qpu *q, bool store, uint32_t addr)
{
	return store ? dma_store(r, q, addr) : dma_load(r, q, addr);
}
