/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The lima interface.
 */
#ifndef VS_LIMA_UAPI_H
#define VS_LIMA_UAPI_H

#include <lima_drm.h>

/* The version that is implemented. */
#define LIMA_MAJOR	1
#define LIMA_MINOR	1

#endif /* VS_LIMA_UAPI_H */
