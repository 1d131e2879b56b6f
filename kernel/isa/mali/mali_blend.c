// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Blend equations: the words of descriptors as state of the blend unit.
 */
#include "mali_run_int.h"

/* A + B * C with signs, or with 1 - C. Return: false if it has no meaning. */
static bool blend_function(u32 w, struct vr_function *f)
{
	static const struct vr_term multiples[] = {
		[MALI_BLEND_B_SRC_MINUS_DEST] = { .src = 1, .dst = -1 },
		[MALI_BLEND_B_SRC_PLUS_DEST] = { .src = 1, .dst = 1 },
		[MALI_BLEND_B_SRC] = { .src = 1 },
		[MALI_BLEND_B_DEST] = { .dst = 1 },
	};
	static const struct vr_term factors[8] = {
		[MALI_BLEND_C_SRC] = { .factor = VR_FACTOR_SRC },
		[MALI_BLEND_C_DEST] = { .factor = VR_FACTOR_DST },
		[MALI_BLEND_C_SRC_X_2] = { .factor = VR_FACTOR_SRC_TWICE },
		[MALI_BLEND_C_SRC_ALPHA] = { .factor = VR_FACTOR_SRC, .alpha = true },
		[MALI_BLEND_C_DEST_ALPHA] = { .factor = VR_FACTOR_DST, .alpha = true },
		[MALI_BLEND_C_CONSTANT] = { .factor = VR_FACTOR_CONSTANT },
	};
	u32 a = w & 3, c = w >> 8 & 7;
	s8 sign_a = w >> 3 & 1 ? -1 : 1, sign_b = w >> 7 & 1 ? -1 : 1;

	if (!a || !c || w >> 2 & 1 || w >> 6 & 1)
		return false;
	f->op = VR_BLEND_ADD;
	f->a = (struct vr_term){ .src = a == MALI_BLEND_A_SRC ? sign_a : 0,
				 .dst = a == MALI_BLEND_A_DEST ? sign_a : 0, .invert = true };
	f->b = factors[c];
	f->b.src = sign_b * multiples[w >> 4 & 3].src;
	f->b.dst = sign_b * multiples[w >> 4 & 3].dst;
	f->b.invert = w >> 11 & 1;
	return true;
}

bool mali_blend_state(u32 equation, u32 constant, bool alpha_one, struct vr_blend *b)
{
	u32 i;

	*b = (struct vr_blend){ .write = equation >> 28, .alpha_one = alpha_one };
	for (i = 0; i < 4; i++)
		b->constant[i] = constant;
	return blend_function(equation, &b->f[0]) && blend_function(equation >> 12, &b->f[1]);
}

bool mali_frag_replaces(const struct mali_blend *d)
{
	struct vr_blend b;

	return d->flags & MALI_BLEND_ENABLE && !(d->flags & MALI_BLEND_PROGRAM) &&
	       mali_blend_state(d->internal[0], 0, d->flags & MALI_BLEND_ALPHA_TO_ONE, &b) &&
	       vr_blend_replaces(&b);
}
