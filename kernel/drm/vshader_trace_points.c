// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Instances of the tracepoints.
 */
#include "vshader_device.h"
#include "vshader_job.h"
#include "vshader_queue.h"

#ifndef __CHECKER__
#define CREATE_TRACE_POINTS
#include "vshader_trace.h"
#endif
