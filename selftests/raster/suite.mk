# SPDX-License-Identifier: GPL-2.0
# The rasteriser: coverage, depth, tile buffer, quads in blocks, against scalar models.
raster_ARGS := $(if $(LONG),--long,$(if $(QUICK)$(SAN),--quick)) $(if $(EMULATOR),--emulated) $(if $(SEED),--seed $(SEED))
