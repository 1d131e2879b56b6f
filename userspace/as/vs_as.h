/* SPDX-License-Identifier: MIT */
/*
 * Assemblers.
 */
#ifndef VS_AS_H
#define VS_AS_H

#include <stddef.h>
#include <stdint.h>

struct vs_shbin;

#define VS_AS_MAX_MESSAGES	32

/* Flags of vs_as_pica_files() */
#define VS_AS_NO_NOP		0x1	/* warn where a padding NOP is missing, add none */

/**
 * struct vs_as_message - error or a warning
 * @file: index of the source, see vs_as_pica_files()
 * @line: line, from 1; 0 if it is about the whole source
 * @column: column, from 1; 0 if it is about the whole line
 * @error: an error, not a warning
 * @text: message, one line without its newline
 */
struct vs_as_message {
	uint32_t file;
	uint32_t line;
	uint32_t column;
	int error;
	char text[160];
};

/**
 * struct vs_as_diag - messages of an assembly
 * @nerrors: errors found
 * @nwarnings: warnings found
 * @nmessages: messages kept; errors beyond VS_AS_MAX_MESSAGES are only counted
 * @messages: in the order of the source
 */
struct vs_as_diag {
	uint32_t nerrors;
	uint32_t nwarnings;
	uint32_t nmessages;
	struct vs_as_message messages[VS_AS_MAX_MESSAGES];
};

/**
 * struct vs_as_label - procedure, or a label of the last source
 * @name: name
 * @word: its address
 */
struct vs_as_label {
	char *name;
	uint32_t word;
};

/**
 * struct vs_as_line - source lines of an instruction
 * @word: its address, counted as that of labels
 * @file: index of the source
 * @line: first line, from 1
 * @last: last line
 */
struct vs_as_line {
	uint32_t word;
	uint32_t file;
	uint32_t line;
	uint32_t last;
};

/**
 * struct vs_as_name - name of a register or a constant
 * @name: name
 * @value: "$c4", "$c4.xyz", "12": an expression of the debugger
 * @count: number of consecutive registers
 */
struct vs_as_name {
	char *name;
	char *value;
	uint32_t count;
};

/**
 * struct vs_as_debug - what a source says beside the words
 * @lines: by ascending address
 * @nlines: number of @lines
 * @labels: labels and procedures
 * @nlabels: number of @labels
 * @names: names of registers and constants at the end of the source
 * @nnames: number of @names
 */
struct vs_as_debug {
	struct vs_as_line *lines;
	uint32_t nlines;
	struct vs_as_label *labels;
	uint32_t nlabels;
	struct vs_as_name *names;
	uint32_t nnames;
};

/*
 * Add to a table; @g may be NULL. Texts are copied. Return: 0 or -ENOMEM.
 */
int vs_as_add_line(struct vs_as_debug *g, uint32_t word, uint32_t file, uint32_t line,
		   uint32_t last);
int vs_as_add_label(struct vs_as_debug *g, const char *name, size_t len, uint32_t word);
int vs_as_add_name(struct vs_as_debug *g, const char *name, size_t len, const char *value,
		   uint32_t count);

/**
 * vs_as_debug_free - release the tables
 * @g: tables, or zeroes
 */
void vs_as_debug_free(struct vs_as_debug *g);

/**
 * struct vs_as_result - result of an assembly
 * @bin: code, descriptors and a DVLE for each source
 * @entries: entry points: one per DVLE, or all those of a listing
 * @nentries: number of @entries
 * @debug: lines and names, which the container does not hold; names of the last source only
 */
struct vs_as_result {
	struct vs_shbin *bin;
	uint32_t *entries;
	uint32_t nentries;
	struct vs_as_debug debug;
};

/**
 * struct vs_as_source - source file
 * @text: contents
 * @len: bytes
 */
struct vs_as_source {
	const char *text;
	size_t len;
};

/**
 * vs_as_pica - assemble PICA200 source in picasso's language
 * @text: source
 * @len: bytes
 * @out: the result, to be released with vs_as_result_free()
 * @diag: messages
 *
 * Return: 0, -EINVAL errors in the source, -ENOMEM.
 */
int vs_as_pica(const char *text, size_t len, struct vs_as_result *out, struct vs_as_diag *diag);

/**
 * vs_as_pica_files - assemble and link several sources into one container
 * @src: sources; procedures and vertex uniforms are common to all of them
 * @nsrc: number of @src
 * @flags: VS_AS_NO_NOP
 * @out: the result, to be released with vs_as_result_free()
 * @diag: messages
 *
 * Return: 0, -EINVAL errors in a source, -ENOMEM.
 */
int vs_as_pica_files(const struct vs_as_source *src, uint32_t nsrc, uint32_t flags,
		     struct vs_as_result *out, struct vs_as_diag *diag);

/**
 * vs_as_result_free - release a result
 * @res: result of a successful assembly, or zeroes
 */
void vs_as_result_free(struct vs_as_result *res);

/**
 * struct vs_as_options - options of the QPU assembler
 * @load: loads the file of an .include; the assembler frees @text. Returns 0 or an error.
 *	NULL: only the built-in "vc4.qinc" can be included
 * @ctx: for @load
 */
struct vs_as_options {
	int (*load)(void *ctx, const char *name, char **text, size_t *len);
	void *ctx;
};

/**
 * struct vs_as_program - a QPU program
 * @words: low half of an instruction first
 * @nwords: 32-bit words, even
 * @entries: instructions that .entry names; the first one if none is
 * @nentries: number of @entries
 * @stage: 2 fragment, 3 compute (the numbers of enum drm_vshader_stage)
 * @debug: lines and names; labels of instructions, without numeric ones
 */
struct vs_as_program {
	uint32_t *words;
	uint32_t nwords;
	uint32_t *entries;
	uint32_t nentries;
	uint32_t stage;
	struct vs_as_debug debug;
};

/**
 * vs_as_qpu - assemble VideoCore IV QPU source in vc4asm's language
 * @text: source
 * @len: bytes
 * @opt: options, or NULL
 * @out: the result, to be released with vs_as_program_free()
 * @diag: messages; @file is 0 for the main source, then included files in order
 *
 * Return: 0, -EINVAL errors in the source, -ENOMEM.
 */
int vs_as_qpu(const char *text, size_t len, const struct vs_as_options *opt,
	      struct vs_as_program *out, struct vs_as_diag *diag);

/**
 * vs_as_program_free - release a result
 * @res: result of a successful assembly, or zeroes
 */
void vs_as_program_free(struct vs_as_program *res);

/**
 * vs_as_bifrost - assemble Mali Bifrost source in the language of its disassembly
 * @text: source
 * @len: bytes
 * @words: the program, to be freed
 * @nwords: 32-bit words, a multiple of four
 * @debug: lines and names, to be released with vs_as_debug_free(); or NULL
 * @diag: messages
 *
 * Return: 0, -EINVAL errors in the source, -ENOMEM.
 */
int vs_as_bifrost(const char *text, size_t len, uint32_t **words, uint32_t *nwords,
		  struct vs_as_debug *debug, struct vs_as_diag *diag);

/**
 * vs_as_utgard_gp - assemble Mali Utgard vertex programs in the language of disassembly
 * @text: source
 * @len: bytes
 * @words: the program, to be freed
 * @nwords: 32-bit words, a multiple of four
 * @debug: lines and names, to be released with vs_as_debug_free(); or NULL
 * @diag: messages
 *
 * Return: 0, -EINVAL errors in the source, -ENOMEM.
 */
int vs_as_utgard_gp(const char *text, size_t len, uint32_t **words, uint32_t *nwords,
		    struct vs_as_debug *debug, struct vs_as_diag *diag);

/**
 * vs_as_utgard_pp - assemble Mali Utgard pixel programs in the language of disassembly
 * @text: source
 * @len: bytes
 * @words: the program, to be freed
 * @nwords: 32-bit words
 * @debug: lines and names, to be released with vs_as_debug_free(); or NULL
 * @diag: messages
 *
 * Return: 0, -EINVAL errors in the source, -ENOMEM.
 */
int vs_as_utgard_pp(const char *text, size_t len, uint32_t **words, uint32_t *nwords,
		    struct vs_as_debug *debug, struct vs_as_diag *diag);

/**
 * vs_as_midgard - assemble Mali Midgard source in the language of its disassembly
 * @text: source
 * @len: bytes
 * @words: the program, to be freed
 * @nwords: 32-bit words, a multiple of four
 * @debug: lines and names, to be released with vs_as_debug_free(); or NULL
 * @diag: messages
 *
 * Return: 0, -EINVAL errors in the source, -ENOMEM.
 */
int vs_as_midgard(const char *text, size_t len, uint32_t **words, uint32_t *nwords,
		  struct vs_as_debug *debug, struct vs_as_diag *diag);

#endif /* VS_AS_H */
