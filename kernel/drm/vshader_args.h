/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Copying of ioctl arguments.
 */
#ifndef VSHADER_ARGS_H
#define VSHADER_ARGS_H

#include <linux/types.h>

#include <drm/drm_device.h>
#include <drm/drm_print.h>

#include "drm/vshader_drm.h"

/* -EINVAL, with a debug message that names the field, its value and the limit. */
#define vshader_einval(drm, fmt, ...)				\
({								\
	drm_dbg(drm, fmt "\n", ##__VA_ARGS__);			\
	-EINVAL;						\
})

/**
 * vshader_copy_struct - copy one structure with zero extension
 * @drm: device, for messages; may be NULL
 * @dst: kernel structure
 * @dst_size: its size
 * @src: user pointer
 * @src_size: bytes there
 * @min_size: size in version 1.0 of the uAPI
 *
 * Return: 0, -EINVAL if too short, -E2BIG if the tail is not zero, -EFAULT.
 */
int vshader_copy_struct(const struct drm_device *drm, void *dst, size_t dst_size, u64 src,
			size_t src_size, size_t min_size);

/**
 * vshader_copy_array - copy an array of structures with zero extension
 * @drm: device, for messages
 * @in: the array as given by userspace
 * @max: most elements; more give -E2BIG
 * @size: size of the kernel's structure
 * @min_size: its size in version 1.0 of the uAPI
 * @bad: index of the element at fault; may be NULL
 *
 * Return: memory for kvfree(), NULL for an empty array, or an error pointer.
 */
void *vshader_copy_array(const struct drm_device *drm, const struct drm_vshader_obj_array *in,
			 u32 max, size_t size, size_t min_size, u32 *bad);

#define VSHADER_COPY_ARRAY(drm, in, max, type, last, bad) \
	((type *)vshader_copy_array(drm, in, max, sizeof(type), offsetofend(type, last), bad))

/**
 * vshader_copy_words - copy 32-bit words
 * @src: user pointer
 * @n: number of words, not 0
 *
 * Return: memory for kvfree() or an error pointer.
 */
u32 *vshader_copy_words(u64 src, u32 n);

/**
 * vshader_copy_answer - give a structure to userspace
 * @pointer: user pointer, or 0 to get only the size
 * @size: in: bytes there; out: bytes of the answer
 * @src: the answer
 * @src_size: its size
 *
 * A tail that the answer does not fill is cleared.
 *
 * Return: 0 or -EFAULT; -E2BIG for an absurd @size.
 */
int vshader_copy_answer(u64 pointer, u32 *size, const void *src, u32 src_size);

#endif /* VSHADER_ARGS_H */
