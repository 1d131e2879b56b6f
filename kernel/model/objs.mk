# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Register models, relative to kernel/: a module of its own, and tests.
VS_MODEL_OBJS := model/model.o model/model_describe.o model/model_race.o model/model_run.o
VS_MODEL_OBJS += model/model_snap.o
VS_MODEL_OBJS += model/mali_gpu.o model/mali_regs.o model/mali_slot.o model/mali_mmu.o
VS_MODEL_OBJS += model/mali_work.o model/mali_l2.o
VS_MODEL_OBJS += model/utgard_gpu.o model/utgard_regs.o model/utgard_core.o model/utgard_mmu.o
VS_MODEL_OBJS += model/utgard_work.o
