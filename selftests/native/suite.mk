# SPDX-License-Identifier: GPL-2.0
# Native job formats: parser and engine. Allocations are made to fail.
native_LDFLAGS := -Wl,--wrap=calloc
native_ARGS := $(if $(SEED)$(ROUNDS),$(or $(SEED),1) $(ROUNDS))
