// SPDX-License-Identifier: GPL-2.0
/*
 * Lists that must be rejected, jobs that must fault, and lists that are garbage.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "run.h"
#include "../../kernel/isa/pica/pica_launch.h"
#include "../../kernel/native/pica/pica_cl.h"

static uint64_t seed = 1;
static unsigned int rounds = 2000;

static void setup(void)
{
	float f[48];
	int i;

	for (i = 0; i < 48; i++)
		f[i] = i;
	nat_put_floats(0, f, 48);
	nat_passthrough(1);
	nat_outmap(1);
	nat_float_arrays(1);
	cb_write(&CB, R_NUMVERTS, 3);
}

static void draw(void)
{
	cb_write(&CB, R_DRAW_ARRAYS, 1);
}

/* The list must be rejected at its last command, which is removed afterwards. */
static void must_reject(unsigned int mark, unsigned int header, uint32_t reason,
			const char *name)
{
	bool ok;

	ok = !nat_run(&N, &CB) && N.ret == -ENOEXEC && N.fault.kind == VS_FAULT_COMMAND &&
	     N.fault.code == reason && N.fault.address == NAT_LIST_VA + 4 * header &&
	     N.fault.info == CB.w[header] && N.fault.pc == ~0u && N.fault.stream == ~0u;
	if (!ok)
		tap_comment("ret %d kind %u code %u address %llx info %x", N.ret, N.fault.kind,
			    N.fault.code, (unsigned long long)N.fault.address, N.fault.info);
	tap_result(ok && strlen(vs_native_reason_text(VS_NATIVE_PICA_CMDLIST, reason)) > 8,
		   "[%s] rejected: %s", nat_simd(), name);
	CB.n = mark;
}

static void test_headers(void)
{
	uint32_t v[4] = { 0 };
	unsigned int m;

	setup();
	m = CB.n;
	cb_burst(&CB, 0x2fe, v, 4, false);
	draw();
	tap_result(nat_run(&N, &CB) && N.ndraws == 1, "[%s] one register several times",
		   nat_simd());
	CB.n = m;
	cb_word(&CB, 0);
	cb_word(&CB, R_NUMVERTS | 0xf << 16 | 1 << 20);
	must_reject(m, m + 1, PICA_CL_TRUNCATED, "a command with a word missing");
	cb_word(&CB, 0);
	cb_word(&CB, R_NUMVERTS | 0xf << 16 | 255 << 20);
	cb_word(&CB, 1);
	cb_word(&CB, 1);
	must_reject(m, m + 1, PICA_CL_TRUNCATED, "a long command cut off");
}

/* The triangle is drawn as without the commands since @mark, which are removed afterwards. */
static void must_ignore(unsigned int mark, uint32_t strays, const char *name)
{
	static const float want[3][4] = { { 0, 1, 2, 3 }, { 4, 5, 6, 7 }, { 8, 9, 10, 11 } };
	unsigned int i, c;
	bool ok;

	draw();
	ok = nat_run(&N, &CB) && N.ndraws == 1 && N.draw[0].vertices == 3 && N.strays == strays;
	for (i = 0; i < 3 && ok; i++) {
		for (c = 0; c < 4; c++)
			ok &= nat_f(&N, 0, i, c) == want[i][c];
	}
	if (!ok)
		tap_comment("ret %d kind %u code %u draws %u strays %u", N.ret, N.fault.kind,
			    N.fault.code, N.ndraws, N.strays);
	tap_result(ok, "[%s] ignored: %s", nat_simd(), name);
	CB.n = mark;
}

/* Registers that do not exist: writes have no effect on a console, and games make them. */
static void test_no_register(void)
{
	static const uint16_t ids[] = { 0x300, 0x301, 0x3ff, 0x400, 0xfff, 0x1000, 0x8010, 0xffff };
	uint32_t v[256];
	unsigned int i, m;
	char name[80];

	setup();
	m = CB.n;
	for (i = 0; i < 256; i++)
		v[i] = 0xffffffff;
	must_ignore(m, 0, "nothing");
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		snprintf(name, sizeof(name), "register %#x", ids[i]);
		cb_mask(&CB, ids[i], 0xf, 0xffffffff);
		must_ignore(m, 1, name);
	}
	for (i = 1; i < 16; i++) {
		snprintf(name, sizeof(name), "register 0x300, byte mask %u", i);
		cb_mask(&CB, 0x300, i, 0xffffffff);
		must_ignore(m, 1, name);
	}
	cb_mask(&CB, 0xffff, 0, 0);
	must_ignore(m, 0, "no byte of register 0xffff, which is no write");
	cb_burst(&CB, 0x2fe, v, 4, true);
	must_ignore(m, 2, "consecutive registers beyond the last");
	cb_burst(&CB, 0x2de, v, 255, true);
	must_ignore(m, 255 - (0x300 - 0x2de), "consecutive registers through 0x300");
	cb_burst(&CB, 0x300, v, 256, true);
	must_ignore(m, 256, "consecutive registers from 0x300 on");
	cb_burst(&CB, 0xffff, v, 256, true);
	must_ignore(m, 256, "consecutive registers beyond 0xffff, which do not begin again at 0");
	cb_burst(&CB, 0x300, v, 255, false);
	must_ignore(m, 255, "a register several times");
	/* the write before 0x300 is made */
	v[0] = 0;
	cb_burst(&CB, 0x2ff, v, 2, true);
	cb_write(&CB, R_NUMVERTS, 6);
	cb_mask(&CB, 0x300 + R_NUMVERTS, 0xf, 3);
	draw();
	tap_result(nat_run(&N, &CB) && N.ndraws == 1 && N.draw[0].vertices == 6 && N.strays == 2,
		   "[%s] numbers are not shortened to 0x2ff", nat_simd());
}

/* A write without an effect does not divide the vertices of the list into draws, either. */
static void test_no_register_immediate(void)
{
	static const float v[4] = { 1, 2, 3, 4 };
	unsigned int i;
	uint32_t w[3];

	setup();
	cb_write(&CB, R_NUM_ATTR, 0);
	cb_write(&CB, R_FIXED_INDEX, 0xf);
	cb_pack24(v, w);
	for (i = 0; i < 3; i++) {
		cb_burst(&CB, R_FIXED_DATA, w, 3, false);
		cb_mask(&CB, 0x345, 0xf, 0);
	}
	tap_result(nat_run(&N, &CB) && N.ndraws == 1 && N.draw[0].vertices == 3 &&
		   nat_f(&N, 0, 2, 1) == 2 && N.strays == 3,
		   "[%s] vertices of the list with such writes between them", nat_simd());
}

static void test_submit(void)
{
	setup();
	tap_result(!nat_run_words(&N, CB.w, CB.n - 1) && N.ret == -EINVAL,
		   "[%s] odd number of words", nat_simd());
	N.model = 2;
	tap_result(!nat_run(&N, &CB) && N.ret == -EINVAL, "[%s] model", nat_simd());
	N.model = 1;
	N.switches = 1;
	tap_result(!nat_run(&N, &CB) && N.ret == -EINVAL, "[%s] rounding in binary32",
		   nat_simd());
	N.switches = 2048;
	tap_result(!nat_run(&N, &CB) && N.ret == -EINVAL, "[%s] switches", nat_simd());
	N.switches = 0;
	N.output_size = 24;
	tap_result(!nat_run(&N, &CB) && N.ret == -EINVAL, "[%s] no room for the end marker",
		   nat_simd());
}

static void test_draw_registers(void)
{
	unsigned int m;

	setup();
	m = CB.n;
	cb_write(&CB, R_ATTR_BUF0 + 5, 13u << 28);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_LOADER, "a vertex buffer of 13 components");
	cb_write(&CB, R_GEOSTAGE, 1);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_GS_USE, "geometry stage 1");
	cb_write(&CB, R_GEOSTAGE, 3);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_GS_USE, "geometry stage 3");
}

/* One buffer of @ncomp components @ids with a stride. */
static void buffer(uint32_t ids, uint32_t ncomp, uint32_t stride)
{
	cb_write(&CB, R_ATTR_BUF0 + 1, ids);
	cb_write(&CB, R_ATTR_BUF0 + 2, ncomp << 28 | stride << 16);
}

static void test_strict_stride(void)
{
	unsigned int m;

	setup();
	m = CB.n;
	N.switches = PICA_SW_STRICT;
	draw();
	tap_result(nat_run(&N, &CB), "[%s] strict: the stride is the size", nat_simd());
	CB.n = m;
	buffer(0, 1, 20);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_STRIDE, "strict: a larger stride");
	buffer(0, 1, 0);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_STRIDE, "strict: stride 0");
	buffer(0xc0, 2, 20);
	draw();
	tap_result(nat_run(&N, &CB), "[%s] strict: padding fills the stride", nat_simd());
	CB.n = m;
	/* v1 is three bytes: the size is not rounded up */
	N.parse_only = true;
	cb_write(&CB, R_ATTR_FMT_LOW, 0x9f);
	buffer(0x10, 2, 19);
	draw();
	tap_result(nat_run(&N, &CB), "[%s] strict: a size that is no multiple of 4", nat_simd());
	CB.n -= 2;
	buffer(0x10, 2, 20);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_STRIDE, "strict: a size rounded up");
	N.parse_only = false;
	buffer(0, 0, 20);
	draw();
	tap_result(nat_run(&N, &CB), "[%s] strict: no components", nat_simd());
	CB.n = m;
	N.switches = 0;
	buffer(0, 1, 20);
	draw();
	tap_result(nat_run(&N, &CB), "[%s] a larger stride", nat_simd());
}

static void test_geometry_registers(void)
{
	static const uint32_t code[1] = { OP_END };
	unsigned int m;

	setup();
	cb_write(&CB, R_GEOSTAGE, 2);
	cb_write(&CB, R_COM_MODE, 1);
	cb_code(&CB, R_GSH, code, 1);
	cb_write(&CB, R_GSH + SH_INPUTS, 0x08000000);
	cb_write(&CB, R_GSH + SH_OUTMASK, 1);
	m = CB.n;
	cb_write(&CB, R_GSH_MISC0, 3);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_GS_MODE, "geometry mode 3");
	cb_write(&CB, R_GSH_MISC0, 0xff);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_GS_MODE, "geometry mode 255");
	cb_write(&CB, R_GSH_MISC0, 1);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_GS_CONFIG, "variable mode with inputs");
	cb_write(&CB, R_GSH + SH_INPUTS, 0x08000100);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_GS_CONFIG, "point mode without inputs");
	cb_write(&CB, R_GSH + SH_INPUTS, 0x08000100);
	cb_write(&CB, R_GSH_MISC0, 1);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_GS_CONFIG, "variable mode without its flag");
	cb_write(&CB, R_GEOSTAGE, 0x80000002);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_GS_CONFIG, "point mode with the flag");
	cb_write(&CB, R_GEOSTAGE, 0x80000002);
	cb_write(&CB, R_GSH_MISC0, 1);
	cb_write(&CB, R_GSH + SH_INPUTS, 0x08000100);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_GS_INDEX, "variable mode without indices");
	cb_write(&CB, R_GSH_MISC0, 2 | 1 << 12);
	cb_write(&CB, R_GSH + SH_INPUTS, 0x08000100);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_GS_CONFIG, "fixed mode with another stride");
	cb_write(&CB, R_OUTMAP_TOTAL1, 1);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_GS_INPUTS, "two outputs for one input");
	cb_write(&CB, R_GSH + SH_OUTMASK, 0);
	draw();
	must_reject(m, CB.n - 1, PICA_CL_GS_OUTPUTS, "geometry unit without outputs");
	draw();
	tap_result(nat_run(&N, &CB) && N.ndraws == 1, "[%s] the same without the mistakes",
		   nat_simd());
}

static void test_programs(void)
{
	uint32_t code[2] = { 0x10u << 26, OP_END };

	setup();
	cb_write(&CB, R_VSH + SH_CODE_INDEX, 7);
	cb_write(&CB, R_VSH + SH_CODE_DATA, code[0]);
	cb_write(&CB, R_VSH + SH_CODE_DATA, code[1]);
	draw();
	tap_result(nat_run(&N, &CB), "[%s] an undefined word that is not reached", nat_simd());
	cb_write(&CB, R_VSH + SH_ENTRY, 7);
	draw();
	tap_result(!nat_run(&N, &CB) && N.ret == -ENOEXEC && N.fault.kind == VS_FAULT_ENCODING &&
		   N.fault.pc == 7 && N.fault.draw == 1 &&
		   N.fault.address == NAT_LIST_VA + 4 * (CB.n - 1),
		   "[%s] an undefined word that is reached", nat_simd());
	CB.n -= 4;
	cb_write(&CB, R_VSH + SH_ENTRY, 9);
	draw();
	tap_result(!nat_run(&N, &CB) && N.ret == -ENOEXEC && N.fault.kind == VS_FAULT_ENCODING,
		   "[%s] entry beyond the code", nat_simd());
	CB.n -= 4;
	code[0] = OP_EMIT;
	cb_code(&CB, R_VSH, code, 2);
	draw();
	tap_result(!nat_run(&N, &CB) && N.ret == -ENOEXEC && N.fault.kind == VS_FAULT_ENCODING &&
		   N.fault.pc == 0, "[%s] a vertex program that emits", nat_simd());
}

static void test_jumps(void)
{
	uint32_t *size, *addr;

	setup();
	size = CB.w + CB.n;
	cb_write(&CB, R_CMDBUF_SIZE0, 2);
	addr = CB.w + CB.n;
	cb_write(&CB, R_CMDBUF_ADDR0, (NAT_MEM_VA + 0x1000) >> 3);
	cb_write(&CB, R_CMDBUF_JUMP0, 1);
	/* A list in memory that jumps to itself. */
	memcpy(N.mem + 0x1000, CB.w + CB.n - 2, 8);
	tap_result(!nat_run(&N, &CB) && N.ret == -ENOEXEC && N.fault.kind == VS_FAULT_COMMAND &&
		   N.fault.code == PICA_CL_STEPS && N.fault.address == NAT_MEM_VA + 0x1004,
		   "[%s] a list that jumps to itself", nat_simd());
	*size = 0x1fffff;
	memset(N.mem + 0x1000, 0, NAT_MEM_SIZE - 0x1000);
	tap_result(!nat_run(&N, &CB) && N.ret == -ENOEXEC && N.fault.kind == VS_FAULT_FETCH &&
		   N.fault.address == NAT_MEM_VA + NAT_MEM_SIZE,
		   "[%s] a list that runs out of memory", nat_simd());
	*addr = NAT_HOLE_VA >> 3;
	tap_result(!nat_run(&N, &CB) && N.ret == -ENOEXEC && N.fault.kind == VS_FAULT_FETCH &&
		   N.fault.address == NAT_HOLE_VA, "[%s] a jump to nowhere", nat_simd());
	*size = 0;
	tap_result(nat_run(&N, &CB) && !N.ndraws, "[%s] a jump to an empty list", nat_simd());
}

static void test_bounds(void)
{
	unsigned int i;

	setup();
	for (i = 0; i < 5; i++)
		draw();
	N.max_draws = 5;
	tap_result(nat_run(&N, &CB) && N.ndraws == 5, "[%s] as many draws as allowed",
		   nat_simd());
	N.max_draws = 4;
	tap_result(!nat_run(&N, &CB) && N.ret == -E2BIG, "[%s] one too many", nat_simd());
	N.max_draws = 5;
	N.max_memory = 10000;
	tap_result(!nat_run(&N, &CB) && N.ret == -E2BIG, "[%s] too little memory allowed",
		   nat_simd());
	N.max_memory = 64 << 20;
	cb_reset(&CB);
	setup();
	cb_write(&CB, R_NUMVERTS, 0x1000001);
	draw();
	tap_result(!nat_run(&N, &CB) && N.ret == -E2BIG, "[%s] too many vertices", nat_simd());
	CB.n -= 4;
	cb_write(&CB, R_NUMVERTS, 0xffffffff);
	draw();
	tap_result(!nat_run(&N, &CB) && N.ret == -E2BIG, "[%s] 2^32 - 1 vertices", nat_simd());
	cb_reset(&CB);
	setup();
	for (i = 0; i < 65; i++) {
		cb_write(&CB, R_VSH + SH_CODE_INDEX, 100);
		cb_write(&CB, R_VSH + SH_CODE_DATA, i);
		if (i == 64)
			tap_result(nat_run(&N, &CB) && N.ndraws == 64, "[%s] 64 programs",
				   nat_simd());
		N.max_draws = 65;
		draw();
	}
	tap_result(!nat_run(&N, &CB) && N.ret == -E2BIG, "[%s] 65 programs", nat_simd());
}

static void test_output(void)
{
	const uint64_t one = 32 + 3 * 96;
	unsigned int i;

	setup();
	draw();
	draw();
	N.output_size = 2 * one + 32;
	tap_result(nat_run(&N, &CB) && N.ndraws == 2, "[%s] results fit exactly", nat_simd());
	for (i = 8; i <= 2 * one; i += 88) {
		N.output_size = 2 * one + 32 - i;
		if (N.output_size < 32)
			break;
		memset(N.out, 0x5a, 4096);
		tap_result(!nat_run(&N, &CB) && !N.ret && N.fault.kind == VS_FAULT_OVERFLOW &&
			   N.out[N.output_size] == 0x5a,
			   "[%s] %u bytes too few", nat_simd(), i);
	}
	N.output_size = 0;
	tap_result(!nat_run(&N, &CB) && N.fault.kind == VS_FAULT_OVERFLOW,
		   "[%s] no results wanted but drawn", nat_simd());
}

static void test_memory_faults(void)
{
	uint32_t *index;

	setup();
	cb_write(&CB, R_ATTR_LOC, NAT_HOLE_VA >> 3);
	draw();
	tap_result(!nat_run(&N, &CB) && !N.ret && N.fault.kind == VS_FAULT_READ &&
		   N.fault.address == NAT_HOLE_VA && N.fault.draw == 0,
		   "[%s] attributes from nowhere", nat_simd());
	cb_reset(&CB);
	setup();
	draw();
	index = CB.w + CB.n;
	cb_write(&CB, R_INDEX, 0x80000000 | NAT_MEM_SIZE);
	cb_write(&CB, R_DRAW_ELEMENTS, 1);
	tap_result(!nat_run(&N, &CB) && !N.ret && N.fault.kind == VS_FAULT_READ &&
		   N.fault.address == NAT_MEM_VA + NAT_MEM_SIZE && N.fault.draw == 1,
		   "[%s] indices from nowhere", nat_simd());
	*index = 0x80000001;
	tap_result(!nat_run(&N, &CB) && !N.ret && N.fault.kind == VS_FAULT_MISALIGNED,
		   "[%s] misaligned indices", nat_simd());
}

/* Every allocation of the parser fails once. */
static void test_no_memory(void)
{
	static const uint32_t code[2] = { OP_EMIT, OP_END };
	unsigned int i, n, bad = 0;

	setup();
	draw();
	cb_write(&CB, R_GEOSTAGE, 0x80000002);
	cb_write(&CB, R_COM_MODE, 1);
	cb_write(&CB, R_GSH_MISC0, 1);
	cb_write(&CB, R_GSH + SH_INPUTS, 0x08000100);
	cb_write(&CB, R_GSH + SH_OUTMASK, 1);
	cb_code(&CB, R_GSH, code, 2);
	cb_write(&CB, R_DRAW_ELEMENTS, 1);
	N.parse_only = true;
	if (!tap_result(nat_run(&N, &CB), "[%s] a list that needs all kinds of memory",
			nat_simd()))
		return;
	n = N.allocations;
	for (i = 1; i <= n; i++) {
		vs_native_state_reset(N.state);
		N.fail_nth = i;
		bad += nat_run(&N, &CB) || N.ret != -ENOMEM;
		/* The registers are as they were: there is no program to draw with. */
		N.fail_nth = 0;
		bad += nat_run_words(&N, CB.w + CB.n - 2, 2) || N.ret != -ENOEXEC;
	}
	tap_result(!bad && n > 20, "[%s] each of %u allocations fails", nat_simd(), n);
}

static void test_budget(void)
{
	uint32_t code[4], desc[1] = { DESC_XYZW };

	setup();
	code[0] = op_loop(0, 1);
	code[1] = op_mov(O(0), V(0));
	code[2] = OP_END;
	cb_code(&CB, R_VSH, code, 3);
	cb_desc(&CB, R_VSH, desc, 1);
	cb_write(&CB, R_VSH + SH_INT0, 255);
	cb_write(&CB, R_NUMVERTS, 64 * 1000);
	cb_write(&CB, R_ATTR_BUF0 + 2, 1u << 28);
	draw();
	N.budget = 10000;
	tap_result(!nat_run(&N, &CB) && !N.ret && N.fault.kind == VS_FAULT_BUDGET,
		   "[%s] instruction budget", nat_simd());
}

/* ---- garbage ---- */

static uint32_t rnd(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return seed >> 33;
}

/* Registers with side effects, preferred over the others. */
static uint32_t some_register(void)
{
	static const uint16_t hot[] = {
		0x04f, 0x050, 0x200, 0x201, 0x202, 0x203, 0x204, 0x205, 0x227, 0x228, 0x229,
		0x22a, 0x22e, 0x22f, 0x232, 0x233, 0x238, 0x23a, 0x23c, 0x23d, 0x242, 0x244,
		0x24a, 0x252, 0x254, 0x25e, 0x25f, 0x280, 0x281, 0x289, 0x28a, 0x28b, 0x28d,
		0x290, 0x291, 0x29b, 0x29c, 0x2a5, 0x2a6, 0x2b0, 0x2b1, 0x2b9, 0x2ba, 0x2bb,
		0x2bd, 0x2c0, 0x2c1, 0x2cb, 0x2cc, 0x2d5, 0x2d6,
	};

	if (rnd() % 64 == 0)
		return rnd() % 0x310;
	return hot[rnd() % ARRAY_SIZE(hot)];
}

static uint32_t some_value(void)
{
	switch (rnd() % 8) {
	case 0:
		return rnd();
	case 1:
		return rnd() % 3 << rnd() % 32;
	case 2:
		return (NAT_MEM_VA + rnd() % NAT_MEM_SIZE) >> 3;
	case 3:
		return 0x80000002;
	case 4:
		return 0x08000000 | rnd() % 16 | (rnd() % 2) << 8;
	default:
		return rnd() % 64;
	}
}

static uint32_t some_code(void)
{
	static const uint8_t ops[] = { 0x00, 0x02, 0x08, 0x13, 0x21, 0x22, 0x2a, 0x2b, 0x13 };

	if (rnd() % 50 == 0)
		return rnd();
	return (uint32_t)ops[rnd() % sizeof(ops)] << 26 | (rnd() & 0x03f3ff80);
}

static void garbage_list(void)
{
	unsigned int i, k, n = rnd() % 60;
	uint32_t v[40];

	cb_reset(&CB);
	setup();
	if (rnd() & 1) {
		cb_write(&CB, R_GEOSTAGE, 2);
		cb_write(&CB, R_COM_MODE, rnd() & 1);
		cb_write(&CB, R_GSH + SH_OUTMASK, rnd() & 0xff);
		cb_write(&CB, R_GSH + SH_INPUTS, 0x08000000 | rnd() % 8);
	}
	for (i = 0; i < n; i++) {
		switch (rnd() % 12) {
		case 0:
			cb_write(&CB, R_NUMVERTS, rnd() % 300);
			cb_write(&CB, rnd() & 1 ? R_DRAW_ARRAYS : R_DRAW_ELEMENTS, 1);
			break;
		case 1:
			for (k = 0; k < 40; k++)
				v[k] = some_code();
			v[39] = OP_END;
			cb_code(&CB, rnd() & 1 ? R_VSH : R_GSH, v, 40);
			break;
		case 2:
			for (k = 0; k < 40; k++)
				v[k] = rnd();
			cb_burst(&CB, some_register(), v, 1 + rnd() % 40, rnd() % 4 == 0);
			break;
		case 3:
			cb_write(&CB, R_FIXED_INDEX, rnd() & 1 ? 0xf : rnd());
			for (k = 0; k < 30; k++)
				v[k] = rnd();
			cb_burst(&CB, R_FIXED_DATA, v, 30, false);
			break;
		default:
			cb_mask(&CB, some_register(), rnd() & 1 ? 0xf : rnd() & 0xf,
				some_value());
			break;
		}
	}
	if (rnd() % 8 == 0 && CB.n)
		CB.w[rnd() % CB.n] = rnd();
}

/* Whatever happens, it is one of the documented ends. */
static bool documented(void)
{
	if (N.ret == -ENOEXEC)
		return N.fault.kind == VS_FAULT_COMMAND || N.fault.kind == VS_FAULT_FETCH ||
		       N.fault.kind == VS_FAULT_ENCODING;
	if (N.ret)
		return N.ret == -E2BIG;
	switch (N.fault.kind) {
	case VS_FAULT_NONE:
		return N.closed;
	case VS_FAULT_READ:
	case VS_FAULT_FETCH:	/* programs that run off their code */
	case VS_FAULT_ENCODING:
	case VS_FAULT_MISALIGNED:
	case VS_FAULT_BUDGET:
	case VS_FAULT_HANG:
	case VS_FAULT_OVERFLOW:
	case VS_FAULT_COMMAND:
		return true;
	default:
		return false;
	}
}

static void test_garbage(void)
{
	unsigned int i, bad = 0, ran = 0, drawn = 0, rejected = 0, faulted = 0;

	N.budget = 3000000;
	N.output_size = 1 << 20;
	for (i = 0; i < rounds; i++) {
		uint64_t start = seed;

		if (rnd() % 16 == 0)
			vs_native_state_reset(N.state);
		N.model = rnd() & 1;
		N.switches = N.model ? rnd() & 14 : rnd() & 15;
		garbage_list();
		if (nat_run(&N, &CB)) {
			ran++;
			drawn += N.ndraws;
		}
		rejected += N.ret == -ENOEXEC;
		faulted += !N.ret && N.fault.kind;
		if (!documented()) {
			bad++;
			tap_comment("seed %llu: ret %d fault %u", (unsigned long long)start,
				    N.ret, N.fault.kind);
		}
	}
	tap_result(!bad, "[%s] %u lists of garbage: %u ran (%u draws), %u rejected, %u faulted",
		   nat_simd(), rounds, ran, drawn, rejected, faulted);
}

static void test_noise(void)
{
	unsigned int i, k, bad = 0;
	uint32_t w[64];

	for (i = 0; i < rounds; i++) {
		for (k = 0; k < 64; k++)
			w[k] = rnd() ^ rnd() << 17;
		nat_run_words(&N, w, rnd() % 33 * 2);
		bad += !documented();
	}
	tap_result(!bad, "[%s] %u lists of noise", nat_simd(), rounds);
}

static const nat_test tests[] = {
	test_headers, test_no_register, test_no_register_immediate, test_submit,
	test_draw_registers, test_strict_stride,
	test_geometry_registers, test_programs, test_jumps, test_bounds, test_output,
	test_memory_faults, test_no_memory, test_budget, test_garbage, test_noise,
};

int main(int argc, char **argv)
{
	if (argc > 1)
		seed = strtoull(argv[1], NULL, 0);
	if (argc > 2)
		rounds = strtoul(argv[2], NULL, 0);
	nat_all(tests, ARRAY_SIZE(tests));
	return tap_done();
}
