/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The panfrost interface without DRM: chips and their parameters, addresses of buffers, jobs.
 */
#ifndef VS_PAN_GPU_H
#define VS_PAN_GPU_H

#include "drm/vshader_drm.h"
#include "personality/pers_va.h"

/* Addresses of buffers: those of the panfrost driver. */
#define PAN_VA_START	0x02000000ULL
#define PAN_VA_END	0x100000000ULL

/* Clock of time stamps and of cycle counters, Hz: CLOCK_MONOTONIC. */
#define PAN_CLOCK_HZ	1000000000ULL

/* Sizes of heaps are multiples of it. */
#define PAN_HEAP_GRANULE	0x00200000ULL

/* Memory that a heap has from the beginning, if it is as large. */
#define PAN_HEAP_SIZE	0x01000000ULL

/**
 * struct pan_gpu - A Mali chip.
 * @name: as in the module parameter
 * @compatible: in a device tree, as in the panfrost driver's table
 * @id: product
 * @model: enum drm_vshader_mali_gpu
 * @engine: enum drm_vshader_engine
 * @format: format of its job chains
 */
struct pan_gpu {
	const char *name;
	const char *compatible;
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
 * @param: enum drm_panfrost_param or enum pan_param
 * @high: contexts of high priority are allowed
 * @value: receives it
 *
 * Return: 0 or -EINVAL.
 */
int pan_gpu_param(const struct pan_gpu *gpu, u32 param, bool high, u64 *value);

/* Check the flags of a buffer. Return: 0 or -EINVAL. */
int pan_check_bo(u32 flags);

/**
 * pan_check_sync - check a range of SYNC_BO, for which there is nothing to do
 * @type: enum pan_sync_type
 * @offset: first byte
 * @bytes: number of bytes
 * @size: of the buffer
 * @imported: the buffer is another driver's
 *
 * Return: 0 or -EINVAL.
 */
int pan_check_sync(u32 type, u32 offset, u32 bytes, u64 size, bool imported);

/**
 * pan_bo_info - the flags that QUERY_BO_INFO gives
 * @flags: of CREATE_BO
 * @imported: the buffer is another driver's
 * @extra: receives further flags
 *
 * Return: flags as of CREATE_BO.
 */
u32 pan_bo_info(u32 flags, bool imported, u32 *extra);

/**
 * pan_place - addresses that a buffer may have
 * @size: bytes of addresses
 * @noexec: not for programs
 * @place: receives them
 *
 * Addresses of programs have 24 bits beside those that the descriptor gives: a buffer with
 * programs is within aligned 16 MiB if it is not larger.
 */
void pan_place(u64 size, bool noexec, struct pers_place *place);

/* The descriptor of a job chain with its requirements. */
void pan_job(const struct pan_gpu *gpu, u64 jc, u32 requirements,
	     struct drm_vshader_native_job *job);

#endif /* VS_PAN_GPU_H */
