/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The device and its DRM files.
 */
#ifndef VSHADER_DEVICE_H
#define VSHADER_DEVICE_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/xarray.h>

#include <drm/drm_device.h>
#include <drm/drm_file.h>

#include "drm/vshader_drm.h"
#include "isa/isa.h"
#include "vshader_quota.h"

struct drm_sched_backend_ops;
struct page;
struct vshader_exec;
struct vshader_exec_ops;
struct vshader_file;
struct vshader_inject;
struct vshader_personality;
struct vshader_recorder;
struct vshader_sched;

#define VSHADER_NAME		"vshader"

/* Limits reported in struct drm_vshader_limits. */
#define VSHADER_MIN_VA		0x1000ULL
#define VSHADER_MAX_VA_32	BIT_ULL(32)
#define VSHADER_MAX_VA_48	BIT_ULL(48)
#define VSHADER_KERNEL_VA	0x40000000ULL
#define VSHADER_MAX_BO_SIZE	SZ_4G
#define VSHADER_MAX_BUDGET	BIT_ULL(40)
#define VSHADER_MAX_JOB_MEMORY	((u64)SZ_64M)
#define VSHADER_MAX_CODE_SIZE	SZ_512K
#define VSHADER_MAX_ENTRIES	256U
#define VSHADER_MAX_JOBS	64U	/* one bit each in a u64 */
#define VSHADER_MAX_SYNCS	64U
#define VSHADER_MAX_BIND_OPS	256U
#define VSHADER_MAX_MAPPINGS	16384U
#define VSHADER_MAX_OBJECTS	1024U
#define VSHADER_MAX_TIME_MS	10000U
#define VSHADER_DEFAULT_TIME_MS	5000U
#define VSHADER_MAX_INVOCATIONS	BIT(26)
#define VSHADER_MAX_LABEL	128U
#define VSHADER_MAX_DRAWS	4096U	/* lima submits up to 2,500 */
#define VSHADER_MAX_NATIVE_SIZE	SZ_1M
#define VSHADER_MAX_QUEUED	512U
#define VSHADER_MAX_LOG		SZ_64K

/* Slices by length: bucket n has those of 2^n us and more. */
#define VSHADER_SLICE_BUCKETS	16

/* Kinds of jobs that a personality tells apart in its usage statistics. */
#define VSHADER_NUM_KINDS	2

/**
 * struct vshader_device - One virtual device.
 * @drm: the DRM device
 * @personality: the driver as which it presents itself, or NULL
 * @chip: its chip, as &vshader_personality.chip has given it
 * @personal: state of the personality, see &vshader_personality.init
 * @profiling: jobs that start are timed, see &vshader_file.profiled_ns; without a lock
 * @quota: limits for clients and users
 * @slices: number of slices by length, see %VSHADER_SLICE_BUCKETS
 * @simd: executor in use
 * @slice: weight per slice
 * @bos_lock: protects @bos
 * @bos: all buffer objects, for debugfs
 * @queues_lock: protects @queues and @gone
 * @queues: all queues, also those whose file is closed
 * @gone: unplugged: no new queues
 * @record_lock: protects @recorder, all that it has, and @record_gone
 * @recorder: recorder of the jobs, or NULL
 * @record_gone: unplugged: no new recorder
 * @jobs: jobs pushed and not yet ended
 * @idle: woken when @jobs falls to 0
 * @inject: fault injection; NULL if the kernel has none
 * @dump_page: a page of the last device core dump, or NULL; see vshader_dump.c
 */
struct vshader_device {
	struct drm_device drm;
	const struct vshader_personality *personality;
	const void *chip;
	void *personal;
	bool profiling;
	struct vshader_quota quota;
	atomic64_t slices[VSHADER_SLICE_BUCKETS];
	enum vs_simd simd;
	u32 slice;

	/** @bos_lock: protects @bos */
	struct mutex bos_lock;
	struct list_head bos;

	/** @queues_lock: protects @queues and @gone */
	spinlock_t queues_lock;
	struct list_head queues;
	bool gone;

	/** @record_lock: protects @recorder, all that it has, and @record_gone */
	spinlock_t record_lock;
	struct vshader_recorder *recorder;
	bool record_gone;

	atomic_t jobs;
	wait_queue_head_t idle;

	struct vshader_inject *inject;
	struct page *dump_page;
};

static inline struct vshader_device *to_vshader_device(struct drm_device *drm)
{
	return container_of(drm, struct vshader_device, drm);
}

/**
 * struct vshader_file_ops - Calls from objects of a file to the layers above.
 * @release: the last reference to the file is gone
 * @sched: its scheduler's operations
 * @exec: calls of its execution
 */
struct vshader_file_ops {
	void (*release)(struct kref *ref);
	const struct drm_sched_backend_ops *sched;
	const struct vshader_exec_ops *exec;
};

/**
 * struct vshader_file - A client: private data of a DRM file. Queues keep it alive.
 * @ref: references
 * @vdev: device; the file holds a reference
 * @ops: calls of the layers above
 * @client_id: as shown in fdinfo
 * @vms: address spaces by id
 * @programs: programs by id
 * @queues: queues by id
 * @submit_lock: orders submits, so that fences of a queue are pushed in the order in
 *	which they were armed, and protects the submit side of all queues, @sched, and the
 *	threads and slots of @exec
 * @busy_ns: CPU time that jobs took, per engine
 * @profiled_ns: wall-clock time from the start to the end of jobs, per &vshader_queue.kind; of
 *	those that were started while &vshader_device.profiling was set
 * @debug_queues: queues that can be debugged
 * @sched: scheduler, made with the first queue
 * @exec: threads, and jobs that run
 * @account: account of its memory; holds a reference
 * @is_client: counted as one that has queues
 * @reap_list: jobs that have ended, or whose last reference is gone
 * @reap: frees them
 * @personal: state of &vshader_device.personality
 */
struct vshader_file {
	struct kref ref;
	struct vshader_device *vdev;
	const struct vshader_file_ops *ops;
	u64 client_id;
	struct xarray vms;
	struct xarray programs;
	struct xarray queues;

	/** @submit_lock: orders submits */
	struct mutex submit_lock;
	atomic64_t busy_ns[VS_MAX_ISAS];
	atomic64_t profiled_ns[VSHADER_NUM_KINDS];
	atomic_t debug_queues;
	struct vshader_sched *sched;
	struct vshader_exec *exec;
	struct vshader_account *account;
	bool is_client;
	struct llist_head reap_list;
	struct work_struct reap;
	void *personal;
};

/* Frees the memory of jobs; sleeps and takes locks that the signalling path must not take. */
extern struct workqueue_struct *vshader_wq;

/*
 * Ends jobs for which their clients have no CPU time, and jobs without progress. Memory reclaim may
 * wait for their fences: the works do not allocate, and wait for nobody who does.
 */
extern struct workqueue_struct *vshader_end_wq;

/**
 * vshader_file_get - take a reference
 * @vf: file
 *
 * Return: @vf.
 */
static inline struct vshader_file *vshader_file_get(struct vshader_file *vf)
{
	kref_get(&vf->ref);
	return vf;
}

/**
 * vshader_file_put - drop a reference; may sleep
 * @vf: file
 */
static inline void vshader_file_put(struct vshader_file *vf)
{
	kref_put(&vf->ref, vf->ops->release);
}

/**
 * vshader_id_alloc - publish an object under a new id
 * @xa: table of a file
 * @obj: the object
 * @id: where the id is put
 *
 * Return: 0, -ENOMEM, -E2BIG if the file has too many objects of this kind.
 */
static inline int vshader_id_alloc(struct xarray *xa, void *obj, u32 *id)
{
	int ret = xa_alloc(xa, id, obj, XA_LIMIT(1, VSHADER_MAX_OBJECTS), GFP_KERNEL_ACCOUNT);

	return ret == -EBUSY ? -E2BIG : ret;
}

#endif /* VSHADER_DEVICE_H */
