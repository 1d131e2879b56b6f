# SPDX-License-Identifier: GPL-2.0-only OR MIT
VS_OBJS += native/native.o

# PICA200 command lists.
VS_OBJS += native/pica/pica_cl.o
VS_OBJS += native/pica/pica_cl_draw.o
VS_OBJS += native/pica/pica_cl_geom.o
VS_OBJS += native/pica/pica_cl_job.o
VS_OBJS += native/pica/pica_cl_prim.o
VS_OBJS += native/pica/pica_cl_regs.o

# Pictures of the PICA200.
VS_OBJS += native/pica/pica_cl_paint.o native/pica/pica_frag.o native/pica/pica_paint.o
VS_OBJS += native/pica/pica_walk.o native/pica/pica_tex.o native/pica/pica_proctex.o
VS_OBJS += native/pica/pica_light.o native/pica/pica_comb.o native/pica/pica_out.o
VS_OBJS += native/pica/pica_gx.o
$(call vs_build_objs,$(filter-out avx512,$(VS_BUILDS)),native/pica/pica_fp)

# Lists of QPU threads.
VS_OBJS += native/qpu/qpu_list.o

# Job chains of Mali GPUs.
include $(VS_KERNEL_DIR)/native/mali/objs.mk

# Jobs of Utgard processors.
include $(VS_KERNEL_DIR)/native/utgard/objs.mk

# Control lists of the VideoCore IV.
include $(VS_KERNEL_DIR)/native/vc4/objs.mk
