# SPDX-License-Identifier: GPL-2.0
# Shared parts of Mali GPUs: job chains, formats, textures, captures. Allocations are made to fail.
mali_USES := midgard bifrost
mali_LDFLAGS := -Wl,--wrap=calloc,--wrap=malloc
mali_ENV := BIFROST_DATA=$(SRC)/bifrost/data MIDGARD_DATA=$(SRC)/midgard/data \
	MIDGARD_TABLE=$(TOP)/Documentation/isa/midgard-ops.inc
mali_ARGS := $(if $(CORPUS),--corpus $(CORPUS))
