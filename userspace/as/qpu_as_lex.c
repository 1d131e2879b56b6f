// SPDX-License-Identifier: MIT
/*
 * QPU assembler: characters, words, numbers, messages.
 */
#include <ctype.h>

#include "qpu_as.h"

static void message(struct qas *as, bool error, u32 col, const char *fmt, va_list ap)
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
	m->file = as->cur_line ? as->cur_line->file : 0;
	m->line = as->cur_line ? as->cur_line->num : 0;
	m->column = col;
	m->error = error;
	vsnprintf(m->text, sizeof(m->text), fmt, ap);
	/* Source text may be quoted: keep the message one printable line. */
	for (i = 0; m->text[i]; i++)
		if (!isprint((unsigned char)m->text[i]))
			m->text[i] = '?';
}

/* Report an error; only the first of a line is kept. Return: -EINVAL. */
int qas_error(struct qas *as, u32 col, const char *fmt, ...)
{
	va_list ap;

	if (as->quiet)
		return -EINVAL;
	va_start(ap, fmt);
	message(as, true, col, fmt, ap);
	va_end(ap);
	as->failed = true;
	return -EINVAL;
}

/* Each pass sees the same source: warn in the last one, which is not known; so first. */
void qas_warn(struct qas *as, u32 col, const char *fmt, ...)
{
	va_list ap;

	if (as->quiet || as->pass)
		return;
	va_start(ap, fmt);
	message(as, false, col, fmt, ap);
	va_end(ap);
}

/* Count work. Return: false if there has been too much of it. */
bool qas_step(struct qas *as)
{
	if (as->stop)
		return false;
	if (++as->steps <= QAS_MAX_STEPS)
		return true;
	as->quiet = false;
	qas_error(as, 0, "the source takes too long to assemble");
	as->stop = true;
	return false;
}

/* Column of the next character, from 1. */
u32 qas_col(const struct qas_cur *c)
{
	return (u32)(c->p - c->line->s) + 1;
}

/* Does a comment start here? */
static bool at_comment(const char *p, const char *end)
{
	return *p == '#' || (*p == '/' && p + 1 < end && p[1] == '/');
}

/* Read a line from its start; comments are cut off. */
void qas_line_cur(const struct qas_line *line, struct qas_cur *c)
{
	const char *p = line->s, *end = line->s + line->len;
	bool quoted = false;

	for (; p < end; p++) {
		if (*p == '"')
			quoted = !quoted;
		else if (!quoted && at_comment(p, end))
			break;
	}
	c->line = line;
	c->p = line->s;
	c->end = p;
}

/* Skip white space. */
void qas_space(struct qas_cur *c)
{
	while (c->p < c->end && isspace((unsigned char)*c->p))
		c->p++;
}

/* Return: only white space is left. */
bool qas_end(struct qas_cur *c)
{
	qas_space(c);
	return c->p == c->end;
}

/* Take a character if it is the next one. */
bool qas_char(struct qas_cur *c, char ch)
{
	qas_space(c);
	if (c->p == c->end || *c->p != ch)
		return false;
	c->p++;
	return true;
}

static bool is_word(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_';
}

/* Take a word: a letter, then letters and digits. */
bool qas_word(struct qas_cur *c, struct qas_str *w)
{
	qas_space(c);
	if (c->p == c->end || !is_word(*c->p) || isdigit((unsigned char)*c->p))
		return false;
	w->s = c->p;
	while (c->p < c->end && is_word(*c->p))
		c->p++;
	w->len = (u32)(c->p - w->s);
	return true;
}

/* Read ".suffix" directly after the last token; a suffix may begin with a digit. */
bool qas_suffix_word(struct qas_cur *c, struct qas_str *w)
{
	if (c->end - c->p < 2 || *c->p != '.' || !is_word(c->p[1]))
		return false;
	w->s = ++c->p;
	while (c->p < c->end && is_word(*c->p))
		c->p++;
	w->len = (u32)(c->p - w->s);
	return true;
}

bool qas_same(struct qas_str a, struct qas_str b)
{
	return a.len == b.len && !memcmp(a.s, b.s, a.len);
}

bool qas_eq(struct qas_str s, const char *text)
{
	size_t i;

	/* nearly all comparisons end with the first character */
	for (i = 0; i < s.len; i++)
		if (!text[i] || text[i] != s.s[i])
			return false;
	return !text[s.len];
}

/* Is the number that starts here a float? It has a point or, if not hexadecimal, an e. */
static bool is_float(const char *p, const char *end)
{
	if (end - p > 1 && *p == '0' && strchr("xXbB", p[1]))
		return false;
	while (p < end && isdigit((unsigned char)*p))
		p++;
	if (p < end && *p == '.')
		return p + 1 == end || !isalpha((unsigned char)p[1]) || p[1] == 'e';
	return p + 1 < end && (*p == 'e' || *p == 'E') &&
	       (isdigit((unsigned char)p[1]) || p[1] == '-' || p[1] == '+');
}

static int number_float(struct qas *as, struct qas_cur *c, struct qas_val *v)
{
	char text[64];
	char *end;
	size_t n = min_t(size_t, c->end - c->p, sizeof(text) - 1);

	memcpy(text, c->p, n);
	text[n] = 0;
	v->type = QAS_FLOAT;
	v->f = strtod(text, &end);
	if (end == text || end == text + sizeof(text) - 1)
		return qas_error(as, qas_col(c), "not a number");
	c->p += end - text;
	return 0;
}

static int digit(char ch, u32 base)
{
	int d = isdigit((unsigned char)ch) ? ch - '0' :
		isxdigit((unsigned char)ch) ? tolower((unsigned char)ch) - 'a' + 10 : -1;

	return d < (int)base ? d : -1;
}

/* Take a number: decimal, 0x, 0b, octal with a leading 0, or a float with a point. */
int qas_number(struct qas *as, struct qas_cur *c, struct qas_val *v)
{
	u32 base = 10, col;
	u64 value = 0;
	const char *p;

	qas_space(c);
	col = qas_col(c);
	memset(v, 0, sizeof(*v));
	if (is_float(c->p, c->end))
		return number_float(as, c, v);
	p = c->p;
	if (c->end - p > 2 && *p == '0' && strchr("xXbB", p[1])) {
		base = tolower((unsigned char)p[1]) == 'x' ? 16 : 2;
		p += 2;
	} else if (*p == '0') {
		base = 8;
	}
	for (; p < c->end && digit(*p, base) >= 0; p++) {
		if (value > (~0ULL - digit(*p, base)) / base)
			return qas_error(as, col, "number does not fit 64 bits");
		value = value * base + digit(*p, base);
	}
	if (p < c->end && is_word(*p))
		return qas_error(as, col, "not a number");
	v->type = QAS_INT;
	v->i = (s64)value;
	c->p = p;
	return 0;
}

/* Make room for one more element, up to @limit. */
int qas_room(struct qas *as, void **array, u32 n, u32 *max, size_t size, u32 limit)
{
	u32 room = *max ? 2 * *max : 64;
	void *bigger;

	if (n < *max)
		return 0;
	if (n >= limit)
		return -E2BIG;
	bigger = realloc(*array, room * size);
	if (!bigger) {
		as->nomem = true;
		as->stop = true;
		return -ENOMEM;
	}
	memset((char *)bigger + *max * size, 0, (room - *max) * size);
	*array = bigger;
	*max = room;
	return 0;
}

/* Take a comma. */
int qas_comma(struct qas *as, struct qas_cur *c)
{
	return qas_char(c, ',') ? 0 : qas_error(as, qas_col(c), "expected a comma");
}

/* Require the end of the line. */
int qas_done(struct qas *as, struct qas_cur *c)
{
	return qas_end(c) ? 0 : qas_error(as, qas_col(c), "unexpected text at the end");
}
