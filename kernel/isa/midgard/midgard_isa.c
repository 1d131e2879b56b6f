// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * ISA operations of Midgard.
 *
 * An instruction is a quad of 128 bits; entries, reject offsets and the pc of faults count
 * quads. Programs are lowered when a job executes them: the job selects the GPU, and programs
 * of job chains are in guest memory.
 */
#include "midgard_lower.h"
#include "midgard_verify.h"

/* The T860 accepts a superset of the T760's programs. */
static int mg_isa_verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
			 struct vs_log *log)
{
	struct mg_check check = { .gpu = MG_T860 };
	int ret = mg_verify(src, rep, &check);

	if (ret != -ENOEXEC)
		return ret;
	*rej = check.reject;
	vs_log_printf(log, "quad %u: %s\n", rej->offset, mg_reason_text(rej->reason));
	return ret;
}

static const struct vs_debug_bank banks[] = {
	{ .first = MG_DBG_REG, .count = 16, .components = 4, .bits = 32,
	  .flags = VS_DEBUG_BANK_WRITABLE, .name = "r" },
	{ .first = MG_DBG_UNIF, .count = MG_MAX_UNIFORMS, .components = 4, .bits = 32,
	  .flags = VS_DEBUG_BANK_WRITABLE | VS_DEBUG_BANK_UNIFORM | VS_DEBUG_BANK_MINOR,
	  .name = "u" },
	{ .first = MG_DBG_PIXEL, .count = 1, .components = 2, .bits = 16, .kind = VS_DEBUG_INT,
	  .flags = VS_DEBUG_BANK_MINOR, .name = "pixel" },
	{ .first = MG_DBG_DRAW, .count = 1, .components = 1, .bits = 16, .kind = VS_DEBUG_INT,
	  .flags = VS_DEBUG_BANK_MINOR, .name = "draw" },
	{ .first = MG_DBG_TMP, .count = 2, .components = 4, .bits = 32,
	  .flags = VS_DEBUG_BANK_WRITABLE | VS_DEBUG_BANK_MINOR, .name = "tmp" },
	{ .first = MG_DBG_AL, .count = 2, .components = 4, .bits = 32,
	  .flags = VS_DEBUG_BANK_WRITABLE | VS_DEBUG_BANK_MINOR, .name = "al" },
	{ .first = MG_DBG_AT, .count = 2, .components = 4, .bits = 32,
	  .flags = VS_DEBUG_BANK_WRITABLE | VS_DEBUG_BANK_MINOR, .name = "at" },
	{ .first = MG_DBG_TA, .count = 2, .components = 4, .bits = 32,
	  .flags = VS_DEBUG_BANK_WRITABLE | VS_DEBUG_BANK_MINOR, .name = "ta" },
	{ .first = MG_DBG_COND, .count = 1, .components = 4, .bits = 32,
	  .flags = VS_DEBUG_BANK_WRITABLE | VS_DEBUG_BANK_MINOR, .name = "r31" },
	{ .first = MG_DBG_FRAGMENT, .count = 1, .components = 3, .bits = 16, .kind = VS_DEBUG_INT,
	  .flags = VS_DEBUG_BANK_MINOR, .name = "fragment" },
};

const struct vs_isa midgard_isa = {
	.id = VS_ISA_MIDGARD,
	.name = "midgard",
	.word_bytes = 16,
	.pc_unit = 1,
	.max_words = MG_MAX_QUADS,
	.stage_mask = 1U << VS_STAGE_VERTEX | 1U << VS_STAGE_FRAGMENT | 1U << VS_STAGE_COMPUTE,
	.va_bits = 48,
	.model_mask = 1,
	.switches = 0,
	.verify = mg_isa_verify,
	.reason_text = mg_lower_reason_text,
	.banks = banks,
	.nbanks = ARRAY_SIZE(banks),
	.watch = true,
};
