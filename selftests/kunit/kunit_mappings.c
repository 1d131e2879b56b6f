// SPDX-License-Identifier: GPL-2.0
/*
 * Address space mappings: chosen cases, and random ones against a model that keeps an entry per
 * page; selftests/engine/test_mappings.c has more of the latter.
 */
#include <kunit/test.h>

#include "engine/vs_mappings.h"

#define PAGES	1024

struct fixture {
	struct vs_mappings x;
};

static int a, b;	/* objects */

static int mappings_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	test->priv = f;
	return 0;
}

static void mappings_exit(struct kunit *test)
{
	struct fixture *f = test->priv;

	if (f)
		vs_mappings_fini(&f->x);
}

static int do_map(struct vs_mappings *x, u64 va, u64 size, void *obj, u64 off)
{
	struct vs_mapping e = { .x.lo = va, .x.hi = va + size, .obj = obj, .off = off };

	return vs_mappings_map(x, &e);
}

static void expect(struct kunit *test, const struct vs_mappings *x, u32 i, u64 va, u64 size,
		   void *obj, u64 off)
{
	const struct vs_mapping *m = vs_mappings_next(x, 0);

	while (m && i--)
		m = vs_mappings_next(x, m->x.hi);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, m);
	KUNIT_EXPECT_EQ(test, m->x.lo, va);
	KUNIT_EXPECT_EQ(test, m->x.hi - m->x.lo, size);
	KUNIT_EXPECT_PTR_EQ(test, m->obj, obj);
	KUNIT_EXPECT_EQ(test, m->off, off);
}

static void mappings_empty(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_NULL(test, vs_mappings_next(&f->x, 0));
	KUNIT_EXPECT_EQ(test, vs_mappings_unmap(&f->x, 0x1000, 0x1000), 0);
	KUNIT_EXPECT_EQ(test, f->x.n, 0U);
	KUNIT_EXPECT_TRUE(test, vs_mappings_valid(&f->x));
}

static void mappings_bad_ranges(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, do_map(&f->x, 0x1000, 0, &a, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, do_map(&f->x, ~0ULL - 4095, 0x2000, &a, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, vs_mappings_unmap(&f->x, 0x1000, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, vs_mappings_unmap(&f->x, 0x1000, ~0ULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, f->x.n, 0U);
}

/* 0: none */
static u64 next_lo(const struct vs_mappings *x, u64 va)
{
	const struct vs_mapping *m = vs_mappings_next(x, va);

	return m ? m->x.lo : 0;
}

static void mappings_search(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x1000, 0x1000, &a, 0), 0);
	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x4000, 0x2000, &b, 0), 0);
	KUNIT_EXPECT_EQ(test, next_lo(&f->x, 0), 0x1000ULL);
	KUNIT_EXPECT_EQ(test, next_lo(&f->x, 0x1fff), 0x1000ULL);
	KUNIT_EXPECT_EQ(test, next_lo(&f->x, 0x2000), 0x4000ULL);
	KUNIT_EXPECT_EQ(test, next_lo(&f->x, 0x5fff), 0x4000ULL);
	KUNIT_EXPECT_EQ(test, next_lo(&f->x, 0x6000), 0ULL);
	KUNIT_EXPECT_EQ(test, next_lo(&f->x, ~0ULL), 0ULL);
	KUNIT_EXPECT_NULL(test, vs_mappings_find(&f->x, 0x2000));
	KUNIT_EXPECT_TRUE(test, vs_mappings_covered(&f->x, 0x4800, 0x1800, 0));
	KUNIT_EXPECT_FALSE(test, vs_mappings_covered(&f->x, 0x1800, 0x4000, 0));
}

static void mappings_split(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x10000, 0x8000, &a, 0x1000), 0);
	KUNIT_ASSERT_EQ(test, vs_mappings_unmap(&f->x, 0x13000, 0x2000), 0);
	KUNIT_ASSERT_EQ(test, f->x.n, 2U);
	expect(test, &f->x, 0, 0x10000, 0x3000, &a, 0x1000);
	expect(test, &f->x, 1, 0x15000, 0x3000, &a, 0x6000);
	/* from the middle of one to the middle of the other */
	KUNIT_ASSERT_EQ(test, vs_mappings_unmap(&f->x, 0x12000, 0x4000), 0);
	expect(test, &f->x, 0, 0x10000, 0x2000, &a, 0x1000);
	expect(test, &f->x, 1, 0x16000, 0x2000, &a, 0x7000);
	KUNIT_ASSERT_EQ(test, vs_mappings_unmap(&f->x, 0, 1ULL << 40), 0);
	KUNIT_EXPECT_EQ(test, f->x.n, 0U);
}

static void mappings_replace(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x10000, 0x8000, &a, 0), 0);
	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x12000, 0x1000, &b, 0x5000), 0);
	KUNIT_ASSERT_EQ(test, f->x.n, 3U);
	expect(test, &f->x, 0, 0x10000, 0x2000, &a, 0);
	expect(test, &f->x, 1, 0x12000, 0x1000, &b, 0x5000);
	expect(test, &f->x, 2, 0x13000, 0x5000, &a, 0x3000);
	/* exactly, and more than everything */
	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x12000, 0x1000, &a, 0x2000), 0);
	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x8000, 0x20000, &b, 0), 0);
	KUNIT_ASSERT_EQ(test, f->x.n, 1U);
	expect(test, &f->x, 0, 0x8000, 0x20000, &b, 0);
}

/* A copy stays as it was. */
static void mappings_copies(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct vs_mappings old;
	u32 i;

	for (i = 0; i < PAGES; i++)
		KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x2000ULL * i, 0x1000, &a, i), 0);
	vs_mappings_copy(&old, &f->x);
	for (i = 0; i < PAGES; i += 2)
		KUNIT_ASSERT_EQ(test, vs_mappings_unmap(&f->x, 0x2000ULL * i, 0x1000), 0);
	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x2000, 0x2000, &b, 0), 0);
	KUNIT_EXPECT_EQ(test, old.n, (u32)PAGES);
	KUNIT_EXPECT_EQ(test, f->x.n, (u32)PAGES / 2);
	KUNIT_EXPECT_TRUE(test, vs_mappings_valid(&f->x));
	KUNIT_EXPECT_TRUE(test, vs_mappings_valid(&old));
	for (i = 0; i < PAGES; i++) {
		const struct vs_mapping *m = vs_mappings_find(&old, 0x2000ULL * i);

		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, m);
		KUNIT_EXPECT_EQ(test, m->off, (u64)i);
	}
	vs_mappings_fini(&old);
	KUNIT_EXPECT_EQ(test, old.n, 0U);
}

static void mappings_gap(struct kunit *test)
{
	struct fixture *f = test->priv;
	u64 va;

	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x2000, 0x1000, &a, 0), 0);
	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x5000, 0x1000, &a, 0), 0);
	KUNIT_EXPECT_EQ(test, vs_mappings_gap(&f->x, 0x1000, 0x10000, 0x1000, 1, &va), 0);
	KUNIT_EXPECT_EQ(test, va, 0x1000ULL);
	KUNIT_EXPECT_EQ(test, vs_mappings_gap(&f->x, 0x1000, 0x10000, 0x2000, 1, &va), 0);
	KUNIT_EXPECT_EQ(test, va, 0x3000ULL);
	KUNIT_EXPECT_EQ(test, vs_mappings_gap(&f->x, 0x1000, 0x10000, 0x3000, 1, &va), 0);
	KUNIT_EXPECT_EQ(test, va, 0x6000ULL);
	KUNIT_EXPECT_EQ(test, vs_mappings_gap(&f->x, 0x2800, 0x10000, 0x1000, 1, &va), 0);
	KUNIT_EXPECT_EQ(test, va, 0x3000ULL);
	KUNIT_EXPECT_EQ(test, vs_mappings_gap(&f->x, 0x6000, 0x10000, 0xa000, 1, &va), 0);
	KUNIT_EXPECT_EQ(test, va, 0x6000ULL);
	KUNIT_EXPECT_EQ(test, vs_mappings_gap(&f->x, 0x6000, 0x10000, 0xb000, 1, &va), -ENOSPC);
	KUNIT_EXPECT_EQ(test, vs_mappings_gap(&f->x, 0, 1ULL << 48, ~0ULL, 1, &va), -ENOSPC);
	KUNIT_EXPECT_EQ(test, vs_mappings_gap(&f->x, 0x1000, 0x20000, 0x1000, 0x4000, &va), 0);
	KUNIT_EXPECT_EQ(test, va, 0x4000ULL);
	KUNIT_EXPECT_EQ(test, vs_mappings_gap(&f->x, 0x9000, 0x9000, 0x1000, 1, &va), -ENOSPC);
}

struct page_model {
	void *obj;
	u64 off;
};

static u32 next(u32 *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void compare(struct kunit *test, const struct vs_mappings *x,
		    const struct page_model *model)
{
	u32 page, wrong = 0;

	KUNIT_EXPECT_TRUE(test, vs_mappings_valid(x));
	for (page = 0; page < PAGES; page++) {
		u64 va = (u64)page << 12;
		const struct vs_mapping *e = vs_mappings_find(x, va);

		if (!e)
			wrong += !!model[page].obj;
		else
			wrong += e->obj != model[page].obj ||
				 e->off + (va - e->x.lo) != model[page].off;
	}
	KUNIT_EXPECT_EQ(test, wrong, 0U);
}

static void mappings_random(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct page_model *model = kunit_kzalloc(test, PAGES * sizeof(*model), GFP_KERNEL);
	u32 seed = 12345, round;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, model);
	for (round = 0; round < 3000; round++) {
		u32 page = next(&seed) % PAGES;
		u32 n = 1 + next(&seed) % (PAGES - page);
		u64 off = (u64)(next(&seed) % 1000) << 12;
		void *obj = next(&seed) % 2 ? &a : &b;
		bool unmap = next(&seed) % 3 == 0;
		u32 i;
		int ret;

		if (n > 12)
			n = 1 + n % 12;
		ret = unmap ? vs_mappings_unmap(&f->x, (u64)page << 12, (u64)n << 12) :
			      do_map(&f->x, (u64)page << 12, (u64)n << 12, obj, off);
		KUNIT_ASSERT_EQ(test, ret, 0);
		for (i = 0; i < n; i++) {
			model[page + i].obj = unmap ? NULL : obj;
			model[page + i].off = off + ((u64)i << 12);
		}
		if (round % 16 == 0)
			compare(test, &f->x, model);
	}
	compare(test, &f->x, model);
}

static struct kunit_case mappings_cases[] = {
	KUNIT_CASE(mappings_empty),
	KUNIT_CASE(mappings_bad_ranges),
	KUNIT_CASE(mappings_search),
	KUNIT_CASE(mappings_split),
	KUNIT_CASE(mappings_replace),
	KUNIT_CASE(mappings_copies),
	KUNIT_CASE(mappings_gap),
	KUNIT_CASE(mappings_random),
	{ }
};

static struct kunit_suite mappings_suite = {
	.name = "vs_mappings",
	.init = mappings_init,
	.exit = mappings_exit,
	.test_cases = mappings_cases,
};

kunit_test_suite(mappings_suite);
