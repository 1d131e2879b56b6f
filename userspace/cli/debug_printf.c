// SPDX-License-Identifier: MIT
/*
 * Formatted output.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

#define MAX_STRING	4096u	/* characters of a string in memory */
#define MAX_FLAGS	16

/**
 * struct args - arguments of a format
 * @d: debugger
 * @rest: text of those that follow, each after a comma
 * @v: the current one
 * @next: next component of @v: a vector is as many arguments as it has components
 */
struct args {
	struct dbg *d;
	const char *rest;
	struct dbg_value v;
	unsigned int next;
};

static int wrong_number(struct dbg *d)
{
	return dbg_error(d, "Wrong number of arguments for specified format-string.");
}

static int octal(const char **p)
{
	int n = 0, digits;

	for (digits = 0; digits < 3 && **p >= '0' && **p <= '7'; digits++)
		n = 8 * n + *(*p)++ - '0';
	return n;
}

/* A string in quotes at *@text, to be freed; *@text moves past it. NULL with a message. */
static char *quoted(struct dbg *d, const char **text)
{
	static const char letters[] = "ntaerbfv", codes[] = "\n\t\a\033\r\b\f\v";
	const char *p = *text, *at;
	char *out = strdup(p), *o = out;

	if (!out)
		dbg_error(d, "out of memory");
	if (!out)
		return NULL;
	for (p++; *p && *p != '"';) {
		if (*p != '\\' || !p[1]) {
			*o++ = *p++;
			continue;
		}
		p++;
		at = strchr(letters, *p);
		if (*p >= '0' && *p <= '7') {
			*o++ = (char)octal(&p);
			continue;
		}
		*o++ = at ? codes[at - letters] : *p;
		p++;
	}
	if (*p != '"') {
		free(out);
		dbg_error(d, "Bad format string, non-terminated '\"'");
		return NULL;
	}
	*o = 0;
	*text = p + 1 + strspn(p + 1, " \t");
	return out;
}

static int next_argument(struct args *a)
{
	if (*a->rest != ',')
		return wrong_number(a->d);
	a->rest += 1 + strspn(a->rest + 1, " \t");
	a->next = 0;
	return dbg_eval_part(a->d, a->rest, &a->rest, &a->v);
}

/* One component. */
static int take(struct args *a, struct dbg_value *out)
{
	int ret = a->next < a->v.num ? 0 : next_argument(a);

	if (ret)
		return ret;
	*out = a->v;
	out->v[0] = a->v.v[a->next++];
	out->num = 1;
	out->vector = false;
	return 0;
}

static int put_memory(struct args *a, FILE *f, const char *spec)
{
	char text[MAX_STRING + 1];
	struct dbg_value v;
	uint64_t va;
	size_t n;
	int ret = take(a, &v);

	if (ret)
		return ret;
	va = v.place == DBG_MEMORY ? v.va : (uint64_t)dbg_to_int(&v, 0);
	for (n = 0; n < MAX_STRING && !ret; n++) {
		ret = dbg_read_mem(a->d, va + n, &text[n], 1);
		if (!ret && !text[n])
			break;
	}
	text[n] = 0;
	if (!ret)
		fprintf(f, spec, text);
	return ret;
}

static int put_string(struct args *a, FILE *f, const char *spec)
{
	const char *p = a->rest + 1 + (*a->rest ? strspn(a->rest + 1, " \t") : 0);
	char *text;

	if (a->next < a->v.num || *a->rest != ',' || *p != '"')
		return put_memory(a, f, spec);
	text = quoted(a->d, &p);
	if (!text)
		return -EINVAL;
	a->rest = p;
	fprintf(f, spec, text);
	free(text);
	return 0;
}

/* @flags: with width and precision; @wide: "l" or so */
static int put(struct args *a, FILE *f, const char *flags, bool wide, char letter)
{
	char spec[MAX_FLAGS + 8];
	struct dbg_value v;
	int64_t n;
	int ret;

	if (letter == 's') {
		snprintf(spec, sizeof(spec), "%%%ss", flags);
		return put_string(a, f, spec);
	}
	if (!letter)
		return dbg_error(a->d, "Incomplete format specifier at end of format string");
	if (!strchr("diuoxXcpaAeEfFgG", letter))
		return dbg_error(a->d, "Unrecognized format specifier '%c' in printf", letter);
	ret = take(a, &v);
	if (ret)
		return ret;
	if (strchr("aAeEfFgG", letter)) {
		snprintf(spec, sizeof(spec), "%%%s%c", flags, letter);
		fprintf(f, spec, dbg_to_double(&v, 0));
		return 0;
	}
	n = dbg_to_int(&v, 0);
	if (letter == 'c') {
		snprintf(spec, sizeof(spec), "%%%sc", flags);
		fprintf(f, spec, (int)n);
		return 0;
	}
	if (letter == 'p') {
		fprintf(f, "0x%llx", (unsigned long long)n);
		return 0;
	}
	/* an int has 32 bits, as in C */
	if (!wide)
		n = letter == 'd' || letter == 'i' ? (int64_t)(int32_t)n : (int64_t)(uint32_t)n;
	snprintf(spec, sizeof(spec), "%%%sll%c", flags, letter);
	fprintf(f, spec, (long long)n);
	return 0;
}

static bool is_flags(const char *p, size_t len)
{
	size_t n = strspn(p, "-+ 0#"), digits;

	digits = strspn(p + n, "0123456789");
	n += digits;
	if (digits > 3)
		return false;
	if (p[n] == '.') {
		digits = strspn(p + n + 1, "0123456789");
		n += 1 + digits;
	}
	return n == len && digits <= 3;
}

static int format(struct args *a, FILE *f, const char *p)
{
	char flags[MAX_FLAGS];
	size_t len, size;
	int ret = 0;

	for (; *p && !ret; p++) {
		if (*p != '%' || p[1] == '%') {
			p += *p == '%';
			fputc(*p, f);
			continue;
		}
		len = strspn(p + 1, "-+ 0#123456789.");
		size = strspn(p + 1 + len, "hlLqjzt");
		if (len >= sizeof(flags) || !is_flags(p + 1, len))
			return dbg_error(a->d, "Bad format string: \"%.20s\"", p);
		snprintf(flags, sizeof(flags), "%.*s", (int)len, p + 1);
		ret = put(a, f, flags, size && p[1 + len] != 'h', p[1 + len + size]);
		p += len + size + 1;
	}
	return ret;
}

static int cmd_printf(struct dbg *d, const char *args)
{
	struct args a = { .d = d };
	char *fmt, *out = NULL;
	size_t size;
	FILE *f;
	int ret;

	if (*args != '"')
		return dbg_error(d, *args ? "Bad format string" :
				 "Argument required (format-control string and values to print).");
	fmt = quoted(d, &args);
	if (!fmt)
		return -EINVAL;
	a.rest = args;
	f = open_memstream(&out, &size);
	ret = f ? format(&a, f, fmt) : dbg_error(d, "out of memory");
	if (f)
		fclose(f);
	if (!ret && (*a.rest || a.next < a.v.num))
		ret = wrong_number(d);
	if (!ret)
		dbg_printf(d, "%s", out);
	free(out);
	free(fmt);
	return ret;
}

/* An expression in braces at @p, which moves past it. */
static void put_braces(struct dbg *d, const char **p)
{
	size_t len = strcspn(*p + 1, "}");
	char *expr = strndup(*p + 1, len), text[DBG_MAX_COMPONENTS * 72];
	struct dbg_value v;

	if (!expr || dbg_eval(d, expr, &v))
		dbg_printf(d, "<error: %s>", expr ? d->err : "out of memory");
	else
		dbg_printf(d, "%s", dbg_text(&v, 0, text, sizeof(text)));
	free(expr);
	*p += len + 1 + !!(*p)[len + 1];
}

/* Where a message of an editor is printed an error must not stop the job. */
static int cmd_log(struct dbg *d, const char *args)
{
	size_t n;

	while (*args) {
		n = strcspn(args, "{");
		if (n)
			dbg_printf(d, "%.*s", (int)n, args);
		args += n;
		if (*args)
			put_braces(d, &args);
	}
	dbg_printf(d, "\n");
	return 0;
}

const struct dbg_cmd dbg_cmds_printf[] = {
	{ "printf", "\"FORMAT\"[, EXPRESSION...]",
	  "Formatted output with C's conversions: d i u o x X c s p a e f g. %s is for a string in\n"
	  "quotes or at an address; a vector is as many arguments as it has components.",
	  cmd_printf },
	{ "log", "TEXT",
	  "Print a line with the values of the expressions that are in braces. Errors are printed in\n"
	  "their place.", cmd_log },
	{ }
};
