/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Verification of whole Midgard programs.
 */
#ifndef MIDGARD_VERIFY_H
#define MIDGARD_VERIFY_H

#include "midgard.h"

/**
 * struct mg_check - parameters and results of a verification
 * @gpu: enum mg_gpu
 * @bundles: number of reachable bundles
 * @calls: the program has calls or returns
 * @reject: reject reason; offsets count quads, fields are bits of that quad
 */
struct mg_check {
	enum mg_gpu gpu;
	u32 bundles;
	bool calls;
	struct vs_reject reject;
};

/* Entries are quads. Return: 0, -ENOEXEC if rejected, -ENOMEM. */
int mg_verify(const struct vs_src *src, struct vs_report *rep, struct mg_check *check);
const char *mg_reason_text(u32 reason);

#endif /* MIDGARD_VERIFY_H */
