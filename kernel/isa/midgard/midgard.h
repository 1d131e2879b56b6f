/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * ARM Mali Midgard: bundle encoding, decoded forms and tables.
 *
 * A program is a sequence of bundles of one to four 128-bit words (quads): arithmetic, a pair
 * of load/store operations, or a texture operation. The low four bits of a bundle are its tag
 * (its kind and size), the next four the tag of the next bundle. Positions count quads.
 *
 * Sources: Mesa's public description of the instruction set, its disassembler and compiler;
 * Connor Abbott's notes on the architecture.
 */
#ifndef MIDGARD_H
#define MIDGARD_H

#include "../isa.h"

extern const struct vs_isa midgard_isa;

#define MG_MAX_QUADS	65536		/* per program: 1 MiB */
#define MG_BUNDLE_QUADS	4		/* maximum quads per bundle */
#define MG_MAX_LANES	16
#define MG_MAX_ALU	5		/* maximum operations per bundle */

/* GPUs; sets of GPUs are bit masks. */
enum mg_gpu { MG_T760, MG_T860, MG_NUM_GPUS };

/*
 * Tags; the four MG_TAG_ALUW mark arithmetic bundles that write to the tile buffer, or wait for
 * it.
 */
enum mg_tag {
	MG_TAG_INVALID, MG_TAG_BREAK, MG_TAG_TEX_VERTEX, MG_TAG_TEX, MG_TAG_TEX_BARRIER,
	MG_TAG_LDST, MG_TAG_UNKNOWN1, MG_TAG_UNKNOWN2, MG_TAG_ALU, MG_TAG_ALUW = 12
};

/* Arithmetic units in encoding order. */
enum mg_unit { MG_VMUL, MG_SADD, MG_VADD, MG_SMUL, MG_VLUT, MG_NUM_UNITS };

/* VMUL and SADD execute first; the other units can read the r24, r25 and r31 they wrote. */
#define MG_STAGE1	(BIT(MG_VMUL) | BIT(MG_SADD))
#define MG_VECTOR	(BIT(MG_VMUL) | BIT(MG_VADD) | BIT(MG_VLUT))

/* Registers with a fixed role. */
#define MG_REG_TMP	24	/* and 25: forwarded between stages; 24: unused operand */
#define MG_REG_CONST	26	/* read: embedded constants of the bundle */
#define MG_REG_LDST	26	/* and 27, written: arguments of load/store operations */
#define MG_REG_TEX	28	/* and 29: written: texture arguments; read: texture results */
#define MG_REG_SPECIAL	31	/* written: condition; read: PC and stack pointer */
#define MG_REG_UNIFORM	23	/* first uniform; further ones go down to r8 */

/* Lane width of an operation: 8 << mode bits. */
enum mg_mode { MG_MODE_8, MG_MODE_16, MG_MODE_32, MG_MODE_64 };

/* Destination half for results that are narrowed to half their width. */
enum mg_shrink { MG_SHRINK_LOW, MG_SHRINK_HIGH, MG_SHRINK_NONE };

/* Output modifiers: enum mg_clamp for floating-point results, enum mg_trim for integers. */
enum mg_clamp { MG_CLAMP_NONE, MG_CLAMP_POS, MG_CLAMP_SIGNED, MG_CLAMP_UNIT };
enum mg_trim { MG_TRIM_SSAT, MG_TRIM_USAT, MG_TRIM_LOW, MG_TRIM_HIGH };

/* Floating-point source modifiers, bits. */
#define MG_MOD_ABS	1
#define MG_MOD_NEG	2
/* Integer source extension. */
enum mg_widen { MG_WIDEN_SIGN, MG_WIDEN_ZERO, MG_WIDEN_REPLICATE, MG_WIDEN_SHIFT };

/* Half of a register that a vector source reads; from _LOW on the elements are widened. */
enum mg_expand {
	MG_EXPAND_NONE, MG_EXPAND_REP_LOW, MG_EXPAND_REP_HIGH, MG_EXPAND_SWAP,
	MG_EXPAND_LOW, MG_EXPAND_HIGH, MG_EXPAND_LOW_SWAP, MG_EXPAND_HIGH_SWAP
};

#define MG_SWIZZLE_NONE	0xe4	/* xyzw */

/* Source kind: a register, embedded constants of the bundle, or an inline constant. */
enum mg_src_kind { MG_SRC_REG, MG_SRC_CONST, MG_SRC_IMM };

/**
 * struct mg_src - source of an arithmetic operation
 * @kind: enum mg_src_kind
 * @reg: register, MG_REG_CONST for constants
 * @imm: MG_SRC_IMM: half float for floating-point operations, else an integer to sign-extend;
 *	the same for all lanes
 * @mod: MG_MOD_ABS | MG_MOD_NEG; enum mg_widen for integer operations that widen
 * @expand: encoded enum mg_expand (vector)
 * @swizzle: encoded swizzle, four times two bits (vector)
 * @full: 32-bit element, else 16 bits (scalar)
 * @comp: encoded element, counted in 16 bits (scalar)
 * @bits: width of the source elements before widening
 * @widen: source elements are half as wide as the lanes
 * @elem: for each lane, written or not: element of the register or of the constants,
 *	counted in @bits
 *
 * The element is read, then widened, then abs and neg apply. A 64-bit lane that is not widened
 * consists of two 32-bit elements selected by @swizzle; @elem is valid if the two are adjacent,
 * as in all known programs except for unused sources.
 */
struct mg_src {
	u8 kind;
	u8 reg;
	u16 imm;
	u8 mod;
	u8 expand;
	u8 swizzle;
	bool full;
	u8 comp;
	u8 bits;
	bool widen;
	u8 elem[MG_MAX_LANES];
};

/**
 * struct mg_alu - arithmetic operation
 * @unit: enum mg_unit
 * @op: operation code, see mg_alu_op()
 * @mode: enum mg_mode; scalar operations have MG_MODE_32 whatever their operands' widths
 * @dest: destination register
 * @shrink: encoded enum mg_shrink (vector); scalar: MG_SHRINK_LOW if a half is written
 * @outmod: enum mg_clamp, or enum mg_trim if the result is an integer
 * @mask: encoded write mask, one bit per 16 bits of lanes before narrowing (vector)
 * @comp: encoded destination element, counted in 16 bits (scalar)
 * @nlanes: lanes of the operation: 128 bits, 1 if scalar
 * @lanes: mask of written lanes
 * @dbits: width of destination elements
 * @delem: destination element of lane 0, counted in @dbits; lane i writes @delem + i
 * @src: sources
 * @reg_word: encoded register word, 16 bits
 * @body: encoded operation body, 48 or 32 bits
 *
 * Horizontal operations (mg_alu_def.channels) read lanes 0 .. channels - 1 of the sources and
 * write their result to @lanes.
 */
struct mg_alu {
	u8 unit;
	u8 op;
	u8 mode;
	u8 dest;
	u8 shrink;
	u8 outmod;
	u8 mask;
	u8 comp;
	u8 nlanes;
	u16 lanes;
	u8 dbits;
	u8 delem;
	struct mg_src src[2];
	u16 reg_word;
	u64 body;
};

/* Branch operations. */
enum mg_branch_op {
	MG_BR_JUMP = 1, MG_BR_COND = 2, MG_BR_DISCARD = 4, MG_BR_TILEBUFFER = 6, MG_BR_WRITE = 7
};

/* Condition codes: one bit each for a clear and for a set condition. */
enum mg_cond { MG_COND_WRITE0, MG_COND_FALSE, MG_COND_TRUE, MG_COND_ALWAYS };

/* Call mode; compilers leave the mode of extended branches 0. */
enum mg_call { MG_CALL_UNSET, MG_CALL_JUMP, MG_CALL_CALL, MG_CALL_RETURN };

/**
 * struct mg_branch - branch or framebuffer write
 * @extended: 48-bit encoding, else 16 bits
 * @op: enum mg_branch_op
 * @dest_tag: tag of the target bundle; MG_TAG_BREAK leaves the program; unused by
 *	MG_BR_DISCARD, which ends the threads that take it
 * @call: enum mg_call; MG_CALL_JUMP for compact conditional branches, which encode none
 * @cond: truth table of up to four condition bits; a simple condition is enum mg_cond
 *	repeated eight times, also for unconditional jumps
 * @offset: quads from the end of the bundle
 * @bits: encoded branch
 */
struct mg_branch {
	bool extended;
	u8 op;
	u8 dest_tag;
	u8 call;
	u16 cond;
	s32 offset;
	u64 bits;
};

/* Source registers of load/store operations. */
enum mg_ldst_reg {
	MG_LS_AL0, MG_LS_AL1, MG_LS_PC_SP, MG_LS_LOCAL_STORAGE, MG_LS_LOCAL_ID, MG_LS_GROUP_ID,
	MG_LS_GLOBAL_ID, MG_LS_ZERO
};

/* Index formats of addresses. */
enum mg_index { MG_INDEX_NONE, MG_INDEX_U64, MG_INDEX_U32, MG_INDEX_S32 };

/**
 * struct mg_ldst - load/store operation
 * @op: operation code, see mg_ldst_op()
 * @reg: destination register; stores: enum mg_ldst_reg that is written to memory
 * @mask: components written (loads), 32-bit quarters stored (stores)
 * @swizzle: four times two bits; the operand of atomics, see mg_ldst_atomic_reg()
 * @arg_comp: component of @arg_reg, counted in 32 bits
 * @arg_reg: enum mg_ldst_reg: address, vertex, coordinates
 * @toggle: addresses: @arg_reg is 64 bits wide; LD_ATTR: a vertex index is present; images:
 *	64-bit coordinates; CUBEMAP, LDST_PERSPECTIVE_DIV: 32-bit values
 * @index_format: addresses: enum mg_index; attributes: bit 0 type from the descriptor,
 *	bit 1 second table
 * @index_comp: component of @index_reg
 * @index_reg: enum mg_ldst_reg
 * @index_shift: left shift of the index
 * @offset: signed, 18 bits; contents depend on the operation
 * @bits: encoded operation, 60 bits
 */
struct mg_ldst {
	u8 op;
	u8 reg;
	u8 mask;
	u8 swizzle;
	u8 arg_comp;
	u8 arg_reg;
	bool toggle;
	u8 index_format;
	u8 index_comp;
	u8 index_reg;
	u8 index_shift;
	s32 offset;
	u64 bits;
};

#define MG_LDST_NOP	3

/* Arithmetic operations: MG_OP_<id of the table>. Rounding modes are four consecutive codes. */
enum mg_alu_code {
#define MG_ALU(code, id, ...) MG_OP_##id = (code),
#define MG_LDST(...)
#define MG_TEXOP(...)
#include "midgard_ops.def"
#undef MG_ALU
#undef MG_LDST
#undef MG_TEXOP
};

/* Texture operations. */
enum mg_tex_op {
	MG_TEX_NORMAL = 1, MG_TEX_GRADIENT = 2, MG_TEX_FETCH = 4, MG_TEX_DER_TO_GRAD = 9,
	MG_TEX_MOV = 10, MG_TEX_BARRIER = 11, MG_TEX_COORDS_TO_GRAD = 12, MG_TEX_DERIVATIVE = 13
};

enum mg_tex_mode {
	MG_TEXMODE_NORMAL = 1, MG_TEXMODE_SHADOW = 5, MG_TEXMODE_GATHER_SHADOW = 6,
	MG_TEXMODE_GATHER_X = 8, MG_TEXMODE_GATHER_Y, MG_TEXMODE_GATHER_Z, MG_TEXMODE_GATHER_W
};

enum mg_tex_dim { MG_DIM_CUBE, MG_DIM_1D, MG_DIM_2D, MG_DIM_3D };
enum mg_tex_type { MG_SAMPLER_NONE, MG_SAMPLER_FLOAT, MG_SAMPLER_UINT, MG_SAMPLER_SINT };
/* Effect of the operation on helper threads. */
enum mg_tex_exec { MG_EXEC_RESERVED, MG_EXEC_SKIP, MG_EXEC_KILL, MG_EXEC_NONE };

/**
 * struct mg_tex_reg - component of a texture argument register
 * @full: 32 bits, else 16
 * @select: 0: r28, 1: r29
 * @upper: upper half of the register (16 bits)
 * @comp: component
 */
struct mg_tex_reg {
	bool full;
	u8 select;
	bool upper;
	u8 comp;
};

/**
 * struct mg_tex - texture operation
 * @op: enum mg_tex_op
 * @mode: enum mg_tex_mode; derivatives: 0 x, 1 y
 * @exec: enum mg_tex_exec
 * @dim: enum mg_tex_dim
 * @sampler_reg: @sampler is a register for mg_tex_reg_decode()
 * @texture_reg: @texture is a register for mg_tex_reg_decode()
 * @lod_reg: @bias is a register for mg_tex_reg_decode()
 * @offset_reg: @offset is a register for mg_tex_offset_reg()
 * @in_full: 32-bit coordinates, else 16
 * @in_select: coordinate register: 0: r28, 1: r29
 * @in_upper: coordinates in the upper half of the register (16 bits)
 * @in_swizzle: coordinate swizzle
 * @out_full: 32-bit result, else 16
 * @out_select: result register: 0: r28, 1: r29
 * @out_upper: result in the upper half (16 bits)
 * @type: enum mg_tex_type
 * @mask: components written
 * @outmod: enum mg_clamp
 * @swizzle: result swizzle
 * @ooo: bundles that may execute out of order with this one
 * @offset: three times four bits signed, or a register
 * @bias: fraction of the LOD or bias in 1/256, the LOD of MG_TEX_FETCH, or a register
 * @bias_int: integer part of the LOD or bias
 * @sampler: index, or a register
 * @texture: index, or a register
 * @unknown8: bits 35 and 36, must be 0
 * @unknown4: bits 60 to 67, must be 0
 */
struct mg_tex {
	u8 op;
	u8 mode;
	u8 exec;
	u8 dim;
	bool sampler_reg;
	bool texture_reg;
	bool lod_reg;
	bool offset_reg;
	bool in_full;
	u8 in_select;
	bool in_upper;
	u8 in_swizzle;
	bool out_full;
	u8 out_select;
	bool out_upper;
	u8 type;
	u8 mask;
	u8 outmod;
	u8 swizzle;
	u8 ooo;
	u16 offset;
	u8 bias;
	s8 bias_int;
	u16 sampler;
	u16 texture;
	u8 unknown8;
	u8 unknown4;
};

/* Bundle kinds. */
enum mg_kind { MG_KIND_ALU, MG_KIND_LDST, MG_KIND_TEX };

/**
 * struct mg_bundle - decoded bundle
 * @kind: enum mg_kind
 * @tag: enum mg_tag
 * @next: tag of the next bundle
 * @quads: size
 * @nalu: arithmetic operations
 * @nbranch: branches, at most one compact and one extended
 * @has_consts: the bundle embeds @consts
 * @alu: operations in unit order
 * @branch: branches; they follow the operations
 * @consts: constants
 * @ldst: both operations; MG_LDST_NOP is a no-op
 * @tex: texture operation
 *
 * Members that @kind does not use are zero.
 */
struct mg_bundle {
	u8 kind;
	u8 tag;
	u8 next;
	u8 quads;
	u8 nalu;
	u8 nbranch;
	bool has_consts;
	struct mg_alu alu[MG_MAX_ALU];
	struct mg_branch branch[2];
	u32 consts[4];
	struct mg_ldst ldst[2];
	struct mg_tex tex;
};

/* Reject reasons; 0 is none. */
enum mg_reason {
	MG_OK, MG_BAD_TAG, MG_TRUNCATED, MG_BAD_CONTROL, MG_BAD_PADDING, MG_BAD_ALU_SIZE,
	MG_BAD_ALU_OP, MG_BAD_UNIT, MG_BAD_MODE, MG_BAD_SHRINK, MG_BAD_OUTMOD, MG_BAD_MASK,
	MG_BAD_EXPAND, MG_BAD_COMPONENT, MG_BAD_RESERVED, MG_BAD_SRC_REG,
	MG_BAD_DEST_REG, MG_NO_CONSTS, MG_BAD_BRANCH_OP, MG_BAD_CALL, MG_BAD_COND,
	MG_BAD_LDST_OP, MG_BAD_LDST_REG, MG_BAD_LDST_FIELD, MG_BAD_TEX_OP, MG_BAD_TEX_MODE,
	MG_BAD_TEX_FIELD, MG_BAD_TEX_TAG, MG_BAD_GPU, MG_BAD_NEXT, MG_BAD_TARGET,
	MG_BAD_TARGET_TAG, MG_BAD_ENTRY, MG_BAD_SIZE, MG_BAD_STAGE, MG_RUNS_OFF,
	MG_NUM_REASONS
};

/**
 * struct mg_where - location and value of a rejected field
 * @lo: lowest bit of the field, counted from the start of the bundle
 * @hi: highest bit of the field
 * @value: value found
 * @limit: allowed values: the maximum, a mask, or 0
 */
struct mg_where {
	u16 lo;
	u16 hi;
	u32 value;
	u32 limit;
};

/* midgard_table.c */

#define MG_INT_IN	0x01	/* integer sources */
#define MG_INT_OUT	0x02	/* integer result */
#define MG_UNSIGNED	0x04	/* sources or result are unsigned */
#define MG_MOVE		0x08	/* unary; the operand is the second source, the first one is r24 */
#define MG_UNARY	0x10	/* unary; the second source is unused */
#define MG_CSEL		0x20	/* reads the condition register, written in the same bundle */
#define MG_SHL1		0x40	/* the first source is shifted left by one bit */

/**
 * struct mg_alu_def - table entry of an arithmetic operation
 * @name: mnemonic, shared by the signed and unsigned forms
 * @units: mask of units that implement it; none: never seen in use
 * @flags: MG_INT_IN ...
 * @channels: source lanes of a horizontal operation; 0: lane by lane
 */
struct mg_alu_def {
	const char *name;
	u8 units;
	u8 flags;
	u8 channels;
};

/* Class of a load/store operation; decides which fields are used. */
enum mg_ldst_class {
	MG_LS_NONE, MG_LS_NOP, MG_LS_UNPACK, MG_LS_PACK, MG_LS_LEA, MG_LS_LEA_IMAGE, MG_LS_CUBEMAP,
	MG_LS_MOV, MG_LS_PERSPECTIVE, MG_LS_ATOMIC, MG_LS_CMPXCHG, MG_LS_LOAD, MG_LS_ATTR,
	MG_LS_VARYING, MG_LS_LD_SPECIAL, MG_LS_UBO, MG_LS_LD_IMAGE, MG_LS_LD_TILEBUFFER,
	MG_LS_STORE, MG_LS_ST_VARYING, MG_LS_ST_IMAGE, MG_LS_ST_SPECIAL, MG_LS_ST_TILEBUFFER,
	MG_LS_TRAP
};

/* Value type of a load/store operation. */
enum mg_ldst_type {
	MG_LT_RAW, MG_LT_F32, MG_LT_F16, MG_LT_U32, MG_LT_S32, MG_LT_U8, MG_LT_S8, MG_LT_U16,
	MG_LT_S16
};

/**
 * struct mg_ldst_def - table entry of a load/store operation
 * @name: mnemonic
 * @class: enum mg_ldst_class; MG_LS_NONE: undefined code
 * @type: enum mg_ldst_type
 * @bits: access size, 0 if it depends on other fields
 * @swap: byte-swap unit in bytes, 0: no swap
 */
struct mg_ldst_def {
	const char *name;
	u8 class;
	u8 type;
	u8 bits;
	u8 swap;
};

/* Table entry of operation @op, or NULL if the code is undefined. */
const struct mg_alu_def *mg_alu_op(u32 op);
const struct mg_ldst_def *mg_ldst_op(u32 op);
const char *mg_tex_op_name(u32 op);
/* Size in quads of a bundle with this tag, 0 if the tag is undefined. */
u32 mg_tag_quads(u32 tag);

static inline bool mg_tag_is_alu(u32 tag)
{
	return tag >= MG_TAG_ALU;
}

static inline bool mg_class_stores(u32 class)
{
	return class >= MG_LS_STORE && class <= MG_LS_ST_TILEBUFFER;
}

/* Does the class have an address: base, index and offset? */
static inline bool mg_class_has_address(u32 class)
{
	return class == MG_LS_LEA || class == MG_LS_LOAD || class == MG_LS_STORE ||
	       class == MG_LS_ATOMIC || class == MG_LS_CMPXCHG;
}

/* Does the class use attribute tables: attributes, varyings, images? */
static inline bool mg_class_has_attr(u32 class)
{
	return class == MG_LS_LEA_IMAGE || class == MG_LS_ATTR || class == MG_LS_VARYING ||
	       class == MG_LS_LD_IMAGE || class == MG_LS_ST_VARYING || class == MG_LS_ST_IMAGE;
}

static inline bool mg_class_is_image(u32 class)
{
	return class == MG_LS_LEA_IMAGE || class == MG_LS_LD_IMAGE || class == MG_LS_ST_IMAGE;
}

/* Does the class default to the second attribute table (varyings)? */
static inline bool mg_class_second_table(u32 class)
{
	return class == MG_LS_VARYING || class == MG_LS_ST_VARYING;
}

/* ---- values packed into the offset and other fields ---- */

/* LD_UBO: buffer index, if bit 0 of the offset is clear as compilers leave it. */
static inline u32 mg_ldst_ubo(const struct mg_ldst *l)
{
	return l->arg_comp | l->arg_reg << 2 | l->toggle << 5 | l->index_format << 6;
}

static inline s32 mg_ldst_ubo_offset(const struct mg_ldst *l)
{
	return l->offset >> 2;
}

/* Attributes, varyings, images, special values: constant added to the index. */
static inline s32 mg_ldst_attr_offset(const struct mg_ldst *l)
{
	return l->offset >> 9;
}

/* LD_ATTR with a vertex index: constant added to that index. */
static inline s32 mg_ldst_vertex_offset(const struct mg_ldst *l)
{
	return (s32)((u32)l->offset << 23) >> 23;
}

/* Operand of an atomic operation: enum mg_ldst_reg and component. */
static inline u32 mg_ldst_atomic_reg(const struct mg_ldst *l)
{
	return l->swizzle >> 2 & 7;
}

static inline u32 mg_ldst_atomic_comp(const struct mg_ldst *l)
{
	return l->swizzle & 3;
}

/* Interpolation of a varying, in the low bits of the offset. */
enum mg_vary_mod { MG_VARY_NONE, MG_VARY_DIV_Y, MG_VARY_DIV_Z, MG_VARY_DIV_W, MG_VARY_CUBE };

#define MG_VARY_MOD(offset)	((offset) & 7)
#define MG_VARY_FLAT		0x08
#define MG_VARY_PERSPECTIVE	0x10
#define MG_VARY_CENTROID	0x20
#define MG_VARY_SAMPLE		0x40

/* PACK, UNPACK: format index. */
static inline u32 mg_ldst_format(const struct mg_ldst *l)
{
	return ((u32)l->offset << 4 | l->index_shift) & 0x3fffff;
}

/* Decode a texture argument register. Return: false if undefined bits are set. */
bool mg_tex_reg_decode(u32 bits, struct mg_tex_reg *r);
/* Decode register, half and swizzle of a texture offset. Return: false as above. */
bool mg_tex_offset_reg(u32 offset, struct mg_tex_reg *r, u8 *swizzle);

/* midgard_decode.c */

/**
 * mg_bundle_decode() - decode a bundle
 * @words: first word of the bundle
 * @nquads: quads up to the end of the program
 * @b: decoded bundle
 * @where: location of the error, may be NULL
 *
 * Accepts exactly the encodings that mg_bundle_encode() reproduces word for word;
 * mg_bundle_check() decides whether their parts are defined.
 *
 * Return: MG_OK or the reject reason.
 */
enum mg_reason mg_bundle_decode(const u32 *words, u32 nquads, struct mg_bundle *b,
				struct mg_where *where);

/**
 * mg_bundle_encode() - encode a bundle
 * @b: bundle; encodes @reg_word, @body and @bits of arithmetic operations and branches, and
 *	@bits of load/store operations
 * @words: room for MG_BUNDLE_QUADS
 *
 * Return: size in quads, 0 if it exceeds MG_BUNDLE_QUADS.
 */
u32 mg_bundle_encode(const struct mg_bundle *b, u32 *words);

/* Decode one part of a bundle. */
void mg_alu_decode(enum mg_unit unit, u16 reg_word, u64 body, struct mg_alu *a);
void mg_branch_decode(bool extended, u64 bits, struct mg_branch *br);
void mg_ldst_decode(u64 bits, struct mg_ldst *l);

/* Recompute @widen, @bits and @elem of a vector source after @expand or @swizzle changed. */
void mg_src_update(struct mg_src *s, u32 mode);
/* Bit positions of operation @i within the bundle: register word and body. */
void mg_alu_place(const struct mg_bundle *b, u32 i, u32 *reg_word, u32 *body);
u32 mg_branch_place(const struct mg_bundle *b, u32 i);

/* Target quad of a branch in the bundle at @pos, unless it leaves the program. */
static inline s64 mg_branch_target(u32 pos, const struct mg_bundle *b,
				   const struct mg_branch *br)
{
	return (s64)pos + b->quads + br->offset;
}

/* midgard_check.c: are the parts of a bundle defined? Bit positions as in mg_bundle_decode(). */
enum mg_reason mg_alu_check(const struct mg_bundle *b, u32 i, struct mg_where *where);
enum mg_reason mg_branch_check(const struct mg_bundle *b, u32 i, struct mg_where *where);
enum mg_reason mg_ldst_check(const struct mg_bundle *b, u32 i, struct mg_where *where);
enum mg_reason mg_tex_check(const struct mg_bundle *b, struct mg_where *where);
enum mg_reason mg_bundle_check(const struct mg_bundle *b, enum mg_gpu gpu,
			       struct mg_where *where);

/**
 * mg_bundle_ends() - does execution stop after a bundle that does not branch?
 * @words: program
 * @nquads: its size
 * @pos: first quad of the bundle
 * @b: the bundle
 *
 * Execution stops if the bundle announces no next tag, unless the next bundle is the last
 * arithmetic bundle of the program, which compilers do not announce.
 *
 * Return: true if execution stops.
 */
bool mg_bundle_ends(const u32 *words, u32 nquads, u32 pos, const struct mg_bundle *b);

#endif /* MIDGARD_H */
