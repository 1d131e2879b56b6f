// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Fault injection
 *
 * Each kind of fault has an attribute of the kernel's fault injection framework in the device's
 * debugfs folder. All of them are evaluated in SUBMIT, in the context of the submitting
 * process, so that task filters apply to it and everything that a fault needs is allocated
 * before the job is armed. A job without faults has no &struct vshader_injected.
 *
 * Fences signal in bounded time whatever is injected: a job that hangs ends at its time
 * limit, a completion is delayed or lost for at most %VSHADER_MAX_TIME_MS.
 *
 * The framework's fail-nth counts every call of should_fail(), also for attributes that are
 * off. They are not asked then: fail-nth is for allocations.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/dma-fence.h>
#include <linux/err.h>
#include <linux/fault-inject.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <drm/drm_managed.h>

#include "vshader_device.h"
#include "vshader_exec.h"
#include "vshader_inject.h"
#include "vshader_queue.h"
#include "vshader_trace.h"
#include "vshader_vm.h"

/* Time that a hanging job takes instead of executing a slice, microseconds. */
#define HANG_US		50

/* The largest number of an error that userspace may see. */
#define MAX_USER_ERRNO	511U

/**
 * struct vshader_inject - Attributes of a device.
 * @wq: completes jobs late; has a rescuer, as fences depend on it
 * @attr: one attribute for each kind
 * @submit_errno: error of FAIL_SUBMIT
 * @page: address in the page of FAULT_PAGE, 0: all pages
 * @delay_ms: DELAY_COMPLETION
 * @corrupt_va: address of CORRUPT_BUFFER, 0: the job's result record
 * @corrupt_mask: bits that it flips
 */
struct vshader_inject {
	struct workqueue_struct *wq;
	struct fault_attr attr[VSHADER_NUM_INJECTS];
	u32 submit_errno;
	u64 page;
	u32 delay_ms;
	u64 corrupt_va;
	u32 corrupt_mask;
};

/**
 * struct vshader_injected - Faults of one job.
 * @job: job
 * @kinds: bits of enum vshader_inject_kind
 * @page: first address of the page of FAULT_PAGE
 * @corrupt_va: address of the word of CORRUPT_BUFFER
 * @corrupt_mask: bits that it flips
 * @delay_ms: how late the job is completed, 0 once it is
 * @slot: its slot while its completion is late
 * @late: completes it
 */
struct vshader_injected {
	struct vshader_job *job;
	u32 kinds;
	u64 page;
	u64 corrupt_va;
	u32 corrupt_mask;
	u32 delay_ms;
	struct vshader_slot *slot;
	struct delayed_work late;
};

static bool inject_has(const struct vshader_job *job, enum vshader_inject_kind kind)
{
	return job->injected->kinds & BIT(kind);
}

static void inject_trace(const struct vshader_job *job, enum vshader_inject_kind kind, u64 value)
{
	trace_vshader_inject(job->queue->file->client_id, job->queue->context, job->number, kind,
			     value);
}

static bool inject_draw(struct vshader_inject *inj, enum vshader_inject_kind kind)
{
	struct fault_attr *attr = &inj->attr[kind];

	return READ_ONCE(attr->probability) && should_fail(attr, 1);
}

/* ---- submit ---- */

int vshader_inject_submit(struct vshader_file *vf)
{
	struct vshader_inject *inj = vf->vdev->inject;
	u32 err;

	if (!inject_draw(inj, VSHADER_INJECT_FAIL_SUBMIT))
		return 0;
	err = clamp(READ_ONCE(inj->submit_errno), 1U, MAX_USER_ERRNO);
	trace_vshader_inject(vf->client_id, 0, 0, VSHADER_INJECT_FAIL_SUBMIT, err);
	return -(int)err;
}

/* Take a range out of an address space, but for the pages of the job's result. */
static int unmap_range(const struct vshader_job *job, struct vshader_edit *edit, u64 lo, u64 hi)
{
	u64 keep = round_down(job->result_va, PAGE_SIZE);
	u64 end = round_up(job->result_va + sizeof(struct drm_vshader_job_result), PAGE_SIZE);
	int ret;

	if (!job->result_va)
		return vshader_edit_unmap(edit, lo, hi - lo);
	if (lo < min(hi, keep)) {
		ret = vshader_edit_unmap(edit, lo, min(hi, keep) - lo);
		if (ret)
			return ret;
	}
	if (max(lo, end) >= hi)
		return 0;
	return vshader_edit_unmap(edit, max(lo, end), hi - max(lo, end));
}

/* The job's address space without the page, or without any. */
static struct vshader_map *map_without(const struct vshader_job *job, u64 page)
{
	struct vshader_edit edit;
	int ret;

	vshader_edit_begin(&edit, job->queue->vm, job->map);
	if (page)
		ret = unmap_range(job, &edit, page, page + PAGE_SIZE);
	else
		ret = unmap_range(job, &edit, 0, vshader_vm_limit(job->queue->vm));
	if (ret) {
		vshader_edit_abort(&edit);
		return ERR_PTR(ret);
	}
	return vshader_map_new(&edit);
}

static int take_page(struct vshader_job *job, u64 page)
{
	struct vshader_map *map;

	if (page >= vshader_vm_limit(job->queue->vm))
		return 0;
	map = map_without(job, page);
	if (IS_ERR(map))
		return PTR_ERR(map);
	vshader_map_put(job->map);
	job->map = map;
	return 0;
}

static void complete_late(struct work_struct *work)
{
	struct vshader_injected *in = container_of(to_delayed_work(work), struct vshader_injected,
						   late);
	bool cookie = dma_fence_begin_signalling();

	/* the last use of the job and of this */
	vshader_exec_complete(&in->job->task, in->slot);
	dma_fence_end_signalling(cookie);
}

static u32 delay_of(const struct vshader_inject *inj, const struct vshader_job *job, u32 kinds)
{
	u32 ms = 0;

	if (kinds & BIT(VSHADER_INJECT_DELAY_COMPLETION))
		ms = READ_ONCE(inj->delay_ms);
	if (kinds & BIT(VSHADER_INJECT_LOSE_COMPLETION))
		ms = job->queue->fifo.time_limit_ms;
	return min(ms, VSHADER_MAX_TIME_MS);
}

int vshader_inject_job(struct vshader_job *job)
{
	struct vshader_inject *inj = job->queue->file->vdev->inject;
	struct vshader_injected *in;
	u32 kind, kinds = 0;

	for (kind = VSHADER_INJECT_HANG_JOB; kind < VSHADER_NUM_INJECTS; kind++)
		kinds |= inject_draw(inj, kind) ? BIT(kind) : 0;
	if (!kinds)
		return 0;
	in = kzalloc(sizeof(*in), GFP_KERNEL_ACCOUNT);
	if (!in)
		return -ENOMEM;
	in->job = job;
	in->kinds = kinds;
	in->page = READ_ONCE(inj->page) & PAGE_MASK;
	in->corrupt_va = READ_ONCE(inj->corrupt_va) ?: job->result_va;
	in->corrupt_mask = READ_ONCE(inj->corrupt_mask);
	in->delay_ms = delay_of(inj, job, kinds);
	INIT_DELAYED_WORK(&in->late, complete_late);
	job->injected = in;
	return kinds & BIT(VSHADER_INJECT_FAULT_PAGE) ? take_page(job, in->page) : 0;
}

/* ---- execution ---- */

void vshader_injected_start(const struct vshader_job *job)
{
	if (inject_has(job, VSHADER_INJECT_HANG_JOB))
		inject_trace(job, VSHADER_INJECT_HANG_JOB, job->queue->fifo.time_limit_ms);
	if (inject_has(job, VSHADER_INJECT_FAULT_PAGE))
		inject_trace(job, VSHADER_INJECT_FAULT_PAGE, job->injected->page);
}

bool vshader_injected_hangs(const struct vshader_job *job)
{
	if (!inject_has(job, VSHADER_INJECT_HANG_JOB) || vs_job_is_ending(job->task.engine))
		return false;
	udelay(HANG_US);
	return true;
}

bool vshader_injected_end(struct vshader_job *job, struct vshader_slot *slot)
{
	struct vshader_injected *in = job->injected;
	u32 ms = in->delay_ms;

	if (!ms || job->task.cancel)
		return false;
	inject_trace(job, inject_has(job, VSHADER_INJECT_LOSE_COMPLETION) ?
		     VSHADER_INJECT_LOSE_COMPLETION : VSHADER_INJECT_DELAY_COMPLETION, ms);
	in->delay_ms = 0;
	in->slot = slot;
	queue_delayed_work(job->queue->file->vdev->inject->wq, &in->late, msecs_to_jiffies(ms));
	return true;
}

static bool is_injected(const struct vshader_job *job, u32 kind)
{
	switch (kind) {
	case VS_FAULT_READ:
	case VS_FAULT_WRITE:
	case VS_FAULT_FETCH:
		return inject_has(job, VSHADER_INJECT_FAULT_PAGE);
	case VS_FAULT_TIMEOUT:
		return inject_has(job, VSHADER_INJECT_HANG_JOB) ||
		       inject_has(job, VSHADER_INJECT_LOSE_COMPLETION);
	default:
		return false;
	}
}

void vshader_injected_fault(const struct vshader_job *job, struct vs_fault *fault)
{
	if (inject_has(job, VSHADER_INJECT_LOSE_COMPLETION) && fault->kind == VS_FAULT_NONE)
		vs_fault_init(fault, VS_FAULT_TIMEOUT);
	if (is_injected(job, fault->kind))
		fault->info |= DRM_VSHADER_FAULT_INJECTED;
}

void vshader_injected_result(const struct vshader_job *job)
{
	const struct vshader_injected *in = job->injected;
	const struct vs_map *map = &job->map->vs;
	u32 word;

	if (!inject_has(job, VSHADER_INJECT_CORRUPT_BUFFER) || !in->corrupt_va)
		return;
	if (vs_map_read(map, in->corrupt_va, &word, sizeof(word)) != sizeof(word))
		return;
	word ^= in->corrupt_mask;
	if (vs_map_write(map, in->corrupt_va, &word, sizeof(word)) == sizeof(word))
		inject_trace(job, VSHADER_INJECT_CORRUPT_BUFFER, in->corrupt_va);
}

/* ---- the device ---- */

static void inject_fini(struct drm_device *drm, void *data)
{
	struct vshader_inject *inj = data;
	u32 i;

	destroy_workqueue(inj->wq);
	/* fault_create_debugfs_attr() takes a reference that is not dropped elsewhere */
	for (i = 0; i < VSHADER_NUM_INJECTS; i++)
		dput(inj->attr[i].dname);
}

int vshader_inject_init(struct vshader_device *vdev)
{
	struct vshader_inject *inj = drmm_kzalloc(&vdev->drm, sizeof(*inj), GFP_KERNEL);
	u32 i;

	if (!inj)
		return -ENOMEM;
	for (i = 0; i < VSHADER_NUM_INJECTS; i++) {
		inj->attr[i] = (struct fault_attr)FAULT_ATTR_INITIALIZER;
		/* a line in the log, no stack trace: it is always that of SUBMIT */
		inj->attr[i].verbose = 1;
	}
	inj->submit_errno = ENOMEM;
	inj->delay_ms = 100;
	inj->corrupt_mask = 1;
	inj->wq = alloc_workqueue("%s-inject", WQ_UNBOUND | WQ_MEM_RECLAIM, 0,
				  dev_name(vdev->drm.dev));
	if (!inj->wq)
		return -ENOMEM;
	vdev->inject = inj;
	return drmm_add_action_or_reset(&vdev->drm, inject_fini, inj);
}

void vshader_inject_debugfs(struct vshader_device *vdev, struct dentry *dir)
{
	static const char * const names[] = {
		[VSHADER_INJECT_FAIL_SUBMIT] = "fail_submit",
		[VSHADER_INJECT_HANG_JOB] = "hang_job",
		[VSHADER_INJECT_FAULT_PAGE] = "fault_page",
		[VSHADER_INJECT_DELAY_COMPLETION] = "delay_completion",
		[VSHADER_INJECT_LOSE_COMPLETION] = "lose_completion",
		[VSHADER_INJECT_CORRUPT_BUFFER] = "corrupt_buffer",
	};
	struct vshader_inject *inj = vdev->inject;
	struct dentry *sub[VSHADER_NUM_INJECTS];
	u32 i;

	BUILD_BUG_ON(ARRAY_SIZE(names) != VSHADER_NUM_INJECTS);
	for (i = 0; i < VSHADER_NUM_INJECTS; i++) {
		sub[i] = fault_create_debugfs_attr(names[i], dir, &inj->attr[i]);
		if (IS_ERR(sub[i]))
			return;
	}
	debugfs_create_u32("errno", 0600, sub[VSHADER_INJECT_FAIL_SUBMIT], &inj->submit_errno);
	debugfs_create_x64("address", 0600, sub[VSHADER_INJECT_FAULT_PAGE], &inj->page);
	debugfs_create_u32("delay_ms", 0600, sub[VSHADER_INJECT_DELAY_COMPLETION],
			   &inj->delay_ms);
	debugfs_create_x64("address", 0600, sub[VSHADER_INJECT_CORRUPT_BUFFER],
			   &inj->corrupt_va);
	debugfs_create_x32("mask", 0600, sub[VSHADER_INJECT_CORRUPT_BUFFER],
			   &inj->corrupt_mask);
}
