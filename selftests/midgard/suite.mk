# SPDX-License-Identifier: GPL-2.0
# Midgard: captured job chains and compiled programs on the reference model.
midgard_ENV := MIDGARD_DATA=$(SRC)/midgard/data MIDGARD_CORPUS=$(CORPUS)
