// SPDX-License-Identifier: GPL-2.0
/*
 * Pipelines, passes and draws of a scene.
 */
#include <string.h>

#include "shaders.h"
#include "vk.h"
#include "vk_priv.h"

#define MAX_STATES	8

VkPipelineLayout bound_layout;
VkRenderPass current_pass;
VkFramebuffer current_framebuffer;
uint32_t current_colours, current_subpass;

/* ---- programs ---- */

VkShaderModule find_shader(const char *name)
{
	VkShaderModule module;
	unsigned int i;

	for (i = 0; strcmp(shaders[i].name, name); i++) {
		if (i == ARRAY_SIZE(shaders) - 1)
			scene_fail("no shader %s", name);
	}
	MUST(vkCreateShaderModule(vk.device, &(VkShaderModuleCreateInfo){
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = shaders[i].size,
		.pCode = shaders[i].words,
	}, NULL, &module));
	KEEP(KIND_SHADER, module);
	return module;
}

VkPipelineLayout make_layout(struct set *const *sets, uint32_t n)
{
	VkDescriptorSetLayout layouts[MAX_SETS];
	VkPipelineLayout layout;
	uint32_t i;

	for (i = 0; i < n; i++)
		layouts[i] = sets[i]->layout;
	MUST(vkCreatePipelineLayout(vk.device, &(VkPipelineLayoutCreateInfo){
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = n,
		.pSetLayouts = layouts,
		.pushConstantRangeCount = 1,
		.pPushConstantRanges = &(VkPushConstantRange){
			VK_SHADER_STAGE_ALL, 0, PUSH_BYTES,
		},
	}, NULL, &layout));
	KEEP(KIND_PIPELINE_LAYOUT, layout);
	return layout;
}

void push(const void *data, uint32_t size)
{
	vkCmdPushConstants(vk.cmd, bound_layout, VK_SHADER_STAGE_ALL, 0, size, data);
}

static VkPipelineShaderStageCreateInfo make_stage(VkShaderStageFlagBits stage, const char *name,
						  const VkSpecializationInfo *special)
{
	return (VkPipelineShaderStageCreateInfo){
		.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		.stage = stage,
		.module = find_shader(name),
		.pName = "main",
		.pSpecializationInfo = special,
	};
}

static void bind_sets(VkPipelineBindPoint point, struct set *const *sets, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (sets[i]->handle)
			vkCmdBindDescriptorSets(vk.cmd, point, bound_layout, i, 1,
						&sets[i]->handle, 0, NULL);
	}
}

void use_compute(const char *name, struct set *const *sets, uint32_t n,
		 const VkSpecializationInfo *special)
{
	VkPipeline pipeline;

	bound_layout = make_layout(sets, n);
	MUST(vkCreateComputePipelines(vk.device, vk.cache, 1, &(VkComputePipelineCreateInfo){
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = make_stage(VK_SHADER_STAGE_COMPUTE_BIT, name, special),
		.layout = bound_layout,
	}, NULL, &pipeline));
	KEEP(KIND_PIPELINE, pipeline);
	vkCmdBindPipeline(vk.cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
	bind_sets(VK_PIPELINE_BIND_POINT_COMPUTE, sets, n);
}

void run_compute(const char *name, uint32_t groups, uint32_t words)
{
	struct buffer *b = make_buffer(4 * words, NULL);

	COMPUTE(name, SET(STORAGE(b)));
	vkCmdDispatch(vk.cmd, groups, 1, 1);
	show_buffer(b, words);
}

struct pipe plain_pipe(void)
{
	return (struct pipe){
		.vs = "plain.vert",
		.fs = "colour.frag",
		.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
		.raster.lineWidth = 1,
		.depth.depthCompareOp = VK_COMPARE_OP_LESS,
	};
}

static const VkPipelineVertexInputStateCreateInfo plain_inputs = {
	.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
	.vertexBindingDescriptionCount = 1,
	.pVertexBindingDescriptions = &(VkVertexInputBindingDescription){
		0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX,
	},
	.vertexAttributeDescriptionCount = 2,
	.pVertexAttributeDescriptions = (VkVertexInputAttributeDescription[]){
		{ 0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct vertex, pos) },
		{ 1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct vertex, colour) },
	},
};

static VkPipelineColorBlendStateCreateInfo blend_state(const struct pipe *p,
						       VkPipelineColorBlendAttachmentState *states)
{
	VkPipelineColorBlendStateCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
		.logicOpEnable = p->use_logic,
		.logicOp = p->logic,
		.attachmentCount = current_colours,
		.pAttachments = states,
	};
	uint32_t i;

	memcpy(info.blendConstants, p->constant, sizeof(p->constant));
	for (i = 0; i < current_colours; i++) {
		states[i] = p->blend;
		states[i].colorWriteMask = 0xf & ~p->mask;
	}
	return info;
}

/* Without a pass: of dynamic rendering to FORMAT. */
static const VkPipelineRenderingCreateInfo rendering = {
	.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
	.colorAttachmentCount = 1,
	.pColorAttachmentFormats = &(const VkFormat){ FORMAT },
};

static VkPipeline make_pipeline(const struct pipe *p)
{
	VkDynamicState dynamic[MAX_STATES] = { VK_DYNAMIC_STATE_VIEWPORT,
					      VK_DYNAMIC_STATE_SCISSOR };
	VkPipelineRasterizationStateCreateInfo raster = p->raster;
	VkPipelineDepthStencilStateCreateInfo depth = p->depth;
	VkPipelineColorBlendAttachmentState states[MAX_COLOURS];
	VkPipelineColorBlendStateCreateInfo blend = blend_state(p, states);
	VkPipelineShaderStageCreateInfo stages[2] = {
		make_stage(VK_SHADER_STAGE_VERTEX_BIT, p->vs, NULL),
	};
	VkPipeline pipeline;

	raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
	depth.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
	if (p->fs)
		stages[1] = make_stage(VK_SHADER_STAGE_FRAGMENT_BIT, p->fs, p->special);
	if (p->num_dynamic)
		memcpy(dynamic + 2, p->dynamic, p->num_dynamic * sizeof(*dynamic));
	MUST(vkCreateGraphicsPipelines(vk.device, vk.cache, 1, &(VkGraphicsPipelineCreateInfo){
		.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.pNext = current_pass ? NULL : &rendering,
		.stageCount = p->fs ? 2 : 1,
		.pStages = stages,
		.pVertexInputState = p->inputs ? p->inputs : &plain_inputs,
		.pInputAssemblyState = &(VkPipelineInputAssemblyStateCreateInfo){
			.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
			.topology = p->topology,
			.primitiveRestartEnable = p->restart,
		},
		.pViewportState = &(VkPipelineViewportStateCreateInfo){
			.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
			.viewportCount = 1,
			.scissorCount = 1,
		},
		.pRasterizationState = &raster,
		.pMultisampleState = &(VkPipelineMultisampleStateCreateInfo){
			.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
			.rasterizationSamples = p->samples ? p->samples : 1,
			.pSampleMask = p->sample_mask,
			.alphaToCoverageEnable = p->alpha_to_coverage,
			.sampleShadingEnable = p->sample_shading,
			.minSampleShading = 1,
		},
		.pDepthStencilState = &depth,
		.pColorBlendState = &blend,
		.pDynamicState = &(VkPipelineDynamicStateCreateInfo){
			.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
			.dynamicStateCount = 2 + p->num_dynamic,
			.pDynamicStates = dynamic,
		},
		.layout = bound_layout,
		.renderPass = current_pass,
		.subpass = current_subpass,
	}, NULL, &pipeline));
	KEEP(KIND_PIPELINE, pipeline);
	return pipeline;
}

void bind_pipe(const struct pipe *p)
{
	uint32_t n;

	for (n = 0; n < MAX_SETS && p->sets[n]; n++)
		;
	bound_layout = make_layout(p->sets, n);
	vkCmdBindPipeline(vk.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(p));
	bind_sets(VK_PIPELINE_BIND_POINT_GRAPHICS, p->sets, n);
}

/* ---- passes ---- */

static VkAttachmentReference add_attachment(VkAttachmentDescription *a, VkImageView *views,
					    uint32_t *n, struct image *image, bool clear,
					    VkImageLayout layout)
{
	VkAttachmentLoadOp op = clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD;

	set_layout(image, layout);
	a[*n] = (VkAttachmentDescription){
		.format = image->info.format,
		.samples = image->info.samples,
		.loadOp = op,
		.storeOp = VK_ATTACHMENT_STORE_OP_STORE,
		.stencilLoadOp = op,
		.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE,
		.initialLayout = layout,
		.finalLayout = layout,
	};
	views[*n] = image->view;
	return (VkAttachmentReference){ (*n)++, layout };
}

/* The resolved target is overwritten: its clear is for nothing, and allowed. */
void begin_pass(const struct pass *p)
{
	VkAttachmentReference colours[MAX_COLOURS], resolve[MAX_COLOURS], depth;
	VkAttachmentDescription attachments[MAX_COLOURS + 2];
	VkImageView views[MAX_COLOURS + 2];
	VkClearValue values[MAX_COLOURS + 2];
	struct image *first = p->colours[0] ? p->colours[0] : p->depth;
	VkSubpassDescription subpass = {};
	uint32_t i, n = 0;

	for (i = 0; i < MAX_COLOURS && p->colours[i]; i++)
		colours[i] = add_attachment(attachments, views, &n, p->colours[i], p->clear,
					    VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
	current_colours = i;
	subpass.colorAttachmentCount = i;
	subpass.pColorAttachments = colours;
	if (p->resolve) {
		resolve[0] = add_attachment(attachments, views, &n, p->resolve, true,
					    VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
		subpass.pResolveAttachments = resolve;
	}
	for (i = 0; i < n; i++)
		values[i].color = p->colour;
	if (p->depth) {
		values[n].depthStencil = p->z;
		depth = add_attachment(attachments, views, &n, p->depth, p->clear,
				       VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
		subpass.pDepthStencilAttachment = &depth;
	}
	MUST(vkCreateRenderPass(vk.device, &(VkRenderPassCreateInfo){
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
		.attachmentCount = n,
		.pAttachments = attachments,
		.subpassCount = 1,
		.pSubpasses = &subpass,
	}, NULL, &current_pass));
	KEEP(KIND_PASS, current_pass);
	MUST(vkCreateFramebuffer(vk.device, &(VkFramebufferCreateInfo){
		.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
		.renderPass = current_pass,
		.attachmentCount = n,
		.pAttachments = views,
		.width = first->info.width,
		.height = first->info.height,
		.layers = 1,
	}, NULL, &current_framebuffer));
	KEEP(KIND_FRAMEBUFFER, current_framebuffer);
	current_subpass = 0;
	vkCmdBeginRenderPass(vk.cmd, &(VkRenderPassBeginInfo){
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
		.renderPass = current_pass,
		.framebuffer = current_framebuffer,
		.renderArea.extent = { first->info.width, first->info.height },
		.clearValueCount = n,
		.pClearValues = values,
	}, p->secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS :
			  VK_SUBPASS_CONTENTS_INLINE);
	if (p->secondary)
		return;
	set_viewport(0, 0, first->info.width, first->info.height);
	set_scissor(0, 0, first->info.width, first->info.height);
}

void end_pass(void)
{
	vkCmdEndRenderPass(vk.cmd);
	full_barrier();
}

void set_viewport(float x, float y, float width, float height)
{
	vkCmdSetViewport(vk.cmd, 0, 1, &(VkViewport){ x, y, width, height, 0, 1 });
}

void set_scissor(int32_t x, int32_t y, uint32_t width, uint32_t height)
{
	vkCmdSetScissor(vk.cmd, 0, 1, &(VkRect2D){ { x, y }, { width, height } });
}

static struct image *main_target;

struct image *main_image(void)
{
	return main_target;
}

struct image *depth_image(VkFormat format)
{
	need_format(format, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
	return IMAGE(.format = format, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
}

void begin_main(struct image *depth)
{
	main_target = IMAGE(.format = FORMAT, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
						       VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
						       VK_IMAGE_USAGE_TRANSFER_DST_BIT);
	begin_pass(&(struct pass){
		.colours = { main_target },
		.depth = depth,
		.clear = true,
		.colour.float32 = { 0, 0, 0, 1 },
		.z.depth = 1,
	});
}

/* ---- draws ---- */

void bind_vertices(const void *data, size_t size)
{
	struct buffer *b = make_buffer(size, data);

	vkCmdBindVertexBuffers(vk.cmd, 0, 1, &b->handle, &(const VkDeviceSize){ 0 });
}

void draw_vertices(const struct vertex *v, uint32_t n)
{
	bind_vertices(v, n * sizeof(*v));
	vkCmdDraw(vk.cmd, n, 1, 0, 0);
}

/* Triangles of a rectangle; @corners: its colours, by rows. */
static void draw_corners(float x0, float y0, float x1, float y1, float z, const float (*corners)[4])
{
	static const uint8_t order[] = { 0, 1, 2, 2, 1, 3 };
	struct vertex v[6];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(order); i++) {
		v[i].pos[0] = order[i] & 1 ? x1 : x0;
		v[i].pos[1] = order[i] & 2 ? y1 : y0;
		v[i].pos[2] = z;
		v[i].pos[3] = 1;
		memcpy(v[i].colour, corners[order[i]], sizeof(v[i].colour));
	}
	draw_vertices(v, ARRAY_SIZE(order));
}

void draw_rect(float x0, float y0, float x1, float y1, float z, float r, float g, float b, float a)
{
	const float corners[4][4] = {
		{ r, g, b, a }, { r, g, b, a }, { r, g, b, a }, { r, g, b, a },
	};

	draw_corners(x0, y0, x1, y1, z, corners);
}

void draw_gradient(float x0, float y0, float x1, float y1, float z)
{
	static const float corners[4][4] = {
		{ 0, 0, 1, 0.25f }, { 1, 0, 0.5f, 0.5f }, { 0, 1, 0.5f, 0.75f }, { 1, 1, 0, 1 },
	};

	draw_corners(x0, y0, x1, y1, z, corners);
}

void grid_cell(int i, int n, float c[4])
{
	float side = 2.0f / n, margin = side / 8;

	c[0] = -1 + side * (i % n) + margin;
	c[1] = -1 + side * (i / n) + margin;
	c[2] = c[0] + side - 2 * margin;
	c[3] = c[1] + side - 2 * margin;
}

void show_with(const char *fs, struct set *set)
{
	struct pipe p = plain_pipe();

	p.fs = fs;
	p.sets[0] = set;
	begin_main(NULL);
	bind_pipe(&p);
	draw_gradient(-1, -1, 1, 1, 0);
	end_pass();
	show_image(main_image());
}
