// SPDX-License-Identifier: MIT
/*
 * Messages of the property mailbox: those that QPU programs send.
 */
#include "core.h"
#include "property.h"

#define REQUEST		0x00000000u
#define ANSWERED	0x80000000u
#define BAD_MESSAGE	0x80000001u

#define HEADER_WORDS	3	/* of a tag */
#define MAX_MESSAGE	4096u	/* bytes */

enum {
	TAG_END = 0,
	TAG_FIRMWARE_REVISION = 0x00000001,
	TAG_BOARD_REVISION = 0x00010002,
	TAG_ALLOCATE = 0x0003000c,
	TAG_LOCK = 0x0003000d,
	TAG_UNLOCK = 0x0003000e,
	TAG_RELEASE = 0x0003000f,
	TAG_EXECUTE_CODE = 0x00030010,
	TAG_EXECUTE_QPU = 0x00030011,
	TAG_ENABLE_QPU = 0x00030012,
};

#define BOARD_REVISION	0x00a01041u	/* a Raspberry Pi 2 */

/**
 * struct call - handler of a tag
 * @tag: number
 * @args: words that it takes
 * @run: its answer, one word
 */
struct call {
	uint32_t tag;
	uint32_t args;
	uint32_t (*run)(const uint32_t *args);
};

static uint32_t firmware_revision(const uint32_t *args)
{
	return MBOX_VERSION;
}

static uint32_t board_revision(const uint32_t *args)
{
	return BOARD_REVISION;
}

static uint32_t allocate(const uint32_t *args)
{
	return mbox_alloc(args[0], args[1]);
}

static uint32_t lock_memory(const uint32_t *args)
{
	return mbox_address(args[0]);
}

static uint32_t unlock_memory(const uint32_t *args)
{
	return !mbox_address(args[0]);
}

static uint32_t release(const uint32_t *args)
{
	return !mbox_free(args[0]);
}

static uint32_t execute_code(const uint32_t *args)
{
	mbox_say("VPU code at %#x: there is no VPU", args[0]);
	return MBOX_FAILED;
}

static uint32_t execute_qpu(const uint32_t *args)
{
	return mbox_execute(args[0], args[1], args[3]);
}

static uint32_t enable_qpu(const uint32_t *args)
{
	return 0;
}

static const struct call calls[] = {
	{ TAG_FIRMWARE_REVISION, 0, firmware_revision },
	{ TAG_BOARD_REVISION, 0, board_revision },
	{ TAG_ALLOCATE, 3, allocate },
	{ TAG_LOCK, 1, lock_memory },
	{ TAG_UNLOCK, 1, unlock_memory },
	{ TAG_RELEASE, 1, release },
	{ TAG_EXECUTE_CODE, 7, execute_code },
	{ TAG_EXECUTE_QPU, 4, execute_qpu },
	{ TAG_ENABLE_QPU, 1, enable_qpu },
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

/* @tag: its header; @words: room for its buffer. */
static bool answer_tag(uint32_t *tag, uint32_t words)
{
	const struct call *call = find_call(tag[0]);

	if (!call) {
		mbox_say("property tag %#x is not known", tag[0]);
		return true;
	}
	if (words < call->args || !words)
		return false;
	tag[HEADER_WORDS] = call->run(tag + HEADER_WORDS);
	tag[2] = ANSWERED | 4;
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
