// SPDX-License-Identifier: GPL-2.0
/*
 * DRM_IOCTL_VSHADER_DEV_QUERY.
 */
#include "vshader_drm_debug.h"
#include "vshader_test.h"

FIXTURE(query) {
	int fd;
};

FIXTURE_SETUP(query)
{
	OPEN_OR_SKIP(return, self->fd);
}

FIXTURE_TEARDOWN(query)
{
	close(self->fd);
}

static int do_query(int fd, __u32 type, void *out, __u32 *size)
{
	struct drm_vshader_dev_query q = { .type = type, .size = *size, .pointer = PTR(out) };
	int ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_DEV_QUERY, &q);

	*size = q.size;
	return ret;
}

static unsigned int engines(int fd)
{
	struct drm_vshader_dev_info info;

	return vst_dev_info(fd, &info) ? 0 : __builtin_popcountll(info.engine_mask);
}

/* The number of debug banks equals the engine's kinds of registers. */
static __u32 size_of_banks(int fd)
{
	struct drm_vshader_debug_bank banks[128];
	__u32 size = sizeof(banks);

	if (do_query(fd, DRM_VSHADER_DEV_QUERY_DEBUG_BANKS, banks, &size) ||
	    size < sizeof(banks[0]) || size > sizeof(banks) || size % sizeof(banks[0]))
		return 0;
	return size;
}

static __u32 want_size(int fd, __u32 type)
{
	switch (type) {
	case DRM_VSHADER_DEV_QUERY_DEV_INFO:
		return sizeof(struct drm_vshader_dev_info);
	case DRM_VSHADER_DEV_QUERY_LIMITS:
		return sizeof(struct drm_vshader_limits);
	case DRM_VSHADER_DEV_QUERY_ENGINE_INFO:
		return engines(fd) * sizeof(struct drm_vshader_engine_info);
	case DRM_VSHADER_DEV_QUERY_DEBUG_BANKS:
		return size_of_banks(fd);
	default:
		return engines(fd) * sizeof(struct drm_vshader_numeric_info);
	}
}

TEST_F(query, null_pointer_gives_size)
{
	__u32 type;

	for (type = 0; type <= DRM_VSHADER_DEV_QUERY_DEBUG_BANKS; type++) {
		__u32 size = 0;

		EXPECT_EQ(0, do_query(self->fd, type, NULL, &size));
		EXPECT_EQ(want_size(self->fd, type), size);
		/* independent of the given size */
		size = 7;
		EXPECT_EQ(0, do_query(self->fd, type, NULL, &size));
		EXPECT_EQ(want_size(self->fd, type), size);
	}
}

TEST_F(query, short_buffer_gets_the_beginning)
{
	__u8 full[4096], part[4096];
	__u32 type;

	for (type = 0; type <= DRM_VSHADER_DEV_QUERY_DEBUG_BANKS; type++) {
		__u32 size = sizeof(full), all;

		ASSERT_EQ(0, do_query(self->fd, type, full, &size));
		all = size;
		memset(part, 0xa5, sizeof(part));
		size = 12;
		EXPECT_EQ(0, do_query(self->fd, type, part, &size));
		EXPECT_EQ(all, size);
		EXPECT_EQ(0, memcmp(full, part, 12));
		EXPECT_EQ(0xa5, part[12]);
	}
}

TEST_F(query, long_buffer_is_cleared)
{
	__u8 buf[4096];
	__u32 type, i;

	for (type = 0; type <= DRM_VSHADER_DEV_QUERY_DEBUG_BANKS; type++) {
		__u32 size = sizeof(buf) - 8;
		unsigned int dirty = 0;

		memset(buf, 0xa5, sizeof(buf));
		EXPECT_EQ(0, do_query(self->fd, type, buf, &size));
		ASSERT_GE(sizeof(buf) - 8, size);
		for (i = size; i < sizeof(buf) - 8; i++)
			dirty += buf[i] != 0;
		EXPECT_EQ(0, dirty);
		EXPECT_EQ(0xa5, buf[sizeof(buf) - 8]);
	}
}

TEST_F(query, bad_type)
{
	__u32 size = 0;

	EXPECT_EQ(-EINVAL, do_query(self->fd, 5, NULL, &size));
	EXPECT_EQ(-EINVAL, do_query(self->fd, NEVER, NULL, &size));
}

TEST_F(query, bad_pointer)
{
	__u32 type;

	for (type = 0; type <= DRM_VSHADER_DEV_QUERY_DEBUG_BANKS; type++) {
		__u32 size = 64;

		EXPECT_EQ(-EFAULT, do_query(self->fd, type, (void *)BAD_PTR, &size));
	}
}

TEST_F(query, dev_info)
{
	struct drm_vshader_dev_info info;

	memset(&info, 0xa5, sizeof(info));
	ASSERT_EQ(0, vst_dev_info(self->fd, &info));
	EXPECT_NE(0, info.engine_mask & (1 << DRM_VSHADER_ENGINE_PICA));
	EXPECT_EQ(0, info.engine_mask >> 6);
	EXPECT_LT(0, info.min_va);
	EXPECT_EQ(1ULL << 32, info.max_va_32);
	EXPECT_EQ(1ULL << 48, info.max_va_48);
	EXPECT_LE(4096, info.page_size);
	EXPECT_EQ(0, info.page_size & (info.page_size - 1));
	EXPECT_EQ(0, info.min_va % info.page_size);
	EXPECT_LE(1, info.num_workers);
	EXPECT_NE(0, info.simd_mask & (1u << info.simd));
	EXPECT_NE(0, info.simd_mask & (1u << DRM_VSHADER_SIMD_PORTABLE));
	EXPECT_EQ(64, info.block_size);
	EXPECT_EQ(0, info.pad);
}

TEST_F(query, limits)
{
	struct drm_vshader_limits l;

	memset(&l, 0xa5, sizeof(l));
	ASSERT_EQ(0, vst_limits(self->fd, &l));
	EXPECT_LE(1 << 20, l.max_bo_size);
	EXPECT_LT(0, l.max_budget);
	EXPECT_LE(1 << 20, l.max_job_memory);
	/* a PICA program has at most 4096 words */
	EXPECT_LE(4 * 4096, l.max_code_size);
	EXPECT_LE(1, l.max_entries);
	EXPECT_LE(2, l.max_jobs);
	EXPECT_LE(2, l.max_syncs);
	EXPECT_LE(16, l.max_streams);
	EXPECT_LE(2, l.max_bind_ops);
	EXPECT_LE(16, l.max_mappings);
	EXPECT_LE(8, l.max_objects);
	EXPECT_LT(0, l.default_time_ms);
	EXPECT_LE(l.default_time_ms, l.max_time_ms);
	/* a longer limit would violate the rules for dma-fences */
	EXPECT_GE(10000, l.max_time_ms);
	EXPECT_LE(1000000, l.max_invocations);
	EXPECT_LE(16, l.max_label);
	EXPECT_LE(1, l.max_native_draws);
	EXPECT_LE(4096, l.max_native_size);
	EXPECT_LE(2, l.max_queued_jobs);
	EXPECT_EQ(0, l.pad);
}

TEST_F(query, engine_info)
{
	struct drm_vshader_engine_info e[64];
	struct drm_vshader_limits limits;
	struct drm_vshader_dev_info info;
	__u32 size = sizeof(e), i;
	__u64 seen = 0;

	ASSERT_EQ(0, vst_dev_info(self->fd, &info));
	ASSERT_EQ(0, vst_limits(self->fd, &limits));
	ASSERT_EQ(0, do_query(self->fd, DRM_VSHADER_DEV_QUERY_ENGINE_INFO, e, &size));
	for (i = 0; i < size / sizeof(e[0]); i++) {
		EXPECT_EQ(0, seen & (1ULL << e[i].engine));
		seen |= 1ULL << e[i].engine;
		EXPECT_TRUE(e[i].va_bits == 32 || e[i].va_bits == 48);
		EXPECT_NE(0, e[i].caps);
		EXPECT_NE(0, e[i].stage_mask);
		EXPECT_GE(limits.max_code_size, (__u64)e[i].max_code_words * e[i].word_bytes);
		EXPECT_NE(0, e[i].name[0]);
		EXPECT_NE(NULL, memchr(e[i].name, 0, sizeof(e[i].name)));
		if (e[i].engine == DRM_VSHADER_ENGINE_BIFROST) {
			EXPECT_STREQ("bifrost", e[i].name);
			EXPECT_EQ(DRM_VSHADER_CAP_SHADER_JOBS | DRM_VSHADER_CAP_NATIVE_JOBS,
				  e[i].caps);
			EXPECT_EQ(0xd, e[i].stage_mask);
			EXPECT_EQ(48, e[i].va_bits);
			EXPECT_EQ(16, e[i].word_bytes);
		}
		if (e[i].engine != DRM_VSHADER_ENGINE_PICA)
			continue;
		EXPECT_STREQ("pica", e[i].name);
		EXPECT_EQ(DRM_VSHADER_CAP_SHADER_JOBS | DRM_VSHADER_CAP_NATIVE_JOBS, e[i].caps);
		EXPECT_EQ(3, e[i].stage_mask);
		EXPECT_EQ(32, e[i].va_bits);
		EXPECT_EQ(4096, e[i].max_code_words);
		EXPECT_EQ(4, e[i].word_bytes);
	}
	EXPECT_EQ(info.engine_mask, seen);
}

TEST_F(query, numeric_info)
{
	struct drm_vshader_numeric_info n[64];
	__u32 size = sizeof(n), i, pica = 0;

	ASSERT_EQ(0, do_query(self->fd, DRM_VSHADER_DEV_QUERY_NUMERIC_INFO, n, &size));
	for (i = 0; i < size / sizeof(n[0]); i++) {
		EXPECT_NE(0, n[i].model_mask & (1u << n[i].default_model));
		EXPECT_EQ(0, n[i].pad);
		if (n[i].engine == DRM_VSHADER_ENGINE_BIFROST)
			EXPECT_EQ(DRM_VSHADER_MALI_FUSED_FMA, n[i].switches);
		if (n[i].engine != DRM_VSHADER_ENGINE_PICA)
			continue;
		pica++;
		EXPECT_EQ(3, n[i].model_mask);
		EXPECT_EQ(DRM_VSHADER_PICA_F24, n[i].default_model);
		EXPECT_EQ(DRM_VSHADER_PICA_ROUND_NEAREST | DRM_VSHADER_PICA_OOR_READS_ZERO |
			  DRM_VSHADER_PICA_LOOP_RESTORES_AL | DRM_VSHADER_PICA_STRICT |
			  DRM_VSHADER_PICA_FACTORS_OF_MIN_MAX |
			  DRM_VSHADER_PICA_REFLECTIONS_SWAPPED |
			  DRM_VSHADER_PICA_QUATERNIONS_AS_GIVEN |
			  DRM_VSHADER_PICA_FACTOR_UNBOUNDED |
			  DRM_VSHADER_PICA_SHADOW_ALPHA_OF_BOTH |
			  DRM_VSHADER_PICA_TEXELS_TO_ZERO |
			  DRM_VSHADER_PICA_CLAMP_OF_BOTH,
			  n[i].switches);
	}
	EXPECT_EQ(1, pica);
}

/* Register numbers continue from bank to bank of an engine, and are unique. */
TEST_F(query, debug_banks)
{
	struct drm_vshader_debug_bank b[128];
	__u32 size = sizeof(b), i, k;

	ASSERT_EQ(0, do_query(self->fd, DRM_VSHADER_DEV_QUERY_DEBUG_BANKS, b, &size));
	ASSERT_GE(sizeof(b), size);
	for (i = 0; i < size / sizeof(b[0]); i++) {
		EXPECT_LT(0, b[i].count);
		EXPECT_LT(0, b[i].components);
		EXPECT_GE(16, b[i].components);
		EXPECT_LT(0, b[i].bits);
		EXPECT_GE(32, b[i].bits);
		EXPECT_LT(0, strnlen(b[i].name, sizeof(b[i].name)));
		EXPECT_GT(sizeof(b[i].name), strnlen(b[i].name, sizeof(b[i].name)));
		for (k = 0; k < i; k++)
			EXPECT_TRUE(b[k].engine != b[i].engine ||
				    b[k].first + b[k].count <= b[i].first);
	}
}

TEST_HARNESS_MAIN
