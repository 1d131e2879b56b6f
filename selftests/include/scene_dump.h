/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Native jobs of these tests as dumps (vshader_drm_dump.h), which can be submitted to a device:
 * test_cancel does. Environment: SECTIONS_DUMP, a folder, in which each program appends to a file
 * of its own.
 */
#ifndef SELFTESTS_INCLUDE_SCENE_DUMP_H
#define SELFTESTS_INCLUDE_SCENE_DUMP_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vshader_drm_dump.h>

#include "native/native.h"

#define SCENE_PAGE	4096
#define SCENE_WORDS_VA	0x7e000000ULL	/* of jobs that are not in memory */

/**
 * struct scene_dump - A dump while it is written.
 * @f:		file
 * @sections:	so far
 */
struct scene_dump {
	FILE *f;
	u64 sections;
};

static inline void scene_dump_section(struct scene_dump *d, u64 type, u64 count, u64 size,
				      const void *data)
{
	const struct drm_vshader_dump_section s = { .type = type, .count = count, .size = size };
	static const char zero[8];

	fwrite(&s, sizeof(s), 1, d->f);
	fwrite(data, size, 1, d->f);
	fwrite(zero, -size & 7, 1, d->f);
	d->sections++;
}

static inline void scene_dump_one(struct scene_dump *d, u64 type, u64 size, const void *data)
{
	scene_dump_section(d, type, 1, size, data);
}

static inline u64 scene_dump_pages(u64 bytes)
{
	return (bytes + SCENE_PAGE - 1) / SCENE_PAGE * SCENE_PAGE;
}

static inline void scene_dump_map(struct scene_dump *d, const struct vs_map *map, u64 words)
{
	struct drm_vshader_dump_mapping *m = calloc(map->n + 1, sizeof(*m));
	u32 i, n = map->n;

	for (i = 0; i < n; i++)
		m[i] = (struct drm_vshader_dump_mapping){
			.va = map->ext[i].lo,
			.size = scene_dump_pages(map->ext[i].hi - map->ext[i].lo),
		};
	if (words)
		m[n++] = (struct drm_vshader_dump_mapping){
			.va = SCENE_WORDS_VA, .size = scene_dump_pages(words),
		};
	scene_dump_section(d, DRM_VSHADER_DUMP_MAP, n, n * sizeof(*m), m);
	free(m);
}

static inline void scene_dump_run(FILE *f, u64 va, u64 bytes, const void *p)
{
	const u64 head[2] = { va, bytes };

	fwrite(head, sizeof(head), 1, f);
	fwrite(p, bytes, 1, f);
}

/* All that is not 0, page by page. */
static inline void scene_dump_memory(struct scene_dump *d, const struct vs_native_in *in, u64 words)
{
	static const u8 zero[SCENE_PAGE];
	size_t size = 0;
	char *data = NULL;
	FILE *f = open_memstream(&data, &size);
	u64 count = 0, at, n;
	u32 i;

	for (i = 0; i < in->map->n; i++) {
		const struct vs_extent *e = &in->map->ext[i];

		for (at = e->lo; at < e->hi; at += n) {
			n = e->hi - at < SCENE_PAGE ? e->hi - at : SCENE_PAGE;
			if (!memcmp(e->kva + (at - e->lo), zero, n))
				continue;
			scene_dump_run(f, at, n, e->kva + (at - e->lo));
			count++;
		}
	}
	if (words) {
		scene_dump_run(f, SCENE_WORDS_VA, words, in->words);
		count++;
	}
	fclose(f);
	scene_dump_section(d, DRM_VSHADER_DUMP_MEMORY, count, size, data);
	free(data);
}

static inline void scene_dump_write(FILE *f, const char *name, const struct vs_native_in *in)
{
	struct drm_vshader_dump_header h = {
		.magic = { 'V', 'S', 'H', 'D', 'U', 'M', 'P', '\n' },
		.version = DRM_VSHADER_DUMP_VERSION,
	};
	const enum vs_isa_id isa = vs_native_isa(in->format);
	const bool mali = isa == VS_ISA_BIFROST || isa == VS_ISA_MIDGARD;
	struct drm_vshader_dump_queue queue = { .engine = isa, .va_bits = mali ? 48 : 32 };
	struct drm_vshader_dump_job job = { .type = DRM_VSHADER_JOB_NATIVE };
	struct drm_vshader_native_job native = {
		.format = in->format, .va = in->words ? SCENE_WORDS_VA : in->va,
		.size = 4 * in->nwords, .model = in->model, .switches = in->switches,
		.output_va = in->output_va, .output_size = in->output_size,
		.memory = in->memory,
	};
	struct drm_vshader_dump_device device = { .in_process = 1 };
	struct scene_dump d = { .f = f };
	long begin, end;

	begin = ftell(f);
	snprintf(device.name, sizeof(device.name), "%.31s", name);
	fwrite(&h, sizeof(h), 1, f);
	scene_dump_one(&d, DRM_VSHADER_DUMP_DEVICE, sizeof(device), &device);
	scene_dump_one(&d, DRM_VSHADER_DUMP_QUEUE, sizeof(queue), &queue);
	scene_dump_one(&d, DRM_VSHADER_DUMP_JOB, sizeof(job), &job);
	scene_dump_one(&d, DRM_VSHADER_DUMP_NATIVE_JOB, sizeof(native), &native);
	scene_dump_map(&d, in->map, native.size);
	scene_dump_memory(&d, in, native.size);
	end = ftell(f);
	h.size = end - begin;
	h.sections = d.sections;
	fseek(f, begin, SEEK_SET);
	fwrite(&h, sizeof(h), 1, f);
	fseek(f, end, SEEK_SET);
}

/* Append a job to the program's file, if there is a folder. */
static inline void scene_dump(const char *name, const struct vs_native_in *in)
{
	const char *dir = getenv("SECTIONS_DUMP");
	char path[512];
	FILE *f;

	if (!dir)
		return;
	snprintf(path, sizeof(path), "%s/%s", dir, program_invocation_short_name);
	f = fopen(path, "r+b") ?: fopen(path, "w+b");
	if (!f)
		return;
	fseek(f, 0, SEEK_END);
	scene_dump_write(f, name, in);
	fclose(f);
}

#endif
