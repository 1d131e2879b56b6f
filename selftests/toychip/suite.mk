# SPDX-License-Identifier: GPL-2.0
# The toy GPU: its code is in this folder only. The table of native formats is compiled again, with
# VSHADER_TOY; the linker prefers it to that of the library.
TOYCHIP_TABLE := $(OUT)/obj/toychip/kernel/native/native.o
$(OUT)/obj/toychip/%.o: private CFLAGS += -DVSHADER_TOY
$(TOYCHIP_TABLE): $(TOP)/kernel/native/native.c $(OUT)/.flags
	@mkdir -p $(@D)
	@echo "  CC      toychip/native"
	@$(CC) $(TEST_CFLAGS) $(INCLUDES) $(CFLAGS) -MD -MP -MT '$$(OUT)$(@:$(OUT)%=%)' -c $< -o $@
$(OUT)/bin/toychip/test_toychip: | $(TOYCHIP_TABLE)
toychip_LDFLAGS := $(TOYCHIP_TABLE)
-include $(TOYCHIP_TABLE:.o=.d)
