// SPDX-License-Identifier: MIT
/*
 * PICA200 assembler: instructions and operand descriptors.
 *
 * Descriptors are shared and merged by picasso's rules, so that the same source gives
 * the same words. Those given by .opdesc are never changed.
 */
#include "pica_as.h"
#include "pica_encode.h"

int as_put_word(struct as *as, u32 word, bool shares_desc)
{
	if (as->ncode == PICA_MAX_CODE)
		return as_error(as, 0, "code memory holds %u words", PICA_MAX_CODE);
	as->shares_desc[as->ncode] = shares_desc;
	as->line_of[as->ncode] = as->line;
	as->file_of[as->ncode] = as->file;
	as->code[as->ncode++] = word;
	return 0;
}

static int put(struct as *as, struct pica_insn *insn)
{
	return as_put_word(as, pica_encode(insn), insn->nsrc != 0);
}

/* The console needs a word between some flow instructions and the end of a block. */
void as_pad(struct as *as, u32 col)
{
	struct pica_insn nop;

	if (as->flags & VS_AS_NO_NOP) {
		as_warn(as, col, "a padding nop is required here");
		return;
	}
	pica_insn_init(&nop, PICA_OP_NOP);
	put(as, &nop);
}

/* Exchange two descriptors; words that name them follow. */
static void swap_desc(struct as *as, u32 a, u32 b)
{
	u32 i;

	swap(as->opdesc[a], as->opdesc[b]);
	swap(as->opmask[a], as->opmask[b]);
	for (i = 0; i < as->ncode; i++) {
		struct pica_insn insn;

		if (!as->shares_desc[i] || !pica_decode(as->code[i], &insn))
			continue;
		/* MAD never names one of the two. */
		if (insn.info->layout == PICA_L5 || insn.info->layout == PICA_L5I)
			continue;
		if (insn.f[PICA_F_DESC] == a)
			insn.f[PICA_F_DESC] = (u16)b;
		else if (insn.f[PICA_F_DESC] == b)
			insn.f[PICA_F_DESC] = (u16)a;
		as->code[i] = pica_encode(&insn);
	}
}

static int find_desc(struct as *as, enum pica_op op, u32 desc, u32 *index)
{
	u32 live = pica_opdesc_live(op, desc);
	u32 i;

	for (i = 0; i < as->nopdesc; i++) {
		u32 both = live & as->opmask[i];

		if ((desc ^ as->opdesc[i]) & both)
			continue;
		if (!as->desc_fixed[i]) {
			as->opdesc[i] = (as->opdesc[i] & ~live) | (desc & live);
			as->opmask[i] |= live;
		}
		*index = i;
		return 0;
	}
	if (as->nopdesc == PICA_MAX_OPDESC)
		return as_error(as, 0, "too many operand descriptors (limit %d)", PICA_MAX_OPDESC);
	*index = as->nopdesc++;
	as->opdesc[*index] = desc;
	as->opmask[*index] = live;
	return 0;
}

/* MAD reaches the first 32 descriptors only. */
static int reach_desc(struct as *as, u32 *index)
{
	u32 i;

	if (*index < PICA_MAX_OPDESC_MAD) {
		as->desc_mad[*index] = true;
		return 0;
	}
	for (i = 0; i < PICA_MAX_OPDESC_MAD; i++)
		if (!as->desc_mad[i] && !as->desc_fixed[i])
			break;
	if (i == PICA_MAX_OPDESC_MAD || as->desc_fixed[*index])
		return as_error(as, 0, "mad needs a descriptor below %d and all are taken",
				PICA_MAX_OPDESC_MAD);
	swap_desc(as, i, *index);
	as->desc_mad[i] = true;
	*index = i;
	return 0;
}

static int named_desc(struct as *as, const struct pica_insn *insn, u32 desc, bool plain,
		      bool mad, u32 *index)
{
	u32 col = as_peek(as)->col;
	s64 n;
	int ret;

	ret = as_int(as, "a descriptor number", 0,
		     (mad ? PICA_MAX_OPDESC_MAD : PICA_MAX_OPDESC) - 1, &n);
	if (ret)
		return ret;
	*index = (u32)n;
	if (*index >= as->nopdesc) {
		if (plain)
			return 0;
		return as_error(as, col,
				"descriptor %u is not defined, swizzles have no place",
				*index);
	}
	if ((desc ^ as->opdesc[*index]) & pica_opdesc_live((enum pica_op)insn->op, desc))
		return as_error(as, col, "descriptor %u (0x%08x) does not match the operands",
				*index, as->opdesc[*index]);
	return 0;
}

/*
 * Choose the descriptor of @insn, or check the one that "@n" names. @plain: the
 * operands have no swizzles, masks and signs.
 */
int as_use_desc(struct as *as, struct pica_insn *insn, u32 desc, bool plain)
{
	bool mad = insn->info->layout == PICA_L5 || insn->info->layout == PICA_L5I;
	u32 index = 0;
	int ret;

	if (as_accept(as, '@')) {
		ret = named_desc(as, insn, desc, plain, mad, &index);
	} else {
		ret = find_desc(as, (enum pica_op)insn->op, desc, &index);
		if (!ret && mad)
			ret = reach_desc(as, &index);
	}
	insn->f[PICA_F_DESC] = ret ? 0 : (u16)index;
	return ret;
}

static int comma(struct as *as)
{
	return as_expect(as, ',', "and another operand");
}

static int source(struct as *as, struct as_reg *reg)
{
	int ret = as_reg(as, AS_REG_INDEX | AS_REG_SIGN, reg);

	if (ret)
		return ret;
	if (!strchr("vrc", reg->file))
		return as_error(as, reg->col, "%c%u cannot be read, only v, r and c registers",
				reg->file, reg->num);
	if (reg->none)
		return as_error(as, reg->col, "an operand that is read has components");
	return 0;
}

static bool is_wide(const struct as_reg *reg)
{
	return reg->file == 'c';
}

static u16 source_number(const struct as_reg *reg)
{
	if (reg->file == 'c')
		return (u16)(PICA_SRC_C0 + reg->num);
	return (u16)((reg->file == 'r' ? PICA_SRC_R0 : PICA_SRC_V0) + reg->num);
}

/* Encode the sources and check the operand positions of uniforms. */
static int set_sources(struct as *as, struct pica_insn *insn, const struct as_reg *src,
		       struct pica_opdesc *desc)
{
	bool mad = insn->info->layout == PICA_L5 || insn->info->layout == PICA_L5I;
	const struct as_reg *input = NULL;
	u32 n;

	for (n = 0; n < insn->nsrc; n++) {
		if (is_wide(&src[n]) && n != insn->wide && mad)
			return as_error(as, src[n].col,
					"only operand 3 or 4 of mad can be a float uniform");
		if (is_wide(&src[n]) && n != insn->wide)
			return as_error(as, src[n].col,
					"a float uniform cannot stand here, only as operand %u",
					insn->wide + (insn->op == PICA_OP_CMP ? 1 : 2));
		if (src[n].file == 'v') {
			if (input && input->num != src[n].num)
				as_warn(as, src[n].col,
					"v%u besides v%u: two input registers read wrong data",
					src[n].num, input->num);
			input = &src[n];
		}
		insn->src[n] = (u8)source_number(&src[n]);
		insn->f[PICA_F_SRC1 + n] = insn->src[n];
		desc->neg |= (u8)(src[n].neg << n);
		memcpy(desc->sel[n], src[n].sel, sizeof(desc->sel[n]));
		if (n == insn->wide)
			insn->f[PICA_F_IDX] = src[n].idx;
	}
	return 0;
}

static int dest(struct as *as, struct as_reg *reg)
{
	int ret = as_reg(as, 0, reg);

	if (ret)
		return ret;
	if (!strchr("or", reg->file))
		return as_error(as, reg->col, "%c%u cannot be written, only o and r registers",
				reg->file, reg->num);
	return 0;
}

/* a0.x a0.y a0.xy, with picasso's older names a0 a1 a01. */
static int mova_dest(struct as *as, struct as_reg *reg)
{
	struct as_tok t;
	u32 c;
	int ret;

	memset(reg, 0, sizeof(*reg));
	for (c = 0; c < 4; c++)
		reg->sel[c] = (u8)c;
	ret = as_name(as, "a0.x, a0.y or a0.xy", &t);
	if (ret)
		return ret;
	reg->col = t.col;
	reg->plain = as_str_is(t.str, "a0");
	if (reg->plain && as_accept(as, '.'))
		return as_swizzle(as, reg);
	if (!reg->plain && !as_str_is(t.str, "a1") && !as_str_is(t.str, "a01"))
		return as_error(as, t.col, "mova writes a0.x, a0.y or a0.xy, not '%.*s'",
				as_len(t.str), t.str.s);
	for (c = 0; c < 4; c++)
		reg->sel[c] = as_str_is(t.str, "a1") || (c && as_str_is(t.str, "a01"));
	return 0;
}

/*
 * The inverted form of an operation takes its uniform last. It is chosen if the last
 * operand is a uniform, or without uniforms by the mnemonic.
 */
static enum pica_op choose_form(enum pica_op op, const struct as_reg *src, bool asked)
{
	static const struct {
		enum pica_op op, inverted;
		u32 first, last;
	} forms[] = {
		{ PICA_OP_DPH, PICA_OP_DPHI, 0, 1 }, { PICA_OP_DST, PICA_OP_DSTI, 0, 1 },
		{ PICA_OP_SGE, PICA_OP_SGEI, 0, 1 }, { PICA_OP_SLT, PICA_OP_SLTI, 0, 1 },
		{ PICA_OP_MAD, PICA_OP_MADI, 1, 2 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		if (forms[i].op != op || is_wide(&src[forms[i].first]))
			continue;
		if (asked || is_wide(&src[forms[i].last]))
			return forms[i].inverted;
	}
	return op;
}

/* Does each component of a result depend on the same component of the sources only? */
static bool is_componentwise(enum pica_op op)
{
	switch (op) {
	case PICA_OP_ADD:
	case PICA_OP_MUL:
	case PICA_OP_SGE:
	case PICA_OP_SLT:
	case PICA_OP_FLR:
	case PICA_OP_MAX:
	case PICA_OP_MIN:
	case PICA_OP_MOV:
	case PICA_OP_MAD:
		return true;
	default:
		return false;
	}
}

/*
 * Components are selected by position, and the last letter is repeated: in "mov r1.zw, v0.zw" z
 * gets w. Warn where a swizzle has as many letters as the mask, but not at its positions.
 */
static void check_swizzle(struct as *as, u8 mask, const struct as_reg *d, const struct as_reg *src)
{
	size_t n = strlen(src->letters), k = 0;
	char whole[5] = "", meant[5] = "";
	bool moved = false;
	u32 i;

	if (n < 2 || n > 3 || n != (size_t)__builtin_popcount(mask))
		return;
	for (i = 0; i < 4; i++) {
		bool on = mask >> i & 1;

		whole[i] = src->letters[i < n ? i : n - 1];
		meant[i] = src->letters[k - (!on && k)];
		moved |= on && whole[i] != meant[i];
		k += on;
	}
	if (moved)
		as_warn(as, src->col,
			"'.%s' is '.%s', its first letter is for x; to fit the mask '.%s' write '.%s'",
			src->letters, whole, d->letters, meant);
}

static bool all_plain(const struct as_reg *d, const struct as_reg *src, u32 n)
{
	bool plain = !d || d->plain;

	while (n--)
		plain = plain && src[n].plain;
	return plain;
}

static int arithmetic(struct as *as, enum pica_op op, bool inverted)
{
	struct as_reg d, src[3];
	struct pica_opdesc desc = { 0 };
	struct pica_insn insn;
	u32 n;
	int ret;

	pica_insn_init(&insn, op);
	ret = op == PICA_OP_MOVA ? mova_dest(as, &d) : dest(as, &d);
	for (n = 0; !ret && n < insn.nsrc; n++) {
		ret = comma(as);
		if (!ret)
			ret = source(as, &src[n]);
	}
	if (ret)
		return ret;

	pica_insn_init(&insn, choose_form(op, src, inverted));
	if (op != PICA_OP_MOVA)
		insn.f[PICA_F_DST] = (u16)((d.file == 'r' ? PICA_DST_R0 : PICA_DST_O0) + d.num);
	desc.mask = as_mask(as, &d);
	for (n = 0; n < insn.nsrc && is_componentwise(op); n++)
		check_swizzle(as, desc.mask, &d, &src[n]);
	ret = set_sources(as, &insn, src, &desc);
	if (!ret)
		ret = as_use_desc(as, &insn, pica_opdesc_encode(&desc),
				  all_plain(&d, src, insn.nsrc));
	if (!ret)
		ret = as_expect_end(as);
	return ret ? ret : put(as, &insn);
}

static int cmp_condition(struct as *as, u16 *cond)
{
	static const char * const names[] = { "eq", "ne", "lt", "le", "gt", "ge" };
	struct as_tok t;
	u16 i;
	int ret;

	ret = as_name(as, "a comparison (eq ne lt le gt ge)", &t);
	if (ret)
		return ret;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (as_str_is(t.str, names[i])) {
			*cond = i;
			return 0;
		}
	}
	return as_error(as, t.col, "'%.*s' is not a comparison (eq ne lt le gt ge)",
			as_len(t.str), t.str.s);
}

/* cmp a, condition for x, condition for y, b */
static int compare(struct as *as)
{
	struct pica_opdesc desc = { 0 };
	struct as_reg src[2];
	struct pica_insn insn;
	int ret;

	pica_insn_init(&insn, PICA_OP_CMP);
	ret = source(as, &src[0]);
	if (!ret)
		ret = comma(as);
	if (!ret)
		ret = cmp_condition(as, &insn.f[PICA_F_CMPX]);
	if (!ret)
		ret = comma(as);
	if (!ret)
		ret = cmp_condition(as, &insn.f[PICA_F_CMPY]);
	if (!ret)
		ret = comma(as);
	if (!ret)
		ret = source(as, &src[1]);
	if (!ret)
		ret = set_sources(as, &insn, src, &desc);
	if (!ret)
		ret = as_use_desc(as, &insn, pica_opdesc_encode(&desc), all_plain(NULL, src, 2));
	if (!ret)
		ret = as_expect_end(as);
	return ret ? ret : put(as, &insn);
}

/* setemit slot [, prim] [inv] */
static int set_emit(struct as *as)
{
	struct pica_insn insn;
	struct as_tok t;
	s64 slot;
	int ret;

	pica_insn_init(&insn, PICA_OP_SETEMIT);
	ret = as_int(as, "a vertex slot", 0, 2, &slot);
	if (ret)
		return ret;
	insn.f[PICA_F_VTX] = (u16)slot;
	if (as_accept(as, ',')) {
		while (as_peek(as)->kind != TOK_END) {
			ret = as_name(as, "prim or inv", &t);
			if (ret)
				return ret;
			if (as_str_is(t.str, "prim") || as_str_is(t.str, "primitive"))
				insn.f[PICA_F_PRIM] = 1;
			else if (as_str_is(t.str, "inv") || as_str_is(t.str, "invert"))
				insn.f[PICA_F_WIND] = 1;
			else
				return as_error(as, t.col, "setemit knows prim and inv, not '%.*s'",
						as_len(t.str), t.str.s);
		}
	}
	ret = as_expect_end(as);
	/* As in old sources, the instruction marks a geometry program. */
	as->dvle->geometry = true;
	return ret ? ret : put(as, &insn);
}

static int flow_operand(struct as *as, struct pica_insn *insn)
{
	u32 flags = insn->info->flags;
	struct as_reg reg;
	u32 col = as_peek(as)->col;
	bool not;
	int ret;

	if (flags & PICA_OPF_COND)
		return as_condition(as, insn);
	if (flags & PICA_OPF_LOOP) {
		ret = as_reg_of(as, "i", "an integer uniform", &reg);
		insn->f[PICA_F_INT] = (u16)reg.num;
		return ret;
	}
	if (!(flags & PICA_OPF_BOOL))
		return 0;
	not = as_accept(as, '!');
	if (not && !(flags & PICA_OPF_JUMP))
		return as_error(as, col, "only jmpu can test for false");
	ret = as_reg_of(as, "b", "a boolean uniform", &reg);
	insn->f[PICA_F_BOOL] = (u16)reg.num;
	insn->f[PICA_F_NOT] = not;
	return ret;
}

/* ", number of words" after the target of CALL and IF. */
static int word_count(struct as *as, struct pica_insn *insn)
{
	s64 n;
	int ret;

	ret = as_expect(as, ',', "and the number of words");
	if (!ret)
		ret = as_int(as, "a number of words", 0, 255, &n);
	if (!ret)
		insn->f[PICA_F_NUM] = (u16)n;
	return ret;
}

/* A numeric target is encoded immediately, a name once it is known. */
static int target(struct as *as, struct pica_insn *insn, bool proc)
{
	s64 addr;
	int ret;

	if (as_peek(as)->kind == TOK_NAME)
		return as_target(as, as->ncode, proc);
	ret = as_int(as, "a label or an address", 0, PICA_MAX_CODE - 1, &addr);
	insn->f[PICA_F_TARGET] = ret ? 0 : (u16)addr;
	return ret;
}

/* call name; call address or label, words */
static bool has_count(const struct as *as)
{
	return as_peek(as)->kind != TOK_END && as_is(&as->tok[as->pos + 1], ',');
}

static int open_block(struct as *as, const struct pica_insn *insn, u32 col)
{
	struct as_block block = {
		.kind = insn->info->flags & PICA_OPF_LOOP ? BLOCK_FOR : BLOCK_IF,
		.start = as->ncode,
		.line = as->line,
		.col = col,
	};

	return as_open_block(as, &block);
}

static int flow(struct as *as, enum pica_op op, u32 col)
{
	u32 flags = pica_ops[op].flags;
	struct pica_insn insn;
	bool operand;
	int ret;

	pica_insn_init(&insn, op);
	operand = flags & (PICA_OPF_COND | PICA_OPF_BOOL | PICA_OPF_LOOP);
	ret = flow_operand(as, &insn);
	if (ret)
		return ret;
	if (flags & PICA_OPF_BREAK) {
		ret = as_expect_end(as);
		return ret ? ret : put(as, &insn);
	}
	if ((flags & (PICA_OPF_IF | PICA_OPF_LOOP)) && as_peek(as)->kind == TOK_END) {
		ret = open_block(as, &insn, col);
		return ret ? ret : put(as, &insn);
	}
	if (operand) {
		ret = as_expect(as, ',', "and a target");
		if (ret)
			return ret;
	}
	if ((flags & PICA_OPF_CALL) && as_peek(as)->kind == TOK_NAME && !has_count(as)) {
		ret = target(as, &insn, true);
	} else {
		ret = target(as, &insn, false);
		if (!ret && (flags & (PICA_OPF_CALL | PICA_OPF_IF)))
			ret = word_count(as, &insn);
	}
	if (!ret)
		ret = as_expect_end(as);
	return ret ? ret : put(as, &insn);
}

static int plain_op(struct as *as, enum pica_op op)
{
	struct pica_insn insn;
	int ret = as_expect_end(as);

	pica_insn_init(&insn, op);
	return ret ? ret : put(as, &insn);
}

/* Operation of a mnemonic; @inverted if it asks for the form with its uniform last. */
static enum pica_op find_op(struct as_str name, bool *inverted)
{
	struct as_str stem = name;
	u32 i;

	*inverted = false;
	if (as_str_is(name, "loop"))
		return PICA_OP_LOOP;
	if (as_str_is(name, "mad"))
		return PICA_OP_MAD;
	for (i = 0; i < PICA_NUM_OPS; i++)
		if (as_str_is(name, pica_ops[i].mnem))
			return (enum pica_op)i;

	stem.len--;
	*inverted = true;
	if (as_str_is(name, "madi"))
		return PICA_OP_MAD;
	for (i = 0; i < PICA_NUM_OPS; i++)
		if (pica_ops[i].layout == PICA_L1I && (name.s[stem.len] | 0x20) == 'i' &&
		    as_str_is(stem, pica_ops[i].mnem))
			return find_op(stem, &(bool){ false });
	return PICA_OP_INVALID;
}

int as_instruction(struct as *as, const struct as_tok *mnem)
{
	bool inverted;
	enum pica_op op = find_op(mnem->str, &inverted);

	if (op == PICA_OP_INVALID)
		return as_error(as, mnem->col, "'%.*s' is not an instruction", as_len(mnem->str),
				mnem->str.s);
	as->last_was_end = false;
	if (op == PICA_OP_CMP)
		return compare(as);
	if (op == PICA_OP_SETEMIT)
		return set_emit(as);
	if (pica_ops[op].layout == PICA_L0)
		return plain_op(as, op);
	if (pica_ops[op].flags & PICA_OPF_FLOW)
		return flow(as, op, mnem->col);
	return arithmetic(as, op, inverted);
}
