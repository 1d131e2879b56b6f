// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * ISA operations of the VideoCore IV QPU.
 *
 * Entries and reject offsets count instructions of 64 bits; the words of a program are
 * 32 bits, the low half of an instruction first. There is no engine program: QPUs decode
 * instructions at execution, because code may be in memory and change. Vertex and coordinate
 * shaders run as compute programs.
 */
#include "qpu_debug.h"
#include "qpu_verify.h"
#include "qpu_machine.h"

#define FILE_FLAGS	(VS_DEBUG_BANK_WRITABLE | VS_DEBUG_BANK_LANES)

static const struct vs_debug_bank banks[] = {
	{ .first = QPU_DBG_RA, .count = 32, .components = 16, .bits = 32, .flags = FILE_FLAGS,
	  .name = "ra" },
	{ .first = QPU_DBG_RB, .count = 32, .components = 16, .bits = 32, .flags = FILE_FLAGS,
	  .name = "rb" },
	{ .first = QPU_DBG_ACC, .count = 6, .components = 16, .bits = 32, .flags = FILE_FLAGS,
	  .name = "r" },
	{ .first = QPU_DBG_FLAGS, .count = 1, .components = 16, .bits = 1,
	  .kind = VS_DEBUG_PREDICATE, .flags = FILE_FLAGS, .name = "zf" },
	{ .first = QPU_DBG_FLAGS + 1, .count = 1, .components = 16, .bits = 1,
	  .kind = VS_DEBUG_PREDICATE, .flags = FILE_FLAGS, .name = "nf" },
	{ .first = QPU_DBG_FLAGS + 2, .count = 1, .components = 16, .bits = 1,
	  .kind = VS_DEBUG_PREDICATE, .flags = FILE_FLAGS, .name = "cf" },
	{ .first = QPU_DBG_UNIF, .count = 1, .components = 1, .bits = 32,
	  .kind = VS_DEBUG_ADDRESS, .flags = VS_DEBUG_BANK_WRITABLE, .name = "unif" },
	{ .first = QPU_DBG_NUM, .count = 1, .components = 1, .bits = 4, .kind = VS_DEBUG_INT,
	  .flags = VS_DEBUG_BANK_MINOR, .name = "qpu" },
	{ .first = QPU_DBG_SEMA, .count = 16, .components = 1, .bits = 4, .kind = VS_DEBUG_INT,
	  .flags = VS_DEBUG_BANK_UNIFORM | VS_DEBUG_BANK_MINOR, .name = "sema" },
	{ .first = QPU_DBG_MUTEX, .count = 1, .components = 1, .bits = 32, .kind = VS_DEBUG_INT,
	  .flags = VS_DEBUG_BANK_UNIFORM | VS_DEBUG_BANK_MINOR, .name = "mutex" },
};

const struct vs_isa qpu_isa = {
	.id = VS_ISA_QPU,
	.name = "qpu",
	.word_bytes = 8,
	.pc_unit = 8,
	.max_words = QPU_MAX_WORDS,
	.stage_mask = 1U << VS_STAGE_FRAGMENT | 1U << VS_STAGE_COMPUTE,
	.va_bits = 32,
	.model_mask = 1,
	.switches = QPU_SW_ALL,
	.verify = qpu_verify,
	.reason_text = qpu_reason_text,
	.banks = banks,
	.nbanks = ARRAY_SIZE(banks),
	.watch = true,
};
