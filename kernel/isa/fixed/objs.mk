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

$(call vs_build_objs,$(filter-out avx512,$(VS_BUILDS)),isa/fixed/mali_texfp)
$(call vs_build_objs,$(filter-out avx2 avx512,$(VS_BUILDS)),isa/fixed/mali_fp)
