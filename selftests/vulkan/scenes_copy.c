// SPDX-License-Identifier: GPL-2.0
/*
 * Copies, blits, resolves, and mip levels made by them.
 */
#include <string.h>

#include "vk.h"

#define COPY_USAGE	(VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)

static void copy_buffer(void)
{
	const VkBufferCopy regions[] = { { 3, 17, 1001 }, { 2048, 1100, 4 }, { 100, 3000, 900 } };
	uint8_t bytes[4096];
	struct buffer *from, *to = make_buffer(4096, NULL);
	int i;

	for (i = 0; i < 4096; i++)
		bytes[i] = i * 13 + i / 256;
	from = make_buffer(sizeof(bytes), bytes);
	vkCmdCopyBuffer(vk.cmd, from->handle, to->handle, ARRAY_SIZE(regions), regions);
	show_buffer(to, 1024);
}

static void fill_buffer(void)
{
	struct buffer *b = make_buffer(4096, NULL);
	uint32_t words[40];
	int i;

	for (i = 0; i < 40; i++)
		words[i] = i * 0x01010101u;
	vkCmdFillBuffer(vk.cmd, b->handle, 16, 1000, 0x12345678);
	full_barrier();
	vkCmdUpdateBuffer(vk.cmd, b->handle, 400, sizeof(words), words);
	vkCmdFillBuffer(vk.cmd, b->handle, 2000, VK_WHOLE_SIZE, 0xff00ff00);
	show_buffer(b, 1024);
}

static struct image *copy_target(void)
{
	struct image *t = IMAGE(.format = FORMAT, .usage = COPY_USAGE);

	set_layout(t, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdClearColorImage(vk.cmd, t->handle, t->layout,
			     &(VkClearColorValue){ .float32 = { 0.2f, 0.2f, 0.2f, 1 } }, 1,
			     &(VkImageSubresourceRange){ VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 });
	full_barrier();
	return t;
}

static void copy_image(void)
{
	const VkImageCopy regions[] = {
		{ .srcOffset = { 3, 5, 0 }, .dstOffset = { 7, 1, 0 }, .extent = { 21, 27, 1 },
		  .srcSubresource = { 1, 0, 0, 1 }, .dstSubresource = { 1, 0, 0, 1 } },
		{ .srcOffset = { 0, 0, 0 }, .dstOffset = { 33, 40, 0 }, .extent = { 16, 16, 1 },
		  .srcSubresource = { 1, 1, 0, 1 }, .dstSubresource = { 1, 0, 0, 1 } },
	};
	struct image *from = pattern(32, 2), *to = copy_target();

	set_layout(from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vkCmdCopyImage(vk.cmd, from->handle, from->layout, to->handle, to->layout, 2, regions);
	show_image(to);
}

/* Rows and layers of the buffer are longer than the image's. */
static void copy_buffer_image(void)
{
	struct image *to = copy_target();
	uint8_t bytes[4 * 40 * 50];
	unsigned int i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = i % 4 == 3 ? 255 : i / 4 * (i % 4 + 1);
	vkCmdCopyBufferToImage(vk.cmd, make_buffer(sizeof(bytes), bytes)->handle, to->handle,
			       to->layout, 1, &(VkBufferImageCopy){
		.bufferOffset = 4 * 43,
		.bufferRowLength = 40,
		.bufferImageHeight = 48,
		.imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.imageOffset = { 5, 9, 0 },
		.imageExtent = { 31, 44, 1 },
	});
	show_image(to);
}

static void copy_image_buffer(void)
{
	struct buffer *b = make_buffer(4 * SIZE * SIZE, NULL);
	struct image *from = pattern(32, 2);

	set_layout(from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vkCmdCopyImageToBuffer(vk.cmd, from->handle, from->layout, b->handle, 1,
			       &(VkBufferImageCopy){
		.bufferOffset = 4 * 65,
		.bufferRowLength = 64,
		.imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.imageOffset = { 2, 3, 0 },
		.imageExtent = { 27, 23, 1 },
	});
	show_buffer(b, SIZE * SIZE);
}

/* Layers of one image become those of another one. */
static void copy_layers(void)
{
	struct image *a = IMAGE(.format = FORMAT, .width = 16, .layers = 4, .usage = COPY_USAGE);
	struct buffer *b = make_buffer(4 * 4 * 256, NULL);
	struct image *t = IMAGE(.format = FORMAT, .width = 16, .layers = 4, .usage = COPY_USAGE);
	uint32_t words[256];
	int i, k;

	for (k = 0; k < 4; k++) {
		for (i = 0; i < 256; i++)
			words[i] = 0xff000000 | k << 22 | i << 8 | k;
		upload(a, 0, k, words, sizeof(words));
		upload(t, 0, k, words, sizeof(words));
	}
	set_layout(a, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	full_barrier();
	vkCmdCopyImage(vk.cmd, a->handle, a->layout, t->handle, t->layout, 1, &(VkImageCopy){
		.srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 2, 2 },
		.dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 2 },
		.srcOffset = { 4, 0, 0 },
		.dstOffset = { 0, 4, 0 },
		.extent = { 12, 12, 1 },
	});
	set_layout(t, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vkCmdCopyImageToBuffer(vk.cmd, t->handle, t->layout, b->handle, 1, &(VkBufferImageCopy){
		.imageSubresource = layers_of(t, 0),
		.imageExtent = { 16, 16, 1 },
	});
	show_buffer(b, 1024);
}

static void copy_volume(void)
{
	struct image *t = IMAGE(.format = FORMAT, .width = 16, .depth = 4, .usage = COPY_USAGE,
				.view = VK_IMAGE_VIEW_TYPE_3D);
	struct buffer *b = make_buffer(4 * 1024, NULL);
	uint32_t words[1024];
	int i;

	for (i = 0; i < 1024; i++)
		words[i] = i * 0x00010203;
	upload(t, 0, 0, words, sizeof(words));
	set_layout(t, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vkCmdCopyImageToBuffer(vk.cmd, t->handle, t->layout, b->handle, 1, &(VkBufferImageCopy){
		.imageSubresource = layers_of(t, 0),
		.imageOffset = { 1, 2, 1 },
		.imageExtent = { 15, 14, 3 },
	});
	show_buffer(b, 15 * 14 * 3);
}

/* Formats of 1, 2, 8 and 16 bytes, to and fro. */
static void copy_formats(void)
{
	static const struct {
		VkFormat format;
		int bytes;
	} formats[] = {
		{ VK_FORMAT_R8_UINT, 1 }, { VK_FORMAT_R5G6B5_UNORM_PACK16, 2 },
		{ VK_FORMAT_R32G32_UINT, 8 }, { VK_FORMAT_R32G32B32A32_UINT, 16 },
	};
	struct buffer *b = make_buffer(4 * 1024, NULL);
	uint32_t words[4 * 64];
	int i, at = 0;

	for (i = 0; i < 4 * 64; i++)
		words[i] = i * 0x89abcdefu;
	for (i = 0; i < 4; i++) {
		struct image *t = IMAGE(.format = formats[i].format, .width = 8,
					.usage = COPY_USAGE);

		upload(t, 0, 0, words, 64 * formats[i].bytes);
		set_layout(t, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
		vkCmdCopyImageToBuffer(vk.cmd, t->handle, t->layout, b->handle, 1,
				       &(VkBufferImageCopy){
			.bufferOffset = at,
			.imageSubresource = layers_of(t, 0),
			.imageExtent = { 8, 8, 1 },
		});
		at += 64 * formats[i].bytes;
	}
	show_buffer(b, at / 4);
}

/* Depth, and stencil, in and out. */
static void copy_depth(void)
{
	struct buffer *b = make_buffer(4 * 1024, NULL);
	struct image *t = IMAGE(.format = VK_FORMAT_D32_SFLOAT, .width = 16,
				.usage = COPY_USAGE | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
	float values[256];
	int i;

	for (i = 0; i < 256; i++)
		values[i] = i / 256.0f;
	upload(t, 0, 0, values, sizeof(values));
	set_layout(t, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vkCmdCopyImageToBuffer(vk.cmd, t->handle, t->layout, b->handle, 1, &(VkBufferImageCopy){
		.imageSubresource = layers_of(t, 0),
		.imageOffset = { 3, 2, 0 },
		.imageExtent = { 13, 14, 1 },
	});
	show_buffer(b, 13 * 14);
}

static void copy_stencil(void)
{
	struct buffer *b = make_buffer(4096, NULL);
	struct image *t;
	uint8_t bytes[256];
	VkBufferImageCopy region = {
		.imageSubresource = { VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1 },
		.imageExtent = { 16, 16, 1 },
	};
	int i;

	need_format(VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT |
						 VK_FORMAT_FEATURE_TRANSFER_DST_BIT);
	t = IMAGE(.format = VK_FORMAT_D24_UNORM_S8_UINT, .width = 16,
		  .usage = COPY_USAGE | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
	for (i = 0; i < 256; i++)
		bytes[i] = 3 * i;
	set_layout(t, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdCopyBufferToImage(vk.cmd, make_buffer(256, bytes)->handle, t->handle, t->layout, 1,
			       &region);
	set_layout(t, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	region.imageOffset.y = 4;
	region.imageExtent.height = 12;
	vkCmdCopyImageToBuffer(vk.cmd, t->handle, t->layout, b->handle, 1, &region);
	show_buffer(b, 4 * 12);
}

/* ---- blits ---- */

static void draw_blits(VkFilter filter)
{
	/* larger, smaller, mirrored, mirrored twice */
	static const int32_t to[][4] = {
		{ 1, 2, 40, 33 }, { 42, 3, 61, 12 }, { 60, 14, 42, 40 }, { 40, 62, 1, 36 },
	};
	struct image *from = pattern(16, 1), *t = copy_target();
	int i;

	set_layout(from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	for (i = 0; i < 4; i++) {
		vkCmdBlitImage(vk.cmd, from->handle, from->layout, t->handle, t->layout, 1,
			       &(VkImageBlit){
			.srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
			.srcOffsets = { { i, 0, 0 }, { 16, 16 - i, 1 } },
			.dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
			.dstOffsets = { { to[i][0], to[i][1], 0 }, { to[i][2], to[i][3], 1 } },
		}, filter);
	}
	show_image(t);
}

static void blit_nearest(void)
{
	draw_blits(VK_FILTER_NEAREST);
}

static void blit_linear(void)
{
	draw_blits(VK_FILTER_LINEAR);
}

/* Through another format. */
static void blit_formats(void)
{
	struct image *from = pattern(32, 1), *t = copy_target();
	struct image *between;
	VkImageBlit region = {
		.srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.srcOffsets = { {}, { 32, 32, 1 } },
		.dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.dstOffsets = { {}, { 32, 32, 1 } },
	};

	need_format(VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_FEATURE_BLIT_DST_BIT |
							VK_FORMAT_FEATURE_BLIT_SRC_BIT);
	between = IMAGE(.format = VK_FORMAT_A2B10G10R10_UNORM_PACK32, .width = 32,
			.usage = COPY_USAGE);
	set_layout(from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	set_layout(between, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdBlitImage(vk.cmd, from->handle, from->layout, between->handle, between->layout, 1,
		       &region, VK_FILTER_NEAREST);
	set_layout(between, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	region.dstOffsets[0] = (VkOffset3D){ 10, 12, 0 };
	region.dstOffsets[1] = (VkOffset3D){ 42, 44, 1 };
	vkCmdBlitImage(vk.cmd, between->handle, between->layout, t->handle, t->layout, 1, &region,
		       VK_FILTER_NEAREST);
	show_image(t);
}

/* Each level from the one before; all in one picture. */
static void make_mipmaps(void)
{
	struct image *from = pattern(32, 1), *t = copy_target();
	struct image *levels = IMAGE(.format = FORMAT, .width = 32, .levels = 5,
				     .usage = COPY_USAGE);
	int i, at = 0;

	set_layout(from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	set_layout(levels, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdCopyImage(vk.cmd, from->handle, from->layout, levels->handle, levels->layout, 1,
		       &(VkImageCopy){
		.srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.extent = { 32, 32, 1 },
	});
	set_layout(levels, VK_IMAGE_LAYOUT_GENERAL);
	for (i = 1; i < 5; i++) {
		vkCmdBlitImage(vk.cmd, levels->handle, levels->layout, levels->handle,
			       levels->layout, 1, &(VkImageBlit){
			.srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, i - 1, 0, 1 },
			.srcOffsets = { {}, { 64 >> i, 64 >> i, 1 } },
			.dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, i, 0, 1 },
			.dstOffsets = { {}, { 32 >> i, 32 >> i, 1 } },
		}, VK_FILTER_LINEAR);
		full_barrier();
	}
	for (i = 0; i < 5; i++) {
		vkCmdCopyImage(vk.cmd, levels->handle, levels->layout, t->handle, t->layout, 1,
			       &(VkImageCopy){
			.srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, i, 0, 1 },
			.dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
			.dstOffset = { at, at / 2, 0 },
			.extent = { 32 >> i, 32 >> i, 1 },
		});
		at += 32 >> i;
	}
	show_image(t);
}

static void resolve_image(void)
{
	struct image *samples = IMAGE(.format = FORMAT, .samples = 4,
				      .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
					       VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
	struct image *t = copy_target();
	struct pipe p = plain_pipe();
	static const struct vertex v[] = {
		{ { -0.9f, -0.8f, 0, 1 }, { 1, 0, 0, 1 } },
		{ { 0.9f, -0.3f, 0, 1 }, { 0, 1, 0, 1 } },
		{ { -0.1f, 0.9f, 0, 1 }, { 0, 0, 1, 1 } },
	};

	begin_pass(&(struct pass){ .colours = { samples }, .clear = true });
	p.samples = 4;
	bind_pipe(&p);
	draw_vertices(v, 3);
	end_pass();
	set_layout(samples, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vkCmdResolveImage(vk.cmd, samples->handle, samples->layout, t->handle, t->layout, 1,
			  &(VkImageResolve){
		.srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.extent = { SIZE, SIZE, 1 },
	});
	show_image(t);
}

/* An image that the processor reads and writes itself. */
static void linear_image(void)
{
	struct image *from = IMAGE(.format = FORMAT, .width = 48, .height = 40, .usage = COPY_USAGE,
				   .tiling = VK_IMAGE_TILING_LINEAR);
	struct image *t = copy_target();
	VkSubresourceLayout layout;
	int x, y;
	uint8_t *p;

	vkGetImageSubresourceLayout(vk.device, from->handle,
				    &(VkImageSubresource){ VK_IMAGE_ASPECT_COLOR_BIT, 0, 0 },
					&layout);
	MUST(vkMapMemory(vk.device, from->memory, 0, VK_WHOLE_SIZE, 0, (void **)&p));
	for (y = 0; y < 40; y++) {
		for (x = 0; x < 48; x++)
			memcpy(p + layout.offset + layout.rowPitch * y + 4 * x,
			       (const uint8_t[]){ 5 * x, 6 * y, x ^ y, 255 }, 4);
	}
	set_layout(from, VK_IMAGE_LAYOUT_GENERAL);
	vkCmdCopyImage(vk.cmd, from->handle, from->layout, t->handle, t->layout, 1, &(VkImageCopy){
		.srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.dstOffset = { 8, 12, 0 },
		.extent = { 48, 40, 1 },
	});
	show_image(t);
}

const struct scene copy_scenes[] = {
	{ "copy_buffer", copy_buffer },
	{ "fill_buffer", fill_buffer },
	{ "copy_image", copy_image },
	{ "copy_buffer_image", copy_buffer_image },
	{ "copy_image_buffer", copy_image_buffer },
	{ "copy_layers", copy_layers },
	{ "copy_volume", copy_volume },
	{ "copy_formats", copy_formats },
	{ "copy_depth", copy_depth },
	{ "copy_stencil", copy_stencil },
	{ "blit_nearest", blit_nearest, "filter-unorm8" },
	{ "blit_linear", blit_linear, "filter-unorm8*2" },
	{ "blit_formats", blit_formats, "filter-unorm8" },
	{ "make_mipmaps", make_mipmaps, "filter-unorm8*2" },
	{ "resolve_image", resolve_image, "filter-unorm8 snapping" },
	{ "linear_image", linear_image },
	{}
};
