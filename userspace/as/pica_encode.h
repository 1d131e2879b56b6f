/* SPDX-License-Identifier: MIT */
/*
 * PICA200: operand descriptors from their fields.
 */
#ifndef PICA_ENCODE_H
#define PICA_ENCODE_H

#include "isa/pica/pica.h"

bool pica_is_defined(const struct pica_insn *insn);
u32 pica_opdesc_encode(const struct pica_opdesc *desc);
u32 pica_opdesc_live(enum pica_op op, u32 desc);

#endif /* PICA_ENCODE_H */
