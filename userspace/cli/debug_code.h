/* SPDX-License-Identifier: MIT */
/*
 * Programs in the debugger: decoded instructions with text, and a listing with line
 * numbers.
 */
#ifndef VSHADER_CLI_DEBUG_CODE_H
#define VSHADER_CLI_DEBUG_CODE_H

#include "vshader.h"

/**
 * struct dbg_insn - instruction: a word, clause or bundle
 * @pc: PC as reported by events
 * @size: distance to the PC of the next instruction
 * @line: line of the listing, from 1
 * @text: on one line
 */
struct dbg_insn {
	uint32_t pc;
	uint32_t size;
	uint32_t line;
	char *text;
};

/**
 * struct dbg_code - program
 * @name: its name
 * @engine: enum drm_vshader_engine
 * @src: the program
 * @bin: binary with its labels, or NULL
 * @bin_index: program of @bin
 * @base: offset added to PCs
 * @words: words of code in memory, otherwise NULL
 * @job: code in memory: index of the job
 * @va: its address
 * @insns: instructions by @pc
 * @num_insns: number of @insns
 * @listing: text of the program
 * @lines: lines of @listing, without line ends
 * @num_lines: number of @lines
 */
struct dbg_code {
	char *name;
	struct vshader_source src;
	const struct vshader_binary *bin;
	uint32_t bin_index;
	uint32_t base;
	uint32_t *words;
	uint32_t job;
	uint64_t va;
	struct dbg_insn *insns;
	uint32_t num_insns;
	char *listing;
	char **lines;
	uint32_t num_lines;
};

/* Return: NULL without memory or for an invalid program, see vshader_error(). */
struct dbg_code *dbg_code_new(const char *name, const struct vshader_source *src,
			      uint32_t base);
void dbg_code_free(struct dbg_code *c);
/* Instruction at @pc, or NULL. */
const struct dbg_insn *dbg_code_at(const struct dbg_code *c, uint32_t pc);
/* First instruction at or after a line, or NULL. */
const struct dbg_insn *dbg_code_line(const struct dbg_code *c, uint32_t line);

#endif /* VSHADER_CLI_DEBUG_CODE_H */
