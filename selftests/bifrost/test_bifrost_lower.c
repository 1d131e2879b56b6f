// SPDX-License-Identifier: GPL-2.0
/*
 * Bifrost lowering: every operation is lowered or rejected with a reason that names it, and all
 * binaries of the external corpus become programs, of which some figures are shown.
 */
#include <dirent.h>
#include <stdlib.h>

#include "../include/tap.h"
#include "clause_gen.h"
#include "../include/lower.h"

#define ARENA	(32U << 20)

static struct simt_arena arena;

static int lower(const u32 *words, u32 nquads, u32 entry, enum bi_gpu gpu, enum vs_stage stage,
		 struct simt_prog **prog, struct vs_reject *rej)
{
	arena.used = 0;
	return bifrost_lower(&arena, words, nquads, 0x10000, entry, gpu, stage, 0, prog, rej);
}

/* ---- each operation ---- */

/* Of the table entries of a mnemonic: was one lowered, was one rejected as unsupported? */
struct verdict {
	const char *name;
	u32 lowered;
	u32 unsupported;
};

static struct verdict verdicts[2 * GEN_MAX_OPS];
static u32 nverdicts;

static struct verdict *verdict_of(const char *name)
{
	u32 i;

	for (i = 0; i < nverdicts; i++)
		if (!strcmp(verdicts[i].name, name))
			return &verdicts[i];
	verdicts[nverdicts].name = name;
	return &verdicts[nverdicts++];
}

static void test_operations(void)
{
	u32 unit, n, all, i, bad = 0, with = 0, without = 0;
	struct simt_prog *prog;
	struct gen_prog p = { };
	struct vs_reject rej;
	struct verdict *v;
	int ret;

	for (unit = 0; unit < BI_NUM_UNITS; unit++) {
		bi_ops(unit, &all);
		for (n = 0; n < all; n++) {
			for (i = 0; i < 200 && gen_any(&p, unit, n); i++) {
				v = verdict_of(p.op->name);
				ret = lower(p.words, p.nquads, 0, i % BI_NUM_GPUS,
					    VS_STAGE_FRAGMENT, &prog, &rej);
				if (!ret) {
					v->lowered++;
				} else if (ret == -ENOEXEC && rej.reason == BI_UNSUPPORTED) {
					v->unsupported++;
					bad += !strcmp(bifrost_reject_name(&rej), "?");
				} else if (ret != -ENOEXEC || (rej.reason != BI_BAD_GPU &&
							       rej.reason != BI_BAD_JUMP)) {
					tap_comment("%s: %d, %s", p.op->name, ret,
						    bi_reason_text(rej.reason));
					bad++;
				}
			}
		}
	}
	for (i = 0; i < nverdicts; i++) {
		v = &verdicts[i];
		with += bifrost_executes(v->name);
		without += !bifrost_executes(v->name);
		if (bifrost_executes(v->name) == !!v->lowered)
			continue;
		tap_comment("%s: lowered %u times", v->name, v->lowered);
		bad++;
	}
	tap_result(!bad, "%u mnemonics are lowered, %u rejected by name", with, without);
}

/* ---- any bits ---- */

static void test_noise(void)
{
	u32 words[GEN_MAX_WORDS], i, k, need, lowered = 0, bad = 0;
	struct simt_prog *prog;
	struct gen_prog p = { };
	struct vs_reject rej;
	bool use[BI_NUM_UNITS][GEN_MAX_OPS];
	int ret;

	gen_all(use);
	for (i = 0; i < 20000; i++) {
		gen_mixed(&p, use);
		memcpy(words, p.words, sizeof(p.words));
		for (k = gen_rand() % 3; k; k--)
			words[gen_rand() % (4 * p.nquads)] ^= 1U << gen_rand() % 32;
		ret = lower(words, p.nquads, 0, gen_rand() % BI_NUM_GPUS,
			    gen_rand() % 2 ? VS_STAGE_FRAGMENT : VS_STAGE_COMPUTE, &prog, &rej);
		lowered += !ret;
		if (ret && (ret != -ENOEXEC || !rej.reason))
			bad++;
		arena.used = 0;
		if (bifrost_extent(&arena, words, p.nquads, 0, &need) || !need)
			bad++;
	}
	tap_result(!bad && lowered, "programs with flipped bits: %u of 20000 lowered", lowered);
}

/* ---- corpus ---- */

struct figures {
	u32 binaries;
	u32 failed;
	u64 clauses;
	u64 tuples;
	u64 uops;
};

static u32 read_words(const char *path, u32 *words, u32 max)
{
	FILE *f = fopen(path, "r");
	u32 n = 0;

	while (f && n < max && fscanf(f, "%x", &words[n]) == 1)
		n++;
	if (f)
		fclose(f);
	return n;
}

/* Quad where the second program of a binary starts, 0 if it has none. */
static u32 second_entry(const char *path)
{
	u32 idvs = 0, second = 0, offset = 0;
	char name[512], line[256];
	FILE *f;

	snprintf(name, sizeof(name), "%.*s.txt", (int)strlen(path) - 4, path);
	f = fopen(name, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "idvs %u secondary %u offset %u", &idvs, &second, &offset) == 3)
			break;
	if (f)
		fclose(f);
	return idvs && second ? offset / 16 : 0;
}

static int count_clause(void *arg, const struct bi_view *v)
{
	struct figures *f = arg;

	f->clauses++;
	f->tuples += v->c.ntuples;
	return 0;
}

static void count(struct figures *f, const u32 *words, u32 nquads, u32 entry)
{
	u64 bits[2 * (BI_MAX_QUADS / 64 + 1)] = { };
	struct bi_check check = { .gpu = BI_NUM_GPUS };
	struct bi_walk w = {
		.words = words, .nquads = nquads, .check = &check, .clause = count_clause, .arg = f,
	};

	vs_todo_init(&w.places, bits, nquads);
	vs_todo_add(&w.places, entry);
	bi_walk(&w);
}

static void one_program(struct figures *f, const char *path, const u32 *words, u32 nquads,
			u32 entry, enum bi_gpu gpu)
{
	enum vs_stage stage = strstr(path, ".frag") ? VS_STAGE_FRAGMENT :
			      strstr(path, ".comp") ? VS_STAGE_COMPUTE : VS_STAGE_VERTEX;
	struct simt_prog *prog;
	struct vs_reject rej;
	u32 need, have = entry + 1;
	int ret = lower(words, nquads, entry, gpu, stage, &prog, &rej);

	f->binaries++;
	if (ret) {
		tap_comment("%s: %d, %s at quad %u: %s", path, ret, bi_reason_text(rej.reason),
			    rej.offset, bifrost_reject_name(&rej));
		f->failed++;
		return;
	}
	f->uops += prog->nuops;
	count(f, words, nquads, entry);
	/* as if only the start of the code was known */
	do {
		need = have;
		bifrost_extent(&arena, words, need, entry, &have);
	} while (have > need && have <= nquads);
	ret = lower(words, have, entry, gpu, stage, &prog, &rej);
	if (!ret && (have >= nquads || have == need))
		return;
	tap_comment("%s: %u of %u quads: %d", path, have, nquads, ret);
	f->failed++;
}

static void one_binary(struct figures *f, const char *path, enum bi_gpu gpu)
{
	static u32 words[4 * 4096];
	u32 n = read_words(path, words, ARRAY_SIZE(words)), second = second_entry(path);

	one_program(f, path, words, n / 4, 0, gpu);
	if (second)
		one_program(f, path, words, n / 4, second, gpu);
}

static void test_corpus(const char *corpus, enum bi_gpu gpu)
{
	struct figures f = { };
	char dir[400], path[800];
	struct dirent *e;
	DIR *d;

	snprintf(dir, sizeof(dir), "%s/mali/bin/bifrost-%s", corpus ? corpus : "",
		 bi_gpu_name(gpu));
	d = corpus && *corpus ? opendir(dir) : NULL;
	if (!d) {
		tap_skip("no external corpus", "binaries for %s", bi_gpu_name(gpu));
		return;
	}
	while ((e = readdir(d))) {
		size_t len = strlen(e->d_name);

		if (len < 4 || strcmp(e->d_name + len - 4, ".hex"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		one_binary(&f, path, gpu);
	}
	closedir(d);
	tap_result(f.binaries && !f.failed,
		   "%s: %u programs, %.2f micro-ops a clause, %.2f a tuple", bi_gpu_name(gpu),
		   f.binaries, (double)f.uops / (double)(f.clauses ? f.clauses : 1),
		   (double)f.uops / (double)(f.tuples ? f.tuples : 1));
}

int main(int argc, char **argv)
{
	const char *corpus = getenv("BIFROST_CORPUS");
	u32 gpu;

	tap_plan(2 + BI_NUM_GPUS);
	arena.size = ARENA;
	arena.base = aligned_alloc(64, ARENA);
	memset(arena.base, 0, ARENA);
	gen_seed(1);
	test_operations();
	test_noise();
	for (gpu = 0; gpu < BI_NUM_GPUS; gpu++)
		test_corpus(corpus, gpu);
	free(arena.base);
	return tap_done();
}
