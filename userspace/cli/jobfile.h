/* SPDX-License-Identifier: MIT */
/*
 * Job files: JSON descriptions of programs, memory, jobs and expected results. Format:
 * Documentation/job-file.rst.
 */
#ifndef VSHADER_JOBFILE_H
#define VSHADER_JOBFILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jobfile_picture.h"
#include "vshader.h"

#define JF_NONE		(~0u)

/* Limits of a job file. */
#define JF_MAX_FILE	(64u << 20)	/* bytes of a job file or of a file it names */
#define JF_MAX_DATA	(256u << 20)	/* bytes of initial data, all regions together */
#define JF_MAX_REGION	0x40000000ull	/* bytes of one region */
#define JF_MAX_VALUES	(4u << 20)	/* expected values, all together */
#define JF_MAX_ITEMS	4096u		/* elements of any list of objects */

/** enum jf_type - element types of data and expectations */
enum jf_type { JF_U8, JF_U16, JF_U32, JF_F16, JF_F24, JF_F32, JF_NUM_TYPES };

/** enum jf_kind - notation of an expected value */
enum jf_kind {
	JF_ANY,		/* null: not compared */
	JF_NUMBER,	/* numeric comparison */
	JF_BITS,	/* bit for bit */
	JF_NAN,
	JF_INF,		/* infinity of either sign */
};

/** struct jf_value - value of a list */
struct jf_value {
	enum jf_kind kind;
	uint32_t bits;
	double num;
};

/** struct jf_values - values of one type */
struct jf_values {
	enum jf_type type;
	uint32_t count;
	struct jf_value *v;
};

/**
 * struct jf_loc - guest address
 * @region: region, or JF_NONE
 * @offset: byte in the region, or the address itself
 */
struct jf_loc {
	uint32_t region;
	uint64_t offset;
};

/**
 * struct jf_fixup - word that receives an address once memory is mapped
 * @word: index in the piece
 * @at: the address
 * @text: while parsing: text of the address
 * @path: while parsing: JSON path of the address
 */
struct jf_fixup {
	uint32_t word;
	struct jf_loc at;
	const char *text;
	const char *path;
};

/**
 * struct jf_piece - bytes at an offset of a region
 * @offset: where in the region
 * @data: bytes
 * @len: number of bytes at @data
 * @repeat: number of consecutive copies
 * @num_fixups: number of @fixups
 * @fixups: addresses in it
 */
struct jf_piece {
	uint64_t offset;
	uint8_t *data;
	uint64_t len;
	uint64_t repeat;
	uint32_t num_fixups;
	struct jf_fixup *fixups;
};

struct jf_vm {
	const char *name;
	uint32_t flags;
	uint64_t alloc_start;
};

struct jf_region {
	const char *name;
	const char *label;
	uint32_t vm;
	uint64_t va;
	uint64_t size;
	uint32_t bind_flags;
	uint32_t bo_flags;
	bool exclusive;
	bool map;
	uint32_t num_pieces;
	struct jf_piece *pieces;
};

struct vs_mbs1;

/** struct jf_code - code in memory; @bin and @source as of struct jf_program */
struct jf_code {
	struct vshader_binary *bin;
	const char *source;
};

/**
 * struct jf_program - program
 * @name: name
 * @engine: enum drm_vshader_engine
 * @stage: enum drm_vshader_stage
 * @words: each section; those of a container stay with it
 * @num_words: words of 32 bits in each section
 * @entries: entry points, instruction numbers
 * @num_entries: number of @entries
 * @bin: container that it is from, or NULL
 * @source: path of the file that @bin was assembled from, or NULL
 * @mbs: container of another format that it is from, or NULL
 * @bin_index: program in the container
 * @expect_reject: the program is expected to be rejected
 * @reject: expected position and reason, fields by @reject_mask
 * @reject_mask: JF_REJECT_*
 */
struct jf_program {
	const char *name;
	uint32_t engine;
	uint32_t stage;
	uint32_t *words[VSHADER_NUM_SECTIONS];
	uint32_t num_words[VSHADER_NUM_SECTIONS];
	uint32_t *entries;
	uint32_t num_entries;
	struct vshader_binary *bin;
	const char *source;
	struct vs_mbs1 *mbs;
	uint32_t bin_index;
	bool expect_reject;
	struct drm_vshader_reject reject;
	uint32_t reject_mask;
};

#define JF_REJECT_OFFSET	0x1
#define JF_REJECT_SECTION	0x2
#define JF_REJECT_REASON	0x4
#define JF_REJECT_FIELD		0x8
#define JF_REJECT_VALUE		0x10

struct jf_queue {
	const char *name;
	struct vshader_queue_params params;	/* .vm is an index here */
};

struct jf_syncobj {
	const char *name;
	bool signaled;
};

struct jf_sync {
	uint32_t sync;		/* index of struct jf_syncobj */
	uint32_t flags;
	uint64_t point;
};

struct jf_bind {
	uint32_t vm;
	uint32_t region;	/* JF_NONE: unmap */
	uint32_t flags;
	struct jf_loc at;
	uint64_t offset;
	uint64_t size;
};

struct jf_stream {
	const char *name;
	struct jf_loc at;
	uint32_t stride;
	uint32_t format;
	uint32_t reg;
	uint32_t components;
	uint32_t divisor;
};

/** struct jf_table - address and number of descriptors */
struct jf_table {
	struct jf_loc at;
	uint32_t count;
};

/** struct jf_raster - rectangle of fragments and the primitive that they are of */
struct jf_raster {
	uint32_t x;
	uint32_t y;
	uint32_t width;
	uint32_t height;
	uint32_t prim;
	uint32_t flags;
	uint32_t vertex[3][4];
	uint32_t index[3];
	uint32_t point_size;
};

struct jf_shader {
	uint32_t program;
	uint32_t entry;
	uint32_t first;
	uint32_t count;
	uint32_t instances;
	uint32_t index_type;
	struct jf_loc index;
	uint32_t num_attributes;
	struct jf_stream *attributes;
	uint32_t num_outputs;
	struct jf_stream *outputs;
	void *block;		/* of the program's ISA, see struct jf_isa; or NULL */
	const uint8_t *args;	/* submission arguments from a dump, or NULL */
	size_t args_size;
};

static inline uint64_t jf_invocations(const struct jf_shader *sh)
{
	return (uint64_t)sh->count * (sh->instances ? sh->instances : 1);
}

struct jf_native {
	uint32_t format;
	uint32_t flags;
	struct jf_loc at;
	uint64_t size;
	struct jf_loc output;
	uint64_t output_size;
	uint32_t model;
	uint32_t switches;
	uint64_t memory;
};

/** enum jf_expect_type - kinds of expectations */
enum jf_expect_type {
	JF_EXPECT_MEMORY,	/* values at an address */
	JF_EXPECT_STATUS,	/* end status of the job */
	JF_EXPECT_FAULT,	/* fault record */
	JF_EXPECT_SUBMIT,	/* errno of the submission */
	JF_EXPECT_INVOCATIONS,	/* invocations completed */
	JF_EXPECT_IMAGE,	/* memory, byte for byte */
	JF_EXPECT_ISA,		/* of one ISA: see @check */
};

#define JF_FAULT_ADDRESS	0x01
#define JF_FAULT_PC		0x02
#define JF_FAULT_SIZE		0x04
#define JF_FAULT_INVOCATION	0x08
#define JF_FAULT_DRAW		0x10
#define JF_FAULT_STREAM		0x20
#define JF_FAULT_INFO		0x40
#define JF_FAULT_CODE		0x80

struct runner;
struct jf_outcome;

/**
 * struct jf_expect - one expectation
 * @type: kind
 * @name: for reports
 * @at: MEMORY: address of the first group
 * @stride: MEMORY: bytes between groups of values; 0: packed
 * @group: MEMORY: values per group
 * @values: MEMORY: expected values
 * @abs_tol: MEMORY: difference that is accepted
 * @rel_tol: MEMORY: difference that is accepted, as a fraction of the expected value
 * @ulp_tol: MEMORY: difference that is accepted, units in the last place
 * @status: STATUS and SUBMIT: 0 or a negative errno
 * @number: INVOCATIONS: count
 * @mask: FAULT: fields to compare, JF_FAULT_*; ISA: the ISA's
 * @fault: FAULT: expected fields
 * @check: ISA: checks the expectation
 * @own: ISA: the ISA's data for @check
 * @max_checks: ISA: checks that @check may make beyond ten
 * @runs: IMAGE: bytes by address
 * @num_runs: IMAGE: elements at @runs
 */
struct jf_expect {
	enum jf_expect_type type;
	const char *name;
	struct jf_loc at;
	uint32_t stride;
	uint32_t group;
	struct jf_values values;
	double abs_tol;
	double rel_tol;
	uint32_t ulp_tol;
	int status;
	uint64_t number;
	uint32_t mask;
	struct drm_vshader_fault fault;
	int (*check)(struct runner *r, uint32_t n, struct jf_outcome *o,
		     const struct jf_expect *e);
	const void *own;
	uint32_t max_checks;
	const struct vshader_image_run *runs;
	uint32_t num_runs;
};

/**
 * struct jf_output - memory to be kept when the jobs have ended
 * @name: name
 * @vm: address space of @at
 * @at: where
 * @size: bytes
 * @image: @picture is its arrangement
 * @wanted: it is to be kept
 * @picture: of an image
 */
struct jf_output {
	const char *name;
	uint32_t vm;
	struct jf_loc at;
	uint64_t size;
	bool image;
	bool wanted;
	struct jf_picture picture;
};

struct jf_job {
	const char *name;
	uint32_t queue;		/* JF_NONE: a private queue */
	struct jf_queue own;	/* in that case */
	uint32_t type;
	uint32_t flags;
	bool with_previous;
	bool async;
	bool no_result;
	bool has_result_at;
	struct jf_loc result_at;
	struct jf_shader shader;
	struct jf_native native;
	uint32_t num_syncs;
	struct jf_sync *syncs;
	uint32_t num_binds;
	struct jf_bind *binds;
	uint32_t num_expects;
	struct jf_expect *expects;
};

/* Names for reports. */
static inline const char *jf_program_name(const struct jf_program *p)
{
	return p->name ? p->name : "program";
}

static inline const char *jf_job_name(const struct jf_job *j)
{
	return j->name ? j->name : "job";
}

struct jf_block;

/** struct vshader_jobfile - parsed job file */
struct vshader_jobfile {
	const char *name;
	const char *description;
	uint32_t engine;
	uint32_t num_vms;
	struct jf_vm *vms;
	uint32_t num_regions;
	uint32_t max_regions;
	struct jf_region *regions;
	uint32_t num_programs;
	struct jf_program *programs;
	uint32_t num_codes;
	struct jf_code *codes;
	uint32_t num_queues;
	struct jf_queue *queues;
	uint32_t num_syncobjs;
	struct jf_syncobj *syncobjs;
	uint32_t num_jobs;
	struct jf_job *jobs;
	uint32_t num_outputs;
	struct jf_output *outputs;
	bool want_targets;	/* keep what frames draw */
	bool want_writes;	/* keep what jobs change in regions */
	atomic_uint *jobs_done;	/* counted while they run, or NULL */
	struct jf_block *blocks;
};

#define VSHADER_JOBFILE_NO_FILES	0x1	/* refuse to open other files */

/**
 * vshader_jobfile_parse - parse a job file
 * @buf: text; need not be zero terminated
 * @len: bytes at @buf
 * @name: name of the file; relative file names in it are relative to its folder
 * @flags: VSHADER_JOBFILE_*
 * @out: the job file
 * @err: buffer for an error message with the location in the file
 * @err_size: bytes at @err
 *
 * Return: 0, -EINVAL with a message at @err, or -ENOMEM.
 */
int vshader_jobfile_parse(const char *buf, size_t len, const char *name, unsigned int flags,
			  struct vshader_jobfile **out, char *err, size_t err_size);

/**
 * vshader_jobfile_load - read and parse a job file
 * @path: the file
 * @out: the job file
 * @err: buffer for an error message
 * @err_size: bytes at @err
 *
 * Return: 0 or a negative errno with a message at @err.
 */
int vshader_jobfile_load(const char *path, struct vshader_jobfile **out, char *err,
			 size_t err_size);

/**
 * vshader_jobfile_free - free a job file
 * @jf: job file, or NULL
 */
void vshader_jobfile_free(struct vshader_jobfile *jf);

/* ---- running ---- */

/** struct jf_check - expectation that was checked */
struct jf_check {
	bool pass;
	char *text;		/* compared value; with the difference on failure */
};

/**
 * struct jf_write - range of a region that a job changed
 * @name: of the region, or NULL
 * @va: address of the range, which begins at a multiple of 16 of the region
 * @offset: the same, from the start of the region
 * @size: bytes, up to the end of the last word that changed
 * @changed: bytes that changed
 * @data: the first bytes of the range
 * @kept: how many
 */
struct jf_write {
	const char *name;
	uint64_t va;
	uint64_t offset;
	uint64_t size;
	uint64_t changed;
	uint8_t *data;
	uint64_t kept;
};

/** struct jf_outcome - outcome of a program or job */
struct jf_outcome {
	const char *name;
	bool is_program;
	bool ran;		/* job was submitted and ended */
	int submit;		/* errno of program creation or submission */
	char *message;		/* error text, fault text or verifier log */
	struct drm_vshader_job_result result;
	void *states;		/* of processors at a fault, see struct jf_isa; or NULL */
	uint64_t latency_ns;	/* creation, or submission to completion, as seen by the caller */
	uint32_t num_checks;
	uint32_t num_failed;
	struct jf_check *checks;
	uint32_t num_streams;
	uint8_t **streams;	/* contents of the output streams, for printing */
	uint64_t *stream_bytes;
	void *results;		/* other results, see struct jf_isa; or NULL */
	uint32_t num_writes;	/* if @want_writes is set in the job file */
	struct jf_write *writes;
};

/**
 * struct jf_target - image that a job drew, found from its descriptors
 * @name: "JOB.TARGET", the job's name or number
 * @picture: arrangement
 * @size: bytes
 * @data: contents
 */
struct jf_target {
	const char *name;
	struct jf_picture picture;
	uint64_t size;
	uint8_t *data;
};

/** struct vshader_run - results of a job file */
struct vshader_run {
	uint32_t num_outcomes;	/* programs, then jobs */
	struct jf_outcome *outcomes;
	uint32_t num_checks;
	uint32_t num_failed;
	uint32_t num_files;
	uint8_t **files;	/* bytes of each output of the job file; NULL: not there */
	uint32_t num_targets;	/* if @want_targets is set in the job file */
	struct jf_target *targets;
	uint64_t writes_bytes;	/* memory that is too large for @want_writes, or 0 */
	struct jf_block *blocks;
};

/**
 * vshader_jobfile_want - keep memory that the jobs of a file write
 * @jf: job file
 * @name: image, region, output stream (also as "JOB.STREAM"), or an image described by
 *	"PLACE:WIDTHxHEIGHT[:FORMAT[:STRIDE]]"
 * @image: only images
 * @index: index in @jf->outputs, and of the bytes in the files of struct vshader_run;
 *	JF_NONE: a target, if a frame has one of this name, see struct jf_target
 * @err: buffer for an error message
 * @err_size: bytes at @err
 *
 * Return: 0, -EINVAL with a message at @err, or -ENOMEM.
 */
int vshader_jobfile_want(struct vshader_jobfile *jf, const char *name, bool image, uint32_t *index,
			 char *err, size_t err_size);

/* vshader_fault_text(), and of @native jobs the draw. */
const char *jf_fault_text(const struct drm_vshader_fault *fault, bool native, char *text,
			  size_t size);
/**
 * vshader_jobfile_run - run the jobs of a file and check the expectations
 * @jf: job file
 * @dev: device
 * @out: results, also when expectations failed
 * @err: buffer for an error message
 * @err_size: bytes at @err
 *
 * Return: 0, or a negative errno with a message at @err if the file could not be
 * set up or run.
 */
int vshader_jobfile_run(const struct vshader_jobfile *jf, struct vshader_device *dev,
			struct vshader_run **out, char *err, size_t err_size);

/**
 * vshader_run_free - free results
 * @run: results, or NULL
 */
void vshader_run_free(struct vshader_run *run);

/* ---- number formats ---- */

extern const char * const jf_type_names[JF_NUM_TYPES];
unsigned int jf_type_bytes(enum jf_type type);
/* Nearest even for F16 and F32; F24 is cut off as assemblers do. */
uint32_t jf_encode(enum jf_type type, double num);
double jf_decode(enum jf_type type, uint32_t bits);
uint32_t jf_load(enum jf_type type, const void *p);
void jf_store(enum jf_type type, uint32_t bits, void *p);
bool jf_match(const struct jf_values *want, uint32_t n, uint32_t bits, const struct jf_expect *tol);

#endif /* VSHADER_JOBFILE_H */
