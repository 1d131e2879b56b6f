// SPDX-License-Identifier: GPL-2.0
/* Captured Midgard jobs, native and as shader jobs. */
#include <dirent.h>

#include "../include/tap.h"
#include "isa/midgard/midgard_lower.h"
#include "mgjob.h"
#include "walked.h"
#include "native/native.h"

#define MEMORY	(2ULL << 20)
#define BUDGET	0x1000000

u32 mg_r32(const struct vs_map *map, u64 va)
{
	u32 v = 0;

	vs_map_read(map, va, &v, 4);
	return v;
}

u64 mg_r64(const struct vs_map *map, u64 va)
{
	u64 v = 0;

	vs_map_read(map, va, &v, 8);
	return v;
}

struct vs_program *mg_program_of(const struct mprog *p, enum vs_stage stage)
{
	const u32 entry = 0;
	const struct vs_src src = { .stage = stage, .words = { p->words },
				    .nwords = { p->nwords }, .entries = &entry, .nentries = 1 };
	struct vs_program *prog = NULL;
	struct vs_log log = {};
	struct vs_reject rej;

	if (vs_program_create(vs_isa_by_id(VS_ISA_MIDGARD), &src, &rej, &log, &prog))
		tap_comment("rejected: %s at %u", mg_lower_reason_text(rej.reason), rej.offset);
	return prog;
}

void mg_shader_of(const struct vs_map *map, u64 dcd, const struct vs_program *prog, u32 gpu,
		  struct mali_shader *s)
{
	u64 state = mg_r64(map, dcd + 56), storage = mg_r64(map, dcd + 112) & ~63ULL;
	u32 props = mg_r32(map, state + 16), counts = mg_r32(map, state + 8);
	u32 attrs = mg_r32(map, state + 12), w = mg_r32(map, dcd);

	*s = (struct mali_shader){
		.map = map, .prog = prog, .gpu = gpu, .memory = RUN_MEMORY,
		.max_memory = RUN_MEMORY, .fp_mode = props >> 29, .work_regs = props >> 16 & 31,
		.ubos = { mg_r64(map, dcd + 24), props & 0xff },
		.textures = { mg_r64(map, dcd + 32), counts >> 16 },
		.samplers = { mg_r64(map, dcd + 40), counts & 0xffff },
		.push = { mg_r64(map, dcd + 48), (props >> 21 & 31) * 4 },
		.attrs = { mg_r64(map, dcd + 72), attrs & 0xffff },
		.attr_bufs = mg_r64(map, dcd + 64),
		.varyings = { mg_r64(map, dcd + 88), attrs >> 16 },
		.varying_bufs = mg_r64(map, dcd + 80),
		.offset_start = mg_r32(map, dcd + 4),
	};
	s->instance_size = (2 * (w >> 21 & 7) + 1) << (w >> 16 & 31);
	s->tls_va = mg_r64(map, storage + 8);
	s->tls_size = s->tls_va ? 16U << (mg_r32(map, storage) & 31) : 0;
	w = mg_r32(map, storage + 4);
	if ((w & 31) == 31 || !(w >> 8 & 31) || prog->src.stage != VS_STAGE_COMPUTE)
		return;
	s->wls_va = mg_r64(map, storage + 16);
	s->wls_size = 1U << ((w >> 8 & 31) - 1);
	s->wls_instances = 1U << (w & 31);
}

bool mg_sizes(const struct vs_map *map, u64 va, struct mali_shader *s)
{
	struct mali_reject why;
	struct walked c;
	bool ok;

	if (walked_read(&c, MALI_V5, map, va, 1 << 24, &why))
		return false;
	ok = c.jobs[0].launch;
	if (ok) {
		memcpy(s->local, c.jobs[0].launch->local, sizeof(s->local));
		memcpy(s->groups, c.jobs[0].launch->groups, sizeof(s->groups));
	}
	walked_free(&c);
	return ok;
}

void mg_fault_text(const struct vs_fault *f, char *buf, size_t size)
{
	snprintf(buf, size, "fault %u (%s) pc %u address %llx info %x", f->kind,
		 f->kind == VS_FAULT_ENCODING ? mg_lower_reason_text(f->code) :
		 mali_exec_reason_text(f->code), f->pc, (unsigned long long)f->address, f->info);
}

/* ---- hand-written jobs ---- */

void mg_execute(struct mjob *j, u64 va, enum vs_simd simd, struct vs_fault *fault)
{
	const struct vs_job_limits limits = { .budget = BUDGET, .simd = simd, .slice = 3000 };
	struct space space;
	const struct vs_native_in in = {
		.format = VS_NATIVE_MIDGARD_CHAIN, .va = va, .model = MALI_T860,
		.map = &space.map, .memory = MEMORY, .max_memory = MEMORY,
	};
	struct vs_native_state *state = vs_native_state_new(in.format);
	struct vs_native *n;
	struct vs_job *job;

	static u8 local[1 << 16];

	memset(fault, 0, sizeof(*fault));
	space_of(&space, &j->g);
	/* the model's group memory has another address */
	space_add(&space, mj_r32(j, MJ_STORAGE + 16), local, sizeof(local));
	if (vs_native_parse(&in, state, &n, fault)) {
		fault->kind = VS_FAULT_COMMAND;
	} else {
		job = vs_job_new(vs_native_map(n), &limits, vs_native_phases(n));
		if (!vs_native_add_phases(n, job))
			run_job(job);
		*fault = *vs_job_get_fault(job);
		vs_job_free(job);
		vs_native_free(n);
	}
	vs_native_state_free(state);
}

/* ---- all cases ---- */

static int is_capture(const struct dirent *d)
{
	const char *only = getenv("MALI_CASE");

	if (only && strncmp(d->d_name, only, strlen(only)))
		return 0;
	return !!strstr(d->d_name, ".submit00.txt");
}

static const struct mg_cases *cases;

/* @programs: include the programs of the other GPU. */
static void run_all(const char *dir, bool programs)
{
	u32 passed[VS_NUM_SIMD] = {}, other = 0, jobs[2] = {}, i;
	struct setup s = { .dir = dir };
	u32 found = 0;
	struct dirent **list;
	char path[1024];
	int n, c;

	snprintf(path, sizeof(path), "%s/capture/%s", dir, CAPTURED);
	n = scandir(path, &list, is_capture, alphasort);
	for (c = 0; c < n; c++) {
		*strchr(list[c]->d_name, '.') = 0;
		s.name = list[c]->d_name;
		if (!cases->wanted(s.name)) {
			free(list[c]);
			continue;
		}
		found++;
		s.other = false;
		s.shader = false;
		for (i = 0; i < VS_NUM_SIMD; i++) {
			s.simd = i;
			if (vs_simd_mask() >> i & 1)
				passed[i] += cases->run(&s);
		}
		s.other = true;
		s.simd = vs_simd_best();
		if (programs)
			other += cases->run(&s);
		s.shader = true;
		for (i = 0; i < 2 && programs; i++) {
			s.other = i;
			jobs[i] += cases->run(&s);
		}
		free(list[c]);
	}
	if (n >= 0)
		free(list);
	tap_result(found, "%s found: %u", cases->what, found);
	for (i = 0; i < VS_NUM_SIMD; i++)
		if (vs_simd_mask() >> i & 1)
			tap_comment("%s on %s: %u of %u", cases->what, vs_simd_name(i), passed[i],
				    found);
	if (programs)
		tap_comment("programs of " OTHER ": %u, as shader jobs %u; of " CAPTURED
			    " %u of %u", other, jobs[1], jobs[0], found);
}

int mg_run_cases(const struct mg_cases *c, int argc, char **argv)
{
	cases = c;
	return run_cases(argc, argv, "MIDGARD_DATA", c->what, run_all);
}
