/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * PICA200 number formats as bit patterns: 1.7.16 (registers, uniform upload), 1.7.12
 * (fixed-function registers), 1.5.10. Integer arithmetic only.
 */
#ifndef VS_PICA_FLOAT_H
#define VS_PICA_FLOAT_H

#include "../../engine/vs_glue.h"

/* Conversion from binary32 to 1.7.16. */
#define PICA_TO_F24_NEAREST	0x1	/* to nearest even, otherwise toward zero */
#define PICA_TO_F24_FLUSH	0x2	/* subnormal results become +0 */
#define PICA_TO_F24_NO_NEG_ZERO	0x4	/* -0 becomes +0 */

u32 pica_f24_to_f32(u32 raw);
u32 pica_f20_to_f32(u32 raw);
u32 pica_f16_to_f32(u32 raw);
u32 pica_f32_to_f24(u32 bits, u32 flags);
u32 pica_f32_round_f24(u32 bits, u32 flags);
void pica_unpack_f24(const u32 words[3], u32 raw[4]);
void pica_unpack_f32(const u32 words[4], u32 bits[4]);
void pica_pack_f24(const u32 raw[4], u32 words[3]);

#endif /* VS_PICA_FLOAT_H */
