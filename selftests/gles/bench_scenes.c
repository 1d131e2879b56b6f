// SPDX-License-Identifier: GPL-2.0
/*
 * Frames of 320 x 240 pixels in the manner of glmark2's scenes, with meshes, textures and programs
 * of our own: their pictures, and the processor time of a frame.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gles.h"

#define WIDTH		320
#define HEIGHT		240
#define ASPECT		((float)WIDTH / HEIGHT)
#define ALONG		192	/* squares along the knot */
#define AROUND		32	/* and around its tube */
#define RING		(AROUND * 6)	/* vertices of squares around the tube */
#define KNOT		(ALONG * RING)	/* vertices, which triangles do not share */
#define FIELD		96	/* squares in a row of the landscape */
#define FIELD_VERTICES	(FIELD * FIELD * 6)
#define NOISE		128	/* side of the texture of heights */
#define SHADOW		512	/* side of the map of shadows */
#define BLUR		160	/* side of what is blurred */
#define TURN		6.2831853f

/**
 * struct target - Where a pass draws
 * @fbo: framebuffer
 * @colour: texture of RGBA8
 * @depth: texture of depth and stencil, 0: none
 * @width: pixels
 * @height: pixels
 */
struct target {
	GLuint fbo, colour, depth;
	int width, height;
};

/**
 * struct mesh - Positions and normals in buffers; their last components are texture coordinates
 * @place: buffer of positions
 * @normal: buffer of normals
 * @n: number of vertices
 */
struct mesh {
	GLuint place, normal;
	GLsizei n;
};

/* Of the scene that is measured. */
static struct target screen, second, third;
static struct mesh knot, field;
static GLuint programs[4], textures[2];
static float view[16], light_view[16];

/* ---- targets ---- */

static struct target new_target(int width, int height, bool depth)
{
	struct target t = { .width = width, .height = height };

	glGenFramebuffers(1, &t.fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, t.fbo);
	glGenTextures(1, &t.colour);
	glBindTexture(GL_TEXTURE_2D, t.colour);
	glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
	texture_params(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR, GL_CLAMP_TO_EDGE);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t.colour, 0);
	if (depth) {
		glGenTextures(1, &t.depth);
		glBindTexture(GL_TEXTURE_2D, t.depth);
		glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH24_STENCIL8, width, height);
		texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D,
				       t.depth, 0);
	}
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		scene_fail("target of %d x %d is incomplete", width, height);
	return t;
}

static void draw_to(const struct target *t)
{
	glBindFramebuffer(GL_FRAMEBUFFER, t->fbo);
	glViewport(0, 0, t->width, t->height);
}

static void begin_pass(const struct target *t)
{
	draw_to(t);
	glClear(GL_COLOR_BUFFER_BIT | (t->depth ? GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT : 0));
}

static void use_texture(int unit, GLuint texture)
{
	glActiveTexture(GL_TEXTURE0 + unit);
	glBindTexture(GL_TEXTURE_2D, texture);
	glActiveTexture(GL_TEXTURE0);
}

/* ---- meshes ---- */

static void new_buffer(GLuint *buffer, const float (*data)[4], int n)
{
	glGenBuffers(1, buffer);
	glBindBuffer(GL_ARRAY_BUFFER, *buffer);
	glBufferData(GL_ARRAY_BUFFER, n * sizeof(*data), data, GL_STATIC_DRAW);
}

static void bind_attribute(GLuint index, GLuint buffer)
{
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glVertexAttribPointer(index, 4, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(index);
}

static void draw_part(const struct mesh *m, GLint first, GLsizei n)
{
	bind_attribute(0, m->place);
	bind_attribute(1, m->normal);
	glDrawArrays(GL_TRIANGLES, first, n);
}

static void draw_whole(const struct mesh *m)
{
	draw_part(m, 0, m->n);
}

/* Corner @i of triangles of squares, @columns in a row: column and row. */
static void corner(int i, int columns, int *x, int *y)
{
	static const int dx[6] = { 0, 1, 0, 1, 1, 0 }, dy[6] = { 0, 0, 1, 0, 1, 1 };

	*x = i / 6 % columns + dx[i % 6];
	*y = i / 6 / columns + dy[i % 6];
}

static void knot_curve(float t, float *p)
{
	p[0] = (2 + cosf(3 * t)) * cosf(2 * t);
	p[1] = sinf(3 * t);
	p[2] = (2 + cosf(3 * t)) * sinf(2 * t);
}

/* A point of the knot, @along and @around from 0 to 1. */
static void knot_point(float along, float around, float *place, float *normal)
{
	float p[3], q[3], ahead[3], out[3], side[3], up[3];
	float a = around * TURN, t = along * TURN;
	int i;

	knot_curve(t, p);
	knot_curve(t + 0.01f, q);
	for (i = 0; i < 3; i++) {
		ahead[i] = q[i] - p[i];
		out[i] = q[i] + p[i];
	}
	vec_cross(side, ahead, out);
	vec_normalize(side);
	vec_cross(up, side, ahead);
	vec_normalize(up);
	for (i = 0; i < 3; i++) {
		normal[i] = cosf(a) * up[i] + sinf(a) * side[i];
		place[i] = p[i] + 0.55f * normal[i];
	}
	place[3] = 16 * along;
	normal[3] = 2 * around;
}

static void make_knot(void)
{
	static float place[KNOT][4], normal[KNOT][4];
	int i, x, y;

	for (i = 0; i < KNOT; i++) {
		corner(i, AROUND, &x, &y);
		knot_point((float)y / ALONG, (float)x / AROUND, place[i], normal[i]);
	}
	knot.n = KNOT;
	new_buffer(&knot.place, (const float (*)[4])place, KNOT);
	new_buffer(&knot.normal, (const float (*)[4])normal, KNOT);
}

/* Squares from -1 to 1. */
static void make_field(void)
{
	static float place[FIELD_VERTICES][4];
	int i, x, y;

	for (i = 0; i < FIELD_VERTICES; i++) {
		corner(i, FIELD, &x, &y);
		place[i][0] = 2.f * x / FIELD - 1;
		place[i][2] = 2.f * y / FIELD - 1;
	}
	field.n = FIELD_VERTICES;
	new_buffer(&field.place, (const float (*)[4])place, FIELD_VERTICES);
	new_buffer(&field.normal, (const float (*)[4])place, FIELD_VERTICES);
}

/* ---- parts of programs ---- */

#define ATTRIBUTES						\
	"layout(location = 0) in vec4 pos;\n"			\
	"layout(location = 1) in vec4 nor;\n"			\
	"uniform mat4 view;\n"
#define OUTPUT	"layout(location = 0) out vec4 colour;\n"

/* Of a vertex: what is lit in its fragments. */
static const char vs_mesh[] =
	ATTRIBUTES
	"out vec3 n; out vec3 place; out vec2 uv;\n"
	"void main() { gl_Position = view * vec4(pos.xyz, 1.0);\n"
	"	n = nor.xyz; place = pos.xyz; uv = vec2(pos.w, nor.w); }\n";

#define FRAGMENT_INPUTS	"in vec3 n; in vec3 place; in vec2 uv; uniform vec4 eye;\n"

static void look(float *m, float x, float y, float z)
{
	const float from[3] = { x, y, z }, centre[3] = {};

	look_at(m, from, centre, ASPECT);
}

static void solid(void)
{
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_LEQUAL);
	look(view, 3, 4, 8);
}

/* ---- build: a mesh that is lit at its vertices ---- */

static void setup_build(void)
{
	make_knot();
	solid();
	glEnable(GL_CULL_FACE);
	programs[0] = make_program(ATTRIBUTES
		"out vec4 v;\n"
		"void main() { gl_Position = view * vec4(pos.xyz, 1.0);\n"
		"	vec3 l = normalize(vec3(4.0, 6.0, 8.0) - pos.xyz);\n"
		"	v = vec4(vec3(0.1) + vec3(0.9, 0.8, 0.7) * max(dot(normalize(nor.xyz), l), 0.0), 1.0); }\n",
		"in vec4 v;\n" OUTPUT "void main() { colour = v; }\n");
}

static void draw_build(void)
{
	begin_pass(&screen);
	use_program(programs[0]);
	set_matrix("view", view);
	draw_whole(&knot);
}

/* ---- bump: normals from a texture, lit in each fragment ---- */

static void make_bumps(int side)
{
	uint8_t *p = malloc(4 * side * side);
	int i;

	for (i = 0; i < side * side; i++) {
		float x = TURN * 4 * (i % side) / side, y = TURN * 4 * (i / side) / side;

		p[4 * i] = 128 + 60 * sinf(x) * cosf(y);
		p[4 * i + 1] = 128 + 60 * cosf(x) * sinf(y);
		p[4 * i + 2] = 220;
		p[4 * i + 3] = 255;
	}
	glGenTextures(1, &textures[1]);
	glBindTexture(GL_TEXTURE_2D, textures[1]);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE, p);
	texture_params(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR, GL_REPEAT);
	free(p);
}

static const char fs_bump[] =
	FRAGMENT_INPUTS OUTPUT
	"uniform sampler2D bumps;\n"
	"void main() {\n"
	"	vec3 b = texture(bumps, uv).xyz * 2.0 - 1.0;\n"
	"	vec3 t = normalize(cross(vec3(0.3, 1.0, 0.2), n));\n"
	"	vec3 m = normalize(t * b.x + cross(n, t) * b.y + n * b.z);\n"
	"	vec3 l = normalize(vec3(4.0, 6.0, 8.0) - place);\n"
	"	vec3 h = normalize(l + normalize(eye.xyz - place));\n"
	"	colour = vec4(vec3(0.2, 0.3, 0.5) * (0.2 + max(dot(m, l), 0.0)) +\n"
	"		pow(max(dot(m, h), 0.0), 24.0), 1.0);\n"
	"}\n";

static void setup_bump(void)
{
	make_knot();
	make_bumps(256);
	solid();
	glEnable(GL_CULL_FACE);
	programs[0] = make_program(vs_mesh, fs_bump);
}

static void draw_bump(void)
{
	begin_pass(&screen);
	use_program(programs[0]);
	set_matrix("view", view);
	set_vec4("eye", 3, 4, 8, 1);
	use_texture(0, textures[1]);
	draw_whole(&knot);
}

/* ---- shadow: a map of depths as the light sees them ---- */

static void setup_shadow(void)
{
	make_knot();
	make_field();
	solid();
	look(light_view, 5, 9, 4);
	second = new_target(SHADOW, SHADOW, true);
	programs[0] = make_program(ATTRIBUTES
				   "void main() { gl_Position = view * vec4(pos.xyz, 1.0); }\n",
				   OUTPUT "void main() { colour = vec4(1.0); }\n");
	programs[1] = make_program(ATTRIBUTES
		"uniform mat4 lit; uniform vec4 scale; out vec4 v; out vec3 n; out vec3 place;\n"
		"void main() { place = pos.xyz * scale.xyz - vec3(0.0, scale.w, 0.0);\n"
		"	gl_Position = view * vec4(place, 1.0); v = lit * vec4(place, 1.0);\n"
		"	n = scale.w > 0.0 ? vec3(0.0, 1.0, 0.0) : nor.xyz; }\n",
		"in vec4 v; in vec3 n; in vec3 place; uniform sampler2D map;\n" OUTPUT
		"void main() { vec3 p = v.xyz / v.w * 0.5 + 0.5;\n"
		"	float light = texture(map, p.xy).x + 0.003 < p.z ? 0.3 : 1.0;\n"
		"	vec3 l = normalize(vec3(5.0, 9.0, 4.0) - place);\n"
		"	colour = vec4(vec3(0.9, 0.7, 0.4) * (0.2 + light * max(dot(normalize(n), l), 0.0)), 1.0); }\n");
}

static void draw_shadow(void)
{
	begin_pass(&second);
	use_program(programs[0]);
	set_matrix("view", light_view);
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	draw_whole(&knot);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	begin_pass(&screen);
	use_program(programs[1]);
	set_matrix("view", view);
	set_matrix("lit", light_view);
	use_texture(0, second.depth);
	set_vec4("scale", 1, 1, 1, 0);
	draw_whole(&knot);
	set_vec4("scale", 5, 1, 5, 1.8f);
	draw_whole(&field);
}

/* ---- refract: normals and depths of the back, then a picture seen through the mesh ---- */

static const char fs_refract[] =
	FRAGMENT_INPUTS OUTPUT
	"uniform sampler2D back; uniform sampler2D depths; uniform sampler2D picture;\n"
	"uniform mat4 view;\n"
	"void main() {\n"
	"	vec3 m = normalize(n), from = normalize(place - eye.xyz);\n"
	"	vec3 into = refract(from, m, 0.75);\n"
	"	vec2 at = gl_FragCoord.xy / vec2(320.0, 240.0);\n"
	"	float thick = (texture(depths, at).x - gl_FragCoord.z) * 24.0;\n"
	"	vec4 p = view * vec4(place + into * thick, 1.0);\n"
	"	vec3 b = texture(back, p.xy / p.w * 0.5 + 0.5).xyz * 2.0 - 1.0;\n"
	"	vec3 beyond = refract(into, -normalize(b), 1.25);\n"
	"	vec2 s = (dot(beyond, beyond) > 0.0 ? beyond : into).xy;\n"
	"	vec3 c = textureLod(picture, s * 0.5 + 0.5, 3.0).rgb;\n"
	"	vec3 h = normalize(vec3(0.4, 0.6, 0.7) - from);\n"
	"	colour = vec4(c * 0.8 + pow(max(dot(m, h), 0.0), 32.0), 1.0);\n"
	"}\n";

static void setup_refract(void)
{
	make_knot();
	solid();
	textures[0] = pattern_texture(256, true);
	texture_params(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR, GL_CLAMP_TO_EDGE);
	second = new_target(WIDTH, HEIGHT, true);
	glEnable(GL_CULL_FACE);
	programs[0] = make_program(vs_mesh, FRAGMENT_INPUTS OUTPUT
				   "void main() { colour = vec4(normalize(n) * 0.5 + 0.5, 1.0); }\n");
	programs[1] = make_program(vs_mesh, fs_refract);
}

static void draw_refract(void)
{
	begin_pass(&second);
	glCullFace(GL_FRONT);
	use_program(programs[0]);
	set_matrix("view", view);
	draw_whole(&knot);
	glCullFace(GL_BACK);
	begin_pass(&screen);
	use_program(programs[1]);
	set_matrix("view", view);
	set_vec4("eye", 3, 4, 8, 1);
	set_int("depths", 1);
	set_int("picture", 2);
	use_texture(0, second.colour);
	use_texture(1, second.depth);
	use_texture(2, textures[0]);
	draw_whole(&knot);
}

/* ---- desktop: windows over what is blurred below them ---- */

/* Of the texture at "v" of "from", "step" apart. */
#define BLUR_BODY							\
	"vec2 at = from.xy + v.xy * from.zw; vec4 c = vec4(0.0);\n"	\
	"for (int i = -4; i <= 4; i++)\n"				\
	"	c += texture(t, at + float(i) * step.xy) * (0.2 - abs(float(i)) * 0.04);\n"	\
	"colour = c;"
#define BLUR_DECLS	"uniform sampler2D t; uniform vec4 from; uniform vec4 step;"

static void setup_desktop(void)
{
	textures[0] = pattern_texture(256, true);
	second = new_target(BLUR, BLUR, false);
	third = new_target(BLUR, BLUR, false);
	programs[0] = use_fragment(vs_plain, "uniform sampler2D t; uniform vec4 tint;",
				   "colour = texture(t, v.xy) * tint;");
	/* sum of the weights: 1 */
	programs[1] = use_fragment(vs_plain, BLUR_DECLS, BLUR_BODY);
	programs[2] = use_fragment(vs_colour, "uniform sampler2D t;",
				   "colour = vec4(texture(t, v.xy).rgb, 1.0);");
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

/* A window's rectangle of the screen, and its corners from 0 to 1. */
static void window_rect(float x, float y, float side)
{
	const float pos[4][4] = {
		{ x, y, 0, 1 }, { x + side, y, 0, 1 }, { x, y + side, 0, 1 },
		{ x + side, y + side, 0, 1 },
	};
	static const float corners[4][4] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 } };

	set_vertices(pos, corners, 4);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	set_vertices(NULL, NULL, 0);
}

static void blur(const struct target *to, GLuint texture, float x, float y, float side, float dx,
		 float dy)
{
	begin_pass(to);
	use_program(programs[1]);
	use_texture(0, texture);
	set_vec4("from", x, y, side, side);
	set_vec4("step", dx, dy, 0, 0);
	draw_rect(-1, -1, 1, 1, 0);
}

static void draw_desktop(void)
{
	float x, y;
	int i;

	begin_pass(&screen);
	use_program(programs[0]);
	set_vec4("tint", 1, 0.9f, 0.7f, 1);
	use_texture(0, textures[0]);
	draw_rect(-1, -1, 1, 1, 0);
	for (i = 0; i < 4; i++) {
		x = -0.9f + 0.3f * i;
		y = -0.8f + 0.25f * i;
		blur(&second, screen.colour, x / 2 + 0.5f, y / 2 + 0.5f, 0.4f, 1.f / WIDTH, 0);
		blur(&third, second.colour, 0, 0, 1, 0, 1.f / BLUR);
		draw_to(&screen);
		use_program(programs[2]);
		use_texture(0, third.colour);
		window_rect(x, y, 0.8f);
		glEnable(GL_BLEND);
		use_program(programs[0]);
		set_vec4("tint", 0.4f, 0.8f, 1, 0.4f);
		use_texture(0, textures[0]);
		window_rect(x, y, 0.8f);
		glDisable(GL_BLEND);
	}
}

/* ---- effect2d: a picture through a kernel of 5 x 5 ---- */

static const char effect[] =
	"vec4 c = vec4(0.0);\n"
	"for (int y = -2; y <= 2; y++)\n"
	"	for (int x = -2; x <= 2; x++)\n"
	"		c += texture(t, v.xy + vec2(x, y) * step.xy) * float((3 - abs(x)) * (3 - abs(y)));\n"
	"colour = c / 81.0;";

static void setup_effect(void)
{
	textures[0] = pattern_texture(256, false);
	texture_params(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR, GL_REPEAT);
	programs[0] = use_fragment(vs_plain, "uniform sampler2D t; uniform vec4 step;", effect);
}

static void draw_effect(void)
{
	begin_pass(&screen);
	set_vec4("step", 1.f / WIDTH, 1.f / HEIGHT, 0, 0);
	draw_rect(-1, -1, 1, 1, 0);
}

/* ---- ideas: many small draws, some with stencil or blended ---- */

#define IDEAS	(ALONG / 2)

static void setup_ideas(void)
{
	make_knot();
	solid();
	programs[0] = make_program(ATTRIBUTES
		"uniform vec4 shift; out vec4 v;\n"
		"void main() { gl_Position = view * vec4(pos.xyz * shift.w + shift.xyz, 1.0);\n"
		"	v = vec4(nor.xyz * 0.5 + 0.5, 1.0); }\n",
		"in vec4 v; uniform vec4 tint;\n" OUTPUT "void main() { colour = v * tint; }\n");
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	glStencilFunc(GL_EQUAL, 0, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
}

static void draw_ideas(void)
{
	int i;

	begin_pass(&screen);
	use_program(programs[0]);
	set_matrix("view", view);
	for (i = 0; i < IDEAS; i++) {
		if (i % 3 == 2) {
			glEnable(GL_BLEND);
			glEnable(GL_STENCIL_TEST);
		}
		set_vec4("shift", 0.1f * (i % 3), 0.1f * (i % 4), 0.1f * (i % 5), 1);
		set_vec4("tint", 1, 0.25f * (i % 4) + 0.25f, 0.5f, i % 3 == 2 ? 0.5f : 1);
		draw_part(&knot, 2 * i * RING, RING);
		glDisable(GL_BLEND);
		glDisable(GL_STENCIL_TEST);
	}
}

/* ---- terrain: heights of noise, fetched by vertices, and a blurred view ---- */

/* Whole numbers are exact; a value between those of four corners. */
#define NOISE_TEXT							\
	"float rest(float x) { return x - 289.0 * floor((x + 0.5) / 289.0); }\n"	\
	"float hash(vec2 p) {\n"					\
	"	float h = rest((34.0 * rest(p.x) + 1.0) * rest(p.x)) + rest(p.y);\n"	\
	"	return rest((34.0 * h + 1.0) * h) / 289.0; }\n"		\
	"float noise(vec2 p) {\n"					\
	"	vec2 i = floor(p), f = p - i;\n"			\
	"	f = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);\n"	\
	"	return mix(mix(hash(i), hash(i + vec2(1.0, 0.0)), f.x),\n"	\
	"		   mix(hash(i + vec2(0.0, 1.0)), hash(i + 1.0), f.x), f.y); }\n"	\
	"float octaves(vec2 p) {\n"					\
	"	float sum = 0.0, part = 0.5;\n"				\
	"	for (int i = 0; i < 5; i++, p *= 2.0, part *= 0.5)\n"	\
	"		sum += part * noise(p);\n"			\
	"	return sum; }\n"

/* In two bytes. */
#define HEIGHT_TEXT							\
	"uniform sampler2D heights;\n"					\
	"float height(vec2 p) {\n"					\
	"	return dot(textureLod(heights, p, 0.0).xy, vec2(1.0, 1.0 / 255.0)); }\n"

static void setup_terrain(void)
{
	make_field();
	solid();
	look(view, 0, 3, 4);
	second = new_target(NOISE, NOISE, false);
	texture_params(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
	third = new_target(WIDTH, HEIGHT, true);
	programs[0] = use_fragment(vs_plain, NOISE_TEXT,
				   "float h = min(octaves(v.xy * 6.0 + 0.013), 0.999) * 255.0;\n"
				   "colour = vec4(floor(h) / 255.0, fract(h), 0.0, 1.0);");
	programs[1] = make_program(ATTRIBUTES HEIGHT_TEXT
		"out vec3 n; out vec3 place; out vec2 uv;\n"
		"void main() {\n"
		"	uv = pos.xz * 0.49 + 0.5; float s = 1.0 / 128.0;\n"
		"	place = vec3(pos.x * 4.0, height(uv) * 2.0 - 1.0, pos.z * 4.0);\n"
		"	n = vec3(height(uv - vec2(s, 0.0)) - height(uv + vec2(s, 0.0)), 0.06,\n"
		"		 height(uv - vec2(0.0, s)) - height(uv + vec2(0.0, s)));\n"
		"	gl_Position = view * vec4(place, 1.0);\n"
		"}\n",
		FRAGMENT_INPUTS OUTPUT NOISE_TEXT
		"void main() {\n"
		"	float grain = octaves(uv * 24.0), l = max(dot(normalize(n), vec3(0.48, 0.8, 0.36)), 0.0);\n"
		"	vec3 c = mix(vec3(0.2, 0.4, 0.1), vec3(0.6, 0.55, 0.5), smoothstep(-0.2, 0.3, place.y));\n"
		"	float fog = smoothstep(4.0, 9.0, length(eye.xyz - place));\n"
		"	colour = vec4(mix(c * (0.6 + 0.6 * grain) * (0.2 + l), vec3(0.6, 0.7, 0.8), fog), 1.0);\n"
		"}\n");
	programs[2] = use_fragment(vs_plain, BLUR_DECLS, BLUR_BODY);
}

static void draw_terrain(void)
{
	draw_to(&second);
	glDisable(GL_DEPTH_TEST);
	use_program(programs[0]);
	draw_rect(-1, -1, 1, 1, 0);
	glEnable(GL_DEPTH_TEST);
	begin_pass(&third);
	use_program(programs[1]);
	set_matrix("view", view);
	set_vec4("eye", 0, 3, 4, 1);
	use_texture(0, second.colour);
	draw_whole(&field);
	begin_pass(&screen);
	use_program(programs[2]);
	use_texture(0, third.colour);
	set_vec4("from", 0, 0, 1, 1);
	set_vec4("step", 0, 0.5f / HEIGHT, 0, 0);
	draw_rect(-1, -1, 1, 1, 0);
}

/* ---- all of them ---- */

/**
 * struct bench_scene - A kind of frame
 * @name: of it, glmark2's
 * @setup: makes targets, meshes and programs
 * @draw: draws a frame into the screen
 */
struct bench_scene {
	const char *name;
	void (*setup)(void);
	void (*draw)(void);
};

static const struct bench_scene scenes[] = {
	{ "build", setup_build, draw_build },
	{ "bump", setup_bump, draw_bump },
	{ "effect2d", setup_effect, draw_effect },
	{ "desktop", setup_desktop, draw_desktop },
	{ "ideas", setup_ideas, draw_ideas },
	{ "shadow", setup_shadow, draw_shadow },
	{ "refract", setup_refract, draw_refract },
	{ "terrain", setup_terrain, draw_terrain },
};

static void measure_scene(const struct bench_scene *s, const char *folder)
{
	static uint8_t pixels[4 * WIDTH * HEIGHT];
	char path[512];
	double time;

	reset_state();
	screen = new_target(WIDTH, HEIGHT, true);
	glClearColor(0.1f, 0.1f, 0.2f, 1);
	s->setup();
	time = frame_time(s->draw);
	glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	snprintf(path, sizeof(path), "%s/%s.pam", folder, s->name);
	write_picture(path, pixels, WIDTH, HEIGHT);
	if (scene_ok())
		printf("%s: %.0f ns/frame\n", s->name, time * 1e9);
	fflush(stdout);
}

void run_bench_scenes(const char *folder, char **names, int n)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++)
		if (wanted(scenes[i].name, names, n))
			measure_scene(&scenes[i], folder);
}
