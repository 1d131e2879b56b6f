// SPDX-License-Identifier: GPL-2.0
/*
 * Devices that present themselves as the lima driver's: its ioctls and their errors, the order of
 * its checks, the life of buffers and of their addresses, implicit and explicit synchronisation,
 * contexts that are guilty of faults.
 *
 * Needs a device with each of the personalities lima:mali400 and lima:mali450.
 */
#include <fcntl.h>
#include <sys/wait.h>

#include "pan_sizes.h"
#include "vshader_test.h"
#include "vst_dump.h"
#include "vst_lima.h"

#define HEAP_SIZE	(16U << 20)
#define NO_HANDLE	9999
#define RW		(LIMA_SUBMIT_BO_READ | LIMA_SUBMIT_BO_WRITE)
#define VA_START	0x10000ULL
#define VA_END		0xfff00000ULL
#define FRAME_VA	0xfffff000ULL
#define MAX_DUMP	(32 << 20)
#define CLIENT_MEMORY	"/sys/module/vshader/parameters/client_memory"
#define TIMEOUT		"/sys/module/vshader/parameters/lima_timeout_ms"

FIXTURE(lima) {
	int fd;
	__u32 ctx;
	struct vst_lm_bo bo;
	struct vst_lm_job job;
};

FIXTURE_VARIANT(lima) {
	__u32 id;
	__u32 num_pp;
	__u32 gp_version;
	__u32 pp_version;
};

FIXTURE_VARIANT_ADD(lima, mali400) {
	.id = DRM_LIMA_PARAM_GPU_ID_MALI400,
	.num_pp = 4,
	.gp_version = 0xb07,
	.pp_version = 0xcd07,
};

FIXTURE_VARIANT_ADD(lima, mali450) {
	.id = DRM_LIMA_PARAM_GPU_ID_MALI450,
	.num_pp = 8,
	.gp_version = 0xd07,
	.pp_version = 0xcf07,
};

FIXTURE_SETUP(lima)
{
	self->fd = vst_lm_open(variant->id);
	if (self->fd == -ENODEV)
		SKIP(return, "no device with personality lima and GPU %u", variant->id);
	ASSERT_EQ(0, vst_lm_ctx_create(self->fd, 0, &self->ctx));
	ASSERT_EQ(0, vst_lm_create_mapped(self->fd, PAGE, &self->bo));
	vst_lm_put_copy(&self->bo);
	vst_lm_draw(&self->job, self->ctx, &self->bo);
}

FIXTURE_TEARDOWN(lima)
{
	if (self->fd >= 0)
		close(self->fd);
}

/* ---- what it says of itself ---- */

TEST_F(lima, version)
{
	char name[32] = "";
	struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };

	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VERSION, &v));
	EXPECT_STREQ("lima", name);
	EXPECT_EQ(1, v.version_major);
	EXPECT_EQ(1, v.version_minor);
}

TEST_F(lima, parameters)
{
	struct drm_lima_get_param arg = { .param = 4, .pad = 1 };
	__u64 value;

	EXPECT_EQ(0, vst_lm_param(self->fd, DRM_LIMA_PARAM_GPU_ID, &value));
	EXPECT_EQ(variant->id, value);
	EXPECT_EQ(0, vst_lm_param(self->fd, DRM_LIMA_PARAM_NUM_PP, &value));
	EXPECT_EQ(variant->num_pp, value);
	EXPECT_EQ(0, vst_lm_param(self->fd, DRM_LIMA_PARAM_GP_VERSION, &value));
	EXPECT_EQ(variant->gp_version, value >> 16);
	EXPECT_EQ(0, vst_lm_param(self->fd, DRM_LIMA_PARAM_PP_VERSION, &value));
	EXPECT_EQ(variant->pp_version, value >> 16);
	EXPECT_EQ(-EINVAL, vst_lm_param(self->fd, 4, &value));
	EXPECT_EQ(-EINVAL, vst_lm_param(self->fd, ~0U, &value));
	arg.param = 0;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_LIMA_GET_PARAM, &arg));
}

/* The lima driver leaves them to the DRM core. */
TEST_F(lima, unknown_ioctl)
{
	char arg[256] = { 0 };
	unsigned int nr;

	for (nr = DRM_LIMA_CTX_FREE + 1; nr < 0x60; nr++) {
		EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, _IOC(_IOC_READ | _IOC_WRITE, 'd',
							    DRM_COMMAND_BASE + nr, sizeof(arg)),
					     arg))
			TH_LOG("ioctl %x", nr);
	}
}

/* The lima driver has none. */
TEST_F(lima, no_timelines)
{
	struct drm_get_cap cap = { .capability = DRM_CAP_SYNCOBJ_TIMELINE, .value = 1 };
	__u32 sync;
	__u64 point;

	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_GET_CAP, &cap));
	EXPECT_EQ(0, cap.value);
	ASSERT_EQ(0, vst_syncobj(self->fd, &sync));
	EXPECT_EQ(-EOPNOTSUPP, vst_timeline_signal(self->fd, sync, 1));
	EXPECT_EQ(-EOPNOTSUPP, vst_timeline_query(self->fd, sync, &point));
	EXPECT_EQ(-EOPNOTSUPP, vst_wait_point(self->fd, sync, 1, 0, 0));
}

/* Arguments of other lengths, as in the DRM core: the rest is 0, or as it was. */
TEST_F(lima, sizes)
{
	struct {
		struct drm_lima_get_param a;
		__u64 more;
	} arg = { .more = ~0ULL };
	__u32 id = ~0U;

	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOWR(DRM_COMMAND_BASE + DRM_LIMA_GET_PARAM, arg),
			       &arg));
	EXPECT_EQ(variant->id, arg.a.value);
	EXPECT_EQ(~0ULL, arg.more);
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOR(DRM_COMMAND_BASE + DRM_LIMA_CTX_CREATE, __u32),
			       &id));
	EXPECT_NE(~0U, id);
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOW(DRM_COMMAND_BASE + DRM_LIMA_CTX_FREE, __u32),
			       &id));
}

/* The same for every ioctl and every length up to 192 bytes. */
TEST_F(lima, all_sizes)
{
	const struct pan_sized table[] = {
		PAN_SIZED(LIMA_GET_PARAM, .arg = { DRM_LIMA_PARAM_NUM_PP }),
		PAN_SIZED(LIMA_GEM_CREATE, .arg = { PAGE }, .to = 3,
			  .undo = _IOC_NR(DRM_IOCTL_GEM_CLOSE)),
		PAN_SIZED(LIMA_GEM_INFO, .arg = { self->bo.handle }),
		PAN_SIZED(LIMA_GEM_SUBMIT, .arg = { self->ctx }, .want = -EINVAL),
		PAN_SIZED(LIMA_GEM_WAIT,
			  .arg = { self->bo.handle, LIMA_GEM_WAIT_READ, ~0U, ~0U >> 1 }),
		PAN_SIZED(LIMA_CTX_CREATE, .to = 1, .undo = _IOC_NR(DRM_IOCTL_LIMA_CTX_FREE)),
		PAN_SIZED(LIMA_CTX_FREE, .make = _IOC_NR(DRM_IOCTL_LIMA_CTX_CREATE)),
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		EXPECT_TRUE(pan_try_sizes(self->fd, &table[i]));
}

/* ---- buffers ---- */

TEST_F(lima, buffers)
{
	struct vst_lm_bo a, b;
	__u64 offset;
	__u32 va;

	ASSERT_EQ(0, vst_lm_create(self->fd, 100, 0, &a));
	ASSERT_EQ(0, vst_lm_create(self->fd, 3 * PAGE, 0, &b));
	/* the lowest ones */
	EXPECT_EQ(VA_START, self->bo.va);
	EXPECT_EQ(VA_START + PAGE, a.va);
	EXPECT_EQ(VA_START + 2 * PAGE, b.va);
	EXPECT_EQ(0, vst_bo_close(self->fd, b.handle));
	EXPECT_EQ(-ENOENT, vst_lm_info(self->fd, b.handle, &va, &offset));
	ASSERT_EQ(0, vst_lm_create(self->fd, 3 * PAGE, 0, &a));
	EXPECT_EQ(b.va, a.va);
	EXPECT_EQ(-ENOENT, vst_lm_info(self->fd, NO_HANDLE, &va, &offset));
}

TEST_F(lima, bad_buffers)
{
	struct drm_lima_gem_create pad = { .size = PAGE, .pad = 1 };
	struct vst_lm_bo b;

	EXPECT_EQ(-EINVAL, vst_lm_create(self->fd, 0, 0, &b));
	EXPECT_EQ(-EINVAL, vst_lm_create(self->fd, PAGE, 2, &b));
	EXPECT_EQ(-EINVAL, vst_lm_create(self->fd, 0, LIMA_BO_FLAG_HEAP, &b));
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_LIMA_GEM_CREATE, &pad));
}

/* All addresses: the last buffer ends in front of the load balancer's page. */
TEST_F(lima, out_of_addresses)
{
	struct vst_lm_bo heap[4], b;
	unsigned int n, round;
	__u64 end = 0;

	for (round = 0; round < 2; round++) {
		for (n = 0; n < 3; n++)
			ASSERT_EQ(0, vst_lm_create(self->fd, 1 << 30, LIMA_BO_FLAG_HEAP, &heap[n]));
		EXPECT_EQ(-ENOSPC, vst_lm_create(self->fd, 1 << 30, LIMA_BO_FLAG_HEAP, &b));
		end = (__u64)heap[2].va + heap[2].size;
		ASSERT_EQ(0, vst_lm_create(self->fd, VA_END - end, LIMA_BO_FLAG_HEAP, &heap[3]));
		EXPECT_EQ(end, heap[3].va);
		EXPECT_EQ(-ENOSPC, vst_lm_create(self->fd, PAGE, 0, &b));
		for (n = 0; n < 4; n++)
			EXPECT_EQ(0, vst_bo_close(self->fd, heap[n].handle));
	}
}

/* ---- heaps ---- */

TEST_F(lima, heap)
{
	struct vst_lm_bo heap, next;
	__u64 offset;
	__u32 va;
	int fd;

	ASSERT_EQ(0, vst_lm_create(self->fd, HEAP_SIZE, LIMA_BO_FLAG_HEAP, &heap));
	ASSERT_EQ(0, vst_lm_create(self->fd, PAGE, 0, &next));
	EXPECT_LE(heap.va + HEAP_SIZE, next.va);
	/* it has an offset that cannot be mapped */
	EXPECT_EQ(0, vst_lm_info(self->fd, heap.handle, &va, &offset));
	EXPECT_NE(0, offset);
	EXPECT_EQ(-EINVAL, vst_lm_map(self->fd, &heap));
	EXPECT_EQ(-EINVAL, vst_prime_export(self->fd, heap.handle, &fd));
}

/* Vertices at any address of a heap, which gets memory there. */
TEST_F(lima, heap_grows)
{
	static const __u32 sizes[] = { PAGE, 8 * PAGE, 9 * PAGE, 24 * PAGE, 100 * PAGE, HEAP_SIZE };
	struct vst_lm_bo heap;
	__u64 end;
	__u32 at;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		ASSERT_EQ(0, vst_lm_create(self->fd, sizes[i], LIMA_BO_FLAG_HEAP, &heap));
		end = heap.va + sizes[i];
		for (at = heap.va; at < end; at += sizes[i] > 100 * PAGE ? 3 << 20 : PAGE) {
			self->bo.u32[LM_VAR_AT / 4] = at;
			EXPECT_EQ(0, vst_lm_run(self->fd, &self->job)) TH_LOG("at %x", at);
		}
		/* the last vertex of one list is the last of the heap; the next address is not */
		self->bo.u32[LM_VAR_AT / 4] = end - 16 * LM_VERTICES;
		EXPECT_EQ(0, vst_lm_run(self->fd, &self->job));
		self->bo.u32[LM_VAR_AT / 4] = end;
		EXPECT_EQ(vst_lm_fence(-EIO), vst_lm_run(self->fd, &self->job));
		/* that was guilty */
		ASSERT_EQ(0, vst_lm_ctx_create(self->fd, 0, &self->ctx));
		self->job.arg.ctx = self->ctx;
		EXPECT_EQ(0, vst_bo_close(self->fd, heap.handle));
	}
}

/*
 * The lists of a heap's granules are charged to the client, also those of heaps that only queued
 * jobs see any more.
 */
TEST_F(lima, heaps_are_charged)
{
	struct vst_lm_bo heap;
	char was[32], limit[32];
	int n, ret = 0;

	if (vst_read_file(CLIENT_MEMORY, was, sizeof(was)) <= 0 ||
	    vst_read_file(TIMEOUT, limit, sizeof(limit)) <= 0)
		SKIP(return, "no parameters of a module");
	/* the first job runs until its context is freed */
	ASSERT_EQ(0, vst_write_file(TIMEOUT, "1000000"));
	ret = vst_lm_ctx_create(self->fd, 0, &self->ctx);
	EXPECT_EQ(0, vst_write_file(TIMEOUT, limit));
	ASSERT_EQ(0, ret);
	self->job.arg.ctx = self->ctx;
	/* 32 MiB are the first job's */
	ASSERT_EQ(0, vst_write_file(CLIENT_MEMORY, "64"));
	vst_lm_put_spin(&self->bo);
	ret = vst_lm_submit(self->fd, &self->job);
	EXPECT_EQ(0, ret);
	/* 128 KiB for the heap, 512 KiB for its addresses */
	for (n = 0; n < 400 && !ret; n++) {
		ret = vst_lm_create(self->fd, 1 << 30, LIMA_BO_FLAG_HEAP, &heap);
		if (ret)
			break;
		ret = vst_lm_submit(self->fd, &self->job);
		EXPECT_EQ(0, vst_bo_close(self->fd, heap.handle));
	}
	printf("# %d heaps\n", n);
	EXPECT_EQ(-EDQUOT, ret);
	EXPECT_GT(100, n);
	EXPECT_LT(8, n);
	EXPECT_EQ(0, vst_lm_ctx_free(self->fd, self->ctx, 0));
	EXPECT_EQ(0, vst_lm_wait_idle(self->fd, self->bo.handle));
	/* and with the jobs it is given back */
	do {
		usleep(10000);
		ret = vst_lm_create(self->fd, 1 << 30, LIMA_BO_FLAG_HEAP, &heap);
	} while (ret == -EDQUOT);
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, vst_write_file(CLIENT_MEMORY, was));
}

/* ---- contexts ---- */

TEST_F(lima, contexts)
{
	__u32 a, b;

	EXPECT_EQ(0, self->ctx);
	ASSERT_EQ(0, vst_lm_ctx_create(self->fd, 0, &a));
	/* the core does not read an argument that is only written */
	ASSERT_EQ(0, vst_lm_ctx_create(self->fd, 1, &b));
	EXPECT_EQ(1, a);
	EXPECT_EQ(2, b);
	EXPECT_EQ(-EINVAL, vst_lm_ctx_free(self->fd, a, 1));
	EXPECT_EQ(0, vst_lm_ctx_free(self->fd, a, 0));
	EXPECT_EQ(-EINVAL, vst_lm_ctx_free(self->fd, a, 0));
	EXPECT_EQ(-EINVAL, vst_lm_ctx_free(self->fd, ~0U, 0));
	self->job.arg.ctx = a;
	EXPECT_EQ(-ENOENT, vst_lm_submit(self->fd, &self->job));
	self->job.arg.ctx = b;
	EXPECT_EQ(0, vst_lm_run(self->fd, &self->job));
	/* the first one, too, can be freed, and its id is used again */
	EXPECT_EQ(0, vst_lm_ctx_free(self->fd, self->ctx, 0));
	ASSERT_EQ(0, vst_lm_ctx_create(self->fd, 0, &a));
	EXPECT_EQ(self->ctx, a);
	EXPECT_EQ(LM_VERTICES, vst_lm_copied(&self->bo));
}

/* More than a client's queues. */
TEST_F(lima, contexts_are_limited)
{
	unsigned int n, round;
	int ret = 0;
	__u32 id;

	for (round = 0; round < 2; round++) {
		for (n = 0; n < 2000; n++) {
			ret = vst_lm_ctx_create(self->fd, 0, &id);
			if (ret)
				break;
		}
		EXPECT_EQ(-E2BIG, ret);
		EXPECT_LT(100, n);
		/* the file's first one stays */
		for (; n; n--)
			ASSERT_EQ(0, vst_lm_ctx_free(self->fd, n, 0));
	}
	EXPECT_EQ(0, vst_lm_run(self->fd, &self->job));
}

static void make_guilty(struct vst_lm_job *j)
{
	j->gp.frame[0] += 0x100000;
	j->gp.frame[1] += 0x100000;
}

/* A PP frame with a bit that means nothing. */
static void bad_pixels(struct vst_lm_job *j, __u32 id)
{
	memset(&j->m450, 0, sizeof(j->m450));
	j->arg.pipe = LIMA_PIPE_PP;
	j->arg.frame_size = id == DRM_LIMA_PARAM_GPU_ID_MALI400 ? sizeof(j->m400) :
								  sizeof(j->m450);
	j->m400.frame[14] = 1;
	j->m400.num_pp = 1;
}

/* A fault in either pipe cancels later jobs of the context's both, and of no other context. */
TEST_F(lima, guilty)
{
	struct vst_lm_job bad, pixels;
	unsigned int pipe;
	__u32 other, ctx;

	ASSERT_EQ(0, vst_lm_ctx_create(self->fd, 0, &other));
	for (pipe = LIMA_PIPE_GP; pipe <= LIMA_PIPE_PP; pipe++) {
		ASSERT_EQ(0, vst_lm_ctx_create(self->fd, 0, &ctx));
		bad = self->job;
		bad.arg.bos = PTR(bad.bos);
		bad.arg.frame = PTR(&bad.gp);
		bad.arg.ctx = ctx;
		pixels = bad;
		pixels.arg.bos = PTR(pixels.bos);
		pixels.arg.frame = PTR(&pixels.gp);
		bad_pixels(&pixels, variant->id);
		self->job.arg.ctx = ctx;
		EXPECT_EQ(0, vst_lm_run(self->fd, &self->job));
		make_guilty(&bad);
		EXPECT_EQ(vst_lm_fence(-EIO),
			  vst_lm_run(self->fd, pipe == LIMA_PIPE_PP ? &pixels : &bad));
		vst_lm_put_copy(&self->bo);
		EXPECT_EQ(vst_lm_fence(-ECANCELED), vst_lm_run(self->fd, &self->job));
		EXPECT_EQ(vst_lm_fence(-ECANCELED), vst_lm_run(self->fd, &pixels));
		EXPECT_EQ(0, vst_lm_copied(&self->bo));
		self->job.arg.ctx = other;
		EXPECT_EQ(0, vst_lm_run(self->fd, &self->job));
		EXPECT_EQ(LM_VERTICES, vst_lm_copied(&self->bo));
		EXPECT_EQ(0, vst_lm_ctx_free(self->fd, ctx, 0));
	}
}

/* Jobs that wait when an earlier one faults are cancelled, too. */
TEST_F(lima, guilty_takes_along)
{
	struct vst_lm_job bad = self->job;
	struct vst_lm_bo other;
	struct vst_gate g;
	__u32 in, out;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	ASSERT_EQ(0, vst_syncobj(self->fd, &out));
	ASSERT_EQ(0, vst_lm_create_mapped(self->fd, PAGE, &other));
	bad.arg.bos = PTR(bad.bos);
	bad.arg.frame = PTR(&bad.gp);
	bad.bos[0].handle = other.handle;
	bad.arg.in_sync[0] = in;
	make_guilty(&bad);
	EXPECT_EQ(0, vst_lm_submit(self->fd, &bad));
	self->job.arg.out_sync = out;
	EXPECT_EQ(0, vst_lm_submit(self->fd, &self->job));
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_wait(self->fd, out, 20000));
	EXPECT_EQ(vst_lm_fence(-ECANCELED), vst_fence_status(self->fd, out));
	EXPECT_EQ(0, vst_lm_copied(&self->bo));
	vst_gate_free(&g);
}

TEST_F(lima, freed_context)
{
	struct vst_gate g;
	__u32 in, out;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	ASSERT_EQ(0, vst_syncobj(self->fd, &out));
	self->job.arg.in_sync[1] = in;
	self->job.arg.out_sync = out;
	EXPECT_EQ(0, vst_lm_submit(self->fd, &self->job));
	EXPECT_EQ(0, vst_lm_ctx_free(self->fd, self->ctx, 0));
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_wait(self->fd, out, 20000));
	EXPECT_EQ(vst_lm_fence(-ECANCELED), vst_fence_status(self->fd, out));
	EXPECT_EQ(0, vst_lm_copied(&self->bo));
	vst_gate_free(&g);
}

/* ---- jobs ---- */

TEST_F(lima, draw)
{
	EXPECT_EQ(0, vst_lm_run(self->fd, &self->job));
	EXPECT_EQ(LM_VERTICES, vst_lm_copied(&self->bo));
}

/* The frame is copied: changes after SUBMIT mean nothing. */
TEST_F(lima, frame_by_value)
{
	struct vst_gate g;
	__u32 in;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	self->job.arg.in_sync[0] = in;
	EXPECT_EQ(0, vst_lm_submit(self->fd, &self->job));
	memset(&self->job, 0xff, sizeof(self->job));
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_lm_wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(LM_VERTICES, vst_lm_copied(&self->bo));
	vst_gate_free(&g);
}

/* Each check of SUBMIT, with everything behind it wrong, too: the first error is reported. */
TEST_F(lima, order_of_checks)
{
	struct vst_lm_job *j = &self->job;
	const struct vst_lm_job good = *j;

	j->arg.ctx = 77;
	j->arg.pipe = 2;
	j->arg.flags = 2;
	j->arg.frame_size = 20;
	j->arg.bos = BAD_PTR;
	j->arg.frame = BAD_PTR;
	j->arg.out_sync = NO_HANDLE;
	j->arg.in_sync[0] = NO_HANDLE;
	j->bos[0].handle = NO_HANDLE;
	j->gp.frame[0] = 0;
	j->gp.frame[1] = 0;
	EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	j->arg.pipe = 0;
	EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	j->arg.flags = 0;
	EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	j->arg.frame_size = 24;
	j->arg.nr_bos = 0;
	EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	j->arg.nr_bos = ~0U;
	EXPECT_EQ(-ENOMEM, vst_lm_submit(self->fd, j));
	j->arg.nr_bos = 1;
	EXPECT_EQ(-EFAULT, vst_lm_submit(self->fd, j));
	j->arg.bos = good.arg.bos;
	EXPECT_EQ(-EFAULT, vst_lm_submit(self->fd, j));
	j->arg.frame = good.arg.frame;
	EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	j->gp = good.gp;
	/* the context, the fence of the result, buffers, the fences to wait for: all -ENOENT */
	EXPECT_EQ(-ENOENT, vst_lm_submit(self->fd, j));
	j->arg.ctx = good.arg.ctx;
	EXPECT_EQ(-ENOENT, vst_lm_submit(self->fd, j));
	j->arg.out_sync = 0;
	EXPECT_EQ(-ENOENT, vst_lm_submit(self->fd, j));
	j->bos[0] = good.bos[0];
	EXPECT_EQ(-ENOENT, vst_lm_submit(self->fd, j));
	j->arg.in_sync[0] = 0;
	EXPECT_EQ(0, vst_lm_run(self->fd, j));
	EXPECT_EQ(LM_VERTICES, vst_lm_copied(&self->bo));
}

TEST_F(lima, vertex_frames)
{
	struct vst_lm_job *j = &self->job;
	const struct drm_lima_gp_frame good = j->gp;
	unsigned int i;

	for (i = 0; i < 6; i += 2) {
		j->gp = good;
		j->gp.frame[i] = 0x2000;
		j->gp.frame[i + 1] = 0x1ff8;
		EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	}
	j->gp = good;
	j->gp.frame[0] = j->gp.frame[1];
	j->gp.frame[2] = 0x1000;
	j->gp.frame[3] = 0x1000;
	EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	j->arg.frame_size = sizeof(j->m400);
	EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	j->arg.frame_size = 0;
	EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	/* an end that is not the list's is the chip's business */
	j->arg.frame_size = sizeof(j->gp);
	j->gp = good;
	j->gp.frame[1] -= 4;
	EXPECT_EQ(vst_lm_fence(-EIO), vst_lm_run(self->fd, j));
}

TEST_F(lima, pixel_frames)
{
	bool m400 = variant->id == DRM_LIMA_PARAM_GPU_ID_MALI400;
	struct vst_lm_job *j = &self->job;

	bad_pixels(j, variant->id);
	j->arg.frame_size = sizeof(j->gp);
	EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	/* that of the other chip */
	j->arg.frame_size = m400 ? sizeof(j->m450) : sizeof(j->m400);
	EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	j->arg.frame_size = m400 ? sizeof(j->m400) : sizeof(j->m450);
	j->m400.num_pp = 0;
	EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	j->m400.num_pp = variant->num_pp + 1;
	EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	j->m400.num_pp = variant->num_pp;
	if (!m400) {
		j->m450._pad = 1;
		EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
		j->m450._pad = 0;
	}
	/* it is accepted, and then the processor does not like it */
	EXPECT_EQ(vst_lm_fence(-EIO), vst_lm_run(self->fd, j));
}

TEST_F(lima, bad_buffers_of_jobs)
{
	struct vst_lm_job *j = &self->job;
	struct vst_lm_bo other;
	__u32 sync;

	ASSERT_EQ(0, vst_lm_create_mapped(self->fd, PAGE, &other));
	vst_lm_add(j, other.handle, LIMA_SUBMIT_BO_READ);
	EXPECT_EQ(0, vst_lm_run(self->fd, j));
	/* unknown flags are ignored, an object that is named twice is not */
	j->bos[1].flags = ~LIMA_SUBMIT_BO_WRITE;
	EXPECT_EQ(0, vst_lm_run(self->fd, j));
	vst_lm_add(j, self->bo.handle, LIMA_SUBMIT_BO_READ);
	EXPECT_EQ(-EALREADY, vst_lm_submit(self->fd, j));
	/* that comes before fences to wait for */
	j->arg.in_sync[1] = NO_HANDLE;
	EXPECT_EQ(-EALREADY, vst_lm_submit(self->fd, j));
	j->arg.nr_bos = 2;
	EXPECT_EQ(-ENOENT, vst_lm_submit(self->fd, j));
	ASSERT_EQ(0, vst_syncobj(self->fd, &sync));
	j->arg.in_sync[1] = sync;
	EXPECT_EQ(-EINVAL, vst_lm_submit(self->fd, j));
	j->arg.in_sync[1] = 0;
	EXPECT_EQ(0, vst_bo_close(self->fd, other.handle));
	EXPECT_EQ(-ENOENT, vst_lm_submit(self->fd, j));
	j->arg.nr_bos = 1;
	EXPECT_EQ(0, vst_lm_run(self->fd, j));
}

/* A buffer that is closed while a job uses it stays until the job has ended. */
TEST_F(lima, closed_buffer)
{
	struct vst_gate g;
	__u32 in, out;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	ASSERT_EQ(0, vst_syncobj(self->fd, &out));
	self->job.arg.in_sync[0] = in;
	self->job.arg.out_sync = out;
	EXPECT_EQ(0, vst_lm_submit(self->fd, &self->job));
	EXPECT_EQ(0, vst_bo_close(self->fd, self->bo.handle));
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_wait(self->fd, out, 20000));
	EXPECT_EQ(0, vst_fence_status(self->fd, out));
	EXPECT_EQ(LM_VERTICES, vst_lm_copied(&self->bo));
	vst_gate_free(&g);
}

/* ---- synchronisation ---- */

TEST_F(lima, wait_bad)
{
	__u32 handle = self->bo.handle;

	EXPECT_EQ(-EINVAL, vst_lm_wait(self->fd, handle, 4, 0));
	EXPECT_EQ(-EINVAL, vst_lm_wait(self->fd, NO_HANDLE, 4, 0));
	EXPECT_EQ(-EINVAL, vst_lm_wait(self->fd, NO_HANDLE, LIMA_GEM_WAIT_READ, 0));
	EXPECT_EQ(0, vst_lm_wait(self->fd, NO_HANDLE, 0, 0));
	EXPECT_EQ(0, vst_lm_wait(self->fd, handle, LIMA_GEM_WAIT_READ, 0));
	EXPECT_EQ(0, vst_lm_wait(self->fd, handle, LIMA_GEM_WAIT_WRITE, 0));
}

/* Who reads a buffer waits for its writers, who writes it waits for all. */
TEST_F(lima, waits)
{
	struct vst_lm_job *j = &self->job;
	struct vst_lm_bo read, written, none;
	struct vst_gate g;
	__u32 in, out;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_lm_create(self->fd, PAGE, 0, &read));
	ASSERT_EQ(0, vst_lm_create(self->fd, PAGE, 0, &written));
	ASSERT_EQ(0, vst_lm_create(self->fd, PAGE, 0, &none));
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	ASSERT_EQ(0, vst_syncobj(self->fd, &out));
	vst_lm_add(j, read.handle, LIMA_SUBMIT_BO_READ);
	vst_lm_add(j, written.handle, LIMA_SUBMIT_BO_WRITE);
	j->arg.in_sync[0] = in;
	j->arg.out_sync = out;
	EXPECT_EQ(0, vst_lm_submit(self->fd, j));
	EXPECT_EQ(0, vst_lm_wait(self->fd, read.handle, LIMA_GEM_WAIT_READ, 0));
	EXPECT_EQ(-EBUSY, vst_lm_wait(self->fd, read.handle, LIMA_GEM_WAIT_WRITE, 0));
	EXPECT_EQ(-EBUSY, vst_lm_wait(self->fd, written.handle, LIMA_GEM_WAIT_READ, 0));
	EXPECT_EQ(-EBUSY, vst_lm_wait(self->fd, written.handle, LIMA_GEM_WAIT_WRITE, 0));
	EXPECT_EQ(-EBUSY, vst_lm_wait(self->fd, written.handle, 3, 0));
	EXPECT_EQ(-ETIMEDOUT, vst_lm_wait(self->fd, written.handle, LIMA_GEM_WAIT_READ,
					  vst_lm_after_ms(20)));
	EXPECT_EQ(0, vst_lm_wait(self->fd, written.handle, 0, 0));
	EXPECT_EQ(0, vst_lm_wait(self->fd, none.handle, LIMA_GEM_WAIT_WRITE, 0));
	EXPECT_EQ(0, vst_lm_copied(&self->bo));
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_lm_wait_idle(self->fd, written.handle));
	EXPECT_EQ(LM_VERTICES, vst_lm_copied(&self->bo));
	EXPECT_EQ(0, vst_fence_status(self->fd, out));
	vst_gate_free(&g);
}

/* A job of a context of its own, gated or not, that names one buffer. */
static int submit_user(FIXTURE_DATA(lima) *self, struct vst_lm_bo *own, __u32 handle,
		       __u32 use, __u32 flags, __u32 in)
{
	struct vst_lm_job j;
	__u32 ctx;
	int ret;

	ret = vst_lm_ctx_create(self->fd, 0, &ctx);
	if (!ret)
		ret = vst_lm_create_mapped(self->fd, PAGE, own);
	if (ret)
		return ret;
	vst_lm_put_copy(own);
	vst_lm_draw(&j, ctx, own);
	vst_lm_add(&j, handle, use);
	j.arg.flags = flags;
	j.arg.in_sync[0] = in;
	return vst_lm_submit(self->fd, &j);
}

/* A job that waits for nobody would have ended. */
static bool is_held(int fd, const struct vst_lm_bo *b)
{
	return vst_lm_wait(fd, b->handle, LIMA_GEM_WAIT_WRITE, vst_lm_after_ms(300)) == -ETIMEDOUT;
}

/*
 * Across contexts, readers overtake readers and wait for writers; writers wait for all. With
 * EXPLICIT_FENCE a job waits for nobody, and others wait for it.
 */
TEST_F(lima, implicit_order)
{
	struct vst_lm_bo shared, b[6];
	struct vst_gate g;
	unsigned int i;
	__u32 in;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	ASSERT_EQ(0, vst_lm_create(self->fd, PAGE, 0, &shared));
	EXPECT_EQ(0, submit_user(self, &b[0], shared.handle, LIMA_SUBMIT_BO_READ, 0, in));
	EXPECT_EQ(0, submit_user(self, &b[1], shared.handle, LIMA_SUBMIT_BO_READ, 0, 0));
	EXPECT_EQ(0, vst_lm_wait_idle(self->fd, b[1].handle));
	EXPECT_EQ(0, submit_user(self, &b[2], shared.handle, LIMA_SUBMIT_BO_WRITE, 0, 0));
	EXPECT_EQ(0, submit_user(self, &b[3], shared.handle, LIMA_SUBMIT_BO_READ, 0, 0));
	EXPECT_EQ(0, submit_user(self, &b[4], shared.handle, RW, LIMA_SUBMIT_FLAG_EXPLICIT_FENCE,
				 0));
	EXPECT_EQ(0, vst_lm_wait_idle(self->fd, b[4].handle));
	EXPECT_TRUE(is_held(self->fd, &b[2]));
	EXPECT_TRUE(is_held(self->fd, &b[3]));
	EXPECT_EQ(0, vst_lm_copied(&b[0]) | vst_lm_copied(&b[2]) | vst_lm_copied(&b[3]));
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_lm_wait_idle(self->fd, shared.handle));
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(0, vst_lm_wait_idle(self->fd, b[i].handle));
		EXPECT_EQ(LM_VERTICES, vst_lm_copied(&b[i]));
	}
	vst_gate_free(&g);
	/* others wait for an explicit job */
	if (vst_gate_new(&g, PAGE))
		return;
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	EXPECT_EQ(0, submit_user(self, &b[0], shared.handle, LIMA_SUBMIT_BO_WRITE,
				 LIMA_SUBMIT_FLAG_EXPLICIT_FENCE, in));
	EXPECT_EQ(-EBUSY, vst_lm_wait(self->fd, shared.handle, LIMA_GEM_WAIT_READ, 0));
	EXPECT_EQ(0, submit_user(self, &b[1], shared.handle, LIMA_SUBMIT_BO_READ, 0, 0));
	EXPECT_TRUE(is_held(self->fd, &b[1]));
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_lm_wait_idle(self->fd, b[1].handle));
	vst_gate_free(&g);
}

/* Both fences are waited for; the result replaces what the object had. */
TEST_F(lima, fences)
{
	struct vst_gate a, b;
	__u32 in[2], out;

	if (vst_gate_new(&a, PAGE) || vst_gate_new(&b, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_gate_syncobj(&a, self->fd, &in[0]));
	ASSERT_EQ(0, vst_gate_syncobj(&b, self->fd, &in[1]));
	ASSERT_EQ(0, vst_syncobj(self->fd, &out));
	ASSERT_EQ(0, vst_syncobj_signal(self->fd, out));
	self->job.arg.in_sync[0] = in[0];
	self->job.arg.in_sync[1] = in[1];
	self->job.arg.out_sync = out;
	EXPECT_EQ(0, vst_lm_submit(self->fd, &self->job));
	EXPECT_EQ(0, vst_gate_open(&a));
	EXPECT_EQ(-ETIME, vst_wait(self->fd, out, 50));
	EXPECT_EQ(0, vst_lm_copied(&self->bo));
	EXPECT_EQ(0, vst_gate_open(&b));
	EXPECT_EQ(0, vst_wait(self->fd, out, 20000));
	EXPECT_EQ(LM_VERTICES, vst_lm_copied(&self->bo));
	vst_gate_free(&a);
	vst_gate_free(&b);
}

/* ---- sharing, other files ---- */

TEST_F(lima, files_are_apart)
{
	struct vst_lm_job j;
	struct vst_lm_bo b;
	__u64 offset;
	__u32 ctx, va;
	int fd;

	fd = vst_lm_open(variant->id);
	ASSERT_LE(0, fd);
	/* nothing of the other one is there */
	EXPECT_EQ(-ENOENT, vst_lm_submit(fd, &self->job));
	EXPECT_EQ(-ENOENT, vst_lm_info(fd, self->bo.handle, &va, &offset));
	ASSERT_EQ(0, vst_lm_ctx_create(fd, 0, &ctx));
	ASSERT_EQ(0, vst_lm_create_mapped(fd, PAGE, &b));
	EXPECT_EQ(self->bo.va, b.va);
	vst_lm_put_copy(&b);
	vst_lm_draw(&j, ctx, &b);
	EXPECT_EQ(0, vst_lm_run(fd, &j));
	EXPECT_EQ(LM_VERTICES, vst_lm_copied(&b));
	EXPECT_EQ(0, vst_lm_copied(&self->bo));
	close(fd);
}

TEST_F(lima, prime)
{
	__u32 imported, again, ctx, va, in;
	struct vst_lm_bo b = self->bo;
	struct vst_lm_job j;
	struct vst_gate g;
	int fd, dmabuf;
	__u64 offset;

	fd = vst_lm_open(variant->id);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, vst_lm_ctx_create(fd, 0, &ctx));
	ASSERT_EQ(0, vst_prime_export(self->fd, self->bo.handle, &dmabuf));
	ASSERT_EQ(0, vst_prime_import(fd, dmabuf, &imported));
	ASSERT_EQ(0, vst_prime_import(fd, dmabuf, &again));
	EXPECT_EQ(imported, again);
	EXPECT_EQ(0, vst_lm_info(fd, imported, &va, &offset));
	EXPECT_NE(0, va);
	b.handle = imported;
	b.va = va;
	vst_lm_put_copy(&b);
	vst_lm_draw(&j, ctx, &b);
	EXPECT_EQ(0, vst_lm_run(fd, &j));
	EXPECT_EQ(LM_VERTICES, vst_lm_copied(&self->bo));
	/* its owner waits for the other file's job */
	if (!vst_gate_new(&g, PAGE)) {
		ASSERT_EQ(0, vst_gate_syncobj(&g, fd, &in));
		j.arg.in_sync[0] = in;
		EXPECT_EQ(0, vst_lm_submit(fd, &j));
		EXPECT_EQ(-EBUSY, vst_lm_wait(self->fd, self->bo.handle, LIMA_GEM_WAIT_READ, 0));
		EXPECT_EQ(0, vst_gate_open(&g));
		EXPECT_EQ(0, vst_lm_wait_idle(self->fd, self->bo.handle));
		vst_gate_free(&g);
	}
	close(dmabuf);
	close(fd);
}

static int flink(int fd, __u32 handle, __u32 *name)
{
	struct drm_gem_flink arg = { .handle = handle };
	int ret = vst_ioctl(fd, DRM_IOCTL_GEM_FLINK, &arg);

	*name = arg.name;
	return ret;
}

static int gem_open(int fd, __u32 name, __u32 *handle)
{
	struct drm_gem_open arg = { .name = name };
	int ret = vst_ioctl(fd, DRM_IOCTL_GEM_OPEN, &arg);

	*handle = arg.handle;
	return ret;
}

/* A heap that is opened by its name: one memory, also where jobs have given it some. */
TEST_F(lima, heap_by_name)
{
	struct vst_lm_bo heap, b[2];
	__u32 ctx[2], name, other, va;
	struct vst_lm_job j;
	__u64 offset;
	int fd[2];

	fd[0] = vst_lm_open_card(variant->id);
	fd[1] = vst_lm_open_card(variant->id);
	if (fd[0] < 0 || fd[1] < 0)
		SKIP(return, "no primary node");
	ASSERT_EQ(0, vst_lm_create(fd[0], HEAP_SIZE, LIMA_BO_FLAG_HEAP, &heap));
	ASSERT_EQ(0, flink(fd[0], heap.handle, &name));
	ASSERT_EQ(0, gem_open(fd[1], name, &other));
	ASSERT_EQ(0, vst_lm_info(fd[1], other, &va, &offset));
	ASSERT_EQ(0, vst_lm_ctx_create(fd[0], 0, &ctx[0]));
	ASSERT_EQ(0, vst_lm_ctx_create(fd[1], 0, &ctx[1]));
	ASSERT_EQ(0, vst_lm_create_mapped(fd[0], PAGE, &b[0]));
	ASSERT_EQ(0, vst_lm_create_mapped(fd[1], PAGE, &b[1]));
	/* the one writes vertices, the other reads them as attributes */
	vst_lm_put_copy(&b[0]);
	b[0].u32[LM_VAR_AT / 4] = heap.va + HEAP_SIZE / 2;
	vst_lm_draw(&j, ctx[0], &b[0]);
	vst_lm_add(&j, heap.handle, RW);
	EXPECT_EQ(0, vst_lm_run(fd[0], &j));
	EXPECT_EQ(0, vst_bo_close(fd[0], heap.handle));
	vst_lm_put_copy(&b[1]);
	b[1].u32[LM_ATTR_AT / 4] = va + HEAP_SIZE / 2;
	vst_lm_draw(&j, ctx[1], &b[1]);
	vst_lm_add(&j, other, LIMA_SUBMIT_BO_READ);
	EXPECT_EQ(0, vst_lm_run(fd[1], &j));
	/* -3.5 twice doubled, -2.5 once */
	EXPECT_EQ(-14.0f, b[1].f32[LM_TO_AT / 4]);
	EXPECT_EQ(-2.5f, b[1].f32[LM_TO_AT / 4 + 1]);
	close(fd[0]);
	close(fd[1]);
}

/* ---- what others see ---- */

/* A frame that came by value is in dumps and records beside its descriptor. */
static void expect_frame(struct __test_metadata *_metadata, const char *dump, size_t size,
			 const struct drm_lima_gp_frame *frame)
{
	const struct drm_vshader_native_job *native;
	struct drm_vshader_dump_section s;
	const void *words;

	native = vst_dump_section(dump, size, DRM_VSHADER_DUMP_NATIVE_JOB, &s);
	ASSERT_NE(NULL, native);
	EXPECT_EQ(FRAME_VA, native->va);
	EXPECT_EQ(DRM_VSHADER_NATIVE_UTGARD_GP_FRAME, native->format);
	words = vst_dump_section(dump, size, DRM_VSHADER_DUMP_NATIVE_WORDS, &s);
	ASSERT_NE(NULL, words);
	EXPECT_EQ(6, s.count);
	ASSERT_EQ(sizeof(*frame), s.size);
	EXPECT_EQ(0, memcmp(words, frame, s.size));
}

TEST_F(lima, dump)
{
	unsigned int node = vst_dump_minor(self->fd);
	size_t size;
	char *dump;

	if (getenv("VSHADER_GL_SOCKET") || !vst_dump_supported())
		SKIP(return, "kernel without device core dumps");
	vst_dump_drop(node);
	make_guilty(&self->job);
	EXPECT_EQ(-EIO, vst_lm_run(self->fd, &self->job));
	dump = vst_dump_take(node, &size);
	ASSERT_NE(NULL, dump);
	expect_frame(_metadata, dump, size, &self->job.gp);
	free(dump);
}

TEST_F(lima, record)
{
	struct drm_vshader_record_head head;
	static const char start[] = "start";
	char path[64], *dump;
	size_t at = 0;
	ssize_t n = 0;
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/record", vst_dump_minor(self->fd));
	if (getenv("VSHADER_GL_SOCKET") || !vst_has_debugfs())
		SKIP(return, "needs debugfs and its rights");
	fd = open(path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, fd);
	ASSERT_EQ(sizeof(start) - 1, write(fd, start, sizeof(start) - 1));
	EXPECT_EQ(0, vst_lm_run(self->fd, &self->job));
	dump = malloc(MAX_DUMP);
	ASSERT_NE(NULL, dump);
	do {
		n = read(fd, dump + at, MAX_DUMP - at);
		at += n > 0 ? n : 0;
		memcpy(&head, dump, sizeof(head));
	} while (n > 0 && (at < sizeof(head) || at < sizeof(head) + head.size));
	close(fd);
	ASSERT_LT(sizeof(head), at);
	expect_frame(_metadata, dump + sizeof(head), head.size, &self->job.gp);
	free(dump);
}

/* The driver has no usage statistics: its files have the keys that all files have. */
TEST_F(lima, lima_fdinfo)
{
	char keys[1024], path[96];

	EXPECT_EQ(0, vst_lm_run(self->fd, &self->job));
	EXPECT_EQ(0, vst_fdinfo_keys(self->fd, keys, sizeof(keys)));
	EXPECT_STREQ("", keys);
	EXPECT_EQ(-ENOENT, vst_device_file(self->fd, "profiling", path, sizeof(path)));
}

/* libdrm finds the device. */
TEST_F(lima, lima_node)
{
	char value[64];

	if (getenv("VSHADER_GL_SOCKET"))
		SKIP(return, "a socket has no device");
	EXPECT_EQ(0, vst_device_uevent(self->fd, "OF_COMPATIBLE_0", value, sizeof(value)));
	EXPECT_STREQ(variant->num_pp == 4 ? "arm,mali-400" : "arm,mali-450", value);
	EXPECT_EQ(0, vst_device_uevent(self->fd, "OF_FULLNAME", value, sizeof(value)));
}

static int inject(unsigned int node, const char *file, const char *value)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/fail_submit/%s", node, file);
	return vst_write_file(path, value);
}

TEST_F(lima, injected_error)
{
	unsigned int node = vst_dump_minor(self->fd);

	if (getenv("VSHADER_GL_SOCKET") || inject(node, "times", "-1"))
		SKIP(return, "kernel without CONFIG_FAULT_INJECTION_DEBUG_FS");
	ASSERT_EQ(0, inject(node, "errno", "16"));
	ASSERT_EQ(0, inject(node, "probability", "100"));
	EXPECT_EQ(-EBUSY, vst_lm_submit(self->fd, &self->job));
	ASSERT_EQ(0, inject(node, "probability", "0"));
	ASSERT_EQ(0, inject(node, "times", "1"));
	ASSERT_EQ(0, inject(node, "errno", "12"));
	EXPECT_EQ(0, vst_lm_run(self->fd, &self->job));
}

/* ---- limits ---- */

TEST_F(lima, time_limit)
{
	char was[32] = "";
	__u32 ctx, later;
	int ret;

	if (vst_read_file(TIMEOUT, was, sizeof(was)) < 0 || vst_write_file(TIMEOUT, "200"))
		SKIP(return, "no %s", TIMEOUT);
	ret = vst_lm_ctx_create(self->fd, 0, &ctx);
	EXPECT_EQ(0, vst_write_file(TIMEOUT, was));
	ASSERT_EQ(0, ret);
	vst_lm_put_spin(&self->bo);
	self->job.arg.ctx = ctx;
	EXPECT_EQ(-ETIME, vst_lm_run(self->fd, &self->job));
	vst_lm_put_copy(&self->bo);
	EXPECT_EQ(vst_lm_fence(-ECANCELED), vst_lm_run(self->fd, &self->job));
	ASSERT_EQ(0, vst_lm_ctx_create(self->fd, 0, &later));
	self->job.arg.ctx = later;
	EXPECT_EQ(0, vst_lm_run(self->fd, &self->job));
}

/* More jobs than a queue takes: submits wait until the first one has ended. */
TEST_F(lima, many_jobs)
{
	struct vst_gate g;
	unsigned int i;
	int status;
	pid_t pid;
	__u32 in;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	self->job.arg.in_sync[0] = in;
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		usleep(300000);
		_exit(!!vst_gate_open(&g));
	}
	for (i = 0; i < 1200; i++) {
		EXPECT_EQ(0, vst_lm_submit(self->fd, &self->job));
		self->job.arg.in_sync[0] = 0;
	}
	EXPECT_EQ(0, vst_lm_wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(LM_VERTICES, vst_lm_copied(&self->bo));
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	vst_gate_free(&g);
}

/* Closing a file ends what it runs. */
TEST_F(lima, close_while_running)
{
	struct vst_lm_job j;
	struct vst_lm_bo b;
	unsigned int i;
	__u32 ctx;
	int fd;

	for (i = 0; i < 4; i++) {
		fd = vst_lm_open(variant->id);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, vst_lm_ctx_create(fd, 0, &ctx));
		ASSERT_EQ(0, vst_lm_create_mapped(fd, PAGE, &b));
		vst_lm_put_spin(&b);
		vst_lm_draw(&j, ctx, &b);
		EXPECT_EQ(0, vst_lm_submit(fd, &j));
		munmap(b.map, b.size);
		close(fd);
	}
	EXPECT_EQ(0, vst_lm_run(self->fd, &self->job));
}

TEST_HARNESS_MAIN
