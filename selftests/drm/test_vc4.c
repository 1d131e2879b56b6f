// SPDX-License-Identifier: GPL-2.0
/*
 * Devices that present themselves as the vc4 driver's: its ioctls and their errors, the order of
 * its checks, numbers of jobs, programs, tiling, advice, performance monitors, and a triangle.
 *
 * Needs a device with the personality vc4. "vshader gl" runs it, too.
 */
#include "pan_sizes.h"
#include "vshader_test.h"
#include "vst_vc4_job.h"

#define CLIENT_MEMORY	"/sys/module/vshader/parameters/client_memory"

/* ---- what it says of itself ---- */

TEST_F(vc4, version)
{
	char name[32] = "";
	struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };

	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VERSION, &v));
	EXPECT_STREQ("vc4", name);
	EXPECT_EQ(0, v.version_major);
	EXPECT_EQ(0, v.version_minor);
}

TEST_F(vc4, parameters)
{
	__u64 value;
	__u32 i;

	EXPECT_EQ(0, param(self->fd, DRM_VC4_PARAM_V3D_IDENT0, 0, &value));
	EXPECT_EQ(0x02443356, value);
	EXPECT_EQ(0, param(self->fd, DRM_VC4_PARAM_V3D_IDENT1, 0, &value));
	/* V3D 2.1 or 2.6, three slices, four QPUs each */
	EXPECT_TRUE((value & 15) == 1 || (value & 15) == 6);
	EXPECT_EQ(0x43, value >> 4 & 0xff);
	EXPECT_EQ(0, param(self->fd, DRM_VC4_PARAM_V3D_IDENT2, 0, &value));
	for (i = DRM_VC4_PARAM_SUPPORTS_BRANCHES; i <= DRM_VC4_PARAM_SUPPORTS_PERFMON; i++) {
		EXPECT_EQ(0, param(self->fd, i, 0, &value));
		EXPECT_EQ(1, value);
	}
	EXPECT_EQ(-EINVAL, param(self->fd, DRM_VC4_PARAM_SUPPORTS_PERFMON + 1, 0, &value));
	EXPECT_EQ(-EINVAL, param(self->fd, DRM_VC4_PARAM_V3D_IDENT0, 1, &value));
}

TEST_F(vc4, unknown_ioctl)
{
	char arg[256] = { 0 };
	unsigned int nr;

	for (nr = DRM_VC4_PERFMON_GET_VALUES + 1; nr < 0x60; nr++) {
		EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, _IOC(_IOC_READ | _IOC_WRITE, 'd',
							    DRM_COMMAND_BASE + nr, sizeof(arg)),
					     arg))
			TH_LOG("ioctl %x", nr);
	}
}

/* Every ioctl with arguments of every length: the rest is 0, or as it was. */
TEST_F(vc4, all_sizes)
{
	static const char label[] = "a label";
	static __u64 values[DRM_VC4_MAX_PERF_COUNTERS];
	const __u32 len = sizeof(label) - 1;
	const struct pan_sized table[] = {
		PAN_SIZED(VC4_SUBMIT_CL, .want = -EINVAL),
		PAN_SIZED(VC4_WAIT_SEQNO),
		PAN_SIZED(VC4_WAIT_BO, .arg = { self->handles[FS], 0, ~0U, ~0U >> 1 }),
		PAN_SIZED(VC4_CREATE_BO, .arg = { PAGE }, .to = 3,
			  .undo = _IOC_NR(DRM_IOCTL_GEM_CLOSE)),
		PAN_SIZED(VC4_MMAP_BO, .arg = { self->handles[FS] }),
		PAN_SIZED(VC4_CREATE_SHADER_BO,
			  .arg = { sizeof(vc4_fs), 0, PAN_LOW(vc4_fs), PAN_HIGH(vc4_fs) },
			  .to = 5, .undo = _IOC_NR(DRM_IOCTL_GEM_CLOSE)),
		PAN_SIZED(VC4_GET_HANG_STATE, .want = -EACCES),
		PAN_SIZED(VC4_GET_PARAM, .arg = { DRM_VC4_PARAM_V3D_IDENT0 }),
		PAN_SIZED(VC4_SET_TILING, .arg = { self->handles[FS] }),
		PAN_SIZED(VC4_GET_TILING, .arg = { self->handles[FS] }),
		PAN_SIZED(VC4_LABEL_BO,
			  .arg = { self->handles[FS], len, PAN_LOW(label), PAN_HIGH(label) }),
		PAN_SIZED(VC4_GEM_MADVISE, .arg = { self->handles[FS] }),
		PAN_SIZED(VC4_PERFMON_CREATE, .arg = { 0, 1 }, .to = 1,
			  .undo = _IOC_NR(DRM_IOCTL_VC4_PERFMON_DESTROY)),
		PAN_SIZED(VC4_PERFMON_DESTROY, .make = _IOC_NR(DRM_IOCTL_VC4_PERFMON_CREATE),
			  .make_arg = { 0, 1 }),
		PAN_SIZED(VC4_PERFMON_GET_VALUES,
			  .arg = { 0, 0, PAN_LOW(values), PAN_HIGH(values) }, .want = -EINVAL),
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		EXPECT_TRUE(pan_try_sizes(self->fd, &table[i]));
}

/* The driver has no timelines. */
TEST_F(vc4, no_timelines)
{
	struct drm_get_cap cap = { .capability = DRM_CAP_SYNCOBJ_TIMELINE, .value = 1 };

	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_GET_CAP, &cap));
	EXPECT_EQ(0, cap.value);
}

/* The driver has no usage statistics: its files have the keys that all files have. */
TEST_F(vc4, vc4_fdinfo)
{
	char keys[1024], path[96];

	EXPECT_EQ(0, vst_fdinfo_keys(self->fd, keys, sizeof(keys)));
	EXPECT_STREQ("", keys);
	EXPECT_EQ(-ENOENT, vst_device_file(self->fd, "profiling", path, sizeof(path)));
}

/* libdrm finds the device. */
TEST_F(vc4, vc4_node)
{
	char value[64];

	if (getenv("VSHADER_GL_SOCKET"))
		SKIP(return, "a socket has no device");
	EXPECT_EQ(0, vst_device_uevent(self->fd, "OF_COMPATIBLE_0", value, sizeof(value)));
	EXPECT_TRUE(!strcmp(value, "brcm,bcm2835-v3d") || !strcmp(value, "brcm,cygnus-v3d"));
	EXPECT_EQ(0, vst_device_uevent(self->fd, "OF_FULLNAME", value, sizeof(value)));
}

/* ---- buffers ---- */

TEST_F(vc4, create_bo)
{
	struct drm_vc4_create_bo arg = { .size = 1, .flags = 7, .pad = 9 };
	__u32 handle;
	__u32 *p;

	/* the driver looks at neither flags nor padding */
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VC4_CREATE_BO, &arg));
	ASSERT_EQ(0, map_bo(self->fd, arg.handle, PAGE, PROT_READ | PROT_WRITE, &p));
	EXPECT_EQ(0, p[0] | p[PAGE / 4 - 1]);
	EXPECT_EQ(-EINVAL, create_bo(self->fd, 0, &handle));
}

TEST_F(vc4, mmap_bo)
{
	void *p;

	EXPECT_EQ(-EINVAL, map_bo(self->fd, NO_HANDLE, PAGE, PROT_READ, &p));
	/* programs can be read */
	EXPECT_EQ(-EINVAL, map_bo(self->fd, self->handles[FS], PAGE, PROT_READ | PROT_WRITE, &p));
	ASSERT_EQ(0, map_bo(self->fd, self->handles[FS], PAGE, PROT_READ, &p));
	EXPECT_EQ(0, memcmp(p, vc4_fs, sizeof(vc4_fs)));
}

TEST_F(vc4, create_shader)
{
	struct drm_vc4_create_shader_bo arg = { .size = sizeof(vc4_fs), .data = PTR(vc4_fs) };
	struct drm_prime_handle prime = { .handle = self->handles[FS], .fd = -1 };
	__u64 code[sizeof(vc4_fs) / 8];
	__u32 handle;

	EXPECT_EQ(-EINVAL, create_shader(self->fd, vc4_fs, 0, &handle));
	EXPECT_EQ(-EINVAL, create_shader(self->fd, vc4_fs, sizeof(vc4_fs) - 4, &handle));
	EXPECT_EQ(-EFAULT, create_shader(self->fd, (void *)BAD_PTR, sizeof(vc4_fs), &handle));
	arg.flags = 1;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VC4_CREATE_SHADER_BO, &arg));
	arg.flags = 0;
	arg.pad = 1;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VC4_CREATE_SHADER_BO, &arg));
	/* a program without an end */
	memcpy(code, vc4_fs, sizeof(vc4_fs));
	code[4] = code[0];
	EXPECT_EQ(-EINVAL, create_shader(self->fd, code, sizeof(code), &handle));
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime));
}

/* What validation finds in a program, 20 bytes for each texture lookup, is charged. */
TEST_F(vc4, programs_are_charged)
{
	static const __u32 lookup[] = { 0x159e7000, 0x10020e67, 0x159e7000, 0x10020e27 };
	static const __u32 end[] = {
		0x009e7000, 0x300009e7, 0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7,
	};
	const __u32 size = 1 << 20, room = size - sizeof(end);
	__u32 *code, handle[16], at;
	int n, ret = 0;
	char was[32];

	if (vst_read_file(CLIENT_MEMORY, was, sizeof(was)) <= 0)
		SKIP(return, "no parameters of a module");
	code = calloc(1, size);
	ASSERT_NE(NULL, code);
	for (at = 0; at + sizeof(lookup) <= room; at += sizeof(lookup))
		memcpy((char *)code + at, lookup, sizeof(lookup));
	memcpy((char *)code + at, end, sizeof(end));
	ASSERT_EQ(0, vst_write_file(CLIENT_MEMORY, "8"));
	for (n = 0; n < 16 && !ret; n++)
		ret = create_shader(self->fd, code, at + sizeof(end), &handle[n]);
	EXPECT_EQ(-EDQUOT, ret);
	EXPECT_GT(8, n);
	EXPECT_LT(2, n);
	EXPECT_EQ(0, vst_bo_close(self->fd, handle[0]));
	EXPECT_EQ(0, create_shader(self->fd, code, at + sizeof(end), &handle[0]));
	/* refused before its length is validated */
	EXPECT_EQ(0, vst_write_file(CLIENT_MEMORY, "2"));
	EXPECT_EQ(-EDQUOT, create_shader(self->fd, code, at + sizeof(end), &handle[1]));
	EXPECT_EQ(0, vst_write_file(CLIENT_MEMORY, was));
	free(code);
}

TEST_F(vc4, tiling)
{
	__u64 modifier = 0;
	__u32 bo = self->handles[IMAGE];

	EXPECT_EQ(0, get_tiling(self->fd, bo, 0, &modifier));
	EXPECT_EQ(0, modifier);
	EXPECT_EQ(0, set_tiling(self->fd, bo, 0, T_TILED));
	EXPECT_EQ(0, get_tiling(self->fd, bo, 0, &modifier));
	EXPECT_EQ(T_TILED, modifier);
	EXPECT_EQ(-EINVAL, get_tiling(self->fd, bo, 0, &modifier));
	modifier = 0;
	EXPECT_EQ(0, set_tiling(self->fd, bo, 0, 0));
	EXPECT_EQ(0, get_tiling(self->fd, bo, 0, &modifier));
	EXPECT_EQ(0, modifier);
	EXPECT_EQ(-EINVAL, get_tiling(self->fd, bo, 1, &modifier));
	EXPECT_EQ(-ENOENT, get_tiling(self->fd, NO_HANDLE, 0, &modifier));
	/* flags, then the modifier, then the handle */
	EXPECT_EQ(-EINVAL, set_tiling(self->fd, NO_HANDLE, 1, 0));
	EXPECT_EQ(-EINVAL, set_tiling(self->fd, NO_HANDLE, 0, 2));
	EXPECT_EQ(-ENOENT, set_tiling(self->fd, NO_HANDLE, 0, T_TILED));
}

TEST_F(vc4, labels)
{
	__u32 bo = self->handles[IMAGE];

	EXPECT_EQ(0, label(self->fd, bo, 5, "image"));
	EXPECT_EQ(-EINVAL, label(self->fd, bo, 0, "image"));
	EXPECT_EQ(-EINVAL, label(self->fd, bo, 4, "image"));
	EXPECT_EQ(-EFAULT, label(self->fd, bo, 5, (void *)BAD_PTR));
	EXPECT_EQ(-ENOENT, label(self->fd, NO_HANDLE, 5, "image"));
}

TEST_F(vc4, madvise)
{
	__u32 bo = self->handles[IMAGE];
	void *p;

	EXPECT_EQ(-EINVAL, madvise_bo(self->fd, bo, 2, 0));
	EXPECT_EQ(-EINVAL, madvise_bo(self->fd, NO_HANDLE, 0, 1));
	EXPECT_EQ(-ENOENT, madvise_bo(self->fd, NO_HANDLE, 0, 0));
	EXPECT_EQ(1, madvise_bo(self->fd, bo, VC4_MADV_DONTNEED, 0));
	EXPECT_EQ(-EINVAL, map_bo(self->fd, bo, PAGE, PROT_READ, &p));
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	EXPECT_LE(0, madvise_bo(self->fd, bo, VC4_MADV_WILLNEED, 0));
}

/* ---- performance monitors ---- */

static int perfmon(int fd, struct drm_vc4_perfmon_create *p, __u32 n, __u8 event)
{
	*p = (struct drm_vc4_perfmon_create){ .ncounters = n };
	p->events[n ? (n - 1) % DRM_VC4_MAX_PERF_COUNTERS : 0] = event;
	return vst_ioctl(fd, DRM_IOCTL_VC4_PERFMON_CREATE, p);
}

TEST_F(vc4, perfmons)
{
	struct drm_vc4_perfmon_create p, q;
	struct drm_vc4_perfmon_get_values get = { 0 };
	__u64 values[3] = { ~0ULL, ~0ULL, ~0ULL };

	EXPECT_EQ(-EINVAL, perfmon(self->fd, &p, 0, 0));
	EXPECT_EQ(-EINVAL, perfmon(self->fd, &p, DRM_VC4_MAX_PERF_COUNTERS + 1, 0));
	EXPECT_EQ(-EINVAL, perfmon(self->fd, &p, 2, VC4_PERFCNT_NUM_EVENTS));
	EXPECT_EQ(0, perfmon(self->fd, &q, DRM_VC4_MAX_PERF_COUNTERS, VC4_PERFCNT_NUM_EVENTS - 1));
	ASSERT_EQ(0, perfmon(self->fd, &p, 2, 0));
	EXPECT_NE(0, p.id);
	EXPECT_NE(p.id, q.id);
	self->job.arg.perfmonid = p.id;
	EXPECT_EQ(0, submit(self->fd, &self->job));
	get.id = p.id;
	get.values_ptr = PTR(values);
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VC4_PERFMON_GET_VALUES, &get));
	EXPECT_EQ(PTR(values), get.values_ptr);
	/* as many as it has */
	EXPECT_NE(~0ULL, values[0]);
	EXPECT_NE(~0ULL, values[1]);
	EXPECT_EQ(~0ULL, values[2]);
	get.values_ptr = BAD_PTR;
	EXPECT_EQ(-EFAULT, vst_ioctl(self->fd, DRM_IOCTL_VC4_PERFMON_GET_VALUES, &get));
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VC4_PERFMON_DESTROY, &p));
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VC4_PERFMON_DESTROY, &p));
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VC4_PERFMON_GET_VALUES, &get));
	EXPECT_EQ(-ENOENT, submit(self->fd, &self->job));
}

/* Events that tests read; the last one is not counted. */
static const __u8 events[] = {
	VC4_PERFCNT_FEP_VALID_PRIMS_RENDER, VC4_PERFCNT_FEP_VALID_QUADS,
	VC4_PERFCNT_TLB_QUADS_NOT_PASSING_STENCIL, VC4_PERFCNT_TLB_QUADS_NOT_PASSING_Z_AND_STENCIL,
	VC4_PERFCNT_TLB_QUADS_PASSING_Z_AND_STENCIL, VC4_PERFCNT_TLB_QUADS_ZERO_COVERAGE,
	VC4_PERFCNT_TLB_QUADS_NON_ZERO_COVERAGE, VC4_PERFCNT_TLB_QUADS_WRITTEN_TO_COLOR_BUF,
	VC4_PERFCNT_PLB_PRIMS_OUTSIDE_VIEWPORT, VC4_PERFCNT_PLB_PRIMS_NEED_CLIPPING,
	VC4_PERFCNT_PSE_PRIMS_REVERSED, VC4_PERFCNT_QPU_TOTAL_CLK_CYCLES_VERTEX_COORD_SHADING,
	VC4_PERFCNT_QPU_TOTAL_CLK_CYCLES_FRAGMENT_SHADING,
	VC4_PERFCNT_QPU_TOTAL_CLK_CYCLES_EXEC_VALID_INST,
	VC4_PERFCNT_TMU_TOTAL_TEXT_QUADS_PROCESSED, VC4_PERFCNT_L2C_TOTAL_L2_CACHE_HIT,
};

#define NUM_VALUES	ARRAY_SIZE(events)
#define QUADS		528	/* that have a pixel of the triangle: 32 * 33 / 2 */
#define THREADS		(QUADS / 4)
#define CYCLES(code)	(4 * sizeof(code) / 8)

TEST_F(vc4, perfmons_are_charged)
{
	struct drm_vc4_perfmon_create p, first;
	int i, ret = 0;
	char was[32];

	if (vst_read_file(CLIENT_MEMORY, was, sizeof(was)) <= 0)
		SKIP(return, "no parameters of a module");
	ASSERT_EQ(0, vst_write_file(CLIENT_MEMORY, "4"));
	ASSERT_EQ(0, perfmon(self->fd, &first, 1, 0));
	for (i = 0; i < 100000 && !ret; i++)
		ret = perfmon(self->fd, &p, 1, 0);
	EXPECT_EQ(-EDQUOT, ret);
	EXPECT_LT(1000, i);
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VC4_PERFMON_DESTROY,
			       &(struct drm_vc4_perfmon_destroy){ .id = first.id }));
	EXPECT_EQ(0, perfmon(self->fd, &p, 1, 0));
	EXPECT_EQ(0, vst_write_file(CLIENT_MEMORY, was));
}

static int perfmon_values(int fd, __u32 id, __u64 *values)
{
	struct drm_vc4_perfmon_get_values get = { .id = id, .values_ptr = PTR(values) };

	return vst_ioctl(fd, DRM_IOCTL_VC4_PERFMON_GET_VALUES, &get);
}

/* Counts that a job adds to a monitor. */
static int count_job(int fd, struct job *j, __u64 *values)
{
	struct drm_vc4_perfmon_create p = { .ncounters = NUM_VALUES };
	int ret;

	memcpy(p.events, events, sizeof(events));
	ret = vst_ioctl(fd, DRM_IOCTL_VC4_PERFMON_CREATE, &p);
	if (ret)
		return ret;
	j->arg.perfmonid = p.id;
	ret = submit(fd, j);
	if (!ret)
		ret = wait_seqno(fd, j->arg.seqno, ~0ULL);
	if (!ret)
		ret = perfmon_values(fd, p.id, values);
	vst_ioctl(fd, DRM_IOCTL_VC4_PERFMON_DESTROY, &p);
	return ret;
}

/* The triangle: of each event what it has. */
TEST_F(vc4, counters)
{
	const __u64 vertex = CYCLES(vc4_vs) + CYCLES(vc4_cs), fragment = THREADS * CYCLES(vc4_fs);
	const __u64 expected[NUM_VALUES] = {
		1, QUADS, 0, 0, 0, 0, QUADS, QUADS, 0, 0, 0, vertex, fragment, vertex + fragment,
	};
	__u64 values[NUM_VALUES];
	unsigned int i;

	ASSERT_EQ(0, count_job(self->fd, &self->job, values));
	for (i = 0; i < NUM_VALUES; i++) {
		EXPECT_EQ(expected[i], values[i])
			TH_LOG("value %u", i);
	}
	/* the front faces, then the back faces: one of them is not drawn */
	self->job.list[LIST_CONFIG + 1] = 1;
	ASSERT_EQ(0, count_job(self->fd, &self->job, values));
	EXPECT_EQ(1, values[0] + values[10]);
	self->job.list[LIST_CONFIG + 1] = 2;
	i = values[10];
	ASSERT_EQ(0, count_job(self->fd, &self->job, values));
	EXPECT_EQ(1, values[0] + values[10]);
	EXPECT_EQ(1, i + values[10]);
	EXPECT_EQ(values[0] ? QUADS : 0, values[1]);
}

/* Depth and stencil tests, and colours that are not written after them. */
TEST_F(vc4, counters_of_tests)
{
	/* stencil setup, depth, colour */
	static const __u32 code[] = {
		0x15827d80, 0x10020ae7, 0x009e7000, 0x400009e7, 0x159cffc0, 0x10020b27,
		0x15827d80, 0x10020ba7, 0x009e7000, 0x300009e7, 0x009e7000, 0x100009e7,
		0x009e7000, 0x100009e7,
	};
	static const struct {
		__u32 stencil;		/* setup */
		__u8 config;		/* depth function */
		__u64 expected[3];	/* no stencil, not both, both */
	} tests[] = {
		{ 0xf24f00ff, 0x70, { 0, 0, QUADS } },	/* always */
		{ 0xf24f00ff, 0x00, { 0, QUADS, 0 } },	/* depth never */
		{ 0xf24800ff, 0x70, { QUADS, QUADS, 0 } },	/* stencil never */
	};
	__u32 uniforms[10];
	__u64 values[NUM_VALUES];
	unsigned int i;

	ASSERT_EQ(0, create_shader(self->fd, code, sizeof(code), &self->job.handles[FS]));
	memcpy(uniforms + 1, self->job.uniforms, sizeof(self->job.uniforms));
	self->job.arg.uniforms = PTR(uniforms);
	self->job.arg.uniforms_size = sizeof(uniforms);
	for (i = 0; i < ARRAY_SIZE(tests); i++) {
		uniforms[0] = tests[i].stencil;
		self->job.list[LIST_CONFIG + 2] = tests[i].config;
		ASSERT_EQ(0, count_job(self->fd, &self->job, values));
		EXPECT_EQ(0, memcmp(values + 2, tests[i].expected, sizeof(tests[i].expected)))
			TH_LOG("test %u: %llu %llu %llu", i, values[2], values[3], values[4]);
		EXPECT_EQ(QUADS, values[6]);
		EXPECT_EQ(tests[i].expected[2], values[7]);
	}
}

TEST_F(vc4, counters_of_clipping)
{
	float corners[] = { -1, -1, -2, 1, 1, -1, 0, 1, -1, 1, 0, 1 };
	__u64 values[NUM_VALUES];

	/* cut at the near plane into two triangles */
	ASSERT_EQ(0, put_corners(self->fd, self->handles[VERTICES], corners));
	ASSERT_EQ(0, count_job(self->fd, &self->job, values));
	EXPECT_EQ(2, values[0]);
	EXPECT_EQ(0, values[8]);
	EXPECT_EQ(1, values[9]);
	/* beyond it */
	corners[6] = -2;
	corners[10] = -2;
	ASSERT_EQ(0, put_corners(self->fd, self->handles[VERTICES], corners));
	ASSERT_EQ(0, count_job(self->fd, &self->job, values));
	EXPECT_EQ(0, values[0]);
	EXPECT_EQ(1, values[8]);
	EXPECT_EQ(1, values[9]);
	EXPECT_EQ(0, values[1]);
}

/* A texture of 8 x 8 texels, and another job of the same monitor. */
TEST_F(vc4, counters_of_textures)
{
	static const __u32 code[] = {
		0x159e7000, 0x10020e67, 0x159e7000, 0x10020e27, 0x009e7000, 0xa00009e7,
		0x009e7000, 0x400009e7, 0x159e7900, 0x10020ba7, 0x009e7000, 0x300009e7,
		0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7,
	};
	struct drm_vc4_perfmon_create p = { .ncounters = 1 };
	__u32 uniforms[11] = { VERTICES, 0, 8 << 20 | 8 << 8 };
	__u64 value;
	int i;

	p.events[0] = VC4_PERFCNT_TMU_TOTAL_TEXT_QUADS_PROCESSED;
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VC4_PERFMON_CREATE, &p));
	ASSERT_EQ(0, create_shader(self->fd, code, sizeof(code), &self->job.handles[FS]));
	memcpy(uniforms + 3, self->job.uniforms + 1, sizeof(self->job.uniforms) - 4);
	self->job.arg.uniforms = PTR(uniforms);
	self->job.arg.uniforms_size = sizeof(uniforms);
	self->job.arg.perfmonid = p.id;
	/* more than there are slots */
	for (i = 1; i <= 40; i++) {
		ASSERT_EQ(0, submit(self->fd, &self->job));
		EXPECT_NE(0, self->job.arg.seqno);
	}
	EXPECT_EQ(0, wait_seqno(self->fd, self->job.arg.seqno, ~0ULL));
	EXPECT_EQ(0, perfmon_values(self->fd, p.id, &value));
	EXPECT_EQ(40 * QUADS, value);
	/* without it */
	self->job.arg.perfmonid = 0;
	ASSERT_EQ(0, submit(self->fd, &self->job));
	EXPECT_EQ(0, wait_seqno(self->fd, self->job.arg.seqno, ~0ULL));
	EXPECT_EQ(0, perfmon_values(self->fd, p.id, &value));
	EXPECT_EQ(40 * QUADS, value);
}

/* ---- jobs ---- */

TEST_F(vc4, draw)
{
	__u32 bo = self->handles[IMAGE];

	ASSERT_EQ(0, submit(self->fd, &self->job));
	EXPECT_NE(0, self->job.arg.seqno);
	EXPECT_EQ(0, wait_seqno(self->fd, self->job.arg.seqno, ~0ULL));
	EXPECT_EQ(0, wait_bo(self->fd, bo, 0, ~0ULL));
	EXPECT_EQ(NUM_RED, count(self->image, RED));
	EXPECT_EQ(SIZE * SIZE - NUM_RED, count(self->image, BACK));
	EXPECT_EQ(RED, self->image[0]);
}

/* Without a list tiles are cleared and stored. */
TEST_F(vc4, clear)
{
	self->job.arg.bin_cl_size = 0;
	self->job.arg.clear_color[0] = 0x01020304;
	self->job.arg.clear_color[1] = 0x01020304;
	ASSERT_EQ(0, submit(self->fd, &self->job));
	EXPECT_EQ(0, wait_seqno(self->fd, self->job.arg.seqno, ~0ULL));
	EXPECT_EQ(SIZE * SIZE, count(self->image, 0x01020304));
}

/* Tiles outside of the image: there is nothing to draw, but a job with a number. */
TEST_F(vc4, nothing)
{
	self->job.arg.bin_cl_size = 0;
	self->job.arg.min_x_tile = 1;
	self->job.arg.max_x_tile = 1;
	ASSERT_EQ(0, submit(self->fd, &self->job));
	EXPECT_EQ(0, wait_seqno(self->fd, self->job.arg.seqno, ~0ULL));
	EXPECT_EQ(SIZE * SIZE, count(self->image, 0));
}

/* More jobs than there are slots for tile lists. */
TEST_F(vc4, slots)
{
	__u64 last = 0;
	int i;

	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, submit(self->fd, &self->job));
		EXPECT_LT(last, self->job.arg.seqno);
		last = self->job.arg.seqno;
	}
	EXPECT_EQ(0, wait_seqno(self->fd, last, ~0ULL));
	EXPECT_EQ(NUM_RED, count(self->image, RED));
}

/* A fence of another driver keeps the job from its start. */
TEST_F(vc4, waits)
{
	struct drm_vc4_wait_seqno arg;
	struct vst_gate g;
	__u64 begin;
	__u32 in;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	self->job.arg.in_sync = in;
	ASSERT_EQ(0, submit(self->fd, &self->job));
	arg.seqno = self->job.arg.seqno;
	EXPECT_EQ(-ETIME, wait_seqno(self->fd, arg.seqno, 0));
	EXPECT_EQ(-ETIME, wait_bo(self->fd, self->handles[IMAGE], 0, 0));
	begin = now_ns();
	EXPECT_EQ(-ETIME, wait_seqno(self->fd, arg.seqno, 50000000));
	EXPECT_EQ(-ETIME, wait_bo(self->fd, self->handles[IMAGE], 0, 50000000));
	EXPECT_LE(80000000, now_ns() - begin);
	EXPECT_EQ(0, count(self->image, RED));
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, wait_seqno(self->fd, arg.seqno, 20000000000ULL));
	EXPECT_NE(0, count(self->image, RED));
	vst_gate_free(&g);
}

TEST_F(vc4, wait_arguments)
{
	EXPECT_EQ(0, wait_seqno(self->fd, 0, 0));
	/* of no job yet */
	EXPECT_EQ(-ETIME, wait_seqno(self->fd, ~0ULL, 0));
	EXPECT_EQ(-ETIME, wait_seqno(self->fd, ~0ULL, 1000000));
	EXPECT_EQ(-EINVAL, wait_bo(self->fd, NO_HANDLE, 0, 0));
	EXPECT_EQ(-EINVAL, wait_bo(self->fd, self->handles[IMAGE], 1, 0));
	EXPECT_EQ(0, wait_bo(self->fd, self->handles[IMAGE], 0, 0));
}

TEST_F(vc4, syncobjs)
{
	__u32 in, out;

	ASSERT_EQ(0, vst_syncobj(self->fd, &in));
	ASSERT_EQ(0, vst_syncobj(self->fd, &out));
	self->job.arg.in_sync = NO_HANDLE;
	EXPECT_EQ(-ENOENT, submit(self->fd, &self->job));
	/* without a fence */
	self->job.arg.in_sync = in;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	self->job.arg.in_sync = 0;
	self->job.arg.out_sync = NO_HANDLE;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	self->job.arg.out_sync = out;
	EXPECT_EQ(0, submit(self->fd, &self->job));
	EXPECT_EQ(0, vst_wait(self->fd, out, 20000));
	EXPECT_EQ(NUM_RED, count(self->image, RED));
	self->job.arg.in_sync = out;
	EXPECT_EQ(0, submit(self->fd, &self->job));
	EXPECT_EQ(0, vst_wait(self->fd, out, 20000));
}

/* ---- errors of SUBMIT_CL ---- */

TEST_F(vc4, submit_arguments)
{
	struct drm_vc4_submit_cl good = self->job.arg, *a = &self->job.arg;

	a->flags |= 1 << 4;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	*a = good;
	a->pad2 = 1;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	*a = good;
	a->bo_handle_count = 0;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	*a = good;
	a->bo_handles = BAD_PTR;
	EXPECT_EQ(-EFAULT, submit(self->fd, &self->job));
	*a = good;
	a->bin_cl = BAD_PTR;
	EXPECT_EQ(-EFAULT, submit(self->fd, &self->job));
	*a = good;
	a->shader_rec = BAD_PTR;
	EXPECT_EQ(-EFAULT, submit(self->fd, &self->job));
	*a = good;
	a->uniforms = BAD_PTR;
	EXPECT_EQ(-EFAULT, submit(self->fd, &self->job));
	/* the flags that say the order of tiles are known */
	*a = good;
	a->flags |= VC4_SUBMIT_CL_FIXED_RCL_ORDER | VC4_SUBMIT_CL_RCL_ORDER_INCREASING_X |
		    VC4_SUBMIT_CL_RCL_ORDER_INCREASING_Y;
	EXPECT_EQ(0, submit(self->fd, &self->job));
	self->job.handles[VERTICES] = NO_HANDLE;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
}

/* Bytes of the list and words of record and uniforms that make it invalid. */
TEST_F(vc4, invalid_lists)
{
	static const struct {
		__u32 at;
		__u8 value;
	} bytes[] = {
		{ LIST_TILES, 0 },		/* no tiles */
		{ LIST_TILES + 2, 0x80 },	/* double buffer */
		{ LIST_TILES + 2, 0x02 },	/* 64-bit colour */
		{ 16, 0x01 },			/* no start of binning */
		{ 17, 0xff },			/* unknown packet */
		{ 17, 0x1c },			/* a packet of render lists */
		{ sizeof(vc4_list) - 1, 0x01 },	/* no flush */
		{ sizeof(vc4_list) - 2, 0x01 },	/* no semaphore */
		{ sizeof(vc4_list) - 12 - 4, 0x10 },	/* address of a record */
		{ sizeof(vc4_list) - 12, 0x2b },	/* unknown packet */
	};
	static const struct {
		__u32 at;
		__u32 value;
	} words[] = {
		{ 0, NUM_BOS },		/* index of a buffer that is one too large */
		{ 0, VERTICES },	/* a program that is none */
		{ 3, FS },		/* an attribute in a program */
		{ 4, 4 },		/* a threaded program */
		{ 5, 8 },		/* code that does not begin at 0 */
		{ 13, PAGE },		/* an attribute past its buffer */
	};
	struct job good = self->job;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bytes); i++) {
		make_job(&self->job, self->handles);
		self->job.list[bytes[i].at] = bytes[i].value;
		EXPECT_EQ(-EINVAL, submit(self->fd, &self->job))
			TH_LOG("byte %u", bytes[i].at);
	}
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		make_job(&self->job, self->handles);
		self->job.records[words[i].at] = words[i].value;
		EXPECT_EQ(-EINVAL, submit(self->fd, &self->job))
			TH_LOG("word %u", words[i].at);
	}
	make_job(&self->job, self->handles);
	self->job.arg.uniforms_size -= 4;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	make_job(&self->job, self->handles);
	self->job.arg.shader_rec_size -= 4;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	make_job(&self->job, self->handles);
	self->job.arg.shader_rec_count = 0;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	make_job(&self->job, self->handles);
	self->job.arg.uniforms_size = ~0U;
	self->job.arg.uniforms = good.arg.uniforms;
	EXPECT_GT(0, submit(self->fd, &self->job));
	make_job(&self->job, self->handles);
	EXPECT_EQ(0, submit(self->fd, &self->job));
}

TEST_F(vc4, invalid_surfaces)
{
	struct drm_vc4_submit_cl good = self->job.arg, *a = &self->job.arg;
	const struct {
		__u16 bits;
		__u16 flags;
		__u32 hindex;
		__u32 offset;
		int ret;
	} reads[] = {
		{ 0x001, 0, IMAGE, 0, 0 },		/* 8888 in lines */
		{ 0x011, 0, IMAGE, 0, 0 },		/* T */
		{ 0x021, 0, IMAGE, 0, 0 },		/* LT */
		{ 0x201, 0, IMAGE, 8192, 0 },		/* 565 */
		{ 0x201, 0, IMAGE, 8192 + 16, -EINVAL },
		{ 0x001, 0, IMAGE, 16, -EINVAL },
		{ 0x031, 0, IMAGE, 0, -EINVAL },	/* layout */
		{ 0x301, 0, IMAGE, 0, -EINVAL },	/* format */
		{ 0x000, 0, IMAGE, 0, -EINVAL },	/* buffer */
		{ 0x003, 0, IMAGE, 0, -EINVAL },
		{ 0x102, 0, IMAGE, 0, -EINVAL },	/* format of depth */
		{ 0x009, 0, IMAGE, 0, -EINVAL },	/* unknown bit */
		{ 0x201, 0, IMAGE, 8, -EINVAL },	/* alignment */
		{ 0x001, 2, IMAGE, 0, -EINVAL },	/* unknown flag */
		{ 0x001, 1, IMAGE, 0, -EINVAL },	/* bits with all samples */
		{ 0x001, 0, FS, 0, -EINVAL },		/* a program */
		{ 0x001, 0, NUM_BOS, 0, -EINVAL },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(reads); i++) {
		*a = good;
		a->color_read.bits = reads[i].bits;
		a->color_read.flags = reads[i].flags;
		a->color_read.hindex = reads[i].hindex;
		a->color_read.offset = reads[i].offset;
		EXPECT_EQ(reads[i].ret, submit(self->fd, &self->job))
			TH_LOG("surface %u", i);
	}
	*a = good;
	a->color_write.bits = 0x2000;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	a->color_write.bits = 0x0c;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	a->color_write.bits = 0xc4;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	*a = good;
	a->color_write.flags = 1;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	*a = good;
	a->color_write.hindex = NONE;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	*a = good;
	a->width = 4097;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	*a = good;
	a->min_y_tile = 1;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	/* one tile more than are binned: the driver lets it pass, and it is outside of the image */
	*a = good;
	a->max_x_tile = 1;
	EXPECT_EQ(0, submit(self->fd, &self->job));
	a->min_x_tile = 1;
	EXPECT_EQ(0, submit(self->fd, &self->job));
	a->color_write.offset = 16;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	*a = good;
	a->max_x_tile = 2;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	/* inside of the image */
	*a = good;
	a->max_x_tile = 1;
	a->width = 2 * SIZE;
	a->height = SIZE / 2;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
	*a = good;
	a->msaa_zs_write.hindex = IMAGE;
	a->msaa_zs_write.bits = 1;
	EXPECT_EQ(-EINVAL, submit(self->fd, &self->job));
}

/* A fault of the engine: the render job does not draw, and later jobs do. */
TEST_F(vc4, fault)
{
	__u32 out;

	ASSERT_EQ(0, vst_syncobj(self->fd, &out));
	/* the coverage pipe, which is for another kind of graphics */
	self->job.list[LIST_CONFIG + 2] |= 1;
	self->job.arg.out_sync = out;
	ASSERT_EQ(0, submit(self->fd, &self->job));
	EXPECT_EQ(0, wait_seqno(self->fd, self->job.arg.seqno, ~0ULL));
	EXPECT_EQ(0, count(self->image, RED) + count(self->image, BACK));
	make_job(&self->job, self->handles);
	ASSERT_EQ(0, submit(self->fd, &self->job));
	EXPECT_EQ(0, wait_seqno(self->fd, self->job.arg.seqno, ~0ULL));
	EXPECT_EQ(NUM_RED, count(self->image, RED));
}

TEST_HARNESS_MAIN
