// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes of the ways of data: attributes, indices, uniforms and textures of all kinds, uploads
 * and copies between draws, levels that are drawn to.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gles.h"

#define GRID(p)	(roundf((p) * 512) / 512)	/* 1/16 pixel of SIZE */

/* A textured rectangle in cell @i of @n x @n, with coordinates from @lo to @hi. */
static void textured_cell(int i, int n, float lo, float hi)
{
	float c[4];

	grid_cell(i, n, c);
	{
		const float pos[4][4] = {
			{ GRID(c[0]), GRID(c[1]), 0, 1 }, { GRID(c[2]), GRID(c[1]), 0, 1 },
			{ GRID(c[0]), GRID(c[3]), 0, 1 }, { GRID(c[2]), GRID(c[3]), 0, 1 },
		};
		const float at[4][4] = { { lo, lo, 1, 1 }, { hi, lo, 1, 1 }, { lo, hi, 1, 1 },
					 { hi, hi, 1, 1 } };

		set_vertices(pos, at, 4);
	}
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static const char vs_coords[] =
	"layout(location = 0) in vec4 pos;\nlayout(location = 1) in vec4 col;\n"
	"out vec4 v;\nvoid main() { gl_Position = pos; v = col; }\n";

/* ---- vertices ---- */

/* Sizes of points by indices, of which the least is not 0. */
static void indexed_sizes(void)
{
	static const GLushort order[] = { 9, 3, 7, 4, 11, 5, 8 };
	float pos[12][4] = {}, colour[12][4];
	int i;

	for (i = 0; i < 12; i++) {
		pos[i][0] = -0.75f + i % 4 * 0.5f;
		pos[i][1] = -0.75f + i / 4 * 0.75f;
		pos[i][3] = 1;
		colour[i][0] = i / 11.0f;
		colour[i][1] = 1 - i / 11.0f;
		colour[i][2] = i & 1;
		colour[i][3] = 2 * i + 1;
	}
	make_program("layout(location = 0) in vec4 pos;\nlayout(location = 1) in vec4 col;\n"
		     "out vec4 v;\nvoid main() { gl_Position = pos; gl_PointSize = col.w; v = col; }\n",
		     "in vec4 v;\nout vec4 colour;\nvoid main() { colour = vec4(v.xyz, 1.0); }\n");
	set_vertices((const float (*)[4])pos, (const float (*)[4])colour, 12);
	glDrawElements(GL_POINTS, ARRAY_SIZE(order), GL_UNSIGNED_SHORT, order);
	glDrawArrays(GL_POINTS, 1, 2);
}

/* Of a member of the first vertex. */
#define at(member)	((void *)(3 + offsetof(struct mixed, member)))

/** struct mixed - vertex of members of all types, at odd places */
struct mixed {
	GLshort xy[2];
	GLubyte rgb[3];
	GLbyte s[3];
	GLushort t;
	GLfixed f[2];
} __attribute__((packed));

static void attribute_kinds(void)
{
	struct mixed all[6];
	GLuint buffer;
	int i;

	for (i = 0; i < 6; i++) {
		all[i] = (struct mixed){
			.xy = { i % 2 * 24576 - 8192 * (i / 2) - 4096, i / 2 * 16384 - 16384 },
			.rgb = { i * 51, 255 - i * 40, i & 1 ? 255 : 0 },
			.s = { i * 25 - 127, 127 - i * 50, i * 20 },
			.t = i * 13107, .f = { i * 13107, 65536 - i * 8192 },
		};
	}
	make_program("layout(location = 0) in vec2 pos;\nlayout(location = 1) in vec3 rgb;\n"
		     "layout(location = 2) in vec3 s;\nlayout(location = 3) in float t;\n"
		     "layout(location = 4) in vec2 f;\nlayout(location = 5) in vec4 one;\n"
		     "out vec4 v;\nvoid main() { gl_Position = vec4(pos, 0, one.w);\n"
		     "v = vec4(rgb * 0.5, 0) + vec4(s.x * 0.25 + t * 0.25, f.x * 0.5, f.y * 0.25 + s.y * 0.125 + one.x, 1); }\n",
		     "in vec4 v;\nout vec4 colour;\nvoid main() { colour = v; }\n");
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, sizeof(all) + 3, NULL, GL_STATIC_DRAW);
	glBufferSubData(GL_ARRAY_BUFFER, 3, sizeof(all), all);
	glVertexAttribPointer(0, 2, GL_SHORT, GL_TRUE, sizeof(all[0]), at(xy));
	glVertexAttribPointer(1, 3, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(all[0]), at(rgb));
	glVertexAttribPointer(2, 3, GL_BYTE, GL_TRUE, sizeof(all[0]), at(s));
	glVertexAttribPointer(3, 1, GL_UNSIGNED_SHORT, GL_TRUE, sizeof(all[0]), at(t));
	glVertexAttribPointer(4, 2, GL_FIXED, GL_FALSE, sizeof(all[0]), at(f));
	for (i = 0; i < 5; i++)
		glEnableVertexAttribArray(i);
	glVertexAttrib2f(5, 0.125, 3);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 6);
}

/* More vertices than indices of 16 bits have. */
static void long_strip(void)
{
	const int n = 70001;
	float (*pos)[4] = calloc(n, sizeof(*pos));
	int i;

	for (i = 0; i < n; i++) {
		pos[i][0] = GRID(-0.9f + i % 1400 * (1.8f / 1400));
		pos[i][1] = GRID(-0.9f + i / 1400 * 0.035f + (i & 1) * 0.03125f);
		pos[i][3] = 1;
	}
	use_fragment(vs_plain, "", "colour = vec4(v.xy, 0.5, 1);");
	set_vertices((const float (*)[4])pos, NULL, n);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, n);
	free(pos);
}

/* Loops and arrays whose bounds and indices come from attributes and uniforms. */
static void vertex_loops(void)
{
	static const float pos[4][4] = {
		{ -0.75, -0.75, 0, 1 }, { 0.75, -0.75, 0, 1 }, { -0.75, 0.75, 0, 1 },
		{ 0.75, 0.75, 0, 1 },
	};
	static const float col[4][4] = { { 0, 1 }, { 1, 3 }, { 2, 0 }, { 3, 2 } };
	static const float palette[4][4] = {
		{ 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 }, { 1, 1, 0.5, 1 },
	};
	GLuint program;

	program = make_program("layout(location = 0) in vec4 pos;\nlayout(location = 1) in vec4 col;\n"
		     "uniform vec4 palette[4];\nout vec4 v;\n"
		     "void main() { gl_Position = pos; v = vec4(0.0);\n"
		     "for (int i = 0; i < 4; i++) { if (float(i) > col.y) break; v += palette[i] * 0.25; }\n"
		     "v += palette[int(col.x)] * 0.25; }\n",
		     "in vec4 v;\nout vec4 colour;\nvoid main() { colour = v; }\n");
	glUniform4fv(glGetUniformLocation(program, "palette"), 4, palette[0]);
	set_vertices(pos, col, 4);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* ---- fragments ---- */

static void discard_loops(void)
{
	use_fragment(vs_plain, "uniform vec4 limit;",
		     "float s = 0.0; for (int i = 0; i < 9; i++) { s += v.x * 0.25;\n"
		     "if (s > limit.x + v.y) break; if (s > limit.y && v.y < limit.z) discard; }\n"
		     "colour = vec4(s * 0.5, v.y, limit.w, 1);");
	set_vec4("limit", 0.75, 1.125, 0.25, 0.5);
	draw_rect(-0.9375, -0.9375, 0.9375, 0.9375, 0);
}

static void many_units(void)
{
	static const char decls[] =
		"#define T uniform sampler2D\nT t0; T t1; T t2; T t3; T t4; T t5; T t6; T t7;\n";
	char name[4];
	int i;

	for (i = 0; i < 8; i++) {
		const uint8_t p[4 * 4] = {
			1 << i, 0, 0, 255, 0, 1 << i, 0, 255, 0, 0, 1 << i, 255, 1 << i, 1 << i, 0,
				255,
		};
		GLuint t;

		glActiveTexture(GL_TEXTURE0 + i);
		glGenTextures(1, &t);
		glBindTexture(GL_TEXTURE_2D, t);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, p);
		texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST,
			       i & 1 ? GL_REPEAT : GL_MIRRORED_REPEAT);
	}
	/* Utgard has all bits of coordinates that are varyings only */
	use_fragment("layout(location = 0) in vec4 pos;\nout vec4 v;\n"
		     "void main() { gl_Position = pos; v = vec4(pos.xy * 0.97, pos.yx * 2.1) + 0.3; }\n",
		     decls,
		     "colour = texture(t0, v.xy) + texture(t1, v.zw) + texture(t2, v.xy) + texture(t3, v.zw)\n"
		     "+ texture(t4, v.xy) + texture(t5, v.zw) + texture(t6, v.xy) + texture(t7, v.zw);");
	for (i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "t%d", i);
		set_int(name, i);
	}
	draw_rect(-1, -1, 1, 1, 0);
	glActiveTexture(GL_TEXTURE0);
}

/* Eight varyings of four components. */
static void eight_varyings(void)
{
	static const float pos[3][4] = { { -1, -1, 0, 1 }, { 6, -2, 0, 2 }, { -0.5, 1.5, 0, 0.5 } };

	make_program("layout(location = 0) in vec4 pos;\n"
		     "out vec4 a; out vec4 b; out vec4 c; out vec4 d; out vec4 e; out vec4 f; out vec4 g; out vec4 h;\n"
		     "void main() { gl_Position = pos; vec4 p = pos / pos.w * 0.25 + 0.5;\n"
		     "a = p; b = p.yxzw; c = 1.0 - p; d = p * p; e = p.xxyy; f = p * 0.5; g = p.wzyx; h = p + p.yxwz; }\n",
		     "in vec4 a; in vec4 b; in vec4 c; in vec4 d; in vec4 e; in vec4 f; in vec4 g; in vec4 h;\n"
		     "out vec4 colour;\n"
		     "void main() { colour = vec4((a * 0.25 + b * 0.125 + c * 0.125 + d * 0.25).xyz\n"
		     "+ (e * 0.125 + f * 0.25 + g * 0.0625 + h * 0.0625).zyx * 0.5, 1.0); }\n");
	set_vertices(pos, NULL, 3);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* ---- textures ---- */

static void packed_kinds(void)
{
	static const struct {
		GLenum base, type;
		int bytes;
	} kinds[] = {
		{ GL_RGBA, GL_UNSIGNED_BYTE, 4 }, { GL_RGB, GL_UNSIGNED_BYTE, 3 },
		{ GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2 }, { GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2 },
		{ GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2 }, { GL_LUMINANCE, GL_UNSIGNED_BYTE, 1 },
		{ GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 2 }, { GL_ALPHA, GL_UNSIGNED_BYTE, 1 },
	};
	static const GLenum wraps[] = { GL_REPEAT, GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE };
	int i, k;

	use_fragment(vs_coords, "uniform sampler2D t;",
		     "vec4 c = texture(t, v.xy); colour = vec4(c.r * c.a, c.g + (1.0 - c.a) * 0.5, c.b, 1);");
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	for (i = 0; i < 16; i++) {
		int w = 7 + i * 5 % 11, h = 3 + i * 7 % 13, n = kinds[i % 8].bytes * w * h;
		uint8_t *p = malloc(n);
		GLuint t;

		for (k = 0; k < n; k++)
			p[k] = (k * 29 + i * 61 + k / 7 * 3) & 255;
		glGenTextures(1, &t);
		glBindTexture(GL_TEXTURE_2D, t);
		glTexImage2D(GL_TEXTURE_2D, 0, kinds[i % 8].base, w, h, 0, kinds[i % 8].base,
			     kinds[i % 8].type, p);
		free(p);
		texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, wraps[i % 3]);
		textured_cell(i, 4, -0.37f, 1.41f);
	}
	glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

/* Linear filters of sizes that are no powers of two, magnified, smooth content. */
static void odd_linear(void)
{
	static const GLenum wraps[] = { GL_REPEAT, GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE };
	int i, x, y;

	use_fragment(vs_coords, "uniform sampler2D t;", "colour = texture(t, v.xy);");
	for (i = 0; i < 9; i++) {
		int w = 3 + i * 2, h = 9 - i;
		uint8_t *p = malloc(4 * w * h);
		GLuint t;

		for (y = 0; y < h; y++) {
			for (x = 0; x < w; x++) {
				uint8_t *q = p + 4 * (y * w + x);

				q[0] = 128 + (int)(100 * sinf(x * 6.2831853f / w));
				q[1] = 128 + (int)(100 * cosf(y * 6.2831853f / h));
				q[2] = 16 * i;
				q[3] = 255;
			}
		}
		glGenTextures(1, &t);
		glBindTexture(GL_TEXTURE_2D, t);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, p);
		free(p);
		texture_params(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR, wraps[i % 3]);
		textured_cell(i, 3, -0.4375f, 1.3125f);
	}
}

/* Projection and bias; each level has its colour. */
static void bias_levels(void)
{
	static const char proj[] = "#define textureProj texture2DProj\nuniform sampler2D t;";
	GLuint t;
	int i, k;

	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_2D, t);
	for (i = 0; i < 6; i++) {
		uint8_t p[4 * 32 * 32];
		int side = 32 >> i;

		for (k = 0; k < side * side; k++) {
			p[4 * k] = i * 50;
			p[4 * k + 1] = 255 - i * 40;
			p[4 * k + 2] = k % side < side / 2 ? 255 : 0;
			p[4 * k + 3] = 255;
		}
		glTexImage2D(GL_TEXTURE_2D, i, GL_RGBA8, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE,
			     p);
	}
	texture_params(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	for (i = 0; i < 9; i++) {
		char body[128];

		if (i < 7)
			snprintf(body, sizeof(body), "colour = texture(t, v.xy, %d.15);", i - 1);
		else
			snprintf(body, sizeof(body), "colour = textureProj(t, vec%s);",
				 i == 7 ? "3(v.xy * 2.0, 2.0)" : "4(v.xy * 0.5, 9.0, 0.5)");
		use_fragment(vs_coords, only_es2() ? proj : "uniform sampler2D t;", body);
		textured_cell(i, 3, 0, 0.53f);
	}
}

/* As long as a texture may be, of one row or column. */
static void longest(void)
{
	static uint8_t p[4 * 2048];
	int i, k;

	for (k = 0; k < 2048; k++) {
		p[4 * k] = k >> 3;
		p[4 * k + 1] = k * 3 >> 2;
		p[4 * k + 2] = k & 64 ? 255 : 0;
		p[4 * k + 3] = 255;
	}
	use_fragment(vs_coords, "uniform sampler2D t;", "colour = texture(t, v.xy);");
	for (i = 0; i < 4; i++) {
		GLuint t;

		glGenTextures(1, &t);
		glBindTexture(GL_TEXTURE_2D, t);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, i & 1 ? 1 + (i >> 1) : 2048 >> (i >> 1),
			     i & 1 ? 2048 >> (i >> 1) : 1 + (i >> 1), 0, GL_RGBA, GL_UNSIGNED_BYTE,
				     p);
		texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
		textured_cell(i, 2, 0.0002f, 0.9993f);
	}
}

/* ---- copies ---- */

/* A texture that is drawn to is also written to, between the draws. */
static void written_target(void)
{
	static uint8_t p[4 * 21 * 13];
	GLuint t;
	int i, k;

	if (scene_skip_on("2.1 2.6", 0, 2500, "flush before a texture that jobs use is written"))
		return;
	t = make_target(GL_RGBA8, 0);
	use_fragment(vs_plain, "", "colour = vec4(v.xy, 0.25, 1);");
	draw_rect(-1, -1, 1, 1, 0);
	for (i = 0; i < 4; i++) {
		for (k = 0; k < (int)sizeof(p); k++)
			p[k] = k % 4 == 3 ? 255 : (k * (i + 3)) & 255;
		glBindTexture(GL_TEXTURE_2D, t);
		glTexSubImage2D(GL_TEXTURE_2D, 0, 5 + i * 11, 3 + i * 15, 21, 13, GL_RGBA,
				GL_UNSIGNED_BYTE, p);
		draw_colour(-0.8125f + i * 0.375f, -0.875f, -0.6875f + i * 0.375f, 0.875f, 0, 1,
			    1 - i * 0.25f, i * 0.25f, 1);
	}
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

/* Levels that are made of a target, whose size is a power of two or not. */
static void levels_of_target(int side)
{
	GLuint fbo, t;
	int i;

	/* not immutable: it gets levels */
	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_2D, t);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
	glViewport(0, 0, side, side);
	use_fragment(vs_plain, "", "colour = vec4(v.xy, 1.0 - v.x, 1);");
	draw_rect(-1, -1, 1, 1, 0);
	main_target();
	glViewport(0, 0, SIZE, SIZE);
	glBindTexture(GL_TEXTURE_2D, t);
	glGenerateMipmap(GL_TEXTURE_2D);
	texture_params(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	use_fragment(vs_coords, "uniform sampler2D t;", "colour = texture(t, v.xy);");
	for (i = 0; i < 9; i++)
		textured_cell(i, 3, 0, (0.45f + 0.6f * i) * 16 / side);
}

static void levels_of_32(void)
{
	levels_of_target(32);
}

static void levels_of_48(void)
{
	levels_of_target(48);
}

/* Each level of a texture is a target. */
static void level_targets(void)
{
	GLuint fbo, t;
	int i;

	if (only_es2() && !has_extension("GL_OES_fbo_render_mipmap")) {
		scene_skip("GL_OES_fbo_render_mipmap");
		return;
	}
	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_2D, t);
	for (i = 0; i < 7; i++)
		glTexImage2D(GL_TEXTURE_2D, i, GL_RGBA8, 64 >> i, 64 >> i, 0, GL_RGBA,
			     GL_UNSIGNED_BYTE, NULL);
	texture_params(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	for (i = 0; i < 7; i++) {
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, i);
		if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
			scene_skip("target that is a level");
			return;
		}
		glViewport(0, 0, 64 >> i, 64 >> i);
		draw_colour(-1, -1, 1, 1, 0, i / 6.0f, 1 - i / 6.0f, i & 1, 1);
		draw_colour(-1, -1, 0, 0, 0, 0, 0, 0, 1);
	}
	main_target();
	glViewport(0, 0, SIZE, SIZE);
	glBindTexture(GL_TEXTURE_2D, t);
	use_fragment(vs_coords, "uniform sampler2D t;", "colour = texture(t, v.xy);");
	for (i = 0; i < 9; i++)
		textured_cell(i, 3, 0, 0.99f - i * 0.03f);
	for (i = 0; i < 6; i++) {
		glViewport(i * 10, 60, 32 >> i, 4);
		textured_cell(0, 1, 0, 0.99f);
	}
	glViewport(0, 0, SIZE, SIZE);
}

/* Pieces of targets of 16 bits as textures of several kinds. */
static void copy_kinds(void)
{
	static const GLenum formats[] = { GL_RGBA8, GL_RGB565, GL_RGBA4, GL_RGB5_A1 };
	static const GLenum bases[] = { GL_RGBA, GL_RGB, GL_LUMINANCE, GL_ALPHA };
	GLuint copies[16];
	int i, k;

	glGenTextures(16, copies);
	for (i = 0; i < 4; i++) {
		make_target(formats[i], 0);
		use_fragment(vs_plain, "",
			     "colour = vec4(floor(v.x * 8.0) / 7.0, floor(v.y * 8.0) / 7.0, 1.0 - floor(v.x * 8.0) / 7.0, 1);");
		draw_rect(-1, -1, 1, 1, 0);
		for (k = 0; k < 4; k++) {
			/* components that the target has */
			GLenum base = i == 1 && k % 3 == 0 ? GL_RGB : bases[k];

			glBindTexture(GL_TEXTURE_2D, copies[4 * i + k]);
			glCopyTexImage2D(GL_TEXTURE_2D, 0, base, 8 * k + i, 24 - 8 * i, 23, 37, 0);
			texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
		}
	}
	main_target();
	use_fragment(vs_coords, "uniform sampler2D t;", "colour = texture(t, v.xy);");
	for (i = 0; i < 16; i++) {
		glBindTexture(GL_TEXTURE_2D, copies[i]);
		textured_cell(i, 4, 0.01f, 0.98f);
	}
}

/* Pixels that are read in pieces are those of the next draws, too. */
static void read_pieces(void)
{
	static uint32_t all[SIZE * SIZE], piece[32 * 32];
	GLuint t = make_target(GL_RGBA8, 0);
	int i, x, y;

	(void)t;
	use_fragment(vs_plain, "", "colour = vec4(v.xy, 0.75, 1);");
	draw_rect(-1, -1, 1, 1, 0);
	for (i = 0; i < 9; i++) {
		int x0 = i % 3 * 21, y0 = i / 3 * 21, w = 3 + i * 2, h = 19 - i;

		glReadPixels(x0, y0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, piece);
		for (y = 0; y < h; y++) {
			for (x = 0; x < w; x++)
				all[(63 - y0 - y) * SIZE + x0 + x] = piece[y * w + x];
		}
		draw_colour(-1 + i * 0.125f, -1, i * 0.0625f, 1, 0, i / 8.0f, 0.5, i & 1, 1);
	}
	show_words(all, SIZE * SIZE);
}

/* Clears and draws in parts, after which a target is loaded again, of 16 bits of depth. */
static void partial_batches(void)
{
	GLuint t = make_target(GL_RGB565, GL_DEPTH_COMPONENT16);
	int i;

	glClearColor(0.5, 0.25, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	for (i = 0; i < 8; i++) {
		glEnable(GL_SCISSOR_TEST);
		glScissor(i * 7, i * 5 % 40, 20 - i, 9 + i * 2);
		if (i % 3 == 0) {
			glClearColor(0, i / 8.0f, 1, 1);
			glClearDepthf(0.5f + i / 32.0f);
			glClear(i % 2 ? GL_COLOR_BUFFER_BIT :
				GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
		}
		glDisable(GL_SCISSOR_TEST);
		draw_colour(-1 + i * 0.25f, -0.75f, -0.625f + i * 0.25f, 0.75f, i * 0.125f - 0.5f,
			    1, 1 - i / 8.0f, i / 8.0f, 1);
		if (i & 1)
			glFinish();
	}
	glClearDepthf(1);
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

const struct scene path_scenes[] = {
	{ "indexed_sizes", indexed_sizes },
	{ "attribute_kinds", attribute_kinds, "varying-slope" },
	{ "long_strip", long_strip },
	{ "vertex_loops", vertex_loops },
	{ "discard_loops", discard_loops },
	{ "many_units", many_units },
	{ "eight_varyings", eight_varyings },
	{ "packed_kinds", packed_kinds, "varying-slope snapping" },
	{ "odd_linear", odd_linear, "filter-unorm8" },
	{ "bias_levels", bias_levels },
	{ "longest", longest },
	{ "written_target", written_target },
	{ "levels_of_32", levels_of_32 },
	{ "levels_of_48", levels_of_48, "filter-unorm8" },
	{ "level_targets", level_targets },
	{ "copy_kinds", copy_kinds, "store-rgba4@mali4" },
	{ "read_pieces", read_pieces },
	{ "partial_batches", partial_batches },
	{ }
};
