// SPDX-License-Identifier: GPL-2.0
/*
 * Execution of Mali job chains: any memory, any programs and descriptors in it. The input is a
 * GPU and the form of a large extent, the address of the chain and runs of memory (address,
 * length, bytes), as captures have them. Pages that a run touches are mapped; whatever is there,
 * the job ends.
 */
#include "fuzz_extent.h"

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
	struct vs_extent ext[MAX_PAGES + 1];
	struct vs_extent large;		/* or all zeros */
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

static bool is_large(const struct space *s, uint64_t page)
{
	return page * PAGE >= s->large.lo && page * PAGE < s->large.hi;
}

/* Pages from the @i-th on. Extents are separate allocations, so that sanitizers detect overruns. */
static uint32_t map_some(struct space *s, uint32_t i)
{
	uint32_t n = 1, at = 0;
	struct vs_extent *e;

	while (i + n < s->npages && s->page[i + n] == s->page[i] + n &&
	       !is_large(s, s->page[i + n]))
		n++;
	while (s->bytes[at])
		at++;
	s->bytes[at] = (uint8_t *)calloc(n, PAGE);
	MUST(s->bytes[at]);
	e = &s->ext[s->next++];
	e->lo = s->page[i] * PAGE;
	e->hi = e->lo + n * PAGE;
	e->kva = s->bytes[at];
	e->flags = VS_EXT_WRITE | VS_EXT_EXEC;
	return n;
}

/* In order. */
static void map_pages(struct space *s)
{
	bool large = s->large.hi;
	uint32_t i = 0;

	while (i < s->npages || large) {
		if (large && (i == s->npages || s->page[i] * PAGE >= s->large.lo)) {
			s->ext[s->next++] = s->large;
			large = false;
		} else {
			i += is_large(s, s->page[i]) ? 1 : map_some(s, i);
		}
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

/* Additional memory at 2^32. Forms as those of fuzz_range(). */
static void add_form(struct space *s, uint32_t form)
{
	struct vs_extent e = fuzz_range(form, 8 * PAGE);
	uint64_t at;

	/* whole pages, as the driver maps them */
	e.lo &= ~(PAGE - 1ull);
	e.hi &= ~(PAGE - 1ull);
	for (at = e.lo; at < e.hi && !fuzz_is_large(form); at += PAGE)
		add_page(s, at / PAGE);
	if (!fuzz_is_large(form))
		return;
	s->large = e;
	s->large.kva = fuzz_large(e.hi - e.lo);
	s->large.flags = VS_EXT_WRITE | VS_EXT_EXEC;
}

static void run_job(struct vs_native *n, enum vs_simd simd)
{
	const struct vs_job_limits limits = { .budget = BUDGET, .simd = simd, .slice = 3000 };
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
	uint32_t form = (what & 127) / MALI_NUM_GPUS % FUZZ_FORMS;
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

	add_form(&s, form);
	fill(&s, in);
	map.n = s.next;
	if (!vs_native_parse(&job, state, &n, &fault)) {
		/* those without sanitizers are stopped by the page after the extent */
		run_job(n, form ? vs_simd_best() : VS_SIMD_PORTABLE);
		vs_native_free(n);
	}
	vs_native_state_free(state);
	for (i = 0; i < MAX_PAGES; i++)
		free(s.bytes[i]);
	return 0;
}
