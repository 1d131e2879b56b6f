/* SPDX-License-Identifier: MIT */
/*
 * Fonts in BCFNT files. The console's font is no part of this library: the file VSHADER_GX_FONT
 * takes its place.
 */
#ifndef VSHADER_3DS_FONT_H
#define VSHADER_3DS_FONT_H

#include <3ds/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef struct {
	s8 left;
	u8 glyphWidth;
	u8 charWidth;
} charWidthInfo_s;

/* Sheets of glyphs. */
typedef struct {
	u8 cellWidth;
	u8 cellHeight;
	u8 baselinePos;
	u8 maxCharWidth;
	u32 sheetSize;
	u16 nSheets;
	u16 sheetFmt;
	u16 nRows;
	u16 nLines;
	u16 sheetWidth;
	u16 sheetHeight;
	u8 *sheetData;
} TGLP_s;

/* Widths of glyphs. */
typedef struct tag_CWDH_s {
	u16 startIndex;
	u16 endIndex;
	struct tag_CWDH_s *next;
	__extension__ charWidthInfo_s widths[];
} CWDH_s;

/* Glyphs of characters: the first one, one for each, or a number and pairs of both. */
typedef struct tag_CMAP_s {
	u16 codeBegin;
	u16 codeEnd;
	u16 mappingMethod;
	struct tag_CMAP_s *next;
	__extension__ u16 numbers[];
} CMAP_s;

typedef struct {
	u32 signature;
	u32 sectionSize;
	u8 fontType;
	u8 lineFeed;
	u16 alterCharIndex;
	charWidthInfo_s defaultWidth;
	u8 encoding;
	TGLP_s *tglp;
	CWDH_s *cwdh;
	CMAP_s *cmap;
	u8 height;
	u8 width;
	u8 ascent;
	u8 padding;
} FINF_s;

typedef struct {
	u32 signature;
	u16 endianness;
	u16 headerSize;
	u32 version;
	u32 fileSize;
	u32 nBlocks;
	FINF_s finf;
} CFNT_s;

typedef struct {
	float left;
	float top;
	float right;
	float bottom;
} fontGlyphBox_s;

typedef struct {
	int sheetIndex;
	float xOffset;
	float xAdvance;
	float width;
	fontGlyphBox_s texcoord;
	fontGlyphBox_s vtxcoord;
} fontGlyphPos_s;

/* Flags of fontCalcGlyphPos(). */
enum {
	GLYPH_POS_CALC_VTXCOORD = BIT(0),
	GLYPH_POS_AT_BASELINE = BIT(1),
	GLYPH_POS_Y_POINTS_UP = BIT(2),
};

Result fontEnsureMapped(void);
/* Make the structure of the bytes of a file, in their place. */
void fontFixPointers(CFNT_s *font);
/* @font: NULL: the console's */
CFNT_s *fontGetSystemFont(void);
FINF_s *fontGetInfo(CFNT_s *font);
TGLP_s *fontGetGlyphInfo(CFNT_s *font);
void *fontGetGlyphSheetTex(CFNT_s *font, int sheetIndex);
/* Return: glyph, or -1. */
int fontGlyphIndexFromCodePoint(CFNT_s *font, u32 codePoint);
charWidthInfo_s *fontGetCharWidthInfo(CFNT_s *font, int glyphIndex);
void fontCalcGlyphPos(fontGlyphPos_s *out, CFNT_s *font, int glyphIndex, u32 flags, float scaleX,
		      float scaleY);

/* Return: bytes of the first character, or -1. */
ssize_t decode_utf8(uint32_t *out, const uint8_t *in);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* VSHADER_3DS_FONT_H */
