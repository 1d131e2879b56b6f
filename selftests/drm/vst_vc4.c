// SPDX-License-Identifier: GPL-2.0
/*
 * The vc4 interface's ioctls, and a job.
 */
#include "vst_vc4_job.h"

int open_vc4(void)
{
	char path[64], name[32];
	struct drm_version v;
	int i, fd;

	for (i = 0; i < NODES; i++) {
		snprintf(path, sizeof(path), "/dev/dri/renderD%u", 128 + i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		memset(name, 0, sizeof(name));
		v = (struct drm_version){ .name = name, .name_len = sizeof(name) - 1 };
		if (!vst_ioctl(fd, DRM_IOCTL_VERSION, &v) && !strcmp(name, "vc4"))
			return fd;
		close(fd);
	}
	return -ENODEV;
}

int param(int fd, __u32 which, __u32 pad, __u64 *value)
{
	struct drm_vc4_get_param arg = { .param = which, .pad = pad };
	int ret = vst_ioctl(fd, DRM_IOCTL_VC4_GET_PARAM, &arg);

	*value = arg.value;
	return ret;
}

int create_bo(int fd, __u32 size, __u32 *handle)
{
	struct drm_vc4_create_bo arg = { .size = size };
	int ret = vst_ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &arg);

	*handle = arg.handle;
	return ret;
}

int create_shader(int fd, const void *code, __u32 size, __u32 *handle)
{
	struct drm_vc4_create_shader_bo arg = { .size = size, .data = PTR(code) };
	int ret = vst_ioctl(fd, DRM_IOCTL_VC4_CREATE_SHADER_BO, &arg);

	*handle = arg.handle;
	return ret;
}

int map_bo(int fd, __u32 handle, __u32 size, int prot, void *map)
{
	struct drm_vc4_mmap_bo arg = { .handle = handle };
	int ret = vst_ioctl(fd, DRM_IOCTL_VC4_MMAP_BO, &arg);
	void *p;

	if (ret)
		return ret;
	p = mmap(NULL, size, prot, MAP_SHARED, fd, arg.offset);
	if (p == MAP_FAILED)
		return -errno;
	*(void **)map = p;
	return 0;
}

int wait_seqno(int fd, __u64 seqno, __u64 timeout)
{
	struct drm_vc4_wait_seqno arg = { .seqno = seqno, .timeout_ns = timeout };

	return vst_ioctl(fd, DRM_IOCTL_VC4_WAIT_SEQNO, &arg);
}

int wait_bo(int fd, __u32 handle, __u32 pad, __u64 timeout)
{
	struct drm_vc4_wait_bo arg = { .handle = handle, .pad = pad, .timeout_ns = timeout };

	return vst_ioctl(fd, DRM_IOCTL_VC4_WAIT_BO, &arg);
}

int madvise_bo(int fd, __u32 handle, __u32 madv, __u32 pad)
{
	struct drm_vc4_gem_madvise arg = { .handle = handle, .madv = madv, .pad = pad };
	int ret = vst_ioctl(fd, DRM_IOCTL_VC4_GEM_MADVISE, &arg);

	return ret ? ret : (int)arg.retained;
}

int set_tiling(int fd, __u32 handle, __u32 flags, __u64 modifier)
{
	struct drm_vc4_set_tiling arg = { .handle = handle, .flags = flags, .modifier = modifier };

	return vst_ioctl(fd, DRM_IOCTL_VC4_SET_TILING, &arg);
}

int get_tiling(int fd, __u32 handle, __u32 flags, __u64 *modifier)
{
	struct drm_vc4_get_tiling arg = { .handle = handle, .flags = flags, .modifier = *modifier };
	int ret = vst_ioctl(fd, DRM_IOCTL_VC4_GET_TILING, &arg);

	*modifier = arg.modifier;
	return ret;
}

int label(int fd, __u32 handle, __u32 len, const void *name)
{
	struct drm_vc4_label_bo arg = { .handle = handle, .len = len, .name = PTR(name) };

	return vst_ioctl(fd, DRM_IOCTL_VC4_LABEL_BO, &arg);
}

int submit(int fd, struct job *j)
{
	return vst_ioctl(fd, DRM_IOCTL_VC4_SUBMIT_CL, &j->arg);
}

__u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

void no_surfaces(struct drm_vc4_submit_cl *a)
{
	a->color_read.hindex = NONE;
	a->color_write.hindex = NONE;
	a->zs_read.hindex = NONE;
	a->zs_write.hindex = NONE;
	a->msaa_color_write.hindex = NONE;
	a->msaa_zs_write.hindex = NONE;
}

/* A red triangle in the half of the image below its diagonal, in lines. */
void make_job(struct job *j, const __u32 *handles)
{
	static const __u32 records[] = {
		FS, VS, CS, VERTICES,
		0x00000005, 0, 0, 0x10010000, 0, 0, 0x10010000, 0, 0, 0, 0x0000100f,
	};
	static const __u32 uniforms[] = {
		RED, 0x44000000, 0x44000000, 0x3f000000, 0x3f000000, 0x44000000, 0x44000000,
		0x3f000000, 0x3f000000,
	};

	memset(j, 0, sizeof(*j));
	memcpy(j->handles, handles, sizeof(j->handles));
	memcpy(j->list, vc4_list, sizeof(vc4_list));
	memcpy(j->records, records, sizeof(records));
	memcpy(j->uniforms, uniforms, sizeof(uniforms));
	j->arg = (struct drm_vc4_submit_cl){
		.bin_cl = PTR(j->list),
		.shader_rec = PTR(j->records),
		.uniforms = PTR(j->uniforms),
		.bo_handles = PTR(j->handles),
		.bin_cl_size = sizeof(j->list),
		.shader_rec_size = sizeof(j->records),
		.shader_rec_count = 1,
		.uniforms_size = sizeof(j->uniforms),
		.bo_handle_count = NUM_BOS,
		.width = SIZE,
		.height = SIZE,
		.clear_color = { BACK, BACK },
		.flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
	};
	no_surfaces(&j->arg);
	j->arg.color_write.hindex = IMAGE;
	j->arg.color_write.bits = 0x4;	/* 8888 in lines */
}

/* Three vertices. */
int put_corners(int fd, __u32 bo, const float corners[12])
{
	void *p;
	int ret = map_bo(fd, bo, PAGE, PROT_READ | PROT_WRITE, &p);

	if (ret)
		return ret;
	memcpy(p, corners, 12 * sizeof(*corners));
	munmap(p, PAGE);
	return 0;
}

unsigned int count(const __u32 *image, __u32 color)
{
	unsigned int i, n = 0;

	for (i = 0; i < SIZE * SIZE; i++)
		n += image[i] == color;
	return n;
}
