// SPDX-License-Identifier: MIT
/*
 * PICA200 on the command line.
 */
#include <string.h>

#include "bench_pica.h"
#include "pica.h"

static void print_info(const struct drm_vshader_program_info *i)
{
	printf("  %-16s %u micro-ops, %u slots, %llu bytes\n", "engine", i->uops, i->slots,
	       (unsigned long long)i->memory);
	asm_print_mask("inputs read", i->inputs, "v");
	asm_print_mask("outputs written", i->outputs, "o");
	asm_print_mask("temporaries", i->temps, "r");
	printf("  %-16s %u rows\n", "float uniforms", i->uniform_rows);
	asm_print_mask("int uniforms", i->const_ints, "i");
	asm_print_mask("bool uniforms", i->const_bools, "b");
}

static bool owns(const uint8_t *data, size_t len)
{
	return len >= 4 && !memcmp(data, "DVLB", 4);
}

static const char * const names[] = { "pica200", "3ds", "dmp", NULL };
static const char * const suffixes[] = { ".pica", ".asm", ".vsh", ".gsh", NULL };

const struct cli_isa cli_pica_isa = {
	.names = names,
	.owns = owns,
	.stages = "pica: vertex (default) or geometry",
	.opdesc = true,
	.container = "shbin~(pica)",
	.language = "picasso's language (pica)",
	.suffixes = suffixes,
	.print_info = print_info,
	.comment = ';',
	.uploads = true,
	.stray_text = "words written to registers that do not exist, no effect",
	.json_states = pica_json_states,
	.fragments = true,
	.print_results = pica_print_results,
	.json_results = pica_json_results,
	.bench = &bench_pica,
};
