# SPDX-License-Identifier: GPL-2.0-only OR MIT
# ARM Mali Bifrost, relative to kernel/. Text only: nothing executes it, so the module
# does not have it; userspace/Makefile does.
VS_USER_OBJS += isa/bifrost/bifrost_table.o isa/bifrost/bifrost_decode.o
VS_USER_OBJS += isa/bifrost/bifrost_ports.o isa/bifrost/bifrost_verify.o
VS_USER_OBJS += isa/bifrost/bifrost_disasm.o isa/bifrost/bifrost_listing.o
