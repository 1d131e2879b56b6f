// SPDX-License-Identifier: GPL-2.0
/*
 * Measures what an OpenGL ES 3.1 driver does where the specification leaves a choice or where
 * drivers are known to differ. Prints "key|value" lines for references.py; needs EGL without a
 * surface. Each value is what was read back: nothing is compared here.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 256

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "references_gl: %s: %s\n", what, why);
	exit(2);
}

static void value(const char *key, const char *format, ...)
{
	va_list args;

	printf("%s|", key);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

static unsigned int bits(float f)
{
	unsigned int u;

	memcpy(&u, &f, sizeof(u));
	return u;
}

static float number(unsigned int u)
{
	float f;

	memcpy(&f, &u, sizeof(f));
	return f;
}

static GLuint program(int count, const GLenum *stage, const char *const *text)
{
	GLuint prog = glCreateProgram();
	char log[1000] = "";
	GLint ok;
	int i;

	for (i = 0; i < count; i++) {
		GLuint shader = glCreateShader(stage[i]);

		glShaderSource(shader, 1, &text[i], NULL);
		glCompileShader(shader);
		glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
		if (!ok) {
			glGetShaderInfoLog(shader, sizeof(log), NULL, log);
			fail(text[i], log);
		}
		glAttachShader(prog, shader);
		glDeleteShader(shader);
	}
	glLinkProgram(prog);
	glGetProgramiv(prog, GL_LINK_STATUS, &ok);
	if (!ok) {
		glGetProgramInfoLog(prog, sizeof(log), NULL, log);
		fail("link", log);
	}
	glUseProgram(prog);
	return prog;
}

/*
 * Compute: @body stores to "uint o[]"; "float f[]" and "int i[]" have what a compiler cannot know,
 * the @count words of @in. @groups invocations run, gl_WorkGroupID.x is their number.
 */
static const unsigned int *compute(const char *body, int groups, const void *in, int count)
{
	static const GLenum stage[] = { GL_COMPUTE_SHADER };
	static unsigned int out[65536];
	char text[4000];
	const char *const texts[] = { text };
	GLuint buffer[2], prog;
	void *map;

	snprintf(text, sizeof(text), "#version 310 es\n#extension GL_EXT_gpu_shader5 : enable\n"
		 "precision highp float; precision highp int;"
		 "layout(local_size_x = 1) in;"
		 "layout(std430, binding = 0) buffer Out { uint o[]; };"
		 "layout(std430, binding = 1) readonly buffer In { float f[]; };"
		 "int i(int k) { return floatBitsToInt(f[k]); }"
		 "uint u(float x) { return floatBitsToUint(x); }"
		 "void main() { int n = int(gl_WorkGroupID.x);\n%s }", body);
	prog = program(1, stage, texts);
	glGenBuffers(2, buffer);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer[0]);
	glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(out), NULL, GL_STATIC_READ);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffer[1]);
	glBufferData(GL_SHADER_STORAGE_BUFFER, 4 * count, in, GL_STATIC_DRAW);
	glDispatchCompute(groups, 1, 1);
	glMemoryBarrier(GL_ALL_BARRIER_BITS);
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer[0]);
	map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, sizeof(out), GL_MAP_READ_BIT);
	if (!map)
		fail("compute", "no buffer");
	memcpy(out, map, sizeof(out));
	glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
	glDeleteBuffers(2, buffer);
	glDeleteProgram(prog);
	return out;
}

/* @words words of @body, in hexadecimal */
static void words(const char *key, const char *body, int words, const void *in, int count)
{
	const unsigned int *out = compute(body, 1, in, count);
	char text[200] = "";
	int i;

	for (i = 0; i < words; i++)
		sprintf(text + strlen(text), i ? " %08x" : "%08x", out[i]);
	value(key, "%s", text);
}

static void integers(const char *key, const char *body, int words, const void *in, int count)
{
	const unsigned int *out = compute(body, 1, in, count);
	char text[200] = "";
	int i;

	for (i = 0; i < words; i++)
		sprintf(text + strlen(text), i ? " %d" : "%d", (int)out[i]);
	value(key, "%s", text);
}

/* the largest error of @expression of f[n], in units of the last place of the right result */
static void error(const char *key, const char *expression, double (*right)(double), float from,
		  float to)
{
	static float in[4096];
	const unsigned int *out;
	char body[200];
	double worst = 0;
	int n;

	for (n = 0; n < 4096; n++)
		in[n] = from + (to - from) * ((float)n / 4096);
	snprintf(body, sizeof(body), "float x = f[n]; o[n] = u(%s);", expression);
	out = compute(body, 4096, in, 4096);
	for (n = 0; n < 4096; n++) {
		double r = right(in[n]);
		double ulp = ldexp(1, ilogb(r) - 23);
		double e = fabs(number(out[n]) - r) / ulp;

		if (e > worst)
			worst = e;
	}
	if (worst < 10)
		value(key, "%.2f ulp", worst);
	else if (worst < 1e6)
		value(key, "%.0f ulp", worst);
	else
		value(key, "%.2g ulp", worst);
}

static double rsqrt(double x)
{
	return 1 / sqrt(x);
}

static double recip(double x)
{
	return 1 / x;
}

static void arithmetic(void)
{
	static const float in[] = { 3e9f, NAN, -1, 0, 1, INFINITY, 2.5f, -0.5f, 1.5e-38f, 0.5f,
				    1e-39f, 1 + 0x1p-12f, -(1 + 0x1p-11f), -0.0f, -1e-10f, 65520 };
	static const int ints[] = { -7, 3, 7, -3, 33, 1, -8, 32, 0 };

	integers("float-to-int", "o[0] = uint(int(f[0])); o[1] = uint(int(f[1]));"
		 "o[2] = uint(f[2]);", 3, in, 16);
	integers("float-to-int-folded", "o[0] = uint(int(3e9));"
		 "o[1] = uint(int(uintBitsToFloat(0x7fc00000u))); o[2] = uint(-1.0);", 3, in, 16);
	words("pow-0-0", "o[0] = u(pow(f[3], f[3]));", 1, in, 16);
	words("pow-0-0-folded", "o[0] = u(pow(0.0, 0.0));", 1, in, 16);
	words("min-max-nan", "o[0] = u(min(f[4], f[1])); o[1] = u(min(f[1], f[4]));"
	      "o[2] = u(max(f[4], f[1])); o[3] = u(max(f[1], f[4]));", 4, in, 16);
	words("min-max-nan-folded", "float a = 0.0 / 0.0;"
	      "o[0] = u(min(1.0, a)); o[1] = u(min(a, 1.0)); o[2] = u(max(1.0, a));"
	      "o[3] = u(max(a, 1.0));", 4, in, 16);
	words("clamp-nan", "o[0] = u(clamp(f[1], f[3], f[4]));", 1, in, 16);
	words("sign-nan", "o[0] = u(sign(f[1]));", 1, in, 16);
	integers("isnan", "o[0] = uint(isnan(f[1])); o[1] = uint(f[1] != f[1]);", 2, in, 16);
	words("denormal-product", "o[0] = u(f[8] * f[9]);", 1, in, 16);
	integers("denormal-compare", "o[0] = uint(f[10] > 0.0);", 1, in, 16);
	words("denormal-folded", "o[0] = u(1.5e-38 * 0.5);", 1, in, 16);
	if (strstr((const char *)glGetString(GL_EXTENSIONS), "GL_EXT_gpu_shader5"))
		words("fma", "o[0] = u(fma(f[11], f[11], f[12]));", 1, in, 16);
	else
		value("fma", "no fma()");
	words("mul-add", "o[0] = u(f[11] * f[11] + f[12]);", 1, in, 16);
	words("nan-times-literal-0", "o[0] = u(f[1] * 0.0); o[1] = u(f[5] * 0.0);", 2, in, 16);
	words("nan-times-0", "o[0] = u(f[1] * f[3]); o[1] = u(f[5] * f[3]);", 2, in, 16);
	words("minus-itself", "o[0] = u(f[5] - f[5]);", 1, in, 16);
	words("minus-0-plus-0", "o[0] = u(f[13] + 0.0); o[1] = u(f[13] + f[3]);", 2, in, 16);
	words("0-over-0", "o[0] = u(f[3] / f[3]);", 1, in, 16);
	words("round-half", "o[0] = u(round(f[6])); o[1] = u(roundEven(f[6]));"
	      "o[2] = u(round(f[7]));", 3, in, 16);
	words("fract-tiny", "o[0] = u(fract(f[14])); o[1] = u(mod(f[14], f[4]));", 2, in, 16);
	words("atan-0-0", "o[0] = u(atan(f[3], f[3])); o[1] = u(atan(f[3], f[13]));"
	      "o[2] = u(atan(f[13], f[3]));", 3, in, 16);
	words("pack-half", "o[0] = packHalf2x16(vec2(f[4] + 3.0 / 2048.0, f[15]));", 1, in, 16);
	words("pack-unorm", "o[0] = packUnorm4x8(vec4(f[9], 0.0, f[1], f[6] / 255.0));", 1, in, 16);
	integers("remainder", "o[0] = uint(i(0) % i(1)); o[1] = uint(i(2) % i(3));", 2, ints, 9);
	integers("quotient", "o[0] = uint(i(0) / i(1)); o[1] = uint(i(2) / i(3));", 2, ints, 9);
	integers("shift-33", "o[0] = uint(i(5) << i(4)); o[1] = uint(i(6) >> i(4));"
		 "o[2] = uint(i(5)) >> uint(i(4));", 3, ints, 9);
	integers("find-msb", "o[0] = uint(findMSB(i(6))); o[1] = uint(findMSB(int(float(i(6)))));",
		 2, ints, 9);
	integers("bitfield-32", "o[0] = bitfieldExtract(uint(i(6)), 0, i(7)); o[1] ="
		 "bitfieldExtract(uint(i(6)), 0, i(8));", 2, ints, 9);

	error("error-reciprocal", "1.0 / x", recip, 1, 2);
	error("error-inversesqrt", "inversesqrt(x)", rsqrt, 1, 4);
	error("error-sqrt", "sqrt(x)", sqrt, 1, 4);
	error("error-exp2", "exp2(x)", exp2, -4, 4);
	error("error-log2", "log2(x)", log2, 2, 64);
	error("error-sin", "sin(x)", sin, 0.1f, 3);
	error("error-sin-far", "sin(x)", sin, 1e6f, 1e6f + 3);
	error("error-atan", "atan(x)", atan, 0.1f, 4);
}

/* Textures and targets. */
static GLuint texture(GLenum target, int samples, GLenum format, int width, int height)
{
	GLuint name;

	glGenTextures(1, &name);
	glBindTexture(target, name);
	if (samples) {
		glTexStorage2DMultisample(target, samples, format, width, height, GL_TRUE);
		return name;
	}
	glTexStorage2D(target, 1, format, width, height);
	glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	return name;
}

static GLuint attach(GLuint colour, GLuint depth, GLenum target)
{
	GLuint name;

	glGenFramebuffers(1, &name);
	glBindFramebuffer(GL_FRAMEBUFFER, name);
	if (colour)
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target, colour, 0);
	if (depth)
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, target, depth, 0);
	return name;
}

static int complete(void)
{
	return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

/* a target of @format, of @width x @height pixels, that is drawn to from now on */
static GLuint draw_to(GLenum format, int width, int height)
{
	GLuint name = texture(GL_TEXTURE_2D, 0, format, width, height);

	attach(name, 0, GL_TEXTURE_2D);
	glViewport(0, 0, width, height);
	if (!complete())
		fail("target", "not complete");
	return name;
}

static GLuint pipeline(const char *vertex, const char *fragment)
{
	static const GLenum stage[] = { GL_VERTEX_SHADER, GL_FRAGMENT_SHADER };
	char v[2000], f[2000];
	const char *const texts[] = { v, f };

	snprintf(v, sizeof(v), "#version 310 es\nprecision highp float; uniform vec4 c;"
		 "out float w; void main() { vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1);"
		 "w = p.x * 2.0; gl_PointSize = 1.0;"
		 "gl_Position = vec4(p * 4.0 - 1.0, 0.0, 1.0);\n%s }", vertex ? vertex : "");
	snprintf(f, sizeof(f), "#version 310 es\nprecision highp float; uniform vec4 c;"
		 "uniform highp sampler2D t; in float w; out vec4 o; void main() {\n%s }",
		 fragment);
	return program(2, stage, texts);
}

static void set(GLuint prog, float x, float y, float z, float w)
{
	glUniform4f(glGetUniformLocation(prog, "c"), x, y, z, w);
}

/* draw one triangle over everything, of the colour that @fragment makes */
static void fill(const char *fragment, float x, float y, float z, float w)
{
	GLuint prog = pipeline(NULL, fragment);

	set(prog, x, y, z, w);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glDeleteProgram(prog);
}

static const unsigned char *pixels(int width, int height)
{
	static unsigned char got[4 * SIZE * SIZE];

	glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, got);
	return got;
}

/* the bound texture's numbers, fetched into a target of binary32 */
static const float *fetched(GLuint name, int width, int height)
{
	static float got[4 * SIZE * SIZE];

	draw_to(GL_RGBA32F, width, height);
	glBindTexture(GL_TEXTURE_2D, name);
	fill("o = texelFetch(t, ivec2(gl_FragCoord.xy), 0);", 0, 0, 0, 0);
	glReadPixels(0, 0, width, height, GL_RGBA, GL_FLOAT, got);
	return got;
}

/* what pixel (0, 0) of @format holds after a clear and after a draw of the same colour */
static void clear_and_draw(const char *key, GLenum format, int component, float colour)
{
	float c[4] = { colour, colour, colour, colour };
	GLuint name = draw_to(format, 4, 4);
	int cleared, drawn;

	glClearBufferfv(GL_COLOR, 0, c);
	cleared = pixels(4, 4)[component];
	fill("o = c;", colour, colour, colour, colour);
	drawn = pixels(4, 4)[component];
	value(key, "%d %d", cleared, drawn);
	glDeleteTextures(1, &name);
}

static double curve(double x)
{
	return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

/*
 * 1024 values from 0 to 1, none in the middle of two codes of @max + 1, drawn to @format; @blend:
 * half of each and half of a quarter: codes that are not the nearest, and how far they are off.
 */
static void steps(const char *key, GLenum format, int max, int srgb, int blend)
{
	const float quarter[4] = { 0.25f, 0.25f, 0.25f, 0.25f };
	GLuint name = draw_to(format, SIZE, 4);
	const unsigned char *got;
	const float *numbers = NULL;
	double start = 0, exact, code, e, most = 0;
	int n, off = 0;

	if (blend) {
		glClearBufferfv(GL_COLOR, 0, quarter);
		start = rint(pixels(1, 1)[0] * max / 255.0) / max;
		glEnable(GL_BLEND);
		glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	}
	fill("vec2 p = floor(gl_FragCoord.xy); o = vec4((p.x + 256.0 * p.y + 0.3) / 1024.0);"
	     "if (c.x > 0.0) o.a = 0.5;", blend, 0, 0, 0);
	glDisable(GL_BLEND);
	got = pixels(SIZE, 4);
	if (max > 255)
		numbers = fetched(name, SIZE, 4);
	for (n = 0; n < 1024; n++) {
		exact = (n + 0.3) / 1024;
		if (blend)
			exact = exact / 2 + start / 2;
		if (srgb)
			exact = curve(exact);
		code = numbers ? numbers[4 * n] : got[4 * n] / 255.0;
		e = fabs(rint(code * max) - rint(exact * max));
		off += e > 0;
		most = fmax(most, e);
	}
	value(key, "%d of 1024 off, by %g at most", off, most);
	glDeleteTextures(1, &name);
}

/* a number that is uploaded, to storage that has been made before or with it, as fetched */
static float uploaded(GLenum format, GLenum order, float number, int storage)
{
	GLuint name;
	float c[64];
	int n;

	for (n = 0; n < 64; n++)
		c[n] = number;
	if (storage) {
		name = texture(GL_TEXTURE_2D, 0, format, 4, 4);
		glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, order, GL_FLOAT, c);
	} else {
		glGenTextures(1, &name);
		glBindTexture(GL_TEXTURE_2D, name);
		glTexImage2D(GL_TEXTURE_2D, 0, format, 4, 4, 0, order, GL_FLOAT, c);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	}
	return fetched(name, 4, 4)[0];
}

/* a number that is drawn, as fetched */
static float stored(GLenum format, float number)
{
	GLuint name = draw_to(format, 4, 4);

	fill("o = c;", number, number, number, number);
	return fetched(name, 4, 4)[0];
}

static void upload_codes(unsigned char code[4 * SIZE])
{
	int n;

	for (n = 0; n < 4 * SIZE; n++)
		code[n] = n / 4;
}

static double from_srgb(int code)
{
	double c = code / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void fetches(void)
{
	unsigned char code[4 * SIZE];
	const float *got;
	float first;
	GLuint name;
	int n, right = 0;

	upload_codes(code);
	name = texture(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, 1);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, 1, GL_RGBA, GL_UNSIGNED_BYTE, code);
	got = fetched(name, SIZE, 1);
	for (n = 0; n < SIZE; n++)
		right += got[4 * n] == n / 255.0f;
	value("unorm8-fetch", "%d of 256", right);

	name = texture(GL_TEXTURE_2D, 0, GL_RGBA8_SNORM, SIZE, 1);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, 1, GL_RGBA, GL_BYTE, code);
	got = fetched(name, SIZE, 1);
	for (n = right = 0; n < SIZE; n++)
		right += got[4 * n] == fmaxf((signed char)n / 127.0f, -1);
	value("snorm8-fetch", "%d of 256", right);

	name = texture(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, SIZE, 1);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, 1, GL_RGBA, GL_UNSIGNED_BYTE, code);
	got = fetched(name, SIZE, 1);
	for (n = right = 0; n < SIZE; n++)
		right += got[4 * n] == (float)from_srgb(n);
	first = got[4];
	value("srgb-fetch", "%d of 256, code 128 is %.6f, code 1 is 1/%.0f", right, got[4 * 128],
	      1 / first);
}

static void filter(const char *key, GLenum format)
{
	static const float white[] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	static const unsigned char bytes[] = { 0, 0, 0, 0, 255, 255, 255, 255 };
	static float got[4 * SIZE * 32];
	GLuint name = texture(GL_TEXTURE_2D, 0, format, 2, 1);
	int n, values = 1;

	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 2, 1, GL_RGBA,
			format == GL_RGBA8 ? GL_UNSIGNED_BYTE : GL_FLOAT,
			format == GL_RGBA8 ? (const void *)bytes : white);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	draw_to(GL_RGBA32F, SIZE, 32);
	glBindTexture(GL_TEXTURE_2D, name);
	/* 8192 places from the first texel's centre to the second one's */
	fill("vec2 p = floor(gl_FragCoord.xy); o = texture(t, vec2(0.25 + (p.x + p.y * 256.0) /"
	     "16384.0, 0.5));", 0, 0, 0, 0);
	glReadPixels(0, 0, SIZE, 32, GL_RGBA, GL_FLOAT, got);
	for (n = 1; n < SIZE * 32; n++)
		values += got[4 * n] != got[4 * n - 4];
	value(key, "%d values", values);
}

static void mip(const char *key, int width, const unsigned char *texel)
{
	unsigned char rgba[4 * 16];
	char text[100] = "";
	GLuint name;
	int n, level = 0, w;

	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	for (n = 0; n < 4 * width; n++)
		rgba[n] = texel[n / 4];
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
	glGenerateMipmap(GL_TEXTURE_2D);
	for (w = width / 2; w; w /= 2) {
		GLuint frame;

		level++;
		glGenFramebuffers(1, &frame);
		glBindFramebuffer(GL_FRAMEBUFFER, frame);
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name,
				       level);
		for (n = 0; n < w; n++)
			sprintf(text + strlen(text), *text ? " %d" : "%d", pixels(w, 1)[4 * n]);
	}
	value(key, "%s", text);
}

/* Each level has its number as colour: the LODs of 128 scales, from derivatives. */
static void derived_lods(void)
{
	static float got[4 * 4 * 256], level[4 * 128];
	double error, worst = 0;
	GLuint name;
	int n, i;

	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	glTexStorage2D(GL_TEXTURE_2D, 8, GL_RGBA32F, 128, 1);
	for (n = 0; n < 8; n++) {
		for (i = 0; i < 4 * 128; i++)
			level[i] = n;
		glTexSubImage2D(GL_TEXTURE_2D, n, 0, 0, 128 >> n, 1, GL_RGBA, GL_FLOAT, level);
	}
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_LINEAR);
	draw_to(GL_RGBA32F, 4, 256);
	glBindTexture(GL_TEXTURE_2D, name);
	/* two rows of a quad have the same scale */
	fill("vec2 p = floor(gl_FragCoord.xy); o = texture(t, vec2(p.x * exp2(floor(p.y / 2.0) /"
	     "32.0) / 128.0, 0.5));", 0, 0, 0, 0);
	glReadPixels(0, 0, 4, 256, GL_RGBA, GL_FLOAT, got);
	for (n = 0; n < 4 * 256; n++) {
		error = fabs(got[4 * n] - n / 8 / 32.0);
		worst = error > worst ? error : worst;
	}
	value("derived-lod", "off by up to %.3f", worst);
}

static void lods(void)
{
	static float got[4 * 1024];
	GLuint name;
	int n, values = 1;

	/* level 0 black, level 1 white: how fine is the step between levels */
	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	glTexStorage2D(GL_TEXTURE_2D, 2, GL_RGBA32F, 2, 1);
	for (n = 0; n < 2; n++) {
		float c[8] = { n, n, n, n, n, n, n, n };

		glTexSubImage2D(GL_TEXTURE_2D, n, 0, 0, 2 - n, 1, GL_RGBA, GL_FLOAT, c);
	}
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_LINEAR);
	draw_to(GL_RGBA32F, 1024, 1);
	glBindTexture(GL_TEXTURE_2D, name);
	fill("o = textureLod(t, vec2(0.5), floor(gl_FragCoord.x) / 1024.0);", 0, 0, 0, 0);
	glReadPixels(0, 0, 1024, 1, GL_RGBA, GL_FLOAT, got);
	for (n = 1; n < 1024; n++)
		values += got[4 * n] != got[4 * n - 4];
	value("level-weights", "%d values of 1024, 0.5 is %.6f", values, got[4 * 512]);

	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	glTexStorage2D(GL_TEXTURE_2D, 4, GL_RGBA8, 8, 8);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
	draw_to(GL_RGBA32F, 8, 2);
	glBindTexture(GL_TEXTURE_2D, name);
	fill("o = vec4(textureSize(t, int(gl_FragCoord.x) & 3).x);", 0, 0, 0, 0);
	glReadPixels(0, 0, 8, 2, GL_RGBA, GL_FLOAT, got);
	value("texture-size-lod", "%g %g %g %g", got[0], got[4], got[8], got[12]);
}

static void lookups(void)
{
	static const unsigned char two[] = { 10, 10, 10, 10, 20, 20, 20, 20 };
	GLuint name = texture(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 1);
	int edge;

	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, two);
	draw_to(GL_RGBA8, 4, 4);
	glBindTexture(GL_TEXTURE_2D, name);
	fill("o = texture(t, vec2(c.x, 0.5));", 0.5f, 0, 0, 0);
	edge = pixels(4, 4)[0];
	value("nearest-at-edge", "%d", edge);
	fill("o = texture(t, vec2(c.x, 0.5));", NAN, 0, 0, 0);
	value("nan-coordinate", "%d", pixels(4, 4)[0]);
	fill("o = texelFetch(t, ivec2(c.xy), 0);", 5, 0, 0, 0);
	value("fetch-outside", "%d %d", pixels(4, 4)[0], pixels(4, 4)[3]);
}

/* a constant of four values: units of fixed function have one, programs blend in their place */
static void blend_constants(void)
{
	static const double constant[] = { 0.75, 0.25, 0.5, 0.625 };
	const unsigned char *got;
	int n, off = 0, low = 0;

	draw_to(GL_RGBA8, SIZE, 4);
	glEnable(GL_BLEND);
	glBlendColor(0.75f, 0.25f, 0.5f, 0.625f);
	glBlendFunc(GL_CONSTANT_COLOR, GL_ZERO);
	fill("o = vec4(floor(gl_FragCoord.x) / 255.0);", 0, 0, 0, 0);
	glDisable(GL_BLEND);
	got = pixels(SIZE, 4);
	for (n = 0; n < 4 * SIZE; n++) {
		double e = got[n] - n / 4 * constant[n & 3];

		off += fabs(e) > 0.5000001;
		low += e < -0.5000001;
	}
	value("blend-constants", "%d of 1024 off, %d of them low", off, low);
}

static void blends(void)
{
	const unsigned char *got;
	float dst[4] = { 100 / 255.0f, 100 / 255.0f, 100 / 255.0f, 1 };
	int n, x, y, off = 0, one = 0;

	draw_to(GL_RGBA8, SIZE, SIZE);
	glClearBufferfv(GL_COLOR, 0, dst);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	fill("vec2 p = floor(gl_FragCoord.xy) / 255.0; o = vec4(p.xxx, p.y);", 0, 0, 0, 0);
	got = pixels(SIZE, SIZE);
	for (y = 0; y < SIZE; y++)
		for (x = 0; x < SIZE; x++) {
			double r = (x * y + 100.0 * (255 - y)) / 255;
			double e = fabs(got[4 * (y * SIZE + x)] - r);

			off += e > 0.5000001;
			one += e >= 1;
		}
	value("blend-unorm8", "%d of 65536 off, %d by 1 or more", off, one);

	glBlendFunc(GL_ONE, GL_ONE);
	for (n = 0; n < 4; n++)
		dst[n] = 0;
	glClearBufferfv(GL_COLOR, 0, dst);
	for (n = 0; n < 100; n++)
		fill("o = c;", 0.001f, 0.001f, 0.001f, 0.001f);
	value("blend-many-small", "%d", pixels(SIZE, SIZE)[0]);
	glDisable(GL_BLEND);
}

/* write @depth with a shader or as the polygon's, and fetch what the buffer holds */
static float depth_of(GLenum format, const char *fragment, float depth, int clear)
{
	GLuint colour = texture(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4);
	GLuint name = texture(GL_TEXTURE_2D, 0, format, 4, 4);
	GLuint prog;
	float got;

	attach(colour, name, GL_TEXTURE_2D);
	glViewport(0, 0, 4, 4);
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_ALWAYS);
	if (clear) {
		glClearBufferfv(GL_DEPTH, 0, &depth);
	} else {
		prog = pipeline(strstr(fragment, "gl_FragDepth") ? NULL :
				"gl_Position.z = c.x * 2.0 - 1.0;", fragment);
		set(prog, depth, 0, 0, 0);
		glDrawArrays(GL_TRIANGLES, 0, 3);
		glDeleteProgram(prog);
	}
	glDisable(GL_DEPTH_TEST);
	got = fetched(name, 4, 4)[0];
	glDeleteTextures(1, &name);
	return got;
}

static void depths(void)
{
	const char *shader = "gl_FragDepth = c.x; o = vec4(0.0);", *plain = "o = vec4(0.0);";
	float clear, draw;

	clear = depth_of(GL_DEPTH_COMPONENT32F, plain, 0.75f, 1);
	draw = depth_of(GL_DEPTH_COMPONENT32F, plain, 0.75f, 0);
	value("depth32f-clear-draw", "%08x %08x", bits(clear), bits(draw));
	value("depth16-shader", "%.0f %.0f",
	      65535 * depth_of(GL_DEPTH_COMPONENT16, shader, 0.1f, 0),
	      65535 * depth_of(GL_DEPTH_COMPONENT16, shader, 2, 0));
	value("depth16-clear-draw", "%.0f %.0f",
	      65535 * depth_of(GL_DEPTH_COMPONENT16, plain, 0.1f, 1),
	      65535 * depth_of(GL_DEPTH_COMPONENT16, plain, 0.1f, 0));
	value("depth32f-shader", "%g %g", depth_of(GL_DEPTH_COMPONENT32F, shader, 2, 0),
	      depth_of(GL_DEPTH_COMPONENT32F, shader, NAN, 0));
	glEnable(GL_POLYGON_OFFSET_FILL);
	glPolygonOffset(0, 1);
	value("polygon-offset-unit", "%.0f %.0f %.3g",
	      65535 * depth_of(GL_DEPTH_COMPONENT16, plain, 0.25f, 0) - 16384,
	      16777215.0 * depth_of(GL_DEPTH_COMPONENT24, plain, 0.25f, 0) -
	      16777215.0 * 0.25,
	      (depth_of(GL_DEPTH_COMPONENT32F, plain, 0.6f, 0) - 0.6f) / 0x1p-24);
	glDisable(GL_POLYGON_OFFSET_FILL);
}

static void multisampling(void)
{
	static const int pattern[][2] = { { 2, 1 }, { 2, 127 }, { 1, 2 }, { 3, 2 } };
	char text[200] = "";
	GLuint ms, single, from, to;
	GLint samples = 0;
	GLfloat place[2];
	unsigned int n;
	int k;

	ms = texture(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, 4, 4);
	from = attach(ms, 0, GL_TEXTURE_2D_MULTISAMPLE);
	if (!complete()) {
		glGetError();
		value("sample-positions", "no 4 samples");
		value("resolve", "no 4 samples");
		value("alpha-to-coverage", "no 4 samples");
		return;
	}
	glGetIntegerv(GL_SAMPLES, &samples);
	for (k = 0; k < samples; k++) {
		glGetMultisamplefv(GL_SAMPLE_POSITION, k, place);
		sprintf(text + strlen(text), "%s%g,%g", k ? " " : "", place[0], place[1]);
	}
	value("sample-positions", "%s", text);
	single = texture(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4);
	to = attach(single, 0, GL_TEXTURE_2D);
	*text = 0;
	for (n = 0; n < sizeof(pattern) / sizeof(*pattern); n++) {
		float c = pattern[n][1] / 255.0f;

		glBindFramebuffer(GL_FRAMEBUFFER, from);
		glViewport(0, 0, 4, 4);
		glClearColor(0, 0, 0, 0);
		glClear(GL_COLOR_BUFFER_BIT);
		glEnable(GL_SAMPLE_MASK);
		glSampleMaski(0, (1 << pattern[n][0]) - 1);
		fill("o = c;", c, c, c, c);
		glDisable(GL_SAMPLE_MASK);
		glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
		glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
		glBlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, GL_COLOR_BUFFER_BIT, GL_NEAREST);
		glBindFramebuffer(GL_FRAMEBUFFER, to);
		sprintf(text + strlen(text), n ? " %d" : "%d", pixels(4, 4)[0]);
	}
	value("resolve", "%s", text);
	*text = 0;
	for (k = 1; k < 8; k++) {
		float c[4] = { 1, 1, 1, k / 8.0f };

		glBindFramebuffer(GL_FRAMEBUFFER, from);
		glClear(GL_COLOR_BUFFER_BIT);
		glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
		fill("o = c;", c[0], c[1], c[2], c[3]);
		glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
		glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
		glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
		glBlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, GL_COLOR_BUFFER_BIT, GL_NEAREST);
		glBindFramebuffer(GL_FRAMEBUFFER, to);
		sprintf(text + strlen(text), k > 1 ? " %d" : "%d", (pixels(4, 4)[0] + 32) / 64);
	}
	value("alpha-to-coverage", "%s", text);
}

/*
 * A varying along a wide line of four samples, a rectangle: how far from its place on the line, in
 * pixels that no edge is near to.
 */
static void along_line(void)
{
	const double x0 = 6.5, y0 = 10.25, dx = 48, dy = 21, length = hypot(dx, dy);
	GLuint prog, ms = texture(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, 64, 64);
	GLuint from = attach(ms, 0, GL_TEXTURE_2D_MULTISAMPLE), to;
	const unsigned char *got;
	double t, aside, most = 0;
	int n;

	if (!complete()) {
		glGetError();
		value("line-varying", "no 4 samples");
		return;
	}
	glViewport(0, 0, 64, 64);
	prog = pipeline("w = float(gl_VertexID); gl_Position = vec4((vec2(6.5, 10.25) +"
			"w * vec2(48.0, 21.0)) / 32.0 - 1.0, 0.0, 1.0);", "o = vec4(w);");
	glLineWidth(7);
	glDrawArrays(GL_LINES, 0, 2);
	glLineWidth(1);
	glDeleteProgram(prog);
	draw_to(GL_RGBA8, 64, 64);
	glGetIntegerv(GL_FRAMEBUFFER_BINDING, (GLint *)&to);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
	glBlitFramebuffer(0, 0, 64, 64, 0, 0, 64, 64, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	glBindFramebuffer(GL_FRAMEBUFFER, to);
	got = pixels(64, 64);
	for (n = 0; n < 64 * 64; n++) {
		double px = n % 64 + 0.5 - x0, py = n / 64 + 0.5 - y0;

		t = (px * dx + py * dy) / (length * length);
		aside = fabs(px * dy - py * dx) / length;
		if (aside < 2 && t * length > 2 && (1 - t) * length > 2)
			most = fmax(most, fabs(got[4 * n] / 255.0 - t) * length);
	}
	value("line-varying", "off by up to %.1f pixels", most);
}

/* a varying over a triangle without an edge along an axis, whose corners are at 1/256 pixel */
static void slope(void)
{
	static const double x[] = { 3.25, 59.25, 35.5 }, y[] = { 6.5, 9.75, 60.25 };
	static const double v[] = { 0, 1, 0.25 };
	const double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
	static float got[4 * 64 * 64];
	int n, all = 0, right = 0;
	double px, py, b, c, exact, most = 0;
	GLuint prog;

	draw_to(GL_RGBA32F, 64, 64);
	glClearColor(-1, -1, -1, -1);
	glClear(GL_COLOR_BUFFER_BIT);
	prog = pipeline("vec4 at = gl_VertexID == 0 ? vec4(3.25, 6.5, 0.0, 0.0) :"
			"gl_VertexID == 1 ? vec4(59.25, 9.75, 1.0, 0.0) :"
			"vec4(35.5, 60.25, 0.25, 0.0);"
			"w = at.z; gl_Position = vec4(at.xy / 32.0 - 1.0, 0.0, 1.0);",
			"o = vec4(w);");
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glDeleteProgram(prog);
	glReadPixels(0, 0, 64, 64, GL_RGBA, GL_FLOAT, got);
	for (n = 0; n < 64 * 64; n++) {
		if (got[4 * n] < 0)
			continue;
		px = n % 64 + 0.5 - x[0];
		py = n / 64 + 0.5 - y[0];
		b = (px * (y[2] - y[0]) - (x[2] - x[0]) * py) / area;
		c = ((x[1] - x[0]) * py - px * (y[1] - y[0])) / area;
		exact = v[0] + b * (v[1] - v[0]) + c * (v[2] - v[0]);
		all++;
		right += got[4 * n] == (float)exact;
		most = fmax(most, fabs(got[4 * n] - exact));
	}
	value("varying-slope", "%d of %d exact, others off by up to %.1f / 2^24", right, all,
	      most * 0x1p24);
}

/* all codes of five bits, sampled and drawn to bytes: those that are not the nearest */
static void codes(void)
{
	GLuint name = texture(GL_TEXTURE_2D, 0, GL_RGB565, 32, 1);
	const unsigned char *got;
	unsigned short data[32];
	int n, off = 0;

	for (n = 0; n < 32; n++)
		data[n] = n << 11;
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 32, 1, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, data);
	draw_to(GL_RGBA8, 32, 1);
	glBindTexture(GL_TEXTURE_2D, name);
	fill("o = texture(t, gl_FragCoord.xy / c.xy);", 32, 1, 0, 0);
	got = pixels(32, 1);
	for (n = 0; n < 32; n++)
		off += got[4 * n] != rint(n * 255.0 / 31);
	value("sample-rgb565", "%d of 32", off);
	glDeleteTextures(1, &name);
}

static void rasterisation(void)
{
	static float got[4 * SIZE * 4];
	char text[100] = "";
	GLuint prog;
	int n, right = 0, x, y, lit;

	/* a rectangle whose left edge moves right: where is pixel 0's centre lost */
	draw_to(GL_RGBA8, 8, 8);
	prog = pipeline("vec2 q = vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1);"
			"gl_Position = vec4(q.x > 0.0 ? 1.0 : c.x / 4.0 - 1.0, q.y * 2.0 - 1.0,"
			"0.0, 1.0);", "o = vec4(1.0);");
	glClearColor(0, 0, 0, 0);
	for (n = 0; n < 64; n++) {
		set(prog, 0.5f + n / 4096.0f, 0, 0, 0);
		glClear(GL_COLOR_BUFFER_BIT);
		glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
		if (!pixels(8, 8)[0])
			break;
	}
	if (n)
		value("snapping", "covered to 1/2 + %d/4096", n - 1);
	else
		value("snapping", "not covered at 1/2");

	draw_to(GL_RGBA32F, SIZE, 1);
	fill("o = vec4(w);", 0, 0, 0, 0);
	glReadPixels(0, 0, SIZE, 1, GL_RGBA, GL_FLOAT, got);
	for (n = 0; n < SIZE; n++)
		right += got[4 * n] == (n + 0.5f) / 256;
	value("varying", "%d of 256", right);
	slope();

	draw_to(GL_RGBA32F, 4, 2);
	fill("float x = floor(gl_FragCoord.x), y = floor(gl_FragCoord.y);"
	     "o = vec4(dFdx(x * x * (1.0 + 9.0 * y)));", 0, 0, 0, 0);
	glReadPixels(0, 0, 4, 2, GL_RGBA, GL_FLOAT, got);
	value("derivative", "%g %g, %g %g", got[0], got[8], got[16], got[24]);

	draw_to(GL_RGBA8, 8, 8);
	for (n = 1; n < 3; n++) {
		char vertex[200];

		snprintf(vertex, sizeof(vertex), "gl_Position = vec4(0.0, 0.0, 0.0, 1.0);"
			 "gl_PointSize = %d.0;", n);
		glClear(GL_COLOR_BUFFER_BIT);
		prog = pipeline(vertex, "o = vec4(gl_PointCoord, 0.0, 1.0);");
		glDrawArrays(GL_POINTS, 0, 1);
		for (y = 0; y < 8; y++)
			for (x = 0; x < 8; x++) {
				const unsigned char *p = pixels(8, 8) + 4 * (8 * y + x);

				if (p[3] && (n == 1 || y == 3))
					sprintf(text + strlen(text), "%s(%d,%d) at %.2f",
						*text ? n > 1 && x == 3 ? "; " : " " : "",
						x, y, p[0] / 255.0);
			}
	}
	value("point", "%s", text);

	glClear(GL_COLOR_BUFFER_BIT);
	prog = pipeline("gl_Position = vec4(gl_VertexID == 0 ? -1.0 : 1.0, 0.0, 0.0, 1.0);",
			"o = vec4(1.0);");
	glDrawArrays(GL_LINES, 0, 2);
	*text = 0;
	for (y = 0; y < 8; y++) {
		for (x = lit = 0; x < 8; x++)
			lit += pixels(8, 8)[4 * (8 * y + x)] != 0;
		if (lit)
			sprintf(text + strlen(text), "%srow %d: %d", *text ? ", " : "", y, lit);
	}
	value("line-between-rows", "%s", *text ? text : "nothing");
	along_line();

	draw_to(GL_RGB565, 8, 8);
	glEnable(GL_DITHER);
	fill("o = c;", 0.51f, 0.51f, 0.51f, 1);
	for (n = 1, lit = 1; n < 64; n++)
		lit += pixels(8, 8)[4 * n] != pixels(8, 8)[0];
	value("dither-565", lit > 1 ? "several values" : "one value");
}

static void mediump(void)
{
	float got[4 * 16];
	GLuint prog;

	draw_to(GL_RGBA32F, 4, 4);
	prog = pipeline(NULL, "mediump int k = int(c.x); mediump float m = c.y;"
			"o = vec4(k * k, m * 2.0, 0.0, 0.0);");
	set(prog, 1000, 0.1f, 0, 0);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glReadPixels(0, 0, 4, 4, GL_RGBA, GL_FLOAT, got);
	value("mediump", "%g %08x", got[0], bits(got[1]));
}

static void targets(void)
{
	static const unsigned char three[] = { 10, 20, 60 }, seven[] = { 0, 0, 0, 0, 0, 0, 255 };
	static const unsigned char low[] = { 0, 1 }, high[] = { 1, 2 };
	const float tie_half = 1 + 3 / 2048.0f, tie_11 = 1 + 3 / 128.0f;

	clear_and_draw("store-unorm8-half", GL_RGBA8, 0, 0.5f);
	clear_and_draw("store-unorm8-tie", GL_RGBA8, 0, 2.5f / 255);
	clear_and_draw("store-unorm8-nan", GL_RGBA8, 0, NAN);
	clear_and_draw("store-srgb", GL_SRGB8_ALPHA8, 0, 0.5f);
	clear_and_draw("store-rgb5a1-alpha", GL_RGB5_A1, 3, 0.5f);
	clear_and_draw("store-rgb565", GL_RGB565, 0, 0.5f);
	clear_and_draw("store-rgba4", GL_RGBA4, 0, 0.5f);
	clear_and_draw("store-rgba4-tie", GL_RGBA4, 0, 0.3f);
	codes();
	steps("store-unorm8-steps", GL_RGBA8, 255, 0, 0);
	steps("store-rgb565-steps", GL_RGB565, 31, 0, 0);
	steps("store-rgb5a1-steps", GL_RGB5_A1, 31, 0, 0);
	steps("store-rgba4-steps", GL_RGBA4, 15, 0, 0);
	steps("store-rgb10a2-steps", GL_RGB10_A2, 1023, 0, 0);
	steps("store-srgb-steps", GL_SRGB8_ALPHA8, 255, 1, 0);
	steps("blend-rgb565-steps", GL_RGB565, 31, 0, 1);
	steps("blend-rgba4-steps", GL_RGBA4, 15, 0, 1);
	value("half-upload", "%.9g %.9g, %.9g", uploaded(GL_RGBA16F, GL_RGBA, tie_half, 0),
	      uploaded(GL_RGBA16F, GL_RGBA, tie_half, 1), uploaded(GL_RGBA16F, GL_RGBA, 1e9f, 0));
	value("half-upload-rgb", "%.9g, %.9g", uploaded(GL_RGB16F, GL_RGB, tie_half, 0),
	      uploaded(GL_RGB16F, GL_RGB, 1e9f, 0));
	value("half-upload-red", "%.9g, %.9g", uploaded(GL_R16F, GL_RED, tie_half, 0),
	      uploaded(GL_R16F, GL_RED, 1e9f, 0));
	value("half-draw", "%.9g, %.9g", stored(GL_RGBA16F, tie_half), stored(GL_RGBA16F, 1e9f));
	value("half-draw-denormal", "%.3g", stored(GL_RGBA16F, 1.5f * 0x1p-24f) / 0x1p-24);
	value("r11f-upload", "%.9g, %.9g", uploaded(GL_R11F_G11F_B10F, GL_RGB, tie_11, 0),
	      uploaded(GL_R11F_G11F_B10F, GL_RGB, 1e9f, 0));
	value("r11f-draw", "%.9g, %.9g, %g", stored(GL_R11F_G11F_B10F, tie_11),
	      stored(GL_R11F_G11F_B10F, 1e9f), stored(GL_R11F_G11F_B10F, -1));
	value("rgb9e5-upload", "%.9g", uploaded(GL_RGB9_E5, GL_RGB, 1 + 3 / 512.0f, 0));
	mip("mipmap-3", 3, three);
	mip("mipmap-7", 7, seven);
	mip("mipmap-0-1", 2, low);
	mip("mipmap-1-2", 2, high);
}

/* With an expression of f[0], f[1] (numbers), i(0), i(1) and u(): only that, its word. */
int main(int argc, char **argv)
{
	static const EGLint config[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1,
					 EGL_NONE };
	EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
						   EGL_DEFAULT_DISPLAY, NULL);
	EGLContext context;
	GLuint array;

	if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API))
		fail("EGL", "no display");
	context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, config);
	if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		fail("EGL", "no context");
	value("renderer", "%s", (const char *)glGetString(GL_RENDERER));
	value("version", "%s", (const char *)glGetString(GL_VERSION));
	if (argc > 1) {
		static const float in[] = { -8, 3 };
		char body[1000];

		snprintf(body, sizeof(body), "o[0] = uint(%s);", argv[1]);
		words(argv[1], body, 1, in, 2);
		return glGetError() != GL_NO_ERROR;
	}
	glGenVertexArrays(1, &array);
	glBindVertexArray(array);
	arithmetic();
	fetches();
	filter("filter-unorm8", GL_RGBA8);
	filter("filter-float", GL_RGBA32F);
	lods();
	derived_lods();
	lookups();
	targets();
	blends();
	blend_constants();
	depths();
	multisampling();
	rasterisation();
	mediump();
	if (glGetError() != GL_NO_ERROR)
		fail("GL", "an error in one of the above");
	return 0;
}
