// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Loads and stores. The pattern of the lanes' addresses selects the path: one address for all,
 * consecutive rows, any addresses in one extent, or lane by lane.
 */
#include "simt_intern.h"
#include "simt_exec.h"

static const u32 zero_words[16];

/* Cost of a map lookup and of a lane on the slow path, in units of weight. */
#define MISS_COST	8
#define LANE_COST	2

/* ---- translation ---- */

static const struct vs_extent *simt_mem_find_extent(struct simt_machine *m, u64 va)
{
	const struct vs_extent *e = vs_tlb_hit(&m->tlb, va);

	if (e)
		return e;
	m->left -= MISS_COST;
	return vs_tlb_find(&m->tlb, va);
}

/**
 * simt_ptr - host pointer to a guest range in one extent
 * @m: machine
 * @va: address
 * @size: bytes
 * @need: VS_EXT_* that the extent must have
 *
 * Return: the pointer, or NULL.
 */
void *simt_ptr(struct simt_machine *m, u64 va, u64 size, u32 need)
{
	const struct vs_extent *e = vs_tlb_hit(&m->tlb, va);
	void *p;

	if (unlikely(m->l.dbg))
		simt_debug_ptr(m, va, size, need);
	p = vs_extent_ptr(e, va, size, need);
	return likely(p) ? p : vs_extent_ptr(simt_mem_find_extent(m, va), va, size, need);
}

/* Extent of an address, cached per micro-op: mostly the same as last time. */
static const struct vs_extent *uop_extent(struct simt_machine *m, const struct simt_uop *u, u64 va)
{
	const struct vs_extent **hint = &m->hint[(u - m->l.prog->uops) % SIMT_HINTS], *e = *hint;
	u32 need = u->op == SIMT_ST ? VS_EXT_WRITE : 0;

	if (!e || va < e->lo || va >= e->hi) {
		e = simt_mem_find_extent(m, va);
		if (!e)
			return NULL;
		*hint = e;
	}
	return (e->flags & need) == need ? e : NULL;
}

/* Host pointer to a guest range in one extent, with the extent cached per micro-op; or NULL. */
static void *uop_ptr(struct simt_machine *m, const struct simt_uop *u, u64 va, u64 size)
{
	return vs_extent_ptr(uop_extent(m, u, va), va, size, 0);
}

/* ---- one lane ---- */

static __always_inline void simt_mem_load_lane(u32 *d, const u8 *p, u32 bytes)
{
	u32 i, v = 0;

	for (i = 0; i + 4 <= bytes; i += 4, d += SIMT_LANES)
		memcpy(d, p + i, 4);
	switch (bytes - i) {
	case 1:
		v = p[i];
		break;
	case 2:
		v = p[i] | p[i + 1] << 8;
		break;
	case 3:
		v = p[i] | p[i + 1] << 8 | p[i + 2] << 16;
		break;
	default:
		return;
	}
	*d = v;
}

static __always_inline void simt_mem_store_lane(u8 *p, const u32 *s, u32 bytes)
{
	u32 i, k;

	for (i = 0; i + 4 <= bytes; i += 4, s += SIMT_LANES)
		memcpy(p + i, s, 4);
	for (k = 0; i < bytes; i++, k += 8)
		p[i] = *s >> k;
}

/* ---- all lanes in one extent ---- */

/**
 * struct access - A load or store by several lanes within one extent.
 * @p:		host pointer to the lowest address
 * @span:	bytes from @p to the end of the highest access
 * @lo:		low words of the addresses
 * @step:	words between lanes in @lo
 * @from:	low word of the lowest address
 * @slot:	first slot
 * @bytes:	bytes per lane
 * @mask:	active lanes
 */
struct access {
	u8 *p;
	u64 span;
	const u32 *lo;
	u32 step;
	u32 from;
	u32 *slot;
	u32 bytes;
	u64 mask;
};

static __always_inline void load_each(const struct access *a, u32 bytes)
{
	u32 l, from = a->from, step = a->step, *d = a->slot;
	const u32 *lo = a->lo;
	const u8 *p = a->p;
	u64 m;

	if (a->mask == ~0ULL) {
		for (l = 0; l < SIMT_LANES; l++)
			simt_mem_load_lane(d + l, p + (lo[l * step] - from), bytes);
		return;
	}
	for (m = a->mask; m; m &= m - 1) {
		l = __ffs64(m);
		simt_mem_load_lane(d + l, p + (lo[l * step] - from), bytes);
	}
}

static __always_inline void store_each(const struct access *a, u32 bytes)
{
	u32 l, from = a->from, step = a->step;
	const u32 *lo = a->lo, *s = a->slot;
	u8 *p = a->p;
	u64 m;

	for (m = a->mask; m; m &= m - 1) {
		l = __ffs64(m);
		simt_mem_store_lane(p + (lo[l * step] - from), s + l, bytes);
	}
}

static void load_near(const struct access *a)
{
	switch (a->bytes) {
	case 1:
		load_each(a, 1);
		break;
	case 2:
		load_each(a, 2);
		break;
	case 4:
		load_each(a, 4);
		break;
	case 8:
		load_each(a, 8);
		break;
	case 16:
		load_each(a, 16);
		break;
	default:
		load_each(a, a->bytes);
	}
}

static void store_near(const struct access *a)
{
	switch (a->bytes) {
	case 1:
		store_each(a, 1);
		break;
	case 2:
		store_each(a, 2);
		break;
	case 4:
		store_each(a, 4);
		break;
	case 8:
		store_each(a, 8);
		break;
	case 16:
		store_each(a, 16);
		break;
	default:
		store_each(a, a->bytes);
	}
}

static void load_same(const struct access *a, const u8 *p)
{
	u32 v[4] = {}, i, l, n = DIV_ROUND_UP(a->bytes, 4);
	u64 m;

	/* little endian, like the guest */
	memcpy(v, p, a->bytes);
	for (i = 0; i < n; i++) {
		u32 *d = a->slot + SIMT_LANES * i, w = v[i];

		if (a->mask == ~0ULL) {
			u64 two = w | (u64)w << 32;

			for (l = 0; l < SIMT_LANES; l += 2)
				memcpy(d + l, &two, sizeof(two));
			continue;
		}
		for (m = a->mask; m; m &= m - 1)
			d[__ffs64(m)] = w;
	}
}

static bool is_words(u32 bytes)
{
	return bytes == 4 || bytes == 8 || bytes == 16;
}

/* Host pointer to the row if the lanes access consecutive words, else NULL. */
static u8 *row_ptr(const struct access *a, const struct simt_scan *s)
{
	if (!s->row || !is_words(a->bytes))
		return NULL;
	return vs_bounded_ptr(a->p, a->span, -s->min, (u64)SIMT_LANES * a->bytes);
}

static void load_all(const struct simt_machine *m, const struct access *a,
		     const struct simt_scan *s)
{
	const u8 *row = row_ptr(a, s);

	if (s->same)
		load_same(a, a->p - s->min);
	else if (row && a->bytes == 4)
		memcpy(a->slot, row, 4 * SIMT_LANES);
	else if (row)
		simt_load_words(m->simd, a->slot, row, a->bytes / 4);
	else if (a->mask == ~0ULL && a->bytes == 4 && a->step)
		simt_load_near(m->simd, a->slot, a->p, a->span, a->lo, a->from);
	else
		load_near(a);
}

static void store_all(const struct simt_machine *m, const struct access *a,
		      const struct simt_scan *s)
{
	u8 *row = row_ptr(a, s);

	if (row && a->bytes == 4)
		memcpy(row, a->slot, 4 * SIMT_LANES);
	else if (row)
		simt_store_words(m->simd, row, a->slot, a->bytes / 4);
	else
		store_near(a);
}

/* ---- segments ---- */

/*
 * Threads of a block are consecutive in thread memory, workgroups of a block in workgroup
 * memory.
 */
u64 simt_seg_base(const struct simt_machine *m, const struct simt_wave_block *wb, u32 seg,
		  u32 lane, u64 *size)
{
	u32 k;

	if (seg == SIMT_SEG_TLS) {
		k = wb->number * SIMT_LANES + lane;
		/* do not count the unused lanes between workgroups */
		if (m->packed > 1)
			k = lane / m->stride * m->threads + lane % m->stride;
		k += wb->team * m->packed * m->threads;
		*size = m->l.tls_size;
		return m->l.tls_va + k * m->l.tls_size;
	}
	k = wb->team * m->packed + (m->packed > 1 ? lane / m->stride : 0);
	*size = m->l.wls_size;
	return m->l.wls_va + k * m->l.wls_size;
}

static bool bad_segment(struct simt_machine *m, const struct simt_uop *u, u32 lane, u64 va)
{
	bool store = u->op == SIMT_ST;

	simt_fault(m, store ? VS_FAULT_WRITE : VS_FAULT_READ, BIT_ULL(lane), va,
		   SIMT_MEM_BYTES(u->imm));
	return false;
}

/* Base address in two words of the uniform table. */
static u64 base_address(const struct simt_block *b, const struct simt_uop *u)
{
	const u32 *w = b->unif + 16 * (u->s[1] & ~SIMT_U);

	return w[0] | (u64)w[16] << 32;
}

/* Extend and shift a word to an offset as the micro-op specifies. */
static u64 widened(u32 imm, u32 low)
{
	u64 off = imm & SIMT_MEM_SIGNED ? (u64)(s64)(s32)low : low;

	return off << SIMT_MEM_SHIFT_OF(imm);
}

/*
 * Guest address of a lane. Return: false if it is outside its segment; *@zero: the load returns
 * zeros.
 */
static __always_inline bool lane_address(struct simt_machine *m, const struct simt_block *b,
					 const struct simt_uop *u, u32 lane, u64 *va, bool *zero)
{
	u32 lo_step, hi_step, bytes = SIMT_MEM_BYTES(u->imm), seg = SIMT_MEM_SEG(u->imm);
	const u32 *lo = simt_src(b, u->s[0], &lo_step), *hi = simt_src(b, u->s[1], &hi_step);
	u64 off = (s64)SIMT_MEM_OFF(u->imm), size, base;
	u32 low = lo[lane * lo_step], high = hi[lane * hi_step];

	*zero = false;
	if (seg == SIMT_SEG_GLOBAL) {
		*va = (low | (u64)high << 32) + off;
		return true;
	}
	if (seg == SIMT_SEG_BASE) {
		*va = base_address(b, u) + widened(u->imm, low) + off;
		return true;
	}
	if (seg == SIMT_SEG_LOCAL) {
		base = simt_seg_base(m, m->wb, SIMT_SEG_WLS, lane, &size);
		*va = base + widened(u->imm, low) + off;
		return true;
	}
	off = (u32)(low + off);
	if (seg == SIMT_SEG_UBO) {
		*zero = true;
		*va = off;
		if (high >= m->l.nubo)
			return false;
		base = m->l.ubo[high].va;
		size = m->l.ubo[high].size;
	} else {
		base = simt_seg_base(m, m->wb, seg, lane, &size);
	}
	*va = base + off;
	return off <= size && bytes <= size - off;
}

bool simt_mem_address(struct simt_machine *m, const struct simt_block *b,
		      const struct simt_uop *u, u32 lane, u64 *va, bool *zero)
{
	return lane_address(m, b, u, lane, va, zero);
}

/*
 * A load that crosses the end of its uniform buffer returns the bytes inside, then zeros; one
 * outside returns zeros.
 */
static const u8 *rest_of_ubo(struct simt_machine *m, const struct simt_block *b,
			     const struct simt_uop *u, u32 lane, u8 *to)
{
	u32 lo_step, hi_step;
	const u32 *lo = simt_src(b, u->s[0], &lo_step), *hi = simt_src(b, u->s[1], &hi_step);
	u32 off = lo[lane * lo_step] + SIMT_MEM_OFF(u->imm), index = hi[lane * hi_step], left;
	const u8 *p;

	memset(to, 0, 16);
	if (SIMT_MEM_SEG(u->imm) != SIMT_SEG_UBO || index >= m->l.nubo ||
	    off >= m->l.ubo[index].size)
		return to;
	left = min_t(u64, SIMT_MEM_BYTES(u->imm), m->l.ubo[index].size - off);
	p = simt_ptr(m, m->l.ubo[index].va + off, left, 0);
	if (p)
		memcpy(to, p, left);
	return to;
}

/* Slow path: lane by lane, up to the first fault. */
static bool each_lane(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u,
		      u64 mask)
{
	u32 l, bytes = SIMT_MEM_BYTES(u->imm), need = u->op == SIMT_ST ? VS_EXT_WRITE : 0;
	u32 *slot = simt_slot(b, u->d);
	u8 part[16] = { 0 };
	bool zero;
	u64 left;

	for (left = mask; left; left &= left - 1) {
		const u8 *from;
		u64 va = 0;
		u8 *p;

		l = __ffs64(left);
		p = lane_address(m, b, u, l, &va, &zero) ? simt_ptr(m, va, bytes, need) : NULL;
		/* helper lanes may compute addresses that the program would never access */
		zero |= b->helper >> l & 1;
		if (!p && !zero)
			return bad_segment(m, u, l, va);
		from = p ? p : rest_of_ubo(m, b, u, l, part);
		if (need)
			simt_mem_store_lane(p, slot + l, bytes);
		else
			simt_mem_load_lane(slot + l, from, bytes);
	}
	simt_charge(m, hweight64(mask) / 4);
	m->left -= hweight64(mask) * LANE_COST;
	return true;
}

/* Base of a segment if it is common to all lanes. Return: false if it differs. */
static bool common_base(const struct simt_machine *m, const struct simt_wave_block *wb, u32 seg,
			u32 index, u64 *base, u64 *size)
{
	switch (seg) {
	case SIMT_SEG_UBO:
		if (index >= m->l.nubo)
			return false;
		*base = m->l.ubo[index].va;
		*size = m->l.ubo[index].size;
		return true;
	case SIMT_SEG_WLS:
		*base = simt_seg_base(m, wb, seg, 0, size);
		return m->packed == 1;
	default:
		return false;
	}
}

static bool is_wide(u32 imm)
{
	u32 seg = SIMT_MEM_SEG(imm);

	return seg == SIMT_SEG_LOCAL || (seg == SIMT_SEG_BASE && imm & SIMT_MEM_WIDEN);
}

/* Workgroups packed into a block: add the offset of each one's memory to that of the first. */
static bool add_groups(const struct simt_machine *m, u64 mask, u32 *off)
{
	u64 left;
	u32 l;

	if (m->l.wls_size > 0x7fffffff / m->packed)
		return false;
	for (left = mask; left; left &= left - 1) {
		l = __ffs64(left);
		off[l] += l / m->stride * m->l.wls_size;
	}
	return true;
}

/*
 * Replace *@off by widened offsets, stored at @to. Return: false if an offset may be out of range,
 * see simt_offsets().
 */
static bool simt_mem_widen(struct simt_machine *m, u32 imm, u64 mask, u32 *to, const u32 **off,
			   u32 step)
{
	const struct simt_wide w = { SIMT_MEM_SHIFT_OF(imm), imm & SIMT_MEM_SIGNED,
				     SIMT_MEM_OFF(imm) };
	u32 l, one;

	if (!step) {
		one = **off;
		for (l = 0; l < SIMT_LANES; l++)
			to[l] = one;
		*off = to;
	}
	if (!simt_offsets(m->simd, to, *off, mask, &w))
		return false;
	*off = to;
	return m->packed == 1 || SIMT_MEM_SEG(imm) != SIMT_SEG_LOCAL || add_groups(m, mask, to);
}

/* Lowest address of the access, and bytes to the end of the highest. */
static bool range_of(struct simt_machine *m, const struct simt_block *b, const struct simt_uop *u,
		     const struct simt_scan *s, u64 *at, u64 *span)
{
	u32 seg = SIMT_MEM_SEG(u->imm);
	u64 base, size;

	*span = (u64)(s->max - s->min) + SIMT_MEM_BYTES(u->imm);
	*at = (u32)s->base + s->min + (is_wide(u->imm) ? 0 : SIMT_MEM_OFF(u->imm));
	if (seg == SIMT_SEG_GLOBAL) {
		*at += s->base >> 32 << 32;
		return true;
	}
	if (seg == SIMT_SEG_BASE) {
		*at += base_address(b, u);
		return true;
	}
	if (seg == SIMT_SEG_LOCAL) {
		*at += simt_seg_base(m, m->wb, SIMT_SEG_WLS, 0, &size);
		return true;
	}
	if (!common_base(m, m->wb, seg, s->base >> 32, &base, &size))
		return false;
	/* 32-bit sums: no lane may wrap around */
	size = min(size, BIT_ULL(32));
	if (*at > size || *span > size - *at)
		return false;
	*at += base;
	return true;
}

/* Fast path for all lanes at once. Return: false if the slow path is needed. */
static bool together(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u,
		     u64 mask, bool exact)
{
	u32 lo_step, hi_step, seg = SIMT_MEM_SEG(u->imm), bytes = SIMT_MEM_BYTES(u->imm);
	const u32 *lo = simt_src(b, u->s[0], &lo_step), *hi = simt_src(b, u->s[1], &hi_step);
	struct access a = { .slot = simt_slot(b, u->d), .bytes = bytes, .mask = mask };
	struct simt_scan s;
	u64 at;

	if (seg != SIMT_SEG_GLOBAL && seg != SIMT_SEG_UBO) {
		hi = zero_words;
		hi_step = 0;
	}
	if (is_wide(u->imm)) {
		if (!simt_mem_widen(m, u->imm, mask, m->offsets[0], &lo, lo_step))
			return false;
		lo_step = 1;
	}
	a.lo = lo;
	a.step = lo_step;
	simt_scan(m->simd, lo, lo_step, hi, hi_step, mask, bytes, exact, &s);
	if (!s.near || !range_of(m, b, u, &s, &at, &a.span))
		return false;
	a.from = (u32)s.base + s.min;
	a.p = uop_ptr(m, u, at, a.span);
	if (!a.p)
		return false;
	if (u->op == SIMT_ST)
		store_all(m, &a, &s);
	else
		load_all(m, &a, &s);
	return true;
}

static bool one_block(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u64 mask = b->mask;

	if (u->op == SIMT_ST)
		mask &= ~b->helper;
	if (!mask || together(m, b, u, mask, false) || together(m, b, u, mask, true))
		return true;
	return each_lane(m, b, u, mask);
}

/* ---- blocks in step ---- */

/*
 * As uop_extent(), of the base of a load or store, which no lane need access: the map's pager is
 * not asked, as that is an access, which may end in a page fault.
 */
static const struct vs_extent *base_extent(struct simt_machine *m, const struct simt_uop *u,
					   u64 va)
{
	const struct vs_extent **hint = &m->hint[(u - m->l.prog->uops) % SIMT_HINTS], *e = *hint;
	const struct vs_map own = { .n = m->tlb.map->n, .ext = m->tlb.map->ext };
	u32 need = u->op == SIMT_ST ? VS_EXT_WRITE : 0;

	if (likely(!m->tlb.map->pager))
		return uop_extent(m, u, va);
	if (!e || va < e->lo || va >= e->hi) {
		e = vs_tlb_hit(&m->tlb, va);
		if (!e)
			e = vs_map_find(&own, va);
		if (!e)
			return NULL;
		*hint = e;
	}
	return (e->flags & need) == need ? e : NULL;
}

/* Set @w->p and the limit for address @va, limited to @size bytes. Return: false if not mapped. */
static bool bound_words(struct simt_machine *m, const struct simt_uop *u, u64 va, u64 size,
			struct simt_words *w)
{
	const struct vs_extent *e = base_extent(m, u, va);
	u64 room;

	if (!e)
		return false;
	room = min(size, e->hi - va);
	if (room < 4)
		return false;
	w->limit = min_t(u64, room - 4, SIMT_WORDS_LIMIT);
	w->p = vs_extent_ptr(e, va, (u64)w->limit + 4, 0);
	return w->p;
}

/* Return: adding the offset wraps no low word around into the extent. */
static bool no_wrap(const struct vs_extent *e, s32 off)
{
	if (off >= 0)
		return (u32)e->lo >= (u32)off;
	return (u32)(e->hi - 1) <= ~0U + off;
}

/* 64-bit addresses: find the extent of the first active lane and bound the others to it. */
static bool wide_words(struct simt_machine *m, const struct simt_uop *u, const u32 *hi,
		       struct simt_words *w)
{
	u32 first = __ffs64(w->mask), low = w->off[first];
	s32 off = SIMT_MEM_OFF(u->imm);
	const struct vs_extent *e;
	u64 size;

	if (w->same)
		return false;
	w->hi = hi;
	w->hi_gap = u->s[1] < m->l.prog->own ? w->gap : 0;
	w->high = hi[first];
	e = uop_extent(m, u, ((u64)w->high << 32 | low) + (u64)(s64)off);
	if (!e || e->lo >> 32 != w->high || (e->hi - 1) >> 32 != w->high)
		return false;
	size = e->hi - e->lo;
	if (!no_wrap(e, off) || size < 4)
		return false;
	w->add = (u32)off - (u32)e->lo;
	w->limit = min_t(u64, size - 4, SIMT_WORDS_LIMIT);
	w->p = e->kva;
	return true;
}

/* Look up the wave's workgroup memory for the fast path of 32-bit words. */
void simt_mem_begin(struct simt_machine *m)
{
	u64 size = m->l.wls_size * m->most;

	m->wls = NULL;
	if (m->packed > 1 || m->l.wls_size < 4 || m->l.wls_size > SIMT_WORDS_LIMIT)
		return;
	m->wls = vs_map_ptr(m->tlb.map, m->l.wls_va, size, VS_EXT_WRITE);
}

/* Set up @w for workgroup memory: each block has its own. */
static bool wls_words(struct simt_machine *m, const struct simt_wave_block *wb,
		      struct simt_words *w)
{
	if (!m->wls)
		return false;
	w->p = m->wls + wb->team * m->l.wls_size;
	w->limit = m->l.wls_size - 4;
	w->p_gap = m->l.wls_size;
	return true;
}

/* Set up @w if one 32-bit word per lane with a common base is accessed. */
static bool find_words(struct simt_machine *m, const struct simt_wave_block *wb,
		       const struct simt_uop *u, struct simt_words *w)
{
	const struct simt_block *b = &wb->b;
	u64 off = is_wide(u->imm) ? 0 : (s64)SIMT_MEM_OFF(u->imm);
	u32 hi_step, index;
	const u32 *hi = simt_src(b, u->s[1], &hi_step);

	if (SIMT_MEM_BYTES(u->imm) != 4)
		return false;
	switch (SIMT_MEM_SEG(u->imm)) {
	case SIMT_SEG_GLOBAL:
		if (hi_step)
			return wide_words(m, u, hi, w);
		return bound_words(m, u, ((u64)*hi << 32) + off, ~0ULL, w);
	case SIMT_SEG_BASE:
		return bound_words(m, u, base_address(b, u) + off, ~0ULL, w);
	case SIMT_SEG_UBO:
		index = *hi;
		w->add = (u32)off;
		return !hi_step && index < m->l.nubo &&
		       bound_words(m, u, m->l.ubo[index].va, m->l.ubo[index].size, w);
	case SIMT_SEG_LOCAL:
	case SIMT_SEG_WLS:
		w->add = (u32)off;
		return wls_words(m, wb, w);
	default:
		return false;
	}
}

/* Number of blocks to execute for: 1 if the destination is shared. */
static u32 num_blocks(const struct simt_block *b, const struct simt_uop *u)
{
	return u->op == SIMT_LD && u->d >= b->own ? 1 : b->step;
}

/* Widen the offsets of all blocks for words(). */
static bool widen_words(struct simt_machine *m, const struct simt_uop *u, struct simt_words *w,
			u32 step)
{
	u32 n = w->off_gap ? w->n : 1, k;
	const u32 *off = w->off;

	for (k = 0; k < n; k++) {
		const u32 *from = off + (size_t)k * w->off_gap;

		if (!simt_mem_widen(m, u->imm, w->mask, m->offsets[k], &from, step))
			return false;
	}
	w->off = m->offsets[0];
	w->off_gap = n > 1 ? SIMT_LANES : 0;
	return true;
}

/* Rows by word index, as compilers address arrays. Return: number of blocks done. */
static u32 index_rows(struct simt_machine *m, const struct simt_uop *u, const struct simt_words *w)
{
	struct simt_words rows = *w;

	if (w->same || SIMT_MEM_SHIFT_OF(u->imm) != 2)
		return 0;
	rows.index = true;
	rows.add = SIMT_MEM_OFF(u->imm);
	return simt_words(m->simd, &rows);
}

/* Fast path over the blocks in step. Return: number of blocks done. */
static u32 words(struct simt_machine *m, struct simt_wave_block *wb, const struct simt_uop *u)
{
	u32 step, done;
	struct simt_words w = {
		.off = simt_src(&wb->b, u->s[0], &step),
		.off_gap = u->s[0] < wb->b.own ? wb->b.gap : 0,
		.slot = simt_slot(&wb->b, u->d),
		.gap = wb->b.gap,
		.n = num_blocks(&wb->b, u),
		.mask = wb->b.mask,
		.store = u->op == SIMT_ST,
	};

	w.same = !step;
	if (w.store)
		w.mask &= ~wb->b.helper;
	if (!w.mask || !find_words(m, wb, u, &w))
		return 0;
	if (is_wide(u->imm)) {
		done = index_rows(m, u, &w);
		if (done || !widen_words(m, u, &w, step))
			return done;
	}
	return simt_words(m->simd, &w);
}

/**
 * simt_mem - execute LD or ST
 * @m: machine
 * @wb: block, the first one if blocks are in step
 * @u: micro-op
 *
 * The slice may end between blocks in step: @m is paused then.
 *
 * Return: false: fault.
 */
bool simt_mem(struct simt_machine *m, struct simt_wave_block *wb, const struct simt_uop *u)
{
	u32 n = num_blocks(&wb->b, u), k = m->paused ? m->pause_at : words(m, wb, u);

	m->paused = false;
	for (; k < n && !m->paused; k++) {
		m->wb = wb + k;
		wb[k].b.mask = wb->b.mask;
		if (k)
			simt_fetch(&wb[k].b, wb->b.slot, u);
		if (!one_block(m, &wb[k].b, u))
			return false;
		m->pause_at = k + 1;
		m->pause_left = 0;
		m->paused = k + 1 < n && simt_slice_over(m);
	}
	m->wb = wb;
	return true;
}
