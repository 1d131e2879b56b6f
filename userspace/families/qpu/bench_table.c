// SPDX-License-Identifier: MIT
/*
 * vshader bench: QPU workloads on every executor, on one QPU and on all.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_qpu_table.h"
#include "cli.h"

#define LANES		16

static const uint32_t qpu_numbers[BENCH_QPU_NUM_QPUS] = { 1, BENCH_QPU_QPUS };

static int add_one(struct bench_qpu_table *t, const struct bench_params *p, uint32_t simd,
		   const struct bench_qpu_workload *w, uint32_t qpus)
{
	struct bench_qpu_result *r = &t->results[t->num_results];

	memset(r, 0, sizeof(*r));
	r->simd = simd;
	r->times = calloc(p->repeats, sizeof(*r->times));
	if (!r->times)
		return fail("out of memory");
	t->num_results++;
	if (bench_qpu_setup(&r->setup, p->devs[simd], w, qpus))
		return fail("%s on %s: %s", w->name, vshader_simd_name(simd), vshader_error());
	r->ready = true;
	return 0;
}

static int add(void *table, const struct bench_params *p, uint32_t simd)
{
	struct bench_qpu_table *t = table;
	unsigned int k, n;
	int ret = 0;

	for (k = 0; k < BENCH_QPU_WORKLOADS; k++) {
		const struct bench_qpu_workload *w = &bench_qpu_workloads[k];

		if (!bench_wanted(p, w->name))
			continue;
		for (n = 0; n < BENCH_QPU_NUM_QPUS && !ret; n++)
			ret = add_one(t, p, simd, w, qpu_numbers[n]);
	}
	for (k = 0; k < BENCH_QPU_DRAWS && !ret; k++)
		if (bench_wanted(p, bench_qpu_draws[k].name))
			ret = add_one(t, p, simd, &bench_qpu_draws[k], BENCH_QPU_QPUS);
	return ret;
}

/* Executors must agree to the bit: the first one is the reference. */
static uint64_t reference_hash(const struct bench_qpu_table *t, const struct bench_qpu_result *r)
{
	unsigned int i;

	for (i = 0; i < t->num_results; i++) {
		const struct bench_qpu_result *o = &t->results[i];

		if (o != r && o->setup.w == r->setup.w && o->hash)
			return o->hash;
	}
	return 0;
}

static int check(void *table)
{
	struct bench_qpu_table *t = table;
	unsigned int i;

	for (i = 0; i < t->num_results; i++) {
		struct bench_qpu_result *r = &t->results[i];

		if (bench_qpu_check(&r->setup, reference_hash(t, r), &r->hash, &r->ok, r->how,
				    sizeof(r->how)))
			return fail("%s on %s: %s", r->setup.w->name, vshader_simd_name(r->simd),
				    vshader_error());
	}
	return 0;
}

static int measure(void *table)
{
	struct bench_qpu_table *t = table;
	uint64_t ns, cpu;
	unsigned int i;

	for (i = 0; i < t->num_results; i++) {
		struct bench_qpu_result *r = &t->results[i];

		if (!r->ok)
			continue;
		if (bench_qpu_run(&r->setup, &ns, &cpu))
			return fail("%s on %s: %s", r->setup.w->name, vshader_simd_name(r->simd),
				    vshader_error());
		r->times[r->runs++] = (double)ns;
		if (r->runs == 1 || (double)ns < r->best)
			r->best = (double)ns;
		if (r->runs == 1 || (double)cpu < r->cpu)
			r->cpu = (double)cpu;
	}
	return 0;
}

static bool finish(void *table)
{
	struct bench_qpu_table *t = table;
	unsigned int i;
	bool ok = true;

	for (i = 0; i < t->num_results; i++) {
		struct bench_qpu_result *r = &t->results[i];

		qsort(r->times, r->runs, sizeof(*r->times), bench_compare_double);
		r->median = r->runs ? r->times[r->runs / 2] : 0;
		ok &= r->ok;
	}
	return ok;
}

static void free_table(void *table)
{
	struct bench_qpu_table *t = table;
	unsigned int i;

	for (i = 0; i < t->num_results; i++) {
		if (t->results[i].ready)
			bench_qpu_teardown(&t->results[i].setup);
		free(t->results[i].times);
	}
	t->num_results = 0;
}

/* Of a draw: ns of a vertex or pixel, of CPU time where it is known; 0: it has none. */
static double item_ns(const struct bench_qpu_result *r, bool cpu)
{
	return r->setup.w->items ? (cpu ? r->cpu : r->best) / r->setup.w->items : 0;
}

/* Millions per second: of CPU time where it is known, which depends less on other load. */
static double rate(uint64_t n, const struct bench_qpu_result *r, bool cpu)
{
	return (double)n * 1e3 / (cpu ? r->cpu : r->best);
}

static void print(const void *table, bool cpu)
{
	const struct bench_qpu_table *t = table;
	unsigned int i;

	if (!t->num_results)
		return;
	printf("\n%-15s %-8s %5s %12s %9s %9s %9s %9s %9s  %s\n", "workload", "executor", "QPUs",
	       "instructions", cpu ? "CPU us" : "best us", "median us", "M insn/s", "M lane/s",
	       "M op/s", "verified by");
	for (i = 0; i < t->num_results; i++) {
		const struct bench_qpu_result *r = &t->results[i];
		const struct bench_qpu_counts *c = &r->setup.counts;

		printf("%-15s %-8s %5u %12llu ", r->setup.w->name, vshader_simd_name(r->simd),
		       r->setup.qpus, (unsigned long long)c->insns);
		if (!r->ok) {
			printf("%9s %9s %9s %9s %9s  WRONG: %s\n", "-", "-", "-", "-", "-", r->how);
			continue;
		}
		printf("%9.1f %9.1f %9.1f %9.0f %9.0f  %s", (cpu ? r->cpu : r->best) / 1e3,
		       r->median / 1e3, rate(c->insns, r, cpu), rate(c->insns * LANES, r, cpu),
		       rate(c->ops * LANES, r, cpu), r->how);
		if (r->setup.w->items)
			printf("; %.1f ns/%s", item_ns(r, cpu), r->setup.w->item);
		printf("\n");
	}
	printf("lane: instructions times %u; op: operations of the two ALUs times %u%s\n", LANES,
	       LANES, cpu ? "; rates are those of CPU time, the median is wall-clock time" : "");
}

static void json(const void *table, struct json_object *root, bool cpu)
{
	const struct bench_qpu_table *t = table;
	struct json_object *list = js_array(root, "qpu_results"), *o;
	unsigned int i;
	char hash[24];

	for (i = 0; i < t->num_results; i++) {
		const struct bench_qpu_result *r = &t->results[i];
		const struct bench_qpu_counts *c = &r->setup.counts;

		o = json_object_new_object();
		json_object_array_add(list, o);
		js_str(o, "workload", r->setup.w->name);
		js_str(o, "simd", vshader_simd_name(r->simd));
		js_int(o, "qpus", r->setup.qpus);
		js_bool(o, "verified", r->ok);
		js_str(o, "verified_by", r->how);
		snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)r->hash);
		js_str(o, "hash", hash);
		js_int(o, "instructions", c->insns);
		js_int(o, "alu_operations", c->ops);
		if (!r->ok)
			continue;
		js_num(o, "us", r->best / 1e3);
		js_num(o, "us_median", r->median / 1e3);
		if (cpu)
			js_num(o, "cpu_us", r->cpu / 1e3);
		js_num(o, "instructions_per_second", rate(c->insns, r, cpu) * 1e6);
		js_num(o, "lane_instructions_per_second", rate(c->insns * LANES, r, cpu) * 1e6);
		js_num(o, "lane_operations_per_second", rate(c->ops * LANES, r, cpu) * 1e6);
		if (r->setup.w->items)
			js_num(o, "item_ns", item_ns(r, cpu));
		js_int(o, "repeats", r->runs);
	}
}

static unsigned int count(const void *table)
{
	return ((const struct bench_qpu_table *)table)->num_results;
}

static struct bench_qpu_table table;

const struct bench_ops bench_qpu = {
	.table = &table,
	.workloads = "q1-10",
	.help = "q1~to~q10~(qpu)",
	.note = "QPU workloads are lists of threads, on 1 and on 12 QPUs, and draws.",
	.add = add,
	.count = count,
	.check = check,
	.measure = measure,
	.finish = finish,
	.free = free_table,
	.print = print,
	.json = json,
};
