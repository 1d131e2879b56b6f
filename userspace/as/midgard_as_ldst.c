// SPDX-License-Identifier: MIT
/*
 * Midgard assembler: load/store operations.
 */
#include "midgard_as.h"

/**
 * struct ldst_line - operation being parsed
 * @def: definition of the operation
 * @l: its fields
 * @class: enum mg_ldst_class
 * @notes: notes of the line
 */
struct ldst_line {
	const struct mg_ldst_def *def;
	struct mg_ldst l;
	u32 class;
	const char *notes;
};

static bool find_op(const char **p, struct ldst_line *x)
{
	size_t best = 0, len;
	u32 i;

	for (i = 0; i < 256; i++) {
		const struct mg_ldst_def *def = mg_ldst_op(i);

		len = def ? strlen(def->name) : 0;
		if (!len || len <= best || strncmp(*p, def->name, len) ||
		    ((*p)[len] && !strchr(". \t", (*p)[len])))
			continue;
		best = len;
		x->def = def;
		x->class = def->class;
		x->l.op = (u8)i;
	}
	*p += best;
	return best;
}

static bool read_suffix(const char **p, struct ldst_line *x)
{
	struct mg_ldst *l = &x->l;

	if (x->class == MG_LS_CUBEMAP || x->class == MG_LS_PERSPECTIVE) {
		l->toggle = mas_take(p, ".f32");
		if (!l->toggle && !mas_take(p, ".f16"))
			return false;
	}
	if (mg_class_has_attr(x->class)) {
		if (mas_take(p, ".a32"))
			l->index_format |= 1;
		if (mas_take(p, ".secondary"))
			l->index_format |= 2;
		else if (mas_take(p, ".primary"))
			l->index_format &= 1;
	}
	return !**p || **p == ' ' || **p == '\t';
}

/* ---- operands ---- */

static int read_reg(const char **p)
{
	static const char * const names[] = {
		"AL0", "AL1", "PC_SP", "LOCAL_STORAGE_PTR", "LOCAL_THREAD_ID", "GROUP_ID",
		"GLOBAL_THREAD_ID", "0",
	};

	return mas_name(p, names, ARRAY_SIZE(names));
}

static bool read_component(const char **p, u8 *comp)
{
	int value = mas_take(p, ".") ? mas_letter(p, 4) : -1;

	*comp = (u8)value;
	return value >= 0;
}

/* "AL0.x" */
static bool read_scalar(const char **p, u8 *reg, u8 *comp)
{
	int value = read_reg(p);

	*reg = (u8)value;
	return value >= 0 && read_component(p, comp);
}

static bool read_shift(const char **p, struct mg_ldst *l)
{
	u64 v;

	if (!mas_take(p, "<<"))
		return true;
	if (!mas_number(p, 15, &v))
		return false;
	l->index_shift = (u8)v;
	return true;
}

static bool read_offset(const char **p, s32 *offset)
{
	bool negative = mas_take(p, "-");
	u64 v;

	*offset = 0;
	if (!negative && !mas_take(p, "+"))
		return true;
	if (!mas_number(p, 0x20000, &v))
		return false;
	*offset = negative ? -(s32)v : (s32)v;
	return true;
}

static bool read_result(const char *p, struct ldst_line *x)
{
	struct mg_ldst *l = &x->l;
	u32 i, shown = 0;
	u64 reg;
	int value;

	if (mas_take(&p, "AL")) {
		if (!mas_number(&p, 1, &reg))
			return false;
		l->reg = (u8)(MG_REG_LDST + reg);
	} else if (mas_take(&p, "AT")) {
		if (!mas_number(&p, 1, &reg))
			return false;
		l->reg = (u8)(MG_REG_TEX + reg);
	} else if (mas_take(&p, "R") && mas_number(&p, 31, &reg)) {
		l->reg = (u8)reg;
	} else {
		return false;
	}
	if (!mas_take(&p, "."))
		return false;
	for (l->mask = 0, i = 0; i < 4; i++) {
		if (mas_take(&p, "~"))
			continue;
		value = mas_letter(&p, 4);
		if (value < 0)
			return false;
		l->mask |= 1U << i;
		shown |= (u32)value << (2 * i);
	}
	if (mg_class_shows_result_swizzle(x->class))
		l->swizzle = (u8)mg_fill_ldst_swizzle(x->def, l->mask, shown);
	return !*p;
}

static bool read_stored(const char *p, struct ldst_line *x)
{
	struct mg_ldst *l = &x->l;
	u32 swizzle = MG_SWIZZLE_NONE;
	u64 mask = 15;
	int reg = read_reg(&p);

	if (reg < 0 || (mas_get_note(x->notes, "mask") &&
			!mas_note_number(x->notes, "mask", 15, &mask)))
		return false;
	l->reg = (u8)reg;
	l->mask = (u8)mask;
	if (mas_take(&p, ".")) {
		if (!mas_swizzle(&p, l->mask, &swizzle))
			return false;
		/* Components in order are not written. */
		swizzle = mg_fill_swizzle(l->mask, swizzle);
	}
	l->swizzle = (u8)swizzle;
	return !*p;
}

static bool read_address(const char *p, struct ldst_line *x)
{
	struct mg_ldst *l = &x->l;
	const char *q;
	int reg = read_reg(&p);
	u32 format;

	if (reg < 0)
		return false;
	l->arg_reg = (u8)reg;
	l->toggle = mas_take(&p, ".u64");
	if (!l->toggle && !mas_take(&p, ".u32"))
		return false;
	if (!read_component(&p, &l->arg_comp))
		return false;
	q = p;
	reg = mas_take(&q, "+") ? read_reg(&q) : -1;
	if (reg >= 0 && *q == '.') {
		p = q;
		l->index_reg = (u8)reg;
		for (format = 1; format < 4 && !mas_take(&p, mg_index_name(format)); format++)
			;
		l->index_format = format & 3;
		if (!read_component(&p, &l->index_comp) || !read_shift(&p, l))
			return false;
	}
	return read_offset(&p, &l->offset) && !*p;
}

static bool read_index(const char **p, struct mg_ldst *l)
{
	return read_scalar(p, &l->index_reg, &l->index_comp) && read_shift(p, l);
}

/* Number of the buffer, then where in it. */
static bool read_ubo(const char *buffer, const char *p, struct ldst_line *x)
{
	struct mg_ldst *l = &x->l;
	bool number = !strchr(buffer, '.');
	s32 offset;
	u64 v;

	if (number && (!mas_number(&buffer, 255, &v) || *buffer))
		return false;
	if (!number && (!read_scalar(&buffer, &l->arg_reg, &l->arg_comp) || *buffer))
		return false;
	if (!number && mas_get_note(x->notes, "ubo") &&
	    !mas_note_number(x->notes, "ubo", 255, &v))
		return false;
	if (number || mas_get_note(x->notes, "ubo")) {
		l->arg_comp = v & 3;
		l->arg_reg = v >> 2 & 7;
		l->toggle = v >> 5 & 1;
		l->index_format = (u8)(v >> 6);
	}
	if (!read_index(&p, l) || !read_offset(&p, &offset) || offset < -0x8000 ||
	    offset > 0x7fff)
		return false;
	l->offset = offset * 4 + number;
	return !*p;
}

static bool read_attr(const char *p, struct ldst_line *x)
{
	s32 offset;

	if (!read_index(&p, &x->l) || !read_offset(&p, &offset) || offset < -256 || offset > 255)
		return false;
	x->l.offset = offset * 512;
	return !*p;
}

static bool read_vertex(const char *p, struct ldst_line *x)
{
	struct mg_ldst *l = &x->l;
	int reg = read_reg(&p);
	s32 offset;

	if (reg < 0)
		return false;
	l->arg_reg = (u8)reg;
	if (mg_class_is_image(x->class)) {
		l->toggle = mas_take(&p, ".u64");
		if (!l->toggle && !mas_take(&p, ".u32"))
			return false;
	}
	if (!read_component(&p, &l->arg_comp))
		return false;
	if (x->class == MG_LS_ATTR && mas_get_note(x->notes, "toggle")) {
		if (!read_offset(&p, &offset) || offset < -256 || offset > 255)
			return false;
		l->offset |= offset & 511;
	}
	return !*p;
}

static bool read_source(const char *p, struct ldst_line *x)
{
	u32 swizzle = MG_SWIZZLE_NONE;
	int reg = read_reg(&p);

	if (reg < 0 || (mas_take(&p, ".") && !mas_swizzle(&p, 15, &swizzle)))
		return false;
	x->l.arg_reg = (u8)reg;
	x->l.swizzle = (u8)swizzle;
	return !*p;
}

static bool read_format(const char *p, struct ldst_line *x)
{
	u64 v;

	if (!mas_number(&p, 0xffffffff, &v))
		return false;
	x->l.index_shift = v & 15;
	x->l.offset = (s32)(v >> 4 & 0x3ffff);
	return !*p;
}

static bool read_atomic(const char *p, struct ldst_line *x)
{
	u8 reg, comp;

	if (!read_scalar(&p, &reg, &comp))
		return false;
	x->l.swizzle = (u8)(comp | reg << 2);
	return !*p;
}

static bool read_compared(const char *p, struct ldst_line *x)
{
	return read_scalar(&p, &x->l.index_reg, &x->l.index_comp) && !*p;
}

/* Number of operands of an operation, including its result. */
static u32 count_operands(u32 class)
{
	if (class == MG_LS_UBO)
		return 3;
	return 1U + mg_class_has_address(class) + mg_class_reg2reg(class) +
	       (class == MG_LS_ATOMIC) + 2 * (class == MG_LS_CMPXCHG) +
	       2 * mg_class_has_attr(class) +
	       (class == MG_LS_LD_SPECIAL || class == MG_LS_ST_SPECIAL) +
	       (class == MG_LS_PACK || class == MG_LS_UNPACK);
}

/* Return: operands read, or -1 - index of the invalid one. */
static int read_operands(char **part, struct ldst_line *x)
{
	u32 class = x->class;
	int n = 0;

	if (!(mg_class_stores(class) ? read_stored(part[n], x) : read_result(part[n], x)))
		return -1 - n;
	n++;
	if (class == MG_LS_UBO)
		return read_ubo(part[1], part[2], x) ? 3 : -2;
	if (mg_class_has_address(class) && !read_address(part[n++], x))
		return -n;
	if (mg_class_reg2reg(class) && !read_source(part[n++], x))
		return -n;
	if ((class == MG_LS_ATOMIC || class == MG_LS_CMPXCHG) && !read_atomic(part[n++], x))
		return -n;
	if (class == MG_LS_CMPXCHG && !read_compared(part[n++], x))
		return -n;
	if ((mg_class_has_attr(class) || class == MG_LS_LD_SPECIAL ||
	     class == MG_LS_ST_SPECIAL) && !read_attr(part[n++], x))
		return -n;
	if (mg_class_has_attr(class) && !read_vertex(part[n++], x))
		return -n;
	if ((class == MG_LS_PACK || class == MG_LS_UNPACK) && !read_format(part[n++], x))
		return -n;
	return n;
}

static int apply_notes(struct mas *as, const struct mas_line *line, struct ldst_line *x)
{
	const struct mg_ldst_field *f;
	u64 v, mask;

	for (f = mg_vary_flags; f->name && x->class == MG_LS_VARYING; f++)
		if (mas_get_note(line->notes, f->name))
			x->l.offset |= f->lo;
	mg_ldst_encode(&x->l);
	for (f = mg_ldst_fields; f->name; f++) {
		if (!mas_get_note(line->notes, f->name))
			continue;
		mask = (1ULL << f->width) - 1;
		if (!mas_note_number(line->notes, f->name, mask, &v))
			return mas_error(as, line->line, "field %s has %u bits", f->name,
					 f->width);
		x->l.bits = (x->l.bits & ~(mask << f->lo)) | v << f->lo;
	}
	return 0;
}

static int read_line(struct mas *as, const struct mas_line *line, struct ldst_line *x)
{
	const char *p = line->text;
	char *part[8];
	u32 n;
	u64 v;
	int ret;

	if (mas_take(&p, ".ldst ")) {
		if (!mas_number(&p, (1ULL << 60) - 1, &x->l.bits) || *p)
			return mas_error(as, line->line, ".ldst takes 60 bits");
		return 0;
	}
	if (!find_op(&p, x))
		return mas_error(as, line->line, "unknown operation %.60s", line->text);
	mg_ldst_defaults(x->def, &x->l);
	if (!read_suffix(&p, x))
		return mas_error(as, line->line, "unknown modifier of %.60s", line->text);
	mas_blanks(&p);
	if (x->class == MG_LS_NOP || x->class == MG_LS_TRAP) {
		v = 0;
		if ((x->class == MG_LS_TRAP && !mas_number(&p, 0x3ffff, &v)) || *p)
			return mas_error(as, line->line, "not an operand: %.60s", p);
		x->l.offset = (s32)v;
		mg_ldst_encode(&x->l);
		return 0;
	}
	n = mas_split((char *)p, part, ARRAY_SIZE(part));
	if (n != count_operands(x->class))
		return mas_error(as, line->line, "%.60s has %u operands", x->def->name,
				 count_operands(x->class));
	ret = read_operands(part, x);
	if (ret < 0)
		return mas_error(as, line->line, "not an operand: %.60s", part[-1 - ret]);
	return apply_notes(as, line, x);
}

int mas_ldst_line(struct mas *as, const struct mas_line *l)
{
	struct ldst_line x = { .notes = l->notes };
	int ret = read_line(as, l, &x);

	if (ret)
		return ret;
	if (as->nldst == 2)
		return mas_error(as, l->line, "a bundle has two load/store operations");
	mg_ldst_decode(x.l.bits, &as->b.ldst[as->nldst++]);
	return 0;
}
