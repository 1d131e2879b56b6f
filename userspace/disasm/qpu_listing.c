// SPDX-License-Identifier: MIT
/*
 * A whole QPU program as text that assembles to the same words.
 */
#include "qpu_disasm.h"

/**
 * struct listing - text being written, snprintf-like
 * @buf: output buffer
 * @size: room
 * @len: length of the whole text
 */
struct listing {
	char *buf;
	size_t size;
	size_t len;
};

static void __printf(2, 3) put(struct listing *l, const char *fmt, ...)
{
	bool fits = l->buf && l->len < l->size;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(fits ? l->buf + l->len : NULL, fits ? l->size - l->len : 0, fmt, ap);
	va_end(ap);
	if (n > 0)
		l->len += n;
}

/* Instruction that the branch at @pc leads to, if it can be a label; else -1. */
static s64 label_of(const struct qpu_program *p, u32 pc)
{
	struct qpu_insn insn;
	s64 byte;
	u8 lo, hi;

	qpu_decode(qpu_word(p, pc), &insn);
	if (insn.sig != QPU_SIG_BRANCH || qpu_check(&insn, &lo, &hi) ||
	    !qpu_target(&insn, pc, &byte))
		return -1;
	return byte < 0 || byte & 7 || byte / 8 > p->ninsns ? -1 : byte / 8;
}

static void find_labels(const struct qpu_program *p, u64 *labels)
{
	s64 to;
	u32 pc;

	for (pc = 0; pc < p->ninsns; pc++) {
		to = label_of(p, pc);
		if (to >= 0)
			labels[to / 64] |= 1ULL << (to % 64);
	}
}

static void list_head(struct listing *l, const struct qpu_program *p)
{
	u32 i;

	put(l, "# VideoCore IV QPU, %u instructions\n", p->ninsns);
	if (p->stage == VS_STAGE_FRAGMENT)
		put(l, ".stage fragment\n");
	if (p->nentries == 1 && !p->entries[0])
		return;
	for (i = 0; i < p->nentries; i++)
		put(l, ".entry 0x%x\n", p->entries[i]);
}

static void list_label(struct listing *l, const u64 *labels, u32 pc)
{
	if (labels[pc / 64] >> (pc % 64) & 1)
		put(l, ":L%03x\n", pc);
}

static void list_insn(struct listing *l, const struct qpu_program *p, u32 pc)
{
	u64 word = qpu_word(p, pc);
	char text[QPU_MAX_TEXT];

	if (qpu_disasm_label(word, label_of(p, pc), text, sizeof(text)) < 0)
		put(l, "\t.long 0x%016llx", (unsigned long long)word);
	else
		put(l, "\t%s", text);
	put(l, "\t# %03x\n", pc);
}

/**
 * qpu_listing() - text of a program
 * @src: program; it need not be valid
 * @buf: output buffer, or NULL
 * @size: room, terminating zero included
 *
 * Assembling the text reproduces the words, stage and entry points. Undefined words are
 * numbers.
 *
 * Return: length of the whole text, even if truncated; -E2BIG if the program exceeds
 * QPU_MAX_WORDS, -ENOMEM.
 */
int qpu_listing(const struct vs_src *src, char *buf, size_t size)
{
	struct listing l = { .buf = buf, .size = size };
	struct qpu_program p;
	u64 *labels;
	u32 pc;

	qpu_program_init(&p, src);
	if (p.ninsns > QPU_MAX_WORDS)
		return -E2BIG;
	labels = vs_zalloc_array(p.ninsns / 64 + 1, sizeof(*labels));
	if (!labels)
		return -ENOMEM;
	find_labels(&p, labels);
	list_head(&l, &p);
	for (pc = 0; pc < p.ninsns; pc++) {
		list_label(&l, labels, pc);
		list_insn(&l, &p, pc);
	}
	list_label(&l, labels, p.ninsns);
	vs_free(labels);
	return (int)l.len;
}
