/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * From a piece of work for a Mali GPU, with its resources read from their descriptors, to
 * the SIMT machine. Shared by the job chains and by shader jobs.
 */
#ifndef MALI_RUN_H
#define MALI_RUN_H

#include "../../engine/simt/simt.h"
#include "mali_res.h"

/* GPUs: what a job calls its model. Same numbers as enum bi_gpu; then those of enum mg_gpu. */
enum mali_gpu { MALI_G71, MALI_G72, MALI_G31, MALI_G52, MALI_T760, MALI_T860, MALI_NUM_GPUS };

static inline bool mali_gpu_is_midgard(u32 gpu)
{
	return gpu == MALI_T760 || gpu == MALI_T860;
}

/* Descriptor formats of a GPU; MALI_NUM_ARCH if there is no such GPU. */
enum mali_arch mali_gpu_arch(u32 gpu);
const char *mali_gpu_name(u32 gpu);

enum mali_stage { MALI_STAGE_COMPUTE, MALI_STAGE_VERTEX, MALI_STAGE_FRAGMENT,
		  MALI_NUM_STAGES };

/* Registers that may be preloaded: bit n of mali_work.preload is register 48 + n. */
#define MALI_PRELOAD_MASK	0x7fc0U

/* ---- fragments ---- */

#define MALI_MAX_TARGETS	8
#define MALI_MAX_FB		65536	/* pixels a side */

/**
 * struct mali_target - Image that fragments are written to.
 * @va:		first pixel; 0: none, what is written is lost
 * @row_stride:	bytes from row to row; TILED: from a row of tiles of 16 x 16 to the next
 * @order:	enum mali_order
 * @format:	22 bits, as in descriptors
 * @sample_stride: bytes from a sample to the next one, if there are several
 */
struct mali_target {
	u64 va;
	u32 row_stride;
	u32 order;
	u32 format;
	u32 sample_stride;
};

/**
 * struct mali_blend - Blend descriptor: its four words.
 * @flags:	load destination, alpha to one, enable, sRGB; constant in the upper half
 * @equation:	of the fixed function, and the mask of components
 * @internal:	what the program hands to BLEND: kind, target, conversion or program
 */
struct mali_blend {
	u32 flags;
	u32 equation;
	u32 internal[2];
};

enum mali_prim {
	MALI_PRIM_RECT,		/* every pixel; nothing varies */
	MALI_PRIM_TRIANGLE,
	MALI_PRIM_POINT,
	MALI_NUM_PRIMS
};

#define MALI_FRAG_BACK		0x1	/* the triangle shows its back */
#define MALI_FRAG_POINT_UP	0x2	/* the point's second coordinate grows upwards */
#define MALI_FRAG_DEPTH_TEST	0x4	/* compare and write depth, see @depth */
#define MALI_FRAG_DEPTH_WRITE	0x8
#define MALI_FRAG_SHADER_Z	0x10	/* the program gives the depth: test at ZS_EMIT only */
#define MALI_FRAG_STENCIL_TEST	0x20	/* see @stencil */
#define MALI_FRAG_SHADER_S	0x40	/* the program gives the reference: test at ZS_EMIT only */
#define MALI_FRAG_LATE		0x80	/* depth and stencil are tested and written by ATEST */
#define MALI_FRAG_ALPHA_TEST	0x100	/* by ATEST, see @alpha_func */
#define MALI_FRAG_ALPHA_TO_COVERAGE 0x200 /* by ATEST: alpha is the share of samples */
#define MALI_FRAG_PER_SAMPLE	0x400	/* the program runs for each sample by itself */
#define MALI_FRAG_ALL		0x7ff
/* Nothing is tested before the program runs. */
#define MALI_FRAG_LATER		(MALI_FRAG_SHADER_Z | MALI_FRAG_SHADER_S | MALI_FRAG_LATE)

/**
 * struct mali_frag - What a fragment launch covers and where it goes.
 * @x:		first column of the rectangle that fragments may be in, a multiple of 2
 * @y:		first row, a multiple of 2
 * @width:	columns
 * @height:	rows
 * @prim:	enum mali_prim
 * @flags:	MALI_FRAG_*
 * @vertex:	corners on the screen: x, y, z, 1 / w, as binary32; points have one
 * @index:	numbers of the corners, for varyings
 * @provoking:	corner whose flat varyings count
 * @point_size:	binary32
 * @primitive:	number of the primitive
 * @depth_func:	1 less, 2 equal, 4 greater, and their sums
 * @depth:	Z image: the first component of its format
 * @ntargets:	colour targets
 * @target:	them
 * @blend:	a blend descriptor for each
 * @samples:	0, 1: one; 4, 8, 16, at the hardware's places: of all targets
 * @sample_mask: samples that may be covered; 0: all
 * @stencil:	stencil image; of its format the second component, or the only one
 * @stencil_side: front, back: words of the hardware's state: reference, mask, function and what
 *		becomes of values where the test fails, where depth fails, else
 * @stencil_write: bits that are written: front 0-7, back 8-15
 * @alpha_func:	as @depth_func
 * @alpha_ref:	binary32 that alpha is compared with
 * @sample_positions: what the program sees as their address
 * @blend_base:	Bifrost: upper half of the addresses of blend programs; lower half: 0
 */
struct mali_frag {
	u32 x;
	u32 y;
	u32 width;
	u32 height;
	u32 prim;
	u32 flags;
	u32 vertex[3][4];
	u32 index[3];
	u32 provoking;
	u32 point_size;
	u32 primitive;
	u32 depth_func;
	struct mali_target depth;
	u32 ntargets;
	struct mali_target target[MALI_MAX_TARGETS];
	struct mali_blend blend[MALI_MAX_TARGETS];
	u32 samples;
	u32 sample_mask;
	struct mali_target stencil;
	u32 stencil_side[2];
	u32 stencil_write;
	u32 alpha_func;
	u32 alpha_ref;
	u64 sample_positions;
	u64 blend_base;
};

/* ---- work ---- */

/* Switches; same bits as enum drm_vshader_mali_switch. */
#define MALI_SW_FUSED_FMA	0x1	/* Bifrost: FMA.f32 rounds once, as the hardware does */
#define MALI_SW_ALL		0x1

/**
 * struct mali_work - A launch of a program with all that it uses.
 * @gpu:	enum mali_gpu
 * @arch:	of the descriptors
 * @stage:	enum mali_stage
 * @switches:	MALI_SW_*
 * @local:	compute: threads of a workgroup
 * @groups:	compute: workgroups; vertex: 1, vertices, instances
 * @code:	program object's words, or NULL: the program is in memory
 * @ncode:	number of @code
 * @code_va:	where the program is in memory, multiple of 16; with @code: 0
 * @entry:	first instruction, bytes from the start of @code
 * @tag:	v4, v5: kind of the first bundle, 0: nobody says
 * @fp_mode:	v4, v5: as in struct mali_program
 * @work_regs:	v4, v5: registers from r0 on, 0: as many as the push uniforms leave
 * @preload:	MALI_PRELOAD_MASK: registers that are filled, others are undefined (they
 *		start as zeros here)
 * @message:	fragments of v7: messages that are preloaded, undecoded
 * @ubos:	uniform buffers
 * @nubos:	number of @ubos
 * @push:	push uniforms
 * @npush:	words of @push
 * @attrs:	attributes and images
 * @varyings:	vertex: outputs; fragment: inputs
 * @textures:	textures
 * @ntextures:	number of @textures
 * @samplers:	samplers
 * @nsamplers:	number of @samplers
 * @tls_va:	thread memory, for as many threads as fit in the extent
 * @tls_size:	bytes of a thread
 * @wls_va:	workgroup memory
 * @wls_size:	bytes of a workgroup
 * @wls_instances: workgroups that have some at @wls_va at the same time
 * @offset_start: added to vertex numbers of attributes that ask for it
 * @instance_size: padded vertices of an instance, at least 1
 * @position:	vertex: where positions go
 * @warp_limit:	vertex: at most 1 << n invocations run together, 0: no limit (a hint)
 * @frag:	fragment
 * @dbg:	debugger, or NULL
 *
 * What pointers point to must live as long as the launch.
 */
struct mali_work {
	u32 gpu;
	enum mali_arch arch;
	u32 stage;
	u32 switches;
	u32 local[3];
	u64 groups[3];
	const u32 *code;
	u32 ncode;
	u64 code_va;
	u32 entry;
	u32 tag;
	u32 fp_mode;
	u32 work_regs;
	u32 preload;
	u16 message[2];
	const struct mali_ubo *ubos;
	u32 nubos;
	const u32 *push;
	u32 npush;
	struct mali_attr_table attrs;
	struct mali_attr_table varyings;
	const struct mali_texture *textures;
	u32 ntextures;
	const struct mali_sampler *samplers;
	u32 nsamplers;
	u64 tls_va;
	u32 tls_size;
	u64 wls_va;
	u32 wls_size;
	u32 wls_instances;
	u32 offset_start;
	u32 instance_size;
	u64 position;
	u32 warp_limit;
	const struct mali_frag *frag;
	struct vs_dbg *dbg;
};

struct mali_run;

/* Most bytes of a program. */
#define MALI_MAX_CODE	0x100000U

/**
 * mali_run_new - a machine for works one after the other
 * @a: where it and everything that works need comes from; what is left of it is used by
 *	mali_run_begin() and given back by mali_run_end()
 * @map: address space
 *
 * Return: the machine, or NULL (arena).
 */
struct mali_run *mali_run_new(struct simt_arena *a, const struct vs_map *map);

/**
 * mali_run_begin - prepare a work
 * @r: machine
 * @w: work, copied; what it points to must stay
 * @fault: with -ENOEXEC: FETCH (the program cannot be read), ENCODING (pc: instruction,
 *	size: reason of the instruction set) or COMMAND (size: enum mali_run_reason)
 *
 * Return: 0, -ENOEXEC, -E2BIG (sizes), -ENOMEM (arena).
 */
int mali_run_begin(struct mali_run *r, const struct mali_work *w, struct vs_fault *fault);

/**
 * mali_run_prepare - mali_run_begin() in steps, where nothing may take long
 * @r: machine
 * @w: work, copied; what it points to must stay
 * @fault: as of mali_run_begin()
 *
 * Return: -EAGAIN: go on with mali_run_prepare_step(); else as mali_run_begin().
 */
int mali_run_prepare(struct mali_run *r, const struct mali_work *w, struct vs_fault *fault);
/* Return: -EAGAIN: call again; else as mali_run_begin(). */
int mali_run_prepare_step(struct mali_run *r, struct vs_fault *fault);

/**
 * mali_run_step - execute a slice
 * @r: machine with a work
 * @simd: executor
 * @slice: weight to execute at most, about
 * @used: weight executed
 *
 * Return: as simt_machine_run().
 */
enum simt_status mali_run_step(struct mali_run *r, enum vs_simd simd, u32 slice, u64 *used);
/* The machine that a work has been begun with. */
struct simt_machine *mali_run_machine(const struct mali_run *r);
/* Give back what the work took from the arena. */
void mali_run_end(struct mali_run *r);
/* Weight of preparation since it was asked for last: programs are compared or lowered. */
u32 mali_run_cost(struct mali_run *r);
const struct vs_fault *mali_run_fault(const struct mali_run *r);
/* Threads that have ended, of this work. */
u64 mali_run_threads(const struct mali_run *r);

/*
 * What a work asks for that is not executed, and what is wrong with it. Counted from
 * MALI_RUN_REASON, so that the reasons of job chains fit below.
 */
#define MALI_RUN_REASON	0x100

enum mali_run_reason {
	MALI_RUN_OK = MALI_RUN_REASON,
	MALI_RUN_BAD_GROUP,	/* too many threads in a workgroup, or none */
	MALI_RUN_BAD_MESSAGE,	/* preloaded message without meaning */
	MALI_RUN_BAD_INDEX,	/* no such texture, sampler, attribute, varying or target */
	MALI_RUN_BAD_FORMAT,	/* format that cannot be read or written like this */
	MALI_RUN_BAD_TEXOP,	/* texture operation without meaning */
	MALI_RUN_BAD_BLEND,	/* blending that is not executed: equation, kind */
	MALI_RUN_BAD_STAGE,	/* instruction of another kind of program */
	MALI_RUN_BAD_FRAGMENT,	/* rectangle, targets, depth */
	MALI_RUN_BAD_IMAGE,	/* image's buffer is none */
	MALI_RUN_LAST
};

const char *mali_run_reason_text(u32 reason);

#endif /* MALI_RUN_H */
