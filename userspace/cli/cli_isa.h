/* SPDX-License-Identifier: MIT */
/*
 * The part that instruction sets have in the command, see userspace/families. The shared files
 * name no instruction set.
 */
#ifndef VSHADER_CLI_ISA_H
#define VSHADER_CLI_ISA_H

#include "cli.h"
#include "jobfile_isa.h"

struct bench_ops;

/** struct asm_options - options of disasm, asm and verify */
struct asm_options {
	struct program_options prog;
	const char *device;
	const char *output;
	const char *gpu;
	bool json;
	bool words;
};

/**
 * struct cli_isa - instruction set on the command line
 * @names: GPUs and families that execute it, for hints; NULL-terminated, or NULL
 * @owns: whether a file is a container with programs of this ISA, or NULL
 * @gpus: for help: generations that --gpu chooses, or NULL
 * @stages: for help: stages that --stage chooses, or NULL
 * @opdesc: words need operand descriptors beside the code
 * @container: for help: file format that "asm" can write, or NULL
 * @language: for help: assembler's language, if it is an external one
 * @suffixes: suffixes of assembly files, NULL-terminated; or NULL
 * @disasm: prints a program; NULL: by instruction and by listing
 * @assemble: writes a program to a file; NULL: in the forms hex, bin, shbin
 * @verify: prints the verifier's report; NULL: the generic report. All three return the
 *	exit status
 * @print_info: lines of the report that only this ISA has, or NULL
 * @comment: character before the instruction's number at the end of listing lines
 * @find_insn: whether a line of a listing holds the number @n of the next instruction; NULL:
 *	use @comment
 * @next_part: copies the next operation of an instruction of several, without those that do
 *	nothing, and moves *@text on. Return: false at the end; NULL: instructions are shown
 *	on one line
 * @separator: text between the operations of an instruction of several, which debuggers step;
 *	NULL: as @next_part, without which instructions have one operation
 * @next_name: parses a register name at *@text. Return: 1 parsed, -1 skipped, 0 neither;
 *	NULL: words only
 * @bus_mask: mask of address bits in the PC of code in memory; 0: the PC is relative to
 *	the start of the code
 * @independent: processors run independently and never wait for each other
 * @uploads: native jobs upload programs by commands, see DRM_VSHADER_DEBUG_UPLOADED()
 * @fragments: units without a program draw fragments, which can be traced
 * @stray_text: the accesses that &drm_vshader_job_result.stray_reads counts, or NULL
 * @dump_states: prints the processors' states of a dump, or NULL
 * @print_results: prints results of a job other than streams, or NULL
 * @json_states: prints members before the streams in JSON
 * @json_results: the same for members after the streams
 * @bench: workloads, possibly shared by ISAs; NULL: none
 */
struct cli_isa {
	const char * const *names;
	bool (*owns)(const uint8_t *data, size_t len);
	const char *gpus;
	const char *stages;
	bool opdesc;
	const char *container;
	const char *language;
	const char * const *suffixes;
	int (*disasm)(const char *path, const struct asm_options *opt);
	int (*assemble)(const char *path, const struct asm_options *opt);
	int (*verify)(const char *path, const struct asm_options *opt);
	void (*print_info)(const struct drm_vshader_program_info *i);
	char comment;
	bool (*find_insn)(const char *line, uint32_t *n);
	bool (*next_part)(const char **text, char *part, size_t size);
	const char *separator;
	int (*next_name)(const char **text, uint32_t pc, char *name, size_t size);
	uint32_t bus_mask;
	bool independent;
	bool uploads;
	bool fragments;
	const char *stray_text;
	void (*dump_states)(const struct vshader_dump *d);
	void (*print_results)(const struct jf_job *jj, const struct jf_outcome *o, bool verbose);
	void (*json_states)(struct json_object *o, const struct jf_job *jj,
			    const struct jf_outcome *out);
	void (*json_results)(struct json_object *o, const struct jf_job *jj,
			     const struct jf_outcome *out);
	const struct bench_ops *bench;
};

#define VS_ISA(NAME, number, isa, family) extern const struct cli_isa cli_##isa;
#include "isa/isas.def"
#undef VS_ISA

/* Never NULL: an unknown engine has a structure of zeros. */
const struct cli_isa *cli_isa_of(uint32_t engine);
const struct cli_isa *cli_isa_of_job(const struct vshader_jobfile *jf, const struct jf_job *job);

/* cmd_asm.c, for instruction sets */
/* --entry is one of the program's instructions. */
int asm_check_entry(const struct asm_options *opt, const struct vshader_source *src);
/* EXIT_DIFFERS with a message if a listing has words that are no instructions. */
int asm_check_listing(const char *path, const char *text, uint32_t engine);
/* "  NAME    r0 r3": the bits of a mask, or "none". */
void asm_print_mask(const char *name, uint32_t mask, const char *prefix);

#endif /* VSHADER_CLI_ISA_H */
