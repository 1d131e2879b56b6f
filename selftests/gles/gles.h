/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scenes of OpenGL ES 3.1, and some of OpenGL, for comparison with other renderers: what scenes
 * are, and helpers. Where there is only OpenGL ES 2, programs and textures are translated; scenes
 * that need more are skipped.
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
 * @rows: of Documentation/references.rst, which explain where it differs from llvmpipe's, for
 * compare.py: "ROW ROW*N..."; NULL: it must not differ
 * @desktop: of OpenGL's compatibility profile
 */
struct scene {
	const char *name;
	void (*draw)(void);
	const char *rows;
	bool desktop;
};

/* Lists of scenes; an entry without a name ends each. */
extern const struct scene prim_scenes[];
extern const struct scene frag_scenes[];
extern const struct scene target_scenes[];
extern const struct scene batch_scenes[];
extern const struct scene desktop_scenes[];
extern const struct scene texture_scenes[];
extern const struct scene program_scenes[];
extern const struct scene fetch_scenes[];
extern const struct scene es2_scenes[];
extern const struct scene sizes_scenes[];
extern const struct scene corner_scenes[];
extern const struct scene path_scenes[];
extern const struct scene window_scenes[];

/* ES 2 has formats by base format and type, and no immutable textures. */
void tex_storage(GLenum target, GLsizei levels, GLenum format, GLsizei width, GLsizei height);
void tex_image(GLenum target, GLint level, GLint format, GLsizei width, GLsizei height,
	       GLint border, GLenum base, GLenum type, const void *pixels);
#define glTexStorage2D	tex_storage
#define glTexImage2D	tex_image

/* Says what is wrong; the scene fails. */
void scene_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The scene needs what the context has not; it is skipped. */
void scene_skip(const char *what);
bool has_extension(const char *name);
/* Whether there is only ES 2, whose language has no output variables. */
bool only_es2(void);
/* Where there is only ES 2, skips the scene. Return: it is skipped. */
bool needs_es3(void);
/* Whether the renderer, such as "Mali-T860 (Panfrost)", is one of @chips. */
bool renderer_is(const char *chips);
/*
 * Skips the scene, for this reason, on one of @chips with Mesa from version @since on, before
 * version @fixed if that is not 0: 100 times the major number and the minor one.
 */
bool scene_skip_on(const char *chips, int since, int fixed, const char *what);
/*
 * Blend programs of RGB10 A2 on Midgard. Mesa 25: bytes in the upper half of a register lose their
 * swizzle ("MOV R0.u8.ijkl, R24.u16.xyzw" is encoded with .xxxx). Mesa 26: 255 steps for 10 bits.
 */
#define PACKED_RGB10	"right picture: the compiler packs bytes wrongly, or computes with 8 bits"
/* Make the scenes' context current again, after another one. */
void scene_back(void);
/* Enable and disable all as in a new context. */
void reset_state(void);
/* A picture of RGBA, its last row first, as PAM. */
void write_picture(const char *path, const uint8_t *pixels, int width, int height);
/* Whether a name is among these @n; all are if there are none. */
bool wanted(const char *name, char **names, int n);
/* Whether nothing has failed since the last call, nor left an error of GL. */
bool scene_ok(void);

/* Measure frames and print what their pixels and triangles take; @only: one of them, or NULL. */
void run_bench(const char *only);
/*
 * Measure frames of scenes and print what each takes; their pictures are @folder/SCENE.pam. @names:
 * @n scenes; 0: all
 */
void run_bench_scenes(const char *folder, char **names, int n);
/* Processor time of a frame, device included: the best of some. Return: seconds. */
double frame_time(void (*draw)(void));

/* Draw the frame of the demo; @path: its picture, or NULL. Return: exit status. */
int run_showcase(const char *path);

/* Run the programs that Mesa translates wrongly; TAP. Return: exit status. */
int run_found(void);

/* ---- programs ---- */

/* Shaders may begin with one line of "#extension". */
GLuint make_program(const char *vs, const char *fs);
/* Use a program of a vertex shader below and of this body of main(), whose output is "colour". */
GLuint use_fragment(const char *vs, const char *decls, const char *body);
void use_program(GLuint program);
/* Uniforms of the program that was made or used last. */
void set_float(const char *name, float x);
void set_int(const char *name, int x);
void set_vec4(const char *name, float x, float y, float z, float w);
void set_matrix(const char *name, const float *m);

/* Position as given; "v" is the colour. */
extern const char vs_colour[];
/* Position as given; "v" has texture coordinates in xy: those of the position from 0 to 1. */
extern const char vs_plain[];

/* ---- geometry ---- */

void vec_cross(float *out, const float *a, const float *b);
void vec_normalize(float *v);
/* A matrix, column by column, of the view from @eye to @centre; upside down if @aspect is < 0. */
void look_at(float *out, const float *eye, const float *centre, float aspect);

/* Vertices of positions and colours, in this program's attributes 0 and 1; NULL: none. */
void set_vertices(const float (*pos)[4], const float (*colour)[4], unsigned int n);
/* A rectangle with this depth, corners in clip coordinates. */
void draw_rect(float x0, float y0, float x1, float y1, float z);
/* The same in a colour, with a program of its own. */
void draw_colour(float x0, float y0, float x1, float y1, float z, float r, float g, float b,
		 float a);
/* Corners of cell @i of a grid of @n x @n cells in clip coordinates, with a margin. */
void grid_cell(int i, int n, float c[4]);

/*
 * Cells of a grid over a gradient, each with another way of blending; most need programs. @alpha:
 * the target has alpha.
 */
void blend_any(bool alpha);

/* ---- textures and targets ---- */

/* A texture with a pattern of RGBA8. */
GLuint pattern_texture(int size, bool mipmaps);
void texture_params(GLenum target, GLenum min, GLenum mag, GLenum wrap);
/* Another target: a texture of a format, bound as the framebuffer's. Returns the texture. */
GLuint make_target(GLenum format, GLenum depth_format);
GLuint make_target_sized(GLenum format, GLenum depth_format, int side);
/* Back to the scene's target. */
void main_target(void);
/*
 * A target of four samples with depth and stencil, cleared. In ES 2 it is a pbuffer, whose context
 * is current until resolve_samples(), after which nothing is drawn.
 */
GLuint sample_target(void);
/* The same of a multiple of SIZE pixels: each pixel of the picture is one in the middle of many. */
GLuint sample_target_sized(int side);
/* Show its pixels. */
void resolve_samples(GLuint fbo);
/* Draw a texture over the whole target; @kind: sampler2D, isampler2D, usampler2D. */
void show_texture(GLuint texture, const char *kind, const char *expression);
/* Numbers as pixels, from the top left on; nothing is drawn afterwards. */
void show_words(const uint32_t *w, unsigned int n);

#endif /* GLES_H */
