// SPDX-License-Identifier: GPL-2.0
/*
 * Shader jobs: the corpus's programs as program objects, with the descriptor tables of the
 * captured jobs; jobs refused at creation.
 *
 * usage: test_mali_shader [--corpus DIR]
 */
#include <dirent.h>

#include "../include/tap.h"
#include "../ref/bifrost_ref.h"
#include "image.h"
#include "run.h"

#define CHECK(cond)	tap_result(cond, "%s", #cond)
#define GPU		"bifrost-g52"

static double tolerance(const char *name)
{
	return !strcmp(name, "v_half") ? 0.002 : 4e-6;
}

/* Sizes of the launch from the job's invocation. */
static bool sizes(const struct vs_map *map, u64 va, struct mali_shader *s)
{
	struct mali_reject why;
	struct walked c;
	bool ok;

	if (walked_read(&c, MALI_V7, map, va, 1 << 24, &why))
		return false;
	ok = c.jobs[0].launch;
	if (ok) {
		memcpy(s->local, c.jobs[0].launch->local, sizeof(s->local));
		memcpy(s->groups, c.jobs[0].launch->groups, sizeof(s->groups));
	}
	walked_free(&c);
	return ok;
}

/*
 * The job's outputs start with the capture's contents, so that no results of an earlier
 * run are compared. Transform feedback turns a vertex program into a compute job.
 */
static bool launch(const char *dir, const char *name, enum vs_simd simd, struct mrf *g)
{
	struct mprog p = { 0 };
	struct vs_program *prog = NULL;
	struct vs_fault fault = {};
	struct mali_shader s;
	struct space space;
	uint64_t chain;
	bool ok = false;
	int error = 0;

	if (!mcase_capture(g, dir, GPU, name, 0, &chain) &&
	    !mcase_prog(&p, dir, GPU, name, *name == 'c' ? "comp" : "vert-xfb"))
		prog = program_of(&p, *name == 'c' ? VS_STAGE_COMPUTE : VS_STAGE_VERTEX);
	space_of(&space, g);
	if (prog) {
		shader_of(&space.map, chain + 64, prog, MALI_G52, &s);
		s.switches = MALI_SW_FUSED_FMA;
		ok = sizes(&space.map, chain, &s) && run_shader(&s, simd, &error, &fault);
		if (!ok)
			tap_comment("%s: error %d, fault %u (%s)", name, error, fault.kind,
				    mali_exec_reason_text(fault.code));
	}
	vs_program_destroy(prog);
	mcase_prog_free(&p);
	return ok;
}

/* Positions and varyings as works, fragments as shader jobs. */
static bool draw(const char *dir, const char *name, enum vs_simd simd, struct mrf *g)
{
	static u8 positions[4096];
	struct vs_program *prog = NULL;
	struct mrf clear = { .arch = 7 };
	struct mprog p = { 0 };
	struct space space;
	char why[256] = "";
	uint64_t chain;
	struct bench b;
	int ret = -1;

	memset(positions, 0, sizeof(positions));
	if (!mcase_capture(&clear, dir, GPU, name, 1, &chain))
		mrf_clear_color(&clear, chain, &g->clear);
	mrf_free(&clear);
	if (!mcase_capture(g, dir, GPU, name, 0, &chain) &&
	    !mcase_prog(&p, dir, GPU, name, "frag"))
		prog = program_of(&p, VS_STAGE_FRAGMENT);
	space_of(&space, g);
	space_add(&space, DRAW_FB, g->fb, sizeof(g->fb));
	space_add(&space, DRAW_DEPTH, g->depth, sizeof(g->depth));
	space_add(&space, DRAW_POSITIONS, positions, sizeof(positions));
	bench_new(&b, &space.map, simd);
	if (prog)
		ret = draw_run(&b, g, &space.map, chain, MALI_G52, prog, why, sizeof(why));
	if (ret <= 0)
		tap_comment("%s: %s", name, why);
	bench_free(&b);
	vs_program_destroy(prog);
	mcase_prog_free(&p);
	return ret > 0;
}

static void run(const char *dir, const char *name, enum vs_simd simd)
{
	static struct mrf g, like;
	struct mresult res = {}, ref = {};
	uint64_t chain;
	bool exact = false, ok;

	memset(&g, 0, sizeof(g));
	g.arch = 7;
	ok = *name == 'f' ? draw(dir, name, simd, &g) : launch(dir, name, simd, &g);
	ok = ok && !mcase_compare(&g, dir, GPU, name, &res) && !mcase_exact(dir, name, &exact);
	if (*name == 'f') {
		ok = ok && res.byte <= 1;
	} else if (ok && exact && res.differing) {
		/* products are not rounded before they are added: as on the reference model */
		memset(&like, 0, sizeof(like));
		like.arch = 7;
		like.budget = 20000000;
		ok = !mcase_capture(&like, dir, GPU, name, 0, &chain) &&
		     bfr_run(&like, chain) && !mcase_compare(&like, dir, GPU, name, &ref) &&
		     ref.differing == res.differing && ref.got == res.got && ref.rel == res.rel;
		mrf_free(&like);
	} else {
		ok = ok && res.rel <= tolerance(name);
	}
	tap_result(ok, "%s as shader job, %s: %u words, %u differ, %.3g relative", name,
		   vs_simd_name(simd), res.words, res.differing, res.rel);
	mrf_free(&g);
}

static int is_case(const struct dirent *d)
{
	return !!strstr(d->d_name, ".submit00.txt");
}

static void run_all(const char *dir)
{
	struct dirent **list;
	char path[1024];
	int n, c;

	snprintf(path, sizeof(path), "%s/capture/%s", dir, GPU);
	n = scandir(path, &list, is_case, alphasort);
	tap_result(n > 0, "captures found: %d", n);
	for (c = 0; c < n; c++) {
		*strchr(list[c]->d_name, '.') = 0;
		run(dir, list[c]->d_name, vs_simd_best());
		run(dir, list[c]->d_name, VS_SIMD_PORTABLE);
		free(list[c]);
	}
	if (n >= 0)
		free(list);
}

/* ---- arguments ---- */

static int try(const struct mali_shader *s, const char **what)
{
	struct mali_exec *e;
	int ret = mali_shader_new(s, what, &e);

	if (!ret)
		mali_exec_free(e);
	return ret;
}

#define REFUSED(field, value, name) do {				\
	struct mali_shader t = s;					\
									\
	t.field = value;						\
	tap_result(try(&t, &what) == -EINVAL && !strcmp(what, name),	\
		   "%s = %s is refused as %s", #field, #value, what);	\
} while (0)

static void test_arguments(const char *dir)
{
	struct vs_program *prog = NULL;
	struct mprog p = { 0 };
	struct mali_shader s;
	struct vs_fault fault;
	struct image im;
	const char *what;
	int error;

	if (!mcase_prog(&p, dir, GPU, "c_int", "comp"))
		prog = program_of(&p, VS_STAGE_COMPUTE);
	mcase_prog_free(&p);
	if (!prog) {
		tap_result(false, "program object of c_int");
		return;
	}
	image_new(&im, MALI_V7);
	s = (struct mali_shader){ .map = &im.map, .prog = prog, .gpu = MALI_G52,
				  .max_memory = 1 << 24, .local = { 1, 1, 1 },
				  .groups = { 1, 1, 1 } };
	CHECK(!try(&s, &what));
	REFUSED(gpu, MALI_NUM_GPUS, "gpu");
	REFUSED(entry, 1, "entry");
	REFUSED(switches, 2, "switches");
	REFUSED(preload, 1, "preload");
	REFUSED(work_regs, 1, "work_registers");
	REFUSED(fp_mode, 1, "fp_mode");
	REFUSED(memory, 4096, "memory");
	REFUSED(ubos.n, 256, "ubos");
	REFUSED(push.n, 257, "push");
	REFUSED(attrs.n, 65536, "attributes");
	REFUSED(varyings.n, 65536, "varyings");
	REFUSED(textures.n, 65536, "textures");
	REFUSED(samplers.n, 65536, "samplers");
	REFUSED(wls_size, 64, "wls_instances");
	REFUSED(frag.ntargets, 9, "targets");
	s.memory = (1 << 24) + 1;
	CHECK(try(&s, &what) == -E2BIG);
	s.memory = 0;
	/* tables that are not there show when the job runs */
	s.ubos = (struct mali_table){ 0xdead000, 2 };
	CHECK(!run_shader(&s, VS_SIMD_PORTABLE, &error, &fault) && !error &&
	      fault.kind == VS_FAULT_COMMAND && fault.code == MALI_UNMAPPED &&
	      fault.address == 0xdead000);
	s.ubos.n = 0;
	s.textures = (struct mali_table){ IMAGE_VA, 65535 };
	CHECK(!run_shader(&s, VS_SIMD_PORTABLE, &error, &fault) && fault.kind == VS_FAULT_COMMAND);
	s.textures.n = 0;
	s.local[0] = 2000;
	CHECK(!run_shader(&s, VS_SIMD_PORTABLE, &error, &fault) &&
	      fault.kind == VS_FAULT_COMMAND && fault.code == MALI_RUN_BAD_GROUP);
	s.local[0] = 0;
	CHECK(!run_shader(&s, VS_SIMD_PORTABLE, &error, &fault) &&
	      fault.code == MALI_RUN_BAD_GROUP);
	s.local[0] = 1;
	s.tls_size = 64;
	s.tls_va = 64;
	CHECK(!run_shader(&s, VS_SIMD_PORTABLE, &error, &fault) &&
	      fault.kind == VS_FAULT_WRITE && fault.address == 64);
	s.tls_size = 0;
	/* no workgroups are nothing to do */
	s.groups[1] = 0;
	CHECK(run_shader(&s, VS_SIMD_PORTABLE, &error, &fault));
	image_free(&im);
	vs_program_destroy(prog);
}

int main(int argc, char **argv)
{
	const char *corpus = NULL;
	char path[512];
	int i;

	for (i = 1; i + 1 < argc; i += 2)
		if (!strcmp(argv[i], "--corpus"))
			corpus = argv[i + 1];
	tap_start();
	if (corpus) {
		snprintf(path, sizeof(path), "%s/mali", corpus);
		test_arguments(path);
		run_all(path);
	} else {
		tap_skip("no corpus given", "shader jobs");
	}
	return tap_done();
}
