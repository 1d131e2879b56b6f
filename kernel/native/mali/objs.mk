# SPDX-License-Identifier: GPL-2.0-only OR MIT
# ARM Mali job chains and shader jobs, relative to kernel/.
VS_OBJS += native/mali/mali_read.o native/mali/mali_chain.o native/mali/mali_draw.o
VS_OBJS += native/mali/mali_attr.o native/mali/mali_tex.o
VS_OBJS += native/mali/mali_exec.o native/mali/mali_job.o native/mali/mali_shader.o

# Draws: primitives to records of the tiler heap, frames.
VS_OBJS += native/mali/mali_prim.o native/mali/mali_tiler.o native/mali/mali_fb.o
VS_OBJS += native/mali/mali_state.o native/mali/mali_frame.o
VS_OBJS += native/mali/mali_frame_guest.o native/mali/mali_reload.o
