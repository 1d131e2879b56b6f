# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Debug sessions and dumps: the same for the driver and for the local backend.
VS_OBJS += debug/session.o debug/capture.o debug/dumpfile.o
