/* SPDX-License-Identifier: GPL-2.0 */
/* Resource micro-ops of Mali programs one by one: a machine, resources, inputs and outputs. */
#ifndef SELFTESTS_MALI_EXT_H
#define SELFTESTS_MALI_EXT_H

#include "../include/tap.h"
#include "isa/mali/mali_run_int.h"
#include "run.h"

#define CHECK(cond)	tap_result(cond, "%s", #cond)

#define MEM_VA		0x100000ULL
#define MEM_SIZE	0x20000
#define NSLOTS		32
#define IN		8	/* slots that tests fill, from IN on */
#define OUT		0	/* slots of results */
#define LANES		SIMT_LANES
#define ALL		(~0ULL)

/**
 * struct fixture - Machine with resources, inputs and outputs.
 * @mem:	memory at MEM_VA
 * @ext:	extent of @map
 * @map:	address space
 * @raw:	allocation of @arena
 * @arena:	the machine's memory
 * @run:	state of the run
 * @slot:	values of slots before and after
 * @threads:	lanes that are threads
 * @helper:	lanes that are helpers from the start
 * @helper_after: lanes that are helpers at the end
 * @frag:	fragment state
 * @fault:	fault of the last run
 */
struct fixture {
	u8 *mem;
	struct vs_extent ext;
	struct vs_map map;
	void *raw;
	struct simt_arena arena;
	struct mali_run *run;
	u32 slot[NSLOTS][LANES];
	u32 threads;
	u64 helper;
	u64 helper_after;
	bool frag;
	struct vs_fault fault;
};

extern struct fixture fx;

u32 f32(double d);
double num(u32 bits);
void fx_new(void);
void fx_free(void);
/* Execute @n micro-ops, for which FX_ONE is the number one. Return: false with fx.fault. */
#define FX_ONE	SIMT_U
bool fx_run(const struct simt_uop *uops, u32 n, enum vs_simd simd);
/* One micro-op with operands in IN, IN + 1, IN + 2, more of them from IN + 4. */
bool ext(u32 imm);
bool ext_on(u32 imm, enum vs_simd simd);
bool refused(u32 reason);
void fill(u32 slot, u32 value);

/* ---- attributes ---- */

#define RGBA8UI		(155 << 12)
#define R8UI		(131 << 12)
#define RGBA8		(187 << 12)
#define RG16F		(207 << 12)
#define R32F		(167 << 12)
#define R32UI		(133 << 12)
#define RGBA32F		(191 << 12)
#define RGB565		(64 << 12)
#define RGBA8_TB	(237 << 12)

extern struct mali_attr attrs[4];
extern struct mali_attr_buf bufs[4];

void set_attr(u32 i, u32 format, s32 offset);
void bind_attrs(struct mali_attr_table *t);

/* ---- textures ---- */

/* Texels encode their position: x, y, level | layer << 4, face | sample << 4. */
extern struct tx_texture tex[4];
extern struct tx_surface surfaces[4][64];
extern struct tx_sampler samp[2];

void set_texture(u32 i, u32 dim, u32 layers, u32 samples);
void set_sampler(u32 i, bool linear);
/* 2D, 2D array, 3D, cube. */
void tex_new(void);
/* Bytes of a result. */
u32 rgba(u32 l);

/* ---- fragments ---- */

extern struct mali_frag frag;
extern enum mali_run_reason why;

/* An 8 x 8 target of @format at MEM_VA, followed by a Z image. */
void frag_new(u32 format);
/* Corners in pixels, depth, w. */
void corner(u32 i, double x, double y, double z, double w);
bool frag_begin(void);
/* Lane of a pixel in a rectangle that is 8 wide: quads of a row, four of them. */
u32 lane_of(u32 x, u32 y);

#endif
