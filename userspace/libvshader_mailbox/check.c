// SPDX-License-Identifier: MIT
/*
 * Warnings about the code of lists. A list has the address of code only: its end is the first
 * thread end with which the verifier accepts it as a program.
 */
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "core.h"
#include "vshader.h"

#define MOST_INSNS	8192u
#define MOST_ENDS	16u
#define MOST_CODES	64u
#define SIGNAL(word)	((word) >> 28)
#define SIGNAL_END	3u
#define SLOTS		2u	/* instructions that follow a thread end */

/* Hashes of code that was checked; the oldest is replaced. */
static uint64_t codes[MOST_CODES];
static unsigned int next_code;

static uint64_t hash(uint32_t bus, const uint32_t *words, uint32_t num)
{
	uint64_t h = 0xcbf29ce484222325ull ^ bus;
	uint32_t i;

	for (i = 0; i < num; i++)
		h = (h ^ words[i]) * 0x100000001b3ull;
	return h;
}

static bool is_known(uint64_t h)
{
	unsigned int i;

	for (i = 0; i < MOST_CODES; i++) {
		if (codes[i] == h)
			return true;
	}
	codes[next_code++ % MOST_CODES] = h;
	return false;
}

static void print_lines(uint32_t bus, const char *log)
{
	const char *end;

	for (; *log; log = *end ? end + 1 : end) {
		end = strchr(log, '\n');
		end = end ? end : log + strlen(log);
		mbox_say("code at %#x: %.*s", bus, (int)(end - log), log);
	}
}

/* Return: whether these instructions are a program. */
static bool try_code(uint32_t bus, const uint32_t *words, uint32_t insns)
{
	static const uint32_t entry;
	struct drm_vshader_program_info info;
	char log[4096] = "";
	struct vshader_diag diag = { .log = log, .log_size = sizeof(log) };
	const struct vshader_source src = {
		.engine = DRM_VSHADER_ENGINE_QPU,
		.stage = DRM_VSHADER_STAGE_COMPUTE,
		.words[DRM_VSHADER_SECTION_CODE] = words,
		.num_words[DRM_VSHADER_SECTION_CODE] = 2 * insns,
		.entries = &entry,
		.num_entries = 1,
	};

	if (vshader_verify(&src, &info, &diag))
		return false;
	if (!is_known(hash(bus, words, 2 * insns)))
		print_lines(bus, log);
	return true;
}

void check_code(uint32_t bus, const uint32_t *words, uint32_t num_words)
{
	uint32_t insns = num_words / 2, i, ends = 0;

	if (insns > MOST_INSNS)
		insns = MOST_INSNS;
	for (i = 0; i + SLOTS < insns && ends < MOST_ENDS; i++) {
		if (SIGNAL(words[2 * i + 1]) != SIGNAL_END)
			continue;
		if (try_code(bus, words, i + 1 + SLOTS))
			return;
		ends++;
	}
	if (!is_known(hash(bus, words, 2)))
		mbox_say("code at %#x: not checked: %s", bus, ends ? vshader_error() :
			 "it has no thread end");
}
