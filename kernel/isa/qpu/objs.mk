# SPDX-License-Identifier: GPL-2.0-only OR MIT
# VideoCore IV QPU, relative to kernel/.
VS_OBJS += isa/qpu/qpu_decode.o
VS_OBJS += isa/qpu/qpu_vpm.o isa/qpu/qpu_dma.o
