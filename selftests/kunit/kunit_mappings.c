// SPDX-License-Identifier: GPL-2.0
/*
 * Algebra of address space mappings: chosen cases, and random ones against a model that
 * keeps an entry per page.
 */
#include <kunit/test.h>

#include "engine/vs_mappings.h"

#define CAP	64
#define PAGES	128

struct fixture {
	struct vs_mappings x;
	struct vs_mapping e[CAP];
};

static int a, b;	/* objects */

static int mappings_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	f->x.e = f->e;
	f->x.cap = CAP;
	test->priv = f;
	return 0;
}

static int do_map(struct vs_mappings *x, u64 va, u64 size, void *obj, u64 off)
{
	struct vs_mapping e = { .va = va, .size = size, .obj = obj, .off = off };

	return vs_mappings_map(x, &e);
}

static void expect(struct kunit *test, const struct vs_mappings *x, u32 i, u64 va, u64 size,
		   void *obj, u64 off)
{
	KUNIT_ASSERT_LT(test, i, x->n);
	KUNIT_EXPECT_EQ(test, x->e[i].va, va);
	KUNIT_EXPECT_EQ(test, x->e[i].size, size);
	KUNIT_EXPECT_PTR_EQ(test, x->e[i].obj, obj);
	KUNIT_EXPECT_EQ(test, x->e[i].off, off);
}

static void mappings_empty(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, vs_mappings_search(&f->x, 0), 0U);
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

static void mappings_search(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x1000, 0x1000, &a, 0), 0);
	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x4000, 0x2000, &b, 0), 0);
	KUNIT_EXPECT_EQ(test, vs_mappings_search(&f->x, 0), 0U);
	KUNIT_EXPECT_EQ(test, vs_mappings_search(&f->x, 0x1fff), 0U);
	KUNIT_EXPECT_EQ(test, vs_mappings_search(&f->x, 0x2000), 1U);
	KUNIT_EXPECT_EQ(test, vs_mappings_search(&f->x, 0x5fff), 1U);
	KUNIT_EXPECT_EQ(test, vs_mappings_search(&f->x, 0x6000), 2U);
	KUNIT_EXPECT_EQ(test, vs_mappings_search(&f->x, ~0ULL), 2U);
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

static void mappings_no_room(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct vs_mapping before[3];

	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x10000, 0x8000, &a, 0), 0);
	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x20000, 0x8000, &a, 0), 0);
	memcpy(before, f->e, sizeof(before));
	f->x.cap = 2;
	KUNIT_EXPECT_EQ(test, vs_mappings_unmap(&f->x, 0x12000, 0x1000), -ENOSPC);
	KUNIT_EXPECT_EQ(test, do_map(&f->x, 0x12000, 0x1000, &b, 0), -ENOSPC);
	KUNIT_EXPECT_EQ(test, do_map(&f->x, 0x40000, 0x1000, &b, 0), -ENOSPC);
	KUNIT_EXPECT_EQ(test, f->x.n, 2U);
	KUNIT_EXPECT_EQ(test, memcmp(before, f->e, 2 * sizeof(before[0])), 0);
	/* what needs no more room than there is works */
	KUNIT_EXPECT_EQ(test, vs_mappings_unmap(&f->x, 0x10000, 0x1000), 0);
	KUNIT_EXPECT_EQ(test, do_map(&f->x, 0x20000, 0x8000, &b, 0), 0);
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

static void mappings_validity(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x2000, 0x1000, &a, 0), 0);
	KUNIT_ASSERT_EQ(test, do_map(&f->x, 0x3000, 0x1000, &a, 0), 0);
	KUNIT_EXPECT_TRUE(test, vs_mappings_valid(&f->x));
	f->e[0].size = 0x1001;
	KUNIT_EXPECT_FALSE(test, vs_mappings_valid(&f->x));
	f->e[0].size = 0;
	KUNIT_EXPECT_FALSE(test, vs_mappings_valid(&f->x));
	f->e[0].size = ~0ULL;
	KUNIT_EXPECT_FALSE(test, vs_mappings_valid(&f->x));
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
		u32 i = vs_mappings_search(x, va);
		const struct vs_mapping *e = i < x->n && x->e[i].va <= va ? &x->e[i] : NULL;

		if (!e)
			wrong += !!model[page].obj;
		else
			wrong += e->obj != model[page].obj ||
				 e->off + (va - e->va) != model[page].off;
	}
	KUNIT_EXPECT_EQ(test, wrong, 0U);
}

static void mappings_random(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct page_model *model = kunit_kzalloc(test, PAGES * sizeof(*model), GFP_KERNEL);
	u32 seed = 12345, round, full = 0;

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
		if (ret) {
			KUNIT_ASSERT_EQ(test, ret, -ENOSPC);
			full++;
			continue;
		}
		for (i = 0; i < n; i++) {
			model[page + i].obj = unmap ? NULL : obj;
			model[page + i].off = off + ((u64)i << 12);
		}
		if (round % 16 == 0)
			compare(test, &f->x, model);
	}
	compare(test, &f->x, model);
	/* there is room for this few */
	KUNIT_EXPECT_LT(test, full, 3000U);
}

static struct kunit_case mappings_cases[] = {
	KUNIT_CASE(mappings_empty),
	KUNIT_CASE(mappings_bad_ranges),
	KUNIT_CASE(mappings_search),
	KUNIT_CASE(mappings_split),
	KUNIT_CASE(mappings_replace),
	KUNIT_CASE(mappings_no_room),
	KUNIT_CASE(mappings_gap),
	KUNIT_CASE(mappings_validity),
	KUNIT_CASE(mappings_random),
	{ }
};

static struct kunit_suite mappings_suite = {
	.name = "vs_mappings",
	.init = mappings_init,
	.test_cases = mappings_cases,
};

kunit_test_suite(mappings_suite);
