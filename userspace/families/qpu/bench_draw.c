// SPDX-License-Identifier: MIT
/*
 * QPU benchmark workloads: draws of the VideoCore IV, a bin list and the render job of its tiles.
 * Vertices with the light of scripts/mesa bench, in own programs and in those that Mesa makes of
 * its GLSL, and layers of blended pixels with a filtered texture. Pictures are compared with the
 * same in C.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_qpu.h"

/* Bytes in the buffer. */
#define VS_AT		0x0000u
#define CS_AT		0x2000u
#define FS_AT		0x4000u
#define CODE_BYTES	0x2000u		/* of each program */
#define LIST_AT		0x8000u
#define RECORD_AT	0x9000u
#define UNIF_AT		0x9100u
#define WORDS_AT	0x9800u		/* of the jobs */
#define COUNTS_AT	0x9900u		/* their counters of events */
#define COUNTS_BYTES	(30 * 8)
#define SHADE_WORDS_AT	0x9a00u		/* job, indices, list and record of shading alone */
#define INDEX_AT	0x9b00u
#define SHADE_LIST_AT	0xa000u
#define SHADE_RECORD_AT	0xa800u
#define CYCLES		16		/* an event: four cycles for each instruction */
#define COLOUR_AT	0x10000u
#define TEXTURE_AT	0x20000u
#define VERTEX_AT	0x24000u
#define TILES_AT	0x60000u
#define TILES_BYTES	(BENCH_QPU_BYTES - TILES_AT)

#define SIDE		128u		/* pixels of the frame */
#define TEXELS		64u
#define LAYERS		8u
#define TRIANGLES	2048u		/* of a pixel each */
#define BATCH		16u		/* vertices of a thread */
#define ALPHA		96u
#define VISIBLE		32u		/* of so many of Mesa's triangles, one has a pixel */
#define DRAWS		8u		/* of shading alone */

/** struct vertex - as attributes; its varyings are four of these */
struct vertex {
	float at[4];
	float colour[4];
};

/* ---- programs ---- */

#define END	"nop; thrend\nnop\nnop\n"

/* Window coordinates of the position in ra0 to ra3. */
#define WINDOW									\
	"mov recip, ra3\nnop\nnop\nfmul r0, ra3, r4\nfsub r0, 2.0, r0\nfmul r3, r4, r0\n" \
	"mov ra10, r3\nfmul r0, ra0, r3\nfmul r0, r0, unif\nftoi r0, r0\n"	\
	"fmul r1, ra1, r3\nfmul r1, r1, unif\nftoi r1, r1\nldi r2, 0xffff\nand r0, r0, r2\n" \
	"shl r1, r1, 8\nshl r1, r1, 8\nor r0, r0, r1\nmov vpm, r0\n"		\
	"fmul r2, ra2, r3\nfmul r2, r2, unif\nfadd r2, r2, unif\nmov vpm, r2\nnop\nmov vpm, ra10\n"

#define POSITION	"mov ra0, vpm\nmov ra1, vpm\nmov ra2, vpm\nmov ra3, vpm\n"
#define COLOUR		"mov ra4, vpm\nmov ra5, vpm\nmov ra6, vpm\nmov ra7, vpm\n"

/* To length 1: registers x, y, z of a file. */
#define NORMALISE(x, y, z)							\
	"fmul r0, " x ", " x "\nfmul r1, " y ", " y "\nfadd r0, r0, r1\n"	\
	"fmul r1, " z ", " z "\nfadd rsqrt, r0, r1\nnop\nnop\n"			\
	"fmul " x ", " x ", r4\nfmul " y ", " y ", r4\nfmul " z ", " z ", r4\n"

/* Dot product of the normal and another vector, or 0 if it is negative, to r0. */
#define DOT(x, y, z)								\
	"fmul r0, ra20, " x "\nfmul r1, ra21, " y "\nfadd r0, r0, r1\n"		\
	"fmul r1, ra22, " z "\nfadd r0, r0, r1\nfmax r0, r0, 0.0\n"

static const char coordinate_text[] =
	"ldi vr_setup, 0x00401a00\nldi vw_setup, 0x1a00\nnop\nnop\nnop\n" POSITION
	"nop\nmov vpm, ra0\nmov vpm, ra1\nmov vpm, ra2\nmov vpm, ra3\n" WINDOW END;

static const char plain_text[] =
	"ldi vr_setup, 0x00801a00\nldi vw_setup, 0x1a00\nnop\nnop\nnop\n" POSITION COLOUR WINDOW
	"mov vpm, ra4\nmov vpm, ra5\n" END;

/* Normal ra20 to ra22, direction of the light rb23 to rb25, half vector rb26 to rb28. */
static const char lit_text[] =
	"ldi vr_setup, 0x00801a00\nldi vw_setup, 0x1a00\nnop\nnop\nnop\n" POSITION COLOUR WINDOW
	"ldi r2, 0.25\nfadd ra20, ra4, r2\nfadd ra21, ra5, r2\nfadd ra22, ra6, r2\n"
	"fsub rb23, unif, ra0\nfsub rb24, unif, ra1\nfsub rb25, unif, ra2\n"
	NORMALISE("ra20", "ra21", "ra22") NORMALISE("rb23", "rb24", "rb25")
	"mov rb26, rb23\nmov rb27, rb24\nmov r0, rb25\nfadd rb28, r0, 1.0\nnop\n"
	NORMALISE("rb26", "rb27", "rb28") "nop\n"
	DOT("rb26", "rb27", "rb28") "mov log, r0\nldi r1, 16.0\nnop\nfmul exp, r4, r1\nnop\nnop\n"
	"mov r2, r4\n" DOT("rb23", "rb24", "rb25") "mov rb29, r0\nnop\n"
	"fmul r0, ra4, rb29\nfadd vpm, r0, r2\nfmul r0, ra5, rb29\nfadd vpm, r0, r2\n"
	"fmul r0, ra6, rb29\nfadd vpm, r0, r2\nmov r0, 1.0\nmov vpm, r0\n" END;

/* Mesa 22.3.6, of the light in selftests/gles/bench.c: vertex program, coordinate program. */
static const char mesa_lit_text[] =
	"ldi vr_setup, -.always, 0x00701a00\nmov ra17, vpm\nmov rb17, vpm\nmov rb18, vpm\n"
	"fsub ra21, unif, rb17\nfsub rb19, unif, rb18\nfsub ra19, rb32, ra17\n"
	"fmax rb14, ra21, ra21; fmul r1, ra21, ra21\nmov rb9, vpm; fmul r0, rb19, rb19\n"
	"fadd r0, r0, r1; fmul r1, ra19, ra19\nfadd ra13, r0, r1; mov r2, vpm\n"
	"mov rb52, rb9; mov r0, vpm\nmov r1, vpm\nfadd ra20, r0, 0.25\nfadd rb20, r1, 0.25\n"
	"nop; fmul ra0, ra20, ra20\nnop; fmul r3, rb20, rb20\nfadd ra6, r3, ra0; fmul r3, rb9, r4\n"
	"fsub r3, 2.0, r3\nfadd ra18, r2, 0.25\nmov recipsqrt, ra13; fmul ra16, r4, r3\n"
	"nop; fmul r3, ra18, ra18\nfadd rb12, ra6, r3\nnop; fmul r3, r4, r4\n"
	"nop; fmul ra8, ra13, r3\nnop; fmul r3, ra17, rb32\nnop; fmul r3, r3, ra16\n"
	"ftoi ra2.16a, r3; fmul rb2, rb17, unif\nnop; fmul r3, 0.5, ra8\nnop; fmul ra3, rb2, ra16\n"
	"fsub r3, unif, r3\nmov recipsqrt, rb12; fmul ra9, r4, r3\nftoi ra2.16b, ra3\n"
	"ldi vw_setup, -.always, 0x00001a00\nnop; fmul r3, rb18, unif\nnop; fmul rb15, rb19, ra9\n"
	"mov vpm, ra2\nmov ra14, rb15; fmul r3, r3, ra16\nfadd vpm, r3, unif; fmul r3, r4, r4\n"
	"nop; fmul rb13, rb14, ra9\nfadd ra15, ra14, 1.0\nmov vpm, ra16; fmul rb8, rb12, r3\n"
	"nop; fmul rb0, rb13, rb13\nnop; fmul r3, ra15, ra15\nor ra14, 0.5, 0.5\nfadd rb4, r3, rb0\n"
	"fmax rb14, ra19, ra19\nnop; fmul r3, ra14, rb8\nfsub r3, unif, r3\nnop; fmul rb16, rb14, ra9\n"
	"fmax rb14, ra20, ra20; fmul ra5, r4, r3\nnop; fmul r3, rb16, rb16\nfadd rb5, rb4, r3\n"
	"nop; fmul ra10, rb14, ra5\nfmax rb14, ra18, ra18; mov recipsqrt, rb5\n"
	"nop; fmul ra11, rb20, ra5\nnop; fmul ra12, rb14, ra5\n"
	"fmax rb14, ra15, ra15; fmul r3, r4, r4\nnop; fmul r3, rb5, r3\nnop; fmul r3, 0.5, r3\n"
	"fsub r3, unif, r3\nnop; fmul ra7, r4, r3\nnop; fmul rb10, ra11, rb15\n"
	"nop; fmul r3, rb13, ra7\nnop; fmul rb7, ra10, r3\nnop; fmul r3, rb14, ra7\n"
	"nop; fmul rb3, ra11, r3\nnop; fmul r3, rb16, ra7\nmov ra14, rb3\nnop; fmul ra1, ra12, r3\n"
	"fadd r3, ra14, rb7\nfadd r3, r3, ra1; mov ra14, rb10\nfmax r3, r3, 0\n"
	"mov log, r3; fmul rb11, ra10, rb13\nnop; fmul rb6, ra12, rb16\nfadd r3, ra14, rb11\n"
	"fadd r3, r3, rb6\nfmax ra4, r3, 0\nnop; fmul r3, r4, 16.0\nmov exp, r3; fmul r2, r2, ra4\n"
	"nop; fmul r3, r0, ra4\nnop; fmul r0, r1, ra4\nfadd vpm, r2, r4\nfadd vpm, r3, r4\n"
	"fadd vpm, r0, r4\nnop; thrend\nnop\nnop\n";

static const char mesa_coordinate_text[] =
	"ldi vr_setup, -.always, 0x00401a00\nmov r3, vpm\nmov r2, vpm\nmov ra1, vpm\n"
	"ldi vw_setup, -.always, 0x00001a00\nmov vpm, r3; mov r0, vpm\nmov vpm, r2; mov recip, r0\n"
	"mov vpm, ra1; fmul r2, r2, rb32\nmov vpm, r0\nnop; fmul r0, r0, r4\nfsub r1, 2.0, r0\n"
	"nop; fmul rb0, r4, r1\nnop; fmul r0, r3, unif\nnop; fmul r1, r0, rb0\n"
	"ftoi ra0.16a, r1; fmul r3, r2, rb0\nftoi ra0.16b, r3; fmul r2, ra1, rb32\n"
	"nop; fmul r3, r2, rb0\nmov vpm, ra0\nfadd vpm, r3, unif\nmov vpm, rb0\nnop; thrend\n"
	"nop\nnop\n";

#define START		".stage fragment\nnop\nnop\nnop; sbwait\nldi r3, 0\n"
#define VARYING		"fmul r0, vary, ra15\nfadd r0, r0, r5\n"
#define COMPONENT(shift)							\
	VARYING "fmax r0, r0, 0.0\nfmin r0, r0, 1.0\nldi r1, 255.0\nfmul r0, r0, r1\n" \
	"fadd r0, r0, 0.5\nftoi r0, r0\nldi r1, " shift "\nshl r0, r0, r1\nor r3, r3, r0\n"

static const char colour_text[] =
	START COMPONENT("0") COMPONENT("8") COMPONENT("16") COMPONENT("24") "mov tlbc, r3\n" END;

static const char opaque_text[] =
	START COMPONENT("0") COMPONENT("8") COMPONENT("16")
	"ldi r1, 0xff000000\nor tlbc, r3, r1\n" END;

/* Texel times alpha plus pixel times the rest. */
static const char blend_text[] =
	START VARYING "mov ra16, r0\n" VARYING "mov t0t, r0\nmov t0s, ra16\nnop; ldtmu0\n"
	"v8muld r0, r4, unif\nnop; loadc\nv8muld r1, r4, unif\nv8adds tlbc, r0, r1\n" END;

/* ---- memory ---- */

static void put(struct bench_qpu *b, uint32_t at, uint32_t word)
{
	memcpy(b->start + at, &word, 4);
}

static void put_float(struct bench_qpu *b, uint32_t at, float f)
{
	memcpy(b->start + at, &f, 4);
}

/* A program that so many threads execute. */
static int put_program(struct bench_qpu *b, uint32_t at, const char *text, uint32_t threads)
{
	struct vshader_binary *bin;
	struct vshader_source src;
	int ret;

	ret = vshader_assemble(DRM_VSHADER_ENGINE_QPU, text, strlen(text), b->w->name, &bin);
	if (ret)
		return ret;
	vshader_binary_source(bin, 0, &src);
	if (4 * src.num_words[0] <= CODE_BYTES)
		memcpy(b->start + at, src.words[0], 4 * (size_t)src.num_words[0]);
	else
		ret = -E2BIG;
	bench_qpu_count(b, src.words[0], 0, src.num_words[0] / 2, threads);
	vshader_binary_free(bin);
	return ret;
}

static uint32_t put_bytes(struct bench_qpu *b, uint32_t at, const void *p, uint32_t n)
{
	memcpy(b->start + at, p, n);
	return at + n;
}

static uint32_t float_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return bits;
}

/** struct packet - value of a packet, and its bytes */
struct packet {
	uint32_t value;
	uint32_t bytes;
};

static uint32_t put_packets(struct bench_qpu *b, uint32_t at, const struct packet *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		at = put_bytes(b, at, &p[i].value, p[i].bytes);
	return at;
}

/* Packets of a bin list before its draws. Return: their end. */
static uint32_t put_state(struct bench_qpu *b, uint32_t at)
{
	const uint32_t half = float_bits(8 * SIDE), z = float_bits(0.5f);
	const uint32_t centre = 8 * SIDE << 16 | 8 * SIDE, size = SIDE << 16 | SIDE;
	const struct packet list[] = {
		{ 0x70, 1 }, { BENCH_QPU_BASE + TILES_AT, 4 }, { TILES_BYTES, 4 }, { 0, 4 },
		{ 4 << 16 | SIDE / 64 << 8 | SIDE / 64, 3 }, { 0x06, 1 }, { 0x1238, 2 },
		{ 0x66, 1 }, { 0, 4 }, { size, 4 }, { 0x02700360, 4 }, { 0x65, 1 }, { 0, 4 },
		{ 0x69, 1 }, { half, 4 }, { half, 4 }, { 0x6a, 1 }, { z, 4 }, { z, 4 },
		{ 0x67, 1 }, { centre, 4 }, { 0x61, 1 }, { 0, 4 },
	};

	return put_packets(b, at, list, sizeof(list) / sizeof(list[0]));
}

/* The words at @words are the list from @at to @end. */
static struct drm_vshader_native_job bin_job(struct bench_qpu *b, uint32_t words, uint32_t at,
					     uint32_t end)
{
	put(b, words, BENCH_QPU_BASE + at);
	put(b, words + 4, BENCH_QPU_BASE + end);
	return (struct drm_vshader_native_job){ .format = DRM_VSHADER_NATIVE_VC4_BIN,
						.va = BENCH_QPU_BASE + words, .size = 8 };
}

static void count_events(struct drm_vshader_native_job *job)
{
	job->output_va = BENCH_QPU_BASE + COUNTS_AT;
	job->output_size = COUNTS_BYTES;
}

/* A bin list with an array of triangles, and the words of both jobs. */
static void put_list(struct bench_qpu *b, uint32_t vertices)
{
	const uint32_t tiles = BENCH_QPU_BASE + TILES_AT, record = (BENCH_QPU_BASE + RECORD_AT) | 2;
	const uint32_t size = SIDE << 16 | SIDE;
	const struct packet draw[] = {
		{ 0x40, 1 }, { record, 4 }, { 0x0421, 2 }, { vertices, 4 }, { 0, 4 }, { 0x0407, 2 },
	};
	/* a description: clear, one linear surface */
	const uint32_t render[22] = {
		1, size, (SIDE / 64 - 1) << 24 | (SIDE / 64 - 1) << 16, 1, 0, 0, 0, 0,
		tiles, SIDE / 64, [12] = BENCH_QPU_BASE + COLOUR_AT, [13] = 4,
	};
	uint32_t i;

	b->job[0] = bin_job(b, WORDS_AT, LIST_AT,
			    put_packets(b, put_state(b, LIST_AT), draw,
					sizeof(draw) / sizeof(draw[0])));
	put_bytes(b, WORDS_AT + 8, render, sizeof(render));
	b->job[1] = (struct drm_vshader_native_job){ .format = DRM_VSHADER_NATIVE_VC4_RENDER,
						     .va = BENCH_QPU_BASE + WORDS_AT + 8,
						     .size = sizeof(render) };
	b->num_jobs = 2;
	b->num_timed = 2;
	for (i = 0; i < b->num_jobs; i++)
		count_events(&b->job[i]);
}

static void put_record(struct bench_qpu *b, uint32_t varyings)
{
	const uint32_t code = BENCH_QPU_BASE, unif = BENCH_QPU_BASE + UNIF_AT;
	uint32_t at = RECORD_AT, i;

	put(b, at, 5 | varyings << 24);
	put(b, at + 4, code + FS_AT);
	put(b, at + 8, unif + 64);
	put(b, at + 12, 3 << 16 | 32 << 24);
	put(b, at + 16, code + VS_AT);
	put(b, at + 20, unif);
	put(b, at + 24, 1 << 16 | 16 << 24);
	put(b, at + 28, code + CS_AT);
	put(b, at + 32, unif);
	for (i = 0; i < 2; i++) {
		put(b, at + 36 + 8 * i, BENCH_QPU_BASE + VERTEX_AT + 16 * i);
		put(b, at + 40 + 8 * i, 15 | sizeof(struct vertex) << 8 | 16 * i << 16 |
				       16 * i << 24);
	}
	for (i = 0; i < 4; i++)
		put_float(b, UNIF_AT + 4 * i, i < 2 ? 8 * SIDE : 0.5f);
}

/* @quads: of all triangles; threads have four, and none has fewer */
static int put_draw(struct bench_qpu *b, const char *cs, const char *vs, const char *fs,
		    uint32_t varyings, uint32_t vertices, uint32_t quads)
{
	uint32_t batches = (vertices + BATCH - 1) / BATCH;
	int ret;

	put_record(b, varyings);
	put_list(b, vertices);
	ret = put_program(b, CS_AT, cs, batches);
	if (!ret)
		ret = put_program(b, VS_AT, vs, batches);
	return ret ? ret : put_program(b, FS_AT, fs, quads / 4);
}

static void put_vertex(struct bench_qpu *b, uint32_t i, const struct vertex *v)
{
	memcpy(b->start + VERTEX_AT + i * sizeof(*v), v, sizeof(*v));
}

/* ---- q5: vertices ---- */

static const float light[3] = { 0.25f, 0.75f, 1 };

/* A quad has one of the pixels. */
static void place_of(uint32_t triangle, uint32_t *x, uint32_t *y)
{
	*x = triangle % (SIDE / 2) * 2;
	*y = triangle / (SIDE / 2) * 2;
}

static void colour_of(uint32_t triangle, float colour[4])
{
	uint32_t k;

	for (k = 0; k < 3; k++)
		colour[k] = (float)(triangle >> (3 * k) & 7) / 8;
	colour[3] = 1;
}

/* Of @visible triangles one has a pixel, the others are beside its middle. */
static void put_triangles(struct bench_qpu *b, uint32_t visible)
{
	/* in 1/16; whose box has no middle is in no tile's list, and its vertices are not shaded */
	static const uint8_t around[3][2] = { { 3, 3 }, { 15, 4 }, { 4, 15 } };
	static const uint8_t beside[3][2] = { { 3, 3 }, { 12, 3 }, { 3, 12 } };
	const uint8_t (*corner)[2];
	struct vertex v = { .at = { 0, 0, 0, 1 } };
	uint32_t i, k, x, y;

	for (i = 0; i < TRIANGLES; i++) {
		place_of(i, &x, &y);
		colour_of(i, v.colour);
		corner = i % visible ? beside : around;
		for (k = 0; k < 3; k++) {
			v.at[0] = (float)(16 * x + corner[k][0]) / (8 * SIDE) - 1;
			v.at[1] = (float)(16 * y + corner[k][1]) / (8 * SIDE) - 1;
			put_vertex(b, 3 * i + k, &v);
		}
	}
}

static int make_vertices(struct bench_qpu *b)
{
	uint32_t k;

	put_triangles(b, 1);
	for (k = 0; k < 3; k++)
		put_float(b, UNIF_AT + 16 + 4 * k, light[k]);
	return put_draw(b, coordinate_text, lit_text, colour_text, 4, 3 * TRIANGLES, TRIANGLES);
}

static void normalise(double v[3])
{
	double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	int k;

	for (k = 0; k < 3; k++)
		v[k] /= length;
}

static double dot(const double a[3], const double b[3])
{
	double d = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

	return d > 0 ? d : 0;
}

/* As the pixel's middle is lit. */
static void light_pixel(uint32_t triangle, uint8_t out[4])
{
	double n[3], l[3], h[3], at[3] = { 0 }, v;
	uint32_t x, y, k;
	float colour[4];

	place_of(triangle, &x, &y);
	colour_of(triangle, colour);
	at[0] = (x + 0.5) * 2 / SIDE - 1;
	at[1] = (y + 0.5) * 2 / SIDE - 1;
	for (k = 0; k < 3; k++) {
		n[k] = colour[k] + 0.25;
		l[k] = light[k] - at[k];
	}
	normalise(n);
	normalise(l);
	memcpy(h, l, sizeof(h));
	h[2] += 1;
	normalise(h);
	for (k = 0; k < 3; k++) {
		v = colour[k] * dot(n, l) + pow(dot(n, h), 16);
		out[k] = (uint8_t)((v > 1 ? 1 : v) * 255 + 0.5);
	}
	out[3] = 255;
}

/* Have all instructions been executed, and is no byte more than @most apart from @want? */
static bool is_near(const struct bench_qpu *b, const uint8_t *want, int most, char *how,
		    size_t size)
{
	int worst = 0, apart;
	uint64_t cycles;
	uint32_t i;

	memcpy(&cycles, b->mem + COUNTS_AT + 8 * CYCLES, sizeof(cycles));
	if (cycles != 4 * b->counts.insns) {
		snprintf(how, size, "wrong: %llu instructions", (unsigned long long)cycles / 4);
		return false;
	}
	for (i = 0; i < 4 * SIDE * SIDE; i++) {
		apart = abs(b->mem[COLOUR_AT + i] - want[i]);
		worst = apart > worst ? apart : worst;
	}
	snprintf(how, size, "%sat most %d of 255 from C", worst > most ? "wrong: " : "", worst);
	return worst <= most;
}

static bool verify_triangles(const struct bench_qpu *b, uint32_t visible, char *how, size_t size)
{
	uint8_t *want = calloc(4 * SIDE, SIDE);
	uint32_t i, x, y;
	bool ok;

	if (!want)
		return false;
	for (i = 0; i < TRIANGLES; i += visible) {
		place_of(i, &x, &y);
		light_pixel(i, want + 4 * (y * SIDE + x));
	}
	ok = is_near(b, want, 2, how, size);
	free(want);
	return ok;
}

static bool verify_vertices(const struct bench_qpu *b, char *how, size_t size)
{
	return verify_triangles(b, 1, how, size);
}

/* ---- q7: Mesa's programs, q8: its vertex program alone ---- */

static int make_mesa(struct bench_qpu *b)
{
	const float scale = 8 * SIDE;
	const float unif[] = { light[1], light[2], light[0], scale, scale, 1.5f, 0.5f, 0.5f, 1.5f,
			       1.5f };
	const float coordinates[] = { scale, scale, 0.5f, 0.5f };
	int ret;

	put_triangles(b, VISIBLE);
	ret = put_draw(b, mesa_coordinate_text, mesa_lit_text, opaque_text, 3, 3 * TRIANGLES,
		       TRIANGLES / VISIBLE);
	put_bytes(b, UNIF_AT, unif, sizeof(unif));
	put_bytes(b, UNIF_AT + 128, coordinates, sizeof(coordinates));
	put(b, RECORD_AT + 32, BENCH_QPU_BASE + UNIF_AT + 128);
	return ret;
}

/*
 * The vertex program as a coordinate program of points that no tile has, of each batch one: a bin
 * job that shades and does little else. The frame's jobs, which are not timed, show what the
 * program makes.
 */
static int make_shading(struct bench_qpu *b)
{
	const uint32_t record = (BENCH_QPU_BASE + SHADE_RECORD_AT) | 2;
	const uint32_t points = 3 * TRIANGLES / BATCH;
	const struct packet draw[] = {
		{ 0x40, 1 }, { record, 4 }, { 0x1020, 2 }, { points, 4 },
		{ BENCH_QPU_BASE + INDEX_AT, 4 }, { 3 * TRIANGLES - 1, 4 },
	};
	const struct packet last = { 0x0407, 2 };
	uint32_t at = put_state(b, SHADE_LIST_AT), i;
	uint16_t index[3 * TRIANGLES / BATCH];
	struct vshader_binary *bin;
	struct vshader_source src;
	int ret;

	ret = make_mesa(b);
	if (!ret)
		ret = vshader_assemble(DRM_VSHADER_ENGINE_QPU, mesa_lit_text, strlen(mesa_lit_text),
				       b->w->name, &bin);
	if (ret)
		return ret;
	vshader_binary_source(bin, 0, &src);
	memset(&b->counts, 0, sizeof(b->counts));
	bench_qpu_count(b, src.words[0], 0, src.num_words[0] / 2, DRAWS * points);
	vshader_binary_free(bin);
	for (i = 0; i < points; i++)
		index[i] = (uint16_t)(BATCH * i);
	put_bytes(b, INDEX_AT, index, sizeof(index));
	/* no clipping; program, uniforms and attributes of the vertex stage as coordinate stage */
	memcpy(b->start + SHADE_RECORD_AT, b->start + RECORD_AT, 64);
	put(b, SHADE_RECORD_AT, 1 | 3 << 24);
	memcpy(b->start + SHADE_RECORD_AT + 24, b->start + RECORD_AT + 12, 12);
	for (i = 0; i < DRAWS; i++)
		at = put_packets(b, at, draw, sizeof(draw) / sizeof(draw[0]));
	at = put_packets(b, at, &last, 1);
	for (i = 2; i > 0; i--) {
		b->job[i] = b->job[i - 1];
		b->job[i].output_va = 0;
		b->job[i].output_size = 0;
	}
	b->job[0] = bin_job(b, SHADE_WORDS_AT, SHADE_LIST_AT, at);
	count_events(&b->job[0]);
	b->num_jobs = 3;
	b->num_timed = 1;
	return 0;
}

static bool verify_mesa(const struct bench_qpu *b, char *how, size_t size)
{
	return verify_triangles(b, VISIBLE, how, size);
}

/* ---- q6: pixels ---- */

static int make_pixels(struct bench_qpu *b)
{
	/* configuration of the lookup: 32 bits, rows, repeated and filtered; factors */
	const uint32_t unif[4] = { BENCH_QPU_BASE + TEXTURE_AT,
				   1u << 31 | TEXELS << 20 | TEXELS << 8,
				   ALPHA * 0x01010101u, (255 - ALPHA) * 0x01010101u };
	struct vertex v = { .at = { 0, 0, 0, 1 } };
	uint32_t i, layer, seed = 1;

	for (i = 0; i < 4 * TEXELS * TEXELS; i++) {
		seed = seed * 1664525 + 1013904223;
		b->start[TEXTURE_AT + i] = (uint8_t)(seed >> 24);
	}
	for (layer = 0; layer < LAYERS; layer++) {
		/* a triangle around the frame; a texel is two pixels wide; layers are shifted */
		for (i = 0; i < 3; i++) {
			v.at[0] = i == 1 ? 3 : -1;
			v.at[1] = i == 2 ? 3 : -1;
			v.colour[0] = (i == 1 ? 2 : 0) + (float)layer / LAYERS;
			v.colour[1] = i == 2 ? 2 : 0;
			put_vertex(b, 3 * layer + i, &v);
		}
	}
	put_bytes(b, UNIF_AT + 64, unif, sizeof(unif));
	return put_draw(b, coordinate_text, plain_text, blend_text, 2, 3 * LAYERS,
			LAYERS * SIDE * SIDE / 4);
}

/* Component of the texture at a place in texels. */
static double filtered(const uint8_t *texture, double s, double t, uint32_t k)
{
	double x = floor(s - 0.5), y = floor(t - 0.5), fx = s - 0.5 - x, fy = t - 0.5 - y, sum = 0;
	uint32_t i, at;

	for (i = 0; i < 4; i++) {
		at = ((uint32_t)(y + (i >> 1) + TEXELS) % TEXELS) * TEXELS +
		     (uint32_t)(x + (i & 1) + TEXELS) % TEXELS;
		sum += texture[4 * at + k] * (i & 1 ? fx : 1 - fx) * (i & 2 ? fy : 1 - fy);
	}
	return sum;
}

static bool verify_pixels(const struct bench_qpu *b, char *how, size_t size)
{
	uint8_t *want = calloc(4 * SIDE, SIDE);
	uint32_t i, k, layer;
	double v, s, t;
	bool ok;

	if (!want)
		return false;
	for (i = 0; i < SIDE * SIDE; i++) {
		for (k = 0; k < 4; k++) {
			for (v = 0, layer = 0; layer < LAYERS; layer++) {
				s = (i % SIDE + 0.5) / SIDE + (double)layer / LAYERS;
				t = (i / SIDE + 0.5) / SIDE;
				v = v * (255 - ALPHA) / 255 +
				    filtered(b->start + TEXTURE_AT, s * TEXELS, t * TEXELS, k) *
				    ALPHA / 255;
			}
			want[4 * i + k] = (uint8_t)(v + 0.5);
		}
	}
	ok = is_near(b, want, 3, how, size);
	free(want);
	return ok;
}

const struct bench_qpu_workload bench_qpu_draws[BENCH_QPU_DRAWS] = {
	{
		.name = "q5_vertices",
		.text = "6144 lit vertices, triangles of a pixel",
		.make = make_vertices,
		.verify = verify_vertices,
		.out = COLOUR_AT,
		.out_bytes = 4 * SIDE * SIDE,
		.items = 3 * TRIANGLES,
		.item = "vertex",
	},
	{
		.name = "q6_pixels",
		.text = "8 layers of 128 x 128 pixels, a filtered texture, blended",
		.make = make_pixels,
		.verify = verify_pixels,
		.out = COLOUR_AT,
		.out_bytes = 4 * SIDE * SIDE,
		.items = LAYERS * SIDE * SIDE,
		.item = "pixel",
	},
	{
		.name = "q7_mesa_frame",
		.text = "6144 vertices by Mesa's lit program, triangles without pixels",
		.make = make_mesa,
		.verify = verify_mesa,
		.out = COLOUR_AT,
		.out_bytes = 4 * SIDE * SIDE,
		.items = 3 * TRIANGLES,
		.item = "vertex",
	},
	{
		.name = "q8_mesa_shading",
		.text = "49152 vertices by the same program, nothing else",
		.make = make_shading,
		.verify = verify_mesa,
		.out = COLOUR_AT,
		.out_bytes = 4 * SIDE * SIDE,
		.items = 3 * TRIANGLES * DRAWS,
		.item = "vertex",
	},
};
