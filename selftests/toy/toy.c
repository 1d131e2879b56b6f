// SPDX-License-Identifier: GPL-2.0
/*
 * Toy ISA: what a new ISA provides, at its smallest: a struct vs_isa and a struct
 * vshader_family. A phase function interprets the words.
 */
#include "engine/vs_intern.h"
#include "families/family.h"
#include "toy.h"

#define MAX_WORDS	64
/* Instructions per call of the phase function. */
#define SLICE		1000

/* ---- ISA ---- */

static int reject(struct vs_reject *rej, u32 reason, u32 at, u32 value)
{
	*rej = (struct vs_reject){ .reason = reason, .offset = at, .value = value };
	return -ENOEXEC;
}

static int verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
		  struct vs_log *log)
{
	const u32 *words = src->words[VS_SECTION_CODE];
	u32 n = src->nwords[VS_SECTION_CODE], i, op;

	rep->code_words = n;
	rep->reachable_words = n;
	for (i = 0; i < n; i++) {
		op = words[i] >> 24;
		if (op >= TOY_NUM_OPS)
			return reject(rej, TOY_OPCODE, i, op);
		if (op == TOY_JNZ && (words[i] & 0xffffff) >= n)
			return reject(rej, TOY_TARGET, i, words[i] & 0xffffff);
	}
	/* execution cannot run past the last word */
	if (!n || words[n - 1] >> 24 != TOY_END)
		return reject(rej, TOY_NO_END, n, 0);
	for (i = 0; i < src->nentries; i++)
		if (src->entries[i] >= n)
			return reject(rej, TOY_TARGET, 0, src->entries[i]);
	return 0;
}

static const char *reason_text(u32 reason)
{
	static const char *const texts[] = {
		[TOY_OPCODE] = "unknown opcode",
		[TOY_TARGET] = "target outside the program",
		[TOY_NO_END] = "the last word is not an end",
	};

	return reason && reason < ARRAY_SIZE(texts) ? texts[reason] : "?";
}

const struct vs_isa toy_isa = {
	.id = VS_ISA_TOY,
	.name = "toy",
	.word_bytes = 4,
	.pc_unit = 1,
	.max_words = MAX_WORDS,
	.stage_mask = 1U << VS_STAGE_COMPUTE,
	.va_bits = 32,
	.model_mask = 1,
	.verify = verify,
	.reason_text = reason_text,
};

/* ---- execution ---- */

/**
 * struct toy - Work of a job.
 * @prog: program
 * @map: address space
 * @in: input
 * @out: output
 * @entry: first word
 * @count: number of invocations
 * @inv: current invocation
 * @pc: its next word
 * @acc: its accumulator
 */
struct toy {
	const struct vs_program *prog;
	const struct vs_map *map;
	u64 in;
	u64 out;
	u32 entry;
	u32 count;
	u32 inv;
	u32 pc;
	u32 acc;
};

static void fault(const struct toy *t, struct vs_job *job, enum vs_fault_kind kind, u64 address,
		  u32 size)
{
	struct vs_fault f;

	vs_fault_memory(&f, kind, address, size);
	f.pc = t->pc;
	f.invocation = t->inv;
	vs_job_fault(job, &f);
}

/* Return: false after a fault. */
static bool access(struct toy *t, struct vs_job *job, bool store)
{
	u64 va = (store ? t->out : t->in) + 4ULL * t->inv;
	u64 done = store ? vs_map_write(t->map, va, &t->acc, 4) :
			   vs_map_read(t->map, va, &t->acc, 4);

	if (done < 4)
		fault(t, job, store ? VS_FAULT_WRITE : VS_FAULT_READ, va, 4);
	return done == 4;
}

/* Return: false after a fault. */
static bool step(struct toy *t, struct vs_job *job)
{
	u32 word = t->prog->src.words[VS_SECTION_CODE][t->pc];
	u32 operand = word & 0xffffff, imm = (u32)((s32)(word << 8) >> 8);

	switch (word >> 24) {
	case TOY_END:
		t->inv++;
		t->pc = t->entry;
		t->acc = 0;
		return true;
	case TOY_SET:
		t->acc = imm;
		break;
	case TOY_ADD:
		t->acc += imm;
		break;
	case TOY_MUL:
		t->acc *= imm;
		break;
	case TOY_JNZ:
		t->pc = t->acc ? operand : t->pc + 1;
		return true;
	default:
		if (!access(t, job, word >> 24 == TOY_STORE))
			return false;
	}
	t->pc++;
	return true;
}

static enum vs_run phase(struct vs_job *job, void *arg)
{
	u64 room = job->lim.budget - min(job->lim.budget, vs_job_weight(job));
	struct toy *t = arg;
	u32 first = t->inv, n;
	bool ok = true;

	for (n = 0; n < SLICE && n < room && t->inv < t->count && ok; n++)
		ok = step(t, job);
	vs_job_account(job, n, t->inv - first);
	if (!ok || t->inv == t->count)
		return VS_RUN_IDLE;
	if (n < room)
		return VS_RUN_MORE;
	fault(t, job, VS_FAULT_BUDGET, 0, 0);
	return VS_RUN_IDLE;
}

/* ---- family ---- */

static int check(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
		 const struct toy_block *b)
{
	if (b->pad)
		return s->ops->fail(s, EINVAL, "Toy job: pad is not 0");
	if (b->count > s->max_invocations)
		return s->ops->fail(s, E2BIG, "Toy job: %u invocations, the limit is %u",
				    b->count, s->max_invocations);
	if (s->prog && !vs_program_has_entry(s->prog, d->entry))
		return vshader_shader_refused(s, -EINVAL, "entry");
	return 0;
}

static int make(const struct vshader_shader *s, const struct drm_vshader_shader_job *d, void **work)
{
	struct toy_block b;
	struct toy *t;
	int ret;

	ret = vshader_shader_block(s, d, &b, sizeof(b));
	if (!ret)
		ret = check(s, d, &b);
	if (!ret)
		ret = vshader_shader_check_va(s, b.in_va, 4ULL * b.count, "in_va");
	if (!ret)
		ret = vshader_shader_check_va(s, b.out_va, 4ULL * b.count, "out_va");
	if (ret || !s->prog || !b.count)
		return ret;
	t = vs_zalloc(sizeof(*t));
	if (!t)
		return s->ops->fail(s, ENOMEM, "out of memory");
	*t = (struct toy){
		.prog = s->prog,
		.map = s->map,
		.in = b.in_va,
		.out = b.out_va,
		.entry = d->entry,
		.count = b.count,
		.pc = d->entry,
	};
	*work = t;
	return 0;
}

static int add(void *work, struct vs_job *engine)
{
	return vs_job_add_fn(engine, phase, work);
}

static void work_free(void *work)
{
	vs_free(work);
}

const struct vshader_family toy_family = {
	.name = "Toy",
	.block_name = "Toy block",
	.block_size = sizeof(struct toy_block),
	.make = make,
	.add = add,
	.free = work_free,
};
