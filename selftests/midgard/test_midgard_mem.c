// SPDX-License-Identifier: GPL-2.0
/* Load/store operations on the Midgard reference model, made by hand. */
#include <string.h>

#include "../include/tap.h"
#include "mcode.h"

#define AT	0x40	/* of what is loaded or stored, after the results */

/* r26 = u1, r27 = u0 (address of the data) and u2.xy as its second half. */
static void arguments(struct mcode *c)
{
	struct mc_alu a = { 0 };

	mc_move(&a, MC_VMUL, 22, MC_AL0);
	mc_move(&a, MC_VLUT, 23, MC_AL1);
	mc_alu(c, &a);
}

static void data(struct mjob *j, uint32_t first)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		mj_w32(j, MJ_DATA + AT + 4 * i, first + i * 0x04040404u);
}

static void push(struct mjob *j, unsigned int vector, uint32_t x, uint32_t y, uint32_t z,
		 uint32_t w)
{
	mj_push(j, vector, 0, x);
	mj_push(j, vector, 1, y);
	mj_push(j, vector, 2, z);
	mj_push(j, vector, 3, w);
}

/* Return: whether r0 is then as wanted. */
static bool check(struct mjob *j, struct mcode *c, const uint32_t *want, const char *what)
{
	uint32_t out[4];
	unsigned int i;
	bool ok;

	mc_store(c, 0, 0, 0);
	ok = mj_run(j, c);
	for (i = 0; i < 4; i++)
		out[i] = mj_r32(j, MJ_DATA + 4 * i);
	ok = ok && !memcmp(out, want, 16);
	tap_result(ok, "%s: %08x %08x %08x %08x %s", what, out[0], out[1], out[2], out[3],
		   j->g.error);
	return ok;
}

#define POISON	0xa5a5a5a5u

/* From bytes 80, 81 ... 8f. */
static void loads(void)
{
	static const struct { uint8_t op, mask, swizzle; uint32_t want[4]; } t[] = {
		{ 0x80, 15, MC_XYZW, { 0x80, 0, 0, 0 } },
		{ 0x81, 15, MC_XYZW, { 0xffffff80, 0, 0, 0 } },
		{ 0x84, 15, MC_XYZW, { 0x8180, 0, 0, 0 } },
		{ 0x85, 15, MC_X, { 0xffff8180, 0xffff8180, 0xffff8180, 0xffff8180 } },
		{ 0x86, 15, MC_XYZW, { 0x8081, 0, 0, 0 } },
		{ 0x87, 15, MC_XYZW, { 0xffff8081, 0, 0, 0 } },
		{ 0x88, 2, MC_X, { POISON, 0x83828180, POISON, POISON } },
		{ 0x89, 15, MC_XYZW, { 0x82838081, 0, 0, 0 } },
		{ 0x8a, 15, MC_XYZW, { 0x80818283, 0, 0, 0 } },
		{ 0x8c, 15, MC_XYZW, { 0x83828180, 0x87868584, 0, 0 } },
		{ 0x8c, 12, 0x40, { POISON, POISON, 0x83828180, 0x87868584 } },
		{ 0x8d, 15, MC_XYZW, { 0x82838081, 0x86878485, 0, 0 } },
		{ 0x8e, 15, MC_XYZW, { 0x80818283, 0x84858687, 0, 0 } },
		{ 0x8f, 15, MC_XYZW, { 0x84858687, 0x80818283, 0, 0 } },
		{ 0x90, 15, 0x1b, { 0x8f8e8d8c, 0x8b8a8988, 0x87868584, 0x83828180 } },
		{ 0x91, 15, MC_XYZW, { 0x82838081, 0x86878485, 0x8a8b8889, 0x8e8f8c8d } },
		{ 0x92, 15, MC_XYZW, { 0x80818283, 0x84858687, 0x88898a8b, 0x8c8d8e8f } },
		{ 0x93, 15, MC_XYZW, { 0x84858687, 0x80818283, 0x8c8d8e8f, 0x88898a8b } },
	};
	unsigned int i, ubo;
	char what[40];

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		for (ubo = 0; ubo < 2; ubo++) {
			struct mcode c;
			struct mjob j;

			mj_new(&j);
			data(&j, 0x83828180);
			j.ubos = 70;
			/* 128 bytes; the number takes all of its fields */
			mj_w64(&j, MJ_UBOS + 8 * 69, MJ_DATA << 8 | 7);
			mc_start(&c);
			arguments(&c);
			if (ubo)
				mc_ldst(&c,
					MC_LS(.op = t[i].op + 0x20, .mask = t[i].mask,
					      .swizzle = t[i].swizzle, .arg_comp = 1, .arg_reg = 1,
					      .toggle = false, .index_format = 1, .index_reg = 7,
					      .offset = AT << 2), MC_NOP_LS);
			else
				mc_ldst(&c,
					MC_LS(.op = t[i].op, .mask = t[i].mask,
					      .swizzle = t[i].swizzle, .arg_reg = 1,
					      .toggle = true, .index_reg = 7, .offset = AT),
					MC_NOP_LS);
			snprintf(what, sizeof(what), "load %02x, mask %x, swizzle %02x",
				 t[i].op + 0x20 * ubo, t[i].mask, t[i].swizzle);
			check(&j, &c, t[i].want, what);
			mj_free(&j);
		}
}

/* Into bytes that are 11, from words 03020100 07060504 ... */
static void stores(void)
{
	static const struct { uint8_t op, mask, swizzle; uint32_t want[4]; } t[] = {
		{ 0xc0, 15, MC_XYZW, { 0x11111100, 0x11111111, 0x11111111, 0x11111111 } },
		{ 0xc1, 1, MC_Y, { 0x11111104, 0x11111111, 0x11111111, 0x11111111 } },
		{ 0xc4, 3, MC_XYZW, { 0x11110100, 0x11111111, 0x11111111, 0x11111111 } },
		{ 0xc5, 2, MC_XYZW, { 0x11110111, 0x11111111, 0x11111111, 0x11111111 } },
		{ 0xc6, 3, MC_XYZW, { 0x11110001, 0x11111111, 0x11111111, 0x11111111 } },
		{ 0xc8, 15, MC_W, { 0x0f0e0d0c, 0x11111111, 0x11111111, 0x11111111 } },
		{ 0xc8, 5, MC_XYZW, { 0x11021100, 0x11111111, 0x11111111, 0x11111111 } },
		{ 0xc9, 15, MC_XYZW, { 0x02030001, 0x11111111, 0x11111111, 0x11111111 } },
		{ 0xca, 15, MC_XYZW, { 0x00010203, 0x11111111, 0x11111111, 0x11111111 } },
		{ 0xcc, 15, MC_XYZW, { 0x03020100, 0x07060504, 0x11111111, 0x11111111 } },
		{ 0xcc, 6, MC_X, { 0x03021111, 0x11110100, 0x11111111, 0x11111111 } },
		{ 0xcd, 15, MC_XYZW, { 0x02030001, 0x06070405, 0x11111111, 0x11111111 } },
		{ 0xce, 15, MC_XYZW, { 0x00010203, 0x04050607, 0x11111111, 0x11111111 } },
		{ 0xcf, 15, MC_XYZW, { 0x04050607, 0x00010203, 0x11111111, 0x11111111 } },
		{ 0xd0, 15, 0x1b, { 0x0f0e0d0c, 0x0b0a0908, 0x07060504, 0x03020100 } },
		{ 0xd0, 10, MC_XYZW, { 0x11111111, 0x07060504, 0x11111111, 0x0f0e0d0c } },
		{ 0xd1, 15, MC_XYZW, { 0x02030001, 0x06070405, 0x0a0b0809, 0x0e0f0c0d } },
		{ 0xd2, 15, MC_XYZW, { 0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f } },
		{ 0xd3, 15, MC_XYZW, { 0x04050607, 0x00010203, 0x0c0d0e0f, 0x08090a0b } },
	};
	uint32_t out[4];
	unsigned int i, k;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct mcode c;
		struct mjob j;
		bool ok;

		mj_new(&j);
		push(&j, 1, 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c);
		for (k = 0; k < 4; k++)
			mj_w32(&j, MJ_DATA + AT + 4 * k, 0x11111111);
		mc_start(&c);
		arguments(&c);
		mc_ldst(&c,
			MC_LS(.op = t[i].op, .mask = t[i].mask, .swizzle = t[i].swizzle,
			      .arg_reg = 1, .toggle = true, .index_reg = 7, .offset = AT),
			MC_NOP_LS);
		ok = mj_run(&j, &c);
		for (k = 0; k < 4; k++)
			out[k] = mj_r32(&j, MJ_DATA + AT + 4 * k);
		tap_result(ok && !memcmp(out, t[i].want, 16),
			   "store %02x, mask %x, swizzle %02x: %08x %08x %08x %08x %s", t[i].op,
			   t[i].mask, t[i].swizzle, out[0], out[1], out[2], out[3], j.g.error);
		mj_free(&j);
	}
}

/* The address of each form, from an address operation. */
static void addresses(void)
{
	static const struct {
		const char *what;
		struct mc_ls o;
		uint64_t want;
	} t[] = {
		{ "64 bits and offset", { .arg_reg = 1, .toggle = true, .index_reg = 7,
					  .offset = -8 }, MJ_DATA - 8 },
		{ "32 bits", { .arg_reg = 0, .arg_comp = 1, .index_reg = 7 }, 0xfffffffe },
		{ "index of 32 bits, shifted", { .arg_reg = 1, .toggle = true, .index_format = 2,
						 .index_comp = 1, .shift = 3 },
		  MJ_DATA + 0x7fffffff0ull },
		{ "index of 32 bits with sign, shifted",
		  { .arg_reg = 1, .toggle = true, .index_format = 3, .index_comp = 1, .shift = 2,
		    .offset = 4 }, MJ_DATA - 4 },
		{ "index of 64 bits", { .arg_reg = 1, .toggle = true, .index_format = 1,
					.index_comp = 2, .shift = 1 }, MJ_DATA + 0x246000ull },
		{ "zero and an index of 64 bits", { .arg_reg = 7, .toggle = true, .index_format = 1,
						    .index_comp = 2 }, 0x123000 },
		{ "largest offset", { .arg_reg = 7, .toggle = true, .index_reg = 7,
				      .offset = 0x1ffff }, 0x1ffff },
	};
	unsigned int i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		uint32_t want[4] = { (uint32_t)t[i].want, (uint32_t)(t[i].want >> 32), POISON,
				     POISON };
		struct mc_ls o = t[i].o;
		struct mcode c;
		struct mjob j;

		o.op = 0x0c;
		o.mask = 3;
		mj_new(&j);
		push(&j, 1, 5, 0xfffffffe, 0x123000, 0);
		mc_start(&c);
		arguments(&c);
		mc_ldst(&c, o, MC_NOP_LS);
		check(&j, &c, want, t[i].what);
		mj_free(&j);
	}
}

/* Both operations of a bundle see the arguments as they were before it. */
static void pairs(void)
{
	static const uint32_t want[4] = { 0x83828180, 0x87868584, 5, 6 };
	struct mcode c;
	struct mjob j;

	mj_new(&j);
	data(&j, 0x83828180);
	push(&j, 1, 5, 6, 7, 8);
	mc_start(&c);
	arguments(&c);
	mc_ldst(&c,
		MC_LS(.op = 0x8c, .reg = 26, .mask = 3, .swizzle = MC_XYZW, .arg_reg = 1,
		      .toggle = true, .index_reg = 7, .offset = AT),
		MC_LS(.op = 0x10, .reg = 26, .mask = 12, .swizzle = 0x40, .arg_reg = 0));
	mc_ldst(&c, MC_LS(.op = 0x10, .reg = 0, .mask = 15, .swizzle = MC_XYZW), MC_NOP_LS);
	check(&j, &c, want, "arguments before and after a bundle");
	mj_free(&j);
}

static void buffers(void)
{
	static const uint32_t zero[4], want[4] = { 0x87868584, 0, 0, 0 };
	struct mcode c;
	struct mjob j;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		/* indexed; past the end; a buffer that is not there; bit 0 */
		mj_new(&j);
		data(&j, 0x83828180);
		j.ubos = 1;
		mj_w64(&j, MJ_UBOS, MJ_DATA << 8 | 7);
		push(&j, 1, 0, 1, 0, 0);
		mc_start(&c);
		arguments(&c);
		mc_ldst(&c,
			MC_LS(.op = 0xa8, .mask = 15, .swizzle = MC_XYZW, .index_comp = 1,
			      .shift = 2, .arg_comp = i == 2,
			      .offset = (i == 1 ? 124 : AT) << 2 | (i == 3)), MC_NOP_LS);
		if (i < 3)
			check(&j, &c, i ? zero : want, i == 0 ? "UBO by index" : i == 1 ?
			      "past the end of a UBO" : "UBO that is not there");
		else
			tap_result(!mj_run(&j, &c), "UBO load with bit 0: %s", j.g.error);
		mj_free(&j);
	}
}

static void atomics(void)
{
	static const struct { uint8_t op; bool wide; uint64_t old, arg, want; } t[] = {
		{ 0x40, false, 5, 0xffffffff, 4 }, { 0x44, false, 0xff0, 0x0ff, 0xf0 },
		{ 0x48, false, 0xff0, 0x00f, 0xfff }, { 0x4c, false, 0xff0, 0x0ff, 0xf0f },
		{ 0x50, false, 5, 0xffffffff, 0xffffffff }, { 0x54, false, 5, 0xffffffff, 5 },
		{ 0x58, false, 5, 0xffffffff, 5 }, { 0x5c, false, 5, 0xffffffff, 0xffffffff },
		{ 0x60, false, 5, 77, 77 }, { 0x64, false, 5, 77, 77 }, { 0x64, false, 6, 77, 6 },
		{ 0x42, false, 0x01000000, 0x100, 0x01010000 },
		{ 0x41, true, 0xffffffff, 1, 0x100000000ull },
		{ 0x45, true, 0xff000000000ull, 0x0f0f0000000ull, 0x0f000000000ull },
		{ 0x51, true, 5, ~0ull, ~0ull }, { 0x55, true, 5, ~0ull, 5 },
		{ 0x59, true, 5, ~0ull, 5 }, { 0x5d, true, 5, ~0ull, ~0ull },
		{ 0x61, true, 5, 0x1234567890ull, 0x1234567890ull },
		{ 0x65, true, 5, 77, 77 }, { 0x65, true, 0x100000005ull, 77, 0x100000005ull },
		{ 0x43, true, 0x0100000000000000ull, 0x100, 0x0101000000000000ull },
	};
	unsigned int i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		uint64_t got, old = t[i].old;
		struct mcode c;
		struct mjob j;
		bool ok;

		mj_new(&j);
		mj_w64(&j, MJ_DATA + AT, t[i].old);
		mj_w32(&j, MJ_DATA + AT + 8, 0x11111111);
		/* value in xy, compared with zw */
		push(&j, 1, (uint32_t)t[i].arg, (uint32_t)(t[i].arg >> 32), 5, 0);
		mc_start(&c);
		arguments(&c);
		mc_ldst(&c,
			MC_LS(.op = t[i].op, .reg = 0, .mask = 15, .swizzle = 0, .arg_reg = 1,
			      .toggle = true, .index_reg = t[i].op >= 0x64 ? 0 : 7,
			      .index_comp = 2, .offset = AT), MC_NOP_LS);
		mc_store(&c, 0, 0, 0);
		ok = mj_run(&j, &c);
		got = mj_r32(&j, MJ_DATA + AT) | (uint64_t)mj_r32(&j, MJ_DATA + AT + 4) << 32;
		if (t[i].op & 2)
			old = t[i].wide ? __builtin_bswap64(old) : __builtin_bswap32((uint32_t)old);
		ok = ok && mj_r32(&j, MJ_DATA) == (uint32_t)old &&
			mj_r32(&j, MJ_DATA + 4) == (uint32_t)(t[i].wide ? old >> 32 : old) &&
			mj_r32(&j, MJ_DATA + 8) == (uint32_t)old;
		tap_result(ok && got == t[i].want && mj_r32(&j, MJ_DATA + AT + 8) == 0x11111111,
			   "atomic %02x of %llx with %llx: %llx %s", t[i].op,
			   (unsigned long long)t[i].old, (unsigned long long)t[i].arg,
			   (unsigned long long)got, j.g.error);
		mj_free(&j);
	}
}

static void register_moves(void)
{
	static const uint32_t div_w[4] = { 0x3f800000, 0x40000000, 0x40400000, 0x3f800000 };
	static const uint32_t div_y[4] = { 0x3f000000, 0x3f800000, 0x3fc00000, 0x3f800000 };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct mcode c;
		struct mjob j;

		mj_new(&j);
		push(&j, 1, 0x40000000, 0x40800000, 0x40c00000, 0x40000000);
		mc_start(&c);
		arguments(&c);
		mc_ldst(&c,
			MC_LS(.op = i ? 0x11 : 0x13, .mask = 15, .swizzle = MC_XYZW,
			      .toggle = true), MC_NOP_LS);
		check(&j, &c, i ? div_y : div_w, i ? "divided by y" : "divided by w");
		mj_free(&j);
	}
}

static void refused(void)
{
	static const struct { const char *what; struct mc_ls o; bool unsupported; } t[] = {
		{ "trap", { .op = 0xfc }, false },
		{ "operation 02", { .op = 0x02 }, true },
		{ "colour packing", { .op = 0x08 }, true },
		{ "load 82", { .op = 0x82, .arg_reg = 1, .toggle = true, .index_reg = 7 }, true },
		{ "load at 0", { .op = 0x88, .arg_reg = 7, .index_reg = 7 }, false },
		{ "load over an end", { .op = 0x90, .arg_reg = 1, .toggle = true, .index_reg = 0,
					.index_format = 2, .index_comp = 3 }, false },
		{ "store at 0", { .op = 0xc8, .mask = 15, .arg_reg = 7, .index_reg = 7 }, false },
		{ "store of an id", { .op = 0xc8, .reg = 4, .arg_reg = 1, .toggle = true,
				      .index_reg = 7 }, true },
		{ "index of no format", { .op = 0x88, .arg_reg = 1, .toggle = true }, true },
		{ "address from y", { .op = 0x88, .arg_reg = 1, .arg_comp = 1, .toggle = true,
				      .index_reg = 7 }, true },
		{ "load to r20", { .op = 0x88, .reg = 20, .mask = 1, .arg_reg = 1, .toggle = true,
				   .index_reg = 7 }, false },
		{ "atomic at 4", { .op = 0x40, .mask = 1, .arg_reg = 7, .index_reg = 7,
				   .offset = 4 }, false },
		{ "attribute that is not there", { .op = 0x94, .mask = 1, .index_reg = 7 }, false },
		{ "varying in a compute job", { .op = 0x98, .mask = 1, .index_format = 2,
						.index_reg = 7 }, false },
	};
	unsigned int i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct mcode c;
		struct mjob j;
		bool ok;

		mj_new(&j);
		push(&j, 1, 1, 2, 3, MJ_SIZE - (uint32_t)(MJ_DATA - MJ_BASE) - 12);
		mc_start(&c);
		arguments(&c);
		mc_ldst(&c, t[i].o, MC_NOP_LS);
		ok = !mj_run(&j, &c) && j.g.unsupported == t[i].unsupported;
		tap_result(ok, "refused: %s: %s", t[i].what, j.g.error);
		mj_free(&j);
	}
}

int main(void)
{
	tap_start();
	loads();
	stores();
	addresses();
	pairs();
	buffers();
	atomics();
	register_moves();
	refused();
	return tap_done();
}
