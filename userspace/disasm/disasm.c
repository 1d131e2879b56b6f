// SPDX-License-Identifier: MIT
/*
 * The table of disassemblers.
 */
#include "bifrost_disasm.h"
#include "disasm.h"
#include "midgard_disasm.h"
#include "pica_disasm.h"
#include "qpu_disasm.h"
#include "utgard_disasm.h"

/**
 * vs_put - add to a text
 * @t: text
 * @fmt: as for printf
 */
void vs_put(struct vs_text *t, const char *fmt, ...)
{
	bool fits = t->buf && t->len < t->size;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(fits ? t->buf + t->len : NULL, fits ? t->size - t->len : 0, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->len += n;
}

static int list_pica(const struct vs_src *src, char *buf, size_t size)
{
	struct pica_program prog;

	if (src->nwords[VS_SECTION_CODE] > PICA_MAX_CODE ||
	    src->nwords[VS_SECTION_OPDESC] > PICA_MAX_OPDESC)
		return -E2BIG;
	pica_program_init(&prog, src);
	return pica_listing(&prog, buf, size);
}

static int list_bi(const struct vs_src *src, char *buf, size_t size)
{
	return bi_listing(src->words[VS_SECTION_CODE], src->nwords[VS_SECTION_CODE], buf, size);
}

static int list_mg(const struct vs_src *src, char *buf, size_t size)
{
	return mg_listing(src->words[VS_SECTION_CODE], src->nwords[VS_SECTION_CODE], buf, size);
}

static int list_ugp(const struct vs_src *src, char *buf, size_t size)
{
	return ugp_listing(src->words[VS_SECTION_CODE], src->nwords[VS_SECTION_CODE], buf, size);
}

static int list_upp(const struct vs_src *src, char *buf, size_t size)
{
	return upp_listing(src->words[VS_SECTION_CODE], src->nwords[VS_SECTION_CODE], buf, size);
}

static const struct vs_disasm disasms[VS_MAX_ISAS] = {
	[VS_ISA_PICA] = { pica_disasm, list_pica },
	[VS_ISA_QPU] = { qpu_disasm, qpu_listing },
	[VS_ISA_BIFROST] = { bi_disasm, list_bi },
	[VS_ISA_MIDGARD] = { mg_disasm, list_mg },
	[VS_ISA_UTGARD_GP] = { ugp_disasm, list_ugp },
	[VS_ISA_UTGARD_PP] = { upp_disasm, list_upp },
};

const struct vs_disasm *vs_disasm_of(const struct vs_isa *isa)
{
	return &disasms[isa->id];
}
