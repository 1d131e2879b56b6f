// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of fragments, blending, and samples.
 */
#include "vk.h"

/* ---- depth ---- */

/* Eight functions on a background with three depths. */
static void depth_functions(VkFormat format)
{
	struct pipe p = plain_pipe();
	float c[4];
	int i, k;

	begin_main(depth_image(format));
	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	bind_pipe(&p);
	for (k = 0; k < 3; k++)
		draw_rect(-1, -1 + k * 0.66f, 1, -0.34f + k * 0.66f, 0.25f + 0.25f * k, 0.2f * k,
			  0, 0.3f, 1);
	for (i = 0; i < 8; i++) {
		p.depth.depthCompareOp = i;
		bind_pipe(&p);
		grid_cell(i, 3, c);
		draw_gradient(c[0], c[1] + 0.2f, c[2], c[3] + 0.2f, 0.5f);
	}
	end_pass();
	show_image(main_image());
}

static void depth_d32(void)
{
	depth_functions(VK_FORMAT_D32_SFLOAT);
}

static void depth_d24(void)
{
	depth_functions(VK_FORMAT_X8_D24_UNORM_PACK32);
}

static void depth_d16(void)
{
	depth_functions(VK_FORMAT_D16_UNORM);
}

static void depth_d24s8(void)
{
	depth_functions(VK_FORMAT_D24_UNORM_S8_UINT);
}

static void depth_d32s8(void)
{
	depth_functions(VK_FORMAT_D32_SFLOAT_S8_UINT);
}

/* The second rectangle does not write. */
static void depth_mask(void)
{
	struct pipe p = plain_pipe();

	begin_main(depth_image(VK_FORMAT_D32_SFLOAT));
	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	bind_pipe(&p);
	draw_gradient(-0.9f, -0.9f, 0.3f, 0.3f, 0.6f);
	p.depth.depthWriteEnable = false;
	bind_pipe(&p);
	draw_rect(-0.4f, -0.4f, 0.5f, 0.5f, 0.2f, 1, 0, 0, 1);
	draw_rect(-0.1f, -0.1f, 0.9f, 0.9f, 0.4f, 0, 1, 0, 1);
	end_pass();
	show_image(main_image());
}

static void depth_crossing(void)
{
	static const struct vertex v[] = {
		{ { -0.9f, -0.9f, 0.1f, 1 }, { 1, 0, 0, 1 } },
		{ { 0.9f, -0.8f, 0.9f, 1 }, { 1, 0, 0, 1 } },
		{ { 0, 0.9f, 0.4f, 1 }, { 1, 1, 0, 1 } },
		{ { 0.9f, -0.7f, 0.2f, 1 }, { 0, 0, 1, 1 } },
		{ { -0.9f, 0.6f, 0.5f, 1 }, { 0, 1, 1, 1 } },
		{ { 0.7f, 0.9f, 0.7f, 1 }, { 0, 0, 1, 1 } },
	};
	struct pipe p = plain_pipe();

	begin_main(depth_image(VK_FORMAT_D32_SFLOAT));
	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	bind_pipe(&p);
	draw_vertices(v, ARRAY_SIZE(v));
	end_pass();
	show_image(main_image());
}

static void frag_depth(void)
{
	struct pipe p = plain_pipe();

	begin_main(depth_image(VK_FORMAT_D32_SFLOAT));
	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	p.fs = "depth.frag";
	bind_pipe(&p);
	draw_gradient(-1, -1, 1, 1, 0);
	p.fs = "colour.frag";
	bind_pipe(&p);
	draw_rect(-0.8f, -0.8f, 0.8f, 0.8f, 0.45f, 1, 1, 1, 1);
	end_pass();
	show_image(main_image());
}

static void depth_bounds(void)
{
	struct pipe p = plain_pipe();

	if (!vk.features.depthBounds)
		scene_skip("depthBounds");
	begin_main(depth_image(VK_FORMAT_D32_SFLOAT));
	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	bind_pipe(&p);
	draw_gradient(-0.5f, -0.5f, 0.5f, 0.5f, 0.5f);
	p.depth.depthBoundsTestEnable = true;
	p.depth.minDepthBounds = 0.4f;
	p.depth.maxDepthBounds = 0.6f;
	bind_pipe(&p);
	draw_rect(-1, -0.2f, 1, 0.2f, 0.1f, 1, 1, 1, 1);
	end_pass();
	show_image(main_image());
}

static void discard_pixels(void)
{
	struct pipe p = plain_pipe();

	begin_main(depth_image(VK_FORMAT_D32_SFLOAT));
	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	p.fs = "discard.frag";
	bind_pipe(&p);
	draw_gradient(-0.9f, -0.9f, 0.9f, 0.9f, 0.3f);
	p.fs = "colour.frag";
	bind_pipe(&p);
	draw_rect(-1, -0.3f, 1, 0.6f, 0.5f, 0, 0, 1, 1);
	end_pass();
	show_image(main_image());
}

/* The buffer counts fragments that pass the early test, of each row. */
static void early_tests(void)
{
	struct buffer *b = make_buffer(4 * SIZE, NULL);
	struct pipe p = plain_pipe();

	if (!vk.features.fragmentStoresAndAtomics)
		scene_skip("fragmentStoresAndAtomics");
	begin_main(depth_image(VK_FORMAT_D32_SFLOAT));
	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	bind_pipe(&p);
	draw_rect(-1, -1, 0, 0, 0.2f, 1, 0, 0, 1);
	p.fs = "early.frag";
	p.sets[0] = SET(STORAGE(b));
	bind_pipe(&p);
	draw_gradient(-0.5f, -0.5f, 0.5f, 0.5f, 0.5f);
	end_pass();
	show_buffer(b, SIZE);
}

/* ---- stencil ---- */

static VkStencilOpState stencil_state(VkCompareOp compare, VkStencilOp op, uint32_t reference)
{
	return (VkStencilOpState){
		.failOp = op,
		.passOp = op,
		.depthFailOp = op,
		.compareOp = compare,
		.compareMask = 0xff,
		.writeMask = 0xff,
		.reference = reference,
	};
}

static void set_stencil(struct pipe *p, VkStencilOpState state)
{
	p->depth.stencilTestEnable = true;
	p->depth.front = state;
	p->depth.back = state;
}

/* A test that any format has. */
static struct image *stencil_image(void)
{
	const VkFormatFeatureFlags target = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
	VkFormatProperties f;

	vkGetPhysicalDeviceFormatProperties(vk.physical, VK_FORMAT_D24_UNORM_S8_UINT, &f);
	return depth_image(f.optimalTilingFeatures & target ?
			   VK_FORMAT_D24_UNORM_S8_UINT : VK_FORMAT_D32_SFLOAT_S8_UINT);
}

static void fill_stencil(uint32_t value, float x0, float x1)
{
	struct pipe p = plain_pipe();

	p.mask = 0xf;
	set_stencil(&p, stencil_state(VK_COMPARE_OP_ALWAYS, VK_STENCIL_OP_REPLACE, value));
	bind_pipe(&p);
	draw_rect(x0, -1, x1, 1, 0, 0, 0, 0, 0);
}

static void stencil_functions(void)
{
	struct pipe p = plain_pipe();
	float c[4];
	int i;

	begin_main(stencil_image());
	fill_stencil(5, -1, -0.3f);
	fill_stencil(9, -0.3f, 0.4f);
	fill_stencil(200, 0.4f, 1);
	for (i = 0; i < 8; i++) {
		set_stencil(&p, stencil_state(i, VK_STENCIL_OP_KEEP, 9));
		bind_pipe(&p);
		grid_cell(8 * i, 8, c);
		draw_gradient(-0.9f, c[1], 0.9f, c[3], 0);
	}
	end_pass();
	show_image(main_image());
}

/* Each row: another operation on three values; shown by eight tests for values. */
static void stencil_operations(void)
{
	static const uint8_t values[] = { 0, 5, 6, 4, 250, 255, 254, 77 };
	struct pipe p = plain_pipe();
	float c[4];
	int i;

	begin_main(stencil_image());
	fill_stencil(0, -1, -0.3f);
	fill_stencil(5, -0.3f, 0.4f);
	fill_stencil(255, 0.4f, 1);
	p.mask = 0xf;
	for (i = 0; i < 8; i++) {
		set_stencil(&p, stencil_state(VK_COMPARE_OP_ALWAYS, i, 77));
		bind_pipe(&p);
		grid_cell(8 * i, 8, c);
		draw_gradient(-0.9f, c[1], 0.9f, c[3], 0);
	}
	p.mask = 0;
	for (i = 0; i < 8; i++) {
		set_stencil(&p, stencil_state(VK_COMPARE_OP_EQUAL, VK_STENCIL_OP_KEEP, values[i]));
		bind_pipe(&p);
		draw_rect(-1, -1, 1, 1, 0, i / 8.0f, 1 - i / 8.0f, i & 1, 1);
	}
	end_pass();
	show_image(main_image());
}

static void stencil_two_sided(void)
{
	struct pipe p = plain_pipe();

	begin_main(stencil_image());
	fill_stencil(7, -1, 1);
	p.mask = 0xf;
	set_stencil(&p, stencil_state(VK_COMPARE_OP_ALWAYS, VK_STENCIL_OP_INCREMENT_AND_CLAMP, 0));
	p.depth.back.passOp = VK_STENCIL_OP_DECREMENT_AND_CLAMP;
	bind_pipe(&p);
	draw_rect(-0.8f, -0.8f, 0.3f, 0.3f, 0, 0, 0, 0, 0);
	draw_rect(0.8f, -0.3f, -0.3f, 0.8f, 0, 0, 0, 0, 0);
	p.mask = 0;
	set_stencil(&p, stencil_state(VK_COMPARE_OP_EQUAL, VK_STENCIL_OP_KEEP, 8));
	bind_pipe(&p);
	draw_rect(-1, -1, 1, 1, 0, 1, 0, 0, 1);
	set_stencil(&p, stencil_state(VK_COMPARE_OP_EQUAL, VK_STENCIL_OP_KEEP, 6));
	bind_pipe(&p);
	draw_rect(-1, -1, 1, 1, 0, 0, 1, 0, 1);
	end_pass();
	show_image(main_image());
}

/* Masks and the reference are dynamic. */
static void stencil_dynamic(void)
{
	static const VkDynamicState dynamic[] = {
		VK_DYNAMIC_STATE_STENCIL_REFERENCE, VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
		VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
	};
	struct pipe p = plain_pipe();

	begin_main(stencil_image());
	fill_stencil(0xa5, -1, 1);
	set_stencil(&p, stencil_state(VK_COMPARE_OP_EQUAL, VK_STENCIL_OP_INVERT, 1));
	p.depth.front.failOp = VK_STENCIL_OP_KEEP;
	p.depth.back.failOp = VK_STENCIL_OP_KEEP;
	p.dynamic = dynamic;
	p.num_dynamic = ARRAY_SIZE(dynamic);
	bind_pipe(&p);
	vkCmdSetStencilReference(vk.cmd, VK_STENCIL_FACE_FRONT_AND_BACK, 0x05);
	vkCmdSetStencilCompareMask(vk.cmd, VK_STENCIL_FACE_FRONT_AND_BACK, 0x0f);
	vkCmdSetStencilWriteMask(vk.cmd, VK_STENCIL_FACE_FRONT_AND_BACK, 0x01);
	draw_gradient(-0.8f, -0.8f, 0.2f, 0.2f, 0);
	/* fails where the bit was inverted */
	vkCmdSetStencilCompareMask(vk.cmd, VK_STENCIL_FACE_FRONT_AND_BACK, 0x01);
	draw_gradient(-0.2f, -0.2f, 0.8f, 0.8f, 0);
	end_pass();
	show_image(main_image());
}

static void stencil_depth_fail(void)
{
	struct pipe p = plain_pipe();

	begin_main(stencil_image());
	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	bind_pipe(&p);
	draw_rect(-1, -1, 0, 1, 0.3f, 0.3f, 0.3f, 0.3f, 1);
	set_stencil(&p, stencil_state(VK_COMPARE_OP_ALWAYS, VK_STENCIL_OP_REPLACE, 3));
	p.depth.front.depthFailOp = VK_STENCIL_OP_INVERT;
	p.depth.back.depthFailOp = VK_STENCIL_OP_INVERT;
	bind_pipe(&p);
	draw_gradient(-0.7f, -0.7f, 0.7f, 0.7f, 0.5f);
	p.depth.depthTestEnable = false;
	set_stencil(&p, stencil_state(VK_COMPARE_OP_EQUAL, VK_STENCIL_OP_KEEP, 0xff));
	bind_pipe(&p);
	draw_rect(-1, -0.5f, 1, 0.5f, 0, 1, 0, 0, 1);
	set_stencil(&p, stencil_state(VK_COMPARE_OP_EQUAL, VK_STENCIL_OP_KEEP, 3));
	bind_pipe(&p);
	draw_rect(-1, -0.25f, 1, 0.25f, 0, 0, 1, 0, 1);
	end_pass();
	show_image(main_image());
}

/* ---- blending ---- */

/* Cells over a gradient, of one state after the other. */
static void blend_cells(struct pipe *p, int i, int n)
{
	float c[4];

	p->blend.blendEnable = true;
	bind_pipe(p);
	grid_cell(i, n, c);
	draw_rect(c[0], c[1], c[2], c[3], 0, 0.75f, 0.4f, 0.2f, 0.6f);
}

static struct pipe begin_blend(void)
{
	struct pipe p = plain_pipe();

	begin_main(NULL);
	bind_pipe(&p);
	draw_gradient(-1, -1, 1, 1, 0);
	p.constant[0] = 0.25f;
	p.constant[1] = 0.5f;
	p.constant[2] = 0.9f;
	p.constant[3] = 0.3f;
	return p;
}

/* The last one of the source's factors is the saturated alpha. */
static void blend_source(void)
{
	struct pipe p = begin_blend();
	int i;

	for (i = 0; i <= VK_BLEND_FACTOR_SRC_ALPHA_SATURATE; i++) {
		p.blend.srcColorBlendFactor = i;
		p.blend.srcAlphaBlendFactor = i;
		blend_cells(&p, i, 4);
	}
	end_pass();
	show_image(main_image());
}

static void blend_destination(void)
{
	struct pipe p = begin_blend();
	int i;

	p.blend.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
	for (i = 0; i < VK_BLEND_FACTOR_SRC_ALPHA_SATURATE; i++) {
		p.blend.dstColorBlendFactor = i;
		p.blend.dstAlphaBlendFactor = i;
		blend_cells(&p, i, 4);
	}
	end_pass();
	show_image(main_image());
}

static void blend_operations(void)
{
	struct pipe p = begin_blend();
	int i;

	p.blend.srcColorBlendFactor = VK_BLEND_FACTOR_ONE;
	p.blend.dstColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
	p.blend.srcAlphaBlendFactor = VK_BLEND_FACTOR_DST_ALPHA;
	p.blend.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
	for (i = 0; i < 10; i++) {
		p.blend.colorBlendOp = i % 5;
		p.blend.alphaBlendOp = i < 5 ? i : (i + 2) % 5;
		blend_cells(&p, i, 4);
	}
	end_pass();
	show_image(main_image());
}

static void blend_constant(void)
{
	static const VkDynamicState dynamic[] = { VK_DYNAMIC_STATE_BLEND_CONSTANTS };
	struct pipe p = begin_blend();
	int i;

	p.blend.srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR;
	p.blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
	p.blend.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
	p.dynamic = dynamic;
	p.num_dynamic = 1;
	for (i = 0; i < 9; i++) {
		vkCmdSetBlendConstants(vk.cmd, (const float[4]){ i / 8.0f, 1 - i / 8.0f, 0.5f,
								i / 9.0f });
		blend_cells(&p, i, 3);
	}
	end_pass();
	show_image(main_image());
}

/* Overlapping triangles of one draw are blended in order. */
static void blend_order(void)
{
	struct vertex v[36];
	struct pipe p = plain_pipe();
	int i;

	for (i = 0; i < 36; i++) {
		float at = i / 3 / 12.0f;

		v[i] = (struct vertex){
			.pos = { -0.9f + at * 1.4f + (i % 3 == 1) * 0.8f,
				 -0.9f + at * 0.9f + (i % 3 == 2) * 1.2f, 0, 1 },
			.colour = { at, 1 - at, i / 3 & 1, 0.4f },
		};
	}
	begin_main(NULL);
	p.blend.blendEnable = true;
	p.blend.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
	p.blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
	bind_pipe(&p);
	draw_vertices(v, 36);
	end_pass();
	show_image(main_image());
}

static void blend_dual(void)
{
	struct pipe p = begin_blend();

	if (!vk.features.dualSrcBlend)
		scene_skip("dualSrcBlend");
	p.fs = "dual.frag";
	p.blend.srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR;
	p.blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
	blend_cells(&p, 0, 2);
	p.blend.srcColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR;
	p.blend.dstColorBlendFactor = VK_BLEND_FACTOR_SRC1_ALPHA;
	blend_cells(&p, 3, 2);
	end_pass();
	show_image(main_image());
}

static void colour_mask(void)
{
	struct pipe p = begin_blend();
	float c[4];
	int i;

	for (i = 0; i < 16; i++) {
		p.mask = i;
		bind_pipe(&p);
		grid_cell(i, 4, c);
		draw_rect(c[0], c[1], c[2], c[3], 0, 1, 0.6f, 0.8f, 0.5f);
	}
	end_pass();
	show_image(main_image());
}

static void logic_operations(void)
{
	struct pipe p = begin_blend();
	float c[4];
	int i;

	if (!vk.features.logicOp)
		scene_skip("logicOp");
	p.use_logic = true;
	for (i = 0; i < 16; i++) {
		p.logic = i;
		bind_pipe(&p);
		grid_cell(i, 4, c);
		draw_rect(c[0], c[1], c[2], c[3], 0, 0.8f, 0.4f, 0.6f, 0.2f);
	}
	end_pass();
	show_image(main_image());
}

/* The halves of the picture are the halves of two targets. */
static void two_targets(bool independent)
{
	struct image *t[2];
	struct pipe p = plain_pipe();
	int i;

	for (i = 0; i < 2; i++)
		t[i] = IMAGE(.format = FORMAT, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
							 VK_IMAGE_USAGE_SAMPLED_BIT);
	begin_pass(&(struct pass){ .colours = { t[0], t[1] }, .clear = true,
				   .colour.float32 = { 0.25f, 0.25f, 0, 1 } });
	p.fs = "two.frag";
	p.blend.blendEnable = independent;
	p.blend.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
	p.blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
	bind_pipe(&p);
	draw_gradient(-0.8f, -0.7f, 0.9f, 0.8f, 0);
	end_pass();
	for (i = 0; i < 2; i++)
		set_layout(t[i], VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	show_with("sum.frag", SET({
		.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .count = 2,
		.images = t, .sampler = SAMPLER(),
	}));
}

static void targets(void)
{
	two_targets(false);
}

static void targets_blended(void)
{
	two_targets(true);
}

/* ---- samples ---- */

#define SAMPLES		4

static struct image *sampled_target(void)
{
	return IMAGE(.format = FORMAT, .samples = SAMPLES,
		     .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
}

static struct image *resolved_target(void)
{
	return IMAGE(.format = FORMAT, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
						VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
}

static const struct vertex slanted[] = {
	{ { -0.9f, -0.9f, 0.1f, 1 }, { 1, 0, 0, 1 } },
	{ { 0.9f, -0.4f, 0.9f, 1 }, { 1, 0, 0, 1 } },
	{ { 0, 0.9f, 0.4f, 1 }, { 1, 1, 0, 1 } },
	{ { 0.9f, -0.7f, 0.2f, 1 }, { 0, 0, 1, 1 } },
	{ { -0.9f, 0.6f, 0.5f, 1 }, { 0, 1, 1, 1 } },
	{ { 0.7f, 0.9f, 0.7f, 1 }, { 0, 0, 1, 1 } },
};

static void draw_samples(struct pipe *p, struct image *depth, const struct vertex *v, uint32_t n)
{
	struct image *result = resolved_target();

	begin_pass(&(struct pass){ .colours = { sampled_target() }, .resolve = result,
				   .depth = depth, .clear = true, .z.depth = 1,
				   .colour.float32 = { 0, 0, 0, 1 } });
	p->samples = SAMPLES;
	bind_pipe(p);
	if (v)
		draw_vertices(v, n);
	else
		draw_gradient(-0.9f, -0.9f, 0.9f, 0.9f, 0);
	end_pass();
	show_image(result);
}

static void msaa(void)
{
	struct pipe p = plain_pipe();

	draw_samples(&p, NULL, slanted, ARRAY_SIZE(slanted));
}

static void msaa_depth(void)
{
	struct pipe p = plain_pipe();

	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	draw_samples(&p, IMAGE(.format = VK_FORMAT_D32_SFLOAT, .samples = SAMPLES,
			       .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT),
		     slanted, ARRAY_SIZE(slanted));
}

static void sample_mask(void)
{
	static const VkSampleMask mask = 0x5;
	struct pipe p = plain_pipe();

	p.sample_mask = &mask;
	draw_samples(&p, NULL, NULL, 0);
}

static void sample_mask_shader(void)
{
	struct pipe p = plain_pipe();

	p.fs = "sample_mask.frag";
	draw_samples(&p, NULL, NULL, 0);
}

/* Columns whose alpha is that of a number of samples. */
static void alpha_to_coverage(void)
{
	struct vertex v[30];
	struct pipe p = plain_pipe();
	int i;

	for (i = 0; i < 30; i++) {
		int column = i / 6, corner = i % 6 < 3 ? i % 6 : 6 - i % 6;

		v[i] = (struct vertex){
			.pos = { -1 + 0.375f * (column + (corner & 1)), corner & 2 ? 0.75f :
				-0.75f, 0, 1 },
			.colour = { 1, 0.5f, 0.25f * column, 0.25f * column },
		};
	}
	p.alpha_to_coverage = true;
	draw_samples(&p, NULL, v, 30);
}

static void sample_shading(void)
{
	struct pipe p = plain_pipe();

	if (!vk.features.sampleRateShading)
		scene_skip("sampleRateShading");
	p.fs = "sample_id.frag";
	p.sample_shading = true;
	draw_samples(&p, NULL, slanted, 3);
}

static void sample_fetch(void)
{
	struct image *target = sampled_target();
	struct pipe p = plain_pipe();

	p.samples = SAMPLES;
	begin_pass(&(struct pass){ .colours = { target }, .clear = true });
	bind_pipe(&p);
	draw_vertices(slanted, ARRAY_SIZE(slanted));
	end_pass();
	set_layout(target, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	show_with("samples.frag", SET(TEXTURE(target, SAMPLER())));
}

/* Another pass goes on with the samples. */
static void msaa_reload(void)
{
	struct image *target = sampled_target(), *result = resolved_target();
	struct pipe p = plain_pipe();

	p.samples = SAMPLES;
	begin_pass(&(struct pass){ .colours = { target }, .clear = true });
	bind_pipe(&p);
	draw_vertices(slanted, 3);
	end_pass();
	begin_pass(&(struct pass){ .colours = { target }, .resolve = result });
	bind_pipe(&p);
	draw_vertices(slanted + 3, 3);
	end_pass();
	show_image(result);
}

const struct scene output_scenes[] = {
	{ "depth_d32", depth_d32, "varying-slope" },
	{ "depth_d24", depth_d24, "varying-slope" },
	{ "depth_d16", depth_d16, "varying-slope" },
	{ "depth_d24s8", depth_d24s8, "varying-slope" },
	{ "depth_d32s8", depth_d32s8, "varying-slope" },
	{ "depth_mask", depth_mask, "varying-slope" },
	{ "depth_crossing", depth_crossing, "varying-slope snapping" },
	{ "depth_bounds", depth_bounds, "varying-slope" },
	{ "frag_depth", frag_depth, "varying-slope snapping" },
	{ "discard", discard_pixels, "varying-slope" },
	{ "early_tests", early_tests },
	{ "stencil_functions", stencil_functions, "varying-slope" },
	{ "stencil_operations", stencil_operations, "varying-slope" },
	{ "stencil_two_sided", stencil_two_sided },
	{ "stencil_dynamic", stencil_dynamic, "varying-slope" },
	{ "stencil_depth_fail", stencil_depth_fail, "varying-slope" },
	{ "blend_source", blend_source, "blend-unorm8" },
	{ "blend_destination", blend_destination, "blend-unorm8" },
	{ "blend_operations", blend_operations, "blend-unorm8" },
	{ "blend_constant", blend_constant, "blend-unorm8" },
	{ "blend_order", blend_order, "blend-unorm8 snapping" },
	{ "blend_dual", blend_dual, "blend-unorm8" },
	{ "colour_mask", colour_mask, "varying-slope" },
	{ "logic_operations", logic_operations, "varying-slope" },
	{ "targets", targets, "varying-slope" },
	{ "targets_blended", targets_blended, "varying-slope" },
	{ "msaa", msaa, "varying-slope snapping" },
	{ "msaa_depth", msaa_depth, "varying-slope snapping" },
	{ "msaa_reload", msaa_reload, "varying-slope snapping" },
	{ "sample_mask", sample_mask, "varying-slope" },
	{ "sample_mask_shader", sample_mask_shader, "varying-slope" },
	{ "alpha_to_coverage", alpha_to_coverage, "varying-slope" },
	{ "sample_shading", sample_shading, "varying-slope snapping" },
	{ "sample_fetch", sample_fetch, "varying-slope snapping" },
	{}
};
