# SPDX-License-Identifier: GPL-2.0
# PICA200: reference interpreter, vectors, corpus, differential runs, debug hooks.
pica_ARGS := --data $(SRC)/pica/data $(if $(CORPUS),--corpus $(CORPUS)) \
	$(if $(LONG),--long,$(if $(QUICK)$(SAN)$(EMULATOR),--quick)) $(if $(SEED),--seed $(SEED))
