// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Addressing of elements of attribute buffers.
 */
#include "mali_res.h"

static u32 npot_divide(const struct mali_attr_buf *b, u32 linear)
{
	u64 n = (u64)linear + b->e;

	/* At most 2^32 times less than 2^32, which fits. */
	return (u32)((n * b->magic) >> 32 >> b->r);
}

/**
 * mali_attr_element - index of the element that an invocation reads in a 1D buffer
 * @b: buffer
 * @linear: instance * padded vertices + vertex
 *
 * Return: element index; for VERTEX_ID and INSTANCE_ID buffers the value itself.
 */
u32 mali_attr_element(const struct mali_attr_buf *b, u32 linear)
{
	u64 padded = (2ULL * b->p + 1) << b->r;

	switch (b->type) {
	case MALI_BUF_INSTANCE_ID:
		return npot_divide(b, linear) + (u32)b->bias;
	case MALI_BUF_VERTEX_ID:
		/* A modulus of more than 32 bits is a no-op. */
		return (padded >> 32 ? linear : linear % (u32)padded) + (u32)b->bias;
	case MALI_BUF_POT_DIVISOR:
	case MALI_BUF_POT_DIVISOR_WR:
		return linear >> b->r;
	case MALI_BUF_MODULUS:
	case MALI_BUF_MODULUS_WR:
		return padded >> 32 ? linear : linear % (u32)padded;
	case MALI_BUF_NPOT_DIVISOR:
	case MALI_BUF_NPOT_DIVISOR_WR:
		return npot_divide(b, linear);
	default:
		return linear;
	}
}
