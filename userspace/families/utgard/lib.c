// SPDX-License-Identifier: MIT
/*
 * Mali Utgard in the library.
 */
#include <errno.h>

#include "lint.h"
#include "utgard_disasm.h"
#include "vsh_isa.h"

static int check_native(const struct drm_vshader_native_job *n)
{
	if (n->model > DRM_VSHADER_UTGARD_MALI450)
		return vsh_fail(EINVAL, "native job: unknown GPU %u", n->model);
	if (n->switches)
		return vsh_fail(EINVAL, "native job: unknown Mali switches %#x", n->switches);
	return 0;
}

static int list_gp(const struct vs_src *src, char *buf, size_t size)
{
	return ugp_listing(src->words[VS_SECTION_CODE], src->nwords[VS_SECTION_CODE], buf, size);
}

static int list_pp(const struct vs_src *src, char *buf, size_t size)
{
	return upp_listing(src->words[VS_SECTION_CODE], src->nwords[VS_SECTION_CODE], buf, size);
}

static int assemble_gp(const char *text, size_t size, const struct vs_as_options *opt,
		       struct vshader_binary *bin, struct vs_as_diag *diag)
{
	return vsh_assemble_words(vs_as_utgard_gp, DRM_VSHADER_STAGE_VERTEX, text, size,
				  &bin->prog, diag);
}

static int assemble_pp(const char *text, size_t size, const struct vs_as_options *opt,
		       struct vshader_binary *bin, struct vs_as_diag *diag)
{
	return vsh_assemble_words(vs_as_utgard_pp, DRM_VSHADER_STAGE_FRAGMENT, text, size,
				  &bin->prog, diag);
}

const struct vsh_isa vsh_utgard_gp_isa = {
	.disasm = { ugp_disasm, list_gp },
	.lint = ugp_lint,
	.assemble = assemble_gp,
	.check_native = check_native,
};

const struct vsh_isa vsh_utgard_pp_isa = {
	.disasm = { upp_disasm, list_pp },
	.lint = upp_lint,
	.assemble = assemble_pp,
	.check_native = check_native,
};
