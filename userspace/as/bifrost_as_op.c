// SPDX-License-Identifier: MIT
/*
 * Bifrost assembler: an operation, by the table that the disassembler reads too.
 */
#include "bifrost_as.h"

/**
 * struct match - attempt to match an operation with an entry of the table
 * @v: the clause
 * @unit: its unit
 * @op: entry of the table
 * @text: unmatched modifiers of the mnemonic and of each source
 * @value: values of modifiers found
 * @bits: resulting encoding
 */
struct match {
	const struct bi_view *v;
	enum bi_unit unit;
	const struct bi_op *op;
	const char *text[5];
	u8 value[16];
	u32 bits;
};

static bool find_row(struct match *m)
{
	const struct bi_op *op = m->op;
	u32 want = 0, column = 0, shift = 0, row, i;

	if (!op->rows)
		return true;
	for (i = 0; op->mods && op->mods[i].list; i++)
		if (op->mods[i].pos == BI_MOD_DERIVED)
			want |= (u32)m->value[i] << (4 * column++);
	for (row = 0; row < bi_num_rows(op); row++) {
		u32 bits = m->bits;

		if (op->rows[row] != want)
			continue;
		for (i = 0, shift = 0; i < ARRAY_SIZE(op->fields); i++) {
			bits |= bi_bits(row >> shift, 0, op->fields[i].width) << op->fields[i].pos;
			shift += op->fields[i].width;
		}
		if (bi_row(op, bits) != row)
			continue;
		m->bits = bits;
		return true;
	}
	return false;
}

/* All modifiers have values: is that an encoding? */
static bool complete(struct match *m)
{
	u32 bits = m->bits, i;

	for (i = 0; i < ARRAY_SIZE(m->text); i++)
		if (m->text[i] && *m->text[i])
			return false;
	for (i = 0; m->op->mods && m->op->mods[i].list; i++)
		if (m->op->mods[i].pos != BI_MOD_DERIVED)
			m->bits |= (u32)m->value[i] << m->op->mods[i].pos;
	if (find_row(m) && bi_op_find(m->unit, m->bits) == m->op)
		return true;
	m->bits = bits;
	return false;
}

/* Length of modifier @name, with its dot, at the start of @text; 0: no match. */
static size_t takes(const char *text, const char *name)
{
	size_t n = strlen(name);

	if (text[0] != '.' || strncmp(text + 1, name, n))
		return 0;
	return !text[n + 1] || text[n + 1] == '.' ? n + 1 : 0;
}

static bool match_mods(struct match *m, u32 i)
{
	const struct bi_mod *mod = &m->op->mods[i];
	const struct bi_list *list;
	const char **text, *was;
	u32 k;

	if (!m->op->mods || !mod->list)
		return complete(m);
	list = bi_list(mod->list);
	text = &m->text[mod->src + 1];
	was = *text;
	for (k = 0; k < list->n; k++) {
		size_t n = list->names[k] ? takes(was, list->names[k]) : 0;

		if (!n || (int)k == mod->def)
			continue;
		m->value[i] = (u8)k;
		*text = was + n;
		if (match_mods(m, i + 1))
			return true;
		*text = was;
	}
	if (mod->def < 0)
		return false;
	m->value[i] = (u8)mod->def;
	return match_mods(m, i + 1);
}

/* Operand code, and the start of its modifiers; prefers the longest match. */
static int match_source(const struct bi_view *v, u32 tuple, enum bi_unit unit, const char *s,
			u32 codes, const char **mods)
{
	int best = -1;
	size_t len = 0;
	u32 code;

	for (code = 0; code < 8; code++) {
		char buf[48];
		struct vs_text t = { buf, sizeof(buf), 0 };

		bi_put_operand(&t, v, tuple, unit, code);
		if (!(codes >> code & 1) || strncmp(s, buf, t.len) ||
		    (s[t.len] && s[t.len] != '.') || t.len <= len)
			continue;
		best = (int)code;
		len = t.len;
	}
	*mods = s + len;
	return best;
}

static bool match_immediate(const char *s, const char *name, u32 width, u32 *value)
{
	size_t n = strlen(name);
	u64 v;

	if (strncmp(s, name, n) || s[n] != ':' || !bas_number(s + n + 1, (1U << width) - 1, &v))
		return false;
	*value = (u32)v;
	return true;
}

/* Operands of @m->op? Their bits go to @m->bits. */
static bool match_operands(struct match *m, u32 tuple, const struct bas_op *op)
{
	const struct bi_op *t = m->op;
	u32 n = 0, i, value;
	int code;

	for (i = 0; i < ARRAY_SIZE(t->src) && t->src[i].codes; i++, n++) {
		if (n >= op->noperands)
			return false;
		code = match_source(m->v, tuple, m->unit, op->operand[n], t->src[i].codes,
				    &m->text[i + 1]);
		if (code < 0)
			return false;
		m->bits |= (u32)code << t->src[i].pos;
	}
	for (i = 0; i < ARRAY_SIZE(t->imm) && t->imm[i].name; i++, n++) {
		if (n >= op->noperands || !match_immediate(op->operand[n], t->imm[i].name,
							   t->imm[i].width, &value))
			return false;
		m->bits |= value << t->imm[i].pos;
	}
	if (t->staging)
		n += n < op->noperands && op->operand[n][0] == '@';
	return n == op->noperands && (!t->staging || op->operand[n - 1][0] == '@');
}

/* Report why an operation matches no entry of the table. */
static int explain(struct bas *as, const struct bi_view *v, u32 tuple, enum bi_unit unit,
		   const struct bas_op *op, bool known)
{
	const char *mods;
	u32 i;

	if (!known)
		return bas_error(as, op->line, "unknown operation %c%.60s",
				 unit == BI_FMA ? '*' : '+', op->head);
	for (i = 0; i < op->noperands; i++) {
		const char *s = op->operand[i];

		if (s[0] != '@' && (!strchr(s, ':') || s[0] == 'r') &&
		    match_source(v, tuple, unit, s, 0xff, &mods) < 0)
			return bas_error(as, op->line, "the tuple does not read %.60s", s);
	}
	return bas_error(as, op->line, "operands or modifiers that %.60s does not have", op->head);
}

int bas_encode(struct bas *as, const struct bi_view *v, u32 tuple, enum bi_unit unit,
	       const struct bas_op *op, u32 *bits)
{
	const struct bi_op *ops;
	bool known = false;
	u32 n, i;

	if (op->raw) {
		*bits = op->bits;
		return 0;
	}
	ops = bi_ops(unit, &n);
	for (i = 0; i < n; i++) {
		struct match m = { .v = v, .unit = unit, .op = &ops[i], .bits = ops[i].exact };
		size_t len = strlen(ops[i].name);

		if (strncmp(op->head, ops[i].name, len) || (op->head[len] && op->head[len] != '.'))
			continue;
		known = true;
		m.text[0] = op->head + len;
		if (!match_operands(&m, tuple, op) || !match_mods(&m, 0))
			continue;
		*bits = m.bits;
		return 0;
	}
	return explain(as, v, tuple, unit, op, known);
}
