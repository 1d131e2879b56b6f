// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs: several workers, phases, budgets, cancellation, and that exactly one step reports
 * the end of the job.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "gen.h"
#include "engine/vs_post.h"

#define NINV	20000
#define IN	0x10000ULL
#define OUT	0x10000000ULL
#define WORKERS	4

static u32 mem_in[NINV][4], mem_out[NINV][4], want[NINV][4];
static u32 unif[ENG_UNIF];
static struct vs_prog *prog, *endless;
static struct vs_worker *workers[WORKERS];

static const struct vs_extent ext[2] = {
	{ IN, IN + sizeof(mem_in), (u8 *)mem_in, 0 },
	{ OUT, OUT + sizeof(mem_out), (u8 *)mem_out, VS_EXT_WRITE },
};

static const struct vs_map map = { 2, ext };

/* A loop whose length depends on the lane: o0 = v0 + (number of c0.x < v0.x) * c1 */
static void make_programs(void)
{
	struct vs_builder *b = eng_builder(8);

	eng_emit(b, 0, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_TEMP), .a = SEQ(0)));
	eng_emit(b, 1, UOP(.op = VS_OP_ADD, .ncomp = 4, .flags = VS_UOP_B_UNIF,
			   .d = SEQ(ENG_TEMP), .a = SEQ(ENG_TEMP), .b = SEQ(4)));
	eng_emit(b, 2, UOP(.op = VS_OP_CMP, .ncomp = 1, .flags = VS_UOP_A_UNIF,
			   .imm = VS_CMP_LT, .a = { 0 }, .b = { ENG_TEMP }));
	eng_emit(b, 3, UOP(.op = VS_OP_BR, .f.cond = VS_COND_PREDS, .f.lut = 10, .f.target = 1,
			   .f.resume = 4));
	eng_emit(b, 4, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT), .a = SEQ(ENG_TEMP)));
	eng_emit(b, 5, UOP(.op = VS_OP_END));
	prog = eng_finish(b);

	b = eng_builder(2);
	eng_emit(b, 0, UOP(.op = VS_OP_NOP));
	eng_emit(b, 1, UOP(.op = VS_OP_BR));
	endless = eng_finish(b);
}

static void fill(struct eng_rand *r)
{
	u32 i, c;

	for (i = 0; i < NINV; i++) {
		for (c = 0; c < 4; c++)
			mem_in[i][c] = eng_bits(eng_below(r, 2000) / 64.0f);
	}
	unif[0] = eng_bits(3.0f);
	for (c = 0; c < 4; c++)
		unif[4 + c] = eng_bits(-1.0f);
}

static struct vs_launch launch(const struct vs_prog *p, u32 count)
{
	return (struct vs_launch){
		.prog = p, .count = count, .instances = 1, .unif = unif, .nattr = 1, .nout = 1,
		.attr[0] = { .va = IN, .stride = 16, .format = VS_FMT_F32, .ncomp = 4 },
		.out[0] = { .va = OUT, .stride = 16, .format = VS_FMT_F32, .ncomp = 4 },
	};
}

static struct vs_job *new_job(enum vs_simd simd, u64 budget, u32 slice, u32 phases)
{
	struct vs_job_limits lim = { .budget = budget, .simd = simd, .slice = slice };
	struct vs_job *job = vs_job_new(&map, &lim, phases);

	if (!job)
		exit(2);
	return job;
}

/**
 * struct team - Threads that execute a job.
 * @job: the job
 * @done: number of steps that returned DONE
 * @over: the job has ended: no further steps
 */
struct team {
	struct vs_job *job;
	int done;
	int over;
};

struct member {
	struct team *team;
	struct vs_worker *w;
};

static void *work(void *arg)
{
	struct member *m = arg;
	struct team *t = m->team;
	enum vs_run run;

	while (!__atomic_load_n(&t->over, __ATOMIC_SEQ_CST)) {
		run = vs_job_step(t->job, m->w);
		if (run == VS_RUN_DONE) {
			__atomic_add_fetch(&t->done, 1, __ATOMIC_SEQ_CST);
			__atomic_store_n(&t->over, 1, __ATOMIC_SEQ_CST);
		} else if (run == VS_RUN_IDLE) {
			sched_yield();
		}
	}
	return NULL;
}

static u32 run_team(struct vs_job *job, u32 n, void (*meanwhile)(struct vs_job *job))
{
	struct team t = { .job = job };
	struct member m[WORKERS];
	pthread_t th[WORKERS];
	u32 i;

	for (i = 0; i < n; i++) {
		m[i] = (struct member){ &t, workers[i] };
		pthread_create(&th[i], NULL, work, &m[i]);
	}
	if (meanwhile)
		meanwhile(job);
	for (i = 0; i < n; i++)
		pthread_join(th[i], NULL);
	return t.done;
}

static void test_workers(enum vs_simd simd)
{
	u32 n, slice, bad = 0, dones = 0, runs = 0;
	u64 weight = 0;

	for (n = 1; n <= WORKERS; n++) {
		for (slice = 30; slice <= 30000; slice *= 10) {
			struct vs_launch l = launch(prog, NINV);
			struct vs_job *job = new_job(simd, 1ULL << 40, slice, 2);

			memset(mem_out, 0, sizeof(mem_out));
			bad += vs_job_add_launch(job, &l) != 0;
			dones += run_team(job, n, NULL);
			runs++;
			bad += vs_job_get_fault(job)->kind != VS_FAULT_NONE;
			bad += vs_job_invocations(job) != NINV;
			if (!weight) {
				weight = vs_job_weight(job);
				if (simd == VS_SIMD_PORTABLE)
					memcpy(want, mem_out, sizeof(want));
			}
			bad += vs_job_weight(job) != weight;
			bad += memcmp(want, mem_out, sizeof(want)) != 0;
			vs_job_free(job);
		}
	}
	tap_result(!bad && dones == runs,
		   "%s: 1 to %u workers, slices 30 to 30000: %u runs, %u said done, %u wrong",
		   vs_simd_name(simd), WORKERS, runs, dones, bad);
}

/* ---- phases ---- */

static u32 fn_calls, fn_order;

static enum vs_run count_fn(struct vs_job *job, void *arg)
{
	u32 *left = arg;

	fn_calls++;
	fn_order = fn_order * 10 + *left;
	return --*left % 10 ? VS_RUN_MORE : VS_RUN_IDLE;
}

static enum vs_run fault_fn(struct vs_job *job, void *arg)
{
	struct vs_fault f = { .kind = VS_FAULT_OVERFLOW, .info = 77 };

	vs_job_fault(job, &f);
	return VS_RUN_IDLE;
}

/* Writes the uniforms that the next launch reads. */
static enum vs_run unif_fn(struct vs_job *job, void *arg)
{
	unif[4] = eng_bits(-2.0f);
	return VS_RUN_IDLE;
}

static void test_phases(void)
{
	u32 a = 3, b = 2, bad = 0, i, dones = 0;
	struct vs_launch l = launch(prog, 1000), none = launch(prog, 0);
	struct vs_job *job = new_job(vs_simd_best(), 1ULL << 40, 3000, 6);

	bad += vs_job_add_fn(job, count_fn, &a) || vs_job_add_launch(job, &none) ||
	       vs_job_add_launch(job, &l) || vs_job_add_fn(job, unif_fn, NULL) ||
	       vs_job_add_launch(job, &l) || vs_job_add_fn(job, count_fn, &b);
	bad += vs_job_add_fn(job, count_fn, &b) != -ENOSPC ||
	       vs_job_add_launch(job, &l) != -ENOSPC;
	dones += run_team(job, 2, NULL);
	bad += fn_calls != 5 || fn_order != 32121 || a || b;
	bad += vs_job_invocations(job) != 2000 || vs_job_get_fault(job)->kind;
	for (i = 0; i < 1000; i++) {
		float x = eng_f(mem_in[i][0]);

		do {
			x -= 2.0f;
		} while (x > 3.0f);
		bad += mem_out[i][0] != eng_bits(x);
	}
	vs_job_free(job);
	unif[4] = eng_bits(-1.0f);
	tap_result(!bad && dones == 1, "phases in order, empty ones, uniforms read late: %u wrong",
		   bad);

	job = new_job(vs_simd_best(), 1ULL << 40, 3000, 3);
	vs_job_set_draw(job, 5);
	bad = vs_job_add_launch(job, &l) || vs_job_add_fn(job, fault_fn, NULL) ||
	      vs_job_add_fn(job, count_fn, &a);
	fn_calls = 0;
	dones = run_team(job, 3, NULL);
	bad += fn_calls || vs_job_get_fault(job)->kind != VS_FAULT_OVERFLOW ||
	       vs_job_get_fault(job)->info != 77;
	vs_job_free(job);
	tap_result(!bad && dones == 1, "a fault of a function phase ends the job");

	job = new_job(vs_simd_best(), 1, 1, 0);
	dones = run_team(job, 3, NULL);
	bad = vs_job_get_fault(job)->kind;
	vs_job_free(job);
	job = new_job(vs_simd_best(), 1, 1, 1);
	bad += vs_job_add_launch(job, &none) != 0;
	dones += run_team(job, 3, NULL);
	bad += vs_job_get_fault(job)->kind;
	vs_job_free(job);
	tap_result(!bad && dones == 2, "jobs without work are done at once");
}

/* ---- ends ---- */

static void cancel_soon(struct vs_job *job)
{
	usleep(2000);
	vs_job_cancel(job, VS_FAULT_TIMEOUT);
	vs_job_cancel(job, VS_FAULT_CANCELED);
}

static void test_cancel(void)
{
	u32 i, bad = 0, dones = 0;

	for (i = 0; i < 20; i++) {
		struct vs_launch l = launch(endless, NINV);
		struct vs_job *job = new_job(vs_simd_best(), ~0ULL, 3000, 2);

		bad += vs_job_add_launch(job, &l) || vs_job_add_launch(job, &l);
		dones += run_team(job, 1 + i % WORKERS, cancel_soon);
		bad += vs_job_get_fault(job)->kind != VS_FAULT_TIMEOUT;
		bad += vs_job_invocations(job) != 0;
		vs_job_free(job);
	}
	tap_result(!bad && dones == 20,
		   "an endless job ends when canceled, the first reason counts");

	for (i = 0, bad = 0, dones = 0; i < 3; i++) {
		struct vs_launch l = launch(prog, NINV);
		struct vs_job *job = new_job(vs_simd_best(), ~0ULL, 3000, 2);

		bad += vs_job_add_launch(job, &l);
		vs_job_cancel(job, VS_FAULT_CANCELED);
		dones += run_team(job, 1 + i, NULL);
		bad += vs_job_get_fault(job)->kind != VS_FAULT_CANCELED;
		bad += vs_job_invocations(job) != 0;
		vs_job_free(job);
	}
	tap_result(!bad && dones == 3, "a job canceled before it starts");
}

static void test_budget(void)
{
	u32 s, n, bad = 0;
	u64 need;

	EACH_SIMD(s) {
		struct vs_launch l = launch(prog, 640);
		struct vs_job *job = new_job(s, 1ULL << 40, 3000, 1);

		bad += vs_job_add_launch(job, &l);
		run_team(job, 1, NULL);
		need = vs_job_weight(job);
		vs_job_free(job);
		for (n = 0; n < 2; n++) {
			job = new_job(s, need - n, 3000, 1);
			bad += vs_job_add_launch(job, &l);
			run_team(job, 1, NULL);
			bad += vs_job_get_fault(job)->kind != (n ? VS_FAULT_BUDGET : VS_FAULT_NONE);
			vs_job_free(job);
		}
		/* The total overdraft is at most a slice per worker. */
		l = launch(endless, NINV);
		job = new_job(s, 50000, 1000, 1);
		bad += vs_job_add_launch(job, &l);
		run_team(job, WORKERS, NULL);
		bad += vs_job_get_fault(job)->kind != VS_FAULT_BUDGET ||
		       vs_job_weight(job) > 50000 + WORKERS * 1010;
		vs_job_free(job);
	}
	tap_result(!bad, "budgets to the unit, %u wrong", bad);
}

/* ---- selection among several faults ---- */

#define FIRST_BAD	(NINV - 32)	/* in the middle of a chunk, and of a block */
#define LAUNCHED	(NINV + 20000)

/* Reads past the end of its input from FIRST_BAD on. */
static struct vs_job *reads_too_far(u32 slice)
{
	struct vs_launch l = launch(prog, LAUNCHED);
	struct vs_job *job = new_job(vs_simd_best(), 1ULL << 40, slice, 2);

	l.attr[0].va = IN + (NINV - FIRST_BAD) * 16;
	l.nout = 0;
	if (vs_job_add_launch(job, &l))
		exit(2);
	return job;
}

static bool is_first_fault(const struct vs_job *job)
{
	const struct vs_fault *f = vs_job_get_fault(job);

	if (f->kind == VS_FAULT_READ && f->invocation == FIRST_BAD &&
	    f->address == IN + sizeof(mem_in))
		return true;
	tap_comment("kind %u, invocation %llu", f->kind, (unsigned long long)f->invocation);
	return false;
}

/* Run @n workers in turn. Return: number of steps that reported the end of the job. */
static u32 take_turns(struct vs_job *job, u32 n)
{
	u32 i, idle, done = 0;
	enum vs_run run;

	do {
		for (i = 0, idle = 0; i < n && !done; i++) {
			run = vs_job_step(job, workers[i]);
			done += run == VS_RUN_DONE;
			idle += run == VS_RUN_IDLE;
		}
	} while (!done && idle < n);
	return done;
}

static void test_first_fault(void)
{
	u32 n, slice, i, bad = 0, runs = 0;
	struct vs_job *job;

	for (n = 1; n <= WORKERS; n++) {
		for (slice = 30; slice <= 30000; slice *= 10, runs++) {
			job = reads_too_far(slice);
			bad += take_turns(job, n) != 1 || !is_first_fault(job);
			vs_job_free(job);
		}
	}
	tap_result(!bad, "of several faults the first is told, workers in turn: %u runs, %u wrong",
		   runs, bad);
	for (i = 0, bad = 0; i < 60; i++) {
		job = reads_too_far(300);
		bad += run_team(job, 2 + i % (WORKERS - 1), NULL) != 1 || !is_first_fault(job);
		vs_job_free(job);
	}
	tap_result(!bad, "of several faults the first is told, workers at once: %u runs, %u wrong",
		   i, bad);
}

#define TURNS	3	/* then the chunk after that of FIRST_BAD is claimed with it */

/* The last worker meets a fault while the others are still in chunks before its own. */
static struct vs_job *half_faulted(void)
{
	struct vs_job *job = reads_too_far(30);
	u32 i, idle = 0;

	while (!idle) {
		for (i = 0; i < TURNS && !idle; i++)
			idle = vs_job_step(job, workers[i]) == VS_RUN_IDLE;
	}
	return job;
}

static void test_fault_and_cancel(void)
{
	struct vs_job *job = half_faulted();
	const struct vs_fault *f = vs_job_get_fault(job);
	u32 done, bad;

	bad = f->kind != VS_FAULT_READ || f->invocation <= FIRST_BAD;
	vs_job_cancel(job, VS_FAULT_TIMEOUT);
	done = take_turns(job, TURNS);
	bad += f->kind != VS_FAULT_READ || f->invocation <= FIRST_BAD;
	tap_result(done == 1 && !bad, "a cancelled job keeps the fault that it has");
	vs_job_free(job);
}

/* Registers belong to the block with the reported fault. */
static void test_fault_registers(void)
{
	struct vs_launch l = launch(endless, NINV);
	const struct vs_post *post;
	struct vs_debug_inv inv[64];
	u32 i, n, bad = 0;

	for (i = 0; i < 20; i++) {
		struct vs_job *job = new_job(vs_simd_best(), 50000, 1000, 1);
		const struct vs_fault *f = vs_job_get_fault(job);

		bad += vs_job_add_launch(job, &l) != 0;
		bad += run_team(job, WORKERS, NULL) != 1 || f->kind != VS_FAULT_BUDGET;
		post = vs_job_get_post(job);
		n = post->ops ? post->ops->list(post->m, inv, 64) : 0;
		bad += !n || inv[0].invocation / 64 != f->invocation / 64;
		vs_job_free(job);
	}
	tap_result(!bad, "registers of the block that is told: %u wrong", bad);
}

/* ---- guests ---- */

#define GUESTS	3
#define PIECES	1000
#define ROUNDS	100

/* Work of a phase function and its guests, several times over. */
struct party {
	u32 rounds;
	bool invited;
	vs_atomic next;
	vs_atomic done;
	vs_atomic came;
};

static bool take_piece(struct party *p)
{
	if (vs_atomic_fetch_add(&p->next, 1) >= PIECES)
		return false;
	vs_atomic_fetch_add(&p->done, 1);
	return true;
}

static enum vs_run guest_fn(struct vs_job *job, struct vs_worker *w, bool first, void *arg)
{
	struct party *p = arg;

	if (first)
		vs_atomic_fetch_add(&p->came, 1);
	return take_piece(p) ? VS_RUN_MORE : VS_RUN_IDLE;
}

static enum vs_run host_fn(struct vs_job *job, void *arg)
{
	struct party *p = arg;

	if (!p->invited) {
		vs_atomic_set(&p->next, 0);
		vs_job_invite(job, GUESTS, guest_fn, p);
		p->invited = true;
		return VS_RUN_PHASE;
	}
	if (take_piece(p) || !vs_job_alone(job))
		return VS_RUN_MORE;
	p->invited = false;
	return --p->rounds ? VS_RUN_MORE : VS_RUN_IDLE;
}

static void test_guests(void)
{
	u32 n, i, bad = 0, runs = 0, came = 0;

	for (n = 1; n <= WORKERS; n++) {
		for (i = 0; i < 20; i++, runs++) {
			struct vs_job *job = new_job(vs_simd_best(), 1ULL << 40, 3000, 2);
			struct party p = { .rounds = ROUNDS };
			u32 after = 1;

			fn_calls = 0;
			bad += vs_job_add_fn(job, host_fn, &p) ||
			       vs_job_add_fn(job, count_fn, &after);
			bad += (i % 2 ? run_team(job, n, NULL) : take_turns(job, n)) != 1;
			bad += vs_atomic_read(&p.done) != ROUNDS * PIECES || fn_calls != 1 ||
			       vs_atomic_read(&p.came) > ROUNDS * GUESTS ||
			       (n == 1 && vs_atomic_read(&p.came));
			came += vs_atomic_read(&p.came);
			vs_job_free(job);
		}
	}
	tap_result(!bad && came, "guests: %u runs, %u guests came, %u wrong", runs, came, bad);
}

/* A job that is cancelled while guests are inside ends once, when all have left. */
static void test_guests_cancel(void)
{
	u32 i, k, bad = 0;

	for (i = 0; i < 200; i++) {
		struct vs_job *job = new_job(vs_simd_best(), 1ULL << 40, 3000, 2);
		struct party p = { .rounds = ~0U };

		bad += vs_job_add_fn(job, host_fn, &p) != 0;
		for (k = 0; k < i; k++)
			vs_job_step(job, workers[k % WORKERS]);
		vs_job_cancel(job, VS_FAULT_TIMEOUT);
		bad += take_turns(job, WORKERS) != 1 ||
		       vs_job_get_fault(job)->kind != VS_FAULT_TIMEOUT;
		vs_job_free(job);
	}
	tap_result(!bad, "guests: cancelled after 0 to %u steps: %u wrong", i - 1, bad);
}

static void test_parallelism(void)
{
	struct vs_launch l = launch(prog, 64 * 100), small = launch(prog, 10);
	struct vs_job *job = new_job(vs_simd_best(), 1ULL << 40, 3000, 2);
	u32 bad = 0;

	bad += vs_job_add_launch(job, &l);
	bad += vs_job_parallelism(job) < 4;
	vs_job_free(job);
	job = new_job(vs_simd_best(), 1ULL << 40, 3000, 2);
	bad += vs_job_add_launch(job, &small);
	bad += vs_job_parallelism(job) != 1;
	vs_job_free(job);
	tap_result(!bad, "parallelism");
}

/* Launches that vs_job_add_launch() refuses. */
static void test_refused(void)
{
	struct vs_job *job = new_job(vs_simd_best(), 1, 1, 1);
	struct vs_launch l;
	u32 bad = 0;

#define REFUSED(field, value) do {					\
	l = launch(prog, 1);						\
	l.field = value;						\
	if (vs_job_add_launch(job, &l) != -EINVAL) {			\
		bad++;							\
		tap_comment("%s accepted", #field " " #value);		\
	}								\
} while (0)

	REFUSED(entry, prog->nuops);
	REFUSED(entry, 0xffffffff);
	REFUSED(instances, 0);
	REFUSED(index_size, 3);
	REFUSED(index_size, 8);
	REFUSED(fp, VS_NUM_FP);
	REFUSED(nattr, 17);
	REFUSED(nout, 17);
	REFUSED(attr[0].reg, 16);
	REFUSED(attr[0].ncomp, 0);
	REFUSED(attr[0].ncomp, 5);
	REFUSED(attr[0].format, VS_NUM_FMT);
	REFUSED(out[0].reg, 16);
	REFUSED(out[0].ncomp, 5);
	REFUSED(out[0].format, VS_FMT_S8);
	REFUSED(out[0].divisor, 1);
	tap_result(!bad, "bad launches are refused");
	vs_job_free(job);
}

int main(int argc, char **argv)
{
	struct eng_opts opt;
	struct eng_rand r;
	u32 s, i;

	eng_options(argc, argv, &opt);
	eng_srand(&r, opt.seed);
	for (i = 0; i < WORKERS; i++) {
		workers[i] = vs_worker_new(0);
		if (!workers[i])
			return 2;
	}
	make_programs();
	fill(&r);
	EACH_SIMD(s)
		test_workers(s);
	test_phases();
	test_cancel();
	test_budget();
	test_first_fault();
	test_fault_and_cancel();
	test_fault_registers();
	test_guests();
	test_guests_cancel();
	test_parallelism();
	test_refused();
	for (i = 0; i < WORKERS; i++)
		vs_worker_free(workers[i]);
	vs_prog_free(prog);
	vs_prog_free(endless);
	return tap_done();
}
