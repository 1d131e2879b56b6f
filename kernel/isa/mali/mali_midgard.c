// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * How threads of Midgard programs start.
 *
 * There are no preloaded registers: the load/store unit reads where a thread is. A vertex
 * program has vertices in y, instances in z of the global id.
 */
#include "../midgard/midgard_lower.h"
#include "mali_run_int.h"

static void put_ids(const struct mali_work *w, const struct mali_ids *id, u32 *slot)
{
	u32 i;

	for (i = 0; i < 3; i++) {
		slot[SIMT_LANES * (MG_SLOT_LOCAL + i)] = id->local[i];
		slot[SIMT_LANES * (MG_SLOT_GROUP + i)] = id->group[i];
		slot[SIMT_LANES * (MG_SLOT_GLOBAL + i)] = id->group[i] * w->local[i] + id->local[i];
	}
}

static const u8 slots[10] = {
	MALI_NO_SLOT, MG_SLOT_LOCAL, MG_SLOT_LOCAL + 1, MG_SLOT_LOCAL + 2,
	MG_SLOT_GROUP, MG_SLOT_GROUP + 1, MG_SLOT_GROUP + 2,
	MG_SLOT_GLOBAL, MG_SLOT_GLOBAL + 1, MG_SLOT_GLOBAL + 2,
};

void midgard_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	struct mali_run *r = simt_machine_arg(m);

	if (r->w.stage == MALI_STAGE_FRAGMENT)
		mali_frag_start(m, b, g);
	else if (!mali_rows_start(m, b, g, slots))
		mali_each_thread(&r->w, b, g, put_ids);
	if (simt_machine_launched(m)->prog->own == MG_NUM_SEG_SLOTS)
		mali_segments(m, b, MG_SLOT_WLS, MG_SLOT_TLS);
}
