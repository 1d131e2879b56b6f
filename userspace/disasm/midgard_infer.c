// SPDX-License-Identifier: MIT
/*
 * Inference of operand fields that Midgard's text omits.
 *
 * Unwritten components are not shown, constants are shown by value. These rules infer the
 * source's encoding from the text; the disassembler applies them to its own output and adds a
 * note where the actual encoding differs. Text and encoding thus determine each other.
 */
#include "midgard_disasm.h"

static const char letters_of[] = "xyzwefghijklmnop";

/* Expansions in the order in which they are tried. */
static const struct {
	u8 n;
	u8 expand[8];
} orders[4] = {
	[MG_MODE_8] = { 4, { MG_EXPAND_NONE, MG_EXPAND_REP_LOW, MG_EXPAND_REP_HIGH,
			     MG_EXPAND_SWAP } },
	[MG_MODE_16] = { 8, { MG_EXPAND_REP_LOW, MG_EXPAND_REP_HIGH, MG_EXPAND_NONE,
			      MG_EXPAND_SWAP, MG_EXPAND_LOW, MG_EXPAND_HIGH,
			      MG_EXPAND_LOW_SWAP, MG_EXPAND_HIGH_SWAP } },
	[MG_MODE_32] = { 3, { MG_EXPAND_NONE, MG_EXPAND_LOW, MG_EXPAND_HIGH } },
	[MG_MODE_64] = { 3, { MG_EXPAND_NONE, MG_EXPAND_LOW, MG_EXPAND_HIGH } },
};

u32 mg_shown_lanes(const struct mg_alu *a)
{
	const struct mg_alu_def *def = mg_alu_op(a->op);

	return def && def->channels ? (1U << def->channels) - 1 : a->lanes;
}

u32 mg_fill_swizzle(u32 mask, u32 shown)
{
	u32 i, sel = mask ? shown >> (2 * __ffs64(mask)) & 3 : 0, out = 0;

	for (i = 0; i < 4; i++) {
		if (mask >> i & 1)
			sel = shown >> (2 * i) & 3;
		out |= sel << (2 * i);
	}
	return out;
}

/* ---- components ---- */

static char pair_letter(u32 pair)
{
	return (pair & 3) >> 1 ? 'Y' : 'X';
}

/* Lanes of 64 bits; widened ones as Mesa shows them. */
static void put_swizzle64(struct vs_text *t, u32 lanes, const struct mg_src *s)
{
	u32 high = s->widen ? 2 * (s->expand & 1) : 0, lane, pair;

	for (lane = 0; lane < 2; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		pair = s->swizzle >> (4 * lane) & 15;
		if (s->widen)
			vs_put(t, "%c", letters_of[((s->swizzle >> (2 * (lane + high)) & 3) +
						    high) / 2]);
		else if (pair >> 2 == (pair & 3) + 1)
			vs_put(t, "%c", pair_letter(pair));
		else
			vs_put(t, "[%c%c]", letters_of[pair & 3], letters_of[pair >> 2]);
	}
}

void mg_put_swizzle(struct vs_text *t, const struct mg_alu *a, const struct mg_src *s)
{
	u32 lanes = mg_shown_lanes(a), i;

	if (s->expand == MG_EXPAND_NONE && s->swizzle == MG_SWIZZLE_NONE)
		return;
	vs_put(t, ".");
	if (a->mode == MG_MODE_64) {
		put_swizzle64(t, lanes, s);
		return;
	}
	for (i = 0; i < a->nlanes; i++)
		if (lanes >> i & 1)
			vs_put(t, "%c", letters_of[s->elem[i]]);
}

static int letter_value(char c)
{
	const char *p = c ? strchr(letters_of, c) : NULL;

	return p ? (int)(p - letters_of) : -1;
}

/* One 64-bit lane. Return: number of characters, 0 if it does not parse. */
static u32 parse_pair(const char *p, bool widen, u32 *pair, bool *high)
{
	int a, b;

	if (widen) {
		a = letter_value(p[0]);
		*high = a > 1;
		*pair = (a - *high) & 1 ? 0xe : 0x4;
		return a >= 0 && a < 3;
	}
	if (p[0] == 'X' || p[0] == 'Y') {
		*pair = p[0] == 'X' ? 0x4 : 0xe;
		return 1;
	}
	if (p[0] != '[')
		return 0;
	a = letter_value(p[1]);
	b = a < 0 ? -1 : letter_value(p[2]);
	if (a < 0 || a > 3 || b < 0 || b > 3 || p[3] != ']')
		return 0;
	*pair = (u32)(a | b << 2);
	return 4;
}

static bool infer64(u32 lanes, const char *p, bool widen, struct mg_src *s)
{
	u32 lane, pair[2] = { }, n, last = 0;
	bool high = false;

	for (lane = 0; lane < 2; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		n = parse_pair(p, widen, &pair[lane], &high);
		if (!n)
			return false;
		p += n;
		last = lane;
	}
	if (*p)
		return false;
	for (lane = 0; lane < 2; lane++)
		if (!(lanes >> lane & 1))
			pair[lane] = pair[last];
	s->expand = widen ? high ? MG_EXPAND_HIGH : MG_EXPAND_LOW : MG_EXPAND_NONE;
	s->swizzle = (u8)(pair[0] | pair[1] << 4);
	return true;
}

static u32 position(u32 mode, u32 lane)
{
	return mode == MG_MODE_8 ? lane / 2 % 4 : lane % 4;
}

/* Find selectors that show @elems with an expansion that is known. */
static bool fit_elements(const struct mg_alu *a, u32 lanes, const u8 *elems, struct mg_src *s)
{
	u32 known = 0, shown = 0, sel, pos, lane;

	for (pos = 0; pos < 4; pos++) {
		for (sel = 0; sel < 4; sel++) {
			bool any = false, fits = true;

			s->swizzle = (u8)(sel * 0x55);
			mg_src_update(s, a->mode);
			for (lane = 0; lane < a->nlanes; lane++) {
				if (!(lanes >> lane & 1) || position(a->mode, lane) != pos)
					continue;
				any = true;
				fits = fits && s->elem[lane] == elems[lane];
			}
			if (!any)
				break;
			if (fits) {
				known |= 1U << pos;
				shown |= sel << (2 * pos);
				break;
			}
		}
		if (sel == 4)
			return false;
	}
	s->swizzle = (u8)mg_fill_swizzle(known, shown);
	return true;
}

/* Unused operands keep their encoding. */
static u32 first_expand(const struct mg_alu *a, const struct mg_src *s)
{
	return a->mode == MG_MODE_16 && s->reg == MG_REG_TMP ? MG_EXPAND_NONE :
							       orders[a->mode].expand[0];
}

static bool try_expand(const struct mg_alu *a, u32 expand, bool widen, u32 lanes,
		       const u8 *elems, struct mg_src *s)
{
	if (widen ? expand < MG_EXPAND_LOW : expand >= MG_EXPAND_LOW)
		return false;
	s->expand = (u8)expand;
	if (!fit_elements(a, lanes, elems, s))
		return false;
	/* the identity would not have been shown */
	return expand != MG_EXPAND_NONE || s->swizzle != MG_SWIZZLE_NONE;
}

bool mg_infer_swizzle(const struct mg_alu *a, const char *letters, bool widen, struct mg_src *s)
{
	u32 lanes = mg_shown_lanes(a), i;
	u8 elems[MG_MAX_LANES] = { };
	int value;

	s->expand = MG_EXPAND_NONE;
	s->swizzle = MG_SWIZZLE_NONE;
	if (!letters)
		return !widen;
	if (a->mode == MG_MODE_64)
		return infer64(lanes, letters, widen, s);
	for (i = 0; i < a->nlanes; i++) {
		if (!(lanes >> i & 1))
			continue;
		value = letter_value(*letters);
		if (value < 0)
			return false;
		elems[i] = (u8)value;
		letters++;
	}
	if (*letters)
		return false;
	if (try_expand(a, first_expand(a, s), widen, lanes, elems, s))
		return true;
	for (i = 0; i < orders[a->mode].n; i++)
		if (try_expand(a, orders[a->mode].expand[i], widen, lanes, elems, s))
			return true;
	/* In order, but written out. */
	s->expand = MG_EXPAND_NONE;
	return !widen && fit_elements(a, lanes, elems, s);
}

/* ---- constants ---- */

/**
 * struct item - constant that a source shows
 * @pos: selector of the constant
 * @elem: element
 * @bits: its width
 */
struct item {
	u32 pos;
	u32 elem;
	u32 bits;
};

static bool get_item(const struct mg_alu *a, const struct mg_src *s, u32 i, struct item *it)
{
	u32 lanes = mg_shown_lanes(a), lane;

	if (!(MG_VECTOR >> a->unit & 1)) {
		*it = (struct item){ 0, s->elem[0], s->bits };
		return !i;
	}
	/* Both selectors of a widened 64-bit lane are visible. */
	if (a->mode == MG_MODE_64 && s->widen) {
		for (lane = 0; lane < 4; lane++) {
			if (!(lanes >> lane / 2 & 1) || i--)
				continue;
			*it = (struct item){ lane, s->swizzle >> (2 * lane) & 3, 32 };
			return true;
		}
		return false;
	}
	for (lane = 0; lane < a->nlanes; lane++) {
		if (!(lanes >> lane & 1) || i--)
			continue;
		*it = (struct item){ position(a->mode, lane), s->elem[lane], s->bits };
		return true;
	}
	return false;
}

static void put_int_const(struct vs_text *t, const struct mg_alu *a, const struct mg_src *s,
			  u32 bits, u64 value)
{
	const struct mg_alu_def *def = mg_alu_op(a->op);
	bool vector = MG_VECTOR >> a->unit & 1, is_signed = !(def && def->flags & MG_UNSIGNED);
	s64 v = bits < 64 ? (s64)(value << (64 - bits)) >> (64 - bits) : (s64)value;

	if (vector && s->widen && s->mod == MG_WIDEN_SHIFT)
		value <<= bits;
	if ((a->op >= 0x70 && a->op <= 0x7a) || bits == 8) {
		vs_put(t, "0x%llX", (unsigned long long)value);
		return;
	}
	if (vector && s->widen && (s->mod == MG_WIDEN_ZERO || s->mod == MG_WIDEN_SHIFT))
		v = (s64)value;
	/* Shifted by 16 bits they are numbers of 32 bits. */
	if (bits == 16 && vector && s->widen && s->mod == MG_WIDEN_SHIFT)
		v = (s32)value;
	if (is_signed)
		vs_put(t, "%lld", (long long)v);
	else
		vs_put(t, "%llu", (unsigned long long)value);
}

static void put_const(struct vs_text *t, const u32 consts[4], const struct mg_alu *a,
		      const struct mg_src *s, const struct item *it)
{
	const struct mg_alu_def *def = mg_alu_op(a->op);
	u64 value = mg_const(consts, it->bits, it->elem), sign = 1ULL << (it->bits - 1);

	if (it->bits == 8 || (def && def->flags & MG_INT_IN)) {
		put_int_const(t, a, s, it->bits, value);
		return;
	}
	if (s->mod & MG_MOD_ABS)
		value &= ~sign;
	if (s->mod & MG_MOD_NEG)
		value ^= sign;
	mg_put_float(t, value, it->bits);
}

bool mg_shown_const(const u32 consts[4], const struct mg_alu *a, const struct mg_src *s, u32 i,
		    struct mg_token *token)
{
	struct vs_text t = { token->text, MG_TOKEN, 0 };
	struct item it;

	if (!get_item(a, s, i, &it))
		return false;
	put_const(&t, consts, a, s, &it);
	return true;
}

/* Do all constants that selector @pos decides have the text that they should have? */
static bool fits_at(const u32 consts[4], const struct mg_alu *a, const struct mg_token *tokens,
		    const struct mg_src *s, u32 pos, bool *any)
{
	char token[MG_TOKEN];
	struct item it;
	u32 i;

	*any = false;
	for (i = 0; get_item(a, s, i, &it); i++) {
		struct vs_text t = { token, sizeof(token), 0 };

		if (it.pos != pos)
			continue;
		*any = true;
		put_const(&t, consts, a, s, &it);
		if (strcmp(token, tokens[i].text))
			return false;
	}
	return true;
}

static u32 count_items(const struct mg_alu *a, const struct mg_src *s)
{
	struct item it;
	u32 n = 0;

	while (get_item(a, s, n, &it))
		n++;
	return n;
}

/* Selectors with an expansion and modifiers that are known. */
static bool fit_consts(const u32 consts[4], const struct mg_alu *a,
		       const struct mg_token *tokens, struct mg_src *s)
{
	bool pairs = a->mode == MG_MODE_64 && !s->widen, any;
	u32 npos = pairs ? 2 : 4, nsel = pairs ? 2 : 4, known = 0, shown = 0, pos, sel;

	for (pos = 0; pos < npos; pos++) {
		for (sel = 0; sel < nsel; sel++) {
			s->swizzle = pairs ? sel ? 0xee : 0x44 : (u8)(sel * 0x55);
			mg_src_update(s, a->mode);
			if (!fits_at(consts, a, tokens, s, pos, &any))
				continue;
			if (any) {
				known |= pairs ? 3U << (2 * pos) : 1U << pos;
				shown |= pairs ? (u32)(s->swizzle & 15) << (4 * pos) :
						 sel << (2 * pos);
			}
			break;
		}
		if (sel == nsel)
			return false;
	}
	if (pairs && known != 15)
		shown = shown | shown << 4 | shown >> 4;
	s->swizzle = (u8)(pairs ? shown : mg_fill_swizzle(known, shown));
	return true;
}

/* Modifiers in the order in which they are tried. */
static const u8 mod_order[4] = { 0, MG_MOD_NEG, MG_MOD_ABS, MG_MOD_ABS | MG_MOD_NEG };

static bool infer_scalar_const(const u32 consts[4], const struct mg_alu *a,
			       const struct mg_token *tokens, u32 nmods, struct mg_src *s)
{
	u32 i, full, mod;
	bool any;

	for (full = 2; full--;) {
		s->full = full;
		s->widen = !full;
		s->bits = full ? 32 : 16;
		for (mod = 0; mod < nmods; mod++) {
			s->mod = mod_order[mod];
			for (i = 0; i < 8; i += 1 + full) {
				s->comp = (u8)i;
				s->elem[0] = (u8)(i >> full);
				if (fits_at(consts, a, tokens, s, 0, &any))
					return true;
			}
		}
	}
	return false;
}

bool mg_infer_const(const u32 consts[4], const struct mg_alu *a,
		    const struct mg_token *tokens, u32 ntokens, struct mg_src *s)
{
	const struct mg_alu_def *def = mg_alu_op(a->op);
	bool integer = def && def->flags & MG_INT_IN;
	u32 i, mod;

	s->kind = MG_SRC_CONST;
	s->reg = MG_REG_CONST;
	s->mod = 0;
	if (!(MG_VECTOR >> a->unit & 1))
		return ntokens == 1 && infer_scalar_const(consts, a, tokens, integer ? 1 : 4, s);
	for (i = 0; i < orders[a->mode].n; i++) {
		s->expand = orders[a->mode].expand[i];
		s->swizzle = MG_SWIZZLE_NONE;
		mg_src_update(s, a->mode);
		if (count_items(a, s) != ntokens)
			continue;
		for (mod = 0; mod < (integer && !s->widen ? 1 : 4); mod++) {
			s->mod = integer ? (u8)mod : mod_order[mod];
			if (fit_consts(consts, a, tokens, s))
				return true;
		}
	}
	return false;
}

/* ---- numbers in operations ---- */

void mg_put_imm(struct vs_text *t, const struct mg_alu *a, u32 imm)
{
	const struct mg_alu_def *def = mg_alu_op(a->op);

	vs_put(t, "#");
	if (def && def->flags & MG_INT_IN)
		vs_put(t, "%u", imm);
	else if ((imm & 0x7fff) > 0x7c00)
		vs_put(t, "nan:0x%x", imm);
	else
		mg_put_float(t, imm, 16);
}

/**
 * struct decimal - parsed decimal number
 * @digits: digits without the point
 * @power: power of ten to multiply them with
 * @negative: there is a sign
 */
struct decimal {
	u32 digits;
	int power;
	bool negative;
};

static bool parse_decimal(const char *p, struct decimal *d)
{
	bool point = false, any = false;
	int power = 0;

	*d = (struct decimal){ };
	d->negative = *p == '-';
	p += d->negative;
	for (; (*p >= '0' && *p <= '9') || (*p == '.' && !point); p++) {
		if (*p == '.') {
			point = true;
			continue;
		}
		if (d->digits >= 1000000)
			return false;
		d->digits = 10 * d->digits + (u32)(*p - '0');
		d->power -= point;
		any = true;
	}
	if (*p == 'e' && (p[1] == '-' || p[1] == '+')) {
		bool negative = p[1] == '-';

		for (p += 2; *p >= '0' && *p <= '9' && power < 100; p++)
			power = 10 * power + *p - '0';
		d->power += negative ? -power : power;
	}
	return any && !*p;
}

/* The half float that is nearest, or next to that; 0x7c00: out of range. */
static u32 to_half(const struct decimal *d)
{
	u64 v = (u64)d->digits << 24, unit = 1;
	int power = d->power, shift = 0;

	/* In units of 2^-24, the smallest half float. */
	for (; power > 0 && v < 1ULL << 48; power--)
		v *= 10;
	for (; power < 0 && power > -19; power++)
		unit *= 10;
	if (power > 0)
		return 0x7c00;
	v = power < -18 ? 0 : (v + unit / 2) / unit;
	while (v >> shift >= 2048)
		shift++;
	if (shift)
		v = (v + (1ULL << (shift - 1))) >> shift << shift;
	if (v >= 1ULL << 40)
		return 0x7c00;
	while (v >> shift >= 2048)
		shift++;
	if (v >> shift < 1024)
		return (u32)v;
	return (u32)(shift + 1) << 10 | ((u32)(v >> shift) & 1023);
}

static bool special_half(const char *token, u32 *half)
{
	u32 i, digit;

	if (!strcmp(token, "inf") || !strcmp(token, "-inf")) {
		*half = *token == '-' ? 0xfc00 : 0x7c00;
		return true;
	}
	if (strncmp(token, "nan:0x", 6) || strlen(token) != 10)
		return false;
	for (i = 6, *half = 0; i < 10; i++) {
		if (token[i] >= '0' && token[i] <= '9')
			digit = (u32)(token[i] - '0');
		else if (token[i] >= 'a' && token[i] <= 'f')
			digit = (u32)(token[i] - 'a' + 10);
		else
			return false;
		*half = *half << 4 | digit;
	}
	return true;
}

bool mg_infer_imm(const struct mg_alu *a, const char *token, u32 *imm)
{
	const struct mg_alu_def *def = mg_alu_op(a->op);
	char again[MG_TOKEN];
	struct vs_text t = { again, sizeof(again), 0 };
	struct decimal d;

	if (!special_half(token, imm)) {
		if (!parse_decimal(token, &d))
			return false;
		if (def && def->flags & MG_INT_IN)
			*imm = d.digits;
		else
			*imm = to_half(&d) | (u32)d.negative << 15;
	}
	if (*imm > 0xffff)
		return false;
	mg_put_imm(&t, a, *imm);
	return !strcmp(again + 1, token);
}
