// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The vc4 interface without DRM.
 */
#include "engine/vs_job.h"
#include "personality/vc4_gpu.h"
#include "personality/vc4_uapi.h"

/* "V3D", version 2; three slices of four QPUs, two TMUs each, 16 semaphores, in IDENT1 */
#define IDENT0		0x02443356U
#define IDENT1		0x00102430U
#define IDENT2		0x00000121U

static const struct vc4_gpu gpus[] = {
	{ "vc4", "brcm,bcm2835-v3d", IDENT1 | 1 },
	{ "cygnus", "brcm,cygnus-v3d", IDENT1 | 6 },
};

/* Flags of SUBMIT_CL that say the order of tiles, which has no effect. */
#define ORDER_FLAGS	(VC4_SUBMIT_CL_FIXED_RCL_ORDER | VC4_SUBMIT_CL_RCL_ORDER_INCREASING_X | \
			 VC4_SUBMIT_CL_RCL_ORDER_INCREASING_Y)

static_assert(VC4_BIN_JOB_WORDS * sizeof(u32) <= VC4_RENDER_AT - VC4_BIN_AT);
static_assert(VC4_RENDER_DESC_WORDS * sizeof(u32) <= VC4_COUNTERS_AT - VC4_RENDER_AT);
static_assert(VC4_EXEC_AT - VC4_COUNTERS_AT >= VC4_COUNTER_BYTES);
static_assert((int)VC4_NUM_EVENTS == VC4_PERFCNT_NUM_EVENTS);
static_assert((int)VC4_EV_PRIMS == VC4_PERFCNT_FEP_VALID_PRIMS_RENDER);
static_assert((int)VC4_EV_COLOR == VC4_PERFCNT_TLB_QUADS_WRITTEN_TO_COLOR_BUF);
static_assert((int)VC4_EV_TEXTURE_QUADS == VC4_PERFCNT_TMU_TOTAL_TEXT_QUADS_PROCESSED);
static_assert((int)VC4_FRAME_CLEAR == VC4_SUBMIT_CL_USE_CLEAR_COLOR);

const struct vc4_gpu *vc4_gpu_find(const char *name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(gpus); i++) {
		if (!strcmp(gpus[i].name, name))
			return &gpus[i];
	}
	return NULL;
}

int vc4_gpu_param(const struct vc4_gpu *gpu, u32 param, u64 *value)
{
	switch (param) {
	case DRM_VC4_PARAM_V3D_IDENT0:
		*value = IDENT0;
		return 0;
	case DRM_VC4_PARAM_V3D_IDENT1:
		*value = gpu->ident1;
		return 0;
	case DRM_VC4_PARAM_V3D_IDENT2:
		*value = IDENT2;
		return 0;
	case DRM_VC4_PARAM_SUPPORTS_BRANCHES:
	case DRM_VC4_PARAM_SUPPORTS_ETC1:
	case DRM_VC4_PARAM_SUPPORTS_THREADED_FS:
	case DRM_VC4_PARAM_SUPPORTS_FIXED_RCL_ORDER:
	case DRM_VC4_PARAM_SUPPORTS_MADVISE:
	case DRM_VC4_PARAM_SUPPORTS_PERFMON:
		*value = 1;
		return 0;
	default:
		return -EINVAL;
	}
}

void vc4_place(u64 size, bool noexec, struct pers_place *place)
{
	*place = (struct pers_place){
		.start = VC4_VA_START,
		.end = VC4_VA_OWN,
		.size = size,
		.align = 4096,
		.flags = VS_EXT_WRITE | VS_EXT_EXEC,
	};
}

void vc4_own_place(u64 size, struct pers_place *place)
{
	*place = (struct pers_place){
		.start = VC4_VA_OWN,
		.end = VC4_VA_END,
		.size = size,
		.align = 4096,
		.flags = VS_EXT_WRITE,
	};
}

u32 vc4_engine(void)
{
	return DRM_VSHADER_ENGINE_QPU;
}

void vc4_native_job(bool render, u8 *mem, u64 va, const u32 *words, u32 n, bool count,
		    struct drm_vshader_native_job *job)
{
	u32 at = render ? VC4_RENDER_AT : VC4_BIN_AT;

	memcpy(mem + at, words, n * sizeof(*words));
	memset(job, 0, sizeof(*job));
	job->format = render ? DRM_VSHADER_NATIVE_VC4_RENDER : DRM_VSHADER_NATIVE_VC4_BIN;
	job->va = va + at;
	job->size = n * sizeof(*words);
	if (!count)
		return;
	memset(mem + VC4_COUNTERS_AT, 0, VC4_COUNTER_BYTES);
	job->output_va = va + VC4_COUNTERS_AT;
	job->output_size = VC4_COUNTER_BYTES;
}

int vc4_check_submit(const struct drm_vc4_submit_cl *args)
{
	if (args->flags & ~(VC4_SUBMIT_CL_USE_CLEAR_COLOR | ORDER_FLAGS))
		return -EINVAL;
	return args->pad2 ? -EINVAL : 0;
}

void vc4_job_sizes(const struct drm_vc4_submit_cl *args, struct vc4_val_job *job)
{
	job->nbos = args->bo_handle_count;
	job->list_bytes = args->bin_cl_size;
	job->record_bytes = args->shader_rec_size;
	job->max_records = args->shader_rec_count;
	job->uniform_bytes = args->uniforms_size;
	job->slot_bytes = VC4_SLOT_BYTES;
}

static void vc4_make_frame(const struct drm_vc4_submit_cl *args, struct vc4_val_frame *frame)
{
	const struct drm_vc4_submit_rcl_surface *surface[] = {
		[VC4_COLOR_READ] = &args->color_read,
		[VC4_COLOR_WRITE] = &args->color_write,
		[VC4_ZS_READ] = &args->zs_read,
		[VC4_ZS_WRITE] = &args->zs_write,
		[VC4_MSAA_COLOR_WRITE] = &args->msaa_color_write,
		[VC4_MSAA_ZS_WRITE] = &args->msaa_zs_write,
	};
	u32 i;

	*frame = (struct vc4_val_frame){
		.width = args->width,
		.height = args->height,
		.min_x = args->min_x_tile,
		.min_y = args->min_y_tile,
		.max_x = args->max_x_tile,
		.max_y = args->max_y_tile,
		.flags = args->flags & VC4_FRAME_CLEAR,
		.clear = { args->clear_color[0], args->clear_color[1], args->clear_z,
			   args->clear_s },
	};
	for (i = 0; i < VC4_NUM_SURFACES; i++)
		frame->surface[i] = (struct vc4_val_surface){
			.bo = surface[i]->hindex,
			.offset = surface[i]->offset,
			.bits = surface[i]->bits,
			.flags = surface[i]->flags,
		};
}

void vc4_bin_words(const struct vc4_val_job *job, u32 more_va, u32 *words)
{
	words[VC4_BIN_START] = job->start;
	words[VC4_BIN_END] = job->end;
	words[VC4_BIN_WORDS] = more_va;
	words[VC4_BIN_WORDS + 1] = VC4_MORE_BYTES;
}

/* The first column or row that is not binned, if it is outside of the image. */
static bool vc4_is_beyond(u32 last, u32 binned, u32 side, u32 pixels)
{
	return last == binned && binned * side >= pixels;
}

/* Leave out tiles that are not binned and outside of the image. Return: none is left. */
static bool vc4_clip_frame(struct vc4_val_frame *f, const struct vc4_val_job *job)
{
	u32 side = f->surface[VC4_COLOR_WRITE].bits & 1 ? 32 : 64;

	if (f->min_x > f->max_x || f->min_y > f->max_y)
		return false;
	if (vc4_is_beyond(f->max_x, job->tiles_x, side, f->width))
		f->max_x--;
	if (vc4_is_beyond(f->max_y, job->tiles_y, side, f->height))
		f->max_y--;
	return f->min_x > f->max_x || f->min_y > f->max_y;
}

int vc4_render_words(const struct drm_vc4_submit_cl *args, struct vc4_val_job *job, u32 *words,
		     u32 *n, struct vc4_refusal *why)
{
	struct vc4_val_frame frame;
	bool empty = false, none;
	int ret;

	vc4_make_frame(args, &frame);
	none = job->list_bytes && vc4_clip_frame(&frame, job);
	if (none) {
		/* the surfaces are still to be checked */
		frame.min_x = frame.max_x;
		frame.min_y = frame.max_y;
	}
	ret = vc4_validate_render(job, &frame, words, &empty, why);
	if (ret)
		return ret;
	*n = VC4_RENDER_DESC_WORDS;
	if (!empty && !none)
		return 0;
	/* an empty list */
	memset(words, 0, VC4_RENDER_LIST_WORDS * sizeof(u32));
	words[VC4_RENDER_KIND] = VC4_RENDER_CL;
	*n = VC4_RENDER_LIST_WORDS;
	return 0;
}
