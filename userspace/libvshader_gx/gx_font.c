// SPDX-License-Identifier: MIT
/*
 * font*: fonts in BCFNT files. Offsets in such a file have 32 bits where the structures that
 * programs see have pointers, so these are made beside it when the file has been loaded.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gx_priv.h"

#define CFNT_MAGIC	0x544e4643u
#define FINF_AT		0x14u
#define FINF_BYTES	0x20u
#define TGLP_BYTES	0x18u	/* after signature and size, as the next two */
#define CWDH_BYTES	0x08u
#define CMAP_BYTES	0x0cu
#define MAX_TABLES	4096u	/* of a list: it may be a ring */
#define NO_GLYPH	0xffffu

enum { CMAP_DIRECT, CMAP_TABLE, CMAP_SCAN };

static CFNT_s *shared;

/** struct file - a font as it is in its file */
struct file {
	const u8 *p;
	u32 size;
};

static u16 get16(const u8 *p)
{
	return (u16)(p[0] | p[1] << 8);
}

static u32 get32(const u8 *p)
{
	return get16(p) | (u32)get16(p + 2) << 16;
}

/* Return: @n bytes at an offset; a font with less is of no use. */
static const u8 *part(const struct file *f, u32 at, u64 n)
{
	if (at > f->size || n > f->size - at)
		gx_die("fontFixPointers: the font is damaged at byte %u", at);
	return f->p + at;
}

/*
 * Tables of fonts: on the console they are parts of the file, which programs free without a call
 * to the library. They stay until the program ends.
 */
struct kept {
	struct kept *next;
	u64 data[];
};

static struct kept *tables;

static void *table(size_t size)
{
	struct kept *k = calloc(1, sizeof(*k) + size);

	if (!k)
		gx_die("out of memory");
	k->next = tables;
	tables = k;
	return k->data;
}

/* ---- loading ---- */

static TGLP_s *read_sheets(const struct file *f, u32 at)
{
	const u8 *p = part(f, at, TGLP_BYTES);
	TGLP_s *t = table(sizeof(*t));
	u32 data = get32(p + 20);

	memcpy(t, p, 4);
	t->sheetSize = get32(p + 4);
	t->nSheets = get16(p + 8);
	t->sheetFmt = get16(p + 10);
	t->nRows = get16(p + 12);
	t->nLines = get16(p + 14);
	t->sheetWidth = get16(p + 16);
	t->sheetHeight = get16(p + 18);
	t->sheetData = (u8 *)part(f, data, (u64)t->sheetSize * t->nSheets);
	if (data < sizeof(CFNT_s) || !t->nRows || !t->nLines || !t->sheetWidth || !t->sheetHeight)
		gx_die("fontFixPointers: the font has no sheets");
	return t;
}

static CWDH_s *read_widths(const struct file *f, u32 at)
{
	CWDH_s *first = NULL, **end = &first;
	u32 i, n;

	for (i = 0; at && i < MAX_TABLES; i++) {
		const u8 *p = part(f, at, CWDH_BYTES);
		CWDH_s *c;

		n = get16(p + 2) >= get16(p) ? get16(p + 2) - get16(p) + 1u : 0;
		part(f, at + CWDH_BYTES, 3 * n);
		c = table(sizeof(*c) + 3 * n);
		c->startIndex = get16(p);
		c->endIndex = get16(p + 2);
		memcpy(c->widths, p + CWDH_BYTES, 3 * n);
		*end = c;
		end = &c->next;
		at = get32(p + 4);
	}
	return first;
}

/* Numbers of 16 bits that follow the head of a map. */
static u32 map_numbers(const struct file *f, u32 at, const u8 *p)
{
	switch (get16(p + 4)) {
	case CMAP_DIRECT:
		return 1;
	case CMAP_TABLE:
		return get16(p + 2) >= get16(p) ? get16(p + 2) - get16(p) + 1u : 0;
	default:
		return 1 + 2 * get16(part(f, at + CMAP_BYTES, 2));
	}
}

static CMAP_s *read_maps(const struct file *f, u32 at)
{
	CMAP_s *first = NULL, **end = &first;
	u32 i, n;

	for (i = 0; at && i < MAX_TABLES; i++) {
		const u8 *p = part(f, at, CMAP_BYTES);
		CMAP_s *c;

		n = map_numbers(f, at, p);
		part(f, at + CMAP_BYTES, 2 * n);
		c = table(sizeof(*c) + 2 * n);
		c->codeBegin = get16(p);
		c->codeEnd = get16(p + 2);
		c->mappingMethod = get16(p + 4);
		memcpy(c->numbers, p + CMAP_BYTES, 2 * n);
		*end = c;
		end = &c->next;
		at = get32(p + 8);
	}
	return first;
}

/* The structure replaces the head of the file, which its sheets follow. */
void fontFixPointers(CFNT_s *font)
{
	struct file f = { .p = (const u8 *)font, .size = FINF_AT + FINF_BYTES };
	CFNT_s c = { };
	const u8 *p;

	c.signature = get32(f.p);
	c.endianness = get16(f.p + 4);
	c.headerSize = get16(f.p + 6);
	c.version = get32(f.p + 8);
	c.fileSize = get32(f.p + 12);
	c.nBlocks = get32(f.p + 16);
	if (c.signature != CFNT_MAGIC)
		gx_die("fontFixPointers: this is no font (BCFNT)");
	f.size = c.fileSize;
	p = part(&f, FINF_AT, FINF_BYTES);
	c.finf.signature = get32(p);
	c.finf.sectionSize = get32(p + 4);
	c.finf.fontType = p[8];
	c.finf.lineFeed = p[9];
	c.finf.alterCharIndex = get16(p + 10);
	memcpy(&c.finf.defaultWidth, p + 12, 3);
	c.finf.encoding = p[15];
	c.finf.tglp = read_sheets(&f, get32(p + 16));
	c.finf.cwdh = read_widths(&f, get32(p + 20));
	c.finf.cmap = read_maps(&f, get32(p + 24));
	c.finf.height = p[28];
	c.finf.width = p[29];
	c.finf.ascent = p[30];
	memcpy(font, &c, sizeof(c));
}

/* ---- the console's font ---- */

static CFNT_s *load(const char *path)
{
	FILE *f = fopen(path, "rb");
	CFNT_s *font = NULL;
	long size = -1;

	if (!f)
		gx_die("%s: %s", path, strerror(errno));
	if (!fseek(f, 0, SEEK_END))
		size = ftell(f);
	rewind(f);
	if (size > (long)sizeof(*font))
		font = linearAlloc((size_t)size);
	if (!font || fread(font, 1, (size_t)size, f) != (size_t)size ||
	    get32((u8 *)font + 12) > size)
		gx_die("%s: this is no font (BCFNT)", path);
	fclose(f);
	fontFixPointers(font);
	return font;
}

Result fontEnsureMapped(void)
{
	const char *path = gx_option("FONT");

	if (!shared && path)
		shared = load(path);
	if (!shared)
		gx_say("the console's font is not there: set VSHADER_GX_FONT to a file of mkbcfnt");
	return shared ? 0 : -1;
}

CFNT_s *fontGetSystemFont(void)
{
	if (!shared)
		fontEnsureMapped();
	return shared;
}

/* ---- glyphs ---- */

FINF_s *fontGetInfo(CFNT_s *font)
{
	if (!font)
		font = fontGetSystemFont();
	return font ? &font->finf : NULL;
}

TGLP_s *fontGetGlyphInfo(CFNT_s *font)
{
	FINF_s *f = fontGetInfo(font);

	return f ? f->tglp : NULL;
}

void *fontGetGlyphSheetTex(CFNT_s *font, int sheetIndex)
{
	const TGLP_s *t = fontGetGlyphInfo(font);

	return t ? t->sheetData + (size_t)sheetIndex * t->sheetSize : NULL;
}

static u32 map_code(const CMAP_s *c, u32 code)
{
	u32 i;

	if (c->mappingMethod == CMAP_DIRECT)
		return c->numbers[0] + code - c->codeBegin;
	if (c->mappingMethod == CMAP_TABLE)
		return c->numbers[code - c->codeBegin];
	for (i = 0; i < c->numbers[0]; i++) {
		if (c->numbers[1 + 2 * i] == code)
			return c->numbers[2 + 2 * i];
	}
	return NO_GLYPH;
}

int fontGlyphIndexFromCodePoint(CFNT_s *font, u32 codePoint)
{
	const FINF_s *f = fontGetInfo(font);
	u32 glyph = NO_GLYPH;
	const CMAP_s *c;

	for (c = f ? f->cmap : NULL; c && glyph == NO_GLYPH; c = c->next) {
		if (codePoint >= c->codeBegin && codePoint <= c->codeEnd)
			glyph = map_code(c, codePoint);
	}
	if (f && glyph == NO_GLYPH)
		glyph = f->alterCharIndex;
	return glyph == NO_GLYPH ? -1 : (int)glyph;
}

charWidthInfo_s *fontGetCharWidthInfo(CFNT_s *font, int glyphIndex)
{
	FINF_s *f = fontGetInfo(font);
	CWDH_s *c;

	for (c = f ? f->cwdh : NULL; c; c = c->next) {
		if (glyphIndex >= c->startIndex && glyphIndex <= c->endIndex)
			return &c->widths[glyphIndex - c->startIndex];
	}
	return f ? &f->defaultWidth : NULL;
}

static void place(fontGlyphPos_s *out, const TGLP_s *t, u32 flags, float scale)
{
	float height = scale * t->cellHeight;
	float top = flags & GLYPH_POS_AT_BASELINE ? -scale * t->baselinePos : 0;

	if (flags & GLYPH_POS_Y_POINTS_UP) {
		top = -top;
		height = -height;
	}
	out->vtxcoord.left = out->xOffset;
	out->vtxcoord.right = out->xOffset + out->width;
	out->vtxcoord.top = top;
	out->vtxcoord.bottom = top + height;
}

/* A pixel separates cells. Texture coordinates grow upwards. */
void fontCalcGlyphPos(fontGlyphPos_s *out, CFNT_s *font, int glyphIndex, u32 flags, float scaleX,
		      float scaleY)
{
	const charWidthInfo_s *w = fontGetCharWidthInfo(font, glyphIndex);
	const TGLP_s *t = fontGetGlyphInfo(font);
	int cells, cell, column, line;

	if (!t)
		return;
	cells = t->nRows * t->nLines;
	cell = glyphIndex % cells;
	column = cell % t->nRows * (t->cellWidth + 1) + 1;
	line = cell / t->nRows * (t->cellHeight + 1) + 1;
	out->sheetIndex = glyphIndex / cells;
	out->xOffset = scaleX * w->left;
	out->xAdvance = scaleX * w->charWidth;
	out->width = scaleX * w->glyphWidth;
	out->texcoord.left = (float)column / t->sheetWidth;
	out->texcoord.right = (float)(column + w->glyphWidth) / t->sheetWidth;
	out->texcoord.top = 1 - (float)line / t->sheetHeight;
	out->texcoord.bottom = 1 - (float)(line + t->cellHeight) / t->sheetHeight;
	if (flags & GLYPH_POS_CALC_VTXCOORD)
		place(out, t, flags, scaleY);
}

/* ---- text ---- */

ssize_t decode_utf8(uint32_t *out, const uint8_t *in)
{
	static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
	uint32_t more, i, code = in[0];

	if (code < 0x80) {
		*out = code;
		return 1;
	}
	if (code < 0xc2 || code > 0xf4)
		return -1;
	more = code < 0xe0 ? 1 : code < 0xf0 ? 2 : 3;
	code &= 0x3fu >> more;
	for (i = 1; i <= more; i++) {
		if ((in[i] & 0xc0) != 0x80)
			return -1;
		code = code << 6 | (in[i] & 0x3f);
	}
	if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return -1;
	*out = code;
	return more + 1;
}
