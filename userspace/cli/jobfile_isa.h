/* SPDX-License-Identifier: MIT */
/*
 * The part that instruction sets have in job files, see userspace/families. The shared files
 * name no instruction set.
 */
#ifndef VSHADER_JOBFILE_ISA_H
#define VSHADER_JOBFILE_ISA_H

#include "jobfile_run.h"

struct vshader_dump;

/**
 * struct jf_expect_kind - expectation specific to an ISA
 * @key: JSON member that identifies it
 * @parse: fills @e, including @e->check
 */
struct jf_expect_kind {
	const char *key;
	int (*parse)(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
		     struct jf_expect *e);
};

/** enum jf_vertices - members of shader jobs for vertices */
enum jf_vertices {
	JF_NO_VERTICES,
	JF_ATTRIBUTES,	/* "attributes" only */
	JF_VERTICES,	/* all */
};

/**
 * struct jf_isa - instruction set in job files
 * @block: member of jobs that describes the engine block
 * @block_size: bytes of the engine block
 * @parse: reads the member into @job->shader.block; @o is the job
 * @make: creates the engine block once addresses are known; NULL without memory
 * @vertices: vertex members that a job has
 * @sections: dump sections with submission arguments, terminated by 0
 * @load: completes the engine block @block from the sections; NULL: nothing to complete
 * @models: names of numeric models
 * @switches: names of switches, or NULL
 * @clock: switch with which native jobs read the time, or 0
 * @stage: default shader stage
 * @any_stage: the assembly language does not specify the stage either
 * @draws: faults in programs of native jobs have the number of a draw, or ~0
 * @alloc_start: default start of address spaces
 * @native: name of the native format
 * @format: enum drm_vshader_native_format
 * @more_natives: further formats and their names, or NULL
 * @parse_native: reads the members of a native job; @n->format is known
 * @expects: ISA-specific expectations, terminated by a NULL key; NULL: none
 * @read_states: reads the processors' states after a fault to @o->states and as lines to
 *	@text.
 *	Return: 0 or a negative errno; NULL: none
 * @targets: calls run_add_target() for each image that the native job @n draws. Return: 0 or
 *	-ENOMEM; NULL: none
 * @shader_targets: the same for the shader job @n; NULL: none
 * @keep: copies the job's output to @o->results for printing. Return: 0 or after
 *	run_error(); NULL: jobs write streams only
 */
struct jf_isa {
	const char *block;
	uint32_t block_size;
	int (*parse)(struct jf_ctx *c, struct json_object *o, struct jf_job *job, uint32_t vm);
	void *(*make)(struct runner *r, const struct jf_shader *sh);
	enum jf_vertices vertices;
	const uint32_t *sections;
	int (*load)(struct runner *r, const struct vshader_dump *d, void *block);
	const struct jf_name *models;
	const struct jf_name *switches;
	uint32_t clock;
	uint32_t stage;
	bool any_stage;
	bool draws;
	uint64_t alloc_start;
	const char *native;
	const struct jf_name *more_natives;
	uint32_t format;
	int (*parse_native)(struct jf_ctx *c, struct json_object *o, struct jf_native *n,
			    uint32_t vm);
	const struct jf_expect_kind *expects;
	int (*read_states)(struct runner *r, uint32_t n, struct jf_outcome *o, char *text,
			   size_t size);
	int (*targets)(struct runner *r, uint32_t n, const struct drm_vshader_native_job *job);
	int (*shader_targets)(struct runner *r, uint32_t n);
	int (*keep)(struct runner *r, uint32_t n, struct jf_outcome *o);
};

#define JF_MAX_ISAS	8

#define VS_ISA(NAME, number, isa, family) extern const struct jf_isa jf_##isa;
#include "isa/isas.def"
#undef VS_ISA

/* Never NULL: an unknown engine has a structure of zeros. */
const struct jf_isa *jf_isa_of(uint32_t engine);
/* Of a job's program or native format. */
const struct jf_isa *jf_isa_of_job(const struct vshader_jobfile *jf, const struct jf_job *job);
/* Engine that takes a native format; JF_MAX_ISAS: none. */
uint32_t jf_native_engine(uint32_t format);
/* The member @key of @o, which names an engine or a native format. */
int jf_engine(struct jf_ctx *c, struct json_object *o, const char *key, uint32_t *engine);
int jf_native_format(struct jf_ctx *c, struct json_object *o, const char *key, uint32_t *format);
/* 32-bit words of an instruction; steps of counters of instructions; bits of addresses. */
uint32_t jf_insn_words(uint32_t engine);
uint32_t jf_pc_unit(uint32_t engine);
uint32_t jf_va_bits(uint32_t engine);

/* ---- for instruction sets ---- */

/* jobfile_job.c: members of native formats that are lists of commands, without and with "at". */
int jf_parse_list(struct jf_ctx *c, struct json_object *o, struct jf_native *n);
int jf_parse_list_at(struct jf_ctx *c, struct json_object *o, struct jf_native *n);
/* Of formats that are read from memory when they run; @switches may be NULL. */
int jf_parse_in_memory(struct jf_ctx *c, struct json_object *o, const char * const *keys,
		       const struct jf_name *gpus, const struct jf_name *switches,
		       struct jf_native *n);

/* jobfile_expect.c: members of the list of values of an expectation. */
#define JF_VALUE_KEYS "u8", "u16", "u32", "f16", "f24", "f32", "abs", "rel", "ulp"
int jf_parse_expected(struct jf_ctx *c, struct json_object *o, bool required,
		      struct jf_expect *e);

/* jobfile_args.c: all elements of a dump section. */
int run_load_array(struct runner *r, const struct vshader_dump *d, uint32_t type, size_t size,
		   struct drm_vshader_obj_array *out);
int run_load_streams(struct runner *r, const struct vshader_dump *d, uint32_t type,
		     struct drm_vshader_obj_array *out);
/* The streams of @v. */
int run_load_vertices(struct runner *r, const struct vshader_dump *d,
		      struct drm_vshader_vertices *v);
void *run_load_one(struct runner *r, const struct vshader_dump *d, uint32_t type, size_t size);

/* jobfile_check.c */
int run_add_check(struct runner *r, struct jf_outcome *o, bool pass, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
int run_check_field(struct runner *r, struct jf_outcome *o, bool named, const char *name,
		    uint64_t got, uint64_t want);
int run_check_values(struct runner *r, struct jf_outcome *o, const struct jf_expect *e,
		     const char *name, const uint8_t *p, uint64_t size);
/* Copy guest memory; *@kept bytes of it, 0 if it is not there or there is too much. */
int run_keep(struct runner *r, uint32_t vm, const struct jf_loc *at, uint64_t size, uint8_t **out,
	     uint64_t *kept);

#endif /* VSHADER_JOBFILE_ISA_H */
