// SPDX-License-Identifier: GPL-2.0
/*
 * Textures and samplers.
 */
#include <string.h>

#include "vk.h"

#define TEXTURE_USAGE	(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)

static const float identity[4] = { 1, 1, 0, 0 };

/* Draw over all of the target, with factors and offsets of coordinates. */
static void show_sampled(const char *fs, struct set *set, const float *coordinates)
{
	struct pipe p = plain_pipe();

	p.fs = fs;
	p.sets[0] = set;
	begin_main(NULL);
	bind_pipe(&p);
	push(coordinates, 16);
	draw_gradient(-1, -1, 1, 1, 0);
	end_pass();
	show_image(main_image());
}

static VkSampler sampler_of(VkFilter filter, VkSamplerAddressMode mode)
{
	return SAMPLER(.magFilter = filter, .minFilter = filter, .addressModeU = mode,
		       .addressModeV = mode, .addressModeW = mode,
		       .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE);
}

static VkSampler trilinear(void)
{
	return SAMPLER(.magFilter = VK_FILTER_LINEAR, .minFilter = VK_FILTER_LINEAR,
		       .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR, .maxLod = 16);
}

static void nearest(void)
{
	show_sampled("sample.frag", SET(TEXTURE(pattern(16, 1), SAMPLER())), identity);
}

static void linear(void)
{
	show_sampled("sample.frag", SET(TEXTURE(pattern(8, 1), sampler_of(VK_FILTER_LINEAR, 0))),
		     identity);
}

/* Each row of the picture: another way to leave the texture. */
static void draw_wraps(VkFilter filter)
{
	static const VkSamplerAddressMode modes[] = {
		VK_SAMPLER_ADDRESS_MODE_REPEAT, VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
		VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
	};
	static const float coordinates[4] = { 3, 3, -1, -1 };
	struct image *t = pattern(8, 1);
	struct pipe p = plain_pipe();
	float c[4];
	int i;

	p.fs = "sample.frag";
	begin_main(NULL);
	for (i = 0; i < 4; i++) {
		p.sets[0] = SET(TEXTURE(t, sampler_of(filter, modes[i])));
		bind_pipe(&p);
		push(coordinates, sizeof(coordinates));
		grid_cell(4 * i, 4, c);
		draw_gradient(-1, c[1], 1, c[3], 0);
	}
	end_pass();
	show_image(main_image());
}

static void wrap_nearest(void)
{
	draw_wraps(VK_FILTER_NEAREST);
}

static void wrap_linear(void)
{
	draw_wraps(VK_FILTER_LINEAR);
}

static void border_colours(void)
{
	static const float coordinates[4] = { 3, 3, -1, -1 };
	struct image *t = pattern(8, 1);
	struct pipe p = plain_pipe();
	float c[4];
	int i;

	p.fs = "sample.frag";
	begin_main(NULL);
	for (i = 0; i < 3; i++) {
		VkSampler s = SAMPLER(.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
				      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
				      .borderColor = 2 * i);

		p.sets[0] = SET(TEXTURE(t, s));
		bind_pipe(&p);
		push(coordinates, sizeof(coordinates));
		grid_cell(3 * i, 3, c);
		draw_gradient(-1, c[1], 1, c[3], 0);
	}
	end_pass();
	show_image(main_image());
}

static void mipmaps_trilinear(void)
{
	static const float coordinates[4] = { 6, 6, 0, 0 };

	show_sampled("sample.frag", SET(TEXTURE(pattern(32, 5), trilinear())), coordinates);
}

static void mipmaps_nearest(void)
{
	static const float coordinates[4] = { 3, 3, 0, 0 };

	show_sampled("sample.frag", SET(TEXTURE(pattern(32, 5), SAMPLER(.maxLod = 16))),
		     coordinates);
}

static void mipmap_range(void)
{
	static const float coordinates[4] = { 8, 8, 0, 0 };

	show_sampled("sample.frag", SET(TEXTURE(pattern(32, 5), SAMPLER(
		.magFilter = VK_FILTER_LINEAR, .minFilter = VK_FILTER_LINEAR, .minLod = 0.5f,
			.maxLod = 1.5f,
		.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR, .mipLodBias = -0.75f))), coordinates);
}

static void lod(void)
{
	show_sampled("lod.frag", SET(TEXTURE(pattern(32, 5), trilinear())), identity);
}

static void lod_bias(void)
{
	show_sampled("bias.frag", SET(TEXTURE(pattern(64, 5), trilinear())), identity);
}

static void gradients(void)
{
	show_sampled("grad.frag", SET(TEXTURE(pattern(32, 5), trilinear())), identity);
}

static void texel_fetch(void)
{
	show_sampled("fetch.frag", SET(TEXTURE(pattern(16, 4), SAMPLER())), identity);
}

static void texel_offset(void)
{
	show_sampled("offset.frag", SET(TEXTURE(pattern(16, 1), SAMPLER())), identity);
}

static void gather(void)
{
	show_sampled("gather.frag", SET(TEXTURE(pattern(16, 1), SAMPLER())), identity);
}

static void projection(void)
{
	show_sampled("proj.frag", SET(TEXTURE(pattern(16, 1), SAMPLER())), identity);
}

static void texture_size(void)
{
	show_sampled("size.frag", SET(TEXTURE(pattern(32, 4), SAMPLER())), identity);
}

/* Views of parts of an image, with other orders of components. */
static void swizzles(void)
{
	static const VkComponentMapping maps[] = {
		{ VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_R,
		 VK_COMPONENT_SWIZZLE_ONE },
		{ VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_A,
		 VK_COMPONENT_SWIZZLE_A },
		{ VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_ONE, VK_COMPONENT_SWIZZLE_G,
		 VK_COMPONENT_SWIZZLE_IDENTITY },
		{},
	};
	struct image *t = pattern(16, 3);
	struct pipe p = plain_pipe();
	float c[4];
	int i;

	p.fs = "sample.frag";
	begin_main(NULL);
	for (i = 0; i < 4; i++) {
		p.sets[0] = SET({
			.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .image = t,
			.view = make_view(t, VK_IMAGE_VIEW_TYPE_2D, FORMAT, &maps[i], i & 1, 1, 0,
					  1),
			.sampler = SAMPLER(),
		});
		bind_pipe(&p);
		push(identity, sizeof(identity));
		grid_cell(i, 2, c);
		draw_gradient(c[0], c[1], c[2], c[3], 0);
	}
	end_pass();
	show_image(main_image());
}

/* The same texels as UNORM, sRGB and integers. */
static void view_formats(void)
{
	static const VkFormat formats[] = { FORMAT, VK_FORMAT_R8G8B8A8_SRGB };
	struct image *t = pattern(16, 1);
	struct pipe p = plain_pipe();
	int i;

	p.fs = "sample.frag";
	begin_main(NULL);
	for (i = 0; i < 2; i++) {
		p.sets[0] = SET({
			.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .image = t,
			.view = make_view(t, VK_IMAGE_VIEW_TYPE_2D, formats[i], NULL, 0, 1, 0, 1),
			.sampler = SAMPLER(),
		});
		bind_pipe(&p);
		push(identity, sizeof(identity));
		draw_gradient(-1 + i, -1, i, 1, 0);
	}
	end_pass();
	show_image(main_image());
}

/* ---- kinds of textures ---- */

static void fill_texels(uint8_t *texels, int n, int seed)
{
	int i;

	for (i = 0; i < n * n; i++) {
		texels[4 * i] = 40 * seed + 255 * (i % n) / (2 * n);
		texels[4 * i + 1] = 255 * (i / n) / n;
		texels[4 * i + 2] = seed & 1 ? 255 : 30 * seed;
		texels[4 * i + 3] = 255;
	}
}

static struct image *layered(VkImageViewType view, int layers)
{
	struct image *t = IMAGE(.format = FORMAT, .width = 8, .layers = layers, .view = view,
				.usage = TEXTURE_USAGE);
	uint8_t texels[4 * 8 * 8];
	int i;

	for (i = 0; i < layers; i++) {
		fill_texels(texels, 8, i);
		upload(t, 0, i, texels, sizeof(texels));
	}
	set_layout(t, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	return t;
}

static void array_texture(void)
{
	show_sampled("array.frag", SET(TEXTURE(layered(VK_IMAGE_VIEW_TYPE_2D_ARRAY, 4), SAMPLER())),
		     (const float[4]){ 0 });
}

/* Layers beyond the last one. */
static void array_clamped(void)
{
	scene_skip_on("G31 G52 G71 G72", 0, 2500,
		      "clamp of layers: panvk's samplers switch it off (clamp_integer_array_indices)");
	show_sampled("array.frag", SET(TEXTURE(layered(VK_IMAGE_VIEW_TYPE_2D_ARRAY, 4), SAMPLER())),
		     (const float[4]){ 1.5f });
}

static void cube_texture(void)
{
	show_sampled("cube.frag", SET(TEXTURE(layered(VK_IMAGE_VIEW_TYPE_CUBE, 6), SAMPLER())),
		     identity);
}

static void volume_texture(void)
{
	struct image *t = IMAGE(.format = FORMAT, .width = 8, .depth = 4,
				.view = VK_IMAGE_VIEW_TYPE_3D, .usage = TEXTURE_USAGE);
	uint8_t texels[4][4 * 8 * 8];
	int i;

	for (i = 0; i < 4; i++)
		fill_texels(texels[i], 8, i);
	upload(t, 0, 0, texels, sizeof(texels));
	set_layout(t, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	show_sampled("volume.frag", SET(TEXTURE(t, sampler_of(VK_FILTER_LINEAR, 0))), identity);
}

/* Depth of a pass that draws a slope. */
static struct image *depth_texture(VkFormat format)
{
	static const struct vertex v[] = {
		{ { -1, -1, 0.1f, 1 }, {} }, { { 3, -1, 1.3f, 1 }, {} }, { { -1, 3, 0.4f, 1 }, {} },
	};
	struct image *t;
	struct pipe p = plain_pipe();

	need_format(format, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT |
			    VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
	t = IMAGE(.format = format, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
					     VK_IMAGE_USAGE_SAMPLED_BIT);
	begin_pass(&(struct pass){ .depth = t, .clear = true, .z.depth = 1 });
	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	p.fs = NULL;
	bind_pipe(&p);
	draw_vertices(v, 3);
	end_pass();
	set_layout(t, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	return t;
}

static void depth_sampled(void)
{
	show_sampled("depth_value.frag", SET(TEXTURE(depth_texture(VK_FORMAT_D32_SFLOAT),
						     SAMPLER())),
		     identity);
}

static void depth_sampled_d16(void)
{
	show_sampled("depth_value.frag", SET(TEXTURE(depth_texture(VK_FORMAT_D16_UNORM),
						     SAMPLER())),
		     identity);
}

static void shadow(void)
{
	show_sampled("shadow.frag", SET(TEXTURE(depth_texture(VK_FORMAT_D32_SFLOAT), SAMPLER(
		.compareEnable = true, .compareOp = VK_COMPARE_OP_LESS_OR_EQUAL))), identity);
}

static void shadow_linear(void)
{
	need_format(VK_FORMAT_D32_SFLOAT, VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
	show_sampled("shadow.frag", SET(TEXTURE(depth_texture(VK_FORMAT_D32_SFLOAT), SAMPLER(
		.magFilter = VK_FILTER_LINEAR, .minFilter = VK_FILTER_LINEAR,
		.compareEnable = true, .compareOp = VK_COMPARE_OP_GREATER))), identity);
}

static void integer_textures(void)
{
	struct image *u = IMAGE(.format = VK_FORMAT_R16G16B16A16_UINT, .width = 8,
				.usage = TEXTURE_USAGE);
	struct image *s = IMAGE(.format = VK_FORMAT_R8G8B8A8_SINT, .width = 8,
				.usage = TEXTURE_USAGE);
	uint16_t words[4 * 64];
	int8_t bytes[4 * 64];
	int i;

	for (i = 0; i < 4 * 64; i++) {
		words[i] = i * 257;
		bytes[i] = i & 1 ? -i : i / 2;
	}
	upload(u, 0, 0, words, sizeof(words));
	set_layout(u, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	upload(s, 0, 0, bytes, sizeof(bytes));
	set_layout(s, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	show_sampled("integers.frag", SET(TEXTURE(u, SAMPLER()), TEXTURE(s, SAMPLER())), identity);
}

/* Four formats from bytes, whose components show. */
static void texture_formats(void)
{
	static const struct {
		VkFormat format;
		int bytes;
	} formats[] = {
		{ VK_FORMAT_R8_UNORM, 1 }, { VK_FORMAT_R8G8_SNORM, 2 },
		{ VK_FORMAT_R5G6B5_UNORM_PACK16, 2 }, { VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4 },
		{ VK_FORMAT_B8G8R8A8_UNORM, 4 }, { VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, 4 },
		{ VK_FORMAT_B10G11R11_UFLOAT_PACK32, 4 }, { VK_FORMAT_R16G16B16A16_UNORM, 8 },
		{ VK_FORMAT_R8G8B8A8_SRGB, 4 },
	};
	uint32_t words[2 * 64], bits = 12345;
	struct pipe p = plain_pipe();
	struct image *t[9];
	float c[4];
	int i;

	for (i = 0; i < 2 * 64; i++) {
		bits = bits * 1664525 + 1013904223;
		/* floats of at most 1 in either format */
		words[i] = bits & 0x783bdfef;
	}
	for (i = 0; i < 9; i++) {
		need_format(formats[i].format, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
		t[i] = IMAGE(.format = formats[i].format, .width = 8, .usage = TEXTURE_USAGE);
		upload(t[i], 0, 0, words, 64 * formats[i].bytes);
		set_layout(t[i], VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	}
	p.fs = "sample.frag";
	begin_main(NULL);
	for (i = 0; i < 9; i++) {
		p.sets[0] = SET(TEXTURE(t[i], SAMPLER()));
		bind_pipe(&p);
		push(identity, sizeof(identity));
		grid_cell(i, 3, c);
		draw_gradient(c[0], c[1], c[2], c[3], 0);
	}
	end_pass();
	show_image(main_image());
}

/* Blocks of ETC2 and EAC that are chosen at random. */
static void compressed(VkFormat format, int bytes)
{
	struct image *t;
	uint32_t words[4 * 16], bits = 99;
	int i;

	need_format(format, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
	for (i = 0; i < 4 * 16; i++) {
		bits = bits * 1664525 + 1013904223;
		words[i] = bits ^ bits >> 16;
	}
	t = IMAGE(.format = format, .width = 16, .usage = TEXTURE_USAGE);
	upload(t, 0, 0, words, 16 * bytes);
	set_layout(t, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	show_sampled("sample.frag", SET(TEXTURE(t, SAMPLER())), identity);
}

static void etc2_rgb8(void)
{
	compressed(VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, 8);
}

static void etc2_rgba8(void)
{
	compressed(VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, 16);
}

static void eac_r11(void)
{
	compressed(VK_FORMAT_EAC_R11_UNORM_BLOCK, 8);
}

static void bc1(void)
{
	compressed(VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 8);
}

static void bc3(void)
{
	compressed(VK_FORMAT_BC3_UNORM_BLOCK, 16);
}

static void separate_samplers(void)
{
	show_sampled("separate.frag", SET(
		{ .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, .image = pattern(8, 1) },
		{ .type = VK_DESCRIPTOR_TYPE_SAMPLER, .sampler = SAMPLER() },
		{ .type = VK_DESCRIPTOR_TYPE_SAMPLER, .sampler = sampler_of(VK_FILTER_LINEAR, 0) }),
		identity);
}

static void immutable_samplers(void)
{
	show_sampled("separate.frag", SET(
		{ .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, .image = pattern(8, 1) },
		{ .type = VK_DESCRIPTOR_TYPE_SAMPLER, .sampler = SAMPLER(), .fixed = true },
		{ .type = VK_DESCRIPTOR_TYPE_SAMPLER, .sampler = sampler_of(VK_FILTER_LINEAR, 0),
		  .fixed = true }), identity);
}

static void vertex_texture(void)
{
	struct pipe p = plain_pipe();
	float c[4];
	int i;

	p.vs = "height.vert";
	p.sets[0] = SET(TEXTURE(pattern(8, 1), sampler_of(VK_FILTER_LINEAR, 0)));
	begin_main(NULL);
	bind_pipe(&p);
	for (i = 0; i < 9; i++) {
		grid_cell(i, 3, c);
		draw_gradient(c[0], c[1], c[2], c[3], 0);
	}
	end_pass();
	show_image(main_image());
}

static void image_load(void)
{
	struct image *t = IMAGE(.format = FORMAT, .width = 16,
				.usage = VK_IMAGE_USAGE_STORAGE_BIT |
					 VK_IMAGE_USAGE_TRANSFER_DST_BIT);
	uint8_t texels[4 * 16 * 16];

	fill_texels(texels, 16, 1);
	upload(t, 0, 0, texels, sizeof(texels));
	set_layout(t, VK_IMAGE_LAYOUT_GENERAL);
	show_sampled("image.frag", SET(STORAGE_IMAGE(t)), identity);
}

static void texel_buffer(void)
{
	uint8_t texels[4 * 256];
	VkBufferView view;
	int i;

	for (i = 0; i < 4 * 256; i++)
		texels[i] = i % 4 == 3 ? 255 : i * 7;
	MUST(vkCreateBufferView(vk.device, &(VkBufferViewCreateInfo){
		.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
		.buffer = make_buffer(sizeof(texels), texels)->handle,
		.format = FORMAT,
		.range = VK_WHOLE_SIZE,
	}, NULL, &view));
	show_sampled("texels.frag", SET({
		.type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, .texels = view,
	}), identity);
	flush();
	vkDestroyBufferView(vk.device, view, NULL);
}

const struct scene texture_scenes[] = {
	{ "nearest", nearest, "filter-unorm8" },
	{ "linear", linear, "filter-unorm8" },
	{ "wrap_nearest", wrap_nearest, "filter-unorm8" },
	{ "wrap_linear", wrap_linear, "filter-unorm8*2" },
	{ "border_colours", border_colours, "filter-unorm8" },
	{ "mipmaps_trilinear", mipmaps_trilinear, "derived-lod*4" },
	{ "mipmaps_nearest", mipmaps_nearest, "filter-unorm8" },
	{ "mipmap_range", mipmap_range, "derived-lod*4" },
	{ "lod", lod, "level-weights snapping" },
	{ "lod_bias", lod_bias, "derived-lod*4 snapping" },
	{ "gradients", gradients, "derived-lod*2 snapping" },
	{ "texel_fetch", texel_fetch, "filter-unorm8" },
	{ "texel_offset", texel_offset, "filter-unorm8" },
	{ "gather", gather, "filter-unorm8" },
	{ "projection", projection, "filter-unorm8 snapping" },
	{ "texture_size", texture_size, "filter-unorm8" },
	{ "swizzles", swizzles, "filter-unorm8 snapping" },
	{ "view_formats", view_formats, "filter-unorm8" },
	{ "array_texture", array_texture, "filter-unorm8 snapping" },
	{ "array_clamped", array_clamped, "filter-unorm8 snapping" },
	{ "cube_texture", cube_texture, "filter-unorm8 snapping" },
	{ "volume_texture", volume_texture, "filter-unorm8" },
	{ "depth_sampled", depth_sampled, "filter-unorm8" },
	{ "depth_sampled_d16", depth_sampled_d16, "filter-unorm8" },
	{ "shadow", shadow, "filter-unorm8 snapping" },
	{ "shadow_linear", shadow_linear, "filter-unorm8*2 snapping" },
	{ "integer_textures", integer_textures, "filter-unorm8" },
	{ "texture_formats", texture_formats, "filter-unorm8 snapping" },
	{ "etc2_rgb8", etc2_rgb8, "filter-unorm8" },
	{ "etc2_rgba8", etc2_rgba8, "filter-unorm8" },
	{ "eac_r11", eac_r11, "filter-unorm8" },
	{ "bc1", bc1, "filter-unorm8" },
	{ "bc3", bc3, "filter-unorm8" },
	{ "separate_samplers", separate_samplers, "filter-unorm8" },
	{ "immutable_samplers", immutable_samplers, "filter-unorm8" },
	{ "vertex_texture", vertex_texture, "filter-unorm8 snapping" },
	{ "image_load", image_load, "filter-unorm8" },
	{ "texel_buffer", texel_buffer, "filter-unorm8" },
	{}
};
