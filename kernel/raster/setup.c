// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Setup of triangles, lines and points: corners to edge functions.
 */
#include "vr_small.h"

#define SIGN		0x80000000U
#define MAX_EXPONENT	162	/* biased, of numbers below 2^36 */
#define MAX_WIDTH	143	/* biased exponent of 2^16: lines and points */
#define NEAR		((s64)BIT_ULL(23))	/* 2^15 pixels */
#define MANTISSA	53

/* ---- snapping ---- */

static u32 setup_exponent(u32 f)
{
	return f >> 23 & 0xff;
}

/* Binary32, with a biased exponent of at most MAX_EXPONENT + @less, to 1/256 of 2^@less. */
static __always_inline s64 fixed(u32 f, u32 less)
{
	s32 shift = (s32)setup_exponent(f) - (s32)less - (150 - VR_SUBPIXEL_BITS);
	s64 v = (f & 0x7fffff) | 0x800000;

	/* denormal numbers, too */
	if (shift < -25)
		return 0;
	if (shift >= 0)
		v <<= shift;
	else
		v = ((v >> (-shift - 1)) + 1) >> 1;
	return f & SIGN ? -v : v;
}

/* Return: false: not a number of finite size. */
static __always_inline bool snap(struct vr_corner *c, const struct vr_vertex *v)
{
	u32 e = max(setup_exponent(v->x), setup_exponent(v->y));

	if (e == 0xff || (v->inv_w & ~SIGN) >= 0x7f800000)
		return false;
	c->exp = e > MAX_EXPONENT ? e - MAX_EXPONENT : 0;
	c->x = fixed(v->x, c->exp);
	c->y = fixed(v->y, c->exp);
	c->behind = v->inv_w & SIGN;
	return true;
}

void vr_sample_place(u32 samples, u32 sample, s32 *x, s32 *y)
{
	/* the hardware's, in 1/16 of a pixel from its centre */
	static const s8 four[4][2] = { { -2, -6 }, { 6, -2 }, { -6, 2 }, { 2, 6 } };
	static const s8 eight[8][2] = {
		{ 1, -3 }, { -1, 3 }, { 5, 1 }, { -3, -5 }, { -5, 5 }, { -7, -1 }, { 3, 7 },
		{ 7, -7 },
	};
	static const s8 sixteen[16][2] = {
		{ 1, 1 }, { -1, -3 }, { -3, 2 }, { 4, -1 }, { -5, -2 }, { 2, 5 }, { 5, 3 },
		{ 3, -5 }, { -2, 6 }, { 0, 7 }, { -4, -6 }, { -6, 4 }, { -8, 0 }, { 7, -4 },
		{ 6, 7 }, { -7, -8 },
	};
	const s8 (*at)[2] = samples == 4 ? four : samples == 8 ? eight : sixteen;

	*x = VR_ONE / 2;
	*y = VR_ONE / 2;
	if (samples == 1)
		return;
	*x += at[sample & (samples - 1)][0] * (VR_ONE / 16);
	*y += at[sample & (samples - 1)][1] * (VR_ONE / 16);
}

/* ---- edges ---- */

/* Of two primitives on either side of an edge exactly one has the points on it. */
static __always_inline bool is_open(const struct vr_edge *e)
{
	return !(e->a > 0 || (!e->a && e->b > 0));
}

static void close_edge(struct vr_edge *e)
{
	e->open = is_open(e);
	e->c -= e->open;
}

/*
 * Twice the area of a point with @p and @q; positive if they go clockwise as seen. @wide: it needs
 * more than 64 bits
 */
static __always_inline void make_edge(struct vr_edge *e, const struct vr_corner *p,
				      const struct vr_corner *q, bool wide, bool negate)
{
	s64 sign = negate ? -1 : 1, c;

	e->a = (p->y - q->y) * sign;
	e->b = (q->x - p->x) * sign;
	if (wide) {
		e->c = -((vr_s128)e->a * p->x + (vr_s128)e->b * p->y);
		close_edge(e);
		return;
	}
	c = -(e->a * p->x + e->b * p->y);
	e->open = is_open(e);
	e->c = c - e->open;
}

static vr_s128 setup_value(const struct vr_edge *e, s64 x, s64 y)
{
	return (vr_s128)e->a * x + (vr_s128)e->b * y + e->c;
}

/* ---- pixels that may be covered ---- */

/* Columns or rows with a sample between @lo and @hi. */
static void setup_narrow(s32 *from, s32 *to, s64 lo, s64 hi, u32 samples)
{
	s64 in = vr_sample_inset(samples), first, last;

	first = (lo + in - 1) >> VR_SUBPIXEL_BITS;
	last = (hi - in) >> VR_SUBPIXEL_BITS;
	/* both are below 2^37, and @from and @to in a frame */
	*from = first > *to ? *to + 1 : max_t(s64, *from, first);
	*to = last < *from ? *from - 1 : min_t(s64, *to, last);
}

/* Return: false: scissor and frame have no pixel in common. */
static __always_inline bool whole_box(struct vr_prim *p, const struct vr_state *st)
{
	p->samples = st->samples == 4 || st->samples == 8 || st->samples == 16 ? st->samples : 1;
	p->sample_mask = st->sample_mask & ((1U << p->samples) - 1);
	return p->sample_mask && vr_state_box(p->box, st);
}

static __always_inline bool box_of(s32 box[4], u32 samples, s64 x0, s64 y0, s64 x1, s64 y1)
{
	setup_narrow(&box[0], &box[2], x0, x1, samples);
	if (box[0] > box[2])
		return false;
	setup_narrow(&box[1], &box[3], y0, y1, samples);
	return box[1] <= box[3];
}

static u32 bits_of(vr_s128 v)
{
	u64 hi, lo;

	if (v < 0)
		v = -v;
	hi = (u64)(v >> 64);
	lo = (u64)v;
	return hi ? 128 - __builtin_clzll(hi) : lo ? 64 - __builtin_clzll(lo) : 0;
}

/* Edge functions are linear: their largest values are at corners of the box. */
static noinline void find_wide_shifts(struct vr_prim *p, u32 n)
{
	u32 i, k, bits;
	s64 x, y;

	for (i = 0; i < n; i++) {
		for (k = 0; k < 4; k++) {
			x = (s64)(p->box[k & 1 ? 2 : 0] + (k & 1)) * VR_ONE;
			y = (s64)(p->box[k & 2 ? 3 : 1] + (k >> 1)) * VR_ONE;
			bits = bits_of(setup_value(&p->edge[i], x, y) + p->edge[i].open);
			if (bits > MANTISSA)
				p->shift[i] = max_t(u32, p->shift[i], bits - MANTISSA);
		}
	}
}

static __always_inline void find_shifts(struct vr_prim *p, u32 n)
{
	memset(p->shift, 0, sizeof(p->shift));
	if (unlikely(p->wide))
		find_wide_shifts(p, n);
}

/* ---- triangles ---- */

static __always_inline bool is_near(const struct vr_corner *c)
{
	return ((u64)(c->x + NEAR) <= 2 * NEAR) & ((u64)(c->y + NEAR) <= 2 * NEAR);
}

/* Is the triangle culled? Finds its side. */
static bool culled(u32 flags, const struct vr_corner c[3], bool clockwise, bool *back)
{
	return vr_is_culled(flags, clockwise, c[0].behind ^ c[1].behind ^ c[2].behind, back);
}

static __always_inline bool triangle_box(s32 box[4], u32 samples, const struct vr_corner c[3],
					 bool rectangle)
{
	s64 x0 = min3(c[0].x, c[1].x, c[2].x), x1 = max3(c[0].x, c[1].x, c[2].x);
	s64 y0 = min3(c[0].y, c[1].y, c[2].y), y1 = max3(c[0].y, c[1].y, c[2].y);

	/* a centre on the lower end is inside, on the upper one outside */
	if (rectangle)
		return box_of(box, 1, x0, y0, x1 - 1, y1 - 1);
	/* the part in front of the eye may extend anywhere */
	if (c[0].behind || c[1].behind || c[2].behind)
		return true;
	return box_of(box, samples, x0, y0, x1, y1);
}

/* Sign of the area: 1 clockwise. */
static s32 turn_of(const struct vr_corner c[3], bool wide)
{
	s64 x1 = c[1].x - c[0].x, y1 = c[1].y - c[0].y, x2 = c[2].x - c[0].x, y2 = c[2].y - c[0].y;
	vr_s128 area = wide ? (vr_s128)x1 * y2 - (vr_s128)y1 * x2 : x1 * y2 - y1 * x2;

	return area > 0 ? 1 : area < 0 ? -1 : 0;
}

static bool are_wide(const struct vr_corner c[3])
{
	/* without branches; clang warns of operands that are all booleans */
	return !((u32)is_near(&c[0]) & is_near(&c[1]) & is_near(&c[2]));
}

bool vr_snap(struct vr_corner *c, const struct vr_vertex *v)
{
	return snap(c, v);
}

bool vr_triangle_pixels(s32 box[4], u32 flags, u32 samples, const struct vr_corner c[3])
{
	bool back;
	s32 turn;

	if ((c[0].behind && c[1].behind && c[2].behind) || !triangle_box(box, samples, c, false))
		return false;
	turn = turn_of(c, are_wide(c));
	return turn && !culled(flags, c, turn > 0, &back);
}

bool vr_setup_triangle(struct vr_prim *p, const struct vr_state *st,
		       const struct vr_vertex *const v[3])
{
	bool rectangle = st->flags & VR_RECTANGLE;
	struct vr_corner c[3];
	u32 i, a, b;
	s32 turn;

	if (!snap(&c[0], v[0]) || !snap(&c[1], v[1]) || !snap(&c[2], v[2]) ||
	    (c[0].behind && c[1].behind && c[2].behind))
		return false;
	if (!whole_box(p, st) || !triangle_box(p->box, p->samples, c, rectangle))
		return false;
	p->wide = are_wide(c);
	turn = turn_of(c, p->wide);
	if (!turn || culled(st->flags, c, turn > 0, &p->back))
		return false;
	p->kind = VR_TRIANGLE;
	p->nedges = rectangle ? 0 : 3;
	for (i = 0; i < 3; i++) {
		a = i == 2 ? 0 : i + 1;
		b = i == 0 ? 2 : i - 1;
		make_edge(&p->edge[i], &c[a], &c[b], p->wide, (turn < 0) ^ c[i].behind);
		p->sign[i] = c[i].behind ? -1 : 1;
		p->exp[i] = c[i].exp;
	}
	find_shifts(p, 3);
	return true;
}

/* ---- lines ---- */

static u64 square_root(u64 v)
{
	u64 r = 0, bit;

	for (bit = 1ULL << 31; bit; bit >>= 1)
		if ((r | bit) * (r | bit) <= v)
			r |= bit;
	return r;
}

static s64 magnitude(s64 v)
{
	return v < 0 ? -v : v;
}

/* From the line's middle to its side, 1/512 pixels. @d: from end to end, not 0. */
static void to_side(const struct vr_state *st, const s64 d[2], s64 width, s64 side[2])
{
	s64 x = d[0], y = d[1], longest = max(magnitude(x), magnitude(y)), length;
	u32 bits;

	if (st->flags & VR_LINE_ALIGNED) {
		side[0] = magnitude(x) >= magnitude(y) ? 0 : width;
		side[1] = magnitude(x) >= magnitude(y) ? width : 0;
		/* clockwise from the direction of the line */
		if (side[0] ? y > 0 : x < 0) {
			side[0] = -side[0];
			side[1] = -side[1];
		}
		return;
	}
	/* 24 bits of direction are enough for a width of 2^24 units */
	bits = bits_of(longest);
	if (bits > 24) {
		x >>= bits - 24;
		y >>= bits - 24;
	} else {
		x *= 1LL << (24 - bits);
		y *= 1LL << (24 - bits);
	}
	length = square_root((u64)(x * x) + (u64)(y * y));
	side[0] = -y * width / length;
	side[1] = x * width / length;
}

/* Half plane with normal @n that ends at @at, in 1/512 pixels. */
static void half_plane(struct vr_edge *e, s64 a, s64 b, s64 x, s64 y)
{
	vr_s128 c = -((vr_s128)a * x + (vr_s128)b * y);

	/* twice the function has whole coefficients */
	e->a = 2 * a;
	e->b = 2 * b;
	e->c = c;
	close_edge(e);
}

static void line_ends(struct vr_prim *p, const struct vr_state *st, const struct vr_corner c[2],
		      const s64 d[2])
{
	s64 a = d[0], b = d[1];
	u32 i;

	if (st->flags & VR_LINE_ALIGNED) {
		if (magnitude(a) >= magnitude(b))
			b = 0;
		else
			a = 0;
	}
	for (i = 0; i < 2; i++) {
		bool negate = !i ^ c[i].behind;
		const struct vr_corner *end = &c[!i];

		half_plane(&p->edge[i], negate ? -a : a, negate ? -b : b, 2 * end->x, 2 * end->y);
		/* as OpenGL has it, the pixel of the second end is the next line's */
		if (st->flags & VR_LINE_ALIGNED) {
			p->edge[i].c += p->edge[i].open - !i;
			p->edge[i].open = !i;
		}
		p->sign[i] = c[i].behind ? -1 : 1;
		p->exp[i] = c[i].exp;
	}
}

static bool line_box(struct vr_prim *p, const struct vr_corner c[2], const s64 side[2])
{
	s64 x = (magnitude(side[0]) + 1) / 2, y = (magnitude(side[1]) + 1) / 2;

	if (c[0].behind || c[1].behind)
		return true;
	return box_of(p->box, p->samples, min(c[0].x, c[1].x) - x, min(c[0].y, c[1].y) - y,
		      max(c[0].x, c[1].x) + x, max(c[0].y, c[1].y) + y);
}

bool vr_setup_line(struct vr_prim *p, const struct vr_state *st,
		   const struct vr_vertex *const v[2], u32 width)
{
	struct vr_corner c[2];
	s64 d[2], side[2], w;

	if (!snap(&c[0], v[0]) || !snap(&c[1], v[1]) || (c[0].behind && c[1].behind) ||
	    width & SIGN || setup_exponent(width) > MAX_WIDTH || !whole_box(p, st))
		return false;
	w = fixed(width, 0);
	d[0] = c[1].x - c[0].x;
	d[1] = c[1].y - c[0].y;
	if (!w || (!d[0] && !d[1]))
		return false;
	to_side(st, d, w, side);
	if (!line_box(p, c, side))
		return false;
	p->kind = VR_LINE;
	p->nedges = 4;
	p->back = false;
	p->wide = !is_near(&c[0]) || !is_near(&c[1]);
	line_ends(p, st, c, d);
	half_plane(&p->edge[2], -d[1], d[0], 2 * c[0].x - side[0], 2 * c[0].y - side[1]);
	half_plane(&p->edge[3], d[1], -d[0], 2 * c[0].x + side[0], 2 * c[0].y + side[1]);
	p->sign[2] = 1;
	p->exp[2] = 0;
	find_shifts(p, 2);
	return true;
}

/* ---- points ---- */

/* There is one corner. */
static void make_flat(struct vr_prim *p)
{
	memset(p->sign, 1, sizeof(p->sign));
	memset(p->exp, 0, sizeof(p->exp));
	memset(p->shift, 0, sizeof(p->shift));
}

bool vr_setup_point(struct vr_prim *p, const struct vr_state *st, const struct vr_vertex *v,
		    u32 size)
{
	struct vr_corner c;
	s64 s;

	if (!snap(&c, v) || c.behind || size & SIGN || setup_exponent(size) > MAX_WIDTH)
		return false;
	s = fixed(size, 0);
	if (!s || !whole_box(p, st) ||
	    !box_of(p->box, p->samples, c.x - (s + 1) / 2, c.y - (s + 1) / 2, c.x + (s + 1) / 2,
		    c.y + (s + 1) / 2))
		return false;
	p->kind = VR_POINT;
	p->nedges = 4;
	p->back = false;
	p->wide = !is_near(&c);
	p->at[0] = 2 * c.x - s;
	p->at[1] = 2 * c.y - s;
	p->size = s;
	half_plane(&p->edge[0], 1, 0, p->at[0], p->at[1]);
	half_plane(&p->edge[1], 0, 1, p->at[0], p->at[1]);
	half_plane(&p->edge[2], -1, 0, p->at[0] + 2 * s, p->at[1]);
	half_plane(&p->edge[3], 0, -1, p->at[0], p->at[1] + 2 * s);
	make_flat(p);
	return true;
}

/* ---- rectangles ---- */

bool vr_setup_rect(struct vr_prim *p, const struct vr_state *st)
{
	if (!whole_box(p, st))
		return false;
	p->kind = VR_RECT;
	p->nedges = 0;
	p->back = false;
	p->wide = false;
	make_flat(p);
	return true;
}
