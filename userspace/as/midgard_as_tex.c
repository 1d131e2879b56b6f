// SPDX-License-Identifier: MIT
/*
 * Midgard assembler: texture operations.
 */
#include "midgard_as.h"

static int find_op(const char *name, size_t len)
{
	u32 i;

	for (i = 0; i < 16; i++) {
		const char *op = mg_tex_op_name(i);

		if (op && strlen(op) == len && !strncmp(op, name, len))
			return (int)i;
	}
	return -1;
}

bool mas_is_tex(const char *text)
{
	return find_op(text, strcspn(text, ". \t")) >= 0;
}

/* ---- the operation and its modifiers ---- */

/* The longest mode that is next; without one it is the normal one. */
static void read_mode(const char **p, struct mg_tex *t)
{
	size_t len, best = 0;
	u32 i;

	t->mode = MG_TEXMODE_NORMAL;
	for (i = 0; i < 16; i++) {
		const char *name = mg_tex_mode_name(i);

		len = name ? strlen(name) : 0;
		if (len <= best || strncmp(*p, name, len))
			continue;
		best = len;
		t->mode = (u8)i;
	}
	*p += best;
}

static bool read_dim(const char **p, struct mg_tex *t)
{
	u32 i;

	for (i = 0; i < 4; i++) {
		if (!mas_take(p, mg_tex_dim_name(i)))
			continue;
		t->dim = (u8)i;
		return true;
	}
	return false;
}

static bool read_head(const char *p, struct mg_bundle *b)
{
	struct mg_tex *t = &b->tex;
	u64 ooo = 0;

	t->exec = MG_EXEC_NONE;
	if (t->op == MG_TEX_BARRIER) {
		b->tag = MG_TAG_TEX_BARRIER;
	} else {
		b->tag = mas_take(&p, ".vtx") ? MG_TAG_TEX_VERTEX : MG_TAG_TEX;
		if (t->op == MG_TEX_DERIVATIVE) {
			t->mode = !strncmp(p, ".y", 2);
			if (!t->mode && strncmp(p, ".x", 2))
				return false;
			p += 2;
		} else {
			read_mode(&p, t);
		}
		if (!mas_take(&p, ".") || !read_dim(&p, t))
			return false;
		if (mas_take(&p, mg_tex_exec_name(MG_EXEC_SKIP)))
			t->exec = MG_EXEC_SKIP;
		else if (mas_take(&p, mg_tex_exec_name(MG_EXEC_KILL)))
			t->exec = MG_EXEC_KILL;
	}
	if (mas_take(&p, ".ooo") && !mas_number(&p, 15, &ooo))
		return false;
	t->ooo = (u8)ooo;
	return !*p;
}

/* ---- operands ---- */

/* "AT1.z.32", as eight bits. */
static bool read_reg(const char **p, u32 *bits)
{
	u32 select, full;
	int comp;

	if (!mas_take(p, "AT") || (**p != '0' && **p != '1'))
		return false;
	select = (u32)(*(*p)++ - '0');
	if (!mas_take(p, "."))
		return false;
	comp = mas_letter(p, 8);
	full = mas_take(p, ".32");
	if (comp < 0 || (full ? comp > 3 : !mas_take(p, ".16")))
		return false;
	*bits = full | select << 1 | (u32)(comp > 3) << 2 | (u32)(comp & 3) << 3;
	return true;
}

/* "AT0.xyzw.32": register, components, width. */
static bool read_vector(const char **p, u32 *select, u32 *swizzle, bool *full, bool *upper)
{
	u32 i;
	int value;

	if (!mas_take(p, "AT") || (**p != '0' && **p != '1'))
		return false;
	*select = (u32)(*(*p)++ - '0');
	*swizzle = MG_SWIZZLE_NONE;
	*upper = false;
	if (!mas_take(p, "."))
		return false;
	for (i = 0; i < 4 && **p > '9'; i++) {
		value = mas_letter(p, 8);
		if (value < 0 || (i && *upper != value / 4))
			return false;
		*upper = value / 4;
		*swizzle = (*swizzle & ~(3U << (2 * i))) | (u32)(value & 3) << (2 * i);
	}
	if (i && (i != 4 || !mas_take(p, ".")))
		return false;
	*full = mas_take(p, "32");
	return *full ? !*upper : mas_take(p, "16");
}

static bool read_result(const char *p, struct mg_tex *t)
{
	int value = -1;
	u32 i;

	if (!mas_take(&p, "TA") || (*p != '0' && *p != '1'))
		return false;
	t->out_select = (u8)(*p++ - '0');
	t->mask = 15;
	t->out_upper = mas_take(&p, "'");
	if (!mas_take(&p, "."))
		return false;
	/* Components, or the type at once. */
	if (!((*p == 'f' || *p == 'i') && p[1] >= '0' && p[1] <= '9')) {
		for (t->mask = 0; *p && *p != '.'; t->mask |= 1U << (value & 3)) {
			value = mas_letter(&p, 8);
			if (value < 0 || (t->mask && t->out_upper != value / 4))
				return false;
			t->out_upper = value / 4;
		}
		if (!mas_take(&p, "."))
			return false;
	}
	if (*p != 'f' && *p != 'i')
		return false;
	t->type = *p++ == 'f' ? MG_SAMPLER_FLOAT : MG_SAMPLER_NONE;
	t->out_full = mas_take(&p, "32");
	if (!t->out_full && !mas_take(&p, "16"))
		return false;
	for (i = 1; i < 4 && t->type == MG_SAMPLER_FLOAT; i++)
		if (mas_take(&p, mg_outmod_name(i, false)))
			t->outmod = (u8)i;
	return !*p;
}

/* "texture3", "texture[AT0.x.32]". */
static bool read_handle(const char **p, const char *name, bool *reg, u16 *handle)
{
	u32 bits;
	u64 v;

	if (!mas_take(p, name))
		return false;
	*reg = mas_take(p, "[");
	if (*reg) {
		if (!read_reg(p, &bits) || !mas_take(p, "]"))
			return false;
		*handle = (u16)bits;
		return true;
	}
	if (!mas_number(p, 0xffff, &v))
		return false;
	*handle = (u16)v;
	return true;
}

static bool read_sampler(const char *p, struct mg_tex *t)
{
	u32 type, swizzle = MG_SWIZZLE_NONE;

	for (type = 0; type < 4 && *p != mg_tex_type_letter(type); type++)
		;
	/* fsampler requires a float result; for the others the letter sets the type. */
	if (type == 4 || (type == MG_SAMPLER_FLOAT ? t->type != type : t->type))
		return false;
	t->type = (u8)type;
	p++;
	if (!read_handle(&p, "sampler", &t->sampler_reg, &t->sampler))
		return false;
	if (mas_take(&p, ".") && !mas_swizzle(&p, 15, &swizzle))
		return false;
	t->swizzle = (u8)swizzle;
	return !*p;
}

static bool read_offset(const char *p, struct mg_tex *t)
{
	u32 select, swizzle, i;
	bool full, upper;
	s64 v;

	if (!mas_take(&p, "<")) {
		if (!read_vector(&p, &select, &swizzle, &full, &upper))
			return false;
		t->offset_reg = true;
		t->offset = (u16)(full | select << 1 | (u32)upper << 2 | swizzle << 3);
		return !*p;
	}
	for (i = 0; i < 3; i++) {
		if ((i && !mas_take(&p, ",")) || !(mas_blanks(&p), mas_signed(&p, -8, 15, &v)))
			return false;
		t->offset |= (u16)((v & 15) << (4 * i));
	}
	return mas_take(&p, ">") && !*p;
}

static bool read_coords(const char *p, struct mg_tex *t)
{
	u32 select, swizzle;

	if (!read_vector(&p, &select, &swizzle, &t->in_full, &t->in_upper))
		return false;
	t->in_select = (u8)select;
	t->in_swizzle = (u8)swizzle;
	if (mas_take(&p, "+"))
		return read_offset(p, t);
	return !*p;
}

/* "2.500000" in 1/256. */
static bool read_fixed(const char **p, u32 *value)
{
	u64 whole, part = 0, unit = 1;

	if (!mas_number(p, 128, &whole))
		return false;
	*value = (u32)whole << 8;
	if (!mas_take(p, "."))
		return true;
	for (; **p >= '0' && **p <= '9'; (*p)++) {
		if (unit == 1000000000)
			return false;
		part = 10 * part + (u64)(**p - '0');
		unit *= 10;
	}
	*value += (u32)((part * 256 + unit / 2) / unit);
	return true;
}

static bool read_lod(const char *p, const char *notes, struct mg_tex *t)
{
	bool negative;
	u32 value, bits;
	u64 v;
	s32 lod;

	if (!mas_take(&p, "lod") || (mas_blanks(&p), !*p))
		return false;
	negative = *p == '-' || mas_get_note(notes, "negative");
	if (*p != '+' && *p != '-' && *p != '=')
		return false;
	p++;
	mas_blanks(&p);
	if (*p == 'A') {
		t->lod_reg = true;
		if (!read_reg(&p, &bits))
			return false;
		t->bias = (u8)bits;
		return !*p;
	}
	if (t->op == MG_TEX_FETCH) {
		if (!mas_number(&p, 255, &v))
			return false;
		t->bias = (u8)v;
		return !*p;
	}
	if (!read_fixed(&p, &value) || *p)
		return false;
	lod = negative ? -(s32)value : (s32)value;
	if (lod < -128 * 256 || lod > 128 * 256 - 1)
		return false;
	t->bias_int = (s8)(lod >> 8);
	t->bias = (u8)lod;
	return true;
}

int mas_tex_line(struct mas *as, const struct mas_line *l)
{
	struct mg_tex *t = &as->b.tex;
	size_t len = strcspn(l->text, ". \t"), end = strcspn(l->text, " \t");
	char *part[8], *rest = l->text + end;
	u32 n;

	t->op = (u8)find_op(l->text, len);
	if (*rest)
		*rest++ = '\0';
	if (!read_head(l->text + len, &as->b))
		return mas_error(as, l->line, "unknown texture operation %.60s", l->text);
	rest += strspn(rest, " \t");
	n = mas_split(rest, part, ARRAY_SIZE(part));
	/* Listings end operands with a comma. */
	if (n && !*part[n - 1])
		n--;
	if (t->op == MG_TEX_BARRIER)
		return n ? mas_error(as, l->line, "a barrier has no operands") : 0;
	if (n < 4 || n > 5)
		return mas_error(as, l->line,
				 "operands are the result, texture, sampler, coordinates, lod");
	if (!read_result(part[0], t))
		return mas_error(as, l->line, "not a texture result: %.60s", part[0]);
	if (mas_get_note(l->notes, "upper"))
		t->out_upper = true;
	if (!read_handle((const char **)&part[1], "texture", &t->texture_reg, &t->texture) ||
	    *part[1])
		return mas_error(as, l->line, "not a texture: %.60s", part[1]);
	if (!read_sampler(part[2], t))
		return mas_error(as, l->line, "not a sampler of this type: %.60s", part[2]);
	if (!read_coords(part[3], t))
		return mas_error(as, l->line, "not texture coordinates: %.60s", part[3]);
	if (n == 5 && !read_lod(part[4], l->notes, t))
		return mas_error(as, l->line, "not a lod: %.60s", part[4]);
	return 0;
}
