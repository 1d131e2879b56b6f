// SPDX-License-Identifier: MIT
/*
 * The table of instruction sets on the command line, from kernel/isa/isas.def.
 */
#include "cli_isa.h"

static const struct cli_isa *const isas[JF_MAX_ISAS] = {
#define VS_ISA(NAME, number, isa, family) [number] = &cli_##isa,
#include "isa/isas.def"
#undef VS_ISA
};

const struct cli_isa *cli_isa_of(uint32_t engine)
{
	static const struct cli_isa none = { .comment = ';' };

	return engine < JF_MAX_ISAS && isas[engine] ? isas[engine] : &none;
}

const struct cli_isa *cli_isa_of_job(const struct vshader_jobfile *jf, const struct jf_job *job)
{
	return cli_isa_of(job->type == DRM_VSHADER_JOB_NATIVE ?
			  jf_native_engine(job->native.format) :
			  jf->programs[job->shader.program].engine);
}
