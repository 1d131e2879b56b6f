// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes for chips of OpenGL ES 2 alone: sprites, clipping of points and lines, targets of any size
 * and place, pieces of a target drawn again.
 */
#include <stdio.h>

#include "gles.h"

/* Position and colour; the size of points is a multiple of alpha. */
static const char vs_sized[] =
	"layout(location = 0) in vec4 pos;\nlayout(location = 1) in vec4 col;\nout vec4 v;\n"
	"void main() { gl_Position = pos; v = col; gl_PointSize = 64.0 * col.a; }\n";

static void sized_points(const float (*pos)[4], unsigned int n)
{
	float colour[16][4];
	unsigned int i;

	for (i = 0; i < n; i++) {
		colour[i][0] = (float)(i & 1);
		colour[i][1] = (float)i / n;
		colour[i][2] = 1 - (float)i / n;
		colour[i][3] = (3 + 2 * i) / 64.0f;
	}
	set_vertices(pos, (const float (*)[4])colour, n);
	glDrawArrays(GL_POINTS, 0, n);
}

/* On Utgard, sprites in textures are upside down, as on the chip. @blue: a varying's part */
static void sprites(const char *blue)
{
	char text[256];

	snprintf(text, sizeof(text), "in vec4 v;\nout vec4 colour;\n"
		 "void main() { vec2 p = gl_PointCoord; colour = vec4(p.x, %s, v.%s, 1.0); }\n",
		 renderer_is("400 450") ? "1.0 - p.y" : "p.y", blue);
	make_program(vs_sized, text);
}

static void point_sprites(void)
{
	float pos[9][4] = { };
	int i;

	for (i = 0; i < 9; i++) {
		pos[i][0] = -0.7f + 0.7f * (i % 3);
		pos[i][1] = -0.7f + 0.7f * (i / 3);
		pos[i][3] = 1;
	}
	sprites("x");
	sized_points((const float (*)[4])pos, 9);
}

/* A point is drawn whole if its centre is inside, else not at all. */
static void points_clipped(void)
{
	static const float pos[8][4] = {
		{ -0.98, 0, 0, 1 }, { 0.99, 0.5, 0, 1 }, { -1.1, 0.5, 0, 1 }, { 0, 1.2, 0, 1 },
		{ 0, 0, -1.5, 1 }, { 0.4, 0, 1.5, 1 }, { -0.3, -0.3, 0, 1 }, { 0.3, -0.4, 0, -1 },
	};

	make_program(vs_sized, "in vec4 v;\nout vec4 colour;\n"
		     "void main() { colour = vec4(v.xyz, 1.0); }\n");
	sized_points(pos, 8);
}

static void points_scissor(void)
{
	static const float pos[2][4] = { { 0, 0, 0, 1 }, { 0.3, 0.3, 0, 1 } };

	glEnable(GL_SCISSOR_TEST);
	glScissor(30, 31, 20, 5);
	sprites("z");
	sized_points(pos, 2);
}

static void lines_clipped(void)
{
	static const float pos[6][4] = {
		{ -2, -0.5, 0, 1 }, { 2, 0.5, 0, 1 }, { 0.1, -3, 0, 1 }, { -0.2, 3, 0, 1 },
		{ -0.5, 0.5, -3, 1 }, { 0.5, 0.5, 3, 1 },
	};
	static const float colour[6][4] = {
		{ 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 }, { 1, 1, 0, 1 }, { 1, 0, 1, 1 },
		{ 0, 1, 1, 1 },
	};

	use_fragment(vs_colour, "", "colour = v;");
	set_vertices(pos, colour, 6);
	glDrawArrays(GL_LINES, 0, 6);
}

static void discard_depth(void)
{
	glEnable(GL_DEPTH_TEST);
	use_fragment(vs_plain, "", "if (fract(v.x * 5.0) < 0.5) discard; colour = vec4(1, v.xy, 1);");
	draw_rect(-1, -1, 1, 1, -0.5);
	draw_colour(-0.9, -0.5, 0.9, 0.5, 0, 0, 0.5, 1, 1);
}

static void discard_stencil(void)
{
	glEnable(GL_STENCIL_TEST);
	glStencilFunc(GL_ALWAYS, 3, 255);
	glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
	use_fragment(vs_plain, "", "if (v.x * v.x + v.y > 0.8) discard; colour = vec4(0, 0, 0, 1);");
	draw_rect(-1, -1, 1, 1, 0);
	glStencilFunc(GL_EQUAL, 3, 255);
	draw_colour(-0.9, -0.9, 0.9, 0.9, 0, 1, 0.5, 0.25, 1);
}

/* Three scissored pieces of a target: tiles between them keep what they have. */
static void pieces(void)
{
	GLuint t = make_target(GL_RGBA8, 0);
	int i;

	glClearColor(0.25, 0.5, 0.75, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glFinish();
	glEnable(GL_SCISSOR_TEST);
	for (i = 0; i < 3; i++) {
		glScissor(3 + 20 * i, 50 - 22 * i, 9 + i, 13);
		draw_colour(-1, -1, 1, 1, 0, i / 2.0f, 1, 0, 1);
		glFinish();
	}
	glDisable(GL_SCISSOR_TEST);
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

/* Depth and stencil are kept from one frame to the next. */
static void reload_zs(void)
{
	GLuint t = make_target(GL_RGBA8, GL_DEPTH24_STENCIL8);

	glClearColor(0, 0, 0.25, 1);
	glClearStencil(1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_STENCIL_TEST);
	glStencilOp(GL_KEEP, GL_INCR, GL_REPLACE);
	glStencilFunc(GL_ALWAYS, 7, 255);
	draw_colour(-0.8, -0.8, 0.2, 0.2, 0.3, 1, 0, 0, 1);
	glFinish();
	draw_colour(-0.4, -0.4, 0.8, 0.8, 0.6, 0, 1, 0, 1);
	glFinish();
	glDisable(GL_DEPTH_TEST);
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	glStencilFunc(GL_EQUAL, 8, 255);
	draw_colour(-1, -1, 1, 1, 0, 1, 1, 1, 1);
	glFinish();
	glDisable(GL_STENCIL_TEST);
	glBlendFunc(GL_ONE, GL_ONE);
	glEnable(GL_BLEND);
	draw_colour(-1, -1, 1, 1, 0, 0.125, 0.125, 0, 0);
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

static void draw_gradient(void)
{
	use_fragment(vs_plain, "", "colour = vec4(v.xy, 1.0 - v.x, 1.0);");
	draw_rect(-1, -1, 1, 1, 0);
	draw_colour(-0.5, -0.25, 0.5, 0.5, 0, 1, 1, 0, 1);
}

/* A target that is no multiple of a tile. */
static void odd_target(void)
{
	GLuint t = make_target_sized(GL_RGBA8, 0, 37);

	glViewport(0, 0, 37, 37);
	draw_gradient();
	glViewport(0, 0, SIZE, SIZE);
	show_texture(t, "sampler2D", "texture(t, v.xy)");
}

static void wide_target(void)
{
	GLuint fbo, t;

	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_2D, t);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4096, 20, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
	glViewport(0, 0, 4096, 20);
	draw_gradient();
	glViewport(0, 0, SIZE, SIZE);
	show_texture(t, "sampler2D", "texture(t, v.xy)");
}

/* Faces of a cube are targets. */
static void cube_target(void)
{
	GLuint fbo, t;
	int i;

	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_CUBE_MAP, t);
	for (i = 0; i < 6; i++)
		glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, GL_RGBA8, 16, 16, 0, GL_RGBA,
			     GL_UNSIGNED_BYTE, NULL);
	texture_params(GL_TEXTURE_CUBE_MAP, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glViewport(0, 0, 16, 16);
	for (i = 0; i < 6; i++) {
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
				       GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, t, 0);
		draw_colour(-1, -1, 1, 1, 0, (i & 1) / 1.0f, (i & 2) / 2.0f, (i & 4) / 4.0f, 1);
		draw_colour(-1, -1, 0, 0, 0, i / 6.0f, 0.5, 0.5, 1);
	}
	main_target();
	glViewport(0, 0, SIZE, SIZE);
	glBindTexture(GL_TEXTURE_CUBE_MAP, t);
	use_fragment(vs_plain, "uniform samplerCube t;",
		     "vec2 a = v.xy * 2.2 - 1.17; float z = 0.71; vec3 d = v.x < 0.4 ? vec3(0.83 * a.y, z, a.x)\n"
		     ": vec3(a.x, 0.77 * a.y, -z); colour = texture(t, d);");
	draw_rect(-1, -1, 1, 1, 0);
}

/* ---- samples ---- */

static const char multisampled[] = "GL_EXT_multisampled_render_to_texture";

/* A texture that is drawn to with four samples, of which it keeps the mean. */
static GLuint sampled_texture(void)
{
	PFNGLFRAMEBUFFERTEXTURE2DMULTISAMPLEEXTPROC attach =
		(void *)eglGetProcAddress("glFramebufferTexture2DMultisampleEXT");
	PFNGLRENDERBUFFERSTORAGEMULTISAMPLEEXTPROC store =
		(void *)eglGetProcAddress("glRenderbufferStorageMultisampleEXT");
	GLuint t, rb, fbo;

	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_2D, t);
	glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIZE, SIZE);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0, 4);
	glGenRenderbuffers(1, &rb);
	glBindRenderbuffer(GL_RENDERBUFFER, rb);
	store(GL_RENDERBUFFER, 4, GL_DEPTH_COMPONENT16, SIZE, SIZE);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, rb);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		scene_fail("texture with 4 samples is incomplete");
	return t;
}

static void draw_samples(void)
{
	static const float pos[6][4] = {
		{ -0.9, -0.8, 0.6, 1 }, { 0.8, -0.7, -0.3, 1 }, { 0.1, 0.9, 0.1, 1 },
		{ -0.6, 0.9, -0.5, 1 }, { -0.7, -0.9, 0.4, 1 }, { 0.9, 0.2, 0.2, 1 },
	};
	static const float colour[6][4] = {
		{ 1, 0, 0, 1 }, { 1, 1, 0, 1 }, { 1, 0, 1, 1 },
		{ 0, 1, 0, 1 }, { 0, 1, 1, 1 }, { 0.5, 1, 0, 1 },
	};

	glEnable(GL_DEPTH_TEST);
	use_fragment(vs_colour, "", "colour = v;");
	set_vertices(pos, colour, 6);
	glDrawArrays(GL_TRIANGLES, 0, 6);
}

/*
 * Mesa rasterizes one sample, with "multisample" off; lima writes four, one over another, where
 * others write their mean.
 */
static void msaa_texture(void)
{
	GLuint t;

	/* Mesa 22.3 has one on Mali, too */
	if (scene_skip_on("llvmpipe", 2500, 0, "samples of a texture: it has one"))
		return;
	t = has_extension(multisampled) ? sampled_texture() :
	    make_target(GL_RGBA8, GL_DEPTH_COMPONENT16);
	glClearColor(0, 0, 0.25, 1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	draw_samples();
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

/* ---- two colours ---- */

static GLuint two_colours(void)
{
	return make_program(vs_plain, only_es2() ?
		"#extension GL_EXT_blend_func_extended : require\n"
		"in vec4 v;\n"
		"void main() { gl_FragColor = vec4(v.xy, 0.5, v.x);\n"
		" gl_SecondaryFragColorEXT = vec4(v.yx, 1.0 - v.x, v.y); }\n" :
		"#extension GL_EXT_blend_func_extended : require\n"
		"in vec4 v;\n"
		"layout(location = 0, index = 0) out vec4 a;\n"
		"layout(location = 0, index = 1) out vec4 b;\n"
		"void main() { a = vec4(v.xy, 0.5, v.x); b = vec4(v.yx, 1.0 - v.x, v.y); }\n");
}

/* Blending with factors of the second colour, over a gradient. */
static void dual_source(void)
{
	static const GLenum factors[8][2] = {
		{ GL_SRC1_COLOR_EXT, GL_ZERO }, { GL_ONE, GL_SRC1_COLOR_EXT },
		{ GL_SRC1_ALPHA_EXT, GL_ONE_MINUS_SRC1_ALPHA_EXT }, { GL_ZERO, GL_SRC1_ALPHA_EXT },
		{ GL_ONE_MINUS_SRC1_COLOR_EXT, GL_SRC1_COLOR_EXT },
		{ GL_DST_COLOR, GL_ONE_MINUS_SRC1_COLOR_EXT },
		{ GL_ONE_MINUS_SRC1_ALPHA_EXT, GL_ONE }, { GL_SRC_ALPHA, GL_SRC1_COLOR_EXT },
	};
	float c[4];
	int i;

	if (!has_extension("GL_EXT_blend_func_extended")) {
		scene_skip("GL_EXT_blend_func_extended");
		return;
	}
	draw_gradient();
	glEnable(GL_BLEND);
	two_colours();
	for (i = 0; i < 8; i++) {
		grid_cell(i, 3, c);
		glBlendFunc(factors[i][0], factors[i][1]);
		draw_rect(c[0], c[1], c[2], c[3], 0);
	}
	glBlendFuncSeparate(GL_ONE, GL_SRC1_ALPHA_EXT, GL_SRC1_ALPHA_EXT, GL_ZERO);
	grid_cell(8, 3, c);
	draw_rect(c[0], c[1], c[2], c[3], 0);
}

const struct scene es2_scenes[] = {
	{ "msaa_texture", msaa_texture, "varying-slope snapping" },
	{ "dual_source", dual_source, "blend-unorm8" },
	{ "point_sprites", point_sprites },
	{ "points_clipped", points_clipped },
	{ "points_scissor", points_scissor },
	{ "lines_clipped", lines_clipped },
	{ "discard_depth", discard_depth },
	{ "discard_stencil", discard_stencil },
	{ "pieces", pieces },
	{ "reload_zs", reload_zs },
	{ "odd_target", odd_target },
	{ "wide_target", wide_target },
	{ "cube_target", cube_target },
	{ }
};
