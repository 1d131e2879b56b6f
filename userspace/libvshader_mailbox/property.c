// SPDX-License-Identifier: MIT
/*
 * Messages of the property mailbox: those about memory and QPUs, and those about the board
 * that programs ask before. Clocks, voltages and power are kept as they are set, and have no
 * effect.
 */
#include <string.h>

#include "board.h"
#include "core.h"
#include "property.h"

#define REQUEST		0x00000000u
#define ANSWERED	0x80000000u
#define BAD_MESSAGE	0x80000001u

#define HEADER_WORDS	3	/* of a tag */
#define MAX_MESSAGE	4096u	/* bytes */

#define TAG_END		0
#define MAX_ANSWER	32		/* words */

/**
 * struct call - handler of a tag
 * @tag: number
 * @args: words that it takes
 * @run: writes its answer and returns the answer's bytes
 */
struct call {
	uint32_t tag;
	uint32_t args;
	uint32_t (*run)(const uint32_t *args, uint32_t *out);
};

static uint32_t allocate(const uint32_t *args, uint32_t *out)
{
	out[0] = mbox_alloc(args[0], args[1]);
	return 4;
}

static uint32_t lock_memory(const uint32_t *args, uint32_t *out)
{
	out[0] = mbox_address(args[0]);
	return 4;
}

static uint32_t unlock_memory(const uint32_t *args, uint32_t *out)
{
	out[0] = !mbox_address(args[0]);
	return 4;
}

static uint32_t release(const uint32_t *args, uint32_t *out)
{
	out[0] = !mbox_free(args[0]);
	return 4;
}

static uint32_t execute_code(const uint32_t *args, uint32_t *out)
{
	mbox_say("VPU code at %#x: there is no VPU", args[0]);
	out[0] = MBOX_FAILED;
	return 4;
}

static uint32_t execute_qpu(const uint32_t *args, uint32_t *out)
{
	out[0] = mbox_execute(args[0], args[1], args[3]);
	return 4;
}

static uint32_t enable_qpu(const uint32_t *args, uint32_t *out)
{
	out[0] = 0;
	return 4;
}

static const struct call calls[] = {
	{ 0x00000001, 0, board_firmware },
	{ 0x00010001, 0, board_model },
	{ 0x00010002, 0, board_revision },
	{ 0x00010003, 0, board_mac },
	{ 0x00010004, 0, board_serial },
	{ 0x00010005, 0, board_arm_memory },
	{ 0x00010006, 0, board_vc_memory },
	{ 0x00010007, 0, board_clocks },
	{ 0x00020001, 1, board_power },
	{ 0x00020002, 1, board_power_timing },
	{ 0x00028001, 2, board_set_power },
	{ 0x00030001, 1, board_clock_state },
	{ 0x00030002, 1, board_clock_rate },
	{ 0x00030003, 1, board_voltage },
	{ 0x00030004, 1, board_max_clock },
	{ 0x00030005, 1, board_max_voltage },
	{ 0x00030006, 1, board_temperature },
	{ 0x00030007, 1, board_min_clock },
	{ 0x00030008, 1, board_min_voltage },
	{ 0x00030009, 1, board_turbo },
	{ 0x0003000a, 1, board_max_temperature },
	{ 0x0003000c, 3, allocate },
	{ 0x0003000d, 1, lock_memory },
	{ 0x0003000e, 1, unlock_memory },
	{ 0x0003000f, 1, release },
	{ 0x00030010, 7, execute_code },
	{ 0x00030011, 4, execute_qpu },
	{ 0x00030012, 1, enable_qpu },
	{ 0x00030046, 0, board_throttled },
	{ 0x00030047, 1, board_clock_rate },	/* measured */
	{ 0x00038001, 2, board_set_clock_state },
	{ 0x00038002, 2, board_set_clock_rate },
	{ 0x00038003, 2, board_set_voltage },
	{ 0x00038009, 2, board_turbo },
	{ 0x00050001, 0, board_command_line },
	{ 0x00060001, 0, board_dma_channels },
};

static const struct call *find_call(uint32_t tag)
{
	unsigned int i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (calls[i].tag == tag)
			return &calls[i];
	}
	return NULL;
}

/* @tag: its header; @words: room for its buffer. An answer that is longer is cut off. */
static bool answer_tag(uint32_t *tag, uint32_t words)
{
	const struct call *call = find_call(tag[0]);
	uint32_t answer[MAX_ANSWER], size;

	if (!call) {
		mbox_say("property tag %#x is not known", tag[0]);
		return true;
	}
	if (words < call->args) {
		mbox_say("property tag %#x takes %u bytes, not %u", tag[0], 4 * call->args, tag[1]);
		return false;
	}
	size = call->run(tag + HEADER_WORDS, answer);
	memcpy(tag + HEADER_WORDS, answer, size < tag[1] ? size : tag[1]);
	tag[2] = ANSWERED | size;
	return true;
}

bool property_message(uint32_t *msg)
{
	uint32_t words, at, room;

	if (!msg || msg[0] < 12 || msg[0] % 4 || msg[0] > MAX_MESSAGE || msg[1] != REQUEST) {
		if (msg)
			msg[1] = BAD_MESSAGE;
		return false;
	}
	words = msg[0] / 4;
	for (at = 2; at < words && msg[at] != TAG_END; at += HEADER_WORDS + room) {
		room = at + HEADER_WORDS <= words ? (msg[at + 1] + 3) / 4 : 0;
		if (at + HEADER_WORDS > words || msg[at + 1] > MAX_MESSAGE ||
		    room > words - at - HEADER_WORDS || !answer_tag(&msg[at], room)) {
			msg[1] = BAD_MESSAGE;
			return false;
		}
	}
	msg[1] = ANSWERED;
	return true;
}
