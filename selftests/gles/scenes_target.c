// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes of targets: their formats, several at once, depth as a texture, copies.
 */
#include "gles.h"

/* Draw a gradient and a blended rectangle, then show the target's texels. */
static void show_format(GLenum format, const char *expression)
{
	GLuint t = make_target(format, 0);

	glClearColor(0.1, 0.2, 0.3, 0.4);
	glClear(GL_COLOR_BUFFER_BIT);
	use_fragment(vs_plain, "", "colour = vec4(v.x, v.y, 1.0 - v.x, v.y * 0.5 + 0.5);");
	draw_rect(-0.9, -0.9, 0.9, 0.9, 0);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	draw_colour(-0.5, -0.5, 0.5, 0.5, 0, 0.25, 0.25, 0.25, 0.25);
	show_texture(t, "sampler2D", expression);
}

#define FORMAT(name, format)				\
static void name(void)					\
{							\
	show_format(format, "texelFetch(t, p, 0)");	\
}

FORMAT(rgb565, GL_RGB565)
FORMAT(rgb10a2, GL_RGB10_A2)
FORMAT(rgba4, GL_RGBA4)
FORMAT(rgb5a1, GL_RGB5_A1)
FORMAT(r8, GL_R8)
FORMAT(rg8, GL_RG8)
FORMAT(rgb8, GL_RGB8)
FORMAT(srgb8, GL_SRGB8_ALPHA8)

static void float_format(GLenum format)
{
	if (!has_extension("GL_EXT_color_buffer_float")) {
		scene_skip("GL_EXT_color_buffer_float");
		return;
	}
	show_format(format, "texelFetch(t, p, 0) * 0.75");
}

static void r11g11b10f(void)
{
	float_format(GL_R11F_G11F_B10F);
}

static void r16f(void)
{
	float_format(GL_R16F);
}

static void rgba16f(void)
{
	float_format(GL_RGBA16F);
}

/* ---- blending of formats ---- */

static void blend_cell(int i, GLenum equation, GLenum src, GLenum dst)
{
	float c[4];

	glBlendEquation(equation);
	glBlendFunc(src, dst);
	grid_cell(i, 4, c);
	draw_rect(c[0], c[1], c[2], c[3], 0);
}

void blend_any(bool alpha)
{
	use_fragment(vs_plain, "", "colour = vec4(v.x, v.y, 1.0 - v.x, v.y * 0.5 + 0.5);");
	draw_rect(-1, -1, 1, 1, 0);
	use_fragment(vs_plain, "", "colour = vec4(0.75, 0.25, v.x, 0.625);");
	glEnable(GL_BLEND);
	glBlendColor(0.25, 0.5, 0.75, 0.625);
	blend_cell(0, GL_FUNC_ADD, GL_CONSTANT_COLOR, GL_ZERO);
	blend_cell(1, GL_FUNC_ADD, GL_ONE_MINUS_CONSTANT_COLOR, GL_CONSTANT_COLOR);
	blend_cell(2, GL_FUNC_ADD, GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
	blend_cell(3, GL_MIN, GL_ONE, GL_ONE);
	blend_cell(4, GL_MAX, GL_ONE, GL_ONE);
	blend_cell(5, GL_FUNC_ADD, GL_SRC_COLOR, GL_DST_COLOR);
	blend_cell(6, GL_FUNC_SUBTRACT, GL_ONE, GL_CONSTANT_COLOR);
	blend_cell(7, GL_FUNC_REVERSE_SUBTRACT, GL_CONSTANT_COLOR, GL_ONE);
	/* the tile may have an alpha that the format does not have */
	blend_cell(8, GL_FUNC_ADD, alpha ? GL_SRC_ALPHA_SATURATE : GL_ONE,
		   alpha ? GL_DST_ALPHA : GL_DST_COLOR);
	blend_cell(9, GL_FUNC_ADD, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
	blend_cell(10, GL_FUNC_ADD, GL_CONSTANT_COLOR, GL_ZERO);
	glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE);
	blend_cell(11, GL_FUNC_ADD, GL_ONE_MINUS_DST_COLOR, GL_ONE);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	blend_cell(12, GL_FUNC_ADD, GL_ZERO, GL_CONSTANT_COLOR);
	glDisable(GL_BLEND);
}

static void blend_format(GLenum format, bool alpha)
{
	GLuint t;

	if (format == GL_RGB10_A2 &&
	    scene_skip_on("T760 T860", 2500, 0, PACKED_RGB10))
		return;
	if ((format == GL_RGBA4 || format == GL_RGB5_A1) &&
	    scene_skip_on("400 450", 2203, 0, "alpha of few bits: tiles have eight until the end"))
		return;
	t = make_target(format, 0);
	blend_any(alpha);
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

#define BLEND(name, format, alpha)			\
static void blend_##name(void)				\
{							\
	blend_format(format, alpha);			\
}

BLEND(rgb565, GL_RGB565, false)
BLEND(rgb10a2, GL_RGB10_A2, true)
BLEND(rgba4, GL_RGBA4, true)
BLEND(rgb5a1, GL_RGB5_A1, true)
BLEND(r8, GL_R8, false)
BLEND(rg8, GL_RG8, false)
BLEND(rgb8, GL_RGB8, false)
BLEND(rgba8, GL_RGBA8, true)
BLEND(srgb8, GL_SRGB8_ALPHA8, true)

#define BLEND_IF(name, format, alpha, extension)	\
static void blend_##name(void)				\
{							\
	if (has_extension(extension))			\
		blend_format(format, alpha);		\
	else						\
		scene_skip(extension);			\
}

BLEND_IF(bgra8, GL_BGRA_EXT, true, "GL_EXT_texture_format_BGRA8888")
BLEND_IF(r16f, GL_R16F, false, "GL_EXT_color_buffer_float")
BLEND_IF(rg16f, GL_RG16F, false, "GL_EXT_color_buffer_float")
BLEND_IF(rgba16f, GL_RGBA16F, true, "GL_EXT_color_buffer_float")
BLEND_IF(r11g11b10f, GL_R11F_G11F_B10F, false, "GL_EXT_color_buffer_float")
BLEND_IF(r32f, GL_R32F, false, "GL_EXT_float_blend")
BLEND_IF(rg32f, GL_RG32F, false, "GL_EXT_float_blend")
BLEND_IF(rgba32f, GL_RGBA32F, true, "GL_EXT_float_blend")

/* ---- integers ---- */

static void show_integers(GLenum format, bool is_signed, const char *body, const char *expression)
{
	GLuint t = make_target(format, 0);
	static const GLuint clear[4] = { 1, 2, 3, 4 };

	if (is_signed)
		glClearBufferiv(GL_COLOR, 0, (const GLint *)clear);
	else
		glClearBufferuiv(GL_COLOR, 0, clear);
	make_program(vs_plain, body);
	draw_rect(-0.9, -0.9, 0.9, 0.9, 0);
	show_texture(t, is_signed ? "isampler2D" : "usampler2D", expression);
}

#define UNSIGNED_BODY(scale) \
	"in vec4 v;\nout uvec4 colour;\nvoid main() {\n" \
	"uvec2 p = uvec2(gl_FragCoord.xy);\n" \
	"colour = uvec4(p.x * " scale "u, p.y * " scale "u, p.x ^ p.y, p.x + p.y); }\n"
#define SIGNED_BODY(scale) \
	"in vec4 v;\nout ivec4 colour;\nvoid main() {\n" \
	"ivec2 p = ivec2(gl_FragCoord.xy) - 32;\n" \
	"colour = ivec4(p.x * " scale ", p.y * " scale ", p.x ^ p.y, -p.x); }\n"

static void rgba8ui(void)
{
	show_integers(GL_RGBA8UI, false, UNSIGNED_BODY("3"),
		      "vec4(texelFetch(t, p, 0)) / 255.0");
}

static void rgba8i(void)
{
	show_integers(GL_RGBA8I, true, SIGNED_BODY("3"),
		      "vec4(texelFetch(t, p, 0) & 255) / 255.0");
}

static void rgba16ui(void)
{
	show_integers(GL_RGBA16UI, false, UNSIGNED_BODY("1023"),
		      "vec4(texelFetch(t, p, 0) & 255u) / 255.0");
}

static void rgba32i(void)
{
	show_integers(GL_RGBA32I, true, SIGNED_BODY("98765432"),
		      "vec4((texelFetch(t, p, 0) >> 8) & 255) / 255.0");
}

static void r32ui(void)
{
	show_integers(GL_R32UI, false, UNSIGNED_BODY("123456789"),
		      "vec4((texelFetch(t, p, 0).xxxx >> uvec4(0, 8, 16, 24)) & 255u) / 255.0");
}

/* ---- several targets ---- */

static void mrt(int n, int show)
{
	static const GLenum buffers[] = {
		GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2,
		GL_COLOR_ATTACHMENT3,
	};
	GLuint fbo, t[4];
	int i;

	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glGenTextures(n, t);
	for (i = 0; i < n; i++) {
		glBindTexture(GL_TEXTURE_2D, t[i]);
		glTexStorage2D(GL_TEXTURE_2D, 1, i == 1 ? GL_RGB10_A2 : GL_RGBA8, SIZE, SIZE);
		texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
		glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, t[i], 0);
	}
	glDrawBuffers(n, buffers);
	glClearColor(0.5, 0.5, 0.5, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	make_program(vs_plain, n == 2 ?
		     "in vec4 v;\nlayout(location = 0) out vec4 a;\n"
		     "layout(location = 1) out vec4 b;\n"
		     "void main() { a = vec4(v.x, 0, 0, 1); b = vec4(0, v.y, v.x, 1); }\n" :
		     "in vec4 v;\nlayout(location = 0) out vec4 a;\n"
		     "layout(location = 1) out vec4 b;\nlayout(location = 2) out vec4 c;\n"
		     "layout(location = 3) out vec4 d;\n"
		     "void main() { a = v.xxxx; b = v.yyyy; c = vec4(v.xy, 0, 1); d = v.yxxy; }\n");
	draw_rect(-0.9, -0.9, 0.9, 0.9, 0);
	show_texture(t[show], "sampler2D", "texelFetch(t, p, 0)");
}

static void mrt_2(void)
{
	mrt(2, 1);
}

static void mrt_4(void)
{
	mrt(4, 3);
}

/* ---- depth ---- */

static void depth_format(GLenum format)
{
	make_target(GL_RGBA8, format);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	draw_colour(-0.9, -0.9, 0.5, 0.5, 0.1, 1, 0, 0, 1);
	glFinish();
	draw_colour(-0.5, -0.5, 0.9, 0.9, 0.2, 0, 1, 0, 1);
	draw_colour(-0.2, -0.9, 0.2, 0.9, 0.0, 0, 0, 1, 1);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
}

static void show_depth_format(GLenum format)
{
	GLint fbo;

	depth_format(format);
	glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &fbo);
	main_target();
	glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
	glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	main_target();
}

static void depth16(void)
{
	show_depth_format(GL_DEPTH_COMPONENT16);
}

static void depth24(void)
{
	show_depth_format(GL_DEPTH_COMPONENT24);
}

static void depth32f(void)
{
	show_depth_format(GL_DEPTH_COMPONENT32F);
}

static void depth32f_stencil8(void)
{
	show_depth_format(GL_DEPTH32F_STENCIL8);
}

static GLuint depth_texture(GLenum format)
{
	GLuint fbo, t;

	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_2D, t);
	glTexStorage2D(GL_TEXTURE_2D, 1, format, SIZE, SIZE);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, t, 0);
	glClearDepthf(0.75);
	glClear(GL_DEPTH_BUFFER_BIT);
	glClearDepthf(1);
	glEnable(GL_DEPTH_TEST);
	use_fragment(vs_plain, "", "gl_FragDepth = v.x * v.y; colour = vec4(1);");
	draw_rect(-0.9, -0.9, 0.9, 0.9, 0);
	return t;
}

static void depth_as_texture(void)
{
	show_texture(depth_texture(GL_DEPTH_COMPONENT32F), "sampler2D",
		     "vec4(texelFetch(t, p, 0).x, 0, 0, 1)");
}

static void shadow_compare(void)
{
	GLuint t = depth_texture(GL_DEPTH_COMPONENT24);

	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
	show_texture(t, "sampler2DShadow",
		     "vec4(texture(t, vec3(v.xy, 0.3)), texture(t, vec3(v.xy, 0.6)), 0, 1)");
}

/* ---- copies ---- */

static void draw_pattern(void)
{
	use_fragment(vs_plain, "", "colour = vec4(v.xy, 0.5, 1);");
	draw_rect(-0.9, -0.9, 0.9, 0.9, 0);
}

static void copy_to_texture(void)
{
	GLuint t;

	draw_pattern();
	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_2D, t);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 10, 12, 32, 32, 0);
	show_texture(t, "sampler2D", "texture(t, v.yx)");
}

static void blit_scaled(void)
{
	GLuint fbo;
	GLint now;

	make_target(GL_RGBA8, 0);
	draw_pattern();
	glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &now);
	fbo = now;
	main_target();
	glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
	glBlitFramebuffer(0, 0, SIZE, SIZE, 40, 4, 8, 60, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	main_target();
}

/* A texture that is written and read in turns. */
static void ping_pong(void)
{
	GLuint t = make_target(GL_RGBA8, 0);
	int i;

	draw_pattern();
	for (i = 0; i < 4; i++) {
		GLuint from = t;

		t = make_target(GL_RGBA8, 0);
		use_fragment(vs_plain, "uniform sampler2D t;",
			     "colour = texture(t, v.yx * 0.9) * 0.9 + 0.05;");
		glBindTexture(GL_TEXTURE_2D, from);
		draw_rect(-1, -1, 1, 1, 0);
	}
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

const struct scene target_scenes[] = {
	{ "rgb565", rgb565, "store-rgb565-steps store-rgb565@mali4,vc4,cygnus" },
	{ "rgb10a2", rgb10a2 },
	{ "rgba4", rgba4, "store-rgba4-tie store-rgba4*2@mali4,vc4,cygnus" },
	{ "rgb5a1", rgb5a1, "store-rgb5a1-steps store-rgb565@mali4" },
	{ "r8", r8 },
	{ "rg8", rg8 },
	{ "rgb8", rgb8 },
	{ "srgb8", srgb8, "store-srgb-steps" },
	{ "r11g11b10f", r11g11b10f, "r11f-draw" },
	{ "r16f", r16f },
	{ "rgba16f", rgba16f },
	{ "rgba8ui", rgba8ui },
	{ "rgba8i", rgba8i },
	{ "rgba16ui", rgba16ui },
	{ "rgba32i", rgba32i },
	{ "r32ui", r32ui },
	{ "blend_rgb565", blend_rgb565, "store-rgb565-steps*2 store-rgb565*2@mali4,vc4,cygnus" },
	{ "blend_rgb10a2", blend_rgb10a2, "store-rgb10a2-steps" },
	{ "blend_rgba4", blend_rgba4, "store-rgba4-tie store-rgba4*3@mali4,vc4,cygnus" },
	{ "blend_rgb5a1", blend_rgb5a1, "store-rgb5a1-steps" },
	{ "blend_r8", blend_r8, "blend-unorm8" },
	{ "blend_rg8", blend_rg8, "blend-unorm8" },
	{ "blend_rgb8", blend_rgb8, "blend-unorm8" },
	{ "blend_rgba8", blend_rgba8, "blend-unorm8" },
	{ "blend_srgb8", blend_srgb8, "store-srgb-steps blend-unorm8" },
	{ "blend_bgra8", blend_bgra8, "blend-unorm8" },
	{ "blend_r16f", blend_r16f },
	{ "blend_rg16f", blend_rg16f },
	{ "blend_rgba16f", blend_rgba16f, "half-draw" },
	{ "blend_r11g11b10f", blend_r11g11b10f, "r11f-draw" },
	{ "blend_r32f", blend_r32f },
	{ "blend_rg32f", blend_rg32f },
	{ "blend_rgba32f", blend_rgba32f },
	{ "mrt_2", mrt_2 },
	{ "mrt_4", mrt_4 },
	{ "depth16", depth16 },
	{ "depth24", depth24 },
	{ "depth32f", depth32f },
	{ "depth32f_stencil8", depth32f_stencil8 },
	{ "depth_as_texture", depth_as_texture, "varying-slope" },
	{ "shadow_compare", shadow_compare },
	{ "copy_to_texture", copy_to_texture },
	{ "blit_scaled", blit_scaled },
	{ "ping_pong", ping_pong },
	{ }
};
