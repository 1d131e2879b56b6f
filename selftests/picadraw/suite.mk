# SPDX-License-Identifier: GPL-2.0
# Pictures of the PICA200: scenes of command lists against a reference model and closed forms.
picadraw_USES := native
picadraw_LDFLAGS := -Wl,--wrap=calloc
test_picadraw_random_ARGS := $(if $(SEED),--seed $(SEED)) --scenes \
	$(if $(LONG),600,$(if $(QUICK)$(SAN)$(EMULATOR),12,60))
