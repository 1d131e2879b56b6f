/* SPDX-License-Identifier: MIT */
/*
 * The debugger without a user interface: a session over the jobs of a file, and gdb's
 * commands on it. The console, the full-screen mode and the Debug Adapter Protocol are on
 * top of it, "trace" and "run --coverage" use the session only.
 */
#ifndef VSHADER_CLI_DEBUG_H
#define VSHADER_CLI_DEBUG_H

#include "cli.h"
#include "color.h"
#include "debug_code.h"
#include "debug_value.h"
#include "jobfile_step.h"
#include "vshader_debug.h"

#define DBG_MAX_POINTS	64
#define DBG_MAX_BANKS	32
#define DBG_MAX_HISTORY	256
#define DBG_MAX_DISPLAY	32
#define DBG_MAX_VARS	64
#define DBG_MAX_USERS	128
#define DBG_NUM_SETTINGS	64

struct dbg;

/**
 * struct dbg_ops - callbacks of a user interface
 * @write: show text
 * @event: an event as JSON, which is the caller's; may be NULL
 * @interrupted: whether the user has requested a stop of the running job; clears the
 *	request
 * @tui: run the full-screen mode, or, in it, leave it; NULL: unsupported
 * @redraw: draw the screen again; NULL: there is none
 * @async: commands do not wait for the job to stop
 * @color: escape sequences of colours may be written
 */
struct dbg_ops {
	void (*write)(void *ctx, const char *text);
	void (*event)(void *ctx, struct json_object *event);
	bool (*interrupted)(void *ctx);
	int (*tui)(struct dbg *d);
	void (*redraw)(void *ctx);
	bool async;
	bool color;
};

/**
 * struct dbg_point - breakpoint or watchpoint
 * @num: number shown to the user, 0: unused entry
 * @id: number in the session, 0: not set in the session
 * @program: program of the file, or JF_NONE
 * @p: as in the interface, except @id and @program
 * @what: location as typed by the user
 * @cond: condition, or NULL
 * @temporary: deleted when it stops a job
 * @commands: lines to be executed when it stops a job, or NULL
 * @once: disabled when it stops a job
 * @hits: hits in earlier sessions
 * @inv: DBG_WATCH_VALUE: invocation whose register is watched
 * @value: DBG_WATCH_VALUE: last value of @what
 */
struct dbg_point {
	unsigned int num;
	uint32_t id;
	uint32_t program;
	struct drm_vshader_debug_point p;
	char *what;
	char *cond;
	bool temporary;
	char *commands;
	bool once;
	uint64_t hits;
	uint64_t inv;
	struct dbg_value value;
};

/* Kind of a point that the interface does not have: the invocation is stepped. */
#define DBG_WATCH_VALUE	0xffffffffu

/** struct dbg_display - expression shown at each stop; @format as of print and x */
struct dbg_display {
	unsigned int num;
	bool disabled;
	struct dbg_format format;
	char *expr;
};

struct dbg_var {
	char *name;
	struct dbg_value value;
};

enum dbg_block_kind { DBG_NO_BLOCK, DBG_COMMANDS, DBG_DEFINE, DBG_DOCUMENT, DBG_IF, DBG_WHILE };

/**
 * struct dbg_block - lines up to "end" that are being collected
 * @kind: of the command that began it
 * @head: its arguments
 * @text: lines so far
 * @depth: blocks in it that have not ended
 * @point: DBG_COMMANDS: number of the breakpoint
 */
struct dbg_block {
	enum dbg_block_kind kind;
	char *head;
	char *text;
	unsigned int depth;
	unsigned int point;
};

/** struct dbg_user - command that the user has defined; @doc: NULL: none */
struct dbg_user {
	char *name;
	char *text;
	char *doc;
};

/* Views of the code in full-screen mode; DBG_LAYOUT_REGS: registers are wide. */
enum dbg_layout { DBG_LAYOUT_SRC, DBG_LAYOUT_ASM, DBG_LAYOUT_SPLIT, DBG_LAYOUT_REGS,
		  DBG_NUM_LAYOUTS };

enum dbg_state {
	DBG_IDLE,	/* nothing runs */
	DBG_RUNNING,
	DBG_STOPPED
};

/**
 * struct dbg - debugger state
 * @jf: job file
 * @path: its name
 * @dev: device
 * @ops: user interface
 * @ctx: for @ops
 * @steps: the run, NULL: not started; kept for its memory when all jobs have ended
 * @run: results of the run that has ended
 * @session: of the job that runs
 * @job: the job
 * @engine: its engine
 * @state: execution state
 * @attach: DRM_VSHADER_DEBUG_STOP_*
 * @early: read the programs that a job uploads at its start: @trace is called when it has ended
 * @stop: location and reason of the current stop
 * @inv: invocation that commands are about
 * @banks: registers of @engine
 * @num_banks: number of @banks
 * @code: program that the job is in, NULL: none
 * @programs: programs of the file that were asked for
 * @native: code in memory, of all jobs that were run
 * @num_native: number of @native
 * @trace: called before jobs start (DBG_IDLE) and when trace records can be taken, may be NULL
 * @on_event: called with each event of the session; may be NULL
 * @hook: for @trace and @on_event
 * @points: breakpoints and watchpoints
 * @last_point: highest number of a point so far
 * @watching: "continue" steps, as registers are watched
 * @block: lines that are being collected
 * @users: commands that the user has defined
 * @num_users: number of @users
 * @nested: blocks and commands of the user that are executed
 * @from_point: commands of a breakpoint are executed
 * @settings: values of gdb's settings by number, NULL: not set
 * @log: copy of the output, or NULL
 * @list_size: lines that "list" shows
 * @layout: of the full-screen mode
 * @in_tui: in the full-screen mode
 * @pending: commands of the point that has stopped the job, or NULL
 * @resumes: how often the job was resumed
 * @displays: expressions shown at stops
 * @last_display: highest number of a display so far
 * @history: values of print
 * @num_history: number of values so far
 * @vars: convenience variables
 * @num_vars: number of @vars
 * @result: JSON of the command that is executed
 * @quit: the user wants to leave
 * @depth: of files that read files
 * @first_list: first line that "list" showed
 * @last_list: line after the last one that "list" showed
 * @listing: lines are those of the listing also where there is a source
 * @last_x: address after the last byte that "x" showed
 * @last_format: its format
 * @bad_syntax: the last expression was none, whatever its names stand for
 * @err: message of the last error
 */
struct dbg {
	struct vshader_jobfile *jf;
	const char *path;
	struct vshader_device *dev;
	const struct dbg_ops *ops;
	void *ctx;
	struct vshader_steps *steps;
	struct vshader_run *run;
	struct vshader_debug *session;
	uint32_t job;
	uint32_t engine;
	enum dbg_state state;
	uint32_t attach;
	bool early;
	struct drm_vshader_debug_stop stop;
	uint64_t inv;
	struct drm_vshader_debug_bank banks[DBG_MAX_BANKS];
	unsigned int num_banks;
	struct dbg_code *code;
	struct dbg_code **programs;
	struct dbg_code **native;
	unsigned int num_native;
	int (*trace)(struct dbg *d);
	void (*on_event)(struct dbg *d, const struct drm_vshader_debug_event *e);
	void *hook;
	struct dbg_point points[DBG_MAX_POINTS];
	unsigned int last_point;
	bool watching;
	struct dbg_block block;
	struct dbg_user users[DBG_MAX_USERS];
	unsigned int num_users;
	unsigned int nested;
	bool from_point;
	char *settings[DBG_NUM_SETTINGS];
	FILE *log;
	unsigned int list_size;
	enum dbg_layout layout;
	bool in_tui;
	char *pending;
	unsigned int resumes;
	struct dbg_display displays[DBG_MAX_DISPLAY];
	unsigned int last_display;
	struct dbg_value history[DBG_MAX_HISTORY];
	unsigned int num_history;
	struct dbg_var vars[DBG_MAX_VARS];
	unsigned int num_vars;
	struct json_object *result;
	bool quit;
	unsigned int depth;
	uint32_t first_list;
	uint32_t last_list;
	bool listing;
	uint64_t last_x;
	struct dbg_format last_format;
	bool bad_syntax;
	char err[4096];
};

/* ---- debug_session.c ---- */

int dbg_init(struct dbg *d, const char *path, const char *device, const struct dbg_ops *ops,
	     void *ctx);
void dbg_fini(struct dbg *d);
/* Keep a message. Return: -EINVAL. */
int dbg_error(struct dbg *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void dbg_printf(struct dbg *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same in a colour, if the user interface has colours. */
void dbg_color_printf(struct dbg *d, enum color c, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Start the first job. */
int dbg_start(struct dbg *d);
/* Terminate the run, if there is one; its memory can no longer be read. */
void dbg_kill(struct dbg *d);
/* Resume the job; inv, pc, count as in the interface. */
int dbg_resume(struct dbg *d, uint32_t action, uint64_t inv, uint32_t pc, uint32_t count);
/* Handle pending events. */
int dbg_pump(struct dbg *d);
/* Wait until nothing runs. */
int dbg_wait(struct dbg *d);
/* Return: 0, or -EINVAL with a message. */
int dbg_need_stop(struct dbg *d);
/* enum drm_vshader_engine of a job of the file. */
uint32_t dbg_job_engine(const struct dbg *d, uint32_t job);
const char *dbg_job_name(const struct dbg *d);
const char *dbg_reason_name(uint32_t reason);

/* ---- debug_stop.c: messages about stops and ends ---- */

/* @p: point that has stopped the job, or NULL; @old: previous value of its register */
void dbg_tell_stop(struct dbg *d, const struct dbg_point *p, const struct dbg_value *old);
void dbg_tell_end(struct dbg *d, const struct jf_outcome *o);
/* "=> 0x4:	text" of the current instruction of the invocation. */
void dbg_tell_place(struct dbg *d);
/* Which operation has produced a NaN or an infinity. Return: @buf */
const char *dbg_special_text(const struct dbg *d, char *buf, size_t size);
/* Text of an instruction, a line for each operation of a clause; @lead: before further lines */
void dbg_print_insn(struct dbg *d, const struct dbg_code *c, const struct dbg_insn *i,
		    const char *lead);
int dbg_find_invocation(struct dbg *d, uint64_t inv, struct drm_vshader_debug_invocation *out);
/* All of them, to be freed. Return: number or a negative errno with a message. */
int dbg_invocations(struct dbg *d, struct drm_vshader_debug_invocation **out);
/* Next instruction of the selected invocation, and its operation. */
uint32_t dbg_pc(struct dbg *d);
uint32_t dbg_part(struct dbg *d);
/* "0x4", "0x4+1": an instruction, or an operation of it. Return: @buf */
const char *dbg_place_text(uint32_t pc, uint32_t part, char *buf, size_t size);

/* ---- debug_point.c ---- */

/* Set all points in a new session. */
int dbg_set_points(struct dbg *d);
/* Before a session ends. */
void dbg_keep_hits(struct dbg *d);
struct dbg_point *dbg_point_by_id(struct dbg *d, uint32_t id);
struct dbg_point *dbg_point_by_num(struct dbg *d, unsigned int num);
uint64_t dbg_point_hits(struct dbg *d, const struct dbg_point *p);
/* Make a new one from @t; texts are copied. Return: it, or NULL with a message. */
struct dbg_point *dbg_add_point(struct dbg *d, const struct dbg_point *t);
int dbg_update_point(struct dbg *d, struct dbg_point *p);
void dbg_delete_point(struct dbg *d, struct dbg_point *p);
/* Is the condition true? May select an invocation. */
bool dbg_point_applies(struct dbg *d, const struct dbg_point *p);

/* ---- debug_watch.c: registers that are watched ---- */

/* Is a register of the running job watched? */
bool dbg_has_watch(const struct dbg *d);
/* Resume; if registers are watched, their invocation only by a step. */
int dbg_continue(struct dbg *d);
/* At a stop. Return: point whose register has changed, or NULL; its new value is kept. */
struct dbg_point *dbg_watch_changed(struct dbg *d, struct dbg_value *old);
/* The invocation has ended. */
void dbg_drop_watches(struct dbg *d);

/* ---- debug_expr.c ---- */

/* Value of a whole text. */
int dbg_eval(struct dbg *d, const char *text, struct dbg_value *out);
/* Evaluate a prefix of @text; @end: rest of the text. */
int dbg_eval_part(struct dbg *d, const char *text, const char **end, struct dbg_value *out);
/* As an integer. */
int dbg_eval_u64(struct dbg *d, const char *text, uint64_t *out);
struct dbg_value *dbg_var(struct dbg *d, const char *name, size_t len, bool make);

/* ---- debug_place.c: registers and memory ---- */

/* Registers in the text of the invocation's instruction, in this order. Return: number. */
uint32_t dbg_regs_of_interest(struct dbg *d, uint32_t *regs, uint32_t max);
bool dbg_reg_by_name(const struct dbg *d, const char *name, uint32_t *reg);
int dbg_read_reg(struct dbg *d, uint32_t reg, struct dbg_value *v);
/* Resume the selected invocation at @pc. */
int dbg_set_pc(struct dbg *d, uint64_t pc);
/* The words of a register of @b as a value. */
void dbg_reg_value(const struct drm_vshader_debug_bank *b, uint32_t reg, const uint32_t *words,
		   struct dbg_value *v);
int dbg_write_reg(struct dbg *d, const struct dbg_value *place, const struct dbg_value *v);
/* Return: readable bytes, or a negative errno. */
int64_t dbg_read_some(struct dbg *d, uint64_t va, void *data, uint64_t size);
int dbg_read_mem(struct dbg *d, uint64_t va, void *data, uint64_t size);
int dbg_write_mem(struct dbg *d, uint64_t va, const void *data, uint64_t size);
/* Number of a memory region of the file, or JF_NONE. */
uint32_t dbg_find_region(const struct dbg *d, const char *name, size_t len);
/* Address in the run of a region, an output of the job or an image of the file. */
bool dbg_region(struct dbg *d, const char *name, size_t len, uint64_t *va);
/* Name of a region of the file, or the output that it is for; "": it has none. */
void dbg_region_name(const struct dbg *d, uint32_t n, char *buf, size_t size);
/* Name of the region that has an address, NULL: none; while a file is run. */
const char *dbg_region_at(struct dbg *d, uint64_t va, uint64_t *offset);
int dbg_load(struct dbg *d, uint64_t va, struct dbg_value *v);
int dbg_assign(struct dbg *d, const struct dbg_value *place, const struct dbg_value *v);

/* ---- debug_code of the session: debug_where.c ---- */

/* Code of a program of the file. NULL with a message. */
struct dbg_code *dbg_program(struct dbg *d, uint32_t n);
/* Code that is executed, or of the first program. NULL with a message. */
struct dbg_code *dbg_code_now(struct dbg *d);
/* Code of an instruction of a program of the file, or of a blend program that it has called. */
struct dbg_code *dbg_code_of(struct dbg *d, uint32_t program, uint32_t pc);
/* The same for the program that a stop is in; sets @d->code. */
void dbg_find_code(struct dbg *d);
/*
 * Code in memory that an instruction of the job is in; @code_va and @code_pc as in stops. NULL:
 * it is not known.
 */
struct dbg_code *dbg_native_code(struct dbg *d, uint64_t code_va, uint32_t code_pc, uint32_t pc);
/* Read the programs that the stopped job uploads by commands. */
void dbg_find_uploaded(struct dbg *d);
/* Is the job one that uploads programs? */
bool dbg_uploads(const struct dbg *d);
/* Is the stop in a program of the file? Jobs that upload none only stop there. */
bool dbg_in_program(struct dbg *d, uint32_t program);
/*
 * "12" (line of the source, or instruction without a source), "*0x4", ":7" (line), "label",
 * each optionally prefixed with "program:", then "12" is an instruction; "file:12".
 */
int dbg_location(struct dbg *d, const char *text, uint32_t *program, uint32_t *pc);

/* ---- debug_source.c ---- */

/* Do lines mean those of a source? */
bool dbg_has_source(const struct dbg *d, const struct dbg_code *c);
/*
 * The text that the user sees and the line of an instruction in it, 0: none. @i NULL: the main
 * source.
 */
const struct dbg_text *dbg_text_at(const struct dbg *d, const struct dbg_code *c,
				   const struct dbg_insn *i, uint32_t *line);
/* First instruction of a line. NULL: there is none from there on. */
const struct dbg_insn *dbg_insn_at(const struct dbg *d, const struct dbg_code *c,
				   const struct dbg_text *t, uint32_t line);
/* A source by its name, with or without folders; NULL: there is none. */
const struct dbg_text *dbg_find_text(const struct dbg_code *c, const char *name, size_t len);
/* Register or constant that a name in the source of @c is for, as an expression. */
bool dbg_find_name(const struct dbg_code *c, const char *name, size_t len, char *value,
		   size_t size, uint32_t *count);

/* ---- debug_cmd.c ---- */

/**
 * struct dbg_cmd - command
 * @name: name; of sub-commands with the main one, "info registers"
 * @args: its arguments
 * @text: description
 * @run: do it; 0 or a negative errno with a message
 * @aliases: further names, separated by blanks
 * @repeat: an empty line does it again
 */
struct dbg_cmd {
	const char *name;
	const char *args;
	const char *text;
	int (*run)(struct dbg *d, const char *args);
	const char *aliases;
	bool repeat;
};

extern const struct dbg_cmd dbg_cmds_run[], dbg_cmds_point[], dbg_cmds_data[], dbg_cmds_info[],
	dbg_cmds_code[], dbg_cmds_host[], dbg_cmds_script[], dbg_cmds_printf[], dbg_cmds_names[],
	dbg_cmds_find[], dbg_cmds_gdb[], dbg_cmds_search[];
/* All of them. */
const struct dbg_cmd *dbg_cmd_next(const struct dbg_cmd *after);
/* Command of a line; @args: its arguments. NULL with a message on failure. */
const struct dbg_cmd *dbg_cmd_find(struct dbg *d, const char *line, const char **args);
/* Execute a line. Return: 0 or a negative errno with a message. */
int dbg_execute(struct dbg *d, const char *line);
/* Commands of the point that has stopped the job; where commands do not wait for stops. */
int dbg_run_commands(struct dbg *d);
/* The location of the invocation, and its call depth. */
int dbg_backtrace(struct dbg *d, const char *args);
/* Of files that commands write, for output_open_to(); @d: debugger */
int dbg_report_output(void *d, const char *text);

/* ---- debug_missing.c ---- */

/*
 * Is a line a command of gdb without a counterpart? @why: receives the reason.
 * Return: words of its name, or 0.
 */
unsigned int dbg_missing(const char *line, const char **why);

/* ---- debug_setting.c ---- */

/* "set TEXT": a setting's name and value. @ret: result. Return: false: it is none. */
bool dbg_set(struct dbg *d, const char *text, int *ret);
int dbg_show(struct dbg *d, const char *args);
/* End the copy of the output. Return: 0 or a negative errno with a message. */
int dbg_log_end(struct dbg *d);
void dbg_settings_fini(struct dbg *d);

/* Commands of a file. */
int dbg_source(struct dbg *d, const char *path);
/* A line with its end. Return: characters, or -ENODATA, -E2BIG, -ENOMEM. */
ssize_t dbg_read_line(FILE *f, char **line, size_t *room);
/* At the end of all commands: is there a block without its end? */
int dbg_check_block(struct dbg *d);
/* Leading "/NFU". */
int dbg_parse_format(struct dbg *d, const char **args, struct dbg_format *f);
/* Displays, at a stop. */
void dbg_show_displays(struct dbg *d);
/* Remove, disable or enable displays, by numbers or all. */
int dbg_displays(struct dbg *d, const char *args, void (*fn)(struct dbg_display *s));
void dbg_display_remove(struct dbg_display *s);
/* Registers that have names in the source, and their values. */
int dbg_show_locals(struct dbg *d);
/* Memory or instructions as of "x". */
int dbg_examine(struct dbg *d, const struct dbg_format *f, uint64_t va);
/* Registers of the selected invocation; @names: blank separated, "": all; NULL: the major. */
int dbg_show_registers(struct dbg *d, const char *names);

/* ---- debug_script.c ---- */

/* Collect lines from here on. */
int dbg_block_begin(struct dbg *d, enum dbg_block_kind kind, const char *head, unsigned int point);
/* A line of the block; the last one has its effect. */
int dbg_block_line(struct dbg *d, const char *line);
void dbg_block_drop(struct dbg *d);
/* Command that the user has defined, by its whole name. */
const struct dbg_user *dbg_user_find(struct dbg *d, const char *line, const char **args);
int dbg_user_run(struct dbg *d, const struct dbg_user *u, const char *args);
void dbg_user_show(struct dbg *d, const struct dbg_user *u);
void dbg_script_fini(struct dbg *d);

#endif /* VSHADER_CLI_DEBUG_H */
