// SPDX-License-Identifier: MIT
/*
 * gfx*: buffers of the screens, and pictures of what they show. A buffer has the screen's columns
 * one after the other, each from its lowest pixel up.
 */
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "gx_priv.h"

#define WIDTH		GSP_SCREEN_WIDTH
#define NUM_SHOWN	3	/* top, right eye, bottom */

/** struct screen - a screen and its buffers */
struct screen {
	GSPGPU_FramebufferFormat format;
	u8 *buffer[2];
	u32 size;		/* bytes of one */
	u8 current;		/* shown */
	bool twice;		/* double buffering */
};

/** struct present - what a screen shows */
struct present {
	const u8 *eye[2];	/* left, right; NULL: nothing yet, no stereo */
	GSPGPU_FramebufferFormat format;
	u32 stride;		/* bytes of a column */
	u32 columns;
};

/** struct shown - a picture on a screen */
struct shown {
	const char *name;
	const struct present *p;
	const u8 *ptr;
};

static struct screen screens[2];
static struct present present[2];
static enum { MODE_2D, MODE_3D, MODE_WIDE } top_mode;
static bool in_vram;
static bool changed;

/* Bits of components by format, from the lowest on; b, g, r, and first those that are ignored. */
static const struct {
	const char *name;
	u8 skip;
	u8 bits[3];
} formats[] = {
	[GSP_RGBA8_OES] = { "a8b8g8r8", 8, { 8, 8, 8 } },
	[GSP_BGR8_OES] = { "b8g8r8", 0, { 8, 8, 8 } },
	[GSP_RGB565_OES] = { "b5g6r5", 0, { 5, 6, 5 } },
	[GSP_RGB5_A1_OES] = { "a1b5g5r5", 1, { 5, 5, 5 } },
	[GSP_RGBA4_OES] = { "a4b4g4r4", 4, { 4, 4, 4 } },
};

/* ---- buffers ---- */

static void release(struct screen *s)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (in_vram)
			vramFree(s->buffer[i]);
		else
			linearFree(s->buffer[i]);
		s->buffer[i] = NULL;
	}
	s->size = 0;
}

void gfxSetScreenFormat(gfxScreen_t screen, GSPGPU_FramebufferFormat format)
{
	struct screen *s = &screens[screen];
	u32 height = screen == GFX_TOP ? GSP_SCREEN_HEIGHT_TOP_2X : GSP_SCREEN_HEIGHT_BOTTOM;
	u32 size = WIDTH * height * gspGetBytesPerPixel(format), i;

	s->format = format;
	if (s->size >= size)
		return;
	release(s);
	for (i = 0; i < 2; i++) {
		s->buffer[i] = in_vram ? vramAlloc(size) : linearAlloc(size);
		if (!s->buffer[i])
			gx_die("gfxSetScreenFormat: no memory is left for %u bytes", size);
	}
	s->size = size;
}

GSPGPU_FramebufferFormat gfxGetScreenFormat(gfxScreen_t screen)
{
	return screens[screen].format;
}

void gfxInit(GSPGPU_FramebufferFormat topFormat, GSPGPU_FramebufferFormat bottomFormat,
	     bool vrambuffers)
{
	gspInit();
	memset(screens, 0, sizeof(screens));
	memset(present, 0, sizeof(present));
	top_mode = MODE_2D;
	in_vram = vrambuffers;
	gfxSetScreenFormat(GFX_TOP, topFormat);
	gfxSetScreenFormat(GFX_BOTTOM, bottomFormat);
	screens[GFX_TOP].twice = true;
	screens[GFX_BOTTOM].twice = true;
	gspWaitForVBlank();
}

void gfxInitDefault(void)
{
	gfxInit(GSP_BGR8_OES, GSP_BGR8_OES, false);
}

/* The last frame is written, too, if the main loop was left before its end. */
void gfxExit(void)
{
	if (!screens[GFX_TOP].size)
		return;
	gx_frame_end();
	release(&screens[GFX_TOP]);
	release(&screens[GFX_BOTTOM]);
}

void gfxSet3D(bool enable)
{
	top_mode = enable ? MODE_3D : MODE_2D;
}

bool gfxIs3D(void)
{
	return top_mode == MODE_3D;
}

void gfxSetWide(bool enable)
{
	top_mode = enable ? MODE_WIDE : MODE_2D;
}

bool gfxIsWide(void)
{
	return top_mode == MODE_WIDE;
}

void gfxSetDoubleBuffering(gfxScreen_t screen, bool enable)
{
	screens[screen].twice = enable;
}

static u32 columns(gfxScreen_t screen)
{
	if (screen == GFX_BOTTOM)
		return GSP_SCREEN_HEIGHT_BOTTOM;
	return top_mode == MODE_WIDE ? GSP_SCREEN_HEIGHT_TOP_2X : GSP_SCREEN_HEIGHT_TOP;
}

u8 *gfxGetFramebuffer(gfxScreen_t screen, gfx3dSide_t side, u16 *width, u16 *height)
{
	const struct screen *s = &screens[screen];
	u8 *p = s->buffer[s->current ^ s->twice];

	if (screen == GFX_TOP && side == GFX_RIGHT && top_mode == MODE_3D)
		p += s->size / 2;
	if (width)
		*width = WIDTH;
	if (height)
		*height = (u16)columns(screen);
	return p;
}

void gfxFlushBuffers(void)
{
}

/* Can a screen show columns of this memory? */
static bool is_readable(const void *ptr, u32 columns, u32 stride, u32 format)
{
	u32 paddr = osConvertVirtToPhys(ptr);

	return paddr && stride >= WIDTH * gspGetBytesPerPixel(format) && stride < 0x10000 &&
	       gx_ptr(paddr, columns * stride);
}

/* The LCD register of the format, which is bits 0-2 */
#define LCD_STEREO	(1u << 5)
#define LCD_TWICE	(1u << 6)
#define LCD_TOP		(1u << 8)

void gfxScreenSwapBuffers(gfxScreen_t scr, bool hasStereo)
{
	struct screen *s = &screens[scr];
	const u8 *left, *right;
	u32 mode = s->format;

	s->current ^= s->twice;
	left = s->buffer[s->current];
	right = left;
	if (scr == GFX_TOP) {
		mode |= LCD_TOP;
		if (top_mode == MODE_3D)
			mode |= LCD_STEREO;
		else if (top_mode == MODE_2D)
			mode |= LCD_TWICE;
		if (top_mode == MODE_3D && hasStereo)
			right = left + s->size / 2;
	}
	gspPresentBuffer(scr, s->current, left, right, WIDTH * gspGetBytesPerPixel(s->format),
			 mode);
}

void gspPresentBuffer(unsigned int screen, unsigned int swap, const void *fb_a, const void *fb_b,
		      u32 stride, u32 mode)
{
	bool top = screen == GSP_SCREEN_TOP, stereo = top && mode & LCD_STEREO && fb_a != fb_b;
	u32 format = mode & 7, columns = GSP_SCREEN_HEIGHT_BOTTOM;

	if (top)
		columns = mode & (LCD_STEREO | LCD_TWICE) ? GSP_SCREEN_HEIGHT_TOP :
							    GSP_SCREEN_HEIGHT_TOP_2X;
	if (screen > GSP_SCREEN_BOTTOM || format > GSP_RGBA4_OES)
		gx_die("gspPresentBuffer: screen %u, format %u", screen, format);
	if (!is_readable(fb_a, columns, stride, format) ||
	    (stereo && !is_readable(fb_b, columns, stride, format)))
		gx_die("gspPresentBuffer: columns of %u bytes outside linear and video memory",
		       stride);
	present[screen] = (struct present){
		{ fb_a, stereo ? fb_b : NULL }, format, stride, columns
	};
	changed = true;
}

Result GSPGPU_SetBufferSwap(u32 screenid, const GSPGPU_FramebufferInfo *info)
{
	gspPresentBuffer(screenid, info->active_framebuf, info->framebuf0_vaddr,
			 info->framebuf1_vaddr, info->framebuf_widthbytesize, info->format);
	return 0;
}

void gfxSwapBuffers(void)
{
	gfxScreenSwapBuffers(GFX_TOP, true);
	gfxScreenSwapBuffers(GFX_BOTTOM, true);
}

void gfxSwapBuffersGpu(void)
{
	gfxSwapBuffers();
}

/* ---- pictures ---- */

static u32 list_shown(struct shown *out)
{
	const struct present *top = &present[GFX_TOP], *bottom = &present[GFX_BOTTOM];
	u32 n = 0;

	if (top->eye[0])
		out[n++] = (struct shown){ "top", top, top->eye[0] };
	if (top->eye[1])
		out[n++] = (struct shown){ "right", top, top->eye[1] };
	if (bottom->eye[0])
		out[n++] = (struct shown){ "bottom", bottom, bottom->eye[0] };
	return n;
}

static void unpack(const struct shown *p, const u8 *in, u8 rgb[3])
{
	u32 bytes = gspGetBytesPerPixel(p->p->format), word = 0, i, bits, v;

	memcpy(&word, in, bytes);
	word >>= formats[p->p->format].skip;
	for (i = 0; i < 3; i++) {
		bits = formats[p->p->format].bits[i];
		v = word & ((1u << bits) - 1);
		rgb[2 - i] = (u8)(v << (8 - bits) | v >> (2 * bits - 8));
		word >>= bits;
	}
}

/* The picture as it is seen: rows of RGB. */
static u8 *upright(const struct shown *p)
{
	u32 bytes = gspGetBytesPerPixel(p->p->format), columns = p->p->columns, x, y;
	u8 *rows = malloc(3 * (size_t)columns * WIDTH);

	if (!rows)
		gx_die("out of memory");
	for (y = 0; y < WIDTH; y++) {
		for (x = 0; x < columns; x++)
			unpack(p, p->ptr + p->p->stride * x + bytes * (WIDTH - 1 - y),
			       rows + 3 * ((size_t)columns * y + x));
	}
	return rows;
}

static void write_picture(const struct shown *p)
{
	png_image png = { .version = PNG_IMAGE_VERSION, .width = p->p->columns, .height = WIDTH,
			  .format = PNG_FORMAT_RGB };
	u8 *rows = upright(p);
	char path[4096];

	snprintf(path, sizeof(path), "%s/frame-%03u-%s.png", gx_folder(), gx_frame(), p->name);
	if (!png_image_write_to_file(&png, path, 0, rows, 0, NULL))
		gx_die("%s: %s", path, png.message);
	free(rows);
}

void gx_screens_write(void)
{
	struct shown shown[NUM_SHOWN];
	u32 i, n = list_shown(shown);

	if (!gx_folder() || !changed)
		return;
	changed = false;
	for (i = 0; i < n; i++)
		write_picture(&shown[i]);
}

/* On their side, as they are in memory. */
void gx_screens_describe(FILE *f)
{
	struct shown shown[NUM_SHOWN];
	u32 i, n = list_shown(shown);

	for (i = 0; i < n; i++) {
		const struct present *p = shown[i].p;

		fprintf(f, "%s\n    {\"name\": \"%s\", \"at\": \"%#x\", ", i ? "," : "",
			shown[i].name, osConvertVirtToPhys(shown[i].ptr));
		fprintf(f, "\"width\": %u, \"height\": %u, \"format\": \"%s\"", WIDTH,
			p->columns, formats[p->format].name);
		if (p->stride != WIDTH * gspGetBytesPerPixel(p->format))
			fprintf(f, ", \"stride\": %u", p->stride);
		fputc('}', f);
	}
}
