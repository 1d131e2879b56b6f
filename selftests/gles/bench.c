// SPDX-License-Identifier: GPL-2.0
/*
 * Speed of frames of 1024 x 1024 pixels: rectangles with a texture that are blended, and small
 * triangles. Times include everything from the draw call to the end of the frame.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "gles.h"

#define SIDE		1024
#define LAYERS		8
#define GRID		256	/* squares of two small triangles, in a row and column */
#define VERTICES	(GRID + 1)	/* in a row and column */
#define FRAMES		5

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

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
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

static void draw_blend(void)
{
	int i;

	for (i = 0; i < LAYERS; i++)
		draw_rect(-1, -1, 1, 1, 0);
}

/* A mesh of triangles of 8 pixels. */
static void setup_small(void)
{
	static float colour[VERTICES * VERTICES][4];
	static float pos[VERTICES * VERTICES][4];
	static unsigned int index[GRID * GRID][6];
	GLuint buffer, i, at;

	for (i = 0; i < VERTICES * VERTICES; i++) {
		pos[i][0] = -1 + 2.f / GRID * (i % VERTICES);
		pos[i][1] = -1 + 2.f / GRID * (i / VERTICES);
		pos[i][3] = 1;
		colour[i][i % 3] = 1;
		colour[i][3] = 1;
	}
	for (i = 0; i < GRID * GRID; i++) {
		const GLuint first = i / GRID * VERTICES + i % GRID;
		const GLuint corners[6] = { 0, 1, VERTICES, 1, VERTICES + 1, VERTICES };

		for (at = 0; at < 6; at++)
			index[i][at] = first + corners[at];
	}
	use_fragment(vs_colour, "", "colour = v;");
	set_vertices(pos, colour, VERTICES * VERTICES);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(index), index, GL_STATIC_DRAW);
}

static void draw_small(void)
{
	glDrawElements(GL_TRIANGLES, GRID * GRID * 6, GL_UNSIGNED_INT, NULL);
}

static const struct workload workloads[] = {
	{ "blend", "pixel", (double)SIDE * SIDE * LAYERS, setup_blend, draw_blend },
	{ "small", "triangle", 2. * GRID * GRID, setup_small, draw_small },
};

static void frame(const struct workload *w)
{
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	w->draw();
	glFinish();
}

static void measure(const struct workload *w)
{
	double best = 1e9, t;
	int i;

	make_target_sized(GL_RGBA8, GL_DEPTH24_STENCIL8, SIDE);
	glClearColor(0, 0, 0, 1);
	glDisable(GL_BLEND);
	w->setup();
	glViewport(0, 0, SIDE, SIDE);
	frame(w);
	for (i = 0; i < FRAMES; i++) {
		t = now();
		frame(w);
		t = now() - t;
		best = t < best ? t : best;
	}
	printf("%s: %.1f ns/%s\n", w->name, best * 1e9 / w->count, w->unit);
	fflush(stdout);
}

void run_bench(const char *only)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(workloads); i++)
		if (!only || !strcmp(only, workloads[i].name))
			measure(&workloads[i]);
}
