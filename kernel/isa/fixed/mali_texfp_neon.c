// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Arithmetic of the texture unit: NEON. Called in the FPU section only. */
#define MALI_TEXFP_ENTRY(name)	mali_texfp_##name##_neon
#include "mali_texfp_vec.h"
