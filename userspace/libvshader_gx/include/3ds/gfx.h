/* SPDX-License-Identifier: MIT */
/* Frame buffers of the screens, and the text console, which is the standard output here. */
#ifndef VSHADER_3DS_GFX_H
#define VSHADER_3DS_GFX_H

#include <3ds/gsp.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define RGB565(r, g, b)	(((b) & 0x1f) | (((g) & 0x3f) << 5) | (((r) & 0x1f) << 11))
#define RGB8_to_565(r, g, b) \
	((((b) >> 3) & 0x1f) | ((((g) >> 2) & 0x3f) << 5) | ((((r) >> 3) & 0x1f) << 11))

typedef enum {
	GFX_TOP = GSP_SCREEN_TOP,
	GFX_BOTTOM = GSP_SCREEN_BOTTOM,
} gfxScreen_t;

typedef enum {
	GFX_LEFT,
	GFX_RIGHT,
} gfx3dSide_t;

/* Both screens in GSP_BGR8_OES, in linear memory, with two buffers each. */
void gfxInitDefault(void);
void gfxInit(GSPGPU_FramebufferFormat topFormat, GSPGPU_FramebufferFormat bottomFormat,
	     bool vrambuffers);
void gfxExit(void);

/* Two pictures of 400 pixels on the top screen, or one of 800; the last call counts. */
void gfxSet3D(bool enable);
bool gfxIs3D(void);
void gfxSetWide(bool enable);
bool gfxIsWide(void);

void gfxSetScreenFormat(gfxScreen_t screen, GSPGPU_FramebufferFormat format);
GSPGPU_FramebufferFormat gfxGetScreenFormat(gfxScreen_t screen);
void gfxSetDoubleBuffering(gfxScreen_t screen, bool enable);

/* Return: the buffer that is not shown; its width is 240. */
u8 *gfxGetFramebuffer(gfxScreen_t screen, gfx3dSide_t side, u16 *width, u16 *height);
void gfxFlushBuffers(void);
void gfxScreenSwapBuffers(gfxScreen_t scr, bool hasStereo);
void gfxSwapBuffers(void);
void gfxSwapBuffersGpu(void);

typedef struct PrintConsole {
	int cursorX;
	int cursorY;
	int consoleWidth;
	int consoleHeight;
	int windowX;
	int windowY;
	int windowWidth;
	int windowHeight;
	bool consoleInitialised;
} PrintConsole;

typedef enum {
	debugDevice_NULL,
	debugDevice_SVC,
	debugDevice_CONSOLE,
} debugDevice;

#define CONSOLE_ESC(x)	"\x1b[" #x
#define CONSOLE_RESET	CONSOLE_ESC(0m)
#define CONSOLE_BLACK	CONSOLE_ESC(30m)
#define CONSOLE_RED	"\x1b[31;1m"
#define CONSOLE_GREEN	"\x1b[32;1m"
#define CONSOLE_YELLOW	"\x1b[33;1m"
#define CONSOLE_BLUE	"\x1b[34;1m"
#define CONSOLE_MAGENTA	"\x1b[35;1m"
#define CONSOLE_CYAN	"\x1b[36;1m"
#define CONSOLE_WHITE	"\x1b[37;1m"

/* @console: NULL: the default one. Return: the console. */
PrintConsole *consoleInit(gfxScreen_t screen, PrintConsole *console);
PrintConsole *consoleGetDefault(void);
/* Return: the console selected before. */
PrintConsole *consoleSelect(PrintConsole *console);
void consoleSetWindow(PrintConsole *console, int x, int y, int width, int height);
void consoleDebugInit(debugDevice device);
void consoleClear(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* VSHADER_3DS_GFX_H */
