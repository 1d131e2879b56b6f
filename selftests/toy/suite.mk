# SPDX-License-Identifier: GPL-2.0
# The toy ISA: its code is in this folder only. The tables of ISAs are compiled again, with
# VSHADER_TOY; the linker prefers them to those of the library.
TOY_TABLES := $(patsubst %,$(OUT)/obj/toy/%.o,kernel/isa/isa kernel/families/family \
	userspace/libdrm_vshader/vsh_isa userspace/cli/jobfile_isa)
$(OUT)/obj/toy/%.o: private CFLAGS += -DVSHADER_TOY -I$(TOP)/uapi
$(TOY_TABLES): $(OUT)/obj/toy/%.o: $(TOP)/%.c $(OUT)/.flags
	@mkdir -p $(@D)
	@echo "  CC      toy/$*"
	@$(CC) $(TEST_CFLAGS) $(INCLUDES) $(CFLAGS) -MD -MP -MT '$$(OUT)$(@:$(OUT)%=%)' -c $< -o $@
$(OUT)/bin/toy/test_toy: | $(TOY_TABLES)
toy_ARGS := $(SRC)/toy/toy.json
toy_LDFLAGS := $(TOY_TABLES)
-include $(TOY_TABLES:.o=.d)
