// SPDX-License-Identifier: MIT
/*
 * A whole PICA200 program as text that assembles to the same words.
 */
#include "pica_disasm.h"

/* A label for each address that some instruction names. */
static void find_labels(const struct pica_program *prog, u64 *labels)
{
	struct pica_insn insn;
	u32 i, target;

	for (i = 0; i < prog->ncode; i++) {
		pica_decode(prog->code[i], &insn);
		if (!pica_is_defined(&insn) || insn.odd)
			continue;
		if (!(insn.info->flags & (PICA_OPF_CALL | PICA_OPF_IF | PICA_OPF_LOOP |
					  PICA_OPF_JUMP)))
			continue;
		target = insn.f[PICA_F_TARGET];
		if (target <= prog->ncode)
			labels[target / 64] |= 1ULL << (target % 64);
	}
}

static void list_label(struct pica_text *t, const u64 *labels, u32 addr)
{
	if (!((labels[addr / 64] >> (addr % 64)) & 1))
		return;
	pica_text_char(t, 'L');
	pica_text_hex(t, addr, 3);
	pica_text_str(t, ":\n");
}

static void list_head(struct pica_text *t, const struct pica_program *prog)
{
	u32 i;

	pica_text_str(t, "; PICA200 ");
	pica_text_str(t, prog->stage == VS_STAGE_GEOMETRY ? "geometry" : "vertex");
	pica_text_str(t, " program, ");
	pica_text_dec(t, prog->ncode);
	pica_text_str(t, " words, ");
	pica_text_dec(t, prog->nopdesc);
	pica_text_str(t, " operand descriptors\n");
	if (prog->stage == VS_STAGE_GEOMETRY)
		pica_text_str(t, ".gsh\n");
	for (i = 0; i < prog->nentries; i++) {
		pica_text_str(t, ".entry 0x");
		pica_text_hex(t, prog->entries[i], 3);
		pica_text_char(t, '\n');
	}
	for (i = 0; i < prog->nopdesc; i++) {
		pica_text_str(t, ".opdesc ");
		pica_text_dec(t, i);
		pica_text_str(t, ", 0x");
		pica_text_hex(t, prog->opdesc[i], 8);
		pica_text_char(t, '\n');
	}
}

/*
 * Can the instruction be written as such? SETEMIT would make the assembler take a
 * vertex program for a geometry program.
 */
static bool has_notation(const struct pica_program *prog, const struct pica_insn *insn)
{
	return pica_is_defined(insn) && !insn->odd &&
	       (insn->op != PICA_OP_SETEMIT || prog->stage == VS_STAGE_GEOMETRY);
}

static void list_word(struct pica_text *t, const struct pica_program *prog, u32 addr)
{
	u32 word = prog->code[addr];
	char text[PICA_MAX_TEXT];
	struct pica_insn insn;
	bool defined;

	pica_decode(word, &insn);
	defined = pica_is_defined(&insn);
	pica_disasm_insn(prog, word, PICA_DIS_LABELS, text, sizeof(text));
	pica_text_char(t, '\t');
	if (!has_notation(prog, &insn)) {
		pica_text_str(t, ".word 0x");
		pica_text_hex(t, word, 8);
	} else {
		pica_text_str(t, text);
	}
	pica_text_str(t, "\t; ");
	pica_text_hex(t, addr, 3);
	if (!defined) {
		pica_text_str(t, ": undefined");
	} else if (!has_notation(prog, &insn)) {
		pica_text_str(t, ": ");
		pica_text_str(t, text);
		pica_text_str(t, ", ignored bits 0x");
		pica_text_hex(t, insn.odd, 8);
	}
	pica_text_char(t, '\n');
}

/**
 * pica_listing() - text of a program
 * @prog: program; it need not be valid
 * @buf: output buffer
 * @size: room, terminating zero included
 *
 * Assembling the text reproduces any code and descriptor words, the
 * same stage, and the same entry points if they lie in the code. Words whose ignored
 * bits are set, and undefined words, are written as numbers.
 *
 * Return: length of the whole text, even if truncated, -E2BIG if the program
 * exceeds PICA_MAX_CODE or PICA_MAX_OPDESC.
 */
int pica_listing(const struct pica_program *prog, char *buf, size_t size)
{
	u64 labels[PICA_MAX_CODE / 64 + 1] = { 0 };
	struct pica_text t;
	u32 i;

	if (prog->ncode > PICA_MAX_CODE || prog->nopdesc > PICA_MAX_OPDESC)
		return -E2BIG;
	pica_text_init(&t, buf, size);
	find_labels(prog, labels);
	list_head(&t, prog);
	for (i = 0; i < prog->ncode; i++) {
		list_label(&t, labels, i);
		list_word(&t, prog, i);
	}
	list_label(&t, labels, prog->ncode);
	return (int)t.len;
}
