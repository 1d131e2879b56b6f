// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes as Mesa draws them, byte by byte: lists, records, uniforms and programs recorded from
 * Debian's Mesa 22.3.6, compared with llvmpipe's pictures. Recordings have no vertices: those of
 * the test program are known.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../include/tap.h"
#include "scene.h"

#define MAX_LINE	20000

/* Bytes of the hexadecimal words of a line, as they are in memory. */
static u32 hex(const char *text, u8 *to)
{
	u32 n = 0, b;

	for (; *text && *text != '\n'; text++) {
		if (*text == ' ')
			continue;
		if (sscanf(text, "%2x", &b) != 1)
			break;
		to[n++] = (u8)b;
		text++;
	}
	return n;
}

/* ---- jobs as the driver sends them ---- */

#define MAX_HANDLES	64
#define VERTEX_HANDLE	3

/* A recorded program, with what the kernel finds in it. */
static struct program {
	u8 code[4096];
	u32 bytes;
	u32 nuniforms;		/* words */
	u32 nlookups;
	u32 lookup[8];		/* word of the texture's address */
} programs[MAX_HANDLES];

static struct recorded {
	u32 bin_size;
	u32 nrecords;
	u32 clear[4];
	u32 flags;
	u32 nbos;
	u32 bo[16];
	s32 read;
	s32 write;
	s32 zs;
	u8 bin[4096];
	u8 record[4096];
	u8 uniforms[4096];
} job;

static u32 get32(const u8 *p)
{
	u32 v;

	memcpy(&v, p, 4);
	return v;
}

static void put32(u32 at, u32 v)
{
	memcpy(sc_mem + at, &v, 4);
}

/* Where a buffer is. */
static u32 place_of(u32 handle)
{
	return handle == VERTEX_HANDLE ? SC_VERTICES :
	       programs[handle].bytes ? SC_CODE + 0x1000 * handle : SC_COLOR + 0x4000 * handle;
}

/* Uniforms in the order in which the program reads them; lookups have two words each. */
static void walk(struct program *p)
{
	u32 i, k, sig, w[2], ended = 0, count[2] = {}, first[2] = {}, unit;
	u64 insn;

	for (i = 0; i < p->bytes / 8 && ended != 3; i++) {
		memcpy(&insn, p->code + 8 * i, 8);
		sig = insn >> 60;
		w[0] = insn >> 38 & 63;
		w[1] = insn >> 32 & 63;
		for (k = 0; k < 2; k++) {
			if (w[k] < 56)
				continue;
			unit = w[k] >= 60;
			if (!count[unit]++)
				first[unit] = p->nuniforms;
			p->nuniforms++;
			if (w[k] & 3)
				continue;
			p->lookup[p->nlookups++] = first[unit];
			count[unit] = 0;
		}
		if (sig < 14 && ((insn >> 18 & 63) == 32 || ((insn >> 12 & 63) == 32 && sig != 13)))
			p->nuniforms++;
		ended = ended || sig == 3 ? ended + 1 : 0;
	}
}

/* Uniforms of a program out of the stream, to memory. Return: their address. */
static u32 relocate_uniforms(const struct program *p, const u8 **stream, u32 *at)
{
	const u8 *handles = *stream, *values = handles + 4 * p->nlookups;
	u32 va = *at, i;

	memcpy(sc_mem + va, values, 4 * p->nuniforms);
	for (i = 0; i < p->nlookups; i++)
		put32(va + 4 * p->lookup[i], get32(values + 4 * p->lookup[i]) + SC_BASE +
					     place_of(job.bo[get32(handles + 4 * i)]));
	*stream = values + 4 * p->nuniforms;
	*at += (4 * p->nuniforms + 15) & ~15U;
	return SC_BASE + va;
}

/* The kernel's part in a record: addresses of programs, uniforms and attributes. */
static void relocate_record(const u8 **from, u32 nattr, u32 to, const u8 **stream, u32 *uniforms)
{
	static const u8 at[3] = { 4, 16, 28 };
	const u8 *handles = *from, *r = handles + 4 * (3 + nattr);
	u32 i, handle;

	memcpy(sc_mem + to, r, 36 + 8 * nattr);
	for (i = 0; i < 3; i++) {
		handle = job.bo[get32(handles + 4 * i)];
		put32(to + at[i], SC_BASE + place_of(handle));
		put32(to + at[i] + 4, relocate_uniforms(&programs[handle], stream, uniforms));
	}
	for (i = 0; i < nattr; i++)
		put32(to + 36 + 8 * i, get32(r + 36 + 8 * i) + SC_BASE +
				       place_of(job.bo[get32(handles + 4 * (3 + i))]));
	*from = r + 36 + 8 * nattr;
}

/* The bin list without the software's packets, with addresses. Return: its end. */
static u32 relocate_list(void)
{
	const u8 *p = job.bin, *record = job.record, *stream = job.uniforms;
	u32 to = SC_LIST, records = SC_RECORDS, uniforms = SC_UNIFORMS, bytes, indices = 0;

	while (p < job.bin + job.bin_size) {
		if (*p == 0xfe) {
			indices = SC_BASE + place_of(job.bo[get32(p + 1)]);
			p += 9;
			continue;
		}
		bytes = vc4_packet_bytes(*p);
		memcpy(sc_mem + to, p, bytes);
		switch (*p) {
		case VC4_BIN_CONFIG:
			put32(to + 1, SC_BASE + SC_TILES);
			put32(to + 5, SC_TILES_SIZE);
			sc_mem[to + 15] = (sc_mem[to + 15] & 1) | 4;
			break;
		case VC4_GL_STATE:
			put32(to + 1, (SC_BASE + records) | get32(p + 1));
			relocate_record(&record, get32(p + 1) & 7, records, &stream, &uniforms);
			records += 128;
			break;
		case VC4_INDEXED:
			put32(to + 6, get32(p + 6) + indices);
			break;
		}
		to += bytes;
		p += bytes;
	}
	return to;
}

static bool draw_recorded(void)
{
	u32 w[VC4_RENDER_DESC_WORDS] = { VC4_RENDER_DESC, 64 | 64 << 16 }, i;
	u32 *f = w + VC4_RENDER_SURFACES;
	struct scene s;

	for (i = 0; i < MAX_HANDLES; i++)
		if (programs[i].bytes)
			memcpy(sc_mem + place_of(i), programs[i].code, programs[i].bytes);
	s.at = relocate_list();
	if (sc_bin(&s) || sc_fault.kind)
		return false;
	w[VC4_RENDER_FLAGS] = job.flags & 1;
	memcpy(w + VC4_RENDER_COLOR0, job.clear, sizeof(job.clear));
	w[VC4_RENDER_LISTS] = SC_BASE + SC_TILES;
	w[VC4_RENDER_COLUMNS] = 1;
	f[2 * VC4_COLOR_WRITE] = SC_BASE + place_of(job.bo[job.write]);
	f[2 * VC4_COLOR_WRITE + 1] = 0x44;
	if (job.read >= 0) {
		f[2 * VC4_COLOR_READ] = SC_BASE + place_of(job.bo[job.read]);
		f[2 * VC4_COLOR_READ + 1] = 0x11;
	}
	if (job.zs >= 0) {
		f[2 * VC4_ZS_WRITE] = SC_BASE + place_of(job.bo[job.zs]);
		f[2 * VC4_ZS_WRITE + 1] = 0x12;
	}
	return !sc_run(VS_NATIVE_VC4_RENDER, w, VC4_RENDER_DESC_WORDS) && !sc_fault.kind;
}

/* ---- the test program's data ---- */

static const float positions[3][4] = { { -0.8f, -0.8f, 0.1f, 1 }, { 0.8f, -0.8f, 0.5f, 1 },
				       { 0, 0.8f, 0.9f, 1 } };
static const float colours[3][4] = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 } };

/* Bytes of the vertex buffer as the test program has made it, in the order of its scenes. */
static void fill_vertices(void)
{
	static const u32 triangles[] = { 0, 0xe0, 0x1c8, 0x228, 0x318, 0x378 };
	static const float tex[4][4] = { { -0.9f, -0.9f, 0, 1 }, { 0.9f, -0.9f, 0, 1 },
					 { -0.9f, 0.9f, 0, 1 }, { 1.8f, 1.8f, 0, 2 } };
	static const float coords[4][4] = { { 0, 0 }, { 2, 0 }, { 0, 2 }, { 2, 2 } };
	static const float square[4][4] = { { -0.9f, -0.9f, 0, 1 }, { 0.9f, -0.9f, 0, 1 },
					    { -0.9f, 0.9f, 0, 1 }, { 0.9f, 0.9f, 0, 1 } };
	static const float four[4][4] = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 },
					  { 1, 1, 1, 1 } };
	static const u16 index[4] = { 0, 1, 2, 3 };
	/* a cleared rectangle from 2 to 11, fan of vertices of 36 bytes */
	static const u8 corner[4][2] = { { 2, 11 }, { 11, 11 }, { 11, 2 }, { 2, 2 } };
	u8 *v = sc_mem + SC_VERTICES;
	float at[3] = {};
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(triangles); i++) {
		memcpy(v + triangles[i], positions, sizeof(positions));
		memcpy(v + triangles[i] + 0x30, colours, sizeof(colours));
	}
	memcpy(v + 0x60, tex, sizeof(tex));
	memcpy(v + 0xa0, coords, sizeof(coords));
	memcpy(v + 0x140, square, sizeof(square));
	memcpy(v + 0x180, four, sizeof(four));
	memcpy(v + 0x1c0, index, sizeof(index));
	for (i = 0; i < 4; i++) {
		for (k = 0; k < 2; k++)
			at[k] = corner[i][k] / 32.0f - 1;
		memcpy(v + 0x288 + 36 * i, at, sizeof(at));
	}
}

/* The texture of 32 x 32 pixels, in T. */
static void fill_texture(u32 handle)
{
	const struct scene s = { .width = 32, .height = 32, .layout = SC_T };
	u32 x, y, v;

	for (y = 0; y < 32; y++) {
		for (x = 0; x < 32; x++) {
			v = x * 8 | y * 8 << 8 | (((x ^ y) & 4 ? 255U : 0) << 16) | 0xff000000;
			put32(place_of(handle) + sc_offset(&s, 4, x, y), v);
		}
	}
}

/* ---- comparison ---- */

/*
 * Pixels that differ by more than 2 of 255 from llvmpipe's. Return: their number, ~0: no picture.
 */
static u32 compare(const char *corpus, const char *scene, u32 *worst)
{
	const struct scene s = { .width = 64, .height = 64, .layout = SC_T };
	u8 want[64 * 64 * 3];
	u32 x, y, k, d, most, bad = 0, v;
	char name[512];
	FILE *f;

	snprintf(name, sizeof(name), "%s/mesa/images/llvmpipe/img-%s.ppm", corpus, scene);
	f = fopen(name, "r");
	if (!f)
		return ~0U;
	if (fscanf(f, "P6 64 64 255%*c") < 0 || fread(want, 1, sizeof(want), f) != sizeof(want)) {
		fclose(f);
		return ~0U;
	}
	fclose(f);
	*worst = 0;
	for (y = 0; y < 64; y++) {
		for (x = 0; x < 64; x++) {
			v = sc_pixel(&s, place_of(job.bo[job.write]), 4, x, y);
			for (most = 0, k = 0; k < 3; k++) {
				d = (u32)abs((int)(v >> (8 * k) & 255) - (int)want[((63 - y) * 64 +
										    x) * 3 + k]);
				most = d > most ? d : most;
			}
			bad += most > 2;
			*worst = most > *worst ? most : *worst;
		}
	}
	return bad;
}

/* Scenes in the order of their jobs; NULL: compared with the next job's picture. */
static const struct {
	const char *name;
	u32 most;	/* more where the picture is steep and vertices are not on the grid */
} scenes[] = {
	{ "clear", 2 }, { "tri", 2 }, { "tex", 25 }, { "tridepth", 2 }, { "indexed", 2 },
	{ "points", 2 }, { "scissor", 2 }, { NULL, 0 }, { "reload", 2 }, { "blend", 2 },
};

static void end_of_job(const char *corpus, u32 n)
{
	u32 worst = 0, bad;
	bool ok;

	ok = draw_recorded();
	if (!scenes[n].name) {
		tap_result(ok, "[%s] job %u", vs_simd_name(sc_how.simd), n);
		return;
	}
	bad = compare(corpus, scenes[n].name, &worst);
	tap_result(ok && bad != ~0U && worst <= scenes[n].most,
		   "[%s] %s: %u pixels differ by more than 2 of 255, the most by %u",
		   vs_simd_name(sc_how.simd), scenes[n].name, bad, worst);
}

static void begin_job(const char *line)
{
	memset(&job, 0, sizeof(job));
	job.read = -1;
	job.write = -1;
	job.zs = -1;
	if (sscanf(line,
		   "%*s bin %u %*s %*u x%u %*s %*u bos %u %*[^c]clear %x %x z %x s %x flags %x",
		   &job.bin_size, &job.nrecords, &job.nbos, &job.clear[0], &job.clear[1],
		   &job.clear[2], &job.clear[3], &job.flags) != 8)
		tap_comment("not read: %s", line);
}

/* The index of a surface's buffer. */
static void read_index(const char *line, int *index)
{
	static const char name[] = "hindex ";
	const char *at = strstr(line, name);

	*index = at ? atoi(at + strlen(name)) : -1;
}

/* All jobs of the recording. Return: their number. */
static u32 replay(const char *corpus)
{
	static char line[MAX_LINE];
	u32 n = 0, handle = 0, i;
	char *p;
	FILE *f;

	snprintf(line, sizeof(line), "%s/mesa/vc4/ioctl.log", corpus);
	f = fopen(line, "r");
	if (!f)
		return 0;
	memset(programs, 0, sizeof(programs));
	memset(sc_mem, 0, SC_SIZE);
	fill_vertices();
	while (fgets(line, sizeof(line), f)) {
		p = strchr(line, ':');
		if (sscanf(line, "CREATE_SHADER_BO size %*u -> %u", &handle) == 1)
			continue;
		if (!strncmp(line, "SUBMIT_CL", 9)) {
			begin_job(line);
		} else if (strstr(line, "  code (") && handle < MAX_HANDLES) {
			programs[handle].bytes = hex(p + 1, programs[handle].code);
			walk(&programs[handle]);
		} else if (strstr(line, " bos:")) {
			for (i = 0; i < job.nbos && i < 16; i++)
				job.bo[i] = (u32)strtoul(p + 1, &p, 10);
		} else if (strstr(line, " color_read")) {
			read_index(line, &job.read);
		} else if (strstr(line, " color_write")) {
			read_index(line, &job.write);
		} else if (strstr(line, " zs_write")) {
			read_index(line, &job.zs);
		} else if (strstr(line, "  bin_cl (")) {
			hex(p + 1, job.bin);
		} else if (strstr(line, "  shader_rec (")) {
			hex(p + 1, job.record);
		} else if (strstr(line, "  uniforms (")) {
			hex(p + 1, job.uniforms);
			/* the texture */
			if (n == 2)
				fill_texture(job.bo[4]);
			if (n < ARRAY_SIZE(scenes))
				end_of_job(corpus, n);
			n++;
		}
	}
	fclose(f);
	return n;
}

int main(void)
{
	const char *corpus = getenv("VC4_CORPUS");
	u32 i, n;

	if (!corpus || !*corpus) {
		tap_skip("no corpus given", "jobs of Mesa");
		return tap_done();
	}
	if (sc_init())
		return 1;
	for (i = 0; i < VS_NUM_SIMD; i++) {
		if (!(vs_simd_mask() >> i & 1))
			continue;
		sc_how.simd = i;
		n = replay(corpus);
		tap_result(n == ARRAY_SIZE(scenes), "[%s] %u jobs", vs_simd_name(i), n);
	}
	return tap_done();
}
