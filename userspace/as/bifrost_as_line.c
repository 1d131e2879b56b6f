// SPDX-License-Identifier: MIT
/*
 * Bifrost assembler: lines of the source.
 */
#include "bifrost_as.h"

bool bas_number(const char *s, u64 limit, u64 *value)
{
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	*value = strtoull(s, &end, 0);
	return !*end && !errno && *value <= limit;
}

int bas_register(const char *s)
{
	unsigned int n;
	int used = 0;

	if (s[0] != 'r' || s[1] < '0' || s[1] > '9' || sscanf(s + 1, "%2u%n", &n, &used) != 1)
		return -1;
	s += 1 + used;
	return n < 64 && (!*s || *s == '.' || *s == ':' || *s == '=') ? (int)n : -1;
}

/* Cut off the next word at blanks; NULL: there is none. */
static char *next_word(char **s)
{
	char *word = *s + strspn(*s, " \t");

	if (!*word)
		return NULL;
	*s = word + strcspn(word, " \t");
	if (**s)
		*(*s)++ = '\0';
	return word;
}

static struct bas_clause *current(struct bas *as)
{
	return &as->clauses[as->nclauses - 1];
}

static struct bas_clause *new_clause(struct bas *as)
{
	struct bas_clause *more;

	if (as->nclauses == BI_MAX_QUADS) {
		bas_error(as, as->line, "too many clauses");
		return NULL;
	}
	/* Doubled whenever it is a power of two. */
	if (!(as->nclauses & (as->nclauses - 1))) {
		more = realloc(as->clauses, (as->nclauses ? 2 * as->nclauses : 1) * sizeof(*more));
		if (!more) {
			as->nomem = true;
			return NULL;
		}
		as->clauses = more;
	}
	memset(&as->clauses[as->nclauses++], 0, sizeof(*as->clauses));
	current(as)->line = as->line;
	current(as)->raw_header = -1;
	return current(as);
}

static int add_label(struct bas *as, char *name)
{
	u32 hash = bas_hash(name, strlen(name));
	const struct bas_label *same = bas_find(as, name, strlen(name));
	struct bas_label *more;

	if (same)
		return bas_error(as, as->line, "label %.60s is in line %u too", name, same->line);
	if (as->nlabels == BI_MAX_QUADS)
		return bas_error(as, as->line, "too many labels");
	if (!(as->nlabels & (as->nlabels - 1))) {
		more = realloc(as->labels, (as->nlabels ? 2 * as->nlabels : 1) * sizeof(*more));
		if (!more) {
			as->nomem = true;
			return -ENOMEM;
		}
		as->labels = more;
	}
	as->labels[as->nlabels++] = (struct bas_label){ name, as->nclauses, as->line,
							as->bucket[hash] };
	as->bucket[hash] = as->nlabels;
	return 0;
}

/* ---- header ---- */

static bool read_wait(char *s, struct bi_header *h)
{
	u64 slot;
	char *part;

	while ((part = strsep(&s, ","))) {
		part += strspn(part, " \t");
		if (!bas_number(part, 7, &slot))
			return false;
		h->wait |= 1 << slot;
	}
	return true;
}

static bool read_message(const char *s, u8 *message)
{
	u32 i;

	for (i = 1; i <= BI_MSG_64BIT; i++) {
		if (bi_message_name(i) && !strcmp(s, bi_message_name(i))) {
			*message = (u8)i;
			return true;
		}
	}
	return false;
}

/* Words that set a field to a value. */
static bool read_flag(const char *s, struct bi_header *h)
{
	const struct {
		const char *name;
		u8 *field;
		u8 value;
	} flags[] = {
		{ "osrb", &h->osrb, 1 }, { "inf_suppress", &h->suppress_inf, 1 },
		{ "nan_suppress", &h->suppress_nan, 1 }, { "ftz_dx11", &h->ftz, 1 },
		{ "ftz_hsa", &h->ftz, 2 }, { "ftz_au", &h->ftz, 3 }, { "fpe_ts", &h->fpe, 1 },
		{ "fpe_pd", &h->fpe, 2 }, { "fpe_psqr", &h->fpe, 3 }, { "td", &h->td, 1 },
		{ "ncph", &h->ncph, 1 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		if (strcmp(s, flags[i].name))
			continue;
		*flags[i].field = flags[i].value;
		return true;
	}
	if (!strncmp(s, "next_", 5))
		return read_message(s + 5, &h->next_message);
	return read_message(s, &h->message);
}

/* Flow control has one or two words. Return: number of words. */
static u32 read_flow(const char *s, const char *next, struct bi_header *h)
{
	char both[32];
	u32 i, n;

	for (n = 2; n; n--) {
		snprintf(both, sizeof(both), "%s%s%s", s, n == 2 ? " " : "", n == 2 ? next : "");
		for (i = BI_FLOW_END; i <= BI_FLOW_WE; i++) {
			if (strcmp(both, bi_flow_name(i)))
				continue;
			h->flow = (u8)i;
			return n;
		}
	}
	return 0;
}

static bool read_call(char *word, const char *name, u64 limit, u64 *value)
{
	size_t n = strlen(name), len = strlen(word);

	if (strncmp(word, name, n) || word[n] != '(' || word[len - 1] != ')')
		return false;
	word[len - 1] = '\0';
	return bas_number(word + n + 1, limit, value);
}

static int read_word(struct bas *as, struct bas_clause *c, char *word, bool *flow, char **rest)
{
	struct bi_header *h = &c->header;
	char *next = *rest, saved;
	u64 v;
	u32 n;

	if (read_call(word, "ds", 7, &v)) {
		h->slot = (u8)v;
		return 0;
	}
	if (read_call(word, "sr", 63, &v)) {
		h->sr = (u8)v;
		c->sr_given = true;
		return 0;
	}
	next += strspn(next, " \t");
	n = (u32)strcspn(next, " \t");
	saved = next[n];
	next[n] = '\0';
	n = *flow ? 0 : read_flow(word, next, h);
	next[strlen(next)] = saved;
	if (n) {
		*flow = true;
		if (n == 2)
			next_word(rest);
		return 0;
	}
	if (!read_flag(word, h))
		return bas_error(as, as->line, "unknown word in a clause header: %.60s", word);
	return 0;
}

static int header_line(struct bas *as, char *s)
{
	struct bas_clause *c = new_clause(as);
	bool flow = false;
	char *word, *wait, *end;
	int ret = 0;

	if (!c)
		return -ENOMEM;
	wait = strstr(s, "dwb(");
	end = wait ? strchr(wait, ')') : NULL;
	if (end) {
		*end = '\0';
		if (!read_wait(wait + 4, &c->header))
			return bas_error(as, as->line, "slots to wait for are 0 to 7");
		*wait = '\0';
		/* Join the text before and after it. */
		memmove(wait, end + 1, strlen(end + 1) + 1);
	}
	while (!ret && (word = next_word(&s)))
		ret = read_word(as, c, word, &flow, &s);
	if (!ret && !flow)
		ret = bas_error(as, as->line, "the clause header lacks flow control: eos, nbb ...");
	return ret;
}

/* ---- tuples ---- */

static struct bas_tuple *new_tuple(struct bas *as)
{
	struct bas_clause *c = current(as);

	if (c->ntuples == BI_MAX_TUPLES) {
		bas_error(as, as->line, "more than eight tuples");
		return NULL;
	}
	c->tuples[c->ntuples].line = as->line;
	return &c->tuples[c->ntuples++];
}

/* Blanks before modifiers are left where comments were. */
static void join_modifiers(char *s)
{
	char *out = s;

	for (; *s; s++) {
		if (*s == '.')
			while (out[-1] == ' ' || out[-1] == '\t')
				out--;
		*out++ = *s;
	}
	*out = '\0';
}

static int split_op(struct bas *as, struct bas_op *op, char *s)
{
	char *part;
	size_t n;

	op->head = next_word(&s);
	if (!op->head)
		return bas_error(as, as->line, "the operation is missing");
	s += strspn(s, " \t");
	if (!*s)
		return 0;
	while ((part = strsep(&s, ","))) {
		part += strspn(part, " \t");
		for (n = strlen(part); n && (part[n - 1] == ' ' || part[n - 1] == '\t'); n--)
			part[n - 1] = '\0';
		if (n)
			join_modifiers(part + 1);
		if (!op->dest)
			op->dest = part;
		else if (op->noperands < BAS_MAX_OPERANDS)
			op->operand[op->noperands++] = part;
		else
			return bas_error(as, as->line, "too many operands");
	}
	return 0;
}

static int op_line(struct bas *as, char *s)
{
	enum bi_unit unit = s[0] == '*' ? BI_FMA : BI_ADD;
	struct bas_clause *c = current(as);
	struct bas_tuple *t = c->ntuples ? &c->tuples[c->ntuples - 1] : NULL;
	struct bas_op *op;
	u64 bits;
	int ret;

	if (!t || t->op[unit].head || (unit == BI_FMA && t->op[BI_ADD].head)) {
		t = new_tuple(as);
		if (!t)
			return -EINVAL;
	}
	op = &t->op[unit];
	op->line = as->line;
	c->last = as->line;
	ret = split_op(as, op, s + 1);
	if (ret || strcmp(op->head, ".bits"))
		return ret;
	if (!op->dest || op->noperands ||
	    !bas_number(op->dest, (1U << (unit == BI_FMA ? 23 : 20)) - 1, &bits))
		return bas_error(as, as->line, ".bits takes a number of 23 or 20 bits");
	op->raw = true;
	op->bits = (u32)bits;
	op->dest = NULL;
	return 0;
}

/* "3:r2.h0=fma" and the like. */
static bool read_port(char *s, struct bi_ports *p)
{
	int reg = s[1] == ':' ? bas_register(s + 2) : -1;
	char *what = strchr(s, '='), *half = strchr(s, '.');
	u8 op = what ? BI_PORT_WRITE : BI_PORT_READ;
	bool fma = what && !strcmp(what + 1, "fma");

	if (reg < 0 || (what && !fma && strcmp(what + 1, "add")))
		return false;
	if (half && what && !strncmp(half, ".h0=", 4))
		op = BI_PORT_WRITE_LO;
	else if (half && what && !strncmp(half, ".h1=", 4))
		op = BI_PORT_WRITE_HI;
	else if (half)
		return false;
	switch (s[0]) {
	case '0':
		p->read0 = true;
		p->reg0 = (u8)reg;
		return !what;
	case '1':
		p->read1 = true;
		p->reg1 = (u8)reg;
		return !what;
	case '2':
		p->op2 = op;
		p->reg2 = (u8)reg;
		return !what || fma;
	case '3':
		p->op3 = op;
		p->reg3 = (u8)reg;
		p->fma3 = fma;
		return what;
	default:
		return false;
	}
}

static int ports_line(struct bas *as, char *s)
{
	struct bas_tuple *t = new_tuple(as);
	char *word;
	u64 fau;

	if (!t)
		return -EINVAL;
	t->given = true;
	while ((word = next_word(&s))) {
		if (!strncmp(word, "fau:", 4) && bas_number(word + 4, 255, &fau))
			t->ports.fau = (u8)fau;
		else if (!read_port(word, &t->ports))
			return bas_error(as, as->line, "not the use of a port: %.60s", word);
	}
	return 0;
}

static int regs_line(struct bas *as, char *s)
{
	struct bas_tuple *t = new_tuple(as);
	char *word = next_word(&s);

	if (!t)
		return -EINVAL;
	t->given = true;
	t->raw = true;
	if (!word || !bas_number(word, GENMASK_ULL(34, 0), &t->regs) || next_word(&s))
		return bas_error(as, as->line, ".regs takes a number of 35 bits");
	return 0;
}

static int const_line(struct bas *as, char *s)
{
	struct bi_clause *c = &current(as)->c;
	char *word = next_word(&s), *modes = next_word(&s);
	u64 value, m = 0;

	if (c->nconsts == BI_MAX_CONSTS)
		return bas_error(as, as->line, "more than seven constants");
	if (!word || !bas_number(word, ~0ULL, &value) || value & 15)
		return bas_error(as, as->line, ".const takes a number; its low four bits are 0");
	if (modes && (c->nconsts || !bas_number(modes, 255, &m)))
		return bas_error(as, as->line, "only the first constant has modes, 8 bits");
	c->consts[c->nconsts++] = value;
	c->m |= (u8)m;
	current(as)->consts_given = true;
	return 0;
}

static int inner_line(struct bas *as, char *s)
{
	struct bas_clause *c = current(as);

	if (*s == '*' || *s == '+')
		return op_line(as, s);
	if (!strcmp(s, "}")) {
		as->open = false;
		return c->ntuples ? 0 : bas_error(as, as->line, "a clause without tuples");
	}
	if (!strncmp(s, ".ports", 6) && (!s[6] || s[6] == ' ' || s[6] == '\t'))
		return ports_line(as, s + 6);
	if (!strncmp(s, ".regs ", 6))
		return regs_line(as, s + 6);
	if (!strncmp(s, ".const ", 7))
		return const_line(as, s + 7);
	return bas_error(as, as->line, "neither an operation nor part of a tuple: %.60s", s);
}

/* ---- outside of clauses ---- */

static int data_line(struct bas *as, char *s)
{
	struct bas_clause *c;
	bool quad = !strncmp(s, ".quad ", 6);
	char *word;
	u64 v;
	u32 n;

	c = new_clause(as);
	if (!c)
		return -ENOMEM;
	next_word(&s);
	for (n = 0; n < (quad ? 4 : 1); n++) {
		word = next_word(&s);
		if (!word || !bas_number(word, quad ? 0xffffffff : BI_MAX_QUADS, &v))
			return bas_error(as, as->line, quad ? ".quad takes four words" :
					 ".zero takes a number of quads");
		if (quad)
			c->data[n] = (u32)v;
		else
			c->ndata = (u32)(4 * v);
	}
	if (quad)
		c->ndata = 4;
	else if (!c->ndata)
		return bas_error(as, as->line, "no quads of zeroes");
	return next_word(&s) ? bas_error(as, as->line, "too many words") : 0;
}

static int raw_header_line(struct bas *as, char *s)
{
	struct bas_clause *c = new_clause(as);
	char *word = next_word(&s);
	u64 v;

	if (!c)
		return -ENOMEM;
	if (!word || !bas_number(word, GENMASK_ULL(44, 0), &v) || next_word(&s))
		return bas_error(as, as->line, ".header takes a number of 45 bits");
	c->raw_header = (s64)v;
	return 0;
}

static int open_line(struct bas *as)
{
	if (!as->nclauses || current(as)->ndata || current(as)->ntuples)
		return bas_error(as, as->line, "a clause without a header");
	as->open = true;
	return 0;
}

int bas_line(struct bas *as, char *s)
{
	size_t n = strlen(s);

	if (!n || *s == '#')
		return 0;
	if (as->open)
		return inner_line(as, s);
	/* Only the clause may follow its header. */
	if (as->nclauses && !current(as)->ndata && !current(as)->ntuples && strcmp(s, "{"))
		return bas_error(as, as->line, "a header without its clause");
	if (!strcmp(s, "{"))
		return open_line(as);
	if (s[n - 1] == ':' && !strpbrk(s, " \t.(")) {
		s[n - 1] = '\0';
		return add_label(as, s);
	}
	if (!strncmp(s, ".quad ", 6) || !strncmp(s, ".zero ", 6))
		return data_line(as, s);
	if (!strncmp(s, ".header ", 8))
		return raw_header_line(as, s + 8);
	return *s == '.' ? bas_error(as, as->line, "unknown directive %.60s", s) :
			   header_line(as, s);
}
