// SPDX-License-Identifier: MIT
/*
 * PICA200: operand descriptors from their fields.
 */
#include "pica_encode.h"

/**
 * pica_is_defined() - are all operand values of an instruction defined
 * @insn: decoded instruction
 *
 * Return: false for undefined operations, comparison conditions and vertex slots.
 */
bool pica_is_defined(const struct pica_insn *insn)
{
	return insn->info && insn->f[PICA_F_CMPX] <= VS_CMP_GE &&
	       insn->f[PICA_F_CMPY] <= VS_CMP_GE && insn->f[PICA_F_VTX] <= 2;
}

/**
 * pica_opdesc_encode() - the word of an operand descriptor
 * @desc: contents
 *
 * Return: the word, bit 31 clear.
 */
u32 pica_opdesc_encode(const struct pica_opdesc *desc)
{
	unsigned int n, c;
	u32 word = 0;

	for (c = 0; c < 4; c++)
		word |= (u32)((desc->mask >> c) & 1) << (3 - c);
	for (n = 0; n < 3; n++) {
		word |= (u32)((desc->neg >> n) & 1) << PICA_OPDESC_SHIFT(n);
		for (c = 0; c < 4; c++)
			word |= (u32)(desc->sel[n][c] & 3) << (PICA_OPDESC_SHIFT(n) + 7 - 2 * c);
	}

	return word;
}

/* Components of source @n that @op reads under write mask @mask. */
static u8 live_components(enum pica_op op, unsigned int n, u8 mask)
{
	switch (pica_ops[op].reads) {
	case PICA_RD_PER:
		return mask;
	case PICA_RD_X:
		return 0x1;
	case PICA_RD_XYZ:
		return 0x7;
	case PICA_RD_XYZ1:
		return n ? 0xf : 0x7;
	case PICA_RD_ALL:
		return 0xf;
	case PICA_RD_XY:
		/* All of the second source, to share descriptors as picasso does. */
		return n ? 0xf : 0x3;
	case PICA_RD_ADR:
		return mask & 0x3;
	default:
		return 0;
	}
}

/**
 * pica_opdesc_live() - the descriptor bits that matter to an operation
 * @op: operation
 * @desc: descriptor word; only its write mask is read
 *
 * Two descriptors that agree in these bits mean the same to @op. The mask is
 * part of the result where the operation has a destination, so that equal
 * masks come first.
 *
 * Return: bit mask over the descriptor word.
 */
u32 pica_opdesc_live(enum pica_op op, u32 desc)
{
	const struct pica_op_info *info = &pica_ops[op];
	unsigned int n, c, nsrc;
	struct pica_insn insn;
	struct pica_opdesc d;
	u32 live = 0;

	pica_insn_init(&insn, op);
	nsrc = insn.nsrc;
	pica_opdesc_decode(desc, &d);
	if (info->flags & (PICA_OPF_DEST | PICA_OPF_ADDR))
		live |= 0xf;
	for (n = 0; n < nsrc; n++) {
		u8 comps = live_components(op, n, d.mask);

		live |= 1U << PICA_OPDESC_SHIFT(n);
		for (c = 0; c < 4; c++)
			if (comps & (1 << c))
				live |= 3U << (PICA_OPDESC_SHIFT(n) + 7 - 2 * c);
	}

	return live;
}
