// SPDX-License-Identifier: GPL-2.0
/*
 * Buffer objects: BO_CREATE, BO_MMAP_OFFSET, BO_SET_LABEL, GEM_CLOSE.
 */
#include "vshader_test.h"

FIXTURE(bo) {
	int fd;
	struct drm_vshader_limits limits;
};

FIXTURE_SETUP(bo)
{
	OPEN_OR_SKIP(return, self->fd);
	ASSERT_EQ(0, vst_limits(self->fd, &self->limits));
}

FIXTURE_TEARDOWN(bo)
{
	close(self->fd);
}

static int create(int fd, struct drm_vshader_bo_create *arg)
{
	return vst_ioctl(fd, DRM_IOCTL_VSHADER_BO_CREATE, arg);
}

TEST_F(bo, size_is_rounded_up)
{
	static const __u64 size[] = { 1, 4095, 4096, 4097, 65536, 1000000 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(size); i++) {
		struct drm_vshader_bo_create arg = { .size = size[i] };

		EXPECT_EQ(0, create(self->fd, &arg));
		EXPECT_NE(0, arg.handle);
		EXPECT_EQ((size[i] + PAGE - 1) & ~(PAGE - 1), arg.size);
		EXPECT_EQ(0, vst_bo_close(self->fd, arg.handle));
	}
}

TEST_F(bo, bad_size)
{
	struct drm_vshader_bo_create arg = { .size = 0 };

	EXPECT_EQ(-EINVAL, create(self->fd, &arg));
	arg.size = self->limits.max_bo_size + 1;
	EXPECT_EQ(-E2BIG, create(self->fd, &arg));
	arg.size = ~0ULL;
	EXPECT_EQ(-E2BIG, create(self->fd, &arg));
	arg.size = ~0ULL - 4095;
	EXPECT_EQ(-E2BIG, create(self->fd, &arg));
}

TEST_F(bo, bad_fields)
{
	struct drm_vshader_bo_create arg = { .size = 4096, .flags = 2 };

	EXPECT_EQ(-EINVAL, create(self->fd, &arg));
	arg.flags = 1u << 31;
	EXPECT_EQ(-EINVAL, create(self->fd, &arg));
	arg.flags = 0;
	arg.pad = 1;
	EXPECT_EQ(-EINVAL, create(self->fd, &arg));
	arg.pad = 0;
	arg.exclusive_vm_id = 1;
	EXPECT_EQ(-ENOENT, create(self->fd, &arg));
	arg.exclusive_vm_id = NEVER;
	EXPECT_EQ(-ENOENT, create(self->fd, &arg));
	arg.exclusive_vm_id = 0;
	EXPECT_EQ(0, create(self->fd, &arg));
}

TEST_F(bo, memory_is_zeroed_and_shared)
{
	__u8 *map, *again;
	unsigned int i, dirty = 0;
	__u32 handle;
	void *p;

	ASSERT_EQ(0, vst_bo_create(self->fd, 3 * PAGE, 0, 0, &handle));
	ASSERT_EQ(0, vst_bo_mmap(self->fd, handle, 3 * PAGE, &p));
	map = p;
	for (i = 0; i < 3 * PAGE; i++)
		dirty |= map[i];
	EXPECT_EQ(0, dirty);
	map[0] = 1;
	map[3 * PAGE - 1] = 2;
	ASSERT_EQ(0, vst_bo_mmap(self->fd, handle, 3 * PAGE, &p));
	again = p;
	EXPECT_EQ(1, again[0]);
	EXPECT_EQ(2, again[3 * PAGE - 1]);
	/* mappings outlive the handle */
	EXPECT_EQ(0, vst_bo_close(self->fd, handle));
	EXPECT_EQ(2, map[3 * PAGE - 1]);
	munmap(map, 3 * PAGE);
	munmap(again, 3 * PAGE);
}

/* Memory of a freed object must never be seen in a new one. */
TEST_F(bo, no_old_contents)
{
	unsigned int i, k, dirty = 0;
	__u32 handle;
	__u64 *map;
	void *p;

	for (i = 0; i < 8; i++) {
		ASSERT_EQ(0, vst_bo_create(self->fd, 16 * PAGE, 0, 0, &handle));
		ASSERT_EQ(0, vst_bo_mmap(self->fd, handle, 16 * PAGE, &p));
		map = p;
		for (k = 0; k < 2 * PAGE; k++) {
			dirty += map[k] != 0;
			map[k] = 0xdeadbeefcafef00dULL;
		}
		munmap(map, 16 * PAGE);
		vst_bo_close(self->fd, handle);
	}
	EXPECT_EQ(0, dirty);
}

TEST_F(bo, mmap_offset)
{
	struct drm_vshader_bo_mmap_offset arg = { 0 }, again = { 0 };
	__u32 handle;

	EXPECT_EQ(-ENOENT, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &arg));
	ASSERT_EQ(0, vst_bo_create(self->fd, PAGE, 0, 0, &handle));
	arg.handle = handle;
	arg.pad = 1;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &arg));
	arg.pad = 0;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &arg));
	EXPECT_EQ(0, arg.offset % PAGE);
	again.handle = handle;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &again));
	EXPECT_EQ(arg.offset, again.offset);
	arg.handle = handle + 1;
	EXPECT_EQ(-ENOENT, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &arg));
}

TEST_F(bo, mmap_past_the_end)
{
	struct drm_vshader_bo_mmap_offset arg = { 0 };
	void *p;

	ASSERT_EQ(0, vst_bo_create(self->fd, PAGE, 0, 0, &arg.handle));
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &arg));
	p = mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, self->fd, arg.offset);
	EXPECT_EQ(MAP_FAILED, p);
	EXPECT_EQ(EINVAL, errno);
	p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->fd, arg.offset + PAGE);
	EXPECT_EQ(MAP_FAILED, p);
}

/* Another file that does not own the object cannot map it. */
TEST_F(bo, mmap_by_a_stranger)
{
	struct drm_vshader_bo_mmap_offset arg = { 0 };
	int other = vst_open();
	void *p;

	ASSERT_LE(0, other);
	ASSERT_EQ(0, vst_bo_create(self->fd, PAGE, 0, 0, &arg.handle));
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &arg));
	p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, other, arg.offset);
	EXPECT_EQ(MAP_FAILED, p);
	EXPECT_EQ(EACCES, errno);
	close(other);
}

TEST_F(bo, no_mmap)
{
	struct drm_vshader_bo_mmap_offset arg = { 0 };

	ASSERT_EQ(0, vst_bo_create(self->fd, PAGE, DRM_VSHADER_BO_NO_MMAP, 0, &arg.handle));
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &arg));
}

TEST_F(bo, label)
{
	char text[8192];
	struct drm_vshader_bo_set_label arg = { .label = PTR(text) };

	ASSERT_EQ(0, vst_bo_create(self->fd, PAGE, 0, 0, &arg.handle));
	strcpy(text, "a label");
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_SET_LABEL, &arg));
	text[0] = 0;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_SET_LABEL, &arg));

	/* the longest one */
	ASSERT_GT(sizeof(text), self->limits.max_label);
	memset(text, 'x', sizeof(text));
	text[self->limits.max_label - 1] = 0;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_SET_LABEL, &arg));
	text[self->limits.max_label - 1] = 'x';
	text[self->limits.max_label] = 0;
	EXPECT_EQ(-E2BIG, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_SET_LABEL, &arg));

	arg.label = 0;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_SET_LABEL, &arg));
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_SET_LABEL, &arg));
	arg.label = BAD_PTR;
	EXPECT_EQ(-EFAULT, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_SET_LABEL, &arg));
	arg.label = PTR(text);
	arg.pad = 1;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_SET_LABEL, &arg));
	arg.pad = 0;
	text[3] = 0;
	arg.handle += 1;
	EXPECT_EQ(-ENOENT, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_BO_SET_LABEL, &arg));
}

TEST_F(bo, close_twice)
{
	__u32 handle;

	ASSERT_EQ(0, vst_bo_create(self->fd, PAGE, 0, 0, &handle));
	EXPECT_EQ(0, vst_bo_close(self->fd, handle));
	EXPECT_EQ(-EINVAL, vst_bo_close(self->fd, handle));
	EXPECT_EQ(-EINVAL, vst_bo_close(self->fd, 0));
}

TEST_F(bo, handles_are_private)
{
	struct drm_vshader_bo_mmap_offset arg = { 0 };
	int other = vst_open();

	ASSERT_LE(0, other);
	ASSERT_EQ(0, vst_bo_create(self->fd, PAGE, 0, 0, &arg.handle));
	EXPECT_EQ(-ENOENT, vst_ioctl(other, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &arg));
	close(other);
}

/* Objects without a mapping have no pages; the client's account has room for their page tables. */
TEST_F(bo, large_and_many)
{
	__u32 handle[64], large;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(handle); i++) {
		ASSERT_EQ(0, vst_bo_create(self->fd, self->limits.max_bo_size, 0, 0, &large));
		EXPECT_EQ(0, vst_bo_close(self->fd, large));
	}
	for (i = 0; i < ARRAY_SIZE(handle); i++)
		ASSERT_EQ(0, vst_bo_create(self->fd, 64 << 20, 0, 0, &handle[i]));
	for (i = 0; i < ARRAY_SIZE(handle); i++)
		EXPECT_EQ(0, vst_bo_close(self->fd, handle[i]));
}

TEST_HARNESS_MAIN
