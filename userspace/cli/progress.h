/* SPDX-License-Identifier: MIT */
/*
 * Progress of long commands: a line on standard error, if that is a terminal, from 3 s on.
 */
#ifndef VSHADER_PROGRESS_H
#define VSHADER_PROGRESS_H

#include <stdatomic.h>

/**
 * progress_begin - begin to watch a piece of work
 * @what: its name; it must stay valid
 * @unit: name of the parts that are counted, or NULL
 * @done: parts that are complete, or NULL
 * @total: number of parts
 *
 * Without a terminal, and while another piece is watched, nothing happens.
 */
void progress_begin(const char *what, const char *unit, const _Atomic unsigned int *done,
		    unsigned int total);

/**
 * progress_mute - show nothing from now on: the output itself tells the progress
 */
void progress_mute(void);

/**
 * progress_clear - remove the line
 *
 * For output in the meantime. The line returns with the next second.
 */
void progress_clear(void);

/**
 * progress_end - the piece of work is complete
 */
void progress_end(void);

#endif /* VSHADER_PROGRESS_H */
