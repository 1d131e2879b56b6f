// SPDX-License-Identifier: GPL-2.0
/*
 * Draws scenes with Vulkan and writes them as pictures, without a window system.
 *
 *   vulkan --list                 the scenes: name, rows of references.rst
 *   vulkan FOLDER [SCENE...]      FOLDER/SCENE.pam for each scene; TAP
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vk.h"
#include "vk_priv.h"

static const struct scene *const lists[] = {
	draw_scenes, output_scenes, pass_scenes, texture_scenes, bind_scenes, compute_scenes,
	copy_scenes,
};

#define WAIT_NS		100000000000ULL

struct context vk;

static jmp_buf scene_end;
static const char *skipped;
static bool failed;
static const struct buffer *shown;
static uint32_t shown_words;
static VkExtensionProperties extensions[512];
static uint32_t num_extensions;
static int mesa_version;

void scene_fail(const char *fmt, ...)
{
	va_list ap;

	failed = true;
	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	longjmp(scene_end, 1);
}

void scene_skip(const char *what)
{
	skipped = what;
	longjmp(scene_end, 1);
}

/* Mesa's device is "Mali-G52 (Panfrost)" or "Mali-G52 r1". */
void scene_skip_on(const char *chips, int since, int last, const char *why)
{
	char chip[16] = "";

	if (sscanf(vk.properties.deviceName, "Mali-%15[A-Z0-9]", chip) == 1 &&
	    strstr(chips, chip) && mesa_version >= since && mesa_version <= last)
		scene_skip(why);
}

void must(VkResult result, const char *call)
{
	if (result)
		scene_fail("%.*s: VkResult %d", (int)strcspn(call, "("), call, result);
}

bool has_extension(const char *name)
{
	uint32_t i;

	for (i = 0; i < num_extensions; i++) {
		if (!strcmp(extensions[i].extensionName, name))
			return true;
	}
	return false;
}

PFN_vkVoidFunction extension_call(const char *extension, const char *name)
{
	PFN_vkVoidFunction fn = NULL;

	if (has_extension(extension))
		fn = vkGetDeviceProcAddr(vk.device, name);
	if (!fn)
		scene_skip(extension);
	return fn;
}

/* ---- the device ---- */

/* Structures of features, each with the extension that defines it. */
static VkPhysicalDeviceDynamicRenderingFeatures dynamic_rendering = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
};

static VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
};

static VkPhysicalDeviceBufferDeviceAddressFeatures address = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
};

static VkPhysicalDevice16BitStorageFeatures storage16 = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
};

static VkPhysicalDevice8BitStorageFeatures storage8 = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES,
};

static VkPhysicalDeviceShaderFloat16Int8Features float16 = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
};

static VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisor = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
};

static const struct {
	const char *extension;
	void *features;
} optional[] = {
	{ "VK_KHR_dynamic_rendering", &dynamic_rendering },
	{ "VK_KHR_timeline_semaphore", &timeline },
	{ "VK_KHR_buffer_device_address", &address },
	{ "VK_KHR_16bit_storage", &storage16 },
	{ "VK_KHR_8bit_storage", &storage8 },
	{ "VK_KHR_shader_float16_int8", &float16 },
	{ "VK_EXT_vertex_attribute_divisor", &divisor },
	{ "VK_EXT_descriptor_indexing", &vk.indexing },
	/* without features, or those below */
	{ "VK_KHR_maintenance1", NULL },
	{ "VK_KHR_maintenance3", NULL },
	{ "VK_KHR_multiview", NULL },
	{ "VK_KHR_maintenance2", NULL },
	{ "VK_KHR_create_renderpass2", NULL },
	{ "VK_KHR_depth_stencil_resolve", NULL },
	{ "VK_KHR_storage_buffer_storage_class", NULL },
	{ "VK_KHR_device_group", NULL },
	{ "VK_KHR_push_descriptor", NULL },
	{ "VK_KHR_descriptor_update_template", NULL },
	{ "VK_EXT_sampler_filter_minmax", NULL },
};

static void chain(VkBaseOutStructure **end, void *s)
{
	(*end)->pNext = s;
	*end = s;
}

static void make_device(void)
{
	static const float priority = 1;
	VkPhysicalDeviceFeatures2 all = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
	};
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const char *names[ARRAY_SIZE(optional)];
	const VkDescriptorPoolSize sizes[] = {
		{ VK_DESCRIPTOR_TYPE_SAMPLER, 64 },
		{ VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 256 },
		{ VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 256 },
		{ VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 64 },
		{ VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 16 },
		{ VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 16 },
		{ VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 64 },
		{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64 },
		{ VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 16 },
		{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 16 },
		{ VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 16 },
	};
	VkBaseOutStructure *end = (void *)&all;
	PFN_vkGetPhysicalDeviceFeatures2 get;
	uint32_t i, n = 0;

	vk.indexing.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES;
	for (i = 0; i < ARRAY_SIZE(optional); i++) {
		if (!has_extension(optional[i].extension))
			continue;
		names[n++] = optional[i].extension;
		if (optional[i].features)
			chain(&end, optional[i].features);
	}
	end->pNext = NULL;
	get = (void *)vkGetInstanceProcAddr(vk.instance, "vkGetPhysicalDeviceFeatures2KHR");
	get(vk.physical, &all);
	all.features.robustBufferAccess = false;
	vk.features = all.features;
	MUST(vkCreateDevice(vk.physical, &(VkDeviceCreateInfo){
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &all,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.enabledExtensionCount = n,
		.ppEnabledExtensionNames = names,
	}, NULL, &vk.device));
	vkGetDeviceQueue(vk.device, 0, 0, &vk.queue);
	MUST(vkCreateCommandPool(vk.device, &(VkCommandPoolCreateInfo){
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
	}, NULL, &vk.pool));
	MUST(vkCreatePipelineCache(vk.device, &(VkPipelineCacheCreateInfo){
		.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
	}, NULL, &vk.cache));
	MUST(vkCreateDescriptorPool(vk.device, &(VkDescriptorPoolCreateInfo){
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = 64,
		.poolSizeCount = ARRAY_SIZE(sizes),
		.pPoolSizes = sizes,
	}, NULL, &vk.descriptors));
}

/* Return: there is a device. */
static bool open_device(void)
{
	static const char *const names[] = { "VK_KHR_get_physical_device_properties2" };
	VkPhysicalDeviceDriverProperties driver = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
	};
	VkPhysicalDeviceProperties2 all = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = &driver,
	};
	PFN_vkGetPhysicalDeviceProperties2 get;
	VkResult result;
	uint32_t n = 1;
	int minor = 0;

	result = vkCreateInstance(&(VkInstanceCreateInfo){
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &(VkApplicationInfo){
			.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
			.apiVersion = VK_API_VERSION_1_0,
		},
		.enabledExtensionCount = ARRAY_SIZE(names),
		.ppEnabledExtensionNames = names,
	}, NULL, &vk.instance);
	if (result)
		return false;
	if (vkEnumeratePhysicalDevices(vk.instance, &n, &vk.physical) < 0 || !n)
		return false;
	num_extensions = ARRAY_SIZE(extensions);
	if (vkEnumerateDeviceExtensionProperties(vk.physical, NULL, &num_extensions, extensions))
		return false;
	get = (void *)vkGetInstanceProcAddr(vk.instance, "vkGetPhysicalDeviceProperties2KHR");
	get(vk.physical, &all);
	vk.properties = all.properties;
	printf("# %s, %s\n", vk.properties.deviceName, driver.driverInfo);
	if (sscanf(driver.driverInfo, "Mesa %d.%d", &mesa_version, &minor) == 2)
		mesa_version = 100 * mesa_version + minor;
	return true;
}

/* ---- commands ---- */

VkCommandBuffer make_commands(VkCommandBufferLevel level)
{
	VkCommandBuffer cmd;

	MUST(vkAllocateCommandBuffers(vk.device, &(VkCommandBufferAllocateInfo){
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = vk.pool,
		.level = level,
		.commandBufferCount = 1,
	}, &cmd));
	return cmd;
}

static void begin_commands(void)
{
	vk.cmd = make_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	MUST(vkBeginCommandBuffer(vk.cmd, &(VkCommandBufferBeginInfo){
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
	}));
}

void full_barrier(void)
{
	vkCmdPipelineBarrier(vk.cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
			     &(VkMemoryBarrier){
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT |
				 VK_ACCESS_HOST_READ_BIT,
	}, 0, NULL, 0, NULL);
}

void flush(void)
{
	VkResult result;
	VkFence fence;

	full_barrier();
	MUST(vkEndCommandBuffer(vk.cmd));
	MUST(vkCreateFence(vk.device, &(VkFenceCreateInfo){
		.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
	}, NULL, &fence));
	result = vkQueueSubmit(vk.queue, 1, &(VkSubmitInfo){
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &vk.cmd,
	}, fence);
	if (!result)
		result = vkWaitForFences(vk.device, 1, &fence, true, WAIT_NS);
	vkDestroyFence(vk.device, fence, NULL);
	MUST(result);
	begin_commands();
}

/* ---- results ---- */

void show_buffer(const struct buffer *buffer, uint32_t words)
{
	full_barrier();
	shown = buffer;
	shown_words = words < SIZE * SIZE ? words : SIZE * SIZE;
}

void show_image(struct image *image)
{
	struct buffer *b = make_buffer(4 * SIZE * SIZE, NULL);

	set_layout(image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vkCmdCopyImageToBuffer(vk.cmd, image->handle, image->layout, b->handle, 1,
			       &(VkBufferImageCopy){
		.imageSubresource = layers_of(image, 0),
		.imageExtent = { SIZE, SIZE, 1 },
	});
	show_buffer(b, SIZE * SIZE);
}

static void write_picture(const char *path, const uint32_t *pixels)
{
	FILE *f = fopen(path, "wb");

	if (!f)
		scene_fail("cannot write %s", path);
	fprintf(f, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
		SIZE, SIZE);
	fwrite(pixels, 4, SIZE * SIZE, f);
	if (fclose(f))
		scene_fail("cannot write %s", path);
}

static void take_picture(const char *folder, const char *name)
{
	uint32_t pixels[SIZE * SIZE] = {};
	char path[512];

	if (!shown)
		scene_fail("nothing is shown");
	memcpy(pixels, shown->map, 4 * shown_words);
	snprintf(path, sizeof(path), "%s/%s.pam", folder, name);
	write_picture(path, pixels);
}

/* A file that says why there is no picture. */
static void note_skip(const char *folder, const char *name)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.skip", folder, name);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%s\n", skipped) < 0 || fclose(f))
		printf("# cannot write %s\n", path);
}

static void remove_old(const char *folder, const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s.skip", folder, name);
	remove(path);
	snprintf(path, sizeof(path), "%s/%s.pam", folder, name);
	remove(path);
}

/* A function of its own, as longjmp() may change variables of its caller. */
static void run_scene(const char *folder, const struct scene *s)
{
	if (setjmp(scene_end))
		return;
	if (!vk.device)
		make_device();
	begin_commands();
	s->draw();
	flush();
	take_picture(folder, s->name);
}

static void destroy_device(void)
{
	vkDestroyPipelineCache(vk.device, vk.cache, NULL);
	vkDestroyDescriptorPool(vk.device, vk.descriptors, NULL);
	vkDestroyCommandPool(vk.device, vk.pool, NULL);
	vkDestroyDevice(vk.device, NULL);
	vk.device = VK_NULL_HANDLE;
}

/* After a failure the device may be lost: the next scene has a new one. */
static void close_scene(void)
{
	vkDeviceWaitIdle(vk.device);
	destroy_objects();
	shown = NULL;
	if (failed) {
		destroy_device();
		return;
	}
	vkResetDescriptorPool(vk.device, vk.descriptors, 0);
	vkResetCommandPool(vk.device, vk.pool, VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT);
}

static void draw_scene(const char *folder, const struct scene *s, int number)
{
	skipped = NULL;
	failed = false;
	remove_old(folder, s->name);
	run_scene(folder, s);
	if (vk.device)
		close_scene();
	if (skipped)
		note_skip(folder, s->name);
	if (skipped)
		printf("ok %d %s # SKIP no %s\n", number, s->name, skipped);
	else
		printf("%sok %d %s\n", failed ? "not " : "", number, s->name);
	fflush(stdout);
}

/* A function of its own, as run_scene(). Return: the result is right. */
static bool run_found(const struct found *f)
{
	if (setjmp(scene_end))
		return false;
	if (!vk.device)
		make_device();
	begin_commands();
	return f->run();
}

/* A mistake is expected of the driver that has it, and a failure of any other one. */
static void try_found(const struct found *f, int number)
{
	bool known = strstr(vk.properties.deviceName, f->device), right;

	failed = false;
	right = run_found(f);
	close_scene();
	if (right)
		printf("%sok %d %s%s\n", known ? "not " : "", number, f->name, known ? ": fixed" : "");
	else
		printf("not ok %d %s%s%s\n", number, f->name, known && !failed ? " # TODO Mesa: " : "",
		       known && !failed ? f->what : "");
}

static void try_all_found(void)
{
	int n;

	for (n = 0; found[n].name; n++)
		try_found(&found[n], n + 1);
	printf("1..%d\n", n);
}

static bool wanted(const char *name, char **names, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return !n;
}

/* Call @fn for each scene that is wanted. Return: number of these. */
static int each_scene(const char *folder, char **names, int n,
		      void (*fn)(const char *folder, const struct scene *s, int number))
{
	const struct scene *s;
	unsigned int i;
	int number = 0;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		for (s = lists[i]; s->name; s++) {
			if (!wanted(s->name, names, n))
				continue;
			number++;
			if (fn)
				fn(folder, s, number);
		}
	}
	return number;
}

static void list_scene(const char *folder, const struct scene *s, int number)
{
	printf("%s %s\n", s->name, s->rows ? s->rows : "");
}

int main(int argc, char **argv)
{
	bool only_found;

	if (argc == 2 && !strcmp(argv[1], "--list"))
		return !each_scene(NULL, NULL, 0, list_scene);
	only_found = argc == 2 && !strcmp(argv[1], "--found");
	if (argc < 2 || (*argv[1] == '-' && !only_found)) {
		fprintf(stderr, "usage: vulkan --list | --found | FOLDER [SCENE...]\n");
		return 2;
	}
	printf("TAP version 13\n");
	if (!open_device()) {
		printf("1..0 # SKIP no device of Vulkan\n");
		return 4;
	}
	if (only_found) {
		try_all_found();
	} else {
		printf("1..%d\n", each_scene(argv[1], argv + 2, argc - 2, NULL));
		each_scene(argv[1], argv + 2, argc - 2, draw_scene);
	}
	if (vk.device)
		destroy_device();
	vkDestroyInstance(vk.instance, NULL);
	return 0;
}
