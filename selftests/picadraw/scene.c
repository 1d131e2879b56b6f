// SPDX-License-Identifier: GPL-2.0
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../kernel/isa/pica/pica_launch.h"
#include "../include/tap.h"
#include "scene.h"

#define MAX_VERTICES	8192
#define MAX_SCENES	4096

struct pica_draw_ref REF;

static uint8_t *model_mem;
static float vertex[MAX_VERTICES][24];
static unsigned int nvertices, first;
static uint32_t seed;

/* Results of the first executor: the others must have the same. */
static struct { char name[60]; uint64_t hash; } seen[MAX_SCENES];
static unsigned int nseen;

void sc_seed(uint32_t s)
{
	seed = s;
}

uint32_t sc_random(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

static uint8_t *ref_mem(uint32_t va)
{
	if (va < NAT_MEM_VA || va >= NAT_MEM_VA + NAT_MEM_SIZE - 64)
		return NULL;
	return model_mem + (va - NAT_MEM_VA);
}

static uint32_t packed(float f, int exponent, int mantissa)
{
	int e;
	float m = frexpf(fabsf(f), &e);
	uint32_t sign = f < 0 ? 1u << (exponent + mantissa) : 0;

	if (f == 0)
		return sign;
	return sign | (uint32_t)(e - 1 + (1 << (exponent - 1)) - 1) << mantissa |
	       (uint32_t)((2 * m - 1) * (float)(1 << mantissa));
}

uint32_t sc_f24(float f)
{
	return packed(f, 7, 16);
}

uint32_t sc_f20(float f)
{
	return packed(f, 7, 12);
}

uint32_t sc_f16(float f)
{
	return packed(f, 5, 10);
}

void sc_reg(uint32_t reg, uint32_t value)
{
	cb_write(&CB, reg, value);
	pica_draw_ref_write(&REF, reg, value);
}

void sc_switches(uint32_t switches)
{
	N.switches = switches;
	REF.factors_of_min_max = switches & PICA_SW_FACTORS_OF_MIN_MAX;
	REF.reflections_swapped = switches & PICA_SW_REFLECTIONS_SWAPPED;
	REF.quaternions_as_given = switches & PICA_SW_QUATERNIONS_AS_GIVEN;
	REF.factor_unbounded = switches & PICA_SW_FACTOR_UNBOUNDED;
	REF.shadow_alpha_of_both = switches & PICA_SW_SHADOW_ALPHA_OF_BOTH;
	REF.texels_to_zero = switches & PICA_SW_TEXELS_TO_ZERO;
	REF.clamp_of_both = switches & PICA_SW_CLAMP_OF_BOTH;
}

void sc_combiner(int stage, uint32_t sources, uint32_t operands, uint32_t op)
{
	static const uint32_t base[6] = { 0xc0, 0xc8, 0xd0, 0xd8, 0xf0, 0xf8 };

	sc_reg(base[stage], sources);
	sc_reg(base[stage] + 1, operands);
	sc_reg(base[stage] + 2, op);
}

static void program(void)
{
	static const uint32_t map[6] = { 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c, 0x14131210,
					 0x1f1f1716 };

	nat_passthrough(6);
	cb_write(&CB, R_OUTMAP_TOTAL, 6);
	cb_burst(&CB, R_OUTMAP0, map, 6, true);
	nat_float_arrays(6);
}

void sc_begin(void)
{
	unsigned int i;

	if (!model_mem)
		model_mem = malloc(NAT_MEM_SIZE);
	assert(model_mem);
	memset(&REF, 0, sizeof(REF));
	N.switches = 0;
	REF.mem = ref_mem;
	REF.f24 = true;
	cb_reset(&CB);
	memset(N.mem, 0, NAT_MEM_SIZE);
	vs_native_state_reset(N.state);
	nvertices = 0;
	first = 0;
	seed = 1;
	program();
	sc_reg(0x41, sc_f24(SC_SIDE / 2));
	sc_reg(0x43, sc_f24(SC_SIDE / 2));
	sc_reg(0x4d, sc_f24(-1));
	sc_reg(0x6d, 1);
	sc_reg(0x11e, SC_SIDE | (SC_SIDE - 1) << 12 | 1 << 24);
	sc_reg(0x11d, (NAT_MEM_VA + SC_COLOUR) / 8);
	sc_reg(0x11c, (NAT_MEM_VA + SC_DEPTH) / 8);
	sc_reg(0x112, 0xf);
	sc_reg(0x113, 0xf);
	sc_reg(0x114, 3);
	sc_reg(0x115, 3);
	sc_reg(0x116, 3);
	sc_reg(0x117, 2);
	sc_reg(0x107, 0x1f00);
	sc_reg(0x102, 3);
	for (i = 0; i < 6; i++)
		sc_combiner(i, i ? 0x0fff0fff : 0, 0, 0);
}

void sc_texture(int unit, int format, int w, int h, uint32_t params)
{
	static const uint32_t base[3] = { 0x81, 0x91, 0x99 };
	uint32_t at = SC_TEXTURE + 0x40000 * unit, i;

	for (i = 0; i < 0x40000; i++)
		N.mem[at + i] = sc_random();
	sc_reg(0x80, REF.r[0x80] | 1 << unit);
	sc_reg(base[unit] + 1, w << 16 | h);
	sc_reg(base[unit] + 2, params);
	sc_reg(base[unit] + 3, 0);
	sc_reg(base[unit] + 4, (NAT_MEM_VA + at) / 8);
	sc_reg(unit ? base[unit] + 5 : 0x8e, format);
}

float *sc_vertex(float x, float y, float z, float w, uint32_t rgba)
{
	float *v = vertex[nvertices];
	int i;

	assert(nvertices < MAX_VERTICES);
	if (nvertices > first)
		memcpy(v, vertex[nvertices - 1], sizeof(vertex[0]));
	else
		memset(v, 0, sizeof(vertex[0]));
	nvertices++;
	v[0] = x;
	v[1] = y;
	v[2] = z;
	v[3] = w;
	for (i = 0; i < 4; i++)
		v[SV_COLOUR + i] = (rgba >> (24 - 8 * i) & 255) / 255.0f;
	return v;
}

void sc_rect(float x0, float y0, float x1, float y1, float z, uint32_t rgba)
{
	static const int corner[6] = { 0, 1, 2, 2, 1, 3 };
	int i, k;

	for (i = 0; i < 6; i++) {
		int right = corner[i] & 1, up = corner[i] >> 1;
		float *v = sc_vertex(right ? x1 : x0, up ? y1 : y0, z, 1, rgba);

		for (k = 0; k < 2; k++) {
			v[SV_TC0 + k] = k ? up : right;
			v[SV_TC1 + k] = v[SV_TC0 + k];
			v[SV_TC2 + k] = v[SV_TC0 + k];
		}
		v[SV_QUAT + 3] = 1;
		v[SV_VIEW + 2] = 1;
		v[SV_TC0W] = 1;
	}
}

void sc_quad(float z, uint32_t rgba)
{
	sc_rect(-1, -1, 1, 1, z, rgba);
}

/* Attributes are rounded to 1.7.16 when they are read. */
static void exact(float v[24])
{
	uint32_t bits;
	int i;

	for (i = 0; i < 24; i++) {
		memcpy(&bits, &v[i], 4);
		bits &= ~0x7fu;
		memcpy(&v[i], &bits, 4);
	}
}

/* The order of attributes is that of the output map. */
static void arrange(const float *v, float a[24])
{
	memset(a, 0, 24 * sizeof(a[0]));
	memcpy(a, v, 64);
	a[16] = v[SV_TC0W];
	memcpy(a + 17, v + SV_VIEW, 12);
	memcpy(a + 20, v + SV_TC2, 8);
}

/* Triangles since the last draw. Later, bytes that have been compared with it are the model. */
static void draw_in_model(void)
{
	unsigned int i;

	if (nat_again()) {
		first = nvertices;
		return;
	}
	/* memory that lists do not change so far is the model's, too */
	if (!first)
		memcpy(model_mem, N.mem, NAT_MEM_SIZE);
	for (i = first; i + 2 < nvertices; i += 3)
		pica_draw_ref_triangle(&REF, (const float (*)[24])vertex[i]);
	first = nvertices;
}

void sc_draw(void)
{
	unsigned int i;
	float a[24];

	for (i = first; i < nvertices; i++) {
		exact(vertex[i]);
		arrange(vertex[i], a);
		nat_put_floats(SC_VERTICES + 96 * i, a, 24);
	}
	cb_write(&CB, R_NUMVERTS, nvertices - first);
	cb_write(&CB, R_VERTEX_OFFSET, first);
	cb_write(&CB, R_DRAW_ARRAYS, 1);
	draw_in_model();
}

void sc_draw_immediate(void)
{
	unsigned int i, k;
	uint32_t w[3];
	float a[24];

	cb_write(&CB, R_FIXED_INDEX, 0xf);
	for (i = first; i < nvertices; i++) {
		exact(vertex[i]);
		arrange(vertex[i], a);
		for (k = 0; k < 24; k += 4) {
			cb_pack24(a + k, w);
			cb_burst(&CB, R_FIXED_DATA, w, 3, k & 4);
		}
	}
	draw_in_model();
}

bool sc_run(void)
{
	return nat_run(&N, &CB);
}

static uint64_t hash_of(void)
{
	uint64_t h = 0xcbf29ce484222325ULL, w;
	unsigned int i;

	/* a product's high bits depend on all lower ones */
	for (i = SC_COLOUR; i < SC_TEXTURE; i += sizeof(w)) {
		memcpy(&w, N.mem + i, sizeof(w));
		h = (h ^ h >> 32 ^ w) * 0x9e3779b97f4a7c15ULL;
	}
	return h;
}

uint32_t sc_sum(void)
{
	return (uint32_t)hash_of();
}

/*
 * Every executor, two workers and a debugged run give the bytes that have been compared with the
 * model in the first round.
 */
static bool same_as_before(const char *name)
{
	uint64_t h = hash_of();
	unsigned int i;

	for (i = 0; i < nseen; i++) {
		if (!strcmp(seen[i].name, name))
			return seen[i].hash == h;
	}
	assert(!nat_again());
	assert(nseen < MAX_SCENES && strlen(name) < sizeof(seen[0].name));
	strcpy(seen[nseen].name, name);
	seen[nseen++].hash = h;
	return true;
}

/* Of 24 bits of depth the last ones depend on the order of operations. */
static unsigned int depth_apart(unsigned int i, int tolerance)
{
	uint32_t a, b;
	int d;

	if ((REF.r[0x116] & 3) != 3 || !tolerance)
		return abs(N.mem[i] - model_mem[i]);
	i &= ~3u;
	memcpy(&a, N.mem + i, 4);
	memcpy(&b, model_mem + i, 4);
	d = (int)(a & 0xffffff) - (int)(b & 0xffffff);
	return a >> 24 != b >> 24 || abs(d) > 64 ? 256 : 0;
}

void sc_check(const char *name, int tolerance)
{
	sc_check_most(name, tolerance, 0);
}

void sc_check_most(const char *name, int tolerance, unsigned int outliers)
{
	unsigned int i, differ = 0, worst = 0, at = 0, changed = 0, d;
	bool ok = sc_run(), same = same_as_before(name);

	if (nat_again()) {
		tap_result(ok && same, "%s: %s", nat_simd(), name);
		if (!ok || !same)
			tap_comment("ran %d fault %u at %#llx, as before %d", ok, N.fault.kind,
				    (unsigned long long)N.fault.address, same);
		return;
	}
	for (i = SC_COLOUR; i < SC_TEXTURE; i++) {
		d = i < SC_DEPTH ? (unsigned int)abs(N.mem[i] - model_mem[i]) :
				   depth_apart(i, tolerance);
		changed += !!N.mem[i];
		if (d <= (unsigned int)tolerance)
			continue;
		if (!differ++)
			at = i;
		worst = d > worst ? d : worst;
	}
	tap_result(ok && same && differ <= outliers && changed, "%s: %s", nat_simd(), name);
	if (!ok || !same || differ > outliers || !changed) {
		tap_comment("ran %d fault %u at %#llx, as before %d", ok, N.fault.kind,
			    (unsigned long long)N.fault.address, same);
		tap_comment("%u bytes differ, first %#x: %u, not %u; at most %u", differ, at,
			    N.mem[at], model_mem[at], worst);
	}
}

uint32_t sc_rgba(int x, int y)
{
	uint32_t n = pica_draw_ref_place(x, SC_SIDE - 1 - y, SC_SIDE);
	uint32_t v;

	memcpy(&v, N.mem + SC_COLOUR + 4 * n, 4);
	return v;
}

void sc_pixel(int x, int y, int c[4])
{
	uint32_t v = sc_rgba(x, y);
	int i;

	for (i = 0; i < 4; i++)
		c[i] = v >> (24 - 8 * i) & 255;
}

uint32_t sc_zs(int x, int y)
{
	uint32_t n = pica_draw_ref_place(x, SC_SIDE - 1 - y, SC_SIDE);
	uint32_t v;

	memcpy(&v, N.mem + SC_DEPTH + 4 * n, 4);
	return v;
}
