// SPDX-License-Identifier: MIT
/*
 * Midgard assembler: reading text.
 */
#include <stdlib.h>

#include "midgard_as.h"

void mas_blanks(const char **p)
{
	*p += strspn(*p, " \t");
}

bool mas_take(const char **p, const char *text)
{
	size_t n = strlen(text);
	const char *q = *p;

	/* Modifiers follow at once. */
	if (*text != '.')
		mas_blanks(&q);
	if (strncmp(q, text, n))
		return false;
	*p = q + n;
	return true;
}

bool mas_number(const char **p, u64 limit, u64 *value)
{
	char *end;

	mas_blanks(p);
	if (**p < '0' || **p > '9')
		return false;
	errno = 0;
	*value = strtoull(*p, &end, 0);
	*p = end;
	return !errno && *value <= limit;
}

bool mas_signed(const char **p, s64 low, s64 high, s64 *value)
{
	bool negative;
	u64 v;

	mas_blanks(p);
	negative = **p == '-';
	*p += negative || **p == '+';
	if (!mas_number(p, 1ULL << 32, &v))
		return false;
	*value = negative ? -(s64)v : (s64)v;
	return *value >= low && *value <= high;
}

int mas_name(const char **p, const char *const *names, u32 n)
{
	size_t best = 0, len;
	int found = -1;
	u32 i;

	mas_blanks(p);
	for (i = 0; i < n; i++) {
		len = names[i] ? strlen(names[i]) : 0;
		if (!len || len <= best || strncmp(*p, names[i], len))
			continue;
		best = len;
		found = (int)i;
	}
	*p += best;
	return found;
}

int mas_letter(const char **p, u32 limit)
{
	static const char letters[] = "xyzwefghijklmnop";
	const char *at = **p ? strchr(letters, **p) : NULL;

	if (!at || at - letters >= limit)
		return -1;
	(*p)++;
	return (int)(at - letters);
}

bool mas_swizzle(const char **p, u32 mask, u32 *swizzle)
{
	int value;
	u32 i;

	*swizzle = 0;
	for (i = 0; i < 4; i++) {
		if (!(mask >> i & 1))
			continue;
		value = mas_letter(p, 4);
		if (value < 0)
			return false;
		*swizzle |= (u32)value << (2 * i);
	}
	return true;
}

u32 mas_split(char *text, char **part, u32 max)
{
	int depth = 0;
	u32 n = 0;
	size_t len;
	char *p;

	if (!*text)
		return 0;
	part[n++] = text;
	for (p = text; *p; p++) {
		depth += *p == '<' || *p == '[';
		depth -= *p == '>' || *p == ']';
		/* "<<" is a shift. */
		if (p[0] == '<' && p[1] == '<') {
			depth--;
			p++;
		} else if (*p == ',' && depth <= 0 && n < max) {
			*p = '\0';
			part[n++] = p + 1;
		}
	}
	for (max = 0; max < n; max++) {
		part[max] += strspn(part[max], " \t");
		len = strlen(part[max]);
		while (len && strchr(" \t", part[max][len - 1]))
			part[max][--len] = '\0';
	}
	return n;
}

char *mas_part(char **text)
{
	char *part = *text;

	if (!part)
		return NULL;
	*text = strchr(part, '.');
	if (*text)
		*(*text)++ = '\0';
	return part;
}

const char *mas_get_note(const char *notes, const char *name)
{
	size_t n = strlen(name);

	while (notes && *notes) {
		notes += strspn(notes, " \t,");
		if (!strncmp(notes, name, n)) {
			if (notes[n] == '=')
				return notes + n + 1;
			if (!notes[n] || strchr(" \t,", notes[n]))
				return notes + n;
		}
		notes += strcspn(notes, " \t,");
	}
	return NULL;
}

bool mas_note_number(const char *notes, const char *name, u64 limit, u64 *value)
{
	const char *p = mas_get_note(notes, name);

	return p && mas_number(&p, limit, value);
}
