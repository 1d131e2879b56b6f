// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VideoCore IV DMA between memory and the vertex pipeline memory.
 *
 * A transfer is a number of rows in memory, each of successive elements. In the pipeline
 * memory a row starts at word (Y, X) plus the byte or half-word of the mode and continues
 * byte by byte: horizontally into the next row of words after column 15, vertically
 * down column X; row 63 is followed by row 0. Columns of stores begin again after row 15 of
 * their block of 16 rows, as measured (vc4asm, issue 27): a vertical address has {Y[5:4], X}.
 *
 * From one row of a load to the next, the pitch is added to {Y, sub-vector}: 64, 32 or 16
 * bytes for elements of 32, 16 and 8 bits, so that packed rows can follow each other in
 * one row of words (VC4C's code relies on this). Vertically the pitch counts elements
 * down the same column (py-videocore, QPULib). From one row of a store to the next it is
 * always one row of words, or one column: column 15 is followed by column 0 of the next block
 * (the same measurement).
 *
 * Choices where the guide is silent or wrong: pitch register and store stride are 16 bits
 * (shipping programs need 14, vc4asm's addendum says 16 for the stride); block mode and
 * the "laned" bit 15 of stores have no effect; memory addresses need no alignment; rows
 * before a faulting one are transferred.
 */
#include "qpu_intern.h"

#define VPM_BYTES	(QPU_VPM_ROWS * QPU_LANES * 4)
#define ROW_BYTES	(QPU_LANES * 4)

/* A row in the pipeline memory. */
struct span {
	u32 pos;	/* horizontal: byte in the memory; vertical: byte in the column */
	u32 col;
	u32 top;	/* vertical: first row of the column */
	u32 rows;	/* vertical: rows after which it begins again, a power of two */
	bool horiz;
};

static u32 or_if_zero(u32 value, u32 if_zero)
{
	return value ? value : if_zero;
}

/* log2 of bytes per element of mode @modew. */
static u32 mode_shift(u32 modew)
{
	return modew >= 4 ? 0 : modew >= 2 ? 1 : 2;
}

/* Byte offset in the first word, from mode @modew. */
static u32 mode_offset(u32 modew)
{
	return modew >= 4 ? modew & 3 : modew >= 2 ? (modew & 1) * 2 : 0;
}

static struct span span_at(u32 y, u32 x, u32 modew, bool horiz)
{
	struct span sp = { .horiz = horiz, .col = x, .rows = QPU_VPM_ROWS };

	sp.pos = y * (horiz ? ROW_BYTES : 4) + (horiz ? x * 4 : 0) + mode_offset(modew);
	return sp;
}

static u32 *column_word(struct qpu_shared *s, const struct span *sp, u32 n)
{
	return &s->vpm[(sp->top + (n & (sp->rows - 1))) % QPU_VPM_ROWS][sp->col];
}

/* Pointer to up to @size contiguous bytes at position @at of the span; *@len: their number. */
static u8 *piece(struct qpu_shared *s, const struct span *sp, u32 at, u32 size, u32 *len)
{
	u32 pos = sp->pos + at;

	if (sp->horiz) {
		pos %= VPM_BYTES;
		*len = min(size, VPM_BYTES - pos);
		return (u8 *)s->vpm + pos;
	}
	*len = min(size, 4 - pos % 4);
	return (u8 *)column_word(s, sp, pos / 4) + pos % 4;
}

/* Inline: rows are short, calls and string instructions take longer than the copy. */
static __always_inline void copy(u8 *to, const u8 *from, u32 size)
{
	u32 n = 0;

	for (; n + 8 <= size; n += 8)
		memcpy(to + n, from + n, 8);
	for (; n + 4 <= size; n += 4)
		memcpy(to + n, from + n, 4);
	for (; n < size; n++)
		to[n] = from[n];
}

/* Rows that are contiguous on both sides: the common horizontal case. */
struct rows {
	u8 *to;
	const u8 *from;
	u32 to_pitch;
	u32 from_pitch;
	u32 n;
};

static __always_inline void copy_each(const struct rows *r, u32 size)
{
	u8 *to = r->to;
	const u8 *from = r->from;
	u32 n;

	for (n = r->n; n; n--) {
		copy(to, from, size);
		to += r->to_pitch;
		from += r->from_pitch;
	}
}

/* Specialised for frequent sizes. */
static void qpu_dma_copy_rows(const struct rows *r, u32 size)
{
	switch (size) {
	case 4:
		copy_each(r, 4);
		break;
	case 8:
		copy_each(r, 8);
		break;
	case 64:
		copy_each(r, 64);
		break;
	default:
		copy_each(r, size);
	}
}

/* Pointer to all @rows rows, @pitch bytes apart, if they do not wrap around; else NULL. */
static u8 *straight(struct qpu_shared *s, const struct span *sp, u32 size, u32 rows, u32 pitch)
{
	u32 pos = sp->pos % VPM_BYTES;

	if (!sp->horiz || pos + (rows - 1) * pitch + size > VPM_BYTES)
		return NULL;
	return (u8 *)s->vpm + pos;
}

/* Whole words down a column: the common vertical case. */
static bool is_column(const struct span *sp, u32 size)
{
	return !sp->horiz && !(sp->pos % 4) && !(size % 4);
}

static void row_from_mem(struct qpu_shared *s, const struct span *sp, const u8 *mem, u32 size)
{
	u32 done = 0, len, n;
	u8 *p;

	if (is_column(sp, size)) {
		for (n = 0; n < size / 4; n++)
			memcpy(column_word(s, sp, sp->pos / 4 + n), mem + 4 * n, 4);
		return;
	}
	for (; done < size; done += len) {
		p = piece(s, sp, done, size - done, &len);
		copy(p, mem + done, len);
	}
}

static void row_to_mem(struct qpu_shared *s, const struct span *sp, u8 *mem, u32 size)
{
	u32 done = 0, len, n;
	const u8 *p;

	if (is_column(sp, size)) {
		for (n = 0; n < size / 4; n++)
			memcpy(mem + 4 * n, column_word(s, sp, sp->pos / 4 + n), 4);
		return;
	}
	for (; done < size; done += len) {
		p = piece(s, sp, done, size - done, &len);
		copy(mem + done, p, len);
	}
}

/* Pointer to all rows if they are in one extent, else NULL. */
static u8 *all_rows(struct qpu_shared *s, u32 addr, u32 size, u32 rows, u32 pitch, u32 need)
{
	return qpu_mem(s, addr, (rows - 1) * pitch + size, need);
}

enum qpu_ev qpu_dma_load(struct qpu_shared *s, struct qpu_core *q, u32 addr)
{
	u32 set = q->vpm.ld_setup, modew = set >> 28 & 7, shift = mode_shift(modew);
	u32 size = or_if_zero(set >> 20 & 0xf, 16) << shift;
	u32 rows = or_if_zero(set >> 16 & 0xf, 16);
	u32 vpitch = or_if_zero(set >> 12 & 0xf, 16);
	u32 code = set >> 24 & 0xf, pitch = code ? 8U << code : q->vpm.ld_pitch;
	bool horiz = !(set >> 11 & 1);
	struct span sp = span_at(set >> 4 & 0x7f, set & 0xf, modew, horiz);
	const u8 *all, *mem;
	u8 *vpm;
	u32 row;

	/* threads of draws have no part of the memory that DMA sees */
	if (!set || s->feed)
		return qpu_fault_code(s, q, VS_FAULT_HANG, 0, QPU_HZ_VPM_SETUP);
	vpitch <<= horiz ? shift + 4 : shift;
	all = all_rows(s, addr, size, rows, pitch, 0);
	vpm = all ? straight(s, &sp, size, rows, vpitch) : NULL;
	if (vpm) {
		qpu_dma_copy_rows(&(struct rows){ vpm, all, vpitch, pitch, rows }, size);
		return QPU_EV_OK;
	}
	for (row = 0; row < rows; row++) {
		mem = all ? all + row * pitch : qpu_mem(s, addr, size, 0);
		if (!mem)
			return qpu_fault(s, q, VS_FAULT_READ, addr, size);
		row_from_mem(s, &sp, mem, size);
		sp.pos += vpitch;
		addr += pitch;
	}
	return QPU_EV_OK;
}

enum qpu_ev qpu_dma_store(struct qpu_shared *s, struct qpu_core *q, u32 addr)
{
	u32 set = q->vpm.st_setup, modew = set & 7;
	u32 size = or_if_zero(set >> 16 & 0x7f, 128) << mode_shift(modew);
	u32 rows = or_if_zero(set >> 23 & 0x7f, 128);
	u32 pitch = size + (q->vpm.st_stride & 0xffff);
	struct span sp = span_at(set >> 7 & 0x7f, set >> 3 & 0xf, modew, set >> 14 & 1);
	u8 *all, *mem, *vpm;
	u32 row;

	sp.top = set >> 7 & (QPU_VPM_ROWS - QPU_LANES);
	sp.rows = QPU_LANES;

	/* threads of draws have no part of the memory that DMA sees */
	if (!set || s->feed)
		return qpu_fault_code(s, q, VS_FAULT_HANG, 0, QPU_HZ_VPM_SETUP);
	for (row = 0; row < rows && s->switches & QPU_SW_STRICT_HAZARDS; row++)
		qpu_tmu_stored(s, addr + row * pitch, size);
	all = all_rows(s, addr, size, rows, pitch, VS_EXT_WRITE);
	if (all && !s->dbg && !(s->switches & QPU_SW_STRICT_HAZARDS))
		qpu_note_lookup(&s->stores, vs_tlb_find(&s->tlb, addr & QPU_ADDR_MASK));
	vpm = all ? straight(s, &sp, size, rows, ROW_BYTES) : NULL;
	if (vpm) {
		qpu_dma_copy_rows(&(struct rows){ all, vpm, pitch, ROW_BYTES, rows }, size);
		return QPU_EV_OK;
	}
	for (row = 0; row < rows; row++) {
		mem = all ? all + row * pitch : qpu_mem(s, addr, size, VS_EXT_WRITE);
		if (!mem)
			return qpu_fault(s, q, VS_FAULT_WRITE, addr, size);
		row_to_mem(s, &sp, mem, size);
		if (sp.horiz) {
			sp.pos += ROW_BYTES;
		} else {
			sp.col = (sp.col + 1) % QPU_LANES;
			sp.top += sp.col ? 0 : QPU_LANES;
		}
		addr += pitch;
	}
	return QPU_EV_OK;
}
