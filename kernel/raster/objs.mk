# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Rasteriser: primitive assembly, setup, coverage, relative to kernel/.
VS_OBJS += raster/assemble.o raster/setup.o raster/walk.o

# Small triangles in vectors.
VS_OBJS += raster/small.o
$(call vs_loop_objs,$(filter-out avx512,$(VS_BUILDS)),raster/vr_small)

# Tile buffer, its images, blocks of quads.
VS_OBJS += raster/tile.o raster/blend.o raster/io.o

# Bins, frames, blocks of quads, tiles for workers.
VS_OBJS += raster/bin.o raster/frame.o raster/quads.o raster/tiles.o

# Depth and varyings: arithmetic with and without floating point.
VS_OBJS += raster/vr_fp.o raster/vr_fp_soft.o
$(call vs_loop_objs,$(filter-out avx512,$(VS_BUILDS)),raster/vr_fp)
$(call vs_loop_objs,$(filter-out avx512,$(VS_BUILDS)),raster/vr_blend)
