# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Objects of the instruction sets, relative to kernel/.
VS_OBJS += isa/isa.o isa/simt_front.o
VS_OBJS += isa/pica/pica_isa.o isa/pica/pica_decode.o isa/pica/pica_walk.o
VS_OBJS += isa/pica/pica_verify.o isa/pica/pica_lower.o
VS_OBJS += isa/pica/pica_float.o isa/pica/pica_launch.o

include $(VS_KERNEL_DIR)/isa/qpu/objs.mk
include $(VS_KERNEL_DIR)/isa/bifrost/objs.mk
include $(VS_KERNEL_DIR)/isa/midgard/objs.mk
include $(VS_KERNEL_DIR)/isa/mali/objs.mk
include $(VS_KERNEL_DIR)/isa/utgard/objs.mk
