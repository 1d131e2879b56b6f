/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * PICA200 pictures: fragments of a block side by side, with the machine's binary32. Results are
 * those of the integer code in the other files, which does the lanes that are left out here: where
 * infinities and NaNs appear or a coordinate is far outside.
 */
#ifndef PICA_FP_H
#define PICA_FP_H

#include "pica_paint.h"

/*
 * Called in FPU sections.
 *
 * prepare:	primary colour; texels that units read, of lanes in lanes->placed
 * light:	both colours of lighting, of lanes in lanes->lit
 * combine:	colour
 */
#define PICA_FP(build)								\
void pica_fp_prepare_##build(const struct pica_frag *f,				\
			     const u32 v[PICA_V_WORDS][VS_LANES],		\
			     struct pica_lanes *b);				\
void pica_fp_light_##build(const struct pica_frag *f,				\
			   const u32 v[PICA_V_WORDS][VS_LANES],			\
			   struct pica_lanes *b);				\
void pica_fp_combine_##build(const struct pica_frag *f, struct pica_lanes *b)

PICA_FP(sse2);
PICA_FP(avx2);
PICA_FP(neon);

#endif /* PICA_FP_H */
