// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Lowering of programs to the SIMT machine: what all front ends share. */
#include "simt_front.h"

/* ---- emission ---- */

void simt_front_emit(struct simt_front *f, const struct simt_uop *u)
{
	struct simt_uop copy = *u;

	f->count++;
	if (!f->builder)
		return;
	copy.guest = f->pos;
	simt_builder_emit(f->builder, &copy);
}

void simt_front_label(struct simt_front *f, u32 label)
{
	if (f->builder)
		simt_builder_label(f->builder, label);
}

u16 simt_front_const(struct simt_front *f, u32 bits)
{
	return f->builder ? simt_builder_const(f->builder, bits) : SIMT_U;
}

u16 simt_front_temps(struct simt_front *f, u32 n)
{
	u16 t = f->temp;

	/* stay within the available slots; the program is rejected later */
	if (t + n > f->end) {
		f->full = true;
		t = f->first;
	}
	f->temp = (u16)(t + n);
	f->top = max_t(u32, f->top, f->temp);
	return t;
}

u32 simt_front_next(const u64 *bits, u32 n, u32 from)
{
	u32 i = from / 64;
	u64 left;

	if (from >= n)
		return ~0U;
	for (left = bits[i] & ~0ULL << (from % 64); !left; left = bits[i])
		if (++i >= DIV_ROUND_UP(n, 64))
			return ~0U;
	return 64 * i + __ffs64(left);
}

/* ---- steps ---- */

static int simt_front_look(struct simt_front *f, u32 *left)
{
	int ret;

	for (; f->looks < SIMT_FRONT_LOOKS && f->ops->look[f->looks]; f->looks++) {
		ret = f->ops->look[f->looks](f, left);
		if (ret)
			return ret;
	}
	f->ops->begin(f);
	return 0;
}

static int simt_front_pass(struct simt_front *f, u32 *left)
{
	return f->ops->lower(f, left);
}

static int simt_front_build(struct simt_front *f, u32 *left)
{
	u32 nlabels;

	if (f->full || f->count > SIMT_MAX_UOPS)
		return -E2BIG;
	nlabels = f->ops->plan(f, &f->plan);
	f->builder = simt_builder_new(f->arena, f->count, nlabels, f->plan.nunif);
	if (!f->builder)
		return -ENOMEM;
	f->ops->begin(f);
	return 0;
}

static int simt_front_finish(struct simt_front *f, u32 *left)
{
	f->finish = simt_finish_new(f->builder, &f->plan, f->plan.entry);
	return f->finish ? 0 : -ENOMEM;
}

int simt_front_step(struct simt_front *f, u32 *left, struct simt_prog **out,
		    struct vs_reject *rej)
{
	static int (*const steps[])(struct simt_front *f, u32 *left) = {
		simt_front_look, simt_front_pass,
		/* not if the program is only checked */
		simt_front_build, simt_front_pass, simt_front_finish,
	};
	u32 n = f->checks ? 2 : ARRAY_SIZE(steps);
	int ret = 0;

	for (; f->step < n && !ret; f->step += !ret)
		ret = steps[f->step](f, left);
	if (!ret && !f->checks)
		ret = simt_finish_step(f->finish, left, out);
	*rej = *f->rej;
	return ret;
}
