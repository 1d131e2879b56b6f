/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the KUnit suites: programs, memory, jobs.
 */
#ifndef KUNIT_UTIL_H
#define KUNIT_UTIL_H

#include <kunit/test.h>

#include "../include/pica_asm.h"
#include "engine/vs_job.h"
#include "isa/isa.h"
#include "isa/pica/pica_launch.h"

#define KT_VA		0x10000000ULL
#define KT_BYTES	65536

/**
 * struct kt - fixture of tests that run programs
 * @test: the test
 * @mem: guest memory, KT_BYTES at KT_VA
 * @ext: its extent
 * @map: address space of @ext
 * @prog: program
 * @unif: uniforms as the engine wants them
 * @pl: PICA block
 * @launch: launch record
 */
struct kt {
	struct kunit *test;
	u32 *mem;
	struct vs_extent ext;
	struct vs_map map;
	struct vs_program *prog;
	u32 *unif;
	struct pica_launch pl;
	struct vs_launch launch;
};

struct kt *kt_new(struct kunit *test);
void kt_free(struct kt *k);

/* Verify and lower; entry point 0, 128 descriptors of which the first is xyzw. */
int kt_program(struct kt *k, enum vs_stage stage, const u32 *code, u32 ncode,
	       struct vs_reject *rej);

/* v0 from the start of memory, o0 to its second half, @count invocations. */
void kt_launch(struct kt *k, u32 count);

/* Run to the end; the kind of fault. Gives up (and fails) after too many slices. */
enum vs_fault_kind kt_run(struct kt *k, enum vs_simd simd, u64 budget, struct vs_fault *fault);

#define KT_OUT(k)	((k)->mem + KT_BYTES / 8)

#endif
