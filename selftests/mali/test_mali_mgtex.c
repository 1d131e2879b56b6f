// SPDX-License-Identifier: GPL-2.0
/* Hand-written Midgard texture operations, on the engine. */
#include "../include/tap.h"
#include "../midgard/mtex.h"
#include "mgjob.h"

static bool same(const u32 *out, const u32 *want)
{
	u32 i;

	for (i = 0; i < 4; i++) {
		if (want[i] != OLD && out[i] != want[i])
			return false;
	}
	return true;
}

static void form(const struct mtex_form *f, enum vs_simd simd)
{
	struct vs_fault fault;
	struct mcode c;
	struct mjob j;
	u32 out[4], i;
	u64 va;

	mj_new(&j);
	mtex_texture(&j, &f->t);
	mtex_sampler(&j, f->flags, f->lods, f->wraps);
	mtex_program(&j, &f->x, f->at0, f->at1, &c);
	va = mj_write(&j, &c);
	mg_execute(&j, va, simd, &fault);
	for (i = 0; i < 4; i++)
		out[i] = mj_r32(&j, MJ_DATA + 4 * i);
	tap_result(!fault.kind && same(out, f->want),
		   "%s, %s: %08x %08x %08x %08x, fault %u", f->what, vs_simd_name(simd), out[0],
		   out[1], out[2], out[3], fault.kind);
	mj_free(&j);
}

int main(void)
{
	u32 simd, i;

	tap_start();
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() & BIT(simd)))
			continue;
		for (i = 0; i < mtex_nforms; i++)
			form(&mtex_forms[i], simd);
	}
	return tap_done();
}
