# SPDX-License-Identifier: GPL-2.0-only OR MIT
# ARM Mali job chains, relative to kernel/. Parsed only: nothing executes them, so the module
# does not have it; userspace/Makefile does.
VS_USER_OBJS += native/mali/mali_read.o native/mali/mali_chain.o native/mali/mali_draw.o
VS_USER_OBJS += native/mali/mali_attr.o native/mali/mali_tex.o native/mali/mali_print.o
VS_USER_OBJS += native/mali/mali_exec.o native/mali/mali_job.o native/mali/mali_shader.o
