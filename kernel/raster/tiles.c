// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Tiles of a frame, handed out to the workers that draw them. */
#include "vr_tiles.h"
#include "vs_raster.h"

#define PARTS	4	/* 16 x 16 pixels in a row of a tile */

/* Tiles from @first to @last, units of 16 pixels, within @size pixels. */
static u32 tiles_span(u32 first, u32 last, u32 size)
{
	u32 end = min(last / PARTS + 1, DIV_ROUND_UP(size, VR_TILE));

	return first <= last && end > first / PARTS ? end - first / PARTS : 0;
}

void vr_tiles_begin(struct vr_tiles *t, const u32 bound[4], u32 width, u32 height)
{
	vs_lock_init(&t->lock);
	t->x = bound[0] / PARTS;
	t->y = bound[1] / PARTS;
	t->columns = tiles_span(bound[0], bound[2], width);
	t->n = t->columns * tiles_span(bound[1], bound[3], height);
	t->next = 0;
	t->nworkers = 1;
	t->tile[0] = VR_TILES_NONE;
	t->bad = VR_TILES_NONE;
}

u32 vr_tiles_join(struct vr_tiles *t)
{
	u32 worker = VR_TILES_NONE;

	vs_lock_get(&t->lock);
	if (t->nworkers < VR_TILES_WORKERS) {
		worker = t->nworkers++;
		t->tile[worker] = VR_TILES_NONE;
	}
	vs_lock_put(&t->lock);
	return worker;
}

u32 vr_tiles_take(struct vr_tiles *t, u32 worker)
{
	u32 tile;

	vs_lock_get(&t->lock);
	tile = t->next < t->n && t->next < t->bad ? t->next++ : VR_TILES_NONE;
	WRITE_ONCE(t->tile[worker], tile);
	vs_lock_put(&t->lock);
	return tile;
}

void vr_tiles_fault(struct vr_tiles *t, u32 worker, const struct vs_fault *fault)
{
	u32 tile;

	vs_lock_get(&t->lock);
	tile = t->tile[worker] == VR_TILES_NONE ? t->next : t->tile[worker];
	if (tile < t->bad) {
		WRITE_ONCE(t->bad, tile);
		t->culprit = worker;
		t->fault = *fault;
	}
	WRITE_ONCE(t->tile[worker], VR_TILES_NONE);
	vs_lock_put(&t->lock);
}

bool vr_tiles_is_over(const struct vr_tiles *t, u32 worker)
{
	u32 tile = t->tile[worker];

	return tile != VR_TILES_NONE && READ_ONCE(t->bad) < tile;
}

bool vr_tiles_is_first(struct vr_tiles *t, u32 worker)
{
	bool first = true;
	u32 i;

	vs_lock_get(&t->lock);
	for (i = 0; i < t->nworkers; i++)
		first = first && t->tile[i] >= t->tile[worker];
	vs_lock_put(&t->lock);
	return first;
}

static int count(struct vr_mem *mem, u64 va, u64 n, bool add)
{
	u64 v = 0;
	int ret;

	if (add) {
		ret = vr_read(mem, va, &v, sizeof(v));
		if (ret)
			return ret;
	}
	v += n;
	return vr_write(mem, va, &v, sizeof(v));
}

int vr_tiles_count(struct vr_tiles *t, struct vr_mem *mem, u64 va, u64 n, bool add)
{
	int ret;

	vs_lock_get(&t->lock);
	ret = count(mem, va, n, add);
	vs_lock_put(&t->lock);
	return ret;
}
