/* SPDX-License-Identifier: GPL-2.0 */
/* Midgard programs written bundle by bundle, and jobs in a made-up GPU memory for them. */
#ifndef SELFTESTS_MIDGARD_MCODE_H
#define SELFTESTS_MIDGARD_MCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "../ref/mali_ref.h"

#define MC_WORDS	8192

/* Where things are in the memory of a job. */
#define MJ_BASE		0x100000ull
#define MJ_SIZE		0x40000u
#define MJ_JOB		0x100000ull
#define MJ_STATE	0x100200ull
#define MJ_UBOS		0x100300ull
#define MJ_STORAGE	0x100400ull
#define MJ_ATTRS	0x100500ull
#define MJ_BUFS		0x100600ull
#define MJ_TEXTURES	0x100800ull
#define MJ_SAMPLERS	0x100900ull
#define MJ_TEXTURE	0x100a00ull
#define MJ_VARYINGS	0x100e00ull
#define MJ_VARBUFS	0x100f00ull
#define MJ_VIEWPORT	0x100f40ull
#define MJ_PUSH		0x101000ull
#define MJ_CODE		0x102000ull
#define MJ_DATA		0x110000ull
#define MJ_DATA_SIZE	0x4000u
#define MJ_TEXELS	0x120000ull
#define MJ_BLEND	0x130000ull
#define MJ_POSITIONS	0x131000ull

enum { MC_VMUL, MC_SADD, MC_VADD, MC_SMUL, MC_VLUT };
enum { MC_R24 = 24, MC_R25, MC_AL0, MC_AL1, MC_T0, MC_T1, MC_R31 = 31, MC_CONST = 26 };

#define MC_XYZW		0xe4u
#define MC_X		0x00u
#define MC_Y		0x55u
#define MC_Z		0xaau
#define MC_W		0xffu

/**
 * struct mcode - a program being written
 * @w: its words
 * @n: how many
 * @last: where the last bundle begins
 * @first_tag: kind of the first one
 */
struct mcode {
	uint32_t w[MC_WORDS];
	unsigned int n;
	unsigned int last;
	unsigned int first_tag;
};

/* An ALU bundle; units that have registers and a body take part. */
struct mc_alu {
	bool has[5];
	uint16_t regs[5];
	uint64_t body[5];
	bool has_compact;
	uint16_t compact;
	bool has_extended;
	uint64_t extended;
	bool has_constants;
	uint32_t constants[4];
};

/* A load/store operation; arguments are selectors 0 to 7. */
struct mc_ls {
	unsigned int op, reg, mask, swizzle;
	unsigned int arg_reg, arg_comp;
	bool toggle;
	unsigned int index_format, index_reg, index_comp, shift;
	int offset;
};

#define MC_LS(...)	((struct mc_ls){ __VA_ARGS__ })
#define MC_NOP_LS	MC_LS(.op = 3)

/* A texture operation; registers are argument and result r28 and r29, as 0 and 1. */
struct mc_tex {
	unsigned int tag, op, mode, partial, dim;
	bool sampler_reg, texture_reg, lod_reg, offset_reg;
	bool in_full;
	unsigned int in_select, in_upper, in_swizzle;
	bool out_full;
	unsigned int type, out_select, out_upper, mask, outmod, swizzle;
	unsigned int offset, bias, bias_int, sampler, texture;
};

/* Sampling of two dimensions with whole registers and floats. */
#define MC_TEX_2D { .tag = 2, .op = 2, .mode = 1, .partial = 3, .dim = 2, .in_full = true, \
		    .in_swizzle = MC_XYZW, .out_full = true, .type = 1, .mask = 15, \
		    .swizzle = MC_XYZW }

void mc_start(struct mcode *c);
/* Each appends a bundle and makes it what follows the one before. Return: its quadword. */
unsigned int mc_alu(struct mcode *c, const struct mc_alu *a);
unsigned int mc_ldst(struct mcode *c, struct mc_ls a, struct mc_ls b);
unsigned int mc_texture(struct mcode *c, const struct mc_tex *t);
unsigned int mc_quad(struct mcode *c, const uint32_t *w);
/* Of @n quadwords. */
unsigned int mc_bundle(struct mcode *c, const uint32_t *w, unsigned int n);

uint32_t mc_vsrc(unsigned int mod, unsigned int expand, unsigned int swizzle);
uint32_t mc_ssrc(unsigned int mod, bool full, unsigned int comp);
/* Source 2 of a vector or scalar body, without the five bits that are in the registers. */
uint32_t mc_vimm(uint16_t imm);
uint32_t mc_simm(uint16_t imm);
uint16_t mc_regs(unsigned int src1, unsigned int src2, unsigned int dest);
/* With an immediate instead of source 2. */
uint16_t mc_regs_imm(unsigned int src1, uint16_t imm, unsigned int dest);
uint64_t mc_vec(unsigned int op, unsigned int mode, uint32_t src1, uint32_t src2,
		unsigned int shrink, unsigned int outmod, unsigned int mask);
uint64_t mc_sca(unsigned int op, uint32_t src1, uint32_t src2, unsigned int outmod, bool full,
		unsigned int comp);
uint16_t mc_compact(unsigned int op, unsigned int tag, int offset, unsigned int cond);
uint16_t mc_jump(unsigned int tag, unsigned int call, int offset);
uint64_t mc_extended(unsigned int op, unsigned int tag, unsigned int call, int offset,
		     unsigned int lut);
void mc_unit(struct mc_alu *a, unsigned int unit, uint16_t regs, uint64_t body);
/* All of a register to another one. */
void mc_move(struct mc_alu *a, unsigned int unit, unsigned int from, unsigned int to);
/*
 * Bundles that store @reg at MJ_DATA + @offset + @scale times the local id's x; r26 and r27
 * are used. The address of the data is in u0.xy, which mj_push() puts there.
 */
void mc_store(struct mcode *c, unsigned int reg, unsigned int offset, unsigned int shift);

/**
 * struct mjob - a compute job
 * @g: the GPU; memory is mapped by mj_new()
 * @local: threads of a group
 * @groups: how many
 * @work: work registers
 * @uniforms: vectors of them
 * @wls: bytes of shared memory, a power of two
 * @tls: bytes of a thread's memory, 16 times a power of two
 * @ubos: uniform buffers
 * @attrs: attributes
 * @varyings: varyings, for vertex jobs
 * @textures: textures and samplers
 * @fp_mode: float mode
 * @vertex: a vertex job: groups are vertices and instances
 * @padded: and so many vertices of an instance are counted, a power of two
 */
struct mjob {
	struct mrf g;
	unsigned int local[3];
	unsigned int groups[3];
	unsigned int work;
	unsigned int uniforms;
	unsigned int wls;
	unsigned int tls;
	unsigned int ubos;
	unsigned int attrs;
	unsigned int varyings;
	unsigned int textures;
	unsigned int fp_mode;
	bool vertex;
	unsigned int padded;
};

/* One thread, 16 work registers, 4 uniforms. Return: false: no memory. */
bool mj_new(struct mjob *j);
void mj_free(struct mjob *j);
void mj_w32(struct mjob *j, uint64_t va, uint32_t v);
void mj_w64(struct mjob *j, uint64_t va, uint64_t v);
uint32_t mj_r32(struct mjob *j, uint64_t va);
/* A word of a uniform vector; the first vector is in r23. */
void mj_push(struct mjob *j, unsigned int vector, unsigned int word, uint32_t v);
/* Descriptors and @c, which may be changed: its end is marked. Return: job's address. */
uint64_t mj_write(struct mjob *j, struct mcode *c);
/* The same, and run. Return: no error. */
bool mj_run(struct mjob *j, struct mcode *c);

/**
 * struct mdraw - what a draw has besides
 * @pos: corners of triangles: x, y, z, 1 / w
 * @n: corners
 * @depth: function, bits less, equal, greater; 8: depth is written
 * @program_depth: it is in r1.x
 * @ccw: triangles of this winding face the viewer
 * @size: pixels each way
 */
struct mdraw {
	const float (*pos)[4];
	unsigned int n;
	unsigned int depth;
	bool program_depth;
	bool ccw;
	unsigned int size;
};

/* A bundle that writes r0 to the framebuffer. */
void mc_write(struct mcode *c);
/*
 * A draw of triangles with a fragment program. What it writes goes through a blend program
 * that writes r0 as it is, so that r0.x is what pixels are. Return: no error.
 */
bool mj_draw(struct mjob *j, struct mcode *c, const struct mdraw *d);

#endif
