// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Shader jobs of the PICA engine: from the engine block to the launch record.
 */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <drm/drm_print.h>

#include "isa/pica/pica_launch.h"
#include "drm/vshader_args.h"
#include "drm/vshader_device.h"
#include "drm/vshader_job.h"
#include "drm/vshader_program.h"
#include "drm/vshader_queue.h"

static int check_block(const struct vshader_job *job, const struct drm_vshader_pica_job *b)
{
	int ret = 0;

	if (b->pad || b->num_float_uniforms > PICA_FLOAT_UNIFORMS)
		return -EINVAL;
	if (b->float_format != DRM_VSHADER_FORMAT_F32 && b->float_format != DRM_VSHADER_FORMAT_F24)
		return -EINVAL;
	if (job->prog->vs->src.stage == VS_STAGE_GEOMETRY)
		ret = vshader_job_check_va(job, b->prims_va, 1);
	if (!ret && b->prim_info_va)
		ret = vshader_job_check_va(job, b->prim_info_va, 1);
	return ret;
}

static int fill(struct vshader_job *job, const struct drm_vshader_pica_job *b,
		const u32 *floats, u32 entry, struct vs_launch *l)
{
	struct pica_launch pl = {
		.model = b->model,
		.switches = b->switches,
		.floats = (const u32 (*)[4])floats,
		.nfloats = b->num_float_uniforms,
		.floats_f24 = b->float_format == DRM_VSHADER_FORMAT_F24,
		.bools = b->bool_uniforms,
		.output_mask = b->output_mask,
		.max_prims = b->max_prims,
		.prims_va = b->prims_va,
		.prim_info_va = b->prim_info_va,
	};
	const char *what = NULL;
	int ret;

	BUILD_BUG_ON(sizeof(pl.ints) != sizeof(b->int_uniforms));
	memcpy(pl.ints, b->int_uniforms, sizeof(pl.ints));
	ret = pica_launch_fill(job->prog->vs, &pl, l, entry, job->unif, &what);
	if (ret)
		drm_dbg(&job->queue->file->vdev->drm, "bad %s\n", what ?: "PICA block");
	return ret;
}

/**
 * vshader_pica_launch - complete a launch record
 * @job: job with program and memory for uniforms
 * @desc: its descriptor
 * @l: launch record with range and streams
 *
 * Return: 0 or an error.
 */
int vshader_pica_launch(struct vshader_job *job, const struct drm_vshader_shader_job *desc,
			struct vs_launch *l)
{
	struct drm_vshader_pica_job b;
	u32 *floats = NULL;
	int ret;

	ret = vshader_copy_struct(&b, sizeof(b), desc->engine_block, desc->engine_block_size,
				  offsetofend(struct drm_vshader_pica_job, prim_info_va));
	if (!ret)
		ret = check_block(job, &b);
	if (ret)
		return ret;
	if (b.num_float_uniforms) {
		floats = vshader_copy_words(b.float_uniforms, b.num_float_uniforms * 4);
		if (IS_ERR(floats))
			return PTR_ERR(floats);
	}
	ret = fill(job, &b, floats, desc->entry, l);
	kvfree(floats);
	return ret;
}
