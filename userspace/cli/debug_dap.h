/* SPDX-License-Identifier: MIT */
/*
 * Debug Adapter Protocol: internal interfaces of the server.
 *
 * Code locations are numbers for the client: program of the file plus 1, or DAP_NATIVE, times
 * 2^32, plus the instruction. Addresses continue below and above a program, by up to 2^31 each.
 * Sources are files, by their paths, and the listings of programs without a file, by the same
 * factors.
 */
#ifndef VSHADER_CLI_DEBUG_DAP_H
#define VSHADER_CLI_DEBUG_DAP_H

#include "debug.h"

#define DAP_MAX_MESSAGE	(16u << 20)
#define DAP_NATIVE	0x7fffffffu
#define DAP_MAX_REFS	4096

/** struct dap_ref - target of a variablesReference, valid while a job is stopped */
struct dap_ref {
	uint64_t inv;
	int bank;		/* all of a bank, or -1 */
	uint32_t reg;		/* components of a register */
};

/* Owners of breakpoints beside sources */
#define DAP_INSTRUCTIONS	0u
#define DAP_DATA		0xffffffffu
#define DAP_FUNCTIONS		0xfffffffeu

/**
 * struct dap_point - breakpoint
 * @num: its number
 * @source: listing that it belongs to, DAP_INSTRUCTIONS, DAP_DATA or DAP_FUNCTIONS
 * @text: file that it belongs to, or NULL
 */
struct dap_point {
	unsigned int num;
	uint32_t source;
	const struct dbg_text *text;
};

/**
 * struct dap - server
 * @d: debugger
 * @open: @d has a job file
 * @started: jobs have been started
 * @entry: stop once when they are
 * @first_line: number of the client's first line, 0 or 1
 * @first_column: the same for columns
 * @told: the client knows of the stop
 * @done: the client has disconnected or will be disconnected
 * @seq: number of the last message sent
 * @path: job file of the command line, or NULL
 * @file: job file of the launch
 * @device: device
 * @refs: variablesReferences
 * @num_refs: number of @refs
 * @points: breakpoints
 * @num_points: number of @points
 * @text: collects the output of a command, or of a line that is not complete
 * @text_len: characters of @text
 * @collect: a command's output is collected, instead of being sent line by line
 * @in: received bytes
 * @len: bytes in @in
 * @room: for so many
 */
struct dap {
	struct dbg d;
	bool open;
	bool started;
	bool entry;
	uint32_t first_line;
	uint32_t first_column;
	bool told;
	bool done;
	uint32_t seq;
	const char *path;
	char *file;
	const char *device;
	struct dap_ref refs[DAP_MAX_REFS];
	unsigned int num_refs;
	struct dap_point points[DBG_MAX_POINTS];
	unsigned int num_points;
	char *text;
	size_t text_len;
	bool collect;
	char *in;
	size_t len;
	size_t room;
};

/**
 * struct dap_request - request and its result
 * @args: arguments, may be NULL
 * @body: result
 */
struct dap_request {
	struct json_object *args;
	struct json_object *body;
};

typedef int (*dap_fn)(struct dap *s, struct dap_request *r);

struct dap_handler {
	const char *name;
	dap_fn fn;
	bool needs_file;
};

extern const struct dap_handler dap_data_handlers[], dap_code_handlers[];

/* Members of an object, which may be NULL or of any type. */
const char *dap_str(struct json_object *o, const char *key);
uint64_t dap_int(struct json_object *o, const char *key, uint64_t otherwise);
bool dap_bool(struct json_object *o, const char *key);
struct json_object *dap_list(struct json_object *o, const char *key, size_t *n);

/* Takes @body over, which may be NULL. */
void dap_event(struct dap *s, const char *name, struct json_object *body);

/* debug_dap_code.c */
uint32_t dap_code_number(struct dap *s, const struct dbg_code *c);
struct dbg_code *dap_code_by_number(struct dap *s, uint32_t n);
/* Delete the breakpoints of an owner. */
void dap_remove_points(struct dap *s, uint32_t source, const struct dbg_text *text);
/*
 * Add a breakpoint by a command and the "hitCondition" of @o. @out: the reply to the client.
 */
int dap_add_point(struct dap *s, const char *command, const struct dap_point *owner,
		  struct json_object *o, struct json_object *out);

#endif /* VSHADER_CLI_DEBUG_DAP_H */
