// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Launches of works on the SIMT machine: uniforms and sizes.
 */
#include "../bifrost/bifrost_lower.h"
#include "mali_run_int.h"

#define QUAD_BYTES	16
#define QUAD_WORDS	4
#define STEP_COST	128	/* cost of preparation per time slice check, approximately */
#define PROGS_SHARE	4	/* share of memory for programs: one quarter */

static const u8 archs[MALI_NUM_GPUS] = {
	[MALI_G71] = MALI_V6, [MALI_G72] = MALI_V6, [MALI_G31] = MALI_V7, [MALI_G52] = MALI_V7,
	[MALI_T760] = MALI_V5, [MALI_T860] = MALI_V5,
};

/**
 * mali_gpu_arch - descriptor formats of a GPU
 * @gpu: enum mali_gpu
 *
 * Return: formats, MALI_NUM_ARCH if there is no such GPU.
 */
enum mali_arch mali_gpu_arch(u32 gpu)
{
	return gpu < MALI_NUM_GPUS ? (enum mali_arch)archs[gpu] : MALI_NUM_ARCH;
}

static const char *const reasons[] = {
	[MALI_RUN_OK - MALI_RUN_REASON] = "no error",
	[MALI_RUN_BAD_GROUP - MALI_RUN_REASON] = "unsupported size of a workgroup",
	[MALI_RUN_BAD_MESSAGE - MALI_RUN_REASON] = "preloaded message without a meaning",
	[MALI_RUN_BAD_INDEX - MALI_RUN_REASON] =
		"no such texture, sampler, attribute, varying or target",
	[MALI_RUN_BAD_FORMAT - MALI_RUN_REASON] = "unsupported conversion of a format",
	[MALI_RUN_BAD_TEXOP - MALI_RUN_REASON] = "texture operation without a meaning",
	[MALI_RUN_BAD_BLEND - MALI_RUN_REASON] = "unsupported kind of blending",
	[MALI_RUN_BAD_STAGE - MALI_RUN_REASON] = "instruction of another kind of program",
	[MALI_RUN_BAD_FRAGMENT - MALI_RUN_REASON] = "rectangle, primitive or target",
	[MALI_RUN_BAD_IMAGE - MALI_RUN_REASON] = "the image's buffer is not one of an image",
};

/**
 * mali_run_reason_text - text of a reject reason
 * @reason: enum mali_run_reason
 *
 * Return: text, never NULL.
 */
const char *mali_run_reason_text(u32 reason)
{
	if (reason < MALI_RUN_REASON || reason >= MALI_RUN_LAST)
		return "?";
	return reasons[reason - MALI_RUN_REASON];
}

/* ---- the machine's memory ---- */

struct mali_run *mali_run_new(struct simt_arena *a, const struct vs_map *map)
{
	struct mali_run *r = simt_arena_alloc(a, 1, sizeof(*r));

	if (!r)
		return NULL;
	r->arena = a;
	r->map = map;
	r->req = simt_arena_alloc(a, 1, sizeof(*r->req));
	r->v = simt_arena_alloc(a, 4, sizeof(*r->v));
	r->rows = simt_arena_alloc(a, 1, sizeof(*r->rows));
	if (!r->req || !r->v || !r->rows)
		return NULL;
	r->progs = simt_arena_rest(a, (a->size - a->used) / PROGS_SHARE);
	if (!r->progs.size)
		return NULL;
	a->used = r->progs.base - a->base + r->progs.size;
	r->mark = a->used;
	return r;
}

/* ---- the launch ---- */

static u32 *mali_run_uniforms(struct mali_run *r)
{
	u32 first = mali_gpu_is_midgard(r->w.gpu) ? 0 : BI_UNIF_PUSH, n = r->prog->nunif, *u, i;
	const struct mali_frag *f = r->w.frag;

	u = simt_arena_alloc(r->arena, n, sizeof(*u));
	if (!u)
		return NULL;
	if (r->w.npush)
		memcpy(u + first, r->w.push, min_t(u32, r->w.npush, n - first) * sizeof(*u));
	if (r->w.stage != MALI_STAGE_FRAGMENT || mali_gpu_is_midgard(r->w.gpu))
		return u;
	u[BI_UNIF_ATEST] = f->alpha_ref;
	u[BI_UNIF_SAMPLES] = (u32)f->sample_positions;
	u[BI_UNIF_SAMPLES + 1] = f->sample_positions >> 32;
	u[BI_UNIF_FBSIZE] = (f->x + f->width) | (f->y + f->height) << 16;
	for (i = 0; i < f->ntargets; i++) {
		u[BI_UNIF_BLEND + 2 * i] = f->blend[i].internal[0];
		u[BI_UNIF_BLEND + 2 * i + 1] = f->blend[i].internal[1];
	}
	/* programs may have more outputs than the framebuffer has targets */
	for (; i < MALI_MAX_TARGETS; i++)
		u[BI_UNIF_BLEND + 2 * i] = MALI_BLEND_OFF;
	return u;
}

static struct simt_ubo *ubos(struct mali_run *r)
{
	struct simt_ubo *u = simt_arena_alloc(r->arena, r->w.nubos, sizeof(*u));
	u32 i;

	for (i = 0; u && i < r->w.nubos; i++) {
		u[i].va = r->w.ubos[i].va;
		u[i].size = r->w.ubos[i].size;
	}
	return u;
}

/* Thread memory of all threads: its size is undocumented; use all that is mapped there. */
static u64 tls_total(const struct mali_run *r)
{
	const struct vs_extent *e = vs_map_find(r->map, r->w.tls_va);
	u64 most = (u64)r->w.tls_size * SIMT_MAX_LOCAL;

	return e ? min(e->hi - r->w.tls_va, most) : 0;
}

/* The blend programs of a fragment program follow it. */
static u64 code_of(const void *arg, u32 *pc)
{
	const struct mali_run *r = arg;
	u32 i;

	for (i = r->nparts - 1; i && *pc < r->part[i].first; i--)
		;
	*pc -= r->part[i].first;
	return r->part[i].va;
}

static const struct simt_ops ops = {
	.start = mali_start,
	.start_step = mali_start_step,
	.ext = mali_ext,
};

static const struct simt_ops frag_ops = {
	.start = mali_start,
	.ext = mali_ext,
	.end = mali_frag_end,
	.code = code_of,
};

static const struct simt_ops midgard_ops = {
	.start = midgard_start,
	.start_step = midgard_start_step,
	.ext = midgard_ext,
};

static const struct simt_ops midgard_frag_ops = {
	.start = midgard_start,
	.ext = midgard_ext,
	.end = mali_frag_end,
	.code = code_of,
};

static const struct simt_ops *ops_of(const struct mali_work *w)
{
	bool frag = w->stage == MALI_STAGE_FRAGMENT;

	if (mali_gpu_is_midgard(w->gpu))
		return frag ? &midgard_frag_ops : &midgard_ops;
	return frag ? &frag_ops : &ops;
}

static int mali_run_launch(struct mali_run *r, const struct simt_prog *prog, struct vs_fault *fault)
{
	const struct mali_work *w = &r->w;
	struct simt_launch l = { .prog = prog, .arg = r, .nubo = w->nubos,
				 .wls_va = w->wls_va, .wls_size = w->wls_size,
				 .wls_instances = w->wls_instances, .tls_va = w->tls_va,
				 .tls_size = w->tls_size,
				 .many = w->stage != MALI_STAGE_FRAGMENT,
				 .dbg = w->dbg, .code_va = w->code_va };
	int ret;

	l.ops = ops_of(w);
	l.regs = mali_debug_regs(w->gpu, &l.nregs);
	memcpy(l.local, w->local, sizeof(l.local));
	memcpy(l.groups, w->groups, sizeof(l.groups));
	l.unif = mali_run_uniforms(r);
	l.ubo = ubos(r);
	mali_starts(r, prog, l.preset);
	if (!l.unif || !l.ubo)
		return -ENOMEM;
	if (w->tls_size)
		l.tls_total = tls_total(r);
	if (w->tls_size && l.tls_total < w->tls_size)
		return vs_fault_memory(fault, VS_FAULT_WRITE, w->tls_va, w->tls_size);
	r->rest = simt_arena_rest(r->arena, r->arena->size);
	r->m = simt_machine_new(&r->rest, r->map);
	ret = r->m ? simt_machine_launch(r->m, &l) : -ENOMEM;
	if (ret == -EINVAL)
		return vs_fault_command(fault, 0, MALI_RUN_BAD_GROUP, 0);
	return ret;
}

static bool work_ok(const struct mali_work *w)
{
	return w->gpu < MALI_NUM_GPUS && w->arch < MALI_NUM_ARCH &&
	       w->stage < MALI_NUM_STAGES && w->entry % QUAD_BYTES == 0 &&
	       w->instance_size && !(w->code ? w->code_va : w->entry) &&
	       w->ncode % QUAD_WORDS == 0 && w->ncode <= MALI_MAX_CODE / sizeof(u32);
}

/* Launch the work; its program is ready. */
static int mali_run_begin(struct mali_run *r, struct vs_fault *fault)
{
	enum mali_run_reason why;
	int ret;

	if (r->w.stage == MALI_STAGE_FRAGMENT) {
		ret = mali_frag_begin(r, &why);
		if (ret == -ENOEXEC)
			return vs_fault_command(fault, 0, why, 0);
		if (ret)
			return ret;
	}
	return mali_run_launch(r, r->prog, fault);
}

/* Continue the preparation. Return: -EAGAIN: call again. */
static int mali_run_step(struct mali_run *r, struct vs_fault *fault)
{
	int ret;

	if (r->prog)
		return mali_run_begin(r, fault);
	ret = mali_program_step(r, &r->prog, fault);
	return ret ? ret : -EAGAIN;
}

int mali_run_prepare(struct mali_run *r, const struct mali_work *w, struct vs_fault *fault)
{
	memset(fault, 0, sizeof(*fault));
	r->mark = r->arena->used;
	r->w = *w;
	r->m = NULL;
	r->prog = NULL;
	r->cost = 0;
	r->clock = 0;
	if (!work_ok(&r->w))
		return vs_fault_command(fault, 0, MALI_RUN_BAD_STAGE, 0);
	r->rest = simt_arena_rest(r->arena, r->arena->size);
	mali_program_begin(r);
	return -EAGAIN;
}

int mali_run_prepare_step(struct mali_run *r, struct vs_fault *fault)
{
	u32 cost = r->cost;
	int ret;

	do {
		ret = mali_run_step(r, fault);
	} while (ret == -EAGAIN && r->cost - cost < STEP_COST);
	if (ret && ret != -EAGAIN)
		mali_run_end(r);
	return ret;
}

struct simt_machine *mali_run_machine(const struct mali_run *r)
{
	return r->m;
}

bool mali_run_stores(const struct mali_run *r)
{
	const struct simt_prog *p = r->prog;
	u32 i;

	for (i = 0; i < p->nuops; i++) {
		const struct simt_uop *u = &p->uops[i];

		if (u->op == SIMT_ST || u->op == SIMT_ATOM ||
		    (u->op == SIMT_EXT && MALI_EXT_OP(u->imm) == MX_ST_CVT))
			return true;
	}
	return false;
}

/**
 * mali_run_end - end or cancel a work
 * @r: machine
 */
void mali_run_end(struct mali_run *r)
{
	r->m = NULL;
	r->r = NULL;
	simt_arena_reset(r->arena, r->mark);
}

u32 mali_run_cost(struct mali_run *r)
{
	u32 cost = r->cost;

	r->cost = 0;
	return cost;
}
