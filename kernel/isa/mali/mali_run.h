/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Launches of works for Mali GPUs on the SIMT machine, with resources decoded from their
 * descriptors. Shared by job chains and shader jobs.
 */
#ifndef MALI_RUN_H
#define MALI_RUN_H

#include "../../engine/simt/simt.h"
#include "mali_frag.h"
#include "mali_res.h"

/* GPU models of jobs. Same numbers as enum bi_gpu, followed by those of enum mg_gpu. */
enum mali_gpu { MALI_G71, MALI_G72, MALI_G31, MALI_G52, MALI_T760, MALI_T860, MALI_NUM_GPUS };

static inline bool mali_gpu_is_midgard(u32 gpu)
{
	return gpu == MALI_T760 || gpu == MALI_T860;
}

/* Descriptor formats of a GPU; MALI_NUM_ARCH if there is no such GPU. */
enum mali_arch mali_gpu_arch(u32 gpu);

enum mali_stage { MALI_STAGE_COMPUTE, MALI_STAGE_VERTEX, MALI_STAGE_FRAGMENT,
		  MALI_NUM_STAGES };

/* Registers that may be preloaded: bit n of mali_work.preload is register 48 + n. */
#define MALI_PRELOAD_MASK	0x7fc0U

/* ---- work ---- */

/* Switches; same bits as enum drm_vshader_mali_switch. */
#define MALI_SW_FUSED_FMA	0x1	/* Bifrost: FMA.f32 rounds once, as the hardware does */
#define MALI_SW_CLOCK		0x2	/* chains: WRITE_VALUE jobs write the time */
#define MALI_SW_ALL		0x1	/* of a program */
#define MALI_SW_CHAIN		(MALI_SW_ALL | MALI_SW_CLOCK)

/**
 * struct mali_work - launch of a program with all its resources
 * @gpu:	enum mali_gpu
 * @arch:	descriptor formats
 * @stage:	enum mali_stage
 * @switches:	MALI_SW_*
 * @local:	compute: threads of a workgroup
 * @groups:	compute: workgroups; vertex: 1, vertices, instances
 * @code:	program object's words, or NULL: the program is in memory
 * @ncode:	number of @code
 * @code_va:	guest address of the program, multiple of 16; with @code: 0
 * @entry:	first instruction, bytes from the start of @code
 * @tag:	v4, v5: tag of the first bundle, 0: not announced
 * @fp_mode:	v4, v5: as in struct mali_program
 * @work_regs:	v4, v5: registers from r0 on, 0: all that the push uniforms leave
 * @preload:	MALI_PRELOAD_MASK: registers that are preloaded; others are undefined (they
 *		start as zeros here)
 * @message:	fragments of v7: preloaded messages, undecoded
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
 * @tls_va:	thread memory, for as many threads as the mapping has room for
 * @tls_size:	bytes per thread
 * @wls_va:	workgroup memory
 * @wls_size:	bytes per workgroup
 * @wls_instances: workgroups with memory at @wls_va at the same time
 * @offset_start: added to vertex numbers of attributes that request it
 * @instance_size: padded vertices of an instance, at least 1
 * @position:	vertex: address of positions
 * @warp_limit:	vertex: at most 1 << n invocations run together, 0: no limit (a hint)
 * @frag:	fragment
 * @dbg:	debugger, or NULL
 *
 * All pointers must stay valid until the end of the launch.
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
	const struct tx_texture *textures;
	u32 ntextures;
	const struct tx_sampler *samplers;
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
	struct vs_debug *dbg;
};

struct mali_run;

/* Maximum size of a program in bytes. */
#define MALI_MAX_CODE	0x100000U

/**
 * mali_run_new - create a machine for consecutive works
 * @a: memory of the machine; works use the rest of the arena, and mali_run_end() releases that
 *	part
 * @map: address space
 *
 * Return: the machine, or NULL (arena).
 */
struct mali_run *mali_run_new(struct simt_arena *a, const struct vs_map *map);

/**
 * mali_run_prepare - begin to prepare a work
 * @r: machine
 * @w: work, copied; its pointers must stay valid until mali_run_end()
 * @fault: with -ENOEXEC: FETCH (the program cannot be read), ENCODING (pc: instruction,
 *	code: reason of the instruction set) or COMMAND (code: enum mali_run_reason)
 *
 * Return: -EAGAIN: continue with mali_run_prepare_step(); else -ENOEXEC.
 */
int mali_run_prepare(struct mali_run *r, const struct mali_work *w, struct vs_fault *fault);
/* Return: 0: launched; -EAGAIN: call again; -ENOEXEC, -E2BIG (sizes), -ENOMEM (arena). */
int mali_run_prepare_step(struct mali_run *r, struct vs_fault *fault);

/* Machine of the current work. */
struct simt_machine *mali_run_machine(const struct mali_run *r);
/* May the current work's program write memory? */
bool mali_run_stores(const struct mali_run *r);

/**
 * struct mali_copy - what a program copies texels with
 * @varying:	index of the coordinates
 * @texture:	index of the texture
 * @sampler:	index of the sampler
 */
struct mali_copy {
	u32 varying;
	u32 texture;
	u32 sampler;
};

/*
 * Does the program of the last work do nothing but copy a texel to target 0? Midgard only; false
 * with a debugger. The texture's and the sampler's state count, too.
 */
bool mali_run_copies(const struct mali_run *r, struct mali_copy *c);
/* Release the work's memory in the arena. */
void mali_run_end(struct mali_run *r);
/* Cost of preparations (comparing and lowering programs) since the previous call. */
u32 mali_run_cost(struct mali_run *r);

/*
 * Unsupported or invalid works. Starts at MALI_RUN_REASON, so that the reasons of job chains fit
 * below.
 */
#define MALI_RUN_REASON	0x100

enum mali_run_reason {
	MALI_RUN_OK = MALI_RUN_REASON,
	MALI_RUN_BAD_GROUP,	/* too many threads in a workgroup, or none */
	MALI_RUN_BAD_MESSAGE,	/* undefined preloaded message */
	MALI_RUN_BAD_INDEX,	/* no such texture, sampler, attribute, varying or target */
	MALI_RUN_BAD_FORMAT,	/* format that cannot be read or written here */
	MALI_RUN_BAD_TEXOP,	/* undefined texture operation */
	MALI_RUN_BAD_BLEND,	/* unsupported blend equation or kind */
	MALI_RUN_BAD_STAGE,	/* instruction of another stage */
	MALI_RUN_BAD_FRAGMENT,	/* rectangle, targets, depth */
	MALI_RUN_BAD_IMAGE,	/* the image's buffer is not an image */
	MALI_RUN_LAST
};

const char *mali_run_reason_text(u32 reason);

#endif /* MALI_RUN_H */
