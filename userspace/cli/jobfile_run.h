/* SPDX-License-Identifier: MIT */
/*
 * Running job files: state shared by submission and checking.
 */
#ifndef VSHADER_JOBFILE_RUN_H
#define VSHADER_JOBFILE_RUN_H

#include "jobfile_json.h"

/* Copies kept for printing are cut off here, each and all together. */
#define JF_MAX_PRINT	1048576u
#define JF_MAX_WRITE	65536u
#define JF_MAX_PRINTS	(64ull * JF_MAX_PRINT)

/** struct run_region - memory of a region */
struct run_region {
	struct vshader_bo *bo;
	uint8_t *ptr;
	uint64_t va;
};

/** struct run_mapping - mapping of a VM range; later entries override earlier ones */
struct run_mapping {
	uint32_t vm;
	uint32_t region;	/* JF_NONE: nothing */
	uint64_t va;
	uint64_t size;
	uint64_t offset;
};

/** struct run_job - job that was submitted */
struct run_job {
	uint32_t queue;
	bool own_queue;
	uint32_t sync;
	uint32_t vm;
	uint64_t submitted_ns;
	struct drm_vshader_fault fault;	/* of a failed submission */
};

struct runner {
	const struct vshader_jobfile *jf;
	struct vshader_device *dev;
	struct vshader_run *run;
	char *err;
	size_t err_size;
	uint32_t *vms;
	struct run_region *regions;
	struct run_region *results;	/* per VM: result records of all jobs */
	uint32_t *programs;		/* ids, 0 if rejected */
	uint32_t *queues;
	uint32_t *syncobjs;
	struct run_job *jobs;
	struct run_mapping *mappings;
	uint32_t num_mappings;
	uint32_t max_mappings;
	uint64_t print_left;
	uint8_t **before;		/* contents of regions, for what jobs write; or NULL */
	bool debug;			/* jobs are debugged, see jobfile_step.h */
};

/* Set the message from a text, then ": " and the library's error. Return: @ret. */
int run_error(struct runner *r, int ret, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Host pointer of guest memory, NULL if it is not (all) there. */
const uint8_t *run_ptr(const struct runner *r, uint32_t vm, const struct jf_loc *at, uint64_t size);
uint64_t run_va(const struct runner *r, const struct jf_loc *at);

uint64_t run_now_ns(void);
/* Create all objects that jobs need. Call run_end() after errors, too. */
int run_begin(struct runner *r);
/* Sum up the checks of the jobs that have ended. */
void run_count(struct vshader_run *run);
/* Tear down. Return: the results with their checks counted, NULL if it @failed. */
struct vshader_run *run_end(struct runner *r, bool failed);
/* Binds and queue of a job. */
int run_prepare_job(struct runner *r, uint32_t n);
/* Fill in the descriptor. Return: 0 or -ENOMEM. */
int run_make_job(struct runner *r, uint32_t n, struct drm_vshader_job *job);
/* Results and checks of a job that has ended. */
int run_conclude_job(struct runner *r, uint32_t n);
/* Jobs @first to @first + @n - 1 were refused, because of @failed of them. */
int run_refuse_batch(struct runner *r, uint32_t first, uint32_t n, int err, uint32_t failed,
		     const struct drm_vshader_fault *fault);

/* Vertices of a job, once addresses are known. Return: false: no memory. */
bool run_make_vertices(struct runner *r, const struct jf_shader *sh,
		       struct drm_vshader_vertices *v);

/* jobfile_args.c */
int run_make_args(struct runner *r, const struct jf_shader *sh, struct drm_vshader_job *job);

/* jobfile_output.c: bytes of the outputs that are wanted, targets of frames. */
int run_keep_files(struct runner *r);
/* Keep the image at @va, which job @n drew. Return: 0 or -ENOMEM. */
int run_add_target(struct runner *r, uint32_t n, const char *name, uint64_t va,
		   const struct jf_picture *p);

/* jobfile_writes.c: ranges of regions that jobs change. Return: 0 or -ENOMEM. */
int run_watch_writes(struct runner *r);
int run_keep_writes(struct runner *r, uint32_t n, struct jf_outcome *o);
void run_forget_writes(struct runner *r);

/* jobfile_check.c */
int run_check_program(struct runner *r, const struct jf_program *p, struct jf_outcome *o,
		      const struct drm_vshader_reject *reject);
/* After a failed submission, or when the job has ended. */
int run_check_job(struct runner *r, uint32_t n, struct jf_outcome *o);
/* Copies of outputs for printing. */
int run_keep_outputs(struct runner *r, uint32_t n, struct jf_outcome *o);

#endif /* VSHADER_JOBFILE_RUN_H */
