// SPDX-License-Identifier: GPL-2.0
/*
 * Operations: devices that present themselves as the vc4 driver's.
 */
#include <sys/mman.h>

#include <vc4_drm.h>

#include "../drm/vst_vc4.h"
#include "ops.h"
#include "touch.h"

#define SIDE		64	/* of the image, pixels */
#define BUFFER		(4 * SIDE * SIDE)
#define NONE		(~0U)

static int vc4_file(struct fz_ctx *c)
{
	struct fz_res *r = fz_last(c, FZ_VC4);

	if (!r) {
		fz_op_vc4_open(c);
		r = fz_last(c, FZ_VC4);
	}
	return r ? r->fd : -1;
}

FZ_OP(vc4_open)
{
	u32 n = fz_byte(c);
	const char *path = fz_shared->nvc4 ? fz_shared->vc4[n % fz_shared->nvc4] : NULL;
	int fd = path ? fz_open_node(path, fz_byte(c) % 2) : -1;

	if (fd >= 0)
		fz_add(c, FZ_VC4, fd, 0);
}

/* Sometimes their ids are used with another file, or the file with vshader's ioctls. */
FZ_OP(vc4_confuse)
{
	struct fz_res *r = fz_res(c, FZ_VC4_BO);

	if (r->fd >= 0)
		fz_add(c, fz_chance(c) ? FZ_DRM : FZ_BO, r->fd, r->id);
}

FZ_OP(vc4_param)
{
	struct drm_vc4_get_param *a = fz_mem(c, sizeof(*a));

	a->param = fz_byte(c) % 12;
	fz_ioctl(c, vc4_file(c), DRM_IOCTL_VC4_GET_PARAM, a);
}

FZ_OP(vc4_create_bo)
{
	static const float corners[] = { -1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1 };
	struct drm_vc4_create_bo *a = fz_mem(c, sizeof(*a));
	struct drm_vc4_mmap_bo *m = fz_mem(c, sizeof(*m));
	int fd = vc4_file(c);
	struct fz_res *r;
	void *p;

	a->size = BUFFER + fz_byte(c) % 16 * PAGE;
	if (fz_ioctl(c, fd, DRM_IOCTL_VC4_CREATE_BO, a))
		return;
	r = fz_add(c, FZ_VC4_BO, fd, a->handle);
	r->size = a->size;
	m->handle = a->handle;
	if (fz_plain_ioctl(fd, DRM_IOCTL_VC4_MMAP_BO, m))
		return;
	p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, m->offset);
	if (p == MAP_FAILED)
		return;
	if (fz_touch_begin())
		memcpy(p, corners, sizeof(corners));
	fz_touch_end();
	munmap(p, PAGE);
}

/* A program, in which a bit may be wrong. */
FZ_OP(vc4_shader)
{
	static const struct {
		const u32 *code;
		u32 size;
	} programs[] = {
		{ vc4_fs, sizeof(vc4_fs) }, { vc4_vs, sizeof(vc4_vs) }, { vc4_cs, sizeof(vc4_cs) },
	};
	struct drm_vc4_create_shader_bo *a = fz_mem(c, sizeof(*a));
	u32 which = fz_byte(c) % 3, *w = fz_mem(c, sizeof(vc4_cs));
	int fd = vc4_file(c);

	memcpy(w, programs[which].code, programs[which].size);
	if (fz_chance(c))
		w[fz_byte(c) % (programs[which].size / 4)] ^= 1U << fz_byte(c) % 32;
	a->data = PTR(w);
	a->size = programs[which].size;
	if (!fz_ioctl(c, fd, DRM_IOCTL_VC4_CREATE_SHADER_BO, a))
		fz_add(c, FZ_VC4_SHADER, fd, a->handle)->size = which;
}

FZ_OP(vc4_close_bo)
{
	struct drm_gem_close *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, fz_chance(c) ? FZ_VC4_BO : FZ_VC4_SHADER);

	a->handle = r->id;
	fz_ioctl(c, r->fd, DRM_IOCTL_GEM_CLOSE, a);
}

/* Map for reading or writing, and look at it while others use it. */
FZ_OP(vc4_map)
{
	struct fz_res *r = fz_res(c, fz_chance(c) ? FZ_VC4_BO : FZ_VC4_SHADER);
	struct drm_vc4_mmap_bo *a = fz_mem(c, sizeof(*a));
	void *p;

	a->handle = r->id;
	if (fz_ioctl(c, r->fd, DRM_IOCTL_VC4_MMAP_BO, a))
		return;
	p = mmap(NULL, PAGE, fz_chance(c) ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, r->fd,
		 a->offset);
	if (p == MAP_FAILED)
		return;
	if (fz_touch_begin())
		__atomic_load_n((u32 *)p, __ATOMIC_RELAXED);
	fz_touch_end();
	munmap(p, PAGE);
}

FZ_OP(vc4_wait)
{
	struct drm_vc4_wait_bo *bo = fz_mem(c, sizeof(*bo));
	struct drm_vc4_wait_seqno *seqno = fz_mem(c, sizeof(*seqno));
	struct fz_res *r = fz_res(c, FZ_VC4_BO);

	if (fz_chance(c)) {
		bo->handle = r->id;
		bo->timeout_ns = (u64)fz_byte(c) * NSEC_PER_MS / 16;
		fz_ioctl(c, r->fd, DRM_IOCTL_VC4_WAIT_BO, bo);
		return;
	}
	seqno->seqno = fz_byte(c);
	seqno->timeout_ns = (u64)fz_byte(c) * NSEC_PER_MS / 16;
	fz_ioctl(c, vc4_file(c), DRM_IOCTL_VC4_WAIT_SEQNO, seqno);
}

FZ_OP(vc4_tiling)
{
	struct drm_vc4_set_tiling *set = fz_mem(c, sizeof(*set));
	struct drm_vc4_get_tiling *get = fz_mem(c, sizeof(*get));
	struct fz_res *r = fz_res(c, FZ_VC4_BO);

	set->handle = r->id;
	set->modifier = fz_chance(c) ? 0x0700000000000001ULL : 0;
	get->handle = r->id;
	if (fz_chance(c))
		fz_ioctl(c, r->fd, DRM_IOCTL_VC4_SET_TILING, set);
	else
		fz_ioctl(c, r->fd, DRM_IOCTL_VC4_GET_TILING, get);
}

FZ_OP(vc4_label)
{
	struct drm_vc4_label_bo *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_VC4_BO);
	char *text = fz_mem(c, 16);

	memset(text, 'a' + fz_byte(c) % 26, fz_byte(c) % 16);
	a->handle = r->id;
	a->len = fz_byte(c) % 16;
	a->name = PTR(text);
	fz_ioctl(c, r->fd, DRM_IOCTL_VC4_LABEL_BO, a);
}

FZ_OP(vc4_madvise)
{
	struct drm_vc4_gem_madvise *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, fz_chance(c) ? FZ_VC4_BO : FZ_VC4_SHADER);

	a->handle = r->id;
	a->madv = fz_byte(c) % 3;
	fz_ioctl(c, r->fd, DRM_IOCTL_VC4_GEM_MADVISE, a);
}

FZ_OP(vc4_perfmon)
{
	struct drm_vc4_perfmon_create *a = fz_mem(c, sizeof(*a));
	struct drm_vc4_perfmon_get_values *get = fz_mem(c, sizeof(*get));
	struct fz_res *r = fz_res(c, FZ_VC4_PERFMON);
	int fd = vc4_file(c);

	switch (fz_byte(c) % 3) {
	case 0:
		a->ncounters = fz_byte(c) % 18;
		a->events[fz_byte(c) % 16] = fz_byte(c) % 32;
		if (!fz_ioctl(c, fd, DRM_IOCTL_VC4_PERFMON_CREATE, a))
			fz_add(c, FZ_VC4_PERFMON, fd, a->id);
		break;
	case 1:
		get->id = r->id;
		get->values_ptr = PTR(fz_mem(c, 128));
		fz_ioctl(c, r->fd, DRM_IOCTL_VC4_PERFMON_GET_VALUES, get);
		break;
	default:
		a->id = r->id;
		fz_ioctl(c, r->fd, DRM_IOCTL_VC4_PERFMON_DESTROY, a);
	}
}

/* The last program of a kind, or any. */
static u32 shader(struct fz_ctx *c, u32 which)
{
	struct fz_res *r = fz_res(c, FZ_VC4_SHADER);
	u32 i;

	for (i = 0; i < 8 && r->size != which; i++)
		r = fz_res(c, FZ_VC4_SHADER);
	return r->id;
}

static void surfaces(struct fz_ctx *c, struct drm_vc4_submit_cl *a)
{
	struct drm_vc4_submit_rcl_surface *s[] = {
		&a->color_read, &a->zs_read, &a->zs_write, &a->msaa_color_write, &a->msaa_zs_write,
	};
	static const u16 bits[] = { 0x001, 0x002, 0x012, 0, 0 };
	u32 i;

	a->color_write.hindex = 4;
	a->color_write.bits = 4 | (fz_chance(c) ? 0x40 : 0) | (fz_byte(c) % 4 ? 0 : 0x11);
	for (i = 0; i < 5; i++) {
		s[i]->hindex = fz_byte(c) % 4 ? NONE : 4;
		s[i]->bits = bits[i];
	}
}

/* A triangle; some bits of its list, record and uniforms are wrong. */
FZ_OP(vc4_submit)
{
	static const u32 record[] = {
		0, 1, 2, 3, 0x00000005, 0, 0, 0x10010000, 0, 0, 0x10010000, 0, 0, 0, 0x0000100f,
	};
	static const u32 uniforms[] = {
		0xff0000ff, 0x44000000, 0x44000000, 0x3f000000, 0x3f000000, 0x44000000, 0x44000000,
		0x3f000000, 0x3f000000,
	};
	struct drm_vc4_submit_cl *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_VC4_BO);
	u32 *w = fz_mem(c, 128), *handles = fz_mem(c, 32), i;
	u8 *list = fz_mem(c, sizeof(vc4_list));

	memcpy(list, vc4_list, sizeof(vc4_list));
	memcpy(w, record, sizeof(record));
	memcpy(w + ARRAY_SIZE(record), uniforms, sizeof(uniforms));
	for (i = 0; i < 3; i++)
		handles[i] = shader(c, i);
	handles[3] = fz_res(c, FZ_VC4_BO)->id;
	handles[4] = r->id;
	a->bin_cl = PTR(list);
	a->bin_cl_size = fz_byte(c) % 8 ? sizeof(vc4_list) : 0;
	a->shader_rec = PTR(w);
	a->shader_rec_size = sizeof(record);
	a->shader_rec_count = 1;
	a->uniforms = PTR(w + ARRAY_SIZE(record));
	a->uniforms_size = sizeof(uniforms);
	a->bo_handles = PTR(handles);
	a->bo_handle_count = 5;
	a->width = SIDE;
	a->height = SIDE;
	a->flags = fz_byte(c) & 15;
	surfaces(c, a);
	for (i = fz_byte(c) % 8; i < 3; i++)
		list[fz_byte(c) % sizeof(vc4_list)] ^= 1U << fz_byte(c) % 8;
	for (i = fz_byte(c) % 8; i < 2; i++)
		w[fz_byte(c) % 24] ^= 1U << fz_byte(c) % 32;
	a->perfmonid = fz_byte(c) % 8 ? 0 : fz_res(c, FZ_VC4_PERFMON)->id;
	a->in_sync = fz_byte(c) % 4 ? 0 : fz_res(c, FZ_SYNCOBJ)->id;
	a->out_sync = fz_chance(c) ? fz_res(c, FZ_SYNCOBJ)->id : 0;
	fz_ioctl(c, r->fd, DRM_IOCTL_VC4_SUBMIT_CL, a);
}

FZ_OP(vc4_syncobj)
{
	struct drm_syncobj_create *a = fz_mem(c, sizeof(*a));
	int fd = vc4_file(c);

	a->flags = fz_chance(c) ? 0 : DRM_SYNCOBJ_CREATE_SIGNALED;
	if (!fz_ioctl(c, fd, DRM_IOCTL_SYNCOBJ_CREATE, a))
		fz_add(c, FZ_SYNCOBJ, fd, a->handle);
}

/* Primary nodes of the superuser have it, and handles of the last job with a fault. */
FZ_OP(vc4_hang)
{
	struct drm_vc4_get_hang_state *a = fz_mem(c, sizeof(*a));
	struct drm_vc4_get_hang_state_bo *bo = fz_mem(c, 8 * sizeof(*bo));
	int fd = vc4_file(c);

	a->bo_count = fz_byte(c) % 9;
	a->bo = PTR(bo);
	if (!fz_ioctl(c, fd, DRM_IOCTL_VC4_GET_HANG_STATE, a) && bo[0].handle)
		fz_add(c, FZ_VC4_BO, fd, bo[0].handle)->size = bo[0].size;
}
