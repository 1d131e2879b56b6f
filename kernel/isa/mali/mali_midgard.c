// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Start of Midgard threads.
 *
 * There are no preloaded registers: the load/store unit reads the thread's ids. In vertex
 * programs, y of the global id is the vertex, z the instance.
 */
#include "../../engine/simt/simt_intern.h"
#include "../midgard/midgard_lower.h"
#include "mali_run_int.h"

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
	else if (!mali_rows_start(m, m->wb, 1, slots))
		mali_each_thread(m, b, g, slots);
	mali_segments(m, b, MG_SLOT_WLS, MG_SLOT_TLS);
}

bool midgard_start_step(struct simt_machine *m, struct simt_wave_block *first, u32 n)
{
	if (!mali_rows_start(m, first, n, slots))
		return false;
	mali_segments_step(m, first, n, MG_SLOT_WLS, MG_SLOT_TLS);
	return true;
}
