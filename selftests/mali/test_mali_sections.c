// SPDX-License-Identifier: GPL-2.0
/*
 * Worst cases for the length of a job's steps: a texture per lane, large programs, long
 * descriptor tables, many extents. The weight of a step is bounded, and all its work is
 * charged; the times of steps are printed.
 */
#include "../bifrost/clause_gen.h"
#include "../include/sections.h"
#include "ext.h"
#include "engine/simt/simt_intern.h"
#include "isa/bifrost/bifrost_lower.h"
#include "isa/mali/mali_ext_midgard.h"

#define SLICE	SECTIONS_SLICE
/*
 * Maximum weight that one request, one start of a block or one stretch of micro-ops adds
 * to a slice.
 */
#define OVER	8192
#define JOB_BYTES MALI_JOB_MAX_MEMORY

/* ---- resources of blocks in step ---- */

#define NTEX	64
#define NEXT	12
#define GROUPS	64

static struct mali_texture many[NTEX];

/* Each lane has its own texture, which is 8 by 8 texels of @tex[0]. */
static void many_textures(u32 dim)
{
	u32 i;

	tex_new();
	for (i = 0; i < NTEX; i++) {
		many[i] = tex[dim];
		many[i].va = 64 + 64 * i;
	}
	fx.run->w.textures = many;
	fx.run->w.ntextures = NTEX;
}

static void start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 i;

	for (i = 0; i < NSLOTS; i++)
		memcpy(b->slot + i * LANES, fx.slot[i], sizeof(fx.slot[i]));
}

/* Results must not depend on where slices end. */
static u32 checksum(const struct simt_machine *m)
{
	u32 sum = 0, i, k, l;

	for (k = 0; k < m->most; k++)
		for (i = 0; i < 4; i++)
			for (l = 0; l < LANES; l++)
				sum = sum * 31 + m->blocks[k].b.slot[(OUT + i) * LANES + l];
	return sum;
}

static u32 run_ext(const char *name, const struct simt_uop *u, bool midgard, u32 slice,
		   struct sections *s)
{
	const struct simt_ops ops = { .start = start, .ext = midgard ? midgard_ext : mali_ext };
	const struct simt_prog proto = { .nslots = NSLOTS, .warp = 4 };
	const struct simt_uop end = { .op = SIMT_END };
	struct simt_launch l = { .ops = &ops, .arg = fx.run, .local = { LANES, 1, 1 },
				 .groups = { GROUPS, 1, 1 }, .many = true };
	struct simt_builder *b = simt_builder_new(&fx.arena, NEXT + 1, 1, 0);
	enum simt_status status;
	struct simt_prog *prog;
	struct simt_machine *m;
	u64 used, at;
	u32 i, sum;

	*s = (struct sections){ .name = name };
	simt_builder_label(b, 0);
	for (i = 0; i < NEXT; i++)
		simt_builder_emit(b, u);
	simt_builder_emit(b, &end);
	if (simt_prog_finish(b, &proto, 0, &prog))
		return 0;
	l.prog = prog;
	m = simt_machine_new(&fx.arena, &fx.map);
	if (!m || simt_machine_launch(m, &l))
		return 0;
	do {
		at = sections_now();
		status = simt_machine_run(m, vs_simd_best(), slice, &used);
		sections_add(s, sections_now() - at, used);
	} while (status == SIMT_RUN_MORE);
	sum = checksum(m);
	sections_show(s);
	return status == SIMT_RUN_DONE ? sum | 1 : 0;
}

/* @requests: number of requests per micro-op of a block. */
static void check_ext(const char *name, const struct simt_uop *u, bool midgard, u32 requests)
{
	struct sections small, large;
	u64 all = (u64)requests * NEXT * GROUPS * MALI_REQUEST_COST;
	u32 sum, same;

	sum = run_ext(name, u, midgard, SLICE, &small);
	same = run_ext("the same at once", u, midgard, ~0U >> 1, &large);
	tap_result(sum && small.weight < SLICE + OVER, "%s: weight of a slice", name);
	tap_result(small.n > all / (SLICE + OVER), "%s: requests are charged for", name);
	tap_result(sum == same, "%s: results do not depend on slices", name);
}

static void lanes_textures(void)
{
	u32 l;

	for (l = 0; l < LANES; l++) {
		fx.slot[IN][l] = f32((l % 8 + 0.25) / 8);
		fx.slot[IN + 1][l] = f32((l / 8 + 0.75) / 8);
		/* LOD; then sampler and texture */
		fx.slot[IN + 4][l] = 0;
		fx.slot[IN + 5][l] = 0;
		fx.slot[IN + 6][l] = l;
	}
}

static void test_texc(void)
{
	/* TEX of two dimensions with an explicit LOD, both indices in registers */
	const u32 desc = 3 << 2 | 3 | 7 << 12 | 2 << 18 | 4 << 20 | 4 << 24 | 15U << 28;
	struct simt_uop u = { .op = SIMT_EXT, .d = OUT, .d2 = IN + 4, .n = 4,
			      .s = { IN, IN + 1, IN + 2, IN + 3 },
			      .imm = MALI_EXT_IMM(MX_TEXC, 0, 0) };

	many_textures(0);
	set_sampler(0, true);
	lanes_textures();
	fill(IN + 2, desc);
	check_ext("TEXC, a texture for each lane", &u, false, NTEX);
	many_textures(0);
	set_sampler(0, true);
	lanes_textures();
	fill(IN + 2, desc);
	/* results go where coordinates were */
	u.d = IN;
	u.s[2] = IN + 7;
	fill(IN + 7, desc);
	check_ext("TEXC, the same over its operands", &u, false, 1);
}

static void test_midgard_texture(void)
{
	const struct simt_uop u = { .op = SIMT_EXT, .d = OUT, .d2 = IN + 4, .n = 4,
				    .s = { IN, IN + 1, IN + 2, IN + 3 },
				    .imm = MGX_TEX_IMM(0, 1, MALI_DIM_2D, 1, 0) };
	u32 l;

	many_textures(0);
	set_sampler(0, true);
	fx.run->w.gpu = MALI_T860;
	fx.run->w.arch = MALI_V5;
	for (l = 0; l < LANES; l++) {
		fx.slot[IN][l] = l;
		fx.slot[IN + 1][l] = 0;
		fx.slot[IN + 4][l] = f32((l % 8 + 0.25) / 8);
		fx.slot[IN + 5][l] = f32((l / 8 + 0.75) / 8);
	}
	check_ext("Midgard, a texture for each lane", &u, true, NTEX);
}

/* ---- jobs ---- */

#define NEXTENTS	16384
#define TABLE_VA	0x10000000ULL
#define TABLE_BYTES	(8ULL << 20)
#define SMALL_VA	0x100000000ULL
#define SMALL_GAP	0x2000ULL

static struct vs_extent extents[NEXTENTS + 1];
static struct vs_map space = { .ext = extents };

/* A table, followed by many extents that share memory. */
static u8 *space_new(void)
{
	static u8 *small;
	u8 *table = calloc(1, TABLE_BYTES);
	u32 i;

	if (!small)
		small = calloc(1, 4096);
	extents[0] = (struct vs_extent){ TABLE_VA, TABLE_VA + TABLE_BYTES, table,
					 VS_EXT_WRITE | VS_EXT_EXEC };
	for (i = 0; i < NEXTENTS; i++)
		extents[1 + i] = (struct vs_extent){ SMALL_VA + i * SMALL_GAP,
						     SMALL_VA + i * SMALL_GAP + 4096, small,
						     VS_EXT_WRITE };
	space.n = NEXTENTS + 1;
	return table;
}

#define ANY	(~0U)

/* @kind: kind of the fault that ends it. */
static void run_shader_job(const char *name, struct mali_shader *s, u32 kind)
{
	const struct vs_job_limits limits = { .budget = 1ULL << 40, .simd = vs_simd_best(),
					      .slice = SLICE };
	struct sections sec = { .name = name };
	const struct vs_fault *fault;
	struct mali_exec *e;
	struct vs_job *job;
	const char *what;

	s->memory = JOB_BYTES;
	s->max_memory = JOB_BYTES;
	s->map = &space;
	if (mali_shader_new(s, &what, &e)) {
		tap_result(false, "%s: %s", name, what);
		return;
	}
	job = vs_job_new(&space, &limits, 1);
	mali_exec_add(e, job);
	sections_run(&sec, job);
	fault = vs_job_get_fault(job);
	if (kind != ANY && fault->kind != kind)
		tap_comment("fault %u code %x info %x at %x", fault->kind, fault->code, fault->info,
			    fault->pc);
	tap_result(kind == ANY || fault->kind == kind, "%s: as expected", name);
	tap_result(sec.weight < SLICE + OVER, "%s: weight of a step", name);
	vs_job_free(job);
	mali_exec_free(e);
}

static struct vs_program *bifrost_program(const u32 *words, u32 nwords)
{
	static const u32 entry;
	const struct vs_src src = { .stage = VS_STAGE_COMPUTE, .words = { words },
				    .nwords = { nwords }, .entries = &entry, .nentries = 1 };
	struct vs_log log = {};
	struct vs_reject rej;
	struct vs_program *p;

	if (!vs_program_create(vs_isa_by_id(VS_ISA_BIFROST), &src, &rej, &log, &p))
		return p;
	tap_comment("rejected: %u at %u", rej.reason, rej.offset);
	return NULL;
}

static struct mali_shader shader(const struct vs_program *prog)
{
	return (struct mali_shader){ .prog = prog, .gpu = MALI_G72, .local = { 1, 1, 1 },
				     .groups = { 1, 1, 1 }, .instance_size = 1 };
}

/* The program's last clause ends threads, or does not. */
static void set_end(struct gen_prog *p, bool end)
{
	struct bi_header h;
	struct bi_clause c;
	u32 at = 0;

	for (;;) {
		bi_clause_decode(p->words + 4 * at, p->nquads - at, &c);
		if (at + c.quads >= p->nquads)
			break;
		at += c.quads;
	}
	bi_header_decode(c.header, &h);
	h.flow = end ? BI_FLOW_END : BI_FLOW_NBB;
	c.header = bi_header_encode(&h);
	bi_clause_encode(&c, p->words + 4 * at);
}

/* Are all operations executed? */
static bool lowers(const u32 *words, u32 nquads)
{
	struct simt_prog *prog;
	struct vs_reject rej;

	fx_new();
	return !bifrost_lower(&fx.arena, words, nquads, 0, 0, BI_G72, VS_STAGE_COMPUTE,
			      BI_LOWER_KEEP_REGS, &prog, &rej);
}

/* Few different clauses, which have few constants, again and again. Return: words. */
static u32 long_program(u32 *words, u32 max)
{
	static bool use[BI_NUM_UNITS][GEN_MAX_OPS];
	struct gen_prog p, last;
	u32 n = 0, k;

	gen_seed(7);
	gen_all(use);
	gen_pair(&last, 0, 0);
	for (k = 0; k < 8;) {
		gen_mixed(&p, use);
		set_end(&p, false);
		memcpy(words + n, p.words, 16 * p.nquads);
		memcpy(words + n + 4 * p.nquads, last.words, 16 * last.nquads);
		if (!lowers(words, n / 4 + p.nquads + last.nquads))
			continue;
		n += 4 * p.nquads;
		k++;
	}
	for (k = n; 2 * k + 64 < max; k *= 2)
		memcpy(words + k, words, 4 * k);
	memcpy(words + k, words, 4 * ((max - k - 64) / n * n));
	k += (max - k - 64) / n * n;
	memcpy(words + k, last.words, 16 * last.nquads);
	return k + 4 * last.nquads;
}

static void lower_one(const char *name, u32 max, u32 kind)
{
	u32 *words = calloc(max, sizeof(*words)), n = long_program(words, max);
	struct vs_program *prog = bifrost_program(words, n);
	struct mali_shader s = shader(prog);

	if (prog)
		run_shader_job(name, &s, kind);
	else
		tap_result(false, "%s", name);
	vs_program_destroy(prog);
	free(words);
}

static void test_lowering(void)
{
	lower_one("16 KiB of Bifrost", 4096, VS_FAULT_WRITE);
	lower_one("256 KiB of Bifrost", 65536, VS_FAULT_WRITE);
	/* too many micro-ops */
	lower_one("1 MiB of Bifrost", 262144, VS_FAULT_OVERFLOW);
}

/* ---- tables of descriptors ---- */

#define NTABLE	65535

/* A program that ends immediately. */
static struct vs_program *short_program(void)
{
	struct gen_prog p;

	gen_seed(1);
	gen_pair(&p, 0, 0);
	return bifrost_program(p.words, 4 * p.nquads);
}

/* v7: RGBA8, linear, with its image at @va. */
static void put_texture(u32 *w, u32 layers, u64 va)
{
	w[0] = 2 | MALI_DIM_2D << 4 | RGBA8 << 10 >> 0;
	w[1] = 7 | 7 << 16;
	w[2] = 0 | 1 << 3 | 2 << 6 | 3 << 9 | MALI_LINEAR << 12;
	w[4] = (u32)va;
	w[5] = va >> 32;
	w[6] = layers - 1;
}

static void test_tables(void)
{
	struct vs_program *prog = short_program();
	struct mali_shader s;
	u8 *table = space_new();
	u32 i;

	if (!prog) {
		tap_result(false, "program");
		return;
	}
	for (i = 0; i < NTABLE; i++)
		put_texture((u32 *)(table + 32 * i), 1, SMALL_VA + i % NEXTENTS * SMALL_GAP);
	s = shader(prog);
	s.textures = (struct mali_table){ TABLE_VA, NTABLE };
	run_shader_job("65535 textures in 16384 extents", &s, VS_FAULT_NONE);
	put_texture((u32 *)table, 65536, TABLE_VA + 32);
	s.textures.n = 1;
	run_shader_job("a texture of 65536 layers", &s, VS_FAULT_NONE);
	memset(table, 0, TABLE_BYTES);
	for (i = 0; i < NTABLE; i++)
		((u32 *)table)[2 * i] = i % 256 | RGBA8 << 10;
	s = shader(prog);
	s.attrs = (struct mali_table){ TABLE_VA, NTABLE };
	s.attr_bufs = TABLE_VA + 0x100000;
	s.varyings = (struct mali_table){ TABLE_VA, NTABLE };
	s.varying_bufs = TABLE_VA + 0x100000;
	run_shader_job("65535 attributes and varyings", &s, VS_FAULT_NONE);
	memset(table, 0, TABLE_BYTES);
	s = shader(prog);
	s.samplers = (struct mali_table){ TABLE_VA, NTABLE };
	run_shader_job("65535 samplers", &s, VS_FAULT_NONE);
	vs_program_destroy(prog);
	free(table);
}

int main(void)
{
	test_texc();
	test_midgard_texture();
	test_lowering();
	test_tables();
	fx_free();
	return tap_done();
}
