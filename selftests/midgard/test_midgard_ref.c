// SPDX-License-Identifier: GPL-2.0
/* Captured jobs of the Mali corpus on the Midgard reference model. */
#include <string.h>

#include "../ref/mali_captures.h"
#include "../ref/midgard_ref.h"

/* Where the corpus allows a tolerance: near what single floats give; mediump for v_half. */
static double tolerance(const char *name, const char *gpu)
{
	return !strcmp(name, "v_half") ? 0.002 : 4e-6;
}

int main(void)
{
	static const char * const gpus[] = { "midgard-t760", NULL };
	static const struct mcaptures captures = {
		.captured = "midgard-t860", .gpus = gpus, .arch = 5, .run = mgr_run,
		.tolerance = tolerance, .data = "MIDGARD_DATA", .corpus = "MIDGARD_CORPUS",
	};

	return mcaptures_main(&captures);
}
