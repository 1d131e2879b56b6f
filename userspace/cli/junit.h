/* SPDX-License-Identifier: MIT */
/*
 * JUnit XML, which CI systems read: a suite per file, a case per test.
 */
#ifndef VSHADER_JUNIT_H
#define VSHADER_JUNIT_H

#include <stdbool.h>

struct junit;

/* Begin a report; @path must stay valid. Return: NULL, reported: it cannot be written. */
struct junit *junit_open(const char *path);
void junit_suite(struct junit *j, const char *name);
/*
 * @name: another one for each case of the suites of this name. @seconds: of the job or program.
 * @came, @details: short and long texts for a failure, or NULL.
 */
void junit_case(struct junit *j, const char *name, bool ok, double seconds, const char *came,
		const char *details);
void junit_suite_end(struct junit *j, double seconds);
/* Write the end; releases @j. Return: 0 or EXIT_USAGE with a message. */
int junit_close(struct junit *j);

#endif /* VSHADER_JUNIT_H */
