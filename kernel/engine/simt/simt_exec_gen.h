/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Out-of-line handlers of the SIMT executor, one per operation, for the lanes of a mask: for
 * operations without a handler in the dispatcher, or whose handler there takes no modifiers. They
 * are long or rare, so that a specialisation for full masks does not pay.
 */
#define LANES(l)	for (l = 0; l < SIMT_LANES; l += VS_W) \
				if (b->mask >> l & SIMT_VEC_LANES)
#define PUT(d, r)	v_put(b, b->mask >> l, l, (d) + l, r)

#define LOCALS								\
	const u32 *unif __maybe_unused = b->unif;			\
	u32 *slot = b->slot, imm __maybe_unused = u->imm, l;		\
	const u32 gap __maybe_unused = 0, owned __maybe_unused = 0

#define GEN_I(name, n, r)						\
static noinline void do_##name(struct simt_block *b, const struct simt_uop *u)	\
{									\
	LOCALS;								\
									\
	SOURCES_##n(SRC, SRC);							\
	LANES(l) {							\
		READ_##n;						\
									\
		PUT(d, r);						\
	}								\
}

#define GEN_F1(name, r)							\
static noinline void do_##name(struct simt_block *b, const struct simt_uop *u)	\
{									\
	LOCALS;								\
	struct mods m0 = mods(u, 0);					\
	u32 clamp = SIMT_CLAMP_OF(u->mods);				\
									\
	SOURCES_1(SRC, SRC);							\
	LANES(l) {							\
		vf x = modified(m0, at(o0, l));				\
									\
		PUT(d, as_i(num_clamp(clamp, r)));			\
	}								\
}

#define GEN_F2(name, r)							\
static noinline void do_##name(struct simt_block *b, const struct simt_uop *u)	\
{									\
	LOCALS;								\
	struct mods m0 = mods(u, 0), m1 = mods(u, 1);			\
	u32 clamp = SIMT_CLAMP_OF(u->mods);				\
									\
	SOURCES_2(SRC, SRC);							\
	LANES(l) {							\
		vf x = modified(m0, at(o0, l));				\
		vf y = modified(m1, at(o1, l));				\
									\
		PUT(d, as_i(num_clamp(clamp, r)));			\
	}								\
}

/* Results that are not floats. */
#define GEN_B1(name, r)							\
static noinline void do_##name(struct simt_block *b, const struct simt_uop *u)	\
{									\
	LOCALS;								\
	struct mods m0 = mods(u, 0);					\
									\
	SOURCES_1(SRC, SRC);							\
	LANES(l) {							\
		vf x = modified(m0, at(o0, l));				\
									\
		PUT(d, r);						\
	}								\
}

#define GEN_H1(name, r)							\
static noinline void do_##name(struct simt_block *b, const struct simt_uop *u)	\
{									\
	LOCALS;								\
	struct hmods m0 = hmods(u, 0);					\
	u32 clamp = SIMT_CLAMP_OF(u->mods);				\
									\
	SOURCES_1(SRC, SRC);							\
	LANES(l) {							\
		struct vh h0 = hmodified(m0, at(o0, l)), h;		\
		vf x;							\
									\
		x = h0.x;						\
		h.x = num_clamp(clamp, r);				\
		x = h0.y;						\
		h.y = num_clamp(clamp, r);				\
		PUT(d, h_join(h));					\
	}								\
}

#define GEN_H2(name, r)							\
static noinline void do_##name(struct simt_block *b, const struct simt_uop *u)	\
{									\
	LOCALS;								\
	struct hmods m0 = hmods(u, 0), m1 = hmods(u, 1);		\
	u32 clamp = SIMT_CLAMP_OF(u->mods);				\
									\
	SOURCES_2(SRC, SRC);							\
	LANES(l) {							\
		struct vh h0 = hmodified(m0, at(o0, l));		\
		struct vh h1 = hmodified(m1, at(o1, l)), h;		\
		vf x, y;						\
									\
		x = h0.x;						\
		y = h1.x;						\
		h.x = num_clamp(clamp, r);				\
		x = h0.y;						\
		y = h1.y;						\
		h.y = num_clamp(clamp, r);				\
		PUT(d, h_join(h));					\
	}								\
}

GEN_F1(FMOV, x)
GEN_F2(FADDM, f_canon(f_add(x, num_frexpm(SIMT_FREXP_LOG, y))))
GEN_F2(FMIN, num_minmax_by(false, imm, x, y))
GEN_F2(FMAX, num_minmax_by(true, imm, x, y))
GEN_F1(FRND, f_canon(num_round(imm, x)))
GEN_F1(FSQRT, f_canon(f_sqrt(x)))
GEN_F1(FRCP, num_rcp(x))
GEN_F1(FRSQ, f_canon(num_root_rcp(x)))
GEN_F1(FHALF, num_half(x))
GEN_F1(FEXP2, f_canon(f32x_ex2(x)))
GEN_F1(FLOG2, f_canon(f32x_lg2(x)))
GEN_F1(FSINPI, num_sinpi(x))
GEN_F1(FCOSPI, num_cospi(x))
GEN_F1(FLOGD, num_logd(x))
GEN_I(FEXPX, 2, as_i(num_expx(x, as_f(y))))
GEN_B1(FREXPM, as_i(num_frexpm(imm, x)))
GEN_B1(FREXPE, num_frexpe(imm, x))
GEN_B1(FRCPA, as_i(num_rcp_approx(x)))
GEN_B1(FRSQA, as_i(num_rsq_approx(x)))
GEN_B1(F2I, f_to_s32(num_round(imm, x)))
GEN_B1(F2U, f_to_u32(num_round(imm, x)))
GEN_I(FFTZ, 1, num_ftz(x))
GEN_I(FSUPP, 1, num_supp(imm, x))

GEN_I(FEXPT, 1, v_lookup(simt_exp_table, x & splat_i(15)))
GEN_I(FSINT, 1, num_sine_table(x))
GEN_I(FCOST, 1, num_sine_table(i_add(x, splat_i(16))))
GEN_B1(FLOGT, num_log_table(imm & 3, x))
GEN_I(HFTZ, 1, num_half_ftz(x))
GEN_I(HSUPP, 1, num_half_supp(imm, x))

GEN_H2(HADD, f_canon(f_add(x, y)))
GEN_H2(HMUL, f_canon(f_mul(x, y)))
GEN_H2(HMIN, num_minmax_by(false, imm, x, y))
GEN_H2(HMAX, num_minmax_by(true, imm, x, y))
GEN_H1(HRND, f_canon(num_round(imm, x)))

#define INVERT(n)	splat_i(imm & (n) ? ~0U : 0)
GEN_I(IAND, 2, ((x ^ INVERT(1)) & (y ^ INVERT(2))) ^ INVERT(4))
GEN_I(IOR, 2, ((x ^ INVERT(1)) | (y ^ INVERT(2))) ^ INVERT(4))
GEN_I(IXOR, 2, x ^ y ^ INVERT(1) ^ INVERT(2) ^ INVERT(4))
#undef INVERT
GEN_I(IMULH, 2, i_mulh(x, y))
GEN_I(UMULH, 2, u_mulh(x, y))
GEN_I(CLZ, 1, num_clz(imm, x))
GEN_I(POPC, 1, num_popc(x))
GEN_I(BREV, 1, num_brev(x))
GEN_I(IADDS, 2, num_iadds(x, y))
GEN_I(ISUBS, 2, num_isubs(x, y))
GEN_I(UADDS, 2, num_uadds(x, y))
GEN_I(USUBS, 2, num_usubs(x, y))
GEN_I(IHADD, 2, num_ihadd(imm, x, y))
GEN_I(IABS, 1, i_sub(x ^ (x >> 31), x >> 31))
GEN_I(FUN, 3, v_shr(x, z & splat_i(31)) | v_shl(i_shl(y, 1), ~z & splat_i(31)))

GEN_I(ISAT16, 2, part_all(PART_SAT, 16, imm, x, y))
GEN_I(ISAT8, 2, part_all(PART_SAT, 8, imm, x, y))
GEN_I(IHADD16, 2, part_all(PART_HADD, 16, imm, x, y))
GEN_I(IHADD8, 2, part_all(PART_HADD, 8, imm, x, y))
GEN_I(IABS16, 1, part_all(PART_ABS, 16, imm, x, x))
GEN_I(IABS8, 1, part_all(PART_ABS, 8, imm, x, x))
GEN_I(SHL16, 2, part_all(PART_SHL, 16, imm, x, y))
GEN_I(SHL8, 2, part_all(PART_SHL, 8, imm, x, y))
GEN_I(SHR16, 2, part_all(PART_SHR, 16, imm, x, y))
GEN_I(SHR8, 2, part_all(PART_SHR, 8, imm, x, y))
GEN_I(ASR16, 2, part_all(PART_ASR, 16, imm, x, y))
GEN_I(ASR8, 2, part_all(PART_ASR, 8, imm, x, y))
GEN_I(CLZ16, 1, part_all(PART_CLZ, 16, imm, x, x))
GEN_I(CLZ8, 1, part_all(PART_CLZ, 8, imm, x, x))
GEN_I(IMUL8, 2, part_all(PART_MUL, 8, imm, x, y))
#if VS_W != 1
GEN_I(IADD16, 2, p16_add(x, y))
GEN_I(ISUB16, 2, p16_sub(x, y))
GEN_I(IMUL16, 2, p16_mul(x, y))
GEN_I(IMM16, 2, p16_minmax(imm, x, y))
GEN_I(ICMP16, 2, p16_cmp(imm & 0x4f, x, y) & splat_i(simt_true16(imm, false) * 0x00010001))
GEN_I(CSEL16, 4, i_sel(p16_cmp(imm, x, y), z, w))
GEN_I(IADD8, 2, p8_add(x, y))
GEN_I(ISUB8, 2, p8_sub(x, y))
GEN_I(IMM8, 2, p8_minmax(imm, x, y))
GEN_I(ICMP8, 2, p8_cmp(imm & 0x4f, x, y) & splat_i((simt_true16(imm, false) & 0xff) * 0x01010101))
GEN_I(CSEL8, 4, i_sel(p8_cmp(imm & 0x4f, x, y), z, w))
#endif

#undef GEN_F1
#undef GEN_F2
#undef GEN_B1
#undef GEN_H1
#undef GEN_H2
#undef GEN_I

static noinline void do_LANE(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	vi own = v_lanes();
	u32 *d = DEST;

	LANES(l)
		PUT(d, i_add(own, splat_i(l)) & splat_i(imm));
}

static noinline void do_H2F(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct mods m0 = mods(u, 0);
	u32 clamp = SIMT_CLAMP_OF(u->mods), shift = 16 * (imm & 1);

	SOURCES_1(SRC, SRC);
	LANES(l) {
		vf x = h_widen(i_shr(at(o0, l), shift) & splat_i(0xffff));

		PUT(d, as_i(num_clamp(clamp, f_canon(modified(m0, as_i(x))))));
	}
}

static noinline void do_HFMA(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct hmods m0 = hmods(u, 0), m1 = hmods(u, 1), m2 = hmods(u, 2);
	u32 clamp = SIMT_CLAMP_OF(u->mods);

	SOURCES_3(SRC, SRC);
	LANES(l) {
		struct vh x = hmodified(m0, at(o0, l)), y = hmodified(m1, at(o1, l));
		struct vh z = hmodified(m2, at(o2, l)), h;

		h.x = num_clamp(clamp, f_canon(h_fma(x.x, y.x, z.x)));
		h.y = num_clamp(clamp, f_canon(h_fma(x.y, y.y, z.y)));
		PUT(d, h_join(h));
	}
}

static noinline void do_HFMAR(struct simt_block *b, const struct simt_uop *u)
{
	if ((u->imm & 7) == SIMT_RTE)
		do_HFMA(b, u);
	else
		simt_scalar(b, u);
}

static noinline void do_HCMP(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct hmods m0 = hmods(u, 0), m1 = hmods(u, 1);
	vi yes = splat_i(simt_true16(imm, true) * 0x00010001), one = splat_i(VS_F32_ONE);

	SOURCES_2(SRC, SRC);
	LANES(l) {
		struct vh x = hmodified(m0, at(o0, l)), y = hmodified(m1, at(o1, l)), h;

		h.x = as_f(m_and(num_cmp_by(imm, x.x, y.x), one));
		h.y = as_f(m_and(num_cmp_by(imm, x.y, y.y), one));
		PUT(d, num_half_mask(h_join(h)) & yes);
	}
}

static noinline void do_F2H2(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct mods m0 = mods(u, 0), m1 = mods(u, 1);
	u32 clamp = imm >> 4 & 3;

	if ((imm & 7) > H_NARROW_MODES) {
		simt_scalar(b, u);
		return;
	}
	/* The bounds are halves, so clamping may come first. */
	SOURCES_2(SRC, SRC);
	LANES(l) {
		vf x = num_clamp(clamp, f_canon(modified(m0, at(o0, l))));
		vf y = num_clamp(clamp, f_canon(modified(m1, at(o1, l))));

		PUT(d, h_narrow_by(imm & 7, x) | i_shl(h_narrow_by(imm & 7, y), 16));
	}
}

static noinline void do_FCMP(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct mods m0 = mods(u, 0), m1 = mods(u, 1);
	vi yes = splat_i(simt_true(imm));

	SOURCES_2(SRC, SRC);
	LANES(l) {
		vf x = modified(m0, at(o0, l)), y = modified(m1, at(o1, l));

		PUT(d, m_and(num_cmp_by(imm, x, y), yes));
	}
}

static noinline void do_FCSEL(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct mods m0 = mods(u, 0), m1 = mods(u, 1);

	SOURCES_4(SRC, SRC);
	LANES(l) {
		vf x = modified(m0, at(o0, l)), y = modified(m1, at(o1, l));

		PUT(d, m_sel(num_cmp_by(imm, x, y), at(o2, l), at(o3, l)));
	}
}

#if VS_W >= 8
static noinline void do_PERM(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct perm p = perm_prepare(imm);

	SOURCES_2(SRC, SRC);
	LANES(l) {
		READ_2;

		PUT(d, perm_do(&p, true, x, y));
	}
}
#endif

static noinline void do_WMASK(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	u32 n = 1U << min_t(u32, imm & 7, 5);
	vi own = v_lanes() & splat_i(n < VS_W ? ~(n - 1) : 0), cut = splat_i(~0U >> (32 - n));
	u64 set = 0;

	SOURCES_1(SRC, SRC);
	LANES(l)
		set |= (v_movemask(i_eq(at(o0, l), splat_i(0))) ^ SIMT_VEC_LANES) << l;
	set &= b->mask;
	LANES(l)
		PUT(d, v_shr(splat_i(set >> (n < VS_W ? l : l & ~(n - 1))), own) & cut);
}

#if VS_W != 1

static noinline void do_FMASC(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct mods m0 = mods(u, 0), m1 = mods(u, 1), m2 = mods(u, 2);
	u32 clamp = SIMT_CLAMP_OF(u->mods), mode = imm & 7;

	if (mode != SIMT_RTE && mode != SIMT_RTZ) {
		simt_scalar(b, u);
		return;
	}
	SOURCES_4(SRC, SRC);
	LANES(l) {
		vf x = modified(m0, at(o0, l)), y = modified(m1, at(o1, l)), r;
		vi e = i_max(i_min(at(o3, l), splat_i(600)), splat_i(-600));

		if (imm & 0x30) {
			vi most = splat_i(0x7fffffff), zero = splat_i(0), any, nan, left;

			any = i_eq(as_i(x) & most, zero) | i_eq(as_i(y) & most, zero);
			nan = any & f_nan(f_mul(x, y)) & splat_i(imm & 0x10 ? -1 : 0);
			left = any & splat_i(imm & 0x20 ? -1 : 0);
			x = as_f(as_i(x) & ~nan);
			y = as_f((as_i(y) & ~(nan | left)) | (left & splat_i(0x3f800000)));
		}
		r = f_fma_scaled(x, y, modified(m2, at(o2, l)), e, mode == SIMT_RTZ);
		PUT(d, as_i(num_clamp(clamp, f_canon(r))));
	}
}

static noinline void do_FMAR(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct mods m0 = mods(u, 0), m1 = mods(u, 1), m2 = mods(u, 2);
	u32 clamp = SIMT_CLAMP_OF(u->mods);

	if ((imm & 7) != SIMT_RTZ) {
		simt_scalar(b, u);
		return;
	}
	SOURCES_3(SRC, SRC);
	LANES(l) {
		vf x = modified(m0, at(o0, l)), y = modified(m1, at(o1, l));
		vf r = f_fma_scaled(x, y, modified(m2, at(o2, l)), splat_i(0), true);

		PUT(d, as_i(num_clamp(clamp, f_canon(r))));
	}
}

/* Subgroups that are inside a vector: those of derivatives always are. */
static noinline void do_CLPER(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	u32 n = 2U << (imm >> 4 & 3);
	vi in = splat_i(n - 1), own = v_lanes(), none = splat_i(simt_inactive_value[imm >> 8 & 15]);

	if (n > VS_W) {
		simt_scalar(b, u);
		return;
	}
	SOURCES_2(SRC, SRC);
	LANES(l) {
		vi v = at(o0, l), to = at(o1, l);

		switch (imm & 3) {
		case SIMT_LANE_XOR:
			to ^= own;
			break;
		case SIMT_LANE_ACCUMULATE:
			to |= own;
			break;
		case SIMT_LANE_SHIFT:
			to = i_add(to, own);
			break;
		}
		to = i_sel(in, to, own);
		v = v_permute(v, to);
		if (b->mask != ~0ULL)
			v = i_sel(v_permute(v_active(b, b->mask >> l, l), to), v, none);
		PUT(d, v);
	}
}

#endif

#define GEN_FLOATS(fn)							\
	fn(FMOV) fn(FADDM) fn(FMIN) fn(FMAX) fn(FRND) fn(FSQRT) fn(FRCP) fn(FRSQ)	\
	fn(FEXP2) fn(FLOG2) fn(FSINPI) fn(FCOSPI) fn(FLOGD) fn(FEXPX) fn(FREXPM)	\
	fn(FREXPE) fn(FRCPA) fn(FRSQA) fn(F2I) fn(F2U) fn(FFTZ) fn(FSUPP) fn(FCMP)	\
	fn(FCSEL) fn(F2H2) fn(H2F) fn(FHALF) fn(FEXPT) fn(FSINT) fn(FCOST) fn(FLOGT)
#define GEN_HALVES(fn)							\
	fn(HADD) fn(HMUL) fn(HFMA) fn(HMIN) fn(HMAX) fn(HRND) fn(HCMP) fn(HFTZ)	\
	fn(HSUPP) fn(HFMAR)
#define GEN_INTS(fn)							\
	fn(IAND) fn(IOR) fn(IXOR) fn(IMULH) fn(UMULH) fn(IABS) fn(FUN) fn(LANE)	\
	fn(CLZ) fn(POPC) fn(BREV) fn(IADDS) fn(ISUBS) fn(UADDS) fn(USUBS) fn(IHADD)	\
	fn(WMASK) fn(ISAT16) fn(ISAT8) fn(IHADD16) fn(IHADD8)	\
	fn(IABS16) fn(IABS8) fn(SHL16) fn(SHL8) fn(SHR16) fn(SHR8) fn(ASR16) fn(ASR8)	\
	fn(CLZ16) fn(CLZ8) fn(IMUL8)
#if VS_W >= 8
#define GEN_PERM(fn)	fn(PERM)
#else
#define GEN_PERM(fn)
#endif
#if VS_W != 1
#define GEN_PARTS(fn)							\
	fn(IADD16) fn(ISUB16) fn(IMUL16) fn(IMM16) fn(ICMP16) fn(CSEL16) fn(IADD8)	\
	fn(ISUB8) fn(IMM8) fn(ICMP8) fn(CSEL8) fn(FMASC) fn(FMAR) fn(CLPER)
#else
#define GEN_PARTS(fn)
#endif

/* Operations without a handler in the dispatcher, for one block. */
static void general_block(struct simt_block *b, const struct simt_uop *u)
{
	switch (u->op) {
#define CASE(op)				\
	case SIMT_##op:				\
		do_##op(b, u);			\
		break;
	GEN_FLOATS(CASE)
	GEN_HALVES(CASE)
	GEN_INTS(CASE)
	GEN_PERM(CASE)
	GEN_PARTS(CASE)
#undef CASE
	default:
		simt_scalar(b, u);
	}
}

/* The same for all blocks in step. */
static noinline void general(struct simt_block *b, const struct simt_uop *u)
{
	u32 *slot = b->slot, n = u->d < b->own ? b->step : 1, k;

	v_masks(b);
	for (k = 0; k < n; k++) {
		if (k)
			simt_fetch(b, slot, u);
		general_block(b, u);
		b->slot += b->gap;
	}
	b->slot = slot;
}

#undef LANES
#undef PUT
#undef LOCALS
#undef GEN_FLOATS
#undef GEN_HALVES
#undef GEN_INTS
#undef GEN_PERM
#undef GEN_PARTS
