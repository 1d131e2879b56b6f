// SPDX-License-Identifier: MIT
/*
 * PICA200 assembler: lines to tokens, and messages.
 */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <strings.h>

#include "pica_as.h"

static void message(struct as *as, bool error, u32 file, u32 line, u32 col, const char *fmt,
		    va_list ap)
{
	struct vs_as_diag *diag = as->diag;
	struct vs_as_message *m;
	u32 i;

	if (error)
		diag->nerrors++;
	else
		diag->nwarnings++;
	if (diag->nmessages == VS_AS_MAX_MESSAGES)
		return;
	m = &diag->messages[diag->nmessages++];
	m->file = file;
	m->line = line;
	m->column = col;
	m->error = error;
	vsnprintf(m->text, sizeof(m->text), fmt, ap);
	/* Source text may be quoted: keep the message one printable line. */
	for (i = 0; m->text[i]; i++)
		if (!isprint((unsigned char)m->text[i]))
			m->text[i] = '?';
}

int as_error(struct as *as, u32 col, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(as, true, as->file, as->line, col, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

int as_error_at(struct as *as, u32 file, u32 line, u32 col, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(as, true, file, line, col, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

void as_warn(struct as *as, u32 col, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(as, false, as->file, as->line, col, fmt, ap);
	va_end(ap);
}

int as_len(struct as_str s)
{
	return s.len < 40 ? (int)s.len : 40;
}

static bool is_name_start(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '$';
}

static bool is_name(char c)
{
	return is_name_start(c) || isdigit((unsigned char)c);
}

/* Digits, letters and points: judged when the number is needed. */
static size_t number_length(const char *s, size_t len)
{
	bool hex = len > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	size_t n = 0;

	while (n < len) {
		bool sign = n && (s[n] == '-' || s[n] == '+') && !hex &&
			    (s[n - 1] == 'e' || s[n - 1] == 'E');

		if (!isalnum((unsigned char)s[n]) && s[n] != '.' && s[n] != '_' && !sign)
			break;
		n++;
	}
	return n;
}

static size_t token_length(const char *s, size_t len, u32 *kind)
{
	size_t n = 1;

	if (is_name_start(s[0])) {
		*kind = TOK_NAME;
		while (n < len && is_name(s[n]))
			n++;
		return n;
	}
	if (isdigit((unsigned char)s[0]) ||
	    (s[0] == '.' && len > 1 && isdigit((unsigned char)s[1]))) {
		*kind = TOK_NUMBER;
		return number_length(s, len);
	}
	*kind = TOK_PUNCT;
	return 1;
}

/* Tokens of the line @s, up to its comment. */
int as_lex(struct as *as, const char *s, size_t len)
{
	size_t at = 0;
	u32 n = 0;

	as->pos = 0;
	for (;;) {
		struct as_tok *t = &as->tok[n];

		while (at < len && isspace((unsigned char)s[at]))
			at++;
		t->col = (u32)at + 1;
		t->str.s = s + at;
		t->str.len = 0;
		t->kind = TOK_END;
		if (at == len || s[at] == ';')
			return 0;
		if (n == AS_MAX_TOKENS - 1)
			return as_error(as, t->col, "line has too many words (limit %d)",
					AS_MAX_TOKENS - 1);
		t->str.len = (u32)token_length(s + at, len - at, &t->kind);
		at += t->str.len;
		n++;
	}
}

const struct as_tok *as_peek(const struct as *as)
{
	return &as->tok[as->pos];
}

const struct as_tok *as_next(struct as *as)
{
	const struct as_tok *t = &as->tok[as->pos];

	if (t->kind != TOK_END)
		as->pos++;
	return t;
}

bool as_is(const struct as_tok *t, char c)
{
	return t->kind == TOK_PUNCT && t->str.s[0] == c;
}

bool as_accept(struct as *as, char c)
{
	if (!as_is(as_peek(as), c))
		return false;
	as->pos++;
	return true;
}

static int unexpected(struct as *as, const struct as_tok *t, const char *expected)
{
	if (t->kind == TOK_END)
		return as_error(as, t->col, "expected %s, found the end of the line", expected);
	return as_error(as, t->col, "expected %s, found '%.*s'", expected, as_len(t->str),
			t->str.s);
}

int as_expect(struct as *as, char c, const char *where)
{
	char expected[64];

	if (as_accept(as, c))
		return 0;
	snprintf(expected, sizeof(expected), "'%c' %s", c, where);
	return unexpected(as, as_peek(as), expected);
}

int as_expect_end(struct as *as)
{
	const struct as_tok *t = as_peek(as);

	if (t->kind == TOK_END)
		return 0;
	return unexpected(as, t, "the end of the line");
}

int as_name(struct as *as, const char *what, struct as_tok *tok)
{
	const struct as_tok *t = as_next(as);

	if (t->kind != TOK_NAME)
		return unexpected(as, t, what);
	*tok = *t;
	return 0;
}

/* The number's text with its sign, for the C library. */
static int number_text(struct as *as, const char *what, char *buf, size_t size, u32 *col)
{
	bool neg = false;
	const struct as_tok *t;

	*col = as_peek(as)->col;
	while (as_is(as_peek(as), '-') || as_is(as_peek(as), '+'))
		neg ^= as_is(as_next(as), '-');
	t = as_next(as);
	if (t->kind != TOK_NUMBER && t->kind != TOK_NAME)
		return unexpected(as, t, what);
	if (t->str.len + 2 > size)
		return as_error(as, t->col, "number is too long");
	snprintf(buf, size, "%s%.*s", neg ? "-" : "", (int)t->str.len, t->str.s);
	return 0;
}

/*
 * picasso has no expressions: of "4*2" it takes the number in front and leaves out the rest,
 * up to the next comma or bracket. Published sources rely on that.
 */
static void skip_rest(struct as *as, const char *number, u32 col)
{
	const struct as_tok *t = as_peek(as);
	u32 depth = 0;

	if (t->kind != TOK_PUNCT || !memchr("*/+-%(", t->str.s[0], 6))
		return;
	as_warn(as, col, "there are no expressions: %s is used without what follows, as in picasso",
		number);
	while (t->kind != TOK_END &&
	       (depth || (!as_is(t, ',') && !as_is(t, ')') && !as_is(t, ']')))) {
		depth += as_is(t, '(');
		depth -= as_is(t, ')');
		as_next(as);
		t = as_peek(as);
	}
}

int as_int(struct as *as, const char *what, s64 lo, s64 hi, s64 *out)
{
	char buf[64], *end;
	u32 col;
	int ret;

	ret = number_text(as, what, buf, sizeof(buf), &col);
	if (ret)
		return ret;
	errno = 0;
	*out = strtoll(buf, &end, 0);
	if (*end || errno)
		return as_error(as, col, "expected %s, found '%s'", what, buf);
	if (*out < lo || *out > hi)
		return as_error(as, col, "%s %s is out of range (%lld to %lld)", what, buf,
				(long long)lo, (long long)hi);
	skip_rest(as, buf, col);
	return 0;
}

/*
 * A number that picasso reads with atoi(): decimal digits only, also after a zero. Beyond @lo and
 * @hi it is an error, or with @bits the low bits are used.
 */
int as_decimal(struct as *as, const char *what, s64 lo, s64 hi, u32 bits, s64 *out)
{
	char buf[64], *end;
	u32 col;
	int ret;

	ret = number_text(as, what, buf, sizeof(buf), &col);
	if (ret)
		return ret;
	errno = 0;
	*out = strtoll(buf, &end, 10);
	if (end == buf || errno)
		return as_error(as, col, "expected %s, found '%s'", what, buf);
	if (*end)
		as_warn(as, col, "'%s' is %lld, its decimal digits, as in picasso", buf,
			(long long)*out);
	else if (buf[buf[0] == '-'] == '0' && *out)
		as_warn(as, col, "'%s' is decimal here, not octal, as in picasso", buf);
	if (*out < lo || *out > hi) {
		if (!bits)
			return as_error(as, col, "%s %s is out of range (%lld to %lld)", what, buf,
					(long long)lo, (long long)hi);
		*out &= (1 << bits) - 1;
		as_warn(as, col, "%s has %u bits, %s is stored as %lld, as in picasso", what, bits,
			buf, (long long)*out);
	}
	skip_rest(as, buf, col);
	return 0;
}

int as_float(struct as *as, u32 *f32_bits)
{
	char buf[64], *end;
	float value;
	u32 col;
	int ret;

	ret = number_text(as, "a number", buf, sizeof(buf), &col);
	if (ret)
		return ret;
	value = (float)strtod_l(buf, &end, as->c_locale);
	if (*end == 'f' && !end[1])
		end++;
	if (*end || end == buf)
		return as_error(as, col, "expected a number, found '%s'", buf);
	memcpy(f32_bits, &value, sizeof(*f32_bits));
	skip_rest(as, buf, col);
	return 0;
}

/* Compare without regard to case; @lower is in lower case. */
bool as_str_is(struct as_str s, const char *lower)
{
	return strlen(lower) == s.len && !strncasecmp(s.s, lower, s.len);
}

bool as_str_eq(struct as_str a, struct as_str b)
{
	return a.len == b.len && !memcmp(a.s, b.s, a.len);
}
