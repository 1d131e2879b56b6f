/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Packets of the VideoCore IV's control lists. See vc4_cl.h for sources. */
#ifndef VS_VC4_PACKET_H
#define VS_VC4_PACKET_H

#include "../../engine/vs_glue.h"

enum vc4_packet {
	VC4_HALT = 0, VC4_NOP = 1, VC4_FLUSH = 4, VC4_FLUSH_ALL = 5, VC4_START_BINNING = 6,
	VC4_INCREMENT_SEMAPHORE = 7, VC4_WAIT_SEMAPHORE = 8, VC4_BRANCH = 0x10,
	VC4_BRANCH_SUB = 0x11, VC4_RETURN = 0x12, VC4_STORE_MS = 0x18, VC4_STORE_MS_EOF = 0x19,
	VC4_STORE_FULL = 0x1a, VC4_LOAD_FULL = 0x1b, VC4_STORE_GENERAL = 0x1c,
	VC4_LOAD_GENERAL = 0x1d, VC4_INDEXED = 0x20, VC4_ARRAY = 0x21, VC4_LIST_FORMAT = 0x38,
	VC4_GL_STATE = 0x40, VC4_NV_STATE = 0x41, VC4_CONFIG = 0x60, VC4_FLAT = 0x61,
	VC4_POINT_SIZE = 0x62, VC4_LINE_WIDTH = 0x63, VC4_RHT_X = 0x64, VC4_DEPTH_OFFSET = 0x65,
	VC4_CLIP_WINDOW = 0x66, VC4_VIEWPORT = 0x67, VC4_Z_CLIP = 0x68, VC4_XY_SCALE = 0x69,
	VC4_Z_SCALE = 0x6a, VC4_BIN_CONFIG = 0x70, VC4_RENDER_CONFIG = 0x71,
	VC4_CLEAR_COLORS = 0x72, VC4_TILE = 0x73
};

#define VC4_MAX_PACKET	16

/* Bytes of a packet, 0: unknown. */
static inline u32 vc4_packet_bytes(u32 op)
{
	static const u8 bytes[256] = {
		[VC4_HALT] = 1, [VC4_NOP] = 1, [VC4_FLUSH] = 1, [VC4_FLUSH_ALL] = 1,
		[VC4_START_BINNING] = 1, [VC4_INCREMENT_SEMAPHORE] = 1, [VC4_WAIT_SEMAPHORE] = 1,
		[VC4_BRANCH] = 5, [VC4_BRANCH_SUB] = 5, [VC4_RETURN] = 1, [VC4_STORE_MS] = 1,
		[VC4_STORE_MS_EOF] = 1, [VC4_STORE_FULL] = 5, [VC4_LOAD_FULL] = 5,
		[VC4_STORE_GENERAL] = 7, [VC4_LOAD_GENERAL] = 7, [VC4_INDEXED] = 14,
		[VC4_ARRAY] = 10, [VC4_LIST_FORMAT] = 2, [VC4_GL_STATE] = 5, [VC4_NV_STATE] = 5,
		[VC4_CONFIG] = 4, [VC4_FLAT] = 5, [VC4_POINT_SIZE] = 5, [VC4_LINE_WIDTH] = 5,
		[VC4_RHT_X] = 3, [VC4_DEPTH_OFFSET] = 5, [VC4_CLIP_WINDOW] = 9, [VC4_VIEWPORT] = 5,
		[VC4_Z_CLIP] = 9, [VC4_XY_SCALE] = 9, [VC4_Z_SCALE] = 9, [VC4_BIN_CONFIG] = 16,
		[VC4_RENDER_CONFIG] = 11, [VC4_CLEAR_COLORS] = 14, [VC4_TILE] = 3,
	};

	return op < ARRAY_SIZE(bytes) ? bytes[op] : 0;
}

static inline u32 vc4_u16(const u8 *p)
{
	return p[0] | p[1] << 8;
}

static inline u32 vc4_u32(const u8 *p)
{
	return vc4_u16(p) | vc4_u16(p + 2) << 16;
}

/* Bus address without its cache alias. */
static inline u32 vc4_address(u32 va)
{
	return va & 0x3fffffff;
}

#endif /* VS_VC4_PACKET_H */
