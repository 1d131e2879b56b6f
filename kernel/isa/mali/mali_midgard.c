// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What Midgard programs need besides what all Mali programs share: how their threads start.
 *
 * There are no preloaded registers: the load/store unit reads where a thread is. A vertex
 * program has vertices in y, instances in z of the global id.
 */
#include "../../engine/simt/simt_intern.h"
#include "../midgard/midgard_lower.h"
#include "mali_run_int.h"

static void ids(const struct mali_work *w, u64 group, u32 thread, u32 v[9])
{
	u64 row = group / w->groups[0];
	u32 i;

	v[3] = group % w->groups[0];
	v[4] = row % w->groups[1];
	v[5] = row / w->groups[1];
	v[0] = thread % w->local[0];
	thread /= w->local[0];
	v[1] = thread % w->local[1];
	v[2] = thread / w->local[1];
	for (i = 0; i < 3; i++)
		v[6 + i] = v[3 + i] * w->local[i] + v[i];
}

static void preload(const struct mali_work *w, struct simt_block *b, const struct simt_group *g)
{
	u32 v[9], l, i;
	u64 left;

	for (left = b->live; left; left &= left - 1) {
		l = __ffs64(left);
		ids(w, g->group + l / g->stride, g->first + l % g->stride, v);
		for (i = 0; i < ARRAY_SIZE(v); i++)
			*mx_slot(b, MG_SLOT_LOCAL + i, l) = v[i];
	}
}

static void segments(struct simt_machine *m, struct simt_block *b)
{
	u64 left, base, size;
	u32 l;

	if (simt_machine_launched(m)->prog->nslots != MG_NUM_SEG_SLOTS)
		return;
	for (left = b->live; left; left &= left - 1) {
		l = __ffs64(left);
		base = simt_seg_base(m, m->wb, SIMT_SEG_TLS, l, &size);
		*mx_slot(b, MG_SLOT_TLS, l) = (u32)base;
		*mx_slot(b, MG_SLOT_TLS + 1, l) = base >> 32;
		base = simt_seg_base(m, m->wb, SIMT_SEG_WLS, l, &size);
		*mx_slot(b, MG_SLOT_WLS, l) = (u32)base;
		*mx_slot(b, MG_SLOT_WLS + 1, l) = base >> 32;
	}
}

void midgard_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	struct mali_run *r = simt_machine_arg(m);

	if (r->w.stage == MALI_STAGE_FRAGMENT)
		mali_frag_start(m, b, g);
	else
		preload(&r->w, b, g);
	segments(m, b);
}
