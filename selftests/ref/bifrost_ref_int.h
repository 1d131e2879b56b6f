/* SPDX-License-Identifier: GPL-2.0 */
/* Inside the Bifrost reference model. */
#ifndef SELFTESTS_REF_BIFROST_REF_INT_H
#define SELFTESTS_REF_BIFROST_REF_INT_H

#include "bifrost_ref.h"

#define BFR_POISON	0xa5a5a5a5u	/* registers that hardware does not fill */
#define BFR_GROUP_MAX	1024
#define BFR_TLS_MAX	65536

/**
 * struct bfr_draw - what the descriptors of a job say
 * @code: of the program
 * @ubos: table of uniform buffers, @nubos entries
 * @push: words of it, @npush pairs
 * @textures: table, @ntextures entries
 * @samplers: table, @nsamplers entries
 * @varyings: table; @varbufs their buffers
 * @state: renderer state descriptor
 * @frag: what a fragment program needs besides, else NULL
 * @attributes: table, @nattributes entries
 * @buffers: attribute buffers
 * @padded: vertices of an instance for attribute addressing
 * @offset: of the first vertex
 * @wls: shared memory of the workgroup that runs
 * @nwls: its bytes
 * @ntls: bytes of a thread's own memory
 */
struct bfr_draw {
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
	uint64_t varbufs;
	uint64_t state;
	const struct bfr_frag *frag;
	uint64_t attributes;
	unsigned int nattributes;
	uint64_t buffers;
	uint32_t padded;
	uint32_t offset;
	uint8_t *wls;
	uint32_t nwls;
	uint32_t ntls;
};

/*
 * A triangle as its fragments see it: corners on the screen, x, y, z, 1 / w; or a point,
 * which has one corner and a @size.
 */
struct bfr_frag {
	double size;
	bool from_bottom;	/* point coordinates begin at the largest y */
	uint32_t index[3];
	double pos[3][4];
};

struct bfr_thread {
	uint32_t r[64];
	uint32_t t[2];		/* results of the tuple before */
	uint64_t pc;		/* of the clause to execute */
	uint8_t *tls;
	bool done;
	bool waits;		/* at a barrier */
	unsigned int lane;	/* of a quad */
	bool covered;		/* else a helper: without effects */
	unsigned int x, y;	/* of a fragment */
};

/* Operands of an operation of the adder in all lanes that execute it. */
struct bfr_quad {
	uint32_t src[4][4];
	bool active[4];
};

/**
 * struct bfr_step - a tuple being executed
 * @port: what the three read ports give
 * @fau: low and high word of the FAU value
 * @fma: result of the multiplier, for the adder
 * @atom: operation that the multiplier prepares for ATOM_CX, else -1
 * @atom_arg: its operand
 * @jump: the adder branches to @target
 * @quad: the same in the neighbours
 * @sr: staging register of the clause
 * @nout: words in @out that go to the staging registers at the end of the clause
 */
struct bfr_step {
	uint32_t port[3];
	uint32_t fau[2];
	uint32_t fma;
	int atom;
	uint32_t atom_arg;
	bool jump;
	uint32_t target;
	const struct bfr_quad *quad;
	unsigned int sr;
	unsigned int nout;
	uint32_t out[4];
};

void bfr_fail(struct bfr *g, bool unsupported, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* bifrost_ref_fma.c, bifrost_ref_add.c: an operation, with its sources read. */
uint32_t bfr_exec_fma(struct bfr *g, uint32_t op, const uint32_t *src, struct bfr_step *s);
uint32_t bfr_exec_add(struct bfr *g, const struct bfr_draw *d, struct bfr_thread *t,
		      uint32_t op, const uint32_t *src, struct bfr_step *s);

/* bifrost_ref_msg.c: memory, attributes, images, texels. */
enum bfr_seg { BFR_SEG_GLOBAL, BFR_SEG_WLS, BFR_SEG_TLS, BFR_SEG_UBO };

uint8_t *bfr_seg(struct bfr *g, const struct bfr_draw *d, struct bfr_thread *t,
		 enum bfr_seg seg, uint32_t lo, uint32_t hi, uint32_t n);
uint32_t bfr_load(struct bfr *g, uint64_t va);

/* As they are encoded in ATOM_C and ATOM_POST. */
enum bfr_atom { BFR_ADD = 2, BFR_SMIN = 8, BFR_SMAX, BFR_UMIN, BFR_UMAX, BFR_AND, BFR_OR,
		BFR_XOR };

void bfr_atomic(struct bfr *g, uint64_t va, unsigned int op, uint32_t arg, struct bfr_step *s);
uint32_t bfr_atom_op(unsigned int op, uint32_t a, uint32_t b);

enum bfr_regfmt { BFR_F16, BFR_F32, BFR_S32, BFR_U32, BFR_S16, BFR_U16, BFR_F64, BFR_I64,
		  BFR_AUTO };

void bfr_ld_attr(struct bfr *g, const struct bfr_draw *d, unsigned int index, uint32_t vertex,
		 uint32_t instance, enum bfr_regfmt fmt, unsigned int n, struct bfr_step *s);
void bfr_ld_image(struct bfr *g, const struct bfr_draw *d, unsigned int index, uint32_t xy,
		  uint32_t z, enum bfr_regfmt fmt, unsigned int n, struct bfr_step *s);
void bfr_lea_image(struct bfr *g, const struct bfr_draw *d, unsigned int index, uint32_t xy,
		   uint32_t z, enum bfr_regfmt fmt, struct bfr_step *s);
void bfr_lea_varying(struct bfr *g, const struct bfr_draw *d, unsigned int index,
		     uint32_t vertex, uint32_t instance, enum bfr_regfmt fmt, struct bfr_step *s);
/* bifrost_ref_draw.c */
void bfr_draw_job(struct bfr *g, uint64_t job);
void bfr_ld_var(struct bfr *g, const struct bfr_draw *d, const struct bfr_thread *t,
		unsigned int index, bool flat, unsigned int n, uint32_t *out);
void bfr_draw_tiler(struct bfr *g, uint64_t job);
void bfr_ld_point(const struct bfr_draw *d, const struct bfr_thread *t, uint32_t *out);
void bfr_ld_var_z(const struct bfr_draw *d, const struct bfr_thread *t, uint32_t *out);
bool bfr_zs_emit(struct bfr *g, const struct bfr_draw *d, const struct bfr_thread *t, uint32_t z);
void bfr_blend(struct bfr *g, const struct bfr_draw *d, const struct bfr_thread *t,
	       const uint32_t *color);
/* The clauses of one thread, and of four that are neighbours. */
void bfr_run_one(struct bfr *g, const struct bfr_draw *d, struct bfr_thread *t);
void bfr_run_quad(struct bfr *g, const struct bfr_draw *d, struct bfr_thread *t);
void bfr_draw_state(struct bfr *g, uint64_t dcd, struct bfr_draw *d, uint32_t *preload);
uint64_t bfr_load64(struct bfr *g, uint64_t va);
/* Components of an element of a varying as single floats or integers. */
void bfr_unpack(struct bfr *g, uint32_t fmt, uint64_t va, uint32_t *out);
/* Registers to a texel or vertex; @cvt: format | register format << 24, 1 << 22: as it is. */
void bfr_pack(struct bfr *g, uint32_t cvt, unsigned int n, const uint32_t *data, uint8_t *p);
unsigned int bfr_pack_size(struct bfr *g, uint32_t cvt);
void bfr_sample(struct bfr *g, const struct bfr_draw *d, const struct bfr_thread *t,
		unsigned int texture, unsigned int sampler, bool computed, double lod,
		enum bfr_regfmt fmt, struct bfr_step *s);
void bfr_st_cvt(struct bfr *g, uint64_t va, uint32_t cvt, unsigned int n, const uint32_t *data);
void bfr_texc(struct bfr *g, const struct bfr_draw *d, struct bfr_thread *t, uint32_t x,
	      uint32_t y, uint32_t desc, struct bfr_step *s);

static inline uint32_t bfr_field(uint32_t word, unsigned int at, unsigned int n)
{
	return word >> at & ((1u << n) - 1);
}

/* A half or a byte of a word. */
static inline uint16_t bfr_lane16(uint32_t v, unsigned int lane)
{
	return (uint16_t)(v >> (16 * (lane & 1)));
}

static inline uint8_t bfr_lane8(uint32_t v, unsigned int lane)
{
	return (uint8_t)(v >> (8 * (lane & 3)));
}

#endif
