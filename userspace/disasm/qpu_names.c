// SPDX-License-Identifier: MIT
/*
 * Names of QPU operations, registers and modes, as vc4asm has them. The disassembler and
 * the assembler share these tables.
 */
#include "qpu_names.h"

static const char * const add_names[QPU_NUM_ADD_OPS] = {
#define QPU_ADD_OP(code, name, mnem, ...) [code] = (mnem),
#define QPU_MUL_OP(...)
#include "isa/qpu/qpu_ops.def"
#undef QPU_ADD_OP
#undef QPU_MUL_OP
	[9] = "aop9", [10] = "aop10", [11] = "aop11", [25] = "aop25", [26] = "aop26",
	[27] = "aop27", [28] = "aop28", [29] = "aop29",
};

static const char * const mul_names[QPU_NUM_MUL_OPS] = {
#define QPU_ADD_OP(...)
#define QPU_MUL_OP(code, name, mnem, ...) [code] = (mnem),
#include "isa/qpu/qpu_ops.def"
#undef QPU_ADD_OP
#undef QPU_MUL_OP
};

/**
 * qpu_add_name() - mnemonic of an adder operation
 * @op: enum qpu_add_op; undefined codes have names too, "aop9"
 *
 * Return: the mnemonic.
 */
const char *qpu_add_name(u32 op)
{
	return add_names[op & 31];
}

/**
 * qpu_mul_name() - mnemonic of a multiplier operation
 * @op: enum qpu_mul_op
 *
 * Return: the mnemonic.
 */
const char *qpu_mul_name(u32 op)
{
	return mul_names[op & 7];
}

const char * const qpu_sig_names[16] = {
	"bkpt", NULL, "thrsw", "thrend", "sbwait", "sbdone", "lthrsw", "loadcv", "loadc",
	"ldcend", "ldtmu0", "ldtmu1", "loadam", NULL, NULL, NULL,
};

const char * const qpu_cond_names[8] = {
	"never", "always", "ifz", "ifnz", "ifn", "ifnn", "ifc", "ifcc",
};

const char * const qpu_br_names[16] = {
	"allz", "allnz", "anyz", "anynz", "alln", "allnn", "anyn", "anynn", "allc", "allcc",
	"anyc", "anycc", NULL, NULL, NULL, "always",
};

const char * const qpu_pack_names[16] = {
	NULL, "16a", "16b", "8abcd", "8a", "8b", "8c", "8d", "32s", "16as", "16bs", "8abcds",
	"8as", "8bs", "8cs", "8ds",
};

const char * const qpu_mul_pack_names[16] = {
	NULL, NULL, NULL, NULL, "8asf", "8bsf", "8csf", "8dsf", NULL, NULL, NULL, "8abcdsf",
	"8af", "8bf", "8cf", "8df",
};

const char * const qpu_unpack_names[8] = {
	NULL, "16a", "16b", "8dr", "8a", "8b", "8c", "8d",
};

/* The disassembler writes the first name of each register and direction. */
static const struct qpu_reg_name reg_names[] = {
	{ "unif", 32, QPU_REG_RA | QPU_REG_RB }, { "uniform_read", 32, QPU_REG_RA | QPU_REG_RB },
	{ "vary", 35, QPU_REG_RA | QPU_REG_RB }, { "varying_read", 35, QPU_REG_RA | QPU_REG_RB },
	{ "elem_num", 38, QPU_REG_RA }, { "element_number", 38, QPU_REG_RA },
	{ "qpu_num", 38, QPU_REG_RB }, { "qpu_number", 38, QPU_REG_RB },
	{ "x_coord", 41, QPU_REG_RA | QPU_REG_WA },
	{ "x_pixel_coord", 41, QPU_REG_RA | QPU_REG_WA },
	{ "y_coord", 41, QPU_REG_RB | QPU_REG_WB },
	{ "y_pixel_coord", 41, QPU_REG_RB | QPU_REG_WB },
	{ "ms_mask", 42, QPU_REG_RA | QPU_REG_WA }, { "ms_flags", 42, QPU_REG_RA | QPU_REG_WA },
	{ "rev_flag", 42, QPU_REG_RB | QPU_REG_WB },
	{ "vpm", 48, QPU_REG_ANY }, { "vpm_read", 48, QPU_REG_RA | QPU_REG_RB },
	{ "vpm_write", 48, QPU_REG_WA | QPU_REG_WB },
	{ "vr_busy", 49, QPU_REG_RA }, { "vpm_ld_busy", 49, QPU_REG_RA },
	{ "vw_busy", 49, QPU_REG_RB }, { "vpm_st_busy", 49, QPU_REG_RB },
	{ "vr_wait", 50, QPU_REG_RA }, { "vpm_ld_wait", 50, QPU_REG_RA },
	{ "vw_wait", 50, QPU_REG_RB }, { "vpm_st_wait", 50, QPU_REG_RB },
	{ "mutex", 51, QPU_REG_ANY }, { "mutex_acq", 51, QPU_REG_RA | QPU_REG_RB },
	{ "mutex_acquire", 51, QPU_REG_RA | QPU_REG_RB },
	{ "mutex_rel", 51, QPU_REG_WA | QPU_REG_WB },
	{ "mutex_release", 51, QPU_REG_WA | QPU_REG_WB },
	{ "r0", 32, QPU_REG_WA | QPU_REG_WB }, { "r1", 33, QPU_REG_WA | QPU_REG_WB },
	{ "r2", 34, QPU_REG_WA | QPU_REG_WB }, { "r3", 35, QPU_REG_WA | QPU_REG_WB },
	{ "tmurs", 36, QPU_REG_WA | QPU_REG_WB }, { "tmu_noswap", 36, QPU_REG_WA | QPU_REG_WB },
	{ "r5quad", 37, QPU_REG_WA }, { "r5rep", 37, QPU_REG_WB },
	{ "irq", 38, QPU_REG_WA | QPU_REG_WB }, { "interrupt", 38, QPU_REG_WA | QPU_REG_WB },
	{ "host_int", 38, QPU_REG_WA | QPU_REG_WB },
	{ "-", 39, QPU_REG_WA | QPU_REG_WB },
	{ "unif_addr", 40, QPU_REG_WA }, { "uniforms_address", 40, QPU_REG_WA },
	{ "unif_addr_rel", 40, QPU_REG_WB },
	{ "stencil", 43, QPU_REG_WA | QPU_REG_WB }, { "tlb_stencil", 43, QPU_REG_WA | QPU_REG_WB },
	{ "tlb_stencil_setup", 43, QPU_REG_WA | QPU_REG_WB },
	{ "tlbz", 44, QPU_REG_WA | QPU_REG_WB }, { "tlb_z", 44, QPU_REG_WA | QPU_REG_WB },
	{ "tlbm", 45, QPU_REG_WA | QPU_REG_WB }, { "tlb_colour_ms", 45, QPU_REG_WA | QPU_REG_WB },
	{ "tlb_color_ms", 45, QPU_REG_WA | QPU_REG_WB },
	{ "tlbc", 46, QPU_REG_WA | QPU_REG_WB }, { "tlb_colour_all", 46, QPU_REG_WA | QPU_REG_WB },
	{ "tlb_color_all", 46, QPU_REG_WA | QPU_REG_WB },
	{ "tlbam", 47, QPU_REG_WA | QPU_REG_WB }, { "tlb_alpha_mask", 47, QPU_REG_WA | QPU_REG_WB },
	{ "vr_setup", 49, QPU_REG_WA }, { "vpmvcd_rd_setup", 49, QPU_REG_WA },
	{ "vw_setup", 49, QPU_REG_WB }, { "vpmvcd_wr_setup", 49, QPU_REG_WB },
	{ "vr_addr", 50, QPU_REG_WA }, { "vpm_ld_addr", 50, QPU_REG_WA },
	{ "vw_addr", 50, QPU_REG_WB }, { "vpm_st_addr", 50, QPU_REG_WB },
	{ "recip", 52, QPU_REG_WA | QPU_REG_WB }, { "sfu_recip", 52, QPU_REG_WA | QPU_REG_WB },
	{ "recipsqrt", 53, QPU_REG_WA | QPU_REG_WB },
	{ "sfu_recipsqrt", 53, QPU_REG_WA | QPU_REG_WB }, { "rsqrt", 53, QPU_REG_WA | QPU_REG_WB },
	{ "exp", 54, QPU_REG_WA | QPU_REG_WB }, { "sfu_exp", 54, QPU_REG_WA | QPU_REG_WB },
	{ "log", 55, QPU_REG_WA | QPU_REG_WB }, { "sfu_log", 55, QPU_REG_WA | QPU_REG_WB },
	{ "t0s", 56, QPU_REG_WA | QPU_REG_WB }, { "tmu0_s", 56, QPU_REG_WA | QPU_REG_WB },
	{ "t0t", 57, QPU_REG_WA | QPU_REG_WB }, { "tmu0_t", 57, QPU_REG_WA | QPU_REG_WB },
	{ "t0r", 58, QPU_REG_WA | QPU_REG_WB }, { "tmu0_r", 58, QPU_REG_WA | QPU_REG_WB },
	{ "t0b", 59, QPU_REG_WA | QPU_REG_WB }, { "tmu0_b", 59, QPU_REG_WA | QPU_REG_WB },
	{ "t1s", 60, QPU_REG_WA | QPU_REG_WB }, { "tmu1_s", 60, QPU_REG_WA | QPU_REG_WB },
	{ "t1t", 61, QPU_REG_WA | QPU_REG_WB }, { "tmu1_t", 61, QPU_REG_WA | QPU_REG_WB },
	{ "t1r", 62, QPU_REG_WA | QPU_REG_WB }, { "tmu1_r", 62, QPU_REG_WA | QPU_REG_WB },
	{ "t1b", 63, QPU_REG_WA | QPU_REG_WB }, { "tmu1_b", 63, QPU_REG_WA | QPU_REG_WB },
};

/**
 * qpu_reg_by_index() - row of the table of named registers
 * @i: from 0
 *
 * Return: the row, NULL past the last one.
 */
const struct qpu_reg_name *qpu_reg_by_index(u32 i)
{
	return i < ARRAY_SIZE(reg_names) ? &reg_names[i] : NULL;
}

/**
 * qpu_reg_name() - name of an address from 32 on
 * @addr: address
 * @use: access: QPU_REG_RA, RB, WA or WB
 *
 * Return: the row, NULL if the address has no name there.
 */
const struct qpu_reg_name *qpu_reg_name(u32 addr, u32 use)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(reg_names); i++)
		if (reg_names[i].addr == addr && (reg_names[i].use & use))
			return &reg_names[i];
	return NULL;
}
