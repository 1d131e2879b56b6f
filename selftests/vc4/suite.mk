# SPDX-License-Identifier: GPL-2.0
# Control lists of the VideoCore IV: frames against a model, malformed lists; the validator beside
# Linux's own.
vc4_ENV := VC4_CORPUS=$(CORPUS) VC4_LINUX=$(OUT)/lib/vc4_linux.so \
	VC4_EFFORT=$(if $(LONG),long,$(if $(QUICK)$(SAN),quick))
vc4_ARGS := $(if $(SEED),--seed $(SEED))
vc4_LDFLAGS := -ldl
vc4_BUILT := $(if $(EMULATOR),,$(OUT)/lib/vc4_linux.so)

# Without a kernel source there is none, and the test is skipped.
$(OUT)/lib/vc4_linux.so: $(TOP)/scripts/vc4-linux $(wildcard $(SRC)/vc4/linux/*.[ch]) \
		$(wildcard $(SRC)/vc4/linux/shim/*.h)
	@mkdir -p $(@D)
	@$(TOP)/scripts/vc4-linux $@ || [ $$? -eq 3 ]
