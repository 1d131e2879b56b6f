// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Arithmetic of the texture unit: SSE2. Called in the FPU section only. */
#define TX_FP_ENTRY(name)	tx_fp_##name##_sse2
#include "tx_fp_vec.h"
