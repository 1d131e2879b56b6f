# SPDX-License-Identifier: GPL-2.0
# VideoCore IV QPU: parts of the machine, results of hardware, random programs.
qpu_USES := pica
qpu_ENV := QPU_DATA=$(SRC)/qpu/data QPU_CORPUS=$(CORPUS) QPU_SEED=$(SEED) \
	QPU_EFFORT=$(if $(LONG),long,$(if $(QUICK)$(SAN)$(EMULATOR),quick))
