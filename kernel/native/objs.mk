# SPDX-License-Identifier: GPL-2.0-only OR MIT
VS_OBJS += native/native.o

# PICA200 command lists.
VS_OBJS += native/pica/pica_cl.o
VS_OBJS += native/pica/pica_cl_draw.o
VS_OBJS += native/pica/pica_cl_geom.o
VS_OBJS += native/pica/pica_cl_job.o
VS_OBJS += native/pica/pica_cl_prim.o
VS_OBJS += native/pica/pica_cl_regs.o

# Lists of QPU threads.
VS_OBJS += native/qpu/qpu_list.o

# Job chains of Mali GPUs.
include $(VS_KERNEL_DIR)/native/mali/objs.mk

# Jobs of Utgard processors.
include $(VS_KERNEL_DIR)/native/utgard/objs.mk
