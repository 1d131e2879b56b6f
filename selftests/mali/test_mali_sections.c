// SPDX-License-Identifier: GPL-2.0
/*
 * Worst cases for the length of a job's steps: a texture per lane, large programs, long
 * descriptor tables, many extents. The weight of a step is bounded, and all its work is
 * charged; the times of steps are printed.
 */
#include "../bifrost/clause_gen.h"
#include "../include/lower.h"
#include "../include/scene_dump.h"
#include "../include/sections.h"
#include "../include/simt_prog.h"
#include "ext.h"
#include "frame.h"
#include "engine/simt/simt_intern.h"
#include "../include/lower.h"
#include "isa/midgard/midgard_ext.h"
#include "native/native.h"

#define SLICE	SECTIONS_SLICE
/*
 * Maximum weight that one request, one start of a block or one stretch of micro-ops adds
 * to a slice.
 */
#define OVER	8192
#define JOB_BYTES (64 << 20)	/* at most, of a device */

/* ---- resources of blocks in step ---- */

#define NTEX	64
#define NEXT	12
#define GROUPS	64

static struct tx_texture many[NTEX];

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

static struct sections_way way;

/* Return: checksum of the results, or 0. */
static u32 run_ext(const struct simt_uop *u, bool midgard, u32 slice, struct sections *s)
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
	u32 i;

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
		status = simt_machine_run(m, way.limits.simd, slice, &used);
		sections_add(s, sections_now() - at, used);
	} while (status == SIMT_RUN_MORE);
	return status == SIMT_RUN_DONE ? checksum(m) | 1 : 0;
}

/**
 * struct ext_case - A micro-op that requests texels.
 * @name:	of the case
 * @u:		micro-op
 * @midgard:	of Midgard, not of Bifrost
 * @requests:	requests of a block
 * @prepare:	set textures and slots
 */
struct ext_case {
	const char *name;
	struct simt_uop u;
	bool midgard;
	u32 requests;
	void (*prepare)(void);
};

static void check_ext(const struct ext_case *c)
{
	struct sections small = { .name = c->name }, large = { .name = "the same at once" };
	u64 all = (u64)c->requests * NEXT * GROUPS * TX_REQUEST_COST;
	u32 sum = 0, same;

	while (sections_again(&small)) {
		c->prepare();
		sum = run_ext(&c->u, c->midgard, SLICE, &small);
	}
	sections_show(&small, &way);
	c->prepare();
	sections_again(&large);
	same = run_ext(&c->u, c->midgard, ~0U >> 1, &large);
	tap_result(sum && small.weight < SLICE + OVER, "%s: %s: weight of a slice", way.name,
		   c->name);
	tap_result(small.n > all / (SLICE + OVER), "%s: %s: requests are charged for", way.name,
		   c->name);
	tap_result(sum == same, "%s: %s: results do not depend on slices", way.name, c->name);
	free(large.step);
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

/* TEX of two dimensions with an explicit LOD, both indices in registers */
#define TEXC_DESC	(3U << 2 | 3 | 7 << 12 | 2 << 18 | 4 << 20 | 4 << 24 | 15U << 28)

static void prepare_texc(void)
{
	many_textures(0);
	set_sampler(0, true);
	lanes_textures();
	fill(IN + 2, TEXC_DESC);
}

static void prepare_texc_over(void)
{
	many_textures(0);
	set_sampler(0, true);
	lanes_textures();
	fill(IN + 7, TEXC_DESC);
}

static void prepare_midgard(void)
{
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
}

static const struct ext_case texc = {
	"TEXC, a texture for each lane",
	{ .op = SIMT_EXT, .d = OUT, .d2 = IN + 4, .n = 4, .s = { IN, IN + 1, IN + 2, IN + 3 },
	  .imm = MALI_EXT_IMM(MX_TEXC, 0, 0) },
	false, NTEX, prepare_texc,
};

/* results go where coordinates were */
static const struct ext_case texc_over = {
	"TEXC, the same over its operands",
	{ .op = SIMT_EXT, .d = IN, .d2 = IN + 4, .n = 4, .s = { IN, IN + 1, IN + 7, IN + 3 },
	  .imm = MALI_EXT_IMM(MX_TEXC, 0, 0) },
	false, 1, prepare_texc_over,
};

static const struct ext_case midgard = {
	"Midgard, a texture for each lane",
	{ .op = SIMT_EXT, .d = OUT, .d2 = IN + 4, .n = 4, .s = { IN, IN + 1, IN + 2, IN + 3 },
	  .imm = MGX_TEX_IMM(0, 1, TX_DIM_2D, 1, 0) },
	true, NTEX, prepare_midgard,
};

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

/* Return: it has ended as it should. */
static bool run_once(struct sections *sec, struct mali_shader *s, u32 kind)
{
	const struct vs_fault *fault;
	struct mali_exec *e;
	struct vs_job *job;
	const char *what;
	bool ok;

	if (mali_shader_new(s, &what, &e)) {
		tap_comment("%s: %s", sec->name, what);
		return false;
	}
	job = vs_job_new(&space, sections_limits(&way), 1);
	mali_exec_add(e, job);
	sections_run(sec, job);
	fault = vs_job_get_fault(job);
	ok = fault->kind == kind;
	if (!ok)
		tap_comment("fault %u code %x info %x at %x", fault->kind, fault->code, fault->info,
			    fault->pc);
	vs_job_free(job);
	mali_exec_free(e);
	return ok;
}

/* @kind: kind of the fault that ends it. */
static void run_shader_job(const char *name, struct mali_shader *s, u32 kind)
{
	struct sections sec = { .name = name };
	bool ok = true;

	s->memory = JOB_BYTES;
	s->max_memory = JOB_BYTES;
	s->map = &space;
	while (ok && sections_again(&sec))
		ok = run_once(&sec, s, kind);
	sections_show(&sec, &way);
	tap_result(ok, "%s: %s: as expected", way.name, name);
	tap_result(sec.weight < SLICE + OVER, "%s: %s: weight of a step", way.name, name);
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
	w[0] = 2 | TX_DIM_2D << 4 | RGBA8 << 10 >> 0;
	w[1] = 7 | 7 << 16;
	w[2] = 0 | 1 << 3 | 2 << 6 | 3 << 9 | PX_LINEAR << 12;
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

/* ---- frames ---- */

static bool run_frame(struct sections *sec, u32 at, bool dump)
{
	u32 format = frame.v5 ? VS_NATIVE_MIDGARD_CHAIN : VS_NATIVE_BIFROST_CHAIN;
	const struct vs_native_in in = {
		.format = format, .va = FRAME_MEM_VA + at,
		.model = frame.v5 ? MALI_T860 : frame.v6 ? MALI_G71 : MALI_G52,
		.map = &frame.map, .memory = JOB_BYTES, .max_memory = JOB_BYTES,
	};
	struct vs_native_state *state = vs_native_state_new(format);
	struct vs_native *n;
	struct vs_fault fault;
	struct vs_job *job;
	char name[64];
	bool ok = false;

	snprintf(name, sizeof(name), "%s, %s", sec->name, frame_arch_name());
	if (dump)
		scene_dump(name, &in);
	if (!vs_native_parse(&in, state, &n, &fault)) {
		job = vs_job_new(vs_native_map(n), sections_limits(&way), vs_native_phases(n));
		vs_native_add_phases(n, job);
		sections_run(sec, job);
		ok = vs_job_get_fault(job)->kind == VS_FAULT_NONE;
		vs_job_free(job);
		vs_native_free(n);
	}
	vs_native_state_free(state);
	return ok;
}

static void check_frame(const char *name, u32 at)
{
	struct sections sec = { .name = name };
	bool ok = true;

	while (sections_again(&sec)) {
		/* a tiler job continues the lists of the one before */
		if (at == FRAME_TILER_JOB) {
			memset(frame.mem + FRAME_LIST, 0, FRAME_FB - FRAME_LIST);
			memset(frame.mem + FRAME_HEAP, 0, FRAME_HEAP_SIZE);
		}
		ok &= run_frame(&sec, at, sections_first(&way) && sec.runs == 1);
	}
	sections_show(&sec, &way);
	tap_result(ok, "%s: %s: %s: as expected", way.name, frame_arch_name(), name);
	tap_result(sec.weight < SLICE + OVER, "%s: %s: %s: weight of a step", way.name,
		   frame_arch_name(), name);
}

/*
 * Eight targets of 128 bits and of four samples, the first of which is resolved and stored; many
 * triangles that cover everything, and many that cover a pixel or none.
 */
static void test_frames(void)
{
	u32 i, k;

	frame_new(4);
	frame_w32(FRAME_FB + 44, frame_r32(FRAME_FB + 44) | 7 << 19);
	for (i = 0; i < 8; i++)
		frame_w32(FRAME_FB + 192 + 64 * i, 36U << 26);
	frame_w32(FRAME_FB + 192, 1U << 26);
	frame_w32(FRAME_FB + 196, 1 | 19 << 3 | 2 << (frame.v5 ? 10 : 8) | 0x688 << 16 | 1U << 31);
	frame_w64(FRAME_FB + 224, FRAME_MEM_VA + FRAME_COLOUR);
	frame_w32(FRAME_FB + 232, frame.size * 4);
	for (i = 0; i < 40; i++) {
		float x = (float)(i % 10) * 9, y = (float)i;

		for (k = 0; k < 3; k++)
			frame_vertex(3 * i + k, i % 4 ? x + k / 3.f : k == 1 ? 300 : -2,
				     i % 4 ? y + k % 2 / 3.f : k == 2 ? 300 : -2, 0.9f - i / 50.f);
	}
	frame_instances(1, 120);
	frame_primitive(8, 0, 120);
	check_frame("tiler", FRAME_TILER_JOB);
	check_frame("eight targets", FRAME_FRAGMENT_JOB);
}

int main(void)
{
	frame_begin();
	while (sections_next(&way)) {
		frame.v5 = false;
		test_frames();
		frame.v5 = true;
		test_frames();
		if (!way.limits.dbg) {
			check_ext(&texc);
			check_ext(&texc_over);
			check_ext(&midgard);
		}
		test_lowering();
		test_tables();
	}
	frame_end();
	fx_free();
	return tap_done();
}
