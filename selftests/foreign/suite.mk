# SPDX-License-Identifier: GPL-2.0
# What we print, install and describe, with the programs of others that read it: every test_*.sh
# here is run and prints TAP. They are not ours to check with sanitizers.
foreign_MORE := $(if $(filter 1,$(SAN)),,$(foreach t,$(notdir $(sort $(wildcard $(SRC)/foreign/test_*.sh))), \
	'foreign/$(t) TOP=$(TOP) PROJECT=$(PROJECT) VSHADER=$(VSHADER) JOBS=$(SRC)/jobs KHDR=$(KHDR) CC=$(CC) QUICK=$(QUICK) \
		VSHADER_CACHE=$(or $(VSHADER_CACHE),$(HOME)/.cache/vshader) sh $(SRC)/foreign/$(t)'))
