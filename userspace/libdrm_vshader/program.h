/* SPDX-License-Identifier: MIT */
/*
 * Programs on their way into the engine, shared by the local backend and the functions
 * that need no device.
 */
#ifndef VSHADER_PROGRAM_H
#define VSHADER_PROGRAM_H

#include "isa/isa.h"
#include "priv.h"

/* vs_program_create() with error texts. */
int vsh_program_new(const struct vshader_source *src, struct vshader_diag *diag,
		    struct vs_program **out);
/* Add warnings about an accepted program to @diag. */
int vsh_program_lint(const struct vshader_source *src, struct vshader_diag *diag);
void vsh_reject(const struct vs_reject *in, struct drm_vshader_reject *out);
void vsh_program_info(const struct vs_program *p, struct drm_vshader_program_info *info);

#endif /* VSHADER_PROGRAM_H */
