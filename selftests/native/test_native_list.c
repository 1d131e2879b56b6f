// SPDX-License-Identifier: GPL-2.0
/*
 * Command lists: headers, masks, uploads, uniforms, jumps, persistent state.
 */
#include <string.h>

#include "../include/tap.h"
#include "run.h"

/* Three vertices of one vector each, from memory. */
static void triangle_data(void)
{
	float f[12];
	int i;

	for (i = 0; i < 12; i++)
		f[i] = 1.0f + i;
	nat_put_floats(0, f, 12);
}

/* Everything for draws that copy one attribute to the position. */
static void setup(void)
{
	triangle_data();
	nat_passthrough(1);
	nat_outmap(1);
	nat_float_arrays(1);
	cb_write(&CB, R_NUMVERTS, 3);
}

static void draw(void)
{
	cb_write(&CB, R_DRAW_ARRAYS, 1);
}

static bool position_is(unsigned int d, unsigned int v, float x, float y, float z, float w)
{
	return nat_f(&N, d, v, 0) == x && nat_f(&N, d, v, 1) == y && nat_f(&N, d, v, 2) == z &&
	       nat_f(&N, d, v, 3) == w;
}

static void test_empty(void)
{
	tap_result(nat_run(&N, &CB) && !N.ndraws && N.closed, "[%s] empty list", nat_simd());
	N.output_size = 0;
	cb_write(&CB, R_FINALIZE, 0x12345678);
	tap_result(nat_run(&N, &CB), "[%s] no draws need no room for results", nat_simd());
}

static void test_plain(void)
{
	unsigned int at;

	setup();
	at = CB.n;
	draw();
	cb_write(&CB, R_FINALIZE, 0x12345678);
	tap_result(nat_run(&N, &CB) && N.ndraws == 1 && N.closed, "[%s] one draw", nat_simd());
	tap_result(N.draw[0].vertices == 3 && N.draw[0].input_vertices == 3 &&
		   N.draw[0].topology == 0 && N.draw[0].flags == 0 &&
		   N.draw[0].list_offset == 4 * at, "[%s] header of a draw", nat_simd());
	tap_result(position_is(0, 0, 1, 2, 3, 4) && position_is(0, 1, 5, 6, 7, 8) &&
		   position_is(0, 2, 9, 10, 11, 12), "[%s] vertices of a draw", nat_simd());
}

static void test_finalize(void)
{
	setup();
	draw();
	cb_write(&CB, R_FINALIZE, 1);
	draw();
	cb_word(&CB, 0);
	cb_word(&CB, 0xffff0fff);
	tap_result(nat_run(&N, &CB) && N.ndraws == 1,
		   "[%s] nothing after the final command is looked at", nat_simd());
}

static void test_masks(void)
{
	setup();
	/* Count 0x0303 in the two lower bytes, then clear one of them. */
	cb_write(&CB, R_NUMVERTS, 0);
	cb_mask(&CB, R_NUMVERTS, 0x1, 0xffffff03);
	draw();
	cb_mask(&CB, R_NUMVERTS, 0x2, 0x00000100);
	cb_mask(&CB, R_NUMVERTS, 0xc, 0x0000ffff);
	draw();
	cb_mask(&CB, R_NUMVERTS, 0x3, 0xffff0006);
	cb_mask(&CB, R_NUMVERTS, 0x0, 0x00000001);
	draw();
	cb_mask(&CB, R_DRAW_ARRAYS, 0x0, 1);
	cb_mask(&CB, R_DRAW_ARRAYS, 0x2, 1);
	cb_write(&CB, R_DRAW_ARRAYS, 0);
	tap_result(nat_run(&N, &CB) && N.ndraws == 3, "[%s] masked triggers", nat_simd());
	tap_result(N.draw[0].input_vertices == 3 && N.draw[1].input_vertices == 0x103 &&
		   N.draw[2].input_vertices == 6, "[%s] masked bytes", nat_simd());
}

static void test_bursts(void)
{
	static const uint32_t many[] = { 3, 6, 9 };
	uint32_t consec[8];

	setup();
	/* The last of several words written to one register counts; padding follows. */
	cb_burst(&CB, R_NUMVERTS, many, 3, false);
	draw();
	/* 0x228, then 0x229, 0x22a: count, geometry stage off, first vertex. */
	consec[0] = 3;
	consec[1] = 0;
	consec[2] = 1;
	cb_burst(&CB, R_NUMVERTS, consec, 3, true);
	draw();
	tap_result(nat_run(&N, &CB) && N.ndraws == 2 && N.draw[0].input_vertices == 9 &&
		   N.draw[1].input_vertices == 3 && position_is(1, 0, 5, 6, 7, 8),
		   "[%s] several words in a command", nat_simd());
}

static void test_trigger_in_burst(void)
{
	uint32_t v[8] = { 3, 0, 0, 0, 0, 0, 1, 0 };

	setup();
	/* 0x228 .. 0x22f: the trigger is the seventh. */
	cb_burst(&CB, R_NUMVERTS, v, 8, true);
	tap_result(nat_run(&N, &CB) && N.ndraws == 1 && N.draw[0].vertices == 3,
		   "[%s] a trigger among consecutive registers", nat_simd());
}

/* A program that shows four uniform rows as position, colour, view, texcoords. */
static void uniform_program(uint32_t row)
{
	uint32_t code[5], desc[1] = { DESC_XYZW };
	int i;

	for (i = 0; i < 4; i++)
		code[i] = op_mov(O(i), C(row + i));
	code[4] = OP_END;
	cb_code(&CB, R_VSH, code, 5);
	cb_desc(&CB, R_VSH, desc, 1);
	cb_write(&CB, R_VSH + SH_OUTMASK, 0xf);
	nat_outmap(4);
	cb_write(&CB, R_NUMVERTS, 3);
}

static bool row_at(unsigned int sem, const float *f, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (nat_f(&N, N.ndraws - 1, 2, sem + i) != f[i])
			return false;
	}
	return true;
}

static void test_uniform_24(void)
{
	static const float a[4] = { 1.5f, -2.25f, 1024.0f, 0.0009765625f };
	static const float b[4] = { 0.5f, 0.25f, 0.125f, 1.0f };
	static const float c[4] = { -7.0f, 65535.0f, 3.0f, 4.0f };
	static const float d[4] = { 5.0f, 6.0f, 7.0f, 8.0f };
	uint32_t w[13];

	uniform_program(10);
	/* Index and data in one command, four rows on the way. */
	w[0] = 10;
	cb_pack24(a, w + 1);
	cb_pack24(b, w + 4);
	cb_pack24(c, w + 7);
	cb_write(&CB, R_VSH + SH_FLOAT_INDEX, 10);
	cb_burst(&CB, R_VSH + SH_FLOAT_DATA, w + 1, 5, false);
	/* The remaining words through other registers of the port. */
	cb_burst(&CB, R_VSH + SH_FLOAT_DATA + 7, w + 6, 4, false);
	cb_pack24(d, w);
	cb_write(&CB, R_VSH + SH_FLOAT_DATA + 3, w[0]);
	cb_write(&CB, R_VSH + SH_FLOAT_DATA, w[1]);
	cb_write(&CB, R_VSH + SH_FLOAT_DATA + 1, w[2]);
	draw();
	tap_result(nat_run(&N, &CB) && N.ndraws == 1 && row_at(0, a, 4) && row_at(8, b, 4) &&
		   row_at(18, c, 3) && row_at(12, d, 4),
		   "[%s] packed uniforms, index counts up", nat_simd());
}

static void test_uniform_32(void)
{
	static const float a[4] = { 1.5f, -2.25f, 1024.0f, 0.0009765625f };
	static const float b[4] = { 0.5f, 0.25f, 0.125f, 1.0f };
	uint32_t w[9];
	int c;

	uniform_program(92);
	w[0] = 92 | 1u << 31;
	for (c = 0; c < 4; c++) {
		w[1 + c] = nat_bits(a[3 - c]);
		w[5 + c] = nat_bits(b[3 - c]);
	}
	cb_burst(&CB, R_VSH + SH_FLOAT_INDEX, w, 9, true);
	draw();
	tap_result(nat_run(&N, &CB) && row_at(0, a, 4) && row_at(8, b, 4),
		   "[%s] binary32 uniforms", nat_simd());
}

static void test_uniform_models(void)
{
	static const float third[4] = { 1.0f / 3, 0.1f, 1e-30f, 1e30f };
	uint32_t trunc = nat_bits(1.0f / 3) & ~0x7fu;

	uniform_program(0);
	cb_uniform32(&CB, R_VSH, 0, third);
	draw();
	tap_result(nat_run(&N, &CB) && N.draw[0].v[0][0] == trunc &&
		   N.draw[0].v[0][1] == 0x3dcccc80 && N.draw[0].v[0][2] == 0 &&
		   N.draw[0].v[0][3] == 0x7f800000,
		   "[%s] binary32 uniforms become 1.7.16", nat_simd());
	N.switches = 1;
	tap_result(nat_run(&N, &CB) &&
		   N.draw[0].v[0][1] == 0x3dcccd00,
		   "[%s] rounded to nearest if asked", nat_simd());
	N.switches = 0;
	N.model = 1;
	tap_result(nat_run(&N, &CB) && N.draw[0].v[0][0] == nat_bits(1.0f / 3) &&
		   N.draw[0].v[0][3] == nat_bits(1e30f),
		   "[%s] binary32 uniforms stay in the binary32 model", nat_simd());
}

static void test_uniform_swallow(void)
{
	static const float a[4] = { 1, 2, 3, 4 };
	static const float b[4] = { 0.5f, 0.25f, 0.125f, 1 };
	uint32_t w[10];

	uniform_program(92);
	cb_uniform24(&CB, R_VSH, 95, a);
	/* Row 95 is the last; the index then stays at 96. */
	cb_pack24(b, w);
	cb_burst(&CB, R_VSH + SH_FLOAT_DATA, w, 3, false);
	cb_uniform24(&CB, R_VSH, 0x7f, b);
	cb_uniform24(&CB, R_VSH, 0xff, b);
	cb_uniform24(&CB, R_VSH, 93, b);
	draw();
	tap_result(nat_run(&N, &CB) && row_at(12, a, 4) && row_at(8, b, 4),
		   "[%s] data for rows from 96 on is swallowed", nat_simd());
}

static void test_partial_group(void)
{
	static const float a[4] = { 1, 2, 3, 4 };
	static const uint32_t junk[2] = { 0xdeadbeef, 0xcafef00d };

	uniform_program(0);
	cb_burst(&CB, R_VSH + SH_FLOAT_DATA, junk, 2, false);
	cb_uniform24(&CB, R_VSH, 0, a);
	draw();
	tap_result(nat_run(&N, &CB) && row_at(0, a, 4),
		   "[%s] writing the index drops an incomplete row", nat_simd());
}

static void test_code_upload(void)
{
	static const float a[4] = { 4, 3, 2, 1 };
	uint32_t tail[2] = { op_mov(O(0), C(0)), OP_END };
	uint32_t desc[1] = { DESC_XYZW };

	/* The program's two words go to the end of the code memory and beyond it. */
	cb_write(&CB, R_VSH + SH_CODE_INDEX, 4094);
	cb_burst(&CB, R_VSH + SH_CODE_DATA, tail, 2, false);
	cb_write(&CB, R_VSH + SH_CODE_DATA, 0xffffffff);
	cb_desc(&CB, R_VSH, desc, 1);
	cb_write(&CB, R_VSH + SH_ENTRY, 4094);
	cb_write(&CB, R_VSH + SH_OUTMASK, 1);
	nat_outmap(1);
	cb_uniform24(&CB, R_VSH, 0, a);
	cb_write(&CB, R_NUMVERTS, 3);
	draw();
	tap_result(nat_run(&N, &CB) && row_at(0, a, 4),
		   "[%s] code at the end of its memory", nat_simd());
	/* Replace one word only, through the middle of the port. */
	cb_reset(&CB);
	cb_write(&CB, R_VSH + SH_CODE_INDEX, 4094);
	cb_write(&CB, R_VSH + SH_CODE_DATA + 5, op_mov(O(0), C(1)));
	draw();
	tap_result(nat_run(&N, &CB) && N.ndraws == 1 && nat_f(&N, 0, 0, 0) == 0,
		   "[%s] one word of code replaced in a later job", nat_simd());
}

static void test_opdesc_upload(void)
{
	/* Descriptor 127: only x and w, from w and x, negated. */
	uint32_t sel = 3u << 6 | 1u << 4 | 2u << 2 | 0;
	uint32_t desc = 0x9 | 1u << 4 | sel << 5;
	static const float a[4] = { 4, 3, 2, 1 };
	uint32_t code[3];

	code[0] = op_mov(O(0), C(0));
	code[1] = op2(0x13, O(0), C(0), 0, 127);
	code[2] = OP_END;
	cb_code(&CB, R_VSH, code, 3);
	cb_write(&CB, R_VSH + SH_DESC_INDEX, 0);
	cb_write(&CB, R_VSH + SH_DESC_DATA, DESC_XYZW);
	cb_write(&CB, R_VSH + SH_DESC_INDEX, 127);
	cb_write(&CB, R_VSH + SH_DESC_DATA + 7, desc);
	/* No such descriptor. */
	cb_write(&CB, R_VSH + SH_DESC_DATA, 0);
	cb_write(&CB, R_VSH + SH_OUTMASK, 1);
	nat_outmap(1);
	cb_uniform24(&CB, R_VSH, 0, a);
	cb_write(&CB, R_NUMVERTS, 3);
	draw();
	tap_result(nat_run(&N, &CB) && position_is(0, 0, -1, 3, 2, -4),
		   "[%s] operand descriptors", nat_simd());
}

static void test_bool_int_entry(void)
{
	uint32_t code[12], desc[1] = { DESC_XYZW };
	static const float a[4] = { 1, 10, 100, 1000 };
	static const float b[4] = { 7, 7, 7, 7 };

	/* Entry 3: r0 = 0; loop i2: r0 += c0; if b9: r0 += c1. */
	code[0] = OP_END;
	code[1] = OP_END;
	code[2] = OP_END;
	code[3] = op_loop(2, 5);
	code[4] = op_add(R(0), C(0), R(0));
	code[5] = OP_NOP;
	code[6] = op_ifu(9, 9, 0);
	code[7] = op_add(R(0), C(1), R(0));
	code[8] = OP_NOP;
	code[9] = op_mov(O(0), R(0));
	code[10] = OP_END;
	cb_code(&CB, R_VSH, code, 11);
	cb_desc(&CB, R_VSH, desc, 1);
	cb_write(&CB, R_VSH + SH_ENTRY, 0x7fff0003);
	cb_write(&CB, R_VSH + SH_OUTMASK, 1);
	cb_uniform24(&CB, R_VSH, 0, a);
	cb_uniform24(&CB, R_VSH, 1, b);
	nat_outmap(1);
	cb_write(&CB, R_NUMVERTS, 3);
	cb_write(&CB, R_VSH + SH_INT0 + 2, 0xff010002);	/* 3 times */
	cb_write(&CB, R_VSH + SH_BOOL, 0x7fff0000);
	draw();
	cb_mask(&CB, R_VSH + SH_BOOL, 0x2, 1u << 9);
	cb_mask(&CB, R_VSH + SH_INT0 + 2, 0x1, 4);	/* 5 times */
	draw();
	tap_result(nat_run(&N, &CB) && N.ndraws == 2 && position_is(0, 0, 3, 30, 300, 3000) &&
		   position_is(1, 1, 12, 57, 507, 5007),
		   "[%s] boolean and integer uniforms, entry point", nat_simd());
}

/* Writes a list into guest memory and the registers of a channel for it. */
static void channel(unsigned int ch, const struct cmdbuf *sub, uint32_t offset)
{
	uint32_t va = NAT_MEM_VA + offset;

	memcpy(N.mem + offset, sub->w, 4 * sub->n);
	cb_write(&CB, R_CMDBUF_SIZE0 + ch, sub->n * 4 >> 3);
	cb_write(&CB, R_CMDBUF_ADDR0 + ch, va >> 3);
}

static void test_jump(void)
{
	struct cmdbuf sub;
	struct cmdbuf main_list = CB;

	cb_init(&sub);
	/* The sub list is long enough to be read in several pieces. */
	CB = sub;
	setup();
	while (CB.n < 2000)
		cb_write(&CB, 0x100, CB.n);
	draw();
	sub = CB;
	CB = main_list;
	channel(0, &sub, 0x10000);
	cb_write(&CB, R_CMDBUF_JUMP0, 0);
	cb_write(&CB, R_CMDBUF_JUMP0, 1);
	cb_word(&CB, 0);
	cb_word(&CB, 0xfff00fff);	/* never reached */
	triangle_data();
	tap_result(nat_run(&N, &CB) && N.ndraws == 1 && N.draw[0].vertices == 3 &&
		   N.draw[0].list_offset == NAT_MEM_VA + 0x10000 + 4 * (sub.n - 2) - NAT_LIST_VA,
		   "[%s] jump to a list in memory", nat_simd());
	cb_fini(&sub);
}

static void test_subroutine(void)
{
	struct cmdbuf sub, tail, save;

	cb_init(&sub);
	cb_init(&tail);
	setup();
	/* The tail draws again and ends; the subroutine jumps to it by channel 1. */
	save = CB;
	CB = tail;
	cb_write(&CB, R_VERTEX_OFFSET, 0);
	draw();
	cb_write(&CB, R_FINALIZE, 1);
	tail = CB;
	CB = sub;
	cb_write(&CB, R_VERTEX_OFFSET, 1);
	draw();
	cb_write(&CB, R_CMDBUF_JUMP0 + 1, 1);
	sub = CB;
	CB = save;
	channel(0, &sub, 0x20000);
	channel(1, &tail, 0x30000);
	draw();
	cb_write(&CB, R_CMDBUF_JUMP0, 1);
	tap_result(nat_run(&N, &CB) && N.ndraws == 3 && nat_f(&N, 0, 0, 0) == 1 &&
		   nat_f(&N, 1, 0, 0) == 5 && nat_f(&N, 2, 0, 0) == 1,
		   "[%s] lists that jump to each other", nat_simd());
	cb_fini(&sub);
	cb_fini(&tail);
}

static void test_persist(void)
{
	struct vs_native_state *copy;

	setup();
	tap_result(nat_run(&N, &CB) && !N.ndraws, "[%s] a job that only sets registers",
		   nat_simd());
	copy = vs_native_state_new(VS_NATIVE_PICA_CMDLIST);
	vs_native_state_copy(copy, N.state);
	cb_reset(&CB);
	draw();
	tap_result(nat_run(&N, &CB) && N.ndraws == 1 && position_is(0, 1, 5, 6, 7, 8),
		   "[%s] registers keep their values from job to job", nat_simd());
	cb_reset(&CB);
	cb_write(&CB, R_NUMVERTS, 6);
	cb_word(&CB, 0);
	cb_word(&CB, 0x1f0228);	/* longer than the list */
	tap_result(!nat_run(&N, &CB) && N.ret == -ENOEXEC, "[%s] a rejected job", nat_simd());
	cb_reset(&CB);
	draw();
	tap_result(nat_run(&N, &CB) && N.draw[0].vertices == 3,
		   "[%s] changes no registers", nat_simd());
	vs_native_state_reset(N.state);
	tap_result(!nat_run(&N, &CB) && N.ret == -ENOEXEC && N.fault.kind == VS_FAULT_ENCODING,
		   "[%s] after a reset there is no program", nat_simd());
	vs_native_state_copy(N.state, copy);
	tap_result(nat_run(&N, &CB) && N.ndraws == 1 && N.draw[0].vertices == 3,
		   "[%s] registers copied back", nat_simd());
	vs_native_state_free(copy);
}

static const nat_test tests[] = {
	test_empty, test_plain, test_finalize, test_masks, test_bursts, test_trigger_in_burst,
	test_uniform_24, test_uniform_32, test_uniform_models, test_uniform_swallow,
	test_partial_group, test_code_upload, test_opdesc_upload, test_bool_int_entry, test_jump,
	test_subroutine, test_persist,
};

int main(void)
{
	nat_all(tests, ARRAY_SIZE(tests));
	return tap_done();
}
