// SPDX-License-Identifier: GPL-2.0
/*
 * Random Midgard compute programs: the engine against the reference model, on every executor.
 * Programs that are defined throughout have to leave the same memory. The table unit's
 * functions are compared by value, as they are not exact.
 */
#include <math.h>

#include "../include/tap.h"
#include "../midgard/mgen.h"
#include "../ref/midgard_ref.h"
#include "isa/midgard/midgard_lower.h"
#include "native/native.h"
#include "run.h"

#define MEMORY	(2ULL << 20)
#define BUDGET	(1ULL << 28)

static const struct {
	const char *name;
	unsigned int flags;
} classes[] = {
	{ "integers of 32 bits", 0 },
	{ "integers of all widths", MGEN_WIDTHS },
	{ "floats of 32 bits", MGEN_FLOATS },
	{ "everything of all widths", MGEN_WIDTHS | MGEN_FLOATS },
	{ "flow", MGEN_FLOW },
	{ "memory", MGEN_MEMORY },
	{ "memory of the group", MGEN_SHARED },
	{ "all of it", MGEN_WIDTHS | MGEN_FLOATS | MGEN_FLOW | MGEN_MEMORY | MGEN_SHARED },
};

/**
 * struct outcome - what programs of a class did
 * @same:	memory as the model has it
 * @differ:	memory is another one
 * @unsupported: operations that the engine rejects
 * @faults:	other faults
 * @text:	of the first one that is wrong
 */
struct outcome {
	u32 same;
	u32 differ;
	u32 unsupported;
	u32 faults;
	char text[160];
};

/* A chain that the model has in its memory. */
static void execute(struct mjob *j, u64 va, enum vs_simd simd, struct vs_fault *fault)
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
	/* the model has the group's memory somewhere else */
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

static void compare(struct mjob *want, struct mjob *got, u32 seed, struct outcome *o)
{
	u32 i, a, b;

	for (i = 0; i < MJ_DATA_SIZE; i += 4) {
		a = mj_r32(want, MJ_DATA + i);
		b = mj_r32(got, MJ_DATA + i);
		if (a == b)
			continue;
		if (!o->differ++)
			snprintf(o->text, sizeof(o->text), "seed %u: %08x for %08x at %x", seed, b, a,
				 i);
		return;
	}
	o->same++;
}

static void one(u32 seed, u32 flags, enum vs_simd simd, struct outcome *o)
{
	struct mjob want, got;
	struct vs_fault fault;
	struct mcode c, d;
	u64 va;

	mj_new(&want);
	mj_new(&got);
	mgen_job(&want, &c, seed, flags);
	mgen_job(&got, &d, seed, flags);
	if (!mj_run(&want, &c)) {
		if (!o->faults++)
			snprintf(o->text, sizeof(o->text), "seed %u: model: %.100s", seed,
				 want.g.error);
		goto out;
	}
	va = mj_write(&got, &d);
	execute(&got, va, simd, &fault);
	if (fault.kind == VS_FAULT_ENCODING && fault.size == MG_UNSUPPORTED) {
		if (!o->unsupported++ && getenv("MGDIFF_VERBOSE"))
			tap_comment("seed %u: unsupported %x at %u", seed, fault.info, fault.pc);
	} else if (fault.kind) {
		if (!o->faults++)
			snprintf(o->text, sizeof(o->text), "seed %u: fault %u %x pc %u at %llx",
				 seed, fault.kind, fault.size, fault.pc,
				 (unsigned long long)fault.address);
	} else {
		compare(&want, &got, seed, o);
	}
out:
	mj_free(&want);
	mj_free(&got);
}

static void class(u32 k, u32 programs, enum vs_simd simd)
{
	struct outcome o = {};
	u32 i;

	for (i = 1; i <= programs; i++)
		one(i + 1000 * k, classes[k].flags, simd, &o);
	/* 64-bit floats are not executed: every other program must be */
	tap_result(!o.differ && !o.faults && o.same > programs / 8,
		   "%s, %s: %u the same, %u differ, %u unsupported, %u faults %s",
		   classes[k].name, vs_simd_name(simd), o.same, o.differ, o.unsupported, o.faults,
		   o.text);
}

int main(void)
{
	const char *n = getenv("MIDGARD_PROGRAMS");
	u32 programs = n ? (u32)atoi(n) : 100, k, simd;

	tap_start();
	for (k = 0; k < ARRAY_SIZE(classes); k++)
		for (simd = 0; simd < VS_NUM_SIMD; simd++)
			if (vs_simd_mask() >> simd & 1)
				class(k, programs, simd);
	return tap_done();
}
