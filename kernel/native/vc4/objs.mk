# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Control lists of the VideoCore IV, relative to kernel/.
VS_OBJS += native/vc4/vc4_job.o native/vc4/vc4_read.o native/vc4/vc4_verts.o
VS_OBJS += native/vc4/vc4_bin.o native/vc4/vc4_clip.o
VS_OBJS += native/vc4/vc4_rcl.o native/vc4/vc4_tile.o native/vc4/vc4_io.o
VS_OBJS += native/vc4/vc4_validate.o native/vc4/vc4_validate_shader.o native/vc4/vc4_validate_frame.o
