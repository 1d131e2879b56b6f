// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes of fragments that read the framebuffer: framebuffer fetch, advanced blending.
 */
#include "gles.h"

#define COHERENT	"GL_EXT_shader_framebuffer_fetch"
#define NONCOHERENT	"GL_EXT_shader_framebuffer_fetch_non_coherent"
#define ADVANCED	"GL_KHR_blend_equation_advanced"
#define MAX_TARGETS	4

static bool needs(const char *extension)
{
	if (has_extension(extension))
		return true;
	scene_skip(extension);
	return false;
}

/* Textures of these formats as targets. */
static void make_targets(const GLenum *formats, int n, GLuint *textures)
{
	GLenum buffers[MAX_TARGETS];
	GLuint fbo;
	int i;

	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glGenTextures(n, textures);
	for (i = 0; i < n; i++) {
		buffers[i] = GL_COLOR_ATTACHMENT0 + i;
		glBindTexture(GL_TEXTURE_2D, textures[i]);
		glTexStorage2D(GL_TEXTURE_2D, 1, formats[i], SIZE, SIZE);
		texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
		glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, textures[i], 0);
	}
	glDrawBuffers(n, buffers);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		scene_fail("targets are incomplete");
}

static void clear_float(int i, float r, float g, float b, float a)
{
	const float v[4] = { r, g, b, a };

	glClearBufferfv(GL_COLOR, i, v);
}

static void clear_uint(int i, GLuint r)
{
	const GLuint v[4] = { r, r + 1, r + 2, r + 3 };

	glClearBufferuiv(GL_COLOR, i, v);
}

/* Rectangles of which each pixel has up to three, in one draw: two triangles each. */
static void draw_overlapping(void)
{
	draw_rect(-0.9, -0.9, 0.4, 0.5, 0);
	draw_rect(-0.5, -0.6, 0.8, 0.7, 0);
	draw_rect(-0.2, -0.9, 0.9, 0.2, 0);
}

static void fetch_float(GLenum format)
{
	GLuint t;

	if (!needs(COHERENT))
		return;
	make_targets(&format, 1, &t);
	clear_float(0, 0.8, 0.4, 0.2, 1);
	make_program(vs_plain, "#extension " COHERENT " : require\nin vec4 v;\n"
		     "layout(location = 0) inout vec4 a;\n"
		     "void main() { a = a.gbra * 0.5 + v * 0.5; }\n");
	draw_overlapping();
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

static void fetch_rgba8(void)
{
	fetch_float(GL_RGBA8);
}

static void fetch_rgb565(void)
{
	fetch_float(GL_RGB565);
}

static void fetch_rgb10a2(void)
{
	fetch_float(GL_RGB10_A2);
}

static void fetch_rgba16f(void)
{
	if (needs("GL_EXT_color_buffer_float"))
		fetch_float(GL_RGBA16F);
}

static void fetch_uint(GLenum format, const char *show)
{
	GLuint t;

	if (!needs(COHERENT))
		return;
	make_targets(&format, 1, &t);
	clear_uint(0, 5);
	make_program(vs_plain, "#extension " COHERENT " : require\nin vec4 v;\n"
		     "layout(location = 0) inout uvec4 a;\n"
		     "void main() { a = a.gbar * 3u + uvec4(v * 20.0); }\n");
	draw_overlapping();
	show_texture(t, "usampler2D", show);
}

static void fetch_r32ui(void)
{
	fetch_uint(GL_R32UI, "vec4(texelFetch(t, p, 0).xxxx >> uvec4(0, 2, 4, 0) & 255u) / 255.0");
}

static void fetch_rgba8ui(void)
{
	fetch_uint(GL_RGBA8UI, "vec4(texelFetch(t, p, 0)) / 255.0");
}

static void fetch_rgba16ui(void)
{
	fetch_uint(GL_RGBA16UI, "vec4(texelFetch(t, p, 0)) / 900.0");
}

/* Two targets that read each other, the second one of integers; the last one only writes. */
static void fetch_mrt(void)
{
	static const GLenum formats[] = { GL_RGBA8, GL_RGBA8UI, GL_RGBA8 };
	GLuint t[ARRAY_SIZE(formats)];

	if (!needs(COHERENT))
		return;
	make_targets(formats, ARRAY_SIZE(formats), t);
	clear_float(0, 0.8, 0.4, 0.2, 1);
	clear_uint(1, 100);
	clear_float(2, 0, 0, 0, 1);
	make_program(vs_plain, "#extension " COHERENT " : require\nin vec4 v;\n"
		     "layout(location = 0) inout vec4 a;\nlayout(location = 1) inout uvec4 b;\n"
		     "layout(location = 2) out vec4 c;\n"
		     "void main() { vec4 old = a; a = vec4(b) / 255.0 * 0.5 + v * 0.5;\n"
		     "b = uvec4(old * 200.0) + 10u; c = old * v; }\n");
	draw_overlapping();
	show_texture(t[0], "sampler2D", "texelFetch(t, p, 0)");
	glEnable(GL_SCISSOR_TEST);
	glScissor(SIZE / 3, 0, SIZE / 3, SIZE);
	show_texture(t[1], "usampler2D", "vec4(texelFetch(t, p, 0)) / 255.0");
	glScissor(2 * SIZE / 3, 0, SIZE, SIZE);
	show_texture(t[2], "sampler2D", "texelFetch(t, p, 0)");
}

/*
 * Programs that read samples. All samples of a pixel have the same colour, and a program that runs
 * twice changes nothing: Mesa's compiler for Bifrost lets all samples read the first one (22.3:
 * bi_pixel_indices() adds the sample in blend shaders only).
 */
static void fetch_samples(void)
{
	GLuint fbo, rb;

	if (!needs(COHERENT))
		return;
	glGenFramebuffers(1, &fbo);
	glGenRenderbuffers(1, &rb);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glBindRenderbuffer(GL_RENDERBUFFER, rb);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, SIZE, SIZE);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
	clear_float(0, 0.8, 0.4, 0.2, 1);
	make_program(vs_plain, "#extension " COHERENT " : require\nin vec4 v;\n"
		     "layout(location = 0) inout vec4 a;\n"
		     "void main() { a = vec4(max(a.r, v.x), min(a.g, v.y), max(a.b, v.y), 1.0); }\n");
	draw_rect(-0.875, -0.875, 0.375, 0.5, 0);
	draw_rect(-0.5, -0.625, 0.75, 0.625, 0);
	main_target();
	glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
	glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	main_target();
}

/* The program reads what was drawn before a barrier. */
static void fetch_noncoherent(void)
{
	static const GLenum format = GL_RGBA8;
	void (*barrier)(void) = (void (*)(void))eglGetProcAddress("glFramebufferFetchBarrierEXT");
	GLuint t;
	int i;

	if (!needs(NONCOHERENT) || !barrier)
		return;
	make_targets(&format, 1, &t);
	clear_float(0, 0.8, 0.4, 0.2, 1);
	make_program(vs_plain, "#extension " NONCOHERENT " : require\nin vec4 v;\n"
		     "layout(location = 0, noncoherent) inout vec4 a;\n"
		     "void main() { a = a.gbra * 0.5 + v * 0.5; }\n");
	for (i = 0; i < 3; i++) {
		barrier();
		draw_rect(-0.9 + 0.2 * i, -0.9, 0.4 + 0.2 * i, 0.3 + 0.3 * i, 0);
	}
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

/* Each equation in a cell of a grid, with transparent and opaque colours on both sides. */
static void blend_advanced(void)
{
	static const GLenum equations[] = {
		GL_MULTIPLY_KHR, GL_SCREEN_KHR, GL_OVERLAY_KHR, GL_DARKEN_KHR, GL_LIGHTEN_KHR,
		GL_COLORDODGE_KHR, GL_COLORBURN_KHR, GL_HARDLIGHT_KHR, GL_SOFTLIGHT_KHR,
		GL_DIFFERENCE_KHR, GL_EXCLUSION_KHR, GL_HSL_HUE_KHR, GL_HSL_SATURATION_KHR,
		GL_HSL_COLOR_KHR, GL_HSL_LUMINOSITY_KHR,
	};
	void (*barrier)(void) = (void (*)(void))eglGetProcAddress("glBlendBarrierKHR");
	unsigned int i;
	float c[4];

	if (!needs(ADVANCED) || !barrier)
		return;
	use_fragment(vs_plain, "", "colour = vec4(v.y, v.x, 1.0 - v.y, 1) * (v.x * 0.5 + 0.5);");
	draw_rect(-1, -1, 1, 1, 0);
	make_program(vs_plain, "#extension " ADVANCED " : require\nin vec4 v;\n"
		     "layout(blend_support_all_equations) out;\n"
		     "layout(location = 0) out vec4 colour;\n"
		     "void main() { colour = vec4(fract(v.x * 4.0), fract(v.y * 4.0), v.x, 1)\n"
		     "* (v.y * 0.75 + 0.25); }\n");
	glEnable(GL_BLEND);
	for (i = 0; i < ARRAY_SIZE(equations); i++) {
		grid_cell((int)i, 4, c);
		glBlendEquation(equations[i]);
		barrier();
		draw_rect(c[0], c[1], c[2], c[3], 0);
	}
	glDisable(GL_BLEND);
	glBlendEquation(GL_FUNC_ADD);
}

const struct scene fetch_scenes[] = {
	{ "fetch_rgba8", fetch_rgba8 },
	{ "fetch_rgb565", fetch_rgb565, "store-rgb565-steps" },
	{ "fetch_rgb10a2", fetch_rgb10a2 },
	{ "fetch_rgba16f", fetch_rgba16f, "half-draw" },
	{ "fetch_r32ui", fetch_r32ui },
	{ "fetch_rgba8ui", fetch_rgba8ui },
	{ "fetch_rgba16ui", fetch_rgba16ui },
	{ "fetch_mrt", fetch_mrt },
	{ "fetch_samples", fetch_samples, "sample-positions" },
	{ "fetch_noncoherent", fetch_noncoherent },
	{ "blend_advanced", blend_advanced },
	{ }
};
