// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers, images, samplers and descriptors of a scene.
 */
#include <stdlib.h>
#include <string.h>

#include "vk.h"
#include "vk_priv.h"

#define MAX_OBJECTS	2048
#define MAX_BINDINGS	16
#define MAX_ARRAY	32

static struct {
	enum kind kind;
	uint64_t handle;
} objects[MAX_OBJECTS];

static unsigned int num_objects;

void keep(enum kind kind, uint64_t handle)
{
	if (num_objects == MAX_OBJECTS)
		scene_fail("too many objects");
	objects[num_objects].kind = kind;
	objects[num_objects++].handle = handle;
}

void *keep_space(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		scene_fail("no memory");
	KEEP(KIND_SPACE, p);
	return p;
}

/* Handles are pointers, as the program is for 64-bit machines. */
static void destroy(enum kind kind, uint64_t h)
{
	switch (kind) {
	case KIND_PIPELINE:
		vkDestroyPipeline(vk.device, (VkPipeline)h, NULL);
		break;
	case KIND_PIPELINE_LAYOUT:
		vkDestroyPipelineLayout(vk.device, (VkPipelineLayout)h, NULL);
		break;
	case KIND_SET_LAYOUT:
		vkDestroyDescriptorSetLayout(vk.device, (VkDescriptorSetLayout)h, NULL);
		break;
	case KIND_SHADER:
		vkDestroyShaderModule(vk.device, (VkShaderModule)h, NULL);
		break;
	case KIND_FRAMEBUFFER:
		vkDestroyFramebuffer(vk.device, (VkFramebuffer)h, NULL);
		break;
	case KIND_PASS:
		vkDestroyRenderPass(vk.device, (VkRenderPass)h, NULL);
		break;
	case KIND_VIEW:
		vkDestroyImageView(vk.device, (VkImageView)h, NULL);
		break;
	case KIND_TEXELS:
		vkDestroyBufferView(vk.device, (VkBufferView)h, NULL);
		break;
	case KIND_SAMPLER:
		vkDestroySampler(vk.device, (VkSampler)h, NULL);
		break;
	case KIND_IMAGE:
		vkDestroyImage(vk.device, (VkImage)h, NULL);
		break;
	case KIND_BUFFER:
		vkDestroyBuffer(vk.device, (VkBuffer)h, NULL);
		break;
	case KIND_MEMORY:
		vkFreeMemory(vk.device, (VkDeviceMemory)h, NULL);
		break;
	default:
		free((void *)(uintptr_t)h);
	}
}

void destroy_objects(void)
{
	enum kind kind;
	unsigned int i;

	for (kind = 0; kind < NUM_KINDS; kind++) {
		for (i = 0; i < num_objects; i++) {
			if (objects[i].kind == kind)
				destroy(kind, objects[i].handle);
		}
	}
	num_objects = 0;
}

VkDeviceMemory make_memory(const VkMemoryRequirements *need, VkMemoryPropertyFlags flags)
{
	VkPhysicalDeviceMemoryProperties p;
	VkDeviceMemory memory;
	uint32_t i;

	vkGetPhysicalDeviceMemoryProperties(vk.physical, &p);
	for (i = 0; i < p.memoryTypeCount; i++) {
		if (need->memoryTypeBits >> i & 1 &&
		    (p.memoryTypes[i].propertyFlags & flags) == flags)
			break;
	}
	if (i == p.memoryTypeCount)
		scene_fail("no memory with properties 0x%x", flags);
	MUST(vkAllocateMemory(vk.device, &(VkMemoryAllocateInfo){
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = need->size,
		.memoryTypeIndex = i,
	}, NULL, &memory));
	KEEP(KIND_MEMORY, memory);
	return memory;
}

/* ---- buffers ---- */

struct buffer *make_buffer(size_t size, const void *data)
{
	struct buffer *b = keep_space(sizeof(*b));
	VkMemoryRequirements need;
	VkDeviceMemory memory;

	b->size = size;
	MUST(vkCreateBuffer(vk.device, &(VkBufferCreateInfo){
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = size,
		.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
			 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
			 VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
			 VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
			 VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
			 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
	}, NULL, &b->handle));
	KEEP(KIND_BUFFER, b->handle);
	vkGetBufferMemoryRequirements(vk.device, b->handle, &need);
	memory = make_memory(&need, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
			     VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
	MUST(vkBindBufferMemory(vk.device, b->handle, memory, 0));
	MUST(vkMapMemory(vk.device, memory, 0, VK_WHOLE_SIZE, 0, &b->map));
	if (data)
		memcpy(b->map, data, size);
	else
		memset(b->map, 0, size);
	return b;
}

/* ---- images ---- */

static VkImageAspectFlags aspect_of(VkFormat format)
{
	switch (format) {
	case VK_FORMAT_D16_UNORM:
	case VK_FORMAT_X8_D24_UNORM_PACK32:
	case VK_FORMAT_D32_SFLOAT:
		return VK_IMAGE_ASPECT_DEPTH_BIT;
	case VK_FORMAT_S8_UINT:
		return VK_IMAGE_ASPECT_STENCIL_BIT;
	case VK_FORMAT_D24_UNORM_S8_UINT:
	case VK_FORMAT_D32_SFLOAT_S8_UINT:
		return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
	default:
		return VK_IMAGE_ASPECT_COLOR_BIT;
	}
}

void need_format(VkFormat format, VkFormatFeatureFlags features)
{
	VkFormatProperties p;

	vkGetPhysicalDeviceFormatProperties(vk.physical, format, &p);
	if ((p.optimalTilingFeatures & features) != features)
		scene_skip("such format");
}

VkImageView make_view(const struct image *image, VkImageViewType type, VkFormat format,
		      const VkComponentMapping *swizzle, uint32_t level, uint32_t levels,
		      uint32_t layer, uint32_t layers)
{
	VkImageView view;

	MUST(vkCreateImageView(vk.device, &(VkImageViewCreateInfo){
		.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
		.image = image->handle,
		.viewType = type,
		.format = format,
		.components = swizzle ? *swizzle : (VkComponentMapping){},
		.subresourceRange = {
			/* one, as it may be sampled */
			.aspectMask = image->aspect & VK_IMAGE_ASPECT_DEPTH_BIT &&
				      image->info.usage & VK_IMAGE_USAGE_SAMPLED_BIT ?
				      VK_IMAGE_ASPECT_DEPTH_BIT : image->aspect,
			.baseMipLevel = level,
			.levelCount = levels,
			.baseArrayLayer = layer,
			.layerCount = layers,
		},
	}, NULL, &view));
	KEEP(KIND_VIEW, view);
	return view;
}

static uint32_t or_one(uint32_t n)
{
	return n ? n : 1;
}

struct image *make_image(const struct image_info *info)
{
	struct image *image = keep_space(sizeof(*image));
	struct image_info *i = &image->info;
	VkMemoryRequirements need;
	bool cube;

	*i = *info;
	i->width = i->width ? i->width : SIZE;
	i->height = i->height ? i->height : i->width;
	i->depth = or_one(i->depth);
	i->levels = or_one(i->levels);
	i->layers = or_one(i->layers);
	i->samples = or_one(i->samples);
	if (!i->view)
		i->view = i->layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
	if (i->tiling == VK_IMAGE_TILING_LINEAR)
		image->layout = VK_IMAGE_LAYOUT_PREINITIALIZED;
	cube = i->view == VK_IMAGE_VIEW_TYPE_CUBE;
	image->aspect = aspect_of(i->format);
	MUST(vkCreateImage(vk.device, &(VkImageCreateInfo){
		.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.flags = (cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0) |
			 (i->format == FORMAT ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0),
		.imageType = i->view == VK_IMAGE_VIEW_TYPE_3D ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
		.format = i->format,
		.extent = { i->width, i->height, i->depth },
		.mipLevels = i->levels,
		.arrayLayers = i->layers,
		.samples = i->samples,
		.tiling = i->tiling,
		.usage = i->usage,
		.initialLayout = image->layout,
	}, NULL, &image->handle));
	KEEP(KIND_IMAGE, image->handle);
	vkGetImageMemoryRequirements(vk.device, image->handle, &need);
	image->memory = make_memory(&need, i->tiling == VK_IMAGE_TILING_LINEAR ?
				    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
				    VK_MEMORY_PROPERTY_HOST_COHERENT_BIT : 0);
	MUST(vkBindImageMemory(vk.device, image->handle, image->memory, 0));
	/* images that are only copied have no view */
	if (i->usage & ~(VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT))
		image->view = make_view(image, i->view, i->format, NULL, 0, i->levels, 0,
					i->layers);
	return image;
}

void set_layout(struct image *image, VkImageLayout layout)
{
	vkCmdPipelineBarrier(vk.cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1,
			     &(VkImageMemoryBarrier){
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.oldLayout = image->layout,
		.newLayout = layout,
		.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.image = image->handle,
		.subresourceRange = {
			image->aspect, 0, image->info.levels, 0, image->info.layers,
		},
	});
	image->layout = layout;
}

static uint32_t at_level(uint32_t n, uint32_t level)
{
	return n >> level ? n >> level : 1;
}

VkImageSubresourceLayers layers_of(const struct image *image, uint32_t level)
{
	return (VkImageSubresourceLayers){
		.aspectMask = image->aspect,
		.mipLevel = level,
		.layerCount = image->info.layers,
	};
}

void upload(struct image *image, uint32_t level, uint32_t layer, const void *data, size_t size)
{
	const struct image_info *i = &image->info;
	struct buffer *b = make_buffer(size, data);

	if (image->layout != VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)
		set_layout(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdCopyBufferToImage(vk.cmd, b->handle, image->handle, image->layout, 1,
			       &(VkBufferImageCopy){
		.imageSubresource = { image->aspect, level, layer, 1 },
		.imageExtent = {
			at_level(i->width, level), at_level(i->height, level),
			at_level(i->depth, level),
		},
	});
}

struct image *pattern(uint32_t side, uint32_t levels)
{
	struct image *image = IMAGE(.format = FORMAT, .width = side, .levels = levels,
				    .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
					     VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
					     VK_IMAGE_USAGE_TRANSFER_DST_BIT);
	uint8_t *texels = keep_space(4 * side * side);
	uint32_t level, i, n;

	for (level = 0; level < levels; level++) {
		n = at_level(side, level);
		for (i = 0; i < n * n; i++) {
			uint32_t x = i % n, y = i / n;

			texels[4 * i] = n > 1 ? 255 * x / (n - 1) : 128;
			texels[4 * i + 1] = n > 1 ? 255 * y / (n - 1) : 128;
			texels[4 * i + 2] = level ? 50 * level : ((x ^ y) & 1) * 255;
			texels[4 * i + 3] = 255 - 128 * ((x + y) & 1);
		}
		upload(image, level, 0, texels, 4 * n * n);
	}
	set_layout(image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	return image;
}

VkSampler make_sampler(const VkSamplerCreateInfo *info)
{
	VkSamplerCreateInfo i = *info;
	VkSampler sampler;

	i.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
	MUST(vkCreateSampler(vk.device, &i, NULL, &sampler));
	KEEP(KIND_SAMPLER, sampler);
	return sampler;
}

/* ---- descriptors ---- */

VkDescriptorSetLayout make_set_layout(const struct binding *b, uint32_t n,
				      VkDescriptorSetLayoutCreateFlags flags)
{
	VkDescriptorSetLayoutBinding bindings[MAX_BINDINGS] = {};
	VkDescriptorSetLayout layout;
	uint32_t i;

	for (i = 0; i < n; i++) {
		bindings[i].binding = i;
		bindings[i].descriptorType = b[i].type;
		bindings[i].descriptorCount = or_one(b[i].count);
		bindings[i].stageFlags = b[i].type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT ?
					 VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_ALL;
		bindings[i].pImmutableSamplers = b[i].fixed ? &b[i].sampler : NULL;
	}
	MUST(vkCreateDescriptorSetLayout(vk.device, &(VkDescriptorSetLayoutCreateInfo){
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.flags = flags,
		.bindingCount = n,
		.pBindings = bindings,
	}, NULL, &layout));
	KEEP(KIND_SET_LAYOUT, layout);
	return layout;
}

/* Storage images are used in the general layout, others as textures. */
static void fill_image(const struct binding *b, uint32_t i, VkDescriptorImageInfo *info)
{
	struct image *image = b->images ? b->images[i] : b->image;

	info->sampler = b->sampler;
	if (!image)
		return;
	info->imageView = b->view ? b->view : image->view;
	info->imageLayout = b->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ?
			    VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
}

void fill_write(const struct binding *b, VkWriteDescriptorSet *w, VkDescriptorImageInfo *images,
		VkDescriptorBufferInfo *buffer)
{
	uint32_t i;

	w->sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
	w->descriptorType = b->type;
	w->descriptorCount = or_one(b->count);
	w->pImageInfo = images;
	w->pBufferInfo = buffer;
	w->pTexelBufferView = &b->texels;
	if (b->buffer) {
		buffer->buffer = b->buffer->handle;
		buffer->offset = b->offset;
		buffer->range = b->range ? b->range : VK_WHOLE_SIZE;
	}
	for (i = 0; i < w->descriptorCount && i < MAX_ARRAY; i++)
		fill_image(b, i, &images[i]);
}

struct set *make_set(const struct binding *b, uint32_t n)
{
	struct set *set = keep_space(sizeof(*set));
	VkDescriptorImageInfo images[MAX_ARRAY];
	uint32_t i;

	set->layout = make_set_layout(b, n, 0);
	MUST(vkAllocateDescriptorSets(vk.device, &(VkDescriptorSetAllocateInfo){
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = vk.descriptors,
		.descriptorSetCount = 1,
		.pSetLayouts = &set->layout,
	}, &set->handle));
	for (i = 0; i < n; i++) {
		VkWriteDescriptorSet w = { .dstSet = set->handle, .dstBinding = i };
		VkDescriptorBufferInfo buffer = {};

		if (b[i].fixed && b[i].type == VK_DESCRIPTOR_TYPE_SAMPLER)
			continue;
		memset(images, 0, sizeof(images));
		fill_write(&b[i], &w, images, &buffer);
		vkUpdateDescriptorSets(vk.device, 1, &w, 0, NULL);
	}
	return set;
}
