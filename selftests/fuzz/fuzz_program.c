// SPDX-License-Identifier: GPL-2.0
/*
 * PICA200 verifier, decoder, disassembler, lowering and executors.
 *
 * Input: 10 bytes (stage, model and switches, entry point, words of code, invocations,
 * boolean and integer uniforms, seed of the data), code words, then operand descriptors.
 * An accepted program runs with a small budget on every executor; all executors must
 * produce the same memory and fault.
 */
#include "../../userspace/disasm/disasm.h"
#include "../../userspace/lint/lint.h"
#include "fuzz.h"

#include "engine/vs_job.h"
#include "isa/isa.h"
#include "isa/pica/pica_launch.h"

#define MEM_VA		0x10000000ULL
#define MEM_WORDS	8192
#define BUDGET		40000

struct input {
	uint8_t stage, mode, count, bools, loops, seed;
	uint32_t entry;
	uint32_t code[1024], desc[128];
	uint32_t ncode, ndesc;
};

static void read_input(const uint8_t *data, size_t size, struct input *i)
{
	struct fuzz_in in = { data, size };
	uint32_t want;

	i->stage = fuzz_u8(&in) & 1;
	i->mode = fuzz_u8(&in);
	i->entry = fuzz_u16(&in);
	want = fuzz_u16(&in);
	i->count = fuzz_u8(&in);
	i->bools = fuzz_u8(&in);
	i->loops = fuzz_u8(&in);
	i->seed = fuzz_u8(&in);
	i->ncode = fuzz_words(&in, i->code, want < 1024 ? want : 1024);
	i->ndesc = fuzz_words(&in, i->desc, 128);
}

static void check_text(const struct vs_isa *isa, const struct vs_src *src)
{
	const struct vs_disasm *dis = vs_disasm_of(isa);
	char text[160];
	uint32_t w;

	for (w = 0; w < src->nwords[VS_SECTION_CODE]; w++) {
		memset(text, 0x55, sizeof(text));
		dis->insn(src, w, text, sizeof(text));
		MUST(memchr(text, 0, sizeof(text)));
		/* no room is no harm either */
		dis->insn(src, w, text, 1);
		MUST(!text[0]);
	}
}

static void check_reject(const struct vs_isa *isa, const struct vs_reject *r,
			 const struct vs_src *src)
{
	MUST(r->reason);
	MUST(r->section < VS_NUM_SECTIONS);
	/* an existing word, the missing one after the last, or a bad entry point */
	MUST(r->offset <= src->nwords[r->section] || r->offset == src->entries[0]);
	MUST(r->field_lo <= r->field_hi && r->field_hi < 32);
	MUST(isa->reason_text(r->reason));
}

/* Fills @launch; false if the PICA block does not suit the program. */
static bool make_launch(const struct vs_program *prog, const struct input *in,
			struct vs_launch *l, uint32_t *unif)
{
	static uint32_t floats[96][4];
	struct pica_launch pl = {
		.model = in->mode & 1, .switches = in->mode >> 1 & PICA_SW_ALL,
		.floats = (const u32 (*)[4])floats, .nfloats = 96, .bools = in->bools * 0x101,
	};
	uint32_t seed = in->seed, i;
	const char *what;

	for (i = 0; i < 96 * 4; i++) {
		/* numbers of all sizes, some special */
		static const uint32_t special[] = {
			0, 0x80000000, 0x3f800000, 0x7f800000, 0x7fc00000, 1, 0xff800000,
			0x42c80000,
		};
		uint32_t v = fuzz_next(&seed);

		floats[i / 4][i % 4] = v % 5 ? (v & 0x80ffffff) | (100 + v % 50) << 23 :
				       special[v / 5 % 8];
	}
	for (i = 0; i < 16; i++)
		pl.ints[i / 4][i % 4] = (in->loops >> i % 4) * (i + 1);
	memset(l, 0, sizeof(*l));
	l->count = in->count;
	l->instances = 1;
	for (l->nattr = 0; l->nattr < 4; l->nattr++) {
		l->attr[l->nattr] = (struct vs_stream){
			.va = MEM_VA + 64 * l->nattr, .stride = 16, .format = VS_FMT_F32,
			.reg = l->nattr, .ncomp = 4,
		};
	}
	if (prog->src.stage == VS_STAGE_GEOMETRY) {
		pl.output_mask = 0x0007;
		pl.max_prims = 4;
		pl.prims_va = MEM_VA + 4 * MEM_WORDS / 2;
	} else {
		for (l->nout = 0; l->nout < 3; l->nout++) {
			l->out[l->nout] = (struct vs_stream){
				.va = MEM_VA + 4 * MEM_WORDS / 2 + 4096 * l->nout, .stride = 16,
				.format = VS_FMT_F32, .reg = l->nout, .ncomp = 4,
			};
		}
	}
	return pica_launch_fill(prog, &pl, l, in->entry, unif, &what) == 0;
}

struct outcome {
	uint32_t mem[MEM_WORDS];
	struct vs_fault fault;
	uint64_t weight;
};

static void run(const struct vs_launch *l, uint8_t seed, enum vs_simd simd, struct outcome *o)
{
	struct vs_extent ext = {
		MEM_VA, MEM_VA + sizeof(o->mem), (u8 *)o->mem, VS_EXT_WRITE
	};
	struct vs_map map = { 1, &ext };
	struct vs_job_limits lim = { .budget = BUDGET, .simd = simd, .slice = 5000 };
	struct vs_job *job = vs_job_new(&map, &lim, 1);
	static struct vs_worker *w;
	uint32_t s = seed, i, steps = 0;

	for (i = 0; i < MEM_WORDS; i++) {
		uint32_t v = fuzz_next(&s);

		o->mem[i] = i < MEM_WORDS / 2 ? (v & 0x80ffffff) | (110 + v % 30) << 23 : 0;
	}
	if (!w)
		w = vs_worker_new(0);
	MUST(w && job);
	MUST(vs_job_add_launch(job, l) == 0);
	while (vs_job_step(job, w) != VS_RUN_DONE)
		MUST(++steps < 100000);
	o->fault = *vs_job_get_fault(job);
	o->weight = vs_job_weight(job);
	vs_job_free(job);
}

static void compare_executors(const struct vs_launch *l, uint8_t seed)
{
	static struct outcome first, other;
	bool have = false;
	int simd;

	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() & 1u << simd))
			continue;
		run(l, seed, simd, have ? &other : &first);
		/* a little over is fine: weights are charged at checks */
		MUST((have ? &other : &first)->weight <= 2 * BUDGET + 100000);
		/* charges besides the program's weight differ between builds */
		if (have && (first.fault.kind == VS_FAULT_BUDGET ||
			     other.fault.kind == VS_FAULT_BUDGET))
			return;
		if (have) {
			MUST(first.fault.kind == other.fault.kind);
			MUST(first.fault.pc == other.fault.pc);
			MUST(first.fault.invocation == other.fault.invocation);
			MUST(first.fault.address == other.fault.address);
			MUST(!memcmp(first.mem, other.mem, sizeof(first.mem)));
		}
		have = true;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct vs_isa *isa = vs_isa_by_id(VS_ISA_PICA);
	static struct input in;
	static char log[4096];
	struct vs_log text = { log, sizeof(log), 0 };
	struct vs_program *prog = NULL;
	struct vs_reject rej = { 0 };
	struct vs_launch launch;
	uint32_t *unif, bad;
	struct vs_src src;
	int ret;

	read_input(data, size, &in);
	src = (struct vs_src){
		.stage = in.stage,
		.words = { in.code, in.desc },
		.nwords = { in.ncode, in.ndesc },
		.entries = &in.entry,
		.nentries = 1,
	};
	check_text(isa, &src);
	ret = vs_program_create(isa, &src, &rej, &text, &prog);
	if (ret) {
		MUST(ret == -ENOEXEC || ret == -EINVAL || ret == -E2BIG);
		if (ret == -ENOEXEC)
			check_reject(isa, &rej, &src);
		return 0;
	}
	MUST(vs_prog_verify(prog->prog, &bad) == 0);
	MUST(vs_lint(isa, &src, &text) >= 0);
	unif = calloc(prog->prog->nunif + 1, 4);
	MUST(unif);
	if (make_launch(prog, &in, &launch, unif))
		compare_executors(&launch, in.seed);
	free(unif);
	vs_program_destroy(prog);
	return 0;
}
