// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes of OpenGL's compatibility profile: alpha test, logic operations, occlusion counters, and
 * formats that OpenGL ES does not have.
 */
#include "gles.h"

/* Not in the headers of OpenGL ES. */
#define ALPHA_TEST		0x0bc0
#define COLOR_LOGIC_OP		0x0bf2
#define LOGIC_CLEAR		0x1500
#define SAMPLES_PASSED		0x8914
#define FORMAT_RGBA16		0x805b
#define FORMAT_R16		0x822a
#define FORMAT_RG16		0x822c

static void alpha_func(GLenum func, float ref)
{
	void (*fn)(GLenum f, float r) = (void *)eglGetProcAddress("glAlphaFunc");

	fn(func, ref);
}

static void logic_op(GLenum op)
{
	void (*fn)(GLenum o) = (void *)eglGetProcAddress("glLogicOp");

	fn(op);
}

/* ---- alpha test ---- */

/* Columns of alpha 0, 0.25, 0.5, 0.75; a cell for each function. */
static void alpha_cells(const char *colour, float z)
{
	int i;

	glEnable(ALPHA_TEST);
	use_fragment(vs_plain, "", colour);
	for (i = 0; i < 8; i++) {
		float c[4];

		grid_cell(i, 3, c);
		alpha_func(GL_NEVER + i, 0.5);
		draw_rect(c[0], c[1], c[2], c[3], z);
	}
	glDisable(ALPHA_TEST);
}

#define COLUMNS	"colour = vec4(v.xy, 1, float(int(gl_FragCoord.x) & 3) * 0.25);"

static void alpha_test(void)
{
	alpha_cells(COLUMNS, 0);
}

/* Depth and stencil only where the test passes. */
static void alpha_test_depth(void)
{
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_STENCIL_TEST);
	glStencilFunc(GL_ALWAYS, 1, 0xff);
	glStencilOp(GL_KEEP, GL_ZERO, GL_REPLACE);
	alpha_cells(COLUMNS, -0.5);
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	draw_colour(-1, -0.5, 1, 0.5, 0, 1, 0, 0, 1);
	glDisable(GL_DEPTH_TEST);
	glStencilFunc(GL_EQUAL, 1, 0xff);
	draw_colour(-0.5, -1, 0.5, 1, 0, 0, 1, 0, 1);
}

/* No colour is written. */
static void alpha_test_masked(void)
{
	glEnable(GL_DEPTH_TEST);
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	alpha_cells(COLUMNS, -0.5);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	draw_colour(-1, -1, 1, 1, 0, 1, 0, 0, 1);
}

static void alpha_test_discard(void)
{
	glEnable(GL_DEPTH_TEST);
	alpha_cells("if ((int(gl_FragCoord.y) & 3) == 1) discard; " COLUMNS, -0.5);
	draw_colour(-1, -0.5, 1, 0.5, 0, 1, 0, 0, 1);
}

/* With a blend program. */
static void alpha_test_blend(void)
{
	draw_colour(-1, -1, 1, 1, 0, 0.5, 0.5, 0.5, 0.5);
	glEnable(GL_BLEND);
	glBlendColor(0.2, 0.4, 0.8, 0.6);
	glBlendFunc(GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_COLOR);
	alpha_cells(COLUMNS, 0);
}

/* ---- occlusion counters ---- */

static uint32_t count_samples(GLuint *query)
{
	GLuint result = 0;

	glEndQuery(SAMPLES_PASSED);
	glGetQueryObjectuiv(*query, GL_QUERY_RESULT, &result);
	glDeleteQueries(1, query);
	return result;
}

static GLuint begin_count(void)
{
	GLuint query;

	glGenQueries(1, &query);
	glBeginQuery(SAMPLES_PASSED, query);
	return query;
}

/* Counts of rectangles whose edges are edges of pixels, in a target of @side pixels. */
static void counts(int side, uint32_t *w)
{
	GLuint q;

	glViewport(0, 0, side, side);
	glEnable(GL_DEPTH_TEST);
	q = begin_count();
	draw_colour(-1, -1, 0, 1, 0, 1, 0, 0, 1);
	w[0] = count_samples(&q);
	/* half of it is behind; two draws; a batch between them */
	q = begin_count();
	draw_colour(-0.5, -0.5, 0.5, 0.5, 0.5, 0, 1, 0, 1);
	glFlush();
	draw_colour(0.5, 0.5, 1, 1, -0.5, 0, 0, 1, 1);
	w[1] = count_samples(&q);
	q = begin_count();
	w[2] = count_samples(&q);
	/* discarded pixels; stencil; masked colours */
	q = begin_count();
	use_fragment(vs_plain, "", "if ((int(gl_FragCoord.x) & 3) == 0) discard; colour = v;");
	draw_rect(-1, -1, 1, 1, -0.9);
	w[3] = count_samples(&q);
	glEnable(GL_STENCIL_TEST);
	glStencilFunc(GL_NEVER, 1, 0xff);
	q = begin_count();
	draw_colour(-1, -1, 1, 1, -0.95, 0, 0, 1, 1);
	w[4] = count_samples(&q);
	glDisable(GL_STENCIL_TEST);
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	q = begin_count();
	draw_colour(-1, -1, 1, 0, -0.95, 0, 0, 1, 1);
	w[5] = count_samples(&q);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	/* alpha test */
	glEnable(ALPHA_TEST);
	alpha_func(GL_GREATER, 0.5);
	q = begin_count();
	use_fragment(vs_plain, "", "colour = vec4(1, 1, 1, (int(gl_FragCoord.x) & 3) / 4.0);");
	draw_rect(-1, -1, 1, 1, -0.99);
	w[6] = count_samples(&q);
	glDisable(ALPHA_TEST);
	glDisable(GL_DEPTH_TEST);
	q = begin_count();
	draw_colour(-1, -1, 0.5, 0.5, 0, 1, 1, 1, 1);
	w[7] = count_samples(&q);
	glViewport(0, 0, SIZE, SIZE);
}

static void occlusion_counter(void)
{
	uint32_t w[16];

	counts(SIZE, w);
	make_target_sized(GL_RGBA8, GL_DEPTH24_STENCIL8, 160);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	counts(160, w + 8);
	show_words(w, 16);
}

/* Four samples in each pixel. */
static void occlusion_samples(void)
{
	GLuint fbo, rb[2];
	uint32_t w[8];

	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glGenRenderbuffers(2, rb);
	glBindRenderbuffer(GL_RENDERBUFFER, rb[0]);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, 80, 80);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb[0]);
	glBindRenderbuffer(GL_RENDERBUFFER, rb[1]);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_DEPTH24_STENCIL8, 80, 80);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
				  rb[1]);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	counts(80, w);
	show_words(w, 8);
}

/* ---- formats ---- */

/* A target of a format that may not be there. */
static GLuint optional_target(GLenum format)
{
	GLuint fbo, texture;

	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexStorage2D(GL_TEXTURE_2D, 1, format, SIZE, SIZE);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	if (!glGetError() &&
	    glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE)
		return texture;
	scene_skip("rendering to the format");
	main_target();
	return 0;
}

/* All operations, on what was drawn without one. */
static void logic_cells(GLenum format)
{
	GLuint t;
	int i;

	if (format == GL_RGB10_A2 && scene_skip_on("T760 T860", 2500, 0, PACKED_RGB10))
		return;
	t = optional_target(format);
	if (!t)
		return;
	/* no component is near the middle between two codes of any format */
	use_fragment(vs_plain, "", "vec2 k = floor(v.xy * 16.0) / 15.0;"
		     " colour = vec4(k, 1.0 - k.x, k.y);");
	draw_rect(-1, -1, 1, 1, 0);
	glEnable(COLOR_LOGIC_OP);
	use_fragment(vs_plain, "", "vec2 k = floor(v.yx * 16.0) / 15.0;"
		     " colour = vec4(k.x, 0.75, k.y, 0.25);");
	for (i = 0; i < 16; i++) {
		float c[4];

		grid_cell(i, 4, c);
		logic_op(LOGIC_CLEAR + i);
		draw_rect(c[0], c[1], c[2], c[3], 0);
	}
	glDisable(COLOR_LOGIC_OP);
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

/* Mesa 22.3 takes integers of 8 and 16 bits for numbers of binary16 here. */
static void logic_integers(GLenum format)
{
	GLuint t;
	int i;

	if (format == GL_RGBA32UI &&
	    scene_skip_on("T760 T860", 2500, 0,
			  "inversion: the compiler loses it before a write"))
		return;
	t = optional_target(format);
	if (!t)
		return;
	make_program(vs_plain, "in vec4 v;\nlayout(location = 0) out uvec4 colour;\n"
		     "void main() { uvec2 p = uvec2(gl_FragCoord.xy);\n"
		     "colour = uvec4(p.x * 4u, p.y * 4u, p.x ^ p.y, p.x + p.y); }\n");
	draw_rect(-1, -1, 1, 1, 0);
	glEnable(COLOR_LOGIC_OP);
	make_program(vs_plain, "in vec4 v;\nlayout(location = 0) out uvec4 colour;\n"
		     "void main() { colour = uvec4(0x5au, 0xf0u, 0x33u, 1u); }\n");
	for (i = 0; i < 16; i++) {
		float c[4];

		grid_cell(i, 4, c);
		logic_op(LOGIC_CLEAR + i);
		draw_rect(c[0], c[1], c[2], c[3], 0);
	}
	glDisable(COLOR_LOGIC_OP);
	show_texture(t, "usampler2D", "vec4(texelFetch(t, p, 0) & 255u) / 255.0");
}

/* Blend functions that only a program can do, and others. */
static void blend_cells(GLenum format)
{
	GLuint t = optional_target(format);

	if (!t)
		return;
	blend_any(format == FORMAT_RGBA16 || format == GL_RGBA8_SNORM);
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

#define LOGIC(name, format)				\
static void logic_##name(void)				\
{							\
	logic_cells(format);				\
}

#define INTEGERS(name, format)				\
static void logic_##name(void)				\
{							\
	logic_integers(format);				\
}

#define BLEND(name, format)				\
static void blend_##name(void)				\
{							\
	blend_cells(format);				\
}

LOGIC(rgba8, GL_RGBA8)
LOGIC(rgb8, GL_RGB8)
LOGIC(rg8, GL_RG8)
LOGIC(r8, GL_R8)
LOGIC(rgb565, GL_RGB565)
LOGIC(rgba4, GL_RGBA4)
LOGIC(rgb5a1, GL_RGB5_A1)
LOGIC(rgb10a2, GL_RGB10_A2)
LOGIC(srgb8, GL_SRGB8_ALPHA8)
INTEGERS(r32ui, GL_R32UI)
INTEGERS(rgba32ui, GL_RGBA32UI)
BLEND(rgba16, FORMAT_RGBA16)
BLEND(rg16, FORMAT_RG16)
BLEND(r16, FORMAT_R16)
BLEND(rgba8_snorm, GL_RGBA8_SNORM)

#define SCENE(name, rows)	{ #name, name, rows, true }

const struct scene desktop_scenes[] = {
	SCENE(alpha_test, NULL),
	SCENE(alpha_test_depth, NULL),
	SCENE(alpha_test_masked, NULL),
	SCENE(alpha_test_discard, NULL),
	SCENE(alpha_test_blend, "blend-unorm8"),
	SCENE(occlusion_counter, NULL),
	SCENE(occlusion_samples, NULL),
	SCENE(logic_rgba8, "blend-constants@t7,t8"),
	SCENE(logic_rgb8, NULL),
	SCENE(logic_rg8, NULL),
	SCENE(logic_r8, NULL),
	SCENE(logic_rgb565, "store-rgb565-steps"),
	SCENE(logic_rgba4, NULL),
	SCENE(logic_rgb5a1, "store-rgb5a1-steps"),
	SCENE(logic_rgb10a2, "store-rgb10a2-steps"),
	SCENE(logic_srgb8, "store-srgb-steps blend-constants@t7,t8"),
	SCENE(logic_r32ui, NULL),
	SCENE(logic_rgba32ui, NULL),
	SCENE(blend_rgba16, "blend-unorm8"),
	SCENE(blend_rg16, NULL),
	SCENE(blend_r16, NULL),
	/* a step is 2 */
	SCENE(blend_rgba8_snorm, "blend-unorm8*2"),
	{ }
};
