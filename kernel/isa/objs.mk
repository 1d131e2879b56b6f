# SPDX-License-Identifier: GPL-2.0-only OR MIT
VS_OBJS += isa/isa.o

# PICA200 front end: one line per object.
VS_OBJS += isa/pica/pica_decode.o
VS_OBJS += isa/pica/pica_launch.o
VS_OBJS += isa/pica/pica_lint.o
VS_OBJS += isa/pica/pica_verify.o
VS_OBJS += isa/pica/pica_walk.o
