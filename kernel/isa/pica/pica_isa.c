// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * ISA operations of PICA200.
 */
#include "pica.h"
#include "pica_launch.h"

/* Numbered like the register tables in program files. */
static const struct vs_debug_bank banks[] = {
	{ .first = 0, .count = PICA_NUM_REGS, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "v" },
	{ .first = PICA_NUM_REGS, .count = PICA_NUM_REGS, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "o" },
	{ .first = 2 * PICA_NUM_REGS, .count = PICA_NUM_REGS, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "r" },
	{ .first = 3 * PICA_NUM_REGS, .count = 1, .components = 2, .bits = 8,
	  .kind = VS_DEBUG_INT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "a0" },
	{ .first = 3 * PICA_NUM_REGS + 1, .count = 1, .components = 1, .bits = 8,
	  .kind = VS_DEBUG_INT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "aL" },
	{ .first = 3 * PICA_NUM_REGS + 2, .count = 1, .components = 2, .bits = 1,
	  .kind = VS_DEBUG_PREDICATE, .flags = VS_DEBUG_BANK_WRITABLE, .name = "cmp" },
	{ .first = VS_DEBUG_BLOCK_UNIF, .count = PICA_FLOAT_UNIFORMS, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_UNIFORM | VS_DEBUG_BANK_MINOR,
	  .name = "c" },
	/* unsigned bytes: count, start, step */
	{ .first = VS_DEBUG_BLOCK_LOOP, .count = PICA_NUM_INT, .components = 3, .bits = 16,
	  .kind = VS_DEBUG_INT, .flags = VS_DEBUG_BANK_UNIFORM | VS_DEBUG_BANK_MINOR,
	  .name = "i" },
	{ .first = VS_DEBUG_BLOCK_BOOL, .count = PICA_NUM_BOOL, .components = 1, .bits = 1,
	  .kind = VS_DEBUG_PREDICATE, .flags = VS_DEBUG_BANK_UNIFORM | VS_DEBUG_BANK_MINOR,
	  .name = "b" },
};

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
	.reason_text = pica_reason_text,
	.banks = banks,
	.nbanks = ARRAY_SIZE(banks),
};
