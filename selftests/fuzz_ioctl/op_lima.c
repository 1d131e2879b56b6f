// SPDX-License-Identifier: GPL-2.0
/*
 * Operations: devices that present themselves as the lima driver's.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include <lima_drm.h>

#include "ops.h"
#include "touch.h"

#define HEAP_SIZE	(16 << 20)

/* In a buffer: programs, lists, tables, tile lists of a frame of 32 x 32 pixels, the picture. */
#define CODE_AT		0x000
#define PIXELS_AT	0x080
#define VS_AT		0x100
#define PLBU_AT		0x200
#define ATTR_AT		0x300
#define VAR_AT		0x340
#define STATE_AT	0x380
#define ARRAY_AT	0x3c0
#define STREAM_AT	0x400
#define BLOCKS_AT	0x800
#define PICTURE_AT	0x1000
#define BUFFER		0x4000

static int lima_file(struct fz_ctx *c)
{
	struct fz_res *r = fz_last(c, FZ_LIMA);

	if (!r) {
		fz_op_lima_open(c);
		r = fz_last(c, FZ_LIMA);
	}
	return r ? r->fd : -1;
}

FZ_OP(lima_open)
{
	u32 n = fz_byte(c);
	const char *path = fz_shared->nlima ? fz_shared->lima[n % fz_shared->nlima] : NULL;
	int fd = path ? fz_open_node(path, fz_byte(c) % 2) : -1;

	if (fd < 0)
		return;
	fz_add(c, FZ_LIMA, fd, 0);
	fz_op_lima_ctx_create(c);
}

/* Sometimes their ids are used with another file, or the file with vshader's ioctls. */
FZ_OP(lima_confuse)
{
	struct fz_res *r = fz_res(c, FZ_LIMA_BO);

	if (r->fd >= 0)
		fz_add(c, fz_chance(c) ? FZ_DRM : FZ_BO, r->fd, r->id);
}

FZ_OP(lima_param)
{
	struct drm_lima_get_param *a = fz_mem(c, sizeof(*a));

	a->param = fz_byte(c) % 8;
	fz_ioctl(c, lima_file(c), DRM_IOCTL_LIMA_GET_PARAM, a);
}

FZ_OP(lima_ctx_create)
{
	struct drm_lima_ctx_create *a = fz_mem(c, sizeof(*a));
	int fd = lima_file(c);

	if (!fz_ioctl(c, fd, DRM_IOCTL_LIMA_CTX_CREATE, a))
		fz_add(c, FZ_LIMA_CTX, fd, a->id);
}

FZ_OP(lima_ctx_free)
{
	struct drm_lima_ctx_free *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_LIMA_CTX);

	a->id = r->id;
	fz_ioctl(c, r->fd, DRM_IOCTL_LIMA_CTX_FREE, a);
}

static void put(u8 *p, u32 at, const u32 *words, u32 n)
{
	memcpy(p + at, words, 4 * n);
}

/* A triangle with a list for each processor; some bits of it are wrong. */
static void fill(struct fz_ctx *c, u8 *p, u32 va)
{
	static const u32 code[] = { 0x000b0ec2, 0x438022c1, 0x40034400, 0x000ad508 };
	/* constant to $0, stop */
	static const u32 pixels[] = { 0x00020423, 0x000f0003, 0x3c000000, 0x00003c00 };
	const u32 vs[] = {
		va + CODE_AT, 0x40010000, 0, 0x10000040, 0, 0x10000042, va + ATTR_AT, 0x20020000,
		va + VAR_AT, 0x20020008, 3 << 24, 0,
	};
	const u32 plbu[] = {
		0x200, 0x1000010b, 0, 0x1000010c, 0x01000100, 0x10000109, 2, 0x30000000,
		va + ARRAY_AT, 0x28000003, 0, 0x10000107, 0x42000000, 0x10000108, 0, 0x10000105,
		0x42000000, 0x10000106, 0x2200, 0x1000010b,
		va + STATE_AT, 0x80000000 | (va + PICTURE_AT) >> 4,
		0x000f8000, 0x7003e000, 0, 0x1000010a, 0, 0x1000010e, 0x3f800000, 0x1000010f,
		3 << 24, 0x00040000, 0, 0x50000000,
	};
	const u32 attr[] = { va + PICTURE_AT + 0x800, 16 << 11 | 3 };
	const u32 var[] = { va + PICTURE_AT, 0x8020 };
	const u32 state[16] = {
		[2] = 0xfc3b1ad2, [3] = 0x3e, [4] = 0xffff0000, [5] = 0xff000007, [6] = 0xff000007,
		[7] = 0xffff, [8] = 0xf807, [9] = (va + PIXELS_AT) | 4, [14] = 0x2000,
	};
	u32 i, stream[18], array[4], *w = (u32 *)p;

	put(p, CODE_AT, code, ARRAY_SIZE(code));
	put(p, PIXELS_AT, pixels, ARRAY_SIZE(pixels));
	put(p, VS_AT, vs, ARRAY_SIZE(vs));
	put(p, PLBU_AT, plbu, ARRAY_SIZE(plbu));
	put(p, ATTR_AT, attr, ARRAY_SIZE(attr));
	put(p, VAR_AT, var, ARRAY_SIZE(var));
	put(p, STATE_AT, state, ARRAY_SIZE(state));
	for (i = 0; i < 4; i++) {
		array[i] = va + BLOCKS_AT + 512 * i;
		stream[4 * i] = 0;
		stream[4 * i + 1] = 0xb8000000 | i % 2 | i / 2 << 8;
		stream[4 * i + 2] = 0xe0000002 | (array[i] >> 3 & ~0xe0000003U);
		stream[4 * i + 3] = 0xb0000000;
	}
	stream[16] = 0;
	stream[17] = 0xbc000000;
	put(p, ARRAY_AT, array, ARRAY_SIZE(array));
	put(p, STREAM_AT, stream, ARRAY_SIZE(stream));
	for (i = fz_byte(c) % 8; i < 4; i++)
		w[fz_byte(c) + (fz_byte(c) & 3) * 256] ^= 1U << fz_byte(c) % 32;
}

FZ_OP(lima_create_bo)
{
	struct drm_lima_gem_create *a = fz_mem(c, sizeof(*a));
	struct drm_lima_gem_info *info = fz_mem(c, sizeof(*info));
	int fd = lima_file(c);
	struct fz_res *r;
	void *p;

	a->size = BUFFER + fz_byte(c) % 16 * PAGE;
	if (fz_chance(c)) {
		a->size = HEAP_SIZE >> fz_byte(c) % 12;
		a->flags = LIMA_BO_FLAG_HEAP;
	}
	if (fz_ioctl(c, fd, DRM_IOCTL_LIMA_GEM_CREATE, a))
		return;
	info->handle = a->handle;
	r = fz_add(c, FZ_LIMA_BO, fd, a->handle);
	r->size = a->size;
	if (fz_plain_ioctl(fd, DRM_IOCTL_LIMA_GEM_INFO, info))
		return;
	r->va = info->va;
	if (a->flags || a->size < BUFFER)
		return;
	p = mmap(NULL, BUFFER, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info->offset);
	if (p == MAP_FAILED)
		return;
	if (fz_touch_begin())
		fill(c, p, info->va);
	fz_touch_end();
	munmap(p, BUFFER);
}

FZ_OP(lima_close_bo)
{
	struct drm_gem_close *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_LIMA_BO);

	a->handle = r->id;
	fz_ioctl(c, r->fd, DRM_IOCTL_GEM_CLOSE, a);
}

FZ_OP(lima_info)
{
	struct drm_lima_gem_info *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_LIMA_BO);

	a->handle = r->id;
	fz_ioctl(c, r->fd, DRM_IOCTL_LIMA_GEM_INFO, a);
}

FZ_OP(lima_wait)
{
	struct drm_lima_gem_wait *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_LIMA_BO);

	a->handle = r->id;
	a->op = fz_byte(c) % 5;
	a->timeout_ns = fz_now() + (s64)fz_byte(c) * NSEC_PER_MS / 16;
	fz_ioctl(c, r->fd, DRM_IOCTL_LIMA_GEM_WAIT, a);
}

static void vertex_frame(struct fz_ctx *c, u32 *w, u32 va, const struct fz_res *heap)
{
	w[0] = va + VS_AT;
	w[1] = va + VS_AT + 48;
	w[2] = va + PLBU_AT;
	w[3] = va + PLBU_AT + 8 * (fz_chance(c) ? 17 : fz_byte(c) % 20);
	w[4] = heap->va;
	w[5] = heap->va + (fz_chance(c) ? 0 : heap->size);
}

/* @extra: words of a Mali-450's frame that the other has not */
static void pixel_frame(struct fz_ctx *c, u32 *w, u32 va, u32 extra)
{
	u32 lists = 60 + extra, i;

	w[1] = va + STATE_AT;
	w[3] = 2;
	w[4] = 0xffffff;
	for (i = 6; i < 10; i++)
		w[i] = 0xff804020;
	w[10] = 31;
	w[11] = 31;
	w[16] = 1;
	w[17] = 63;
	w[18] = 0x77;
	w[19] = 1;
	w[21] = 0xe0c;
	w[22] = 0x8888;
	w[23] = 1 + fz_byte(c) % 4;
	w[24] = 2;
	w[25] = va + PICTURE_AT;
	w[26] = 3;
	w[28] = 2;
	w[29] = 2;
	for (i = 0; i < w[23]; i++)
		w[lists + i] = va + STREAM_AT + (fz_chance(c) ? 64 : 0);
	if (!extra || !fz_chance(c))
		return;
	w[60] = 1;
	w[lists] = va + BLOCKS_AT;
	w[lists + 1] = 1 << 16 | 1;
	w[lists + 2] = 2U << 28;
	w[lists + 3] = 1 << 24 | 1 << 16;
}

FZ_OP(lima_submit)
{
	struct drm_lima_gem_submit *a = fz_mem(c, sizeof(*a));
	struct drm_lima_gem_submit_bo *bos = fz_mem(c, 64);
	struct fz_res *r = fz_res(c, FZ_LIMA_BO), *other;
	u32 *w = fz_mem(c, 320), i;

	a->ctx = fz_res(c, FZ_LIMA_CTX)->id;
	a->pipe = fz_byte(c) % 2;
	a->bos = PTR(bos);
	a->nr_bos = 1 + fz_byte(c) % 3;
	bos[0].handle = r->id;
	bos[0].flags = 3;
	for (i = 1; i < a->nr_bos; i++) {
		bos[i].handle = fz_res(c, FZ_LIMA_BO)->id;
		bos[i].flags = fz_byte(c) % 4;
	}
	a->frame = PTR(w);
	other = fz_res(c, FZ_LIMA_BO);
	if (a->pipe == LIMA_PIPE_GP) {
		a->frame_size = sizeof(struct drm_lima_gp_frame);
		vertex_frame(c, w, r->va, other);
	} else if (fz_chance(c)) {
		a->frame_size = sizeof(struct drm_lima_m450_pp_frame);
		pixel_frame(c, w, r->va, 2);
	} else {
		a->frame_size = sizeof(struct drm_lima_m400_pp_frame);
		pixel_frame(c, w, r->va, 0);
	}
	for (i = fz_byte(c) % 8; i < 3; i++)
		w[fz_byte(c) % 78] ^= 1U << fz_byte(c) % 32;
	a->flags = fz_chance(c);
	a->in_sync[fz_byte(c) % 2] = fz_chance(c) ? fz_res(c, FZ_SYNCOBJ)->id : 0;
	a->out_sync = fz_chance(c) ? fz_res(c, FZ_SYNCOBJ)->id : 0;
	fz_ioctl(c, r->fd, DRM_IOCTL_LIMA_GEM_SUBMIT, a);
}

FZ_OP(lima_syncobj)
{
	struct drm_syncobj_create *a = fz_mem(c, sizeof(*a));
	int fd = lima_file(c);

	a->flags = fz_chance(c) ? 0 : DRM_SYNCOBJ_CREATE_SIGNALED;
	if (!fz_ioctl(c, fd, DRM_IOCTL_SYNCOBJ_CREATE, a))
		fz_add(c, FZ_SYNCOBJ, fd, a->handle);
}
