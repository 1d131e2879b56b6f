/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Arithmetic of the numeric models, on vectors of lanes. Included once for each
 * instantiation of an executor, which defines VS_FN(name) and VS_MODEL:
 *
 * VS_M_F32	binary32, plain products: 0 * inf gives NaN and raises the invalid flag
 * VS_M_F32X	binary32, 0 * inf = 0
 * VS_M_F24S	1.7.16 truncating, values scaled by 2^-64. The hardware rounds toward zero
 *		and flushes subnormals, which is where 1.7.16 has its own, and clearing
 *		the low 7 bits completes the exact truncation. Zeros may be negative;
 *		they are cleaned when they leave. 0 * inf raises the invalid flag, and
 *		VS_FN(note) finds finite values that are too large.
 * VS_M_F24T	1.7.16 truncating, every case
 * VS_M_F24N	1.7.16 to nearest even, every case, through binary64: rounding twice is
 *		harmless as 53 >= 2 * 17 + 2
 */

#define VS_IS_F24X	(VS_MODEL == VS_M_F24T || VS_MODEL == VS_M_F24N)
#define VS_IS_F32	(VS_MODEL == VS_M_F32 || VS_MODEL == VS_M_F32X)

/* 1.0 in the representation of this model. */
#define VS_ONE		(VS_F32_ONE - (VS_MODEL == VS_M_F24S) * VS_F24_SCALE)

/* 2^64 and 2^-64 */
#define VS_TWO64	0x5f800000U
#define VS_TWO64I	0x1f800000U
#define VS_D_TWO64I	0x3bf0000000000000ULL

/* Clear the bits that 1.7.16 does not have. */
static __always_inline vf VS_FN(trunc)(vf r)
{
	return as_f(as_i(r) & splat_i(VS_F24_MASK));
}

/* Subnormal operands of 1.7.16 arithmetic are zero. */
static __always_inline vf VS_FN(operand)(vf a)
{
	vi abs;

	if (!VS_IS_F24X)
		return a;
	abs = as_i(a) & splat_i(VS_F32_ABS);
	return as_f(as_i(a) & ~i_gt(splat_i(VS_F24_MIN), abs));
}

/* Store a value of at most 17 significant bits as 1.7.16: flush to zero or overflow to infinity. */
static __always_inline vf VS_FN(store24)(vf r)
{
	vi t = as_i(r) & splat_i(VS_F24_MASK), abs = t & splat_i(VS_F32_ABS);
	vi big = i_gt(abs, splat_i(VS_F24_BIG - 1)) & ~i_gt(abs, splat_i(VS_F32_INF));
	vi inf = (t & splat_i(VS_F32_SIGN)) | splat_i(VS_F32_INF);

	t = i_sel(big, inf, t);
	return as_f(t & ~i_gt(splat_i(VS_F24_MIN), abs));
}

/* Round a binary64 result to 17 bits in the model's direction. */
static __always_inline vf VS_FN(round17)(vd r)
{
	vl bits = vd_bits(r);

	if (VS_MODEL == VS_M_F24N) {
		vl odd = l_and(l_shr(bits, 36), l_splat(1));

		bits = l_add(bits, l_add(odd, l_splat((1ULL << 35) - 1)));
	}
	bits = l_and(bits, l_splat(~((1ULL << 36) - 1)));
	return VS_FN(store24)(f_from_d(bits_d(bits)));
}

/* Adjust a result that the hardware has rounded to 24 bits. */
static __always_inline vf VS_FN(result)(vf r)
{
	if (VS_MODEL == VS_M_F24S)
		return VS_FN(trunc)(r);
	if (VS_MODEL == VS_M_F24T)
		return VS_FN(store24)(r);
	return r;
}

/*
 * The NaN of an operation on @a and @b, where the processor's may differ. Optimistic models need
 * not care, as then the invalid flag is set. NaNs of 1.7.16 have no bits that it truncates.
 */
static __always_inline vf VS_FN(nan)(vf r, vf a, vf b)
{
	return VS_MODEL == VS_M_F32 || VS_MODEL == VS_M_F24S ? r : f_nan_rule(r, a, b);
}

static __always_inline vf VS_FN(add)(vf a, vf b)
{
	a = VS_FN(operand)(a);
	b = VS_FN(operand)(b);
	if (VS_MODEL == VS_M_F24N)
		return VS_FN(nan)(VS_FN(round17)(vd_add(vd_from_f(a), vd_from_f(b))), a, b);
	return VS_FN(nan)(VS_FN(result)(f_add(a, b)), a, b);
}

static __always_inline vf VS_FN(sub)(vf a, vf b)
{
	a = VS_FN(operand)(a);
	b = VS_FN(operand)(b);
	if (VS_MODEL == VS_M_F24N)
		return VS_FN(nan)(VS_FN(round17)(vd_sub(vd_from_f(a), vd_from_f(b))), a, b);
	return VS_FN(nan)(VS_FN(result)(f_sub(a, b)), a, b);
}

/* Prepare one factor of a product; done once for a uniform factor. */
static __always_inline vf VS_FN(factor)(vf a)
{
	if (VS_MODEL == VS_M_F24S)
		return f_mul(a, splat_f(VS_TWO64));
	return VS_FN(operand)(a);
}

/* If only the product is NaN, it was 0 * inf. */
static __always_inline vf VS_FN(no_nan)(vf r, vf a, vf b)
{
	return as_f(as_i(r) & ~(f_nan(r) & ~(f_nan(a) | f_nan(b))));
}

/* Product; one of @a and @b went through VS_FN(factor). */
static __always_inline vf VS_FN(mul_ready)(vf a, vf b)
{
	vf r;

	if (VS_MODEL == VS_M_F32 || VS_MODEL == VS_M_F24S)
		return VS_FN(result)(f_mul(a, b));
	a = VS_FN(operand)(a);
	b = VS_FN(operand)(b);
	if (VS_MODEL == VS_M_F24N)
		r = VS_FN(round17)(vd_mul(vd_from_f(a), vd_from_f(b)));
	else
		r = VS_FN(result)(f_mul(a, b));
	return VS_FN(no_nan)(VS_FN(nan)(r, a, b), a, b);
}

static __always_inline vf VS_FN(mul)(vf a, vf b)
{
	return VS_FN(mul_ready)(VS_FN(factor)(a), b);
}

static __always_inline vf VS_FN(neg)(vf a)
{
	vi r = as_i(a) ^ splat_i(VS_F32_SIGN);

	if (VS_IS_F24X)
		r &= ~i_eq(as_i(a), splat_i(0));
	return as_f(r);
}

/* -0 becomes +0 where the sign of a zero matters. */
static __always_inline vf VS_FN(plus_zero)(vf a)
{
	return VS_IS_F24X ? VS_FN(operand)(a) : f_add(a, splat_f(0));
}

static __always_inline vf VS_FN(rcp)(vf a)
{
	vf one = splat_f(VS_F32_ONE);

	a = VS_FN(plus_zero)(a);
	if (VS_MODEL == VS_M_F24N)
		return VS_FN(round17)(vd_div(vd_splat(0x3ff0000000000000ULL), vd_from_f(a)));
	if (VS_MODEL == VS_M_F24S)
		return VS_FN(result)(f_div(splat_f(VS_TWO64I), f_mul(a, splat_f(VS_TWO64))));
	return VS_FN(result)(f_div(one, a));
}

#if VS_MODEL == VS_M_F24S

/*
 * Exactly truncated without the slow division and root of binary64. The root is rounded
 * toward zero, so the next value is at most one 24-bit ulp above the exact root, and the
 * quotient q is below the exact value by less than three ulps. Truncated to 17 bits it is
 * correct unless the discarded bits are 0x7e or 0x7f, in one lane of 64: then the result is
 * c = q truncated or the next value n. n * n * x <= 1 decides, and 17 + 17 + 17 bits are
 * exact in binary64. Everything is scaled by 2^-64.
 */
static __always_inline vf VS_FN(rsq)(vf a)
{
	vi ok, step;
	vf root, q, c;
	vd d;

	a = VS_FN(plus_zero)(a);
	root = f_sqrt(f_mul(a, splat_f(VS_TWO64)));
	/* Zeros, infinities and NaNs give 1 / root. One comparison tests 0 < root < inf. */
	ok = i_gt(splat_i(VS_F32_SIGN + VS_F32_INF - 1), as_i(root) + splat_i(VS_F32_ABS));
	root = as_f(as_i(root) - ok);
	q = f_div(splat_f(VS_TWO64I), root);
	c = VS_FN(trunc)(q);
	if (!v_movemask(i_eq(as_i(q) & splat_i(0x7e), splat_i(0x7e))))
		return c;
	step = splat_i(0x80) & ok;
	d = vd_from_f(as_f((as_i(c) + step) & ok));
	d = vd_mul(vd_mul(d, d), vd_from_f(as_f(as_i(a) & ok)));
	return as_f(as_i(c) + (step & vd_le(d, vd_splat(0x33f0000000000000ULL))));
}

#else

/*
 * 1.7.16: through binary64, whose two roundings leave the 17-bit result as if rounded
 * once for every operand (tested exhaustively).
 */
static __always_inline vf VS_FN(rsq)(vf a)
{
	vd one = vd_splat(0x3ff0000000000000ULL);

	a = VS_FN(plus_zero)(a);
	if (VS_IS_F32)
		return VS_FN(nan)(f_div(splat_f(VS_F32_ONE), f_sqrt(a)), a, a);
	return VS_FN(nan)(VS_FN(round17)(vd_div(one, vd_sqrt(vd_from_f(a)))), a, a);
}

#endif

static __always_inline vf VS_FN(quiet)(vf a)
{
	return as_f(as_i(a) | splat_i(VS_F32_QUIET));
}

/* Round a binary64 result to the model. */
static __always_inline vf VS_FN(narrow)(vd r)
{
	if (VS_IS_F24X)
		return VS_FN(round17)(r);
	if (VS_MODEL == VS_M_F24S)
		return VS_FN(trunc)(f_from_d(vd_mul(r, vd_splat(VS_D_TWO64I))));
	return f_from_d(r);
}

/* r * x + c, rounded twice, like all arithmetic here. */
static __always_inline vd VS_FN(horner)(vd r, vd x, u64 c)
{
	return vd_add(vd_mul(r, x), vd_splat(c));
}

/*
 * 2^(n + f), f in [-1/2, 1/2] (plus a rounding error): 2^f = 1 + f q(f).
 * Coefficients: selftests/engine/coef.py; the polynomial is within 2e-17, evaluation adds
 * about 3e-16. Exact for f = 0.
 */
static __always_inline vd VS_FN(exp2_sum)(vi n, vd f)
{
	vd r = vd_splat(0x3dfe9d3fe3952179ULL);

	r = VS_FN(horner)(r, f, 0x3e3e6063f7217bc6ULL);
	r = VS_FN(horner)(r, f, 0x3e7b524fae627834ULL);
	r = VS_FN(horner)(r, f, 0x3eb62bfd47773353ULL);
	r = VS_FN(horner)(r, f, 0x3eeffcbfc670dcd4ULL);
	r = VS_FN(horner)(r, f, 0x3f2430913096fd9fULL);
	r = VS_FN(horner)(r, f, 0x3f55d87fe78a5276ULL);
	r = VS_FN(horner)(r, f, 0x3f83b2ab6fba1ddaULL);
	r = VS_FN(horner)(r, f, 0x3fac6b08d704a0c2ULL);
	r = VS_FN(horner)(r, f, 0x3fcebfbdff82c598ULL);
	r = VS_FN(horner)(r, f, 0x3fe62e42fefa39efULL);
	r = VS_FN(horner)(r, f, 0x3ff0000000000000ULL);
	return bits_d(l_add(vd_bits(r), l_shl(l_from_i(n), 52)));
}

/* 2^a: a = n + f with n an integer. */
static __always_inline vf VS_FN(ex2)(vf a)
{
	vf x = VS_FN(operand)(a), half;
	vi nan = f_nan(x), none, n;
	vd f, r;

	if (VS_MODEL == VS_M_F24S)
		x = f_mul(x, splat_f(VS_TWO64));
	x = f_sel(nan, splat_f(0), x);
	/* The result is zero from 2^-150 down and infinite from 2^130 up. */
	none = f_le(x, splat_f(0xc3160000));
	x = f_min(as_f(as_i(x) & ~none), splat_f(0x43020000));
	half = as_f((as_i(x) & splat_i(VS_F32_SIGN)) | splat_i(0x3f000000));
	n = f_to_i(f_add(x, half));
	f = vd_sub(vd_from_f(x), vd_from_i(n));
	r = VS_FN(exp2_sum)(n, f);
	return f_sel(nan, VS_FN(quiet)(a), as_f(as_i(VS_FN(narrow)(r)) & ~none));
}

/*
 * log2(a): a = 2^e m with m between sqrt(1/2) and sqrt(2), s = (m - 1) / (m + 1),
 * log2(m) = s r(s^2). Coefficients: selftests/engine/coef.py; relative error of r 2e-17,
 * of the result about 5e-16 of the larger of e and log2(m). Exact for powers of two, as
 * then s = 0; no cancellation around 1, as there e = 0.
 */
static __always_inline vf VS_FN(lg2)(vf a)
{
	vf x = VS_FN(plus_zero)(a), r;
	vi abs = as_i(x) & splat_i(VS_F32_ABS), nan = f_nan(x);
	vi zero = i_eq(abs, splat_i(0));
	vi neg = i_gt(splat_i(0), as_i(x)) & ~zero & ~nan;
	vi inf = i_eq(as_i(x), splat_i(VS_F32_INF));
	vi odd = nan | zero | neg | inf;
	vd one = vd_splat(0x3ff0000000000000ULL), d, m, e, s, z, p;
	vl bits, t;

	d = vd_from_f(f_sel(odd, splat_f(VS_F32_ONE), x));
	if (VS_MODEL == VS_M_F24S)
		d = vd_mul(d, vd_splat(0x43f0000000000000ULL));
	/* t >> 52 is e + 1023: the exponent, minus one for mantissas below sqrt(1/2). */
	bits = vd_bits(d);
	t = l_add(l_sub(bits, l_splat(0x3fe6a09e667f3bcdULL)), l_splat(0x3ff0000000000000ULL));
	t = l_and(t, l_splat(0x7ff0000000000000ULL));
	m = bits_d(l_add(l_sub(bits, t), l_splat(0x3ff0000000000000ULL)));
	e = bits_d(l_or(l_shr(t, 52), l_splat(0x4330000000000000ULL)));
	e = vd_sub(e, vd_splat(0x43300000000003ffULL));
	s = vd_div(vd_sub(m, one), vd_add(m, one));
	z = vd_mul(s, s);
	p = vd_splat(0x3fc87d8ebae99ae1ULL);
	p = VS_FN(horner)(p, z, 0x3fc8774039897f75ULL);
	p = VS_FN(horner)(p, z, 0x3fcc6a2979e03137ULL);
	p = VS_FN(horner)(p, z, 0x3fd0c9a5991b72d8ULL);
	p = VS_FN(horner)(p, z, 0x3fd484b14487386eULL);
	p = VS_FN(horner)(p, z, 0x3fda61762a7085b9ULL);
	p = VS_FN(horner)(p, z, 0x3fe2776c50ef9fccULL);
	p = VS_FN(horner)(p, z, 0x3feec709dc3a03fcULL);
	p = VS_FN(horner)(p, z, 0x40071547652b82feULL);
	r = VS_FN(narrow)(vd_add(e, vd_mul(s, p)));
	r = f_sel(zero, splat_f(VS_F32_INF | VS_F32_SIGN), r);
	r = f_sel(neg, splat_f(VS_F32_NAN), r);
	r = f_sel(inf, splat_f(VS_F32_INF), r);
	return f_sel(nan, VS_FN(quiet)(a), r);
}

static __always_inline vf VS_FN(flr)(vf a)
{
	if (VS_MODEL == VS_M_F24S)
		return f_mul(f_floor(f_mul(a, splat_f(VS_TWO64))), splat_f(VS_TWO64I));
	return VS_IS_F24X ? VS_FN(store24)(f_floor(a)) : f_floor(a);
}

/* Truncated to s32, saturated, NaN = 0; no conversion is out of range. */
static __always_inline vf VS_FN(f2i)(vf a)
{
	vi abs, fits, sat, nan;

	if (VS_MODEL == VS_M_F24S)
		a = f_mul(a, splat_f(VS_TWO64));
	abs = as_i(a) & splat_i(VS_F32_ABS);
	fits = i_gt(splat_i(0x4f000000), abs);
	nan = i_gt(abs, splat_i(VS_F32_INF));
	/* 0x7fffffff, or 0x80000000 for negative values. */
	sat = i_sel(i_gt(splat_i(0), as_i(a)), splat_i(VS_F32_SIGN), splat_i(VS_F32_ABS));
	sat &= ~nan;
	return as_f(i_sel(fits, f_to_i(as_f(as_i(a) & fits)), sat));
}

/*
 * Scaled model: accumulate magnitudes of results. Adding 34 to the exponent sets
 * VS_RANGE_BIT from 2^31 on (stored as 2^-33): far below overflow, so that sums of four
 * products of noted values cannot overflow unnoticed. For infinities and NaNs the sum
 * wraps and leaves the bit clear: they are correct. Best done last, when SSE2's addition
 * may overwrite @r.
 */
static __always_inline void VS_FN(note)(vi *range, vf r)
{
	if (VS_MODEL == VS_M_F24S)
		*range |= as_i(r) + splat_i(34 << 23);
}

/*
 * Convert a binary32 pattern to the model's representation, see vs_f24_load(). A subnormal of
 * 1.7.16 is lost and raises the underflow flag, a signalling NaN raises the invalid flag;
 * both are left to the exact model. The result must be noted.
 */
static __always_inline vf VS_FN(enter)(vf r)
{
	if (VS_MODEL != VS_M_F24S)
		return r;
	return VS_FN(trunc)(f_mul(r, splat_f(VS_TWO64I)));
}

/* The inverse conversion. Adding zero turns -0 into +0. */
static __always_inline vf VS_FN(leave)(vf r)
{
	if (VS_MODEL != VS_M_F24S)
		return r;
	return f_add(f_mul(r, splat_f(VS_TWO64)), splat_f(0));
}
