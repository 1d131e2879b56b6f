// SPDX-License-Identifier: MIT
/*
 * Utgard: instructions of both processors from their fields.
 */
#include "utgard_encode.h"

void ugp_idle(struct ugp_insn *insn)
{
	u32 i;

	for (i = 0; i < UGP_NUM_FIELDS; i++)
		ugp_set(insn, (enum ugp_field)i, ugp_field((enum ugp_field)i)->idle);
}

/* The bits must be 0 before; bits past @end are dropped. */
static void put_bits(u32 *words, u32 end, u32 pos, u32 width, u32 value)
{
	u64 two = (value & ((1ULL << width) - 1)) << (pos % 32);

	words[pos / 32] |= (u32)two;
	if (pos / 32 + 1 < end)
		words[pos / 32 + 1] |= (u32)(two >> 32);
}

void ugp_encode(const struct ugp_insn *insn, u32 words[UGP_WORDS])
{
	u32 i;

	memset(words, 0, UGP_WORDS * sizeof(*words));
	for (i = 0; i < UGP_NUM_FIELDS; i++) {
		const struct ugp_field_info *f = ugp_field((enum ugp_field)i);

		put_bits(words, UGP_WORDS, f->pos, f->width, ugp_get(insn, (enum ugp_field)i));
	}
}

void upp_defaults(enum upp_form form, union upp_part *part)
{
	const struct upp_form_info *f = upp_form(form);
	u32 i;

	memset(part, 0, sizeof(*part));
	for (i = 0; i < f->n; i++)
		part->v[i] = f->parts[i].def;
}

static void put_form(u32 *words, u32 end, u32 pos, enum upp_form form, const u32 *v)
{
	const struct upp_form_info *f = upp_form(form);
	u32 i;

	for (i = 0; i < f->n; i++)
		put_bits(words, end, pos + f->parts[i].pos, f->parts[i].width, v[i]);
}

u32 upp_encode(const struct upp_insn *insn, u32 *words)
{
	u32 count = upp_size(insn->ctrl.fields), pos = 32, i;

	memset(words, 0, count * sizeof(*words));
	put_form(words, 1, 0, UPP_FORM_CTRL, (const u32 *)&insn->ctrl);
	for (i = 0; i < UPP_NUM_FIELDS; i++) {
		if (!upp_has(insn, (enum upp_field)i))
			continue;
		put_form(words, count, pos, (enum upp_form)insn->form[i], insn->part[i].v);
		pos += upp_field_bits((enum upp_field)i);
	}
	if (pos < 32 * count)
		put_bits(words, count, pos, 32 * count - pos, insn->padding);
	return count;
}
