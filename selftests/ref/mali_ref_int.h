/* SPDX-License-Identifier: GPL-2.0 */
/* Internal interfaces of the Mali reference models. */
#ifndef SELFTESTS_REF_MALI_REF_INT_H
#define SELFTESTS_REF_MALI_REF_INT_H

#include "mali_ref.h"

#define MRF_GROUP_MAX	1024
#define MRF_TLS_MAX	65536
#define MRF_VERTICES_MAX 256

/*
 * A triangle as its fragments see it: corners on the screen, x, y, z, 1 / w; or a point,
 * which has one corner and a @size.
 */
struct mrf_frag {
	double size;
	bool from_bottom;	/* point coordinates begin at the largest y */
	uint32_t index[3];
	double pos[3][4];
};

/**
 * struct mrf_draw - contents of a job's descriptors
 * @code: address of the program
 * @ubos: table of uniform buffers, @nubos entries
 * @push: pushed words, @npush pairs
 * @textures: table, @ntextures entries
 * @samplers: table, @nsamplers entries
 * @varyings: table, @nvaryings entries; @varbufs their buffers
 * @state: renderer state descriptor
 * @frag: further state of a fragment program, else NULL
 * @attributes: table, @nattributes entries
 * @buffers: attribute buffers
 * @padded: vertices of an instance for attribute addressing
 * @offset: index of the first vertex
 * @wls: shared memory of the current workgroup
 * @nwls: its bytes
 * @ntls: bytes of a thread's own memory
 */
struct mrf_draw {
	uint64_t code;
	uint64_t ubos;
	unsigned int nubos;
	uint64_t push;
	unsigned int npush;
	uint64_t textures;
	unsigned int ntextures;
	uint64_t samplers;
	unsigned int nsamplers;
	uint64_t varyings;
	unsigned int nvaryings;
	uint64_t varbufs;
	uint64_t state;
	const struct mrf_frag *frag;
	uint64_t attributes;
	unsigned int nattributes;
	uint64_t buffers;
	uint32_t padded;
	uint32_t offset;
	uint8_t *wls;
	uint32_t nwls;
	uint32_t ntls;
};

struct mrf_dims {
	unsigned int local[3];
	unsigned int groups[3];
};

/* ---- mali_ref.c: memory, jobs ---- */

void mrf_fail(struct mrf *g, bool unsupported, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
uint32_t mrf_load(struct mrf *g, uint64_t va);
uint64_t mrf_load64(struct mrf *g, uint64_t va);
/* Little-endian words of at most four bytes. */
uint32_t mrf_get(const uint8_t *p, unsigned int n);
void mrf_put(uint8_t *p, unsigned int n, uint32_t v);
/* @n bytes of a uniform buffer, zeros past its end. */
uint8_t *mrf_ubo(struct mrf *g, const struct mrf_draw *d, uint32_t offset, uint32_t index,
		 uint32_t n);
/* The invocation at @va. */
void mrf_dims(struct mrf *g, uint64_t va, struct mrf_dims *dm);
/* Fields at the same offset in the draw descriptors and renderer states of all GPUs. */
void mrf_draw_state(struct mrf *g, uint64_t dcd, struct mrf_draw *d);
void mrf_write_value(struct mrf *g, uint64_t job);
/* Each job of a chain by @run, which is called with its type. */
void mrf_chain(struct mrf *g, uint64_t chain,
	       void (*run)(struct mrf *g, uint64_t job, unsigned int type));

/* As they are encoded in Bifrost's ATOM_C and ATOM_POST. */
enum mrf_atom { MRF_ADD = 2, MRF_SMIN = 8, MRF_SMAX, MRF_UMIN, MRF_UMAX, MRF_AND, MRF_OR,
		MRF_XOR };

uint32_t mrf_atom_op(unsigned int op, uint32_t a, uint32_t b);

/* ---- mali_ref_texel.c: formats ---- */

enum mrf_kind { MRF_FLOATS, MRF_UINTS, MRF_SINTS };

/* Four components: single floats or integers. */
struct mrf_texel {
	enum mrf_kind kind;
	uint32_t v[4];
};

/* In which form programs have components in their registers. */
enum mrf_regfmt { MRF_F16, MRF_F32, MRF_S32, MRF_U32, MRF_S16, MRF_U16, MRF_F64, MRF_I64,
		  MRF_AUTO };

/* Bytes of an element; 0: unknown, and an error is set. */
unsigned int mrf_texel_size(struct mrf *g, uint32_t fmt, enum mrf_kind *kind);
void mrf_unpack_bytes(struct mrf *g, uint32_t fmt, const uint8_t *p, struct mrf_texel *x);
void mrf_unpack(struct mrf *g, uint32_t fmt, uint64_t va, struct mrf_texel *x);
/* A one of the texel's type. */
uint32_t mrf_one(enum mrf_kind k);
/* @n components into at most four words. Return: words. */
unsigned int mrf_deliver(struct mrf *g, const struct mrf_texel *x, enum mrf_regfmt fmt,
			 unsigned int n, uint32_t *out);
/* A format and a register type as one word; AUTO: registers are stored as they are. */
uint32_t mrf_conversion(uint32_t fmt, enum mrf_regfmt reg);
/* Registers to a texel or vertex; @cvt: conversion from mrf_conversion(). */
void mrf_pack(struct mrf *g, uint32_t cvt, unsigned int n, const uint32_t *data, uint8_t *p);
unsigned int mrf_pack_size(struct mrf *g, uint32_t cvt);
void mrf_st_cvt(struct mrf *g, uint64_t va, uint32_t cvt, unsigned int n, const uint32_t *data);

/* ---- mali_ref_attr.c: attributes, varyings as memory, images ---- */

/* Attribute as four components. */
void mrf_ld_attr(struct mrf *g, const struct mrf_draw *d, unsigned int index, uint32_t vertex,
		 uint32_t instance, struct mrf_texel *x);
void mrf_ld_image(struct mrf *g, const struct mrf_draw *d, unsigned int index, uint32_t xy,
		  uint32_t z, struct mrf_texel *x);
/* Address, 0 outside, and format. */
uint64_t mrf_lea_image(struct mrf *g, const struct mrf_draw *d, unsigned int index, uint32_t xy,
		       uint32_t z, uint32_t *fmt);
uint64_t mrf_lea_varying(struct mrf *g, const struct mrf_draw *d, unsigned int index,
			 uint32_t vertex, uint32_t instance, uint32_t *fmt);
/* Offset of a texel in blocks of 16 x 16 whose coordinate bits are interleaved. */
uint32_t mrf_interleaved(uint32_t x, uint32_t y, uint32_t bytes, uint32_t row);

/* ---- mali_ref_tex.c ---- */

struct mrf_tex {
	uint32_t fmt;
	unsigned int dim;		/* 0 cube, 1 1D, 2 2D, 3 3D */
	uint32_t width, height, depth, layers;
	uint32_t swizzle;
	unsigned int ordering, levels, faces, samples;
	uint64_t surfaces;
	unsigned int form;		/* v5: which addresses and strides surfaces have */
};

/**
 * struct mrf_sampling - sampling operation
 * @texture: index of the texture
 * @sampler: index of the sampler
 * @c: coordinates
 * @face: cube face
 * @layer: array layer
 * @offset: added to texel coordinates
 * @lod: before the sampler's bias and clamps
 * @shadow: compare with @ref
 * @ref: value to compare
 * @gather: component of four texels; -1: sample
 */
struct mrf_sampling {
	unsigned int texture;
	unsigned int sampler;
	double c[3];
	unsigned int face;
	unsigned int layer;
	int offset[3];
	double lod;
	bool shadow;
	double ref;
	int gather;
};

bool mrf_texture(struct mrf *g, const struct mrf_draw *d, unsigned int index,
		 struct mrf_tex *x);
/* Texel at integer coordinates; outside of the image, and past the last sample, it is zeros. */
void mrf_fetch_texel(struct mrf *g, const struct mrf_tex *x, const uint32_t *c, uint32_t level,
		     uint32_t face, uint32_t layer, uint32_t sample, struct mrf_texel *out);
/* Level of detail from the texture's size and the differences along x and y of a quad. */
double mrf_computed_lod(const struct mrf_tex *x, const double dx[3], const double dy[3]);
void mrf_sample(struct mrf *g, const struct mrf_draw *d, const struct mrf_sampling *sm,
		struct mrf_texel *out);

/* ---- mali_ref_raster.c ---- */

/* Whether a pixel's centre is inside. */
bool mrf_covers(const struct mrf_frag *f, unsigned int x, unsigned int y);
void mrf_ld_var(struct mrf *g, const struct mrf_draw *d, unsigned int x, unsigned int y,
		unsigned int index, bool flat, bool perspective, unsigned int n, uint32_t *out);
void mrf_ld_point(const struct mrf_frag *f, unsigned int x, unsigned int y, uint32_t *out);
/* Depth and 1 / w of a fragment. */
void mrf_ld_var_z(const struct mrf_frag *f, unsigned int x, unsigned int y, uint32_t *out);
void mrf_ld_var_w(const struct mrf_frag *f, unsigned int x, unsigned int y, uint32_t *out);
/* Single floats into RGBA8 by an equation of the blend unit. */
void mrf_fixed_function(struct mrf *g, uint32_t eq, const uint32_t *color, uint8_t *texel);
/* Depth test of a program's depth, clamped to 0..1. */
bool mrf_zs_test(struct mrf *g, const struct mrf_draw *d, unsigned int x, unsigned int y,
		 uint32_t z);
/* Validate the primitive type at @prim: triangles; with @points also points. */
bool mrf_primitive(struct mrf *g, uint64_t prim, bool points);
/**
 * mrf_fragments - call @quad for each 2 x 2 pixels of each primitive
 * @g: GPU
 * @d: draw; its fragment part is set here
 * @prim: primitive descriptor
 * @viewport: descriptor, its scissor is the size
 * @positions: address of the vertices' positions
 * @sizes: address of the points' sizes
 * @quad: gets the corner's coordinates and the primitive's number
 */
void mrf_fragments(struct mrf *g, struct mrf_draw *d, uint64_t prim, uint64_t viewport,
		   uint64_t positions, uint64_t sizes,
		   void (*quad)(struct mrf *g, struct mrf_draw *d, unsigned int x,
				unsigned int y, unsigned int primitive));

static inline uint32_t mrf_field(uint32_t word, unsigned int at, unsigned int n)
{
	return word >> at & ((1u << n) - 1);
}

/* A half or a byte of a word. */
static inline uint16_t mrf_lane16(uint32_t v, unsigned int lane)
{
	return (uint16_t)(v >> (16 * (lane & 1)));
}

static inline uint8_t mrf_lane8(uint32_t v, unsigned int lane)
{
	return (uint8_t)(v >> (8 * (lane & 3)));
}

#endif
