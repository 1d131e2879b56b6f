// SPDX-License-Identifier: MIT
/*
 * PICA200 assembler: registers, swizzles, masks and conditions.
 */
#include <ctype.h>

#include "pica_as.h"

static const struct {
	char file;
	u32 count;
} reg_files[] = {
	{ 'v', PICA_NUM_REGS }, { 'r', PICA_NUM_REGS }, { 'o', PICA_NUM_REGS },
	{ 'c', PICA_NUM_CONST }, { 'i', PICA_NUM_INT }, { 'b', PICA_NUM_BOOL },
};

static u32 reg_count(char file)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reg_files); i++)
		if (reg_files[i].file == file)
			return reg_files[i].count;
	return 0;
}

/* "c12"; anything else is not a register's own name. */
static bool own_name(struct as_str s, struct as_reg *reg)
{
	char file = (char)tolower((unsigned char)s.s[0]);
	u32 i;

	if (s.len < 2 || s.len > 5 || !reg_count(file))
		return false;
	reg->num = 0;
	for (i = 1; i < s.len; i++) {
		if (!isdigit((unsigned char)s.s[i]))
			return false;
		reg->num = 10 * reg->num + (u32)(s.s[i] - '0');
	}
	reg->file = file;
	return true;
}

static int component(char c)
{
	static const char sets[] = "xyzwrgbastpq";
	const char *at = strchr(sets, tolower((unsigned char)c));

	return at && c ? (int)((at - sets) % 4) : -1;
}

/* Swizzle letters after a dot; the last one is repeated. Composed with the swizzle of @reg. */
int as_swizzle(struct as *as, struct as_reg *reg)
{
	struct as_tok t;
	u8 sel[4];
	u32 i;
	int ret;

	ret = as_name(as, "components after '.'", &t);
	if (ret)
		return ret;
	reg->plain = false;
	if (as_str_is(t.str, "none")) {
		reg->none = true;
		return 0;
	}
	if (t.str.len > 4)
		return as_error(as, t.col, "'%.*s' has more than four components",
				as_len(t.str), t.str.s);
	for (i = 0; i < 4; i++) {
		u32 at = i < t.str.len ? i : t.str.len - 1;
		int c = component(t.str.s[at]);

		if (c < 0)
			return as_error(as, t.col + at, "'%c' is not a component (x y z w)",
					t.str.s[at]);
		sel[i] = reg->sel[c];
	}
	memcpy(reg->sel, sel, sizeof(sel));
	memcpy(reg->letters, t.str.s, t.str.len);
	reg->letters[t.str.len] = 0;
	return 0;
}

/* a0.x a0.y aL and picasso's older names for them; *idx stays 0 if it is none. */
static int index_name(struct as *as, u8 *idx)
{
	const struct as_tok *t = as_peek(as);
	struct as_tok comp;
	int ret;

	*idx = PICA_IDX_NONE;
	if (t->kind != TOK_NAME)
		return 0;
	if (as_str_is(t->str, "al") || as_str_is(t->str, "lcnt") || as_str_is(t->str, "a2")) {
		*idx = PICA_IDX_AL;
	} else if (as_str_is(t->str, "a1")) {
		*idx = PICA_IDX_A0Y;
	} else if (as_str_is(t->str, "a0")) {
		*idx = PICA_IDX_A0X;
	} else {
		return as_error(as, t->col, "'%.*s' is not an index register (a0.x, a0.y, aL)",
				as_len(t->str), t->str.s);
	}
	as_next(as);
	if (*idx != PICA_IDX_A0X || !as_accept(as, '.'))
		return 0;
	ret = as_name(as, "x or y after 'a0.'", &comp);
	if (ret)
		return ret;
	if (as_str_is(comp.str, "y"))
		*idx = PICA_IDX_A0Y;
	else if (!as_str_is(comp.str, "x"))
		return as_error(as, comp.col, "a0 has the components x and y only");
	return 0;
}

/* In brackets: an offset, an index register, or one plus the other. */
static int reg_index(struct as *as, u32 flags, struct as_reg *reg)
{
	u32 col = as_peek(as)->col;
	s64 offset = 0;
	int ret;

	ret = index_name(as, &reg->idx);
	if (ret)
		return ret;
	if (reg->idx && !(flags & AS_REG_INDEX))
		return as_error(as, col, "this operand cannot be addressed relatively");
	if (!reg->idx || as_is(as_peek(as), '+') || as_is(as_peek(as), '-')) {
		ret = as_decimal(as, "a register offset", -PICA_NUM_CONST, PICA_NUM_CONST, 0,
				 &offset);
		if (ret)
			return ret;
	}
	if (reg->idx && reg->file != 'c')
		return as_error(as, col, "only float uniforms can be addressed relatively");
	if (offset < 0 && (u32)-offset > reg->num)
		return as_error(as, col, "offset %d leads below %c0", (int)offset, reg->file);
	reg->num += (u32)offset;
	return as_expect(as, ']', "after the index");
}

static int base_reg(struct as *as, struct as_reg *reg)
{
	const struct as_sym *sym;
	struct as_tok t;
	int ret;

	ret = as_name(as, "a register", &t);
	if (ret)
		return ret;
	sym = as_find(&as->aliases, t.str);
	if (sym) {
		*reg = sym->reg;
	} else if (own_name(t.str, reg)) {
		u8 c;

		for (c = 0; c < 4; c++)
			reg->sel[c] = c;
		reg->plain = true;
	} else {
		return as_error(as, t.col, "'%.*s' is neither a register nor an alias",
				as_len(t.str), t.str.s);
	}
	reg->col = t.col;
	return 0;
}

int as_reg(struct as *as, u32 flags, struct as_reg *reg)
{
	u32 col = as_peek(as)->col;
	bool neg = false;
	int ret;

	memset(reg, 0, sizeof(*reg));
	if (as_accept(as, '-')) {
		if (!(flags & AS_REG_SIGN))
			return as_error(as, col, "this operand cannot be negated");
		neg = true;
	}
	ret = base_reg(as, reg);
	if (ret)
		return ret;
	if (neg) {
		reg->neg = !reg->neg;
		reg->plain = false;
	}
	if (as_accept(as, '[')) {
		ret = reg_index(as, flags, reg);
		if (ret)
			return ret;
	}
	if (reg->num >= reg_count(reg->file))
		return as_error(as, reg->col, "there is no %c%u, the last one is %c%u", reg->file,
				reg->num, reg->file, reg_count(reg->file) - 1);
	if (as_accept(as, '.'))
		return as_swizzle(as, reg);
	return 0;
}

/* A register of one of the kinds in @files. */
int as_reg_of(struct as *as, const char *files, const char *what, struct as_reg *reg)
{
	int ret = as_reg(as, 0, reg);

	if (ret)
		return ret;
	if (!strchr(files, reg->file))
		return as_error(as, reg->col, "expected %s, found %c%u", what, reg->file, reg->num);
	return 0;
}

/* Write mask, bit 0 is x: any component that the swizzle names. */
u8 as_mask(struct as *as, const struct as_reg *reg)
{
	u8 mask = 0;
	u32 i;

	if (reg->none)
		return 0;
	for (i = 0; i < 4; i++) {
		mask |= (u8)(1 << reg->sel[i]);
		if (i && reg->sel[i] < reg->sel[i - 1] && as)
			as_warn(as, reg->col, "the order of a mask's components has no effect");
	}
	return mask;
}

static int flag(struct as *as, bool *is_y, bool *positive)
{
	struct as_tok t;
	int ret;

	*positive = true;
	while (as_accept(as, '!'))
		*positive = !*positive;
	ret = as_name(as, "cmp.x or cmp.y", &t);
	if (ret)
		return ret;
	if (!as_str_is(t.str, "cmp"))
		return as_error(as, t.col, "expected cmp.x or cmp.y, found '%.*s'", as_len(t.str),
				t.str.s);
	ret = as_expect(as, '.', "after 'cmp'");
	if (!ret)
		ret = as_name(as, "x or y after 'cmp.'", &t);
	if (ret)
		return ret;
	*is_y = as_str_is(t.str, "y");
	if (!*is_y && !as_str_is(t.str, "x"))
		return as_error(as, t.col, "cmp has the components x and y only");
	return 0;
}

static void set_ref(struct pica_insn *insn, bool is_y, bool positive)
{
	insn->f[is_y ? PICA_F_REFY : PICA_F_REFX] = positive;
}

/* A flag, or two of them joined by && or || (or & or |). */
int as_condition(struct as *as, struct pica_insn *insn)
{
	bool y1, y2, pos1, pos2;
	u32 col = as_peek(as)->col;
	char join;
	int ret;

	ret = flag(as, &y1, &pos1);
	if (ret)
		return ret;
	set_ref(insn, y1, pos1);
	if (!as_is(as_peek(as), '&') && !as_is(as_peek(as), '|')) {
		insn->f[PICA_F_COND] = y1 ? PICA_COND_Y : PICA_COND_X;
		return 0;
	}
	join = as_next(as)->str.s[0];
	as_accept(as, join);
	ret = flag(as, &y2, &pos2);
	if (ret)
		return ret;
	if (y1 == y2)
		return as_error(as, col, "a condition tests each flag once");
	set_ref(insn, y2, pos2);
	insn->f[PICA_F_COND] = join == '&' ? PICA_COND_AND : PICA_COND_OR;
	return 0;
}
