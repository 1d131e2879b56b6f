/* SPDX-License-Identifier: MIT */
/*
 * Full-screen mode: internal interfaces.
 */
#ifndef VSHADER_CLI_DEBUG_TUI_H
#define VSHADER_CLI_DEBUG_TUI_H

#include "debug.h"

#define TUI_LINE	256
#define TUI_LOG		500
#define TUI_HISTORY	100
#define TUI_REGS	512
#define TUI_FIRST	64	/* registers that an instruction names */

enum tui_pane { TUI_CODE, TUI_REGISTERS, TUI_INVOCATIONS, TUI_MEMORY, TUI_OUTPUT, TUI_PANES };

/** struct tui_reg - value of a register, and whether it differs from the stop before */
struct tui_reg {
	uint32_t reg;
	unsigned int num;
	uint64_t v[16];
	bool changed;
};

/**
 * struct tui - state of the screen
 * @d: debugger
 * @ops: user interface of the console
 * @ctx: its context
 * @log: lines of output, the oldest first
 * @log_len: number of @log
 * @partial: the last line has not ended
 * @line: command line
 * @len: its characters
 * @history: earlier command lines
 * @history_len: number of @history
 * @history_at: which is shown; @history_len: none
 * @focus: pane that is scrolled
 * @scroll: scroll position, lines
 * @regs: registers by their position on the screen
 * @num_regs: number of @regs
 * @regs_inv: invocation of the register values
 * @stops: number of stops
 * @regs_stop: @stops when @regs were read
 * @memory: address of the memory pane
 * @memory_set: @memory is valid
 * @leave: back to the console
 * @dirty: to be drawn anew
 */
struct tui {
	struct dbg *d;
	const struct dbg_ops *ops;
	void *ctx;
	char *log[TUI_LOG];
	unsigned int log_len;
	bool partial;
	char line[TUI_LINE];
	size_t len;
	char *history[TUI_HISTORY];
	unsigned int history_len;
	unsigned int history_at;
	enum tui_pane focus;
	int scroll[TUI_PANES];
	struct tui_reg regs[TUI_REGS];
	unsigned int num_regs;
	uint64_t regs_inv;
	unsigned int stops;
	unsigned int regs_stop;
	uint64_t memory;
	bool memory_set;
	bool leave;
	bool dirty;
};

/* debug_tui_draw.c */
void tui_colors(void);
void tui_draw(struct tui *t);
/* Read registers and mark the changed ones. */
void tui_read_registers(struct tui *t);

#endif /* VSHADER_CLI_DEBUG_TUI_H */
