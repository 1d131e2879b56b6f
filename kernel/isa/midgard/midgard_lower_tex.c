// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Midgard texture operations to micro-ops.
 */
#include "../mali/mali_ext.h"
#include "midgard_lower_priv.h"

int ml_tex_bundle(struct ml *l)
{
	const struct mg_tex *t = &l->b.tex;

	if (t->op != MG_TEX_BARRIER)
		return ml_unsupported(l, t->op);
	if (l->code->stage != VS_STAGE_COMPUTE)
		return 0;
	ml_emit(l, ML_UOP(.op = SIMT_BARRIER));
	return 0;
}
