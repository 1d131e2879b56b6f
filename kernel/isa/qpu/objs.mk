# SPDX-License-Identifier: GPL-2.0-only OR MIT
# VideoCore IV QPU, relative to kernel/.
VS_OBJS += isa/qpu/qpu_decode.o isa/qpu/qpu_isa.o isa/qpu/qpu_walk.o isa/qpu/qpu_verify.o
VS_OBJS += isa/qpu/qpu_vpm.o isa/qpu/qpu_dma.o
VS_OBJS += isa/qpu/qpu_tmu.o isa/qpu/qpu_tex.o isa/qpu/qpu_tex_addr.o isa/qpu/qpu_tex_coord.o
VS_OBJS += isa/qpu/qpu_tex_format.o
VS_OBJS += isa/qpu/qpu_frag.o isa/qpu/qpu_tlb.o

# The machine: control code, and one executor per vector width.
VS_OBJS += isa/qpu/qpu_machine.o isa/qpu/qpu_sched.o isa/qpu/qpu_special.o isa/qpu/qpu_code.o
VS_OBJS += isa/qpu/qpu_periph.o isa/qpu/qpu_debug.o
VS_OBJS += isa/qpu/qpu_lower.o isa/qpu/qpu_mem.o isa/qpu/qpu_sfu.o isa/qpu/qpu_hazard.o
VS_OBJS += isa/qpu/qpu_exec_soft.o isa/qpu/qpu_sfu_soft.o
$(call vs_build_objs,$(VS_BUILDS),isa/qpu/qpu_exec)
$(call vs_build_objs,$(VS_BUILDS),isa/qpu/qpu_sfu)

# From jobs to machines.
VS_OBJS += isa/qpu/qpu_launch.o
