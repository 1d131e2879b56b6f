// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Attribute, index and output streams. Blocks of consecutive rows in one extent use the
 * executor's row kernels; all others are processed lane by lane here.
 */
#include "vs_intern.h"

#define STREAM_OUT	16	/* number of the first output stream in fault records */
#define STREAM_INDEX	32

static const u8 comp_size[VS_NUM_FMT] = {
	[VS_FMT_F32] = 4, [VS_FMT_S8] = 1, [VS_FMT_U8] = 1, [VS_FMT_S16] = 2,
	[VS_FMT_U16] = 2, [VS_FMT_F16] = 2, [VS_FMT_F24] = 4, [VS_FMT_U32] = 4,
};

/* Record the fault of the lowest lane. */
static void stream_fault(struct vs_worker *w, enum vs_fault_kind kind, u32 lane, u32 stream,
			 u64 va, u32 size)
{
	struct vs_fault *f = &w->fault;

	if (f->kind && f->invocation <= w->inv0 + lane)
		return;
	vs_fault_memory(f, kind, va, size);
	f->stream = stream;
	f->invocation = w->inv0 + lane;
	f->draw = w->ph->draw;
	f->active = BIT_ULL(lane);
}

/* All ones if @p is not NULL; hidden from the compiler, for a data dependency of addresses. */
static u64 ptr_mask(const void *p)
{
	u64 v = (unsigned long)p;

	__asm__("" : "+r"(v));
	return -(u64)!!v;
}

static bool element_va(const struct vs_stream *s, u64 elem, u64 *va)
{
	return !check_add_overflow(s->va, elem * s->stride, va);
}

/* ---- elements ---- */

static u32 stream_load_word(const u8 *p, u32 size)
{
	switch (size) {
	case 1:
		return READ_ONCE(*p);
	case 2:
		return READ_ONCE(*(const u16 *)p);
	default:
		return READ_ONCE(*(const u32 *)p);
	}
}

static bool fetch_index(struct vs_worker *w, u32 lane, u32 vertex, u32 *index)
{
	const struct vs_launch *l = &w->ph->l;
	u64 va, size = l->index_size;
	const u8 *p;

	if (check_add_overflow(l->index_va, vertex * size, &va)) {
		stream_fault(w, VS_FAULT_READ, lane, STREAM_INDEX, ~0ULL, size);
		return false;
	}
	if (va & (size - 1)) {
		stream_fault(w, VS_FAULT_MISALIGNED, lane, STREAM_INDEX, va, size);
		return false;
	}
	p = vs_tlb_ptr(&w->tlb, va, size, 0);
	if (!p) {
		stream_fault(w, VS_FAULT_READ, lane, STREAM_INDEX, va, size);
		return false;
	}
	*index = stream_load_word(p, size);
	return true;
}

/* Element and instance numbers by lane; lanes past the last invocation copy lane 0. */
static bool find_elements(struct vs_worker *w)
{
	const struct vs_launch *l = &w->ph->l;
	u64 inst = w->inv0 / l->count, vertex = w->inv0 % l->count;
	u32 i, index;

	w->elem[0] = l->first + vertex;
	w->inst[0] = inst;
	w->linear = w->nlive == VS_LANES && !l->index_size && vertex + VS_LANES <= l->count &&
		    w->elem[0] <= ~0U - VS_LANES;
	if (w->linear)
		return true;
	for (i = 0; i < w->nlive; i++) {
		index = vertex;
		if (l->index_size && !fetch_index(w, i, vertex, &index))
			return false;
		w->elem[i] = l->first + index;
		w->inst[i] = inst;
		if (++vertex == l->count) {
			vertex = 0;
			inst++;
		}
	}
	for (; i < w->b.lanes; i++) {
		w->elem[i] = w->elem[0];
		w->inst[i] = w->inst[0];
	}
	return true;
}

/**
 * struct rows - The elements of a stream that a block accesses.
 * @lin:	consecutive elements, else w->off holds an offset for each lane
 * @stride:	bytes from lane to lane if @lin
 * @va:		lowest address
 * @span:	bytes from the lowest to the highest element
 */
struct rows {
	bool lin;
	u64 stride;
	u64 va;
	u64 span;
};

/* Return: false if addresses leave the address space: the slow path is needed. */
static bool find_rows(struct vs_worker *w, const struct vs_stream *s, struct rows *r)
{
	const u32 *e = w->elem;
	u64 lo, hi, end;
	u32 i;

	r->lin = w->linear;
	r->stride = s->stride;
	if (w->linear) {
		lo = s->divisor ? w->inst[0] / s->divisor : w->elem[0];
		if (s->divisor)
			r->stride = 0;
		r->span = r->stride * (VS_LANES - 1);
		return element_va(s, lo, &r->va) && !check_add_overflow(r->va, r->span + 16, &end);
	}
	if (s->divisor) {
		for (i = 0; i < VS_LANES; i++)
			w->off[i] = w->inst[i] / s->divisor;
	} else {
		for (i = 0; i < VS_LANES; i++)
			w->off[i] = e[i];
	}
	lo = w->off[0];
	hi = lo;
	for (i = 1; i < VS_LANES; i++) {
		lo = min(lo, w->off[i]);
		hi = max(hi, w->off[i]);
	}
	r->span = (hi - lo) * s->stride;
	for (i = 0; i < VS_LANES; i++)
		w->off[i] = (w->off[i] - lo) * s->stride;
	return element_va(s, lo, &r->va) && !check_add_overflow(r->va, r->span + 16, &end);
}

/* ---- attributes ---- */

static bool is_int_format(u32 fmt)
{
	return fmt >= VS_FMT_S8 && fmt <= VS_FMT_U16;
}

/* Decode a component: binary32 pattern, or the integer of integer formats. */
static u32 decode_comp(u32 fmt, const u8 *p)
{
	switch (fmt) {
	case VS_FMT_S8:
		return (s8)READ_ONCE(*p);
	case VS_FMT_U8:
		return READ_ONCE(*p);
	case VS_FMT_S16:
		return (s16)READ_ONCE(*(const u16 *)p);
	case VS_FMT_U16:
		return READ_ONCE(*(const u16 *)p);
	case VS_FMT_F16:
		return vs_f16_unpack(READ_ONCE(*(const u16 *)p));
	case VS_FMT_F24:
		return vs_f24_unpack(READ_ONCE(*(const u32 *)p) & 0xffffff);
	default:
		return READ_ONCE(*(const u32 *)p);
	}
}

/* Load all lanes from one extent, any format. */
static void stream_gather(struct vs_worker *w, const struct vs_stream *s, const struct rows *r,
			  const u8 *base, u64 ok)
{
	u32 *d = w->b.slot[w->ph->l.prog->in_slot + 4 * s->reg], size = comp_size[s->format];
	u64 stride = r->stride & ok;
	u32 i, c;

	for (i = 0; i < VS_LANES; i++) {
		const u8 *p = base + (r->lin ? i * stride : w->off[i] & ok);

		for (c = 0; c < s->ncomp; c++)
			d[VS_LANES * c + i] = decode_comp(s->format, p + c * size);
	}
}

static bool stream_load_lane(struct vs_worker *w, const struct vs_stream *s, u32 n, u32 lane)
{
	u32 *d = w->b.slot[w->ph->l.prog->in_slot + 4 * s->reg], size = comp_size[s->format];
	u32 c, bytes = size * s->ncomp, src = w->linear ? 0 : lane;
	u64 elem = s->divisor ? w->inst[src] / s->divisor :
		   w->linear ? w->elem[0] + lane : w->elem[lane];
	u64 va, got;
	u8 buf[16] __aligned(8);
	const u8 *p;

	if (!element_va(s, elem, &va)) {
		stream_fault(w, VS_FAULT_READ, lane, n, ~0ULL, bytes);
		return false;
	}
	if (va & (size - 1)) {
		stream_fault(w, VS_FAULT_MISALIGNED, lane, n, va, size);
		return false;
	}
	p = vs_tlb_ptr(&w->tlb, va, bytes, 0);
	if (!p) {
		got = vs_map_read(w->tlb.map, va, buf, bytes);
		if (got != bytes) {
			stream_fault(w, VS_FAULT_READ, lane, n, va + got, bytes);
			return false;
		}
		p = buf;
	}
	for (c = 0; c < s->ncomp; c++)
		d[VS_LANES * c + lane] = decode_comp(s->format, p + c * size);
	return true;
}

/* Slow path: lane by lane with all checks. Return: false after a fault. */
static bool load_carefully(struct vs_worker *w, const struct vs_stream *s, u32 n)
{
	u32 *d = w->b.slot[w->ph->l.prog->in_slot + 4 * s->reg];
	u32 i, c;

	for (i = 0; i < w->nlive; i++) {
		if (!stream_load_lane(w, s, n, i))
			return false;
	}
	for (; i < w->b.lanes; i++) {
		for (c = 0; c < s->ncomp; c++)
			d[VS_LANES * c + i] = d[VS_LANES * c];
	}
	return true;
}

/* Components that a stream lacks are those of (0, 0, 0, 1). */
static void fill_missing(struct vs_worker *w, u32 reg, u32 from)
{
	u32 slot = w->ph->l.prog->in_slot + 4 * reg, c, i, v;

	for (c = from; c < 4; c++) {
		v = c < 3 ? 0 : vs_kind_is_scaled(w->kind) ? VS_F32_ONE - VS_F24_SCALE : VS_F32_ONE;
		for (i = 0; i < w->b.lanes; i++)
			w->b.slot[slot + c][i] = v;
	}
}

static void load_attr(struct vs_worker *w, const struct vs_stream *s, u32 n)
{
	struct vs_rowio io = { .slot = w->ph->l.prog->in_slot + 4 * s->reg, .ncomp = s->ncomp };
	u32 size = comp_size[s->format];
	bool quick = !((s->va | s->stride) & (size - 1)) && w->nlive == VS_LANES;
	struct rows r;
	u64 ok;
	u32 i;

	quick = quick && find_rows(w, s, &r);
	/* Rows of binary32 are read 16 bytes at a time. */
	if (quick && s->format == VS_FMT_F32) {
		io.base = vs_tlb_ptr(&w->tlb, r.va, r.span + 16, 0);
		if (io.base) {
			ok = ptr_mask(io.base);
			io.stride = r.stride & ok;
			io.off = r.lin ? NULL : w->off;
			for (i = 0; i < VS_LANES && !r.lin; i++)
				w->off[i] &= ok;
			vs_exec_load(w->simd, w->kind, &w->b, &io);
			vs_charge(w, 2);
			return;
		}
	}
	io.base = quick ? vs_tlb_ptr(&w->tlb, r.va, r.span + size * s->ncomp, 0) : NULL;
	if (io.base)
		stream_gather(w, s, &r, io.base, ptr_mask(io.base));
	else if (!load_carefully(w, s, n))
		return;
	vs_exec_convert(w->simd, w->kind, &w->b, io.slot, s->ncomp, is_int_format(s->format));
	vs_charge(w, 16);
}

/**
 * vs_stream_load - fill the input registers of a block
 * @w: worker
 *
 * Return: false with w->fault set.
 */
bool vs_stream_load(struct vs_worker *w)
{
	const struct vs_launch *l = &w->ph->l;
	u32 i, c, k, given = 0;

	w->fault.kind = VS_FAULT_NONE;
	if (!find_elements(w))
		return false;
	for (i = 0; i < l->nattr; i++) {
		given |= 1U << l->attr[i].reg;
		load_attr(w, &l->attr[i], i);
		if (l->attr[i].ncomp < 4)
			fill_missing(w, l->attr[i].reg, l->attr[i].ncomp);
	}
	/* Registers without a stream read zero. */
	for (i = 0; i < l->prog->nin; i++) {
		for (c = 0; c < 4 && l->prog->in_used >> i & ~given >> i & 1; c++) {
			for (k = 0; k < VS_LANES; k++)
				w->b.slot[l->prog->in_slot + 4 * i + c][k] = 0;
		}
	}
	return !w->fault.kind;
}

/* ---- outputs ---- */

static bool stream_store_lane(struct vs_worker *w, const struct vs_stream *s, u32 n, u32 lane)
{
	u32 c, bytes = 4 * s->ncomp, v[4];
	u64 va, bad;
	void *p;

	for (c = 0; c < s->ncomp; c++) {
		v[c] = w->b.tmp[c][lane];
		if (s->format == VS_FMT_F24)
			v[c] = vs_f24_pack(v[c]);
	}
	if (!element_va(s, w->inv0 + lane, &va) || (w->inv0 + lane) >> 32) {
		stream_fault(w, VS_FAULT_WRITE, lane, STREAM_OUT + n, ~0ULL, bytes);
		return false;
	}
	if (va & 3) {
		stream_fault(w, VS_FAULT_MISALIGNED, lane, STREAM_OUT + n, va, 4);
		return false;
	}
	p = vs_tlb_ptr(&w->tlb, va, bytes, VS_EXT_WRITE);
	if (p) {
		memcpy(p, v, bytes);
		return true;
	}
	bad = vs_map_bad(w->tlb.map, va, bytes, VS_EXT_WRITE);
	if (bad != va + bytes) {
		stream_fault(w, VS_FAULT_WRITE, lane, STREAM_OUT + n, bad, bytes);
		return false;
	}
	vs_map_write(w->tlb.map, va, v, bytes);
	return true;
}

static void store_out(struct vs_worker *w, const struct vs_stream *s, u32 n)
{
	struct vs_rowio io = {
		.slot = w->ph->l.prog->out_slot + 4 * s->reg,
		.ncomp = s->ncomp,
		.stride = s->stride,
	};
	u64 va, end, span = (u64)s->stride * (VS_LANES - 1) + 16;
	u32 i;

	if (w->nlive == VS_LANES && s->ncomp == 4 && s->format != VS_FMT_F24 &&
	    !((s->va | s->stride) & 3) && !((w->inv0 + VS_LANES) >> 32) &&
	    element_va(s, w->inv0, &va) && !check_add_overflow(va, span, &end)) {
		io.base = vs_tlb_ptr(&w->tlb, va, span, VS_EXT_WRITE);
		if (io.base) {
			io.stride &= ptr_mask(io.base);
			vs_exec_store(w->simd, w->kind, &w->b, &io);
			vs_charge(w, 2);
			return;
		}
	}
	vs_exec_unload(w->simd, w->kind, &w->b, io.slot, s->ncomp);
	for (i = 0; i < w->nlive; i++) {
		if (!stream_store_lane(w, s, n, i))
			break;
	}
	vs_charge(w, 16);
}

/**
 * vs_stream_store - write the outputs of a block
 * @w: worker
 *
 * Return: false with w->fault set.
 */
bool vs_stream_store(struct vs_worker *w)
{
	const struct vs_launch *l = &w->ph->l;
	u32 i;

	w->fault.kind = VS_FAULT_NONE;
	for (i = 0; i < l->nout; i++)
		store_out(w, &l->out[i], i);
	return !w->fault.kind;
}
