// SPDX-License-Identifier: GPL-2.0
/*
 * Execution of Mali shader jobs: any program, any launch, any descriptors. The input is a GPU,
 * a stage and the form of a further extent, the program (words, or text for the assembler), the
 * launch, and the memory at a fixed address, which holds descriptors and blend programs.
 * Accepted jobs terminate, rejected ones have a reason.
 */
#include "fuzz_extent.h"

#include "native/mali/mali_job.h"
#include "vs_as.h"

#define VA		0x10000
#define MEMORY		(2U << 20)
#define MAX_BYTES	16384
#define MAX_WORDS	2048
#define MAX_TEXT	8192
#define BUDGET		200000
#define NTARGETS	3

static uint32_t fuzz_u32(struct fuzz_in *in)
{
	uint32_t low = fuzz_u16(in);

	return low | (uint32_t)fuzz_u16(in) << 16;
}

static uint32_t form;		/* of the further extent */

/* Now and then outside of the memory, at the ends of the further extent, or none. */
static uint64_t address(struct fuzz_in *in)
{
	const struct vs_extent e = fuzz_range(form, MAX_BYTES);
	uint16_t at = fuzz_u16(in);

	if (at == 0xffff)
		return 0;
	if (!form || at < 0xe000)
		return VA + at;
	return at < 0xf000 ? e.lo + at - 0xe000 : e.hi + at - 0xffff;
}

static struct mali_table table(struct fuzz_in *in)
{
	uint64_t va = address(in);
	uint8_t n = fuzz_u8(in);

	return (struct mali_table){ va, n == 255 ? 65535 : n };
}

/* Small values of binary32 with few bits. */
static uint32_t number(struct fuzz_in *in)
{
	return (uint32_t)fuzz_u16(in) << 16;
}

static void target(struct fuzz_in *in, struct mali_target *t)
{
	t->va = address(in);
	t->row_stride = fuzz_u8(in) * 4;
	t->order = fuzz_u8(in) % 4;
	t->format = fuzz_u32(in) & 0x3fffff;
	t->sample_stride = fuzz_u16(in);
}

static void fragments(struct fuzz_in *in, struct mali_frag *f)
{
	uint32_t i;

	f->x = fuzz_u8(in) & ~1U;
	f->y = fuzz_u8(in) & ~1U;
	f->width = fuzz_u8(in) % 32;
	f->height = fuzz_u8(in) % 32;
	f->prim = fuzz_u8(in) % MALI_NUM_PRIMS;
	f->flags = fuzz_u16(in);
	for (i = 0; i < 12; i++)
		f->vertex[i / 4][i % 4] = number(in);
	for (i = 0; i < 3; i++)
		f->index[i] = fuzz_u8(in);
	f->provoking = fuzz_u8(in) % 4;
	f->point_size = number(in);
	f->depth_func = fuzz_u8(in) % 9;
	f->alpha_func = fuzz_u8(in) % 9;
	f->alpha_ref = number(in);
	f->samples = fuzz_u8(in) % 17;
	f->sample_mask = fuzz_u16(in);
	f->stencil_side[0] = fuzz_u32(in);
	f->stencil_side[1] = fuzz_u32(in);
	f->stencil_write = fuzz_u16(in);
	target(in, &f->depth);
	target(in, &f->stencil);
	f->ntargets = fuzz_u8(in) % (NTARGETS + 1);
	for (i = 0; i < NTARGETS; i++) {
		target(in, &f->target[i]);
		f->blend[i].flags = fuzz_u32(in);
		f->blend[i].equation = fuzz_u32(in);
		f->blend[i].internal[0] = fuzz_u32(in);
		f->blend[i].internal[1] = fuzz_u32(in);
	}
}

static void launch(struct fuzz_in *in, struct mali_shader *s)
{
	uint32_t i;

	for (i = 0; i < 3; i++)
		s->local[i] = fuzz_u8(in);
	for (i = 0; i < 3; i++)
		s->groups[i] = fuzz_u8(in);
	s->preload = fuzz_u16(in) & MALI_PRELOAD_MASK;
	s->message[0] = fuzz_u16(in);
	s->message[1] = fuzz_u16(in);
	s->ubos = table(in);
	s->push = table(in);
	s->attrs = table(in);
	s->attr_bufs = address(in);
	s->varyings = table(in);
	s->varying_bufs = address(in);
	s->textures = table(in);
	s->samplers = table(in);
	s->tls_va = address(in);
	s->tls_size = fuzz_u16(in);
	s->wls_va = address(in);
	s->wls_size = fuzz_u16(in);
	s->wls_instances = fuzz_u8(in);
	s->offset_start = fuzz_u8(in);
	s->instance_size = fuzz_u8(in);
	s->position = address(in);
	/* of Midgard */
	s->fp_mode = fuzz_u8(in) % 4;
	s->work_regs = fuzz_u8(in) % 17;
	if (mali_gpu_is_midgard(s->gpu))
		return;
	s->fp_mode = 0;
	s->work_regs = 0;
}

static void run_job(struct mali_exec *e, const struct vs_map *map)
{
	/* those without sanitizers are stopped by the page after the extent */
	const struct vs_job_limits limits = { .budget = BUDGET, .slice = 3000,
					      .simd = form ? vs_simd_best() : VS_SIMD_PORTABLE };
	struct vs_job *job = vs_job_new(map, &limits, 1);
	struct vs_worker *w;
	const struct vs_fault *f;
	uint32_t steps = 0;

	MUST(job && !mali_exec_add(e, job));
	w = vs_worker_new(vs_job_arena(job));
	MUST(w);
	while (vs_job_step(job, w) != VS_RUN_DONE)
		MUST(++steps < 100000);
	f = vs_job_get_fault(job);
	MUST(f->kind <= VS_FAULT_HAZARD);
	if (f->kind == VS_FAULT_COMMAND)
		MUST(strcmp(mali_exec_reason_text(f->code), "?"));
	vs_worker_free(w);
	vs_job_free(job);
}

static void run(struct fuzz_in *in, struct mali_shader *s)
{
	size_t size = in->left < MAX_BYTES ? in->left : MAX_BYTES;
	uint8_t *memory = malloc(size + 1);
	struct vs_extent ext[2] = { { VA, VA + size + 1, memory, VS_EXT_WRITE | VS_EXT_EXEC } };
	struct vs_map map = { .n = 1 + !!form, .ext = ext };
	struct mali_exec *e;
	const char *what;
	int ret;

	MUST(memory);
	memcpy(memory, in->p, size);
	memory[size] = 0;
	ext[1] = fuzz_extent(form, &ext[0]);
	s->map = &map;
	s->memory = MEMORY;
	s->max_memory = MEMORY;
	ret = mali_shader_new(s, &what, &e);
	MUST(ret ? ret == -E2BIG || (ret == -EINVAL && *what) : !!e);
	if (!ret) {
		run_job(e, &map);
		mali_exec_free(e);
	}
	free(memory);
}

/* Return: words, to be freed, or NULL. */
static uint32_t *program(struct fuzz_in *code, bool midgard, uint32_t *n)
{
	static struct vs_as_diag diag;
	uint32_t *words;
	int ret;

	if (code->left && *code->p >= ' ' && *code->p < 127) {
		/* programs of nothing but zeroes take time and show nothing */
		if (memmem(code->p, code->left, ".zero", 5) || code->left > MAX_TEXT)
			return NULL;
		ret = (midgard ? vs_as_midgard : vs_as_bifrost)((const char *)code->p, code->left,
								&words, n, NULL, &diag);
		return ret ? NULL : words;
	}
	words = malloc(MAX_WORDS * sizeof(*words));
	MUST(words);
	*n = fuzz_words(code, words, MAX_WORDS);
	return words;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint32_t entry;
	static const uint8_t stages[] = { VS_STAGE_COMPUTE, VS_STAGE_VERTEX, VS_STAGE_FRAGMENT };
	struct fuzz_in in = { data, size }, code;
	uint8_t what = fuzz_u8(&in);
	struct mali_shader s = { .gpu = what % MALI_NUM_GPUS,
				 .switches = what & 128 ? MALI_SW_FUSED_FMA : 0 };
	struct vs_src src = { .stage = stages[what / MALI_NUM_GPUS % 3], .entries = &entry,
			      .nentries = 1 };
	bool midgard = mali_gpu_is_midgard(s.gpu);
	struct vs_program *prog;
	struct vs_reject rej;
	uint32_t *words, n = 0;
	size_t bytes = fuzz_u16(&in);

	form = (what & 127) / (3 * MALI_NUM_GPUS) % FUZZ_FORMS;
	code = in;
	code.left = bytes < in.left ? bytes : in.left;
	in.p += code.left;
	in.left -= code.left;
	words = program(&code, midgard, &n);
	if (!words)
		return 0;
	src.words[VS_SECTION_CODE] = words;
	src.nwords[VS_SECTION_CODE] = n;
	if (!vs_program_create(vs_isa_by_id(midgard ? VS_ISA_MIDGARD : VS_ISA_BIFROST), &src, &rej,
			       NULL, &prog)) {
		s.prog = prog;
		launch(&in, &s);
		if (src.stage == VS_STAGE_FRAGMENT)
			fragments(&in, &s.frag);
		run(&in, &s);
		vs_program_destroy(prog);
	}
	free(words);
	return 0;
}
