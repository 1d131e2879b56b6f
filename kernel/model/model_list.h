/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Families of register models. */
#ifndef VS_MODEL_LIST_H
#define VS_MODEL_LIST_H

#include "model_ops.h"

static const struct vs_model_ops * const vs_model_families[] = {
	&mali_model_ops,
	&utgard_model_ops,
};

#endif /* VS_MODEL_LIST_H */
