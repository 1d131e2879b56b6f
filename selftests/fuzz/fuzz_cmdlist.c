// SPDX-License-Identifier: GPL-2.0
/*
 * PICA200 command lists: parsed, and if accepted executed with a small budget on the best
 * and on the portable executor, which must agree.
 *
 * Input: a byte of model and switches, a byte that seeds memory, then words: the list. The
 * second half of the words is also in guest memory, where lists can jump to. With the byte's
 * highest bit the words are requests to the units beside the command processor.
 */
#include "fuzz.h"

#include "engine/vs_job.h"
#include "native/native.h"

#define MEM_VA		0x10000000ULL
#define MEM_WORDS	16384
#define LIST_WORDS	4096
#define BUDGET		40000

struct outcome {
	uint32_t mem[MEM_WORDS];
	struct vs_fault fault;
	int parsed;
};

static void fill(uint32_t *mem, const uint32_t *list, uint32_t n, uint8_t seed)
{
	uint32_t s = seed, i;

	for (i = 0; i < MEM_WORDS; i++) {
		uint32_t v = fuzz_next(&s);

		mem[i] = i < MEM_WORDS / 2 ? (v & 0x80ffffff) | (110 + v % 30) << 23 : 0;
	}
	memcpy(mem, list + n / 2, 4 * (n - n / 2));
}

static void run(struct vs_native *n, enum vs_simd simd, struct vs_fault *fault)
{
	struct vs_job_limits lim = { .budget = BUDGET, .simd = simd, .slice = 5000 };
	struct vs_job *job = vs_job_new(vs_native_map(n), &lim, vs_native_phases(n));
	struct vs_worker *w = vs_worker_new(0);
	uint32_t steps = 0;
	enum vs_run r;

	MUST(job && w);
	MUST(vs_native_add_phases(n, job) == 0);
	do {
		r = vs_job_step(job, w);
		MUST(++steps < 1000000);
	} while (r != VS_RUN_DONE);
	*fault = *vs_job_get_fault(job);
	vs_job_free(job);
	vs_worker_free(w);
}

static void once(const uint32_t *list, uint32_t nwords, uint8_t mode, uint8_t seed,
		 enum vs_simd simd, struct outcome *o)
{
	uint32_t format = mode & 0x80 ? VS_NATIVE_PICA_GX : VS_NATIVE_PICA_CMDLIST;
	struct vs_native_state *state = vs_native_state_new(format);
	struct vs_extent ext = {
		MEM_VA, MEM_VA + sizeof(o->mem), (u8 *)o->mem, VS_EXT_WRITE
	};
	struct vs_map map = { 1, &ext };
	struct vs_native_in in = {
		.format = format, .words = list, .nwords = nwords, .va = MEM_VA,
		.map = &map, .max_memory = 8 << 20, .max_draws = 16,
	};
	struct vs_native *n = NULL;

	if (format == VS_NATIVE_PICA_GX) {
		in.nwords &= ~7u;
	} else {
		in.output_va = MEM_VA + 2 * MEM_WORDS;
		in.output_size = 2 * MEM_WORDS;
		in.model = mode & 1;
		in.switches = (mode & 1 ? mode >> 1 & 6 : mode >> 1 & 7) | (mode & 0x70) |
			      (seed & 0xe0) << 2;
	}
	MUST(state);
	fill(o->mem, list, nwords, seed);
	memset(&o->fault, 0, sizeof(o->fault));
	o->parsed = vs_native_parse(&in, state, &n, &o->fault);
	if (!o->parsed) {
		MUST(vs_native_memory(n) <= in.max_memory);
		run(n, simd, &o->fault);
		vs_native_free(n);
	} else {
		MUST(o->parsed == -ENOEXEC || o->parsed == -EINVAL || o->parsed == -E2BIG);
		MUST(o->parsed != -ENOEXEC || o->fault.kind == VS_FAULT_FETCH ||
		     o->fault.kind == VS_FAULT_ENCODING || o->fault.kind == VS_FAULT_COMMAND);
	}
	vs_native_state_free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct outcome a, b;
	static uint32_t list[LIST_WORDS];
	struct fuzz_in in = { data, size };
	uint8_t mode = fuzz_u8(&in), seed = fuzz_u8(&in);
	uint32_t n;

	/* the list must be a multiple of 8 bytes: callers see to that */
	fuzz_u16(&in);
	n = fuzz_words(&in, list, LIST_WORDS) & ~1u;
	once(list, n, mode, seed, VS_SIMD_PORTABLE, &a);
	if (a.parsed)
		return 0;
	once(list, n, mode, seed, vs_simd_best(), &b);
	MUST(a.parsed == b.parsed);
	/* charges besides the program's weight differ between builds */
	if (a.fault.kind == VS_FAULT_BUDGET || b.fault.kind == VS_FAULT_BUDGET)
		return 0;
	MUST(a.fault.kind == b.fault.kind);
	MUST(a.fault.pc == b.fault.pc);
	MUST(a.fault.address == b.fault.address);
	MUST(!memcmp(a.mem, b.mem, sizeof(a.mem)));
	return 0;
}
