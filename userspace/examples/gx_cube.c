// SPDX-License-Identifier: MIT
/*
 * A renderer for the 3DS with nothing but command lists: a turning cube with a texture on the top
 * screen. The same source is built for the console with libctru, and for Linux with
 * libvshader_gx, where frames become PNG files. Shader: romfs:/gx_cube.shbin.
 */
#include <3ds.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH		GSP_SCREEN_WIDTH	/* of the screen on its side */
#define HEIGHT		GSP_SCREEN_HEIGHT_TOP
#define PIXELS		(WIDTH * HEIGHT)
#define LIST_WORDS	0x4000
#define SHADER_BYTES	0x4000
#define SIDE		8			/* texels of the texture: one block */
#define CORNERS		36
#define NEAR		0.1f
#define FAR		10.0f
#define SKY		0x68b0d8ff
#define TURN		0.1f			/* radians a frame */

struct vertex {
	float place[3];
	float coord[2];
	float light;
};

static u32 shader[SHADER_BYTES / 4];
static shaderProgram_s program;
static DVLB_s *binary;
static u32 *list, *colour, *depth, *texture;
static struct vertex *cube;

/* ---- data ---- */

static bool load_shader(void)
{
	FILE *f = fopen("romfs:/gx_cube.shbin", "rb");
	size_t size = f ? fread(shader, 1, sizeof(shader), f) : 0;

	if (f)
		fclose(f);
	binary = size ? DVLB_ParseFile(shader, (u32)size) : NULL;
	return binary && !shaderProgramInit(&program) &&
	       !shaderProgramSetVsh(&program, &binary->DVLE[0]);
}

/* Texels of a block are in Morton order; a frame around two diagonals. */
static void make_texture(void)
{
	u32 i, x, y;

	for (i = 0; i < SIDE * SIDE; i++) {
		x = (i & 1) | (i >> 1 & 2) | (i >> 2 & 4);
		y = (i >> 1 & 1) | (i >> 2 & 2) | (i >> 3 & 4);
		texture[i] = x % 7 == 0 || y % 7 == 0 ? 0x604020ff :
			     x == y || x + y == 7 ? 0xc08040ff : 0xf0c080ff;
	}
}

/* Each of six sides is two triangles, whose first axis points out. */
static void make_cube(void)
{
	static const u8 corner[6] = { 0, 1, 2, 2, 1, 3 };
	static const float light[6] = { 0.6f, 0.9f, 1.0f, 0.3f, 1.0f, 0.5f };
	int side, i, axis, s, t;
	struct vertex *v = cube;

	for (side = 0; side < 6; side++) {
		for (i = 0; i < 6; i++, v++) {
			axis = side % 3;
			s = corner[i] & 1;
			t = corner[i] >> 1;
			v->place[axis] = side < 3 ? 0.5f : -0.5f;
			v->place[(axis + 1) % 3] = (side < 3 ? s : 1 - s) - 0.5f;
			v->place[(axis + 2) % 3] = t - 0.5f;
			v->coord[0] = s;
			v->coord[1] = t;
			v->light = light[side];
		}
	}
}

/* ---- commands ---- */

static void reg(u32 id, u32 value)
{
	GPUCMD_AddWrite(id, value);
}

static void put_frame(void)
{
	reg(GPUREG_FRAMEBUFFER_INVALIDATE, 1);
	reg(GPUREG_VIEWPORT_WIDTH, f32tof24(WIDTH / 2.0f));
	reg(GPUREG_VIEWPORT_INVW, f32tof31(2.0f / WIDTH) << 1);
	reg(GPUREG_VIEWPORT_HEIGHT, f32tof24(HEIGHT / 2.0f));
	reg(GPUREG_VIEWPORT_INVH, f32tof31(2.0f / HEIGHT) << 1);
	reg(GPUREG_VIEWPORT_XY, 0);
	reg(GPUREG_SCISSORTEST_MODE, 0);
	reg(GPUREG_DEPTHMAP_ENABLE, 1);
	reg(GPUREG_DEPTHMAP_SCALE, f32tof24(-1));
	reg(GPUREG_DEPTHMAP_OFFSET, 0);
	reg(GPUREG_RENDERBUF_DIM, WIDTH | (HEIGHT - 1) << 12 | BIT(24));
	reg(GPUREG_FRAMEBUFFER_DIM, WIDTH | (HEIGHT - 1) << 12 | BIT(24));
	reg(GPUREG_FRAMEBUFFER_BLOCK32, 0);
	reg(GPUREG_COLORBUFFER_LOC, osConvertVirtToPhys(colour) >> 3);
	reg(GPUREG_COLORBUFFER_FORMAT, 2);
	reg(GPUREG_DEPTHBUFFER_LOC, osConvertVirtToPhys(depth) >> 3);
	reg(GPUREG_DEPTHBUFFER_FORMAT, GPU_RB_DEPTH24_STENCIL8);
	reg(GPUREG_COLORBUFFER_READ, 0xf);
	reg(GPUREG_COLORBUFFER_WRITE, 0xf);
	reg(GPUREG_DEPTHBUFFER_READ, 3);
	reg(GPUREG_DEPTHBUFFER_WRITE, 3);
}

/* Fragments: texture times brightness; the nearest one is kept. */
static void put_fragments(void)
{
	u32 source = GPU_TEVSOURCES(GPU_TEXTURE0, GPU_PRIMARY_COLOR, 0);
	int i;

	reg(GPUREG_TEXUNIT_CONFIG, GPU_TEXUNIT0 | BIT(12));
	reg(GPUREG_TEXUNIT0_DIM, SIDE << 16 | SIDE);
	reg(GPUREG_TEXUNIT0_PARAM, 0);
	reg(GPUREG_TEXUNIT0_LOD, 0);
	reg(GPUREG_TEXUNIT0_ADDR1, osConvertVirtToPhys(texture) >> 3);
	reg(GPUREG_TEXUNIT0_TYPE, GPU_RGBA8);
	reg(GPUREG_LIGHTING_ENABLE0, 0);
	reg(GPUREG_LIGHTING_ENABLE1, 1);
	for (i = 0; i < 6; i++) {
		u32 env = i < 4 ? GPUREG_TEXENV0_SOURCE + 8 * i :
				  GPUREG_TEXENV4_SOURCE + 8 * (i - 4);

		reg(env, i ? 0x0fff0fff : source << 16 | source);
		reg(env + 1, 0);
		reg(env + 2, i ? GPU_REPLACE : GPU_MODULATE << 16 | GPU_MODULATE);
		reg(env + 3, 0);
		reg(env + 4, 0);
	}
	reg(GPUREG_TEXENV_UPDATE_BUFFER, 0);
	reg(GPUREG_COLOR_OPERATION, 0xe40000);
	reg(GPUREG_LOGIC_OP, GPU_LOGICOP_COPY);
	reg(GPUREG_FRAGOP_ALPHA_TEST, 0);
	reg(GPUREG_STENCIL_TEST, 0);
	reg(GPUREG_DEPTH_COLOR_MASK, 1 | GPU_GREATER << 4 | GPU_WRITE_ALL << 8);
	reg(GPUREG_FACECULLING_CONFIG, GPU_CULL_BACK_CCW);
}

/* Turn, look from a distance of 2, and lay the picture on its side. */
static void put_matrix(float angle)
{
	float s = sinf(angle), c = cosf(angle), z = -NEAR / (FAR - NEAR), zoom = 2.0f;
	float up = sinf(0.5f), fwd = cosf(0.5f), ratio = (float)WIDTH / HEIGHT;
	/* rows of the eye's space: right, up, towards the viewer */
	const float eye[3][4] = {
		{ c, 0, s, 0 }, { up * s, fwd, -up * c, 0 }, { -fwd * s, up, fwd * c, -2 },
	};
	u32 words[17], n, i, k, bits;
	float m[4][4];

	for (i = 0; i < 4; i++) {
		m[0][i] = zoom * eye[1][i];
		m[1][i] = -zoom * ratio * eye[0][i];
		m[2][i] = z * eye[2][i] + (i == 3 ? z * FAR : 0);
		m[3][i] = -eye[2][i];
	}
	words[0] = BIT(31) | (u32)shaderInstanceGetUniformLocation(program.vertexShader, "matrix");
	for (n = 1, i = 0; i < 4; i++) {
		for (k = 4; k-- > 0; n++) {
			memcpy(&bits, &m[i][k], 4);
			words[n] = bits;
		}
	}
	reg(GPUREG_VSH_FLOATUNIFORM_CONFIG, words[0]);
	GPUCMD_AddWrites(GPUREG_VSH_FLOATUNIFORM_DATA, words + 1, 16);
}

static void put_draw(void)
{
	const u32 formats[2] = {
		GPU_ATTRIBFMT(0, 3, GPU_FLOAT) | GPU_ATTRIBFMT(1, 2, GPU_FLOAT) |
		GPU_ATTRIBFMT(2, 1, GPU_FLOAT), 2U << 28 | 0xff8 << 16
	};
	const u32 buffer[3] = { 0, 0x210, 3U << 28 | sizeof(struct vertex) << 16 };
	const u32 order[2] = { 0x210, 0 };

	reg(GPUREG_ATTRIBBUFFERS_LOC, osConvertVirtToPhys(cube) >> 3);
	GPUCMD_AddIncrementalWrites(GPUREG_ATTRIBBUFFERS_FORMAT_LOW, formats, 2);
	GPUCMD_AddIncrementalWrites(GPUREG_ATTRIBBUFFER0_OFFSET, buffer, 3);
	GPUCMD_AddMaskedWrite(GPUREG_VSH_INPUTBUFFER_CONFIG, 0xb, 0xa0000002);
	reg(GPUREG_VSH_NUM_ATTR, 2);
	GPUCMD_AddIncrementalWrites(GPUREG_VSH_ATTRIBUTES_PERMUTATION_LOW, order, 2);
	GPUCMD_AddMaskedWrite(GPUREG_PRIMITIVE_CONFIG, 2, GPU_TRIANGLES);
	reg(GPUREG_RESTART_PRIMITIVE, 1);
	reg(GPUREG_INDEXBUFFER_CONFIG, BIT(31));
	reg(GPUREG_NUMVERTICES, CORNERS);
	reg(GPUREG_VERTEX_OFFSET, 0);
	GPUCMD_AddMaskedWrite(GPUREG_GEOSTAGE_CONFIG2, 1, 1);
	GPUCMD_AddMaskedWrite(GPUREG_START_DRAW_FUNC0, 1, 0);
	reg(GPUREG_DRAWARRAYS, 1);
	GPUCMD_AddMaskedWrite(GPUREG_START_DRAW_FUNC0, 1, 1);
	GPUCMD_AddMaskedWrite(GPUREG_GEOSTAGE_CONFIG2, 1, 0);
	reg(GPUREG_VTX_FUNC, 1);
	reg(GPUREG_FRAMEBUFFER_FLUSH, 1);
}

/* ---- frames ---- */

static void draw(float angle)
{
	u32 *words, size, flags = GX_FILL_TRIGGER | GX_FILL_32BIT_DEPTH;
	u32 *screen = (u32 *)gfxGetFramebuffer(GFX_TOP, GFX_LEFT, NULL, NULL);

	GX_MemoryFill(colour, SKY, colour + PIXELS, flags, depth, 0, depth + PIXELS, flags);
	gspWaitForPSC0();
	GPUCMD_SetBuffer(list, LIST_WORDS, 0);
	shaderProgramUse(&program);
	put_frame();
	put_fragments();
	put_matrix(angle);
	put_draw();
	GPUCMD_Split(&words, &size);
	GX_ProcessCommandList(words, 4 * size, GX_CMDLIST_FLUSH);
	gspWaitForP3D();
	GX_DisplayTransfer(colour, GX_BUFFER_DIM(WIDTH, HEIGHT), screen,
			   GX_BUFFER_DIM(WIDTH, HEIGHT),
			   GX_TRANSFER_IN_FORMAT(GX_TRANSFER_FMT_RGBA8) |
			   GX_TRANSFER_OUT_FORMAT(GX_TRANSFER_FMT_RGB8));
	gspWaitForPPF();
	gfxScreenSwapBuffers(GFX_TOP, false);
	gspWaitForVBlank();
}

int main(void)
{
	float angle = 0.4f;

	gfxInitDefault();
	romfsInit();
	list = linearAlloc(4 * LIST_WORDS);
	texture = linearAlloc(4 * SIDE * SIDE);
	cube = linearAlloc(CORNERS * sizeof(*cube));
	colour = vramAlloc(4 * PIXELS);
	depth = vramAlloc(4 * PIXELS);
	if (!load_shader()) {
		fprintf(stderr, "romfs:/gx_cube.shbin: no shader\n");
		return EXIT_FAILURE;
	}
	make_texture();
	make_cube();
	GSPGPU_FlushDataCache(texture, 4 * SIDE * SIDE);
	GSPGPU_FlushDataCache(cube, CORNERS * sizeof(*cube));
	while (aptMainLoop()) {
		hidScanInput();
		if (hidKeysDown() & KEY_START)
			break;
		draw(angle);
		angle += TURN;
	}
	shaderProgramFree(&program);
	DVLB_Free(binary);
	romfsExit();
	gfxExit();
	return EXIT_SUCCESS;
}
