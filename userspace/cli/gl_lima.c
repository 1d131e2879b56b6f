// SPDX-License-Identifier: MIT
/*
 * vshader gl: the ioctls of the lima interface. The counterpart of kernel/personality/lima_*.c,
 * with which it shares lima_gpu.c.
 *
 * The library's jobs are in memory: a buffer of each file has room for many frames, at addresses
 * that the program's buffers do not get.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "personality/lima_gpu.h"
#include "personality/lima_uapi.h"
#include "gl_priv.h"

#define NUM_FRAMES	1024U
#define FRAME_BYTES	(4 * LIMA_MAX_FRAME)
#define FRAMES_VA	(LIMA_VA_END + 0x80000)
#define PAGE		4096ULL

_Static_assert(FRAMES_VA + NUM_FRAMES * FRAME_BYTES <= LIMA_FRAME_VA, "room for frames");

/** struct context - @pipes: its two halves; NULL: the id is free */
struct context {
	struct gl_ctx *pipes[LIMA_NUM_PIPES];
};

/**
 * struct lima - of a file
 * @ctxs: contexts by id
 * @num_ctxs: size of @ctxs
 * @bo: frames
 * @frames: the same, mapped
 * @next: place of the next one
 * @fences: of the job that has a place, or NULL
 */
struct lima {
	struct context *ctxs;
	uint32_t num_ctxs;
	struct vshader_bo *bo;
	uint8_t *frames;
	uint32_t next;
	struct gl_fence *fences[NUM_FRAMES];
};

/* ---- files ---- */

static int open_file(struct gl_file *f)
{
	uint64_t va = FRAMES_VA;
	struct lima *l = calloc(1, sizeof(*l));
	int ret;

	if (!l)
		return -ENOMEM;
	f->own = l;
	ret = vshader_bo_create(f->dev, NUM_FRAMES * FRAME_BYTES, 0, 0, &l->bo);
	if (!ret)
		ret = vshader_bo_map(l->bo, (void **)&l->frames);
	return ret ? ret : vshader_vm_map(f->dev, f->vm, l->bo, DRM_VSHADER_VM_BIND_NOEXEC, &va);
}

static void free_pipes(struct gl_file *f, struct context *ctx)
{
	uint32_t i;

	for (i = 0; i < LIMA_NUM_PIPES; i++) {
		if (ctx->pipes[i])
			gl_ctx_free(f, ctx->pipes[i]);
	}
	*ctx = (struct context){};
}

static void close_file(struct gl_file *f)
{
	struct lima *l = f->own;
	uint32_t i;

	if (!l)
		return;
	for (i = 0; i < l->num_ctxs; i++)
		free_pipes(f, &l->ctxs[i]);
	for (i = 0; i < NUM_FRAMES; i++)
		gl_fence_put(l->fences[i]);
	if (l->bo)
		vshader_bo_destroy(l->bo);
	free(l->ctxs);
	free(l);
}

/* ---- contexts ---- */

static struct context *find_ctx(struct gl_file *f, uint32_t id)
{
	struct lima *l = f->own;

	return id < l->num_ctxs && l->ctxs[id].pipes[0] ? &l->ctxs[id] : NULL;
}

static int create_ctx(struct gl_file *f, struct gl_call *c)
{
	struct drm_lima_ctx_create *args = (void *)c->arg;
	struct lima *l = f->own;
	struct context ctx = {};
	uint32_t i;
	int ret = 0;

	/* of this argument the core reads nothing */
	for (i = 0; i < LIMA_NUM_PIPES && !ret; i++)
		ret = gl_ctx_new(f, lima_engine(i), GL_PRIORITY_MEDIUM, &ctx.pipes[i]);
	for (i = 0; i < l->num_ctxs && l->ctxs[i].pipes[0]; i++)
		;
	if (!ret && i == l->num_ctxs)
		ret = gl_grow(&l->ctxs, &l->num_ctxs, sizeof(*l->ctxs));
	if (ret) {
		free_pipes(f, &ctx);
		return ret;
	}
	ctx.pipes[LIMA_GP]->pair = ctx.pipes[LIMA_PP];
	ctx.pipes[LIMA_PP]->pair = ctx.pipes[LIMA_GP];
	l->ctxs[i] = ctx;
	args->id = i;
	return 0;
}

static int free_ctx(struct gl_file *f, struct gl_call *c)
{
	const struct drm_lima_ctx_free *args = (void *)c->arg;
	struct context *ctx = find_ctx(f, args->id);

	if (args->_pad || !ctx)
		return -EINVAL;
	free_pipes(f, ctx);
	return 0;
}

/* ---- jobs ---- */

static int compare_handles(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* All have to exist, and none twice: the driver locks each. @sorted: room for as many */
static int check_handles(struct gl_file *f, const uint32_t *handles, uint32_t n, uint32_t *sorted)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (!gl_bo_find(f, handles[i]))
			return -ENOENT;
		sorted[i] = handles[i];
	}
	qsort(sorted, n, sizeof(*sorted), compare_handles);
	for (i = 1; i < n; i++) {
		if (sorted[i] == sorted[i - 1])
			return -EALREADY;
	}
	return 0;
}

static void find_heap(struct gl_file *f, const struct gl_job *j, uint32_t *frame)
{
	uint32_t i;

	for (i = 0; i < j->num_bos; i++) {
		const struct gl_bo *b = gl_bo_find(f, j->bos[i]);

		if (b->kind.heap && lima_grow_heap(frame, pers_va_of(&f->vas, b->bo),
						   vshader_bo_size(b->bo)))
			return;
	}
}

/* Submit a frame from the next place. */
static int submit_frame(struct gl_file *f, struct gl_job *j, const uint32_t *frame, uint32_t size)
{
	struct lima *l = f->own;
	struct gl_fence **fence = &l->fences[l->next];
	int ret;

	if (*fence) {
		ret = gl_fence_wait(*fence, INT64_MAX, 0);
		if (ret)
			return ret;
		gl_fence_put(*fence);
		*fence = NULL;
	}
	memcpy(l->frames + l->next * FRAME_BYTES, frame, size);
	j->native.va = FRAMES_VA + l->next * FRAME_BYTES;
	j->fence = fence;
	ret = gl_job_submit(f, j);
	if (!ret)
		l->next = (l->next + 1) % NUM_FRAMES;
	return ret;
}

/**
 * struct use - how a job uses its buffers, an entry for each
 * @handles: handles
 * @sorted: the same in order
 * @writes: it writes them
 */
struct use {
	uint32_t *handles;
	uint32_t *sorted;
	bool *writes;
};

/* Everything that has come with the argument is in order. */
static int submit_job(struct gl_file *f, const struct drm_lima_gem_submit *args,
		      const struct use *u)
{
	const struct drm_lima_gem_submit_bo *bos = (const void *)(uintptr_t)args->bos;
	uint32_t frame[LIMA_MAX_FRAME], in[2], i;
	struct context *ctx = find_ctx(f, args->ctx);
	struct gl_job job = {
		.bos = u->handles,
		.writes = u->writes,
		.num_bos = args->nr_bos,
		.explicit_sync = args->flags & LIMA_SUBMIT_FLAG_EXPLICIT_FENCE,
		.in_syncs = in,
		.out_sync = args->out_sync,
	};
	int ret;

	memcpy(frame, (const void *)(uintptr_t)args->frame, args->frame_size);
	if (lima_check_frame(f->server->chip, args->pipe, frame))
		return -EINVAL;
	if (!ctx || (args->out_sync && !gl_sync_exists(f, args->out_sync)))
		return -ENOENT;
	job.ctx = ctx->pipes[args->pipe];
	for (i = 0; i < args->nr_bos; i++) {
		u->handles[i] = bos[i].handle;
		u->writes[i] = bos[i].flags & LIMA_SUBMIT_BO_WRITE;
	}
	ret = check_handles(f, u->handles, args->nr_bos, u->sorted);
	if (ret)
		return ret;
	for (i = 0; i < 2; i++) {
		if (args->in_sync[i])
			in[job.num_in_syncs++] = args->in_sync[i];
	}
	if (args->pipe == LIMA_GP)
		find_heap(f, &job, frame);
	lima_job(f->server->chip, args->pipe, &job.native);
	return submit_frame(f, &job, frame, args->frame_size);
}

static int submit(struct gl_file *f, struct gl_call *c)
{
	const struct drm_lima_gem_submit *args = (void *)c->arg;
	struct use u;
	int ret = -ENOMEM;

	if (args->pipe >= LIMA_NUM_PIPES || !args->nr_bos ||
	    args->flags & ~LIMA_SUBMIT_FLAG_EXPLICIT_FENCE ||
	    args->frame_size != lima_frame_size(f->server->chip, args->pipe))
		return -EINVAL;
	if (c->arrays)
		return c->arrays == -EINVAL ? -ENOMEM : c->arrays;
	u.handles = calloc(args->nr_bos, sizeof(*u.handles));
	u.sorted = calloc(args->nr_bos, sizeof(*u.sorted));
	u.writes = calloc(args->nr_bos, sizeof(*u.writes));
	if (u.handles && u.sorted && u.writes)
		ret = submit_job(f, args, &u);
	free(u.handles);
	free(u.sorted);
	free(u.writes);
	return ret;
}

/* ---- device ---- */

static int get_param(struct gl_file *f, struct gl_call *c)
{
	struct drm_lima_get_param *args = (void *)c->arg;
	uint64_t value;
	int ret;

	if (args->pad)
		return -EINVAL;
	ret = lima_gpu_param(f->server->chip, args->param, &value);
	if (ret)
		return ret;
	args->value = value;
	return 0;
}

/* ---- buffers ---- */

static int create_bo(struct gl_file *f, struct gl_call *c)
{
	struct drm_lima_gem_create *args = (void *)c->arg;
	const struct gl_bo_kind kind = {
		.flags = args->flags,
		.heap = args->flags & LIMA_BO_FLAG_HEAP,
	};
	uint64_t va;

	if (args->pad || args->flags & ~LIMA_BO_FLAG_HEAP || !args->size)
		return -EINVAL;
	return gl_bo_create(f, (args->size + PAGE - 1) & ~(PAGE - 1), &kind, &args->handle, &va);
}

/* A heap has an offset, too; to map it is an error. */
static int bo_info(struct gl_file *f, struct gl_call *c)
{
	struct drm_lima_gem_info *args = (void *)c->arg;
	const struct gl_bo *b = gl_bo_find(f, args->handle);
	uint64_t offset;

	if (!b)
		return -ENOENT;
	gl_bo_mmap(f, args->handle, &offset);
	args->va = pers_va_of(&f->vas, b->bo);
	args->offset = offset;
	return 0;
}

static int wait_bo(struct gl_file *f, struct gl_call *c)
{
	const struct drm_lima_gem_wait *args = (void *)c->arg;
	const struct gl_bo *b = gl_bo_find(f, args->handle);

	if (args->op & ~(LIMA_GEM_WAIT_READ | LIMA_GEM_WAIT_WRITE))
		return -EINVAL;
	if (!args->op)
		return 0;
	return b ? gl_bo_wait(b, !(args->op & LIMA_GEM_WAIT_WRITE), args->timeout_ns) : -EINVAL;
}

/* ---- driver ---- */

static const struct gl_ioctl ioctls[] = {
	{ NR(DRM_IOCTL_LIMA_GET_PARAM), get_param },
	{ NR(DRM_IOCTL_LIMA_GEM_CREATE), create_bo },
	{ NR(DRM_IOCTL_LIMA_GEM_INFO), bo_info },
	{ NR(DRM_IOCTL_LIMA_GEM_SUBMIT), submit, true },
	{ NR(DRM_IOCTL_LIMA_GEM_WAIT), wait_bo },
	{ NR(DRM_IOCTL_LIMA_CTX_CREATE), create_ctx },
	{ NR(DRM_IOCTL_LIMA_CTX_FREE), free_ctx },
	{ }
};

static const struct gl_driver driver = {
	.kind = GL_LIMA,
	.open = open_file,
	.close = close_file,
	.ioctls = ioctls,
	.submit = NR(DRM_IOCTL_LIMA_GEM_SUBMIT),
	.place = lima_place,
};

bool gl_lima_chip(struct gl_server *server, const char *name)
{
	const struct lima_gpu *gpu = lima_gpu_find(name);

	if (!gpu)
		return false;
	server->driver = &driver;
	server->chip = gpu;
	server->name = gpu->name;
	server->interface = "lima";
	server->compatible = gpu->compatible;
	return true;
}
