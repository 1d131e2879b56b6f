// SPDX-License-Identifier: MIT
/*
 * Utgard pixel assembler: fields of an instruction other than arithmetic ones, and parts of
 * fields by name.
 */
#include "utgard_pp_as.h"

union upp_part *pas_begin(struct pas *pas, enum upp_form form, enum upp_field field)
{
	if (upp_has(&pas->insn, field)) {
		pas_error(pas, "the instruction has a field %s already", upp_field_name(field));
		return NULL;
	}
	pas->insn.ctrl.fields |= 1U << field;
	pas->insn.form[field] = (u8)form;
	upp_defaults(form, &pas->insn.part[field]);
	return &pas->insn.part[field];
}

/* ---- varyings ---- */

/* Text @s in parentheses after a name; the parentheses are cut off. */
static char *within(char *s, const char *name)
{
	size_t n = strlen(name), len = strlen(s);

	if (strncmp(s, name, n) || s[n] != '(' || s[len - 1] != ')')
		return NULL;
	s[len - 1] = '\0';
	return s + n + 1;
}

static int from_reg(struct pas *pas, char *s, const struct upp_varying *what)
{
	union upp_part *part = pas_begin(pas, UPP_FORM_VARYING_REG, UPP_VARYING);
	struct upp_varying_reg *v;
	struct pas_src src;

	if (!part || pas_vector(pas, s, NULL, &src))
		return -EINVAL;
	v = &part->varying_reg;
	v->source = what->source;
	v->perspective = what->perspective;
	v->dest = what->dest;
	v->mask = what->mask;
	if (v->source == UPP_FROM_CUBE && v->perspective == UPP_CUBE_NORMALIZE)
		v->normalize = 2;
	v->reg = src.reg;
	v->swizzle = src.swizzle;
	v->absolute = src.absolute;
	v->negate = src.negate;
	return 0;
}

static int from_varying(struct pas *pas, char *s, const struct upp_varying *what)
{
	static const u8 alignments[] = { UPP_VARYING_SCALAR, UPP_VARYING_VEC2, UPP_VARYING_VEC4 };
	union upp_part *part = pas_begin(pas, UPP_FORM_VARYING, UPP_VARYING);
	char *offset = pas_offset(s);
	u32 align, lane;
	s64 index;

	if (!part || pas_index(pas, s, 0, 63, &index, &align))
		return -EINVAL;
	part->varying.source = what->source;
	part->varying.perspective = what->perspective;
	part->varying.dest = what->dest;
	part->varying.mask = what->mask;
	part->varying.alignment = alignments[align];
	part->varying.index = (u32)index;
	if (!offset)
		return 0;
	if (pas_lane(pas, offset, &lane))
		return -EINVAL;
	part->varying.offset_vector = lane >> 2;
	part->varying.offset_scalar = lane & 3;
	return 0;
}

/* gl_FragCoord and its like. */
static int from_raster(struct pas *pas, const char *s, const struct upp_varying *what)
{
	static const struct {
		const char *name;
		u8 source;
		u8 perspective;
	} names[] = {
		{ "gl_FragCoord", UPP_FROM_CUBE, UPP_CUBE_FRAG_COORD },
		{ "gl_PointCoord", UPP_FROM_POINT, 0 },
		{ "gl_FrontFacing", UPP_FROM_POINT, 1 },
	};
	union upp_part *part;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i].name, s))
			continue;
		if (what->perspective)
			return pas_error(pas, "%s is not divided", s);
		part = pas_begin(pas, UPP_FORM_VARYING, UPP_VARYING);
		if (!part)
			return -EINVAL;
		part->varying.source = names[i].source;
		part->varying.perspective = names[i].perspective;
		part->varying.dest = what->dest;
		part->varying.mask = what->mask;
		part->varying.alignment = !(what->mask & 0xe) ? UPP_VARYING_SCALAR :
					  what->mask & 0xc ? UPP_VARYING_VEC4 : UPP_VARYING_VEC2;
		return 0;
	}
	return 1;
}

static bool is_register(const char *s)
{
	s += *s == '-';
	return !strncmp(s, "abs(", 4) || *s == '$' || *s == '^';
}

static int read_load(struct pas *pas, u32 perspective, char **tokens, u32 n)
{
	struct upp_varying what = { .perspective = perspective };
	char *inner;
	int ret;

	if (n != 2)
		return pas_error(pas, "load has a destination and a source");
	if (pas_masked(pas, tokens[0], &what.dest, &what.mask))
		return -EINVAL;
	ret = from_raster(pas, tokens[1], &what);
	if (ret <= 0)
		return ret;
	inner = within(tokens[1], "normalize");
	if (inner)
		what.perspective = UPP_CUBE_NORMALIZE;
	else
		inner = within(tokens[1], "cube");
	if (inner && perspective)
		return pas_error(pas, "cube and normalize are not divided");
	what.source = inner ? UPP_FROM_CUBE : UPP_FROM_VARYING;
	inner = inner ? inner : tokens[1];
	if (what.perspective == UPP_CUBE_NORMALIZE && what.source == UPP_FROM_CUBE)
		return from_reg(pas, inner, &what);
	if (!is_register(inner))
		return from_varying(pas, inner, &what);
	if (what.source == UPP_FROM_CUBE)
		what.perspective = UPP_CUBE_REG;
	else
		what.source = UPP_FROM_REG;
	return from_reg(pas, inner, &what);
}

/* ---- other loads ---- */

static int read_uniform(struct pas *pas, u32 source, char **tokens, u32 n)
{
	union upp_part *part = pas_begin(pas, UPP_FORM_UNIFORM, UPP_UNIFORM);
	struct upp_uniform *u;
	char *offset;
	s64 index;

	if (!part)
		return -EINVAL;
	if (n != 1)
		return pas_error(pas, "this load has an index");
	u = &part->uniform;
	offset = pas_offset(tokens[0]);
	if (pas_index(pas, tokens[0], -0x8000, 0x7fff, &index, &u->alignment))
		return -EINVAL;
	u->source = source;
	u->index = (u32)index & 0xffff;
	u->offset_enable = !!offset;
	return offset ? pas_lane(pas, offset, &u->offset) : 0;
}

/* Suffixes of texld: .b or .l, .cube or _tN. */
static int sampler_kind(struct pas *pas, const char *s, struct upp_sampler *t)
{
	s64 type;

	if (!strncmp(s, ".b", 2) || !strncmp(s, ".l", 2)) {
		t->lod_enable = 1;
		t->explicit_lod = s[1] == 'l';
		s += 2;
	}
	if (!strcmp(s, ".cube"))
		t->type = UPP_SAMPLER_CUBE;
	else if (!strncmp(s, "_t", 2) && uas_number(s + 2, 1, 31, &type))
		t->type = (u32)type;
	else if (*s)
		return pas_error(pas, "no such sampler: %.40s", s);
	return 0;
}

static int read_sampler(struct pas *pas, const char *kind, char **tokens, u32 n)
{
	union upp_part *part = pas_begin(pas, UPP_FORM_SAMPLER, UPP_SAMPLER);
	struct upp_sampler *t;
	char *offset;
	s64 index;

	if (!part || sampler_kind(pas, kind, &part->sampler))
		return -EINVAL;
	t = &part->sampler;
	if (n != 1 + t->lod_enable)
		return pas_error(pas, "texld has a unit, and a register with .b or .l");
	offset = pas_offset(tokens[0]);
	if (!uas_number(tokens[0], 0, 4095, &index))
		return pas_error(pas, "not a texture unit: %.40s", tokens[0]);
	t->index = (u32)index;
	t->offset_enable = !!offset;
	if (offset && pas_lane(pas, offset, &t->offset))
		return -EINVAL;
	return t->lod_enable ? pas_lane(pas, tokens[1], &t->lod) : 0;
}

/* ---- stores, branches, constants ---- */

static int read_store(struct pas *pas, char **tokens, u32 n)
{
	union upp_part *part = pas_begin(pas, UPP_FORM_STORE, UPP_TEMP);
	struct upp_store *t;
	struct pas_src src;
	char *offset;
	s64 index;

	if (!part)
		return -EINVAL;
	if (n != 2)
		return pas_error(pas, "store.t has an index and a register");
	t = &part->store;
	offset = pas_offset(tokens[0]);
	if (pas_index(pas, tokens[0], -0x8000, 0x7fff, &index, &t->alignment))
		return -EINVAL;
	t->index = (u32)index & 0xffff;
	t->offset_enable = !!offset;
	if (offset && pas_lane(pas, offset, &t->offset))
		return -EINVAL;
	/* Mesa's listings leave the component of pairs out. */
	if (t->alignment == UPP_ALIGN_SCALAR ||
	    (t->alignment == UPP_ALIGN_VEC2 && strchr(tokens[1], '.')))
		return pas_lane(pas, tokens[1], &t->source);
	if (pas_vector(pas, tokens[1], NULL, &src))
		return -EINVAL;
	if (src.absolute || src.negate || src.swizzle != 0xe4)
		return pas_error(pas, "a whole register is stored");
	t->source = src.reg << 2;
	return 0;
}

static int read_fb(struct pas *pas, u32 source, char **tokens, u32 n)
{
	union upp_part *part = pas_begin(pas, UPP_FORM_FB_READ, UPP_TEMP);
	u32 mask;

	if (!part)
		return -EINVAL;
	if (n != 1 || pas_masked(pas, tokens[0], &part->fb_read.dest, &mask) || mask != 15)
		return pas_error(pas, "reading the frame buffer has a register");
	part->fb_read.source = source;
	return 0;
}

static int read_branch(struct pas *pas, const char *condition, char **tokens, u32 n)
{
	union upp_part *part = pas_begin(pas, UPP_FORM_BRANCH, UPP_BRANCH);
	struct upp_branch *b;
	u32 i;

	if (!part)
		return -EINVAL;
	b = &part->branch;
	for (i = 0; i < 8 && strcmp(upp_condition(i), condition); i++)
		;
	if (i == 8)
		return pas_error(pas, "no such condition: %.40s", condition);
	if (n != (i == 7 ? 1 : 3))
		return pas_error(pas, "branch has a target, and two operands with a condition");
	b->less = i & 1;
	b->equal = i >> 1 & 1;
	b->greater = i >> 2;
	if (n == 3 && (pas_lane(pas, tokens[0], &b->arg0) || pas_lane(pas, tokens[1], &b->arg1)))
		return -EINVAL;
	pas->item.branch = true;
	if (uas_number(tokens[n - 1], -(1 << 27), 1 << 27, &pas->item.target))
		return 0;
	if (!uas_is_name(tokens[n - 1]))
		return pas_error(pas, "no such target: %.40s", tokens[n - 1]);
	pas->item.label = strdup(tokens[n - 1]);
	pas->as.nomem |= !pas->item.label;
	return 0;
}

static int read_discard(struct pas *pas)
{
	union upp_part *part = pas_begin(pas, UPP_FORM_BRANCH, UPP_BRANCH);

	if (!part)
		return -EINVAL;
	part->branch.unknown_0 = 3;
	part->branch.greater = 1;
	part->branch.equal = 1;
	part->branch.less = 1;
	part->branch.unknown_1 = 15;
	return 0;
}

static int read_const(struct pas *pas, enum upp_field field, char **tokens, u32 n)
{
	union upp_part *part = pas_begin(pas, UPP_FORM_CONST, field);
	u32 i;

	if (!part)
		return -EINVAL;
	if (!n || n > 4)
		return pas_error(pas, "a constant is one to four numbers");
	for (i = 0; i < n; i++)
		if (pas_half(pas, tokens[i], &part->v[i]))
			return -EINVAL;
	return 0;
}

/* ---- parts by name ---- */

static int set_part(struct pas *pas, const struct upp_form_info *f, u32 *v, u32 *fixed,
		    const char *name, const char *value)
{
	s64 number;
	u32 i;

	for (i = 0; i < f->n; i++) {
		if (strcmp(f->parts[i].name, name))
			continue;
		if (!uas_number(value, 0, (1LL << f->parts[i].width) - 1, &number))
			return pas_error(pas, "%s is a number of %u bits", name,
					 f->parts[i].width);
		v[i] = (u32)number;
		*fixed |= 1U << i;
		return 0;
	}
	return pas_error(pas, "%s has no part %.40s", f->name, name);
}

/* All bits of the combiner, whatever they are. */
static int raw_combine(struct pas *pas, const char *value)
{
	static const u8 forms[4] = {
		UPP_FORM_COMBINE, UPP_FORM_ATAN, UPP_FORM_ATAN_END, UPP_FORM_SCALE,
	};
	const struct upp_form_info *f;
	union upp_part *part;
	s64 bits;
	u32 i;

	if (!uas_number(value, 0, (1 << 30) - 1, &bits))
		return pas_error(pas, "the combiner has 30 bits");
	part = pas_begin(pas, (enum upp_form)forms[bits & 3], UPP_COMBINE);
	if (!part)
		return -EINVAL;
	f = upp_form((enum upp_form)forms[bits & 3]);
	for (i = 0; i < f->n; i++)
		part->v[i] = (u32)bits >> f->parts[i].pos & ((1U << f->parts[i].width) - 1);
	return 0;
}

static int read_part(struct pas *pas, char *name, char **tokens, u32 n)
{
	char *part = strchr(name, '.');
	u32 ignored = 0, i, *fixed = &ignored;
	s64 padding;

	if (n != 1)
		return pas_error(pas, ".%.40s has one value", name);
	if (!strcmp(name, "combine"))
		return raw_combine(pas, tokens[0]);
	if (!strcmp(name, "padding")) {
		if (!uas_number(tokens[0], 0, 0x7fffffff, &padding))
			return pas_error(pas, "padding has less than 32 bits");
		pas->insn.padding = (u32)padding;
		return 0;
	}
	if (!part)
		return pas_error(pas, "no such field: %.40s", name);
	*part++ = '\0';
	if (!strcmp(name, "ctrl"))
		return set_part(pas, upp_form(UPP_FORM_CTRL), (u32 *)&pas->insn.ctrl,
				&pas->item.fixed, part, tokens[0]);
	for (i = 0; i < UPP_NUM_FIELDS; i++) {
		if (strcmp(upp_field_name((enum upp_field)i), name))
			continue;
		if (!upp_has(&pas->insn, (enum upp_field)i))
			return pas_error(pas, "the instruction has no field %s", name);
		if (i == UPP_BRANCH)
			fixed = &pas->item.fixed_branch;
		return set_part(pas, upp_form((enum upp_form)pas->insn.form[i]),
				pas->insn.part[i].v, fixed, part, tokens[0]);
	}
	return pas_error(pas, "no such field: %.40s", name);
}

/* ---- items ---- */

static int read_item(struct pas *pas, char *head, char **tokens, u32 n)
{
	if (!strcmp(head, "load.v"))
		return read_load(pas, UPP_DIVIDE_NONE, tokens, n);
	if (!strcmp(head, "load.perspective.z.v"))
		return read_load(pas, UPP_DIVIDE_Z, tokens, n);
	if (!strcmp(head, "load.perspective.w.v"))
		return read_load(pas, UPP_DIVIDE_W, tokens, n);
	if (!strcmp(head, "load.u"))
		return read_uniform(pas, UPP_LOAD_UNIFORM, tokens, n);
	if (!strcmp(head, "load.t"))
		return read_uniform(pas, UPP_LOAD_TEMP, tokens, n);
	if (!strncmp(head, "texld", 5))
		return read_sampler(pas, head + 5, tokens, n);
	if (!strcmp(head, "store.t"))
		return read_store(pas, tokens, n);
	if (!strcmp(head, "fb_color"))
		return read_fb(pas, UPP_FB_COLOR, tokens, n);
	if (!strcmp(head, "fb_depth"))
		return read_fb(pas, UPP_FB_DEPTH, tokens, n);
	if (!strncmp(head, "branch", 6))
		return read_branch(pas, head + 6, tokens, n);
	if (!strcmp(head, "const0") || !strcmp(head, "const1"))
		return read_const(pas, head[5] == '0' ? UPP_CONST0 : UPP_CONST1, tokens, n);
	if (*head == '.')
		return read_part(pas, head + 1, tokens, n);
	return pas_alu(pas, head, tokens, n);
}

int pas_field(struct pas *pas, char *s)
{
	char *tokens[PAS_MAX_TOKENS], *head = strsep(&s, " \t"), *token;
	u32 n = 0;

	while ((token = strsep(&s, " \t"))) {
		if (!*token)
			continue;
		if (n == PAS_MAX_TOKENS)
			return pas_error(pas, "too many operands");
		tokens[n++] = token;
	}
	if (n)
		return read_item(pas, head, tokens, n);
	if (!strcmp(head, "nop"))
		return 0;
	if (!strcmp(head, "stop"))
		pas->insn.ctrl.stop = 1;
	else if (!strcmp(head, "sync"))
		pas->insn.ctrl.sync = 1;
	else if (!strcmp(head, "discard"))
		return read_discard(pas);
	else
		return pas_error(pas, "no such operation: %.40s", head);
	return 0;
}
