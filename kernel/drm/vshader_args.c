// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Copying of ioctl arguments.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "vshader_args.h"

/* Bounds the time that looking at a tail takes. */
#define MAX_ELEMENT	SZ_4K
#define MAX_ANSWER	SZ_1M

int vshader_copy_struct(const struct drm_device *drm, void *dst, size_t dst_size, u64 src,
			size_t src_size, size_t min_size)
{
	if (src_size < min_size)
		return vshader_einval(drm, "structure of %zu bytes, at least %zu", src_size,
				      min_size);
	if (src_size > MAX_ELEMENT)
		return -E2BIG;
	return copy_struct_from_user(dst, dst_size, u64_to_user_ptr(src), src_size);
}

void *vshader_copy_array(const struct drm_device *drm, const struct drm_vshader_obj_array *in,
			 u32 max, size_t size, size_t min_size, u32 *bad)
{
	u32 i, unused;
	u8 *out;
	int ret;

	if (!bad)
		bad = &unused;
	if (!in->count)
		return NULL;
	if (in->count > max) {
		*bad = max;
		return ERR_PTR(-E2BIG);
	}
	out = kvcalloc(in->count, size, GFP_KERNEL_ACCOUNT);
	if (!out)
		return ERR_PTR(-ENOMEM);
	for (i = 0; i < in->count; i++) {
		ret = vshader_copy_struct(drm, out + i * size, size,
					  in->array + (u64)i * in->stride, in->stride, min_size);
		if (ret) {
			kvfree(out);
			*bad = i;
			return ERR_PTR(ret);
		}
	}
	return out;
}

u32 *vshader_copy_words(u64 src, u32 n)
{
	u32 *words = kvmalloc_array(n, sizeof(u32), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);

	if (!words)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(words, u64_to_user_ptr(src), n * sizeof(u32))) {
		kvfree(words);
		return ERR_PTR(-EFAULT);
	}
	return words;
}

int vshader_copy_answer(u64 pointer, u32 *size, const void *src, u32 src_size)
{
	void __user *dst = u64_to_user_ptr(pointer);
	u32 n = min(*size, src_size);

	if (pointer) {
		if (*size > MAX_ANSWER)
			return -E2BIG;
		if (copy_to_user(dst, src, n) || clear_user(dst + n, *size - n))
			return -EFAULT;
	}
	*size = src_size;
	return 0;
}
