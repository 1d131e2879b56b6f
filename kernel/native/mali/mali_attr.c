// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Attributes: descriptors of 8 bytes (buffer, format, offset) and buffers of 16, some of
 * which use a second entry. Varyings and images use the same tables.
 */
#include "mali_desc.h"

#define BUF_SIZE	16
#define BUF_WORDS	4
#define CONTINUATION	32	/* type */

static int read_attr(struct mali_parser *p, u64 va, bool varying, struct mali_attr *a)
{
	u32 w[2];
	int ret;

	*a = (struct mali_attr){ };
	ret = mali_words(p, va, w, 2, 8, varying ? "varying" : "attribute");
	if (ret)
		return ret;
	/* Drivers leave zeroed entries between their attributes and the hardware's own. */
	if (!w[0] && !w[1])
		return 0;
	a->va = va;
	a->buf = mali_bits(w, 0, 0, 9);
	a->offset_enable = mali_bits(w, 0, 9, 1);
	a->raw = mali_bits(w, 0, 10, 22);
	a->offset = (s32)w[1];
	if (!mali_format_decode(p->c->arch, a->raw, &a->format)) {
		a->bad = MALI_BAD_FORMAT;
		a->bad_value = a->raw;
	}
	return 0;
}

static bool mali_attr_is_special(const struct mali_parser *p, u32 type)
{
	return p->arch->midgard &&
	       (type == MALI_BUF_POINT_COORD_MIN || type == MALI_BUF_POINT_COORD_MAX ||
		type == MALI_BUF_VERTEX_ID || type == MALI_BUF_INSTANCE_ID ||
		type == MALI_BUF_FRAG_COORD || type == MALI_BUF_FRONT_FACING);
}

static bool takes_two(u32 type)
{
	return type == MALI_BUF_NPOT_DIVISOR || type == MALI_BUF_NPOT_DIVISOR_WR ||
	       type == MALI_BUF_3D_LINEAR || type == MALI_BUF_3D_INTERLEAVED;
}

/* The second half of an NPOT divisor or of an image. */
static int read_second(struct mali_parser *p, u64 va, struct mali_attr_buf *b)
{
	u32 w[BUF_WORDS];
	int ret;

	ret = mali_words(p, va, w, BUF_WORDS, BUF_SIZE, "attribute buffer continuation");
	if (ret)
		return ret;
	if (mali_bits(w, 0, 0, 6) != CONTINUATION)
		return mali_reject_at(p, MALI_BAD_ATTR_TYPE, "continuation type", va, w[0]);
	if (b->type == MALI_BUF_NPOT_DIVISOR || b->type == MALI_BUF_NPOT_DIVISOR_WR) {
		b->magic = w[1] | 1U << 31;
		b->divisor = w[3];
		return 0;
	}
	b->dim[0] = mali_bits(w, 0, 16, 16) + 1;
	b->dim[1] = mali_bits(w, 1, 0, 16) + 1;
	b->dim[2] = mali_bits(w, 1, 16, 16) + 1;
	b->row_stride = w[2];
	b->slice_stride = (s32)w[3];
	return 0;
}

static void special_buf(const u32 *w, struct mali_attr_buf *b)
{
	b->e = mali_bits(w, 1, 29, 1);
	b->bias = (s32)w[3];
	b->va = 0;
	b->stride = 0;
	b->size = 0;
	if (b->type == MALI_BUF_INSTANCE_ID)
		b->magic = w[2] | 1U << 31;
}

static int read_buf(struct mali_parser *p, u64 va, struct mali_attr_buf *b)
{
	u32 w[BUF_WORDS], type;
	int ret;

	ret = mali_words(p, va, w, BUF_WORDS, BUF_SIZE, "attribute buffer");
	if (ret)
		return ret;
	/* An unbound attribute. */
	if (!w[0] && !w[1] && !w[2] && !w[3])
		return 0;
	type = mali_bits(w, 0, 0, 8);
	if (!mali_attr_is_special(p, type))
		type = mali_bits(w, 0, 0, 6);
	if (!mali_attr_is_special(p, type) &&
	    (!type || type > MALI_BUF_NPOT_DIVISOR_WR ||
	     (type > MALI_BUF_PRIMITIVE_INDEX && type < MALI_BUF_POT_DIVISOR_WR)))
		return mali_reject_at(p, MALI_BAD_ATTR_TYPE, "attribute buffer type", va, type);
	b->type = type;
	b->va = mali_u64(w, 0) & GENMASK_ULL(55, 6);
	b->stride = w[2];
	b->size = w[3];
	b->r = mali_bits(w, 1, 24, 5);
	b->p = mali_bits(w, 1, 29, 3);
	if (mali_attr_is_special(p, type))
		special_buf(w, b);
	if (!takes_two(type))
		return 0;
	b->e = mali_bits(w, 1, 29, 1);
	return read_second(p, va + BUF_SIZE, b);
}

/* Look up the buffer of an attribute. Return: an error that does not only affect this attribute. */
static int attr_buf(struct mali_parser *p, u64 bufs, struct mali_attr *a, struct mali_attr_buf *b)
{
	struct mali_reject why, *was = p->why;
	int ret;

	p->why = &why;
	ret = read_buf(p, bufs + a->buf * BUF_SIZE, b);
	p->why = was;
	if (ret != -ENOEXEC)
		return ret;
	if (why.reason == MALI_MISALIGNED) {
		*was = why;
		return ret;
	}
	*b = (struct mali_attr_buf){};
	a->bad = why.reason;
	a->bad_value = (u32)why.value;
	return 0;
}

/* Entries that no attribute refers to may hold anything, for example second halves. */
static int read_bufs(struct mali_reader *r, u64 va, bool varying, struct mali_attr_table *t)
{
	struct mali_parser *p = &r->p;
	struct mali_attr *a;
	void *mem;
	int ret;

	if (!va && varying)
		t->nbufs = 0;
	if (!t->nbufs)
		return 0;
	if (!va)
		return mali_reject_at(p, MALI_NULL_POINTER, "attribute buffers", r->l->state_va,
				      t->nbufs);
	if (!r->begun) {
		/* bounded by the index width of attributes */
		ret = mali_alloc(p, t->nbufs, sizeof(*t->bufs), "attribute buffers", &mem);
		if (ret)
			return ret;
		t->bufs = mem;
		r->begun = true;
	}
	for (; r->i < t->n; r->i++) {
		if (!mali_reader_more(r))
			return -EAGAIN;
		a = &t->attr[r->i];
		if (!a->va || a->bad || t->bufs[a->buf].type)
			continue;
		ret = attr_buf(p, va, a, &t->bufs[a->buf]);
		if (ret)
			return ret;
	}
	return 0;
}

static int read_table(struct mali_reader *r, u64 va, u32 n, bool varying,
		      struct mali_attr_table *t)
{
	const char *field = varying ? "varyings" : "attributes";
	struct mali_attr *a;
	void *mem;
	int ret;

	/* Without rasterisation, the varyings of transform feedback are unused. */
	if (!n || (!va && varying))
		return 0;
	if (!va)
		return mali_reject_at(&r->p, MALI_NULL_POINTER, field, r->l->state_va, n);
	if (!r->begun) {
		ret = mali_reader_begin(r, n, sizeof(*t->attr), field, &mem);
		if (ret)
			return ret;
		t->attr = mem;
		t->n = n;
	}
	for (; r->i < n; r->i++) {
		if (!mali_reader_more(r))
			return -EAGAIN;
		a = &t->attr[r->i];
		ret = read_attr(&r->p, va + r->i * 8ULL, varying, a);
		if (ret)
			return ret;
		if (a->va && !a->bad)
			t->nbufs = max_t(u32, t->nbufs, a->buf + 1);
	}
	return 0;
}

int mali_read_attrs(struct mali_reader *r)
{
	return read_table(r, r->t.attrs, r->t.nattrs, false, &r->l->attrs);
}

int mali_read_attr_bufs(struct mali_reader *r)
{
	return read_bufs(r, r->t.attr_bufs, false, &r->l->attrs);
}

int mali_read_varyings(struct mali_reader *r)
{
	return read_table(r, r->t.varyings, r->t.nvaryings, true, &r->l->varyings);
}

int mali_read_varying_bufs(struct mali_reader *r)
{
	return read_bufs(r, r->t.varying_bufs, true, &r->l->varyings);
}
