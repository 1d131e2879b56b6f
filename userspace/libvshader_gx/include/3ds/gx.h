/* SPDX-License-Identifier: MIT */
/* Requests to the GPU, and queues of them. */
#ifndef VSHADER_3DS_GX_H
#define VSHADER_3DS_GX_H

#include <3ds/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define GX_BUFFER_DIM(w, h)	(((h) << 16) | ((w) & 0xffff))

typedef enum {
	GX_TRANSFER_FMT_RGBA8,
	GX_TRANSFER_FMT_RGB8,
	GX_TRANSFER_FMT_RGB565,
	GX_TRANSFER_FMT_RGB5A1,
	GX_TRANSFER_FMT_RGBA4,
} GX_TRANSFER_FORMAT;

/* Means of two pixels side by side, or of four. */
typedef enum {
	GX_TRANSFER_SCALE_NO,
	GX_TRANSFER_SCALE_X,
	GX_TRANSFER_SCALE_XY,
} GX_TRANSFER_SCALE;

typedef enum {
	GX_FILL_TRIGGER = 0x001,
	GX_FILL_FINISHED = 0x002,
	GX_FILL_16BIT_DEPTH = 0x000,
	GX_FILL_24BIT_DEPTH = 0x100,
	GX_FILL_32BIT_DEPTH = 0x200,
} GX_FILL_CONTROL;

#define GX_TRANSFER_FLIP_VERT(x)	((x) << 0)
#define GX_TRANSFER_OUT_TILED(x)	((x) << 1)
#define GX_TRANSFER_RAW_COPY(x)		((x) << 3)
#define GX_TRANSFER_IN_FORMAT(x)	((x) << 8)
#define GX_TRANSFER_OUT_FORMAT(x)	((x) << 12)
#define GX_TRANSFER_SCALING(x)		((x) << 24)

/* Flags of command lists; neither changes a result here. */
#define GX_CMDLIST_UPDATE_GAS_ACC	BIT(0)
#define GX_CMDLIST_FLUSH		BIT(1)

typedef union {
	u32 data[8];
	__extension__ struct {
		u8 type;
		u8 unk1;
		u8 unk2;
		u8 unk3;
		u32 args[7];
	};
} gxCmdEntry_s;

typedef struct tag_gxCmdQueue_s {
	gxCmdEntry_s *entries;
	u16 maxEntries;		/* room */
	u16 numEntries;		/* added */
	u16 curEntry;		/* begun */
	u16 lastEntry;		/* ended */
	void (*callback)(struct tag_gxCmdQueue_s *queue);	/* all have ended */
	void *user;
} gxCmdQueue_s;

void gxCmdQueueClear(gxCmdQueue_s *queue);
void gxCmdQueueAdd(gxCmdQueue_s *queue, const gxCmdEntry_s *entry);
/* Execute what was added and what will be added, until it is stopped. */
void gxCmdQueueRun(gxCmdQueue_s *queue);
void gxCmdQueueStop(gxCmdQueue_s *queue);
/* Return: true: all requests have ended. */
bool gxCmdQueueWait(gxCmdQueue_s *queue, s64 timeout);
void gxCmdQueueSetCallback(gxCmdQueue_s *queue, void (*callback)(gxCmdQueue_s *queue), void *user);

/* Requests go to this queue instead of being executed. NULL: they are executed. */
void GX_BindQueue(gxCmdQueue_s *queue);

Result GX_RequestDma(u32 *src, u32 *dst, u32 length);
/* Commands at @buf0a, @buf0s bytes. */
Result GX_ProcessCommandList(u32 *buf0a, u32 buf0s, u8 flags);
/* Two ranges, either of which may be NULL. */
Result GX_MemoryFill(u32 *buf0a, u32 buf0v, u32 *buf0e, u16 control0, u32 *buf1a, u32 buf1v,
		     u32 *buf1e, u16 control1);
/* From the blocks of a frame to the rows of a screen, or between other layouts. */
Result GX_DisplayTransfer(u32 *inadr, u32 indim, u32 *outadr, u32 outdim, u32 flags);
Result GX_TextureCopy(u32 *inadr, u32 indim, u32 *outadr, u32 outdim, u32 size, u32 flags);
Result GX_FlushCacheRegions(u32 *buf0a, u32 buf0s, u32 *buf1a, u32 buf1s, u32 *buf2a, u32 buf2s);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* VSHADER_3DS_GX_H */
