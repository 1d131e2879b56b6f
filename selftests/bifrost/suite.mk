# SPDX-License-Identifier: GPL-2.0
# Bifrost: captured job chains, compiled programs, lowering, against the reference model.
bifrost_ENV := BIFROST_DATA=$(SRC)/bifrost/data BIFROST_CORPUS=$(CORPUS)
bifrost_ARGS := $(if $(LONG),--long) $(if $(SEED),--seed $(SEED))
