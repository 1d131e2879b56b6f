// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Fault records.
 */
#include <linux/kernel.h>

#include "vshader_fault.h"

static const char * const names[] = {
	[DRM_VSHADER_FAULT_NONE] = "none",
	[DRM_VSHADER_FAULT_READ] = "read",
	[DRM_VSHADER_FAULT_WRITE] = "write",
	[DRM_VSHADER_FAULT_FETCH] = "fetch",
	[DRM_VSHADER_FAULT_MISALIGNED] = "misaligned",
	[DRM_VSHADER_FAULT_ENCODING] = "encoding",
	[DRM_VSHADER_FAULT_BUDGET] = "budget",
	[DRM_VSHADER_FAULT_TIMEOUT] = "timeout",
	[DRM_VSHADER_FAULT_DEADLOCK] = "deadlock",
	[DRM_VSHADER_FAULT_HANG] = "hang",
	[DRM_VSHADER_FAULT_OVERFLOW] = "overflow",
	[DRM_VSHADER_FAULT_COMMAND] = "command",
	[DRM_VSHADER_FAULT_CANCELED] = "canceled",
	[DRM_VSHADER_FAULT_HAZARD] = "hazard",
};

const char *vshader_fault_name(u32 kind)
{
	return kind < ARRAY_SIZE(names) ? names[kind] : "unknown";
}

u32 vshader_fault_state(u32 kind)
{
	switch (kind) {
	case DRM_VSHADER_FAULT_NONE:
	case DRM_VSHADER_FAULT_CANCELED:
		return 0;
	case DRM_VSHADER_FAULT_BUDGET:
	case DRM_VSHADER_FAULT_TIMEOUT:
		return DRM_VSHADER_QUEUE_STATE_TIMEDOUT;
	default:
		return DRM_VSHADER_QUEUE_STATE_FAULT;
	}
}
