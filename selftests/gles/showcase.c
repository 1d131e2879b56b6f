// SPDX-License-Identifier: GPL-2.0
/*
 * The frame of the demo: a lit, textured torus knot above a floor that mirrors it, with its shadow.
 * All of it is one batch of the driver. The vertex shader computes the vertices from their numbers,
 * so that a recording of the frame is small. Rows of the picture are from the top.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gles.h"

#define WIDTH		480
#define HEIGHT		320
#define ALONG		200	/* squares along the knot */
#define AROUND		24	/* and around its tube */
#define SIDE		128	/* of the texture */

static const char vs_knot[] =
	"uniform mat4 view; uniform vec4 plane;\n"
	"out vec3 normal; out vec3 place; out vec2 uv;\n"
	"vec3 curve(float t) { return vec3((2.0 + cos(3.0 * t)) * cos(2.0 * t), 1.05 * sin(3.0 * t),"
	" (2.0 + cos(3.0 * t)) * sin(2.0 * t)); }\n"
	"void main() {\n"
	"	vec2 at = vec2(gl_VertexID % 201, gl_VertexID / 201) / vec2(200.0, 24.0);\n"
	"	float t = at.x * 6.2831853, a = at.y * 6.2831853;\n"
	"	vec3 p = curve(t), q = curve(t + 0.01);\n"
	"	vec3 along = normalize(q - p), side = normalize(cross(along, p + q));\n"
	"	normal = cos(a) * cross(side, along) + sin(a) * side;\n"
	"	place = p + 0.52 * normal + vec3(0.0, 1.75, 0.0);\n"
	"	uv = at * vec2(22.0, 3.0);\n"
	/* mirrored, or projected to the floor away from the light */
	"	if (plane.w > 1.5) { place.xz -= plane.xz * place.y / plane.y; place.y = 0.02; }\n"
	"	else if (plane.w > 0.5) { place.y = -place.y; normal.y = -normal.y; }\n"
	"	gl_Position = view * vec4(place, 1.0);\n"
	"}\n";

static const char fs_lit[] =
	"in vec3 normal; in vec3 place; in vec2 uv;\n"
	"uniform sampler2D bricks; uniform vec4 eye;\n"
	"layout(location = 0) out vec4 colour;\n"
	"void main() {\n"
	"	vec3 n = normalize(normal), to_eye = normalize(eye.xyz - place);\n"
	"	vec4 t = texture(bricks, uv);\n"
	"	vec3 key = normalize(vec3(0.6, 1.0, 0.45)), fill = normalize(vec3(-0.8, 0.15, 0.3));\n"
	"	vec3 light = vec3(0.10, 0.11, 0.15) + vec3(1.0, 0.93, 0.80) * max(dot(n, key), 0.0)\n"
	"		+ vec3(0.12, 0.20, 0.42) * max(dot(n, fill), 0.0);\n"
	"	float shine = pow(max(dot(n, normalize(key + to_eye)), 0.0), 48.0) * t.a;\n"
	"	float rim = pow(1.0 - max(dot(n, to_eye), 0.0), 4.0) * 0.25;\n"
	"	vec3 c = t.rgb * light + vec3(0.9, 0.85, 0.75) * shine + vec3(0.3, 0.45, 0.7) * rim;\n"
	"	colour = vec4(pow(c * eye.w, vec3(1.0 / 2.2)), 1.0);\n"
	"}\n";

static const char vs_floor[] =
	"layout(location = 0) in vec4 pos; uniform mat4 view; out vec2 at;\n"
	"void main() { at = pos.xy; gl_Position = view * vec4(pos.x, 0.0, pos.y, 1.0); }\n";

static const char fs_floor[] =
	"in vec2 at; uniform vec4 shade; layout(location = 0) out vec4 colour;\n"
	"void main() {\n"
	"	vec2 cell = fract(at * 0.5), edge = fwidth(at) * 0.5;\n"
	/* a filtered chess board */
	"	vec2 s = (abs(fract((at * 0.5 - 0.5 * edge) * 0.5) - 0.5)"
	" - abs(fract((at * 0.5 + 0.5 * edge) * 0.5) - 0.5)) * 2.0 / edge;\n"
	"	float square = 0.5 - 0.5 * s.x * s.y;\n"
	"	float far = smoothstep(5.0, 15.0, length(at));\n"
	"	vec3 c = mix(vec3(0.10, 0.11, 0.13), vec3(0.62, 0.60, 0.56), square);\n"
	"	colour = vec4(mix(c, vec3(0.16, 0.19, 0.26), far), mix(0.72, 1.0, far));\n"
	"}\n";

/* ---- matrices, column by column ---- */

static void multiply(float *out, const float *a, const float *b)
{
	int i, k;

	for (i = 0; i < 16; i++) {
		out[i] = 0;
		for (k = 0; k < 4; k++)
			out[i] += a[4 * k + i % 4] * b[i / 4 * 4 + k];
	}
}

static float dot(const float *a, const float *b)
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void vec_cross(float *out, const float *a, const float *b)
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

void vec_normalize(float *v)
{
	float length = sqrtf(dot(v, v));
	int i;

	for (i = 0; i < 3; i++)
		v[i] /= length;
}

void look_at(float *out, const float *eye, const float *centre, float aspect)
{
	const float near = 1, far = 60, focal = 2.5f;
	float z[3], x[3], y[3], up[3] = { 0, 1, 0 }, look[16] = { 0 }, lens[16] = { 0 };
	int i;

	for (i = 0; i < 3; i++)
		z[i] = eye[i] - centre[i];
	vec_normalize(z);
	vec_cross(x, up, z);
	vec_normalize(x);
	vec_cross(y, z, x);
	for (i = 0; i < 3; i++) {
		look[4 * i] = x[i];
		look[4 * i + 1] = y[i];
		look[4 * i + 2] = z[i];
	}
	look[12] = -dot(x, eye);
	look[13] = -dot(y, eye);
	look[14] = -dot(z, eye);
	look[15] = 1;
	lens[0] = focal / fabsf(aspect);
	lens[5] = aspect < 0 ? -focal : focal;
	lens[10] = (near + far) / (near - far);
	lens[11] = -1;
	lens[14] = 2 * near * far / (near - far);
	multiply(out, lens, look);
}

/* ---- the texture ---- */

/* Rows of bricks, every second one moved by a half; alpha: how they shine. */
static void brick(int x, int y, int side, uint8_t *p)
{
	int row = y * 4 / side, column = (x * 2 + (row % 2) * side / 2) / side % 2;
	int in_x = (x * 2 + (row % 2) * side / 2) % side, in_y = y * 4 % side;
	int joint = in_x < side / 10 || in_y < side / 6;
	int tone = (row * 37 + column * 61) % 40;

	p[0] = (uint8_t)(joint ? 150 : 168 + tone);
	p[1] = (uint8_t)(joint ? 146 : 62 + tone / 2);
	p[2] = (uint8_t)(joint ? 138 : 40 + tone / 3);
	p[3] = (uint8_t)(joint ? 20 : 200);
}

/* Levels are means of four pixels: none is left to the driver, which would draw for it. */
static void make_texture(void)
{
	uint8_t *level = malloc(SIDE * SIDE * 4), *next;
	int side, n, i, k;
	GLuint texture;

	for (i = 0; i < SIDE * SIDE; i++)
		brick(i % SIDE, i / SIDE, SIDE, level + 4 * i);
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	for (side = SIDE, n = 0; side; side /= 2, n++) {
		glTexImage2D(GL_TEXTURE_2D, n, GL_RGBA, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE,
			     level);
		next = malloc(side * side + 4);
		for (i = 0; i < side / 2 * (side / 2); i++) {
			const uint8_t *p = level + 8 * (i / (side / 2) * side + i % (side / 2));

			for (k = 0; k < 4; k++)
				next[4 * i + k] = (uint8_t)((p[k] + p[k + 4] + p[4 * side + k] +
							     p[4 * side + k + 4] + 2) / 4);
		}
		free(level);
		level = next;
	}
	free(level);
	texture_params(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR, GL_REPEAT);
}

/* ---- the frame ---- */

static GLuint target(void)
{
	GLuint fbo, image, depth;

	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glGenTextures(1, &image);
	glBindTexture(GL_TEXTURE_2D, image);
	glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, WIDTH, HEIGHT);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image, 0);
	glGenRenderbuffers(1, &depth);
	glBindRenderbuffer(GL_RENDERBUFFER, depth);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, WIDTH, HEIGHT);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
				  depth);
	return fbo;
}

static void bind_squares(void)
{
	static uint16_t index[ALONG * AROUND][6];
	GLuint buffer;
	int i, k;

	for (i = 0; i < ALONG * AROUND; i++) {
		const int first = i / ALONG * (ALONG + 1) + i % ALONG;
		const int corners[6] = { 0, 1, ALONG + 1, 1, ALONG + 2, ALONG + 1 };

		for (k = 0; k < 6; k++)
			index[i][k] = (uint16_t)(first + corners[k]);
	}
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(index), index, GL_STATIC_DRAW);
}

static void draw_knot(void)
{
	glDrawElements(GL_TRIANGLES, ALONG * AROUND * 6, GL_UNSIGNED_SHORT, NULL);
}

static void draw_floor(void)
{
	static const float corners[4][4] = {
		{ -16, -16 }, { 16, -16 }, { -16, 16 }, { 16, 16 },
	};

	set_vertices(corners, NULL, 4);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	glDisableVertexAttribArray(0);
}

int run_showcase(const char *path)
{
	const float eye[3] = { 3.4f, 4.6f, 8.6f }, centre[3] = { 0, 1.1f, 0 };
	GLuint lit = make_program(vs_knot, fs_lit);
	GLuint plain = make_program(vs_floor, fs_floor);
	GLuint shadow = make_program(vs_knot, "layout(location = 0) out vec4 colour;\n"
				     "void main() { colour = vec4(0.0, 0.0, 0.02, 0.55); }\n");
	static uint8_t pixels[HEIGHT][WIDTH][4];
	float view[16];
	FILE *f;

	/* rows of memory are from the top */
	look_at(view, eye, centre, -(float)WIDTH / HEIGHT);
	glBindFramebuffer(GL_FRAMEBUFFER, target());
	glViewport(0, 0, WIDTH, HEIGHT);
	make_texture();
	bind_squares();
	glClearColor(0.16f, 0.19f, 0.26f, 1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);

	use_program(lit);
	set_matrix("view", view);
	glUniform4f(glGetUniformLocation(lit, "plane"), 0, 0, 0, 1);
	glUniform4f(glGetUniformLocation(lit, "eye"), eye[0], -eye[1], eye[2], 0.6f);
	draw_knot();

	use_program(plain);
	set_matrix("view", view);
	glEnable(GL_BLEND);
	glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE);
	draw_floor();

	/* each pixel is darkened once */
	use_program(shadow);
	set_matrix("view", view);
	glUniform4f(glGetUniformLocation(shadow, "plane"), 0.6f, 1, 0.45f, 2);
	glEnable(GL_STENCIL_TEST);
	glStencilFunc(GL_EQUAL, 0, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
	draw_knot();
	glDisable(GL_STENCIL_TEST);
	glDisable(GL_BLEND);

	use_program(lit);
	glUniform4f(glGetUniformLocation(lit, "plane"), 0, 0, 0, 0);
	glUniform4f(glGetUniformLocation(lit, "eye"), eye[0], eye[1], eye[2], 1.0f);
	draw_knot();
	glFinish();
	if (!path)
		return !scene_ok();
	glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	f = fopen(path, "wb");
	if (!f)
		return 1;
	fprintf(f, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
		WIDTH, HEIGHT);
	fwrite(pixels, sizeof(pixels), 1, f);
	return fclose(f) || !scene_ok();
}
