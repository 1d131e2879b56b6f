// SPDX-License-Identifier: MIT
/*
 * Utgard vertex assembler: instructions, labels, the result.
 *
 * The language is that of the disassembler: "N:" or ":" begins an instruction, its
 * operations follow, one per line; "name:" is a label of the next instruction.
 */
#include "utgard_gp_as.h"

static int begin(struct gas *gas, const char *number)
{
	struct gas_insn *g;
	s64 place;

	if (*number && (!uas_number(number, 0, UGP_MAX_INSNS, &place) || place != gas->n))
		return uas_error(&gas->as, gas->as.line, "this is instruction %u", gas->n);
	if (gas->n == UGP_MAX_INSNS)
		return uas_error(&gas->as, gas->as.line, "more than %u instructions",
				 UGP_MAX_INSNS);
	g = &gas->insns[gas->n++];
	ugp_idle(&g->insn);
	g->line = gas->as.line;
	g->last = g->line;
	return 0;
}

/* Text before a colon: a position or a label. */
static int read_mark(struct gas *gas, const char *mark)
{
	return uas_is_name(mark) ? uas_add_label(&gas->as, mark, gas->n) : begin(gas, mark);
}

static int read_line(struct uas *as, char *line)
{
	struct gas *gas = container_of(as, struct gas, as);
	size_t n;

	while (line[n = strcspn(line, ": \t")] == ':') {
		line[n] = '\0';
		if (read_mark(gas, line))
			return -EINVAL;
		line = uas_trim(line + n + 1);
	}
	if (!*line)
		return 0;
	if (!gas->n)
		return uas_error(as, as->line, "an instruction begins with \"N:\" or \":\"");
	gas->insns[gas->n - 1].last = as->line;
	return gas_op(gas, line);
}

static u32 size(const struct uas *as)
{
	return UGP_WORDS * container_of(as, const struct gas, as)->n;
}

static int finish(struct uas *as, u32 *words)
{
	struct gas *gas = container_of(as, struct gas, as);
	const struct uas_label *label;
	u32 i;

	for (i = 0; i < gas->n; i++) {
		struct gas_insn *g = &gas->insns[i];

		if (g->target) {
			label = uas_find(as, g->target);
			if (!label)
				return uas_error(as, g->line, "no such label: %.60s", g->target);
			if (label->place >= UGP_MAX_INSNS)
				return uas_error(as, g->line, "label %.60s is too far", g->target);
			gas_set(g, UGP_F_branch_target, label->place & 0xff);
			gas_set(g, UGP_F_branch_target_low, label->place < 0x100);
		}
		gas_set(g, UGP_F_unknown_1, ugp_mode(&g->insn));
		ugp_encode(&g->insn, words + UGP_WORDS * i);
		if (vs_as_add_line(as->debug, i, 0, g->line, g->last))
			return -ENOMEM;
	}
	return 0;
}

int vs_as_utgard_gp(const char *text, size_t len, uint32_t **words, uint32_t *nwords,
		    struct vs_as_debug *debug, struct vs_as_diag *diag)
{
	static const struct uas_language lang = { read_line, size, finish };
	struct gas *gas = calloc(1, sizeof(*gas));
	u32 i;
	int ret;

	memset(diag, 0, sizeof(*diag));
	*words = NULL;
	*nwords = 0;
	if (!gas)
		return -ENOMEM;
	gas->as.diag = diag;
	gas->as.debug = debug;
	ret = uas_assemble(&gas->as, &lang, text, len, words, nwords);
	for (i = 0; i < gas->n; i++)
		free(gas->insns[i].target);
	free(gas);
	return ret;
}
