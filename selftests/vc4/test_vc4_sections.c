// SPDX-License-Identifier: GPL-2.0
/*
 * Worst cases for the length of a job's steps: loads and stores of all buffers, triangles that are
 * clipped, primitives and threads with all varyings, stencil operations on four samples. The weight
 * of a step is bounded; the times of steps are printed.
 */
#include "../include/sections.h"
#include "scene.h"

/* Maximum weight that a tile's clear, an instruction of all QPUs or a step of tiles adds. */
#define OVER	8192
#define VARYINGS 56	/* a vertex has 60 words */

static struct sections_way way;
static struct sections *steps;

static void run(struct vs_job *job)
{
	sections_run(steps, job);
}

static bool no_fault(int ret)
{
	if (ret || sc_fault.kind)
		tap_comment("%d, fault %u at %llx code %u info %x pc %x", ret, sc_fault.kind,
			    (unsigned long long)sc_fault.address, sc_fault.code, sc_fault.info,
			    sc_fault.pc);
	return !ret && !sc_fault.kind;
}

static void job(struct scene *s, bool bin, const char *scene)
{
	const char *part = bin ? "binning" : s->list ? "render list" : "rendering";
	struct sections sec = { .name = part };
	char name[96];
	bool ok = true;

	snprintf(name, sizeof(name), "%s: %s", part, scene);
	/* images of other scenes would be in the dump */
	memset(sc_mem + SC_COLOR, 0, SC_SIZE - SC_COLOR);
	steps = &sec;
	while (sections_again(&sec)) {
		sc_how.dump = sections_first(&way) && sec.runs == 1 ? name : NULL;
		sc_how.simd = way.limits.simd;
		sc_how.slice = way.limits.slice;
		sc_how.dbg = sections_limits(&way)->dbg;
		ok &= no_fault(bin ? sc_bin(s) : sc_render(s));
	}
	sections_show(&sec, &way);
	tap_result(ok, "%s: %s", way.name, part);
	tap_result(sec.weight < SECTIONS_SLICE + OVER, "%s: %s: weight of a step", way.name, part);
}

static void jobs(struct scene *s, const char *name)
{
	tap_comment("%s:", name);
	sc_end(s);
	job(s, true, name);
	job(s, false, name);
	s->list = true;
	job(s, false, name);
	s->list = false;
}

static void rectangle(struct scene *s, float size)
{
	static const float vary[4] = { 0.25, 0.5, 0.75, 1 };
	u32 i, first = s->nvertices;

	for (i = 0; i < 4; i++)
		sc_vertex(s, i & 1 ? size : -size, i & 2 ? size : -size, i & 1 ? 0.5f : -0.5f, 1,
			  vary);
	sc_array(s, 5, first, 4);
}

static void transfers(bool ms, enum sc_layout layout, u32 bytes)
{
	struct scene s;
	char name[64];

	sc_begin(&s, 200, 200, ms);
	s.layout = layout;
	s.bytes = bytes;
	s.zs = true;
	s.load = true;
	s.full = ms;
	snprintf(name, sizeof(name), "loads and stores, layout %u, %u bytes%s", layout, bytes,
		 ms ? ", 4 samples" : "");
	jobs(&s, name);
}

static void stencil(bool ms)
{
	/* both sides with all masks: increment and decrement */
	const u32 uniforms[3] = { 1U << 30 | 1 << 28 | 6 << 25 | 6 << 22 | 7 << 16 | 0x55 << 8 | 5,
				  3U << 30 | 1 << 28 | 7 << 25 | 7 << 22 | 7 << 16 | 0xaa << 8 | 5,
				  0xffffffff };
	struct scene s;
	u32 i;

	sc_begin(&s, 200, 200, ms);
	s.zs = true;
	s.full = ms;
	sc_config(&s, 0x3 | (ms ? 0x40 : 0), 7 << 4 | 0x80, 2);
	sc_state(&s, SC_STENCIL, 4, 5, uniforms, 3);
	for (i = 0; i < 4; i++)
		rectangle(&s, 1.5f);
	jobs(&s, ms ? "stencil, 4 samples" : "stencil");
}

/* Small triangles at the near plane, each cut in two; or nothing is left of them. */
static void clipped(u32 nvary, bool outside)
{
	struct scene s;
	char name[64];
	u32 i;

	sc_begin(&s, 200, 200, false);
	sc_state(&s, SC_VARYING, nvary, 5, NULL, 0);
	for (i = 0; i < 1500; i++) {
		float x = (float)(i % 50) / 25 - 1, y = (float)(i / 50) / 15 - 1;

		sc_vertex(&s, x, y, outside ? -1.5f : -0.5f, 1, NULL);
		sc_vertex(&s, x + 0.03f, y, outside ? -2 : -1.25f, 1, NULL);
		sc_vertex(&s, x, y + 0.03f, outside ? -3 : 2.5f, 1, NULL);
	}
	sc_array(&s, 4, 0, s.nvertices);
	snprintf(name, sizeof(name), "triangles with %u varyings, %s", nvary,
		 outside ? "outside" : "clipped");
	jobs(&s, name);
}

static void varyings(void)
{
	struct scene s;

	sc_begin(&s, 200, 200, false);
	sc_state(&s, SC_VARYING, VARYINGS, 5, NULL, 0);
	rectangle(&s, 1.5f);
	rectangle(&s, 1.5f);
	jobs(&s, "threads with all varyings");
}

int main(void)
{
	sc_how.run = run;
	if (sc_init()) {
		tap_result(false, "programs");
		return tap_done();
	}
	while (sections_next(&way)) {
		transfers(false, SC_RASTER, 4);
		transfers(false, SC_T, 2);
		transfers(true, SC_LT, 4);
		stencil(false);
		stencil(true);
		clipped(4, true);
		clipped(VARYINGS, false);
		varyings();
	}
	return tap_done();
}
