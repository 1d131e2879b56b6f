// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's debugger on PICA200 programs, in process: single steps, breakpoints,
 * registers, positions of lanes, traces. The state of random programs is compared with
 * the reference interpreter. A debugged block always runs on the portable executor, so
 * that random programs need only one build.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../include/block_debug.h"
#include "../include/tap.h"
#include "engine_run.h"
#include "gen_random.h"
#include "options.h"
#include "vectors.h"

#define LANES		70
#define BLOCK_LANES	64
#define ALL		(~0ull)
#define STEP_LIMIT	400
#define COUNT		60
#define QUICK_COUNT	15
#define LONG_COUNT	1500
#define MAX_PATH	4096

/* A job and its debugger. */
struct session {
	struct engine_job e;
	struct block_debug *d;
	char why[200];
};

static struct pica_options opt;
static enum vs_simd simd;
static uint32_t inputs[LANES][16][4];

static bool fail(struct session *s, const char *what)
{
	if (!s->why[0])
		snprintf(s->why, sizeof(s->why), "%s", what);
	return false;
}

static bool expect(struct session *s, bool ok, const char *what)
{
	return ok || fail(s, what);
}

static void report(struct session *s, const char *name)
{
	if (!tap_result(!s->why[0], "%s: %s", vs_simd_name(simd), name))
		tap_comment("  %s", s->why);
}

static bool start(struct session *s, const struct pica_exec_job *job, u32 block)
{
	struct vs_job_limits lim = { .simd = simd, .slice = 3000 };
	enum pica_ref_status refusal;

	memset(s, 0, sizeof(*s));
	if (engine_job_init(&s->e, job, simd, &refusal, s->why, sizeof(s->why)))
		return false;
	lim.budget = s->e.how.budget;
	s->d = bd_new(&s->e.mem.map, &lim, &s->e.l, block);
	if (!s->d)
		abort();
	return true;
}

static void end(struct session *s)
{
	if (s->d)
		bd_free(s->d);
	engine_job_fini(&s->e);
}

/* One component of a lane; a value that nothing should equal if it cannot be read. */
static uint32_t reg(struct session *s, const char *name, u32 comp, u32 lane)
{
	u32 v;

	return bd_reg_read(s->d, name, comp, lane, &v) ? 0xdeadbeef : v;
}

/*
 * The program most tests use: increments r0.x in a loop of three, adds v0 and diverges on
 * v0.y.
 */
static const uint32_t count_code[] = {
	/* 0 */ I1(MOV, R(0), 0, C(0), 0, 0),
	/* 1 */ I3(LOOP, 0, 3, 0),
	/* 2 */ I1(ADD, R(0), 0, C(1), R(0), 0),
	/* 3 */ I0(NOP),
	/* 4 */ ICMP(0, 0, 0, V(0), V(1), 0),
	/* 5 */ I2(JMPC, 0, 1, 3, 8, 0),
	/* 6 */ I1(ADD, R(0), 0, V(0), R(0), 0),
	/* 7 */ I1(MOVA, 0, 0, V(2), 0, 0),
	/* 8 */ I1(MOV, O(0), 0, R(0), 0, 0),
	/* 9 */ I0(END),
};

static const uint32_t plain_desc[] = { DESC_PLAIN(0xf) };

/* Odd lanes take the jump of word 5: v0.y == 0. */
static void count_job(struct pica_exec_job *job, enum pica_ref_model model)
{
	unsigned int i, j;

	memset(job, 0, sizeof(*job));
	memset(inputs, 0, sizeof(inputs));
	for (i = 0; i < LANES; i++) {
		for (j = 0; j < 4; j++)
			inputs[i][0][j] = pica_ref_to_bits((float)(100 + i));
		inputs[i][0][1] = i & 1 ? F0 : F2;
		inputs[i][2][0] = pica_ref_to_bits(-(float)i);
		inputs[i][2][1] = pica_ref_to_bits(i + 0.75f);
	}
	for (j = 0; j < 4; j++)
		job->uniforms.f[1][j] = F1;
	job->uniforms.i[0][0] = 2;
	job->uniforms.i[0][1] = 10;
	job->uniforms.i[0][2] = 5;
	job->n = LANES;
	job->v = inputs;
	job->prog.code = count_code;
	job->prog.ncode = sizeof(count_code) / 4;
	job->prog.opdesc = plain_desc;
	job->prog.nopdesc = 1;
	job->prog.model = model;
	job->prog.output_mask = 0xffff;
	job->prog.step_limit = STEP_LIMIT;
}

static bool stands(struct session *s, u32 pc, u64 mask)
{
	u64 lanes = 0;
	u32 got = bd_pc(s->d, &lanes);

	if (got == pc && lanes == mask)
		return true;
	if (!s->why[0])
		snprintf(s->why, sizeof(s->why), "at word %u, lanes %llx; want %u, %llx", got,
			 (unsigned long long)lanes, pc, (unsigned long long)mask);
	return false;
}

static bool step_to(struct session *s, u32 pc, u64 mask)
{
	if (bd_step(s->d) != BD_STEP)
		return fail(s, "a step did not stop as one");
	return stands(s, pc, mask);
}

static void test_step(enum pica_ref_model model)
{
	static const u32 way[] = { 0, 1, 2, 3, 2, 3, 2, 3, 4, 5 };
	const u64 odd = 0xaaaaaaaaaaaaaaaaull, even = ~odd;
	struct pica_exec_job job;
	struct session s;
	char name[64];
	unsigned int i;

	count_job(&job, model);
	if (start(&s, &job, 0) && stands(&s, 0, ALL)) {
		for (i = 1; i < sizeof(way) / sizeof(way[0]); i++)
			if (!step_to(&s, way[i], ALL))
				break;
		/* The flags decide: the lanes that do not jump run first. */
		expect(&s, reg(&s, "r0", 0, 3) == F3, "r0.x is not 3 after the loop");
		expect(&s, reg(&s, "aL", 0, 3) == 25, "aL is not 25 after the loop");
		expect(&s, reg(&s, "cmp", 1, 3) == 1 && reg(&s, "cmp", 1, 4) == 0,
		       "cmp.y does not show the comparison");
		step_to(&s, 6, even);
		expect(&s, bd_lane_pc(s.d, 3) == 8 && bd_lane_pc(s.d, 4) == 6,
		       "lanes are not where they should be");
		step_to(&s, 7, even);
		expect(&s, reg(&s, "r0", 0, 4) == pica_ref_to_bits(107), "r0.x of lane 4");
		expect(&s, reg(&s, "r0", 0, 5) == F3, "r0.x of lane 5, which does not take part");
		step_to(&s, 8, ALL);
		expect(&s, reg(&s, "a0", 0, 6) == (uint32_t)-6 && reg(&s, "a0", 1, 6) == 6,
		       "a0 of lane 6");
		expect(&s, reg(&s, "a0", 0, 7) == 0, "a0 of lane 7");
		step_to(&s, 9, ALL);
		expect(&s, reg(&s, "o0", 0, 4) == pica_ref_to_bits(107), "o0.x of lane 4");
		expect(&s, bd_step(s.d) == BD_DONE, "END does not end");
		expect(&s, bd_lane_pc(s.d, 4) == ~0u, "a lane that has ended has a position");
	}
	snprintf(name, sizeof(name), "single steps, %s", pica_model_name(model));
	report(&s, name);
	end(&s);
}

static void test_tail_block(void)
{
	struct pica_exec_job job;
	struct session s;
	unsigned int i;

	count_job(&job, PICA_REF_F32);
	if (start(&s, &job, 1) && stands(&s, 0, (1ull << (LANES - BLOCK_LANES)) - 1)) {
		expect(&s, reg(&s, "v0", 0, 0) == pica_ref_to_bits(100 + BLOCK_LANES),
		       "lane 0 of block 1 is not invocation 64");
		expect(&s, bd_continue(s.d) == BD_DONE, "does not end");
		for (i = BLOCK_LANES; i < LANES; i++) {
			float want = 3.0f + (i & 1 ? 0.0f : 100.0f + i);

			expect(&s, reg(&s, "o0", 0, i - BLOCK_LANES) == pica_ref_to_bits(want),
			       "output of the last block");
		}
	}
	report(&s, "a block that is not full");
	end(&s);
}

static void test_break(void)
{
	struct pica_exec_job job;
	struct session s;
	unsigned int i;

	count_job(&job, PICA_REF_F32);
	if (start(&s, &job, 0)) {
		expect(&s, bd_break_set(s.d, 2), "cannot set a breakpoint");
		expect(&s, bd_break_set(s.d, 11), "cannot set one after the code");
		for (i = 0; i < 3; i++) {
			expect(&s, bd_continue(s.d) == BD_BREAK, "no stop");
			stands(&s, 2, ALL);
			expect(&s, reg(&s, "r0", 0, 9) == pica_ref_to_bits((float)i), "r0.x");
			expect(&s, reg(&s, "aL", 0, 9) == 10 + 5 * i, "aL");
			/* A step over it executes the instruction, not the breakpoint. */
			if (i == 1)
				step_to(&s, 3, ALL);
		}
		expect(&s, bd_break_clear(s.d, 2), "cannot clear");
		expect(&s, bd_break_set(s.d, 7), "cannot set another");
		expect(&s, bd_continue(s.d) == BD_BREAK, "no stop at the other");
		stands(&s, 7, 0x5555555555555555ull);
		expect(&s, bd_continue(s.d) == BD_DONE, "does not end");
		expect(&s, reg(&s, "o0", 0, 8) == pica_ref_to_bits(111), "result");
	}
	report(&s, "breakpoints");
	end(&s);
}

static void test_write(enum pica_ref_model model)
{
	struct pica_exec_job job;
	struct session s;
	char name[64];
	u32 v;

	count_job(&job, model);
	if (start(&s, &job, 0)) {
		bd_break_set(s.d, 4);
		expect(&s, bd_continue(s.d) == BD_BREAK, "no stop");
		expect(&s, !bd_reg_write(s.d, "r0", 0, 20, pica_ref_to_bits(40)), "r0.x");
		expect(&s, !bd_reg_write(s.d, "r0", 2, 21, pica_ref_to_bits(-7)), "r0.z");
		/* v0.y of a lane decides the jump; then v0.x is not added. */
		expect(&s, !bd_reg_write(s.d, "v0", 1, 30, F0), "v0.y");
		expect(&s, reg(&s, "r0", 0, 20) == pica_ref_to_bits(40), "reads back");
		expect(&s, bd_continue(s.d) == BD_DONE, "does not end");
		expect(&s, reg(&s, "o0", 0, 20) == pica_ref_to_bits(160), "o0.x of lane 20");
		expect(&s, reg(&s, "o0", 2, 21) == pica_ref_to_bits(-7), "o0.z of lane 21");
		expect(&s, reg(&s, "o0", 0, 30) == F3, "o0.x of lane 30");
		expect(&s, reg(&s, "o0", 0, 22) == pica_ref_to_bits(125), "o0.x of lane 22");
		expect(&s, reg(&s, "o0", 0, 23) == F3, "o0.x of lane 23");

		expect(&s, bd_reg_read(s.d, "r16", 0, 0, &v) < 0, "r16 is read");
		expect(&s, bd_reg_read(s.d, "", 0, 0, &v) < 0, "no name is read");
		expect(&s, bd_reg_read(s.d, "c0", 0, 0, &v) < 0, "c0 is read as a lane's");
		expect(&s, bd_reg_read(s.d, "r0", 4, 0, &v) < 0, "component 4");
		expect(&s, bd_reg_read(s.d, "aL", 1, 0, &v) < 0, "aL.y");
		expect(&s, bd_reg_read(s.d, "r0", 0, BLOCK_LANES, &v) < 0, "lane 64");
		expect(&s, bd_reg_write(s.d, "r0", 0, ~0u, 0) < 0, "lane ~0");
		expect(&s, bd_reg_write(s.d, "x", 0, 0, 0) < 0, "x is written");
	}
	snprintf(name, sizeof(name), "register writes, %s", pica_model_name(model));
	report(&s, name);
	end(&s);
}

/* Flags, aL and a0 are written, too. */
static void test_write_special(void)
{
	static const uint32_t code[] = {
		I0(NOP),
		I1(MOV, O(0), 1, C(0), 0, 0),
		I1(MOV, O(1), 3, C(0), 0, 0),
		I2(JMPC, 1, 0, 2, 5, 0),
		I0(END),
		I1(MOV, O(2), 0, C(3), 0, 0),
		I0(END),
	};
	struct pica_exec_job job;
	struct session s;
	unsigned int i;

	count_job(&job, PICA_REF_F24_TRUNC);
	job.prog.code = code;
	job.prog.ncode = sizeof(code) / 4;
	for (i = 0; i < PICA_REF_NUM_CF; i++)
		job.uniforms.f[i][0] = pica_ref_to_bits((float)(1000 + i));
	if (start(&s, &job, 0)) {
		expect(&s, !bd_reg_write(s.d, "a0", 0, 5, 17), "a0.x");
		expect(&s, !bd_reg_write(s.d, "a0", 0, 6, (u32)-1), "a0.x");
		expect(&s, !bd_reg_write(s.d, "a0", 0, 7, 0x40000000), "a0.x");
		expect(&s, !bd_reg_write(s.d, "aL", 0, 5, 9), "aL");
		expect(&s, !bd_reg_write(s.d, "cmp", 0, 8, 1), "cmp.x");
		expect(&s, bd_continue(s.d) == BD_DONE, "does not end");
		expect(&s, reg(&s, "o0", 0, 5) == pica_ref_to_bits(1017), "row by a0.x");
		expect(&s, reg(&s, "o0", 0, 6) == F1, "row -1");
		expect(&s, reg(&s, "o0", 0, 7) == pica_ref_to_bits(1000), "a far offset");
		expect(&s, reg(&s, "o1", 0, 5) == pica_ref_to_bits(1009), "row by aL");
		expect(&s, reg(&s, "o1", 0, 4) == pica_ref_to_bits(1000), "row of another lane");
		expect(&s, reg(&s, "o2", 0, 8) == pica_ref_to_bits(1003), "lane with the flag");
		expect(&s, reg(&s, "o2", 0, 9) == F0, "lane without the flag");
	}
	report(&s, "a0, aL and flags can be written");
	end(&s);
}

static void test_faults(void)
{
	static const uint32_t hang[] = { I0(NOP), I0(BREAK), I0(END) };
	static const uint32_t off[] = { I0(NOP), I0(NOP) };
	static const uint32_t forever[] = { I0(NOP), I2(JMPC, 0, 0, 0, 0, 0) };
	static const struct {
		const char *name;
		const uint32_t *code;
		unsigned int ncode;
		u32 kind;
		u32 pc;
		enum bd_stop stop;
	} t[] = {
		{ "BREAK outside a loop", hang, 3, VS_FAULT_HANG, 1, BD_FAULT },
		{ "running off the code", off, 2, VS_FAULT_FETCH, 2, BD_FAULT },
		{ "budget", forever, 2, VS_FAULT_BUDGET, ~0u, BD_BUDGET },
	};
	struct pica_exec_job job;
	const struct vs_fault *f;
	enum bd_stop stop;
	struct session s;
	unsigned int i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		count_job(&job, PICA_REF_F32);
		job.prog.code = t[i].code;
		job.prog.ncode = t[i].ncode;
		/* the endless program is executed step by step */
		job.prog.step_limit = 20;
		if (start(&s, &job, 0)) {
			stop = bd_continue(s.d);
			expect(&s, stop == t[i].stop, "stops for another reason");
			f = bd_fault(s.d);
			if (f && f->kind != t[i].kind)
				fail(&s, "is another fault");
			expect(&s, f || stop == BD_BUDGET, "no fault record");
			if (f && t[i].pc != ~0u)
				expect(&s, f->pc == t[i].pc, "fault at another word");
		}
		report(&s, t[i].name);
		end(&s);
	}
}

/* Random programs */

struct lane_path {
	uint16_t pc[MAX_PATH];
	unsigned int n;
};

static struct lane_path paths[BLOCK_LANES], want_path;

static void record(void *arg, u32 guest, u64 mask)
{
	unsigned int i;

	(void)arg;
	for (i = 0; i < BLOCK_LANES; i++) {
		if (!(mask >> i & 1))
			continue;
		if (paths[i].n < MAX_PATH)
			paths[i].pc[paths[i].n] = (uint16_t)guest;
		paths[i].n++;
	}
}

/* Reference run of one lane with its path; false if it does not end well. */
static bool ref_path(const struct pica_exec_job *job, unsigned int lane, struct lane_path *out,
		     struct pica_ref_unit *unit, uint64_t *visits)
{
	struct pica_ref_uniforms uniforms = job->uniforms;
	struct pica_ref_result res = { .path = out->pc, .max_path = MAX_PATH, .visits = visits };

	pica_ref_reset(unit);
	memcpy(unit->v, job->v[lane], sizeof(unit->v));
	pica_ref_run(&job->prog, &uniforms, unit, &res);
	out->n = (unsigned int)res.steps;
	return res.status == PICA_REF_DONE;
}

/* A random program all of whose lanes end well. */
static bool good_program(struct gen_program *g, uint64_t seed, struct pica_exec_job *job,
			 enum pica_ref_model model, uint64_t *visits)
{
	static const unsigned int flags[] = { 0, GEN_CHAOTIC, GEN_DEEP, GEN_CHAOTIC | GEN_WILD };
	struct pica_ref_unit unit;
	unsigned int i;

	gen_program(g, seed, flags[seed % 4]);
	gen_job(g, model, STEP_LIMIT, job, inputs, BLOCK_LANES - seed % 3);
	memset(visits, 0, GEN_MAX_WORDS * sizeof(*visits));
	for (i = 0; i < job->n; i++)
		if (!ref_path(job, i, &want_path, &unit, visits))
			return false;
	return true;
}

static bool same_path(struct session *s, unsigned int lane)
{
	unsigned int i;

	for (i = 0; i < want_path.n && i < paths[lane].n && i < MAX_PATH; i++)
		if (paths[lane].pc[i] != want_path.pc[i])
			break;
	if (paths[lane].n == want_path.n && (i == want_path.n || i == MAX_PATH))
		return true;
	snprintf(s->why, sizeof(s->why),
		 "lane %u: %u words executed, reference %u, first difference at %u: word %u, %u",
		 lane, paths[lane].n, want_path.n, i, i < paths[lane].n ? paths[lane].pc[i] : ~0u,
		 i < want_path.n ? want_path.pc[i] : ~0u);
	return false;
}

/* The trace has, lane by lane, the words that the reference executes. */
static bool trace_program(struct session *s, const struct pica_exec_job *job, bool single)
{
	struct pica_ref_unit unit;
	enum bd_stop stop;
	unsigned int i;

	memset(paths, 0, sizeof(paths));
	if (!start(s, job, 0))
		return false;
	bd_set_trace(s->d, record, NULL);
	do {
		stop = single ? bd_step(s->d) : bd_continue(s->d);
	} while (stop == BD_STEP);
	if (stop != BD_DONE)
		return fail(s, "does not end");
	for (i = 0; i < job->n; i++) {
		ref_path(job, i, &want_path, &unit, NULL);
		if (!same_path(s, i))
			return false;
	}
	for (; i < BLOCK_LANES; i++)
		if (paths[i].n)
			return fail(s, "a lane that is no invocation is traced");
	return true;
}

/* Single steps without a trace: masks and positions show the same paths. */
static bool step_program(struct session *s, const struct pica_exec_job *job)
{
	struct pica_ref_unit unit;
	unsigned int i;
	u64 mask;
	u32 pc;

	memset(paths, 0, sizeof(paths));
	if (!start(s, job, 0))
		return false;
	for (;;) {
		pc = bd_pc(s->d, &mask);
		if (!mask)
			return fail(s, "a group without lanes");
		for (i = 0; i < BLOCK_LANES; i++)
			if (mask >> i & 1 && bd_lane_pc(s->d, i) != pc)
				return fail(s, "a lane of the group is somewhere else");
		record(NULL, pc, mask);
		if (bd_step(s->d) != BD_STEP)
			break;
	}
	for (i = 0; i < job->n; i++) {
		ref_path(job, i, &want_path, &unit, NULL);
		if (!same_path(s, i))
			return false;
	}
	return true;
}

/* A breakpoint stops once for each execution of its word by a lane. */
static bool break_program(struct session *s, const struct pica_exec_job *job,
			  const uint64_t *visits, uint64_t seed)
{
	unsigned int i, word = (unsigned int)(seed * 7919 % job->prog.ncode);
	enum bd_stop stop;
	uint64_t count = 0;
	u64 mask;

	for (i = 0; i < job->prog.ncode && !visits[word]; i++)
		word = (word + 1) % job->prog.ncode;
	if (!start(s, job, 0))
		return false;
	if (!bd_break_set(s->d, word))
		return fail(s, "cannot set a breakpoint");
	while ((stop = bd_continue(s->d)) == BD_BREAK) {
		if (bd_pc(s->d, &mask) != word)
			return fail(s, "stopped at another word");
		count += (unsigned int)__builtin_popcountll(mask);
	}
	if (stop != BD_DONE)
		return fail(s, "does not end");
	if (count == visits[word])
		return true;
	snprintf(s->why, sizeof(s->why), "word %u: %llu stops of lanes, reference %llu", word,
		 (unsigned long long)count, (unsigned long long)visits[word]);
	return false;
}

static bool same_value(enum pica_ref_model model, uint32_t got, float want)
{
	if (isnan(want))
		return isnan(pica_ref_from_bits(got));
	/* -0 and +0 are one value there. */
	if (model != PICA_REF_F32 && want == 0.0f)
		return got == 0;
	return got == pica_ref_to_bits(want);
}

static bool same_state(struct session *s, enum pica_ref_model model, unsigned int lane,
		       const struct pica_ref_unit *unit)
{
	unsigned int i, c;
	char name[8];

	for (i = 0; i < 16; i++) {
		snprintf(name, sizeof(name), "r%u", i);
		for (c = 0; c < 4; c++) {
			uint32_t got = reg(s, name, c, lane);

			if (same_value(model, got, unit->r[i][c]))
				continue;
			snprintf(s->why, sizeof(s->why), "lane %u %s.%c is %08x, reference %08x",
				 lane, name, "xyzw"[c], got, pica_ref_to_bits(unit->r[i][c]));
			return false;
		}
	}
	if (reg(s, "aL", 0, lane) != (uint32_t)unit->al ||
	    reg(s, "a0", 0, lane) != (uint32_t)unit->a0[0] ||
	    reg(s, "a0", 1, lane) != (uint32_t)unit->a0[1] ||
	    reg(s, "cmp", 0, lane) != unit->cc[0] || reg(s, "cmp", 1, lane) != unit->cc[1])
		return fail(s, "aL, a0 or flags differ");
	return true;
}

/* At random points of a run each lane's registers equal the reference's. */
static bool state_program(struct session *s, const struct pica_exec_job *job, uint64_t seed)
{
	unsigned int stops = 1 + (unsigned int)(seed % 200), i;
	struct pica_exec_job cut = *job;
	struct pica_ref_unit unit;
	u64 mask;
	u32 pc;

	memset(paths, 0, sizeof(paths));
	if (!start(s, job, 0))
		return false;
	while (stops--) {
		pc = bd_pc(s->d, &mask);
		record(NULL, pc, mask);
		if (bd_step(s->d) != BD_STEP)
			break;
	}
	for (i = 0; i < job->n; i++) {
		cut.prog.step_limit = paths[i].n;
		ref_path(&cut, i, &want_path, &unit, NULL);
		if (!same_state(s, job->prog.model, i, &unit))
			return false;
	}
	return true;
}

static void note(struct session *s, const struct gen_program *g, unsigned int kind,
		 unsigned int *failed)
{
	if (s->why[0] && ++failed[kind] <= 3)
		tap_comment("seed %llu, %s: %s", (unsigned long long)g->seed,
			    vs_simd_name(simd), s->why);
	end(s);
}

static void test_random(void)
{
	static const char *const names[] = {
		"traces", "traces of single steps", "positions", "breakpoints", "registers",
	};
	static uint64_t visits[GEN_MAX_WORDS];
	static struct gen_program g;
	unsigned int failed[5] = { 0 }, kind;
	struct pica_exec_job job;
	unsigned long n, done = 0;
	struct session s;

	for (n = 0; done < opt.count && n < 4 * opt.count; n++) {
		if (!good_program(&g, opt.seed + n, &job, (enum pica_ref_model)(n % 3), visits))
			continue;
		done++;
		trace_program(&s, &job, false);
		note(&s, &g, 0, failed);
		trace_program(&s, &job, true);
		note(&s, &g, 1, failed);
		step_program(&s, &job);
		note(&s, &g, 2, failed);
		break_program(&s, &job, visits, opt.seed + n);
		note(&s, &g, 3, failed);
		state_program(&s, &job, opt.seed + n);
		note(&s, &g, 4, failed);
	}
	for (kind = 0; kind < 5; kind++)
		tap_result(done == opt.count && !failed[kind],
			   "%s: %s of %lu random programs, %u differ", vs_simd_name(simd),
			   names[kind], done, failed[kind]);
}

int main(int argc, char **argv)
{
	int m;

	pica_options_parse(argc, argv, &opt);
	opt.count = pica_options_count(&opt, QUICK_COUNT, COUNT, LONG_COUNT);
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() >> simd & 1))
			continue;
		for (m = PICA_REF_F32; m <= PICA_REF_F24_NEAREST; m++) {
			test_step((enum pica_ref_model)m);
			test_write((enum pica_ref_model)m);
		}
		test_tail_block();
		test_break();
		test_write_special();
		test_faults();
	}
	simd = vs_simd_best();
	test_random();
	return tap_done();
}
