// SPDX-License-Identifier: GPL-2.0
/* Integers of the reference: everything in 64 bits, a bit or a part at a time. */
#include "simt_ref_int.h"

/* The part of @bits bits number @k, as a number. */
static s64 part(u32 v, unsigned int bits, unsigned int k, bool is_signed)
{
	s64 r = (s64)(v >> (bits * k)) & ((1LL << bits) - 1);

	return is_signed && r >> (bits - 1) & 1 ? r - (1LL << bits) : r;
}

static bool compare(s64 a, s64 b, u32 cmp)
{
	switch (cmp & 15) {
	case SIMT_EQ:
		return a == b;
	case SIMT_GT:
		return a > b;
	case SIMT_GE:
		return a >= b;
	case SIMT_NE:
	case SIMT_GTLT:
		return a != b;
	case SIMT_LT:
		return a < b;
	case SIMT_LE:
		return a <= b;
	default:
		return true;
	}
}

static s64 saturate(s64 v, unsigned int bits, bool is_signed)
{
	s64 lo = is_signed ? -(1LL << (bits - 1)) : 0;
	s64 hi = is_signed ? (1LL << (bits - 1)) - 1 : (1LL << bits) - 1;

	return v < lo ? lo : v > hi ? hi : v;
}

static unsigned int leading_zeros(u64 v, unsigned int bits)
{
	unsigned int n = 0;

	while (n < bits && !(v >> (bits - 1 - n) & 1))
		n++;
	return n;
}

/* As an order of halves: NaN apart. */
static bool compare_half(u32 a, u32 b, u32 cmp)
{
	bool nan = (a & 0x7fff) > 0x7c00 || (b & 0x7fff) > 0x7c00;
	s64 x = a & 0x8000 ? -(s64)(a & 0x7fff) : a, y = b & 0x8000 ? -(s64)(b & 0x7fff) : b;

	if (nan)
		return (cmp & 15) == SIMT_NE;
	return compare(x, y, cmp);
}

enum what { ADD, SUB, MUL, SAT, HADD, MINMAX, ABS, SHL, SHR, ASR, CMP, SEL, CLZ };

static s64 one_part(enum what what, const struct simt_uop *u, const u32 *s, unsigned int bits,
		    unsigned int k)
{
	u32 imm = u->imm;
	bool sg = !(imm & (what == CMP || what == SEL ? 0x40 : 2));
	s64 a = part(s[0], bits, k, sg), b = part(s[1], bits, k, sg);
	s64 ua = part(s[0], bits, k, false), ub = part(s[1], bits, k, false);
	bool yes;

	switch (what) {
	case ADD:
		return ua + ub;
	case SUB:
		return ua - ub;
	case MUL:
		return ua * ub;
	case SAT:
		return saturate(imm & 1 ? a - b : a + b, bits, sg);
	case HADD:
		return (a + b + (imm & 1)) >> 1;
	case MINMAX:
		return (imm & 1) == (a > b) ? a : b;
	case ABS:
		a = part(s[0], bits, k, true);
		return a < 0 ? -a : a;
	case SHL:
		return ua << (ub & (bits - 1));
	case SHR:
		return ua >> (ub & (bits - 1));
	case ASR:
		return part(s[0], bits, k, true) >> (ub & (bits - 1));
	case CLZ:
		return !ua && imm & 1 ? -1 : leading_zeros(ua, bits);
	default:
		yes = what == SEL && bits == 16 && imm & 0x80 ? compare_half(ua, ub, imm) :
			compare(a, b, imm);
		if (what == SEL)
			return part(yes ? s[2] : s[3], bits, k, false);
		return !yes ? 0 : (imm >> 4 & 3) == SIMT_TRUE_M1 ? -1 : 1;
	}
}

static u32 parts(enum what what, const struct simt_uop *u, const u32 *s, unsigned int bits)
{
	u32 r = 0, k;

	for (k = 0; k < 32 / bits; k++)
		r |= ((u32)one_part(what, u, s, bits, k) & ((1u << bits) - 1)) << (bits * k);
	return r;
}

static u32 perm(u32 imm, u32 a, u32 b)
{
	u32 r = 0, i, k;

	for (i = 0; i < 4; i++) {
		k = imm >> (4 * i) & 15;
		if (k < 8)
			r |= (u32)part(k < 4 ? a : b, 8, k & 3, false) << (8 * i);
		else if (k == 9 || (k > 9 && part(a, 8, k - 10, true) < 0))
			r |= 0xffu << (8 * i);
	}
	return r;
}

static u32 inverted(u32 op, u32 imm, u32 a, u32 b)
{
	a = imm & 1 ? ~a : a;
	b = imm & 2 ? ~b : b;
	a = op == SIMT_IAND ? a & b : op == SIMT_IOR ? a | b : a ^ b;
	return imm & 4 ? ~a : a;
}

static u32 half_supp(u32 op, u32 imm, u32 v)
{
	u32 r = 0, k;

	for (k = 0; k < 2; k++) {
		u32 h = (u32)part(v, 16, k, false);

		if (op == SIMT_HFTZ && !(h & 0x7c00))
			h &= 0x8000;
		if (op == SIMT_HSUPP && imm & 1 && (h & 0x7fff) == 0x7c00)
			h -= 1;
		if (op == SIMT_HSUPP && imm & 2 && (h & 0x7fff) > 0x7c00)
			h = 0;
		r |= h << (16 * k);
	}
	return r;
}

static u32 shift_add(const struct simt_uop *u, const u32 *s, u32 *high)
{
	u64 a = s[0] | (u64)s[1] << 32, r;

	if ((u->imm >> 4 & 3) == 1)
		a = (u64)(s64)(s32)s[0];
	else if ((u->imm >> 4 & 3) == 2)
		a = s[0];
	r = (a << (u->imm & 7)) + (s[2] | (u64)s[3] << 32);
	*high = (u32)(r >> 32);
	return (u32)r;
}

static bool of_parts(const struct simt_uop *u, const u32 *s, struct ref *r)
{
	static const struct {
		u16 of16, of8;
		enum what what;
	} ops[] = {
		{ SIMT_IADD16, SIMT_IADD8, ADD }, { SIMT_ISUB16, SIMT_ISUB8, SUB },
		{ SIMT_IMUL16, SIMT_IMUL8, MUL }, { SIMT_ISAT16, SIMT_ISAT8, SAT },
		{ SIMT_IHADD16, SIMT_IHADD8, HADD }, { SIMT_IMM16, SIMT_IMM8, MINMAX },
		{ SIMT_IABS16, SIMT_IABS8, ABS }, { SIMT_SHL16, SIMT_SHL8, SHL },
		{ SIMT_SHR16, SIMT_SHR8, SHR }, { SIMT_ASR16, SIMT_ASR8, ASR },
		{ SIMT_ICMP16, SIMT_ICMP8, CMP }, { SIMT_CSEL16, SIMT_CSEL8, SEL },
		{ SIMT_CLZ16, SIMT_CLZ8, CLZ },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		if (u->op != ops[i].of16 && u->op != ops[i].of8)
			continue;
		r->lo = parts(ops[i].what, u, s, u->op == ops[i].of16 ? 16 : 8);
		return true;
	}
	return false;
}

static bool of_bits(const struct simt_uop *u, const u32 *s, unsigned int lane, struct ref *r)
{
	u32 a = s[0], b = s[1], imm = u->imm, i;

	switch (u->op) {
	case SIMT_MOV:
		r->lo = a;
		return true;
	case SIMT_PERM:
		r->lo = perm(imm, a, b);
		return true;
	case SIMT_LANE:
		r->lo = lane & imm;
		return true;
	case SIMT_HFTZ:
	case SIMT_HSUPP:
		r->lo = half_supp(u->op, imm, a);
		return true;
	case SIMT_IAND:
	case SIMT_IOR:
	case SIMT_IXOR:
		r->lo = inverted(u->op, imm, a, b);
		return true;
	case SIMT_SHL:
		r->lo = a << (b & 31);
		return true;
	case SIMT_SHR:
		r->lo = a >> (b & 31);
		return true;
	case SIMT_ASR:
		r->lo = (u32)((s64)(s32)a >> (b & 31));
		return true;
	case SIMT_SHLI:
		r->lo = a << imm;
		return true;
	case SIMT_SHLA:
		r->lo = (a << imm) + b;
		return true;
	case SIMT_SHLX:
		r->lo = (a << imm) ^ b;
		return true;
	case SIMT_SHRX:
		r->lo = (a >> imm) ^ b;
		return true;
	case SIMT_SHRXM:
		r->lo = ((a >> imm) ^ s[2]) * b;
		return true;
	case SIMT_IMAD:
		r->lo = a * b + s[2];
		return true;
	case SIMT_SHRI:
		r->lo = a >> imm;
		return true;
	case SIMT_ASRI:
		r->lo = (u32)((s64)(s32)a >> imm);
		return true;
	case SIMT_FUN:
		r->lo = (u32)(((u64)b << 32 | a) >> (s[2] & 31));
		return true;
	case SIMT_CLZ:
		r->lo = !a && imm & 1 ? 0xffffffff : leading_zeros(a, 32);
		return true;
	case SIMT_POPC:
		for (i = 0, r->lo = 0; i < 32; i++)
			r->lo += a >> i & 1;
		return true;
	case SIMT_BREV:
		for (i = 0, r->lo = 0; i < 32; i++)
			r->lo |= (a >> i & 1) << (31 - i);
		return true;
	case SIMT_BSEL:
		for (i = 0, r->lo = 0; i < 32; i++)
			r->lo |= ((s[2] >> i & 1 ? a : b) >> i & 1) << i;
		return true;
	case SIMT_SHADD:
		r->lo = shift_add(u, s, &r->second);
		return true;
	default:
		return false;
	}
}

bool ref_int(const struct simt_uop *u, const u32 *s, unsigned int lane, struct ref *r)
{
	static const u32 yes[3] = { 1, 0x3f800000, 0xffffffff };
	u32 imm = u->imm, ua = s[0], ub = s[1];
	s64 a = (s32)ua, b = (s32)ub;
	bool ok = true;

	switch (u->op) {
	case SIMT_IADD:
		r->lo = (u32)(a + b);
		break;
	case SIMT_ISUB:
		r->lo = (u32)(a - b);
		break;
	case SIMT_IMUL:
		r->lo = (u32)(a * b);
		break;
	case SIMT_IMULH:
		r->lo = (u32)((a * b) >> 32);
		break;
	case SIMT_UMULH:
		r->lo = (u32)(((u64)ua * ub) >> 32);
		break;
	case SIMT_IADDS:
		r->lo = (u32)saturate(a + b, 32, true);
		break;
	case SIMT_UADDS:
		r->lo = (u32)saturate((s64)ua + ub, 32, false);
		break;
	case SIMT_ISUBS:
		r->lo = (u32)saturate(a - b, 32, true);
		break;
	case SIMT_USUBS:
		r->lo = (u32)saturate((s64)ua - ub, 32, false);
		break;
	case SIMT_IHADD:
		r->lo = (u32)(((imm & 2 ? (s64)ua + ub : a + b) + (imm & 1)) >> 1);
		break;
	case SIMT_IMIN:
		r->lo = a < b ? ua : ub;
		break;
	case SIMT_IMAX:
		r->lo = a > b ? ua : ub;
		break;
	case SIMT_UMIN:
		r->lo = ua < ub ? ua : ub;
		break;
	case SIMT_UMAX:
		r->lo = ua > ub ? ua : ub;
		break;
	case SIMT_IABS:
		r->lo = (u32)(a < 0 ? -a : a);
		break;
	case SIMT_ICMP:
		r->lo = compare(a, b, imm) ? yes[imm >> 4 & 3] : 0;
		break;
	case SIMT_UCMP:
		r->lo = compare(ua, ub, imm) ? yes[imm >> 4 & 3] : 0;
		break;
	case SIMT_ICSEL:
		r->lo = compare(a, b, imm) ? s[2] : s[3];
		break;
	case SIMT_UCSEL:
		r->lo = compare(ua, ub, imm) ? s[2] : s[3];
		break;
	default:
		ok = of_parts(u, s, r) || of_bits(u, s, lane, r);
	}
	r->hi = r->lo;
	return ok;
}

void ref_clper(u32 imm, const u32 *s0, const u32 *s1, u64 mask, u32 *d)
{
	static const u32 none[16] = {
		0, 0xffffffff, 1, 0x00010001, 0x80000000, 0x7fffffff, 0x80008000, 0x7fff7fff,
		0x80808080, 0x7f7f7f7f, 0x3f800000, 0x3c003c00, 0xff800000, 0x7f800000,
		0xfc00fc00, 0x7c007c00,
	};
	u32 n = 1u << ((imm >> 4 & 3) + 1), lane, own, to;

	for (lane = 0; lane < SIMT_LANES; lane++) {
		own = lane % n;
		to = (imm & 3) == 1 ? own ^ s1[lane] : (imm & 3) == 2 ? own | s1[lane] :
		     (imm & 3) == 3 ? own + s1[lane] : s1[lane];
		to = lane - own + to % n;
		d[lane] = mask >> to & 1 ? s0[to] : none[imm >> 8 & 15];
	}
}

void ref_wmask(u32 imm, const u32 *s0, u64 mask, u32 *d)
{
	u32 n = 1u << imm, lane, k;

	for (lane = 0; lane < SIMT_LANES; lane++) {
		d[lane] = 0;
		for (k = 0; k < n; k++) {
			u32 other = lane - lane % n + k;

			if (mask >> other & 1 && s0[other])
				d[lane] |= 1u << k;
		}
	}
}
