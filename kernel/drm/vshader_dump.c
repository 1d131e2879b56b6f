// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Device core dumps, one per device until it is read or expires, for root only. Made when the
 * job is freed, long after its fence has signalled, so that memory may be allocated; the job
 * still has its descriptors and programs, and its address space is still mapped. A dump holds
 * no memory of other clients, and no kernel addresses.
 */
#include <linux/devcoredump.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>

#include "debug/dumpfile.h"
#include "families/family.h"
#include "vshader_device.h"
#include "vshader_dump.h"
#include "vshader_job.h"
#include "vshader_program.h"
#include "vshader_queue.h"
#include "vshader_vm.h"

#define MAX_MB	1024U

/* Where the client's control group is full, there is no dump, and no process of it is killed. */
#define GFP_DUMP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

unsigned int vshader_dump_mb = VSHADER_DUMP_MEMORY >> 20;
module_param_named(dump_memory, vshader_dump_mb, uint, 0644);
MODULE_PARM_DESC(dump_memory, "memory in a device coredump, MiB (0-1024, default 32)");

/* One dump is made at a time. Protects &vshader_device.dump_page. */
static DEFINE_MUTEX(dump_lock);

static void *dump_alloc(size_t size)
{
	return __vmalloc(size, GFP_DUMP);
}

static void put_dump_page(struct drm_device *drm, void *data)
{
	struct vshader_device *vdev = data;

	if (vdev->dump_page)
		put_page(vdev->dump_page);
	vdev->dump_page = NULL;
}

int vshader_dump_init(struct vshader_device *vdev)
{
	return drmm_add_action_or_reset(&vdev->drm, put_dump_page, vdev);
}

/*
 * The core keeps one dump per device until it is read or expires, drops others silently and
 * does not report when it frees the first. The driver holds a page of the last dump: once
 * that reference is the only one, the core has freed the dump. So dumps that would be
 * dropped are not made.
 */
static bool dump_pending(const struct vshader_device *vdev)
{
	return vdev->dump_page && page_count(vdev->dump_page) > 1;
}

static void dump_hand_over(struct vshader_device *vdev, void *buf, u64 size)
{
	put_dump_page(&vdev->drm, vdev);
	vdev->dump_page = vmalloc_to_page(buf);
	get_page(vdev->dump_page);
	dev_coredumpv(vdev->drm.dev, buf, size, GFP_KERNEL);
}

static void fill_device(const struct vshader_device *vdev, struct drm_vshader_dump_device *out)
{
	*out = (struct drm_vshader_dump_device){
		.major = vdev->drm.driver->major,
		.minor = vdev->drm.driver->minor,
		.simd = vdev->simd,
		.time_ns = ktime_get_real_ns(),
	};
	strscpy(out->name, dev_name(vdev->drm.dev), sizeof(out->name));
}

static void fill_queue(const struct vshader_queue *q, struct drm_vshader_dump_queue *out)
{
	*out = (struct drm_vshader_dump_queue){
		.engine = q->isa->id,
		.priority = q->fifo.priority,
		.budget = q->budget,
		.time_limit_ms = q->fifo.time_limit_ms,
		.va_bits = q->vm->bits,
		.pid = q->pid,
		.id = (u32)q->context,
		.vm = q->vm->number,
	};
	BUILD_BUG_ON(sizeof(out->comm) != sizeof(q->comm));
	memcpy(out->comm, q->comm, sizeof(out->comm));
}

static void fill_job(const struct vshader_job *job, struct drm_vshader_dump_job *out)
{
	*out = (struct drm_vshader_dump_job){
		.number = job->number,
		.type = job->is_native ? DRM_VSHADER_JOB_NATIVE : DRM_VSHADER_JOB_SHADER,
		.flags = job->flags,
		.status = job->task.status,
		.program = job->program_id,
		.result_va = job->result_va,
		.invocations = job->task.engine ? vs_job_invocations(job->task.engine) : 0,
		.weight = job->task.engine ? vs_job_weight(job->task.engine) : 0,
		.busy_ns = atomic64_read(&job->task.busy_ns),
		.fault = job->fault,
	};
}

static void dump_fill(const struct vshader_job *job, struct vshader_dump_src *src)
{
	static const struct vs_post nothing;

	src->isa = job->queue->isa;
	fill_device(job->queue->file->vdev, &src->device);
	fill_queue(job->queue, &src->queue);
	fill_job(job, &src->job);
	src->prog = job->prog ? job->prog->vs : NULL;
	src->args = &job->args;
	src->map = &job->map->vs;
	src->post = job->task.engine ? vs_job_get_post(job->task.engine) : &nothing;
}

static int dump_fill_states(const struct vshader_job *job, struct vshader_dump_src *src)
{
	const struct vshader_family *f = job->queue->family;
	void *states;

	if (!f->max_states)
		return 0;
	states = kvcalloc(f->max_states, f->state_size, GFP_DUMP);
	if (!states)
		return -ENOMEM;
	src->num_states = vshader_family_states(f, job->work, job->native, states);
	src->state_section = f->state_section;
	src->state_size = f->state_size;
	src->states = states;
	return 0;
}

static int dump_make(const struct vshader_job *job, void **buf, u64 *size)
{
	struct vshader_dump_src *src = kzalloc(sizeof(*src), GFP_DUMP);
	int ret;

	if (!src)
		return -ENOMEM;
	dump_fill(job, src);
	src->limit = (u64)min(vshader_dump_mb, MAX_MB) << 20;
	ret = dump_fill_states(job, src);
	if (ret)
		goto out_free;
	ret = vshader_dump_make(src, dump_alloc, buf, size);
	kvfree(src->states);
out_free:
	kfree(src);
	return ret;
}

u64 vshader_dump_job(const struct vshader_job *job, u64 memory, u32 sections, void *buf, u64 room)
{
	struct vshader_dump_src src = {
		.record = true, .memory = memory, .memory_sections = sections,
	};

	dump_fill(job, &src);
	return vshader_dump_record(&src, buf, room);
}

/* Works are in no memory control group: charge the client's. */
static int make_charged(const struct vshader_job *job, void **buf, u64 *size)
{
	struct mem_cgroup *old = set_active_memcg(job->queue->file->account->memcg);
	int ret = dump_make(job, buf, size);

	set_active_memcg(old);
	return ret;
}

void vshader_dump(struct vshader_job *job)
{
	struct vshader_device *vdev;
	void *buf;
	u64 size;

	if (job->fault.kind == DRM_VSHADER_FAULT_NONE ||
	    job->fault.kind == DRM_VSHADER_FAULT_CANCELED)
		return;
	vdev = job->queue->file->vdev;
	mutex_lock(&dump_lock);
	if (!dump_pending(vdev) && !make_charged(job, &buf, &size))
		dump_hand_over(vdev, buf, size);
	mutex_unlock(&dump_lock);
}
