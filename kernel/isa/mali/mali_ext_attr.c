// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Attributes, images, and typed loads and stores.
 *
 * Reads outside of a buffer's size or an image's extent return zeros; such elements have
 * address 0, and typed accesses to it are ignored.
 */
#include "../../engine/simt/simt_intern.h"
#include "mali_run_int.h"

/* ---- elements ---- */

bool mx_attr(struct simt_machine *m, u64 mask, const struct mali_attr_table *t, u32 index,
	     struct mali_elem *e)
{
	*e = (struct mali_elem){};
	if (index < t->n && t->attr[index].bad)
		return mx_refuse_value(m, mask, t->attr[index].bad, t->attr[index].va,
				       t->attr[index].bad_value);
	/* Unused varyings have no table. */
	if (!t->n || !t->nbufs)
		return true;
	if (index >= t->n)
		return mx_refuse_value(m, mask, MALI_RUN_BAD_INDEX, 0, index);
	if (!t->attr[index].va || t->attr[index].buf >= t->nbufs ||
	    !t->bufs[t->attr[index].buf].type)
		return true;
	e->attr = &t->attr[index];
	e->buf = &t->bufs[e->attr->buf];
	return true;
}

static void mx_attr_zeros(u32 v[4])
{
	memset(v, 0, 4 * sizeof(*v));
}

/* Read and convert components at an address. */
static bool read_at(struct simt_machine *m, u64 mask, const struct px_format *f, u64 va,
		    u32 v[4])
{
	const void *p;

	if (!px_format_readable(f) || f->layout == PX_ETC2)
		return mx_refuse(m, mask, MALI_RUN_BAD_FORMAT, va);
	if (!f->bytes) {
		mx_attr_zeros(v);
		return true;
	}
	p = simt_ptr(m, va, f->bytes, 0);
	if (!p) {
		simt_fault(m, VS_FAULT_READ, mask, va, f->bytes);
		return false;
	}
	px_unpack(f, p, v);
	return true;
}

bool mx_read_elem(struct simt_machine *m, u64 mask, const struct mali_elem *e, u64 elem,
		  u32 v[4])
{
	u64 at = elem * e->buf->stride + e->attr->offset;

	if (at >= e->buf->size) {
		mx_attr_zeros(v);
		return true;
	}
	return read_at(m, mask, &e->attr->format, e->buf->va + at, v);
}

u8 *mx_elem_words(struct simt_machine *m, const struct mali_elem *e)
{
	const struct mali_run *r = simt_machine_arg(m);

	if (r->w.dbg || !px_is_words(&e->attr->format))
		return NULL;
	return simt_ptr(m, e->buf->va, e->buf->size, 0);
}

/* Look up a lane's attribute, unless it is the one before. */
static __always_inline bool attr_of_lane(struct simt_machine *m, const struct simt_block *b,
					 const struct simt_uop *u, u32 lane,
					 const struct mali_attr_table *t, struct mali_elem *e,
					 bool *known)
{
	if (*known)
		return true;
	*known = u->s[2] & SIMT_U;
	return mx_attr(m, BIT_ULL(lane), t, sx_src(b, u, 2, lane), e);
}

/* Is this a buffer without memory, whose value is the vertex or instance number? */
static bool is_number(const struct mali_attr_buf *b)
{
	return b->type == MALI_BUF_VERTEX_ID || b->type == MALI_BUF_INSTANCE_ID;
}

/* Index of a lane's element. */
static u64 mx_attr_element(const struct mali_work *w, const struct mali_elem *e, u32 vertex,
			   u32 instance)
{
	u32 linear = instance * w->instance_size + vertex;

	return e->buf->type == MALI_BUF_1D ? linear : mali_attr_element(e->buf, linear);
}

/*
 * The first vertex is an offset into attributes only: drivers enable the offset in varyings of
 * Midgard, among them the positions, which the tiler reads from the first element on.
 */
static u64 attribute(const struct mali_work *w, const struct mali_elem *e, u32 vertex, u32 instance)
{
	u64 elem = mx_attr_element(w, e, vertex, instance);

	return e->attr->offset_enable && !is_number(e->buf) ? elem + w->offset_start : elem;
}

/* ---- results ---- */

static bool mx_attr_regs_ok(struct simt_machine *m, u64 mask, u32 regfmt, u32 comps, u32 *n)
{
	*n = comps >= 1 && comps <= 4 ? mali_reg_slots(regfmt, comps) : 0;
	return *n || mx_refuse(m, mask, MALI_RUN_BAD_FORMAT, 0);
}

static void mx_attr_deliver(const struct simt_block *b, const struct simt_uop *u, u32 lane,
			    enum px_kind kind, const u32 v[4], u32 n)
{
	u32 out[4];

	mali_to_reg(kind, v, MALI_EXT_REGFMT(u->imm), MALI_EXT_COMPS(u->imm), out);
	mx_put(b, u->d, lane, out, n);
}

static u32 conversion(const struct mali_attr *a, u32 regfmt)
{
	return a->raw | (regfmt == MALI_REG_AUTO ? MALI_CVT_RAW : regfmt << 24);
}

static void mx_attr_put_address(const struct simt_block *b, const struct simt_uop *u, u32 lane,
				u64 va, u32 cvt)
{
	u32 out[3] = { (u32)va, va >> 32, cvt };

	mx_put(b, u->d, lane, out, 3);
}

/* ---- attributes ---- */

/*
 * Do lanes 0 to 63 count vertices up, of one instance, each with the element after that of the lane
 * before? Then *@first is that of lane 0. Lanes that are no threads count on, see start_run().
 */
static bool mx_attr_run(struct simt_machine *m, const struct simt_block *b,
			const struct simt_uop *u, const struct mali_elem *e, bool varying,
			u64 *first)
{
	const struct mali_run *r = simt_machine_arg(m);
	u32 last = SIMT_LANES - 1, step;
	const u32 *vertex = sx_slot(b, u->s[0], 0), *instance = simt_src(b, u->s[1], &step);
	struct simt_scan s;
	u64 end;

	if (u->s[0] & SIMT_U || (e->buf->type != MALI_BUF_1D && e->buf->type != MALI_BUF_MODULUS &&
				 e->buf->type != MALI_BUF_MODULUS_WR))
		return false;
	simt_scan(simt_machine_simd(m), vertex, 1, instance, step, ~0ULL, 1, false, &s);
	if (!s.row)
		return false;
	*first = (varying ? mx_attr_element : attribute)(&r->w, e, vertex[0], instance[0]);
	end = (varying ? mx_attr_element : attribute)(&r->w, e, vertex[last], instance[0]);
	return end - *first == last;
}

/* Elements of words of all lanes at once. Return: false: they have to be read one by one. */
static bool mx_attr_load_rows(struct simt_machine *m, struct simt_block *b,
			      const struct simt_uop *u, const struct mali_elem *e)
{
	u32 i, l, n = px_num_words(&e->attr->format), stride = e->buf->stride, fill;
	const enum px_kind kind = px_format_kind(&e->attr->format);
	u64 at, first, span = (SIMT_LANES - 1) * (u64)stride;
	struct mali_run *r = simt_machine_arg(m);
	const u8 *p;

	if (r->w.dbg || !n || !mx_attr_run(m, b, u, e, false, &first))
		return false;
	at = first * stride + e->attr->offset;
	if (at > e->buf->size || span + n * sizeof(u32) > e->buf->size - at ||
	    (stride | (u32)(e->buf->va + at)) & 3)
		return false;
	/* vectors read four words each */
	p = simt_ptr(m, e->buf->va + at, span + sizeof(u32[4]), 0);
	if (!p)
		return false;
	simt_load_rows(simt_machine_simd(m), r->v[0], p, stride, n);
	for (i = n; i < MALI_EXT_COMPS(u->imm); i++) {
		fill = e->attr->format.swizzle[i] == PX_SWZ_1 ? px_one(kind) : 0;
		for (l = 0; l < SIMT_LANES; l++)
			r->v[i][l] = fill;
	}
	mali_block_to_reg(simt_machine_simd(m), kind, (const u32 (*)[SIMT_LANES])r->v,
			  MALI_EXT_REGFMT(u->imm), MALI_EXT_COMPS(u->imm), b->mask,
			  sx_slot(b, u->d, 0));
	return true;
}

bool mx_ld_attr(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	bool known = false, tried = false;
	u8 *words = NULL;
	struct mali_elem e;
	u32 l, n, v[4];
	u64 elem;

	if (!mx_attr_regs_ok(m, b->mask, MALI_EXT_REGFMT(u->imm), MALI_EXT_COMPS(u->imm), &n))
		return false;
	EACH_LANE(l, b->mask) {
		if (!attr_of_lane(m, b, u, l, &r->w.attrs, &e, &known))
			return false;
		if (known && !tried && e.attr && !is_number(e.buf)) {
			if (mx_attr_load_rows(m, b, u, &e))
				return true;
			words = mx_elem_words(m, &e);
		}
		tried = known;
		mx_attr_zeros(v);
		if (!e.attr) {
			mx_attr_deliver(b, u, l, PX_KIND_F32, v, n);
			continue;
		}
		elem = attribute(&r->w, &e, sx_src(b, u, 0, l), sx_src(b, u, 1, l));
		if (is_number(e.buf)) {
			v[0] = (u32)elem;
			mx_attr_deliver(b, u, l, PX_KIND_U32, v, n);
			continue;
		}
		if (!mx_read_words(words, &e, elem, v) && !mx_read_elem(m, BIT_ULL(l), &e, elem, v))
			return false;
		mx_attr_deliver(b, u, l, px_format_kind(&e.attr->format), v, n);
	}
	return true;
}

/* The addresses of all lanes at once. Return: false: they have to be found one by one. */
static bool mx_attr_address_rows(struct simt_machine *m, struct simt_block *b,
				 const struct simt_uop *u, const struct mali_elem *e, bool varying)
{
	u32 l, i, cvt = conversion(e->attr, MALI_EXT_REGFMT(u->imm));
	struct mali_run *r = simt_machine_arg(m);
	u64 va, first;

	if (!mx_attr_run(m, b, u, e, varying, &first))
		return false;
	va = e->buf->va + first * e->buf->stride + e->attr->offset;
	for (l = 0; l < SIMT_LANES; l++, va += e->buf->stride) {
		r->v[0][l] = (u32)va;
		r->v[1][l] = va >> 32;
		r->v[2][l] = cvt;
	}
	for (i = 0; i < 3; i++)
		simt_put(simt_machine_simd(m), sx_slot(b, u->d + i, 0), r->v[i], b->mask);
	return true;
}

bool mx_lea_attr(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	bool varying = u->imm & MALI_EXT_VARYING;
	const struct mali_attr_table *t = varying ? &r->w.varyings : &r->w.attrs;
	bool known = false, tried = false;
	struct mali_elem e;
	u64 elem, va;
	u32 l;

	EACH_LANE(l, b->mask) {
		if (!attr_of_lane(m, b, u, l, t, &e, &known))
			return false;
		if (known && !tried && e.attr && mx_attr_address_rows(m, b, u, &e, varying))
			return true;
		tried = known;
		if (!e.attr) {
			mx_attr_put_address(b, u, l, 0, 0);
			continue;
		}
		elem = (varying ? mx_attr_element : attribute)(&r->w, &e, sx_src(b, u, 0, l),
							       sx_src(b, u, 1, l));
		va = e.buf->va + elem * e.buf->stride + e.attr->offset;
		mx_attr_put_address(b, u, l, va, conversion(e.attr, MALI_EXT_REGFMT(u->imm)));
	}
	return true;
}

/* ---- images ---- */

/* Address of a texel; 0: outside. */
static u64 mx_attr_texel(const struct mali_attr_buf *i, u32 x, u32 y, u32 z)
{
	u64 at;

	if (x >= i->dim[0] || y >= i->dim[1] || z >= i->dim[2])
		return 0;
	if (i->type == MALI_BUF_3D_INTERLEAVED)
		at = (u64)(y >> 4) * i->row_stride +
		     ((u64)(x >> 4) * 256 + px_tile_index(x, y)) * i->stride;
	else
		at = (u64)y * i->row_stride + (u64)x * i->stride;
	return i->va + at + (s64)z * i->slice_stride;
}

/* Return: false with a fault. *@va is 0 outside of the image or if there is none. */
static bool mx_attr_image(struct simt_machine *m, const struct simt_block *b,
			  const struct simt_uop *u, u32 lane, struct mali_elem *e, u64 *va)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 xy = sx_src(b, u, 0, lane);

	*va = 0;
	if (!mx_attr(m, BIT_ULL(lane), &r->w.attrs, sx_src(b, u, 2, lane), e))
		return false;
	if (!e->attr)
		return true;
	if (e->buf->type != MALI_BUF_3D_LINEAR && e->buf->type != MALI_BUF_3D_INTERLEAVED)
		return mx_refuse(m, BIT_ULL(lane), MALI_RUN_BAD_IMAGE, e->attr->va);
	*va = mx_attr_texel(e->buf, xy & 0xffff, xy >> 16, sx_src(b, u, 1, lane));
	return true;
}

bool mx_ld_img(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_elem e;
	u32 l, n, v[4];
	u64 va;

	if (!mx_attr_regs_ok(m, b->mask, MALI_EXT_REGFMT(u->imm), MALI_EXT_COMPS(u->imm), &n))
		return false;
	EACH_LANE(l, b->mask) {
		if (!mx_attr_image(m, b, u, l, &e, &va))
			return false;
		mx_attr_zeros(v);
		if (va && !read_at(m, BIT_ULL(l), &e.attr->format, va, v))
			return false;
		mx_attr_deliver(b, u, l, va ? px_format_kind(&e.attr->format) : PX_KIND_U32, v, n);
	}
	return true;
}

bool mx_lea_img(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_elem e;
	u64 va;
	u32 l;

	EACH_LANE(l, b->mask) {
		if (!mx_attr_image(m, b, u, l, &e, &va))
			return false;
		mx_attr_put_address(b, u, l, va,
				    e.attr ? conversion(e.attr, MALI_EXT_REGFMT(u->imm)) : 0);
	}
	return true;
}

/* ---- typed accesses ---- */

/**
 * struct cvt - decoded conversion word
 * @word:	encoded word
 * @format:	memory format
 * @regfmt:	enum mali_regfmt
 * @copy:	four registers are stored as they are
 */
struct cvt {
	u32 word;
	struct px_format format;
	u32 regfmt;
	bool copy;
};

/* Decode a conversion word, unless it equals the previous lane's. */
static bool mx_attr_decode(struct simt_machine *m, u64 mask, u32 word, struct cvt *c)
{
	struct mali_run *r = simt_machine_arg(m);

	if (word == c->word && c->format.bytes)
		return true;
	c->word = word;
	c->regfmt = word & MALI_CVT_RAW ? MALI_REG_AUTO : MALI_CVT_REG(word);
	if (!mx_cvt_format(&r->w, word, &c->format) ||
	    (!c->format.bytes && c->format.layout != PX_CONSTANT) ||
	    c->format.layout == PX_ETC2)
		return mx_refuse_value(m, mask, MALI_RUN_BAD_FORMAT, 0, word);
	c->copy = px_is_words(&c->format) && px_format_writable(&c->format) &&
		  (c->regfmt == MALI_REG_AUTO || (c->regfmt == MALI_REG_F32 &&
						  px_format_kind(&c->format) == PX_KIND_F32));
	return true;
}

bool mx_ld_cvt(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u32 l, n, comps = MALI_EXT_COMPS(u->imm), v[4], out[4];
	struct cvt c = {};
	u64 va;

	EACH_LANE(l, b->mask) {
		va = sx_src64(b, u, 0, l);
		mx_attr_zeros(out);
		n = 4;
		if (va) {
			if (!mx_attr_decode(m, BIT_ULL(l), sx_src(b, u, 2, l), &c) ||
			    !mx_attr_regs_ok(m, BIT_ULL(l), c.regfmt, comps, &n) ||
			    !read_at(m, BIT_ULL(l), &c.format, va, v))
				return false;
			mali_to_reg(px_format_kind(&c.format), v, c.regfmt, comps, out);
		}
		mx_put(b, u->d, l, out, min_t(u32, n, u->n));
	}
	return true;
}

static bool mx_attr_store(struct simt_machine *m, u64 mask, const struct cvt *c, u64 va,
			  const u32 *words, u32 comps)
{
	u32 v[4];
	void *p;

	/* Drivers give varyings this format that no fragment program reads. */
	if (c->format.layout == PX_CONSTANT)
		return true;
	if (!px_format_writable(&c->format))
		return mx_refuse(m, mask, MALI_RUN_BAD_FORMAT, va);
	p = simt_ptr(m, va, c->format.bytes, VS_EXT_WRITE);
	if (!p) {
		simt_fault(m, VS_FAULT_WRITE, mask, va, c->format.bytes);
		return false;
	}
	if (c->copy && comps == 4) {
		memcpy(p, words, sizeof(v));
		return true;
	}
	mali_from_reg(c->regfmt, words, comps, px_format_kind(&c->format), v);
	px_pack(&c->format, v, comps, p);
	return true;
}

/*
 * Store words of the lanes @mask at equal distances at once. Return: false: the lanes have to be
 * stored one by one.
 */
static bool mx_attr_store_rows(struct simt_machine *m, struct simt_block *b,
			       const struct simt_uop *u, u64 mask, const struct cvt *c)
{
	u32 n = px_num_words(&c->format), comps = MALI_EXT_COMPS(u->imm), from, to, l, i;
	const u32 *lo = sx_slot(b, u->s[0], 0), (*v)[SIMT_LANES];
	enum vs_simd simd = simt_machine_simd(m);
	struct mali_run *r = simt_machine_arg(m);
	u32 stride = lo[1] - lo[0];
	struct simt_scan s;
	u64 first;
	u8 *p;

	if (r->w.dbg || n > comps || !n || sx_same(b, u, 2, mask) != mask)
		return false;
	simt_scan(simd, lo, 1, sx_slot(b, u->s[1], 0), 1, ~0ULL, stride, false, &s);
	from = __ffs64(mask);
	to = 63 - __builtin_clzll(mask);
	first = s.base + from * (u64)stride;
	/* nothing is stored at address 0, which can only be the first */
	if (!s.row || !first || (stride | (u32)first) & 3)
		return false;
	p = simt_ptr(m, first, (to - from) * (u64)stride + c->format.bytes, VS_EXT_WRITE);
	if (!p)
		return false;
	v = mali_block_from_reg(simd, c->regfmt, sx_slot(b, u->d, 0), comps,
				px_format_kind(&c->format), mask, r->v);
	if (!~mask && n == 4) {
		simt_store_rows(simd, p, stride, v[0]);
		return true;
	}
	EACH_LANE(l, mask)
		for (i = 0; i < n; i++)
			memcpy(p + (l - from) * (u64)stride + 4 * i, &v[i][l], sizeof(u32));
	return true;
}

bool mx_st_cvt(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u32 l, n, comps = MALI_EXT_COMPS(u->imm), words[4];
	u64 va, mask = sx_effect(b);
	bool tried = false;
	struct cvt c = {};

	EACH_LANE(l, mask) {
		va = sx_src64(b, u, 0, l);
		if (!va)
			continue;
		if (!mx_attr_decode(m, BIT_ULL(l), sx_src(b, u, 2, l), &c) ||
		    !mx_attr_regs_ok(m, BIT_ULL(l), c.regfmt, comps, &n))
			return false;
		if (!tried && mx_attr_store_rows(m, b, u, mask, &c))
			return true;
		tried = true;
		mx_get(b, u->d, l, words, n);
		if (!mx_attr_store(m, BIT_ULL(l), &c, va, words, comps))
			return false;
	}
	return true;
}
