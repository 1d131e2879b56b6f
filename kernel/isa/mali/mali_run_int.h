/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Internals of Mali works on the SIMT machine. */
#ifndef MALI_RUN_INT_H
#define MALI_RUN_INT_H

#include "../../engine/simt/simt_ext.h"
#include "../../raster/vr_quads.h"
#include "../../texture/tx_unit.h"
#include "../bifrost/bifrost_ext.h"
#include "mali_pack.h"
#include "mali_run.h"

#define MALI_RUN_CACHE	16

/**
 * struct mali_area - primitive of a shader job
 * @a:		area
 * @depth:	Z image
 * @stencil:	stencil image
 * @m:		machine, for accesses to these
 * @z:		a quad's depths
 * @s:		a quad's stencil values
 * @was:	these in memory
 */
struct mali_area {
	struct vr_area a;
	struct mali_surf depth;
	struct mali_surf stencil;
	struct simt_machine *m;
	u32 z[4 * VR_MAX_SAMPLES];
	u8 s[4 * VR_MAX_SAMPLES];
	u8 was[4 * VR_MAX_SAMPLES];
};

/**
 * struct mali_output - Where colours go, and how
 * @s:		target; NULL: none, writes are ignored
 * @format:	memory format
 * @regfmt:	enum mali_regfmt of the registers
 * @nregs:	number of slots
 * @ready:	mali_blend(): all members are those for @lo, @hi and @blend
 * @blends:	colours are blended by @state; else they replace what is there
 * @state:	of the blend unit
 * @lo:		words of a blend descriptor of Bifrost
 * @hi:		"
 * @blend:	the target's descriptor
 */
struct mali_output {
	const struct mali_surf *s;
	struct px_format format;
	u32 regfmt;
	u32 nregs;
	bool ready;
	bool blends;
	struct vr_blend state;
	u32 lo;
	u32 hi;
	struct mali_blend blend;
};

/**
 * struct mali_fragments - fragments being run
 * @area:	primitive of a shader job; NULL: quads of a frame
 * @nblocks:	blocks of quads
 * @of:		index of each quad's primitive in @corner
 * @target:	colour targets
 * @output:	of each, as the last block that was blended had it
 * @x:		pixels of the block
 * @y:		"
 * @covered:	covered lanes: all but helpers
 * @ref:	stencil reference values of the program
 * @cover:	samples of the pixels still covered
 * @kept:	stored sample position of varyings, x and y from the pixel's corner in 1/256
 * @moved:	lanes whose stored position is not the centre
 * @tested:	Midgard: lanes whose write to the framebuffer has been tested
 * @nsamples:	samples per pixel
 * @turns:	program runs per pixel
 * @sample:	sample index of the block's run
 * @s:		current block; it and what follows is set before it is read, and not cleared
 * @corner:	a varying's components at the corners of some primitives
 * @out:	the components, interpolated
 * @z:		depth of the samples; the program's: [0]
 */
struct mali_fragments {
	struct mali_area *area;
	u64 nblocks;
	u8 of[VR_QUADS];
	struct mali_surf target[MALI_MAX_TARGETS];
	struct mali_output *output;
	u16 x[SIMT_LANES];
	u16 y[SIMT_LANES];
	u64 covered;
	u32 ref[SIMT_LANES];
	u16 cover[SIMT_LANES];
	s16 kept[2][SIMT_LANES];
	u64 moved;
	u64 tested;
	u32 nsamples;
	u32 turns;
	u32 sample;
	struct vr_shade s;
	u32 corner[VR_QUADS][3][4];
	u32 out[4][SIMT_LANES];
	u32 z[VR_MAX_SAMPLES][SIMT_LANES];
};

/**
 * struct mali_part - program in memory
 * @va:		guest address
 * @tag:	v4, v5: tag of its first bundle, 0: not announced
 * @first:	its first quad among the lowered words
 * @nquads:	its size
 */
struct mali_part {
	u64 va;
	u32 tag;
	u32 first;
	u32 nquads;
};

/**
 * struct mali_cached - cached lowered program
 * @prog:	program; NULL: the entry is free
 * @words:	source words
 * @code:	program object's words, or NULL
 * @part:	main program and its blend programs
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

/* Steps of the preparation of a work's program. */
enum mali_prep_step {
	MALI_PREP_FIND,		/* search the cache */
	MALI_PREP_READ,		/* begin to read the next part */
	MALI_PREP_COPY,		/* copy its words */
	MALI_PREP_EXTENT,	/* determine its size */
	MALI_PREP_JOIN,		/* concatenate all parts' words */
	MALI_PREP_LOWER,
	MALI_PREP_PIECE
};

/**
 * struct mali_prep - state of the incremental preparation of a program
 * @step:	enum mali_prep_step
 * @mark:	memory of programs without this one
 * @number:	index of the cached program under comparison
 * @part:	part that is compared, read or copied
 * @at:		its words or quads done so far
 * @part_mark:	memory of programs without the part
 * @words:	words of the parts
 * @want:	quads to read
 * @got:	quads that can be read
 * @need:	known minimum size of the program in quads
 * @joined:	words of all parts
 * @all:	words to lower
 * @nquads:	size of @all
 * @mg_walk:	walk that determines the size of a Midgard program
 * @bi:		walk that determines the size of a Bifrost program
 * @front:	lowering
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
	struct bl *bi;
	struct simt_front *front;
	struct simt_prog *prog;
};

/**
 * struct mali_ids - ids of a thread
 * @local:	local id
 * @group:	workgroup id
 */
struct mali_ids {
	u32 local[3];
	u32 group[3];
};

/**
 * struct mali_rows - precomputed thread ids of blocks with one workgroup each
 * @row:	local ids of a block's threads, equal in all workgroups: x and y as halves, x, y, z
 * @known:	bit per block: @row is valid
 * @wanted:	@nput, @put, @slot and @stays are valid
 * @nput:	number of ids that the program reads
 * @put:	these ids, as indices of @slots of mali_rows_start()
 * @slot:	their slots
 * @stays:	the slots keep their values until the next workgroup starts
 * @id:		id of the last started workgroup
 * @group:	its index
 * @placed:	@id and @group are valid
 * @wls:	the program uses pointers to workgroup memory
 * @tls:	the program uses pointers to thread memory
 */
struct mali_rows {
	/* private: kernel-doc does not parse a size with blanks */
	u32 row[SIMT_MAX_LOCAL / SIMT_LANES][4][SIMT_LANES];
	/* public: */
	u32 known;
	bool wanted;
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
 * struct mali_run - machine for consecutive works
 * @arena:	memory; the part above @mark belongs to the work
 * @map:	address space
 * @progs:	memory of lowered programs
 * @cache:	lowered programs
 * @next:	entry to replace
 * @part:	the work's programs: the main program, then its blend programs
 * @nparts:	number of @part
 * @nlost:	number of blend programs that cannot be read, in @part after the others
 * @prep:	state of the preparation of the work's program
 * @prog:	the work's program, once prepared
 * @cost:	cost of the work's preparation not charged yet
 * @mark:	@arena.used without the work
 * @rest:	the machine's arena: the rest of @arena
 * @m:		machine of the work
 * @w:		work
 * @clock:	number of reads of the clock by the work's program
 * @req:	texture request
 * @held:	lanes that wait for their requests with operands in @req
 * @v:		four components of all lanes
 * @rows:	thread ids
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
	u32 nlost;
	struct mali_prep prep;
	struct simt_prog *prog;
	u32 cost;
	u64 mark;
	struct simt_arena rest;
	struct simt_machine *m;
	struct mali_work w;
	u64 clock;
	struct tx_request *req;
	u64 held;
	u32 (*v)[SIMT_LANES];
	struct mali_fragments *r;
	struct mali_rows *rows;
};

/* mali_run.c, mali_prog.c */

/* Prepare the work's program in bounded steps. Return: as mali_run_prepare_step(). */
void mali_program_begin(struct mali_run *r);
int mali_program_step(struct mali_run *r, struct simt_prog **out, struct vs_fault *fault);

/* Flags of blend descriptors. */
#define MALI_BLEND_PROGRAM	0x2	/* v4, v5: the descriptor has a program's address */
#define MALI_BLEND_ALPHA_TO_ONE	0x100
#define MALI_BLEND_ENABLE	0x200

/* Address of a Midgard blend descriptor's program, including the tag; 0: none. */
static inline u64 mali_blend_shader(const struct mali_blend *d)
{
	if (!(d->flags & MALI_BLEND_PROGRAM))
		return 0;
	return d->internal[0] | (u64)d->internal[1] << 32;
}

/* Lower half of the address of a Bifrost blend descriptor's program; 0: none. */
static inline u32 mali_blend_pc(const u32 internal[2])
{
	return internal[0] & 3 ? 0 : internal[1] & ~15U;
}

/*
 * Raise the fault of a blend program that is not among the lowered ones. @pc: address, or its lower
 * half. Return: false.
 */
bool mx_refuse_blend(struct simt_machine *m, u64 mask, u64 pc);

/* ---- lanes and operands ---- */

/* Raise a COMMAND fault. Return: false. */
bool mx_refuse(struct simt_machine *m, u64 mask, enum mali_run_reason reason, u64 va);
/* The same for a value that was found; @reason: also of job chains. @va: its address, 0: none */
bool mx_refuse_value(struct simt_machine *m, u64 mask, u32 reason, u64 va, u32 value);
/* Write @n words of a lane to slots @d ... */
void mx_put(const struct simt_block *b, u32 d, u32 lane, const u32 *words, u32 n);
void mx_get(const struct simt_block *b, u32 d, u32 lane, u32 *words, u32 n);
/* Copy operand @i of the active lanes; @out may be its slot. */
void mx_copy_src(const struct simt_machine *m, u32 *out, const struct simt_block *b,
		 const struct simt_uop *u, u32 i);

#define MALI_NO_SLOT	0xff

/* Preset a lane's slot of the front end to @v; @lane0: the lane's slot 0. */
static inline void mali_put(const struct simt_prog *prog, u32 *lane0, u32 slot, u32 v)
{
	slot = simt_prog_slot(prog, slot);
	if (slot != SIMT_NOWHERE)
		lane0[SIMT_LANES * slot] = v;
}

/* mali_start.c */
/* Preload ids of a block that mali_rows_start() refuses; @slots: as there, always read. */
void mali_each_thread(struct simt_machine *m, struct simt_block *b, const struct simt_group *g,
		      const u8 slots[10]);
/**
 * mali_rows_start - preload ids of blocks with a single workgroup each of a compute program
 * @m: machine
 * @first: first block
 * @n: number of blocks; they have the same index in consecutive workgroups
 * @slots: slots of the local id (as @row of struct mali_rows), workgroup id and global id;
 *	   MALI_NO_SLOT: none. Read only while @rows is invalid
 *
 * Return: false if the blocks are of another kind; nothing is done then.
 */
bool mali_rows_start(struct simt_machine *m, struct simt_wave_block *first, u32 n,
		     const u8 slots[10]);
/* Prepare for a launch; slots that starting threads preset are added to *@preset. */
void mali_starts(struct mali_run *r, const struct simt_prog *p, u64 *preset);
/* Write the addresses of workgroup and thread memory to slots, two each. */
void mali_segments(struct simt_machine *m, struct simt_block *b, u32 wls, u32 tls);
/* mali_segments() for blocks that start in step. */
void mali_segments_step(struct simt_machine *m, struct simt_wave_block *first, u32 n, u32 wls,
			u32 tls);
bool mali_start_step(struct simt_machine *m, struct simt_wave_block *first, u32 n);
void mali_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g);

/* mali_debug.c: registers visible to debuggers. */
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

/* Conversion words: format, raw, register format; same layout as in blend descriptors. */
#define MALI_CVT_FORMAT(w)	((w) & 0x3fffff)
#define MALI_CVT_RAW		0x400000
#define MALI_CVT_REG(w)		((w) >> 24 & 7)

/*
 * Format of a conversion word. Words from descriptors use the descriptors' formats, words in the
 * program the GPU's; the two may differ only if programs are exchanged between GPUs.
 */
bool mx_cvt_format(const struct mali_work *w, u32 word, struct px_format *f);

/* Element of a varying's or attribute's buffer, and its components. */
struct mali_elem {
	const struct mali_attr *attr;
	const struct mali_attr_buf *buf;
};

/* Look up an attribute. Return: false with a fault. attr NULL: unbound, reads as zeros. */
bool mx_attr(struct simt_machine *m, u64 mask, const struct mali_attr_table *t, u32 index,
	     struct mali_elem *e);
/* Read components of element @elem at the buffer's offset; zeros outside of the buffer. */
bool mx_read_elem(struct simt_machine *m, u64 mask, const struct mali_elem *e, u64 elem,
		  u32 v[4]);
/* The buffer, if its elements are four words that are read as they are, unseen; else NULL. */
u8 *mx_elem_words(struct simt_machine *m, const struct mali_elem *e);

/* As mx_read_elem(). Return: false: use that. */
static __always_inline bool mx_read_words(u8 *words, const struct mali_elem *e, u64 elem, u32 v[4])
{
	u64 at = elem * e->buf->stride + e->attr->offset;
	const void *p = words ? vs_bounded_ptr(words, e->buf->size, at, 4 * sizeof(*v)) : NULL;

	if (unlikely(!p))
		return false;
	memcpy(v, p, 4 * sizeof(*v));
	return true;
}

/* mali_ext_tex.c */

/* Bind texture and sampler to @q, whose operation is set. Return: false with a fault. */
bool mx_tex_bind(struct simt_machine *m, struct tx_request *q, u32 texture, u32 sampler);
bool mx_texs(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_texc(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_var_tex(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
/* Interpolate a varying to req->coord and sample a texture with it. */
bool mx_sample_var(struct simt_machine *m, u64 mask, u32 index,
		   bool lod0, u32 regfmt, u32 *slot);

/* mali_ext_var.c */

#define MALI_VARYING_COST	32	/* cost of a varying of up to a block's lanes */

bool mx_ld_var(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_ld_var_flat(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_ld_var_special(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
/* Varying @index of @mask's lanes at the sample position of @u, binary32; @v has @comps rows. */
bool mx_varying_at(struct simt_machine *m, const struct simt_block *b, const struct simt_uop *u,
		   u64 mask, u32 index, u32 comps, u32 v[][SIMT_LANES]);
/*
 * Set the position of a lane's varyings. @mode: enum mali_sample; @s1: coverage with the sample
 * index in the upper half, or an explicit position.
 */
void mali_place(struct mali_fragments *r, u32 l, u32 mode, u32 s1);
/* Execute the preloaded messages of a starting block. */
bool mx_messages(struct simt_machine *m, struct simt_block *b);

/* mali_frag.c */

/* Does the lane's primitive show its back? */
static inline bool mali_is_back(const struct mali_run *run, u32 lane)
{
	return vr_shade_prim(&run->r->s, lane)->p.back;
}

/* Decode a target. Return: false: its pixels cannot be read and written. */
bool mali_surf_decode(enum mali_arch arch, const struct mali_target *t, struct mali_surf *s);
int mali_frag_begin(struct mali_run *r, enum mali_run_reason *why);
/* Set the pixels of a block: live lanes, helpers, coverage. */
void mali_frag_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g);
void mali_frag_end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g);
/* Clamp to [0, 1]; NaN becomes 0. */
u32 mali_clamp_depth(u32 z);
/*
 * Interpolate @comps components of a varying; @flat: take the provoking corner's. Return: false
 * with a fault.
 */
bool mali_frag_varying(struct simt_machine *m, u64 mask, const struct mali_elem *e, u32 comps,
		       bool perspective, bool flat, u32 v[][SIMT_LANES]);
/* 1 / w. */
void mali_frag_inv_w(struct simt_machine *m, u64 mask, u32 *out);
/* Test or write the samples of lanes: VR_ZS_TEST, VR_ZS_WRITE. Return: lanes with samples left. */
u64 mali_frag_zs(struct simt_machine *m, u64 lanes, u32 what);

/* Kinds of blending; numbers of Bifrost's descriptors. */
enum { MALI_BLEND_SHADER, MALI_BLEND_OPAQUE, MALI_BLEND_FIXED, MALI_BLEND_OFF };

/**
 * struct mali_colours - colours of lanes to be blended
 * @slot:	first of four slots
 * @lo:		kind and target, as in a blend descriptor of Bifrost
 * @hi:		conversion word
 * @cover:	samples to write
 */
struct mali_colours {
	u16 slot;
	u32 lo;
	u32 hi;
	u16 cover[SIMT_LANES];
};

/* Subset of the lanes to blend at once, so that the number of samples is bounded. */
u64 mali_few_pixels(const struct mali_fragments *r, u64 lanes);
/* Store or blend colours; overwrites @c->cover. Return: false with a fault. */
bool mali_blend(struct simt_machine *m, struct simt_block *b, u64 mask, struct mali_colours *c);
/* Coverage of a lane after the alpha test. */
u32 mali_alpha_test(const struct mali_frag *f, const struct mali_fragments *r, u32 coverage,
		    u32 alpha, u32 ref);

bool mx_atest(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_zs_emit(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_blend(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_ld_tile(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mx_st_tile(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);

/* mali_zs.c */

/* Prepare depth and stencil of a shader job. Return: false: an image's format has none. */
bool mali_zs_begin(struct mali_area *a, const struct mali_frag *f, enum mali_arch arch);
extern const struct vr_area_ops mali_zs_ops;

/* mali_blend.c */

/*
 * State of the blend unit. @equation: colour's function in bits 0-11, alpha's in 12-23, components
 * to write in 28-31; @constant: binary32. Return: false if the equation has no meaning.
 */
bool mali_blend_state(u32 equation, u32 constant, bool alpha_one, struct vr_blend *b);

/* mali_ext_mgfrag.c */
bool mgx_write(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mgx_ld_raw(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mgx_st_raw(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mgx_covered(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
bool mgx_sample(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);

#endif /* MALI_RUN_INT_H */
