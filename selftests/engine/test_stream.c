// SPDX-License-Identifier: GPL-2.0
/*
 * Streams and maps: formats, strides, indices, instances, divisors against a plain
 * reading of their definition; faults name the address, the stream and the invocation.
 */
#include "gen.h"
#include "engine/vs_num.h"
#include "../ref/pica_ref_num.h"

#define SIZE	0x40000
#define IN	0x10000ULL
#define IDX	0x200000ULL
#define OUT	0x400000ULL
#define NINV	300

static u8 mem_in[SIZE + 64], mem_idx[8192], mem_out[SIZE];
static struct vs_prog *copy;
static struct eng_rand rnd;
static u32 unif[ENG_UNIF];

/* o0 = v0, o1 = v1 */
static void make_copy(void)
{
	struct vs_builder *b = eng_builder(4);

	eng_emit(b, 0, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT), .a = SEQ(0)));
	eng_emit(b, 1, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT + 4), .a = SEQ(4)));
	eng_emit(b, 2, UOP(.op = VS_OP_END));
	copy = eng_finish(b);
}

static struct vs_fault run_map(const struct vs_map *map, const struct vs_launch *l,
			       enum vs_simd simd)
{
	struct vs_job_limits lim = { .budget = 1ULL << 40, .simd = simd, .slice = 500 };
	struct vs_job *job = vs_job_new(map, &lim, 1);
	struct vs_fault f = { .kind = 0xdead };
	u64 steps = 0;

	if (job && !vs_job_add_launch(job, l)) {
		eng_finish_job(job, eng_worker(), &steps);
		f = *vs_job_get_fault(job);
	}
	vs_job_free(job);
	return f;
}

static struct vs_fault run(const struct vs_launch *l, enum vs_simd simd)
{
	static const struct vs_extent ext[3] = {
		{ IN, IN + SIZE, mem_in, 0 },
		{ IDX, IDX + sizeof(mem_idx), mem_idx, 0 },
		{ OUT, OUT + SIZE, mem_out, VS_EXT_WRITE },
	};

	return run_map(&(struct vs_map){ 3, ext }, l, simd);
}

static struct vs_launch launch(void)
{
	return (struct vs_launch){
		.prog = copy, .count = NINV, .instances = 1, .unif = unif, .nattr = 1, .nout = 1,
		.attr[0] = { .va = IN, .stride = 16, .format = VS_FMT_F32, .ncomp = 4 },
		.out[0] = { .va = OUT, .stride = 16, .format = VS_FMT_F32, .ncomp = 4 },
	};
}

static const u32 csize[VS_NUM_FMT] = { 4, 1, 1, 2, 2, 2, 4, 4 };

/* Component @c of the element at @p, by the definition of the format. */
static u32 element(const struct vs_stream *s, const u8 *p, u32 c)
{
	s8 i8;
	s16 i16;
	u16 u16v;
	u32 u32v;

	if (c >= s->ncomp)
		return c == 3 ? 0x3f800000 : 0;
	p += c * csize[s->format];
	memcpy(&i8, p, 1);
	memcpy(&i16, p, 2);
	memcpy(&u16v, p, 2);
	memcpy(&u32v, p, 4);
	switch (s->format) {
	case VS_FMT_S8:
		return eng_bits(i8);
	case VS_FMT_U8:
		return eng_bits((u8)i8);
	case VS_FMT_S16:
		return eng_bits(i16);
	case VS_FMT_U16:
		return eng_bits(u16v);
	case VS_FMT_F16:
		return eng_bits(pica_ref_unpack(u16v, 5, 10));
	case VS_FMT_F24:
		return eng_bits(pica_ref_unpack(u32v & 0xffffff, 7, 16));
	default:
		return u32v;
	}
}

static u32 index_of(const struct vs_launch *l, u32 vertex)
{
	u32 v = 0;

	if (!l->index_size)
		return vertex;
	memcpy(&v, mem_idx + (l->index_va - IDX) + vertex * l->index_size, l->index_size);
	return v;
}

static u32 in_model(enum vs_fp_model fp, u32 bits)
{
	static const enum pica_ref_model m[] = { PICA_REF_F32, PICA_REF_F24_TRUNC,
						 PICA_REF_F24_NEAREST };

	if (fp != VS_FP_F32 && eng_isnan(bits))
		return 0x7fc00000;
	return fp == VS_FP_F32 ? bits : eng_bits(pica_ref_load(m[fp], eng_f(bits) == 0 ? bits & 0 :
							       bits));
}

/* Compare with the expected output of the launch. */
static u32 check(const struct vs_launch *l)
{
	const struct vs_stream *o = &l->out[0];
	u32 inv, c, bad = 0, vertex, inst, elem, want, got;

	for (inv = 0; inv < l->count * l->instances; inv++) {
		inst = inv / l->count;
		vertex = inv % l->count;
		elem = l->attr[0].divisor ? inst / l->attr[0].divisor :
		       l->first + index_of(l, vertex);
		for (c = 0; c < o->ncomp; c++) {
			const u8 *p = mem_in + (l->attr[0].va - IN) + (u64)elem * l->attr[0].stride;

			want = in_model(l->fp, element(&l->attr[0], p, c));
			memcpy(&got, mem_out + (o->va - OUT) + (u64)inv * o->stride + 4 * c, 4);
			if (o->format == VS_FMT_F24)
				got = eng_bits(pica_ref_unpack(got, 7, 16));
			if (o->format == VS_FMT_F24)
				want = eng_bits(pica_ref_unpack(pica_ref_pack24(eng_f(want)), 7,
								16));
			if (eng_isnan(want) && eng_isnan(got))
				continue;
			if (want != got && !bad++)
				tap_comment("fp %u format %u x%u stride %u %u.%u: %08x, not %08x",
					    l->fp, l->attr[0].format, l->attr[0].ncomp,
					    l->attr[0].stride, inv, c, got, want);
		}
	}
	return bad;
}

static void random_memory(void)
{
	u32 i, v;

	for (i = 0; i < SIZE; i += 4) {
		v = eng_operand(&rnd);
		if (eng_isnan(v))
			v = 0x7fc00000;
		memcpy(mem_in + i, &v, 4);
	}
	for (i = 0; i < sizeof(mem_idx); i++)
		mem_idx[i] = eng_rand(&rnd);
}

static struct vs_launch random_launch(void)
{
	struct vs_launch l = launch();
	struct vs_stream *s = &l.attr[0];
	u32 size;

	l.fp = eng_below(&rnd, VS_NUM_FP);
	s->format = eng_below(&rnd, 3) ? eng_below(&rnd, VS_NUM_FMT) : VS_FMT_F32;
	s->ncomp = 1 + eng_below(&rnd, 4);
	size = csize[s->format];
	s->stride = size * eng_below(&rnd, 3 * s->ncomp);
	s->va = IN + size * eng_below(&rnd, 8);
	l.first = eng_below(&rnd, 10);
	l.count = 1 + eng_below(&rnd, NINV);
	if (eng_below(&rnd, 2)) {
		l.index_size = 1 << eng_below(&rnd, 2);
		l.index_va = IDX + l.index_size * eng_below(&rnd, 100);
		if (l.index_size == 2 && s->stride > 3)
			s->stride = size * (3 / size);
	}
	if (!eng_below(&rnd, 3)) {
		l.instances = 1 + eng_below(&rnd, 9);
		l.count = 1 + eng_below(&rnd, 70);
		s->divisor = eng_below(&rnd, 4);
	}
	l.out[0].ncomp = 1 + eng_below(&rnd, 4);
	l.out[0].stride = 16 + 4 * eng_below(&rnd, 3);
	l.out[0].va = OUT + 4 * eng_below(&rnd, 5);
	l.out[0].format = eng_below(&rnd, 3) ? VS_FMT_F32 : VS_FMT_F24;
	return l;
}

static void test_random(u32 n)
{
	u32 i, s, bad = 0, faults = 0;

	for (i = 0; i < n; i++) {
		struct vs_launch l = random_launch();

		if (!(i % 50))
			random_memory();
		EACH_SIMD(s) {
			memset(mem_out, 0xee, sizeof(mem_out));
			faults += run(&l, s).kind != VS_FAULT_NONE;
			bad += check(&l);
		}
	}
	tap_result(!bad && !faults, "%u random launches: %u faults, %u values wrong", n, faults,
		   bad);
}

/* ---- faults ---- */

static void expect(const char *what, const struct vs_map *map, const struct vs_launch *l,
		   u32 kind, u64 address, u32 stream, u64 inv)
{
	u32 s, bad = 0;

	EACH_SIMD(s) {
		struct vs_fault f = run_map(map, l, s);

		if (f.kind == kind && f.address == address && f.stream == stream &&
		    f.invocation == inv && f.pc == ~0U)
			continue;
		bad++;
		tap_comment("%s: kind %u address %llx stream %u invocation %llu pc %x",
			    vs_simd_name(s), f.kind, (unsigned long long)f.address, f.stream,
			    (unsigned long long)f.invocation, f.pc);
	}
	tap_result(!bad, "%s", what);
}

static void test_faults(void)
{
	struct vs_extent ext[3] = {
		{ IN, IN + 16 * 100, mem_in, 0 },
		{ IDX, IDX + 4 * 200, mem_idx, 0 },
		{ OUT, OUT + 16 * 150 + 8, mem_out, VS_EXT_WRITE },
	};
	struct vs_map map = { 3, ext };
	struct vs_launch l;
	u32 i, idx;

	l = launch();
	expect("attribute past the end of its buffer", &map, &l, VS_FAULT_READ, IN + 1600, 0, 100);
	l.attr[0].va = IN + 12;
	expect("attribute half past the end", &map, &l, VS_FAULT_READ, IN + 1600, 0, 99);
	l = launch();
	l.attr[0].va = 0;
	expect("attribute nowhere", &map, &l, VS_FAULT_READ, 0, 0, 0);
	l = launch();
	l.count = 90;
	l.first = 50;
	expect("first vertex counts", &map, &l, VS_FAULT_READ, IN + 1600, 0, 50);
	l = launch();
	l.attr[0].stride = 0;
	expect("output past the end, inside a row", &map, &l, VS_FAULT_WRITE, OUT + 16 * 150 + 8,
	       16, 150);
	l.out[0].va = IN;
	expect("output to read-only memory", &map, &l, VS_FAULT_WRITE, IN, 16, 0);
	l = launch();
	l.attr[0].stride = 0;
	l.attr[0].va = IN + 2;
	expect("misaligned attribute", &map, &l, VS_FAULT_MISALIGNED, IN + 2, 0, 0);
	l = launch();
	l.attr[0].stride = 6;
	expect("misaligned second element", &map, &l, VS_FAULT_MISALIGNED, IN + 6, 0, 1);
	l = launch();
	l.attr[0].stride = 0;
	l.out[0].stride = 18;
	expect("misaligned output", &map, &l, VS_FAULT_MISALIGNED, OUT + 18, 16, 1);
	l = launch();
	l.attr[0].stride = 0;
	l.out[0].stride = 0;
	l.index_size = 4;
	l.index_va = IDX;
	expect("index past the end of its buffer", &map, &l, VS_FAULT_READ, IDX + 800, 32, 200);
	l.index_va = IDX + 2;
	expect("misaligned index", &map, &l, VS_FAULT_MISALIGNED, IDX + 2, 32, 0);
	l = launch();
	l.index_size = 4;
	l.index_va = IDX;
	l.out[0].stride = 0;
	for (i = 0; i < 200; i++) {
		idx = i == 77 ? 0xfffffff0 : i % 100;
		memcpy(mem_idx + 4 * i, &idx, 4);
	}
	expect("wild index", &map, &l, VS_FAULT_READ, IN + 16 * 0xfffffff0ULL, 0, 77);
	l = launch();
	l.count = 10;
	l.attr[0].va = ~0ULL - 15;
	expect("addresses do not wrap", &map, &l, VS_FAULT_READ, ~0ULL - 15, 0, 0);
	l = launch();
	l.count = 120;
	l.nattr = 2;
	l.attr[1] = (struct vs_stream){ .va = IN + 16 * 10, .stride = 16, .reg = 1, .ncomp = 4 };
	expect("the lowest invocation wins", &map, &l, VS_FAULT_READ, IN + 1600, 1, 90);
}

/* Elements that straddle two extents with different memory. */
static void test_pieces(void)
{
	static u8 a[1000], b[3000], c[3000];
	struct vs_extent ext[3] = {
		{ IN, IN + sizeof(a), a, 0 },
		{ IN + sizeof(a), IN + sizeof(a) + sizeof(b), b, 0 },
		{ OUT, OUT + sizeof(c), c, VS_EXT_WRITE },
	};
	struct vs_map map = { 3, ext };
	struct vs_launch l = launch();
	u8 whole[sizeof(a) + sizeof(b)];
	u32 s, i, bad = 0;

	for (i = 0; i < sizeof(whole); i++) {
		whole[i] = 1 + eng_below(&rnd, 100);
		if (i < sizeof(a))
			a[i] = whole[i];
		else
			b[i - sizeof(a)] = whole[i];
	}
	l.count = 180;
	EACH_SIMD(s) {
		memset(c, 0, sizeof(c));
		bad += run_map(&map, &l, s).kind != VS_FAULT_NONE;
		bad += memcmp(c, whole, 180 * 16) != 0;
	}
	tap_result(!bad, "attributes across extents");
	bad = vs_map_read(&map, IN + 990, whole, 20) != 20 || memcmp(whole, a + 990, 10) ||
	      memcmp(whole + 10, b, 10);
	bad += vs_map_read(&map, IN + 3990, whole, 20) != 10;
	bad += vs_map_read(&map, IN - 1, whole, 20) != 0;
	bad += vs_map_write(&map, IN, whole, 4) != 0;
	bad += vs_map_write(&map, OUT + 2990, whole, 20) != 10 || memcmp(c + 2990, whole, 10);
	bad += vs_map_ptr(&map, IN, 1000, 0) != a || !!vs_map_ptr(&map, IN, 1001, 0);
	bad += !!vs_map_ptr(&map, IN, 10, VS_EXT_WRITE);
	bad += vs_map_ptr(&map, OUT + 8, 16, VS_EXT_WRITE) != c + 8;
	bad += !!vs_map_ptr(&map, IN + 10, ~0ULL, 0);
	bad += vs_map_find(&map, IN + 4000) || vs_map_find(&map, ~0ULL) ||
	       vs_map_find(&map, IN + 1000) != &ext[1] || vs_map_find(&map, 0);
	tap_result(!bad, "map: find, pointers, copies, %u wrong", bad);
}

/* Many small extents, which exercise the worker's extent cache. */
static void test_scattered(void)
{
	static struct vs_extent ext[401];
	static u8 piece[400][64], c[400 * 16];
	struct vs_launch l = launch();
	u32 i, s, idx, bad = 0;

	for (i = 0; i < 400; i++) {
		ext[i] = (struct vs_extent){ IN + 4096ULL * 3 * i + 48, IN + 4096ULL * 3 * i + 112,
					     piece[i], 0 };
		memset(piece[i], i % 100 + 1, 64);
		idx = (i * 37) % 400;
		memcpy(mem_idx + 4 * i, &idx, 4);
	}
	ext[400] = (struct vs_extent){ 1ULL << 40, (1ULL << 40) + sizeof(c), c, VS_EXT_WRITE };
	l.count = 400;
	l.index_size = 4;
	l.index_va = 1ULL << 41;
	l.attr[0].va = IN + 64;
	l.attr[0].stride = 4096 * 3;
	l.out[0].va = 1ULL << 40;
	{
		struct vs_extent all[402];
		struct vs_map map = { 402, all };

		memcpy(all, ext, sizeof(ext));
		all[401] = (struct vs_extent){ 1ULL << 41, (1ULL << 41) + sizeof(mem_idx), mem_idx,
					       0 };
		EACH_SIMD(s) {
			memset(c, 0, sizeof(c));
			bad += run_map(&map, &l, s).kind != VS_FAULT_NONE;
			for (i = 0; i < 400; i++)
				bad += c[16 * i] != (i * 37) % 400 % 100 + 1;
		}
	}
	tap_result(!bad, "400 extents in turn, %u wrong", bad);
}

/* The integer conversions that control code uses, against the reference. */
static void test_formats(void)
{
	u32 i, bad = 0;

	for (i = 0; i < 1 << 24; i += 7) {
		u32 v = vs_f24_unpack(i);

		if (eng_isnan(v) || eng_bits(pica_ref_unpack(i, 7, 16)) != v)
			bad += !eng_isnan(v) || !eng_isnan(eng_bits(pica_ref_unpack(i, 7, 16)));
		else
			bad += vs_f24_pack(v) != i;
	}
	tap_result(!bad, "1.7.16 unpacked and packed, %u wrong", bad);
	for (i = bad = 0; i < 1 << 16; i++) {
		u32 v = vs_f16_unpack(i), want = eng_bits(pica_ref_unpack(i, 5, 10));

		bad += v != want && !(eng_isnan(v) && eng_isnan(want));
	}
	tap_result(!bad, "binary16 unpacked, %u wrong", bad);
	for (i = bad = 0; i < 2000000; i++) {
		u32 v = eng_operand(&rnd), t = vs_f24_load(v, false), n = vs_f24_load(v, true);

		if (eng_isnan(v)) {
			bad += !eng_isnan(t) || !eng_isnan(n) || t & 0x7f;
			continue;
		}
		bad += t != eng_bits(pica_ref_load(PICA_REF_F24_TRUNC, v));
		bad += n != eng_bits(pica_ref_load(PICA_REF_F24_NEAREST, v));
	}
	tap_result(!bad, "binary32 to 1.7.16, %u wrong", bad);
}

int main(int argc, char **argv)
{
	struct eng_opts opt;

	eng_options(argc, argv, &opt);
	eng_srand(&rnd, opt.seed);
	make_copy();
	random_memory();
	test_formats();
	test_random(opt.longer ? 20000 : 1500);
	test_faults();
	test_pieces();
	test_scattered();
	vs_prog_free(copy);
	return tap_done();
}
