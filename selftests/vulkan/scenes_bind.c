// SPDX-License-Identifier: GPL-2.0
/*
 * Resources of draws: constants, uniform and storage buffers, descriptors.
 */
#include <string.h>

#include "vk.h"

struct constants {
	float place[4], colour[4], matrix[4][4];
};

static struct constants constants_of(int i)
{
	return (struct constants){
		.place = { -0.5f + 0.5f * i, -0.4f + 0.3f * i, 0, 0 },
		.colour = { 1 - 0.3f * i, 0.5f, 0.25f * i, 1 },
		.matrix = {
			{ 0.4f, 0.1f * i, 0, 0 }, { -0.1f * i, 0.4f, 0, 0 }, { 0, 0, 1, 0 },
			{ 0, 0, 0, 1 },
		},
	};
}

/* Other constants for each draw of a pipeline, the last time only a part. */
static void push_constants(void)
{
	struct pipe p = plain_pipe();
	struct constants c;
	int i;

	p.vs = "push.vert";
	p.fs = "push.frag";
	begin_main(NULL);
	bind_pipe(&p);
	for (i = 0; i < 3; i++) {
		c = constants_of(i);
		push(&c, sizeof(c));
		draw_gradient(-0.9f, -0.9f, 0.9f, 0.9f, 0);
	}
	c.place[0] = -0.6f;
	c.place[1] = 0.6f;
	push(&c, 16);
	draw_gradient(-0.9f, -0.9f, 0.9f, 0.9f, 0);
	end_pass();
	show_image(main_image());
}

static void fill_block(float *block)
{
	static const float matrix[3][3] = {
		{ 0.5f, 0.25f, 0 }, { 0.25f, 0.5f, 0.5f }, { 0, 0.5f, 1 },
	};
	static const int32_t numbers[] = { 10, 7, 4, 1 };
	int i, k;

	memset(block, 0, 60 * 4);
	block[0] = 0.3f;
	block[4] = 1;
	block[5] = 0.8f;
	block[6] = 0.9f;
	for (i = 0; i < 8; i++) {
		block[8 + 4 * i] = i / 8.0f;
		block[9 + 4 * i] = 1 - i / 8.0f;
	}
	for (i = 0; i < 3; i++) {
		for (k = 0; k < 3; k++)
			block[40 + 4 * i + k] = matrix[i][k];
	}
	memcpy(block + 52, numbers, sizeof(numbers));
}

static void uniform_buffer(void)
{
	float block[60];

	fill_block(block);
	show_with("uniform.frag", SET(UNIFORM(make_buffer(sizeof(block), block))));
}

static void several_sets(void)
{
	static const float values[3][4] = {
		{ 0.2f, 0, 0, 1 }, { 0, 0.6f, 0, 1 }, { 0, 0, 0.9f, 1 },
	};
	struct pipe p = plain_pipe();
	struct set *other;
	int i;

	p.fs = "two_uniforms.frag";
	for (i = 0; i < 3; i++)
		p.sets[i] = SET(UNIFORM(make_buffer(16, values[i])));
	other = SET(UNIFORM(make_buffer(16, (const float[]){ 1, 0.1f, 0.3f, 1 })));
	begin_main(NULL);
	bind_pipe(&p);
	draw_gradient(-0.9f, -0.9f, 0.1f, 0.1f, 0);
	vkCmdBindDescriptorSets(vk.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, bound_layout, 1, 1,
				&other->handle, 0, NULL);
	draw_gradient(-0.1f, -0.1f, 0.9f, 0.9f, 0);
	end_pass();
	show_image(main_image());
}

/* One set, with other offsets for each draw. */
static void dynamic_offsets(void)
{
	struct buffer *b = make_buffer(4096, NULL);
	struct pipe p = plain_pipe();
	float *words = b->map;
	float c[4];
	int i;

	for (i = 0; i < 8; i++) {
		words[64 * i] = i / 8.0f;
		words[64 * i + 1] = i & 1 ? 0.5f : 0;
		words[512 + 64 * i + 2] = 1 - i / 8.0f;
		words[512 + 64 * i + 3] = 1;
	}
	p.fs = "dynamic.frag";
	p.sets[0] = SET({ .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, .buffer = b,
			 .range = 16 },
			{ .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, .buffer = b,
			  .offset = 2048, .range = 16 });
	begin_main(NULL);
	/* without offsets it cannot be bound */
	{
		VkDescriptorSet handle = p.sets[0]->handle;

		p.sets[0]->handle = VK_NULL_HANDLE;
		bind_pipe(&p);
		p.sets[0]->handle = handle;
	}
	for (i = 0; i < 8; i++) {
		const uint32_t offsets[] = { 256 * i, 256 * (7 - i) };

		vkCmdBindDescriptorSets(vk.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, bound_layout, 0, 1,
					&p.sets[0]->handle, 2, offsets);
		grid_cell(i, 3, c);
		draw_gradient(c[0], c[1], c[2], c[3], 0);
	}
	end_pass();
	show_image(main_image());
}

/* The length of the array follows from the range. */
static void storage_buffer(void)
{
	uint32_t words[1024];
	int i;

	for (i = 0; i < 1024; i++)
		words[i] = 0xff000000 | i * 0x01234567u >> 8;
	show_with("storage.frag", SET({
		.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = make_buffer(4096, words),
		.offset = 256, .range = 4 * 777,
	}));
}

static void storage_stores(void)
{
	struct buffer *b = make_buffer(4 * SIZE * SIZE, NULL);

	if (!vk.features.fragmentStoresAndAtomics)
		scene_skip("fragmentStoresAndAtomics");
	show_with("stores.frag", SET(STORAGE(b)));
	show_buffer(b, SIZE * SIZE);
}

/* ---- arrays of descriptors ---- */

#define MAX_TEXTURES	12
#define TEXTURE_USAGE	(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)

/* Textures of one colour and a corner of another. */
static void make_textures(struct image **t, int n)
{
	uint8_t texels[4 * 16];
	int i, k;

	for (i = 0; i < n; i++) {
		for (k = 0; k < 16; k++) {
			texels[4 * k] = i * 20;
			texels[4 * k + 1] = k ? 255 - i * 20 : 255;
			texels[4 * k + 2] = (i & 1) * 200;
			texels[4 * k + 3] = 255;
		}
		t[i] = IMAGE(.format = FORMAT, .width = 4, .usage = TEXTURE_USAGE);
		upload(t[i], 0, 0, texels, sizeof(texels));
		set_layout(t[i], VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	}
}

static struct set *texture_array(int n)
{
	struct image *t[MAX_TEXTURES];

	make_textures(t, n);
	return SET({ .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .count = n, .images = t,
		     .sampler = SAMPLER() });
}

static void array_uniform(void)
{
	struct pipe p = plain_pipe();
	float c[4];
	int i;

	if (!vk.features.shaderSampledImageArrayDynamicIndexing)
		scene_skip("shaderSampledImageArrayDynamicIndexing");
	p.fs = "array_uniform.frag";
	p.sets[0] = texture_array(4);
	begin_main(NULL);
	bind_pipe(&p);
	for (i = 0; i < 4; i++) {
		push(&i, sizeof(i));
		grid_cell(i, 2, c);
		draw_gradient(c[0], c[1], c[2], c[3], 0);
	}
	end_pass();
	show_image(main_image());
}

static void array_nonuniform(void)
{
	if (!vk.indexing.shaderSampledImageArrayNonUniformIndexing)
		scene_skip("shaderSampledImageArrayNonUniformIndexing");
	show_with("array_nonuniform.frag", texture_array(4));
}

static void array_runtime(void)
{
	if (!vk.indexing.runtimeDescriptorArray ||
	    !vk.indexing.shaderSampledImageArrayNonUniformIndexing)
		scene_skip("runtimeDescriptorArray");
	show_with("array_runtime.frag", texture_array(MAX_TEXTURES));
}

static void buffers_nonuniform(void)
{
	float values[4][64] = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 }, { 1, 1, 0, 0.5f } };
	struct set set = {};
	struct buffer *b = make_buffer(sizeof(values), values);
	struct binding array = { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 4,
				.buffer = b };
	VkDescriptorBufferInfo infos[4];
	int i;

	if (!vk.indexing.shaderStorageBufferArrayNonUniformIndexing)
		scene_skip("shaderStorageBufferArrayNonUniformIndexing");
	for (i = 0; i < 4; i++)
		infos[i] = (VkDescriptorBufferInfo){ b->handle, 256 * i, 256 };
	set.layout = make_set_layout(&array, 1, 0);
	MUST(vkAllocateDescriptorSets(vk.device, &(VkDescriptorSetAllocateInfo){
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = vk.descriptors,
		.descriptorSetCount = 1,
		.pSetLayouts = &set.layout,
	}, &set.handle));
	vkUpdateDescriptorSets(vk.device, 1, &(VkWriteDescriptorSet){
		.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.dstSet = set.handle,
		.descriptorCount = 4,
		.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
		.pBufferInfo = infos,
	}, 0, NULL);
	show_with("buffers_nonuniform.frag", &set);
}

/* The set is copied from another one. */
static void copied_set(void)
{
	struct set *from = texture_array(4), *to = texture_array(4);

	vkUpdateDescriptorSets(vk.device, 0, NULL, 1, &(VkCopyDescriptorSet){
		.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
		.srcSet = from->handle,
		.srcArrayElement = 1,
		.dstSet = to->handle,
		.descriptorCount = 3,
	});
	if (!vk.features.shaderSampledImageArrayDynamicIndexing)
		scene_skip("shaderSampledImageArrayDynamicIndexing");
	{
		struct pipe p = plain_pipe();
		int one = 1;

		p.fs = "array_uniform.frag";
		p.sets[0] = to;
		begin_main(NULL);
		bind_pipe(&p);
		push(&one, sizeof(one));
		draw_gradient(-0.9f, -0.9f, 0.9f, 0.9f, 0);
		end_pass();
		show_image(main_image());
	}
}

/* Descriptors that are commands. */
static void push_descriptors(void)
{
	static const float values[2][4] = { { 0.2f, 0.9f, 0, 1 }, { 0.5f, 0, 1, 0.5f } };
	struct buffer *storage = make_buffer(64, (const float[16]){ 0, 0, 0.3f, 0 });
	PFN_vkCmdPushDescriptorSetKHR push_set =
		(void *)extension_call("VK_KHR_push_descriptor", "vkCmdPushDescriptorSetKHR");
	struct pipe p = plain_pipe();
	struct set set = {};
	struct binding b[] = { UNIFORM(NULL), STORAGE(storage) };
	int i, k;

	set.layout = make_set_layout(b, 2, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
	p.fs = "dynamic.frag";
	p.sets[0] = &set;
	begin_main(NULL);
	bind_pipe(&p);
	for (i = 0; i < 2; i++) {
		VkDescriptorImageInfo images[32];
		VkDescriptorBufferInfo buffers[2];
		VkWriteDescriptorSet w[2] = { {}, { .dstBinding = 1 } };

		b[0].buffer = make_buffer(16, values[i]);
		for (k = 0; k < 2; k++)
			fill_write(&b[k], &w[k], images, &buffers[k]);
		push_set(vk.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, bound_layout, 0, 2, w);
		draw_gradient(-0.9f + i, -0.9f, -0.1f + i, 0.9f, 0);
	}
	end_pass();
	show_image(main_image());
}

static void specialization(void)
{
	static const struct {
		int32_t count;
		float scale;
		VkBool32 flip;
	} data = { 3, 0.4f, true };
	static const VkSpecializationMapEntry entries[] = {
		{ 0, 0, 4 }, { 3, 4, 4 }, { 7, 8, 4 },
	};
	static const VkSpecializationInfo special = { 3, entries, sizeof(data), &data };
	struct pipe p = plain_pipe();

	p.fs = "special.frag";
	begin_main(NULL);
	bind_pipe(&p);
	draw_gradient(-0.9f, -0.9f, 0, 0.9f, 0);
	p.special = &special;
	bind_pipe(&p);
	draw_gradient(0, -0.9f, 0.9f, 0.9f, 0);
	end_pass();
	show_image(main_image());
}

const struct scene bind_scenes[] = {
	{ "push_constants", push_constants, "varying-slope snapping" },
	{ "uniform_buffer", uniform_buffer, "varying-slope snapping" },
	{ "several_sets", several_sets, "varying-slope" },
	{ "dynamic_offsets", dynamic_offsets, "varying-slope" },
	{ "storage_buffer", storage_buffer, "varying-slope" },
	{ "storage_stores", storage_stores, "varying-slope" },
	{ "array_uniform", array_uniform, "varying-slope" },
	{ "array_nonuniform", array_nonuniform, "varying-slope snapping" },
	{ "array_runtime", array_runtime, "varying-slope snapping" },
	{ "buffers_nonuniform", buffers_nonuniform, "varying-slope" },
	{ "copied_set", copied_set, "varying-slope" },
	{ "push_descriptors", push_descriptors, "varying-slope" },
	{ "specialization", specialization, "varying-slope snapping" },
	{}
};
