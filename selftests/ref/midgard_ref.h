/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reference model of Mali Midgard (T760, T860): executes job chains in an image of GPU
 * memory, one thread after the other, taking every bundle apart each time it is executed.
 * Written from Mesa's public ISA and descriptor descriptions; it shares no code with the
 * engine.
 */
#ifndef SELFTESTS_REF_MIDGARD_REF_H
#define SELFTESTS_REF_MIDGARD_REF_H

#include "mali_ref.h"

/* Execute the chain that begins at @chain; arch is 5. Return: true if all jobs ended well. */
bool mgr_run(struct mrf *g, uint64_t chain);

#endif
