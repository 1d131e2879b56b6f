/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Fault records.
 */
#ifndef VSHADER_FAULT_H
#define VSHADER_FAULT_H

#include "debug/fault.h"

/**
 * vshader_fault_state - state of a queue whose job had a fault
 * @kind: enum drm_vshader_fault_kind
 *
 * Return: bits of enum drm_vshader_queue_state; 0: the queue stays usable.
 */
u32 vshader_fault_state(u32 kind);

/**
 * vshader_fault_name - name of a fault kind
 * @kind: enum drm_vshader_fault_kind
 *
 * Return: text.
 */
const char *vshader_fault_name(u32 kind);

#endif /* VSHADER_FAULT_H */
