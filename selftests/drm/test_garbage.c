// SPDX-License-Identifier: GPL-2.0
/*
 * Random arguments for every ioctl, arbitrary and nearly valid ones. The kernel's checks
 * and the device's health afterwards show breakage. KSFT_SEED repeats a run, KSFT_ROUNDS
 * sets its length.
 */

#include "vshader_test.h"

FIXTURE(garbage) {
	struct vst t;
	__u64 state;
	unsigned int rounds;
	__u8 *pool;		/* memory for pointers to point at */
};

#define POOL	65536

FIXTURE_SETUP(garbage)
{
	unsigned int seed = vst_env("KSFT_SEED", 1);

	SETUP_OR_SKIP(return, &self->t, &vst_mov);
	TH_LOG("KSFT_SEED=%u", seed);
	self->state = seed * 0x9e3779b97f4a7c15ULL + 1;
	self->rounds = vst_env("KSFT_ROUNDS", 2000);
	self->pool = mmap(NULL, POOL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->pool);
}

FIXTURE_TEARDOWN(garbage)
{
	vst_teardown(&self->t);
	EXPECT_EQ(0, vst_alive());
}

static __u64 rnd(FIXTURE_DATA(garbage) *self)
{
	self->state ^= self->state << 13;
	self->state ^= self->state >> 7;
	self->state ^= self->state << 17;
	return self->state * 0x2545f4914f6cdd1dULL >> 16;
}

/* A number with a meaning in some interface. */
static __u64 number(FIXTURE_DATA(garbage) *self)
{
	switch (rnd(self) % 12) {
	case 0 ... 3:
		return rnd(self) % 4;
	case 4:
		return rnd(self) % 64;
	case 5:
		return 1ULL << rnd(self) % 24;
	case 6:
		return (rnd(self) % 16) * PAGE;
	case 7:
		return VA(rnd(self) % 4) + rnd(self) % 64 * 8;
	case 8:
		return PTR(self->pool) + rnd(self) % (POOL - 4096) / 8 * 8;
	case 9:
		return ~0ULL >> rnd(self) % 64;
	case 10:
		return -(rnd(self) % 16);
	default:
		return rnd(self);
	}
}

static void fill(FIXTURE_DATA(garbage) *self, void *buf, size_t size)
{
	size_t i;

	for (i = 0; i + 8 <= size; i += 8) {
		__u64 v;

		if (rnd(self) % 2)
			v = (__u32)number(self) | number(self) << 32;
		else
			v = number(self);
		memcpy((char *)buf + i, &v, 8);
	}
}

/* Memory that large objects would need is not there in small test machines. */
static void tame(unsigned int nr, void *arg)
{
	struct drm_vshader_bo_create *bo = arg;

	if (nr == DRM_VSHADER_BO_CREATE && bo->size > (1 << 20))
		bo->size |= 1ULL << 48;
}

static bool known_error(int ret)
{
	static const int known[] = {
		0, -EINVAL, -EFAULT, -ENOENT, -E2BIG, -ENOEXEC, -EBUSY, -EIO, -ENOSPC,
		-ENOMEM, -EACCES, -EPERM, -EOPNOTSUPP,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i] == ret)
			return true;
	return false;
}

static const unsigned int sizes[] = { 16, 16, 8, 24, 24, 16, 16, 80, 8, 16, 32, 8, 104, 88, 16 };

TEST_F_TIMEOUT(garbage, every_ioctl, 120)
{
	unsigned int i, good = 0;

	for (i = 0; i < self->rounds; i++) {
		unsigned int nr = rnd(self) % ARRAY_SIZE(sizes);
		__u64 arg[16] = { 0 };
		int ret;

		/* enough pool for one level of pointers to lead to more garbage */
		fill(self, self->pool + rnd(self) % (POOL - 1024) / 8 * 8, 512);
		fill(self, arg, sizes[nr]);
		tame(nr, arg);
		ret = vst_ioctl(self->t.fd, _IOC(_IOC_READ | _IOC_WRITE, 'd',
						 DRM_COMMAND_BASE + nr, sizes[nr]), arg);
		good += !ret;
		EXPECT_TRUE(known_error(ret))
			TH_LOG("round %u ioctl %u: %d", i, nr, ret);
	}
	TH_LOG("%u of %u calls succeeded", good, self->rounds);
}

/* Sizes in the ioctl number that differ from the structures'. */
TEST_F(garbage, any_argument_size)
{
	unsigned int i;

	for (i = 0; i < self->rounds / 2; i++) {
		unsigned int nr = rnd(self) % 0x60;
		unsigned int size = rnd(self) % 300;
		__u64 arg[64];
		int ret;

		fill(self, arg, sizeof(arg));
		tame(nr, arg);
		ret = vst_ioctl(self->t.fd, _IOC(rnd(self) % 4, 'd', DRM_COMMAND_BASE + nr, size),
				arg);
		EXPECT_TRUE(known_error(ret) || ret == -ENOTTY)
			TH_LOG("round %u ioctl %u size %u: %d", i, nr, size, ret);
	}
}

/* A good submit with a few words changed. */
TEST_F_TIMEOUT(garbage, nearly_good_submits, 120)
{
	unsigned int i, good = 0;
	struct vst_job j;

	for (i = 0; i < self->rounds; i++) {
		struct drm_vshader_submit arg = { .jobs = DRM_VSHADER_OBJ_ARRAY(1, &j.job) };
		__u32 *w;
		int k, ret;

		vst_default_job(&self->t, &j);
		for (k = rnd(self) % 3; k >= 0; k--) {
			w = (__u32 *)&j + rnd(self) % (offsetof(struct vst_job, unif) / 4);
			*w = number(self);
		}
		/* a job over many invocations takes its time in an emulated machine */
		if (j.pica.vertices.count > 4096 || j.pica.vertices.instances > 4)
			j.pica.vertices.count = NEVER;
		ret = vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_SUBMIT, &arg);
		good += !ret;
		EXPECT_TRUE(known_error(ret))
			TH_LOG("round %u: %d", i, ret);
		if (ret == -EIO || ret == -EBUSY) {
			vst_queue_destroy(self->t.fd, self->t.queue);
			ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, 0, &self->t.queue));
		}
	}
	EXPECT_LT(0, good);
	TH_LOG("%u of %u were accepted", good, self->rounds);
}

/* Random words as programs; accepted programs also run. */
TEST_F_TIMEOUT(garbage, programs, 120)
{
	static const __u8 op[] = {
		0x00, 0x01, 0x02, 0x03, 0x08, 0x09, 0x0c, 0x0e, 0x12, 0x13, 0x20, 0x21, 0x22,
		0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2c, 0x2d, 0x2e, 0x30, 0x38,
	};
	struct drm_vshader_program_section sec[2];
	struct drm_vshader_program_create arg;
	unsigned int i, k, good = 0, ran = 0;
	__u32 code[24], desc[128];
	const struct vst_code c = { 0, code, ARRAY_SIZE(code), desc, ARRAY_SIZE(desc) };
	struct vst_job j;

	for (i = 0; i < self->rounds / 4; i++) {
		for (k = 0; k < ARRAY_SIZE(code); k++) {
			code[k] = rnd(self) & 0x03ffffff;
			code[k] |= (__u32)op[rnd(self) % ARRAY_SIZE(op)] << 26;
			/* targets near by */
			if (code[k] >> 26 >= 0x23 && code[k] >> 26 <= 0x2d)
				code[k] = (code[k] & ~0x3fffffu) |
					  (rnd(self) % ARRAY_SIZE(code)) << 10 | rnd(self) % 4;
		}
		code[ARRAY_SIZE(code) - 1] = P0(PICA_END);
		for (k = 0; k < ARRAY_SIZE(desc); k++)
			desc[k] = rnd(self);
		vst_program_args(&c, &arg, sec);
		if (vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &arg))
			continue;
		good++;
		vst_default_job(&self->t, &j);
		j.shader.program = arg.id;
		ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, 20000, 0, &j.job.queue_id));
		ran += vst_run(self->t.fd, &j) == 0;
		vst_queue_destroy(self->t.fd, j.job.queue_id);
		vst_program_destroy(self->t.fd, arg.id);
	}
	TH_LOG("%u accepted, %u ran to their end", good, ran);
	EXPECT_LT(0, good);
}

TEST_HARNESS_MAIN
