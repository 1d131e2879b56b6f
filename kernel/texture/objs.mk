# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Texture unit: texel fetch, and the arithmetic of filters, relative to kernel/.
VS_OBJS += texture/tx_texture.o texture/tx_unit.o texture/tx_fetch.o texture/tx_fp_soft.o
$(call vs_loop_objs,$(filter-out avx512,$(VS_BUILDS)),texture/tx_fp)
