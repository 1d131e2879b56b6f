# SPDX-License-Identifier: GPL-2.0-only OR MIT
# ARM Mali Bifrost, relative to kernel/.
VS_OBJS += isa/bifrost/bifrost_table.o isa/bifrost/bifrost_decode.o
VS_OBJS += isa/bifrost/bifrost_ports.o isa/bifrost/bifrost_verify.o
VS_OBJS += isa/bifrost/bifrost_view.o isa/bifrost/bifrost_isa.o

# To the SIMT machine.
VS_OBJS += isa/bifrost/bifrost_lower.o isa/bifrost/bifrost_lower_clause.o
VS_OBJS += isa/bifrost/bifrost_lower_op.o isa/bifrost/bifrost_lower_rules.o
VS_OBJS += isa/bifrost/bifrost_lower_src.o isa/bifrost/bifrost_lower_float.o
VS_OBJS += isa/bifrost/bifrost_lower_word.o isa/bifrost/bifrost_lower_conv.o
VS_OBJS += isa/bifrost/bifrost_lower_mem.o isa/bifrost/bifrost_lower_msg.o
VS_OBJS += isa/bifrost/bifrost_lower_live.o isa/bifrost/bifrost_lower_more.o
