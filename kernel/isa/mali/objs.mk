# SPDX-License-Identifier: GPL-2.0-only OR MIT
# From work for Bifrost and Midgard to the SIMT machine, relative to kernel/.
VS_OBJS += isa/mali/mali_run.o isa/mali/mali_prog.o isa/mali/mali_debug.o isa/mali/mali_start.o
VS_OBJS += isa/mali/mali_midgard.o isa/mali/mali_copy.o

# Descriptors: formats, attributes; components in registers.
VS_OBJS += isa/mali/mali_format.o isa/mali/mali_res.o isa/mali/mali_pack_reg.o

# Messages: attributes, varyings, textures; fragments with depth, stencil and blending.
VS_OBJS += isa/mali/mali_ext.o isa/mali/mali_ext_attr.o isa/mali/mali_ext_var.o
VS_OBJS += isa/mali/mali_ext_tex.o isa/mali/mali_ext_midgard.o isa/mali/mali_ext_mgfrag.o
VS_OBJS += isa/mali/mali_ext_f64.o isa/mali/mali_frag.o isa/mali/mali_zs.o isa/mali/mali_blend.o
