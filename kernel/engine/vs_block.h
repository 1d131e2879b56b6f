/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Interface between executors and control code. No floating-point types here: executors
 * are the only objects compiled with vector instructions.
 */
#ifndef VS_BLOCK_H
#define VS_BLOCK_H

#include "vs_opinfo.h"
#include "vs_job.h"
#include "vs_num.h"

/**
 * enum vs_kind - Instantiations of an executor.
 * @VS_K_F32:	binary32, all lanes, plain multiplication: valid if the invalid flag
 *		stayed clear
 * @VS_K_F32_M:	the same for a subset of lanes
 * @VS_K_F24:	1.7.16 truncating, scaled by 2^-64, all lanes: valid if also magnitudes stay
 *		small, which block.range records
 * @VS_K_F24_M:	the same for a subset of lanes
 * @VS_K_F32_X:	binary32, exact in every case
 * @VS_K_F24T_X: 1.7.16 truncating, exact in every case
 * @VS_K_F24N_X: 1.7.16 to nearest, exact in every case
 */
enum vs_kind {
	VS_K_F32, VS_K_F32_M, VS_K_F24, VS_K_F24_M, VS_K_F32_X, VS_K_F24T_X, VS_K_F24N_X
};

/* The masked variant of an optimistic kind. */
#define VS_K_MASKED(kind)	((kind) + 1)
#define VS_K_IS_EXACT(kind)	((kind) >= VS_K_F32_X)

static inline bool vs_kind_is_scaled(enum vs_kind kind)
{
	return kind == VS_K_F24 || kind == VS_K_F24_M;
}

/* Bit of block.range: a value left the range of the scaled executor. */
#define VS_RANGE_BIT	0x40000000U

/**
 * struct vs_block - State of 64 invocations, as seen by executors.
 * @slot:	values
 * @tmp:	uniform operands expanded to lanes; scratch
 * @idx:	row numbers of an indexed read
 * @lanemask:	@mask as a word per lane, when @expanded is @mask
 * @range:	OR of result patterns, scaled executor
 * @pred:	predicates, bit per lane
 * @mask:	active lanes
 * @expanded:	mask that @lanemask represents
 * @unif:	uniform words in the executor's representation
 * @rows:	row table in the executor's representation
 * @row_mask:	mask applied to row numbers
 * @off_min:	offsets outside off_min..off_max ...
 * @off_max:	...
 * @oor_zero:	... read zeros (the row after the last), else count as 0
 * @nan_rule:	the processor does not return the first of two NaNs: exact kinds only
 * @lanes:	lanes that exact executors compute: all, or as few as they can
 * @step:	stop at the next guest instruction (portable executor only)
 */
struct vs_block {
	u32 slot[VS_MAX_SLOTS][VS_LANES] __aligned(64);
	u32 tmp[12][VS_LANES] __aligned(64);
	u32 idx[VS_LANES] __aligned(64);
	u32 lanemask[VS_LANES] __aligned(64);
	u32 range[16] __aligned(64);
	u64 pred[VS_MAX_PREDS];
	u64 mask;
	u64 expanded;
	const u32 *unif;
	const u32 *rows;
	u32 row_mask;
	s32 off_min;
	s32 off_max;
	u32 lanes;
	bool oor_zero;
	bool nan_rule;
	bool step;
};

/**
 * struct vs_rowio - Rows of up to four words in memory, one per lane.
 * @base:	first row, a pointer that has been range checked
 * @off:	offset of each lane's row, or NULL
 * @stride:	bytes from row to row if @off is NULL
 * @slot:	first slot; component c is in slot + c
 * @ncomp:	components; ignored by loads, which read 16 bytes; must be 4 for stores
 */
struct vs_rowio {
	u8 *base;
	const u64 *off;
	u64 stride;
	u16 slot;
	u8 ncomp;
};

/*
 * One set per executor build. run: execute from @u to the next control micro-op, which
 * is returned. load: rows of binary32 into slots, converted to the representation of
 * @kind. convert: the same for slots that already hold binary32 patterns (or integers).
 * store: slots to rows of binary32. unload: slots to binary32 patterns in block.tmp.
 */
#define VS_EXEC_DECLARE(sfx)								\
	const struct vs_uop *vs_exec_run_##sfx(enum vs_kind kind, struct vs_block *b,	\
					       const struct vs_uop *u);			\
	void vs_exec_load_##sfx(enum vs_kind kind, struct vs_block *b,			\
				const struct vs_rowio *r);				\
	void vs_exec_convert_##sfx(enum vs_kind kind, struct vs_block *b, u32 slot,	\
				   u32 n, bool ints);					\
	void vs_exec_store_##sfx(enum vs_kind kind, struct vs_block *b,			\
				 const struct vs_rowio *r);				\
	void vs_exec_unload_##sfx(enum vs_kind kind, struct vs_block *b, u32 slot, u32 n)

#define VS_EXEC_PROBE(sfx)	bool vs_exec_first_nan_##sfx(const u32 *nan, u32 n)

VS_EXEC_DECLARE(soft);
VS_EXEC_DECLARE(sse2);
VS_EXEC_DECLARE(avx2);
VS_EXEC_DECLARE(avx512);
VS_EXEC_DECLARE(neon);
VS_EXEC_PROBE(sse2);
VS_EXEC_PROBE(avx2);
VS_EXEC_PROBE(avx512);
const struct vs_uop *vs_exec_run_nan(enum vs_kind kind, struct vs_block *b, const struct vs_uop *u);

/* Dispatch to the build; all of them give the same bits. */
const struct vs_uop *vs_exec_run(enum vs_simd simd, enum vs_kind kind, struct vs_block *b,
				 const struct vs_uop *u);
void vs_exec_load(enum vs_simd simd, enum vs_kind kind, struct vs_block *b,
		  const struct vs_rowio *r);
void vs_exec_convert(enum vs_simd simd, enum vs_kind kind, struct vs_block *b, u32 slot, u32 n,
		     bool ints);
void vs_exec_store(enum vs_simd simd, enum vs_kind kind, struct vs_block *b,
		   const struct vs_rowio *r);
bool vs_exec_first_nan(enum vs_simd simd);
void vs_exec_unload(enum vs_simd simd, enum vs_kind kind, struct vs_block *b, u32 slot, u32 n);

#endif /* VS_BLOCK_H */
