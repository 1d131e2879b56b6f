// SPDX-License-Identifier: GPL-2.0
/*
 * Fragments of random primitives, programs and images, in blocks: all executors give the same
 * bytes and the same faults. Also with images that end within a block.
 */
#include "../include/tap.h"
#include "gp_gen.h"
#include "native/utgard/utgard_job.h"
#include "pp_gen.h"

#define IN_VA		0x00100000U
#define IN_SIZE		0x20000
#define OUT_VA		0x00400000U
#define OUT_SIZE	0x40000
#define MEMORY		(8ULL << 20)
#define MAX_SIDE	44
#define CASES		400

static const struct px_format formats[] = {
	{ .comp = PX_UNORM, .ncomp = 4, .bits = { 8, 8, 8, 8 }, .swizzle = { 0, 1, 2, 3 },
	  .bytes = 4 },
	{ .comp = PX_UNORM, .ncomp = 4, .bits = { 8, 8, 8, 8 }, .swizzle = { 2, 1, 0, 3 },
	  .bytes = 4 },
	{ .comp = PX_UNORM, .ncomp = 3, .bits = { 5, 6, 5 },
	  .swizzle = { 2, 1, 0, PX_SWZ_1 }, .bytes = 2 },
	{ .comp = PX_FLOAT, .ncomp = 4, .bits = { 32, 32, 32, 32 }, .swizzle = { 0, 1, 2, 3 },
	  .bytes = 16 },
};

static u32 words[PGEN_MAX_INSNS * UPP_INSN_WORDS];
static u8 *in, *out, *want;
static u64 seed = 11;

static u32 bits_of(float f)
{
	u32 bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static float random_float(float from, float to)
{
	return from + (to - from) * (float)gen_below(&seed, 0x10000) / 0x10000;
}

static void random_inputs(struct utgard_shader *s)
{
	u32 i, n = 1 + gen_below(&seed, 8);

	/* numbers of all kinds */
	for (i = 0; i < IN_SIZE / 4; i++)
		((u32 *)in)[i] = gen_below(&seed, 4) ? bits_of(random_float(-0.5f, 1.5f)) :
						       gen_value(&seed);
	s->pp.nin = n;
	for (i = 0; i < n; i++) {
		s->in[i] = (struct utgard_stream){ .va = IN_VA + 64 * i, .stride = 16, .reg = i };
		utgard_format(PX_FLOAT, 32, 1 + gen_below(&seed, 4), &s->in[i].format);
	}
	s->pp.uniforms = IN_VA;
	s->pp.nrows = 16;
}

static void random_fragments(struct mali_frag *f)
{
	u32 i;

	f->prim = gen_below(&seed, 4) ? MALI_PRIM_TRIANGLE :
		  gen_below(&seed, 2) ? MALI_PRIM_POINT : MALI_PRIM_RECT;
	f->flags = (gen_below(&seed, 2) ? MALI_FRAG_BACK : 0) |
		   (gen_below(&seed, 2) ? UPP_FRAG_Y_UP : 0);
	f->x = 2 * gen_below(&seed, 5);
	f->y = 2 * gen_below(&seed, 5);
	f->width = 1 + gen_below(&seed, MAX_SIDE);
	f->height = 1 + gen_below(&seed, MAX_SIDE);
	f->point_size = bits_of(random_float(1, 40));
	for (i = 0; i < 3; i++) {
		f->index[i] = i;
		f->vertex[i][0] = bits_of(random_float(-20, 70));
		f->vertex[i][1] = bits_of(random_float(-20, 70));
		f->vertex[i][2] = bits_of(random_float(0, 1));
		f->vertex[i][3] = gen_below(&seed, 8) ? bits_of(random_float(0.1f, 2)) :
							gen_value(&seed);
	}
}

/* Images at the end of memory lack their last rows. */
static void random_targets(struct utgard_shader *s)
{
	u32 i, side = MAX_SIDE + 16;

	s->pp.ntargets = 1 + gen_below(&seed, UPP_MAX_TARGETS);
	for (i = 0; i < s->pp.ntargets; i++) {
		struct upp_target *t = &s->pp.target[i];

		t->format = formats[gen_below(&seed, 3) ? gen_below(&seed, 2) :
							  gen_below(&seed, ARRAY_SIZE(formats))];
		t->format.layout = PX_PLAIN;
		t->order = gen_below(&seed, 3) ? PX_LINEAR : PX_TILED;
		t->row_stride = t->order == PX_LINEAR ?
				side * t->format.bytes + 4 * gen_below(&seed, 8) :
				16 * 64 * t->format.bytes;
		t->reg = gen_below(&seed, UPP_NUM_REGS);
		t->va = OUT_VA + i * 0x10000;
		if (!gen_below(&seed, 16))
			t->va = OUT_VA + OUT_SIZE - 64 * gen_below(&seed, 64);
	}
	if (gen_below(&seed, 2)) {
		s->pp.mask = OUT_VA + 0x3f000;
		s->pp.mask_stride = side;
	}
	s->pp.switches = gen_below(&seed, 2) ? UPP_SW_FP32 : 0;
}

static bool run(const struct utgard_shader *s, enum vs_simd simd, struct vs_fault *fault)
{
	const struct vs_job_limits limits = { .budget = 1ULL << 24, .simd = simd, .slice = 3000 };
	struct vs_job *job = vs_job_new(s->map, &limits, 1);
	struct vs_worker *w = NULL;
	struct utgard_job *u = NULL;
	const char *what;
	int ret;

	ret = utgard_shader_new(s, &what, &u);
	if (!ret)
		ret = utgard_job_add(u, job);
	if (!ret)
		w = vs_worker_new(vs_job_arena(job));
	memset(out, 0xa5, OUT_SIZE);
	while (w && vs_job_step(job, w) != VS_RUN_DONE)
		;
	*fault = *vs_job_get_fault(job);
	vs_job_free(job);
	utgard_job_free(u);
	if (w)
		vs_worker_free(w);
	return !ret;
}

/* Return: 1: all the same, 0: not, -1: it is no job. */
static int one_case(const struct vs_map *map, u32 *faults)
{
	u32 n = pgen_program(&seed, 0, 1 + gen_below(&seed, 6), words), simd;
	static const u32 entry;
	const struct vs_src src = { .stage = VS_STAGE_FRAGMENT, .words = { words },
				    .nwords = { n }, .entries = &entry, .nentries = 1 };
	struct utgard_shader s = { .map = map, .memory = MEMORY, .max_memory = MEMORY };
	struct vs_fault first, f;
	struct vs_program *prog;
	struct vs_log log = {};
	struct vs_reject rej;
	bool same;

	random_inputs(&s);
	random_fragments(&s.frag);
	random_targets(&s);
	if (vs_program_create(vs_isa_by_id(VS_ISA_UTGARD_PP), &src, &rej, &log, &prog))
		return -1;
	s.prog = prog;
	same = run(&s, VS_SIMD_PORTABLE, &first);
	memcpy(want, out, OUT_SIZE);
	*faults += first.kind == VS_FAULT_WRITE;
	for (simd = 1; simd < VS_NUM_SIMD && same; simd++) {
		if (!(vs_simd_mask() >> simd & 1))
			continue;
		same = run(&s, simd, &f) && f.kind == first.kind && f.address == first.address &&
		       f.invocation == first.invocation && !memcmp(want, out, OUT_SIZE);
		if (!same)
			tap_comment("%s: primitive %u, %u targets, fault %u and %u",
				    vs_simd_name(simd), s.frag.prim, s.pp.ntargets, first.kind,
				    f.kind);
	}
	vs_program_destroy(prog);
	return same;
}

int main(void)
{
	struct vs_extent ext[2];
	const struct vs_map map = { 2, ext };
	u32 i, bad = 0, done = 0, faults = 0;
	int ret;

	tap_start();
	in = calloc(1, IN_SIZE);
	out = calloc(1, OUT_SIZE);
	want = calloc(1, OUT_SIZE);
	if (!in || !out || !want)
		abort();
	ext[0] = (struct vs_extent){ IN_VA, IN_VA + IN_SIZE, in, 0 };
	ext[1] = (struct vs_extent){ OUT_VA, OUT_VA + OUT_SIZE, out, VS_EXT_WRITE };
	for (i = 0; i < CASES && bad < 5; i++) {
		ret = one_case(&map, &faults);
		bad += !ret;
		done += ret > 0;
	}
	tap_result(!bad && done > CASES / 2, "%u jobs are the same on all executors", done);
	tap_result(faults > 5, "%u of them end outside of memory", faults);
	free(in);
	free(out);
	free(want);
	return tap_done();
}
