// SPDX-License-Identifier: GPL-2.0
/*
 * Worst cases for the length of a launch's steps: lanes that load and store in different
 * extents, blocks in step. The work of a step is bounded; the times of steps are printed.
 * Atomic operations with a concurrent writer of the word.
 */
#include <pthread.h>
#include <stdlib.h>

#include "../include/sections.h"
#include "../include/simt_prog.h"
#include "engine/simt/simt_intern.h"

#define SLICE		SECTIONS_SLICE
#define ARENA		(8u << 20)
#define NEXTENTS	16384u
#define VA		0x100000000ULL
#define GAP		0x2000u
#define GROUPS		64u
#define NACCESS		8u

enum { LOW, HIGH, VALUE, NSLOTS = 16 };

static struct vs_extent extents[NEXTENTS];
static const struct vs_map map = { NEXTENTS, extents };
static u32 word[1024] __aligned(64);
static struct simt_arena arena;

/* Extents share memory. */
static void make_extents(void)
{
	u32 i;

	for (i = 0; i < NEXTENTS; i++)
		extents[i] = (struct vs_extent){ VA + (u64)i * GAP, VA + (u64)i * GAP + 4096,
						 (u8 *)word, VS_EXT_WRITE };
}

/* Every lane has its own extent. */
static void start_apart(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u64 va;
	u32 l;

	for (l = 0; l < SIMT_LANES; l++) {
		va = VA + (u64)((g->group * SIMT_LANES + l) * 2909 % NEXTENTS) * GAP;
		b->slot[LOW * SIMT_LANES + l] = (u32)va;
		b->slot[HIGH * SIMT_LANES + l] = va >> 32;
	}
}

static void start_same(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 l;

	for (l = 0; l < SIMT_LANES; l++) {
		b->slot[LOW * SIMT_LANES + l] = (u32)VA;
		b->slot[HIGH * SIMT_LANES + l] = VA >> 32;
		b->slot[VALUE * SIMT_LANES + l] = 1;
	}
}

/* A launch of @n times @u, with a barrier: 32 blocks in step. */
static struct simt_machine *launch(const struct simt_ops *ops, const struct simt_uop *u, u32 n,
				   u32 groups)
{
	const struct simt_prog proto = { .nslots = NSLOTS, .warp = 4 };
	const struct simt_uop end = { .op = SIMT_END }, barrier = { .op = SIMT_BARRIER };
	struct simt_launch l = { .ops = ops, .local = { SIMT_LANES, 1, 1 },
				 .groups = { groups, 1, 1 }, .many = true };
	struct simt_builder *b;
	struct simt_prog *prog;
	struct simt_machine *m;
	u32 i;

	arena.used = 0;
	b = simt_builder_new(&arena, n + 2, 1, 0);
	simt_builder_label(b, 0);
	for (i = 0; i < n; i++)
		simt_builder_emit(b, u);
	simt_builder_emit(b, &barrier);
	simt_builder_emit(b, &end);
	if (simt_prog_finish(b, &proto, 0, &prog))
		return NULL;
	l.prog = prog;
	m = simt_machine_new(&arena, &map);
	return m && !simt_machine_launch(m, &l) ? m : NULL;
}

static bool run(struct sections *s, const struct simt_uop *u, enum vs_simd simd)
{
	const struct simt_ops ops = { .start = start_apart };
	struct simt_machine *m = launch(&ops, u, NACCESS, GROUPS);
	enum simt_status status;
	bool in_step = false;
	u64 used, at;

	if (!m)
		return false;
	do {
		at = sections_now();
		status = simt_machine_run(m, simd, SLICE, &used);
		sections_add(s, sections_now() - at, used);
		in_step |= m->in_step && m->teams == SIMT_MAX_STEP;
	} while (status == SIMT_RUN_MORE);
	return status == SIMT_RUN_DONE && in_step;
}

static void run_apart(const char *name, const struct simt_uop *u)
{
	struct sections_way way = {};
	struct sections s;
	bool ok = true;

	while (sections_next(&way)) {
		if (way.limits.dbg)
			continue;
		s = (struct sections){ .name = name };
		while (sections_again(&s))
			ok &= run(&s, u, way.limits.simd);
		sections_show(&s, &way);
		tap_result(ok, "%s: %s: as expected", way.name, name);
		/* the end of the slice is checked at least after every eighth block in step */
		tap_result(s.n >= NACCESS * GROUPS / 8, "%s: %s: %llu steps", way.name, name,
			   (unsigned long long)s.n);
	}
}

static void test_apart(void)
{
	const u32 imm = 4 | SIMT_SEG_GLOBAL << 5;
	const struct simt_uop load = { .op = SIMT_LD, .d = VALUE, .s = { LOW, HIGH }, .imm = imm };
	const struct simt_uop store = { .op = SIMT_ST, .d = VALUE, .s = { LOW, HIGH },
					.imm = imm };

	run_apart("loads of lanes in different extents", &load);
	run_apart("stores of lanes in different extents", &store);
}

/* ---- a word that others change ---- */

static bool stop;
static u32 added;

static void *hammer(void *arg)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		__atomic_fetch_add(&word[0], 1, __ATOMIC_RELAXED);
		added++;
	}
	return NULL;
}

static void test_contended(void)
{
	const struct simt_uop add = { .op = SIMT_ATOM, .d = VALUE + 1, .n = 1,
				      .s = { LOW, HIGH, VALUE, VALUE },
				      .imm = SIMT_ATOM_IMM(SIMT_ATOM_ADD, SIMT_SEG_GLOBAL,
							   SIMT_ATOM_NORET, 0) };
	const struct simt_ops ops = { .start = start_same };
	const u32 groups = 4096, all = groups * NACCESS * SIMT_LANES;
	struct simt_machine *m = launch(&ops, &add, NACCESS, groups);
	enum simt_status status;
	pthread_t thread;
	u64 used;
	u32 again = 0;

	word[0] = 0;
	if (!m || pthread_create(&thread, NULL, hammer, NULL)) {
		tap_result(false, "atomics");
		return;
	}
	do {
		status = simt_machine_run(m, vs_simd_best(), SLICE, &used);
		again += m->paused && m->pause_left;
	} while (status == SIMT_RUN_MORE);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	tap_comment("%u by the machine, %u by a thread, %u slices ended before a retry", all, added,
		    again);
	tap_comment("word %u, status %u, fault %u", word[0], status, simt_machine_fault(m)->kind);
	tap_result(status == SIMT_RUN_DONE && word[0] == all + added,
		   "atomics while others change the word");
}

int main(void)
{
	arena.base = aligned_alloc(64, ARENA);
	arena.size = ARENA;
	make_extents();
	test_apart();
	test_contended();
	free(arena.base);
	return tap_done();
}
