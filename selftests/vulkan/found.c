// SPDX-License-Identifier: GPL-2.0
/*
 * Mistakes of Mesa's Vulkan driver for Mali (Documentation/found.rst).
 */
#include <stdio.h>
#include <string.h>

#include "vk.h"

#define TIMES		40
#define TRIANGLES	20000

/* One frame after the other adds 1 to the red of all pixels; it takes a while to have no others. */
static void record_frame(VkCommandBuffer cmd, const struct buffer *vertices)
{
	const VkCommandBuffer own = vk.cmd;
	struct pipe p = plain_pipe();

	p.blend.blendEnable = true;
	p.blend.srcColorBlendFactor = VK_BLEND_FACTOR_ONE;
	p.blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
	vk.cmd = cmd;
	MUST(vkBeginCommandBuffer(cmd, &(VkCommandBufferBeginInfo){
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
	}));
	full_barrier();
	begin_pass(&(struct pass){ .colours = { main_image() } });
	bind_pipe(&p);
	draw_rect(-1, -1, 1, 1, 0, 1 / 255.0f, 0, 0, 0);
	vkCmdBindVertexBuffers(cmd, 0, 1, &vertices->handle, &(const VkDeviceSize){ 0 });
	vkCmdDraw(cmd, 3 * TRIANGLES, 1, 0, 0);
	end_pass();
	MUST(vkEndCommandBuffer(cmd));
	vk.cmd = own;
}

/* panvk resets a command buffer that it has submitted before, though it may be executed. */
static bool resubmit(void)
{
	struct buffer *vertices = make_buffer(3 * TRIANGLES * sizeof(struct vertex), NULL);
	VkCommandBuffer cmd = make_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	struct buffer *pixels = make_buffer(4 * SIZE * SIZE, NULL);
	unsigned int i;
	uint8_t red;

	begin_main(NULL);
	end_pass();
	flush();
	record_frame(cmd, vertices);
	for (i = 0; i < TIMES; i++)
		MUST(vkQueueSubmit(vk.queue, 1, &(VkSubmitInfo){
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.commandBufferCount = 1,
			.pCommandBuffers = &cmd,
		}, VK_NULL_HANDLE));
	MUST(vkQueueWaitIdle(vk.queue));
	set_layout(main_image(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vkCmdCopyImageToBuffer(vk.cmd, main_image()->handle, main_image()->layout, pixels->handle,
			       1, &(VkBufferImageCopy){
		.imageSubresource = layers_of(main_image(), 0),
		.imageExtent = { SIZE, SIZE, 1 },
	});
	flush();
	memcpy(&red, pixels->map, 1);
	if (red != TIMES)
		printf("# a pixel was drawn %u times, right is %u\n", red, TIMES);
	return red == TIMES;
}

const struct found found[] = {
	{ "resubmit", "Mali", "a command buffer is reset while it is executed", resubmit },
	{ }
};
