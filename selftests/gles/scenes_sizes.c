// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes of many sizes: textures of all formats and orders of texels, points, windows; all states
 * of the stencil buffer; more draws than a chip's lists have room for.
 */
#include <stdlib.h>

#include "gles.h"

#define CELLS	8	/* in a row of the picture */
#define CELL	(SIZE / CELLS)

/* Let a rectangle from -1 to 1 cover cell @i. */
static void cell_viewport(int i)
{
	glViewport(i % CELLS * CELL, i / CELLS * CELL, CELL, CELL);
}

/* ---- textures ---- */

enum shape { SQUARE, WIDE, TALL };

static void texture_of_size(GLenum base, GLenum type, int bytes, int w, int h)
{
	uint8_t *p = malloc(bytes * w * h);
	int i;

	for (i = 0; i < bytes * w * h; i++)
		p[i] = (i / bytes * 37 + i / bytes / w * 11 + i % bytes * 85) & 0xff;
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glTexImage2D(GL_TEXTURE_2D, 0, base, w, h, 0, base, type, p);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
	free(p);
}

/*
 * A texture for each cell, up to 129 texels wide or high. Samples are off the borders of texels;
 * Utgard has 32 bits for coordinates that come from the vertices only.
 */
static void textures_of_sizes(GLenum base, GLenum type, int bytes, enum shape shape)
{
	int i, n;

	use_fragment("layout(location = 0) in vec4 pos;\n"
		     "out vec4 v;\n"
		     "void main() { gl_Position = pos; v = pos * 0.485 + 0.496; }\n",
		     "uniform sampler2D t;",
		     "vec4 c = texture(t, v.xy); colour = vec4(c.r, c.a, c.g, c.b);");
	for (i = 0; i < CELLS * CELLS; i++) {
		GLuint t;

		glGenTextures(1, &t);
		glBindTexture(GL_TEXTURE_2D, t);
		texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
		n = i == CELLS * CELLS - 1 ? 129 : 1 + 2 * i;
		texture_of_size(base, type, bytes, shape == TALL ? 1 + i % 7 : n,
				shape == WIDE ? 1 + i % 7 : n);
		cell_viewport(i);
		draw_rect(-1, -1, 1, 1, 0);
		glDeleteTextures(1, &t);
	}
	glViewport(0, 0, SIZE, SIZE);
}

#define SIZES(name, base, type, bytes)				\
static void square_##name(void)					\
{								\
	textures_of_sizes(base, type, bytes, SQUARE);		\
}								\
static void wide_##name(void)					\
{								\
	textures_of_sizes(base, type, bytes, WIDE);		\
}								\
static void tall_##name(void)					\
{								\
	textures_of_sizes(base, type, bytes, TALL);		\
}

SIZES(rgba8, GL_RGBA, GL_UNSIGNED_BYTE, 4)
SIZES(rgb565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2)
SIZES(la8, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 2)
SIZES(alpha8, GL_ALPHA, GL_UNSIGNED_BYTE, 1)

/* ---- points and windows ---- */

static void point_sizes(void)
{
	static const float sizes[] = { 63, 32, 16, 8, 5.5, 4, 3, 2, 1.5, 1, 0.5, 0.125 };
	unsigned int i;

	make_program("layout(location = 0) in vec4 pos;\nlayout(location = 1) in vec4 col;\n"
		     "out vec4 v;\nuniform float size;\n"
		     "void main() { gl_Position = pos; v = col; gl_PointSize = size; }\n",
		     "in vec4 v;\nout vec4 colour;\nvoid main() { colour = v; }\n");
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		const float x = -0.5f + (i % 4) * 0.375f, y = -0.5f + (i / 4) * 0.5f;
		const float pos[1][4] = { { i ? x : 0, i ? y : 0, 0, 1 } };
		const float colour[1][4] = { { i / 12.0f, 1 - i / 12.0f, i & 1, 1 } };

		set_float("size", sizes[i]);
		set_vertices(pos, colour, 1);
		glDrawArrays(GL_POINTS, 0, 1);
	}
}

/* Windows of any size, some outside of the picture, and scissors of none. */
static void windows(void)
{
	int i;

	glEnable(GL_SCISSOR_TEST);
	for (i = 0; i < 40; i++) {
		glViewport(i * 5 - 70, 60 - i * 3, i % 9 * 4, i % 7 * 6);
		glScissor(i, i / 2, i % 5 * 13, i % 3 * 20);
		draw_colour(-1, -1, 1, 1, 0, i / 39.0f, i & 1, i % 3 / 2.0f, 1);
	}
	glDisable(GL_SCISSOR_TEST);
	glViewport(0, 0, SIZE, SIZE);
}

/* ---- stencil ---- */

static const GLenum funcs[] = {
	GL_NEVER, GL_LESS, GL_EQUAL, GL_LEQUAL, GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS,
};

static const GLenum ops[] = {
	GL_KEEP, GL_ZERO, GL_REPLACE, GL_INCR, GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP,
};

/* Bits of the stencil buffer as colours. */
static void show_bits(void)
{
	int i;

	glDisable(GL_DEPTH_TEST);
	glStencilMask(0);
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	for (i = 0; i < 8; i++) {
		const float v = (1 << i % 3) / 8.0f;

		glStencilFunc(GL_EQUAL, 1 << i, 1 << i);
		draw_colour(-1, -1, 1, 1, 0, i < 3 ? v : 0, i >= 3 && i < 6 ? v : 0,
			    i >= 6 ? v : 0, 0);
	}
	glDisable(GL_BLEND);
	glDisable(GL_STENCIL_TEST);
	glStencilMask(0xff);
}

/* Columns: functions; rows: operations; @which: of a failed test, failed depth, both passed. */
static void stencil_matrix(int which)
{
	int i;

	glClearStencil(0xa5);
	glClear(GL_STENCIL_BUFFER_BIT);
	glClearStencil(0);
	glEnable(GL_STENCIL_TEST);
	glEnable(GL_DEPTH_TEST);
	for (i = 0; i < CELLS * CELLS; i++) {
		const GLenum op = ops[i / 8];

		cell_viewport(i);
		glStencilFunc(funcs[i % 8], 0x15 + i % 3 * 0x90, 0xf5);
		glStencilOp(which == 0 ? op : GL_KEEP, which == 1 ? op : GL_KEEP,
			    which == 2 ? op : GL_KEEP);
		glDepthFunc(which == 1 ? GL_NEVER : GL_ALWAYS);
		draw_rect(-1, -1, 1, 1, 0);
	}
	glViewport(0, 0, SIZE, SIZE);
	show_bits();
}

static void stencil_fail(void)
{
	use_fragment(vs_plain, "", "colour = vec4(0);");
	stencil_matrix(0);
}

static void stencil_depth_fail(void)
{
	use_fragment(vs_plain, "", "colour = vec4(0);");
	stencil_matrix(1);
}

static void stencil_pass(void)
{
	use_fragment(vs_plain, "", "colour = vec4(0);");
	stencil_matrix(2);
}

/* Masks of writes; some have a code of their own. */
static void stencil_masks(void)
{
	/* not 0: vc4 does not tell the chip (stencil_full_writemasks) */
	static const GLuint masks[] = { 1, 3, 7, 0xf, 0x55, 0x80, 0xfe, 0xff };
	int i;

	glClearStencil(0x3c);
	glClear(GL_STENCIL_BUFFER_BIT);
	glClearStencil(0);
	glEnable(GL_STENCIL_TEST);
	use_fragment(vs_plain, "", "colour = vec4(0);");
	for (i = 0; i < CELLS * CELLS; i++) {
		cell_viewport(i);
		glStencilMask(masks[i % 8]);
		glStencilFunc(GL_ALWAYS, 0xc3, masks[i / 8]);
		glStencilOp(GL_KEEP, GL_KEEP, i / 8 % 2 ? GL_INVERT : GL_REPLACE);
		draw_rect(-1, -1, 1, 1, 0);
	}
	glStencilMask(0xff);
	glViewport(0, 0, SIZE, SIZE);
	show_bits();
}

/* ---- batches ---- */

/* Vertices read what the draw before has written into a texture. */
static void target_in_vertices(void)
{
	GLint units;
	GLuint t;

	glGetIntegerv(GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, &units);
	if (!units) {
		scene_skip("textures in vertex programs");
		return;
	}
	t = make_target_sized(GL_RGBA8, 0, 16);
	use_fragment(vs_plain, "", "colour = vec4(v.xy, 0.5, 1);");
	draw_rect(-1, -1, 1, 1, 0);
	main_target();
	glBindTexture(GL_TEXTURE_2D, t);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	make_program("layout(location = 0) in vec4 pos;\nuniform sampler2D t;\nout vec4 v;\n"
		     "void main() { v = textureLod(t, pos.xy * 0.5 + 0.5, 0.0);\n"
		     "gl_Position = vec4(pos.xy * 0.75, 0, 1); }\n",
		     "in vec4 v;\nout vec4 colour;\nvoid main() { colour = v; }\n");
	draw_rect(-0.99, -0.99, 0.99, 0.99, 0);
}

/* More draws than fit into a list of the VideoCore IV, 0x1ef0, in all tiles of a target. */
static void many_draws(void)
{
	static float pos[8000][4], colour[8000][4];
	GLuint t;
	int i, k;

	if (scene_skip_on("T760 T860 G31 G52 G71 G72 400 450", 0, 0, "so many draws"))
		return;
	t = make_target_sized(GL_RGBA8, 0, 150);
	glClear(GL_COLOR_BUFFER_BIT);
	use_fragment(vs_colour, "", "colour = v;");
	for (i = 0; i < 8000; i++) {
		/* centres of pixels */
		pos[i][0] = (i * 7 % 150 + 0.5f) / 75 - 1;
		pos[i][1] = (i / 54 + 0.5f) / 75 - 1;
		pos[i][3] = 1;
		for (k = 0; k < 4; k++)
			colour[i][k] = 1;
	}
	set_vertices((const float (*)[4])pos, (const float (*)[4])colour, 8000);
	for (i = 0; i < 8000; i++)
		glDrawArrays(GL_POINTS, i, 1);
	main_target();
	show_texture(t, "sampler2D", "texelFetch(t, p * 149 / 63, 0)");
}

/* 2048 x 2048 pixels of four samples: 4096 tiles of a VideoCore IV, a triangle in each. */
static void many_tiles(void)
{
	static float pos[3 * 4096][4], colour[3 * 4096][4];
	GLuint fbo;
	int i, k, x, y;

	if (scene_skip_on("T760 T860 G31 G52 G71 G72 400 450", 0, 0, "so large a target"))
		return;
	fbo = sample_target_sized(2048);
	for (i = 0; i < 3 * 4096; i++) {
		k = i / 3;
		/* a third of them ends left of the pixel in the middle, which is the picture's */
		x = k % 64 * 32 + 2 + i % 3 * 14 - k % 3 * 4;
		y = k / 64 * 32 + (i % 3 == 1 ? 30 : 2);
		pos[i][0] = x / 1024.0f - 1;
		pos[i][1] = y / 1024.0f - 1;
		pos[i][3] = 1;
		colour[i][0] = k % 64 / 63.0f;
		colour[i][1] = k / 64 / 63.0f;
		colour[i][2] = k % 5 / 4.0f;
		colour[i][3] = 1;
	}
	use_fragment(vs_colour, "", "colour = v;");
	set_vertices((const float (*)[4])pos, (const float (*)[4])colour, 3 * 4096);
	glDrawArrays(GL_TRIANGLES, 0, 3 * 4096);
	resolve_samples(fbo);
}

/* Each sample is blended with its own colour, which was stored and is loaded again. */
static void msaa_reload(void)
{
	static const float pos[2][3][4] = {
		{ { -0.8, -0.8, 0, 1 }, { 0.8, -0.75, 0, 1 }, { 0.125, 0.875, 0, 1 } },
		{ { -0.8, 0.7, 0, 1 }, { 0.8, 0.75, 0, 1 }, { -0.125, -0.875, 0, 1 } },
	};
	GLuint fbo = sample_target();
	int i;

	use_fragment(vs_plain, "uniform vec4 c;", "colour = c;");
	for (i = 0; i < 2; i++) {
		set_vec4("c", i ? 0.25 : 1, 0.75, i, 0.5);
		set_vertices(pos[i], NULL, 3);
		glDrawArrays(GL_TRIANGLES, 0, 3);
		glFinish();
		glEnable(GL_BLEND);
		glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	}
	/* one sample of a pixel at an edge has another colour than the other three */
	glBlendFunc(GL_DST_COLOR, GL_ZERO);
	draw_rect(-0.5, -1, 0.5, 1, 0);
	resolve_samples(fbo);
}

#define SCENES(name, rows)					\
	{ "square_" #name, square_##name, rows },		\
	{ "wide_" #name, wide_##name, rows },			\
	{ "tall_" #name, tall_##name, rows }

const struct scene sizes_scenes[] = {
	SCENES(rgba8, NULL),
	SCENES(rgb565, "sample-rgb565"),
	SCENES(la8, NULL),
	SCENES(alpha8, NULL),
	{ "point_sizes", point_sizes },
	{ "windows", windows },
	{ "stencil_fail", stencil_fail },
	{ "stencil_depth_fail", stencil_depth_fail },
	{ "stencil_pass", stencil_pass },
	{ "stencil_masks", stencil_masks },
	{ "target_in_vertices", target_in_vertices },
	{ "many_draws", many_draws },
	{ "many_tiles", many_tiles },
	{ "msaa_reload", msaa_reload },
	{ }
};
