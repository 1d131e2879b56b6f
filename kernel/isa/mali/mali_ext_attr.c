// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Attributes, images, and typed loads and stores.
 *
 * Reads outside of a buffer's size or an image's extent return zeros; such elements have
 * address 0, and typed accesses to it are ignored.
 */
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
		if (known && !tried && e.attr && !is_number(e.buf))
			words = mx_elem_words(m, &e);
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

bool mx_lea_attr(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	bool varying = u->imm & MALI_EXT_VARYING;
	const struct mali_attr_table *t = varying ? &r->w.varyings : &r->w.attrs;
	bool known = false;
	struct mali_elem e;
	u64 elem, va;
	u32 l;

	EACH_LANE(l, b->mask) {
		if (!attr_of_lane(m, b, u, l, t, &e, &known))
			return false;
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

bool mx_st_cvt(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u32 l, n, comps = MALI_EXT_COMPS(u->imm), words[4];
	struct cvt c = {};
	u64 va;

	EACH_LANE(l, sx_effect(b)) {
		va = sx_src64(b, u, 0, l);
		if (!va)
			continue;
		if (!mx_attr_decode(m, BIT_ULL(l), sx_src(b, u, 2, l), &c) ||
		    !mx_attr_regs_ok(m, BIT_ULL(l), c.regfmt, comps, &n))
			return false;
		mx_get(b, u->d, l, words, n);
		if (!mx_attr_store(m, BIT_ULL(l), &c, va, words, comps))
			return false;
	}
	return true;
}
