// SPDX-License-Identifier: GPL-2.0
/*
 * Control lists of the VideoCore IV: any memory. First byte, bits 0 and 1: a bin job, a render job,
 * both, both and the render job again. Memory follows, at a fixed address, with an unmapped hole
 * after it. It begins with the words of the jobs.
 */
#include "fuzz.h"

#include "engine/vs_intern.h"
#include "native/native.h"
#include "native/vc4/vc4_cl.h"

#define VA		0x10000000
#define MEMORY		(1u << 17)
#define ALLOCATED	(16u << 20)
#define BUDGET		400000
#define BIN_WORDS	0		/* bytes from the start of memory */
#define RENDER_WORDS	16

/* Is the fault that of a job which has been accepted? */
static void check_fault(const struct vs_fault *f, uint32_t format)
{
	MUST(f->kind <= VS_FAULT_HAZARD);
	if (f->kind != VS_FAULT_COMMAND)
		return;
	MUST(f->code);
	MUST(strlen(vs_native_reason_text(format, f->code)) > 1);
}

static void run_job(struct vs_native *n, uint32_t format)
{
	const struct vs_job_limits limits = { .budget = BUDGET, .simd = VS_SIMD_PORTABLE,
					      .slice = 3000 };
	struct vs_job *job = vs_job_new(vs_native_map(n), &limits, vs_native_phases(n));
	struct vs_worker *w;
	uint32_t steps = 0;

	MUST(job);
	MUST(!vs_native_add_phases(n, job));
	w = vs_worker_new(vs_job_arena(job));
	MUST(w);
	while (vs_job_step(job, w) != VS_RUN_DONE)
		MUST(++steps < 100000);
	check_fault(vs_job_get_fault(job), format);
	vs_worker_free(w);
	vs_job_free(job);
}

static void submit(const struct vs_map *map, uint32_t format, const uint8_t *memory)
{
	uint32_t words[VC4_RENDER_DESC_WORDS], n = 4;
	struct vs_native_in in = {
		.format = format, .words = words, .map = map, .memory = ALLOCATED,
		.max_memory = ALLOCATED, .max_draws = 100,
	};
	struct vs_native_state *state = vs_native_state_new(format);
	struct vs_fault fault = {};
	struct vs_native *native;
	int ret;

	memcpy(words, memory + (format == VS_NATIVE_VC4_BIN ? BIN_WORDS : RENDER_WORDS),
	       sizeof(words));
	if (format == VS_NATIVE_VC4_RENDER && words[VC4_RENDER_KIND] == VC4_RENDER_DESC)
		n = VC4_RENDER_DESC_WORDS;
	in.nwords = n;
	in.va = VA + RENDER_WORDS;
	ret = vs_native_parse(&in, state, &native, &fault);
	if (!ret) {
		run_job(native, format);
		vs_native_free(native);
	} else {
		MUST(ret == -ENOEXEC || ret == -EINVAL || ret == -E2BIG || ret == -ENOMEM);
		if (ret == -ENOEXEC)
			check_fault(&fault, format);
	}
	vs_native_state_free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t memory[MEMORY] __aligned(4096);
	struct vs_extent ext = { .lo = VA, .hi = VA + MEMORY, .kva = memory,
				 .flags = VS_EXT_WRITE | VS_EXT_EXEC };
	const struct vs_map map = { .n = 1, .ext = &ext };
	uint32_t what;

	if (!size || size > MEMORY)
		return -1;
	what = data[0] & 3;
	memset(memory, 0, sizeof(memory));
	memcpy(memory, data + 1, size - 1);
	if (what != 1)
		submit(&map, VS_NATIVE_VC4_BIN, memory);
	if (what)
		submit(&map, VS_NATIVE_VC4_RENDER, memory);
	if (what == 3)
		submit(&map, VS_NATIVE_VC4_RENDER, memory);
	return 0;
}
