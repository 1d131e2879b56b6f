/* SPDX-License-Identifier: GPL-2.0 */
/* Functions and tables of the Bifrost reference model: bits in, bits out. */
#ifndef SELFTESTS_REF_BIFROST_REF_NUM_H
#define SELFTESTS_REF_BIFROST_REF_NUM_H

#include "mali_ref_num.h"

enum bfr_frexp { BFR_FREXP, BFR_FREXP_SQRT, BFR_FREXP_LOG };

uint32_t bfr_frexpm(uint32_t v, enum bfr_frexp how);
int bfr_frexpe(uint32_t v, enum bfr_frexp how);

uint32_t bfr_rcp(uint32_t v);
uint32_t bfr_rsq(uint32_t v);
uint32_t bfr_rcp_approx(uint32_t v);
uint32_t bfr_rsq_approx(uint32_t v);
uint32_t bfr_exp(uint32_t fixed, uint32_t v);
uint32_t bfr_logd(uint32_t v);
/* mode: 0 the reciprocal, 1 its negated log of base 2, 2 the natural one. */
uint32_t bfr_log_table(uint32_t v, unsigned int mode);
uint32_t bfr_exp_table(uint32_t v);
uint32_t bfr_sincos_table(uint32_t v, bool cosine);

#endif
