/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common header of the ioctl tests: the harness and the helpers.
 */
#ifndef VSHADER_TEST_H
#define VSHADER_TEST_H

/* One stream for results and messages, in order. */
#define TH_LOG_STREAM stdout

#include "../include/kselftest_harness.h"
#include "vst.h"

/* The test has nothing to run on, or the helper failed: leave it with the statement. */
#define OPEN_OR_SKIP(statement, fd) do {				\
	(fd) = vst_open();						\
	if ((fd) == -ENODEV)						\
		SKIP(statement, "no vshader render node");		\
	ASSERT_LE(0, (fd));						\
} while (0)

#define SETUP_OR_SKIP(statement, t, code) do {				\
	int __ret = vst_setup((t), (code));				\
	if (__ret == -ENODEV)						\
		SKIP(statement, "no vshader render node");		\
	ASSERT_EQ(0, __ret);						\
} while (0)

#endif
