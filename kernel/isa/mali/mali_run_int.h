/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What runs Mali programs on the SIMT machine, from inside. */
#ifndef MALI_RUN_INT_H
#define MALI_RUN_INT_H

#include "mali_ext.h"
#include "mali_fp.h"
#include "mali_run.h"
#include "mali_texunit.h"

#define MALI_RUN_CACHE	16

/**
 * struct mali_cached - A lowered program.
 * @prog:	program; NULL: the entry is free
 * @words:	what it was made of
 * @nwords:	number of @words
 * @va:		where they were; program objects: 0
 * @entry:	first instruction, bytes
 * @gpu:	enum mali_gpu
 * @stage:	enum mali_stage
 * @tag:	as in struct mali_work
 * @fp_mode:	"
 * @work_regs:	"
 * @npush:	"
 */
struct mali_cached {
	struct simt_prog *prog;
	const u32 *words;
	u32 nwords;
	u64 va;
	u32 entry;
	u32 gpu;
	u32 stage;
	u32 tag;
	u32 fp_mode;
	u32 work_regs;
	u32 npush;
};

/**
 * struct mali_surf - A target, ready for pixels.
 * @t:		target
 * @format:	decoded
 */
struct mali_surf {
	struct mali_target t;
	struct mali_format format;
};

/**
 * struct mali_raster - A primitive, ready for pixels.
 * @at:		corners in 1/256 pixels, x and y
 * @sign:	1 or -1: makes edges of inside pixels positive
 * @size:	points: their size in 1/256 pixels
 * @nquads:	quads of the rectangle, x fastest
 * @qwidth:	quads in a row
 * @depth:	Z image
 * @target:	colour targets
 * @fp:		arithmetic's view of the block's pixels
 * @x:		pixels of the block
 * @y:		"
 * @covered:	lanes that are not just there to fill up quads
 * @z:		depth of the primitive at the pixels
 */
struct mali_raster {
	s32 at[3][2];
	s32 sign;
	s32 size;
	u64 nquads;
	u32 qwidth;
	struct mali_surf depth;
	struct mali_surf target[MALI_MAX_TARGETS];
	struct mali_fp_prim fp;
	u16 x[SIMT_LANES];
	u16 y[SIMT_LANES];
	u64 covered;
	u32 z[SIMT_LANES];
};

/**
 * struct mali_run - Works one after the other.
 * @arena:	the rest of it is a work's
 * @map:	address space
 * @progs:	memory of lowered programs
 * @cache:	programs
 * @next:	entry to replace
 * @cost:	weight of the work's preparation
 * @mark:	@arena.used without what belongs to the work
 * @rest:	the machine's arena: what is left of @arena
 * @m:		machine of the work
 * @w:		work
 * @req:	texture instruction
 * @v:		four components of all lanes
 * @r:		fragments
 */
struct mali_run {
	struct simt_arena *arena;
	const struct vs_map *map;
	struct simt_arena progs;
	struct mali_cached cache[MALI_RUN_CACHE];
	u32 next;
	u32 cost;
	u64 mark;
	struct simt_arena rest;
	struct simt_machine *m;
	struct mali_work w;
	struct mali_tex_req *req;
	u32 (*v)[SIMT_LANES];
	struct mali_raster *r;
};

/* ---- lanes and operands ---- */

/* The next lane of a mask. Return: false: there are no more. */
static inline bool mx_next_lane(u64 *left, u32 *lane)
{
	if (!*left)
		return false;
	*lane = __ffs64(*left);
	*left &= *left - 1;
	return true;
}

#define EACH_LANE(l, mask)	for (u64 left_ = (mask); mx_next_lane(&left_, &(l)); )

static inline u32 mx_src(const struct simt_block *b, const struct simt_uop *u, u32 i, u32 lane)
{
	u32 s = u->s[i];

	return s & SIMT_U ? b->unif[16 * (s & ~SIMT_U)] : b->slot[s * SIMT_LANES + lane];
}

static inline u64 mx_src64(const struct simt_block *b, const struct simt_uop *u, u32 i, u32 lane)
{
	return mx_src(b, u, i, lane) | (u64)mx_src(b, u, i + 1, lane) << 32;
}

static inline u32 *mx_slot(const struct simt_block *b, u32 n, u32 lane)
{
	return b->slot + n * SIMT_LANES + lane;
}

/* Lanes whose writes count. */
static inline u64 mx_effect(const struct simt_block *b)
{
	return b->mask & ~b->helper;
}

/* A COMMAND fault. Return: false. */
bool mx_refuse(struct simt_machine *m, u64 mask, enum mali_run_reason reason, u64 va);
/* @n words of a lane to slots @d ... */
void mx_put(const struct simt_block *b, u32 d, u32 lane, const u32 *words, u32 n);
void mx_get(const struct simt_block *b, u32 d, u32 lane, u32 *words, u32 n);

/**
 * struct mali_ids - Where a thread is.
 * @local:	in its workgroup
 * @group:	workgroup
 */
struct mali_ids {
	u32 local[3];
	u32 group[3];
};

/* Preload what a thread's place says; @slot: the lane's slot 0. */
typedef void mali_put_ids(const struct mali_work *w, const struct mali_ids *id, u32 *slot);

/* mali_start.c */
void mali_each_thread(const struct mali_work *w, struct simt_block *b,
		      const struct simt_group *g, mali_put_ids *put);
/* Addresses of the workgroup's and the thread's memory to slots, two each. */
void mali_segments(struct simt_machine *m, struct simt_block *b, u32 wls, u32 tls);
void mali_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g);

/* mali_midgard.c */
void midgard_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g);

/* mali_ext_midgard.c */
bool midgard_ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);

/* mali_ext.c */
bool mali_ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);

/* mali_ext_attr.c */
bool mx_ld_attr(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_lea_attr(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_ld_img(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_lea_img(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_ld_cvt(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_st_cvt(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);

/* Conversion words: format, raw, register format; as blend descriptors have them. */
#define MALI_CVT_FORMAT(w)	((w) & 0x3fffff)
#define MALI_CVT_RAW		0x400000
#define MALI_CVT_REG(w)		((w) >> 24 & 7)

/*
 * Format of a conversion word. Those that come from descriptors are of the descriptors' kind,
 * those in the program of the GPU's; they may only differ where programs are exchanged.
 */
bool mx_cvt_format(const struct mali_work *w, u32 word, struct mali_format *f);

/* Element of a varying's or attribute's buffer; components of it. */
struct mali_elem {
	const struct mali_attr *attr;
	const struct mali_attr_buf *buf;
};

/* Return: false with a fault. attr NULL: nothing is bound, zeros. */
bool mx_attr(struct simt_machine *m, u64 mask, const struct mali_attr_table *t, u32 index,
	     struct mali_elem *e);
/* Components of element @elem at offset of the buffer; zeros outside of it. */
bool mx_read_elem(struct simt_machine *m, u64 mask, const struct mali_elem *e, u64 elem,
		  u32 v[4]);

/* mali_ext_tex.c */
bool mx_texs(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_texc(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_var_tex(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
/* Coordinates are in req->coord. */
bool mx_sample_var(struct simt_machine *m, struct simt_block *b, u64 mask, u32 index,
		   bool lod0, u32 regfmt, u32 *slot);

/* mali_ext_var.c */
bool mx_ld_var(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_ld_var_flat(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_ld_var_special(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
/* Varying @index at the pixel centres of @mask's lanes, binary32; @v has @comps rows. */
bool mx_varying(struct simt_machine *m, u64 mask, u32 index, u32 comps, u32 v[][SIMT_LANES]);
/* Preloaded messages of a block that is being started. */
bool mx_messages(struct simt_machine *m, struct simt_block *b);

/* mali_frag.c */
int mali_frag_begin(struct mali_run *r, enum mali_run_reason *why);
/* Which pixels; live lanes, helpers, coverage. */
void mali_frag_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g);
void mali_frag_end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g);
/* Lanes of @mask whose depth @z, from the program, passes; @z is clamped. */
u64 mali_depth_given(struct simt_machine *m, u64 mask, u32 *z);
/* The primitive's depth at the pixels. */
void mali_frag_z(struct simt_machine *m, u64 mask, u32 *z);
/* Twice the areas that a point makes with the edges, for barycentric coordinates. */
void mali_frag_edges(struct mali_raster *r, s64 x, s64 y, s64 e[3]);

/* mali_ext_frag.c */
bool mx_atest(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_zs_emit(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_blend(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_ld_tile(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_st_tile(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);

/* Pixel of a target; NULL with a fault, or without one if it is outside. */
u8 *mali_pixel(struct simt_machine *m, const struct mali_surf *s, u32 x, u32 y, u64 mask,
	       bool write);
/* Does @a pass function @func against @b? binary32, unordered never. */
bool mali_compare(u32 func, u32 a, u32 b);

#endif /* MALI_RUN_INT_H */
