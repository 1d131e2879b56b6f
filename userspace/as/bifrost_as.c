// SPDX-License-Identifier: MIT
/*
 * Bifrost assembler: the order of work, and the result.
 *
 * The language is that of the disassembler. A clause may specify the register port use of
 * its tuples (.ports) and its embedded constants (.const), as disassembly does; without
 * these directives the assembler derives both from the operands.
 */
#include "bifrost_as.h"

int bas_error(struct bas *as, u32 line, const char *fmt, ...)
{
	struct vs_as_message *m;
	va_list ap;

	as->diag->nerrors++;
	if (as->diag->nmessages == VS_AS_MAX_MESSAGES)
		return -EINVAL;
	m = &as->diag->messages[as->diag->nmessages++];
	memset(m, 0, sizeof(*m));
	m->line = line;
	m->error = 1;
	va_start(ap, fmt);
	vsnprintf(m->text, sizeof(m->text), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

u32 bas_hash(const char *name, size_t len)
{
	u32 h = 2166136261U;

	while (len--)
		h = (h ^ (u8)*name++) * 16777619U;
	return (h ^ h >> 16) % BAS_BUCKETS;
}

const struct bas_label *bas_find(const struct bas *as, const char *name, size_t len)
{
	u32 i = as->bucket[bas_hash(name, len)];

	for (; i; i = as->labels[i - 1].next) {
		const struct bas_label *l = &as->labels[i - 1];

		if (!strncmp(l->name, name, len) && !l->name[len])
			return l;
	}
	return NULL;
}

bool bas_target(const struct bas *as, const char *name, size_t len, s64 *quad)
{
	const struct bas_label *l = bas_find(as, name, len);
	char text[24];
	u64 v;

	if (l) {
		*quad = l->clause < as->nclauses ? as->clauses[l->clause].pos : as->end;
		return true;
	}
	if (len <= 7 || len >= 7 + sizeof(text) || strncmp(name, "clause_", 7))
		return false;
	name += 7;
	len -= 7;
	memcpy(text, name, len);
	text[len] = '\0';
	if (!bas_number(text + (*text == '-'), BI_MAX_QUADS, &v))
		return false;
	*quad = *text == '-' ? -(s64)v : (s64)v;
	return true;
}

/* Replace comments by blanks: // or ; to the end of a line, and C comments. */
static void blank_comments(char *s)
{
	bool block = false, rest = false;

	for (; *s; s++) {
		if (*s == '\n') {
			rest = false;
		} else if (block && s[0] == '*' && s[1] == '/') {
			block = false;
			*s++ = ' ';
			*s = ' ';
		} else if (block || rest) {
			*s = ' ';
		} else if (s[0] == '/' && s[1] == '*') {
			block = true;
			*s++ = ' ';
			*s = ' ';
		} else if (*s == ';' || (s[0] == '/' && s[1] == '/')) {
			rest = true;
			*s = ' ';
		}
	}
}

static bool lacks_clause(const struct bas *as)
{
	const struct bas_clause *c = as->nclauses ? &as->clauses[as->nclauses - 1] : NULL;

	return c && !c->ndata && !c->ntuples;
}

static int read_lines(struct bas *as, char *text)
{
	char *line;
	size_t n;

	blank_comments(text);
	while ((line = strsep(&text, "\n"))) {
		as->line++;
		line += strspn(line, " \t\r");
		for (n = strlen(line); n && strchr(" \t\r", line[n - 1]); n--)
			line[n - 1] = '\0';
		bas_line(as, line);
		if (as->nomem)
			return -ENOMEM;
		/* Further errors would rarely be new. */
		if (as->diag->nerrors >= VS_AS_MAX_MESSAGES)
			return -EINVAL;
	}
	if (!as->diag->nerrors && (as->open || lacks_clause(as)))
		bas_error(as, as->line, "the last clause is not complete");
	return as->diag->nerrors ? -EINVAL : 0;
}

static bool automatic(const struct bas_clause *c)
{
	u32 i;

	for (i = 0; i < c->ntuples; i++)
		if (c->tuples[i].given)
			return false;
	return !c->consts_given;
}

/* Positions of clauses; sizes follow from the numbers of tuples and constants. */
static int lay_out(struct bas *as, u32 *nquads)
{
	u32 words[4 * BI_CLAUSE_QUADS], i, size;

	*nquads = 0;
	for (i = 0; i < as->nclauses; i++) {
		struct bas_clause *c = &as->clauses[i];

		c->pos = *nquads;
		if (c->ndata) {
			*nquads += c->ndata / 4;
		} else {
			if (automatic(c) && bas_assign_consts(as, c))
				continue;
			c->c.ntuples = (u8)c->ntuples;
			size = bi_clause_encode(&c->c, words);
			if (!size)
				bas_error(as, c->line, "%u tuples cannot have %u constants",
					  c->ntuples, c->c.nconsts);
			*nquads += size;
		}
		if (*nquads > BI_MAX_QUADS)
			return bas_error(as, c->line, "the program is too long");
	}
	return as->diag->nerrors ? -EINVAL : 0;
}

static int set_staging(struct bas *as, struct bas_clause *c)
{
	u32 i, k;

	for (i = 0; i < 2 * c->ntuples; i++) {
		const struct bas_op *op = &c->tuples[i / 2].op[i % 2];

		for (k = 0; k < op->noperands; k++) {
			int reg = op->operand[k][0] == '@' ? bas_register(op->operand[k] + 1) : 0;

			if (op->operand[k][0] != '@')
				continue;
			if (reg < 0)
				return bas_error(as, op->line, "not a register: %.60s",
						 op->operand[k]);
			if (c->sr_given && c->header.sr != reg)
				return bas_error(as, op->line,
						 "a clause has one staging register");
			c->header.sr = (u8)reg;
			c->sr_given = true;
		}
	}
	return 0;
}

/* Operands that name clauses get the names that the disassembler uses. */
static int name_targets(struct bas *as, struct bas_clause *c, char (*names)[48])
{
	u32 i, k, n = 0;

	for (i = 0; i < 2 * c->ntuples; i++) {
		struct bas_op *op = &c->tuples[i / 2].op[i % 2];

		for (k = 0; k < op->noperands; k++) {
			size_t len = strcspn(op->operand[k], " .");
			s64 quad;

			if (!bas_target(as, op->operand[k], len, &quad))
				continue;
			snprintf(names[n], sizeof(*names), "clause_%lld%s", (long long)quad,
				 strlen(op->operand[k] + len) < 24 ? op->operand[k] + len : "");
			op->operand[k] = names[n++];
		}
	}
	return 0;
}

static int encode_ports(struct bas *as, struct bas_clause *c)
{
	u32 i;

	for (i = 0; i < c->ntuples; i++) {
		struct bas_tuple *t = &c->tuples[i];

		if (!t->raw && !bi_ports_encode(&t->ports, !i, &t->regs))
			return bas_error(as, t->line, "%s", !i && t->ports.op2 >= BI_PORT_WRITE ?
					 "the last tuple of a clause cannot write both results" :
					 "the ports cannot be used like this");
		c->c.tuples[i].regs = t->regs;
	}
	return 0;
}

/* Does the destination agree with the ports? */
static int check_dest(struct bas *as, const struct bi_view *v, u32 tuple, enum bi_unit unit,
		      const struct bas_op *op)
{
	char text[256], *dest;
	struct vs_text t = { text, sizeof(text), 0 };

	if (!op->head || op->raw)
		return 0;
	bi_put_op(&t, v, tuple, unit);
	dest = strchr(text, ' ') + 1;
	dest[strcspn(dest, ",")] = '\0';
	if (op->dest && !strcmp(dest, op->dest))
		return 0;
	return bas_error(as, op->line, "the destination is %s by the ports of the next tuple",
			 dest);
}

static int encode_ops(struct bas *as, struct bas_clause *c)
{
	static const u32 nops[] = { [BI_FMA] = 0x701963, [BI_ADD] = 0x3d964 };
	struct bi_view v = { .c = c->c, .pos = c->pos };
	u32 bits, i;
	int ret;

	bi_view_parts(&v);
	for (i = 0; i < 2 * c->ntuples; i++) {
		const struct bas_op *op = &c->tuples[i / 2].op[i % 2];

		bits = nops[i % 2];
		ret = op->head ? bas_encode(as, &v, i / 2, i % 2, op, &bits) : 0;
		if (ret)
			return ret;
		*(i % 2 ? &c->c.tuples[i / 2].add : &c->c.tuples[i / 2].fma) = bits;
	}
	v.c = c->c;
	for (i = 0; i < 2 * c->ntuples; i++) {
		ret = check_dest(as, &v, i / 2, i % 2, &c->tuples[i / 2].op[i % 2]);
		if (ret)
			return ret;
	}
	return 0;
}

static int finish_clause(struct bas *as, struct bas_clause *c)
{
	char names[2 * BI_MAX_TUPLES * BAS_MAX_OPERANDS][48];
	int ret = set_staging(as, c);

	if (!ret && automatic(c))
		ret = bas_assign_consts(as, c);
	if (!ret && automatic(c))
		ret = bas_assign_ports(as, c);
	if (!ret)
		ret = encode_ports(as, c);
	if (ret)
		return ret;
	name_targets(as, c, names);
	c->c.header = c->raw_header < 0 ? bi_header_encode(&c->header) : (u64)c->raw_header;
	return encode_ops(as, c);
}

static int finish(struct bas *as, u32 **words, u32 *nwords)
{
	u32 room[4 * BI_CLAUSE_QUADS], nquads, i;
	u32 *out;

	if (lay_out(as, &nquads))
		return -EINVAL;
	as->end = nquads;
	if (!nquads)
		return bas_error(as, 0, "no clauses");
	out = calloc(4 * nquads, sizeof(*out));
	if (!out)
		return -ENOMEM;
	for (i = 0; i < as->nclauses; i++) {
		struct bas_clause *c = &as->clauses[i];

		if (c->ndata == 4) {
			memcpy(out + 4 * c->pos, c->data, 16);
		} else if (!c->ndata && !finish_clause(as, c)) {
			u32 n = bi_clause_encode(&c->c, room);

			memcpy(out + 4 * c->pos, room, 16 * n);
		}
	}
	if (as->diag->nerrors) {
		free(out);
		return -EINVAL;
	}
	*words = out;
	*nwords = 4 * nquads;
	return 0;
}

static int give_debug(const struct bas *as, struct vs_as_debug *debug)
{
	const struct bas_clause *c;
	u32 i, place;
	int ret = 0;

	for (i = 0; i < as->nclauses && !ret; i++) {
		c = &as->clauses[i];
		if (!c->ndata)
			ret = vs_as_add_line(debug, c->pos, 0, c->line, c->last);
	}
	for (i = 0; i < as->nlabels && !ret; i++) {
		place = as->labels[i].clause;
		ret = vs_as_add_label(debug, as->labels[i].name, strlen(as->labels[i].name),
				      place < as->nclauses ? as->clauses[place].pos : as->end);
	}
	return ret;
}

int vs_as_bifrost(const char *text, size_t len, uint32_t **words, uint32_t *nwords,
		  struct vs_as_debug *debug, struct vs_as_diag *diag)
{
	struct bas *as = calloc(1, sizeof(*as));
	char *copy = len > 64 << 20 ? NULL : malloc(len + 1);
	int ret = -ENOMEM;

	memset(diag, 0, sizeof(*diag));
	*words = NULL;
	*nwords = 0;
	if (as && copy) {
		memcpy(copy, text, len);
		copy[len] = '\0';
		as->diag = diag;
		ret = read_lines(as, copy);
		if (!ret)
			ret = finish(as, words, nwords);
		if (!ret)
			ret = give_debug(as, debug);
		free(as->clauses);
		free(as->labels);
	}
	free(as);
	free(copy);
	return ret;
}
