# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Fixed-function units that Mali GPUs share, from Utgard to Bifrost, relative to kernel/.
VS_OBJS += isa/fixed/mali_res.o isa/fixed/mali_format.o isa/fixed/mali_arctan.o

# Texels and elements of all formats.
VS_OBJS += isa/fixed/mali_pack.o isa/fixed/mali_pack_num.o isa/fixed/mali_pack_reg.o
VS_OBJS += isa/fixed/mali_pack_srgb.o isa/fixed/mali_etc.o

# The texture unit: texel fetch, and the arithmetic of filters.
VS_OBJS += isa/fixed/mali_texunit.o isa/fixed/mali_texfetch.o isa/fixed/mali_texfp_soft.o

# Rasterizer and interpolation.
VS_OBJS += isa/fixed/mali_raster.o isa/fixed/mali_fp.o isa/fixed/mali_fp_soft.o

ifneq ($(VS_FPU_OBJS),)
VS_FPU_OBJS += isa/fixed/mali_texfp_sse2.o isa/fixed/mali_texfp_avx2.o isa/fixed/mali_fp_sse2.o
VS_FPU_CFLAGS_mali_texfp_sse2 := $(VS_FPU_CFLAGS_exec_sse2)
VS_FPU_CFLAGS_mali_texfp_avx2 := $(VS_FPU_CFLAGS_exec_avx2)
VS_FPU_CFLAGS_mali_fp_sse2 := $(VS_FPU_CFLAGS_exec_sse2)
endif
