// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Validation of QPU programs, with the verdicts of Linux's vc4 driver.
 *
 * The first pass finds the end of the program and the starts of basic blocks. The second one
 * follows the program from its first to its last word, whatever the branches do: it counts
 * uniforms, assigns them to texture lookups, and tracks what registers hold within a basic block.
 *
 * Linux reads the fields of an arithmetic instruction from load immediates as well, and takes
 * addresses of peripherals for registers. Where that makes it accept more, a program is
 * refused as vc4_refusal.stricter; where it makes it refuse more, so does this file.
 */
#include "../../isa/qpu/qpu.h"
#include "vc4_validate.h"

#define NUM_FILE	32
#define NUM_REGS	(2 * NUM_FILE + 4)	/* files A and B, r0 to r3 */
#define ACCUMULATORS	(2 * NUM_FILE)
#define NO_REG		0xffffffffU
#define UNKNOWN		0xffffffffU		/* immediates that count are multiples of 4 */
#define MAX_ARRAY	0x1000000		/* elements */
#define RESCHED		4096			/* instructions */
#define SLOTS		3			/* following a branch or a thread switch */
#define END_SLOTS	2			/* following the end signal */

/**
 * struct val_reg - What a register holds, in all elements.
 * @imm:	immediate, or UNKNOWN
 * @clamp:	uniform (byte) that it does not exceed, or VC4_NO_UNIFORM
 * @positive:	not negative
 * @doubtful:	@clamp is what Linux derives from an instruction that it misreads
 */
struct val_reg {
	u32 imm;
	u32 clamp;
	bool positive;
	bool doubtful;
};

/**
 * struct val_unit - Texture unit.
 * @lookup:	parameters so far
 * @n:		number of them
 * @direct:	a lookup was direct
 */
struct val_unit {
	struct vc4_lookup lookup;
	u32 n;
	bool direct;
};

/**
 * struct val_insn - Instruction.
 * @word:	its bits
 * @sig:	enum qpu_sig
 * @f:		fields of an arithmetic instruction, also if it is another one
 */
struct val_insn {
	u64 word;
	u32 sig;
	struct qpu_insn f;
};

/**
 * struct val_shader - Program being validated.
 * @words:	code
 * @n:		instructions; of the program, after the first pass
 * @pc:		current instruction
 * @starts:	bit per instruction: a basic block starts there, and a branch leads to it
 * @info:	result
 * @why:	reason
 * @i:		current instruction
 * @reg:	registers
 * @unit:	texture units
 * @lost:	uniforms cannot be read before their address is written
 * @loops:	a branch goes backwards, and the address has not been written since
 * @upper:	registers 16 to 31 are used
 */
struct val_shader {
	const u32 *words;
	u32 n;
	u32 pc;
	u32 *starts;
	struct vc4_shader_info *info;
	struct vc4_refusal *why;
	struct val_insn i;
	struct val_reg reg[NUM_REGS];
	struct val_unit unit[2];
	bool lost;
	bool loops;
	bool upper;
};

static int val_shader_refuse(struct val_shader *s, const char *text, u32 value, u32 limit)
{
	*s->why = (struct vc4_refusal){ .text = text, .at = s->pc, .value = value, .limit = limit };
	return -EINVAL;
}

static int val_shader_refuse_stricter(struct val_shader *s, const char *text, u32 value)
{
	val_shader_refuse(s, text, value, 0);
	s->why->stricter = true;
	return -EINVAL;
}

static u64 val_word_at(const struct val_shader *s, u32 pc)
{
	return s->words[2 * pc] | (u64)s->words[2 * pc + 1] << 32;
}

static u32 signal_of(u64 word)
{
	return (u32)(word >> 60);
}

/* ---- first pass: end, basic blocks ---- */

static void mark_start(struct val_shader *s, u32 pc)
{
	s->starts[pc / 32] |= 1U << pc % 32;
}

static bool is_start(const struct val_shader *s, u32 pc)
{
	return s->starts[pc / 32] >> pc % 32 & 1;
}

/* Starts of blocks, the last ones: @target of a branch, @next to its slots. */
struct val_starts {
	u32 target;
	u32 next;
};

/* The branch @b at @s->pc. @limit: instructions that are known to exist. */
static int find_blocks(struct val_shader *s, const struct qpu_insn *b, u32 limit,
		       struct val_starts *last)
{
	s64 next = (s64)s->pc + 1 + SLOTS, target;

	if (b->br_reg)
		return val_shader_refuse(s, "branch to the address in a register", b->br_raddr, 0);
	if (!b->br_rel)
		return val_shader_refuse(s, "branch to an absolute address", b->imm, 0);
	if (b->imm % 8)
		return val_shader_refuse(s, "branch to an unaligned address", b->imm, 8);
	target = next + (s32)b->imm / 8;
	if (target < 0 || target >= limit || next >= limit)
		return val_shader_refuse(s, "branch out of the program", (u32)target, limit);
	mark_start(s, (u32)target);
	mark_start(s, (u32)next);
	last->target = max_t(u32, last->target, target);
	last->next = max_t(u32, last->next, next);
	return 0;
}

/* @lookups, @resets: what the arrays need. */
static int find_end(struct val_shader *s, u32 *lookups, u32 *resets)
{
	s64 branch = -2;	/* as Linux: none in the first two instructions */
	struct val_starts last = {};
	u32 limit = s->n;
	struct qpu_insn f;
	int ret;

	for (; s->pc < limit; s->pc++) {
		u64 word = val_word_at(s, s->pc);

		if (!(s->pc % RESCHED))
			vs_cond_resched();
		qpu_decode(word, &f);
		*lookups += f.waddr_add == QPU_W_TMU0_S || f.waddr_add == QPU_W_TMU1_S ||
			    f.waddr_mul == QPU_W_TMU0_S || f.waddr_mul == QPU_W_TMU1_S;
		*resets += f.waddr_add == QPU_W_UNIF_ADDR;
		if (signal_of(word) == QPU_SIG_THREND) {
			limit = s->pc + 1 + END_SLOTS;
			if (limit > s->n)
				return val_shader_refuse_stricter(s,
								  "no instructions after the end",
								  s->n);
		}
		if (signal_of(word) != QPU_SIG_BRANCH)
			continue;
		if (s->pc - branch <= SLOTS)
			return val_shader_refuse(s,
						 "branch in the slots of another, or at the start",
						 (u32)branch, SLOTS);
		branch = s->pc;
		ret = find_blocks(s, &f, limit, &last);
		if (ret)
			return ret;
	}
	if (last.next && last.next + END_SLOTS >= limit)
		return val_shader_refuse(s, "branch at the end of the program", last.next, limit);
	/* Linux compares targets with the size of the buffer object: the code was not checked */
	if (last.target && last.target + END_SLOTS >= limit)
		return val_shader_refuse_stricter(s, "branch past the end of the program",
						  last.target);
	s->n = limit;
	return 0;
}

/* ---- registers ---- */

static u32 written_reg(u32 waddr, bool file_b)
{
	if (waddr < NUM_FILE)
		return (file_b ? NUM_FILE : 0) + waddr;
	return waddr <= QPU_W_ACC3 ? ACCUMULATORS + waddr - QPU_W_ACC0 : NO_REG;
}

/*
 * Operand a of the adder, as Linux sees it: addresses of peripherals become indices of other
 * registers, or go past the end: *@peripheral.
 */
static u32 operand_reg(const struct val_insn *i, bool *peripheral)
{
	u32 mux = i->f.mux[0];

	*peripheral = false;
	if (mux == QPU_MUX_A) {
		*peripheral = i->f.raddr_a >= NUM_FILE;
		return i->f.raddr_a;
	}
	if (mux == QPU_MUX_B && i->sig != QPU_SIG_SMI) {
		*peripheral = i->f.raddr_b >= NUM_FILE;
		return NUM_FILE + i->f.raddr_b;
	}
	return mux < QPU_MUX_R4 ? ACCUMULATORS + mux : NO_REG;
}

/* Is operand b of the adder a uniform? */
static bool adds_uniform(const struct val_insn *i)
{
	return (i->f.mux[1] == QPU_MUX_A && i->f.raddr_a == QPU_R_UNIF) ||
	       (i->f.mux[1] == QPU_MUX_B && i->f.raddr_b == QPU_R_UNIF);
}

static bool reads_uniform(const struct val_insn *i)
{
	return i->f.raddr_a == QPU_R_UNIF ||
	       (i->f.raddr_b == QPU_R_UNIF && i->sig != QPU_SIG_SMI);
}

static void val_shader_forget(struct val_reg *r, u32 n)
{
	while (n--)
		*r++ = (struct val_reg){ .imm = UNKNOWN, .clamp = VC4_NO_UNIFORM };
}

static void forget_parameters(struct val_unit *u)
{
	memset(u->lookup.p, 0xff, sizeof(u->lookup.p));
	u->n = 0;
}

/* The immediate that this instruction leaves in the register it writes. */
static void track_immediate(struct val_shader *s, u32 reg, bool mul)
{
	u32 cond = mul ? s->i.f.cond_mul : s->i.f.cond_add;

	s->reg[reg].imm = UNKNOWN;
	if (s->i.sig == QPU_SIG_LDI && !s->i.f.pack && cond == QPU_COND_ALWAYS)
		s->reg[reg].imm = (u32)s->i.word;
	s->upper |= reg < ACCUMULATORS && reg & 16;
}

/* max(x, 0), then min(that, uniform): an offset for direct lookups. */
static void track_clamps(struct val_shader *s)
{
	const struct qpu_insn *f = &s->i.f;
	u32 add = written_reg(f->waddr_add, f->ws), mul = written_reg(f->waddr_mul, !f->ws);
	bool peripheral, positive = false, doubtful;
	u32 from = operand_reg(&s->i, &peripheral);
	struct val_reg *r;

	/* the register that Linux takes for a peripheral may be past the last one: any value */
	if (from != NO_REG)
		positive = from >= NUM_REGS || s->reg[from].positive;
	doubtful = peripheral || s->i.sig == QPU_SIG_LDI;
	if (mul != NO_REG) {
		s->reg[mul].positive = false;
		s->reg[mul].clamp = VC4_NO_UNIFORM;
	}
	if (add == NO_REG)
		return;
	r = &s->reg[add];
	r->positive = false;
	r->clamp = VC4_NO_UNIFORM;
	r->doubtful = false;
	if (f->cond_add != QPU_COND_ALWAYS)
		return;
	if (f->op_add == QPU_A_MAX && s->i.sig == QPU_SIG_SMI && !f->raddr_b)
		r->positive = f->mux[0] == QPU_MUX_B || f->mux[1] == QPU_MUX_B;
	if (f->op_add == QPU_A_MIN && positive && adds_uniform(&s->i) &&
	    (s->i.sig != QPU_SIG_SMI || f->mux[1] == QPU_MUX_A)) {
		r->clamp = s->info->uniform_bytes;
		r->doubtful = doubtful;
	}
}

/* ---- uniforms and textures ---- */

static void add_reset(struct val_shader *s)
{
	s->info->reset[s->info->nresets++] = s->info->uniform_bytes / 4;
}

static int write_address(struct val_shader *s, bool mul)
{
	u32 expected = s->info->uniform_bytes + 4, reg;
	const struct qpu_insn *f = &s->i.f;
	bool peripheral;

	if (mul != (bool)f->ws)
		return val_shader_refuse(s, "write of the uniforms' relative address",
					 s->i.f.waddr_mul, 0);
	switch (s->i.sig) {
	case QPU_SIG_NONE:
	case QPU_SIG_SBDONE:
	case QPU_SIG_LOADC:
	case QPU_SIG_LDTMU0:
	case QPU_SIG_LDTMU1:
		break;
	default:
		return val_shader_refuse(s, "uniform address with a signal", s->i.sig, 0);
	}
	if (mul || f->op_add != QPU_A_ADD)
		return val_shader_refuse(s, "uniform address that is not a sum", f->op_add,
					 QPU_A_ADD);
	if (f->cond_add != QPU_COND_ALWAYS)
		return val_shader_refuse(s, "conditional uniform address", f->cond_add,
					 QPU_COND_ALWAYS);
	if (f->pack && !f->pm)
		return val_shader_refuse(s, "packed uniform address", f->pack, 0);
	reg = operand_reg(&s->i, &peripheral);
	if (reg == NO_REG)
		return val_shader_refuse(s, "uniform address without an immediate", f->mux[0], 0);
	if (reg < NUM_REGS && s->reg[reg].imm != expected)
		return val_shader_refuse(s, "uniform address with another offset", s->reg[reg].imm,
					 expected);
	if (!adds_uniform(&s->i))
		return val_shader_refuse(s, "uniform address without a uniform", f->mux[1], 0);
	if (peripheral)
		return val_shader_refuse_stricter(s, "uniform address from a peripheral", reg);
	s->lost = false;
	s->loops = false;
	add_reset(s);
	return 0;
}

/* The address of a direct lookup is that of a uniform plus an offset that a uniform limits. */
static int begin_direct(struct val_shader *s, struct val_unit *u, bool mul)
{
	bool peripheral;
	u32 reg;

	if (s->i.sig == QPU_SIG_SMI)
		return val_shader_refuse(s, "direct lookup with a small immediate", s->i.f.raddr_b,
					 0);
	if (mul || s->i.f.op_add != QPU_A_ADD)
		return val_shader_refuse(s, "direct lookup at an address that is not a sum",
					 s->i.f.op_add, QPU_A_ADD);
	reg = operand_reg(&s->i, &peripheral);
	if (reg == NO_REG || (reg < NUM_REGS && s->reg[reg].clamp == VC4_NO_UNIFORM))
		return val_shader_refuse(s, "direct lookup without limits", reg, 0);
	if (!adds_uniform(&s->i))
		return val_shader_refuse(s, "direct lookup without a base address", s->i.f.mux[1],
					 0);
	if (peripheral)
		return val_shader_refuse_stricter(s, "direct lookup at a peripheral's value", reg);
	if (s->i.sig == QPU_SIG_LDI)
		return val_shader_refuse_stricter(s, "direct lookup at an immediate",
						  (u32)s->i.word);
	if (s->reg[reg].doubtful)
		return val_shader_refuse_stricter(s, "direct lookup with a limit of something else",
						  reg);
	u->lookup.p[1] = s->reg[reg].clamp;
	u->direct = true;
	return 0;
}

static int write_tmu(struct val_shader *s, u32 waddr, bool mul)
{
	struct val_unit *u = &s->unit[waddr >= QPU_W_TMU1_S];
	bool submit = waddr == QPU_W_TMU0_S || waddr == QPU_W_TMU1_S;
	bool direct = submit && !u->n;
	int ret;

	if (direct) {
		ret = begin_direct(s, u, mul);
		if (ret)
			return ret;
	} else if (reads_uniform(&s->i)) {
		return val_shader_refuse(s, "uniform in the instruction of a texture parameter",
					 waddr, 0);
	}
	if (u->n == ARRAY_SIZE(u->lookup.p))
		return val_shader_refuse(s, "too many texture parameters", u->n + 1, u->n);
	u->lookup.p[u->n++] = s->info->uniform_bytes;
	if (!direct) {
		if (s->lost)
			return val_shader_refuse(s, "texture parameter before the uniform address",
						 waddr, 0);
		s->info->uniform_bytes += 4;
	}
	if (submit) {
		u->lookup.direct = direct;
		u->lookup.after = u->direct && !direct;
		s->info->lookup[s->info->nlookups++] = u->lookup;
		forget_parameters(u);
	}
	return 0;
}

/* ---- second pass ---- */

static bool is_tmu(u32 waddr)
{
	return waddr >= QPU_W_TMU0_S && waddr <= QPU_W_TMU1_B;
}

static int check_write(struct val_shader *s, bool mul)
{
	u32 waddr = mul ? s->i.f.waddr_mul : s->i.f.waddr_add;
	u32 reg = written_reg(waddr, mul != (bool)s->i.f.ws);

	if (reg != NO_REG)
		track_immediate(s, reg, mul);
	if (is_tmu(waddr))
		return write_tmu(s, waddr, mul);
	switch (waddr) {
	case QPU_W_UNIF_ADDR:
		return write_address(s, mul);
	case QPU_W_TMU_NOSWAP:
	case QPU_W_HOST_INT:
	case QPU_W_TLB_ALPHA:
	case QPU_W_VPM_ADDR:
	case QPU_W_MUTEX:
		return val_shader_refuse(s, "write to a forbidden register", waddr, 0);
	default:
		return 0;
	}
}

static int check_writes(struct val_shader *s)
{
	int ret;

	if (is_tmu(s->i.f.waddr_add) && is_tmu(s->i.f.waddr_mul))
		return val_shader_refuse(s, "two texture parameters in an instruction",
					 s->i.f.waddr_add, s->i.f.waddr_mul);
	ret = check_write(s, false);
	if (ret)
		return ret;
	ret = check_write(s, true);
	if (ret)
		return ret;
	track_clamps(s);
	return 0;
}

static bool upper_half(u32 addr)
{
	return addr < NUM_FILE && addr & 16;
}

static int check_reads(struct val_shader *s)
{
	s->upper |= upper_half(s->i.f.raddr_a) ||
		    (upper_half(s->i.f.raddr_b) && s->i.sig != QPU_SIG_SMI);
	if (!reads_uniform(&s->i))
		return 0;
	if (s->lost)
		return val_shader_refuse(s, "uniform read before the uniform address",
					 s->info->uniform_bytes, 0);
	s->info->uniform_bytes += 4;
	return 0;
}

/* Code before a basic block is not all that leads to it. */
static int enter_block(struct val_shader *s)
{
	if (s->unit[0].n || s->unit[1].n)
		return val_shader_refuse(s, "branch into texture parameters", s->unit[0].n,
					 s->unit[1].n);
	val_shader_forget(s->reg, NUM_REGS);
	s->lost = true;
	return 0;
}

/* @since: instructions since the last thread switch, at most SLOTS + 1. */
static int val_shader_check_insn(struct val_shader *s, u32 *since)
{
	int ret;

	switch (s->i.sig) {
	case QPU_SIG_BRANCH:
		s->loops |= (u32)s->i.word >> 31;
		if (s->i.f.waddr_add != QPU_W_NOP || s->i.f.waddr_mul != QPU_W_NOP)
			return val_shader_refuse(s, "branch that writes a register",
						 s->i.f.waddr_add, s->i.f.waddr_mul);
		if (*since < SLOTS)
			return val_shader_refuse(s, "branch in the slots of a thread switch",
						 *since, SLOTS);
		return 0;
	case QPU_SIG_THRSW:
	case QPU_SIG_LTHRSW:
	case QPU_SIG_NONE:
	case QPU_SIG_THREND:
	case QPU_SIG_SBWAIT:
	case QPU_SIG_SBDONE:
	case QPU_SIG_LOADC:
	case QPU_SIG_LDTMU0:
	case QPU_SIG_LDTMU1:
	case QPU_SIG_SMI:
	case QPU_SIG_LDI:
		break;
	default:
		return val_shader_refuse(s, "forbidden signal", s->i.sig, 0);
	}
	ret = check_writes(s);
	if (ret)
		return ret;
	if (s->i.sig != QPU_SIG_LDI)
		ret = check_reads(s);
	if (ret || (s->i.sig != QPU_SIG_THRSW && s->i.sig != QPU_SIG_LTHRSW))
		return ret;
	if (*since < SLOTS)
		return val_shader_refuse(s, "thread switch in the slots of another", *since, SLOTS);
	s->info->threaded = true;
	*since = 0;
	return 0;
}

static int check_all(struct val_shader *s)
{
	u32 since = SLOTS + 1, end = 0;
	bool ended = false;
	int ret = 0;

	for (s->pc = 0; s->pc < s->n && !ret; s->pc++) {
		u64 word = val_word_at(s, s->pc);

		if (!(s->pc % RESCHED))
			vs_cond_resched();
		s->i.word = word;
		s->i.sig = signal_of(word);
		qpu_decode((word & ~(15ULL << 60)) | (u64)QPU_SIG_NONE << 60, &s->i.f);
		if (since <= SLOTS)
			since++;
		if (is_start(s, s->pc))
			ret = enter_block(s);
		/* the other thread has the accumulators meanwhile */
		if (since == SLOTS)
			val_shader_forget(s->reg + ACCUMULATORS, NUM_REGS - ACCUMULATORS);
		if (!ret)
			ret = val_shader_check_insn(s, &since);
		if (s->i.sig == QPU_SIG_THREND) {
			ended = true;
			end = s->pc;
		}
		if (!ret && ended && s->pc == end + END_SLOTS)
			return 0;
	}
	return ret ? ret : val_shader_refuse(s, "program without an end", s->n, 0);
}

static int val_shader_finish(struct val_shader *s)
{
	if (s->info->threaded && s->upper)
		return val_shader_refuse(s, "registers 16 to 31 in a threaded program", 0, 0);
	/* a loop may set the address at its start, although nothing follows it */
	if (s->loops) {
		add_reset(s);
		s->info->uniform_bytes += 4;
	}
	return 0;
}

static int allocate(struct vc4_shader_info *info, u32 lookups, u32 resets)
{
	if (lookups > MAX_ARRAY || resets > MAX_ARRAY)
		return -ENOMEM;
	info->bytes = lookups * sizeof(*info->lookup) + (resets + 1) * sizeof(*info->reset);
	if (lookups)
		info->lookup = vs_zalloc(lookups * sizeof(*info->lookup));
	info->reset = vs_zalloc((resets + 1) * sizeof(*info->reset));
	return info->reset && (!lookups || info->lookup) ? 0 : -ENOMEM;
}

int vc4_validate_shader(const u32 *words, u32 bytes, struct vc4_shader_info *info,
			struct vc4_refusal *why)
{
	struct val_shader s = { .words = words, .n = bytes / 8, .info = info, .why = why };
	u32 lookups = 0, resets = 0;
	int ret;

	*info = (struct vc4_shader_info){};
	*why = (struct vc4_refusal){};
	if (!s.n)
		return val_shader_refuse(&s, "empty program", bytes, 8);
	s.starts = vs_zalloc(DIV_ROUND_UP(s.n, 32) * 4);
	if (!s.starts)
		return -ENOMEM;
	val_shader_forget(s.reg, NUM_REGS);
	forget_parameters(&s.unit[0]);
	forget_parameters(&s.unit[1]);
	ret = find_end(&s, &lookups, &resets);
	if (ret)
		goto out_free;
	ret = allocate(info, lookups, resets);
	if (ret)
		goto out_free;
	ret = check_all(&s);
	if (ret)
		goto out_free;
	ret = val_shader_finish(&s);
out_free:
	vs_free(s.starts);
	if (ret)
		vc4_shader_info_done(info);
	return ret;
}

void vc4_shader_info_done(struct vc4_shader_info *info)
{
	vs_free(info->lookup);
	vs_free(info->reset);
	*info = (struct vc4_shader_info){};
}
