// SPDX-License-Identifier: GPL-2.0
/*
 * Captured jobs of the Mali corpus on the Bifrost reference model. All of them have v7
 * descriptors; only the programs are those of v6.
 */
#include <string.h>

#include "../ref/bifrost_ref.h"
#include "../ref/mali_captures.h"

/*
 * Where the corpus allows a tolerance: near what single floats give; mediump for v_half.
 * Mesa's logarithm for G71 is a polynomial of two terms after a table of five bits, good
 * to some 2^-15 whatever the table, and pow() multiplies that error.
 */
static double tolerance(const char *name, const char *gpu)
{
	if (!strcmp(name, "v_half"))
		return 0.002;
	return !strcmp(name, "c_transc") && !strcmp(gpu, "bifrost-g71") ? 3e-4 : 4e-6;
}

int main(void)
{
	static const char * const gpus[] = { "bifrost-g31", "bifrost-g52", "bifrost-g71",
					     "bifrost-g72", NULL };
	static const struct mcaptures captures = {
		.captured = "bifrost-g52", .gpus = gpus, .arch = 7, .run = bfr_run,
		.tolerance = tolerance, .partial = true, .fused = true,
		.data = "BIFROST_DATA", .corpus = "BIFROST_CORPUS",
	};

	return mcaptures_main(&captures);
}
