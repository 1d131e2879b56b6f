/* SPDX-License-Identifier: GPL-2.0 */
/* Handmade job chains. */
#ifndef SELFTESTS_MALI_IMAGE_H
#define SELFTESTS_MALI_IMAGE_H

#include "walked.h"

#define IMAGE_VA	0x10000ULL
#define IMAGE_SIZE	0x10000

/* Layout of image_compute(). */
#define AT_JOB		0x0
#define AT_STATE	0x200
#define AT_STORAGE	0x240
#define AT_UBOS		0x280
#define AT_PUSH		0x2c0
#define AT_ATTRS	0x300
#define AT_BUFS		0x340
#define AT_TEXTURES	0x400
#define AT_SAMPLERS	0x440
#define AT_SURFACES	0x480
#define AT_CODE		0x800

/**
 * struct image - Memory with a chain in it.
 * @arch:	descriptor formats
 * @bytes:	contents at IMAGE_VA
 * @ext:	extent
 * @map:	map of @ext
 */
struct image {
	enum mali_arch arch;
	u8 *bytes;
	struct vs_extent ext;
	struct vs_map map;
};

void image_new(struct image *im, enum mali_arch arch);
void image_free(struct image *im);
void image_w32(struct image *im, u32 at, u32 v);
void image_w64(struct image *im, u32 at, u64 v);
u32 image_r32(const struct image *im, u32 at);
/* Header; @next: offset or 0. */
void image_job(struct image *im, u32 at, u32 type, u32 index, u32 dep1, u32 dep2, u32 next);
/*
 * A COMPUTE job at AT_JOB, groups of 4 x 2 x 1, 3 x 5 x 7 of them, with a buffer, pushed
 * words, an attribute of each kind, an array texture of two levels and a sampler.
 */
void image_compute(struct image *im);
/* Read the chain at AT_JOB. */
int image_parse(struct image *im, struct walked *c, struct mali_reject *why);

/* Number of allocations before one fails; -1: none fails. */
extern int fail_after;

#endif
