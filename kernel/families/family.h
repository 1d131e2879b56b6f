/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Families: how an ISA's shader jobs are submitted. The driver and the library's in-process
 * backend run the same code. A family knows neither of them.
 */
#ifndef VSHADER_FAMILY_H
#define VSHADER_FAMILY_H

#include "drm/vshader_drm.h"
#include "drm/vshader_drm_dump.h"

#include "debug/capture.h"
#include "engine/vs_job.h"
#include "isa/isa.h"
#include "native/native.h"

struct vshader_family;
struct vshader_shader;

/**
 * struct vshader_shader_ops - Access to the submitter.
 * @copy_struct: copy a structure of @src_size bytes to one of @dst_size: -EINVAL below
 *	@min_size, -E2BIG if the kernel's structure is shorter and the tail is not zero. @what
 *	names the structure in messages
 * @fail: report why a job is refused. Returns -@err
 */
struct vshader_shader_ops {
	int (*copy_struct)(void *dst, size_t dst_size, u64 src, size_t src_size, size_t min_size,
			   const char *what);
	int __printf(3, 4) (*fail)(const struct vshader_shader *s, int err, const char *fmt, ...);
};

/**
 * struct vshader_shader - A shader job at submit; lives for the call.
 * @ops: access to the submitter
 * @family: the ISA's family
 * @isa: engine of the queue
 * @prog: program; NULL: only check the descriptor, as far as possible without it
 * @map: address space; outlives the job
 * @va_limit: one past the highest address
 * @max_memory: bound for everything that the job allocates, bytes
 * @max_invocations: bound
 */
struct vshader_shader {
	const struct vshader_shader_ops *ops;
	const struct vshader_family *family;
	const struct vs_isa *isa;
	const struct vs_program *prog;
	const struct vs_map *map;
	u64 va_limit;
	u64 max_memory;
	u32 max_invocations;
};

/**
 * struct vshader_family - How shader jobs of an ISA are submitted, executed and dumped.
 * @name: for messages
 * @block_name: name of the engine block, for messages
 * @block_size: bytes of the engine block
 * @make: check the engine block and allocate everything that execution needs. *@work stays
 *	NULL if there is nothing to execute, on error, and without a program
 * @add: add the work's phase to an engine job with room for one
 * @free: free @work, after the engine job; NULL is valid
 * @capture: copy the engine block, and all that it refers to, for a dump; NULL: the block
 *	holds no pointers and is copied whole
 * @state_section: type of the dump section with the processors' states; 0: there are none
 * @state_size: bytes of one state, as in the uAPI
 * @max_states: number of processors
 * @get_states: states after a job of @work or @native, into @max_states elements. Returns the
 *	number of states. Neither sleeps nor allocates; NULL without @state_section
 * @strays: accesses without an effect, &drm_vshader_job_result.stray_reads; NULL: always 0.
 *	Neither sleeps nor allocates
 */
struct vshader_family {
	const char *name;
	const char *block_name;
	u32 block_size;
	int (*make)(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
		    void **work);
	int (*add)(void *work, struct vs_job *engine);
	void (*free)(void *work);
	int (*capture)(struct vshader_capturing *k, const struct drm_vshader_shader_job *d);
	u32 state_section;
	u32 state_size;
	u32 max_states;
	u32 (*get_states)(const void *work, const struct vs_native *native, void *out);
	u32 (*strays)(const void *work, const struct vs_native *native);
};

#define VS_ISA(NAME, number, isa, family) extern const struct vshader_family family;
#include "isa/isas.def"
#undef VS_ISA

/* Family of an ISA; never NULL for one that vs_isa_by_id() returns. */
const struct vshader_family *vshader_family_of(const struct vs_isa *isa);

/**
 * vshader_shader_make - check the descriptor and make the work of a shader job
 * @s: job
 * @d: its descriptor
 * @work: NULL on entry; work for the family, stays NULL if there is nothing to execute
 *
 * Return: 0 or an error that has been reported.
 */
int vshader_shader_make(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
			void **work);

/* Number of states, of which none are there without processors. See @get_states. */
static inline u32 vshader_family_states(const struct vshader_family *f, const void *work,
					const struct vs_native *native, void *out)
{
	return f->get_states ? f->get_states(work, native, out) : 0;
}

static inline u32 vshader_family_strays(const struct vshader_family *f, const void *work,
					const struct vs_native *native)
{
	return f->strays ? f->strays(work, native) : 0;
}

/* ---- for families; all return 0 or an error that has been reported ---- */

/* [@va, @va + @size) can be in the address space. */
int vshader_shader_check_va(const struct vshader_shader *s, u64 va, u64 size, const char *what);
/* Copy the engine block; @min_size is its size in version 1.0 of the uAPI. */
int vshader_shader_block(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
			 void *block, size_t min_size);
/* Copy an array; *@out is for vs_free(), NULL if the array is empty. */
int vshader_shader_array(const struct vshader_shader *s, const struct drm_vshader_obj_array *a,
			 u32 max, size_t size, size_t min_size, const char *what, void **out);
/* Report the error of a constructor that gives the name of the field at fault. */
int vshader_shader_refused(const struct vshader_shader *s, int err, const char *what);

#endif /* VSHADER_FAMILY_H */
