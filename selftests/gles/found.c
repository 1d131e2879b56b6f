// SPDX-License-Identifier: GPL-2.0
/*
 * Mistakes of Mesa's compilers and drivers for Mali (Documentation/found.rst).
 *
 * Each has its right result and the wrong one that the mistake gives. On the chips and versions of
 * Mesa of the table, the wrong one is expected, and the right one fails as "fixed".
 * Elsewhere the right one is expected. A result that is neither always fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gles.h"

#define BIFROST		"G31 G52 G71 G72"
#define MIDGARD		"T760 T860"

enum outcome { RIGHT, KNOWN, OTHER };

#define UTGARD		"400 450"

/**
 * struct found - A mistake
 * @name: as in Documentation/found.rst
 * @what: in a few words
 * @chips: that have it, as GL_RENDERER names them
 * @since: first version of Mesa that is known to have it, major * 100 + minor, or 0: all
 * @fixed: first version known not to have it, or 0
 * @run: runs the program and compares its result
 * @es2: OpenGL ES 2 is enough
 */
struct found {
	const char *name;
	const char *what;
	const char *chips;
	int since, fixed;
	enum outcome (*run)(void);
	bool es2;
};

/* Major * 100 + minor of "OpenGL ES 3.1 Mesa 22.3.6", or 0. */
static int mesa_version(void)
{
	const char *text = strstr((const char *)glGetString(GL_VERSION), "Mesa ");
	int major, minor;

	if (!text || sscanf(text, "Mesa %d.%d", &major, &minor) != 2)
		return 0;
	return 100 * major + minor;
}

/* A storage buffer of @n words: @data, or zeros. */
static GLuint bind_words(GLuint binding, const void *data, unsigned int n)
{
	static const uint32_t zeros[128];
	GLuint buffer;

	glGenBuffers(1, &buffer);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
	glBufferData(GL_SHADER_STORAGE_BUFFER, 4 * n, data ? data : zeros, GL_DYNAMIC_COPY);
	return buffer;
}

/* Run one workgroup of the current program; @out: @n words of @buffer after it. */
static void dispatch(GLuint buffer, uint32_t *out, unsigned int n)
{
	const void *p;

	glDispatchCompute(1, 1, 1);
	glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
	p = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, 4 * n, GL_MAP_READ_BIT);
	if (!p) {
		scene_fail("cannot map the result");
		return;
	}
	memcpy(out, p, 4 * n);
	glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
}

/* Compares @out with both results; prints its first difference from the right one. */
static enum outcome compare(const uint32_t *out, const uint32_t *right, const uint32_t *wrong,
			    unsigned int n)
{
	unsigned int i;

	if (!memcmp(out, right, 4 * n))
		return RIGHT;
	for (i = 0; out[i] == right[i]; i++)
		;
	printf("# word %u is 0x%08x, right is 0x%08x\n", i, out[i], right[i]);
	return memcmp(out, wrong, 4 * n) ? OTHER : KNOWN;
}

/*
 * bi_pressure_schedule.c orders a store after the last load only: the first of two loads may sink
 * below it. Elements are exchanged and added, as in a prefix sum.
 */
static enum outcome load_store_order(void)
{
	uint32_t out[128] = { 0 }, right[128], wrong[128];
	GLuint buffer = bind_words(0, NULL, 128);
	unsigned int i;

	for (i = 0; i < 64; i++) {
		right[i] = i < 60 ? i + 1 : 100 + i;
		right[64 + i] = i < 60 ? 100 + i : 101 + 2 * i;
		wrong[i] = right[i];
		wrong[64 + i] = i < 60 ? 100 + i : 200 + 2 * i;
	}
	make_program("layout(local_size_x = 64) in;\n"
		     "layout(std430, binding = 0) buffer Out { uint o[]; };\n"
		     "shared uint s[128];\n"
		     "void main()\n"
		     "{\n"
		     "	uint i = gl_LocalInvocationID.x;\n"
		     "	s[i] = i + 1u;\n"
		     "	s[i + 64u] = 100u + i;\n"
		     "	barrier();\n"
		     "	if (i < 4u) {\n"
		     "		uint t = s[63u - i];\n"
		     "		s[63u - i] = s[127u - i];\n"
		     "		s[127u - i] += t;\n"
		     "	}\n"
		     "	barrier();\n"
		     "	o[i] = s[i];\n"
		     "	o[i + 64u] = s[i + 64u];\n"
		     "}\n", NULL);
	dispatch(buffer, out, 128);
	return compare(out, right, wrong, 128);
}

/* emit_atomic() of midgard_compile.c gives a compare-and-swap the address of the whole array. */
static enum outcome shared_compare_and_swap(void)
{
	uint32_t out[16] = { 0 }, right[16] = { [10] = 7 }, wrong[16] = { [0] = 7 };
	GLuint buffer = bind_words(0, NULL, 16);

	make_program("layout(local_size_x = 16) in;\n"
		     "layout(std430, binding = 0) buffer Out { uint o[]; };\n"
		     "shared uint s[16];\n"
		     "void main()\n"
		     "{\n"
		     "	uint i = gl_LocalInvocationIndex;\n"
		     "	s[i] = 0u;\n"
		     "	barrier();\n"
		     "	if (i == 3u)\n"
		     "		atomicCompSwap(s[10], 0u, 7u);\n"
		     "	barrier();\n"
		     "	o[i] = s[i];\n"
		     "}\n", NULL);
	dispatch(buffer, out, 16);
	return compare(out, right, wrong, 16);
}

/*
 * bi_fold_constant() truncates F32_TO_U32, which rounds to nearest: layer 2.7 of an array is 2 as a
 * constant and 3 as a uniform.
 */
static enum outcome constant_layer(void)
{
	uint32_t out[2] = { 0 }, right[2] = { 3, 3 }, wrong[2] = { 2, 3 };
	GLuint buffer = bind_words(0, NULL, 2), texture;
	uint8_t texels[64];
	unsigned int i;

	for (i = 0; i < sizeof(texels); i++)
		texels[i] = i / 16;
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
	glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_R8, 4, 4, 4);
	glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 4, 4, 4, GL_RED, GL_UNSIGNED_BYTE, texels);
	texture_params(GL_TEXTURE_2D_ARRAY, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	make_program("layout(local_size_x = 1) in;\n"
		     "layout(std430, binding = 0) buffer Out { uint o[]; };\n"
		     "uniform sampler2DArray t;\n"
		     "uniform float layer;\n"
		     "void main()\n"
		     "{\n"
		     "	vec2 at = vec2(0.4, 0.6);\n"
		     "	o[0] = uint(textureGather(t, vec3(at, 2.7)).x * 255.0 + 0.5);\n"
		     "	o[1] = uint(textureGather(t, vec3(at, layer)).x * 255.0 + 0.5);\n"
		     "}\n", NULL);
	set_float("layer", 2.7f);
	dispatch(buffer, out, 2);
	return compare(out, right, wrong, 2);
}

/*
 * mir_comparison_mobile() of midgard_schedule.c puts a comparison's constant into the bundle of the
 * select that needs it before it is known whether the comparison fits there, too. Here it does not,
 * as "f" is still to be overwritten, and in a bundle of its own it compares with 0. The constants
 * need more bits than an inline one has.
 */
static enum outcome comparison_constant(void)
{
	static const float starts[64] = { 2.0009765625f, 5, [9] = 2.0009765625f };
	static const float compared[2] = { 2.0009765625f, 0 };
	uint32_t out[128] = { 0 }, words[64], result[2][128];
	GLuint buffer = bind_words(0, NULL, 128);
	unsigned int i, k, wrong;

	for (i = 0; i < 64; i++)
		words[i] = i * 37;
	for (wrong = 0; wrong < 2; wrong++) {
		for (i = 0; i < 64; i++) {
			uint32_t p = words[i], q = p >> 5, y = q;
			float f = starts[i], g = 0.5f;

			for (k = 0; k < (y & 7); k++) {
				g = (f == compared[wrong] ? 3.0009765625f : 1) - g - f + 1;
				q = p * (q + p);
				if (f > 3)
					continue;
				y ^= k & (uint32_t)(f * 16);
				f *= 0.5f;
			}
			memcpy(&result[wrong][2 * i], &g, 4);
			result[wrong][2 * i + 1] = q + y;
		}
	}
	bind_words(1, words, 64);
	bind_words(2, starts, 64);
	make_program("layout(local_size_x = 64) in;\n"
		     "layout(std430, binding = 0) buffer Out { uint o[]; };\n"
		     "layout(std430, binding = 1) readonly buffer A { int words[]; };\n"
		     "layout(std430, binding = 2) readonly buffer B { float starts[]; };\n"
		     "void main()\n"
		     "{\n"
		     "	uint i = gl_LocalInvocationIndex;\n"
		     "	int p = words[i], q = p >> 5;\n"
		     "	float f = starts[i], g = 0.5;\n"
		     "	uint y = uint(q);\n"
		     "	for (uint k = 0u; k < (y & 7u); k++) {\n"
		     "		g = (f == 2.0009765625 ? 3.0009765625 : 1.0) - g - f + 1.0;\n"
		     "		q = p * (q + p);\n"
		     "		if (f > 3.0)\n"
		     "			continue;\n"
		     "		y ^= k & uint(f * 16.0);\n"
		     "		f *= 0.5;\n"
		     "	}\n"
		     "	o[2u * i] = floatBitsToUint(g);\n"
		     "	o[2u * i + 1u] = uint(q) + y;\n"
		     "}\n", NULL);
	dispatch(buffer, out, 128);
	return compare(out, result[0], result[1], 128);
}

/*
 * inline_alu_constants() of midgard_compile.c: a select of two constants needs a move of one, which
 * goes before the preceding instruction. The first instruction of a block has none: the move goes
 * to the block's end, after the branch.
 */
static enum outcome select_of_constants(void)
{
	uint32_t out[64] = { 0 }, right[64], wrong[64], counts[64];
	GLuint buffer = bind_words(0, NULL, 64);
	unsigned int i;

	for (i = 0; i < 64; i++) {
		counts[i] = i % 5;
		right[i] = i + (i & 1 ? 7 * counts[i] : 31 * (counts[i] + 1));
		/* the register is zero in the first iteration */
		wrong[i] = right[i] - (i & 1 ? 0 : 31);
	}
	bind_words(1, counts, 64);
	make_program("layout(local_size_x = 64) in;\n"
		     "layout(std430, binding = 0) buffer Out { uint o[]; };\n"
		     "layout(std430, binding = 1) readonly buffer In { uint counts[]; };\n"
		     "void main()\n"
		     "{\n"
		     "	uint i = gl_LocalInvocationIndex, y = i;\n"
		     "	bool odd = (i & 1u) != 0u;\n"
		     "	uint n = odd ? counts[i] : counts[i] + 1u;\n"
		     "	for (uint k = 0u; k < n; k++)\n"
		     "		y += odd ? 7u : 31u;\n"
		     "	o[i] = y;\n"
		     "}\n", NULL);
	dispatch(buffer, out, 64);
	return compare(out, right, wrong, 64);
}

/* A select with a vector of constant conditions reads a register that nothing has written. */
static enum outcome constant_condition(void)
{
	static const float data[4] = { 1, 2, 3, 4 }, right[4] = { 1, 0.75f, 0.75f, 4 },
		wrong[4] = { 0.75f, 0.75f, 0.75f, 0.75f };
	GLuint buffer = bind_words(0, NULL, 4);
	uint32_t out[4] = { 0 };

	bind_words(1, data, 4);
	make_program("layout(local_size_x = 1) in;\n"
		     "layout(std430, binding = 0) buffer Out { vec4 o; };\n"
		     "layout(std430, binding = 1) readonly buffer In { vec4 v; };\n"
		     "void main()\n"
		     "{\n"
		     "	o = mix(vec4(0.75), v, bvec4(true, false, false, true));\n"
		     "}\n", NULL);
	dispatch(buffer, out, 4);
	return compare(out, (const uint32_t *)right, (const uint32_t *)wrong, 4);
}

/*
 * mir_ldst_pack_offset() of midgard_emit.c cuts an offset in a uniform buffer to a signed field of
 * 16 bits: from 32 KiB on it is negative, and the load is outside of the buffer.
 */
static enum outcome far_uniform(void)
{
	static const uint32_t right[4] = { 1, 2, 3, 4 }, wrong[4];
	GLuint uniforms, buffer = bind_words(0, NULL, 4);
	static uint32_t words[4 * 3004];
	uint32_t out[4] = { 0 }, i;

	for (i = 0; i < 4; i++)
		words[4 * (3000 + i)] = i + 1;
	glGenBuffers(1, &uniforms);
	glBindBufferBase(GL_UNIFORM_BUFFER, 0, uniforms);
	glBufferData(GL_UNIFORM_BUFFER, sizeof(words), words, GL_STATIC_DRAW);
	make_program("layout(local_size_x = 4) in;\n"
		     "layout(std430, binding = 0) buffer Out { uint o[]; };\n"
		     "layout(std140, binding = 0) uniform In { uvec4 other[3000], u[4]; };\n"
		     "void main()\n"
		     "{\n"
		     "	uint i = gl_LocalInvocationIndex;\n"
		     "	o[i] = u[i].x;\n"
		     "}\n", NULL);
	dispatch(buffer, out, 4);
	return compare(out, right, wrong, 4);
}

/*
 * mir_add_writeout_loops() of midgard_compile.c ends the program at the write to the last target.
 * The write to target 0 comes after it.
 */
static enum outcome output_order(void)
{
	static const GLenum buffers[] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1 };
	static uint32_t out[SIZE * SIZE], right[SIZE * SIZE], wrong[SIZE * SIZE];
	GLuint second;
	int i;

	for (i = 0; i < SIZE * SIZE; i++)
		right[i] = 0xff0000ff;
	make_target(GL_RGBA8, 0);
	glGenTextures(1, &second);
	glBindTexture(GL_TEXTURE_2D, second);
	glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIZE, SIZE);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, second, 0);
	glDrawBuffers(2, buffers);
	glViewport(0, 0, SIZE, SIZE);
	glClear(GL_COLOR_BUFFER_BIT);
	make_program(vs_plain,
		     "layout(location = 1) out vec4 green;\n"
		     "layout(location = 0) out vec4 red;\n"
		     "void main()\n"
		     "{\n"
		     "	green = vec4(0.0, 1.0, 0.0, 1.0);\n"
		     "	red = vec4(1.0, 0.0, 0.0, 1.0);\n"
		     "}\n");
	draw_rect(-1, -1, 1, 1, 0);
	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, out);
	return compare(out, right, wrong, SIZE * SIZE);
}

/*
 * midgard_emit_derivatives() takes the components of its operand as they are, without the swizzle.
 * Since 25.0 only the second instruction does, that of the last two components.
 */
static enum outcome derivative_swizzle(void)
{
	static uint32_t out[SIZE * SIZE], right[SIZE * SIZE], wrong[SIZE * SIZE];
	int i;

	for (i = 0; i < SIZE * SIZE; i++) {
		right[i] = 0x336699cc;
		wrong[i] = mesa_version() < 2500 ? 0xcc996633 : 0xcc9999cc;
	}
	make_target(GL_RGBA8, 0);
	glViewport(0, 0, SIZE, SIZE);
	use_fragment(vs_plain, "",
		     "vec4 steps = gl_FragCoord.x * vec4(0.2, 0.4, 0.6, 0.8);\n"
		     "colour = dFdx(steps.wzyx);");
	draw_rect(-1, -1, 1, 1, 0);
	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, out);
	return compare(out, right, wrong, SIZE * SIZE);
}

/*
 * pan_lower_framebuffer() has blend programs read sample 0 and write the result to all samples that
 * the triangle covers. Two triangles share the column of pixels in the middle: the right half of
 * its samples gets the colour twice.
 */
static enum outcome blend_of_samples(void)
{
	static uint32_t out[SIZE * SIZE], right[SIZE * SIZE], wrong[SIZE * SIZE];
	/* the two sides of the centre of the pixels in the middle, without edges elsewhere */
	static const float halves[6][4] = {
		{ 1.0f / SIZE, -3, 0, 1 }, { 1.0f / SIZE, 3, 0, 1 }, { -7, 0, 0, 1 },
		{ 1.0f / SIZE, -3, 0, 1 }, { 1.0f / SIZE, 3, 0, 1 }, { 7, 0, 0, 1 },
	};
	GLuint samples = sample_target(), fbo;
	int i;

	for (i = 0; i < SIZE * SIZE; i++) {
		right[i] = 0xff102040;
		/* samples 0 and 2 are in the left half of a pixel */
		wrong[i] = i % SIZE == SIZE / 2 ? 0xff183060 : right[i];
	}
	glClearColor(0, 0, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	use_fragment(vs_plain, "", "colour = vec4(1.0);");
	glEnable(GL_BLEND);
	/* constants that differ need a program */
	glBlendColor(64 / 255.0f, 32 / 255.0f, 16 / 255.0f, 1);
	glBlendFunc(GL_CONSTANT_COLOR, GL_ONE);
	set_vertices(halves, NULL, ARRAY_SIZE(halves));
	glDrawArrays(GL_TRIANGLES, 0, ARRAY_SIZE(halves));
	glDisable(GL_BLEND);
	glClearColor(0, 0, 0, 0);
	make_target(GL_RGBA8, 0);
	glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, (GLint *)&fbo);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, samples);
	glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, out);
	return compare(out, right, wrong, SIZE * SIZE);
}

/*
 * Allowed by the language, and reported as broken pictures: a product of window coordinates with
 * medium precision exceeds the largest half, 65504, and the fraction of an infinity is no number.
 */
static enum outcome half_fragcoord(void)
{
	enum { SIDE = 512 };
	static uint32_t out[SIDE * SIDE], right[SIDE * SIDE], wrong[SIDE * SIDE];
	int x, y;

	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			right[SIDE * y + x] = 0xff000000;
			wrong[SIDE * y + x] = (x + 0.5) * (y + 0.5) < 65520 ? 0xff000000 :
					      0xff0000ff;
		}
	}
	make_target_sized(GL_RGBA8, 0, SIDE);
	glViewport(0, 0, SIDE, SIDE);
	use_fragment(vs_plain, "precision mediump float;",
		     "vec2 at = gl_FragCoord.xy;\n"
		     "float f = fract(at.x * at.y * 0.0001);\n"
		     "colour = vec4(f != f, 0.0, 0.0, 1.0);");
	draw_rect(-1, -1, 1, 1, 0);
	glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, out);
	return compare(out, right, wrong, SIDE * SIDE);
}

/*
 * panfrost_update_shader_state() describes vertex attributes once for all draws that share them,
 * with the number of instances of the first: the four instances of the second draw read them as if
 * it had one.
 */
static enum outcome instance_count(void)
{
	/* behind the rectangle nothing is visible */
	static const float vertices[16][4] = {
		{ -1, -1, 0, 1 }, { -0.5f, -1, 0, 1 }, { -1, 1, 0, 1 }, { -0.5f, 1, 0, 1 },
	};
	static uint32_t out[SIZE * SIZE], right[SIZE * SIZE], wrong[SIZE * SIZE];
	int i;

	for (i = 0; i < SIZE * SIZE; i++) {
		right[i] = 0xffffffff;
		wrong[i] = i % SIZE < SIZE / 4 ? 0xffffffff : 0;
	}
	make_target(GL_RGBA8, 0);
	glViewport(0, 0, SIZE, SIZE);
	glClear(GL_COLOR_BUFFER_BIT);
	use_fragment("layout(location = 0) in vec4 pos;\n"
		     "out vec4 v;\n"
		     "void main()\n"
		     "{\n"
		     "	gl_Position = pos + vec4(float(gl_InstanceID) * 0.5, 0.0, 0.0, 0.0);\n"
		     "	v = vec4(1.0);\n"
		     "}\n", "", "colour = v;");
	set_vertices(vertices, NULL, ARRAY_SIZE(vertices));
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 4);
	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, out);
	return compare(out, right, wrong, SIZE * SIZE);
}

/*
 * panfrost_update_streamout_offsets() counts the vertices of one instance: the next draw writes
 * over the others.
 */
static enum outcome feedback_instances(void)
{
	static const uint32_t right[8] = { 1, 2, 11, 12, 21, 22, 1 };
	static const uint32_t wrong[8] = { 1, 2, 1, 12, 21, 22, 0 };
	static const float vertices[2][4] = { { 0, 0, 0, 1 }, { 0.5, 0, 0, 1 } };
	static const char *const names[] = { "o" };
	static const uint32_t zeros[8];
	GLuint p = make_program("layout(location = 0) in vec4 pos;\n"
				"flat out uint o;\n"
				"void main()\n"
				"{\n"
				"	gl_Position = pos;\n"
				"	gl_PointSize = 1.0;\n"
				"	o = uint(gl_VertexID + 10 * gl_InstanceID + 1);\n"
				"}\n", "out vec4 c;\nvoid main() { c = vec4(1); }\n");
	enum outcome ret = OTHER;
	GLuint buffer;
	void *out;

	make_target(GL_RGBA8, 0);
	glTransformFeedbackVaryings(p, 1, names, GL_INTERLEAVED_ATTRIBS);
	glLinkProgram(p);
	glUseProgram(p);
	set_vertices(vertices, NULL, ARRAY_SIZE(vertices));
	glGenBuffers(1, &buffer);
	glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
	glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof(zeros), zeros, GL_DYNAMIC_READ);
	glEnable(GL_RASTERIZER_DISCARD);
	glBeginTransformFeedback(GL_POINTS);
	glDrawArraysInstanced(GL_POINTS, 0, 2, 3);
	glDrawArrays(GL_POINTS, 0, 1);
	glEndTransformFeedback();
	glDisable(GL_RASTERIZER_DISCARD);
	out = glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof(zeros), GL_MAP_READ_BIT);
	if (out)
		ret = compare(out, right, wrong, ARRAY_SIZE(right));
	glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
	return ret;
}

/*
 * lima_do_job() keeps as the buffers to reload those that the job has resolved, though a clear of
 * depth alone also reloads and writes stencil.
 */
static enum outcome partial_clear(void)
{
	static uint32_t out[SIZE * SIZE], right[SIZE * SIZE], wrong[SIZE * SIZE];
	unsigned int i;

	for (i = 0; i < SIZE * SIZE; i++) {
		right[i] = 0xffffffff;
		wrong[i] = 0xff000000;
	}
	make_target(GL_RGBA8, GL_DEPTH24_STENCIL8);
	glViewport(0, 0, SIZE, SIZE);
	glClearColor(0, 0, 0, 1);
	glClearStencil(3);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	glFinish();
	glClear(GL_DEPTH_BUFFER_BIT);
	glFinish();
	glEnable(GL_STENCIL_TEST);
	glStencilFunc(GL_EQUAL, 3, 0xff);
	draw_colour(-1, -1, 1, 1, 0, 1, 1, 1, 1);
	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, out);
	glDisable(GL_STENCIL_TEST);
	glClearStencil(0);
	glClearColor(0, 0, 0, 0);
	return compare(out, right, wrong, SIZE * SIZE);
}

/* The program that reloads a target has no swizzle: red and green are the texture's L and A. */
static enum outcome reload_of_two(void)
{
	static uint32_t out[SIZE * SIZE], right[SIZE * SIZE], wrong[SIZE * SIZE];
	GLuint t = make_target(GL_RG8, 0);
	unsigned int i;

	for (i = 0; i < SIZE * SIZE; i++) {
		right[i] = 0xff00ff00;
		wrong[i] = 0xff000000;
	}
	glViewport(0, 0, SIZE, SIZE);
	glClearColor(0, 1, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glFinish();
	draw_colour(-1, -1, -0.97, -0.97, 0, 0, 1, 0, 1);
	make_target(GL_RGBA8, 0);
	use_fragment(vs_plain, "uniform sampler2D t;", "colour = texture(t, v.xy);");
	glBindTexture(GL_TEXTURE_2D, t);
	draw_rect(-1, -1, 1, 1, 0);
	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, out);
	glClearColor(0, 0, 0, 0);
	/* pixels of the draw are right */
	wrong[0] = out[0];
	return compare(out, right, wrong, SIZE * SIZE);
}

static const struct found table[] = {
	{ "reload-of-two", "a reload copies red into green", UTGARD, 0, 0, reload_of_two, true },
	{ "partial-clear", "a clear of depth loses stencil", UTGARD, 0, 2500, partial_clear,
	  true },
	{ "instance-count", "the number of instances is an earlier draw's", BIFROST " " MIDGARD,
	  2500, 2602, instance_count },
	{ "load-store-order", "a load sinks below a store to its address", BIFROST, 0, 2602,
	  load_store_order },
	{ "shared-compare-and-swap", "the offset in shared memory is lost", MIDGARD, 0, 0,
	  shared_compare_and_swap },
	{ "constant-layer", "a constant layer is truncated", BIFROST, 0, 2602,
	  constant_layer },
	{ "comparison-constant", "a comparison's constant is lost", MIDGARD, 0, 2500,
	  comparison_constant },
	{ "select-of-constants", "a constant is set after its use", MIDGARD, 0, 2500,
	  select_of_constants },
	{ "constant-condition", "a vector of constant conditions is lost", MIDGARD, 0, 2500,
	  constant_condition },
	{ "far-uniform", "an offset of 32 KiB is negative", MIDGARD, 0, 0, far_uniform },
	{ "output-order", "the program ends before its last write", MIDGARD, 0, 0, output_order },
	{ "derivative-swizzle", "the operand's swizzle is lost", MIDGARD, 0, 0,
	  derivative_swizzle },
	{ "blend-of-samples", "a blend program reads sample 0 for all", MIDGARD, 0, 0,
	  blend_of_samples },
	{ "feedback-instances", "the offset after an instanced draw is that after one instance",
	  BIFROST " " MIDGARD, 0, 0, feedback_instances },
	{ "half-fragcoord", "65520 is infinite with medium precision, as allowed",
	  BIFROST " " MIDGARD, 0, 2602, half_fragcoord },
};

bool renderer_is(const char *chips)
{
	const char *renderer = (const char *)glGetString(GL_RENDERER);
	char name[16];

	if (!strncmp(renderer, "llvmpipe", 8))
		return strstr(chips, "llvmpipe");
	/* lima has no hyphen */
	return (sscanf(renderer, "Mali-%15[A-Z0-9]", name) == 1 ||
		sscanf(renderer, "Mali%15[0-9]", name) == 1 ||
		sscanf(renderer, "VC4 V3D %15[0-9.]", name) == 1) && strstr(chips, name);
}

bool scene_skip_on(const char *chips, int since, int fixed, const char *what)
{
	int version = mesa_version();

	/* other renderers have other versions */
	if (!renderer_is(chips) || version < since || (fixed && version >= fixed))
		return false;
	scene_skip(what);
	return true;
}

static bool report(const struct found *f, int number)
{
	int version = mesa_version();
	bool known = renderer_is(f->chips) && version >= f->since &&
		     (!f->fixed || version < f->fixed);
	enum outcome outcome;
	bool ok;

	if (!f->es2 && needs_es3()) {
		printf("ok %d %s # SKIP no OpenGL ES 3\n", number, f->name);
		return true;
	}
	outcome = f->run();
	ok = scene_ok();
	if (!ok)
		printf("not ok %d %s\n", number, f->name);
	else if (outcome == OTHER)
		printf("not ok %d %s: neither right nor wrong as known\n", number, f->name);
	else if (outcome == KNOWN && !known)
		printf("not ok %d %s: wrong as known, but not here\n", number, f->name);
	else if (outcome == RIGHT && known)
		printf("not ok %d %s: fixed, expected to fail\n", number, f->name);
	else if (outcome == RIGHT)
		printf("ok %d %s\n", number, f->name);
	else
		printf("not ok %d %s # TODO Mesa: %s\n", number, f->name, f->what);
	fflush(stdout);
	return ok && outcome == (known ? KNOWN : RIGHT);
}

int run_found(void)
{
	unsigned int i;
	int ret = 0;

	printf("1..%zu\n", ARRAY_SIZE(table));
	for (i = 0; i < ARRAY_SIZE(table); i++) {
		if (!report(&table[i], i + 1))
			ret = 1;
	}
	return ret;
}
