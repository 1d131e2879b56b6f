// SPDX-License-Identifier: GPL-2.0
/*
 * Strict mode: every rule of the pipeline ends a job that breaks it, at the instruction
 * that does and with the rule's number; not a job that keeps just the distance it has
 * to; and nothing of that happens otherwise.
 */
#include "../include/tap.h"
#include "kern.h"

static struct kern K;

/**
 * struct rule - rule and a way to break it
 * @rule: enum qpu_hazard
 * @what: description for the report
 * @distance: instructions between the two that satisfy the rule; ~0: none do
 * @first: emits the preceding instruction
 * @second: emits the instruction at fault
 */
struct rule {
	unsigned int rule;
	const char *what;
	unsigned int distance;
	void (*first)(struct q_prog *p);
	void (*second)(struct q_prog *p);
};

static void nothing(struct q_prog *p)
{
}

static void write_a(struct q_prog *p)
{
	q_ldi(p, Q_A(3), 5);
}

static void read_a(struct q_prog *p)
{
	q_mov(p, QR0, Q_A(3));
}

static void write_b_by_mul(struct q_prog *p)
{
	q_mul(p, Q_V8MIN, Q_B(31), QR1, QR1);
}

static void read_b(struct q_prog *p)
{
	q_mul(p, Q_FMUL, QR0, QR1, Q_B(31));
}

static void write_target(struct q_prog *p)
{
	q_ldi(p, Q_A(4), 0);
}

/* Branches by register 4, which is 0, to the following instruction. */
static void branch_by_a(struct q_prog *p)
{
	q_word(p, q_branch_word(Q_BR_ALWAYS, 1, 4, Q_NOWHERE, 0));
	q_nop(p);
	q_nop(p);
	q_nop(p);
}

static void write_r5(struct q_prog *p)
{
	q_mov(p, Q_R5ALL, QR1);
}

static void rotate_by_r5(struct q_prog *p)
{
	Q(p, .mop = Q_V8MIN, .md = QR0, .ma = QR1, .mb = QR1, .rot = 16);
}

static void start_sfu(struct q_prog *p)
{
	q_mov(p, Q_SFU(0), QR1);
}

static void read_r4(struct q_prog *p)
{
	q_mov(p, QR0, QR4);
}

/* A lookup long before, and a function just before its result arrives. */
static void lookup_and_sfu(struct q_prog *p)
{
	q_mov(p, Q_TMU_S(0), QR2);
	q_nop(p);
	start_sfu(p);
}

static void load_r4(struct q_prog *p)
{
	Q(p, .sig = Q_WITH(Q_SIG_LDTMU0));
}

static void move_uniforms(struct q_prog *p)
{
	q_mov(p, Q_UNIF_ADDR, QR2);
}

static void read_uniform(struct q_prog *p)
{
	q_mov(p, QR0, Q_UNIF_B);
}

/* The thread has four, of which the first instruction reads one. */
static void read_all_uniforms(struct q_prog *p)
{
	q_mov(p, QR0, Q_UNIF_B);
	q_mov(p, QR0, Q_UNIF);
	q_mov(p, QR0, Q_UNIF_B);
}

static void undefined_op(struct q_prog *p)
{
	q_op(p, 9, QR0, QR1, QR1);
}

static void branch_on(struct q_prog *p)
{
	q_word(p, q_branch_word(Q_BR_ALWAYS, 1, ~0u, Q_NOWHERE, 0));
}

static void free_mutex(struct q_prog *p)
{
	q_mov(p, Q_MUTEX_FREE, QR1);
}

static void fill_tmu(struct q_prog *p)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		q_mov(p, Q_TMU_S(1), QR2);
}

static void one_more(struct q_prog *p)
{
	q_mov(p, Q_TMU_S(1), QR2);
}

static const struct rule rules[] = {
	{ QPU_HZ_REG_RAW, "file A", 1, write_a, read_a },
	{ QPU_HZ_REG_RAW, "file B, multiplier", 1, write_b_by_mul, read_b },
	{ QPU_HZ_REG_RAW, "branch target", 1, write_target, branch_by_a },
	{ QPU_HZ_R5_ROTATE, "rotation", 1, write_r5, rotate_by_r5 },
	{ QPU_HZ_SFU_R4, "r4 read", 2, start_sfu, read_r4 },
	{ QPU_HZ_SFU_R4, "r4 loaded", 2, lookup_and_sfu, load_r4 },
	{ QPU_HZ_SFU_BUSY, "two functions", 2, start_sfu, start_sfu },
	{ QPU_HZ_UNIF, "uniform", 2, move_uniforms, read_uniform },
	{ QPU_HZ_UNDEFINED_OP, "code 9", ~0u, nothing, undefined_op },
	{ QPU_HZ_BRANCH, "in a delay slot", 2, branch_on, branch_on },
	{ QPU_HZ_MUTEX, "not held", ~0u, nothing, free_mutex },
	{ QPU_HZ_TMU_FULL, "ninth request", ~0u, fill_tmu, one_more },
	{ QPU_HZ_UNIF_END, "fifth of four uniforms", ~0u, read_all_uniforms, read_uniform },
};

/* The program with @gap instructions between; number of the instruction in question. */
static unsigned int build(const struct rule *r, unsigned int gap)
{
	unsigned int at;
	uint32_t u[4];

	kern_begin(&K);
	/* r2 is an address, r1 a number. */
	q_mov(&K.p, QR2, Q_UNIF);
	q_ldi(&K.p, QR1, 0x3f800000);
	q_nop(&K.p);
	q_nop(&K.p);
	r->first(&K.p);
	while (gap--)
		q_nop(&K.p);
	at = K.p.n;
	r->second(&K.p);
	q_nop(&K.p);
	q_nop(&K.p);
	q_nop(&K.p);
	q_end(&K.p);
	kern_code(&K);
	u[0] = kern_alloc(&K, 16);
	u[1] = 0;
	u[2] = 0;
	u[3] = 0;
	kern_thread(&K, 0, u, 4);
	return at;
}

static void check_rule(const struct rule *r, unsigned int ex)
{
	unsigned int at, most = r->distance == ~0u ? 1 : r->distance, gap;
	struct qx_result res;
	bool ok = true;

	for (gap = 0; gap < most; gap++) {
		at = build(r, gap);
		kern_run(&K, ex, QPU_SW_STRICT_HAZARDS, 0, &res);
		ok &= res.kind == VS_FAULT_HAZARD && res.code == r->rule &&
		      res.pc == KERN_BASE + 8 * at && res.counters.hazards <= 1;
	}
	tap_result(ok, "%s: rule %u, %s: a fault", qx_name(ex), r->rule, r->what);
	if (r->distance != ~0u) {
		build(r, r->distance);
		kern_run(&K, ex, QPU_SW_STRICT_HAZARDS, 0, &res);
		tap_result(!res.kind && !res.counters.hazards, "%s: rule %u, %s: kept",
			   qx_name(ex), r->rule, r->what);
	}
	build(r, 0);
	kern_run(&K, ex, 0, 0, &res);
	tap_result(!res.kind, "%s: rule %u, %s: nothing without strict mode", qx_name(ex),
		   r->rule, r->what);
}

int main(void)
{
	unsigned int ex, i;

	tap_start();
	for (ex = 1; ex < qx_count(); ex++) {
		for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
			check_rule(&rules[i], ex);
	}
	return tap_done();
}
