/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fragment programs of both families that write to two targets, and programs that blend for the
 * first one, for tests on the engine and by ioctls.
 */
#ifndef SELFTESTS_MALI_BLEND_H
#define SELFTESTS_MALI_BLEND_H

/*
 * Bifrost: r0 .. r3 = u0, u1; BLEND r48, r60, descriptor 0, @r0;
 * r0 = u1.w1; r3 = u0.w0; BLEND r48, r60, descriptor 1, @r0; end
 */
static const unsigned int blend_targets[] = {
	0x00c38029, 0x80cb606c, 0xc00765b7, 0x00000008,
	0x00018121, 0x80cb187c, 0x140f65b3, 0x58c16004,
	0x00000044, 0x00000000, 0xe0300000, 0x2001d96d,
	0xcc30084e, 0x80cb186b, 0xc002a583, 0x02400008,
	0x00c38129, 0x80cb186c, 0xc00765b7, 0x00000008,
	0x00008043, 0x80cb182c, 0x000765b3, 0x20000000,
	0xcc30094e, 0x80cb186b, 0x0002a583, 0x02400008,
};

/* Return address of its first BLEND. */
#define BLEND_TARGETS_BACK	0x40

/*
 * Bifrost: LD_TILE.v4 own pixel of target 0, @r4; r0 .. r2 = clamp_0_1(r0 .. r2 - r4 .. r6);
 * r3 = r7; BLEND r8, r60, opaque, @r0; JUMP r48
 */
static const unsigned int blend_minus[] = {
	0xc000400e, 0x80cb1843, 0xc002dd13, 0x02860088,
	0xf0000070, 0x10ed000f, 0x00000000, 0x00000000,
	0x00c30029, 0x80cb1e88, 0xc0006423, 0x00000808,
	0x10000021, 0x80cb1a8a, 0x08006423, 0x58d46102,
	0x70820045, 0x80cb1828, 0xe03765a3, 0x24001908,
	0xc208410e, 0x80cb186b, 0xc002a583, 0x02400008,
	0x00000070, 0x10ed0000, 0x00000000, 0x00000000,
	0x0000004b, 0x80cb1843, 0x8003f8d3, 0x00000008,
};

/*
 * Midgard: r0 = u0; write to target 0, r1.w = address of the next bundle; r0 = u1; write to
 * target 1 likewise.
 */
static const unsigned int blend_midgard_targets[] = {
	0x00020098, 0x027b02f8, 0xffae4072, 0x00000000,
	0x08280089, 0x841f8418, 0x9800007b, 0x00000240,
	0xfc4fc0a0, 0xffffffff, 0x00000000, 0x00000000,
	0x00020098, 0x027b02d8, 0xffae4072, 0x00000000,
	0x08280019, 0x841f8418, 0x9801007b, 0x00000240,
	0xfc4fc0a0, 0xffffffff, 0x00000000, 0x00000000,
};

/* Midgard: r2 = the bits of target 0; r0 = r0 ^ r2; write. */
static const unsigned int blend_midgard_xor[] = {
	0xc9e2ba85, 0x00000001, 0x00000030, 0x00000000,
	0x00020088, 0x02760040, 0xffae4072, 0x00000000,
	0x08080018, 0x007b8418, 0xfe479800, 0xffffffff,
};

#endif
