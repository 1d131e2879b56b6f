/* SPDX-License-Identifier: MIT */
#ifndef QPU_NAMES_H
#define QPU_NAMES_H

#include "isa/qpu/qpu.h"

/* Uses that a register name has. */
#define QPU_REG_RA	0x1	/* read through file A */
#define QPU_REG_RB	0x2
#define QPU_REG_WA	0x4	/* written through file A */
#define QPU_REG_WB	0x8
#define QPU_REG_ANY	0xf

/**
 * struct qpu_reg_name - named register
 * @name: name
 * @addr: address, from 32 on
 * @use: QPU_REG_*
 */
struct qpu_reg_name {
	const char *name;
	u8 addr;
	u8 use;
};

/* Undefined or nameless modes are NULL. */
extern const char * const qpu_sig_names[16];
extern const char * const qpu_cond_names[8];
extern const char * const qpu_br_names[16];
extern const char * const qpu_pack_names[16];
extern const char * const qpu_mul_pack_names[16];
extern const char * const qpu_unpack_names[8];

const char *qpu_add_name(u32 op);
const char *qpu_mul_name(u32 op);
const struct qpu_reg_name *qpu_reg_by_index(u32 i);
const struct qpu_reg_name *qpu_reg_name(u32 addr, u32 use);

/* Fields by the names that ".enc" uses. */
struct qpu_field_name {
	const char *name;
	u16 offset;	/* in struct qpu_insn, an u8 */
	u8 max;
};

/* qpu_disasm.c; ends with a NULL name. */
extern const struct qpu_field_name qpu_field_names[];

#endif /* QPU_NAMES_H */
