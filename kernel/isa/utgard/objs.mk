# SPDX-License-Identifier: GPL-2.0-only OR MIT
# ARM Mali Utgard, relative to kernel/.
VS_OBJS += isa/utgard/utgard_isa.o
VS_OBJS += isa/utgard/utgard_gp_decode.o isa/utgard/utgard_gp_view.o
VS_OBJS += isa/utgard/utgard_gp_verify.o
VS_OBJS += isa/utgard/utgard_pp_decode.o isa/utgard/utgard_pp_check.o
VS_OBJS += isa/utgard/utgard_pp_verify.o

# The vertex processor on the SIMT machine.
VS_OBJS += isa/utgard/utgard_gp_lower.o isa/utgard/utgard_gp_lower_look.o
VS_OBJS += isa/utgard/utgard_gp_lower_edge.o isa/utgard/utgard_gp_lower_unit.o
VS_OBJS += isa/utgard/utgard_gp_lower_row.o

# The pixel processor, likewise.
VS_OBJS += isa/utgard/utgard_pp_lower.o isa/utgard/utgard_pp_lower_load.o
VS_OBJS += isa/utgard/utgard_pp_lower_alu.o isa/utgard/utgard_pp_lower_angle.o

# Textures of the pixel processor.
VS_OBJS += isa/utgard/utgard_tex.o isa/utgard/utgard_tex_unit.o

# From launches to the SIMT machine.
VS_OBJS += isa/utgard/utgard_run.o isa/utgard/utgard_gp_run.o isa/utgard/utgard_pp_run.o
VS_OBJS += isa/utgard/utgard_debug.o isa/utgard/utgard_quads.o
