// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Blocks: quads of several primitives of a draw that are shaded together, no sample twice.
 */
#include "vr_tile.h"

static u32 bit_of(u32 x, u32 y)
{
	return (y / 2 % 32) * 32 + x / 2 % 32;
}

void vr_batch_clear(struct vr_batch *b)
{
	b->n = 0;
	memset(b->met, 0, sizeof(b->met));
}

bool vr_batch_room(const struct vr_batch *b, u32 x, u32 y, u32 cover)
{
	u32 bit = bit_of(x, y), i;

	if (b->n == VR_QUADS)
		return false;
	if (!(b->met[bit / 64] >> (bit % 64) & 1))
		return true;
	for (i = 0; i < b->n; i++)
		if (b->quad[i].x == x && b->quad[i].y == y && b->quad[i].cover & cover)
			return false;
	return true;
}

void vr_batch_add(struct vr_batch *b, u32 slot, u32 x, u32 y, u32 cover)
{
	u32 bit = bit_of(x, y), i = b->n++;

	b->quad[i].x = x;
	b->quad[i].y = y;
	b->quad[i].cover = cover;
	b->quad[i].slot = slot;
	b->met[bit / 64] |= BIT_ULL(bit % 64);
}
