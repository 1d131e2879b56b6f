// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes of what happens to fragments: depth, stencil, blending, masks, samples.
 */
#include "gles.h"

static void depth_funcs(void)
{
	static const GLenum funcs[] = {
		GL_NEVER, GL_LESS, GL_EQUAL, GL_LEQUAL, GL_GREATER, GL_NOTEQUAL, GL_GEQUAL,
		GL_ALWAYS,
	};
	int i, k;

	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_ALWAYS);
	draw_colour(-1, -1, 1, 1, 0.25, 0.2, 0.2, 0.2, 1);
	for (i = 0; i < 24; i++) {
		float c[4];

		k = i / 8;
		grid_cell(i, 5, c);
		glDepthFunc(funcs[i % 8]);
		draw_colour(c[0], c[1], c[2], c[3], 0.25 * k, 1, k * 0.5, 0, 1);
	}
}

static void depth_mask(void)
{
	glEnable(GL_DEPTH_TEST);
	glDepthMask(GL_FALSE);
	draw_colour(-0.8, -0.8, 0.4, 0.4, -0.5, 1, 0, 0, 1);
	glDepthMask(GL_TRUE);
	draw_colour(-0.4, -0.4, 0.8, 0.8, 0.5, 0, 1, 0, 1);
	draw_colour(-0.2, -0.2, 0.6, 0.9, 0.6, 0, 0, 1, 1);
}

static void depth_crossing(void)
{
	static const float pos[2][3][4] = {
		{ { -0.9, -0.9, -0.9, 1 }, { 0.9, 0, 0.9, 1 }, { -0.9, 0.9, -0.5, 1 } },
		{ { 0.9, -0.9, -0.9, 1 }, { 0.9, 0.9, -0.9, 1 }, { -0.9, 0, 0.9, 1 } },
	};
	int i;

	glEnable(GL_DEPTH_TEST);
	for (i = 0; i < 2; i++) {
		use_fragment(vs_plain, "uniform vec4 c;", "colour = c * v.z;");
		set_vec4("c", i, 1, 1 - i, 1);
		set_vertices(pos[i], NULL, 3);
		glDrawArrays(GL_TRIANGLES, 0, 3);
	}
}

static void polygon_offset(void)
{
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_LESS);
	draw_colour(-0.9, -0.9, 0.5, 0.5, 0, 1, 0, 0, 1);
	glEnable(GL_POLYGON_OFFSET_FILL);
	glPolygonOffset(0, -2);
	draw_colour(-0.5, -0.5, 0.3, 0.9, 0, 0, 1, 0, 1);
	glPolygonOffset(0, 2);
	draw_colour(-0.7, -0.7, 0.9, 0.1, 0, 0, 0, 1, 1);
	glPolygonOffset(1, 0);
	draw_colour(-0.2, -0.2, 0.1, 0.1, 0, 1, 1, 0, 1);
	/* beyond the planes: not clipped */
	glDepthFunc(GL_LEQUAL);
	glPolygonOffset(0, 2);
	draw_colour(0.55, -0.9, 0.95, 0.95, 1, 1, 1, 1, 1);
	glPolygonOffset(0, -2);
	draw_colour(-0.95, 0.55, -0.55, 0.95, -1, 0, 1, 1, 1);
}

static void frag_depth(void)
{
	glEnable(GL_DEPTH_TEST);
	draw_colour(-1, -1, 1, 1, 0, 0.3, 0.3, 0.3, 1);
	use_fragment(vs_plain, "", "gl_FragDepth = v.x; colour = vec4(v.xy, 1, 1);");
	draw_rect(-0.9, -0.9, 0.9, 0.9, 0.9);
}

static void discard_pixels(void)
{
	glEnable(GL_DEPTH_TEST);
	use_fragment(vs_plain, "", "ivec2 p = ivec2(gl_FragCoord.xy); "
		     "if (((p.x ^ p.y) & 4) == 0) discard; colour = vec4(v.xy, 0, 1);");
	draw_rect(-0.9, -0.9, 0.9, 0.9, -0.5);
	draw_colour(-1, -1, 1, 1, 0, 0, 0, 1, 1);
}

/* ---- stencil ---- */

static void show_stencil(void)
{
	int i;

	glDisable(GL_DEPTH_TEST);
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	for (i = 0; i < 16; i++) {
		glStencilFunc(GL_EQUAL, i << 4, 0xf0);
		draw_colour(-1, -1, 1, 1, 0, (i & 3) / 3.0, (i >> 2) / 3.0, i / 15.0, 1);
	}
}

static void stencil_ops(void)
{
	static const GLenum ops[] = {
		GL_KEEP, GL_ZERO, GL_REPLACE, GL_INCR, GL_DECR, GL_INVERT, GL_INCR_WRAP,
		GL_DECR_WRAP,
	};
	int i, n;

	glClearStencil(0xf8);
	glClear(GL_STENCIL_BUFFER_BIT);
	glEnable(GL_STENCIL_TEST);
	for (i = 0; i < 8; i++) {
		float c[4];

		grid_cell(i, 3, c);
		glStencilFunc(GL_ALWAYS, 0x7c, 0xff);
		glStencilOp(GL_KEEP, GL_KEEP, ops[i]);
		for (n = 0; n < 20; n++)
			draw_colour(c[0], c[1], c[2], c[3], 0, 0, 0, 0, 1);
	}
	show_stencil();
}

static void stencil_funcs(void)
{
	static const GLenum funcs[] = {
		GL_NEVER, GL_LESS, GL_EQUAL, GL_LEQUAL, GL_GREATER, GL_NOTEQUAL, GL_GEQUAL,
		GL_ALWAYS,
	};
	int i;

	glClearStencil(0x42);
	glClear(GL_STENCIL_BUFFER_BIT);
	glEnable(GL_STENCIL_TEST);
	for (i = 0; i < 24; i++) {
		float c[4];

		grid_cell(i, 5, c);
		glStencilFunc(funcs[i % 8], 0x41 + i / 8, 0x7f);
		draw_colour(c[0], c[1], c[2], c[3], 0, i / 23.0, 1, 0.5, 1);
	}
}

/* Different rules for front and back, failing depth, masks. */
static void stencil_two_sided(void)
{
	glClearStencil(0x80);
	glClear(GL_STENCIL_BUFFER_BIT);
	glEnable(GL_STENCIL_TEST);
	glEnable(GL_DEPTH_TEST);
	draw_colour(-1, -1, 0, 1, -0.5, 0.2, 0, 0, 1);
	glStencilFunc(GL_ALWAYS, 0xc0, 0xff);
	glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_ZERO, GL_REPLACE);
	glStencilOpSeparate(GL_BACK, GL_KEEP, GL_INVERT, GL_DECR);
	draw_colour(-0.8, -0.8, 0.8, -0.1, 0, 0, 0.2, 0, 1);
	draw_colour(0.8, 0.1, -0.8, 0.8, 0, 0, 0, 0.2, 1);
	glStencilMask(0x30);
	draw_colour(-0.2, -1, 0.2, 1, -0.9, 0, 0, 0, 1);
	glStencilMask(0xff);
	show_stencil();
}

/* A draw that writes nothing but depth and stencil needs no program. */
static void stencil_only(void)
{
	glEnable(GL_STENCIL_TEST);
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	glStencilFunc(GL_ALWAYS, 0x50, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
	draw_colour(-0.7, -0.5, 0.3, 0.9, 0, 1, 1, 1, 1);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	show_stencil();
}

/* ---- blending ---- */

static void under_blend(void)
{
	use_fragment(vs_plain, "", "colour = vec4(v.x, v.y, 0.5, v.x * v.y);");
	draw_rect(-1, -1, 1, 1, 0);
	glEnable(GL_BLEND);
}

static void blend_cell(int i, int n)
{
	float c[4];

	grid_cell(i, n, c);
	use_fragment(vs_plain, "", "colour = vec4(0.75, 0.25, v.x, 0.625);");
	draw_rect(c[0], c[1], c[2], c[3], 0);
}

static const GLenum factors[] = {
	GL_ZERO, GL_ONE, GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR, GL_DST_COLOR,
	GL_ONE_MINUS_DST_COLOR, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_DST_ALPHA,
	GL_ONE_MINUS_DST_ALPHA, GL_SRC_ALPHA_SATURATE,
};

static void blend_source(void)
{
	unsigned int i;

	under_blend();
	for (i = 0; i < ARRAY_SIZE(factors); i++) {
		glBlendFunc(factors[i], GL_ONE);
		blend_cell(i, 4);
	}
}

static void blend_destination(void)
{
	unsigned int i;

	under_blend();
	for (i = 0; i < ARRAY_SIZE(factors) - 1; i++) {
		glBlendFunc(GL_ONE, factors[i]);
		blend_cell(i, 4);
	}
}

static void blend_equations(void)
{
	static const GLenum equations[] = {
		GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN, GL_MAX,
	};
	unsigned int i;

	under_blend();
	for (i = 0; i < 10; i++) {
		glBlendEquationSeparate(equations[i % 5], i < 5 ? GL_FUNC_ADD : equations[i % 5]);
		glBlendFunc(GL_ONE, GL_ONE);
		blend_cell(i, 4);
	}
}

static void blend_constant(void)
{
	static const GLenum constants[] = {
		GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_COLOR, GL_CONSTANT_ALPHA,
		GL_ONE_MINUS_CONSTANT_ALPHA,
	};
	int i;

	under_blend();
	glBlendColor(0.2, 0.4, 0.8, 0.6);
	for (i = 0; i < 8; i++) {
		if (i < 4)
			glBlendFunc(constants[i], GL_ZERO);
		else
			glBlendFunc(GL_ONE, constants[i % 4]);
		blend_cell(i, 3);
	}
}

static void blend_separate(void)
{
	under_blend();
	glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
	blend_cell(0, 2);
	glBlendFuncSeparate(GL_DST_ALPHA, GL_DST_COLOR, GL_ONE, GL_ONE);
	blend_cell(1, 2);
	glBlendFuncSeparate(GL_ONE_MINUS_DST_COLOR, GL_SRC_COLOR, GL_DST_ALPHA, GL_ZERO);
	blend_cell(2, 2);
}

/* The order of primitives shows in each pixel. */
static void blend_order(void)
{
	int i;

	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	for (i = 0; i < 40; i++) {
		float x = -0.9 + 0.03 * i;

		draw_colour(x, x, x + 0.5, x + 0.6, 0, i & 1, i & 2 ? 1 : 0, i & 4 ? 1 : 0, 0.5);
	}
}

static void color_mask(void)
{
	int i;

	for (i = 0; i < 16; i++) {
		float c[4];

		grid_cell(i, 4, c);
		glColorMask(i & 1, i & 2, i & 4, i & 8);
		use_fragment(vs_plain, "", "colour = vec4(1, 0.75, 0.5, 0.25);");
		draw_rect(c[0], c[1], c[2], c[3], 0);
	}
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

/* ---- samples ---- */

static void sample_triangle(void)
{
	static const float pos[3][4] = {
		{ -0.8, -0.8, 0, 1 }, { 0.8, -0.7, 0, 1 }, { 0.1, 0.9, 0, 1 },
	};

	use_fragment(vs_plain, "", "colour = vec4(1, 1, 0, 1);");
	set_vertices(pos, NULL, 3);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void msaa(void)
{
	GLuint fbo = sample_target();

	sample_triangle();
	resolve_samples(fbo);
}

static void msaa_depth(void)
{
	static const float pos[3][4] = {
		{ -0.9, 0.9, -0.9, 1 }, { -0.9, -0.9, 0.9, 1 }, { 0.9, 0, 0.4, 1 },
	};
	GLuint fbo = sample_target();

	glEnable(GL_DEPTH_TEST);
	sample_triangle();
	use_fragment(vs_plain, "", "colour = vec4(0, 0, 1, 1);");
	set_vertices(pos, NULL, 3);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	resolve_samples(fbo);
}

static void sample_coverage(void)
{
	GLuint fbo = sample_target();
	int i;

	glEnable(GL_SAMPLE_COVERAGE);
	for (i = 0; i < 10; i++) {
		float c[4];

		grid_cell(i, 4, c);
		glSampleCoverage((i % 5) / 4.0, i >= 5);
		draw_colour(c[0], c[1], c[2], c[3], 0, 1, 1, 1, 1);
	}
	resolve_samples(fbo);
}

static void sample_mask(void)
{
	GLuint fbo;
	int i;

	if (needs_es3())
		return;
	fbo = sample_target();
	glEnable(GL_SAMPLE_MASK);
	for (i = 0; i < 16; i++) {
		float c[4];

		grid_cell(i, 4, c);
		glSampleMaski(0, i);
		draw_colour(c[0], c[1], c[2], c[3], 0, 1, 0.5, 1, 1);
	}
	glDisable(GL_SAMPLE_MASK);
	resolve_samples(fbo);
}

static void alpha_to_coverage(void)
{
	GLuint fbo = sample_target();
	int i;

	glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	for (i = 0; i < 5; i++) {
		float c[4];

		grid_cell(i, 3, c);
		draw_colour(c[0], c[1], c[2], c[3], 0, 1, 1, 1, i / 4.0);
	}
	resolve_samples(fbo);
}

/* A second frame on what the first one has left. */
static void reload(void)
{
	glEnable(GL_DEPTH_TEST);
	draw_colour(-0.9, -0.9, 0.3, 0.3, 0, 1, 0, 0, 1);
	glFinish();
	draw_colour(-0.5, -0.5, 0.9, 0.9, 0.5, 0, 1, 0, 1);
	glFinish();
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	draw_colour(-0.2, -0.9, 0.1, 0.9, -0.5, 0, 0, 1, 1);
}

static void reload_samples(void)
{
	GLuint fbo = sample_target();

	sample_triangle();
	glFinish();
	draw_colour(-0.3, -0.3, 0.31, 0.33, 0, 1, 0, 0, 1);
	resolve_samples(fbo);
}

const struct scene frag_scenes[] = {
	{ "depth_funcs", depth_funcs },
	{ "depth_mask", depth_mask },
	{ "depth_crossing", depth_crossing },
	{ "polygon_offset", polygon_offset },
	{ "frag_depth", frag_depth },
	{ "discard", discard_pixels },
	{ "stencil_ops", stencil_ops },
	{ "stencil_funcs", stencil_funcs },
	{ "stencil_two_sided", stencil_two_sided },
	{ "stencil_only", stencil_only },
	{ "blend_source", blend_source, "blend-unorm8" },
	{ "blend_destination", blend_destination, "blend-unorm8" },
	{ "blend_equations", blend_equations, "blend-unorm8" },
	{ "blend_constant", blend_constant, "blend-unorm8" },
	{ "blend_separate", blend_separate, "blend-unorm8" },
	{ "blend_order", blend_order, "varying-slope" },
	{ "color_mask", color_mask },
	{ "msaa", msaa },
	{ "msaa_depth", msaa_depth },
	{ "sample_coverage", sample_coverage },
	{ "sample_mask", sample_mask },
	{ "alpha_to_coverage", alpha_to_coverage },
	{ "reload", reload },
	{ "reload_samples", reload_samples },
	{ }
};
