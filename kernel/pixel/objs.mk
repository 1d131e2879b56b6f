# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Pixels and elements of all formats to components, and back, relative to kernel/.
VS_OBJS += pixel/px_pack.o pixel/px_num.o pixel/px_srgb.o pixel/px_etc.o pixel/px_tile.o
