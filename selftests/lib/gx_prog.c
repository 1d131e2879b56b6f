// SPDX-License-Identifier: GPL-2.0
/*
 * A program for the 3DS, linked with libvshader_gx.
 *
 *   gx_prog            what does not need the command line: TAP
 *   gx_prog screens    buffers drawn by the processor, in all formats
 *   gx_prog present    buffers of its own
 *   gx_prog still      the same picture in each frame
 *   gx_prog keys       prints keys by frame
 *   gx_prog list       a list with a draw whose geometry stage is neither off nor on
 *   gx_prog malloc     a list in other memory
 *   gx_prog fill       fills more memory than there is
 *   gx_prog font       a damaged font
 */
#include <3ds.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "vshader.h"

#define SIDE	64
#define FLAGS	(GX_FILL_TRIGGER | GX_FILL_32BIT_DEPTH)

/* ---- memory ---- */

static void test_memory(void)
{
	u32 space, at = 0;
	u8 *a, *b, *c;

	a = linearAlloc(100);
	space = linearSpaceFree();
	b = linearAlloc(100);
	c = linearMemAlign(10, 0x10000);
	tap_result(a && b && c && (uintptr_t)a % 128 == 0 && b == a + 128 &&
		   (uintptr_t)c % 0x10000 == 0, "linear memory is aligned");
	tap_result(linearGetSize(b) == 100 && linearSpaceFree() == space - 256,
		   "sizes and what is left");
	tap_result((uintptr_t)a >= OS_FCRAM_VADDR && (uintptr_t)c >> 32 == 0 &&
		   osConvertVirtToPhys(b) == osConvertVirtToPhys(a) + 128 &&
		   osConvertVirtToPhys(a) - OS_FCRAM_PADDR == (uintptr_t)a - OS_FCRAM_VADDR,
		   "its addresses");
	linearFree(b);
	tap_result(linearAlloc(128) == b, "freed memory is used again");
	memset(a, 7, 100);
	a = linearRealloc(a, 300);
	tap_result(a && a[99] == 7 && linearGetSize(a) == 300, "memory grows");
	tap_result(!linearAlloc(1u << 30) && !linearAlloc(0), "too much, and nothing: NULL");
	linearFree(a);
	linearFree(b);
	linearFree(c);

	a = vramAllocAt(1000, VRAM_ALLOC_A);
	b = vramAllocAt(1000, VRAM_ALLOC_B);
	tap_result((uintptr_t)a == OS_VRAM_VADDR &&
		   (uintptr_t)b == OS_VRAM_VADDR + OS_VRAM_SIZE / 2 &&
		   osConvertVirtToPhys(b) == OS_VRAM_PADDR + OS_VRAM_SIZE / 2,
		   "halves of the video memory");
	tap_result(!vramAlloc(OS_VRAM_SIZE) && vramGetSize(b) == 1000 &&
		   vramSpaceFree() == OS_VRAM_SIZE - 2048, "what is left of it");
	vramFree(a);
	vramFree(b);
	tap_result(!osConvertVirtToPhys(&at), "other memory has no address");
}

/* Programs from before libctru began these services itself. */
static void test_services(void)
{
	bool ok = R_SUCCEEDED(srvInit()) && R_SUCCEEDED(aptInit()) && R_SUCCEEDED(hidInit());

	hidScanInput();
	tap_result(ok && !hidKeysHeld(), "services are begun by the program");
	hidExit();
	aptExit();
	srvExit();
}

/* ---- commands ---- */

static void test_numbers(void)
{
	tap_result(f32tof16(1) == 0x3c00 && f32tof16(-2) == 0xc000 && f32tof16(1e-9f) == 0 &&
		   f32tof16(1e9f) == 0x7c00, "16 bits");
	tap_result(f32tof20(1) == 0x3f000 && f32tof20(-0.75f) == 0xbe800, "20 bits");
	tap_result(f32tof24(1) == 0x3f0000 && f32tof24(-1) == 0xbf0000 &&
		   f32tof24(120) == 0x45e000, "24 bits");
	tap_result(f32tof31(1) == 0x1f800000 && f32tof31(-1.5f) == 0x5fc00000, "31 bits");
}

static void test_commands(void)
{
	static u32 buf[1024], many[300];
	u32 *list, size, i;

	for (i = 0; i < 300; i++)
		many[i] = i + 1;
	GPUCMD_SetBuffer(buf, 1024, 0);
	GPUCMD_AddMaskedWrite(0x123, 5, 0x11);
	tap_result(gpuCmdBufOffset == 2 && buf[0] == 0x11 && buf[1] == 0x00050123, "one word");
	GPUCMD_AddIncrementalWrites(0x200, many, 4);
	tap_result(gpuCmdBufOffset == 8 && buf[2] == 1 && buf[3] == 0x803f0200 && buf[6] == 4 &&
		   !buf[7], "consecutive registers, padded");
	GPUCMD_AddWrites(0x2cc, many, 300);
	tap_result(buf[9] == 0x0fff02cc && buf[8 + 258] == 257 &&
		   buf[8 + 259] == (0x000f02cc | 43 << 20), "300 words are two commands");
	GPUCMD_Split(&list, &size);
	tap_result(list == buf && size % 4 == 0 && buf[size - 1] == 0x000f0010 &&
		   gpuCmdBuf == buf + size && gpuCmdBufSize == 1024 - size && !gpuCmdBufOffset,
		   "the next list follows");
	GPUCMD_SetBuffer(NULL, 0, 0);
}

/* ---- compression ---- */

/** struct reader - gives a few bytes a call */
struct reader {
	const u8 *p;
	size_t left;
};

static ssize_t give(void *userdata, void *buffer, size_t size)
{
	struct reader *r = userdata;
	size_t n = size < 3 ? size : 3;

	n = n < r->left ? n : r->left;
	memcpy(buffer, r->p, n);
	r->p += n;
	r->left -= n;
	return (ssize_t)n;
}

static void unpack(const char *what, const u8 *in, size_t size, const char *want)
{
	struct reader r = { in, size };
	char out[2][400];
	size_t n = strlen(want);
	const decompressIOVec iov[2] = { { out[1], 1 }, { out[1] + 1, n - 1 } };
	bool ok[2], cut;

	memset(out, 0, sizeof(out));
	ok[0] = decompress(out[0], n, NULL, (void *)in, size);
	ok[1] = decompressV(iov, 2, give, &r, 0);
	tap_result(ok[0] && ok[1] && !strcmp(out[0], want) && !strcmp(out[1], want), "%s: %s", what,
		   out[0]);
	cut = decompress(out[0], n, NULL, (void *)in, size - 1);
	tap_result(!cut, "%s: a byte is missing", what);
}

static void test_decompress(void)
{
	static const u8 lz10[] = { 0x10, 9, 0, 0, 0x20, 'a', 'b', 0x30, 1, 'c' };
	static const u8 lz11[] = { 0x11, 25, 0, 0, 0x30, 'a', 'b', 0x20, 1, 0x00, 0x20, 0x01, 'c' };
	static const u8 rle[] = { 0x30, 8, 0, 0, 0x82, 'x', 0x02, 'a', 'b', 'c' };
	/* a root with two symbols: 0 is 'a', 1 is 'b' */
	static const u8 huffman[] = { 0x28, 4, 0, 0, 1, 0xc0, 'a', 'b', 0, 0, 0, 0x60 };
	static const u8 nibbles[] = { 0x24, 2, 0, 0, 1, 0xc0, 1, 6, 0, 0, 0, 0x50 };
	static const u8 plain[] = { 0x80, 3, 0, 0, 0, 0, 0, 0, 'a', 'b', 'c' };
	static const u8 before[] = { 0x10, 9, 0, 0, 0x80, 0x30, 1 };
	char out[16];

	unpack("LZ10", lz10, sizeof(lz10), "ababababc");
	unpack("LZ11", lz11, sizeof(lz11), "ababababababababababababc");
	unpack("run lengths", rle, sizeof(rle), "xxxxxabc");
	unpack("Huffman", huffman, sizeof(huffman), "abba");
	unpack("Huffman of 4 bits", nibbles, sizeof(nibbles), "aa");
	unpack("nothing, long header", plain, sizeof(plain), "abc");
	tap_result(!decompress(out, 9, NULL, (void *)before, sizeof(before)),
		   "bytes before the first one");
}

/* ---- text ---- */

static void test_text(void)
{
	u32 c = 0;

	tap_result(decode_utf8(&c, (const u8 *)"a") == 1 && c == 'a' &&
		   decode_utf8(&c, (const u8 *)"\xe2\x82\xac") == 3 && c == 0x20ac &&
		   decode_utf8(&c, (const u8 *)"\xf0\x9f\x98\x80") == 4 && c == 0x1f600, "UTF-8");
	tap_result(decode_utf8(&c, (const u8 *)"\xc0\x80") == -1 &&
		   decode_utf8(&c, (const u8 *)"\xe2\x28") == -1 &&
		   decode_utf8(&c, (const u8 *)"\xed\xa0\x80") == -1, "what is no UTF-8");
}

/* ---- fonts ---- */

static void put(u8 *p, u32 at, u32 value, u32 bytes)
{
	memcpy(p + at, &value, bytes);
}

/* Two sheets of 2 x 1 cells; 'A' to 'C' are glyphs 0 to 2, 'x' is glyph 3. */
static u8 *make_font(void)
{
	u8 *p = linearAlloc(0x200);

	memset(p, 0, 0x200);
	put(p, 0, 0x544e4643, 4);
	put(p, 12, 0x200, 4);
	/* general: line feed, other glyph, widths; sheets, widths, characters */
	put(p, 0x14 + 9, 20, 1);
	put(p, 0x14 + 10, 1, 2);
	put(p, 0x14 + 12, 0x070605, 3);
	put(p, 0x14 + 16, 0x80, 4);
	put(p, 0x14 + 20, 0xa0, 4);
	put(p, 0x14 + 24, 0xc0, 4);
	put(p, 0x80, 7 | 8 << 8 | 6 << 16, 4);
	put(p, 0x84, 64, 4);
	put(p, 0x88, 2, 2);
	put(p, 0x8c, 2 | 1 << 16, 4);
	put(p, 0x90, 32 | 16 << 16, 4);
	put(p, 0x94, 0x100, 4);
	/* widths of glyphs 0 to 2 */
	put(p, 0xa0, 0 | 2 << 16, 4);
	put(p, 0xa8 + 6, 0x0503ff, 3);
	/* characters: a range, then pairs */
	put(p, 0xc0, 'A' | 'C' << 16, 4);
	put(p, 0xc8, 0xe0, 4);
	put(p, 0xe0, 'a' | 'z' << 16, 4);
	put(p, 0xe4, 2, 2);
	put(p, 0xec, 1 | 'x' << 16, 4);
	put(p, 0xf0, 3, 2);
	return p;
}

static CFNT_s *damaged_font(void)
{
	u8 *p = make_font();

	put(p, 0x94, 0x1fffffff, 4);
	return (CFNT_s *)p;
}

static void test_font(void)
{
	u8 *p = make_font();
	CFNT_s *font = (CFNT_s *)p;
	const charWidthInfo_s *w;
	fontGlyphPos_s g;

	fontFixPointers(font);
	tap_result(fontGetInfo(font)->lineFeed == 20 && fontGetGlyphInfo(font)->sheetWidth == 32 &&
		   fontGetGlyphSheetTex(font, 1) == p + 0x140, "a font and its sheets");
	tap_result(fontGlyphIndexFromCodePoint(font, 'C') == 2 &&
		   fontGlyphIndexFromCodePoint(font, 'x') == 3 &&
		   fontGlyphIndexFromCodePoint(font, 'y') == 1, "glyphs of characters");
	w = fontGetCharWidthInfo(font, 2);
	tap_result(w->left == -1 && w->glyphWidth == 3 && w->charWidth == 5 &&
		   fontGetCharWidthInfo(font, 3)->left == 5, "widths");
	fontCalcGlyphPos(&g, font, 3, GLYPH_POS_CALC_VTXCOORD | GLYPH_POS_AT_BASELINE, 2, 2);
	tap_result(g.sheetIndex == 1 && g.texcoord.left == 9 / 32.0f &&
		   g.texcoord.right == 15 / 32.0f && g.texcoord.top == 15 / 16.0f &&
		   g.texcoord.bottom == 7 / 16.0f && g.vtxcoord.left == 10 &&
		   g.vtxcoord.right == 22 && g.vtxcoord.top == -12 && g.vtxcoord.bottom == 4 &&
		   g.xAdvance == 14, "places of a glyph");
	linearFree(p);
}

/* ---- programs ---- */

static const char source[] =
	".fvec tint\n.constf half(0.5, 0.5, 0.5, 1.0)\n.out pos position\n.out col color\n"
	".in place v0\n.in shade v1\n.proc main\n\tmov pos, place\n\tmul r0, tint, shade\n"
	"\tadd col, half, r0\n\tend\n.end\n";

static u32 *binary(size_t *size)
{
	struct vshader_binary *bin;
	void *data = NULL;

	if (vshader_assemble(DRM_VSHADER_ENGINE_PICA, source, strlen(source), "source", &bin))
		return NULL;
	vshader_binary_write(bin, &data, size);
	vshader_binary_free(bin);
	return data;
}

static void test_container(void)
{
	shaderInstance_s *si = calloc(1, sizeof(*si));
	unsigned int kept = 0;
	size_t size = 0, i;
	u32 *data = binary(&size), old;
	DVLB_s *b = data ? DVLB_ParseFile(data, (u32)size) : NULL;
	bool set = false;

	tap_result(b && b->numDVLE == 1 && b->DVLE[0].type == VERTEX_SHDR &&
		   b->DVLE[0].outmapMask == 3 && b->DVLE[0].outmapData[0] == 2 &&
		   b->DVLE[0].outmapData[1] == 0x03020100 &&
		   b->DVLE[0].outmapData[2] == 0x0b0a0908, "a program and its outputs");
	if (!b)
		return;
	tap_result(!shaderInstanceInit(si, &b->DVLE[0]) && si->numFloat24Uniforms == 1 &&
		   si->float24Uniforms[0].data[0] == 0x3f00003e &&
		   si->float24Uniforms[0].data[2] == 0x003e0000, "its constant");
	tap_result(shaderInstanceGetUniformLocation(si, "tint") == 0 &&
		   shaderInstanceGetUniformLocation(si, "none") == -1, "its uniform by name");
	tap_result(!shaderInstanceSetBool(si, 3, true) && !shaderInstanceGetBool(si, 3, &set) &&
		   set && shaderInstanceSetBool(si, 16, true) == -2, "booleans");
	shaderInstanceFree(si);
	DVLB_Free(b);
	/* any word may be wrong: no crash, and what is accepted is freed */
	for (i = 0; i < size / 4; i++) {
		old = data[i];
		data[i] = 0x7fffffff;
		b = DVLB_ParseFile(data, (u32)size);
		kept += !!b;
		DVLB_Free(b);
		data[i] = old;
	}
	for (i = 0; i < size; i++)
		DVLB_Free(DVLB_ParseFile(data, (u32)i));
	tap_result(kept < size / 4, "damaged containers");
	free(data);
}

/* ---- requests ---- */

static unsigned int finished;

static void finish(gxCmdQueue_s *queue)
{
	finished++;
}

static void count(void *arg)
{
	++*(unsigned int *)arg;
}

static void test_queue(void)
{
	gxCmdEntry_s entries[4];
	gxCmdQueue_s q = { .entries = entries, .maxEntries = 4 };
	unsigned int filled = 0, blanks = 0;
	u32 *p = linearAlloc(256);

	memset(p, 0, 256);
	gspSetEventCallback(GSPGPU_EVENT_PSC0, count, &filled, true);
	gspSetEventCallback(GSPGPU_EVENT_VBlank0, count, &blanks, false);
	gxCmdQueueSetCallback(&q, finish, NULL);
	GX_BindQueue(&q);
	GX_MemoryFill(p, 0x11111111, p + 4, FLAGS, NULL, 0, NULL, 0);
	GX_MemoryFill(p + 4, 0x22222222, p + 8, FLAGS, p + 8, 0x3333, p + 10, GX_FILL_TRIGGER);
	tap_result(!p[0] && q.numEntries == 2 && !q.lastEntry, "a bound queue waits");
	gxCmdQueueRun(&q);
	tap_result(p[3] == 0x11111111 && p[4] == 0x22222222 && p[9] == 0x33333333 && !p[10] &&
		   finished == 1 && q.lastEntry == 2, "until it runs");
	GX_MemoryFill(p, 0x44444444, p + 4, FLAGS, NULL, 0, NULL, 0);
	tap_result(p[0] == 0x44444444 && finished == 2, "then requests are executed at once");
	gxCmdQueueStop(&q);
	gxCmdQueueClear(&q);
	GX_MemoryFill(p, 0x55555555, p + 4, FLAGS, NULL, 0, NULL, 0);
	tap_result(p[0] == 0x44444444 && q.numEntries == 1, "until it is stopped");
	GX_BindQueue(NULL);
	GX_RequestDma(p + 4, p + 16, 16);
	tap_result(p[16] == 0x22222222 && p[19] == 0x22222222 && !p[20], "DMA");
	GX_TextureCopy(p + 4, 0, p + 32, 0, 16, 8);
	tap_result(p[32] == 0x22222222 && p[35] == 0x22222222 && !p[36], "texture copy");
	gspWaitForVBlank();
	gspWaitForPSC0();
	tap_result(filled == 1 && blanks == 1, "callbacks of events");
	gspSetEventCallback(GSPGPU_EVENT_VBlank0, NULL, NULL, false);
	linearFree(p);
}

/* ---- registers ---- */

static void reg(u32 id, u32 value)
{
	GPUCMD_AddWrite(id, value);
}

static void put_f24(const float v[4])
{
	u32 f[4], w[3], i;

	for (i = 0; i < 4; i++)
		f[i] = f32tof24(v[i]);
	w[0] = f[3] << 8 | f[2] >> 16;
	w[1] = f[2] << 16 | f[1] >> 8;
	w[2] = f[1] << 24 | f[0];
	GPUCMD_AddIncrementalWrites(GPUREG_FIXEDATTRIB_DATA0, w, 3);
}

static void put_state(shaderProgram_s *p, const u32 *colour)
{
	static const float shade[4] = { 0.5f, 1, 0.25f, 1 };
	u32 fog[128], i;
	static const u32 tint[4] = { 0x3f800000, 0x3e800000, 0x3f000000, 0x3f000000 };

	for (i = 0; i < 128; i++)
		fog[i] = (i * 16 & 0x7ff) << 13;
	shaderProgramUse(p);
	reg(GPUREG_VSH_FLOATUNIFORM_CONFIG, 0x80000000);
	GPUCMD_AddWrites(GPUREG_VSH_FLOATUNIFORM_DATA, tint, 4);
	reg(GPUREG_FIXEDATTRIB_INDEX, 1);
	put_f24(shade);
	reg(GPUREG_VSH_NUM_ATTR, 0);
	reg(GPUREG_ATTRIBBUFFERS_FORMAT_HIGH, 1u << 28 | 2 << 16);
	GPUCMD_AddMaskedWrite(GPUREG_VSH_INPUTBUFFER_CONFIG, 0xb, 0xa0000001);
	reg(GPUREG_VSH_ATTRIBUTES_PERMUTATION_LOW, 0x10);
	reg(GPUREG_FOG_LUT_INDEX, 0);
	GPUCMD_AddWrites(GPUREG_FOG_LUT_DATA0, fog, 128);
	reg(GPUREG_FOG_COLOR, 0x3000ff);
	reg(GPUREG_TEXENV_UPDATE_BUFFER, GPU_FOG);
	reg(GPUREG_VIEWPORT_WIDTH, f32tof24(SIDE / 2));
	reg(GPUREG_VIEWPORT_HEIGHT, f32tof24(SIDE / 2));
	reg(GPUREG_DEPTHMAP_ENABLE, 1);
	reg(GPUREG_DEPTHMAP_SCALE, f32tof24(-1));
	reg(GPUREG_FRAMEBUFFER_DIM, SIDE | (SIDE - 1) << 12 | BIT(24));
	reg(GPUREG_COLORBUFFER_LOC, osConvertVirtToPhys(colour) >> 3);
	reg(GPUREG_COLORBUFFER_FORMAT, 2);
	reg(GPUREG_COLORBUFFER_WRITE, 0xf);
	reg(GPUREG_DEPTH_COLOR_MASK, GPU_WRITE_COLOR << 8);
	reg(GPUREG_LOGIC_OP, GPU_LOGICOP_COPY);
	reg(GPUREG_TEXENV0_SOURCE, 0);
	for (i = 1; i < 6; i++)
		reg(i < 4 ? GPUREG_TEXENV0_SOURCE + 8 * i : GPUREG_TEXENV4_SOURCE + 8 * (i - 4),
		    0x0fff0fff);
}

static void put_triangles(void)
{
	static const float corner[6][4] = {
		{ -1, -1, -1, 1 }, { 1, -1, -0.5f, 1 }, { -1, 1, -0.25f, 1 },
		{ -0.5f, -1, -1, 1 }, { 1, -1, 0, 1 }, { 1, 1, -1, 1 },
	};
	int i;

	GPUCMD_AddMaskedWrite(GPUREG_PRIMITIVE_CONFIG, 2, GPU_TRIANGLES);
	reg(GPUREG_FIXEDATTRIB_INDEX, 15);
	for (i = 0; i < 6; i++)
		put_f24(corner[i]);
	reg(GPUREG_FIXEDATTRIB_INDEX, 1);
}

static void run(void)
{
	u32 *words, size;

	GPUCMD_Split(&words, &size);
	GX_ProcessCommandList(words, 4 * size, 0);
}

/* One list, and the same as two lists: the second one has no state of its own. */
static void test_registers(void)
{
	u32 *list = linearAlloc(4 * 8192), *colour = linearAlloc(4 * SIDE * SIDE);
	u32 *copy = malloc(4 * SIDE * SIDE), kinds = 0, i;
	size_t size = 0;
	u32 *data = binary(&size);
	shaderProgram_s p;
	DVLB_s *b = DVLB_ParseFile(data, (u32)size);

	shaderProgramInit(&p);
	shaderProgramSetVsh(&p, &b->DVLE[0]);
	memset(colour, 0, 4 * SIDE * SIDE);
	GPUCMD_SetBuffer(list, 8192, 0);
	put_state(&p, colour);
	run();
	GPUCMD_SetBuffer(list, 8192, 0);
	put_triangles();
	run();
	memcpy(copy, colour, 4 * SIDE * SIDE);
	for (i = 1; i < SIDE * SIDE; i++)
		kinds += copy[i] != copy[i - 1];
	tap_result(kinds > 50, "a picture whose registers another list has set: %u edges", kinds);

	memset(colour, 0, 4 * SIDE * SIDE);
	GPUCMD_SetBuffer(list, 8192, 0);
	put_state(&p, colour);
	put_triangles();
	run();
	tap_result(!memcmp(copy, colour, 4 * SIDE * SIDE), "one list draws the same");
	shaderProgramFree(&p);
	DVLB_Free(b);
	free(data);
	free(copy);
	linearFree(list);
	linearFree(colour);
}

/* ---- for the script ---- */

static void pixel(gfxScreen_t s, gfx3dSide_t side, int x, int y, u32 value)
{
	u16 width, height;
	u8 *p = gfxGetFramebuffer(s, side, &width, &height);
	u32 bytes = gspGetBytesPerPixel(gfxGetScreenFormat(s));

	memcpy(p + bytes * (width * x + width - 1 - y), &value, bytes);
}

/* Corners of the top screen, and one pixel of each other picture. */
static int screens(void)
{
	static const u32 white[] = { 0xffffff00, 0xffffff, 0xffff, 0xfffe, 0xfff0 };
	static const u32 red[] = { 0xff000000, 0xff0000, 0xf800, 0xf800, 0xf000 };
	unsigned int frame = 0;

	gfxInitDefault();
	while (aptMainLoop()) {
		gfxSetScreenFormat(GFX_TOP, (GSPGPU_FramebufferFormat)(frame % 5));
		gfxSet3D(frame == 5);
		if (frame == 6)
			gfxSetWide(true);
		memset(gfxGetFramebuffer(GFX_TOP, GFX_LEFT, NULL, NULL), 0, 240 * 400 * 2);
		pixel(GFX_TOP, GFX_LEFT, 0, 0, red[frame % 5]);
		pixel(GFX_TOP, GFX_LEFT, frame == 6 ? 799 : 399, 1, white[frame % 5]);
		pixel(GFX_TOP, GFX_RIGHT, 2, 239, red[frame % 5]);
		gfxScreenSwapBuffers(GFX_TOP, true);
		if (frame == 1) {
			pixel(GFX_BOTTOM, GFX_LEFT, 319, 239, red[1]);
			gfxScreenSwapBuffers(GFX_BOTTOM, false);
		}
		frame++;
	}
	gfxExit();
	return 0;
}

/* Columns of 1,024 bytes: two eyes; then 800 columns; the bottom screen, as the service has it. */
static int present(const char *how)
{
	u8 *a = linearAlloc(800 * 1024), *b = vramAlloc(400 * 1024);
	GSPGPU_FramebufferInfo info = {
		.framebuf0_vaddr = (u32 *)a, .framebuf_widthbytesize = 1024,
		.format = GSP_RGB565_OES,
	};
	static u8 other[400 * 720];

	gspInit();
	if (how)
		gspPresentBuffer(GSP_SCREEN_TOP, 0, other, other, 720, 1 << 6 | GSP_BGR8_OES);
	memset(a, 0, 800 * 1024);
	memset(b, 0, 400 * 1024);
	a[3 * 1024 + 3 * 239] = 0xff;		/* blue, column 3, first line */
	b[5 * 1024 + 3 * 239 + 2] = 0xff;	/* red */
	a[799 * 1024 + 3 * 239 + 1] = 0xff;	/* green */
	aptMainLoop();
	/* column 7, blue */
	GX_MemoryFill((u32 *)(b + 7 * 1024), 0xff, (u32 *)(b + 7 * 1024 + 720),
		      GX_FILL_TRIGGER | GX_FILL_24BIT_DEPTH, NULL, 0, NULL, 0);
	gspPresentBuffer(GSP_SCREEN_TOP, 0, a, b, 1024, 1 << 8 | 1 << 5 | GSP_BGR8_OES);
	aptMainLoop();
	gspPresentBuffer(GSP_SCREEN_TOP, 1, a, a, 1024, 1 << 8 | GSP_BGR8_OES);
	GSPGPU_SetBufferSwap(GSP_SCREEN_BOTTOM, &info);
	aptMainLoop();
	gspExit();
	return 0;
}

/* The color is in the request and, from the second frame on, in memory before it, too. */
static int still(void)
{
	u8 *p = linearAlloc(240 * 400 * 3);

	gspInit();
	while (aptMainLoop()) {
		GX_MemoryFill((u32 *)p, 0x563412, (u32 *)(p + 240 * 400 * 3),
			      GX_FILL_TRIGGER | GX_FILL_24BIT_DEPTH, NULL, 0, NULL, 0);
		gspPresentBuffer(GSP_SCREEN_TOP, 0, p, p, 720, 1 << 6 | GSP_BGR8_OES);
	}
	gspExit();
	return 0;
}

static int keys(void)
{
	while (aptMainLoop()) {
		hidScanInput();
		printf("%x %x %x\n", hidKeysDown(), hidKeysHeld(), hidKeysUp());
	}
	return 0;
}

static int broken(const char *how)
{
	u32 *list = linearAlloc(64);
	static u32 other[8];

	GPUCMD_SetBuffer(strcmp(how, "malloc") ? list : other, 8, 0);
	reg(GPUREG_GEOSTAGE_CONFIG, 1);
	reg(GPUREG_DRAWARRAYS, 1);
	if (!strcmp(how, "fill"))
		GX_MemoryFill((u32 *)OS_FCRAM_VADDR, 1, (u32 *)0x3ffffff0, FLAGS, NULL, 0, NULL, 0);
	else if (!strcmp(how, "font"))
		fontFixPointers(damaged_font());
	else
		run();
	printf("survived\n");
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "screens"))
		return screens();
	if (argc > 1 && !strcmp(argv[1], "present"))
		return present(argv[2]);
	if (argc > 1 && !strcmp(argv[1], "still"))
		return still();
	if (argc > 1 && !strcmp(argv[1], "keys"))
		return keys();
	if (argc > 1 && !strcmp(argv[1], "slider"))
		return printf("%g\n", osGet3DSliderState()) < 0;
	if (argc > 1)
		return broken(argv[1]);
	gspInit();
	test_memory();
	test_services();
	test_numbers();
	test_commands();
	test_decompress();
	test_text();
	test_font();
	test_container();
	test_queue();
	test_registers();
	return tap_done();
}
