# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Rasteriser: primitive assembly, setup, coverage, relative to kernel/.
VS_OBJS += raster/assemble.o raster/setup.o raster/walk.o

# Tile buffer, its images, blocks of quads.
VS_OBJS += raster/tile.o raster/blend.o raster/io.o raster/batch.o

# Depth and varyings: arithmetic with and without floating point.
VS_OBJS += raster/vr_fp.o raster/vr_fp_soft.o
ifneq ($(VS_FPU_OBJS),)
VS_FPU_OBJS += raster/vr_fp_sse2.o raster/vr_fp_avx2.o
VS_FPU_OBJS += raster/vr_blend_sse2.o raster/vr_blend_avx2.o
VS_FPU_CFLAGS_vr_fp_sse2 := $(VS_FPU_CFLAGS_exec_sse2)
VS_FPU_CFLAGS_vr_fp_avx2 := $(VS_FPU_CFLAGS_exec_avx2)
VS_FPU_CFLAGS_vr_blend_sse2 := $(VS_FPU_CFLAGS_exec_sse2)
VS_FPU_CFLAGS_vr_blend_avx2 := $(VS_FPU_CFLAGS_exec_avx2)
endif
