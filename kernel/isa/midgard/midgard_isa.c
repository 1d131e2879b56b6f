// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Midgard in the table of instruction sets.
 *
 * An instruction is a quad of 128 bits; entries, reject offsets and the pc of faults count
 * quads. Programs are lowered when a job runs them, because which GPU they are for is the
 * job's to say, and job chains have their programs in memory.
 */
#include "midgard_lower.h"
#include "midgard_text.h"

/* The T860 takes what the T760 takes, and more. */
static int verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
		  struct vs_log *log)
{
	struct mg_check check = { .gpu = MG_T860 };
	int ret = mg_verify(src, rep, &check);

	if (ret != -ENOEXEC)
		return ret;
	*rej = check.reject;
	vs_log_printf(log, "quad %u: %s\n", rej->offset, mg_reason_text(rej->reason));
	return ret;
}

static void put_bundle(struct vs_text *t, const struct mg_view *v)
{
	const struct mg_bundle *b = v->b;
	u32 i;

	switch (b->kind) {
	case MG_KIND_ALU:
		for (i = 0; i < b->nalu; i++) {
			vs_put(t, "%s", i ? "; " : "");
			mg_put_alu(t, v, i);
		}
		for (i = 0; i < b->nbranch; i++) {
			vs_put(t, "%s", i || b->nalu ? "; " : "");
			mg_put_branch(t, v, i);
		}
		break;
	case MG_KIND_LDST:
		mg_put_ldst(t, v, 0);
		vs_put(t, "; ");
		mg_put_ldst(t, v, 1);
		break;
	default:
		mg_put_tex(t, v);
		break;
	}
}

/* The operations of a bundle in one line; quads inside of a bundle may have no text. */
static int disasm(const struct vs_src *src, u32 offset, char *buf, size_t size)
{
	u32 nquads = src->nwords[VS_SECTION_CODE] / 4, written = 0;
	struct vs_text t = { .buf = buf, .size = size };
	struct mg_view v = { .pos = offset, .written = &written };
	struct mg_bundle *b;
	int ret = -ENOEXEC;

	if (offset >= nquads)
		return -EINVAL;
	b = vs_zalloc(sizeof(*b));
	if (!b)
		return -ENOMEM;
	v.b = b;
	if (!mg_bundle_decode(src->words[VS_SECTION_CODE] + 4 * offset, nquads - offset, b, NULL) &&
	    !mg_bundle_check(b, MG_T860, NULL)) {
		put_bundle(&t, &v);
		ret = t.len;
	} else {
		vs_put(&t, "?");
	}
	vs_free(b);
	return ret;
}

static const struct vs_dbg_bank banks[] = {
	{ .first = MG_DBG_REG, .count = 16, .components = 4, .bits = 32,
	  .flags = VS_DBG_BANK_WRITABLE, .name = "r" },
	{ .first = MG_DBG_UNIF, .count = MG_MAX_UNIFORMS, .components = 4, .bits = 32,
	  .flags = VS_DBG_BANK_WRITABLE | VS_DBG_BANK_UNIFORM | VS_DBG_BANK_MINOR, .name = "u" },
};

const struct vs_isa midgard_isa = {
	.id = VS_ISA_MIDGARD,
	.name = "midgard",
	.word_bytes = 16,
	.pc_unit = 1,
	.max_words = MG_MAX_QUADS,
	.stage_mask = 1U << VS_STAGE_VERTEX | 1U << VS_STAGE_FRAGMENT | 1U << VS_STAGE_COMPUTE,
	.va_bits = 48,
	.model_mask = 1,
	.switches = 0,
	.verify = verify,
	.disasm = disasm,
	.reason_text = mg_lower_reason_text,
	.banks = banks,
	.nbanks = ARRAY_SIZE(banks),
	.watch = true,
};
