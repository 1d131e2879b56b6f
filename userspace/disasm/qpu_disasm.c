// SPDX-License-Identifier: MIT
/*
 * QPU instructions as text, in vc4asm's language.
 *
 * The text assembles to the same word. The writer collects the fields that the assembler
 * will derive from it; where the word differs, because an ignored field has an unusual
 * value, an ".enc" part names the field and its value.
 */
#include "qpu_disasm.h"
#include "qpu_names.h"

#define FIELD(n, member, top) { n, offsetof(struct qpu_insn, member), top }

const struct qpu_field_name qpu_field_names[] = {
	FIELD("sig", sig, 15), FIELD("unpack", unpack, 7), FIELD("pm", pm, 1),
	FIELD("pack", pack, 15), FIELD("cond_add", cond_add, 7), FIELD("cond_mul", cond_mul, 7),
	FIELD("sf", sf, 1), FIELD("ws", ws, 1), FIELD("waddr_add", waddr_add, 63),
	FIELD("waddr_mul", waddr_mul, 63), FIELD("op_mul", op_mul, 7),
	FIELD("op_add", op_add, 31), FIELD("raddr_a", raddr_a, 63),
	FIELD("raddr_b", raddr_b, 63), FIELD("add_a", mux[0], 7), FIELD("add_b", mux[1], 7),
	FIELD("mul_a", mux[2], 7), FIELD("mul_b", mux[3], 7), FIELD("br_raddr", br_raddr, 31),
	{ NULL }
};

/**
 * struct text - instruction being written
 * @x: the instruction
 * @asm_x: the assembler's encoding of the text so far
 * @buf: text
 * @len: its length
 * @add: the adder's part has a destination in the text
 * @mul: the multiplier's part has one
 * @pinned: a name or mode in the text determines the write swap
 * @label: instruction that a relative branch leads to, or -1 to write the offset
 */
struct text {
	const struct qpu_insn *x;
	struct qpu_insn asm_x;
	char buf[QPU_MAX_TEXT];
	size_t len;
	bool add;
	bool mul;
	bool pinned;
	s64 label;
};

static void __printf(2, 3) put(struct text *t, const char *fmt, ...)
{
	size_t room = sizeof(t->buf) - t->len;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->len, room, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->len += min_t(size_t, n, room - 1);
}

/* Does a destination determine its file? */
static bool tells_file(u32 waddr)
{
	const struct qpu_reg_name *a = qpu_reg_name(waddr, QPU_REG_WA);

	return waddr < 32 || !a || !(a->use & QPU_REG_WB);
}

static u32 waddr_of(const struct qpu_insn *x, bool mul)
{
	return mul ? x->waddr_mul : x->waddr_add;
}

/* Mode of the multiplier as the assembler encodes it; 3 and 11 are the same. */
static u32 mul_pack(const struct qpu_insn *x)
{
	return x->pack == 3 ? 11 : x->pack;
}

/*
 * The pack mode of file A belongs to the ALU that writes its registers. Peripherals and
 * accumulators are not packed there.
 */
static bool packs(const struct qpu_insn *x, bool mul)
{
	if (x->pm)
		return mul && qpu_mul_pack_names[mul_pack(x)];
	return x->pack && x->ws == mul && waddr_of(x, mul) < 32;
}

static void put_dest(struct text *t, bool mul)
{
	const struct qpu_insn *x = t->x;
	u32 waddr = waddr_of(x, mul);
	bool file_b = x->ws != mul;

	/* Both orders would do: without a hint the assembler does not swap. */
	if (waddr < 32 || (x->ws && !t->pinned))
		put(t, "r%c%u", file_b ? 'b' : 'a', waddr);
	else
		put(t, "%s", qpu_reg_name(waddr, file_b ? QPU_REG_WB : QPU_REG_WA)->name);
	t->pinned = true;
	if (mul)
		t->asm_x.waddr_mul = waddr;
	else
		t->asm_x.waddr_add = waddr;
	t->asm_x.ws = x->ws;
	if (!packs(x, mul))
		return;
	if (x->pm)
		put(t, ".%s", qpu_mul_pack_names[mul_pack(x)]);
	else
		put(t, ".%s%s", qpu_pack_names[x->pack], x->pack > 10 ? "i" : "");
	t->asm_x.pm = x->pm;
	t->asm_x.pack = x->pm ? mul_pack(x) : x->pack;
}

/* The assembler's default condition. */
static u8 usual_cond(u32 waddr, bool sets_flags)
{
	return waddr == QPU_W_NOP && !sets_flags ? QPU_COND_NEVER : QPU_COND_ALWAYS;
}

static void put_cond(struct text *t, bool mul, bool sets_flags)
{
	u8 cond = mul ? t->x->cond_mul : t->x->cond_add;

	if (cond != usual_cond(waddr_of(t->x, mul), sets_flags))
		put(t, ".%s", qpu_cond_names[cond]);
	if (mul)
		t->asm_x.cond_mul = cond;
	else
		t->asm_x.cond_add = cond;
}

/* Small immediates as numbers, including those of rotations, -16 to -1. */
static void put_small_imm(struct text *t, u32 code)
{
	static const char * const fraction[] = { "0.00390625", "0.0078125", "0.015625",
						 "0.03125", "0.0625", "0.125", "0.25", "0.5" };

	if (code >= 32 && code < 40)
		put(t, "%u.0", 1U << (code - 32));
	else if (code >= 40 && code < 48)
		put(t, "%s", fraction[code - 40]);
	else
		put(t, "%d", (s32)qpu_small_imm(code));
	t->asm_x.sig = QPU_SIG_SMI;
	/* A rotation was written before, or comes later in the text. */
	if (t->asm_x.raddr_b < 48 || t->x->raddr_b != t->asm_x.raddr_b)
		t->asm_x.raddr_b = code < 48 ? code : code - 32;
}

static void put_raddr(struct text *t, bool file_b)
{
	u32 addr = file_b ? t->x->raddr_b : t->x->raddr_a;
	const struct qpu_reg_name *name = qpu_reg_name(addr, file_b ? QPU_REG_RB : QPU_REG_RA);

	/* Without a hint the assembler takes file A. */
	if (addr < 32 || !name || (file_b && (name->use & QPU_REG_RA)))
		put(t, "r%c%u", file_b ? 'b' : 'a', addr);
	else
		put(t, "%s", name->name);
	if (file_b)
		t->asm_x.raddr_b = addr;
	else
		t->asm_x.raddr_a = addr;
}

static bool rotates(const struct qpu_insn *x)
{
	return x->sig == QPU_SIG_SMI && x->raddr_b >= 48;
}

static void put_rotation(struct text *t)
{
	u32 n = t->x->raddr_b - 48;

	if (!n)
		put(t, " >> r5");
	else if (n < 8)
		put(t, " >> %u", n);
	else
		put(t, " << %u", 16 - n);
	t->asm_x.sig = QPU_SIG_SMI;
	t->asm_x.raddr_b = t->x->raddr_b;
}

static void put_source(struct text *t, u32 i)
{
	u8 mux = t->x->mux[i];
	bool unpacks = t->x->unpack && mux == (t->x->pm ? QPU_MUX_R4 : QPU_MUX_A);

	put(t, ", ");
	t->asm_x.mux[i] = mux;
	if (mux == QPU_MUX_B && t->x->sig == QPU_SIG_SMI) {
		put_small_imm(t, t->x->raddr_b);
		return;
	}
	if (mux < QPU_MUX_A)
		put(t, "r%u", mux);
	else
		put_raddr(t, mux == QPU_MUX_B);
	if (unpacks) {
		put(t, ".%s", qpu_unpack_names[t->x->unpack]);
		t->asm_x.unpack = t->x->unpack;
		t->asm_x.pm = t->x->pm;
	}
	if (i >= 2 && rotates(t->x))
		put_rotation(t);
}

/* Both operands the same register: a copy, with the operations that are used for it. */
static bool is_mov(const struct qpu_insn *x, const u8 *mux)
{
	return mux[0] == mux[1] && !(mux[0] == QPU_MUX_B && x->sig == QPU_SIG_SMI);
}

/* Operations that the multiplier has, too: their plain name is the multiplier's. */
static bool saturates(u32 op_add)
{
	return op_add == QPU_A_V8ADDS || op_add == QPU_A_V8SUBS;
}

static void put_add(struct text *t)
{
	const struct qpu_insn *x = t->x;
	bool flags = x->sf && (x->op_add != QPU_A_NOP || x->op_mul == QPU_M_MNOP);
	bool mov = x->op_add == QPU_A_OR && is_mov(x, x->mux);
	u32 i;

	t->asm_x.op_add = x->op_add;
	if (flags)
		t->asm_x.sf = 1;
	if (!t->add) {
		put(t, flags ? "nop.setf" : "nop");
		t->asm_x.cond_add = x->sf;
		return;
	}
	put(t, "%s%s%s", saturates(x->op_add) ? "a" : "",
	    mov ? "mov" : x->op_add ? qpu_add_name(x->op_add) : "anop", flags ? ".setf" : "");
	put_cond(t, false, flags);
	put(t, " ");
	put_dest(t, false);
	for (i = 0; i < qpu_add_operands(x->op_add) - mov; i++)
		put_source(t, i);
	if (mov || qpu_add_operands(x->op_add) == 1)
		t->asm_x.mux[1] = t->asm_x.mux[0];
}

static void put_mul(struct text *t)
{
	const struct qpu_insn *x = t->x;
	bool flags = x->sf && x->op_add == QPU_A_NOP && x->op_mul != QPU_M_MNOP;
	bool mov = x->op_mul == QPU_M_V8MIN && is_mov(x, x->mux + 2);
	u32 i;

	if (!t->mul)
		return;
	t->asm_x.op_mul = x->op_mul;
	if (flags)
		t->asm_x.sf = 1;
	put(t, "; %s%s", mov ? "mov" : x->op_mul ? qpu_mul_name(x->op_mul) : "mnop",
	    flags ? ".setf" : "");
	put_cond(t, true, flags);
	put(t, " ");
	put_dest(t, true);
	for (i = 0; i < qpu_mul_operands(x->op_mul) - mov; i++)
		put_source(t, 2 + i);
	if (mov)
		t->asm_x.mux[3] = t->asm_x.mux[2];
}

/* Addresses that are read without being an operand. */
static void put_reads(struct text *t)
{
	const struct qpu_insn *x = t->x;

	if (x->raddr_a != t->asm_x.raddr_a) {
		put(t, "; read ");
		put_raddr(t, false);
	}
	if (x->sig != QPU_SIG_SMI && x->raddr_b != t->asm_x.raddr_b) {
		put(t, "; read ");
		put_raddr(t, true);
	}
	if (x->sig == QPU_SIG_SMI && t->asm_x.sig != QPU_SIG_SMI && x->raddr_b < 48) {
		put(t, "; read ");
		put_small_imm(t, x->raddr_b);
	}
}

/* Fields that the text does not determine. */
static void put_enc(struct text *t)
{
	const struct qpu_field_name *f;
	const char *sep = "; .enc ";
	u8 want, have;

	for (f = qpu_field_names; f->name; f++) {
		want = *((const u8 *)t->x + f->offset);
		have = *((const u8 *)&t->asm_x + f->offset);
		if (want == have)
			continue;
		put(t, "%s%s=%u", sep, f->name, want);
		sep = ", ";
	}
}

static void start(struct text *t, const struct qpu_insn *x)
{
	memset(t, 0, sizeof(*t));
	t->x = x;
	t->asm_x.sig = QPU_SIG_NONE;
	t->asm_x.waddr_add = QPU_W_NOP;
	t->asm_x.waddr_mul = QPU_W_NOP;
}

/* Will a destination in the text determine the write swap? */
static bool will_tell(const struct text *t)
{
	const struct qpu_insn *x = t->x;

	if (x->sig != QPU_SIG_BRANCH && ((t->add && !x->pm && packs(x, false)) ||
					 (t->mul && !x->pm && packs(x, true))))
		return true;
	return (t->add && tells_file(x->waddr_add)) || (t->mul && tells_file(x->waddr_mul));
}

static void disasm_alu(struct text *t)
{
	const struct qpu_insn *x = t->x;

	t->asm_x.raddr_a = QPU_R_NOP;
	t->asm_x.raddr_b = QPU_R_NOP;
	/* The condition of an idle adder is "always" if the flags are set, else "never". */
	t->add = x->op_add != QPU_A_NOP || x->waddr_add != QPU_W_NOP || x->cond_add != x->sf;
	t->mul = x->op_mul != QPU_M_MNOP || x->waddr_mul != QPU_W_NOP || x->cond_mul;
	t->pinned = will_tell(t);
	put_add(t);
	put_mul(t);
	put_reads(t);
	if (x->sig != QPU_SIG_SMI && x->sig != QPU_SIG_NONE) {
		put(t, "; %s", qpu_sig_names[x->sig]);
		t->asm_x.sig = x->sig;
	}
}

static void put_elements(struct text *t, u32 v, bool is_signed)
{
	s32 e;
	u32 i;

	for (i = 0; i < 16; i++) {
		e = (v >> i & 1) | (v >> (16 + i) & 1) << 1;
		if (is_signed && e > 1)
			e -= 4;
		put(t, "%s%d", i ? "," : "[", e);
	}
	put(t, "]");
}

static void put_value(struct text *t)
{
	const struct qpu_insn *x = t->x;

	switch (x->unpack) {
	case QPU_LDI_ELEM_S:
	case QPU_LDI_ELEM_U:
		put_elements(t, x->imm, x->unpack == QPU_LDI_ELEM_S);
		break;
	case QPU_LDI_SEMA:
		put(t, "%u", x->imm & ~0x10U);
		break;
	default:
		put(t, x->imm < 256 ? "%u" : "0x%08x", x->imm);
	}
}

static void disasm_ldi(struct text *t)
{
	static const char * const name[] = { "ldi", "ldipes", "", "ldipeu", "srel" };
	const struct qpu_insn *x = t->x;
	bool acquire = x->unpack == QPU_LDI_SEMA && (x->imm & 0x10);

	t->asm_x.sig = QPU_SIG_LDI;
	t->asm_x.unpack = x->unpack;
	t->asm_x.imm = x->imm;
	t->asm_x.sf = x->sf;
	t->add = true;
	t->mul = x->waddr_mul != QPU_W_NOP || x->cond_mul;
	t->pinned = will_tell(t);
	put(t, "%s%s ", acquire ? "sacq" : name[x->unpack], x->sf ? ".setf" : "");
	put_dest(t, false);
	put_cond(t, false, x->sf);
	put(t, ", ");
	if (t->mul) {
		put_dest(t, true);
		put_cond(t, true, false);
		put(t, ", ");
	}
	put_value(t);
}

static void disasm_branch(struct text *t)
{
	const struct qpu_insn *x = t->x;

	t->asm_x.sig = QPU_SIG_BRANCH;
	t->asm_x.br_cond = x->br_cond;
	t->asm_x.br_rel = x->br_rel;
	t->asm_x.br_reg = x->br_reg;
	t->asm_x.imm = x->imm;
	t->asm_x.sf = x->sf;
	t->add = true;
	t->mul = x->waddr_mul != QPU_W_NOP;
	t->pinned = will_tell(t);
	put(t, "%s", x->br_rel ? "brr" : "bra");
	if (x->br_cond != QPU_BR_ALWAYS)
		put(t, ".%s", qpu_br_names[x->br_cond]);
	put(t, " ");
	put_dest(t, false);
	put(t, ", ");
	if (t->mul) {
		put_dest(t, true);
		put(t, ", ");
	}
	if (x->br_reg) {
		put(t, "ra%u", x->br_raddr);
		t->asm_x.br_raddr = x->br_raddr;
		if (!x->imm && !t->mul)
			return;
		put(t, ", ");
	} else if (t->mul) {
		put(t, "-, ");
	}
	if (t->label >= 0)
		put(t, "r:L%03x", (u32)t->label);
	else
		put(t, x->br_rel ? "%d" : "0x%x", x->imm);
}

/**
 * qpu_disasm_label() - text of an instruction
 * @word: instruction
 * @label: instruction that a relative branch without a register leads to, to be written
 *	as a label, or -1
 * @buf: output buffer; QPU_MAX_TEXT is enough for any
 * @size: room, terminating zero included
 *
 * Return: length of the text, -ENOEXEC for undefined words, whose text is a "?" and the
 * number.
 */
int qpu_disasm_label(u64 word, s64 label, char *buf, size_t size)
{
	struct qpu_insn x;
	struct text t;
	u8 lo, hi;

	qpu_decode(word, &x);
	if (qpu_check(&x, &lo, &hi)) {
		scnprintf(buf, size, "? 0x%016llx", (unsigned long long)word);
		return -ENOEXEC;
	}
	start(&t, &x);
	t.label = label;
	if (x.sig == QPU_SIG_BRANCH)
		disasm_branch(&t);
	else if (x.sig == QPU_SIG_LDI)
		disasm_ldi(&t);
	else
		disasm_alu(&t);
	put_enc(&t);
	scnprintf(buf, size, "%s", t.buf);
	return (int)t.len;
}

/**
 * qpu_disasm_word() - text of an instruction
 * @word: instruction
 * @buf: output buffer
 * @size: room
 *
 * Return: length of the text, -ENOEXEC for undefined words.
 */
int qpu_disasm_word(u64 word, char *buf, size_t size)
{
	return qpu_disasm_label(word, -1, buf, size);
}

/**
 * qpu_disasm() - text of one instruction of a program
 * @src: program
 * @offset: instruction
 * @buf: output buffer
 * @size: room
 *
 * Return: length, -ENOEXEC for undefined words.
 */
int qpu_disasm(const struct vs_src *src, u32 offset, char *buf, size_t size)
{
	struct qpu_program p;

	qpu_program_init(&p, src);
	if (offset >= p.ninsns)
		return -ENOEXEC;
	return qpu_disasm_word(qpu_word(&p, offset), buf, size);
}
