// SPDX-License-Identifier: MIT
/*
 * Progress of long commands.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

#define FIRST_S		3	/* seconds until the line appears */
#define CLEAR_LINE	"\r\033[K"

static struct {
	pthread_mutex_t lock;
	pthread_cond_t ended;
	pthread_t thread;
	bool muted;
	bool running;
	bool end;
	bool shown;
	const char *what;
	const char *unit;
	const atomic_uint *done;
	unsigned int total;
} watch = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void clear(void)
{
	if (watch.shown)
		fputs(CLEAR_LINE, stderr);
	watch.shown = false;
}

/* Names are cut: the line must not wrap. Control characters stay out of the terminal. */
static void show(unsigned int seconds)
{
	char name[49];
	unsigned int i;

	for (i = 0; i < sizeof(name) - 1 && watch.what[i]; i++)
		name[i] = watch.what[i] >= ' ' && watch.what[i] < 0x7f ? watch.what[i] : '?';
	name[i] = 0;
	fprintf(stderr, CLEAR_LINE "%s: ", name);
	if (watch.done)
		fprintf(stderr, "%u of %u %s, ", atomic_load(watch.done), watch.total, watch.unit);
	fprintf(stderr, "%u s", seconds);
	watch.shown = true;
}

static void *run(void *arg)
{
	struct timespec next;
	unsigned int s = FIRST_S;

	clock_gettime(CLOCK_MONOTONIC, &next);
	next.tv_sec += s;
	pthread_mutex_lock(&watch.lock);
	while (!watch.end) {
		if (pthread_cond_timedwait(&watch.ended, &watch.lock, &next) != ETIMEDOUT)
			continue;
		show(s++);
		next.tv_sec++;
	}
	clear();
	pthread_mutex_unlock(&watch.lock);
	return NULL;
}

void progress_begin(const char *what, const char *unit, const _Atomic unsigned int *done,
		    unsigned int total)
{
	pthread_condattr_t attr;
	sigset_t all, old;

	if (watch.running || watch.muted || !isatty(STDERR_FILENO))
		return;
	watch.what = what;
	watch.unit = unit;
	watch.done = done;
	watch.total = total;
	watch.end = false;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&watch.ended, &attr);
	pthread_condattr_destroy(&attr);
	/* signals are for the thread that works */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	watch.running = !pthread_create(&watch.thread, NULL, run, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void progress_mute(void)
{
	watch.muted = true;
}

void progress_clear(void)
{
	if (!watch.running)
		return;
	pthread_mutex_lock(&watch.lock);
	clear();
	pthread_mutex_unlock(&watch.lock);
}

void progress_end(void)
{
	if (!watch.running)
		return;
	pthread_mutex_lock(&watch.lock);
	watch.end = true;
	pthread_cond_signal(&watch.ended);
	pthread_mutex_unlock(&watch.lock);
	pthread_join(watch.thread, NULL);
	pthread_cond_destroy(&watch.ended);
	watch.running = false;
}
