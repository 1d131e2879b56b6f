// SPDX-License-Identifier: GPL-2.0
/*
 * Layout of the interface, and its generic ioctls.
 */
#include "vshader_test.h"
#include "vshader_drm_debug.h"
#include "vshader_drm_dump.h"

struct item {
	const char *what;
	size_t want;
	size_t have;
};

#define SIZE(type, want)	{ #type, want, sizeof(struct drm_vshader_##type) },
#define FIELD(type, field, want)	\
	{ #type "." #field, want, offsetof(struct drm_vshader_##type, field) },
#define VALUE(name, want)

static const struct item items[] = {
#include "uapi_1_0.def"
};

#undef SIZE
#undef FIELD
#undef VALUE
#define SIZE(type, want)
#define FIELD(type, field, want)
#define VALUE(name, want)	{ #name, want, name },

/* Enumerators, ioctls */
static const struct item values[] = {
#include "uapi_1_0.def"
};

TEST(layout)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(items); i++) {
		EXPECT_EQ(items[i].want, items[i].have)
			TH_LOG("%s moved", items[i].what);
	}
}

TEST(sizes_are_multiples_of_8)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(items); i++) {
		if (!strchr(items[i].what, '.')) {
			EXPECT_EQ(0, items[i].have % 8)
				TH_LOG("%s", items[i].what);
		}
	}
}

TEST(enum_values)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		EXPECT_EQ(values[i].want, values[i].have)
			TH_LOG("%s changed", values[i].what);
	}
}

TEST(driver_version)
{
	char name[32] = "", desc[128] = "";
	struct drm_version v = {
		.name = name, .name_len = sizeof(name) - 1,
		.desc = desc, .desc_len = sizeof(desc) - 1,
	};
	int fd;

	OPEN_OR_SKIP(return, fd);
	ASSERT_EQ(0, vst_ioctl(fd, DRM_IOCTL_VERSION, &v));
	EXPECT_STREQ("vshader", name);
	EXPECT_EQ(1, v.version_major);
	EXPECT_EQ(0, v.version_minor);
	EXPECT_NE(0, v.desc_len);
	close(fd);
}

TEST(driver_caps)
{
	static const struct {
		__u64 cap;
		__u64 want;
	} t[] = {
		{ DRM_CAP_PRIME, DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT },
		{ DRM_CAP_SYNCOBJ, 1 },
		{ DRM_CAP_SYNCOBJ_TIMELINE, 1 },
	};
	unsigned int i;
	int fd;

	OPEN_OR_SKIP(return, fd);
	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct drm_get_cap cap = { .capability = t[i].cap };

		EXPECT_EQ(0, vst_ioctl(fd, DRM_IOCTL_GET_CAP, &cap));
		EXPECT_EQ(t[i].want, cap.value);
	}
	close(fd);
}

/* Numbers after the last ioctl are unknown, whatever the argument. */
TEST(unknown_ioctl)
{
	char arg[256] = { 0 };
	unsigned int nr;
	int fd;

	OPEN_OR_SKIP(return, fd);
	for (nr = DRM_VSHADER_DEBUG_ATTACH + 1; nr < 0x60; nr++) {
		unsigned long req = _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE,
					    DRM_COMMAND_BASE + nr, sizeof(arg));

		EXPECT_EQ(-ENOTTY, vst_ioctl_once(fd, req, arg))
			TH_LOG("ioctl %x", nr);
		EXPECT_EQ(-ENOTTY, vst_ioctl_once(fd, req, (void *)(unsigned long)BAD_PTR))
			TH_LOG("ioctl %x", nr);
	}
	close(fd);
}

/*
 * Callers of other versions pass smaller or larger structures: DRM pads with zeros and
 * copies back the caller's size.
 */
TEST(argument_sizes)
{
	struct {
		struct drm_vshader_vm_create arg;
		__u64 more[2];
	} big = { .more = { ~0ULL, ~0ULL } };
	__u64 query[2] = { 0, 0 };
	unsigned long req;
	int fd;

	OPEN_OR_SKIP(return, fd);
	req = _IOC(_IOC_READ | _IOC_WRITE, 'd', 0x41, sizeof(big));
	EXPECT_EQ(0, vst_ioctl(fd, req, &big));
	EXPECT_NE(0, big.arg.id);
	/* the first 8 bytes of a DEV_QUERY only: pointer 0 */
	req = _IOC(_IOC_READ | _IOC_WRITE, 'd', 0x40, 8);
	EXPECT_EQ(0, vst_ioctl(fd, req, query));
	EXPECT_EQ(sizeof(struct drm_vshader_dev_info), query[0] >> 32);
	EXPECT_EQ(0, query[1]);
	close(fd);
}

TEST(bad_argument_pointer)
{
	static const unsigned long req[] = {
		DRM_IOCTL_VSHADER_DEV_QUERY, DRM_IOCTL_VSHADER_VM_CREATE,
		DRM_IOCTL_VSHADER_VM_DESTROY, DRM_IOCTL_VSHADER_VM_BIND,
		DRM_IOCTL_VSHADER_BO_CREATE, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET,
		DRM_IOCTL_VSHADER_BO_SET_LABEL, DRM_IOCTL_VSHADER_PROGRAM_CREATE,
		DRM_IOCTL_VSHADER_PROGRAM_DESTROY, DRM_IOCTL_VSHADER_PROGRAM_QUERY,
		DRM_IOCTL_VSHADER_QUEUE_CREATE, DRM_IOCTL_VSHADER_QUEUE_DESTROY,
		DRM_IOCTL_VSHADER_QUEUE_GET_STATE, DRM_IOCTL_VSHADER_SUBMIT,
	};
	unsigned int i;
	int fd;

	OPEN_OR_SKIP(return, fd);
	for (i = 0; i < ARRAY_SIZE(req); i++) {
		EXPECT_EQ(-EFAULT, vst_ioctl(fd, req[i], (void *)BAD_PTR))
			TH_LOG("ioctl %d", i);
	}
	close(fd);
}

TEST_HARNESS_MAIN
