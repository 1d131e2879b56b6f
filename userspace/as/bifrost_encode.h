/* SPDX-License-Identifier: MIT */
/*
 * Bifrost: header and register block from their fields.
 */
#ifndef BIFROST_ENCODE_H
#define BIFROST_ENCODE_H

#include "isa/bifrost/bifrost_verify.h"

u64 bi_header_encode(const struct bi_header *h);
/* Encode ports as compilers do. Return: false if there is no encoding. */
bool bi_ports_encode(const struct bi_ports *p, bool first, u64 *regs);
/* FAU index of an embedded constant with these low bits. */
u32 bi_const_fau(u32 index, u32 low);
/* Number of rows of an operation. */
u32 bi_num_rows(const struct bi_op *op);
/* Are the codes of all operands allowed? */
bool bi_sources_ok(const struct bi_op *op, u32 bits);

#endif /* BIFROST_ENCODE_H */
