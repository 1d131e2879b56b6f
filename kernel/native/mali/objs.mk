# SPDX-License-Identifier: GPL-2.0-only OR MIT
# ARM Mali job chains and shader jobs, relative to kernel/.
VS_OBJS += native/mali/mali_read.o native/mali/mali_chain.o native/mali/mali_draw.o
VS_OBJS += native/mali/mali_attr.o native/mali/mali_tex.o
VS_OBJS += native/mali/mali_exec.o native/mali/mali_job.o native/mali/mali_shader.o
