# SPDX-License-Identifier: GPL-2.0
# The SIMT machine: operations on every executor build, programs.
simt_ARGS := $(if $(LONG),--long) $(if $(SEED),--seed $(SEED))
