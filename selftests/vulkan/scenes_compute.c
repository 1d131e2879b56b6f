// SPDX-License-Identifier: GPL-2.0
/*
 * Computations, whose buffers or images are the pictures.
 */
#include <string.h>

#include "vk.h"

#define N	256	/* invocations of most */

#define SIMPLE(name)							\
static void compute_##name(void)					\
{									\
	run_compute(#name ".comp", N / 64, N);				\
}

SIMPLE(ids)
SIMPLE(shared)
SIMPLE(shared_atomics)
SIMPLE(integers)
SIMPLE(floats)
SIMPLE(functions)
SIMPLE(matrices)
SIMPLE(branches)
SIMPLE(scratch)
SIMPLE(pressure)

static void compute_atomics(void)
{
	run_compute("atomics.comp", N / 64, 64 + N);
}

static void compute_ids3(void)
{
	struct buffer *b = make_buffer(4 * 64 * 2 * 2 * 12, NULL);

	if (vk.properties.limits.maxComputeWorkGroupInvocations < 256)
		scene_skip("workgroups of 256");
	COMPUTE("ids3.comp", SET(STORAGE(b)));
	vkCmdDispatch(vk.cmd, 2, 2, 3);
	show_buffer(b, 64 * 2 * 2 * 12);
}

/* With a buffer of vectors in std430: 48 bytes each. */
static void compute_vectors(void)
{
	uint32_t words[8 * 12];
	struct buffer *b = make_buffer(4 * N, NULL);
	float f;
	int i;

	for (i = 0; i < 8 * 12; i++) {
		f = i;
		if (i % 12 < 4)
			memcpy(&words[i], &f, 4);
		else
			words[i] = i * 3;
	}
	COMPUTE("vectors.comp", SET(STORAGE(b), STORAGE(make_buffer(sizeof(words), words))));
	vkCmdDispatch(vk.cmd, N / 64, 1, 1);
	show_buffer(b, N);
}

static void compute_push(void)
{
	static const uint32_t values[] = { 3, 10, 20, 30, 40, 50, 60, 70, 80 };
	struct buffer *b = make_buffer(4 * N, NULL);

	COMPUTE("push.comp", SET(STORAGE(b)));
	push(values, sizeof(values));
	vkCmdDispatch(vk.cmd, N / 64, 1, 1);
	show_buffer(b, N);
}

static void compute_special(void)
{
	static const uint32_t data[] = { 7, 32 };
	static const VkSpecializationMapEntry entries[] = { { 1, 0, 4 }, { 5, 4, 4 } };
	struct buffer *b = make_buffer(4 * N, NULL);
	struct set *set = SET(STORAGE(b));

	use_compute("special.comp", &set, 1, &(VkSpecializationInfo){ 2, entries, sizeof(data),
								     data });
	vkCmdDispatch(vk.cmd, N / 32, 1, 1);
	show_buffer(b, N);
}

/* ---- images ---- */

static void compute_store(void)
{
	struct image *t = IMAGE(.format = FORMAT, .usage = VK_IMAGE_USAGE_STORAGE_BIT |
							   VK_IMAGE_USAGE_TRANSFER_SRC_BIT);

	set_layout(t, VK_IMAGE_LAYOUT_GENERAL);
	COMPUTE("store.comp", SET(STORAGE(make_buffer(64, NULL)), STORAGE_IMAGE(t)));
	vkCmdDispatch(vk.cmd, SIZE * SIZE / 64, 1, 1);
	show_image(t);
}

/* An image of words; afterwards it is shown after the buffer. */
static void run_words(const char *name, uint32_t side, uint32_t layers)
{
	struct image *t = IMAGE(.format = VK_FORMAT_R32_UINT, .width = side, .layers = layers,
				.usage = VK_IMAGE_USAGE_STORAGE_BIT |
					VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
					 VK_IMAGE_USAGE_TRANSFER_DST_BIT);
	struct buffer *b = make_buffer(4 * (N + side * side), NULL);
	uint32_t words[16 * 16];
	uint32_t i;

	for (i = 0; i < side * side; i++)
		words[i] = i * 7;
	upload(t, 0, 0, words, 4 * side * side);
	set_layout(t, VK_IMAGE_LAYOUT_GENERAL);
	COMPUTE(name, SET(STORAGE(b), STORAGE_IMAGE(t)));
	vkCmdDispatch(vk.cmd, N / 64, 1, 1);
	set_layout(t, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vkCmdCopyImageToBuffer(vk.cmd, t->handle, t->layout, b->handle, 1, &(VkBufferImageCopy){
		.bufferOffset = 4 * N,
		.imageSubresource = layers_of(t, 0),
		.imageExtent = { side, side, 1 },
	});
	show_buffer(b, N + side * side);
}

static void compute_modify(void)
{
	run_words("modify.comp", 16, 1);
}

static void compute_image_atomics(void)
{
	need_format(VK_FORMAT_R32_UINT, VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT);
	run_words("image_atomics.comp", 4, 1);
}

static void compute_layers(void)
{
	struct image *t = IMAGE(.format = FORMAT, .width = 16, .layers = 4,
				.usage = VK_IMAGE_USAGE_STORAGE_BIT |
					VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
	struct buffer *b = make_buffer(4 * 1024, NULL);

	set_layout(t, VK_IMAGE_LAYOUT_GENERAL);
	COMPUTE("layers.comp", SET(STORAGE(b), STORAGE_IMAGE(t)));
	vkCmdDispatch(vk.cmd, 1024 / 64, 1, 1);
	set_layout(t, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vkCmdCopyImageToBuffer(vk.cmd, t->handle, t->layout, b->handle, 1, &(VkBufferImageCopy){
		.imageSubresource = layers_of(t, 0),
		.imageExtent = { 16, 16, 1 },
	});
	show_buffer(b, 1024);
}

static void compute_texels(void)
{
	uint32_t words[2 * N];
	struct buffer *b;
	VkBufferView view;
	int i;

	for (i = 0; i < 2 * N; i++)
		words[i] = i * 3;
	b = make_buffer(sizeof(words), words);
	MUST(vkCreateBufferView(vk.device, &(VkBufferViewCreateInfo){
		.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
		.buffer = b->handle,
		.format = VK_FORMAT_R32_UINT,
		.range = VK_WHOLE_SIZE,
	}, NULL, &view));
	COMPUTE("texels.comp", SET(STORAGE(make_buffer(64, NULL)),
				   { .type = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
				    .texels = view }));
	vkCmdDispatch(vk.cmd, N / 64, 1, 1);
	show_buffer(b, 2 * N);
	flush();
	vkDestroyBufferView(vk.device, view, NULL);
}

static void compute_sampled(void)
{
	struct buffer *b = make_buffer(4 * SIZE * SIZE, NULL);
	VkSampler s = SAMPLER(.magFilter = VK_FILTER_LINEAR, .minFilter = VK_FILTER_LINEAR);

	COMPUTE("sampled.comp", SET(STORAGE(b), TEXTURE(pattern(8, 1), s)));
	vkCmdDispatch(vk.cmd, SIZE * SIZE / 64, 1, 1);
	show_buffer(b, SIZE * SIZE);
}

/* ---- dispatches ---- */

static void skip_stub(void)
{
	scene_skip_on("G31 G52 G71 G72", 0, 2500, "indirect dispatches: a stub in panvk");
}

static void compute_indirect(void)
{
	static const uint32_t groups[] = { 99, 5, 1, 1 };
	struct buffer *b = make_buffer(4 * 16, NULL), *args = make_buffer(sizeof(groups), groups);

	skip_stub();
	COMPUTE("indirect.comp", SET(STORAGE(b)));
	vkCmdDispatchIndirect(vk.cmd, args->handle, 4);
	show_buffer(b, 16);
}

/* The parameters come from another computation. */
static void compute_indirect_written(void)
{
	struct buffer *b = make_buffer(4 * 16, NULL), *args = make_buffer(16, NULL);

	skip_stub();
	COMPUTE("args.comp", SET(STORAGE(args)));
	vkCmdDispatch(vk.cmd, 1, 1, 1);
	full_barrier();
	vkCmdFillBuffer(vk.cmd, args->handle, 8, 4, 1);
	full_barrier();
	COMPUTE("indirect.comp", SET(STORAGE(b)));
	vkCmdDispatchIndirect(vk.cmd, args->handle, 0);
	show_buffer(b, 16);
}

static void compute_base(void)
{
	struct buffer *b = make_buffer(4 * 2 * N, NULL);
	PFN_vkCmdDispatchBase dispatch =
		(void *)extension_call("VK_KHR_device_group", "vkCmdDispatchBaseKHR");
	struct set *set = SET(STORAGE(b));
	VkPipeline pipeline;

	bound_layout = make_layout(&set, 1);
	MUST(vkCreateComputePipelines(vk.device, NULL, 1, &(VkComputePipelineCreateInfo){
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.flags = VK_PIPELINE_CREATE_DISPATCH_BASE,
		.stage = {
			.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			.stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.module = find_shader("ids.comp"),
			.pName = "main",
		},
		.layout = bound_layout,
	}, NULL, &pipeline));
	vkCmdBindPipeline(vk.cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
	vkCmdBindDescriptorSets(vk.cmd, VK_PIPELINE_BIND_POINT_COMPUTE, bound_layout, 0, 1,
				&set->handle, 0, NULL);
	dispatch(vk.cmd, 3, 0, 0, 2, 1, 1);
	show_buffer(b, 2 * N);
	flush();
	vkDestroyPipeline(vk.device, pipeline, NULL);
}

/* Forty dispatches, each of which reads what the one before has written. */
static void compute_chain(void)
{
	uint32_t words[N];
	struct buffer *b[2];
	int i;

	for (i = 0; i < N; i++)
		words[i] = i;
	b[0] = make_buffer(sizeof(words), words);
	b[1] = make_buffer(sizeof(words), NULL);
	for (i = 0; i < 40; i++) {
		if (i < 2)
			COMPUTE("chain.comp", SET(STORAGE(b[!(i & 1)]), STORAGE(b[i & 1])));
		else
			vkCmdBindDescriptorSets(vk.cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
						bound_layout, 0, 1,
						&SET(STORAGE(b[!(i & 1)]),
						     STORAGE(b[i & 1]))->handle, 0, NULL);
		vkCmdDispatch(vk.cmd, N / 64, 1, 1);
		full_barrier();
	}
	show_buffer(b[0], N);
}

/* ---- types ---- */

static void compute_storage16(void)
{
	struct buffer *b = make_buffer(4 * N, NULL), *words = make_buffer(2 * N, NULL);
	uint16_t halves[N], *w = words->map;
	int i;

	if (!has_extension("VK_KHR_16bit_storage"))
		scene_skip("VK_KHR_16bit_storage");
	for (i = 0; i < N; i++) {
		halves[i] = 0x3c00 + 16 * i;
		w[i] = 3 * i;
	}
	COMPUTE("storage16.comp", SET(STORAGE(b), STORAGE(make_buffer(sizeof(halves), halves)),
				      STORAGE(words)));
	vkCmdDispatch(vk.cmd, N / 64, 1, 1);
	full_barrier();
	vkCmdCopyBuffer(vk.cmd, words->handle, b->handle, 1, &(VkBufferCopy){ 0, 2 * N, 2 * N });
	show_buffer(b, N);
}

static void compute_storage8(void)
{
	struct buffer *b = make_buffer(4 * N + 2 * N, NULL), *bytes = make_buffer(2 * N, NULL);
	uint8_t *w = bytes->map;
	int i;

	if (!has_extension("VK_KHR_8bit_storage"))
		scene_skip("VK_KHR_8bit_storage");
	for (i = 0; i < N; i++)
		w[i] = 5 * i;
	COMPUTE("storage8.comp", SET(STORAGE(b), STORAGE(bytes)));
	vkCmdDispatch(vk.cmd, N / 64, 1, 1);
	full_barrier();
	vkCmdCopyBuffer(vk.cmd, bytes->handle, b->handle, 1, &(VkBufferCopy){ 0, 4 * N, 2 * N });
	show_buffer(b, N + N / 2);
}

static void compute_float16(void)
{
	if (!has_extension("VK_KHR_shader_float16_int8"))
		scene_skip("VK_KHR_shader_float16_int8");
	run_compute("float16.comp", N / 64, N);
}

static void compute_int16(void)
{
	if (!vk.features.shaderInt16)
		scene_skip("shaderInt16");
	run_compute("int16.comp", N / 64, N);
}

static void compute_int64(void)
{
	if (!vk.features.shaderInt64)
		scene_skip("shaderInt64");
	run_compute("int64.comp", N / 64, N);
}

/* A list of nodes that point to each other. */
static void compute_address(void)
{
	struct {
		uint64_t next;
		uint32_t value, other;
	} nodes[8];
	PFN_vkGetBufferDeviceAddress get = (void *)extension_call("VK_KHR_buffer_device_address",
								  "vkGetBufferDeviceAddressKHR");
	struct buffer *b = make_buffer(4 * N, NULL);
	VkMemoryRequirements need;
	VkDeviceMemory memory;
	VkBuffer list;
	VkDeviceAddress at;
	void *map;
	int i;

	MUST(vkCreateBuffer(vk.device, &(VkBufferCreateInfo){
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = sizeof(nodes),
		.usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
			VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
	}, NULL, &list));
	vkGetBufferMemoryRequirements(vk.device, list, &need);
	for (i = 0; !(need.memoryTypeBits >> i & 1); i++)
		;
	MUST(vkAllocateMemory(vk.device, &(VkMemoryAllocateInfo){
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.pNext = &(VkMemoryAllocateFlagsInfo){
			.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
			.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
		},
		.allocationSize = need.size,
		.memoryTypeIndex = i,
	}, NULL, &memory));
	MUST(vkBindBufferMemory(vk.device, list, memory, 0));
	MUST(vkMapMemory(vk.device, memory, 0, VK_WHOLE_SIZE, 0, &map));
	at = get(vk.device, &(VkBufferDeviceAddressInfo){
		.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
		.buffer = list,
	});
	memset(nodes, 0, sizeof(nodes));
	for (i = 0; i < 8; i++) {
		nodes[i].next = at + (5 * i + 3) % 8 * sizeof(nodes[0]);
		nodes[i].value = i + 1;
	}
	memcpy(map, nodes, sizeof(nodes));
	COMPUTE("address.comp", SET(STORAGE(b)));
	push(&at, sizeof(at));
	vkCmdDispatch(vk.cmd, N / 64, 1, 1);
	show_buffer(b, N);
	flush();
	vkDestroyBuffer(vk.device, list, NULL);
	vkFreeMemory(vk.device, memory, NULL);
}

#define COMPUTATION(name, rows)	{ "compute_" #name, compute_##name, rows }

const struct scene compute_scenes[] = {
	COMPUTATION(ids, NULL),
	COMPUTATION(ids3, NULL),
	COMPUTATION(shared, NULL),
	COMPUTATION(shared_atomics, NULL),
	COMPUTATION(atomics, NULL),
	COMPUTATION(integers, NULL),
	COMPUTATION(floats, NULL),
	COMPUTATION(functions, "unorm8-fetch"),
	COMPUTATION(matrices, NULL),
	COMPUTATION(branches, NULL),
	COMPUTATION(scratch, NULL),
	COMPUTATION(pressure, NULL),
	COMPUTATION(vectors, NULL),
	COMPUTATION(push, NULL),
	COMPUTATION(special, NULL),
	COMPUTATION(store, "unorm8-fetch"),
	COMPUTATION(modify, NULL),
	COMPUTATION(image_atomics, NULL),
	COMPUTATION(layers, "unorm8-fetch"),
	COMPUTATION(texels, NULL),
	COMPUTATION(sampled, "unorm8-fetch"),
	COMPUTATION(indirect, NULL),
	COMPUTATION(indirect_written, NULL),
	COMPUTATION(base, NULL),
	COMPUTATION(chain, NULL),
	COMPUTATION(storage16, NULL),
	COMPUTATION(storage8, NULL),
	COMPUTATION(float16, NULL),
	COMPUTATION(int16, NULL),
	COMPUTATION(int64, NULL),
	COMPUTATION(address, NULL),
	{}
};
