# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Submission of shader jobs, a folder per family: the same for the driver and for the library.
VS_OBJS += families/family.o families/vertices.o
VS_OBJS += families/pica/pica_family.o
VS_OBJS += families/qpu/qpu_family.o
VS_OBJS += families/mali/mali_family.o
VS_OBJS += families/utgard/utgard_family.o
