/* SPDX-License-Identifier: MIT */
#ifndef _UAPI_VSHADER_DRM_QPU_H_
#define _UAPI_VSHADER_DRM_QPU_H_

#include "vshader_drm.h"

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: QPU
 *
 * Shader jobs, faults and the engine state of %DRM_VSHADER_ENGINE_QPU.
 */

/**
 * enum drm_vshader_qpu_hazard - Why a QPU job faulted with %DRM_VSHADER_FAULT_HAZARD or
 * %DRM_VSHADER_FAULT_HANG.
 */
enum drm_vshader_qpu_hazard {
	/** @DRM_VSHADER_QPU_HAZARD_NONE: Not one of these. */
	DRM_VSHADER_QPU_HAZARD_NONE = 0,
	/** @DRM_VSHADER_QPU_HAZARD_REG_RAW: File register read right after its write. */
	DRM_VSHADER_QPU_HAZARD_REG_RAW = 1,
	/** @DRM_VSHADER_QPU_HAZARD_R5_ROTATE: Rotation by r5 right after its write. */
	DRM_VSHADER_QPU_HAZARD_R5_ROTATE = 2,
	/** @DRM_VSHADER_QPU_HAZARD_SFU_R4: r4 used within two of an SFU write. */
	DRM_VSHADER_QPU_HAZARD_SFU_R4 = 3,
	/** @DRM_VSHADER_QPU_HAZARD_SFU_BUSY: SFU write within two of another. */
	DRM_VSHADER_QPU_HAZARD_SFU_BUSY = 4,
	/** @DRM_VSHADER_QPU_HAZARD_UNIF: Uniform read within two of an address write. */
	DRM_VSHADER_QPU_HAZARD_UNIF = 5,
	/** @DRM_VSHADER_QPU_HAZARD_UNDEFINED_OP: Adder code without a meaning. */
	DRM_VSHADER_QPU_HAZARD_UNDEFINED_OP = 6,
	/** @DRM_VSHADER_QPU_HAZARD_BRANCH: Branch in the delay slots of another. */
	DRM_VSHADER_QPU_HAZARD_BRANCH = 7,
	/** @DRM_VSHADER_QPU_HAZARD_MUTEX: Mutex released by another QPU. */
	DRM_VSHADER_QPU_HAZARD_MUTEX = 8,
	/** @DRM_VSHADER_QPU_HAZARD_TMU_FULL: Request to a TMU that is full. */
	DRM_VSHADER_QPU_HAZARD_TMU_FULL = 9,
	/** @DRM_VSHADER_QPU_HAZARD_TMU_EMPTY: Result of a TMU without a request. */
	DRM_VSHADER_QPU_HAZARD_TMU_EMPTY = 10,
	/** @DRM_VSHADER_QPU_HAZARD_VPM_EMPTY: VPM read that was not set up. */
	DRM_VSHADER_QPU_HAZARD_VPM_EMPTY = 11,
	/** @DRM_VSHADER_QPU_HAZARD_FRAGMENT: Fragment peripheral in another stage. */
	DRM_VSHADER_QPU_HAZARD_FRAGMENT = 12,
	/** @DRM_VSHADER_QPU_HAZARD_BREAKPOINT: Breakpoint signal. */
	DRM_VSHADER_QPU_HAZARD_BREAKPOINT = 13,
	/** @DRM_VSHADER_QPU_HAZARD_VPM_FULL: VPM read set up while vectors are left. */
	DRM_VSHADER_QPU_HAZARD_VPM_FULL = 14,
	/** @DRM_VSHADER_QPU_HAZARD_VPM_SETUP: VPM or DMA setup undefined or missing. */
	DRM_VSHADER_QPU_HAZARD_VPM_SETUP = 15,
	/** @DRM_VSHADER_QPU_HAZARD_TMU_CONFIG: Texture configuration that is undefined. */
	DRM_VSHADER_QPU_HAZARD_TMU_CONFIG = 16,
	/**
	 * @DRM_VSHADER_QPU_HAZARD_TMU_STALE: TMU read of a line that the job stored to
	 * after a TMU had read it: the chip's cache has the old data.
	 */
	DRM_VSHADER_QPU_HAZARD_TMU_STALE = 17,
	/** @DRM_VSHADER_QPU_HAZARD_UNIF_END: Uniform read past the end of the list. */
	DRM_VSHADER_QPU_HAZARD_UNIF_END = 18,
};

/** enum drm_vshader_qpu_wait - State of a QPU at the end of a job. */
enum drm_vshader_qpu_wait {
	/** @DRM_VSHADER_QPU_WAIT_NONE: It was running. */
	DRM_VSHADER_QPU_WAIT_NONE = 0,
	/** @DRM_VSHADER_QPU_WAIT_IDLE: It had no thread. */
	DRM_VSHADER_QPU_WAIT_IDLE = 1,
	/** @DRM_VSHADER_QPU_WAIT_SEMA_INC: Releases a semaphore that is at 15. */
	DRM_VSHADER_QPU_WAIT_SEMA_INC = 2,
	/** @DRM_VSHADER_QPU_WAIT_SEMA_DEC: Acquires a semaphore that is at 0. */
	DRM_VSHADER_QPU_WAIT_SEMA_DEC = 3,
	/** @DRM_VSHADER_QPU_WAIT_MUTEX: Acquires the mutex. */
	DRM_VSHADER_QPU_WAIT_MUTEX = 4,
	/** @DRM_VSHADER_QPU_WAIT_SCOREBOARD: Waits for an earlier block of its pixels. */
	DRM_VSHADER_QPU_WAIT_SCOREBOARD = 5,
};

/**
 * struct drm_vshader_qpu_state - Where one QPU stood when its job faulted.
 *
 * The engine state of a QPU queue is an array of 12, by number of the QPU.
 */
struct drm_vshader_qpu_state {
	/** @wait: &enum drm_vshader_qpu_wait. */
	__u32 wait;
	/** @info: Number of the semaphore, or of the QPU that holds the mutex. */
	__u32 info;
	/** @pc: Next instruction, as &drm_vshader_fault.pc. */
	__u32 pc;
	/** @thread: Number of its thread. */
	__u32 thread;
	/** @insns: Instructions that the thread had executed. */
	__u64 insns;
};

/** enum drm_vshader_qpu_switch - Strictness of the QPU engine. */
enum drm_vshader_qpu_switch {
	/**
	 * @DRM_VSHADER_QPU_STRICT_HAZARDS: Breaking a rule of the pipeline faults
	 * (%DRM_VSHADER_FAULT_HAZARD); otherwise new values are visible at once.
	 */
	DRM_VSHADER_QPU_STRICT_HAZARDS = 1 << 0,
	/**
	 * @DRM_VSHADER_QPU_STRICT_TMU: TMU reads outside mapped memory fault; otherwise
	 * they give 0 and are counted in &drm_vshader_job_result.stray_reads.
	 */
	DRM_VSHADER_QPU_STRICT_TMU = 1 << 1,
};

/** enum drm_vshader_qpu_thread_flags - Flags of a QPU thread. */
enum drm_vshader_qpu_thread_flags {
	/** @DRM_VSHADER_QPU_THREAD_REV: The primitive faces backwards. */
	DRM_VSHADER_QPU_THREAD_REV = 1 << 0,
};

/**
 * struct drm_vshader_qpu_thread - One run of a program: 16 elements.
 *
 * Threads wait for a free QPU, in order; up to 12 run together.
 */
struct drm_vshader_qpu_thread {
	/** @uniforms: Bus address of the uniform stream. */
	__u32 uniforms;

	/** @pc: Byte offset of an entry point of the program. */
	__u32 pc;

	/**
	 * @payload: Fragment stage: bus address of 16 words W, 16 words Z, then for each
	 * varying 16 words of its partial value and 16 words C; 0: none. Else MBZ.
	 */
	__u32 payload;

	/** @x: Fragment stage: column of the 4x4 block in the tile, multiple of 4. */
	__u16 x;

	/** @y: Fragment stage: row of the block, multiple of 4. */
	__u16 y;

	/** @coverage: Fragment stage: bit per element. */
	__u16 coverage;

	/** @flags: Fragment stage: bits of &enum drm_vshader_qpu_thread_flags. */
	__u16 flags;

	/**
	 * @num_uniforms: Words at @uniforms, which only
	 * %DRM_VSHADER_QPU_STRICT_HAZARDS checks; 0: unknown.
	 */
	__u32 num_uniforms;
};

/**
 * struct drm_vshader_qpu_job - QPU block of a shader job.
 *
 * Bits 31 and 30 of bus addresses choose a cache alias on the chip and are ignored.
 */
struct drm_vshader_qpu_job {
	/** @model: Numeric model: 0, the hardware's. */
	__u32 model;

	/** @switches: Bits of &enum drm_vshader_qpu_switch. */
	__u32 switches;

	/** @threads: Array of &struct drm_vshader_qpu_thread; none make an empty job. */
	struct drm_vshader_obj_array threads;

	/**
	 * @color_va: Fragment stage: address of the tile's colours, 32 bits a pixel (a
	 * sample) in raster order; 0: none. This and the fields below are MBZ otherwise.
	 */
	__u64 color_va;

	/** @zs_va: The same for depth (bits 31:8) and stencil (7:0). */
	__u64 zs_va;

	/** @color_stride: Bytes from row to row. */
	__u32 color_stride;

	/** @zs_stride: Bytes from row to row. */
	__u32 zs_stride;

	/** @width: Pixels, a multiple of 4, at most 64. */
	__u32 width;

	/** @height: Rows, a multiple of 4, at most 64. */
	__u32 height;

	/** @samples: 1, or 4: words one after the other. */
	__u32 samples;

	/**
	 * @depth: Depth test of values written to the tile buffer's Z: bits 2:0
	 * function (never, <, =, <=, >, !=, >=, always: the written value against the
	 * stored one), bit 3 store values that pass, bit 4 enable. 0: all pass and are stored.
	 */
	__u32 depth;
};

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_VSHADER_DRM_QPU_H_ */
