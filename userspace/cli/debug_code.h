/* SPDX-License-Identifier: MIT */
/*
 * Programs in the debugger: decoded instructions with text, and a listing with line
 * numbers.
 */
#ifndef VSHADER_CLI_DEBUG_CODE_H
#define VSHADER_CLI_DEBUG_CODE_H

#include "vshader.h"

/**
 * struct dbg_text - a source, or the listing of a program
 * @name: name
 * @path: absolute path of a file, or NULL
 * @text: contents, which @lines are in
 * @lines: lines without their ends
 * @num_lines: number of @lines
 */
struct dbg_text {
	char *name;
	char *path;
	char *text;
	char **lines;
	uint32_t num_lines;
};

/**
 * struct dbg_insn - instruction: a word, clause or bundle
 * @pc: PC as reported by events
 * @size: distance to the PC of the next instruction
 * @line: line of the listing, from 1
 * @file: source that it is from
 * @src: its first line there, from 1; 0: unknown
 * @src_last: its last line there
 * @text: on one line
 */
struct dbg_insn {
	uint32_t pc;
	uint32_t size;
	uint32_t line;
	uint32_t file;
	uint32_t src;
	uint32_t src_last;
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
 * @program: of uploaded code: the file's program that it is, or JF_NONE
 * @insns: instructions by @pc
 * @num_insns: number of @insns
 * @listing: its disassembly
 * @files: files that it was assembled from, the main one first
 * @num_files: number of @files
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
	uint32_t program;
	struct dbg_insn *insns;
	uint32_t num_insns;
	struct dbg_text listing;
	struct dbg_text *files;
	uint32_t num_files;
};

/*
 * @bin: container of the program, or NULL; @index: which program of it.
 * Return: NULL without memory or for an invalid program, see vshader_error().
 */
struct dbg_code *dbg_code_new(const char *name, const struct vshader_source *src,
			      const struct vshader_binary *bin, uint32_t index, uint32_t base);
void dbg_code_free(struct dbg_code *c);
/* @words: those of an instruction. Return: their number */
uint32_t dbg_insn_words(const struct dbg_code *c, const struct dbg_insn *i, const uint32_t **words);
/* Is it the address of a program that a native job uploads by commands? */
bool dbg_is_uploaded(uint64_t va);
/* A copy. Return: 0 or -ENOMEM; @t is to be released with the program in both cases. */
int dbg_text_init(struct dbg_text *t, const char *name, const char *text);
/* Instruction at @pc, or NULL. */
const struct dbg_insn *dbg_code_at(const struct dbg_code *c, uint32_t pc);
/* Instruction that a line of the listing belongs to, or NULL. */
const struct dbg_insn *dbg_code_line(const struct dbg_code *c, uint32_t line);
/*
 * Next line of an instruction's text, which begins at *@text: an operation of a clause, or all
 * of it. Return: false at the end.
 */
bool dbg_code_part(const struct dbg_code *c, const struct dbg_insn *i, const char **text,
		   char *part, size_t size);
/* Are instructions stepped by operations? */
bool dbg_code_has_operations(const struct dbg_code *c);
/*
 * Text of operation @n of an instruction, without NOPs; all of it, if it has one operation only.
 * Return: @buf, or NULL if there is no such operation.
 */
const char *dbg_code_operation(const struct dbg_code *c, const struct dbg_insn *i, uint32_t n,
			       char *buf, size_t size);
/* Attach the sources at @path, and the lines of @c->bin. Return: 0 or -ENOMEM. */
int dbg_code_add_sources(struct dbg_code *c, const char *path);
/* First instruction at or after a line of a source, or NULL. */
const struct dbg_insn *dbg_code_source_line(const struct dbg_code *c, uint32_t file,
					    uint32_t line);
/* Label or procedure at or before an instruction, or NULL; @offset: distance in PCs. */
const char *dbg_code_label(const struct dbg_code *c, uint32_t pc, uint32_t *offset);

#endif /* VSHADER_CLI_DEBUG_CODE_H */
