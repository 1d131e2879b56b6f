// SPDX-License-Identifier: GPL-2.0
/* Attributes, varyings and images on the Midgard reference model, made by hand. */
#include <string.h>

#include "../include/tap.h"
#include "mcode.h"

#define ORDER		0x688u		/* components in order */
#define RGBA32F		(0xbfu << 12 | ORDER)
#define RGBA32UI	(0x9du << 12 | ORDER)
#define RGBA32I		(0xddu << 12 | ORDER)
#define RGBA8		(0xbbu << 12 | ORDER)
#define RGBA8S		(0x7bu << 12 | ORDER)
#define RGBA16F		(0xdfu << 12 | ORDER)
#define R32UI		(0x85u << 12 | ORDER)
#define BGRA8		(0xbbu << 12 | 0x60a)	/* z, y, x, w */
#define RGB18		(0xbbu << 12 | 0xa88)	/* x, y, z and one */

/* A record of a buffer of attributes. */
struct buf {
	unsigned int type, r, p;
	uint32_t stride, size, magic, extra;
};

static void attribute(struct mjob *j, uint32_t fmt, int offset, const struct buf *b)
{
	mj_w32(j, MJ_ATTRS, fmt << 10 | 1 << 9);
	mj_w32(j, MJ_ATTRS + 4, (uint32_t)offset);
	mj_w64(j, MJ_BUFS, (b->type < 32 ? MJ_TEXELS : 0) | b->type |
	       (uint64_t)(b->r | b->p << 5) << 56);
	mj_w32(j, MJ_BUFS + 8, b->stride);
	mj_w32(j, MJ_BUFS + 12, b->size);
	mj_w32(j, MJ_BUFS + 16, 32);
	mj_w32(j, MJ_BUFS + 20, b->magic);
	mj_w32(j, MJ_BUFS + 28, b->extra);
	j->attrs = 1;
}

static void varying(struct mjob *j, uint32_t fmt, uint32_t stride)
{
	mj_w32(j, MJ_VARYINGS, fmt << 10 | 1 << 9);
	mj_w64(j, MJ_VARBUFS, MJ_DATA | 1);
	mj_w32(j, MJ_VARBUFS + 8, stride);
	mj_w32(j, MJ_VARBUFS + 12, MJ_DATA_SIZE);
	j->varyings = 1;
}

/* r0 = attribute 0, varying 0 = r0; by load @ld and store @st, types inferred if odd formats. */
static void copy(struct mcode *c, unsigned int ld, unsigned int ld_auto, unsigned int st,
		 unsigned int st_auto)
{
	struct mc_alu a = { 0 };

	mc_start(c);
	mc_ldst(c,
		MC_LS(.op = ld, .mask = 15, .swizzle = MC_XYZW, .arg_reg = 7, .index_reg = 7,
		      .index_format = ld_auto), MC_NOP_LS);
	mc_move(&a, MC_VMUL, 0, MC_AL0);
	mc_alu(c, &a);
	mc_ldst(c,
		MC_LS(.op = st, .swizzle = MC_XYZW, .arg_reg = 7, .index_reg = 7,
		      .index_format = 2 | st_auto), MC_NOP_LS);
}

/* Element numbers of eight invocations: four vertices of two instances. */
static void elements(void)
{
	static const struct {
		const char *what;
		struct buf b;
		uint32_t want[8];
	} t[] = {
		{ "plain", { 1, 0, 0, 4, 64, 0, 0 }, { 0, 1, 2, 3, 4, 5, 6, 7 } },
		{ "power of two", { 2, 2, 0, 4, 64, 0, 0 }, { 0, 0, 0, 0, 1, 1, 1, 1 } },
		{ "modulus", { 3, 0, 1, 4, 64, 0, 0 }, { 0, 1, 2, 0, 1, 2, 0, 1 } },
		{ "other divisor", { 4, 1, 1, 4, 64, 0x2aaaaaaa, 3 }, { 0, 0, 0, 1, 1, 1, 2, 2 } },
		{ "too short", { 1, 0, 0, 4, 20, 0, 0 }, { 0, 1, 2, 3, 4, 0, 0, 0 } },
		{ "stride", { 1, 0, 0, 8, 64, 0, 0 }, { 0, 2, 4, 6, 8, 10, 12, 14 } },
		{ "vertex number", { 34, 2, 0, 0, 0, 0, 0 }, { 0, 1, 2, 3, 0, 1, 2, 3 } },
		{ "vertex number and base", { 34, 1, 2, 0, 100, 0, 0 },
		  { 100, 101, 102, 103, 104, 105, 106, 107 } },
		{ "instance number", { 36, 1, 0, 0, 7, 0, 0 }, { 7, 7, 7, 7, 8, 8, 8, 8 } },
	};
	unsigned int i, k, bad;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct mcode c;
		struct mjob j;

		mj_new(&j);
		j.vertex = true;
		j.groups[1] = 4;
		j.groups[2] = 2;
		j.padded = 4;
		attribute(&j, R32UI, 0, &t[i].b);
		varying(&j, R32UI, 4);
		for (k = 0; k < 16; k++)
			mj_w32(&j, MJ_TEXELS + 4 * k, k);
		copy(&c, 0x97, 0, 0xd7, 0);
		bad = !mj_run(&j, &c);
		for (k = 0; k < 8; k++)
			bad += mj_r32(&j, MJ_DATA + 4 * k) != t[i].want[k];
		tap_result(!bad, "attribute buffer: %s: %u %s", t[i].what, bad, j.g.error);
		mj_free(&j);
	}
}

/* Conversions of an element to registers, and of those to an element. */
static void formats(void)
{
	static const struct {
		const char *what;
		uint32_t from, to;
		uint8_t ld, ld_auto, st, st_auto;
		uint32_t in[4], want[4];
	} t[] = {
		{ "floats", RGBA32F, RGBA32F, 0x94, 0, 0xd4, 0, { 0x3f800000, 2, 3, 0x7fc12345 },
		  { 0x3f800000, 2, 3, 0x7fc12345 } },
		{ "integers inferred", RGBA32UI, RGBA32UI, 0x94, 1, 0xd4, 1,
		  { 1, 2, 0xffffffff, 0x7fc12345 }, { 1, 2, 0xffffffff, 0x7fc12345 } },
		{ "bytes to floats", RGBA8, RGBA32F, 0x94, 0, 0xd4, 0, { 0xff400000 },
		  { 0, 0, 0x3e808081, 0x3f800000 } },
		{ "signed bytes to floats", RGBA8S, RGBA32F, 0x94, 0, 0xd4, 0, { 0x7f80817f },
		  { 0x3f800000, 0xbf800000, 0xbf800000, 0x3f800000 } },
		{ "halves to floats", RGBA16F, RGBA32F, 0x94, 0, 0xd4, 0,
		  { 0x40003c00, 0x8000fc00 }, { 0x3f800000, 0x40000000, 0xff800000, 0x80000000 } },
		{ "floats as halves in registers", RGBA32F, RGBA32F, 0x95, 0, 0xd5, 0,
		  { 0x3f800000, 0x3f800fff, 0x40000000, 0 },
		  { 0x3f800000, 0x3f800000, 0x40000000, 0 } },
		{ "floats to bytes", RGBA32F, RGBA8, 0x94, 0, 0xd4, 0,
		  { 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000 }, { 0xff8000ff } },
		{ "floats to halves", RGBA32F, RGBA16F, 0x94, 0, 0xd4, 1,
		  { 0x3f800000, 0xbf800000, 0x3f000000, 0x47800000 }, { 0xbc003c00, 0x7c003800 } },
		{ "integers to floats", RGBA32I, RGBA32F, 0x94, 0, 0xd4, 0, { 1, 0xffffffff, 0, 2 },
		  { 0x3f800000, 0xbf800000, 0, 0x40000000 } },
		{ "other order", BGRA8, RGBA8, 0x94, 0, 0xd4, 0, { 0xff804020 }, { 0xff204080 } },
		{ "alpha of one", RGB18, RGBA8, 0x94, 0, 0xd4, 0, { 0x00804020 }, { 0xff804020 } },
	};
	static const struct buf b = { 1, 0, 0, 16, 16, 0, 0 };
	unsigned int i, k, bad;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct mcode c;
		struct mjob j;

		mj_new(&j);
		j.vertex = true;
		attribute(&j, t[i].from, 0, &b);
		varying(&j, t[i].to, 16);
		for (k = 0; k < 4; k++)
			mj_w32(&j, MJ_TEXELS + 4 * k, t[i].in[k]);
		copy(&c, t[i].ld, t[i].ld_auto, t[i].st, t[i].st_auto);
		bad = !mj_run(&j, &c);
		for (k = 0; k < 4; k++)
			bad += mj_r32(&j, MJ_DATA + 4 * k) != t[i].want[k];
		tap_result(!bad, "%s: %08x %08x %08x %08x %s", t[i].what, mj_r32(&j, MJ_DATA),
			   mj_r32(&j, MJ_DATA + 4), mj_r32(&j, MJ_DATA + 8),
			   mj_r32(&j, MJ_DATA + 12), j.g.error);
		mj_free(&j);
	}
}

/* An element of which the program gives the number. */
static void explicit(void)
{
	static const struct buf b = { 1, 0, 0, 4, 64, 0, 0 };
	struct mc_alu a = { 0 };
	unsigned int k;
	struct mcode c;
	struct mjob j;
	bool ok;

	mj_new(&j);
	attribute(&j, R32UI, 4, &b);
	for (k = 0; k < 16; k++)
		mj_w32(&j, MJ_TEXELS + 4 * k, k);
	mj_push(&j, 1, 1, 9);
	mc_start(&c);
	mc_move(&a, MC_VMUL, 22, MC_AL0);
	mc_alu(&c, &a);
	mc_ldst(&c,
		MC_LS(.op = 0x96, .mask = 15, .swizzle = MC_XYZW, .arg_reg = 0, .arg_comp = 1,
		      .toggle = true, .index_reg = 7, .offset = 0x1fd), MC_NOP_LS);
	mc_store(&c, 0, 0, 0);
	ok = mj_run(&j, &c) && mj_r32(&j, MJ_DATA) == 9 - 3 + 1 && !mj_r32(&j, MJ_DATA + 4);
	tap_result(ok, "element by number: %u %s", mj_r32(&j, MJ_DATA), j.g.error);
	mj_free(&j);
}

/* 8 x 4 texels of 32 bits in two slices. */
static void image(struct mjob *j, unsigned int type)
{
	struct buf b = { type, 0, 0, 4, 0x400, 3 | 1 << 16, type == 5 ? 128 : 0x400 };

	attribute(j, R32UI, 0, &b);
	mj_w32(j, MJ_BUFS + 16, 32 | 7 << 16);
	mj_w32(j, MJ_BUFS + 24, type == 5 ? 32 : 1024);
}

static void images(void)
{
	static const struct { unsigned int type; uint32_t xy, z; uint64_t at; } t[] = {
		{ 5, 3 | 2 << 16, 1, MJ_TEXELS + 128 + 64 + 12 },
		{ 5, 7 | 3 << 16, 0, MJ_TEXELS + 96 + 28 },
		{ 5, 8 | 3 << 16, 0, 0 }, { 5, 7 | 4 << 16, 0, 0 }, { 5, 0, 2, 0 },
		/* x 5, y 3: bits of x ^ y under those of y are 0, 1; 1, 1; 1, 0 */
		{ 6, 5 | 3 << 16, 0, MJ_TEXELS + 4 * 0x1e },
		{ 6, 5 | 3 << 16, 1, MJ_TEXELS + 0x400 + 4 * 0x1e },
	};
	unsigned int i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct mc_alu a = { 0 };
		struct mcode c;
		struct mjob j;
		uint64_t va;
		bool ok;

		mj_new(&j);
		image(&j, t[i].type);
		mj_w32(&j, t[i].at, 0x12345678);
		mj_push(&j, 1, 0, t[i].xy);
		mj_push(&j, 1, 1, t[i].z);
		mj_push(&j, 1, 2, 0x55);
		mc_start(&c);
		mc_move(&a, MC_VMUL, 22, MC_AL0);
		mc_move(&a, MC_VLUT, 22, MC_AL1);
		mc_alu(&c, &a);
		mc_ldst(&c,
			MC_LS(.op = 0xb6, .reg = 0, .mask = 3, .swizzle = MC_XYZW, .toggle = true,
			      .index_reg = 7),
			MC_LS(.op = 0x0d, .reg = 0, .mask = 12, .swizzle = MC_XYZW, .toggle = true,
			      .index_reg = 7));
		mc_ldst(&c,
			MC_LS(.op = 0xda, .reg = 1, .swizzle = MC_Z, .toggle = true,
			      .index_reg = 7), MC_NOP_LS);
		mc_store(&c, 0, 0, 0);
		ok = mj_run(&j, &c);
		va = mj_r32(&j, MJ_DATA + 8) | (uint64_t)mj_r32(&j, MJ_DATA + 12) << 32;
		ok = ok && va == t[i].at && (!va || mj_r32(&j, t[i].at) == 0x55) &&
			mj_r32(&j, MJ_DATA) == (va ? 0x12345678 : 0);
		tap_result(ok, "image of type %u, %08x, %u: %x at %llx %s", t[i].type, t[i].xy,
			   t[i].z, mj_r32(&j, MJ_DATA), (unsigned long long)va, j.g.error);
		mj_free(&j);
	}
}

/* Colours to words and back. */
static void packing(void)
{
	static const uint32_t fmt = RGBA8;
	struct mc_alu a = { 0 };
	struct mcode c;
	struct mjob j;
	bool ok;

	mj_new(&j);
	mj_push(&j, 1, 0, 0x3f800000);
	mj_push(&j, 1, 1, 0x3e808081);
	mj_push(&j, 1, 2, 0);
	mj_push(&j, 1, 3, 0x3f800000);
	mc_start(&c);
	mc_move(&a, MC_VMUL, 22, MC_AL0);
	mc_alu(&c, &a);
	mc_ldst(&c, MC_LS(.op = 0x08, .reg = 26, .mask = 1, .swizzle = MC_XYZW, .shift = fmt & 15,
			  .offset = (int)(fmt >> 4)), MC_NOP_LS);
	mc_ldst(&c,
		MC_LS(.op = 0x10, .reg = 0, .mask = 1, .swizzle = MC_XYZW),
		MC_LS(.op = 0x04, .reg = 1, .mask = 15, .swizzle = MC_XYZW, .shift = fmt & 15,
		      .offset = (int)(fmt >> 4)));
	mc_store(&c, 0, 0, 0);
	mc_store(&c, 1, 16, 0);
	ok = mj_run(&j, &c) && mj_r32(&j, MJ_DATA) == 0xff0040ff &&
		mj_r32(&j, MJ_DATA + 20) == 0x3e808081 && mj_r32(&j, MJ_DATA + 28) == 0x3f800000;
	tap_result(ok, "colour packed and unpacked: %08x %08x %s", mj_r32(&j, MJ_DATA),
		   mj_r32(&j, MJ_DATA + 20), j.g.error);
	mj_free(&j);
}

int main(void)
{
	tap_start();
	elements();
	formats();
	explicit();
	images();
	packing();
	return tap_done();
}
