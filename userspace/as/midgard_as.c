// SPDX-License-Identifier: MIT
/*
 * Midgard assembler: the order of work, and the result.
 *
 * The language is that of the disassembler: one operation per line, an empty line after each
 * bundle. Without explicit constants, a bundle's constants are allocated by value.
 */
#include <stdlib.h>

#include "midgard_as.h"

int mas_error(struct mas *as, u32 line, const char *fmt, ...)
{
	struct vs_as_diag *diag = as->diag;
	struct vs_as_message *m = &diag->messages[diag->nmessages];
	va_list ap;

	diag->nerrors++;
	if (diag->nmessages == VS_AS_MAX_MESSAGES)
		return -EINVAL;
	diag->nmessages++;
	*m = (struct vs_as_message){ .line = line, .error = 1 };
	va_start(ap, fmt);
	vsnprintf(m->text, sizeof(m->text), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/*
 * Cut comments off a line: // and C comments, and lines that begin with a number sign.
 * Return: whether there were any.
 */
static bool strip_comments(char *s, bool *block)
{
	bool any = *block;
	char *out = s;

	if (s[strspn(s, " \t")] == '#' && !*block) {
		*s = '\0';
		return true;
	}
	while (*s && (*block || strncmp(s, "//", 2))) {
		if (*block) {
			*block = strncmp(s, "*/", 2);
			s += *block ? 1 : 2;
		} else if (!strncmp(s, "/*", 2)) {
			*block = true;
			any = true;
			s += 2;
		} else {
			*out++ = *s++;
		}
	}
	any = any || *s;
	*out = '\0';
	return any;
}

static int read_lines(struct mas *as, char *text)
{
	bool block = false, comment;
	char *line;
	size_t n;

	while ((line = strsep(&text, "\n"))) {
		as->line++;
		comment = strip_comments(line, &block);
		line += strspn(line, " \t\r");
		for (n = strlen(line); n && strchr(" \t\r", line[n - 1]); n--)
			line[n - 1] = '\0';
		mas_line(as, line, comment);
		if (as->nomem)
			return -ENOMEM;
		/* Further errors would rarely be new. */
		if (as->diag->nerrors >= VS_AS_MAX_MESSAGES)
			return -EINVAL;
	}
	mas_close(as);
	if (as->nomem)
		return -ENOMEM;
	return as->diag->nerrors ? -EINVAL : 0;
}

static int resolve(struct mas *as, struct mas_item *it, u32 i)
{
	const struct mas_label *label = mas_find_label(as, it->ref[i].label);
	struct mg_branch *br = &as->b.branch[i];
	u32 pos, tag = MG_TAG_BREAK;
	s64 offset, limit = br->extended ? 1 << 22 : 64;

	if (!label)
		return mas_error(as, it->ref[i].line, "unknown label %.60s", it->ref[i].label);
	pos = label->item < as->nitems ? as->items[label->item].pos : as->nquads;
	if (label->item < as->nitems)
		tag = as->items[label->item].words[0] & 15;
	offset = (s64)pos - (it->pos + it->nwords / 4);
	/* The end of the program is no branch target, but the tag can end the program. */
	if (offset < -limit || offset >= limit)
		return mas_error(as, it->ref[i].line, "label %.60s is too far away",
				 it->ref[i].label);
	br->offset = (s32)offset;
	if (!it->ref[i].tag_given)
		br->dest_tag = tag ? (u8)tag : MG_TAG_BREAK;
	mg_branch_encode(br);
	return 0;
}

static int finish_item(struct mas *as, struct mas_item *it, u32 *out)
{
	u32 i;
	int ret = 0;

	if (!it->bundle)
		return 0;
	mg_bundle_decode(it->words, it->nwords / 4, &as->b, NULL);
	for (i = 0; i < 2 && !ret; i++)
		ret = it->ref[i].label ? resolve(as, it, i) : 0;
	as->b.next = it->next < 0 ? (u8)mg_default_next(out, as->nquads,
							 it->pos + it->nwords / 4) :
				    (u8)it->next;
	mg_bundle_encode(&as->b, it->words);
	memcpy(out + 4 * it->pos, it->words, 4 * it->nwords);
	return ret;
}

static int finish(struct mas *as, u32 **words, u32 *nwords)
{
	u32 i, *out;

	if (!as->nitems)
		return mas_error(as, 0, "no bundles");
	out = calloc(4 * as->nquads, sizeof(*out));
	if (!out)
		return -ENOMEM;
	/* A bundle announces its successor's tag: copy all bundles first. */
	for (i = 0; i < as->nitems; i++)
		memcpy(out + 4 * as->items[i].pos, as->items[i].words,
		       4 * min_t(u32, as->items[i].nwords, ARRAY_SIZE(as->items[i].words)));
	for (i = 0; i < as->nitems; i++)
		finish_item(as, &as->items[i], out);
	if (as->diag->nerrors) {
		free(out);
		return -EINVAL;
	}
	*words = out;
	*nwords = 4 * as->nquads;
	return 0;
}

static int give_debug(const struct mas *as, struct vs_as_debug *debug)
{
	const struct mas_item *it;
	u32 i, place;
	int ret = 0;

	for (i = 0; i < as->nitems && !ret; i++) {
		it = &as->items[i];
		if (it->bundle)
			ret = vs_as_add_line(debug, it->pos, 0, it->line, it->last);
	}
	for (i = 0; i < as->nlabels && !ret; i++) {
		place = as->labels[i].item;
		ret = vs_as_add_label(debug, as->labels[i].name, strlen(as->labels[i].name),
				      place < as->nitems ? as->items[place].pos : as->nquads);
	}
	return ret;
}

int vs_as_midgard(const char *text, size_t len, uint32_t **words, uint32_t *nwords,
		  struct vs_as_debug *debug, struct vs_as_diag *diag)
{
	struct mas *as = calloc(1, sizeof(*as));
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
		free(as->items);
		free(as->labels);
	}
	free(as);
	free(copy);
	return ret;
}
