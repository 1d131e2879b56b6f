/* SPDX-License-Identifier: MIT */
/*
 * QPU instruction words from their fields.
 */
#ifndef QPU_ENCODE_H
#define QPU_ENCODE_H

#include "isa/qpu/qpu.h"

u64 qpu_encode(const struct qpu_insn *insn);

#endif /* QPU_ENCODE_H */
