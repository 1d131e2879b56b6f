// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes of several batches into targets of many tiles: what a batch does not touch keeps what
 * it was, in colour, depth and stencil, whatever is cleared, masked or scissored.
 */
#include "gles.h"

/* Side of the target, pixels: 3 x 3 tiles of 64, the last ones smaller. */
#define SIDE	150

static GLuint begin(GLenum format, GLenum depth_format)
{
	GLuint t = make_target_sized(format, depth_format, SIDE);

	glViewport(0, 0, SIDE, SIDE);
	glClearColor(0.1, 0.2, 0.4, 0.8);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	return t;
}

/* Colours that tell tiles apart, and two depths, over the whole target. */
static void first_batch(void)
{
	use_fragment(vs_plain, "", "colour = vec4(v.xy, 0.25, 1);");
	draw_rect(-1, -1, 1, 1, 0);
	draw_rect(-0.9, -0.9, 0.1, 0.9, -0.5);
	glFinish();
}

/* A rectangle in the first tile, a batch of its own. */
static void small_batch(float z, float r, float g, float b)
{
	draw_colour(-0.95, -0.95, -0.7, -0.6, z, r, g, b, 1);
	glFinish();
}

/* Is the depth of the batches before still there? Draws between the two depths. */
static void depth_batch(void)
{
	glEnable(GL_DEPTH_TEST);
	draw_colour(-0.7, -0.2, 0.7, 0.2, -0.25, 1, 1, 0, 1);
	glFinish();
}

static void show(GLuint t)
{
	glDisable(GL_SCISSOR_TEST);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glViewport(0, 0, SIZE, SIZE);
	show_texture(t, "sampler2D", "texelFetch(t, p * 149 / 63, 0)");
}

static void depth_batches(GLenum format, GLenum depth_format)
{
	GLuint t;

	/* reload-of-two in Documentation/found.rst */
	if (format == GL_RG8 &&
	    scene_skip_on("400 450", 2203, 0, "green: lima's reload copies red into it"))
		return;
	t = begin(format, depth_format);
	glEnable(GL_DEPTH_TEST);
	first_batch();
	small_batch(-0.7, 1, 0, 0);
	depth_batch();
	show(t);
}

#define DEPTH(name, format, depth_format)		\
static void name(void)					\
{							\
	depth_batches(format, depth_format);		\
}

DEPTH(batches, GL_RGBA8, 0)
DEPTH(batches_z16, GL_RGBA8, GL_DEPTH_COMPONENT16)
DEPTH(batches_z24, GL_RGBA8, GL_DEPTH_COMPONENT24)
DEPTH(batches_z24s8, GL_RGBA8, GL_DEPTH24_STENCIL8)
DEPTH(batches_z32f, GL_RGBA8, GL_DEPTH_COMPONENT32F)
DEPTH(batches_z32f_s8, GL_RGBA8, GL_DEPTH32F_STENCIL8)
DEPTH(batches_rgb565, GL_RGB565, GL_DEPTH24_STENCIL8)
DEPTH(batches_rgba4, GL_RGBA4, GL_DEPTH24_STENCIL8)
DEPTH(batches_rgb5a1, GL_RGB5_A1, GL_DEPTH24_STENCIL8)
DEPTH(batches_r8, GL_R8, GL_DEPTH24_STENCIL8)
DEPTH(batches_rg8, GL_RG8, GL_DEPTH24_STENCIL8)
DEPTH(batches_rgb10a2, GL_RGB10_A2, GL_DEPTH24_STENCIL8)
DEPTH(batches_srgb8, GL_SRGB8_ALPHA8, GL_DEPTH24_STENCIL8)

static void batches_rgba16f(void)
{
	if (has_extension("GL_EXT_color_buffer_float"))
		depth_batches(GL_RGBA16F, GL_DEPTH24_STENCIL8);
	else
		scene_skip("GL_EXT_color_buffer_float");
}

/* ---- stencil ---- */

/* Stencil of the first batch decides where the last one draws. */
static void stencil_batches(GLenum depth_format)
{
	GLuint t = begin(GL_RGBA8, depth_format);

	glEnable(GL_STENCIL_TEST);
	glStencilFunc(GL_ALWAYS, 3, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
	first_batch();
	glStencilFunc(GL_ALWAYS, 7, 0xff);
	small_batch(-0.7, 1, 0, 0);
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	glStencilFunc(GL_EQUAL, 7, 0xff);
	draw_colour(-1, -1, 0, 1, -0.9, 0, 1, 1, 1);
	glFinish();
	glStencilFunc(GL_EQUAL, 3, 0xff);
	draw_colour(0.6, 0.6, 0.9, 0.8, -0.9, 1, 0, 1, 1);
	show(t);
}

static void batches_stencil(void)
{
	stencil_batches(GL_DEPTH24_STENCIL8);
}

static void batches_stencil_z32f(void)
{
	stencil_batches(GL_DEPTH32F_STENCIL8);
}

static void batches_stencil_only(void)
{
	stencil_batches(GL_STENCIL_INDEX8);
}

/* ---- clears ---- */

/* Buffers that a later batch clears, with a draw after the clear or without. */
static void clear_batches(GLbitfield buffers, bool draw, bool scissor)
{
	GLbitfield zs = buffers & (GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	GLuint t;

	/* where one of depth and stencil is kept, and nothing is drawn */
	if ((zs == GL_DEPTH_BUFFER_BIT || zs == GL_STENCIL_BUFFER_BIT) && !draw && !scissor &&
	    scene_skip_on("T760 T860", 2500, 0,
			  "tiler heap: Mesa reloads, but has disabled the tiler"))
		return;
	/* partial-clear in Documentation/found.rst */
	if ((zs == GL_DEPTH_BUFFER_BIT || zs == GL_STENCIL_BUFFER_BIT) && !draw &&
	    scene_skip_on("400 450", 2203, 2500,
			  "reload: lima forgets the half that the last batch did not clear"))
		return;
	/* as on the chip: dEQP's depth_stencil_clear.depth_stencil_masked */
	if ((zs == GL_DEPTH_BUFFER_BIT || zs == GL_STENCIL_BUFFER_BIT) && zs == buffers &&
	    !scissor &&
	    scene_skip_on("2.1 2.6", 2203, 0,
			  "colours: emit_frag_end() stores 0 if the program has no colour"))
		return;
	t = begin(GL_RGBA8, GL_DEPTH24_STENCIL8);
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_STENCIL_TEST);
	glStencilFunc(GL_ALWAYS, 3, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
	first_batch();
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	glClearColor(0.5, 0, 0.5, 1);
	glClearDepthf(0.375);
	glClearStencil(5);
	if (scissor)
		glEnable(GL_SCISSOR_TEST);
	glScissor(20, 30, 70, 85);
	glClear(buffers);
	glDisable(GL_SCISSOR_TEST);
	if (draw)
		small_batch(-0.9, 1, 0, 0);
	glFinish();
	depth_batch();
	glStencilFunc(GL_EQUAL, 5, 0xff);
	draw_colour(-0.9, 0.3, 0.9, 0.5, -0.95, 0, 1, 1, 1);
	glFinish();
	glStencilFunc(GL_EQUAL, 3, 0xff);
	draw_colour(-0.9, 0.6, 0.9, 0.8, -0.95, 1, 1, 1, 1);
	glClearDepthf(1);
	glClearStencil(0);
	show(t);
}

#define CLEAR(name, buffers)				\
static void clear_##name(void)				\
{							\
	clear_batches(buffers, false, false);		\
}							\
static void clear_##name##_draw(void)			\
{							\
	clear_batches(buffers, true, false);		\
}							\
static void clear_##name##_scissor(void)		\
{							\
	clear_batches(buffers, false, true);		\
}							\
static void clear_##name##_scissor_draw(void)		\
{							\
	clear_batches(buffers, true, true);		\
}

CLEAR(colour, GL_COLOR_BUFFER_BIT)
CLEAR(depth, GL_DEPTH_BUFFER_BIT)
CLEAR(stencil, GL_STENCIL_BUFFER_BIT)
CLEAR(zs, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT)
CLEAR(colour_depth, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT)

/* ---- what draws write ---- */

/* Batches that write depth only, then colour only. */
static void batches_masked(void)
{
	GLuint t = begin(GL_RGBA8, GL_DEPTH24_STENCIL8);

	glEnable(GL_DEPTH_TEST);
	first_batch();
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	draw_colour(0.2, -0.1, 0.5, 0.1, -0.9, 1, 1, 1, 1);
	glFinish();
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glDepthMask(GL_FALSE);
	draw_colour(0.6, -0.9, 0.9, -0.6, -0.9, 1, 0, 0, 1);
	glFinish();
	glColorMask(GL_TRUE, GL_FALSE, GL_FALSE, GL_TRUE);
	draw_colour(-0.6, 0.6, -0.3, 0.9, -0.9, 1, 0, 0, 1);
	glFinish();
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glDepthMask(GL_TRUE);
	depth_batch();
	show(t);
}

/* Batches all of whose samples fail the depth test, are discarded, or blend. */
static void batches_unwritten(void)
{
	GLuint t = begin(GL_RGBA8, GL_DEPTH24_STENCIL8);

	glEnable(GL_DEPTH_TEST);
	first_batch();
	small_batch(0.5, 1, 0, 0);
	use_fragment(vs_plain, "", "if (v.x < 2.0) discard; colour = vec4(1);");
	draw_rect(-0.5, -0.5, 0.9, 0.9, -0.9);
	glFinish();
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	draw_colour(0.5, 0.5, 0.9, 0.9, -0.9, 0, 0, 0.5, 0);
	glFinish();
	glDisable(GL_BLEND);
	depth_batch();
	show(t);
}

static void batches_invalidate(void)
{
	static const GLenum depth[] = { GL_DEPTH_ATTACHMENT, GL_STENCIL_ATTACHMENT };
	GLuint t = begin(GL_RGBA8, GL_DEPTH24_STENCIL8);

	glEnable(GL_DEPTH_TEST);
	first_batch();
	draw_colour(-0.95, -0.95, -0.7, -0.6, -0.9, 1, 0, 0, 1);
	glInvalidateFramebuffer(GL_FRAMEBUFFER, 2, depth);
	glFinish();
	glClear(GL_DEPTH_BUFFER_BIT);
	draw_colour(0.5, 0.5, 0.9, 0.9, -0.9, 0, 1, 0, 1);
	show(t);
}

/* Three targets, of which later batches clear one and write others. */
static void batches_mrt(void)
{
	static const GLenum buffers[] = {
		GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2,
	};
	static const GLfloat purple[4] = { 0.5, 0, 0.5, 1 };
	GLuint t[3];
	int i;

	t[0] = begin(GL_RGBA8, GL_DEPTH24_STENCIL8);
	glGenTextures(2, t + 1);
	for (i = 1; i < 3; i++) {
		glBindTexture(GL_TEXTURE_2D, t[i]);
		glTexStorage2D(GL_TEXTURE_2D, 1, i == 1 ? GL_RGB565 : GL_RGBA8, SIDE, SIDE);
		texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
		glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, t[i], 0);
	}
	glDrawBuffers(3, buffers);
	glClear(GL_COLOR_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	make_program(vs_plain, "in vec4 v;\nlayout(location = 0) out vec4 a;\n"
		     "layout(location = 1) out vec4 b;\nlayout(location = 2) out vec4 c;\n"
		     "void main() { a = v.xyzw; b = v.yxyx; c = vec4(v.xx, 0.5, 1); }\n");
	draw_rect(-1, -1, 1, 1, 0);
	glFinish();
	glClearBufferfv(GL_COLOR, 2, purple);
	draw_rect(-0.95, -0.95, -0.7, -0.6, -0.5);
	glFinish();
	/* the second target alone */
	glDrawBuffers(3, (const GLenum[]){ GL_NONE, GL_COLOR_ATTACHMENT1, GL_NONE });
	make_program(vs_plain, "in vec4 v;\nlayout(location = 1) out vec4 b;\n"
		     "void main() { b = vec4(1, 0, 0, 1); }\n");
	draw_rect(0.4, 0.4, 0.9, 0.9, -0.5);
	glFinish();
	glDisable(GL_DEPTH_TEST);
	glViewport(0, 0, SIZE, SIZE);
	main_target();
	use_fragment(vs_plain, "uniform sampler2D t, u, w;",
		     "ivec2 p = ivec2(gl_FragCoord.xy) * 149 / 63; colour = p.x < 50 ?"
		     " texelFetch(t, p, 0) : p.x < 100 ? texelFetch(u, p, 0) :"
		     " texelFetch(w, p, 0);");
	set_int("u", 1);
	set_int("w", 2);
	for (i = 0; i < 3; i++) {
		glActiveTexture(GL_TEXTURE0 + i);
		glBindTexture(GL_TEXTURE_2D, t[i]);
	}
	glActiveTexture(GL_TEXTURE0);
	draw_rect(-1, -1, 1, 1, 0);
}

static void batches_samples(void)
{
	GLuint fbo, rb[2], t;

	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glGenRenderbuffers(2, rb);
	glBindRenderbuffer(GL_RENDERBUFFER, rb[0]);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, SIDE, SIDE);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb[0]);
	glBindRenderbuffer(GL_RENDERBUFFER, rb[1]);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_DEPTH24_STENCIL8, SIDE, SIDE);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
				  rb[1]);
	glViewport(0, 0, SIDE, SIDE);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	first_batch();
	small_batch(-0.7, 1, 0, 0);
	depth_batch();
	t = make_target_sized(GL_RGBA8, 0, SIDE);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
	glBlitFramebuffer(0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	show(t);
}

#define CLEAR_SCENES(name)						\
	{ "clear_" #name, clear_##name },				\
	{ "clear_" #name "_draw", clear_##name##_draw },		\
	{ "clear_" #name "_scissor", clear_##name##_scissor },	\
	{ "clear_" #name "_scissor_draw", clear_##name##_scissor_draw }

const struct scene batch_scenes[] = {
	{ "batches", batches },
	{ "batches_z16", batches_z16 },
	{ "batches_z24", batches_z24 },
	{ "batches_z24s8", batches_z24s8 },
	{ "batches_z32f", batches_z32f },
	{ "batches_z32f_s8", batches_z32f_s8 },
	{ "batches_rgb565", batches_rgb565, "store-rgb565-steps store-rgb565@mali4,vc4,cygnus" },
	{ "batches_rgba4", batches_rgba4, "store-rgba4@mali4,vc4,cygnus" },
	{ "batches_rgb5a1", batches_rgb5a1, "store-rgb5a1-steps store-rgb565@mali4" },
	{ "batches_r8", batches_r8 },
	{ "batches_rg8", batches_rg8 },
	{ "batches_rgb10a2", batches_rgb10a2, "store-rgb10a2-steps" },
	{ "batches_srgb8", batches_srgb8, "store-srgb-steps" },
	{ "batches_rgba16f", batches_rgba16f, "half-draw" },
	{ "batches_stencil", batches_stencil },
	{ "batches_stencil_z32f", batches_stencil_z32f },
	{ "batches_stencil_only", batches_stencil_only },
	CLEAR_SCENES(colour),
	CLEAR_SCENES(depth),
	CLEAR_SCENES(stencil),
	CLEAR_SCENES(zs),
	CLEAR_SCENES(colour_depth),
	{ "batches_masked", batches_masked },
	{ "batches_unwritten", batches_unwritten },
	{ "batches_invalidate", batches_invalidate },
	{ "batches_mrt", batches_mrt, "store-rgb565-steps*2" },
	{ "batches_samples", batches_samples },
	{ }
};
