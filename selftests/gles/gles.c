// SPDX-License-Identifier: GPL-2.0
/*
 * Draws scenes with OpenGL ES 3.1, some with OpenGL, and writes them as pictures, without a window
 * system.
 *
 *   gles --list                 the scenes: name, rows of references.rst
 *   gles FOLDER [SCENE...]      FOLDER/SCENE.pam for each scene; TAP
 *   gles --bench [WORKLOAD]     times of pixels, triangles and vertices (bench.c)
 *   gles --scenes FOLDER [SCENE...]  times of frames, and FOLDER/SCENE.pam (bench_scenes.c)
 *   gles --found                programs that Mesa translates wrongly (found.c); TAP
 *   gles --showcase [FILE]      the frame of the demo (showcase.c), as FILE
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gles.h"

static const struct scene *const lists[] = {
	prim_scenes, frag_scenes, target_scenes, batch_scenes, texture_scenes, program_scenes,
	fetch_scenes, es2_scenes, sizes_scenes, corner_scenes, path_scenes,
	window_scenes, desktop_scenes,
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

/* Contexts of OpenGL ES and, once a scene needs it, of OpenGL. */
static EGLDisplay display;
static EGLContext contexts[2];
static bool desktop;
static bool es2;	/* OpenGL ES is ES 2 */
static bool in_pbuffer;	/* pictures are upside down */
static EGLContext pbuffer_context;
static EGLSurface pbuffer;
static int pbuffer_side;
static int side_of_target;	/* of the last one, pixels */
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
	skipped = skipped ? skipped : what;
}

bool scene_ok(void)
{
	GLenum error = glGetError();
	bool ok;

	if (error && es2)
		scene_skip("call of OpenGL ES 2");
	else if (error)
		scene_fail("GL error 0x%x", error);
	ok = !failed;
	failed = false;
	return ok;
}

bool has_extension(const char *name)
{
	const char *all = (const char *)glGetString(GL_EXTENSIONS);

	return all && strstr(all, name);
}

/* ---- programs ---- */

bool only_es2(void)
{
	return es2;
}

bool needs_es3(void)
{
	if (es2)
		scene_skip("OpenGL ES 3");
	return es2;
}

/* ---- programs of ES 2 ---- */

/* Take a piece of text out. Return: the first byte of what follows. */
static char *cut(char *from, const char *to)
{
	memmove(from, to, strlen(to) + 1);
	return from;
}

/*
 * Take "layout(location = N)" out. @program: the attributes of a vertex shader get these numbers;
 * 0: of another one
 */
static void cut_layouts(GLuint program, char *text)
{
	char name[64], *at = text;
	int number, n;

	while ((at = strstr(at, "layout("))) {
		if (program && sscanf(at, "layout(location = %d) in %*s %63[A-Za-z0-9_]", &number,
				      name) == 2)
			glBindAttribLocation(program, number, name);
		n = strcspn(at, ")");
		at = cut(at, at + n + (at[n] != 0));
	}
}

/* The output of a fragment shader has another name. Return: false: it has several. */
static bool cut_output(char *text, char name[64])
{
	char *at = strstr(text, "out vec4 ");
	int n = 0;

	*name = 0;
	if (!at)
		return true;
	if (sscanf(at, "out vec4 %63[A-Za-z0-9_] ;%n", name, &n) != 1 || !n)
		return false;
	return !strstr(cut(at, at + n), "out vec4 ");
}

/* The first row in memory is a pbuffer's uppermost, a texture's lowest: samples differ. */
static const char flip_y[] =
	"\n#undef main\nvoid main() { scene_main(); gl_Position.y = -gl_Position.y; }\n";

/* Return: source of GLSL ES 1.00, to be freed. */
static char *translate(GLuint program, GLenum type, const char *text)
{
	/* directives precede everything else */
	const char *body = text[0] == '#' ? strchr(text, '\n') + 1 : text;
	char *copy = strdup(body), name[64] = "", *out = NULL;
	bool flip = in_pbuffer && type == GL_VERTEX_SHADER;

	cut_layouts(type == GL_VERTEX_SHADER ? program : 0, copy);
	if (type == GL_FRAGMENT_SHADER && !cut_output(copy, name))
		scene_skip("fragment shader with several outputs");
	if (asprintf(&out, "#version 100\n%.*s%s%s%s%s\n#define texture %s\n"
		     "#define texelFetch(t, p, level) texture2D(t, (vec2(p) + 0.5) / %d.0)\n"
		     "%sprecision highp float;\nprecision highp int;\n%s%s%s",
		     (int)(body - text), text,
		     type == GL_VERTEX_SHADER ? "#define in attribute\n#define out varying" :
						"#define in varying",
		     *name ? "\n#define " : "", name, *name ? " gl_FragColor" : "",
		     strstr(copy, "samplerCube") ? "textureCube" : "texture2D", side_of_target,
		     /* only vertex shaders have it */
		     type == GL_VERTEX_SHADER ? "#define textureLod texture2DLod\n" : "",
		     flip ? "#define main scene_main\n" : "", copy, flip ? flip_y : "") < 0)
		abort();
	free(copy);
	return out;
}

static GLuint make_shader_es2(GLuint program, GLenum type, const char *text)
{
	GLuint shader = glCreateShader(type);
	char *source;
	GLint ok;

	if (type == GL_COMPUTE_SHADER) {
		scene_skip("compute shaders");
		return shader;
	}
	source = translate(program, type, text);
	glShaderSource(shader, 1, (const char *const *)&source, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
	if (!ok)
		scene_skip("program of GLSL ES 1.00");
	free(source);
	return shader;
}

/* ---- programs ---- */

static GLuint make_shader(GLuint program, GLenum type, const char *text)
{
	/* directives precede everything else */
	const char *body = text[0] == '#' ? strchr(text, '\n') + 1 : text;
	const GLint lengths[] = { -1, (GLint)(body - text), -1, -1 };
	const char *const parts[] = {
		desktop ? "#version 140\n#extension GL_ARB_explicit_attrib_location : require\n" :
		"#version 310 es\n", text,
		"precision highp float;\n"
		"precision highp int;\n"
		"precision highp sampler2D;\n"
		"precision highp isampler2D;\n"
		"precision highp usampler2D;\n"
		"precision highp sampler2DShadow;\n"
		"precision highp sampler2DArray;\n"
		"precision highp sampler3D;\n"
		"precision highp samplerCube;\n", body
	};
	GLuint shader = es2 ? 0 : glCreateShader(type);
	char log[1024] = "";
	GLint ok;

	if (es2)
		return make_shader_es2(program, type, text);
	glShaderSource(shader, ARRAY_SIZE(parts), parts, lengths);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
	if (!ok) {
		glGetShaderInfoLog(shader, sizeof(log), NULL, log);
		scene_fail("compiler: %s", log);
	}
	return shader;
}

void use_program(GLuint program)
{
	glUseProgram(program);
	current = program;
}

GLuint make_program(const char *vs, const char *fs)
{
	GLuint program = glCreateProgram();
	char log[1024] = "";
	GLint ok;

	if (vs)
		glAttachShader(program, make_shader(program, fs ? GL_VERTEX_SHADER :
							     GL_COMPUTE_SHADER, vs));
	if (fs)
		glAttachShader(program, make_shader(program, GL_FRAGMENT_SHADER, fs));
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &ok);
	if (!ok && es2) {
		scene_skip("program that ES 2 can link");
	} else if (!ok) {
		glGetProgramInfoLog(program, sizeof(log), NULL, log);
		scene_fail("linker: %s", log);
	}
	use_program(program);
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

void set_matrix(const char *name, const float *m)
{
	glUniformMatrix4fv(glGetUniformLocation(current, name), 1, GL_FALSE, m);
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

#undef glTexStorage2D
#undef glTexImage2D

/** struct format - a sized format in ES 2 */
struct format {
	GLenum sized;
	GLenum base;
	GLenum type;
};

static const struct format *find_format(GLenum sized)
{
	static const struct format all[] = {
		{ GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE }, { GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE },
		{ GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5 },
		{ GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4 },
		{ GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1 },
		{ GL_R8, GL_RED, GL_UNSIGNED_BYTE }, { GL_RG8, GL_RG, GL_UNSIGNED_BYTE },
		{ GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT_OES },
		{ GL_RG16F, GL_RG, GL_HALF_FLOAT_OES }, { GL_R16F, GL_RED, GL_HALF_FLOAT_OES },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		if (all[i].sized == sized)
			return &all[i];
	}
	return NULL;
}

void tex_storage(GLenum target, GLsizei levels, GLenum format, GLsizei width, GLsizei height)
{
	const struct format *f = find_format(format);
	GLsizei i;

	if (!es2)
		glTexStorage2D(target, levels, format, width, height);
	else if (!f)
		scene_skip("texture of this format in ES 2");
	for (i = 0; i < levels && es2 && f; i++)
		glTexImage2D(target, i, f->base, width >> i ? width >> i : 1,
			     height >> i ? height >> i : 1, 0, f->base, f->type, NULL);
}

void tex_image(GLenum target, GLint level, GLint format, GLsizei width, GLsizei height,
	       GLint border, GLenum base, GLenum type, const void *pixels)
{
	const struct format *f = es2 ? find_format(format) : NULL;

	glTexImage2D(target, level, f ? (GLint)f->base : format, width, height, border, base,
		     type == GL_HALF_FLOAT && es2 ? GL_HALF_FLOAT_OES : type, pixels);
}

#define glTexStorage2D	tex_storage
#define glTexImage2D	tex_image

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
	GLenum point = GL_DEPTH_ATTACHMENT;
	GLuint rb;

	if (format == GL_DEPTH24_STENCIL8 || format == GL_DEPTH32F_STENCIL8)
		point = GL_DEPTH_STENCIL_ATTACHMENT;
	else if (format == GL_STENCIL_INDEX8)
		point = GL_STENCIL_ATTACHMENT;
	glGenRenderbuffers(1, &rb);
	glBindRenderbuffer(GL_RENDERBUFFER, rb);
	glRenderbufferStorage(GL_RENDERBUFFER, format, side, side);
	if (es2 && point == GL_DEPTH_STENCIL_ATTACHMENT) {
		glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
					  rb);
		point = GL_DEPTH_ATTACHMENT;
	}
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, point, GL_RENDERBUFFER, rb);
}

GLuint make_target_sized(GLenum format, GLenum depth_format, int side)
{
	GLuint fbo, texture;

	side_of_target = side;
	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	/* not among the sized formats */
	if (format == GL_BGRA_EXT)
		glTexImage2D(GL_TEXTURE_2D, 0, format, side, side, 0, format, GL_UNSIGNED_BYTE,
			     NULL);
	else
		glTexStorage2D(GL_TEXTURE_2D, 1, format, side, side);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	if (depth_format)
		attach_depth(depth_format, side);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE)
		return texture;
	if (es2)
		scene_skip("target of these formats");
	else
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

void reset_state(void)
{
	static const GLenum caps[] = {
		GL_BLEND, GL_DEPTH_TEST, GL_STENCIL_TEST, GL_SCISSOR_TEST, GL_CULL_FACE,
		GL_POLYGON_OFFSET_FILL, GL_SAMPLE_COVERAGE, GL_SAMPLE_ALPHA_TO_COVERAGE,
		/* of ES 3 */
		GL_PRIMITIVE_RESTART_FIXED_INDEX, GL_RASTERIZER_DISCARD,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(caps) - (es2 ? 2 : 0); i++)
		glDisable(caps[i]);
	for (i = 0; i < 8; i++) {
		if (!es2)
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

void write_picture(const char *path, const uint8_t *pixels, int width, int height)
{
	FILE *f = fopen(path, "wb");
	int y;

	if (!f) {
		scene_fail("cannot write %s", path);
		return;
	}
	fprintf(f, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
		width, height);
	/* the first row of a picture is its top */
	for (y = height - 1; y >= 0; y--)
		fwrite(pixels + 4 * width * y, 4, width, f);
	if (fclose(f))
		scene_fail("cannot write %s", path);
}

/* A file that says why there is no picture. */
static void note_skip(const char *folder, const struct scene *s)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.skip", folder, s->name);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%s\n", skipped) < 0 || fclose(f))
		scene_fail("cannot write %s", path);
	snprintf(path, sizeof(path), "%s/%s.pam", folder, s->name);
	remove(path);
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
	snprintf(path, sizeof(path), "%s/%s.skip", folder, s->name);
	remove(path);
	snprintf(path, sizeof(path), "%s/%s.pam", folder, s->name);
	write_picture(path, pixels, SIZE, SIZE);
}

/* A context of a version of OpenGL ES, or, without one, of OpenGL's compatibility profile. */
static EGLContext new_context(EGLint apis, EGLint major, EGLint minor)
{
	const EGLint config_attrs[] = {
		EGL_RENDERABLE_TYPE, apis, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE
	};
	const EGLint attrs[] = {
		EGL_CONTEXT_MAJOR_VERSION, major, EGL_CONTEXT_MINOR_VERSION, minor, EGL_NONE
	};
	EGLConfig config;
	EGLint n;

	if (!eglChooseConfig(display, config_attrs, &config, 1, &n) || !n)
		return EGL_NO_CONTEXT;
	return eglCreateContext(display, config, EGL_NO_CONTEXT, major ? attrs : NULL);
}

/* Make a context of the API, or the one there is, current. */
static bool make_context(bool of_desktop)
{
	EGLContext *c = &contexts[of_desktop];

	if (!display) {
		display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
						EGL_DEFAULT_DISPLAY, NULL);
		if (!eglInitialize(display, NULL, NULL))
			return false;
	}
	if (!eglBindAPI(of_desktop ? EGL_OPENGL_API : EGL_OPENGL_ES_API))
		return false;
	if (!*c)
		*c = new_context(EGL_OPENGL_ES3_BIT | EGL_OPENGL_BIT, of_desktop ? 0 : 3, 1);
	if (!*c && !of_desktop) {
		*c = new_context(EGL_OPENGL_ES2_BIT, 2, 0);
		es2 = *c;
	}
	desktop = of_desktop;
	return *c && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, *c);
}

void scene_back(void)
{
	GLenum error = glGetError();

	if (error || !make_context(false))
		scene_fail("error 0x%x in another context", error);
}

/* ---- samples ---- */

/* Side of the target of samples that is current. */
static int sample_side;

/* Make a pbuffer of 4 samples current, with a context of its own. */
static bool begin_pbuffer(int side)
{
	static const EGLint config_attrs[] = {
		EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
		EGL_SAMPLES, 4, EGL_ALPHA_SIZE, 8, EGL_DEPTH_SIZE, 24, EGL_STENCIL_SIZE, 8, EGL_NONE
	};
	const EGLint surface_attrs[] = { EGL_WIDTH, side, EGL_HEIGHT, side, EGL_NONE };
	static const EGLint context_attrs[] = { EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE };
	EGLConfig config;
	EGLint n;

	if (pbuffer && side != pbuffer_side) {
		eglDestroySurface(display, pbuffer);
		pbuffer = NULL;
	}
	if (!pbuffer && eglChooseConfig(display, config_attrs, &config, 1, &n) && n) {
		pbuffer = eglCreatePbufferSurface(display, config, surface_attrs);
		pbuffer_side = side;
		if (!pbuffer_context)
			pbuffer_context = eglCreateContext(display, config, EGL_NO_CONTEXT,
							   context_attrs);
	}
	in_pbuffer = pbuffer_context && pbuffer &&
		     eglMakeCurrent(display, pbuffer, pbuffer, pbuffer_context);
	return in_pbuffer;
}

static GLuint sample_fbo(int side, int samples)
{
	GLuint fbo, rb[2];

	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glGenRenderbuffers(2, rb);
	glBindRenderbuffer(GL_RENDERBUFFER, rb[0]);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, side, side);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb[0]);
	glBindRenderbuffer(GL_RENDERBUFFER, rb[1]);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH24_STENCIL8, side,
					 side);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
				  rb[1]);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		scene_fail("target with %d samples is incomplete", samples);
	return fbo;
}

GLuint sample_target_sized(int side)
{
	GLuint fbo = 0;

	sample_side = side;
	if (!es2)
		fbo = sample_fbo(side, 4);
	else if (begin_pbuffer(side))
		reset_state();
	else
		scene_fail("no pbuffer of 4 samples");
	glViewport(0, 0, side, side);
	glClearColor(0, 0, 0.25, 1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	return fbo;
}

GLuint sample_target(void)
{
	return sample_target_sized(SIZE);
}

/* Of a larger target a pixel in the middle of each of SIZE x SIZE cells. A pbuffer is flipped. */
static void read_cells(void)
{
	uint32_t *all = malloc(sizeof(*all) * sample_side * sample_side);
	int i, step = sample_side / SIZE, x, y, row;

	glReadPixels(0, 0, sample_side, sample_side, GL_RGBA, GL_UNSIGNED_BYTE, all);
	for (i = 0; i < SIZE * SIZE; i++) {
		x = i % SIZE * step + step / 2;
		row = i / SIZE;
		y = (es2 ? row : SIZE - 1 - row) * step + step / 2;
		words[i] = all[y * sample_side + x];
	}
	free(all);
	words_shown = true;
}

void resolve_samples(GLuint fbo)
{
	if (es2) {
		read_cells();
		in_pbuffer = false;
		scene_back();
		return;
	}
	if (sample_side == SIZE)
		main_target();
	else
		sample_fbo(sample_side, 0);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
	glBlitFramebuffer(0, 0, sample_side, sample_side, 0, 0, sample_side, sample_side,
			  GL_COLOR_BUFFER_BIT, GL_NEAREST);
	if (sample_side != SIZE) {
		glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, (GLint *)&fbo);
		glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
		read_cells();
	}
	main_target();
}

/* ---- scenes ---- */

static void draw_scene(const char *folder, const struct scene *s, int number)
{
	bool ok;

	skipped = NULL;
	words_shown = false;
	memset(words, 0, sizeof(words));
	if (es2 && s->desktop) {
		skipped = "OpenGL that has GLSL 1.40";
		note_skip(folder, s);
		printf("ok %d %s # SKIP no %s\n", number, s->name, skipped);
		return;
	}
	if (s->desktop != desktop && !make_context(s->desktop)) {
		printf("not ok %d %s: no context of OpenGL\n", number, s->name);
		return;
	}
	make_target(GL_RGBA8, GL_DEPTH24_STENCIL8);
	glGetIntegerv(GL_FRAMEBUFFER_BINDING, (GLint *)&main_fbo);
	reset_state();
	glClearColor(0, 0, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	s->draw();
	if (!skipped)
		take_picture(folder, s);
	ok = scene_ok();
	if (skipped)
		note_skip(folder, s);
	if (skipped)
		printf("ok %d %s # SKIP no %s\n", number, s->name, skipped);
	else
		printf("%sok %d %s\n", ok ? "" : "not ", number, s->name);
	fflush(stdout);
}

bool wanted(const char *name, char **names, int n)
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
	printf("%s %s\n", s->name, s->rows ? s->rows : "");
}

int main(int argc, char **argv)
{
	bool found;

	if (argc == 2 && !strcmp(argv[1], "--list"))
		return !each_scene(NULL, NULL, 0, list_scene);
	if (argc > 1 && argc < 4 && !strcmp(argv[1], "--bench")) {
		if (!make_context(false))
			return 4;
		run_bench(argv[2]);
		return 0;
	}
	if (argc > 2 && !strcmp(argv[1], "--scenes")) {
		if (!make_context(false))
			return 4;
		run_bench_scenes(argv[2], argv + 3, argc - 3);
		return 0;
	}
	if (argc > 1 && argc < 4 && !strcmp(argv[1], "--showcase")) {
		if (!make_context(false))
			return 4;
		return run_showcase(argv[2]);
	}
	found = argc == 2 && !strcmp(argv[1], "--found");
	if (!found && (argc < 2 || *argv[1] == '-')) {
		fprintf(stderr, "usage: gles --list | --found | --bench [WORKLOAD] |\n"
			"            [--scenes] FOLDER [SCENE...]\n");
		return 2;
	}
	printf("TAP version 13\n");
	if (!make_context(false)) {
		printf("1..0 # SKIP no context of OpenGL ES without a window system\n");
		return 4;
	}
	printf("# %s, %s\n", glGetString(GL_RENDERER), glGetString(GL_VERSION));
	if (found)
		return run_found();
	printf("1..%d\n", each_scene(argv[1], argv + 2, argc - 2, NULL));
	each_scene(argv[1], argv + 2, argc - 2, draw_scene);
	return 0;
}
