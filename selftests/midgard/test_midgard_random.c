// SPDX-License-Identifier: GPL-2.0
/*
 * Random programs on the Midgard reference model. Those that are defined throughout have to
 * end well, and twice in the same way; those that are not have to be refused or to end.
 */
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "mgen.h"

static const struct {
	const char *name;
	unsigned int flags;
} classes[] = {
	{ "integers of 32 bits", 0 },
	{ "integers of all widths", MGEN_WIDTHS },
	{ "floats of 32 bits", MGEN_FLOATS },
	{ "everything of all widths", MGEN_WIDTHS | MGEN_FLOATS | MGEN_FUNCTIONS },
	{ "flow", MGEN_FLOW },
	{ "memory", MGEN_MEMORY },
	{ "memory of the group", MGEN_SHARED },
	{ "all of it", MGEN_WIDTHS | MGEN_FLOATS | MGEN_FUNCTIONS | MGEN_FLOW | MGEN_MEMORY |
	  MGEN_SHARED },
};

/* Memory at the end as one number. */
static uint64_t sum(struct mjob *j)
{
	uint64_t h = 1469598103934665603ull;
	unsigned int i;

	for (i = 0; i < MJ_DATA_SIZE; i += 4)
		h = (h ^ mj_r32(j, MJ_DATA + i)) * 1099511628211ull;
	return h;
}

static void defined(unsigned int k, unsigned int programs)
{
	unsigned int seed, bad = 0, differ = 0;
	uint64_t steps = 0, last = 0, now[2];
	char error[200] = "";
	struct mjob j;
	unsigned int i;

	for (seed = 1; seed <= programs; seed++) {
		for (i = 0; i < 2; i++) {
			struct mcode c;

			mj_new(&j);
			mgen_job(&j, &c, seed + 1000 * k, classes[k].flags);
			if (!mj_run(&j, &c) && !bad++)
				snprintf(error, sizeof(error), "seed %u: %.150s", seed, j.g.error);
			now[i] = sum(&j);
			steps += j.g.steps;
			mj_free(&j);
		}
		bad += now[0] != now[1];
		differ += now[0] != last;
		last = now[0];
	}
	tap_result(!bad && differ == programs, "%s: %u programs, %llu bundles, %u failed %s",
		   classes[k].name, programs, (unsigned long long)steps, bad, error);
}

/* Some bits of a program are others. */
static void undefined(unsigned int programs)
{
	unsigned int seed, well = 0, refused = 0, i;
	uint32_t r;

	srand(860);
	for (seed = 1; seed <= programs; seed++) {
		struct mcode c;
		struct mjob j;

		mj_new(&j);
		mgen_job(&j, &c, seed, ~0u);
		for (i = 1 + seed % 4; i; i--) {
			r = (uint32_t)rand();
			c.w[r % c.n] ^= 1u << (r >> 20 & 31);
		}
		if (mj_run(&j, &c))
			well++;
		else
			refused += !!*j.g.error;
		mj_free(&j);
	}
	tap_result(well + refused == programs && well && refused,
		   "changed programs: %u ended, %u have an error", well, refused);
}

int main(void)
{
	const char *n = getenv("MIDGARD_PROGRAMS");
	unsigned int k, programs = n ? (unsigned int)atoi(n) : 100;

	tap_start();
	for (k = 0; k < sizeof(classes) / sizeof(classes[0]); k++)
		defined(k, programs);
	undefined(4 * programs);
	return tap_done();
}
