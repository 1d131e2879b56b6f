# SPDX-License-Identifier: GPL-2.0
# The execution engine.
engine_ARGS := $(if $(LONG),--long) $(if $(SEED),--seed $(SEED))
