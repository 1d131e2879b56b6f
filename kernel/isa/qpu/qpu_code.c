// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Predecoded code: runs of instructions, indexed by start address. A run ends after the delay
 * slots of a branch or of a program end, or at a maximum length.
 */
#include "qpu_run.h"

/* A uniform, and the residue of two ports. */
#define EXTRA_UOPS	3
#define INSN_UOPS	(EXTRA_UOPS + QPU_MAX_UOPS + QPU_PERIPH_UOPS)
#define RUN_UOPS	(QPU_RUN_INSNS * INSN_UOPS)

u64 qpu_code_memory(void)
{
	return QPU_MAX_DECS * (sizeof(struct qpu_dec) + sizeof(struct qpu_insn)) +
	       QPU_POOL_UOPS * sizeof(struct qpu_uop);
}

void qpu_code_init(struct qpu_code *c, const struct qpu_launch *l, void *memory)
{
	c->words = l->code;
	c->nwords = l->ncode;
	c->max_dec = QPU_MAX_DECS;
	c->max_uop = QPU_POOL_UOPS;
	c->uop = memory;
	c->dec = (struct qpu_dec *)(c->uop + c->max_uop);
	if (l->switches & QPU_SW_STRICT_HAZARDS)
		c->insn = (struct qpu_insn *)(c->dec + c->max_dec);
}

static void flush(struct qpu_code *c)
{
	memset(c->hash, 0, sizeof(c->hash));
	c->ndec = 0;
	c->nuop = 0;
	c->nruns = 0;
	c->flushes++;
}

/* Fetch the word at @pc, once. */
bool qpu_code_fetch(struct qpu_machine *m, u32 pc, u64 *word)
{
	const struct qpu_code *c = &m->code;
	const u32 *p;

	if (pc & 7)
		return false;
	if (c->words) {
		if (pc / 8 >= c->nwords)
			return false;
		p = c->words + pc / 8 * 2;
	} else {
		p = qpu_mem(&m->s, pc, 8, VS_EXT_EXEC);
		if (!p)
			return false;
	}
	*word = READ_ONCE(p[0]) | (u64)READ_ONCE(p[1]) << 32;
	return true;
}

static struct qpu_uop residue_uop(u32 op, u32 port, u32 slot)
{
	return (struct qpu_uop){
		.h = QPU_HANDLER(op, QPU_V_PLAIN),
		.cond = QPU_COND_ALWAYS,
		.d = QPU_S_RES_A + port,
		.a = slot,
	};
}

/* Emit micro-ops that keep the bus residue of ports read by @i, or that read it. */
static u32 keep_residue(const struct qpu_insn *i, u32 ports, struct qpu_uop *u)
{
	u32 n = 0, port, slot, show = qpu_reads_residue(i);

	for (port = 0; port < 2; port++) {
		if (show >> port & 1)
			u[n++] = residue_uop(QPU_U_SHOW_RESIDUE, port, 0);
		else if (ports >> port & 1 && qpu_port_source(i, port, &slot))
			u[n++] = residue_uop(QPU_U_RESIDUE, port, slot);
	}
	return n;
}

static struct qpu_uop unif_uop(u32 number)
{
	return (struct qpu_uop){
		.h = QPU_HANDLER(QPU_U_UNIF, QPU_V_PLAIN),
		.cond = QPU_COND_ALWAYS,
		.d = QPU_S_UNIF,
		.imm = number,
	};
}

/* Lower a defined instruction to micro-ops, for the next entry of @c->dec. */
static void qpu_code_lower(struct qpu_code *c, const struct qpu_insn *insn, u32 nunif, bool strict)
{
	struct qpu_dec *d = &c->dec[c->ndec];
	struct qpu_uop *first = c->uop + c->nuop, *u = first;
	struct qpu_uop *alu = first + EXTRA_UOPS + QPU_PERIPH_UOPS;
	u32 n = qpu_lower(insn, d, alu), i;

	for (i = 0; i < n; i++)
		qpu_code_use(c, alu[i].d);
	d->unif = qpu_reads_uniform(insn);
	d->nunif = nunif;
	if (d->unif)
		*u++ = unif_uop(nunif);
	u += qpu_periph_before(d, c->ndec, u);
	if (c->residue)
		u += keep_residue(insn, c->residue, u);
	memmove(u, alu, n * sizeof(*u));
	u += n;
	u += qpu_periph_after(d, c->ndec, strict, u);
	d->uop = c->nuop;
	c->nuop += u - first;
}

/* Track the bus residue from now on if @insn reads it. Return: all runs were discarded. */
static bool starts_residue(struct qpu_code *c, const struct qpu_insn *insn)
{
	u32 found = qpu_reads_residue(insn) & ~c->residue;

	if (!found)
		return false;
	c->residue |= found;
	flush(c);
	return true;
}

#define DECODE_AGAIN	(~0U)

/*
 * Predecode the instruction at @pc, preceded in its run by @nunif uniform reads. Return:
 * maximum number of further instructions in the run; DECODE_AGAIN: start the run again.
 */
static u32 decode_one(struct qpu_machine *m, u32 pc, u32 more, u32 nunif)
{
	struct qpu_code *c = &m->code;
	struct qpu_dec *d = &c->dec[c->ndec];
	u32 first = c->nuop;
	struct qpu_insn insn;
	enum qpu_reason bad;
	u8 lo, hi;
	u64 word;

	if (!qpu_code_fetch(m, pc, &word)) {
		*d = (struct qpu_dec){ .uop = first, .x = QPU_X_BAD, .nunif = nunif };
		c->ndec++;
		return 0;
	}
	qpu_decode(word, &insn);
	bad = qpu_check(&insn, &lo, &hi);
	if (bad) {
		*d = (struct qpu_dec){ .uop = first, .x = QPU_X_BAD, .bad = bad, .nunif = nunif };
		c->ndec++;
		return 0;
	}
	if (starts_residue(c, &insn))
		return DECODE_AGAIN;
	if (c->insn)
		c->insn[c->ndec] = insn;
	qpu_code_lower(c, &insn, nunif, m->s.switches);
	c->ndec++;
	if (insn.sig == QPU_SIG_BRANCH)
		return 3;
	if (insn.sig == QPU_SIG_THREND || insn.sig == QPU_SIG_LDCEND)
		return 2;
	return more - 1;
}

/*
 * Dead-flag elimination: flags that are overwritten before they are read are not computed.
 * Valid only if the run executes from start to end: not with a branch pending.
 */
static void drop_dead_flags(struct qpu_code *c, u32 first)
{
	bool dead = false;
	u32 i;

	for (i = c->ndec - 1; i-- > first;) {
		const struct qpu_dec *d = &c->dec[i];

		if (dead && d->flags & QPU_FLAGS_SET)
			qpu_drop_flags(c->uop + d[0].uop, d[1].uop - d[0].uop);
		if (d->flags & QPU_FLAGS_SET)
			dead = true;
		if (d->flags & QPU_FLAGS_USED || d->x & (QPU_X_BRANCH | QPU_X_BAD))
			dead = false;
	}
}

static bool qpu_is_store(const struct qpu_dec *d)
{
	return (d->wr[0] == QPU_W_VPM_ADDR && d->wfile[0]) ||
	       (d->wr[1] == QPU_W_VPM_ADDR && d->wfile[1]);
}

/* @d[4] exists. */
static bool is_quick(const struct qpu_dec *d)
{
	return d->x == QPU_X_BRANCH && d->br_rel && !d->br_reg && !d->sf &&
	       d->wr[0] == QPU_W_NOP && d->wr[1] == QPU_W_NOP &&
	       !d[1].x && !d[2].x && !d[3].x && d[4].nunif == d[1].nunif;
}

/*
 * Compute the length of the run from each instruction on. A store starts a new run, because
 * the group may split before it. Uniforms are prefetched for a run: none may follow a store.
 */
static void measure_runs(struct qpu_code *c, u32 first)
{
	u32 weight = 0, i;

	for (i = first; i < c->ndec; i++) {
		c->dec[i].weight = weight;
		weight += qpu_periph_weight(&c->dec[i]);
		c->dec[i].store = qpu_is_store(&c->dec[i]);
		c->dec[i].quick = i + 4 < c->ndec && is_quick(&c->dec[i]);
	}
	for (i = c->ndec - 1; i-- > first;) {
		struct qpu_dec *d = &c->dec[i];

		if (d->x && !d->simple)
			d->run = 0;
		else if (d[1].store ||
			 (d->store && d[1].nunif != d[1 + d[1].run].nunif))
			d->run = 1;
		else
			d->run = d[1].run + 1;
	}
}

static u32 decode_run(struct qpu_machine *m, u32 start, bool pending)
{
	struct qpu_code *c = &m->code;
	u32 first, more = QPU_RUN_INSNS, nunif = 0, pc = start;

	if (c->ndec + QPU_RUN_INSNS + 1 > c->max_dec || c->nuop + RUN_UOPS > c->max_uop ||
	    2 * (c->nruns + 1) > QPU_HASH_SIZE)
		flush(c);
	first = c->ndec;
	while (more) {
		/* delay slots count from the last branch or end */
		more = decode_one(m, pc, more, nunif);
		if (more == DECODE_AGAIN) {
			first = 0;
			more = QPU_RUN_INSNS;
			nunif = 0;
			pc = start;
			continue;
		}
		nunif += c->dec[c->ndec - 1].unif;
		pc += 8;
		if (c->ndec - first >= QPU_RUN_INSNS)
			break;
	}
	c->dec[c->ndec++] = (struct qpu_dec){ .uop = c->nuop, .x = QPU_X_END,
					      .nunif = nunif };
	measure_runs(c, first);
	if (!pending)
		drop_dead_flags(c, first);
	qpu_charge(m, (c->ndec - first) * 4);
	return first;
}

static u32 qpu_code_hash(u32 key)
{
	return key * 0x9e3779b1U >> 20;
}

u32 qpu_code_find(struct qpu_machine *m, u32 pc, bool pending)
{
	struct qpu_code *c = &m->code;
	/* Bit 0 is free: addresses are multiples of 8 (a clash of others is harmless). */
	u32 key = pending ? pc ^ 1 : pc, h, first;

	for (h = qpu_code_hash(key); c->hash[h]; h = (h + 1) % QPU_HASH_SIZE) {
		if (c->pc[h] == key)
			return c->hash[h] - 1;
	}
	first = decode_run(m, pc, pending);
	/* The table may have been cleared. */
	for (h = qpu_code_hash(key); c->hash[h]; h = (h + 1) % QPU_HASH_SIZE)
		;
	c->hash[h] = first + 1;
	c->pc[h] = key;
	c->nruns++;
	return first;
}
