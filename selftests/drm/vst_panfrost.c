// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers of the panfrost personality's tests: ioctls, chains of jobs.
 */
#include <fcntl.h>
#include <time.h>

#include "vst_panfrost.h"

#define NODES		32

enum { T_NULL = 1, T_WRITE, T_COMPUTE = 4 };
enum { W_ZERO = 3 };

/* ---- ioctls ---- */

int vst_pf_param(int fd, __u32 which, __u64 *value)
{
	struct drm_panfrost_get_param arg = { .param = which };
	int ret = vst_ioctl(fd, DRM_IOCTL_PANFROST_GET_PARAM, &arg);

	*value = arg.value;
	return ret;
}

bool vst_pf_is(int fd, int *minor)
{
	char name[32] = "";
	struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };

	if (vst_ioctl(fd, DRM_IOCTL_VERSION, &v) || strcmp(name, "panfrost"))
		return false;
	*minor = v.version_major == 1 ? v.version_minor : -1;
	return true;
}

/* Return: a file of the device with this chip, -ENODEV, or -ENOSPC: too many clients. */
static int open_node(const char *node, unsigned int first, __u32 id)
{
	char path[64];
	int i, fd, minor, ret = -ENODEV;
	__u64 got;

	for (i = 0; i < NODES; i++) {
		snprintf(path, sizeof(path), "/dev/dri/%s%u", node, first + i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0) {
			ret = errno == ENOSPC ? -ENOSPC : ret;
			continue;
		}
		if (vst_pf_is(fd, &minor) &&
		    !vst_pf_param(fd, DRM_PANFROST_PARAM_GPU_PROD_ID, &got) && got == id)
			return fd;
		close(fd);
	}
	return ret;
}

int vst_pf_open(__u32 id)
{
	return open_node("renderD", 128, id);
}

int vst_pf_open_card(__u32 id)
{
	return open_node("card", 0, id);
}

int vst_pf_create(int fd, __u32 size, __u32 flags, struct vst_pf_bo *bo)
{
	struct drm_panfrost_create_bo arg = { .size = size, .flags = flags };
	int ret = vst_ioctl(fd, DRM_IOCTL_PANFROST_CREATE_BO, &arg);

	memset(bo, 0, sizeof(*bo));
	bo->handle = arg.handle;
	bo->size = size;
	bo->va = arg.offset;
	return ret;
}

int vst_pf_map_bo(int fd, struct vst_pf_bo *bo)
{
	struct drm_panfrost_mmap_bo arg = { .handle = bo->handle };
	int ret = vst_ioctl(fd, DRM_IOCTL_PANFROST_MMAP_BO, &arg);
	void *map;

	if (ret)
		return ret;
	map = mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, arg.offset);
	if (map == MAP_FAILED)
		return -errno;
	bo->map = map;
	return 0;
}

int vst_pf_create_mapped(int fd, __u32 size, struct vst_pf_bo *bo)
{
	return vst_pf_create(fd, size, 0, bo) ?: vst_pf_map_bo(fd, bo);
}

int vst_pf_offset_of(int fd, __u32 handle, __u64 *va)
{
	struct drm_panfrost_get_bo_offset arg = { .handle = handle };
	int ret = vst_ioctl(fd, DRM_IOCTL_PANFROST_GET_BO_OFFSET, &arg);

	*va = arg.offset;
	return ret;
}

__s64 vst_pf_after_ms(unsigned int ms)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec + ms * 1000000LL;
}

int vst_pf_wait_bo(int fd, __u32 handle, __s64 timeout)
{
	struct drm_panfrost_wait_bo arg = { .handle = handle, .timeout_ns = timeout };

	return vst_ioctl(fd, DRM_IOCTL_PANFROST_WAIT_BO, &arg);
}

int vst_pf_wait_idle(int fd, __u32 handle)
{
	return vst_pf_wait_bo(fd, handle, vst_pf_after_ms(20000 * vst_scale()));
}

int vst_pf_submit(int fd, __u64 jc, const __u32 *handles, __u32 n, __u32 in, __u32 out, __u32 req)
{
	struct drm_panfrost_submit arg = {
		.jc = jc,
		.in_syncs = PTR(&in),
		.in_sync_count = !!in,
		.out_sync = out,
		.bo_handles = PTR(handles),
		.bo_handle_count = n,
		.requirements = req,
	};

	return vst_ioctl(fd, DRM_IOCTL_PANFROST_SUBMIT, &arg);
}

int vst_pf_run_chain(int fd, const struct vst_pf_bo *bo, __u64 jc)
{
	__u32 sync;
	int ret;

	ret = vst_syncobj(fd, &sync);
	if (ret)
		return ret;
	ret = vst_pf_submit(fd, jc, &bo->handle, 1, 0, sync, 0);
	if (!ret)
		ret = vst_wait(fd, sync, 20000);
	if (!ret)
		ret = vst_fence_status(fd, sync);
	vst_syncobj_destroy(fd, sync);
	return ret;
}

int vst_pf_advise(int fd, __u32 handle, __u32 madv, __u32 *retained)
{
	struct drm_panfrost_madvise arg = { .handle = handle, .madv = madv };
	int ret = vst_ioctl(fd, DRM_IOCTL_PANFROST_MADVISE, &arg);

	*retained = arg.retained;
	return ret;
}

bool vst_pf_purge(int fd, __u32 handle, __u32 *retained)
{
	unsigned int i;

	for (i = 0; i < 250; i++) {
		if (vst_pf_advise(fd, handle, PANFROST_MADV_DONTNEED, retained) ||
		    vst_write_file(PF_DROP_CACHES, "2"))
			return false;
		usleep(20000);
		if (vst_pf_advise(fd, handle, PANFROST_MADV_WILLNEED, retained))
			return false;
		if (!*retained)
			break;
	}
	return true;
}

/* ---- chains ---- */

void vst_pf_w32(struct vst_pf_bo *b, unsigned int at, __u32 v)
{
	b->u32[at / 4] = v;
}

void vst_pf_w64(struct vst_pf_bo *b, unsigned int at, __u64 v)
{
	vst_pf_w32(b, at, v);
	vst_pf_w32(b, at + 4, v >> 32);
}

static void put_header(struct vst_pf_bo *b, unsigned int at, __u32 type, __u64 next)
{
	memset(b->u8 + at, 0, 64);
	vst_pf_w32(b, at + 16, 1 | type << 1 | (1 + at / 64) << 16);
	vst_pf_w64(b, at + 24, next);
}

void vst_pf_put_zero(struct vst_pf_bo *b, unsigned int at, __u64 to, __u64 next)
{
	put_header(b, at, T_WRITE, next);
	vst_pf_w64(b, at + 32, to);
	vst_pf_w32(b, at + 40, W_ZERO);
}

void vst_pf_put_compute(struct vst_pf_bo *b, const struct vst_mali_arch *arch,
			const struct vst_mali_code *code, unsigned int threads)
{
	put_header(b, PF_JOB_AT, T_COMPUTE, 0);
	vst_pf_w32(b, PF_JOB_AT + 32, threads - 1);
	vst_pf_w32(b, PF_JOB_AT + 36, 8 | 8 << 5 | 8 << 10 | 16 << 16 | 16 << 22);
	memset(b->u8 + PF_DRAW_AT, 0, PF_CODE_AT - PF_DRAW_AT);
	vst_pf_w32(b, PF_DRAW_AT, 2 | 1 << 24);
	vst_pf_w64(b, PF_DRAW_AT + 24, b->va + PF_UBO_AT);
	vst_pf_w64(b, PF_DRAW_AT + 48, b->va + PF_PUSH_AT);
	vst_pf_w64(b, PF_DRAW_AT + 56, b->va + PF_STATE_AT);
	vst_pf_w64(b, PF_DRAW_AT + 112, b->va + PF_STORAGE_AT);
	vst_pf_w64(b, PF_STATE_AT, (b->va + PF_CODE_AT) | (arch->tags ? code->words[0] & 15 : 0));
	vst_pf_w32(b, PF_STATE_AT + 16, arch->state[0]);
	vst_pf_w32(b, PF_STATE_AT + 48, arch->state[1]);
	vst_pf_w64(b, PF_UBO_AT, vst_mali_ubo(b->va + PF_FROM_AT, 4 * PF_WORDS));
	memcpy(b->u8 + PF_CODE_AT, code->words, 4 * code->n);
}

void vst_pf_put_copy(struct vst_pf_bo *b, const struct vst_mali_arch *arch)
{
	unsigned int i;

	vst_pf_put_compute(b, arch, &arch->copy, PF_WORDS);
	vst_pf_w64(b, PF_PUSH_AT, b->va + PF_FROM_AT);
	vst_pf_w64(b, PF_PUSH_AT + 8, b->va + PF_TO_AT);
	for (i = 0; i < PF_WORDS; i++)
		vst_pf_w32(b, PF_FROM_AT + 4 * i, 0x1000 + i);
}
