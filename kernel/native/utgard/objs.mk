# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Jobs of ARM Mali Utgard, relative to kernel/.
VS_OBJS += native/utgard/utgard_shader.o

# Frames.
VS_OBJS += native/utgard/utgard_cmd.o native/utgard/utgard_pp_words.o
VS_OBJS += native/utgard/utgard_frame_job.o native/utgard/utgard_gp_frame.o
VS_OBJS += native/utgard/utgard_pp_frame.o native/utgard/utgard_check.o
VS_OBJS += native/utgard/utgard_plbu.o native/utgard/utgard_pp_target.o
VS_OBJS += native/utgard/utgard_pp_state.o native/utgard/utgard_pp_tiles.o
