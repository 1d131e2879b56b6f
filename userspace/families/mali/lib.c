// SPDX-License-Identifier: MIT
/*
 * Mali Bifrost and Midgard in the library.
 */
#include <errno.h>

#include "bifrost_disasm.h"
#include "isa/mali/mali_run.h"
#include "lint.h"
#include "midgard_disasm.h"
#include "vsh_isa.h"

static int check_native(const struct drm_vshader_native_job *n)
{
	if (mali_gpu_arch(n->model) == MALI_NUM_ARCH)
		return vsh_fail(EINVAL, "native job: unknown GPU %u", n->model);
	if (n->switches & ~MALI_SW_CHAIN)
		return vsh_fail(EINVAL, "native job: unknown Mali switches %#x",
				n->switches & ~MALI_SW_CHAIN);
	return 0;
}

static int list_bifrost(const struct vs_src *src, char *buf, size_t size)
{
	return bi_listing(src->words[VS_SECTION_CODE], src->nwords[VS_SECTION_CODE], buf, size);
}

static int list_midgard(const struct vs_src *src, char *buf, size_t size)
{
	return mg_listing(src->words[VS_SECTION_CODE], src->nwords[VS_SECTION_CODE], buf, size);
}

static int assemble_bifrost(const char *text, size_t size, const struct vs_as_options *opt,
			    struct vshader_binary *bin, struct vs_as_diag *diag)
{
	return vsh_assemble_words(vs_as_bifrost, DRM_VSHADER_STAGE_COMPUTE, text, size, &bin->prog,
				  diag);
}

static int assemble_midgard(const char *text, size_t size, const struct vs_as_options *opt,
			    struct vshader_binary *bin, struct vs_as_diag *diag)
{
	return vsh_assemble_words(vs_as_midgard, DRM_VSHADER_STAGE_COMPUTE, text, size, &bin->prog,
				  diag);
}

const struct vsh_isa vsh_bifrost_isa = {
	.disasm = { bi_disasm, list_bifrost },
	.lint = bi_lint,
	.assemble = assemble_bifrost,
	.check_native = check_native,
};

const struct vsh_isa vsh_midgard_isa = {
	.disasm = { mg_disasm, list_midgard },
	.assemble = assemble_midgard,
	.check_native = check_native,
};
