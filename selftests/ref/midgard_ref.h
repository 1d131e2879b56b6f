/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reference model of Mali Midgard (T760, T860): executes job chains in an image of GPU
 * memory, one thread after the other, taking every bundle apart each time it is executed.
 * Written from Mesa's public ISA and descriptor descriptions; it shares no code with the
 * engine.
 *
 * Jobs: null, write value, cache flush, compute, vertex, tiler of triangles and points that
 * are not indexed. Descriptors are those of v5, so the GPU's arch is 5. Draws are rendered
 * at once, into one target of RGBA8, or of 32 bits by a blend program.
 *
 * What programs that Mesa 22.3 compiled show, run with their captured memory; each of them
 * gives wrong results if it is changed here:
 * - Two stages: VMUL and SADD read before either writes, and their results are there for
 *   VADD, SMUL and VLUT, which again do not see each other's; then the branch.
 * - Uniform vector 0 is r23, the next one r22.
 * - Immediates are sign extended for integers, halves for floats.
 * - FMOV keeps bits, also those of numbers that are not normal: Mesa moves integer
 *   constants with it. So floats of 32 bits are not flushed, at least there.
 * - Shift amounts count modulo the size; no masking is in the code.
 * - 32 bits widened to 64: half of the first selector of each pair is the element.
 * - An atomic puts the old value in each component that its mask has; some masks are of y.
 * - UBO: buffer number in the fields from arg_comp up (8 bits), bit 0 of the offset clear;
 *   the offset counts quarters of bytes (offset >> 2).
 * - An atomic compare and exchange takes its address from the argument and offset alone;
 *   one that is not 64 bits wide by its toggle is 32 bits wide.
 * - Loads of 16-bit varyings: the mask's bits and the swizzle's selectors are of words, two
 *   halves each.
 * - DERIVATIVE: mode 0 is right minus left, 1 is lower minus upper, y counting down.
 * - FRAG_COORD, FRONT_FACING and point coordinates are varying buffers of a type (25h, 26h,
 *   21h, 61h) instead of an address. With bit 5 of the draw's flags clear a triangle faces
 *   the viewer if (x1 - x0)(y2 - y0) - (y1 - y0)(x2 - x0) is not negative, y counting down.
 *   Point coordinates of type 61h begin at the largest y.
 * - Flat varyings are those of the last corner.
 * - A framebuffer write that succeeds goes on behind the bundle, which then says that
 *   nothing follows; its target, a loop around the write, is for one that fails. Blend
 *   programs get r0, and write what is stored, r0.x, as it is. The return address in r1.w
 *   is not needed for that, nor r1.z, which is left out for the first render target.
 * - The byte of a bundle says what follows: 1 ends the program behind this bundle. Where code
 *   follows all the same the bundle is a framebuffer write, and that code its loop. A branch
 *   to kind 1 ends the program, too.
 *
 * What no program shows, and what is done here:
 * - A condition is the whole of r31.w for a select (any bit set: the first operand), and bit
 *   for bit with a vector select; bit 0 of r31.w for a branch. Conditions of the corpus are
 *   0, ~0, and what FRONT_FACING is, which here is 0 or ~0. A select or branch whose bundle
 *   has not written r31 is an error.
 * - Tables of branches are looked up with bit 0 and bit 16 of r31.w, then those of r31.x.
 * - r31 as a source is the address behind the bundle (x, y), and the stack pointer.
 * - Rounding is once, in the operation's size, to nearest even or as the operation says. A
 *   result that is then shrunk is rounded once more, in the same direction.
 *   Nothing is flushed. NaN results are 7FC00000h, 7E00h or 7FF8000000000000h. Clamps:
 *   NaN gives the lower bound.
 * - FMIN, FMAX: -0 is less than 0. The absolute forms compare and give absolute values.
 * - Dots: products rounded, then added from x on, each sum rounded. They, "all" and "any" are
 *   of elements 0 to 3 of the sources also in 16 bits; results go where the mask says.
 * - Choose (7Eh): element by number, modulo the number of elements.
 * - FMA: x and y of the first source, fused with each element of the second.
 * - Conversions to integers saturate, NaN is 0. Saturating shifts: amounts as for others.
 *   Averages round down (64h, 65h) or up (66h, 67h).
 * - Integer results: signed saturation takes the value as signed, unsigned saturation as
 *   unsigned. Without shrinking only "keep low" is accepted, as Mesa has it.
 * - Functions: the nearest number to the real result, from double arithmetic; sin and cos of
 *   pi x are exact zeros and ones where they should be.
 * - Angles: atan2(y, x) is E8h(t.x, t.z * t.w) with t = F9h(y, x), from the 2013 notes. t.x
 *   is 0, +-pi or +-pi/2, t.z the smaller of y and x, t.w the reciprocal of the other.
 * - Float mode 1: NaN results are 0, infinite ones the largest number, but for moves and
 *   selects; before the output modifier. Other modes are refused.
 * - Derivatives are of the lane's own row or column; the level of detail is of the whole
 *   quad, from its first lane: log2 of the longer of the two steps in texels.
 * - Texels and elements are converted as by the renderers that the expected values are from:
 *   n * (1 / 255), with the reciprocal rounded.
 * - Images outside, and address 0 of atomics, as LEA_IMAGE gives it: nothing happens, reads
 *   are 0. UBOs likewise. Any other address must be mapped, but for loads by helpers.
 * - Discard makes the fragment a helper; it goes on, for its neighbours' derivatives. A
 *   texture bundle that kills helpers (partial execution 2) ends them.
 * - Memory of threads and groups is at addresses of this model's own.
 * - Cube coordinates: two floats from 0 to 1 with the face's number above them, bits 30 and
 *   31 of x, then of y. Faces are filtered on their own.
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
