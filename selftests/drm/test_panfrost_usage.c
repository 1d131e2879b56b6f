// SPDX-License-Identifier: GPL-2.0
/*
 * What monitors read of devices that present themselves as the panfrost driver's: the keys of
 * Linux 6.12's driver in fdinfo, and its file "profiling" in sysfs.
 *
 * Needs a device with each of the personalities panfrost:t860 and panfrost:g52, and the rights to
 * write the file.
 */
#include "vshader_test.h"
#include "vst_panfrost.h"

#define FRAGMENT	"drm-engine-fragment"
#define VERTEX		"drm-engine-vertex-tiler"
#define CLOCK_HZ	1000000000
#define HEAP_SIZE	(128U << 20)
/* Memory that a heap has from the beginning. */
#define HEAP_FIRST	(16U << 20)
#define MAX_RUNS	1000

FIXTURE(panfrost_usage) {
	int fd;
	struct vst_pf_bo bo;
	char profiling[96];
	char was[16];
};

FIXTURE_VARIANT(panfrost_usage) {
	const struct vst_mali_arch *arch;
	__u32 id;
};

FIXTURE_VARIANT_ADD(panfrost_usage, t860) {
	.arch = &vst_mali_midgard,
	.id = 0x860,
};

FIXTURE_VARIANT_ADD(panfrost_usage, g52) {
	.arch = &vst_mali_bifrost,
	.id = 0x7212,
};

FIXTURE_SETUP(panfrost_usage)
{
	self->fd = vst_pf_open(variant->id);
	if (self->fd == -ENODEV)
		SKIP(return, "no device with personality panfrost and chip 0x%x", variant->id);
	ASSERT_EQ(0, vst_device_file(self->fd, "profiling", self->profiling,
				     sizeof(self->profiling)));
	ASSERT_LT(0, vst_read_file(self->profiling, self->was, sizeof(self->was)));
	if (vst_write_file(self->profiling, self->was))
		SKIP(return, "%s: no rights", self->profiling);
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd, PAGE, &self->bo));
	vst_pf_put_copy(&self->bo, variant->arch);
}

FIXTURE_TEARDOWN(panfrost_usage)
{
	if (*self->was)
		vst_write_file(self->profiling, self->was);
	if (self->fd >= 0)
		close(self->fd);
}

static int run(int fd, const struct vst_pf_bo *bo, __u32 requirements)
{
	int ret = vst_pf_submit(fd, bo->va, &bo->handle, 1, 0, 0, requirements);

	return ret ?: vst_pf_wait_idle(fd, bo->handle);
}

/* A clock may be coarse: run jobs until one has taken time. */
static int run_until_more(int fd, const struct vst_pf_bo *bo, __u32 requirements, const char *key)
{
	long long was = vst_fdinfo_value(fd, key);
	unsigned int i;
	int ret = 0;

	for (i = 0; i < MAX_RUNS && !ret && vst_fdinfo_value(fd, key) == was; i++)
		ret = run(fd, bo, requirements);
	return ret ?: vst_fdinfo_value(fd, key) > was ? 0 : -ETIME;
}

static const char *const off_keys[] = {
	"drm-driver", "drm-client-id",
	"drm-maxfreq-fragment", "drm-curfreq-fragment",
	"drm-maxfreq-vertex-tiler", "drm-curfreq-vertex-tiler",
	"drm-total-memory", "drm-shared-memory", "drm-active-memory",
	"drm-resident-memory", "drm-purgeable-memory",
};

static const char *const on_keys[] = {
	"drm-driver", "drm-client-id",
	"drm-engine-fragment", "drm-cycles-fragment",
	"drm-maxfreq-fragment", "drm-curfreq-fragment",
	"drm-engine-vertex-tiler", "drm-cycles-vertex-tiler",
	"drm-maxfreq-vertex-tiler", "drm-curfreq-vertex-tiler",
	"drm-total-memory", "drm-shared-memory", "drm-active-memory",
	"drm-resident-memory", "drm-purgeable-memory",
};

/* As of vst_fdinfo_keys(). */
static void join(char *text, const char *const *keys, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		text += sprintf(text, " %s", keys[i]);
}

TEST_F(panfrost_usage, keys_without_profiling)
{
	char keys[1024], want[1024];

	ASSERT_EQ(0, vst_write_file(self->profiling, "0\n"));
	EXPECT_EQ(0, run(self->fd, &self->bo, 0));
	ASSERT_LT(0, vst_fdinfo_keys(self->fd, keys, sizeof(keys)));
	join(want, off_keys, ARRAY_SIZE(off_keys));
	EXPECT_STREQ(want, keys);
}

TEST_F(panfrost_usage, keys_with_profiling)
{
	char keys[1024], want[1024];

	ASSERT_EQ(0, vst_write_file(self->profiling, "1\n"));
	EXPECT_EQ(0, run(self->fd, &self->bo, 0));
	ASSERT_LT(0, vst_fdinfo_keys(self->fd, keys, sizeof(keys)));
	join(want, on_keys, ARRAY_SIZE(on_keys));
	EXPECT_STREQ(want, keys);
}

TEST_F(panfrost_usage, units)
{
	char path[64], text[4096], line[64];

	ASSERT_EQ(0, vst_write_file(self->profiling, "1\n"));
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", self->fd);
	ASSERT_LT(0, vst_read_file(path, text, sizeof(text)));
	EXPECT_NE(NULL, strstr(text, "drm-driver:\tpanfrost\n"));
	EXPECT_NE(NULL, strstr(text, FRAGMENT ":\t0 ns\n"));
	EXPECT_NE(NULL, strstr(text, "drm-cycles-fragment:\t0\n"));
	snprintf(line, sizeof(line), "drm-maxfreq-fragment:\t%u Hz\n", CLOCK_HZ);
	EXPECT_NE(NULL, strstr(text, line));
	snprintf(line, sizeof(line), "drm-curfreq-vertex-tiler:\t%u Hz\n", CLOCK_HZ);
	EXPECT_NE(NULL, strstr(text, line));
	EXPECT_NE(NULL, strstr(text, "drm-resident-memory:\t4 KiB\n"))
		TH_LOG("%s", text);
}

TEST_F(panfrost_usage, profiling_file)
{
	char text[16];

	EXPECT_STREQ("1\n", self->was);
	EXPECT_EQ(-EINVAL, vst_write_file(self->profiling, "maybe\n"));
	EXPECT_EQ(-EINVAL, vst_write_file(self->profiling, "2\n"));
	EXPECT_EQ(0, vst_write_file(self->profiling, "1\n"));
	EXPECT_EQ(2, vst_read_file(self->profiling, text, sizeof(text)));
	EXPECT_STREQ("1\n", text);
	/* whatever the kernel takes for a truth value, without a newline, too */
	EXPECT_EQ(0, vst_write_file(self->profiling, "n"));
	EXPECT_EQ(2, vst_read_file(self->profiling, text, sizeof(text)));
	EXPECT_STREQ("0\n", text);
	EXPECT_EQ(-ENOENT, vst_fdinfo_value(self->fd, VERTEX));
}

/* nvtop finds the file by what libdrm takes for the name of the node in the device tree. */
TEST_F(panfrost_usage, node)
{
	char name[128], path[300], *node, *address;

	ASSERT_EQ(0, vst_device_uevent(self->fd, "OF_COMPATIBLE_0", name, sizeof(name)));
	EXPECT_STREQ(variant->id == 0x860 ? "arm,mali-t860" : "arm,mali-bifrost", name);
	ASSERT_EQ(0, vst_device_uevent(self->fd, "OF_COMPATIBLE_N", name, sizeof(name)));
	EXPECT_STREQ("1", name);
	ASSERT_EQ(0, vst_device_uevent(self->fd, "OF_FULLNAME", name, sizeof(name)));
	node = strrchr(name, '/');
	ASSERT_NE(NULL, node);
	*node++ = 0;
	address = strchr(node, '@');
	ASSERT_NE(NULL, address);
	*address++ = 0;
	snprintf(path, sizeof(path), "/sys/devices/platform%s/%s.%s/profiling", name, address,
		 node);
	EXPECT_EQ(0, access(path, F_OK))
		TH_LOG("%s", path);
	ASSERT_EQ(0, vst_device_uevent(self->fd, "OF_NAME", path, sizeof(path)));
	EXPECT_STREQ(node, path);
}

/* It is a file of this driver only. */
TEST_F(panfrost_usage, profiling_of_others)
{
	char path[96], text[64];
	int fd = vst_open();

	if (fd < 0)
		SKIP(return, "no device with vshader's interface");
	EXPECT_EQ(-ENOENT, vst_device_file(fd, "profiling", path, sizeof(path)));
	EXPECT_EQ(-ENOENT, vst_device_uevent(fd, "OF_FULLNAME", text, sizeof(text)));
	/* nor has vshader's interface these keys */
	EXPECT_EQ(-ENOENT, vst_fdinfo_value(fd, VERTEX));
	EXPECT_LE(0, vst_fdinfo_value(fd, "drm-engine-pica"));
	close(fd);
}

/* Job slot 0 has fragment jobs, slot 1 all others. */
TEST_F(panfrost_usage, slots)
{
	long long vertex, fragment;

	ASSERT_EQ(0, vst_write_file(self->profiling, "1\n"));
	EXPECT_EQ(0, vst_fdinfo_value(self->fd, VERTEX));
	EXPECT_EQ(0, vst_fdinfo_value(self->fd, FRAGMENT));
	ASSERT_EQ(0, run_until_more(self->fd, &self->bo, 0, VERTEX));
	EXPECT_EQ(0, vst_fdinfo_value(self->fd, FRAGMENT));
	vertex = vst_fdinfo_value(self->fd, VERTEX);
	EXPECT_EQ(vertex, vst_fdinfo_value(self->fd, "drm-cycles-vertex-tiler"));

	vst_pf_put_zero(&self->bo, PF_JOB_AT, self->bo.va + PF_TO_AT, 0);
	ASSERT_EQ(0, run_until_more(self->fd, &self->bo, PANFROST_JD_REQ_FS, FRAGMENT));
	EXPECT_EQ(vertex, vst_fdinfo_value(self->fd, VERTEX));
	fragment = vst_fdinfo_value(self->fd, FRAGMENT);
	EXPECT_EQ(fragment, vst_fdinfo_value(self->fd, "drm-cycles-fragment"));

	/* monotonic, and nothing is forgotten */
	ASSERT_EQ(0, run_until_more(self->fd, &self->bo, 0, VERTEX));
	EXPECT_LT(vertex, vst_fdinfo_value(self->fd, VERTEX));
	EXPECT_EQ(fragment, vst_fdinfo_value(self->fd, FRAGMENT));
}

TEST_F(panfrost_usage, of_another_file)
{
	int other = vst_pf_open(variant->id);

	ASSERT_LE(0, other);
	ASSERT_EQ(0, vst_write_file(self->profiling, "1\n"));
	ASSERT_EQ(0, run_until_more(self->fd, &self->bo, 0, VERTEX));
	EXPECT_EQ(0, vst_fdinfo_value(other, VERTEX));
	EXPECT_EQ(0, vst_fdinfo_value(other, FRAGMENT));
	EXPECT_EQ(0, vst_fdinfo_value(other, "drm-total-memory"));
	EXPECT_NE(vst_fdinfo_value(self->fd, "drm-client-id"),
		  vst_fdinfo_value(other, "drm-client-id"));
	close(other);
}

/* Jobs that start while profiling is off are not counted. */
TEST_F(panfrost_usage, off)
{
	long long ns;
	int i;

	ASSERT_EQ(0, vst_write_file(self->profiling, "1\n"));
	ASSERT_EQ(0, run_until_more(self->fd, &self->bo, 0, VERTEX));
	ns = vst_fdinfo_value(self->fd, VERTEX);
	ASSERT_EQ(0, vst_write_file(self->profiling, "0\n"));
	for (i = 0; i < 20; i++)
		EXPECT_EQ(0, run(self->fd, &self->bo, 0));
	ASSERT_EQ(0, vst_write_file(self->profiling, "1\n"));
	EXPECT_EQ(ns, vst_fdinfo_value(self->fd, VERTEX));
}

/* A job that faults has used its engine. */
TEST_F(panfrost_usage, faults)
{
	long long ns;
	int i;

	ASSERT_EQ(0, vst_write_file(self->profiling, "1\n"));
	/* a write to an address without memory */
	vst_pf_put_zero(&self->bo, PF_JOB_AT, 0x1000, 0);
	EXPECT_EQ(-EIO, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	for (i = 0; i < MAX_RUNS && !vst_fdinfo_value(self->fd, VERTEX); i++)
		vst_pf_run_chain(self->fd, &self->bo, self->bo.va);
	ns = vst_fdinfo_value(self->fd, VERTEX);
	EXPECT_LT(0, ns);
	EXPECT_EQ(0, vst_fdinfo_value(self->fd, FRAGMENT));
}

static long long kib(int fd, const char *key)
{
	return vst_fdinfo_value(fd, key);
}

TEST_F(panfrost_usage, memory)
{
	struct vst_pf_bo b, heap;
	long long purgeable, resident;
	__u32 retained;
	int file;

	EXPECT_EQ(4, kib(self->fd, "drm-total-memory"));
	ASSERT_EQ(0, vst_pf_create(self->fd, 1 << 20, PANFROST_BO_NOEXEC, &b));
	EXPECT_EQ(1028, kib(self->fd, "drm-total-memory"));
	EXPECT_EQ(1028, kib(self->fd, "drm-resident-memory"));
	EXPECT_EQ(0, kib(self->fd, "drm-shared-memory"));
	EXPECT_EQ(0, kib(self->fd, "drm-purgeable-memory"));
	EXPECT_EQ(0, kib(self->fd, "drm-active-memory"));

	EXPECT_EQ(0, vst_pf_advise(self->fd, b.handle, PANFROST_MADV_DONTNEED, &retained));
	purgeable = kib(self->fd, "drm-purgeable-memory");
	EXPECT_EQ(0, vst_pf_advise(self->fd, b.handle, PANFROST_MADV_WILLNEED, &retained));
	/* unless the kernel has wanted the memory meanwhile */
	if (retained)
		EXPECT_EQ(1024, purgeable);
	EXPECT_EQ(0, kib(self->fd, "drm-purgeable-memory"));
	EXPECT_EQ(1028, kib(self->fd, "drm-total-memory"));

	ASSERT_EQ(0, vst_prime_export(self->fd, self->bo.handle, &file));
	EXPECT_EQ(4, kib(self->fd, "drm-shared-memory"));
	close(file);

	/* a heap has its addresses, and memory as jobs need it */
	ASSERT_EQ(0, vst_pf_create(self->fd, HEAP_SIZE, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC,
				   &heap));
	EXPECT_EQ(1028 + (HEAP_SIZE >> 10), kib(self->fd, "drm-total-memory"));
	resident = kib(self->fd, "drm-resident-memory");
	EXPECT_EQ(4 + (retained ? 1024 : 0) + (HEAP_FIRST >> 10), resident);
	vst_pf_put_zero(&self->bo, PF_JOB_AT, heap.va + HEAP_SIZE - 8, 0);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	EXPECT_EQ(resident + 64, kib(self->fd, "drm-resident-memory"));
	EXPECT_EQ(0, vst_bo_close(self->fd, heap.handle));
	EXPECT_EQ(1028, kib(self->fd, "drm-total-memory"));
}

/* Buffers that a job names are active until it has ended. */
TEST_F(panfrost_usage, active)
{
	struct vst_pf_bo unused;
	struct vst_gate g;
	__u32 in;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	ASSERT_EQ(0, vst_pf_create(self->fd, 64 * PAGE, 0, &unused));
	ASSERT_EQ(0, vst_pf_submit(self->fd, self->bo.va, &self->bo.handle, 1, in, 0, 0));
	EXPECT_EQ(4, kib(self->fd, "drm-active-memory"));
	ASSERT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_pf_wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(0, kib(self->fd, "drm-active-memory"));
	vst_gate_free(&g);
}

TEST_HARNESS_MAIN
