# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What Mali's instruction sets share, relative to kernel/.
VS_OBJS += isa/mali/mali_res.o isa/mali/mali_format.o

# Nothing in the module executes them yet.
VS_USER_OBJS += isa/mali/mali_pack.o isa/mali/mali_pack_num.o isa/mali/mali_pack_reg.o
VS_USER_OBJS += isa/mali/mali_pack_srgb.o isa/mali/mali_etc.o
