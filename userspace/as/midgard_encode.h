/* SPDX-License-Identifier: MIT */
/*
 * Midgard: parts of a bundle from their fields, names.
 */
#ifndef MIDGARD_ENCODE_H
#define MIDGARD_ENCODE_H

#include "isa/midgard/midgard_verify.h"

/* Set @body and @reg_word, or @bits, from the other members. */
void mg_alu_encode(struct mg_alu *a);
void mg_branch_encode(struct mg_branch *br);
void mg_ldst_encode(struct mg_ldst *l);
/* Value of a constant: element @i of so many bits. */
u64 mg_const(const u32 consts[4], u32 bits, u32 i);
/* Is there an operation that differs only in signed operands? */
bool mg_alu_op_twin(u32 op);
const char *mg_tag_name(u32 tag);
const char *mg_unit_name(enum mg_unit unit);

#endif /* MIDGARD_ENCODE_H */
