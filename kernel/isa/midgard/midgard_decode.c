// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Decoding and encoding of Midgard bundles.
 */
#include "midgard.h"

#define ALU_REGS	32	/* first bit of the register words */
#define CONTROL_COMPACT	26
#define CONTROL_EXTENDED 27

static const u8 control_bit[MG_NUM_UNITS] = { 17, 19, 21, 23, 25 };

static u32 body_bits(u32 unit)
{
	return MG_VECTOR >> unit & 1 ? 48 : 32;
}

static u64 mg_decode_get_bits(const u32 *words, u32 pos, u32 width)
{
	u64 value = 0;
	u32 i;

	for (i = 0; i < width; i += 16) {
		u32 at = pos + i, n = min_t(u32, width - i, 16);
		u32 part = words[at / 32] >> (at % 32);

		if (at % 32 + n > 32)
			part |= words[at / 32 + 1] << (32 - at % 32);
		value |= (u64)(part & ((1U << n) - 1)) << i;
	}
	return value;
}

static void mg_decode_put_bits(u32 *words, u32 pos, u32 width, u64 value)
{
	u32 i;

	for (i = 0; i < width; i += 16) {
		u32 at = pos + i, n = min_t(u32, width - i, 16);
		u32 part = (u32)(value >> i) & ((1U << n) - 1);

		words[at / 32] |= part << (at % 32);
		if (at % 32 + n > 32)
			words[at / 32 + 1] |= part >> (32 - at % 32);
	}
}

static u32 mg_field(u64 bits, u32 pos, u32 width)
{
	return (u32)(bits >> pos) & ((1U << width) - 1);
}

static enum mg_reason mg_decode_bad(struct mg_where *where, enum mg_reason reason, u32 lo,
				    u32 width, u32 value, u32 limit)
{
	if (where)
		*where = (struct mg_where){ (u16)lo, (u16)(lo + width - 1), value, limit };
	return reason;
}

/* ---- operands ---- */

void mg_src_update(struct mg_src *s, u32 mode)
{
	/* Source quarters of the lower and the upper half of the lanes. */
	static const u8 from[8][2] = {
		{ 0, 2 }, { 0, 0 }, { 2, 2 }, { 2, 0 }, { 0, 1 }, { 2, 3 }, { 1, 0 }, { 3, 2 },
	};
	u32 nlanes = 16 >> mode, nelems, lane, sel;

	s->widen = s->expand >= MG_EXPAND_LOW;
	s->bits = (u8)(8U << mode >> (s->widen && mode));
	nelems = 128 / s->bits;
	for (lane = 0; lane < nlanes; lane++) {
		u32 base = from[s->expand][lane >= nlanes / 2] * nelems / 4;

		switch (mode) {
		case MG_MODE_64:
			/* 32-bit halves are selected in pairs. */
			sel = s->swizzle >> (4 * lane) >> 1 & 1;
			base = s->widen ? 2 * (s->expand & 1) : 0;
			break;
		case MG_MODE_32:
			sel = s->swizzle >> (2 * lane) & 3;
			base = s->widen ? 4 * (s->expand & 1) : 0;
			break;
		case MG_MODE_16:
			sel = s->swizzle >> (2 * (lane % 4)) & 3;
			break;
		default:
			sel = 2 * (s->swizzle >> (2 * (lane / 2 % 4)) & 3) + lane % 2;
			break;
		}
		s->elem[lane] = (u8)((base + sel) % nelems);
	}
}

static void vector_source(struct mg_src *s, u32 bits, u32 reg, u32 mode)
{
	s->kind = reg == MG_REG_CONST ? MG_SRC_CONST : MG_SRC_REG;
	s->reg = (u8)reg;
	s->mod = (u8)mg_field(bits, 0, 2);
	s->expand = (u8)mg_field(bits, 2, 3);
	s->swizzle = (u8)mg_field(bits, 5, 8);
	mg_src_update(s, mode);
}

static void scalar_source(struct mg_src *s, u32 bits, u32 reg)
{
	s->kind = reg == MG_REG_CONST ? MG_SRC_CONST : MG_SRC_REG;
	s->reg = (u8)reg;
	s->mod = (u8)mg_field(bits, 0, 2);
	s->full = mg_field(bits, 2, 1);
	s->comp = (u8)mg_field(bits, 3, 3);
	s->widen = !s->full;
	s->bits = s->full ? 32 : 16;
	s->elem[0] = s->full ? s->comp >> 1 : s->comp;
}

/* Reorder the low 11 bits of an inline constant. */
static u32 vector_imm(u32 bits)
{
	return mg_field(bits, 2, 3) << 8 | mg_field(bits, 5, 8);
}

static u32 scalar_imm(u32 bits)
{
	return mg_field(bits, 0, 2) << 9 | mg_field(bits, 2, 1) << 8 | mg_field(bits, 3, 3) << 5 |
	       mg_field(bits, 6, 5);
}

static void mg_decode_immediate(struct mg_src *s, u32 high, u32 low, u32 mode)
{
	s->kind = MG_SRC_IMM;
	s->imm = (u16)(high << 11 | low);
	s->bits = (u8)(8U << mode);
}

static void decode_vector(struct mg_alu *a)
{
	u32 src2 = mg_field(a->body, 23, 13), i;

	a->mode = (u8)mg_field(a->body, 8, 2);
	a->shrink = (u8)mg_field(a->body, 36, 2);
	a->outmod = (u8)mg_field(a->body, 38, 2);
	a->mask = (u8)mg_field(a->body, 40, 8);
	a->nlanes = 16 >> a->mode;
	for (i = 0; i < a->nlanes; i++)
		a->lanes |= (a->mask >> (i * 8 / a->nlanes) & 1) << i;
	a->dbits = (u8)(8U << a->mode >> (a->shrink != MG_SHRINK_NONE && a->mode));
	a->delem = a->shrink == MG_SHRINK_HIGH ? a->nlanes : 0;
	vector_source(&a->src[0], mg_field(a->body, 10, 13), mg_field(a->reg_word, 0, 5), a->mode);
	if (!(a->reg_word >> 15)) {
		vector_source(&a->src[1], src2, mg_field(a->reg_word, 5, 5), a->mode);
		return;
	}
	mg_decode_immediate(&a->src[1], mg_field(a->reg_word, 5, 5), vector_imm(src2), a->mode);
	/* Undefined, but kept so that encoding is lossless. */
	a->src[1].mod = (u8)mg_field(src2, 0, 2);
}

static void decode_scalar(struct mg_alu *a)
{
	u32 src2 = mg_field(a->body, 14, 11);
	bool full = mg_field(a->body, 28, 1);

	a->mode = MG_MODE_32;
	a->outmod = (u8)mg_field(a->body, 26, 2);
	a->comp = (u8)mg_field(a->body, 29, 3);
	a->shrink = full ? MG_SHRINK_NONE : MG_SHRINK_LOW;
	a->nlanes = 1;
	a->lanes = 1;
	a->dbits = full ? 32 : 16;
	a->delem = full ? a->comp >> 1 : a->comp;
	scalar_source(&a->src[0], mg_field(a->body, 8, 6), mg_field(a->reg_word, 0, 5));
	if (a->reg_word >> 15)
		mg_decode_immediate(&a->src[1], mg_field(a->reg_word, 5, 5), scalar_imm(src2),
				    MG_MODE_32);
	else
		scalar_source(&a->src[1], src2, mg_field(a->reg_word, 5, 5));
}

void mg_alu_decode(enum mg_unit unit, u16 reg_word, u64 body, struct mg_alu *a)
{
	memset(a, 0, sizeof(*a));
	a->unit = (u8)unit;
	a->op = (u8)body;
	a->dest = (u8)mg_field(reg_word, 10, 5);
	a->reg_word = reg_word;
	a->body = body;
	if (MG_VECTOR >> unit & 1)
		decode_vector(a);
	else
		decode_scalar(a);
}

/* ---- branches ---- */

static s32 mg_decode_sign_extend(u32 value, u32 bits)
{
	return (s32)(value << (32 - bits)) >> (32 - bits);
}

void mg_branch_decode(bool extended, u64 bits, struct mg_branch *br)
{
	memset(br, 0, sizeof(*br));
	br->extended = extended;
	br->op = (u8)mg_field(bits, 0, 3);
	br->dest_tag = (u8)mg_field(bits, 3, 4);
	br->bits = bits;
	if (extended) {
		br->call = (u8)mg_field(bits, 7, 2);
		br->offset = mg_decode_sign_extend(mg_field(bits, 9, 23), 23);
		br->cond = (u16)(bits >> 32);
	} else if (br->op == MG_BR_JUMP) {
		br->call = (u8)mg_field(bits, 7, 2);
		br->offset = mg_decode_sign_extend(mg_field(bits, 9, 7), 7);
		br->cond = 0xffff;
	} else {
		br->call = MG_CALL_JUMP;
		br->offset = mg_decode_sign_extend(mg_field(bits, 7, 7), 7);
		br->cond = (u16)(0x5555 * mg_field(bits, 14, 2));
	}
}

/* ---- arithmetic bundles ---- */

static u32 alu_bits(const struct mg_bundle *b)
{
	u32 bits = ALU_REGS, i;

	for (i = 0; i < b->nalu; i++)
		bits += 16 + body_bits(b->alu[i].unit);
	for (i = 0; i < b->nbranch; i++)
		bits += b->branch[i].extended ? 48 : 16;
	return bits;
}

/* Size in quads of an arithmetic bundle without constants. */
static u32 mg_alu_quads(const struct mg_bundle *b)
{
	return (alu_bits(b) + 127) / 128;
}

void mg_alu_place(const struct mg_bundle *b, u32 i, u32 *reg_word, u32 *body)
{
	u32 k;

	*reg_word = ALU_REGS + 16 * i;
	*body = ALU_REGS + 16 * b->nalu;
	for (k = 0; k < i; k++)
		*body += body_bits(b->alu[k].unit);
}

u32 mg_branch_place(const struct mg_bundle *b, u32 i)
{
	u32 reg_word, pos, k;

	mg_alu_place(b, b->nalu, &reg_word, &pos);
	for (k = 0; k < i; k++)
		pos += b->branch[k].extended ? 48 : 16;
	return pos;
}

static void decode_fields(const u32 *words, struct mg_bundle *b)
{
	u32 units[MG_MAX_ALU], n = 0, i, pos;

	for (i = 0; i < MG_NUM_UNITS; i++)
		if (words[0] >> control_bit[i] & 1)
			units[n++] = i;
	b->nalu = (u8)n;
	pos = ALU_REGS + 16 * n;
	for (i = 0; i < n; i++) {
		mg_alu_decode(units[i], (u16)mg_decode_get_bits(words, ALU_REGS + 16 * i, 16),
			      mg_decode_get_bits(words, pos, body_bits(units[i])), &b->alu[i]);
		pos += body_bits(units[i]);
	}
	for (i = 0; i < 2; i++) {
		bool extended = i;

		if (!(words[0] >> (i ? CONTROL_EXTENDED : CONTROL_COMPACT) & 1))
			continue;
		mg_branch_decode(extended, mg_decode_get_bits(words, pos, extended ? 48 : 16),
				 &b->branch[b->nbranch++]);
		pos += extended ? 48 : 16;
	}
}

/* Size in bits of the operations that a control word announces. */
static u32 control_bits(u32 control)
{
	u32 bits = ALU_REGS, i;

	for (i = 0; i < MG_NUM_UNITS; i++)
		if (control >> control_bit[i] & 1)
			bits += 16 + body_bits(i);
	return bits + (control >> CONTROL_COMPACT & 1) * 16 +
	       (control >> CONTROL_EXTENDED & 1) * 48;
}

static enum mg_reason mg_decode_alu(const u32 *words, struct mg_bundle *b, struct mg_where *where)
{
	u32 odd = words[0] & 0xf155ff00, used = control_bits(words[0]), quads = (used + 127) / 128;
	u32 pos;

	if (odd)
		return mg_decode_bad(where, MG_BAD_CONTROL, 8, 24, words[0] >> 8,
				     ~0xf155ff00U >> 8);
	if (used == ALU_REGS)
		return mg_decode_bad(where, MG_BAD_CONTROL, 8, 24, 0, ~0xf155ff00U >> 8);
	if (b->quads < quads || b->quads > quads + 1)
		return mg_decode_bad(where, MG_BAD_ALU_SIZE, 0, 4, b->quads, quads + 1);
	for (pos = used; pos < 128 * quads; pos += 16) {
		u32 value = (u32)mg_decode_get_bits(words, pos, 16);

		if (value)
			return mg_decode_bad(where, MG_BAD_PADDING, pos, 16, value, 0);
	}
	decode_fields(words, b);
	b->has_consts = b->quads > quads;
	if (b->has_consts)
		memcpy(b->consts, words + 4 * quads, sizeof(b->consts));
	return MG_OK;
}

/* ---- load/store and texture bundles ---- */

void mg_ldst_decode(u64 bits, struct mg_ldst *l)
{
	*l = (struct mg_ldst){
		.op = (u8)mg_field(bits, 0, 8), .reg = (u8)mg_field(bits, 8, 5),
		.mask = (u8)mg_field(bits, 13, 4), .swizzle = (u8)mg_field(bits, 17, 8),
		.arg_comp = (u8)mg_field(bits, 25, 2), .arg_reg = (u8)mg_field(bits, 27, 3),
		.toggle = mg_field(bits, 30, 1), .index_format = (u8)mg_field(bits, 31, 2),
		.index_comp = (u8)mg_field(bits, 33, 2), .index_reg = (u8)mg_field(bits, 35, 3),
		.index_shift = (u8)mg_field(bits, 38, 4),
		.offset = mg_decode_sign_extend(mg_field(bits, 42, 18), 18), .bits = bits,
	};
}

static void decode_tex(const u32 *w, struct mg_tex *t)
{
	*t = (struct mg_tex){
		.op = (u8)mg_field(w[0], 8, 4), .mode = (u8)mg_field(w[0], 12, 4),
		.exec = (u8)mg_field(w[0], 16, 2), .dim = (u8)mg_field(w[0], 18, 2),
		.sampler_reg = mg_field(w[0], 20, 1), .texture_reg = mg_field(w[0], 21, 1),
		.lod_reg = mg_field(w[0], 22, 1), .offset_reg = mg_field(w[0], 23, 1),
		.in_full = mg_field(w[0], 24, 1), .in_select = (u8)mg_field(w[0], 25, 1),
		.in_upper = mg_field(w[0], 26, 1), .in_swizzle = (u8)mg_decode_get_bits(w, 27, 8),
		.unknown8 = (u8)mg_field(w[1], 3, 2), .out_full = mg_field(w[1], 5, 1),
		.type = (u8)mg_field(w[1], 6, 2), .out_select = (u8)mg_field(w[1], 8, 1),
		.out_upper = mg_field(w[1], 9, 1), .mask = (u8)mg_field(w[1], 10, 4),
		.outmod = (u8)mg_field(w[1], 14, 2), .swizzle = (u8)mg_field(w[1], 16, 8),
		.ooo = (u8)mg_field(w[1], 24, 4), .unknown4 = (u8)mg_decode_get_bits(w, 60, 8),
		.offset = (u16)mg_field(w[2], 4, 12), .bias = (u8)mg_field(w[2], 16, 8),
		.bias_int = (s8)mg_field(w[2], 24, 8), .sampler = (u16)w[3],
		.texture = (u16)(w[3] >> 16),
	};
}

static void encode_tex(const struct mg_tex *t, u32 *w)
{
	w[0] |= t->op << 8 | t->mode << 12 | t->exec << 16 | t->dim << 18 | t->sampler_reg << 20 |
		t->texture_reg << 21 | t->lod_reg << 22 | t->offset_reg << 23 | t->in_full << 24 |
		t->in_select << 25 | t->in_upper << 26;
	mg_decode_put_bits(w, 27, 8, t->in_swizzle);
	w[1] |= t->unknown8 << 3 | t->out_full << 5 | t->type << 6 | t->out_select << 8 |
		t->out_upper << 9 | t->mask << 10 | (u32)t->outmod << 14 |
		(u32)t->swizzle << 16 | (u32)t->ooo << 24;
	mg_decode_put_bits(w, 60, 8, t->unknown4);
	w[2] |= (u32)t->offset << 4 | (u32)t->bias << 16 | (u32)(u8)t->bias_int << 24;
	w[3] = t->sampler | (u32)t->texture << 16;
}

/* ---- bundles ---- */

enum mg_reason mg_bundle_decode(const u32 *words, u32 nquads, struct mg_bundle *b,
				struct mg_where *where)
{
	memset(b, 0, sizeof(*b));
	if (!nquads)
		return mg_decode_bad(where, MG_TRUNCATED, 0, 4, 0, 0);
	b->tag = words[0] & 15;
	b->next = words[0] >> 4 & 15;
	b->quads = (u8)mg_tag_quads(b->tag);
	if (!b->quads)
		return mg_decode_bad(where, MG_BAD_TAG, 0, 4, b->tag, 15);
	if (b->quads > nquads)
		return mg_decode_bad(where, MG_TRUNCATED, 0, 4, b->quads, nquads);
	if (mg_tag_is_alu(b->tag)) {
		b->kind = MG_KIND_ALU;
		return mg_decode_alu(words, b, where);
	}
	if (b->tag == MG_TAG_LDST) {
		b->kind = MG_KIND_LDST;
		mg_ldst_decode(mg_decode_get_bits(words, 8, 60), &b->ldst[0]);
		mg_ldst_decode(mg_decode_get_bits(words, 68, 60), &b->ldst[1]);
		return MG_OK;
	}
	b->kind = MG_KIND_TEX;
	decode_tex(words, &b->tex);
	return MG_OK;
}

static u32 encode_alu(const struct mg_bundle *b, u32 *words)
{
	u32 quads = mg_alu_quads(b), reg_word, body, i;

	if (quads + b->has_consts > MG_BUNDLE_QUADS || !(b->nalu + b->nbranch))
		return 0;
	for (i = 0; i < b->nalu; i++) {
		mg_alu_place(b, i, &reg_word, &body);
		words[0] |= 1U << control_bit[b->alu[i].unit];
		mg_decode_put_bits(words, reg_word, 16, b->alu[i].reg_word);
		mg_decode_put_bits(words, body, body_bits(b->alu[i].unit), b->alu[i].body);
	}
	for (i = 0; i < b->nbranch; i++) {
		bool extended = b->branch[i].extended;

		words[0] |= 1U << (extended ? CONTROL_EXTENDED : CONTROL_COMPACT);
		mg_decode_put_bits(words, mg_branch_place(b, i), extended ? 48 : 16,
				   b->branch[i].bits);
	}
	if (b->has_consts)
		memcpy(words + 4 * quads, b->consts, sizeof(b->consts));
	return quads + b->has_consts;
}

u32 mg_bundle_encode(const struct mg_bundle *b, u32 *words)
{
	u32 quads = 1;

	memset(words, 0, 4 * MG_BUNDLE_QUADS * sizeof(*words));
	words[0] = b->next << 4;
	switch (b->kind) {
	case MG_KIND_ALU:
		quads = encode_alu(b, words);
		words[0] |= (b->tag & MG_TAG_ALUW) | ((quads - 1) & 3);
		break;
	case MG_KIND_LDST:
		words[0] |= MG_TAG_LDST;
		mg_decode_put_bits(words, 8, 60, b->ldst[0].bits);
		mg_decode_put_bits(words, 68, 60, b->ldst[1].bits);
		break;
	default:
		words[0] |= b->tag;
		encode_tex(&b->tex, words);
		break;
	}
	return quads;
}

bool mg_bundle_ends(const u32 *words, u32 nquads, u32 pos, const struct mg_bundle *b)
{
	u32 after = pos + b->quads, w;

	if (b->next != MG_TAG_BREAK)
		return false;
	if (after >= nquads)
		return true;
	w = words[4 * after];
	return !mg_tag_is_alu(w & 15) || (w >> 4 & 15) != MG_TAG_BREAK;
}
