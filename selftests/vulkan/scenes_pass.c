// SPDX-License-Identifier: GPL-2.0
/*
 * Passes and their targets, clears, indirect draws, queries, synchronization.
 */
#include <string.h>

#include "vk.h"

#define TARGET_USAGE	(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT)

/* Three passes on one target, with its depth. */
static void load_store(void)
{
	struct image *depth = depth_image(VK_FORMAT_D32_SFLOAT);
	struct pipe p = plain_pipe();
	int i;

	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	begin_main(depth);
	bind_pipe(&p);
	draw_gradient(-0.9f, -0.9f, 0.3f, 0.3f, 0.5f);
	end_pass();
	for (i = 0; i < 2; i++) {
		begin_pass(&(struct pass){ .colours = { main_image() }, .depth = depth });
		bind_pipe(&p);
		draw_rect(-0.5f + 0.4f * i, -0.5f, 0.5f + 0.4f * i, 0.8f, 0.7f - 0.4f * i, i, 1,
			  0.2f, 1);
		end_pass();
	}
	show_image(main_image());
}

/* A pass in a part of the target leaves the rest. */
static void render_area(void)
{
	struct pipe p = plain_pipe();

	begin_main(NULL);
	bind_pipe(&p);
	draw_gradient(-1, -1, 1, 1, 0);
	end_pass();
	vkCmdBeginRenderPass(vk.cmd, &(VkRenderPassBeginInfo){
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
		.renderPass = current_pass,
		.framebuffer = current_framebuffer,
		.renderArea = { { 19, 10 }, { 30, 41 } },
		.clearValueCount = 1,
		.pClearValues = &(VkClearValue){ .color.float32 = { 1, 0.5f, 0.25f, 1 } },
	}, VK_SUBPASS_CONTENTS_INLINE);
	set_scissor(19, 10, 30, 41);
	draw_rect(-0.2f, -0.2f, 0.3f, 0.3f, 0, 0, 0, 1, 1);
	end_pass();
	show_image(main_image());
}

/* A target that is then a texture. */
static void render_to_texture(void)
{
	struct image *t = IMAGE(.format = FORMAT, .width = 32, .usage = TARGET_USAGE);
	struct pipe p = plain_pipe();
	static const float scale[4] = { 1, 0.5f, 1, 1 };

	begin_pass(&(struct pass){ .colours = { t }, .clear = true, .colour.float32 = { 0, 1, 0,
										       1 } });
	bind_pipe(&p);
	draw_gradient(-0.7f, -0.5f, 0.8f, 0.9f, 0);
	end_pass();
	set_layout(t, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	p.fs = "scaled.frag";
	p.sets[0] = SET(TEXTURE(t, SAMPLER()));
	begin_main(NULL);
	bind_pipe(&p);
	push(scale, sizeof(scale));
	draw_gradient(-0.9f, -0.9f, 0.9f, 0.9f, 0);
	end_pass();
	show_image(main_image());
}

/* To each layer and level of one image in turn. */
static void render_to_levels(void)
{
	struct image *t = IMAGE(.format = FORMAT, .width = 32, .levels = 3, .layers = 2,
				.usage = TARGET_USAGE | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
	struct pipe p = plain_pipe();
	static const float scale[4] = { 1, 1, 1, 1 };
	float c[4];
	int i;

	for (i = 0; i < 6; i++) {
		struct image part = *t;

		part.info.width = 32 >> i / 2;
		part.info.height = part.info.width;
		part.view = make_view(t, VK_IMAGE_VIEW_TYPE_2D, FORMAT, NULL, i / 2, 1, i & 1, 1);
		begin_pass(&(struct pass){ .colours = { &part }, .clear = true,
					   .colour.float32 = { i / 6.0f, 1 - i / 6.0f, 0.5f, 1 } });
		t->layout = part.layout;
		p.sets[0] = NULL;
		p.fs = "colour.frag";
		bind_pipe(&p);
		draw_gradient(-0.5f, -0.5f, 0.5f, 0.5f, 0);
		end_pass();
	}
	set_layout(t, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	p.fs = "scaled.frag";
	begin_main(NULL);
	for (i = 0; i < 6; i++) {
		p.sets[0] = SET({
			.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .image = t,
			.view = make_view(t, VK_IMAGE_VIEW_TYPE_2D, FORMAT, NULL, i / 2, 1, i & 1,
					  1),
			.sampler = SAMPLER(),
		});
		bind_pipe(&p);
		push(scale, sizeof(scale));
		grid_cell(i, 3, c);
		draw_gradient(c[0], c[1], c[2], c[3], 0);
	}
	end_pass();
	show_image(main_image());
}

/* The second subpass reads what the first one has drawn. */
static void input_attachment(void)
{
	struct image *first = IMAGE(.format = FORMAT, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
							       VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
	struct image *last = IMAGE(.format = FORMAT, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
							      VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
	const VkAttachmentReference colour = { 0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
	const VkAttachmentReference input = { 0, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL };
	const VkAttachmentReference output = { 1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
	const VkAttachmentDescription attachments[] = {
		{ .format = FORMAT, .samples = 1, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
		  .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
		  .finalLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL },
		{ .format = FORMAT, .samples = 1, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
		  .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
		  .finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL },
	};
	const VkSubpassDescription subpasses[] = {
		{ .colorAttachmentCount = 1, .pColorAttachments = &colour },
		{ .inputAttachmentCount = 1, .pInputAttachments = &input,
		  .colorAttachmentCount = 1, .pColorAttachments = &output },
	};
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	struct pipe p = plain_pipe();

	MUST(vkCreateRenderPass(vk.device, &(VkRenderPassCreateInfo){
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
		.attachmentCount = 2,
		.pAttachments = attachments,
		.subpassCount = 2,
		.pSubpasses = subpasses,
		.dependencyCount = 1,
		.pDependencies = &(VkSubpassDependency){
			0, 1, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
			VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
			VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
			VK_DEPENDENCY_BY_REGION_BIT,
		},
	}, NULL, &pass));
	MUST(vkCreateFramebuffer(vk.device, &(VkFramebufferCreateInfo){
		.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
		.renderPass = pass,
		.attachmentCount = 2,
		.pAttachments = (VkImageView[]){ first->view, last->view },
		.width = SIZE,
		.height = SIZE,
		.layers = 1,
	}, NULL, &framebuffer));
	vkCmdBeginRenderPass(vk.cmd, &(VkRenderPassBeginInfo){
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
		.renderPass = pass,
		.framebuffer = framebuffer,
		.renderArea.extent = { SIZE, SIZE },
		.clearValueCount = 2,
		.pClearValues = (VkClearValue[]){
			{ .color.float32 = { 0.2f, 0.4f, 0.6f, 1 } },
			{ .color.float32 = { 0, 0, 0, 1 } },
		},
	}, VK_SUBPASS_CONTENTS_INLINE);
	set_viewport(0, 0, SIZE, SIZE);
	set_scissor(0, 0, SIZE, SIZE);
	current_pass = pass;
	current_colours = 1;
	current_subpass = 0;
	bind_pipe(&p);
	draw_gradient(-0.8f, -0.6f, 0.5f, 0.7f, 0);
	vkCmdNextSubpass(vk.cmd, VK_SUBPASS_CONTENTS_INLINE);
	current_subpass = 1;
	p.fs = "input.frag";
	p.sets[0] = SET({ .type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, .image = first });
	bind_pipe(&p);
	draw_gradient(-0.9f, -0.9f, 0.9f, 0.9f, 0);
	end_pass();
	last->layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
	show_image(last);
	flush();
	vkDestroyFramebuffer(vk.device, framebuffer, NULL);
	vkDestroyRenderPass(vk.device, pass, NULL);
}

/* No pass and no framebuffer; in @parts, of which the second one goes on with the first one. */
static void draw_rendering(int parts)
{
	struct image *t = IMAGE(.format = FORMAT, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
							   VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
	PFN_vkCmdBeginRendering begin =
		(void *)extension_call("VK_KHR_dynamic_rendering", "vkCmdBeginRenderingKHR");
	PFN_vkCmdEndRendering end =
		(void *)extension_call("VK_KHR_dynamic_rendering", "vkCmdEndRenderingKHR");
	struct pipe p = plain_pipe();
	int i;

	set_layout(t, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
	current_pass = VK_NULL_HANDLE;
	current_colours = 1;
	current_subpass = 0;
	for (i = 0; i < parts; i++) {
		begin(vk.cmd, &(VkRenderingInfo){
			.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
			.flags = (i ? VK_RENDERING_RESUMING_BIT : 0) |
				 (i < parts - 1 ? VK_RENDERING_SUSPENDING_BIT : 0),
			.renderArea.extent = { SIZE, SIZE },
			.layerCount = 1,
			.colorAttachmentCount = 1,
			.pColorAttachments = &(VkRenderingAttachmentInfo){
				.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
				.imageView = t->view,
				.imageLayout = t->layout,
				.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
				.storeOp = VK_ATTACHMENT_STORE_OP_STORE,
				.clearValue.color.float32 = { 0.5f, 0, 0.25f, 1 },
			},
		});
		set_viewport(0, 0, SIZE, SIZE);
		set_scissor(0, 0, SIZE, SIZE);
		bind_pipe(&p);
		draw_gradient(-0.8f + 0.5f * i, -0.6f, 0.2f + 0.5f * i, 0.7f - 0.4f * i, 0);
		end(vk.cmd);
	}
	show_image(t);
}

static void dynamic_rendering(void)
{
	draw_rendering(1);
}

static void rendering_resumed(void)
{
	scene_skip_on("G31 G52 G71 G72", 0, 2500,
		      "resumed rendering: panvk looks at the flags of the part before, and clears again");
	draw_rendering(2);
}

/* Two buffers of commands, executed in a pass. */
static void secondary(void)
{
	struct image *t = IMAGE(.format = FORMAT, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
							   VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
	VkCommandBuffer primary = vk.cmd, parts[2];
	struct pipe p = plain_pipe();
	int i;

	begin_pass(&(struct pass){ .colours = { t }, .clear = true, .secondary = true,
				   .colour.float32 = { 0, 0.3f, 0, 1 } });
	for (i = 0; i < 2; i++) {
		parts[i] = make_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
		MUST(vkBeginCommandBuffer(parts[i], &(VkCommandBufferBeginInfo){
			.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
			.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
			.pInheritanceInfo = &(VkCommandBufferInheritanceInfo){
				.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
				.renderPass = current_pass,
				.framebuffer = current_framebuffer,
			},
		}));
		vk.cmd = parts[i];
		set_viewport(0, 0, SIZE, SIZE);
		set_scissor(0, 0, SIZE, SIZE);
		bind_pipe(&p);
		draw_gradient(-0.9f + 0.6f * i, -0.9f + 0.6f * i, 0.2f + 0.6f * i, 0.1f +
			      0.7f * i, 0);
		MUST(vkEndCommandBuffer(parts[i]));
	}
	vk.cmd = primary;
	vkCmdExecuteCommands(vk.cmd, 2, parts);
	end_pass();
	show_image(t);
}

/* ---- clears ---- */

static void clear_attachments(void)
{
	struct pipe p = plain_pipe();
	const VkClearAttachment colour = {
		VK_IMAGE_ASPECT_COLOR_BIT, 0, { .color.float32 = { 0.25f, 0.5f, 0.75f, 0.5f } },
	};
	const VkClearAttachment depth = {
		VK_IMAGE_ASPECT_DEPTH_BIT, 0, { .depthStencil.depth = 0.3f },
	};
	const VkClearRect rects[] = {
		{ { { 5, 7 }, { 21, 30 } }, 0, 1 }, { { { 40, 33 }, { 19, 5 } }, 0, 1 },
	};

	begin_main(depth_image(VK_FORMAT_D32_SFLOAT));
	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	bind_pipe(&p);
	draw_gradient(-0.9f, -0.9f, 0.5f, 0.5f, 0.8f);
	vkCmdClearAttachments(vk.cmd, 1, &colour, 2, rects);
	vkCmdClearAttachments(vk.cmd, 1, &depth, 1,
			      &(VkClearRect){ { { 20, 20 }, { 30, 30 } }, 0, 1 });
	bind_pipe(&p);
	draw_rect(-0.7f, -0.1f, 0.95f, 0.95f, 0.5f, 1, 0, 0, 1);
	end_pass();
	show_image(main_image());
}

static void clear_colour_image(void)
{
	struct image *t = IMAGE(.format = FORMAT, .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
							   VK_IMAGE_USAGE_TRANSFER_DST_BIT);

	set_layout(t, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdClearColorImage(vk.cmd, t->handle, t->layout,
			     &(VkClearColorValue){ .float32 = { 0.1f, 0.9f, 0.4f, 0.7f } }, 1,
			     &(VkImageSubresourceRange){ VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 });
	show_image(t);
}

static void clear_depth_image(void)
{
	struct image *depth;
	struct pipe p = plain_pipe();

	need_format(VK_FORMAT_D32_SFLOAT, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
	depth = IMAGE(.format = VK_FORMAT_D32_SFLOAT,
		      .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
			       VK_IMAGE_USAGE_TRANSFER_DST_BIT);
	begin_main(NULL);
	end_pass();
	set_layout(depth, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdClearDepthStencilImage(vk.cmd, depth->handle, depth->layout,
				    &(VkClearDepthStencilValue){ 0.4f, 0 }, 1,
				    &(VkImageSubresourceRange){ VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1,
							       0, 1 });
	begin_pass(&(struct pass){ .colours = { main_image() }, .depth = depth });
	p.depth.depthTestEnable = true;
	bind_pipe(&p);
	draw_gradient(-0.9f, -0.9f, 0.2f, 0.2f, 0.39f);
	draw_rect(-0.2f, -0.2f, 0.9f, 0.9f, 0.41f, 1, 0, 0, 1);
	end_pass();
	show_image(main_image());
}

/* ---- formats of targets ---- */

/* Two overlapping draws with a program, the second blended, shown by another one. */
static void draw_target(VkFormat format, const char *fs, const char *show, bool blend)
{
	struct image *t;
	struct pipe p = plain_pipe();

	need_format(format, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT |
			    VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
			    (blend ? VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT : 0));
	t = IMAGE(.format = format, .usage = TARGET_USAGE);
	begin_pass(&(struct pass){ .colours = { t }, .clear = true,
				   .colour.uint32 = { blend ? 0x3e800000 : 9, blend ? 0x3f000000 :
						     2, 0, 0 } });
	p.fs = fs;
	bind_pipe(&p);
	draw_gradient(-0.9f, -0.8f, 0.4f, 0.5f, 0);
	p.blend.blendEnable = blend;
	p.blend.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
	p.blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
	p.blend.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
	bind_pipe(&p);
	draw_gradient(-0.3f, -0.5f, 0.9f, 0.8f, 0);
	end_pass();
	set_layout(t, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	show_with(show, SET(TEXTURE(t, SAMPLER())));
}

#define TARGET(name, format)						\
static void target_##name(void)						\
{									\
	draw_target(format, "colour.frag", "fetch_all.frag", true);	\
}

TARGET(r8, VK_FORMAT_R8_UNORM)
TARGET(rg8, VK_FORMAT_R8G8_UNORM)
TARGET(bgra8, VK_FORMAT_B8G8R8A8_UNORM)
TARGET(srgb8, VK_FORMAT_R8G8B8A8_SRGB)
TARGET(rgb565, VK_FORMAT_R5G6B5_UNORM_PACK16)
TARGET(rgb10a2, VK_FORMAT_A2B10G10R10_UNORM_PACK32)

static void target_rgba16f(void)
{
	draw_target(VK_FORMAT_R16G16B16A16_SFLOAT, "wide.frag", "fetch_all.frag", true);
}

static void target_rgba32f(void)
{
	draw_target(VK_FORMAT_R32G32B32A32_SFLOAT, "wide.frag", "fetch_all.frag", false);
}

static void target_r32ui(void)
{
	draw_target(VK_FORMAT_R32_UINT, "unsigned.frag", "show_unsigned.frag", false);
}

static void target_rgba16ui(void)
{
	draw_target(VK_FORMAT_R16G16B16A16_UINT, "unsigned.frag", "show_unsigned.frag", false);
}

static void target_rgba8i(void)
{
	draw_target(VK_FORMAT_R8G8B8A8_SINT, "signed.frag", "show_signed.frag", false);
}

/* ---- indirect draws ---- */

static void skip_stub(void)
{
	scene_skip_on("G31 G52 G71 G72", 0, 2500, "indirect draws: a stub in panvk");
}

/* Two draws of which the second has three instances. */
static void draw_indirect(void)
{
	static const struct {
		VkDrawIndirectCommand draw;
		uint32_t other;
	} draws[] = { { { 3, 1, 1, 0 }, 77 }, { { 4, 3, 3, 0 }, 77 } };
	static const struct vertex v[] = {
		{ {}, {} },
		{ { -0.8f, -0.8f, 0, 1 }, { 1, 0, 0, 1 } },
		{ { 0.1f, -0.7f, 0, 1 }, { 0, 1, 0, 1 } },
		{ { -0.5f, 0.1f, 0, 1 }, { 0, 0, 1, 1 } }, { { 0.8f, 0.2f, 0, 1 }, { 1, 1, 0, 1 } },
		{ { 0.2f, 0.9f, 0, 1 }, { 0, 1, 1, 1 } }, { { 0.9f, 0.9f, 0, 1 }, { 1, 0, 1, 1 } },
	};
	struct buffer *b = make_buffer(sizeof(draws), draws);
	struct pipe p = plain_pipe();
	int i;

	skip_stub();
	p.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
	begin_main(NULL);
	bind_pipe(&p);
	bind_vertices(v, sizeof(v));
	for (i = 0; i < 2; i++)
		vkCmdDrawIndirect(vk.cmd, b->handle, i * sizeof(draws[0]), 1, 0);
	end_pass();
	show_image(main_image());
}

static void draw_indexed_indirect(void)
{
	static const VkDrawIndexedIndirectCommand draws[] = {
		{ 3, 1, 0, 1, 0 }, { 3, 2, 3, 0, 0 },
	};
	static const uint16_t indices[] = { 0, 1, 2, 3, 4, 5 };
	static const struct vertex v[] = {
		{ {}, {} },
		{ { -0.8f, -0.8f, 0, 1 }, { 1, 0, 0, 1 } },
		{ { 0.1f, -0.7f, 0, 1 }, { 0, 1, 0, 1 } },
		{ { -0.5f, 0.1f, 0, 1 }, { 0, 0, 1, 1 } }, { { 0.8f, 0.2f, 0, 1 }, { 1, 1, 0, 1 } },
		{ { 0.2f, 0.9f, 0, 1 }, { 0, 1, 1, 1 } },
	};
	struct buffer *b = make_buffer(sizeof(draws), draws);
	struct buffer *index = make_buffer(sizeof(indices), indices);
	struct pipe p = plain_pipe();
	int i;

	skip_stub();
	begin_main(NULL);
	bind_pipe(&p);
	bind_vertices(v, sizeof(v));
	vkCmdBindIndexBuffer(vk.cmd, index->handle, 0, VK_INDEX_TYPE_UINT16);
	for (i = 0; i < 2; i++)
		vkCmdDrawIndexedIndirect(vk.cmd, b->handle, i * sizeof(draws[0]), 1, 0);
	end_pass();
	show_image(main_image());
}

static void multi_draw_indirect(void)
{
	static const VkDrawIndirectCommand draws[] = {
		{ 3, 1, 0, 0 }, { 0, 1, 0, 0 }, { 3, 1, 3, 0 },
	};
	static const struct vertex v[] = {
		{ { -0.8f, -0.8f, 0, 1 }, { 1, 0, 0, 1 } },
		{ { 0.1f, -0.7f, 0, 1 }, { 0, 1, 0, 1 } },
		{ { -0.5f, 0.1f, 0, 1 }, { 0, 0, 1, 1 } }, { { 0.8f, 0.2f, 0, 1 }, { 1, 1, 0, 1 } },
		{ { 0.2f, 0.9f, 0, 1 }, { 0, 1, 1, 1 } }, { { -0.4f, 0.6f, 0, 1 }, { 1, 1, 1, 1 } },
	};
	struct buffer *b = make_buffer(sizeof(draws), draws);
	struct pipe p = plain_pipe();

	if (!vk.features.multiDrawIndirect)
		scene_skip("multiDrawIndirect");
	begin_main(NULL);
	bind_pipe(&p);
	bind_vertices(v, sizeof(v));
	vkCmdDrawIndirect(vk.cmd, b->handle, 0, 3, sizeof(draws[0]));
	end_pass();
	show_image(main_image());
}

/* A computation writes the parameters. */
static void draw_indirect_written(void)
{
	static const struct vertex v[] = {
		{ {}, {} },
		{ { -0.8f, -0.8f, 0, 1 }, { 1, 0, 0, 1 } },
		{ { 0.1f, -0.7f, 0, 1 }, { 0, 1, 0, 1 } },
		{ { -0.5f, 0.1f, 0, 1 }, { 0, 0, 1, 1 } }, { { 0.8f, 0.2f, 0, 1 }, { 1, 1, 0, 1 } },
		{ { 0.2f, 0.9f, 0, 1 }, { 0, 1, 1, 1 } }, { { -0.4f, 0.6f, 0, 1 }, { 1, 1, 1, 1 } },
	};
	struct buffer *b = make_buffer(16, NULL);
	struct pipe p = plain_pipe();

	skip_stub();
	COMPUTE("args.comp", SET(STORAGE(b)));
	vkCmdDispatch(vk.cmd, 1, 1, 1);
	full_barrier();
	begin_main(NULL);
	bind_pipe(&p);
	bind_vertices(v, sizeof(v));
	vkCmdDrawIndirect(vk.cmd, b->handle, 0, 1, 0);
	end_pass();
	show_image(main_image());
}

/* ---- queries ---- */

static VkQueryPool make_queries(VkQueryType type, uint32_t n)
{
	VkQueryPool pool;

	MUST(vkCreateQueryPool(vk.device, &(VkQueryPoolCreateInfo){
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = type,
		.queryCount = n,
	}, NULL, &pool));
	vkCmdResetQueryPool(vk.cmd, pool, 0, n);
	return pool;
}

/*
 * Samples that pass: of a hidden rectangle, of one that is seen, of none and of parts. @split: the
 * pass before that draws what hides, else the same one.
 */
static void occlusion(VkQueryControlFlags flags, bool copied, bool split)
{
	struct image *depth = depth_image(VK_FORMAT_D32_SFLOAT);
	struct buffer *b = make_buffer(4 * 8, NULL);
	struct pipe p = plain_pipe();
	VkQueryPool queries;
	uint32_t *words = b->map;
	int i;

	if (flags && !vk.features.occlusionQueryPrecise)
		scene_skip("occlusionQueryPrecise");
	queries = make_queries(VK_QUERY_TYPE_OCCLUSION, 4);
	begin_main(depth);
	p.depth.depthTestEnable = true;
	p.depth.depthWriteEnable = true;
	bind_pipe(&p);
	draw_rect(-1, -1, 0, 1, 0.5f, 1, 1, 1, 1);
	if (split) {
		end_pass();
		begin_pass(&(struct pass){ .colours = { main_image() }, .depth = depth });
		bind_pipe(&p);
	}
	for (i = 0; i < 4; i++) {
		vkCmdBeginQuery(vk.cmd, queries, i, flags);
		if (i != 2)
			draw_rect(-0.75f + 0.5f * i, -0.5f, -0.25f + 0.5f * i, 0.5f, 0.6f, 1, 0,
				  0, 1);
		vkCmdEndQuery(vk.cmd, queries, i);
	}
	end_pass();
	if (copied)
		vkCmdCopyQueryPoolResults(vk.cmd, queries, 0, 4, b->handle, 0, 8,
					  VK_QUERY_RESULT_WAIT_BIT |
						VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
	flush();
	if (!copied)
		MUST(vkGetQueryPoolResults(vk.device, queries, 0, 4, 32, words, 8,
					   VK_QUERY_RESULT_WAIT_BIT |
					   VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
	for (i = 0; i < 4; i++) {
		/* any number that is not 0 */
		if (!flags)
			words[2 * i] = !!words[2 * i];
		words[2 * i + 1] = !!words[2 * i + 1];
	}
	show_buffer(b, 8);
	vkDestroyQueryPool(vk.device, queries, NULL);
}

static void occlusion_boolean(void)
{
	occlusion(0, false, true);
}

static void occlusion_count(void)
{
	occlusion(VK_QUERY_CONTROL_PRECISE_BIT, false, true);
}

static void occlusion_whole(void)
{
	scene_skip_on("G31 G52 G71 G72", 0, 2500,
		      "queries in a pass that clears: panvk begins a new batch at the end of each, which clears again");
	occlusion(VK_QUERY_CONTROL_PRECISE_BIT, false, false);
}

static void occlusion_copied(void)
{
	occlusion(0, true, true);
}

/* The second one is not earlier. */
static void timestamps(void)
{
	struct buffer *b = make_buffer(4, NULL);
	VkQueueFamilyProperties family;
	uint64_t times[2];
	VkQueryPool queries;
	uint32_t n = 1;

	vkGetPhysicalDeviceQueueFamilyProperties(vk.physical, &n, &family);
	if (!family.timestampValidBits)
		scene_skip("timestamps");
	queries = make_queries(VK_QUERY_TYPE_TIMESTAMP, 2);
	vkCmdWriteTimestamp(vk.cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
	begin_main(NULL);
	end_pass();
	vkCmdWriteTimestamp(vk.cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
	flush();
	MUST(vkGetQueryPoolResults(vk.device, queries, 0, 2, sizeof(times), times, 8,
				   VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_64_BIT));
	*(uint32_t *)b->map = times[0] && times[1] >= times[0];
	show_buffer(b, 1);
	vkDestroyQueryPool(vk.device, queries, NULL);
}

/* ---- synchronization ---- */

static VkSemaphore make_semaphore(bool timeline)
{
	VkSemaphore semaphore;

	MUST(vkCreateSemaphore(vk.device, &(VkSemaphoreCreateInfo){
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = !timeline ? NULL : &(VkSemaphoreTypeCreateInfo){
			.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
			.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
		},
	}, NULL, &semaphore));
	return semaphore;
}

/* Commands that write a word to a buffer. */
static VkCommandBuffer fill_commands(struct buffer *b, uint32_t at, uint32_t word)
{
	VkCommandBuffer cmd = make_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	MUST(vkBeginCommandBuffer(cmd, &(VkCommandBufferBeginInfo){
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	}));
	if (at)
		vkCmdCopyBuffer(cmd, b->handle, b->handle, 1, &(VkBufferCopy){ 0, 4 * at, 4 });
	vkCmdFillBuffer(cmd, b->handle, 0, 4, word);
	MUST(vkEndCommandBuffer(cmd));
	return cmd;
}

/* Each submission copies the word that the one before has written. */
static void semaphores(void)
{
	struct buffer *b = make_buffer(4 * 8, NULL);
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	VkSemaphore s[4];
	int i;

	for (i = 0; i < 4; i++) {
		VkCommandBuffer cmd = fill_commands(b, i, 100 + i);

		s[i] = make_semaphore(false);
		MUST(vkQueueSubmit(vk.queue, 1, &(VkSubmitInfo){
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.waitSemaphoreCount = !!i,
			.pWaitSemaphores = i ? &s[i - 1] : NULL,
			.pWaitDstStageMask = &stage,
			.commandBufferCount = 1,
			.pCommandBuffers = &cmd,
			.signalSemaphoreCount = i < 3,
			.pSignalSemaphores = &s[i],
		}, VK_NULL_HANDLE));
	}
	MUST(vkQueueWaitIdle(vk.queue));
	show_buffer(b, 8);
	for (i = 0; i < 4; i++)
		vkDestroySemaphore(vk.device, s[i], NULL);
}

static void timeline_semaphore(void)
{
	PFN_vkWaitSemaphores wait = (void *)extension_call("VK_KHR_timeline_semaphore",
							   "vkWaitSemaphoresKHR");
	PFN_vkGetSemaphoreCounterValue value =
		(void *)extension_call("VK_KHR_timeline_semaphore",
				       "vkGetSemaphoreCounterValueKHR");
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	struct buffer *b = make_buffer(4 * 8, NULL);
	VkSemaphore s = make_semaphore(true);
	uint64_t point = 0;
	int i;

	for (i = 0; i < 3; i++) {
		VkCommandBuffer cmd = fill_commands(b, i, 200 + i);
		const uint64_t from = 10 * i, to = 10 * i + 10;

		MUST(vkQueueSubmit(vk.queue, 1, &(VkSubmitInfo){
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.pNext = &(VkTimelineSemaphoreSubmitInfo){
				.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
				.waitSemaphoreValueCount = 1,
				.pWaitSemaphoreValues = &from,
				.signalSemaphoreValueCount = 1,
				.pSignalSemaphoreValues = &to,
			},
			.waitSemaphoreCount = 1,
			.pWaitSemaphores = &s,
			.pWaitDstStageMask = &stage,
			.commandBufferCount = 1,
			.pCommandBuffers = &cmd,
			.signalSemaphoreCount = 1,
			.pSignalSemaphores = &s,
		}, VK_NULL_HANDLE));
	}
	MUST(wait(vk.device, &(VkSemaphoreWaitInfo){
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
		.semaphoreCount = 1,
		.pSemaphores = &s,
		.pValues = &(uint64_t){ 30 },
	}, 10000000000ULL));
	MUST(value(vk.device, s, &point));
	((uint32_t *)b->map)[7] = point;
	show_buffer(b, 8);
	MUST(vkQueueWaitIdle(vk.queue));
	vkDestroySemaphore(vk.device, s, NULL);
}

static void events(void)
{
	struct buffer *b = make_buffer(4 * 4, NULL);
	VkEvent event;

	MUST(vkCreateEvent(vk.device, &(VkEventCreateInfo){
		.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO,
	}, NULL, &event));
	vkCmdFillBuffer(vk.cmd, b->handle, 0, 4, 5);
	vkCmdSetEvent(vk.cmd, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
	vkCmdWaitEvents(vk.cmd, 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT,
			VK_PIPELINE_STAGE_TRANSFER_BIT, 1, &(VkMemoryBarrier){
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
	}, 0, NULL, 0, NULL);
	vkCmdCopyBuffer(vk.cmd, b->handle, b->handle, 1, &(VkBufferCopy){ 0, 8, 4 });
	flush();
	((uint32_t *)b->map)[1] = vkGetEventStatus(vk.device, event) == VK_EVENT_SET;
	show_buffer(b, 4);
	vkDestroyEvent(vk.device, event, NULL);
}

/* Commands that are submitted twice, with another vertex buffer the second time. */
static void resubmitted(void)
{
	struct buffer *b = make_buffer(4 * 64, NULL), *copy = make_buffer(4 * 64, NULL);
	VkCommandBuffer cmd = make_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	uint32_t *words = b->map;
	int i;

	MUST(vkBeginCommandBuffer(cmd, &(VkCommandBufferBeginInfo){
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	}));
	vkCmdCopyBuffer(cmd, b->handle, copy->handle, 1, &(VkBufferCopy){ 0, 0, 4 * 64 });
	MUST(vkEndCommandBuffer(cmd));
	for (i = 0; i < 2; i++) {
		words[i] = i + 1;
		MUST(vkQueueSubmit(vk.queue, 1, &(VkSubmitInfo){
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.commandBufferCount = 1,
			.pCommandBuffers = &cmd,
		}, VK_NULL_HANDLE));
		MUST(vkQueueWaitIdle(vk.queue));
	}
	show_buffer(copy, 64);
}

const struct scene pass_scenes[] = {
	{ "load_store", load_store, "varying-slope" },
	{ "render_area", render_area, "varying-slope" },
	{ "render_to_texture", render_to_texture, "varying-slope" },
	{ "render_to_levels", render_to_levels, "varying-slope snapping" },
	{ "input_attachment", input_attachment, "varying-slope" },
	{ "dynamic_rendering", dynamic_rendering, "varying-slope" },
	{ "rendering_resumed", rendering_resumed, "varying-slope" },
	{ "secondary", secondary, "varying-slope" },
	{ "clear_attachments", clear_attachments, "varying-slope" },
	{ "clear_colour_image", clear_colour_image, "varying-slope" },
	{ "clear_depth_image", clear_depth_image, "varying-slope" },
	{ "target_r8", target_r8, "varying-slope" },
	{ "target_rg8", target_rg8, "varying-slope" },
	{ "target_bgra8", target_bgra8, "varying-slope" },
	{ "target_srgb8", target_srgb8, "store-srgb-steps varying-slope*2" },
	{ "target_rgb565", target_rgb565, "store-rgb565-steps" },
	{ "target_rgb10a2", target_rgb10a2, "store-rgb10a2-steps" },
	{ "target_rgba16f", target_rgba16f, "half-draw" },
	{ "target_rgba32f", target_rgba32f, "varying-slope" },
	{ "target_r32ui", target_r32ui },
	{ "target_rgba16ui", target_rgba16ui },
	{ "target_rgba8i", target_rgba8i },
	{ "draw_indirect", draw_indirect, "varying-slope snapping" },
	{ "draw_indexed_indirect", draw_indexed_indirect, "varying-slope snapping" },
	{ "multi_draw_indirect", multi_draw_indirect, "varying-slope snapping" },
	{ "draw_indirect_written", draw_indirect_written, "varying-slope snapping" },
	{ "occlusion_boolean", occlusion_boolean },
	{ "occlusion_count", occlusion_count },
	{ "occlusion_whole", occlusion_whole },
	{ "occlusion_copied", occlusion_copied },
	{ "timestamps", timestamps },
	{ "semaphores", semaphores },
	{ "timeline_semaphore", timeline_semaphore },
	{ "events", events },
	{ "resubmitted", resubmitted },
	{}
};
