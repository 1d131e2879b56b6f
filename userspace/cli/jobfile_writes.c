// SPDX-License-Identifier: MIT
/*
 * Writes of jobs: the bytes of regions that differ from before the job. Jobs that run at the same
 * time share their changes: the first one that ends has them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_isa.h"

#define GAP		64u		/* unchanged bytes that do not end a range */
#define MAX_RANGES	16u		/* of a region; the last one has the rest */
#define MAX_MEMORY	(256ull << 20)	/* of the regions, together */
#define MAX_COMPARED	(8ull << 30)	/* bytes, all jobs together */

int run_watch_writes(struct runner *r)
{
	const struct vshader_jobfile *jf = r->jf;
	uint64_t total = 0;
	uint32_t i;

	for (i = 0; i < jf->num_regions; i++)
		total += r->regions[i].ptr ? jf->regions[i].size : 0;
	if (total > MAX_MEMORY || total * jf->num_jobs > MAX_COMPARED) {
		r->run->writes_bytes = total;
		return 0;
	}
	r->before = calloc(jf->num_regions + 1, sizeof(*r->before));
	if (!r->before)
		return -ENOMEM;
	for (i = 0; i < jf->num_regions; i++) {
		if (!r->regions[i].ptr)
			continue;
		r->before[i] = malloc(jf->regions[i].size + 1);
		if (!r->before[i])
			return -ENOMEM;
		memcpy(r->before[i], r->regions[i].ptr, jf->regions[i].size);
	}
	return 0;
}

void run_forget_writes(struct runner *r)
{
	uint32_t i;

	for (i = 0; r->before && i < r->jf->num_regions; i++)
		free(r->before[i]);
	free(r->before);
}

/* The next byte from @at on that differs, or @size. */
static uint64_t next_change(const uint8_t *a, const uint8_t *b, uint64_t at, uint64_t size)
{
	uint64_t n;

	for (; at < size; at += n) {
		n = size - at < 4096 ? size - at : 4096;
		if (memcmp(a + at, b + at, n))
			break;
	}
	while (at < size && a[at] == b[at])
		at++;
	return at;
}

/* Streams that are printed as such. */
static bool has_stream(const struct jf_job *jj, uint32_t region)
{
	uint32_t i;

	for (i = 0; i < jj->shader.num_outputs; i++) {
		if (jj->shader.outputs[i].at.region == region)
			return true;
	}
	return false;
}

static struct jf_write *new_write(struct runner *r, struct jf_outcome *o, uint32_t region,
				  uint64_t at)
{
	struct jf_write *list = jf_alloc(&r->run->blocks, (o->num_writes + 1) * sizeof(*list));

	if (!list)
		return NULL;
	if (o->num_writes)
		memcpy(list, o->writes, o->num_writes * sizeof(*list));
	o->writes = list;
	list += o->num_writes++;
	list->name = r->jf->regions[region].name;
	list->offset = at & ~15ull;
	list->va = r->regions[region].va + list->offset;
	return list;
}

/* Whole words, if the region has them. */
static int keep(struct runner *r, struct jf_write *w, const uint8_t *data, uint64_t end,
		uint64_t region_size)
{
	end = (end + 3) & ~3ull;
	w->size = (end < region_size ? end : region_size) - w->offset;
	w->kept = w->size < JF_MAX_WRITE ? w->size : JF_MAX_WRITE;
	w->kept = w->kept < r->print_left ? w->kept : r->print_left;
	r->print_left -= w->kept;
	w->data = jf_alloc(&r->run->blocks, w->kept + 4);
	if (!w->data)
		return -ENOMEM;
	memcpy(w->data, data + w->offset, w->kept);
	return 0;
}

static int find_ranges(struct runner *r, struct jf_outcome *o, uint32_t region)
{
	const uint8_t *now = r->regions[region].ptr, *old = r->before[region];
	uint64_t size = r->jf->regions[region].size, at, end;
	uint32_t first = o->num_writes;
	struct jf_write *w = NULL;
	int ret = 0;

	at = next_change(now, old, 0, size);
	while (at < size && !ret) {
		w = new_write(r, o, region, at);
		if (!w)
			return -ENOMEM;
		do {
			end = at + 1;
			w->changed++;
			at = next_change(now, old, end, size);
		} while (at < size && (at - end <= GAP || o->num_writes - first == MAX_RANGES));
		ret = keep(r, w, now, end, size);
	}
	return ret;
}

int run_keep_writes(struct runner *r, uint32_t n, struct jf_outcome *o)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; r->before && i < r->jf->num_regions && !ret; i++) {
		if (!r->before[i])
			continue;
		if (!has_stream(&r->jf->jobs[n], i))
			ret = find_ranges(r, o, i);
		memcpy(r->before[i], r->regions[i].ptr, r->jf->regions[i].size);
	}
	return ret ? run_error(r, ret, "job %u", n) : 0;
}
