// SPDX-License-Identifier: GPL-2.0
/* Execution of captured Mali jobs in process. */
#include <pthread.h>

#include "../include/tap.h"
#include "../ref/worker.h"
#include "run.h"
#include "walked.h"

static int by_address(const void *a, const void *b)
{
	const struct vs_extent *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

void space_of(struct space *s, struct mrf *g)
{
	u32 i;

	for (i = 0; i < g->nbo; i++)
		s->ext[i] = (struct vs_extent){ g->bo[i].va, g->bo[i].va + g->bo[i].size,
						g->bo[i].bytes, VS_EXT_WRITE | VS_EXT_EXEC };
	qsort(s->ext, g->nbo, sizeof(*s->ext), by_address);
	s->map = (struct vs_map){ g->nbo, s->ext };
}

void space_add(struct space *s, u64 va, void *bytes, u64 size)
{
	s->ext[s->map.n++] = (struct vs_extent){ va, va + size, bytes, VS_EXT_WRITE };
	qsort(s->ext, s->map.n, sizeof(*s->ext), by_address);
}

u32 gpu_number(const char *folder)
{
	static const char *const names[] = { "bifrost-g71", "bifrost-g72", "bifrost-g31",
					     "bifrost-g52" };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], folder))
			return i;
	return MALI_NUM_GPUS;
}

/* ---- native jobs ---- */

struct vs_worker *run_worker;
u32 run_threads;

#define MAX_THREADS	16

struct crew {
	struct vs_job *job;
	bool done;
};

static void *work(void *arg)
{
	struct crew *c = arg;
	struct vs_worker *w = used_worker(c->job);

	while (!READ_ONCE(c->done)) {
		switch (vs_job_step(c->job, w)) {
		case VS_RUN_DONE:
			WRITE_ONCE(c->done, true);
			break;
		case VS_RUN_IDLE:
			sched_yield();
			break;
		default:
			break;
		}
	}
	leave_worker(w);
	return NULL;
}

static void run_crew(struct vs_job *job)
{
	struct crew c = { .job = job };
	pthread_t t[MAX_THREADS];
	u32 i;

	for (i = 0; i < run_threads; i++)
		if (pthread_create(&t[i], NULL, work, &c))
			abort();
	for (i = 0; i < run_threads; i++)
		pthread_join(t[i], NULL);
}

static void run_alone(struct vs_job *job)
{
	struct vs_worker *w = run_worker ? run_worker : used_worker(job);

	while (vs_job_step(job, w) != VS_RUN_DONE)
		;
	if (w != run_worker)
		leave_worker(w);
}

void run_job(struct vs_job *job)
{
	if (run_threads > 1)
		run_crew(job);
	else
		run_alone(job);
}

int run_native(const struct vs_map *map, u32 format, u64 va, u32 gpu, u32 switches,
	       enum vs_simd simd, u64 budget, struct vs_fault *fault)
{
	const struct vs_job_limits limits = { .budget = budget, .simd = simd, .slice = 3000 };
	const struct vs_native_in in = {
		.format = format, .va = va, .model = gpu, .map = map,
		.switches = switches,
		.memory = NATIVE_MEMORY, .max_memory = RUN_MEMORY,
	};
	struct vs_native_state *state = vs_native_state_new(in.format);
	struct vs_native *n;
	struct vs_job *job;
	int ret;

	ret = vs_native_parse(&in, state, &n, fault);
	vs_native_state_free(state);
	if (ret)
		return ret;
	job = vs_job_new(vs_native_map(n), &limits, vs_native_phases(n));
	ret = vs_native_add_phases(n, job);
	if (!ret)
		run_job(job);
	*fault = *vs_job_get_fault(job);
	vs_job_free(job);
	vs_native_free(n);
	return ret;
}

int run_chain(const struct vs_map *map, u64 va, u32 gpu, u32 switches, enum vs_simd simd,
	      u64 budget, struct vs_fault *fault)
{
	return run_native(map, VS_NATIVE_BIFROST_CHAIN, va, gpu, switches, simd, budget, fault);
}

/* ---- works ---- */

bool bench_new(struct bench *b, const struct vs_map *map, enum vs_simd simd)
{
	memset(b, 0, sizeof(*b));
	b->raw = calloc(1, RUN_MEMORY + 64);
	b->arena.base = (u8 *)(((unsigned long)b->raw + 63) & ~63UL);
	b->arena.size = RUN_MEMORY;
	b->simd = simd;
	b->run = mali_run_new(&b->arena, map);
	return b->run;
}

void bench_free(struct bench *b)
{
	free(b->raw);
}

bool bench_work(struct bench *b, const struct mali_work *w, struct vs_fault *fault)
{
	u64 used, left = 1ULL << 32;
	struct mali_work work = *w;
	enum simt_status s;
	int ret;

	work.switches = b->switches;
	ret = mali_run_prepare(b->run, &work, fault);
	while (ret == -EAGAIN)
		ret = mali_run_prepare_step(b->run, fault);
	if (ret) {
		if (ret != -ENOEXEC)
			fault->info = -ret;
		return false;
	}
	do {
		s = simt_machine_run(mali_run_machine(b->run), b->simd, 3000, &used);
		left -= used;
	} while (s == SIMT_RUN_MORE && left < 1ULL << 33);
	if (s == SIMT_RUN_FAULT)
		*fault = *simt_machine_fault(mali_run_machine(b->run));
	mali_run_end(b->run);
	return s == SIMT_RUN_DONE;
}

void work_of(const struct mali_launch *l, enum mali_arch arch, u32 gpu, u32 stage,
	     struct mali_work *w)
{
	*w = (struct mali_work){
		.gpu = gpu, .arch = arch, .stage = stage, .code_va = l->prog.va,
		.tag = l->prog.tag, .fp_mode = l->prog.fp_mode, .work_regs = l->prog.work_regs,
		.local = { l->local[0], l->local[1], l->local[2] },
		.groups = { l->groups[0], l->groups[1], l->groups[2] },
		.preload = l->prog.preload,
		.message = { l->prog.message[0], l->prog.message[1] },
		.ubos = l->ubos, .nubos = l->nubos, .push = l->push,
		.npush = l->push ? l->prog.uniforms : 0, .attrs = l->attrs,
		.varyings = l->varyings, .textures = l->textures, .ntextures = l->ntextures,
		.samplers = l->samplers, .nsamplers = l->nsamplers,
		.tls_va = l->storage.tls_va, .tls_size = l->storage.tls_size,
		.wls_va = l->storage.wls_va, .wls_size = l->storage.wls_size,
		.wls_instances = l->storage.wls_instances, .offset_start = l->offset_start,
		.instance_size = l->instance_size, .position = l->position,
	};
}

bool bench_chain(struct bench *b, const struct vs_map *map, u64 va, u32 gpu,
		 struct vs_fault *fault)
{
	struct mali_reject why = {};
	struct mali_work w;
	struct walked c;
	bool ok = true;
	u32 i;

	memset(fault, 0, sizeof(*fault));
	if (walked_read(&c, MALI_V7, map, va, 1 << 24, &why)) {
		fault->kind = VS_FAULT_COMMAND;
		fault->code = why.reason;
		return false;
	}
	for (i = 0; i < c.njobs && ok; i++) {
		const struct mali_job *job = &c.jobs[i];

		if (!job->launch)
			continue;
		work_of(job->launch, MALI_V7, gpu, MALI_STAGE_COMPUTE, &w);
		ok = bench_work(b, &w, fault);
	}
	walked_free(&c);
	return ok;
}

bool bench_vertex_jobs(struct bench *b, const struct vs_map *map, enum mali_arch arch, u64 va,
		       u32 gpu, struct vs_fault *fault)
{
	struct mali_reject why;
	struct mali_work w;
	struct walked c;
	bool ok = true;
	u32 i;

	if (walked_read(&c, arch, map, va, 1 << 24, &why))
		return false;
	for (i = 0; i < c.njobs && ok; i++) {
		const struct mali_job *job = &c.jobs[i];
		bool vertex = job->type == MALI_JOB_VERTEX;

		if (!vertex && job->type != MALI_JOB_COMPUTE)
			continue;
		work_of(job->launch, arch, gpu, vertex ? MALI_STAGE_VERTEX : MALI_STAGE_COMPUTE,
			&w);
		ok = bench_work(b, &w, fault);
	}
	walked_free(&c);
	return ok;
}

int run_cases(int argc, char **argv, const char *env, const char *what,
	      void (*run_all)(const char *dir, bool programs))
{
	const char *corpus = NULL, *data = getenv(env);
	char path[512];
	int i;

	for (i = 1; i + 1 < argc; i += 2)
		if (!strcmp(argv[i], "--corpus"))
			corpus = argv[i + 1];
	tap_start();
	if (data && *data)
		run_all(data, false);
	else
		tap_skip("no data given", "%s that are kept here", what);
	if (corpus) {
		snprintf(path, sizeof(path), "%s/mali", corpus);
		run_all(path, true);
	} else {
		tap_skip("no corpus given", "%s of the corpus", what);
	}
	return tap_done();
}

/* ---- shader jobs ---- */

static u32 r32(const struct vs_map *map, u64 va)
{
	u32 v = 0;

	vs_map_read(map, va, &v, 4);
	return v;
}

static u64 r64(const struct vs_map *map, u64 va)
{
	u64 v = 0;

	vs_map_read(map, va, &v, 8);
	return v;
}

struct vs_program *program_of(const struct mprog *p, enum vs_stage stage)
{
	const u32 entries[2] = { 0, p->second / 16 };
	const struct vs_src src = { .stage = stage, .words = { p->words },
				    .nwords = { p->nwords }, .entries = entries,
				    .nentries = p->second ? 2 : 1 };
	struct vs_log log = {};
	struct vs_reject rej;
	struct vs_program *prog;

	if (!vs_program_create(vs_isa_by_id(VS_ISA_BIFROST), &src, &rej, &log, &prog))
		return prog;
	tap_comment("rejected: %u at %u", rej.reason, rej.offset);
	return NULL;
}

void shader_of(const struct vs_map *map, u64 dcd, const struct vs_program *prog, u32 gpu,
	       struct mali_shader *s)
{
	u64 state = r64(map, dcd + 56), storage = r64(map, dcd + 112);
	u32 preload = r32(map, state + 48), counts = r32(map, state + 8), w;
	u32 attrs = r32(map, state + 12);

	*s = (struct mali_shader){
		.map = map, .prog = prog, .gpu = gpu, .memory = RUN_MEMORY,
		.max_memory = RUN_MEMORY, .preload = preload & MALI_PRELOAD_MASK,
		.ubos = { r64(map, dcd + 24), r32(map, state + 16) & 0xff },
		.textures = { r64(map, dcd + 32), counts >> 16 },
		.samplers = { r64(map, dcd + 40), counts & 0xffff },
		.push = { r64(map, dcd + 48), (preload >> 15 & 127) * 2 },
		.attrs = { r64(map, dcd + 72), attrs & 0xffff },
		.attr_bufs = r64(map, dcd + 64),
		.varyings = { r64(map, dcd + 88), attrs >> 16 },
		.varying_bufs = r64(map, dcd + 80),
		.offset_start = r32(map, dcd + 4),
	};
	w = r32(map, dcd);
	s->instance_size = (2 * (w >> 21 & 7) + 1) << (w >> 16 & 31);
	s->tls_va = r64(map, storage + 8);
	s->tls_size = s->tls_va ? 16U << (r32(map, storage) & 31) : 0;
	w = r32(map, storage + 4);
	if ((w & 31) != 31 && (w >> 8 & 31)) {
		s->wls_va = r64(map, storage + 16);
		s->wls_size = 1U << ((w >> 8 & 31) - 1);
		s->wls_instances = 1U << (w & 31);
	}
	if (prog->src.stage != VS_STAGE_FRAGMENT)
		return;
	s->message[0] = r32(map, state + 60) & 0xffff;
	s->message[1] = r32(map, state + 60) >> 16;
}

bool run_shader(const struct mali_shader *s, enum vs_simd simd, int *error,
		struct vs_fault *fault)
{
	const struct vs_job_limits limits = { .budget = 1ULL << 32, .simd = simd,
					      .slice = 3000 };
	struct mali_exec *e;
	struct vs_job *job;
	const char *what;

	memset(fault, 0, sizeof(*fault));
	*error = mali_shader_new(s, &what, &e);
	if (*error) {
		tap_comment("shader job: %d, %s", *error, what);
		return false;
	}
	job = vs_job_new(s->map, &limits, 1);
	*error = mali_exec_add(e, job);
	run_job(job);
	*fault = *vs_job_get_fault(job);
	vs_job_free(job);
	mali_exec_free(e);
	return !*error && !fault->kind;
}

/* ---- draws ---- */

#define OFF_PRIMITIVE	40
#define OFF_FRAGMENT	128	/* draw descriptor of the fragments */
#define OFF_VERTEX	256	/* INDEXED_VERTEX: draw descriptor of the vertices */

/**
 * struct draw - A captured draw.
 * @b:		machine
 * @map:	memory
 * @gpu:	of the programs
 * @job:	job
 * @n:		vertices
 * @points:	points, else triangles
 * @prog:	fragment program object, or NULL
 * @chain:	owner of the parsed descriptors
 * @fault:	fault of the last run
 */
struct draw {
	struct bench *b;
	const struct vs_map *map;
	u32 gpu;
	u64 job;
	u32 n;
	bool points;
	const struct vs_program *prog;
	struct mali_chain chain;
	struct vs_fault fault;
};

/* Resources of a draw descriptor, with the first or the second program of its state. */
static bool read_draw(struct draw *d, u64 dcd, bool second, u32 stage, struct mali_work *w)
{
	u64 state = r64(d->map, dcd + 56), storage = r64(d->map, dcd + 112);
	u32 preload = r32(d->map, state + (second ? 52 : 48)), counts = r32(d->map, state + 8);
	struct mali_reject why = {};
	struct mali_parser p = { .c = &d->chain, .arch = mali_arch_info(MALI_V7), .why = &why };
	struct mali_launch *l = calloc(1, sizeof(*l));
	const struct mali_tables t = {
		.ubos = r64(d->map, dcd + 24), .textures = r64(d->map, dcd + 32),
		.samplers = r64(d->map, dcd + 40), .push = r64(d->map, dcd + 48),
		.attr_bufs = r64(d->map, dcd + 64), .attrs = r64(d->map, dcd + 72),
		.varying_bufs = r64(d->map, dcd + 80), .varyings = r64(d->map, dcd + 88),
		.nubos = r32(d->map, state + 16) & 0xff, .npush = (preload >> 15 & 127) * 2,
		.nattrs = r32(d->map, state + 12) & 0xffff,
		.nvaryings = r32(d->map, state + 12) >> 16, .ntextures = counts >> 16,
		.nsamplers = counts & 0xffff,
	};
	bool ok = !mali_read_tables(&p, &t, l);

	if (!ok)
		tap_comment("tables: %s, %s", mali_reason_text(why.reason), why.field);
	l->prog.va = (second ? r64(d->map, state + 56) : r64(d->map, state)) & ~15ULL;
	l->prog.preload = preload;
	l->prog.uniforms = t.npush;
	if (stage == MALI_STAGE_FRAGMENT) {
		l->prog.message[0] = r32(d->map, state + 60) & 0xffff;
		l->prog.message[1] = r32(d->map, state + 60) >> 16;
	}
	l->instance_size = 1;
	l->offset_start = r32(d->map, dcd + 4);
	work_of(l, MALI_V7, d->gpu, stage, w);
	w->tls_va = r64(d->map, storage + 8);
	w->tls_size = w->tls_va ? 16U << (r32(d->map, storage) & 31) : 0;
	free(l);
	return ok;
}

static bool vertices(struct draw *d, u64 dcd, bool second)
{
	struct mali_work w;

	if (!read_draw(d, dcd, second, MALI_STAGE_VERTEX, &w))
		return false;
	if (!w.code_va)
		return true;
	w.local[0] = 1;
	w.local[1] = 1;
	w.local[2] = 1;
	w.groups[0] = 1;
	w.groups[1] = d->n;
	w.groups[2] = 1;
	w.preload = MALI_PRELOAD_MASK;
	w.position = DRAW_POSITIONS;
	return bench_work(d->b, &w, &d->fault);
}

/* Halves, one for each point. */
static u32 point_size(struct draw *d, u32 i)
{
	u16 half = 0;
	u32 e;

	vs_map_read(d->map, r64(d->map, d->job + 64) + 2 * i, &half, 2);
	e = half >> 10 & 31;
	return e ? (e + 112) << 23 | (half & 0x3ff) << 13 : 0;
}

static bool run_fragments(struct draw *d, const struct mali_work *w)
{
	struct mali_shader s;
	int error;

	if (!d->prog)
		return bench_work(d->b, w, &d->fault);
	shader_of(d->map, d->job + OFF_FRAGMENT, d->prog, d->gpu, &s);
	s.frag = *w->frag;
	return run_shader(&s, d->b->simd, &error, &d->fault);
}

static bool fragments(struct draw *d, struct mrf *g, u64 positions)
{
	u64 dcd = d->job + OFF_FRAGMENT, state = r64(d->map, dcd + 56);
	u32 i, k, j, per = d->points ? 1 : 3, misc = r32(d->map, state + 32);
	struct mali_frag f = {
		.width = g->width, .height = g->height, .provoking = 2,
		.prim = d->points ? MALI_PRIM_POINT : MALI_PRIM_TRIANGLE,
		.flags = r32(d->map, state + 16) >> 27 & 1 ? MALI_FRAG_POINT_UP : 0,
		.ntargets = 1,
		/* RGBA8, order RGBA */
		.target[0] = { DRAW_FB, 4 * g->width, PX_LINEAR, 187 << 12 },
		/* R32F */
		.depth = { DRAW_DEPTH, 4 * g->width, PX_LINEAR, 167 << 12 },
		.depth_func = misc >> 24 & 7,
	};
	struct mali_work w;

	vs_map_read(d->map, state + 64, &f.blend[0], sizeof(f.blend[0]));
	/* the tile stores integers unchanged; those of programs are bytes here */
	if (f.blend[0].internal[0] & 3 &&
	    (f.blend[0].internal[1] & 0x3fffff) >> 12 != 237)
		f.target[0].format = f.blend[0].internal[1] & 0x3fffff;
	if ((r32(d->map, state + 16) >> 8 & 3) == 3)
		f.flags |= MALI_FRAG_SHADER_Z | MALI_FRAG_DEPTH_TEST |
			   (misc >> 27 & 1 ? MALI_FRAG_DEPTH_WRITE : 0);
	if (!read_draw(d, dcd, false, MALI_STAGE_FRAGMENT, &w))
		return false;
	w.frag = &f;
	for (i = 0; i + per <= d->n; i += per) {
		f.primitive = i / per;
		for (k = 0; k < per; k++) {
			f.index[k] = i + k;
			for (j = 0; j < 4; j++)
				f.vertex[k][j] = r32(d->map, positions + 16 * (i + k) + 4 * j);
		}
		if (d->points)
			f.point_size = point_size(d, i);
		if (!run_fragments(d, &w))
			return false;
	}
	return true;
}

static int run(struct draw *d, struct mrf *g, u64 va)
{
	u32 type = 0, prim, max, i;
	bool ok;

	for (d->job = va; d->job; d->job = r64(d->map, d->job + 24)) {
		type = r32(d->map, d->job + 16) >> 1 & 127;
		if (type == MALI_JOB_TILER || type == MALI_JOB_INDEXED_VERTEX)
			break;
	}
	if (!d->job)
		return 0;
	prim = r32(d->map, d->job + OFF_PRIMITIVE);
	d->n = r32(d->map, d->job + OFF_PRIMITIVE + 12) + 1;
	d->points = (prim & 255) == 1;
	if (((prim & 255) != 8 && !d->points) || prim >> 8 & 7 || d->n > 256)
		return 0;
	max = r32(d->map, r64(d->map, d->job + OFF_FRAGMENT + 96) + 28);
	g->width = (max & 0xffff) + 1;
	g->height = (max >> 16) + 1;
	if (g->width > MRF_FB_MAX || g->height > MRF_FB_MAX)
		return 0;
	for (i = 0; i < MRF_FB_MAX * MRF_FB_MAX; i++) {
		g->fb[i] = g->clear;
		g->depth[i] = 1;
	}
	if (type == MALI_JOB_TILER)
		ok = bench_vertex_jobs(d->b, d->map, MALI_V7, va, d->gpu, &d->fault) &&
		     fragments(d, g, r64(d->map, d->job + OFF_FRAGMENT + 16));
	else
		ok = vertices(d, d->job + OFF_VERTEX, false) &&
		     vertices(d, d->job + OFF_VERTEX, true) && fragments(d, g, DRAW_POSITIONS);
	return ok ? 1 : -1;
}

int draw_run(struct bench *b, struct mrf *g, const struct vs_map *map, u64 va, u32 gpu,
	     const struct vs_program *prog, char *why, size_t size)
{
	struct draw d = { .b = b, .map = map, .gpu = gpu, .prog = prog };
	int ret;

	d.chain.arch = MALI_V7;
	d.chain.tlb.map = map;
	d.chain.limits.max_memory = 1 << 24;
	ret = run(&d, g, va);
	if (ret < 0)
		snprintf(why, size, "fault %u (%s) pc %u address %llx info %x", d.fault.kind,
			 mali_exec_reason_text(d.fault.code), d.fault.pc,
			 (unsigned long long)d.fault.address, d.fault.info);
	mali_free_blocks(&d.chain);
	return ret;
}
