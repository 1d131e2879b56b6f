// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VideoCore IV QPU in the table of instruction sets.
 *
 * Entries and reject offsets count instructions of 64 bits; the words of a program are
 * 32 bits, the low half of an instruction first. There is no engine program: QPUs decode
 * what they meet, because code may be in memory and change. Vertex and coordinate
 * shaders run as compute programs.
 */
#include "qpu_text.h"
#include "qpu_machine.h"

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
	.disasm = qpu_disasm,
	.reason_text = qpu_reason_text,
};
