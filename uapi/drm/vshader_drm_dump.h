/* SPDX-License-Identifier: MIT */
#ifndef _UAPI_VSHADER_DRM_DUMP_H_
#define _UAPI_VSHADER_DRM_DUMP_H_

#include "vshader_drm.h"
#include "vshader_drm_debug.h"

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: Dumps of jobs
 *
 * A dump is a file about one job: its descriptors, program, memory and, if it faulted, the
 * fault. The driver makes one as a device coredump when a job faults.
 *
 * It begins with a &struct drm_vshader_dump_header; sections follow, each a &struct
 * drm_vshader_dump_section, so many bytes, and zeros up to a multiple of 8. All numbers are
 * little endian. Readers skip unknown types; elements of a section
 * may be longer than the reader's structures (then the rest means something newer) or shorter
 * (then the rest is 0): @count and @size tell. A section of one structure has count 1.
 *
 * Nothing in it is of the kernel: addresses are those of the job's address space.
 */

/** DRM_VSHADER_DUMP_MAGIC: The first 8 bytes, as text. */
#define DRM_VSHADER_DUMP_MAGIC	"VSHDUMP\n"

/** DRM_VSHADER_DUMP_VERSION: Readers must refuse other versions; additions do not change it. */
#define DRM_VSHADER_DUMP_VERSION	1

/** struct drm_vshader_dump_header - The beginning of a dump. */
struct drm_vshader_dump_header {
	/** @magic: %DRM_VSHADER_DUMP_MAGIC without the terminating zero. */
	__u8 magic[8];
	/** @version: %DRM_VSHADER_DUMP_VERSION. */
	__u64 version;
	/** @size: Bytes of the whole file. */
	__u64 size;
	/** @sections: Number of sections. */
	__u64 sections;
};

/** enum drm_vshader_dump_type - Types of sections. */
enum drm_vshader_dump_type {
	/** @DRM_VSHADER_DUMP_DEVICE: &struct drm_vshader_dump_device. */
	DRM_VSHADER_DUMP_DEVICE = 1,
	/** @DRM_VSHADER_DUMP_QUEUE: &struct drm_vshader_dump_queue. */
	DRM_VSHADER_DUMP_QUEUE = 2,
	/** @DRM_VSHADER_DUMP_JOB: &struct drm_vshader_dump_job. */
	DRM_VSHADER_DUMP_JOB = 3,
	/**
	 * @DRM_VSHADER_DUMP_SHADER_JOB: &struct drm_vshader_shader_job as submitted. User
	 * pointers are 0, here and in the following types; their targets have own sections.
	 */
	DRM_VSHADER_DUMP_SHADER_JOB = 4,
	/** @DRM_VSHADER_DUMP_NATIVE_JOB: &struct drm_vshader_native_job as submitted. */
	DRM_VSHADER_DUMP_NATIVE_JOB = 5,
	/** @DRM_VSHADER_DUMP_ENGINE_BLOCK: The shader job's structure for the engine. */
	DRM_VSHADER_DUMP_ENGINE_BLOCK = 6,
	/** @DRM_VSHADER_DUMP_ATTRIBUTES: Array of &struct drm_vshader_stream. */
	DRM_VSHADER_DUMP_ATTRIBUTES = 7,
	/** @DRM_VSHADER_DUMP_OUTPUTS: Array of &struct drm_vshader_stream. */
	DRM_VSHADER_DUMP_OUTPUTS = 8,
	/** @DRM_VSHADER_DUMP_FLOAT_UNIFORMS: PICA: rows of four words. */
	DRM_VSHADER_DUMP_FLOAT_UNIFORMS = 9,
	/** @DRM_VSHADER_DUMP_QPU_THREADS: Array of &struct drm_vshader_qpu_thread. */
	DRM_VSHADER_DUMP_QPU_THREADS = 10,
	/** @DRM_VSHADER_DUMP_MALI_FRAGMENT: &struct drm_vshader_mali_fragment. */
	DRM_VSHADER_DUMP_MALI_FRAGMENT = 11,
	/**
	 * @DRM_VSHADER_DUMP_TARGETS: Array of &struct drm_vshader_mali_target or &struct
	 * drm_vshader_utgard_target.
	 */
	DRM_VSHADER_DUMP_TARGETS = 12,
	/** @DRM_VSHADER_DUMP_PROGRAM: &struct drm_vshader_dump_program. */
	DRM_VSHADER_DUMP_PROGRAM = 13,
	/** @DRM_VSHADER_DUMP_CODE: The program's instruction words, 32 bits each. */
	DRM_VSHADER_DUMP_CODE = 14,
	/** @DRM_VSHADER_DUMP_OPDESC: The program's operand descriptors, 32 bits each. */
	DRM_VSHADER_DUMP_OPDESC = 15,
	/** @DRM_VSHADER_DUMP_ENTRIES: The program's entry points, 32 bits each. */
	DRM_VSHADER_DUMP_ENTRIES = 16,
	/** @DRM_VSHADER_DUMP_MAP: Array of &struct drm_vshader_dump_mapping, ascending. */
	DRM_VSHADER_DUMP_MAP = 17,
	/**
	 * @DRM_VSHADER_DUMP_MEMORY: Contents of memory: runs of an address and a length, 64 bits
	 * each, and so many bytes; ascending. @count is the number of runs. Pages of zeros are
	 * left out.
	 */
	DRM_VSHADER_DUMP_MEMORY = 18,
	/** @DRM_VSHADER_DUMP_BANKS: Array of &struct drm_vshader_debug_bank: the registers. */
	DRM_VSHADER_DUMP_BANKS = 19,
	/**
	 * @DRM_VSHADER_DUMP_INVOCATIONS: Array of &struct drm_vshader_debug_invocation: those
	 * that were being executed, at most 1024.
	 */
	DRM_VSHADER_DUMP_INVOCATIONS = 20,
	/**
	 * @DRM_VSHADER_DUMP_REGISTERS: Values. First a bit for each register in the order of the
	 * banks, in 64-bit words: set if it is known. Then, in 32-bit words, the registers of all
	 * banks with %DRM_VSHADER_DEBUG_BANK_UNIFORM, then for each invocation those of the other
	 * banks. @count is the number of invocations.
	 */
	DRM_VSHADER_DUMP_REGISTERS = 21,
	/** @DRM_VSHADER_DUMP_QPUS: Array of &struct drm_vshader_qpu_state. */
	DRM_VSHADER_DUMP_QPUS = 22,
	/** @DRM_VSHADER_DUMP_MEMORY_AFTER: Records: memory that the job changed, as MEMORY. */
	DRM_VSHADER_DUMP_MEMORY_AFTER = 23,
	/**
	 * @DRM_VSHADER_DUMP_NATIVE_WORDS: 32-bit words of a native job that was submitted by
	 * value, through another driver's interface. They are not in memory; to execute the job
	 * again, put them at the descriptor's address.
	 */
	DRM_VSHADER_DUMP_NATIVE_WORDS = 24,
};

/** enum drm_vshader_dump_flags - Flags of sections. */
enum drm_vshader_dump_flags {
	/** @DRM_VSHADER_DUMP_TRUNCATED: MEMORY: there was more than the limit allows. */
	DRM_VSHADER_DUMP_TRUNCATED = 1 << 0,
	/**
	 * @DRM_VSHADER_DUMP_EXACT: REGISTERS: values are those in front of each invocation's
	 * instruction. Otherwise optimised code was executed: a register may still have an older
	 * value if no later instruction needs the newer one.
	 */
	DRM_VSHADER_DUMP_EXACT = 1 << 1,
};

/** struct drm_vshader_dump_section - The beginning of a section. */
struct drm_vshader_dump_section {
	/** @type: &enum drm_vshader_dump_type. */
	__u64 type;
	/** @flags: Bits of &enum drm_vshader_dump_flags. */
	__u64 flags;
	/** @count: Elements. */
	__u64 count;
	/** @size: Bytes that follow, without the zeros that fill up. */
	__u64 size;
};

/** struct drm_vshader_dump_device - Device that executed the job. */
struct drm_vshader_dump_device {
	/** @major: Version of the interface. */
	__u32 major;
	/** @minor: " */
	__u32 minor;
	/** @simd: &enum drm_vshader_simd. */
	__u32 simd;
	/** @in_process: 1: the library, 0: the kernel driver. */
	__u32 in_process;
	/** @time_ns: When the dump was made, of the real-time clock. */
	__u64 time_ns;
	/** @name: Name of the device. */
	char name[32];
};

/** struct drm_vshader_dump_queue - The job's queue. */
struct drm_vshader_dump_queue {
	/** @engine: &enum drm_vshader_engine. */
	__u32 engine;
	/** @priority: &enum drm_vshader_priority. */
	__u32 priority;
	/** @budget: Weight that a job may use. */
	__u64 budget;
	/** @time_limit_ms: Time that a job may take. */
	__u32 time_limit_ms;
	/** @va_bits: Bits of an address. */
	__u32 va_bits;
	/** @pid: Process that created the queue; 0 if not known. */
	__u32 pid;
	/** @id: Of the queue, unique among those that its device has at a time. */
	__u32 id;
	/** @comm: Its name. */
	char comm[16];
	/** @vm: Number of the address space, unique. */
	__u64 vm;
};

/** struct drm_vshader_dump_job - The job and how it ended. */
struct drm_vshader_dump_job {
	/** @number: Number on its queue. */
	__u64 number;
	/** @type: &enum drm_vshader_job_type. */
	__u32 type;
	/** @flags: Bits of &enum drm_vshader_job_flags. */
	__u32 flags;
	/** @status: 0 or a negative error. */
	__s32 status;
	/** @program: Id of its program, or 0. */
	__u32 program;
	/** @result_va: Where its result goes, or 0. */
	__u64 result_va;
	/** @invocations: Completed. */
	__u64 invocations;
	/** @weight: Used. */
	__u64 weight;
	/** @busy_ns: Time that workers spent. */
	__u64 busy_ns;
	/**
	 * @code_va: Where the faulting code's instruction 0 is in memory; 0: in the program. From
	 * DRM_VSHADER_DEBUG_UPLOADED() on: a native job has uploaded it; it is in the sections
	 * PROGRAM, CODE and OPDESC.
	 */
	__u64 code_va;
	/** @fault: Fault record. */
	struct drm_vshader_fault fault;
};

/** struct drm_vshader_dump_program - The job's program. */
struct drm_vshader_dump_program {
	/** @engine: &enum drm_vshader_engine. */
	__u32 engine;
	/** @stage: &enum drm_vshader_stage. */
	__u32 stage;
	/** @hash: As shown in debugfs. */
	__u64 hash;
};

/** struct drm_vshader_dump_mapping - A range of the job's address space. */
struct drm_vshader_dump_mapping {
	/** @va: First address. */
	__u64 va;
	/** @size: Bytes. */
	__u64 size;
	/** @flags: Bits of &enum drm_vshader_vm_bind_flags: READONLY, NOEXEC. */
	__u64 flags;
};

/**
 * DOC: Records of jobs
 *
 * The file "record" in a device's folder in debugfs records the jobs that the device executes.
 * A write starts the recording. It has words, each of which is optional:
 *
 * - start: nothing else needs to be said;
 * - client=ID: only jobs of this DRM file, @drm-client-id in its fdinfo;
 * - after=ID: only jobs of DRM files that were opened after this one;
 * - size=N: MiB of the buffer, at most 1024; by default 64.
 *
 * Errors of the write: -EINVAL unknown word or bad value, -E2BIG more than 1024 MiB or a command
 * of more than 128 bytes, -ENOMEM no memory for the buffer, -EBUSY another file records, or this
 * one does already, -ENODEV device unplugged.
 *
 * Records follow each other in the order in which jobs ended: a &struct drm_vshader_record_head
 * and a dump without registers. MEMORY is the memory that was mapped when the job began,
 * MEMORY_AFTER all pages that had changed when it ended, whoever changed them. read() returns
 * bytes of one record at most, waits for a record unless the file is %O_NONBLOCK, and returns 0
 * if the recording has not been started or the device is unplugged and all records are read; then
 * poll() returns %EPOLLHUP. Records that do not fit into the buffer are left out; jobs never
 * wait.
 */

/** enum drm_vshader_record_flags - Flags of a record. */
enum drm_vshader_record_flags {
	/**
	 * @DRM_VSHADER_RECORD_INCOMPLETE: Pages are missing in MEMORY or MEMORY_AFTER, or there
	 * is no MEMORY_AFTER.
	 */
	DRM_VSHADER_RECORD_INCOMPLETE = 1 << 0,
	/**
	 * @DRM_VSHADER_RECORD_OVERLAPPED: Another job of the same address space was executed at
	 * the same time: MEMORY and MEMORY_AFTER may show a part of its work.
	 */
	DRM_VSHADER_RECORD_OVERLAPPED = 1 << 1,
};

/** struct drm_vshader_record_head - The beginning of a record. */
struct drm_vshader_record_head {
	/** @size: Bytes of the dump that follows; 0: there is none, only @lost. */
	__u64 size;
	/** @flags: Bits of &enum drm_vshader_record_flags. */
	__u64 flags;
	/** @client: Number of the DRM file, as in fdinfo. */
	__u64 client;
	/** @pid: Process that created the queue. */
	__u64 pid;
	/** @lost: Jobs that ended since the last record and that there was no room for. */
	__u64 lost;
};

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_VSHADER_DRM_DUMP_H_ */
