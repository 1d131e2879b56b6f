# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The engine: control code without floating point, and one executor per vector width.
VS_OBJS += engine/prog.o engine/prog_analyse.o engine/prog_verify.o
VS_OBJS += engine/mappings.o engine/map.o engine/cpu.o engine/exec.o engine/exec_soft.o engine/softfloat.o
VS_OBJS += engine/flow.o engine/emit.o engine/stream.o engine/block.o engine/job.o engine/serial.o
VS_OBJS += engine/debug.o engine/debug_block.o engine/fault.o engine/post.o

# The machine for threads that load and store: programs and the passes that make them ...
VS_OBJS += engine/simt/simt_prog.o engine/simt/simt_finish.o engine/simt/simt_verify.o
VS_OBJS += engine/simt/simt_addr.o engine/simt/simt_copy.o engine/simt/simt_cfg.o
VS_OBJS += engine/simt/simt_live.o engine/simt/simt_fuse.o engine/simt/simt_uniform.o
VS_OBJS += engine/simt/simt_compact.o
# ... and their execution.
VS_OBJS += engine/simt/simt_machine.o engine/simt/simt_job.o engine/simt/simt_debug.o
VS_OBJS += engine/simt/simt_flow.o engine/simt/simt_mem.o engine/simt/simt_atom.o
VS_OBJS += engine/simt/simt_lanes.o engine/simt/simt_lanes_soft.o engine/simt/simt_special.o

# The SIMT machine: operations as data, what all its executors share, the portable executor.
VS_OBJS += engine/simt/simt_table.o engine/simt/simt_exec.o engine/simt/simt_exec_soft.o
VS_OBJS += engine/simt/simt_scalar.o engine/simt/simt_scalar_int.o
VS_OBJS += engine/simt/simt_arctan.o

# For every engine object: results must not depend on the compiler's idea of arithmetic.
# User-Mode-Linux builds with -fno-builtin, which makes a call of every copy of 8 bytes.
VS_ENGINE_CFLAGS := -ffp-contract=off -fno-math-errno -fwrapv -fno-jump-tables -fbuiltin

# With -g, tracking variables through unrolled vector code takes a third of the time to compile.
VS_VEC_CFLAGS := $(VS_ENGINE_CFLAGS) -fno-var-tracking

# Executors that use vector registers, by the names of their builds. The kernel names its
# architecture.
VS_ARCH := $(or $(SRCARCH),$(firstword $(subst -, ,$(shell $(CC) -dumpmachine))))
VS_BUILDS :=

ifneq ($(filter x86 um x86_64 amd64,$(VS_ARCH)),)
VS_ALL_BUILDS := sse2 avx2 avx512
# VSHADER_SIMD="avx2" in the environment: only these of them, for a machine that is known, as compiling
# them takes a third of the time of all. avx512 needs avx2, too.
VS_BUILDS := $(if $(VSHADER_SIMD),$(filter $(VSHADER_SIMD),$(VS_ALL_BUILDS)),$(VS_ALL_BUILDS))
ifneq ($(filter-out $(VS_ALL_BUILDS),$(VSHADER_SIMD))$(if $(filter sse2 avx2,$(VS_BUILDS)),,none),)
$(error VSHADER_SIMD="$(VSHADER_SIMD)": some of $(VS_ALL_BUILDS), with sse2 or avx2)
endif
ifneq ($(if $(filter avx512,$(VS_BUILDS)),$(if $(filter avx2,$(VS_BUILDS)),,none)),)
$(error VSHADER_SIMD="$(VSHADER_SIMD)": avx512 needs avx2)
endif
# User-Mode-Linux does not keep the 16-byte stack alignment that gcc counts on there.
VS_BUILD_CFLAGS_sse2 := -mhard-float -msse -msse2 -mstackrealign $(VS_VEC_CFLAGS)
VS_BUILD_CFLAGS_avx2 := -mhard-float -msse -msse2 -mavx -mavx2 $(VS_VEC_CFLAGS)
VS_BUILD_CFLAGS_avx512 := -mhard-float -msse -msse2 -mavx -mavx2 -mavx512f -mavx512bw \
	-mavx512dq -mavx512vl -mprefer-vector-width=512 $(VS_VEC_CFLAGS)
endif

ifneq ($(filter arm64 aarch64,$(VS_ARCH)),)
VS_BUILDS := neon
VS_BUILD_CFLAGS_neon := $(VS_VEC_CFLAGS)
# of the kernel's flags, what these objects are compiled without
VS_FPU_CFLAGS_REMOVE := -mgeneral-regs-only
endif

# vs_build_objs NAMES,FOLDER/STEM: objects FOLDER/STEM_NAME.o with the flags of each build
define vs_build_obj
VS_FPU_OBJS += $(2)_$(1).o
VS_FPU_CFLAGS_$(notdir $(2))_$(1) := $(VS_BUILD_CFLAGS_$(1))
endef
vs_build_objs = $(foreach b,$(1),$(eval $(call vs_build_obj,$(b),$(2))))

# Texture unit and rasteriser: loops over lanes become vectors, and short ones registers. Without
# traps of floating point a condition may become a mask; results are the same.
VS_LOOP_CFLAGS := -O3 -fno-trapping-math
vs_loop_objs = $(call vs_build_objs,$(1),$(2))$(foreach b,$(1),$(eval \
	VS_FPU_CFLAGS_$(notdir $(2))_$(b) += $(VS_LOOP_CFLAGS)))

# Objects that choose an executor know which there are.
VS_LACKS_CFLAGS := $(foreach b,$(filter-out $(VS_BUILDS),$(VS_ALL_BUILDS)),-DVS_LACKS_$(b)=1)
VS_CHOOSING_OBJS := engine/cpu.o engine/exec.o engine/simt/simt_exec.o engine/simt/simt_lanes.o \
	isa/qpu/qpu_machine.o isa/qpu/qpu_sfu.o native/pica/pica_walk.o raster/quads.o raster/small.o \
	raster/vr_fp.o texture/tx_unit.o

$(call vs_build_objs,$(VS_BUILDS),engine/exec)
# Any executor of x86 may call it.
$(call vs_build_objs,$(if $(filter $(VS_ALL_BUILDS),$(VS_BUILDS)),sse2),engine/exec_nan)
$(call vs_build_objs,$(VS_BUILDS),engine/simt/simt_exec)
$(call vs_build_objs,$(VS_BUILDS),engine/simt/simt_lanes)
VS_FPU_CFLAGS_simt_exec_avx2 += -mfma -mf16c
VS_FPU_CFLAGS_simt_exec_avx512 += -mfma -mf16c
