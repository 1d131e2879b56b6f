// SPDX-License-Identifier: GPL-2.0
/*
 * SIMT machine: loads and stores of words at offsets from a base that all lanes share, for
 * several workgroups in step, compared with one lane at a time: rows of words, single lanes,
 * scattered addresses, at both ends of the mapping. Also register compaction.
 */
#include <stdlib.h>

#include "../include/simt_prog.h"
#include "../include/tap.h"
#include "engine/simt/simt.h"

#define LO		0x10000000ULL
#define SIZE		0x4000u
#define ARENA		(4u << 20)
#define MAX_GROUPS	40u
#define THREADS		(MAX_GROUPS * SIMT_LANES)

/* Slots of the front end, far apart: all in between are not used. */
enum { OFF = 7, ON = 61, VALUE = 100, OUT = 130, SPARE = 140, NSLOTS = 150 };

static u8 mem[SIZE] __aligned(64), before[SIZE], want[SIZE];
static u32 out[THREADS];
static const struct vs_extent extents[] = {
	{ .lo = LO, .hi = LO + SIZE, .kva = mem, .flags = VS_EXT_WRITE },
	{ .lo = 2 * LO, .hi = 2 * LO + sizeof(out), .kva = (u8 *)out, .flags = VS_EXT_WRITE },
};

static const struct vs_map map = { .n = 2, .ext = extents };

/**
 * struct draw - random access and its operands
 * @imm: immediate of LD or ST
 * @store: ST
 * @base: uniform words 0 and 1
 * @groups: workgroups
 * @off: words of offsets, by thread
 * @on: whether the thread executes it
 */
static struct draw {
	u32 imm;
	bool store;
	u64 base;
	u32 groups;
	u32 off[THREADS];
	u32 on[THREADS];
} d;

static struct simt_arena arena;
static u64 seed = 1;

static u32 rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (u32)(seed >> 16);
}

/* ---- the program ---- */

static void put(struct simt_block *b, const struct simt_prog *p, u32 slot, u32 lane, u32 v)
{
	slot = simt_prog_slot(p, slot);
	if (slot != SIMT_NOWHERE)
		b->slot[slot * SIMT_LANES + lane] = v;
}

static void start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	const struct simt_prog *p = simt_machine_launched(m)->prog;
	u32 l, t;

	for (l = 0; l < SIMT_LANES; l++) {
		t = (u32)g->group * SIMT_LANES + l;
		put(b, p, OFF, l, d.off[t]);
		put(b, p, ON, l, d.on[t]);
		put(b, p, VALUE, l, 0x80000000 | t);
		put(b, p, OUT, l, t);
	}
}

static bool ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	return false;
}

static const struct simt_ops ops = { .start = start, .ext = ext };

static void emit(struct simt_builder *b, u32 op, u32 to, u32 s0, u32 s1, u32 imm)
{
	const struct simt_uop u = { .op = op, .d = to, .s = { s0, s1 }, .imm = imm };

	simt_builder_emit(b, &u);
}

/* Threads with a set condition load or store; all threads output their value afterwards. */
static struct simt_prog *program(bool pack)
{
	struct simt_prog proto = { .nslots = NSLOTS, .warp = 4, .zero = NSLOTS, .forget = true,
				   .compact = pack }, *p;
	struct simt_builder *b;

	arena.used = 0;
	b = simt_builder_new(&arena, 16, 4, 4);
	if (!b)
		return NULL;
	simt_builder_label(b, 0);
	emit(b, SIMT_BRZ, 0, ON, 0, 1);
	emit(b, d.store ? SIMT_ST : SIMT_LD, VALUE, OFF, SIMT_U | 0, d.imm);
	simt_builder_label(b, 1);
	emit(b, SIMT_ST, VALUE, OUT, SIMT_U | 2,
	     SIMT_MEM(4, SIMT_SEG_BASE, 0) | SIMT_MEM_SHIFT(2));
	emit(b, SIMT_END, 0, 0, 0, 0);
	return simt_prog_finish(b, &proto, 0, &p) ? NULL : p;
}

static enum simt_status run(const struct simt_prog *p, enum vs_simd simd, u64 *fault)
{
	const u32 unif[4] = { (u32)d.base, d.base >> 32, (u32)(2 * LO), 2 * LO >> 32 };
	struct simt_launch l = { .ops = &ops, .unif = unif, .prog = p, .wls_instances = 1,
				 .local = { SIMT_LANES, 1, 1 }, .groups = { d.groups, 1, 1 },
				 .many = true };
	struct simt_machine *m = simt_machine_new(&arena, &map);
	enum simt_status r;
	u64 used;

	if (!m || simt_machine_launch(m, &l))
		return SIMT_RUN_STOP;
	do {
		r = simt_machine_run(m, simd, 4096, &used);
	} while (r == SIMT_RUN_MORE);
	*fault = simt_machine_fault(m)->address;
	return r;
}

/* ---- a lane at a time ---- */

static u64 address_of(u32 thread)
{
	u32 low = d.off[thread];
	u64 off = d.imm & SIMT_MEM_SIGNED ? (u64)(s64)(s32)low : low;

	return d.base + (off << SIMT_MEM_SHIFT_OF(d.imm)) + (u64)(s64)SIMT_MEM_OFF(d.imm);
}

static bool inside(u64 va)
{
	return va >= LO && va - LO <= SIZE - 4;
}

/* Return: whether all accesses are within the mapping. */
static bool expect(u32 *shown)
{
	bool ok = true;
	u32 t, v;

	memcpy(want, before, sizeof(want));
	for (t = 0; t < d.groups * SIMT_LANES; t++) {
		v = 0x80000000 | t;
		shown[t] = v;
		if (!d.on[t])
			continue;
		if (!inside(address_of(t)))
			ok = false;
		else if (d.store)
			memcpy(want + (address_of(t) - LO), &v, 4);
		else
			memcpy(&shown[t], before + (address_of(t) - LO), 4);
	}
	return ok;
}

/* A thread that is on has this address, and may not. */
static bool is_bad(u64 va)
{
	u32 t;

	for (t = 0; t < d.groups * SIMT_LANES; t++)
		if (d.on[t] && address_of(t) == va && !inside(va))
			return true;
	return false;
}

/* ---- draws ---- */

/* The first number of a row that has all of its words; @wild: or nearly, or not at all. */
static u32 some_start(u32 shift, bool wild)
{
	u32 edge = (SIZE - SIMT_LANES * 4) >> shift;

	switch (rnd() % (wild ? 64 : 1024)) {
	case 0:
		return edge + rnd() % 2;
	case 1:
		return rnd() % 4 - 2;
	case 2:
		return rnd();
	case 3 ... 7:
		return edge;
	case 8 ... 12:
		return 0;
	default:
		return rnd() % edge;
	}
}

/*
 * From a row of eight to the next one: inside mostly, or around 2^32 so that the last one is
 * inside and others are not.
 */
static u32 some_distance(u32 shift, u32 from, bool wild)
{
	if (wild && rnd() % 4 == 0)
		return 0x24924925 * (1 + rnd() % 6);
	if (wild && rnd() % 16 == 0)
		return rnd();
	if (rnd() % 4 == 0)
		return -(from / 7 ? rnd() % (from / 7) : 0);
	return rnd() % ((SIZE * 15 / 16 - 64) >> shift) / 7;
}

static void draw_group(u32 group, u32 kind, u32 shift, bool wild)
{
	u32 *off = d.off + group * SIMT_LANES, from = some_start(shift, wild), step = 4 >> shift;
	u32 part = 0, by, l;

	if (kind >= 9 && !wild)
		from %= (SIZE >> shift) / 16;
	by = some_distance(shift, from, wild);

	for (l = 0; l < SIMT_LANES; l++) {
		switch (kind) {
		case 0:		/* a row */
			off[l] = from + l * step;
			break;
		case 1:		/* backwards */
			off[l] = from + (SIMT_LANES - 1 - l) * step;
			break;
		case 2:
			off[l] = from;
			break;
		case 3:		/* a row except for one lane */
			off[l] = from + (l == 13 ? 0 : l * step);
			break;
		case 4 ... 6:	/* rows of eight, or one word for eight, or one lane is elsewhere */
			if (l % 8 == 0)
				part = rnd() % 16 ? rnd() % ((SIZE - 32) >> shift) :
				       some_start(shift, wild);
			off[l] = part + (kind == 5 ? 0 : l % 8 * step);
			if (kind == 6 && l == 45)
				off[l] = rnd() % ((SIZE - 4) >> shift);
			break;
		case 9 ... 11:	/* the same at equal distances */
			off[l] = from + l / 8 * by + (kind == 10 ? 0 : l % 8 * step);
			if (kind == 11 && l == 45)
				off[l] += step;
			break;
		default:
			off[l] = rnd() % ((SIZE - 4) >> shift);
		}
	}
}

static void draw_mask(u32 kind)
{
	u32 t, one = rnd() % SIMT_LANES, below = 1U << rnd() % 7;

	for (t = 0; t < THREADS; t++) {
		u32 l = t % SIMT_LANES;

		d.on[t] = kind == 0 ? 1 : kind == 1 ? l == one : kind == 2 ? l < below : rnd() & 1;
		/* masks that differ between groups split them */
		if (kind == 4)
			d.on[t] = rnd() % 3 != 0;
		else if (kind == 3 && t >= SIMT_LANES)
			d.on[t] = d.on[l];
	}
}

static void draw(void)
{
	static const s32 offsets[] = { 0, 0, 4, -4, 64, -64, 32764, -32768 };
	u32 shift = rnd() % 3, kind = rnd() % 13, g;
	s32 off = offsets[rnd() % ARRAY_SIZE(offsets)];
	bool wild = rnd() % 4 == 0;

	d.store = rnd() & 1;
	d.imm = SIMT_MEM(4, SIMT_SEG_BASE, off) | SIMT_MEM_SHIFT(shift);
	if (rnd() & 1)
		d.imm |= SIMT_MEM_SIGNED;
	/* mostly where offsets from 0 on are inside */
	d.base = LO - (u64)(s64)off + (rnd() % 16 ? 0 : 4 * (rnd() % 64)) - (rnd() % 16 ? 0 : 128);
	d.groups = 1 + rnd() % MAX_GROUPS;
	/* a fault of another group would hide a missing one */
	if (wild && rnd() % 2)
		d.groups = 1;
	for (g = 0; g < d.groups; g++)
		draw_group(g, rnd() % 16 ? kind : rnd() % 13, shift, wild);
	draw_mask(rnd() % 5);
}

static bool one(enum vs_simd simd, u32 *faults)
{
	static u32 shown[THREADS];
	struct simt_prog *p = program(rnd() & 1);
	enum simt_status r;
	bool good;
	u64 fault;

	good = expect(shown);
	memcpy(mem, before, sizeof(mem));
	memset(out, 0, sizeof(out));
	if (!p)
		return false;
	r = run(p, simd, &fault);
	if (!good) {
		++*faults;
		return r == SIMT_RUN_FAULT && is_bad(fault);
	}
	return r == SIMT_RUN_DONE && !memcmp(mem, want, sizeof(mem)) &&
	       !memcmp(out, shown, d.groups * SIMT_LANES * sizeof(u32));
}

static void test_random(enum vs_simd simd, u32 n)
{
	u32 i, faults = 0;
	bool ok = true;

	for (i = 0; i < n && ok; i++) {
		draw();
		ok = one(simd, &faults);
	}
	if (!ok)
		tap_comment("draw %u: %s imm %08x base %llx groups %u off %x %x on %u %u", i - 1,
			    d.store ? "store" : "load", d.imm, (unsigned long long)d.base,
			    d.groups, d.off[0], d.off[1], d.on[0], d.on[1]);
	tap_result(ok && faults && faults < n / 2, "%s: %u random loads and stores, %u faults",
		   vs_simd_name(simd), i, faults);
}

/* ---- slots ---- */

static void test_pack(void)
{
	struct simt_prog *p;

	draw();
	p = program(false);
	tap_result(p && !p->at && p->nslots >= NSLOTS && simt_prog_slot(p, OUT) == OUT,
		   "slots stay where they are, unless it is said");
	p = program(true);
	tap_result(p && p->nslots == 4 && p->own == 4, "four slots are used");
	tap_result(p && simt_prog_slot(p, OFF) == 0 && simt_prog_slot(p, ON) == 1 &&
		   simt_prog_slot(p, VALUE) == 2 && simt_prog_slot(p, OUT) == 3,
		   "their order stays");
	tap_result(p && simt_prog_slot(p, SPARE) == SIMT_NOWHERE &&
		   simt_prog_slot(p, SIMT_MAX_SLOTS) == SIMT_NOWHERE, "the others are nowhere");
	tap_result(p && p->live[0] == 15 && p->zero == 4,
		   "what is read first is known by its place");
}

int main(int argc, char **argv)
{
	bool more = argc > 1 && !strcmp(argv[1], "--long");
	u32 simd, n = more ? 60000 : 3000, i;

	arena.base = aligned_alloc(64, ARENA);
	arena.size = ARENA;
	if (!arena.base)
		return 1;
	for (i = 0; i < SIZE; i++)
		before[i] = rnd();
	test_pack();
	for (simd = 0; simd < VS_NUM_SIMD; simd++)
		if (vs_simd_mask() & BIT(simd))
			test_random(simd, simd == VS_SIMD_PORTABLE ? n / 4 : n);
	free(arena.base);
	return tap_done();
}
