// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes of programs: arithmetic, control flow, uniforms; compute, transform feedback, queries,
 * indirect draws.
 */
#include <stdint.h>

#include "gles.h"

static void body(const char *text)
{
	use_fragment(vs_plain, "uniform vec4 u; uniform int n;", text);
	set_vec4("u", 0.25, 0.5, 0.75, 1);
	set_int("n", 7);
	draw_rect(-1, -1, 1, 1, 0);
}

static void arithmetic(void)
{
	body("colour = vec4(sqrt(v.x), v.y * v.y, v.x / (v.y + 0.5), 1.0 - abs(v.x - v.y));");
}

static void functions(void)
{
	body("colour = vec4(0.5 + 0.5 * sin(v.x * 9.0), 0.5 + 0.5 * cos(v.y * 9.0), exp2(v.x - 1.0),"
	     " log2(1.0 + v.y));");
}

static void integers(void)
{
	body("ivec2 p = ivec2(gl_FragCoord.xy); int a = (p.x * 37 + p.y * n) ^ (p.x << 3);"
	     " uint b = uint(p.x * p.y + 1) / uint(n); colour = vec4(float(a & 255),"
	     " float((a >> 2) % 256 & 255), float(b & 255u), 255) / 255.0;");
}

static void bits(void)
{
	body("uvec2 p = uvec2(gl_FragCoord.xy); uint a = p.x * 1021u + p.y * 4099u;"
	     " colour = vec4(float(bitCount(a)) / 32.0, float(findMSB(a) + 1) / 32.0,"
	     " float(bitfieldReverse(a) >> 24) / 255.0, float(bitfieldExtract(a, 3, 8)) / 255.0);");
}

static void loops(void)
{
	body("float s = 0.0; for (int i = 0; i < int(v.x * 20.0); i++) { if (i == n) continue;"
	     " s += float(i) * 0.01; if (s > v.y) break; } colour = vec4(s, v.xy, 1);");
}

static void branches(void)
{
	body("vec4 c = u; if (v.x > 0.5) { if (v.y > 0.3) c.x = 1.0; else c.y = v.x; }"
	     " else if (v.y < v.x) c = c.wzyx; else discard; colour = c;");
}

static void nested_loops(void)
{
	if (scene_skip_on("400 450", 2203, 0, "binary32: the edge of the set is elsewhere"))
		return;
	body("vec2 z = vec2(0); int k = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 8; j++) {"
	     " z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + v.xy * 2.5 - vec2(1.75, 1.25);"
	     " if (dot(z, z) > 4.0) break; k++; } colour = vec4(float(k) / 24.0);");
}

static void arrays(void)
{
	body("vec4 a[5]; for (int i = 0; i < 5; i++) a[i] = vec4(float(i) * 0.2, v.x, 0.5, 1);"
	     " a[int(v.y * 4.9)].z = 1.0; colour = a[int(v.x * 4.9)];");
}

static void derivatives(void)
{
	body("colour = vec4(abs(dFdx(v.x)) * 32.0, abs(dFdy(v.y)) * 16.0,"
	     " fwidth(v.x * v.y) * 16.0, 1);");
}

static void half_precision(void)
{
	body("mediump vec4 m = v * u; mediump float k = m.x * m.y + m.z; colour ="
	     " vec4(m.xy, k, 1);");
}

static void frag_coord(void)
{
	body("colour = vec4(gl_FragCoord.xy / 64.0, gl_FragCoord.z, gl_FragCoord.w);");
}

static void uniform_block(void)
{
	float data[64][4];
	GLuint buffer;
	int i;

	for (i = 0; i < 64; i++) {
		data[i][0] = i / 63.0;
		data[i][1] = i & 1;
		data[i][2] = (63 - i) / 63.0;
		data[i][3] = 1;
	}
	use_fragment(vs_plain, "layout(std140, binding = 2) uniform B { vec4 a[64]; };",
		     "colour = a[int(gl_FragCoord.x)] * v.y;");
	glGenBuffers(1, &buffer);
	glBindBufferBase(GL_UNIFORM_BUFFER, 2, buffer);
	glBufferData(GL_UNIFORM_BUFFER, sizeof(data), data, GL_STATIC_DRAW);
	draw_rect(-1, -1, 1, 1, 0);
}

static void matrices(void)
{
	static const float m[16] = {
		0.8, 0.6, 0, 0, -0.6, 0.8, 0, 0, 0, 0, 1, 0, 0.1, -0.1, 0, 1,
	};
	GLuint p = make_program("layout(location = 0) in vec4 pos;\nuniform mat4 m;\nout vec4 v;\n"
				"void main() { gl_Position = m * pos; v = transpose(m) * pos; }\n",
				"in vec4 v;\nout vec4 colour;\n"
				"void main() { colour = v * 0.5 + 0.5; }\n");

	glUniformMatrix4fv(glGetUniformLocation(p, "m"), 1, GL_FALSE, m);
	draw_rect(-0.6, -0.6, 0.6, 0.6, 0);
}

static void many_varyings(void)
{
	make_program("layout(location = 0) in vec4 pos;\nout vec4 a; out vec3 b; out vec2 c;"
		     " out float d; flat out ivec2 e; out mediump vec4 f;\n"
		     "void main() { gl_Position = pos; a = pos.xyxy; b = pos.yxy; c = pos.yy;"
		     " d = pos.x; e = ivec2(3, 5); f = pos.yyxx; }\n",
		     "in vec4 a; in vec3 b; in vec2 c; in float d; flat in ivec2 e;"
		     " in mediump vec4 f;\nout vec4 colour;\nvoid main() {\n"
		     "colour = vec4(a.x + b.y, c.x, d * float(e.x) / 4.0, 1) * 0.25 + 0.4 + 0.1 * f;"
		     "}\n");
	draw_rect(-0.9, -0.9, 0.9, 0.9, 0);
}

static void attribute_formats(void)
{
	static const struct {
		float pos[2];
		uint8_t unorm[4];
		int8_t snorm[4];
		uint16_t half[2];
	} data[4] = {
		{ { -0.9, -0.9 }, { 255, 0, 0, 255 }, { 127, 0, -128, 0 }, { 0x3c00, 0 } },
		{ { 0.9, -0.9 }, { 0, 255, 0, 255 }, { 0, 127, 0, 0 }, { 0x3800, 0x3c00 } },
		{ { -0.9, 0.9 }, { 0, 0, 255, 255 }, { -127, 0, 64, 0 }, { 0, 0x3800 } },
		{ { 0.9, 0.9 }, { 255, 255, 255, 0 }, { 64, 64, 64, 0 }, { 0x3c00, 0x3c00 } },
	};
	GLuint buffer;

	make_program("layout(location = 0) in vec4 pos;\nlayout(location = 1) in vec4 a;\n"
		     "layout(location = 2) in vec4 b;\nlayout(location = 3) in vec2 c;\nout vec4 v;\n"
		     "void main() { gl_Position = pos; v = a * 0.5 + b * 0.25 + vec4(c, 0, 0) * 0.25; }\n",
		     "in vec4 v;\nout vec4 colour;\nvoid main() { colour = v; }\n");
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, sizeof(data), data, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 20, NULL);
	glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, 20, (void *)8);
	glVertexAttribPointer(2, 4, GL_BYTE, GL_TRUE, 20, (void *)12);
	glVertexAttribPointer(3, 2, GL_HALF_FLOAT, GL_FALSE, 20, (void *)16);
	glEnableVertexAttribArray(0);
	glEnableVertexAttribArray(1);
	glEnableVertexAttribArray(2);
	glEnableVertexAttribArray(3);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void attribute_packed(void)
{
	static const uint32_t data[4] = { 0x00000000, 0x200001ff, 0x1007fc00, 0x3ff7fdff };
	GLuint buffer;

	make_program("layout(location = 1) in vec4 a;\nout vec4 v;\nvoid main() {\n"
		     "gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0, 1) * 1.6 - 0.8;\n"
		     "gl_Position.w = 1.0; v = a; }\n",
		     "in vec4 v;\nout vec4 colour;\nvoid main() { colour = v; }\n");
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, sizeof(data), data, GL_STATIC_DRAW);
	glVertexAttribPointer(1, 4, GL_INT_2_10_10_10_REV, GL_TRUE, 0, NULL);
	glEnableVertexAttribArray(1);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* ---- results as numbers ---- */

static GLuint storage(GLuint binding, const void *data, size_t size)
{
	GLuint buffer;

	glGenBuffers(1, &buffer);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
	glBufferData(GL_SHADER_STORAGE_BUFFER, size, data, GL_DYNAMIC_COPY);
	return buffer;
}

static void show_buffer(GLenum target, unsigned int n)
{
	void *p;

	glMemoryBarrier(GL_ALL_BARRIER_BITS);
	p = glMapBufferRange(target, 0, 4 * n, GL_MAP_READ_BIT);
	if (p)
		show_words(p, n);
	else
		scene_fail("cannot map a buffer");
	glUnmapBuffer(target);
}

static void compute(void)
{
	static uint32_t data[1024];
	int i;

	for (i = 0; i < 1024; i++)
		data[i] = i * 2654435761U;
	make_program("layout(local_size_x = 32) in;\n"
		     "layout(std430, binding = 0) buffer B { uint b[]; };\nshared uint s[32];\n"
		     "void main() { uint i = gl_LocalInvocationID.x;\n"
		     "s[i] = b[gl_GlobalInvocationID.x]; barrier();\n"
		     "b[gl_GlobalInvocationID.x] = s[31u - i] * 3u + gl_WorkGroupID.x; }\n", NULL);
	storage(0, data, sizeof(data));
	glDispatchCompute(32, 1, 1);
	show_buffer(GL_SHADER_STORAGE_BUFFER, 1024);
}

static void compute_atomics(void)
{
	static const uint32_t data[64];

	make_program("layout(local_size_x = 64) in;\n"
		     "layout(std430, binding = 0) buffer B { uint b[]; };\n"
		     "void main() { uint i = gl_GlobalInvocationID.x;\n"
		     "atomicAdd(b[i % 16u], i); atomicMax(b[16u + i % 8u], i);\n"
		     "atomicXor(b[24u + i % 8u], i << 3); atomicOr(b[32u + i % 8u], 1u << (i % 32u)); }\n",
		     NULL);
	storage(0, data, sizeof(data));
	glDispatchCompute(4, 1, 1);
	show_buffer(GL_SHADER_STORAGE_BUFFER, 64);
}

static void compute_indirect(void)
{
	static const uint32_t groups[3] = { 3, 2, 1 }, data[64];
	GLuint buffer;

	make_program("layout(local_size_x = 8) in;\n"
		     "layout(std430, binding = 0) buffer B { uint b[]; };\n"
		     "void main() { uint i = gl_GlobalInvocationID.x + 24u * gl_GlobalInvocationID.y;\n"
		     "b[i] = i + gl_NumWorkGroups.x * 1000u; }\n", NULL);
	storage(0, data, sizeof(data));
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, buffer);
	glBufferData(GL_DISPATCH_INDIRECT_BUFFER, sizeof(groups), groups, GL_STATIC_DRAW);
	glDispatchComputeIndirect(0);
	show_buffer(GL_SHADER_STORAGE_BUFFER, 64);
}

static void transform_feedback(void)
{
	static const char *const names[] = { "o" };
	static const float pos[5][4] = {
		{ 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 }, { 13, 14, 15, 16 },
	};
	static const float zero[8][4];
	GLuint p = make_program("layout(location = 0) in vec4 pos;\nout vec4 o;\n"
				"void main() { gl_Position = pos; o = pos * 2.0 + 1.0; }\n",
				"out vec4 c;\nvoid main() { c = vec4(1); }\n");
	GLuint buffer;

	glTransformFeedbackVaryings(p, 1, names, GL_INTERLEAVED_ATTRIBS);
	glLinkProgram(p);
	glUseProgram(p);
	set_vertices(pos, NULL, 5);
	glGenBuffers(1, &buffer);
	glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
	glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof(zero), zero, GL_DYNAMIC_READ);
	glEnable(GL_RASTERIZER_DISCARD);
	glBeginTransformFeedback(GL_POINTS);
	glDrawArrays(GL_POINTS, 0, 4);
	glEndTransformFeedback();
	glDisable(GL_RASTERIZER_DISCARD);
	show_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 32);
}

static uint32_t query_result(GLuint query)
{
	GLuint result;

	glGetQueryObjectuiv(query, GL_QUERY_RESULT, &result);
	return result;
}

static void occlusion(void)
{
	uint32_t w[3];
	GLuint q[3];
	int i;

	glGenQueries(3, q);
	glEnable(GL_DEPTH_TEST);
	draw_colour(-1, -1, 0, 1, -0.5, 1, 0, 0, 1);
	for (i = 0; i < 3; i++) {
		glBeginQuery(GL_ANY_SAMPLES_PASSED, q[i]);
		draw_colour(-0.9 + 0.7 * i, -0.5, -0.4 + 0.7 * i, 0.5, 0, 0, 1, 0, 1);
		glEndQuery(GL_ANY_SAMPLES_PASSED);
	}
	for (i = 0; i < 3; i++)
		w[i] = query_result(q[i]);
	show_words(w, 3);
}

static void primitives_written(void)
{
	static const char *const names[] = { "o" };
	static const float pos[6][4], zero[8][4];
	GLuint p = make_program("layout(location = 0) in vec4 pos;\nout vec4 o;\n"
				"void main() { gl_Position = pos; o = pos; }\n",
				"out vec4 c;\nvoid main() { c = vec4(1); }\n");
	GLuint buffer, query;
	uint32_t n;

	glTransformFeedbackVaryings(p, 1, names, GL_INTERLEAVED_ATTRIBS);
	glLinkProgram(p);
	glUseProgram(p);
	set_vertices(pos, NULL, 6);
	glGenBuffers(1, &buffer);
	glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
	glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof(zero), zero, GL_DYNAMIC_READ);
	glGenQueries(1, &query);
	glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
	glBeginTransformFeedback(GL_TRIANGLES);
	glDrawArrays(GL_TRIANGLES, 0, 6);
	glEndTransformFeedback();
	glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
	n = query_result(query);
	show_words(&n, 1);
}

static void draw_indirect(void)
{
	static const float pos[6][4] = {
		{ -0.9, -0.9, 0, 1 }, { 0, -0.9, 0, 1 }, { -0.9, 0, 0, 1 },
		{ 0.9, 0.9, 0, 1 }, { 0, 0.9, 0, 1 }, { 0.9, 0, 0, 1 },
	};
	static const float colour[6][4] = {
		{ 1, 0, 0, 1 }, { 1, 0, 0, 1 }, { 1, 1, 0, 1 },
		{ 0, 0, 1, 1 }, { 0, 1, 1, 1 }, { 0, 0, 1, 1 },
	};
	static const uint32_t args[4] = { 3, 1, 3, 0 };
	GLuint vao, vbo[2], buffer;

	glGenVertexArrays(1, &vao);
	glBindVertexArray(vao);
	use_fragment(vs_colour, "", "colour = v;");
	glGenBuffers(2, vbo);
	glBindBuffer(GL_ARRAY_BUFFER, vbo[0]);
	glBufferData(GL_ARRAY_BUFFER, sizeof(pos), pos, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(0);
	glBindBuffer(GL_ARRAY_BUFFER, vbo[1]);
	glBufferData(GL_ARRAY_BUFFER, sizeof(colour), colour, GL_STATIC_DRAW);
	glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(1);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer);
	glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof(args), args, GL_STATIC_DRAW);
	glDrawArraysIndirect(GL_TRIANGLES, NULL);
	glBindVertexArray(0);
}

static void image_store(void)
{
	GLuint t;

	glGenTextures(1, &t);
	glBindTexture(GL_TEXTURE_2D, t);
	glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIZE, SIZE);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	make_program("layout(local_size_x = 8, local_size_y = 8) in;\n"
		     "layout(rgba8, binding = 0) writeonly uniform highp image2D i;\nvoid main() {\n"
		     "ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
		     "imageStore(i, p, vec4(vec2(p) / 64.0, float((p.x ^ p.y) & 1), 1)); }\n",
		     NULL);
	glBindImageTexture(0, t, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
	glDispatchCompute(8, 8, 1);
	glMemoryBarrier(GL_ALL_BARRIER_BITS);
	show_texture(t, "sampler2D", "texelFetch(t, p, 0)");
}

const struct scene program_scenes[] = {
	{ "arithmetic", arithmetic },
	{ "functions", functions },
	{ "integers", integers },
	{ "bits", bits },
	{ "loops", loops },
	{ "branches", branches },
	{ "nested_loops", nested_loops, "varying-slope" },
	{ "arrays", arrays },
	{ "derivatives", derivatives },
	{ "half_precision", half_precision, "mediump" },
	{ "frag_coord", frag_coord },
	{ "uniform_block", uniform_block },
	{ "matrices", matrices, "varying-slope" },
	{ "many_varyings", many_varyings, "varying-slope" },
	{ "attribute_formats", attribute_formats, "varying-slope" },
	{ "attribute_packed", attribute_packed, "varying-slope" },
	{ "compute", compute },
	{ "compute_atomics", compute_atomics },
	{ "compute_indirect", compute_indirect },
	{ "transform_feedback", transform_feedback },
	{ "occlusion", occlusion },
	{ "primitives_written", primitives_written },
	{ "draw_indirect", draw_indirect },
	{ "image_store", image_store },
	{ }
};
