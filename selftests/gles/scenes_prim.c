// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes of primitives: their modes, indices, instances; culling, clipping, scissor, viewport.
 */
#include <math.h>

#include "gles.h"

static const float red[4] = { 1, 0, 0, 1 };

static const float tri_pos[3][4] = {
	{ -0.8, -0.8, 0, 1 }, { 0.8, -0.7, 0, 1 }, { 0.1, 0.9, 0, 1 },
};

static const float tri_colour[3][4] = {
	{ 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 },
};

/* Points of a zigzag from left to right, and colours from red to green. */
#define ZIGZAG	8
static float zigzag_pos[ZIGZAG][4];
static float zigzag_colour[ZIGZAG][4];

static void make_zigzag(void)
{
	int i;

	for (i = 0; i < ZIGZAG; i++) {
		zigzag_pos[i][0] = -0.9 + 1.8 * i / (ZIGZAG - 1);
		zigzag_pos[i][1] = i & 1 ? 0.8 : -0.8;
		zigzag_pos[i][3] = 1;
		zigzag_colour[i][0] = 1 - i / 7.0;
		zigzag_colour[i][1] = i / 7.0;
		zigzag_colour[i][2] = i & 1;
		zigzag_colour[i][3] = 1;
	}
	use_fragment(vs_colour, "", "colour = v;");
	set_vertices((const float (*)[4])zigzag_pos, (const float (*)[4])zigzag_colour, ZIGZAG);
}

static void clear(void)
{
	glClearColor(0.25, 0.5, 0.75, 1);
	glClear(GL_COLOR_BUFFER_BIT);
}

static void clear_scissor(void)
{
	clear();
	glEnable(GL_SCISSOR_TEST);
	glScissor(5, 7, 33, 21);
	glClearColor(1, 0, 0.5, 0.5);
	glClear(GL_COLOR_BUFFER_BIT);
}

static void triangle(void)
{
	use_fragment(vs_colour, "", "colour = v;");
	set_vertices(tri_pos, tri_colour, 3);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void perspective(void)
{
	static const float pos[4][4] = {
		{ -0.9, -0.9, 0, 1 }, { 0.9, -0.9, 0, 1 }, { -1.8, 1.8, 0, 4 }, { 1.8, 1.8, 0, 4 },
	};
	static const float uv[4][4] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 } };

	use_fragment(vs_colour, "",
		     "ivec2 c = ivec2(v.xy * 8.0); colour = vec4(v.xy, float((c.x ^ c.y) & 1), 1);");
	set_vertices(pos, uv, 4);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void draw_mode(GLenum mode)
{
	make_zigzag();
	glDrawArrays(mode, 0, ZIGZAG);
}

static void strip(void)
{
	draw_mode(GL_TRIANGLE_STRIP);
}

static void fan(void)
{
	float pos[10][4] = { { 0, 0, 0, 1 } }, colour[10][4] = { { 1, 1, 1, 1 } };
	int i;

	for (i = 1; i < 10; i++) {
		pos[i][0] = 0.9 * cosf(i * 0.785398f);
		pos[i][1] = 0.9 * sinf(i * 0.785398f);
		pos[i][3] = 1;
		colour[i][i % 3] = 1;
		colour[i][3] = 1;
	}
	use_fragment(vs_colour, "", "colour = v;");
	set_vertices((const float (*)[4])pos, (const float (*)[4])colour, 10);
	glDrawArrays(GL_TRIANGLE_FAN, 0, 10);
}

static void lines(void)
{
	draw_mode(GL_LINES);
}

static void line_strip(void)
{
	draw_mode(GL_LINE_STRIP);
}

static void line_loop(void)
{
	draw_mode(GL_LINE_LOOP);
}

static void wide_lines(void)
{
	glLineWidth(5);
	draw_mode(GL_LINES);
}

static void points(void)
{
	make_zigzag();
	make_program("layout(location = 0) in vec4 pos;\nlayout(location = 1) in vec4 col;\n"
		     "out vec4 v;\nvoid main() { gl_Position = pos; v = col;\n"
		     "gl_PointSize = 2.0 + 2.0 * float(gl_VertexID); }\n",
		     "in vec4 v;\nout vec4 colour;\nvoid main() {\n"
		     "colour = vec4(gl_PointCoord, v.x, 1); }\n");
	glDrawArrays(GL_POINTS, 0, ZIGZAG);
}

static void small_points(void)
{
	draw_mode(GL_POINTS);
}

/* ---- indices ---- */

static void draw_indexed(GLenum mode, GLenum type, const void *indices, size_t size, int n)
{
	GLuint buffer;

	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, size, indices, GL_STATIC_DRAW);
	glDrawElements(mode, n, type, NULL);
}

static void index_u8(void)
{
	static const uint8_t i[] = { 0, 1, 2, 5, 4, 6 };

	make_zigzag();
	draw_indexed(GL_TRIANGLES, GL_UNSIGNED_BYTE, i, sizeof(i), 6);
}

static void index_u16(void)
{
	static const uint16_t i[] = { 7, 6, 5, 2, 3, 1 };

	make_zigzag();
	draw_indexed(GL_TRIANGLES, GL_UNSIGNED_SHORT, i, sizeof(i), 6);
}

static void index_u32(void)
{
	static const uint32_t i[] = { 0, 1, 4, 2, 5, 7 };

	make_zigzag();
	draw_indexed(GL_TRIANGLES, GL_UNSIGNED_INT, i, sizeof(i), 6);
}

static void restart_u8(void)
{
	static const uint8_t i[] = { 0, 1, 2, 0xff, 4, 5, 6, 7, 0xff, 3 };

	if (needs_es3())
		return;
	make_zigzag();
	glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
	draw_indexed(GL_TRIANGLE_STRIP, GL_UNSIGNED_BYTE, i, sizeof(i), 10);
}

static void restart_u32(void)
{
	static const uint32_t i[] = { 0, 1, 2, 3, ~0U, 4, 5, ~0U, ~0U, 6, 7 };

	if (needs_es3())
		return;
	make_zigzag();
	glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
	draw_indexed(GL_LINE_LOOP, GL_UNSIGNED_INT, i, sizeof(i), 11);
}

static void base_vertex(void)
{
	PFNGLDRAWELEMENTSBASEVERTEXOESPROC draw = (PFNGLDRAWELEMENTSBASEVERTEXOESPROC)
		eglGetProcAddress("glDrawElementsBaseVertexOES");
	static const uint16_t i[] = { 0, 1, 2 };
	GLuint buffer;

	if (!draw || !has_extension("GL_OES_draw_elements_base_vertex")) {
		scene_skip("GL_OES_draw_elements_base_vertex");
		return;
	}
	make_zigzag();
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(i), i, GL_STATIC_DRAW);
	draw(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, NULL, 5);
}

static void instances(void)
{
	static const float offset[5][4] = {
		{ 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 }, { 1, 1, 0, 1 }, { 0, 1, 1, 1 },
	};

	make_program("layout(location = 0) in vec4 pos;\nlayout(location = 1) in vec4 col;\n"
		     "out vec4 v;\nvoid main() { float i = float(gl_InstanceID);\n"
		     "gl_Position = vec4(pos.xy * 0.3 + vec2(0.35 * i - 0.7, 0.3 * i - 0.6), 0, 1);\n"
		     "v = col; }\n",
		     "in vec4 v;\nout vec4 colour;\nvoid main() { colour = v; }\n");
	set_vertices(tri_pos, offset, 5);
	glVertexAttribDivisor(1, 1);
	glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 5);
}

static void instance_divisor(void)
{
	static const float offset[3][4] = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 } };

	make_program("layout(location = 0) in vec4 pos;\nlayout(location = 1) in vec4 col;\n"
		     "out vec4 v;\nvoid main() { float i = float(gl_InstanceID);\n"
		     "gl_Position = vec4(pos.xy * 0.2 + vec2(0.25 * i - 0.75, 0), 0, 1);\n"
		     "v = col; }\n",
		     "in vec4 v;\nout vec4 colour;\nvoid main() { colour = v; }\n");
	set_vertices(tri_pos, offset, 3);
	glVertexAttribDivisor(1, 3);
	glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 7);
}

/* The last corner gives the colour. */
static void flat_mode(GLenum mode)
{
	make_zigzag();
	make_program("layout(location = 0) in vec4 pos;\nlayout(location = 1) in vec4 col;\n"
		     "flat out vec4 v;\nvoid main() { gl_Position = pos; v = col; }\n",
		     "flat in vec4 v;\nout vec4 colour;\nvoid main() { colour = v; }\n");
	glDrawArrays(mode, 0, ZIGZAG);
}

static void flat_strip(void)
{
	flat_mode(GL_TRIANGLE_STRIP);
}

static void flat_fan(void)
{
	flat_mode(GL_TRIANGLE_FAN);
}

static void flat_lines(void)
{
	glLineWidth(3);
	flat_mode(GL_LINE_STRIP);
}

/* ---- what is drawn of them ---- */

static void scissor(void)
{
	glEnable(GL_SCISSOR_TEST);
	glScissor(11, 5, 37, 41);
	triangle();
	glScissor(1, 1, 9, 7);
	draw_colour(-1, -1, 1, 1, 0, 1, 1, 0, 1);
}

static void viewport(void)
{
	glViewport(5, 9, 40, 30);
	triangle();
	glViewport(32, 32, 64, 64);
	draw_colour(-1, -1, 1, 1, 0, 0.2, 0.4, 0.6, 1);
}

static void depth_range(void)
{
	glEnable(GL_DEPTH_TEST);
	glDepthRangef(0.5, 1);
	draw_colour(-1, -1, 0.5, 0.5, -1, 1, 0, 0, 1);
	glDepthRangef(0, 0.5);
	draw_colour(-0.5, -0.5, 1, 1, 0.5, 0, 1, 0, 1);
	glDepthRangef(1, 0);
	draw_colour(-0.2, -0.2, 0.2, 0.2, 0.9, 0, 0, 1, 1);
}

/* Both windings, all ways to cull them. */
static void cull(void)
{
	static const GLenum faces[] = { GL_FRONT, GL_BACK, GL_FRONT_AND_BACK };
	int i;

	for (i = 0; i < 16; i++) {
		float c[4];

		grid_cell(i, 4, c);
		if (i % 4 < 3) {
			glEnable(GL_CULL_FACE);
			glCullFace(faces[i % 4]);
		} else {
			glDisable(GL_CULL_FACE);
		}
		glFrontFace(i & 4 ? GL_CW : GL_CCW);
		if (i & 8)
			draw_colour(c[2], c[1], c[0], c[3], 0, 1, 0.5, 0, 1);
		else
			draw_colour(c[0], c[1], c[2], c[3], 0, 0, 0.5, 1, 1);
	}
}

static void facing(void)
{
	use_fragment(vs_plain, "",
		     "colour = gl_FrontFacing ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1);");
	draw_rect(-0.9, -0.9, -0.1, 0.9, 0);
	draw_rect(0.9, -0.9, 0.1, 0.9, 0);
}

/* A corner behind the eye. */
static void behind_eye(void)
{
	static const float pos[3][4] = {
		{ -0.5, -0.5, 0, 1 }, { 0.8, -0.5, 0, 1 }, { 0.3, -0.5, 0, -0.5 },
	};

	use_fragment(vs_colour, "", "colour = v;");
	set_vertices(pos, tri_colour, 3);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void two_behind_eye(void)
{
	static const float pos[3][4] = {
		{ 0, 0.5, 0, 1 }, { 0.6, 0.2, 0, -0.3 }, { -0.7, 0.4, 0, -0.4 },
	};

	use_fragment(vs_colour, "", "colour = v;");
	set_vertices(pos, tri_colour, 3);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void near_far(void)
{
	static const float pos[4][4] = {
		{ -1, -1, -2, 1 }, { 1, -1, -0.5, 1 }, { -1, 1, 0.5, 1 }, { 1, 1, 2, 1 },
	};
	static const float colour[4][4] = {
		{ 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 }, { 1, 1, 1, 1 },
	};

	use_fragment(vs_colour, "", "colour = v;");
	set_vertices(pos, colour, 4);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* Corners far beyond the picture. */
static void guard_band(void)
{
	static const float pos[3][4] = {
		{ -5000, -3000, 0, 1 }, { 7000, -1000, 0, 1 }, { 100, 4000, 0, 1 },
	};
	static const float thin[3][4] = {
		{ -900, -900.5, 0, 1 }, { 900, 899.5, 0, 1 }, { 900, 900.5, 0, 1 },
	};

	use_fragment(vs_colour, "", "colour = vec4(0.25, 0.5, v.z * 0.0 + 0.75, 1);");
	set_vertices(pos, tri_colour, 3);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	draw_colour(-0.1, -0.1, 0.1, 0.1, 0, 1, 1, 1, 1);
	use_fragment(vs_colour, "", "colour = vec4(v.x * 0.0 + 1.0, 0, 0, 1);");
	set_vertices(thin, tri_colour, 3);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* More primitives than a block of threads has, of a pixel or so each. */
static void many_triangles(void)
{
	static float pos[6 * 1024][4], colour[6 * 1024][4];
	int i, k;

	for (i = 0; i < 1024; i++) {
		float x = -1 + (i % 32) / 16.0, y = -1 + (i / 32) / 16.0;

		for (k = 0; k < 6; k++) {
			static const float dx[] = { 0, 1, 0, 1, 1, 0 }, dy[] = { 0, 0, 1, 0, 1, 1 };
			float *p = pos[6 * i + k], *c = colour[6 * i + k];

			p[0] = x + dx[k] / 16;
			p[1] = y + dy[k] / 16;
			p[3] = 1;
			c[0] = (i * 7 % 32) / 31.0;
			c[1] = (i * 13 % 64) / 63.0;
			c[2] = k < 3;
			c[3] = 1;
		}
	}
	use_fragment(vs_colour, "", "colour = v;");
	set_vertices((const float (*)[4])pos, (const float (*)[4])colour, 6 * 1024);
	glDrawArrays(GL_TRIANGLES, 0, 6 * 1024);
}

/* Triangles that share edges have each pixel once. */
static void shared_edges(void)
{
	float pos[3 * 24][4], colour[3 * 24][4];
	int i, k;

	for (i = 0; i < 24; i++) {
		for (k = 0; k < 3; k++) {
			float a = (i + k - 1) * 0.261799f, r = k ? 1.3 : 0;
			float *p = pos[3 * i + k], *c = colour[3 * i + k];

			p[0] = 0.05f + r * cosf(a);
			p[1] = -0.03f + r * sinf(a);
			p[2] = 0;
			p[3] = 1;
			c[0] = 0.25;
			c[1] = 0.25;
			c[2] = 0.25;
			c[3] = 1;
		}
	}
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	use_fragment(vs_colour, "", "colour = v;");
	set_vertices((const float (*)[4])pos, (const float (*)[4])colour, 3 * 24);
	glDrawArrays(GL_TRIANGLES, 0, 3 * 24);
}

static void empty(void)
{
	static const float pos[6][4] = {
		{ 0, 0, 0, 1 }, { 0.5, 0.5, 0, 1 }, { -0.5, -0.5, 0, 1 },
		{ 2, 2, 0, 1 }, { 3, 2, 0, 1 }, { 2, 3, 0, 1 },
	};

	use_fragment(vs_colour, "", "colour = v;");
	set_vertices(pos, NULL, 6);
	glVertexAttrib4fv(1, red);
	glDrawArrays(GL_TRIANGLES, 0, 6);
	glDrawArrays(GL_TRIANGLES, 0, 2);
	glDrawArrays(GL_TRIANGLES, 0, 0);
	glDrawArrays(GL_POINTS, 0, 1);
}

const struct scene prim_scenes[] = {
	{ "clear", clear },
	{ "clear_scissor", clear_scissor },
	{ "triangle", triangle, "varying-slope" },
	{ "perspective", perspective, "varying-slope" },
	{ "strip", strip, "varying-slope" },
	{ "fan", fan, "varying-slope" },
	{ "lines", lines, "varying-slope snapping" },
	{ "line_strip", line_strip, "varying-slope snapping" },
	{ "line_loop", line_loop, "varying-slope snapping" },
	{ "wide_lines", wide_lines, "varying-slope snapping" },
	{ "points", points, "varying-slope" },
	{ "small_points", small_points },
	{ "index_u8", index_u8, "varying-slope" },
	{ "index_u16", index_u16, "varying-slope" },
	{ "index_u32", index_u32, "varying-slope" },
	{ "restart_u8", restart_u8, "varying-slope" },
	{ "restart_u32", restart_u32, "varying-slope" },
	{ "base_vertex", base_vertex, "varying-slope" },
	{ "instances", instances },
	{ "instance_divisor", instance_divisor },
	{ "flat_strip", flat_strip },
	{ "flat_fan", flat_fan },
	{ "flat_lines", flat_lines, "snapping" },
	{ "scissor", scissor, "varying-slope" },
	{ "viewport", viewport },
	{ "depth_range", depth_range },
	{ "cull", cull },
	{ "facing", facing },
	{ "behind_eye", behind_eye, "varying-slope" },
	{ "two_behind_eye", two_behind_eye, "varying-slope" },
	{ "near_far", near_far, "snapping" },
	{ "guard_band", guard_band, "snapping" },
	{ "many_triangles", many_triangles },
	{ "shared_edges", shared_edges },
	{ "empty", empty },
	{ }
};
