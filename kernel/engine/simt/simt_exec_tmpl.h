/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The SIMT executor. Included once for each instantiation with
 *
 * FN(name)	names of its functions, of which only RUN is made if SIMT_STEP
 * RUN		name of the one that executes micro-ops
 * SIMT_MASKED	some lanes only; vectors without any are skipped
 * SIMT_STEP	several blocks in step
 *
 * What a handler needs of the micro-op it reads before its lane loop: stores to slots could
 * alias it as far as the compiler knows. Sources are read before a vector of the
 * destination is written, so they may be the same slot.
 */

#if SIMT_MASKED
#define LANES(l)	for (l = 0; l < SIMT_LANES; l += VS_W) \
				if (mask >> l & SIMT_VEC_LANES)
#define PUT(d, r)	v_put(b, mask >> l, l, (d) + l, r)
#else
#define LANES(l)	for (l = 0; l < SIMT_LANES; l += VS_W)
#define PUT(d, r)	st_i((d) + l, r)
#endif

#if SIMT_STEP
#define BLOCKS		for (left = u->d < owned ? step : 1; left; left--)
#define NEXT_1		(o0.p += o0.gap, d += gap)
#define NEXT_2		(o1.p += o1.gap, NEXT_1)
#define NEXT_3		(o2.p += o2.gap, NEXT_2)
#define NEXT_4		(o3.p += o3.gap, NEXT_3)
#else
#define BLOCKS
#define NEXT_1		((void)0)
#define NEXT_2		NEXT_1
#define NEXT_3		NEXT_1
#define NEXT_4		NEXT_1
#endif

/* The n-th source, and its vector at l. */
#define SRC(n)		opnd(slot, unif, u->s[n], gap, owned)
#define DEST		(slot + SIMT_LANES * u->d)

/* Handlers in the dispatcher: statements for one vector, with operands a, b ... read. */
#define SOURCES_1	struct opnd o0 = SRC(0); u32 *d = DEST
#define SOURCES_2	SOURCES_1; struct opnd o1 = SRC(1)
#define SOURCES_3	SOURCES_2; struct opnd o2 = SRC(2)
#define SOURCES_4	SOURCES_3; struct opnd o3 = SRC(3)
#define READ_1		vi x = at(o0, l)
#define READ_2		READ_1, y = at(o1, l)
#define READ_3		READ_2, z = at(o2, l)
#define READ_4		READ_3, w = at(o3, l)

#define DO(n, r) do {				\
		SOURCES_##n;			\
						\
		BLOCKS {			\
			SIMT_UNROLL		\
			LANES(l) {		\
				READ_##n;	\
						\
				PUT(d, r);	\
			}			\
			NEXT_##n;		\
		}				\
	} while (0)

#define HOT(name, n, r)				\
	case SIMT_H_##name:			\
		DO(n, r);			\
		break;

/* With modifiers and clamp. */
#define HOT_MOD_2(name, r)						\
	case SIMT_H_##name##_M: {					\
		struct mods m0 = mods(u, 0), m1 = mods(u, 1);		\
		u32 clamp = SIMT_CLAMP_OF(u->mods);			\
									\
		SOURCES_2;						\
		BLOCKS {						\
		SIMT_UNROLL						\
		LANES(l) {						\
			vf x = modified(m0, at(o0, l));			\
			vf y = modified(m1, at(o1, l));			\
									\
			PUT(d, as_i(num_clamp(clamp, r)));		\
		}							\
		NEXT_2;							\
		}							\
		break;							\
	}

#define HOT_MOD_3(name, r)						\
	case SIMT_H_##name##_M: {					\
		struct mods m0 = mods(u, 0), m1 = mods(u, 1), m2 = mods(u, 2);	\
		u32 clamp = SIMT_CLAMP_OF(u->mods);			\
									\
		SOURCES_3;						\
		BLOCKS {						\
		SIMT_UNROLL						\
		LANES(l) {						\
			vf x = modified(m0, at(o0, l));			\
			vf y = modified(m1, at(o1, l));			\
			vf z = modified(m2, at(o2, l));			\
									\
			PUT(d, as_i(num_clamp(clamp, r)));		\
		}							\
		NEXT_3;							\
		}							\
		break;							\
	}

/* All comparisons: values, selections. */
#define HOT_CMP(name, m, cmp)						\
	case SIMT_H_##name + (cmp): {					\
		vi yes = splat_i(simt_true(u->imm));			\
									\
		DO(2, m_and(m, yes));					\
		break;							\
	}
#define HOT_SEL(name, m, cmp)						\
	case SIMT_H_##name + (cmp):					\
		DO(4, m_sel(m, z, w));					\
		break;
#define HOT_F(cmp)							\
	HOT_CMP(FCMP, m_fcmp(cmp, as_f(x), as_f(y)), cmp)		\
	HOT_SEL(FCSEL, m_fcmp(cmp, as_f(x), as_f(y)), cmp)
#define HOT_I(cmp)							\
	HOT_CMP(ICMP, m_icmp(cmp, x, y), cmp)				\
	HOT_SEL(ICSEL, m_icmp(cmp, x, y), cmp)				\
	HOT_CMP(UCMP, m_ucmp(cmp, x, y), cmp)				\
	HOT_SEL(UCSEL, m_ucmp(cmp, x, y), cmp)

#if !SIMT_STEP

/* Out of line: a function for each operation. */
#define LOCALS								\
	const u32 *unif __maybe_unused = b->unif;			\
	u32 *slot = b->slot, imm __maybe_unused = u->imm, l;		\
	const u32 gap __maybe_unused = 0, owned __maybe_unused = 0;	\
	u64 mask __maybe_unused = b->mask

#define GEN_I(name, n, r)						\
static noinline void FN(do_##name)(struct simt_block *b, const struct simt_uop *u)	\
{									\
	LOCALS;								\
									\
	SOURCES_##n;							\
	LANES(l) {							\
		READ_##n;						\
									\
		PUT(d, r);						\
	}								\
}

#define GEN_F1(name, r)							\
static noinline void FN(do_##name)(struct simt_block *b, const struct simt_uop *u)	\
{									\
	LOCALS;								\
	struct mods m0 = mods(u, 0);					\
	u32 clamp = SIMT_CLAMP_OF(u->mods);				\
									\
	SOURCES_1;							\
	LANES(l) {							\
		vf x = modified(m0, at(o0, l));				\
									\
		PUT(d, as_i(num_clamp(clamp, r)));			\
	}								\
}

#define GEN_F2(name, r)							\
static noinline void FN(do_##name)(struct simt_block *b, const struct simt_uop *u)	\
{									\
	LOCALS;								\
	struct mods m0 = mods(u, 0), m1 = mods(u, 1);			\
	u32 clamp = SIMT_CLAMP_OF(u->mods);				\
									\
	SOURCES_2;							\
	LANES(l) {							\
		vf x = modified(m0, at(o0, l));				\
		vf y = modified(m1, at(o1, l));				\
									\
		PUT(d, as_i(num_clamp(clamp, r)));			\
	}								\
}

/* Results that are not floats. */
#define GEN_B1(name, r)							\
static noinline void FN(do_##name)(struct simt_block *b, const struct simt_uop *u)	\
{									\
	LOCALS;								\
	struct mods m0 = mods(u, 0);					\
									\
	SOURCES_1;							\
	LANES(l) {							\
		vf x = modified(m0, at(o0, l));				\
									\
		PUT(d, r);						\
	}								\
}

#define GEN_H1(name, r)							\
static noinline void FN(do_##name)(struct simt_block *b, const struct simt_uop *u)	\
{									\
	LOCALS;								\
	struct hmods m0 = hmods(u, 0);					\
	u32 clamp = SIMT_CLAMP_OF(u->mods);				\
									\
	SOURCES_1;							\
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
static noinline void FN(do_##name)(struct simt_block *b, const struct simt_uop *u)	\
{									\
	LOCALS;								\
	struct hmods m0 = hmods(u, 0), m1 = hmods(u, 1);		\
	u32 clamp = SIMT_CLAMP_OF(u->mods);				\
									\
	SOURCES_2;							\
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

static noinline void FN(do_LANE)(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	vi own = v_lanes();
	u32 *d = DEST;

	LANES(l)
		PUT(d, i_add(own, splat_i(l)) & splat_i(imm));
}

static noinline void FN(do_H2F)(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct mods m0 = mods(u, 0);
	u32 clamp = SIMT_CLAMP_OF(u->mods), shift = 16 * (imm & 1);

	SOURCES_1;
	LANES(l) {
		vf x = h_widen(i_shr(at(o0, l), shift) & splat_i(0xffff));

		PUT(d, as_i(num_clamp(clamp, f_canon(modified(m0, as_i(x))))));
	}
}

static noinline void FN(do_HFMA)(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct hmods m0 = hmods(u, 0), m1 = hmods(u, 1), m2 = hmods(u, 2);
	u32 clamp = SIMT_CLAMP_OF(u->mods);

	SOURCES_3;
	LANES(l) {
		struct vh x = hmodified(m0, at(o0, l)), y = hmodified(m1, at(o1, l));
		struct vh z = hmodified(m2, at(o2, l)), h;

		h.x = num_clamp(clamp, f_canon(h_fma(x.x, y.x, z.x)));
		h.y = num_clamp(clamp, f_canon(h_fma(x.y, y.y, z.y)));
		PUT(d, h_join(h));
	}
}

static noinline void FN(do_HFMAR)(struct simt_block *b, const struct simt_uop *u)
{
	if ((u->imm & 7) == SIMT_RTE)
		FN(do_HFMA)(b, u);
	else
		simt_scalar(b, u);
}

static noinline void FN(do_HCMP)(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct hmods m0 = hmods(u, 0), m1 = hmods(u, 1);
	vi yes = splat_i(simt_true16(imm, true) * 0x00010001), one = splat_i(VS_F32_ONE);

	SOURCES_2;
	LANES(l) {
		struct vh x = hmodified(m0, at(o0, l)), y = hmodified(m1, at(o1, l)), h;

		h.x = as_f(m_and(num_cmp_by(imm, x.x, y.x), one));
		h.y = as_f(m_and(num_cmp_by(imm, x.y, y.y), one));
		PUT(d, num_half_mask(h_join(h)) & yes);
	}
}

static noinline void FN(do_F2H2)(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct mods m0 = mods(u, 0), m1 = mods(u, 1);
	u32 clamp = imm >> 4 & 3;

	if ((imm & 7) > H_NARROW_MODES) {
		simt_scalar(b, u);
		return;
	}
	/* The bounds are halves, so clamping may come first. */
	SOURCES_2;
	LANES(l) {
		vf x = num_clamp(clamp, f_canon(modified(m0, at(o0, l))));
		vf y = num_clamp(clamp, f_canon(modified(m1, at(o1, l))));

		PUT(d, h_narrow_by(imm & 7, x) | i_shl(h_narrow_by(imm & 7, y), 16));
	}
}

static noinline void FN(do_FCMP)(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct mods m0 = mods(u, 0), m1 = mods(u, 1);
	vi yes = splat_i(simt_true(imm));

	SOURCES_2;
	LANES(l) {
		vf x = modified(m0, at(o0, l)), y = modified(m1, at(o1, l));

		PUT(d, m_and(num_cmp_by(imm, x, y), yes));
	}
}

static noinline void FN(do_FCSEL)(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct mods m0 = mods(u, 0), m1 = mods(u, 1);

	SOURCES_4;
	LANES(l) {
		vf x = modified(m0, at(o0, l)), y = modified(m1, at(o1, l));

		PUT(d, m_sel(num_cmp_by(imm, x, y), at(o2, l), at(o3, l)));
	}
}

#if VS_W >= 8
static noinline void FN(do_PERM)(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct perm p = perm_prepare(imm);

	DO(2, perm_do(&p, true, x, y));
}
#endif

static noinline void FN(do_WMASK)(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	u32 n = 1U << min_t(u32, imm & 7, 5);
	vi own = v_lanes() & splat_i(n < VS_W ? ~(n - 1) : 0), cut = splat_i(~0U >> (32 - n));
	u64 set = 0;

	SOURCES_1;
	LANES(l)
		set |= (v_movemask(i_eq(at(o0, l), splat_i(0))) ^ SIMT_VEC_LANES) << l;
	set &= mask;
	LANES(l)
		PUT(d, v_shr(splat_i(set >> (n < VS_W ? l : l & ~(n - 1))), own) & cut);
}

#if VS_W != 1

static noinline void FN(do_FMASC)(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct mods m0 = mods(u, 0), m1 = mods(u, 1), m2 = mods(u, 2);
	u32 clamp = SIMT_CLAMP_OF(u->mods), mode = imm & 7;

	if (mode != SIMT_RTE && mode != SIMT_RTZ) {
		simt_scalar(b, u);
		return;
	}
	SOURCES_4;
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

static noinline void FN(do_FMAR)(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	struct mods m0 = mods(u, 0), m1 = mods(u, 1), m2 = mods(u, 2);
	u32 clamp = SIMT_CLAMP_OF(u->mods);

	if ((imm & 7) != SIMT_RTZ) {
		simt_scalar(b, u);
		return;
	}
	SOURCES_3;
	LANES(l) {
		vf x = modified(m0, at(o0, l)), y = modified(m1, at(o1, l));
		vf r = f_fma_scaled(x, y, modified(m2, at(o2, l)), splat_i(0), true);

		PUT(d, as_i(num_clamp(clamp, f_canon(r))));
	}
}

/* Subgroups that are inside a vector: those of derivatives always are. */
static noinline void FN(do_CLPER)(struct simt_block *b, const struct simt_uop *u)
{
	LOCALS;
	u32 n = 2U << (imm >> 4 & 3);
	vi in = splat_i(n - 1), own = v_lanes(), none = splat_i(simt_inactive_value[imm >> 8 & 15]);

	if (n > VS_W) {
		simt_scalar(b, u);
		return;
	}
	SOURCES_2;
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
		v = v_shuffle(v, to);
		if (SIMT_MASKED)
			v = i_sel(v_shuffle(v_active(b, mask >> l, l), to), v, none);
		PUT(d, v);
	}
}

#endif

#define GEN_FLOATS(fn)							\
	fn(FMOV) fn(FADDM) fn(FMIN) fn(FMAX) fn(FRND) fn(FSQRT) fn(FRCP) fn(FRSQ)	\
	fn(FEXP2) fn(FLOG2) fn(FSINPI) fn(FCOSPI) fn(FLOGD) fn(FEXPX) fn(FREXPM)	\
	fn(FREXPE) fn(FRCPA) fn(FRSQA) fn(F2I) fn(F2U) fn(FFTZ) fn(FSUPP) fn(FCMP)	\
	fn(FCSEL) fn(F2H2) fn(H2F) fn(FEXPT) fn(FSINT) fn(FCOST) fn(FLOGT)
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

/* Whatever has no handler of its own. */
static noinline void FN(general)(struct simt_block *b, const struct simt_uop *u)
{
	switch (u->op) {
#define CASE(op)				\
	case SIMT_##op:				\
		FN(do_##op)(b, u);		\
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
static noinline void FN(general_step)(struct simt_block *b, const struct simt_uop *u)
{
	u32 *slot = b->slot, n = u->d < b->own ? b->step : 1, k;

	for (k = 0; k < n; k++) {
		if (k)
			simt_fetch(b, slot, u);
		FN(general)(b, u);
		b->slot += b->gap;
	}
	b->slot = slot;
}

#undef LOCALS
#undef GEN_FLOATS
#undef GEN_HALVES
#undef GEN_INTS
#undef GEN_PERM
#undef GEN_PARTS

#endif /* !SIMT_STEP */

#define HOT_HALVES(name, n, first, second)			\
	case SIMT_H_##name: {					\
		SOURCES_##n;					\
		BLOCKS {					\
			SIMT_UNROLL				\
			LANES(l) {				\
				READ_##n;			\
				struct vh hx = h_split(x), hy = h_split(y), h;	\
								\
				h.x = f_canon(first);		\
				h.y = f_canon(second);		\
				PUT(d, h_join(h));		\
			}					\
			NEXT_##n;				\
		}						\
		break;						\
	}

#define HOT_SHADD(name, how)						\
	case SIMT_H_##name: {						\
		u32 n = u->imm & 7, *d2 = slot + SIMT_LANES * u->d2;	\
									\
		SOURCES_4;						\
		BLOCKS {						\
			SIMT_UNROLL					\
			LANES(l) {					\
				struct wide r = wide_shadd(how, n, at(o0, l), at(o1, l),	\
							   at(o2, l), at(o3, l));	\
									\
				PUT(d, r.lo);				\
				PUT(d2, r.hi);				\
			}						\
			d2 += gap;					\
			NEXT_4;						\
		}							\
		break;							\
	}

static noinline const struct simt_uop *RUN(struct simt_block *b, const struct simt_uop *u)
{
	const u32 *unif = b->unif;
	u32 *slot = b->slot, l;
	const u32 gap = SIMT_STEP ? b->gap : 0, owned = SIMT_STEP ? b->own : 0;
#if SIMT_STEP
	const u32 step = b->step;
	u32 left;
#endif
	u64 mask __maybe_unused = b->mask;

#if VS_W == 1
	const struct simt_uop *end = u + DIV_ROUND_UP(SIMT_SOFT_PIECE, max(b->step, 1U));
#endif

	if (SIMT_MASKED)
		v_masks(b);
	for (;; u++) {
#if VS_W == 1
		if (u == end)
			return u;
#endif
		switch (u->h) {
		case SIMT_H_STOP:
			return u;
		HOT(MOV, 1, x)
		HOT(FADD, 2, as_i(f_canon(f_add(as_f(x), as_f(y)))))
		HOT(FMUL, 2, as_i(f_canon(f_mul(as_f(x), as_f(y)))))
		HOT(FMA, 3, as_i(f_canon(f_fma(as_f(x), as_f(y), as_f(z)))))
		HOT(FMAU, 3, as_i(f_canon(f_add(f_mul(as_f(x), as_f(y)), as_f(z)))))
		HOT_MOD_2(FADD, f_canon(f_add(x, y)))
		HOT_MOD_2(FMUL, f_canon(f_mul(x, y)))
		HOT_MOD_3(FMA, f_canon(f_fma(x, y, z)))
		HOT_MOD_3(FMAU, f_canon(f_add(f_mul(x, y), z)))
		HOT(FMIN, 2, as_i(num_minmax(false, SIMT_NAN_SUPPRESS, as_f(x), as_f(y))))
		HOT(FMAX, 2, as_i(num_minmax(true, SIMT_NAN_SUPPRESS, as_f(x), as_f(y))))
		HOT(F2I, 1, f_to_s32(as_f(x)))
		HOT(F2U, 1, f_to_u32(as_f(x)))
		HOT(I2F, 1, as_i(f_from_s32(x)))
		HOT(U2F, 1, as_i(f_from_u32(x)))
		HOT(IADD, 2, i_add(x, y))
		HOT(ISUB, 2, i_sub(x, y))
		HOT(IMUL, 2, i_mul(x, y))
		HOT(IMIN, 2, i_min(x, y))
		HOT(IMAX, 2, i_max(x, y))
		HOT(UMIN, 2, u_min(x, y))
		HOT(UMAX, 2, u_max(x, y))
		HOT(IAND, 2, x & y)
		HOT(IOR, 2, x | y)
		HOT(IXOR, 2, x ^ y)
		HOT(SHL, 2, v_shl(x, y & splat_i(31)))
		HOT(SHR, 2, v_shr(x, y & splat_i(31)))
		HOT(ASR, 2, v_sar(x, y & splat_i(31)))
		case SIMT_H_SHLI: {
			u32 n = u->imm & 31;

			DO(1, i_shl(x, n));
			break;
		}
		case SIMT_H_SHLA: {
			u32 n = u->imm & 31;

			DO(2, i_add(i_shl(x, n), y));
			break;
		}
		case SIMT_H_SHRI: {
			u32 n = u->imm & 31;

			DO(1, i_shr(x, n));
			break;
		}
		case SIMT_H_ASRI: {
			u32 n = u->imm & 31;

			DO(1, x >> n);
			break;
		}
		case SIMT_H_PERM: {
			struct perm p = perm_prepare(u->imm);

			DO(2, perm_do(&p, false, x, y));
			break;
		}
		HOT(BSEL, 3, i_sel(z, x, y))
		HOT_SHADD(SHADD, 0)
		HOT_SHADD(SHADD_S, 1)
		HOT_SHADD(SHADD_U, 2)
		HOT_HALVES(HADD, 2, f_add(hx.x, hy.x), f_add(hx.y, hy.y))
		HOT_HALVES(HMUL, 2, f_mul(hx.x, hy.x), f_mul(hx.y, hy.y))
		HOT_HALVES(HFMA, 3, h_fma(hx.x, hy.x, h_split(z).x),
			   h_fma(hx.y, hy.y, h_split(z).y))
		case SIMT_H_H2F: {
			u32 shift = 16 * (u->imm & 1);

			DO(1, as_i(f_canon(h_widen(i_shr(x, shift) & splat_i(0xffff)))));
			break;
		}
		HOT(F2H2, 2, h_narrow(f_canon(as_f(x))) | i_shl(h_narrow(f_canon(as_f(y))), 16))
		HOT_F(SIMT_EQ)
		HOT_F(SIMT_GT)
		HOT_F(SIMT_GE)
		HOT_F(SIMT_NE)
		HOT_F(SIMT_LT)
		HOT_F(SIMT_LE)
		HOT_F(SIMT_GTLT)
		HOT_F(SIMT_ORD)
		HOT_I(SIMT_EQ)
		HOT_I(SIMT_GT)
		HOT_I(SIMT_GE)
		HOT_I(SIMT_NE)
		HOT_I(SIMT_LT)
		HOT_I(SIMT_LE)
		default:
#if SIMT_STEP
			FN(general_step)(b, u);
#else
			FN(general)(b, u);
#endif
		}
	}
}

#undef LANES
#undef PUT
#undef BLOCKS
#undef NEXT_1
#undef NEXT_2
#undef NEXT_3
#undef NEXT_4
#undef SRC
#undef DEST
#undef SOURCES_1
#undef SOURCES_2
#undef SOURCES_3
#undef SOURCES_4
#undef READ_1
#undef READ_2
#undef READ_3
#undef READ_4
#undef DO
#undef HOT
#undef HOT_MOD_2
#undef HOT_MOD_3
#undef HOT_CMP
#undef HOT_SEL
#undef HOT_F
#undef HOT_I
#undef HOT_HALVES
#undef HOT_SHADD
