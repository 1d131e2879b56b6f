// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes of textures: filters, wrapping, dimensions, formats, functions.
 */
#include <stdio.h>

#include "gles.h"

static void show(const char *kind, const char *expression)
{
	char decls[64];
	char body[256];

	snprintf(decls, sizeof(decls), "uniform %s t;", kind);
	snprintf(body, sizeof(body), "colour = %s;", expression);
	use_fragment(vs_plain, decls, body);
	draw_rect(-1, -1, 1, 1, 0);
}

static void nearest(void)
{
	pattern_texture(8, false);
	show("sampler2D", "texture(t, v.xy)");
}

static void bilinear(void)
{
	pattern_texture(8, false);
	texture_params(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR, GL_CLAMP_TO_EDGE);
	show("sampler2D", "texture(t, v.xy * 1.5 - 0.25)");
}

static void wrap(GLenum mode)
{
	pattern_texture(8, false);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, mode);
	show("sampler2D", "texture(t, v.xy * 4.0 - 1.55)");
}

static void wrap_repeat(void)
{
	wrap(GL_REPEAT);
}

static void wrap_mirror(void)
{
	wrap(GL_MIRRORED_REPEAT);
}

static void wrap_edge(void)
{
	wrap(GL_CLAMP_TO_EDGE);
}

static void mipmaps(void)
{
	static const float pos[4][4] = {
		{ -0.9, -0.9, 0, 1 }, { 0.9, -0.9, 0, 1 }, { -3, 3, 0, 8 }, { 3, 3, 0, 8 },
	};
	static const float uv[4][4] = { { 0, 0 }, { 4, 0 }, { 0, 16 }, { 4, 16 } };

	pattern_texture(64, true);
	use_fragment(vs_colour, "uniform sampler2D t;", "colour = texture(t, v.xy);");
	set_vertices(pos, uv, 4);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void lod(void)
{
	pattern_texture(64, true);
	show("sampler2D", "textureLod(t, v.xy, floor(v.x * 6.0))");
}

static void lod_bias(void)
{
	pattern_texture(64, true);
	texture_params(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST, GL_REPEAT);
	show("sampler2D", "texture(t, v.xy, 2.0)");
}

static void gradients(void)
{
	pattern_texture(64, true);
	texture_params(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR, GL_REPEAT);
	show("sampler2D", "textureGrad(t, v.xy, vec2(0.0625, 0), vec2(0, 0.0625))");
}

static void fetch(void)
{
	pattern_texture(64, true);
	show("sampler2D", "texelFetch(t, ivec2(gl_FragCoord.yx) >> 1, 1)");
}

static void gather(void)
{
	pattern_texture(16, false);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	show("sampler2D", "textureGather(t, v.xy * 0.9 + 0.03, 1)");
}

static void offsets(void)
{
	pattern_texture(16, false);
	show("sampler2D", "textureOffset(t, v.xy, ivec2(3, -2))");
}

static void projected(void)
{
	pattern_texture(16, false);
	show("sampler2D", "textureProj(t, vec3(v.xy, 0.5 + v.x))");
}

static void cube(void)
{
	GLuint t;
	int face;

	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_CUBE_MAP, t);
	for (face = 0; face < 6; face++) {
		uint8_t p[4][4][4];
		int i;

		for (i = 0; i < 16; i++) {
			p[i / 4][i % 4][0] = face & 1 ? 255 : 80;
			p[i / 4][i % 4][1] = face & 2 ? 255 : 16 * i;
			p[i / 4][i % 4][2] = face & 4 ? 255 : 0;
			p[i / 4][i % 4][3] = 255;
		}
		glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, 4, 4, 0, GL_RGBA,
			     GL_UNSIGNED_BYTE, p);
	}
	texture_params(GL_TEXTURE_CUBE_MAP, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	show("samplerCube", "texture(t, vec3(v.x * 3.9 - 1.93, v.y * 4.1 - 2.07, v.x < 0.5 ? 0.95 : -0.95))");
}

static void fill_layers(GLenum target)
{
	uint8_t p[4][8][8][4];
	GLuint t;
	int i;

	for (i = 0; i < 256; i++) {
		uint8_t *c = p[i / 64][i / 8 % 8][i % 8];

		c[0] = 32 * (i % 8);
		c[1] = 32 * (i / 8 % 8);
		c[2] = 80 * (i / 64);
		c[3] = 255;
	}
	glGenTextures(1, &t);
	glBindTexture(target, t);
	glTexImage3D(target, 0, GL_RGBA8, 8, 8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, p);
}

static void array(void)
{
	fill_layers(GL_TEXTURE_2D_ARRAY);
	texture_params(GL_TEXTURE_2D_ARRAY, GL_NEAREST, GL_NEAREST, GL_REPEAT);
	show("sampler2DArray", "texture(t, vec3(v.xy * 2.0, floor(v.x * 4.0)))");
}

static void volume(void)
{
	fill_layers(GL_TEXTURE_3D);
	texture_params(GL_TEXTURE_3D, GL_LINEAR, GL_LINEAR, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
	show("sampler3D", "texture(t, vec3(v.xy, v.y))");
}

/* Textures of a format whose texels come from numbers. */
static void texels(GLenum internal, GLenum format, GLenum type, int bytes, const char *kind,
		   const char *expression)
{
	static uint8_t p[16 * 16 * 16];
	GLuint t;
	int i;

	for (i = 0; i < 16 * 16 * bytes; i++)
		p[i] = (i * 37 + i / 16) & (type == GL_HALF_FLOAT && i & 1 ? 0x3b : 0xff);
	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_2D, t);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glTexImage2D(GL_TEXTURE_2D, 0, internal, 16, 16, 0, format, type, p);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	show(kind, expression);
}

static void luminance(void)
{
	texels(GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 2, "sampler2D",
	       "texture(t, v.xy)");
}

static void texture_565(void)
{
	texels(GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2, "sampler2D", "texture(t, v.xy)");
}

static void texture_4444(void)
{
	texels(GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2, "sampler2D", "texture(t, v.xy)");
}

static void texture_10a2(void)
{
	texels(GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4, "sampler2D",
	       "texture(t, v.xy)");
}

static void texture_snorm(void)
{
	texels(GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, 4, "sampler2D",
	       "texture(t, v.xy) * 0.5 + 0.5");
}

static void texture_srgb(void)
{
	texels(GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, "sampler2D", "texture(t, v.xy)");
}

static void texture_half(void)
{
	texels(GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8, "sampler2D", "texture(t, v.xy)");
}

static void texture_rgb9e5(void)
{
	texels(GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, 4, "sampler2D",
	       "fract(texture(t, v.xy))");
}

static void texture_int(void)
{
	texels(GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT, 8, "isampler2D",
	       "vec4(texture(t, v.xy) & 255) / 255.0");
}

static void etc2(void)
{
	static uint8_t p[16 * 8];
	GLuint t;
	int i;

	for (i = 0; i < 16 * 8; i++)
		p[i] = i * 73 + 29 * (i / 8);
	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_2D, t);
	glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB8_ETC2, 16, 16, 0, sizeof(p), p);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	show("sampler2D", "texture(t, v.xy)");
}

static void swizzle(void)
{
	pattern_texture(8, false);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_BLUE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_G, GL_ONE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_B, GL_RED);
	show("sampler2D", "texture(t, v.xy)");
}

static void sub_image(void)
{
	static const uint8_t p[4][4][4];

	pattern_texture(16, false);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 3, 5, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, p);
	show("sampler2D", "texture(t, v.xy)");
}

static void in_vertices(void)
{
	pattern_texture(8, false);
	make_program("layout(location = 0) in vec4 pos;\nuniform sampler2D t;\nout vec4 v;\n"
		     "void main() { v = textureLod(t, pos.xy * 0.5 + 0.5, 0.0);\n"
		     "gl_Position = vec4(pos.xy * (0.5 + 0.5 * v.x), 0, 1); }\n",
		     "in vec4 v;\nout vec4 colour;\nvoid main() { colour = v; }\n");
	draw_rect(-0.9, -0.9, 0.8, 0.85, 0);
}

static void several(void)
{
	GLuint a = pattern_texture(8, false), b = pattern_texture(64, true);

	use_fragment(vs_plain, "uniform sampler2D a; uniform sampler2D b;",
		     "colour = texture(a, v.xy) * 0.5 + texture(b, v.yx) * 0.5;");
	set_int("a", 0);
	set_int("b", 1);
	glActiveTexture(GL_TEXTURE1);
	glBindTexture(GL_TEXTURE_2D, b);
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, a);
	draw_rect(-1, -1, 1, 1, 0);
}

const struct scene texture_scenes[] = {
	{ "nearest", nearest },
	{ "bilinear", bilinear },
	{ "wrap_repeat", wrap_repeat },
	{ "wrap_mirror", wrap_mirror },
	{ "wrap_edge", wrap_edge },
	{ "mipmaps", mipmaps, "derived-lod*4" },
	{ "lod", lod, "filter-unorm8*2" },
	{ "lod_bias", lod_bias, "filter-unorm8" },
	{ "gradients", gradients, "filter-unorm8" },
	{ "fetch", fetch, "unorm8-fetch" },
	{ "gather", gather },
	{ "offsets", offsets },
	{ "projected", projected },
	{ "cube", cube, "snapping" },
	{ "array", array },
	{ "volume", volume, "filter-unorm8" },
	{ "luminance", luminance },
	{ "texture_565", texture_565, "sample-rgb565" },
	{ "texture_4444", texture_4444 },
	{ "texture_10a2", texture_10a2 },
	{ "texture_snorm", texture_snorm },
	{ "texture_srgb", texture_srgb, "srgb-fetch" },
	{ "texture_half", texture_half },
	{ "texture_rgb9e5", texture_rgb9e5 },
	{ "texture_int", texture_int },
	{ "etc2", etc2 },
	{ "swizzle", swizzle },
	{ "sub_image", sub_image },
	{ "in_vertices", in_vertices, "varying-slope" },
	{ "several", several },
	{ }
};
