// SPDX-License-Identifier: GPL-2.0
/*
 * The executor: a process that runs sequences. Lane 0 is its main thread, which hands calls of
 * other lanes to threads and waits for them, unless they are asynchronous. Everything that a
 * sequence has made is closed at its end.
 */
#include <fcntl.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "ops.h"
#include "touch.h"

struct lane {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t change;
	const struct fz_call *call;	/* under lock; NULL: idle */
	struct fz_ctx ctx;
	void *cover;
};

static struct lane lanes[FZ_LANES];
static struct fz_run run;
static int first_fd;

static void open_fail(struct fz_ctx *c)
{
	c->fail_fd = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
}

static void run_call(struct lane *l, const struct fz_call *call)
{
	struct fz_ctx *c = &l->ctx;

	c->call = call;
	c->used = 0;
	c->at = 0;
	c->poked = false;
	fz_shared->calls[call->op]++;
	fz_cover_begin(l->cover);
	fz_ops[call->op].fn(c);
	fz_cover_end(l->cover);
}

/* ---- lanes ---- */

static void init_lane(struct lane *l)
{
	u8 *p = mmap(NULL, FZ_ARENA + PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p + FZ_ARENA, PAGE, PROT_NONE))
		_exit(71);
	l->ctx.arena = p;
	l->ctx.run = &run;
	open_fail(&l->ctx);
	fz_cover_start(&l->cover);
}

static void *lane_thread(void *arg)
{
	struct lane *l = arg;

	init_lane(l);
	pthread_mutex_lock(&l->lock);
	for (;;) {
		/* starting is a call, too: the first one is over now */
		l->call = NULL;
		pthread_cond_broadcast(&l->change);
		while (!l->call)
			pthread_cond_wait(&l->change, &l->lock);
		pthread_mutex_unlock(&l->lock);
		run_call(l, l->call);
		pthread_mutex_lock(&l->lock);
	}
	return NULL;
}

static void wait_for(struct lane *l)
{
	pthread_mutex_lock(&l->lock);
	while (l->call)
		pthread_cond_wait(&l->change, &l->lock);
	pthread_mutex_unlock(&l->lock);
}

static void hand_over(struct lane *l, const struct fz_call *call)
{
	wait_for(l);
	pthread_mutex_lock(&l->lock);
	l->call = call;
	pthread_cond_broadcast(&l->change);
	pthread_mutex_unlock(&l->lock);
	if (!call->async)
		wait_for(l);
}

static void start_lanes(void)
{
	static const struct fz_call start;
	u32 i;

	for (i = 0; i < FZ_LANES; i++) {
		pthread_mutex_init(&lanes[i].lock, NULL);
		pthread_cond_init(&lanes[i].change, NULL);
	}
	init_lane(&lanes[0]);
	for (i = 1; i < FZ_LANES; i++) {
		lanes[i].call = &start;
		if (pthread_create(&lanes[i].thread, NULL, lane_thread, &lanes[i]))
			_exit(71);
		wait_for(&lanes[i]);
	}
}

/* ---- sequences ---- */

static void dispatch(const struct fz_call *call)
{
	if (call->lane && !run.in_child) {
		hand_over(&lanes[call->lane], call);
	} else {
		fz_shared->doing = fz_ops[call->op].name;
		run_call(&lanes[0], call);
	}
}

/* In the table of operations; it is run by run_calls(). */
FZ_OP(fork)
{
}

/*
 * The next calls are another process's, which then ends, or waits until it is killed. Returns how
 * many they are.
 */
static u32 fork_calls(const struct fz_call *call, u32 left)
{
	u32 i, n = 1 + call->b[0] % 6;
	pid_t pid;

	if (n > left)
		n = left;
	if (run.in_child || run.nchild == ARRAY_SIZE(run.child))
		return 0;
	pid = fork();
	if (pid > 0)
		run.child[run.nchild++] = pid;
	if (pid)
		return n;
	run.in_child = true;
	lanes[0].cover = NULL;
	open_fail(&lanes[0].ctx);
	for (i = 0; i < n; i++)
		dispatch(call + 1 + i);
	while (call->b[1] % 2)
		pause();
	_exit(0);
}

static void run_calls(const struct fz_seq *s)
{
	static int fork_op;
	u32 i;

	fork_op = fz_op_find("fork");
	for (i = 0; i < s->n; i++) {
		if (s->call[i].op == fork_op)
			i += fork_calls(&s->call[i], s->n - 1 - i);
		else
			dispatch(&s->call[i]);
	}
}

static void begin(void)
{
	memset(&run, 0, sizeof(run));
	run.sock[0] = -1;
	run.sock[1] = -1;
}

static void end(void)
{
	static const struct itimerval never;
	u32 i;

	for (i = 0; i < run.nchild; i++)
		kill(run.child[i], SIGKILL);
	for (i = 1; i < FZ_LANES; i++)
		wait_for(&lanes[i]);
	setitimer(ITIMER_REAL, &never, NULL);
	for (i = 0; i < run.nchild; i++)
		while (waitpid(run.child[i], NULL, 0) < 0 && errno == EINTR)
			;
	if (fz_shared->exit_after)
		return;
	for (i = 0; i < FZ_RES; i++)
		if (run.res[i].map)
			munmap(run.res[i].map, run.res[i].size);
	fz_shared->doing = "closing";
	syscall(SYS_close_range, first_fd, ~0u, 0);
}

/* ---- the process ---- */

static void on_fault(int sig)
{
	if (fz_touching) {
		fz_touching = 0;
		siglongjmp(fz_touch_env, 1);
	}
	signal(sig, SIG_DFL);
}

static void on_alarm(int sig)
{
}

static void handle(int sig, void (*fn)(int))
{
	struct sigaction a = { .sa_handler = fn };

	sigaction(sig, &a, NULL);
}

/* Descriptors of sequences are above all of ours: numbers between these are taken. */
static int highest_fd(void)
{
	int fd, max = 2;

	for (fd = 0; fd < 256; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			max = fd;
	do {
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	} while (fd >= 0 && fd < max);
	if (fd > max)
		close(fd);
	return max;
}

static bool transfer(ssize_t (*fn)(int fd, void *p, size_t n), int fd, void *p)
{
	ssize_t n;

	do {
		n = fn(fd, p, 1);
	} while (n < 0 && errno == EINTR);
	return n == 1;
}

static ssize_t do_write(int fd, void *p, size_t n)
{
	return write(fd, p, n);
}

void fz_executor(int in, int out)
{
	char byte = 0;

	handle(SIGBUS, on_fault);
	handle(SIGSEGV, on_fault);
	handle(SIGALRM, on_alarm);
	start_lanes();
	first_fd = highest_fd() + 1;
	while (transfer(read, in, &byte)) {
		begin();
		run_calls(&fz_shared->seq);
		end();
		transfer(do_write, out, &byte);
		if (fz_shared->exit_after)
			break;
	}
	_exit(0);
}
