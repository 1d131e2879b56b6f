// SPDX-License-Identifier: GPL-2.0
/* Scenes: lists, programs, jobs. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "../include/scene_dump.h"
#include "../include/tap.h"
#include "../ref/worker.h"
#include "scene.h"
#include "vshader.h"
#include "vshader_drm.h"

u8 *sc_mem;
struct vs_fault sc_fault;
struct sc_how sc_how = { .threads = 1, .budget = 1ULL << 40, .slice = 3000 };

/* ---- programs ---- */

#define END "nop; thrend\nnop\nnop\n"

/* Position of the vertex, clip coordinates in ra0 to ra3. */
#define WINDOW								\
	"mov recip, ra3\nnop\nnop\n"					\
	"fmul r0, ra3, r4\nfsub r0, 2.0, r0\nfmul r3, r4, r0\n"		\
	"mov ra10, r3\n"						\
	"fmul r0, ra0, r3\nfmul r0, r0, unif\nftoi r0, r0\n"		\
	"fmul r1, ra1, r3\nfmul r1, r1, unif\nftoi r1, r1\n"		\
	"ldi r2, 0xffff\nand r0, r0, r2\nshl r1, r1, 8\nshl r1, r1, 8\nor r0, r0, r1\n" \
	"mov vpm, r0\n"							\
	"fmul r2, ra2, r3\nfmul r2, r2, unif\nfadd r2, r2, unif\nmov vpm, r2\n" \
	"nop\nmov vpm, ra10\n"

#define POSITION							\
	"mov ra0, vpm\nmov ra1, vpm\nmov ra2, vpm\nmov ra3, vpm\n"

/* Results do not share rows with attributes: row 6 is written before it is read. */
static const char vertex_text[] =
	"ldi vr_setup, 0x00801a00\nldi vw_setup, 0x1a06\nnop\nnop\nnop\n" POSITION
	"mov vpm, ra0\nldi vw_setup, 0x1a00\n"
	"mov ra4, vpm\nmov ra5, vpm\nmov ra6, vpm\nmov ra7, vpm\n" WINDOW
	"mov vpm, ra4\nmov vpm, ra5\nmov vpm, ra6\nmov vpm, ra7\n" END;

static const char coordinate_text[] =
	"ldi vr_setup, 0x00401a00\nldi vw_setup, 0x1a00\nnop\nnop\nnop\n" POSITION
	"nop\nmov vpm, ra0\nmov vpm, ra1\nmov vpm, ra2\nmov vpm, ra3\n" WINDOW END;

/* The same with the fourth varying as the size of a point. */
static const char point_vertex_text[] =
	"ldi vr_setup, 0x00801a00\nldi vw_setup, 0x1a00\nnop\nnop\nnop\n" POSITION
	"mov ra4, vpm\nmov ra5, vpm\nmov ra6, vpm\nmov ra7, vpm\n" WINDOW
	"mov vpm, ra7\nmov vpm, ra4\nmov vpm, ra5\nmov vpm, ra6\nmov vpm, ra7\n" END;

static const char point_coordinate_text[] =
	"ldi vr_setup, 0x00801a00\nldi vw_setup, 0x1a00\nnop\nnop\nnop\n" POSITION
	"mov ra4, vpm\nmov ra5, vpm\nmov ra6, vpm\nmov ra7, vpm\n"
	"mov vpm, ra0\nmov vpm, ra1\nmov vpm, ra2\nmov vpm, ra3\n" WINDOW "mov vpm, ra7\n" END;

/* Clamp r0 to 0..1, and put its 8 bits to r3, shifted. */
#define COMPONENT(shift)						\
	"fmax r0, r0, 0.0\nfmin r0, r0, 1.0\nldi r1, 255.0\nfmul r0, r0, r1\n" \
	"fadd r0, r0, 0.5\nftoi r0, r0\n" shift "or r3, r3, r0\n"
#define VARYING		"fmul r0, vary, ra15\nfadd r0, r0, r5\n"
#define BYTE(n)		"ldi r1, " #n "\nshl r0, r0, r1\n"
#define ADD_SAMPLE	"nop; loadc\nadd tlbm, r4, ra0\n"
#define START		".stage fragment\nnop\nnop\nnop; sbwait\nldi r3, 0\n"

static const char *const fragment_text[SC_NUM_PROGRAMS] = {
	[SC_VARYING] = START VARYING COMPONENT("") VARYING COMPONENT(BYTE(8))
		VARYING COMPONENT(BYTE(16)) VARYING COMPONENT(BYTE(24)) "mov tlbc, r3\n" END,
	[SC_UNIFORM] = START "mov tlbc, unif\n" END,
	[SC_DEPTH] = START "mov tlbz, rb15\nmov tlbc, unif\n" END,
	[SC_STENCIL] = START "mov stencil, unif\nmov stencil, unif\nmov tlbz, rb15\n"
		"mov tlbc, unif\n" END,
	[SC_PLACE] = START "mov r0, y_coord\nshl r0, r0, 8\nshl r0, r0, 8\nmov r1, x_coord\n"
		"or tlbc, r0, r1\n" END,
	[SC_ADD] = START "mov ra0, unif\n" ADD_SAMPLE ADD_SAMPLE ADD_SAMPLE ADD_SAMPLE END,
	[SC_FACE] = START "mov r0, rev_flag\nor tlbc, r0, unif\n" END,
	[SC_POINT] = START VARYING COMPONENT("") VARYING COMPONENT(BYTE(8)) "mov tlbc, r3\n" END,
	[SC_LINE] = START VARYING COMPONENT("") "mov tlbc, r3\n" END,
	[SC_MASK] = START "mov tlbc, ms_mask\n" END,
};

enum { VS, CS, POINT_VS, POINT_CS, NUM_VERTEX };

static const char *const vertex_texts[NUM_VERTEX] = {
	[VS] = vertex_text, [CS] = coordinate_text, [POINT_VS] = point_vertex_text,
	[POINT_CS] = point_coordinate_text,
};

struct code {
	u32 bytes;
	u32 words[1024];
	u32 va;
};

static struct code vertex_code[NUM_VERTEX], fragment_code[SC_NUM_PROGRAMS];

static int assemble(const char *text, struct code *c)
{
	struct vshader_binary *bin;
	struct vshader_source src;
	int ret;

	ret = vshader_assemble(DRM_VSHADER_ENGINE_QPU, text, strlen(text), "program", &bin);
	if (ret) {
		tap_comment("%s", vshader_error());
		return ret;
	}
	vshader_binary_source(bin, 0, &src);
	c->bytes = src.num_words[0] * 4;
	if (c->bytes > sizeof(c->words))
		abort();
	memcpy(c->words, src.words[0], c->bytes);
	vshader_binary_free(bin);
	return 0;
}

int sc_init(void)
{
	u32 i;
	int ret = 0;

	sc_mem = calloc(1, SC_SIZE);
	if (!sc_mem)
		return -1;
	for (i = 0; i < NUM_VERTEX && !ret; i++)
		ret = assemble(vertex_texts[i], &vertex_code[i]);
	for (i = 0; i < SC_NUM_PROGRAMS && !ret; i++)
		ret = assemble(fragment_text[i], &fragment_code[i]);
	return ret;
}

/* ---- lists ---- */

static void put(u32 at, const void *p, u32 bytes)
{
	if (at + bytes > SC_SIZE)
		abort();
	if (bytes)
		memcpy(sc_mem + at, p, bytes);
}

static void put32(u32 at, u32 v)
{
	put(at, &v, 4);
}

void sc_8(struct scene *s, u32 v)
{
	sc_mem[s->at++] = (u8)v;
}

void sc_16(struct scene *s, u32 v)
{
	sc_8(s, v);
	sc_8(s, v >> 8);
}

void sc_32(struct scene *s, u32 v)
{
	sc_16(s, v);
	sc_16(s, v >> 16);
}

void sc_float(struct scene *s, float v)
{
	u32 bits;

	memcpy(&bits, &v, 4);
	sc_32(s, bits);
}

void sc_config(struct scene *s, u32 b0, u32 b1, u32 b2)
{
	sc_8(s, VC4_CONFIG);
	sc_8(s, b0);
	sc_8(s, b1);
	sc_8(s, b2);
}

void sc_window(struct scene *s, u32 x, u32 y, u32 w, u32 h)
{
	sc_8(s, VC4_CLIP_WINDOW);
	sc_16(s, x);
	sc_16(s, y);
	sc_16(s, w);
	sc_16(s, h);
}

static u32 load_code(struct scene *s, struct code *c)
{
	if (!c->va) {
		put(s->code, c->words, c->bytes);
		c->va = SC_BASE + s->code;
		s->code += (c->bytes + 63) & ~63U;
	}
	return c->va;
}

static u32 columns(const struct scene *s)
{
	u32 side = s->ms ? 32 : 64;

	return (s->width + side - 1) / side;
}

static u32 rows(const struct scene *s)
{
	u32 side = s->ms ? 32 : 64;

	return (s->height + side - 1) / side;
}

void sc_begin(struct scene *s, u32 width, u32 height, bool ms)
{
	u32 i;

	*s = (struct scene){ .width = width, .height = height, .ms = ms, .at = SC_LIST,
			     .records = SC_RECORDS, .uniforms = SC_UNIFORMS, .code = SC_CODE,
			     .bytes = 4, .layout = SC_T, .tiles = SC_TILES_SIZE };
	for (i = 0; i < NUM_VERTEX; i++)
		vertex_code[i].va = 0;
	for (i = 0; i < SC_NUM_PROGRAMS; i++)
		fragment_code[i].va = 0;
	memset(sc_mem + SC_COLOR, 0xcc, SC_SIZE - SC_COLOR);
	sc_8(s, VC4_BIN_CONFIG);
	sc_32(s, SC_BASE + SC_TILES);
	sc_32(s, s->tiles);
	sc_32(s, SC_BASE + SC_MORE);
	sc_8(s, columns(s));
	sc_8(s, rows(s));
	sc_8(s, 4 | ms);
	sc_8(s, VC4_START_BINNING);
	sc_8(s, VC4_LIST_FORMAT);
	sc_8(s, 0x12);
	sc_window(s, 0, 0, width, height);
	sc_config(s, 0x03 | (ms ? 0x40 : 0), 0x70, 0x02);
	sc_8(s, VC4_DEPTH_OFFSET);
	sc_32(s, 0);
	sc_8(s, VC4_POINT_SIZE);
	sc_float(s, 1);
	sc_8(s, VC4_LINE_WIDTH);
	sc_float(s, 1);
	sc_8(s, VC4_XY_SCALE);
	sc_float(s, 8.0f * width);
	sc_float(s, 8.0f * height);
	sc_8(s, VC4_Z_SCALE);
	sc_float(s, 0.5f);
	sc_float(s, 0.5f);
	sc_8(s, VC4_VIEWPORT);
	sc_16(s, 8 * width);
	sc_16(s, 8 * height);
	sc_8(s, VC4_FLAT);
	sc_32(s, 0);
}

static u32 add_uniforms(struct scene *s, const void *p, u32 n)
{
	u32 va = SC_BASE + s->uniforms;

	put(s->uniforms, p, 4 * n);
	s->uniforms += (4 * n + 15) & ~15U;
	return va;
}

void sc_state(struct scene *s, enum sc_program fs, u32 nvary, u32 flags, const u32 *uniforms, u32 n)
{
	const float view[4] = { 8.0f * s->width, 8.0f * s->height, 0.5f, 0.5f };
	u32 at = s->records, i, sized = flags & 2;

	memset(sc_mem + at, 0, 64);
	sc_mem[at] = (u8)flags;
	sc_mem[at + 3] = (u8)nvary;
	put32(at + 4, load_code(s, &fragment_code[fs]));
	put32(at + 8, add_uniforms(s, uniforms, n));
	sc_mem[at + 14] = 3;
	sc_mem[at + 15] = 32;
	put32(at + 16, load_code(s, &vertex_code[sized ? POINT_VS : VS]));
	put32(at + 20, add_uniforms(s, view, 4));
	sc_mem[at + 26] = sized ? 3 : 1;
	sc_mem[at + 27] = sized ? 32 : 16;
	put32(at + 28, load_code(s, &vertex_code[sized ? POINT_CS : CS]));
	put32(at + 32, add_uniforms(s, view, 4));
	for (i = 0; i < 2; i++) {
		put32(at + 36 + 8 * i, SC_BASE + SC_VERTICES + 16 * i);
		sc_mem[at + 40 + 8 * i] = 15;
		sc_mem[at + 41 + 8 * i] = sizeof(struct sc_vertex);
		sc_mem[at + 42 + 8 * i] = (u8)(16 * i);
		sc_mem[at + 43 + 8 * i] = (u8)(16 * i);
	}
	sc_8(s, VC4_GL_STATE);
	sc_32(s, (SC_BASE + at) | 2);
	s->records += 64;
}

u32 sc_vertex(struct scene *s, float x, float y, float z, float w, const float vary[4])
{
	struct sc_vertex v = { .at = { x, y, z, w } };

	if (vary)
		memcpy(v.vary, vary, sizeof(v.vary));
	put(SC_VERTICES + s->nvertices * sizeof(v), &v, sizeof(v));
	return s->nvertices++;
}

void sc_array(struct scene *s, u32 mode, u32 first, u32 count)
{
	sc_8(s, VC4_ARRAY);
	sc_8(s, mode);
	sc_32(s, count);
	sc_32(s, first);
}

void sc_indexed(struct scene *s, u32 mode, const u16 *index, u32 count, bool bytes)
{
	u32 i, max = 0;

	sc_8(s, VC4_INDEXED);
	sc_8(s, mode | (bytes ? 0 : 0x10));
	sc_32(s, count);
	sc_32(s, SC_BASE + SC_INDICES + s->nindices);
	for (i = 0; i < count; i++) {
		put(SC_INDICES + s->nindices, &index[i], bytes ? 1 : 2);
		s->nindices += bytes ? 1 : 2;
		max = index[i] > max ? index[i] : max;
	}
	s->nindices = (s->nindices + 3) & ~3U;
	sc_32(s, max);
}

void sc_end(struct scene *s)
{
	sc_8(s, VC4_INCREMENT_SEMAPHORE);
	sc_8(s, VC4_FLUSH);
}

/* ---- jobs ---- */

struct crew {
	struct vs_job *job;
	bool done;
};

static void *work(void *arg)
{
	struct crew *c = arg;
	struct vs_worker *w = used_worker(c->job);

	while (!READ_ONCE(c->done)) {
		switch (vs_job_step(c->job, w)) {
		case VS_RUN_DONE:
			WRITE_ONCE(c->done, true);
			break;
		case VS_RUN_IDLE:
			sched_yield();
			break;
		default:
			break;
		}
	}
	leave_worker(w);
	return NULL;
}

static void run_crew(struct vs_job *job)
{
	struct crew c = { .job = job };
	pthread_t t[8];
	u32 i, n = sc_how.threads;

	for (i = 0; i < n; i++)
		if (pthread_create(&t[i], NULL, work, &c))
			abort();
	for (i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

int sc_run(u32 format, const u32 *words, u32 n)
{
	struct vs_extent ext = { SC_BASE, SC_BASE + SC_SIZE, sc_mem, VS_EXT_WRITE | VS_EXT_EXEC };
	struct vs_map map = { .n = 1, .ext = &ext };
	struct vs_native_in in = { .format = format, .words = words, .nwords = n, .map = &map,
				   .max_memory = 64 << 20, .output_va = sc_how.counters,
				   .output_size = sc_how.counter_bytes };
	struct vs_native_state *state = vs_native_state_new(format);
	struct vs_job_limits lim = { .budget = sc_how.budget, .simd = sc_how.simd,
				     .slice = sc_how.slice, .dbg = sc_how.dbg };
	struct vs_native *native = NULL;
	struct vs_job *job;
	int ret;

	if (sc_how.dump)
		scene_dump(sc_how.dump, &in);
	ret = vs_native_parse(&in, state, &native, &sc_fault);
	vs_native_state_free(state);
	if (ret)
		return ret;
	job = vs_job_new(vs_native_map(native), &lim, vs_native_phases(native));
	if (!job || vs_native_add_phases(native, job))
		abort();
	if (sc_how.run)
		sc_how.run(job);
	else
		run_crew(job);
	sc_fault = *vs_job_get_fault(job);
	vs_job_free(job);
	vs_native_free(native);
	return 0;
}

int sc_bin(struct scene *s)
{
	u32 w[] = { SC_BASE + SC_LIST, SC_BASE + s->at, SC_BASE + SC_MORE, SC_MORE_SIZE };

	return sc_run(VS_NATIVE_VC4_BIN, w, ARRAY_SIZE(w));
}

void sc_describe(const struct scene *s, u32 w[VC4_RENDER_DESC_WORDS])
{
	u32 general = 1 | s->layout << 4 | (s->bytes == 2 ? 0x200 : 0);
	u32 *f = w + VC4_RENDER_SURFACES;

	memset(w, 0, 4 * VC4_RENDER_DESC_WORDS);
	w[VC4_RENDER_KIND] = VC4_RENDER_DESC;
	w[VC4_RENDER_SIZE] = s->width | s->height << 16;
	w[VC4_RENDER_TILES] = (columns(s) - 1) << 16 | (rows(s) - 1) << 24;
	w[VC4_RENDER_FLAGS] = (s->load ? 0 : VC4_RENDER_CLEAR) | (s->ms ? VC4_RENDER_MS : 0);
	memcpy(w + VC4_RENDER_COLOR0, s->clear, sizeof(s->clear));
	w[VC4_RENDER_LISTS] = SC_BASE + SC_TILES;
	w[VC4_RENDER_COLUMNS] = columns(s);
	f[2 * VC4_COLOR_WRITE] = SC_BASE + SC_COLOR;
	f[2 * VC4_COLOR_WRITE + 1] = s->layout << 6 | (s->bytes == 2 ? 2 << 2 : 1 << 2) |
				     (s->ms ? 0x11 : 0);
	if (s->zs) {
		f[2 * VC4_ZS_WRITE] = SC_BASE + SC_ZS;
		f[2 * VC4_ZS_WRITE + 1] = 2 | s->layout << 4;
	}
	if (s->full) {
		f[2 * VC4_MSAA_COLOR_WRITE] = SC_BASE + SC_FULL_COLOR;
		f[2 * VC4_MSAA_ZS_WRITE] = SC_BASE + SC_FULL_ZS;
	}
	if (!s->load)
		return;
	f[2 * VC4_COLOR_READ] = SC_BASE + (s->full ? SC_FULL_COLOR : SC_COLOR);
	f[2 * VC4_COLOR_READ + 1] = s->full ? VC4_FULL_RES : general;
	if (s->zs) {
		f[2 * VC4_ZS_READ] = SC_BASE + (s->full ? SC_FULL_ZS : SC_ZS);
		f[2 * VC4_ZS_READ + 1] = s->full ? VC4_FULL_RES : 2 | s->layout << 4;
	}
}

static void access(struct scene *r, u32 op, u32 bits, u32 va)
{
	sc_8(r, op);
	if (op != VC4_STORE_FULL && op != VC4_LOAD_FULL)
		sc_16(r, bits);
	sc_32(r, va);
}

static void tile(struct scene *r, u32 x, u32 y)
{
	sc_8(r, VC4_TILE);
	sc_8(r, x);
	sc_8(r, y);
}

#define NO_CLEARS	0xe000

u32 sc_render_list(const struct scene *s)
{
	u32 general = 1 | s->layout << 4 | (s->bytes == 2 ? 0x200 : 0), x, y;
	struct scene list = { .at = SC_RCL }, *r = &list;
	bool last, first = true;

	sc_8(r, VC4_RENDER_CONFIG);
	sc_32(r, SC_BASE + SC_COLOR);
	sc_16(r, s->width);
	sc_16(r, s->height);
	sc_16(r, s->layout << 6 | (s->bytes == 2 ? 2 << 2 : 1 << 2) | (s->ms ? 0x11 : 0));
	if (!s->load) {
		sc_8(r, VC4_CLEAR_COLORS);
		sc_32(r, s->clear[0]);
		sc_32(r, s->clear[1]);
		sc_32(r, s->clear[2]);
		sc_8(r, s->clear[3]);
		tile(r, 0, 0);
		access(r, VC4_STORE_GENERAL, 0, 0);
	}
	for (y = 0; y < rows(s); y++) {
		for (x = 0; x < columns(s); x++) {
			last = x + 1 == columns(s) && y + 1 == rows(s);
			if (s->load) {
				tile(r, x, y);
				access(r, s->full ? VC4_LOAD_FULL : VC4_LOAD_GENERAL, general,
				       SC_BASE + (s->full ? SC_FULL_COLOR | 2 : SC_COLOR));
				tile(r, x, y);
				access(r, VC4_STORE_GENERAL, NO_CLEARS, 0);
				if (s->zs)
					access(r, s->full ? VC4_LOAD_FULL : VC4_LOAD_GENERAL,
					       2 | s->layout << 4,
					       SC_BASE + (s->full ? SC_FULL_ZS | 1 : SC_ZS));
			}
			tile(r, x, y);
			if (first)
				sc_8(r, VC4_WAIT_SEMAPHORE);
			first = false;
			sc_8(r, VC4_BRANCH_SUB);
			sc_32(r, SC_BASE + SC_TILES + 32 * (y * columns(s) + x));
			if (s->full) {
				access(r, VC4_STORE_FULL, 0, SC_BASE + SC_FULL_COLOR + 6);
				tile(r, x, y);
				access(r, VC4_STORE_FULL, 0, SC_BASE + SC_FULL_ZS + 5);
				tile(r, x, y);
			}
			if (s->zs) {
				access(r, VC4_STORE_GENERAL, 2 | s->layout << 4 | NO_CLEARS,
				       SC_BASE + SC_ZS);
				tile(r, x, y);
			}
			sc_8(r, last ? VC4_STORE_MS_EOF : VC4_STORE_MS);
		}
	}
	return r->at;
}

int sc_render(struct scene *s)
{
	u32 w[VC4_RENDER_DESC_WORDS];

	if (!s->list) {
		sc_describe(s, w);
		return sc_run(VS_NATIVE_VC4_RENDER, w, VC4_RENDER_DESC_WORDS);
	}
	w[VC4_RENDER_KIND] = VC4_RENDER_CL;
	w[VC4_RENDER_ZERO] = 0;
	w[VC4_RENDER_START] = SC_BASE + SC_RCL;
	w[VC4_RENDER_END] = SC_BASE + sc_render_list(s);
	return sc_run(VS_NATIVE_VC4_RENDER, w, VC4_RENDER_LIST_WORDS);
}

bool sc_draw(struct scene *s)
{
	int ret;

	ret = sc_bin(s);
	if (!ret && !sc_fault.kind)
		ret = sc_render(s);
	if (ret || sc_fault.kind)
		tap_comment("%d, fault %u at %llx size %u code %u info %x pc %x draw %u", ret,
			    sc_fault.kind, (unsigned long long)sc_fault.address, sc_fault.size,
			    sc_fault.code, sc_fault.info, sc_fault.pc, sc_fault.draw);
	return !ret && !sc_fault.kind;
}

/* ---- images: a model of their orders ---- */

u32 sc_offset(const struct scene *s, u32 bytes, u32 x, u32 y)
{
	static const u32 even[4] = { 0, 3, 1, 2 }, odd[4] = { 2, 1, 3, 0 };
	u32 uw = bytes == 4 ? 4 : 8, uh = 4, align = s->layout == SC_T ? 8 * uw : uw;
	u32 width = (s->width + align - 1) / align * align;
	u32 ux = x / uw, uy = y / uh, in = (y % uh * uw + x % uw) * bytes, tx, ty, tiles, sub;

	if (s->layout == SC_RASTER)
		return (y * width + x) * bytes;
	if (s->layout == SC_LT)
		return (uy * (width / uw) + ux) * 64 + in;
	tx = ux / 8;
	ty = uy / 8;
	tiles = width / uw / 8;
	if (ty & 1)
		tx = tiles - 1 - tx;
	sub = (uy >> 2 & 1) * 2 + (ux >> 2 & 1);
	return 4096 * (ty * tiles + tx) + 1024 * (ty & 1 ? odd : even)[sub] +
	       ((uy & 3) * 4 + (ux & 3)) * 64 + in;
}

u32 sc_pixel(const struct scene *s, u32 image, u32 bytes, u32 x, u32 y)
{
	u32 v = 0;

	memcpy(&v, sc_mem + image + sc_offset(s, bytes, x, y), bytes);
	return v;
}

u32 sc_sample(const struct scene *s, u32 image, u32 x, u32 y, u32 sample)
{
	u32 at = 16384 * (y / 32 * ((s->width + 31) / 32) + x / 32), v;

	x %= 32;
	y %= 32;
	at += 32 * (x & ~1U) + 512 * (y & ~1U) + (sample << 4 | (y & 1) << 3 | (x & 1) << 2);
	memcpy(&v, sc_mem + image + at, 4);
	return v;
}
