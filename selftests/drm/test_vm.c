// SPDX-License-Identifier: GPL-2.0
/*
 * Address spaces: VM_CREATE, VM_DESTROY, VM_BIND. Jobs that copy one vertex between
 * addresses probe the mappings.
 */
#include "vshader_test.h"

#define OUT	VA(64)

FIXTURE(vm) {
	int fd;
	__u32 vm;
	__u32 queue;
	__u32 program;
	__u32 bo;
	__u32 bo2;
	__u32 *map;
	__u32 *map2;
	struct vst_buf out;
	struct drm_vshader_limits limits;
};

#define BO_PAGES	8

/* Every page of a buffer begins with its number, plus 1.0. */
FIXTURE_SETUP(vm)
{
	unsigned int i;
	void *p;

	OPEN_OR_SKIP(return, self->fd);
	ASSERT_EQ(0, vst_limits(self->fd, &self->limits));
	ASSERT_EQ(0, vst_vm_create(self->fd, 0, &self->vm));
	ASSERT_EQ(0, vst_queue(self->fd, self->vm, 0, 0, &self->queue));
	ASSERT_EQ(0, vst_program(self->fd, &vst_mov, &self->program));
	ASSERT_EQ(0, vst_bo_create(self->fd, BO_PAGES * PAGE, 0, 0, &self->bo));
	ASSERT_EQ(0, vst_bo_create(self->fd, BO_PAGES * PAGE, 0, 0, &self->bo2));
	ASSERT_EQ(0, vst_bo_mmap(self->fd, self->bo, BO_PAGES * PAGE, &p));
	self->map = p;
	ASSERT_EQ(0, vst_bo_mmap(self->fd, self->bo2, BO_PAGES * PAGE, &p));
	self->map2 = p;
	for (i = 0; i < BO_PAGES; i++) {
		float a = 100 + i, b = 200 + i;

		memcpy(self->map + i * PAGE / 4, &a, 4);
		memcpy(self->map2 + i * PAGE / 4, &b, 4);
	}
	ASSERT_EQ(0, vst_buf_new(&self->out, self->fd, self->vm, OUT, PAGE, true));
}

FIXTURE_TEARDOWN(vm)
{
	munmap(self->map, BO_PAGES * PAGE);
	munmap(self->map2, BO_PAGES * PAGE);
	vst_buf_free(&self->out, self->fd);
	close(self->fd);
}

/*
 * The number at @va as read by a job, -1 if it faults (the job then has its own queue, as
 * the fault bans it), below that a submit error.
 */
static int peek(FIXTURE_DATA(vm) *self, __u64 va)
{
	struct vst_job j;
	__u32 queue;
	int ret;

	ret = vst_queue(self->fd, self->vm, 0, 0, &queue);
	if (ret)
		return VST_SUBMIT_ERROR(ret);
	vst_job_init(&j, queue, self->program, 1);
	vst_job_attr(&j, 0, va, DRM_VSHADER_FORMAT_F32, 1, 4);
	vst_job_out(&j, 0, OUT);
	self->out.f32[0] = -9;
	ret = vst_run(self->fd, &j);
	vst_queue_destroy(self->fd, queue);
	if (ret)
		return ret == -EIO ? -1 : ret;
	return self->out.f32[0];
}

/* Writes 5.0 to @va; the fence's status. */
static int poke(FIXTURE_DATA(vm) *self, __u64 va)
{
	struct vst_job j;
	__u32 queue;
	int ret;

	ret = vst_queue(self->fd, self->vm, 0, 0, &queue);
	if (ret)
		return VST_SUBMIT_ERROR(ret);
	vst_job_init(&j, queue, self->program, 1);
	vst_job_attr(&j, 0, OUT + 64, DRM_VSHADER_FORMAT_F32, 1, 4);
	vst_job_out(&j, 0, va);
	self->out.f32[16] = 5;
	ret = vst_run(self->fd, &j);
	vst_queue_destroy(self->fd, queue);
	return ret;
}

static int map(FIXTURE_DATA(vm) *self, __u32 bo, unsigned int page, __u64 va,
	       unsigned int pages, __u32 flags)
{
	return vst_map(self->fd, self->vm, bo, page * PAGE, va, pages * PAGE, flags);
}

TEST_F(vm, create_destroy)
{
	__u32 a, b;

	EXPECT_EQ(0, vst_vm_create(self->fd, 0, &a));
	EXPECT_EQ(0, vst_vm_create(self->fd, DRM_VSHADER_VM_48BIT, &b));
	EXPECT_NE(0, a);
	EXPECT_NE(0, b);
	EXPECT_NE(a, b);
	EXPECT_EQ(0, vst_vm_destroy(self->fd, a));
	EXPECT_EQ(-ENOENT, vst_vm_destroy(self->fd, a));
	EXPECT_EQ(0, vst_vm_destroy(self->fd, b));
	EXPECT_EQ(-ENOENT, vst_vm_destroy(self->fd, 0));
	EXPECT_EQ(-ENOENT, vst_vm_destroy(self->fd, NEVER));
}

TEST_F(vm, create_bad_fields)
{
	struct drm_vshader_vm_create arg = { .flags = 2 };

	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_CREATE, &arg));
	arg.flags = 1u << 31;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_CREATE, &arg));
	arg.flags = 0;
	arg.kernel_va_start = 1;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_CREATE, &arg));
	arg.kernel_va_start = 1ULL << 32;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_CREATE, &arg));
	arg.flags = DRM_VSHADER_VM_48BIT;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_CREATE, &arg));
	arg.kernel_va_start = 1ULL << 48;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_CREATE, &arg));
}

TEST_F(vm, destroy_bad_fields)
{
	struct drm_vshader_vm_destroy arg = { .id = self->vm, .pad = 1 };

	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_DESTROY, &arg));
	arg.pad = 0;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_DESTROY, &arg));
}

TEST_F(vm, ids_are_private)
{
	int other = vst_open();

	ASSERT_LE(0, other);
	EXPECT_EQ(-ENOENT, vst_vm_destroy(other, self->vm));
	close(other);
}

TEST_F(vm, object_limit)
{
	unsigned int n = 0;
	int ret = 0;
	__u32 id;

	while (n <= self->limits.max_objects && !ret) {
		ret = vst_vm_create(self->fd, 0, &id);
		n += !ret;
	}
	EXPECT_EQ(-E2BIG, ret);
	/* includes the fixture's object */
	EXPECT_EQ(self->limits.max_objects - 1, n);
}

TEST_F(vm, map_and_unmap)
{
	EXPECT_EQ(-1, peek(self, VA(0)));
	EXPECT_EQ(0, map(self, self->bo, 0, VA(0), 2, 0));
	EXPECT_EQ(100, peek(self, VA(0)));
	EXPECT_EQ(101, peek(self, VA(0) + PAGE));
	EXPECT_EQ(-1, peek(self, VA(0) + 2 * PAGE));
	EXPECT_EQ(-1, peek(self, VA(0) - PAGE));
	EXPECT_EQ(0, vst_unmap(self->fd, self->vm, VA(0), 2 * PAGE));
	EXPECT_EQ(-1, peek(self, VA(0)));
	/* nothing there: fine */
	EXPECT_EQ(0, vst_unmap(self->fd, self->vm, VA(0), 2 * PAGE));
	EXPECT_EQ(0, vst_unmap(self->fd, self->vm, VA(8), 1ULL << 24));
}

TEST_F(vm, map_with_an_offset)
{
	EXPECT_EQ(0, map(self, self->bo, 3, VA(0), 5, 0));
	EXPECT_EQ(103, peek(self, VA(0)));
	EXPECT_EQ(107, peek(self, VA(0) + 4 * PAGE));
}

TEST_F(vm, one_object_twice)
{
	EXPECT_EQ(0, map(self, self->bo, 0, VA(0), 8, 0));
	EXPECT_EQ(0, map(self, self->bo, 0, VA(1), 8, 0));
	EXPECT_EQ(0, poke(self, VA(0)));
	EXPECT_EQ(5, peek(self, VA(1)));
}

TEST_F(vm, unmap_splits)
{
	EXPECT_EQ(0, map(self, self->bo, 0, VA(0), 8, 0));
	EXPECT_EQ(0, vst_unmap(self->fd, self->vm, VA(0) + 3 * PAGE, 2 * PAGE));
	EXPECT_EQ(100, peek(self, VA(0)));
	EXPECT_EQ(102, peek(self, VA(0) + 2 * PAGE));
	EXPECT_EQ(-1, peek(self, VA(0) + 3 * PAGE));
	EXPECT_EQ(-1, peek(self, VA(0) + 4 * PAGE));
	EXPECT_EQ(105, peek(self, VA(0) + 5 * PAGE));
	EXPECT_EQ(107, peek(self, VA(0) + 7 * PAGE));
	/* over the remainders of both */
	EXPECT_EQ(0, vst_unmap(self->fd, self->vm, VA(0) + 2 * PAGE, 4 * PAGE));
	EXPECT_EQ(101, peek(self, VA(0) + PAGE));
	EXPECT_EQ(-1, peek(self, VA(0) + 2 * PAGE));
	EXPECT_EQ(-1, peek(self, VA(0) + 5 * PAGE));
	EXPECT_EQ(106, peek(self, VA(0) + 6 * PAGE));
}

TEST_F(vm, map_replaces)
{
	EXPECT_EQ(0, map(self, self->bo, 0, VA(0), 8, 0));
	EXPECT_EQ(0, map(self, self->bo2, 0, VA(0) + 2 * PAGE, 3, 0));
	EXPECT_EQ(101, peek(self, VA(0) + PAGE));
	EXPECT_EQ(200, peek(self, VA(0) + 2 * PAGE));
	EXPECT_EQ(202, peek(self, VA(0) + 4 * PAGE));
	EXPECT_EQ(105, peek(self, VA(0) + 5 * PAGE));
	/* across two mappings and a hole */
	EXPECT_EQ(0, map(self, self->bo, 0, VA(0) - PAGE, 4, 0));
	EXPECT_EQ(100, peek(self, VA(0) - PAGE));
	EXPECT_EQ(103, peek(self, VA(0) + 2 * PAGE));
	EXPECT_EQ(201, peek(self, VA(0) + 3 * PAGE));
}

/* A vertex may lie across the border of two mappings of different objects. */
TEST_F(vm, access_across_mappings)
{
	struct vst_job j;

	EXPECT_EQ(0, map(self, self->bo, 0, VA(0), 1, 0));
	EXPECT_EQ(0, map(self, self->bo2, 4, VA(0) + PAGE, 1, 0));
	self->map[PAGE / 4 - 1] = 0x3f800000;	/* 1.0 */
	vst_job_init(&j, self->queue, self->program, 1);
	vst_job_attr(&j, 0, VA(0) + PAGE - 4, DRM_VSHADER_FORMAT_F32, 2, 8);
	vst_job_out(&j, 0, OUT);
	EXPECT_EQ(0, vst_run(self->fd, &j));
	EXPECT_EQ(1, self->out.f32[0]);
	EXPECT_EQ(204, self->out.f32[1]);
}

TEST_F(vm, readonly)
{
	EXPECT_EQ(0, map(self, self->bo, 0, VA(0), 2, DRM_VSHADER_VM_BIND_READONLY));
	EXPECT_EQ(100, peek(self, VA(0)));
	EXPECT_EQ(-EIO, poke(self, VA(0)));
	EXPECT_EQ(100, peek(self, VA(0)));
	/* the same page may be writable elsewhere */
	EXPECT_EQ(0, map(self, self->bo, 0, VA(1), 2, DRM_VSHADER_VM_BIND_NOEXEC));
	EXPECT_EQ(0, poke(self, VA(1)));
	EXPECT_EQ(5, peek(self, VA(0)));
}

TEST_F(vm, alloc_va)
{
	struct drm_vshader_vm_bind_op op[3] = { 0 };
	struct drm_vshader_dev_info info;
	unsigned int i;

	ASSERT_EQ(0, vst_dev_info(self->fd, &info));
	for (i = 0; i < 3; i++) {
		op[i].flags = DRM_VSHADER_VM_BIND_ALLOC_VA;
		op[i].bo_handle = self->bo;
		op[i].bo_offset = i * PAGE;
		op[i].size = 2 * PAGE;
	}
	ASSERT_EQ(0, vst_bind_ops(self->fd, self->vm, op, 3, NULL));
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(0, op[i].va % PAGE);
		EXPECT_LE(info.min_va, op[i].va);
		EXPECT_GE(info.max_va_32 - 2 * PAGE, op[i].va);
		EXPECT_EQ(100 + i, peek(self, op[i].va));
	}
	EXPECT_TRUE(op[0].va + 2 * PAGE <= op[1].va || op[1].va + 2 * PAGE <= op[0].va);
	EXPECT_TRUE(op[0].va + 2 * PAGE <= op[2].va || op[2].va + 2 * PAGE <= op[0].va);
	EXPECT_TRUE(op[1].va + 2 * PAGE <= op[2].va || op[2].va + 2 * PAGE <= op[1].va);
}

TEST_F(vm, alloc_va_start)
{
	struct drm_vshader_vm_create arg = { .kernel_va_start = 0xf0000000ULL };
	struct drm_vshader_vm_bind_op op = {
		.flags = DRM_VSHADER_VM_BIND_ALLOC_VA, .bo_handle = self->bo,
		.size = BO_PAGES * PAGE,
	};
	unsigned int i;

	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_CREATE, &arg));
	for (i = 0; i < 4; i++) {
		op.va = 0;
		EXPECT_EQ(0, vst_bind_ops(self->fd, arg.id, &op, 1, NULL));
		EXPECT_LE(0xf0000000ULL, op.va);
		EXPECT_GE((1ULL << 32) - op.size, op.va);
	}
}

TEST_F(vm, alloc_va_no_room)
{
	struct drm_vshader_vm_create arg = { .kernel_va_start = (1ULL << 32) - 4 * PAGE };
	struct drm_vshader_vm_bind_op op = {
		.flags = DRM_VSHADER_VM_BIND_ALLOC_VA, .bo_handle = self->bo,
		.size = 5 * PAGE,
	};
	int ret;

	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_CREATE, &arg));
	ret = vst_bind_ops(self->fd, arg.id, &op, 1, NULL);
	EXPECT_TRUE(ret == -ENOSPC || ret == -ENOMEM)
		TH_LOG("%d", ret);
}

TEST_F(vm, whole_space)
{
	struct drm_vshader_dev_info info;
	__u64 last;

	ASSERT_EQ(0, vst_dev_info(self->fd, &info));
	last = info.max_va_32 - PAGE;
	EXPECT_EQ(0, map(self, self->bo, 1, info.min_va, 1, 0));
	EXPECT_EQ(0, map(self, self->bo, 2, last, 1, 0));
	EXPECT_EQ(101, peek(self, info.min_va));
	EXPECT_EQ(102, peek(self, last));
	EXPECT_EQ(-EINVAL, map(self, self->bo, 0, last, 2, 0));
	EXPECT_EQ(-EINVAL, map(self, self->bo, 0, info.max_va_32, 1, 0));
	EXPECT_EQ(-EINVAL, map(self, self->bo, 0, info.min_va - PAGE, 1, 0));
	EXPECT_EQ(0, vst_unmap(self->fd, self->vm, info.min_va, info.max_va_32 - info.min_va));
	EXPECT_EQ(-1, peek(self, last));
}

TEST_F(vm, space_of_48_bits)
{
	__u32 vm;

	ASSERT_EQ(0, vst_vm_create(self->fd, DRM_VSHADER_VM_48BIT, &vm));
	EXPECT_EQ(0, vst_map(self->fd, vm, self->bo, 0, 1ULL << 40, PAGE, 0));
	EXPECT_EQ(0, vst_map(self->fd, vm, self->bo, 0, (1ULL << 48) - PAGE, PAGE, 0));
	EXPECT_EQ(-EINVAL, vst_map(self->fd, vm, self->bo, 0, 1ULL << 48, PAGE, 0));
	EXPECT_EQ(-EINVAL, vst_map(self->fd, vm, self->bo, 0, ~0ULL << 12, PAGE, 0));
}

TEST_F(vm, bind_bad_fields)
{
	const struct drm_vshader_vm_bind_op good = {
		.bo_handle = self->bo, .va = VA(0), .size = PAGE,
	};
	struct {
		struct drm_vshader_vm_bind_op op;
		int want;
	} t[24];
	unsigned int n = 0, i;

#define BAD(err, field, value) do {		\
	t[n].op = good;				\
	t[n].op.field = (value);		\
	t[n++].want = (err);			\
} while (0)
	BAD(-EINVAL, flags, 1 << 4);
	BAD(-EINVAL, flags, 1u << 31);
	BAD(-ENOENT, bo_handle, 0);
	BAD(-ENOENT, bo_handle, NEVER);
	BAD(-EINVAL, size, 0);
	BAD(-EINVAL, size, PAGE + 1);
	BAD(-EINVAL, size, 100);
	BAD(-EINVAL, size, (BO_PAGES + 1) * PAGE);
	BAD(-EINVAL, size, ~0ULL << 12);
	BAD(-EINVAL, bo_offset, 1);
	BAD(-EINVAL, bo_offset, BO_PAGES * PAGE);
	BAD(-EINVAL, bo_offset, ~0ULL << 12);
	BAD(-EINVAL, va, VA(0) + 1);
	BAD(-EINVAL, va, 0);
	BAD(-EINVAL, va, 1ULL << 32);
	BAD(-EINVAL, va, ~0ULL << 12);
	/* unmap takes neither object nor offset */
	BAD(-EINVAL, flags, DRM_VSHADER_VM_BIND_UNMAP);
	BAD(-EINVAL, flags, DRM_VSHADER_VM_BIND_UNMAP);
	t[n - 1].op.bo_handle = 0;
	t[n - 1].op.bo_offset = PAGE;
	BAD(-EINVAL, flags, DRM_VSHADER_VM_BIND_UNMAP | DRM_VSHADER_VM_BIND_READONLY);
	t[n - 1].op.bo_handle = 0;
	BAD(-EINVAL, flags, DRM_VSHADER_VM_BIND_UNMAP | DRM_VSHADER_VM_BIND_ALLOC_VA);
	t[n - 1].op.bo_handle = 0;
#undef BAD
	for (i = 0; i < n; i++) {
		__u32 failed;

		EXPECT_EQ(t[i].want, vst_bind_ops(self->fd, self->vm, &t[i].op, 1, &failed))
			TH_LOG("case %u", i);
		EXPECT_EQ(0, failed)
			TH_LOG("case %u", i);
	}
	EXPECT_EQ(-1, peek(self, VA(0)));
}

TEST_F(vm, bind_bad_arguments)
{
	struct drm_vshader_vm_bind_op op = {
		.bo_handle = self->bo, .va = VA(0), .size = PAGE,
	};
	struct drm_vshader_vm_bind arg = {
		.vm_id = self->vm, .ops = DRM_VSHADER_OBJ_ARRAY(1, &op),
	};

	arg.vm_id = NEVER;
	EXPECT_EQ(-ENOENT, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_BIND, &arg));
	arg.vm_id = 0;
	EXPECT_EQ(-ENOENT, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_BIND, &arg));
	arg.vm_id = self->vm;
	arg.ops.array = BAD_PTR;
	EXPECT_EQ(-EFAULT, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_BIND, &arg));
	arg.ops.array = PTR(&op);
	arg.ops.stride = sizeof(op) - 8;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_BIND, &arg));
	arg.ops.stride = 0;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_BIND, &arg));
	arg.ops.stride = sizeof(op);
	arg.ops.count = self->limits.max_bind_ops + 1;
	EXPECT_EQ(-E2BIG, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_BIND, &arg));
	arg.ops.count = NEVER;
	EXPECT_EQ(-E2BIG, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_BIND, &arg));
	EXPECT_EQ(-1, peek(self, VA(0)));
}

/* Callers of a later version: longer elements, with or without news in them. */
TEST_F(vm, bind_longer_elements)
{
	struct {
		struct drm_vshader_vm_bind_op op;
		__u64 later[2];
	} op[2] = {
		{ .op = { .bo_handle = self->bo, .va = VA(0), .size = PAGE } },
		{ .op = { .bo_handle = self->bo2, .va = VA(1), .size = PAGE } },
	};
	struct drm_vshader_vm_bind arg = {
		.vm_id = self->vm, .ops = DRM_VSHADER_OBJ_ARRAY(2, op),
	};

	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_BIND, &arg));
	EXPECT_EQ(100, peek(self, VA(0)));
	EXPECT_EQ(200, peek(self, VA(1)));
	op[1].later[1] = 1;
	op[0].op.va = VA(2);
	EXPECT_EQ(-E2BIG, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_VM_BIND, &arg));
	EXPECT_EQ(-1, peek(self, VA(2)));
}

TEST_F(vm, all_or_nothing)
{
	struct drm_vshader_vm_bind_op op[4] = {
		{ .flags = DRM_VSHADER_VM_BIND_UNMAP, .va = VA(0), .size = 2 * PAGE },
		{ .bo_handle = self->bo2, .va = VA(1), .size = 4 * PAGE },
		{ .bo_handle = self->bo2, .va = VA(0) + 3 * PAGE, .size = PAGE },
		{ .bo_handle = NEVER, .va = VA(3), .size = PAGE },
	};
	__u32 failed;

	ASSERT_EQ(0, map(self, self->bo, 0, VA(0), 8, 0));
	EXPECT_EQ(-ENOENT, vst_bind_ops(self->fd, self->vm, op, 4, &failed));
	EXPECT_EQ(3, failed);
	EXPECT_EQ(100, peek(self, VA(0)));
	EXPECT_EQ(103, peek(self, VA(0) + 3 * PAGE));
	EXPECT_EQ(-1, peek(self, VA(1)));
	/* without the bad one, and in order */
	EXPECT_EQ(0, vst_bind_ops(self->fd, self->vm, op, 3, NULL));
	EXPECT_EQ(-1, peek(self, VA(0)));
	EXPECT_EQ(200, peek(self, VA(1)));
	EXPECT_EQ(200, peek(self, VA(0) + 3 * PAGE));
	EXPECT_EQ(104, peek(self, VA(0) + 4 * PAGE));
}

TEST_F(vm, mapping_limit)
{
	struct drm_vshader_vm_bind_op op[64];
	unsigned int have = 1, i, n;	/* the output buffer */
	__u32 failed = 0;
	int ret = 0;

	if (self->limits.max_mappings > 20000)
		SKIP(return, "%u mappings are too many to try", self->limits.max_mappings);
	/* separate pages, never adjacent in the object: no mappings can be merged */
	while (!ret && have <= self->limits.max_mappings) {
		n = self->limits.max_bind_ops < 64 ? self->limits.max_bind_ops : 64;
		if (n > self->limits.max_mappings - have + 1)
			n = self->limits.max_mappings - have + 1;
		for (i = 0; i < n; i++) {
			memset(&op[i], 0, sizeof(op[i]));
			op[i].bo_handle = self->bo;
			op[i].va = 0x40000000ULL + 2 * (have + i) * PAGE;
			op[i].size = PAGE;
		}
		ret = vst_bind_ops(self->fd, self->vm, op, n, &failed);
		if (!ret)
			have += n;
	}
	EXPECT_EQ(-E2BIG, ret);
	EXPECT_EQ(self->limits.max_mappings, have + failed);
	/* still in order */
	EXPECT_EQ(100, peek(self, 0x40000000ULL + 2 * PAGE));
}

TEST_F(vm, exclusive_object)
{
	__u32 other, bo;

	ASSERT_EQ(0, vst_vm_create(self->fd, 0, &other));
	ASSERT_EQ(0, vst_bo_create(self->fd, PAGE, 0, self->vm, &bo));
	EXPECT_EQ(-EINVAL, vst_map(self->fd, other, bo, 0, VA(0), PAGE, 0));
	EXPECT_EQ(0, vst_map(self->fd, self->vm, bo, 0, VA(0), PAGE, 0));
	EXPECT_EQ(0, peek(self, VA(0)));
}

/* A mapping keeps its object; the handle may go. */
TEST_F(vm, mapping_outlives_handle)
{
	EXPECT_EQ(0, map(self, self->bo, 0, VA(0), 2, 0));
	EXPECT_EQ(0, vst_bo_close(self->fd, self->bo));
	EXPECT_EQ(101, peek(self, VA(0) + PAGE));
	EXPECT_EQ(-ENOENT, map(self, self->bo, 0, VA(1), 2, 0));
}

/* Queues of a destroyed VM stay usable, the id is gone. */
TEST_F(vm, destroyed_under_a_queue)
{
	struct vst_job j;
	__u32 bo;

	EXPECT_EQ(0, map(self, self->bo, 0, VA(0), 2, 0));
	EXPECT_EQ(0, vst_vm_destroy(self->fd, self->vm));
	EXPECT_EQ(-ENOENT, map(self, self->bo, 0, VA(1), 2, 0));
	EXPECT_EQ(-ENOENT, vst_bo_create(self->fd, PAGE, 0, self->vm, &bo));
	vst_job_init(&j, self->queue, self->program, 1);
	vst_job_attr(&j, 0, VA(0), DRM_VSHADER_FORMAT_F32, 1, 4);
	vst_job_out(&j, 0, OUT);
	EXPECT_EQ(0, vst_run(self->fd, &j));
	EXPECT_EQ(100, self->out.f32[0]);
}

/* Memory unmapped after the submit stays accessible to the job. */
TEST_F(vm, snapshot_at_submit)
{
	struct vst_gate gate;
	struct vst_job j;
	__u32 wait, done;
	int ret;

	ret = vst_gate_new(&gate, PAGE);
	if (ret == -ENODEV)
		SKIP(return, "needs vgem");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, vst_gate_syncobj(&gate, self->fd, &wait));
	ASSERT_EQ(0, vst_syncobj(self->fd, &done));
	ASSERT_EQ(0, map(self, self->bo, 0, VA(0), 2, 0));

	vst_job_init(&j, self->queue, self->program, 1);
	vst_job_attr(&j, 0, VA(0), DRM_VSHADER_FORMAT_F32, 1, 4);
	vst_job_out(&j, 0, OUT);
	vst_job_sync(&j, 0, wait, 0);
	vst_job_sync(&j, DRM_VSHADER_SYNC_SIGNAL, done, 0);
	ASSERT_EQ(0, vst_submit(self->fd, &j));
	EXPECT_EQ(-ETIME, vst_wait(self->fd, done, 20));

	EXPECT_EQ(0, map(self, self->bo2, 0, VA(0), 1, 0));
	EXPECT_EQ(0, vst_unmap(self->fd, self->vm, VA(0), 2 * PAGE));
	EXPECT_EQ(0, vst_bo_close(self->fd, self->bo));
	EXPECT_EQ(0, vst_vm_destroy(self->fd, self->vm));
	EXPECT_EQ(0, vst_gate_open(&gate));
	EXPECT_EQ(0, vst_wait(self->fd, done, 10000));
	EXPECT_EQ(0, vst_fence_status(self->fd, done));
	EXPECT_EQ(100, self->out.f32[0]);
	vst_gate_free(&gate);
}

TEST_HARNESS_MAIN
