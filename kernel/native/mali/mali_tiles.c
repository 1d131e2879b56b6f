// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Tiles of a FRAGMENT job, handed out to the workers that draw them. */
#include "mali_tiles.h"

#define PARTS	4	/* 16 x 16 pixels in a row of a tile */

/* Tiles from @first to @last, units of 16 pixels, within @size pixels. */
static u32 span(u32 first, u32 last, u32 size)
{
	u32 end = min(last / PARTS + 1, DIV_ROUND_UP(size, VR_TILE));

	return first <= last && end > first / PARTS ? end - first / PARTS : 0;
}

void mali_tiles_begin(struct mali_tiles *t)
{
	vs_lock_init(&t->lock);
	t->x = t->bound[0] / PARTS;
	t->y = t->bound[1] / PARTS;
	t->columns = span(t->bound[0], t->bound[2], t->fb.width);
	t->n = t->columns * span(t->bound[1], t->bound[3], t->fb.height);
	t->next = 0;
	t->nworkers = 1;
	t->tile[0] = MALI_TILES_NONE;
	t->bad = MALI_TILES_NONE;
}

u32 mali_tiles_join(struct mali_tiles *t)
{
	u32 worker = MALI_TILES_NONE;

	vs_lock_get(&t->lock);
	if (t->nworkers < MALI_TILES_WORKERS) {
		worker = t->nworkers++;
		t->tile[worker] = MALI_TILES_NONE;
	}
	vs_lock_put(&t->lock);
	return worker;
}

u32 mali_tiles_take(struct mali_tiles *t, u32 worker)
{
	u32 tile;

	vs_lock_get(&t->lock);
	tile = t->next < t->n && t->next < t->bad ? t->next++ : MALI_TILES_NONE;
	WRITE_ONCE(t->tile[worker], tile);
	vs_lock_put(&t->lock);
	return tile;
}

void mali_tiles_fault(struct mali_tiles *t, u32 worker, const struct vs_fault *fault)
{
	u32 tile;

	vs_lock_get(&t->lock);
	tile = t->tile[worker] == MALI_TILES_NONE ? t->next : t->tile[worker];
	if (tile < t->bad) {
		WRITE_ONCE(t->bad, tile);
		t->culprit = worker;
		t->fault = *fault;
	}
	WRITE_ONCE(t->tile[worker], MALI_TILES_NONE);
	vs_lock_put(&t->lock);
}

bool mali_tiles_is_over(const struct mali_tiles *t, u32 worker)
{
	u32 tile = t->tile[worker];

	return tile != MALI_TILES_NONE && READ_ONCE(t->bad) < tile;
}

bool mali_tiles_is_first(struct mali_tiles *t, u32 worker)
{
	bool first = true;
	u32 i;

	vs_lock_get(&t->lock);
	for (i = 0; i < t->nworkers; i++)
		first = first && t->tile[i] >= t->tile[worker];
	vs_lock_put(&t->lock);
	return first;
}

static u32 count(const struct vs_map *map, u64 va, u64 n, bool add)
{
	u64 v = 0;

	if (add && !mali_read(map, va, &v, sizeof(v)))
		return VS_FAULT_READ;
	v = add ? v + n : n;
	return mali_write(map, va, &v, sizeof(v)) ? 0 : VS_FAULT_WRITE;
}

u32 mali_tiles_count(struct mali_tiles *t, const struct vs_map *map, u64 va, u64 n, bool add)
{
	u32 kind;

	vs_lock_get(&t->lock);
	kind = count(map, va, n, add);
	vs_lock_put(&t->lock);
	return kind;
}
