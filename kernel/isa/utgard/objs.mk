# SPDX-License-Identifier: GPL-2.0-only OR MIT
# ARM Mali Utgard, relative to kernel/. The module does not execute it, so it does not
# have it; userspace/Makefile does.
VS_USER_OBJS += isa/utgard/utgard_text.o
VS_USER_OBJS += isa/utgard/utgard_gp_decode.o isa/utgard/utgard_gp_view.o
VS_USER_OBJS += isa/utgard/utgard_gp_verify.o isa/utgard/utgard_gp_lint.o
VS_USER_OBJS += isa/utgard/utgard_gp_disasm.o
VS_USER_OBJS += isa/utgard/utgard_pp_decode.o isa/utgard/utgard_pp_check.o
VS_USER_OBJS += isa/utgard/utgard_pp_verify.o isa/utgard/utgard_pp_disasm.o

# The vertex processor on the SIMT machine.
VS_USER_OBJS += isa/utgard/utgard_gp_lower.o isa/utgard/utgard_gp_lower_look.o
VS_USER_OBJS += isa/utgard/utgard_gp_lower_edge.o isa/utgard/utgard_gp_lower_unit.o
VS_USER_OBJS += isa/utgard/utgard_gp_lower_row.o

# The pixel processor, likewise.
VS_USER_OBJS += isa/utgard/utgard_pp_lower.o isa/utgard/utgard_pp_lower_load.o
VS_USER_OBJS += isa/utgard/utgard_pp_lower_alu.o
