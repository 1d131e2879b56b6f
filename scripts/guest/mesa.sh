#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# In a guest: draws scenes of selftests/gles, all by default, into /results, with the Mesa in /mesa.
# TRIPLET is the name of the architecture in paths. With GPU=CHIP, "vshader gl" runs the program.

libraries=/mesa/usr/lib/$TRIPLET
LIBGL_DRIVERS_PATH=$libraries/dri
__EGL_VENDOR_LIBRARY_DIRS=/mesa/usr/share/glvnd/egl_vendor.d
MESA_SHADER_CACHE_DISABLE=true
export LIBGL_DRIVERS_PATH __EGL_VENDOR_LIBRARY_DIRS MESA_SHADER_CACHE_DISABLE
exec ${GPU:+/stage/bin/vshader gl --gpu "$GPU" --} /mesa/lib/ld-linux-*.so.? --library-path "$libraries:/mesa/lib/$TRIPLET" \
	/stage/bin/gles /results "$@"
