// SPDX-License-Identifier: MIT
/*
 * PICA200 in the library: SHBIN containers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/pica/pica_float.h"
#include "lint.h"
#include "pica_disasm.h"
#include "pica_lint.h"
#include "shbin.h"
#include "vsh_isa.h"

static int listing(const struct vs_src *src, char *buf, size_t size)
{
	struct pica_program prog;

	if (src->nwords[VS_SECTION_CODE] > PICA_MAX_CODE ||
	    src->nwords[VS_SECTION_OPDESC] > PICA_MAX_OPDESC)
		return -E2BIG;
	pica_program_init(&prog, src);
	return pica_listing(&prog, buf, size);
}

static int lint(const struct vs_src *src, struct vs_log *log)
{
	static const struct vs_lint_rules rules = {
		pica_lint, pica_lint_name, pica_lint_text, "word", pica_lint_show
	};

	return vs_lint_log(&rules, src, log);
}

static int assemble(const char *text, size_t size, const struct vs_as_options *opt,
		    struct vshader_binary *bin, struct vs_as_diag *diag)
{
	return vs_as_pica(text, size, &bin->as, diag);
}

static int link_sources(const struct vs_as_source *src, uint32_t num, struct vshader_binary *bin,
			struct vs_as_diag *diag)
{
	return vs_as_pica_files(src, num, 0, &bin->as, diag);
}

const struct vsh_isa vsh_pica_isa = {
	.disasm = { pica_disasm, listing },
	.lint = lint,
	.assemble = assemble,
	.link = link_sources,
};

/* ---- containers ---- */

int vshader_binary_load(const void *data, size_t size, struct vshader_binary **out)
{
	struct vshader_binary *bin;
	struct vs_error err = { };
	int ret;

	if (size < 4 || memcmp(data, "DVLB", 4))
		return vsh_fail(EINVAL, "no known container: an SHBIN begins with \"DVLB\"");
	bin = calloc(1, sizeof(*bin));
	if (!bin)
		return vsh_fail(ENOMEM, "out of memory");
	bin->engine = DRM_VSHADER_ENGINE_PICA;
	ret = vs_shbin_parse(data, size, &bin->shbin, &err);
	if (ret) {
		free(bin);
		if (ret == -ENOMEM)
			return vsh_fail(ENOMEM, "out of memory");
		return vsh_fail(-ret, "SHBIN, byte %zu: %s", err.offset, err.text);
	}
	*out = bin;
	return 0;
}

int vshader_binary_constants(const struct vshader_binary *bin, unsigned int index,
			     struct vshader_constants *consts)
{
	const struct vs_shbin_dvle *d = vsh_find_dvle(bin, index);
	uint32_t i, j;

	if (!d)
		return vsh_fail(ENOENT, "program %u does not exist", index);
	memset(consts, 0, sizeof(*consts));
	consts->output_mask = d->out_mask;
	for (i = 0; i < d->nconsts; i++) {
		const struct vs_shbin_const *k = &d->consts[i];

		if (k->type == VS_SHBIN_FLOAT && k->reg < 96) {
			consts->float_mask[k->reg / 32] |= 1u << k->reg % 32;
			for (j = 0; j < 4; j++)
				consts->floats[k->reg][j] = pica_f24_to_f32(k->value[j] & 0xffffff);
		} else if (k->type == VS_SHBIN_INT && k->reg < 4) {
			consts->int_mask |= 1u << k->reg;
			for (j = 0; j < 4; j++)
				consts->ints[k->reg][j] = (uint8_t)k->value[j];
		} else if (k->type == VS_SHBIN_BOOL && k->reg < 16) {
			consts->bool_mask |= 1u << k->reg;
			consts->bools |= (k->value[0] & 1) << k->reg;
		}
	}
	return 0;
}
