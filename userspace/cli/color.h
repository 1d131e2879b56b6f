/* SPDX-License-Identifier: MIT */
/*
 * Colours by meaning, the same in text and in the full-screen mode.
 */
#ifndef VSHADER_CLI_COLOR_H
#define VSHADER_CLI_COLOR_H

#include <stdbool.h>

enum color {
	COLOR_STATUS = 1,	/* of the full-screen mode, from 1 as ncurses counts pairs */
	COLOR_CURRENT,		/* the current instruction */
	COLOR_CHANGED,
	COLOR_BREAK,
	COLOR_WAIT,
	COLOR_HEAD,
	COLOR_GOOD,
	COLOR_BAD,
	NUM_COLORS
};

/** struct color_style - numbers of ANSI and ncurses, -1: the terminal's own */
struct color_style {
	short fg;
	short bg;
	bool bold;
};

extern const struct color_style color_styles[NUM_COLORS];

/* "auto", "always", "never"; NULL: "always". Return: false for anything else. */
bool color_choose(const char *when);
/*
 * Is standard output coloured? By default if it is a terminal that is not dumb, and NO_COLOR is
 * not in the environment.
 */
bool color_on(void);
/* Escape sequence to begin a style; "" without colours. */
const char *color_begin(enum color c);
/* Escape sequence to end it. */
const char *color_end(void);

#endif /* VSHADER_CLI_COLOR_H */
