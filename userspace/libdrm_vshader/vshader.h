/* SPDX-License-Identifier: MIT */
/*
 * libdrm_vshader: userspace library for the vshader DRM driver.
 */
#ifndef VSHADER_H
#define VSHADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vshader_drm.h"
#include "vshader_drm_mali.h"
#include "vshader_drm_pica.h"
#include "vshader_drm_qpu.h"
#include "vshader_drm_utgard.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * DOC: Overview
 *
 * One interface, two backends:
 *
 * - *kernel*: a DRM render node of the vshader driver;
 * - *local*: the same execution engine linked into the library, with threads
 *   of the calling process as workers. It needs no kernel module and no
 *   permissions, and makes the same checks.
 *
 * Structures and constants of the uAPI (``vshader_drm.h`` and one header per GPU
 * family) are used unchanged: their documentation holds for both backends.
 *
 * Functions that can fail return 0 (or a count) or a negative errno.
 * vshader_error() then returns a sentence: the error, its place, the expected
 * value. All functions may be called from several threads at once.
 */

#define VSHADER_VERSION_MAJOR	1
#define VSHADER_VERSION_MINOR	0

/** VSHADER_PATH_MAX - bytes of a device path, terminating zero included */
#define VSHADER_PATH_MAX	64

/** VSHADER_NUM_SECTIONS - kinds of program sections */
#define VSHADER_NUM_SECTIONS	2

/** VSHADER_WAIT_FOREVER - timeout that never expires */
#define VSHADER_WAIT_FOREVER	INT64_MAX

/**
 * vshader_version - version of the library
 *
 * Return: "major.minor", static.
 */
const char *vshader_version(void);

/**
 * vshader_error - why the last failed call of this thread failed
 *
 * Return: a sentence, never NULL; valid until the next call of this thread.
 */
const char *vshader_error(void);

/* ---- devices ---- */

struct vshader_device;

/**
 * vshader_open - open a device
 * @spec: device:
 *	"auto" or NULL: the first render node of the vshader driver, or, if there
 *	is none, the local backend;
 *	"local", or "local:OPTION=VALUE,...": the local backend. Options:
 *	workers=N (threads, default: one per processor), simd=NAME (portable, sse2,
 *	avx2, avx512, neon; default: the best);
 *	anything else: path of a DRM device node.
 * @out: the device
 *
 * Return: 0, -ENOENT or another error of open(2), -ENODEV the node is no vshader
 * device, -EPROTO its interface version is too old, -EINVAL bad option, -ENOMEM.
 */
int vshader_open(const char *spec, struct vshader_device **out);

/**
 * vshader_open_fd - use an open DRM file
 * @fd: file descriptor; duplicated, so the caller keeps and closes its own
 * @out: the device
 *
 * Return: as vshader_open().
 */
int vshader_open_fd(int fd, struct vshader_device **out);

/**
 * vshader_close - close a device and everything created on it
 * @dev: device, or NULL
 *
 * Buffers (&struct vshader_bo) must have been destroyed before.
 */
void vshader_close(struct vshader_device *dev);

/**
 * struct vshader_node - a device node
 */
struct vshader_node {
	/** @path: Its path. */
	char path[VSHADER_PATH_MAX];
};

/**
 * vshader_list_nodes - find the render nodes of vshader devices
 * @nodes: filled
 * @max: room in @nodes
 *
 * Return: number of nodes found, which may be more than @max, or a negative errno.
 */
int vshader_list_nodes(struct vshader_node *nodes, unsigned int max);

/**
 * vshader_device_is_local - tell the backends apart
 * @dev: device
 *
 * Return: true for the local backend.
 */
bool vshader_device_is_local(const struct vshader_device *dev);

/**
 * vshader_device_name - path of the device node, or "local"
 * @dev: device
 *
 * Return: a string that lives as long as the device.
 */
const char *vshader_device_name(const struct vshader_device *dev);

/**
 * vshader_device_version - interface version that the device speaks
 * @dev: device
 * @major: major version
 * @minor: minor version
 */
void vshader_device_version(const struct vshader_device *dev, unsigned int *major,
			    unsigned int *minor);

/**
 * vshader_device_fd - DRM file of a device
 * @dev: device
 *
 * Return: the descriptor, owned by the device, or -1 for the local backend.
 */
int vshader_device_fd(const struct vshader_device *dev);

/**
 * vshader_ioctl - raw uAPI call
 * @dev: device of either backend
 * @request: one of DRM_IOCTL_VSHADER_*
 * @arg: its argument structure
 *
 * For ioctls without a function of their own. Restarts on -EINTR.
 *
 * Return: 0 or a negative errno.
 */
int vshader_ioctl(struct vshader_device *dev, unsigned long request, void *arg);

/* ---- information ---- */

/**
 * vshader_get_dev_info - device information
 * @dev: device
 * @info: filled
 *
 * Return: 0 or a negative errno.
 */
int vshader_get_dev_info(struct vshader_device *dev, struct drm_vshader_dev_info *info);

/**
 * vshader_get_limits - limits of a device
 * @dev: device
 * @limits: filled
 *
 * Return: 0 or a negative errno.
 */
int vshader_get_limits(struct vshader_device *dev, struct drm_vshader_limits *limits);

/**
 * vshader_get_engines - engines of a device
 * @dev: device
 * @engines: filled
 * @max: room in @engines
 *
 * Return: number of engines, which may be more than @max, or a negative errno.
 */
int vshader_get_engines(struct vshader_device *dev, struct drm_vshader_engine_info *engines,
			unsigned int max);

/**
 * vshader_get_numerics - numeric models of the engines
 * @dev: device
 * @numerics: filled
 * @max: room in @numerics
 *
 * Return: number of entries, which may be more than @max, or a negative errno.
 */
int vshader_get_numerics(struct vshader_device *dev, struct drm_vshader_numeric_info *numerics,
			 unsigned int max);

/**
 * vshader_engine_name - short name of an engine
 * @engine: &enum drm_vshader_engine
 *
 * Return: name as in job files, or NULL.
 */
const char *vshader_engine_name(uint32_t engine);

/**
 * vshader_engine_by_name - engine of a name
 * @name: "pica", "qpu", "bifrost", "midgard", "utgard-gp" or "utgard-pp"
 *
 * Return: &enum drm_vshader_engine or -EINVAL.
 */
int vshader_engine_by_name(const char *name);

/**
 * vshader_stage_name - name of a shader stage
 * @stage: &enum drm_vshader_stage
 *
 * Return: name as in job files, or NULL.
 */
const char *vshader_stage_name(uint32_t stage);

/**
 * vshader_simd_name - name of an executor build
 * @simd: &enum drm_vshader_simd
 *
 * Return: name as in job files, or NULL.
 */
const char *vshader_simd_name(uint32_t simd);

/**
 * vshader_fault_name - name of a fault kind
 * @kind: &enum drm_vshader_fault_kind
 *
 * Return: name as in job files, or NULL.
 */
const char *vshader_fault_name(uint32_t kind);

/* ---- buffers ---- */

struct vshader_bo;

/**
 * vshader_bo_create - create a buffer of zeroed memory
 * @dev: device
 * @size: bytes, rounded up to pages
 * @flags: bits of &enum drm_vshader_bo_flags
 * @exclusive_vm: id of the only VM that it may be mapped in, or 0
 * @out: the buffer
 *
 * Return: 0 or a negative errno.
 */
int vshader_bo_create(struct vshader_device *dev, uint64_t size, uint32_t flags,
		      uint32_t exclusive_vm, struct vshader_bo **out);

/**
 * vshader_bo_import - import a PRIME file descriptor
 * @dev: device
 * @fd: descriptor of a dma-buf (local backend: of another local buffer)
 * @out: the buffer
 *
 * Return: 0 or a negative errno.
 */
int vshader_bo_import(struct vshader_device *dev, int fd, struct vshader_bo **out);

/**
 * vshader_bo_export - get a PRIME file descriptor
 * @bo: buffer without an exclusive VM
 * @fd: descriptor, to be closed by the caller
 *
 * Return: 0 or a negative errno.
 */
int vshader_bo_export(struct vshader_bo *bo, int *fd);

/**
 * vshader_bo_destroy - give up a buffer
 * @bo: buffer, or NULL
 *
 * Its memory stays while it is mapped in a VM or used by a job.
 */
void vshader_bo_destroy(struct vshader_bo *bo);

/**
 * vshader_bo_map - map a buffer into the process
 * @bo: buffer
 * @ptr: address; the mapping lives until vshader_bo_destroy()
 *
 * Return: 0 or a negative errno.
 */
int vshader_bo_map(struct vshader_bo *bo, void **ptr);

/**
 * vshader_bo_set_label - label a buffer for debugfs and error reports
 * @bo: buffer
 * @label: text, or NULL to remove it
 *
 * Return: 0 or a negative errno.
 */
int vshader_bo_set_label(struct vshader_bo *bo, const char *label);

/**
 * vshader_bo_size - size of a buffer
 * @bo: buffer
 *
 * Return: bytes, a multiple of the page size.
 */
uint64_t vshader_bo_size(const struct vshader_bo *bo);

/**
 * vshader_bo_handle - GEM handle of a buffer
 * @bo: buffer
 *
 * Return: the handle, for &struct drm_vshader_vm_bind_op.
 */
uint32_t vshader_bo_handle(const struct vshader_bo *bo);

/* ---- address spaces ---- */

/**
 * vshader_vm_create - create an address space
 * @dev: device
 * @flags: bits of &enum drm_vshader_vm_flags
 * @alloc_start: where addresses picked by the kernel begin, or 0
 * @id: VM id
 *
 * Return: 0 or a negative errno.
 */
int vshader_vm_create(struct vshader_device *dev, uint32_t flags, uint64_t alloc_start,
		      uint32_t *id);

/**
 * vshader_vm_destroy - destroy an address space
 * @dev: device
 * @id: VM id
 *
 * Return: 0 or a negative errno.
 */
int vshader_vm_destroy(struct vshader_device *dev, uint32_t id);

/**
 * vshader_vm_bind - map and unmap ranges, all or nothing
 * @dev: device
 * @id: VM id
 * @ops: operations; addresses picked by the kernel are stored here
 * @num_ops: number of @ops
 *
 * Return: 0 or a negative errno.
 */
int vshader_vm_bind(struct vshader_device *dev, uint32_t id, struct drm_vshader_vm_bind_op *ops,
		    uint32_t num_ops);

/**
 * vshader_vm_map - map a whole buffer
 * @dev: device
 * @id: VM id
 * @bo: buffer
 * @flags: %DRM_VSHADER_VM_BIND_READONLY, %DRM_VSHADER_VM_BIND_NOEXEC
 * @va: in: address, or 0 to have one picked; out: the address
 *
 * Return: 0 or a negative errno.
 */
int vshader_vm_map(struct vshader_device *dev, uint32_t id, struct vshader_bo *bo, uint32_t flags,
		   uint64_t *va);

/**
 * vshader_vm_unmap - unmap a range
 * @dev: device
 * @id: VM id
 * @va: page-aligned address
 * @size: bytes, a multiple of the page size
 *
 * Return: 0 or a negative errno.
 */
int vshader_vm_unmap(struct vshader_device *dev, uint32_t id, uint64_t va, uint64_t size);

/* ---- programs ---- */

/**
 * struct vshader_source - a program in machine words
 */
struct vshader_source {
	/** @engine: &enum drm_vshader_engine. */
	uint32_t engine;

	/** @stage: &enum drm_vshader_stage. */
	uint32_t stage;

	/** @words: Sections by &enum drm_vshader_section; NULL: not there. */
	const uint32_t *words[VSHADER_NUM_SECTIONS];

	/** @num_words: Words in each section. */
	uint32_t num_words[VSHADER_NUM_SECTIONS];

	/** @entries: Words where a job may start. */
	const uint32_t *entries;

	/** @num_entries: Number of @entries, at least 1. */
	uint32_t num_entries;
};

/**
 * struct vshader_diag - report of the verifier
 */
struct vshader_diag {
	/** @reject: Out. With -ENOEXEC: reason and place. */
	struct drm_vshader_reject reject;

	/** @log: In. Buffer for messages and warnings, a line each; NULL: not wanted. */
	char *log;

	/** @log_size: In. Bytes at @log. */
	uint32_t log_size;

	/** @log_len: Out. Characters written, without the terminating zero. */
	uint32_t log_len;

	/** @warnings: Out. Warnings about a program that is accepted. */
	uint32_t warnings;
};

/**
 * vshader_program_create - verify and load a program
 * @dev: device
 * @src: the program
 * @diag: filled if not NULL
 * @id: program id
 *
 * Return: 0, -ENOEXEC the verifier rejected it, or another negative errno.
 */
int vshader_program_create(struct vshader_device *dev, const struct vshader_source *src,
			   struct vshader_diag *diag, uint32_t *id);

/**
 * vshader_program_destroy - destroy a program
 * @dev: device
 * @id: program id
 *
 * Return: 0 or a negative errno.
 */
int vshader_program_destroy(struct vshader_device *dev, uint32_t id);

/**
 * vshader_program_query - resource report of a program
 * @dev: device
 * @id: program id
 * @info: filled
 *
 * Return: 0 or a negative errno.
 */
int vshader_program_query(struct vshader_device *dev, uint32_t id,
			  struct drm_vshader_program_info *info);

/**
 * vshader_verify - ask the verifier without a device
 * @src: the program
 * @info: resource report, or NULL; valid on success
 * @diag: filled if not NULL
 *
 * Return: as vshader_program_create().
 */
int vshader_verify(const struct vshader_source *src, struct drm_vshader_program_info *info,
		   struct vshader_diag *diag);

/**
 * vshader_reject_text - put a reject record into words
 * @engine: &enum drm_vshader_engine
 * @reject: the record
 * @buf: buffer
 * @size: bytes at @buf
 *
 * Return: @buf.
 */
const char *vshader_reject_text(uint32_t engine, const struct drm_vshader_reject *reject, char *buf,
				size_t size);

/* ---- queues and jobs ---- */

/**
 * struct vshader_queue_params - how to create a queue
 *
 * Zero is a good default for everything but @engine and @vm.
 */
struct vshader_queue_params {
	/** @engine: &enum drm_vshader_engine. */
	uint32_t engine;

	/** @vm: VM id. */
	uint32_t vm;

	/** @priority: &enum drm_vshader_priority plus 1; 0: medium. */
	uint32_t priority;

	/** @time_limit_ms: Time limit per job; 0: the device's default. */
	uint32_t time_limit_ms;

	/** @budget: Instruction budget per job; 0: the device's maximum. */
	uint64_t budget;
};

/**
 * vshader_queue_create - create a queue
 * @dev: device
 * @params: its properties
 * @id: queue id
 *
 * Return: 0 or a negative errno.
 */
int vshader_queue_create(struct vshader_device *dev, const struct vshader_queue_params *params,
			 uint32_t *id);

/**
 * vshader_queue_destroy - destroy a queue, cancelling its jobs
 * @dev: device
 * @id: queue id
 *
 * Return: 0 or a negative errno.
 */
int vshader_queue_destroy(struct vshader_device *dev, uint32_t id);

/**
 * vshader_queue_get_state - state, counters and fault record of a queue
 * @dev: device
 * @id: queue id
 * @state: filled up to and including @fault; members added after 1.0 are left alone
 *
 * Return: 0 or a negative errno.
 */
int vshader_queue_get_state(struct vshader_device *dev, uint32_t id,
			    struct drm_vshader_queue_get_state *state);

/**
 * vshader_queue_get_qpus - where the QPUs stood at the fault that banned a queue
 * @dev: device
 * @id: queue id
 * @qpus: filled, by number of the QPU
 * @max: room in @qpus; there are 12
 *
 * After a deadlock @qpus has the resource that each QPU waits for.
 *
 * Return: number of QPUs, which may be more than @max; 0: no fault, or not a queue of
 * the QPU engine; or a negative errno.
 */
int vshader_queue_get_qpus(struct vshader_device *dev, uint32_t id,
			   struct drm_vshader_qpu_state *qpus, unsigned int max);

/**
 * vshader_qpu_wait_name - name of the resource that a QPU waits for
 * @wait: &enum drm_vshader_qpu_wait
 *
 * Since 1.1.
 *
 * Return: name as in job files, or NULL.
 */
const char *vshader_qpu_wait_name(uint32_t wait);

/**
 * vshader_qpus_text - put the states of QPUs into words, a line each
 * @qpus: states by number of the QPU
 * @num_qpus: number of @qpus
 * @buf: buffer
 * @size: bytes at @buf
 *
 * Leaves out idle QPUs. Since 1.1.
 *
 * Return: @buf.
 */
const char *vshader_qpus_text(const struct drm_vshader_qpu_state *qpus, unsigned int num_qpus,
			      char *buf, size_t size);

/**
 * vshader_submit - submit jobs, all or none
 * @dev: device
 * @jobs: the jobs
 * @num_jobs: number of @jobs, at least 1
 * @failed_job: if not NULL: on error the index of the job at fault
 * @fault: if not NULL: with -ENOEXEC the fault of a native job
 *
 * Return: 0 or a negative errno, see &struct drm_vshader_submit.
 */
int vshader_submit(struct vshader_device *dev, const struct drm_vshader_job *jobs,
		   uint32_t num_jobs, uint32_t *failed_job, struct drm_vshader_fault *fault);

/**
 * vshader_submit_wait - submit one job and wait until it has ended
 * @dev: device
 * @job: the job; its own sync operations are kept
 * @timeout_ns: how long to wait, or %VSHADER_WAIT_FOREVER
 *
 * How the job ended is in its result record and in the queue's state. The local device executes the
 * job in the calling thread, if it is the next one of its queue and @timeout_ns is at least twice
 * the queue's time limit.
 *
 * Return: 0, -ETIME still running, or another negative errno.
 */
int vshader_submit_wait(struct vshader_device *dev, const struct drm_vshader_job *job,
			int64_t timeout_ns);

/**
 * vshader_fault_text - put a fault record into words
 * @fault: the record
 * @buf: buffer
 * @size: bytes at @buf
 *
 * Return: @buf.
 */
const char *vshader_fault_text(const struct drm_vshader_fault *fault, char *buf, size_t size);

/* ---- memory images ---- */

/** struct vshader_image_run - bytes of a memory image */
struct vshader_image_run {
	/** @va: Address of the first one. */
	uint64_t va;

	/** @size: How many. */
	uint64_t size;

	/** @data: Bytes; live as long as the image. */
	const uint8_t *data;
};

/** struct vshader_range - part of an address space */
struct vshader_range {
	/** @va: First address. */
	uint64_t va;

	/** @size: Bytes. */
	uint64_t size;
};

struct vshader_image;

/**
 * vshader_image_load - read a memory image
 * @data: contents of the file: runs of address, length (64 bits each, little endian) and
 * bytes; may be compressed (gzip)
 * @size: bytes at @data
 * @out: the image
 *
 * A driver's dump of GPU memory in this form can be executed again without hardware: map it
 * with vshader_image_map() and submit a native job with the address of its job chain.
 * Since 1.2.
 *
 * Return: 0, -EINVAL damaged, -E2BIG more than 256 MiB, -ENOMEM.
 */
int vshader_image_load(const void *data, size_t size, struct vshader_image **out);

/**
 * vshader_image_free - free an image
 * @img: image, or NULL
 *
 * Since 1.2.
 */
void vshader_image_free(struct vshader_image *img);

/**
 * vshader_image_runs - runs of an image
 * @img: image
 * @num: number of runs
 *
 * Since 1.2.
 *
 * Return: runs by address.
 */
const struct vshader_image_run *vshader_image_runs(const struct vshader_image *img,
						   uint32_t *num);

/**
 * vshader_image_read - get memory of an image
 * @img: image
 * @va: address
 * @dst: bytes; zero where the image has none
 * @size: how many
 *
 * Since 1.2.
 */
void vshader_image_read(const struct vshader_image *img, uint64_t va, void *dst, uint64_t size);

/**
 * vshader_image_pages - pages that an image has bytes in
 * @img: image
 * @ranges: ranges of pages by address, to be released with free()
 * @num: number of @ranges
 *
 * Buffers that were all zero are not in an image: whoever knows them maps them, too.
 * Since 1.2.
 *
 * Return: 0 or -ENOMEM.
 */
int vshader_image_pages(const struct vshader_image *img, struct vshader_range **ranges,
			uint32_t *num);

/**
 * vshader_image_map - put an image into an address space
 * @dev: device
 * @vm: VM id
 * @img: image
 * @ranges: page-aligned ranges; each becomes a buffer
 * @num_ranges: number of @ranges
 * @bos: the buffers, @num_ranges of them
 *
 * All or nothing. Since 1.2.
 *
 * Return: 0 or a negative errno.
 */
int vshader_image_map(struct vshader_device *dev, uint32_t vm, const struct vshader_image *img,
		      const struct vshader_range *ranges, uint32_t num_ranges,
		      struct vshader_bo **bos);

/* ---- synchronisation ---- */

/**
 * vshader_sync_create - create a syncobj
 * @dev: device
 * @signaled: whether it starts signaled
 * @handle: its handle, for &struct drm_vshader_sync
 *
 * Return: 0 or a negative errno.
 */
int vshader_sync_create(struct vshader_device *dev, bool signaled, uint32_t *handle);

/**
 * vshader_sync_destroy - destroy a syncobj
 * @dev: device
 * @handle: syncobj
 *
 * Return: 0 or a negative errno.
 */
int vshader_sync_destroy(struct vshader_device *dev, uint32_t handle);

/**
 * vshader_sync_reset - take the fence out of a binary syncobj
 * @dev: device
 * @handle: syncobj
 *
 * Return: 0 or a negative errno.
 */
int vshader_sync_reset(struct vshader_device *dev, uint32_t handle);

/**
 * vshader_sync_signal - signal from the host
 * @dev: device
 * @handle: syncobj
 * @point: point of a timeline, or 0 for a binary syncobj
 *
 * Return: 0 or a negative errno.
 */
int vshader_sync_signal(struct vshader_device *dev, uint32_t handle, uint64_t point);

/**
 * vshader_sync_wait - wait on the host
 * @dev: device
 * @handle: syncobj
 * @point: point of a timeline, or 0 for a binary syncobj
 * @timeout_ns: how long; 0 only asks
 *
 * Also waits for a fence to be submitted if there is none yet.
 *
 * Return: 0, -ETIME, or another negative errno.
 */
int vshader_sync_wait(struct vshader_device *dev, uint32_t handle, uint64_t point,
		      int64_t timeout_ns);

/**
 * vshader_sync_query - last point of a timeline that was reached
 * @dev: device
 * @handle: syncobj
 * @point: filled
 *
 * Return: 0 or a negative errno.
 */
int vshader_sync_query(struct vshader_device *dev, uint32_t handle, uint64_t *point);

/* ---- assembler, disassembler, containers ---- */

struct vshader_binary;

/**
 * vshader_binary_load - load a program container
 * @data: contents of the file; copied
 * @size: bytes at @data
 * @out: the container
 *
 * Knows SHBIN (PICA200).
 *
 * Return: 0, -EINVAL not a container or a damaged one, -ENOMEM.
 */
int vshader_binary_load(const void *data, size_t size, struct vshader_binary **out);

/**
 * vshader_assemble - assemble source text
 * @engine: &enum drm_vshader_engine
 * @text: source
 * @size: bytes at @text
 * @name: name used in messages
 * @out: the result
 *
 * Messages have the form "name:line:column: error: ...", see vshader_error().
 *
 * Return: 0, -EINVAL errors in the source, -EOPNOTSUPP no assembler for the engine,
 * -ENOMEM.
 */
int vshader_assemble(uint32_t engine, const char *text, size_t size, const char *name,
		     struct vshader_binary **out);

/**
 * struct vshader_include - how source text reaches other files
 */
struct vshader_include {
	/**
	 * @load: Get the contents of a file that the source names, to be released with
	 * free(). Return: 0 or a negative errno.
	 */
	int (*load)(void *ctx, const char *name, char **text, size_t *size);

	/** @ctx: For @load. */
	void *ctx;
};

/**
 * vshader_assemble_with - assemble source text that includes other files
 * @engine: &enum drm_vshader_engine
 * @text: source
 * @size: bytes at @text
 * @name: name used in messages
 * @include: how to get them, or NULL: there are none
 * @out: the result
 *
 * Since 1.1.
 *
 * Return: as vshader_assemble().
 */
int vshader_assemble_with(uint32_t engine, const char *text, size_t size, const char *name,
			  const struct vshader_include *include, struct vshader_binary **out);

/**
 * struct vshader_text - source text
 */
struct vshader_text {
	/** @text: Source. */
	const char *text;

	/** @size: Bytes at @text. */
	size_t size;

	/** @name: Name used in messages. */
	const char *name;
};

/**
 * vshader_assemble_files - assemble and link several source texts
 * @engine: &enum drm_vshader_engine
 * @texts: sources, the main one first
 * @num: number of @texts
 * @include: files that the only source includes, or NULL
 * @out: the result
 *
 * Return: as vshader_assemble(); -EOPNOTSUPP if programs of the engine have one source.
 */
int vshader_assemble_files(uint32_t engine, const struct vshader_text *texts, unsigned int num,
			   const struct vshader_include *include, struct vshader_binary **out);

/**
 * vshader_binary_free - free a container
 * @bin: container, or NULL
 */
void vshader_binary_free(struct vshader_binary *bin);

/**
 * vshader_binary_write - make the container's file form
 * @bin: container
 * @data: bytes, to be released with free()
 * @size: number of bytes
 *
 * Return: 0, -EOPNOTSUPP programs of the engine have no container, or another negative
 * errno.
 */
int vshader_binary_write(const struct vshader_binary *bin, void **data, size_t *size);

/**
 * vshader_binary_directives - what a container says beside its words, for the assembler
 * @bin: container
 * @index: program
 * @text: directives of inputs, uniforms, outputs, constants and the main procedure, to be
 * released with free()
 *
 * With the listing of vshader_disasm() they assemble to the same container. Since 1.2.
 *
 * Return: 0, -ENOENT no such program or no container, -ENOMEM.
 */
int vshader_binary_directives(const struct vshader_binary *bin, unsigned int index, char **text);

/**
 * vshader_binary_warnings - warnings of the assembler
 * @bin: container; owns the text
 *
 * Since 1.2.
 *
 * Return: lines "FILE:LINE:COLUMN: warning: TEXT", the last without newline; "" if there are
 * none or the program was not assembled.
 */
const char *vshader_binary_warnings(const struct vshader_binary *bin);

/**
 * vshader_binary_count - programs in a container
 * @bin: container
 *
 * Return: number of programs (of an SHBIN: of DVLEs).
 */
unsigned int vshader_binary_count(const struct vshader_binary *bin);

/**
 * vshader_binary_source - a program of a container
 * @bin: container; owns the words
 * @index: program
 * @src: filled; the only entry point is the program's own
 *
 * Return: 0 or -ENOENT.
 */
int vshader_binary_source(const struct vshader_binary *bin, unsigned int index,
			  struct vshader_source *src);

/**
 * vshader_binary_label - find a label
 * @bin: container
 * @index: program
 * @name: label
 * @word: its instruction word
 *
 * Return: 0 or -ENOENT.
 */
int vshader_binary_label(const struct vshader_binary *bin, unsigned int index, const char *name,
			 uint32_t *word);

/**
 * vshader_binary_file - a source that a program was assembled from
 * @bin: container; owns the texts
 * @n: which; 0 is the main source, the others are those that it includes
 * @name: its name
 * @text: its contents
 *
 * Since 1.2.
 *
 * Return: 0 or -ENOENT past the last one; a container that was loaded has none.
 */
int vshader_binary_file(const struct vshader_binary *bin, unsigned int n, const char **name,
			const char **text);

/**
 * struct vshader_line - source lines of an instruction
 */
struct vshader_line {
	/** @word: Its instruction word, counted as by vshader_binary_label(). */
	uint32_t word;

	/** @file: Source, for vshader_binary_file(). */
	uint32_t file;

	/** @line: First line, from 1. */
	uint32_t line;

	/** @last: Last line. */
	uint32_t last;
};

/**
 * vshader_binary_line - list the lines of a program, by ascending instruction
 * @bin: container
 * @index: program
 * @n: which, from 0
 * @line: filled
 *
 * Since 1.2.
 *
 * Return: 0 or -ENOENT past the last one.
 */
int vshader_binary_line(const struct vshader_binary *bin, unsigned int index, unsigned int n,
			struct vshader_line *line);

/**
 * struct vshader_symbol - a name in the source of a program
 */
struct vshader_symbol {
	/** @name: Name. */
	const char *name;

	/**
	 * @value: Register or constant as an expression of the debugger: "$c4", "$c4.xyz",
	 * "12"; NULL: a label or a procedure.
	 */
	const char *value;

	/** @word: Labels and procedures: instruction word. */
	uint32_t word;

	/** @count: Registers: consecutive ones that the name is for. */
	uint32_t count;
};

/**
 * vshader_binary_symbol - list the names in the source of a program
 * @bin: container; owns the texts
 * @index: program
 * @n: which, from 0
 * @sym: filled
 *
 * Registers of containers that were loaded are listed by vshader_binary_register() only.
 * Since 1.2.
 *
 * Return: 0 or -ENOENT past the last one.
 */
int vshader_binary_symbol(const struct vshader_binary *bin, unsigned int index, unsigned int n,
			  struct vshader_symbol *sym);

/**
 * struct vshader_register - a register of a program by name
 */
struct vshader_register {
	/** @kind: 'v' input, 'o' output, 'c' float, 'i' integer, 'b' boolean uniform. */
	char kind;

	/** @first: First register. */
	uint8_t first;

	/** @count: Registers. */
	uint8_t count;

	/** @mask: Outputs: components used, bit 0 is x. */
	uint8_t mask;

	/** @type: Outputs: semantic, as in the container. */
	uint16_t type;

	/** @name: Name, or NULL. */
	const char *name;
};

/**
 * vshader_binary_register - list the named registers and outputs of a program
 * @bin: container; owns the names
 * @index: program
 * @n: which, from 0
 * @reg: filled
 *
 * Return: 0 or -ENOENT past the last one.
 */
int vshader_binary_register(const struct vshader_binary *bin, unsigned int index, unsigned int n,
			    struct vshader_register *reg);

/**
 * struct vshader_constants - uniforms that a program sets itself
 */
struct vshader_constants {
	/** @floats: Rows of binary32 bits. */
	uint32_t floats[96][4];

	/** @ints: Integer uniforms, x y z w each. */
	uint8_t ints[4][4];

	/** @bools: Values of boolean uniforms. */
	uint32_t bools;

	/** @float_mask: Bit n set: @floats row n is set. */
	uint32_t float_mask[3];

	/** @int_mask: Bit n set: @ints row n is set. */
	uint32_t int_mask;

	/** @bool_mask: Bit n set: bit n of @bools is set by the program. */
	uint32_t bool_mask;

	/** @output_mask: Output registers that the program uses. */
	uint32_t output_mask;
};

/**
 * vshader_binary_constants - uniforms that a program sets itself
 * @bin: container
 * @index: program
 * @consts: filled
 *
 * Return: 0 or -ENOENT.
 */
int vshader_binary_constants(const struct vshader_binary *bin, unsigned int index,
			     struct vshader_constants *consts);

/**
 * vshader_disasm_word - text of one instruction
 * @src: the program
 * @offset: word
 * @buf: buffer
 * @size: bytes at @buf
 *
 * Return: 0, -ENOEXEC undefined word (with "?" text), -EINVAL bad engine or offset.
 */
int vshader_disasm_word(const struct vshader_source *src, uint32_t offset, char *buf, size_t size);

/**
 * vshader_disasm - text of a whole program that the assembler takes back
 * @src: the program
 * @text: text, to be released with free()
 *
 * Assembling @text gives the words of @src, bit for bit.
 *
 * Return: 0, -EOPNOTSUPP no listing for the engine, -EINVAL, -ENOMEM.
 */
int vshader_disasm(const struct vshader_source *src, char **text);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* VSHADER_H */
