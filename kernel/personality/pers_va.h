/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Addresses that a driver picks for the buffers of a file. Without DRM.
 */
#ifndef VS_PERS_VA_H
#define VS_PERS_VA_H

#include "engine/vs_mappings.h"

/**
 * struct pers_place - Addresses that a buffer may have.
 * @start: lowest address
 * @end: end of the highest one
 * @size: bytes
 * @align: alignment
 * @flags: VS_EXT_* of its mapping
 */
struct pers_place {
	u64 start;
	u64 end;
	u64 size;
	u64 align;
	u32 flags;
};

/**
 * struct pers_vas - Addresses of the buffers of a file. Zeroed: none.
 * @by_va: buffers by their addresses
 * @by_obj: addresses by buffer: the pointer is the address, the offset the buffer's address, the
 *	flags count its handles
 *
 * The owners of both count no objects.
 */
struct pers_vas {
	struct vs_mappings by_va;
	struct vs_mappings by_obj;
};

/**
 * pers_va_add - pick the lowest free addresses for a buffer
 * @v: buffers of the file
 * @obj: buffer
 * @place: where it may be
 *
 * Return: 0, 1: another handle of a buffer that has addresses, -ENOSPC, or the error of an
 * allocation.
 */
int pers_va_add(struct pers_vas *v, void *obj, const struct pers_place *place);

/**
 * pers_va_remove - give the addresses of a buffer up
 * @v: buffers of the file
 * @obj: buffer
 *
 * Return: false: it had none, or has another handle.
 */
bool pers_va_remove(struct pers_vas *v, const void *obj);

/* Address of a buffer, 0: none. */
u64 pers_va_of(const struct pers_vas *v, const void *obj);

/* Forget all buffers. */
void pers_va_fini(struct pers_vas *v);

#endif /* VS_PERS_VA_H */
