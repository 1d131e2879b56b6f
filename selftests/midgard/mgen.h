/* SPDX-License-Identifier: GPL-2.0 */
/* Random Midgard compute programs that are defined from their first to their last bundle. */
#ifndef SELFTESTS_MIDGARD_MGEN_H
#define SELFTESTS_MIDGARD_MGEN_H

#include "mcode.h"

#define MGEN_WIDTHS	0x01	/* 8, 16 and 64 bits too */
#define MGEN_FLOATS	0x02
#define MGEN_FUNCTIONS	0x04	/* of the table unit; these are not exact */
#define MGEN_FLOW	0x08
#define MGEN_MEMORY	0x10
#define MGEN_SHARED	0x20	/* with barriers */
#define MGEN_DOUBLES	0x40	/* most operations have 64 bits, and so have their operands */

#define MGEN_THREADS	16	/* of the one group */

/*
 * Fill in the job and the program for a seed. Each thread has 256 bytes at MJ_DATA for its
 * registers r0 to r11 at the end, and 256 at MJ_DATA + 2000h, where it reads and writes.
 * mj_run() or anything else that reads the same descriptors executes it.
 */
void mgen_job(struct mjob *j, struct mcode *c, uint32_t seed, unsigned int flags);

#endif
