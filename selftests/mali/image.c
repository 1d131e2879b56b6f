// SPDX-License-Identifier: GPL-2.0
/* Handmade job chains. */
#include "image.h"

void image_new(struct image *im, enum mali_arch arch)
{
	im->arch = arch;
	im->bytes = calloc(1, IMAGE_SIZE);
	if (!im->bytes)
		abort();
	im->ext = (struct vs_extent){ IMAGE_VA, IMAGE_VA + IMAGE_SIZE, im->bytes,
				      VS_EXT_WRITE | VS_EXT_EXEC };
	im->map = (struct vs_map){ 1, &im->ext };
}

void image_free(struct image *im)
{
	free(im->bytes);
}

void image_w32(struct image *im, u32 at, u32 v)
{
	memcpy(im->bytes + at, &v, sizeof(v));
}

void image_w64(struct image *im, u32 at, u64 v)
{
	memcpy(im->bytes + at, &v, sizeof(v));
}

u32 image_r32(const struct image *im, u32 at)
{
	u32 v;

	memcpy(&v, im->bytes + at, sizeof(v));
	return v;
}

void image_job(struct image *im, u32 at, u32 type, u32 index, u32 dep1, u32 dep2, u32 next)
{
	image_w32(im, at + 16, 1 | type << 1 | index << 16);
	image_w32(im, at + 20, dep1 | dep2 << 16);
	image_w64(im, at + 24, next ? IMAGE_VA + next : 0);
}

static void put_state(struct image *im, bool midgard)
{
	image_w64(im, AT_STATE, (IMAGE_VA + AT_CODE) | (midgard ? 5 : 0));
	image_w32(im, AT_STATE + 8, 1 | 1 << 16);	/* sampler, texture */
	image_w32(im, AT_STATE + 12, 3);		/* attributes */
	if (midgard) {
		image_w32(im, AT_STATE + 16, 2 | 1 << 11 | 1 << 13 | 8 << 16 | 2 << 21);
		return;
	}
	image_w32(im, AT_STATE + 16, 2 | 1 << 11 | 2 << 12);
	image_w32(im, AT_STATE + 48, 1 << 7 | 1 << 9 | 4 << 15);
}

static u32 rgba8(const struct image *im)
{
	return im->arch == MALI_V7 ? 0xbb << 12 : 0xbb << 12 | 0x688;
}

static void put_attrs(struct image *im)
{
	u32 i;

	for (i = 0; i < 3; i++) {
		image_w32(im, AT_ATTRS + 8 * i, (i < 2 ? i : 3) | 1 << 9 | rgba8(im) << 10);
		image_w32(im, AT_ATTRS + 8 * i + 4, -4 * i);
	}
	/* 1D modulus 5 << 2. */
	image_w64(im, AT_BUFS, 0x123440 | 3 | (u64)(2 | 2 << 5) << 56);
	image_w32(im, AT_BUFS + 8, 16);
	image_w32(im, AT_BUFS + 12, 320);
	/* 1D NPOT divisor 3, in two parts. */
	image_w64(im, AT_BUFS + 16, 0x223440 | 4 | (u64)(1 | 1 << 5) << 56);
	image_w32(im, AT_BUFS + 24, 8);
	image_w32(im, AT_BUFS + 28, 80);
	image_w32(im, AT_BUFS + 32, 32);
	image_w32(im, AT_BUFS + 36, 0xaaaaaaaa & 0x7fffffff);
	image_w32(im, AT_BUFS + 44, 3);
	/* Image of 8 x 6. */
	image_w64(im, AT_BUFS + 48, 0x323440 | 5 | 1ULL << 56);
	image_w32(im, AT_BUFS + 56, 4);
	image_w32(im, AT_BUFS + 60, 192);
	image_w32(im, AT_BUFS + 64, 32 | 7 << 16);
	image_w32(im, AT_BUFS + 68, 5);
	image_w32(im, AT_BUFS + 72, 32);
}

static void put_surfaces(struct image *im, u32 at)
{
	u32 i;

	for (i = 0; i < 6; i++) {
		image_w64(im, at + 16 * i, 0x500000 + 0x1000 * i);
		image_w32(im, at + 16 * i + 8, 64 + i);
	}
}

/* 2D, 16 x 8, 3 layers, 2 levels. */
static void put_texture(struct image *im, bool midgard)
{
	if (midgard) {
		image_w64(im, AT_TEXTURES, IMAGE_VA + AT_SURFACES);
		image_w32(im, AT_SURFACES, 15 | 7 << 16);
		image_w32(im, AT_SURFACES + 4, 2 << 16);
		image_w32(im, AT_SURFACES + 8, rgba8(im) | 2 << 22 | 2 << 24 | 3 << 28);
		image_w32(im, AT_SURFACES + 12, 1 << 24);
		image_w32(im, AT_SURFACES + 16, 0x688);
		put_surfaces(im, AT_SURFACES + 32);
		image_w32(im, AT_SAMPLERS, 1 | 3 << 3 | 1 << 5);
		image_w32(im, AT_SAMPLERS + 4, 0x100 << 16);
		image_w32(im, AT_SAMPLERS + 8, 0x89b | 3 << 12);
		return;
	}
	image_w32(im, AT_TEXTURES, 2 | 2 << 4 | 1 << 9 | rgba8(im) << 10);
	image_w32(im, AT_TEXTURES + 4, 15 | 7 << 16);
	image_w32(im, AT_TEXTURES + 8, 0x688 | 2 << 12 | 1 << 16);
	image_w32(im, AT_TEXTURES + 12, 0x100 << 16);
	image_w64(im, AT_TEXTURES + 16, IMAGE_VA + AT_SURFACES);
	image_w32(im, AT_TEXTURES + 24, 2);
	put_surfaces(im, AT_SURFACES);
	/* r, t, s from the low end. */
	image_w32(im, AT_SAMPLERS, 1 | 0xb98 << 8 | 1 << 25 | 1 << 28 | 3U << 30);
	image_w32(im, AT_SAMPLERS + 4, 3 << 13 | 0x100 << 16);
}

void image_compute(struct image *im)
{
	bool midgard = im->arch <= MALI_V5;
	u32 d = AT_JOB + 64;

	image_job(im, AT_JOB, MALI_JOB_COMPUTE, 1, 0, 0, 0);
	/* Bits: 2, 1, 0; 2, 3, 3. */
	image_w32(im, AT_JOB + 32, 3 | 1 << 2 | 2 << 3 | 4 << 5 | 6 << 8);
	image_w32(im, AT_JOB + 36, 2 | 3 << 5 | 3 << 10 | 5 << 16 | 8 << 22 | 3 << 28);
	image_w32(im, AT_JOB + 40, 9 << 26);
	image_w32(im, d, 3 | (2 | 1 << 5) << 16 | 1 << 24);
	image_w32(im, d + 4, 77);
	image_w64(im, d + 24, IMAGE_VA + AT_UBOS);
	image_w64(im, d + 32, IMAGE_VA + AT_TEXTURES);
	image_w64(im, d + 40, IMAGE_VA + AT_SAMPLERS);
	image_w64(im, d + 48, IMAGE_VA + AT_PUSH);
	image_w64(im, d + 56, IMAGE_VA + AT_STATE);
	image_w64(im, d + 64, IMAGE_VA + AT_BUFS);
	image_w64(im, d + 72, IMAGE_VA + AT_ATTRS);
	image_w64(im, d + 112, (IMAGE_VA + AT_STORAGE) | (midgard ? 1 : 0));
	put_state(im, midgard);
	image_w32(im, AT_STORAGE, 2 | 48 << 5);
	image_w32(im, AT_STORAGE + 4, 3 | 10 << 8);
	image_w64(im, AT_STORAGE + 8, 0x700000);
	image_w64(im, AT_STORAGE + 16, 0x800000);
	image_w64(im, AT_UBOS, 0x600040ULL >> 4 << 12 | 9);
	image_w32(im, AT_PUSH, 0x11223344);
	image_w32(im, AT_PUSH + 28, 0x55667788);
	put_attrs(im);
	put_texture(im, midgard);
}

int image_parse(struct image *im, struct walked *c, struct mali_reject *why)
{
	memset(why, 0, sizeof(*why));
	return walked_read(c, im->arch, &im->map, IMAGE_VA + AT_JOB, 1 << 20, why);
}
