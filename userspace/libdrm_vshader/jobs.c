// SPDX-License-Identifier: MIT
/*
 * Programs, queues, submission and synchronisation.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "priv.h"
#include "program.h"

/* ---- programs ---- */

int vshader_program_create(struct vshader_device *dev, const struct vshader_source *src,
			   struct vshader_diag *diag, uint32_t *id)
{
	struct drm_vshader_program_section sections[VSHADER_NUM_SECTIONS] = { };
	struct drm_vshader_program_create args = {
		.engine = src->engine,
		.stage = src->stage,
		.entries = (uintptr_t)src->entries,
		.num_entries = src->num_entries,
		.log = diag ? (uintptr_t)diag->log : 0,
		.log_size = diag && diag->log ? diag->log_size : 0,
	};
	uint32_t i, n = 0;
	char text[400];
	int ret;

	for (i = 0; i < VSHADER_NUM_SECTIONS; i++) {
		if (!src->num_words[i] && i != DRM_VSHADER_SECTION_CODE)
			continue;
		sections[n].type = i;
		sections[n].data = (uintptr_t)src->words[i];
		sections[n].size = 4ull * src->num_words[i];
		n++;
	}
	args.sections = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(n, sections);
	ret = vshader_ioctl(dev, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &args);
	if (diag) {
		diag->reject = args.reject;
		diag->log_len = diag->log && args.log_size ? args.log_size - 1 : 0;
		diag->warnings = 0;
	}
	if (ret == -ENOEXEC)
		vsh_fail(ENOEXEC, "program rejected: %s",
			 vshader_reject_text(src->engine, &args.reject, text, sizeof(text)));
	if (ret)
		return ret;
	*id = args.id;
	if (!diag)
		return 0;
	ret = vsh_program_lint(src, diag);
	if (ret)
		vshader_program_destroy(dev, *id);
	return ret;
}

int vshader_program_destroy(struct vshader_device *dev, uint32_t id)
{
	struct drm_vshader_program_destroy args = { .id = id };

	return vshader_ioctl(dev, DRM_IOCTL_VSHADER_PROGRAM_DESTROY, &args);
}

int vshader_program_query(struct vshader_device *dev, uint32_t id,
			  struct drm_vshader_program_info *info)
{
	struct drm_vshader_program_query args = {
		.id = id,
		.size = sizeof(*info),
		.pointer = (uintptr_t)info,
	};

	return vshader_ioctl(dev, DRM_IOCTL_VSHADER_PROGRAM_QUERY, &args);
}

/* ---- queues ---- */

int vshader_queue_create(struct vshader_device *dev, const struct vshader_queue_params *params,
			 uint32_t *id)
{
	struct drm_vshader_queue_create args = {
		.engine = params->engine,
		.vm_id = params->vm,
		.priority = params->priority ? params->priority - 1 : DRM_VSHADER_PRIORITY_MEDIUM,
		.budget = params->budget,
		.time_limit_ms = params->time_limit_ms,
	};
	int ret = vshader_ioctl(dev, DRM_IOCTL_VSHADER_QUEUE_CREATE, &args);

	if (!ret)
		*id = args.id;
	return ret;
}

int vshader_queue_destroy(struct vshader_device *dev, uint32_t id)
{
	struct drm_vshader_queue_destroy args = { .id = id };

	return vshader_ioctl(dev, DRM_IOCTL_VSHADER_QUEUE_DESTROY, &args);
}

int vshader_queue_get_state(struct vshader_device *dev, uint32_t id,
			    struct drm_vshader_queue_get_state *state)
{
	*state = (struct drm_vshader_queue_get_state){ .id = id };
	return vshader_ioctl(dev, DRM_IOCTL_VSHADER_QUEUE_GET_STATE, state);
}

/* ---- submission ---- */

int vshader_submit(struct vshader_device *dev, const struct drm_vshader_job *jobs,
		   uint32_t num_jobs, uint32_t *failed_job, struct drm_vshader_fault *fault)
{
	struct drm_vshader_submit args = {
		.jobs = DRM_VSHADER_OBJ_ARRAY(num_jobs, jobs),
	};
	char text[256];
	int ret = vshader_ioctl(dev, DRM_IOCTL_VSHADER_SUBMIT, &args);

	if (failed_job)
		*failed_job = args.failed_job;
	if (fault)
		*fault = args.fault;
	if (ret == -ENOEXEC)
		vsh_fail(ENOEXEC, "native job rejected: %s",
			 vshader_fault_text(&args.fault, text, sizeof(text)));
	if (ret && num_jobs > 1)
		vsh_fail_prefix("job %u of %u: ", args.failed_job, num_jobs);
	return ret;
}

_Thread_local bool vsh_waits_next;

/*
 * Two ioctls less per job: a submit replaces the fence of a sync object that was used before.
 * In-process they cost nothing.
 */
static int take_sync(struct vshader_device *dev, uint32_t *handle)
{
	*handle = __atomic_exchange_n(&dev->spare_sync, 0, __ATOMIC_ACQ_REL);
	return *handle ? 0 : vshader_sync_create(dev, false, handle);
}

static void keep_sync(struct vshader_device *dev, uint32_t handle)
{
	uint32_t none = 0;

	if (dev->local || !__atomic_compare_exchange_n(&dev->spare_sync, &none, handle, false,
						       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		vshader_sync_destroy(dev, handle);
}

int vshader_submit_wait(struct vshader_device *dev, const struct drm_vshader_job *job,
			int64_t timeout_ns)
{
	uint32_t n = job->syncs.count, handle, i;
	struct drm_vshader_sync *syncs;
	struct drm_vshader_job copy = *job;
	int ret;

	syncs = calloc(n + 1, sizeof(*syncs));
	if (!syncs)
		return vsh_fail(ENOMEM, "out of memory");
	for (i = 0; i < n; i++)
		memcpy(&syncs[i], (char *)(uintptr_t)job->syncs.array +
		       (size_t)i * job->syncs.stride,
		       job->syncs.stride < sizeof(*syncs) ? job->syncs.stride : sizeof(*syncs));
	ret = take_sync(dev, &handle);
	if (ret)
		goto free;
	syncs[n].flags = DRM_VSHADER_SYNC_SIGNAL;
	syncs[n].handle = handle;
	copy.syncs = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(n + 1, syncs);
	vsh_waits_next = true;
	ret = vshader_submit(dev, &copy, 1, NULL, NULL);
	if (!ret)
		ret = vshader_sync_wait(dev, handle, 0, timeout_ns);
	vsh_waits_next = false;
	keep_sync(dev, handle);
free:
	free(syncs);
	return ret;
}

/* ---- synchronisation ---- */

int vshader_sync_create(struct vshader_device *dev, bool signaled, uint32_t *handle)
{
	return dev->backend->sync_create(dev, signaled, handle);
}

int vshader_sync_destroy(struct vshader_device *dev, uint32_t handle)
{
	return dev->backend->sync_destroy(dev, handle);
}

int vshader_sync_reset(struct vshader_device *dev, uint32_t handle)
{
	return dev->backend->sync_reset(dev, handle);
}

int vshader_sync_signal(struct vshader_device *dev, uint32_t handle, uint64_t point)
{
	return dev->backend->sync_signal(dev, handle, point);
}

int vshader_sync_wait(struct vshader_device *dev, uint32_t handle, uint64_t point,
		      int64_t timeout_ns)
{
	return dev->backend->sync_wait(dev, handle, point, vsh_deadline(timeout_ns));
}

int vshader_sync_query(struct vshader_device *dev, uint32_t handle, uint64_t *point)
{
	return dev->backend->sync_query(dev, handle, point);
}
