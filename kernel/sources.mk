# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Objects that compile unchanged in the kernel and in userspace, relative to kernel/.
# Included by Kbuild and by userspace/Makefile; nothing else lists them.
#
# VS_OBJS      plain objects: no floating point
# VS_FPU_OBJS  executor builds; VS_FPU_CFLAGS_<name> are their extra flags
include $(VS_KERNEL_DIR)/engine/objs.mk
include $(VS_KERNEL_DIR)/pixel/objs.mk
include $(VS_KERNEL_DIR)/texture/objs.mk
include $(VS_KERNEL_DIR)/raster/objs.mk
include $(VS_KERNEL_DIR)/isa/objs.mk
include $(VS_KERNEL_DIR)/native/objs.mk
include $(VS_KERNEL_DIR)/debug/objs.mk
include $(VS_KERNEL_DIR)/families/objs.mk
