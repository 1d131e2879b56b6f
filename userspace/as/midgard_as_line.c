// SPDX-License-Identifier: MIT
/*
 * Midgard assembler: lines and bundles.
 */
#include <stdlib.h>

#include "midgard_as.h"

static void *grow(struct mas *as, void *array, u32 n, size_t size)
{
	void *more = array;

	/* Doubled whenever it is a power of two. */
	if (!(n & (n - 1)))
		more = realloc(array, (n ? 2 * n : 1) * size);
	as->nomem = as->nomem || !more;
	return more;
}

static struct mas_item *new_item(struct mas *as, u32 nwords)
{
	struct mas_item *more;

	if (as->nquads + nwords / 4 > MG_MAX_QUADS) {
		mas_error(as, as->line, "the program is too long");
		return NULL;
	}
	more = grow(as, as->items, as->nitems, sizeof(*more));
	if (!more)
		return NULL;
	as->items = more;
	more = &as->items[as->nitems++];
	memset(more, 0, sizeof(*more));
	more->nwords = nwords;
	more->next = -1;
	more->pos = as->nquads;
	more->line = as->nopen ? as->open[0].line : as->line;
	more->last = as->nopen ? as->open[as->nopen - 1].line : as->line;
	as->nquads += nwords / 4;
	return more;
}

static u32 hash(const char *name)
{
	u32 h = 2166136261U;

	while (*name)
		h = (h ^ (u8)*name++) * 16777619U;
	return (h ^ h >> 16) % MAS_BUCKETS;
}

const struct mas_label *mas_find_label(const struct mas *as, const char *name)
{
	u32 i;

	for (i = as->bucket[hash(name)]; i; i = as->labels[i - 1].next)
		if (!strcmp(as->labels[i - 1].name, name))
			return &as->labels[i - 1];
	return NULL;
}

static int add_label(struct mas *as, char *name)
{
	const struct mas_label *same = mas_find_label(as, name);
	struct mas_label *more;
	u32 h = hash(name);

	if (same)
		return mas_error(as, as->line, "label %.60s is in line %u too", name, same->line);
	if (as->nlabels == MG_MAX_QUADS)
		return mas_error(as, as->line, "too many labels");
	more = grow(as, as->labels, as->nlabels, sizeof(*more));
	if (!more)
		return -ENOMEM;
	as->labels = more;
	as->labels[as->nlabels++] = (struct mas_label){ name, as->nitems, as->line,
							as->bucket[h] };
	as->bucket[h] = as->nlabels;
	return 0;
}

/* ---- bundles ---- */

static int read_consts(struct mas *as, const struct mas_line *l)
{
	const char *p = l->text + strlen("uconstants");
	u32 i;
	u64 v;

	if (as->consts_given)
		return mas_error(as, l->line, "a bundle has one line of constants");
	for (i = 0; i < 4; i++) {
		if ((i && !mas_take(&p, ",")) || !mas_number(&p, 0xffffffff, &v))
			return mas_error(as, l->line, "uconstants takes four numbers");
		as->b.consts[i] = (u32)v;
	}
	as->b.has_consts = true;
	as->consts_given = true;
	return *p ? mas_error(as, l->line, "more than four constants") : 0;
}

static int read_next(struct mas *as, const struct mas_line *l, int *next)
{
	const char *name = l->text + 5 + strspn(l->text + 5, " \t");
	u32 i;

	for (i = 0; i < 16; i++)
		if (!strcmp(name, mg_tag_name(i)))
			*next = (int)i;
	return *next < 0 ? mas_error(as, l->line, "unknown tag %.60s", name) : 0;
}

/* Lines that are no operations. Return: 1 if it is one, or an error. */
static int read_frame(struct mas *as, const struct mas_line *l, int *next)
{
	if (!strncmp(l->text, "uconstants", 10))
		return read_consts(as, l) ? -EINVAL : 1;
	if (!strcmp(l->text, "writeout")) {
		as->b.tag = MG_TAG_ALUW;
		return 1;
	}
	if (!strcmp(l->text, "break")) {
		*next = MG_TAG_BREAK;
		return 1;
	}
	if (!strncmp(l->text, ".next ", 6))
		return read_next(as, l, next) ? -EINVAL : 1;
	return 0;
}

static int set_kind(struct mas *as, const struct mas_line *l, u32 kind, bool *any)
{
	if (*any && (as->b.kind != kind || kind == MG_KIND_TEX))
		return mas_error(as, l->line, "another kind of operation in the same bundle");
	as->b.kind = (u8)kind;
	*any = true;
	return 0;
}

static int read_op(struct mas *as, const struct mas_line *l, bool *any)
{
	int unit = mas_line_unit(l->text);

	if (unit >= 0)
		return set_kind(as, l, MG_KIND_ALU, any) ? -EINVAL :
		       mas_alu_line(as, l, (u32)unit);
	if (!strncmp(l->text, "br.", 3) || !strncmp(l->text, "br ", 3) ||
	    !strncmp(l->text, "brx", 3))
		return set_kind(as, l, MG_KIND_ALU, any) ? -EINVAL : mas_branch_line(as, l);
	if (mas_is_tex(l->text))
		return set_kind(as, l, MG_KIND_TEX, any) ? -EINVAL : mas_tex_line(as, l);
	return set_kind(as, l, MG_KIND_LDST, any) ? -EINVAL : mas_ldst_line(as, l);
}

static int finish_bundle(struct mas *as, int next)
{
	u32 words[4 * MG_BUNDLE_QUADS], line = as->open[0].line, size;
	struct mg_bundle *b = &as->b;
	struct mas_item *it;

	if (b->kind != MG_KIND_ALU && (b->has_consts || b->tag == MG_TAG_ALUW))
		return mas_error(as, line, "uconstants and writeout are for arithmetic");
	if (b->kind == MG_KIND_ALU && !b->tag)
		b->tag = MG_TAG_ALU;
	if (b->kind == MG_KIND_LDST && as->nldst == 1)
		mg_ldst_decode(MG_LDST_NOP, &b->ldst[1]);
	size = mg_bundle_encode(b, words);
	if (!size)
		return mas_error(as, line, "the bundle is larger than four quads");
	it = new_item(as, 4 * size);
	if (!it)
		return -EINVAL;
	memcpy(it->words, words, 16 * size);
	it->bundle = true;
	it->next = next;
	memcpy(it->ref, as->ref, sizeof(it->ref));
	return 0;
}

int mas_close(struct mas *as)
{
	bool any = false, frame[MAS_MAX_LINES];
	int next = -1, ret = 0;
	u32 i;

	if (!as->nopen)
		return 0;
	memset(&as->b, 0, sizeof(as->b));
	memset(as->ref, 0, sizeof(as->ref));
	as->nldst = 0;
	as->consts_given = false;
	as->taken = 0;
	/* Operations need the constants, which come last. */
	for (i = 0; i < as->nopen && ret >= 0; i++) {
		ret = read_frame(as, &as->open[i], &next);
		frame[i] = ret > 0;
	}
	for (i = 0; i < as->nopen && ret >= 0; i++)
		ret = frame[i] ? 0 : read_op(as, &as->open[i], &any);
	if (ret >= 0 && !any)
		ret = mas_error(as, as->open[0].line, "a bundle without operations");
	if (ret >= 0)
		ret = finish_bundle(as, next);
	as->nopen = 0;
	return ret;
}

/* ---- lines ---- */

static int data_line(struct mas *as, const char *p)
{
	bool quad = mas_take(&p, ".quad");
	struct mas_item *it;
	u32 words[4] = { }, i;
	u64 v = 0;

	if (!quad)
		mas_take(&p, ".zero");
	for (i = 0; i < (quad ? 4 : 1); i++) {
		if (!mas_number(&p, quad ? 0xffffffff : MG_MAX_QUADS, &v))
			return mas_error(as, as->line, quad ? ".quad takes four words" :
					 ".zero takes a number of quads");
		words[i] = (u32)v;
	}
	if (*p || (!quad && !v))
		return mas_error(as, as->line, quad ? ".quad takes four words" :
				 ".zero takes a number of quads");
	it = new_item(as, quad ? 4 : (u32)(4 * v));
	if (!it)
		return -EINVAL;
	if (quad)
		memcpy(it->words, words, sizeof(words));
	return 0;
}

static int bundle_line(struct mas *as, char *s)
{
	struct mas_line *l = &as->open[as->nopen];
	size_t n = strlen(s);

	if (as->nopen == MAS_MAX_LINES)
		return mas_error(as, as->line, "too many lines in a bundle");
	*l = (struct mas_line){ .text = s, .line = as->line };
	if (s[n - 1] == '}') {
		l->notes = strchr(s, '{');
		if (!l->notes)
			return mas_error(as, as->line, "a brace is missing");
		s[n - 1] = '\0';
		*l->notes++ = '\0';
		for (n = strlen(s); n && strchr(" \t", s[n - 1]); n--)
			s[n - 1] = '\0';
	}
	as->nopen++;
	return *s ? 0 : mas_error(as, as->line, "the operation is missing");
}

int mas_line(struct mas *as, char *s, bool only_comment)
{
	size_t n = strlen(s);
	int ret;

	if (!n && only_comment)
		return 0;
	if (!n)
		return mas_close(as);
	if (s[n - 1] == ':' && !strpbrk(s, " \t.,")) {
		ret = mas_close(as);
		s[n - 1] = '\0';
		return ret ? ret : add_label(as, s);
	}
	if (!strncmp(s, ".quad ", 6) || !strncmp(s, ".zero ", 6)) {
		ret = mas_close(as);
		return ret ? ret : data_line(as, s);
	}
	if (*s == '.' && strncmp(s, ".next ", 6) && strncmp(s, ".ldst ", 6))
		return mas_error(as, as->line, "unknown directive %.60s", s);
	return bundle_line(as, s);
}
