// SPDX-License-Identifier: GPL-2.0
/*
 * The PICA200 operation table, and decoding and encoding by it: every one of the 64
 * codes, every field of every layout.
 */
#include "isa_test.h"
#include "pica_encode.h"

/* Code ranges of the named operations, independent of the table. */
static const struct {
	u8 first, last;
} undefined_codes[] = { { 0x10, 0x11 }, { 0x14, 0x17 }, { 0x1c, 0x1f } };

static bool is_undefined(u32 code)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(undefined_codes); i++)
		if (code >= undefined_codes[i].first && code <= undefined_codes[i].last)
			return true;
	return false;
}

static void test_codes(void)
{
	struct pica_insn insn;
	bool ok = true;
	u32 code;

	for (code = 0; code < 64; code++) {
		bool defined = pica_decode(code << 26, &insn);

		ok = ok && defined == !is_undefined(code);
		ok = ok && !insn.info == !defined;
		if (defined)
			ok = ok && code >= insn.info->code && code <= insn.info->last_code;
	}
	tap_result(ok, "64 codes: 10 undefined, the others in their operation's range");
	tap_result(PICA_NUM_OPS == 39, "39 operations");
	tap_result(PICA_NUM_LAYOUTS == 10, "10 layouts");
}

/* Bits of a layout that some used field of an operation covers. */
static u32 used_bits(const struct pica_op_info *info)
{
	unsigned int i, n;
	const struct pica_field *fd = pica_layout_fields((enum pica_layout)info->layout, &n);
	u32 bits = 0;

	for (i = 0; i < n; i++)
		if (!(info->unused & (1u << fd[i].id)))
			bits |= ((1u << fd[i].width) - 1) << fd[i].lo;
	return bits;
}

static void test_fields(void)
{
	u32 op;

	for (op = 0; op < PICA_NUM_OPS; op++) {
		const struct pica_op_info *info = &pica_ops[op];
		unsigned int i, n;
		const struct pica_field *fd =
			pica_layout_fields((enum pica_layout)info->layout, &n);
		u32 seen = 0;
		bool ok = fd[0].id == PICA_F_OP && fd[0].lo + fd[0].width == 32;

		for (i = 0; i < n; i++) {
			u32 bits = ((1u << fd[i].width) - 1) << fd[i].lo;

			ok = ok && fd[i].lo + fd[i].width <= 32;
			if (info->unused & (1u << fd[i].id))
				continue;
			ok = ok && !(seen & bits);
			seen |= bits;
		}
		tap_result(ok, "%s: fields of layout %s lie apart and inside the word", info->name,
			   pica_layout_names[info->layout]);
	}
}

/* Setting one field changes that field only, and the decoder reads it back. */
static bool field_independent(enum pica_op op, const struct pica_field *fd)
{
	const struct pica_op_info *info = &pica_ops[op];
	enum pica_layout layout = info->layout;
	u32 v, limit = 1u << fd->width;

	for (v = 0; v < limit; v++) {
		u32 base = (u32)info->code << 26 | (test_rand() & ((1u << 26) - 1));
		struct pica_insn a, b;
		u32 mask = (limit - 1) << fd->lo, id;

		base += (test_rand() % (info->last_code - info->code + 1u)) << 26;
		pica_decode(base, &a);
		pica_decode((base & ~mask) | v << fd->lo, &b);
		if (a.op != op || b.op != op || b.f[fd->id] != v)
			return false;
		for (id = 1; id < PICA_NUM_FIELDS; id++) {
			const struct pica_field *other = pica_find_field(layout, id);
			bool overlaps = other && (((1u << other->width) - 1) << other->lo & mask);

			/* The index field is ignored for a register. */
			if (id == fd->id || overlaps || id == PICA_F_IDX)
				continue;
			if (a.f[id] != b.f[id])
				return false;
		}
	}
	return true;
}

static void test_every_field(void)
{
	u32 op;

	for (op = 0; op < PICA_NUM_OPS; op++) {
		const struct pica_op_info *info = &pica_ops[op];
		unsigned int i, n;
		const struct pica_field *fd =
			pica_layout_fields((enum pica_layout)info->layout, &n);
		bool ok = true;

		for (i = 1; i < n; i++)
			if (!(info->unused & (1u << fd[i].id)) && fd[i].id != PICA_F_IDX)
				ok = ok && field_independent((enum pica_op)op, &fd[i]);
		tap_result(ok, "%s: every value of every field", info->name);
	}
}

/* encode(decode(w)) changes ignored bits only, and is a fixed point. */
static void test_canonical(void)
{
	u32 i, bad = 0;

	for (i = 0; i < 2000000; i++) {
		struct pica_insn insn, again;
		u32 word = test_rand(), canon, allowed;

		if (!pica_decode(word, &insn))
			continue;
		canon = pica_encode(&insn);
		allowed = ~used_bits(insn.info);
		if (insn.wide < 3 && insn.src[insn.wide] < PICA_SRC_C0)
			allowed |= insn.info->layout >= PICA_L5 ? 3u << 22 : 3u << 19;
		if (insn.f[PICA_F_COND] == PICA_COND_X)
			allowed |= 1u << 24;
		if (insn.f[PICA_F_COND] == PICA_COND_Y)
			allowed |= 1u << 25;
		pica_decode(canon, &again);
		if (((word ^ canon) & ~allowed) || insn.odd != (word ^ canon) || again.odd ||
		    memcmp(insn.src, again.src, sizeof(insn.src)))
			bad++;
	}
	tap_result(!bad, "canonical form of 2000000 random words differs in ignored bits only (%u)",
		   bad);
}

static void test_known(void)
{
	struct pica_insn insn;
	bool ok;

	/* Words assembled by picasso 2.7.1. */
	ok = pica_decode(0x4e01f000, &insn) && insn.op == PICA_OP_MOV &&
	     insn.f[PICA_F_DST] == 0x10 && insn.src[0] == 0x1f && insn.f[PICA_F_IDX] == 0;
	tap_result(ok, "mov r0, r15");
	ok = pica_decode(0x0a224802, &insn) && insn.op == PICA_OP_DP4 &&
	     insn.f[PICA_F_DST] == 0x11 && insn.src[0] == 0x24 && insn.src[1] == 0x10 &&
	     insn.f[PICA_F_DESC] == 2 && insn.wide == 0;
	tap_result(ok, "dp4 r1.x, c4, r0");
	ok = pica_decode(0xc0400441, &insn) && insn.op == PICA_OP_MADI &&
	     insn.wide == 2 && insn.src[2] == 0x22 && insn.f[PICA_F_IDX] == 1 &&
	     insn.f[PICA_F_DESC] == 1;
	tap_result(ok, "mad o0, v0, v0, c2[a0.x]");
	ok = pica_decode(0xb8220881, &insn) && insn.op == PICA_OP_CMP && insn.src[0] == 0x20 &&
	     insn.src[1] == 0x11 && insn.f[PICA_F_CMPX] == 0 && insn.f[PICA_F_CMPY] == 1;
	tap_result(ok, "cmp c0, eq, ne, r1");
}

static void test_desc(void)
{
	u32 i, bad = 0;

	for (i = 0; i < 100000; i++) {
		struct pica_opdesc d;
		u32 word = test_rand();

		pica_opdesc_decode(word, &d);
		if (pica_opdesc_encode(&d) != (word & 0x7fffffff))
			bad++;
	}
	tap_result(!bad, "descriptors: 100000 words there and back");
	tap_result(pica_opdesc_live(PICA_OP_DP3, 0xf) ==
		   (0xf | (1 | 0xfc << 1) << 4 | (u32)(1 | 0xfc << 1) << 13),
		   "DP3 does not look at the fourth components");
	tap_result(pica_opdesc_live(PICA_OP_MOV, 0x8) == (0xf | (1 | 0xc0 << 1) << 4),
		   "MOV to x looks at one component");
	tap_result(pica_opdesc_live(PICA_OP_RCP, 0xf) == (0xf | (1 | 0xc0 << 1) << 4),
		   "RCP looks at the first component");
}

int main(void)
{
	test_codes();
	test_fields();
	test_every_field();
	test_canonical();
	test_known();
	test_desc();
	return tap_done();
}
