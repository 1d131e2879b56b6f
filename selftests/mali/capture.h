/* SPDX-License-Identifier: GPL-2.0 */
/* Memory captures of submitted Mali job chains, from the external corpus. */
#ifndef SELFTESTS_MALI_CAPTURE_H
#define SELFTESTS_MALI_CAPTURE_H

#include "native/mali/mali_launch.h"

#define MAX_BOS	64

/**
 * struct capture - One submit.
 * @jc:		address of the job chain
 * @fragment:	for the fragment slot
 * @map:	memory
 * @ext:	of @map
 */
struct capture {
	u64 jc;
	bool fragment;
	struct vs_map map;
	struct vs_extent ext[MAX_BOS];
};

/* @base: path up to ".submitNN", without the ending. Return: false and a comment on failure. */
bool capture_load(const char *base, struct capture *c);
void capture_free(struct capture *c);

#endif
