// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * QPU engine: shader jobs, and what is left of a machine when its job has ended.
 */
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/slab.h>

#include <drm/drm_print.h>

#include "isa/qpu/qpu_launch.h"
#include "native/qpu/qpu_list.h"
#include "drm/vshader_args.h"
#include "drm/vshader_device.h"
#include "drm/vshader_job.h"
#include "drm/vshader_program.h"
#include "vshader_qpu.h"
#include "vshader_qpu_conv.h"
#include "drm/vshader_queue.h"
#include "drm/vshader_vm.h"

static const char * const waits[] = {
	[DRM_VSHADER_QPU_WAIT_NONE] = "running",
	[DRM_VSHADER_QPU_WAIT_IDLE] = "idle",
	[DRM_VSHADER_QPU_WAIT_SEMA_INC] = "release of semaphore",
	[DRM_VSHADER_QPU_WAIT_SEMA_DEC] = "acquire of semaphore",
	[DRM_VSHADER_QPU_WAIT_MUTEX] = "mutex, held by QPU",
	[DRM_VSHADER_QPU_WAIT_SCOREBOARD] = "scoreboard",
};

const char *vshader_qpu_wait_name(u32 wait)
{
	return wait < ARRAY_SIZE(waits) ? waits[wait] : "unknown";
}

/* What other engines use and this one does not. */
static int check_desc(const struct drm_vshader_shader_job *d)
{
	if (d->entry || d->first || d->instances || d->index_type || d->index_va ||
	    d->attributes.count || d->outputs.count || d->pad)
		return -EINVAL;
	return d->count > QPU_MAX_THREADS ? -E2BIG : 0;
}

static int check_block(const struct vshader_job *job, const struct drm_vshader_shader_job *d,
		       const struct drm_vshader_qpu_job *b)
{
	if (b->threads.count != d->count)
		return -EINVAL;
	/* the machine's fields are narrower */
	if (b->width > U16_MAX || b->height > U16_MAX)
		return -EINVAL;
	if (vshader_job_check_va(job, b->color_va, 0))
		return -EINVAL;
	return vshader_job_check_va(job, b->zs_va, 0);
}

static struct qpu_thread *copy_threads(const struct drm_vshader_obj_array *array)
{
	struct drm_vshader_qpu_thread *in;
	struct qpu_thread *out;
	u32 i;

	in = VSHADER_COPY_ARRAY(array, QPU_MAX_THREADS, struct drm_vshader_qpu_thread, pad, NULL);
	if (IS_ERR(in))
		return ERR_CAST(in);
	out = kvcalloc(max(array->count, 1U), sizeof(*out), GFP_KERNEL_ACCOUNT);
	if (!out)
		out = ERR_PTR(-ENOMEM);
	for (i = 0; i < array->count && !IS_ERR(out); i++) {
		if (in[i].pad) {
			kvfree(out);
			out = ERR_PTR(-EINVAL);
			break;
		}
		vshader_qpu_thread_in(&out[i], &in[i]);
	}
	kvfree(in);
	return out;
}

static int make_machine(struct vshader_job *job, const struct drm_vshader_qpu_job *b,
			const struct qpu_thread *threads)
{
	struct qpu_launch l = vshader_qpu_launch_in(b, &job->map->vs, threads);
	const char *what = "";
	int ret;

	ret = qpu_launch_program(job->prog->vs, &l, b->model, VSHADER_MAX_JOB_MEMORY, &what,
				 &job->qpu);
	if (ret == -EINVAL)
		drm_dbg(&job->queue->file->vdev->drm, "bad %s\n", what);
	return ret;
}

int vshader_qpu_init(struct vshader_job *job, const struct drm_vshader_shader_job *desc)
{
	struct drm_vshader_qpu_job b;
	struct qpu_thread *threads;
	int ret;

	ret = check_desc(desc);
	if (!ret)
		ret = vshader_copy_struct(&b, sizeof(b), desc->engine_block,
					  desc->engine_block_size,
					  offsetofend(struct drm_vshader_qpu_job, depth));
	if (!ret)
		ret = check_block(job, desc, &b);
	if (ret)
		return ret;
	threads = copy_threads(&b.threads);
	if (IS_ERR(threads))
		return PTR_ERR(threads);
	if (desc->count)
		ret = make_machine(job, &b, threads);
	kvfree(threads);
	if (ret || !desc->count)
		return ret;
	ret = vshader_job_set_engine(job, &job->map->vs, 1);
	return ret ?: qpu_job_add(job->qpu, job->engine);
}

static const struct qpu_job *job_machine(const struct vshader_job *job)
{
	if (job->qpu || !job->native || job->native_desc.format != DRM_VSHADER_NATIVE_QPU_LIST)
		return job->qpu;
	return qpu_list_machine(job->native);
}

void vshader_qpu_get_states(const struct vshader_job *job, struct vshader_qpu_states *out)
{
	const struct qpu_job *m = job_machine(job);

	out->n = 0;
	if (!m)
		return;
	vshader_qpu_states_out(m, out->s);
	out->n = QPU_NUM;
}

u32 vshader_qpu_stray_reads(const struct vshader_job *job)
{
	const struct qpu_job *m = job_machine(job);
	struct qpu_counters c;

	if (!m)
		return 0;
	qpu_job_get_counters(m, &c);
	return min_t(u64, c.stray_reads, U32_MAX);
}
