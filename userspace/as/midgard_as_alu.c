// SPDX-License-Identifier: MIT
/*
 * Midgard assembler: arithmetic and branches.
 */
#include "midgard_as.h"

static const char * const expand_names[] = {
	"none", "rep_low", "rep_high", "swap", "low", "high", "low_swap", "high_swap",
};

int mas_line_unit(const char *text)
{
	u32 i;

	for (i = 0; i < MG_NUM_UNITS; i++) {
		const char *p = text;

		if (mas_take(&p, mg_unit_name(i)) && (*p == '.' || *p == ' '))
			return (int)i;
	}
	return -1;
}

/* ---- parsing of mnemonics ---- */

/* "FADD.rtz.f32": mnemonic, type, width. */
static int read_type(struct mas *as, const struct mas_line *l, char *head, struct mg_alu *a,
		     bool *integer)
{
	char *type = strrchr(head, '.');
	const char *p;
	u64 bits = 0;

	if (!type || (type[1] != 'i' && type[1] != 'f'))
		return mas_error(as, l->line, "no type such as .f32: %.60s", head);
	*integer = type[1] == 'i';
	p = type + 2;
	if (!mas_number(&p, 64, &bits) || *p || bits < 8 || bits & (bits - 1) ||
	    (!(MG_VECTOR >> a->unit & 1) && bits != 32))
		return mas_error(as, l->line, "the unit does not have this width: %.60s", type);
	*type = '\0';
	a->mode = (u8)__ffs64(bits / 8);
	return 0;
}

static int find_op(struct mas *as, const struct mas_line *l, const char *name, bool integer,
		   bool shl1, struct mg_alu *a)
{
	bool is_unsigned = mas_get_note(l->notes, "unsigned"), known = false;
	const struct mg_alu_def *def;
	u32 i;

	for (i = 0; i < 256; i++) {
		def = mg_alu_op(i);
		if (!def || strcmp(def->name, name))
			continue;
		known = true;
		if (!(def->flags & MG_INT_OUT) == integer || !(def->flags & MG_SHL1) == shl1)
			continue;
		if (mg_alu_op_twin(i) && !(def->flags & MG_UNSIGNED) == is_unsigned)
			continue;
		a->op = (u8)i;
		if (!(def->units >> a->unit & 1))
			return mas_error(as, l->line, "%s does not have %.60s",
					 mg_unit_name(a->unit), name);
		return 0;
	}
	return mas_error(as, l->line, known ? "%.60s does not have this form" :
			 "unknown operation %.60s", name);
}

/* ---- registers ---- */

/* Return: register, or -1. */
static int parse_reg(const char **p, bool write)
{
	static const struct {
		const char *name;
		u8 base;
		u8 n;
		bool read;
		bool write;
	} kinds[] = {
		{ "TMP", MG_REG_TMP, 2, true, true }, { "TA", MG_REG_TEX, 2, true, false },
		{ "AT", MG_REG_TEX, 2, false, true }, { "AL", MG_REG_LDST, 2, false, true },
		{ "U", MG_REG_UNIFORM, 16, true, true }, { "R", 0, 32, true, true },
	};
	const char *q;
	u64 n;
	u32 i;

	if (!write && mas_take(p, "PC_SP"))
		return MG_REG_SPECIAL;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		q = *p;
		if (!(write ? kinds[i].write : kinds[i].read) || !mas_take(&q, kinds[i].name) ||
		    !mas_number(&q, kinds[i].n - 1, &n))
			continue;
		*p = q;
		return kinds[i].base == MG_REG_UNIFORM ? (int)(MG_REG_UNIFORM - n) :
							 (int)(kinds[i].base + n);
	}
	return -1;
}

/* ---- destination ---- */

static int find_outmod(const char *s, bool integer)
{
	u32 i;

	for (i = integer ? 0 : 1; i < 4; i++)
		if (!strcmp(s, mg_outmod_name(i, integer) + 1))
			return (int)i;
	return -1;
}

static bool read_mask(const char *s, bool shrunk, struct mg_alu *a)
{
	u32 i, step = max_t(u32, 8 / a->nlanes, 1);
	int value;

	a->lanes = 0;
	while (*s) {
		value = mas_letter(&s, MG_MAX_LANES);
		if (value >= a->nlanes && shrunk)
			a->shrink = MG_SHRINK_HIGH;
		if (a->shrink == MG_SHRINK_HIGH)
			value -= a->nlanes;
		if (value < 0 || value >= a->nlanes || a->lanes >> value & 1)
			return false;
		a->lanes |= 1U << value;
	}
	for (a->mask = 0, i = 0; i < a->nlanes; i++) {
		if (!(a->lanes >> i & 1))
			continue;
		if (a->nlanes == 16 && !(a->lanes >> (i ^ 1) & 1))
			return false;
		a->mask |= ((1U << step) - 1) << (i * 8 / a->nlanes);
	}
	return true;
}

static bool read_component(const char *s, bool shrunk, struct mg_alu *a)
{
	int value = mas_letter(&s, shrunk ? 8 : 4);

	if (value < 0 || *s)
		return false;
	a->comp = (u8)(shrunk ? value : 2 * value);
	return true;
}

static int read_dest(struct mas *as, const struct mas_line *l, char *text, struct mg_alu *a,
		     bool integer)
{
	bool vector = MG_VECTOR >> a->unit & 1, shrunk = false, clamped = false, ok = true;
	const char *p = text;
	char *rest, *part, *mask = NULL;
	int reg = parse_reg(&p, true), mod;

	if (reg < 0 || (*p && *p != '.'))
		return mas_error(as, l->line, "not a register that can be written: %.60s", text);
	a->dest = (u8)reg;
	a->outmod = integer ? MG_TRIM_LOW : MG_CLAMP_NONE;
	rest = *p ? (char *)p + 1 : NULL;
	while ((part = mas_part(&rest))) {
		mod = find_outmod(part, integer);
		if (!integer && !strcmp(part, "shrink") && !shrunk) {
			shrunk = true;
		} else if (mod >= 0 && !clamped) {
			a->outmod = (u8)mod;
			clamped = true;
			shrunk = shrunk || integer;
		} else if (!mask && part == p + 1) {
			mask = part;
		} else {
			return mas_error(as, l->line, "unknown modifier .%.60s", part);
		}
	}
	a->shrink = shrunk ? MG_SHRINK_LOW : MG_SHRINK_NONE;
	if (mas_get_note(l->notes, "upper") && shrunk)
		a->shrink = MG_SHRINK_HIGH;
	if (vector && mask)
		ok = read_mask(mask, shrunk, a);
	else if (!vector)
		ok = mask && read_component(mask, shrunk, a);
	if (vector && !mask) {
		a->mask = 0xff;
		a->lanes = (u16)((1U << a->nlanes) - 1);
	}
	return ok ? 0 : mas_error(as, l->line, "not components of the result: %.60s",
				  mask ? mask : "none");
}

/* ---- sources ---- */

/* "const:none.xyzw/0", "0x14". */
static int apply_note(struct mas *as, const struct mas_line *l, const struct mg_alu *a,
		      const char *p, struct mg_src *s)
{
	u32 swizzle;
	int expand;
	u64 v = 0;

	if (mas_take(&p, "const:")) {
		s->kind = MG_SRC_CONST;
		s->reg = MG_REG_CONST;
	}
	if (!(MG_VECTOR >> a->unit & 1)) {
		if (!mas_number(&p, 63, &v))
			return mas_error(as, l->line, "a source has six bits");
		s->mod = v & 3;
		s->full = v >> 2 & 1;
		s->comp = (u8)(v >> 3);
		return 0;
	}
	expand = mas_name(&p, expand_names, ARRAY_SIZE(expand_names));
	if (expand < 0 || !mas_take(&p, ".") || !mas_swizzle(&p, 15, &swizzle) ||
	    !mas_take(&p, "/") || !mas_number(&p, 3, &v))
		return mas_error(as, l->line, "a source is such as none.xyzw/0");
	s->expand = (u8)expand;
	s->swizzle = (u8)swizzle;
	s->mod = (u8)v;
	return 0;
}

static bool read_src_mod(const char *part, bool integer, struct mg_src *s, bool *widen)
{
	u32 i;

	for (i = 0; integer && i < 4; i++) {
		if (strcmp(part, mg_widen_name(i) + 1))
			continue;
		s->mod = (u8)i;
		*widen = true;
		return true;
	}
	if (integer)
		return false;
	if (!strcmp(part, "widen"))
		*widen = true;
	else if (!strcmp(part, "abs"))
		s->mod |= MG_MOD_ABS;
	else if (!strcmp(part, "neg"))
		s->mod |= MG_MOD_NEG;
	else
		return false;
	return true;
}

static int read_register(struct mas *as, const struct mas_line *l, char *text, struct mg_alu *a,
			 struct mg_src *s)
{
	const struct mg_alu_def *def = mg_alu_op(a->op);
	bool integer = def->flags & MG_INT_IN, widen = false, ok;
	const char *p = text, *letters = NULL;
	char *rest, *part;
	int value = parse_reg(&p, false);

	if (value < 0 || (*p && *p != '.'))
		return mas_error(as, l->line, "not a register that can be read: %.60s", text);
	s->kind = MG_SRC_REG;
	s->reg = (u8)value;
	rest = *p ? (char *)p + 1 : NULL;
	while ((part = mas_part(&rest))) {
		if (read_src_mod(part, integer, s, &widen) || (def->flags & MG_SHL1 &&
							       !strcmp(part, "x2")))
			continue;
		if (letters || part != p + 1)
			return mas_error(as, l->line, "unknown modifier .%.60s", part);
		letters = part;
	}
	if (MG_VECTOR >> a->unit & 1) {
		ok = mg_infer_swizzle(a, letters, widen, s);
	} else {
		p = letters ? letters : "";
		value = mas_letter(&p, widen ? 8 : 4);
		ok = value >= 0 && !*p;
		s->full = !widen;
		s->comp = (u8)(widen ? value : 2 * value);
	}
	return ok ? 0 : mas_error(as, l->line, "not components of a source: %.60s",
				  letters ? letters : "none");
}

/* One number for all lanes. */
static u32 repeat(const struct mg_alu *a, struct mg_token *tokens, u32 n)
{
	u32 lanes = hweight32(mg_shown_lanes(a)), i;

	if (n != 1 || !(MG_VECTOR >> a->unit & 1))
		return n;
	for (i = 1; i < lanes; i++)
		tokens[i] = tokens[0];
	return lanes > 1 ? lanes : 1;
}

/* "#1", "<1, 2>": a number in the operation, or constants of the bundle. */
static int read_numbers(struct mas *as, const struct mas_line *l, char *text, struct mg_alu *a,
			u32 k)
{
	struct mg_token tokens[MG_MAX_LANES];
	char *part[MG_MAX_LANES];
	struct mg_src *s = &a->src[k];
	const char *note = mas_get_note(l->notes, k ? "s2" : "s1");
	size_t len = strlen(text);
	u32 n = 1, imm, i;

	part[0] = text + 1;
	if (*text == '<') {
		if (text[len - 1] != '>')
			return mas_error(as, l->line, "the list of constants has no end");
		text[len - 1] = '\0';
		n = mas_split(text + 1, part, MG_MAX_LANES);
	}
	/* No lane, no number. */
	n -= n == 1 && !*part[0];
	for (i = 0; i < n; i++)
		snprintf(tokens[i].text, sizeof(tokens[i].text), "%s", part[i]);
	if (note && !strncmp(note, "const:", 6))
		return 0;
	if (k && n == 1 && *text == '#' &&
	    (mg_infer_imm(a, tokens[0].text, &imm) ||
	     (!as->consts_given && mas_small_number(a, tokens[0].text, &imm)))) {
		s->kind = MG_SRC_IMM;
		s->imm = (u16)imm;
		return 0;
	}
	n = repeat(a, tokens, n);
	if (!as->consts_given && !mas_place_consts(as, a, tokens, n))
		return mas_error(as, l->line, "no numbers, or no room for them: %.60s", text);
	if (mg_infer_const(as->b.consts, a, tokens, n, s))
		return 0;
	return mas_error(as, l->line, "not constants of the bundle: %.60s", text);
}

static int read_source(struct mas *as, const struct mas_line *l, char *text, struct mg_alu *a,
		       u32 k)
{
	const char *note = mas_get_note(l->notes, k ? "s2" : "s1");
	int ret;

	if (*text == '#' || *text == '<')
		ret = read_numbers(as, l, text, a, k);
	else
		ret = read_register(as, l, text, a, &a->src[k]);
	if (ret || !note)
		return ret;
	return apply_note(as, l, a, note, &a->src[k]);
}

/* Is the first source shifted? */
static bool has_shl1(const char *operand)
{
	const char *p = strstr(operand, ".x2");

	return p && (!p[3] || p[3] == '.');
}

static int add_alu(struct mas *as, const struct mas_line *l, const struct mg_alu *a)
{
	struct mg_bundle *b = &as->b;

	if (b->nalu && b->alu[b->nalu - 1].unit >= a->unit)
		return mas_error(as, l->line,
				 "operations are in the order vmul, sadd, vadd, smul, lut");
	b->alu[b->nalu++] = *a;
	return 0;
}

static int raw_alu(struct mas *as, const struct mas_line *l, const char *p, u32 unit)
{
	u64 limit = MG_VECTOR >> unit & 1 ? (1ULL << 48) - 1 : 0xffffffff, reg_word, body;
	struct mg_alu a;

	if (!mas_number(&p, 0xffff, &reg_word) || !mas_number(&p, limit, &body) || *p)
		return mas_error(as, l->line, ".bits takes a register word and a body");
	mg_alu_decode(unit, (u16)reg_word, body, &a);
	return add_alu(as, l, &a);
}

int mas_alu_line(struct mas *as, const struct mas_line *l, u32 unit)
{
	struct mg_alu a = { .unit = (u8)unit };
	char *head = l->text + strlen(mg_unit_name(unit)), *rest, *part[4];
	const char *p = head;
	bool integer = false;
	u32 n, k;
	int ret;

	mas_blanks(&p);
	if (mas_take(&p, ".bits "))
		return raw_alu(as, l, p, unit);
	rest = head + strcspn(head, " \t");
	if (*rest)
		*rest++ = '\0';
	if (*head != '.')
		return mas_error(as, l->line, "the operation is missing");
	ret = read_type(as, l, head + 1, &a, &integer);
	if (ret)
		return ret;
	rest += strspn(rest, " \t");
	n = mas_split(rest, part, ARRAY_SIZE(part));
	if (n != 3)
		return mas_error(as, l->line, "an operation has a destination and two sources");
	ret = find_op(as, l, head + 1, integer,
		      has_shl1(part[1]) || mas_get_note(l->notes, "x2"), &a);
	a.nlanes = MG_VECTOR >> unit & 1 ? 16 >> a.mode : 1;
	a.lanes = 1;
	if (!ret)
		ret = read_dest(as, l, part[0], &a, integer);
	for (k = 0; k < 2 && !ret; k++)
		ret = read_source(as, l, part[k + 1], &a, k);
	if (ret)
		return ret;
	mg_alu_encode(&a);
	return add_alu(as, l, &a);
}

/* ---- branches ---- */

static int find_tag(const char *s)
{
	u32 i;

	for (i = 0; i < 16; i++)
		if (!strcmp(s, mg_tag_name(i)))
			return (int)i;
	return -1;
}

static int read_target(struct mas *as, const struct mas_line *l, char *s, struct mg_branch *br)
{
	s64 limit = br->extended ? 1 << 22 : 64, offset;
	struct mas_ref *ref = &as->ref[as->b.nbranch];
	char *arrow = strstr(s, "->");
	const char *p = s;
	size_t len;
	int tag;

	if (arrow) {
		tag = find_tag(arrow + 2 + strspn(arrow + 2, " \t"));
		if (tag < 0)
			return mas_error(as, l->line, "unknown tag %.60s", arrow + 2);
		br->dest_tag = (u8)tag;
		*arrow = '\0';
	}
	if (*s == '+' || *s == '-') {
		if (!mas_signed(&p, -limit, limit - 1, &offset) || p[strspn(p, " \t")])
			return mas_error(as, l->line, "the target is too far away: %.60s", s);
		if (!arrow)
			return mas_error(as, l->line, "the tag of the target is missing");
		br->offset = (s32)offset;
		return 0;
	}
	for (len = strlen(s); len && strchr(" \t", s[len - 1]); len--)
		s[len - 1] = '\0';
	if (!*s)
		return mas_error(as, l->line, "the target is missing");
	*ref = (struct mas_ref){ .label = s, .tag_given = arrow, .line = l->line };
	return 0;
}

static int find_call(const char *s)
{
	u32 i;

	for (i = 0; i < 4; i++)
		if (i != MG_CALL_JUMP && !strcmp(s, mg_call_name(i) + 1))
			return (int)i;
	return -1;
}

static bool find_cond(const char *s, u16 *cond)
{
	u64 v;
	u32 i;

	for (i = 0; i < 4; i++) {
		if (strcmp(s, mg_cond_name(i)))
			continue;
		*cond = (u16)(0x5555 * i);
		return true;
	}
	if (strncmp(s, "lut", 3) || !s[3])
		return false;
	for (v = 0, s += 3; *s; s++) {
		const char *digits = "0123456789ABCDEF", *at = strchr(digits, *s);

		if (!at || v > 0xfff)
			return false;
		v = v << 4 | (u64)(at - digits);
	}
	*cond = (u16)v;
	return true;
}

static bool read_branch_op(char *part, struct mg_branch *br)
{
	u32 i;

	for (i = 0; i < 8; i++) {
		if (!mg_branch_op_name(i) || strcmp(part, mg_branch_op_name(i)))
			continue;
		br->op = (u8)i;
		return true;
	}
	return false;
}

/* Modes of extended branches come first, those of compact ones follow "uncond". */
static bool read_branch(char *head, struct mg_branch *br)
{
	char *part = mas_part(&head);
	int call;

	br->call = MG_CALL_JUMP;
	part = mas_part(&head);
	call = part && br->extended ? find_call(part) : -1;
	if (call >= 0) {
		br->call = (u8)call;
		part = mas_part(&head);
	}
	if (!part || !read_branch_op(part, br))
		return false;
	part = mas_part(&head);
	if (!br->extended && br->op == MG_BR_JUMP) {
		br->cond = 0xffff;
		call = part ? find_call(part) : MG_CALL_JUMP;
		if (call < 0)
			return false;
		br->call = (u8)call;
	} else if (!part || !find_cond(part, &br->cond)) {
		return false;
	}
	return !mas_part(&head) &&
	       (br->extended || br->cond == 0x5555 * (br->cond & 3));
}

int mas_branch_line(struct mas *as, const struct mas_line *l)
{
	struct mg_branch br = { .extended = l->text[2] == 'x' };
	struct mg_bundle *b = &as->b;
	char *rest = l->text + strcspn(l->text, " \t");
	const char *p = rest;
	u64 bits;
	int ret;

	if (b->nbranch && (b->branch[0].extended || !br.extended))
		return mas_error(as, l->line, "a bundle has a compact branch, then a long one");
	if (*rest)
		*rest++ = '\0';
	rest += strspn(rest, " \t");
	p = rest;
	if (mas_take(&p, ".bits ")) {
		if (!mas_number(&p, br.extended ? (1ULL << 48) - 1 : 0xffff, &bits) || *p)
			return mas_error(as, l->line, ".bits takes 16 or 48 bits");
		mg_branch_decode(br.extended, bits, &br);
	} else {
		if (!read_branch(l->text, &br))
			return mas_error(as, l->line, "unknown branch %.60s", l->text);
		ret = read_target(as, l, rest, &br);
		if (ret)
			return ret;
		mg_branch_encode(&br);
	}
	b->branch[b->nbranch++] = br;
	return 0;
}
