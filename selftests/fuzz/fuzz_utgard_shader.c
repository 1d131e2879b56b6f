// SPDX-License-Identifier: GPL-2.0
/*
 * Execution of Utgard shader jobs: any program, any launch, any memory. The input is the job,
 * its streams and its program, then the memory at a fixed address. Accepted jobs terminate,
 * rejected ones have a reason.
 */
#include "fuzz.h"

#include "native/utgard/utgard_job.h"

#define VA		0x10000
#define MEMORY		(1U << 20)
#define MAX_BYTES	16384
#define MAX_WORDS	2048
#define BUDGET		200000
#define NSTREAMS	4

#define PIXEL		0x01	/* bits of the first byte */
#define FP32		0x02
#define BACK		0x04
#define INDEXED		0x08

static uint32_t words[MAX_WORDS];

/* Now and then outside of the memory. */
static uint64_t address(struct fuzz_in *in)
{
	return VA + fuzz_u16(in);
}

static void stream(struct fuzz_in *in, struct utgard_stream *s, bool output)
{
	static const uint8_t bits[] = { 8, 16, 32, 32 };
	uint8_t form = fuzz_u8(in), comp = form % 6;

	s->va = address(in);
	s->stride = fuzz_u8(in);
	s->reg = fuzz_u8(in) % 16;
	s->divisor = output ? 0 : form >> 6 & 1;
	if (!utgard_format(output ? PX_FLOAT : (enum px_comp)comp, bits[form >> 3 & 3],
			   (form >> 4 & 3) + 1, &s->format))
		utgard_format(PX_FLOAT, 32, (form >> 4 & 3) + 1, &s->format);
}

static void vertices(struct fuzz_in *in, uint8_t what, struct utgard_shader *s)
{
	uint32_t i;

	s->gp.count = fuzz_u8(in);
	s->gp.instances = fuzz_u8(in) % 3 + 1;
	s->gp.first = fuzz_u8(in);
	s->gp.index_size = what & INDEXED ? 1 << fuzz_u8(in) % 3 : 0;
	s->gp.index_va = address(in);
	s->gp.uniforms = address(in);
	s->gp.nrows = fuzz_u16(in) % (UGP_MAX_ROWS + 1);
	s->gp.nattr = NSTREAMS;
	s->gp.nout = NSTREAMS;
	for (i = 0; i < NSTREAMS; i++) {
		stream(in, &s->in[i], false);
		stream(in, &s->out[i], true);
	}
}

static void target(struct fuzz_in *in, struct upp_target *t)
{
	uint8_t form = fuzz_u8(in);

	t->va = address(in);
	t->row_stride = fuzz_u8(in);
	t->order = form % 2 ? PX_LINEAR : PX_TILED;
	t->reg = (form >> 1) % UPP_NUM_REGS;
	utgard_format(form & 16 ? PX_FLOAT : PX_UNORM, 16, (form >> 5 & 3) + 1, &t->format);
}

static void fragments(struct fuzz_in *in, uint8_t what, struct utgard_shader *s)
{
	struct mali_frag *f = &s->frag;
	uint32_t i;

	s->pp.switches = what & FP32 ? UPP_SW_FP32 : 0;
	f->flags = what & BACK ? MALI_FRAG_BACK : 0;
	f->prim = fuzz_u8(in) % MALI_NUM_PRIMS;
	f->x = fuzz_u8(in) & ~1U;
	f->width = fuzz_u8(in) % 32;
	f->height = fuzz_u8(in) % 32;
	f->point_size = (uint32_t)fuzz_u16(in) << 16;
	for (i = 0; i < 12; i++)
		f->vertex[i / 4][i % 4] = (uint32_t)fuzz_u16(in) << 16;
	for (i = 0; i < 3; i++)
		f->index[i] = fuzz_u8(in);
	s->pp.temps = fuzz_u16(in) % (UPP_MAX_TEMPS + 1);
	s->pp.uniforms = address(in);
	s->pp.nrows = fuzz_u16(in);
	s->textures = address(in);
	s->pp.ntextures = fuzz_u8(in) % 4;
	s->pp.nin = NSTREAMS;
	for (i = 0; i < NSTREAMS; i++) {
		stream(in, &s->in[i], false);
		s->in[i].divisor = 0;
	}
	s->pp.ntargets = 2;
	target(in, &s->pp.target[0]);
	target(in, &s->pp.target[1]);
	s->pp.mask = address(in);
	s->pp.mask_stride = fuzz_u8(in);
	s->pp.depth = address(in);
	s->pp.depth_stride = fuzz_u8(in);
}

static void run_job(struct utgard_job *u, const struct vs_map *map)
{
	const struct vs_job_limits limits = { .budget = BUDGET, .simd = VS_SIMD_PORTABLE,
					      .slice = 3000 };
	struct vs_job *job = vs_job_new(map, &limits, 1);
	struct vs_worker *w;
	const struct vs_fault *f;
	uint32_t steps = 0;

	MUST(job && !utgard_job_add(u, job));
	w = vs_worker_new(vs_job_arena(job));
	MUST(w);
	while (vs_job_step(job, w) != VS_RUN_DONE)
		MUST(++steps < 100000);
	f = vs_job_get_fault(job);
	MUST(f->kind <= VS_FAULT_HAZARD);
	if (f->kind == VS_FAULT_COMMAND)
		MUST(strcmp(utgard_reason_text(f->code), "?"));
	vs_worker_free(w);
	vs_job_free(job);
}

static void run(struct fuzz_in *in, struct vs_program *prog, struct utgard_shader *s)
{
	size_t size = in->left < MAX_BYTES ? in->left : MAX_BYTES;
	uint8_t *memory = malloc(size + 1);
	struct vs_extent ext = { VA, VA + size + 1, memory, VS_EXT_WRITE };
	struct vs_map map = { .n = 1, .ext = &ext };
	struct utgard_job *u;
	const char *what;
	int ret;

	MUST(memory);
	memcpy(memory, in->p, size);
	memory[size] = 0;
	s->map = &map;
	s->prog = prog;
	s->memory = 4 * MEMORY;
	s->max_memory = s->memory;
	ret = utgard_shader_new(s, &what, &u);
	MUST(ret ? ret == -EINVAL && *what : !!u);
	if (!ret) {
		run_job(u, &map);
		utgard_job_free(u);
	}
	free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint32_t entry;
	struct fuzz_in in = { data, size }, code;
	uint8_t what = fuzz_u8(&in);
	struct utgard_shader s = {};
	struct vs_src src = { .entries = &entry, .nentries = 1 };
	struct vs_program *prog;
	struct vs_reject rej;
	size_t n = 4 * (size_t)(fuzz_u16(&in) % MAX_WORDS);

	code = in;
	code.left = n < in.left ? n : in.left;
	in.p += code.left;
	in.left -= code.left;
	src.stage = what & PIXEL ? VS_STAGE_FRAGMENT : VS_STAGE_VERTEX;
	src.words[VS_SECTION_CODE] = words;
	src.nwords[VS_SECTION_CODE] = fuzz_words(&code, words, MAX_WORDS);
	if (vs_program_create(vs_isa_by_id(what & PIXEL ? VS_ISA_UTGARD_PP : VS_ISA_UTGARD_GP),
			      &src, &rej, NULL, &prog))
		return 0;
	if (what & PIXEL)
		fragments(&in, what, &s);
	else
		vertices(&in, what, &s);
	run(&in, prog, &s);
	vs_program_destroy(prog);
	return 0;
}
