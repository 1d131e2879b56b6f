// SPDX-License-Identifier: MIT
/*
 * PICA200 instructions as text in picasso's syntax.
 *
 * Encodings without a picasso notation use extensions that our assembler reads back: flow
 * targets as numbers or labels with an explicit count of words, "@n" for the number of an
 * operand descriptor where the operands alone would choose another one, ".none" for an
 * empty write mask.
 */
#include "pica_disasm.h"

static const char comp_names[] = "xyzw";
static const char * const idx_names[] = { "", "a0.x", "a0.y", "aL" };
static const char * const cmp_names[] = { "eq", "ne", "lt", "le", "gt", "ge", "6", "7" };

/**
 * pica_text_init() - start a bounded text
 * @t: text
 * @buf: output buffer, may be NULL if @size is 0
 * @size: room, terminating zero included
 */
void pica_text_init(struct pica_text *t, char *buf, size_t size)
{
	t->buf = buf;
	t->size = size;
	t->len = 0;
	if (size)
		buf[0] = '\0';
}

/**
 * pica_text_char() - append a character
 * @t: output text; its length includes truncated characters
 * @c: character
 */
void pica_text_char(struct pica_text *t, char c)
{
	if (t->len + 1 < t->size) {
		t->buf[t->len] = c;
		t->buf[t->len + 1] = '\0';
	}
	t->len++;
}

/**
 * pica_text_str() - append a string
 * @t: text
 * @s: string
 */
void pica_text_str(struct pica_text *t, const char *s)
{
	while (*s)
		pica_text_char(t, *s++);
}

/**
 * pica_text_dec() - append a decimal number
 * @t: text
 * @v: number
 */
void pica_text_dec(struct pica_text *t, u32 v)
{
	char digits[10];
	unsigned int n = 0;

	do {
		digits[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	while (n)
		pica_text_char(t, digits[--n]);
}

/**
 * pica_text_hex() - append a hexadecimal number without prefix
 * @t: text
 * @v: number
 * @digits: digits to write, leading zeros included
 */
void pica_text_hex(struct pica_text *t, u32 v, unsigned int digits)
{
	while (digits--)
		pica_text_char(t, "0123456789abcdef"[(v >> (4 * digits)) & 0xf]);
}

static void text_reg(struct pica_text *t, char file, u32 num)
{
	pica_text_char(t, file);
	pica_text_dec(t, num);
}

static void text_mask(struct pica_text *t, u8 mask)
{
	unsigned int c;

	pica_text_char(t, '.');
	if (!mask)
		pica_text_str(t, "none");
	for (c = 0; c < 4; c++)
		if (mask & (1 << c))
			pica_text_char(t, comp_names[c]);
}

/* Repeated last components are omitted, as picasso fills them in. */
static void text_swizzle(struct pica_text *t, const u8 sel[4])
{
	unsigned int n = 4, c;

	if (sel[0] == 0 && sel[1] == 1 && sel[2] == 2 && sel[3] == 3)
		return;
	while (n > 1 && sel[n - 1] == sel[n - 2])
		n--;
	pica_text_char(t, '.');
	for (c = 0; c < n; c++)
		pica_text_char(t, comp_names[sel[c]]);
}

/* @desc is NULL if the descriptor does not exist. */
static void text_source(struct pica_text *t, const struct pica_insn *insn, unsigned int n,
			const struct pica_opdesc *desc)
{
	u32 reg = insn->src[n];

	if (desc && (desc->neg & (1 << n)))
		pica_text_char(t, '-');
	if (reg < PICA_SRC_R0)
		text_reg(t, 'v', reg);
	else if (reg < PICA_SRC_C0)
		text_reg(t, 'r', reg - PICA_SRC_R0);
	else
		text_reg(t, 'c', reg - PICA_SRC_C0);
	if (n == insn->wide && insn->f[PICA_F_IDX]) {
		pica_text_char(t, '[');
		pica_text_str(t, idx_names[insn->f[PICA_F_IDX]]);
		pica_text_char(t, ']');
	}
	if (desc)
		text_swizzle(t, desc->sel[n]);
}

static void text_dest(struct pica_text *t, const struct pica_insn *insn,
		      const struct pica_opdesc *desc)
{
	u32 reg = insn->f[PICA_F_DST];

	if (insn->info->flags & PICA_OPF_ADDR) {
		pica_text_str(t, "a0");
		if (desc)
			text_mask(t, desc->mask);
		return;
	}
	if (reg < PICA_DST_R0)
		text_reg(t, 'o', reg);
	else
		text_reg(t, 'r', reg - PICA_DST_R0);
	if (desc && desc->mask != 0xf)
		text_mask(t, desc->mask);
}

/**
 * pica_desc_is_implied() - whether the operands alone select an instruction's descriptor
 * @prog: program with its descriptor table
 * @insn: instruction with a descriptor
 *
 * The assembler selects the first descriptor of the table that matches the operands; any
 * other one must be named.
 *
 * Return: true if the instruction's descriptor is that one.
 */
bool pica_desc_is_implied(const struct pica_program *prog, const struct pica_insn *insn)
{
	u32 index = insn->f[PICA_F_DESC];
	u32 live, i;

	if (index >= prog->nopdesc)
		return false;
	live = pica_opdesc_live((enum pica_op)insn->op, prog->opdesc[index]);
	for (i = 0; i < index; i++)
		if (!((prog->opdesc[i] ^ prog->opdesc[index]) & live))
			return false;
	return true;
}

static void text_arith(struct pica_text *t, const struct pica_program *prog,
		       const struct pica_insn *insn)
{
	u32 index = insn->f[PICA_F_DESC];
	const struct pica_opdesc *desc = NULL;
	struct pica_opdesc decoded;
	unsigned int n;

	if (index < prog->nopdesc) {
		pica_opdesc_decode(prog->opdesc[index], &decoded);
		desc = &decoded;
	}
	if (insn->op == PICA_OP_CMP) {
		text_source(t, insn, 0, desc);
		pica_text_str(t, ", ");
		pica_text_str(t, cmp_names[insn->f[PICA_F_CMPX]]);
		pica_text_str(t, ", ");
		pica_text_str(t, cmp_names[insn->f[PICA_F_CMPY]]);
		pica_text_str(t, ", ");
		text_source(t, insn, 1, desc);
	} else {
		text_dest(t, insn, desc);
		for (n = 0; n < insn->nsrc; n++) {
			pica_text_str(t, ", ");
			text_source(t, insn, n, desc);
		}
	}
	if (!pica_desc_is_implied(prog, insn)) {
		pica_text_str(t, " @");
		pica_text_dec(t, index);
	}
}

static void text_flag(struct pica_text *t, bool positive, char comp)
{
	if (!positive)
		pica_text_char(t, '!');
	pica_text_str(t, "cmp.");
	pica_text_char(t, comp);
}

static void text_cond(struct pica_text *t, const struct pica_insn *insn)
{
	u32 cond = insn->f[PICA_F_COND];

	if (cond != PICA_COND_Y)
		text_flag(t, insn->f[PICA_F_REFX], 'x');
	if (cond == PICA_COND_OR)
		pica_text_str(t, " || ");
	if (cond == PICA_COND_AND)
		pica_text_str(t, " && ");
	if (cond != PICA_COND_X)
		text_flag(t, insn->f[PICA_F_REFY], 'y');
}

static void text_target(struct pica_text *t, const struct pica_program *prog, u32 target,
			u32 flags)
{
	if ((flags & PICA_DIS_LABELS) && target <= prog->ncode)
		pica_text_char(t, 'L');
	else
		pica_text_str(t, "0x");
	pica_text_hex(t, target, 3);
}

static void text_flow(struct pica_text *t, const struct pica_program *prog,
		      const struct pica_insn *insn, u32 flags)
{
	u32 opf = insn->info->flags;
	bool operand = true;

	if (opf & PICA_OPF_COND) {
		text_cond(t, insn);
	} else if (opf & PICA_OPF_BOOL) {
		if (insn->f[PICA_F_NOT])
			pica_text_char(t, '!');
		text_reg(t, 'b', insn->f[PICA_F_BOOL]);
	} else if (opf & PICA_OPF_LOOP) {
		text_reg(t, 'i', insn->f[PICA_F_INT]);
	} else {
		operand = false;
	}
	if (opf & PICA_OPF_BREAK)
		return;
	if (operand)
		pica_text_str(t, ", ");
	text_target(t, prog, insn->f[PICA_F_TARGET], flags);
	if (opf & (PICA_OPF_CALL | PICA_OPF_IF)) {
		pica_text_str(t, ", ");
		pica_text_dec(t, insn->f[PICA_F_NUM]);
	}
}

static void text_setemit(struct pica_text *t, const struct pica_insn *insn)
{
	pica_text_dec(t, insn->f[PICA_F_VTX]);
	if (!insn->f[PICA_F_PRIM] && !insn->f[PICA_F_WIND])
		return;
	pica_text_str(t, ", ");
	if (insn->f[PICA_F_PRIM])
		pica_text_str(t, "prim");
	if (insn->f[PICA_F_PRIM] && insn->f[PICA_F_WIND])
		pica_text_char(t, ' ');
	if (insn->f[PICA_F_WIND])
		pica_text_str(t, "inv");
}

/*
 * The inverted forms have their own mnemonic only if the operands are ambiguous: if the
 * wide source is a register that a narrow one could encode.
 */
static void text_mnemonic(struct pica_text *t, const struct pica_insn *insn)
{
	pica_text_str(t, insn->info->mnem);
	if ((insn->info->layout == PICA_L1I || insn->info->layout == PICA_L5I) &&
	    insn->src[insn->wide] < PICA_SRC_C0)
		pica_text_char(t, 'i');
}

/* Does the instruction have operands? */
static bool has_operands(const struct pica_insn *insn)
{
	if (insn->info->layout == PICA_L0)
		return false;
	return true;
}

/**
 * pica_disasm_insn() - text of an instruction
 * @prog: program, for its descriptors and size
 * @word: instruction word
 * @flags: PICA_DIS_*
 * @buf: output buffer
 * @size: room, terminating zero included
 *
 * Ignored bits of the word do not show; see pica_insn.odd. An undefined operation
 * gives "?".
 *
 * Return: length of the whole text, even if truncated.
 */
int pica_disasm_insn(const struct pica_program *prog, u32 word, u32 flags, char *buf, size_t size)
{
	struct pica_insn insn;
	struct pica_text t;

	pica_text_init(&t, buf, size);
	if (!pica_decode(word, &insn)) {
		pica_text_char(&t, '?');
		return (int)t.len;
	}
	text_mnemonic(&t, &insn);
	if (has_operands(&insn))
		pica_text_char(&t, ' ');
	if (insn.nsrc)
		text_arith(&t, prog, &insn);
	else if (insn.op == PICA_OP_SETEMIT)
		text_setemit(&t, &insn);
	else if (has_operands(&insn))
		text_flow(&t, prog, &insn, flags);
	return (int)t.len;
}

/**
 * pica_disasm() - text of one word of a program in raw listing form
 * @src: program
 * @offset: word
 * @buf: output buffer
 * @size: room, terminating zero included
 *
 * Return: length of the whole text, -ENOEXEC with the text "?" if the word is
 * undefined, -EINVAL if there is no such word.
 */
int pica_disasm(const struct vs_src *src, u32 offset, char *buf, size_t size)
{
	struct pica_program prog;
	struct pica_insn insn;
	struct pica_text t;
	char text[PICA_MAX_TEXT];
	u32 word;

	pica_program_init(&prog, src);
	pica_text_init(&t, buf, size);
	if (offset >= prog.ncode)
		return -EINVAL;
	word = prog.code[offset];
	if (!pica_decode(word, &insn)) {
		pica_text_char(&t, '?');
		return -ENOEXEC;
	}
	pica_disasm_insn(&prog, word, 0, text, sizeof(text));
	if (insn.odd) {
		pica_text_str(&t, ".word 0x");
		pica_text_hex(&t, word, 8);
		pica_text_str(&t, " ; ");
	}
	pica_text_str(&t, text);
	return (int)t.len;
}
