/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Render jobs: passes of tiles from a render list or a description, and the workers that draw them.
 * A pass loads the buffers of a tile, draws the tile's list, and stores them.
 */
#ifndef VS_VC4_RENDER_H
#define VS_VC4_RENDER_H

#include "../../raster/vr_frame.h"
#include "vc4_verts.h"

#define VC4_MAX_PASSES	16384	/* of a render list */
#define VC4_MAX_OPS	4

enum vc4_access_kind { VC4_COLOR = 1, VC4_ZS, VC4_FULL_COLOR, VC4_FULL_ZS };

/**
 * struct vc4_access - Load or store of a buffer.
 * @kind:	enum vc4_access_kind
 * @order:	enum px_order
 * @bytes:	of a pixel in memory: 2 (565) or 4
 * @mean:	stores of four samples: their mean, else the first one
 * @va:		image
 */
struct vc4_access {
	u8 kind;
	u8 order;
	u8 bytes;
	bool mean;
	u32 va;
};

/**
 * struct vc4_pass - A pass.
 * @x:		tile
 * @y:		"
 * @clear:	1: colours, 2: depth and stencil begin with the clear values, else with zeros
 * @list:	tile list, 0: none
 * @nload:	number of @load
 * @nstore:	number of @store
 * @load:	loads
 * @store:	stores, in order
 */
struct vc4_pass {
	u32 x;
	u32 y;
	u32 clear;
	u32 list;
	u32 nload;
	u32 nstore;
	struct vc4_access load[VC4_MAX_OPS];
	struct vc4_access store[VC4_MAX_OPS];
};

/* Where a pass begins: packet, tile, what its buffers begin with, return address of a sub-list. */
struct vc4_pass_at {
	u32 pc;
	u8 x;
	u8 y;
	u8 clear;
	u32 back;
};

/**
 * struct vc4_render - A render job. In the job's memory: guests read it for as long as they are in
 * the job.
 * @tiles:	one for each pass
 * @map:	address space
 * @arena:	bytes of workers' arenas
 * @words:	words of the job
 * @color_va:	image of the rendering mode
 * @color:	its access
 * @width:	pixels
 * @height:	"
 * @ms:		four samples of a pixel
 * @clear:	clear values: colours of even and odd pixels, depth, stencil
 * @npasses:	number of passes
 * @at:		render lists: passes
 * @events:	events of workers that have ended, by enum vc4_event
 */
struct vc4_render {
	struct vr_tiles tiles;
	const struct vs_map *map;
	u64 arena;
	u32 words[VC4_RENDER_DESC_WORDS];
	struct vc4_access color;
	u32 width;
	u32 height;
	bool ms;
	u32 clear[4];
	u32 npasses;
	struct vc4_pass_at *at;
	u64 events[VC4_NUM_EVENTS];
};

/* ---- vc4_rcl.c ---- */

/**
 * struct vc4_scan - A render list being divided into passes.
 * @mem:	memory of the guest
 * @r:		job
 * @pc:		next packet
 * @end:	end of the list
 * @back:	return address of a sub-list, 0: none
 * @npackets:	packets so far
 * @config:	there is a rendering mode
 * @placed:	there is a tile
 * @tile:	current tile
 * @pass:	current pass, of which there is something if @busy
 * @clear:	what the next pass begins with
 * @why:	enum vc4_reason after -EPROTO
 * @pass_at:	of @pass
 * @busy:	@pass has a load, a list or a store
 * @stored:	it has a store
 * @cleared:	clear values have been used
 * @info:	value that is refused
 * @packet:	address of the current packet
 */
struct vc4_scan {
	struct vr_mem mem;
	struct vc4_render *r;
	u32 pc;
	u32 end;
	u32 back;
	u32 npackets;
	bool config;
	bool placed;
	u8 tile[2];
	struct vc4_pass pass;
	u8 clear;
	struct vc4_pass_at pass_at;
	bool busy;
	bool stored;
	bool cleared;
	u32 why;
	u32 info;
	u32 packet;
};

/* Set up the passes of a description. Return: VC4_OK, or why not, *@word. */
u32 vc4_describe(struct vc4_render *r, u32 *word);
void vc4_scan_begin(struct vc4_scan *s, struct vc4_render *r);
/* Find passes. Return: 0: all; -EAGAIN; -EFAULT: see @s->mem; -EPROTO: see @s->why. */
int vc4_scan_step(struct vc4_scan *s, u64 *charge);
/* Pass @n. Return: 0, -EFAULT or -EPROTO, likewise. @s: of the caller's, any content */
int vc4_pass_read(struct vc4_scan *s, struct vc4_render *r, u32 n, struct vc4_pass *out);

/* ---- vc4_io.c ---- */

/*
 * Load or store a buffer of the tile @p. Return: 0 or -EFAULT. Some 30 microseconds.
 * @blank: the buffers are to be cleared before they are used, unless what they would have is stored
 *	at once
 */
int vc4_io(const struct vc4_render *r, const struct vc4_pass *p, struct vr_tile *t,
	   struct vr_mem *mem, const struct vc4_access *a, bool store, bool *blank);
/* Fill the buffers of the tile. */
void vc4_clear(const struct vc4_render *r, const struct vc4_pass *p, struct vr_tile *t);

/* ---- vc4_tile.c ---- */

struct vc4_worker;

u64 vc4_worker_bytes(void);
/* Begin to draw tiles as @worker, in vc4_worker_bytes() bytes. */
struct vc4_worker *vc4_worker_new(void *memory, struct vc4_render *r, u32 worker);
/**
 * vc4_worker_slice - go on for some microseconds
 * @w: worker
 * @job: job
 * @fault: fault
 *
 * Return: VS_RUN_MORE; VS_RUN_IDLE: all tiles are drawn, or there is a fault.
 */
enum vs_run vc4_worker_slice(struct vc4_worker *w, struct vs_job *job, struct vs_fault *fault);

#endif /* VS_VC4_RENDER_H */
