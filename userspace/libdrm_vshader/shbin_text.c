// SPDX-License-Identifier: MIT
/*
 * Contents of an SHBIN beside its words, as directives of the assembler: in front of the listing,
 * they make the same container again.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shbin.h"

static const char *const out_types[] = { "position", "normalquat", "color", "texcoord0",
					 "texcoord0w", "texcoord1", "texcoord2", NULL, "view",
					 "dummy" };

static void put_mode(FILE *f, const struct vs_shbin_dvle *d)
{
	if (d->type != VS_SHBIN_GEOMETRY)
		return;
	/* the uniforms below have their registers: none is left to be chosen */
	switch (d->gs_mode) {
	case VS_SHBIN_GS_POINT:
		fprintf(f, ".gsh point c95\n");
		break;
	case VS_SHBIN_GS_VARIABLE:
		fprintf(f, ".gsh variable c95 %u\n", d->gs_variable_count);
		break;
	default:
		fprintf(f, ".gsh fixed c95 c%u %u\n", d->gs_fixed_start, d->gs_fixed_count);
	}
}

/* The assembler writes "$" as ".", which is none of a name's characters. */
static void put_name(FILE *f, const char *name)
{
	for (; *name; name++)
		fputc(*name == '.' ? '$' : *name, f);
}

static void put_reg(FILE *f, const struct vs_shbin_reg *r)
{
	const char *directive = r->kind == 'v' ? "in" : r->kind == 'c' ? "fvec" :
				r->kind == 'i' ? "ivec" : "bool";
	uint32_t n = r->last - r->first + 1u;

	if (r->kind == '?' || (r->kind == 'v' && n > 1)) {
		fprintf(f, "; registers %#x to %#x %s\n", r->raw_first, r->raw_last, r->name);
		return;
	}
	fprintf(f, ".%s ", directive);
	put_name(f, r->name);
	if (n > 1)
		fprintf(f, "[%u]", n);
	fprintf(f, " %c%u\n", r->kind, r->first);
}

static void put_out(FILE *f, const struct vs_shbin_out *o)
{
	const char *type = o->type <= VS_SHBIN_OUT_GENERIC ? out_types[o->type] : NULL;
	unsigned int i;

	fprintf(f, "%s.out - %s o%u", type ? "" : "; ", type ? type : "?", o->reg);
	for (i = 0; o->mask != 15 && i < 4; i++) {
		if (o->mask >> i & 1)
			fprintf(f, "%s%c", o->mask & ((1u << i) - 1) ? "" : ".", "xyzw"[i]);
	}
	fputc('\n', f);
}

/* 1.7.16; exact in binary32 but for zeros and what the assembler flushes */
static float f24_value(uint32_t v)
{
	uint32_t exp = v >> 16 & 0x7f, bits = (v & 0x800000) << 8;
	float out;

	if (exp == 0x7f)
		bits |= 0x7f800000 | (v & 0xffff) << 7;
	else if (exp)
		bits |= (exp + 64) << 23 | (v & 0xffff) << 7;
	memcpy(&out, &bits, sizeof(out));
	return out;
}

static void put_const(FILE *f, const struct vs_shbin_const *c)
{
	unsigned int i;

	if (c->type == VS_SHBIN_BOOL) {
		fprintf(f, ".setb b%u %s\n", c->reg, c->value[0] ? "true" : "false");
		return;
	}
	fprintf(f, c->type == VS_SHBIN_INT ? ".seti i%u(" : ".setf c%u(", c->reg);
	for (i = 0; i < 4; i++) {
		fputs(i ? ", " : "", f);
		if (c->type == VS_SHBIN_INT)
			fprintf(f, "%u", c->value[i]);
		else
			fprintf(f, "%.9g", (double)f24_value(c->value[i]));
	}
	fprintf(f, ")\n");
}

int vs_shbin_text(const struct vs_shbin_dvle *d, char **text)
{
	size_t size;
	FILE *f = open_memstream(text, &size);
	uint32_t i;

	if (!f)
		return -ENOMEM;
	put_mode(f, d);
	for (i = 0; i < d->nregs; i++)
		put_reg(f, &d->regs[i]);
	for (i = 0; i < d->nouts; i++)
		put_out(f, &d->outs[i]);
	for (i = 0; i < d->nconsts; i++)
		put_const(f, &d->consts[i]);
	fprintf(f, ".entry 0x%03x, 0x%03x\n", d->entry, d->end);
	if (fclose(f))
		return -ENOMEM;
	return 0;
}
