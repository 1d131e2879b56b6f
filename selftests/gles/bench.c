// SPDX-License-Identifier: GPL-2.0
/*
 * Speed of frames of 1024 x 1024 pixels: rectangles with a texture that are blended, rectangles lit
 * per pixel, clears, small triangles, and vertices that are lit. Times are processor time from the
 * draw call to the end of the frame.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gles.h"

#define SIDE		1024
#define LAYERS		8
#define GRID		256	/* squares of two small triangles in a row */
#define ROWS		254	/* of squares: vertices have numbers of 16 bits */
#define COLUMNS		(GRID + 1)	/* of vertices */
#define VERTICES	(COLUMNS * (ROWS + 1))
#define FRAMES		5
#define ENOUGH		2.0	/* seconds: fewer frames of slow ones */

/**
 * struct workload - What a frame draws
 * @name: of it
 * @unit: of @count
 * @count: units in a frame
 * @setup: makes programs and vertices
 * @draw: draws a frame
 */
struct workload {
	const char *name;
	const char *unit;
	double count;
	void (*setup)(void);
	void (*draw)(void);
};

static double seconds(clockid_t clock)
{
	struct timespec t = {};

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Processor time of the driver, and of the parent process: "vshader gl" executes the jobs. */
static double now(void)
{
	clockid_t device;

	if (clock_getcpuclockid(getppid(), &device))
		return seconds(CLOCK_PROCESS_CPUTIME_ID);
	return seconds(CLOCK_PROCESS_CPUTIME_ID) + seconds(device);
}

static void setup_blend(void)
{
	pattern_texture(256, true);
	texture_params(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR, GL_REPEAT);
	use_fragment(vs_plain, "uniform sampler2D t; uniform vec4 tint;",
		     "colour = texture(t, v.xy * 4.0) * tint;");
	set_vec4("tint", 1, 0.75f, 0.5f, 0.5f);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

static void clear(void)
{
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

static void draw_layers(void)
{
	int i;

	clear();
	for (i = 0; i < LAYERS; i++)
		draw_rect(-1, -1, 1, 1, 0);
}

/* Phong's, with a normal that changes from pixel to pixel. */
static void setup_lit(void)
{
	use_fragment(vs_plain, "uniform vec4 light; uniform vec4 tint;",
		     "vec3 n = normalize(vec3(v.xy - 0.5, 0.5));\n"
		     "vec3 l = normalize(light.xyz - vec3(v.xy, 0.0));\n"
		     "vec3 h = normalize(l + vec3(0.0, 0.0, 1.0));\n"
		     "colour = vec4(tint.rgb * max(dot(n, l), 0.0) +\n"
		     "	      pow(max(dot(n, h), 0.0), 16.0), 1.0);");
	set_vec4("light", 0.25f, 0.75f, 1, 0);
	set_vec4("tint", 1, 0.75f, 0.5f, 1);
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_ALWAYS);
}

/* Nothing: frames are cleared. */
static void setup_clear(void)
{
	glDisable(GL_DEPTH_TEST);
}

/*
 * A corner of a triangle beside the centre of a pixel, which its box has: vc4 shades no vertices of
 * others.
 */
static void place_beside(GLuint i, float pos[4])
{
	static const float x[3] = { 0.1875f, 0.75f, 0.1875f }, y[3] = { 0.1875f, 0.1875f, 0.75f };

	pos[0] = 2.f / SIDE * ((float)(i / 3 % 32) - 16 + x[i % 3]);
	pos[1] = 2.f / SIDE * ((float)(i / 96 % 32) - 16 + y[i % 3]);
}

/* A mesh of triangles of 8 pixels; or triangles without one, of three vertices each. */
static void make_mesh(bool beside)
{
	static float colour[VERTICES][4];
	static float pos[VERTICES][4];
	static uint16_t index[ROWS * GRID][6];
	GLuint buffer, i, at;

	for (i = 0; i < VERTICES; i++) {
		pos[i][0] = -1 + 2.f / GRID * (i % COLUMNS);
		pos[i][1] = -1 + 2.f / GRID * (i / COLUMNS);
		pos[i][3] = 1;
		if (beside)
			place_beside(i, pos[i]);
		colour[i][i % 3] = 1;
		colour[i][3] = 1;
	}
	for (i = 0; i < ROWS * GRID; i++) {
		const GLuint first = i / GRID * COLUMNS + i % GRID;
		const GLuint corners[6] = { 0, 1, COLUMNS, 1, COLUMNS + 1, COLUMNS };

		for (at = 0; at < 6; at++)
			index[i][at] = first + corners[at];
	}
	set_vertices((const float (*)[4])pos, (const float (*)[4])colour, VERTICES);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(index), index, GL_STATIC_DRAW);
}

static void setup_small(void)
{
	use_fragment(vs_colour, "", "colour = v;");
	make_mesh(false);
}

/* A light for each vertex. */
static void setup_vertices(void)
{
	use_fragment("layout(location = 0) in vec4 pos;\nlayout(location = 1) in vec4 col;\n"
		     "out vec4 v;\nuniform vec4 light;\n"
		     "void main() {\n"
		     "vec3 n = normalize(col.xyz + vec3(0.25));\n"
		     "vec3 l = normalize(light.xyz - pos.xyz);\n"
		     "vec3 h = normalize(l + vec3(0.0, 0.0, 1.0));\n"
		     "v = vec4(col.rgb * max(dot(n, l), 0.0) + pow(max(dot(n, h), 0.0), 16.0), 1.0);\n"
		     "gl_Position = pos; }\n", "", "colour = v;");
	set_vec4("light", 0.25f, 0.75f, 1, 0);
	make_mesh(true);
}

static void draw_mesh(void)
{
	clear();
	glDrawElements(GL_TRIANGLES, ROWS * GRID * 6, GL_UNSIGNED_SHORT, NULL);
}

static void draw_vertices(void)
{
	clear();
	glDrawArrays(GL_TRIANGLES, 0, VERTICES);
}

static const struct workload workloads[] = {
	{ "blend", "pixel", (double)SIDE * SIDE * LAYERS, setup_blend, draw_layers },
	{ "lit", "pixel", (double)SIDE * SIDE * LAYERS, setup_lit, draw_layers },
	{ "clear", "pixel", (double)SIDE * SIDE, setup_clear, clear },
	{ "small", "triangle", 2. * ROWS * GRID, setup_small, draw_mesh },
	{ "vertices", "vertex", VERTICES, setup_vertices, draw_vertices },
};

double frame_time(void (*draw)(void))
{
	double best = 1e9, all = 0, t;
	int i;

	/* programs are translated */
	draw();
	glFinish();
	for (i = 0; i < FRAMES && all < ENOUGH; i++) {
		t = now();
		draw();
		glFinish();
		t = now() - t;
		all += t;
		best = t < best ? t : best;
	}
	return best;
}

static void measure(const struct workload *w)
{
	make_target_sized(GL_RGBA8, GL_DEPTH24_STENCIL8, SIDE);
	glClearColor(0, 0, 0, 1);
	glDisable(GL_BLEND);
	w->setup();
	glViewport(0, 0, SIDE, SIDE);
	printf("%s: %.1f ns/%s\n", w->name, frame_time(w->draw) * 1e9 / w->count, w->unit);
	fflush(stdout);
}

void run_bench(const char *only)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(workloads); i++)
		if (!only || !strcmp(only, workloads[i].name))
			measure(&workloads[i]);
}
