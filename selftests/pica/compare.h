/* SPDX-License-Identifier: GPL-2.0 */
/* Compare the results of two executors for one job. */
#ifndef SELFTESTS_PICA_COMPARE_H
#define SELFTESTS_PICA_COMPARE_H

#include <stddef.h>

#include "pica_exec.h"

/*
 * Equal as far as executors have to be: any NaN equals any other, and the
 * outputs that gen_random keeps for RSQ, EX2 and LG2 may be a little off.
 * @want is the reference's. With @registers everything is compared, else
 * outputs. False with the first difference in @why.
 */
bool compare_lane(enum pica_ref_model model, const struct pica_exec_lane *want,
		  const struct pica_exec_lane *got, bool registers, char *why, size_t size);
bool compare_events(enum pica_ref_model model, const struct pica_exec_event *want,
		    const struct pica_exec_event *got, size_t n, char *why, size_t size);

/* Equal to the last bit, NaNs too: two builds of one engine. */
bool compare_lane_bits(const struct pica_exec_lane *a, const struct pica_exec_lane *b, char *why,
		       size_t size);
bool compare_events_bits(const struct pica_exec_event *a, const struct pica_exec_event *b,
			 size_t n, char *why, size_t size);

#endif
