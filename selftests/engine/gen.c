// SPDX-License-Identifier: GPL-2.0
/* Random programs of micro-ops. */
#include "gen.h"

/* Few slots, so that values meet. */
static u16 some_slot(struct eng_rand *r, bool write)
{
	switch (eng_below(r, write ? 3 : 4)) {
	case 0:
		return ENG_OUT + eng_below(r, 16);
	case 3:
		return ENG_IN + eng_below(r, 16);
	default:
		return ENG_TEMP + eng_below(r, 12);
	}
}

static u32 src_count(enum vs_op op, u32 nc, int src)
{
	switch (op) {
	case VS_OP_MOV:
	case VS_OP_NEG:
	case VS_OP_FLR:
	case VS_OP_F2I:
		return src == 0 ? nc : 0;
	case VS_OP_RCP:
	case VS_OP_RSQ:
	case VS_OP_EX2:
	case VS_OP_LG2:
		return src == 0 ? 1 : 0;
	case VS_OP_MAD:
		return nc;
	case VS_OP_DP3:
		return src < 2 ? 3 : 0;
	case VS_OP_DP4:
		return src < 2 ? 4 : 0;
	case VS_OP_DPH:
		return src == 0 ? 3 : src == 1 ? 4 : 0;
	default:
		return src < 2 ? nc : 0;
	}
}

static struct vs_uop gen_ldrow(struct eng_rand *r)
{
	struct vs_uop u = UOP(.op = VS_OP_LDROW, .ncomp = 1 + eng_below(r, 4));
	u32 i;

	u.a[0] = eng_below(r, 3) ? GEN_ROWOFF + eng_below(r, 2) : ENG_AL;
	u.imm = eng_below(r, 128) | (eng_below(r, 2) ? VS_LDROW_NEG : 0);
	for (i = 0; i < u.ncomp; i++) {
		u.d[i] = some_slot(r, true);
		u.b[i] = eng_below(r, 4);
	}
	return u;
}

struct vs_uop gen_data(struct eng_rand *r)
{
	static const enum vs_op pool[] = {
		VS_OP_MOV, VS_OP_MOV, VS_OP_NEG, VS_OP_ADD, VS_OP_ADD, VS_OP_SUB, VS_OP_MUL,
		VS_OP_MUL, VS_OP_MAD, VS_OP_MAD, VS_OP_MIN, VS_OP_MAX, VS_OP_SGE, VS_OP_SLT,
		VS_OP_FLR, VS_OP_DP3, VS_OP_DP4, VS_OP_DPH, VS_OP_RCP, VS_OP_RSQ, VS_OP_EX2,
		VS_OP_LG2, VS_OP_F2I, VS_OP_CMP, VS_OP_CMP, VS_OP_CMP, VS_OP_LDROW, VS_OP_LDROW,
	};
	struct vs_uop u = UOP(.op = pool[eng_below(r, ARRAY_SIZE(pool))]);
	u16 *src[3] = { u.a, u.b, u.c };
	u32 i, k, n, unif = eng_below(r, 5);

	if (u.op == VS_OP_LDROW)
		return gen_ldrow(r);
	u.ncomp = 1 + eng_below(r, u.op == VS_OP_CMP || u.op == VS_OP_F2I ? 2 : 4);
	for (k = 0; k < 3; k++) {
		n = src_count(u.op, u.ncomp, k);
		if (n && unif == k + 1)
			u.flags = VS_UOP_A_UNIF << k;
		for (i = 0; i < n; i++)
			src[k][i] = n && unif == k + 1 ? eng_below(r, ENG_UNIF) :
				    some_slot(r, false);
	}
	for (i = 0; i < u.ncomp; i++)
		u.d[i] = u.op == VS_OP_CMP ? i : u.op == VS_OP_F2I ? GEN_ROWOFF + i :
			 some_slot(r, true);
	if (u.op == VS_OP_CMP)
		u.imm = eng_below(r, 6) | eng_below(r, 6) << 4;
	return u;
}

static u32 forward(struct eng_rand *r, u32 g, u32 nguest)
{
	return g + 1 + eng_below(r, min_t(u32, 8, nguest - g));
}

struct vs_uop gen_flow(struct eng_rand *r, u32 g, u32 nguest)
{
	static const enum vs_op pool[] = {
		VS_OP_BR, VS_OP_BR, VS_OP_IF, VS_OP_IF, VS_OP_IF, VS_OP_CALL, VS_OP_CALL,
		VS_OP_LOOP, VS_OP_LOOP, VS_OP_BREAK, VS_OP_RINGS,
	};
	struct vs_uop u = UOP(.op = pool[eng_below(r, ARRAY_SIZE(pool))], .ncomp = 1,
			      .flags = VS_UOP_RINGS, .f.next = g + 1, .f.resume = g + 1);

	if (u.op == VS_OP_RINGS)
		return u;
	u.f.al = u.op == VS_OP_LOOP ? ENG_AL : 0;
	/* Mostly forwards, so that most programs end. */
	u.f.target = eng_below(r, 10) ? forward(r, g, nguest) : eng_below(r, nguest);
	u.f.end = u.op == VS_OP_IF ? u.f.target : forward(r, g, nguest);
	if (u.op == VS_OP_CALL)
		u.f.end = u.f.target + eng_below(r, 5);
	u.f.other = u.op == VS_OP_LOOP ? u.f.end : min_t(u32, u.f.end + eng_below(r, 4), nguest);
	if (u.op == VS_OP_LOOP) {
		u.f.target = 0;
		u.f.num = eng_below(r, 4);
		return u;
	}
	if (u.op != VS_OP_IF)
		u.f.other = 0;
	if (u.op == VS_OP_BREAK || u.op == VS_OP_BR)
		u.f.end = 0;
	if (u.op == VS_OP_BREAK)
		u.f.target = 0;
	u.f.cond = eng_below(r, 4) ? VS_COND_PREDS : VS_COND_BOOL;
	if (u.f.cond == VS_COND_BOOL) {
		u.f.num = eng_below(r, 16);
		u.f.lut = eng_below(r, 2);
	} else {
		u.f.lut = eng_below(r, 16);
	}
	return u;
}

struct vs_prog *gen_program(struct eng_rand *r, u32 nguest)
{
	struct vs_builder *b = eng_builder(nguest);
	u32 g, i, n;

	for (g = 0; g < nguest; g++) {
		if (eng_below(r, 3)) {
			n = 1 + eng_below(r, 3);
			for (i = 0; i < n; i++)
				eng_emit(b, g, gen_data(r));
			if (eng_below(r, 2))
				eng_emit(b, g, UOP(.op = VS_OP_RINGS, .flags = VS_UOP_RINGS,
						   .f.next = g + 1, .f.resume = g + 1));
		} else {
			eng_emit(b, g, gen_flow(r, g, nguest));
		}
	}
	eng_emit(b, nguest, UOP(.op = VS_OP_END));
	return eng_finish(b);
}
