// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost in the table of instruction sets.
 *
 * An instruction is a quad of 128 bits; entries, reject offsets and the pc of faults count
 * quads. Clauses are lowered when a job runs them, because which GPU they are for is the
 * job's to say, and job chains have their programs in memory.
 */
#include "bifrost_lower.h"
#include "bifrost_text.h"

#define MAX_TRIED 8	/* entries */

/* Jobs that run the program from an entry would end with a fault at once: say why. */
static int warn(const struct vs_src *src, struct vs_report *rep, struct vs_log *log)
{
	u32 nquads = src->nwords[VS_SECTION_CODE] / 4, n = min_t(u32, src->nentries, MAX_TRIED), i;
	struct simt_arena arena = { .size = bifrost_check_bytes(nquads) };
	struct vs_reject rej;
	int ret = 0;

	arena.base = vs_zalloc(arena.size);
	if (!arena.base)
		return -ENOMEM;
	for (i = 0; i < n && (!ret || ret == -ENOEXEC); i++) {
		simt_arena_reset(&arena, 0);
		ret = bifrost_lower(&arena, src->words[VS_SECTION_CODE], nquads, 0,
				    src->entries[i], BI_NUM_GPUS, src->stage, 0, NULL, &rej);
		if (ret != -ENOEXEC)
			continue;
		rep->warnings++;
		vs_log_printf(log, "quad %u: %s%s%s\n", rej.offset, bi_reason_text(rej.reason),
			      rej.reason == BI_UNSUPPORTED ? ": " : "",
			      rej.reason == BI_UNSUPPORTED ? bifrost_reject_name(&rej) : "");
	}
	vs_free(arena.base);
	return ret == -ENOEXEC ? 0 : ret;
}

/* What only some of the GPUs have is right; what none executes is worth a warning. */
static int verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
		  struct vs_log *log)
{
	struct bi_check check = { .gpu = BI_NUM_GPUS };
	int ret = bi_verify(src, rep, &check);

	if (!ret)
		return warn(src, rep, log);
	if (ret != -ENOEXEC)
		return ret;
	*rej = check.reject;
	vs_log_printf(log, "quad %u: %s\n", rej->offset, bi_reason_text(rej->reason));
	return ret;
}

/* The operations of a clause in one line; quads inside of a clause have no text. */
static int disasm(const struct vs_src *src, u32 offset, char *buf, size_t size)
{
	u32 nquads = src->nwords[VS_SECTION_CODE] / 4, i;
	struct vs_text t = { .buf = buf, .size = size };
	struct bi_view *v;
	int ret = -ENOEXEC;

	if (offset >= nquads)
		return -EINVAL;
	v = vs_zalloc(sizeof(*v));
	if (!v)
		return -ENOMEM;
	v->pos = offset;
	if (!bi_clause_decode(src->words[VS_SECTION_CODE] + 4 * offset, nquads - offset, &v->c)) {
		bi_view_parts(v);
		for (i = 0; i < v->c.ntuples; i++) {
			vs_put(&t, "%s", i ? "; " : "");
			bi_put_op(&t, v, i, BI_FMA);
			vs_put(&t, ", ");
			bi_put_op(&t, v, i, BI_ADD);
		}
		ret = t.len;
	} else {
		vs_put(&t, "?");
	}
	vs_free(v);
	return ret;
}

static const struct vs_dbg_bank banks[] = {
	{ .first = BI_DBG_REG, .count = 64, .components = 1, .bits = 32,
	  .flags = VS_DBG_BANK_WRITABLE, .name = "r" },
	{ .first = BI_DBG_UNIF, .count = BI_DBG_PAIRS, .components = 2, .bits = 32,
	  .flags = VS_DBG_BANK_WRITABLE | VS_DBG_BANK_UNIFORM | VS_DBG_BANK_MINOR, .name = "u" },
};

const struct vs_isa bifrost_isa = {
	.id = VS_ISA_BIFROST,
	.name = "bifrost",
	.word_bytes = 16,
	.pc_unit = 1,
	.max_words = BI_MAX_QUADS,
	.stage_mask = 1U << VS_STAGE_VERTEX | 1U << VS_STAGE_FRAGMENT | 1U << VS_STAGE_COMPUTE,
	.va_bits = 48,
	.model_mask = 1,
	.switches = 1,
	.verify = verify,
	.disasm = disasm,
	.reason_text = bi_reason_text,
	.banks = banks,
	.nbanks = ARRAY_SIZE(banks),
	.watch = true,
};
