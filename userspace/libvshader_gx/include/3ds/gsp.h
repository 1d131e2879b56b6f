/* SPDX-License-Identifier: MIT */
/*
 * Events and screens of the service gsp::Gpu. Requests end before their calls return, so waiting
 * for one never blocks; waiting for a vertical blank lets a 60th of a virtual second pass.
 */
#ifndef VSHADER_3DS_GSP_H
#define VSHADER_3DS_GSP_H

#include <3ds/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Screens are stored column by column: their width is the height that is seen. */
#define GSP_SCREEN_TOP			0
#define GSP_SCREEN_BOTTOM		1
#define GSP_SCREEN_WIDTH		240
#define GSP_SCREEN_HEIGHT_TOP		400
#define GSP_SCREEN_HEIGHT_TOP_2X	800
#define GSP_SCREEN_HEIGHT_BOTTOM	320

typedef enum {
	GSP_RGBA8_OES,
	GSP_BGR8_OES,
	GSP_RGB565_OES,
	GSP_RGB5_A1_OES,
	GSP_RGBA4_OES,
} GSPGPU_FramebufferFormat;

typedef struct {
	u32 active_framebuf;
	u32 *framebuf0_vaddr;		/* left eye */
	u32 *framebuf1_vaddr;		/* right eye */
	u32 framebuf_widthbytesize;	/* bytes of a column */
	u32 format;			/* as the mode of gspPresentBuffer() */
	u32 framebuf_dispselect;
	u32 unk;
} GSPGPU_FramebufferInfo;

typedef enum {
	GSPGPU_EVENT_PSC0,	/* memory fill, first engine */
	GSPGPU_EVENT_PSC1,	/* second engine */
	GSPGPU_EVENT_VBlank0,	/* top screen */
	GSPGPU_EVENT_VBlank1,	/* bottom screen */
	GSPGPU_EVENT_PPF,	/* display transfer, texture copy */
	GSPGPU_EVENT_P3D,	/* command list */
	GSPGPU_EVENT_DMA,
	GSPGPU_EVENT_MAX,
} GSPGPU_Event;

/* Return: bytes of a pixel. */
unsigned int gspGetBytesPerPixel(GSPGPU_FramebufferFormat format);

Result gspInit(void);
void gspExit(void);
bool gspHasGpuRight(void);
/*
 * Show a buffer of the program. @swap: registers on a console. @stride: bytes of a column. @mode:
 * bits 0-2 format, 5 stereo with @fb_b for the right eye, 6 400 columns, neither: 800.
 */
void gspPresentBuffer(unsigned int screen, unsigned int swap, const void *fb_a, const void *fb_b,
		      u32 stride, u32 mode);
bool gspIsPresentPending(unsigned int screen);
/* @oneShot: the callback is forgotten when it has been called. */
void gspSetEventCallback(GSPGPU_Event id, ThreadFunc cb, void *data, bool oneShot);
void gspWaitForEvent(GSPGPU_Event id, bool nextEvent);
/* Wait for the next vertical blank. Return: GSPGPU_EVENT_VBlank0. */
GSPGPU_Event gspWaitForAnyEvent(void);
/* Execute a request of eight words. */
Result gspSubmitGxCommand(const u32 gxCommand[8]);

#define gspWaitForPSC0()	gspWaitForEvent(GSPGPU_EVENT_PSC0, false)
#define gspWaitForPSC1()	gspWaitForEvent(GSPGPU_EVENT_PSC1, false)
#define gspWaitForVBlank()	gspWaitForVBlank0()
#define gspWaitForVBlank0()	gspWaitForEvent(GSPGPU_EVENT_VBlank0, true)
#define gspWaitForVBlank1()	gspWaitForEvent(GSPGPU_EVENT_VBlank1, true)
#define gspWaitForPPF()		gspWaitForEvent(GSPGPU_EVENT_PPF, false)
#define gspWaitForP3D()		gspWaitForEvent(GSPGPU_EVENT_P3D, false)
#define gspWaitForDMA()		gspWaitForEvent(GSPGPU_EVENT_DMA, false)

/* Memory is coherent: nothing is to be done. */
Result GSPGPU_FlushDataCache(const void *adr, u32 size);
Result GSPGPU_InvalidateDataCache(const void *adr, u32 size);
Result GSPGPU_SetLcdForceBlack(u8 flags);
/* The GPU is the program's. */
Result GSPGPU_AcquireRight(u8 flags);
Result GSPGPU_ReleaseRight(void);
/* As gspPresentBuffer(). */
Result GSPGPU_SetBufferSwap(u32 screenid, const GSPGPU_FramebufferInfo *info);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* VSHADER_3DS_GSP_H */
