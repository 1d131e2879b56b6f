/* SPDX-License-Identifier: MIT */
/*
 * Checks of arguments that need no device. The local backend makes these
 * checks; the kernel backend looks here for the reason of an error.
 *
 * All return 0 or a negative errno with the error text set.
 */
#ifndef VSHADER_CHECKS_H
#define VSHADER_CHECKS_H

#include "priv.h"

struct vshader_shader_ops;

/* Copy with zero extension as the uAPI defines it. @what names it in error texts. */
int vsl_copy_struct(void *dst, size_t dst_size, uint64_t src, size_t src_size, size_t min_size,
		    const char *what);
/* *@out is for free(), NULL if the array is empty. */
int vsl_copy_array(const struct drm_vshader_obj_array *in, uint32_t max, size_t size,
		   size_t min_size, void **out, uint32_t *bad, const char *what);

int vsh_check_vm_create(const struct drm_vshader_vm_create *args);
/* @limit: one past the highest address. */
int vsh_check_bind_op(const struct drm_vshader_vm_bind_op *op, uint64_t limit);
int vsh_check_bo_create(const struct drm_vshader_bo_create *args);
/* The sections and entries are referred to, not copied. */
int vsh_take_source(const struct drm_vshader_program_create *args, struct vshader_source *src);
int vsh_check_queue_create(const struct drm_vshader_queue_create *args);
int vsh_check_va(uint64_t va, uint64_t size, uint64_t limit, const char *what);
/* How families read the caller's memory and report errors. */
extern const struct vshader_shader_ops vsh_shader_ops;
int vsh_check_native(const struct drm_vshader_native_job *n, uint64_t limit);
int vsh_check_sync(const struct drm_vshader_sync *y);

/*
 * Look for the reason of an error that the kernel gave, and set the error text if one
 * is found. Reads only the memory that @arg refers to.
 */
void vsh_explain(unsigned long request, const void *arg, int err);

#endif /* VSHADER_CHECKS_H */
