# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# Folders that are named on make's command line or in the environment are relative to the folder where
# make runs. They are made absolute here, as commands change to other folders. FOLDERS, set before this
# is included, adds the makefile's own. scripts/lib.sh does the same for scripts.

FOLDERS += VSHADER_BUILD VSHADER_CACHE VSHADER_SRC XDG_CACHE_HOME HOME TMPDIR CCACHE_DIR CORPUS RESULTS DESTDIR

# abspath knows no blanks
define folder_rule
ifneq ($(filter-out /%,$(firstword $($(1)))),)
override $(1) := $(if $(word 2,$($(1))),$(CURDIR)/$($(1)),$(abspath $($(1))))
endif
export $(1)
endef
$(foreach v,$(FOLDERS),$(if $(filter command environment,$(firstword $(origin $(v)))),\
	$(eval $(call folder_rule,$(v)))))

# Other makes get them by their environment: on the command line, they are as they were.
blank := \$() #
MAKEOVERRIDES := $(subst @blank@,$(blank),$(filter-out $(FOLDERS:%=%=%),$(subst $(blank),@blank@,$(MAKEOVERRIDES))))
