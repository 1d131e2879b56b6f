// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers of the lima personality's tests: ioctls, frames of the vertex processor.
 */
#include <fcntl.h>
#include <time.h>

#include "vst_lima.h"

#define NODES		32

/* v0 = a0, the first component twice */
static const __u32 copy[] = { 0x000b0ec2, 0x438022c1, 0x40034400, 0x000ad508 };

/*
 * 000:	mov.p ^4 a0.w
 * 001:	mov.p ^10 a0.w
 *	branch ^10 000
 */
static const __u32 spin[] = {
	0xad4ad6b5, 0x438002b5, 0x0007ff80, 0x0001d500,
	0xad4ad6b5, 0x438002b5, 0x0007ffe0, 0x00d1d500,
};

/* ---- ioctls ---- */

int vst_lm_param(int fd, __u32 which, __u64 *value)
{
	struct drm_lima_get_param arg = { .param = which };
	int ret = vst_ioctl(fd, DRM_IOCTL_LIMA_GET_PARAM, &arg);

	*value = arg.value;
	return ret;
}

static bool is_lima(int fd)
{
	char name[32] = "";
	struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };

	return !vst_ioctl(fd, DRM_IOCTL_VERSION, &v) && !strcmp(name, "lima");
}

static int open_node(const char *node, unsigned int first, __u32 id)
{
	char path[64];
	__u64 got;
	int i, fd;

	for (i = 0; i < NODES; i++) {
		snprintf(path, sizeof(path), "/dev/dri/%s%u", node, first + i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (is_lima(fd) && !vst_lm_param(fd, DRM_LIMA_PARAM_GPU_ID, &got) && got == id)
			return fd;
		close(fd);
	}
	return -ENODEV;
}

int vst_lm_open(__u32 id)
{
	return open_node("renderD", 128, id);
}

int vst_lm_open_card(__u32 id)
{
	return open_node("card", 0, id);
}

int vst_lm_info(int fd, __u32 handle, __u32 *va, __u64 *offset)
{
	struct drm_lima_gem_info arg = { .handle = handle };
	int ret = vst_ioctl(fd, DRM_IOCTL_LIMA_GEM_INFO, &arg);

	*va = arg.va;
	*offset = arg.offset;
	return ret;
}

int vst_lm_create(int fd, __u32 size, __u32 flags, struct vst_lm_bo *bo)
{
	struct drm_lima_gem_create arg = { .size = size, .flags = flags };
	int ret = vst_ioctl(fd, DRM_IOCTL_LIMA_GEM_CREATE, &arg);
	__u64 offset;

	memset(bo, 0, sizeof(*bo));
	bo->handle = arg.handle;
	bo->size = size;
	return ret ? ret : vst_lm_info(fd, bo->handle, &bo->va, &offset);
}

int vst_lm_map(int fd, struct vst_lm_bo *bo)
{
	__u64 offset;
	void *map;
	int ret;

	ret = vst_lm_info(fd, bo->handle, &bo->va, &offset);
	if (ret)
		return ret;
	map = mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
	if (map == MAP_FAILED)
		return -errno;
	bo->map = map;
	return 0;
}

int vst_lm_create_mapped(int fd, __u32 size, struct vst_lm_bo *bo)
{
	return vst_lm_create(fd, size, 0, bo) ?: vst_lm_map(fd, bo);
}

__s64 vst_lm_after_ms(unsigned int ms)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec + ms * 1000000LL;
}

int vst_lm_wait(int fd, __u32 handle, __u32 op, __s64 timeout)
{
	struct drm_lima_gem_wait arg = { .handle = handle, .op = op, .timeout_ns = timeout };

	return vst_ioctl(fd, DRM_IOCTL_LIMA_GEM_WAIT, &arg);
}

int vst_lm_wait_idle(int fd, __u32 handle)
{
	return vst_lm_wait(fd, handle, LIMA_GEM_WAIT_WRITE, vst_lm_after_ms(20000 * vst_scale()));
}

int vst_lm_ctx_create(int fd, __u32 pad, __u32 *id)
{
	/* an argument that the kernel only writes, with its padding */
	struct drm_lima_ctx_create arg = { ._pad = pad };
	int ret = vst_ioctl(fd, DRM_IOWR(DRM_COMMAND_BASE + DRM_LIMA_CTX_CREATE,
					 struct drm_lima_ctx_create), &arg);

	*id = arg.id;
	return ret;
}

int vst_lm_ctx_free(int fd, __u32 id, __u32 pad)
{
	struct drm_lima_ctx_free arg = { .id = id, ._pad = pad };

	return vst_ioctl(fd, DRM_IOCTL_LIMA_CTX_FREE, &arg);
}

/* ---- jobs ---- */

static void put_draw(struct vst_lm_bo *b, const __u32 *code, unsigned int words)
{
	const __u32 insns = words / 4;
	const __u32 list[] = {
		b->va + LM_CODE_AT, 0x40000000 | insns << 16,
		(insns - 1) << 10, 0x10000040,
		0, 0x10000042,
		b->va + LM_ATTR_AT, 0x20020000,
		b->va + LM_VAR_AT, 0x20020008,
		LM_VERTICES << 24, LM_VERTICES >> 8,
	};
	const __u32 attr[] = { b->va + LM_FROM_AT, 16 << 11 | 3 };
	const __u32 var[] = { b->va + LM_TO_AT, 0x8020 };
	unsigned int i;

	memcpy(b->u8 + LM_CODE_AT, code, 4 * words);
	memcpy(b->u8 + LM_LIST_AT, list, sizeof(list));
	memcpy(b->u8 + LM_ATTR_AT, attr, sizeof(attr));
	memcpy(b->u8 + LM_VAR_AT, var, sizeof(var));
	for (i = 0; i < 4 * LM_VERTICES; i++) {
		b->f32[LM_FROM_AT / 4 + i] = i - 3.5f;
		b->u32[LM_TO_AT / 4 + i] = 0;
	}
}

void vst_lm_put_copy(struct vst_lm_bo *b)
{
	put_draw(b, copy, ARRAY_SIZE(copy));
}

void vst_lm_put_spin(struct vst_lm_bo *b)
{
	put_draw(b, spin, ARRAY_SIZE(spin));
}

unsigned int vst_lm_copied(const struct vst_lm_bo *b)
{
	const float *to = b->f32 + LM_TO_AT / 4;
	unsigned int n, k;

	for (n = 0; n < LM_VERTICES; n++)
		for (k = 0; k < 4; k++)
			if (to[4 * n + k] != (k ? 1 : 2) * (4 * n + k - 3.5f))
				return n;
	return n;
}

void vst_lm_add(struct vst_lm_job *j, __u32 handle, __u32 flags)
{
	j->bos[j->arg.nr_bos].handle = handle;
	j->bos[j->arg.nr_bos++].flags = flags;
}

void vst_lm_draw(struct vst_lm_job *j, __u32 ctx, const struct vst_lm_bo *b)
{
	memset(j, 0, sizeof(*j));
	j->arg.ctx = ctx;
	j->arg.pipe = LIMA_PIPE_GP;
	j->arg.frame_size = sizeof(j->gp);
	j->arg.bos = PTR(j->bos);
	j->arg.frame = PTR(&j->gp);
	j->gp.frame[0] = b->va + LM_LIST_AT;
	j->gp.frame[1] = b->va + LM_LIST_AT + 48;
	vst_lm_add(j, b->handle, LIMA_SUBMIT_BO_READ | LIMA_SUBMIT_BO_WRITE);
}

int vst_lm_submit(int fd, struct vst_lm_job *j)
{
	return vst_ioctl(fd, DRM_IOCTL_LIMA_GEM_SUBMIT, &j->arg);
}

int vst_lm_fence(int error)
{
	return getenv("VSHADER_GL_SOCKET") ? 0 : error;
}

int vst_lm_run(int fd, struct vst_lm_job *j)
{
	__u32 sync;
	int ret;

	ret = vst_syncobj(fd, &sync);
	if (ret)
		return ret;
	j->arg.out_sync = sync;
	ret = vst_lm_submit(fd, j);
	if (!ret)
		ret = vst_wait(fd, sync, 20000);
	if (!ret)
		ret = vst_fence_status(fd, sync);
	vst_syncobj_destroy(fd, sync);
	j->arg.out_sync = 0;
	return ret;
}
