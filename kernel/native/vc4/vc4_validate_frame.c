// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Validation of the surfaces of a frame, with the verdicts of Linux's vc4 driver; it would write a
 * render list then. Here the frame becomes the words of a job.
 */
#include "vc4_val.h"

#define FULL_RES	1	/* flag of a surface */
#define FULL_TILE	16384	/* bytes of all samples of a tile */
#define FULL_SIDE	32	/* pixels */
#define FULL_NO_COLOR	0x1	/* flags of its address in a render list */
#define FULL_NO_ZS	0x2
#define SURFACE_ALIGN		16	/* of surfaces */

/* Bits of loads and stores. */
#define BUFFER(bits)	((bits) & 7)
#define BUFFER_COLOR	1
#define BUFFER_ZS	2
#define LAYOUT(bits)	((bits) >> 4 & 3)
#define FORMAT(bits)	((bits) >> 8 & 3)
#define STORE_BITS	0x0337

/* Bits of the rendering mode. */
#define MODE_MS		0x01
#define MODE_FORMAT(m)	((m) >> 2 & 3)
#define MODE_8888	1
#define MODE_LAYOUT(m)	((m) >> 6 & 3)
#define MODE_BITS	0x00dd

#define BAD_LAYOUT	3
#define BAD_FORMAT	3

/**
 * struct val_frame - Frame being validated.
 * @j:		job
 * @f:		frame
 * @why:	reason
 * @at:		enum vc4_surface
 */
struct val_frame {
	struct vc4_val_job *j;
	const struct vc4_val_frame *f;
	struct vc4_refusal *why;
	u32 at;
};

static int val_frame_refuse(struct val_frame *v, const char *text, u32 value, u32 limit)
{
	return vc4_refuse(v->why, v->at, text, value, limit);
}

static int check_image(struct val_frame *v, const struct vc4_val_bo *bo, u32 layout, u32 cpp)
{
	static const u8 order[] = { PX_LINEAR, PX_T, PX_LT };
	u32 offset = v->f->surface[v->at].offset;

	if (layout == BAD_LAYOUT)
		return val_frame_refuse(v, "layout of a surface", layout, BAD_LAYOUT - 1);
	if (!vc4_image_fits(order[layout], v->f->width, v->f->height, cpp, offset, bo->bytes))
		return val_frame_refuse(v, "surface outside of its buffer object", offset,
					bo->bytes);
	return 0;
}

/* All samples: whole tiles, row by row. */
static int check_full(struct val_frame *v, const struct vc4_val_bo *bo)
{
	u32 offset = v->f->surface[v->at].offset, last, tiles;

	if (offset > bo->bytes)
		return val_frame_refuse(v, "surface outside of its buffer object", offset,
					bo->bytes);
	last = DIV_ROUND_UP(v->f->width, FULL_SIDE) * v->f->max_y + v->f->max_x;
	tiles = (bo->bytes - offset) / FULL_TILE;
	if (last > tiles)
		return val_frame_refuse(v, "tile outside of its buffer object", last, tiles);
	/* Linux compares the last tile's index with the number of tiles */
	if (last == tiles)
		return vc4_refuse_stricter(v->why, v->at, "tile outside of its buffer object", last,
					   tiles);
	return 0;
}

/* Colours that a frame stores: the rendering mode's. */
static int check_mode(struct val_frame *v, const struct vc4_val_bo *bo)
{
	const struct vc4_val_surface *s = &v->f->surface[v->at];

	if (s->flags)
		return val_frame_refuse(v, "flags of the colour surface", s->flags, 0);
	if (s->bits & ~MODE_BITS)
		return val_frame_refuse(v, "bits of the colour surface", s->bits, MODE_BITS);
	if (!bo)
		return 0;
	if (MODE_FORMAT(s->bits) == BAD_FORMAT)
		return val_frame_refuse(v, "format of the colour surface", BAD_FORMAT,
					BAD_FORMAT - 1);
	return check_image(v, bo, MODE_LAYOUT(s->bits), MODE_FORMAT(s->bits) == MODE_8888 ? 4 : 2);
}

static int check_format(struct val_frame *v, u32 bits)
{
	if (bits & ~STORE_BITS)
		return val_frame_refuse(v, "bits of a surface", bits, STORE_BITS);
	if (BUFFER(bits) != BUFFER_COLOR && BUFFER(bits) != BUFFER_ZS)
		return val_frame_refuse(v, "buffer of a surface", BUFFER(bits), BUFFER_ZS);
	if (FORMAT(bits) == BAD_FORMAT || (BUFFER(bits) == BUFFER_ZS && FORMAT(bits)))
		return val_frame_refuse(v, "format of a surface", FORMAT(bits), BAD_FORMAT - 1);
	return 0;
}

/* Colour, or depth and stencil: any of the two, whatever the surface's name. */
static int check_general(struct val_frame *v, const struct vc4_val_bo *bo)
{
	const struct vc4_val_surface *s = &v->f->surface[v->at];
	int ret;

	if (s->flags & ~FULL_RES)
		return val_frame_refuse(v, "flags of a surface", s->flags, FULL_RES);
	if (!bo)
		return 0;
	if (s->flags) {
		if (v->at == VC4_ZS_WRITE || s->bits)
			return val_frame_refuse(v, "all samples of a surface with bits", s->bits,
						0);
		return check_full(v, bo);
	}
	ret = check_format(v, s->bits);
	if (ret)
		return ret;
	if (s->offset % SURFACE_ALIGN)
		return val_frame_refuse(v, "offset of a surface", s->offset, SURFACE_ALIGN);
	return check_image(v, bo, LAYOUT(s->bits), FORMAT(s->bits) ? 2 : 4);
}

static int check_samples(struct val_frame *v, const struct vc4_val_bo *bo)
{
	const struct vc4_val_surface *s = &v->f->surface[v->at];

	if (s->flags || s->bits)
		return val_frame_refuse(v, "bits of a surface of samples", s->bits, 0);
	if (!bo)
		return 0;
	if (s->offset % SURFACE_ALIGN)
		return val_frame_refuse(v, "offset of a surface", s->offset, SURFACE_ALIGN);
	return check_full(v, bo);
}

/* @word: two words of the job. */
static int check_surface(struct val_frame *v, u32 *word, u32 *written)
{
	const struct vc4_val_surface *s = &v->f->surface[v->at];
	bool writes = v->at != VC4_COLOR_READ && v->at != VC4_ZS_READ;
	struct vc4_val_bo *bo = NULL;
	int ret;

	if (s->bo != VC4_NO_SURFACE) {
		bo = vc4_data_bo(v->j, s->bo, v->at, v->why);
		if (!bo)
			return -EINVAL;
	}
	if (v->at == VC4_COLOR_WRITE)
		ret = check_mode(v, bo);
	else
		ret = v->at < VC4_MSAA_COLOR_WRITE ? check_general(v, bo) : check_samples(v, bo);
	if (ret || !bo)
		return ret;
	/* Linux does not check these offsets; their low bits become flags: nothing is loaded */
	if (s->flags && s->offset & (v->at == VC4_ZS_READ ? FULL_NO_ZS : FULL_NO_COLOR))
		return 0;
	word[0] = bo->va + (s->offset & ~(SURFACE_ALIGN - 1U));
	word[1] = s->bits | (s->flags ? VC4_FULL_RES : 0);
	if (writes) {
		bo->use |= VC4_USE_WRITE;
		*written |= BIT(v->at);
	}
	return 0;
}

static int check_tiles(struct val_frame *v)
{
	const struct vc4_val_frame *f = v->f;

	if (f->min_x > f->max_x || f->min_y > f->max_y)
		return val_frame_refuse(v, "last tile before the first one", f->max_x, f->max_y);
	if (!v->j->list_bytes)
		return 0;
	if (f->max_x > v->j->tiles_x || f->max_y > v->j->tiles_y)
		return val_frame_refuse(v, "tile that is not binned", f->max_x, v->j->tiles_x);
	/* Linux compares an index with a number */
	if (f->max_x == v->j->tiles_x || f->max_y == v->j->tiles_y)
		return vc4_refuse_stricter(v->why, v->at, "tile that is not binned", f->max_x,
					   v->j->tiles_x);
	return 0;
}

/* Return: whether tiles are inside the frame. */
static bool val_frame_describe(const struct val_frame *v, u32 *word)
{
	const struct vc4_val_frame *f = v->f;
	bool ms = f->surface[VC4_COLOR_WRITE].bits & MODE_MS;
	u32 side = ms ? 32 : 64, columns = DIV_ROUND_UP(f->width, side);
	u32 rows = DIV_ROUND_UP(f->height, side);

	word[VC4_RENDER_KIND] = VC4_RENDER_DESC;
	word[VC4_RENDER_SIZE] = f->width | (u32)f->height << 16;
	word[VC4_RENDER_FLAGS] = (f->flags & VC4_FRAME_CLEAR ? VC4_RENDER_CLEAR : 0) |
				 (ms ? VC4_RENDER_MS : 0);
	memcpy(word + VC4_RENDER_COLOR0, f->clear, sizeof(f->clear));
	if (v->j->list_bytes) {
		word[VC4_RENDER_LISTS] = v->j->tile_lists;
		word[VC4_RENDER_COLUMNS] = v->j->tiles_x;
	}
	/* Linux counts columns and rows in 8 bits */
	if (f->max_x - f->min_x == 255 || f->max_y - f->min_y == 255)
		return false;
	if (f->min_x >= columns || f->min_y >= rows)
		return false;
	columns = min_t(u32, f->max_x + 1, columns);
	rows = min_t(u32, f->max_y + 1, rows);
	word[VC4_RENDER_TILES] = f->min_x | f->min_y << 8 | (columns - 1) << 16 | (rows - 1) << 24;
	return true;
}

int vc4_validate_render(struct vc4_val_job *j, const struct vc4_val_frame *f, u32 *words,
			bool *empty, struct vc4_refusal *why)
{
	struct val_frame v = { .j = j, .f = f, .why = why };
	u32 written = 0;
	int ret;

	*why = (struct vc4_refusal){};
	memset(words, 0, 4 * VC4_RENDER_DESC_WORDS);
	ret = check_tiles(&v);
	for (v.at = 0; v.at < VC4_NUM_SURFACES && !ret; v.at++)
		ret = check_surface(&v, words + VC4_RENDER_SURFACES + 2 * v.at, &written);
	if (ret)
		return ret;
	if (!written)
		return val_frame_refuse(&v, "no surface is written", 0, 0);
	*empty = !val_frame_describe(&v, words);
	return 0;
}
