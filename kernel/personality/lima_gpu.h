/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The lima interface without DRM: chips and their parameters, frames, addresses of buffers, jobs.
 */
#ifndef VS_LIMA_GPU_H
#define VS_LIMA_GPU_H

#include "drm/vshader_drm.h"
#include "personality/pers_va.h"

/*
 * Addresses of buffers. Page 0 of any size is never mapped; from the end on the driver of a
 * Mali-450 has the page of the dynamic load balancer.
 */
#define LIMA_VA_START	0x00010000ULL
#define LIMA_VA_END	0xfff00000ULL

/* Frames come by value: the address that messages and dumps give them. */
#define LIMA_FRAME_VA	0xfffff000ULL

/* Pages that a heap has from the beginning. */
#define LIMA_HEAP_PAGES	8U

/* Words of the longest frame. */
#define LIMA_MAX_FRAME	78U

enum { LIMA_GP, LIMA_PP, LIMA_NUM_PIPES };

/**
 * struct lima_gpu - A Mali chip.
 * @name: as in the module parameter
 * @compatible: in a device tree, as in the lima driver's table
 * @id: enum drm_lima_param_gpu_id
 * @num_pp: pixel processors
 * @model: enum drm_vshader_utgard_gpu
 * @gp_version: of the vertex processor
 * @pp_version: of the pixel processors
 */
struct lima_gpu {
	const char *name;
	const char *compatible;
	u32 id;
	u32 num_pp;
	u32 model;
	u32 gp_version;
	u32 pp_version;
};

/* Find a chip. Return: NULL: unknown. */
const struct lima_gpu *lima_gpu_find(const char *name);

/* Value of an enum drm_lima_param. Return: 0 or -EINVAL. */
int lima_gpu_param(const struct lima_gpu *gpu, u32 param, u64 *value);

/* Bytes of the frames of a pipe. */
u32 lima_frame_size(const struct lima_gpu *gpu, u32 pipe);

/* Check the words of a frame as the lima driver does. Return: 0 or -EINVAL. */
int lima_check_frame(const struct lima_gpu *gpu, u32 pipe, const u32 *frame);

/* Memory that a heap of @size bytes has from the beginning; @page: bytes of a page. */
u64 lima_heap_first(u64 size, u32 page);

/**
 * lima_grow_heap - let the frame's heap end where the buffer ends
 * @frame: frame of the vertex processor
 * @va: address of a heap
 * @size: bytes of its addresses
 *
 * The lima driver does this with the memory that a heap has at this time.
 *
 * Return: the frame's heap is this one.
 */
bool lima_grow_heap(u32 *frame, u64 va, u64 size);

/* Addresses that a buffer may have. @noexec: unused */
void lima_place(u64 size, bool noexec, struct pers_place *place);

/* Queue of a pipe's jobs: enum drm_vshader_engine. */
u32 lima_engine(u32 pipe);

/* The descriptor of a frame by value. */
void lima_job(const struct lima_gpu *gpu, u32 pipe, struct drm_vshader_native_job *job);

#endif /* VS_LIMA_GPU_H */
