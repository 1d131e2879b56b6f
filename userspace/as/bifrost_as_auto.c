// SPDX-License-Identifier: MIT
/*
 * Bifrost assembler: allocation of register blocks and embedded constants for clauses
 * without explicit ones, derived from the operands of their tuples.
 */
#include "bifrost_as.h"

/* ---- register ports ---- */

static bool add_read(struct bi_ports *p, u8 reg)
{
	if ((p->read0 && p->reg0 == reg) || (p->read1 && p->reg1 == reg) ||
	    (p->op2 == BI_PORT_READ && p->reg2 == reg))
		return true;
	if (!p->read0) {
		p->read0 = true;
		p->reg0 = reg;
	} else if (!p->read1) {
		p->read1 = true;
		p->reg1 = reg;
	} else if (!p->op2) {
		p->op2 = BI_PORT_READ;
		p->reg2 = reg;
	} else {
		return false;
	}
	return true;
}

/* Destination: a register and the written half or whole, or BI_PORT_IDLE. */
static u8 dest_of(const struct bas_op *op, u8 *reg)
{
	const char *half;
	int r = op->dest ? bas_register(op->dest) : -1;

	if (r < 0)
		return BI_PORT_IDLE;
	*reg = (u8)r;
	half = strchr(op->dest, '.');
	if (!half)
		return BI_PORT_WRITE;
	return half[2] == '1' ? BI_PORT_WRITE_HI : BI_PORT_WRITE_LO;
}

static bool add_writes(struct bi_ports *p, const struct bas_tuple *prev)
{
	u8 fma_reg = 0, fma = dest_of(&prev->op[BI_FMA], &fma_reg);

	p->op3 = dest_of(&prev->op[BI_ADD], &p->reg3);
	if (!fma)
		return true;
	if (!p->op3) {
		p->op3 = fma;
		p->reg3 = fma_reg;
		p->fma3 = true;
		return true;
	}
	if (p->op2)
		return false;
	p->op2 = fma;
	p->reg2 = fma_reg;
	return true;
}

static int assign_tuple(struct bas *as, struct bas_clause *c, u32 i)
{
	const struct bas_tuple *prev = &c->tuples[(i ? i : c->ntuples) - 1];
	struct bas_tuple *t = &c->tuples[i];
	u8 fau = t->ports.fau;
	struct bi_ports *p = &t->ports;
	u32 k, j;

	memset(p, 0, sizeof(*p));
	p->fau = fau;
	for (k = 0; k < 2; k++) {
		for (j = 0; j < t->op[k].noperands; j++) {
			int reg = bas_register(t->op[k].operand[j]);

			if (reg >= 0 && !add_read(p, (u8)reg))
				return bas_error(as, t->line,
						 "the tuple reads more than three registers");
		}
	}
	if (!add_writes(p, prev))
		return bas_error(as, t->line, "three registers are read and two written");
	if (p->read1 && p->reg0 > p->reg1)
		swap(p->reg0, p->reg1);
	return 0;
}

int bas_assign_ports(struct bas *as, struct bas_clause *c)
{
	u32 i;
	int ret = 0;

	for (i = 0; i < c->ntuples && !ret; i++)
		if (!c->tuples[i].given)
			ret = assign_tuple(as, c, i);
	return ret;
}

/* ---- constants ---- */

/* A half of an embedded constant that a tuple needs. */
struct need {
	bool pc;
	u32 value;
};

/* An embedded constant under construction. */
struct pooled {
	bool has[2];
	bool pc;	/* the upper half is the distance to a clause */
	u32 value[2];
};

/* The last entry stays empty. */
struct pool {
	struct pooled c[BI_MAX_TUPLES + 1];
	u32 n;
	u32 of_tuple[BI_MAX_TUPLES];	/* 1 + entry; 0: none */
	u32 low[BI_MAX_TUPLES];
};

/* Can a half of an embedded constant serve? The low four bits are each tuple's own. */
static bool fits(const struct pooled *p, u32 half, const struct need *need)
{
	if (need->pc)
		return half && (!p->has[1] || (p->pc && p->value[1] == need->value));
	if (half)
		return !p->has[1] || (!p->pc && p->value[1] == need->value);
	return !p->has[0] || p->value[0] >> 4 == need->value >> 4;
}

static bool try_put(struct pooled *p, const struct need *need, u32 n, u32 first)
{
	u32 i;

	for (i = 0; i < n; i++) {
		if (!fits(p, first ^ i, &need[i]))
			return false;
	}
	for (i = 0; i < n; i++) {
		p->has[first ^ i] = true;
		p->value[first ^ i] = need[i].value;
		p->pc |= need[i].pc;
	}
	return true;
}

/* Entry with room for a tuple's constants. */
static void place(struct pool *pool, u32 tuple, const struct need *need, u32 n)
{
	u32 i, first;

	for (i = 0; i <= pool->n; i++) {
		for (first = 0; first < 2; first++) {
			struct pooled *p = &pool->c[i];
			u32 low;

			if (!try_put(p, need, n, first))
				continue;
			/* The low bits are the tuple's own. */
			low = !first ? need[0].value : n > 1 ? need[1].value : 0;
			pool->low[tuple] = low & 15;
			pool->of_tuple[tuple] = i + 1;
			if (i == pool->n)
				pool->n++;
			return;
		}
	}
}

/* Special values with both halves. */
static int special_index(const char *s, size_t *len)
{
	static const char * const names[] = {
		"#0", "lane_id", "warp_id", "core_id", "framebuffer_size", "atest_datum", "sample"
	};
	unsigned int n;
	char half;
	int used = 0;
	u32 i;

	if (sscanf(s, "u%u.w%c%n", &n, &half, &used) == 2 && n < 128) {
		*len = (size_t)used;
		return (int)(BI_FAU_UNIFORM | n);
	}
	if (sscanf(s, "blend_descriptor_%u.%c%n", &n, &half, &used) == 2 && n < 8) {
		*len = (size_t)used;
		return (int)(BI_FAU_BLEND + n);
	}
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		size_t k = strlen(names[i]);

		if (strncmp(s, names[i], k) || s[k] != '.' ||
		    (s[k + 1] != 'x' && s[k + 1] != 'y') || (s[k + 2] && s[k + 2] != '.'))
			continue;
		*len = k + 2;
		return (int)i;
	}
	return -1;
}

/* A constant or a target among the operands. Return: 0 neither. */
static int read_need(const struct bas *as, const struct bas_clause *c, const char *s,
		     struct need *need)
{
	size_t len = strcspn(s, ".");
	char buf[16];
	s64 quad;
	u64 v;

	if (len < sizeof(buf) && s[0] >= '0' && s[0] <= '9') {
		memcpy(buf, s, len);
		buf[len] = '\0';
		if (!bas_number(buf, 0xffffffff, &v))
			return 0;
		*need = (struct need){ false, (u32)v };
		return 1;
	}
	if (!bas_target(as, s, len, &quad))
		return 0;
	*need = (struct need){ true, (u32)(quad - c->pos) * 16 & 0x0fffffff };
	return 1;
}

static int read_tuple(struct bas *as, struct bas_clause *c, u32 i, struct pool *pool)
{
	struct bas_tuple *t = &c->tuples[i];
	struct need need[2], one;
	int fau = -1, index;
	u32 n = 0, k, j;
	size_t len;

	for (k = 0; k < 2 * BAS_MAX_OPERANDS; k++) {
		const struct bas_op *op = &t->op[k / BAS_MAX_OPERANDS];

		if (k % BAS_MAX_OPERANDS >= op->noperands)
			continue;
		index = special_index(op->operand[k % BAS_MAX_OPERANDS], &len);
		if (index >= 0) {
			if (fau >= 0 && fau != index)
				return bas_error(as, t->line, "two special values in a tuple");
			fau = index;
			continue;
		}
		if (!read_need(as, c, op->operand[k % BAS_MAX_OPERANDS], &one))
			continue;
		for (j = 0; j < n; j++)
			if (need[j].pc == one.pc && need[j].value == one.value)
				break;
		if (j == 2)
			return bas_error(as, t->line, "more than two constants in a tuple");
		need[j] = one;
		n = j == n ? n + 1 : n;
	}
	if (n && fau >= 0)
		return bas_error(as, t->line, "constants and a special value in a tuple");
	if (fau >= 0)
		t->ports.fau = (u8)fau;
	if (n)
		place(pool, i, need, n);
	return 0;
}

/*
 * Assign entries to constants; @pc: PC-relative entry, -1 for none. The difference of a
 * pair's upper bits marks PC-relative constants: absolute pairs are ordered so that it
 * marks neither.
 */
static void order(const struct pool *pool, u32 *at, int pc, u32 shared, u32 nconsts)
{
	u32 next = 0, i;

	for (i = 0; i < nconsts; i++) {
		while (next < pool->n && pool->c[next].pc)
			next++;
		at[i] = next < pool->n ? next : BI_MAX_TUPLES;
		if ((int)i != pc)
			next++;
	}
	for (i = 0; pc >= 0 && i < pool->n; i++)
		if (pool->c[i].pc)
			at[pc] = i;
	for (i = shared; i + 1 < nconsts; i += 2) {
		u32 a = pool->c[at[i]].value[1] >> 28, b = pool->c[at[i + 1]].value[1] >> 28;

		if ((int)i != pc && ((a - b) & 15) - 1 < 7)
			swap(at[i], at[i + 1]);
	}
}

/* Number of constants of the clause. The first eligible one becomes PC-relative. */
static int count(struct bas *as, struct bas_clause *c, const struct pool *pool, int *pc)
{
	u32 shared = bi_min_consts(c->ntuples), n = pool->n, pcs = 0, i;

	for (i = 0; i < pool->n; i++)
		pcs += pool->c[i].pc;
	if (pcs > 1)
		return bas_error(as, c->line, "more than one branch target in a clause");
	*pc = !pcs ? -1 : shared && !bi_const_has_modes(c->ntuples);
	n = max_t(u32, n, max_t(u32, shared, (u32)(*pc + 1)));
	n += (n - shared) % 2;
	if (n > bi_max_consts(c->ntuples))
		return bas_error(as, c->line, "more constants than the clause has room for");
	return (int)n;
}

static int store_pool(struct bas *as, struct bas_clause *c, struct pool *pool)
{
	u32 at[BI_MAX_TUPLES + 1], shared = bi_min_consts(c->ntuples), i, k;
	int pc = -1, n = count(as, c, pool, &pc);

	if (n < 0)
		return n;
	order(pool, at, pc, shared, (u32)n);
	memset(c->c.consts, 0, sizeof(c->c.consts));
	c->c.nconsts = (u8)n;
	for (i = 0; i < (u32)n; i++) {
		const struct pooled *p = &pool->c[at[i]];

		c->c.consts[i] = (u64)p->value[1] << 32 | (p->value[0] & ~15U);
		for (k = 0; k < c->ntuples; k++)
			if (pool->of_tuple[k] == at[i] + 1)
				c->tuples[k].ports.fau = (u8)bi_const_fau(i, pool->low[k]);
	}
	/* 4: the upper half of this entry, not of the next one */
	c->c.m = !pc && shared ? 4 : 0;
	if (pc >= 0 && !c->c.m)
		c->c.consts[pc] |= ((c->c.consts[pc + 1] >> 60) + 4) << 60;
	return 0;
}

int bas_assign_consts(struct bas *as, struct bas_clause *c)
{
	struct pool pool = { };
	u32 i;
	int ret;

	for (i = 0; i < c->ntuples; i++) {
		ret = read_tuple(as, c, i, &pool);
		if (ret)
			return ret;
	}
	return store_pool(as, c, &pool);
}
