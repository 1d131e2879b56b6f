/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * One build of the executor: its instantiations and entry points. The including file defines
 * the vector primitives and VS_ENTRY(name).
 */
#include "exec_run.h"

/*
 * Values are stored unchanged, or scaled. The exact 1.7.16 models, which need not be fast, use
 * vs_f24_load() in vs_exec_convert().
 */
static __always_inline void enter(bool scaled, vi *range, u32 *p, vf r)
{
#ifndef VS_NO_FAST
	if (scaled) {
		r = f24_enter(r);
		st_f(p, r);
		f24_note(range, r);
		return;
	}
#endif
	st_f(p, r);
}

static __always_inline vf leave(bool scaled, vf r)
{
#ifndef VS_NO_FAST
	if (scaled)
		return f24_leave(r);
#endif
	return r;
}

static __always_inline void load_rows(struct vs_block *b, const struct vs_rowio *r,
				      const u32 nc, const bool scaled, const bool linear)
{
	const u64 *off = r->off;
	const u8 *base = r->base;
	u64 stride = r->stride;
	vi range = ld_i(b->range);
	u32 i, l, *d = b->slot[r->slot];

	for (l = 0; l < VS_LANES; l += VS_W) {
		vf t[4];

#define VS_LIN(k)	(base + (k) * stride)
#define VS_IDX(k)	(base + off[k])
		if (linear)
			V_LOAD_ROWS(t, VS_LIN);
		else
			V_LOAD_ROWS(t, VS_IDX);
#undef VS_LIN
#undef VS_IDX
		base += linear ? VS_W * stride : 0;
		off += linear ? 0 : VS_W;
		VS_UNROLL(4)
		for (i = 0; i < nc; i++)
			enter(scaled, &range, d + VS_LANES * i + l, t[i]);
	}
	st_i(b->range, range);
}

static __always_inline void load_n(struct vs_block *b, const struct vs_rowio *r,
				   const bool scaled, const bool linear)
{
	if (r->ncomp == 4)
		load_rows(b, r, 4, scaled, linear);
	else if (r->ncomp == 3)
		load_rows(b, r, 3, scaled, linear);
	else if (r->ncomp == 2)
		load_rows(b, r, 2, scaled, linear);
	else
		load_rows(b, r, 1, scaled, linear);
}

noinline void VS_ENTRY(load)(enum vs_kind kind, struct vs_block *b, const struct vs_rowio *r)
{
	if (vs_kind_is_scaled(kind)) {
		if (r->off)
			load_n(b, r, true, false);
		else
			load_n(b, r, true, true);
		return;
	}
	if (r->off)
		load_n(b, r, false, false);
	else
		load_n(b, r, false, true);
	if (kind != VS_K_F32 && kind != VS_K_F32_X)
		VS_ENTRY(convert)(kind, b, r->slot, r->ncomp, false);
}

noinline void VS_ENTRY(convert)(enum vs_kind kind, struct vs_block *b, u32 slot, u32 n,
				bool ints)
{
	u32 *p = b->slot[slot], i, c;

	for (i = 0; i < n * VS_LANES && ints; i += VS_W)
		st_f(p + i, i_to_f(ld_i(p + i)));
	if (kind == VS_K_F24T_X || kind == VS_K_F24N_X) {
		for (c = 0; c < n; c++) {
			for (i = 0; i < b->lanes; i++)
				p[i] = vs_f24_load(p[i], kind == VS_K_F24N_X);
			p += VS_LANES;
		}
	} else if (vs_kind_is_scaled(kind)) {
		vi range = ld_i(b->range);

		for (i = 0; i < n * VS_LANES; i += VS_W)
			enter(true, &range, p + i, ld_f(p + i));
		st_i(b->range, range);
	}
}

static __always_inline void store_rows(struct vs_block *b, const struct vs_rowio *r,
				       const bool scaled)
{
	const u32 *s = b->slot[r->slot];
	u64 stride = r->stride;
	u8 *base = r->base;
	u32 i, l;

	for (l = 0; l < VS_LANES; l += VS_W) {
		vf t[4];

		VS_UNROLL(4)
		for (i = 0; i < 4; i++)
			t[i] = leave(scaled, ld_f(s + VS_LANES * i + l));
#define VS_LIN(k)	(base + (k) * stride)
		V_STORE_ROWS(t, VS_LIN);
#undef VS_LIN
		base += VS_W * stride;
	}
}

noinline void VS_ENTRY(store)(enum vs_kind kind, struct vs_block *b, const struct vs_rowio *r)
{
	if (vs_kind_is_scaled(kind))
		store_rows(b, r, true);
	else
		store_rows(b, r, false);
}

#ifdef VS_NAN_PROBE

/* Return: sums, differences and products of all pairs of @nan have the NaNs of softfloat.h. */
noinline bool VS_ENTRY(first_nan)(const u32 *nan, u32 n)
{
	vi wrong = splat_i(0);
	u32 i, k;

	for (i = 0; i < n; i++) {
		for (k = 0; k < n; k++) {
			vf a = splat_f(nan[i]), b = splat_f(nan[k]);
			vi want = splat_i(nan[i] | VS_F32_QUIET);

			wrong |= as_i(f_add(a, b)) ^ want;
			wrong |= as_i(f_sub(a, b)) ^ want;
			wrong |= as_i(f_mul(a, b)) ^ want;
		}
	}
	return v_movemask(i_eq(wrong, splat_i(0))) == (1ULL << VS_W) - 1;
}

#endif

noinline void VS_ENTRY(unload)(enum vs_kind kind, struct vs_block *b, u32 slot, u32 n)
{
	const u32 *s = b->slot[slot];
	u32 *d = b->tmp[0], i;
	bool scaled = vs_kind_is_scaled(kind);

	for (i = 0; i < n * VS_LANES; i += VS_W)
		st_f(d + i, leave(scaled, ld_f(s + i)));
}
