// SPDX-License-Identifier: GPL-2.0
/*
 * Operations: files, and ioctls of the DRM core.
 */
#include <fcntl.h>

#include <panfrost_drm.h>

#include "ops.h"

FZ_OP(open)
{
	const char *path = fz_node(fz_pick(c, FZ_DEVICES));
	int fd = path ? fz_open_node(path, fz_byte(c) % 4 == 1) : -1;

	if (fd >= 0)
		fz_add(c, FZ_DRM, fd, 0);
}

/* Ids of the file stay known: they are then used with a file that has gone, or is another one. */
FZ_OP(close)
{
	static const u8 kinds[] = {
		FZ_DRM, FZ_DEBUG, FZ_DMABUF, FZ_FENCE, FZ_TIMELINE, FZ_RECORD, FZ_PANFROST, FZ_LIMA,
		FZ_VC4,
	};
	struct fz_res *r = fz_res(c, kinds[fz_pick(c, ARRAY_SIZE(kinds))]);

	if (r->fd < 0)
		return;
	close(r->fd);
	r->kind = FZ_NONE;
}

FZ_OP(dup)
{
	static const u8 kinds[] = { FZ_DRM, FZ_DEBUG, FZ_DMABUF, FZ_FENCE, FZ_TIMELINE };
	struct fz_res *r = fz_res(c, kinds[fz_pick(c, ARRAY_SIZE(kinds))]);
	int fd = r->fd < 0 ? -1 : fcntl(r->fd, F_DUPFD_CLOEXEC, 0);

	if (fd >= 0)
		fz_add(c, r->kind, fd, r->id);
}

FZ_OP(version)
{
	struct drm_version *v = fz_mem(c, sizeof(*v));
	struct drm_get_cap *cap = fz_mem(c, sizeof(*cap));
	char *name = fz_mem(c, 64);

	v->name = name;
	v->name_len = fz_byte(c) % 64;
	v->desc = name;
	v->desc_len = fz_byte(c) % 64;
	fz_ioctl(c, fz_file(c), DRM_IOCTL_VERSION, v);
	cap->capability = fz_byte(c) % 32;
	fz_ioctl(c, fz_file(c), DRM_IOCTL_GET_CAP, cap);
}

/* Any number, direction and size; arguments of bytes and a little more. */
FZ_OP(any_ioctl)
{
	u32 nr = fz_byte(c);
	u32 size = fz_byte(c) + 16 * (fz_byte(c) & 15);
	char type = fz_chance(c) ? 0xd5 : 'd';
	u32 dir = fz_byte(c) % 4;
	int fd = fz_chance(c) ? fz_res(c, FZ_DEBUG)->fd : fz_file(c);
	void *arg = fz_mem(c, 512);

	/* those that fz_ioctl() has to know: memory that is not there, syncobjs */
	if (nr == DRM_COMMAND_BASE + DRM_VSHADER_BO_CREATE || (nr >= 0xbf && nr <= 0xcf))
		return;
	memcpy(arg, c->call->b, FZ_BYTES);
	fz_ioctl(c, fd, _IOC(dir, type, nr, size), arg);
}

FZ_OP(gem_close)
{
	struct drm_gem_close *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_BO);

	a->handle = r->id;
	fz_ioctl(c, r->fd, DRM_IOCTL_GEM_CLOSE, a);
}

FZ_OP(prime_export)
{
	struct drm_prime_handle *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_BO);

	a->handle = r->id;
	a->flags = fz_chance(c) ? fz_byte(c) : DRM_CLOEXEC | DRM_RDWR;
	if (!fz_ioctl(c, r->fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, a))
		fz_add(c, FZ_DMABUF, a->fd, 0)->size = r->size;
}

FZ_OP(prime_import)
{
	struct drm_prime_handle *a = fz_mem(c, sizeof(*a));
	struct fz_res *buf = fz_res(c, FZ_DMABUF);
	int fd = fz_res(c, FZ_DRM)->fd;

	a->fd = buf->fd;
	if (!fz_ioctl(c, fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, a))
		fz_add(c, FZ_BO, fd, a->handle)->size = buf->size;
}

/* Names are for files of primary nodes. */
FZ_OP(flink)
{
	struct drm_gem_flink *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, fz_byte(c) % 2 ? FZ_BO : FZ_PAN_BO), *name;

	a->handle = r->id;
	if (fz_ioctl(c, r->fd, DRM_IOCTL_GEM_FLINK, a))
		return;
	name = fz_add(c, FZ_NAME, r->fd, a->name);
	name->size = r->size;
	name->va = r->va;
}

/* In the file that has named the object, or in another one, also of another device. */
FZ_OP(gem_open)
{
	struct drm_panfrost_get_bo_offset *offset = fz_mem(c, sizeof(*offset));
	struct drm_gem_open *a = fz_mem(c, sizeof(*a));
	struct fz_res *name = fz_res(c, FZ_NAME), *r;
	u8 how = fz_byte(c) % 4;
	/* objects of that interface have addresses */
	bool pan = how == 1 || (how != 2 && name->va);
	int fd = name->fd;

	if (how == 1 || how == 2)
		fd = fz_res(c, pan ? FZ_PANFROST : FZ_DRM)->fd;
	a->name = name->id;
	if (fz_ioctl(c, fd, DRM_IOCTL_GEM_OPEN, a))
		return;
	r = fz_add(c, pan ? FZ_PAN_BO : FZ_BO, fd, a->handle);
	r->size = name->size;
	offset->handle = a->handle;
	if (pan && !fz_plain_ioctl(fd, DRM_IOCTL_PANFROST_GET_BO_OFFSET, offset))
		r->va = offset->offset;
}
