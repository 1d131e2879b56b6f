/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The vc4 interface.
 */
#ifndef VS_VC4_UAPI_H
#define VS_VC4_UAPI_H

#include <vc4_drm.h>

/* The version that is implemented. */
#define VC4_MAJOR	0
#define VC4_MINOR	0

/* DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED: the header is not in all builds' paths. */
#define VC4_MOD_LINEAR	0ULL
#define VC4_MOD_T_TILED	0x0700000000000001ULL

/* Ids of performance monitors. */
#define VC4_MIN_PERFMON	1
#define VC4_MAX_PERFMON	0x7fffffff

#endif /* VS_VC4_UAPI_H */
