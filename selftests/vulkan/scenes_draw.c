// SPDX-License-Identifier: GPL-2.0
/*
 * Primitives, vertices and what the rasterizer makes of them.
 */
#include <string.h>

#include "vk.h"

static const struct vertex triangle_v[] = {
	{ { -0.8f, -0.7f, 0, 1 }, { 1, 0, 0, 1 } },
	{ { 0.9f, -0.3f, 0, 1 }, { 0, 1, 0, 0.5f } },
	{ { -0.2f, 0.85f, 0, 1 }, { 0, 0, 1, 0 } },
};

/* Zigzag, from left to right. */
static const struct vertex strip_v[] = {
	{ { -0.9f, -0.6f, 0, 1 }, { 1, 0, 0, 1 } }, { { -0.7f, 0.7f, 0, 1 }, { 0, 1, 0, 1 } },
	{ { -0.3f, -0.8f, 0, 1 }, { 0, 0, 1, 1 } }, { { -0.1f, 0.5f, 0, 1 }, { 1, 1, 0, 1 } },
	{ { 0.3f, -0.5f, 0, 1 }, { 0, 1, 1, 1 } }, { { 0.5f, 0.8f, 0, 1 }, { 1, 0, 1, 1 } },
	{ { 0.9f, -0.7f, 0, 1 }, { 1, 1, 1, 1 } },
};

/* A centre and its surroundings. */
static const struct vertex fan_v[] = {
	{ { 0.1f, 0, 0, 1 }, { 1, 1, 1, 1 } }, { { 0.8f, 0.1f, 0, 1 }, { 1, 0, 0, 1 } },
	{ { 0.5f, 0.8f, 0, 1 }, { 0, 1, 0, 1 } }, { { -0.6f, 0.7f, 0, 1 }, { 0, 0, 1, 1 } },
	{ { -0.8f, -0.4f, 0, 1 }, { 1, 1, 0, 1 } }, { { 0.3f, -0.9f, 0, 1 }, { 0, 1, 1, 1 } },
};

static void draw_with(const struct pipe *p, const struct vertex *v, uint32_t n)
{
	begin_main(NULL);
	bind_pipe(p);
	draw_vertices(v, n);
	end_pass();
	show_image(main_image());
}

static void draw_topology(VkPrimitiveTopology topology, const struct vertex *v, uint32_t n)
{
	struct pipe p = plain_pipe();

	p.topology = topology;
	draw_with(&p, v, n);
}

static void triangle(void)
{
	draw_topology(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, triangle_v, ARRAY_SIZE(triangle_v));
}

static void strip(void)
{
	draw_topology(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, strip_v, ARRAY_SIZE(strip_v));
}

static void fan(void)
{
	draw_topology(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, fan_v, ARRAY_SIZE(fan_v));
}

static void lines(void)
{
	draw_topology(VK_PRIMITIVE_TOPOLOGY_LINE_LIST, strip_v, 6);
}

static void line_strip(void)
{
	draw_topology(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, strip_v, ARRAY_SIZE(strip_v));
}

static void points(void)
{
	draw_topology(VK_PRIMITIVE_TOPOLOGY_POINT_LIST, strip_v, ARRAY_SIZE(strip_v));
}

/* Sizes from 3 to 15, at centres of pixels. */
static void point_size(void)
{
	static const struct vertex v[] = {
		{ { -47 / 64.0f, -47 / 64.0f, 0, 1 }, { 0, 0, 0, 1 } },
		{ { 1 / 64.0f, -33 / 64.0f, 0, 1 }, { 0, 0, 0.5f, 1 } },
		{ { 33 / 64.0f, 33 / 64.0f, 0, 1 }, { 0, 0, 1, 1 } },
		{ { -31 / 64.0f, 17 / 64.0f, 0, 1 }, { 0, 0, 0.25f, 1 } },
		{ { 41 / 64.0f, -31 / 64.0f, 0, 1 }, { 0, 0, 0.75f, 1 } },
	};
	struct pipe p = plain_pipe();

	if (!vk.features.largePoints)
		scene_skip("largePoints");
	p.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
	p.vs = "points.vert";
	p.fs = "points.frag";
	draw_with(&p, v, ARRAY_SIZE(v));
}

/* Along the axes: the ends of others depend on the kind of lines. */
static void wide_lines(void)
{
	static const struct vertex v[] = {
		{ { -0.75f, -0.75f, 0, 1 }, { 1, 0, 0, 1 } },
		{ { 0.75f, -0.75f, 0, 1 }, { 0, 1, 0, 1 } },
		{ { -0.5f, -0.25f, 0, 1 }, { 0, 0, 1, 1 } },
		{ { -0.5f, 0.75f, 0, 1 }, { 1, 1, 0, 1 } },
		{ { 0.5f, 0.5f, 0, 1 }, { 0, 1, 1, 1 } }, { { 0, 0.5f, 0, 1 }, { 1, 0, 1, 1 } },
	};
	struct pipe p = plain_pipe();

	if (!vk.features.wideLines)
		scene_skip("wideLines");
	p.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
	p.raster.lineWidth = 4;
	draw_with(&p, v, ARRAY_SIZE(v));
}

static void perspective(void)
{
	static const struct vertex v[] = {
		{ { -0.9f, -0.9f, 0, 1 }, { 1, 0, 0, 1 } },
		{ { 3.6f, -3.2f, 0, 4 }, { 0, 1, 0, 0.5f } },
		{ { -0.4f, 1.7f, 0, 2 }, { 0, 0, 1, 0 } },
	};

	draw_topology(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, v, ARRAY_SIZE(v));
}

/* A corner is behind the eye, another beyond the far plane. */
static void clipped(void)
{
	static const struct vertex v[] = {
		{ { -0.5f, 0.2f, 0.1f, 1 }, { 1, 0, 0, 1 } },
		{ { 0.5f, 0.1f, 0.1f, 1 }, { 0, 1, 0, 1 } },
		{ { 0.1f, -0.3f, 0.1f, -0.4f }, { 0, 0, 1, 1 } },
		{ { -0.8f, 0.3f, 0.5f, 1 }, { 1, 1, 0, 1 } },
		{ { 0.8f, 0.4f, 0.5f, 1 }, { 0, 1, 1, 1 } },
		{ { 0, 0.9f, 1.8f, 1 }, { 1, 0, 1, 1 } },
	};

	draw_topology(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, v, ARRAY_SIZE(v));
}

static void clip_distance(void)
{
	struct pipe p = plain_pipe();

	if (!vk.features.shaderClipDistance)
		scene_skip("shaderClipDistance");
	p.vs = "clip_distance.vert";
	begin_main(NULL);
	bind_pipe(&p);
	draw_gradient(-0.9f, -0.9f, 0.9f, 0.9f, 0);
	end_pass();
	show_image(main_image());
}

static void draw_indices(const void *indices, size_t size, VkIndexType type, uint32_t n,
			 bool restart, int32_t base)
{
	struct buffer *b = make_buffer(size, indices);
	struct pipe p = plain_pipe();

	p.topology = restart ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP :
			       VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
	p.restart = restart;
	begin_main(NULL);
	bind_pipe(&p);
	bind_vertices(strip_v, sizeof(strip_v));
	/* not from the first index on */
	vkCmdBindIndexBuffer(vk.cmd, b->handle, size / n, type);
	vkCmdDrawIndexed(vk.cmd, n - 2, 1, 1, base, 0);
	end_pass();
	show_image(main_image());
}

static void index16(void)
{
	static const uint16_t indices[] = { 9, 9, 0, 1, 2, 4, 5, 3, 6, 5, 2 };

	draw_indices(indices, sizeof(indices), VK_INDEX_TYPE_UINT16, ARRAY_SIZE(indices), false, 0);
}

static void index32(void)
{
	static const uint32_t indices[] = { 9, 9, 0, 1, 2, 4, 5, 3, 6, 5, 2 };

	draw_indices(indices, sizeof(indices), VK_INDEX_TYPE_UINT32, ARRAY_SIZE(indices), false, 0);
}

static void base_vertex(void)
{
	static const uint16_t indices[] = { 9, 9, 0, 1, 2, 2, 1, 3 };

	draw_indices(indices, sizeof(indices), VK_INDEX_TYPE_UINT16, ARRAY_SIZE(indices), false, 2);
}

static void restart16(void)
{
	static const uint16_t indices[] = { 9, 9, 0, 1, 2, 0xffff, 3, 4, 5, 6 };

	draw_indices(indices, sizeof(indices), VK_INDEX_TYPE_UINT16, ARRAY_SIZE(indices), true, 0);
}

static void restart32(void)
{
	static const uint32_t indices[] = { 9, 9, 0, 1, 2, 0xffffffff, 3, 4, 5, 6 };

	draw_indices(indices, sizeof(indices), VK_INDEX_TYPE_UINT32, ARRAY_SIZE(indices), true, 0);
}

/* ---- attributes ---- */

#define INSTANCES	7

static void fill_places(float (*place)[4])
{
	int i;

	for (i = 0; i < INSTANCES; i++) {
		place[i][0] = -0.75f + 0.25f * i;
		place[i][1] = i & 1 ? 0.5f : -0.4f;
		place[i][2] = i / 8.0f;
		place[i][3] = 1 - i / 8.0f;
	}
}

/* Seven places, of which the first instance is the second; @step: one for so many of them. */
static void draw_instances(uint32_t step)
{
	const VkPipelineVertexInputDivisorStateCreateInfoEXT divisor = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
		.vertexBindingDivisorCount = 1,
		.pVertexBindingDivisors =
			&(VkVertexInputBindingDivisorDescriptionEXT){ 1, step },
	};
	const VkPipelineVertexInputStateCreateInfo inputs = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
		.pNext = step == 1 ? NULL : &divisor,
		.vertexBindingDescriptionCount = 2,
		.pVertexBindingDescriptions = (VkVertexInputBindingDescription[]){
			{ 0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX },
			{ 1, 16, VK_VERTEX_INPUT_RATE_INSTANCE },
		},
		.vertexAttributeDescriptionCount = 2,
		.pVertexAttributeDescriptions = (VkVertexInputAttributeDescription[]){
			{ 0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0 },
			{ 1, 1, VK_FORMAT_R32G32B32A32_SFLOAT, 0 },
		},
	};
	float place[INSTANCES][4];
	struct pipe p = plain_pipe();
	struct buffer *b;

	fill_places(place);
	b = make_buffer(sizeof(place), place);
	p.vs = "instances.vert";
	p.inputs = &inputs;
	begin_main(NULL);
	bind_pipe(&p);
	bind_vertices(triangle_v, sizeof(triangle_v));
	vkCmdBindVertexBuffers(vk.cmd, 1, 1, &b->handle, &(const VkDeviceSize){ 0 });
	if (step == 1)
		vkCmdDraw(vk.cmd, 3, INSTANCES - 1, 0, 1);
	else
		vkCmdDraw(vk.cmd, 3, INSTANCES, 0, 0);
	end_pass();
	show_image(main_image());
}

static void instances(void)
{
	draw_instances(1);
}

static void instance_divisor(void)
{
	if (!has_extension("VK_EXT_vertex_attribute_divisor"))
		scene_skip("VK_EXT_vertex_attribute_divisor");
	draw_instances(3);
}

struct packed {
	float pos[2];
	uint8_t unorm8[4];
	int16_t snorm16[4];
	uint16_t halves[2];
	uint8_t bytes[4];
	int16_t shorts[2];
	uint32_t rgb10a2;
	uint8_t bgra[4];
};

/* Two cells show numbers of vertices. */
static void vertex_formats(void)
{
	static const struct packed v[] = {
		{ { -1, -1 }, { 255, 0, 10, 255 }, { 32767, -32768, 0, 32767 }, { 0x3c00, 0 },
		  { 255, 0, 128, 255 }, { -40, 200 }, 0xc00003ff, { 255, 0, 0, 255 } },
		{ { 1, -1 }, { 0, 255, 20, 128 }, { -16384, 16384, 0, 32767 }, { 0x3800, 0x3c00 },
		  { 0, 255, 64, 128 }, { 100, -40 }, 0xc00ffc00, { 0, 255, 0, 255 } },
		{ { -1, 1 }, { 128, 128, 255, 0 }, { 0, 0, -32767, 0 }, { 0, 0x3400 },
		  { 10, 20, 255, 64 }, { 0, 0 }, 0x3ff00000, { 0, 0, 255, 128 } },
		{ { 1, 1 }, { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { 0x3c00, 0x3c00 },
		  { 1, 2, 3, 4 }, { 100, 100 }, 0xffffffff, { 9, 8, 7, 6 } },
	};
	static const VkVertexInputAttributeDescription attributes[] = {
		{ 0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct packed, pos) },
		{ 1, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(struct packed, unorm8) },
		{ 2, 0, VK_FORMAT_R16G16B16A16_SNORM, offsetof(struct packed, snorm16) },
		{ 3, 0, VK_FORMAT_R16G16_SFLOAT, offsetof(struct packed, halves) },
		{ 4, 0, VK_FORMAT_R8G8B8A8_UINT, offsetof(struct packed, bytes) },
		{ 5, 0, VK_FORMAT_R16G16_SINT, offsetof(struct packed, shorts) },
		{ 6, 0, VK_FORMAT_A2B10G10R10_UNORM_PACK32, offsetof(struct packed, rgb10a2) },
		{ 7, 0, VK_FORMAT_B8G8R8A8_UNORM, offsetof(struct packed, bgra) },
	};
	const VkPipelineVertexInputStateCreateInfo inputs = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
		.vertexBindingDescriptionCount = 1,
		.pVertexBindingDescriptions = &(VkVertexInputBindingDescription){
			0, sizeof(struct packed), VK_VERTEX_INPUT_RATE_VERTEX,
		},
		.vertexAttributeDescriptionCount = ARRAY_SIZE(attributes),
		.pVertexAttributeDescriptions = attributes,
	};
	struct pipe p = plain_pipe();

	p.vs = "formats.vert";
	p.inputs = &inputs;
	p.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
	begin_main(NULL);
	bind_pipe(&p);
	bind_vertices(v, sizeof(v));
	vkCmdDraw(vk.cmd, 4, 9, 0, 0);
	end_pass();
	show_image(main_image());
}

/* ---- varyings ---- */

/* The first vertex of each triangle counts. */
static void flat(void)
{
	struct pipe p = plain_pipe();

	p.vs = "flat.vert";
	p.fs = "flat.frag";
	p.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
	draw_with(&p, strip_v, ARRAY_SIZE(strip_v));
}

static void noperspective(void)
{
	static const struct vertex v[] = {
		{ { -0.9f, -0.9f, 0, 1 }, { 1, 0, 0, 1 } },
		{ { 2.7f, -2.4f, 0, 3 }, { 0, 1, 0, 0.5f } },
		{ { -0.4f, 1.7f, 0, 2 }, { 0, 0, 1, 0 } },
	};
	struct pipe p = plain_pipe();

	p.vs = "noperspective.vert";
	p.fs = "noperspective.frag";
	draw_with(&p, v, ARRAY_SIZE(v));
}

static void varying_block(void)
{
	struct pipe p = plain_pipe();

	p.vs = "blocks.vert";
	p.fs = "blocks.frag";
	draw_with(&p, triangle_v, ARRAY_SIZE(triangle_v));
}

static void draw_fragment(const char *fs, float z)
{
	struct pipe p = plain_pipe();

	p.fs = fs;
	begin_main(NULL);
	bind_pipe(&p);
	draw_gradient(-0.9f, -0.8f, 0.7f, 0.9f, z);
	end_pass();
	show_image(main_image());
}

static void frag_coord(void)
{
	draw_fragment("coord.frag", 0.375f);
}

static void derivatives(void)
{
	draw_fragment("derivatives.frag", 0);
}

/* ---- the rasterizer ---- */

/* Columns: what is culled; rows: which side is the front. */
static void culling(void)
{
	static const VkCullModeFlags modes[] = {
		VK_CULL_MODE_NONE, VK_CULL_MODE_FRONT_BIT, VK_CULL_MODE_BACK_BIT,
	};
	struct pipe p = plain_pipe();
	int i, k;

	p.fs = "facing.frag";
	begin_main(NULL);
	for (i = 0; i < 6; i++) {
		struct vertex v[6];
		float c[4];

		p.raster.cullMode = modes[i % 3];
		p.raster.frontFace = i / 3;
		bind_pipe(&p);
		grid_cell(i, 3, c);
		for (k = 0; k < 6; k++) {
			v[k] = (struct vertex){ .pos = { 0, 0, 0, 1 }, .colour = { 1, 0.25f, 0,
										  1 } };
			v[k].pos[0] = k % 3 == 1 ? c[2] : c[0];
			v[k].pos[1] = k % 3 == 2 ? c[3] : c[1];
		}
		/* a smaller one, of the other direction */
		v[3].pos[0] = c[2];
		v[3].pos[1] = c[3];
		v[4].pos[0] = c[2];
		v[4].pos[1] = (c[1] + c[3]) / 2;
		v[5].pos[0] = (c[0] + c[2]) / 2;
		v[5].pos[1] = c[3];
		if (i & 1) {
			struct vertex t = v[4];

			v[4] = v[5];
			v[5] = t;
		}
		draw_vertices(v, 6);
	}
	end_pass();
	show_image(main_image());
}

static void viewports(void)
{
	struct pipe p = plain_pipe();

	begin_main(NULL);
	bind_pipe(&p);
	set_viewport(3, 5, 20, 40);
	draw_gradient(-1, -1, 1, 1, 0);
	set_viewport(30.5f, 20.25f, 30, 41.5f);
	draw_vertices(triangle_v, 3);
	end_pass();
	show_image(main_image());
}

static void viewport_flipped(void)
{
	struct pipe p = plain_pipe();

	if (!has_extension("VK_KHR_maintenance1"))
		scene_skip("VK_KHR_maintenance1");
	begin_main(NULL);
	bind_pipe(&p);
	set_viewport(0, SIZE, SIZE, -SIZE);
	draw_vertices(triangle_v, 3);
	end_pass();
	show_image(main_image());
}

static void scissors(void)
{
	struct pipe p = plain_pipe();

	begin_main(NULL);
	bind_pipe(&p);
	set_scissor(3, 5, 17, 40);
	draw_gradient(-1, -1, 1, 1, 0);
	set_scissor(33, 21, 100, 22);
	draw_gradient(-1, -1, 1, 1, 0);
	end_pass();
	show_image(main_image());
}

static void scissor_empty(void)
{
	struct pipe p = plain_pipe();

	scene_skip_on("G31 G52 G71 G72", 0, 2500,
		      "empty scissor: panvk's rectangle has a pixel, as its last one is clamped");
	begin_main(NULL);
	bind_pipe(&p);
	set_scissor(50, 50, 0, 0);
	draw_gradient(-1, -1, 1, 1, 0);
	end_pass();
	show_image(main_image());
}

static void depth_bias(void)
{
	struct pipe p = plain_pipe();

	begin_main(depth_image(VK_FORMAT_D16_UNORM));
	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	bind_pipe(&p);
	draw_gradient(-0.8f, -0.8f, 0.8f, 0.8f, 0.5f);
	p.raster.depthBiasEnable = true;
	p.raster.depthBiasConstantFactor = -4;
	bind_pipe(&p);
	draw_rect(-0.6f, -0.6f, 0.1f, 0.3f, 0.5f, 1, 0, 0, 1);
	p.raster.depthBiasConstantFactor = 4;
	bind_pipe(&p);
	draw_rect(-0.2f, -0.2f, 0.9f, 0.9f, 0.5f, 0, 1, 0, 1);
	end_pass();
	show_image(main_image());
}

static void depth_clamp(void)
{
	struct pipe p = plain_pipe();

	if (!vk.features.depthClamp)
		scene_skip("depthClamp");
	begin_main(depth_image(VK_FORMAT_D32_SFLOAT));
	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	p.raster.depthClampEnable = true;
	bind_pipe(&p);
	draw_gradient(-0.8f, -0.8f, 0.4f, 0.4f, -0.5f);
	draw_rect(-0.4f, -0.4f, 0.8f, 0.8f, 0.5f, 1, 1, 1, 1);
	end_pass();
	show_image(main_image());
}

static void rasterizer_discard(void)
{
	struct pipe p = plain_pipe();

	begin_main(NULL);
	bind_pipe(&p);
	draw_gradient(-0.8f, -0.8f, 0.4f, 0.4f, 0);
	p.raster.rasterizerDiscardEnable = true;
	bind_pipe(&p);
	draw_rect(-0.4f, -0.4f, 0.8f, 0.8f, 0, 1, 1, 1, 1);
	end_pass();
	show_image(main_image());
}

const struct scene draw_scenes[] = {
	{ "triangle", triangle, "varying-slope snapping" },
	{ "strip", strip, "varying-slope snapping" },
	{ "fan", fan, "varying-slope snapping" },
	{ "lines", lines, "varying-slope snapping" },
	{ "line_strip", line_strip, "varying-slope snapping" },
	{ "wide_lines", wide_lines, "varying-slope snapping" },
	{ "points", points, "varying-slope snapping" },
	{ "point_size", point_size, "varying-slope snapping" },
	{ "perspective", perspective, "varying-slope snapping" },
	{ "clipped", clipped, "varying-slope snapping" },
	{ "clip_distance", clip_distance, "varying-slope snapping" },
	{ "index16", index16, "varying-slope snapping" },
	{ "index32", index32, "varying-slope snapping" },
	{ "base_vertex", base_vertex, "varying-slope snapping" },
	{ "restart16", restart16, "varying-slope snapping" },
	{ "restart32", restart32, "varying-slope snapping" },
	{ "instances", instances, "varying-slope snapping" },
	{ "instance_divisor", instance_divisor, "varying-slope snapping" },
	{ "vertex_formats", vertex_formats, "varying-slope snapping" },
	{ "flat", flat, "varying-slope snapping" },
	{ "noperspective", noperspective, "varying-slope snapping" },
	{ "varying_block", varying_block, "varying-slope snapping" },
	{ "frag_coord", frag_coord, "varying-slope snapping" },
	{ "derivatives", derivatives, "varying-slope*2 snapping" },
	{ "culling", culling, "varying-slope snapping" },
	{ "viewports", viewports, "varying-slope snapping" },
	{ "viewport_flipped", viewport_flipped, "varying-slope snapping" },
	{ "scissors", scissors, "varying-slope" },
	{ "scissor_empty", scissor_empty },
	{ "depth_bias", depth_bias, "varying-slope snapping" },
	{ "depth_clamp", depth_clamp, "varying-slope snapping" },
	{ "rasterizer_discard", rasterizer_discard, "varying-slope snapping" },
	{}
};
