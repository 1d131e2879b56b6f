// SPDX-License-Identifier: MIT
/*
 * Utgard pixel assembler: lines, positions, the result.
 *
 * The language is that of the disassembler: one instruction per line, its fields separated
 * by commas; "@ N:" gives its position, "name:" is a label. The fields of control words and
 * branches that describe other instructions are filled in from the program.
 */
#include "utgard_pp_as.h"

/* Parts of the branch field, as bits of a mask. */
enum { BRANCH_TARGET = 1U << 7, BRANCH_NEXT = 1U << 8 };

static int add_item(struct pas *pas)
{
	struct pas_item *more;

	pas->item.pos = pas->pos;
	pas->item.line = pas->as.line;
	if (pas->pos + pas->item.n > UPP_MAX_WORDS)
		return pas_error(pas, "more than %u words", UPP_MAX_WORDS);
	if (!(pas->n & (pas->n - 1))) {
		more = realloc(pas->items, (pas->n ? 2 * pas->n : 1) * sizeof(*more));
		if (!more) {
			pas->as.nomem = true;
			return -ENOMEM;
		}
		pas->items = more;
	}
	pas->items[pas->n++] = pas->item;
	pas->pos += pas->item.n;
	pas->item.label = NULL;
	return 0;
}

static int read_data(struct pas *pas, const char *s)
{
	s64 word;

	if (!uas_number(s, 0, 0xffffffffLL, &word))
		return pas_error(pas, "not a word: %.40s", s);
	pas->item.words[0] = (u32)word;
	pas->item.n = 1;
	pas->item.data = true;
	return add_item(pas);
}

static int read_insn(struct pas *pas, char *s)
{
	struct upp_ctrl *ctrl = &pas->insn.ctrl, given;
	char *item;

	memset(&pas->insn, 0, sizeof(pas->insn));
	while ((item = strsep(&s, ",")))
		if (pas_field(pas, uas_trim(item)))
			return -EINVAL;
	/* The size follows from the fields, even if the control word was set explicitly. */
	given = *ctrl;
	if (pas->item.fixed & (1U << 0 | 1U << 3))
		return pas_error(pas, "count and fields follow from the instruction");
	upp_ctrl_follow(ctrl, given.fields, 0);
	if (pas->item.fixed >> 4 & 1)
		ctrl->next_count = given.next_count;
	if (pas->item.fixed >> 5 & 1)
		ctrl->prefetch = given.prefetch;
	pas->item.n = (u8)upp_encode(&pas->insn, pas->item.words);
	return add_item(pas);
}

static int check_place(struct pas *pas, char *s)
{
	s64 place;

	s = uas_trim(s);
	if (!uas_number(s, 0, UPP_MAX_WORDS, &place) || place != pas->pos)
		return pas_error(pas, "this is word %u", pas->pos);
	return 0;
}

static int read_line(struct uas *as, char *line)
{
	struct pas *pas = container_of(as, struct pas, as);
	char *colon;
	int ret;

	while ((colon = strchr(line, ':'))) {
		*colon = '\0';
		if (*line == '@')
			ret = check_place(pas, line + 1);
		else if (uas_is_name(line))
			ret = uas_add_label(as, line, pas->pos);
		else
			ret = pas_error(pas, "not a label: %.40s", line);
		if (ret)
			return ret;
		line = uas_trim(colon + 1);
	}
	if (!*line)
		return 0;
	memset(&pas->item, 0, sizeof(pas->item));
	ret = !strncmp(line, ".word ", 6) ? read_data(pas, uas_trim(line + 6)) :
					    read_insn(pas, line);
	free(pas->item.label);
	pas->item.label = NULL;
	return ret;
}

/* Words of the instruction that starts at a position, 0 if none does. */
static u32 count_at(const struct pas *pas, s64 pos)
{
	u32 low = 0, high = pas->n;

	while (low < high) {
		u32 middle = low + (high - low) / 2;
		const struct pas_item *item = &pas->items[middle];

		if (item->pos == pos)
			return item->data ? 0 : item->n;
		if (item->pos < pos)
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

static int set_target(struct pas *pas, struct pas_item *item, struct upp_branch *b)
{
	const struct uas_label *label;
	s64 way;

	if (item->label) {
		label = uas_find(&pas->as, item->label);
		if (!label)
			return uas_error(&pas->as, item->line, "no such label: %.60s",
					 item->label);
		item->target = label->place;
	}
	way = item->target - item->pos;
	if (way < -(1 << 26) || way >= 1 << 26)
		return uas_error(&pas->as, item->line, "the target is too far");
	if (!(item->fixed_branch & BRANCH_TARGET))
		b->target = (u32)way & 0x7ffffff;
	if (!(item->fixed_branch & BRANCH_NEXT))
		b->next_count = count_at(pas, item->pos + upp_target(b));
	return 0;
}

static u32 size(const struct uas *as)
{
	return container_of(as, const struct pas, as)->pos;
}

static int finish(struct uas *as, u32 *words)
{
	struct pas *pas = container_of(as, struct pas, as);
	struct upp_insn insn;
	u32 i;

	for (i = 0; i < pas->n; i++) {
		struct pas_item *item = &pas->items[i];

		if (item->data) {
			words[item->pos] = item->words[0];
			continue;
		}
		upp_decode(item->words, item->n, &insn);
		if (!(item->fixed >> 4 & 1))
			insn.ctrl.next_count = count_at(pas, item->pos + item->n);
		if (!(item->fixed >> 5 & 1))
			insn.ctrl.prefetch = !!count_at(pas, item->pos + item->n);
		if (item->branch && set_target(pas, item, &insn.part[UPP_BRANCH].branch))
			return -EINVAL;
		upp_encode(&insn, words + item->pos);
		if (vs_as_add_line(as->debug, item->pos, 0, item->line, item->line))
			return -ENOMEM;
	}
	return 0;
}

int vs_as_utgard_pp(const char *text, size_t len, uint32_t **words, uint32_t *nwords,
		    struct vs_as_debug *debug, struct vs_as_diag *diag)
{
	static const struct uas_language lang = { read_line, size, finish };
	struct pas *pas = calloc(1, sizeof(*pas));
	u32 i;
	int ret;

	memset(diag, 0, sizeof(*diag));
	*words = NULL;
	*nwords = 0;
	if (!pas)
		return -ENOMEM;
	pas->as.diag = diag;
	pas->as.debug = debug;
	ret = uas_assemble(&pas->as, &lang, text, len, words, nwords);
	for (i = 0; i < pas->n; i++)
		free(pas->items[i].label);
	free(pas->items);
	free(pas);
	return ret;
}
