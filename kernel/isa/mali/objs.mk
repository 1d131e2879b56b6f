# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What Mali's instruction sets share, relative to kernel/.
VS_OBJS += isa/mali/mali_res.o isa/mali/mali_format.o
