// SPDX-License-Identifier: GPL-2.0
/*
 * Captured draws of Midgard: vertex jobs and fragment programs as works of the engine, on
 * every executor; then with the programs that were compiled for the T760. Pixels are compared
 * with the corpus's and with the reference model's.
 *
 * usage: test_mali_mgdraw [--corpus DIR]
 */
#include "../include/tap.h"
#include "../ref/midgard_ref.h"
#include "mgjob.h"

#define OFF_PRIMITIVE	40
#define OFF_DRAW	64
#define OFF_SIZES	184
#define BLEND_PROGRAM	0x2

static bool replace(struct mrf *g, u64 chain, const struct setup *s, const char *stage)
{
	u64 draw = mcase_draw(g, chain, !strcmp(stage, "frag"));
	struct mprog from = { 0 }, to = { 0 };
	bool ok;

	ok = !mcase_prog(&from, s->dir, CAPTURED, s->name, stage) &&
	     !mcase_prog(&to, s->dir, OTHER, s->name, stage) &&
	     !mcase_replace(g, draw, &from, &to);
	mcase_prog_free(&from);
	mcase_prog_free(&to);
	return ok;
}

/* The T760 has no kinds of bundles that end in a write: a blend program for it, too. */
static bool plain_blend(struct mrf *g, u64 chain)
{
	u8 *p = mrf_at(g, mcase_draw(g, chain, true) + 56, 8);
	u64 va, at;
	u32 tag = 0;

	if (!p)
		return false;
	memcpy(&at, p, 8);
	p = mrf_at(g, at + 64, 16);
	if (!p || !(p[0] & BLEND_PROGRAM))
		return p;
	memcpy(&va, p + 8, 8);
	if ((va & 15) >= 12)
		p[8] -= 4;
	for (at = va & ~15ULL; tag != 1; at += 16 * ((p[0] & 15) < 8 ? 1 : (p[0] & 3) + 1)) {
		p = mrf_at(g, at, 16);
		if (!p)
			return false;
		tag = p[0] >> 4;
		if ((p[0] & 15) >= 12)
			p[0] -= 4;
		if (tag >= 12)
			p[0] -= 4 << 4;
	}
	return true;
}

static bool load(const struct setup *s, struct mrf *g, uint64_t *chain)
{
	memset(g, 0, sizeof(*g));
	g->arch = 5;
	g->budget = 20000000;
	return !mcase_clear_color(5, s->dir, CAPTURED, s->name, &g->clear) &&
	       !mcase_capture(g, s->dir, CAPTURED, s->name, 0, chain) &&
	       (!s->other || (replace(g, *chain, s, "vert") && replace(g, *chain, s, "frag") &&
			      plain_blend(g, *chain)));
}

/* ---- descriptors ---- */

/**
 * struct draw - A captured draw.
 * @b:		machine
 * @map:	memory
 * @gpu:	of the programs
 * @job:	tiler job
 * @points:	points, else triangles
 * @n:		vertices
 * @prog:	fragment program as an object, or NULL
 * @chain:	owner of the parsed descriptors
 * @fault:	fault of the last run
 */
struct draw {
	struct bench *b;
	const struct vs_map *map;
	u32 gpu;
	u64 job;
	bool points;
	u32 n;
	struct vs_program *prog;
	struct mali_chain chain;
	struct vs_fault fault;
};

/* Resources and program of the fragments. */
static bool read_draw(struct draw *d, struct mali_work *w)
{
	u64 dcd = d->job + OFF_DRAW, state = mg_r64(d->map, dcd + 56);
	u32 counts = mg_r32(d->map, state + 8), props = mg_r32(d->map, state + 16);
	struct mali_reject why = {};
	struct mali_parser p = { .c = &d->chain, .arch = mali_arch_info(MALI_V5), .why = &why };
	struct mali_launch *l = calloc(1, sizeof(*l));
	const struct mali_tables t = {
		.ubos = mg_r64(d->map, dcd + 24), .textures = mg_r64(d->map, dcd + 32),
		.samplers = mg_r64(d->map, dcd + 40), .push = mg_r64(d->map, dcd + 48),
		.attr_bufs = mg_r64(d->map, dcd + 64), .attrs = mg_r64(d->map, dcd + 72),
		.varying_bufs = mg_r64(d->map, dcd + 80), .varyings = mg_r64(d->map, dcd + 88),
		.nubos = props & 0xff, .npush = (props >> 21 & 31) * 4,
		.nattrs = mg_r32(d->map, state + 12) & 0xffff,
		.nvaryings = mg_r32(d->map, state + 12) >> 16, .ntextures = counts >> 16,
		.nsamplers = counts & 0xffff,
	};
	bool ok = !mali_read_tables(&p, &t, l);

	if (!ok)
		tap_comment("tables: %s, %s", mali_reason_text(why.reason), why.field);
	l->prog.va = mg_r64(d->map, state) & ~15ULL;
	l->prog.tag = mg_r64(d->map, state) & 15;
	l->prog.work_regs = props >> 16 & 31;
	l->prog.fp_mode = props >> 29;
	l->prog.uniforms = t.npush;
	l->instance_size = 1;
	l->offset_start = mg_r32(d->map, dcd + 4);
	work_of(l, MALI_V5, d->gpu, MALI_STAGE_FRAGMENT, w);
	free(l);
	return ok;
}

/* ---- fragments ---- */

static float real(u32 bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

/* Is the primitive back-facing? Computed with y pointing down. */
static bool shows_back(const struct draw *d, const struct mali_frag *f)
{
	bool ccw = mg_r32(d->map, d->job + OFF_DRAW) >> 5 & 1;
	double x0 = real(f->vertex[0][0]), y0 = real(f->vertex[0][1]);
	double area = (real(f->vertex[1][0]) - x0) * (real(f->vertex[2][1]) - y0) -
		      (real(f->vertex[1][1]) - y0) * (real(f->vertex[2][0]) - x0);

	return !d->points && (area < 0) != ccw;
}

/* Halves, one for each point. */
static u32 point_size(struct draw *d, u32 i)
{
	u16 half = 0;
	u32 e;

	vs_map_read(d->map, mg_r64(d->map, d->job + OFF_SIZES) + 2 * i, &half, 2);
	e = half >> 10 & 31;
	return e ? (e + 112) << 23 | (half & 0x3ff) << 13 : 0;
}

static void set_target(struct draw *d, u64 state, struct mrf *g, struct mali_frag *f)
{
	f->ntargets = 1;
	/* RGBA8, components in order */
	f->target[0] = (struct mali_target){ DRAW_FB, 4 * g->width, PX_LINEAR,
					     187 << 12 | 0x688 };
	vs_map_read(d->map, state + 64, &f->blend[0], sizeof(f->blend[0]));
	/* it stores integers as they are: R32I */
	if (f->blend[0].flags & BLEND_PROGRAM)
		f->target[0].format = 197 << 12 | 0x688;
}

static bool shader_job(struct draw *d, const struct mali_frag *f)
{
	struct mali_shader s;
	int error;

	mg_shader_of(d->map, d->job + OFF_DRAW, d->prog, d->gpu, &s);
	s.frag = *f;
	return run_shader(&s, d->b->simd, &error, &d->fault);
}

static bool fragments(struct draw *d, struct mrf *g)
{
	u64 dcd = d->job + OFF_DRAW, state = mg_r64(d->map, dcd + 56);
	u64 positions = mg_r64(d->map, dcd + 16);
	u32 i, k, j, per = d->points ? 1 : 3, misc = mg_r32(d->map, state + 32);
	struct mali_frag f = {
		.width = g->width, .height = g->height, .provoking = 2,
		.prim = d->points ? MALI_PRIM_POINT : MALI_PRIM_TRIANGLE,
		.depth = { DRAW_DEPTH, 4 * g->width, PX_LINEAR, 167 << 12 | 0x688 },
		.depth_func = misc >> 24 & 7,
	};
	struct mali_work w;

	set_target(d, state, g, &f);
	if ((mg_r32(d->map, state + 16) >> 8 & 3) == 3)
		f.flags |= MALI_FRAG_SHADER_Z | MALI_FRAG_DEPTH_TEST |
			   (misc >> 27 & 1 ? MALI_FRAG_DEPTH_WRITE : 0);
	if (!read_draw(d, &w))
		return false;
	w.frag = &f;
	for (i = 0; i + per <= d->n; i += per) {
		f.primitive = i / per;
		for (k = 0; k < per; k++) {
			f.index[k] = i + k;
			for (j = 0; j < 4; j++)
				f.vertex[k][j] = mg_r32(d->map, positions + 16 * (i + k) + 4 * j);
		}
		f.flags &= ~MALI_FRAG_BACK;
		f.flags |= shows_back(d, &f) ? MALI_FRAG_BACK : 0;
		if (d->points)
			f.point_size = point_size(d, i);
		if (d->prog ? !shader_job(d, &f) : !bench_work(d->b, &w, &d->fault))
			return false;
	}
	return true;
}

static bool draw(struct draw *d, struct mrf *g, u64 va)
{
	u32 prim, max, i;

	for (d->job = va; d->job; d->job = mg_r64(d->map, d->job + 24))
		if ((mg_r32(d->map, d->job + 16) >> 1 & 127) == MALI_JOB_TILER)
			break;
	prim = mg_r32(d->map, d->job + OFF_PRIMITIVE);
	d->n = mg_r32(d->map, d->job + OFF_PRIMITIVE + 12) + 1;
	d->points = (prim & 255) == 1;
	max = mg_r32(d->map, mg_r64(d->map, d->job + OFF_DRAW + 96) + 28);
	g->width = (max & 0xffff) + 1;
	g->height = (max >> 16) + 1;
	if (!d->job || ((prim & 255) != 8 && !d->points) || prim >> 8 & 7 || d->n > 256 ||
	    g->width > MRF_FB_MAX || g->height > MRF_FB_MAX)
		return false;
	for (i = 0; i < MRF_FB_MAX * MRF_FB_MAX; i++) {
		g->fb[i] = g->clear;
		g->depth[i] = 1;
	}
	return bench_vertex_jobs(d->b, d->map, MALI_V5, va, d->gpu, &d->fault) && fragments(d, g);
}

/* ---- runs ---- */

static bool execute(const struct setup *s, struct mrf *g, char *why, size_t size)
{
	struct draw d = { .gpu = s->other ? MALI_T760 : MALI_T860 };
	struct space space;
	uint64_t chain;
	struct mprog p = { 0 };
	struct bench b;
	bool ok;

	if (!load(s, g, &chain) ||
	    (s->shader && mcase_prog(&p, s->dir, s->other ? OTHER : CAPTURED, s->name, "frag"))) {
		snprintf(why, size, "%s", mcase_error());
		return false;
	}
	space_of(&space, g);
	space_add(&space, DRAW_FB, g->fb, sizeof(g->fb));
	space_add(&space, DRAW_DEPTH, g->depth, sizeof(g->depth));
	bench_new(&b, &space.map, s->simd);
	d.b = &b;
	d.map = &space.map;
	d.chain.arch = MALI_V5;
	d.chain.tlb.map = &space.map;
	d.chain.limits.max_memory = 1 << 24;
	if (s->shader)
		d.prog = mg_program_of(&p, VS_STAGE_FRAGMENT);
	mcase_prog_free(&p);
	ok = (d.prog || !s->shader) && draw(&d, g, chain);
	vs_program_destroy(d.prog);
	if (!ok)
		mg_fault_text(&d.fault, why, size);
	mali_free_blocks(&d.chain);
	bench_free(&b);
	return ok;
}

/* Pixels that the reference model has otherwise; ~0: it does not know the draw. */
static u32 against_reference(const struct setup *s, const struct mrf *g)
{
	static struct mrf like;
	uint64_t chain;
	u32 n = ~0U;

	if (load(s, &like, &chain) && mgr_run(&like, chain))
		n = mcase_pixels(g, &like);
	mrf_free(&like);
	return n;
}

/* The corpus decides: bytes are at most one step off; the reference model is a hint. */
static bool run(const struct setup *s)
{
	const char *how = s->shader ? ", fragments as shader jobs" : "";
	const char *what = s->other ? "programs of " OTHER : CAPTURED;
	static struct mrf g;
	struct mresult res = {};
	char why[256] = "";
	u32 differ;
	bool ok;

	ok = execute(s, &g, why, sizeof(why)) &&
	     !mcase_compare(&g, s->dir, CAPTURED, s->name, &res);
	if (!ok) {
		tap_result(false, "%s, %s%s, %s: %s", s->name, what, how, vs_simd_name(s->simd),
			   *why ? why : mcase_error());
	} else {
		differ = against_reference(s, &g);
		ok = res.words && res.byte <= 1;
		tap_result(ok, "%s, %s%s, %s: %u words, %u differ, %u in a byte; reference: %d",
			   s->name, what, how, vs_simd_name(s->simd), res.words, res.differing,
			   res.byte, (int)differ);
	}
	mrf_free(&g);
	return ok;
}

static bool wanted(const char *name)
{
	return *name == 'f';
}

int main(int argc, char **argv)
{
	static const struct mg_cases cases = { "draws", wanted, run };

	return mg_run_cases(&cases, argc, argv);
}
