/* SPDX-License-Identifier: GPL-2.0 */
/* Between the parts of the reference. */
#ifndef SELFTESTS_SIMT_REF_INT_H
#define SELFTESTS_SIMT_REF_INT_H

#include "simt_ref.h"

float ref_f(u32 bits);
bool ref_int(const struct simt_uop *u, const u32 *s, unsigned int lane, struct ref *r);

#endif
