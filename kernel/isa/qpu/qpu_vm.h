/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * State for QPU executors: values, flags and micro-ops. No floating-point types here.
 *
 * A QPU's registers, immediates and temporaries are slots of 16 words. A micro-op is one
 * operation on slots; it is executed for all QPUs of a group, which are at the same
 * instruction. Unlike blocks of the shared executor, side effects of a group are visible
 * to others at once, nothing can be replayed, and control state belongs to a QPU, not to an
 * element: hence an executor of its own.
 */
#ifndef QPU_VM_H
#define QPU_VM_H

#include "qpu_intern.h"

/* Slots. */
enum qpu_slot {
	QPU_S_RA = 0,		/* register file A */
	QPU_S_RB = 32,		/* register file B */
	QPU_S_ACC = 64,		/* r0..r5 */
	QPU_S_R4 = 68,
	QPU_S_R5 = 69,
	QPU_S_ELEM = 70,	/* element number */
	QPU_S_QPU = 71,		/* QPU number */
	QPU_S_PA = 72,		/* peripheral value read on port A */
	QPU_S_PB = 73,
	QPU_S_OUT_ADD = 74,	/* value for a peripheral */
	QPU_S_OUT_MUL = 75,
	QPU_S_RES_A = 76,	/* bus residue of port A */
	QPU_S_RES_B = 77,
	QPU_S_SFU = 78,		/* pending SFU result for r4 */
	QPU_S_TMP = 79,		/* 8 temporaries */
	QPU_S_TRASH = 87,
	QPU_S_IMM = 88,		/* small immediates 0..47 */
	QPU_S_UNIF = 136,	/* a uniform, for both ports */
	QPU_NUM_SLOTS = 137
};

#define QPU_RUN_INSNS	64	/* longest run of predecoded instructions */

/* Micro-operations: adder's codes, 32 + multiplier's codes, and others. */
enum qpu_uop_op {
	QPU_U_MUL = 32,
	QPU_U_MOV = 40,		/* a */
	QPU_U_LDI,		/* imm */
	QPU_U_LDI_S,		/* element e: bits 16 + e, e of imm: -2..1 */
	QPU_U_LDI_U,		/* 0..3 */
	QPU_U_UNPACK_I,		/* a unpacked by mode imm for an integer consumer */
	QPU_U_UNPACK_F,		/* ... for a float consumer */
	QPU_U_ROT,		/* rotation: element i to i + imm */
	QPU_U_ROTQ,		/* rotation within groups of four */
	QPU_U_ROT5,		/* rotation by r5's element 0 */
	QPU_U_ROTQ5,
	QPU_U_R5_QUAD,		/* broadcast of elements 0, 4, 8, 12 within their groups */
	QPU_U_R5_ALL,		/* broadcast of element imm */
	QPU_U_UNIF,		/* uniform imm of the run */
	QPU_U_RESIDUE,		/* keep elements 12..15 */
	QPU_U_SHOW_RESIDUE,	/* ... and copy them to all groups */
	QPU_U_SAVE_COND,	/* keep the mask of cond for QPU_COND_SAVED */
	/*
	 * Peripherals: imm is the index of the predecoded instruction, pad its
	 * further micro-ops.
	 */
	QPU_U_VPM_READ,		/* next vector to d, and to a */
	QPU_U_VPM_WRITE,	/* a */
	QPU_U_TMU,		/* unit b: request with addresses a */
	QPU_U_LDTMU,		/* unit b: oldest result to r4; a: a request of b follows */
	QPU_U_LDTMU_LATE,	/* QPU_U_LDTMU for QPUs without a result then */
	QPU_U_VPM_CTL,		/* setup or DMA address a to register d of file b */
	QPU_U_PERIPH,		/* the instruction's signal and writes */
	QPU_U_NUM_OPS
};

/* Handler variants, by the way a result is written. */
enum qpu_variant {
	QPU_V_PLAIN,		/* to all elements */
	QPU_V_COND,		/* to elements for which cond holds */
	QPU_V_FLAGS,		/* to all elements, setting flags */
	QPU_V_FULL,		/* with flags or packing */
	QPU_NUM_VARIANTS
};

#define QPU_HANDLER(op, variant)	((op) * QPU_NUM_VARIANTS + (variant))

/* Additional conditions of micro-ops. */
#define QPU_COND_SAVED		9

/* Flags of a micro-op. */
#define QPU_UF_SF	0x1	/* set flags where cond holds */
#define QPU_UF_ALL	0x2	/* write all elements, regardless of cond */
#define QPU_UF_FLOAT	0x4	/* the result is a float for the packer */
#define QPU_UF_PM	0x8	/* use the multiplier's packer */

/**
 * struct qpu_uop - micro-op
 * @h:		QPU_HANDLER(operation, variant)
 * @cond:	enum qpu_cond or QPU_COND_SAVED
 * @flags:	QPU_UF_*
 * @d:		destination slot
 * @a:		source slot
 * @b:		source slot
 * @pack:	pack mode, 0 none
 * @pad:	see the operation
 * @imm:	see the operation
 */
struct qpu_uop {
	u8 h;
	u8 cond;
	u8 flags;
	u8 d;
	u8 a;
	u8 b;
	u8 pack;
	u8 pad;
	u32 imm;
};

/* Flag words of a QPU: cond >> 1 is the index of the word that a condition tests. */
enum qpu_flag { QPU_F_ZERO, QPU_F_Z, QPU_F_N, QPU_F_C, QPU_F_SAVED, QPU_NUM_FLAGS = 8 };

/**
 * struct qpu_vm - state of all QPUs for executors
 * @v:		slots
 * @unif:	prefetched uniforms of the current instructions
 * @fl:		flags, bit per element; word QPU_F_ZERO is always 0
 * @first:	index of the first of these instructions
 * @n:		number of executing QPUs
 * @q:		their numbers
 * @off:	bytes from the slots of QPU 0 to theirs
 * @core:	their peripherals' state
 * @late:	bit k: the TMU result of the k-th of them is that of this instruction's request
 * @s:		peripherals
 */
struct qpu_vm {
	u32 v[QPU_NUM][QPU_NUM_SLOTS][QPU_LANES] __aligned(64);
	u32 unif[QPU_NUM][QPU_RUN_INSNS];
	u16 fl[QPU_NUM][QPU_NUM_FLAGS];
	u32 first;
	u32 n;
	u8 q[QPU_NUM];
	u32 off[QPU_NUM];
	struct qpu_core *core[QPU_NUM];
	u32 late;
	struct qpu_shared *s;
};

/* Add QPU @q to the executing ones. */
static inline void qpu_vm_add(struct qpu_vm *vm, u32 q)
{
	vm->off[vm->n] = q * sizeof(vm->v[0]);
	vm->core[vm->n] = &vm->s->core[q];
	vm->q[vm->n++] = q;
}

/* Mask of elements for which @cond holds. */
static inline u32 qpu_cond_mask(const u16 *fl, u32 cond)
{
	return (fl[cond >> 1] ^ -(cond & 1)) & 0xffff;
}

/*
 * Executor builds: micro-ops from @u to before @end. Return: @end, or the first one of an
 * instruction that was not executed, or one in the middle of an instruction that faults.
 */
const struct qpu_uop *qpu_exec_soft(struct qpu_vm *vm, const struct qpu_uop *u,
				    const struct qpu_uop *end);
const struct qpu_uop *qpu_exec_sse2(struct qpu_vm *vm, const struct qpu_uop *u,
				    const struct qpu_uop *end);
const struct qpu_uop *qpu_exec_avx2(struct qpu_vm *vm, const struct qpu_uop *u,
				    const struct qpu_uop *end);
const struct qpu_uop *qpu_exec_avx512(struct qpu_vm *vm, const struct qpu_uop *u,
				      const struct qpu_uop *end);
const struct qpu_uop *qpu_exec_neon(struct qpu_vm *vm, const struct qpu_uop *u,
				    const struct qpu_uop *end);

/* Builds of the special function unit: function @fn of the elements of @n vectors @v, to @r. */
void qpu_sfu_soft(u32 fn, u32 n, const u32 *const *v, u32 *const *r);
void qpu_sfu_sse2(u32 fn, u32 n, const u32 *const *v, u32 *const *r);
void qpu_sfu_avx2(u32 fn, u32 n, const u32 *const *v, u32 *const *r);
void qpu_sfu_avx512(u32 fn, u32 n, const u32 *const *v, u32 *const *r);
void qpu_sfu_neon(u32 fn, u32 n, const u32 *const *v, u32 *const *r);

/* Outcome of a micro-op's peripheral accesses. */
enum qpu_periph {
	QPU_PERIPH_OK,
	QPU_PERIPH_ALL,		/* all accesses of the instruction are done */
	QPU_PERIPH_STOP,	/* all done, and the slice is used up */
	QPU_PERIPH_FAULT
};

/* qpu_periph.c: slow path for all accesses that executors do not handle. */
enum qpu_periph qpu_periph_all(struct qpu_vm *vm, const struct qpu_uop *u);
enum qpu_periph qpu_periph_ctl(struct qpu_vm *vm, const struct qpu_uop *u);

#endif /* QPU_VM_H */
