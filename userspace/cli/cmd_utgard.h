/* SPDX-License-Identifier: MIT */
/*
 * disasm, asm and verify of Utgard programs: words, text or MBS1 containers.
 */
#ifndef VSHADER_CMD_UTGARD_H
#define VSHADER_CMD_UTGARD_H

#include "cli.h"

static inline bool is_utgard(uint32_t engine)
{
	return engine == DRM_VSHADER_ENGINE_UTGARD_GP || engine == DRM_VSHADER_ENGINE_UTGARD_PP;
}

/* Return: exit status. */
int utgard_disasm(const char *path, const struct program_options *opt, bool json);
int utgard_asm(const char *path, const char *output, const struct program_options *opt);
int utgard_verify(const char *path, const struct program_options *opt, bool json);

#endif /* VSHADER_CMD_UTGARD_H */
