# SPDX-License-Identifier: GPL-2.0-only OR MIT
# ARM Mali Midgard, relative to kernel/.
VS_OBJS += isa/midgard/midgard_table.o isa/midgard/midgard_decode.o
VS_OBJS += isa/midgard/midgard_check.o isa/midgard/midgard_verify.o
VS_OBJS += isa/midgard/midgard_isa.o

# To the SIMT machine.
VS_OBJS += isa/midgard/midgard_lower.o isa/midgard/midgard_lower_walk.o
VS_OBJS += isa/midgard/midgard_lower_alu.o isa/midgard/midgard_lower_src.o
VS_OBJS += isa/midgard/midgard_lower_int.o isa/midgard/midgard_lower_wide.o
VS_OBJS += isa/midgard/midgard_lower_float.o isa/midgard/midgard_lower_ldst.o
VS_OBJS += isa/midgard/midgard_lower_tex.o isa/midgard/midgard_lower_cube.o
VS_OBJS += isa/midgard/midgard_lower_double.o isa/midgard/midgard_lower_angle.o
VS_OBJS += isa/midgard/midgard_lower_frag.o isa/midgard/midgard_lower_call.o
