// SPDX-License-Identifier: GPL-2.0
/*
 * Random programs on the reference model and on every build of the engine. Memory, final
 * state and counters must agree bit for bit; a failing program is reduced and printed.
 */
#include <stdlib.h>
#include <string.h>

#include "../../kernel/isa/qpu/qpu.h"
#include "../include/tap.h"
#include "gen.h"
#include "qpu_disasm.h"

#define BUDGET		60000		/* instructions of a thread on the reference */
#define SHOWN		2		/* failures of a class that are printed */
#define MAX_LINES	60		/* of a reduced program */
#define NOP		0x100009e7009e7000ull

static const struct {
	const char *name;
	unsigned int flags;
} classes[] = {
	{ "arithmetic", GEN_CALM },
	{ "arithmetic with control flow", GEN_FLOW },
	{ "program objects", GEN_FLOW | GEN_TMU | GEN_OBJECT },
	{ "memory lookups", GEN_TMU },
	{ "pipeline memory", GEN_VPM },
	{ "special functions", GEN_SFU | GEN_FLOW },
	{ "everything, one QPU", GEN_FLOW | GEN_VPM | GEN_TMU | GEN_SFU | GEN_SYNC },
	{ "QPUs side by side", GEN_FLOW | GEN_TMU | GEN_MANY },
	{ "QPUs with barriers and mutex",
	  GEN_FLOW | GEN_VPM | GEN_TMU | GEN_SFU | GEN_MANY | GEN_SYNC },
	{ "more threads than QPUs", GEN_FLOW | GEN_TMU | GEN_CROWD | GEN_SYNC },
	{ "bad ends", GEN_FLOW | GEN_VPM | GEN_TMU | GEN_FAULT },
};

#define NUM_CLASSES	(sizeof(classes) / sizeof(classes[0]))

/* Statistics of a class of programs on the reference. */
struct tally {
	unsigned long programs;
	unsigned long insns;
	unsigned long by_status[QPU_REF_UNSUPPORTED + 1];
	unsigned long failed[VS_NUM_SIMD + 1];
	unsigned long shown;
};

static uint8_t want_mem[GEN_SIZE], got_mem[GEN_SIZE];

static void run(unsigned int ex, const struct gen_job *g, uint8_t *mem, struct qx_result *res)
{
	struct qx_job job = {
		.lo = GEN_BASE, .size = GEN_SIZE, .mem = mem, .threads = g->threads,
		.nthreads = g->nthreads, .slice = g->slice,
		/* The engine charges other work, too. */
		.budget = BUDGET * (uint64_t)g->nthreads * (ex == QX_REF ? 1 : 40),
	};

	if (g->flags & GEN_OBJECT) {
		job.code = (const uint32_t *)g->p.w;
		job.ncode = g->p.n;
	}
	gen_memory(g, mem);
	qx_run(ex, &job, res);
}

/* First word of memory that differs, or ~0. */
static uint32_t first_difference(void)
{
	uint32_t i;

	if (!memcmp(want_mem, got_mem, GEN_SIZE))
		return ~0u;
	for (i = 0; !memcmp(want_mem + i, got_mem + i, 4); i += 4)
		;
	return i;
}

static bool same_state(const struct gen_job *g, const struct qx_result *want,
		       const struct qx_result *got, char *why, size_t size)
{
	unsigned int q;

	for (q = 0; q < QPU_NUM && g->nthreads <= QPU_NUM; q++) {
		const struct qpu_state *w = &want->state[q], *s = &got->state[q];

		if (w->insns == s->insns && w->wait == s->wait && w->info == s->info &&
		    (w->wait == QPU_WAIT_IDLE || w->pc == s->pc))
			continue;
		snprintf(why, size,
			 "QPU %u: pc %x wait %u after %llu instructions, expected %x %u %llu", q,
			 s->pc, s->wait, (unsigned long long)s->insns, w->pc, w->wait,
			 (unsigned long long)w->insns);
		return false;
	}
	return true;
}

/* Where a word of memory belongs to. */
static void name_place(uint32_t at, char *text, size_t size)
{
	uint32_t in;

	if (at < GEN_AREAS || at >= GEN_UNIFORMS) {
		snprintf(text, size, "word at %x", at);
		return;
	}
	in = (at - GEN_AREAS) % GEN_AREA;
	snprintf(text, size, "thread %u, %s %u, element %u", (at - GEN_AREAS) / GEN_AREA,
		 in < GEN_AREA_VPM ? "register" :
		 in < GEN_AREA_ROOM ? "pipeline row" : "memory row",
		 in % GEN_AREA_VPM / 64, in / 4 % 16);
}

static bool same(const struct gen_job *g, const struct qx_result *want,
		 const struct qx_result *got, char *why, size_t size)
{
	uint32_t at, a, b;
	char place[80];

	/* The instruction at the limit depends on the scheduler. */
	if (want->status == QPU_REF_BUDGET && got->status != QPU_REF_DONE)
		return true;
	if (want->status != got->status) {
		snprintf(why, size, "%s at %x (kind %u, %s), expected %s",
			 qx_status_name(got->status), (uint32_t)got->address, got->kind,
			 got->refused ? got->refused : "", qx_status_name(want->status));
		return false;
	}
	at = first_difference();
	if (at != ~0u) {
		memcpy(&a, want_mem + at, 4);
		memcpy(&b, got_mem + at, 4);
		name_place(at, place, sizeof(place));
		snprintf(why, size, "%s: %08x, expected %08x", place, b, a);
		return false;
	}
	if (!same_state(g, want, got, why, size))
		return false;
	if (want->counters.insns != got->counters.insns ||
	    want->counters.stray_reads != got->counters.stray_reads ||
	    want->counters.host_ints != got->counters.host_ints) {
		snprintf(why, size,
			 "%llu instructions, %llu stray reads, %llu interrupts, expected %llu %llu %llu",
			 (unsigned long long)got->counters.insns,
			 (unsigned long long)got->counters.stray_reads,
			 (unsigned long long)got->counters.host_ints,
			 (unsigned long long)want->counters.insns,
			 (unsigned long long)want->counters.stray_reads,
			 (unsigned long long)want->counters.host_ints);
		return false;
	}
	return true;
}

static bool agrees(unsigned int ex, const struct gen_job *g, char *why, size_t size)
{
	struct qx_result want, got;

	run(QX_REF, g, want_mem, &want);
	run(ex, g, got_mem, &got);
	return same(g, &want, &got, why, size);
}

/* A smaller program still fails if it ends well on the reference and differs. */
static bool still_fails(unsigned int ex, const struct gen_job *g)
{
	struct qx_result want, got;
	char why[256];

	run(QX_REF, g, want_mem, &want);
	if (want.status == QPU_REF_BUDGET || want.status == QPU_REF_UNSUPPORTED)
		return false;
	run(ex, g, got_mem, &got);
	return !same(g, &want, &got, why, sizeof(why));
}

/* Take away instructions of the body as long as it fails. */
static void reduce(unsigned int ex, struct gen_job *g)
{
	static struct gen_job smaller;
	unsigned int step, at, i;

	for (step = 64; step; step /= 2) {
		for (at = 0; at < g->p.n; at += step) {
			smaller = *g;
			for (i = at; i < at + step && i < g->p.n; i++)
				smaller.p.w[i] = NOP;
			if (memcmp(smaller.p.w, g->p.w, 8 * g->p.n) && still_fails(ex, &smaller))
				*g = smaller;
		}
	}
}

static void print_program(const struct gen_job *g)
{
	struct vs_src src = {
		.words = { (const u32 *)g->p.w }, .nwords = { 2 * g->p.n },
	};
	unsigned int i, lines = 0;
	char text[256];

	for (i = 0; i < g->p.n && lines < MAX_LINES; i++) {
		if (g->p.w[i] == NOP)
			continue;
		lines++;
		qpu_disasm(&src, i, text, sizeof(text));
		tap_comment("    %4u: %016llx  %s", i, (unsigned long long)g->p.w[i], text);
	}
}

static void failure(struct tally *t, unsigned int ex, const struct gen_job *g, const char *why)
{
	static struct gen_job copy;
	char text[256] = "";

	if (t->shown++ >= SHOWN)
		return;
	tap_comment("%s: seed %llu flags %x, %u threads: %s", qx_name(ex),
		    (unsigned long long)g->seed, g->flags, g->nthreads, why);
	copy = *g;
	reduce(ex, &copy);
	agrees(ex, &copy, text, sizeof(text));
	tap_comment("  reduced: %s", text);
	print_program(&copy);
}

static void one(uint64_t seed, unsigned int flags, struct tally *t)
{
	static struct gen_job g;
	struct qx_result want, got;
	char why[256];
	unsigned int ex;

	gen_make(&g, seed, flags);
	run(QX_REF, &g, want_mem, &want);
	t->programs++;
	t->insns += want.counters.insns;
	t->by_status[want.status]++;
	for (ex = 1; ex < qx_count(); ex++) {
		run(ex, &g, got_mem, &got);
		if (same(&g, &want, &got, why, sizeof(why)))
			continue;
		if (!t->failed[ex]++)
			failure(t, ex, &g, why);
		/* It has run others. */
		run(QX_REF, &g, want_mem, &want);
	}
}

static void report(unsigned int class, const struct tally *t)
{
	bool bad_ends = classes[class].flags & GEN_FAULT;
	unsigned int i;

	tap_comment("%s: %lu programs, %lu instructions", classes[class].name, t->programs,
		    t->insns);
	for (i = 0; i <= QPU_REF_UNSUPPORTED; i++) {
		if (t->by_status[i])
			tap_comment("  %s: %lu", qx_status_name(i), t->by_status[i]);
	}
	tap_result((t->by_status[QPU_REF_DONE] * 2 > t->programs) != bad_ends &&
		   !t->by_status[QPU_REF_UNSUPPORTED],
		   "%s: programs end as they should on the reference", classes[class].name);
	for (i = 1; i < qx_count(); i++)
		tap_result(!t->failed[i], "%s, %s: %lu of %lu programs differ", qx_name(i),
			   classes[class].name, t->failed[i], t->programs);
}

int main(void)
{
	unsigned long count = qx_effort(30, 300, 4000), n;
	uint64_t seed = qx_seed(1);
	unsigned int i;

	tap_start();
	tap_comment("seed %llu, %lu programs per class", (unsigned long long)seed, count);
	for (i = 0; i < NUM_CLASSES; i++) {
		struct tally t = { 0 };

		for (n = 0; n < count; n++)
			one(seed + n, classes[i].flags, &t);
		report(i, &t);
	}
	return tap_done();
}
