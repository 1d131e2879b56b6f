// SPDX-License-Identifier: MIT
/*
 * The table of instruction sets in job files, from kernel/isa/isas.def.
 */
#include "isa/isa.h"
#include "jobfile_isa.h"

static const struct jf_isa *const isas[JF_MAX_ISAS] = {
#define VS_ISA(NAME, number, isa, family) [number] = &jf_##isa,
#include "isa/isas.def"
#undef VS_ISA
};

const struct jf_isa *jf_isa_of(uint32_t engine)
{
	static const struct jf_isa none;

	return engine < JF_MAX_ISAS && isas[engine] ? isas[engine] : &none;
}

#define MAX_MORE	4	/* native formats beyond one of each engine */

static bool takes(const struct jf_isa *isa, uint32_t format)
{
	const struct jf_name *n = isa->more_natives;

	for (; n && n->name; n++)
		if (n->value == format)
			return true;
	return isa->format == format;
}

uint32_t jf_native_engine(uint32_t format)
{
	uint32_t i;

	for (i = 0; i < JF_MAX_ISAS; i++)
		if (isas[i] && isas[i]->native && takes(isas[i], format))
			break;
	return i;
}

const struct jf_isa *jf_isa_of_job(const struct vshader_jobfile *jf, const struct jf_job *job)
{
	return jf_isa_of(job->type == DRM_VSHADER_JOB_NATIVE ?
			 jf_native_engine(job->native.format) :
			 jf->programs[job->shader.program].engine);
}

int jf_engine(struct jf_ctx *c, struct json_object *o, const char *key, uint32_t *engine)
{
	struct jf_name names[JF_MAX_ISAS + 1] = { };
	uint32_t i, n = 0;

	for (i = 0; i < JF_MAX_ISAS; i++)
		if (isas[i])
			names[n++] = (struct jf_name){ vshader_engine_name(i), i };
	return jf_enum(c, o, key, names, engine);
}

int jf_native_format(struct jf_ctx *c, struct json_object *o, const char *key, uint32_t *format)
{
	struct jf_name names[JF_MAX_ISAS + MAX_MORE + 1] = { };
	const struct jf_name *more;
	uint32_t i, n = 0, left = MAX_MORE;

	for (i = 0; i < JF_MAX_ISAS; i++) {
		if (!isas[i] || !isas[i]->native)
			continue;
		names[n++] = (struct jf_name){ isas[i]->native, isas[i]->format };
		for (more = isas[i]->more_natives; more && more->name && left; more++, left--)
			names[n++] = *more;
	}
	return jf_enum(c, o, key, names, format);
}

uint32_t jf_insn_words(uint32_t engine)
{
	const struct vs_isa *isa = vs_isa_by_id(engine);

	return isa ? isa->word_bytes / 4 : 1;
}

uint32_t jf_pc_unit(uint32_t engine)
{
	const struct vs_isa *isa = vs_isa_by_id(engine);

	return isa ? isa->pc_unit : 1;
}

uint32_t jf_va_bits(uint32_t engine)
{
	const struct vs_isa *isa = vs_isa_by_id(engine);

	return isa ? isa->va_bits : 32;
}
