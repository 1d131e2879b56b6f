// SPDX-License-Identifier: GPL-2.0
/*
 * Draws scenes with OpenGL ES 3.1 and writes them as pictures, without a window system.
 *
 *   gles --list                 the scenes: name, tolerance, whether edges may differ
 *   gles FOLDER [SCENE...]      FOLDER/SCENE.pam for each scene; TAP
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gles.h"

static const struct scene *const lists[] = {
	prim_scenes, frag_scenes, target_scenes, texture_scenes, program_scenes,
};

const char vs_colour[] =
	"layout(location = 0) in vec4 pos;\n"
	"layout(location = 1) in vec4 col;\n"
	"out vec4 v;\n"
	"void main() { gl_Position = pos; gl_PointSize = 1.0; v = col; }\n";

const char vs_plain[] =
	"layout(location = 0) in vec4 pos;\n"
	"out vec4 v;\n"
	"void main() { gl_Position = pos; v = pos * 0.5 + 0.5; }\n";

static GLuint main_fbo;
static GLuint current;
static uint32_t words[SIZE * SIZE];
static bool words_shown;
static const char *skipped;
static bool failed;

void scene_fail(const char *fmt, ...)
{
	va_list ap;

	failed = true;
	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}

void scene_skip(const char *what)
{
	skipped = what;
}

bool has_extension(const char *name)
{
	const char *all = (const char *)glGetString(GL_EXTENSIONS);

	return all && strstr(all, name);
}

/* ---- programs ---- */

static GLuint make_shader(GLenum type, const char *text)
{
	const char *const parts[] = {
		"#version 310 es\n"
		"precision highp float;\n"
		"precision highp int;\n"
		"precision highp sampler2D;\n"
		"precision highp isampler2D;\n"
		"precision highp usampler2D;\n"
		"precision highp sampler2DShadow;\n"
		"precision highp sampler2DArray;\n"
		"precision highp sampler3D;\n"
		"precision highp samplerCube;\n", text
	};
	GLuint shader = glCreateShader(type);
	char log[1024] = "";
	GLint ok;

	glShaderSource(shader, ARRAY_SIZE(parts), parts, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
	if (!ok) {
		glGetShaderInfoLog(shader, sizeof(log), NULL, log);
		scene_fail("compiler: %s", log);
	}
	return shader;
}

GLuint make_program(const char *vs, const char *fs)
{
	GLuint program = glCreateProgram();
	char log[1024] = "";
	GLint ok;

	if (vs)
		glAttachShader(program, make_shader(fs ? GL_VERTEX_SHADER : GL_COMPUTE_SHADER, vs));
	if (fs)
		glAttachShader(program, make_shader(GL_FRAGMENT_SHADER, fs));
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &ok);
	if (!ok) {
		glGetProgramInfoLog(program, sizeof(log), NULL, log);
		scene_fail("linker: %s", log);
	}
	glUseProgram(program);
	current = program;
	return program;
}

GLuint use_fragment(const char *vs, const char *decls, const char *body)
{
	char text[4096];

	snprintf(text, sizeof(text), "in vec4 v;\nlayout(location = 0) out vec4 colour;\n"
		 "%s\nvoid main() { %s }\n", decls, body);
	return make_program(vs, text);
}

void set_float(const char *name, float x)
{
	glUniform1f(glGetUniformLocation(current, name), x);
}

void set_int(const char *name, int x)
{
	glUniform1i(glGetUniformLocation(current, name), x);
}

void set_vec4(const char *name, float x, float y, float z, float w)
{
	glUniform4f(glGetUniformLocation(current, name), x, y, z, w);
}

/* ---- geometry ---- */

static void set_attribute(GLuint index, const float (*data)[4], unsigned int n)
{
	GLuint buffer;

	if (!data) {
		glDisableVertexAttribArray(index);
		return;
	}
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, n * sizeof(*data), data, GL_STATIC_DRAW);
	glVertexAttribPointer(index, 4, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(index);
}

void set_vertices(const float (*pos)[4], const float (*colour)[4], unsigned int n)
{
	set_attribute(0, pos, n);
	set_attribute(1, colour, n);
}

void draw_rect(float x0, float y0, float x1, float y1, float z)
{
	const float pos[4][4] = {
		{ x0, y0, z, 1 }, { x1, y0, z, 1 }, { x0, y1, z, 1 }, { x1, y1, z, 1 },
	};

	set_vertices(pos, NULL, 4);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void draw_colour(float x0, float y0, float x1, float y1, float z, float r, float g, float b,
		 float a)
{
	use_fragment(vs_plain, "uniform vec4 c;", "colour = c;");
	set_vec4("c", r, g, b, a);
	draw_rect(x0, y0, x1, y1, z);
}

void grid_cell(int i, int n, float c[4])
{
	float side = 2.0f / n, margin = side / 8;

	c[0] = -1 + side * (i % n) + margin;
	c[1] = -1 + side * (i / n) + margin;
	c[2] = c[0] + side - 2 * margin;
	c[3] = c[1] + side - 2 * margin;
}

/* ---- textures and targets ---- */

void texture_params(GLenum target, GLenum min, GLenum mag, GLenum wrap)
{
	glTexParameteri(target, GL_TEXTURE_MIN_FILTER, min);
	glTexParameteri(target, GL_TEXTURE_MAG_FILTER, mag);
	glTexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
	glTexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
}

GLuint pattern_texture(int size, bool mipmaps)
{
	uint8_t *p = malloc(4 * size * size);
	GLuint texture;
	int i;

	for (i = 0; i < size * size; i++) {
		int x = i % size, y = i / size;

		p[4 * i] = 255 * x / (size - 1);
		p[4 * i + 1] = 255 * y / (size - 1);
		p[4 * i + 2] = (x ^ y) & 1 ? 255 : 0;
		p[4 * i + 3] = 255 - 128 * ((x + y) & 1);
	}
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, p);
	if (mipmaps)
		glGenerateMipmap(GL_TEXTURE_2D);
	texture_params(GL_TEXTURE_2D, mipmaps ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST,
		       mipmaps ? GL_LINEAR : GL_NEAREST, GL_REPEAT);
	free(p);
	return texture;
}

static void attach_depth(GLenum format, int side)
{
	bool stencil = format == GL_DEPTH24_STENCIL8 || format == GL_DEPTH32F_STENCIL8;
	GLuint rb;

	glGenRenderbuffers(1, &rb);
	glBindRenderbuffer(GL_RENDERBUFFER, rb);
	glRenderbufferStorage(GL_RENDERBUFFER, format, side, side);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, stencil ? GL_DEPTH_STENCIL_ATTACHMENT :
				  GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, rb);
}

GLuint make_target_sized(GLenum format, GLenum depth_format, int side)
{
	GLuint fbo, texture;

	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexStorage2D(GL_TEXTURE_2D, 1, format, side, side);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	if (depth_format)
		attach_depth(depth_format, side);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		scene_fail("target of format 0x%x is incomplete", format);
	return texture;
}

GLuint make_target(GLenum format, GLenum depth_format)
{
	return make_target_sized(format, depth_format, SIZE);
}

void main_target(void)
{
	glBindFramebuffer(GL_FRAMEBUFFER, main_fbo);
}

void show_texture(GLuint texture, const char *kind, const char *expression)
{
	char decls[128], body[512];

	main_target();
	glDisable(GL_BLEND);
	glDisable(GL_DEPTH_TEST);
	glDisable(GL_STENCIL_TEST);
	snprintf(decls, sizeof(decls), "uniform %s t;", kind);
	snprintf(body, sizeof(body), "ivec2 p = ivec2(gl_FragCoord.xy); colour = %s;", expression);
	use_fragment(vs_plain, decls, body);
	glBindTexture(GL_TEXTURE_2D, texture);
	draw_rect(-1, -1, 1, 1, 0);
}

void show_words(const uint32_t *w, unsigned int n)
{
	if (n > ARRAY_SIZE(words))
		n = ARRAY_SIZE(words);
	memcpy(words, w, 4 * n);
	words_shown = true;
}

/* ---- scenes ---- */

static void reset_state(void)
{
	static const GLenum caps[] = {
		GL_BLEND, GL_DEPTH_TEST, GL_STENCIL_TEST, GL_SCISSOR_TEST, GL_CULL_FACE,
		GL_POLYGON_OFFSET_FILL, GL_PRIMITIVE_RESTART_FIXED_INDEX, GL_SAMPLE_COVERAGE,
		GL_SAMPLE_ALPHA_TO_COVERAGE, GL_RASTERIZER_DISCARD,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(caps); i++)
		glDisable(caps[i]);
	for (i = 0; i < 8; i++) {
		glVertexAttribDivisor(i, 0);
		glDisableVertexAttribArray(i);
	}
	glDepthFunc(GL_LESS);
	glDepthMask(GL_TRUE);
	glDepthRangef(0, 1);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glBlendFunc(GL_ONE, GL_ZERO);
	glBlendEquation(GL_FUNC_ADD);
	glStencilMask(0xff);
	glStencilFunc(GL_ALWAYS, 0, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	glFrontFace(GL_CCW);
	glCullFace(GL_BACK);
	glLineWidth(1);
	glViewport(0, 0, SIZE, SIZE);
	glDisable(GL_DITHER);
}

static void write_picture(const char *path, const uint8_t *pixels)
{
	FILE *f = fopen(path, "wb");
	int y;

	if (!f) {
		scene_fail("cannot write %s", path);
		return;
	}
	fprintf(f, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
		SIZE, SIZE);
	/* the first row of a picture is its top */
	for (y = SIZE - 1; y >= 0; y--)
		fwrite(pixels + 4 * SIZE * y, 4, SIZE, f);
	if (fclose(f))
		scene_fail("cannot write %s", path);
}

static void take_picture(const char *folder, const struct scene *s)
{
	static uint8_t pixels[4 * SIZE * SIZE];
	char path[512];
	int y;

	if (words_shown) {
		for (y = 0; y < SIZE; y++)
			memcpy(pixels + 4 * SIZE * (SIZE - 1 - y), &words[SIZE * y], 4 * SIZE);
	} else {
		main_target();
		glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	}
	snprintf(path, sizeof(path), "%s/%s.pam", folder, s->name);
	write_picture(path, pixels);
}

static void draw_scene(const char *folder, const struct scene *s, int number)
{
	GLenum error;

	failed = false;
	skipped = NULL;
	words_shown = false;
	memset(words, 0, sizeof(words));
	make_target(GL_RGBA8, GL_DEPTH24_STENCIL8);
	glGetIntegerv(GL_FRAMEBUFFER_BINDING, (GLint *)&main_fbo);
	reset_state();
	glClearColor(0, 0, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	s->draw();
	if (!skipped)
		take_picture(folder, s);
	error = glGetError();
	if (error)
		scene_fail("GL error 0x%x", error);
	if (skipped)
		printf("ok %d %s # SKIP no %s\n", number, s->name, skipped);
	else
		printf("%sok %d %s\n", failed ? "not " : "", number, s->name);
	fflush(stdout);
}

static bool wanted(const char *name, char **names, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return !n;
}

/* Call @fn for each scene that is wanted. Return: number of these. */
static int each_scene(const char *folder, char **names, int n,
		      void (*fn)(const char *folder, const struct scene *s, int number))
{
	const struct scene *s;
	unsigned int i;
	int number = 0;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		for (s = lists[i]; s->name; s++) {
			if (!wanted(s->name, names, n))
				continue;
			number++;
			if (fn)
				fn(folder, s, number);
		}
	}
	return number;
}

static void list_scene(const char *folder, const struct scene *s, int number)
{
	printf("%s %d %d\n", s->name, s->tolerance, s->edges);
}

static bool make_context(void)
{
	static const EGLint config_attrs[] = {
		EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
		EGL_NONE
	};
	static const EGLint attrs[] = {
		EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE
	};
	EGLDisplay d = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY,
					     NULL);
	EGLConfig config;
	EGLContext c;
	EGLint n;

	if (!eglInitialize(d, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API) ||
	    !eglChooseConfig(d, config_attrs, &config, 1, &n) || !n)
		return false;
	c = eglCreateContext(d, config, EGL_NO_CONTEXT, attrs);
	return c && eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, c);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--list"))
		return !each_scene(NULL, NULL, 0, list_scene);
	if (argc > 1 && argc < 4 && !strcmp(argv[1], "--bench")) {
		if (!make_context())
			return 4;
		run_bench(argv[2]);
		return 0;
	}
	if (argc < 2 || *argv[1] == '-') {
		fprintf(stderr, "usage: gles --list | gles --bench [WORKLOAD] | gles FOLDER [SCENE...]\n");
		return 2;
	}
	printf("TAP version 13\n");
	if (!make_context()) {
		printf("1..0 # SKIP no context of OpenGL ES 3.1 without a window system\n");
		return 4;
	}
	printf("# %s, %s\n", glGetString(GL_RENDERER), glGetString(GL_VERSION));
	printf("1..%d\n", each_scene(argv[1], argv + 2, argc - 2, NULL));
	each_scene(argv[1], argv + 2, argc - 2, draw_scene);
	return 0;
}
