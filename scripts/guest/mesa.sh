#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# In a guest: draws the scenes of selftests/gles into /results, with the Mesa in /mesa.
# The argument is the name of the architecture in paths.

libraries=/mesa/usr/lib/$1
LIBGL_DRIVERS_PATH=$libraries/dri
__EGL_VENDOR_LIBRARY_DIRS=/mesa/usr/share/glvnd/egl_vendor.d
MESA_SHADER_CACHE_DISABLE=true
export LIBGL_DRIVERS_PATH __EGL_VENDOR_LIBRARY_DIRS MESA_SHADER_CACHE_DISABLE
exec /mesa/lib/ld-linux-*.so.? --library-path "$libraries:/mesa/lib/$1" /stage/bin/gles /results
