/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Programs.
 */
#ifndef VSHADER_PROGRAM_H
#define VSHADER_PROGRAM_H

#include <linux/kref.h>

#include "drm/vshader_drm.h"
#include "isa/isa.h"

struct drm_file;
struct vshader_account;
struct vshader_file;

/**
 * struct vshader_program - A verified program; never changes.
 * @ref: held by the file and by jobs
 * @vs: the program
 * @memory: kernel memory held, bytes
 * @acct: account that it is charged to, which lives longer, or NULL: not yet
 */
struct vshader_program {
	struct kref ref;
	struct vs_program *vs;
	u64 memory;
	struct vshader_account *acct;
};

/**
 * vshader_program_lookup - get a program by its id
 * @vf: file
 * @id: id
 *
 * Return: a reference, or NULL.
 */
struct vshader_program *vshader_program_lookup(struct vshader_file *vf, u32 id);

/**
 * vshader_program_put - drop a reference
 * @prog: program or NULL
 */
void vshader_program_put(struct vshader_program *prog);

/* The ioctls; arguments as in the uAPI. */
int vshader_program_create(struct drm_file *file, struct drm_vshader_program_create *args);
int vshader_program_destroy(struct drm_file *file, struct drm_vshader_program_destroy *args);
int vshader_program_query(struct drm_file *file, struct drm_vshader_program_query *args);

#endif /* VSHADER_PROGRAM_H */
