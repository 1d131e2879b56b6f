// SPDX-License-Identifier: GPL-2.0
/*
 * Register models with races by seed: a driver like Linux's loses no job and causes no finding,
 * whatever the seed; one without polls, or that clears too much, does. Each kind of race is seen.
 *
 * usage: test_model_race [--seed N]
 */
#include "../include/tap.h"
#include "fake.h"

#define CHECK(cond)	tap_result(cond, "%s", #cond)

#define CODE_VA		0x2000000ULL
#define HEAP_VA		0x4000000ULL
#define SEEDS		600
#define JOBS		8

#define AS(reg)		(0x2400 + 0x40 + (reg))
#define JS(n, reg)	(0x1800 + (n) * 0x80 + (reg))

enum { UPDATE = 1, LOCK, UNLOCK, FLUSH_PT, FLUSH_MEM };

/* Kinds of races that the driver has met. */
enum {
	LATE_LINE, LINE_STAYS, END_AFTER_READ, TWO_ENDS, FAULT_AGAIN, BUSY_SPACE, LATE_READY,
	LATE_RESET, NUM_KINDS
};

static const char * const kinds[NUM_KINDS] = {
	"a line is late", "a line stays", "an end between read and clear",
	"two ends in one interrupt", "a fault is reported again", "a command takes time",
	"power takes time", "a reset takes time",
};

static struct fake f;
static u32 *jobs;
static u64 grown, fault_va;
static u32 heard, active;
static u32 met[NUM_KINDS], queued[2], done[2], failed[2], trace;

/* Mistakes of the driver. */
static enum { NONE, NO_POLL, CLEARS_ALL } mistake;

/* ---- the driver's part ---- */

static u32 get(u32 reg)
{
	u32 v = rd(&f, reg);

	trace = trace * 31 + v;
	return v;
}

static void wait_ready(void)
{
	while (mistake != NO_POLL && get(AS(0x28)) & 1)
		met[BUSY_SPACE]++;
}

static void command(u32 value)
{
	wait_ready();
	wr(&f, AS(0x18), value);
}

static void flush(u32 value)
{
	wr(&f, AS(0x10), 47);
	wr(&f, AS(0x14), 0);
	command(LOCK);
	command(value);
	wait_ready();
}

static void poll_ready(u32 on, u32 ready)
{
	wr(&f, on, 1);
	while (!get(ready))
		met[LATE_READY]++;
}

static void reset(void)
{
	wr(&f, 0x30, 1);
	while (!(get(0x20) & 0x100))
		met[LATE_RESET]++;
	wr(&f, 0x24, 0x100);
	wr(&f, 0x1008, 0x70007);
	wr(&f, 0x2008, 0xff00ff);
	poll_ready(0x1a0, 0x160);
	poll_ready(0x180, 0x140);
	poll_ready(0x190, 0x150);
	wr(&f, AS(0x00), (u32)f.root | 3);
	wr(&f, AS(0x04), (u32)(f.root >> 32));
	command(UPDATE);
}

static void handle_fault(void)
{
	u32 status = get(0x200c);

	if (!status) {
		met[LINE_STAYS]++;
		return;
	}
	while ((status = get(0x2000))) {
		get(AS(0x1c));
		fault_va = (u64)get(AS(0x24)) << 32 | get(AS(0x20));
		wr(&f, 0x2004, status);
		if (fault_va == grown) {
			met[FAULT_AGAIN]++;
			continue;
		}
		grown = fault_va;
		fake_map(&f, fault_va & ~4095ULL, fake_page(&f), true);
		flush(FLUSH_PT);
	}
}

/* Return: both jobs of a slot are done, although one end is reported. */
static bool is_idle(u32 n, u32 live)
{
	return !(live & 0x10001U << n) && !(get(0x1000) & 0x10001U << n) &&
	       done[n] + failed[n] < queued[n];
}

/* Two jobs may be in flight in a slot. */
static void handle_ends(u32 status)
{
	u32 n, live, before = done[0] + done[1];

	while (status) {
		for (n = 0; n < 2; n++) {
			if (status & 1U << n)
				done[n]++;
			if (status & 0x10000U << n) {
				wr(&f, JS(n, 0x60), 0);
				failed[n]++;
			}
		}
		wr(&f, 0x1004, mistake == CLEARS_ALL ? 0x30003 : status);
		live = get(0x1010);
		for (n = 0; n < 2; n++) {
			if (status & 1U << n && is_idle(n, live)) {
				done[n] = queued[n] - failed[n];
				met[TWO_ENDS]++;
			}
		}
		status = get(0x1000);
		met[END_AFTER_READ] += status && done[0] + done[1] != before;
	}
}

/* As panfrost: the line is masked until all ends are handled. */
static void handle_jobs(void)
{
	if (!get(0x100c)) {
		met[LINE_STAYS]++;
		return;
	}
	wr(&f, 0x1008, 0);
	handle_ends(get(0x1000));
	wr(&f, 0x1008, 0x70007);
}

/* Like a host: poll the lines after a notification, until none is active. */
static void handle(void)
{
	u32 lines;

	if (f.irqs == heard && !active)
		return;
	heard = f.irqs;
	lines = vs_model_lines(f.model);
	if (lines & 2)
		handle_fault();
	if (lines & 1)
		handle_jobs();
	else
		met[LATE_LINE] += !!(get(0x1000) & 0x70007);
	active = vs_model_lines(f.model);
}

static void on_wait(struct fake *fk)
{
	if (fk->waits > 400)
		wr(fk, 0x30, 1);	/* a job that never ends fails the test */
	else
		handle();
}

/* ---- jobs ---- */

static void begin(u32 seed)
{
	u64 code;

	if (!fake_new(&f, "g52"))
		abort();
	trace = 0;
	heard = 0;
	active = 0;
	grown = 0;
	memset(queued, 0, sizeof(queued));
	memset(done, 0, sizeof(done));
	memset(failed, 0, sizeof(failed));
	f.on_wait = on_wait;
	if (!vs_model_inject(f.model, "race", seed))
		abort();
	code = fake_page(&f);
	fake_map(&f, CODE_VA, code, true);
	jobs = fake_mem(&f, code);
	reset();
}

static void put_write(u32 n, u64 to, u32 value)
{
	u32 *j = jobs + n * 16;

	memset(j, 0, 64);
	j[4] = 1 | 2 << 1;
	j[8] = (u32)to;
	j[9] = (u32)(to >> 32);
	j[10] = 6;
	j[12] = value;
}

static void start(u32 slot, u32 n)
{
	wr(&f, JS(slot, 0x40), (u32)CODE_VA + n * 64);
	wr(&f, JS(slot, 0x44), 0);
	wr(&f, JS(slot, 0x50), 1);
	wr(&f, JS(slot, 0x54), 0);
	wr(&f, JS(slot, 0x58), 0x83301);
	queued[slot]++;
	wr(&f, JS(slot, 0x60), 1);
}

static bool all_done(void)
{
	return done[0] + failed[0] == queued[0] && done[1] + failed[1] == queued[1];
}

static void drive(void)
{
	u32 i;

	for (i = 0; i < 60 && !all_done(); i++) {
		fake_work(&f);
		handle();
	}
}

/* Two jobs in each of two slots, one of which grows the heap; pages that were free. */
static void run(u32 seed)
{
	u32 i, good = 0;

	begin(seed);
	for (i = 0; i < JOBS; i += 4) {
		put_write(0, CODE_VA + 2048, i + 1);
		put_write(1, CODE_VA + 2052, i + 2);
		put_write(2, HEAP_VA + i * 4096ULL, i + 3);
		put_write(3, CODE_VA + 2056, i + 4);
		start(0, 0);
		start(0, 1);
		start(1, 2);
		start(1, 3);
		drive();
		good += jobs[512] == i + 1 && jobs[513] == i + 2 && jobs[514] == i + 4;
	}
	drive();
	if (all_done() && good == JOBS / 4 && f.waits < 400 && !f.reports &&
	    !(failed[0] | failed[1]))
		return;
	tap_result(mistake, "seed %u: %u and %u of %u and %u jobs, %u waits, %u findings: %s", seed,
		   done[0], done[1], queued[0], queued[1], f.waits, f.reports, f.text);
}

/* ---- tests ---- */

static void test_seeds(u32 first)
{
	u32 seed, i, findings = 0;

	for (seed = first; seed < first + SEEDS; seed++) {
		run(seed);
		findings += f.reports;
		fake_free(&f);
	}
	CHECK(!findings);
	for (i = 0; i < NUM_KINDS; i++)
		tap_result(met[i], "%s: %u times", kinds[i], met[i]);
}

/* The same seed is the same run; without one there is no race. */
static void test_same(u32 seed)
{
	u32 first;

	run(seed);
	first = trace;
	fake_free(&f);
	run(seed);
	CHECK(trace == first);
	fake_free(&f);
	run(seed + 1);
	CHECK(trace != first);
	fake_free(&f);
	memset(met, 0, sizeof(met));
	run(0);
	fake_free(&f);
	CHECK(!met[LATE_LINE] && !met[LINE_STAYS] && !met[FAULT_AGAIN] && !met[BUSY_SPACE] &&
	      !met[LATE_READY] && !met[LATE_RESET]);
}

/* A job that is done when it is stopped is done; the next one is stopped in its place. */
static void test_stop(u32 first)
{
	u32 seed, ends = 0, stops = 0, findings = 0;

	for (seed = first; seed < first + SEEDS; seed++) {
		begin(seed);
		put_write(0, CODE_VA + 2048, 1);
		start(0, 0);
		start(0, 0);
		vs_model_work(f.model);
		wr(&f, JS(0, 0x20), 3);
		drive();
		ends += done[0];
		stops += failed[0];
		findings += f.reports;
		fake_free(&f);
	}
	tap_result(ends && stops && ends + stops >= SEEDS && !findings,
		   "%u jobs were done, %u stopped, %u findings", ends, stops, findings);
}

/* Interrupts held back show when races end. */
static void test_off(u32 first)
{
	u32 seed, held = 0, shown = 0;

	for (seed = first; seed < first + SEEDS; seed++) {
		begin(seed);
		put_write(0, CODE_VA + 2048, 1);
		start(0, 0);
		vs_model_work(f.model);
		held += rd(&f, JS(0, 0x24)) == 8;
		vs_model_inject(f.model, "race", 0);
		shown += rd(&f, JS(0, 0x24)) == 1 && vs_model_lines(f.model) & 1;
		fake_free(&f);
	}
	tap_result(held && shown == SEEDS, "%u ends were held back, %u shown", held, shown);
}

/* Return: runs in which a driver with a mistake lost a job, or that found something. */
static u32 broken(u32 what, u32 first)
{
	u32 seed, n = 0;

	mistake = what;
	for (seed = first; seed < first + SEEDS && (!n || !what); seed++) {
		run(seed);
		n += !all_done() || f.reports || f.waits >= 400;
		fake_free(&f);
	}
	mistake = NONE;
	return n;
}

int main(int argc, char **argv)
{
	u32 seed = argc > 2 && !strcmp(argv[1], "--seed") ? strtoul(argv[2], NULL, 0) : 1;

	test_seeds(seed);
	test_same(seed);
	test_stop(seed);
	test_off(seed);
	CHECK(broken(NO_POLL, seed));
	CHECK(broken(CLEARS_ALL, seed));
	CHECK(broken(NONE, seed) == 0);
	return tap_done();
}
