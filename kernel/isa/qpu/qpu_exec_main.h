/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A build of the QPU executor. The including file has defined the vector primitives and
 * QPU_ENTRY, the name of its function.
 */
#include "qpu_vm.h"
#include "qpu_exec_ops.h"

#define EACH_LANE(l)	VS_UNROLL(4) for (l = 0; l < QPU_LANES; l += VS_W)
#define EACH_QPU(q)	for (k = 0; k < n && (q = vm->q[k], true); k++)
/* Loop without QPU numbers: SLOT() is the @k-th QPU's slot that is at @p in QPU 0. */
#define EACH_GROUP	for (k = 0; k < n; k++)
#define SLOT(p)		((u32 *)((p) + vm->off[k]))

#include "qpu_exec_periph.h"

/**
 * struct full - result before flags, packing and condition
 * @r:	result
 * @c:	carry mask
 * @ov:	overflow mask
 */
struct full {
	u32 r[QPU_LANES] __aligned(64);
	u32 c;
	u32 ov;
};

static void set_flags(u16 *fl, const struct full *f, u32 mask)
{
	u32 z = 0, n = 0, l;

	EACH_LANE(l) {
		vi r = ld_i(f->r + l);

		z |= bits_of(i_eq(r, splat_i(0)), l);
		n |= bits_of(r >> 31, l);
	}
	fl[QPU_F_Z] = (fl[QPU_F_Z] & ~mask) | (z & mask);
	fl[QPU_F_N] = (fl[QPU_F_N] & ~mask) | (n & mask);
	fl[QPU_F_C] = (fl[QPU_F_C] & ~mask) | (f->c & mask);
}

#if VS_W > 1

/*
 * qpu_float_to_byte(): a half and integers are floats, so that no truncation passes one on the way
 * to the nearest integer.
 */
static __always_inline vi bytes_of(vi x)
{
	vi one = splat_i(0x3f800000);

	x = i_sel(i_gt(x, one), one, x) & ~(x >> 31);
	return f_to_i(f_add(f_mul(as_f(x), as_f(splat_i(0x437f0000))), as_f(splat_i(0x3f000000))));
}

/* A byte to all four. */
static __always_inline vi repeat_byte(vi b)
{
	b |= i_shl(b, 8);
	return b | i_shl(b, 16);
}

/* As qpu_pack_mul(). */
static noinline void pack_bytes(u32 *d, u32 mode, u32 *r)
{
	u32 shift = 8 * (mode & 3), l;

	EACH_LANE(l) {
		vi b = bytes_of(ld_i(r + l));

		if (mode == 3)
			b = repeat_byte(b);
		else
			b = (ld_i(d + l) & splat_i(~(0xffU << shift))) | i_shl(b, shift);
		st_i(r + l, b);
	}
}

/* As qpu_unpack_int() and qpu_unpack_float(), of bytes: modes 3 to 7. */
static noinline void unpack_bytes(u32 *d, const u32 *a, u32 mode, bool is_float)
{
	u32 shift = mode == 3 ? 24 : 8 * (mode - 4), l;

	EACH_LANE(l) {
		vi b = i_shr(ld_i(a + l), shift) & splat_i(0xff);

		if (mode == 3)
			b = repeat_byte(b);
		else if (is_float)
			b = as_i(f_div(i_to_f(b), as_f(splat_i(0x437f0000))));
		st_i(d + l, b);
	}
}

#endif

/* As qpu_pack_a(), of integers without overflow: modes 1, 2 and 4 to 7. */
static noinline void pack_bits(u32 *d, u32 mode, u32 *r)
{
	u32 shift = mode < 3 ? 16 * (mode - 1) : 8 * (mode & 3);
	u32 mask = (mode < 3 ? 0xffffU : 0xffU) << shift, l;

	EACH_LANE(l)
		st_i(r + l, (ld_i(d + l) & splat_i(~mask)) |
			    (i_shl(ld_i(r + l), shift) & splat_i(mask)));
}

static noinline void pack(u32 *d, const struct qpu_uop *u, struct full *f)
{
	u32 e;

#if VS_W > 1
	if (u->flags & QPU_UF_PM) {
		pack_bytes(d, u->pack, f->r);
		return;
	}
#endif
	if (!f->ov && !(u->flags & (QPU_UF_PM | QPU_UF_FLOAT)) && u->pack < 8 && u->pack != 3) {
		pack_bits(d, u->pack, f->r);
		return;
	}
	for (e = 0; e < QPU_LANES; e++) {
		struct qpu_result x = {
			.r = f->r[e],
			.c = f->c >> e & 1,
			.ov = f->ov >> e & 1,
			.f = u->flags & QPU_UF_FLOAT,
		};

		f->r[e] = u->flags & QPU_UF_PM ? qpu_pack_mul(x.r, u->pack, d[e]) :
						 qpu_pack_a(&x, u->pack, d[e]);
	}
}

/* Apply flags, packing and condition to a result, and write it. */
static noinline void finish(struct qpu_vm *vm, u32 q, const struct qpu_uop *u, struct full *f)
{
	u32 mask = qpu_cond_mask(vm->fl[q], u->cond), *d = vm->v[q][u->d], l;

	if (u->flags & QPU_UF_SF)
		set_flags(vm->fl[q], f, mask);
	if (u->pack)
		pack(d, u, f);
	if (u->flags & QPU_UF_ALL)
		mask = 0xffff;
	EACH_LANE(l)
		st_i(d + l, blend(mask, l, ld_i(f->r + l), ld_i(d + l)));
}

/* Two-operand operations in three variants, the first of which is frequent. */
#define PLAIN_CASE(code, name)							\
	case QPU_HANDLER(code, QPU_V_PLAIN):					\
		EACH_GROUP {							\
			const u32 *a = SLOT(pa), *b = SLOT(pb);			\
			u32 *d = SLOT(pd);					\
										\
			if (plain_float(code, d, a, b))			\
				continue;				\
			EACH_LANE(l)						\
				st_i(d + l, op_##name(ld_i(a + l), ld_i(b + l)));	\
		}								\
		continue;

#define ALU_CASES(code, name)							\
	PLAIN_CASE(code, name)							\
	case QPU_HANDLER(code, QPU_V_COND):					\
		EACH_QPU(q) {							\
			const u32 *a = SLOT(pa), *b = SLOT(pb);			\
			u32 *d = SLOT(pd);					\
			u32 mask = qpu_cond_mask(vm->fl[q], cond);		\
										\
			EACH_LANE(l)						\
				st_i(d + l, blend(mask, l,			\
						  op_##name(ld_i(a + l), ld_i(b + l)),	\
						  ld_i(d + l)));		\
		}								\
		break;								\
	case QPU_HANDLER(code, QPU_V_FLAGS):					\
		EACH_QPU(q) {							\
			const u32 *a = SLOT(pa), *b = SLOT(pb);			\
			u32 *d = SLOT(pd), z = 0, neg = 0, c = 0;		\
										\
			EACH_LANE(l) {						\
				vi x = ld_i(a + l), y = ld_i(b + l);		\
				vi r = op_##name(x, y);				\
										\
				z |= bits_of(i_eq(r, splat_i(0)), l);		\
				neg |= bits_of(r >> 31, l);			\
				c |= bits_of(carry_##name(x, y, r), l);		\
				st_i(d + l, r);					\
			}							\
			vm->fl[q][QPU_F_Z] = z;					\
			vm->fl[q][QPU_F_N] = neg;				\
			vm->fl[q][QPU_F_C] = c;					\
		}								\
		break;								\
	case QPU_HANDLER(code, QPU_V_FULL):					\
		EACH_QPU(q) {							\
			const u32 *a = SLOT(pa), *b = SLOT(pb);			\
			struct full f = {};					\
										\
			EACH_LANE(l) {						\
				vi x = ld_i(a + l), y = ld_i(b + l);		\
				vi r = op_##name(x, y);				\
										\
				st_i(f.r + l, r);				\
				f.c |= bits_of(carry_##name(x, y, r), l);	\
				f.ov |= bits_of(overflow(code, x, y, r), l);	\
			}							\
			finish(vm, q, u, &f);					\
		}								\
		break;

/* By number of operands in the table: NOPs are not executed. */
#define ALU_CASES_0(code, name)
#define ALU_CASES_1(code, name)		ALU_CASES(code, name)
#define ALU_CASES_2(code, name)		ALU_CASES(code, name)

/* Element i of @a to element i + @by. */
static __always_inline void rotate_all(u32 *r, const u32 *a, u32 by)
{
#if VS_W == 16
	vi index = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

	st_i(r, v_permute(ld_i(a), (index - splat_i(by)) & splat_i(15)));
#elif VS_W == 8
	vi index = { 0, 1, 2, 3, 4, 5, 6, 7 }, from = (index - splat_i(by)) & splat_i(15);
	vi lo = v_permute(ld_i(a), from & splat_i(7));
	vi hi = v_permute(ld_i(a + 8), from & splat_i(7));
	vi other = i_gt(from, splat_i(7));

	st_i(r, i_sel(other, hi, lo));
	st_i(r + 8, i_sel(other, lo, hi));
#else
	u32 t[2 * QPU_LANES];

	memcpy(t, a, 4 * QPU_LANES);
	memcpy(t + QPU_LANES, a, 4 * QPU_LANES);
	memcpy(r, t + QPU_LANES - by, 4 * QPU_LANES);
#endif
}

/* Rotation within groups of four. */
static __always_inline void rotate_quads(u32 *r, const u32 *a, u32 by)
{
#if VS_W >= 8
	vi index = {}, base;
	u32 l;

	for (l = 0; l < VS_W; l++)
		index[l] = l;
	base = index & splat_i(~3);
	index = base | ((index - splat_i(by)) & splat_i(3));
	EACH_LANE(l)
		st_i(r + l, v_permute(ld_i(a + l), index));
#else
	u32 t[QPU_LANES], e;

	memcpy(t, a, sizeof(t));
	for (e = 0; e < QPU_LANES; e++)
		r[e] = t[(e & ~3) | ((e - by) & 3)];
#endif
}

static noinline void rotate(struct qpu_vm *vm, u32 q, const struct qpu_uop *u, u32 op)
{
	u32 by = op == QPU_U_ROT5 || op == QPU_U_ROTQ5 ? vm->v[q][QPU_S_R5][0] & 15 : u->imm;
	bool plain = u->h % QPU_NUM_VARIANTS == QPU_V_PLAIN;
	const u32 *a = vm->v[q][u->a];
	struct full f;
	u32 *r = plain ? vm->v[q][u->d] : f.r;

	if (op == QPU_U_ROTQ || op == QPU_U_ROTQ5)
		rotate_quads(r, a, by);
	else
		rotate_all(r, a, by);
	if (plain)
		return;
	f.c = 0;
	f.ov = 0;
	finish(vm, q, u, &f);
}

/* Broadcast elements 0, 4, 8, 12 within their groups of four. */
static __always_inline vi spread_quads(const u32 *a, u32 lane)
{
#if VS_W == 1
	return a[lane & ~3];
#else
	vi index = {};
	u32 l;

	for (l = 0; l < VS_W; l++)
		index[l] = l & ~3;
	return v_permute(ld_i(a + lane), index);
#endif
}

/* Broadcast to all elements, or to those for which the condition holds. */
static __always_inline void spread(struct qpu_vm *vm, const struct qpu_uop *u, u32 k, bool all)
{
	u32 *d = SLOT((u8 *)vm->v[0][u->d]), mask, l;
	const u32 *a = SLOT((u8 *)vm->v[0][u->a]);
	vi one = splat_i(a[u->imm]);

	if (u->cond == QPU_COND_ALWAYS) {
		EACH_LANE(l)
			st_i(d + l, all ? one : spread_quads(a, l));
		return;
	}
	mask = qpu_cond_mask(vm->fl[vm->q[k]], u->cond);
	EACH_LANE(l)
		st_i(d + l, blend(mask, l, all ? one : spread_quads(a, l), ld_i(d + l)));
}

/* Copy the residue, the last group of four, to all groups. */
static noinline void show_residue(struct qpu_vm *vm, u32 q, const struct qpu_uop *u)
{
	u32 *d = vm->v[q][u->d], e;

	for (e = 0; e < 12; e++)
		d[e] = d[12 + (e & 3)];
}

static noinline void unpack(struct qpu_vm *vm, u32 q, const struct qpu_uop *u, bool is_float)
{
	const u32 *a = vm->v[q][u->a];
	u32 *d = vm->v[q][u->d], e;

#if VS_W > 1
	if (u->imm >= 3) {
		unpack_bytes(d, a, u->imm, is_float);
		return;
	}
#endif
	for (e = 0; e < QPU_LANES; e++)
		d[e] = is_float ? qpu_unpack_float(a[e], u->imm) : qpu_unpack_int(a[e], u->imm);
}

static noinline void load_elements(struct qpu_vm *vm, u32 q, const struct qpu_uop *u, bool sign)
{
	u32 *d = vm->v[q][u->d], e;

	for (e = 0; e < QPU_LANES; e++) {
		u32 hi = u->imm >> (16 + e) & 1, lo = u->imm >> e & 1;

		d[e] = (sign ? -(2 * hi) : 2 * hi) + lo;
	}
}

static __always_inline void load_imm(u32 *d, u32 imm)
{
	u32 l;

	EACH_LANE(l)
		st_i(d + l, splat_i(imm));
}

static noinline void rare(struct qpu_vm *vm, const struct qpu_uop *u)
{
	u32 op = u->h / QPU_NUM_VARIANTS, n = vm->n, k, q;

	EACH_QPU(q) {
		switch (op) {
		case QPU_U_LDI_S:
		case QPU_U_LDI_U:
			load_elements(vm, q, u, op == QPU_U_LDI_S);
			break;
		case QPU_U_UNPACK_I:
		case QPU_U_UNPACK_F:
			unpack(vm, q, u, op == QPU_U_UNPACK_F);
			break;
		case QPU_U_ROT:
		case QPU_U_ROTQ:
		case QPU_U_ROT5:
		case QPU_U_ROTQ5:
			rotate(vm, q, u, op);
			break;
		case QPU_U_SHOW_RESIDUE:
			show_residue(vm, q, u);
			break;
		case QPU_U_SAVE_COND:
			vm->fl[q][QPU_F_SAVED] = ~qpu_cond_mask(vm->fl[q], u->cond);
			break;
		}
	}
}

static __always_inline vi op_MOV(vi a, vi b)
{
	return a;
}

CARRY(MOV, splat_i(0))

noinline const struct qpu_uop *QPU_ENTRY(struct qpu_vm *vm, const struct qpu_uop *u,
					 const struct qpu_uop *end)
{
	u32 n = vm->n, k, q, l;
	enum qpu_periph r;

	for (; u < end; u++) {
		/* Local copies: the compiler assumes that stores to slots alias the micro-op. */
		u8 *pa = (u8 *)vm->v[0][u->a], *pb = (u8 *)vm->v[0][u->b];
		u8 *pd = (u8 *)vm->v[0][u->d];
		u32 imm = u->imm, cond = u->cond;

		/* Without jump tables; the most frequent operations come first. */
		switch (u->h) {
		PLAIN_CASE(QPU_A_FADD, FADD)
		PLAIN_CASE(QPU_A_FSUB, FSUB)
		PLAIN_CASE(QPU_A_ADD, ADD)
		PLAIN_CASE(QPU_U_MUL + QPU_M_FMUL, FMUL)
		PLAIN_CASE(QPU_U_MOV, MOV)
		case QPU_HANDLER(QPU_U_ROT, QPU_V_COND):
			EACH_GROUP {
				u32 r[QPU_LANES] __aligned(64), *d = SLOT(pd);
				u32 mask = qpu_cond_mask(vm->fl[vm->q[k]], cond);

				rotate_all(r, SLOT(pa), imm);
				EACH_LANE(l)
					st_i(d + l, blend(mask, l, ld_i(r + l), ld_i(d + l)));
			}
			continue;
		case QPU_HANDLER(QPU_U_R5_ALL, QPU_V_PLAIN):
			EACH_GROUP
				spread(vm, u, k, true);
			continue;
		default:
			break;
		}
		switch (u->h) {
#define QPU_ADD_OP(code, name, text, nops, ...)	ALU_CASES_##nops(code, name)
#define QPU_MUL_OP(code, name, text, nops, ...)	ALU_CASES_##nops(QPU_U_MUL + (code), name)
#include "qpu_ops.def"
#undef QPU_ADD_OP
#undef QPU_MUL_OP
		ALU_CASES(QPU_U_MOV, MOV)
		case QPU_HANDLER(QPU_U_LDI, QPU_V_PLAIN):
			EACH_GROUP
				load_imm(SLOT(pd), imm);
			break;
		case QPU_HANDLER(QPU_U_ROT, QPU_V_PLAIN):
			EACH_GROUP
				rotate_all(SLOT(pd), SLOT(pa), imm);
			break;
		case QPU_HANDLER(QPU_U_R5_QUAD, QPU_V_PLAIN):
			EACH_GROUP
				spread(vm, u, k, false);
			break;
		case QPU_HANDLER(QPU_U_UNIF, QPU_V_PLAIN):
			EACH_QPU(q) {
				u32 *d = SLOT(pd);
				vi v = splat_i(vm->unif[q][u->imm - vm->first]);

				EACH_LANE(l)
					st_i(d + l, v);
			}
			break;
		case QPU_HANDLER(QPU_U_RESIDUE, QPU_V_PLAIN):
			EACH_GROUP
				memcpy(SLOT(pd) + 12, SLOT(pa) + 12, 16);
			break;
		case QPU_HANDLER(QPU_U_VPM_READ, QPU_V_PLAIN):
		case QPU_HANDLER(QPU_U_VPM_WRITE, QPU_V_PLAIN):
		case QPU_HANDLER(QPU_U_TMU, QPU_V_PLAIN):
		case QPU_HANDLER(QPU_U_LDTMU, QPU_V_PLAIN):
		case QPU_HANDLER(QPU_U_LDTMU_LATE, QPU_V_PLAIN):
		case QPU_HANDLER(QPU_U_VPM_CTL, QPU_V_PLAIN):
		case QPU_HANDLER(QPU_U_PERIPH, QPU_V_PLAIN):
			r = periph(vm, u);
			if (r == QPU_PERIPH_FAULT)
				return u;
			if (r != QPU_PERIPH_OK)
				u += u->pad;
			if (r == QPU_PERIPH_STOP)
				return u + 1;
			break;
		default:
			rare(vm, u);
		}
	}
	return u;
}
