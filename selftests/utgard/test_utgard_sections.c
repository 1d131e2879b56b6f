// SPDX-License-Identifier: GPL-2.0
/*
 * Worst cases for the length of a job's steps: frames with a large program for each draw,
 * large pixel programs, a texture per lane. The weight of a step is bounded; the times of
 * steps are printed.
 */
#include "../include/sections.h"
#include "frame.h"
#include "gp_gen.h"
#include "native/utgard/utgard_job.h"
#include "pp_gen.h"

#define SLICE	SECTIONS_SLICE
/* Maximum weight that one start of a block, a request or a stretch of micro-ops adds to a slice. */
#define OVER	8192
#define MEMORY	(64ULL << 20)
#define NDRAWS	20

static void run(const char *name, struct vs_job *job, u32 kind)
{
	struct sections s = { .name = name };
	const struct vs_fault *fault;

	sections_run(&s, job);
	fault = vs_job_get_fault(job);
	if (fault->kind != kind)
		tap_comment("fault %u code %x pc %x info %x", fault->kind, fault->code,
			    fault->pc, fault->info);
	tap_result(fault->kind == kind, "%s: as expected", name);
	tap_result(s.weight < SLICE + OVER, "%s: weight of a step", name);
}

static const struct vs_job_limits limits = { .budget = 1ULL << 40, .slice = SLICE,
					     .simd = VS_SIMD_PORTABLE };

/* Every draw has a program of the largest size. */
static void test_frame(void)
{
	struct vs_native_state *state = vs_native_state_new(VS_NATIVE_UTGARD_GP_FRAME);
	static struct frame f;
	struct vs_native_in in = { .format = VS_NATIVE_UTGARD_GP_FRAME, .va = FR_FRAME,
				   .memory = MEMORY, .max_memory = MEMORY,
				   .max_draws = NDRAWS };
	struct vs_fault fault;
	struct vs_native *n;
	struct vs_job *job;
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
	if (vs_native_parse(&in, state, &n, &fault)) {
		tap_result(false, "frame");
		return;
	}
	job = vs_job_new(vs_native_map(n), &limits, vs_native_phases(n));
	vs_native_add_phases(n, job);
	run("draws with 512 instructions", job, VS_FAULT_NONE);
	vs_job_free(job);
	vs_native_free(n);
	vs_native_state_free(state);
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
	struct vs_program *prog = NULL;
	struct utgard_job *u;
	struct vs_job *job;
	const char *what;

	if (vs_program_create(vs_isa_by_id(VS_ISA_UTGARD_PP), &src, &rej, &log, &prog))
		tap_comment("rejected: %u at %u", rej.reason, rej.offset);
	s.prog = prog;
	s.frag.prim = MALI_PRIM_RECT;
	s.frag.width = 8;
	s.frag.height = 8;
	s.pp.nrows = 16;
	s.pp.uniforms = 0x10000;
	if (!prog || utgard_shader_new(&s, &what, &u)) {
		tap_result(false, "pixel program: %s", prog ? what : "rejected");
		return;
	}
	tap_comment("%u words", n);
	job = vs_job_new(&map, &limits, 1);
	utgard_job_add(u, job);
	run("a long pixel program", job, VS_FAULT_NONE);
	vs_job_free(job);
	utgard_job_free(u);
	vs_program_destroy(prog);
	free(words);
}

int main(void)
{
	test_frame();
	test_pixels();
	return tap_done();
}
