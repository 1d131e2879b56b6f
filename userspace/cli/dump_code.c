// SPDX-License-Identifier: MIT
/*
 * The code of a dump: its program, or memory around the PC.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_isa.h"
#include "dump.h"

/* Bytes of code in memory before the instruction at fault, and in all. */
#define BEFORE	0x400u
#define BYTES	0x1000u

static struct dbg_code *of_program(const struct vshader_dump *d)
{
	const struct vshader_dump_part *code = &d->part[DRM_VSHADER_DUMP_CODE];
	const struct vshader_dump_part *opdesc = &d->part[DRM_VSHADER_DUMP_OPDESC];
	const struct vshader_dump_part *entries = &d->part[DRM_VSHADER_DUMP_ENTRIES];
	struct vshader_source src = {
		.engine = d->program.engine,
		.stage = d->program.stage,
		.words[DRM_VSHADER_SECTION_CODE] = (const uint32_t *)code->data,
		.num_words[DRM_VSHADER_SECTION_CODE] = (uint32_t)code->count,
		.words[DRM_VSHADER_SECTION_OPDESC] = (const uint32_t *)opdesc->data,
		.num_words[DRM_VSHADER_SECTION_OPDESC] = (uint32_t)opdesc->count,
		.entries = (const uint32_t *)entries->data,
		.num_entries = (uint32_t)entries->count,
	};

	return dbg_code_new("program", &src, NULL, 0, 0);
}

/* Instructions are found by reading on from where the program begins, or near to the fault. */
static struct dbg_code *in_memory(const struct vshader_dump *d)
{
	uint32_t each = jf_insn_words(d->queue.engine) * 4, base = 0, pc = d->job.fault.pc;
	struct vshader_source src = { .engine = d->queue.engine };
	struct dbg_code *c;
	uint32_t *words;
	uint64_t n;

	if (!each || pc == ~0u)
		return NULL;
	if ((uint64_t)pc * each > BEFORE)
		base = pc - BEFORE / each;
	src.stage = DRM_VSHADER_STAGE_COMPUTE;
	words = calloc(1, BYTES);
	if (!words)
		return NULL;
	n = vshader_dump_read(d, d->job.code_va + (uint64_t)base * each, words, BYTES);
	src.words[DRM_VSHADER_SECTION_CODE] = words;
	src.num_words[DRM_VSHADER_SECTION_CODE] = (uint32_t)(n / each * each / 4);
	c = n / each ? dbg_code_new("memory", &src, NULL, 0, base) : NULL;
	if (c)
		c->words = words;
	else
		free(words);
	return c;
}

/* Counters of instructions are addresses. */
static struct dbg_code *at_address(const struct vshader_dump *d)
{
	uint32_t each = jf_insn_words(d->queue.engine) * 4, pc = d->job.fault.pc;
	uint32_t base = pc > BEFORE ? pc - BEFORE : pc % each;
	struct vshader_source src = {
		.engine = d->queue.engine, .stage = DRM_VSHADER_STAGE_COMPUTE,
	};
	struct dbg_code *c;
	uint32_t *words;
	uint64_t n;

	if (!cli_isa_of(d->queue.engine)->bus_mask || pc == ~0u)
		return NULL;
	words = calloc(1, BYTES);
	if (!words)
		return NULL;
	/* the mapping may begin in the middle of an instruction */
	for (n = 0; base < pc && !n; base += n ? 0 : each)
		n = vshader_dump_read(d, base, words, BYTES);
	src.words[DRM_VSHADER_SECTION_CODE] = words;
	src.num_words[DRM_VSHADER_SECTION_CODE] = (uint32_t)(n / each * each / 4);
	c = n / each ? dbg_code_new("memory", &src, NULL, 0, base) : NULL;
	if (c)
		c->words = words;
	else
		free(words);
	return c;
}

struct dbg_code *dump_code(const struct vshader_dump *d)
{
	if (d->job.code_va && !(d->has_program && dbg_is_uploaded(d->job.code_va)))
		return in_memory(d);
	return d->has_program && d->part[DRM_VSHADER_DUMP_CODE].count ? of_program(d) :
	       at_address(d);
}
