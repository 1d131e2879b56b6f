/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Validation: between lists and frames. */
#ifndef VS_VC4_VAL_H
#define VS_VC4_VAL_H

#include "../../pixel/px_format.h"
#include "vc4_validate.h"

#define VC4_MAX_IMAGE	4096	/* pixels */

/* Fill in @why. Return: -EINVAL. */
int vc4_refuse(struct vc4_refusal *why, u32 at, const char *text, u32 value, u32 limit);
/* The same, for a check that Linux 6.1 lacks. */
int vc4_refuse_stricter(struct vc4_refusal *why, u32 at, const char *text, u32 value, u32 limit);
/* Buffer object @index, which must not be a program. Return: NULL: refused. */
struct vc4_val_bo *vc4_data_bo(struct vc4_val_job *j, u32 index, u32 at, struct vc4_refusal *why);
/* Does an image fit into a buffer object of @bytes? @order: PX_LINEAR, PX_LT or PX_T. */
bool vc4_image_fits(enum px_order order, u32 width, u32 height, u32 cpp, u32 offset, u32 bytes);

#endif /* VS_VC4_VAL_H */
