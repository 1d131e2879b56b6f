# SPDX-License-Identifier: GPL-2.0
# Front ends of instruction sets, assemblers, containers, support tables.
isa_USES := pica
isa_ENV := $(if $(LONG),,$(if $(QUICK)$(SAN),QPU_TEXT_QUICK=1))
isa_ARGS := --data $(SRC)/pica/data $(if $(CORPUS),--corpus $(CORPUS))
isa_MORE := $(foreach t,$(sort $(wildcard $(TOP)/Documentation/isa/*-ops.py)), \
	'isa/$(notdir $(t)) plain python3 $(t) --check')
