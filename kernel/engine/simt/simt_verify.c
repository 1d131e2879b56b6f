// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Program verifier: every slot, uniform word, immediate and target of a program is in range,
 * whatever its origin, so that executors need no checks.
 */
#include "simt_opt.h"

static bool slots_ok(const struct simt_prog *p, u32 first, u32 n)
{
	return first < p->nslots && n <= p->nslots - first;
}

static bool source_ok(const struct simt_prog *p, u32 s)
{
	if (s & SIMT_U)
		return (s & ~SIMT_U) < p->nunif + p->nconst;
	return s < p->nslots;
}

static bool mods_ok(const struct simt_uop *u, const struct simt_opinfo *o)
{
	u32 src = (1U << o->nsrc) - 1, allowed = 0;

	switch (o->class) {
	case SIMT_CL_F:
	case SIMT_CL_H:
		allowed = SIMT_CLAMP(3);
		fallthrough;
	case SIMT_CL_B:
	case SIMT_CL_G:
		allowed |= src | src << 4;
		break;
	}
	return !(u->mods & ~allowed);
}

static bool cmp_ok(u32 imm)
{
	return (imm >> 4) <= SIMT_TRUE_M1 && !(imm & 8);
}

static bool round_ok(u32 imm)
{
	return imm <= SIMT_RTNA;
}

/* The swizzle bits of @imm are not part of this check. */
static bool half_imm_ok(u32 op, u32 imm)
{
	imm &= 0xffff;
	switch (op) {
	case SIMT_HFMAR:
	case SIMT_HRND:
		return round_ok(imm);
	case SIMT_HMIN:
	case SIMT_HMAX:
		return imm <= SIMT_NAN_C_INV;
	case SIMT_HCMP:
		return cmp_ok(imm);
	default:
		return !imm;
	}
}

static bool packed_imm_ok(u32 op, u32 imm)
{
	switch (op) {
	case SIMT_ICMP16:
	case SIMT_ICMP8:
		return cmp_ok(imm & ~0x40U);
	case SIMT_CSEL16:
		return !(imm & ~0xc7U) && (imm & 0xc0) != 0xc0;
	case SIMT_CSEL8:
		return !(imm & ~0x47U);
	case SIMT_ISAT16:
	case SIMT_ISAT8:
	case SIMT_IHADD:
	case SIMT_IHADD16:
	case SIMT_IHADD8:
	case SIMT_IMM16:
	case SIMT_IMM8:
		return imm <= 3;
	case SIMT_CLZ:
	case SIMT_CLZ16:
	case SIMT_CLZ8:
		return imm <= 1;
	default:
		return !imm;
	}
}

static bool word_imm_ok(u32 op, u32 imm)
{
	switch (op) {
	case SIMT_PERM:
		for (; imm; imm >>= 4) {
			if ((imm & 15) > SIMT_PERM_SIGN(3))
				return false;
		}
		return true;
	case SIMT_LANE:
		return imm < SIMT_LANES;
	case SIMT_IAND:
	case SIMT_IOR:
	case SIMT_IXOR:
		return imm <= 7;
	case SIMT_SHLI:
	case SIMT_SHLA:
	case SIMT_SHLX:
	case SIMT_SHRX:
	case SIMT_SHRXM:
	case SIMT_SHRI:
	case SIMT_ASRI:
		return imm <= 31;
	case SIMT_ICMP:
	case SIMT_UCMP:
		return cmp_ok(imm);
	case SIMT_ICSEL:
	case SIMT_UCSEL:
		return imm <= SIMT_ORD;
	case SIMT_SHADD:
		return !(imm & ~0x37U) && imm >> 4 <= 2;
	case SIMT_CLPER:
		return !(imm & ~0xf33U) && (imm >> 4 & 3) <= 2;
	case SIMT_WMASK:
		return imm <= 5;
	case SIMT_I2F:
	case SIMT_U2F:
		return round_ok(imm);
	case SIMT_FSUPP:
	case SIMT_HSUPP:
		return imm <= 3;
	default:
		return packed_imm_ok(op, imm);
	}
}

static bool float_imm_ok(u32 op, u32 imm)
{
	switch (op) {
	case SIMT_FMAR:
	case SIMT_FRND:
	case SIMT_F2I:
	case SIMT_F2U:
		return round_ok(imm);
	case SIMT_FMASC:
		return round_ok(imm & ~0x30U) && (imm & 0x30) != 0x30;
	case SIMT_FMIN:
	case SIMT_FMAX:
		return imm <= SIMT_NAN_C_INV;
	case SIMT_FREXPM:
		return imm <= SIMT_FREXP_LOG;
	case SIMT_FREXPE:
		return (imm & ~0x10U) <= SIMT_FREXP_LOG;
	case SIMT_FLOGT:
		return imm <= 2;
	case SIMT_FCMP:
		return cmp_ok(imm);
	case SIMT_FCSEL:
		return imm <= SIMT_ORD;
	case SIMT_F2H2:
		return round_ok(imm & 0xf) && imm >> 4 <= SIMT_CLAMP_0_1;
	case SIMT_H2F:
		return imm <= 1;
	default:
		return !imm;
	}
}

static bool alu_ok(const struct simt_prog *p, const struct simt_uop *u, u32 class)
{
	if (!slots_ok(p, u->d, 1))
		return false;
	if (u->op == SIMT_SHADD) {
		bool low = u->d >= p->own, high = u->d2 >= p->own;

		if (!slots_ok(p, u->d2, 1) || low != high)
			return false;
	}
	switch (class) {
	case SIMT_CL_F:
	case SIMT_CL_B:
		return float_imm_ok(u->op, u->imm);
	case SIMT_CL_H:
	case SIMT_CL_G:
		return half_imm_ok(u->op, u->imm) && u->imm >> 22 == 0;
	default:
		return word_imm_ok(u->op, u->imm);
	}
}

/* Return: the base address is two words of the uniform table. */
static bool base_ok(const struct simt_prog *p, const struct simt_uop *u)
{
	return u->s[1] & SIMT_U && (u->s[1] & ~SIMT_U) + 1 < p->nunif + p->nconst;
}

static bool memory_ok(const struct simt_prog *p, const struct simt_uop *u)
{
	u32 bytes = SIMT_MEM_BYTES(u->imm), seg = SIMT_MEM_SEG(u->imm);
	u32 words = u->imm & SIMT_ATOM_64 ? 2 : 1, none = 0xff00;

	if (seg == SIMT_SEG_BASE && !base_ok(p, u))
		return false;
	if (seg == SIMT_SEG_BASE || (seg == SIMT_SEG_LOCAL && u->op != SIMT_ATOM)) {
		seg = SIMT_SEG_GLOBAL;
		none &= ~SIMT_MEM_WIDEN;
	}

	if (u->op == SIMT_LD)
		return bytes >= 1 && bytes <= 16 && seg <= SIMT_SEG_UBO && !(u->imm & none) &&
		       slots_ok(p, u->d, DIV_ROUND_UP(bytes, 4));
	if (u->op == SIMT_ST)
		return bytes >= 1 && bytes <= 16 && seg <= SIMT_SEG_TLS && !(u->imm & none) &&
		       slots_ok(p, u->d, DIV_ROUND_UP(bytes, 4));
	return SIMT_ATOM_OP(u->imm) < SIMT_NUM_ATOMS && seg <= SIMT_SEG_TLS &&
	       !(u->imm & 0xfc00) && slots_ok(p, u->d, words) && slots_ok(p, u->d2, words);
}

static bool brcmp_ok(u32 n)
{
	return n <= SIMT_BRCMP(SIMT_ORD, SIMT_CMP_F) ||
	       (n <= SIMT_BRCMP(SIMT_LE, SIMT_CMP_U) && (n & 7) <= SIMT_LE);
}

static bool control_ok(const struct simt_prog *p, const struct simt_uop *u)
{
	switch (u->op) {
	case SIMT_JMP:
	case SIMT_BRNZ:
	case SIMT_BRZ:
	case SIMT_BRCMP:
		if (u->op == SIMT_BRCMP && !brcmp_ok(u->n & ~SIMT_BRCMP_NOT))
			return false;
		return u->imm < p->nuops && p->uops[u->imm].op == SIMT_JOIN;
	case SIMT_JOIN:
		return !u->imm || (p->debug && u->imm < SIMT_GUEST + SIMT_MAX_PARTS);
	default:
		return true;
	}
}

static bool simt_verify_uop_ok(const struct simt_prog *p, const struct simt_uop *u)
{
	const struct simt_opinfo *o = &simt_opinfo[u->op];
	u32 i;

	if (!mods_ok(u, o))
		return false;
	for (i = 0; i < o->nsrc; i++) {
		if (!source_ok(p, u->s[i]))
			return false;
	}
	switch (o->class) {
	case SIMT_CL_M:
		return memory_ok(p, u);
	case SIMT_CL_X:
		return slots_ok(p, u->d, SIMT_EXT_SLOTS) && slots_ok(p, u->d2, SIMT_EXT_SLOTS);
	case SIMT_CL_C:
		return control_ok(p, u);
	default:
		return alu_ok(p, u, o->class);
	}
}

static bool simt_verify_ends(u32 op)
{
	return op == SIMT_END || op == SIMT_FAULT || op == SIMT_JMP;
}

static bool frame_ok(const struct simt_prog *p)
{
	return p->nuops && p->nuops <= SIMT_MAX_UOPS && p->nslots <= SIMT_MAX_SLOTS &&
	       p->zero <= p->own && p->own <= p->nslots &&
	       (u64)p->nunif + p->nconst <= SIMT_MAX_UNIF &&
	       p->entry < p->nuops && p->warp >= 4 && p->warp <= SIMT_LANES &&
	       !(p->warp & (p->warp - 1)) && p->uops[p->nuops - 1].op < SIMT_NUM_OPS &&
	       simt_verify_ends(p->uops[p->nuops - 1].op);
}

/**
 * simt_verify_part - verify a program in pieces
 * @p: program, of any origin
 * @pass: progress
 * @run: micro-ops since the last of classes M, X and C
 *
 * Return: 0, -EAGAIN, or -EINVAL with the offending micro-op in @pass.
 */
int simt_verify_part(const struct simt_prog *p, struct simt_pass *pass, u32 *run)
{
	if (!pass->i && !frame_ok(p)) {
		pass->i = p->nuops;
		return -EINVAL;
	}
	for (; simt_pass_more(pass, p->nuops); pass->i++) {
		const struct simt_uop *u = &p->uops[pass->i];

		if (u->op >= SIMT_NUM_OPS || u->h != simt_handler(u) || !simt_verify_uop_ok(p, u))
			return -EINVAL;
		*run = simt_opinfo[u->op].class <= SIMT_CL_I ? *run + 1 : 0;
		if (*run > SIMT_MAX_STRAIGHT)
			return -EINVAL;
	}
	return simt_pass_end(pass, p->nuops);
}

/**
 * simt_prog_verify - verify a program, so that executors need no checks
 * @p: program, of any origin
 * @bad: offending micro-op; nuops if it is the program as a whole
 *
 * Return: 0 or -EINVAL.
 */
int simt_prog_verify(const struct simt_prog *p, u32 *bad)
{
	struct simt_pass pass = { .left = ~0U };
	u32 run = 0;
	int ret;

	ret = simt_verify_part(p, &pass, &run);
	*bad = pass.i;
	return ret;
}
