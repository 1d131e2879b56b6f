# SPDX-License-Identifier: GPL-2.0
# Register models: a fake driver on a fake host. Frames are those of the suite mali.
model_USES := mali
model_ARGS := $(if $(SEED),--seed $(SEED))
