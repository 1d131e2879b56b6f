// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Native jobs of the VideoCore IV: the control lists of its binning and its rendering thread. The
 * words of a job say where its list is, or which surfaces are rendered; the lists are read when it
 * runs.
 */
#include "../../engine/vs_intern.h"
#include "../../engine/vs_post.h"
#include "../native_ops.h"
#include "../../isa/qpu/qpu_intern.h"
#include "vc4_bin.h"
#include "vc4_render.h"

#define TILES_PER_GUEST	2

static const char * const reasons[VC4_NUM_REASONS] = {
	[VC4_OK] = "no error",
	[VC4_BAD_PACKET] = "the packet is unknown, or not allowed in this list",
	[VC4_BAD_END] = "the list ends inside of a packet",
	[VC4_BAD_ORDER] = "the packet is not allowed at this place",
	[VC4_BAD_VALUE] = "a value is out of range",
	[VC4_UNUSED_VALUE] = "a value is not supported",
	[VC4_MISSING] = "a packet that is required before this one is missing",
	[VC4_BAD_RECORD] = "the shader record is not valid",
	[VC4_BAD_LIST] = "there is no tile list of a bin job",
	[VC4_LIMIT] = "there are too many packets",
};

enum stage { STAGE_BEGIN, STAGE_SCAN, STAGE_DRAW, STAGE_JOIN };

/**
 * struct vc4_job - A job being executed.
 * @base:	native job
 * @render:	of VC4_RENDER, else of VC4_BIN
 * @count_va:	counters of events, 0: none
 * @bytes:	bytes that are allocated
 * @arena:	bytes of a worker's arena
 * @stage:	enum stage
 * @b:		bin list
 * @m:		its machine
 * @launched:	vertices are being shaded
 * @r:		render job
 * @scan:	its list
 * @w:		worker 0
 */
struct vc4_job {
	struct vs_native base;
	bool render;
	u64 count_va;
	u64 bytes;
	u64 arena;
	enum stage stage;
	struct vc4_bin b;
	struct qpu_machine *m;
	bool launched;
	struct vc4_render r;
	struct vc4_scan scan;
	struct vc4_worker *w;
};

static struct vc4_job *to_vc4_job(const struct vs_native *n)
{
	return container_of(n, struct vc4_job, base);
}

/* End with a fault. */
static enum vs_run fail(struct vs_job *job, const struct vs_fault *f)
{
	vs_job_fault(job, f);
	return VS_RUN_IDLE;
}

static enum vs_run fail_memory(struct vs_job *job, const struct vr_mem *mem)
{
	struct vs_fault f;

	vs_fault_memory(&f, mem->kind, mem->va, mem->size);
	return fail(job, &f);
}

static enum vs_run fail_kind(struct vs_job *job, enum vs_fault_kind kind)
{
	struct vs_fault f;

	vs_fault_memory(&f, kind, 0, 0);
	return fail(job, &f);
}

static enum vs_run fail_command(struct vs_job *job, u64 va, u32 why, u32 info, u32 draw)
{
	struct vs_fault f;

	vs_fault_command(&f, va, why, info);
	f.draw = draw;
	return fail(job, &f);
}

static enum vs_run more(const struct vs_job *job, struct vs_job *to)
{
	return vs_job_weight(job) <= job->lim.budget ? VS_RUN_MORE : fail_kind(to, VS_FAULT_BUDGET);
}

/* ---- bin jobs ---- */

#define BATCH_BYTES	(VC4_BATCHES * sizeof(struct vc4_batch))

static enum vs_run begin_bin(struct vc4_job *j, struct vs_job *job)
{
	u8 *memory = vs_job_take_arena(job, j->arena);
	struct vc4_bin *b = &j->b;

	if (!memory)
		return fail_kind(job, VS_FAULT_OVERFLOW);
	vc4_verts_forget((struct vc4_batch *)memory);
	j->m = qpu_machine_init(memory + BATCH_BYTES, j->r.map);
	b->mem.tlb.map = j->r.map;
	b->v = (struct vc4_verts){ .mem = &b->mem, .m = j->m, .stage = VC4_CS,
				   .batch = (struct vc4_batch *)memory };
	j->stage = STAGE_DRAW;
	return VS_RUN_MORE;
}

static enum vs_run shade_vertices(struct vc4_job *j, struct vs_job *job)
{
	enum vs_run run = qpu_machine_slice(j->m, job, true);
	struct vs_fault f;

	if (run != VS_RUN_IDLE)
		return run;
	if (qpu_machine_fault(j->m)) {
		f = *qpu_machine_fault(j->m);
		f.draw = j->b.draw.number;
		return fail(job, &f);
	}
	vc4_verts_done(&j->b.v);
	j->launched = false;
	return VS_RUN_MORE;
}

/* The list has ended: add its events to the counters. Return: 0 or -EFAULT. */
static int count_bin(struct vc4_job *j)
{
	const struct qpu_counters *c = &qpu_machine_shared(j->m)->cnt;
	u64 *n = j->b.events;

	if (!j->count_va)
		return 0;
	n[VC4_EV_VERTEX_CYCLES] = VC4_CYCLES * c->insns;
	n[VC4_EV_CYCLES] = n[VC4_EV_VERTEX_CYCLES];
	n[VC4_EV_TEXTURE_QUADS] = QPU_LANES / 4 * c->textures;
	return vc4_add_counters(&j->b.mem, j->count_va, n);
}

static enum vs_run bin_phase(struct vs_job *job, void *arg)
{
	struct vc4_job *j = arg;
	u64 charge = 0;
	int ret;

	if (j->stage == STAGE_BEGIN)
		return begin_bin(j, job);
	if (j->launched)
		return shade_vertices(j, job);
	ret = vc4_bin_step(&j->b, &charge);
	if (ret == VC4_LAUNCH) {
		vc4_verts_launch(&j->b.v, job->lim.simd);
		j->launched = true;
	}
	vs_job_account(job, charge, 0);
	if (!ret)
		ret = count_bin(j);
	if (ret == -EFAULT)
		return fail_memory(job, &j->b.mem);
	if (ret == -EPROTO)
		return fail_command(job, j->b.at, j->b.why, j->b.info, j->b.draw.number);
	return ret ? more(job, job) : VS_RUN_IDLE;
}

/* ---- render jobs: guests ---- */

/* A further worker, with all its state in its arena. */
struct guest {
	u32 worker;
	struct vc4_worker *w;
};

#define GUEST_BYTES	((sizeof(struct guest) + 63) & ~63UL)

static enum vs_run guest(struct vs_job *job, struct vs_worker *w, bool first, void *arg)
{
	struct vc4_render *r = arg;
	struct guest *g = vs_worker_take_arena(w, r->arena);
	struct vs_fault f;
	enum vs_run run;

	if (!g)
		return VS_RUN_IDLE;
	if (first) {
		g->worker = vr_tiles_join(&r->tiles);
		if (g->worker == VR_TILES_NONE)
			return VS_RUN_IDLE;
		g->w = vc4_worker_new((u8 *)g + GUEST_BYTES, r, g->worker);
	}
	run = vc4_worker_slice(g->w, job, &f);
	if (run == VS_RUN_IDLE && f.kind)
		vr_tiles_fault(&r->tiles, g->worker, &f);
	return run;
}

/* ---- render jobs ---- */

static enum vs_run vc4_job_begin_tiles(struct vc4_job *j, struct vs_job *job)
{
	const u32 bound[4] = { 0, 0, 4 * j->r.npasses - 1, 3 };
	u32 n = min_t(u32, j->r.npasses / TILES_PER_GUEST, VS_JOB_MAX_GUESTS);
	u8 *memory = vs_job_take_arena(job, j->arena);

	if (!memory)
		return fail_kind(job, VS_FAULT_OVERFLOW);
	if (!j->r.npasses)
		return VS_RUN_IDLE;
	vr_tiles_begin(&j->r.tiles, bound, VR_TILE * j->r.npasses, VR_TILE);
	j->w = vc4_worker_new(memory + GUEST_BYTES, &j->r, 0);
	j->r.arena = j->arena;
	j->stage = STAGE_DRAW;
	/* a debugger sees one worker */
	if (!n || job->lim.dbg)
		return VS_RUN_MORE;
	vs_job_invite(job, n, guest, &j->r);
	return VS_RUN_PHASE;
}

static enum vs_run scan(struct vc4_job *j, struct vs_job *job)
{
	u64 charge = 0;
	int ret;

	ret = vc4_scan_step(&j->scan, &charge);
	vs_job_account(job, charge, 0);
	if (ret == -EFAULT)
		return fail_memory(job, &j->scan.mem);
	if (ret == -EPROTO)
		return fail_command(job, j->scan.packet, j->scan.why, j->scan.info, 0);
	return ret ? more(job, job) : vc4_job_begin_tiles(j, job);
}

/* Wait for the guests. The fault of the first tile is reported. */
static enum vs_run vc4_job_join(struct vc4_job *j, struct vs_job *job)
{
	struct vr_mem mem = { .tlb.map = j->r.map };

	if (!vs_job_alone(job))
		return VS_RUN_MORE;
	if (j->r.tiles.bad == VR_TILES_NONE)
		return j->count_va && vc4_add_counters(&mem, j->count_va, j->r.events) ?
		       fail_memory(job, &mem) : VS_RUN_IDLE;
	/* a guest's registers are gone */
	if (j->r.tiles.culprit)
		vs_job_set_post(job, NULL, NULL, 0, false);
	return fail(job, &j->r.tiles.fault);
}

static enum vs_run vc4_job_draw(struct vc4_job *j, struct vs_job *job)
{
	struct vs_fault f;
	enum vs_run run;

	run = vc4_worker_slice(j->w, job, &f);
	if (run != VS_RUN_IDLE)
		return run;
	if (f.kind)
		vr_tiles_fault(&j->r.tiles, 0, &f);
	j->stage = STAGE_JOIN;
	return VS_RUN_MORE;
}

static enum vs_run render_phase(struct vs_job *job, void *arg)
{
	struct vc4_job *j = arg;

	switch (j->stage) {
	case STAGE_BEGIN:
		if (j->r.words[VC4_RENDER_KIND] == VC4_RENDER_DESC)
			return vc4_job_begin_tiles(j, job);
		vc4_scan_begin(&j->scan, &j->r);
		j->stage = STAGE_SCAN;
		return VS_RUN_MORE;
	case STAGE_SCAN:
		return scan(j, job);
	case STAGE_DRAW:
		return vc4_job_draw(j, job);
	default:
		return vc4_job_join(j, job);
	}
}

/* ---- native formats ---- */

static void job_free(struct vs_native *n)
{
	struct vc4_job *j = to_vc4_job(n);

	vs_free(j->r.at);
	vs_free(j);
}

static int vc4_job_reject(const struct vs_native_in *in, u32 word, u32 why, struct vs_fault *fault)
{
	vs_fault_command(fault, in->va + word * sizeof(u32), why, in->words[word]);
	return -ENOEXEC;
}

static int new_job(const struct vs_native_in *in, bool render, u64 arena, u64 passes,
		   struct vc4_job **out)
{
	u64 bytes = sizeof(struct vc4_job) + passes * sizeof(struct vc4_pass_at);
	struct vc4_job *j;

	if (in->model || in->switches)
		return -EINVAL;
	if (in->output_size ? in->output_size != VC4_COUNTER_BYTES || !in->output_va :
			      in->output_va)
		return -EINVAL;
	if (bytes + arena > in->max_memory)
		return -E2BIG;
	j = vs_zalloc(sizeof(*j));
	if (!j)
		return -ENOMEM;
	if (passes)
		j->r.at = vs_zalloc_array(passes, sizeof(*j->r.at));
	if (passes && !j->r.at) {
		vs_free(j);
		return -ENOMEM;
	}
	j->render = render;
	j->count_va = in->output_va;
	j->bytes = bytes;
	j->arena = (arena + 63) & ~63ULL;
	j->r.map = in->map;
	*out = j;
	return 0;
}

static int parse_bin(const struct vs_native_in *in, struct vs_native_state *s,
		     struct vs_native **out, struct vs_fault *fault)
{
	u32 n = in->nwords, i;
	struct vc4_job *j;
	struct vc4_bin *b;
	int ret;

	if (n < VC4_BIN_WORDS || n % 2 || n > VC4_BIN_WORDS + 2 * VC4_MAX_RANGES)
		return -EINVAL;
	for (i = VC4_BIN_WORDS; i < n; i += 2)
		if ((u64)vc4_address(in->words[i]) + in->words[i + 1] > 1ULL << 30)
			return vc4_job_reject(in, i, VC4_BAD_VALUE, fault);
	ret = new_job(in, false, BATCH_BYTES + qpu_machine_bytes(), 0, &j);
	if (ret)
		return ret;
	b = &j->b;
	b->pc = vc4_address(in->words[VC4_BIN_START]);
	b->end = vc4_address(in->words[VC4_BIN_END]);
	b->nranges = 1;
	for (i = VC4_BIN_WORDS; i < n; i += 2, b->nranges++) {
		b->range[b->nranges].lo = vc4_address(in->words[i]);
		b->range[b->nranges].hi = vc4_address(in->words[i]) + in->words[i + 1];
	}
	*out = &j->base;
	return 0;
}

static int parse_render(const struct vs_native_in *in, struct vs_native_state *s,
			struct vs_native **out, struct vs_fault *fault)
{
	struct vc4_job *j;
	u32 word, why;
	bool list;
	int ret;

	if (!in->nwords || in->words[VC4_RENDER_KIND] > VC4_RENDER_DESC)
		return -EINVAL;
	list = in->words[VC4_RENDER_KIND] == VC4_RENDER_CL;
	if (in->nwords != (list ? (u32)VC4_RENDER_LIST_WORDS : (u32)VC4_RENDER_DESC_WORDS))
		return -EINVAL;
	if (list && in->words[VC4_RENDER_ZERO])
		return -EINVAL;
	ret = new_job(in, true, GUEST_BYTES + vc4_worker_bytes(), list ? VC4_MAX_PASSES : 0, &j);
	if (ret)
		return ret;
	memcpy(j->r.words, in->words, in->nwords * sizeof(u32));
	why = list ? VC4_OK : vc4_describe(&j->r, &word);
	if (why) {
		job_free(&j->base);
		return vc4_job_reject(in, word, why, fault);
	}
	*out = &j->base;
	return 0;
}

static const struct vs_map *vc4_job_map(const struct vs_native *n)
{
	return to_vc4_job(n)->r.map;
}

static u32 vc4_job_phases(const struct vs_native *n)
{
	return 1;
}

static int vc4_job_add_phases(struct vs_native *n, struct vs_job *job)
{
	struct vc4_job *j = to_vc4_job(n);

	vs_job_need_arena(job, j->arena);
	if (j->render)
		vs_job_expect_guests(job);
	return vs_job_add_fn(job, j->render ? render_phase : bin_phase, j);
}

static u64 vc4_job_memory(const struct vs_native *n)
{
	return to_vc4_job(n)->bytes;
}

static const char *vc4_job_reason_text(u32 reason)
{
	return reason < VC4_NUM_REASONS && reasons[reason] ? reasons[reason] : "?";
}

#define VC4_OPS(parser)					\
	{						\
		.isa = VS_ISA_QPU,			\
		.parse = parser,			\
		.map = vc4_job_map,			\
		.phases = vc4_job_phases,		\
		.add_phases = vc4_job_add_phases,	\
		.memory = vc4_job_memory,		\
		.reason_text = vc4_job_reason_text,	\
		.free = job_free,			\
	}

const struct vs_native_ops vc4_bin_ops = VC4_OPS(parse_bin);
const struct vs_native_ops vc4_render_ops = VC4_OPS(parse_render);
