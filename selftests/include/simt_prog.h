/* SPDX-License-Identifier: GPL-2.0 */
/* A program of the SIMT machine from a builder's micro-ops, in one call. */
#ifndef SELFTESTS_SIMT_PROG_H
#define SELFTESTS_SIMT_PROG_H

#include "engine/simt/simt.h"

static inline int simt_prog_finish(struct simt_builder *b, const struct simt_prog *proto, u32 entry,
				   struct simt_prog **out)
{
	struct simt_finish *f = simt_finish_new(b, proto, entry);
	u32 left;
	int ret;

	if (!f)
		return -ENOMEM;
	do {
		left = ~0U;
		ret = simt_finish_step(f, &left, out);
	} while (ret == -EAGAIN);
	return ret;
}

#endif /* SELFTESTS_SIMT_PROG_H */
