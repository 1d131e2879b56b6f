// SPDX-License-Identifier: GPL-2.0
/*
 * Execution of Mali job chains: any memory, any programs and descriptors in it. The input is a
 * GPU, the address of the chain and runs of memory (address, length, bytes), as captures have
 * them. Pages that a run touches are mapped; whatever is there, the job ends.
 */
#include "fuzz.h"

#include "isa/mali/mali_run.h"
#include "native/native.h"

#define PAGE		4096
#define MAX_PAGES	64
#define MEMORY		(1U << 20)
#define BUDGET		200000

struct space {
	uint64_t page[MAX_PAGES];	/* sorted */
	uint32_t npages;
	uint8_t *bytes[MAX_PAGES];	/* of an extent */
	struct vs_extent ext[MAX_PAGES];
	uint32_t next;
};

struct run {
	uint64_t va;
	uint64_t len;
	const uint8_t *bytes;
};

static uint64_t fuzz_u64(struct fuzz_in *in)
{
	uint64_t v = 0;
	uint32_t i;

	for (i = 0; i < 64; i += 16)
		v |= (uint64_t)fuzz_u16(in) << i;
	return v;
}

/* Return: false if there is none. */
static bool next_run(struct fuzz_in *in, struct run *r)
{
	if (in->left < 16)
		return false;
	r->va = fuzz_u64(in) & (1ULL << 48) - 1;
	r->len = fuzz_u64(in) & 0xffff;
	r->len = r->len < in->left ? r->len : in->left;
	r->bytes = in->p;
	in->p += r->len;
	in->left -= r->len;
	return true;
}

static void add_page(struct space *s, uint64_t page)
{
	uint32_t i = s->npages;

	while (i && s->page[i - 1] > page)
		i--;
	if ((i && s->page[i - 1] == page) || s->npages == MAX_PAGES)
		return;
	memmove(&s->page[i + 1], &s->page[i], (s->npages - i) * sizeof(*s->page));
	s->page[i] = page;
	s->npages++;
}

/* Extents are memory of their own, so that sanitizers see where they end. */
static void map_pages(struct space *s)
{
	uint32_t i, n;

	for (i = 0; i < s->npages; i += n) {
		struct vs_extent *e = &s->ext[s->next];

		for (n = 1; i + n < s->npages && s->page[i + n] == s->page[i] + n; n++)
			;
		s->bytes[s->next] = calloc(n, PAGE);
		MUST(s->bytes[s->next]);
		e->lo = s->page[i] * PAGE;
		e->hi = e->lo + n * PAGE;
		e->kva = s->bytes[s->next++];
		e->flags = VS_EXT_WRITE | VS_EXT_EXEC;
	}
}

static void copy_in(struct space *s, uint64_t va, uint8_t byte)
{
	uint32_t i;

	for (i = 0; i < s->next; i++)
		if (va >= s->ext[i].lo && va < s->ext[i].hi)
			s->ext[i].kva[va - s->ext[i].lo] = byte;
}

static void fill(struct space *s, struct fuzz_in in)
{
	struct fuzz_in again = in;
	struct run r;
	uint64_t i;

	while (next_run(&in, &r))
		for (i = r.va / PAGE; i <= (r.va + r.len) / PAGE; i++)
			add_page(s, i);
	map_pages(s);
	while (next_run(&again, &r))
		for (i = 0; i < r.len; i++)
			copy_in(s, r.va + i, r.bytes[i]);
}

static void run_job(struct vs_native *n)
{
	const struct vs_job_limits limits = { .budget = BUDGET, .simd = VS_SIMD_PORTABLE,
					      .slice = 3000 };
	struct vs_job *job = vs_job_new(vs_native_map(n), &limits, vs_native_phases(n));
	struct vs_worker *w;
	uint32_t steps = 0;

	MUST(job);
	if (!vs_native_add_phases(n, job)) {
		w = vs_worker_new(vs_job_arena(job));
		MUST(w);
		while (vs_job_step(job, w) != VS_RUN_DONE)
			MUST(++steps < 100000);
		MUST(vs_job_get_fault(job)->kind <= VS_FAULT_HAZARD);
		vs_worker_free(w);
	}
	vs_job_free(job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_in in = { data, size };
	uint32_t what = fuzz_u8(&in), gpu = what % MALI_NUM_GPUS, i;
	struct space s = {};
	struct vs_map map = { .ext = s.ext };
	struct vs_native_in job = {
		.format = mali_gpu_is_midgard(gpu) ? VS_NATIVE_MIDGARD_CHAIN :
						     VS_NATIVE_BIFROST_CHAIN,
		.model = gpu, .va = fuzz_u64(&in), .map = &map, .memory = MEMORY,
		.max_memory = MEMORY,
		.switches = what & 128 ? MALI_SW_FUSED_FMA : 0,
	};
	struct vs_native_state *state = vs_native_state_new(job.format);
	struct vs_fault fault;
	struct vs_native *n;

	fill(&s, in);
	map.n = s.next;
	if (!vs_native_parse(&job, state, &n, &fault)) {
		run_job(n);
		vs_native_free(n);
	}
	vs_native_state_free(state);
	for (i = 0; i < s.next; i++)
		free(s.bytes[i]);
	return 0;
}
