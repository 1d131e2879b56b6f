// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Arithmetic of the texture unit with the processor's binary64: SSE2, which all x86-64 have.
 * The order of a sum's operands does not matter, as NaNs are made equal at the end.
 */
#include "mali_texfp.h"

#define fd	double

#define MALI_TEXFP_ENTRY(name)	mali_texfp_##name##_sse2
/* All lanes: loops without branches. What the others have is not used. */
#define LANE_SKIP(mask, l)	((void)(mask), (void)(l), false)

static __always_inline fd d_bits(u64 bits)
{
	fd a;

	memcpy(&a, &bits, sizeof(a));
	return a;
}

static __always_inline u64 bits_d(fd a)
{
	u64 bits;

	memcpy(&bits, &a, sizeof(bits));
	return bits;
}

static __always_inline fd dp_add(fd a, fd b)
{
	return a + b;
}

static __always_inline fd dp_sub(fd a, fd b)
{
	return a - b;
}

static __always_inline fd dp_mul(fd a, fd b)
{
	return a * b;
}

static __always_inline fd dp_div(fd a, fd b)
{
	return a / b;
}

static __always_inline fd d_from_f(u32 bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static __always_inline u32 f_from_d(fd a)
{
	float f = (float)a;
	u32 bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static __always_inline fd d_from_unorm8(u32 n)
{
	const u32 bits = 0x3b808081;	/* 1 / 255 */
	float by;

	memcpy(&by, &bits, sizeof(by));
	return (float)(s32)n * by;
}

static __always_inline fd d_from_i(s32 i)
{
	return i;
}

static __always_inline s32 i_from_d(fd a)
{
	return (s32)a;
}

static __always_inline bool d_lt(fd a, fd b)
{
	return a < b;
}

#include "mali_texfp_main.h"
