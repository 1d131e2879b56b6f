/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Instantiations of the executor, and its entry point VS_ENTRY(run). The including file defines
 * the vector primitives and VS_ENTRY(name); VS_NO_FAST leaves the optimistic ones out.
 */
#include "exec_models.h"

#ifndef VS_NO_FAST

#define VS_FN(name)	f32_##name
#define VS_MODEL	VS_M_F32
#define VS_MASKED	0
#define VS_SMALL	0
#include "exec_tmpl.h"

#define VS_FN(name)	f32m_##name
#define VS_MODEL	VS_M_F32
#define VS_MASKED	1
#define VS_SMALL	0
#include "exec_tmpl.h"

#define VS_FN(name)	f24_##name
#define VS_MODEL	VS_M_F24S
#define VS_MASKED	0
#define VS_SMALL	0
#include "exec_tmpl.h"

#define VS_FN(name)	f24m_##name
#define VS_MODEL	VS_M_F24S
#define VS_MASKED	1
#define VS_SMALL	0
#include "exec_tmpl.h"

#endif

#define VS_RZ		false
#define VS_FN(name)	f32x_##name
#define VS_MODEL	VS_M_F32X
#define VS_MASKED	1
#define VS_SMALL	1
#include "exec_tmpl.h"

#define VS_FN(name)	f24nx_##name
#define VS_MODEL	VS_M_F24N
#define VS_MASKED	1
#define VS_SMALL	1
#include "exec_tmpl.h"
#undef VS_RZ

#define VS_RZ		true
#define VS_FN(name)	f24tx_##name
#define VS_MODEL	VS_M_F24T
#define VS_MASKED	1
#define VS_SMALL	1
#include "exec_tmpl.h"

noinline const struct vs_uop *VS_ENTRY(run)(enum vs_kind kind, struct vs_block *b,
					    const struct vs_uop *u)
{
#ifndef VS_NO_FAST
	if (kind == VS_K_F32)
		return f32_run(b, u);
	if (kind == VS_K_F32_M)
		return f32m_run(b, u);
	if (kind == VS_K_F24)
		return f24_run(b, u);
	if (kind == VS_K_F24_M)
		return f24m_run(b, u);
#endif
#if defined(VS_NAN_PROBE) && !defined(VS_NAN_RULE)
	if (b->nan_rule)
		return vs_exec_run_nan(kind, b, u);
#endif
	if (kind == VS_K_F32_X)
		return f32x_run(b, u);
	if (kind == VS_K_F24T_X)
		return f24tx_run(b, u);
	return f24nx_run(b, u);
}
