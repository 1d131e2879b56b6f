# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Rasteriser: primitive assembly, setup, coverage, relative to kernel/.
VS_OBJS += raster/assemble.o raster/setup.o raster/walk.o
