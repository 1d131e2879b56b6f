// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Arithmetic of the texture unit in integers.
 */
#include "../../engine/softfloat.h"
#include "mali_texfp.h"

#define fd	u64

#define MALI_TEXFP_ENTRY(name)	mali_texfp_##name##_soft
/* The other lanes are not worth the time. */
#define LANE_SKIP(mask, l)	(!((mask) >> (l) & 1))

static fd d_bits(u64 bits)
{
	return bits;
}

static u64 bits_d(fd a)
{
	return a;
}

static fd dp_add(fd a, fd b)
{
	return sd_add(a, b, false);
}

static fd dp_sub(fd a, fd b)
{
	return sd_sub(a, b, false);
}

static fd dp_mul(fd a, fd b)
{
	return sd_mul(a, b, false);
}

static fd dp_div(fd a, fd b)
{
	return sd_div(a, b, false);
}

static fd d_from_f(u32 f)
{
	return sd_from_float(f);
}

static u32 f_from_d(fd a)
{
	return sd_to_float(a, SF_RTE);
}

static fd d_from_unorm8(u32 n)
{
	return sd_from_float(mali_unorm8_to_f32(n));
}

static fd d_from_i(s32 i)
{
	return sd_from_int(i);
}

/* Truncation; magnitude below 2^31. */
static s32 i_from_d(fd a)
{
	s32 e = (s32)(a >> 52 & 0x7ff) - 1023, i;

	if (e < 0)
		return 0;
	i = (s32)(((a & (BIT_ULL(52) - 1)) | BIT_ULL(52)) >> (52 - e));
	return a >> 63 ? -i : i;
}

static s64 order(fd a)
{
	return a >> 63 ? -(s64)(a & ~BIT_ULL(63)) : (s64)a;
}

static bool is_nan(fd a)
{
	return (a & ~BIT_ULL(63)) > 0x7ff0000000000000ULL;
}

static bool d_lt(fd a, fd b)
{
	return !is_nan(a) && !is_nan(b) && order(a) < order(b);
}

#include "mali_texfp_main.h"
