// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * ISA operations of Utgard's processors.
 *
 * Entries, reject offsets and the pc of faults count instructions of 128 bits in vertex
 * programs, words in pixel programs, whose instructions have different lengths. Programs are
 * lowered when a job executes them, as the result depends on its switches and temporaries.
 */
#include "utgard_debug.h"
#include "utgard_isa.h"
#include "utgard_run.h"

/* ---- vertex processor ---- */

static int gp_verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
		     struct vs_log *log)
{
	int ret = ugp_verify(src, rep, rej);

	if (ret == -ENOEXEC)
		vs_log_printf(log, "instruction %u: %s\n", rej->offset,
			      ugp_reason_text(rej->reason));
	return ret;
}

static const struct vs_debug_bank gp_banks[] = {
	{ .first = UGP_DBG_REG, .count = UGP_NUM_REGS, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "r" },
	{ .first = UGP_DBG_ADDR, .count = 4, .components = 1, .bits = 32,
	  .kind = VS_DEBUG_INT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "addr" },
	/* results of the previous instruction */
	UGP_BANK_BACK(UGP_DBG_BACK1, UGP_ACC0, 2, "acc"),
	UGP_BANK_BACK(UGP_DBG_BACK1, UGP_MUL0, 2, "mul"),
	UGP_BANK_BACK(UGP_DBG_BACK1, UGP_PASS_UNIT, 1, "pass"),
	UGP_BANK_BACK(UGP_DBG_BACK1, UGP_COMPLEX_UNIT, 1, "complex"),
	/* results of the one before */
	UGP_BANK_BACK(UGP_DBG_BACK2, UGP_ACC0, 2, "old_acc"),
	UGP_BANK_BACK(UGP_DBG_BACK2, UGP_MUL0, 2, "old_mul"),
	UGP_BANK_BACK(UGP_DBG_BACK2, UGP_PASS_UNIT, 1, "old_pass"),
	UGP_BANK_BACK(UGP_DBG_BACK2, UGP_COMPLEX_UNIT, 1, "old_complex"),
	{ .first = UGP_DBG_PORT0, .count = 1, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE | VS_DEBUG_BANK_MINOR,
	  .name = "old_port" },
	{ .first = UGP_DBG_ATTR, .count = UGP_NUM_ATTRIBUTES, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "a" },
	{ .first = UGP_DBG_OUT, .count = UGP_NUM_VARYINGS, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "v" },
	{ .first = UGP_DBG_ROW, .count = UGP_MAX_ROWS, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE | VS_DEBUG_BANK_MINOR,
	  .name = "t" },
};

const struct vs_isa utgard_gp_isa = {
	.id = VS_ISA_UTGARD_GP,
	.name = "utgard-gp",
	.word_bytes = 4 * UGP_WORDS,
	.pc_unit = 1,
	.max_words = UGP_MAX_INSNS,
	.stage_mask = 1U << VS_STAGE_VERTEX,
	.va_bits = 32,
	.model_mask = 1,
	.verify = gp_verify,
	.reason_text = ugp_reason_text,
	.banks = gp_banks,
	.nbanks = ARRAY_SIZE(gp_banks),
	.watch = true,
};

/* ---- pixel processor ---- */

static int pp_verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
		     struct vs_log *log)
{
	struct upp_check check;
	int ret = upp_verify(src, rep, &check);

	if (ret != -ENOEXEC)
		return ret;
	*rej = check.reject;
	vs_log_printf(log, "word %u: %s\n", rej->offset, upp_reason_text(rej->reason));
	return ret;
}

static const struct vs_debug_bank pp_banks[] = {
	{ .first = UPP_DBG_REG, .count = UPP_NUM_REGS, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "r" },
	{ .first = UPP_DBG_VAR, .count = UPP_NUM_VARYINGS, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "v" },
	{ .first = UPP_DBG_COORD, .count = 1, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "fragcoord" },
	{ .first = UPP_DBG_POINT, .count = 1, .components = 2, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "pointcoord" },
	{ .first = UPP_DBG_FACING, .count = 1, .components = 1, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE, .name = "facing" },
	{ .first = UPP_DBG_TEMP, .count = UPP_DBG_TEMPS, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE | VS_DEBUG_BANK_MINOR,
	  .name = "t" },
	{ .first = UPP_DBG_UNIF, .count = UPP_DBG_ROWS, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT,
	  .flags = VS_DEBUG_BANK_WRITABLE | VS_DEBUG_BANK_UNIFORM | VS_DEBUG_BANK_MINOR,
	  .name = "u" },
	{ .first = UPP_DBG_TEX, .count = 1, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_MINOR, .name = "texture" },
	{ .first = UPP_DBG_UNI, .count = 1, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_MINOR, .name = "uniform" },
	{ .first = UPP_DBG_VMUL, .count = 1, .components = 4, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_MINOR, .name = "vmul" },
	{ .first = UPP_DBG_SMUL, .count = 1, .components = 1, .bits = 32,
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_MINOR, .name = "smul" },
	{ .first = UPP_DBG_PIXEL, .count = 1, .components = 2, .bits = 16, .kind = VS_DEBUG_INT,
	  .flags = VS_DEBUG_BANK_MINOR, .name = "pixel" },
	{ .first = UPP_DBG_FRAGMENT, .count = 1, .components = 3, .bits = 16, .kind = VS_DEBUG_INT,
	  .flags = VS_DEBUG_BANK_MINOR, .name = "fragment" },
};

const struct vs_isa utgard_pp_isa = {
	.id = VS_ISA_UTGARD_PP,
	.name = "utgard-pp",
	.word_bytes = 4,
	.pc_unit = 1,
	.max_words = UPP_MAX_WORDS,
	.stage_mask = 1U << VS_STAGE_FRAGMENT,
	.va_bits = 32,
	.model_mask = 1,
	.switches = UPP_SW_ALL,
	.verify = pp_verify,
	.reason_text = upp_reason_text,
	.banks = pp_banks,
	.nbanks = ARRAY_SIZE(pp_banks),
	.watch = true,
};
