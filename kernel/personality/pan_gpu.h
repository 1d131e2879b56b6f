/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The panfrost interface without DRM: chips and their parameters, addresses of buffers, jobs.
 */
#ifndef VS_PAN_GPU_H
#define VS_PAN_GPU_H

#include "drm/vshader_drm.h"
#include "engine/vs_mappings.h"

/* The version of the panfrost interface. */
#define PAN_MAJOR	1
#define PAN_MINOR	2

/* Addresses of buffers: those of the panfrost driver. */
#define PAN_VA_START	0x02000000ULL
#define PAN_VA_END	0x100000000ULL

/* Sizes of heaps are multiples of it. */
#define PAN_HEAP_GRANULE	0x00200000ULL

/* Memory that a heap has from the beginning, if it is as large. */
#define PAN_HEAP_SIZE	0x01000000ULL

/**
 * struct pan_gpu - A Mali chip.
 * @name: as in the module parameter
 * @id: product
 * @model: enum drm_vshader_mali_gpu
 * @engine: enum drm_vshader_engine
 * @format: format of its job chains
 */
struct pan_gpu {
	const char *name;
	u32 id;
	u32 model;
	u32 engine;
	u32 format;
};

/* Find a chip. Return: NULL: unknown. */
const struct pan_gpu *pan_gpu_find(const char *name);

/**
 * pan_gpu_param - value of a parameter
 * @gpu: chip
 * @param: enum drm_panfrost_param
 * @value: receives it
 *
 * Return: 0 or -EINVAL.
 */
int pan_gpu_param(const struct pan_gpu *gpu, u32 param, u64 *value);

/* Check the flags of a buffer. Return: 0 or -EINVAL. */
int pan_check_bo(u32 flags);

/**
 * pan_va_add - pick addresses for a buffer
 * @x: buffers of the file
 * @obj: buffer
 * @size: bytes of addresses
 * @noexec: not for programs
 *
 * Addresses of programs have 24 bits beside those that the descriptor gives: a buffer with
 * programs is within aligned 16 MiB if it is not larger.
 *
 * Return: 0, -ENOSPC, -ENOMEM.
 */
int pan_va_add(struct vs_mappings *x, void *obj, u64 size, bool noexec);
/* Give them up. Return: false: there were none. */
bool pan_va_remove(struct vs_mappings *x, const void *obj);
/* Address of a buffer, 0: none. */
u64 pan_va_of(const struct vs_mappings *x, const void *obj);

/* The descriptor of a job chain. */
void pan_job(const struct pan_gpu *gpu, u64 jc, struct drm_vshader_native_job *job);

#endif /* VS_PAN_GPU_H */
