// SPDX-License-Identifier: GPL-2.0
/*
 * Worst cases for the length of a job's steps: frames with a large program for each draw,
 * large pixel programs, frames of many lists with four samples. The weight of a step is bounded;
 * the times of steps are printed.
 */
#include "../include/scene_dump.h"
#include "../include/sections.h"
#include "frame.h"
#include "gp_gen.h"
#include "native/utgard/utgard_job.h"
#include "pp_gen.h"
#include "scene.h"

#define SLICE	SECTIONS_SLICE
/* Maximum weight that one start of a block, a request or a stretch of micro-ops adds to a slice. */
#define OVER	8192
#define MEMORY	(64ULL << 20)
#define NDRAWS	20	/* of a list */
#define NCOVER	4	/* that cover everything */

static struct sections_way way;

/* Return: the job has ended without a fault. */
static bool run(struct sections *s, struct vs_job *job)
{
	const struct vs_fault *fault;
	bool ok;

	sections_run(s, job);
	fault = vs_job_get_fault(job);
	ok = fault->kind == VS_FAULT_NONE;
	if (!ok)
		tap_comment("fault %u code %x pc %x info %x", fault->kind, fault->code,
			    fault->pc, fault->info);
	vs_job_free(job);
	return ok;
}

static void result(struct sections *s, bool ok)
{
	sections_show(s, &way);
	tap_result(ok, "%s: %s: as expected", way.name, s->name);
	tap_result(s->weight < SLICE + OVER, "%s: %s: weight of a step", way.name, s->name);
}

static bool run_native(struct sections *s, const struct vs_native_in *in)
{
	struct vs_native_state *state = vs_native_state_new(in->format);
	struct vs_fault fault;
	struct vs_native *n;
	struct vs_job *job;
	bool ok = false;

	if (!vs_native_parse(in, state, &n, &fault)) {
		job = vs_job_new(vs_native_map(n), sections_limits(&way), vs_native_phases(n));
		vs_native_add_phases(n, job);
		ok = run(s, job);
		vs_native_free(n);
	}
	vs_native_state_free(state);
	return ok;
}

static void check_native(const char *name, const struct vs_native_in *in)
{
	struct sections s = { .name = name };
	bool ok = true;

	if (sections_first(&way))
		scene_dump(name, in);
	while (sections_again(&s))
		ok &= run_native(&s, in);
	result(&s, ok);
}

/* Every draw has a program of the largest size. */
static void test_frame(void)
{
	static struct frame f;
	struct vs_native_in in = { .format = VS_NATIVE_UTGARD_GP_FRAME, .va = FR_FRAME,
				   .memory = MEMORY, .max_memory = MEMORY,
				   .max_draws = NDRAWS };
	u64 seed = 3;
	u32 i;

	frame_new(&f);
	gen_program(&seed, GEN_INDEXED | GEN_TEMPS | GEN_ALL_REGS, UGP_MAX_INSNS,
		    frame_at(&f, FR_CODE));
	frame_at(&f, FR_LIST)[0] = FR_DATA;
	frame_at(&f, FR_LIST)[1] = 16U << 11 | 3;
	frame_at(&f, FR_LIST)[2] = FR_OUT;
	frame_at(&f, FR_LIST)[3] = 16U << 11 | 3;
	frame_vs(&f, (UGP_MAX_INSNS - 1) << 10, 0x10000040);
	frame_vs(&f, FR_CODE, 0x40000000 | UGP_MAX_INSNS * 16 << 12);
	frame_vs(&f, 0, 0x10000042);
	frame_vs(&f, FR_LIST, 0x20000000 | 1 << 17);
	frame_vs(&f, FR_LIST + 8, 0x20000008 | 1 << 17);
	for (i = 0; i < NDRAWS; i++)
		frame_vs(&f, 64U << 24, 0);
	frame_finish(&f);
	in.map = frame_map(&f);
	check_native("draws with 512 instructions", &in);
	frame_free(&f);
}

/* ---- pixels ---- */

/* Consecutive programs, only the last of which stops. Return: words. */
static u32 long_program(u32 *words, u32 max)
{
	u32 n = 0, first, at, k;
	u64 seed = 5;

	for (k = 0; n + 4096 < max; k++) {
		first = n;
		n += pgen_program(&seed, 0, PGEN_MAX_INSNS, words + n);
		for (at = first; at < n; at += words[at] & 31)
			if (at + (words[at] & 31) >= n)
				words[at] &= ~(1U << 5);
	}
	n += pgen_program(&seed, 0, 2, words + n);
	return n;
}

static void test_pixels(void)
{
	static const u32 entry;
	u32 *words = calloc(UPP_MAX_WORDS, sizeof(*words)), n = long_program(words, 16384);
	const struct vs_src src = { .stage = VS_STAGE_FRAGMENT, .words = { words },
				    .nwords = { n }, .entries = &entry, .nentries = 1 };
	static u8 target[8 * 8 * 4];
	const struct vs_extent ext = { 0x10000, 0x10000 + sizeof(target), target,
				       VS_EXT_WRITE };
	const struct vs_map map = { 1, &ext };
	struct utgard_shader s = { .map = &map, .memory = MEMORY, .max_memory = MEMORY };
	struct vs_log log = {};
	struct vs_reject rej;
	struct sections sec = { .name = "a long pixel program" };
	struct vs_program *prog = NULL;
	struct utgard_job *u;
	struct vs_job *job;
	const char *what = "rejected";
	bool ok;

	if (vs_program_create(vs_isa_by_id(VS_ISA_UTGARD_PP), &src, &rej, &log, &prog))
		tap_comment("rejected: %u at %u", rej.reason, rej.offset);
	s.prog = prog;
	s.frag.prim = MALI_PRIM_RECT;
	s.frag.width = 8;
	s.frag.height = 8;
	s.pp.nrows = 16;
	s.pp.uniforms = 0x10000;
	ok = prog;
	while (ok && sections_again(&sec)) {
		ok = !utgard_shader_new(&s, &what, &u);
		if (!ok)
			break;
		what = "faulted";
		job = vs_job_new(&map, sections_limits(&way), 1);
		utgard_job_add(u, job);
		ok = run(&sec, job);
		utgard_job_free(u);
	}
	if (!ok)
		tap_comment("%s", what);
	result(&sec, ok);
	vs_program_destroy(prog);
	free(words);
}

/* ---- draws ---- */

static void run_frame(struct scene *s, u32 format, u32 va, const char *name)
{
	const struct vs_native_in in = { .format = format, .va = va, .map = frame_map(&s->fr),
					 .memory = MEMORY, .max_memory = MEMORY,
					 .max_draws = NDRAWS };

	check_native(name, &in);
}

/* Draws that cover all tiles, each tile with a list of its own; images of four planes. */
static void test_draws(void)
{
	static struct scene s;
	struct sc_draw *d;
	u32 i, k;

	scene_new(&s);
	scene_begin(&s, 256, 256);
	for (i = 0; i < NCOVER; i++) {
		d = scene_draw(&s, SC_FAN);
		for (k = 0; k < 4; k++)
			scene_vertex(d, (k & 1) ^ (k >> 1) ? 300 : -20, k & 2 ? 300 : -20, .5f, 1);
		scene_color(d, 0, .5f, .5f, .5f, .5f);
		d->word[2] = 0xfc8a2402;
		d->word[3] = 0x31 | 3 << 1;
		d->word[8] |= 13 << 3;
	}
	for (i = 0; i < 2; i++) {
		s.unit[i][7] = 15;
		s.unit[i][8] = 0x10000;
		s.unit[i][4] = 2;
		s.unit[i][5] = 4;
	}
	scene_make(&s);
	run_frame(&s, VS_NATIVE_UTGARD_GP_FRAME, FR_FRAME, "lists of 256 blocks");
	run_frame(&s, VS_NATIVE_UTGARD_PP_FRAME, FR_PP, "tiles with four samples");
	frame_free(&s.fr);
}

int main(void)
{
	while (sections_next(&way)) {
		test_frame();
		test_draws();
		test_pixels();
	}
	return tap_done();
}
