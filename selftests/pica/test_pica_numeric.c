// SPDX-License-Identifier: GPL-2.0
/*
 * Arithmetic of every build of the engine, operation by operation, on many
 * operands of several kinds, against the reference. Everything is exact but
 * RSQ, EX2 and LG2, whose largest distance is reported and bounded.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "engine_run.h"
#include "options.h"
#include "vectors.h"

#define NUM_MODELS	3
#define LANES		(64 * 16)
#define REGISTER_LANES	130
#define BATCHES		6
#define LONG_BATCHES	400
/* The portable build runs every third batch. */
#define PORTABLE_SHARE	3
/* Bound of RSQ, EX2 and LG2 in units of the last place of the model. */
#define APPROX_ULP	PICA_EXEC_APPROX_ULP

static const struct {
	unsigned int op;
	const char *name;
} ops[] = {
	{ ADD, "ADD" }, { MUL, "MUL" }, { MAD, "MAD" }, { MADI, "MADI" }, { DP3, "DP3" },
	{ DP4, "DP4" }, { DPH, "DPH" }, { DPHI, "DPHI" }, { DST, "DST" }, { DSTI, "DSTI" },
	{ SGE, "SGE" }, { SGEI, "SGEI" }, { SLT, "SLT" }, { SLTI, "SLTI" }, { MAX, "MAX" },
	{ MIN, "MIN" }, { FLR, "FLR" }, { LITP, "LITP" }, { MOV, "MOV" }, { MOVA, "MOVA" },
	{ CMP, "CMP" }, { RCP, "RCP" }, { RSQ, "RSQ" }, { EX2, "EX2" }, { LG2, "LG2" },
};

static bool is_approximate(unsigned int op)
{
	return op == RSQ || op == EX2 || op == LG2;
}

#define NUM_OPS	(sizeof(ops) / sizeof(ops[0]))

/* Kinds of operands. A batch has one kind, so that optimistic code gets its chance. */
enum kind {
	TAME,		/* magnitudes from 2^-8 to 2^8 */
	RANGE24,	/* any normal value of 1.7.16 */
	EDGES,		/* near the smallest and largest of 1.7.16 and of its scaled form */
	CLOSE,		/* operands close to each other, for cancellation */
	ANY,		/* any binary32 pattern */
	SPECIAL,	/* pairs of special values */
	NUM_KINDS
};

static const char *const kind_names[NUM_KINDS] = {
	"tame", "any 1.7.16", "edges", "close", "any binary32", "special",
};

static uint64_t rng_state;

static uint32_t rng(void)
{
	rng_state = rng_state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(rng_state >> 32);
}

static uint32_t with_exponent(unsigned int exponent)
{
	uint32_t r = rng(), m = rng() & 0x7fffff;

	/* Often values that 1.7.16 has, and mantissas at the ends. */
	if (r & 1)
		m &= 0x7fff80;
	if ((r & 0xf0) == 0)
		m = r & 0x100 ? 0x7fffff : 0;
	if ((r & 0xf0) == 0x10)
		m &= 0xff;
	return (r & 0x80000000u) | exponent << 23 | m;
}

static uint32_t special(void)
{
	static const uint32_t v[] = {
		F0, N0, F1, M1, F2, FHALF, FINF, MINF, FNAN, 0xffc00000, 0x7f800001, SUB24, MSUB24,
		0x18800000, 0x187fffff, 0x18000000, 0x18000001, 0x207fffff, MIN24, 0xa0800000,
		MAX24, 0x5f7fffff, 0x5f800000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff,
		0xff7fffff, 0x3f800001, 0x3f80007f, 0x3f800040, 0x42fe0000, 0x43000000, 0xc3000000,
		0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4b800000, 0x3f7fffff, 0x427c0000,
		0xc2fc0000, 0xc3150000, 0xc3160000,
	};

	return v[rng() % (sizeof(v) / sizeof(v[0]))];
}

static uint32_t operand(enum kind kind, uint32_t other)
{
	switch (kind) {
	case TAME:
		return with_exponent(119 + rng() % 17);
	case RANGE24:
		return with_exponent(65 + rng() % 126);
	case EDGES:
		switch (rng() % 4) {
		case 0:
			return with_exponent(64 + rng() % 4);
		case 1:
			return with_exponent(187 + rng() % 5);
		case 2:
			return with_exponent(155 + rng() % 6);
		default:
			return with_exponent(94 + rng() % 3);
		}
	case CLOSE:
		return (other ^ (rng() & 0x80000000u)) + ((rng() & 0x3ff) << 7) - 0x8000;
	case ANY:
		return rng();
	default:
		return special();
	}
}

/* A program with a single operation; results in o0, flags and a0 as registers. */
static unsigned int build(unsigned int op, uint32_t code[4])
{
	unsigned int n = 0;

	switch (op) {
	case MAD:
		code[n++] = IMAD(O(0), 0, V(0), V(1), V(2), 0);
		break;
	case MADI:
		code[n++] = IMADI(O(0), 0, V(0), V(1), V(2), 0);
		break;
	case CMP:
		code[n++] = ICMP(rng() % 6, rng() % 6, 0, V(0), V(1), 0);
		break;
	case DPHI: case DSTI: case SGEI: case SLTI:
		code[n++] = I1I(op, O(0), 0, V(0), V(1), 0);
		break;
	default:
		code[n++] = I1(op, O(0), 0, V(0), V(1), 0);
		break;
	}
	code[n++] = I0(END);
	return n;
}

static void fill(pica_input_regs *v, enum kind kind)
{
	unsigned int i, r, c;

	memset(v, 0, LANES * sizeof(*v));
	for (i = 0; i < LANES; i++)
		for (r = 0; r < 3; r++)
			for (c = 0; c < 4; c++)
				v[i][r][c] = operand(r || kind != CLOSE ? kind : TAME,
						     r ? v[i][r - 1][c] : 0);
}

static uint32_t distance(enum pica_ref_model model, uint32_t want, uint32_t got)
{
	uint32_t d = want > got ? want - got : got - want;

	if (isnan(pica_ref_from_bits(want)))
		return isnan(pica_ref_from_bits(got)) ? 0 : ~0u;
	return model == PICA_REF_F32 ? d : (d + 0x7f) / 0x80;
}

/* Largest distance of an output, flags and a0 included as "wrong" if they differ. */
static uint32_t worst_of(const struct pica_exec_job *job, const struct pica_exec_lane *want,
			 const struct pica_exec_lane *got, unsigned int *lane, unsigned int *comp)
{
	uint32_t worst = 0, d;
	unsigned int i, c;

	for (i = 0; i < job->n; i++) {
		for (c = 0; c < 4; c++) {
			d = distance(job->prog.model, want[i].o[0][c], got[i].o[0][c]);
			if (d <= worst)
				continue;
			worst = d;
			*lane = i;
			*comp = c;
		}
		if (!job->registers)
			continue;
		if (want[i].cc[0] != got[i].cc[0] || want[i].cc[1] != got[i].cc[1] ||
		    want[i].a0[0] != got[i].a0[0] || want[i].a0[1] != got[i].a0[1]) {
			*lane = i;
			*comp = 0;
			return ~0u;
		}
	}
	return worst;
}

/* Result of one executor on one operation. */
struct score {
	uint32_t worst;
	unsigned long runs;
	char why[250];
};

static struct score scores[8];

static void note(struct score *s, uint32_t worst, const struct pica_exec_job *job,
		 const struct pica_exec_lane *want, const struct pica_exec_lane *got,
		 unsigned int i, unsigned int c, enum kind kind)
{
	const uint32_t (*v)[4] = (const uint32_t (*)[4])job->v[i];

	s->runs++;
	if (worst <= s->worst)
		return;
	s->worst = worst;
	snprintf(s->why, sizeof(s->why),
		 "%s, %s: (%08x %08x %08x %08x) (%08x %08x %08x %08x) %08x gives .%c %08x, reference %08x, flags %d %d, %d %d",
		 pica_model_name(job->prog.model), kind_names[kind], v[0][0], v[0][1], v[0][2],
		 v[0][3], v[1][0], v[1][1], v[1][2], v[1][3], v[2][c], "xyzw"[c],
		 got[i].o[0][c], want[i].o[0][c], got[i].cc[0], got[i].cc[1], want[i].cc[0],
		 want[i].cc[1]);
}

static void run_batch(struct pica_executor **others, struct pica_exec_job *job, enum kind kind,
		      bool portable)
{
	static struct pica_exec_lane want[LANES], got[LANES], first[LANES];
	unsigned int i, lane = 0, comp = 0;
	bool have_first = false;

	pica_exec_ref.vertex(&pica_exec_ref, job, want);
	for (i = 0; others[i]; i++) {
		struct pica_executor *ex = others[i];
		uint32_t worst;

		if (ex == &pica_exec_ref || (strstr(ex->name, "portable") && !portable))
			continue;
		if (ex->vertex(ex, job, got)) {
			scores[i].worst = ~0u;
			snprintf(scores[i].why, sizeof(scores[i].why), "%.100s", ex->error);
			continue;
		}
		worst = worst_of(job, want, got, &lane, &comp);
		note(&scores[i], worst, job, want, got, lane, comp, kind);
		if (!have_first)
			memcpy(first, got, job->n * sizeof(got[0]));
		else if (memcmp(first, got, job->n * sizeof(got[0])))
			note(&scores[i], ~0u, job, first, got, 0, 0, kind);
		have_first = true;
	}
}

static void test_op(struct pica_executor **others, unsigned int n, unsigned int batches)
{
	static uint32_t v[LANES][16][4];
	static uint32_t desc[1];
	unsigned int b, kind, m, i;
	struct pica_exec_job job;
	uint32_t code[4];

	memset(scores, 0, sizeof(scores));
	for (b = 0; b < batches; b++) {
		for (kind = 0; kind < NUM_KINDS; kind++) {
			fill(v, (enum kind)kind);
			memset(&job, 0, sizeof(job));
			job.prog.code = code;
			job.prog.ncode = build(ops[n].op, code);
			desc[0] = DESC(0xf, SEL_XYZW, b >> 1 & 1, SEL_XYZW, b & 1, SEL_XYZW,
				       b >> 2 & 1);
			job.prog.opdesc = desc;
			job.prog.nopdesc = 1;
			job.prog.output_mask = 0xffff;
			job.prog.step_limit = 10;
			job.v = v;
			/* Reading registers takes long. */
			job.registers = ops[n].op == CMP || ops[n].op == MOVA ||
					ops[n].op == LITP;
			job.n = job.registers ? REGISTER_LANES : LANES;
			for (m = 0; m < NUM_MODELS; m++) {
				job.prog.model = (enum pica_ref_model)m;
				run_batch(others, &job, (enum kind)kind,
					  b % PORTABLE_SHARE == 0);
			}
		}
	}
	for (i = 0; others[i]; i++) {
		if (others[i] == &pica_exec_ref)
			continue;
		if (!tap_result(scores[i].runs &&
				scores[i].worst <= (is_approximate(ops[n].op) ? APPROX_ULP : 0),
				"%s %s: %lu runs, at most %u places off", others[i]->name,
				ops[n].name, scores[i].runs, scores[i].worst))
			tap_comment("  %s", scores[i].why);
	}
}

int main(int argc, char **argv)
{
	struct pica_executor **others;
	struct pica_options opt;
	unsigned int n, batches;

	pica_options_parse(argc, argv, &opt);
	rng_state = opt.seed;
	batches = (unsigned int)pica_options_count(&opt, 1, BATCHES, LONG_BATCHES);
	others = pica_executors(opt.executor);
	for (n = 0; n < NUM_OPS; n++)
		test_op(others, n, batches);
	return tap_done();
}
