// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Arithmetic of the texture unit: AVX2. Called in the FPU section only. */
#define MALI_TEXFP_ENTRY(name)	mali_texfp_##name##_avx2
#include "mali_texfp_vec.h"
