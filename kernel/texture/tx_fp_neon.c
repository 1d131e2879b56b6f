// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Arithmetic of the texture unit: NEON. Called in the FPU section only. */
#define TX_FP_ENTRY(name)	tx_fp_##name##_neon
#include "tx_fp_vec.h"
