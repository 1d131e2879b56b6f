/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scenes of OpenGL ES 3.1 for comparison with other renderers: what scenes are, and helpers.
 */
#ifndef GLES_H
#define GLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Side of the pictures, pixels. */
#define SIZE	64

/**
 * struct scene - A picture
 * @name: of it, and of its file
 * @draw: draws into the target that is bound: RGBA8 with depth and stencil, black
 * @tolerance: largest difference of a component where no edge is near
 * @edges: differences next to edges are allowed, of at most 1 % of the pixels
 */
struct scene {
	const char *name;
	void (*draw)(void);
	int tolerance;
	bool edges;
};

/* Lists of scenes; an entry without a name ends each. */
extern const struct scene prim_scenes[];
extern const struct scene frag_scenes[];
extern const struct scene target_scenes[];
extern const struct scene texture_scenes[];
extern const struct scene program_scenes[];

/* Says what is wrong; the scene fails. */
void scene_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The scene needs what the context has not; it is skipped. */
void scene_skip(const char *what);
bool has_extension(const char *name);

/* Measure frames and print what their pixels and triangles take; @only: one of them, or NULL. */
void run_bench(const char *only);

/* ---- programs ---- */

GLuint make_program(const char *vs, const char *fs);
/* Use a program of a vertex shader below and of this body of main(), whose output is "colour". */
GLuint use_fragment(const char *vs, const char *decls, const char *body);
void set_float(const char *name, float x);
void set_int(const char *name, int x);
void set_vec4(const char *name, float x, float y, float z, float w);

/* Position as given; "v" is the colour. */
extern const char vs_colour[];
/* Position as given; "v" has texture coordinates in xy: those of the position from 0 to 1. */
extern const char vs_plain[];

/* ---- geometry ---- */

/* Vertices of positions and colours, in this program's attributes 0 and 1; NULL: none. */
void set_vertices(const float (*pos)[4], const float (*colour)[4], unsigned int n);
/* A rectangle with this depth, corners in clip coordinates. */
void draw_rect(float x0, float y0, float x1, float y1, float z);
/* The same in a colour, with a program of its own. */
void draw_colour(float x0, float y0, float x1, float y1, float z, float r, float g, float b,
		 float a);
/* Corners of cell @i of a grid of @n x @n cells in clip coordinates, with a margin. */
void grid_cell(int i, int n, float c[4]);

/* ---- textures and targets ---- */

/* A texture with a pattern of RGBA8. */
GLuint pattern_texture(int size, bool mipmaps);
void texture_params(GLenum target, GLenum min, GLenum mag, GLenum wrap);
/* Another target: a texture of a format, bound as the framebuffer's. Returns the texture. */
GLuint make_target(GLenum format, GLenum depth_format);
GLuint make_target_sized(GLenum format, GLenum depth_format, int side);
/* Back to the scene's target. */
void main_target(void);
/* Draw a texture over the whole target; @kind: sampler2D, isampler2D, usampler2D. */
void show_texture(GLuint texture, const char *kind, const char *expression);
/* Numbers as pixels, from the top left on; nothing is drawn afterwards. */
void show_words(const uint32_t *w, unsigned int n);

#endif /* GLES_H */
