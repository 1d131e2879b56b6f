/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VK_PRIV_H
#define VK_PRIV_H

#include "vk.h"

/* Kinds of objects, in the order in which they are destroyed. */
enum kind {
	KIND_PIPELINE, KIND_PIPELINE_LAYOUT, KIND_SET_LAYOUT, KIND_SHADER, KIND_FRAMEBUFFER,
	KIND_PASS, KIND_VIEW, KIND_TEXELS, KIND_SAMPLER, KIND_IMAGE, KIND_BUFFER, KIND_MEMORY,
	KIND_SPACE,
	NUM_KINDS,
};

/* Destroy it at the end of the scene; KIND_SPACE: free(). */
void keep(enum kind kind, uint64_t handle);
#define KEEP(kind, handle)	keep(kind, (uint64_t)(uintptr_t)(handle))
void *keep_space(size_t size);
void destroy_objects(void);

/* Memory of an object with the properties. */
VkDeviceMemory make_memory(const VkMemoryRequirements *need, VkMemoryPropertyFlags flags);

#endif /* VK_PRIV_H */
