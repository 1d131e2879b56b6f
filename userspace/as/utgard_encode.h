/* SPDX-License-Identifier: MIT */
/*
 * Utgard: instructions of both processors from their fields.
 */
#ifndef UTGARD_ENCODE_H
#define UTGARD_ENCODE_H

#include "isa/utgard/utgard_gp.h"
#include "isa/utgard/utgard_pp.h"

/* A no-op instruction. */
void ugp_idle(struct ugp_insn *insn);
void ugp_encode(const struct ugp_insn *insn, u32 words[UGP_WORDS]);

/* A part of a form with the default values of fields that text omits. */
void upp_defaults(enum upp_form form, union upp_part *part);
/* Room for UPP_INSN_WORDS. Return: words. */
u32 upp_encode(const struct upp_insn *insn, u32 *words);

#endif /* UTGARD_ENCODE_H */
