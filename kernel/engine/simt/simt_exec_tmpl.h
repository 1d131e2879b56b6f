/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The SIMT executor. Included once for each instantiation with
 *
 * RUN		name of its function
 * SIMT_MASKED	partial masks; vectors without active lanes are skipped
 * SIMT_STEP	several blocks in step
 *
 * A handler reads the fields of the micro-op before its lane loop, as stores to slots could
 * alias it for the compiler. Sources are read before a vector of the destination is
 * written, so they may be the same slot.
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
#define NEXT_1		(next_block(&o0), d += gap)
#define NEXT_2		(next_block(&o1), NEXT_1)
#define NEXT_3		(next_block(&o2), NEXT_2)
#define NEXT_4		(next_block(&o3), NEXT_3)
#else
#define BLOCKS
#define NEXT_1		((void)0)
#define NEXT_2		NEXT_1
#define NEXT_3		NEXT_1
#define NEXT_4		NEXT_1
#endif

#define DO_BY(unroll, n, src, second, r) do {	\
		SOURCES_##n(src, second);	\
						\
		BLOCKS {			\
			unroll			\
			LANES(l) {		\
				READ_##n;	\
						\
				PUT(d, r);	\
			}			\
			NEXT_##n;		\
		}				\
	} while (0)
/*
 * For floats: NaNs of results are rare. One test for all vectors of a slot is cheaper than a
 * selection for each; vectors are tested in pairs where no mask is in the way and the loop is
 * unrolled completely.
 */
#define PAIRS		(!SIMT_MASKED && VS_W != 4)
#define DO_FLOAT_BY(unroll, pairs, n, src, second, r) do {		\
		SOURCES_##n(src, second);				\
									\
		BLOCKS {						\
			vm nan = M_NONE;				\
			vf last = splat_f(0);				\
									\
			unroll						\
			LANES(l) {					\
				READ_##n;				\
				vf result = r;				\
									\
				if (!(pairs))				\
					nan |= m_nan(result);		\
				else if (l & VS_W)			\
					nan |= m_nan2(last, result);	\
				last = result;				\
				PUT(d, as_i(result));			\
			}						\
			if (unlikely(!m_none(nan)))			\
				canonical(b, d);			\
			NEXT_##n;					\
		}							\
	} while (0)
/* Long or rare bodies gain nothing from more, and they are many. */
#define DO_WARM(n, r)	DO_BY(VS_UNROLL(2), n, SRC, SRC, r)
#define DO(n, r) do {							\
		if (in_slots(u, n, false))				\
			DO_BY(SIMT_UNROLL, n, SLOT, SLOT, r);		\
		else if (!SIMT_MASKED && (n) > 1 && in_slots(u, n, true)) \
			DO_BY(SIMT_UNROLL, n, SLOT, WORD, r);		\
		else							\
			DO_WARM(n, r);					\
	} while (0)

#define DO_FLOAT_WARM(n, r)	DO_FLOAT_BY(VS_UNROLL(2), false, n, SRC, SRC, r)
#define DO_FLOAT(n, r) do {						\
		if (in_slots(u, n, false))				\
			DO_FLOAT_BY(SIMT_UNROLL, PAIRS, n, SLOT, SLOT, r); \
		else if (!SIMT_MASKED && (n) > 1 && in_slots(u, n, true)) \
			DO_FLOAT_BY(SIMT_UNROLL, PAIRS, n, SLOT, WORD, r); \
		else							\
			DO_FLOAT_WARM(n, r);				\
	} while (0)

#define HOT(name, n, r)				\
	case SIMT_H_##name:			\
		DO(n, r);			\
		break;

#define HOT_FLOAT(name, n, r)			\
	case SIMT_H_##name:			\
		DO_FLOAT(n, r);			\
		break;

#define WARM(name, n, r)			\
	case SIMT_H_##name:			\
		DO_WARM(n, r);			\
		break;

/*
 * With modifiers and clamp; x, y and z are floats. Often there are only signs, which a product
 * has one of. NaNs of results have none.
 */
#define HOT_MOD(name, n, r, signs)					\
	case SIMT_H_##name##_M: {					\
		struct mods m0 = mods(u, 0), m1 = mods(u, 1), m2 __maybe_unused = mods(u, 2); \
		struct mods m3 __maybe_unused = mods(u, 3);		\
		u32 clamp = SIMT_CLAMP_OF(u->mods);			\
									\
		if (!(u->mods & ~SIMT_NEGS)) {				\
			DO_FLOAT(n, signs);				\
			break;						\
		}							\
		/* clamps replace NaNs */				\
		DO_FLOAT_WARM(n, num_clamp(clamp, r));			\
		break;							\
	}

#define MX	modified(m0, x)
#define MY	modified(m1, y)
#define MZ	modified(m2, z)
#define MW	modified(m3, w)
#define NX	as_f(x ^ m0.xor)
#define NY	as_f(y ^ m1.xor)
#define NZ	as_f(z ^ m2.xor)
#define NXY	as_f(x ^ m0.xor ^ m1.xor)
#define NZW	as_f(z ^ m2.xor ^ m3.xor)

/* All comparisons: values, selections. */
#define HOT_CMP(name, m, cmp)						\
	case SIMT_H_##name + (cmp): {					\
		vi yes = splat_i(simt_true(u->imm));			\
									\
		DO_WARM(2, m_and(m, yes));					\
		break;							\
	}
#define HOT_SEL(name, m, cmp)						\
	case SIMT_H_##name + (cmp):					\
		DO_WARM(4, m_sel(m, z, w));					\
		break;
#define HOT_F(cmp)							\
	HOT_CMP(FCMP, m_fcmp(cmp, as_f(x), as_f(y)), cmp)		\
	HOT_SEL(FCSEL, m_fcmp(cmp, as_f(x), as_f(y)), cmp)
#define HOT_I(cmp)							\
	HOT_CMP(ICMP, m_icmp(cmp, x, y), cmp)				\
	HOT_SEL(ICSEL, m_icmp(cmp, x, y), cmp)				\
	HOT_CMP(UCMP, m_ucmp(cmp, x, y), cmp)				\
	HOT_SEL(UCSEL, m_ucmp(cmp, x, y), cmp)

/* Pairs of halves, which @join makes of the floats hx and hy. */
#define DO_HALVES(n, first, second, join) do {			\
		SOURCES_##n(SRC, SRC);				\
								\
		BLOCKS {					\
			vm nan = M_NONE;			\
								\
			VS_UNROLL(2)				\
			LANES(l) {				\
				READ_##n;			\
				vf hx = first, hy = second;	\
								\
				nan |= m_nan2(hx, hy);		\
				PUT(d, join);			\
			}					\
			if (unlikely(!m_none(nan)))		\
				canonical_halves(b, d);		\
			NEXT_##n;				\
		}						\
	} while (0)

#define H_ADD(part)	f_add(h_split(x).part, h_split(y).part)
#define H_MUL(part)	f_mul(h_split(x).part, h_split(y).part)
#define H_FMA(part)	h_fma(h_split(x).part, h_split(y).part, h_split(z).part)
#define HOT_HALVES(name, n, op)					\
	case SIMT_H_##name:					\
		DO_HALVES(n, op(x), op(y), h_join((struct vh){ hx, hy }));	\
		break;

#define HOT_SHADD(name, how)						\
	case SIMT_H_##name: {						\
		u32 n = u->imm & 7, *d2 = slot + SIMT_LANES * u->d2;	\
									\
		SOURCES_4(SRC, SRC);						\
		BLOCKS {						\
			VS_UNROLL(2)					\
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

/* @to: the next micro-op, or this one to return. */
#define CONTROL(name, to)						\
	case SIMT_H_##name: {						\
		const struct simt_uop *next = b->jumps.left ? (to) : u;	\
									\
		if (next == u)						\
			return u;					\
		u = next - 1;						\
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
#if SIMT_MASKED
	const u64 mask = b->mask;
#endif
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
#if SIMT_STEP
		case SIMT_H_JOIN:
		case SIMT_H_JMP:
		case SIMT_H_BRANCH:
#else
		CONTROL(JOIN, exec_join(&b->jumps, u))
		CONTROL(JMP, exec_goto(&b->jumps, u, u->imm))
		CONTROL(BRANCH, exec_branch(b, u))
#endif
		case SIMT_H_STOP:
			return u;
		HOT(MOV, 1, x)
		HOT_FLOAT(FADD, 2, f_add(as_f(x), as_f(y)))
		HOT_FLOAT(FMUL, 2, f_mul(as_f(x), as_f(y)))
		HOT_FLOAT(FMA, 3, f_fma(as_f(x), as_f(y), as_f(z)))
		HOT_FLOAT(FMAU, 3, f_add(f_mul(as_f(x), as_f(y)), as_f(z)))
		HOT_FLOAT(FDOT, 4, f_add(f_mul(as_f(x), as_f(y)), f_mul(as_f(z), as_f(w))))
		HOT_MOD(FADD, 2, f_add(MX, MY), f_add(NX, NY))
		HOT_MOD(FMUL, 2, f_mul(MX, MY), f_mul(NXY, as_f(y)))
		HOT_MOD(FMA, 3, f_fma(MX, MY, MZ), f_fma(NXY, as_f(y), NZ))
		HOT_MOD(FMAU, 3, f_add(f_mul(MX, MY), MZ), f_add(f_mul(NXY, as_f(y)), NZ))
		HOT_MOD(FDOT, 4, f_add(f_mul(MX, MY), f_mul(MZ, MW)),
			f_add(f_mul(NXY, as_f(y)), f_mul(NZW, as_f(w))))
		case SIMT_H_FMIN:
			DO_FLOAT_WARM(2, num_number(false, as_f(x), as_f(y)));
			break;
		case SIMT_H_FMAX:
			DO_FLOAT_WARM(2, num_number(true, as_f(x), as_f(y)));
			break;
		WARM(F2I, 1, f_to_s32(as_f(x)))
		WARM(F2U, 1, f_to_u32(as_f(x)))
		HOT(I2F, 1, as_i(f_from_s32(x)))
		WARM(U2F, 1, as_i(f_from_u32(x)))
		HOT(IADD, 2, i_add(x, y))
		HOT(ISUB, 2, i_sub(x, y))
		HOT(IMUL, 2, i_mul(x, y))
		HOT(IMAD, 3, i_add(i_mul(x, y), z))
		WARM(IMIN, 2, i_min(x, y))
		WARM(IMAX, 2, i_max(x, y))
		WARM(UMIN, 2, u_min(x, y))
		WARM(UMAX, 2, u_max(x, y))
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
		case SIMT_H_SHLX: {
			u32 n = u->imm & 31;

			DO(2, i_shl(x, n) ^ y);
			break;
		}
		case SIMT_H_SHRX: {
			u32 n = u->imm & 31;

			DO(2, i_shr(x, n) ^ y);
			break;
		}
		case SIMT_H_SHRXM: {
			u32 n = u->imm & 31;

			DO(3, i_mul(i_shr(x, n) ^ z, y));
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
		HOT_HALVES(HADD, 2, H_ADD)
		HOT_HALVES(HMUL, 2, H_MUL)
		HOT_HALVES(HFMA, 3, H_FMA)
		case SIMT_H_H2F: {
			u32 shift = 16 * (u->imm & 1);

			DO_FLOAT_WARM(1, h_widen(i_shr(x, shift) & splat_i(0xffff)));
			break;
		}
		case SIMT_H_F2H2:
			DO_HALVES(2, as_f(x), as_f(y), h_narrow(hx) | i_shl(h_narrow(hy), 16));
			break;
		WARM(FHALF, 1, as_i(num_half(as_f(x))))
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
			general(b, u);
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
#undef DO_BY
#undef DO
#undef DO_FLOAT
#undef DO_FLOAT_WARM
#undef DO_HALVES
#undef DO_FLOAT_BY
#undef PAIRS
#undef HOT_FLOAT
#undef DO_WARM
#undef HOT
#undef WARM
#undef HOT_MOD
#undef MX
#undef MY
#undef MZ
#undef MW
#undef NX
#undef NY
#undef NZ
#undef NXY
#undef NZW
#undef HOT_CMP
#undef HOT_SEL
#undef HOT_F
#undef HOT_I
#undef HOT_HALVES
#undef H_ADD
#undef H_MUL
#undef H_FMA
#undef HOT_SHADD
#undef CONTROL
#undef RUN
#undef SIMT_MASKED
#undef SIMT_STEP
