/* SPDX-License-Identifier: MIT */
/*
 * Utgard programs for the command line: text, and verification with all its findings. The
 * functions that every engine has are in the library's interface.
 */
#ifndef VSHADER_UTGARD_H
#define VSHADER_UTGARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct vsh_utgard_report - report of the verifier
 * @accepted: nothing is wrong
 * @insns: instructions, of the pixel processor those that can be reached
 * @words: words of them
 * @inputs: attributes or varyings, a mask
 * @outputs: varyings that a vertex program writes, a mask
 * @registers: registers, a mask
 * @rows: rows of uniforms that are named without an offset
 * @flow: there are branches
 * @loop: some lead back
 * @relative: registers are added to indices
 * @warnings: how many there are
 * @samplers: texture units, a mask
 * @indexed_samplers: units are chosen by a register
 * @discard: fragments may be discarded
 * @group: results of neighbours are used
 * @fb_read: the frame buffer is read
 * @temps: temporaries are used
 * @temp_low: lowest row of temporaries that is named without an offset
 * @temp_high: highest one
 * @first_count: words of the first instruction
 * @reason: why it is rejected
 * @text: the reason as text
 * @offset: where: instruction of a vertex program, word of a pixel program
 * @field: name of the field, or NULL
 * @part: part of the field, or NULL
 * @field_lo: lowest bit, of the instruction or of the field
 * @field_hi: highest one
 * @value: value of the field
 * @limit: limit for it
 */
struct vsh_utgard_report {
	bool accepted;
	uint32_t insns;
	uint32_t words;
	uint32_t inputs;
	uint32_t outputs;
	uint32_t registers;
	uint32_t rows;
	bool flow;
	bool loop;
	bool relative;
	uint32_t warnings;
	uint32_t samplers;
	bool indexed_samplers;
	bool discard;
	bool group;
	bool fb_read;
	bool temps;
	int32_t temp_low;
	int32_t temp_high;
	uint32_t first_count;
	uint32_t reason;
	const char *text;
	uint32_t offset;
	const char *field;
	const char *part;
	uint32_t field_lo;
	uint32_t field_hi;
	uint32_t value;
	uint32_t limit;
};

/* Warnings, a line each, go to @log, which may be NULL. Return: 0 or -ENOMEM. */
int vsh_utgard_verify(bool pixel, const uint32_t *words, uint32_t nwords,
		      const uint32_t *entries, uint32_t nentries, struct vsh_utgard_report *rep,
		      char *log, size_t size);

#endif /* VSHADER_UTGARD_H */
