/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Launches of Utgard processors: a run of the vertex processor (GP) over vertices, or of the
 * pixel processor (PP) over the fragments of a primitive. Shader jobs and frames build these
 * descriptions, utgard_run.h executes them. All descriptors have been read from guest memory;
 * texels and streams have not.
 */
#ifndef UTGARD_LAUNCH_H
#define UTGARD_LAUNCH_H

#include "../../engine/simt/simt.h"
#include "../mali/mali_run.h"
#include "utgard_gp_lower.h"
#include "utgard_pp_lower.h"

/* ---- streams ---- */

/**
 * struct utgard_stream - array in memory, read to or written from a register
 *
 * Element e is at @va + e * @stride. For the element index see struct ugp_work and struct
 * upp_work. Numbers are converted to and from binary32 by @format, whose missing components
 * read as 0, 0, 0, 1.
 *
 * @va:		element 0
 * @stride:	bytes; 0: one element for all
 * @divisor:	attributes: 0: by vertex; n: by instance / n
 * @reg:	attribute or varying
 * @format:	format of an element; see utgard_format()
 */
struct utgard_stream {
	u64 va;
	u32 stride;
	u32 divisor;
	u32 reg;
	struct px_format format;
};

/**
 * utgard_format - format of elements with components of one size
 * @comp: enum px_comp
 * @bits: 8, 16 or 32
 * @ncomp: components, 1..4
 * @f: format
 *
 * Return: false if the format does not exist.
 */
bool utgard_format(enum px_comp comp, u32 bits, u32 ncomp, struct px_format *f);

/* ---- textures ---- */

/**
 * struct utgard_tex - descriptor of a texture unit: texture and sampler
 * @tex:	texture; va 0: nothing is bound, reads are zero
 * @samp:	sampler
 */
struct utgard_tex {
	struct tx_texture tex;
	struct tx_sampler samp;
};

/**
 * struct utgard_tex_bank - textures of a launch
 * @tex:	by unit index
 * @n:		number of @tex; units beyond are unbound
 * @req:	scratch
 */
struct utgard_tex_bank {
	const struct utgard_tex *tex;
	u32 n;
	struct tx_request *req;
};

/* ---- vertex processor ---- */

/**
 * struct ugp_work - launch of the vertex processor
 *
 * Invocation i is vertex i % @count of instance i / @count. Attributes are read at the index
 * from the index buffer, or at @first + vertex; outputs are written at i.
 *
 * @code:	program, UGP_WORDS an instruction, executed from first to last
 * @ninsns:	number of instructions
 * @first:	first vertex, or added to indices
 * @count:	vertices per instance
 * @instances:	at least 1
 * @index_size:	bytes of an index: 0 (not indexed), 1, 2, 4
 * @index_va:	index buffer
 * @uniforms:	rows of four binary32
 * @nrows:	number of rows, at most UGP_MAX_ROWS; rows beyond are zeros
 * @attr:	attributes; those without a stream are 0, 0, 0, 1
 * @nattr:	number of @attr
 * @out:	varyings to write: components that instructions store
 * @nout:	number of @out
 * @dbg:	debugger, or NULL
 * @code_va:	guest address of the program, 0: in a program object
 */
struct ugp_work {
	const u32 *code;
	u32 ninsns;
	u32 first;
	u32 count;
	u32 instances;
	u32 index_size;
	u64 index_va;
	u64 uniforms;
	u32 nrows;
	const struct utgard_stream *attr;
	u32 nattr;
	const struct utgard_stream *out;
	u32 nout;
	struct vs_debug *dbg;
	u64 code_va;
};

/* ---- pixel processor ---- */

#define UPP_MAX_TARGETS		4

/*
 * Registers of fragment streams. UPP_IN_VARYING + n is varying n; the others replace values of
 * the rasteriser and are valid for MALI_PRIM_RECT only.
 */
#define UPP_IN_VARYING		0
#define UPP_IN_COORD		UPP_NUM_VARYINGS	/* x, y, depth, w */
#define UPP_IN_POINT		(UPP_IN_COORD + 1)	/* s, t within the point */
#define UPP_IN_FACING		(UPP_IN_COORD + 2)	/* 1 front, 0 back */
#define UPP_NUM_IN		(UPP_IN_COORD + 3)

/* Switches; same bits as enum drm_vshader_utgard_switch. */
#define UPP_SW_FP32		0x1	/* registers are binary32, not binary16 */
#define UPP_SW_ALL		0x1

/*
 * Flag of fragments besides MALI_FRAG_BACK, as their drivers have it: y is 0 at the lower edge of
 * the rectangle and grows upwards, in positions, points and derivatives.
 */
#define UPP_FRAG_Y_UP		MALI_FRAG_POINT_UP

/**
 * struct upp_target - image that a register is written to at the end of a fragment
 * @va:		first pixel; 0: none
 * @row_stride:	bytes from row to row; TILED: from one row of 16 x 16 tiles to the next
 * @order:	enum px_order
 * @reg:	register 0..5
 * @format:	pixel format, without blocks
 */
struct upp_target {
	u64 va;
	u32 row_stride;
	u32 order;
	u32 reg;
	struct px_format format;
};

/**
 * struct upp_work - launch of the pixel processor
 *
 * Varyings of a triangle or point come from element @frag->index[corner] of their streams, and
 * are interpolated with 1 / w of the corners. Without a primitive (MALI_PRIM_RECT) fragments
 * have elements of their own: row * width + column of the rectangle, helpers outside of it that
 * of the nearest column and row inside.
 *
 * @code:	program
 * @ncode:	words of @code
 * @entry:	word to start at
 * @switches:	UPP_SW_*
 * @temps:	rows of temporaries per fragment, at most UPP_MAX_TEMPS
 * @uniforms:	rows of four halves
 * @nrows:	number of rows; rows beyond are zeros
 * @textures:	texture units
 * @ntextures:	number of @textures
 * @frag:	rectangle, primitive, corners, flags; neither targets nor depth
 * @in:		inputs; those without a stream are 0, 0, 0, 1
 * @nin:	number of @in
 * @target:	images
 * @ntargets:	number of @target
 * @mask:	image with a byte per pixel: 1 for a written fragment, 0 for a discarded one;
 *		pixels outside of the primitive are not written. va 0: none
 * @mask_stride: bytes from row to row of @mask
 * @depth:	image with a binary32 per pixel, read as the frame buffer's depth; va 0: programs
 *		that read it fault
 * @depth_stride: bytes from row to row of @depth
 * @dbg:	debugger, or NULL
 * @code_va:	guest address of the program, 0: in a program object
 */
struct upp_work {
	const u32 *code;
	u32 ncode;
	u32 entry;
	u32 switches;
	u32 temps;
	u64 uniforms;
	u32 nrows;
	const struct utgard_tex *textures;
	u32 ntextures;
	const struct mali_frag *frag;
	const struct utgard_stream *in;
	u32 nin;
	struct upp_target target[UPP_MAX_TARGETS];
	u32 ntargets;
	u64 mask;
	u32 mask_stride;
	u64 depth;
	u32 depth_stride;
	struct vs_debug *dbg;
	u64 code_va;
};

/* Maximum number of texture units of a launch. */
#define UPP_MAX_TEXTURES	64
/* Maximum number of uniform rows of the pixel processor. */
#define UPP_MAX_ROWS		65536

/* ---- utgard_tex_unit.c ---- */

/**
 * utgard_tex_load - read the texture list of a launch
 * @map: address space
 * @va: list of 32-bit addresses of descriptors, one per unit; address 0: nothing is bound
 * @n: number of units
 * @a: memory for the result
 * @out: @n descriptors
 * @fault: with -ENOEXEC: READ, or COMMAND with an enum utgard_reason as code, its address and
 *	the offending word as info
 *
 * Return: 0, -ENOEXEC, -ENOMEM (arena).
 */
int utgard_tex_load(const struct vs_map *map, u64 va, u32 n, struct simt_arena *a,
		    struct utgard_tex **out, struct vs_fault *fault);

/**
 * utgard_tex_ext - execute the EXT micro-op of the pixel processor, see utgard_pp_lower.h
 * @m: machine
 * @b: block
 * @u: micro-op
 * @bank: textures of the launch
 *
 * Return: false with a fault raised by simt_fault().
 */
bool utgard_tex_ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u,
		    const struct utgard_tex_bank *bank);

#endif /* UTGARD_LAUNCH_H */
