// SPDX-License-Identifier: MIT
/*
 * The table of instruction sets, from kernel/isa/isas.def.
 */
#include "lint.h"
#include "vsh_isa.h"

static const struct vsh_isa *const isas[VS_MAX_ISAS] = {
#define VS_ISA(NAME, number, isa, family) [number] = &vsh_##isa,
#include "isa/isas.def"
#undef VS_ISA
};

const struct vsh_isa *vsh_isa_of(uint32_t engine)
{
	static const struct vsh_isa none;

	return engine < VS_MAX_ISAS && isas[engine] ? isas[engine] : &none;
}

const struct vs_disasm *vs_disasm_of(const struct vs_isa *isa)
{
	return &vsh_isa_of(isa->id)->disasm;
}

int vs_lint(const struct vs_isa *isa, const struct vs_src *src, struct vs_log *log)
{
	const struct vsh_isa *v = vsh_isa_of(isa->id);

	return v->lint ? v->lint(src, log) : 0;
}
