#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# llvmpipe filters a texture of bytes in bytes, whatever it is drawn to.
#
# Version:  libgl1-mesa-dri 22.3.6-1+deb12u2 of Debian bookworm (25.0.7 of trixie and 26.2.6 of
#           sid agree)
# Guess:    A renderer on a CPU filters in floats: a ramp from a black texel to a white one, drawn
#           over 8192 pixels to a target of 32-bit floats, has thousands of values, at least those
#           of a weight of 8 bits times 255. Both software renderers of Mesa do the same.
# Really:   llvmpipe has 256 values for RGBA8: the filter's result is rounded to the texture's own
#           8 bits before the shader sees it. For RGBA32F it has 8192. softpipe has 8192 for both.
#           A shader that magnifies a map of heights or normals of 8 bits, and takes differences,
#           draws steps with one and a slope with the other.
# Seen:     llvmpipe: RGBA8 256, RGBA32F 8192; softpipe: RGBA8 8192, RGBA32F 8192

set -u
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2

# with all that they need, none of which is installed
version=22.3.6-1+deb12u2
mkdir -p cache/archives/partial
apt-get -qq -y -o Dir::State::status=/dev/null -o Dir::Cache="$dir/cache" -o Debug::NoLocking=1 \
	-o APT::Sandbox::User=root -o APT::Install-Recommends=false --download-only install \
	"libegl-mesa0=$version" "libgl1-mesa-dri=$version" libegl1=1.6.0-1 libgles2=1.6.0-1 \
	libegl-dev=1.6.0-1 libgles-dev=1.6.0-1 >apt.log 2>&1 || {
	cat apt.log >&2
	echo "Mesa $version or libglvnd 1.6.0-1 cannot be had: the archive has it no longer, or" \
		"apt-get update" >&2
	exit 2
}
for package in cache/archives/*.deb; do
	dpkg-deb -x "$package" tree || exit 2
done

cat >ramp.c <<EOF
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 4096
#define ROWS 2

static GLuint stage(GLenum kind, const char *text)
{
	GLuint shader = glCreateShader(kind);

	glShaderSource(shader, 1, &text, NULL);
	glCompileShader(shader);
	return shader;
}

/* a texture of two texels, or without data the target of the ramp */
static GLuint image(GLenum format, GLenum type, int width, int height, const void *data)
{
	GLuint name;

	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, GL_RGBA, type, data);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, data ? GL_LINEAR : GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, data ? GL_LINEAR : GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	return name;
}

static int values(GLenum format, GLenum type, const void *texels)
{
	static float got[4 * WIDTH * ROWS];
	int n, count = 1;

	image(format, type, 2, 1, texels);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glReadPixels(0, 0, WIDTH, ROWS, GL_RGBA, GL_FLOAT, got);
	for (n = 1; n < WIDTH * ROWS; n++)
		count += got[4 * n] != got[4 * n - 4];
	return count;
}

int main(void)
{
	static const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE };
	static const unsigned char bytes[8] = { 0, 0, 0, 0, 255, 255, 255, 255 };
	static const float floats[8] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
						   EGL_DEFAULT_DISPLAY, NULL);
	EGLContext context;
	GLuint program, target, frame;
	int eight, wide;

	if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API))
		return 2;
	context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
	if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		return 2;
	target = image(GL_RGBA32F, GL_FLOAT, WIDTH, ROWS, NULL);
	glGenFramebuffers(1, &frame);
	glBindFramebuffer(GL_FRAMEBUFFER, frame);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		return 2;
	program = glCreateProgram();
	glAttachShader(program, stage(GL_VERTEX_SHADER, "#version 300 es\\n"
		"void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0,"
		"0.0, 1.0); }"));
	/* from the first texel's centre to the second one's */
	glAttachShader(program, stage(GL_FRAGMENT_SHADER, "#version 300 es\\n"
		"precision highp float; uniform highp sampler2D t; out vec4 o;"
		"void main() { vec2 p = floor(gl_FragCoord.xy);"
		"o = texture(t, vec2(0.25 + (p.x + p.y * 4096.0) / 16384.0, 0.5)); }"));
	glLinkProgram(program);
	glUseProgram(program);
	glViewport(0, 0, WIDTH, ROWS);
	eight = values(GL_RGBA8, GL_UNSIGNED_BYTE, bytes);
	wide = values(GL_RGBA32F, GL_FLOAT, floats);
	printf("%.8s: RGBA8 %d, RGBA32F %d\\n", (const char *)glGetString(GL_RENDERER), eight, wide);
	return glGetError() != GL_NO_ERROR;
}
EOF
library=$(cd tree/usr/lib && echo "$PWD"/*-linux-gnu)
gcc -idirafter tree/usr/include ramp.c -o ramp -L"$library" \
	-Wl,--unresolved-symbols=ignore-in-shared-libs -l:libEGL.so.1 -l:libGLESv2.so.2 || exit 2

# run DRIVER: with the packages' C library and loader
run()
{
	LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=$1 LIBGL_DRIVERS_PATH="$library/dri" \
		MESA_SHADER_CACHE_DISABLE=true \
		__EGL_VENDOR_LIBRARY_DIRS="$PWD/tree/usr/share/glvnd/egl_vendor.d" \
		"$(echo tree/lib*/ld-linux-*.so.?)" --library-path "$library:$dir/tree/lib/${library##*/}" \
		./ramp
}

one=$(run llvmpipe) && other=$(run softpipe) || exit 2
got="$one; $other"
echo "$got"
[ "$got" = "llvmpipe: RGBA8 256, RGBA32F 8192; softpipe: RGBA8 8192, RGBA32F 8192" ]
