// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes of states at their limits: negative w, planes of depth, slopes, all factors
 * of blending, primitives of no area, edges of tiles, textures of odd sizes, targets of 16 bits.
 * Vertices are at multiples of 1/16 pixel.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gles.h"

#define GRID(p)	(roundf((p) * 512) / 512)	/* 1/16 pixel of SIZE */

/* Mesa 22.3: vc4_texture_subdata() */
#define NOT_FLUSHED	"flush before a texture that jobs use is written"

/* "v" is attribute 1, the coordinates of textures. */
static const char vs_coords[] =
	"layout(location = 0) in vec4 pos;\nlayout(location = 1) in vec4 col;\n"
	"out vec4 v;\nvoid main() { gl_Position = pos; v = col; }\n";

/* Colours that differ from vertex to vertex. */
static void vary(float c[4], int i)
{
	c[0] = (i * 3 % 7) / 6.0f;
	c[1] = (i * 5 % 8) / 7.0f;
	c[2] = (i % 3) / 2.0f;
	c[3] = 1;
}

static void draw_varied(GLenum mode, const float (*pos)[4], int n)
{
	float colour[256][4];
	int i;

	for (i = 0; i < n; i++)
		vary(colour[i], i);
	use_fragment(vs_colour, "", "colour = v;");
	set_vertices(pos, (const float (*)[4])colour, n);
	glDrawArrays(mode, 0, n);
}

/* ---- clipping ---- */

/* Strip and fan, some of whose corners have a w of 0 or less. */
static void eye_strip(void)
{
	static const float pos[10][4] = {
		{ -0.75, -0.75, 0, 1 }, { -0.75, 0.5, 0, 1 }, { -0.5, -0.5, 0.25, 0.75 },
		{ -0.25, 0.5, 0, 0.125 }, { 0, -0.75, 0, 0.5 }, { 0.125, 0.5, -0.25, -0.5 },
		{ 0.25, -0.5, 0, 1 }, { 0.5, 0.75, 0, 1 }, { 0.75, -0.25, 0.5, -1 },
		{ 0.875, 0.5, 0, 1 },
	};

	draw_varied(GL_TRIANGLE_STRIP, pos, 10);
}

static void eye_fan(void)
{
	static const float pos[7][4] = {
		{ 0.125, 0.0625, 0, 0.5 }, { 0.75, 0, 0, 1 }, { 0.5, 0.75, 0, 0.25 },
		{ -0.25, 0.75, 0.25, -0.25 }, { -0.75, 0.25, 0, 1 }, { -0.5, -0.5, 0, 0.125 },
		{ 0.25, -0.75, 0, 0.5 },
	};

	draw_varied(GL_TRIANGLE_FAN, pos, 7);
}

static void eye_lines(void)
{
	static const float pos[8][4] = {
		{ -0.75, -0.5, 0, 1 }, { 0.25, 0.5, 0, -0.5 }, { 0.5, -0.75, 0, 1 },
		{ 0, 0.25, 0, 0.0625 }, { -0.5, 0.75, 0, 2 }, { 0.5, 0.5, 0.25, 0.5 },
		{ 0, 0, 0, -1 }, { 0.5, 0.5, 0, -1 },
	};

	if (scene_skip_on("llvmpipe", 2500, 0, "all of a line that ends at a negative w"))
		return;
	glLineWidth(3);
	draw_varied(GL_LINES, pos, 8);
}

/* Corners at infinity. Mali's rasteriser gets window coordinates, which there are none of. */
static void eye_plane(void)
{
	static const float pos[6][4] = {
		{ -0.75, -0.75, 0, 1 }, { 0.5, -0.5, 0, 1 }, { 0.25, 0.5, 0, 0 },
		{ -0.25, 0.5, -0.5, 1 }, { -0.5, 0.25, 0, 0 }, { 0, -0.25, 0, 1 },
	};

	if (!scene_skip_on("T760 T860 G31 G52 G71 G72 400 450", 0, 0, "vertices at infinity"))
		draw_varied(GL_TRIANGLES, pos, 6);
}

/* Every corner outside of another plane, the triangle covers a part of the picture. */
static void six_planes(void)
{
	static const float pos[12][4] = {
		{ -3, -1, -2, 1 }, { 2, -2, 0.5, 1 }, { 0.5, 3, 3, 1 },
		{ -2, 2, 0.25, 1 }, { 1.5, 1.75, -3, 1 }, { 0.25, -4, 2, 1.5 },
		{ 4, 0, -2, 2 }, { -1, -0.75, 1.5, 1 }, { -1, 0.75, 0, 0.5 },
		{ 0, 0, 0.5, 0.25 }, { 0.25, 0, 0.75, 0.5 }, { 0, 0.25, 2, 1 },
	};

	glEnable(GL_DEPTH_TEST);
	draw_varied(GL_TRIANGLES, pos, 12);
}

/* The same triangle ever farther away: beyond 2048 pixels, and beyond 65536. */
static void farther(void)
{
	int i;

	for (i = 0; i < 9; i++) {
		const float far = 1 << 2 * i, top = GRID(0.9f - i * 0.2f);
		const float pos[3][4] = {
			{ -far, top, 0, 1 }, { far, top, 0, 1 }, { far, top - 0.125f, 0, 1 },
		};
		float c[4];

		vary(c, i + 1);
		use_fragment(vs_plain, "uniform vec4 c;", "colour = c;");
		set_vec4("c", c[0], c[1], c[2], 1);
		set_vertices(pos, NULL, 3);
		glDrawArrays(GL_TRIANGLES, 0, 3);
	}
}

/* Parts of the picture whose windows are much larger than it, or negative. */
static void huge_windows(void)
{
	static const int windows[6][4] = {
		{ -1000, -900, 2040, 1900 }, { -16, 10, 32, 500 }, { 40, -100, 1024, 140 },
		{ 20, 20, 1, 1 }, { -2000, 30, 2048, 3 }, { 60, 60, 2000, 2000 },
	};
	int i;

	for (i = 0; i < 6; i++) {
		glViewport(windows[i][0], windows[i][1], windows[i][2], windows[i][3]);
		use_fragment(vs_plain, "uniform vec4 c;", "colour = vec4(v.xy, c.z, 1);");
		set_vec4("c", 0, 0, i / 5.0f, 1);
		draw_rect(-1, -1, 1, 1, 0);
	}
}

/* ---- depth ---- */

/* All orders of the planes, also equal ones. */
static void depth_ranges(void)
{
	static const float ranges[9][2] = {
		{ 0, 1 }, { 1, 0 }, { 0.25, 0.75 }, { 0.75, 0.25 }, { 0.5, 0.5 }, { 0, 0 },
		{ 1, 1 }, { -1, 2 }, { 0.125, 0.130859375 },
	};
	float c[4];
	int i, k;

	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_ALWAYS);
	draw_colour(-1, -1, 1, 1, 0, 0.1, 0.1, 0.1, 1);
	for (i = 0; i < 9; i++) {
		grid_cell(i, 3, c);
		for (k = 0; k < 2; k++) {
			const float pos[4][4] = {
				{ GRID(c[0]), GRID(c[1]), -1, 1 }, { GRID(c[2]), GRID(c[1]), 1, 1 },
				{ GRID(c[0]), GRID(c[3]), k ? 1 : -1, 1 },
				{ GRID(c[2]), GRID(c[3]), k ? -1 : 1, 1 },
			};

			glDepthRangef(ranges[i][0], ranges[i][1]);
			glDepthFunc(k ? GL_GREATER : GL_LESS);
			use_fragment(vs_plain, "", "colour = vec4(gl_FragCoord.z, v.xy, 1);");
			set_vertices(pos, NULL, 4);
			glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
		}
	}
}

/* Slopes that are nearer or farther by their offset than without it. */
static void offset_slopes(void)
{
	static const float offsets[12][2] = {
		{ 1, 0 }, { -1, 0 }, { 0.25, 0 }, { -0.25, 0 }, { 4, 0 }, { -4, 0 },
		{ 0, 100 }, { 0, -100 }, { 2, -50 }, { -2, 50 }, { 31, 0 }, { -31.5, 0 },
	};
	float c[4];
	int i, k;

	glEnable(GL_DEPTH_TEST);
	for (i = 0; i < 16; i++) {
		grid_cell(i, 4, c);
		for (k = 0; k < 2; k++) {
			const float z = i / 32.0f;
			const float pos[4][4] = {
				{ GRID(c[0]), GRID(c[1]), 0, 1 }, { GRID(c[2]), GRID(c[1]), z, 1 },
				{ GRID(c[0]), GRID(c[3]), -z, 1 }, { GRID(c[2]), GRID(c[3]), 0, 1 },
			};

			if (k) {
				glEnable(GL_POLYGON_OFFSET_FILL);
				glPolygonOffset(offsets[i % 12][0], offsets[i % 12][1]);
			} else {
				glDisable(GL_POLYGON_OFFSET_FILL);
			}
			glDepthFunc(k ? GL_LESS : GL_ALWAYS);
			use_fragment(vs_plain, "uniform vec4 c;", "colour = c;");
			set_vec4("c", 1 - k, k, i / 15.0f, 1);
			set_vertices(pos, NULL, 4);
			glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
		}
	}
}

/* Offsets with a target of 16 bits of depth. */
static void offset_z16(void)
{
	GLuint t = make_target(GL_RGBA8, GL_DEPTH_COMPONENT16);

	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	draw_colour(-1, -1, 1, 1, 0, 0.25, 0, 0, 1);
	glEnable(GL_POLYGON_OFFSET_FILL);
	glPolygonOffset(0, -2);
	draw_colour(-0.75, -0.75, 0, 0.75, 0, 0, 1, 0, 1);
	glPolygonOffset(0, 2);
	draw_colour(-0.5, -0.5, 0.75, 0.5, 0, 0, 0, 1, 1);
	glPolygonOffset(0, -60);
	draw_colour(0.125, -0.75, 0.75, 0.75, 0, 1, 1, 0, 1);
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

/* Depth is cleared and kept in parts, between batches, with masks. */
static void depth_clears(void)
{
	GLuint t = make_target(GL_RGBA8, GL_DEPTH24_STENCIL8);
	int i;

	glClearColor(0, 0, 0.25, 1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	draw_colour(-1, -1, 1, 1, 0, 0.25, 0.25, 0.25, 1);
	glEnable(GL_SCISSOR_TEST);
	for (i = 0; i < 6; i++) {
		if (i & 1)
			glFinish();
		glScissor(i * 9 + 1, i * 7 + 2, 17, 19);
		glClearDepthf(i / 5.0f);
		glClearStencil(i);
		glDepthMask(i % 3 != 2);
		glStencilMask(i & 2 ? 0x0f : 0xff);
		glClear(i % 3 == 1 ? GL_DEPTH_BUFFER_BIT :
			GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	}
	glClearDepthf(1);
	glClearStencil(0);
	glDepthMask(GL_TRUE);
	glStencilMask(0xff);
	glDisable(GL_SCISSOR_TEST);
	draw_colour(-1, -1, 1, 1, 0.3125, 1, 0.5, 0, 1);
	glDisable(GL_DEPTH_TEST);
	glEnable(GL_STENCIL_TEST);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	for (i = 0; i < 3; i++) {
		glStencilFunc(GL_EQUAL, 1 << i, 1 << i);
		draw_colour(-1, -1, 1, 1, 0, 0, i == 0 ? 0.25 : 0, i == 1 ? 0.5 : 0.125, 0);
	}
	glDisable(GL_STENCIL_TEST);
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

/* ---- stencil ---- */

/* Front and back differ in all that they can. */
static void stencil_sides(void)
{
	static const GLenum ops[] = {
		GL_KEEP, GL_ZERO, GL_REPLACE, GL_INCR, GL_DECR, GL_INVERT, GL_INCR_WRAP,
		GL_DECR_WRAP,
	};
	static const GLenum funcs[] = {
		GL_ALWAYS, GL_LESS, GL_EQUAL, GL_LEQUAL, GL_GREATER, GL_NOTEQUAL, GL_GEQUAL,
		GL_NEVER,
	};
	float c[4];
	int i, bit;

	glClearStencil(0x81);
	glClear(GL_STENCIL_BUFFER_BIT);
	glClearStencil(0);
	glEnable(GL_STENCIL_TEST);
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_LESS);
	for (i = 0; i < 64; i++) {
		bool back = (i / 3) & 1;

		grid_cell(i, 8, c);
		glStencilFuncSeparate(GL_FRONT, funcs[i % 8], 0x81 + i % 5 * 0x20, 0xf3);
		glStencilFuncSeparate(GL_BACK, funcs[(i + 3) % 8], 0x40 + i, 0x7f);
		glStencilOpSeparate(GL_FRONT, ops[i / 8], ops[(i + 2) % 8], ops[(i + 5) % 8]);
		glStencilOpSeparate(GL_BACK, ops[(i + 1) % 8], ops[i / 8], ops[(i + 6) % 8]);
		glStencilMaskSeparate(GL_FRONT, i & 1 ? 0xff : 0x0f);
		glStencilMaskSeparate(GL_BACK, i & 2 ? 0xf : 0xff);
		glFrontFace(i & 4 ? GL_CW : GL_CCW);
		if (back)
			draw_colour(c[2], c[1], c[0], c[3], i % 5 / 2.0f - 0.5f, 0, 0, 0, 1);
		else
			draw_colour(c[0], c[1], c[2], c[3], i % 5 / 2.0f - 0.5f, 0, 0, 0, 1);
	}
	glFrontFace(GL_CCW);
	glDisable(GL_DEPTH_TEST);
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	for (bit = 0; bit < 8; bit++) {
		const float v = (1 << bit % 3) / 8.0f;

		glStencilFunc(GL_EQUAL, 1 << bit, 1 << bit);
		draw_colour(-1, -1, 1, 1, 0, bit < 3 ? v : 0, bit >= 3 && bit < 6 ? v : 0,
			    bit >= 6 ? v : 0, 0);
	}
}

/* Points and lines have the front's state; operations wrap and saturate at the ends. */
static void stencil_points(void)
{
	static const float pos[4][4] = {
		{ -0.75, 0.5, 0, 1 }, { 0.75, 0.5, 0, 1 }, { -0.75, -0.5, 0, 1 }, { 0.75, -0.5, 0,
										    1 },
	};
	int i;

	glEnable(GL_STENCIL_TEST);
	glEnable(GL_CULL_FACE);
	glCullFace(GL_FRONT_AND_BACK);
	glStencilFunc(GL_ALWAYS, 0, 0xff);
	glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_DECR_WRAP);
	glStencilOpSeparate(GL_BACK, GL_KEEP, GL_KEEP, GL_REPLACE);
	make_program("layout(location = 0) in vec4 pos;\nout vec4 v;\n"
		     "void main() { gl_Position = pos; gl_PointSize = 17.0; v = pos; }\n",
		     "in vec4 v;\nout vec4 colour;\nvoid main() { colour = vec4(v.w * 0.25); }\n");
	set_vertices(pos, NULL, 4);
	glDrawArrays(GL_POINTS, 0, 4);
	glLineWidth(5);
	glDrawArrays(GL_LINES, 0, 4);
	glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_INCR);
	glDrawArrays(GL_LINES, 0, 2);
	glDisable(GL_CULL_FACE);
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	for (i = 0; i < 3; i++) {
		glStencilFunc(GL_EQUAL, 253 + i, 0xff);
		draw_colour(-1, -1, 1, 1, 0, i == 0, i == 1, i == 2, 1);
	}
}

/* ---- blending ---- */

static const GLenum factors[] = {
	GL_ZERO, GL_ONE, GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR, GL_DST_COLOR, GL_ONE_MINUS_DST_COLOR,
	GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_DST_ALPHA, GL_ONE_MINUS_DST_ALPHA,
	GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_COLOR, GL_CONSTANT_ALPHA,
	GL_ONE_MINUS_CONSTANT_ALPHA, GL_SRC_ALPHA_SATURATE,
};

static const GLenum equations[] = { GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT };

/* Cell of a grid of 16 x 16 in whole pixels. */
static void small_cell(int i)
{
	glViewport(i % 16 * 4, i / 16 * 4, 4, 4);
}

static bool needs_alpha(int factor)
{
	return factors[factor] == GL_DST_ALPHA || factors[factor] == GL_ONE_MINUS_DST_ALPHA ||
	       factors[factor] == GL_SRC_ALPHA_SATURATE;
}

/*
 * All pairs of factors, those of alpha in another order. @odd: other equations, one for colour and
 * one for alpha; @alpha: the target has all bits of alpha. Utgard's tile buffer always has.
 */
static void blend_pairs(bool odd, bool alpha)
{
	int i, n = ARRAY_SIZE(factors);

	use_fragment(vs_plain, "", "colour = vec4(v.x, 1.0 - v.y, v.y, 0.25 + 0.5 * v.x);");
	draw_rect(-1, -1, 1, 1, 0);
	glEnable(GL_BLEND);
	glBlendColor(0.75, 0.25, 0.5, 0.625);
	use_fragment(vs_plain, "",
		     "colour = vec4(0.75 - 0.5 * v.y, v.x, 0.375, 0.25 + 0.5 * v.y);");
	for (i = 0; i < n * (n - 1); i++) {
		/* saturation is no factor of the destination in ES 2 */
		int src = i % n, dst = i / n;

		if (!alpha && (needs_alpha(src) || needs_alpha(dst)))
			continue;
		small_cell(i);
		glBlendFuncSeparate(factors[src], factors[dst], factors[(src + 4) % n],
				    factors[(dst * 3 + src) % (n - 1)]);
		if (odd)
			glBlendEquationSeparate(equations[(src + dst) % 3],
						equations[(src + dst / 2 + 1) % 3]);
		draw_rect(-1, -1, 1, 1, 0);
	}
	glViewport(0, 0, SIZE, SIZE);
	glBlendEquation(GL_FUNC_ADD);
}

static void blend_all(void)
{
	blend_pairs(false, true);
}

static void blend_all_odd(void)
{
	blend_pairs(true, true);
}

/* Into a target of a format, which is then loaded again. @red: of red's and blue's steps; @green */
static void blend_into(GLenum format, int red, int green)
{
	GLuint t = make_target(format, 0);

	blend_pairs(true, format == GL_RGBA4);
	glFinish();
	/* no component is rounded again */
	glBlendFunc(GL_ONE, GL_ONE);
	draw_colour(-0.5, -0.5, 0.5, 0.5, 0, 4.0f / red, 4.0f / green, 8.0f / red, 0);
	show_texture(t, "sampler2D", "vec4(texelFetch(t, p, 0).rgb, 1)");
}

static void blend_all_565(void)
{
	blend_into(GL_RGB565, 31, 63);
}

static void blend_all_4444(void)
{
	blend_into(GL_RGBA4, 15, 15);
}

static void blend_all_5551(void)
{
	blend_into(GL_RGB5_A1, 31, 31);
}

/* Masks of colours, with and without blending, with batches between. */
static void masks(void)
{
	int i;

	draw_colour(-1, -1, 1, 1, 0, 0.25, 0.5, 0.75, 1);
	for (i = 0; i < 64; i++) {
		glViewport(i % 8 * 8, i / 8 * 8, 8, 8);
		glColorMask(i & 1, !!(i & 2), !!(i & 4), !!(i & 8));
		(i & 16 ? glEnable : glDisable)(GL_BLEND);
		glBlendFunc(GL_SRC_ALPHA, GL_ONE);
		if (i & 32) {
			glEnable(GL_SCISSOR_TEST);
			glScissor(i % 8 * 8 + 1, i / 8 * 8 + 1, 5, 6);
			glClearColor(1, 0.125, 0.25, 0.5);
			glClear(GL_COLOR_BUFFER_BIT);
			glDisable(GL_SCISSOR_TEST);
		} else {
			draw_colour(-0.75, -0.75, 0.75, 0.75, 0, 0.75, 1, 0.125, 0.5);
		}
		if (i % 24 == 23)
			glFinish();
	}
	glColorMask(1, 1, 1, 1);
	glViewport(0, 0, SIZE, SIZE);
}

/* ---- primitives ---- */

/* Strips and fans with vertices that repeat, and others of no area. */
static void degenerate(void)
{
	static const GLushort strip[] = { 0, 0, 1, 2, 3, 3, 3, 6, 6, 7, 8, 9, 9, 8, 7, 7, 4, 4, 5 };
	static const GLushort fan[] = { 5, 10, 11, 11, 12, 12, 13, 10, 10, 14 };
	static const float pos[15][4] = {
		{ -0.875, -0.75, 0, 1 }, { -0.875, -0.125, 0, 1 }, { -0.375, -0.75, 0, 1 },
		{ -0.375, -0.125, 0, 1 }, { 0.25, 0.75, 0, 1 }, { 0.5, 0.5, 0, 1 },
		{ 0, -0.75, 0, 1 }, { 0, -0.125, 0, 1 }, { 0.75, -0.75, 0, 1 },
		{ 0.75, -0.125, 0, 1 }, { 0.75, 0.25, 0, 1 }, { 0.875, 0.5, 0, 1 },
		{ 0.5, 0.875, 0, 1 }, { 0.125, 0.5, 0, 1 }, { 0.625, 0.25, 0, 1 },
	};
	float colour[15][4];
	int i;

	for (i = 0; i < 15; i++)
		vary(colour[i], i);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	use_fragment(vs_colour, "", "colour = v * 0.5;");
	set_vertices(pos, (const float (*)[4])colour, 15);
	glDrawElements(GL_TRIANGLE_STRIP, ARRAY_SIZE(strip), GL_UNSIGNED_SHORT, strip);
	glDrawElements(GL_TRIANGLE_FAN, ARRAY_SIZE(fan), GL_UNSIGNED_SHORT, fan);
	glDrawElements(GL_LINE_LOOP, 4, GL_UNSIGNED_SHORT, fan + 2);
	glDrawElements(GL_LINE_STRIP, 3, GL_UNSIGNED_SHORT, strip + 4);
}

/* Culling of strips: the winding of every other triangle is turned, degenerate or not. */
static void cull_strip(void)
{
	static const GLubyte strip[] = { 0, 1, 2, 3, 3, 4, 4, 5, 6, 7, 7, 7, 8, 9, 8, 9 };
	float pos[10][4];
	float c[4];
	int i, k;

	for (k = 0; k < 4; k++) {
		grid_cell(k, 2, c);
		for (i = 0; i < 10; i++) {
			pos[i][0] = GRID(c[0] + (c[2] - c[0]) * (i / 2) / 5);
			pos[i][1] = GRID(i & 1 ? c[3] : c[1] + i / 16.0f);
			pos[i][2] = 0;
			pos[i][3] = 1;
		}
		glEnable(GL_CULL_FACE);
		glCullFace(k & 1 ? GL_FRONT : GL_BACK);
		glFrontFace(k & 2 ? GL_CW : GL_CCW);
		use_fragment(vs_plain, "", "colour = vec4(v.xy, gl_FrontFacing ? 1.0 : 0.25, 1);");
		set_vertices((const float (*)[4])pos, NULL, 10);
		glDrawElements(GL_TRIANGLE_STRIP, ARRAY_SIZE(strip), GL_UNSIGNED_BYTE, strip);
	}
}

/* Corners and edges at centres of pixels: each pixel once. */
static void edge_rule(void)
{
	static const float at[6][2] = {
		{ -0.984375, -0.984375 }, { -0.484375, -0.984375 }, { 0.015625, -0.484375 },
		{ 0.015625, 0.515625 }, { -0.484375, 0.515625 }, { -0.984375, 0.015625 },
	};
	int i, k;

	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	use_fragment(vs_plain, "uniform vec4 c;", "colour = c;");
	for (k = 0; k < 4; k++) {
		for (i = 0; i < 6; i++) {
			const float dx = k & 1 ? 0.9375 : 0, dy = k & 2 ? 0.4375 : 0;
			const float *a = at[i], *b = at[(i + 1) % 6];
			float pos[3][4] = {
				{ -0.484375f + dx, -0.234375f + dy, 0, 1 },
				{ a[0] + dx, a[1] + dy, 0, 1 }, { b[0] + dx, b[1] + dy, 0, 1 },
			};

			set_vec4("c", 0.25, i * 0.0625f, k * 0.125f, 0.25);
			set_vertices((const float (*)[4])pos, NULL, 3);
			glDrawArrays(GL_TRIANGLES, 0, 3);
		}
	}
}

/* Triangles thinner than a pixel, with edges near to centres. */
static void slivers(void)
{
	int i;

	for (i = 0; i < 40; i++) {
		const float x = GRID(-0.95f + i * 0.047f), h = (i % 16 + 1) / 512.0f;
		const float pos[3][4] = {
			{ x, -0.9375, 0, 1 }, { GRID(x + h), -0.875, 0, 1 },
			{ GRID(x + (i - 20) / 40.0f), 0.9375, 0, 1 },
		};

		draw_varied(GL_TRIANGLES, pos, 3);
	}
}

/* Widths and directions of lines. */
static void line_widths(void)
{
	static const float widths[] = { 1, 2, 3, 4, 5, 6, 7, 10 };
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(widths); i++) {
		for (k = 0; k < 2; k++) {
			const float x = -0.8125f + (i % 4) * 0.53125f;
			const float y = -0.75f + (i / 4) * 1.0f + k * 0.4375f;
			const float slope = k ? 0.09375f : 0.25f;
			const float pos[2][4] = {
				{ x - 0.125f, y - slope, 0, 1 }, { x + 0.15625f, y + slope, 0, 1 },
			};

			glLineWidth(widths[i]);
			draw_varied(GL_LINES, pos, 2);
		}
	}
}

/* Lines along edges of the picture and of tiles. */
static void line_borders(void)
{
	int i;

	for (i = 0; i < 6; i++) {
		/* through centres of pixels, the first and the last row */
		const float p = i == 5 ? 0.984375f : -0.984375f + i * 0.40625f;
		const float pos[4][4] = {
			{ p, -1.5, 0, 1 }, { p, 1.5, 0, 1 }, { -1.5, p, 0, 1 }, { 1.5, p, 0, 1 },
		};

		glLineWidth(1 + i % 3);
		draw_varied(GL_LINES, pos, 4);
	}
}

/* Points at corners of tiles and of the picture, of sizes from one to a hundred. */
static void point_borders(void)
{
	static const float sizes[] = { 100, 48, 33, 31.5, 17, 16, 15, 9, 7, 6, 5, 4, 3, 2, 1.25,
				       1 };
	unsigned int i;

	make_program("layout(location = 0) in vec4 pos;\nuniform float size;\nout vec4 v;\n"
		     "void main() { gl_Position = pos; v = pos; gl_PointSize = size; }\n",
		     "uniform vec4 c;\nin vec4 v;\nout vec4 colour;\n"
		     "void main() { colour = c + v * 0.0; }\n");
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		const float pos[1][4] = { { -1 + i % 4 * 0.5f + 0.25f * (i & 1), 1 - i / 4 * 0.5f,
					    0, 1 } };
		float c[4];

		vary(c, i + 1);
		set_vec4("c", c[0], c[1], c[2], 1);
		set_float("size", sizes[i]);
		set_vertices(pos, NULL, 1);
		glDrawArrays(GL_POINTS, 0, 1);
	}
}

/* A texture in sprites of several sizes, with and without a varying beside them. */
static void textured_sprites(void)
{
	/* no centre of a pixel is at an edge of a texel */
	static const float sizes[] = { 40, 24, 16, 32, 8, 24 };
	unsigned int i;

	pattern_texture(8, false);
	make_program("layout(location = 0) in vec4 pos;\nuniform float size;\nout vec4 v;\n"
		     "void main() { gl_Position = pos; v = pos * 0.5 + 0.5; gl_PointSize = size; }\n",
		     renderer_is("400 450") ?
		     "uniform sampler2D t;\nin vec4 v;\nout vec4 colour;\nvoid main() {\n"
		     "vec2 p = vec2(gl_PointCoord.x, 1.0 - gl_PointCoord.y);\n"
		     "colour = texture(t, p) * v.w + vec4(0, 0, v.x, 0); }\n" :
		     "uniform sampler2D t;\nin vec4 v;\nout vec4 colour;\nvoid main() {\n"
		     "colour = texture(t, gl_PointCoord) * v.w + vec4(0, 0, v.x, 0); }\n");
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		const float pos[1][4] = { { -0.625f + i % 3 * 0.59375f, -0.5f + i / 3, 0, 1 } };

		set_float("size", sizes[i]);
		set_vertices(pos, NULL, 1);
		glDrawArrays(GL_POINTS, 0, 1);
	}
}

/* Indices of all types at offsets, from buffers and from memory, the greatest ones. */
static void index_offsets(void)
{
	static const GLushort shorts[] = { 9, 65535, 65533, 65534, 300, 301, 302 };
	static const GLubyte bytes[] = { 7, 7, 7, 255, 254, 253, 0, 1, 2 };
	static float pos[65536][4], colour[65536][4];
	GLuint buffer;
	int i;

	for (i = 0; i < 65536; i++) {
		pos[i][0] = GRID((i % 3 == 1 ? 0.375f : 0) + (i % 5 - 2) * 0.375f);
		pos[i][1] = GRID((i % 3 == 2 ? 0.5f : 0) + (i % 7 - 3) * 0.25f);
		pos[i][3] = 1;
		vary(colour[i], i);
	}
	use_fragment(vs_colour, "", "colour = v;");
	set_vertices((const float (*)[4])pos, (const float (*)[4])colour, 65536);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(shorts), shorts, GL_STATIC_DRAW);
	glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, (void *)2);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(bytes), bytes, GL_STATIC_DRAW);
	glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_BYTE, (void *)3);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
	glDrawElements(GL_LINE_LOOP, 3, GL_UNSIGNED_BYTE, bytes + 4);
	glDrawArrays(GL_TRIANGLES, 4001, 3);
	glDrawArrays(GL_LINE_STRIP, 65530, 6);
}

/* Scissors of one pixel, at borders of tiles, and beyond the picture. */
static void scissors(void)
{
	static const int boxes[][4] = {
		{ 15, 15, 2, 2 }, { 16, 31, 16, 2 }, { 31, 0, 1, 64 }, { 0, 47, 64, 1 },
		{ 63, 63, 10, 10 }, { 0, 0, 1, 1 }, { 32, 32, 0, 5 }, { 40, 40, 7, 0 },
		{ -5, -5, 8, 9 }, { 62, -3, 100, 6 }, { 48, 48, 15, 15 }, { -10, 60, 20, 3 },
		{ 7, 20, 3, 9 }, { 100, 100, 5, 5 },
	};
	unsigned int i;

	glEnable(GL_SCISSOR_TEST);
	for (i = 0; i < ARRAY_SIZE(boxes); i++) {
		glScissor(boxes[i][0], boxes[i][1], boxes[i][2], boxes[i][3]);
		use_fragment(vs_plain, "uniform vec4 c;", "colour = vec4(v.xy, c.z, 1);");
		set_vec4("c", 0, 0, i % 4 / 3.0f, 1);
		draw_rect(-1, -1, 1, 1, 0);
	}
}

/* ---- values of fragments ---- */

static void frag_coords(void)
{
	static const float pos[4][4] = {
		{ -0.75, -0.75, 0, 1 }, { 1.5, -1.5, 1, 2 }, { -3, 3, -2, 4 }, { 0.375, 0.375,
										 0.25, 0.5 },
	};

	glDepthRangef(0.25, 0.875);
	use_fragment(vs_colour, "", "colour = vec4(gl_FragCoord.z, gl_FragCoord.w * 0.5, v.x, 1);");
	set_vertices(pos, pos, 4);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* Varyings of one to four components, some of large values. */
static void mixed_varyings(void)
{
	static const float pos[4][4] = {
		{ -1, -1, 0, 1 }, { 2, -2, 0, 2 }, { -1, 1, 0, 1 }, { 0.5, 0.5, 0, 0.5 },
	};

	make_program("layout(location = 0) in vec4 pos;\n"
		     "out float a; out vec2 b; out vec3 c; out vec4 d; out vec2 e; out float f;\n"
		     "void main() { gl_Position = pos; vec2 p = pos.xy / pos.w * 0.5 + 0.5;\n"
		     "a = p.x * 100.0; b = p.yx * 3.0; c = vec3(p, -p.x) + 1.0;\n"
		     "d = vec4(p.x, p.y, p.x * p.y, 1); e = vec2(7.0) - p; f = -p.y; }\n",
		     "in float a; in vec2 b; in vec3 c; in vec4 d; in vec2 e; in float f;\n"
		     "out vec4 colour;\n"
		     "void main() { colour = vec4(a * 0.0025 + b.x * 0.0625 + c.y * 0.125,\n"
		     "e.x * 0.125 + f * 0.25 + c.x * 0.0625, d.z * 0.5 - c.z * 0.25 + b.y * 0.0625, d.w); }\n");
	set_vertices(pos, NULL, 4);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* ---- textures ---- */

static void fill_level(GLenum target, int level, int w, int h, int kind)
{
	uint8_t *p = malloc(4 * w * h);
	int i;

	for (i = 0; i < w * h; i++) {
		int x = i % w, y = i / w;

		p[4 * i] = kind ? (level * 60 + 30) & 255 : x * 255 / w;
		p[4 * i + 1] = kind ? 255 - level * 40 : y * 255 / h;
		p[4 * i + 2] = (level & 1) * 255;
		p[4 * i + 3] = 255;
	}
	glTexImage2D(target, level, GL_RGBA8, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, p);
	free(p);
}

static int levels_of(int w, int h)
{
	int n = 1;

	while ((w | h) >> n)
		n++;
	return n;
}

/* Each level has its colour; a texture of any size, in rectangles of many scales. */
static void odd_levels_of(int w, int h, GLenum filter)
{
	int i, n = levels_of(w, h);
	float c[4];
	GLuint t;

	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_2D, t);
	for (i = 0; i < n; i++)
		fill_level(GL_TEXTURE_2D, i, w >> i ? w >> i : 1, h >> i ? h >> i : 1, 1);
	texture_params(GL_TEXTURE_2D, filter, GL_NEAREST, GL_CLAMP_TO_EDGE);
	use_fragment(vs_coords, "uniform sampler2D t;", "colour = texture(t, v.xy);");
	for (i = 0; i < 16; i++) {
		float pos[4][4] = { }, at[4][4] = { };
		int k;

		grid_cell(i, 4, c);
		for (k = 0; k < 4; k++) {
			pos[k][0] = GRID(k & 1 ? c[2] : c[0]);
			pos[k][1] = GRID(k & 2 ? c[3] : c[1]);
			pos[k][3] = 1;
			/* off the scales at which levels change */
			at[k][0] = (k & 1) * (0.29f + 0.37f * i) * 12 / w;
			at[k][1] = (k >> 1) * (0.23f + 0.09f * i) * 12 / h;
		}
		set_vertices((const float (*)[4])pos, (const float (*)[4])at, 4);
		glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	}
}

static void levels_37x21(void)
{
	odd_levels_of(37, 21, GL_NEAREST_MIPMAP_NEAREST);
}

static void levels_64x4(void)
{
	odd_levels_of(64, 4, GL_NEAREST_MIPMAP_NEAREST);
}

static void levels_5x63(void)
{
	odd_levels_of(5, 63, GL_LINEAR_MIPMAP_NEAREST);
}

static void levels_128(void)
{
	odd_levels_of(128, 128, GL_NEAREST_MIPMAP_LINEAR);
}

/*
 * All pairs of filters, a column each, at several scales, with and without levels. Level 0 has
 * columns of texels whose mean shows that it is filtered.
 */
static void filter_pairs(void)
{
	static const GLenum mins[] = {
		GL_NEAREST, GL_LINEAR, GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_NEAREST,
	};
	/* log2: -1.3, -0.4, 0.65, 1.3; nowhere near a change of levels */
	static const float scales[] = { 0.40625f, 0.75f, 1.5703125f, 2.46875f };
	float pos[4][4] = {}, at[4][4] = {};
	int i, k, level;
	GLuint t;

	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_2D, t);
	for (level = 0; level < 6; level++) {
		uint8_t p[4 * 32 * 32];
		int side = 32 >> level;

		for (i = 0; i < side * side; i++) {
			p[4 * i] = i % side % 8 * 36;
			p[4 * i + 1] = i / side % 8 * 36;
			p[4 * i + 2] = level * 50;
			p[4 * i + 3] = 255;
		}
		glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, side, side, 0, GL_RGBA,
			     GL_UNSIGNED_BYTE, p);
	}
	use_fragment(vs_coords, "uniform sampler2D t;", "colour = texture(t, v.xy);");
	for (i = 0; i < 32; i++) {
		const float scale = scales[i / 8];

		texture_params(GL_TEXTURE_2D, mins[i / 2 % 4], i & 1 ? GL_LINEAR : GL_NEAREST,
			       GL_REPEAT);
		for (k = 0; k < 4; k++) {
			pos[k][0] = (i % 8 + (k & 1)) / 4.0f - 1;
			pos[k][1] = (i / 8 + (k >> 1)) / 2.0f - 1;
			pos[k][3] = 1;
			at[k][0] = 0.0078125f + (k & 1) * scale * 8 / 32;
			at[k][1] = 0.0078125f + (k >> 1) * scale * 16 / 32;
		}
		set_vertices((const float (*)[4])pos, (const float (*)[4])at, 4);
		glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	}
}

/* Wraps of sizes that are no powers of two, far from the texture. */
static void odd_wraps(void)
{
	static const GLenum wraps[] = { GL_REPEAT, GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE };
	static const int sizes[3][2] = { { 5, 3 }, { 16, 8 }, { 13, 7 } };
	float c[4];
	int i;

	use_fragment(vs_coords, "uniform sampler2D t;", "colour = texture(t, v.xy);");
	for (i = 0; i < 9; i++) {
		float pos[4][4] = { }, at[4][4] = { };
		GLuint t;
		int k;

		glGenTextures(1, &t);
		glBindTexture(GL_TEXTURE_2D, t);
		fill_level(GL_TEXTURE_2D, 0, sizes[i / 3][0], sizes[i / 3][1], 0);
		texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, wraps[i % 3]);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wraps[(i % 3 + i / 3) % 3]);
		grid_cell(i, 3, c);
		for (k = 0; k < 4; k++) {
			pos[k][0] = GRID(k & 1 ? c[2] : c[0]);
			pos[k][1] = GRID(k & 2 ? c[3] : c[1]);
			pos[k][3] = 1;
			at[k][0] = k & 1 ? 2.31f : -1.73f;
			at[k][1] = k & 2 ? 3.17f : -2.61f;
		}
		set_vertices((const float (*)[4])pos, (const float (*)[4])at, 4);
		glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	}
}

/* Faces of a cube, each with levels of its own. */
static void cube_levels(void)
{
	static const char *const dirs[6] = {
		"vec3(1, -a.y, -a.x)", "vec3(-1, -a.y, a.x)", "vec3(a.x, 1, a.y)",
		"vec3(a.x, -1, -a.y)", "vec3(a.x, -a.y, 1)", "vec3(-a.x, -a.y, -1)",
	};
	float c[4];
	GLuint t;
	int i, k;

	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_CUBE_MAP, t);
	for (i = 0; i < 6; i++) {
		for (k = 0; k < 6; k++) {
			uint8_t p[4 * 32 * 32];
			int side = 32 >> k, j;

			for (j = 0; j < side * side; j++) {
				p[4 * j] = i * 50;
				p[4 * j + 1] = k * 50;
				p[4 * j + 2] = j % side * 255 / side;
				p[4 * j + 3] = 255;
			}
			glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, k, GL_RGBA8, side, side, 0,
				     GL_RGBA, GL_UNSIGNED_BYTE, p);
		}
	}
	texture_params(GL_TEXTURE_CUBE_MAP, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST,
		       GL_CLAMP_TO_EDGE);
	for (i = 0; i < 12; i++) {
		char body[256];

		snprintf(body, sizeof(body),
			 "vec2 a = v.xy * 1.78 - 0.89; colour = texture(t, %s);",
			 dirs[i % 6]);
		use_fragment(vs_coords, "uniform samplerCube t;", body);
		grid_cell(i, 4, c);
		if (i > 5) {
			c[2] -= 0.21875f;
			c[3] -= 0.21875f;
		}
		{
			const float pos[4][4] = {
				{ GRID(c[0]), GRID(c[1]), 0, 1 }, { GRID(c[2]), GRID(c[1]), 0, 1 },
				{ GRID(c[0]), GRID(c[3]), 0, 1 }, { GRID(c[2]), GRID(c[3]), 0, 1 },
			};
			static const float at[4][4] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 } };

			set_vertices(pos, at, 4);
			glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
		}
	}
}

/* Parts of textures are written between draws of one batch. */
static void written_between(void)
{
	uint8_t p[4 * 5 * 3];
	float c[4];
	int i, k;

	if (scene_skip_on("2.1 2.6", 0, 2500, NOT_FLUSHED))
		return;
	pattern_texture(16, false);
	use_fragment(vs_plain, "uniform sampler2D t;", "colour = texture(t, v.xy * 3.97 + 0.01);");
	for (i = 0; i < 16; i++) {
		for (k = 0; k < (int)sizeof(p); k++)
			p[k] = i * 16 + k;
		glTexSubImage2D(GL_TEXTURE_2D, 0, i % 11, i % 13, 5, 3, GL_RGBA, GL_UNSIGNED_BYTE,
				p);
		grid_cell(i, 4, c);
		draw_rect(GRID(c[0]), GRID(c[1]), GRID(c[2]), GRID(c[3]), 0);
	}
}

/* Copies from the target into a texture, which is drawn on it. */
static void copied_back(void)
{
	GLuint t;
	int i;

	if (scene_skip_on("2.1 2.6", 0, 2500, NOT_FLUSHED))
		return;
	use_fragment(vs_plain, "", "colour = vec4(v.xy, 0.5, 1);");
	draw_rect(-1, -1, 1, 1, 0);
	t = pattern_texture(32, false);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	for (i = 0; i < 4; i++) {
		glBindTexture(GL_TEXTURE_2D, t);
		glCopyTexSubImage2D(GL_TEXTURE_2D, 0, i * 5, 20 - i * 6, i * 7 + 3, i * 9, 13, 11);
		use_fragment(vs_plain, "uniform sampler2D t;", "colour = texture(t, v.xy).zxyw;");
		draw_rect(-0.75f + i * 0.25f, -0.875f + i * 0.375f, i * 0.25f,
			  -0.375f + i * 0.375f, 0);
	}
}

/* ---- targets ---- */

/* Small and narrow targets, drawn in two batches. */
static void narrow_targets(void)
{
	static const int sizes[16][2] = {
		{ 1, 1 }, { 1, 64 }, { 64, 1 }, { 17, 3 }, { 33, 65 }, { 2, 2 }, { 3, 130 }, { 130,
											       5 },
		{ 15, 16 }, { 16, 17 }, { 63, 31 }, { 64, 64 }, { 65, 64 }, { 7, 7 }, { 300, 2 },
			{ 4, 4 },
	};
	float c[4];
	int i;

	for (i = 0; i < 16; i++) {
		GLuint fbo, t;

		glGenFramebuffers(1, &fbo);
		glBindFramebuffer(GL_FRAMEBUFFER, fbo);
		glGenTextures(1, &t);
		glBindTexture(GL_TEXTURE_2D, t);
		glTexImage2D(GL_TEXTURE_2D, 0, i % 3 == 1 ? GL_RGB565 : GL_RGBA8, sizes[i][0],
			     sizes[i][1], 0,
			     i % 3 == 1 ? GL_RGB : GL_RGBA,
			     i % 3 == 1 ? GL_UNSIGNED_SHORT_5_6_5 : GL_UNSIGNED_BYTE, NULL);
		texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
		glViewport(0, 0, sizes[i][0], sizes[i][1]);
		glClearColor(1, i / 15.0f, 0, 1);
		glClear(GL_COLOR_BUFFER_BIT);
		draw_colour(-1, -1, 0, 0, 0, 0, 1, i / 15.0f, 1);
		glFinish();
		glEnable(GL_BLEND);
		glBlendFunc(GL_ONE, GL_ONE);
		draw_colour(-0.25, -1, 0.5, 1, 0, 0, 0.25, 0.5, 0);
		glDisable(GL_BLEND);
		main_target();
		glViewport(0, 0, SIZE, SIZE);
		glBindTexture(GL_TEXTURE_2D, t);
		use_fragment(vs_coords, "uniform sampler2D t;", "colour = texture(t, v.xy);");
		grid_cell(i, 4, c);
		{
			const float pos[4][4] = {
				{ GRID(c[0]), GRID(c[1]), 0, 1 }, { GRID(c[2]), GRID(c[1]), 0, 1 },
				{ GRID(c[0]), GRID(c[3]), 0, 1 }, { GRID(c[2]), GRID(c[3]), 0, 1 },
			};
			static const float at[4][4] = {
				{ 0.01, 0.01 }, { 0.99, 0.01 }, { 0.01, 0.99 }, { 0.99, 0.99 },
			};

			set_vertices(pos, at, 4);
			glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
		}
	}
}

/* A large target: corners and edges of far tiles. */
static void large_target(void)
{
	static const float pos[6][4] = {
		{ -1, -1, 0, 1 }, { 1, -0.96875, 0, 1 }, { 0.96875, 1, 0, 1 },
		{ -0.5, 1, 0, 1 }, { -0.53125, -0.25, 0, 1 }, { 0.75, 0.84375, 0, 1 },
	};
	GLuint t = make_target_sized(GL_RGBA8, GL_DEPTH_COMPONENT16, 1024);

	glViewport(0, 0, 1024, 1024);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	draw_varied(GL_TRIANGLES, pos, 6);
	glFinish();
	glViewport(1000, 3, 24, 1000);
	draw_colour(-1, -1, 1, 1, -0.5, 1, 1, 1, 1);
	glViewport(0, 0, SIZE, SIZE);
	show_texture(t, "sampler2D", "texture(t, v.xy)");
}

/* ---- samples ---- */

static void msaa_lines(void)
{
	static const float pos[6][4] = {
		{ -0.875, -0.75, 0, 1 }, { 0.75, -0.75, 0, 1 }, { -0.5, 0.875, 0, 1 },
		{ -0.5, -0.5, 0, 1 },
		{ 0.75, -0.625, 0, 1 }, { 0.75, 0.25, 0, 1 },
	};
	GLuint fbo = sample_target();

	/* along the axes: others of several samples have rectangular ends, or parallelograms */
	glLineWidth(3);
	draw_varied(GL_LINES, pos, 6);
	resolve_samples(fbo);
}

/* Stencil and depth have samples of their own. */
static void msaa_stencil(void)
{
	static const float pos[3][3][4] = {
		{ { -0.75, -0.75, -0.5, 1 }, { 0.875, -0.5, 0.5, 1 }, { 0, 0.875, 0, 1 } },
		{ { -0.75, 0.5, 0.5, 1 }, { 0.75, 0.75, -0.5, 1 }, { 0.125, -0.875, 0.125, 1 } },
		{ { -1, -1, 0, 1 }, { 3, -1, 0, 1 }, { -1, 3, 0, 1 } },
	};
	GLuint fbo = sample_target();
	int i;

	glEnable(GL_STENCIL_TEST);
	glEnable(GL_DEPTH_TEST);
	for (i = 0; i < 3; i++) {
		glStencilFunc(i == 2 ? GL_EQUAL : GL_ALWAYS, i == 2 ? 2 : 0, 0xff);
		glStencilOp(GL_KEEP, GL_KEEP, i == 2 ? GL_KEEP : GL_INCR);
		if (i == 2)
			glDisable(GL_DEPTH_TEST);
		use_fragment(vs_plain, "uniform vec4 c;", "colour = c;");
		set_vec4("c", i == 0, i == 1, i == 2, 1);
		set_vertices(pos[i], NULL, 3);
		glDrawArrays(GL_TRIANGLES, 0, 3);
		glFinish();
	}
	resolve_samples(fbo);
}

/* Alpha and a value as coverage of a whole sample's steps, with blending. */
static void msaa_coverage(void)
{
	GLuint fbo = sample_target();
	float c[4];
	int i;

	for (i = 0; i < 16; i++) {
		grid_cell(i, 4, c);
		if (i < 8)
			glEnable(GL_SAMPLE_COVERAGE);
		else
			glDisable(GL_SAMPLE_COVERAGE);
		glSampleCoverage(i % 5 / 4.0f, i & 1);
		draw_colour(c[0], c[1], c[2], c[3], 0, 1, 0.5, i / 15.0f, 1);
		if (i & 2) {
			glEnable(GL_BLEND);
			glBlendFunc(GL_ONE, GL_ONE);
		} else {
			glDisable(GL_BLEND);
		}
		draw_colour(c[0], c[1], c[2], (c[1] + c[3]) / 2, 0, 0, 0.25, 0.5, 1);
	}
	glDisable(GL_SAMPLE_COVERAGE);
	resolve_samples(fbo);
}

const struct scene corner_scenes[] = {
	{ "eye_strip", eye_strip, "varying-slope snapping" },
	{ "eye_fan", eye_fan },
	{ "eye_lines", eye_lines, "snapping" },
	{ "eye_plane", eye_plane },
	{ "six_planes", six_planes, "varying-slope" },
	{ "farther", farther },
	{ "huge_windows", huge_windows, "varying-slope" },
	{ "depth_ranges", depth_ranges },
	{ "offset_slopes", offset_slopes },
	{ "offset_z16", offset_z16 },
	{ "depth_clears", depth_clears },
	{ "stencil_sides", stencil_sides },
	{ "stencil_points", stencil_points },
	{ "blend_all", blend_all, "blend-unorm8" },
	{ "blend_all_odd", blend_all_odd, "blend-unorm8" },
	/* three steps: the destination is rounded, and squared, and so is the result */
	{ "blend_all_565", blend_all_565,
	  "store-rgb565-steps*3 store-rgb565*3@mali4,vc4,cygnus" },
	{ "blend_all_4444", blend_all_4444, "store-rgba4-tie store-rgba4*3@mali4,vc4,cygnus" },
	{ "blend_all_5551", blend_all_5551, "store-rgb5a1-steps*3 store-rgb565*3@mali4" },
	{ "masks", masks },
	{ "degenerate", degenerate },
	{ "cull_strip", cull_strip },
	{ "edge_rule", edge_rule },
	{ "slivers", slivers, "varying-slope" },
	{ "line_widths", line_widths },
	{ "line_borders", line_borders },
	{ "point_borders", point_borders },
	{ "textured_sprites", textured_sprites },
	{ "index_offsets", index_offsets, "varying-slope" },
	{ "scissors", scissors },
	{ "frag_coords", frag_coords },
	{ "mixed_varyings", mixed_varyings, "varying-slope" },
	{ "levels_37x21", levels_37x21 },
	{ "levels_64x4", levels_64x4 },
	{ "levels_5x63", levels_5x63 },
	{ "levels_128", levels_128, "derived-lod*12" },
	{ "filter_pairs", filter_pairs, "filter-unorm8" },
	{ "odd_wraps", odd_wraps },
	{ "cube_levels", cube_levels, "snapping" },
	{ "written_between", written_between },
	{ "copied_back", copied_back },
	{ "narrow_targets", narrow_targets, "varying-slope" },
	{ "large_target", large_target },
	{ "msaa_lines", msaa_lines, "line-varying*4" },
	{ "msaa_stencil", msaa_stencil },
	{ "msaa_coverage", msaa_coverage },
	{ }
};
