/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Internals of FRAGMENT jobs. */
#ifndef VS_MALI_FRAME_PRIV_H
#define VS_MALI_FRAME_PRIV_H

#include "mali_frame.h"

/* Raise a fault. Return: -EFAULT. */
int mali_frame_fault(struct mali_frame *f, enum vs_fault_kind kind, u64 va, u32 size);
/* Go on with the draws of the tile. Return: as mali_frame_step(). */
int mali_frame_draw(struct mali_frame *f);

#endif /* VS_MALI_FRAME_PRIV_H */
