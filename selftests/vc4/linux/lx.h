/* SPDX-License-Identifier: GPL-2.0 */
/* Linux's validation as a library, which test_vc4_linux loads. */
#ifndef SELFTESTS_VC4_LX_H
#define SELFTESTS_VC4_LX_H

#include <stdbool.h>
#include <stdint.h>

#define LX_OOPS		1	/* Linux dereferences NULL, or a BUG_ON() is true */

/**
 * struct lx_lookup - Texture lookup of a program.
 * @p:		parameters
 * @direct:	direct, as Linux sees it
 */
struct lx_lookup {
	uint32_t p[4];
	bool direct;
};

/**
 * struct lx_shader - Validated program.
 * @uniform_bytes:	uniforms
 * @nlookups:		number of @lookup
 * @nresets:		number of @reset
 * @threaded:		has thread switches
 * @lookup:		lookups
 * @reset:		slots for the uniforms' address
 * @own:		Linux's structure
 */
struct lx_shader {
	uint32_t uniform_bytes;
	uint32_t nlookups;
	uint32_t nresets;
	bool threaded;
	struct lx_lookup *lookup;
	uint32_t *reset;
	void *own;
};

/**
 * struct lx_bo - Buffer object.
 * @bytes:	size
 * @va:		address
 * @shader:	program, or NULL
 * @seqno:	last job that writes it
 */
struct lx_bo {
	uint32_t bytes;
	uint32_t va;
	const struct lx_shader *shader;
	uint64_t seqno;
};

/**
 * struct lx_job - Job.
 * @bo:		buffer objects, and one more that is not the job's
 * @nbos:	their number without that
 * @list:	bin list; it and the next two have room after them
 * @records:	shader records
 * @uniforms:	uniforms
 * @out:	list, records and uniforms, with room after them
 * @va:		address of @out
 * @slot_va:	binner memory
 * @slot_bytes:	its size
 * @args:	struct drm_vc4_submit_cl
 * @start:	result, as the next ones
 * @end:	end of the list
 * @tile_lists:	first tile's list
 * @bin_seqno:	job that binning waits for
 * @tiles_x:	tiles
 * @tiles_y:	"
 * @rcl:	render list, valid until the next job
 * @rcl_bytes:	its size
 * @step:	of the failure: 0 list, 1 records, 2 frame
 */
struct lx_job {
	const struct lx_bo *bo;
	uint32_t nbos;
	void *list;
	void *records;
	void *uniforms;
	void *out;
	uint32_t va;
	uint32_t slot_va;
	uint32_t slot_bytes;
	void *args;
	uint32_t start;
	uint32_t end;
	uint32_t tile_lists;
	uint64_t bin_seqno;
	uint32_t tiles_x;
	uint32_t tiles_y;
	const uint8_t *rcl;
	uint32_t rcl_bytes;
	int step;
};

/* @words: with 64 bytes of zeros after them. Return: 0 or -EINVAL. */
typedef int lx_validate_shader(uint64_t *words, uint32_t bytes, struct lx_shader *out);
typedef void lx_shader_done(struct lx_shader *s);
/* Return: 0, -EINVAL or LX_OOPS. */
typedef int lx_validate_job(struct lx_job *j);

#endif /* SELFTESTS_VC4_LX_H */
