/* SPDX-License-Identifier: MIT */
/*
 * PICA200 jobs of job files, and their results.
 */
#ifndef VSHADER_JOBFILE_PICA_H
#define VSHADER_JOBFILE_PICA_H

#include "jobfile_isa.h"

struct jf_pica {
	uint32_t model;
	uint32_t switches;
	uint32_t floats[96][4];
	uint32_t num_floats;
	uint32_t float_format;
	uint8_t ints[4][4];
	uint32_t bools;
	uint32_t output_mask;
	uint32_t max_prims;
	struct jf_loc prims;
	struct jf_loc prim_info;
	bool has_prims;
	bool has_prim_info;
};

/** struct pica_results - outputs of jobs other than streams, for printing */
struct pica_results {
	uint8_t *draws;		/* of a native job */
	uint64_t draw_bytes;
	uint8_t *requests;	/* eight words each */
	uint64_t request_bytes;
	uint8_t *prims;		/* of the geometry stage */
	uint64_t prim_bytes;
	uint8_t *prim_info;
	uint64_t prim_info_bytes;
};

/* First word of each semantic of struct drm_vshader_pica_draw's vertices. */
extern const struct jf_name pica_semantics[];

/* jobfile_frame.c */
int pica_targets(struct runner *r, uint32_t n, const struct drm_vshader_native_job *job);

/* jobfile_gx.c: requests. */
int pica_parse_requests(struct jf_ctx *c, struct json_object *o, struct jf_native *n, uint32_t vm);
int pica_request_targets(struct runner *r, uint32_t n, const struct drm_vshader_native_job *job);
/* One of eight words as a line of @buf, of at least 256 bytes. Return: @buf. */
const char *pica_request_text(const uint32_t *w, char *buf, size_t size);

/* jobfile_expect.c, jobfile_check.c */
extern const struct jf_expect_kind pica_expects[];
int pica_keep(struct runner *r, uint32_t n, struct jf_outcome *o);

#endif /* VSHADER_JOBFILE_PICA_H */
