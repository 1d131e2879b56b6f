/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A build of the SIMT executor. The including file has defined the vector primitives of one
 * width and SIMT_ENTRY, the name of its function.
 */
#include "simt_part.h"

/* Hot handlers: all lanes at once where the code stays small. */
#if VS_W == 8
#define SIMT_UNROLL	VS_UNROLL(8)
#else
#define SIMT_UNROLL	VS_UNROLL(4)
#endif

/**
 * struct opnd - Location of an operand.
 * @p:	first vector
 * @t:	bytes from one vector to the next; 0 for words of the uniform table
 * @gap:	bytes from one block's operand to the next; 0 if shared
 * @is_word:	the operand is @word, which was read once: the compiler would read it again after
 *		each store to a slot
 * @word:	word of the uniform table in all lanes
 */
struct opnd {
	const u8 *p;
	unsigned long t;
	unsigned long gap;
	bool is_word;
	vi word;
};

/*
 * Branchless, as a branch would be unpredictable. Operands from @own on are shared by all blocks.
 */
static __always_inline struct opnd opnd(const u32 *slot, const u32 *unif, u16 s, u32 gap, u32 own)
{
	unsigned long is_unif = -(unsigned long)(s >> 15);
	unsigned long a = (unsigned long)slot + 4UL * SIMT_LANES * s;
	unsigned long c = (unsigned long)unif + 64UL * (s & ~SIMT_U);

	return (struct opnd){
		.p = (const u8 *)(a ^ ((a ^ c) & is_unif)),
		.t = ~is_unif & (4 * VS_W),
		.gap = -(unsigned long)(s < own) & (4UL * gap),
	};
}

/*
 * Return: no operand of @u, which has @n, is a word of the uniform table, or, with @second, only
 * the second one, or the second and the fourth one. The addresses of the vectors of such operands
 * differ by constants.
 */
static __always_inline bool in_slots(const struct simt_uop *u, const u32 n, const bool second)
{
	const u16 bits[4] = { SIMT_U, SIMT_U, SIMT_U, SIMT_U };
	const u16 want[4] = { 0, second * SIMT_U, 0, (second && n == 4) * SIMT_U };
	u64 s, b, w;

	memcpy(&s, u->s, sizeof(s));
	memcpy(&b, bits, sizeof(b));
	memcpy(&w, want, sizeof(w));
	return VS_W != 1 && (s & b) == w;
}

static __always_inline struct opnd slot_opnd(const u32 *slot, u16 s, u32 gap, u32 own)
{
	return (struct opnd){
		.p = (const u8 *)(slot + (size_t)SIMT_LANES * s),
		.t = 4 * VS_W,
		.gap = -(unsigned long)(s < own) & (4UL * gap),
	};
}

static __always_inline struct opnd word_opnd(const u32 *unif, u16 s)
{
	return (struct opnd){
		.is_word = true,
		.word = ld_i(unif + 16UL * (s & ~SIMT_U)),
	};
}

/* The vector at lane @l. */
static __always_inline vi at(struct opnd o, u32 l)
{
	return o.is_word ? o.word : ld_i((const u32 *)(o.p + l / VS_W * o.t));
}

/*
 * The same operand of the next block. @t stays, but seems to change: the compiler would compute
 * the addresses of all vectors before the loop over blocks and spill them.
 */
static __always_inline void next_block(struct opnd *o)
{
	o->p += o->gap;
	if (!__builtin_constant_p(o->t))
		__asm__("" : "+r"(o->t));
}

/* ---- modifiers ---- */

/**
 * struct mods - Modifiers of a source as masks: (bits & and) ^ xor.
 * @and:	clears the sign
 * @xor:	flips the sign
 */
struct mods {
	vi and;
	vi xor;
};

static __always_inline struct mods mods(const struct simt_uop *u, u32 i)
{
	return (struct mods){
		.and = splat_i(u->mods & SIMT_ABS(i) ? VS_F32_ABS : ~0U),
		.xor = splat_i(u->mods & SIMT_NEG(i) ? VS_F32_SIGN : 0),
	};
}

static __always_inline vf modified(struct mods m, vi v)
{
	return as_f((v & m.and) ^ m.xor);
}

/**
 * struct hmods - Modifiers of a source of two halves.
 * @and:	clears the signs
 * @xor:	flips the signs
 * @keep:	mask of halves that are not swapped
 */
struct hmods {
	vi and;
	vi xor;
	vi keep;
};

static __always_inline struct hmods hmods(const struct simt_uop *u, u32 i)
{
	u32 keep = (simt_swz_half(u->imm, i, 0) ? 0 : 0xffff) |
		   (simt_swz_half(u->imm, i, 1) ? 0xffff0000 : 0);

	return (struct hmods){
		.and = splat_i(u->mods & SIMT_ABS(i) ? 0x7fff7fff : ~0U),
		.xor = splat_i(u->mods & SIMT_NEG(i) ? 0x80008000 : 0),
		.keep = splat_i(keep),
	};
}

static __always_inline struct vh hmodified(struct hmods m, vi v)
{
	v = i_sel(m.keep, v, i_shl(v, 16) | i_shr(v, 16));
	return h_split((v & m.and) ^ m.xor);
}

/* ---- byte permutation ---- */

#if VS_W >= 8 || defined(VS_NEON)

/* Indices for the byte shuffle: bytes of @v that are below 4, the others give zero. */
static __always_inline u32 perm_pick(u32 v)
{
	return v | ((v + 0x7c7c7c7c) & 0x80808080);
}

static __always_inline vi perm_index(u32 v)
{
	vi base = {};
	u32 i;

	for (i = 0; i < VS_W; i++)
		base[i] = (i & 3) * 0x04040404;
	return i_add(splat_i(perm_pick(v)), base);
}

static __always_inline vi perm_shuffle(vi v, vi index)
{
#ifdef VS_NEON
	__asm__("tbl %0.16b, { %0.16b }, %1.16b" : "+w"(v) : "w"(index));
#else
	__asm__("vpshufb %1, %0, %0" : "+v"(v) : "v"(index));
#endif
	return v;
}

/**
 * struct perm - Masks of a PERM.
 * @a:		byte indices into s0
 * @b:		byte indices into s1
 * @sign:	byte indices into the signs of s0
 * @ones:	constant bytes
 */
struct perm {
	vi a;
	vi b;
	vi sign;
	vi ones;
};

static __always_inline struct perm perm_prepare(u32 imm)
{
	u32 v = (imm & 15) | (imm & 0xf0) << 4 | (imm & 0xf00) << 8 | (imm & 0xf000) << 12;
	u32 ff = v ^ 0x09090909;

	ff = ~(ff + 0x7f7f7f7f) >> 7 & 0x01010101;
	return (struct perm){
		.a = perm_index(v),
		.b = perm_index(v ^ 0x04040404),
		.sign = perm_index((v + 0x06060606) ^ 0x10101010),
		.ones = splat_i(ff * 0xff),
	};
}

static __always_inline vi perm_do(const struct perm *p, const bool signs, vi a, vi b)
{
	typedef VS_VEC(s8, 4 * VS_W) vbytes;
	vi r = perm_shuffle(a, p->a) | perm_shuffle(b, p->b) | p->ones;

	if (signs)
		r |= perm_shuffle((vi)((vbytes)a >> 7), p->sign);
	return r;
}

#elif VS_W == 4

/* Without a byte shuffle: shift each byte to its place. */
struct perm {
	struct {
		u32 right;
		u32 mask_a;
		u32 mask_b;
	} byte[4];
	u32 ones;
};

static __always_inline struct perm perm_prepare(u32 imm)
{
	struct perm p = { .ones = 0 };
	u32 i, k;

	for (i = 0; i < 4; i++) {
		k = imm >> (4 * i) & 15;
		p.byte[i].right = 8 * (k & 3);
		p.byte[i].mask_a = k < 4 ? 0xff : 0;
		p.byte[i].mask_b = k >= 4 && k < 8 ? 0xff : 0;
		if (k == SIMT_PERM_FF)
			p.ones |= 0xffU << (8 * i);
	}
	return p;
}

static __always_inline vi perm_do(const struct perm *p, const bool signs, vi a, vi b)
{
	vi r = splat_i(p->ones), v;
	u32 i;

	VS_UNROLL(4)
	for (i = 0; i < 4; i++) {
		v = (a & splat_i(p->byte[i].mask_a << p->byte[i].right)) |
		    (b & splat_i(p->byte[i].mask_b << p->byte[i].right));
		r |= i_shl(i_shr(v, p->byte[i].right), 8 * i);
	}
	return r;
}

#else

struct perm {
	u32 imm;
};

static __always_inline struct perm perm_prepare(u32 imm)
{
	return (struct perm){ imm };
}

static __always_inline vi perm_do(const struct perm *p, const bool signs, vi a, vi b)
{
	return simt_perm1(p->imm, a, b);
}

#endif

/* ---- high words of products ---- */

#if VS_W == 1

static __always_inline vi u_mulh(vi a, vi b)
{
	return (u64)(u32)a * (u32)b >> 32;
}

#elif defined(VS_NEON)

static __always_inline vi u_mulh(vi a, vi b)
{
	vi low, high;

	__asm__("umull %0.2d, %1.2s, %2.2s" : "=w"(low) : "w"(a), "w"(b));
	__asm__("umull2 %0.2d, %1.4s, %2.4s" : "=w"(high) : "w"(a), "w"(b));
	return __builtin_shufflevector(low, high, 1, 3, 5, 7);
}

#else

/* 64-bit products of the even lanes. */
static __always_inline vlh mul_even(vi a, vi b)
{
#if VS_W == 4
	__asm__("pmuludq %1, %0" : "+x"(a) : "x"(b));
#else
	__asm__("vpmuludq %1, %0, %0" : "+v"(a) : "v"(b));
#endif
	return (vlh)a;
}

static __always_inline vi u_mulh(vi a, vi b)
{
	typedef VS_VEC(u64, 4 * VS_W) vluh;
	vluh low = (vluh)mul_even(a, b);
	vluh high = (vluh)mul_even((vi)((vluh)a >> 32), (vi)((vluh)b >> 32));

	return (vi)(low >> 32 | (high & 0xffffffff00000000ULL));
}

#endif

static __always_inline vi i_mulh(vi a, vi b)
{
	return i_sub(i_sub(u_mulh(a, b), b & (a >> 31)), a & (b >> 31));
}

/* ---- 64 bits ---- */

struct wide {
	vi lo;
	vi hi;
};

/* ((lo, hi) << n) + (c, e); @how: 1 sign-extended, 2 zero-extended lo instead of hi. */
static __always_inline struct wide wide_shadd(const u32 how, u32 n, vi lo, vi hi, vi c, vi e)
{
	struct wide r;

	if (how == 1)
		hi = lo >> 31;
	else if (how == 2)
		hi = splat_i(0);
	hi = i_shl(hi, n) | i_shr(i_shr(lo, 1), 31 - n);
	r.lo = i_add(i_shl(lo, n), c);
	r.hi = i_add(i_add(hi, e), m_and(m_ucmp(SIMT_LT, r.lo, c), splat_i(1)));
	return r;
}

/* ---- halves and bytes as separate lanes ---- */

#if VS_W != 1

#define PARTS(p, bits)								\
typedef VS_VEC(u##bits, 4 * VS_W) p##u;						\
typedef VS_VEC(s##bits, 4 * VS_W) p##s;						\
										\
static __always_inline vi p##_add(vi a, vi b)					\
{										\
	return (vi)((p##u)a + (p##u)b);						\
}										\
										\
static __always_inline vi p##_sub(vi a, vi b)					\
{										\
	return (vi)((p##u)a - (p##u)b);						\
}										\
										\
static __always_inline vi p##_gt(u32 is_unsigned, vi a, vi b)			\
{										\
	return is_unsigned ? (vi)((p##u)a > (p##u)b) : (vi)((p##s)a > (p##s)b);	\
}										\
										\
static __always_inline vi p##_eq(vi a, vi b)					\
{										\
	return (vi)((p##u)a == (p##u)b);					\
}										\
										\
static __always_inline vi p##_minmax(u32 imm, vi a, vi b)			\
{										\
	vi gt = p##_gt(imm & 2, a, b);						\
										\
	return imm & 1 ? i_sel(gt, a, b) : i_sel(gt, b, a);			\
}										\
										\
static __always_inline vi p##_compare(u32 imm, vi a, vi b)			\
{										\
	switch (imm & 15) {							\
	case SIMT_EQ:								\
		return p##_eq(a, b);						\
	case SIMT_GT:								\
		return p##_gt(imm & 0x40, a, b);				\
	case SIMT_GE:								\
		return ~p##_gt(imm & 0x40, b, a);				\
	case SIMT_LT:								\
		return p##_gt(imm & 0x40, b, a);				\
	case SIMT_LE:								\
		return ~p##_gt(imm & 0x40, a, b);				\
	case SIMT_ORD:								\
		return splat_i(~0U);						\
	default:	/* SIMT_NE, SIMT_GTLT */				\
		return ~p##_eq(a, b);						\
	}									\
}

PARTS(p16, 16)
PARTS(p8, 8)
#undef PARTS

static __always_inline vi p16_mul(vi a, vi b)
{
	return (vi)((p16u)a * (p16u)b);
}

static __always_inline vi p16_cmp(u32 imm, vi a, vi b)
{
	struct vh x, y, h;

	if (!(imm & 0x80))
		return p16_compare(imm, a, b);
	x = h_split(a);
	y = h_split(b);
	h.x = as_f(m_and(num_cmp_by(imm, x.x, y.x), splat_i(VS_F32_ONE)));
	h.y = as_f(m_and(num_cmp_by(imm, x.y, y.y), splat_i(VS_F32_ONE)));
	return num_half_mask(h_join(h));
}

static __always_inline vi p8_cmp(u32 imm, vi a, vi b)
{
	return p8_compare(imm, a, b);
}

#endif

/* ---- handlers ---- */

/* The n-th source, the destination. */
#define SRC(n)		opnd(slot, unif, u->s[n], gap, owned)
#define SLOT(n)		slot_opnd(slot, u->s[n], gap, owned)
#define WORD(n)		word_opnd(unif, u->s[n])
#define DEST		(slot + SIMT_LANES * u->d)

/* For an operation of n sources, each of which is SRC, SLOT or WORD; their vectors at l. */
#define SOURCES_1(src, second)	struct opnd o0 = src(0); u32 *d = DEST
#define SOURCES_2(src, second)	SOURCES_1(src, second); struct opnd o1 = second(1)
#define SOURCES_3(src, second)	SOURCES_2(src, second); struct opnd o2 = src(2)
#define SOURCES_4(src, second)	SOURCES_3(src, second); struct opnd o3 = second(3)
#define READ_1		vi x = at(o0, l)
#define READ_2		READ_1, y = at(o1, l)
#define READ_3		READ_2, z = at(o2, l)
#define READ_4		READ_3, w = at(o3, l)

#include "simt_exec_gen.h"

/* Canonicalise the NaNs among the active lanes of slot @d. */
static noinline void canonical(struct simt_block *b, u32 *d)
{
	u32 l;

	v_masks(b);
	for (l = 0; l < SIMT_LANES; l += VS_W)
		if (b->mask >> l & SIMT_VEC_LANES)
			v_put(b, b->mask >> l, l, d + l, as_i(f_canon(as_f(ld_i(d + l)))));
}

/* The same for halves. */
static noinline void canonical_halves(struct simt_block *b, u32 *d)
{
	struct vh h;
	u32 l;

	v_masks(b);
	for (l = 0; l < SIMT_LANES; l += VS_W) {
		if (!(b->mask >> l & SIMT_VEC_LANES))
			continue;
		h = h_split(ld_i(d + l));
		h.x = f_canon(h.x);
		h.y = f_canon(h.y);
		v_put(b, b->mask >> l, l, d + l, h_join(h));
	}
}

/* ---- control ---- */

#if VS_W != 1

#include "simt_compare.h"

/*
 * Select the path that runs at micro-op @to, following control micro-op @u, and charge @u and the
 * straight line before it. Return: false: simt_flow_run() has to execute @u.
 */
static __always_inline bool exec_pick(struct simt_jumps *j, const struct simt_uop *u, u32 to,
				      bool lowest, u32 picks)
{
	u32 weight = j->wsum[u - j->uops + 1] - j->wsum[j->from];

	if (!lowest || j->picks >= j->max_picks || j->left <= weight + j->toll)
		return false;
	j->left -= weight + j->toll;
	j->charged += weight;
	j->picks += picks;
	j->from = to;
	return true;
}

/* Return: the next micro-op; @u: simt_flow_run() has to execute it. */
static __always_inline const struct simt_uop *exec_join(struct simt_jumps *j,
							const struct simt_uop *u)
{
	u32 n = u - j->uops;

	return exec_pick(j, u, n + 1, n < j->limit, j->limit != ~0U) ? u + 1 : u;
}

static __always_inline const struct simt_uop *exec_goto(struct simt_jumps *j,
							const struct simt_uop *u, u32 to)
{
	return exec_pick(j, u, to, to < j->limit, 1) ? j->uops + to : u;
}

static noinline const struct simt_uop *exec_branch(struct simt_block *b, const struct simt_uop *u)
{
	u32 how = u->op == SIMT_BRCMP ? u->n & ~SIMT_BRCMP_NOT : SIMT_BRCMP(SIMT_NE, SIMT_CMP_I);
	bool not = u->op == SIMT_BRZ || (u->op == SIMT_BRCMP && u->n & SIMT_BRCMP_NOT);
	static const u32 zero[VS_W] __aligned(4 * VS_W);
	struct opnd x = opnd(b->slot, b->unif, u->s[0], 0, 0), y = { .p = (const u8 *)zero };
	u64 taken;

	if (u->op == SIMT_BRCMP)
		y = opnd(b->slot, b->unif, u->s[1], 0, 0);
	taken = simt_compared(how, (const u32 *)x.p, x.t / 4, (const u32 *)y.p, y.t / 4) & b->mask;
	if (taken && taken != b->mask)
		return u;
	return exec_goto(&b->jumps, u, !taken == not ? u->imm : u - b->jumps.uops + 1);
}

#endif

/* ---- instantiations: the portable executor, which is slow anyway, has one for all cases ---- */

#if VS_W != 1
#define RUN		run_all
#define SIMT_MASKED	0
#define SIMT_STEP	0
#include "simt_exec_tmpl.h"

#define RUN		run_all_step
#define SIMT_MASKED	0
#define SIMT_STEP	1
#include "simt_exec_tmpl.h"

#define RUN		run_some
#define SIMT_MASKED	1
#define SIMT_STEP	0
#include "simt_exec_tmpl.h"
#endif

#define RUN		run_some_step
#define SIMT_MASKED	1
#define SIMT_STEP	1
#include "simt_exec_tmpl.h"

noinline const struct simt_uop *SIMT_ENTRY(struct simt_block *b, const struct simt_uop *u)
{
#if VS_W != 1
	if (likely(b->mask == ~0ULL))
		return b->step > 1 ? run_all_step(b, u) : run_all(b, u);
	if (b->step <= 1)
		return run_some(b, u);
#endif
	return run_some_step(b, u);
}
