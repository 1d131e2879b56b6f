// SPDX-License-Identifier: MIT
/*
 * gsp*, apt*, hid*, time: everything that passes while a program runs. Frames are those of
 * aptMainLoop(); time passes when a program waits for a vertical blank.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "gx_priv.h"

#define FRAMES		60u	/* default of VSHADER_GX_FRAMES */
#define TICKS_FRAME	(SYSCLOCK_ARM11 / 60)
#define TICKS_CALL	100u	/* of reading the clock, so that waiting loops end */
#define START_MS	3155673600000ull	/* 1 January 2000, from 1900 on */

static struct {
	ThreadFunc call;
	void *data;
	bool once;
} callbacks[GSPGPU_EVENT_MAX];

static u64 ticks;
static unsigned int frame;
static bool running;
static u32 keys, old_keys;

/* ---- events ---- */

void gspSetEventCallback(GSPGPU_Event id, ThreadFunc cb, void *data, bool oneShot)
{
	if (id >= GSPGPU_EVENT_MAX)
		return;
	callbacks[id].call = cb;
	callbacks[id].data = data;
	callbacks[id].once = oneShot;
}

void gx_event(GSPGPU_Event id)
{
	ThreadFunc call = callbacks[id].call;

	if (callbacks[id].once)
		callbacks[id].call = NULL;
	if (call)
		call(callbacks[id].data);
}

static void blank(void)
{
	ticks += TICKS_FRAME;
	gx_event(GSPGPU_EVENT_VBlank0);
	gx_event(GSPGPU_EVENT_VBlank1);
}

void gspWaitForEvent(GSPGPU_Event id, bool nextEvent)
{
	if (id == GSPGPU_EVENT_VBlank0 || id == GSPGPU_EVENT_VBlank1)
		blank();
}

GSPGPU_Event gspWaitForAnyEvent(void)
{
	blank();
	return GSPGPU_EVENT_VBlank0;
}

unsigned int gspGetBytesPerPixel(GSPGPU_FramebufferFormat format)
{
	return format == GSP_RGBA8_OES ? 4 : format == GSP_BGR8_OES ? 3 : 2;
}

Result gspInit(void)
{
	gx_start();
	return 0;
}

void gspExit(void)
{
}

bool gspHasGpuRight(void)
{
	return true;
}

bool gspIsPresentPending(unsigned int screen)
{
	return false;
}

Result GSPGPU_FlushDataCache(const void *adr, u32 size)
{
	return 0;
}

Result GSPGPU_InvalidateDataCache(const void *adr, u32 size)
{
	return 0;
}

Result GSPGPU_SetLcdForceBlack(u8 flags)
{
	return 0;
}

Result GSPGPU_AcquireRight(u8 flags)
{
	return 0;
}

Result GSPGPU_ReleaseRight(void)
{
	return 0;
}

/* ---- time ---- */

u64 svcGetSystemTick(void)
{
	ticks += TICKS_CALL;
	return ticks;
}

void svcSleepThread(s64 ns)
{
	if (ns > 0)
		ticks += (u64)((double)ns * SYSCLOCK_ARM11 / 1e9);
}

u64 osGetTime(void)
{
	return START_MS + svcGetSystemTick() / (SYSCLOCK_ARM11 / 1000);
}

void osTickCounterStart(TickCounter *cnt)
{
	cnt->reference = svcGetSystemTick();
}

void osTickCounterUpdate(TickCounter *cnt)
{
	u64 now = svcGetSystemTick();

	cnt->elapsed = now - cnt->reference;
	cnt->reference = now;
}

double osTickCounterRead(const TickCounter *cnt)
{
	return (double)cnt->elapsed / (SYSCLOCK_ARM11 / 1000.0);
}

float osGet3DSliderState(void)
{
	const char *text = gx_option("SLIDER");
	char *end;
	float f;

	if (!text)
		return 0;
	f = strtof(text, &end);
	if (*end || !(f >= 0 && f <= 1))
		gx_die("VSHADER_GX_SLIDER=%s is no number from 0 to 1", text);
	return f;
}

void osSetSpeedupEnable(bool enable)
{
}

/* ---- frames ---- */

unsigned int gx_frame(void)
{
	return frame;
}

void gx_frame_end(void)
{
	gx_job_flush();
	gx_own_reset();
	gx_screens_write();
}

static unsigned int frames(void)
{
	const char *text = gx_option("FRAMES");
	char *end;
	long n;

	if (!text)
		return FRAMES;
	n = strtol(text, &end, 0);
	if (*end || n < 1 || n > 1000000)
		gx_die("VSHADER_GX_FRAMES=%s is no number of frames", text);
	return (unsigned int)n;
}

bool aptMainLoop(void)
{
	gx_start();
	if (running) {
		gx_frame_end();
		frame++;
	}
	running = frame < frames();
	return running;
}

Result srvInit(void)
{
	return 0;
}

void srvExit(void)
{
}

Result aptInit(void)
{
	return 0;
}

void aptExit(void)
{
}

void aptHook(aptHookCookie *cookie, aptHookFn callback, void *param)
{
	cookie->callback = callback;
	cookie->param = param;
}

void aptUnhook(aptHookCookie *cookie)
{
}

/* ---- keys ---- */

static const struct {
	const char *name;
	u32 key;
} names[] = {
	{ "A", KEY_A }, { "B", KEY_B }, { "SELECT", KEY_SELECT }, { "START", KEY_START },
	{ "RIGHT", KEY_DRIGHT }, { "LEFT", KEY_DLEFT }, { "UP", KEY_DUP }, { "DOWN", KEY_DDOWN },
	{ "R", KEY_R }, { "L", KEY_L }, { "X", KEY_X }, { "Y", KEY_Y }, { "ZL", KEY_ZL },
	{ "ZR", KEY_ZR },
};

#define NUM_KEYS (sizeof(names) / sizeof(names[0]))

static u32 key_of(const char *text, size_t len)
{
	unsigned int i;

	for (i = 0; i < NUM_KEYS; i++) {
		if (strlen(names[i].name) == len && !strncmp(text, names[i].name, len))
			return names[i].key;
	}
	gx_die("VSHADER_GX_KEYS: %.*s is none of A, B, X, Y, L, R, ZL, ZR, START, UP and so on",
	       (int)len, text);
}

/* "KEY+KEY"; return: what follows. */
static const char *read_keys(const char *p, u32 *out)
{
	size_t len;

	for (;;) {
		len = strcspn(p, "+,");
		*out |= key_of(p, len);
		p += len;
		if (*p != '+')
			return p;
		p++;
	}
}

/* VSHADER_GX_KEYS: "FRAME:KEY+KEY,FIRST-LAST:KEY" */
static u32 held(void)
{
	const char *p = gx_option("KEYS");
	unsigned long first, last;
	u32 these, all = 0;
	char *end;

	while (p && *p) {
		first = strtoul(p, &end, 10);
		last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
		if (!isdigit((unsigned char)*p) || *end != ':')
			gx_die("VSHADER_GX_KEYS: FRAME:KEY expected at %s", p);
		these = 0;
		p = read_keys(end + 1, &these);
		if (frame >= first && frame <= last)
			all |= these;
		p += *p == ',';
	}
	return all;
}

Result hidInit(void)
{
	return 0;
}

void hidExit(void)
{
}

void hidScanInput(void)
{
	old_keys = keys;
	keys = held();
}

u32 hidKeysHeld(void)
{
	return keys;
}

u32 hidKeysDown(void)
{
	return keys & ~old_keys;
}

u32 hidKeysUp(void)
{
	return old_keys & ~keys;
}

void hidTouchRead(touchPosition *pos)
{
	memset(pos, 0, sizeof(*pos));
}

void hidCircleRead(circlePosition *pos)
{
	memset(pos, 0, sizeof(*pos));
}
