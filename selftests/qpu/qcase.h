/* SPDX-License-Identifier: GPL-2.0 */
/* Cases of format qpu-job/1: a memory image, programs to launch and expected results. */
#ifndef SELFTESTS_QPU_QCASE_H
#define SELFTESTS_QPU_QCASE_H

#include "exec.h"

#define QCASE_MAX_THREADS	64

struct qcase {
	char name[64];
	uint32_t lo;
	uint32_t size;
	uint8_t *image;			/* before the run */
	uint8_t *want;			/* words expected, where mask is 0xff */
	uint8_t *mask;
	struct qpu_ref_thread threads[QCASE_MAX_THREADS];
	unsigned int nthreads;
	uint32_t *pointers;		/* addresses of words that hold addresses */
	unsigned int npointers;
	uint64_t insns;			/* executed, all together */
};

/* Return: 0, or -1 with ju_error() telling why. */
int qcase_load(const char *folder, const char *name, struct qcase *c);
void qcase_free(struct qcase *c);
/* Run it @offset bytes above its original address. Return: number of wrong words. */
unsigned int qcase_run(const struct qcase *c, unsigned int ex, uint32_t offset,
		       struct qx_result *res);

#endif
