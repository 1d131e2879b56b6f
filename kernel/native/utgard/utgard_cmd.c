// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Commands of Utgard's vertex processor and of its tile list unit (PLBU). The second word
 * identifies a command.
 */
#include "utgard_frame.h"

/**
 * struct known - A known command.
 * @name:	for messages
 * @list:	enum utf_list
 * @align:	the first word is an address that is a multiple of this, or 0
 * @mask:	bits of the second word that identify the command
 * @match:	their value
 * @known:	bits of the first word that are defined
 */
struct known {
	const char *name;
	u8 list;
	u8 align;
	u32 mask;
	u32 match;
	u32 known;
};

#define ALL	0xffffffff

static const struct known commands[UTF_NUM_OPS] = {
	[UTF_VS_DRAW] = { "draw", UTF_VS, 0, 0xffff0000, 0, 0xff000001 },
	[UTF_VS_SHADER_INFO] = { "shader info", UTF_VS, 0, ALL, 0x10000040, 0xfffffc00 },
	[UTF_VS_CONSTANT] = { "constant 3", UTF_VS, 0, ALL, 0x10000041, ALL },
	[UTF_VS_COUNTS] = { "counts", UTF_VS, 0, ALL, 0x10000042, 0xffffff00 },
	[UTF_VS_ATTRIBUTES] = { "attributes", UTF_VS, 8, 0xf001ffff, 0x20000000, ALL },
	[UTF_VS_VARYINGS] = { "varyings", UTF_VS, 8, 0xf001ffff, 0x20000008, ALL },
	[UTF_VS_UNIFORMS] = { "uniforms", UTF_VS, 16, 0xf0000fff, 0x30000000, ALL },
	[UTF_VS_SHADER] = { "shader", UTF_VS, 16, 0xf0000fff, 0x40000000, ALL },
	[UTF_VS_SEMAPHORE] = { "semaphore", UTF_VS, 0, ALL, 0x50000000, ALL },
	[UTF_VS_FLUSH] = { "flush", UTF_VS, 0, ALL, 0x60000000, 0 },
	[UTF_VS_JUMP] = { "jump", UTF_VS, 8, ALL, 0xf0000000, ALL },

	[UTF_PLBU_DRAW_ARRAYS] = { "draw arrays", UTF_PLBU, 0, 0xffe00000, 0, ALL },
	[UTF_PLBU_DRAW_ELEMENTS] = { "draw elements", UTF_PLBU, 0, 0xffe00000, 0x00200000, ALL },
	[UTF_PLBU_INDEXED_DEST] = { "indexed vertices", UTF_PLBU, 16, ALL, 0x10000100, ALL },
	[UTF_PLBU_INDICES] = { "indices", UTF_PLBU, 1, ALL, 0x10000101, ALL },
	[UTF_PLBU_POINT_SIZES] = { "indexed point sizes", UTF_PLBU, 4, ALL, 0x10000102, ALL },
	[UTF_PLBU_BOTTOM] = { "viewport bottom", UTF_PLBU, 0, ALL, 0x10000105, ALL },
	[UTF_PLBU_TOP] = { "viewport top", UTF_PLBU, 0, ALL, 0x10000106, ALL },
	[UTF_PLBU_LEFT] = { "viewport left", UTF_PLBU, 0, ALL, 0x10000107, ALL },
	[UTF_PLBU_RIGHT] = { "viewport right", UTF_PLBU, 0, ALL, 0x10000108, ALL },
	[UTF_PLBU_TILES] = { "tiles", UTF_PLBU, 0, ALL, 0x10000109, 0xffffff00 },
	[UTF_PLBU_CONSTANT] = { "constant 0", UTF_PLBU, 0, ALL, 0x1000010a, 0 },
	[UTF_PLBU_PRIMITIVE] = { "primitive", UTF_PLBU, 0, ALL, 0x1000010b, 0x00063e00 },
	[UTF_PLBU_BLOCK_STEP] = { "block step", UTF_PLBU, 0, ALL, 0x1000010c, ALL },
	[UTF_PLBU_SIZE] = { "point or line size", UTF_PLBU, 0, ALL, 0x1000010d, ALL },
	[UTF_PLBU_NEAR] = { "depth near", UTF_PLBU, 0, ALL, 0x1000010e, ALL },
	[UTF_PLBU_FAR] = { "depth far", UTF_PLBU, 0, ALL, 0x1000010f, ALL },
	[UTF_PLBU_ARRAY] = { "tile lists", UTF_PLBU, 8, 0xff000000, 0x28000000, ALL },
	[UTF_PLBU_STRIDE] = { "block stride", UTF_PLBU, 0, ALL, 0x30000000, 0xff },
	[UTF_PLBU_END] = { "end", UTF_PLBU, 0, ALL, 0x50000000, 0 },
	[UTF_PLBU_SEMAPHORE] = { "semaphore", UTF_PLBU, 0, ALL, 0x60000000, ALL },
	[UTF_PLBU_SCISSOR] = { "scissor", UTF_PLBU, 0, 0xf0000000, 0x70000000, ALL },
	[UTF_PLBU_STATE] = { "state", UTF_PLBU, 64, 0xf0000000, 0x80000000, ALL },
	[UTF_PLBU_JUMP] = { "jump", UTF_PLBU, 8, ALL, 0xf0000000, ALL },
};

/* First words of the semaphores: start and end of a draw. */
static bool semaphore_ok(enum utf_op op, u32 v)
{
	if (op == UTF_PLBU_SEMAPHORE)
		return v == 0x00010002 || v == 0x00010001;
	return v == 0x00028000 || v == 0x00000001 || v == 0x00018000 || !v;
}

/* Primitive modes: points to polygons, and rectangles given by three corners. */
static bool mode_ok(u32 mode)
{
	return mode <= 9 || mode == 15;
}

static bool value_ok(const struct utf_cmd *c)
{
	switch (c->op) {
	case UTF_VS_CONSTANT:
		return c->w[0] == 3;
	case UTF_VS_SEMAPHORE:
	case UTF_PLBU_SEMAPHORE:
		return semaphore_ok(c->op, c->w[0]);
	case UTF_PLBU_DRAW_ARRAYS:
	case UTF_PLBU_DRAW_ELEMENTS:
		return mode_ok(c->w[1] >> 16 & 31);
	case UTF_VS_UNIFORMS:
	case UTF_VS_SHADER:
		return utf_bytes(c) % 16 == 0;
	default:
		return true;
	}
}

enum utf_reason utf_decode(enum utf_list list, const u32 w[2], struct utf_cmd *cmd)
{
	const struct known *k;
	u32 op;

	for (op = 0; op < UTF_NUM_OPS; op++) {
		k = &commands[op];
		if (k->list == list && (w[1] & k->mask) == k->match)
			break;
	}
	if (op == UTF_NUM_OPS)
		return UTF_BAD_COMMAND;
	*cmd = (struct utf_cmd){ .op = (enum utf_op)op, .w = { w[0], w[1] } };
	if (w[0] & ~k->known)
		return UTF_UNKNOWN_BITS;
	if (k->align && w[0] % k->align)
		return UTF_MISALIGNED;
	return value_ok(cmd) ? UTF_OK : UTF_BAD_VALUE;
}

/**
 * utf_op_name - name of a command
 * @op: enum utf_op
 *
 * Return: name.
 */
const char *utf_op_name(enum utf_op op)
{
	return commands[op].name;
}

static const char *const reasons[UTF_NUM_REASONS] = {
	[UTF_OK] = "no error",
	[UTF_UNMAPPED] = "address cannot be read",
	[UTF_MISALIGNED] = "address is not aligned",
	[UTF_BAD_RANGE] = "a list ends before it starts, or there is none",
	[UTF_BAD_COMMAND] = "unknown command",
	[UTF_UNKNOWN_BITS] = "bits without known meaning",
	[UTF_BAD_VALUE] = "value without known meaning",
	[UTF_BAD_FORMAT] = "unknown type of an attribute or varying",
	[UTF_BAD_COUNT] = "more than the processor has, or than there are",
	[UTF_MISSING] = "draw without required state",
	[UTF_LIMIT_COMMANDS] = "too many commands",
	[UTF_LIMIT_DRAWS] = "too many draws",
	[UTF_BAD_ORDER] = "size or tile lists of a frame change between its draws",
	[UTF_BAD_LIST] = "not a tile list, or a command that streams do not have",
	[UTF_UNUSED_VALUE] = "value that no open driver uses",
	[UTF_BAD_VARYING] = "type of a varying whose layout is not known",
	[UTF_LOGIC_OP] = "logic operations are not known",
	[UTF_BAD_REGISTER] = "no such register of the program",
	[UTF_BAD_SAMPLES] = "clear colors of samples that differ, or some of a pixel's samples",
};

/**
 * utf_reason_text - text of a reject reason
 * @reason: enum utf_reason
 *
 * Return: text, never NULL.
 */
const char *utf_reason_text(u32 reason)
{
	return reason < UTF_NUM_REASONS ? reasons[reason] : "?";
}

enum utf_reason utf_gp_check(const u32 *frame, u32 *word)
{
	u32 i;

	for (i = 0; i < UTF_GP_WORDS; i++) {
		*word = i;
		if (frame[i] % UTF_COMMAND_BYTES)
			return UTF_MISALIGNED;
	}
	for (i = 0; i < UTF_GP_WORDS; i += 2) {
		*word = i + 1;
		if (frame[i] > frame[i + 1])
			return UTF_BAD_RANGE;
	}
	*word = UTF_GP_VS_START;
	if (frame[UTF_GP_VS_START] == frame[UTF_GP_VS_END] &&
	    frame[UTF_GP_PLBU_START] == frame[UTF_GP_PLBU_END])
		return UTF_BAD_RANGE;
	return UTF_OK;
}
