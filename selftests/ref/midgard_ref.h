/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reference model of Mali Midgard (T760, T860): executes job chains in an image of GPU
 * memory, one thread after the other, decoding every bundle each time it is executed.
 * Written from Mesa's public ISA and descriptor descriptions; it shares no code with the
 * engine.
 *
 * Jobs: null, write value, cache flush, compute, vertex, tiler; triangles and points, not
 * indexed. Descriptors are those of v5, so the GPU's arch is 5. Draws are rendered
 * immediately, into one RGBA8 target, or a 32-bit target written by a blend program.
 *
 * Behaviour shown by programs that Mesa 22.3 compiled, run with their captured memory; a
 * change here makes one of them fail:
 * - Two stages: VMUL and SADD read before either writes. VADD, SMUL and VLUT see their
 *   results, but not each other's; the branch follows.
 * - Uniform vector 0 is r23, the next one r22.
 * - Immediates are sign extended for integers, halves for floats.
 * - FMOV preserves all bits, including subnormals: Mesa moves integer constants with it. So
 *   32-bit floats are not flushed, at least there.
 * - Shift amounts are taken modulo the size; programs do not mask them.
 * - 32 bits widened to 64: the element is half of the first selector of each pair.
 * - An atomic writes the old value to each component of its mask; some masks select y.
 * - UBO: the fields from arg_comp up hold the buffer index (8 bits), bit 0 of the offset is
 *   clear; the offset counts quarters of bytes (offset >> 2).
 * - An atomic compare and exchange takes its address from the argument and offset alone; it
 *   is 32 bits wide unless its toggle makes it 64 bits wide.
 * - Loads of 16-bit varyings: mask bits and swizzle selectors address words of two halves.
 * - DERIVATIVE: mode 0 is right minus left, 1 is lower minus upper; y points down.
 * - FRAG_COORD, FRONT_FACING and point coordinates are varying buffers with a type (25h,
 *   26h, 21h, 61h) instead of an address. With bit 5 of the draw's flags clear a triangle is
 *   front-facing if (x1 - x0)(y2 - y0) - (y1 - y0)(x2 - x0) is not negative; y points down.
 *   Point coordinates of type 61h start at the largest y.
 * - Flat varyings come from the last vertex (provoking vertex).
 * - After a successful framebuffer write execution continues after the bundle, whose tag
 *   then announces no successor; its branch target, a loop around the write, is for failed
 *   writes. Blend programs get r0 and write the stored value, r0.x, unchanged. They need
 *   neither the return address in r1.w nor r1.z, which is absent for render target 0.
 * - The tag byte of a bundle announces its successor: 1 ends the program after this bundle.
 *   If code follows nevertheless, the bundle is a framebuffer write, and that code its loop.
 *   A branch to tag 1 ends the program, too.
 *
 * Choices for behaviour that no program shows:
 * - Conditions: a scalar select tests the whole of r31.w (any bit set: first operand), a
 *   vector select is bitwise, a branch tests bit 0 of r31.w. Conditions in the corpus are 0,
 *   ~0 and FRONT_FACING, which is 0 or ~0 here. A select or branch whose bundle has not
 *   written r31 is an error.
 * - Branch lookup tables are indexed with bits 0 and 16 of r31.w, then those of r31.x.
 * - r31 as a source is the address of the next bundle (x, y), and the stack pointer.
 * - Results are rounded once, in the operation's size, to nearest even or in the operation's
 *   mode. Shrinking rounds once more, in the same direction. Nothing is flushed. NaN results
 *   are 7FC00000h, 7E00h or 7FF8000000000000h. Clamps turn NaN into the lower bound.
 * - FMIN, FMAX: -0 is less than 0. The absolute forms compare and return absolute values.
 * - Dots: products are rounded, then added from x on, each sum rounded. Dots, "all" and
 *   "any" read elements 0 to 3 of the sources also in 16 bits; the mask selects the
 *   destinations.
 * - Choose (7Eh): element by index, modulo the number of elements.
 * - FMA: x and y of the first source, fused with each element of the second.
 * - Conversions to integers saturate; NaN gives 0. Saturating shifts: amounts as for others.
 *   Averages round down (64h, 65h) or up (66h, 67h).
 * - Integer results: signed saturation takes the value as signed, unsigned saturation as
 *   unsigned. Without shrinking only "keep low" is accepted, as Mesa emits it.
 * - Functions are correctly rounded from double arithmetic; sin and cos of pi x return exact
 *   zeros and ones.
 * - Angles: atan2(y, x) is E8h(t.x, t.z * t.w) with t = F9h(y, x), from the 2013 notes. t.x
 *   is 0, +-pi or +-pi/2, t.z the smaller of y and x, t.w the reciprocal of the other.
 * - Float mode 1: before the output modifier, NaN results become 0 and infinite ones the
 *   largest number, except in moves and selects. Other modes are refused.
 * - Derivatives use the lane's own row or column; the whole quad shares a level of detail,
 *   computed from its first lane: log2 of the longer of the two steps in texels.
 * - Texels and elements are converted as in the renderers that produced the expected values:
 *   n * (1 / 255), with the reciprocal rounded.
 * - Out-of-range image accesses, and atomics at address 0 (from LEA_IMAGE), are ignored;
 *   reads return 0. UBOs likewise. Any other address must be mapped, except for loads by
 *   helpers.
 * - Discard turns the fragment into a helper, which keeps executing for its neighbours'
 *   derivatives. A texture bundle that kills helpers (partial execution 2) ends it.
 * - Thread and group memory is at addresses private to this model.
 * - Cube coordinates: two floats from 0 to 1 with the face index above them, bits 30 and 31
 *   of x, then of y. Faces are filtered separately.
 * - PACK and UNPACK: the format is 22 bits, offset << 4 | index shift.
 *
 * Refused with an error: ALU operations without a known meaning (3Fh, 59h to 5Bh, ECh to
 * EEh and numbers without a name), floats of 8 bits, masks that split an element, source
 * modes that Mesa's disassembler does not accept, calls in functions, write conditions other
 * than "always", several render targets, fetches of several samples, gradient and move
 * operations of textures, special values other than the sample mask (96) and sample (97),
 * varying modifier 4, stores to special registers and the tile buffer.
 */
#ifndef SELFTESTS_REF_MIDGARD_REF_H
#define SELFTESTS_REF_MIDGARD_REF_H

#include "mali_ref.h"

/* Execute the chain that begins at @chain; arch is 5. Return: true if all jobs ended well. */
bool mgr_run(struct mrf *g, uint64_t chain);

#endif
