// SPDX-License-Identifier: GPL-2.0
/* As references_gl.c, for the first device of Vulkan: runs references.comp once. */
#include <vulkan/vulkan.h>

#include "references.h"
#include "references_comp.h"

static const struct single singles[] = {
	{ "vk-float-to-int", 0, 3, 1 }, { "vk-pow-0-0", 3, 1, 0 }, { "vk-min-max-nan", 4, 4, 0 },
	{ "vk-denormal-product", 8, 1, 0 }, { "vk-fma", 9, 1, 0 }, { "vk-mul-add", 10, 1, 0 },
	{ "vk-nan-times-literal-0", 11, 2, 0 }, { "vk-minus-0-plus-0", 13, 1, 0 },
	{ "vk-atan-0-0", 14, 3, 0 }, { "vk-remainder", 17, 2, 1 }, { "vk-shift-33", 19, 2, 1 },
	{ "vk-find-msb", 21, 2, 1 }, { "vk-round-half", 23, 2, 0 }, { "vk-pack-half", 25, 1, 0 },
	{ "vk-through-half", 26, 2, 0 }, { "vk-0-over-0", 28, 1, 0 }, { "vk-sign-nan", 29, 1, 0 },
	{ "vk-fract-tiny", 30, 1, 0 },
};

static const struct function functions[] = {
	{ "vk-error-reciprocal", reciprocal_of, 1, 2 }, { "vk-error-inversesqrt", rsqrt_of, 1, 4 },
	{ "vk-error-sqrt", sqrt, 1, 4 }, { "vk-error-exp2", exp2, -4, 4 },
	{ "vk-error-log2", log2, 2, 64 }, { "vk-error-sin", sin, 0.1f, 3 },
	{ "vk-error-atan", atan, 0.1f, 4 },
};

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))
#define OK(call) do { VkResult result_ = (call); if (result_) fail(#call, result_); } while (0)

static VkDevice device;
static VkPhysicalDevice physical;

static VkBuffer buffer(VkDeviceSize size, void **map)
{
	VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size,
				    .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT };
	VkMemoryAllocateInfo allocate = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	VkPhysicalDeviceMemoryProperties memory;
	VkMemoryRequirements needs;
	VkDeviceMemory object;
	VkBuffer name;
	uint32_t type;
	const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
					     VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

	OK(vkCreateBuffer(device, &info, NULL, &name));
	vkGetBufferMemoryRequirements(device, name, &needs);
	vkGetPhysicalDeviceMemoryProperties(physical, &memory);
	for (type = 0; type < memory.memoryTypeCount; type++)
		if (needs.memoryTypeBits >> type & 1 &&
		    (memory.memoryTypes[type].propertyFlags & wanted) == wanted)
			break;
	allocate.allocationSize = needs.size;
	allocate.memoryTypeIndex = type;
	OK(vkAllocateMemory(device, &allocate, NULL, &object));
	OK(vkBindBufferMemory(device, name, object, 0));
	OK(vkMapMemory(device, object, 0, VK_WHOLE_SIZE, 0, map));
	memset(*map, 0, size);
	return name;
}

static void open_device(void)
{
	VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
				  .apiVersion = VK_API_VERSION_1_2 };
	VkInstanceCreateInfo instance_info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
					       .pApplicationInfo = &app };
	float priority = 1;
	VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
					  .queueCount = 1, .pQueuePriorities = &priority };
	VkPhysicalDeviceShaderFloat16Int8Features half = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
		.shaderFloat16 = VK_TRUE };
	VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &half,
				    .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue };
	VkPhysicalDeviceDriverProperties driver = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES };
	VkPhysicalDeviceProperties2 properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver };
	VkInstance instance;
	uint32_t one = 1;

	OK(vkCreateInstance(&instance_info, NULL, &instance));
	if (vkEnumeratePhysicalDevices(instance, &one, &physical) < 0 || !one)
		fail("no device", 0);
	vkGetPhysicalDeviceProperties2(physical, &properties);
	printf("renderer|%s\nversion|%s\n", properties.properties.deviceName, driver.driverInfo);
	OK(vkCreateDevice(physical, &info, NULL, &device));
}

static void run(VkBuffer *buffers)
{
	VkShaderModuleCreateInfo module = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
					    .codeSize = sizeof(code), .pCode = code };
	VkDescriptorSetLayoutBinding binding[2] = {};
	VkDescriptorSetLayoutCreateInfo layout_info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 2,
		.pBindings = binding };
	VkDescriptorSetLayout set_layout;
	VkPipelineLayoutCreateInfo pipeline_layout = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
		.pSetLayouts = &set_layout };
	VkComputePipelineCreateInfo pipeline_info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			   .stage = VK_SHADER_STAGE_COMPUTE_BIT, .pName = "main" } };
	VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 };
	VkDescriptorPoolCreateInfo pool_info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
		.poolSizeCount = 1, .pPoolSizes = &size };
	VkDescriptorSetAllocateInfo set_info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorSetCount = 1,
		.pSetLayouts = &set_layout };
	VkDescriptorBufferInfo buffer_info[2] = {
		{ buffers[0], 0, VK_WHOLE_SIZE }, { buffers[1], 0, VK_WHOLE_SIZE } };
	VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
				       .descriptorCount = 2, .pBufferInfo = buffer_info,
				       .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER };
	VkCommandPoolCreateInfo commands_info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	VkCommandBufferAllocateInfo command_info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandBufferCount = 1 };
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1 };
	VkDescriptorPool pool;
	VkCommandPool commands;
	VkCommandBuffer command;
	VkPipeline pipeline;
	VkDescriptorSet set;
	VkQueue queue;
	int k;

	for (k = 0; k < 2; k++) {
		binding[k].binding = k;
		binding[k].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
		binding[k].descriptorCount = 1;
		binding[k].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
	}
	OK(vkCreateShaderModule(device, &module, NULL, &pipeline_info.stage.module));
	OK(vkCreateDescriptorSetLayout(device, &layout_info, NULL, &set_layout));
	OK(vkCreatePipelineLayout(device, &pipeline_layout, NULL, &pipeline_info.layout));
	OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline));
	OK(vkCreateDescriptorPool(device, &pool_info, NULL, &pool));
	set_info.descriptorPool = pool;
	OK(vkAllocateDescriptorSets(device, &set_info, &set));
	write.dstSet = set;
	vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
	OK(vkCreateCommandPool(device, &commands_info, NULL, &commands));
	command_info.commandPool = commands;
	OK(vkAllocateCommandBuffers(device, &command_info, &command));
	OK(vkBeginCommandBuffer(command, &begin));
	vkCmdBindPipeline(command, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
	vkCmdBindDescriptorSets(command, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_info.layout, 0, 1,
				&set, 0, NULL);
	vkCmdDispatch(command, POINTS, 1, 1);
	OK(vkEndCommandBuffer(command));
	vkGetDeviceQueue(device, 0, 0, &queue);
	submit.pCommandBuffers = &command;
	OK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
	OK(vkQueueWaitIdle(queue));
}

int main(void)
{
	VkBuffer buffers[2];
	void *out, *in;
	int k, n;

	open_device();
	buffers[0] = buffer(4 * (FIXED + POINTS * COUNT(functions)), &out);
	buffers[1] = buffer(4 * (16 + POINTS * COUNT(functions)), &in);
	memcpy(in, inputs, sizeof(inputs));
	for (k = 0; k < COUNT(functions); k++)
		for (n = 0; n < POINTS; n++)
			((float *)in)[16 + POINTS * k + n] = argument(&functions[k], n);
	run(buffers);
	for (k = 0; k < COUNT(singles); k++)
		print_single(&singles[k], out);
	for (k = 0; k < COUNT(functions); k++)
		print_error(&functions[k], (unsigned int *)out + FIXED + POINTS * k);
	return 0;
}
