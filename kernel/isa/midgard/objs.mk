# SPDX-License-Identifier: GPL-2.0-only OR MIT
# ARM Mali Midgard, relative to kernel/. Text only: nothing executes it, so the module
# does not have it; userspace/Makefile does.
VS_USER_OBJS += isa/midgard/midgard_table.o isa/midgard/midgard_decode.o
VS_USER_OBJS += isa/midgard/midgard_check.o isa/midgard/midgard_verify.o
VS_USER_OBJS += isa/midgard/midgard_float.o isa/midgard/midgard_infer.o
VS_USER_OBJS += isa/midgard/midgard_disasm.o isa/midgard/midgard_ldst_text.o
VS_USER_OBJS += isa/midgard/midgard_listing.o
