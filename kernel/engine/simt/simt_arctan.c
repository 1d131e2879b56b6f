// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Arc tangents. */
#include "simt_arctan.h"

const u32 simt_arctan[SIMT_ARCTAN_TERMS] = {
	0x3f800000, 0xbeaaaaaa, 0x3e4ccc8a, 0xbe124429, 0x3de3299f, 0xbdb7ca82, 0x3d9408ff,
	0xbd5d01ae, 0x3d0a8d5d, 0xbc81aa66, 0x3b9b12f4, 0xba2de7b7,
};
