/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Job chains of ARM Mali GPUs (Midgard v4 and v5, Bifrost v6 and v7) as they lie in GPU
 * memory, and what is made of them for an executor.
 *
 * Sources: Mesa's descriptor descriptions (panfrost genxml v4 to v7), what its driver writes
 * and its decoder prints; numbers only, nothing is copied.
 *
 * A chain is read in two steps, because a job may write the descriptors of a later one
 * (indirect dispatch): mali_chain_walk() reads the headers, mali_chain_load() all that hangs
 * on one job, when its turn comes. Nothing is read twice by the same step; the type of a job,
 * which indirect dispatches change, too, is read by both.
 */
#ifndef VS_MALI_LAUNCH_H
#define VS_MALI_LAUNCH_H

#include "../../engine/vs_job.h"

/* Descriptor formats. */
enum mali_arch { MALI_V4, MALI_V5, MALI_V6, MALI_V7, MALI_NUM_ARCH };

/* Numbers of the hardware. */
enum mali_job_type {
	MALI_JOB_NOT_STARTED, MALI_JOB_NULL, MALI_JOB_WRITE_VALUE, MALI_JOB_CACHE_FLUSH,
	MALI_JOB_COMPUTE, MALI_JOB_VERTEX, MALI_JOB_GEOMETRY, MALI_JOB_TILER, MALI_JOB_FUSED,
	MALI_JOB_FRAGMENT, MALI_JOB_INDEXED_VERTEX, MALI_NUM_JOB_TYPES
};

/* Why a chain is rejected. */
enum mali_reason {
	MALI_OK,
	MALI_UNMAPPED,		/* @va of the reject cannot be read */
	MALI_MISALIGNED,	/* @value is the address */
	MALI_NULL_POINTER,	/* something is counted but has no address */
	MALI_JOB_TYPE,		/* unknown number */
	MALI_JOB_UNSUPPORTED,	/* known, not executed */
	MALI_JOB_32BIT,		/* 32-bit form of a job whose payload is not documented */
	MALI_LOOP,		/* next pointers lead back; @value: where to */
	MALI_DUPLICATE_INDEX,	/* @value: index */
	MALI_NO_SUCH_INDEX,	/* dependency on a job that is not there */
	MALI_DEADLOCK,		/* dependencies or barriers in a circle */
	MALI_BAD_WRITE_TYPE,
	MALI_BAD_INVOCATION,	/* shifts go down; @value: shift word */
	MALI_BAD_ATTR_TYPE,	/* of an attribute buffer */
	MALI_BAD_FORMAT,	/* pixel format without meaning, or none that is known here */
	MALI_BAD_LAYOUT,	/* texel order */
	MALI_BAD_DESC_TYPE,	/* texture or sampler says that it is something else */
	MALI_BAD_DRAW,		/* 32-bit draw descriptor */
	MALI_BAD_WRAP,
	MALI_LIMIT_JOBS,	/* more jobs than allowed */
	MALI_LIMIT_MEMORY,	/* more descriptors than allowed; @value: bytes */
	MALI_NUM_REASONS
};

/**
 * struct mali_reject - Why and where.
 * @reason:	enum mali_reason
 * @job:	position in the chain
 * @field:	name of the field, as in Mesa's descriptions, lower case
 * @va:		address of the field, or of the first unreadable byte
 * @value:	what is there
 */
struct mali_reject {
	u32 reason;
	u32 job;
	const char *field;
	u64 va;
	u64 value;
};

/* ---- pixel formats ---- */

enum mali_comp { MALI_UNORM, MALI_SNORM, MALI_UINT, MALI_SINT, MALI_FLOAT, MALI_FIXED };

/* How the bits of a texel are found. */
enum mali_layout {
	MALI_PLAIN,	/* @bits[i] per component, first lowest */
	MALI_UFLOAT,	/* the same, floats without sign: 11 and 10 bits */
	MALI_SHARED_EXP, /* 9, 9, 9 and a common exponent of 5, first lowest */
	MALI_ETC2,	/* blocks of 4 x 4; which one: mali_format.code */
	MALI_CONSTANT,	/* no memory: zeros */
	MALI_SNAP4	/* position: 4 x 32 bit float, read and written as they are */
};

#define MALI_SWZ_0	4
#define MALI_SWZ_1	5

/**
 * struct mali_format - A decoded pixel format.
 * @code:	number of the hardware
 * @layout:	enum mali_layout
 * @comp:	enum mali_comp of all components
 * @ncomp:	components in memory
 * @bytes:	of a texel; of a block with ETC2
 * @bits:	of each component in memory
 * @swizzle:	component of memory for each of r, g, b, a; MALI_SWZ_0, MALI_SWZ_1
 * @srgb:	r, g, b are sRGB
 * @big_endian:	bit 21 of the word
 */
struct mali_format {
	u8 code;
	u8 layout;
	u8 comp;
	u8 ncomp;
	u8 bytes;
	u8 bits[4];
	u8 swizzle[4];
	bool srgb;
	bool big_endian;
};

/* Return: false if the 22 bits mean nothing here. */
bool mali_format_decode(enum mali_arch arch, u32 bits, struct mali_format *f);
/* Four letters of a swizzle, into 5 bytes. */
void mali_swizzle_text(const u8 swizzle[4], char text[5]);

/* ---- attributes ---- */

/* Types of attribute buffers; numbers of the hardware. */
enum mali_buf_type {
	MALI_BUF_1D = 1, MALI_BUF_POT_DIVISOR, MALI_BUF_MODULUS, MALI_BUF_NPOT_DIVISOR,
	MALI_BUF_3D_LINEAR, MALI_BUF_3D_INTERLEAVED, MALI_BUF_PRIMITIVE_INDEX,
	MALI_BUF_POT_DIVISOR_WR = 10, MALI_BUF_MODULUS_WR, MALI_BUF_NPOT_DIVISOR_WR,
	MALI_BUF_POINT_COORD_MIN = 33, MALI_BUF_VERTEX_ID, MALI_BUF_INSTANCE_ID = 36,
	MALI_BUF_FRAG_COORD, MALI_BUF_FRONT_FACING, MALI_BUF_POINT_COORD_MAX = 97
};

/**
 * struct mali_attr_buf - Attribute or varying buffer, or image.
 * @type:	enum mali_buf_type; 0: there is none, or no attribute refers to it
 * @r:		shift: power-of-two divisor, or of the multiplication
 * @p:		MODULUS: padded count is (2 p + 1) << r
 * @e:		NPOT: add one before multiplying
 * @magic:	NPOT: multiplier, with its implicit top bit
 * @divisor:	NPOT: the divisor as written; for messages, the hardware uses @magic
 * @bias:	VERTEX_ID, INSTANCE_ID: added
 * @va:		first element (image: level)
 * @size:	bytes
 * @stride:	bytes from element to element (image: of a texel)
 * @dim:	3D: extent
 * @row_stride: 3D: bytes; INTERLEAVED: of a row of tiles of 16 x 16
 * @slice_stride: 3D: bytes
 */
struct mali_attr_buf {
	u8 type;
	u8 r;
	u8 p;
	u8 e;
	u32 magic;
	u32 divisor;
	s32 bias;
	u64 va;
	u32 size;
	u32 stride;
	u32 dim[3];
	u32 row_stride;
	s32 slice_stride;
};

/**
 * struct mali_attr - Attribute, varying or image.
 * @va:		of the descriptor; 0: there is none, all is zero
 * @raw:	the 22 bits, which LEA_ATTR hands to the program
 * @buf:	index of the buffer
 * @offset_enable: the draw's offset counts (vertex attributes)
 * @offset:	bytes, added to the element's address
 * @format:	of the element
 */
struct mali_attr {
	u64 va;
	u32 raw;
	u16 buf;
	bool offset_enable;
	s32 offset;
	struct mali_format format;
};

/**
 * struct mali_attr_table - Attributes with their buffers.
 *
 * Varyings may be counted by the renderer state and not be there: then @n is 0, or @nbufs is.
 *
 * @n:		attributes
 * @attr:	them
 * @nbufs:	one more than the highest index
 * @bufs:	buffers by index
 */
struct mali_attr_table {
	u32 n;
	struct mali_attr *attr;
	u32 nbufs;
	struct mali_attr_buf *bufs;
};

/**
 * mali_attr_element - element that an invocation reads of a 1D buffer
 * @b:		buffer
 * @linear:	instance * mali_launch.instance_size + vertex
 *
 * Return: number of the element; for VERTEX_ID and INSTANCE_ID buffers the value itself.
 */
u32 mali_attr_element(const struct mali_attr_buf *b, u32 linear);

/* ---- textures and samplers ---- */

enum mali_dim { MALI_DIM_CUBE, MALI_DIM_1D, MALI_DIM_2D, MALI_DIM_3D };

/* Texel orders; numbers of the hardware. */
enum mali_order { MALI_TILED = 1, MALI_LINEAR = 2 };

/**
 * struct mali_surface - One image of a texture.
 * @va:		first byte
 * @row_stride:	bytes from row to row; TILED: to the next row of tiles of 16 x 16
 *		(ETC2: 4 x 4 blocks); 0: not said (v4, v5), dense
 * @surface_stride: bytes from slice to slice of 3D, and from sample to sample
 */
struct mali_surface {
	u64 va;
	s32 row_stride;
	s32 surface_stride;
};

/**
 * struct mali_texture - Texture descriptor.
 * @va:		of the descriptor; 0: nothing is bound, all is zero
 * @dim:	enum mali_dim
 * @order:	enum mali_order
 * @normalized:	v6, v7: coordinates are normalised by the texture
 * @corner:	sample position is the corner
 * @width:	level 0
 * @height:	level 0
 * @depth:	level 0, 3D only
 * @array_size:	layers (of cubes: of six faces)
 * @samples:	per texel
 * @levels:	number of levels
 * @min_level:	first that may be used
 * @min_lod:	8.8
 * @max_lod:	8.8
 * @swizzle:	after that of @format
 * @format:	texels
 * @nsurfaces:	levels * layers * faces * samples
 * @surfaces:	use mali_tex_surface()
 * @level_inner: the level is the innermost index
 */
struct mali_texture {
	u64 va;
	u8 dim;
	u8 order;
	bool normalized;
	bool corner;
	u32 width;
	u32 height;
	u32 depth;
	u32 array_size;
	u32 samples;
	u32 levels;
	u32 min_level;
	u32 min_lod;
	u32 max_lod;
	u8 swizzle[4];
	struct mali_format format;
	u32 nsurfaces;
	struct mali_surface *surfaces;
	bool level_inner;
};

/* Surface of a level, layer, face (cubes, else 0) and sample; NULL if there is none. */
const struct mali_surface *mali_tex_surface(const struct mali_texture *t, u32 level, u32 layer,
					    u32 face, u32 sample);
/* Byte of a texel in a tile of 16 x 16, in texels (ETC2: block in 4 x 4 blocks). */
u32 mali_tile_index(u32 x, u32 y, bool blocks);

enum mali_wrap {
	MALI_REPEAT = 8, MALI_CLAMP_TO_EDGE, MALI_CLAMP, MALI_CLAMP_TO_BORDER,
	MALI_MIRRORED_REPEAT, MALI_MIRRORED_CLAMP_TO_EDGE, MALI_MIRRORED_CLAMP,
	MALI_MIRRORED_CLAMP_TO_BORDER
};

enum mali_mip { MALI_MIP_NEAREST, MALI_MIP_NONE, MALI_MIP_TRILINEAR = 3 };

/**
 * struct mali_sampler - Sampler descriptor.
 * @va:		of the descriptor; 0: nothing is bound, all is zero
 * @wrap:	enum mali_wrap of s, t, r
 * @mag_nearest: no filter when magnified
 * @min_nearest: no filter when minified
 * @mip:	enum mali_mip
 * @func:	compare function: 1 less, 2 equal, 4 greater, and their sums
 * @normalized:	coordinates run from 0 to 1
 * @seamless:	cube maps are filtered across edges
 * @clamp_int:	integer coordinates are clamped
 * @clamp_int_array: integer layers are clamped
 * @round_nearest: coordinates of nearest filtering are rounded to even
 * @srgb_override: sRGB texels are taken as linear
 * @mag_cutoff:	LOD where magnification ends is a half
 * @min_lod:	8.8
 * @max_lod:	8.8
 * @lod_bias:	8.8
 * @max_aniso:	1: isotropic
 * @border:	bits of r, g, b, a; of the type that the texture has
 */
struct mali_sampler {
	u64 va;
	u8 wrap[3];
	bool mag_nearest;
	bool min_nearest;
	u8 mip;
	u8 func;
	bool normalized;
	bool seamless;
	bool clamp_int;
	bool clamp_int_array;
	bool round_nearest;
	bool srgb_override;
	bool mag_cutoff;
	u32 min_lod;
	u32 max_lod;
	s32 lod_bias;
	u32 max_aniso;
	u32 border[4];
};

/* ---- programs ---- */

/* Bits of the renderer state that all architectures have in other places. */
#define MALI_SH_BARRIER		0x1
#define MALI_SH_DISCARD		0x2	/* v4, v5 */
#define MALI_SH_SIDE_EFFECTS	0x4	/* v4, v5 */
#define MALI_SH_READS_TILE	0x8	/* v4, v5 */

/**
 * struct mali_program - A program and how its threads start.
 * @va:		first instruction; multiple of 16
 * @tag:	v4, v5: kind of the first bundle
 * @flags:	MALI_SH_*
 * @work_regs:	v4, v5: registers from r0 on; v6, v7: 32 or 64
 * @fp_mode:	v4, v5: 0 GL, 1 GL without inf and NaN, 2 CL, 3 D3D11
 * @preload:	v6, v7: bit n of the mask: register 48 + n is filled; others are undefined.
 *		Compute: 55 local id x and y, 56 z, 57 to 59 workgroup, 60 to 62 global id;
 *		vertex: 58 and 59 position address, 61 vertex, 62 instance; 54: program
 *		counter
 * @warp_limit:	v6, v7, vertex programs: at most 1 << n invocations run together, 0: no limit
 * @uniforms:	push uniforms in words of 32 bit
 * @message:	v7, fragment programs: messages whose results are in r0.. and r4.. at the
 *		start, undecoded; the same bits as the upper half of the second program's
 *		address
 */
struct mali_program {
	u64 va;
	u32 tag;
	u32 flags;
	u32 work_regs;
	u32 fp_mode;
	u32 preload;
	u32 warp_limit;
	u32 uniforms;
	u16 message[2];
};

/**
 * struct mali_ubo - Uniform buffer.
 * @va:		first byte; 0: none
 * @size:	bytes
 */
struct mali_ubo {
	u64 va;
	u32 size;
};

/**
 * struct mali_storage - Thread and workgroup local storage.
 * @va:		of the descriptor; 0: there is none
 * @tls_va:	base, 0: none
 * @tls_size:	bytes of a thread
 * @tls_sp:	initial stack pointer, offset
 * @wls_va:	base
 * @wls_size:	bytes of a workgroup; 0: none
 * @wls_instances: workgroups that have some at the same time
 */
struct mali_storage {
	u64 va;
	u64 tls_va;
	u32 tls_size;
	u32 tls_sp;
	u64 wls_va;
	u32 wls_size;
	u32 wls_instances;
};

/**
 * struct mali_launch - A COMPUTE or VERTEX job.
 * @local:	workgroup size; vertex jobs: 1, 1, 1
 * @groups:	number of workgroups; vertex jobs: 1, vertices, instances
 * @group_split: "thread group split", a hint
 * @task_split:	"job task split", a hint
 * @draw_flags:	first word of the draw descriptor
 * @offset_start: added to the vertex number (base vertex)
 * @instance_size: padded vertices of an instance, at least 1
 * @position:	where a vertex program of v6, v7 puts positions
 * @state_va:	renderer state, for messages
 * @prog:	the program
 * @secondary:	v6, v7: second program of the state, va 0 if none; only INDEXED_VERTEX uses it
 * @nubos:	uniform buffers
 * @ubos:	them
 * @push_va:	where the push uniforms were
 * @push:	copy of them, @prog.uniforms words
 * @attrs:	attributes and images
 * @varyings:	outputs of vertex programs
 * @ntextures:	textures
 * @textures:	them
 * @nsamplers:	samplers
 * @samplers:	them
 * @storage:	local storage
 */
struct mali_launch {
	u32 local[3];
	u64 groups[3];
	u32 group_split;
	u32 task_split;
	u32 draw_flags;
	u32 offset_start;
	u32 instance_size;
	u64 position;
	u64 state_va;
	struct mali_program prog;
	struct mali_program secondary;
	u32 nubos;
	struct mali_ubo *ubos;
	u64 push_va;
	u32 *push;
	struct mali_attr_table attrs;
	struct mali_attr_table varyings;
	u32 ntextures;
	struct mali_texture *textures;
	u32 nsamplers;
	struct mali_sampler *samplers;
	struct mali_storage storage;
};

/* ---- jobs ---- */

/* What WRITE_VALUE writes; numbers of the hardware. IMM*: v6 and later. */
enum mali_write_type {
	MALI_WRITE_CYCLES = 1, MALI_WRITE_TIMESTAMP, MALI_WRITE_ZERO, MALI_WRITE_IMM8,
	MALI_WRITE_IMM16, MALI_WRITE_IMM32, MALI_WRITE_IMM64
};

#define MALI_JF_BARRIER		0x1	/* starts when all before it have ended */
#define MALI_JF_INVALIDATE	0x2
#define MALI_JF_NO_PREFETCH	0x4	/* "suppress prefetch" of the next job */
#define MALI_JF_TEXTURE_MAPPER	0x8
#define MALI_JF_RELAX1		0x10	/* dependency 1 need not have ended without fault */
#define MALI_JF_RELAX2		0x20
#define MALI_JF_64BIT		0x40

/* Where a job's outcome is written, from its address: 32, 32 and 64 bits. */
#define MALI_OFF_STATUS		0
#define MALI_OFF_FIRST_TASK	4
#define MALI_OFF_FAULT		8

/* What is written as status; numbers of the hardware, from the Linux panfrost driver. */
enum mali_status {
	MALI_STATUS_NONE = 0x00, MALI_STATUS_DONE = 0x01, MALI_STATUS_STOPPED = 0x03,
	MALI_STATUS_TERMINATED = 0x04, MALI_STATUS_KABOOM = 0x05, MALI_STATUS_EUREKA = 0x06,
	MALI_STATUS_ACTIVE = 0x08, MALI_STATUS_JOB_CONFIG_FAULT = 0x40,
	MALI_STATUS_JOB_READ_FAULT = 0x42, MALI_STATUS_JOB_WRITE_FAULT = 0x43,
	MALI_STATUS_INSTR_INVALID_PC = 0x50, MALI_STATUS_INSTR_INVALID_ENC = 0x51,
	MALI_STATUS_INSTR_TYPE_MISMATCH = 0x52, MALI_STATUS_INSTR_OPERAND_FAULT = 0x53,
	MALI_STATUS_INSTR_TLS_FAULT = 0x54, MALI_STATUS_INSTR_BARRIER_FAULT = 0x55,
	MALI_STATUS_INSTR_ALIGN_FAULT = 0x56, MALI_STATUS_DATA_INVALID_FAULT = 0x58,
	MALI_STATUS_ADDR_RANGE_FAULT = 0x5a, MALI_STATUS_OUT_OF_MEMORY = 0x60,
	MALI_STATUS_UNKNOWN = 0x7f
};

/**
 * struct mali_job - One job of a chain.
 * @va:		its header
 * @next_va:	the next one's; 0: last
 * @type:	enum mali_job_type
 * @flags:	MALI_JF_*
 * @index:	its number for others' dependencies; 0: none
 * @dep:	numbers of the jobs that must have ended; 0: none
 * @status:	exception status that was there
 * @write_va:	WRITE_VALUE: where to
 * @write_type:	WRITE_VALUE: enum mali_write_type
 * @write_value: WRITE_VALUE: of the immediate types
 * @flush:	CACHE_FLUSH: the two words
 * @launch:	COMPUTE and VERTEX, once loaded
 * @loaded:	what is behind the header has been read
 */
struct mali_job {
	u64 va;
	u64 next_va;
	u32 type;
	u32 flags;
	u16 index;
	u16 dep[2];
	u32 status;
	u64 write_va;
	u32 write_type;
	u64 write_value;
	u32 flush[2];
	struct mali_launch *launch;
	bool loaded;
};

/**
 * struct mali_limits - Bounds.
 * @max_jobs:	of a chain, at most MALI_MAX_JOBS
 * @max_memory:	for everything that is made of a chain, bytes; bounds the work, too
 */
struct mali_limits {
	u32 max_jobs;
	u64 max_memory;
};

#define MALI_MAX_JOBS	65535

struct mali_block;

/**
 * struct mali_chain - A chain.
 * @arch:	descriptor formats
 * @map:	memory; must outlive the chain
 * @limits:	bounds
 * @njobs:	jobs
 * @jobs:	in the order of the next pointers
 * @order:	positions in an order that respects dependencies and barriers, otherwise that
 *		of the chain
 * @memory:	bytes held
 * @blocks:	private
 */
struct mali_chain {
	enum mali_arch arch;
	const struct vs_map *map;
	struct mali_limits limits;
	u32 njobs;
	struct mali_job **jobs;
	u32 *order;
	u64 memory;
	struct mali_block *blocks;
};

/**
 * mali_chain_walk - read the headers of a chain
 * @arch: descriptor formats
 * @map: memory
 * @va: first job
 * @limits: bounds
 * @out: the chain; to be freed
 * @why: with -ENOEXEC and -E2BIG
 *
 * Return: 0, -ENOEXEC (rejected), -E2BIG (a limit), -ENOMEM, -EINVAL (arguments).
 */
int mali_chain_walk(enum mali_arch arch, const struct vs_map *map, u64 va,
		    const struct mali_limits *limits, struct mali_chain **out,
		    struct mali_reject *why);
/**
 * mali_chain_load - read all that belongs to one job
 * @c: the chain
 * @pos: position in @c->jobs
 * @why: with -ENOEXEC and -E2BIG
 *
 * A second call for the same job does nothing.
 * Return: as mali_chain_walk(); types that are not executed are rejected here.
 */
int mali_chain_load(struct mali_chain *c, u32 pos, struct mali_reject *why);
/* Walk, then load every job. */
int mali_chain_parse(enum mali_arch arch, const struct vs_map *map, u64 va,
		     const struct mali_limits *limits, struct mali_chain **out,
		     struct mali_reject *why);
void mali_chain_free(struct mali_chain *c);

/**
 * mali_chain_print - text of a chain
 * @c: the chain; what is not loaded is left out
 * @buf: where to
 * @size: room
 *
 * Return: length of the whole text without its final zero, also when it did not fit.
 */
size_t mali_chain_print(const struct mali_chain *c, char *buf, size_t size);
/* Message for a reject, as long as @size allows. Return: length of the whole text. */
size_t mali_reject_print(const struct mali_reject *why, char *buf, size_t size);
const char *mali_reason_text(u32 reason);
/* enum mali_status of a rejected job; which one the hardware takes is not documented. */
u32 mali_reject_status(u32 reason);
const char *mali_job_type_name(u32 type);

#endif /* VS_MALI_LAUNCH_H */
