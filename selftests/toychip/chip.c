// SPDX-License-Identifier: GPL-2.0
/*
 * A toy GPU: the least that a chip needs to draw with the driver's rasteriser. It reads a frame
 * from memory, puts its triangles into bins, draws the tiles, and writes them to an image. Its
 * shading is fixed: colours are interpolated.
 */
#include "chip.h"
#include "engine/vs_intern.h"
#include "native/native_ops.h"
#include "raster/vr_bin.h"
#include "raster/vr_frame.h"

#define MAX_SIZE	4096
#define SIDE		6	/* of bins: 64 pixels, as tiles */
#define STEPS		32	/* vertices or bins between two checks of the slice */

enum stage { STAGE_READ, STAGE_BIN, STAGE_DRAW };

/* Triangle in the heap: its draw, the first of three vertices, the pixels that it may cover. */
struct binned {
	u32 draw;
	u32 vertex;
	u16 clip[4];
};

/**
 * struct chip - A frame being drawn.
 * @base:	native job
 * @map:	address space
 * @va:		address of the frame
 * @memory:	bytes that are allocated
 * @stage:	enum stage
 * @fb:		the frame
 * @image:	its image
 * @binning:	draw whose triangles are put into bins
 * @ndraw:	its number
 * @vertex:	its next vertex
 * @bins:	bins of the current triangle
 * @entry:	address of the triangle in the heap
 * @heap:	heap
 * @lists:	triangles of each bin
 * @tiles:	tiles
 * @frame:	tiles, blocks, stores
 * @chunk:	part of the current tile's list
 * @next:	next entry of it
 * @drawing:	current draw
 * @state:	its state
 * @blend:	"
 * @quads:	blocks
 * @shade:	block being shaded
 * @x:		its pixels
 * @y:		"
 * @cover:	"
 * @z:		"
 * @tile:	memory of the tile buffer
 */
struct chip {
	struct vs_native base;
	const struct vs_map *map;
	u64 va;
	u64 memory;
	enum stage stage;
	struct toychip_frame fb;
	struct vr_image image;
	struct toychip_draw binning;
	u32 ndraw;
	u32 vertex;
	struct vr_binner bins;
	u64 entry;
	struct vr_heap heap;
	struct vr_lists lists;
	struct vr_list list;
	struct vr_tiles tiles;
	struct vr_frame frame;
	struct vr_chunk chunk;
	u32 next;
	struct toychip_draw drawing;
	struct vr_draw state;
	struct vr_blend blend;
	struct vr_quads quads;
	struct vr_shade shade;
	u16 x[VS_LANES];
	u16 y[VS_LANES];
	u16 cover[VS_LANES];
	u32 z[1][VS_LANES];
	void *tile;
};

/* ---- bins ---- */

static int read_vertex(struct vr_mem *mem, const struct toychip_draw *d, u32 index,
		       struct toychip_vertex *v)
{
	return vr_read(mem, d->vertices + (u64)index * sizeof(*v), v, sizeof(*v));
}

static int bin_vertex(struct vr_binner *b, u32 index, struct vr_vertex *v)
{
	struct chip *c = container_of(b, struct chip, bins);
	struct toychip_vertex from;
	int ret;

	ret = read_vertex(&b->mem, &c->binning, index, &from);
	if (!ret)
		memcpy(v, from.at, sizeof(*v));
	return ret;
}

static int bin_begin(struct vr_binner *b, const struct vr_corners *corners)
{
	struct chip *c = container_of(b, struct chip, bins);
	struct binned prim = { c->ndraw, corners->index[0], { 0, 0, MAX_SIZE, MAX_SIZE } };
	int ret;

	if (c->binning.flags & TOYCHIP_CLIP)
		memcpy(prim.clip, c->binning.clip, sizeof(prim.clip));
	ret = vr_lists_take(&c->lists, &b->mem, &c->heap, sizeof(prim), &c->entry);
	return ret ? ret : vr_write(&b->mem, c->entry, &prim, sizeof(prim));
}

static int bin_add(struct vr_binner *b, u32 x, u32 y)
{
	struct chip *c = container_of(b, struct chip, bins);

	return vr_lists_add(&c->lists, &b->mem, &c->heap, &c->list, y * c->lists.width + x,
			    c->entry);
}

static const struct vr_bin_ops bin_ops = {
	.vertex = bin_vertex,
	.begin = bin_begin,
	.add = bin_add,
};

/* Return: 0: all triangles are in bins; -EAGAIN; or -EFAULT. */
static int bin_step(struct chip *c)
{
	struct vr_corners corners = { .n = 3 };
	int ret;

	if (!vr_lists_cleared(&c->lists))
		return vr_lists_clear(&c->lists, &c->bins.mem, &c->heap) ?: -EAGAIN;
	if (c->bins.busy)
		return vr_bin_step(&c->bins) ?: -EAGAIN;
	if (c->ndraw == c->fb.ndraws)
		return 0;
	if (!c->vertex) {
		ret = vr_read(&c->bins.mem, c->fb.draws + (u64)c->ndraw * sizeof(c->binning),
			      &c->binning, sizeof(c->binning));
		if (ret)
			return ret;
	}
	if (c->binning.count < 3 || c->vertex > c->binning.count - 3) {
		c->vertex = 0;
		c->ndraw++;
		return -EAGAIN;
	}
	corners.index[0] = c->vertex;
	corners.index[1] = c->vertex + 1;
	corners.index[2] = c->vertex + 2;
	c->vertex += 3;
	return vr_bin_primitive(&c->bins, &corners) ?: -EAGAIN;
}

/* ---- tiles ---- */

static int frame_begin(struct vr_frame *f)
{
	struct chip *c = container_of(f, struct chip, frame);

	vr_tile_clear(&f->tile, 0, &c->fb.clear);
	vr_tile_clear_zs(&f->tile, 0x3f800000, 0);
	c->next = 0;
	return vr_lists_read(&c->lists, &f->mem, f->tx, f->ty, &c->chunk);
}

/* Next triangle of the tile's list. */
static int frame_next(struct vr_frame *f, struct vr_item *item)
{
	struct chip *c = container_of(f, struct chip, frame);
	struct binned prim;
	u32 i;
	int ret;

	f->charge += 8;
	if (c->next == min_t(u32, c->chunk.n, VR_CHUNK_ENTRIES)) {
		if (!c->chunk.next)
			return -ENOENT;
		c->next = 0;
		return vr_read(&f->mem, c->chunk.next, &c->chunk, sizeof(c->chunk)) ?: -EAGAIN;
	}
	ret = vr_read(&f->mem, c->chunk.entry[c->next++], &prim, sizeof(prim));
	if (ret)
		return ret;
	item->draw = prim.draw;
	item->c = (struct vr_corners){
		.n = 3, .index = { prim.vertex, prim.vertex + 1, prim.vertex + 2 },
	};
	item->boxed = true;
	for (i = 0; i < 4; i++)
		item->box[i] = prim.clip[i];
	return 0;
}

/* State of a draw for the rasteriser: all that differs between draws of this chip. */
static int frame_draw(struct vr_frame *f, u64 id, struct vr_draw **out)
{
	static const struct vr_function over = {
		.a = { .src = 1, .factor = VR_FACTOR_SRC, .alpha = true },
		.b = { .dst = 1, .factor = VR_FACTOR_SRC, .alpha = true, .invert = true },
	};
	struct chip *c = container_of(f, struct chip, frame);
	int ret;

	ret = vr_read(&f->mem, c->fb.draws + id * sizeof(c->drawing), &c->drawing,
		      sizeof(c->drawing));
	if (ret)
		return ret;
	if (c->drawing.flags & ~(TOYCHIP_DEPTH | TOYCHIP_BLEND | TOYCHIP_CLIP))
		return -EPROTO;
	c->blend = (struct vr_blend){ .f = { over, over }, .write = 15 };
	c->state = (struct vr_draw){
		.id = id,
		.rs = { .samples = 1, .sample_mask = 1, .width = c->fb.width,
			.height = c->fb.height,
			.scissor = { 0, 0, c->fb.width - 1, c->fb.height - 1 } },
		.depth.range = { 0, 0x3f800000 },
		.zs.func = 1,
	};
	if (c->drawing.flags & TOYCHIP_DEPTH)
		c->state.zs.flags = VR_DEPTH_TEST | VR_DEPTH_WRITE;
	*out = &c->state;
	return 0;
}

static int frame_vertices(struct vr_frame *f, const struct vr_corners *corners,
			  struct vr_vertex v[3], u32 *size)
{
	struct chip *c = container_of(f, struct chip, frame);
	struct toychip_vertex from;
	u32 i;
	int ret;

	for (i = 0; i < 3; i++) {
		ret = read_vertex(&f->mem, &c->drawing, corners->index[i], &from);
		if (ret)
			return ret;
		memcpy(&v[i], from.at, sizeof(v[i]));
	}
	return 0;
}

/* Colours of the block's pixels: those of the corners, interpolated. */
static int interpolate(struct chip *c, u64 lanes, u32 out[4][VS_LANES])
{
	struct vr_shade *s = &c->shade;
	struct toychip_vertex v;
	u32 colour[VR_QUADS][3][4], i, k, q;
	int ret;

	for (q = 0; q < s->block->n; q++) {
		for (k = 0; k < 3; k++) {
			ret = read_vertex(&c->frame.mem, &c->drawing,
					  vr_shade_prim(s, 4 * q)->vertex[k], &v);
			if (ret)
				return ret;
			memcpy(colour[q][k], v.colour, sizeof(v.colour));
		}
	}
	vr_shade_weigh(s, c->frame.simd, true);
	for (i = 0; i < 4; i++) {
		for (q = 0; q < s->block->n; q++)
			for (k = 0; k < 3; k++)
				s->v[q][k] = colour[q][k][i];
		vr_shade_interpolate(s, c->frame.simd, true, vr_quads_of(lanes), out[i]);
	}
	return 0;
}

static int frame_shade(struct vr_frame *f, u32 block)
{
	struct chip *c = container_of(f, struct chip, frame);
	const struct vr_pixels p = { .x = c->x, .y = c->y, .cover = c->cover, .z = c->z };
	u32 colour[4][VS_LANES] = {};
	u64 lanes;
	int ret;

	memset(c->cover, 0, sizeof(c->cover));
	lanes = vr_shade_begin(&c->shade, f->simd, block, 0xffff, &p);
	lanes = vr_shade_zs(&c->shade, f->simd, lanes, &p, 1, NULL, VR_ZS_TEST | VR_ZS_WRITE);
	ret = interpolate(c, lanes, colour);
	if (ret)
		return ret;
	vr_tile_blend(f->simd, &f->tile, 0, &f->tile.format[0],
		      c->drawing.flags & TOYCHIP_BLEND ? &c->blend : NULL, c->shade.block,
		      c->cover, (const u32 (*)[VS_LANES])colour, NULL);
	return 0;
}

/* The image is loaded only if the frame says so, and stored whole. */
static int frame_image(struct vr_frame *f, u32 i, bool store, struct vr_access *a)
{
	struct chip *c = container_of(f, struct chip, frame);

	if (i || !(store || c->fb.load))
		return -ENOENT;
	*a = (struct vr_access){ .image = &c->image, .clean = true };
	return 0;
}

static const struct vr_frame_ops frame_ops = {
	.begin = frame_begin,
	.next = frame_next,
	.draw = frame_draw,
	.vertices = frame_vertices,
	.shade = frame_shade,
	.image = frame_image,
};

/* ---- the job ---- */

static const struct px_format rgba8 = {
	.layout = PX_PLAIN, .comp = PX_UNORM, .ncomp = 4, .bytes = 4, .bits = { 8, 8, 8, 8 },
	.swizzle = { 0, 1, 2, 3 },
};

/* Read the frame, and prepare for it. */
static int read_frame(struct chip *c, enum vs_simd simd)
{
	struct vr_frame *f = &c->frame;
	u32 bound[4] = {};
	int ret;

	ret = vr_read(&f->mem, c->va, &c->fb, sizeof(c->fb));
	if (ret)
		return ret;
	if (c->fb.width - 1 >= MAX_SIZE || c->fb.height - 1 >= MAX_SIZE)
		return -EINVAL;
	bound[2] = (c->fb.width - 1) / 16;
	bound[3] = (c->fb.height - 1) / 16;
	c->heap = (struct vr_heap){ c->fb.heap, c->fb.heap + c->fb.heap_size };
	c->bins.frame[0] = c->fb.width - 1;
	c->bins.frame[1] = c->fb.height - 1;
	vr_lists_init(&c->lists, &c->heap, DIV_ROUND_UP(c->fb.width, 1 << SIDE),
		      DIV_ROUND_UP(c->fb.height, 1 << SIDE));
	c->image = (struct vr_image){ .va = c->fb.colour, .row_stride = 4 * c->fb.width,
				      .width = c->fb.width, .height = c->fb.height,
				      .format = rgba8 };
	f->simd = simd;
	vr_tiles_begin(&c->tiles, bound, c->fb.width, c->fb.height);
	c->stage = STAGE_BIN;
	return -EAGAIN;
}

static int bin_steps(struct chip *c)
{
	u32 i;
	int ret = -EAGAIN;

	for (i = 0; i < STEPS && ret == -EAGAIN; i++) {
		c->frame.charge += 8;
		ret = bin_step(c);
	}
	if (ret)
		return ret;
	c->stage = STAGE_DRAW;
	return -EAGAIN;
}

static int chip_step(struct chip *c, struct vs_job *job)
{
	switch (c->stage) {
	case STAGE_READ:
		return read_frame(c, job->lim.simd);
	case STAGE_BIN:
		return bin_steps(c);
	default:
		return vr_frame_step(&c->frame);
	}
}

static void raise(struct chip *c, struct vs_job *job, int ret)
{
	const struct vr_mem *mem = c->stage == STAGE_BIN ? &c->bins.mem : &c->frame.mem;
	struct vs_fault f;

	if (ret == -EFAULT)
		vs_fault_memory(&f, mem->kind, mem->va, mem->size);
	else
		vs_fault_command(&f, c->va,
				 ret == -EINVAL ? TOYCHIP_BAD_SIZE : TOYCHIP_BAD_FLAGS, 0);
	vs_job_fault(job, &f);
}

/* Phase of the engine job: some microseconds. */
static enum vs_run run(struct vs_job *job, void *arg)
{
	struct chip *c = arg;
	struct vs_fault budget;
	int ret;

	ret = chip_step(c, job);
	vs_job_account(job, c->frame.charge, 0);
	c->frame.charge = 0;
	if (ret && ret != -EAGAIN)
		raise(c, job, ret);
	if (ret != -EAGAIN)
		return VS_RUN_IDLE;
	if (vs_job_weight(job) <= job->lim.budget)
		return VS_RUN_MORE;
	vs_fault_memory(&budget, VS_FAULT_BUDGET, 0, 0);
	vs_job_fault(job, &budget);
	return VS_RUN_IDLE;
}

static void chip_free(struct vs_native *n)
{
	struct chip *c = container_of(n, struct chip, base);

	vs_free(c->tile);
	vs_free(c);
}

static int parse(const struct vs_native_in *in, struct vs_native_state *s, struct vs_native **out,
		 struct vs_fault *fault)
{
	struct chip *c;
	u32 bytes;

	if (in->model || in->switches || in->output_size)
		return -EINVAL;
	c = vs_zalloc(sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->map = in->map;
	c->va = in->va;
	c->bins = (struct vr_binner){ .ops = &bin_ops, .mem.tlb.map = in->map,
				      .side = { SIDE, SIDE } };
	c->frame.ops = &frame_ops;
	c->frame.mem.tlb.map = in->map;
	c->frame.tiles = &c->tiles;
	c->frame.quads = &c->quads;
	c->quads.tile = &c->frame.tile;
	c->shade.in = &c->quads;
	c->frame.tile.samples = 1;
	c->frame.tile.ntargets = 1;
	c->frame.tile.format[0] = rgba8;
	c->frame.tile.zformat = VR_Z24;
	bytes = vr_tile_bytes(&c->frame.tile);
	c->memory = sizeof(*c) + bytes;
	c->tile = vs_zalloc(bytes);
	*out = &c->base;
	if (c->tile && c->memory <= in->max_memory) {
		vr_tile_place(&c->frame.tile, c->tile);
		return 0;
	}
	chip_free(&c->base);
	return c->memory <= in->max_memory ? -ENOMEM : -E2BIG;
}

static const struct vs_map *map(const struct vs_native *n)
{
	return container_of(n, struct chip, base)->map;
}

static u32 phases(const struct vs_native *n)
{
	return 1;
}

static int add_phases(struct vs_native *n, struct vs_job *job)
{
	return vs_job_add_fn(job, run, container_of(n, struct chip, base));
}

static u64 memory(const struct vs_native *n)
{
	return container_of(n, struct chip, base)->memory;
}

static const char *reason_text(u32 reason)
{
	static const char * const text[TOYCHIP_NUM_REASONS] = {
		[TOYCHIP_OK] = "no error",
		[TOYCHIP_BAD_SIZE] = "the frame has no pixels, or too many",
		[TOYCHIP_BAD_FLAGS] = "unknown flags of a draw",
	};

	return reason < TOYCHIP_NUM_REASONS ? text[reason] : "?";
}

const struct vs_native_ops toychip_ops = {
	.isa = VS_ISA_TOY,
	.in_memory = true,
	.parse = parse,
	.map = map,
	.phases = phases,
	.add_phases = add_phases,
	.memory = memory,
	.reason_text = reason_text,
	.free = chip_free,
};
