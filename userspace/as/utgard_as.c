// SPDX-License-Identifier: MIT
/*
 * Utgard assemblers: messages, lines, numbers, labels.
 */
#include <ctype.h>

#include "utgard_as.h"

int uas_error(struct uas *as, u32 line, const char *fmt, ...)
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

bool uas_number(const char *s, s64 low, s64 high, s64 *value)
{
	const char *digits = s + (*s == '-');
	bool hex = digits[0] == '0' && (digits[1] | 32) == 'x';
	char *end;

	digits += hex ? 2 : 0;
	if (!(hex ? isxdigit((u8)*digits) : isdigit((u8)*digits)) || strlen(digits) > 16)
		return false;
	errno = 0;
	*value = strtoll(digits, &end, hex ? 16 : 10);
	if (*end || errno)
		return false;
	if (*s == '-')
		*value = -*value;
	return *value >= low && *value <= high;
}

bool uas_is_name(const char *s)
{
	if (!isalpha((u8)*s) && *s != '_')
		return false;
	while (isalnum((u8)*s) || *s == '_')
		s++;
	return !*s;
}

static u32 hash(const char *name)
{
	u32 h = 2166136261U;

	while (*name)
		h = (h ^ (u8)*name++) * 16777619U;
	return (h ^ h >> 16) % UAS_BUCKETS;
}

const struct uas_label *uas_find(const struct uas *as, const char *name)
{
	u32 i = as->bucket[hash(name)];

	for (; i; i = as->labels[i - 1].next)
		if (!strcmp(as->labels[i - 1].name, name))
			return &as->labels[i - 1];
	return NULL;
}

int uas_add_label(struct uas *as, const char *name, u32 place)
{
	struct uas_label *more;
	u32 h = hash(name);

	if (uas_find(as, name))
		return uas_error(as, as->line, "label %.60s exists already", name);
	if (!(as->nlabels & (as->nlabels - 1))) {
		more = realloc(as->labels, (as->nlabels ? 2 * as->nlabels : 1) * sizeof(*more));
		if (!more)
			goto nomem;
		as->labels = more;
	}
	more = &as->labels[as->nlabels];
	*more = (struct uas_label){ strdup(name), place, as->bucket[h] };
	if (!more->name)
		goto nomem;
	as->bucket[h] = ++as->nlabels;
	return 0;
nomem:
	as->nomem = true;
	return -ENOMEM;
}

static void free_labels(struct uas *as)
{
	u32 i;

	for (i = 0; i < as->nlabels; i++)
		free(as->labels[i].name);
	free(as->labels);
	as->labels = NULL;
	as->nlabels = 0;
}

char *uas_trim(char *s)
{
	size_t n;

	s += strspn(s, " \t\r");
	for (n = strlen(s); n && strchr(" \t\r", s[n - 1]); n--)
		s[n - 1] = '\0';
	return s;
}

u32 uas_mask(const char *s)
{
	u32 mask = 0, bit;
	const char *p;

	for (; *s; s++) {
		p = strchr("xyzw", *s);
		bit = p ? 1U << (p - "xyzw") : 0;
		if (!bit || mask >= bit)
			return 0;
		mask |= bit;
	}
	return mask;
}

int uas_component(char *s)
{
	size_t n = strlen(s);
	const char *p;

	if (n < 3 || s[n - 2] != '.')
		return -1;
	p = strchr("xyzw", s[n - 1]);
	if (!p)
		return -1;
	s[n - 2] = '\0';
	return (int)(p - "xyzw");
}

/* Replace comments by blanks: // or ; or # to the end of a line, and C comments. */
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
		} else if (*s == ';' || *s == '#' || (s[0] == '/' && s[1] == '/')) {
			rest = true;
			*s = ' ';
		}
	}
}

static int read_lines(struct uas *as, char *text, int (*fn)(struct uas *as, char *line))
{
	char *line;

	blank_comments(text);
	while ((line = strsep(&text, "\n"))) {
		as->line++;
		line = uas_trim(line);
		if (*line)
			fn(as, line);
		if (as->nomem)
			return -ENOMEM;
		/* Further errors would rarely be new. */
		if (as->diag->nerrors >= VS_AS_MAX_MESSAGES)
			break;
	}
	return as->diag->nerrors ? -EINVAL : 0;
}

static int give_labels(const struct uas *as)
{
	u32 i;
	int ret = 0;

	for (i = 0; i < as->nlabels && !ret; i++)
		ret = vs_as_add_label(as->debug, as->labels[i].name, strlen(as->labels[i].name),
				      as->labels[i].place);
	return ret;
}

static int assemble(struct uas *as, const struct uas_language *lang, char *text, u32 **words,
		    u32 *nwords)
{
	int ret = read_lines(as, text, lang->line);

	if (ret)
		return ret;
	*nwords = lang->size(as);
	if (!*nwords)
		return uas_error(as, 0, "there is no instruction");
	*words = calloc(*nwords, sizeof(**words));
	ret = *words ? lang->finish(as, *words) : -ENOMEM;
	return ret ? ret : give_labels(as);
}

int uas_assemble(struct uas *as, const struct uas_language *lang, const char *text, size_t len,
		 u32 **words, u32 *nwords)
{
	char *copy = malloc(len + 1);
	int ret = -ENOMEM;

	*words = NULL;
	*nwords = 0;
	if (copy && len && memchr(text, '\0', len)) {
		ret = uas_error(as, 0, "the source is not text");
	} else if (copy) {
		memcpy(copy, text, len);
		copy[len] = '\0';
		ret = assemble(as, lang, copy, words, nwords);
	}
	if (ret) {
		free(*words);
		*words = NULL;
		*nwords = 0;
	}
	free_labels(as);
	free(copy);
	return ret;
}
