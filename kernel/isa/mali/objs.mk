# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What Mali's instruction sets share, relative to kernel/.
VS_OBJS += isa/mali/mali_res.o isa/mali/mali_format.o isa/mali/mali_arctan.o

# Texels and elements of all formats.
VS_OBJS += isa/mali/mali_pack.o isa/mali/mali_pack_num.o isa/mali/mali_pack_reg.o
VS_OBJS += isa/mali/mali_pack_srgb.o isa/mali/mali_etc.o

# The texture unit: texel fetch, and the arithmetic of filters.
VS_OBJS += isa/mali/mali_texunit.o isa/mali/mali_texfetch.o isa/mali/mali_texfp_soft.o
ifneq ($(VS_FPU_OBJS),)
VS_FPU_OBJS += isa/mali/mali_texfp_sse2.o
VS_FPU_CFLAGS_mali_texfp_sse2 := $(VS_FPU_CFLAGS_exec_sse2)
endif

# From work to the SIMT machine; fragments, and their arithmetic.
VS_OBJS += isa/mali/mali_run.o isa/mali/mali_prog.o isa/mali/mali_debug.o isa/mali/mali_start.o
VS_OBJS += isa/mali/mali_frag.o isa/mali/mali_raster.o isa/mali/mali_zs.o
VS_OBJS += isa/mali/mali_midgard.o isa/mali/mali_ext_midgard.o isa/mali/mali_ext_mgfrag.o
VS_OBJS += isa/mali/mali_ext_f64.o
VS_OBJS += isa/mali/mali_ext.o isa/mali/mali_ext_attr.o isa/mali/mali_ext_var.o
VS_OBJS += isa/mali/mali_ext_tex.o isa/mali/mali_ext_frag.o
VS_OBJS += isa/mali/mali_fp.o isa/mali/mali_fp_soft.o
ifneq ($(VS_FPU_OBJS),)
VS_FPU_OBJS += isa/mali/mali_fp_sse2.o
VS_FPU_CFLAGS_mali_fp_sse2 := $(VS_FPU_CFLAGS_exec_sse2)
endif
