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
VS_OBJS += engine/simt/simt_lanes.o engine/simt/simt_lanes_soft.o

# The SIMT machine: operations as data, what all its executors share, the portable executor.
VS_OBJS += engine/simt/simt_table.o engine/simt/simt_exec.o engine/simt/simt_exec_soft.o
VS_OBJS += engine/simt/simt_scalar.o engine/simt/simt_scalar_int.o

# For every engine object: results must not depend on the compiler's idea of arithmetic.
# User-Mode-Linux builds with -fno-builtin, which makes a call of every copy of 8 bytes.
VS_ENGINE_CFLAGS := -ffp-contract=off -fno-math-errno -fwrapv -fno-jump-tables -fbuiltin

# With -g, tracking variables through unrolled vector code takes a third of the time to compile.
VS_VEC_CFLAGS := $(VS_ENGINE_CFLAGS) -fno-var-tracking

# Executors that use vector registers: x86-64 only. The kernel names its architecture.
ifneq ($(filter x86 um x86_64 amd64,$(or $(SRCARCH),$(shell uname -m))),)
VS_FPU_OBJS += engine/exec_sse2.o engine/exec_avx2.o engine/exec_avx512.o
# User-Mode-Linux does not keep the 16-byte stack alignment that gcc counts on there.
VS_FPU_CFLAGS_exec_sse2 := -mhard-float -msse -msse2 -mstackrealign $(VS_VEC_CFLAGS)
VS_FPU_CFLAGS_exec_avx2 := -mhard-float -msse -msse2 -mavx -mavx2 $(VS_VEC_CFLAGS)
VS_FPU_CFLAGS_exec_avx512 := -mhard-float -msse -msse2 -mavx -mavx2 -mavx512f -mavx512bw \
	-mavx512dq -mavx512vl -mprefer-vector-width=512 $(VS_VEC_CFLAGS)

VS_FPU_OBJS += engine/simt/simt_exec_sse2.o engine/simt/simt_exec_avx2.o
VS_FPU_OBJS += engine/simt/simt_exec_avx512.o
VS_FPU_CFLAGS_simt_exec_sse2 := $(VS_FPU_CFLAGS_exec_sse2)
VS_FPU_CFLAGS_simt_exec_avx2 := $(VS_FPU_CFLAGS_exec_avx2) -mfma -mf16c
VS_FPU_CFLAGS_simt_exec_avx512 := $(VS_FPU_CFLAGS_exec_avx512) -mfma -mf16c
VS_FPU_OBJS += engine/simt/simt_lanes_sse2.o engine/simt/simt_lanes_avx2.o
VS_FPU_OBJS += engine/simt/simt_lanes_avx512.o
VS_FPU_CFLAGS_simt_lanes_sse2 := $(VS_FPU_CFLAGS_exec_sse2)
VS_FPU_CFLAGS_simt_lanes_avx2 := $(VS_FPU_CFLAGS_exec_avx2)
VS_FPU_CFLAGS_simt_lanes_avx512 := $(VS_FPU_CFLAGS_exec_avx512)
endif
