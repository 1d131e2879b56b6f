/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reference model of Mali Bifrost: executes job chains in an image of GPU memory, one
 * thread after the other, taking every word apart each time it is executed. Written from
 * Mesa's public ISA and descriptor descriptions; it shares no code with the engine.
 *
 * Jobs: null, write value, cache flush, compute (including transform feedback), vertex and
 * tiler, indexed vertex; triangles and points. Descriptors are those of v7 (G31, G52), so
 * the GPU's arch is 7; programs may be those of v6. Not modelled and reported as an error:
 * indices, lines, cubes, gradients, blend programs, fragment jobs.
 *
 * Choices without public documentation of the hardware's behaviour:
 * - NaN results are 0x7fc00000; a clamp turns NaN into its lower bound.
 * - FRCP, FRSQ, FEXP, FLOGD, the tables: correctly rounded from double arithmetic.
 *   FRCP_APPROX and FRSQ_APPROX are truncated to 17 mantissa bits.
 * - FMA_RSCALE with "special n": a product of 0 and infinity, or with a NaN, counts as 0,
 *   so that Mesa's Newton steps keep the approximation's value.
 * - ATOM_C_RETURN leaves the old value and the operation's neutral element in its two
 *   registers; ATOM_POST combines them (hardware coalesces the lanes of a warp).
 * - The third word of LEA_ATTR has the layout of a blend descriptor's conversion and of
 *   the constant in position programs: format | register format << 24.
 */
#ifndef SELFTESTS_REF_BIFROST_REF_H
#define SELFTESTS_REF_BIFROST_REF_H

#include "mali_ref.h"

/* Execute the chain that begins at @chain. Return: true if all jobs ended well. */
bool bfr_run(struct mrf *g, uint64_t chain);

#endif
