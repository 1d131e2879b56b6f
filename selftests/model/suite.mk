# SPDX-License-Identifier: GPL-2.0
# Register models: a fake driver on a fake host.
model_ARGS := $(if $(SEED),--seed $(SEED))
