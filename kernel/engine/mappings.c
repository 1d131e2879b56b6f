// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Address space mappings as a persistent B-tree.
 *
 * Mappings are in the leaves, all of which have the same depth. Nodes are counted; one with more
 * than one reference never changes. A change descends from the root and replaces shared nodes by
 * copies, which hold their children and objects once more. It splits full nodes on the way down,
 * so that an insertion never has to go back up, and every failed allocation leaves a sound tree
 * with the same mappings. Nodes are freed when they are empty and not merged before: there are at
 * most as many leaves as mappings.
 */
#include "vs_mappings.h"

/* A split of the root needs 7 splits below it: the height is far below. */
#define MAX_LEVELS	16U

/**
 * struct child - Child of an inner node, and its summary.
 * @lo: first address of its first mapping
 * @hi: end of its last mapping
 * @gap: largest gap between its mappings
 * @node: node
 */
struct child {
	u64 lo;
	u64 hi;
	u64 gap;
	struct vs_mappings_node *node;
};

#define HEADER		(sizeof(vs_atomic) + 2 * sizeof(u32))
#define MAX_ITEMS	((VS_MAPPINGS_NODE - HEADER) / sizeof(struct vs_mapping))
#define MAX_CHILDREN	((VS_MAPPINGS_NODE - HEADER) / sizeof(struct child))

/**
 * struct vs_mappings_node - A node.
 * @ref: references of trees and parents
 * @n: number of entries
 * @level: 0: leaf
 * @item: mappings of a leaf
 * @child: children of an inner node
 */
struct vs_mappings_node {
	vs_atomic ref;
	u32 n;
	u32 level;
	union {
		struct vs_mapping item[MAX_ITEMS];
		struct child child[MAX_CHILDREN];
	};
};

static_assert(sizeof(struct vs_mappings_node) <= VS_MAPPINGS_NODE);

/**
 * struct trail - Nodes from the root to a leaf.
 * @n: number of them
 * @node: the nodes
 * @at: the entry in each
 */
struct trail {
	u32 n;
	struct vs_mappings_node *node[MAX_LEVELS];
	u32 at[MAX_LEVELS];
};

/* ---- nodes ---- */

static int node_alloc(const struct vs_mappings *x, u32 level, struct vs_mappings_node **out)
{
	void *p = NULL;
	int ret = 0;

	if (x->owner)
		ret = x->owner->ops->alloc(x->owner, &p);
	else
		p = vs_zalloc(VS_MAPPINGS_NODE);
	if (ret || !p)
		return ret ?: -ENOMEM;
	*out = p;
	vs_atomic_set(&(*out)->ref, 1);
	(*out)->n = 0;
	(*out)->level = level;
	return 0;
}

static void node_free(const struct vs_mappings *x, struct vs_mappings_node *d)
{
	if (x->owner)
		x->owner->ops->free(x->owner, d);
	else
		vs_free(d);
}

static void obj_get(const struct vs_mappings *x, void *obj)
{
	if (x->owner && x->owner->ops->get)
		x->owner->ops->get(obj);
}

static void obj_put(const struct vs_mappings *x, void *obj)
{
	if (x->owner && x->owner->ops->put)
		x->owner->ops->put(obj);
}

static void node_get(struct vs_mappings_node *d)
{
	vs_atomic_fetch_add(&d->ref, 1);
}

/* Recursion is bounded by the height. */
static void node_put(const struct vs_mappings *x, struct vs_mappings_node *d)
{
	u32 i;

	if (vs_atomic_fetch_add(&d->ref, -1) != 1)
		return;
	for (i = 0; i < d->n; i++) {
		if (d->level)
			node_put(x, d->child[i].node);
		else
			obj_put(x, d->item[i].obj);
	}
	node_free(x, d);
	vs_cond_resched();
}

static u64 entry_lo(const struct vs_mappings_node *d, u32 i)
{
	return d->level ? d->child[i].lo : d->item[i].x.lo;
}

static u64 entry_hi(const struct vs_mappings_node *d, u32 i)
{
	return d->level ? d->child[i].hi : d->item[i].x.hi;
}

static u32 node_room(const struct vs_mappings_node *d)
{
	return (d->level ? MAX_CHILDREN : MAX_ITEMS) - d->n;
}

/*
 * First mapping of a leaf that ends after @va; @d->n if there is none. Nodes are so small that a
 * binary search would take longer.
 */
static u32 leaf_search(const struct vs_mappings_node *d, u64 va)
{
	u32 i = 0;

	while (i < d->n && d->item[i].x.hi <= va)
		i++;
	return i;
}

/* The same for children of an inner node. */
static u32 inner_search(const struct vs_mappings_node *d, u64 va)
{
	u32 i = 0;

	while (i < d->n && d->child[i].hi <= va)
		i++;
	return i;
}

static u32 node_search(const struct vs_mappings_node *d, u64 va)
{
	return d->level ? inner_search(d, va) : leaf_search(d, va);
}

static void node_summary(struct child *c)
{
	const struct vs_mappings_node *d = c->node;
	u32 i;

	c->lo = entry_lo(d, 0);
	c->hi = entry_hi(d, d->n - 1);
	c->gap = 0;
	for (i = 0; i < d->n; i++) {
		if (i)
			c->gap = max(c->gap, entry_lo(d, i) - entry_hi(d, i - 1));
		if (d->level)
			c->gap = max(c->gap, d->child[i].gap);
	}
}

/* Copy entries: [@from, @from + @n) of @s to @to in @d. */
static void node_copy(struct vs_mappings_node *d, u32 to, const struct vs_mappings_node *s,
		      u32 from, u32 n)
{
	if (d->level)
		memmove(&d->child[to], &s->child[from], n * sizeof(d->child[0]));
	else
		memmove(&d->item[to], &s->item[from], n * sizeof(d->item[0]));
}

/* Make room for an entry. */
static void node_open(struct vs_mappings_node *d, u32 at)
{
	node_copy(d, at + 1, d, at, d->n - at);
	d->n++;
}

static void node_close(struct vs_mappings_node *d, u32 at)
{
	d->n--;
	node_copy(d, at, d, at + 1, d->n - at);
}

/* Replace a shared node by a copy. */
static int node_own(const struct vs_mappings *x, struct vs_mappings_node **at)
{
	struct vs_mappings_node *old = *at, *d;
	u32 i;
	int ret;

	if (vs_atomic_read(&old->ref) == 1)
		return 0;
	ret = node_alloc(x, old->level, &d);
	if (ret)
		return ret;
	d->n = old->n;
	node_copy(d, 0, old, 0, old->n);
	for (i = 0; i < d->n; i++) {
		if (d->level)
			node_get(d->child[i].node);
		else
			obj_get(x, d->item[i].obj);
	}
	*at = d;
	node_put(x, old);
	return 0;
}

/* ---- changes ---- */

/*
 * Split the full child @i of @d, which has room. A child that is appended to keeps its entries, so
 * that ascending insertions leave full nodes.
 */
static int split_child(const struct vs_mappings *x, struct vs_mappings_node *d, u32 i, bool append)
{
	struct vs_mappings_node *left = d->child[i].node, *right;
	u32 keep = append ? left->n - 1 : left->n / 2;
	int ret = node_alloc(x, left->level, &right);

	if (ret)
		return ret;
	right->n = left->n - keep;
	node_copy(right, 0, left, keep, right->n);
	left->n = keep;
	node_open(d, i + 1);
	d->child[i + 1].node = right;
	node_summary(&d->child[i]);
	node_summary(&d->child[i + 1]);
	return 0;
}

static int grow_root(struct vs_mappings *x)
{
	struct vs_mappings_node *root;
	int ret;

	if (x->root->level + 1 >= MAX_LEVELS)
		return -ENOSPC;
	ret = node_alloc(x, x->root->level + 1, &root);
	if (ret)
		return ret;
	root->n = 1;
	root->child[0].node = x->root;
	node_summary(&root->child[0]);
	x->root = root;
	return 0;
}

static void mappings_path_add(struct trail *p, struct vs_mappings_node *d, u32 at)
{
	p->node[p->n] = d;
	p->at[p->n++] = at;
}

/* Own the nodes down to the place of a new mapping, with room in each. */
static int path_insert(struct vs_mappings *x, u64 lo, struct trail *p)
{
	struct vs_mappings_node *d;
	int ret;
	u32 i;

	ret = x->root ? node_own(x, &x->root) : node_alloc(x, 0, &x->root);
	if (!ret && !node_room(x->root))
		ret = grow_root(x);
	for (d = x->root; !ret && d->level; d = d->child[i].node) {
		bool append;

		i = min(node_search(d, lo), d->n - 1);
		ret = node_own(x, &d->child[i].node);
		if (ret || node_room(d->child[i].node)) {
			mappings_path_add(p, d, i);
			continue;
		}
		append = d->child[i].hi <= lo;
		ret = split_child(x, d, i, append);
		if (!ret && d->child[i].hi <= lo)
			i++;
		mappings_path_add(p, d, i);
	}
	if (!ret)
		mappings_path_add(p, d, node_search(d, lo));
	return ret;
}

/* Own the nodes down to a mapping, the first that ends after @va. */
static int path_own(struct vs_mappings *x, u64 va, struct trail *p)
{
	struct vs_mappings_node **at = &x->root;
	u32 i;
	int ret;

	for (;;) {
		ret = node_own(x, at);
		if (ret)
			return ret;
		i = node_search(*at, va);
		mappings_path_add(p, *at, i);
		if (!(*at)->level)
			return 0;
		at = &(*at)->child[i].node;
	}
}

/* The leaf has changed: bring the summaries up to date, and free what is empty. */
static void path_update(struct vs_mappings *x, const struct trail *p)
{
	struct vs_mappings_node *only;
	u32 k;

	for (k = p->n - 1; k--;) {
		struct child *c = &p->node[k]->child[p->at[k]];

		if (c->node->n) {
			node_summary(c);
		} else {
			node_free(x, c->node);
			node_close(p->node[k], p->at[k]);
		}
	}
	/* the only child of the root may be shared */
	while (x->root->level && x->root->n == 1) {
		only = x->root->child[0].node;
		node_get(only);
		node_put(x, x->root);
		x->root = only;
	}
	if (!x->root->n) {
		node_free(x, x->root);
		x->root = NULL;
	}
}

/* Nothing is in its place. */
static int mappings_insert(struct vs_mappings *x, const struct vs_mapping *m)
{
	struct vs_mappings_node *leaf;
	struct trail p = {};
	int ret = path_insert(x, m->x.lo, &p);
	u32 at;

	if (ret)
		return ret;
	leaf = p.node[p.n - 1];
	at = p.at[p.n - 1];
	node_open(leaf, at);
	leaf->item[at] = *m;
	obj_get(x, m->obj);
	path_update(x, &p);
	x->n++;
	return 0;
}

/* Reduce a mapping to [@lo, @hi), or remove it if that is empty. */
static int mappings_trim(struct vs_mappings *x, const struct vs_mapping *m, u64 lo, u64 hi)
{
	struct vs_mappings_node *leaf;
	struct vs_mapping *e;
	struct trail p = {};
	void *gone = NULL;
	int ret = path_own(x, m->x.lo, &p);

	if (ret)
		return ret;
	leaf = p.node[p.n - 1];
	e = &leaf->item[p.at[p.n - 1]];
	if (lo < hi) {
		e->off += lo - e->x.lo;
		e->x.kva = e->x.kva ? e->x.kva + (lo - e->x.lo) : NULL;
		e->x.lo = lo;
		e->x.hi = hi;
	} else {
		gone = e->obj;
		node_close(leaf, p.at[p.n - 1]);
		x->n--;
	}
	path_update(x, &p);
	if (gone)
		obj_put(x, gone);
	return 0;
}

/* Cut [@lo, @hi) out of a mapping that overlaps with it. */
static int mappings_cut(struct vs_mappings *x, const struct vs_mapping *m, u64 lo, u64 hi)
{
	struct vs_mapping tail = *m;
	int ret;

	if (m->x.lo >= lo)
		return mappings_trim(x, m, min(hi, m->x.hi), m->x.hi);
	ret = mappings_trim(x, m, m->x.lo, lo);
	if (ret || tail.x.hi <= hi)
		return ret;
	tail.off += hi - tail.x.lo;
	tail.x.kva = tail.x.kva ? tail.x.kva + (hi - tail.x.lo) : NULL;
	tail.x.lo = hi;
	return mappings_insert(x, &tail);
}

int vs_mappings_unmap(struct vs_mappings *x, u64 va, u64 size)
{
	const struct vs_mapping *m;
	u64 end;
	int ret;

	if (!size || check_add_overflow(va, size, &end))
		return -EINVAL;
	while ((m = vs_mappings_next(x, va)) && m->x.lo < end) {
		ret = mappings_cut(x, m, va, end);
		if (ret)
			return ret;
	}
	return 0;
}

int vs_mappings_map(struct vs_mappings *x, const struct vs_mapping *m)
{
	int ret;

	if (m->x.lo >= m->x.hi)
		return -EINVAL;
	ret = vs_mappings_unmap(x, m->x.lo, m->x.hi - m->x.lo);
	return ret ?: mappings_insert(x, m);
}

int vs_mappings_update(struct vs_mappings *x, u64 va, u64 off, u32 flags)
{
	struct trail p = {};
	struct vs_mapping *e;
	int ret = path_own(x, va, &p);

	if (ret)
		return ret;
	e = &p.node[p.n - 1]->item[p.at[p.n - 1]];
	e->off = off;
	e->x.flags = flags;
	return 0;
}

void vs_mappings_copy(struct vs_mappings *to, const struct vs_mappings *from)
{
	*to = *from;
	if (to->root)
		node_get(to->root);
}

void vs_mappings_fini(struct vs_mappings *x)
{
	if (x->root)
		node_put(x, x->root);
	x->root = NULL;
	x->n = 0;
}

/* ---- queries ---- */

const struct vs_mapping *vs_mappings_next(const struct vs_mappings *x, u64 va)
{
	const struct vs_mappings_node *d = x->root;
	u32 i;

	while (d && d->level) {
		i = inner_search(d, va);
		d = i < d->n ? d->child[i].node : NULL;
	}
	if (!d)
		return NULL;
	i = leaf_search(d, va);
	return i < d->n ? &d->item[i] : NULL;
}

static u64 align_up(u64 va, u64 align)
{
	return (va + align - 1) & ~(align - 1);
}

/* Move @at to the first gap, or to the end of @d. Recursion is bounded by the height. */
static bool node_gap(const struct vs_mappings_node *d, u64 size, u64 align, u64 *at)
{
	u32 i;

	for (i = node_search(d, *at); i < d->n; i++) {
		u64 lo = entry_lo(d, i);

		if (*at < lo && lo - *at >= size)
			return true;
		if (d->level && d->child[i].gap >= size &&
		    node_gap(d->child[i].node, size, align, at))
			return true;
		*at = align_up(entry_hi(d, i), align);
	}
	return false;
}

int vs_mappings_gap(const struct vs_mappings *x, u64 start, u64 end, u64 size,
		    u64 align, u64 *va)
{
	u64 at = align_up(start, align);

	if (x->root)
		node_gap(x->root, size, align, &at);
	if (at < start || at >= end || end - at < size)
		return -ENOSPC;
	*va = at;
	return 0;
}

bool vs_mappings_covered(const struct vs_mappings *x, u64 va, u64 size, u32 need)
{
	const struct vs_mapping *m;
	u64 end;

	if (check_add_overflow(va, size, &end))
		return false;
	for (; va < end; va = m->x.hi) {
		m = vs_mappings_find(x, va);
		if (!m || (m->x.flags & need) != need)
			return false;
	}
	return true;
}

static bool same_summary(const struct child *c)
{
	struct child now = { .node = c->node };

	node_summary(&now);
	return now.lo == c->lo && now.hi == c->hi && now.gap == c->gap;
}

/* Add the number of mappings of a sound subtree to @n. */
static bool node_valid(const struct vs_mappings_node *d, u32 level, u32 *n)
{
	u32 i;

	if (d->level != level || !d->n || d->n > (level ? MAX_CHILDREN : MAX_ITEMS))
		return false;
	for (i = 0; i < d->n; i++) {
		if (entry_lo(d, i) >= entry_hi(d, i))
			return false;
		if (i && entry_lo(d, i) < entry_hi(d, i - 1))
			return false;
		if (level && (!node_valid(d->child[i].node, level - 1, n) ||
			      !same_summary(&d->child[i])))
			return false;
	}
	*n += level ? 0 : d->n;
	return true;
}

bool vs_mappings_valid(const struct vs_mappings *x)
{
	u32 n = 0;

	if (x->root && !node_valid(x->root, x->root->level, &n))
		return false;
	return n == x->n;
}
