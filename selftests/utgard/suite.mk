# SPDX-License-Identifier: GPL-2.0
# Utgard: vertex and pixel programs on reference models and on the engine.
utgard_USES := pica mali
utgard_ENV := UTGARD_DATA=$(SRC)/utgard/data UTGARD_CORPUS=$(CORPUS)
utgard_ARGS := $(if $(LONG),--long) $(if $(SEED),--seed $(SEED))
