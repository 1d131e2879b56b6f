/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Translations of an address space at one time. Models take them from the page tables as a
 * whole and keep them until the driver drops them: a driver that does not flush sees stale ones,
 * each time.
 */
#ifndef VS_MODEL_SNAP_H
#define VS_MODEL_SNAP_H

#include "../engine/vs_job.h"
#include "model_ops.h"

#define VS_SNAP_PAGE	4096ULL

/**
 * struct vs_model_snap - Translations; with @max 0 pages are only counted.
 * @older:	those before, which a running job may still use; for the owner
 * @pas:	physical address of each page
 * @mapped:	those that are mapped instead, or NULL
 * @npages:	number of pages, also of those without room
 * @max:	room in @pas and @ext
 * @ext:	runs of pages; without memory if the host has none there
 * @next:	number of @ext
 * @hash:	of all pages with their addresses
 */
struct vs_model_snap {
	struct vs_model_snap *older;
	u64 *pas;
	u64 *mapped;
	u32 npages;
	u32 max;
	struct vs_extent *ext;
	u32 next;
	u64 hash;
};

/* Room for some pages. Return: NULL: no memory. */
struct vs_model_snap *vs_model_snap_new(u32 pages);
/* Also gives memory back that vs_model_snap_map() has mapped. */
void vs_model_snap_free(struct vs_model_snap *t, const struct vs_model_host *h);
/* Add a page, in the order of addresses. */
void vs_model_snap_add(struct vs_model_snap *t, u64 va, u64 pa, u32 flags);
/* Map the memory of all pages, one mapping a run; none of a run with a page that is free. */
void vs_model_snap_map(struct vs_model_snap *t, const struct vs_model_host *h);
/* Whether a page of @t is free now: its address in @va. */
bool vs_model_snap_freed(const struct vs_model_snap *t, const struct vs_model_host *h, u64 *va);
/* Whether @now is the same as @t, whose memory is all mapped: then @t serves for it. */
bool vs_model_snap_same(const struct vs_model_snap *t, const struct vs_model_snap *now);
/* Run with an address, also one without memory; NULL: none. @t may be NULL. */
const struct vs_extent *vs_model_snap_find(const struct vs_model_snap *t, u64 va);
/*
 * Whether a page of @t is elsewhere in @now, or is not there: its address in @va. Pages that
 * were added do not count.
 */
bool vs_model_snap_stale(const struct vs_model_snap *t, const struct vs_model_snap *now, u64 *va);

#endif /* VS_MODEL_SNAP_H */
