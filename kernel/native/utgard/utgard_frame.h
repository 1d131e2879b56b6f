/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Frames of Utgard GPUs in memory, in the form that Linux's lima driver accepts (lima_drm.h): of
 * the vertex processor (GP) with its two command lists, of the pixel processor (PP) with its
 * render state. A native job's va is the address of the frame, its model the GPU.
 *
 * Sources: lima_drm.h, Mesa's lima driver and its descriptions of frame and state words;
 * numbers only.
 */
#ifndef VS_UTGARD_FRAME_H
#define VS_UTGARD_FRAME_H

#include "../../engine/vs_job.h"

/* GPUs; same numbers as enum drm_vshader_utgard_gpu. */
enum utf_gpu { UTF_MALI400, UTF_MALI450, UTF_NUM_GPUS };

/* Reasons to reject a frame: code of COMMAND faults, below UTGARD_REASON. */
enum utf_reason {
	UTF_OK,
	UTF_UNMAPPED,		/* for READ faults */
	UTF_MISALIGNED,
	UTF_BAD_RANGE,		/* a list is missing or ends before it starts */
	UTF_BAD_COMMAND,
	UTF_UNKNOWN_BITS,
	UTF_BAD_VALUE,
	UTF_BAD_FORMAT,
	UTF_BAD_COUNT,
	UTF_MISSING,		/* a draw without required state */
	UTF_LIMIT_COMMANDS,
	UTF_LIMIT_DRAWS,
	UTF_BAD_ORDER,
	UTF_BAD_LIST,
	UTF_UNUSED_VALUE,
	UTF_BAD_VARYING,
	UTF_LOGIC_OP,
	UTF_BAD_REGISTER,
	UTF_BAD_SAMPLES,
	UTF_NUM_REASONS
};

const char *utf_reason_text(u32 reason);

/* ---- command lists ---- */

enum utf_list { UTF_VS, UTF_PLBU, UTF_NUM_LISTS };

enum utf_op {
	UTF_VS_DRAW, UTF_VS_SHADER_INFO, UTF_VS_CONSTANT, UTF_VS_COUNTS, UTF_VS_ATTRIBUTES,
	UTF_VS_VARYINGS, UTF_VS_UNIFORMS, UTF_VS_SHADER, UTF_VS_SEMAPHORE, UTF_VS_FLUSH,
	UTF_VS_JUMP,
	UTF_PLBU_DRAW_ARRAYS, UTF_PLBU_DRAW_ELEMENTS, UTF_PLBU_INDEXED_DEST, UTF_PLBU_INDICES,
	UTF_PLBU_POINT_SIZES, UTF_PLBU_BOTTOM, UTF_PLBU_TOP, UTF_PLBU_LEFT, UTF_PLBU_RIGHT,
	UTF_PLBU_TILES, UTF_PLBU_CONSTANT, UTF_PLBU_PRIMITIVE, UTF_PLBU_BLOCK_STEP,
	UTF_PLBU_SIZE, UTF_PLBU_NEAR, UTF_PLBU_FAR, UTF_PLBU_ARRAY, UTF_PLBU_STRIDE,
	UTF_PLBU_END, UTF_PLBU_SEMAPHORE, UTF_PLBU_SCISSOR, UTF_PLBU_STATE, UTF_PLBU_JUMP,
	UTF_NUM_OPS
};

#define UTF_COMMAND_BYTES	8
/* Maximum number of commands of a list, including those reached by jumps. */
#define UTF_MAX_COMMANDS	0x40000

/**
 * struct utf_cmd - A command.
 * @op:		enum utf_op
 * @w:		words
 */
struct utf_cmd {
	enum utf_op op;
	u32 w[2];
};

/**
 * utf_decode - decode a command and check its words
 * @list: enum utf_list
 * @w: words
 * @cmd: command
 *
 * Return: UTF_OK, UTF_BAD_COMMAND, UTF_UNKNOWN_BITS, UTF_BAD_VALUE or UTF_MISALIGNED.
 */
enum utf_reason utf_decode(enum utf_list list, const u32 w[2], struct utf_cmd *cmd);
const char *utf_op_name(enum utf_op op);

/* Number of vertices or indices of a draw in either list. */
static inline u32 utf_count(const struct utf_cmd *c)
{
	return c->w[0] >> 24 | (c->w[1] & 0xffff) << 8;
}

/* Size of uniforms or of a shader, bytes. */
static inline u32 utf_bytes(const struct utf_cmd *c)
{
	return c->w[1] >> 12 & 0xffff;
}

/* Number of descriptors of a table. */
static inline u32 utf_entries(const struct utf_cmd *c)
{
	return c->w[1] >> 17 & 0x7ff;
}

/* ---- frames of the vertex processor ---- */

/* Words of a frame. */
enum utf_gp_word { UTF_GP_VS_START, UTF_GP_VS_END, UTF_GP_PLBU_START, UTF_GP_PLBU_END,
		   UTF_GP_HEAP_START, UTF_GP_HEAP_END, UTF_GP_WORDS };

/* Return: UTF_OK, UTF_MISALIGNED or UTF_BAD_RANGE; *@word: index of the bad word. */
enum utf_reason utf_gp_check(const u32 *frame, u32 *word);

/* Element types in memory. */
enum utf_type {
	UTF_F32, UTF_I32, UTF_U32, UTF_F16, UTF_I16, UTF_U16, UTF_I8, UTF_U8, UTF_I8N, UTF_U8N,
	UTF_I16N, UTF_U16N, UTF_I32N = 13, UTF_U32N, UTF_FIXED = 0x101
};

/* Additional varying types: the component field selects one. */
#define UTF_SPECIAL		8
#define UTF_POSITION		0
#define UTF_POINT_SIZE		1

/* Second word of an attribute or varying descriptor. */
#define UTF_COMPS(w)		(((w) & 3) + 1)
#define UTF_TYPE(w)		((w) >> 2 & 0x1ff)
#define UTF_STRIDE(w)		((w) >> 11)

/* ---- frames of the pixel processor ---- */

#define UTF_PP_FRAME_WORDS	23
#define UTF_PP_WB_UNITS		3
#define UTF_PP_WB_WORDS		12
#define UTF_PP400_WORDS		(UTF_PP_FRAME_WORDS + 1 + 3 * UTF_PP_WB_WORDS + 4 + 4)
#define UTF_PP450_WORDS		(UTF_PP_FRAME_WORDS + 1 + 3 * UTF_PP_WB_WORDS + 2 + 8 + 8)
#define UTF_PP_MAX_WORDS	UTF_PP450_WORDS
#define UTF_PP_RENDER_STATE	1	/* frame word with the state of clears and reloads */
#define UTF_STATE_WORDS		16
#define UTF_STATE_ALIGN		64

static inline u32 utf_pp_words(enum utf_gpu gpu)
{
	return gpu == UTF_MALI450 ? UTF_PP450_WORDS : UTF_PP400_WORDS;
}

/* Words of frames, write-back units and render states with more structure than a number. */
enum utf_state_word {
	UTF_STATE_BLEND = 2, UTF_STATE_DEPTH = 3, UTF_STATE_STENCIL = 5, UTF_STATE_SAMPLES = 8,
	UTF_STATE_SHADER = 9, UTF_STATE_VARYINGS = 10, UTF_STATE_UNIFORMS = 11,
	UTF_STATE_TEXTURES = 12, UTF_STATE_AUX0 = 13, UTF_STATE_AUX1 = 14, UTF_STATE_VARYING = 15
};

/* Mesa draws without a program, with a length of 0, where nothing of it is wanted. */
static inline bool utf_has_program(const u32 *state)
{
	return state[UTF_STATE_SHADER] & 31;
}

/**
 * utf_pp_check - check the words of a frame
 * @gpu: enum utf_gpu
 * @frame: utf_pp_words(@gpu) words
 * @word: index of the invalid word
 *
 * Return: UTF_OK or the reject reason.
 */
enum utf_reason utf_pp_check(enum utf_gpu gpu, const u32 *frame, u32 *word);

/**
 * utf_state_check - check the words of a render state
 * @state: UTF_STATE_WORDS words
 * @word: index of the invalid word
 *
 * Return: UTF_OK or the reject reason.
 */
enum utf_reason utf_state_check(const u32 *state, u32 *word);

/* Names of the words of frames and render states. */
const char *utf_pp_word_name(enum utf_gpu gpu, u32 word);
const char *utf_state_word_name(u32 word);

#endif /* VS_UTGARD_FRAME_H */
