/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Test Anything Protocol output for the userspace tests. A test calls
 * tap_plan() or, when the number is not known before, only tap_done(), which
 * then prints the plan at the end.
 */
#ifndef SELFTESTS_INCLUDE_TAP_H
#define SELFTESTS_INCLUDE_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#define TAP_EXIT_PASS	0
#define TAP_EXIT_FAIL	1
#define TAP_EXIT_SKIP	4

/* One for the whole program, however many of its files include this. */
struct tap_state {
	bool started;
	bool planned;
	unsigned int plan;
	unsigned int run;
	unsigned int passed;
	unsigned int failed;
	unsigned int skipped;
};

struct tap_state tap __attribute__((weak));

static inline void tap_start(void)
{
	if (tap.started)
		return;
	tap.started = true;
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n");
}

static inline void tap_plan(unsigned int plan)
{
	tap_start();
	tap.planned = true;
	tap.plan = plan;
	printf("1..%u\n", plan);
}

__attribute__((format(printf, 1, 2)))
static inline void tap_comment(const char *fmt, ...)
{
	va_list ap;

	tap_start();
	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}

/* One result; returns @pass so that callers can print details of a failure. */
__attribute__((format(printf, 2, 3)))
static inline bool tap_result(bool pass, const char *fmt, ...)
{
	va_list ap;

	tap_start();
	printf("%s %u ", pass ? "ok" : "not ok", ++tap.run);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	if (pass)
		tap.passed++;
	else
		tap.failed++;
	return pass;
}

/* A test that was not run, or a result that is reported but does not count. */
__attribute__((format(printf, 2, 3)))
static inline void tap_skip(const char *why, const char *fmt, ...)
{
	va_list ap;

	tap_start();
	printf("ok %u ", ++tap.run);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf(" # SKIP %s\n", why);
	tap.skipped++;
}

/* Print the totals; returns the exit status of the program. */
static inline int tap_done(void)
{
	tap_start();
	if (!tap.planned)
		printf("1..%u\n", tap.run);
	printf("# Totals: pass:%u fail:%u xfail:0 xpass:0 skip:%u error:0\n",
	       tap.passed, tap.failed, tap.skipped);
	if (tap.failed || (tap.planned && tap.plan != tap.run))
		return TAP_EXIT_FAIL;
	if (tap.run && tap.skipped == tap.run)
		return TAP_EXIT_SKIP;
	return TAP_EXIT_PASS;
}

#endif
