// SPDX-License-Identifier: GPL-2.0
/*
 * Operations: their table, their choices, the things they make, and how they call ioctls.
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <time.h>

#include <lima_drm.h>
#include <panfrost_drm.h>
#include <vc4_drm.h>

#include "fz.h"
#include "ops.h"

#define FZ_ENTRY(name, weight)	{ #name, fz_op_##name, weight },

const struct fz_op fz_ops[] = {
	FZ_ALL_OPS(FZ_ENTRY)
};

const u32 fz_nops = ARRAY_SIZE(fz_ops);

_Static_assert(ARRAY_SIZE(fz_ops) <= FZ_MAX_OPS, "more operations than are counted");

int fz_op_find(const char *name)
{
	u32 i;

	for (i = 0; i < fz_nops; i++)
		if (!strcmp(fz_ops[i].name, name))
			return i;
	return -1;
}

/* ---- choices ---- */

u8 fz_byte(struct fz_ctx *c)
{
	return c->at < FZ_BYTES ? c->call->b[c->at++] : 0;
}

u32 fz_pick(struct fz_ctx *c, u32 n)
{
	return n ? fz_byte(c) % n : 0;
}

/* One in eight, by anything but 0. */
bool fz_chance(struct fz_ctx *c)
{
	return fz_byte(c) % 8 == 1;
}

void *fz_mem(struct fz_ctx *c, u32 size)
{
	u32 at = (c->used + 7) & ~7u;

	if (size > FZ_ARENA - at)
		return NULL;
	c->used = at + size;
	return memset(c->arena + at, 0, size);
}

void *fz_copy(struct fz_ctx *c, const void *p, u32 size)
{
	void *to = fz_mem(c, size);

	return to ? memcpy(to, p, size) : NULL;
}

u64 fz_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

void fz_drain(const char *path)
{
	char buf[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return;
	while (read(fd, buf, sizeof(buf)) > 0)
		;
	close(fd);
}

/* ---- things ---- */

static u32 count(struct fz_run *run)
{
	u32 n = run->nres;

	return n < FZ_RES ? n : FZ_RES;
}

struct fz_res *fz_add(struct fz_ctx *c, u8 kind, int fd, u32 id)
{
	u32 n = atomic_fetch_add(&c->run->nres, 1);
	struct fz_res *r = &c->run->res[n < FZ_RES ? n : FZ_RES - 1];

	memset(r, 0, sizeof(*r));
	r->fd = fd;
	r->id = id;
	r->kind = kind;
	return r;
}

struct fz_res *fz_last(struct fz_ctx *c, u8 kind)
{
	u32 i;

	for (i = count(c->run); i--;)
		if (c->run->res[i].kind == kind)
			return &c->run->res[i];
	return NULL;
}

static struct fz_res *nth(struct fz_run *run, u8 kind, u32 n)
{
	u32 i, all = 0;

	for (i = 0; i < count(run); i++)
		all += run->res[i].kind == kind;
	if (all)
		n %= all;
	for (i = 0; i < count(run); i++)
		if (run->res[i].kind == kind && !n--)
			return &run->res[i];
	return NULL;
}

struct fz_res *fz_res(struct fz_ctx *c, u8 kind)
{
	static struct fz_res none[FZ_LANES + 1];
	struct fz_res *r, *other = &none[c->call->lane];
	u8 b = fz_byte(c);

	r = b ? nth(c->run, kind, b - 1) : fz_last(c, kind);
	if (r && b < 0xf0)
		return r;
	/* an id that does not exist, or one of another kind */
	memset(other, 0, sizeof(*other));
	other->kind = kind;
	other->fd = r ? r->fd : -1;
	if (fz_last(c, FZ_DRM) && kind >= FZ_VM && kind <= FZ_SYNCOBJ)
		other->fd = fz_last(c, FZ_DRM)->fd;
	other->id = b < 0xf8 ? b & 7 : 0x7fffffff + (b & 1);
	return other;
}

int fz_file(struct fz_ctx *c)
{
	struct fz_res *r = fz_last(c, FZ_DRM);

	if (!r) {
		fz_op_open(c);
		r = fz_last(c, FZ_DRM);
	}
	return r ? r->fd : -1;
}

/* ---- pokes ---- */

static u64 pointer(struct fz_ctx *c, u32 v)
{
	switch (v % 8) {
	case 0:
		return 0;
	case 1:
		return 0x10;			/* never mapped */
	case 2:
		return PTR(fz_poke_readonly);
	case 3:
		return PTR(c->arena) + FZ_ARENA - v / 8 % 64;	/* runs into the guard page */
	case 4:
		return ~0ULL - v / 8 % 64;
	case 5:
		return PTR(c->arena) + v / 8 % FZ_ARENA;	/* likely misaligned */
	default:
		return PTR(c->arena) + v / 8 % (c->used + 1) / 8 * 8;
	}
}

const u8 fz_poke_readonly[4096] = { 1 };

static u64 address(struct fz_ctx *c, u32 v)
{
	struct fz_res *map = nth(c->run, FZ_MAP, v % 16);
	u64 va = map ? map->va : 0x10000000;

	switch (v / 16 % 4) {
	case 0:
		return va;
	case 1:
		return va + (map ? map->size : PAGE) - v / 64 % 32;
	case 2:
		return va - 1 - v / 64 % 32;
	default:
		return va + v / 64 % PAGE;
	}
}

static void apply(struct fz_ctx *c, const struct fz_poke *p)
{
	u32 at = 4 * (p->at % (c->used / 4));
	u32 *w = (u32 *)(c->arena + at);
	u64 v;

	switch (p->how) {
	case FZ_SET32:
		*w = p->value;
		return;
	case FZ_XOR32:
		*w ^= 1u << (p->value & 31);
		return;
	case FZ_ADD32:
		*w += (int32_t)p->value % 9;
		return;
	case FZ_SET8:
		c->arena[at + (p->value >> 8) % 4] = p->value;
		return;
	case FZ_SET64:
		v = (u64)p->value << (p->value & 31);
		break;
	case FZ_POINTER:
		v = pointer(c, p->value);
		break;
	default:
		v = address(c, p->value);
	}
	at &= ~7u;
	if (at + 8 <= c->used)
		memcpy(c->arena + at, &v, 8);
}

/* ---- ioctls ---- */

int fz_plain_ioctl(int fd, unsigned long request, void *arg)
{
	int ret = ioctl(fd, request, arg) < 0 ? -errno : 0;

	atomic_fetch_add(&fz_shared->ioctls, 1);
	if (!ret)
		atomic_fetch_add(&fz_shared->good, 1);
	return ret;
}

/* The DRM core's allocations for these warn if they are too large. */
static void tame_count(unsigned long request, void *arg)
{
	struct drm_syncobj_timeline_array *points = arg;
	struct drm_syncobj_timeline_wait *point_wait = arg;
	struct drm_syncobj_array *array = arg;
	struct drm_syncobj_wait *wait = arg;

	switch (request) {
	case DRM_IOCTL_SYNCOBJ_WAIT:
		wait->count_handles &= 0xfff;
		break;
	case DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT:
		point_wait->count_handles &= 0xfff;
		break;
	case DRM_IOCTL_SYNCOBJ_RESET:
	case DRM_IOCTL_SYNCOBJ_SIGNAL:
		array->count_handles &= 0xfff;
		break;
	case DRM_IOCTL_SYNCOBJ_QUERY:
	case DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL:
		points->count_handles &= 0xfff;
		break;
	}
}

/* Memory and time that a test machine does not have. */
static void tame(unsigned long request, void *arg)
{
	const long long soon = fz_now() + 10 * NSEC_PER_MS;
	struct drm_syncobj_timeline_wait *points = arg;
	struct drm_panfrost_create_bo *pan_bo = arg;
	struct drm_lima_gem_create *lima_bo = arg;
	struct drm_vc4_create_bo *vc4_bo = arg;
	struct drm_vc4_wait_seqno *seqno = arg;
	struct drm_vc4_wait_bo *wait_bo = arg;
	struct drm_vshader_bo_create *bo = arg;
	struct drm_syncobj_wait *wait = arg;

	if (request == DRM_IOCTL_VSHADER_BO_CREATE && bo->size > 1 << 20)
		bo->size |= 1ULL << 48;
	/* a buffer that is no heap is allocated at once */
	if (request == DRM_IOCTL_PANFROST_CREATE_BO && !(pan_bo->flags & PANFROST_BO_HEAP))
		pan_bo->size &= (1 << 20) - 1;
	if (request == DRM_IOCTL_LIMA_GEM_CREATE && !(lima_bo->flags & LIMA_BO_FLAG_HEAP))
		lima_bo->size &= (1 << 20) - 1;
	if (request == DRM_IOCTL_VC4_CREATE_BO)
		vc4_bo->size &= (1 << 20) - 1;
	if (request == DRM_IOCTL_VC4_WAIT_SEQNO && seqno->timeout_ns > 10 * NSEC_PER_MS)
		seqno->timeout_ns = 10 * NSEC_PER_MS;
	if (request == DRM_IOCTL_VC4_WAIT_BO && wait_bo->timeout_ns > 10 * NSEC_PER_MS)
		wait_bo->timeout_ns = 10 * NSEC_PER_MS;
	if (request == DRM_IOCTL_SYNCOBJ_WAIT && wait->timeout_nsec > soon)
		wait->timeout_nsec = soon;
	if (request == DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT && points->timeout_nsec > soon)
		points->timeout_nsec = soon;
}

static void set_fail(struct fz_ctx *c, u32 n)
{
	char text[16];
	int len = sprintf(text, "%u", n);

	if (c->fail_fd >= 0 && pwrite(c->fail_fd, text, len, 0) < 0)
		c->fail_fd = -1;
}

int fz_ioctl(struct fz_ctx *c, int fd, unsigned long request, void *arg)
{
	bool first = !c->poked;
	u32 i;
	int ret;

	if (!arg)
		return -ENOMEM;
	c->poked = true;
	for (i = 0; first && c->used >= 4 && i < c->call->npokes; i++)
		apply(c, &c->call->poke[i]);
	tame(request, arg);
	tame_count(request, arg);
	if (first && c->call->fail)
		set_fail(c, c->call->fail);
	ret = fz_plain_ioctl(fd, request, arg);
	if (first && c->call->fail)
		set_fail(c, 0);
	return ret;
}
