// SPDX-License-Identifier: GPL-2.0
/*
 * SIMT machine: loads, stores and atomics at the edges of extents and at multiples of 2^32,
 * against a lane at a time. Extents are up to 4 GiB and more, so that low words of addresses
 * wrap around inside them. Their memory is sparse and ends at pages that cannot be accessed: an
 * access out of bounds is a signal, which is reported with the draw that caused it.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "../include/simt_prog.h"
#include "../include/tap.h"
#include "engine/simt/simt_intern.h"

#define ARENA		(8u << 20)
#define PAGE		4096ull
#define GIB		(1ull << 30)
#define GIB4		(1ull << 32)
#define OUT_VA		(1ull << 44)
#define MAX_GROUPS	20u
#define MAX_THREADS	(MAX_GROUPS * 2 * SIMT_LANES)
#define MAX_WINDOWS	8u
#define REACH		4096u	/* bytes of a window on each side of an address of interest */
#define NUBO		2u

/* Slots. */
enum { LOW, HIGH, ON, OUT, VALUE, ARG = VALUE + 4, CMP = ARG + 2, NSLOTS = CMP + 2 };
/* Words of uniforms. */
enum { U_BASE, U_OUT = 2, U_HIGH = 4, U_LOW, NUNIF };

/**
 * struct space - extent
 * @lo: first address
 * @size: bytes
 * @front: its memory begins at a page, else it ends at one
 */
struct space {
	u64 lo;
	u64 size;
	bool front;
};

static const struct space spaces[] = {
	{ GIB4, GIB4, true },
	{ GIB4, GIB4 + PAGE, true },
	{ GIB4 + 2 * GIB, GIB4, true },
	{ 2 * GIB4 - 128, GIB4 + 256, false },
	{ GIB4 - 16, GIB4 + 16, false },
	{ GIB4 - 16, GIB4 + 16, true },
	{ GIB4 - 0x1234, GIB4, false },
	{ GIB4 + 0x10, GIB4 - 0x20, false },
	{ 0x7ff0, GIB4, true },
	{ GIB4 - 2 * PAGE, 2 * PAGE, true },		/* up to the boundary */
	{ GIB4 - 2 * PAGE, 2 * PAGE - 4, false },
	{ GIB4, 2 * PAGE, true },			/* from there on */
	{ GIB4 + 4, 2 * PAGE, false },
	{ GIB4 - PAGE, 2 * PAGE, true },		/* across */
	{ GIB4 - 0xff3, 0x1f01, false },
	{ GIB4 - 0x204, 0x408, true },
	{ GIB4 - 0x18, 0x30, false },
};

/* Part of the extent that draws access and whose content is checked. */
struct window {
	u64 lo;
	u32 size;
	u8 before[2 * REACH];
	u8 want[2 * REACH];
	bool used[2 * REACH];
};

static struct {
	const struct space *s;
	u8 *map;
	u64 map_size;
	u8 *kva;
	u8 *slack;		/* of the pages, but not of the extent */
	u32 nslack;
	struct window w[MAX_WINDOWS];
	u32 nwindows;
	u64 hot[MAX_WINDOWS];	/* addresses of interest */
	u32 nhot;
} sp;

static u32 out[MAX_THREADS][4] __aligned(64);

/**
 * struct draw - random access and its operands
 * @op: LD, ST or ATOM
 * @imm: its immediate
 * @base: base of segment BASE
 * @ubo: buffers
 * @wls_va: see struct simt_launch, as the others
 * @u_low: the low address words are one uniform word
 * @u_high: likewise the high words
 * @low, @high, @on: by thread
 * @wls, @tls: by thread: base of its segments
 */
static struct draw {
	u32 op;
	u32 imm;
	u64 base;
	struct simt_ubo ubo[NUBO];
	u64 wls_va;
	u64 wls_size;
	u32 wls_instances;
	u64 tls_va;
	u64 tls_size;
	u32 local;
	u32 groups;
	bool u_low;
	bool u_high;
	u32 low[MAX_THREADS];
	u32 high[MAX_THREADS];
	bool on[MAX_THREADS];
	u64 wls[MAX_THREADS];
	u64 tls[MAX_THREADS];
} d;

/* Outcomes of draws. */
static struct {
	u32 done;
	u32 faults;
	u32 rows;	/* whose low words wrap around */
	u32 parts;	/* rows of eight in others, the same */
} count;

static struct simt_arena arena;
static u64 seed = 88172645463325252ull;

static u32 rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (u32)(seed >> 16);
}

static bool chance(u32 n)
{
	return rnd() % n == 0;
}

static u32 num_threads(void)
{
	return d.local * d.groups;
}

static u32 num_bytes(void)
{
	if (d.op == SIMT_ATOM)
		return d.imm & SIMT_ATOM_64 ? 8 : 4;
	return SIMT_MEM_BYTES(d.imm);
}

/* ---- memory ---- */

/* Windows do not overlap: the start of a new one may be in the previous one. */
static void add_window(u64 at)
{
	u64 end = sp.s->lo + sp.s->size, lo = at - min_t(u64, at, REACH), hi = at + REACH;
	struct window *w = &sp.w[sp.nwindows];

	sp.hot[sp.nhot++] = at;
	lo = max(lo, sp.s->lo);
	if (sp.nwindows)
		lo = max(lo, w[-1].lo + w[-1].size);
	hi = min(hi, end);
	if (hi <= lo)
		return;
	w->lo = lo;
	w->size = (u32)(hi - lo);
	sp.nwindows++;
}

static void make_windows(void)
{
	u64 end = sp.s->lo + sp.s->size, at;
	u32 i, k;

	sp.nwindows = 0;
	sp.nhot = 0;
	add_window(sp.s->lo);
	for (at = GIB4; at <= 4 * GIB4; at += GIB4)
		if (at > sp.s->lo && at < end)
			add_window(at);
	add_window(end);
	for (i = 0; i < sp.nwindows; i++)
		for (k = 0; k < sp.w[i].size; k++)
			sp.w[i].before[k] = rnd();
}

static bool make_space(const struct space *s)
{
	u64 pages = DIV_ROUND_UP(s->size, PAGE) * PAGE;

	memset(&sp, 0, sizeof(sp));
	sp.s = s;
	sp.map_size = pages + 32 * PAGE;
	sp.map = mmap(NULL, sp.map_size, PROT_NONE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sp.map == MAP_FAILED ||
	    mprotect(sp.map + 16 * PAGE, pages, PROT_READ | PROT_WRITE))
		return false;
	sp.kva = sp.map + 16 * PAGE;
	sp.nslack = (u32)(pages - s->size);
	sp.slack = s->front ? sp.kva + s->size : sp.kva;
	if (!s->front)
		sp.kva += sp.nslack;
	make_windows();
	return true;
}

static struct window *window_of(u64 va, u32 size)
{
	u32 i;

	for (i = 0; i < sp.nwindows; i++) {
		struct window *w = &sp.w[i];

		if (va >= w->lo && va - w->lo < w->size && size <= w->size - (va - w->lo))
			return w;
	}
	return NULL;
}

static bool inside(u64 va, u32 size)
{
	u64 off = va - sp.s->lo;

	return off <= sp.s->size && size <= sp.s->size - off;
}

/* Byte of the content that is expected; windows may follow each other. */
static u8 *want_at(u64 va)
{
	struct window *w = window_of(va, 1);

	w->used[va - w->lo] = true;
	return &w->want[va - w->lo];
}

static void get(u64 va, void *to, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		((u8 *)to)[i] = *want_at(va + i);
}

static void set(u64 va, const void *from, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		*want_at(va + i) = ((const u8 *)from)[i];
}

static void reset_memory(void)
{
	u32 i;

	for (i = 0; i < sp.nwindows; i++) {
		struct window *w = &sp.w[i];

		memcpy(sp.kva + (w->lo - sp.s->lo), w->before, w->size);
		memcpy(w->want, w->before, w->size);
		memset(w->used, 0, w->size);
	}
}

/* After a fault only bytes that no thread has an address of are known. */
static bool memory_right(bool fault)
{
	u32 i, k;

	for (i = 0; i < sp.nwindows; i++) {
		const struct window *w = &sp.w[i];
		const u8 *p = sp.kva + (w->lo - sp.s->lo);

		if (!fault && memcmp(p, w->want, w->size))
			return false;
		for (k = 0; fault && k < w->size; k++)
			if (!w->used[k] && p[k] != w->before[k])
				return false;
	}
	for (i = 0; i < sp.nslack; i++)
		if (sp.slack[i])
			return false;
	return true;
}

/* ---- a lane at a time ---- */

static u64 widened(u32 low)
{
	u64 off = d.imm & SIMT_MEM_SIGNED ? (u64)(s64)(s32)low : low;

	return off << SIMT_MEM_SHIFT_OF(d.imm);
}

/**
 * struct place - address of a thread's access
 * @va: address
 * @ok: it is in its segment
 * @left: bytes to load, the others are zeros; ~0: all
 */
struct place {
	u64 va;
	bool ok;
	u32 left;
};

/* Loads from uniform buffers have no faults. */
static void place_in_ubo(u32 t, u32 bytes, struct place *p)
{
	u32 off = d.low[t] + SIMT_MEM_OFF(d.imm), index = d.high[t];

	p->left = 0;
	if (index >= NUBO || off >= d.ubo[index].size)
		return;
	p->va = d.ubo[index].va + off;
	p->left = min((u64)bytes, d.ubo[index].size - off);
	if (!inside(p->va, p->left))
		p->left = 0;
}

static struct place place_of(u32 t)
{
	u64 off = (u64)(s64)SIMT_MEM_OFF(d.imm), size;
	u32 low = d.low[t], bytes = num_bytes();
	struct place p = { .ok = true, .left = ~0U };

	switch (SIMT_MEM_SEG(d.imm)) {
	case SIMT_SEG_GLOBAL:
		p.va = (low | (u64)d.high[t] << 32) + off;
		return p;
	case SIMT_SEG_BASE:
		p.va = d.base + (d.op == SIMT_ATOM ? low : widened(low)) + off;
		return p;
	case SIMT_SEG_LOCAL:
		p.va = d.wls[t] + widened(low) + off;
		return p;
	case SIMT_SEG_UBO:
		place_in_ubo(t, bytes, &p);
		return p;
	default:
		p.va = SIMT_MEM_SEG(d.imm) == SIMT_SEG_WLS ? d.wls[t] : d.tls[t];
		size = SIMT_MEM_SEG(d.imm) == SIMT_SEG_WLS ? d.wls_size : d.tls_size;
		low += SIMT_MEM_OFF(d.imm);
		p.va += low;
		p.ok = low <= size && bytes <= size - low;
		return p;
	}
}

/* Can it be done? *@aligned: no, because atomics are aligned. */
static bool allowed(const struct place *p, bool *misaligned)
{
	u32 bytes = num_bytes();
	u64 host = (u64)(sp.kva + (p->va - sp.s->lo));

	*misaligned = false;
	if (!p->ok || (p->left == ~0U && !inside(p->va, bytes)))
		return false;
	*misaligned = d.op == SIMT_ATOM && (p->va % bytes || host % bytes);
	return !*misaligned;
}

static u64 first_value(u32 t, u32 i)
{
	return 0x9e3779b9u * (4 * t + i + 1);
}

static u64 wide_value(u32 t, u32 i)
{
	return first_value(t, i) << 32 >> 32 | first_value(t, i + 1) << 32;
}

static u64 atomic(u32 op, u64 old, u64 arg, u64 cmp, bool wide)
{
	s64 a = wide ? (s64)old : (s32)old, b = wide ? (s64)arg : (s32)arg;
	const u64 results[SIMT_NUM_ATOMS] = {
		[SIMT_ATOM_ADD] = old + arg,
		[SIMT_ATOM_SMIN] = a < b ? old : arg,
		[SIMT_ATOM_SMAX] = a > b ? old : arg,
		[SIMT_ATOM_UMIN] = min(old, arg),
		[SIMT_ATOM_UMAX] = max(old, arg),
		[SIMT_ATOM_AND] = old & arg,
		[SIMT_ATOM_OR] = old | arg,
		[SIMT_ATOM_XOR] = old ^ arg,
		[SIMT_ATOM_XCHG] = arg,
		[SIMT_ATOM_CMPXCHG] = old == cmp ? arg : old,
	};

	return results[op];
}

static void expect_atomic(u32 t, u64 va, u32 *shown)
{
	bool wide = d.imm & SIMT_ATOM_64;
	u64 arg = wide ? wide_value(t, 1) : (u32)first_value(t, 1);
	u64 cmp = wide ? wide_value(t, 3) : (u32)first_value(t, 2), old = 0, new;

	get(va, &old, num_bytes());
	new = atomic(SIMT_ATOM_OP(d.imm), old, arg, cmp, wide);
	set(va, &new, num_bytes());
	if (!(d.imm & SIMT_ATOM_NORET))
		memcpy(shown, &old, num_bytes());
}

static void expect_thread(u32 t, const struct place *p, u32 *shown)
{
	u32 bytes = num_bytes();

	if (d.op == SIMT_ATOM) {
		expect_atomic(t, p->va, shown);
	} else if (d.op == SIMT_ST) {
		set(p->va, shown, bytes);
	} else {
		memset(shown, 0, 4 * DIV_ROUND_UP(bytes, 4));
		get(p->va, shown, min(bytes, p->left));
	}
}

static u32 shown[MAX_THREADS][4];

/* Return: all threads can do it. */
static bool expect(void)
{
	bool good = true, misaligned;
	u32 t, i;

	for (t = 0; t < num_threads(); t++) {
		struct place p = place_of(t);

		for (i = 0; i < 4; i++)
			shown[t][i] = (u32)first_value(t, i);
		if (!d.on[t])
			continue;
		if (allowed(&p, &misaligned))
			expect_thread(t, &p, shown[t]);
		else
			good = false;
	}
	return good;
}

/* Is it the fault of a thread? */
static bool is_fault(const struct vs_fault *f)
{
	enum vs_fault_kind kind = d.op == SIMT_LD ? VS_FAULT_READ : VS_FAULT_WRITE;
	bool misaligned;
	u32 t;

	for (t = 0; t < num_threads(); t++) {
		struct place p = place_of(t);

		if (d.on[t] && !allowed(&p, &misaligned) && f->address == p.va &&
		    f->kind == (misaligned ? VS_FAULT_MISALIGNED : kind))
			return true;
	}
	return false;
}

/* ---- the program ---- */

static void put(struct simt_block *b, u32 slot, u32 lane, u32 v)
{
	b->slot[slot * SIMT_LANES + lane] = v;
}

static void start_lane(struct simt_machine *m, struct simt_block *b, u32 l, u32 t)
{
	u64 size;
	u32 i;

	d.wls[t] = simt_seg_base(m, m->wb, SIMT_SEG_WLS, l, &size);
	d.tls[t] = simt_seg_base(m, m->wb, SIMT_SEG_TLS, l, &size);
	put(b, LOW, l, d.low[t]);
	put(b, HIGH, l, d.high[t]);
	put(b, ON, l, d.on[t]);
	put(b, OUT, l, t);
	for (i = 0; i < 4; i++)
		put(b, VALUE + i, l, (u32)first_value(t, i));
	for (i = 0; i < 2; i++) {
		put(b, ARG + i, l, (u32)first_value(t, 1 + i));
		put(b, CMP + i, l, (u32)first_value(t, 3 + i));
	}
}

static void start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 l, group, thread;

	for (l = 0; l < SIMT_LANES; l++) {
		group = g->packed > 1 ? l / g->stride : 0;
		thread = g->packed > 1 ? l % g->stride : g->first + l;
		if (b->live >> l & 1)
			start_lane(m, b, l, ((u32)g->group + group) * d.local + thread);
	}
}

static bool ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	return false;
}

static const struct simt_ops ops = { .start = start, .ext = ext };

static void emit(struct simt_builder *b, u32 op, u32 to, u32 s0, u32 s1, u32 imm)
{
	const struct simt_uop u = { .op = op, .d = to, .d2 = CMP, .s = { s0, s1, ARG, ARG + 1 },
				    .imm = imm };

	simt_builder_emit(b, &u);
}

/* Threads that are on access memory; all show the values that they have then. */
static struct simt_prog *program(void)
{
	struct simt_prog proto = { .nslots = NSLOTS, .warp = 4, .zero = NSLOTS, .forget = true };
	u32 low = d.u_low ? SIMT_U | U_LOW : LOW, high = d.u_high ? SIMT_U | U_HIGH : HIGH;
	struct simt_builder *b;
	struct simt_prog *p;

	arena.used = 0;
	b = simt_builder_new(&arena, 16, 4, NUNIF);
	if (!b)
		return NULL;
	if (SIMT_MEM_SEG(d.imm) == SIMT_SEG_BASE)
		high = SIMT_U | U_BASE;
	simt_builder_label(b, 0);
	emit(b, SIMT_BRZ, 0, ON, 0, 1);
	emit(b, d.op, VALUE, low, high, d.imm);
	simt_builder_label(b, 1);
	emit(b, SIMT_ST, VALUE, OUT, SIMT_U | U_OUT,
	     SIMT_MEM(16, SIMT_SEG_BASE, 0) | SIMT_MEM_SHIFT(4));
	emit(b, SIMT_END, 0, 0, 0, 0);
	return simt_prog_finish(b, &proto, 0, &p) ? NULL : p;
}

static struct simt_machine *launch(const struct vs_map *map, const struct simt_prog *p)
{
	const u32 unif[NUNIF] = { (u32)d.base, d.base >> 32, (u32)OUT_VA, OUT_VA >> 32,
				  d.high[0], d.low[0] };
	struct simt_launch l = {
		.ops = &ops, .unif = unif, .prog = p, .ubo = d.ubo, .nubo = NUBO,
		.local = { d.local, 1, 1 }, .groups = { d.groups, 1, 1 }, .many = true,
		.wls_va = d.wls_va, .wls_size = d.wls_size, .wls_instances = d.wls_instances,
		.tls_va = d.tls_va, .tls_size = d.tls_size, .tls_total = ~0ull,
	};
	struct simt_machine *m = simt_machine_new(&arena, map);

	return m && !simt_machine_launch(m, &l) ? m : NULL;
}

/* ---- signals ---- */

static sigjmp_buf crashed;
static bool running;

static void on_signal(int sig)
{
	if (running)
		siglongjmp(crashed, 1);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void catch_signals(void)
{
	const struct sigaction sa = { .sa_handler = on_signal };

	sigaction(SIGSEGV, &sa, NULL);
	sigaction(SIGBUS, &sa, NULL);
}

/* Return: false: it did not end. */
static bool run(struct simt_machine *m, enum vs_simd simd, enum simt_status *r)
{
	u64 used;

	if (sigsetjmp(crashed, 1)) {
		running = false;
		return false;
	}
	running = true;
	do {
		*r = simt_machine_run(m, simd, 4096, &used);
	} while (*r == SIMT_RUN_MORE);
	running = false;
	return true;
}

/* ---- draws ---- */

/* An address near one of interest. */
static u64 some_address(u32 bytes)
{
	u64 at = sp.hot[rnd() % sp.nhot];

	if (d.op == SIMT_ATOM && !chance(8))
		at &= ~7ull;
	switch (rnd() % 8) {
	case 0:
		return at;
	case 1:
		return at - bytes;
	case 2:		/* a row that ends there */
		return at - (u64)bytes * SIMT_LANES;
	case 3:
		return at - bytes * (rnd() % SIMT_LANES);
	case 4:
		return at + bytes * (rnd() % 16);
	case 5:
		return at - rnd() % 64;
	default:
		return at + bytes * (rnd() % 256) - 128 * bytes;
	}
}

/* Where offsets of thread @t count from. */
static u64 origin(u32 t)
{
	u32 index = d.high[t];

	switch (SIMT_MEM_SEG(d.imm)) {
	case SIMT_SEG_GLOBAL:
		return 0;
	case SIMT_SEG_BASE:
		return d.base;
	case SIMT_SEG_UBO:
		return index < NUBO ? d.ubo[index].va : 0;
	case SIMT_SEG_TLS:
		return d.tls_va + t * d.tls_size;
	default:
		return d.wls_va + t / d.local * d.wls_size;
	}
}

/* Operands that lead to an address, if there are some. */
static void aim(u32 t, u64 va)
{
	u64 off = va - (u64)(s64)SIMT_MEM_OFF(d.imm) - origin(t);
	u32 seg = SIMT_MEM_SEG(d.imm);

	if (d.op != SIMT_ATOM && (seg == SIMT_SEG_BASE || seg == SIMT_SEG_LOCAL))
		off >>= SIMT_MEM_SHIFT_OF(d.imm);
	d.low[t] = (u32)off;
	if (seg == SIMT_SEG_GLOBAL)
		d.high[t] = off >> 32;
}

/* A lane's address in a pattern that starts at @from; its low word is modulo 2^32. */
static void step_from(u32 t, u32 from, s32 step, bool carry)
{
	s64 off = ((s64)t - from) * step;

	d.low[t] = d.low[from] + (u32)off;
	if (SIMT_MEM_SEG(d.imm) != SIMT_SEG_GLOBAL)
		return;
	d.high[t] = d.high[from];
	if (carry)
		d.high[t] += (u32)((d.low[from] + off) >> 32);
}

static void draw_lanes(u32 first, u32 n, u32 kind)
{
	u32 bytes = num_bytes(), shift = d.op == SIMT_ATOM ? 0 : SIMT_MEM_SHIFT_OF(d.imm), l, from;
	s32 unit = max(bytes >> shift, 1u), step = unit;

	if (kind == 1)
		step = -unit;
	else if (kind == 2)
		step = 0;
	else if (kind == 3)
		step = 1 + rnd() % (2 * unit);
	for (l = 0; l < n; l++) {
		/* parts of rows */
		from = kind == 4 || kind == 8 ? first + l / 8 * 8 : first;
		if (first + l == from || kind == 6)
			aim(first + l, some_address(bytes));
		else
			step_from(first + l, from, step, kind == 7);
		if (kind == 8)
			d.high[first + l] = d.high[first];
	}
	if (kind == 5)
		aim(first + rnd() % n, some_address(bytes));
}

static void draw_on(u32 kind)
{
	u32 one = rnd() % SIMT_LANES, below = 1 + rnd() % SIMT_LANES, t;
	u64 some = (u64)rnd() << 32 | rnd();

	for (t = 0; t < num_threads(); t++) {
		u32 l = t % SIMT_LANES;

		d.on[t] = kind == 0 ? l < below : kind == 1 ? l == one :
			  kind == 2 ? some >> l & 1 : kind == 3 ? rnd() & 1 : true;
	}
}

static void draw_segments(void)
{
	static const u64 sizes[] = { 16, 64, 256, 1024, 0x100000000ull - 16, GIB4, GIB4 + 64 };
	u32 i;

	d.base = chance(2) ? sp.s->lo : chance(2) ? 0 : some_address(4);
	for (i = 0; i < NUBO; i++) {
		d.ubo[i].va = chance(2) ? sp.s->lo : some_address(4);
		d.ubo[i].size = chance(2) ? sp.s->lo + sp.s->size - d.ubo[i].va :
				sizes[rnd() % ARRAY_SIZE(sizes)];
	}
	d.wls_va = chance(2) ? sp.s->lo : some_address(4);
	d.wls_size = chance(4) ? 4 * (1 + rnd() % 300) : sizes[rnd() % ARRAY_SIZE(sizes)];
	d.wls_instances = 1 + rnd() % 40;
	d.tls_va = chance(2) ? sp.s->lo : some_address(4);
	d.tls_size = sizes[rnd() % 4];
}

static void draw_operation(u32 op, u32 seg)
{
	static const s32 offsets[] = { 0, 0, 0, 0, 4, -4, 16, -16, 1, 32767, -32768 };
	s32 off = offsets[rnd() % ARRAY_SIZE(offsets)];
	u32 bytes = chance(4) ? 1 + rnd() % 16 : chance(3) ? 4 : 1 << rnd() % 5;

	d.op = op;
	if (op == SIMT_ATOM) {
		d.imm = SIMT_ATOM_IMM(rnd() % SIMT_NUM_ATOMS, seg,
				      (chance(2) ? SIMT_ATOM_64 : 0) |
				      (chance(4) ? SIMT_ATOM_NORET : 0), off);
		return;
	}
	d.imm = SIMT_MEM(bytes, seg, off);
	if ((seg == SIMT_SEG_BASE || seg == SIMT_SEG_LOCAL) && chance(2))
		d.imm |= SIMT_MEM_SHIFT(rnd() % 5) | (chance(2) ? SIMT_MEM_SIGNED : 0);
}

static void draw_shape(void)
{
	static const u32 locals[] = { 64, 64, 64, 64, 64, 16, 24, 1, 40 };

	d.local = locals[rnd() % ARRAY_SIZE(locals)];
	/* effects of several blocks of a workgroup have no order that is known here */
	if (d.op == SIMT_LD && chance(8))
		d.local = 128;
	d.groups = chance(2) ? 1 : 1 + rnd() % MAX_GROUPS;
	d.u_low = chance(12);
	d.u_high = chance(4);
}

/*
 * Disable threads whose addresses are in the extent but outside the checked range; if @tame,
 * also those that cannot access memory.
 */
static void leave_out(bool tame)
{
	u32 t, bytes = num_bytes();
	bool misaligned;

	for (t = 0; t < num_threads(); t++) {
		struct place p = place_of(t);
		u64 va;

		for (va = p.va; va != p.va + bytes; va++)
			if (inside(va, 1) && !window_of(va, 1))
				d.on[t] = false;
		if (tame && !allowed(&p, &misaligned))
			d.on[t] = false;
	}
}

static void draw(u32 op, u32 seg)
{
	u32 kind = rnd() % 9, by, t;

	draw_operation(op, seg);
	draw_segments();
	draw_shape();
	by = d.local < SIMT_LANES ? num_threads() : d.local;
	by = by > 2 * SIMT_LANES ? SIMT_LANES : by;
	for (t = 0; t < num_threads(); t++)
		d.high[t] = chance(50) ? rnd() % 4 : t / by % NUBO;
	if (chance(3))
		memset(d.high, 0, sizeof(d.high));
	for (t = 0; t < num_threads(); t += by)
		draw_lanes(t, min(by, num_threads() - t), chance(16) ? rnd() % 9 : kind);
	/* the same for all groups */
	for (t = by; t < num_threads() && kind & 1; t++) {
		d.low[t] = d.low[t - by];
		d.high[t] = d.high[t - by];
	}
	for (t = 0; t < num_threads(); t++) {
		d.low[t] = d.u_low ? d.low[0] : d.low[t];
		d.high[t] = d.u_high ? d.high[0] : d.high[t];
	}
	draw_on(rnd() % 10);
}

/* Do low words of threads follow each other, around? */
static bool wraps(u32 first, u32 n)
{
	u32 t, bytes = num_bytes();

	for (t = first; t < first + n; t++)
		if (d.low[t] != d.low[first] + (t - first) * bytes)
			return false;
	return d.low[first + n - 1] < d.low[first];
}

/* Of the first block, if all of its threads do it at one high word. */
static void count_wrapped(void)
{
	u32 t;

	for (t = 0; t < SIMT_LANES; t++)
		if (!d.on[t] || d.high[t] != d.high[0])
			return;
	if (wraps(0, SIMT_LANES)) {
		count.rows++;
		return;
	}
	for (t = 0; t < SIMT_LANES; t += 8) {
		if (wraps(t, 8)) {
			count.parts++;
			return;
		}
	}
}

static void show_draw(const char *what)
{
	tap_comment("%s: extent %llx + %llx, op %u imm %08x, base %llx, local %u groups %u%s%s",
		    what, (unsigned long long)sp.s->lo, (unsigned long long)sp.s->size, d.op,
		    d.imm, (unsigned long long)d.base, d.local, d.groups,
		    d.u_low ? ", uniform low word" : "", d.u_high ? ", uniform high word" : "");
	tap_comment("threads 0, 1, last: %x:%08x %x:%08x %x:%08x", d.high[0], d.low[0], d.high[1],
		    d.low[1], d.high[num_threads() - 1], d.low[num_threads() - 1]);
}

/* Segments of threads are known when they have started: a first run finds them. */
static bool find_segments(const struct vs_map *map, enum vs_simd simd)
{
	struct simt_prog *p;
	struct simt_machine *m;
	bool on[MAX_THREADS];
	enum simt_status r;

	memcpy(on, d.on, sizeof(on));
	memset(d.on, 0, sizeof(d.on));
	p = program();
	m = p ? launch(map, p) : NULL;
	if (!m || !run(m, simd, &r) || r != SIMT_RUN_DONE)
		return false;
	memcpy(d.on, on, sizeof(on));
	leave_out(!chance(3));
	return true;
}

static bool check(const struct simt_machine *m, enum simt_status r, bool good)
{
	if (!good) {
		count.faults++;
		return r == SIMT_RUN_FAULT && is_fault(simt_machine_fault(m)) &&
		       memory_right(true);
	}
	count.done++;
	return r == SIMT_RUN_DONE && memory_right(false) &&
	       !memcmp(out, shown, num_threads() * sizeof(*out));
}

static bool one(enum vs_simd simd)
{
	const struct vs_extent e[] = {
		{ sp.s->lo, sp.s->lo + sp.s->size, sp.kva, VS_EXT_WRITE },
		{ OUT_VA, OUT_VA + sizeof(out), (u8 *)out, VS_EXT_WRITE },
	};
	const struct vs_map map = { .n = 2, .ext = e };
	struct simt_prog *p;
	struct simt_machine *m;
	enum simt_status r;
	bool good, ok;

	if (!find_segments(&map, simd)) {
		show_draw("not executed");
		return false;
	}
	reset_memory();
	good = expect();
	p = program();
	m = p ? launch(&map, p) : NULL;
	if (!m || !run(m, simd, &r)) {
		show_draw("access out of bounds");
		return false;
	}
	ok = check(m, r, good);
	if (ok && good)
		count_wrapped();
	if (!ok)
		show_draw(good ? "wrong result" : "wrong fault");
	return ok;
}

/* ---- tests ---- */

static bool has_segment(u32 op, u32 seg)
{
	return op == SIMT_LD || (seg != SIMT_SEG_UBO && (op == SIMT_ST || seg != SIMT_SEG_LOCAL));
}

static bool draws(enum vs_simd simd, u32 op, u32 n)
{
	u32 bad = 0, seg, i;

	for (seg = SIMT_SEG_GLOBAL; seg <= SIMT_SEG_LOCAL; seg++) {
		for (i = 0; has_segment(op, seg) && i < n && bad < 4; i++) {
			draw(op, seg);
			bad += !one(simd);
		}
	}
	return !bad;
}

static void test_op(enum vs_simd simd, u32 op, const char *name, u32 n)
{
	bool ok = true;
	u32 i;

	memset(&count, 0, sizeof(count));
	for (i = 0; i < ARRAY_SIZE(spaces); i++) {
		if (!make_space(&spaces[i])) {
			tap_result(false, "memory of %llu bytes",
				   (unsigned long long)spaces[i].size);
			return;
		}
		ok &= draws(simd, op, n);
		munmap(sp.map, sp.map_size);
	}
	/* rare cases must occur */
	tap_result(ok && count.done > count.faults && count.faults > n &&
		   (op == SIMT_ATOM || (count.rows && count.parts)),
		   "%s, %s: %u done, %u rows and %u parts that wrap, %u faults",
		   vs_simd_name(simd), name, count.done, count.rows, count.parts, count.faults);
}

int main(int argc, char **argv)
{
	bool more = argc > 1 && !strcmp(argv[1], "--long");
	u32 simd, n;

	arena.base = aligned_alloc(64, ARENA);
	arena.size = ARENA;
	if (!arena.base)
		return 1;
	catch_signals();
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() & BIT(simd)))
			continue;
		n = more ? 4000 : 150;
		test_op(simd, SIMT_LD, "loads", n);
		test_op(simd, SIMT_ST, "stores", n);
		test_op(simd, SIMT_ATOM, "atomics", n);
	}
	free(arena.base);
	return tap_done();
}
