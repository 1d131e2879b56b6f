/* SPDX-License-Identifier: MIT */
#ifndef _UAPI_VSHADER_DRM_H_
#define _UAPI_VSHADER_DRM_H_

#include "drm.h"

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: Introduction
 *
 * This header is the userspace interface of vshader, a render-only DRM driver
 * whose device is virtual: programs of real GPU instruction sets are executed
 * by an interpreter in the kernel.
 *
 * Rules that every definition here keeps to:
 *
 * - structures are multiples of 8 bytes, all padding is explicit and named
 *   ``pad``, and must be zero on input (-EINVAL otherwise);
 * - sizes, offsets and addresses are 64 bit, user pointers are __u64;
 * - undefined flag bits must be zero (-EINVAL otherwise);
 * - arrays of sub-objects are described by &struct drm_vshader_obj_array and
 *   copied element by element with zero extension: an element shorter than the
 *   kernel's structure is extended with zeros (down to the size of version
 *   1.0), a longer one is accepted if its tail is zero (-E2BIG otherwise);
 * - object ids (VM, program, queue) are per DRM file and never 0;
 * - new fields go to the end of a structure or into former padding, zero means
 *   the old behaviour; ioctls are only appended; every addition bumps the minor
 *   version;
 * - an ioctl that fails with -EINTR leaves its argument unchanged and may be
 *   restarted.
 *
 * Minor versions: 1.1 added the QPU engine, &struct drm_vshader_qpu_job,
 * %DRM_VSHADER_NATIVE_QPU_LIST, the engine state of
 * &struct drm_vshader_queue_get_state and @stray_reads of
 * &struct drm_vshader_job_result. 1.2 added the Bifrost and Midgard engines,
 * &struct drm_vshader_mali_job, %DRM_VSHADER_NATIVE_BIFROST_CHAIN,
 * %DRM_VSHADER_NATIVE_MIDGARD_CHAIN and @memory of &struct drm_vshader_native_job.
 * 1.3 added debugging: %DRM_VSHADER_QUEUE_DEBUG, DEBUG_ATTACH and what its file descriptor
 * understands, %DRM_VSHADER_DEV_QUERY_DEBUG_BANKS. It added the
 * Utgard engines, &struct drm_vshader_utgard_gp_job, &struct drm_vshader_utgard_pp_job,
 * formats of streams from %DRM_VSHADER_FORMAT_S32 on, %DRM_VSHADER_NATIVE_UTGARD_GP_FRAME and
 * %DRM_VSHADER_NATIVE_UTGARD_PP_FRAME. With 1.4 device coredumps have the format of
 * vshader_drm_dump.h.
 *
 * Errors common to all ioctls: -EFAULT bad user pointer, -EINVAL bad field or
 * combination, -ENOENT unknown id or handle, -ENOMEM, -E2BIG a limit of
 * &struct drm_vshader_limits exceeded or non-zero tail, -ENODEV device unplugged,
 * -ENOTTY unknown ioctl, -EINTR interrupted.
 */

/**
 * DOC: Memory model
 *
 * A job sees the address space of its queue's VM as it was when the job was
 * submitted: an immutable snapshot. Unmapping while a job runs never races with
 * it. Addresses of engines with 32-bit spaces are 32-bit values.
 */

/**
 * DOC: Faults
 *
 * A job that faults, exceeds its instruction budget or its time limit ends with
 * an error on its fence (-EIO, -ETIME or -ECANCELED) and bans its queue: later
 * submits on that queue fail with -EIO, jobs already queued behind it end with
 * -ECANCELED. Other queues are not affected. See
 * &DRM_IOCTL_VSHADER_QUEUE_GET_STATE.
 */

/**
 * enum drm_vshader_ioctl_id - Numbers of the ioctls.
 *
 * Place new ioctls at the end, don't re-order.
 */
enum drm_vshader_ioctl_id {
	/** @DRM_VSHADER_DEV_QUERY: Query device information. */
	DRM_VSHADER_DEV_QUERY = 0,
	/** @DRM_VSHADER_VM_CREATE: Create an address space. */
	DRM_VSHADER_VM_CREATE,
	/** @DRM_VSHADER_VM_DESTROY: Destroy an address space. */
	DRM_VSHADER_VM_DESTROY,
	/** @DRM_VSHADER_VM_BIND: Map or unmap ranges of an address space. */
	DRM_VSHADER_VM_BIND,
	/** @DRM_VSHADER_BO_CREATE: Create a buffer object. */
	DRM_VSHADER_BO_CREATE,
	/** @DRM_VSHADER_BO_MMAP_OFFSET: Get the file offset to pass to mmap(). */
	DRM_VSHADER_BO_MMAP_OFFSET,
	/** @DRM_VSHADER_BO_SET_LABEL: Label a buffer object. */
	DRM_VSHADER_BO_SET_LABEL,
	/** @DRM_VSHADER_PROGRAM_CREATE: Verify and predecode a program. */
	DRM_VSHADER_PROGRAM_CREATE,
	/** @DRM_VSHADER_PROGRAM_DESTROY: Destroy a program. */
	DRM_VSHADER_PROGRAM_DESTROY,
	/** @DRM_VSHADER_PROGRAM_QUERY: Get a program's resource report. */
	DRM_VSHADER_PROGRAM_QUERY,
	/** @DRM_VSHADER_QUEUE_CREATE: Create a queue. */
	DRM_VSHADER_QUEUE_CREATE,
	/** @DRM_VSHADER_QUEUE_DESTROY: Destroy a queue. */
	DRM_VSHADER_QUEUE_DESTROY,
	/** @DRM_VSHADER_QUEUE_GET_STATE: Get a queue's state and fault record. */
	DRM_VSHADER_QUEUE_GET_STATE,
	/** @DRM_VSHADER_SUBMIT: Submit jobs. */
	DRM_VSHADER_SUBMIT,
	/** @DRM_VSHADER_DEBUG_ATTACH: Debug the jobs of a queue. */
	DRM_VSHADER_DEBUG_ATTACH,
};

#define DRM_IOCTL_VSHADER(__access, __id, __type) \
	DRM_IO ## __access(DRM_COMMAND_BASE + DRM_VSHADER_ ## __id, \
			   struct drm_vshader_ ## __type)

#define DRM_IOCTL_VSHADER_DEV_QUERY \
	DRM_IOCTL_VSHADER(WR, DEV_QUERY, dev_query)
#define DRM_IOCTL_VSHADER_VM_CREATE \
	DRM_IOCTL_VSHADER(WR, VM_CREATE, vm_create)
#define DRM_IOCTL_VSHADER_VM_DESTROY \
	DRM_IOCTL_VSHADER(WR, VM_DESTROY, vm_destroy)
#define DRM_IOCTL_VSHADER_VM_BIND \
	DRM_IOCTL_VSHADER(WR, VM_BIND, vm_bind)
#define DRM_IOCTL_VSHADER_BO_CREATE \
	DRM_IOCTL_VSHADER(WR, BO_CREATE, bo_create)
#define DRM_IOCTL_VSHADER_BO_MMAP_OFFSET \
	DRM_IOCTL_VSHADER(WR, BO_MMAP_OFFSET, bo_mmap_offset)
#define DRM_IOCTL_VSHADER_BO_SET_LABEL \
	DRM_IOCTL_VSHADER(WR, BO_SET_LABEL, bo_set_label)
#define DRM_IOCTL_VSHADER_PROGRAM_CREATE \
	DRM_IOCTL_VSHADER(WR, PROGRAM_CREATE, program_create)
#define DRM_IOCTL_VSHADER_PROGRAM_DESTROY \
	DRM_IOCTL_VSHADER(WR, PROGRAM_DESTROY, program_destroy)
#define DRM_IOCTL_VSHADER_PROGRAM_QUERY \
	DRM_IOCTL_VSHADER(WR, PROGRAM_QUERY, program_query)
#define DRM_IOCTL_VSHADER_QUEUE_CREATE \
	DRM_IOCTL_VSHADER(WR, QUEUE_CREATE, queue_create)
#define DRM_IOCTL_VSHADER_QUEUE_DESTROY \
	DRM_IOCTL_VSHADER(WR, QUEUE_DESTROY, queue_destroy)
#define DRM_IOCTL_VSHADER_QUEUE_GET_STATE \
	DRM_IOCTL_VSHADER(WR, QUEUE_GET_STATE, queue_get_state)
#define DRM_IOCTL_VSHADER_SUBMIT \
	DRM_IOCTL_VSHADER(WR, SUBMIT, submit)
#define DRM_IOCTL_VSHADER_DEBUG_ATTACH \
	DRM_IOCTL_VSHADER(WR, DEBUG_ATTACH, debug_attach)

/**
 * struct drm_vshader_obj_array - Array of sub-objects.
 */
struct drm_vshader_obj_array {
	/** @stride: Bytes from one element to the next. Ignored if @count is 0. */
	__u32 stride;

	/** @count: Number of elements. */
	__u32 count;

	/** @array: User pointer to the first element. Ignored if @count is 0. */
	__u64 array;
};

#define DRM_VSHADER_OBJ_ARRAY(cnt, ptr) \
	{ .stride = sizeof((ptr)[0]), .count = (cnt), \
	  .array = (__u64)(uintptr_t)(ptr) }

/** enum drm_vshader_engine - Execution engines: one per instruction set. */
enum drm_vshader_engine {
	/** @DRM_VSHADER_ENGINE_PICA: Nintendo 3DS PICA200 shader units. */
	DRM_VSHADER_ENGINE_PICA = 0,
	/** @DRM_VSHADER_ENGINE_QPU: Broadcom VideoCore IV QPU. */
	DRM_VSHADER_ENGINE_QPU = 1,
	/** @DRM_VSHADER_ENGINE_BIFROST: ARM Mali Bifrost. */
	DRM_VSHADER_ENGINE_BIFROST = 2,
	/** @DRM_VSHADER_ENGINE_MIDGARD: ARM Mali Midgard. */
	DRM_VSHADER_ENGINE_MIDGARD = 3,
	/** @DRM_VSHADER_ENGINE_UTGARD_GP: ARM Mali Utgard vertex processor. */
	DRM_VSHADER_ENGINE_UTGARD_GP = 4,
	/** @DRM_VSHADER_ENGINE_UTGARD_PP: ARM Mali Utgard pixel processor. */
	DRM_VSHADER_ENGINE_UTGARD_PP = 5,
};

/** enum drm_vshader_stage - Shader stages. */
enum drm_vshader_stage {
	/** @DRM_VSHADER_STAGE_VERTEX: Vertex shader. */
	DRM_VSHADER_STAGE_VERTEX = 0,
	/** @DRM_VSHADER_STAGE_GEOMETRY: Geometry shader. */
	DRM_VSHADER_STAGE_GEOMETRY = 1,
	/** @DRM_VSHADER_STAGE_FRAGMENT: Fragment shader. */
	DRM_VSHADER_STAGE_FRAGMENT = 2,
	/** @DRM_VSHADER_STAGE_COMPUTE: Compute shader. */
	DRM_VSHADER_STAGE_COMPUTE = 3,
};

/** enum drm_vshader_dev_query_type - What %DRM_IOCTL_VSHADER_DEV_QUERY returns. */
enum drm_vshader_dev_query_type {
	/** @DRM_VSHADER_DEV_QUERY_DEV_INFO: &struct drm_vshader_dev_info. */
	DRM_VSHADER_DEV_QUERY_DEV_INFO = 0,
	/** @DRM_VSHADER_DEV_QUERY_LIMITS: &struct drm_vshader_limits. */
	DRM_VSHADER_DEV_QUERY_LIMITS = 1,
	/** @DRM_VSHADER_DEV_QUERY_ENGINE_INFO: Array of &struct drm_vshader_engine_info. */
	DRM_VSHADER_DEV_QUERY_ENGINE_INFO = 2,
	/** @DRM_VSHADER_DEV_QUERY_NUMERIC_INFO: Array of &struct drm_vshader_numeric_info. */
	DRM_VSHADER_DEV_QUERY_NUMERIC_INFO = 3,
	/** @DRM_VSHADER_DEV_QUERY_DEBUG_BANKS: Array of &struct drm_vshader_debug_bank. */
	DRM_VSHADER_DEV_QUERY_DEBUG_BANKS = 4,
};

/**
 * struct drm_vshader_dev_query - Arguments of DRM_IOCTL_VSHADER_DEV_QUERY.
 */
struct drm_vshader_dev_query {
	/** @type: In. One of &enum drm_vshader_dev_query_type. */
	__u32 type;

	/**
	 * @size: In: bytes at @pointer. Out: bytes the answer has. If the buffer
	 * is larger than the answer its tail is cleared.
	 */
	__u32 size;

	/** @pointer: In. User pointer, or 0 to get the size only. */
	__u64 pointer;
};

/** enum drm_vshader_simd - Vector instruction sets of the executor. */
enum drm_vshader_simd {
	/** @DRM_VSHADER_SIMD_PORTABLE: Integer-only executor, no FPU used. */
	DRM_VSHADER_SIMD_PORTABLE = 0,
	/** @DRM_VSHADER_SIMD_SSE2: x86-64 SSE2. */
	DRM_VSHADER_SIMD_SSE2 = 1,
	/** @DRM_VSHADER_SIMD_AVX2: x86-64 AVX2. */
	DRM_VSHADER_SIMD_AVX2 = 2,
	/** @DRM_VSHADER_SIMD_AVX512: x86-64 AVX-512 F, BW, DQ, VL. */
	DRM_VSHADER_SIMD_AVX512 = 3,
};

/**
 * struct drm_vshader_dev_info - Device information.
 */
struct drm_vshader_dev_info {
	/** @engine_mask: Bit n set: &enum drm_vshader_engine n exists. */
	__u64 engine_mask;
	/** @min_va: Lowest address that can be mapped. */
	__u64 min_va;
	/** @max_va_32: One past the highest address of a 32-bit space. */
	__u64 max_va_32;
	/** @max_va_48: One past the highest address of a 48-bit space. */
	__u64 max_va_48;
	/** @page_size: Granularity of mappings, bytes. */
	__u32 page_size;
	/** @num_workers: Threads that a file may have, which can execute a job together. */
	__u32 num_workers;
	/** @simd: Active executor, &enum drm_vshader_simd. */
	__u32 simd;
	/** @simd_mask: Executors this machine can run, bit n = &enum drm_vshader_simd n. */
	__u32 simd_mask;
	/** @block_size: Invocations executed side by side. */
	__u32 block_size;
	/** @pad: MBZ. */
	__u32 pad;
};

/**
 * struct drm_vshader_limits - Limits of this device; exceeding one gives -E2BIG.
 */
struct drm_vshader_limits {
	/** @max_bo_size: Bytes per buffer object. */
	__u64 max_bo_size;
	/** @max_budget: Largest instruction budget of a job, micro-op weights. */
	__u64 max_budget;
	/** @max_job_memory: Kernel memory a job may need, bytes. */
	__u64 max_job_memory;
	/** @max_code_size: Bytes per program section. */
	__u32 max_code_size;
	/** @max_entries: Entry points per program. */
	__u32 max_entries;
	/** @max_jobs: Jobs per SUBMIT. */
	__u32 max_jobs;
	/** @max_syncs: Sync operations per job. */
	__u32 max_syncs;
	/** @max_streams: Attribute or output streams per job. */
	__u32 max_streams;
	/** @max_bind_ops: Operations per VM_BIND. */
	__u32 max_bind_ops;
	/** @max_mappings: Mappings per VM. */
	__u32 max_mappings;
	/** @max_objects: VMs, programs and queues per file, each. */
	__u32 max_objects;
	/** @max_time_ms: Largest CPU time limit of a queue's jobs, milliseconds. */
	__u32 max_time_ms;
	/** @default_time_ms: Time limit used when a queue asks for 0. */
	__u32 default_time_ms;
	/** @max_invocations: Invocations (times instances) per job. */
	__u32 max_invocations;
	/** @max_label: Bytes of a label, terminating zero included. */
	__u32 max_label;
	/** @max_native_draws: Draws one native job may contain. */
	__u32 max_native_draws;
	/** @max_native_size: Bytes of a native job's command list. */
	__u32 max_native_size;
	/** @max_queued_jobs: Unfinished jobs per queue; more give -EBUSY. */
	__u32 max_queued_jobs;
	/** @pad: MBZ. */
	__u32 pad;
};

/** enum drm_vshader_engine_cap - Capabilities of an engine. */
enum drm_vshader_engine_cap {
	/** @DRM_VSHADER_CAP_SHADER_JOBS: Accepts %DRM_VSHADER_JOB_SHADER. */
	DRM_VSHADER_CAP_SHADER_JOBS = 1 << 0,
	/** @DRM_VSHADER_CAP_NATIVE_JOBS: Accepts %DRM_VSHADER_JOB_NATIVE. */
	DRM_VSHADER_CAP_NATIVE_JOBS = 1 << 1,
};

/**
 * struct drm_vshader_engine_info - One engine.
 */
struct drm_vshader_engine_info {
	/** @engine: &enum drm_vshader_engine. */
	__u32 engine;
	/** @caps: Bits of &enum drm_vshader_engine_cap. */
	__u32 caps;
	/** @stage_mask: Bit n set: &enum drm_vshader_stage n is supported. */
	__u32 stage_mask;
	/** @va_bits: 32 or 48: kind of VM that its queues need. */
	__u32 va_bits;
	/** @max_code_words: Instruction words (of @word_bytes) per program. */
	__u32 max_code_words;
	/** @word_bytes: Bytes per instruction word. */
	__u32 word_bytes;
	/** @name: Short name as in fdinfo and job files, zero terminated. */
	char name[16];
};

/**
 * struct drm_vshader_numeric_info - Numeric models and switches of one engine.
 */
struct drm_vshader_numeric_info {
	/** @engine: &enum drm_vshader_engine. */
	__u32 engine;

	/** @model_mask: Bit n: numeric model n of the engine's block is supported. */
	__u32 model_mask;

	/** @default_model: Model that the hardware is believed to follow. */
	__u32 default_model;

	/** @pad: MBZ. */
	__u32 pad;

	/** @switches: Numeric or behavioural switches accepted in the engine's block. */
	__u64 switches;
};

/** enum drm_vshader_vm_flags - Flags of VM_CREATE. */
enum drm_vshader_vm_flags {
	/** @DRM_VSHADER_VM_48BIT: 48-bit address space; otherwise 32 bit. */
	DRM_VSHADER_VM_48BIT = 1 << 0,
};

/**
 * struct drm_vshader_vm_create - Arguments of DRM_IOCTL_VSHADER_VM_CREATE.
 */
struct drm_vshader_vm_create {
	/** @flags: In. Bits of &enum drm_vshader_vm_flags. */
	__u32 flags;

	/** @id: Out. VM id. */
	__u32 id;

	/**
	 * @kernel_va_start: In. Start of the range from which the kernel picks
	 * addresses for binds with %DRM_VSHADER_VM_BIND_ALLOC_VA; 0 for the default.
	 */
	__u64 kernel_va_start;
};

/**
 * struct drm_vshader_vm_destroy - Arguments of DRM_IOCTL_VSHADER_VM_DESTROY.
 *
 * Jobs in flight keep the address space they were submitted with. Queues of the
 * VM stay usable until they are destroyed.
 */
struct drm_vshader_vm_destroy {
	/** @id: In. VM id. */
	__u32 id;

	/** @pad: MBZ. */
	__u32 pad;
};

/** enum drm_vshader_vm_bind_flags - Flags of one bind operation. */
enum drm_vshader_vm_bind_flags {
	/** @DRM_VSHADER_VM_BIND_UNMAP: Unmap the range (otherwise: map). */
	DRM_VSHADER_VM_BIND_UNMAP = 1 << 0,
	/** @DRM_VSHADER_VM_BIND_READONLY: Jobs may not write through this mapping. */
	DRM_VSHADER_VM_BIND_READONLY = 1 << 1,
	/** @DRM_VSHADER_VM_BIND_NOEXEC: Jobs may not fetch code through this mapping. */
	DRM_VSHADER_VM_BIND_NOEXEC = 1 << 2,
	/** @DRM_VSHADER_VM_BIND_ALLOC_VA: The kernel picks the address. */
	DRM_VSHADER_VM_BIND_ALLOC_VA = 1 << 3,
};

/**
 * struct drm_vshader_vm_bind_op - One map or unmap.
 *
 * Mapping over an existing mapping replaces the overlapped part. Unmapping a
 * range without mappings succeeds.
 */
struct drm_vshader_vm_bind_op {
	/** @flags: Bits of &enum drm_vshader_vm_bind_flags. */
	__u32 flags;

	/** @bo_handle: GEM handle to map; 0 for unmap. */
	__u32 bo_handle;

	/** @bo_offset: First byte of the object to map; page aligned; 0 for unmap. */
	__u64 bo_offset;

	/** @va: Address; page aligned. Out with %DRM_VSHADER_VM_BIND_ALLOC_VA. */
	__u64 va;

	/** @size: Bytes; page aligned; not 0. */
	__u64 size;
};

/**
 * struct drm_vshader_vm_bind - Arguments of DRM_IOCTL_VSHADER_VM_BIND.
 *
 * Synchronous; affects jobs submitted afterwards. All operations take effect, or
 * none does. Errors besides the common ones: -ENOSPC no free range of that size for
 * %DRM_VSHADER_VM_BIND_ALLOC_VA; -EOPNOTSUPP jobs cannot access an imported object in place.
 *
 * Jobs access memory while others may wait for their fences, when no call for CPU access to a
 * dma-buf is allowed. An imported object can be mapped only if its exporter maps it into
 * ordinary memory of the kernel, not I/O memory, and needs no dma_buf_begin_cpu_access() and
 * dma_buf_end_cpu_access(). Buffers of DRM drivers that use the PRIME helpers can; those of
 * udmabuf, of DMA heaps and of i915 and amdgpu cannot.
 */
struct drm_vshader_vm_bind {
	/** @vm_id: In. VM id. */
	__u32 vm_id;

	/** @failed_op: Out. On error the index of the operation at fault. */
	__u32 failed_op;

	/** @ops: In/out. Array of &struct drm_vshader_vm_bind_op. */
	struct drm_vshader_obj_array ops;
};

/** enum drm_vshader_bo_flags - Flags of BO_CREATE. */
enum drm_vshader_bo_flags {
	/** @DRM_VSHADER_BO_NO_MMAP: The object will never be mapped by userspace. */
	DRM_VSHADER_BO_NO_MMAP = 1 << 0,
};

/**
 * struct drm_vshader_bo_create - Arguments of DRM_IOCTL_VSHADER_BO_CREATE.
 *
 * The memory is zeroed.
 */
struct drm_vshader_bo_create {
	/** @size: In: bytes, not 0. Out: size rounded up to pages. */
	__u64 size;

	/** @flags: In. Bits of &enum drm_vshader_bo_flags. */
	__u32 flags;

	/**
	 * @exclusive_vm_id: In. If not 0: the object can only be mapped in this VM
	 * and not be exported; it takes no part in implicit synchronisation with
	 * other devices and costs nothing per submit.
	 */
	__u32 exclusive_vm_id;

	/** @handle: Out. GEM handle. */
	__u32 handle;

	/** @pad: MBZ. */
	__u32 pad;
};

/**
 * struct drm_vshader_bo_mmap_offset - Arguments of DRM_IOCTL_VSHADER_BO_MMAP_OFFSET.
 */
struct drm_vshader_bo_mmap_offset {
	/** @handle: In. GEM handle. */
	__u32 handle;

	/** @pad: MBZ. */
	__u32 pad;

	/** @offset: Out. Offset for mmap() on the DRM file. */
	__u64 offset;
};

/**
 * struct drm_vshader_bo_set_label - Arguments of DRM_IOCTL_VSHADER_BO_SET_LABEL.
 */
struct drm_vshader_bo_set_label {
	/** @handle: In. GEM handle. */
	__u32 handle;

	/** @pad: MBZ. */
	__u32 pad;

	/** @label: In. User pointer to a zero-terminated string, or 0 to remove it. */
	__u64 label;
};

/** enum drm_vshader_section - Kinds of program sections. */
enum drm_vshader_section {
	/** @DRM_VSHADER_SECTION_CODE: Instruction words. Mandatory. */
	DRM_VSHADER_SECTION_CODE = 0,
	/** @DRM_VSHADER_SECTION_OPDESC: PICA operand descriptors, 32 bit each. */
	DRM_VSHADER_SECTION_OPDESC = 1,
};

/**
 * struct drm_vshader_program_section - One part of a program.
 */
struct drm_vshader_program_section {
	/** @type: &enum drm_vshader_section; each at most once. */
	__u32 type;

	/** @pad: MBZ. */
	__u32 pad;

	/** @data: User pointer, 4-byte words, little endian. */
	__u64 data;

	/**
	 * @size: Bytes; a multiple of 4. Instructions of 64 bits are two words, the
	 * lower half first; code is then a multiple of 8.
	 */
	__u64 size;
};

/**
 * struct drm_vshader_reject - Why and where the verifier rejected a program.
 */
struct drm_vshader_reject {
	/** @reason: ISA specific reason code, 0 = not rejected by the verifier. */
	__u32 reason;

	/** @section: &enum drm_vshader_section of the bad word. */
	__u32 section;

	/**
	 * @offset: Index of the bad word in its section; of code: of the instruction,
	 * which has &drm_vshader_engine_info.word_bytes bytes.
	 */
	__u32 offset;

	/** @field_lo: Lowest bit of the offending field. */
	__u8 field_lo;

	/** @field_hi: Highest bit of the offending field. */
	__u8 field_hi;

	/** @pad: MBZ. */
	__u16 pad;

	/** @value: Value found. */
	__u32 value;

	/** @limit: Bound or value expected, where there is one. */
	__u32 limit;
};

/**
 * struct drm_vshader_program_create - Arguments of DRM_IOCTL_VSHADER_PROGRAM_CREATE.
 *
 * The words are copied, verified once, lowered and kept immutable. A program that
 * the verifier rejects gives -ENOEXEC with @reject and, if asked for, text.
 */
struct drm_vshader_program_create {
	/** @engine: In. &enum drm_vshader_engine. */
	__u32 engine;

	/** @stage: In. &enum drm_vshader_stage. */
	__u32 stage;

	/** @flags: In. MBZ. */
	__u32 flags;

	/** @id: Out. Program id. */
	__u32 id;

	/** @sections: In. Array of &struct drm_vshader_program_section. */
	struct drm_vshader_obj_array sections;

	/** @entries: In. User pointer to __u32 instruction numbers of entry points. */
	__u64 entries;

	/** @num_entries: In. At least 1. Jobs may start at these instructions only. */
	__u32 num_entries;

	/** @log_size: In: bytes at @log. Out: bytes written, terminating zero included. */
	__u32 log_size;

	/** @log: In. User pointer to a buffer for verifier messages, or 0. */
	__u64 log;

	/** @reject: Out. Valid with -ENOEXEC. */
	struct drm_vshader_reject reject;
};

/**
 * struct drm_vshader_program_destroy - Arguments of DRM_IOCTL_VSHADER_PROGRAM_DESTROY.
 *
 * Jobs in flight keep the program alive.
 */
struct drm_vshader_program_destroy {
	/** @id: In. Program id. */
	__u32 id;

	/** @pad: MBZ. */
	__u32 pad;
};

/** enum drm_vshader_program_feature - What a program makes use of. */
enum drm_vshader_program_feature {
	/** @DRM_VSHADER_PROG_FLOW: Branches, calls or loops. */
	DRM_VSHADER_PROG_FLOW = 1 << 0,
	/** @DRM_VSHADER_PROG_LOOP: Loops or backward branches. */
	DRM_VSHADER_PROG_LOOP = 1 << 1,
	/** @DRM_VSHADER_PROG_RELATIVE: Relative addressing. */
	DRM_VSHADER_PROG_RELATIVE = 1 << 2,
	/** @DRM_VSHADER_PROG_EMIT: Geometry emission. */
	DRM_VSHADER_PROG_EMIT = 1 << 3,
	/** @DRM_VSHADER_PROG_CARRIES_STATE: Result may depend on earlier invocations. */
	DRM_VSHADER_PROG_CARRIES_STATE = 1 << 4,
	/** @DRM_VSHADER_PROG_DIVERGES: Branches on per-invocation values. */
	DRM_VSHADER_PROG_DIVERGES = 1 << 5,
};

/**
 * struct drm_vshader_program_info - Resource report of a program.
 */
struct drm_vshader_program_info {
	/** @engine: &enum drm_vshader_engine. */
	__u32 engine;
	/** @stage: &enum drm_vshader_stage. */
	__u32 stage;
	/** @features: Bits of &enum drm_vshader_program_feature. */
	__u64 features;
	/** @code_words: Instruction words given. */
	__u32 code_words;
	/** @reachable_words: Words that an entry point can reach. */
	__u32 reachable_words;
	/** @uops: Micro-ops after lowering; 0 for engines that lower later. */
	__u32 uops;
	/** @slots: Engine slots (64 x 32 bit) per block. */
	__u32 slots;
	/** @inputs: Mask of input registers read. */
	__u32 inputs;
	/** @outputs: Mask of output registers written. */
	__u32 outputs;
	/** @temps: Mask of temporary registers used. */
	__u32 temps;
	/** @uniform_rows: One past the highest uniform row used; all if relative. */
	__u32 uniform_rows;
	/** @const_bools: Mask of boolean uniforms read. */
	__u32 const_bools;
	/** @const_ints: Mask of integer uniforms read. */
	__u32 const_ints;
	/** @memory: Kernel memory held by the program, bytes. */
	__u64 memory;
};

/**
 * struct drm_vshader_program_query - Arguments of DRM_IOCTL_VSHADER_PROGRAM_QUERY.
 */
struct drm_vshader_program_query {
	/** @id: In. Program id. */
	__u32 id;

	/** @size: In: bytes at @pointer. Out: bytes of the answer. */
	__u32 size;

	/** @pointer: In. User pointer to &struct drm_vshader_program_info, or 0. */
	__u64 pointer;
};

/** enum drm_vshader_priority - Queue priorities. */
enum drm_vshader_priority {
	/** @DRM_VSHADER_PRIORITY_LOW: Below normal. */
	DRM_VSHADER_PRIORITY_LOW = 0,
	/** @DRM_VSHADER_PRIORITY_MEDIUM: Normal. */
	DRM_VSHADER_PRIORITY_MEDIUM = 1,
	/** @DRM_VSHADER_PRIORITY_HIGH: Above normal; needs CAP_SYS_NICE or -EACCES. */
	DRM_VSHADER_PRIORITY_HIGH = 2,
};

/** enum drm_vshader_queue_flags - Flags of QUEUE_CREATE. */
enum drm_vshader_queue_flags {
	/**
	 * @DRM_VSHADER_QUEUE_DEBUG: Jobs can be debugged, see vshader_drm_debug.h. They are
	 * slower, must not signal sync objects and take no part in implicit synchronisation.
	 * At most 16 such queues per file (-E2BIG).
	 */
	DRM_VSHADER_QUEUE_DEBUG = 1 << 0,
};

/**
 * struct drm_vshader_queue_create - Arguments of DRM_IOCTL_VSHADER_QUEUE_CREATE.
 *
 * Errors besides the common ones: -EACCES a high priority without CAP_SYS_NICE, -EDQUOT the
 * user has too many files with queues, -ENOSPC the device has.
 */
struct drm_vshader_queue_create {
	/** @engine: In. &enum drm_vshader_engine. */
	__u32 engine;

	/** @vm_id: In. VM id; its kind must fit the engine. */
	__u32 vm_id;

	/** @priority: In. &enum drm_vshader_priority. */
	__u32 priority;

	/** @flags: In. Bits of &enum drm_vshader_queue_flags. */
	__u32 flags;

	/** @budget: In. Instruction budget per job in micro-op weights; 0: the maximum. */
	__u64 budget;

	/** @time_limit_ms: In. CPU time limit per job, milliseconds; 0: the default. */
	__u32 time_limit_ms;

	/** @id: Out. Queue id. */
	__u32 id;
};

/**
 * struct drm_vshader_queue_destroy - Arguments of DRM_IOCTL_VSHADER_QUEUE_DESTROY.
 *
 * Jobs that have not started end with -ECANCELED, a running one is cancelled.
 */
struct drm_vshader_queue_destroy {
	/** @id: In. Queue id. */
	__u32 id;

	/** @pad: MBZ. */
	__u32 pad;
};

/*
 * In &drm_vshader_fault.info: the job was not executed for a long wall-clock time, because its
 * client got no CPU time or kept its threads busy with other jobs.
 */
#define DRM_VSHADER_TIMEOUT_STALLED	1

/** enum drm_vshader_fault_kind - Why a job was ended. */
enum drm_vshader_fault_kind {
	/** @DRM_VSHADER_FAULT_NONE: No fault. */
	DRM_VSHADER_FAULT_NONE = 0,
	/** @DRM_VSHADER_FAULT_READ: Read of an unmapped address. */
	DRM_VSHADER_FAULT_READ = 1,
	/** @DRM_VSHADER_FAULT_WRITE: Write to an unmapped or read-only address. */
	DRM_VSHADER_FAULT_WRITE = 2,
	/** @DRM_VSHADER_FAULT_FETCH: Code or command fetch from a bad address. */
	DRM_VSHADER_FAULT_FETCH = 3,
	/** @DRM_VSHADER_FAULT_MISALIGNED: Misaligned access. */
	DRM_VSHADER_FAULT_MISALIGNED = 4,
	/** @DRM_VSHADER_FAULT_ENCODING: Undefined encoding met in a native job. */
	DRM_VSHADER_FAULT_ENCODING = 5,
	/** @DRM_VSHADER_FAULT_BUDGET: Instruction budget exceeded. */
	DRM_VSHADER_FAULT_BUDGET = 6,
	/** @DRM_VSHADER_FAULT_TIMEOUT: CPU time limit exceeded, or no progress. */
	DRM_VSHADER_FAULT_TIMEOUT = 7,
	/** @DRM_VSHADER_FAULT_DEADLOCK: Invocations wait for each other. */
	DRM_VSHADER_FAULT_DEADLOCK = 8,
	/** @DRM_VSHADER_FAULT_HANG: The program does what hangs the real unit. */
	DRM_VSHADER_FAULT_HANG = 9,
	/** @DRM_VSHADER_FAULT_OVERFLOW: More output than the job has room for. */
	DRM_VSHADER_FAULT_OVERFLOW = 10,
	/** @DRM_VSHADER_FAULT_COMMAND: Bad or unsupported command in a native job. */
	DRM_VSHADER_FAULT_COMMAND = 11,
	/** @DRM_VSHADER_FAULT_CANCELED: Queue destroyed or device unplugged. */
	DRM_VSHADER_FAULT_CANCELED = 12,
	/** @DRM_VSHADER_FAULT_HAZARD: Rule of the pipeline broken (strict jobs only). */
	DRM_VSHADER_FAULT_HAZARD = 13,
};

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
	/** @DRM_VSHADER_QPU_HAZARD_VPM_FULL: VPM read set up with two unfinished ones. */
	DRM_VSHADER_QPU_HAZARD_VPM_FULL = 14,
	/** @DRM_VSHADER_QPU_HAZARD_VPM_SETUP: VPM or DMA setup undefined or missing. */
	DRM_VSHADER_QPU_HAZARD_VPM_SETUP = 15,
	/** @DRM_VSHADER_QPU_HAZARD_TMU_CONFIG: Texture configuration that is undefined. */
	DRM_VSHADER_QPU_HAZARD_TMU_CONFIG = 16,
};

/* Bit of &drm_vshader_fault.info: the fault was injected. */
#define DRM_VSHADER_FAULT_INJECTED	0x80000000U

/**
 * struct drm_vshader_fault - Fault record.
 */
struct drm_vshader_fault {
	/** @kind: &enum drm_vshader_fault_kind. */
	__u32 kind;
	/** @engine: &enum drm_vshader_engine. */
	__u32 engine;
	/** @address: Address accessed, for memory faults. */
	__u64 address;
	/**
	 * @pc: Guest instruction, ~0 outside a program: its number in the program; QPU:
	 * its byte offset in the program, or its bus address in a native job.
	 */
	__u32 pc;
	/**
	 * @size: Bytes accessed, for memory faults; reason code of the native format for
	 * %DRM_VSHADER_FAULT_COMMAND and %DRM_VSHADER_FAULT_ENCODING; &enum
	 * drm_vshader_qpu_hazard for %DRM_VSHADER_FAULT_HAZARD and, of the QPU,
	 * %DRM_VSHADER_FAULT_HANG.
	 */
	__u32 size;
	/**
	 * @invocation: Invocation at fault (the lowest one at that instruction). QPU: the
	 * thread. Of the PICA200's programs: if invocations of several blocks of 64 fault, it
	 * is one of the first of these blocks.
	 */
	__u64 invocation;
	/** @job: Number of the job on its queue, the first is 1. */
	__u64 job;
	/** @draw: Draw (or job of a chain) within a native job. */
	__u32 draw;
	/** @stream: Attribute, output or index stream at fault, ~0 if none. */
	__u32 stream;
	/** @depth: Entries on the guest's control stacks. */
	__u32 depth;
	/**
	 * @info: Engine specific; for %DRM_VSHADER_FAULT_COMMAND the command word; for
	 * %DRM_VSHADER_FAULT_TIMEOUT 0 or %DRM_VSHADER_TIMEOUT_STALLED. QPU: number of
	 * the QPU. %DRM_VSHADER_FAULT_INJECTED is set in it if a memory fault or a timeout
	 * was injected through debugfs.
	 */
	__u32 info;
	/** @active: Invocations of the block that were at the instruction. */
	__u64 active;
};

/** enum drm_vshader_queue_state - State bits of a queue. */
enum drm_vshader_queue_state {
	/** @DRM_VSHADER_QUEUE_STATE_TIMEDOUT: A job exceeded its time limit or budget. */
	DRM_VSHADER_QUEUE_STATE_TIMEDOUT = 1 << 0,
	/** @DRM_VSHADER_QUEUE_STATE_FAULT: A job faulted. */
	DRM_VSHADER_QUEUE_STATE_FAULT = 1 << 1,
	/** @DRM_VSHADER_QUEUE_STATE_INNOCENT: Unusable for a cause outside the queue. */
	DRM_VSHADER_QUEUE_STATE_INNOCENT = 1 << 2,
};

/** enum drm_vshader_qpu_wait - What a QPU was doing when a job ended. */
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

/**
 * struct drm_vshader_queue_get_state - Arguments of DRM_IOCTL_VSHADER_QUEUE_GET_STATE.
 */
struct drm_vshader_queue_get_state {
	/** @id: In. Queue id. */
	__u32 id;
	/** @state: Out. Bits of &enum drm_vshader_queue_state; 0 = usable. */
	__u32 state;
	/** @submitted: Out. Jobs submitted. */
	__u64 submitted;
	/** @completed: Out. Jobs ended, in whatever way. */
	__u64 completed;
	/** @busy_ns: Out. CPU time that this queue's jobs took. */
	__u64 busy_ns;
	/** @invocations: Out. Invocations completed. */
	__u64 invocations;
	/** @fault: Out. The fault that banned the queue. */
	struct drm_vshader_fault fault;
	/**
	 * @engine_state: In. User pointer to a buffer for the state of the engine's units
	 * as of the fault that banned the queue (array of &struct drm_vshader_qpu_state
	 * for the QPU, nothing for other engines), or 0 to get the size only.
	 */
	__u64 engine_state;
	/** @engine_state_size: In: bytes at @engine_state. Out: bytes of the state. */
	__u32 engine_state_size;
	/** @pad: MBZ. */
	__u32 pad;
};

/** enum drm_vshader_sync_flags - Flags of a sync operation. */
enum drm_vshader_sync_flags {
	/** @DRM_VSHADER_SYNC_SIGNAL: Signal when the job ends (otherwise: wait before). */
	DRM_VSHADER_SYNC_SIGNAL = 1 << 0,
	/** @DRM_VSHADER_SYNC_TIMELINE: @timeline_value is a point of a timeline. */
	DRM_VSHADER_SYNC_TIMELINE = 1 << 1,
};

/**
 * struct drm_vshader_sync - One wait or signal.
 */
struct drm_vshader_sync {
	/** @flags: Bits of &enum drm_vshader_sync_flags. */
	__u32 flags;

	/** @handle: Syncobj handle. */
	__u32 handle;

	/** @timeline_value: Point; 0 for binary syncobjs, not 0 for timelines. */
	__u64 timeline_value;
};

/** enum drm_vshader_format - Element types of streams. */
enum drm_vshader_format {
	/** @DRM_VSHADER_FORMAT_F32: binary32. */
	DRM_VSHADER_FORMAT_F32 = 0,
	/** @DRM_VSHADER_FORMAT_S8: Signed byte, converted to its value. */
	DRM_VSHADER_FORMAT_S8 = 1,
	/** @DRM_VSHADER_FORMAT_U8: Unsigned byte, converted to its value. */
	DRM_VSHADER_FORMAT_U8 = 2,
	/** @DRM_VSHADER_FORMAT_S16: Signed 16 bit, converted to its value. */
	DRM_VSHADER_FORMAT_S16 = 3,
	/** @DRM_VSHADER_FORMAT_U16: Unsigned 16 bit, converted to its value. */
	DRM_VSHADER_FORMAT_U16 = 4,
	/** @DRM_VSHADER_FORMAT_F16: binary16. */
	DRM_VSHADER_FORMAT_F16 = 5,
	/** @DRM_VSHADER_FORMAT_F24: PICA 1.7.16 in the low 24 bits of a 32-bit word. */
	DRM_VSHADER_FORMAT_F24 = 6,
	/** @DRM_VSHADER_FORMAT_U32: Raw 32-bit word, no conversion. */
	DRM_VSHADER_FORMAT_U32 = 7,
	/** @DRM_VSHADER_FORMAT_S32: Signed 32 bit, converted to its value. Utgard only. */
	DRM_VSHADER_FORMAT_S32 = 8,
	/** @DRM_VSHADER_FORMAT_U32_VALUE: Unsigned 32 bit, likewise. Utgard only. */
	DRM_VSHADER_FORMAT_U32_VALUE = 9,
	/** @DRM_VSHADER_FORMAT_SNORM8: Signed byte, -1 to 1. Utgard only. */
	DRM_VSHADER_FORMAT_SNORM8 = 10,
	/** @DRM_VSHADER_FORMAT_UNORM8: Unsigned byte, 0 to 1. Utgard only. */
	DRM_VSHADER_FORMAT_UNORM8 = 11,
	/** @DRM_VSHADER_FORMAT_SNORM16: Signed 16 bit, -1 to 1. Utgard only. */
	DRM_VSHADER_FORMAT_SNORM16 = 12,
	/** @DRM_VSHADER_FORMAT_UNORM16: Unsigned 16 bit, 0 to 1. Utgard only. */
	DRM_VSHADER_FORMAT_UNORM16 = 13,
	/** @DRM_VSHADER_FORMAT_SNORM32: Signed 32 bit, -1 to 1. Utgard only. */
	DRM_VSHADER_FORMAT_SNORM32 = 14,
	/** @DRM_VSHADER_FORMAT_UNORM32: Unsigned 32 bit, 0 to 1. Utgard only. */
	DRM_VSHADER_FORMAT_UNORM32 = 15,
	/** @DRM_VSHADER_FORMAT_FIXED: Signed 16.16. Utgard only. */
	DRM_VSHADER_FORMAT_FIXED = 16,
};

/**
 * struct drm_vshader_stream - Attribute or output stream.
 *
 * Element e of a stream starts at @va + e * @stride. Components that an attribute
 * stream lacks are taken from (0, 0, 0, 1). Attributes must be naturally aligned to
 * their component size, else the job faults with %DRM_VSHADER_FAULT_MISALIGNED.
 */
struct drm_vshader_stream {
	/** @va: Address of element 0. */
	__u64 va;

	/** @stride: Bytes between elements; 0 reads one element for all. */
	__u32 stride;

	/**
	 * @format: &enum drm_vshader_format. Outputs: F32, F24 or U32; Utgard: F32, F16 or
	 * U32. Utgard's attributes: all but F24.
	 */
	__u32 format;

	/** @reg: Input or output register; each at most once per job. */
	__u32 reg;

	/** @components: 1 to 4, starting at x. */
	__u32 components;

	/** @divisor: 0: element = vertex; n: element = instance / n. Outputs: MBZ. */
	__u32 divisor;

	/** @pad: MBZ. */
	__u32 pad;
};

/** enum drm_vshader_index_type - Index buffer element types. */
enum drm_vshader_index_type {
	/** @DRM_VSHADER_INDEX_NONE: No index buffer: vertex = first + number. */
	DRM_VSHADER_INDEX_NONE = 0,
	/** @DRM_VSHADER_INDEX_U8: 8 bit. */
	DRM_VSHADER_INDEX_U8 = 1,
	/** @DRM_VSHADER_INDEX_U16: 16 bit. */
	DRM_VSHADER_INDEX_U16 = 2,
	/** @DRM_VSHADER_INDEX_U32: 32 bit. */
	DRM_VSHADER_INDEX_U32 = 3,
};

/** enum drm_vshader_pica_model - Numeric models of the PICA engine. */
enum drm_vshader_pica_model {
	/** @DRM_VSHADER_PICA_F24: 1 sign, 7 exponent, 16 mantissa bits: the hardware. */
	DRM_VSHADER_PICA_F24 = 0,
	/** @DRM_VSHADER_PICA_F32: binary32: what emulators compute. */
	DRM_VSHADER_PICA_F32 = 1,
};

/** enum drm_vshader_pica_switch - Behaviour that sources disagree on. */
enum drm_vshader_pica_switch {
	/**
	 * @DRM_VSHADER_PICA_ROUND_NEAREST: The F24 model rounds to nearest even;
	 * otherwise it truncates. -EINVAL with F32.
	 */
	DRM_VSHADER_PICA_ROUND_NEAREST = 1 << 0,
	/**
	 * @DRM_VSHADER_PICA_OOR_READS_ZERO: A relative read whose offset is outside
	 * -128..127 gives zeros; otherwise the offset counts as 0.
	 */
	DRM_VSHADER_PICA_OOR_READS_ZERO = 1 << 1,
	/**
	 * @DRM_VSHADER_PICA_LOOP_RESTORES_AL: Leaving an inner loop restores the
	 * outer loop's aL; otherwise aL keeps its last value.
	 */
	DRM_VSHADER_PICA_LOOP_RESTORES_AL = 1 << 2,
};

/**
 * struct drm_vshader_pica_job - PICA block of a shader job.
 */
struct drm_vshader_pica_job {
	/** @model: &enum drm_vshader_pica_model. */
	__u32 model;

	/** @switches: Bits of &enum drm_vshader_pica_switch. */
	__u32 switches;

	/** @float_uniforms: User pointer to rows of 4 words from c0 on, copied at submit. */
	__u64 float_uniforms;

	/** @num_float_uniforms: Rows, at most 96; the others are zero. */
	__u32 num_float_uniforms;

	/** @float_format: F32 or F24 (raw, one per word), of @float_uniforms. */
	__u32 float_format;

	/** @int_uniforms: i0..i3, each x, y, z, w. */
	__u8 int_uniforms[4][4];

	/** @bool_uniforms: Bit n = bn; bits 16..31 MBZ. */
	__u32 bool_uniforms;

	/** @output_mask: Enabled output registers of the geometry stage; vertex: MBZ. */
	__u32 output_mask;

	/** @max_prims: Geometry: room for primitives per invocation, 1 to 4096. */
	__u32 max_prims;

	/** @pad: MBZ. */
	__u32 pad;

	/**
	 * @prims_va: Geometry: primitives. Invocation i's primitive k starts at
	 * (i * @max_prims + k) * 3 vertices; a vertex is the enabled outputs in
	 * register order, 4 words of binary32 each.
	 */
	__u64 prims_va;

	/**
	 * @prim_info_va: Geometry: per invocation one __u32 count of primitives, then
	 * @max_prims words, bit 0 = winding inverted. 0: not wanted.
	 */
	__u64 prim_info_va;
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

	/** @pad: MBZ. */
	__u32 pad;
};

/**
 * struct drm_vshader_qpu_job - QPU block of a shader job.
 *
 * Bits 31 and 30 of bus addresses choose a cache alias on the chip and are ignored.
 * The job's @count is the number of threads; @first, @instances, the index buffer,
 * attributes, outputs and @entry are not used and MBZ.
 */
struct drm_vshader_qpu_job {
	/** @model: Numeric model: 0, the hardware's. */
	__u32 model;

	/** @switches: Bits of &enum drm_vshader_qpu_switch. */
	__u32 switches;

	/** @threads: Array of &struct drm_vshader_qpu_thread. */
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
	 * @depth: Depth test of what the programs write to the tile buffer's Z: bits 2:0
	 * function (never, <, =, <=, >, !=, >=, always: the written value against the
	 * stored one), bit 3 store what passes, bit 4 the test is on. 0: all passes and is stored.
	 */
	__u32 depth;
};

/** enum drm_vshader_mali_gpu - GPUs whose programs and descriptors a Mali job has. */
enum drm_vshader_mali_gpu {
	/** @DRM_VSHADER_MALI_G71: Mali-G71, descriptors of version 6. */
	DRM_VSHADER_MALI_G71 = 0,
	/** @DRM_VSHADER_MALI_G72: Mali-G72, descriptors of version 6. */
	DRM_VSHADER_MALI_G72 = 1,
	/** @DRM_VSHADER_MALI_G31: Mali-G31, descriptors of version 7. */
	DRM_VSHADER_MALI_G31 = 2,
	/** @DRM_VSHADER_MALI_G52: Mali-G52, descriptors of version 7. */
	DRM_VSHADER_MALI_G52 = 3,
	/** @DRM_VSHADER_MALI_T760: Mali-T760 (Midgard), descriptors of version 5. */
	DRM_VSHADER_MALI_T760 = 4,
	/** @DRM_VSHADER_MALI_T860: Mali-T860 (Midgard), descriptors of version 5. */
	DRM_VSHADER_MALI_T860 = 5,
};

/** enum drm_vshader_mali_switch - Switches of the Mali engines. */
enum drm_vshader_mali_switch {
	/**
	 * @DRM_VSHADER_MALI_FUSED_FMA: Bifrost: FMA.f32 rounds once, as the hardware does;
	 * otherwise product and sum are rounded, as renderers on processors do, with which
	 * results can then be compared bit for bit.
	 */
	DRM_VSHADER_MALI_FUSED_FMA = 1 << 0,
};

/**
 * struct drm_vshader_mali_table - Table of the hardware's descriptors in memory.
 */
struct drm_vshader_mali_table {
	/** @va: Address of the first descriptor. Ignored if @count is 0. */
	__u64 va;

	/** @count: Number of descriptors. */
	__u32 count;

	/** @pad: MBZ. */
	__u32 pad;
};

/**
 * struct drm_vshader_mali_target - Image that fragments are written to.
 */
struct drm_vshader_mali_target {
	/** @va: Address of the first pixel; 0: none, what is written is lost. */
	__u64 va;

	/**
	 * @row_stride: Bytes from row to row; u-interleaved images: from a row of tiles of
	 * 16x16 pixels to the next.
	 */
	__u32 row_stride;

	/** @order: 1 u-interleaved, 2 linear, as in texture descriptors. */
	__u32 order;

	/** @format: Pixel format, 22 bits as in descriptors of the GPU. */
	__u32 format;

	/**
	 * @blend: The four words of the target's blend descriptor. Depth and stencil images: MBZ.
	 * Programs that they name are called; addresses to return to count from the start of the
	 * fragment program. Midgard: flags, 0, then equation and constant, or with bit 1 of the
	 * flags the address of a program, whose low four bits are the tag of its first bundle, or
	 * 0: not said.
	 */
	__u32 blend[4];

	/** @sample_stride: Bytes from a sample to the next one, if pixels have several. */
	__u32 sample_stride;
};

/** enum drm_vshader_mali_prim - What the fragments of a Mali job come from. */
enum drm_vshader_mali_prim {
	/** @DRM_VSHADER_MALI_PRIM_RECT: Every pixel of the rectangle; nothing varies. */
	DRM_VSHADER_MALI_PRIM_RECT = 0,
	/** @DRM_VSHADER_MALI_PRIM_TRIANGLE: Pixels whose centre is in a triangle. */
	DRM_VSHADER_MALI_PRIM_TRIANGLE = 1,
	/** @DRM_VSHADER_MALI_PRIM_POINT: Pixels whose centre is in a square. */
	DRM_VSHADER_MALI_PRIM_POINT = 2,
};

/** enum drm_vshader_mali_frag_flags - Flags of the fragments of a Mali job. */
enum drm_vshader_mali_frag_flags {
	/** @DRM_VSHADER_MALI_FRAG_BACK: The primitive shows its back. */
	DRM_VSHADER_MALI_FRAG_BACK = 1 << 0,
	/** @DRM_VSHADER_MALI_FRAG_POINT_UP: The second point coordinate grows upwards. */
	DRM_VSHADER_MALI_FRAG_POINT_UP = 1 << 1,
	/** @DRM_VSHADER_MALI_FRAG_DEPTH_TEST: Compare depth, see @depth_func. */
	DRM_VSHADER_MALI_FRAG_DEPTH_TEST = 1 << 2,
	/** @DRM_VSHADER_MALI_FRAG_DEPTH_WRITE: Write the depth of what passes. */
	DRM_VSHADER_MALI_FRAG_DEPTH_WRITE = 1 << 3,
	/** @DRM_VSHADER_MALI_FRAG_SHADER_Z: The program gives the depth. */
	DRM_VSHADER_MALI_FRAG_SHADER_Z = 1 << 4,
	/** @DRM_VSHADER_MALI_FRAG_STENCIL_TEST: Stencil test, see @stencil. */
	DRM_VSHADER_MALI_FRAG_STENCIL_TEST = 1 << 5,
	/** @DRM_VSHADER_MALI_FRAG_SHADER_S: The program gives the stencil reference value. */
	DRM_VSHADER_MALI_FRAG_SHADER_S = 1 << 6,
	/**
	 * @DRM_VSHADER_MALI_FRAG_LATE: Depth and stencil tests by ATEST, or by
	 * Midgard's first write to the framebuffer, not before.
	 */
	DRM_VSHADER_MALI_FRAG_LATE = 1 << 7,
	/** @DRM_VSHADER_MALI_FRAG_ALPHA_TEST: The same tests alpha, see @alpha_func. */
	DRM_VSHADER_MALI_FRAG_ALPHA_TEST = 1 << 8,
	/** @DRM_VSHADER_MALI_FRAG_ALPHA_TO_COVERAGE: The same makes coverage of alpha. */
	DRM_VSHADER_MALI_FRAG_ALPHA_TO_COVERAGE = 1 << 9,
	/** @DRM_VSHADER_MALI_FRAG_PER_SAMPLE: The program runs for each sample. */
	DRM_VSHADER_MALI_FRAG_PER_SAMPLE = 1 << 10,
};

/**
 * struct drm_vshader_mali_fragment - Fragment stage of a Mali job.
 *
 * The program runs for the 2x2 quads of one primitive that have a pixel in the rectangle;
 * pixels that are not covered run along as helpers.
 */
struct drm_vshader_mali_fragment {
	/** @x: First column, even. */
	__u32 x;

	/** @y: First row, even. */
	__u32 y;

	/** @width: Columns. */
	__u32 width;

	/** @height: Rows. */
	__u32 height;

	/** @prim: &enum drm_vshader_mali_prim. */
	__u32 prim;

	/** @flags: Bits of &enum drm_vshader_mali_frag_flags. */
	__u32 flags;

	/** @vertex: Corners on the screen: x, y, z and 1 / w, binary32. Points have one. */
	__u32 vertex[3][4];

	/** @index: Numbers of the corners, by which varyings are found. */
	__u32 index[3];

	/** @provoking: Corner (0 to 2) that flat varyings are taken from. */
	__u32 provoking;

	/** @point_size: Side of a point's square, binary32. */
	__u32 point_size;

	/** @primitive: Number of the primitive that the program sees. */
	__u32 primitive;

	/** @depth_func: 1 less, 2 equal, 4 greater, and their sums. */
	__u32 depth_func;

	/** @pad: MBZ. */
	__u32 pad;

	/** @depth: Depth image. */
	struct drm_vshader_mali_target depth;

	/** @targets: Array of &struct drm_vshader_mali_target, at most 8. */
	struct drm_vshader_obj_array targets;

	/** @samples: Samples of a pixel: 4, 8, 16; 0 and 1: one. */
	__u32 samples;

	/** @sample_mask: Samples that may be covered; 0: all. */
	__u32 sample_mask;

	/**
	 * @stencil: Stencil image; values are the second component of its format, or the only
	 * one.
	 */
	struct drm_vshader_mali_target stencil;

	/**
	 * @stencil_side: Stencil words of renderer states, front and back: reference, mask,
	 * function, operations.
	 */
	__u32 stencil_side[2];

	/** @stencil_write: Bits that are written: front in bits 0 to 7, back in 8 to 15. */
	__u32 stencil_write;

	/** @alpha_func: 1 less, 2 equal, 4 greater, and their sums. */
	__u32 alpha_func;

	/** @alpha_ref: What alpha is compared with, binary32. */
	__u32 alpha_ref;

	/** @pad2: MBZ. */
	__u32 pad2;

	/** @sample_positions: What the program sees as the address of the sample positions. */
	__u64 sample_positions;

	/**
	 * @blend_base: Bifrost: upper half of the addresses of blend programs, whose
	 * descriptors have the lower half. Its lower half: MBZ.
	 */
	__u64 blend_base;
};

/**
 * struct drm_vshader_mali_job - Mali block of a shader job.
 *
 * Resources are described as on the hardware: by the addresses of descriptor tables,
 * which are read when the job runs. The job's @count is 1, or 0 for an empty job; @first,
 * @instances, the index buffer, attributes and outputs are not used and MBZ.
 */
struct drm_vshader_mali_job {
	/** @gpu: &enum drm_vshader_mali_gpu; one of the queue's engine. */
	__u32 gpu;

	/** @switches: Bits of &enum drm_vshader_mali_switch. */
	__u32 switches;

	/** @local: Compute: threads of a workgroup in x, y, z. Else MBZ. */
	__u32 local[3];

	/**
	 * @preload: Registers that are filled at the start: bit n is register 48 + n. The
	 * others are 0.
	 */
	__u32 preload;

	/** @groups: Compute: workgroups in x, y, z; vertex: 1, vertices, instances. */
	__u64 groups[3];

	/** @ubos: Uniform buffers, 8 bytes each. */
	struct drm_vshader_mali_table ubos;

	/** @push: Uniforms in registers: words of 32 bit. */
	struct drm_vshader_mali_table push;

	/** @attributes: Attributes and images, 8 bytes each. */
	struct drm_vshader_mali_table attributes;

	/** @varyings: Vertex: outputs; fragment: inputs; 8 bytes each. */
	struct drm_vshader_mali_table varyings;

	/** @textures: Textures, 32 bytes each. */
	struct drm_vshader_mali_table textures;

	/** @samplers: Samplers, 32 bytes each. */
	struct drm_vshader_mali_table samplers;

	/** @attribute_buffers: Address of the table of buffers of @attributes. */
	__u64 attribute_buffers;

	/** @varying_buffers: Address of the table of buffers of @varyings. */
	__u64 varying_buffers;

	/**
	 * @tls_va: Memory of as many threads as fit in the mapping from there on; 0: the job
	 * has its own, part of @memory.
	 */
	__u64 tls_va;

	/** @wls_va: Memory of @wls_instances workgroups; 0: the job has its own. */
	__u64 wls_va;

	/** @tls_size: Bytes of a thread. */
	__u32 tls_size;

	/** @wls_size: Bytes of a workgroup. */
	__u32 wls_size;

	/** @wls_instances: Workgroups that have some at @wls_va at the same time. */
	__u32 wls_instances;

	/** @offset_start: Added to vertex numbers of attributes that ask for it. */
	__u32 offset_start;

	/** @instance_size: Padded vertices of an instance; 0 counts as 1. */
	__u32 instance_size;

	/** @message: Fragment, version 7: messages that are preloaded. Else MBZ. */
	__u16 message[2];

	/** @position_va: Vertex: where positions go. */
	__u64 position_va;

	/** @memory: Kernel memory for the job, bytes; 0: a default. */
	__u64 memory;

	/**
	 * @fragment: User pointer to &struct drm_vshader_mali_fragment; fragment stage only.
	 */
	__u64 fragment;

	/** @fragment_size: Bytes at @fragment. */
	__u32 fragment_size;

	/**
	 * @work_registers: Midgard: work registers, from r0 on; 0: as many as @push leaves.
	 * Bifrost: MBZ.
	 */
	__u32 work_registers;

	/**
	 * @fp_mode: Midgard: 0 as OpenGL, 1 without infinities and NaN, 2 as OpenCL, 3 as
	 * Direct3D. Bifrost: MBZ.
	 */
	__u32 fp_mode;

	/** @pad: MBZ. */
	__u32 pad;
};

/** enum drm_vshader_utgard_switch - Switches of the Utgard pixel processor. */
enum drm_vshader_utgard_switch {
	/**
	 * @DRM_VSHADER_UTGARD_FP32: Registers are binary32; otherwise binary16, as on the
	 * hardware.
	 */
	DRM_VSHADER_UTGARD_FP32 = 1 << 0,
};

/**
 * struct drm_vshader_utgard_gp_job - Utgard vertex processor's block of a shader job.
 *
 * The program runs once for each vertex. Attribute streams have registers 0 to 15,
 * attributes without a stream read (0, 0, 0, 1). Outputs are the varyings 0 to 15, that of
 * the position among them; components that no instruction stores are not
 * written.
 */
struct drm_vshader_utgard_gp_job {
	/** @uniforms: Address of the uniforms: rows of four binary32. */
	__u64 uniforms;

	/** @num_rows: Number of rows, at most 304; the others read as zeros. */
	__u32 num_rows;

	/** @switches: MBZ. */
	__u32 switches;

	/** @memory: Kernel memory for the job, bytes; 0: a default. */
	__u64 memory;
};

/** enum drm_vshader_utgard_prim - What the fragments of an Utgard job come from. */
enum drm_vshader_utgard_prim {
	/**
	 * @DRM_VSHADER_UTGARD_PRIM_RECT: Every pixel of the rectangle; inputs have an element
	 * for each pixel, rows one after the other.
	 */
	DRM_VSHADER_UTGARD_PRIM_RECT = 0,
	/** @DRM_VSHADER_UTGARD_PRIM_TRIANGLE: Pixels whose centre is in a triangle. */
	DRM_VSHADER_UTGARD_PRIM_TRIANGLE = 1,
	/** @DRM_VSHADER_UTGARD_PRIM_POINT: Pixels whose centre is in a square. */
	DRM_VSHADER_UTGARD_PRIM_POINT = 2,
};

/** enum drm_vshader_utgard_frag_flags - Flags of the fragments of an Utgard job. */
enum drm_vshader_utgard_frag_flags {
	/** @DRM_VSHADER_UTGARD_FRAG_BACK: The primitive shows its back. */
	DRM_VSHADER_UTGARD_FRAG_BACK = 1 << 0,
	/** @DRM_VSHADER_UTGARD_FRAG_POINT_UP: The second point coordinate grows upwards. */
	DRM_VSHADER_UTGARD_FRAG_POINT_UP = 1 << 1,
};

/** enum drm_vshader_utgard_input - Registers of input streams of the pixel processor. */
enum drm_vshader_utgard_input {
	/** @DRM_VSHADER_UTGARD_IN_VARYING: Varyings 0 to 11, in rows of four. */
	DRM_VSHADER_UTGARD_IN_VARYING = 0,
	/**
	 * @DRM_VSHADER_UTGARD_IN_COORD: x, y, depth and w of the fragment. This and the
	 * following are for %DRM_VSHADER_UTGARD_PRIM_RECT only; without a stream they are
	 * the pixel's centre, 0 and 1, the coordinates in a point 0, 0, and front.
	 */
	DRM_VSHADER_UTGARD_IN_COORD = 12,
	/** @DRM_VSHADER_UTGARD_IN_POINT: Coordinates in the point. */
	DRM_VSHADER_UTGARD_IN_POINT = 13,
	/** @DRM_VSHADER_UTGARD_IN_FACING: 1 front, 0 back. */
	DRM_VSHADER_UTGARD_IN_FACING = 14,
};

/**
 * enum drm_vshader_utgard_pixel - Formats of pixels, components from the lowest bits (of
 * more than 32 bits: from the lowest address) on.
 */
enum drm_vshader_utgard_pixel {
	/** @DRM_VSHADER_UTGARD_PIXEL_RGBA8: Red, green, blue, alpha of 8 bits, 0 to 1. */
	DRM_VSHADER_UTGARD_PIXEL_RGBA8 = 0,
	/** @DRM_VSHADER_UTGARD_PIXEL_BGRA8: The same, blue lowest. */
	DRM_VSHADER_UTGARD_PIXEL_BGRA8 = 1,
	/** @DRM_VSHADER_UTGARD_PIXEL_BGR565: Blue 5, green 6, red 5 bits. */
	DRM_VSHADER_UTGARD_PIXEL_BGR565 = 2,
	/** @DRM_VSHADER_UTGARD_PIXEL_BGRA5551: Blue, green, red 5 bits, alpha 1. */
	DRM_VSHADER_UTGARD_PIXEL_BGRA5551 = 3,
	/** @DRM_VSHADER_UTGARD_PIXEL_BGRA4: Blue, green, red, alpha of 4 bits. */
	DRM_VSHADER_UTGARD_PIXEL_BGRA4 = 4,
	/** @DRM_VSHADER_UTGARD_PIXEL_R8: The first component, 8 bits. */
	DRM_VSHADER_UTGARD_PIXEL_R8 = 5,
	/** @DRM_VSHADER_UTGARD_PIXEL_RG8: The first two components, 8 bits each. */
	DRM_VSHADER_UTGARD_PIXEL_RG8 = 6,
	/** @DRM_VSHADER_UTGARD_PIXEL_RGBA16F: binary16. */
	DRM_VSHADER_UTGARD_PIXEL_RGBA16F = 7,
	/** @DRM_VSHADER_UTGARD_PIXEL_RGBA32F: binary32. */
	DRM_VSHADER_UTGARD_PIXEL_RGBA32F = 8,
	/** @DRM_VSHADER_UTGARD_PIXEL_R32F: The first component, binary32. */
	DRM_VSHADER_UTGARD_PIXEL_R32F = 9,
};

/**
 * struct drm_vshader_utgard_target - Image that a register is written to.
 *
 * Which registers hold colour, depth and stencil is the render state's to say on the
 * hardware. All fragments that are covered and not discarded are written.
 */
struct drm_vshader_utgard_target {
	/** @va: Address of the first pixel; 0: none. */
	__u64 va;

	/**
	 * @row_stride: Bytes from row to row; u-interleaved images: from a row of tiles of
	 * 16x16 pixels to the next.
	 */
	__u32 row_stride;

	/** @order: 1 u-interleaved, 2 linear. */
	__u32 order;

	/** @format: &enum drm_vshader_utgard_pixel. */
	__u32 format;

	/** @reg: Register, 0 to 5. */
	__u32 reg;
};

/**
 * struct drm_vshader_utgard_pp_job - Utgard pixel processor's block of a shader job.
 *
 * The program runs for the 2x2 quads of one primitive that have a pixel in the rectangle;
 * pixels that are not covered run along as helpers. The job's @count is 1, or 0 for an empty
 * job; its attributes are the inputs (&enum drm_vshader_utgard_input), of the corners @index
 * of the primitive or, without one, of each pixel; @first, @instances, the index buffer and
 * outputs are not used and MBZ. Varyings are interpolated with the corners' 1 / w.
 */
struct drm_vshader_utgard_pp_job {
	/** @uniforms: Address of the uniforms: rows of four binary16. */
	__u64 uniforms;

	/** @textures: Address of the texture list: 32-bit addresses of descriptors. */
	__u64 textures;

	/** @num_rows: Rows of @uniforms, at most 65536; the others read as zeros. */
	__u32 num_rows;

	/** @num_textures: Entries of @textures, at most 64. */
	__u32 num_textures;

	/** @switches: Bits of &enum drm_vshader_utgard_switch. */
	__u32 switches;

	/** @temporaries: Rows of temporaries of a fragment, at most 1024. */
	__u32 temporaries;

	/** @x: First column, even. */
	__u32 x;

	/** @y: First row, even. */
	__u32 y;

	/** @width: Columns. */
	__u32 width;

	/** @height: Rows. */
	__u32 height;

	/** @prim: &enum drm_vshader_utgard_prim. */
	__u32 prim;

	/** @flags: Bits of &enum drm_vshader_utgard_frag_flags. */
	__u32 flags;

	/** @vertex: Corners on the screen: x, y, z and 1 / w, binary32. Points have one. */
	__u32 vertex[3][4];

	/** @index: Elements of the input streams that belong to the corners. */
	__u32 index[3];

	/** @point_size: Side of a point's square, binary32. */
	__u32 point_size;

	/** @targets: Array of &struct drm_vshader_utgard_target, at most 4. */
	struct drm_vshader_obj_array targets;

	/**
	 * @mask_va: Address of an image of one byte for each pixel, 1 where a fragment was
	 * written, 0 where one was discarded; others are left alone. 0: none.
	 */
	__u64 mask_va;

	/**
	 * @depth_va: Address of an image of one binary32 for each pixel: what programs read as
	 * the frame buffer's depth. 0: none, and such programs fault.
	 */
	__u64 depth_va;

	/** @mask_stride: Bytes from row to row of @mask_va. */
	__u32 mask_stride;

	/** @depth_stride: Bytes from row to row of @depth_va. */
	__u32 depth_stride;

	/** @memory: Kernel memory for the job, bytes; 0: a default. */
	__u64 memory;
};

/**
 * struct drm_vshader_shader_job - Descriptor of %DRM_VSHADER_JOB_SHADER.
 *
 * Runs one program over @count invocations (times @instances).
 */
struct drm_vshader_shader_job {
	/** @program: Program id; its engine must be the queue's. */
	__u32 program;

	/** @entry: Entry point; one of those given at PROGRAM_CREATE. */
	__u32 entry;

	/** @first: First vertex (without an index buffer) or base added to each index. */
	__u32 first;

	/** @count: Invocations; 0 makes an empty job. */
	__u32 count;

	/** @instances: Instances; 0 counts as 1. */
	__u32 instances;

	/** @index_type: &enum drm_vshader_index_type. */
	__u32 index_type;

	/** @index_va: Address of the index buffer. */
	__u64 index_va;

	/** @attributes: Array of &struct drm_vshader_stream. */
	struct drm_vshader_obj_array attributes;

	/** @outputs: Array of &struct drm_vshader_stream; element = invocation number. */
	struct drm_vshader_obj_array outputs;

	/**
	 * @engine_block: User pointer to the engine's block (&struct drm_vshader_pica_job,
	 * &struct drm_vshader_qpu_job, &struct drm_vshader_mali_job,
	 * &struct drm_vshader_utgard_gp_job, &struct drm_vshader_utgard_pp_job).
	 */
	__u64 engine_block;

	/** @engine_block_size: Bytes at @engine_block. */
	__u32 engine_block_size;

	/** @pad: MBZ. */
	__u32 pad;
};

/** enum drm_vshader_utgard_gpu - GPUs that frames are for. */
enum drm_vshader_utgard_gpu {
	/** @DRM_VSHADER_UTGARD_MALI400: Mali-400. */
	DRM_VSHADER_UTGARD_MALI400 = 0,
	/** @DRM_VSHADER_UTGARD_MALI450: Mali-450. */
	DRM_VSHADER_UTGARD_MALI450 = 1,
};

/** enum drm_vshader_native_format - Native job formats. */
enum drm_vshader_native_format {
	/** @DRM_VSHADER_NATIVE_PICA_CMDLIST: PICA200 GPU command list. */
	DRM_VSHADER_NATIVE_PICA_CMDLIST = 0,
	/**
	 * @DRM_VSHADER_NATIVE_QPU_LIST: What the VideoCore IV firmware's call "execute
	 * QPU" takes: per thread the bus addresses of its uniforms and of its code, two
	 * words. Code is fetched from memory.
	 */
	DRM_VSHADER_NATIVE_QPU_LIST = 1,
	/**
	 * @DRM_VSHADER_NATIVE_BIFROST_CHAIN: Chain of jobs of a Bifrost GPU. @va is the
	 * first job, @size is 0, @model the &enum drm_vshader_mali_gpu. Everything is read
	 * when the job runs; outcomes are written to the jobs' headers.
	 */
	DRM_VSHADER_NATIVE_BIFROST_CHAIN = 2,
	/** @DRM_VSHADER_NATIVE_MIDGARD_CHAIN: The same of a Midgard GPU. */
	DRM_VSHADER_NATIVE_MIDGARD_CHAIN = 3,
	/**
	 * @DRM_VSHADER_NATIVE_UTGARD_GP_FRAME: Frame of an Utgard vertex processor as the
	 * lima driver takes it. @va is the address of its six words, @size is 0, @model the
	 * &enum drm_vshader_utgard_gpu. Everything is read when the job runs.
	 */
	DRM_VSHADER_NATIVE_UTGARD_GP_FRAME = 4,
	/**
	 * @DRM_VSHADER_NATIVE_UTGARD_PP_FRAME: Frame of an Utgard pixel processor, likewise.
	 * It is read and checked; then the job ends in a fault, as these are not executed.
	 */
	DRM_VSHADER_NATIVE_UTGARD_PP_FRAME = 5,
};

/** enum drm_vshader_native_flags - Flags of a native job. */
enum drm_vshader_native_flags {
	/** @DRM_VSHADER_NATIVE_RESET_STATE: Start from reset registers, not the queue's. */
	DRM_VSHADER_NATIVE_RESET_STATE = 1 << 0,
};

/**
 * struct drm_vshader_native_job - Descriptor of %DRM_VSHADER_JOB_NATIVE.
 *
 * Lists are read and parsed at submit. PICA: registers keep their values from one job of
 * a queue to the next. QPU: at most 4096 threads; there are no results other than what the
 * programs write, so that @output_va, @output_size and @model are MBZ. Bifrost, Midgard: neither,
 * chains are read when they run; types NULL, WRITE_VALUE, CACHE_FLUSH, COMPUTE and VERTEX are
 * executed, others end in a fault. Utgard: likewise neither; @switches is MBZ.
 */
struct drm_vshader_native_job {
	/** @format: &enum drm_vshader_native_format. */
	__u32 format;

	/** @flags: Bits of &enum drm_vshader_native_flags. */
	__u32 flags;

	/** @va: Address of the command list. */
	__u64 va;

	/** @size: Bytes of the command list, a multiple of 8; chains, frames: MBZ. */
	__u64 size;

	/**
	 * @output_va: Where draws put their results: per draw one
	 * &struct drm_vshader_pica_draw followed by its vertices, 24 words of binary32
	 * each, one after the other; the list ends with a header whose @size is 0.
	 */
	__u64 output_va;

	/** @output_size: Bytes at @output_va. Results that do not fit are a fault. */
	__u64 output_size;

	/** @model: Numeric model of the engine, as in its block of a shader job. */
	__u32 model;

	/** @switches: Switches of the engine, as in its block of a shader job. */
	__u32 switches;

	/**
	 * @memory: Chains, frames: kernel memory for the job, bytes; 0: a default. Else MBZ.
	 */
	__u64 memory;
};

/** enum drm_vshader_pica_draw_flags - Flags of a draw's result. */
enum drm_vshader_pica_draw_flags {
	/** @DRM_VSHADER_PICA_DRAW_GEOMETRY: Vertices come from the geometry unit. */
	DRM_VSHADER_PICA_DRAW_GEOMETRY = 1 << 0,
	/** @DRM_VSHADER_PICA_DRAW_INDEXED: Drawn with an index buffer. */
	DRM_VSHADER_PICA_DRAW_INDEXED = 1 << 1,
};

/**
 * struct drm_vshader_pica_draw - Header of a draw's result in memory.
 *
 * Vertices are what the rasteriser would be given: triangles after primitive
 * assembly, 3 vertices each, winding applied. A vertex is 24 binary32 words by output
 * map semantic: 0-3 position, 4-7 quaternion, 8-11 colour, 12-13 texcoord 0,
 * 14-15 texcoord 1, 16 texcoord 0 w, 17 unused (0), 18-20 view, 21 unused (0),
 * 22-23 texcoord 2. Semantics that nothing is mapped to read 1.0.
 */
struct drm_vshader_pica_draw {
	/** @size: Bytes of header and vertices, a multiple of 8; 0 ends the list. */
	__u32 size;

	/** @flags: Bits of &enum drm_vshader_pica_draw_flags. */
	__u32 flags;

	/** @topology: 0 list, 1 strip, 2 fan, 3 shader. */
	__u32 topology;

	/** @vertices: Vertices that follow, a multiple of 3. */
	__u32 vertices;

	/** @input_vertices: Vertices that the vertex stage was run for. */
	__u32 input_vertices;

	/** @list_offset: Byte offset in the command list of the draw command. */
	__u32 list_offset;

	/** @pad: Zero. */
	__u32 pad[2];
};

/** enum drm_vshader_job_type - Job types. */
enum drm_vshader_job_type {
	/** @DRM_VSHADER_JOB_SHADER: &struct drm_vshader_shader_job. */
	DRM_VSHADER_JOB_SHADER = 0,
	/** @DRM_VSHADER_JOB_NATIVE: &struct drm_vshader_native_job. */
	DRM_VSHADER_JOB_NATIVE = 1,
};

/** enum drm_vshader_job_flags - Flags of a job. */
enum drm_vshader_job_flags {
	/**
	 * @DRM_VSHADER_JOB_NO_IMPLICIT_SYNC: Do not wait for other users of the
	 * shared buffers of the VM; its fence is then for bookkeeping only.
	 */
	DRM_VSHADER_JOB_NO_IMPLICIT_SYNC = 1 << 0,
};

/**
 * struct drm_vshader_job_result - What a job leaves at its result address.
 */
struct drm_vshader_job_result {
	/** @status: 0 or a negative errno, as on the fence. */
	__s32 status;

	/**
	 * @stray_reads: QPU: elements that the TMUs read outside mapped memory, which gave
	 * 0; %0xffffffff stands for more. Else 0.
	 */
	__u32 stray_reads;

	/** @invocations: Invocations completed. QPU: threads. */
	__u64 invocations;

	/** @weight: Instruction budget used. */
	__u64 weight;

	/** @busy_ns: CPU time that it took. */
	__u64 busy_ns;

	/** @fault: Fault record, kind 0 if none. */
	struct drm_vshader_fault fault;
};

/**
 * struct drm_vshader_job - One job.
 */
struct drm_vshader_job {
	/** @queue_id: Queue id. */
	__u32 queue_id;

	/** @type: &enum drm_vshader_job_type. */
	__u32 type;

	/** @flags: Bits of &enum drm_vshader_job_flags. */
	__u32 flags;

	/** @desc_size: Bytes at @desc. */
	__u32 desc_size;

	/** @desc: User pointer to the descriptor that @type names. */
	__u64 desc;

	/** @syncs: Array of &struct drm_vshader_sync. */
	struct drm_vshader_obj_array syncs;

	/**
	 * @result_va: Address, 8-byte aligned and mapped writable, for a
	 * &struct drm_vshader_job_result, written before the fence signals; 0: none.
	 */
	__u64 result_va;
};

/**
 * struct drm_vshader_submit - Arguments of DRM_IOCTL_VSHADER_SUBMIT.
 *
 * All jobs are submitted or none. A job may wait for what an earlier job of the same
 * array signals. Errors besides the common ones: -EIO a queue is banned, -EBUSY too
 * many unfinished jobs, -ENOEXEC a native command list is malformed (see @fault), -EDQUOT
 * the file or its user has too much memory for jobs, -ENOSPC the device has.
 */
struct drm_vshader_submit {
	/** @jobs: In. Array of &struct drm_vshader_job, at least one. */
	struct drm_vshader_obj_array jobs;

	/** @flags: In. MBZ. */
	__u32 flags;

	/** @failed_job: Out. On error the index of the job at fault. */
	__u32 failed_job;

	/** @fault: Out. With -ENOEXEC: what was wrong in a native job. */
	struct drm_vshader_fault fault;
};

/** enum drm_vshader_debug_attach_flags - Flags of DEBUG_ATTACH. */
enum drm_vshader_debug_attach_flags {
	/** @DRM_VSHADER_DEBUG_STOP_START: Jobs stop before their first instruction. */
	DRM_VSHADER_DEBUG_STOP_START = 1 << 0,
	/** @DRM_VSHADER_DEBUG_STOP_FAULT: Jobs stop where they fault, then end with it. */
	DRM_VSHADER_DEBUG_STOP_FAULT = 1 << 1,
};

/**
 * struct drm_vshader_debug_attach - Arguments of DRM_IOCTL_VSHADER_DEBUG_ATTACH.
 *
 * Jobs that run already can be attached to. Errors besides the common ones: -EBUSY there is
 * a debugger, -EOPNOTSUPP the queue was created without %DRM_VSHADER_QUEUE_DEBUG.
 */
struct drm_vshader_debug_attach {
	/** @queue_id: In. Queue id. */
	__u32 queue_id;

	/** @flags: In. Bits of &enum drm_vshader_debug_attach_flags. */
	__u32 flags;

	/**
	 * @stop_limit_ms: In. How long a job may be stopped, all its stops together; then it
	 * ends with %DRM_VSHADER_FAULT_TIMEOUT. 0: the default of 10 minutes. More than what
	 * the module allows gives -E2BIG.
	 */
	__u32 stop_limit_ms;

	/** @fd: Out. File descriptor, close-on-exec; see vshader_drm_debug.h. */
	__s32 fd;
};

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_VSHADER_DRM_H_ */
