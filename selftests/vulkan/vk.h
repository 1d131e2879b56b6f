/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scenes and computations of Vulkan, for comparison with another driver: what scenes are, and
 * helpers. Objects live until the end of the scene. A call that fails ends the scene.
 */
#ifndef VK_H
#define VK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Side of the pictures, pixels. */
#define SIZE	64
#define FORMAT	VK_FORMAT_R8G8B8A8_UNORM

/**
 * struct scene - A picture
 * @name: of it, and of its file
 * @draw: records commands; the last of them shows a target, or words of a buffer
 * @rows: of Documentation/references.rst, which explain where it differs from lavapipe's, for
 * ../gles/compare.py; NULL: it must not differ
 */
struct scene {
	const char *name;
	void (*draw)(void);
	const char *rows;
};

/**
 * struct found - A mistake of a driver
 * @name: as in Documentation/found.rst
 * @device: whose driver has it
 * @what: in a few words
 * @run: Return: the result is right
 */
struct found {
	const char *name, *device, *what;
	bool (*run)(void);
};

extern const struct found found[];

/* Lists of scenes; an entry without a name ends each. */
extern const struct scene draw_scenes[];
extern const struct scene output_scenes[];
extern const struct scene pass_scenes[];
extern const struct scene texture_scenes[];
extern const struct scene bind_scenes[];
extern const struct scene compute_scenes[];
extern const struct scene copy_scenes[];

/* Say what is wrong, and end the scene, which fails. */
void scene_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
/* The device lacks @what: end the scene, which is skipped. */
void scene_skip(const char *what) __attribute__((noreturn));
/* Skip the scene on some chips, such as "G31 G52", with Mesa @since (25.3 is 2503) to @last. */
void scene_skip_on(const char *chips, int since, int last, const char *why);
#define MUST(call)	must(call, #call)
void must(VkResult result, const char *call);

/**
 * struct context - The device
 * @features: that it has, all enabled
 * @cache: programs are compiled once, not for each pipeline
 * @cmd: commands of the scene
 */
struct context {
	VkInstance instance;
	VkPhysicalDevice physical;
	VkPhysicalDeviceProperties properties;
	VkPhysicalDeviceFeatures features;
	VkPhysicalDeviceDescriptorIndexingFeatures indexing;
	VkDevice device;
	VkQueue queue;
	VkCommandPool pool;
	VkDescriptorPool descriptors;
	VkPipelineCache cache;
	VkCommandBuffer cmd;
};

extern struct context vk;

bool has_extension(const char *name);
/* A function of an extension; without the extension the scene is skipped. */
PFN_vkVoidFunction extension_call(const char *extension, const char *name);
VkCommandBuffer make_commands(VkCommandBufferLevel level);
/* Execute what is recorded, wait, and begin anew. */
void flush(void);
/* All commands so far have written all of their memory before later ones begin. */
void full_barrier(void);

/* ---- buffers and images ---- */

/**
 * struct buffer - for all uses
 * @map: its memory, coherent
 */
struct buffer {
	VkBuffer handle;
	VkDeviceSize size;
	void *map;
};

/* @data: contents, or NULL for zeros */
struct buffer *make_buffer(size_t size, const void *data);

/**
 * struct image_info - Parameters of an image; zeros stand for 2D, SIZE and 1
 */
struct image_info {
	VkFormat format;
	uint32_t width, height, depth, levels, layers, samples;
	VkImageUsageFlags usage;
	VkImageViewType view;
	VkImageTiling tiling;
};

/**
 * struct image - with a view of all of it
 * @layout: of all of it, after the recorded commands
 */
struct image {
	VkImage handle;
	VkImageView view;
	VkDeviceMemory memory;
	struct image_info info;
	VkImageAspectFlags aspect;
	VkImageLayout layout;
};

struct image *make_image(const struct image_info *info);
#define IMAGE(...)	make_image(&(struct image_info){ __VA_ARGS__ })
/* The scene needs these features of a format with optimal tiling. */
void need_format(VkFormat format, VkFormatFeatureFlags features);
/* Another view, of a range of levels and layers, with a swizzle. */
VkImageView make_view(const struct image *image, VkImageViewType type, VkFormat format,
		      const VkComponentMapping *swizzle, uint32_t level, uint32_t levels,
		      uint32_t layer, uint32_t layers);
/* A barrier, from the image's layout. */
void set_layout(struct image *image, VkImageLayout layout);
/* Tightly packed texels of a level and a layer. */
void upload(struct image *image, uint32_t level, uint32_t layer, const void *data, size_t size);
/* A texture with a pattern of RGBA8, of @levels whose colours differ, to be sampled. */
struct image *pattern(uint32_t side, uint32_t levels);
/* Layers of a level to be copied. */
VkImageSubresourceLayers layers_of(const struct image *image, uint32_t level);
VkSampler make_sampler(const VkSamplerCreateInfo *info);
#define SAMPLER(...)	make_sampler(&(VkSamplerCreateInfo){ __VA_ARGS__ })

/* ---- descriptors ---- */

/**
 * struct binding - A descriptor, or an array of them
 * @count: of the array; 0 stands for 1
 * @buffer: with @offset and @range (0: to the end)
 * @images: of the array's entries, instead of @image
 * @view: instead of the image's own
 * @fixed: the sampler is part of the layout
 */
struct binding {
	VkDescriptorType type;
	uint32_t count;
	const struct buffer *buffer;
	VkDeviceSize offset, range;
	struct image *image;
	struct image *const *images;
	VkImageView view;
	VkSampler sampler;
	bool fixed;
	VkBufferView texels;
};

/**
 * struct set - Descriptors at bindings 0, 1, ..., visible in all stages
 */
struct set {
	VkDescriptorSetLayout layout;
	VkDescriptorSet handle;
};

struct set *make_set(const struct binding *b, uint32_t n);
#define SET(...)							\
	make_set((const struct binding[]){ __VA_ARGS__ },		\
		 ARRAY_SIZE(((const struct binding[]){ __VA_ARGS__ })))
#define STORAGE(b)	{ .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = (b) }
#define UNIFORM(b)	{ .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .buffer = (b) }
#define TEXTURE(i, s)							\
	{ .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .image = (i), .sampler = (s) }
#define STORAGE_IMAGE(i) { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .image = (i) }
/* The layout of descriptors, without a set. */
VkDescriptorSetLayout make_set_layout(const struct binding *b, uint32_t n,
				      VkDescriptorSetLayoutCreateFlags flags);
void fill_write(const struct binding *b, VkWriteDescriptorSet *w, VkDescriptorImageInfo *images,
		VkDescriptorBufferInfo *buffer);

/* ---- programs ---- */

#define PUSH_BYTES	128
#define MAX_SETS	4
#define MAX_COLOURS	4

VkShaderModule find_shader(const char *name);
/* Of sets, and of PUSH_BYTES of constants in all stages. */
VkPipelineLayout make_layout(struct set *const *sets, uint32_t n);
/* Of the pipeline bound last. */
extern VkPipelineLayout bound_layout;
void push(const void *data, uint32_t size);

/* Bind a program of shaders.glsl with sets, to be dispatched. */
void use_compute(const char *name, struct set *const *sets, uint32_t n,
		 const VkSpecializationInfo *special);
#define COMPUTE(name, ...)						\
	use_compute(name, (struct set *const[]){ __VA_ARGS__ },		\
		    ARRAY_SIZE(((struct set *const[]){ __VA_ARGS__ })), NULL)
/* A program with one storage buffer of @words; the buffer is shown after @groups have run. */
void run_compute(const char *name, uint32_t groups, uint32_t words);

/**
 * struct pipe - State of a pipeline for draws
 * @vs, @fs: names of shaders; @fs may be NULL
 * @inputs: of @attributes; NULL: position and colour, see &struct vertex
 * @mask: components of colour that are not written
 * @blend: of all targets, if it is enabled
 * @dynamic: viewport and scissor are always
 */
struct pipe {
	const char *vs, *fs;
	struct set *sets[MAX_SETS];
	VkPrimitiveTopology topology;
	bool restart;
	const VkPipelineVertexInputStateCreateInfo *inputs;
	VkPipelineRasterizationStateCreateInfo raster;
	VkPipelineDepthStencilStateCreateInfo depth;
	VkPipelineColorBlendAttachmentState blend;
	VkColorComponentFlags mask;
	VkLogicOp logic;
	bool use_logic;
	float constant[4];
	uint32_t samples;
	const VkSampleMask *sample_mask;
	bool alpha_to_coverage, sample_shading;
	const VkSpecializationInfo *special;
	const VkDynamicState *dynamic;
	uint32_t num_dynamic;
};

/* Triangles without tests, in all colours. */
struct pipe plain_pipe(void);
/* Make the pipeline for the current pass and bind it with its sets. */
void bind_pipe(const struct pipe *p);

/* ---- passes ---- */

/**
 * struct pass - Targets
 * @clear: all of them, with @colour and @z; else they keep what they have
 */
struct pass {
	struct image *colours[MAX_COLOURS];
	struct image *resolve;
	struct image *depth;
	bool clear;
	VkClearColorValue colour;
	VkClearDepthStencilValue z;
	bool secondary;
};

void begin_pass(const struct pass *p);
void end_pass(void);
extern VkRenderPass current_pass;
extern VkFramebuffer current_framebuffer;
/* For pipelines: the state that a pass defines */
extern uint32_t current_colours, current_subpass;
void set_viewport(float x, float y, float width, float height);
void set_scissor(int32_t x, int32_t y, uint32_t width, uint32_t height);

/* The scene's own target: RGBA8 of SIZE. */
struct image *main_image(void);
struct image *depth_image(VkFormat format);
/* Begin to draw to it, cleared to black, with depth (cleared to 1) or without. */
void begin_main(struct image *depth);

/**
 * struct vertex - as the shader "plain.vert" takes it
 */
struct vertex {
	float pos[4], colour[4];
};

void bind_vertices(const void *data, size_t size);
void draw_vertices(const struct vertex *v, uint32_t n);
/* A rectangle with this depth, corners in clip coordinates. */
void draw_rect(float x0, float y0, float x1, float y1, float z, float r, float g, float b, float a);
/* Its four corners have other colours. */
void draw_gradient(float x0, float y0, float x1, float y1, float z);
/* Corners of cell @i of a grid of @n x @n cells in clip coordinates, with a margin. */
void grid_cell(int i, int n, float c[4]);

/* ---- results ---- */

/* After the pass's end: the pixels of RGBA8 are the picture. */
void show_image(struct image *image);
/* Draw with a fragment shader over all of the main target, which is shown. */
void show_with(const char *fs, struct set *set);
/* Words of a buffer as pixels, from the top left on. */
void show_buffer(const struct buffer *buffer, uint32_t words);

#endif /* VK_H */
