# SPDX-License-Identifier: GPL-2.0
#
# Tests that need no device. A folder with a suite.mk is a suite: every test_*.c in it becomes a
# program, its other sources are helpers, which tests take from an archive as they need them.
#
#   make -f userspace.mk [O=DIR] [PROJECT=DIR] [SAN=1] [CC=...]
#   make -f userspace.mk check [SUITE="NAME..."] [FILTER="TEXT..."] [WITHOUT="SUITE/NAME..."] [CORPUS=DIR] [LONG=1]
#                              [QUICK=1] [SEED=N] [DEVICE=/dev/dri/...]
#
# EMULATOR is a command that runs programs of another architecture: the tests without those of _MORE.
# FILTER keeps the tests whose name contains one of the texts, WITHOUT leaves some out. DEVICE repeats the library's tests
# on a device. QUICK makes random runs shorter, as sanitizers and emulators do; LONG makes them longer. PROJECT is a build of userspace/, brought up to date first. Needs json-c.
#
# A suite.mk may set, each after the suite's name:
#   _USES     other folders whose helpers it links; ref/ is linked always
#   _LDFLAGS  of its programs
#   _ENV      environment, _ARGS arguments of its programs; NAME_ARGS: of program NAME
#   _MORE     further tests: quoted words 'NAME COMMAND', or 'NAME plain COMMAND' for a command
#             that is one test and prints no TAP
#   _OTHER    sources that are neither tests nor helpers, _BUILT what its tests need in addition

SRC := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
TOP := $(patsubst %/,%,$(dir $(SRC)))
FOLDERS := O PROJECT KHDR
include $(TOP)/scripts/folders.mk
BUILD := $(or $(VSHADER_BUILD),$(TOP)/build)
KIND := $(if $(filter 1,$(SAN)),-san)

O ?= $(BUILD)/selftests/user$(KIND)
OUT := $(abspath $(O))
PROJECT ?= $(BUILD)/userspace$(KIND)
ifeq ($(origin CC),default)
CC := gcc
endif
AR ?= ar
PKG_CONFIG ?= pkg-config
JOBS ?= $(shell nproc)

SUITES := $(patsubst $(SRC)/%/suite.mk,%,$(sort $(wildcard $(SRC)/*/suite.mk)))
CHOSEN := $(filter $(or $(SUITE),$(SUITES)),$(SUITES))
ifneq ($(filter-out $(SUITES),$(SUITE)),)
$(error no suite $(filter-out $(SUITES),$(SUITE)); there are $(SUITES))
endif

# Reference models change the rounding mode.
TEST_CFLAGS := -std=gnu11 -D_GNU_SOURCE $(if $(KIND),-O1,-O2) -g1 -ffile-prefix-map=$(TOP)=. \
	-ffp-contract=off -frounding-math -fno-strict-aliasing -pthread -Wall -Wextra -Werror \
	-Wno-unused-parameter -Wno-sign-compare -Wno-type-limits -Wno-missing-field-initializers
ifeq ($(SAN),1)
# the warnings follow what the optimiser knows; the ordinary build has them
TEST_CFLAGS += -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer \
	-Wno-format-truncation -Wno-maybe-uninitialized
# Vector executors are not instrumented: see ref/simd_some.c.
TEST_CFLAGS += -Dvs_simd_mask=test_simd_mask
# Times mean nothing here, for which jobs are executed again.
export SECTIONS_RUNS ?= 1
endif
ifneq ($(QUICK),)
export SECTIONS_RUNS ?= 2
endif
# After the system: libdrm_vshader/limits.h is not <limits.h>.
INCLUDES := -I$(SRC)/include -I$(TOP)/kernel -I$(TOP)/uapi/drm \
	$(addprefix -idirafter $(TOP)/userspace/,libdrm_vshader as disasm lint cli \
	libvshader_mailbox) \
	$(shell $(PKG_CONFIG) --cflags libdrm json-c)
LIBS := $(shell $(PKG_CONFIG) --libs json-c libdrm libpng zlib) -lm

PROJECT_LIBS := $(addprefix $(PROJECT)/lib/,libvshader-jobfile.a libvshader-model.a libvshader_mailbox.a \
	libdrm_vshader.a)
COMMA := ,
VSHADER := $(PROJECT)/bin/vshader

all: programs

include $(SUITES:%=$(SRC)/%/suite.mk)

# ---- the project ----

# Its own Makefile knows when it has to be built again.
project: FORCE
	@$(MAKE) --no-print-directory -C $(TOP)/userspace O=$(PROJECT) CC='$(CC)' \
		$(if $(KIND),SAN=1 VEC_O=$(BUILD)/userspace) $(if $(KHDR),KHDR='$(KHDR)')

$(PROJECT_LIBS): project
	@:

# ---- programs ----

remember = mkdir -p $(@D) && echo '$(1)' | cmp -s - $@ || echo '$(1)' >$@

$(OUT)/.flags: FORCE
	@$(call remember,$(CC) $(TEST_CFLAGS) $(INCLUDES) $(CFLAGS) $(LDFLAGS))

$(OUT)/obj/%.o: $(SRC)/%.c $(OUT)/.flags
	@mkdir -p $(@D)
	@echo "  CC      $*"
	@$(CC) $(TEST_CFLAGS) $(INCLUDES) $(CFLAGS) -MD -MP -MT '$$(OUT)$(@:$(OUT)%=%)' -c $< -o $@

objs = $(patsubst $(SRC)/%.c,$(OUT)/obj/%.o,$(1))
tests = $(sort $(wildcard $(SRC)/$(1)/test_*.c))
helpers = $(filter-out $(call tests,$(1)) $($(1)_OTHER),$(sort $(wildcard $(SRC)/$(1)/*.c)))
archives = $(patsubst %,$(OUT)/lib/%.a,$(foreach d,$(1) $($(1)_USES) ref,$(if $(call helpers,$(d)),$(d))))
progs = $(patsubst $(SRC)/%.c,$(OUT)/bin/%,$(call tests,$(1)))

define archive_rule
$(OUT)/lib/$(1).a: $(call objs,$(call helpers,$(1)))
	@mkdir -p $$(@D) && rm -f $$@
	@$$(AR) rcs $$@ $$^
endef
$(foreach s,$(SUITES) ref,$(eval $(call archive_rule,$(s))))

# It takes half as long as the other linker, for two hundred programs; --wrap takes in libraries there, too.
GOLD := $(if $(shell command -v "$$($(CC) -print-prog-name=ld.gold)"),-fuse-ld=gold)

define suite_rules
$(call progs,$(1)): $(OUT)/bin/%: $(OUT)/obj/%.o $(call archives,$(1)) $(PROJECT_LIBS)
	@mkdir -p $$(@D)
	@echo "  LD      $$*"
	@$$(CC) $$(TEST_CFLAGS) $$(CFLAGS) $(if $(findstring --wrap,$($(1)_LDFLAGS)),,$(GOLD)) $$(LDFLAGS) $$($(1)_LDFLAGS) \
		-Wl,--start-group $$^ -Wl,--end-group $$(LIBS) -o $$@
endef
$(foreach s,$(SUITES),$(eval $(call suite_rules,$(s))))

programs: project $(foreach s,$(CHOSEN),$(call progs,$(s)) $($(s)_BUILT))

# For tests of compilers, with CC="COMPILER -fsyntax-only". Programs of foreign/ need headers of others.
syntax: $(foreach s,$(filter-out foreign,$(CHOSEN)) ref,$(call objs,$(call tests,$(s)) $(call helpers,$(s))))

# ---- runs ----

line = '$(1)/$(notdir $(2)) $($(1)_ENV) $(EMULATOR) $(2) $($(1)_ARGS) $($(notdir $(2))_ARGS)'
# Scripts that run programs do not know of the emulator.
lines = $(foreach p,$(call progs,$(1)),$(call line,$(1),$(p))) $(if $(EMULATOR),,$($(1)_MORE))

check: programs
	@printf '%s\n' $(foreach s,$(CHOSEN),$(call lines,$(s))) | \
		python3 $(SRC)/run_tests.py --jobs $(JOBS) $(addprefix --filter ,$(FILTER)) \
		$(addprefix --without ,$(WITHOUT))

clean:
	rm -rf $(OUT)

-include $(patsubst %.o,%.d,$(foreach s,$(CHOSEN) ref drm,$(call objs,$(sort $(wildcard $(SRC)/$(s)/*.c)))))

FORCE:
.SECONDARY:
.PHONY: all project programs syntax check clean FORCE
