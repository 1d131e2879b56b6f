/* SPDX-License-Identifier: MIT */
/*
 * The other services that programs with pictures call. Time is virtual and starts at the same
 * moment in each run; keys are those of VSHADER_GX_KEYS.
 */
#ifndef VSHADER_3DS_SYSTEM_H
#define VSHADER_3DS_SYSTEM_H

#include <3ds/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* ---- main loop ---- */

typedef enum {
	APTHOOK_ONSUSPEND,
	APTHOOK_ONRESTORE,
	APTHOOK_ONSLEEP,
	APTHOOK_ONWAKEUP,
	APTHOOK_ONEXIT,
	APTHOOK_COUNT,
} APT_HookType;

typedef void (*aptHookFn)(APT_HookType hook, void *param);

typedef struct tag_aptHookCookie {
	struct tag_aptHookCookie *next;
	aptHookFn callback;
	void *param;
} aptHookCookie;

/* Services need no session here: succeed. */
Result srvInit(void);
void srvExit(void);
Result aptInit(void);
void aptExit(void);

/* End a frame and write it. Return: true, VSHADER_GX_FRAMES times. */
bool aptMainLoop(void);
/* Nothing suspends the program: hooks are not called. */
void aptHook(aptHookCookie *cookie, aptHookFn callback, void *param);
void aptUnhook(aptHookCookie *cookie);

/* ---- keys ---- */

/* the last one is no int, which ISO C wants */
__extension__ enum {
	KEY_A = BIT(0),
	KEY_B = BIT(1),
	KEY_SELECT = BIT(2),
	KEY_START = BIT(3),
	KEY_DRIGHT = BIT(4),
	KEY_DLEFT = BIT(5),
	KEY_DUP = BIT(6),
	KEY_DDOWN = BIT(7),
	KEY_R = BIT(8),
	KEY_L = BIT(9),
	KEY_X = BIT(10),
	KEY_Y = BIT(11),
	KEY_ZL = BIT(14),
	KEY_ZR = BIT(15),
	KEY_TOUCH = BIT(20),
	KEY_CSTICK_RIGHT = BIT(24),
	KEY_CSTICK_LEFT = BIT(25),
	KEY_CSTICK_UP = BIT(26),
	KEY_CSTICK_DOWN = BIT(27),
	KEY_CPAD_RIGHT = BIT(28),
	KEY_CPAD_LEFT = BIT(29),
	KEY_CPAD_UP = BIT(30),
	KEY_CPAD_DOWN = BIT(31),
	KEY_UP = KEY_DUP | KEY_CPAD_UP,
	KEY_DOWN = KEY_DDOWN | KEY_CPAD_DOWN,
	KEY_LEFT = KEY_DLEFT | KEY_CPAD_LEFT,
	KEY_RIGHT = KEY_DRIGHT | KEY_CPAD_RIGHT,
};

typedef struct {
	u16 px;
	u16 py;
} touchPosition;

typedef struct {
	s16 dx;
	s16 dy;
} circlePosition;

Result hidInit(void);
void hidExit(void);
void hidScanInput(void);
u32 hidKeysDown(void);
u32 hidKeysHeld(void);
u32 hidKeysUp(void);
void hidTouchRead(touchPosition *pos);
void hidCircleRead(circlePosition *pos);

/* ---- kernel, time ---- */

#define SYSCLOCK_ARM11	268111856

typedef enum {
	USERBREAK_PANIC,
	USERBREAK_ASSERT,
	USERBREAK_USER,
} UserBreakType;

/* Abort. */
void svcBreak(UserBreakType breakReason) __attribute__((noreturn));
/* Ticks of the virtual clock, SYSCLOCK_ARM11 per second. */
u64 svcGetSystemTick(void);
void svcSleepThread(s64 ns);
Result svcOutputDebugString(const char *str, s32 length);

/* Milliseconds of the virtual clock. */
u64 osGetTime(void);

typedef struct {
	u64 elapsed;
	u64 reference;
} TickCounter;

void osTickCounterStart(TickCounter *cnt);
void osTickCounterUpdate(TickCounter *cnt);
/* Return: milliseconds. */
double osTickCounterRead(const TickCounter *cnt);
/* Return: VSHADER_GX_SLIDER, 0 to 1. */
float osGet3DSliderState(void);
void osSetSpeedupEnable(bool enable);

/* ---- files, configuration ---- */

typedef enum {
	MEDIATYPE_NAND,
	MEDIATYPE_SD,
	MEDIATYPE_GAME_CARD,
} FS_MediaType;

/* fopen("romfs:/NAME") opens NAME in the folder VSHADER_GX_ROMFS, or "romfs". */
Result romfsInit(void);
Result romfsExit(void);
Result romfsMountSelf(const char *name);
/* Titles are not there: fails. */
Result romfsMountFromTitle(u64 tid, FS_MediaType mediatype, const char *name);
Result romfsUnmount(const char *name);

typedef enum {
	CFG_REGION_JPN,
	CFG_REGION_USA,
	CFG_REGION_EUR,
	CFG_REGION_AUS,
	CFG_REGION_CHN,
	CFG_REGION_KOR,
	CFG_REGION_TWN,
} CFG_Region;

Result cfguInit(void);
void cfguExit(void);
/* CFG_REGION_EUR */
Result CFGU_SecureInfoGetRegion(u8 *region);
/* 0: the first model */
Result CFGU_GetSystemModel(u8 *model);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* VSHADER_3DS_SYSTEM_H */
