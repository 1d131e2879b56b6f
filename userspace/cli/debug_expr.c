// SPDX-License-Identifier: MIT
/*
 * Expressions: numbers, registers, memory, C's operators, assignment.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "debug.h"

#define MAX_DEPTH	64

/**
 * struct parser - state of an evaluation
 * @d: debugger
 * @p: remaining text
 * @depth: nesting
 */
struct parser {
	struct dbg *d;
	const char *p;
	unsigned int depth;
};

static int assignment(struct parser *s, struct dbg_value *out);
static int unary(struct parser *s, struct dbg_value *out);

static void skip(struct parser *s)
{
	while (*s->p == ' ' || *s->p == '\t')
		s->p++;
}

static bool take(struct parser *s, const char *token)
{
	size_t n = strlen(token);

	skip(s);
	if (strncmp(s->p, token, n))
		return false;
	s->p += n;
	return true;
}

static int expect(struct parser *s, const char *token)
{
	if (take(s, token))
		return 0;
	s->d->bad_syntax = true;
	return dbg_error(s->d, "\"%s\" expected at \"%.40s\"", token, s->p);
}

static size_t name_length(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

struct dbg_value *dbg_var(struct dbg *d, const char *name, size_t len, bool make)
{
	struct dbg_var *v;
	unsigned int i;

	for (i = 0; i < d->num_vars; i++) {
		v = &d->vars[i];
		if (strlen(v->name) == len && !memcmp(v->name, name, len))
			return &v->value;
	}
	if (!make || d->num_vars == DBG_MAX_VARS)
		return NULL;
	v = &d->vars[d->num_vars];
	v->name = strndup(name, len);
	if (!v->name)
		return NULL;
	v->value = dbg_int(0);
	d->num_vars++;
	return &v->value;
}

/* ---- operands ---- */

static int number(struct parser *s, struct dbg_value *out)
{
	bool hex = s->p[0] == '0' && (s->p[1] | 32) == 'x';
	size_t n = strspn(s->p, "0123456789");
	const char *text = s->p;
	char *end;
	uint64_t u;

	if (!hex && (s->p[n] == '.' || (s->p[n] | 32) == 'e')) {
		*out = dbg_double(strtod(s->p, &end));
	} else {
		errno = 0;
		u = strtoull(s->p, &end, 0);
		if (errno || end == s->p)
			return dbg_error(s->d, "Invalid number \"%.40s\".", s->p);
		*out = dbg_int((int64_t)u);
	}
	s->p = end;
	if (name_length(s->p) || isdigit((unsigned char)*s->p))
		return dbg_error(s->d, "Invalid number \"%.40s\".", text);
	return 0;
}

static int history(struct parser *s, const char *name, size_t len, struct dbg_value *out)
{
	struct dbg *d = s->d;
	unsigned long n = len ? strtoul(name, NULL, 10) : d->num_history;

	/* "$$" is the last but one, "$$n" the nth before the last */
	if (*s->p == '$' && !len) {
		s->p++;
		len = strspn(s->p, "0123456789");
		n = len ? strtoul(s->p, NULL, 10) : 1;
		s->p += len;
		n = n < d->num_history ? d->num_history - n : 0;
		if (!n)
			return dbg_error(d, "History does not go so far back.");
	}
	if (!n || n > d->num_history || n + DBG_MAX_HISTORY <= d->num_history)
		return dbg_error(d, "History has not yet reached $%lu.", n);
	*out = d->history[(n - 1) % DBG_MAX_HISTORY];
	return 0;
}

static int stop_value(struct parser *s, uint64_t n, unsigned int bits, bool hex,
		      struct dbg_value *out)
{
	int ret = dbg_need_stop(s->d);

	*out = dbg_uint(n, bits);
	out->hex = hex;
	return ret;
}

/*
 * Is the name one of a register, of any instruction set: would "$r99" or "$acc7" be taken for a
 * register by whoever reads it?
 */
static bool like_register(const struct dbg *d, const char *name, size_t len)
{
	size_t letters = 0, digits = 0;
	unsigned int i;

	while (letters < len && isalpha((unsigned char)name[letters]))
		letters++;
	while (letters + digits < len && isdigit((unsigned char)name[letters + digits]))
		digits++;
	if (letters + digits < len)
		return false;
	for (i = 0; i < d->num_banks; i++) {
		const char *bank = d->banks[i].name;

		if (digits && strlen(bank) == letters && !strncasecmp(bank, name, letters))
			return true;
	}
	return letters <= 2 && digits;
}

/* "$name" */
static int dollar(struct parser *s, struct dbg_value *out)
{
	size_t len = name_length(s->p);
	const char *name = s->p;
	struct dbg_value *var;
	struct dbg *d = s->d;
	char reg[64];
	uint32_t n;
	int ret;

	s->p += len;
	if (!len || isdigit((unsigned char)*name))
		return history(s, name, len, out);
	snprintf(reg, sizeof(reg), "%.*s", (int)len, name);
	if (!strcmp(reg, "pc")) {
		ret = stop_value(s, dbg_pc(d), 32, true, out);
		out->place = DBG_PC;
		return ret;
	}
	if (!strcmp(reg, "part"))
		return stop_value(s, dbg_part(d), 32, false, out);
	if (!strcmp(reg, "invocation") || !strcmp(reg, "_thread"))
		return stop_value(s, d->inv, 64, false, out);
	if (!strcmp(reg, "job"))
		return stop_value(s, d->job, 32, false, out);
	if (dbg_reg_by_name(d, reg, &n))
		return dbg_read_reg(d, n, out);
	if (like_register(d, name, len))
		return dbg_error(d, "There is no register \"$%.*s\"%s.", (int)len, name,
				 d->num_banks ? "" : " before a job runs");
	skip(s);
	/* only an assignment makes a variable */
	var = dbg_var(d, name, len, s->p[0] == '=' && s->p[1] != '=');
	if (!var)
		return dbg_error(d, d->num_vars == DBG_MAX_VARS ? "There are too many variables." :
				 "There is no register or variable \"$%.*s\".", (int)len, name);
	*out = *var;
	out->place = DBG_VARIABLE;
	out->var = (unsigned int)((struct dbg_var *)((char *)var -
				  offsetof(struct dbg_var, value)) - d->vars);
	return 0;
}

/* "{1, 2}" after its opening brace */
static int list(struct parser *s, struct dbg_value *out)
{
	struct dbg_value v, all = { .vector = true };
	int ret;

	do {
		ret = assignment(s, &v);
		if (ret)
			return ret;
		if (all.num == DBG_MAX_COMPONENTS || v.num != 1)
			return dbg_error(s->d, "A list consists of at most %u numbers.",
					 DBG_MAX_COMPONENTS);
		if (!all.num) {
			all.type = v.type;
			all.bits = 64;
		} else if (v.type == DBG_FLOAT && all.type != DBG_FLOAT) {
			unsigned int i;

			for (i = 0; i < all.num; i++)
				all.v[i] = dbg_convert(&all, i, DBG_FLOAT, 64);
			all.type = DBG_FLOAT;
		}
		all.v[all.num] = dbg_convert(&v, 0, all.type, 64);
		all.num++;
	} while (take(s, ","));
	*out = all;
	return expect(s, "}");
}

/* The bits of a register, or of a component of it, as another type, which @v has. */
static int view(struct dbg *d, const struct dbg_value *reg, struct dbg_value *v)
{
	unsigned int i, k, bytes = v->bits / 8, have = 4 * reg->num;
	uint8_t data[4 * DBG_MAX_COMPONENTS];

	if (v->num * bytes > have)
		return dbg_error(d,
				 "The register has %u bytes: use its value + 0 for memory there.",
				 have);
	for (i = 0; i < have; i++)
		data[i] = (uint8_t)(reg->v[i / 4] >> 8 * (i % 4));
	for (i = 0; i < v->num; i++) {
		for (k = 0; k < bytes; k++)
			v->v[i] |= (uint64_t)data[i * bytes + k] << 8 * k;
	}
	return 0;
}

/* "{f32} ADDRESS", "{u32[4]} ADDRESS", "{f16[2]} REGISTER", or a list */
static int braces(struct parser *s, struct dbg_value *out)
{
	struct dbg_value at, v = { .num = 1 };
	size_t len;
	char *end;
	int ret;

	skip(s);
	len = name_length(s->p);
	if (!dbg_type_by_name(s->p, len, &v.type, &v.bits))
		return list(s, out);
	s->p += len;
	if (take(s, "[")) {
		v.num = (unsigned int)strtoul(s->p, &end, 0);
		v.vector = true;
		if (!v.num || v.num > DBG_MAX_COMPONENTS)
			return dbg_error(s->d, "At most %u elements.", DBG_MAX_COMPONENTS);
		s->p = end;
		ret = expect(s, "]");
		if (ret)
			return ret;
	}
	ret = expect(s, "}");
	if (!ret)
		ret = unary(s, &at);
	if (!ret && at.place == DBG_REGISTER) {
		ret = view(s->d, &at, &v);
		*out = v;
		return ret;
	}
	if (!ret)
		ret = dbg_load(s->d, (uint64_t)dbg_to_int(&at, 0), &v);
	*out = v;
	return ret;
}

/* All registers of an array as one vector, or the one in brackets. */
static int array(struct parser *s, const char *value, uint32_t count, struct dbg_value *out)
{
	size_t stem = strcspn(value, "0123456789");
	unsigned long first = strtoul(value + stem, NULL, 10);
	struct dbg_value n, one;
	char text[40];
	uint32_t i, k;
	int ret = 0;

	if (take(s, "[")) {
		ret = assignment(s, &n);
		if (!ret)
			ret = expect(s, "]");
		if (ret)
			return ret;
		if (n.num != 1 || dbg_to_int(&n, 0) < 0 || dbg_to_int(&n, 0) >= count)
			return dbg_error(s->d, "The array has %u elements.", count);
		first += (unsigned long)dbg_to_int(&n, 0);
		snprintf(text, sizeof(text), "%.*s%lu", (int)stem, value, first);
		return dbg_eval(s->d, text, out);
	}
	for (i = 0; i < count && !ret; i++) {
		snprintf(text, sizeof(text), "%.*s%lu", (int)stem, value, first + i);
		ret = dbg_eval(s->d, text, &one);
		if (ret)
			break;
		if (!i) {
			*out = one;
			out->num = 0;
		}
		if (out->num + one.num > DBG_MAX_COMPONENTS)
			return dbg_error(s->d, "The array is too large: name an element.");
		for (k = 0; k < one.num; k++)
			out->v[out->num++] = one.v[k];
	}
	out->place = DBG_NOWHERE;
	out->vector = true;
	out->lanes = true;
	return ret;
}

/* A name in the source of the program that the job is in. Return: 1 if it has none such. */
static int source_name(struct parser *s, size_t len, struct dbg_value *out)
{
	char value[64];
	uint32_t count;

	if (s->d->state != DBG_STOPPED ||
	    !dbg_find_name(s->d->code, s->p, len, value, sizeof(value), &count))
		return 1;
	s->p += len;
	return count > 1 ? array(s, value, count, out) : dbg_eval(s->d, value, out);
}

static int name(struct parser *s, struct dbg_value *out)
{
	bool global = take(s, "::");
	size_t len = name_length(s->p);
	struct dbg *d = s->d;
	uint64_t va;
	int ret;

	ret = len && !global ? source_name(s, len, out) : 1;
	if (ret <= 0)
		return ret;
	if (len == 10 && !memcmp(s->p, "invocation", 10)) {
		s->p += len;
		return stop_value(s, d->inv, 64, false, out);
	}
	d->bad_syntax = !len;
	if (!len)
		return dbg_error(d, *s->p ? "A syntax error in expression, near \"%.40s\"." :
				 "The expression is not complete.%s", s->p);
	if (!dbg_region(d, s->p, len, &va))
		return dbg_find_region(d, s->p, len) != JF_NONE ? dbg_need_stop(d) :
		       dbg_error(d, "No symbol \"%.*s\" in current context.", (int)len, s->p);
	s->p += len;
	*out = dbg_uint(va, 64);
	out->hex = true;
	return 0;
}

/* "(f32) VALUE": conversion; otherwise parentheses */
static int parens(struct parser *s, struct dbg_value *out)
{
	struct dbg_value v;
	enum dbg_type type;
	unsigned int bits, i;
	size_t len;
	int ret;

	skip(s);
	len = name_length(s->p);
	if (!dbg_type_by_name(s->p, len, &type, &bits)) {
		ret = assignment(s, out);
		return ret ? ret : expect(s, ")");
	}
	s->p += len;
	ret = expect(s, ")");
	if (!ret)
		ret = unary(s, &v);
	if (ret)
		return ret;
	*out = v;
	out->place = DBG_NOWHERE;
	out->type = type;
	out->bits = bits;
	out->hex = false;
	for (i = 0; i < v.num; i++)
		out->v[i] = dbg_convert(&v, i, type, bits);
	return 0;
}

static int operand(struct parser *s, struct dbg_value *out)
{
	skip(s);
	if (isdigit((unsigned char)*s->p) || (*s->p == '.' && isdigit((unsigned char)s->p[1])))
		return number(s, out);
	if (take(s, "$"))
		return dollar(s, out);
	if (take(s, "("))
		return parens(s, out);
	if (take(s, "{"))
		return braces(s, out);
	return name(s, out);
}

/* ---- postfix and prefix operators ---- */

static int pick(struct parser *s, struct dbg_value *v, uint64_t n)
{
	if (n >= v->num)
		return dbg_error(s->d, "There is no component %llu: there are %u.",
				 (unsigned long long)n, v->num);
	v->v[0] = v->v[n];
	v->first += (uint32_t)n;
	v->va += n * (v->bits / 8);
	v->num = 1;
	v->vector = false;
	if (v->place == DBG_VARIABLE)
		v->place = DBG_NOWHERE;
	return 0;
}

/* "ADDRESS[n]": a word of memory */
static int element(struct parser *s, struct dbg_value *v, uint64_t n)
{
	uint64_t va = (uint64_t)dbg_to_int(v, 0) + 4 * n;

	*v = dbg_uint(0, 32);
	return dbg_load(s->d, va, v);
}

/* Length of ".x", ".zyx" at the parser's place, 0: none */
static size_t swizzle_length(const struct parser *s, const struct dbg_value *v)
{
	size_t n;

	if (*s->p != '.' || !v->vector || v->lanes)
		return 0;
	n = name_length(s->p + 1);
	return n && n <= 4 && strspn(s->p + 1, "xyzw") >= n ? n + 1 : 0;
}

/* One component keeps its place; several are a new vector, which cannot be assigned. */
static int swizzle(struct parser *s, struct dbg_value *v, size_t len)
{
	static const char names[] = "xyzw";
	struct dbg_value all = *v;
	const char *p = s->p + 1;
	unsigned int i, n;

	s->p += len;
	if (len == 2)
		return pick(s, v, (uint64_t)(strchr(names, *p) - names));
	v->num = (unsigned int)len - 1;
	v->place = DBG_NOWHERE;
	for (i = 0; i < v->num; i++) {
		n = (unsigned int)(strchr(names, p[i]) - names);
		if (n >= all.num)
			return dbg_error(s->d, "There is no component %u: there are %u.", n,
					 all.num);
		v->v[i] = all.v[n];
	}
	return 0;
}

/* The low or the high half of a component of a register, as binary16. */
static void take_half(struct dbg_value *v, unsigned int half)
{
	v->v[0] = v->v[0] >> 16 * (half - 1) & 0xffff;
	v->type = DBG_FLOAT;
	v->bits = 16;
	v->hex = false;
	v->half = half;
}

/* ".h0", ".h1" at the parser's place: 1, 2; 0: none */
static unsigned int half_at(const struct parser *s, const struct dbg_value *v)
{
	if (v->place != DBG_REGISTER || v->num != 1 || v->half || v->bits != 32 ||
	    strncmp(s->p, ".h", 2) || name_length(s->p + 1) != 2)
		return 0;
	return s->p[2] == '0' ? 1 : s->p[2] == '1' ? 2 : 0;
}

static int postfix(struct parser *s, struct dbg_value *out)
{
	struct dbg_value n;
	size_t len;
	int ret = operand(s, out);

	while (!ret) {
		len = swizzle_length(s, out);
		if (len) {
			ret = swizzle(s, out, len);
		} else if (half_at(s, out)) {
			take_half(out, half_at(s, out));
			s->p += 3;
		} else if (take(s, "[")) {
			ret = assignment(s, &n);
			if (!ret)
				ret = expect(s, "]");
			if (!ret)
				ret = out->vector ? pick(s, out, (uint64_t)dbg_to_int(&n, 0)) :
				      element(s, out, (uint64_t)dbg_to_int(&n, 0));
		} else {
			break;
		}
	}
	return ret;
}

static int deref(struct parser *s, struct dbg_value *out)
{
	struct dbg_value at;
	int ret = unary(s, &at);

	if (ret)
		return ret;
	if (at.num != 1)
		return dbg_error(s->d, "Attempt to take contents of a vector.");
	*out = dbg_uint(0, 32);
	return dbg_load(s->d, (uint64_t)dbg_to_int(&at, 0), out);
}

static int scalar(struct parser *s, const struct dbg_value *v)
{
	return v->num == 1 ? 0 : dbg_error(s->d, "Argument is a vector: name a component of it.");
}

static int negate(struct parser *s, struct dbg_value *out)
{
	struct dbg_value v;
	int ret = unary(s, &v);

	if (!ret)
		ret = scalar(s, &v);
	if (ret)
		return ret;
	*out = v.type == DBG_FLOAT ? dbg_double(-dbg_to_double(&v, 0)) :
				     dbg_int((int64_t)-(uint64_t)dbg_to_int(&v, 0));
	return 0;
}

static int logic(struct parser *s, bool not, struct dbg_value *out)
{
	struct dbg_value v;
	int ret = unary(s, &v);

	if (!ret)
		ret = scalar(s, &v);
	if (ret)
		return ret;
	if (not)
		*out = dbg_int(v.type == DBG_FLOAT ? dbg_to_double(&v, 0) == 0 :
			       !dbg_to_int(&v, 0));
	else if (v.type == DBG_FLOAT)
		return dbg_error(s->d, "Argument to complement operation is not an integer.");
	else if (v.bits < 64)
		*out = dbg_uint(~v.v[0] & ((1ull << v.bits) - 1), v.bits);
	else
		*out = dbg_int(~dbg_to_int(&v, 0));
	return 0;
}

static int address_of(struct parser *s, struct dbg_value *out)
{
	struct dbg_value v;
	int ret = unary(s, &v);

	if (ret)
		return ret;
	/* A region's name is its address already. */
	if (v.place == DBG_MEMORY)
		v = dbg_uint(v.va, 64);
	else if (v.place != DBG_NOWHERE || !v.hex)
		return dbg_error(s->d, "Attempt to take address of value not located in memory.");
	*out = v;
	out->hex = true;
	return 0;
}

static int unary_operator(struct parser *s, struct dbg_value *out)
{
	skip(s);
	switch (*s->p) {
	case '-':
		s->p++;
		return negate(s, out);
	case '+':
		s->p++;
		return unary(s, out);
	case '*':
		s->p++;
		return deref(s, out);
	case '!':
	case '~':
		return logic(s, *s->p++ == '!', out);
	case '&':
		s->p++;
		return address_of(s, out);
	default:
		return postfix(s, out);
	}
}

static int unary(struct parser *s, struct dbg_value *out)
{
	int ret;

	if (++s->depth > MAX_DEPTH)
		return dbg_error(s->d, "The expression is nested too deeply.");
	ret = unary_operator(s, out);
	s->depth--;
	return ret;
}

/* ---- operators between ---- */

static const struct {
	const char *text;
	unsigned int level;
} operators[] = {
	/* longer ones first */
	{ "||", 1 }, { "&&", 2 }, { "==", 6 }, { "!=", 6 }, { "<=", 7 }, { ">=", 7 },
	{ "<<", 8 }, { ">>", 8 }, { "|", 3 }, { "^", 4 }, { "&", 5 }, { "<", 7 }, { ">", 7 },
	{ "+", 9 }, { "-", 9 }, { "*", 10 }, { "/", 10 }, { "%", 10 }, { "@", 11 },
};

static const char *next_operator(struct parser *s, unsigned int level, unsigned int *found)
{
	unsigned int i;

	skip(s);
	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (!strncmp(s->p, operators[i].text, strlen(operators[i].text))) {
			*found = operators[i].level;
			return *found >= level ? operators[i].text : NULL;
		}
	}
	return NULL;
}

static bool compare(const char *op, double a, double b, int order)
{
	bool nan = isnan(a) || isnan(b);

	switch (op[0]) {
	case '=':
		return !nan && !order;
	case '!':
		return nan || order;
	case '<':
		return !nan && (op[1] ? order <= 0 : order < 0);
	default:
		return !nan && (op[1] ? order >= 0 : order > 0);
	}
}

static int float_op(struct parser *s, const char *op, double a, double b, struct dbg_value *out)
{
	int order = a < b ? -1 : a > b;

	switch (op[0]) {
	case '+':
		*out = dbg_double(a + b);
		return 0;
	case '-':
		*out = dbg_double(a - b);
		return 0;
	case '*':
		*out = dbg_double(a * b);
		return 0;
	case '/':
		*out = dbg_double(a / b);
		return 0;
	case '%':
	case '^':
		return dbg_error(s->d, "Operator %s is for integers.", op);
	default:
		if ((op[0] == '<' || op[0] == '>') && op[1] == op[0])
			return dbg_error(s->d, "Operator %s is for integers.", op);
		*out = dbg_int(compare(op, a, b, order));
		return 0;
	}
}

static int divide(struct parser *s, char op, int64_t a, int64_t b, struct dbg_value *out)
{
	if (!b)
		return dbg_error(s->d, "Division by zero");
	if (b == -1)
		*out = dbg_int(op == '/' ? (int64_t)-(uint64_t)a : 0);
	else
		*out = dbg_int(op == '/' ? a / b : a % b);
	return 0;
}

static int shift(const char *op, int64_t a, int64_t b, struct dbg_value *out)
{
	if (b < 0 || b > 63)
		*out = dbg_int(op[0] == '>' && a < 0 ? -1 : 0);
	else
		*out = dbg_int(op[0] == '<' ? (int64_t)((uint64_t)a << b) : a >> b);
	return 0;
}

static int int_op(struct parser *s, const char *op, int64_t a, int64_t b, struct dbg_value *out)
{
	uint64_t x = (uint64_t)a, y = (uint64_t)b;

	switch (op[0]) {
	case '+':
		*out = dbg_int((int64_t)(x + y));
		return 0;
	case '-':
		*out = dbg_int((int64_t)(x - y));
		return 0;
	case '*':
		*out = dbg_int((int64_t)(x * y));
		return 0;
	case '/':
	case '%':
		return divide(s, op[0], a, b, out);
	case '&':
		*out = dbg_int((int64_t)(x & y));
		return 0;
	case '|':
		*out = dbg_int((int64_t)(x | y));
		return 0;
	case '^':
		*out = dbg_int((int64_t)(x ^ y));
		return 0;
	default:
		if (op[1] == op[0] && op[0] != '=')
			return shift(op, a, b, out);
		*out = dbg_int(compare(op, 0, 0, a < b ? -1 : a > b));
		return 0;
	}
}

static bool truth(const struct dbg_value *v)
{
	return v->type == DBG_FLOAT ? dbg_to_double(v, 0) != 0 : dbg_to_int(v, 0) != 0;
}

/* "MEMORY @ n": array of n elements from MEMORY on */
static int repeat(struct parser *s, const struct dbg_value *a, int64_t n, struct dbg_value *out)
{
	if (a->place != DBG_MEMORY || a->num != 1)
		return dbg_error(s->d, "Only values in memory can be extended with '@'.");
	if (n < 1 || n > DBG_MAX_COMPONENTS)
		return dbg_error(s->d, "'@' takes 1 to %u.", DBG_MAX_COMPONENTS);
	*out = *a;
	out->num = (unsigned int)n;
	out->vector = true;
	return dbg_load(s->d, a->va, out);
}

static int apply(struct parser *s, const char *op, const struct dbg_value *a,
		 const struct dbg_value *b, struct dbg_value *out)
{
	int ret;

	if (op[0] == '@')
		return repeat(s, a, dbg_to_int(b, 0), out);
	ret = scalar(s, a);
	if (!ret)
		ret = scalar(s, b);
	if (ret)
		return ret;
	if (!strcmp(op, "&&") || !strcmp(op, "||")) {
		*out = dbg_int(op[0] == '&' ? truth(a) && truth(b) : truth(a) || truth(b));
		return 0;
	}
	if (a->type == DBG_FLOAT || b->type == DBG_FLOAT)
		return op[0] == '&' || op[0] == '|' ?
		       dbg_error(s->d, "Operator %s is for integers.", op) :
		       float_op(s, op, dbg_to_double(a, 0), dbg_to_double(b, 0), out);
	return int_op(s, op, dbg_to_int(a, 0), dbg_to_int(b, 0), out);
}

static int binary(struct parser *s, unsigned int level, struct dbg_value *out)
{
	struct dbg_value a, b;
	unsigned int found;
	const char *op;
	int ret;

	if (++s->depth > MAX_DEPTH)
		return dbg_error(s->d, "The expression is nested too deeply.");
	ret = unary(s, &a);
	while (!ret) {
		op = next_operator(s, level, &found);
		if (!op)
			break;
		s->p += strlen(op);
		ret = binary(s, found + 1, &b);
		if (!ret)
			ret = apply(s, op, &a, &b, out);
		a = *out;
	}
	*out = a;
	s->depth--;
	return ret;
}

static int assignment(struct parser *s, struct dbg_value *out)
{
	struct dbg_value v;
	int ret = binary(s, 1, out);

	skip(s);
	if (ret || s->p[0] != '=' || s->p[1] == '=')
		return ret;
	s->p++;
	ret = assignment(s, &v);
	if (!ret)
		ret = dbg_assign(s->d, out, &v);
	if (ret)
		return ret;
	/* Read the value back: a register may have fewer bits. */
	if (out->place == DBG_REGISTER) {
		uint32_t first = out->first;
		bool one = out->num == 1 && !out->vector;
		unsigned int half = out->half;

		ret = dbg_read_reg(s->d, out->reg, out);
		if (!ret && one)
			ret = pick(s, out, first);
		if (!ret && half)
			take_half(out, half);
		return ret;
	}
	if (out->place == DBG_MEMORY)
		return dbg_load(s->d, out->va, out);
	*out = v;
	return 0;
}

int dbg_eval_part(struct dbg *d, const char *text, const char **end, struct dbg_value *out)
{
	struct parser s = { .d = d, .p = text };
	int ret;

	memset(out, 0, sizeof(*out));
	ret = assignment(&s, out);
	skip(&s);
	*end = s.p;
	return ret;
}

int dbg_eval(struct dbg *d, const char *text, struct dbg_value *out)
{
	const char *end;
	int ret;

	d->bad_syntax = false;
	ret = dbg_eval_part(d, text, &end, out);
	d->bad_syntax |= !ret && *end;
	if (!ret && *end)
		return dbg_error(d, "A syntax error in expression, near \"%.40s\".", end);
	return ret;
}

int dbg_eval_u64(struct dbg *d, const char *text, uint64_t *out)
{
	struct dbg_value v;
	int ret = dbg_eval(d, text, &v);

	if (!ret && v.num != 1)
		return dbg_error(d, "\"%s\" is a vector.", text);
	if (!ret)
		*out = (uint64_t)dbg_to_int(&v, 0);
	return ret;
}
