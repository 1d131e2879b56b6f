// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 in the table of instruction sets.
 */
#include "pica.h"
#include "pica_launch.h"

const struct vs_isa pica_isa = {
	.id = VS_ISA_PICA,
	.name = "pica",
	.word_bytes = 4,
	.pc_unit = 1,
	.max_words = PICA_MAX_CODE,
	.stage_mask = 1U << VS_STAGE_VERTEX | 1U << VS_STAGE_GEOMETRY,
	.va_bits = 32,
	.model_mask = 1U << PICA_MODEL_F24 | 1U << PICA_MODEL_F32,
	.default_model = PICA_MODEL_F24,
	.switches = PICA_SW_ALL,
	.verify = pica_verify,
	.lower = pica_lower,
	.disasm = pica_disasm,
	.reason_text = pica_reason_text,
};
