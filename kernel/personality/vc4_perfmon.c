// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Performance monitors of the vc4 personality. A job that has one counts events in its slot; they
 * are added to the monitor when it is read, and before the slot is another job's.
 */
#include <linux/dma-fence.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "drm/vshader_args.h"
#include "drm/vshader_quota.h"
#include "personality/vc4.h"

/**
 * struct vc4_perfmon - Performance monitor.
 * @n: number of its counters
 * @events: events that they count
 * @values: counters; &vc4_file.lock protects them
 */
struct vc4_perfmon {
	u32 n;
	u8 events[DRM_VC4_MAX_PERF_COUNTERS];
	u64 values[DRM_VC4_MAX_PERF_COUNTERS];
};

/* A monitor is charged for so much, which its id is a part of. */
#define VC4_PERFMON_BYTES	(sizeof(struct vc4_perfmon) + 64)

static void vc4_perfmon_free(struct vc4_file *vf, struct vc4_perfmon *p)
{
	vshader_quota_uncharge(vf->base.acct, VC4_PERFMON_BYTES);
	kfree(p);
}

int vc4_perfmon_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vc4_perfmon_create *args = data;
	struct vc4_file *vf = to_vc4_file(file);
	struct vc4_perfmon *p;
	int ret;
	u32 i;

	if (!args->ncounters || args->ncounters > DRM_VC4_MAX_PERF_COUNTERS)
		return vshader_einval(drm, "%u counters, limit %u", args->ncounters,
				      DRM_VC4_MAX_PERF_COUNTERS);
	for (i = 0; i < args->ncounters; i++) {
		if (args->events[i] >= VC4_PERFCNT_NUM_EVENTS)
			return vshader_einval(drm, "event %u, limit %u", args->events[i],
					      VC4_PERFCNT_NUM_EVENTS);
	}
	ret = vshader_quota_charge(vf->base.acct, VC4_PERFMON_BYTES);
	if (ret)
		return ret;
	p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	if (!p) {
		vshader_quota_uncharge(vf->base.acct, VC4_PERFMON_BYTES);
		return -ENOMEM;
	}
	p->n = args->ncounters;
	memcpy(p->events, args->events, p->n);
	ret = xa_alloc(&vf->perfmons, &args->id, p, XA_LIMIT(VC4_MIN_PERFMON, VC4_MAX_PERFMON),
		       GFP_KERNEL_ACCOUNT);
	if (ret)
		vc4_perfmon_free(vf, p);
	return ret;
}

/* Add the counters of a job. */
static void vc4_perfmon_add(struct vc4_perfmon *p, const u8 *mem)
{
	u64 n;
	u32 i;

	for (i = 0; i < p->n; i++) {
		memcpy(&n, mem + VC4_COUNTERS_AT + p->events[i] * sizeof(n), sizeof(n));
		p->values[i] += n;
	}
}

void vc4_perfmons_collect(struct vc4_file *vf)
{
	struct vc4_perfmon *p;
	struct vc4_slot *s;
	u32 i;

	lockdep_assert_held(&vf->lock);
	for (i = 0; i < VC4_NUM_SLOTS; i++) {
		s = &vf->slots[i];
		if (!s->perfmon || !dma_fence_is_signaled(s->fence))
			continue;
		p = xa_load(&vf->perfmons, s->perfmon);
		/* as in the driver, nothing of jobs that fail */
		if (p && dma_fence_get_status(s->fence) > 0)
			vc4_perfmon_add(p, vc4_slot_mem(s));
		s->perfmon = 0;
	}
}

int vc4_perfmon_destroy(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_vc4_perfmon_destroy *args = data;
	struct vc4_file *vf = to_vc4_file(file);
	struct vc4_perfmon *p;
	u32 i;
	int ret;

	ret = mutex_lock_interruptible(&vf->lock);
	if (ret)
		return ret;
	p = xa_erase(&vf->perfmons, args->id);
	/* the id may be used again before its jobs end */
	for (i = 0; p && i < VC4_NUM_SLOTS; i++)
		if (vf->slots[i].perfmon == args->id)
			vf->slots[i].perfmon = 0;
	mutex_unlock(&vf->lock);
	if (!p)
		return vshader_einval(drm, "no perfmon %u", args->id);
	vc4_perfmon_free(vf, p);
	return 0;
}

bool vc4_perfmon_exists(struct vc4_file *vf, u32 id)
{
	return xa_load(&vf->perfmons, id);
}

int vc4_perfmon_get_values(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_vc4_perfmon_get_values *args = data;
	struct vc4_file *vf = to_vc4_file(file);
	const struct vc4_perfmon *p;
	struct vc4_perfmon copy;
	int ret;

	ret = mutex_lock_interruptible(&vf->lock);
	if (ret)
		return ret;
	vc4_perfmons_collect(vf);
	p = xa_load(&vf->perfmons, args->id);
	if (p)
		copy = *p;
	mutex_unlock(&vf->lock);
	if (!p)
		return vshader_einval(drm, "no perfmon %u", args->id);
	return copy_to_user(u64_to_user_ptr(args->values_ptr), copy.values,
			    copy.n * sizeof(u64)) ? -EFAULT : 0;
}

void vc4_perfmons_fini(struct vc4_file *vf)
{
	struct vc4_perfmon *p;
	unsigned long id;

	xa_for_each(&vf->perfmons, id, p)
		vc4_perfmon_free(vf, p);
	xa_destroy(&vf->perfmons);
}
