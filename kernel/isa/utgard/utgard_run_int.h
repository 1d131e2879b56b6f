/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Internals of Utgard launches on the SIMT machine. */
#ifndef UTGARD_RUN_INT_H
#define UTGARD_RUN_INT_H

#include "../../engine/simt/simt_ext.h"
#include "../../pixel/px_pack.h"
#include "../../raster/vr_quads.h"
#include "../../texture/tx_unit.h"
#include "../mali/mali_frag.h"
#include "utgard_gp_lower.h"
#include "utgard_pp_lower.h"
#include "utgard_run.h"

/**
 * struct utgard_corner - input at the corners of the primitive
 * @v:		each component at the corners, binary32
 */
struct utgard_corner {
	u32 v[4][3];
};

/**
 * struct utgard_block - pixels of a block of quads
 * @x:		column of each lane
 * @y:		row
 */
struct utgard_block {
	u16 x[SIMT_LANES];
	u16 y[SIMT_LANES];
};

struct upq_run;

/**
 * struct utgard_pixels - pixels of the block
 * @area:	primitive
 * @shade:	block
 * @target:	images
 * @x:		column of each lane
 * @y:		row
 * @cover:	not 0: the primitive covers the pixel
 * @covered:	lanes of these pixels
 */
struct utgard_pixels {
	struct vr_area area;
	struct vr_shade shade;
	struct mali_surf target[UPP_MAX_TARGETS];
	u16 x[SIMT_LANES];
	u16 y[SIMT_LANES];
	u16 cover[SIMT_LANES];
	u64 covered;
};

#define UTGARD_DEBUG_REGS	11

/**
 * struct utgard_run - machine for consecutive launches
 * @arena:	memory; the part above @mark belongs to the launch
 * @guest:	address space of the guest
 * @map:	address space of the machine: @guest plus thread memory
 * @tls:	thread memory
 * @cost:	cost of preparations not charged yet
 * @lowering:	of the program
 * @mark:	@arena.used without the launch
 * @rest:	the machine's arena: the rest of @arena
 * @m:		machine of the launch
 * @l:		launch
 * @ubo:	uniforms, for loads with an offset
 * @gp:		vertices, or NULL
 * @vertex:	vertex program
 * @branches:	the vertex program branches
 * @pp:		fragments, or NULL
 * @pixel:	pixel program
 * @raster:	fragments: pixels
 * @quads:	fragments of a frame: launch, whose first member is struct utgard_block; or NULL
 * @stream:	fragments: input by its register, or NULL
 * @corner:	fragments of a primitive: values of @stream
 * @bank:	fragments: textures
 * @regs:	fragments: registers for a debugger
 */
struct utgard_run {
	struct simt_arena *arena;
	const struct vs_map *guest;
	struct vs_map map;
	struct vs_extent tls;
	u32 cost;
	struct simt_front *lowering;
	u64 mark;
	struct simt_arena rest;
	struct simt_machine *m;
	struct simt_launch l;
	struct simt_ubo ubo;
	const struct ugp_work *gp;
	struct ugp_program vertex;
	bool branches;
	const struct upp_work *pp;
	struct upp_program pixel;
	struct utgard_pixels *raster;
	struct upq_run *quads;
	const struct utgard_stream *stream[UPP_NUM_IN];
	struct utgard_corner *corner;
	struct utgard_tex_bank bank;
	struct simt_reg regs[UTGARD_DEBUG_REGS];
};

/* utgard_debug.c: registers visible to debuggers. */
const struct simt_reg *ugp_debug_regs(u32 *n);
void upp_debug_regs(struct utgard_run *r);

#define UTGARD_VISITS	4	/* visits of micro-ops per unit of cost */

/* Launch the lowered program. Return: as utgard_prepare_step(). */
int utgard_launch_gp(struct utgard_run *r, struct vs_fault *fault);
int utgard_launch_pp(struct utgard_run *r, struct vs_fault *fault);

/* ---- utgard_run.c ---- */

/* Release the previous launch and begin a new one. */
void utgard_begin(struct utgard_run *r, struct vs_fault *fault);
/* Release a launch whose program was rejected, and set the fault. */
int utgard_reject(struct vs_fault *f, const struct vs_reject *rej);
/* Read @n words of uniforms, up to @have bytes from @va on; the others are zeros. */
int utgard_uniforms(struct utgard_run *r, u64 va, u64 have, u64 want, void *to,
		    struct vs_fault *fault);
/* Set the lanes of the current memory accesses, for the debugger. */
static inline void utgard_lanes(struct simt_machine *m, u64 lanes)
{
	if (simt_machine_launched(m)->dbg)
		simt_debug_lanes(m, lanes);
}

/* Slots from @slot on that starting threads set, of r->l. */
void utgard_preset(struct utgard_run *r, u32 slot, u32 n);
/* Launch r->l, with program, ops, sizes and uniforms set; @tls: bytes per thread. */
int utgard_launch(struct utgard_run *r, u32 tls, struct vs_fault *fault);

/* Does the stream have a format of plain numbers? */
bool utgard_stream_ok(const struct utgard_stream *s);
/* Is the format binary32, which needs no conversion? */
static inline bool utgard_is_f32(const struct px_format *f)
{
	return f->comp == PX_FLOAT && f->bits[0] == 32;
}

/* Read the components of an element as binary32. */
void utgard_read(const struct utgard_stream *s, const void *p, u32 v[4]);
/* simt_ptr() for guest memory. */
void *utgard_ptr(struct simt_machine *m, u64 va, u64 size, u32 need);
/* Pointer to element @elem of a stream; NULL with a fault of lanes @mask. */
const u8 *utgard_elem(struct simt_machine *m, const struct utgard_stream *s, u64 elem, u64 mask,
		      u32 number);

#endif /* UTGARD_RUN_INT_H */
