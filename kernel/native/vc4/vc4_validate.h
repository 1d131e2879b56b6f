/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Validation of jobs as Linux's vc4 driver does it: programs, bin lists, shader records, uniforms,
 * texture parameters, surfaces. A job that passes reads and writes only its buffer objects.
 *
 * The accept set is that of Linux 6.1, minus jobs that Linux accepts by mistake although they
 * leave their buffer objects: vc4_refusal.stricter, Documentation/native-vc4.rst lists them.
 *
 * No state is shared: callers serialise what they pass. Nothing that is passed is read twice, so
 * it may not change meanwhile: copy it from the user first.
 */
#ifndef VS_VC4_VALIDATE_H
#define VS_VC4_VALIDATE_H

#include "vc4_cl.h"

/**
 * struct vc4_refusal - Why something is refused.
 * @text:	static string, such as "texture outside of its buffer object"
 * @at:		programs: index of the instruction; lists: offset of the packet; shader records:
 *		index of the record; surfaces: enum vc4_surface
 * @value:	value that is refused
 * @limit:	its limit, if it has one
 * @stricter:	Linux 6.1 lacks the check
 */
struct vc4_refusal {
	const char *text;
	u32 at;
	u32 value;
	u32 limit;
	bool stricter;
};

/* ---- programs: vc4_validate_shader.c ---- */

#define VC4_NO_UNIFORM	0xffffffffU

/**
 * struct vc4_lookup - Texture lookup of a program.
 * @p:		bytes from the start of the program's uniforms to the parameters of the texture, in
 *		the order in which the program writes them, or VC4_NO_UNIFORM. Direct lookups: base
 *		address, largest offset
 * @direct:	reads a word at an address
 * @after:	not direct, but one of the same unit before it is: see vc4_validate_bin()
 */
struct vc4_lookup {
	u32 p[4];
	bool direct;
	bool after;
};

/**
 * struct vc4_shader_info - Result of vc4_validate_shader(); owned by the caller.
 * @uniform_bytes:	uniforms that the program reads, at least
 * @nlookups:		number of @lookup
 * @nresets:		number of @reset
 * @threaded:		it has thread switches: only fragment programs may
 * @lookup:		in program order
 * @reset:		uniforms (index of words) that get the address of the program's uniforms
 * @bytes:		memory of both arrays
 */
struct vc4_shader_info {
	u32 uniform_bytes;
	u32 nlookups;
	u32 nresets;
	bool threaded;
	struct vc4_lookup *lookup;
	u32 *reset;
	u32 bytes;
};

/**
 * vc4_validate_shader - validate a program
 * @words: the whole buffer object, low half of an instruction first: Linux rounds its size up to
 *	pages, with zeros after the program
 * @bytes: its size, a multiple of 8
 * @info: result; free it with vc4_shader_info_done()
 * @why: set if the program is refused
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int vc4_validate_shader(const u32 *words, u32 bytes, struct vc4_shader_info *info,
			struct vc4_refusal *why);
/* Free arrays of @info; harmless if it is all zeros. */
void vc4_shader_info_done(struct vc4_shader_info *info);

/* ---- jobs: vc4_validate.c ---- */

/* Uses of a buffer object by a job. */
#define VC4_USE_BIN	0x1	/* binning reads it: wait for jobs that write it */
#define VC4_USE_WRITE	0x2	/* rendering writes it */

/**
 * struct vc4_val_bo - Buffer object of a job, in the order of the user's handles.
 * @bytes:	size
 * @va:		bus address
 * @shader:	programs: what vc4_validate_shader() found, else NULL
 * @use:	VC4_USE_*, set by validation; begins as 0
 */
struct vc4_val_bo {
	u32 bytes;
	u32 va;
	const struct vc4_shader_info *shader;
	u32 use;
};

/**
 * struct vc4_val_job - Job to be validated.
 * @bo:			buffer objects
 * @nbos:		number of @bo
 * @list:		bin list of the user, 4-byte aligned or not
 * @list_bytes:		its size; 0: the job has none, and vc4_validate_bin() is not called
 * @records:		shader records of the user, each after the indices of its buffer objects
 * @record_bytes:	size of @records
 * @max_records:	shader states that the list may have
 * @uniforms:		uniforms of the user, each program's after indices of its textures
 * @uniform_bytes:	size of @uniforms
 * @out:		vc4_val_bytes() bytes for list, records and uniforms with addresses
 * @va:			bus address of @out, a multiple of 16
 * @slot_va:		bus address of memory for tile state and lists, a multiple of 4096
 * @slot_bytes:		its size (Linux: 512 KiB)
 * @start:		result: bus address of the list in @out
 * @end:		result: its end
 * @tiles_x:		result: columns of tiles, 1 to 255
 * @tiles_y:		result: rows of tiles, 1 to 255
 * @state_bytes:	result: bytes of tile state from @slot_va on, to be zeroed by the caller
 * @tile_lists:		result: bus address of the first tile's list
 */
struct vc4_val_job {
	struct vc4_val_bo *bo;
	u32 nbos;
	const u8 *list;
	u32 list_bytes;
	const u8 *records;
	u32 record_bytes;
	u32 max_records;
	const u8 *uniforms;
	u32 uniform_bytes;
	u8 *out;
	u32 va;
	u32 slot_va;
	u32 slot_bytes;
	u32 start;
	u32 end;
	u32 tiles_x;
	u32 tiles_y;
	u32 state_bytes;
	u32 tile_lists;
};

/* Bytes of @j->out. 0: the sizes are refused with -EINVAL, as they exceed 32 bits. */
u32 vc4_val_bytes(const struct vc4_val_job *j);

/**
 * vc4_validate_bin - validate list, records and uniforms, and write them to @j->out
 * @j: job
 * @why: set if the job is refused
 *
 * The list goes first, then records at the next multiple of 16, then uniforms. Buffer objects
 * that binning reads get VC4_USE_BIN.
 *
 * Linux takes a texture lookup for a direct one if the program has a direct lookup of the same
 * unit before it (vc4_lookup.after): it has to pass both checks here.
 *
 * Return: 0, -EINVAL or -ENOMEM. @j->out has any content after an error.
 */
int vc4_validate_bin(struct vc4_val_job *j, struct vc4_refusal *why);

#define VC4_NO_SURFACE	0xffffffffU

/**
 * struct vc4_val_surface - As struct drm_vc4_submit_rcl_surface.
 * @bo:		index of the buffer object, or VC4_NO_SURFACE
 * @offset:	bytes
 * @bits:	format and layout
 * @flags:	1: all samples are read
 */
struct vc4_val_surface {
	u32 bo;
	u32 offset;
	u16 bits;
	u16 flags;
};

/* Flags of a frame. */
#define VC4_FRAME_CLEAR	0x1	/* tiles begin with the clear values */

/**
 * struct vc4_val_frame - Frame to be validated.
 * @width:	pixels
 * @height:	pixels
 * @min_x:	first column of tiles
 * @min_y:	first row of tiles
 * @max_x:	last column of tiles
 * @max_y:	last row of tiles
 * @flags:	VC4_FRAME_*; flags of Linux that say the order of tiles have no effect
 * @clear:	clear values: colours of even and odd pixels, depth, stencil
 * @surface:	enum vc4_surface
 */
struct vc4_val_frame {
	u16 width;
	u16 height;
	u8 min_x;
	u8 min_y;
	u8 max_x;
	u8 max_y;
	u32 flags;
	u32 clear[4];
	struct vc4_val_surface surface[VC4_NUM_SURFACES];
};

/**
 * vc4_validate_render - validate surfaces, and describe the frame for a job VC4_RENDER
 * @j: job, after vc4_validate_bin() if it has a bin list
 * @f: frame
 * @words: VC4_RENDER_DESC_WORDS words of the job
 * @empty: set if no tile is inside the frame: there is nothing to submit
 * @why: set if the frame is refused
 *
 * Tiles beyond the frame are accepted, as by Linux, and are not drawn. Buffer objects that are
 * written get VC4_USE_WRITE.
 *
 * Return: 0 or -EINVAL.
 */
int vc4_validate_render(struct vc4_val_job *j, const struct vc4_val_frame *f, u32 *words,
			bool *empty, struct vc4_refusal *why);

#endif /* VS_VC4_VALIDATE_H */
