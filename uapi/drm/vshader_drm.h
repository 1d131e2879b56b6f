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
 * Versions: this is 1.0. The minor version grows by one with each kernel release that
 * adds something. Userspace does not compare versions but asks for features: DEV_QUERY
 * enumerates engines, limits, numeric models and register banks; unknown ioctls return
 * -ENOTTY, unknown flags and fields -EINVAL or -E2BIG. Names, numbers, offsets and sizes of
 * version 1.0, the meaning of zero and documented errnos never change. The major version
 * does not grow: an incompatible interface gets a new ioctl. Each addition has a line here:
 *
 * - 1.0: first version.
 *
 * Errors common to all ioctls: -EFAULT bad user pointer, -EINVAL bad field or
 * combination, -ENOENT unknown id or handle, -ENOMEM, -E2BIG a limit of
 * &struct drm_vshader_limits exceeded or non-zero tail, -EDQUOT the file or its
 * user has too much kernel memory, -ENOSPC the device has, -ENODEV device
 * unplugged, -ENOTTY unknown ioctl, -EINTR interrupted.
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
 * submits on that queue fail with -EIO, jobs already queued after it end with
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

/** enum drm_vshader_dev_query_type - Answers of %DRM_IOCTL_VSHADER_DEV_QUERY. */
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
	/** @DRM_VSHADER_SIMD_NEON: arm64 NEON. */
	DRM_VSHADER_SIMD_NEON = 4,
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
	 * and not be exported, and GEM_OPEN in another file than the VM's fails with
	 * -EPERM; it takes no part in implicit synchronisation with
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

/** enum drm_vshader_program_feature - Features that a program uses. */
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

	/**
	 * @time_limit_ms: In. CPU time limit per job, milliseconds; 0: the default. Jobs of a
	 * queue with %DRM_VSHADER_QUEUE_DEBUG have ten times as much, as the work of debuggers
	 * and traces counts.
	 */
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
/*
 * In &drm_vshader_fault.info: others could wait for the fence of this job, or for that of a later
 * job of its queue, for a long wall-clock time.
 */
#define DRM_VSHADER_TIMEOUT_SHARED	2

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
	/** @DRM_VSHADER_FAULT_HANG: The program hangs the real unit. */
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
	 * @size: Bytes accessed, for memory faults (%DRM_VSHADER_FAULT_READ, WRITE, FETCH and
	 * MISALIGNED), else 0.
	 */
	__u32 size;
	/**
	 * @code: Reason, 0 if there is none. %DRM_VSHADER_FAULT_COMMAND: reason code of the
	 * native format or, in a shader job, of the ISA. %DRM_VSHADER_FAULT_ENCODING: reason
	 * code of the ISA, as in &drm_vshader_reject.reason. %DRM_VSHADER_FAULT_HAZARD and,
	 * for the QPU, %DRM_VSHADER_FAULT_HANG: &enum drm_vshader_qpu_hazard.
	 */
	__u32 code;
	/**
	 * @info: Engine specific; for %DRM_VSHADER_FAULT_COMMAND the command word; for
	 * %DRM_VSHADER_FAULT_TIMEOUT 0 (CPU time limit) or DRM_VSHADER_TIMEOUT_*. QPU: number
	 * of the QPU. %DRM_VSHADER_FAULT_INJECTED is set in it if a memory fault or a timeout
	 * was injected through debugfs.
	 */
	__u32 info;
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
	/** @pad: 0. */
	__u32 pad;
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

/**
 * struct drm_vshader_shader_job - Descriptor of %DRM_VSHADER_JOB_SHADER.
 *
 * Runs one program. The engine's block has the work that it runs for.
 */
struct drm_vshader_shader_job {
	/** @program: Program id; its engine must be the queue's. */
	__u32 program;

	/** @entry: Entry point; one of those given at PROGRAM_CREATE. QPU: MBZ. */
	__u32 entry;

	/**
	 * @engine_block: User pointer to the engine's block (&struct drm_vshader_pica_job,
	 * &struct drm_vshader_qpu_job, &struct drm_vshader_mali_job,
	 * &struct drm_vshader_utgard_gp_job, &struct drm_vshader_utgard_pp_job). 0, with
	 * @engine_block_size 0: the job is empty.
	 */
	__u64 engine_block;

	/** @engine_block_size: Bytes at @engine_block. */
	__u32 engine_block_size;

	/** @pad: MBZ. */
	__u32 pad;
};

/** enum drm_vshader_native_format - Native job formats. */
enum drm_vshader_native_format {
	/** @DRM_VSHADER_NATIVE_PICA_CMDLIST: PICA200 GPU command list. */
	DRM_VSHADER_NATIVE_PICA_CMDLIST = 0,
	/**
	 * @DRM_VSHADER_NATIVE_QPU_LIST: List for the VideoCore IV firmware's call "execute
	 * QPU": per thread the bus addresses of its uniforms and of its code, two words.
	 * Code is fetched from memory.
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
	 * @DRM_VSHADER_NATIVE_UTGARD_PP_FRAME: Frame of an Utgard pixel processor, likewise. Its
	 * streams name tile lists that GP frames have made.
	 */
	DRM_VSHADER_NATIVE_UTGARD_PP_FRAME = 5,
	/**
	 * @DRM_VSHADER_NATIVE_VC4_BIN: Bin list of a VideoCore IV. Words: address and end of the
	 * list; then pairs of address and bytes of further memory for tile lists, up to 32. The
	 * list is read when the job runs. @output_size is 0, or 240: events are added to 30
	 * counters of 64 bits at @output_va.
	 */
	DRM_VSHADER_NATIVE_VC4_BIN = 6,
	/**
	 * @DRM_VSHADER_NATIVE_VC4_RENDER: Rendering of a VideoCore IV: a render list, or a
	 * description of its surfaces. Words: Documentation/native-vc4.rst. Counters likewise.
	 */
	DRM_VSHADER_NATIVE_VC4_RENDER = 7,
	/**
	 * @DRM_VSHADER_NATIVE_PICA_GX: Requests to the PICA200's units for memory fill, display
	 * transfer and texture copy, eight words each as in the command buffers of the
	 * console's service "gsp::Gpu". @output_va, @output_size, @model and @switches are MBZ.
	 */
	DRM_VSHADER_NATIVE_PICA_GX = 8,
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
 * a queue to the next. QPU: at most 4096 threads; programs write the results themselves,
 * so that @output_va, @output_size and @model are MBZ. Bifrost, Midgard: neither; chains are
 * read when they run; all types are executed but GEOMETRY and FUSED, which end in a fault.
 * Utgard: likewise neither; @switches is MBZ.
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
 * struct drm_vshader_job_result - Result of a job, written at its result address.
 */
struct drm_vshader_job_result {
	/** @status: 0 or a negative errno, as on the fence. */
	__s32 status;

	/**
	 * @stray_reads: QPU: elements that the TMUs read outside mapped memory, which gave
	 * 0; %0xffffffff stands for more. PICA command lists: words written to registers that
	 * do not exist, which had no effect. Else 0.
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
 * All jobs are submitted or none. A job may wait for a sync object that an earlier job
 * of the same array signals. Errors besides the common ones: -EIO a queue is banned, -EBUSY too
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

	/** @fault: Out. With -ENOEXEC: the error in a native job. */
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
	 * ends with %DRM_VSHADER_FAULT_TIMEOUT. 0: the default of 10 minutes. More than
	 * the limit of the module gives -E2BIG.
	 */
	__u32 stop_limit_ms;

	/** @fd: Out. File descriptor, close-on-exec; see vshader_drm_debug.h. */
	__s32 fd;
};

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_VSHADER_DRM_H_ */
