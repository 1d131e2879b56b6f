// SPDX-License-Identifier: GPL-2.0
/*
 * Address space mappings: random changes, searches and gaps against a model that has an entry for
 * each page; copies that stay as they are; failing allocations; references of objects; sizes.
 */
#include "eng.h"
#include "engine/vs_mappings.h"

#define PAGES		2048
#define OBJS		7
#define COPIES		6
#define PAGE		4096ULL

/* Objects; @uses: by leaves. */
static struct obj {
	long uses;
} objs[OBJS];

/**
 * struct heap - Owner whose allocations can fail.
 * @base: owner
 * @nodes: nodes allocated
 * @fail: number of allocations until one fails, 0: none does
 */
static struct heap {
	struct vs_mappings_owner base;
	long nodes;
	unsigned long made;
	unsigned int fail;
} heap;

struct page {
	struct obj *obj;
	u64 off;
	u32 flags;
};

/* A tree and what is in it. */
struct pair {
	struct vs_mappings x;
	struct page page[PAGES];
};

static struct pair now, copies[COPIES];
static u8 memory[OBJS];

static int heap_alloc(struct vs_mappings_owner *o, void **node)
{
	struct heap *h = container_of(o, struct heap, base);

	if (h->fail && !--h->fail)
		return -EDQUOT;
	*node = malloc(VS_MAPPINGS_NODE);
	memset(*node, 0xa5, VS_MAPPINGS_NODE);
	h->nodes++;
	h->made++;
	return 0;
}

static void heap_free(struct vs_mappings_owner *o, void *node)
{
	container_of(o, struct heap, base)->nodes--;
	free(node);
}

static void heap_get(void *obj)
{
	((struct obj *)obj)->uses++;
}

static void heap_put(void *obj)
{
	((struct obj *)obj)->uses--;
}

static const struct vs_mappings_ops heap_ops = {
	.alloc = heap_alloc, .free = heap_free, .get = heap_get, .put = heap_put,
};

static void pair_copy(struct pair *to, const struct pair *from)
{
	vs_mappings_fini(&to->x);
	vs_mappings_copy(&to->x, &from->x);
	memcpy(to->page, from->page, sizeof(to->page));
}

static u32 wrong_pages(const struct pair *p)
{
	const struct vs_mapping *m;
	u32 i, bad = 0;

	for (i = 0; i < PAGES; i++) {
		const struct page *e = &p->page[i];

		m = vs_mappings_find(&p->x, i * PAGE + 7);
		if (!m || !e->obj) {
			bad += !!m != !!e->obj;
			continue;
		}
		bad += m->obj != e->obj || m->x.flags != e->flags ||
		       m->off + (i * PAGE - m->x.lo) != e->off ||
		       m->x.kva != memory + m->off;
	}
	return bad;
}

/* Neighbours are found from everywhere, and there are as many mappings as the tree says. */
static u32 wrong_order(const struct pair *p)
{
	const struct vs_mapping *m, *last = NULL;
	u32 n = 0, bad = 0;

	for (m = vs_mappings_next(&p->x, 0); m; m = vs_mappings_next(&p->x, m->x.hi)) {
		bad += m->x.lo >= m->x.hi || (last && last->x.hi > m->x.lo);
		bad += last && vs_mappings_next(&p->x, m->x.lo ? m->x.lo - 1 : 0) !=
			       (last->x.hi == m->x.lo ? last : m);
		last = m;
		n++;
	}
	return bad + (n != p->x.n) + !vs_mappings_valid(&p->x);
}

static bool same(const struct pair *p)
{
	return !wrong_pages(p) && !wrong_order(p);
}

static u64 model_gap(const struct pair *p, u32 start, u32 end, u32 size, u32 align)
{
	u32 at, i;

	for (at = (start + align - 1) / align * align; at + size <= end; at += align) {
		for (i = 0; i < size && !p->page[at + i].obj; i++)
			;
		if (i == size)
			return at;
	}
	return ~0ULL;
}

static u32 wrong_gap(const struct pair *p, struct eng_rand *r)
{
	u32 start = eng_below(r, PAGES), end = start + eng_below(r, PAGES - start + 1);
	u32 size = 1 + eng_below(r, eng_below(r, 2) ? 4 : 200), align = 1 << eng_below(r, 7);
	u64 want = model_gap(p, start, end, size, align), va = 0;
	int ret = vs_mappings_gap(&p->x, start * PAGE, end * PAGE, size * PAGE, align * PAGE, &va);

	if (want == ~0ULL)
		return ret != -ENOSPC;
	return ret || va != want * PAGE;
}

static u32 wrong_cover(const struct pair *p, struct eng_rand *r)
{
	u32 at = eng_below(r, PAGES), n = eng_below(r, 8), i;
	bool all = true;

	for (i = at; i < at + n; i++)
		all &= i < PAGES && p->page[i].obj && p->page[i].flags & VS_EXT_WRITE;
	return vs_mappings_covered(&p->x, at * PAGE, n * PAGE, VS_EXT_WRITE) != all;
}

/* A change of the tree, and of the model if it succeeds. */
static int change(struct pair *p, struct eng_rand *r, u32 most)
{
	u32 at = eng_below(r, PAGES), n = 1 + eng_below(r, most), i;
	struct obj *obj = eng_below(r, 3) ? &objs[eng_below(r, OBJS)] : NULL;
	struct vs_mapping m = { .off = eng_below(r, 100) * PAGE, .obj = obj };
	int ret;

	n = min(n, PAGES - at);
	m.x = (struct vs_extent){
		.lo = at * PAGE, .hi = (at + n) * PAGE, .kva = memory + m.off,
		.flags = eng_below(r, 4),
	};
	ret = obj ? vs_mappings_map(&p->x, &m) : vs_mappings_unmap(&p->x, at * PAGE, n * PAGE);
	for (i = 0; i < n && !ret; i++)
		p->page[at + i] = (struct page){ obj, m.off + i * PAGE, obj ? m.x.flags : 0 };
	return ret;
}

/* ---- tests ---- */

static void test_random(struct eng_rand *r, u32 rounds)
{
	u32 i, k, bad = 0, most = 0;

	for (i = 0; i < rounds; i++) {
		/* phases of small mappings, of large ones, and of emptiness */
		u32 size = i / 2000 % 3 == 0 ? 3 : i / 2000 % 3 == 1 ? 40 : PAGES;

		bad += change(&now, r, size) != 0;
		most = max(most, now.x.n);
		bad += wrong_gap(&now, r) + wrong_cover(&now, r);
		if (i % 64 == 0)
			bad += !same(&now);
		if (i % 97 == 0)
			pair_copy(&copies[eng_below(r, COPIES)], &now);
		/* a copy can go its own way */
		if (i % 211 == 0)
			bad += change(&copies[eng_below(r, COPIES)], r, size) != 0;
		if (i % 500 == 0) {
			for (k = 0; k < COPIES; k++)
				bad += !same(&copies[k]);
		}
	}
	tap_result(!bad && most > 500, "mappings: %u random changes, %u mappings at most, %u wrong",
		   rounds, most, bad);
}

static void test_failures(struct eng_rand *r, u32 rounds)
{
	static struct pair edit;
	u32 i, k, bad = 0, failed = 0;

	edit.x.owner = &heap.base;
	for (i = 0; i < rounds; i++) {
		unsigned long want;

		/* the first failure, the second, ... until the change succeeds */
		for (want = 1; ; want++) {
			struct eng_rand again = *r;
			int ret;

			pair_copy(&edit, &now);
			heap.fail = want;
			ret = change(&edit, &again, 40);
			heap.fail = 0;
			bad += !vs_mappings_valid(&edit.x);
			if (!ret) {
				*r = again;
				break;
			}
			bad += ret != -EDQUOT;
			failed++;
		}
		if (i % 16 == 0)
			bad += !same(&now) || !same(&edit);
		pair_copy(&now, &edit);
	}
	for (k = 0; k < COPIES; k++)
		bad += !same(&copies[k]);
	vs_mappings_fini(&edit.x);
	tap_result(!bad && failed > rounds,
		   "mappings: %u failing allocations change nothing, %u wrong", failed, bad);
}

static void drop_all(void)
{
	u32 k;

	vs_mappings_fini(&now.x);
	for (k = 0; k < COPIES; k++)
		vs_mappings_fini(&copies[k].x);
	memset(now.page, 0, sizeof(now.page));
	memset(copies, 0, sizeof(copies));
	for (k = 0; k < COPIES; k++)
		copies[k].x.owner = &heap.base;
}

static void test_references(void)
{
	long uses = 0;
	u32 i;

	drop_all();
	for (i = 0; i < OBJS; i++)
		uses += labs(objs[i].uses);
	tap_result(!heap.nodes && !uses, "mappings: nothing left, %ld nodes, %ld uses", heap.nodes,
		   uses);
}

static struct vs_mapping one_page(u64 at)
{
	return (struct vs_mapping){ .x = { .lo = at * PAGE, .hi = (at + 1) * PAGE },
				    .obj = &objs[at % OBJS] };
}

/* The memory of a copy that differs from the next one by one mapping. */
static void test_costs(struct eng_rand *r)
{
	const u32 n = 40000, kept = 1000;
	struct vs_mappings *copy = calloc(kept, sizeof(*copy)), x = { .owner = &heap.base };
	long full, before, most;
	u32 i, bad = 0;

	for (i = 0; i < n; i++) {
		struct vs_mapping m = one_page(i);

		bad += vs_mappings_map(&x, &m) != 0;
	}
	full = heap.nodes * VS_MAPPINGS_NODE / n;
	before = heap.nodes;
	for (i = 0; i < kept; i++) {
		struct vs_mapping m = one_page(eng_below(r, n));

		vs_mappings_copy(&copy[i], &x);
		bad += vs_mappings_map(&x, &m) != 0;
	}
	most = (heap.nodes - before) * VS_MAPPINGS_NODE / kept;
	for (i = 0; i < kept; i++)
		vs_mappings_fini(&copy[i]);
	bad += x.n != n || !vs_mappings_valid(&x);
	vs_mappings_fini(&x);
	bad += heap.nodes != 0;
	free(copy);
	tap_result(!bad && full < 80 && most < 6 * VS_MAPPINGS_NODE,
		   "mappings: %ld bytes for each, %ld for a copy", full, most);
}

/* Without shared nodes, mappings are removed, and updated, without allocations. */
static void test_removal(struct eng_rand *r)
{
	struct vs_mappings x = { .owner = &heap.base };
	const u32 n = 3000;
	u32 i, bad = 0;

	for (i = 0; i < n; i++) {
		struct vs_mapping m = one_page(3ULL * i);

		bad += vs_mappings_map(&x, &m) != 0;
	}
	heap.made = 0;
	for (i = 0; i < n; i++) {
		u64 at = (i * 7919ULL % n) * 3;

		bad += vs_mappings_update(&x, at * PAGE, at, 3) != 0;
		bad += vs_mappings_find(&x, at * PAGE)->off != at;
		bad += vs_mappings_unmap(&x, at * PAGE, PAGE) != 0;
		if (i % 100 == 0)
			bad += !vs_mappings_valid(&x);
	}
	tap_result(!bad && !heap.made && !x.root,
		   "mappings: %lu allocations to remove them, %u wrong", heap.made, bad);
}

static void test_bad_ranges(void)
{
	struct vs_mappings x = {};
	struct vs_mapping m = one_page(5), wraps = { .x = { .lo = 8, .hi = 8 } };
	u64 va;
	bool ok;

	ok = vs_mappings_unmap(&x, 0x1000, 0) == -EINVAL &&
	     vs_mappings_unmap(&x, 0x1000, ~0ULL) == -EINVAL &&
	     vs_mappings_map(&x, &wraps) == -EINVAL && !vs_mappings_map(&x, &m) &&
	     vs_mappings_gap(&x, 0, 1ULL << 48, ~0ULL, 1, &va) == -ENOSPC &&
	     vs_mappings_gap(&x, ~0ULL - 5, ~0ULL, 1, PAGE, &va) == -ENOSPC &&
	     !vs_mappings_covered(&x, 5 * PAGE, ~0ULL, 0) &&
	     !vs_mappings_next(&x, ~0ULL) && x.n == 1;
	vs_mappings_fini(&x);
	tap_result(ok, "mappings: empty and wrapping ranges");
}

/* Maps of the engine: a tree, own extents in front of it, a map that extends it, a pager. */
static const struct vs_extent *page_in(struct vs_pager *p, u64 va, u32 need)
{
	static const struct vs_extent e = { 0x90000, 0x91000, memory, 0 };

	return va >= e.lo && va < e.hi ? &e : NULL;
}

static void test_maps(void)
{
	static const struct vs_extent own[] = { { 0x1000, 0x2000, memory, 0 },
						{ 0x80000, 0x81000, memory, 0 } };
	struct vs_pager pager = { .fault = page_in };
	struct vs_mapping m = one_page(5);
	struct vs_mappings x = {};
	struct vs_map guest = { .mappings = &x, .pager = &pager };
	const struct vs_map map = { .n = 2, .ext = own, .base = &guest };
	const struct vs_extent *e;
	u32 n = 0;
	u64 last = 0;
	bool ok;

	ok = !vs_mappings_map(&x, &m) && vs_map_find(&map, 0x1800) == &own[0] &&
	     vs_map_find(&map, 0x80fff) == &own[1] && !vs_map_find(&map, 0x6000) &&
	     vs_map_find(&map, 0x5fff) && vs_map_find(&map, 0x5fff)->lo == 0x5000 &&
	     vs_map_find(&map, 0x90000) && !vs_map_find(&map, ~0ULL) &&
	     vs_map_find(&guest, 0x5000) && !vs_map_find(&guest, 0x1000);
	for (e = vs_map_next(&map, 0); e; e = vs_map_next(&map, e->hi), n++) {
		ok &= e->lo >= last;
		last = e->hi;
	}
	vs_mappings_fini(&x);
	tap_result(ok && n == 3, "mappings: maps that extend others, %u extents", n);
}

int main(int argc, char **argv)
{
	struct eng_opts opt;
	struct eng_rand r;
	u32 i;

	eng_options(argc, argv, &opt);
	heap.base.ops = &heap_ops;
	now.x.owner = &heap.base;
	for (i = 0; i < 8; i++) {
		eng_srand(&r, opt.seed + i);
		drop_all();
		test_random(&r, opt.longer ? 100000 : 10000);
		test_failures(&r, opt.longer ? 5000 : 500);
		test_references();
	}
	test_costs(&r);
	test_removal(&r);
	test_bad_ranges();
	test_maps();
	return tap_done();
}
