// SPDX-License-Identifier: GPL-2.0
/* Test programs and data. */
#include <getopt.h>

#include "eng.h"

const char * const eng_fp_name[VS_NUM_FP] = { "f32", "f24-trunc", "f24-nearest" };

/* Zeros, ones, infinities, NaNs, subnormals, limits of binary32 and of 1.7.16. */
const u32 eng_edges[] = {
	0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000,
	0x3f000000, 0xbf000000, 0x3f7fffff, 0x3f800001, 0x3f7fff80, 0x3f800080,
	0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7fc12345, 0x7f812345,
	0xff800001, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000,
	0x7f7fffff, 0xff7fffff, 0x20800000, 0xa0800000, 0x207fff80, 0x207fffff,
	0x20800080, 0x20000000, 0x18800000, 0x187fffff, 0x5f7fff80, 0x5f7fffff,
	0x5f800000, 0xdf800000, 0x5f000000, 0x4f000000, 0xcf000000, 0x4effff80,
	0x4f800000, 0xcf000001, 0x42fffe00, 0xc2fffe00, 0x43000000, 0x42800000,
	0xc2780000, 0xc27c0000, 0xc3150000, 0xc3160000, 0xc2fc0000, 0x4b000000,
	0x4b7fffff, 0xcb000001, 0x3fb504f3, 0x3f3504f3, 0x3f3504f4, 0x40490fdb,
	0x3eaaaaab, 0x3f19999a, 0x41200000, 0x47800000, 0x2f800000, 0x3fc00000,
};

const u32 eng_nedges = ARRAY_SIZE(eng_edges);

void eng_options(int argc, char **argv, struct eng_opts *opt)
{
	static const struct option opts[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "long", no_argument, NULL, 'l' },
		{ }
	};
	int c;

	*opt = (struct eng_opts){ .seed = 1 };
	while ((c = getopt_long(argc, argv, "", opts, NULL)) != -1) {
		if (c == 's') {
			opt->seed = strtoull(optarg, NULL, 0);
		} else if (c == 'l') {
			opt->longer = true;
		} else {
			fprintf(stderr, "usage: %s [--seed N] [--long]\n", argv[0]);
			exit(2);
		}
	}
	tap_comment("seed %llu", (unsigned long long)opt->seed);
}

void eng_srand(struct eng_rand *r, uint64_t seed)
{
	r->s = (seed + 1) * 0x9e3779b97f4a7c15ULL;
	eng_rand(r);
	eng_rand(r);
}

u32 eng_rand(struct eng_rand *r)
{
	r->s ^= r->s >> 12;
	r->s ^= r->s << 25;
	r->s ^= r->s >> 27;
	return (r->s * 0x2545f4914f6cdd1dULL) >> 32;
}

u32 eng_below(struct eng_rand *r, u32 n)
{
	return ((u64)eng_rand(r) * n) >> 32;
}

u32 eng_mild(struct eng_rand *r)
{
	return (eng_rand(r) & 0x807fffff) | (120 + eng_below(r, 14)) << 23;
}

u32 eng_operand(struct eng_rand *r)
{
	u32 v = eng_edges[eng_below(r, eng_nedges)];

	switch (eng_below(r, 8)) {
	case 0:
	case 1:
	case 2:
		return v;
	case 3:
		return v + eng_below(r, 5) - 2;
	case 4:
		return eng_rand(r);
	case 5:
		return (v & 0xff800000) | (eng_rand(r) & 0x7fffff);
	case 6:
		return (eng_rand(r) & 0x807fffff) | (60 + eng_below(r, 134)) << 23;
	default:
		return eng_mild(r);
	}
}

struct vs_builder *eng_builder(u32 nguest)
{
	struct vs_builder *b = vs_builder_new(nguest, ENG_SLOTS, ENG_UNIF);

	if (!b) {
		fprintf(stderr, "out of memory\n");
		exit(2);
	}
	return b;
}

void eng_emit(struct vs_builder *b, u32 guest, struct vs_uop u)
{
	if (!u.ncomp)
		u.ncomp = 1;
	vs_builder_guest(b, guest);
	vs_builder_emit(b, &u);
}

int eng_finish_err(struct vs_builder *b, struct vs_prog **p)
{
	static const struct vs_reg regs[] = {
		{ "in0", 4, 0, SEQ(ENG_IN) }, { "out0", 4, 0, SEQ(ENG_OUT) },
		{ "t0", 4, 0, SEQ(ENG_TEMP) }, { "al", 1, 1, { ENG_AL } },
		{ "p", 2, 2, { 0, 1 } },
	};
	struct vs_prog proto = {
		.in_slot = ENG_IN, .out_slot = ENG_OUT, .shadow_slot = ENG_SHADOW,
		.nin = 16, .nout = 16, .in_used = 0xffff, .out_written = 0xffff,
		.rows = { .mask = 127, .limit = 96, .beyond = 0x3f800000,
			  .off_min = -128, .off_max = 127 },
		.nregs = ARRAY_SIZE(regs), .regs = (struct vs_reg *)regs,
	};

	return vs_prog_finish(b, &proto, (u32[]){ 0 }, 1, p);
}

struct vs_prog *eng_finish(struct vs_builder *b)
{
	struct vs_prog *p;
	int ret = eng_finish_err(b, &p);

	if (ret) {
		fprintf(stderr, "program refused: %d\n", ret);
		exit(2);
	}
	return p;
}
