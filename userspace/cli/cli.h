/* SPDX-License-Identifier: MIT */
/*
 * The vshader command.
 */
#ifndef VSHADER_CLI_H
#define VSHADER_CLI_H

#include <getopt.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "jobfile.h"

/* Exit status */
#define EXIT_OK		0	/* all as expected */
#define EXIT_DIFFERS	1	/* a result differs, a job faulted, a program was rejected */
#define EXIT_USAGE	2	/* bad usage or input */

/** struct command - sub-command */
struct command {
	const char *name;
	const char *args;
	const char *text;
	int (*run)(int argc, char **argv);
};

extern const struct command commands[];
extern const unsigned int num_commands;

int cmd_info(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_test(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_disasm(int argc, char **argv);
int cmd_asm(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_debug(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_gl(int argc, char **argv);
int cmd_vm(int argc, char **argv);

/* Message to stderr. Return: EXIT_USAGE. */
int fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Usage of the running command to stderr. Return: EXIT_USAGE. */
int usage_error(void);
/* A text of others on a line of stderr. */
void print_error(const char *text);
/* A file's name for stdout: "?" for control characters, as ls has them; until the next call. */
const char *safe_name(const char *name);
/*
 * An option with a value counts once: a second value would be the only one.
 * @code: from getopt_long(), of @options
 * @many: codes that can be given several times, and 0; or NULL
 * Return: @code, or '?', reported.
 */
int option_once(int code, const struct option *options, const int *many);
/* "-" for a folder, or for a file of a command whose results would be mixed with it. */
int refuse_stdout(const char *option, const char *path);
/* A decimal number from @lo to @hi. Return: 0 or EXIT_USAGE, reported. */
int parse_limited(const char *option, const char *text, unsigned long lo, unsigned long hi,
		  unsigned long *out);
/* Exit status for a program that cannot be started, by its errno. */
int program_status(int error);
/* Usage and options of the running command to stdout. Return: EXIT_OK. */
int print_help(const char *options);
/*
 * Wrap a help paragraph at @indent; the caller has indented the first line. "~" is a
 * non-breaking blank.
 */
void print_wrapped(unsigned int indent, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Opens, with a message on failure. */
int open_device(const char *spec, struct vshader_device **dev);
/* Read a whole file, "-" is stdin; a NUL follows the @len bytes. Prints a message on failure. */
int read_input(const char *path, uint8_t **data, size_t *len);
/* The same for a look: the next read_input() of @path returns what this has read. */
int peek_input(const char *path, const uint8_t **data, size_t *len);
/* Engine of --isa, negative with a message. */
int parse_isa(const char *name);

/* The words of instruction @n, as text: 18 characters and a zero. */
const char *insn_hex(const struct vshader_source *src, uint32_t n, char *buf, size_t size);

/*
 * junit.c: bytes of the UTF-8 character at @p; 0: it is none, or no character of XML, as most
 * control characters are.
 */
unsigned int utf8_len(const uint8_t *p);

/* JSON members with a message-free out-of-memory policy: they abort. */
void js_str(struct json_object *o, const char *key, const char *s);
void js_int(struct json_object *o, const char *key, uint64_t n);
void js_num(struct json_object *o, const char *key, double d);
void js_bool(struct json_object *o, const char *key, bool b);
struct json_object *js_array(struct json_object *o, const char *key);
struct json_object *js_object(struct json_object *o, const char *key);
/* Words as hexadecimal bits: JSON has neither NaN nor infinities. */
struct json_object *js_bits(const uint8_t *p, uint32_t n);
void js_print(struct json_object *o);
/* On one line, at once; does not release it. */
void js_line(struct json_object *o);

/* report.c: results of a job file */
void report_text(const struct vshader_jobfile *jf, const struct vshader_run *run, bool verbose);
struct json_object *report_json(const struct vshader_jobfile *jf, const struct vshader_run *run);

/* source.c: programs on the command line */
struct program_input {
	struct vshader_source src;
	struct vshader_binary *bin;	/* NULL for raw words */
	uint32_t *words[VSHADER_NUM_SECTIONS];
	uint32_t *entries;
};

struct program_options {
	uint32_t engine;
	bool has_engine;
	uint32_t stage;
	bool has_stage;
	const char *form;		/* "hex", "bin", "shbin", "asm" or NULL: guess */
	const char *opdesc;		/* file of descriptors, for raw words */
	const char *entry;		/* word or label */
	unsigned int index;		/* program of a container */
	bool has_index;
};

/* With a message on failure. */
int load_program(const char *path, const struct program_options *opt, struct program_input *in);
int load_sources(char **paths, unsigned int num, const struct program_options *opt,
		 struct program_input *in);
void free_program(struct program_input *in);
int parse_stage(const char *name, struct program_options *opt);

#endif /* VSHADER_CLI_H */
