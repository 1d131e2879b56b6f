// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * ISA operations of Bifrost.
 *
 * An instruction is a quad of 128 bits; entries, reject offsets and the pc of faults count
 * quads. Clauses are lowered when a job executes them: the job selects the GPU, and programs
 * of job chains are in guest memory.
 */
#include "bifrost_lower.h"
#include "bifrost_verify.h"

/* Accept operations that only some of the GPUs have. */
static int bi_isa_verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
			 struct vs_log *log)
{
	struct bi_check check = { .gpu = BI_NUM_GPUS };
	int ret = bi_verify(src, rep, &check);

	if (ret != -ENOEXEC)
		return ret;
	*rej = check.reject;
	vs_log_printf(log, "quad %u: %s\n", rej->offset, bi_reason_text(rej->reason));
	return ret;
}

static const struct vs_debug_bank banks[] = {
	{ .first = BI_DBG_REG, .count = 64, .components = 1, .bits = 32,
	  .flags = VS_DEBUG_BANK_WRITABLE, .name = "r" },
	{ .first = BI_DBG_UNIF, .count = BI_DBG_PAIRS, .components = 2, .bits = 32,
	  .flags = VS_DEBUG_BANK_WRITABLE | VS_DEBUG_BANK_UNIFORM | VS_DEBUG_BANK_MINOR,
	  .name = "u" },
	{ .first = BI_DBG_PIXEL, .count = 1, .components = 2, .bits = 16, .kind = VS_DEBUG_INT,
	  .flags = VS_DEBUG_BANK_MINOR, .name = "pixel" },
	{ .first = BI_DBG_DRAW, .count = 1, .components = 1, .bits = 16, .kind = VS_DEBUG_INT,
	  .flags = VS_DEBUG_BANK_MINOR, .name = "draw" },
	{ .first = BI_DBG_TEMP, .count = BI_NUM_UNITS, .components = 1, .bits = 32,
	  .flags = VS_DEBUG_BANK_MINOR, .name = "t" },
	{ .first = BI_DBG_STAGE, .count = BI_DBG_NUM_STAGE, .components = 1, .bits = 32,
	  .flags = VS_DEBUG_BANK_MINOR, .name = "staging" },
	{ .first = BI_DBG_FRAGMENT, .count = 1, .components = 3, .bits = 16, .kind = VS_DEBUG_INT,
	  .flags = VS_DEBUG_BANK_MINOR, .name = "fragment" },
};

const struct vs_isa bifrost_isa = {
	.id = VS_ISA_BIFROST,
	.name = "bifrost",
	.word_bytes = 16,
	.pc_unit = 1,
	.max_words = BI_MAX_QUADS,
	.stage_mask = 1U << VS_STAGE_VERTEX | 1U << VS_STAGE_FRAGMENT | 1U << VS_STAGE_COMPUTE,
	.va_bits = 48,
	.model_mask = 1,
	.switches = 1,
	.verify = bi_isa_verify,
	.reason_text = bi_reason_text,
	.banks = banks,
	.nbanks = ARRAY_SIZE(banks),
	.watch = true,
};
