/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What runs Mali programs on the SIMT machine, from inside. */
#ifndef MALI_RUN_INT_H
#define MALI_RUN_INT_H

#include "../fixed/mali_fp.h"
#include "../fixed/mali_lanes.h"
#include "../fixed/mali_raster.h"
#include "../fixed/mali_texunit.h"
#include "mali_ext.h"
#include "mali_run.h"

#define MALI_RUN_CACHE	16

/**
 * struct mali_part - A program in memory.
 * @va:		where it is
 * @tag:	v4, v5: kind of its first bundle, 0: nobody says
 * @first:	its first quad among the words that were lowered
 * @nquads:	its size
 */
struct mali_part {
	u64 va;
	u32 tag;
	u32 first;
	u32 nquads;
};

/**
 * struct mali_cached - A lowered program.
 * @prog:	program; NULL: the entry is free
 * @words:	what it was made of
 * @code:	program object's words, or NULL
 * @part:	it, and its blend programs
 * @nparts:	number of @part
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
	const u32 *code;
	struct mali_part part[1 + MALI_MAX_TARGETS];
	u32 nparts;
	u32 entry;
	u32 gpu;
	u32 stage;
	u32 tag;
	u32 fp_mode;
	u32 work_regs;
	u32 npush;
};

/* Steps on the way to a work's program. */
enum mali_prep_step {
	MALI_PREP_FIND,		/* among those that have been lowered */
	MALI_PREP_READ,		/* the next part */
	MALI_PREP_COPY,		/* its words */
	MALI_PREP_EXTENT,	/* its size */
	MALI_PREP_JOIN,		/* of all parts' words */
	MALI_PREP_LOWER,
	MALI_PREP_PIECE
};

/**
 * struct mali_prep - A work's program is made, step by step.
 * @step:	enum mali_prep_step
 * @mark:	memory of programs without this one
 * @number:	of the cached program that is compared
 * @part:	that is compared, read or copied
 * @at:		words or quads of it so far
 * @part_mark:	memory of programs without the part
 * @words:	of parts
 * @want:	quads to read
 * @got:	quads that can be read
 * @need:	quads that the program is known to have
 * @joined:	words of all parts
 * @all:	words to lower
 * @nquads:	of @all
 * @mg_walk:	size of a Midgard program
 * @mg:		lowering of Midgard
 * @bi:		lowering, or size, of Bifrost
 * @prog:	the program
 */
struct mali_prep {
	enum mali_prep_step step;
	u64 mark;
	u32 number;
	u32 part;
	u32 at;
	u64 part_mark;
	u32 *words[1 + MALI_MAX_TARGETS];
	u32 want;
	u32 got;
	u32 need;
	u32 *joined;
	const u32 *all;
	u32 nquads;
	struct ml_walk *mg_walk;
	struct ml *mg;
	struct bl *bi;
	struct simt_prog *prog;
};

/**
 * struct mali_ids - Where a thread is.
 * @local:	in its workgroup
 * @group:	workgroup
 */
struct mali_ids {
	u32 local[3];
	u32 group[3];
};

/**
 * struct mali_rows - How blocks of one workgroup start.
 * @row:	local ids of a block's threads, which are the same in all workgroups: x and y as
 *		halves, x, y, z
 * @known:	bit per block: filled in; 0: nothing else here is known, either
 * @nput:	how many of the ids the program reads
 * @put:	which: as @slots of mali_rows_start()
 * @slot:	where they go
 * @stays:	they are still there when the next workgroup starts
 * @id:		of the workgroup that started last
 * @group:	its number
 * @placed:	@id and @group are known
 * @wls:	the program makes pointers to the workgroup's memory
 * @tls:	to the thread's
 */
struct mali_rows {
	u32 row[SIMT_MAX_LOCAL / SIMT_LANES][4][SIMT_LANES];
	u32 known;
	u32 nput;
	u8 put[10];
	u16 slot[10];
	bool stays[10];
	struct mali_ids id;
	u64 group;
	bool placed;
	bool wls;
	bool tls;
};

/**
 * struct mali_run - Works one after the other.
 * @arena:	the rest of it is a work's
 * @map:	address space
 * @progs:	memory of lowered programs
 * @cache:	programs
 * @next:	entry to replace
 * @part:	the work's programs: the first one, then what blends for it
 * @nparts:	number of @part
 * @prep:	while the work's program is made
 * @prog:	the work's program, when it has been made
 * @cost:	weight of the work's preparation that has not been charged
 * @mark:	@arena.used without what belongs to the work
 * @rest:	the machine's arena: what is left of @arena
 * @m:		machine of the work
 * @w:		work
 * @clock:	how often the work's program has asked for the time
 * @req:	texture instruction
 * @held:	lanes that wait for their requests with the operands in @req
 * @v:		four components of all lanes
 * @rows:	local ids
 * @r:		fragments
 */
struct mali_run {
	struct simt_arena *arena;
	const struct vs_map *map;
	struct simt_arena progs;
	struct mali_cached cache[MALI_RUN_CACHE];
	u32 next;
	struct mali_part part[1 + MALI_MAX_TARGETS];
	u32 nparts;
	struct mali_prep prep;
	struct simt_prog *prog;
	u32 cost;
	u64 mark;
	struct simt_arena rest;
	struct simt_machine *m;
	struct mali_work w;
	u64 clock;
	struct mali_tex_req *req;
	u64 held;
	u32 (*v)[SIMT_LANES];
	struct mali_raster *r;
	struct mali_rows *rows;
};

/* mali_run.c, mali_prog.c */

/* The work's program, in steps of bounded length. Return: as mali_run_prepare_step(). */
void mali_program_begin(struct mali_run *r);
int mali_program_step(struct mali_run *r, struct simt_prog **out, struct vs_fault *fault);

/* Flags of blend descriptors. */
#define MALI_BLEND_PROGRAM	0x2	/* v4, v5: the descriptor has a program's address */
#define MALI_BLEND_ALPHA_TO_ONE	0x100
#define MALI_BLEND_ENABLE	0x200

/* Address of the program that a Midgard blend descriptor names, with its tag; 0: none. */
static inline u64 mali_blend_shader(const struct mali_blend *d)
{
	if (!(d->flags & MALI_BLEND_PROGRAM))
		return 0;
	return d->internal[0] | (u64)d->internal[1] << 32;
}

/* Lower half of the address of the program that a Bifrost blend descriptor names; 0: none. */
static inline u32 mali_blend_pc(const u32 internal[2])
{
	return internal[0] & 3 ? 0 : internal[1] & ~15U;
}

/* ---- lanes and operands ---- */

/* A COMMAND fault. Return: false. */
bool mx_refuse(struct simt_machine *m, u64 mask, enum mali_run_reason reason, u64 va);
/* @n words of a lane to slots @d ... */
void mx_put(const struct simt_block *b, u32 d, u32 lane, const u32 *words, u32 n);
void mx_get(const struct simt_block *b, u32 d, u32 lane, u32 *words, u32 n);

#define MALI_NO_SLOT	0xff

/* A lane starts with @v in a slot of the front end's; @lane0: its slot 0. */
static inline void mali_put(const struct simt_prog *prog, u32 *lane0, u32 slot, u32 v)
{
	slot = simt_prog_slot(prog, slot);
	if (slot != SIMT_NOWHERE)
		lane0[SIMT_LANES * slot] = v;
}

/* Preload what a thread's place says; @lane0: the lane's slot 0. */
typedef void mali_put_ids(const struct mali_work *w, const struct simt_prog *prog,
			  const struct mali_ids *id, u32 *lane0);

/* mali_start.c */
void mali_each_thread(struct simt_machine *m, struct simt_block *b, const struct simt_group *g,
		      mali_put_ids *put);
/**
 * mali_rows_start - preload ids of blocks that have a single workgroup of a compute program
 * @m: machine
 * @first: first one
 * @n: how many, with one number, of workgroups that start together
 * @slots: where these are wanted: local id as @row of struct mali_rows, workgroup, global id;
 *	   MALI_NO_SLOT: nowhere. Looked at while nothing is known of @rows
 *
 * Return: false: they are other blocks, nothing is done.
 */
bool mali_rows_start(struct simt_machine *m, struct simt_wave_block *first, u32 n,
		     const u8 slots[10]);
/* Threads of a launch are going to start; slots that are set then are added to *@preset. */
void mali_starts(struct mali_run *r, const struct simt_prog *p, u64 *preset);
/* Addresses of the workgroup's and the thread's memory to slots, two each. */
void mali_segments(struct simt_machine *m, struct simt_block *b, u32 wls, u32 tls);
/* The same for blocks that start in step. */
void mali_segments_step(struct simt_machine *m, struct simt_wave_block *first, u32 n, u32 wls,
			u32 tls);
bool mali_start_step(struct simt_machine *m, struct simt_wave_block *first, u32 n);
void mali_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g);

/* mali_debug.c: registers that a debugger can see. */
const struct simt_reg *mali_debug_regs(u32 gpu, u32 *n);

/* mali_midgard.c */
void midgard_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g);
bool midgard_start_step(struct simt_machine *m, struct simt_wave_block *first, u32 n);

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

/* What is bound there, to @q, whose operation is set. Return: false with a fault. */
bool mx_tex_bind(struct simt_machine *m, struct mali_tex_req *q, u32 texture, u32 sampler);
bool mx_texs(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_texc(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_var_tex(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
/* Coordinates are in req->coord. */
bool mx_sample_var(struct simt_machine *m, u64 mask, u32 index,
		   bool lod0, u32 regfmt, u32 *slot);

/* mali_ext_var.c */

#define MALI_VARYING_COST	32	/* weight of a varying of some lanes */

bool mx_ld_var(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_ld_var_flat(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_ld_var_special(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
/* Varying @index at the pixel centres of @mask's lanes, binary32; @v has @comps rows. */
bool mx_varying(struct simt_machine *m, u64 mask, u32 index, u32 comps, u32 v[][SIMT_LANES]);
/* The same where @u says that varyings are taken. */
bool mx_varying_at(struct simt_machine *m, const struct simt_block *b, const struct simt_uop *u,
		   u64 mask, u32 index, u32 comps, u32 v[][SIMT_LANES]);
/*
 * A lane's edges where varyings are taken: @mode: enum mali_sample; @s1: coverage, the sample's
 * number in the upper half, or a place.
 */
void mali_edges_in(struct mali_raster *r, u32 l, u32 mode, u32 s1);
/* Preloaded messages of a block that is being started. */
bool mx_messages(struct simt_machine *m, struct simt_block *b);

/* mali_frag.c */
int mali_frag_begin(struct mali_run *r, enum mali_run_reason *why);
/* Which pixels; live lanes, helpers, coverage. */
void mali_frag_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g);
void mali_frag_end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g);
/* mali_zs.c */

#define MALI_ZS_TEST	0x1	/* what fails has its stencil operation, and is not covered */
#define MALI_ZS_WRITE	0x2	/* what is covered, or passes, is written */

/* Tests of the samples of @lanes. Return: lanes that have some left. */
u64 mali_zs(struct simt_machine *m, u64 lanes, u32 what);
/* Between 0 and 1; NaN is 0. */
u32 mali_clamp_depth(u32 z);
/* Depth of the primitive at the samples. */
void mali_zs_primitive(struct simt_machine *m, u64 mask);
/* Samples that are covered; @centres: lanes whose centres are. Return: lanes with some. */
u64 mali_cover_samples(struct mali_run *run, u64 lanes, u64 centres);
/* Place of a sample in its pixel, in 1/256. */
void mali_sample_place(u32 nsamples, u32 sample, s32 *x, s32 *y);
/* A lane's edges at a place in its pixel. */
void mali_edges_at(struct mali_raster *r, u32 l, s32 x, s32 y);
/* The primitive's depth at the pixels. */
void mali_frag_z(struct simt_machine *m, u64 mask, u32 *z);

/* mali_ext_frag.c */
bool mx_atest(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_zs_emit(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_blend(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_ld_tile(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_st_tile(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);

/* Kinds of blending, numbers of Bifrost's descriptors. */
enum { MALI_BLEND_SHADER, MALI_BLEND_OPAQUE, MALI_BLEND_FIXED, MALI_BLEND_OFF };

/**
 * struct mali_colours - Colours of lanes on their way to a target.
 * @slot:	first of four slots
 * @lo:		kind and target, as in a blend descriptor of Bifrost
 * @hi:		conversion word
 * @cover:	samples that are written
 */
struct mali_colours {
	u16 slot;
	u32 lo;
	u32 hi;
	u16 cover[SIMT_LANES];
};

/* As many of the lanes as are blended at once: samples are a bounded number. */
u64 mali_few_pixels(const struct mali_raster *r, u64 lanes);
/* Store or blend them. Return: false with a fault. */
bool mali_blend(struct simt_machine *m, struct simt_block *b, u64 mask,
		const struct mali_colours *c);
/* What alpha leaves of a lane's coverage. */
u32 mali_alpha_test(const struct mali_frag *f, const struct mali_raster *r, u32 coverage, u32 alpha,
		    u32 ref);

/* mali_ext_mgfrag.c */
bool mgx_write(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mgx_ld_raw(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mgx_st_raw(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mgx_covered(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mgx_sample(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);

/* Does @a pass function @func against @b? binary32, unordered never. */
bool mali_compare(u32 func, u32 a, u32 b);

#endif /* MALI_RUN_INT_H */
